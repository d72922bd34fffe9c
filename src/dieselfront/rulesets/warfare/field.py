"""The field of Dust Warfare: distances, blocked and obscured sight, cover, arcs and reach on a measured table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.kernel.field import (
    BLOCKED,
    CLEAR,
    COVERED,
    NO_COVER,
    At,
    Bearing,
    Coherency,
    Distance,
    End,
    Facing,
    Field,
    NoAnswer,
    Objective,
    Point,
    Reach,
    Reason,
    Sight,
    SightLine,
    Standing,
    TerrainEffect,
    UnknownWord,
    WeaponUse,
    few,
    unique,
)
from dieselfront.kernel.field import Arc as FieldArc
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.battle import mm
from dieselfront.rulesets.warfare.firing import ATTACK, INDIRECT, SUSTAINED, Attack, Shot, Strike
from dieselfront.rulesets.warfare.going import DIFFICULT_INCHES, MARCH, MOVE, Clearance, Move
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.plans import COVER_POINTS
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.profiles import read_card
from dieselfront.rulesets.warfare.routes import DriveRegion, FootRegion, Route
from dieselfront.rulesets.warfare.state import GONE, TABLE, State, Unit
from dieselfront.rulesets.warfare.terrain import is_hazard, is_roofed
from dieselfront.rulesets.warfare.unit_cards import WarfareWeapon
from dieselfront.table.cost_grid import CostGrid
from dieselfront.table.measured.arcs import ALL_ROUND, Arc
from dieselfront.table.measured.outlines import arc_outline
from dieselfront.table.measured.placement import Crowd
from dieselfront.table.measured.reach import reach
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.terrain import Cover, Piece
from dieselfront.table.measured.terrain import Sight as TerrainSight
from dieselfront.table.measured.trace import fan_costs, fan_outline

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

COVERS = {Cover.NONE: NO_COVER, Cover.SOFT: "soft", Cover.HARD: "hard"}
A_SPOT = read_card(
    {"id": "somebody", "name": "somebody there", "kind": "infantry", "armor": "S1", "move": 6, "points": 0}
)


class WarfareField(Field[State]):
    """What can be measured and seen on the table."""

    ways = (MOVE, MARCH)
    goal_is_way = True
    grades = ("soft", "hard")
    length_mark = '"'

    def __init__(self, rules: Warfare) -> None:
        self.rules = rules

    # -- units ------------------------------------------------------------------------------------------------

    def is_sheltered(self, state: State, unit: str) -> bool:
        one = state.unit(unit)
        return all(
            any(piece.kind.is_area and piece.kind.cover for piece in state.table.pieces_at(body.x * 10, body.y * 10))
            for body in one.bodies
        )

    def carried(self, state: State, unit: str) -> list[str]:
        one = state.unit(unit)
        weapons = [one.weapons[index].name for man in one.men for index in one.carried(man)]
        return [*weapons, *(one.figures[man].card.name for man in one.men)]

    def units(self, state: State) -> list[Standing]:
        return [self._standing(unit) for unit in state.units]

    def _standing(self, unit: Unit) -> Standing:
        centre = None
        if unit.bodies:
            count = len(unit.bodies)
            centre = (sum(body.x for body in unit.bodies) / count, sum(body.y for body in unit.bodies) / count)
        whole = sum(figure.card.capacity for figure in unit.figures)
        left = unit.points_left / whole if unit.alive and whole else 0.0
        return Standing(
            id=unit.id,
            side=unit.side,
            name=unit.name,
            points=unit.ap,
            share=left if unit.place != GONE else 0.0,
            where=unit.place,
            centre=centre,
        )

    def objectives(self, state: State) -> list[Objective]:
        battle = state.scenario
        holder = self.rules.victory.holder
        return [
            Objective(
                name=one.id, points=one.points, holder=holder(state, one), places=((mm(one.at[0]), mm(one.at[1])),)
            )
            for one in (battle.objectives if battle is not None else ())
        ]

    def unit(self, state: State, id: str) -> Unit:
        """A unit on the table by its id."""
        unit = next((one for one in state.units if one.id == id), None)
        if unit is None:
            raise UnknownWord(f"there is no unit '{id}'", id)
        if not unit.on_table:
            raise NoAnswer(f"{id} is not on the table", id)
        return unit

    def end(self, state: State, end: End) -> Unit:
        """A unit, or a single soldier at a place."""
        if isinstance(end, str):
            return self.unit(state, end)
        x, y = end.place
        name = spot_name(x, y)
        if not (0 <= x <= state.table.width and 0 <= y <= state.table.depth):
            raise NoAnswer(f"{name} is off the table", name)
        somebody = Unit(f"({name})", 0, A_SPOT)
        somebody.place = TABLE
        ground.stand(state.table, somebody, [(x, y)], 0)
        return somebody

    def called(self, unit: Unit) -> str:
        """A unit as sentences name it."""
        return unit.id if unit.card is A_SPOT else f"{unit.name} ({unit.id})"

    def model_name(self, unit: Unit, man: int) -> str:
        return unit.id if unit.card is A_SPOT else f"{unit.id} miniature {man + 1}"

    def weapon(self, unit: Unit, name: str) -> WarfareWeapon:
        """A weapon of a unit by its name or a piece of it; the first one without a name."""
        wanted = name.lower().replace("-", " ").strip()
        for fits in (lambda known: known == wanted, lambda known: wanted in known):
            for weapon in unit.weapons:
                if fits(weapon.name.lower().replace("-", " ")):
                    return weapon
        known = unique(weapon.name for weapon in unit.weapons)
        raise NoAnswer(f"{unit.name} has no weapon '{name}'; it has {', '.join(known) or 'none'}", name)

    # -- distance ---------------------------------------------------------------------------------------------

    def distance(self, state: State, one: End, other: End) -> Distance:
        """Between the two nearest miniatures, on the flat."""
        unit, target = self.end(state, one), self.end(state, other)
        pairs = ((ground.distance(a, b), a, b) for a in unit.bodies for b in target.bodies)
        far, a, b = min(pairs, key=lambda pair: (pair[0], pair[1].x, pair[1].y))
        return Distance(
            length=round(far / INCH, 2),
            start=(a.x, a.y),
            end=(b.x, b.y),
            weapons=[self._weapon_range(weapon, far) for weapon in kinds(unit)],
            rules=["dw.measure.unit_to_unit", "dw.measure.horizontal", "dw.attack.range"],
            facts={"tenths_of_mm": far},
            marks={"tapes": [(a, b, far)]},
        )

    def _weapon_range(self, weapon: WarfareWeapon, far: int) -> dict[str, Any]:
        reaches = weapon.min_range * INCH <= far <= weapon.range * INCH
        text = "in range" if reaches else "out of range" if far > weapon.range * INCH else "inside its minimum range"
        return {"weapon": weapon.name, "range": weapon.range, "reaches": reaches, "text": text}

    # -- sight and cover ---------------------------------------------------------------------------------------

    def sight(self, play: Play, viewer: End, target: End, weapon: str = "") -> Sight:
        """Blocked for each miniature, obscured from the leader (dw.attack.los_origin, dw.attack.obscured_los)."""
        state: State = play.state
        one, other = self.end(state, viewer), self.end(state, target)
        leader = self._leader(one)
        seen = self._seen(state, one, other)
        grades = ground.obscured(state, one, leader, other)
        lines = [
            self._line(state, one, leader, other, man, body, grade, body in seen)
            for man, body, grade in zip(other.men, other.bodies, grades, strict=True)
        ]
        grade = self._grade(state, one, other, grades)
        because = self._because(state, one, other, grades, grade)
        count = sum(line.kind != BLOCKED for line in lines)
        hidden = sum(one is not Cover.NONE for one in grades)
        return Sight(
            viewer=one.id,
            target=other.id,
            viewer_name=self.called(one),
            target_name=self.called(other),
            visible=bool(seen),
            cover=COVERS[grade],
            distance=round(ground.unit_distance(one, other) / INCH, 2),
            lines=lines,
            because=because,
            notes=[f"{count} of {len(lines)} miniatures seen, {hidden} obscured from the leader."],
            rules=unique(["dw.attack.los_origin", "dw.attack.obscured_los", *(reason.rule for reason in because)]),
            facts={"models_seen": count, "models": len(lines), "obscured": hidden, "points": COVER_POINTS[grade]},
            marks={"lines": [(leader, body) for body in other.bodies]},
        )

    def cover(self, play: Play, viewer: str, target: str, weapon: str = "") -> Sight:
        """The cover of a unit with everything that gives it (dw.cover.no_stack)."""
        sight = self.sight(play, viewer, target, weapon)
        sight.notes = [*sight.notes, *(f"{reason.text} ({reason.rule})" for reason in sight.because)]
        sight.rules = unique(["dw.attack.obscured_half", *(reason.rule for reason in sight.because)])
        return sight

    def _leader(self, unit: Unit) -> Body:
        man = unit.acting_leader
        return unit.body_of(man) if man in unit.men and man is not None else unit.bodies[0]

    def _seen(self, state: State, viewer: Unit, target: Unit) -> list[Body]:
        blockers = ground.hulls(state, viewer, target)
        return [
            body
            for body in target.bodies
            if any(ground.sees_body(state, viewer, eye, target, body, blockers) for eye in viewer.bodies)
        ]

    def _grade(self, state: State, viewer: Unit, target: Unit, grades: list[Cover]) -> Cover:
        """The cover of the whole unit after its steps, as an attack would find it."""
        if viewer.card is A_SPOT or target.card is A_SPOT:
            return ground.half_cover(grades)
        attack = Attack(state, viewer, ATTACK)
        strike = Strike(attack, target)
        strike.terrain = self.rules.cover.unit_grade(state, strike, grades)
        return self.rules.cover.steps(strike)

    def _because(self, state: State, viewer: Unit, target: Unit, grades: list[Cover], grade: Cover) -> list[Reason]:
        terrain = ground.half_cover(grades)
        reasons = []
        if terrain is not Cover.NONE:
            text = f"at least half of the unit is obscured: {COVERS[terrain]} cover"
            reasons.append(Reason(text=text, rule="dw.attack.obscured_half"))
        if grade != terrain:
            text = f"{COVERS[grade]} cover after suppression, Teams and abilities"
            reasons.append(Reason(text=text, rule="dw.open.cover_step_order"))
        return reasons

    def _line(
        self, state: State, viewer: Unit, leader: Body, target: Unit, man: int, body: Body, grade: Cover, seen: bool
    ) -> SightLine:
        reasons = self._reasons(state, viewer, leader, target, body)
        if not seen:
            reasons = [Reason(text="nobody sees it", rule="dw.attack.los_blocked_target", blocks=True), *reasons]
        kind = BLOCKED if not seen else COVERED if grade else CLEAR
        return SightLine(
            kind=kind,
            eye=(leader.x, leader.y),
            end=(body.x, body.y),
            viewer=viewer.id,
            target=man + 1,
            label=self.model_name(target, man),
            at=reasons[0].places[0] if reasons and reasons[0].places else None,
            reasons=reasons,
            facts={"cover": COVERS[grade], "seen": seen},
        )

    def _reasons(self, state: State, viewer: Unit, leader: Body, target: Unit, body: Body) -> list[Reason]:
        """Terrain and units on the line from the leader's base."""
        if viewer.is_above or target.is_above:
            return []
        exempt = [piece for piece, _ in state.table.standing(leader)]
        reasons = []
        mask = ground.cover_mask(state.table)
        for piece, _ in state.table.stretches_in((leader.cx, leader.cy), (body.cx, body.cy), mask):
            if piece not in exempt:
                reasons.append(self._reason(piece.id, piece.kind.cover, "dw.attack.obscured_los"))
        for other, grade in ground.screens(state, viewer, target):
            if ground.crosses((leader.cx, leader.cy), leader, body, other):
                who = str(other.key[0]) if isinstance(other.key, tuple) else str(other.key)
                rule = "dw.attack.vehicles_obscure" if grade is Cover.HARD else "dw.attack.soldiers_obscure_soldiers"
                reasons.append(self._reason(state.unit(who).name, grade, rule))
        return reasons

    def _reason(self, what: str, grade: Cover, rule: str) -> Reason:
        return Reason(text=f"the line crosses {what} ({COVERS[grade]} cover)", rule=rule, what=what, code=COVERS[grade])

    # -- arcs and facings -------------------------------------------------------------------------------------

    def arcs(self, state: State, unit: str) -> list[FieldArc]:
        """Arcs of vehicle weapons, cut to their range (dw.arc.vehicle_four, dw.arc.turret_any)."""
        one = self.unit(state, unit)
        body = one.bodies[0]
        return few(
            [
                FieldArc(
                    weapon=weapon.name,
                    name=self._arc_name(one, weapon),
                    range=weapon.range,
                    at=(body.x, body.y),
                    outline=arc_outline(body, self._arc(one, weapon), weapon.range * INCH),
                    rules=["dw.arc.hull_weapon" if one.is_machine else "dw.arc.soldier_no_facing"],
                )
                for weapon in kinds(one)
                if weapon.range
            ]
        )

    def _arc(self, unit: Unit, weapon: WarfareWeapon) -> Arc:
        name = self._arc_name(unit, weapon)
        return ground.ARCS.get(name, ALL_ROUND)

    def _arc_name(self, unit: Unit, weapon: WarfareWeapon) -> str:
        if unit.is_soldier or weapon.arc is None or weapon.arc == "turret":
            return "all round"
        return str(weapon.arc)

    def bearing(self, state: State, unit: str, target: End, weapon: str = "", facing: Any = None) -> Bearing:
        """Is a miniature of the target inside the arc (dw.attack.arc)?"""
        one, other = self.unit(state, unit), self.end(state, target)
        used = self.weapon(one, weapon)
        body = one.bodies[0] if facing is None else one.bodies[0].at(one.bodies[0].x, one.bodies[0].y, facing)
        name = self._arc_name(one, used)
        inside = name == "all round" or any(ground.in_side(body, name, mini) for mini in other.bodies)
        return Bearing(
            weapon=used.name,
            arc=name,
            inside=inside,
            facing=f"{body.heading}°",
            rules=["dw.attack.arc"],
            marks={"arcs": [] if name == "all round" else [(body, ground.ARCS[name], used.range * INCH, name)]},
        )

    def facing(self, state: State, viewer: End, target: str) -> Facing:
        """The arc of a vehicle that holds most of a unit, if one does (dw.armor_roll.vehicle_rear)."""
        unit, other = self.end(state, viewer), self.unit(state, target)
        if not other.is_machine:
            raise NoAnswer(f"{other.name} is no vehicle, it has no arcs", target)
        side = next((name for name in ("rear", "front", "left", "right") if ground.most_in_side(other, name, unit)), "")
        side_name = side or "no arc holds most of the unit"
        return Facing(side=side or "none", name=side_name, rules=["dw.armor_roll.vehicle_rear", "dw.arc.vehicle_four"],
                      marks={"facings": other.bodies[:1]})  # fmt: skip

    # -- reach ------------------------------------------------------------------------------------------------

    def reach(
        self, play: Play, unit: str, how: str = "", goal: Any = None, facing: Any = None, under_way: Any = None
    ) -> Reach:
        """Where a unit can go by a move or a march; a goal is a way as its region reads it."""
        kind = how or MOVE
        if kind not in self.ways:
            raise UnknownWord(f"nobody moves by '{kind}'; expected move or march", how)
        state: State = play.state
        one = self.unit(state, unit)
        region = under_way if isinstance(under_way, DriveRegion | FootRegion) else self.region(state, unit, kind)
        rule = "dw.action.march_move" if kind == MARCH else "dw.action.move"
        answer = Reach(how=kind, rules=[rule, "dw.terrain.difficult_cap", "dw.terrain.impassable"])
        if not self.rules.movement.can_move(state, one, kind):
            answer.may, answer.reason = False, "it cannot move (dw.damage.vehicle.drive_damaged)"
            return answer
        self._ground(state, region, answer)
        if goal is not None:
            self._way(region, answer, goal)
        return answer

    def region(self, state: State, unit: str, kind: str) -> FootRegion | DriveRegion:
        """Where a plain move or march can lead."""
        return self.rules.movement.region(Move(state, self.unit(state, unit), kind))

    def _ground(self, state: State, region: FootRegion | DriveRegion, answer: Reach) -> None:
        clearance = region.clearance
        slow = sorted(clearance.difficult)
        answer.notes = [f'In {", ".join(slow)} the move is at most {DIFFICULT_INCHES}".'] if slow else []
        if clearance.barred:
            answer.notes.append(f"It may not enter {', '.join(sorted(clearance.barred))}.")
        if isinstance(region, FootRegion):
            flood = self._flood(state, region)
            xs, ys = [x for x, _, _ in flood.spots], [y for _, y, _ in flood.spots]
            answer.budget = round(region.reach / INCH, 2)
            answer.facts = {
                "inches": answer.budget,
                "barred": sorted(clearance.barred),
                "box": [min(xs), min(ys), max(xs), max(ys)],
                "spots": len(flood.spots),
                "outline": [[list(point) for point in ring] for ring in flood.outline()],
            }
            answer.marks = {"reaches": [flood]}
            return
        ends = self._ends(region)
        answer.budget = round(region.limits.ahead / INCH, 2)
        answer.notes.insert(0, "One turn of up to 90° before or after, or a turn on the spot.")
        answer.facts = {
            "inches": answer.budget,
            "turns": int(region.limits.turns),
            "reverse": round(region.limits.back / INCH, 2),
            "ends": [{"x": end.x, "y": end.y, "heading": end.heading} for end in ends],
        }
        answer.marks = {"drives": ends}

    def _flood(self, state: State, region: FootRegion) -> Any:
        leader, clearance = region.bodies[0], region.clearance
        keeps = [keep for keep in clearance.keeps if keep.is_kept(leader)]
        return reach(state.table, leader, region.reach, clearance.going, Crowd(keeps), step=12)

    def _ends(self, region: DriveRegion) -> list[Body]:
        """Legal ends of a vehicle's move, a fair choice of them."""
        routes = [region.route(answer) for answer in region.spots()]
        return [route.bodies[0] for route in routes if isinstance(route, Route)]

    def _way(self, region: FootRegion | DriveRegion, answer: Reach, way: Any) -> None:
        """Is one way legal, how long is it, where does it end."""
        route = region.route(way)
        answer.reached = isinstance(route, Route)
        points = [tuple(point[:2]) for point in way if isinstance(point, tuple)]
        first = region.bodies[0] if isinstance(region, FootRegion) else region.body
        answer.marks["paths"] = [([(first.x, first.y), *points], "" if answer.reached else "no")]
        if not isinstance(route, Route):
            answer.reason = str(route)
            return
        answer.cost = round(route.length / INCH, 2)
        answer.path = [list(point) for point in route.path]
        answer.facts |= {
            "length": answer.cost,
            "ends_at": [[body.x, body.y] for body in route.bodies],
            "facing": route.heading,
        }

    def outline(self, play: Play, unit: str, region: Any = None) -> list[list[Point]]:
        """Of the move being chosen, else of a plain move."""
        state: State = play.state
        region = self._plain_region(state, unit) if region is None else region
        if isinstance(region, FootRegion):
            return [[tuple(point) for point in ring] for ring in self._flood(state, region).outline()]
        if isinstance(region, DriveRegion):
            return [list(ring) for ring in fan_outline(region, region.body, region.limits.ahead)]
        return []

    def costs(self, play: Play, unit: str, region: Any = None) -> CostGrid | None:
        state: State = play.state
        region = self._plain_region(state, unit) if region is None else region
        if isinstance(region, FootRegion):
            grid: CostGrid | None = self._flood(state, region).costs()
            return grid
        if isinstance(region, DriveRegion):
            return fan_costs(region, region.body, region.limits.ahead)
        return None

    def _plain_region(self, state: State, unit: str) -> Any:
        """Where a plain move may lead; None for a unit that cannot move."""
        one = next((each for each in state.units if each.id == unit), None)
        if one is None or not one.on_table or not self.rules.movement.can_move(state, one, MOVE):
            return None
        return self.region(state, unit, MOVE)

    # -- weapons ----------------------------------------------------------------------------------------------

    def weapons(self, play: Play, unit: str, target: str, how: str = "") -> list[WeaponUse]:
        """What every weapon would roll against a target, and why some cannot be used."""
        state: State = play.state
        one, other = self.unit(state, unit), self.unit(state, target)
        attack = Attack(state, one, how if how in (ATTACK, SUSTAINED) else ATTACK)
        by_weapon: dict[int, list[tuple[int, int]]] = {}
        for man, place, index in self.rules.attacking.weapons(one):
            by_weapon.setdefault(index, []).append((man, place))
        return [self._use(attack, other, index, carriers) for index, carriers in by_weapon.items()]

    def _use(self, attack: Attack, target: Unit, index: int, carriers: Sequence[tuple[int, int]]) -> WeaponUse:
        weapon = attack.unit.weapons[index]
        shots, refused = [], ("dw.profile.dash", "no attack")
        for man, place in carriers:
            for mode in self.rules.attacking.modes(attack, weapon):
                shot = Shot(attack, man, place, index, target, mode)
                why = self.rules.attacking.refusal(shot, {})
                if why is None:
                    shots.append(shot)
                    break
                refused = why
        if not shots:
            text = f"no, {refused[1]} ({refused[0]})"
            return WeaponUse(weapon=weapon.name, usable=False, rule=refused[0], reason=refused[1], facts={"text": text})
        trial = Attack(attack.state, attack.unit, attack.kind)
        trial.shots = [Shot(trial, s.man, s.place, s.index, s.target, s.mode) for s in shots]
        if any(shot.mode == INDIRECT for shot in shots):
            trial.spotter = self.rules.artillery.first_spotter(trial)
        strike = self.rules.attacking.plan(trial, target)
        dice = sum(pool.dice for pool in strike.pools)
        cell = strike.pools[0].cell if strike.pools else None
        text = f"{dice} dice, {strike.pools[0].damage if cell else 0} damage for each HIT"
        facts = {
            "shooters": len(shots),
            "dice": dice,
            "cover": COVERS[strike.cover],
            "armor": strike.armor_dice,
            "text": text,
        }
        return WeaponUse(weapon=weapon.name, usable=True, rule="dw.attack.roll", facts=facts)

    # -- terrain ----------------------------------------------------------------------------------------------

    def terrain(self, state: State, unit: str) -> list[TerrainEffect]:
        one = next((each for each in state.units if each.id == unit), None)
        pieces = {piece.kind.id: piece for piece in reversed(state.table.pieces)}
        return [] if one is None else [self._effect(state, one, pieces[kind]) for kind in sorted(pieces)]

    def _effect(self, state: State, unit: Unit, piece: Piece) -> TerrainEffect:
        clearance = Clearance(Move(state, unit, MOVE))
        mover = "soldiers" if unit.is_soldier else "vehicles"
        said, rules, going = [], [], ""
        if piece.id in clearance.barred:
            said, rules, going = ["it may not enter"], ["dw.terrain.impassable"], "no"
        elif piece.id in clearance.difficult:
            said, rules, going = ['moves through it are at most 3"'], [f"dw.terrain.difficult_{mover}"], "slow"
        else:
            said, rules = ["it moves freely"], [f"dw.terrain.difficult_{mover}"]
        if piece.kind.cover:
            said.append(f"{COVERS[piece.kind.cover]} cover, {COVER_POINTS[piece.kind.cover]} off the damage")
            rules.append("dw.cover.soft_list" if piece.kind.cover is Cover.SOFT else "dw.cover.hard_list")
        if piece.kind.sight in (TerrainSight.BLOCKS, TerrainSight.AREA):
            said.append(
                "blocks sight as high as it is" if piece.kind.sight is TerrainSight.BLOCKS else "is not seen across"
            )
            rules.append("dw.attack.los_origin")
        if is_hazard(piece):
            said.append("a hazard to low aircraft")
            rules.append("dw.aircraft.hazard_definition")
        if is_roofed(piece):
            said.append("closed from above")
            rules.append("dw.aircraft.los_high_roof")
        return TerrainEffect(kind=piece.kind.id, text="; ".join(said), rules=unique(rules), going=going)

    def terrain_at(self, state: State, place: At) -> TerrainEffect:
        somebody = self.end(state, place)
        body = somebody.bodies[0]
        pieces = ground.pieces_under(state.table, body)
        kinds = unique(piece.kind.id for piece in pieces)
        near = [
            unit.id
            for unit in state.units
            if unit.on_table and any(ground.distance(body, other) == 0 for other in unit.bodies)
        ]
        text = ", ".join(f"{piece.id} ({piece.kind.id})" for piece in pieces) or "open ground"
        text += f"; {', '.join(near)} stands there" if near else ""
        facts = {"terrain": kinds, "units": near}
        return TerrainEffect(kind=" ".join(kinds), text=text, rules=["dw.terrain.difficult_soldiers"], facts=facts)

    def coherency(self, state: State, unit: str) -> Coherency:
        """Is everybody within Leadership range of the leader (dw.formation.range)?"""
        out = ground.out_of_formation(self.unit(state, unit))
        return Coherency(holds=not out, out=[man + 1 for man in out], rules=["dw.formation.range"])


def kinds(unit: Unit) -> list[WarfareWeapon]:
    """The weapons of a unit, each line once."""
    return list({weapon.id: weapon for weapon in unit.weapons}.values())


def spot_name(x: int, y: int) -> str:
    """A place in inches, for people."""
    return ", ".join(f"{mm / 25.4:.1f}".removesuffix(".0") + '"' for mm in (x, y))


__all__ = ["WarfareField"]
