"""`play`: a game at the terminal, driven by what a person would type."""

from __future__ import annotations

import contextlib
import io

import pytest
from rich.console import Console

from dieselfront import rulesets
from dieselfront.cli.terminal import ask
from dieselfront.cli.terminal.start import Battle, show
from dieselfront.cli.terminal.table import Left, Table
from dieselfront.cli.terminal.views import view_of
from dieselfront.kernel.decisions import Assign, PickOne, TypeDice
from dieselfront.kernel.record import load, replay
from dieselfront.players import LEVELS, make, personalities
from dieselfront.scenarios import balance, battle

ARMIES = ["dust1947-allies", "dust1947-axis"]


def new_game(seed: str | None = "3"):
    return battle.start(battle.header("dust1947", "crossroads", ARMIES, seed=seed), seed)


def play(
    lines: list[str], *, game=None, players=(None, "random"), width: int = 100, terminal: bool = True,
    ruleset: str = "dust1947",
):  # fmt: skip
    """Type these lines, then leave; what was shown, and the game."""
    game = game or new_game()
    out = io.StringIO()
    console = Console(file=out, width=width, height=40, force_terminal=terminal, color_system=None, highlight=False)
    typed = iter(lines)

    def line(*_args, **_more):
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    console.input = line
    seats = [None if name is None else make(name, "x", ruleset) for name in players]
    table = Table(game, seats, make("regular", "advice", ruleset), console)
    with contextlib.suppress(Left):
        table.play()
    return out.getvalue(), game, table


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_the_setup_page_tells_what_is_lopsided(ruleset):
    figures = balance.measured(ruleset)
    for scenario in [one.name for one in figures.scenarios if one.is_lopsided] or [""] if figures else []:
        for pair in balance.pairings(ruleset):
            wanted = Battle(ruleset=ruleset, scenario=scenario, blue=pair.armies[0], red=pair.armies[1])
            wanted.settle()
            out = io.StringIO()
            show(wanted, Console(file=out, width=100, color_system=None, highlight=False))
            shown = " ".join(out.getvalue().split())
            notes = [balance.army_note(ruleset, army) for army in pair.armies]
            notes.append(balance.scenario_note(ruleset, wanted.scenario))
            assert f"! {pair.text}" in shown and all(f"! {note.text}" in shown for note in notes if note)


def test_enter_after_enter_plays_the_whole_battle():
    shown, game, _ = play([""] * 2000)
    assert game.over
    assert "The battle is over." in shown


def test_a_unit_is_deployed_by_number_and_square():
    shown, game, _ = play(["5", "C8 E"], players=(None, None))
    unit = game.state.by_id["a5"]
    assert (game.state.table.name(unit.place), unit.facing) == ("C8", 1)
    assert "Pounder" in shown and "Deploy a unit" in shown


def test_what_is_not_legal_is_refused_and_changes_nothing():
    shown, game, _ = play(["9", "b1", "C1", "5", "A1"], players=(None, None))
    assert "there is no answer number 9" in shown
    assert "'b1' is not among the legal answers" in shown
    assert "A1 is not among the legal squares" in shown
    assert not game.state.by_id["a5"].on_board


def test_a_choice_is_taken_back_until_dice_fall():
    _, game, _ = play(["5", "C8 E", "u"], players=(None, None))
    assert not game.state.by_id["a5"].on_board
    _, game, _ = play(["5", "u", "4"], players=(None, None))
    assert game.pending.unit == "a4"
    shown, game, _ = play(["deploy", "u"], players=(None, "regular"))
    assert "Dice have fallen" in shown


def test_deploy_places_the_rest():
    _, game, _ = play(["deploy"], players=(None, "regular"))
    assert game.state.turn == 1
    assert all(unit.on_board for unit in game.state.units)


def test_questions_explain_themselves():
    shown, _, _ = play(["?", "? d47.turn.pass", "? nonsense", "h", "card a1", "card zz", "log 3", "units", "board"])
    assert "Scenario and army points" in shown
    assert "Passing" in shown
    assert "There is no rule 'nonsense'" in shown
    assert "the answer of that number" in shown
    assert "Machinegun, range 6" in shown
    assert "There is no unit 'zz'" in shown


@pytest.mark.parametrize("width", [80, 140])
def test_no_line_is_wider_than_the_terminal(width):
    shown, _, _ = play([""] * 24, width=width)
    assert max(len(line) for line in shown.splitlines()) <= width


def test_a_game_is_saved_and_played_on(tmp_path):
    path = tmp_path / "battle.json"
    shown, game, _ = play(["deploy", "", "", f"save {path}"], players=(None, "regular"))
    assert "play --load" in shown
    again = replay(game.rules, load(path.read_bytes()))
    assert again.pending.key == game.pending.key
    assert again.state.facts() == game.state.facts()
    _, later, _ = play([""] * 3, game=again)
    assert len(later.choices) > len(game.choices)


def test_saving_where_nobody_can_write_is_told(tmp_path):
    shown, _, _ = play([f"save {tmp_path / 'no' / 'such' / 'folder.json'}"])
    assert "cannot be written" in " ".join(shown.split())


def test_dice_are_typed_in_by_their_letters():
    shown, game, _ = play(["deploy", "aat", "x", "s s", "sts"], game=new_game(None), players=(None, "regular"))
    assert "type" in shown and "a = ARMY" in shown
    assert "no die shows x" in shown or "expected" in shown
    assert game.choices[-1] == ("SHIELD", "TARGET", "SHIELD") or game.state.turn == 1


def test_watching_needs_no_keys():
    shown, game, _ = play([], players=("random", "random"), terminal=False)
    assert game.over
    assert "Turn 1 begins" in shown and "d47.turn.sequence" in shown


def test_every_die_is_shown_with_what_it_meant():
    _, _, table = play(["deploy"], players=(None, "regular"))
    rolled = next(line.plain for line in table.lines if "initiative (" in line.plain)
    assert "(ARMY):" in rolled and "→" in rolled
    dice = rolled.split(": ")[1].split(" →")[0].split()
    assert all(die in ("[A]", "s", "t") for die in dice)


def test_shortcuts_come_before_single_weapons():
    aims = (None, ("b1", ""), ("b2", ""))
    decision = Assign(0, "declare", [0, 1], [aims, aims[:2]], labels=lambda aim: "hold" if aim is None else aim[0])
    assert ask.numbered(decision) == [
        ("2 of 2 weapons at b1", (("b1", ""), ("b1", ""))),
        ("1 of 2 weapons at b2", (("b2", ""), None)),
        ("hold fire", (None, None)),
    ]


def test_dice_are_read_as_people_type_them():
    decision = TypeDice(0, ("ARMY", "SHIELD", "TARGET"), 3, "roll")
    for text in ("ast", "a s t", "ARMY shield T", "a,s,t"):
        assert ask.dice(decision, text) == ("ARMY", "SHIELD", "TARGET")
    six = TypeDice(0, ("1", "2", "3", "4", "5", "6"), 2, "roll")
    assert ask.dice(six, "16") == ask.dice(six, "1 6") == ("1", "6")


def test_answers_that_look_like_numbers_are_taken_by_number():
    decision = PickOne(0, "first", [1, 0], labels=lambda side: f"side {side}")
    assert ask.Menu(decision).read("1") == 1
    assert ask.Menu(decision).read("2") == 0


def test_a_newcomer_gets_a_sensible_battle():
    wanted = Battle()
    wanted.settle()
    assert (wanted.scenario, wanted.blue, wanted.red) == ("crossroads", "dust1947-allies", "dust1947-axis")
    assert wanted.seats == ["you", "regular"]


def test_the_command_plays_from_a_pipe_and_leaves_when_it_ends(dieselfront):
    code, out, err = dieselfront("play", "--seed", "3", stdin="5\nC8 E\nq\n")
    assert (code, err) == (0, "")
    assert "Pounder deploys at C8" in out or "a5 Pounder deploys at C8" in out
    assert "You leave the table." in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--dice", "loaded"], "--dice is fair or typed"),
        (["--players", "you,genius"], "There is no player 'genius'"),
        (["--scenario", "nowhere"], "There is no scenario 'nowhere'"),
        (["--load", "no-such-file.json"], "cannot be used"),
    ],
)
def test_mistakes_get_one_sentence_and_exit_2(dieselfront, words, sentence):
    code, _, err = dieselfront("play", "--yes", *words)
    assert code == 2 and sentence in err and err.count("\n") == 1


def test_odds_are_told_before_an_attack_is_declared():
    game = new_game()
    player = make("regular", "x", "dust1947")
    while game.pending.key != "declare":
        game.choose(player.choose(game))
    seats = [None, None]
    before = len(game.choices)
    shown, game, _ = play(["odds"], game=game, players=seats)
    assert len(game.choices) == before
    assert "hits" in shown and "destroyed" in shown
    shown, _, _ = play(["odds"])
    assert "no attack to declare" in shown


def test_the_help_names_every_level_and_personality(dieselfront):
    told = " ".join(dieselfront("play", "--help")[1].split())
    for name in (*LEVELS, *personalities()):
        assert name in told or name == "balanced"


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_game_is_drawn_and_asks_from_the_first_question_on(ruleset: str):
    armies = list(battle.starters(ruleset)[:2])
    game = battle.start(battle.header(ruleset, "random:1", armies, seed="1"), "1")
    shown, game, _ = play([""] * 3, game=game, players=(None, None), ruleset=ruleset)
    assert len(game.choices) == 3
    for unit in view_of(game)["units"]:
        assert unit["name"].split()[0] in shown
