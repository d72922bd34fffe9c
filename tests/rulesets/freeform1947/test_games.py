"""Whole games on the open table: invariants, repeats, records, scenarios and sizes."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import shapely

from dieselfront import rulebook, rulesets
from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.record import digest, dump, load, record, replay
from dieselfront.lab.invariants import play_watched
from dieselfront.lab.simulate import Matches, simulate
from dieselfront.players import weights
from dieselfront.rulesets.dust1947.adviser.adviser import adviser
from dieselfront.rulesets.dust1947.scenario import ScenarioError
from dieselfront.rulesets.dust_open import scenario as open_scenario
from dieselfront.rulesets.dust_open.places import at
from dieselfront.rulesets.dust_open.scenario import read
from dieselfront.rulesets.dust_open.sizes import SizeError, entries, size_of
from dieselfront.rulesets.freeform1947 import scenario as freeform_scenario
from dieselfront.rulesets.freeform1947.convert import converted
from dieselfront.scenarios import battle, library
from rulesets.dust1947.table import RED, aircraft, hero, squad, support, vehicle, weapon
from rulesets.freeform1947.field import Field

RULES = rulesets.load("freeform1947")
ROOT = Path(__file__).resolve().parents[3]
SCENARIOS = library.names("freeform1947")
CONVERTED = [name for name in SCENARIOS if "converted_from" in library.find(name, "freeform1947")]


def game(scenario: str, seed: str, armies: tuple[str, str] = ("freeform1947-allies", "freeform1947-ssu")):
    return battle.start(battle.header("freeform1947", scenario, list(armies), seed=seed), seed)


@pytest.mark.rule("ff.move.no_overlap", "ff.move.circle", "ff.move.leader_model")
@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
def test_random_games_keep_bases_apart_squads_together_and_one_leader_each(number: int):
    """Checked after every event and choice, with copies, refusals and the record."""
    watched = game(SCENARIOS[number], str(number), (f"random:{number + 7}", f"random:{number + 70}"))
    assert play_watched(watched, Random(number)) > 50


@pytest.mark.slow
def test_the_same_seed_plays_the_same_games():
    one = simulate(Matches("freeform1947", games=1, seed="5"))
    other = simulate(Matches("freeform1947", games=1, seed="5"))
    assert one.digest == other.digest


@pytest.mark.slow
def test_another_hash_seed_changes_nothing():
    script = (
        "from dieselfront.lab.simulate import Matches, simulate;"
        "print(simulate(Matches('freeform1947', games=1, seed='6')).digest)"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]


def test_a_record_replays_to_the_same_game():
    played = game("dunes", "9")
    chance = Random(9)
    while (decision := played.pending) is not None:
        played.choose(decision.sample(chance))
    assert digest(replay(RULES, load(dump(record(played))))) == digest(played)


# -- scenarios ----------------------------------------------------------------------------------------------


def tool(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_four_scenarios_are_converted_and_two_made_for_the_open_table():
    plain = [library.find(name, "freeform1947") for name in SCENARIOS]
    assert sum("converted_from" in one for one in plain) >= 4
    assert sum("converted_from" not in one for one in plain) >= 2


@pytest.mark.rule("ff.scope.convert")
@pytest.mark.parametrize("name", CONVERTED)
def test_converted_scenarios_are_what_the_rule_of_conversion_makes_of_them(name: str):
    """If this fails, a scenario on squares changed: run tools/freeform_scenarios.py."""
    told = (ROOT / "src/dieselfront/rulesets/freeform1947/scenarios" / f"{name}.yaml").read_text("utf-8")
    assert told == tool("freeform_scenarios").text(name)
    made, squared = library.find(name, "freeform1947"), tool("freeform_scenarios").squared(name)
    assert {key: value for key, value in made.items() if key != "terrain"} == {
        key: value for key, value in squared.items() if key != "terrain"
    }


@pytest.mark.rule("ff.scope.convert")
@pytest.mark.parametrize("name", CONVERTED)
def test_a_scene_keeps_the_kind_place_and_size_of_what_stood_on_the_squares(name: str):
    """Outlines are drawn anew, the battle stays: each kind covers about the same ground as its squares did."""
    squared = tool("freeform_scenarios").squared(name)
    drawn, blocks = _land(library.find(name, "freeform1947")), _land(squared)
    assert drawn.keys() == blocks.keys()
    for kind, block in blocks.items():
        common, size = drawn[kind].intersection(block).area, block.area
        if kind not in ("low_wall", "wall"):  # too thin to lie on itself once it bends
            least = 0.7 if size < 10_000 else 0.8  # crates and wrecks are turned a little
            assert common >= least * size, f"{kind}: only {common / size:.0%} of it lie where it lay"
        if kind != "road":  # a road goes on to the edge of the table
            assert drawn[kind].area == pytest.approx(size, rel=0.16), kind
    ids = [piece.get("id") or number for number, piece in enumerate(library.find(name, "freeform1947")["terrain"])]
    assert len(set(ids)) == len(ids)


def _land(plain: dict[str, Any]) -> dict[str, Any]:
    """The ground that each kind of terrain covers (mm)."""
    land = open_scenario.land_of(freeform_scenario.read(plain), RULES.kinds)
    parts: dict[str, list[Any]] = {}
    for piece in land.pieces:
        parts.setdefault(piece.kind.id, []).extend(shapely.Polygon(part.polygon) for part in piece.parts)
    return {kind: shapely.transform(shapely.union_all(each), lambda at: at / 10) for kind, each in parts.items()}


@pytest.mark.rule("ff.scope.convert")
def test_a_square_becomes_four_inches():
    made = converted(library.find("crossroads", "dust1947"), rulesets.load("dust1947").terrain)
    assert made["size"] == [48, 36]
    assert made["deploy"][0]["boxes"] == [[0, 28, 48, 8]]  # two rows: a strip of 8"
    assert {"kind": "trees", "at": [4, 20], "size": [8, 8]} in made["terrain"]
    assert made["objectives"][0] == {"name": "the crossroads", "at": [[22, 18]], "points": 10}
    assert read(made).turns == 8


@pytest.mark.parametrize(
    "change, told",
    [
        ({"terrain": [{"kind": "treez", "at": [1, 1], "size": [1, 1]}]}, "there is no terrain 'treez'"),
        ({"terrain": [{"kind": "trees"}]}, "expected `at` and `size`"),
        ({"deploy": []}, "expected 2 deployment areas"),
        ({"goal": {"hold": ["nothing"]}}, "which is none of its objectives"),
        ({"size": [500, 40]}, "too big or too small"),
        ({"colour": "red"}, "colour"),
        ({"deploy": [{"boxes": [[0, 0, 4, 4]]}, {"boxes": [[200, 0, 4, 4]]}]}, "lies off the table"),
    ],
)
def test_a_scenario_that_cannot_be_set_up_is_refused_with_a_sentence(change: dict[str, Any], told: str):
    plain = library.find("dunes", "freeform1947") | change
    with pytest.raises(ScenarioError, match=told.replace("`", ".")):
        RULES.read_scenario(plain, "mine.yaml")


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_random_boards_are_those_of_squares_converted(seed: str):
    made = library.find(f"random:{seed}", "freeform1947")
    assert made["ruleset"] == "freeform1947"
    assert made["terrain"]
    assert made == library.find(f"random:{seed}", "freeform1947")


@pytest.mark.slow
def test_no_event_names_a_rule_that_freeform_replaces():
    replaced = rulebook.head("freeform1947").superseded
    played = game("the-mill", "3")
    chance = Random(3)
    while (decision := played.pending) is not None:
        assert decision.rule not in replaced, decision.key
        played.choose(decision.sample(chance))
    assert {event.rule for event in played.events} & set(replaced) == set()


# -- sizes ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ff.range.target_point")
def test_bases_and_hulls_go_by_the_kind_of_unit():
    assert size_of(squad(men=1)).base == 25
    assert size_of(squad(men=1, armour=3)).base == 35
    assert size_of(hero()).base == 25
    assert size_of(support(weapon())).base == 80
    assert size_of(aircraft()).base == 60
    assert size_of(vehicle(size="huge")).hull == (160, 170)
    assert entries()


def test_every_card_of_the_catalogue_has_a_size():
    from dieselfront.forces import dust_catalogue

    for card in dust_catalogue():
        assert size_of(card).shape().height > 0


def test_a_scenario_may_give_a_card_another_base():
    data = library.find("dunes", "freeform1947") | {"bases": {"allies-ranger-recon-squad": {"base": 40, "height": 30}}}
    header = battle.header("freeform1947", data, ["freeform1947-allies", "freeform1947-axis"], seed="1")
    state = RULES.new_state(header)
    assert state.table.shapes["allies-ranger-recon-squad"].width == 40
    assert state.table.shapes["allies-ranger-weapon-squad"].width == 25


def test_homebrew_sizes_go_with_the_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIESELFRONT_HOME", str(tmp_path))
    (tmp_path / "freeform1947-sizes.yaml").write_text("allies-pounder: {hull: [90, 110], height: 90}\n")
    header = battle.header("freeform1947", "dunes", ["freeform1947-allies", "freeform1947-axis"], seed="1")
    state = RULES.new_state(header)
    assert (state.table.shapes["allies-pounder"].width, state.table.shapes["allies-pounder"].length) == (90, 110)
    (tmp_path / "freeform1947-sizes.yaml").write_text("allies-pounder: {height: 90}\n")
    with pytest.raises(SizeError, match="neither a base nor a hull"):
        battle.header("freeform1947", "dunes", ["freeform1947-allies", "freeform1947-axis"], seed="1")


# -- for screens ---------------------------------------------------------------------------------------------------


def test_the_view_has_the_shape_of_measured_tables():
    field = Field(objectives={"the well": (500, 500)})
    field.put(squad(weapon(), men=3), (300, 300))
    field.put(vehicle(weapon()), (600, 300), heading=90)
    shown = RULES.view(field.state)
    assert shown["table"]["kind"] == "measured"
    rifles, tank = shown["units"]
    assert (rifles["models"][0]["x"], rifles["models"][0]["y"]) == (300, 300)
    assert len(rifles["models"]) == 3
    assert tank["hull"] == {"x": 600, "y": 300, "heading": 90, "length": 70, "width": 70}
    assert shown["objectives"][0]["spots"] == [[500, 500]]


def test_the_log_speaks_of_leaders_and_inches():
    field = Field()
    unit = field.put(squad(weapon(), men=3, name="Rifles"), (300, 300))
    played = field.activate(unit, "move", move=(300, 250))
    names = RULES.names(field.state)
    assert [event.sentence(names) for event in played.moves] == ['Rifles moves to 30/25 cm for 2.0"']


# -- a variant says only what differs ----------------------------------------------------------------------------------


def test_the_table_of_overrides_is_the_one_the_code_tells():
    """If this fails, run tools/overrides.py."""
    told = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert tool("overrides").page(told) == told


@pytest.mark.rule("ff.scope.unchanged")
def test_a_variant_replaces_chapters_and_not_the_ruleset():
    replaced = {name for name, base, _, _ in tool("overrides").overrides("freeform1947") if base}
    assert {"ground", "movement", "attacks", "damage"} <= replaced
    assert not {"turn", "saves", "victory", "suppression", "weather", "smoke", "close_combat", "heights"} & replaced


def test_the_computer_turns_to_the_enemy_it_reacts_to():
    """Options of a turn are headings here and stances on squares; the adviser of both reads both."""
    field = Field()
    tank = field.put(vehicle(weapon("Gun", "1/4", 8)), (600, 600))
    foe = field.put(squad(men=1), (900, 600), RED)
    field.state.interrupted = foe.id
    turn = PickOne(tank.side, "turn", [0, 45, 90, 180], unit=tank.id)
    game = SimpleNamespace(state=field.state, play=field.play, pending=turn)
    made = adviser(weights("freeform1947"))
    assert made._turn(game, turn, {}) == (90,)


@pytest.mark.rule("ff.move.circle")
def test_a_squad_that_loses_men_before_it_stands_on_the_table_takes_less_room():
    """Mines on the way of a squad that comes on: what was worked out for five men does not serve for four."""
    state = game(SCENARIOS[0], "1").state
    waiting = next(unit for unit in state.units if not unit.on_board and unit.models > 2)
    spot = at(state.table.width // 2, state.table.height // 2)
    before = RULES.ground.formation(state, waiting, spot, 0)
    waiting.parts[0].alive = waiting.parts[0].alive[1:]
    after = RULES.ground.formation(state, waiting, spot, 0)
    assert len(after) == len(before) - 1 and not isinstance(after, str)
