"""The referee's adaptor for Konflikt '47: positions on a measured table and the questions about them."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.decisions import Assign, Decision, PlaceFree
from dieselfront.referee.choices import Unclear, simple
from dieselfront.referee.court import Answer
from dieselfront.referee.document import Entry
from dieselfront.referee.konflikt_position import KEYS, Position
from dieselfront.referee.konflikt_questions import Questions
from dieselfront.referee.measured_words import NotUnderstood, points
from dieselfront.referee.session import Session

QUESTIONS = (
    *("sight", "cover", "range", "arc", "facing", "reach", "weapons", "damage", "odds", "morale", "assault"),
    *("template", "objectives"),
)


class Konflikt47Adaptor:
    """What a Konflikt '47 file may say and ask."""

    keys = KEYS
    questions = QUESTIONS

    def position(self, rules: Any, root: dict[str, Entry], options: dict[str, str]) -> Any:
        """The state that the file describes."""
        described = Position(rules, root, options)
        state = described.state()
        if described.unit != "in":
            state.notes["lengths"] = described.unit
        return state

    def answer(self, session: Session, kind: str, entry: Entry) -> Answer:
        """The answer to one question about the position as it is now."""
        return Questions(session, str(session.state.notes.get("lengths", "in"))).answer(kind, entry)

    def facing(self, state: Any, unit: str) -> Any:
        """Which way a unit looks."""
        return next((one.heading for one in state.units if one.id == unit), None)

    def words(self, session: Session, decision: Decision, wanted: Any) -> Any:
        """Rounds and weapons of troops by name: "HE", "Panzerfaust at b1", "rifles"; lengths in the file's own unit."""
        if isinstance(decision, PlaceFree) and "lengths" in session.state.notes:
            try:
                return points(decision, wanted, session.state.notes["lengths"])
            except NotUnderstood as error:
                raise Unclear(str(error)) from None
        if decision.key != "weapons" or not isinstance(decision, Assign) or not isinstance(wanted, str):
            return wanted
        answer = tuple(_meant(decision, options, simple(wanted)) for options in decision.choices)
        return answer if any(one is not None for one in answer) else wanted


def _meant(decision: Assign, options: Any, text: str) -> Any:
    """The option whose words hold all the words written; None if there is none."""
    parts = [part for part in text.replace(" at ", " ").split() if part not in ("all", "the", "fire")]
    for option in options:
        if option is not None:
            told = f"{simple(decision.label(option))} {' '.join(simple(str(part)) for part in option)}"
            known = told.replace("(", " ").replace(")", " ").split()
            if parts and all(part in known or part.removesuffix("s") in known for part in parts):
                return option
    return None


ADAPTOR = Konflikt47Adaptor()
