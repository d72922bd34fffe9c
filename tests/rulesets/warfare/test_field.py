"""What the field of Warfare answers: distances, sight, cover, arcs, reach, weapons, terrain, formation."""

from __future__ import annotations

import pytest

from dieselfront.kernel.field import At, NoAnswer
from dieselfront.kernel.game import Play
from dieselfront.rulesets.warfare import RULESET
from rulesets.warfare.field import BLUE, RED, Field, gap, inch, squad, vehicle, weapon

FIELD = RULESET.field


def duel(*terrain):
    field = Field(*terrain)
    a = field.put(BLUE, squad(5), 900, 600)
    b = field.put(RED, squad(5), 900, 600 - gap(10))
    return field, a, b, Play(RULESET, field.state)


@pytest.mark.rule("dw.measure.premeasure")
def test_distances_can_be_asked_at_any_time_and_change_nothing():
    field, a, b, _ = duel()
    before = field.state.facts()
    told = FIELD.distance(field.state, a.id, b.id)
    assert told.length == pytest.approx(10, abs=0.05) and told.weapons[0]["reaches"]
    assert FIELD.distance(field.state, At((100, 100)), At((100, 354))).length == pytest.approx(9, abs=0.1)
    assert field.state.facts() == before
    with pytest.raises(NoAnswer, match="no unit"):
        FIELD.distance(field.state, "nobody", b.id)


def test_sight_tells_what_obscures():
    _, a, b, play = duel({"kind": "hedge", "line": [[30, 19], [48, 19]], "id": "the hedge"})
    sight = FIELD.sight(play, a.id, b.id)
    assert sight.visible and sight.cover == "soft"
    assert any("the hedge" in reason.text for line in sight.lines for reason in line.reasons)
    b.suppression = 1
    assert FIELD.cover(play, a.id, b.id).cover == "hard"
    _, a, b, play = duel({"kind": "high-wall", "line": [[30, 19], [48, 19]]})
    assert not FIELD.sight(play, a.id, b.id).visible


def test_arcs_and_bearings():
    field = Field()
    walker = field.put(
        BLUE, vehicle(weapons=[weapon("MG", 24, "5/1", arc="front"), weapon("Gun", 36, "3/1", arc="turret")]), 900, 600
    )
    foe = field.put(RED, squad(1), 900, 900)
    names = {(arc.weapon, arc.name) for arc in FIELD.arcs(field.state, walker.id)}
    assert ("MG", "front") in names and ("Gun", "all round") in names
    assert not FIELD.bearing(field.state, walker.id, foe.id, "mg").inside
    assert FIELD.bearing(field.state, walker.id, foe.id, "mg", facing=180).inside
    assert FIELD.facing(field.state, foe.id, walker.id).side == "rear"


def test_reach_of_soldiers_and_vehicles():
    field, a, _, play = duel({"kind": "fence", "line": [[30, 26], [48, 26]], "id": "fence"})
    told = FIELD.reach(play, a.id)
    assert told.budget == 6 and any("fence" in note for note in told.notes)
    assert FIELD.reach(play, a.id, "march").budget == 12
    no = FIELD.reach(play, a.id, goal=((900, 600 + inch(5)),))
    assert no.reached is False and "dw.terrain.difficult" in no.reason
    walker = field.put(BLUE, vehicle(), 300, 300)
    assert FIELD.reach(play, walker.id, goal=((300, 200, 0),)).reached
    assert FIELD.outline(play, walker.id) and FIELD.outline(play, a.id)
    ahead, behind = FIELD.costs(play, walker.id).cost(300, 250), FIELD.costs(play, walker.id).cost(300, 350)
    assert ahead == pytest.approx(500, abs=60) and behind is None
    assert FIELD.costs(play, a.id).cost(900, 560) == pytest.approx(400, abs=60)


def test_weapons_say_what_they_would_roll_and_why_not():
    field, a, b, play = duel()
    (use,) = FIELD.weapons(play, a.id, b.id)
    assert use.usable and use.facts["dice"] == 5
    tank = field.put(RED, vehicle(5), 1200, 500)
    (use,) = FIELD.weapons(play, a.id, tank.id)
    assert not use.usable and use.rule == "dw.profile.dash"


def test_terrain_and_formation():
    field, a, _, _ = duel({"kind": "forest", "at": [10, 10], "size": [6, 6], "id": "wood"})
    (effect,) = FIELD.terrain(field.state, a.id)
    assert "freely" in effect.text and "soft cover" in effect.text and "hazard" in effect.text
    assert "wood" in FIELD.terrain_at(field.state, At((inch(12), inch(12)))).text
    assert FIELD.coherency(field.state, a.id).holds
    a.bodies[4] = a.bodies[4].at(900 + gap(8), 600)
    assert FIELD.coherency(field.state, a.id).out == [5]
    assert len(FIELD.units(field.state)) == 2
