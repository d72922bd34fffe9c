"""Movement of Battlefield: MOVE and twice that for a MARCH MOVE, stuck rolls in the middle of a move (bf.move.*)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.battlefield.flags import IDLE
from dieselfront.rulesets.battlefield.playing import battle_rules
from dieselfront.rulesets.battlefield.ways import NOWHERE, SLOW_POINTS, BattleWays, Gone
from dieselfront.rulesets.dust.events import Happened, Moved
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import DUG_IN, RESERVE, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.dice import ARMY, SHIELD, task
from dieselfront.rulesets.dust_open.models import Figure
from dieselfront.rulesets.dust_open.movement import OpenMovement
from dieselfront.rulesets.dust_open.places import Hand, Point, at, floor_of
from dieselfront.table.measured.movement import walk

STUCK = {
    "tracked": (ARMY | SHIELD, "bf.move.tracked_stuck_roll"),  # bf.vehicle.tracked
    "half_tracked": (ARMY, "bf.move.halftrack_wheeled_stuck_roll"),  # bf.vehicle.half_tracked
    "wheeled": (ARMY, "bf.move.halftrack_wheeled_stuck_roll"),  # bf.vehicle.wheeled
}
"""The faces that let a vehicle go on in terrain; walkers and infantry never roll (bf.move.walkers_no_roll)."""

SPLIT = "split"
"""In the memory of an activation: the march that stimulants make of its MOVE is answered halfway."""

STOPPED = "stopped"
"""In the memory of an activation: it makes no further movement (bf.move.stuck_duration, bf.fort.wire_move)."""


class BattleMovement(OpenMovement):
    """Moving units, 10 cm or 4 in for a point of Move (bf.move.distance)."""

    def pace(self, play: Play, unit: Unit) -> tuple[int, int]:
        """Move, and twice as much for a march (bf.move.march_distance, bf.hero.slower_move).

        The printed March value is used by an option only (bf.open.march_printed). There is neither weather nor a
        critical hit that slows (bf.damage.no_extras).
        """
        parts = unit.fighters()
        move = min(part.card.move for part in parts)
        printed = min(part.card.march for part in parts)
        march = printed if printed and play.state.options.get("march_printed") == "card" else 2 * move
        pace: tuple[int, int] = ask(unit.effects, "on_pace", (move, march), unit)
        return pace

    def may_move(self, play: Play, unit: Unit) -> tuple[bool, bool]:
        if unit.is_(IDLE):  # bf.pilot.empty_vehicle
            return False, False
        if not unit.on_board:
            chapter = play.rules.reserves.may_move if unit.status == RESERVE else play.rules.transport.may_leave
            permitted: tuple[bool, bool] = chapter(play, unit)
            return permitted
        move, march = self.pace(play, unit)
        return move > 0, march > 0

    def road_bonus(self, play: Play, unit: Unit, action: str, budget: int) -> int:
        """Roads are open ground (bf.move.terrain_list)."""
        return 0

    def reach(  # type: ignore[override]
        self,
        play: Play,
        unit: Unit,
        budget: int,
        action: str,
        spent: int = 0,
        diagonal_used: bool = False,
        on_road: bool = True,
        gone: Gone = NOWHERE,
    ) -> BattleWays:
        """Where a movement action can end; terrain leaves 20 cm of a MOVE and 40 cm of a march."""
        reach: BattleWays = play.rules.ground.reach(play.state, unit, budget, spent=spent)
        first_part = action == "march" and not gone.walked and budget <= self.pace(play, unit)[0]
        points = SLOW_POINTS if action == "move" or first_part else 2 * SLOW_POINTS
        return reach.marching(points, gone)

    def move(self, activation: Activation) -> Procedure:
        """MOVE: up to the Move rating, turning included (bf.action.move, bf.move.turning)."""
        if activation.memory.get(STOPPED):
            return
        play, unit = activation.play, activation.unit
        if activation.memory.get("march_instead"):  # bf.command.move_stimulants
            activation.memory[SPLIT] = battle_rules(play).reactions.splits_march(activation)
            del activation.memory["march_instead"]
            yield from self.march(activation)
            return
        if unit.status == RESERVE or not unit.on_board:
            activation.memory["dismounted"] = (unit.id,)  # bf.pilot.no_same_activation
            yield from super().move(activation)
            yield from self._arrived(activation)
            return
        yield from battle_rules(play).transport.offer_lift(activation)
        move, _ = self.pace(play, unit)
        self._begin(unit, "move")
        reach = play.once(lambda: self.reach(play, unit, move, "move"))
        yield from self._leg(activation, reach, "move", must_move=self._must_move(unit))
        yield from self._arrived(activation)

    def march(self, activation: Activation) -> Procedure:
        """MARCH MOVE: what a MOVE allows, then the reaction, then the rest (bf.action.march, bf.react.vs_march)."""
        if activation.memory.get(STOPPED):
            return
        play, unit = activation.play, activation.unit
        if unit.status == RESERVE or not unit.on_board:
            activation.memory["dismounted"] = (unit.id,)
            yield from super().march(activation)
            yield from self._arrived(activation)
            return
        yield from battle_rules(play).transport.offer_lift(activation)
        move, march = self.pace(play, unit)
        self._begin(unit, "march")
        gone = NOWHERE
        spent = 0
        reactions = battle_rules(play).reactions
        split = reactions.splits_march(activation) or activation.memory.pop(SPLIT, False)
        if split and play.now(lambda: reactions.could_react(play, unit, march)):
            way = play.once(lambda: self.reach(play, unit, min(move, march), "march"))
            spent, gone = yield from self._part_way(activation, way)
            yield from reactions.offer(play, unit)
            if not unit.alive or activation.ended or not unit.on_board or activation.memory.get(STOPPED):
                return
        reach = play.once(lambda: self.reach(play, unit, march, "march", spent, gone=gone))
        yield from self._leg(activation, reach, "march", must_move=not spent and self._must_move(unit))
        yield from self._arrived(activation)

    def _part_way(self, activation: Activation, way: Any) -> Generator[Any, Any, tuple[int, Gone]]:
        """The first part of a march, and how far everybody has come."""
        play, unit = activation.play, activation.unit
        reach: BattleWays = way().bound(play.state)
        spot, facing = yield from self.where_to(play, unit, reach, "march-first", False)
        cost, gone = reach.cost(spot), reach.after(spot, facing)
        yield from self.go(activation, reach, spot, facing)
        return cost, gone

    def _arrived(self, activation: Activation) -> Procedure:
        """At the end of a movement a unit may go aboard, a pilot may mount."""
        if activation.unit.on_board and not activation.ended:
            yield from activation.play.rules.transport.offer_mounting(activation)
        if activation.unit.on_board and not activation.ended:
            yield from battle_rules(activation.play).heroes.offer_seat(activation)

    def _begin(self, unit: Unit, action: str) -> None:
        """A movement ends digging in (bf.vehicle.dozer_cover); aircraft do not evade (bf.damage.no_extras)."""
        unit.drop(DUG_IN)

    def _hover(self, unit: Unit, cost: int) -> None:
        """Nothing: there is no evade save."""

    def go(self, activation: Activation, reach: Any, end: Any, facing: int | None) -> Procedure:
        """Along the path, meeting what lies on it: terrain that holds vehicles, wire and mines.

        bf.move.terrain_halt, bf.open.stuck_roll_timing.
        """
        play, unit = activation.play, activation.unit
        path = reach.path(end)
        if not path and not getattr(end, "others", ()):
            self._turn(play, unit, end, facing)
            return
        points, body, cost = reach.points(end), reach.body, reach.cost(end)
        if len(points) > 1 and (yield from self._sticks(activation, reach, end, facing)):
            return
        spots = reach.spots_of(end, facing) if unit.on_board else {}
        stopped = yield from play.rules.hazards.cross(activation, reach, end)
        if stopped or not unit.alive:
            return
        play.rules.ground.put(play.state, unit, self._by_hand(unit, end, spots), facing)
        play.emit(Moved(battle_rules(play).ground.cites["move"], unit.id, path, unit.where, unit.facing, cost))
        if len(points) > 1:
            self._run_over(play, unit, walk(play.state.table.land, body, points).entered)

    def _by_hand(self, unit: Unit, end: int, spots: dict[Figure, Point]) -> int:
        """The place with those of the others who are left."""
        if len(unit.figures) < 2 or any(figure not in spots for figure in unit.figures):
            return int(end)
        hand = Hand(int(at(*spots[unit.figures[0]], floor_of(int(end)))))
        hand.others = tuple(spots[figure] for figure in unit.figures[1:])
        return hand

    def _sticks(
        self, activation: Activation, reach: BattleWays, end: int, facing: int | None
    ) -> Generator[Any, Any, bool]:
        """One die for a vehicle that meets terrain, once per action; it stops where it met it."""
        play, unit = activation.play, activation.unit
        kind = play.rules.ground.mover(unit, play.state).kind
        rolled = f"stuck {len(activation.done)}"
        if kind not in STUCK or not unit.is_vehicle or activation.memory.get(rolled):
            return False
        points = reach.points(end)
        if not reach.is_rough(points) and not reach.turns_into_rough(end, facing):
            return False
        activation.memory[rolled] = True
        faces, rule = STUCK[kind]
        thrown = yield from play.throw(task("terrain", rule, faces), 1, unit.side, unit.id)
        if thrown.successes:
            return False
        activation.memory[STOPPED] = True
        edge = reach.first_rough(points) or (reach.cost(end), points[-1])
        if edge[0] > 0 and unit.on_board:
            place = at(*edge[1])
            play.rules.ground.put(play.state, unit, place, unit.facing)
            play.emit(Moved(rule, unit.id, (place,), unit.where, unit.facing, edge[0]))
        play.emit(Happened("bf.move.stuck_duration", f"{unit.name} is stuck", unit.id))
        return True

    def _run_over(self, play: Play, unit: Unit, entered: tuple[str, ...]) -> None:
        """Crates stay where they are (bf.move.terrain_list)."""
