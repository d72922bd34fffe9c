"""Questions about a position on the open table: sight and cover model by model, range, arcs, reach, templates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dieselfront.referee import measured_words as words
from dieselfront.referee.court import Answer
from dieselfront.referee.document import Entry
from dieselfront.referee.dust_questions import ACTIONS, Questions, _verdict
from dieselfront.referee.errors import suggestion
from dieselfront.referee.konflikt_position import understood
from dieselfront.referee.session import Session
from dieselfront.rulesets.dust.shots import Attack, Line, Shot
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.freeform1947.ground import ARCS, REASON_RULES, FreeLine
from dieselfront.rulesets.freeform1947.models import Figure
from dieselfront.rulesets.freeform1947.places import CIRCLE, INCH, RANGE, at, xy
from dieselfront.rulesets.freeform1947.view import figure_name
from dieselfront.table.measured.arcs import ALL_ROUND, in_arc
from dieselfront.table.measured.shapes import distance
from dieselfront.table.measured.templates import Disc, flame_tape

EFFECTS = {
    "blocks": "{who} hides {what}",
    "through": "{who} lies between: nobody sees through it",
    "depth": "too much of {who} lies on the line",
    "floor": "{who}: walls and floors lie between",
    "reach": "inside {who} one sees no farther than range 3",
    "screens": "{who} stands before {what}",
    "area": "the line runs through {who}",
    "opening": "the line passes an opening of {who}",
}


class FreeQuestions(Questions):
    """Answers about one position, in inches."""

    def __init__(self, session: Session, unit: str = "in") -> None:
        super().__init__(session)
        self.lengths = unit
        self.ground = self.rules.ground

    def handlers(self) -> dict[str, Callable[[Entry], Answer]]:
        own = {"template": self.template, "casualties": self.casualties, "coherency": self.coherency}
        return super().handlers() | own

    # -- sight and cover ------------------------------------------------------------------------

    def sight(self, entry: Entry) -> Answer:
        viewer, target, line, facts, marks = self._looked(entry)
        text = [_verdict(viewer.name, target.name, line), *self._told(facts["models"])]
        rules = self._rules(facts["models"])
        if line.refusal is not None:
            text.append(f"{line.refusal[1]} ({line.refusal[0]})")
            rules.insert(0, line.refusal[0])
        return Answer("sight", text, facts, list(dict.fromkeys(rules)), marks)

    def cover(self, entry: Entry) -> Answer:
        pairs = entry.table(("from", "to", "weapon"))
        viewer, target, line, facts, marks = self._looked(entry)
        more = self._further_cover(viewer, target, line)
        facts["cover"] = line.visible and (line.cover or bool(more))
        hidden, count = len(line.covered), len(target.figures)
        needed = max(1, count // 2)
        if not line.visible:
            text = [f"{target.name} cannot be seen from {viewer.name}, so there is no shot to be in cover from."]
        else:
            told = "in cover" if facts["cover"] else "not in cover"
            text = [
                f"{target.name} is {told} from {viewer.name}: "
                f"{hidden} of {count} covered, {needed} needed (ff.cover.unit)"
            ]
        text += [*self._told(facts["models"]), *(f"cover: {words} ({rule})" for rule, words in more)]
        rules = ["ff.cover.unit", *self._rules(facts["models"]), *(rule for rule, _ in more)]
        if line.visible and "weapon" in pairs:
            saves = self._saves(viewer, target, pairs["weapon"], line)
            facts["saves"] = saves
            text += [f"{save['label']} on {' or '.join(save['faces'])} ({save['rule']})" for save in saves] or [
                "No save."
            ]
        return Answer("cover", text, facts, list(dict.fromkeys(rules)), marks)

    def _looked(self, entry: Entry) -> tuple[Unit, Unit, FreeLine, dict[str, Any], dict[str, Any]]:
        """Everything about the line between two units, and what of it can be drawn."""
        pairs = entry.table(("from", "to", "weapon"))
        viewer, target = self._unit(pairs, "from", entry), self._unit(pairs, "to", entry)
        mount = self._mount(viewer, pairs)
        blockers = self.ground.sight_blockers(self.state, viewer)
        plain = "all" if "weapon" not in pairs else None
        line: FreeLine = self.ground.line(self.state, viewer, target, mount, blockers, arc=plain)
        dimmed: Line = self.rules.weather.dim(self.state, viewer, target, line)
        line = dimmed if isinstance(dimmed, FreeLine) else FreeLine(dimmed.distance, False, refusal=dimmed.refusal)
        mine = self.ground.leader(self.state, viewer)
        arc = ALL_ROUND if plain or viewer.is_infantry else ARCS[mount]
        models, sights = [], []
        for figure, body in zip(target.figures, self.ground.bodies(self.state, target), strict=True):
            sighting = self.ground.look(self.state, viewer, mine, target, body, blockers, arc)
            sights.append((body, sighting))
            models.append(
                {
                    "model": self._model(target, figure),
                    "soldier": figure[1],
                    "leader": figure == target.figures[0],
                    "seen": figure in line.seen,
                    "covered": figure in line.covered,
                    "inches": round(distance(mine, body) / INCH, 2),
                    "reasons": [self._why(reason, target) for reason in sighting.reasons],
                }
            )
        facts = {
            "from": viewer.id,
            "to": target.id,
            "visible": line.visible,
            "cover": line.cover,
            "range": line.distance,
            "inches": round(self.ground.tenths(self.state, viewer, target) / INCH, 2),
            "seen": sum(1 for model in models if model["seen"]),
            "covered": sum(1 for model in models if model["covered"]),
            "models": models,
        }
        return viewer, target, line, facts, {"sights": sights}

    def _model(self, unit: Unit, figure: Figure) -> str:
        name = figure_name(unit, figure)
        return name if figure[1] < 0 else f"{name} {figure[1] + 1}"

    def _why(self, reason: Any, target: Unit) -> dict[str, Any]:
        who = reason.who[0] if isinstance(reason.who, tuple) else str(reason.who)
        named = self.state.by_id[who].name if who in self.state.by_id else who.partition("@")[0]  # smoke@95,85
        rule = "ff.los.vehicles_block" if reason.is_model else REASON_RULES.get(reason.effect, "ff.cover.model")
        return {
            "who": who,
            "effect": reason.effect,
            "at": words.show_spot(*reason.at),
            "blocks": reason.hides,
            "rule": rule,
            "text": EFFECTS.get(reason.effect, "{who} is in the way").format(who=named, what=target.name),
        }

    def _told(self, models: list[dict[str, Any]]) -> list[str]:
        """A sentence for every model that is not simply in the open."""
        told = []
        for model in models:
            state = "in the open" if not model["covered"] else "in cover" if model["seen"] else "unseen"
            leads = ", the leader" if model["leader"] and len(models) > 1 else ""
            why = "; ".join(f"{reason['text']} ({reason['rule']})" for reason in model["reasons"])
            told.append(f"{model['model']}{leads}: {state}" + (f": {why}" if why else ""))
        return told

    def _rules(self, models: list[dict[str, Any]]) -> list[str]:
        found = [reason["rule"] for model in models for reason in model["reasons"]]
        return list(dict.fromkeys(found)) or ["ff.los.trace"]

    # -- range and arcs -------------------------------------------------------------------------

    def range(self, entry: Entry) -> Answer:
        pairs = entry.table(("from", "to"))
        one, other = self._unit(pairs, "from", entry), self._unit(pairs, "to", entry)
        tenths = self.ground.tenths(self.state, one, other)
        line = self.ground.line(self.state, one, other, None, self.ground.sight_blockers(self.state, one), arc="all")
        far = line.distance if line.visible else self.ground.distance(self.state, one, other)
        seen = "the nearest model it sees" if line.visible else "the nearest model"
        text = [f'{one.name} is {tenths / INCH:.2f}" from {other.name}; range {far}, measured to {seen}.']
        reaches = [
            {"weapon": w.name, "range": w.range_text, "reaches": w.range_min <= far <= w.range_max}
            for part in one.fighters()
            for w in part.card.weapons
            if not w.close
        ]
        text += [f"{w['weapon']} ({w['range']}): {'in' if w['reaches'] else 'out of'} range" for w in reaches]
        facts = {"from": one.id, "to": other.id, "range": far, "inches": round(tenths / INCH, 2), "weapons": reaches}
        rule = "ff.range.leader" if one.is_infantry else "ff.range.vehicle_from"
        return Answer("range", text, facts, [rule, "ff.scope.range_unit"])

    def arc(self, entry: Entry) -> Answer:
        pairs = entry.table(("unit", "from", "weapon", "to", "facing"))
        unit = self._unit(pairs, "unit" if "unit" in pairs else "from", entry)
        target = self._unit(pairs, "to", entry)
        part, index = self._weapon_of(unit, pairs["weapon"]) if "weapon" in pairs else (0, -1)
        weapon = self.rules.attacks.weapon_of(unit.parts[part], index)
        arc = ALL_ROUND if unit.is_infantry else ARCS[weapon.mount]
        hull = self.ground.leader(self.state, unit)
        if "facing" in pairs:
            turned = understood(pairs["facing"], lambda: words.heading(pairs["facing"].plain()))
            hull = hull.at(hull.x, hull.y, turned)
        inside = any(in_arc(hull, arc, body) for body in self.ground.bodies(self.state, target))
        name = "infantry" if unit.is_infantry else weapon.mount or "turret"
        rule = {"left": "ff.arc.side", "right": "ff.arc.side"}.get(name, f"ff.arc.{name}")
        text = [
            f"{target.name} is {'inside' if inside else 'outside'} the arc of {weapon.name} ({arc.name}, "
            f"{unit.name} faces {hull.heading} degrees) ({rule})"
        ]
        facts = {"unit": unit.id, "weapon": weapon.name, "to": target.id, "arc": arc.name, "inside": inside}
        marks = {"arcs": [(hull, arc, weapon.range_max * RANGE, weapon.name)]} if arc is not ALL_ROUND else {}
        return Answer("arc", text, facts, [rule], marks)

    # -- reach ----------------------------------------------------------------------------------

    def reach(self, entry: Entry) -> Answer:
        pairs = entry.table(("unit", "action", "to", "facing", "floor"))
        unit = self._unit(pairs, "unit", entry)
        action = pairs["action"].text() if "action" in pairs else "move"
        if action not in ACTIONS:
            raise pairs["action"].wrong(f"there is no movement '{action}'{suggestion(action, ACTIONS)}")
        may = self.rules.movement.may_move(self.play, unit)[ACTIONS.index(action)]
        budget = self.rules.movement.pace(self.play, unit)[ACTIONS.index(action)] if may else 0
        rule = "ff.move.march" if action == "march" else "ff.move.move"
        facts: dict[str, Any] = {"unit": unit.id, "action": action, "order": action, "budget": budget}
        facts["inches"] = budget * 4
        if not may:
            return Answer("reach", [f"{unit.name} cannot {action}."], facts, [rule])
        reach = self.rules.movement.reach(self.play, unit, budget, action)
        facts["spots"] = [[*xy(place), cost] for place, cost in reach.costs.items()]
        text = [f'{unit.name} can {action} up to {budget * 4}" ({len(facts["spots"])} spots of the list are free)']
        marks: dict[str, Any] = {"reaches": [reach.flood()]} if not reach.flies else {}
        if "to" in pairs:
            marks = self._way_to(unit, pairs, reach, facts, text)
        return Answer("reach", text, facts, [rule, *facts.pop("rules", [])], marks)

    def _way_to(
        self, unit: Unit, pairs: dict[str, Entry], reach: Any, facts: dict[str, Any], text: list[str]
    ) -> dict[str, Any]:
        """The way to one spot and what it costs, or why it cannot be reached."""
        spot = understood(pairs["to"], lambda: words.spot(pairs["to"].plain(), self.lengths))
        facing = unit.facing
        if "facing" in pairs:
            facing = understood(pairs["facing"], lambda: words.heading(pairs["facing"].plain()))
        place = at(*spot, pairs["floor"].number(0, 9) if "floor" in pairs else 0)
        why = reach.problem(place, facing)
        facts["to"], facts["reached"] = words.show_spot(*spot), why is None
        if why is not None:
            text.append(f"{facts['to']} cannot be reached: {why}")
            facts["reason"] = why
            return {}
        cost = reach.cost(place)
        facts["cost"] = round(cost / INCH, 2)
        facts["path"] = [words.show_spot(*point) for point in reach.points(place)]
        text.append(f'{facts["to"]} is reached for {cost / INCH:.2f}" by {" then ".join(facts["path"])}')
        if reach.slow:
            facts["rules"] = ["ff.move.terrain_part", "ff.move.multi_segments"]
        return {"paths": [(list(reach.points(place)), f'{cost / INCH:.1f}"')]}

    # -- templates and losses -------------------------------------------------------------------

    def template(self, entry: Entry) -> Answer:
        """Whom a blast template at a spot touches, or a flame tape from a unit's bearer to it."""
        pairs = entry.table(("at", "from", "weapon", "soldier"))
        if "at" not in pairs:
            raise entry.wrong("'at' is missing: where is the centre of the template?")
        spot = understood(pairs["at"], lambda: words.spot(pairs["at"].plain(), self.lengths))
        laid: Any = Disc(*spot)
        text, rules = [f"A blast template at {words.show_spot(*spot)} touches"], ["ff.blast.place"]
        marks: dict[str, Any] = {"templates": [laid]}
        if "from" in pairs:
            unit = self._unit(pairs, "from", entry)
            laid, start = self._tape(unit, pairs, spot, text)
            rules = ["ff.flame.line", "ff.flame.affects"]
            marks = {"templates": list(laid.parts), "paths": [([start, spot], "tape")]}
        touched = {unit.id: self._touched(unit, laid) for unit in self.ground.under(self.state, laid, None, 0)}
        text += [f"{self.state.by_id[id].name} ({id}): {', '.join(names)}" for id, names in touched.items()]
        counts = [f"{len(names)} of {self.state.by_id[id].name}" for id, names in touched.items()]
        text[0] = f"{text[0]} {', '.join(counts) or 'nobody'}"
        facts = {"at": words.show_spot(*spot), "touched": touched}
        return Answer("template", text, facts, rules, marks)

    def _tape(self, unit: Unit, pairs: dict[str, Entry], spot: tuple[int, int], text: list[str]) -> tuple[Any, Any]:
        part, index = self._weapon_of(unit, pairs["weapon"]) if "weapon" in pairs else (0, 0)
        bearers = self.rules.attacks.bearers(self.play, unit.parts[part], index)
        soldier = pairs["soldier"].number(1) - 1 if "soldier" in pairs else (bearers or (0,))[0]
        body = self.rules.templates.body_of(self.play, unit, unit.parts[part], soldier)
        text[0] = f"A flame from {unit.name} to {words.show_spot(*spot)} touches"
        return flame_tape((body.x, body.y), spot), (body.x, body.y)

    def _touched(self, unit: Unit, laid: Any) -> list[str]:
        return [self._model(unit, figure) for figure in self.ground.touched(self.state, unit, laid, 0)]

    def casualties(self, entry: Entry) -> Answer:
        """Who may be removed by fire of one unit at another, and in which order."""
        pairs = entry.table(("from", "to", "weapon"))
        viewer, target, line, facts, marks = self._looked(entry)
        damage = self.rules.damage
        attack = Attack(viewer)
        part, index = self._weapon_of(viewer, pairs["weapon"]) if "weapon" in pairs else (0, 0)
        owner = viewer.parts[part]
        weapon = self.rules.attacks.weapon_of(owner, index)
        shot = Shot(self.play, attack, owner, index, weapon, {}, target, line)
        classes = [damage.classes(target, each, shot) for each in target.fighters() if each.squad]
        names = {number: self._model(target, figure) for number, figure in enumerate(target.figures)}
        groups: list[list[str]] = [[], [], []]
        for number, (card, soldier) in enumerate(target.figures):
            if (card, soldier) not in line.seen:
                groups[2].append(names[number])
            else:
                groups[1 if (card, soldier) in line.covered else 0].append(names[number])
        facts |= {"first": groups[0], "then": groups[1], "never": groups[2]}
        facts["most"] = sum(len(one) + len(two) for one, two in classes)
        text = [
            f"first, from the open: {', '.join(groups[0]) or 'nobody'} (ff.damage.order)",
            f"then, from cover: {', '.join(groups[1]) or 'nobody'} (ff.damage.order_ties)",
            f"never, because the attacker does not see them: {', '.join(groups[2]) or 'nobody'} (ff.damage.los)",
        ]
        return Answer("casualties", text, facts, ["ff.damage.order", "ff.damage.order_ties", "ff.damage.los"], marks)

    def coherency(self, entry: Entry) -> Answer:
        """Does every base touch the command circle of its leader?"""
        pairs = entry.table(("unit",))
        unit = self._unit(pairs, "unit", entry)
        bodies = self.ground.bodies(self.state, unit)
        leader = bodies[0]
        out = [
            self._model(unit, figure)
            for figure, body in zip(unit.figures[1:], bodies[1:], strict=True)
            if distance(leader, body) + leader.radius > CIRCLE
        ]
        told = f"out of coherency: {', '.join(out)}" if out else "in coherency"
        text = [f"{unit.name} is led by {self._model(unit, unit.figures[0])} and {told} (ff.move.circle)"]
        facts = {"unit": unit.id, "leader": self._model(unit, unit.figures[0]), "out": out}
        return Answer("coherency", text, facts, ["ff.move.circle"], {"templates": [Disc(leader.x, leader.y, CIRCLE)]})

    # -- the rest -------------------------------------------------------------------------------

    def objectives(self, entry: Entry) -> Answer:
        shown = self.rules.view(self.state)
        text = []
        for one in shown["objectives"]:
            holder = "nobody" if one["holder"] is None else self.state.sides[one["holder"]].name
            where = ", ".join(words.show_spot(x, y) for x, y in one["spots"])
            text.append(f"{one['name']} ({where}): held by {holder}, {one['points']} points")
        for side, score in enumerate(shown["score"]):
            text.append(f"{self.state.sides[side].name}: {score} points")
        facts = {"objectives": shown["objectives"], "score": shown["score"]}
        return Answer("objectives", text, facts, ["ff.open.objectives", "d47.victory.vp"])

    def _end(self, pairs: dict[str, Entry], key: str, entry: Entry) -> Unit:
        """A unit by id or name."""
        if key not in pairs:
            raise entry.wrong(f"'{key}' is missing")
        text = pairs[key].text()
        unit = self.state.by_id.get(text) or next((one for one in self.state.units if one.name == text), None)
        if unit is None:
            raise pairs[key].wrong(f"there is no unit '{text}'{suggestion(text, self.state.by_id)}")
        if not unit.on_board:
            raise pairs[key].wrong(f"{text} is not on the table")
        return unit


__all__ = ["FreeQuestions"]
