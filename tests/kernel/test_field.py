"""The field: the same questions of every game, squares or measured, with typed answers, reasons, rules and points."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront import players, rulebook, rulesets
from dieselfront.kernel.field import BLOCKED, At, Field, NoAnswer, Reason, Sight, SightLine
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import new_game
from dieselfront.scenarios import battle, library

GAMES = ("dust1947", "freeform1947", "konflikt47")


@pytest.fixture(scope="module", params=GAMES)
def game(request: Any) -> Game:
    """A game of each kind after some choices by chance."""
    ruleset = request.param
    board = library.find(library.names(ruleset)[0], ruleset)
    forces = [battle.army(one, ruleset) for one in battle.starters(ruleset)[:2]]
    header = battle.header(ruleset, board, forces, seed="field", seats=["Ann", "Bob"], options={}, salt="")
    made = new_game(rulesets.load(ruleset), header, "field")
    player = players.make("random", "field", ruleset)
    while made.pending is not None and len(made.choices) < 70:
        made.choose(player.choose(made))
    return made


def field(game: Game) -> Field[Any]:
    found: Field[Any] = game.rules.field
    return found


def pair(game: Game) -> tuple[str, str]:
    """A unit of each side on the table."""
    standing = [unit for unit in field(game).units(game.state) if unit.on_table]
    return tuple(next(unit.id for unit in standing if unit.side == side) for side in (0, 1))  # type: ignore[return-value]


def known(game: Game, rules: list[str]) -> bool:
    book = {rule.id for name in rulesets.lineage(game.rules.id) for rule in rulebook.load(name).rules}
    return bool(rules) and set(rules) <= book


def test_units_say_what_is_left_and_where_they_are(game: Game) -> None:
    view = {unit["id"]: unit for unit in game.rules.view(game.state)["units"]}
    units = field(game).units(game.state)
    assert [unit.id for unit in units] == list(view)
    for unit in units:
        assert unit.side == view[unit.id]["side"] and 0.0 <= unit.share <= 1.0 and unit.points > 0
        assert unit.on_table == (view[unit.id]["status"] in ("board", "table"))
        assert (unit.centre is not None) == unit.on_table
        if unit.centre is not None:
            table = game.rules.view(game.state)["table"]
            assert 0 <= unit.centre[0] <= table["width"] and 0 <= unit.centre[1] <= table["height"]


def test_sight_and_cover_agree_and_name_rules_of_the_book(game: Game) -> None:
    one, other = pair(game)
    sight, cover = field(game).sight(game.play, one, other), field(game).cover(game.play, one, other)
    assert (sight.viewer, sight.target, sight.distance) == (one, other, cover.distance)
    assert sight.cover == cover.cover or not cover.visible
    assert known(game, sight.rules) and known(game, cover.rules)
    assert sight.lines and all(line.eye and line.end for line in sight.lines)
    for line in sight.lines:
        assert line.kind != BLOCKED or line.reasons or not sight.visible
        assert all(reason.text and known(game, [reason.rule]) for reason in line.reasons)
    assert sight.best() in sight.lines


def test_distance_has_two_points_and_tells_of_weapons(game: Game) -> None:
    one, other = pair(game)
    there, back = field(game).distance(game.state, one, other), field(game).distance(game.state, other, one)
    assert there.length >= 0 and there.start is not None and there.end is not None and known(game, there.rules)
    assert {"weapon", "range", "reaches"} <= set(there.weapons[0]) and back.weapons


def test_arcs_bearings_and_weapons_answer_for_every_unit(game: Game) -> None:
    for unit in field(game).units(game.state):
        if not unit.on_table:
            continue
        for arc in field(game).arcs(game.state, unit.id):
            assert arc.weapon and arc.range > 0 and known(game, arc.rules)
    one, other = pair(game)
    bearing = field(game).bearing(game.state, one, other)
    assert isinstance(bearing.inside, bool) and bearing.arc and known(game, bearing.rules)
    for use in field(game).weapons(game.play, one, other):
        assert use.weapon and known(game, [use.rule]) and (use.usable or use.reason)


def test_reach_and_terrain_answer_for_every_unit(game: Game) -> None:
    for unit in field(game).units(game.state):
        effects = field(game).terrain(game.state, unit.id)
        assert all(effect.kind and effect.text and known(game, effect.rules) for effect in effects)
    one, _ = pair(game)
    for how in field(game).ways:
        try:
            reach = field(game).reach(game.play, one, how)
        except NoAnswer:  # inside a building
            continue
        assert reach.how == how and reach.budget >= 0 and known(game, reach.rules)


def test_places_are_asked_about_like_units(game: Game) -> None:
    one, _ = pair(game)
    place = At("C3") if game.rules.table == "squares" else At((300, 300))
    assert field(game).distance(game.state, one, place).length >= 0
    assert isinstance(field(game).sight(game.play, one, place).visible, bool)
    assert field(game).terrain_at(game.state, place).text


def test_nobody_answers_for_units_that_are_not_there(game: Game) -> None:
    one, _ = pair(game)
    with pytest.raises(NoAnswer, match="there is no unit 'nobody'"):
        field(game).sight(game.play, one, "nobody")
    with pytest.raises(NoAnswer, match=r"no movement|nobody moves"):
        field(game).reach(game.play, one, "teleport")
    with pytest.raises(NoAnswer, match="has no weapon 'trebuchet'"):
        field(game).bearing(game.state, one, one, "trebuchet")


def test_the_line_to_draw_is_what_the_whole_comes_to() -> None:
    clear = SightLine(kind="clear", eye="A1", end="B1")
    hidden = SightLine(kind="blocked", eye="A1", end="C1", reasons=[Reason(text="a wall", rule="x.wall", blocks=True)])
    names = {"viewer": "a", "target": "b", "viewer_name": "A", "target_name": "B", "distance": 1}
    seen = Sight(visible=True, lines=[hidden, clear], **names)  # type: ignore[arg-type]
    assert seen.best() is clear and seen.reason() is None and seen.kind == "clear"
    blind = Sight(visible=False, lines=[clear, hidden], **names)  # type: ignore[arg-type]
    assert blind.best() is hidden and blind.reason().rule == "x.wall"  # type: ignore[union-attr]
    weather = Reason(text="fog", rule="x.fog", blocks=True)
    assert Sight(visible=False, lines=[clear], because=[weather], **names).reason() is weather  # type: ignore[arg-type]
