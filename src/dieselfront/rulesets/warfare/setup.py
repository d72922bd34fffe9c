"""Before the game and arriving in it: joining, deployment, reserves (dw.setup.*, dw.hero.join, dw.ability.reserved)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dieselfront.kernel.decisions import PickOne, PlaceFree
from dieselfront.kernel.game import QUIET, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.battle import INWARD, Battle, edge_strip, mm, zone_box
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.events import Altitude, Boarded, Placed
from dieselfront.rulesets.warfare.going import MARCH, MOVE, Clearance, Move
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.spots import Box, SpotRegion, inside
from dieselfront.rulesets.warfare.state import ABOARD, HIGH, LOW, OFF, TABLE, State, Unit
from dieselfront.rulesets.warfare.unit_cards import WarfareCard
from dieselfront.table.measured.shapes import Body, any_within

ARRIVAL_INCHES = 12  # dw.ability.reserved: more than that from every enemy
TOUCHING = 15  # tenths of a millimetre: places are whole millimetres


class Arrival(NamedTuple):
    """A way to stay off the table and come in later: touching any edge, or anywhere (dw.ability.reserved,
    dw.ability.air_drop)."""

    name: str
    anywhere: bool
    rule: str


class OverLimit(ValueError):
    """A force that costs more than was agreed."""


def check_points(force: Mapping[str, Any], total: int) -> None:
    """The sum of all prices may not exceed the agreed total (dw.setup.army_points)."""
    limit = force.get("points")
    if limit and total > limit and not force.get("unrestricted"):
        raise OverLimit(
            f"{force.get('name', 'The force')} costs {total} AP; {limit} were agreed (dw.setup.army_points)."
        )


def check_list(force: Mapping[str, Any], cards: Sequence[WarfareCard], platoons: Sequence[str]) -> None:
    """At most one superhuman in a force (dw.ability.superhuman); where a platoon's data limit its spotter and sniper
    squads, a Command Squad allows it one more at full price (dw.ability.command_squad_list)."""
    if force.get("unrestricted"):
        return
    if sum(card.has("Superhuman") for card in cards) > 1:
        raise OverLimit("A force may include at most one superhuman (dw.ability.superhuman).")
    for name, data in force.get("platoons", {}).items():
        limit = data.get("specialists") if isinstance(data, Mapping) else None
        if limit is None:
            continue
        mine = [card for card, platoon in zip(cards, platoons, strict=True) if platoon == name]
        led = any(card.has("Command Squad") for card in mine)
        taken = sum(card.has("Spotter") or card.has("Sniper") for card in mine)
        if taken > limit + int(led):
            raise OverLimit(
                f"Platoon {name} has {taken} spotter and sniper squads; {limit + int(led)} are allowed "
                "(dw.ability.command_squad_list)."
            )


class Setup(Chapter):
    """Set-up and arrival."""

    # -- the stages ------------------------------------------------------------------------------------------

    def set_up(self, play: Play) -> Procedure:
        """Heroes join, then units are deployed in turn, then turn 1 (dw.setup.battlefield_and_deploy)."""
        state: State = play.state
        battle: Battle = state.scenario
        while state.phase == "setup":
            yield QUIET
            if "stage" not in state.notes:
                state.notes["stage"] = "join"
                state.notes["placing"] = battle.first
                if battle.zones is not None:
                    state.edges = (battle.zones[0].edge, battle.zones[1].edge)
                state.notes["asked"] = ()
            elif state.notes["stage"] == "join":
                yield from self.join_one(play)
            else:
                side = self.next_side(state)
                if side is None:
                    self.start(play)
                else:
                    yield from self.deploy_one(play, side)

    def start(self, play: Play) -> None:
        """Everything stands: the first turn begins."""
        state: State = play.state
        for name in ("stage", "to_place", "placing", "asked"):
            state.notes.pop(name, None)
        self.rules.turn.begin(play, 1)

    # -- joining ---------------------------------------------------------------------------------------------------

    def join_one(self, play: Play) -> Procedure:
        """Every hero and commissar is asked once whom he joins (dw.hero.join, dw.hero.independent)."""
        state: State = play.state
        asked: tuple[str, ...] = state.notes["asked"]
        waiting = [
            unit
            for unit in state.units
            if unit.id not in asked and unit.place == OFF and self.rules.heroes.may_ask(unit)
        ]
        if not waiting:
            state.notes["stage"] = "deploy"
            state.notes["to_place"] = tuple(unit.id for unit in state.units if unit.place == OFF)
            return
        unit = waiting[0]
        state.notes["asked"] = (*asked, unit.id)
        choice = yield PickOne(
            unit.side,
            "join",
            self.join_options(state, unit),
            text=f"Whom does {unit.name} join?",
            rule="dw.hero.join",
            unit=unit.id,
            labels=lambda one: self._join_label(state, one),
            act="deploy",
            about=lambda one: About(act="deploy", unit=unit.id, targets=() if one is None else tuple(one[1:])),
        )
        if choice is None:
            return
        if choice[0] == "join":
            self.rules.heroes.join(play, unit, state.unit(choice[1]))
        else:
            self.rules.heroes.combine(play, unit, state.unit(choice[1]), state.unit(choice[2]))

    def join_options(self, state: State, unit: Unit) -> list[Any]:
        """Nobody, or units the list or the rules allow; a list that names one leaves no choice."""
        wanted = unit.notes.get("joins")
        able = [other.id for other in self.rules.heroes.joinable(state, unit)]
        if wanted is not None and wanted in able:
            return [("join", wanted)]
        merges = [("merge", one, other) for one, other in self.rules.heroes.merges(state, unit)]
        return [None, *[("join", id) for id in able], *merges]

    def _join_label(self, state: State, choice: Any) -> str:
        if choice is None:
            return "nobody, he fights on his own"
        return f"{choice[0]} " + " and ".join(f"{state.unit(id).name} ({id})" for id in choice[1:])

    # -- deployment -------------------------------------------------------------------------------------------

    def left_to_place(self, state: State, side: int) -> list[Unit]:
        waiting = state.notes.get("to_place", ())
        return [unit for unit in state.of(side) if unit.id in waiting and unit.place == OFF]

    def next_side(self, state: State) -> int | None:
        """Players alternate, a side with nothing left is skipped."""
        side: int = state.notes["placing"]
        for turn in (side, 1 - side):
            if self.left_to_place(state, turn):
                return turn
        return None

    def deploy_one(self, play: Play, side: int) -> Procedure:
        """Set one unit up, put it into a carrier, or leave it off the table."""
        state: State = play.state
        choice = yield PickOne(
            side,
            "deploy",
            play.now(lambda: self.deploy_options(state, side)),
            text="Which unit is deployed next?",
            rule="dw.setup.battlefield_and_deploy",
            labels=lambda answer: self.deploy_label(state, answer),
            act="deploy",
            about=lambda answer: About(act="deploy", unit=answer[1], targets=tuple(answer[2:3]), skills=(answer[0],)),
        )
        unit = state.unit(choice[1])
        state.notes["to_place"] = tuple(one for one in state.notes["to_place"] if one != unit.id)
        state.notes["placing"] = 1 - side
        if choice[0] == "place":
            yield from self.place(play, unit)
        elif choice[0] == "aboard":
            carrier = state.unit(choice[2])
            unit.place = ABOARD
            unit.carrier, unit.seat = carrier.id, choice[3]
            play.emit(Boarded("dw.ability.carry_capacity_deploy", unit.id, carrier.id, f"starts {choice[3]}"))
            self.rules.outfit.refresh(state, carrier)
        else:
            unit.notes["arrival"] = choice[2]
            play.emit(
                Placed(self.arrival_rule(state, unit, choice[2]), unit.id, f"stays off the table: {choice[2]}", (), 0)
            )

    def deploy_label(self, state: State, answer: Any) -> str:
        unit = state.unit(answer[1])
        if answer[0] == "aboard":
            return f"{unit.name} ({unit.id}): {answer[3]} {state.unit(answer[2]).name}"
        if answer[0] == "off":
            return f"{unit.name} ({unit.id}): stay off the table, {answer[2]}"
        return f"{unit.name} ({unit.id})"

    def deploy_options(self, state: State, side: int) -> list[Any]:
        """Units to place, to put aboard, or to keep off the table."""
        battle: Battle = state.scenario
        options: list[Any] = []
        carriers = [carrier for carrier in state.of(side) if carrier.is_machine]
        for unit in self.left_to_place(state, side):
            options.append(("place", unit.id))
            for carrier in carriers:
                for seat in self.rules.transport.seats(state, unit, carrier):
                    options.append(("aboard", unit.id, carrier.id, seat))
            options += [("off", unit.id, way.name) for way in self.arrivals(state, unit)]
            if battle.reserves == "allowed" and self.may_reserve(state, side):
                options.append(("off", unit.id, "reserve"))
        return options

    def may_reserve(self, state: State, side: int) -> bool:
        """At most half of the units wait in the scenario's reserve."""
        held = len([unit for unit in state.of(side) if unit.notes.get("arrival") == "reserve"])
        return held + 1 <= len(state.of(side)) // 2

    def arrivals(self, state: State, unit: Unit) -> list[Arrival]:
        """Ways to stay off the table by ability."""
        return list(unit.ask("on_deploy", [], unit, state))

    def arrival_rule(self, state: State, unit: Unit, name: str) -> str:
        return next((way.rule for way in self.arrivals(state, unit) if way.name == name), "dw.open.scenario_data")

    def zone(self, state: State, side: int) -> Box:
        """The area the scenario prescribes (dw.setup.battlefield_and_deploy)."""
        battle: Battle = state.scenario
        if battle.zones is not None:
            return zone_box(battle.zones[side])
        return edge_strip(battle.size, state.edges[side], mm(battle.depth))

    def place(self, play: Play, unit: Unit) -> Procedure:
        """In the own zone; aircraft declare their altitude (dw.aircraft.declare_on_deploy)."""
        state: State = play.state
        yield from self.first_altitude(play, unit)
        box = self.zone(state, unit.side)
        region = self.region(
            state, unit, box, "all miniatures must stand in the own zone (dw.setup.battlefield_and_deploy)"
        )
        answer = yield self.place_question(unit, region, "set up", "dw.setup.battlefield_and_deploy")
        if not region.set_down(answer, play):  # no room at all: the unit waits for the scenario's reserve
            unit.notes["arrival"] = "reserve"
            return
        unit.place = TABLE
        play.emit(Placed("dw.setup.battlefield_and_deploy", unit.id, "is set up", unit.spots, unit.heading))
        for answer_ in unit.hooks.get("on_deployed", ()):
            yield from answer_(play, unit)

    def first_altitude(self, play: Play, unit: Unit) -> Procedure:
        """An aircraft is first deployed high or low, as its owner says (dw.aircraft.declare_on_deploy)."""
        if not unit.is_aircraft or unit.altitude:
            return
        unit.altitude = yield PickOne(
            unit.side,
            "altitude",
            [HIGH, LOW],
            text=f"At which altitude does {unit.name} start?",
            rule="dw.aircraft.declare_on_deploy",
            unit=unit.id,
            act="deploy",
            about=lambda how: About(act="deploy", unit=unit.id, skills=(how,)),
        )
        play.emit(Altitude("dw.aircraft.declare_on_deploy", unit.id, unit.altitude))

    def place_question(self, unit: Unit, region: SpotRegion, key: str, rule: str) -> PlaceFree:
        return PlaceFree(
            unit.side,
            key,
            region,
            text=f"Where is {unit.name} placed?",
            rule=rule,
            unit=unit.id,
            act="deploy",
            about=lambda spot: About(
                act="deploy", unit=unit.id, places=(tuple(spot[:2]),) if spot else (),
                facing=spot[2] if spot else None,
            ),
        )  # fmt: skip

    def region(self, state: State, unit: Unit, box: Box, refusal: str) -> SpotRegion:
        facing = INWARD[state.edges[unit.side]]
        return SpotRegion(Clearance(Move(state, unit, MOVE)), unit, box, inside(box), facing, refusal)

    # -- arriving later -----------------------------------------------------------------------------------------

    def may_enter_by_move(self, state: State, unit: Unit) -> bool:
        """The scenario's reserve comes in with a single move from the own edge (dw.open.orders_off_table)."""
        if unit.place != OFF or unit.notes.get("arrival") != "reserve":
            return False
        battle: Battle | None = state.scenario
        return state.turn >= (battle.reserve_turn if battle is not None else 1)

    def enter_by_move(self, play: Play, unit: Unit) -> Procedure:
        """Within a move of the own edge."""
        state: State = play.state
        if not self.may_enter_by_move(state, unit):
            return
        yield from self.first_altitude(play, unit)
        reach = max(mm(unit.card.move), ground.shape_of(unit, unit.men[0]).length + 30)
        box = edge_strip(state.scenario.size, state.edges[unit.side], reach)
        region = self.region(state, unit, box, "it enters within its Move of the own edge")
        answer = yield self.place_question(unit, region, "enter", "dw.end.scenario_actions")
        if region.set_down(answer, play):
            yield from self.arrived(play, unit, "dw.end.scenario_actions")

    def may_enter_by_march(self, state: State, unit: Unit) -> bool:
        """Units off the table by ability come in with a march (dw.ability.reserved, dw.ability.air_drop)."""
        if unit.place != OFF or unit.is_aircraft:
            return False
        way = self.arrival_of(state, unit)
        return way is not None and self.arrival_region(state, unit, way).spots(1) != [()]

    def arrival_of(self, state: State, unit: Unit) -> Arrival | None:
        name = unit.notes.get("arrival")
        return next((way for way in self.arrivals(state, unit) if way.name == name), None)

    def arrival_region(self, state: State, unit: Unit, way: Arrival) -> SpotRegion:
        """More than 12" from every enemy; anywhere, or every miniature touching the same edge
        (dw.open.reserved_placement)."""
        table = state.table
        enemies = [body for enemy in state.enemies(unit) for body in enemy.bodies]

        def far(body: Body) -> bool:
            return not any_within([body], enemies, ARRIVAL_INCHES * INCH)

        clearance = Clearance(Move(state, unit, MARCH))
        facing = INWARD[state.edges[unit.side]]
        if way.anywhere:
            refusal = f'every miniature lands more than 12" from all enemies ({way.rule})'
            return SpotRegion(clearance, unit, (0, 0, table.width, table.depth), far, facing, refusal, pace=100)
        refusal = f'every miniature touches the table edge, more than 12" from all enemies ({way.rule})'
        return EdgeRegion(clearance, unit, (0, 0, table.width, table.depth), far, facing, refusal, pace=50)

    def enter_by_march(self, play: Play, unit: Unit) -> Procedure:
        """The placement uses up the whole march (dw.open.reserved_placement)."""
        state: State = play.state
        way = self.arrival_of(state, unit)
        assert way is not None
        region = self.arrival_region(state, unit, way)
        answer = yield self.place_question(unit, region, "enter", way.rule)
        if region.set_down(answer, play):
            yield from self.arrived(play, unit, way.rule)

    def arrived(self, play: Play, unit: Unit, rule: str) -> Procedure:
        unit.place = TABLE
        unit.notes.pop("arrival", None)
        unit.notes["moved"] = play.state.turn
        play.emit(Placed(rule, unit.id, "arrives", unit.spots, unit.heading))
        for answer in unit.hooks.get("on_deployed", ()):
            yield from answer(play, unit)


class EdgeRegion(SpotRegion):
    """A unit along one table edge: every miniature touches it, its leader in the middle.

    dw.open.reserved_placement.
    """

    def spots(self, most: int = 24) -> list[Any]:
        table = self.clearance.table
        half = self._half()
        along = range(half, max(table.width, table.depth) - half, self.pace)
        corners = [(x, y, facing) for x in along for y, facing in ((half, 180), (table.depth - half, 0))]
        corners += [(x, y, facing) for y in along for x, facing in ((half, 90), (table.width - half, 270))]
        answers: list[Any] = []
        for answer in corners:
            if answer[0] <= table.width and answer[1] <= table.depth and self.stands(self.pattern(answer)):
                answers.append(answer)
                if len(answers) >= most:
                    return answers
        return answers or [()]

    def sample(self, chance: Any) -> Any:
        spots = self.spots(80)
        return spots[chance.randrange(len(spots))]

    def _half(self) -> int:
        shape = ground.shape_of(self.unit, self.order[0])
        return (shape.width + 1) // 2 if shape.is_round else max(shape.width, shape.length) // 2 + 1

    def pattern(self, answer: tuple[int, ...]) -> list[Body]:
        """A row along the edge the leader touches."""
        leader, *others = super().pattern(answer)
        if not others:
            return [leader]
        table, x, y = self.clearance.table, answer[0], answer[1]
        edge = self._edge(leader, answer[2])
        spacing = max(body.shape.width for body in (leader, *others)) + 4
        row = [leader]
        for number, body in enumerate(others, start=1):
            off = (1 if number % 2 else -1) * spacing * ((number + 1) // 2)
            half = (body.shape.width + 1) // 2
            spots = {
                180: (x + off, half), 0: (x + off, table.depth - half),
                90: (half, y + off), 270: (table.width - half, y + off),
            }  # fmt: skip
            row.append(table.stand(body.shape, *spots[edge], 0, body.key))
        return row

    def _edge(self, leader: Body, heading: int) -> int:
        """The edge the leader touches, by the heading that looks inward from it; in a corner the one behind him."""
        gaps = self._gaps(leader)
        return min(gaps, key=lambda edge: (gaps[edge] >= TOUCHING, edge != heading % 360, gaps[edge]))

    def _gaps(self, body: Body) -> dict[int, int]:
        """How far a miniature stands from each edge (tenths), by the heading that looks inward from it."""
        table = self.clearance.table
        if body.corners:
            across, down = zip(*body.corners, strict=True)
        else:
            across = (body.cx - body.radius, body.cx + body.radius)
            down = (body.cy - body.radius, body.cy + body.radius)
        return {
            180: min(down), 0: table.depth * 10 - max(down),
            90: min(across), 270: table.width * 10 - max(across),
        }  # fmt: skip

    def stands(self, bodies: Sequence[Body]) -> bool:
        gaps = [self._gaps(body) for body in bodies]
        if not any(all(gap[edge] < TOUCHING for gap in gaps) for edge in (180, 0, 90, 270)):
            return False
        if self.leash.broken(bodies):
            return False
        return super().stands(bodies)

    def bodies(self, answer: Any) -> list[Body] | str:
        bodies = super().bodies(answer)
        if isinstance(bodies, list) and bodies and not self.stands(bodies):
            return self.refusal
        return bodies


__all__ = ["Arrival", "EdgeRegion", "OverLimit", "Setup", "check_list", "check_points"]
