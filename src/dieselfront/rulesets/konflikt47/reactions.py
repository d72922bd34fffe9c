"""Reactions: what a unit may do when it is shot at or assaulted (k47.react.*, k47.vehicle.recce*)."""

from __future__ import annotations

from dieselfront.kernel.decisions import Answer, Path, PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import NOTHING, About
from dieselfront.kernel.stakes import Stake
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.events import Reacted
from dieselfront.rulesets.konflikt47.firing import FIREFIGHT, STAND_AND_FIRE
from dieselfront.rulesets.konflikt47.going import Clearance
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.morale import REACTION, Occasion
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.routes import DriveLimits, DriveRegion, FootRegion, Route
from dieselfront.rulesets.konflikt47.state import ADVANCE, AMBUSH, DOWN, FIRE, RUN, State, Unit

GO_DOWN, RUN_TO_COVER, ESCAPE, RECCE = "go down", "run to cover", "escape", "recce move"
FACE = {GO_DOWN: DOWN, RUN_TO_COVER: DOWN, RECCE: DOWN, FIREFIGHT: FIRE, STAND_AND_FIRE: FIRE, ESCAPE: RUN}


class Reactions(Chapter):
    """Answers to enemy actions that come from an order (k47.react.to_what)."""

    # -- to shooting -----------------------------------------------------------------------------------

    def to_shooting(self, play: Play, shooter: Unit, target: Unit) -> Procedure:
        """The target reacts before the range is measured (k47.turn.reaction_step); returns what it did."""
        state: State = play.state
        options = self.against_shooting(state, shooter, target)
        if not options:
            return ""
        choice = yield PickOne(
            target.side,
            "reaction",
            [None, *options],
            text=f"{shooter.card.name} shoots at {target.card.name}: does it react?",
            rule="k47.react.who",
            unit=target.id,
            labels=lambda answer: answer or "no reaction",
            act="react",
            about=lambda answer: (
                About(act="react", unit=target.id, targets=(shooter.id,) if answer == FIREFIGHT else ())
                if answer is not None
                else NOTHING
            ),
            stakes=lambda answer: self.stakes(state, target, answer, shooter),
        )
        if choice is None:
            return ""
        return (yield from self.react(play, target, choice, shooter))

    def stakes(self, state: State, unit: Unit, reaction: str | None, cause: Unit) -> list[Stake]:
        """What a reaction would fire at whoever caused it, and how likely it comes to that."""
        if reaction not in (FIREFIGHT, STAND_AND_FIRE):
            return []
        shooting = self.rules.shooting
        shots = shooting.first_choices(state, unit, cause, reaction)
        return shooting.stakes(state, unit, shots, reaction, "react", self.chance(state, unit, reaction, cause))

    def chance(self, state: State, unit: Unit, reaction: str, cause: Unit) -> float:
        """How likely the unit passes its reaction test (k47.react.test)."""
        if self.needs_no_test(unit, reaction):
            return 1.0
        return self.rules.morale.chance(state, unit, self.occasion(unit, reaction, cause))

    def needs_no_test(self, unit: Unit, reaction: str) -> bool:
        """Motorbikes escape freely (k47.special.motorbikes)."""
        return reaction == ESCAPE and unit.escapes_freely

    def occasion(self, unit: Unit, reaction: str, cause: Unit) -> Occasion:
        """What a reaction test is about."""
        return Occasion(REACTION, what=f"reaction test ({reaction})", horror=self.is_frightened(unit, cause))

    def against_shooting(self, state: State, shooter: Unit, target: Unit) -> list[str]:
        """The reactions permitted (k47.react.who, k47.vehicle.react, k47.ambush.vs_reaction)."""
        if not target.on_table:
            return []
        options: list[str] = []
        if target.order == AMBUSH:
            options = [] if target.is_vehicle else [GO_DOWN]
        elif not target.order:
            if not target.is_vehicle:
                options.append(GO_DOWN)
            if self.rules.shooting.could_shoot(state, target, shooter, FIREFIGHT):
                options.append(FIREFIGHT)
            if target.is_infantry and not target.building:
                options.append(RUN_TO_COVER)
        if self.may_recce(state, target):
            options.append(RECCE)
        changed: list[str] = target.ask("on_reactions", options, target, "shooting")
        return changed

    def may_recce(self, state: State, unit: Unit) -> bool:
        """Once per turn, even after acting, unless towing or carrying (k47.vehicle.recce)."""
        if not unit.scouts or unit.recce_used or not self.rules.vehicles.can_move(unit):
            return False
        return not state.passengers(unit)

    # -- carrying a reaction out ------------------------------------------------------------------------

    def react(self, play: Play, unit: Unit, reaction: str, cause: Unit) -> Procedure:
        """Every reaction but going Down needs a test (k47.react.test); it uses the unit's order (k47.react.die).

        An escaping unit runs straight away from its attacker (k47.react.escape_move).
        """
        if reaction == GO_DOWN:
            play.emit(Reacted("k47.react.go_down", unit.id, reaction, cause.id))
            self.rules.orders.turn_die(play, unit, DOWN, "k47.react.go_down")
            return reaction
        passed = yield from self.passes(play, unit, reaction, cause)
        if not passed:
            return "failed"
        play.emit(Reacted(self.rule_of(reaction), unit.id, reaction, cause.id))
        self.rules.orders.turn_die(play, unit, FACE[reaction], "k47.react.die")
        if reaction == RUN_TO_COVER:
            yield from self.run_to_cover(play, unit, cause)
        elif reaction == RECCE:
            yield from self.recce_move(play, unit, cause)
        elif reaction == ESCAPE:
            yield from self.rules.movement.flee(play, unit, cause)
        return reaction

    def passes(self, play: Play, unit: Unit, reaction: str, cause: Unit) -> Procedure:
        """2D6 against morale; failing costs a pin but not the order (k47.react.test, k47.open.react_fail_order)."""
        if self.needs_no_test(unit, reaction):
            return True
        occasion = self.occasion(unit, reaction, cause)
        result = yield from self.rules.morale.test(play, unit, occasion, "k47.react.test")
        if not result.passed:
            yield from self.rules.morale.pin(play, unit, 1, "k47.react.test")
        return result.passed

    def is_frightened(self, unit: Unit, cause: Unit) -> bool:
        """Assaulted by Horror troops at any distance (k47.special.horror)."""
        return cause.order == RUN and cause.is_fearsome

    def rule_of(self, reaction: str) -> str:
        return {
            FIREFIGHT: "k47.react.firefight",
            RUN_TO_COVER: "k47.react.run_to_cover",
            ESCAPE: "k47.react.escape",
            STAND_AND_FIRE: "k47.react.stand_fire",
            RECCE: "k47.vehicle.recce",
        }[reaction]

    def run_to_cover(self, play: Play, unit: Unit, cause: Unit) -> Procedure:
        """Up to the Advance rate, to better cover or out of sight (k47.react.run_to_cover)."""
        state: State = play.state
        unit.moves += 1
        order = RUN if state.options["run_to_cover_distance"] == "run" else ADVANCE  # k47.open.run_to_cover_distance
        clearance = Clearance(state, unit, order == RUN, flies=unit.flies)
        region = CoverRegion(self, state, clearance, unit, self.rules.movement.reach(unit, order), cause)
        answer = yield Path(
            unit.side,
            "run to cover",
            region,
            text=f"Where does {unit.card.name} take cover?",
            rule="k47.react.run_to_cover",
            unit=unit.id,
            act="move",
        )
        route = play.now(lambda: region.route(answer))
        assert isinstance(route, Route), route
        yield from self.rules.movement.go(play, unit, route, DOWN, ambushes=False, how="runs to cover")

    def recce_move(self, play: Play, unit: Unit, cause: Unit) -> Procedure:
        """Forward or back at Advance or Run rate, to safety (k47.vehicle.recce_move)."""
        state: State = play.state
        unit.recce_used = True
        unit.moves += 1
        rates = self.rules.movement.rates(unit)
        limits = DriveLimits(rates.run * INCH, rates.run_turns, rates.advance * INCH, rates.advance_turns)
        region = SafeRegion(self, state, Clearance(state, unit, True), unit, limits, cause)
        answer = yield Path(
            unit.side,
            "recce move",
            region,
            text=f"Where does {unit.card.name} get away to?",
            rule="k47.vehicle.recce_move",
            unit=unit.id,
            act="move",
        )
        route = play.now(lambda: region.route(answer))
        assert isinstance(route, Route), route
        yield from self.rules.movement.go(play, unit, route, DOWN, ambushes=False, how="recce move")

    # -- where it is safer ---------------------------------------------------------------------------------

    def exposure(self, state: State, unit: Unit, enemy: Unit) -> int:
        """3 in the open, 2 in soft cover, 1 in hard cover, 0 out of the enemy's sight."""
        if not ground.sees(state, enemy, unit):
            return 0
        blockers = ground.hulls(state, unit, enemy)
        aims = []
        for eye in ground.presence(state, enemy):
            aim = ground.aim(state, enemy, eye, unit, (), (), blockers)
            if aim is not None:
                aims.append(aim)
        return 3 - self.rules.shooting.cover(state, enemy, unit, aims)

    def moved(self, state: State, unit: Unit, route: Route, enemy: Unit) -> tuple[int, int]:
        """Exposure and distance if the unit stood at the end of a route."""
        kept = unit.bodies, unit.heading
        unit.bodies, unit.heading = route.bodies, route.heading
        try:
            return self.exposure(state, unit, enemy), ground.unit_distance(state, unit, enemy)
        finally:
            unit.bodies, unit.heading = kept


class CoverRegion(FootRegion):
    """Ways that end in better cover or out of sight; staying is what remains when there is none."""

    def __init__(
        self, rules: Reactions, state: State, clearance: Clearance, unit: Unit, reach: int, enemy: Unit
    ) -> None:
        super().__init__(clearance, unit, reach)
        self.reactions = rules
        self.state = state
        self.enemy = enemy
        self.before = rules.exposure(state, unit, enemy)

    def route(self, answer: Answer) -> Route | str:
        route = super().route(answer)
        if isinstance(route, str) or not route.path:
            return route
        after, _ = self.reactions.moved(self.state, self.unit, route, self.enemy)
        if after >= self.before:
            return "the move must end in better cover or out of sight (k47.react.run_to_cover)"
        return route

    def quick(self, answer: Answer) -> str | None:
        return super().quick(answer) or self.why_not(answer)


class SafeRegion(DriveRegion):
    """Ways of a recce vehicle that end out of sight, in cover, or further from the attacker."""

    def __init__(
        self, rules: Reactions, state: State, clearance: Clearance, unit: Unit, limits: DriveLimits, enemy: Unit
    ) -> None:
        super().__init__(clearance, unit, limits)
        self.reactions = rules
        self.state = state
        self.enemy = enemy
        self.before = ground.unit_distance(state, unit, enemy)

    def route(self, answer: Answer) -> Route | str:
        route = super().route(answer)
        if isinstance(route, str) or not route.path:
            return route
        exposure, far = self.reactions.moved(self.state, self.unit, route, self.enemy)
        if exposure == 3 and far <= self.before:
            return "the move must end out of sight, in cover, or further away (k47.vehicle.recce_move)"
        return route
