"""The referee's adaptor for Dust 1947 Freeform: positions on the open table and the questions about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dieselfront.kernel.decisions import Assign, Decision, PlaceFree
from dieselfront.referee.choices import Unclear, simple
from dieselfront.referee.court import Answer
from dieselfront.referee.document import Entry
from dieselfront.referee.freeform_position import KEYS, FreePosition
from dieselfront.referee.freeform_questions import FreeQuestions
from dieselfront.referee.measured_words import NotUnderstood, heading, points, spot
from dieselfront.referee.session import Session
from dieselfront.rulesets.dust_open.places import at

QUESTIONS = (
    *("sight", "cover", "range", "arc", "reach", "weapons", "odds", "objectives", "template", "casualties"),
    "coherency",
)
PLACE_KEYS = ("to", "facing", "floor", "models", "way")
AIM_KEYS = ("at", "centre", "soldier")


class Freeform1947Adaptor:
    """What a freeform file may say and ask."""

    keys = KEYS
    questions = QUESTIONS
    lengths = "in"

    def position(self, rules: Any, root: dict[str, Entry], options: dict[str, str]) -> Any:
        """The state that the file describes."""
        described = FreePosition(rules, root, options)
        self.lengths = described.unit
        return described.state()

    def answer(self, session: Session, kind: str, entry: Entry) -> Answer:
        """The answer to one question about the position as it is now."""
        return FreeQuestions(session, self.lengths).answer(kind, entry)

    def facing(self, state: Any, unit: str) -> Any:
        """Which way a unit looks."""
        found = state.by_id.get(unit)
        return found.facing if found is not None else None

    def words(self, session: Session, decision: Decision, wanted: Any) -> Any:
        """Places with floors and models set by hand; templates by their centre."""
        try:
            if isinstance(decision, PlaceFree):
                if wanted in ("stay", "here"):
                    unit = session.state.by_id[decision.unit]
                    return [unit.place, unit.facing]
                if isinstance(wanted, Mapping):
                    return self._placed(session, decision, wanted)
                return points(decision, wanted, self.lengths)
            if isinstance(decision, Assign) and isinstance(wanted, Mapping):
                return self._aimed(session, decision, wanted)
        except NotUnderstood as error:
            raise Unclear(str(error)) from None
        return wanted

    def _placed(self, session: Session, decision: PlaceFree, wanted: Mapping[str, Any]) -> Any:
        strangers = [key for key in wanted if key not in PLACE_KEYS]
        if strangers or "to" not in wanted:
            raise Unclear("a place is told with to, and perhaps facing, floor, models and way")
        x, y = spot(wanted["to"], self.lengths)
        unit = session.state.by_id[decision.unit]
        turned = heading(wanted["facing"]) if "facing" in wanted else unit.facing
        answer: list[Any] = [x, y, turned, int(wanted.get("floor", 0))]
        if "models" in wanted or "way" in wanted:
            answer.append([list(spot(one, self.lengths)) for one in wanted.get("models", ())])
        if "way" in wanted:
            answer.append([list(spot(one, self.lengths)) for one in wanted["way"]])
        return answer

    def _aimed(self, session: Session, decision: Assign, wanted: Mapping[str, Any]) -> Any:
        """Weapons by name; {at: b1, centre: "20in, 10in"} lays a template, with `soldier` for one bearer of several."""
        if not any(isinstance(goal, Mapping) for goal in wanted.values()):
            return wanted
        known = [simple(decision.item(item)) for item in decision.items]
        for name in wanted:
            if not any(told.startswith(simple(str(name))) for told in known):
                raise Unclear(f"{name} cannot be used now; there are {', '.join(dict.fromkeys(known))}")
        answer: list[Any] = []
        for item, options in zip(decision.items, decision.choices, strict=True):
            told = simple(decision.item(item))
            goal = next((goal for name, goal in wanted.items() if told.startswith(simple(str(name)))), None)
            answer.append(self._aim(decision, item, options, goal))
        return answer

    def _aim(self, decision: Assign, item: Any, options: Any, goal: Any) -> Any:
        if goal is None:
            return None
        if not isinstance(goal, Mapping):
            found = next((aim for aim in options if aim is not None and aim[0] == goal), None)
            if found is None:
                raise Unclear(f"{decision.item(item)} cannot be aimed at {goal}")
            return found
        if [key for key in goal if key not in AIM_KEYS] or "centre" not in goal:
            raise Unclear("a template is told with at, centre and perhaps soldier")
        bearer = item[2]
        if "soldier" in goal and int(goal["soldier"]) - 1 != bearer:
            return None
        centre = at(*spot(goal["centre"], self.lengths))
        flames = any(aim is not None and "flame" in aim for aim in options)
        whom = goal.get("at", centre)
        return (whom, "flame", centre, "from", bearer) if flames else (whom, "blast", centre)


ADAPTOR = Freeform1947Adaptor()
