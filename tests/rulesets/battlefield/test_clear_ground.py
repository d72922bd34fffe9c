"""Quick answers about clear ground are the answers of a closer look."""

from __future__ import annotations

import random

import pytest

from dieselfront.rulesets.battlefield.ways import BattleEntry, BattleWays
from dieselfront.rulesets.dust.state import RESERVE
from dieselfront.rulesets.dust_open import ways
from dieselfront.rulesets.dust_open.places import at, xy
from dieselfront.rulesets.dust_open.regions import Zone
from rulesets.battlefield.field import RED, Field, box, disc, house
from rulesets.dust1947.table import squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)


def crowded() -> Field:
    """Terrain of every kind and units of both sides close together."""
    field = Field(
        box("wall", 500, 420, 200, 12),
        box("trees", 300, 500, 150, 150),
        disc("rock", 760, 560, 40),
        box("water", 400, 800, 200, 60),
        house(820, 380, 160, 120),
        size=(1200, 900),
    )
    field.put(squad(RIFLE, men=4), (600, 600))
    field.put(squad(RIFLE, men=3), (690, 640))
    field.put(vehicle(), (520, 700))
    field.put(squad(RIFLE, men=4), (620, 480), RED)
    field.put(vehicle(), (720, 470), RED)
    return field


def spots(seed: int, count: int) -> list[tuple[int, int]]:
    chance = random.Random(seed)
    return [(chance.randrange(1200), chance.randrange(900)) for _ in range(count)]


@pytest.mark.rule("bf.move.distance", "bf.move.no_overlap", "bf.move.terrain_limit")
@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("action", ["move", "march"])
def test_a_shift_over_clear_ground_is_legal_and_costs_what_a_closer_look_says(number, action, monkeypatch):
    field = crowded()
    unit = field.state.units[number]
    quick = {
        goal: cost for goal in spots(number, 600) if (cost := field.ways(unit, action).shift(at(*goal))) is not None
    }
    assert len(quick) > 20
    monkeypatch.setattr(BattleWays, "shift", lambda self, place: None)
    closer = field.ways(unit, action)
    for goal, cost in quick.items():
        assert closer.problem(at(*goal), unit.facing) is None, goal
        assert closer.cost(at(*goal)) == cost


@pytest.mark.rule("bf.setup.scenario")
def test_a_place_of_a_deployment_area_that_is_clear_is_legal():
    field = crowded()
    unit = field.put(squad(RIFLE, men=5))
    zone = field.rules.setup.spots(field.play, unit)
    clear = [place for place in (at(*goal) for goal in spots(5, 600)) if zone._is_clear(place)]
    assert len(clear) > 20
    assert all(Zone.problem(zone, place, zone.facing) is None for place in clear)


@pytest.mark.rule("bf.scenario.reserves_move")
def test_a_unit_that_arrives_over_clear_ground_could_arrive_there():
    field = crowded()
    unit = field.put(squad(RIFLE, men=5), status=RESERVE)
    entry: BattleEntry = field.rules.reserves.reach(field.play, unit, 4)
    quick = [place for place in entry if entry.shift(place) is not None]
    assert len(quick) > 20
    assert all(ways.Ways.problem(entry, place, entry.facing) is None for place in quick)
    assert all(xy(place)[1] > 400 for place in quick)
