"""Movement: MOVE and MARCH MOVE over the ground, and what happens on the way (d47.move.*, d47.action.move)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from dieselfront.kernel.decisions import Place
from dieselfront.kernel.game import ANSWERED, Procedure
from dieselfront.rulesets.dust.events import Moved, TerrainChanged, Turned
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import DUG_IN, EVADES, EVADES_WELL, RESERVE, Unit
from dieselfront.rulesets.dust1947.activation import STEPS_LEFT, Activation, Menu
from dieselfront.rulesets.dust1947.ground import MOVER_KINDS
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.table.square import Reach, mask_of

FACINGS = (0, 1, 2, 3)
NO_TURN = (None,)
LEGS = {"march-first": "where to first? The march goes on after reactions", "march": "where to? The march ends there"}
ROAD_BONUS = {"move": 1, "march": 2}  # d47.terrain.road_move_bonus, d47.terrain.road_march_bonus
ROAD_USERS = ("wheeled", "tracked", "half_tracked")  # d47.terrain.road_neutral for the others


class Movement:
    """Moving units."""

    # -- how far --------------------------------------------------------------------------------

    def pace(self, play: Play, unit: Unit) -> tuple[int, int]:
        """MOVE and MARCH values.

        The lower ones of a combined unit (d47.hero.slower_rate), changed by skills and states.
        """
        parts = unit.parts
        if len(parts) == 1:
            move, march = parts[0].card.move, parts[0].card.march
        else:
            cards = [part.card for part in unit.fighters()]
            move, march = min(card.move for card in cards), min(card.march for card in cards)
        if "on_pace" in unit.effects:
            move, march = ask(unit.effects, "on_pace", (move, march), unit)
        move, march = play.rules.criticals.slow(unit, move, march)
        pace: tuple[int, int] = play.rules.weather.slow(play.state, unit, move, march)
        return pace

    def may_move(self, play: Play, unit: Unit) -> tuple[bool, bool]:
        """May the unit be assigned MOVE and MARCH MOVE?"""
        if unit.held_by:  # d47.weapon.grapple_held
            return False, False
        if not unit.on_board:
            chapter = play.rules.reserves.may_move if unit.status == RESERVE else play.rules.transport.may_leave
            permitted: tuple[bool, bool] = chapter(play, unit)
            return permitted
        move, march = self.pace(play, unit)
        allowed: tuple[bool, bool] = play.rules.criticals.may_move(unit, move, march)
        return allowed

    def limit_menu(self, menu: Menu) -> None:
        """Aircraft move first unless they can hover (d47.move.aircraft_must_move_first).

        d47.open.suppressed_aircraft.
        """
        unit = menu.activation.unit
        menu.activation.play.rules.transport.limit_menu(menu)
        reason = ("d47.move.aircraft_must_move_first", "an aircraft's first action is a movement")
        if unit.status == RESERVE:
            reason = ("d47.open.reserve_entry_move", "a unit in reserve must move onto the board first")
        if unit.status == RESERVE or (unit.on_board and self._must_move(unit)):
            for sequence in menu.sequences:
                if not sequence or sequence[0] not in ("move", "march"):
                    menu.refused[sequence] = reason
            menu.sequences = [s for s in menu.sequences if s not in menu.refused]

    def road_bonus(self, play: Play, unit: Unit, action: str, budget: int) -> int:
        """More squares for a whole action on roads.

        d47.terrain.road_move_bonus, d47.terrain.road_march_bonus, d47.open.road_start.
        """
        card = unit.parts[0].card
        kind = MOVER_KINDS[card.locomotion]
        if "on_mover" in unit.effects:
            kind = play.rules.ground.mover(unit).kind
        bonus = ROAD_BONUS[action] if kind in ROAD_USERS else 0
        squares: int = play.rules.weather.road_bonus(play.state, budget, action, bonus)
        return squares

    def reach(
        self,
        play: Play,
        unit: Unit,
        budget: int,
        action: str,
        spent: int = 0,
        diagonal_used: bool = False,
        on_road: bool = True,
    ) -> Reach:
        """Where a movement action can end; mud and sand halve the whole action.

        d47.terrain.mud_sand, d47.open.mud_partial.
        """
        reach: Reach = play.rules.ground.reach(
            play.state,
            unit,
            budget - spent,
            diagonal_used=diagonal_used,
            road_bonus=self.road_bonus(play, unit, action, budget) if on_road else 0,
            halved_budget=max(0, max(1, budget // 2) - spent),
        )
        return reach

    # -- the actions ----------------------------------------------------------------------------

    def move(self, activation: Activation) -> Procedure:
        """MOVE: up to the move value, turning included (d47.action.move, d47.move.facing_free)."""
        play, unit = activation.play, activation.unit
        if activation.memory.pop("march_instead", False):
            yield from self.march(activation)
            return
        move, _ = self.pace(play, unit)
        if unit.status == RESERVE:
            yield from play.rules.reserves.enter(activation, "move")
            return
        if not unit.on_board:
            yield from play.rules.transport.leave(activation, move, "move")
            return
        self._begin(unit, "move")
        must_move = self._must_move(unit)
        reach = play.once(lambda: self.real(self.reach(play, unit, move, "move"), must_move))
        cost, _ = yield from self._leg(activation, reach, "move", must_move=must_move)
        self._hover(unit, cost)
        yield from play.rules.transport.offer_mounting(activation)

    def march(self, activation: Activation) -> Procedure:
        """MARCH MOVE: first up to the move value, then the reaction, then the rest (d47.reactive.trigger_march).

        d47.open.march_split_move.
        """
        play, unit = activation.play, activation.unit
        move, march = self.pace(play, unit)
        if unit.status == RESERVE:
            yield from play.rules.reserves.enter(activation, "march")
            return
        if not unit.on_board:
            yield from play.rules.transport.leave(activation, march, "march")
            return
        self._begin(unit, "march")
        spent, diagonal = 0, False
        if play.now(lambda: play.rules.reactions.could_react(play, unit, march)):
            reach = play.once(lambda: self.reach(play, unit, min(move, march), "march", on_road=False))
            activation.memory["mud"] = activation.memory["off_road"] = False
            spent, diagonal = yield from self._leg(activation, reach, "march-first", last=False)
            yield from play.rules.reactions.offer(play, unit)
            if not unit.alive or activation.ended or not unit.on_board:
                return
        if activation.memory.pop("mud", False):  # d47.open.mud_partial
            march = max(1, march // 2)
        on_road = not activation.memory.pop("off_road", False)
        must_move = not spent and self._must_move(unit)
        reach = play.once(
            lambda: self.real(self.reach(play, unit, march, "march", spent, diagonal, on_road), must_move)
        )
        cost, _ = yield from self._leg(activation, reach, "march", must_move=must_move)
        self._hover(unit, spent + cost)
        yield from play.rules.transport.offer_mounting(activation)

    def _begin(self, unit: Unit, action: str) -> None:
        """A movement action ends digging in and sets an aircraft's evade save.

        d47.skill.aircraft_evade, d47.open.evade_mid_march.
        """
        unit.drop(DUG_IN | EVADES | EVADES_WELL)
        if unit.is_aircraft:
            unit.set(EVADES if action == "move" else EVADES_WELL)

    def _hover(self, unit: Unit, cost: int) -> None:
        """An aircraft that only turned in the air does not evade.

        d47.skill.aircraft_no_evade, d47.open.helicopter_turning.
        """
        if unit.is_aircraft and not cost and not self._must_move(unit):
            unit.drop(EVADES | EVADES_WELL)

    def _must_move(self, unit: Unit) -> bool:
        """The compulsory move of an aircraft must be real (d47.move.aircraft_physical_move)."""
        return unit.is_aircraft and bool(ask(unit.effects, "on_must_move", True, unit))

    def real(self, reach: Reach, must_move: bool) -> Reach:
        """The reach of a unit that must really move: to turn on its own squares is not to move.

        d47.move.aircraft_physical_move.
        """
        return reach.compulsory() if must_move else reach

    # -- one leg --------------------------------------------------------------------------------

    def _leg(
        self,
        activation: Activation,
        way: Reach | Callable[[], Reach],
        key: str,
        *,
        last: bool = True,
        must_move: bool = False,
    ) -> Generator[Any, Any, tuple[int, bool]]:
        """Choose where to go and go there; returns what it cost and whether the cheap diagonal is used up.

        The reach may come as a function, which is called only if somebody looks.
        """
        play, unit = activation.play, activation.unit
        spot, facing, *named = yield ANSWERED if play.answered else self.decision(play, unit, way, key, last)
        reach = way() if callable(way) else way
        end = self.end_of(unit, spot, facing)
        for squares in named:  # a way of the player's own choice
            chosen = reach.by(end, squares)
            assert isinstance(chosen, Reach), chosen
            reach = chosen
        cost = reach[end]
        diagonal = reach.diagonal_used(end)
        activation.memory[STEPS_LEFT] = (reach.left(end), diagonal)
        yield from self.go(activation, reach, end, facing)
        if must_move and not reach.path(end) and unit.alive:
            self._tell_loop(play, unit)
        return cost, diagonal

    def where_to(
        self, play: Play, unit: Unit, way: Reach | Callable[[], Reach], key: str, last: bool = True
    ) -> Generator[Any, Any, tuple[int, int | None]]:
        """Its owner chooses where a unit goes: the place and the facing."""
        spot, facing = yield self.decision(play, unit, way, key, last, by_ways=False)
        return spot, facing

    def end_of(self, unit: Unit, spot: int, facing: int | None) -> Any:
        """How the table knows a place to stand: a square, or (square, facing) for large and huge units."""
        return spot if unit.card.size == "standard" else (spot, facing)

    def decision(
        self,
        play: Play,
        unit: Unit,
        way: Reach | Callable[[], Reach],
        key: str,
        last: bool = True,
        by_ways: bool = True,
    ) -> Place:
        """Where the unit may go, as a decision: a spot and, for vehicles, a facing; the way there may be named too.

        Without one the unit takes the way that meets the fewest hazards, then the shortest, and of those the one that
        ruins least (d47.terrain.crate_vehicle).
        """
        table = play.state.table
        reach = way if callable(way) else lambda: way

        def why_not_by(spot: Any, facing: Any, squares: tuple[Any, ...]) -> str | None:
            if not all(isinstance(square, int) for square in squares):
                return "a way is a list of squares"
            chosen = reach().by(self.end_of(unit, spot, facing), squares)
            return chosen if isinstance(chosen, str) else None

        if unit.card.size == "standard":
            spots: Callable[[], Mapping[Any, int]] = lambda: reach().costs  # noqa: E731
            turns: Any = NO_TURN if unit.is_infantry or not last else FACINGS
        else:
            facings: dict[int, list[int]] = {}
            spots, turns = lambda: cheapest(reach(), facings), lambda spot: facings[spot]
        return Place(
            unit.side,
            key,
            spots,
            turns,
            why_not_by if by_ways else None,
            table.square,
            f"{unit.name}: {LEGS.get(key, 'where to?')}",
            "d47.action.march" if key.startswith("march") else "d47.action.move",
            unit.id,
            table.name,
        )

    def go(self, activation: Activation, reach: Reach, end: Any, facing: int | None) -> Procedure:
        """Walk the path, meeting what lies on it."""
        play, unit = activation.play, activation.unit
        path = reach.path(end)
        if not path:
            self._turn(play, unit, end, facing)
            return
        self._note_ground(activation, reach, path)
        stopped = yield from play.rules.hazards.cross(activation, reach, end)
        if stopped or not unit.alive:
            return
        spot = end if unit.card.size == "standard" else end[0]
        play.rules.ground.put(play.state, unit, spot, facing)
        play.emit(Moved("d47.action.move", unit.id, path, unit.where, unit.facing, reach[end]))
        self._crush(play, unit, path)

    def _note_ground(self, activation: Activation, reach: Reach, path: tuple[int, ...]) -> None:
        """What the first part of a march went over counts for the rest.

        d47.open.mud_partial, d47.open.road_start.
        """
        play, unit = activation.play, activation.unit
        if "mud" in activation.memory:
            graph = play.state.table.graph(reach.mover)
            start = (min(unit.where),) if unit.card.size == "huge" and unit.where else unit.where
            over = mask_of((*start, *path))
            activation.memory["mud"] = bool(over & graph.halves)
            activation.memory["off_road"] = bool(over & ~graph.roads)

    def _turn(self, play: Play, unit: Unit, end: Any, facing: int | None) -> None:
        """Turning on the spot costs nothing inside a MOVE (d47.attack.arc.turn_needs_move, d47.move.huge_rotate)."""
        spot = end if unit.card.size == "standard" else end[0]
        before = (unit.where, unit.facing)
        play.rules.ground.put(play.state, unit, spot, facing)
        if (unit.where, unit.facing) != before:
            play.emit(Turned("d47.action.move", unit.id, unit.where, unit.facing))

    def _tell_loop(self, play: Play, unit: Unit) -> None:
        """An aircraft that ends where it began has flown a loop (d47.move.aircraft_physical_move)."""
        play.emit(Moved("d47.move.aircraft_physical_move", unit.id, unit.where, unit.where, unit.facing, 2))

    def _crush(self, play: Play, unit: Unit, path: tuple[int, ...]) -> None:
        """A vehicle that drives over an ammo crate removes it (d47.terrain.crate_vehicle)."""
        if not unit.is_vehicle:
            return
        table = play.state.table
        crates = tuple(place for place in {*path, *unit.where} if table.has(place, "ammo_crate"))
        if crates:
            play.state.table = table.clearing("ammo_crate", tuple(sorted(crates)))
            play.emit(TerrainChanged("d47.terrain.crate_vehicle", "ammo_crate", tuple(sorted(crates)), False))


def cheapest(reach: Reach, facings: dict[int, list[int]]) -> dict[int, int]:
    """The spots of a large vehicle with what each costs at least; its facings there go into `facings`."""
    costs: dict[int, int] = {}
    stances: Any = reach.costs.items()
    for (spot, facing), cost in stances:
        facings.setdefault(spot, []).append(facing)
        costs[spot] = min(cost, costs.get(spot, cost))
    return costs
