"""Exact odds of fire in Konflikt '47 beside the oracle, which runs the real procedure for every fall of the dice."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront.kernel.game import Play
from dieselfront.odds import oracle
from dieselfront.odds.stages import number_chances
from dieselfront.rulesets import load
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.battle import make_table, read_battle
from dieselfront.rulesets.konflikt47.cards import read_card
from dieselfront.rulesets.konflikt47.odds.fire_odds import best_shots, fire_odds, hit_destroys, passes
from dieselfront.rulesets.konflikt47.plans import number_of
from dieselfront.rulesets.konflikt47.state import TABLE, State, Unit

RULES: Any = load("konflikt47")


def card(kind: str, weapon: str = "Rifle", count: int = 2, **more: Any) -> dict[str, Any]:
    if kind == "vehicle":
        men: list[dict[str, Any]] = [{"weapons": [weapon] if weapon else []}]
        hull = {"class": more.pop("armour", "medium tank")}
        return {"name": "Tank", "kind": kind, "vehicle": hull, "men": men, **more}
    return {"name": "Squad", "kind": kind, "men": [{"weapons": [weapon], "count": count}], **more}


def facing_each_other(mine: dict[str, Any], theirs: dict[str, Any], inches: float, **given: Any) -> State:
    units = [Unit("a1", 0, read_card(mine)), Unit("b1", 1, read_card(theirs))]
    battle = read_battle({"id": "test", "name": "Test"})
    state: State = RULES.position(units, make_table(battle), {"national_rules": "off"}, battle)
    state.turn, state.phase = 1, "orders"
    for unit, y, turned in zip(units, (1000, 1000 - round(inches * 25.4)), (0, 180), strict=True):
        unit.place = TABLE
        ground.stand(state.table, unit, [(400 + 30 * place, y) for place in range(len(unit.men))], turned)
    for name, value in given.items():
        setattr(units[1], name, value)
    return state


def by_the_oracle(state: State, how: str, shots: list[Any]) -> Any:
    """(models left, alive) after the damage of a volley, every way the dice can fall."""

    def make() -> Any:
        twin = state.clone()
        play = Play(RULES, twin)
        unit, target = twin.unit("a1"), twin.unit("b1")
        before = len(target.men)
        pools, _ = RULES.shooting.pools(twin, unit, target, shots, how)
        volley = yield from RULES.damage.roll(play, unit, target, pools, how)
        if target.is_armoured:
            yield from RULES.morale.pin(play, target, RULES.damage.pins_of(volley), "k47.pin.gain")
            for hit in volley.armour:
                if target.alive:
                    yield from RULES.damage.result(play, target, hit)
            return (int(not target.alive), volley.hit, 0)
        lost = 1 if volley.soft_kill else min(before, volley.losses)
        return (lost, volley.hit, volley.pins if volley.hit else 0)

    return oracle.of_procedure(make, lump=not state.unit("b1").is_armoured)  # grades of armour read the very face


CASES = [
    (card("infantry", "Rifle", 3), card("infantry", "Rifle", 3), 10, {}, "fire"),
    (card("infantry", "Rifle", 2), card("infantry", "Rifle", 3, quality="veteran"), 20, {"order": "down"}, "advance"),
    (card("infantry", "SMG", 1), card("infantry", "Rifle", 3, rules=["Tough"]), 5, {}, "fire"),
    (card("infantry", "Flamethrower (Infantry)", 1), card("infantry", "Rifle", 4), 4, {}, "fire"),
    (card("vehicle", "Turret-Mounted Light Howitzer"), card("infantry", "Rifle", 3), 12, {"order": "down"}, "fire"),
    (card("infantry", "Bazooka", 1), card("vehicle", armour="medium tank"), 9, {}, "fire"),
    (card("vehicle", "Turret-Mounted Light AT Gun"), card("vehicle", armour="light tank"), 20, {"pins": 2}, "fire"),
    (card("infantry", "Rifle", 3), card("vehicle", "Rifle", armour="soft-skin"), 10, {}, "fire"),
]


@pytest.mark.rule("k47.shoot.simultaneous", "k47.damage.roll", "k47.armour.results")
@pytest.mark.parametrize(("mine", "theirs", "inches", "given", "how"), CASES)
def test_the_closed_form_and_the_oracle_agree(mine, theirs, inches, given, how):
    state = facing_each_other(mine, theirs, inches, **given)
    unit, target = state.unit("a1"), state.unit("b1")
    shots = best_shots(RULES, state, unit, target, how)
    found = fire_odds(RULES, state, unit, target, shots, how)
    slow = by_the_oracle(state, how, shots)
    assert found.hit == pytest.approx(slow.chance(lambda out: out[1]))
    losses = slow.distribution(lambda out: out[0])
    assert found.losses[: len(losses)] == pytest.approx(losses, abs=1e-9)
    if not target.is_vehicle:
        assert found.pins == pytest.approx(slow.mean(lambda out: out[2]))


@pytest.mark.rule("k47.armour.massive", "k47.armour.immobilised2")
def test_two_results_of_massive_damage_are_suffered_in_their_order():
    state = facing_each_other(
        card("vehicle", "Turret-Mounted Medium AT Gun"), card("vehicle", armour="light tank"), 20, pins=2
    )
    unit, target = state.unit("a1"), state.unit("b1")
    (pool,), _ = RULES.shooting.pools(state, unit, target, best_shots(RULES, state, unit, target, "fire"), "fire")
    burnt = [1 - passes(needed) for needed in (5, 4)]  # regular 9, two pins and one of the hit, then one a result
    pairs = 27 + 1 + 2 * burnt[0] + 2 * burnt[1] + burnt[0] + (1 - burnt[0]) * burnt[1]
    superficial, full = burnt[0] / 6, 3 / 6 + burnt[0] / 6
    assert hit_destroys(RULES, state, target, pool) == pytest.approx((superficial + 2 * full + pairs / 36) / 6)


def test_numbers_of_dice_and_morale_have_the_chances_everybody_knows():
    chances = {notation: number_chances(number_of(notation, "", "")) for notation in ("D3", "2D6-1", "3D6")}
    assert chances["D3"] == pytest.approx((0, 1 / 3, 1 / 3, 1 / 3))
    assert chances["2D6-1"][1] == pytest.approx(1 / 36) and len(chances["2D6-1"]) == 12
    assert sum(chances["3D6"]) == pytest.approx(1)
    assert [passes(needed) for needed in (2, 7, 10)] == pytest.approx([1 / 36, 21 / 36, 33 / 36])


@pytest.mark.rule("k47.he.declare")
def test_a_gun_fires_shells_at_troops_and_shot_at_tanks():
    for theirs, wanted in ((card("infantry", "Rifle", 8), "HE"), (card("vehicle", armour="heavy tank"), "AT")):
        state = facing_each_other(card("vehicle", "Turret-Mounted Super-Heavy AT Gun"), theirs, 15)
        (shot,) = best_shots(RULES, state, state.unit("a1"), state.unit("b1"), "fire")
        assert shot.round == wanted
