"""The frame of the command line: help, errors, JSON, and the commands about rules."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from typing import Any

import pytest
import typer

from dieselfront import cli
from dieselfront.cli.errors import UserError, print_json, unknown


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as a user runs it."""
    command = [sys.executable, "-c", "from dieselfront.cli import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    """The command in this process: exit code, stdout, stderr."""
    monkeypatch.setattr(sys, "argv", ["dieselfront", *words])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    shown = capsys.readouterr()
    return int(stop.value.code or 0), shown.out, shown.err


@pytest.fixture
def dieselfront(capsys, monkeypatch):
    return lambda *words: ask(capsys, monkeypatch, *words)


def test_help_lists_the_commands_and_loads_none_of_them():
    probe = "import sys; from dieselfront.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    probe += "print([m for m in sys.modules if m in ('rich', 'numpy', 'yaml', 'dieselfront.cli.rules')])"
    shown = subprocess.run(
        [sys.executable, "-c", probe, "--help"], capture_output=True, text=True, check=True, timeout=60
    )
    assert "rulesets" in shown.stdout and "rules" in shown.stdout
    assert shown.stdout.rstrip().endswith("[]")


def test_a_user_error_is_one_sentence_on_stderr_and_exit_2():
    shown = run("rules", "show", "d47.turn.pas")
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert shown.stderr.startswith("dieselfront: There is no rule 'd47.turn.pas'; did you mean d47.turn.pass")
    assert shown.stderr.count("\n") == 1


def test_an_unknown_command_suggests_the_nearest(dieselfront):
    code, out, err = dieselfront("rulset")
    assert (code, out) == (2, "")
    assert "did you mean rulesets" in err


@pytest.mark.parametrize("words", [("rules", "search"), ("rules", "show"), ("rules", "coverage", "--nonsense")])
def test_wrong_usage_exits_2_without_a_traceback(dieselfront, words):
    code, _, err = dieselfront(*words)
    assert code == 2
    assert "Traceback" not in err
    assert err


@pytest.mark.parametrize("words", [[name] for name in cli.available()] + [["rules", "show"], ["rules", "search"]])
def test_every_command_has_help_a_newcomer_can_follow(dieselfront, words):
    code, out, _ = dieselfront(*words, "--help")
    assert code == 0
    assert "Usage: dieselfront " + " ".join(words) in out
    assert len(out.splitlines()) >= 5


def test_the_version_is_printed(dieselfront):
    code, out, _ = dieselfront("--version")
    assert code == 0
    assert out.startswith("dieselfront ")


def test_rulesets_as_json_have_the_promised_keys(dieselfront):
    code, out, err = dieselfront("rulesets", "--json")
    assert (code, err) == (0, "")
    games = json.loads(out)
    assert {game["id"] for game in games} >= {
        "dust1947",
        "freeform1947",
        "battlefield",
        "warfare",
        "konflikt47",
    }
    assert all(set(game) == {"id", "name", "table", "version", "rules"} for game in games)
    assert next(game for game in games if game["id"] == "dust1947")["rules"] == 676


def test_coverage_as_json_has_the_promised_keys(dieselfront):
    code, out, _ = dieselfront("rules", "coverage", "dust1947", "--json")
    assert code == 0
    (covered,) = json.loads(out).values()
    assert {"total", "implemented", "tested", "missing", "untested"} <= set(covered)
    assert covered["total"] == covered["implemented"] + len(covered["missing"])


def test_coverage_of_an_unknown_game_is_refused(dieselfront):
    code, out, err = dieselfront("rules", "coverage", "dust1974", "--json")
    assert (code, out) == (2, "")
    assert "did you mean dust1947" in err


def test_show_and_search_as_json_have_the_promised_keys(dieselfront):
    _, shown, _ = dieselfront("rules", "show", "d47.turn.pass", "--json")
    rule = json.loads(shown)
    assert {"id", "title", "text"} <= set(rule)
    _, found, _ = dieselfront("rules", "search", "passing", "--json")
    assert "d47.turn.pass" in [rule["id"] for rule in json.loads(found)]


def test_a_rule_is_told_with_its_table_and_option(dieselfront):
    _, out, _ = dieselfront("rules", "show", "k47.morale.officer_range")
    assert "Captain" in out and "12" in out
    assert "six_inches" in out


def test_a_search_without_a_fit_says_so(dieselfront):
    code, _, err = dieselfront("rules", "search", "xyzzy")
    assert code == 2
    assert "xyzzy" in err


def test_an_unknown_schema_suggests_the_nearest(dieselfront):
    code, _, err = dieselfront("schema", "card")
    assert code == 2
    assert "cards" in err


def fake(monkeypatch: pytest.MonkeyPatch, action: Any) -> None:
    """A command `rulesets` that does this instead."""
    module = types.SimpleNamespace(register=lambda app: app.command("rulesets")(action))
    monkeypatch.setattr(cli, "_load", lambda command: module)


def test_a_mistake_of_ours_is_one_line_and_exit_1(dieselfront, monkeypatch):
    def broken() -> None:
        raise ZeroDivisionError("dice")

    fake(monkeypatch, broken)
    monkeypatch.delenv("DIESELFRONT_DEBUG", raising=False)
    code, _, err = dieselfront("rulesets")
    assert code == 1
    assert "ZeroDivisionError" in err and "DIESELFRONT_DEBUG" in err
    assert "Traceback" not in err


def test_a_mistake_of_ours_shows_its_traceback_on_request(monkeypatch):
    def broken() -> None:
        raise ZeroDivisionError("dice")

    fake(monkeypatch, broken)
    monkeypatch.setenv("DIESELFRONT_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["dieselfront", "rulesets"])
    with pytest.raises(ZeroDivisionError):
        cli.main()


def test_a_command_whose_extra_is_missing_says_how_to_get_it(monkeypatch):
    def no_module(name: str) -> None:
        raise ModuleNotFoundError("No module named 'litestar'", name="litestar")

    monkeypatch.setattr(cli.importlib, "import_module", no_module)
    with pytest.raises(UserError, match=r"litestar.*dieselfront\[server\]"):
        cli._load(cli.Command("serve", "serve", "", "server"))


def test_a_module_with_one_command_of_its_own_name_is_that_command(monkeypatch):
    single = typer.Typer()

    @single.command()
    def odds() -> None:
        typer.echo("even")

    monkeypatch.setattr(cli, "_load", lambda command: types.SimpleNamespace(app=single))
    app = typer.Typer()
    app.callback()(lambda: None)
    cli.mount(app, cli.Command("odds", "odds", "Exact odds."))
    assert [command.name or command.callback.__name__ for command in app.registered_commands] == ["odds"]


def test_json_is_one_document(capsys):
    print_json({1: ("a", None)})
    assert json.loads(capsys.readouterr().out) == {"1": ["a", None]}


def test_a_complaint_about_an_unknown_word_without_neighbours_is_still_a_sentence():
    assert unknown("card", "zzz", ["ranger"]).message == "There is no card 'zzz'."
