"""Referee files of Dust Warfare: positions on a measured table, and the words and questions of its own."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar

from dieselfront.kernel.decisions import Assign, Decision, IllegalChoice, PickOne, PickSome, PlaceFree, say
from dieselfront.referee.choices import Unclear, Unreadable, aims_written, items_called, simple
from dieselfront.referee.contract import Adaptor, OwnQuestion, lengths_of
from dieselfront.referee.document import Entry
from dieselfront.referee.measured_words import NotUnderstood, points
from dieselfront.rulesets.warfare.referee import questions
from dieselfront.rulesets.warfare.referee.inline_cards import CARD_KEYS
from dieselfront.rulesets.warfare.referee.position import KEYS, PHASES, TRAITS, PositionFile
from dieselfront.rulesets.warfare.referee.units import EFFECTS, STATUSES, TOKENS, UNIT_KEYS
from dieselfront.rulesets.warfare.state import HIGH, LOW
from dieselfront.rulesets.warfare.terrain import KINDS

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

PLAIN_FIRE, DIRECT_FIRE = " fire at ", " direct "
"""How people write direct fire, and the word that options have for it."""
LEADERS = ("leader", "stand-in leader", "section leader")
"""Decisions that pick a figure by its number."""


class WarfareAdaptor(Adaptor["Warfare"]):
    """What a Dust Warfare file may say and ask."""

    keys = KEYS
    unit_keys = UNIT_KEYS
    phases = tuple(PHASES)
    statuses = STATUSES
    own_questions: ClassVar[dict[str, OwnQuestion]] = {
        "odds": questions.odds,
        "orders": questions.orders,
        "actions": questions.actions,
        "reactions": questions.reactions,
        "join": questions.join,
        "table": questions.table,
    }
    objective_rules: ClassVar[tuple[str, ...]] = ("dw.open.scenario_data",)
    aim_words: ClassVar[dict[str, str]] = {
        "direct, close, indirect": "the way of an attack: `target: fire at b1`, `close combat with b1`, `indirect fire "
        "at b1`; a unit alone is enough where only one way is open",
        "choose weapon by weapon": "`target: choose`, then `weapons: 3 rifles at b1, bazooka at b2`",
    }
    card_keys = CARD_KEYS
    traits = TRAITS
    tokens = tuple(TOKENS)

    def fact_words(self) -> dict[str, Collection[str]]:
        """Suppression, reactions, altitude and the effects of damage are shown among the tokens."""
        states = ("suppression", "reaction", "leaderless", "flying", "out of ammo", HIGH, LOW)
        return {
            "tokens": (*states, *EFFECTS),
            "effects": EFFECTS,
            "status": STATUSES,
            "altitude": (HIGH, LOW),
        }

    def terrain_words(self, rules: Warfare) -> dict[str, str]:
        """The kinds of terrain: for soldiers and vehicles, sight and cover."""
        return {
            id: f"{kind.name}: {kind.going.get('soldier', 'open')} for soldiers, "
            f"{kind.going.get('vehicle', 'open')} for vehicles; sight {kind.sight.name.lower()}, "
            f"cover {kind.cover.name.lower()}, {kind.height} mm high"
            for id, kind in KINDS.items()
        }

    def position(self, rules: Warfare, root: dict[str, Entry], options: dict[str, str]) -> Any:
        """The state that the file describes."""
        return PositionFile(rules, root, options).state()

    def facing(self, state: Any, unit: str) -> Any:
        """Which way a unit looks."""
        return next((one.heading for one in state.units if one.id == unit), None)

    def words(self, session: Any, decision: Decision, wanted: Any) -> Any:
        """Lengths in the file's own unit; options by their parts in any order: "b1 attacks", "regroup a2", "b1" for a
        target that can be attacked in one way only."""
        if isinstance(decision, PlaceFree) and lengths_of(session) != "in":
            try:
                return points(decision, wanted, lengths_of(session))
            except NotUnderstood as error:
                raise Unreadable(str(error)) from None
        if decision.key == "casualties" and isinstance(decision, PickSome):
            return _figures_meant(decision, wanted)
        if decision.key in LEADERS and str(wanted).strip().isdigit():
            return int(wanted) - 1
        if isinstance(decision, Assign) and isinstance(wanted, str):
            return _aims_meant(decision, wanted)
        if decision.key == "actions":  # their order matters, so their words are read as they stand
            return wanted
        if isinstance(decision, PickOne) and isinstance(wanted, str):
            meant = _parts_meant(decision, wanted)
            return wanted if meant is None else meant
        return wanted

    def written(self, decision: Decision, answer: Any) -> Any:
        """Figures are counted from 1 in files."""
        return answer + 1 if decision.key in LEADERS else super().written(decision, answer)

    def why_refused(
        self, session: Any, decision: Decision, wanted: Any, error: Unclear | IllegalChoice
    ) -> tuple[str, str] | None:
        """The rule that keeps a unit from a target, from reacting, or from an order."""
        if not isinstance(wanted, str):
            return None
        known = {unit.id for unit in session.state.units}
        named = next((word for word in wanted.replace(",", " ").split() if word in known), None)
        if named is None:
            return None
        if decision.key in ("target", "weapons") and decision.unit:
            return self._why_no_shot(session, decision, named)
        if decision.key == "reaction":
            return questions.why_not_react(session.rules, session.state, session.state.unit(named))
        return None

    def _why_no_shot(self, session: Any, decision: Decision, target: str) -> tuple[str, str] | None:
        if not session.state.unit(target).on_table:
            return None
        uses = session.rules.field.weapons(session.play, decision.unit, target)
        if any(use.usable for use in uses) and not isinstance(decision, Assign):
            return None
        why = next((use for use in uses if not use.usable), None)
        if why is None:
            return None
        name = session.state.unit(decision.unit).name
        return why.rule, f"{name} cannot attack {session.state.unit(target).name}: {why.reason}"


def _figures_meant(decision: PickSome, wanted: Any) -> Any:
    """Who takes the damage, by the numbers of the figures: "2, 3", or "1, 1" for two points on the first."""
    written = wanted if isinstance(wanted, list) else str(wanted).replace(" and ", ",").split(",")
    numbers = [str(one).strip() for one in written]
    if not all(number.isdigit() for number in numbers):
        return wanted
    tokens: list[Any] = []
    for number in numbers:
        left = [token for token in decision.options if token[0] == int(number) - 1 and token not in tokens]
        if not left:
            raise Unclear(f"figure {number} cannot take (more) damage here")
        tokens.append(left[0])
    return tuple(tokens)


def _aims_meant(decision: Assign, wanted: str) -> str:
    """ "2 rifles at b1" names the way too, where every weapon meant can be aimed at that unit in one way only."""
    clauses = []
    for what, whom in aims_written(wanted):
        options = [option for place in items_called(decision, what) for option in decision.choices[place]]
        ways = list(dict.fromkeys(option for option in options if option is not None and whom in option))
        aim = " ".join(map(say, ways[0])) if len(ways) == 1 else whom
        clauses.append(f"{what} at {aim}")
    return ", ".join(clauses)


def _parts_meant(decision: PickOne, wanted: str) -> Any:
    """The option of several parts whose parts are all written, or the only one that holds a single written word."""
    text = f" {_stem(wanted)} "
    if "indirect" not in text:
        text = text.replace(PLAIN_FIRE, DIRECT_FIRE)
    several = [option for option in decision.options if isinstance(option, tuple) and len(option) > 1]
    named = [option for option in several if all(isinstance(part, str) for part in option)]
    whole = [option for option in named if all(f" {_stem(part)} " in text for part in option)]
    if not whole:
        whole = [option for option in named if any(_stem(part) == text.strip() for part in option)]
        return whole[0] if len(whole) == 1 else None
    return max(whole, key=len)


def _stem(text: str) -> str:
    """Words without an ending s: "b1 attacks" is "b1 attack"."""
    return " ".join(word.removesuffix("s") for word in simple(text).replace(",", " ").replace(":", " ").split())


ADAPTOR = WarfareAdaptor()
