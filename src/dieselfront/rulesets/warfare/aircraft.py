"""Aircraft: altitude, the compulsory move, flying off the table and back, flight hazards, bombs
(dw.aircraft.*, dw.weapon.bombs_*).
"""

from __future__ import annotations

from collections.abc import Sequence

from dieselfront.kernel.decisions import Number, PickOne, PlaceFree, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import NOTHING, About
from dieselfront.kernel.stakes import Stake
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.events import Altitude, Moved, Placed
from dieselfront.rulesets.warfare.firing import BOMBS, Attack, Shot
from dieselfront.rulesets.warfare.going import COMPULSORY, Clearance, Move, path_length
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.reactions import BEFORE
from dieselfront.rulesets.warfare.spots import Box, SpotRegion
from dieselfront.rulesets.warfare.state import HIGH, LOW, OFF, TABLE, State, Unit
from dieselfront.rulesets.warfare.terrain import is_hazard
from dieselfront.rulesets.warfare.throws import combat
from dieselfront.table.measured.angles import step
from dieselfront.table.measured.geometry import segment_polygon_square
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.terrain import Cover, Piece

HAZARD_DAMAGE = 4  # dw.aircraft.hazard_soft
INWARD = {"north": 180, "south": 0, "east": 270, "west": 90}


class Aircraft(Chapter):
    """Everything that flies by itself."""

    # -- before the actions -----------------------------------------------------------------------------------

    def before_actions(self, play: Play, unit: Unit) -> Procedure:
        """Declare altitude, then the compulsory move (dw.aircraft.activation_order); only in its own activation
        (dw.open.aircraft_compulsory_orders)."""
        if unit.place == OFF and not unit.notes.get("left by"):
            return
        yield from self.declare_altitude(play, unit)
        if not unit.alive:
            return
        if unit.place == OFF:
            yield from self.come_back(play, unit)
        if unit.place == TABLE:
            yield from self.compulsory(play, unit)

    def declare_altitude(self, play: Play, unit: Unit) -> Procedure:
        """High or low; without a word it stays as it is (dw.aircraft.declare_altitude); some must fly low
        (dw.aircraft.damage.forced_low)."""
        options = [LOW] if unit.notes.get("forced low") else [HIGH, LOW]
        was = unit.altitude
        altitude = yield PickOne(
            unit.side,
            "altitude",
            options,
            text=f"How does {unit.name} fly?",
            rule="dw.aircraft.declare_altitude",
            unit=unit.id,
            act="move",
            about=lambda how: About(act="move", unit=unit.id, skills=(how,)),
        )
        unit.altitude = altitude
        if altitude != was:
            play.emit(Altitude("dw.aircraft.declare_altitude", unit.id, altitude))
        if was == HIGH and altitude == LOW and unit.place == TABLE:  # dw.aircraft.hazard_descend
            hazards = [
                piece for piece in play.state.table.pieces if is_hazard(piece) and piece.overlaps(unit.bodies[0])
            ]
            yield from self.suffer(play, unit, hazards)

    # -- the compulsory move -----------------------------------------------------------------------------------

    def compulsory(self, play: Play, unit: Unit) -> Procedure:
        """Straight ahead over the full Move without turning, no action, open to reactions and bombs
        (dw.aircraft.compulsory_move, dw.aircraft.compulsory_reaction, dw.aircraft.bombs_compulsory)."""
        state: State = play.state
        move = Move(state, unit, COMPULSORY)
        hover = False
        if unit.ask("on_hover", False, unit, state):
            hover = (yield self._hover_question(unit)) == "hover"
        if not hover:
            yield from self.announce_bombs(play, move)
        yield from self.rules.reactions.to_move(play, move, BEFORE)
        if not unit.on_table:
            return
        move.start = list(unit.bodies)
        if hover:
            yield from self.hover(play, unit)
        else:
            yield from self.fly_on(play, move)
        if unit.on_table:
            yield from self.rules.movement.after(play, move)

    def _hover_question(self, unit: Unit) -> PickOne:
        return PickOne(
            unit.side,
            "compulsory move",
            ["fly on", "hover"],
            text=f"Does {unit.name} fly on or hover?",
            rule="dw.ability.hover",
            unit=unit.id,
            act="move",
            about=lambda how: About(act="move", unit=unit.id, skills=(how,)),
        )

    def hover(self, play: Play, unit: Unit) -> Procedure:
        """A turn of 0 to 90 degrees on the spot instead (dw.ability.hover)."""
        degrees = yield Number(
            unit.side, "turn", -90, 90, text=f"By how many degrees does {unit.name} turn (clockwise)?",
            rule="dw.ability.hover", unit=unit.id, act="move",
        )  # fmt: skip
        body = unit.bodies[0]
        unit.bodies = [body.at(body.x, body.y, body.heading + degrees)]
        unit.heading = unit.bodies[0].heading
        play.emit(Moved("dw.ability.hover", unit.id, "hovers", (), unit.spots, unit.heading))

    def fly_on(self, play: Play, move: Move) -> Procedure:
        """The move itself: off the table, or shortened so as to end clear of enemies and friends
        (dw.aircraft.leave_table, dw.aircraft.compulsory_shorten, dw.open.aircraft_friends)."""
        state, unit = move.state, move.unit
        body = unit.bodies[0]
        reach = unit.card.move * INCH
        end = self.ahead(body, reach)
        if not state.table.contains(end):
            yield from self.entered_hazards(play, move, body, end)
            if unit.alive and unit.men:
                self.leave(play, unit, body)
            return
        clearance = Clearance(move)
        while reach > 0 and clearance.end_problem([end]) is not None:
            reach -= 10
            end = self.ahead(body, max(0, reach))
        unit.bodies = [end]
        move.path = ((end.x, end.y, end.heading),)
        move.length = path_length([(body.x, body.y), (end.x, end.y)])
        play.emit(Moved("dw.aircraft.compulsory_move", unit.id, "compulsory", move.path, unit.spots, unit.heading))
        yield from self.entered_hazards(play, move, body)

    def ahead(self, body: Body, far: int) -> Body:
        dx, dy = step(body.heading, far)
        return body.at(
            body.x + (dx // 10 if dx >= 0 else -(-dx // 10)), body.y + (dy // 10 if dy >= 0 else -(-dy // 10))
        )

    # -- off the table and back ---------------------------------------------------------------------------------

    def leave(self, play: Play, unit: Unit, body: Body) -> None:
        """Taken off the table; the activation ends (dw.aircraft.leave_table, dw.open.aircraft_table_edge)."""
        unit.notes["left by"] = self.edge_crossed(play.state, body)
        unit.place = OFF
        unit.bodies = []
        play.emit(
            Placed("dw.aircraft.leave_table", unit.id, "flies off the table", (), unit.heading, unit.notes["left by"])
        )

    def edge_crossed(self, state: State, body: Body) -> str:
        """The edge that lies straight ahead."""
        table = state.table
        dx, dy = step(body.heading, 10_000)
        times = []
        for name, way, room in (
            ("north", -dy, body.cy), ("south", dy, table.depth * 10 - body.cy),
            ("west", -dx, body.cx), ("east", dx, table.width * 10 - body.cx),
        ):  # fmt: skip
            if way > 0:
                times.append((room * 1_000_000 // way, name))
        return min(times)[1]

    def come_back(self, play: Play, unit: Unit) -> Procedure:
        """Anywhere in contact with the edge it left by, then it moves on (dw.aircraft.reenter)."""
        state: State = play.state
        edge = unit.notes["left by"]
        region = self.edge_region(state, unit, edge)
        answer = yield PlaceFree(
            unit.side,
            "return",
            region,
            text=f"Where does {unit.name} come back?",
            rule="dw.aircraft.reenter",
            unit=unit.id,
            act="deploy",
            about=lambda spot: About(act="deploy", unit=unit.id, places=(spot[:2],) if spot else ()),
        )
        if not region.set_down(answer, play):
            return
        unit.place = TABLE
        unit.notes.pop("left by", None)
        play.emit(Placed("dw.aircraft.reenter", unit.id, "returns", unit.spots, unit.heading, edge))

    def edge_region(self, state: State, unit: Unit, edge: str) -> SpotRegion:
        table = state.table
        half = ground.shape_of(unit, unit.men[0]).width // 2
        boxes = {
            "north": (half, half, table.width - half, half),
            "south": (half, table.depth - half, table.width - half, table.depth - half),
            "west": (half, half, half, table.depth - half),
            "east": (table.width - half, half, table.width - half, table.depth - half),
        }
        box: Box = boxes[edge]

        def test(body: Body) -> bool:
            return box[0] <= body.x <= box[2] and box[1] <= body.y <= box[3]

        clearance = Clearance(Move(state, unit, COMPULSORY))
        refusal = f"it must touch the {edge} edge (dw.aircraft.reenter)"
        return SpotRegion(clearance, unit, box, test, INWARD[edge], refusal, pace=40)

    # -- hazards -----------------------------------------------------------------------------------------------

    def entered_hazards(self, play: Play, move: Move, start: Body, end: Body | None = None) -> Procedure:
        """Low aircraft that enter tall cover: once for each area and move, not for where they start
        (dw.aircraft.hazard_soft, dw.aircraft.hazard_hard, dw.open.hazard_details)."""
        unit = move.unit
        if unit.altitude != LOW:
            return
        there = end if end is not None else (unit.bodies[0] if unit.bodies else start)
        hazards = [
            piece
            for piece in move.state.table.pieces
            if is_hazard(piece) and not piece.overlaps(start) and self._flown_over(start, there, piece)
        ]
        yield from self.suffer(play, unit, hazards)

    def _flown_over(self, start: Body, end: Body, piece: Piece) -> bool:
        """Does the base pass over a piece on a straight line?"""
        if piece.overlaps(end):
            return True
        table_points = [(start.cx, start.cy), (end.cx, end.cy)]
        if table_points[0] == table_points[1]:
            return False
        for part in piece.parts:
            square, scale = segment_polygon_square(start.cx, start.cy, end.cx, end.cy, part.polygon)
            if square < start.radius * start.radius * scale:
                return True
        return False

    def suffer(self, play: Play, unit: Unit, hazards: Sequence[Piece]) -> Procedure:
        """Soft: 4 damage less an armor roll, no table; hard: eliminated."""
        for piece in hazards:
            if not unit.alive or not unit.men:
                return
            if piece.kind.cover is Cover.HARD:
                man = unit.men[0]
                yield from self.rules.damage.hit(
                    play, unit, unit.capacity(man), "dw.aircraft.hazard_hard", f"flew into {piece.id}"
                )
                continue
            throw = combat(f"armor of {unit.name}", "dw.aircraft.hazard_soft")
            thrown = yield from play.throw(throw, unit.armor, unit.side, unit.id)
            damage = max(0, HAZARD_DAMAGE - thrown.successes)
            yield from self.rules.damage.hit(play, unit, damage, "dw.aircraft.hazard_soft", f"flew into {piece.id}")

    # -- bombs ---------------------------------------------------------------------------------------------------

    def bombs(self, unit: Unit) -> list[tuple[int, int, int]]:
        """(figure, place, number) of the bombs left (dw.weapon.bombs_single_use)."""
        return [
            (man, place, index)
            for man in unit.men
            for place, index in enumerate(unit.carried(man))
            if unit.weapons[index].reach == "bomb"
            and (man, place) not in unit.spent
            and (man, place) not in unit.broken
        ]

    def announce_bombs(self, play: Play, move: Move) -> Procedure:
        """Before the move, at high altitude only (dw.weapon.bombs_move)."""
        unit = move.unit
        if not self.bombs(unit) or not unit.is_high:
            return
        move.bombs = yield YesNo(
            unit.side, "bombs", text=f"Does {unit.name} drop bombs after this move?", rule="dw.weapon.bombs_move",
            unit=unit.id, act="attack",
        )  # fmt: skip

    def bomb_targets(self, move: Move) -> list[Unit]:
        """Enemies in the rear arc, no farther away than the inches moved (dw.weapon.bombs_range); nothing blocks bombs
        (dw.weapon.bombs_los), and flyers are no target for them (dw.ability.flight_target_limit)."""
        unit, state = move.unit, move.state
        body = unit.bodies[0]
        return [
            enemy
            for enemy in state.enemies(unit)
            if not enemy.is_above
            and any(
                ground.in_side(body, "rear", other) and ground.distance(body, other) <= move.length
                for other in enemy.bodies
            )
        ]

    def drop_bombs(self, play: Play, move: Move) -> Procedure:
        """Each bomb at one unit; several of a kind on one target follow the sustained attack rules
        (dw.weapon.bombs_attack, dw.weapon.bombs_multiple, dw.open.bombs_multiple). Nobody reacts to the drop."""
        state, unit = move.state, move.unit
        attack = Attack(state, unit, BOMBS)
        attack.move = move
        attack.data["ignores blocking"] = True
        attack.data["checked"] = True
        for man, place, index in self.bombs(unit):
            targets = [
                target for target in self.bomb_targets(move)
                if self.rules.attacking.cell(unit.weapons[index], target) is not None
            ]  # fmt: skip
            if not targets:
                continue
            id = yield PickOne(
                unit.side,
                "bomb target",
                [None, *[target.id for target in targets]],
                text=f"On whom does {unit.weapons[index].name} fall?",
                rule="dw.weapon.bombs_attack",
                unit=unit.id,
                labels=lambda id: "keep it" if id is None else f"{state.unit(id).name} ({id})",
                act="attack",
                about=lambda id: NOTHING if id is None else About(act="attack", unit=unit.id, targets=(id,)),
                stakes=lambda id, bomb=(man, place, index), aimed=tuple(attack.shots): self.bomb_stakes(
                    attack, aimed, bomb, id
                ),
            )
            if id is not None:
                attack.shots.append(Shot(attack, man, place, index, state.unit(id)))
                unit.spent = (*unit.spent, (man, place))
        if attack.shots:
            self.combine(attack)
            self.rules.attacking.announce(play, attack)
            yield from self.rules.attacking.resolve(play, [attack])

    def bomb_stakes(
        self, attack: Attack, shots: Sequence[Shot], bomb: tuple[int, int, int], id: str | None
    ) -> Sequence[Stake]:
        """What the bombs aimed so far would roll with one more."""
        trial = Attack(attack.state, attack.unit, BOMBS)
        trial.data.update(attack.data)
        aimed = [(shot.man, shot.place, shot.index, shot.target) for shot in shots]
        aimed += [] if id is None else [(*bomb, attack.state.unit(id))]
        trial.shots = [Shot(trial, man, place, index, target) for man, place, index, target in aimed]
        self.combine(trial)
        return self.rules.attacking._stakes_of(trial, trial.shots)

    def combine(self, attack: Attack) -> None:
        """Equal bombs on one target: the dice of one, with rerolls, instead of a roll for each."""
        kept: list[Shot] = []
        several: set[tuple[str, str]] = set()
        for shot in attack.shots:
            key = (shot.weapon.id, shot.target.id)
            if any((one.weapon.id, one.target.id) == key for one in kept):
                several.add(key)
            else:
                kept.append(shot)
        attack.shots = kept
        attack.data["rerolled"] = several


__all__ = ["Aircraft"]
