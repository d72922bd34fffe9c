"""Referee files of Dust games on the open table: positions, and the words and questions of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from dieselfront.kernel.decisions import Assign, Decision, PlaceFree
from dieselfront.referee.choices import Unclear, simple
from dieselfront.referee.contract import OwnQuestion, lengths_of
from dieselfront.referee.document import Entry
from dieselfront.referee.measured_words import NotUnderstood, heading, points, spot
from dieselfront.rulesets.dust1947.referee import Dust1947Adaptor
from dieselfront.rulesets.dust1947.referee.odds import odds
from dieselfront.rulesets.dust_open.places import at
from dieselfront.rulesets.dust_open.referee.casualties import casualties
from dieselfront.rulesets.dust_open.referee.position import KEYS, UNIT_KEYS, OpenPosition

PLACE_KEYS = ("to", "facing", "floor", "models", "way")
AIM_KEYS = ("at", "centre", "soldier")


class OpenAdaptor(Dust1947Adaptor):
    """What a file of a game on the open table may say and ask."""

    keys = KEYS
    unit_keys = UNIT_KEYS
    own_questions: ClassVar[dict[str, OwnQuestion]] = {"odds": odds, "casualties": casualties}
    objective_rules: ClassVar[tuple[str, ...]] = ("ff.open.objectives", "d47.victory.vp")
    aim_words: ClassVar[dict[str, str]] = Dust1947Adaptor.aim_words | {
        "blast": 'a blast template: `{howitzer: {at: b1, centre: "20in, 10in"}}`, without `at` on open ground',
        "flame": 'a flame from a bearer: `{flamethrower: {at: b1, centre: "20in, 10in", soldier: 4}}`',
        "from": "the soldier who carries the flamethrower, by his number",
    }

    def terrain_words(self, rules: Any) -> dict[str, str]:
        """The kinds of terrain: sight and cover."""
        return {kind: f"sight: {terrain.sight}; cover: {terrain.cover}" for kind, terrain in rules.terrain.items()}

    def position(self, rules: Any, root: dict[str, Entry], options: dict[str, str]) -> Any:
        """The state that the file describes."""
        return OpenPosition(rules, root, options).state()

    def words(self, session: Any, decision: Decision, wanted: Any) -> Any:
        """Places with floors and models set by hand; templates by their centre."""
        wanted = super().words(session, decision, wanted)
        try:
            if isinstance(decision, PlaceFree):
                if wanted in ("stay", "here"):
                    unit = session.state.by_id[decision.unit]
                    return [unit.place, unit.facing]
                if isinstance(wanted, Mapping):
                    return self._placed(session, decision, wanted)
                return points(decision, wanted, lengths_of(session))
            if isinstance(decision, Assign) and isinstance(wanted, Mapping):
                return self._aimed(session, decision, wanted)
        except NotUnderstood as error:
            raise Unclear(str(error)) from None
        return wanted

    def _placed(self, session: Any, decision: PlaceFree, wanted: Mapping[str, Any]) -> Any:
        strangers = [key for key in wanted if key not in PLACE_KEYS]
        if strangers or "to" not in wanted:
            raise Unclear("a place is told with to, and perhaps facing, floor, models and way")
        x, y = spot(wanted["to"], lengths_of(session))
        unit = session.state.by_id[decision.unit]
        turned = heading(wanted["facing"]) if "facing" in wanted else unit.facing
        answer: list[Any] = [x, y, turned, int(wanted.get("floor", 0))]
        if "models" in wanted or "way" in wanted:
            answer.append([list(spot(one, lengths_of(session))) for one in wanted.get("models", ())])
        if "way" in wanted:
            answer.append([list(spot(one, lengths_of(session))) for one in wanted["way"]])
        return answer

    def _aimed(self, session: Any, decision: Assign, wanted: Mapping[str, Any]) -> Any:
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
            answer.append(self._aim(session, decision, item, options, goal))
        return answer

    def _aim(self, session: Any, decision: Assign, item: Any, options: Any, goal: Any) -> Any:
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
        centre = at(*spot(goal["centre"], lengths_of(session)))
        flames = any(aim is not None and "flame" in aim for aim in options)
        whom = goal.get("at", centre)
        return (whom, "flame", centre, "from", bearer) if flames else (whom, "blast", centre)
