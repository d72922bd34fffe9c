"""A sixth game: its folder is all it takes. `examples/rulesets/outpost` follows docs/adding-a-ruleset.md literally.

The folder is copied to a place of its own and found through DIESELFRONT_RULESETS; everything runs in other processes,
as a user would run it, so that nothing of it can be left over in this one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "from dieselfront.cli import main; main()"]
GAME = ROOT / "examples" / "rulesets" / "outpost"

QUESTIONS = """
ruleset: outpost
scenario: {id: here, name: Here, width: 7, height: 7, turns: 4, woods: [C4], objectives: {hilltop: D4}}
forces:
- {name: Blue, cards: [{id: x, name: Rifles, men: 5, move: 2, range: 4, points: 10}]}
- {name: Red, cards: [{id: y, name: Guards, men: 5, move: 2, range: 4, points: 10}]}
do:
- {deploy: C6}
- {deploy: C2}
- {order: [move, C4]}
- {activate: b1}
- ask:
  - {sight: {from: b1, to: a1}}
  - {range: {from: a1, to: b1}}
  - {reach: {unit: b1}}
  - options
  - {odds: {target: a1}}
- {order: [fire, a1], dice: [4, 4, 1, 1, 1, 6, 1]}
"""

IN_PYTHON = """
import json, random
from dieselfront.odds import choices, oracle
from dieselfront.kernel.decisions import PickOne
from dieselfront.lab.watch import run
from dieselfront.scenarios import battle

chance, worst, asked = random.Random(5), 0.0, 0
for seed in "12345678":
    header = battle.header("outpost", "ridge", ["outpost-blue", "outpost-red"], seed=seed)
    game = battle.start(header, seed)
    while (decision := game.pending) is not None:
        for option in choices.of_options(game)[:1]:
            answer, target = option.answer, option.targets[0]
            men = game.state.unit(target.target).men

            def losses(dice):
                twin = game.copy(dice)
                twin.choose(answer)
                return men - twin.state.unit(target.target).men

            told, real = target.odds.losses, oracle.explore(losses, lump=True).chances
            asked += 1
            worst = max(worst, *(abs(told[n] - float(real.get(n, 0))) for n in range(len(told))))
        game.choose(decision.sample(chance))
watched = [one.number for one in run("outpost", games=3, seed="7")]
print(json.dumps({"asked": asked, "worst": worst, "watched": watched}))
"""


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the game's folder is found, far away from the program."""
    home = tmp_path_factory.mktemp("games")
    shutil.copytree(GAME, home / "outpost", ignore=shutil.ignore_patterns("__pycache__"))
    return {**os.environ, "DIESELFRONT_RULESETS": str(home), "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100"}


def dieselfront(env: dict[str, str], *arguments: str, typed: str = "") -> str:
    command = [*PROGRAM, *arguments]
    done = subprocess.run(command, env=env, input=typed, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_listed_with_its_rules_cards_and_scenarios(env):
    games = {game["id"]: game for game in json.loads(dieselfront(env, "rulesets", "--json"))}
    assert games["outpost"]["rules"] == 12 and games["outpost"]["table"] == "squares"
    coverage = json.loads(dieselfront(env, "rules", "coverage", "outpost", "--json"))["outpost"]
    assert coverage["implemented"] == 12 and coverage["missing"] == []
    cards = json.loads(dieselfront(env, "cards", "list", "-r", "outpost", "--json"))
    assert {"outpost-riflemen", "outpost-raiders"} <= {card["id"] for card in cards}
    schema = json.loads(dieselfront(env, "schema", "scenarios", "-r", "outpost"))
    assert "woods" in schema["$defs"]["Scenario"]["properties"]


def test_a_game_begun_as_the_page_says_is_played(env, tmp_path):
    """The lines of docs/adding-a-ruleset.md that copy the folder under a new name, carried out as they stand."""
    page = (ROOT / "docs" / "adding-a-ruleset.md").read_text("utf-8")
    (lines,) = (block for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if "sed -i" in block)
    shutil.copytree(GAME, tmp_path / "examples" / "rulesets" / "outpost", ignore=shutil.ignore_patterns("__pycache__"))
    program = tmp_path / "dieselfront"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from dieselfront.cli import main; main()" "$@"\n')
    program.chmod(0o755)
    own = {**env, "PATH": f"{tmp_path}:{env['PATH']}"}
    shown = subprocess.run(
        ["sh", "-e", "-c", lines], cwd=tmp_path, env=own, capture_output=True, text=True, timeout=120, check=False
    )
    assert shown.returncode == 0, shown.stdout + shown.stderr
    here = {**env, "DIESELFRONT_RULESETS": str(tmp_path / "games")}
    coverage = json.loads(dieselfront(here, "rules", "coverage", "frontier", "--json"))["frontier"]
    assert coverage["implemented"] == 12 and all(id.startswith("fr.") for id in coverage["untested"])
    assert "outpost" not in dieselfront(here, "rulesets", "--json")


def test_a_folder_that_calls_itself_otherwise_is_refused_in_a_sentence(env, tmp_path):
    shutil.copytree(GAME, tmp_path / "frontier", ignore=shutil.ignore_patterns("__pycache__"))
    here = {**env, "DIESELFRONT_RULESETS": str(tmp_path)}

    def refused(*arguments: str) -> str:
        done = subprocess.run(
            [*PROGRAM, *arguments], env=here, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 2, done.stdout + done.stderr
        return done.stderr

    assert "`ruleset` is 'outpost', but the folder is called 'frontier'" in refused("rulesets")
    book = tmp_path / "frontier" / "rulebook.yaml"
    book.write_text(book.read_text("utf-8").replace("ruleset: outpost", "ruleset: frontier"), "utf-8")
    for file in (tmp_path / "frontier").glob("*.py"):
        file.write_text(file.read_text("utf-8").replace("rulesets.outpost", "rulesets.frontier"), "utf-8")
    assert "The RULESET in the folder frontier calls itself 'outpost'" in refused("simulate", "-r", "frontier")


def test_it_is_played_in_the_terminal_and_its_record_is_replayed(env, tmp_path):
    record = tmp_path / "record.json"
    shown = dieselfront(
        env, "play", "-r", "outpost", "-s", "3", "--record", str(record), typed="?\nodds\n" + "\n" * 200
    )
    assert "Deployment" in shown and "to hit" in shown and "The battle is over." in shown
    verified = json.loads(dieselfront(env, "replay", "verify", str(record), "--json"))
    assert verified["ok"] and verified["turns"] >= 2
    page = tmp_path / "record.html"
    dieselfront(env, "replay", "html", str(record), "-o", str(page))
    assert "Red Garrison" in page.read_text()


def test_the_referee_answers_and_knows_its_odds(env, tmp_path):
    file = tmp_path / "questions.yaml"
    file.write_text(QUESTIONS)
    verdict = json.loads(dieselfront(env, "referee", str(file), "--json"))
    answers = {answer["ask"]: answer for answer in verdict["answers"]}
    assert answers["sight"]["visible"] and answers["sight"]["cover"]
    assert answers["range"]["range"] == 2
    assert answers["reach"]["squares"]["D4"] == 2
    assert answers["odds"]["expected"]["losses"] == pytest.approx(5 / 3)
    assert answers["odds"]["destroyed"] == pytest.approx((1 / 3) ** 5)
    assert {"op.fire.hit", "op.fire.cover"} <= set(answers["odds"]["rules"])
    assert verdict["events"][-1]["lost"] == 1


@pytest.mark.parametrize("level", ["regular", "veteran"])
def test_the_general_adviser_plays_it_well(env, level):
    told = json.loads(dieselfront(env, "simulate", "-r", "outpost", "-p", f"{level},random", "-n", "10", "--json"))
    assert told["wins"][level] >= 9


def test_its_odds_agree_with_the_oracle_and_its_games_are_watched(env):
    command = [sys.executable, "-c", IN_PYTHON]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["asked"] > 20 and told["worst"] < 1e-12
    assert told["watched"] == [0, 1, 2]


# -- the server ----------------------------------------------------------------------------------------------


@pytest.fixture
def server(env, tmp_path) -> Iterator[httpx.Client]:
    command = [*PROGRAM, "serve", "--port", "0", "-d", str(tmp_path / "games.sqlite3")]
    with subprocess.Popen([*command, "--thinkers", "0"], env=env, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        address = None
        for line in running.stdout:
            address = re.search(r"http://\S+", line)
            if address:
                break
        assert address, "the server did not tell its address"
        try:
            with httpx.Client(base_url=address[0].rstrip("/."), timeout=60.0) as client:
                yield client
        finally:
            running.terminate()


def ok(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


@pytest.mark.slow
def test_it_is_played_over_http(server):
    seats = [{"kind": "human", "name": "Ann"}, {"kind": "computer", "level": "regular"}]
    begun = ok(server.post("/api/games", json={"ruleset": "outpost", "seats": seats}))
    path, seat = f"/api/games/{begun['id']}", {"X-Seat": begun["seats"][0]["token"]}
    told: set[str] = set()
    for _ in range(60):
        shown = ok(server.get(path, headers=seat))
        if shown["over"]:
            break
        decision = shown["decision"]
        if decision is None or decision["player"] != 0:
            continue
        if decision["stakes"]:
            odds = ok(server.get(f"{path}/odds", headers=seat))
            told |= {one["target"] for one in odds["targets"]}
        about = [option["about"].get("act") for option in decision["options"]]
        best = decision["options"][about.index("attack") if "attack" in about else 0]
        chosen = {"decision": shown["version"], "answer": best["answer"]}
        ok(server.post(f"{path}/preview", json=chosen, headers=seat))
        ok(server.post(f"{path}/choices", json=chosen, headers=seat))
    assert shown["over"] and told
    assert {unit["kind"] for unit in shown["view"]["units"]} == {"infantry"}
