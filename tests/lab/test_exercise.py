"""The exercise run: what it counts as used, and that its games reach what they look for."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dieselfront import rulebook, rulesets
from dieselfront.cli.rules import app
from dieselfront.dice import DUST_DIE, Throw
from dieselfront.forces import SkillRef, dust_catalogue
from dieselfront.kernel.hooks import oversight
from dieselfront.lab import exercise
from dieselfront.rulesets.dust.events import ActionsDeclared, Activated
from dieselfront.rulesets.dust.hooks import Skill
from dieselfront.rulesets.dust1947 import exercise as own


class Chains(Skill):
    name = "Chains"

    def on_hit(self, throw: Throw, shot: object) -> Throw:
        if shot == "close":
            throw.chain |= 1
        return throw

    def on_activation(self, activation: object):
        if activation == "asks":
            yield "a question"


def watched(hook: str):
    tally = exercise.Tally(Counter({"Chains": 0}), own)
    skill = Chains(SkillRef("Chains"), "card")
    return tally, tally.watch(skill, hook, getattr(skill, hook))


@pytest.mark.parametrize("shot, uses", [("close", 1), ("ranged", 0)])
def test_a_skill_is_used_only_when_it_makes_a_difference(shot: str, uses: int):
    tally, asked = watched("on_hit")
    asked(Throw("to hit", DUST_DIE, 1, "rule"), shot)
    tally.settle()
    assert tally.counts["Chains"] == uses


@pytest.mark.parametrize("activation, uses", [("asks", 1), ("silent", 0)])
def test_a_procedure_is_used_when_it_asks_or_rolls(activation: str, uses: int):
    tally, carried_out = watched("on_activation")
    assert len(list(carried_out(activation))) == uses
    tally.settle()
    assert tally.counts["Chains"] == uses


def test_a_skill_counts_once_for_one_choice_and_never_for_a_check():
    tally, asked = watched("on_hit")
    for _ in range(3):
        asked(Throw("to hit", DUST_DIE, 1, "rule"), "close")
    tally.settle()
    with tally.pause():
        asked(Throw("to hit", DUST_DIE, 1, "rule"), "close")
    tally.settle()
    assert tally.counts["Chains"] == 1


def test_a_few_games_use_a_good_part_of_everything_and_leave_no_watch_behind():
    used = list(exercise.run(times=1, seed=3, most_games=3))[-1]
    assert used.games == 3 and used.decisions > 300
    assert sum(count > 0 for count in used.units.values()) > 30
    assert sum(count > 0 for count in used.weapons.values()) > 40
    assert used.wanting()["units"] and 0.0 < used.done < 1.0
    assert oversight.watch is None


def test_the_counts_are_what_the_log_tells(monkeypatch: pytest.MonkeyPatch):
    """Counted by choice, so never more than the log has; less, as a choice of one is not asked and parts are lost."""
    games = []
    make = exercise.new_battle
    monkeypatch.setattr(exercise, "new_battle", lambda *given: games.append(make(*given)) or games[-1])
    used = list(exercise.run(times=1, seed=8, most_games=2))[-1]
    units, specials = Counter(), Counter()
    for game in games:
        cards = {unit["id"]: unit["cards"] for force in game.header.forces for unit in force["units"]}
        for event in game.events:
            if isinstance(event, Activated):
                whole = event.unit.partition("r")[0]  # a squad back from reserve has its old unit's id and a number
                units.update(card.partition("+")[0] for card in cards[whole])
            elif isinstance(event, ActionsDeclared):
                taken = [action.removeprefix("free:") for action in event.actions]
                specials.update(action[8:] for action in taken if action.startswith("special:"))
    for counted, told in ((used.units, units), (used.specials, specials)):
        assert all(count <= told[name] for name, count in counted.items())
        assert sum(counted.values()) > 0.5 * sum(told.values()) > 5


def test_what_cannot_be_used_is_told_with_a_rule_that_exists_and_not_counted():
    used = exercise.nothing_used(rulesets.load("dust1947"), own, list(dust_catalogue()), 1)
    assert used.unusable and not set(used.unusable) & set(used.skills)
    ids = {rule.id for rule in rulebook.load("dust1947").rules}
    assert all(reason.partition(":")[0] in ids for reason in used.unusable.values())


def test_the_same_seed_plays_the_same_games():
    one, other = (list(exercise.run(times=1, seed=5, most_games=1))[-1] for _ in range(2))
    assert one == other


def test_the_command_tells_what_is_missing_and_fails(tmp_path: Path):
    page = tmp_path / "used.md"
    asked = ["exercise", "--ruleset", "dust1947", "--times", "1", "--games", "1", "--page", str(page), "--json"]
    result = CliRunner().invoke(app, asked)
    told = json.loads(result.stdout)
    assert result.exit_code == 1 and told["games"] == 1
    assert told["wanting"]["weapons"] and set(told["specials"]) == set(own.SPECIALS)
    written = page.read_text(encoding="utf-8")
    assert all(f"| {name} | {count} |" in written for name, count in told["units"].items())
