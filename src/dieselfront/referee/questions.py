"""The questions that every game answers, over its field, its weapons and its view; each with reasons and rules.

Questions of one game alone (morale, casualties ...) stand in its companion module; so do its odds, for now.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dieselfront.kernel.decisions import Place, PlaceFree
from dieselfront.kernel.events import one_of_each
from dieselfront.kernel.field import BLOCKED, CLEAR, NO_COVER, At, End, Field, NoAnswer, Reason, Sight
from dieselfront.referee import measured_words as words
from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import RefereeError, counted, suggestion
from dieselfront.referee.facings import facing
from dieselfront.referee.measured_positions import understood
from dieselfront.referee.measured_words import show_spot
from dieselfront.referee.results import Answer
from dieselfront.referee.session import Session

SQUARES = "squares"
FROM = ("from", "unit", "attacker")
TO = ("to", "target")
HOW = ("action", "order", "how")
LENGTHS = ("radius", "width", "length")


class Questions:
    """Answers about one position. `lengths` is what bare numbers mean on a measured table."""

    def __init__(self, session: Session, lengths: str = "in") -> None:
        self.session = session
        self.rules = session.rules
        self.state = session.state
        self.play = session.play
        self.lengths = lengths
        self.field: Field[Any] = session.rules.field
        self.on_squares = session.rules.table == SQUARES
        self.names = {unit.id: unit.name for unit in self.field.units(self.state)}

    @classmethod
    def kinds(cls) -> tuple[str, ...]:
        """What can be asked of every game."""
        return tuple(HANDLERS)

    def answer(self, kind: str, entry: Entry) -> Answer:
        """The answer to one question; questions that make no sense are refused with their line."""
        handler: Callable[[Questions, Entry], Answer] = HANDLERS[kind]
        try:
            return handler(self, entry)
        except NoAnswer as error:
            raise self._where(entry, error).no_answer(error) from None

    def _where(self, entry: Entry, error: NoAnswer) -> Entry:
        """The value that a refusal is about, else the whole question."""
        for one in (entry.pairs or {}).values():
            if error.about and one.pairs is None and str(one.plain()) == error.about:
                return one
        return entry

    # -- sight and cover ------------------------------------------------------------------------

    def sight(self, entry: Entry) -> Answer:
        """May one see the other, is there cover, and why."""
        pairs = entry.table(("from", "to", "weapon"))
        answer = self.field.sight(self.play, self._end(pairs, FROM, entry), self._end(pairs, TO, entry), _text(pairs))
        seen = f"sees {answer.target_name} at {self._far(answer.distance)}, {self._shelter(answer)}"
        text = [f"{answer.viewer_name} {seen if answer.visible else f'cannot see {answer.target_name}'}."]
        return self._sight_answer("sight", answer, text)

    def cover(self, entry: Entry) -> Answer:
        """Is the target in cover from the attacker, what gives it, and what it saves on."""
        pairs = entry.table(("from", "to", "weapon"))
        viewer, target = self.unit(pairs, FROM, entry), self.unit(pairs, TO, entry)
        answer = self.field.cover(self.play, viewer, target, _text(pairs))
        text = [f"{answer.target_name} is {self._shelter(answer, 'not in cover')} from {answer.viewer_name}."]
        if not answer.visible:
            nothing = f"{answer.target_name} cannot be seen from {answer.viewer_name}"
            text = [f"{nothing}, so there is no shot to be in cover from."]
        return self._sight_answer("cover", answer, text)

    def _sight_answer(self, kind: str, sight: Sight, text: list[str]) -> Answer:
        several = len(sight.lines) > 1
        lines = [self._line_facts(line) for line in sight.lines]
        for line in sight.lines:
            why = "; ".join(f"{reason.text} ({reason.rule})" for reason in line.reasons)
            named = f"{line.label}: {line.kind}" if several else line.kind
            if why or several:
                text.append(f"{named}: {why}" if why else named)
        for reason in sight.because:
            text.append(f"{'' if reason.blocks else 'cover: '}{reason.text} ({reason.rule})")
        facts = {
            "from": sight.viewer,
            "to": sight.target,
            "visible": sight.visible,
            "cover": self._grade(sight, kind),
            "range": sight.distance,
            **sight.facts,
            "lines": lines,
        }
        marks = sight.marks if sight.marks else {"lines": lines}
        return Answer(kind, [text[0], *sight.notes, *text[1:]], facts, sight.rules, marks)

    def _grade(self, sight: Sight, kind: str) -> Any:
        """In cover or not; where there are grades, which one, and nothing where no shot is possible."""
        if len(self.field.grades) == 1:
            return sight.visible and sight.cover != NO_COVER
        return sight.cover if sight.visible else None

    def _shelter(self, sight: Sight, none: str = "in the open") -> str:
        if sight.cover == NO_COVER:
            return none
        return "in cover" if len(self.field.grades) == 1 else f"in {sight.cover} cover"

    def _line_facts(self, line: Any) -> dict[str, Any]:
        return {
            "from": line.viewer,
            "to": line.target,
            "label": line.label,
            "kind": line.kind,
            "visible": line.kind != BLOCKED,
            "cover": line.kind not in (BLOCKED, CLEAR),
            **line.facts,
            "reasons": [reason_facts(reason) for reason in line.reasons],
        }

    def _far(self, length: float) -> str:
        return f"{length:g}{self.field.length_mark}" if self.field.length_mark else f"range {length:g}"

    # -- range, arcs, facings ---------------------------------------------------------------------

    def range(self, entry: Entry) -> Answer:
        """How far apart two units or places are, and which weapons reach."""
        pairs = entry.table(("from", "to"))
        one, other = self._end(pairs, FROM, entry), self._end(pairs, TO, entry)
        answer = self.field.distance(self.state, one, other)
        text = [f"{self._called(one)} and {self._called(other)} are {self._apart(answer.length)}.", *answer.notes]
        mark = self.field.length_mark
        for weapon in answer.weapons:
            reaches = weapon.get("text") or ("in range" if weapon["reaches"] else "out of range")
            text.append(f"{weapon['weapon']} ({weapon['range']}{mark}): {reaches}")
        facts = {"from": self._id(one), "to": self._id(other), "range": answer.length, **answer.facts}
        return Answer("range", text, facts | {"weapons": answer.weapons}, answer.rules, answer.marks)

    def _apart(self, length: float) -> str:
        return f"{self._far(length)} apart" if self.field.length_mark else f"at {self._far(length)}"

    def arc(self, entry: Entry) -> Answer:
        """Is a target inside a weapon's arc?"""
        pairs = entry.table(("unit", "from", "weapon", "to", "target", "facing"))
        unit, goal = self.unit(pairs, FROM, entry), self._end(pairs, TO, entry)
        answer = self.field.bearing(self.state, unit, goal, _text(pairs), self._facing(pairs))
        arc = "all round" if answer.arc in ("all", "turret", "all round") else f"the {answer.arc} arc"
        looks = f", {self.names[unit]} faces {answer.facing}" if answer.facing else ""
        inside = "inside" if answer.inside else "outside"
        text = [f"{self._called(goal)} is {inside} the arc of {answer.weapon} ({arc}{looks}) ({answer.rules[0]})"]
        facts = {
            "unit": unit,
            "weapon": answer.weapon,
            "to": self._id(goal),
            "arc": answer.arc,
            "inside": answer.inside,
        }
        return Answer("arc", text, facts | answer.facts, answer.rules, answer.marks)

    def facing(self, entry: Entry) -> Answer:
        """Which side of a target a shooter hits."""
        pairs = entry.table(("from", "to"))
        one, other = self._end(pairs, FROM, entry), self.unit(pairs, TO, entry)
        answer = self.field.facing(self.state, one, other)
        side = f"the {answer.side} side" if answer.name == "side" else f"the {answer.name}"
        text = [f"{self._called(one)} hits {side} of {self._called(other)} ({answer.rules[0]})."]
        facts = {"from": self._id(one), "to": other, "facing": answer.name, "side": answer.side}
        return Answer("facing", text, facts, answer.rules, answer.marks)

    # -- reach ------------------------------------------------------------------------------------

    def reach(self, entry: Entry) -> Answer:
        """Where a unit can go, with the costs; with `to` or `path` also whether that is reached, and why not."""
        pairs = entry.table(("unit", *HOW, "to", "path", "facing", "floor"))
        unit = self.unit(pairs, FROM, entry)
        how = next((simple(pairs[key].text()) for key in HOW if key in pairs), "")
        under_way = self._under_way(unit)
        goal_entry = pairs.get("path") or pairs.get("to")
        goal = None if goal_entry is None else self._goal(unit, how, under_way, goal_entry, pairs)
        answer = self.field.reach(self.play, unit, how, goal, self._facing(pairs), under_way)
        text = [self._reach_text(unit, answer), *answer.notes]
        facts: dict[str, Any] = {"unit": unit, "action": answer.how, "order": answer.how, "budget": answer.budget}
        facts |= {"squares": answer.squares} if answer.squares is not None else {}
        facts |= answer.facts
        if goal_entry is not None:
            facts["to"], facts["reached"] = self._shown(goal_entry), answer.reached
            facts |= {"cost": answer.cost} if answer.cost is not None else {}
            facts |= {"path": [_plain(point) for point in answer.path]} if answer.path else {}
            facts |= {"reason": answer.reason} if answer.reason else {}
            text.append(self._way_text(facts["to"], answer))
        return Answer("reach", text, facts, answer.rules, answer.marks)

    def _reach_text(self, unit: str, reach: Any) -> str:
        if not reach.may:
            return f"{self.names[unit]} cannot {reach.how}."
        squares = reach.squares
        listed = "" if squares is None else ": " + ", ".join(f"{name} ({cost})" for name, cost in squares.items())
        word, sign = _unit_of(self.field)
        length = reach.facts.get(word)
        budget = f"{reach.budget:g}" if length is None else f"{length:g}{sign}"
        return f"{self.names[unit]} can {reach.how} up to {budget}{listed}"

    def _way_text(self, goal: str, reach: Any) -> str:
        if not reach.reached:
            return f"{goal}: no, {one_of_each(reach.reason) or 'it is out of reach'}"
        mark = "" if self.on_squares else _unit_of(self.field)[1]
        way = (", " if self.on_squares else " then ").join(self._shown_point(point) for point in reach.path)
        return f"{goal}: yes, for {reach.cost:g}{mark}" + (f" by {way}" if way else "")

    def _under_way(self, unit: str) -> Any:
        """The move that is being chosen for this unit: what was spent before is gone."""
        decision = self.session.decision
        if decision is None or decision.unit != unit:
            return None
        if isinstance(decision, Place):
            return decision.spots
        return decision.region if isinstance(decision, PlaceFree) else None

    def _goal(self, unit: str, how: str, under_way: Any, entry: Entry, pairs: dict[str, Entry]) -> Any:
        """A square, a spot, or a whole way in the words of moves."""
        if self.on_squares:
            return entry.text()
        if not self.field.goal_is_way:
            floor = [pairs["floor"].number(0, 9)] if "floor" in pairs else []
            return (*self._spot(entry), *floor)
        how = how or self.field.ways[0]
        where = under_way if under_way is not None else self.field.region(self.state, unit, how)
        return understood(entry, lambda: words.points(PlaceFree(0, "reach", where), entry.plain(), self.lengths))

    def _shown(self, entry: Entry) -> str:
        if self.on_squares or self.field.goal_is_way:
            return entry.text() if entry.pairs is None and entry.items is None else str(entry.plain())
        return self._show(*self._spot(entry))

    # -- weapons ----------------------------------------------------------------------------------

    def weapons(self, entry: Entry) -> Answer:
        """Which weapons can be used on a target, and why the others cannot."""
        pairs = entry.table(("from", "unit", "attacker", "to", "target", *HOW))
        unit, target = self.unit(pairs, FROM, entry, riding=True), self.unit(pairs, TO, entry)
        how = next((simple(pairs[key].text()) for key in HOW if key in pairs), "")
        uses = self.field.weapons(self.play, unit, target, how)
        listed, text = [], []
        for use in uses:
            listed.append(
                {"weapon": use.weapon, "usable": use.usable, "reason": use.reason, "rule": use.rule, **use.facts}
            )
            called = f"{use.weapon} ({use.facts['round']})" if use.facts.get("round") else use.weapon
            said = use.facts.get("text", "usable") if use.usable else f"no, {use.reason} ({use.rule})"
            text.append(f"{called}: {said}")
        rules = list(dict.fromkeys(rule for use in uses for rule in (use.rule, *use.facts.get("rules", ()))))
        facts = {"from": unit, "to": target, "order": how, "weapons": listed}
        return Answer("weapons", text or [f"{self.names[unit]} has no weapons to use now."], facts, rules)

    # -- the table --------------------------------------------------------------------------------

    def terrain(self, entry: Entry) -> Answer:
        """What lies at a place and who stands there; with `unit`, what each kind of terrain does to it."""
        if entry.is_table and "unit" in entry.table():
            unit = self.unit(entry.table(("unit",)), FROM, entry)
            effects = self.field.terrain(self.state, unit)
            text = [f"{effect.kind}: {effect.text}" for effect in effects] or ["There is no terrain on the table."]
            rules = list(dict.fromkeys(rule for effect in effects for rule in effect.rules))
            facts: dict[str, Any] = {"unit": unit, "terrain": {effect.kind: effect.text for effect in effects}}
            return Answer("terrain", text, facts, rules)
        pairs = entry.table(("at",)) if entry.is_table else {"at": entry}
        if "at" not in pairs:
            raise entry.wrong("'at' is missing: which place?")
        at = At(pairs["at"].text() if self.on_squares else self._spot(pairs["at"]))
        answer = self.field.terrain_at(self.state, at)
        return Answer("terrain", [answer.text], answer.facts, answer.rules)

    def square(self, entry: Entry) -> Answer:
        """The same, by the name that squares have."""
        answer = self.terrain(entry)
        answer.kind = "square"
        return answer

    def template(self, entry: Entry) -> Answer:
        """Whom a template laid on the table touches."""
        pairs = entry.table(("shape", "at", "from", "to", "weapon", "soldier", *LENGTHS))
        if self.on_squares:
            raise entry.wrong("templates are laid on measured tables; on squares ask for sight and weapons")
        goal = pairs.get("at") or pairs.get("to")
        if goal is None:
            raise entry.wrong("'at' is missing: where is the centre of the template?")
        shape = pairs["shape"].text() if "shape" in pairs else "blast" if "from" not in pairs else "flame"
        start = self._end(pairs, FROM, entry) if "from" in pairs else None
        details: dict[str, Any] = {
            key: understood(pairs[key], lambda key=key: words.length(pairs[key].plain(), self.lengths))  # type: ignore[misc]
            for key in LENGTHS
            if key in pairs
        }
        details |= {"weapon": pairs["weapon"].text()} if "weapon" in pairs else {}
        details |= {"soldier": pairs["soldier"].number(1)} if "soldier" in pairs else {}
        at = self._point(goal)
        answer = self.field.template(self.play, shape, at, start, **details)
        touched = [f"{len(models)} of {self.names[id]}" for id, models in answer.touched.items()]
        text = [f"The {answer.shape} template at {self._show(*at)} touches {', '.join(touched) or 'nobody'}."]
        text += [f"{self.names[id]} ({id}): {', '.join(map(str, models))}" for id, models in answer.touched.items()]
        facts = {"shape": answer.shape, "at": self._show(*at), "touched": answer.touched}
        return Answer("template", [*text, *answer.notes], facts, answer.rules, answer.marks)

    def _point(self, entry: Entry) -> tuple[int, int]:
        """A place, or the middle of a unit."""
        end = self._end({"at": entry}, ("at",), entry)
        if isinstance(end, At):
            x, y = end.place
            return x, y
        centre = next(unit.centre for unit in self.field.units(self.state) if unit.id == end)
        return round(centre[0]), round(centre[1])

    def coherency(self, entry: Entry) -> Answer:
        """Do the models of a unit stand together?"""
        pairs = entry.table(("unit",)) if entry.is_table else {"unit": entry}
        unit = self.unit(pairs, FROM, entry)
        answer = self.field.coherency(self.state, unit)
        out = f"out of coherency: {', '.join(map(str, answer.out))}" if answer.out else "out of coherency"
        text = [f"{self.names[unit]} is {'in coherency' if answer.holds else out} ({answer.rules[0]})", *answer.notes]
        facts = {"unit": unit, "holds": answer.holds, "out": answer.out, **answer.facts}
        return Answer("coherency", text, facts, answer.rules, answer.marks)

    def objectives(self, entry: Entry) -> Answer:
        """Who holds what, and the points."""
        shown = self.rules.view(self.state)
        sides = [side["name"] for side in shown["sides"]]
        text = []
        for one in shown["objectives"]:
            holder = "nobody" if one["holder"] is None else sides[one["holder"]]
            where = ", ".join(one["places"]) if "places" in one else ", ".join(self._show(*at) for at in one["spots"])
            text.append(f"{one['name']} ({where}): held by {holder}, {counted(one['points'], 'point')}")
        score = list(shown.get("score") or (side["points"] for side in shown["sides"]))
        text += [f"{name}: {counted(points, 'point')}" for name, points in zip(sides, score, strict=True)]
        return Answer("objectives", text, {"objectives": shown["objectives"], "score": score}, [])

    # -- words ------------------------------------------------------------------------------------

    def unit(self, pairs: dict[str, Entry], keys: tuple[str, ...], entry: Entry, *, riding: bool = False) -> str:
        """The id of a unit on the table, or of one that rides in another."""
        end = self._end(pairs, keys, entry, riding=riding)
        if isinstance(end, At):
            wanted = next(pairs[key] for key in keys if key in pairs)
            raise wanted.wrong(f"expected a unit, not the place {wanted.plain()}")
        return end

    def _end(self, pairs: dict[str, Entry], keys: tuple[str, ...], entry: Entry, *, riding: bool = False) -> End:
        """A unit by id or name, or a place."""
        wanted = next((pairs[key] for key in keys if key in pairs), None)
        if wanted is None:
            raise entry.wrong(f"'{keys[0]}' is missing")
        if not wanted.is_list and not wanted.is_table:
            text = wanted.text()
            named = [id for id, name in self.names.items() if simple(name) == simple(text)]
            if text in self.names:
                return self._standing(text, wanted, riding)
            if len(named) == 1:
                return self._standing(named[0], wanted, riding)
            if not self._is_place(text):
                raise wanted.wrong(f"there is no unit '{text}'{suggestion(text, self.names)}")
        return At(wanted.text() if self.on_squares else self._spot(wanted))

    def _standing(self, id: str, entry: Entry, riding: bool = False) -> str:
        where = next(unit.where for unit in self.field.units(self.state) if unit.id == id)
        if where != "table" and not (riding and where == "aboard"):
            raise entry.impossible(f"{id} is not on the {'board' if self.on_squares else 'table'}")
        return id

    def _is_place(self, text: str) -> bool:
        """Does it look like a square (its letters are capitals), or like a spot?"""
        if not self.on_squares:
            return text[:1].isdigit()
        return text[:1].isupper() and text.rstrip("+0123456789").isalpha() and any(c.isdigit() for c in text)

    def _spot(self, entry: Entry) -> tuple[int, int]:
        return understood(entry, lambda: words.spot(entry.plain(), self.lengths))

    def _facing(self, pairs: dict[str, Entry]) -> int | None:
        if "facing" not in pairs:
            return None
        return understood(pairs["facing"], lambda: facing(self.rules.table, pairs["facing"].plain()))

    def _called(self, end: End) -> str:
        if isinstance(end, str):
            return str(self.names[end])
        return str(end.place) if self.on_squares else self._show(*end.place)

    def _shown_point(self, point: Any) -> str:
        return point if isinstance(point, str) else self._show(*point[:2])

    def _show(self, x: int, y: int) -> str:
        return show_spot(x, y, _unit_of(self.field)[1].strip())

    def _id(self, end: End) -> str:
        return self._called(end) if isinstance(end, At) else end


HANDLERS: dict[str, Callable[[Questions, Entry], Answer]] = {
    "sight": Questions.sight,
    "cover": Questions.cover,
    "range": Questions.range,
    "arc": Questions.arc,
    "facing": Questions.facing,
    "reach": Questions.reach,
    "weapons": Questions.weapons,
    "objectives": Questions.objectives,
    "terrain": Questions.terrain,
    "square": Questions.square,
    "template": Questions.template,
    "coherency": Questions.coherency,
}


def reason_facts(reason: Reason) -> dict[str, Any]:
    """A reason as plain data."""
    return {
        "code": reason.code,
        "effect": reason.code,
        "what": reason.what,
        "who": reason.what,
        "places": [_plain(place) for place in reason.places],
        "at": _plain(reason.places[0]) if reason.places else None,
        "blocks": reason.blocks,
        "rule": reason.rule,
        "text": reason.text,
        **reason.facts,
    }


def _plain(point: Any) -> Any:
    return list(point) if isinstance(point, tuple) else point


def _unit_of(field: Any) -> tuple[str, str]:
    """What facts call a length of a measured table, and the sign behind its number."""
    return field.unit_word, field.unit_sign


def _text(pairs: dict[str, Entry]) -> str:
    return pairs["weapon"].text() if "weapon" in pairs else ""


__all__ = ["HANDLERS", "Questions", "RefereeError", "reason_facts"]
