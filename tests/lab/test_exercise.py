"""The exercise run: what it counts as used, and that its games reach what they look for."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from typer.testing import CliRunner

from dieselfront.cli.rules import app
from dieselfront.dice import DUST_DIE, Throw
from dieselfront.forces import SkillRef
from dieselfront.lab import exercise
from dieselfront.rulesets.dust import hooks
from dieselfront.rulesets.dust.hooks import Skill


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
    tally: Counter[str] = Counter()
    skill = Chains(SkillRef("Chains"), "card")
    return tally, exercise._counting(tally)(skill, hook, getattr(skill, hook))


@pytest.mark.parametrize("shot, uses", [("close", 1), ("ranged", 0)])
def test_a_skill_is_used_only_when_it_makes_a_difference(shot: str, uses: int):
    tally, asked = watched("on_hit")
    asked(Throw("to hit", DUST_DIE, 1, "rule"), shot)
    assert tally["Chains"] == uses


@pytest.mark.parametrize("activation, uses", [("asks", 1), ("silent", 0)])
def test_a_procedure_is_used_when_it_asks_or_rolls(activation: str, uses: int):
    tally, carried_out = watched("on_activation")
    assert len(list(carried_out(activation))) == uses
    assert tally["Chains"] == uses


def test_a_few_games_use_a_good_part_of_everything_and_leave_no_watch_behind():
    used = list(exercise.run(times=1, seed=3, most_games=3))[-1]
    assert used.games == 3 and used.decisions > 300
    assert sum(count > 0 for count in used.units.values()) > 30
    assert sum(count > 0 for count in used.weapons.values()) > 40
    assert used.wanting()["units"] and 0.0 < used.done < 1.0
    assert hooks.watch is None


def test_the_same_seed_plays_the_same_games():
    one, other = (list(exercise.run(times=1, seed=5, most_games=1))[-1] for _ in range(2))
    assert one == other


def test_the_command_tells_what_is_missing_and_fails():
    result = CliRunner().invoke(app, ["exercise", "dust1947", "--times", "1", "--games", "1", "--json"])
    told = json.loads(result.stdout)
    assert result.exit_code == 1 and told["games"] == 1
    assert told["wanting"]["weapons"] and set(told["specials"]) == set(exercise.SPECIALS)
