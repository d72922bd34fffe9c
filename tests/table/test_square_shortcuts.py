"""Shortcuts of the square table give what the long way gives: areas of many points, merged floods, smoke."""

from __future__ import annotations

from random import Random

import pytest

from dieselfront import rulesets
from dieselfront.rulesets.dust1947 import scenario as scenarios
from dieselfront.scenarios import library
from dieselfront.table.square import Mover, Occupancy, SquareTable, mask_of
from dieselfront.table.square.geometry import places_of
from dieselfront.table.square.reach import StandardReach, in_order


def a_table(name: str = "crossroads") -> SquareTable:
    spec = scenarios.read(library.find(name, "dust1947"), name)
    return scenarios.build(spec, rulesets.load("dust1947").terrain)


def smoked(table: SquareTable, chance: Random) -> SquareTable:
    return table.placing("smoke", chance.sample(range(table.plane), 4))


@pytest.mark.parametrize("number", range(6))
def test_areas_of_many_points_are_those_of_each(number: int) -> None:
    chance = Random(number)
    table = smoked(a_table(), chance) if number % 2 else a_table()
    places = chance.sample(table.places(), 30)
    blockers = mask_of(chance.sample(range(table.plane), 8))
    apart = [(place, "area", block) for place in places for block in table.area_blocks(place, blockers=blockers)]
    assert table.areas_at(places, blockers) == apart
    for place in places:
        assert table.named_blocks(place, "smoke") == tuple(
            (place, "smoke", block) for block in table.blocks_of_four(place)
        )


@pytest.mark.parametrize("number", range(12))
def test_costs_of_several_floods_are_the_least_of_each(number: int) -> None:
    chance = Random(number)
    table = a_table().placing("mud", chance.sample(range(a_table().plane), 25))
    start = chance.randrange(table.plane)
    kind = chance.choice(["infantry", "walker", "wheeled"])
    taken = mask_of(chance.sample(range(table.plane), 10)) & ~(1 << start)
    budget = chance.randrange(1, 7)
    bonus = chance.randrange(3)
    reach = table.reach(
        Mover(kind), start, budget, Occupancy(enemies=taken), road_bonus=bonus, halved_budget=budget // 2
    )
    assert isinstance(reach, StandardReach)
    naive: dict[int, int] = {start: 0}
    for run in reach._runs:
        for layers in run.by_hazards:
            for cost, (unspent, spent) in enumerate(layers):
                for place in places_of((unspent | spent) & run.ends):
                    naive[place] = min(cost, naive.get(place, cost))
    if all(len(run.by_hazards) == 1 for run in reach._runs):
        assert list(reach.costs.items()) == list(in_order({**naive}).items())
    for place in reach.costs:
        assert reach._trace(place)[0].cost == reach.costs[place]


def test_what_hides_after_smoke_is_what_a_table_made_anew_says() -> None:
    chance = Random(4)
    table = a_table()
    for _ in range(6):
        table = smoked(table, chance)
        anew = SquareTable(
            table.width, table.height, table.kinds, table._features, table._edges, table._columns, table._passages
        )
        for eye in ("low", "tall"):
            assert table.hiding(eye) == anew.hiding(eye)
            assert table.hiding_mask(eye) == anew.hiding_mask(eye)
        table = table.clearing("smoke", chance.sample(table.squares_with("smoke"), 2))
