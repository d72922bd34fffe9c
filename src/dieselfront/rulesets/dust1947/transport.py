"""Transport: passengers, airlifters, sealifters (d47.transport.*, d47.airlift.*, d47.sealift.*).

Pilots live in heroes.py. A unit aboard has no place of its own; its carrier's place stands for it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.dice import Throw
from dieselfront.kernel.decisions import IllegalChoice, PickOne, Place
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import on_unit
from dieselfront.rulesets.dust.events import Deployed, Happened, Moved
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Attack, Line
from dieselfront.rulesets.dust.state import ABOARD, ACTED, ACTIVATED, EVADES_WELL, LOST, SUPPRESSED, Part, Unit
from dieselfront.rulesets.dust1947.activation import MOVEMENTS, STEPS_LEFT, Activation, Menu, Sequence
from dieselfront.rulesets.dust1947.dice import SHIELD, TARGET, task
from dieselfront.rulesets.dust1947.playing import Play

SEALIFTER_SPACES = 12  # d47.sealift.capacity
VEHICLE_SPACES = {"standard": 6, "large": 12}
PASSENGERS, AIRLIFT, SEALIFT = "passengers", "airlift", "sealift"


class Transport:
    """Carriers and those they carry."""

    # -- what fits where ------------------------------------------------------------------------

    def kind(self, carrier: Unit) -> str:
        """How a unit carries others, "" if it does not."""
        if "on_carries" not in carrier.effects:
            return ""
        for skill, kind in (("Passengers", PASSENGERS), ("Airlifter", AIRLIFT), ("Sealifter", SEALIFT)):
            if carrier.card.has(skill):
                return kind
        return ""

    def spaces(self, carrier: Unit) -> int:
        """Room aboard (d47.transport.passenger_spaces, d47.sealift.capacity, d47.open.airlift_capacity)."""
        passengers = carrier.card.skill("Passengers")
        if passengers is not None:
            return passengers.number
        return SEALIFTER_SPACES if carrier.card.has("Sealifter") else 0

    def needs(self, unit: Unit) -> int:
        """Spaces a unit takes: 1 per soldier of armour 1-2, 2 per soldier of armour 3-4, more for a vehicle."""
        if unit.is_infantry:
            return sum(part.models * self.needs_each(part) for part in unit.fighters())
        return VEHICLE_SPACES.get(unit.card.size, 99)

    def needs_each(self, part: Part) -> int:
        """Spaces that one soldier takes."""
        return 1 if part.card.armour <= 2 else 2

    def cargo(self, play: Play, carrier: Unit) -> list[Unit]:
        """The units aboard."""
        return [unit for unit in play.state.units if unit.aboard == carrier.id and unit.status == ABOARD]

    def fits(self, play: Play, unit: Unit, carrier: Unit) -> bool:
        """May the unit go aboard: the right kind, and room left (d47.transport.multiple_units)."""
        if carrier.side != unit.side or unit.aboard or carrier is unit:
            return False
        kind = self.kind(carrier)
        if not kind or ask(unit.effects, "on_passenger", None, unit, carrier) is not None:
            return False
        aboard = self.cargo(play, carrier)
        if kind == AIRLIFT:  # d47.airlift.who, d47.skill.airlifter
            lifts = unit.is_vehicle and "on_airlifted" in unit.effects
            return lifts and not aboard and unit.card.size == "standard"
        if kind == PASSENGERS and not unit.is_infantry:
            return False
        if unit.is_aircraft or (unit.is_vehicle and unit.card.size == "huge"):
            return False
        return sum(self.needs(other) for other in aboard) + self.needs(unit) <= self.spaces(carrier)

    def carrier_or_self(self, play: Play, unit: Unit) -> Unit:
        """Where the unit is: its carrier if it rides in one."""
        place: Unit = play.state.by_id[unit.aboard] if unit.status == ABOARD else unit
        return place

    def begin_aboard(self, play: Play, unit: Unit) -> None:
        """Units may begin the game aboard (d47.transport.start_mounted).

        What does not fit is left out of the battle.
        """
        carrier = play.state.by_id.get(unit.aboard)
        unit.aboard = ""
        if carrier is not None and carrier.on_board and self.fits(play, unit, carrier):
            self._go_aboard(play, unit, carrier, "d47.transport.start_mounted")

    def _go_aboard(self, play: Play, unit: Unit, carrier: Unit, rule: str) -> None:
        play.rules.ground.lift(unit, ABOARD)
        unit.aboard = carrier.id
        play.emit(Happened(rule, f"{unit.name} is aboard {carrier.name}", unit.id))

    # -- mounting -------------------------------------------------------------------------------

    def offer_mounting(self, activation: Activation) -> Procedure:
        """At the end of a movement beside a carrier with room (d47.transport.mount, d47.open.mount_when)."""
        play, unit = activation.play, activation.unit
        steps = activation.memory.pop(STEPS_LEFT, None)
        if unit.is_aircraft or not unit.on_board or activation.ended:
            return
        carriers = [
            carrier
            for carrier in play.state.on_board(unit.side)
            if self.kind(carrier)
            and self.fits(play, unit, carrier)
            and play.rules.ground.near(play.state, unit, carrier, 1)
            and self._has_steps_into(play, unit, carrier, steps)
        ]
        if not carriers:
            return
        chosen = yield PickOne(
            unit.side,
            "mount",
            [None, *(carrier.id for carrier in carriers)],
            labels=lambda other: "stay outside" if other is None else play.state.by_id[other].name,
            text=f"{unit.name}: go aboard?",
            rule="d47.transport.mount",
            unit=unit.id,
            act="ride",
            about=on_unit("ride", unit.id),
        )
        if chosen is not None:
            carrier = play.state.by_id[chosen]
            activation.memory["mounted"] = True
            self._go_aboard(play, unit, carrier, MOUNT_RULES[self.kind(carrier)])

    def _has_steps_into(self, play: Play, unit: Unit, carrier: Unit, steps: tuple[int, bool] | None) -> bool:
        """A sealifter is boarded by moving into it, not by standing beside it (d47.sealift.mount)."""
        if steps is None or self.kind(carrier) != SEALIFT:
            return True
        left, diagonal_used = steps
        xy = play.state.table.xy
        pairs = [(xy(own), xy(other)) for own in unit.where for other in carrier.where]
        straight = any(abs(ax - bx) + abs(ay - by) == 1 for (ax, ay), (bx, by) in pairs)
        return left >= (1 if straight or not diagonal_used else 2)  # d47.move.diagonal

    # -- leaving --------------------------------------------------------------------------------

    def may_leave(self, play: Play, unit: Unit) -> tuple[bool, bool]:
        """Passengers leave before their carrier has activated, later only from assault vehicles.

        d47.transport.dismount, d47.transport.no_dismount_after, d47.sealift.dismount, d47.airlift.dismount_timing,
        d47.skill.assault_vehicle, d47.skill.air_assault.
        """
        if unit.status != ABOARD:
            return False, False
        carrier = play.state.by_id[unit.aboard]
        late = carrier.activated
        if late and "on_unloads_late" not in carrier.effects and "on_leaves_late" not in unit.effects:
            return False, False
        move, march = play.rules.movement.pace(play, unit)
        if not self.exits(play, unit, move):
            return False, bool(march > 0 and self.exits(play, unit, march))
        return move > 0, march > 0

    def exits(self, play: Play, unit: Unit, budget: int) -> dict[Any, tuple[int, Any]]:
        """Where a unit can go from its carrier: end → (cost, the reach that leads there).

        From an aircraft it starts in the square below (d47.airlift.dismount).
        """
        carrier = play.state.by_id[unit.aboard]
        ground = play.rules.ground
        exits: dict[Any, tuple[int, Any]] = {}
        for start in self._starts(play, unit, carrier):
            reach = ground.reach(play.state, unit, budget, start=start, halved_budget=max(1, budget // 2))
            for end, cost in reach.costs.items():
                if not cost and not self._may_stand(play, unit, end):  # a large vehicle may turn about there
                    continue
                if end not in exits or cost < exits[end][0]:
                    exits[end] = (cost, reach)
        return dict(sorted(exits.items(), key=lambda item: (item[1][0], str(item[0]))))

    def _starts(self, play: Play, unit: Unit, carrier: Unit) -> list[Any]:
        """Where it begins to move: the carrier's squares, turned so that it is wholly on the board."""
        size = unit.card.size
        if size == "standard":
            return list(carrier.where)
        stances = [(place, facing) for place in carrier.where for facing in (0, 1, 2, 3)]
        return [stance for stance in stances if play.state.table.fits(size, stance)]

    def _may_stand(self, play: Play, unit: Unit, spot: Any) -> bool:
        ground = play.rules.ground
        return bool(play.state.table.can_stop(ground.mover(unit), spot, ground.occupancy(play.state, unit)))

    def leave(self, activation: Activation, budget: int, action: str) -> Procedure:
        """Step out and move; a march can be reacted to on the way (d47.transport.dismount, d47.sealift.dismount)."""
        play, unit = activation.play, activation.unit
        if activation.memory.get("mounted") or unit.status != ABOARD:
            return
        carrier = play.state.by_id[unit.aboard]
        first = budget
        if action == "march" and play.rules.reactions.could_react(play, carrier, budget):
            first = min(budget, play.rules.movement.pace(play, unit)[0])
        cost = yield from self._step_out(activation, first if self.exits(play, unit, first) else budget)
        if first == budget or not unit.on_board:
            return
        yield from play.rules.reactions.offer(play, unit)
        most = play.rules.ground.length(play.state, budget)
        if unit.alive and unit.on_board and not activation.ended and cost < most:
            reach = play.rules.movement.reach(play, unit, budget, "march", cost, True)
            yield from play.rules.movement._leg(activation, reach, "march")

    def _step_out(self, activation: Activation, budget: int) -> Generator[Any, Any, int]:
        play, unit = activation.play, activation.unit
        exits = self.exits(play, unit, budget)
        if not exits:
            return 0
        table = play.state.table
        standard = unit.card.size == "standard"
        facings: dict[Any, list[Any]] = {}
        for end in exits:
            spot, facing = (end, None) if standard else end
            facings.setdefault(spot, []).append(facing)
        turns: Any = (0, 1, 2, 3) if standard and not unit.is_infantry else lambda spot: facings[spot]
        spot, facing = yield Place(
            unit.side,
            "dismount",
            self._costs(exits, standard),
            turns,
            labels=lambda place: table.name(place),
            text=f"{unit.name}: where does it leave {play.state.by_id[unit.aboard].name}?",
            rule="d47.transport.dismount",
            unit=unit.id,
            act="ride",
        )
        end = spot if standard else (spot, facing)
        cost, reach = exits[end]
        path = reach.path(end)
        stopped = yield from play.rules.hazards.cross(activation, reach, end)
        if stopped:  # caught in wire on the way, or worse
            return int(cost)
        unit.status, unit.aboard = "board", ""
        play.rules.ground.put(play.state, unit, spot, facing)
        play.emit(Moved("d47.transport.dismount", unit.id, path, unit.where, unit.facing, cost))
        return int(cost)

    def _costs(self, exits: dict[Any, tuple[int, Any]], standard: bool) -> dict[int, int]:
        """The cheapest way to every spot."""
        costs: dict[int, int] = {}
        for end, (cost, _) in exits.items():
            spot = end if standard else end[0]
            costs[spot] = min(cost, costs.get(spot, cost))
        return costs

    # -- what the carried may do ----------------------------------------------------------------

    def limit_menu(self, menu: Menu) -> None:
        """Passengers never sustain (d47.transport.no_sustained_cc_support).

        Cargo first leaves (d47.sealift.no_actions); whoever has left attacks like anybody else.
        """
        unit = menu.activation.unit
        if unit.status != ABOARD:
            return
        play = menu.activation.play
        carrier = play.state.by_id[unit.aboard]
        passengers = self.kind(carrier) == PASSENGERS
        for sequence in menu.sequences:
            aboard = self._while_aboard(sequence)
            attacks = [action for action in aboard if "attack" in action or "sustained" in action]
            if any("sustained" in action for action in aboard):
                reason = ("d47.transport.no_sustained_cc_support", "passengers cannot make a sustained attack")
            elif attacks and not passengers:
                reason = ("d47.sealift.no_actions", "cargo has to leave first")  # d47.open.airlift_carried_actions
            else:
                continue
            menu.refused[sequence] = reason
        menu.sequences = [sequence for sequence in menu.sequences if sequence not in menu.refused]

    def _while_aboard(self, sequence: Sequence) -> Sequence:
        """The actions of a sequence before the unit leaves its carrier."""
        leaves = [place for place, action in enumerate(sequence) if action.removeprefix("free:") in MOVEMENTS]
        return sequence[: leaves[0]] if leaves else sequence

    def may_fire(self, play: Play, unit: Unit, weapon: Any) -> bool:
        """Passengers use neither close-combat nor support weapons, nor anything from a fast aircraft.

        d47.transport.no_sustained_cc_support, d47.skill.aircraft_fast_passengers.
        """
        if unit.status != ABOARD:
            return True
        carrier = play.state.by_id[unit.aboard]
        if self.kind(carrier) != PASSENGERS or weapon.close or weapon.crewed:
            return False
        return not carrier.flags & EVADES_WELL

    def line(self, play: Play, unit: Unit, target: Unit, blockers: int) -> Line:
        """Passengers fire like side guns of their carrier, left or right (d47.transport.fire_arc)."""
        carrier = play.state.by_id[unit.aboard]
        lines: list[Line] = [
            play.rules.ground.line(play.state, carrier, target, side, blockers) for side in ("left", "right")
        ]
        return min(lines, key=lambda line: (line.refusal is not None, line.cover, line.distance))

    def side_of(self, play: Play, carrier: Unit, target: Unit) -> str:
        """On which side of the carrier a target lies; one on both sides counts as left."""
        table = play.state.table
        for side in ("left", "right"):
            if any(table.in_arc(a, carrier.facing, b, side) for a in carrier.where for b in target.where):
                return side
        return ""

    def agreement(self, play: Play, attack: Attack, items: list[Any], answer: tuple[Any, ...]) -> IllegalChoice | None:
        """To each side at most half as many miniatures fire as there are spaces, rounded down.

        d47.transport.fire_half, d47.open.passenger_half_rounding.
        """
        unit = attack.unit
        if unit.status != ABOARD:
            return None
        carrier = play.state.by_id[unit.aboard]
        most = self.spaces(carrier) // 2
        firing: dict[str, set[tuple[int, int]]] = {}
        for (part, _, bearer), aim in zip(items, answer, strict=True):
            if aim is not None and aim[0] in play.state.by_id:
                side = self.side_of(play, carrier, play.state.by_id[aim[0]])
                firing.setdefault(side, set()).add((part, bearer if unit.parts[part].squad else 0))
        counted = [sum(self.counts(unit.parts[part]) for part, _ in models) for models in firing.values()]
        if any(count > most for count in counted):
            return IllegalChoice(f"only {most} {self.counted_in} can fire to one side", "d47.transport.fire_half")
        return None

    counted_in = "passengers"
    """What the limit to each side counts."""

    def counts(self, part: Part) -> int:
        """What one who fires counts towards the limit to a side: every miniature is one (d47.transport.fire_half)."""
        return 1

    def passenger_may_react(self, play: Play, unit: Unit) -> bool:
        """Passengers may react with a single attack, cargo may not (d47.open.passenger_reaction)."""
        return unit.status == ABOARD and self.kind(play.state.by_id[unit.aboard]) == PASSENGERS

    # -- the end of a carrier -------------------------------------------------------------------

    def before_lost(self, play: Play, unit: Unit) -> Procedure:
        """Nothing happens before the carrier is gone; see after_lost."""
        return
        yield

    def after_lost(self, play: Play, unit: Unit, where: tuple[int, ...]) -> Procedure:
        """What becomes of pilot and cargo when their vehicle is destroyed."""
        yield from play.rules.heroes.pilot_escapes(play, unit, where)
        kind = self.kind(unit)
        if not kind:
            return
        for other in self.cargo(play, unit):
            if kind == SEALIFT:
                yield from self._shipwreck(play, unit, other, where)
            elif kind == AIRLIFT:
                yield from self._fall(play, unit, other, where)
            else:
                yield from self._crash(play, unit, other, where)

    def _crash(self, play: Play, carrier: Unit, unit: Unit, where: tuple[int, ...]) -> Procedure:
        """One die per passenger, each TARGET hurts one, without saves (d47.transport.destroyed_roll)."""
        throw = task("crash", "d47.transport.destroyed_roll", TARGET)
        thrown = yield from play.throw(throw, unit.models, unit.side, unit.id)
        yield from self._hurt(play, unit, thrown.successes, "d47.transport.destroyed_roll")
        if unit.status == LOST:
            return
        spots = self._around(play, unit, where)
        yield from self._survive(play, unit, spots, "d47.transport.survivors", "d47.transport.no_space")

    def _hurt(self, play: Play, unit: Unit, points: int, rule: str) -> Procedure:
        """Damage of a crash, divided by the owner; resilience works (d47.transport.destroyed_resilient)."""
        left = points
        for part in self._hurt_order(unit):
            taken = min(left, part.left)
            left -= taken
            negate: Throw | None = ask(unit.effects, "on_negate", None, part, None)
            if negate is not None and taken:
                thrown = yield from play.throw(negate, taken, unit.side, unit.id)
                taken -= thrown.successes
            if taken > 0:
                yield from play.rules.damage.lose(play, unit, part, taken, None, rule)
        yield from play.rules.damage.bury(play, unit)

    def _hurt_order(self, unit: Unit) -> list[Part]:
        """Soldiers before heroes, as an owner would choose (d47.open.passenger_damage_who)."""
        return sorted(unit.fighters(), key=lambda part: not part.squad)

    def _around(self, play: Play, unit: Unit, where: tuple[int, ...]) -> dict[int, int]:
        """The squares where the carrier was, and those at range 1, that can hold the unit."""
        squares: dict[int, int] = play.rules.ground.beside(play.state, unit, where, on=True)
        return squares

    def _survive(self, play: Play, unit: Unit, spots: dict[int, int], rule: str, no_room: str) -> Procedure:
        """Survivors are placed, suppressed and done for the turn; without room they are lost."""
        if not spots:
            play.emit(Happened(no_room, f"there is no room for {unit.name}", unit.id))
            yield from self._lose_all(play, unit)
            return
        ground, text = play.rules.ground, f"{unit.name}: where do the survivors stand?"
        spot, facing = yield from ground.choose(
            play, unit, "survivors", spots, ground.turns(unit), text=text, rule=rule
        )
        unit.aboard = ""
        play.rules.ground.put(play.state, unit, spot, facing)
        play.emit(Deployed(rule, unit.id, unit.where, unit.facing))
        unit.set(ACTIVATED | ACTED)
        play.rules.suppression.give(play, unit, SUPPRESSED, rule)

    def _lose_all(self, play: Play, unit: Unit) -> Procedure:
        for part in list(unit.fighters()):
            part.alive, part.damage = (), part.card.damage
            yield from play.rules.damage._part_lost(play, unit, part)

    def _fall(self, play: Play, carrier: Unit, unit: Unit, where: tuple[int, ...]) -> Procedure:
        """A vehicle falls with its airlifter: a die per point left on its track (d47.airlift.destroyed_roll)."""
        soft = "on_leaves_late" in unit.effects
        rule = "d47.airlift.air_assault_roll" if soft else "d47.airlift.destroyed_roll"
        throw = task("fall", rule, TARGET if soft else TARGET | SHIELD)
        thrown = yield from play.throw(throw, unit.main.left, unit.side, unit.id)
        yield from self._hurt(play, unit, thrown.successes, rule)
        if unit.status == LOST:
            return
        below = {place: 0 for place in where if self._may_stand(play, unit, place)}
        yield from self._survive(play, unit, below, "d47.airlift.survivor", "d47.airlift.no_space")

    def _shipwreck(self, play: Play, carrier: Unit, unit: Unit, where: tuple[int, ...]) -> Procedure:
        """Everything sinks unless the bow door touches land.

        d47.sealift.sunk, d47.sealift.beached, d47.open.sealift_side_contact.
        """
        beach = self.beach(play, carrier, where)
        spots = (
            {place: 0 for place in beach if self._may_stand(play, unit, place)} if unit.card.size == "standard" else {}
        )
        if not spots:
            play.emit(Happened("d47.sealift.sunk", f"{unit.name} goes down with {carrier.name}", unit.id))
            yield from self._lose_all(play, unit)
            return
        ground, text = play.rules.ground, f"{unit.name}: where does it come ashore?"
        spot, facing = yield from ground.choose(
            play, unit, "survivors", spots, ground.turns(unit), text=text, rule="d47.sealift.beached"
        )
        unit.aboard = ""
        play.rules.ground.put(play.state, unit, spot, facing)
        play.emit(Deployed("d47.sealift.beached", unit.id, unit.where, unit.facing))

    def beach(self, play: Play, carrier: Unit, where: tuple[int, ...]) -> list[int]:
        """Dry squares right before the bow door."""
        table = play.state.table
        step = ((0, -1), (1, 0), (0, 1), (-1, 0))[carrier.facing]
        half = max(1, len(where) // 2)
        dry = []
        for place in where[:half]:
            x, y = table.xy(place)
            ahead = (x + step[0], y + step[1])
            if 0 <= ahead[0] < table.width and 0 <= ahead[1] < table.height:
                square = table.place(*ahead)
                if not table.has(square, "water"):
                    dry.append(square)
        return dry


MOUNT_RULES = {PASSENGERS: "d47.transport.mount", AIRLIFT: "d47.airlift.mount", SEALIFT: "d47.sealift.mount"}
