"""`dieselfront odds` and `dieselfront bench` as a user calls them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from dieselfront import cli
from dieselfront.lab import bench

MINE, THEIRS = "allies-ranger-recon-squad", "axis-grenadier-recon-squad"


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command in this process: exit code, stdout, stderr."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dieselfront", *words])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        shown = capsys.readouterr()
        return int(stop.value.code or 0), shown.out, shown.err

    return run


def test_odds_between_two_cards_are_shown_with_bars_and_rules(ask: Any) -> None:
    code, out, _ = ask("odds", MINE, THEIRS, "--cover")
    assert code == 0
    assert "█" in out and "Destroyed:" in out and "d47.weapon.grenade" in out and "What if" in out


def test_odds_as_json_have_the_promised_keys(ask: Any) -> None:
    code, out, _ = ask("odds", MINE, THEIRS, "--json", "--no-what-if")
    document = json.loads(out)
    assert code == 0
    assert set(document) >= {"hits", "losses", "destroyed", "expected", "steps", "rules"}
    assert sum(document["losses"].values()) == pytest.approx(1.0)


def test_what_if_lines_change_one_thing_at_a_time(ask: Any) -> None:
    _, out, _ = ask("odds", MINE, THEIRS, "--json")
    document = json.loads(out)
    others = {line["what_if"]: line["expected"]["losses"] for line in document["what_if"]}
    assert others["target in cover"] < document["expected"]["losses"] < others["sustained"]
    assert others["after one more turn"] > document["expected"]["losses"]


def test_a_plot_is_written(ask: Any, tmp_path: Path) -> None:
    code, _, _ = ask("odds", MINE, THEIRS, "--no-what-if", "--plot", str(tmp_path / "odds.svg"))
    assert code == 0
    assert (tmp_path / "odds.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    "words, complaint",
    [
        (("ranger", THEIRS), "fits"),
        (("allies-ranger-recon-squat", THEIRS), "did you mean allies-ranger-recon-squad"),
        ((MINE, THEIRS, "--range", "80"), "range"),
        ((MINE, THEIRS, "--token", "sleepy"), "no token 'sleepy'"),
        ((MINE, THEIRS, "--casualties", "all"), "cheapest or leader or hero"),
        ((MINE, THEIRS, "--ruleset", "chess"), "not for chess"),
    ],
)
def test_mistakes_get_one_sentence_and_exit_2(ask: Any, words: tuple[str, ...], complaint: str) -> None:
    code, out, err = ask("odds", *words)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_a_matrix_is_shown_and_printed(ask: Any) -> None:
    code, out, _ = ask("odds", "matrix", f"{MINE},allies-pounder", "axis", "--limit", "3", "--show", "kill")
    assert code == 0 and "Chance to destroy" in out and "Pounder" in out
    _, out, _ = ask("odds", "matrix", MINE, THEIRS, "--json")
    assert len(json.loads(out)["cells"]) == 1


def test_two_targets_are_told_apart_and_together(ask: Any) -> None:
    words = ("odds", "allies-pounder", THEIRS, "--range", "4", "--also", "axis-luther", "--no-what-if")
    code, out, _ = ask(*words, "--aim", "Antitank Gun=axis-luther")
    assert code == 0 and "Antitank Gun at Luther" in out and "all targets destroyed" in out
    code, _, err = ask(*words, "--aim", "Antitank Gun")
    assert code == 2 and "--aim is WEAPON=CARD" in err


def test_a_skill_that_was_kept_gets_a_line(ask: Any) -> None:
    _, out, _ = ask("odds", "axis-manfred", MINE, "--json")
    assert "using Fighting Spirit" in [line["what_if"] for line in json.loads(out)["what_if"]]


def test_the_open_table_has_its_odds_too(ask: Any) -> None:
    code, out, _ = ask("odds", MINE, THEIRS, "--ruleset", "freeform1947", "--no-what-if", "--json")
    assert code == 0 and json.loads(out)["destroyed"] > 0.0


# -- Konflikt '47 -------------------------------------------------------------------------------------------------

GUN, TANK, SQUAD = "germany-75mm-pak-40", "united-states-m24-chaffee", "united-states-airborne-infantry-squad"


def test_the_ruleset_follows_from_the_cards(ask: Any) -> None:
    code, out, _ = ask("odds", GUN, TANK, "--facing", "side", "--cover", "--pins", "1")
    assert code == 0
    assert "75mm Pak 40 attacks M24 Chaffee" in out and "soft cover" in out and "k47.shoot.cover" in out
    assert "massive damage" in out and "What if" in out and "at its rear" in out


def test_konflikt_47_prints_the_same_keys(ask: Any) -> None:
    code, out, _ = ask("odds", GUN, SQUAD, "--json", "--range", "20")
    document = json.loads(out)
    assert code == 0
    assert set(document) >= {"hits", "losses", "destroyed", "expected", "steps", "rules", "pins", "chances", "what_if"}
    assert sum(document["losses"].values()) == pytest.approx(1.0)
    others = {line["what_if"]: line["expected"]["losses"] for line in document["what_if"]}
    assert others["target in hard cover"] < others["target in soft cover"] < document["expected"]["losses"]


def test_an_assault_tells_both_sides_and_draws_them(ask: Any, tmp_path: Path) -> None:
    squad = "germany-waffen-ss-shocktrooper-squad"
    file = tmp_path / "odds.svg"
    code, out, _ = ask("odds", squad, SQUAD, "--close", "--reaction", "--no-what-if", "--plot", str(file))
    assert code == 0 and "meanwhile" in out and "reacts" in out.lower()
    assert file.read_text(encoding="utf-8").startswith("<svg")


def test_a_matrix_of_nations(ask: Any) -> None:
    code, out, _ = ask("odds", "matrix", "germany", f"{TANK},{SQUAD}", "--limit", "8", "--json")
    document = json.loads(out)
    assert code == 0 and len(document["rows"]) == 8 and len(document["columns"]) == 2
    assert any(cell for row in document["cells"] for cell in row)


@pytest.mark.parametrize(
    "words, complaint",
    [
        ((GUN, TANK, "--sustained"), "--sustained means nothing in Konflikt '47"),
        ((MINE, THEIRS, "--pins", "2"), "--pins means nothing in the Dust games"),
        ((GUN, TANK, "--facing", "top"), "front or side or rear"),
        ((GUN, SQUAD, "--quality", "inexperienced"), "comes as"),
        ((GUN, SQUAD, "--range", "90"), "out of range"),
    ],
)
def test_mistakes_in_konflikt_47_get_one_sentence_too(ask: Any, words: tuple[str, ...], complaint: str) -> None:
    code, out, err = ask("odds", *words)
    assert (code, out) == (2, "")
    assert complaint in err and err.count("\n") == 1


def test_the_luck_of_a_game_of_konflikt_47_is_told(ask: Any) -> None:
    record = Path(__file__).parent.parent / "golden" / "konflikt47-crossroads.json"
    code, out, _ = ask("odds", "luck", str(record), "--json")
    document = json.loads(out)
    assert code == 0 and document["sides"][0]["numbers"]["throws"] and document["neutral"]


def test_luck_of_something_that_is_no_record_is_refused(ask: Any, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("{}", encoding="utf-8")
    code, _, err = ask("odds", "luck", str(tmp_path / "game.json"))
    assert code == 2 and "is not a game record" in err


# -- bench --------------------------------------------------------------------------------------------------


def test_bench_measures_both_sides_in_turn() -> None:
    calls: list[str] = []

    def side(name: str, units: int) -> bench.Work:
        def work() -> int:
            calls.append(name)
            return units

        return work

    entry = bench.Entry("toy", "steps/s", "a toy", lambda: (side("ours", 4), side("peer", 1)), goal=0.001)
    measured = bench.measure(entry, seconds=0.02, slices=2)
    assert [name for place, name in enumerate(calls) if place == 0 or calls[place - 1] != name] == ["ours", "peer"] * 2
    assert measured.met is True
    assert set(measured.to_json()) >= {"ours", "peer", "ratio", "unit"}


def test_every_bench_entry_has_a_name_of_its_own() -> None:
    names = [entry.name for entry in bench.entries()]
    assert len(set(names)) == len(names)
    assert {"odds.plan", "odds.cards", "odds.batch", "odds.matrix"} <= set(names)


def test_the_reference_attack_of_the_bench_is_the_reference_attack() -> None:
    pytest.importorskip("icepool")
    from dieselfront.lab.benches import odds as entries

    plan = entries.reference().plan()
    assert (plan.dice, plan.capacity, len(plan.hit.rerolls), bool(plan.hit.chain)) == (12, 5, 1, True)
    entries.check(entries.icepool_losses())


def test_bench_as_json_has_the_promised_keys(ask: Any) -> None:
    pytest.importorskip("icepool")
    code, out, _ = ask("bench", "odds.plan", "--seconds", "0.1", "--slices", "1", "--json")
    assert code == 0
    assert set(json.loads(out)["odds.plan"]) >= {"ours", "peer", "ratio", "unit"}
    code, _, err = ask("bench", "nothing")
    assert code == 2 and "odds.plan" in err
