"""Outpost: a game of a dozen rules on squares.

Turns and acts are here, the position in state.py, what can be measured in field.py, cards in card_family.py.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar

import msgspec
from dieselfront.rulesets.outpost.state import Scenario, Square, State, Unit, distance, name_of, square_of

from dieselfront.dice import D6, Throw
from dieselfront.dice.plan import LOSSES, PoolPlan, perform_plans
from dieselfront.forces.armies import Army
from dieselfront.forces.muster import muster
from dieselfront.kernel.decisions import Answer, PickOne
from dieselfront.kernel.events import Event, GameEnded
from dieselfront.kernel.field import Field
from dieselfront.kernel.game import QUIET, Play, Procedure
from dieselfront.kernel.hand import LoggingHand
from dieselfront.kernel.meaning import NOTHING, About, at_place, by_unit
from dieselfront.kernel.record import Header
from dieselfront.kernel.ruleset import Namer, Ruleset
from dieselfront.kernel.stakes import Stake
from dieselfront.kernel.views import KindView, ObjectiveView, SideView, SquaresView, UnitView, View, plain

MOST = 20


class Placed(Event, frozen=True, tag=True):
    """A unit came to a square."""

    unit: str
    square: str

    says: ClassVar[str] = "{unit} goes to {square}"


class Fired(Event, frozen=True, tag=True):
    """A unit fired at another."""

    unit: str
    target: str
    lost: int

    says: ClassVar[str] = "{unit} fires at {target}, who loses {lost} soldiers"


class Rallied(Event, frozen=True, tag=True):
    """A unit is pinned no longer."""

    unit: str

    says: ClassVar[str] = "{unit} rallies"


class Outpost(Ruleset[State]):
    """Move, fire, rally; hold the ridge."""

    id = "outpost"
    name = "Outpost"
    version = "1"
    table = "squares"
    lengths = "squares"
    usual_points = 30
    scenario_type = Scenario
    dice = (D6,)

    # -- the game -------------------------------------------------------------------------------------

    def new_state(self, header: Header) -> State:
        forces = header.forces
        units = [
            Unit(f"{'ab'[side]}{place}", side, card)
            for side, force in enumerate(forces)
            for place, card in enumerate(force["cards"], 1)
        ]
        return State(msgspec.convert(header.scenario, Scenario), tuple(force["name"] for force in forces), units)

    def resume(self, play: Play) -> Procedure:
        """Deployment, then turns until the battle is decided (op.turn.length)."""
        state: State = play.state
        while True:
            yield QUIET
            ended = self.ended(state)
            if ended is not None:
                play.emit(ended)
                return
            waiting = [unit for unit in state.units if unit.alive and (unit.at is None or not unit.acted)]
            if state.turn == 0 and all(unit.at for unit in state.units):
                state.turn = 1
            elif not waiting:
                state.turn += 1
                state.to_act = 0
                for unit in state.units:
                    unit.acted = False
            else:
                side = state.to_act if any(unit.side == state.to_act for unit in waiting) else 1 - state.to_act
                own = [unit.id for unit in waiting if unit.side == side and (state.turn > 0 or unit.at is None)]
                if own:
                    yield from (self.act if state.turn else self.deploy)(play, side, own)
                state.to_act = 1 - side

    def deploy(self, play: Play, side: int, own: list[str]) -> Procedure:
        """Place a unit (op.setup.deploy)."""
        state: State = play.state
        rows = (0, 1) if side else (state.scenario.height - 2, state.scenario.height - 1)
        spots = [name_of(square) for square in state.free() if square[1] in rows]
        about = at_place("deploy", own[0], str)
        text = f"Where does {state.unit(own[0]).name} stand?"
        spot = yield PickOne(side, "deploy", spots, text=text, rule="op.setup.deploy", unit=own[0], about=about)
        self.place(play, state.unit(own[0]), square_of(spot), "op.setup.deploy")

    def act(self, play: Play, side: int, own: list[str]) -> Procedure:
        """One activation (op.turn.alternate)."""
        state: State = play.state
        about, label = by_unit("activate"), lambda id: state.unit(id).name
        details: dict[str, Any] = {"act": "activate", "about": about, "labels": label, "rule": "op.turn.alternate"}
        unit = state.unit((yield PickOne(side, "activate", own, text="Who acts?", **details)))
        how = yield PickOne(
            side,
            "order",
            lambda: self.orders(state, unit),
            text=f"What does {unit.name} do?",
            rule="op.turn.alternate",
            unit=unit.id,
            act="activate",
            labels=lambda answer: self.said(state, answer),
            about=lambda answer: self.meant(unit, answer),
            stakes=lambda answer: self.stakes(state, unit, answer),
            refusals=lambda: self.refusals(state, unit),
        )
        unit.acted = True
        if how[0] == "move":
            self.place(play, unit, square_of(how[1]), "op.move.step")
        elif how[0] == "fire":
            yield from self.fire(play, unit, state.unit(how[1]))
        elif how[0] == "rally":
            unit.pinned = False
            play.emit(Rallied("op.rally.pin", unit.id))

    def place(self, play: Play, unit: Unit, square: Square, rule: str) -> None:
        unit.at = square
        play.emit(Placed(rule, unit.id, name_of(square)))

    # -- what an active unit may do ---------------------------------------------------------------------

    def orders(self, state: State, unit: Unit) -> list[Answer]:
        """Every legal order, in a fixed order (op.move.step, op.move.pinned, op.fire.range, op.rally.pin)."""
        orders: list[Answer] = [("fire", enemy.id) for enemy in self.enemies(state, unit) if self.reaches(unit, enemy)]
        if unit.pinned:
            orders.append(("rally",))
        elif unit.at is not None:
            here = unit.at
            near = [square for square in state.free() if distance(here, square) <= unit.move]
            orders += [("move", name_of(square)) for square in near]
        return [*orders, ("hold",)]

    def refusals(self, state: State, unit: Unit) -> dict[Answer, tuple[str, str]]:
        far = [enemy for enemy in self.enemies(state, unit) if not self.reaches(unit, enemy)]
        return {("fire", enemy.id): ("op.fire.range", f"{enemy.name} is out of range") for enemy in far}

    def enemies(self, state: State, unit: Unit) -> list[Unit]:
        return [other for other in state.units if other.side != unit.side and other.stands]

    def reaches(self, unit: Unit, enemy: Unit) -> bool:
        return unit.at is not None and enemy.at is not None and distance(unit.at, enemy.at) <= unit.range

    def said(self, state: State, answer: Answer) -> str:
        how, *what = answer
        return f"fire at {state.unit(what[0]).name} ({what[0]})" if how == "fire" else " to ".join(answer)

    def meant(self, unit: Unit, answer: Answer) -> About:
        how, *what = answer
        if how == "fire":
            return About("attack", unit.id, targets=(what[0],), weapons=("rifles",))
        if how == "move":
            return About("move", unit.id, places=(what[0],))
        return About("rally", unit.id) if how == "rally" else NOTHING

    # -- fire ---------------------------------------------------------------------------------------------

    def plan(self, state: State, unit: Unit, target: Unit) -> PoolPlan:
        """Dice, hits, saves, losses (op.fire.hit, op.fire.cover, op.fire.losses)."""
        hit = Throw("to hit", D6, D6.mask("6" if unit.pinned else "456"), "op.fire.hit")
        saves = (Throw("woods", D6, D6.mask("56"), "op.fire.cover"),) if state.in_woods(target) else ()
        return PoolPlan("rifles", unit.men, hit, saves, capacity=target.men, squad=True)

    def stakes(self, state: State, unit: Unit, answer: Answer) -> list[Stake]:
        if answer[0] != "fire":
            return []
        target = state.unit(answer[1])
        return [Stake(target.id, [self.plan(state, unit, target)], unit.id, name=target.name)]

    def fire(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        hand = LoggingHand(play, (unit.side, target.side), (unit.id, target.id))
        tallies = yield from perform_plans([self.plan(play.state, unit, target)], hand)
        lost = tallies[LOSSES]
        target.men -= lost
        target.pinned = target.alive and (target.pinned or lost > 0)
        play.emit(Fired("op.fire.losses", unit.id, target.id, lost))

    # -- the end ------------------------------------------------------------------------------------------

    def ended(self, state: State) -> GameEnded | None:
        """Who has won, if anybody has (op.victory.ridge)."""
        men = [sum(unit.men for unit in state.units if unit.side == side) for side in (0, 1)]
        over = state.turn == state.scenario.turns and all(unit.acted or not unit.alive for unit in state.units)
        if all(men) and not over:
            return None
        held = [sum(state.holder(at) == side for at in state.scenario.objectives.values()) for side in (0, 1)]
        score = [(men[side] > 0, held[side], men[side]) for side in (0, 1)]
        winner = None if score[0] == score[1] else score.index(max(score))
        reason = "nobody holds more" if winner is None else f"{state.forces[winner]} holds the field"
        return GameEnded("op.victory.ridge", winner, reason)

    # -- what the rooms above ask of every game -------------------------------------------------------------

    @cached_property
    def field(self) -> Field[State]:
        from dieselfront.rulesets.outpost.field import OutpostField

        return OutpostField()

    def force_from_army(self, army: Army, side: int) -> dict[str, Any]:
        return {"name": army.name, "cards": [msgspec.to_builtins(one.card) for one in muster(army)]}

    def read_scenario(self, data: dict[str, Any], where: str = "scenario") -> None:
        battle = msgspec.convert(data, Scenario)
        if not (4 <= battle.width <= MOST and 4 <= battle.height <= MOST):
            raise ValueError(f"{where}: a board has 4 to {MOST} squares a side (op.setup.board)")

    def random_scenario(self, seed: str) -> dict[str, Any]:
        chance = random.Random(seed)
        woods = [f"{chr(65 + chance.randrange(7))}{row}" for row in (3, 5)]
        battle = {"id": f"random:{seed}", "name": "Any ridge", "width": 7, "height": 7, "turns": 4}
        return {**battle, "woods": woods, "objectives": {"hilltop": "D4"}}

    def names(self, state: State) -> Namer:
        called: dict[Any, str] = {unit.id: unit.name for unit in state.units}

        def name(field: str, value: Any) -> Any:
            if field in ("player", "winner") and isinstance(value, int):
                return state.forces[value]
            return called.get(value, value) if field in ("unit", "target") else value

        return name

    def view(self, state: State) -> dict[str, Any]:
        battle = state.scenario
        return plain(
            View(
                turn=state.turn,
                turns=battle.turns,
                phase="battle" if state.turn else "deployment",
                to_act=state.to_act,
                sides=[SideView(name, points=0) for name in state.forces],
                units=[self.unit_view(unit) for unit in state.units],
                objectives=[
                    ObjectiveView(goal.name, goal.points, goal.holder, places=list(goal.places))
                    for goal in self.field.objectives(state)
                ],
                table=SquaresView(
                    width=battle.width,
                    height=battle.height,
                    features={square: ["woods"] for square in battle.woods},
                    kinds={"woods": KindView("W")},
                    walls=[],
                ),
            )
        )

    def unit_view(self, unit: Unit) -> UnitView:
        return UnitView(
            id=unit.id,
            name=unit.name,
            side=unit.side,
            card=unit.card["id"],
            kind="infantry",
            status="board" if unit.stands else "off" if unit.alive else "lost",
            places=[name_of(unit.at)] if unit.at is not None and unit.alive else [],
            facing=0,
            models_left=unit.men,
            models_max=unit.card["men"],
            left=unit.men,
            left_max=unit.card["men"],
            tokens=["pinned"] if unit.pinned else [],
            activated=unit.acted,
            points=unit.points,
        )

    def invariants(self, state: State, quiet: bool = True) -> Iterator[str]:
        standing = [unit.at for unit in state.units if unit.stands]
        if len(set(standing)) < len(standing):
            yield "two units stand on one square (op.move.step)"


RULESET = Outpost()
