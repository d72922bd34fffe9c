"""Before the game and arriving in it: edges, deployment, reserves, outflanking (k47.game.*).

Nobody is hidden and nothing is bombarded before turn 1 unless a scenario says so (k47.open.hidden).
"""

from __future__ import annotations

from typing import Any

from dieselfront.dice import D6, Dice, Reading
from dieselfront.kernel.decisions import PickOne, PlaceFree
from dieselfront.kernel.game import QUIET, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.konflikt47.battle import (
    EDGES,
    INWARD,
    OPPOSITE,
    Battle,
    edge_strip,
    edge_zone,
    zone_box,
)
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import NO_DUG_IN
from dieselfront.rulesets.konflikt47.events import Counted, Gained, Placed
from dieselfront.rulesets.konflikt47.going import Clearance, code
from dieselfront.rulesets.konflikt47.ground import pieces_under
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.spots import Box, SpotRegion
from dieselfront.rulesets.konflikt47.state import ABOARD, ADVANCE, DOWN, RESERVE, RUN, TABLE, State, Unit
from dieselfront.rulesets.konflikt47.throws import fell
from dieselfront.table.measured.shapes import Body

FLANKS = {  # seen from the own edge: which edges are left and right
    "north": ("east", "west"),
    "south": ("west", "east"),
    "east": ("south", "north"),
    "west": ("north", "south"),
}


def inside(box: Box) -> Any:
    """Is all of a model in a rectangle (mm)?"""
    low_x, low_y, high_x, high_y = (value * 10 for value in box)

    def test(body: Body) -> bool:
        if body.corners:
            return all(low_x <= x <= high_x and low_y <= y <= high_y for x, y in body.corners)
        r = body.radius
        return low_x + r <= body.cx <= high_x - r and low_y + r <= body.cy <= high_y - r

    return test


class Setup(Chapter):
    """Set-up and arrival."""

    # -- the stages ------------------------------------------------------------------------------------------

    def set_up(self, play: Play) -> Procedure:
        """Edges, characteristics, deployment, then turn 1 (k47.game.setup)."""
        state: State = play.state
        while state.phase == "setup":
            yield QUIET
            stage = state.stage
            if stage == "edges":
                yield from self.edges(play)
                for side in (0, 1):
                    yield from self.rules.nations.choose(play, side)
                state.stage = "deploy"
            elif stage == "deploy":
                placing = self.next_side(state)
                if placing is None:
                    state.stage = "start"
                else:
                    yield from self.deploy_one(play, placing)
            else:
                yield from self.start(play)

    def start(self, play: Play) -> Procedure:
        """Everything stands: free moves after set-up, then the first draw."""
        state: State = play.state
        del state.stage, state.to_place, state.placing
        for unit in list(state.units):
            for answer in unit.hooks.get("on_after_setup", ()):
                yield from answer(None, play, unit)
        yield from self.rules.turn.begin(play, 1)

    def edges(self, play: Play) -> Procedure:
        """Roll off for the edge, the winner also sets up first (k47.game.deploy)."""
        state: State = play.state
        battle: Battle = state.scenario
        state.to_place = tuple(unit.id for unit in state.units if unit.place == RESERVE)
        if battle.zones is not None:
            state.edges = (battle.zones[0].edge, battle.zones[1].edge)
            state.placing = battle.first if battle.first is not None else (yield from self.roll_off(play))
            return
        winner = yield from self.roll_off(play)
        square = battle.size[0] == battle.size[1]
        wide = battle.size[0] >= battle.size[1]
        options = list(EDGES) if square else ["north", "south"] if wide else ["east", "west"]
        edge = yield PickOne(winner, "table edge", options, text="Which table edge is yours?", rule="k47.game.deploy")
        other = OPPOSITE[edge]
        state.edges = (edge, other) if winner == 0 else (other, edge)
        state.placing = winner

    def roll_off(self, play: Play) -> Procedure:
        """One die each, the higher wins, ties again."""
        while True:
            reading = Reading("k47.game.deploy")
            (blue,) = yield Dice(D6, 1, 0, "roll-off", reading=reading)
            (red,) = yield Dice(D6, 1, 1, "roll-off", reading=reading)
            stages = (*fell([blue], "blue"), *fell([red], "red"))
            play.emit(Counted("k47.game.deploy", 0, "roll-off", stages, "D6 each", blue - red))
            if blue != red:
                return 0 if blue > red else 1

    # -- deployment -------------------------------------------------------------------------------------------

    def left_to_place(self, state: State, side: int) -> list[Unit]:
        waiting = state.to_place
        return [unit for unit in state.of(side) if unit.id in waiting]

    def next_side(self, state: State) -> int | None:
        """Players alternate; a side with nothing left is skipped."""
        side: int = state.placing
        for turn in (side, 1 - side):
            if self.left_to_place(state, turn):
                return turn
        return None

    def deploy_one(self, play: Play, side: int) -> Procedure:
        """Set one unit up, or leave it in reserve."""
        state: State = play.state
        choice = yield PickOne(
            side,
            "deploy",
            play.once(lambda: self.deploy_options(state, side)),
            text="Which unit is set up next?",
            rule="k47.game.deploy",
            labels=lambda answer: self.deploy_label(state, answer),
            act="deploy",
            about=lambda answer: About("wait", answer[1]) if isinstance(answer, tuple) else About("deploy", answer),
        )
        id = choice[1] if isinstance(choice, tuple) else choice
        unit = state.unit(id)
        state.to_place = tuple(one for one in state.to_place if one != id)
        state.placing = 1 - side
        if not isinstance(choice, tuple):
            yield from self.place(play, unit)
        elif choice[0] == "mounted":
            self.rules.transports.board(unit, state.unit(choice[2]))
            play.emit(Placed("k47.transport.capacity", unit.id, "starts mounted", (), 0, choice[2]))
        elif choice[0] == "garrison":
            self.rules.buildings.put_inside(state, unit, state.table.piece(choice[2]), 0)
            unit.place = TABLE
            play.emit(Placed("k47.game.deploy", unit.id, "is set up in", unit.spots, 0, choice[2]))
        else:
            yield from self.to_reserve(play, unit)

    def deploy_label(self, state: State, answer: Any) -> str:
        if not isinstance(answer, tuple):
            return state.unit(answer).card.name
        where = f" {answer[2]}" if len(answer) > 2 else ""
        return f"{state.unit(answer[1]).card.name}: {answer[0]}{where}"

    def deploy_options(self, state: State, side: int) -> list[Any]:
        """Units to set up, to mount, to garrison, or to keep in reserve (at most half)."""
        battle: Battle = state.scenario
        left = self.left_to_place(state, side)
        options: list[Any] = [] if battle.reserves == "all" else [unit.id for unit in left]
        if battle.reserves != "none" and self.may_reserve(state, side, battle):
            options += [("reserve", unit.id) for unit in left if not unit.is_emplaced]
        for unit in left:
            if unit.is_infantry:
                for carrier in state.of(side):
                    fits = self.rules.transports.free_seats(state, carrier) >= self.rules.transports.seats(unit)
                    if fits and carrier.id not in state.to_place and carrier is not unit:
                        options.append(("mounted", unit.id, carrier.id))
                options += [("garrison", unit.id, piece) for piece in self.garrisons(state, unit)]
        return options or [unit.id for unit in left]

    def garrisons(self, state: State, unit: Unit) -> list[str]:
        """Buildings wholly in the unit's set-up zone with a free ground floor."""
        if unit.is_mounted:
            return []
        low_x, low_y, high_x, high_y = (value * 10 for value in self.zone(state, unit))
        buildings = []
        for piece in state.table.pieces:
            if piece.is_building and self.rules.buildings.occupant(state, piece.id, 0) is None:
                boxes = [part.box for part in piece.parts]
                if all(b[0] >= low_x and b[1] >= low_y and b[2] <= high_x and b[3] <= high_y for b in boxes):
                    buildings.append(piece.id)
        return buildings

    def may_reserve(self, state: State, side: int, battle: Battle) -> bool:
        """At most half of the units, rounded down, unless the scenario keeps everyone back."""
        if battle.reserves == "all":
            return True
        waiting = state.to_place
        held = sum(unit.place == RESERVE and unit.id not in waiting for unit in state.of(side))
        return held + 1 <= len(state.of(side)) // 2

    def zone(self, state: State, unit: Unit) -> Box:
        battle: Battle = state.scenario
        if battle.zones is not None:
            return zone_box(battle.zones[unit.side])
        return edge_zone(battle, state.edges[unit.side])

    def place(self, play: Play, unit: Unit) -> Procedure:
        """In the set-up zone; guns may be dug in (k47.terrain.code_no_star)."""
        state: State = play.state
        region = self.region(
            state, unit, self.zone(state, unit), "all models must stand in the set-up zone (k47.game.deploy)"
        )
        answer = yield PlaceFree(
            unit.side,
            "set up",
            region,
            text=f"Where is {unit.card.name} set up?",
            rule="k47.game.deploy",
            unit=unit.id,
            act="deploy",
        )
        if not region.set_down(answer, play):  # no room at all: the unit waits in reserve
            return
        unit.place = TABLE
        self.dig_in(state, unit)
        play.emit(Placed("k47.game.deploy", unit.id, "is set up", unit.spots, unit.heading))
        yield from self.post_spotter(play, unit)

    def region(self, state: State, unit: Unit, box: Box, refusal: str) -> SpotRegion:
        facing = INWARD[state.edges[unit.side]]
        return SpotRegion(Clearance(state, unit, False), unit, box, inside(box), facing, refusal, may_refuse=False)

    def dig_in(self, state: State, unit: Unit) -> None:
        """A gun in rough ground or a building stays there all game (k47.artillery.dug_in)."""
        if unit.gun is not None:
            codes = [code(state, unit, piece) for piece in pieces_under(state.table, unit.gun)]
            if NO_DUG_IN in codes:
                unit.dug_in = True

    def post_spotter(self, play: Play, unit: Unit) -> Procedure:
        """A spotter may be posted apart from his weapon (k47.wrule.spotter)."""
        state: State = play.state
        spotter = next((man for man in unit.men if unit.man(man).is_a("spotter")), None)
        if spotter is None:
            return
        box = self.zone(state, unit)
        region = SpotterRegion(
            self.region(state, unit, box, "the spotter must stand in the set-up zone"), unit, spotter
        )
        answer = yield PlaceFree(
            unit.side,
            "spotter",
            region,
            text="Where does the spotter stand?",
            rule="k47.wrule.spotter",
            unit=unit.id,
            act="deploy",
        )
        if answer:
            index = unit.men.index(spotter)
            body = unit.bodies[index]
            unit.bodies[index] = state.table.stand(body.shape, answer[0], answer[1], 0, body.key)
            play.emit(Placed("k47.wrule.spotter", unit.id, "posts its spotter", unit.spots, unit.heading))

    # -- reserves -----------------------------------------------------------------------------------------------

    def to_reserve(self, play: Play, unit: Unit) -> Procedure:
        """The unit waits off the table; it may be noted for a flank (k47.game.outflank)."""
        state: State = play.state
        if state.is_on("outflanking"):
            flanks = unit.ask("on_flanks", list(FLANKS[state.edges[unit.side]]), unit)
            edge = yield PickOne(
                unit.side,
                "outflank",
                [None, *flanks],
                text=f"Does {unit.card.name} outflank?",
                rule="k47.game.outflank",
                unit=unit.id,
                labels=lambda answer: "no, it enters from its own edge" if answer is None else f"from the {answer}",
                act="wait",
                about=lambda edge: About("wait", unit.id),
            )
            if edge is not None:
                unit.outflank = edge
        play.emit(Gained("k47.game.reserve", unit.id, "stays in reserve"))

    def may_arrive(self, state: State, unit: Unit) -> bool:
        """From turn 2, outflankers from turn 3 (k47.game.reserve, k47.game.outflank)."""
        return state.turn >= (3 if unit.outflank else 2)

    def reserve_order(self, play: Play, unit: Unit, order: str) -> Procedure:
        """Advance or Run brings the unit on from its edge; Down keeps it off."""
        if order not in (ADVANCE, RUN):
            return
        state: State = play.state
        region = self.arrival(state, unit, order)
        answer = yield PlaceFree(
            unit.side,
            "arrive",
            region,
            text=f"Where does {unit.card.name} arrive?",
            rule="k47.game.reserve",
            unit=unit.id,
            act="deploy",
        )
        if not region.set_down(answer, play):
            self.rules.orders.turn_die(play, unit, DOWN, "k47.game.reserve")
            return
        unit.place = TABLE
        unit.moves += 1
        for passenger in [one for one in state.units if one.carrier == unit.id]:
            passenger.place = ABOARD if passenger.is_infantry else passenger.place
        play.emit(Placed("k47.game.reserve", unit.id, "arrives", unit.spots, unit.heading))
        yield from self.rules.ambush.appeared(play, unit)
        if unit.on_table and unit.order == ADVANCE:
            yield from self.rules.shooting.shoot(play, unit, ADVANCE)

    def arrival(self, state: State, unit: Unit, order: str) -> SpotRegion:
        """The strip a unit can reach from its edge, or from its flank (k47.game.outflank)."""
        battle: Battle = state.scenario
        own = state.edges[unit.side]
        edge = unit.outflank or own
        reach = max(self.rules.movement.reach(unit, order), 1524) // 10
        if unit.is_artillery:
            reach = 200
        box = edge_strip(battle.size, edge, reach)
        if edge != own and edge != OPPOSITE[own]:
            box = self.flank(battle, box, own, state.turn)
        clearance = Clearance(state, unit, order == RUN)
        refusal = "all models must end within the unit's rate of its edge (k47.game.reserve)"
        return SpotRegion(clearance, unit, box, inside(box), INWARD[edge], refusal, may_refuse=False)

    def flank(self, battle: Battle, box: Box, own: str, turn: int) -> Box:
        """Up to 24" from the own edge in turn 3, 12" more each turn."""
        far = round((24 + 12 * (turn - 3)) * 25.4)
        strip = edge_strip(battle.size, own, far)
        return max(box[0], strip[0]), max(box[1], strip[1]), min(box[2], strip[2]), min(box[3], strip[3])


class SpotterRegion:
    """Where a spotter may stand: () beside his team, or (x, y) in the zone."""

    def __init__(self, zone: SpotRegion, unit: Unit, man: int) -> None:
        self.zone = zone
        self.unit = unit
        self.body = unit.body_of(man)

    def why_not(self, answer: Any) -> str | None:
        if answer == ():
            return None
        if not (isinstance(answer, tuple) and len(answer) == 2 and all(isinstance(value, int) for value in answer)):
            return "expected x and y, or nothing"
        body = self.body.at(*answer)
        if not self.zone.test(body):
            return self.zone.refusal
        if any((body.cx - o.cx) ** 2 + (body.cy - o.cy) ** 2 < (body.radius + o.radius) ** 2
               for o in self.unit.bodies if o is not self.body):  # fmt: skip
            return "two models would stand on the same ground"
        return self.zone.end_problem([body])

    def sample(self, chance: Any) -> Any:
        low_x, low_y, high_x, high_y = self.zone.box
        for _ in range(4):
            answer = (low_x + chance.randrange(high_x - low_x + 1), low_y + chance.randrange(high_y - low_y + 1))
            if self.why_not(answer) is None:
                return answer
        return ()

    def spots(self) -> list[Any]:
        return [()]

    def facts(self) -> dict[str, Any]:
        return {"kind": "spot", "box": list(self.zone.box), "spots": [[]]}
