"""What is remembered of a position is what would be found out again."""

from __future__ import annotations

from random import Random

import pytest

from dieselfront.rulesets.dust.state import ON_BOARD
from dieselfront.rulesets.dust_open.ways import Ways
from dieselfront.scenarios import battle


@pytest.mark.parametrize(("ruleset", "scenario"), [("freeform1947", "crossroads"), ("battlefield", "encounter")])
def test_reach_and_glances_are_remembered_as_they_are(ruleset: str, scenario: str) -> None:
    armies = [battle.army(name, ruleset) for name in battle.starters(ruleset)[:2]]
    game = battle.start(battle.header(ruleset, scenario, armies, seed="4"), "4")
    chance = Random(4)
    reaches = glances = 0
    for _ in range(250):
        decision = game.pending
        if decision is None:
            break
        region = getattr(decision, "region", None)
        if isinstance(region, Ways) and region._plain() is not None:
            twin = game.copy().pending.region
            assert dict(region.costs) == dict(twin.costs) == twin.listed()
            reaches += 1
        state, ground = game.state, game.rules.ground
        standing = [unit for unit in state.units if unit.status == ON_BOARD]
        if len(standing) > 1:
            one, other = chance.sample(standing, 2)
            hulls = ground.hulls(state, [ground.first(state, unit) for unit in standing if unit.is_vehicle])
            seen = ground.spot_sight(state, one, one.place, other, other.place, hulls)
            mine, theirs = ground.first(state, one), ground.bodies(state, other)[:2]
            assert seen == ground._spot_sight(state, one, mine, other, theirs, hulls)
            glances += 1
        game.choose_trusted(decision.sample(chance))
    assert reaches > 5
    assert glances > 50
