"""Referee files of Dust games on the open table: positions, and the words and questions of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from dieselfront.kernel.decisions import Assign, Decision, PlaceFree
from dieselfront.referee import choices
from dieselfront.referee.choices import EVERYTHING, NOBODY, THE_REST, Unclear, Unreadable, simple
from dieselfront.referee.contract import OwnQuestion, lengths_of
from dieselfront.referee.document import Entry
from dieselfront.referee.measured_words import NotUnderstood, heading, points, spot
from dieselfront.rulesets.dust1947.referee import Dust1947Adaptor
from dieselfront.rulesets.dust1947.referee.odds import odds
from dieselfront.rulesets.dust_open.chapters import AnyHeading
from dieselfront.rulesets.dust_open.places import at
from dieselfront.rulesets.dust_open.playing import on_open_table
from dieselfront.rulesets.dust_open.referee.casualties import casualties
from dieselfront.rulesets.dust_open.referee.position import KEYS, UNIT_KEYS, OpenPosition
from dieselfront.rulesets.dust_open.templates import BLAST, middle_of

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947

PLACE_KEYS = ("to", "facing", "floor", "models", "way")
THEN = re.compile(r"\s*(?:\bthen\b|->|→)\s*", re.IGNORECASE)
AIM_KEYS = ("at", "centre", "soldier", "floor", "smoke", "volley")


class OpenAdaptor(Dust1947Adaptor):
    """What a file of a game on the open table may say and ask."""

    keys: ClassVar[tuple[str, ...]] = KEYS
    unit_keys: ClassVar[tuple[str, ...]] = UNIT_KEYS
    own_questions: ClassVar[dict[str, OwnQuestion]] = {"odds": odds, "casualties": casualties}
    objective_rules: ClassVar[tuple[str, ...]] = ("ff.open.objectives", "d47.victory.vp")
    aim_words: ClassVar[dict[str, str]] = Dust1947Adaptor.aim_words | {
        "blast": 'a blast template: `{howitzer: {at: b1, centre: "20in, 10in"}}`, without `at` on open ground',
        "flame": 'a flame from a bearer: `{flamethrower: {at: b1, centre: "20in, 10in", soldier: 4}}`',
        "from": "the soldier who carries the flamethrower, by his number",
    }

    def terrain_words(self, rules: Dust1947) -> dict[str, str]:
        """The kinds of terrain: sight and cover."""
        return {kind: f"sight: {terrain.sight}; cover: {terrain.cover}" for kind, terrain in rules.terrain.items()}

    def position(self, rules: Dust1947, root: dict[str, Entry], options: dict[str, str]) -> Any:
        """The state that the file describes."""
        return OpenPosition(on_open_table(rules), root, options).state()

    def words(self, session: Any, decision: Decision, wanted: Any) -> Any:
        """Places with floors and models set by hand; templates by their centre."""
        wanted = super().words(session, decision, wanted)
        try:
            if isinstance(decision, PlaceFree):
                if wanted in ("stay", "here"):
                    unit = session.state.by_id[decision.unit]
                    return [unit.place, unit.facing]
                wanted = self._way(decision, wanted)
                if isinstance(wanted, Mapping):
                    return self._placed(session, decision, wanted)
                return points(decision, wanted, lengths_of(session))
            if isinstance(decision, AnyHeading):
                return heading(wanted)
            if isinstance(decision, Assign) and isinstance(wanted, str | Mapping):
                wanted = _on_the_middle(session, decision, wanted)
            if isinstance(decision, Assign) and isinstance(wanted, Mapping):
                return self._aimed(session, decision, wanted)
        except NotUnderstood as error:
            raise Unreadable(str(error)) from None
        return wanted

    def _way(self, decision: PlaceFree, wanted: Any) -> Any:
        """ "A then B" goes to B by way of A."""
        stops = THEN.split(wanted) if isinstance(wanted, str) else []
        if len(stops) < 2 or not getattr(decision.region, "takes_ways", False):
            return wanted
        return {"to": stops[-1], "way": stops[:-1]}

    def _placed(self, session: Any, decision: PlaceFree, wanted: Mapping[str, Any]) -> Any:
        strangers = [key for key in wanted if key not in PLACE_KEYS]
        if strangers or "to" not in wanted:
            raise Unclear("a place is given by to, and perhaps facing, floor, models and way")
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
            if not any(item_words.startswith(simple(str(name))) for item_words in known):
                raise Unclear(f"{name} cannot be used now; there are {', '.join(dict.fromkeys(known))}")
        for name, goal in wanted.items():
            if isinstance(goal, Mapping) and "soldier" in goal:
                self._check_bearers(decision, str(name), _numbers(goal["soldier"]))
        answer: list[Any] = []
        for item, options in zip(decision.items, decision.choices, strict=True):
            item_words = simple(decision.item(item))
            goal = next((goal for name, goal in wanted.items() if item_words.startswith(simple(str(name)))), None)
            answer.append(self._aim(session, decision, item, options, goal))
        return answer

    def _check_bearers(self, decision: Assign, name: str, soldiers: Sequence[int]) -> None:
        """Every soldier named for a weapon must have one to use now."""
        items = [item for item in decision.items if simple(decision.item(item)).startswith(simple(name))]
        bearers = sorted({item[2] + 1 for item in items})
        strangers = [soldier for soldier in soldiers if soldier not in bearers]
        if strangers:
            listed = ", ".join(map(str, bearers))
            raise Unclear(f"soldier {strangers[0]} has no {name} to use now; of soldiers there are: {listed}")

    def _aim(self, session: Any, decision: Assign, item: Any, options: Any, goal: Any) -> Any:
        if goal is None or goal in NOBODY:
            return None
        if not isinstance(goal, Mapping):
            return self._plain_aim(decision, item, options, goal)
        if [key for key in goal if key not in AIM_KEYS]:
            raise Unclear("an aim is given by at, soldier, volley, and for templates centre, floor or smoke")
        if "soldier" in goal and item[2] + 1 not in _numbers(goal["soldier"]):
            return None
        if "smoke" in goal:
            spot_of_smoke = self._centre(session, goal["smoke"], goal)
            return (spot_of_smoke, "smoke", self._field(session, options, spot_of_smoke))
        if "centre" not in goal:
            if "at" not in goal:
                raise Unclear("an aim needs at, centre or smoke: what is it aimed at?")
            volleys = [aim for aim in options if aim is not None and ("volley", goal.get("volley")) in pairwise(aim)]
            return self._plain_aim(decision, item, volleys if "volley" in goal else options, goal["at"])
        centre = self._centre(session, goal["centre"], goal)
        if any(aim is not None and "area" in aim for aim in options):
            return (centre, "area", self._field(session, options, centre))
        flames = any(aim is not None and "flame" in aim for aim in options)
        whom = goal.get("at", centre)
        return (whom, "flame", centre, "from", item[2]) if flames else (whom, "blast", centre)

    def _field(self, session: Any, options: Any, centre: int) -> tuple[int, ...]:
        """The places that shells cover round a point: as many as those of the aims offered."""
        sizes = {len(aim[2]) for aim in options if aim is not None and aim[1:2] in (("area",), ("smoke",))}
        blocks: tuple[tuple[int, ...], ...] = session.state.table.blocks_of_four(centre)
        return blocks[0] if 4 in sizes else (centre,)

    def _plain_aim(self, decision: Assign, item: Any, options: Any, whom: Any) -> Any:
        aims = [aim for aim in options if aim is not None and aim[0] == whom]
        if not aims:
            raise Unclear(f"{decision.item(item)} cannot be aimed at {whom}")
        return aims[0]

    def _centre(self, session: Any, where: Any, goal: Mapping[str, Any]) -> int:
        """The middle of a template, on a floor of a building perhaps."""
        return int(at(*spot(where, lengths_of(session)), int(goal.get("floor", 0))))


def _on_the_middle(session: Any, decision: Assign, wanted: str | Mapping[str, Any]) -> Any:
    """Aims as written; a blast without a centre lies on the middle of its target.

    Words that mean weapons with blasts and others say both then: "all at b1" is "all at b1, all at b1 blast ...".
    """
    if isinstance(wanted, Mapping) and any(isinstance(goal, Mapping) for goal in wanted.values()):
        return wanted
    clauses: list[str] = []
    changed = False
    for what, whom in choices.aims_written(wanted):
        aims = [aim for place in choices.items_called(decision, what) for aim in decision.choices[place]]
        blast = _middle_blast(session, aims, str(whom))
        plain = (whom,) in aims
        if blast and plain and simple(what) not in (*EVERYTHING, *THE_REST):
            blast = ""
        changed |= blast != ""
        if not blast or plain:
            clauses.append(f"{what} at {whom}")
        if blast:
            clauses.append(f"{what} at {blast}")
    return clauses if changed else wanted


def _middle_blast(session: Any, aims: Sequence[Any], whom: str) -> str:
    """The aim of a blast on the middle of a unit in words, "" if none of these weapons has one."""
    unit = session.state.by_id.get(whom)
    if unit is None or not unit.where:
        return ""
    middle = int(middle_of(unit))
    return f"{whom} {BLAST} {middle}" if (whom, BLAST, middle) in aims else ""


def _numbers(words: Any) -> list[int]:
    """Soldiers by their numbers, the first is 1."""
    listed = words if isinstance(words, list) else [words]
    try:
        numbers = [int(one) for one in listed]
    except (TypeError, ValueError):
        numbers = [0]
    if min(numbers, default=0) < 1:
        raise Unclear(f"{words!r} is no number of a soldier; the first is 1")
    return numbers
