"""What computer players know of Battlefield: heroes who join, 5 cm for blows, fire from where a unit would stand."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dieselfront.kernel.decisions import PickOne, PickSome
from dieselfront.players import weights
from dieselfront.rulesets.battlefield.adviser.adviser import BattleAdviser
from dieselfront.rulesets.dust1947.adviser.fire import CLOSE_ONLY, RANGED_ONLY
from dieselfront.rulesets.dust1947.adviser.open_table import field_of
from dieselfront.rulesets.dust_open.places import at
from rulesets.battlefield.field import RED, Field
from rulesets.dust1947.table import hero, knife, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)


def adviser() -> BattleAdviser:
    return BattleAdviser(weights("battlefield"))


def facing(far: int) -> tuple[Field, object, object]:
    field = Field()
    mine = field.put(squad(RIFLE, knife(), men=3), (900, 900))
    foe = field.put(squad(RIFLE, men=3), (900, 900 - far), RED)
    return field, mine, foe


@pytest.mark.rule("bf.attack.range_measure")
def test_fire_is_weighed_from_where_the_unit_would_stand():
    field, mine, foe = facing(800)
    seen = field_of(field.play, adviser().fire)
    here, there = seen.piece(mine), at(900, 400)
    far = seen.shoots(here, mine.place, seen.piece(foe), RANGED_ONLY)
    near = seen.shoots(here, there, seen.piece(foe), RANGED_ONLY)
    assert far.points == 0
    assert near.points > 0


@pytest.mark.rule("bf.cc.reach")
@pytest.mark.parametrize("gap, strikes", [(40, True), (90, False)])
def test_blows_are_expected_within_five_centimetres_only(gap, strikes):
    field, mine, foe = facing(600)
    seen = field_of(field.play, adviser().fire)
    spot = at(900, 300 + 25 + gap)
    assert (seen.distance(spot, seen.piece(foe)) == 0) is strikes
    blows = seen.shoots(seen.piece(mine), spot, seen.piece(foe), CLOSE_ONLY)
    assert (blows.points > 0) is strikes


@pytest.mark.rule("bf.hero.join", "bf.scenario.reserves_half")
def test_heroes_join_and_the_cheapest_wait():
    field = Field()
    cheap = field.put(squad(RIFLE, men=3, points=5), (900, 900))
    dear = field.put(squad(RIFLE, men=3, points=15), (700, 900))
    joe = field.put(hero(), (900, 1000))
    game = SimpleNamespace(state=field.state, play=field.play)
    asked = PickOne(0, "join", [None, joe.id], unit=cheap.id)
    assert adviser()._join(game, asked, {}) == (joe.id,)
    kept = PickSome(0, "reserves", [dear.id, cheap.id], 1, 2)
    assert adviser()._reserves(game, kept, {}) == ((cheap.id,),)


@pytest.mark.rule("bf.pilot.dismount")
def test_pilots_who_could_leave_do_not_confuse_the_choice_of_a_unit():
    field, mine, _ = facing(300)
    game = SimpleNamespace(state=field.state, play=field.play)
    asked = PickOne(0, "activate", ["pilot a1", mine.id])
    assert all(found.answer == mine.id for found in adviser()._activations(game, asked, 8))


@pytest.mark.rule("bf.react.two")
def test_who_turns_to_react_looks_at_the_unit_that_triggered_it():
    field = Field()
    tank = field.put(vehicle(RIFLE), (900, 900), heading=180)
    foe = field.put(squad(RIFLE, men=2), (900, 500), RED)
    field.state.interrupted = foe.id
    game = SimpleNamespace(state=field.state, play=field.play)
    asked = PickOne(0, "turn", [90, 180, 345, 270], unit=tank.id)
    assert adviser()._turn(game, asked, {}) == (345,)
