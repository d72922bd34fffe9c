"""Referee files of Konflikt '47: positions on a measured table, and the words and questions of its own."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar

from dieselfront.kernel.decisions import Assign, Decision, IllegalChoice, PlaceFree
from dieselfront.referee.choices import Unclear, Unreadable, simple
from dieselfront.referee.contract import Adaptor, OwnQuestion, lengths_of
from dieselfront.referee.document import Entry
from dieselfront.referee.measured_words import NotUnderstood, points
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.referee import rides
from dieselfront.rulesets.konflikt47.referee.fire import damage, odds
from dieselfront.rulesets.konflikt47.referee.nerve import assault, morale, objectives
from dieselfront.rulesets.konflikt47.referee.position import (
    CARD_KEYS,
    KEYS,
    PHASES,
    STATUSES,
    TOKENS,
    TRAITS,
    UNIT_KEYS,
    PositionFile,
)
from dieselfront.rulesets.konflikt47.state import ADVANCE, FIRE, ORDERS

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47


class Konflikt47Adaptor(Adaptor["Konflikt47"]):
    """What a Konflikt '47 file may say and ask."""

    keys = KEYS
    unit_keys = UNIT_KEYS
    phases = tuple(PHASES)
    statuses = STATUSES
    own_questions: ClassVar[dict[str, OwnQuestion]] = {
        "odds": odds,
        "damage": damage,
        "morale": morale,
        "assault": assault,
        "objectives": objectives,
    }

    aim_words: ClassVar[dict[str, str]] = {
        "direct, indirect": "how a gun fires its shell: `weapons: indirect`",
        "AT, HE": "the round of a gun: `weapons: HE`",
        "smoke": "smoke instead of damage, where the option allows it",
    }
    card_keys = CARD_KEYS
    traits = TRAITS
    tokens = TOKENS

    def fact_words(self) -> dict[str, Collection[str]]:
        """The die beside a unit is shown among its tokens, and its pins."""
        shown = (*ORDERS, "pins", "immobilised", "nco lost", "halted", "slowed", "dug in", "loose")
        return {"tokens": shown, "status": STATUSES, "order": ORDERS}

    def terrain_words(self, rules: Konflikt47) -> dict[str, str]:
        """The kinds of terrain: the row of the terrain table, sight and cover."""
        return {
            id: f"{kind.name}: {kind.going.get('all', 'open')}; sight {kind.sight.name.lower()}, "
            f"cover {kind.cover.name.lower()}"
            for id, kind in ground.KINDS.items()
        }

    def position(self, rules: Konflikt47, root: dict[str, Entry], options: dict[str, str]) -> Any:
        """The state that the file describes."""
        return PositionFile(rules, root, options).state()

    def facing(self, state: Any, unit: str) -> Any:
        """Which way a unit looks."""
        return next((one.heading for one in state.units if one.id == unit), None)

    def words(self, session: Any, decision: Decision, wanted: Any) -> Any:
        """Rounds and weapons of troops by name: "HE", "Panzerfaust at b1", "rifles"; lengths in the file's own unit."""
        if isinstance(decision, PlaceFree) and lengths_of(session) != "in":
            try:
                return points(decision, wanted, lengths_of(session))
            except NotUnderstood as error:
                raise Unreadable(str(error)) from None
        if decision.key != "weapons" or not isinstance(decision, Assign) or not isinstance(wanted, str):
            return wanted
        answer = tuple(_meant(decision, options, simple(wanted)) for options in decision.choices)
        return answer if any(one is not None for one in answer) else wanted

    def why_refused(
        self, session: Any, decision: Decision, wanted: Any, error: Unclear | IllegalChoice
    ) -> tuple[str, str] | None:
        """The rule that keeps a unit from riding, or from a target: range, sight, arc, friends in the way."""
        if decision.key == "manner" and isinstance(wanted, str) and decision.unit:
            return self._why_no_ride(session, decision.unit, wanted)
        if decision.key not in ("target", "weapons") or not isinstance(wanted, str | dict) or not decision.unit:
            return None
        text = wanted if isinstance(wanted, str) else " ".join(str(whom) for whom in wanted.values())
        known = {unit.id for unit in session.state.units if unit.on_table}
        target = next((word for word in text.replace(",", " ").split() if word in known), None)
        if target is None:
            return None
        unit = session.state.unit(decision.unit)
        how = ADVANCE if unit.order == ADVANCE else FIRE
        uses = session.rules.field.weapons(session.play, unit.id, target, how)
        if any(use.usable for use in uses):
            return None
        why = next(iter(uses), None)
        name = session.rules.field.called(session.state.unit(target))
        return None if why is None else (why.rule, f"{unit.card.name} cannot shoot at {name}: {why.reason}")

    def _why_no_ride(self, session: Any, id: str, wanted: str) -> tuple[str, str] | None:
        verb, _, whom = wanted.strip().partition(" ")
        carrier = next((unit for unit in session.state.units if unit.id == whom.strip()), None)
        unit = session.state.unit(id)
        if carrier is None or verb not in ("mount", "limber"):
            return None
        if verb == "limber":
            return rides.tow(session.rules, session.state, unit, carrier)
        return rides.mounting(session.rules, session.state, unit, carrier, unit.order or ADVANCE)


def _meant(decision: Assign, options: Any, text: str) -> Any:
    """The option whose words hold all the words written; None if there is none."""
    parts = [part for part in text.replace(" at ", " ").split() if part not in ("all", "the", "fire")]
    for option in options:
        if option is not None:
            words = f"{simple(decision.label(option))} {' '.join(simple(str(part)) for part in option)}"
            known = words.replace("(", " ").replace(")", " ").split()
            if parts and all(part in known or part.removesuffix("s") in known for part in parts):
                return option
    return None


ADAPTOR = Konflikt47Adaptor()
