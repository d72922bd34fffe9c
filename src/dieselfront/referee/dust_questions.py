"""Questions about a Dust position on squares: sight, cover, range, arcs, reach, weapons, odds; each with reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dieselfront.dice import Because
from dieselfront.forces import DustWeapon
from dieselfront.kernel.game import Play
from dieselfront.odds import evaluate
from dieselfront.referee.choices import simple
from dieselfront.referee.court import Answer
from dieselfront.referee.document import Entry
from dieselfront.referee.dust_position import facing, square, weapon_index
from dieselfront.referee.errors import suggestion
from dieselfront.referee.session import Session
from dieselfront.rulesets.dust.hooks import NO_EFFECTS
from dieselfront.rulesets.dust.shots import Attack, Line, Saves, Shot
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust1947.fortifications import own_walls
from dieselfront.rulesets.dust1947.ground import ARC_OF_MOUNT, REASON_RULES
from dieselfront.table.square import Reason, SquareTable, mask_of

FACING_WORDS = ("north", "east", "south", "west")
ACTIONS = ("move", "march")
LOOK = DustWeapon("look", "Look", 1, {})
"""A weapon that only looks, to ask what cover there is whatever is fired."""

HOW = {
    "interior": "{what} at {where} stands in the way",
    "corners": "the line passes between two corners: {what} at {where}",
    "wall": "{what} between {where}",
    "opening": "the opening in the {what} between {where}",
    "no_opening": "nobody stands at the opening in the {what} between {where}",
    "indoors": "{what} at {where} has no opening on the line",
    "floor": "more than one floor lies between {where}",
    "blocker": "a vehicle at {where} stands in the way",
    "range": "{where} is too far to be seen in this weather",
    "in_terrain": "the target stands in {what} at {where}",
    "corner": "the line touches a corner: {what} at {where}",
    "object": "the line passes {what} at {where}, next to the target",
    "low_wall": "{what} between {where}",
    "floors_apart": "one floor lies between {where}",
}


class Questions:
    """Answers about one position."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.rules = session.rules
        self.state: DustState = session.state
        self.table: SquareTable = self.state.table
        self.play: Play = session.play

    def answer(self, kind: str, entry: Entry) -> Answer:
        return self.handlers()[kind](entry)

    def handlers(self) -> dict[str, Callable[[Entry], Answer]]:
        """Who answers which kind of question."""
        return {
            "sight": self.sight,
            "cover": self.cover,
            "range": self.range,
            "arc": self.arc,
            "reach": self.reach,
            "weapons": self.weapons,
            "odds": self.odds,
            "objectives": self.objectives,
            "square": self.square,
        }

    # -- sight and cover ------------------------------------------------------------------------

    def sight(self, entry: Entry) -> Answer:
        """May one see the other, is there cover, and why."""
        pairs = entry.table(("from", "to", "weapon"))
        viewer, target = self._end(pairs, "from", entry), self._end(pairs, "to", entry)
        if isinstance(viewer, int) or isinstance(target, int):
            return self._sight_of_squares(viewer, target)
        mount = self._mount(viewer, pairs)
        line = self._line(viewer, target, mount, plain="weapon" not in pairs)
        lines = self._single_lines(viewer, target, mount)
        more = self._further_cover(viewer, target, line)
        line.cover = line.visible and (line.cover or bool(more))
        verdict = _verdict(viewer.name, target.name, line)
        text = [verdict, *self._told_lines(lines), *(f"cover: {words} ({rule})" for rule, words in more)]
        rules = [*_rules(lines), *(rule for rule, _ in more)]
        if line.refusal is not None and not any(one["reasons"] for one in lines):
            text.append(f"{line.refusal[1]} ({line.refusal[0]})")
            rules.append(line.refusal[0])
        facts = {
            "from": viewer.id,
            "to": target.id,
            "visible": line.visible,
            "cover": line.cover,
            "range": line.distance if line.visible else self.rules.ground.distance(self.state, viewer, target),
            "origin": self.table.name(line.origin) if line.origin >= 0 else None,
            "above": line.above,
            "lines": lines,
        }
        return Answer("sight", text, facts, list(dict.fromkeys(rules)), {"lines": lines})

    def _sight_of_squares(self, a: Unit | int, b: Unit | int) -> Answer:
        """Sight between two squares, whoever might stand there."""
        origin = a if isinstance(a, int) else a.place
        goal = b if isinstance(b, int) else b.place
        viewer = a if isinstance(a, Unit) else None
        mask = self._blockers(viewer) & ~(1 << origin) & ~(1 << goal)
        eye: Any = self.rules.ground.eye(viewer, self.table, origin) if viewer else "low"
        found = self.table.sight(origin, goal, blockers=mask, eye=eye)
        lines = [self._single(origin, goal, found.visible, found.cover, found.reasons)]
        line = Line(self.table.distance(origin, goal), found.visible, found.cover and found.visible)
        text = [_verdict(self.table.name(origin), self.table.name(goal), line), *self._told_lines(lines)]
        facts = {
            "from": self.table.name(origin),
            "to": self.table.name(goal),
            "visible": line.visible,
            "cover": line.cover,
            "range": line.distance,
            "lines": lines,
        }
        return Answer("sight", text, facts, _rules(lines), {"lines": lines})

    def cover(self, entry: Entry) -> Answer:
        """Is the target in cover from the attacker, what gives it, and what it saves on."""
        pairs = entry.table(("from", "to", "weapon"))
        viewer, target = self._unit(pairs, "from", entry), self._unit(pairs, "to", entry)
        mount = self._mount(viewer, pairs)
        line = self._line(viewer, target, mount, plain="weapon" not in pairs)
        lines = self._single_lines(viewer, target, mount)
        more = self._further_cover(viewer, target, line)
        covered = line.visible and (line.cover or bool(more))
        if not line.visible:
            text = [f"{target.name} cannot be seen from {viewer.name}, so there is no shot to be in cover from."]
        else:
            text = [f"{target.name} is {'in cover' if covered else 'not in cover'} from {viewer.name}."]
        text += [*self._told_lines(lines), *(f"cover: {words} ({rule})" for rule, words in more)]
        facts: dict[str, Any] = {
            "from": viewer.id,
            "to": target.id,
            "visible": line.visible,
            "cover": covered,
            "lines": lines,
        }
        rules = [*_rules(lines), *(rule for rule, _ in more)]
        if line.visible and "weapon" in pairs:
            saves = self._saves(viewer, target, pairs["weapon"], line)
            facts["saves"] = saves
            text += [f"{save['label']} on {' or '.join(save['faces'])} ({save['rule']})" for save in saves] or [
                "No save."
            ]
            rules += [save["rule"] for save in saves]
        return Answer("cover", text, facts, list(dict.fromkeys(rules)), {"lines": lines})

    def _further_cover(self, viewer: Unit, target: Unit, line: Line) -> list[tuple[str, str]]:
        """Cover that is not on the line: of the unit's own, of field works, of the weather; each with its rule."""
        if not line.visible:
            return []
        shot = Shot(self.play, Attack(viewer), viewer.main, -1, LOOK, NO_EFFECTS, target, line)
        speaking: Any = target.effects.get("on_cover_always", ())
        found: list[tuple[str, str]] = [
            (answer.__self__.rule, f"{target.name} counts as in cover by a rule of its own")
            for answer in speaking
            if answer(False, target)
        ]
        fort = self.rules.fortifications.sheltered(self.state, shot) if self.state.forts else None
        if fort is not None:
            found.append(("d47.open.fort_cover", f"{target.name} is inside a {fort.kind}"))
        elif self.rules.fortifications.covers(shot):
            found.append(("d47.trench.cover", f"{target.name} is in a trench"))
        hidden = Saves(False, 0, 0)
        self.rules.weather.change_saves(self.play, hidden, shot)
        if hidden.cover:
            found += [(because.rule, because.text) for because in hidden.because[:1]]
        return found

    def _saves(self, viewer: Unit, target: Unit, weapon: Entry, line: Line) -> list[dict[str, Any]]:
        part, index = self._weapon_of(viewer, weapon)
        attacks = self.rules.attacks
        owner = viewer.parts[part]
        printed = attacks.weapon_of(owner, index)
        shot = Shot(
            self.play, Attack(viewer), owner, index, printed, attacks.effects_of(self.play, owner, index), target, line
        )
        return [
            {"label": save.label, "faces": list(save.die.names(save.faces)), "rule": save.rule}
            for save in self.rules.saves.plan(self.play, shot)
        ]

    def _line(self, viewer: Unit, target: Unit, mount: str | None, *, plain: bool) -> Line:
        blockers = self._blockers(viewer)
        line: Line = self.rules.ground.line(self.state, viewer, target, mount, blockers, arc="all" if plain else None)
        dimmed: Line = self.rules.weather.dim(self.state, viewer, target, line)
        return dimmed

    def _blockers(self, viewer: Unit | None) -> int:
        if viewer is not None:
            found: int = self.rules.ground.sight_blockers(self.state, viewer)
            return found
        return mask_of(place for unit in self.state.on_board() if unit.is_vehicle for place in unit.where)

    def _single_lines(self, viewer: Unit, target: Unit, mount: str | None) -> list[dict[str, Any]]:
        """Every line by itself: from each square that may look to each square of the target."""
        blockers = self._blockers(viewer) & ~mask_of(target.where) & ~mask_of(viewer.where)
        air: Any = False
        if viewer.is_aircraft:
            air = "both" if target.is_aircraft else "attacker"
        elif target.is_aircraft:
            air = "target"
        eye: Any = self.rules.ground.eye(viewer, self.table)
        walls = own_walls(self.state, viewer, target) if self.state.forts else 0
        found = []
        for origin in self.rules.ground.origins(viewer, mount):
            for goal in target.where:
                sight = self.table.sight(origin, goal, blockers=blockers, eye=eye, air=air, ignore=walls)
                sight = self.rules.ground.covering(self.table, target, sight)
                found.append(self._single(origin, goal, sight.visible, sight.cover, sight.reasons))
        return found

    def _single(
        self, origin: int, goal: int, visible: bool, cover: bool, reasons: tuple[Reason, ...]
    ) -> dict[str, Any]:
        return {
            "from": self.table.name(origin),
            "to": self.table.name(goal),
            "visible": visible,
            "cover": visible and cover,
            "reasons": [self._reason(reason) for reason in reasons if reason.blocks or visible],
        }

    def _reason(self, reason: Reason) -> dict[str, Any]:
        places = [self.table.name(place) for place in reason.places]
        joined = " and ".join(dict.fromkeys(places))
        kind = self.table.kinds.get(reason.what)
        rule = REASON_RULES.get(reason.code, "d47.attack.los.trace_center")
        if kind is not None and reason.code in ("interior", "in_terrain"):
            rule = kind.rules.get("sight" if reason.blocks else "cover", rule)
        what = "a vehicle" if reason.what == "unit" else reason.what.replace("_", " ")
        code = "no_opening" if reason.code == "opening" and reason.blocks else reason.code
        words = HOW.get(code, "{what} at {where}").format(what=what, where=joined)
        return {
            "code": reason.code,
            "what": reason.what,
            "places": places,
            "blocks": reason.blocks,
            "rule": rule,
            "text": words,
        }

    def _told_lines(self, lines: list[dict[str, Any]]) -> list[str]:
        """One sentence per line and reason; the squares are named only where there are several lines."""
        told: list[str] = []
        for line in lines:
            state = "clear" if line["visible"] and not line["cover"] else "cover" if line["visible"] else "blocked"
            before = f"{line['from']} to {line['to']}: {state}; " if len(lines) > 1 else f"{state}: "
            if line["reasons"]:
                told += [f"{before}{reason['text']} ({reason['rule']})" for reason in line["reasons"]]
            elif len(lines) > 1:
                told.append(f"{line['from']} to {line['to']}: {state}")
        return told

    # -- range and arcs -------------------------------------------------------------------------

    def range(self, entry: Entry) -> Answer:
        """How far apart two units or squares are, and which weapons reach."""
        pairs = entry.table(("from", "to"))
        a, b = self._end(pairs, "from", entry), self._end(pairs, "to", entry)
        if isinstance(a, Unit) and isinstance(b, Unit):
            distance = self.rules.ground.distance(self.state, a, b)
        else:
            distance = self.table.distance(a if isinstance(a, int) else a.place, b if isinstance(b, int) else b.place)
        text = [f"{self._called(a)} and {self._called(b)} are at range {distance}."]
        facts: dict[str, Any] = {"from": self._id(a), "to": self._id(b), "range": distance}
        if isinstance(a, Unit):
            facts["weapons"] = [
                {
                    "weapon": weapon.name,
                    "range": weapon.range_text,
                    "reaches": weapon.range_min <= distance <= weapon.range_max,
                }
                for part in a.fighters()
                for weapon in part.card.weapons
                if not weapon.close
            ]
            text += [
                f"{w['weapon']} ({w['range']}): {'in' if w['reaches'] else 'out of'} range" for w in facts["weapons"]
            ]
        return Answer("range", text, facts, ["d47.attack.range.limit"])

    def arc(self, entry: Entry) -> Answer:
        """Is a target inside a weapon's arc?"""
        pairs = entry.table(("unit", "from", "weapon", "to", "facing"))
        unit = self._unit(pairs, "unit" if "unit" in pairs else "from", entry)
        goal = self._end(pairs, "to", entry)
        part, index = self._weapon_of(unit, pairs["weapon"]) if "weapon" in pairs else (0, -1)
        weapon = self.rules.attacks.weapon_of(unit.parts[part], index)
        arc: Any = ARC_OF_MOUNT[weapon.mount]
        turned = facing(pairs["facing"]) if "facing" in pairs else unit.facing
        squares = (goal,) if isinstance(goal, int) else goal.where
        origins = self.rules.ground.origins(unit, weapon.mount)
        inside = arc == "all" or any(
            self.table.in_arc(origin, turned, place, arc) for origin in origins for place in squares
        )
        rule = "d47.attack.arc.turret" if weapon.mount == "turret" else f"d47.attack.arc.{arc}"
        rule = {
            "d47.attack.arc.all": "d47.attack.arc.infantry",
            "d47.attack.arc.left": "d47.attack.arc.side",
            "d47.attack.arc.right": "d47.attack.arc.side",
        }.get(rule, rule)
        words = "all round" if arc == "all" else f"the {arc} arc"
        text = [
            f"{self._called(goal)} is {'inside' if inside else 'outside'} the arc of {weapon.name} ({words}, "
            f"{unit.name} faces {FACING_WORDS[turned]}) ({rule})"
        ]
        facts = {"unit": unit.id, "weapon": weapon.name, "to": self._id(goal), "arc": arc, "inside": inside}
        return Answer("arc", text, facts, [rule])

    # -- reach ----------------------------------------------------------------------------------

    def reach(self, entry: Entry) -> Answer:
        """Where a movement action of a unit can end, with the cost of every square."""
        pairs = entry.table(("unit", "action", "to", "facing"))
        unit = self._unit(pairs, "unit", entry)
        action = pairs["action"].text() if "action" in pairs else "move"
        if action not in ACTIONS:
            raise pairs["action"].wrong(f"there is no movement '{action}'{suggestion(action, ACTIONS)}")
        may = self.rules.movement.may_move(self.play, unit)[ACTIONS.index(action)]
        budget = self.rules.movement.pace(self.play, unit)[ACTIONS.index(action)] if may else 0
        reach = self.rules.movement.reach(self.play, unit, budget, action) if may else None
        ends = self._ends(unit, reach)
        squares: dict[str, int] = {}
        for end in ends:
            squares.setdefault(end["square"], end["cost"])
        listed = ", ".join(f"{name} ({cost})" for name, cost in squares.items())
        text = [f"{unit.name} can {action} up to {budget}: {listed}"]
        facts: dict[str, Any] = {"unit": unit.id, "action": action, "budget": budget, "squares": squares, "ends": ends}
        if not may:
            text = [f"{unit.name} cannot {action}."]
        if "to" in pairs:
            self._path_to(unit, action, budget, pairs, reach, ends, facts, text)
        covered = [
            self.table.name(place) for place in self.table.places() if reach is not None and reach.mask >> place & 1
        ]
        rule = "d47.action.move" if action == "move" else "d47.action.march"
        return Answer("reach", text, facts, [rule], {"reach": squares, "covered": covered})

    def _ends(self, unit: Unit, reach: Any) -> list[dict[str, Any]]:
        if reach is None:
            return []
        found = []
        for end, cost in reach.costs.items():
            spot, turned = (end, None) if unit.card.size == "standard" else end
            found.append(
                {
                    "square": self.table.name(spot),
                    "facing": None if turned is None else FACING_WORDS[turned],
                    "cost": cost,
                    "path": [self.table.name(place) for place in reach.path(end)],
                }
            )
        return found

    def _path_to(
        self,
        unit: Unit,
        action: str,
        budget: int,
        pairs: dict[str, Entry],
        reach: Any,
        ends: list[dict[str, Any]],
        facts: dict[str, Any],
        text: list[str],
    ) -> None:
        """The way to one square, or why there is none."""
        goal = self.table.name(square(self.table, pairs["to"].text(), pairs["to"]))
        turned = FACING_WORDS[facing(pairs["facing"])] if "facing" in pairs else None
        fitting = [end for end in ends if end["square"] == goal and (turned is None or end["facing"] in (None, turned))]
        facts["to"], facts["reached"] = goal, bool(fitting)
        if fitting:
            best = min(fitting, key=lambda end: int(end["cost"]))
            facts["cost"], facts["path"] = best["cost"], best["path"]
            text.append(
                f"{goal} is reached for {best['cost']}" + (f" by {', '.join(best['path'])}" if best["path"] else "")
            )
            return
        far = self._ends(unit, self.rules.movement.reach(self.play, unit, self.table.size, action)) if reach else []
        costs = [end["cost"] for end in far if end["square"] == goal]
        if costs:
            text.append(f"{goal} would cost {min(costs)}, more than {budget}.")
            facts["cost"] = min(costs)
        else:
            text.append(f"{goal} cannot be reached at all ({self.table.describe(self.table.square(goal))}).")

    # -- weapons and odds -----------------------------------------------------------------------

    def weapons(self, entry: Entry) -> Answer:
        """Which weapons can be used on a target, and why the others cannot."""
        pairs = entry.table(("from", "unit", "to", "target"))
        unit = self._unit(pairs, "from" if "from" in pairs else "unit", entry)
        target = self._unit(pairs, "to" if "to" in pairs else "target", entry)
        attack = Attack(unit)
        listed: list[dict[str, Any]] = []
        for place, part in enumerate(unit.parts):
            if part.role == "pilot":
                continue
            for index, weapon in enumerate(part.card.weapons):
                why = self.rules.attacks.why_not(self.play, attack, place, index, target)
                listed.append(
                    {
                        "weapon": weapon.name,
                        "usable": why is None,
                        "reason": why[1] if why else "",
                        "rule": why[0] if why else "d47.attack.declare.weapon_target",
                    }
                )
        text = [
            f"{one['weapon']}: usable" if one["usable"] else f"{one['weapon']}: no, {one['reason']} ({one['rule']})"
            for one in listed
        ]
        return Answer(
            "weapons",
            text or [f"{unit.name} has no weapons of its own."],
            {"from": unit.id, "to": target.id, "weapons": listed},
            list(dict.fromkeys(one["rule"] for one in listed)),
        )

    def odds(self, entry: Entry) -> Answer:
        """Exact odds of an attack from where the units stand, with everything that shapes the dice."""
        pairs = entry.table(("attacker", "from", "target", "to", "weapon", "sustained", "close"))
        unit = self._unit(pairs, "attacker" if "attacker" in pairs else "from", entry)
        target = self._unit(pairs, "target" if "target" in pairs else "to", entry)
        sustained = pairs["sustained"].flag() if "sustained" in pairs else False
        attack = Attack(unit, sustained=sustained, only=target.id)
        plans = self._plans(attack, target, pairs.get("weapon"))
        if not plans:
            reasons = self.weapons_refused(unit, target)
            raise entry.wrong(f"{unit.name} has nothing to attack {target.name} with{reasons}")
        found = evaluate(plans, label=f"{unit.name} against {target.name}")
        facts = found.to_json() | {"attacker": unit.id, "target": target.id, "sustained": sustained}
        facts["plans"] = [{"weapon": plan.label, "dice": plan.dice, "damage": plan.damage} for plan in plans]
        loss = "soldiers" if plans[0].squad else "points of damage"
        text = [f"{plan.label}: {plan.dice} dice" for plan in plans]
        text.append(f"Expected: {found.mean_hits:.2f} hits, {found.mean_losses:.2f} {loss} of {found.capacity}.")
        text.append(f"Destroyed with a chance of {found.destroyed:.1%}.")
        text += [f"{because.text} ({because.rule})" for because in _reasons(plans)]
        return Answer("odds", text, facts, found.rules())

    def weapons_refused(self, unit: Unit, target: Unit) -> str:
        attack = Attack(unit)
        reasons: dict[str, None] = {}
        for place, part in enumerate(unit.parts):
            for index in range(len(part.card.weapons)):
                why = self.rules.attacks.why_not(self.play, attack, place, index, target)
                if why is not None:
                    reasons[why[1]] = None
        return ": " + "; ".join(reasons) if reasons else ""

    def _plans(self, attack: Attack, target: Unit, weapon: Entry | None) -> list[Any]:
        """The plans of all weapons (or the one named) that can be used on the target, ranged ones first."""
        attacks = self.rules.attacks
        wanted = self._weapon_of(attack.unit, weapon) if weapon is not None else None
        lines = [line for line in attacks.weapon_lines(self.play, attack) if wanted in (None, (line.part, line.index))]
        if wanted is None:
            ranged = [line for line in lines if not line.weapon.close]
            lines = ranged or lines
        shots = []
        for line in lines:
            aims = [aim for aim in line.aims if aim and aim[0] == target.id]
            if aims:
                shots.append(attacks.shot(self.play, attack, line.part, line.index, aims[0], line.bearers))
        attack.shots = shots  # who fires has no hands free (d47.weapon.spotter)
        struck = [one for shot in shots for one in attacks.victims(self.play, shot) if one.target is target]
        return [attacks.plan(self.play, one) for one in struck]

    # -- the rest -------------------------------------------------------------------------------

    def objectives(self, entry: Entry) -> Answer:
        """Who holds what, and the points so far."""
        shown = self.rules.view(self.state)
        text = []
        for one in shown["objectives"]:
            holder = "nobody" if one["holder"] is None else self.state.sides[one["holder"]].name
            text.append(f"{one['name']} ({', '.join(one['places'])}): held by {holder}, {one['points']} points")
        for side, score in enumerate(shown["score"]):
            text.append(f"{self.state.sides[side].name}: {score} points")
        facts = {"objectives": shown["objectives"], "score": shown["score"]}
        return Answer("objectives", text, facts, ["d47.victory.hold_objective", "d47.victory.vp"])

    def square(self, entry: Entry) -> Answer:
        """What lies on a square and who stands there."""
        place = square(self.table, entry.text(), entry)
        units = [unit.id for unit in self.state.on_board() if place in unit.where]
        text = [self.table.describe(place) + (f"; {', '.join(units)} stands there" if units else "")]
        facts = {"square": self.table.name(place), "terrain": list(self.table.features(place)), "units": units}
        rules = [rule for kind in self.table.kinds_at(place) for rule in kind.rules.values()]
        return Answer("square", text, facts, list(dict.fromkeys(rules)))

    # -- words ----------------------------------------------------------------------------------

    def _unit(self, pairs: dict[str, Entry], key: str, entry: Entry) -> Unit:
        found = self._end(pairs, key, entry)
        if isinstance(found, int):
            raise pairs[key].wrong(f"expected a unit, not the square {pairs[key].text()}")
        return found

    def _end(self, pairs: dict[str, Entry], key: str, entry: Entry) -> Unit | int:
        """A unit by id or name, or a square."""
        if key not in pairs:
            raise entry.wrong(f"'{key}' is missing")
        text = pairs[key].text()
        unit = self.state.by_id.get(text)
        named = [one for one in self.state.units if simple(one.name) == simple(text)]
        if unit is None and len(named) == 1:
            unit = named[0]
        if unit is not None:
            if not unit.on_board:
                raise pairs[key].wrong(f"{text} is not on the board")
            return unit
        if text[:1].isalpha() and text.rstrip("+0123456789").isalpha() and any(c.isdigit() for c in text):
            return self._square_or_unit(text, pairs[key])
        raise pairs[key].wrong(f"there is no unit '{text}'{suggestion(text, self.state.by_id)}")

    def _square_or_unit(self, text: str, entry: Entry) -> int:
        """Looks like a square: small letters mean a unit id that does not exist, if units are called so."""
        if text[0].islower():
            raise entry.wrong(f"there is no unit '{text}'{suggestion(text, self.state.by_id)}")
        return square(self.table, text, entry)

    def _mount(self, unit: Unit, pairs: dict[str, Entry]) -> str | None:
        if "weapon" not in pairs:
            return None
        part, index = self._weapon_of(unit, pairs["weapon"])
        found: str | None = self.rules.attacks.weapon_of(unit.parts[part], index).mount
        return found

    def _weapon_of(self, unit: Unit, entry: Entry) -> tuple[int, int]:
        """A weapon of any part of the unit; `improvised` is the one everybody has."""
        name = entry.text()
        if simple(name).startswith("improvised"):
            return 0, -1
        for place, part in enumerate(unit.parts):
            try:
                return place, weapon_index(part, name, entry)
            except ValueError:
                continue
        known = [weapon.name for part in unit.parts for weapon in part.card.weapons]
        raise entry.wrong(f"{unit.name} has no weapon '{name}'{suggestion(name, known)}")

    def _called(self, end: Unit | int) -> str:
        return self.table.name(end) if isinstance(end, int) else end.name

    def _id(self, end: Unit | int) -> str:
        return self.table.name(end) if isinstance(end, int) else end.id


def _verdict(viewer: str, target: str, line: Line) -> str:
    if not line.visible:
        return f"{viewer} cannot see {target}."
    return f"{viewer} sees {target} at range {line.distance}, {'in cover' if line.cover else 'in the open'}."


def _rules(lines: list[dict[str, Any]]) -> list[str]:
    found = [reason["rule"] for line in lines for reason in line["reasons"]]
    return list(dict.fromkeys(found)) or ["d47.attack.los.trace_center"]


def _reasons(plans: list[Any]) -> list[Because]:
    return list(dict.fromkeys(because for plan in plans for because in plan.reasons()))
