"""What screens are shown of units: remembered while nothing about a unit changes, made anew when anything does."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from dieselfront.kernel.game import Game
from dieselfront.players import make
from dieselfront.rulesets.dust import view
from dieselfront.rulesets.dust.state import LOST, SUPPRESSED, Unit
from dieselfront.scenarios import battle, library


def a_battle(ruleset: str = "dust1947") -> Game:
    armies = battle.starters(ruleset)
    return battle.start(battle.header(ruleset, library.names(ruleset)[0], [*armies[:2]], seed="shown"), "shown")


def made_anew(unit: Unit, game: Game) -> view.DustUnit:
    return replace(view.made_view(unit), places=[game.state.table.name(place) for place in unit.where])


@pytest.mark.parametrize("ruleset", ["dust1947", "battlefield", "freeform1947"])
def test_units_are_shown_as_if_they_were_looked_at_for_the_first_time(ruleset: str) -> None:
    game = a_battle(ruleset)
    player = make("random", "shown", ruleset)
    for _ in range(150):
        if game.pending is None:
            break
        game.choose(player.choose(game))
        for unit in game.state.units:
            assert view.unit_view(unit, game.state.table.name) == made_anew(unit, game)


CHANGES: dict[str, Any] = {
    **{"id": "other", "side": 1, "name": "Other", "status": LOST, "where": (3, 4), "facing": 2, "flags": SUPPRESSED},
    **{"aboard": "carrier", "criticals": ("engine",)},
}
PART_CHANGES: dict[str, Any] = {
    **{"role": "joined", "alive": (0,), "damage": 1, "ammo": {0: 1}, "unloaded": ((0, 0),), "broken": 1},
    **{"spent": ("Berserk",)},
}
UNSEEN = {"place", "held_by", "effects", "fallen", "figures", "parts", "card", "other"}
"""Fields that no unit's view shows, and those whose own fields are changed here."""


def test_every_field_of_a_unit_and_its_parts_is_looked_at() -> None:
    fields = {*view.Unit.__struct_fields__, *view.Part.__struct_fields__}
    assert fields - UNSEEN == {*CHANGES, *PART_CHANGES}


@pytest.mark.parametrize("field", [*CHANGES, *(f"part.{name}" for name in PART_CHANGES)])
def test_whatever_changes_about_a_unit_is_shown(field: str) -> None:
    game = a_battle()
    unit = game.state.units[0].clone()
    view.unit_view(unit, game.state.table.name)
    name = field.removeprefix("part.")
    changed = unit.parts[0] if name != field else unit
    setattr(changed, name, (PART_CHANGES if name != field else CHANGES)[name])
    assert view.unit_view(unit, game.state.table.name) == made_anew(unit, game)


def test_another_card_of_the_same_name_is_shown() -> None:
    game = a_battle()
    unit = game.state.units[0].clone()
    view.unit_view(unit, game.state.table.name)
    part = unit.parts[0]
    part.card = replace(part.card, points=part.card.points + 7)
    assert view.unit_view(unit, game.state.table.name).points == unit.points


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "MOST_UNITS", 8)
    monkeypatch.setattr(view, "_shown_units", {})
    game = a_battle()
    unit = game.state.units[0].clone()
    for damage in range(50):
        unit.parts[0].damage = damage
        assert view.unit_view(unit, game.state.table.name) == made_anew(unit, game)
        assert len(view._shown_units) <= 8
