"""The field of Konflikt '47: sight, cover, range, arcs, facings and reach on a measured table, model by model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
    Template,
    TerrainEffect,
    UnknownWord,
    WeaponUse,
    few,
    unique,
)
from dieselfront.kernel.field import Arc as FieldArc
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.battle import mm
from dieselfront.rulesets.konflikt47.cards import read_card
from dieselfront.rulesets.konflikt47.charts import DOUBLE, NO, NO_DUG_IN, NO_RUN
from dieselfront.rulesets.konflikt47.firing import Pool, Shot
from dieselfront.rulesets.konflikt47.going import code
from dieselfront.rulesets.konflikt47.ground import INCH, Aim
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.routes import DriveRegion, FootRegion, Route
from dieselfront.rulesets.konflikt47.state import ADVANCE, FIRE, GONE, RUN, TABLE, State, Unit
from dieselfront.table.cost_grid import CostGrid
from dieselfront.table.measured.angles import heading_of
from dieselfront.table.measured.arcs import ALL_ROUND, facing_shot_at
from dieselfront.table.measured.cover import ModelCover
from dieselfront.table.measured.outlines import arc_outline
from dieselfront.table.measured.placement import Crowd
from dieselfront.table.measured.reach import drive_reach, reach
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.sight import Sighting
from dieselfront.table.measured.templates import Disc, Strip, flame_tape, teardrop
from dieselfront.table.measured.terrain import Cover
from dieselfront.table.measured.terrain import Sight as TerrainSight
from dieselfront.table.measured.trace import fan_costs, fan_outline
from dieselfront.table.measured.units import show_inches

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

COVERS = {Cover.NONE: NO_COVER, Cover.SOFT: "soft", Cover.HARD: "hard"}
EFFECTS = {  # how a reason is shown, and the rule behind it
    "blocks": ("{who} stands in the way", "k47.core.los"),
    "through": ("nobody sees right through {who}", "k47.core.los_area"),
    "depth": ("{who} is too deep", "k47.core.los_area"),
    "floor": ("a floor of {who} lies between", "k47.core.los"),
    "reach": ("nobody stands at the opening of {who}", "k47.building.shoot_from"),
    "screens": ("it stands behind {who}", "k47.shoot.cover"),
    "area": ("the line passes through {who}", "k47.core.los_area"),
    "opening": ("the line passes an opening of {who}", "k47.building.shoot_from"),
}
HOW = {"inside": "stands in {who}", "behind": "stands behind {who}", "unseen": "is partly out of sight"}
CODES = {
    NO: ("it may not enter", "k47.terrain.code_no"),
    NO_RUN: ("it may cross, not at a run", "k47.terrain.code_no_run"),
    NO_DUG_IN: ("it may not move here, but be set up", "k47.terrain.code_no_star"),
    DOUBLE: ("along it, it moves twice as far", "k47.terrain.code_x2"),
}
GOINGS = {NO: "no", NO_RUN: "slow", NO_DUG_IN: "no"}
SHELTERS = {Cover.SOFT: "soft cover, −1 to be hit", Cover.HARD: "hard cover, −2 to be hit"}
SIGHTS = {
    TerrainSight.BLOCKS: ("blocks sight as high as it is", "k47.core.los"),
    TerrainSight.AREA: ("is seen into, not right through", "k47.core.los_area"),
    TerrainSight.SCREEN: ("is seen through", "k47.shoot.cover"),
}
SHAPES = ("blast", "line", "flame", "tape")
_KEY = re.compile(r"\('([\w-]+)', \w+\)")  # the key of a model in a reason
A_SPOT = read_card({"name": "somebody there", "kind": "infantry", "men": [{}]})


class KonfliktField(Field[State]):
    """What can be measured and seen on the table."""

    ways = (ADVANCE, RUN)
    grades = ("soft", "hard")
    length_mark = '"'
    goal_is_way = True

    def __init__(self, rules: Konflikt47) -> None:
        self.rules = rules

    # -- units ------------------------------------------------------------------------------------------------

    def is_sheltered(self, state: State, unit: str) -> bool:
        one = state.unit(unit)
        if one.building:
            return True
        return all(
            any(piece.kind.is_area and piece.kind.cover for piece in state.table.pieces_at(body.x * 10, body.y * 10))
            for body in one.bodies
        )

    def carried(self, state: State, unit: str) -> list[str]:
        one = state.unit(unit)
        weapons = [one.card.weapons[index].name for man in one.men for index in one.weapons_of(man)]
        return [*weapons, *(one.card.men[man].name for man in one.men)]

    def units(self, state: State) -> list[Standing]:
        return [self._standing(state, unit) for unit in state.units]

    def _standing(self, state: State, unit: Unit) -> Standing:
        bodies = ground.presence(state, unit) if unit.place == TABLE else []
        centre = None
        if bodies:
            centre = (sum(body.x for body in bodies) / len(bodies), sum(body.y for body in bodies) / len(bodies))
        left = len(unit.men) / len(unit.card.men) if unit.alive and unit.card.men else float(unit.alive)
        return Standing(
            id=unit.id,
            side=unit.side,
            name=unit.card.name,
            points=unit.card.points,
            share=left if unit.place != GONE else 0.0,
            where="table" if unit.place == TABLE else unit.place,
            centre=centre,
        )

    def objectives(self, state: State) -> list[Objective]:
        holder = self.rules.victory.holder
        return [
            Objective(
                name=one.id, points=one.points, holder=holder(state, one), places=((mm(one.at[0]), mm(one.at[1])),)
            )
            for one in (state.scenario.objectives if state.scenario is not None else ())
        ]

    def unit(self, state: State, id: str, off: bool = False) -> Unit:
        """A unit by its id; on the table unless `off`."""
        unit = next((one for one in state.units if one.id == id), None)
        if unit is None:
            raise UnknownWord(f"there is no unit '{id}'", id)
        if not off and not unit.on_table:
            raise NoAnswer(f"{id} is not on the table", id)
        return unit

    def end(self, state: State, end: End) -> Unit:
        """A unit, or a single soldier at a place, seen by nobody's eyes but the question's."""
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
        return unit.id if unit.card is A_SPOT else f"{unit.card.name} ({unit.id})"

    def _who(self, state: State, who: object) -> str:
        if isinstance(who, tuple) and who and isinstance(who[0], str):
            return next((unit.card.name for unit in state.units if unit.id == who[0]), str(who[0]))
        return str(who)

    def model(self, unit: Unit, body: Body) -> Any:
        """The number of a model in its unit, from 1, "gun", or "opening"."""
        if unit.building:
            return "opening"
        mark = body.key[1] if isinstance(body.key, tuple) else 0
        return mark + 1 if isinstance(mark, int) else mark

    def model_name(self, unit: Unit, body: Body) -> str:
        """A model as sentences name it."""
        number = self.model(unit, body)
        if unit.card is A_SPOT:
            return unit.id
        return f"{unit.id} {f'model {number}' if isinstance(number, int) else f'the {number}'}"

    def weapon(self, unit: Unit, name: str) -> int:
        """A weapon of a unit by its name or a piece of it."""
        wanted = name.lower().replace("-", " ").strip()
        names = [weapon.name.lower().replace("-", " ") for weapon in unit.card.weapons]
        for fits in (lambda known: known == wanted, lambda known: wanted in known):
            for index, known in enumerate(names):
                if fits(known):
                    return index
        known_names = unique(weapon.name for weapon in unit.card.weapons)
        raise NoAnswer(f"{unit.card.name} has no weapon '{name}'; it has {', '.join(known_names) or 'none'}", name)

    # -- distance ---------------------------------------------------------------------------------------------

    def distance(self, state: State, one: End, other: End) -> Distance:
        unit, target = self.end(state, one), self.end(state, other)
        far = ground.unit_distance(state, unit, target)
        pairs = (
            (ground.distance(a, b), a, b) for a in ground.presence(state, unit) for b in ground.presence(state, target)
        )
        _, a, b = min(pairs, key=lambda pair: (pair[0], pair[1].x, pair[1].y))
        shooting = [weapon for weapon in dict.fromkeys(unit.card.weapons) if weapon.shoots]
        return Distance(
            length=round(far / INCH, 2),
            start=(a.x, a.y),
            end=(b.x, b.y),
            weapons=[self._weapon_range(weapon, far) for weapon in shooting],
            rules=["k47.core.measure", "k47.shoot.range", "k47.shoot.long_def", "k47.shoot.point_blank_def"],
            facts={"tenths_of_mm": far},
            marks={"tapes": [(a, b, far)]},
        )

    def _weapon_range(self, weapon: Any, far: int) -> dict[str, Any]:
        reaches = weapon.min_range * INCH <= far <= weapon.range * INCH
        long, close = 2 * far > weapon.range * INCH, far <= 6 * INCH
        text = "in range" if reaches else "out of range" if far > weapon.range * INCH else "inside its minimum range"
        if reaches:
            text += ", point blank" if close else ""
            text += ", long range" if long else ""
        return {
            "weapon": weapon.name,
            "range": weapon.range,
            "reaches": reaches,
            "long": reaches and long,
            "point_blank": reaches and close,
            "text": text,
        }

    # -- sight ------------------------------------------------------------------------------------------------

    def sight(self, play: Play, viewer: End, target: End, weapon: str = "") -> Sight:
        """The best line to every model of the target, with its reasons (k47.core.los)."""
        state: State = play.state
        one, other = self.end(state, viewer), self.end(state, target)
        best = self._best_lines(state, one, other)
        lines = [self._line(state, one, other, *looked) for looked in best]
        visible = ground.sees(state, one, other)
        seen = [line for line in lines if line.kind != BLOCKED]
        aims = self._aims(state, one, other)
        grade = self._grade(state, one, other, aims) if aims else Cover.NONE
        because = []
        if grade is not Cover.NONE and visible:
            why = ", ".join(unique(text for _, aim in aims for text in self._cover_reasons(state, aim)))
            because = [Reason(text=f"{COVERS[grade]} cover{f': {why}' if why else ''}", rule="k47.shoot.cover")]
        fraction = max((line.facts["fraction"] for line in lines), default=0.0)
        return Sight(
            viewer=one.id,
            target=other.id,
            viewer_name=self.called(one),
            target_name=self.called(other),
            visible=visible,
            cover=COVERS[grade],
            distance=round(ground.unit_distance(state, one, other) / INCH, 2),
            lines=lines,
            because=because,
            notes=[f"{len(seen)} of {len(lines)} models seen, the best line shows {fraction:.0%}."],
            rules=unique(["k47.core.los", *(reason.rule for line in lines for reason in line.reasons)]),
            facts={
                "fraction": fraction,
                "models_seen": len(seen),
                "models": len(lines),
                "viewers": self._viewers(state, one, other),
            },
            marks={"sights": [(body, sighting) for _, body, sighting in best]},
        )

    def _best_lines(self, state: State, viewer: Unit, target: Unit) -> list[tuple[Body, Body, Sighting]]:
        """For every model of the target the eye that sees most of it."""
        blockers = ground.hulls(state, viewer, target)
        best = []
        for body in ground.presence(state, target):
            looks = [
                (eye, body, ground.look(state, viewer, eye, target, body, blockers))
                for eye in ground.presence(state, viewer)
            ]
            best.append(max(looks, key=lambda look: (look[2].seen, look[2].clear)))
        return best

    def _line(self, state: State, viewer: Unit, target: Unit, eye: Body, body: Body, sighting: Sighting) -> SightLine:
        reasons = [self._reason(state, reason) for reason in sighting.reasons]
        why = "; ".join(reason.text for reason in reasons)
        text = "clear" if sighting.is_clear else f"{sighting.seen} of {sighting.total} points seen"
        return SightLine(
            kind=BLOCKED if not sighting.seen else CLEAR if sighting.is_clear else COVERED,
            eye=(sighting.eye[0] / 10, sighting.eye[1] / 10),
            end=(body.x, body.y),
            viewer=self.model(viewer, eye),
            target=self.model(target, body),
            label=self.model_name(target, body),
            at=tuple(sighting.reasons[0].at) if sighting.reasons else None,
            reasons=reasons,
            facts={
                "seen": sighting.seen,
                "clear": sighting.clear,
                "total": sighting.total,
                "fraction": round(sighting.seen / sighting.total, 3),
                "text": f"{text}{f' ({why})' if why else ''}",
            },
        )

    def _reason(self, state: State, reason: Any) -> Reason:
        words, rule = EFFECTS.get(reason.effect, ("{who}", "k47.core.los"))
        who = self._who(state, reason.who)
        return Reason(
            text=words.format(who=who),
            rule="k47.core.los_units" if reason.is_model else rule,
            blocks=reason.hides,
            code=reason.effect,
            what=who,
            places=(tuple(reason.at),),
            facts={"points": reason.points},
        )

    def _viewers(self, state: State, viewer: Unit, target: Unit) -> list[dict[str, Any]]:
        """Which models see how many models of the target (k47.shoot.who)."""
        blockers = ground.hulls(state, viewer, target)
        theirs = ground.presence(state, target)
        return [
            {
                "model": self.model(viewer, eye),
                "sees": sum(ground.look(state, viewer, eye, target, body, blockers).is_seen for body in theirs),
            }
            for eye in ground.presence(state, viewer)
        ]

    # -- cover ------------------------------------------------------------------------------------------------

    def cover(self, play: Play, viewer: str, target: str, weapon: str = "") -> Sight:
        """The cover of a unit against another: model by model, then what the majority has (k47.shoot.cover_def)."""
        sight = self.sight(play, viewer, target)
        state: State = play.state
        one, other = self.end(state, viewer), self.end(state, target)
        aims = self._aims(state, one, other)
        sight.facts = {}
        if not aims:
            sight.visible, sight.notes, sight.rules = False, [], ["k47.core.los"]
            return sight
        shooters = [self._row(state, one, eye, aim) for eye, aim in aims]
        sight.notes = [*self._majority(aims), *(f"{row['label']}: {row['text']}" for row in shooters)]
        grade = self._grade(state, one, other, aims)
        area = COVERS[ground.area_cover(state, other)] if other.bodies else NO_COVER
        sight.facts = {"modifier": -int(grade), "area": area, "shooters": shooters}
        sight.because, sight.rules = [], ["k47.shoot.cover", "k47.shoot.cover_def"]
        return sight

    def _grade(self, state: State, viewer: Unit, target: Unit, aims: Sequence[tuple[Body, Aim]]) -> Cover:
        return Cover(self.rules.shooting.cover(state, viewer, target, [aim for _, aim in aims]))

    def _aims(self, state: State, viewer: Unit, target: Unit) -> list[tuple[Body, Aim]]:
        """What every model that sees the target has in its sights."""
        own = ground.troops(friend for friend in state.friends(viewer) if friend is not target)
        foes = ground.troops(enemy for enemy in state.enemies(viewer) if enemy is not target)
        blockers = ground.hulls(state, viewer, target)
        eyes = [viewer.gun] if viewer.gun is not None else ground.presence(state, viewer)
        aims = []
        for eye in eyes:
            aim = ground.aim(state, viewer, eye, target, own, foes, blockers)
            if aim is not None and not aim.blocked_by_friends:
                aims.append((eye, aim))
        return aims

    def _majority(self, aims: Sequence[tuple[Body, Aim]]) -> list[str]:
        """How the grades were counted: at least half of the shooters against at least half of the models."""
        notes = []
        for grade in (Cover.HARD, Cover.SOFT):
            free = sum(2 * sum(c.grade < grade for c in aim.covers) >= len(aim.covers) for _, aim in aims)
            verdict = "does not count" if 2 * free >= len(aims) else "counts"
            notes.append(
                f"{COVERS[grade].capitalize()} cover {verdict}: {free} of {len(aims)} shooters have a line with less "
                "to at least half of the models (k47.shoot.cover_def)"
            )
        return notes

    def _row(self, state: State, viewer: Unit, eye: Body, aim: Aim) -> dict[str, Any]:
        covers = [COVERS[Cover(cover.grade)] for cover in aim.covers]
        why = unique(self._cover_reasons(state, aim))
        counted = ", ".join(f"{covers.count(name)} × {name}" for name in ("none", "soft", "hard") if name in covers)
        return {
            "model": self.model(viewer, eye),
            "label": self.model_name(viewer, eye),
            "range": round(aim.range / INCH, 2),
            "covers": covers,
            "reasons": why,
            "text": f"{counted} ({'; '.join(why)})" if why else counted,
        }

    def _cover_reasons(self, state: State, aim: Aim) -> Iterator[str]:
        for cover in aim.covers:
            for reason in self._best_reasons(cover):
                yield HOW[reason.how].format(who=self._who(state, reason.who))

    def _best_reasons(self, cover: ModelCover) -> list[Any]:
        return [reason for reason in cover.reasons if reason.grade == cover.grade]

    # -- arcs and facings -------------------------------------------------------------------------------------

    def arcs(self, state: State, unit: str) -> list[FieldArc]:
        """Arcs of vehicles and fixed weapons, cut to the weapon's range (k47.shoot.arcs, k47.shoot.range)."""
        one = self.unit(state, unit)
        if not one.bodies or one.building:
            return []
        body = self.rules.shooting.mount(one)
        arcs = []
        for weapon in dict.fromkeys(one.card.weapons):
            if weapon.shoots:
                arc = self.rules.shooting.arc(one, weapon)
                arcs.append(
                    FieldArc(
                        weapon=weapon.name,
                        name=arc.name,
                        range=weapon.range,
                        at=(body.x, body.y),
                        outline=arc_outline(body, arc, weapon.range * INCH),
                        rules=["k47.shoot.arcs" if one.is_vehicle else "k47.shoot.range"],
                    )
                )
        return few(arcs)

    def bearing(self, state: State, unit: str, target: End, weapon: str = "", facing: Any = None) -> Bearing:
        one, other = self.unit(state, unit), self.end(state, target)
        used = one.weapon(self.weapon(one, weapon) if weapon else 0)
        turned = self._turned(state, one, facing)
        arc = self.rules.shooting.arc(turned, used)
        body = self.rules.shooting.mount(turned)
        name = self._arc_name(one, used)
        return Bearing(
            weapon=used.name,
            arc=name,
            inside=self.rules.shooting.bears(state, turned, used, other),
            facing=f"{turned.heading}°",
            rules=["k47.shoot.arcs" if one.is_vehicle else "k47.wrule.fixed_arc"],
            marks={"arcs": [] if arc is ALL_ROUND else [(body, arc, used.range * INCH, name)]},
        )

    def _turned(self, state: State, unit: Unit, facing: Any) -> Unit:
        """The unit as if it looked another way."""
        if facing is None:
            return unit
        turned = unit.clone()
        turned.heading = facing
        turned.bodies = [body.at(body.x, body.y, facing) for body in unit.bodies] if unit.is_vehicle else unit.bodies
        if unit.gun is not None:
            turned.gun = unit.gun.at(unit.gun.x, unit.gun.y, facing)
        return turned

    def _arc_name(self, unit: Unit, weapon: Any) -> str:
        if unit.is_vehicle:
            return str(weapon.arc)
        return "front" if weapon.points_ahead else "all"

    def facing(self, state: State, viewer: End, target: str) -> Facing:
        """Which side of a vehicle a shooter hits (k47.armour.facing)."""
        unit, other = self.end(state, viewer), self.unit(state, target)
        if not other.is_vehicle:
            raise NoAnswer(f"{other.card.name} is no vehicle, it has no facings", target)
        struck = facing_shot_at(other.bodies[0], self.rules.shooting.shooter_body(state, unit))
        name = "side" if struck.is_side else struck.name.lower()
        marks = {"facings": other.bodies[:1]}
        return Facing(side=struck.name.lower(), name=name, rules=["k47.armour.facing"], marks=marks)

    # -- reach ------------------------------------------------------------------------------------------------

    def reach(
        self, play: Play, unit: str, how: str = "", goal: Any = None, facing: Any = None, under_way: Any = None
    ) -> Reach:
        """Where a unit can go with an order; a goal is a way as its region reads it."""
        order = how or ADVANCE
        if order not in self.ways:
            raise UnknownWord(f"nobody moves by '{order}'; expected advance or run", how)
        one = self.unit(play.state, unit)
        is_region = isinstance(under_way, DriveRegion | FootRegion)
        region = under_way if is_region else self.region(play.state, unit, order)
        return self.region_reach(play.state, one, order, region, goal)

    def region(self, state: State, unit: str, order: str) -> Any:
        """The region of a plain move by an order."""
        one = self.unit(state, unit)
        if one.building:
            raise NoAnswer(f"{one.card.name} is inside {one.building}; it leaves by its doors", unit)
        return self.rules.movement.region(state, one, order)

    def region_reach(self, state: State, unit: Unit, order: str, region: Any, goal: Any = None) -> Reach:
        """What a region says of its ground, and of one way through it."""
        rules = ["k47.move.rates", "k47.terrain.table", "k47.core.one_inch"]
        rules += ["k47.move.turns", "k47.move.reverse"] if unit.is_vehicle else ["k47.move.model_limit"]
        answer = Reach(how=order, rules=rules)
        if isinstance(region, DriveRegion):
            self._drives(state, region, answer)
        else:
            self._walks(state, region, answer)
        if goal is not None:
            self._way(state, region, answer, goal)
        return answer

    def _walks(self, state: State, region: FootRegion, answer: Reach) -> None:
        """The area the first model can get to."""
        walked = self._flood(state, region)
        xs, ys = [x for x, _, _ in walked.spots], [y for _, y, _ in walked.spots]
        barred = sorted(set(region.clearance.going.barred))
        answer.budget = round(region.reach / INCH, 2)
        answer.notes = [f"It may not cross {', '.join(barred)} (k47.terrain.table)."] if barred else []
        answer.facts = {
            "inches": answer.budget,
            "barred": barred,
            "box": [min(xs), min(ys), max(xs), max(ys)],
            "spots": len(walked.spots),
            "outline": [[list(point) for point in ring] for ring in walked.outline()],
        }
        answer.marks = {"reaches": [walked]}

    def _flood(self, state: State, region: FootRegion) -> Any:
        leader, clearance = region.bodies[0], region.clearance
        keeps = [keep for keep in clearance.keeps if keep.is_kept(leader)]
        return reach(state.table, leader, region.reach, clearance.going, Crowd(keeps), step=12)

    def _drives(self, state: State, region: DriveRegion, answer: Reach) -> None:
        """Where a vehicle can end: forward with its turns, or back."""
        limits = region.limits
        ends = [drive.end for drive in self._drive_options(state, region)]
        turns = f"with {limits.turns} turn{'s' * (limits.turns != 1)} of up to 90°"
        answer.budget = round(limits.ahead / INCH, 2)
        answer.notes = [
            f"{'Turning as it likes' if limits.turns < 0 else turns.capitalize()}, "
            f"or reversing {show_inches(limits.back)}."
        ]
        if limits.road_ahead and any(piece.kind.id == "road" for piece in state.table.pieces):
            length = show_inches(limits.road_ahead)
            answer.notes.append(f"All the way along a road it drives {length} (k47.terrain.code_x2).")
        answer.facts = {
            "inches": answer.budget,
            "turns": limits.turns,
            "reverse": round(limits.back / INCH, 2),
            "ends": [{"x": end.x, "y": end.y, "heading": end.heading} for end in ends],
        }
        answer.marks = {"drives": ends}

    def _drive_options(self, state: State, region: DriveRegion) -> list[Any]:
        """A choice of legal ends, forwards and backwards."""
        avoid = [keep for keep in region.clearance.keeps if keep.is_kept(region.body)]
        table, going, limits = state.table, region.clearance.going, region.limits
        turns = min(2, limits.turns) if limits.turns >= 0 else 2
        drives = list(drive_reach(table, region.body, limits.ahead, turns, going=going, avoid=avoid, degrees=45))
        if limits.back:
            drives += drive_reach(table, region.body, limits.back, 0, going=going, avoid=avoid, backwards=True)
        return [drive for drive in drives if region.clearance.end_problem([drive.end]) is None]

    def _round_corners(self, answer: Reach, way: Any) -> Any:
        """A goal that the straight line does not reach, by the shortest way round what bars it."""
        if len(way) != 1 or not isinstance(way[0], tuple):
            return way
        path = answer.marks["reaches"][0].path_to(*way[0][:2])
        return tuple(path[1:]) if path is not None and len(path) > 1 else way

    def _way(self, state: State, region: Any, answer: Reach, way: Any) -> None:
        """Is one way legal, how long is it, where does it end."""
        route = region.route(way)
        if isinstance(route, str) and isinstance(region, FootRegion):
            way = self._round_corners(answer, way)
            route = region.route(way)
        answer.reached = isinstance(route, Route)
        points = [tuple(point[:2]) for point in way if isinstance(point, tuple)]
        first = region.bodies[0] if isinstance(region, FootRegion) else region.body
        answer.marks["paths"] = [([(first.x, first.y), *points], "" if answer.reached else "no")]
        if not isinstance(route, Route):
            answer.reason = _KEY.sub(lambda match: self._who(state, (match[1],)), str(route))
            return
        answer.cost = round(route.length / INCH, 2)
        answer.path = [list(point) for point in route.path]
        answer.facts |= {
            "length": answer.cost,
            "ends_at": [[body.x, body.y] for body in route.bodies],
            "facing": route.heading,
        }
        if isinstance(region, DriveRegion):
            answer.marks["drives"] = [*answer.marks.get("drives", ()), *route.bodies]

    def outline(self, play: Play, unit: str, region: Any = None) -> list[list[Point]]:
        """Of the move being chosen, else of a plain advance."""
        state: State = play.state
        region = self._plain_region(state, unit) if region is None else region
        if isinstance(region, FootRegion) and region.bodies:
            return [[tuple(point) for point in ring] for ring in self._flood(state, region).outline()]
        if isinstance(region, DriveRegion):
            return [list(ring) for ring in fan_outline(region, region.body, region.limits.ahead)]
        return []

    def costs(self, play: Play, unit: str, region: Any = None) -> CostGrid | None:
        state: State = play.state
        region = self._plain_region(state, unit) if region is None else region
        if isinstance(region, FootRegion) and region.bodies:
            grid: CostGrid | None = self._flood(state, region).costs()
            return grid
        if isinstance(region, DriveRegion):
            return fan_costs(region, region.body, region.limits.ahead)
        return None

    def _plain_region(self, state: State, unit: str) -> Any:
        """Where a plain advance may lead; None for a unit that cannot move."""
        one = next((each for each in state.units if each.id == unit), None)
        if one is None or not one.on_table or not one.bodies or one.building or one.immobilised:
            return None
        return self.rules.movement.region(state, one, ADVANCE)

    # -- weapons ----------------------------------------------------------------------------------------------

    def weapons(self, play: Play, unit: str, target: str, how: str = "") -> list[WeaponUse]:
        """What every weapon would need against a target, and why some cannot be used."""
        state: State = play.state
        one, other, order = self.unit(state, unit), self.unit(state, target), how or FIRE
        by_weapon: dict[tuple[int, str], list[int]] = {}
        for man, index, way in self.rules.shooting.options_of(state, one, order):
            by_weapon.setdefault((index, way), []).append(man)
        return [self._use(state, one, other, index, way, men, order) for (index, way), men in by_weapon.items()]

    def _use(
        self, state: State, unit: Unit, target: Unit, index: int, way: str, men: Sequence[int], how: str
    ) -> WeaponUse:
        weapon = unit.weapon(index)
        facts: dict[str, Any] = {"round": way, "models": len(men)}
        if not self.rules.shooting.bears(state, unit, weapon, target):
            return _unused(weapon.name, "k47.shoot.arcs", "the target is outside its arc", facts)
        shots = [Shot(man, index, target.id, way) for man in men]
        pools, lost = self.rules.shooting.pools(state, unit, target, shots, how)
        if not pools:
            return _unused(weapon.name, *(lost or ("k47.shoot.who", "nobody can shoot")), facts)
        if weapon.is_wave:
            return self._wave(state, unit, target, shots[0], facts)
        shown = [self.pool(pool) for pool in pools]
        rules = unique(rule for one in shown for rule in one["rules"])
        facts |= {"pools": shown, "text": "; ".join(one["text"] for one in shown), "rules": rules}
        return WeaponUse(weapon=weapon.name, usable=True, rule=rules[0], facts=facts)

    def _wave(self, state: State, unit: Unit, target: Unit, shot: Shot, facts: dict[str, Any]) -> WeaponUse:
        """A shockwave hits whoever stands on its line, friend or foe (k47.wrule.shockwave_line)."""
        rule = "k47.wrule.shockwave_line"
        touched = list(self.rules.weapon_rules.wave(state, unit, target, shot))
        text = f"a line to its full range, one die on 4+ for each of {', '.join(touched)} ({rule})"
        facts = facts | {"touched": touched, "need": 4, "dice": len(touched), "text": text, "rules": [rule]}
        return WeaponUse(weapon=unit.weapon(shot.weapon).name, usable=True, rule=rule, facts=facts)

    def pool(self, pool: Pool) -> dict[str, Any]:
        """Dice that are rolled together: what they need and why."""
        because = [f"{item.text} ({item.rule})" for item in pool.because]
        needed = f"{max(2, pool.need)}+" if pool.need <= 6 else "6 and another 6"
        rules = ["k47.shoot.base", *(item.rule for item in pool.because)]
        dice = "1 die" if pool.dice == 1 else f"{pool.dice} dice"
        return {
            "shooters": len(pool.men),
            "dice": pool.dice,
            "need": pool.need,
            "long": pool.long,
            "pen": pool.pen,
            "facing": pool.facing,
            "because": because,
            "rules": rules + (["k47.shoot.impossible"] if pool.need > 6 else []),
            "text": f"{dice} on {needed}{f' ({chr(44).join(because)})' if because else ''}".replace("),", "), "),
        }

    # -- terrain ----------------------------------------------------------------------------------------------

    def terrain(self, state: State, unit: str) -> list[TerrainEffect]:
        one = next((each for each in state.units if each.id == unit), None)
        pieces = {piece.kind.id: piece for piece in reversed(state.table.pieces)}
        return [] if one is None else [self._effect(state, one, pieces[kind]) for kind in sorted(pieces)]

    def _effect(self, state: State, unit: Unit, piece: Any) -> TerrainEffect:
        kind = piece.kind
        going = code(state, unit, piece)
        moving, rule = CODES.get(going, ("it may cross", "k47.terrain.code_ok"))
        seeing, sight_rule = SIGHTS.get(kind.sight, ("", ""))
        said = [moving, seeing, SHELTERS.get(kind.cover, "")]
        rules = ["k47.terrain.table", rule, sight_rule, "k47.shoot.cover" if kind.cover else ""]
        text = "; ".join(words for words in said if words)
        return TerrainEffect(
            kind=kind.id, text=text, rules=unique(rule for rule in rules if rule), going=GOINGS.get(going, "")
        )

    def terrain_at(self, state: State, place: At) -> TerrainEffect:
        somebody = self.end(state, place)
        body = somebody.bodies[0]
        pieces = ground.pieces_under(state.table, body)
        kinds = unique(piece.kind.id for piece in pieces)
        near = [
            unit.id
            for unit in state.units
            if unit.on_table and any(ground.distance(body, other) == 0 for other in ground.all_bodies(unit))
        ]
        text = ", ".join(f"{piece.id} ({piece.kind.id})" for piece in pieces) or "open ground"
        text += f"; {', '.join(near)} stands there" if near else ""
        facts = {"terrain": kinds, "units": near}
        return TerrainEffect(kind=" ".join(kinds), text=text, rules=["k47.terrain.table"], facts=facts)

    # -- templates and formation ------------------------------------------------------------------------------

    def template(self, play: Play, shape: str, at: Any, start: End | None = None, **details: Any) -> Template:
        """Whom a template laid on the table touches. HE and flames of this game roll for hits instead
        (k47.he.hits, k47.wrule.flame_hit); lines are for shockwaves and for friends in the way."""
        state: State = play.state
        laid = self._laid(state, shape, at, start, details)
        touched: dict[str, list[Any]] = {}
        for unit in state.units:
            for body in ground.all_bodies(unit) if unit.on_table else ():
                if laid.touches(body):
                    touched.setdefault(unit.id, []).append(self.model(unit, body))
        note = "Nobody counts models under a template in this game: HE and flames roll for their hits."
        rules = ["k47.he.hits", "k47.wrule.flame_hit"]
        return Template(shape=shape, touched=touched, rules=rules, notes=[note], marks={"templates": [laid]})

    def _laid(self, state: State, shape: str, at: Any, start: End | None, details: dict[str, int]) -> Any:
        """A template of some shape: lengths in tenths of a millimetre."""
        if shape not in SHAPES:
            raise UnknownWord(f"there is no template '{shape}'; expected one of {', '.join(SHAPES)}", shape)
        if shape == "blast":
            return Disc(at[0], at[1], details.get("radius", 2 * INCH))
        if start is None:
            raise UnknownWord("'from' is missing: where does the template begin?")
        somebody = self.end(state, start)
        first = somebody.gun or somebody.bodies[0]
        begin = (first.x, first.y)
        if shape == "line":
            return Strip(begin, at, details.get("width", 0))
        if shape == "tape":
            return flame_tape(begin, at)
        way = heading_of(at[0] - begin[0], at[1] - begin[1])
        return teardrop(begin, way, details.get("length", 8 * INCH), details.get("width", 3 * INCH))

    def coherency(self, state: State, unit: str) -> Coherency:
        """Is every model near enough to the others (k47.core.coherency)?"""
        one = self.unit(state, unit)
        return Coherency(holds=not self.rules.movement.is_scattered(one), rules=["k47.core.coherency"])


def _unused(weapon: str, rule: str, reason: str, facts: dict[str, Any]) -> WeaponUse:
    facts = facts | {"rules": [rule], "text": f"no, {reason} ({rule})"}
    return WeaponUse(weapon=weapon, usable=False, rule=rule, reason=reason, facts=facts)


def spot_name(x: int, y: int) -> str:
    """A place in inches, for people."""
    return ", ".join(f"{mm / 25.4:.1f}".removesuffix(".0") + '"' for mm in (x, y))


__all__ = ["KonfliktField"]
