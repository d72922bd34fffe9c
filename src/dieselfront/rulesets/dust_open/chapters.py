"""Small differences of other chapters on the open table: field works, scenery, reactions, fire, hazards, reserves."""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import pairwise
from typing import Any

from dieselfront.kernel.decisions import Answer, PickOne, plain
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import Deployed, Happened, Moved
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import BURNING, NO_COVER, Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.command import VOICE, Command, Wanted, anybody
from dieselfront.rulesets.dust1947.criticals import Criticals
from dieselfront.rulesets.dust1947.engineering import Engineering, Task
from dieselfront.rulesets.dust1947.fortifications import Fortifications
from dieselfront.rulesets.dust1947.hazards import FIRE, MINES, WIRE, Hazards
from dieselfront.rulesets.dust1947.heroes import Heroes
from dieselfront.rulesets.dust1947.reaction import Reactions
from dieselfront.rulesets.dust1947.reserves import Reserves
from dieselfront.rulesets.dust1947.scenery import SKILL_OF, Scenery
from dieselfront.rulesets.dust1947.transport import Transport
from dieselfront.rulesets.dust1947.works import Works
from dieselfront.rulesets.dust_open import scenario as scenarios
from dieselfront.rulesets.dust_open.ground import ARCS, measures
from dieselfront.rulesets.dust_open.places import HEADINGS, at, xy
from dieselfront.rulesets.dust_open.playing import Play, open_rules
from dieselfront.rulesets.dust_open.table import middle
from dieselfront.rulesets.dust_open.ways import FromEdge, FromHull, Ways
from dieselfront.table.measured.angles import heading_of, step
from dieselfront.table.measured.arcs import in_arc
from dieselfront.table.measured.geometry import point_polygon_square
from dieselfront.table.measured.movement import path_length
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.table import place_on
from dieselfront.table.measured.terrain import Piece
from dieselfront.table.measured.units import ceil_sqrt_ratio

DANGERS = (WIRE, MINES, FIRE)


def far_from(body: Body, piece: Piece) -> int:
    """From a model to the nearest point of a piece of terrain (tenths), worked out once while it stands there."""
    memo = body.memo
    if memo is None:
        memo = body.memo = {}
    known = memo.get(id(piece))  # which the entry keeps alive
    if known is None:
        squares = (point_polygon_square(body.cx, body.cy, part.polygon) for part in piece.parts)
        far = max(0, min(ceil_sqrt_ratio(*square) for square in squares) - body.radius)
        known = memo[id(piece)] = (far, piece)
    distance: int = known[0]
    return distance


class AnyHeading(PickOne):
    """A few headings to choose from; any other that is legal may be named."""

    __slots__ = ("_is_legal",)

    takes_more = True

    def __init__(
        self, player: int, key: str, options: list[int], is_legal: Callable[[int], bool], **details: Any
    ) -> None:
        super().__init__(player, key, options, **details)
        self._is_legal = is_legal

    def check(self, answer: Answer) -> Answer:
        way = plain(answer)
        if type(way) is int and 0 <= way < 360 and self._is_legal(way):
            return way
        return super().check(way)


class OpenReactions(Reactions):
    """Reactions within range 4 (ff.react.unchanged); turning in place is to any heading."""

    def _turn(self, play: Play, unit: Unit) -> Procedure:
        ground, state = open_rules(play).ground, play.state
        towards = [self._bearing(unit, foe) for foe in state.on_board(1 - unit.side) if foe.id == state.interrupted]
        headings = dict.fromkeys((*towards, unit.facing, *HEADINGS))
        able = [way for way in headings if not isinstance(ground.formation(state, unit, unit.place, way), str)]
        able = self._bearings(play, unit, able)
        facing = yield AnyHeading(
            unit.side,
            "turn",
            able or [unit.facing],
            lambda way: self._may_face(play, unit, way),
            labels=lambda way: f"facing {way}°",
            text=f"{unit.name}: turn to face",
            rule="d47.reactive.rotate_only",
            unit=unit.id,
        )
        open_rules(play).movement._turn(play, unit, unit.place, facing)

    def _may_face(self, play: Play, unit: Unit, way: int) -> bool:
        """Any whole degree is as good as those offered (ff.move.facing)."""
        if isinstance(open_rules(play).ground.formation(play.state, unit, unit.place, way), str):
            return False
        return bool(self._bearings(play, unit, [way]))

    def _bearings(self, play: Play, unit: Unit, headings: list[int]) -> list[int]:
        """The headings a unit may turn to."""
        return headings

    def _bearing(self, unit: Unit, foe: Unit) -> int:
        (x, y), (fx, fy) = xy(unit.place), xy(foe.place)
        return heading_of(fx - x, fy - y) if (x, y) != (fx, fy) else unit.facing


class OpenCommand(Command):
    """A soldier who is helped up stands with his unit again."""

    def in_voice(
        self, play: Play, unit: Unit, order: str, most: int = VOICE, ahead: int = 0, wanted: Wanted = anybody
    ) -> list[Unit]:
        """The same, those near enough found in one question for all."""
        state, ground = play.state, open_rules(play).ground
        here = play.rules.transport.carrier_or_self(play, unit)
        friends = [other for other in state.on_board(unit.side) if wanted(other)]
        if not friends or not here.where:
            return super().in_voice(play, unit, order, most, ahead, wanted)
        near = ground.units_within(state, here, friends, (most + ahead) * measures(state).range)
        if ahead:
            reached = {other.id for other in near} | {unit.id, here.id}
            return [other for other in friends if other.id in reached and self.may_receive(order, other)]
        reached = {other.id for other in near} | {unit.id}
        return super().in_voice(play, unit, order, most, wanted=lambda other: other.id in reached and wanted(other))

    def _return_soldier(self, play: Play, unit: Unit, part: Part, rule: str) -> Procedure:
        yield from super()._return_soldier(play, unit, part, rule)
        open_rules(play).ground.regroup(play.state, unit)


class OpenCriticals(Criticals):
    """Smoke of fires as circles of 4" (ff.open.smoke_area)."""

    def disperse(self, play: Play) -> None:
        state = play.state
        for piece in state.table.pieces_of("fire_smoke"):
            place = middle(piece)
            fires = [unit.place for unit in state.on_board() if unit.flags & BURNING]
            lit = any(state.table.tenths(place, fire) < measures(state).effect for fire in fires)
            if not lit and not state.table.has(place, FIRE):
                state.table = state.table.clearing("fire_smoke", (place,))


class OpenFortifications(Fortifications):
    """Trenches cover a squad when half of its models are in them (ff.cover.unit)."""

    def covers(self, shot: Shot) -> bool:
        state, target = shot.play.state, shot.target
        if not target.is_infantry or "trench" not in state.table.masks_by_kind():
            return False
        inside = sum(state.table.has(place, "trench") for place in target.where)
        covered: bool = bool(inside) and open_rules(shot.play).ground.is_covered(target, len(target.where), inside)
        return covered


class OpenWorks(Works):
    """A strongpoint unit brings a field of sandbags of its own, 4" across; walls of squares are not used."""

    def strongpoints(self, units: list[Unit]) -> list[Any]:
        return []

    def man(self, play: Play, unit: Unit) -> Procedure:
        spots = open_rules(play).setup.spots(play, unit)
        if not spots:
            open_rules(play).ground.lift(unit, "lost")
            return
        spot, facing = yield from open_rules(play).setup.choose_spot(play, unit, spots)
        open_rules(play).ground.put(play.state, unit, spot, facing)
        play.state.table = play.state.table.placing("strongpoint", unit.where[:1])
        play.emit(Deployed("d47.skill.strongpoint", unit.id, unit.where, unit.facing))


class OpenScenery(Scenery):
    """Scenery within range 1 of the first model or hull."""

    def near(self, play: Play, unit: Unit, skill: str, ahead: int = 0) -> bool:
        if not unit.on_board:
            return False
        body = open_rules(play).ground.first(play.state, unit)
        kinds = [kind for kind, gives in SKILL_OF.items() if gives == skill]
        pieces = [piece for kind in kinds for piece in play.state.table.pieces_of(kind)]
        return any(far_from(body, piece) <= measures(play.state).range * (ahead + 1) for piece in pieces)


class OpenEngineering(Engineering):
    """Work on whole pieces within range 1; a gap is a field of 4" (ff.scope.convert)."""

    def tasks(self, activation: Activation) -> list[Task]:
        play, unit = activation.play, activation.unit
        if not unit.on_board:  # gone aboard something on the way
            return []
        body = open_rules(play).ground.first(play.state, unit)
        pieces = [(kind, p) for kind in self.workable(play, unit) for p in play.state.table.pieces_of(kind)]
        return [(kind, middle(piece)) for kind, piece in pieces if far_from(body, piece) <= measures(play.state).range]

    def _climb_out(self, play: Play, unit: Unit, trench: tuple[int, ...], rule: str) -> Procedure:
        """The trench is gone; those in it stand where they stood."""
        return
        yield


class OpenHeroes(Heroes):
    """Pilots who leave their vehicle start at its hull."""

    def ways_out(self, play: Play, vehicle: Unit, hero: Unit) -> Any:
        return ways_from(play, vehicle, hero, hero.card.march)


def ways_from(play: Play, carrier: Unit, unit: Unit, budget: int) -> Ways:
    """The ways of a unit out of a carrier or vehicle."""
    ground, state = open_rules(play).ground, play.state
    hull = ground.first(state, carrier)
    figure = ground.figures_of(unit)[0]
    body = state.table.body(ground.shape(state.table, unit, figure), carrier.place, 0, (unit.id, *figure))
    ways: Ways = ground.exits(ground, state, unit, ground.length(state, budget), 0, FromHull(body, hull))
    return ways


class OpenTransport(Transport):
    """Carriers as on squares (ff.move.transport): one leaves from the hull, and is beside it within range 1."""

    def exits(self, play: Play, unit: Unit, budget: int) -> Any:
        return ways_from(play, play.state.by_id[unit.aboard], unit, budget)

    def _step_out(self, activation: Activation, budget: int) -> Generator[Any, Any, int]:
        play, unit = activation.play, activation.unit
        exits = self.exits(play, unit, budget)
        if not exits:
            return 0
        text = f"{unit.name}: where does it leave {play.state.by_id[unit.aboard].name}?"
        spot, facing = yield from open_rules(play).ground.ask_for(
            play, unit, "dismount", exits, text=text, rule="d47.transport.dismount"
        )
        cost: int = exits.cost(spot)
        path = exits.path(spot)
        stopped = yield from open_rules(play).hazards.cross(activation, exits, spot)
        if stopped:
            return cost
        open_rules(play).ground.put(play.state, unit, spot, facing)
        play.emit(Moved("d47.transport.dismount", unit.id, path, unit.where, unit.facing, cost))
        return cost

    def _may_stand(self, play: Play, unit: Unit, spot: Any) -> bool:
        return bool(open_rules(play).ground.may_stand(play.state, unit, spot))

    def side_of(self, play: Play, carrier: Unit, target: Unit) -> str:
        hull = open_rules(play).ground.first(play.state, carrier)
        for side in ("left", "right"):
            if any(in_arc(hull, ARCS[side], body) for body in open_rules(play).ground.bodies(play.state, target)):
                return side
        return ""

    def beach(self, play: Play, carrier: Unit, where: tuple[int, ...]) -> list[int]:
        """Dry ground within range 1 of the bow."""
        table = play.state.table
        shape = open_rules(play).ground.shape(table, carrier, (carrier.card.id, -1))
        places = []
        for beyond in (30, 60, 90):
            dx, dy = step(carrier.facing, shape.length * 5 + beyond * 10)
            x, y = xy(where[0])
            place = table.place(x + dx // 10, y + dy // 10)
            if not table.has(place, "water"):
                places.append(place)
        return places


class OpenHazards(Hazards):
    """Wire, mines and burning wrecks as fields that a path enters (ff.scope.convert)."""

    def cross(self, activation: Activation, reach: Any, end: Any) -> Generator[Any, Any, bool]:
        play, unit = activation.play, activation.unit
        table = play.state.table
        if not any(kind in table.masks_by_kind() for kind in DANGERS) or unit.is_aircraft:
            return False
        met: set[tuple[str, str]] = activation.memory.setdefault(f"hazards {len(activation.done)}", set())
        points = reach.points(end)
        for piece, place, _ in self._on_the_way(play, reach, points):
            kind = piece.kind.id
            if (kind, piece.id) in met or (kind == WIRE and not unit.is_infantry):
                continue
            met.add((kind, piece.id))
            if kind == WIRE:
                if (yield from self._cross_wire(play, unit)):
                    self._caught(activation, place)
                    return True
                continue
            yield from self.mines(play, unit) if kind == MINES else self.fire(play, unit)
            if not unit.alive:
                return True
        return False

    def _on_the_way(self, play: Play, reach: Any, points: Any) -> list[tuple[Piece, int, int]]:
        """The dangers on a path in order, each with the place where it begins and how far that is (tenths).

        Those who fly meet only the last.
        """
        land = play.state.table.land
        mask = land.mask_of(DANGERS)
        if reach.flies:
            points = (points[-1], points[-1])
        dangers: list[tuple[int, int, Piece, int]] = []
        for leg, (a, b) in enumerate(pairwise(points)):
            start, stop = (a[0] * 10, a[1] * 10), (b[0] * 10, b[1] * 10)
            if start == stop:
                here = [piece for piece in land.pieces_at(*start) if piece.kind.id in DANGERS]
                dangers += [(leg, 0, piece, at(*a)) for piece in here]
                continue
            for piece, parts in land.stretches_in(start, stop, mask):
                dangers.append((leg, parts[0][0], piece, at(*place_on(start, stop, parts[0][0]))))
        dangers.sort(key=lambda danger: (danger[0], danger[1], danger[2].id))
        return [(piece, place, path_length([*points[: leg + 1], xy(place)])) for leg, _, piece, place in dangers]

    def _caught(self, activation: Activation, place: int) -> None:
        """It stays where the wire begins, its activation is over, it has no cover save (d47.wire.cross)."""
        play, unit = activation.play, activation.unit
        if unit.on_board and place != unit.place:
            open_rules(play).ground.put(play.state, unit, place, None)
            play.emit(Moved("d47.wire.cross", unit.id, (place,), unit.where, unit.facing, 0))
        unit.set(NO_COVER)
        activation.ended = True
        play.emit(Happened("d47.wire.cross", f"{unit.name} is caught in barbed wire", unit.id))


class OpenReserves(Reserves):
    """Reserves come over the table's edge of their area."""

    def reach(self, play: Play, unit: Unit, budget: int) -> Any:
        ground, state = open_rules(play).ground, play.state
        facing = open_rules(play).setup.facing(state, unit.side)
        figure = ground.figures_of(unit)[0]
        heading = 0 if unit.is_infantry else facing
        body = state.table.body(ground.shape(state.table, unit, figure), 0, heading, (unit.id, *figure))
        boxes = scenarios.entry_boxes(state.scenario, unit.side)
        origin = FromEdge(body, boxes, (state.table.width, state.table.height))
        entry = ground.entry(ground, state, unit, ground.length(state, budget), 0, origin)
        entry.facing = facing
        return entry

    def may_move(self, play: Play, unit: Unit) -> tuple[bool, bool]:
        move, march = open_rules(play).movement.pace(play, unit)
        return bool(self.reach(play, unit, move)), bool(self.reach(play, unit, march))

    def _come_on(
        self, activation: Activation, entry: Any, action: str, *, last: bool
    ) -> Generator[Any, Any, tuple[int, bool]]:
        play, unit = activation.play, activation.unit
        key = action if last else "march-first"
        spot, facing = yield from open_rules(play).movement.where_to(play, unit, entry, key, last)
        cost = entry.cost(spot)
        yield from open_rules(play).movement.go(activation, entry, spot, facing)
        if unit.on_board:
            self._bring_cargo(play, unit)
            play.emit(Deployed("d47.reserve.entry", unit.id, unit.where, unit.facing))
        return cost, False
