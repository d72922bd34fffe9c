"""Referee files of Battlefield: those of every open table, in centimetres where a file says no other unit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from dieselfront.kernel.decisions import Decision, IllegalChoice
from dieselfront.referee.choices import Unclear
from dieselfront.referee.contract import OwnQuestion
from dieselfront.referee.document import Entry
from dieselfront.referee.results import Answer
from dieselfront.referee.session import Session
from dieselfront.rulesets.battlefield.citing import cite
from dieselfront.rulesets.battlefield.referee.casualties import casualties
from dieselfront.rulesets.battlefield.referee.position import KEYS, UNIT_KEYS, BattlePosition
from dieselfront.rulesets.dust.state import TOKEN_NAMES
from dieselfront.rulesets.dust_open.playing import on_open_table
from dieselfront.rulesets.dust_open.referee import OpenAdaptor

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947

RELATIVE = re.compile(r"\b(?:d47|ff)\.[a-z_]+(?:\.[a-z_]+)+")
ELSEWHERE = ("evading", "evading well", "jinking", "burning")
"""Tokens of other Dust games."""


class BattlefieldAdaptor(OpenAdaptor):
    """What a file may say and ask."""

    keys = KEYS
    unit_keys = UNIT_KEYS
    own_questions: ClassVar[dict[str, OwnQuestion]] = OpenAdaptor.own_questions | {"casualties": casualties}
    objective_rules: ClassVar[tuple[str, ...]] = ("bf.objective.capture",)
    tokens = tuple(name for name in TOKEN_NAMES.values() if name not in ELSEWHERE)
    aim_words: ClassVar[dict[str, str]] = {
        "at": "one soldier picked out by a sniper: `sniper rifle at b1 at Frank`",
        "smoke": 'smoke of artillery instead of damage: `{howitzer: {smoke: "60cm, 40cm"}}`',
        "flame": 'a flame strip: `{flamethrower: {at: b1, centre: "60cm, 40cm", soldier: 4}}`; the strip points there',
        "salvo": "twice the dice, then it must be reloaded: `rockets at b1 salvo 2`",
        "blast": 'a blast template: `{howitzer: {at: b1, centre: "60cm, 40cm", floor: 1}}`',
        "from": "the soldier who carries the flamethrower, by his number",
    }

    def position(self, rules: Dust1947, root: dict[str, Entry], options: dict[str, str]) -> Any:
        return BattlePosition(on_open_table(rules), root, options).state()

    def why_refused(
        self, session: Any, decision: Decision, wanted: Any, error: Unclear | IllegalChoice
    ) -> tuple[str, str] | None:
        return _cited(super().why_refused(session, decision, wanted, error))

    def why_not_asked(self, session: Any, key: str, wanted: Any, unit: str) -> tuple[str, str] | None:
        return _cited(super().why_not_asked(session, key, wanted, unit))

    def answer(self, session: Session, kind: str, entry: Entry) -> Answer:
        """Answers name the rules of this game (citing.py)."""
        answer = super().answer(session, kind, entry)
        answer.rules = list(dict.fromkeys(cite(rule) for rule in answer.rules))
        answer.facts = _translated(answer.facts)
        answer.text = [RELATIVE.sub(lambda match: cite(match[0]), line) for line in answer.text]
        return answer


def _cited(why: tuple[str, str] | None) -> tuple[str, str] | None:
    return None if why is None else (cite(why[0]), why[1])


def _translated(facts: Any) -> Any:
    """The same facts, ids of relatives replaced by those of this game."""
    if isinstance(facts, dict):
        return {key: _translated(value) for key, value in facts.items()}
    if isinstance(facts, list):
        return [_translated(value) for value in facts]
    return cite(facts) if isinstance(facts, str) else facts


ADAPTOR = BattlefieldAdaptor()
