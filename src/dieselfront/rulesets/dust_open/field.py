"""The field of Dust 1947 Freeform: sight and cover model by model, range, arcs, reach and templates in inches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from dieselfront.forces import DustWeapon
from dieselfront.kernel.field import (
    BLOCKED,
    CLEAR,
    COVERED,
    NO_COVER,
    Arc,
    At,
    Bearing,
    Distance,
    End,
    NoAnswer,
    Point,
    Reach,
    Reason,
    Sight,
    SightLine,
    Template,
    TerrainEffect,
    WeaponUse,
    few,
    unique,
)
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust1947.field import ACTIONS, ARC_RULES, COVER, DustField, fighters
from dieselfront.rulesets.dust_open.ground import ARCS, OpenLine, measures
from dieselfront.rulesets.dust_open.models import Figure
from dieselfront.rulesets.dust_open.places import at, xy
from dieselfront.rulesets.dust_open.playing import Play
from dieselfront.rulesets.dust_open.terrain import word
from dieselfront.rulesets.dust_open.view import figure_name
from dieselfront.rulesets.dust_open.ways import Ways
from dieselfront.table.cost_grid import CostGrid
from dieselfront.table.measured.arcs import ALL_ROUND, in_arc
from dieselfront.table.measured.arcs import Arc as MeasuredArc
from dieselfront.table.measured.outlines import arc_outline
from dieselfront.table.measured.shapes import Body, distance, round_base
from dieselfront.table.measured.sight import eye_of, sight
from dieselfront.table.measured.templates import Disc, flame_tape

if TYPE_CHECKING:
    from dieselfront.rulesets.dust_open.ruleset import OpenDust

EFFECTS = {
    "blocks": "{what} is hidden by {who}",
    "through": "{who} lies between: nobody sees through it",
    "depth": "too much of {who} lies on the line",
    "floor": "{who}: walls and floors lie between",
    "reach": "inside {who} one sees no farther than range 3",
    "screens": "{what} is behind {who}",
    "area": "the line runs through {who}",
    "opening": "the line passes an opening of {who}",
    "storey": "a floor of {who} lies between",
}
WAYS = {"no": "it may not enter", "half": "halves its movement", "pass": "it may pass, not stop", "ok": "it may enter"}
GOINGS = {"no": "no", "half": "slow", "slow": "slow", "pass": "slow"}
SIGHTS = {"blocks": "blocks sight", "area": "is seen into, not right through", "screen": "is seen through"}
SOMEBODY = round_base(25, height=30)


class OpenField(DustField):
    """The field of the open table."""

    cites: ClassVar[dict[str, str]] = {}
    """The rules that answers name, by what they are about; every game has its own."""
    """What facts call a length."""

    rules: OpenDust

    def centre(self, state: DustState, unit: Unit) -> Point:
        bodies = self.rules.ground.bodies(state, unit)
        return (sum(body.x for body in bodies) / len(bodies), sum(body.y for body in bodies) / len(bodies))

    def model(self, unit: Unit, figure: Figure) -> str:
        """What a model is called."""
        name = figure_name(unit, figure)
        return name if figure[1] < 0 else f"{name} {figure[1] + 1}"

    def _called(self, state: DustState, end: End) -> str:
        return state.by_id[end].name if isinstance(end, str) else state.table.name(at(*end.place))

    def shown(self, state: DustState, place: int) -> Point:
        return xy(place)

    # -- distance -------------------------------------------------------------------------------

    def distance(self, state: DustState, one: End, other: End) -> Distance:
        """To the nearest model that is seen; where none is, to the nearest of all (ff.range.all_in)."""
        mine, theirs = self._bodies(state, one)[0], self._bodies(state, other)
        viewer = self.unit(state, one) if isinstance(one, str) else None
        reached = theirs
        if viewer is not None and isinstance(other, str):
            seen = self._seen(state, viewer, self.unit(state, other))
            reached = [body for body, is_seen in zip(theirs, seen, strict=True) if is_seen]
        tenths, nearest = min(
            ((distance(mine, body), body) for body in reached or theirs), key=lambda pair: (pair[0], pair[1].x)
        )
        far = measures(state).ranges(tenths)
        weapons = self.measured_ranges(state, viewer, far if reached else 99) if viewer is not None else []
        measured = "the nearest model it sees" if reached else "the nearest model, none of which it sees"
        rule = self.cites["range from hull" if viewer is not None and not viewer.is_infantry else "range"]
        return Distance(
            length=far,
            start=(mine.x, mine.y),
            end=(nearest.x, nearest.y),
            weapons=weapons,
            rules=[rule, self.cites["lengths"]],
            notes=[f"{tenths / self.unit_tenths:.2f}{self.unit_sign}, measured to {measured}."],
            facts={self.unit_word: round(tenths / self.unit_tenths, 2), "seen": bool(reached)},
            marks={"tapes": [(mine, nearest, tenths)]},
        )

    def measured_ranges(self, state: DustState, unit: Unit, far: int) -> list[dict[str, Any]]:
        """Which weapons reach as far, and how far each does in the lengths of the game."""
        reaches = {weapon.name: weapon.range_max for _, weapon in fighters(unit)}
        point = measures(state).range / self.unit_tenths
        rows = self.weapon_ranges(unit, far)
        return [{**row, "length": round(reaches.get(row["weapon"], 0) * point, 1)} for row in rows]

    def _bodies(self, state: DustState, end: End) -> list[Body]:
        """The models of a unit, its leader, hull or base first; somebody, for a bare place."""
        if isinstance(end, At):
            x, y = end.place
            if not (0 <= x <= state.table.width and 0 <= y <= state.table.height):
                raise NoAnswer(f"{state.table.name(at(x, y))} is off the table")
            return [state.table.land.stand(SOMEBODY, x, y)]
        unit = self.unit(state, end)
        bodies: list[Body] = self.rules.ground.bodies(state, unit)
        return bodies

    def _seen(self, state: DustState, viewer: Unit, target: Unit) -> list[bool]:
        blockers = self.rules.ground.sight_blockers(state, viewer)
        line = self.rules.ground.line(state, viewer, target, None, blockers, arc="all")
        return [figure in getattr(line, "seen", ()) for figure in target.figures]

    # -- sight and cover ------------------------------------------------------------------------

    def sight(self, play: Play, viewer: End, target: End, weapon: str = "") -> Sight:
        if isinstance(viewer, At) or isinstance(target, At):
            return self._between_places(play, viewer, target)
        state, ground = play.state, self.rules.ground
        one, other = self.unit(state, viewer), self.unit(state, target)
        mount = self.mount(one, weapon)
        line = self.line(play, one, other, mount, plain=not weapon)
        if not isinstance(line, OpenLine):
            line = OpenLine(line.distance, False, refusal=line.refusal)
        blockers = ground.sight_blockers(state, one)
        mine = ground.first(state, one)
        arc = ALL_ROUND if not weapon or one.is_infantry else ARCS[mount]
        lines, sights = [], []
        for figure, body in zip(other.figures, ground.bodies(state, other), strict=True):
            sighting = ground.look(state, one, mine, other, body, blockers, arc)
            sights.append((body, sighting))
            reasons = [self._reason(state, reason, other) for reason in sighting.reasons]
            lines.append(self._line_of(one, other, figure, body, sighting, reasons, line, distance(mine, body)))
        because = self.further_cover(play, one, other, line)
        if line.refusal is not None:
            because.insert(0, Reason(text=line.refusal[1], rule=line.refusal[0], blocks=True))
        covered = line.visible and (line.cover or any(not reason.blocks for reason in because))
        rules = unique(reason.rule for each in lines for reason in each.reasons) or [self.cites["sight"]]
        apart = self.distance(state, viewer, target)
        seen = [each for each in lines if each.facts["seen"]]
        hidden, count = len(line.covered), len(other.figures)
        facts: dict[str, Any] = {self.unit_word: apart.facts[self.unit_word], "seen": len(seen), "covered": hidden}
        facts["models"] = [each.facts for each in lines]
        notes = []
        if line.visible:
            facts |= {"needed": max(1, count // 2)}
            notes = [f"{hidden} of {count} covered, {facts['needed']} needed for cover (ff.cover.unit)"]
        return Sight(
            viewer=one.id,
            target=other.id,
            viewer_name=one.name,
            target_name=other.name,
            visible=line.visible,
            cover=COVER if covered else NO_COVER,
            distance=line.distance if line.visible else apart.length,
            lines=lines,
            because=because,
            notes=notes,
            rules=unique((*(reason.rule for reason in because if reason.blocks), *rules, self.cites["cover"])),
            facts=facts,
            marks={"sights": sights},
        )

    def _line_of(
        self,
        viewer: Unit,
        target: Unit,
        figure: Figure,
        body: Body,
        sighting: Any,
        reasons: list[Reason],
        line: OpenLine,
        tenths: int,
    ) -> SightLine:
        seen, covered = figure in line.seen, figure in line.covered
        leads = figure == target.figures[0]
        name = self.model(target, figure)
        return SightLine(
            kind=BLOCKED if not seen else COVERED if covered else CLEAR,
            eye=(sighting.eye[0] / 10, sighting.eye[1] / 10),
            end=(body.x, body.y),
            viewer=viewer.id,
            target=name,
            label=f"{name}, the leader" if leads and len(target.figures) > 1 else name,
            at=tuple(sighting.reasons[0].at) if sighting.reasons and (covered or not seen) else None,
            reasons=reasons,
            facts={
                "model": name,
                "soldier": figure[1],
                "leader": leads,
                "seen": seen,
                "covered": covered,
                self.unit_word: round(tenths / self.unit_tenths, 2),
            },
        )

    def _reason(self, state: DustState, reason: Any, target: Unit) -> Reason:
        who = reason.who[0] if isinstance(reason.who, tuple) else str(reason.who)
        rule = (
            self.rules.ground.cites["vehicle_blocks"]
            if reason.is_model
            else self.rules.ground.reason_rules.get(reason.effect, self.cites["model"])
        )
        unit = state.by_id.get(who) if reason.is_model else None
        named = unit.name if unit is not None else who.partition("@")[0]  # smoke@95,85
        text = EFFECTS.get(reason.effect, "{who} is in the way").format(who=named, what=target.name)
        return Reason(
            text=text, rule=rule, blocks=reason.hides, code=reason.effect, what=who, places=(tuple(reason.at),)
        )

    def _between_places(self, play: Play, viewer: End, target: End) -> Sight:
        """Sight where one end is a bare place, whoever might stand there."""
        state, ground = play.state, self.rules.ground
        mine, theirs = self._bodies(state, viewer)[0], self._bodies(state, target)
        looker = state.by_id[viewer] if isinstance(viewer, str) else None
        hulls = [ground.first(state, unit) for unit in state.on_board() if unit.is_vehicle and unit is not looker]
        lines = [
            SightLine(
                kind=CLEAR if self._sees_point(state, mine, body, hulls, looker) else BLOCKED,
                eye=(mine.x, mine.y),
                end=(body.x, body.y),
                facts={"seen": True},
            )
            for body in theirs
        ]
        apart = self.distance(state, viewer, target)
        names = (self._called(state, viewer), self._called(state, target))
        return Sight(
            viewer=viewer if isinstance(viewer, str) else names[0],
            target=target if isinstance(target, str) else names[1],
            viewer_name=names[0],
            target_name=names[1],
            visible=any(line.kind == CLEAR for line in lines),
            distance=apart.length,
            lines=lines,
            rules=[self.cites["sight"]],
            facts={self.unit_word: apart.facts[self.unit_word]},
        )

    def _sees_point(self, state: DustState, mine: Body, body: Body, hulls: list[Body], viewer: Unit | None) -> bool:
        if viewer is not None and viewer.is_aircraft:
            return not state.table.is_indoor(at(body.x, body.y))
        past = [hull for hull in hulls if hull.key not in (mine.key, body.key)]
        sighting = sight(
            state.table.land, mine, body, self.rules.ground.sight_rules(state.table, mine, body), past, [eye_of(mine)]
        )
        return bool(sighting.is_seen)

    def weapons(self, play: Play, unit: str, target: str, how: str = "") -> list[WeaponUse]:
        """As on squares; besides, somebody who carries the weapon must see the target (ff.attack.participants)."""
        one = self.unit(play.state, unit)
        lines = {(line.part, line.index): line for line in self.rules.attacks.weapon_lines(play, Attack(one))}
        uses = []
        places = [
            (place, index)
            for place, part in enumerate(one.parts)
            if part.role != "pilot"
            for index in range(len(part.card.weapons))
        ]
        for use, key in zip(super().weapons(play, unit, target, how), places, strict=True):
            if use.usable and not self._somebody_aims(play, one, lines.get(key), target):
                rule, reason = self.cites["participants"], "nobody who carries it sees the target"
                use = WeaponUse(weapon=use.weapon, usable=False, rule=rule, reason=reason)
            uses.append(use)
        return uses

    def _somebody_aims(self, play: Play, unit: Unit, line: Any, target: str) -> bool:
        if line is None:
            return False
        aims = (aim for bearer in line.bearers for aim in self.rules.attacks.aims_of(play, Attack(unit), line, bearer))
        return any(aim[0] == target for aim in aims)

    # -- arcs -----------------------------------------------------------------------------------

    def arcs(self, state: DustState, unit: str) -> list[Arc]:
        """Where weapons bear (ff.arc.*, ff.scope.range_unit)."""
        one = self.unit(state, unit)
        body = self.rules.ground.first(state, one)
        arcs = []
        for _, weapon in fighters(one):
            arc = self.arc_of(one, weapon)
            reach = weapon.range_max * measures(state).range
            arcs.append(
                Arc(
                    weapon=weapon.name,
                    name=arc.name,
                    range=round(reach / self.unit_tenths, 1),
                    at=(body.x, body.y),
                    outline=arc_outline(body, arc, reach),
                    rules=[self.arc_rule(one, weapon.mount)],
                )
            )
        return few(arcs)

    def arc_of(self, unit: Unit, weapon: DustWeapon) -> MeasuredArc:
        """Where a weapon bears; infantry aims all round."""
        return ALL_ROUND if unit.is_infantry else ARCS[weapon.mount]

    def arc_rule(self, unit: Unit, mount: str | None) -> str:
        """The rule behind the arc of a weapon."""
        return self.cites["arc " + ("infantry" if unit.is_infantry else ARC_RULES[mount or "turret"])]

    def bearing(self, state: DustState, unit: str, target: End, weapon: str = "", facing: Any = None) -> Bearing:
        one = self.unit(state, unit)
        part, index = self.weapon(one, weapon) if weapon else (0, -1)
        used = self.rules.attacks.weapon_of(one.parts[part], index)
        arc = self.arc_of(one, used)
        hull = self.rules.ground.first(state, one)
        hull = hull if facing is None else hull.at(hull.x, hull.y, facing)
        inside = any(in_arc(hull, arc, body) for body in self._bodies(state, target))
        return Bearing(
            weapon=used.name,
            arc=arc.name,
            inside=inside,
            facing=f"{hull.heading}°",
            rules=[self.arc_rule(one, used.mount)],
            marks={"arcs": [(hull, arc, used.range_max * measures(state).range, used.name)]}
            if arc is not ALL_ROUND
            else {},
        )

    # -- reach ----------------------------------------------------------------------------------

    def reach(
        self, play: Play, unit: str, how: str = "", goal: Any = None, facing: Any = None, under_way: Any = None
    ) -> Reach:
        one, action = self.unit(play.state, unit), self.action(how)
        if isinstance(under_way, Ways):
            left = round(under_way.limit / self.unit_tenths, 2)
            rest = Reach(how=action, budget=left, facts={self.unit_word: left}, rules=[self.cites["move"]])
            self.fill_reach(rest, one, under_way, goal, facing)
            return rest
        may_move, budget = self.pace(play, one, action)
        rules = [self.cites["march" if action == "march" else "move"]]
        answer = Reach(
            how=action,
            budget=budget,
            may=may_move,
            rules=rules,
            facts={self.unit_word: self.budget_length(play.state, budget)},
        )
        if may_move:
            self.fill_reach(answer, one, self.rules.movement.reach(play, one, budget, action), goal, facing)
        return answer

    def budget_length(self, state: DustState, budget: int) -> float:
        """A budget of points as people measure it."""
        return round(budget * measures(state).range / self.unit_tenths, 1)

    def fill_reach(self, answer: Reach, unit: Unit, ways: Any, goal: Any = None, facing: Any = None) -> None:
        """What a region of ways says, about all its spots or about one of them."""
        answer.facts["spots"] = [[*xy(place), cost] for place, cost in ways.costs.items()]
        answer.marks = {"reaches": [ways.flood()]} if not ways.flies else {}
        if goal is None:
            return
        x, y, *floor = goal
        place = at(x, y, *floor)
        problem = ways.problem(place, unit.facing if facing is None else facing)
        answer.reached = problem is None
        if problem is not None:
            answer.reason = problem
            return
        cost = ways.cost(place)
        answer.cost = round(cost / self.unit_tenths, 2)
        answer.path = [tuple(point) for point in ways.points(place)]
        answer.rules += [self.cites["slow"], self.cites["way"]] if ways.slow else []
        answer.marks = {"paths": [(list(ways.points(place)), f"{cost / self.unit_tenths:.1f}{self.unit_sign}")]}

    def outline(self, play: Play, unit: str, region: Any = None) -> list[list[Point]]:
        """Of the move being chosen, else of a plain move."""
        ways = self._drawn_ways(play, unit, region)
        return [] if ways is None else [[tuple(point) for point in ring] for ring in ways.drawn_flood().outline()]

    def costs(self, play: Play, unit: str, region: Any = None) -> CostGrid | None:
        ways = self._drawn_ways(play, unit, region)
        return None if ways is None else ways.drawn_flood().costs()

    def _drawn_ways(self, play: Play, unit: str, region: Any) -> Ways | None:
        """Where it may walk or drive; None for whoever flies or stays."""
        one = play.state.by_id.get(unit)
        if region is None and one is not None and one.on_board:
            may_move, budget = self.pace(play, one, ACTIONS[0])
            region = self.rules.movement.reach(play, one, budget, ACTIONS[0]) if may_move else None
        return region if isinstance(region, Ways) and not region.flies else None

    # -- terrain --------------------------------------------------------------------------------

    def terrain(self, state: DustState, unit: str) -> list[TerrainEffect]:
        return list(self._effects(state, unit))

    def _effects(self, state: DustState, name: str) -> Iterator[TerrainEffect]:
        """What lies on the open table, for one unit (ff.area.table)."""
        unit = state.by_id.get(name)
        if unit is None:
            return
        mover = self.rules.ground.mover(unit, state)
        for id in sorted({piece.kind.id for piece in state.table.land.pieces}):
            kind = self.rules.terrain.get(id)
            if kind is None:
                continue
            way = "" if mover.flying else word(kind, id, mover)
            moving = "it flies over it" if mover.flying else WAYS.get(way, "")
            covers = kind.cover == "all" or (kind.cover != "none" and unit.is_infantry)
            said = [moving, SIGHTS.get(kind.sight, ""), "gives cover" if covers else ""]
            text = "; ".join(words for words in said if words) or "changes nothing"
            rules = unique([self.cites["terrain"], *kind.rules.values()])
            yield TerrainEffect(kind=id, text=text, rules=rules, going=GOINGS.get(way, ""))

    def terrain_at(self, state: DustState, place: At) -> TerrainEffect:
        (body,) = self._bodies(state, place)
        pieces = [piece for piece, _ in state.table.land.standing(body) if piece.overlaps(body)]
        kinds = unique(piece.kind.id for piece in pieces)
        near = [
            unit.id
            for unit in state.on_board()
            if any(distance(body, other) == 0 for other in self._bodies(state, unit.id))
        ]
        text = ", ".join(f"{piece.id} ({piece.kind.id})" for piece in pieces) or "open ground"
        text += f"; {', '.join(near)} stands there" if near else ""
        return TerrainEffect(
            kind=" ".join(kinds), text=text, rules=[self.cites["terrain"]], facts={"terrain": kinds, "units": near}
        )

    # -- templates and formation ----------------------------------------------------------------

    def template(self, play: Play, shape: str, at: Any, start: End | None = None, **details: Any) -> Template:
        """Whom a blast template at a spot touches, or a flame tape from a unit's bearer to it; nobody burns himself."""
        state = play.state
        laid: Any = Disc(at[0], at[1], measures(state).blast)
        rules, marks, bearer = [self.cites["blast"]], {"templates": [laid]}, None
        if start is not None:
            if isinstance(start, At):
                raise NoAnswer("a flame starts from a unit")
            unit = self.unit(state, start)
            part, soldier = self._flamer(play, unit, details.get("weapon", ""), details.get("soldier"))
            body = self.rules.templates.body_of(play, unit, unit.parts[part], soldier)
            bearer = (unit, self.rules.templates.bearer(unit, unit.parts[part], soldier))
            laid = flame_tape((body.x, body.y), at)
            rules = [self.cites["flame"], self.cites["burns"]]
            marks = {"templates": list(laid.parts), "paths": [([(body.x, body.y), at], "tape")]}
        touched = {}
        for unit in self.rules.ground.under(state, laid, None, 0):
            figures = [f for f in self.rules.ground.touched(state, unit, laid, 0) if bearer != (unit, f)]
            if figures:
                touched[unit.id] = [self.model(unit, figure) for figure in figures]
        shape = "flame" if start is not None else "blast"
        return Template(shape=shape, touched=touched, rules=rules, marks=marks)

    def _flamer(self, play: Play, unit: Unit, weapon: str, soldier: int | None) -> tuple[int, int]:
        """The part and the soldier (counted from 1 in questions) that hold the nozzle."""
        part, index = self.weapon(unit, weapon) if weapon else (0, 0)
        bearers = self.rules.attacks.bearers(play, unit.parts[part], index)
        return part, soldier - 1 if soldier is not None else (bearers or (0,))[0]


__all__ = ["OpenField"]
