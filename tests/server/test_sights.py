"""What a unit sees, as the board draws it: the same as the ground that play asks, with the obstacle and its reason."""

from __future__ import annotations

import random
from math import hypot
from pathlib import Path
from typing import Any

import msgspec
import pytest
from shapely.geometry import Point, Polygon

from dieselfront import players, rulesets
from dieselfront.kernel.decisions import Assign, PlaceFree
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import load, new_game, replay
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.scenarios import battle, library
from dieselfront.server import forecasts, jobs, shapes, sight_lines
from dieselfront.server.thinkers import Position
from server.kit import Server, some_answer
from server.test_types import fits

GOLDEN = Path(__file__).parent.parent / "golden"


def played(ruleset: str, choices: int, scenario: str = "", seed: str = "sight") -> Game:
    """A game after some choices by chance."""
    board = library.find(scenario or library.names(ruleset)[0], ruleset)
    forces = [battle.army(one, ruleset) for one in battle.starters(ruleset)[:2]]
    header = battle.header(ruleset, board, forces, seed=seed, seats=["Ann", "Bob"], options={}, salt="")
    game = new_game(rulesets.load(ruleset), header, seed)
    player = players.make("random", seed, ruleset)
    while game.pending is not None and len(game.choices) < choices:
        game.choose(player.choose(game))
    return game


def standing(game: Game) -> list[dict[str, Any]]:
    return [unit for unit in game.rules.view(game.state)["units"] if unit["status"] in ("board", "table")]


def test_lines_on_the_open_table_see_what_the_ground_sees() -> None:
    game = played("freeform1947", 60)
    state, rules = game.state, game.rules
    kinds = set()
    for unit in standing(game):
        for line in sight_lines.lines(game, unit["id"]):
            fits(shapes.SightLine, line)
            one, other = state.by_id[unit["id"]], state.by_id[line["to"]]
            assert (line["kind"] != "blocked") == rules.ground.sees(state, one, other)
            kinds.add(line["kind"])
    assert len(kinds) >= 2


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_lines_on_squares_see_what_the_ground_sees(seed: str) -> None:
    game = played("dust1947", 90, "crossroads", seed)
    state, rules = game.state, game.rules
    kinds = set()
    for unit in standing(game):
        for line in sight_lines.lines(game, unit["id"]):
            one, other = state.by_id[unit["id"]], state.by_id[line["to"]]
            assert (line["kind"] != "blocked") == rules.ground.sees(state, one, other)
            fits(shapes.SightLine, line)
            kinds.add(line["kind"])
            if line["kind"] != "clear":
                assert line["reason"] and line["rule"].startswith("d47.")
    assert {"clear", "blocked"} <= kinds


def test_lines_on_measured_tables_see_what_the_ground_sees() -> None:
    game = played("konflikt47", 60)
    state = game.state
    kinds = set()
    for unit in standing(game):
        for line in sight_lines.lines(game, unit["id"]):
            fits(shapes.SightLine, line)
            seen = ground.sees(state, state.unit(unit["id"]), state.unit(line["to"]))
            assert (line["kind"] != "blocked") == seen
            kinds.add(line["kind"])
            if line["kind"] == "blocked":
                assert line["at"] is not None and line["reason"]
    assert "clear" in kinds and len(kinds) >= 2


@pytest.mark.parametrize(("ruleset", "choices"), [("dust1947", 60), ("freeform1947", 60), ("konflikt47", 60)])
def test_everything_worth_drawing_fits_its_shape(ruleset: str, choices: int) -> None:
    game = played(ruleset, choices)
    for unit in standing(game):
        fits(shapes.Sights, {"version": 1, **sight_lines.sights(game, unit["id"])})


def test_a_fixed_gun_bears_only_before_its_vehicle() -> None:
    game = played("dust1947", 60, "crossroads")
    for unit in standing(game):
        place = game.state.by_id[unit["id"]]
        for arc in sight_lines.arcs(game, unit["id"]):
            assert arc["name"] == "front arc"
            dx, dy = [(0, -1), (1, 0), (0, 1), (-1, 0)][place.facing]
            column, row = _place(unit["places"][0])
            for square in arc["outline"]:
                x, y = _place(square)
                assert (x - column) * dx + (y - row) * dy >= 0
    assert any(sight_lines.arcs(game, unit["id"]) for unit in standing(game))


def _place(name: str) -> tuple[int, int]:
    name = name.partition("+")[0]
    return ord(name[0]), int(name[1:])


def test_the_arc_of_a_fixed_weapon_ends_at_its_range() -> None:
    game = played("konflikt47", 60)
    found = [arc for unit in standing(game) for arc in sight_lines.arcs(game, unit["id"]) if arc["outline"]]
    assert found
    for arc in found:
        x, y = arc["at"]
        far = max(((px - x) ** 2 + (py - y) ** 2) ** 0.5 for px, py in arc["outline"])
        assert arc["range"] * 25.4 * 0.98 <= far <= arc["range"] * 25.4 + 120


def test_terrain_says_what_it_does_to_this_unit() -> None:
    game = played("dust1947", 60, "crossroads")
    told: dict[tuple[str, str], dict[str, Any]] = {}
    for unit in standing(game):
        for effect in sight_lines.effects(game, unit["id"]):
            told.setdefault((effect["kind"], unit["kind"]), effect)
    assert told["tank_trap", "vehicle"]["text"].startswith("it may not enter")
    assert told["tank_trap", "infantry"]["text"].startswith("it may enter")
    assert "blocks sight" in told["trees", "infantry"]["text"]
    assert "d47.attack.los.trees_block" in told["trees", "infantry"]["rules"]


def test_troops_reach_ground_round_themselves() -> None:
    game = played("konflikt47", 60)
    rings = {unit["id"]: sight_lines.reach(game, unit["id"]) for unit in standing(game)}
    assert any(rings.values())
    for unit in standing(game):
        for ring in rings[unit["id"]][:1]:
            xs = [x for x, _ in ring]
            assert min(xs) <= unit["models"][0]["x"] <= max(xs)


@pytest.mark.parametrize("ruleset", ["konflikt47", "warfare", "battlefield", "freeform1947"])
def test_the_ground_in_reach_comes_with_what_it_costs(ruleset: str) -> None:
    game = played(ruleset, 60)
    grids = {unit["id"]: sight_lines.costs(game, unit["id"]) for unit in standing(game)}
    assert sum(grid is not None for grid in grids.values()) >= 3
    for id, grid in grids.items():
        assert (grid is None) <= (not sight_lines.reach(game, id)) or ruleset == "warfare"
        if grid is not None:
            fits(shapes.CostGrid, grid)
            assert len(msgspec.json.encode(grid)) < 4600
            assert "0" in grid["cells"] and grid["limit"] > 0


def test_a_preview_of_a_place_looks_round_from_there(server: Server) -> None:
    table = server.begin()
    shown = table.play(200, seed=4, until=lambda now: now["turn"] > 0 and now["decision"]["shape"] == "place")
    decision = shown["decision"]
    seen = 0
    for spot in decision["spots"][:6]:
        wish = {"decision": shown["version"], "answer": [spot["spot"], spot["facings"][0]]}
        told = server.post(f"{table.path}/preview", wish, table.both).json()
        for line in told["sight"]:
            assert line["unit"] == decision["unit"]
            seen += line["start"] == spot["label"]
    assert seen


def test_a_declaration_shows_the_templates_it_lays() -> None:
    laid: list[dict[str, Any]] = []
    for seed in ("a", "b", "c", "d"):
        game = played("freeform1947", 0, seed=seed)
        player = players.make("random", seed, "freeform1947")
        while game.pending is not None and len(game.choices) < 150 and not laid:
            decision = game.pending
            if isinstance(decision, Assign) and decision.key == "declare":
                for place, aims in enumerate(decision.choices):
                    for aim in aims:
                        if aim is not None and any(word in aim for word in ("blast", "flame", "area")):
                            answer = [None] * len(decision.items)
                            answer[place] = aim
                            laid = laid or forecasts.preview(game.copy(), answer, (0, 1))["templates"]
            game.choose(player.choose(game))
    assert laid
    for template in laid:
        fits(shapes.TemplateView, template)
        assert template["radius"] > 0 or template["start"] is not None or template["outline"]


def test_nothing_is_seen_before_a_unit_is_placed() -> None:
    game = played("dust1947", 0)
    player = players.make("random", "1", "dust1947")
    answer = player.choose(game)
    assert forecasts.preview(game.copy(), answer, (0, 1))["sight"] == []


def test_anybody_at_the_table_may_ask_what_a_unit_sees(server: Server) -> None:
    table = server.begin()
    shown = table.play(40, seed=2, until=lambda now: now["turn"] > 0)
    unit = next(one["id"] for one in shown["view"]["units"] if one["status"] == "board")
    first = server.get(f"{table.path}/sight", table.spectator, unit=unit)
    fits(shapes.Sights, first.json())
    assert first.json()["version"] == shown["version"]
    assert server.get(f"{table.path}/sight", table.spectator, unit=unit).content == first.content
    assert server.get(f"{table.path}/sight", unit=unit).status_code == 403
    unknown = server.get(f"{table.path}/sight", table.both, unit="nobody")
    assert unknown.status_code == 404 and "no unit 'nobody'" in unknown.json()["reason"]
    table.choose(some_answer(shown["decision"], random.Random(1)), shown["version"])
    later = server.get(f"{table.path}/sight", table.both, unit=unit)
    assert later.json()["version"] == shown["version"] + 1


MEASURED = ("freeform1947", "battlefield", "warfare", "konflikt47")


def position_of(game: Game) -> Position:
    return Position("sights", msgspec.json.encode(game.header), None, tuple(game.choices), None)


def stands_at(unit: dict[str, Any], place: Any) -> bool:
    """Is a place that of one of its models, or on its hull?"""
    if isinstance(place, str):
        return place in unit["places"]
    hull = unit.get("hull")
    half = hypot(hull["length"], hull["width"]) / 2 if hull else 0
    spots = [(hull, half)] if hull else [(one, one["base"] / 2) for one in unit["models"]]
    return any(hypot(one["x"] - place[0], one["y"] - place[1]) <= far + 2 for one, far in spots)


@pytest.mark.parametrize("ruleset", ["dust1947", *MEASURED])
def test_a_unit_looks_from_where_it_stands_in_the_middle_of_its_activation(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy of a game stands at the last quiet moment until it is asked: it must be."""
    game = played(ruleset, 0)
    player = players.make("random", "middle", ruleset)
    monkeypatch.setattr(jobs, "standing_at", lambda position: game)
    for _ in range(160):
        decision = game.pending
        if decision is None:
            break
        shown = {unit["id"]: unit for unit in standing(game)}.get(decision.unit)
        if shown and not game.quiet and game.state.turn and not shown.get("building"):
            looked = msgspec.json.decode(jobs.sight(position_of(game), 1, decision.unit))
            for line in looked["lines"]:
                assert stands_at(shown, line["start"]), f"{shown['name']} looks from {line['start']}"
        game.choose(player.choose(game))


@pytest.mark.parametrize("ruleset", MEASURED)
def test_a_line_comes_with_a_ruler_and_every_model_of_the_target(ruleset: str) -> None:
    game = played(ruleset, 70)
    rulers = 0
    for unit in standing(game)[:6]:
        for line in sight_lines.lines(game, unit["id"]):
            fits(shapes.SightLine, line)
            ruler = line["ruler"]
            tenths = getattr(game.rules.field, "unit_tenths", 254)
            drawn = hypot(ruler["start"][0] - ruler["end"][0], ruler["start"][1] - ruler["end"][1]) * 10 / tenths
            assert abs(drawn - ruler["length"]) < 0.35, line
            assert line["models"] and all(one["kind"] in ("clear", "cover", "blocked") for one in line["models"])
            rulers += 1
    assert rulers


@pytest.mark.parametrize("ruleset", MEASURED)
def test_a_preview_of_a_move_shows_the_way_its_length_and_the_models_at_its_end(ruleset: str) -> None:
    game = played(ruleset, 0)
    player = players.make("random", "ways", ruleset)
    traced = 0
    while game.pending is not None and len(game.choices) < 120 and traced < 3:
        decision = game.pending
        if isinstance(decision, PlaceFree) and game.state.turn:
            answer = next((spot for spot in decision.region.spots() if spot), None)
            route = sight_lines.route(game, decision, answer) if answer else None
            if route and route["way"]:
                fits(shapes.RouteView, route)
                assert 0 <= route["length"] <= route["limit"] + 0.1 and route["bodies"]
                traced += 1
        game.choose(player.choose(game))
    assert traced


def test_the_mark_stands_at_the_obstacle_that_is_named() -> None:
    kept = load((GOLDEN / "freeform1947-the-mill.json").read_bytes())
    game = replay(rulesets.load("freeform1947"), kept, upto=40)
    terrain = game.rules.view(game.state)["table"]["terrain"]
    marked = 0
    for unit in standing(game):
        for line in sight_lines.lines(game, unit["id"]):
            named = [piece for piece in terrain if line["at"] and line["reason"].endswith(piece["name"])]
            if not named:
                continue
            marked += 1
            assert min(Polygon(piece["outline"]).distance(Point(line["at"])) for piece in named) < 30, line
    assert marked > 5
