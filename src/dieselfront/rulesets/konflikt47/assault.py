"""Close quarters: infantry assaults on infantry and artillery (k47.cq.*). Vehicles are in vehicle_assault.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dieselfront.dice import Throw
from dieselfront.dice.plan import DESTROYED, LOSSES, Add, Plan
from dieselfront.kernel.decisions import PickOne, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import NOTHING, About
from dieselfront.kernel.stakes import Stake
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import Weapon
from dieselfront.rulesets.konflikt47.damage import Volley
from dieselfront.rulesets.konflikt47.events import Assaulted, FightRound
from dieselfront.rulesets.konflikt47.firing import (
    POINT_BLANK,
    STAND_AND_FIRE,
    Aimed,
    Pool,
    Shot,
)
from dieselfront.rulesets.konflikt47.going import Clearance, path_length
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.reactions import ESCAPE, RECCE
from dieselfront.rulesets.konflikt47.routes import Reach, Route
from dieselfront.rulesets.konflikt47.state import ADVANCE, AMBUSH, RUN, State, Unit
from dieselfront.rulesets.konflikt47.throws import number
from dieselfront.table.measured.angles import heading_of, step
from dieselfront.table.measured.formation import follow
from dieselfront.table.measured.shapes import Body, distance

HAND_TO_HAND = "hand-to-hand"
METHODS = (POINT_BLANK, HAND_TO_HAND)  # k47.open.h2h_fire_typo

Fighter = tuple[Unit, Unit, str]
"""Somebody acting in a step of a fight, his enemy, and his method."""


class Assault(Chapter):
    """Assaults step by step (k47.cq.sequence)."""

    # -- who and whom --------------------------------------------------------------------------------------

    def may_assault(self, state: State, unit: Unit) -> bool:
        """Infantry may, weapon teams included; medics, riders and machines without the rule may not (k47.cq.who)."""
        if not unit.on_table or unit.slowed or unit.immobilised:
            return False
        return bool(unit.ask("on_may_assault", unit.is_infantry, unit))

    def targets(self, state: State, unit: Unit) -> list[Unit]:
        """Visible enemy units on the table (k47.cq.declare)."""
        if not self.may_assault(state, unit):
            return []
        return [enemy for enemy in state.enemies(unit) if self.is_target(state, unit, enemy)]

    def has_target(self, state: State, unit: Unit) -> bool:
        """Is there anyone to assault? (Looks no further than the first one, the nearest before the others.)"""
        if not self.may_assault(state, unit):
            return False
        return any(self.is_target(state, unit, enemy) for enemy in ground.nearest_first(unit, state.enemies(unit)))

    def is_target(self, state: State, unit: Unit, enemy: Unit) -> bool:
        """Passengers and reserves cannot be targets; a walker must be able to turn to it (k47.cq.who)."""
        if unit.is_vehicle and (enemy.building or not self.rules.vehicle_assault.can_turn_to(unit, enemy)):
            return False
        return ground.sees(state, unit, enemy)

    # -- the assault -------------------------------------------------------------------------------------------

    def assault(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        """Declare, escape, move, stand and fire, fight (k47.cq.sequence)."""
        state: State = play.state
        unit.moves += 1
        play.emit(Assaulted("k47.cq.declare", unit.id, target.id, "declared"))
        for answer in target.hooks.get("on_attacked", ()):
            yield from answer(None, play, target)
        may_react = yield from self.horror(play, unit, target)
        spent = False
        if may_react:
            spent = yield from self.escape(play, unit, target)
        if not target.on_table or not unit.alive:
            return
        del unit.evaded
        if unit.building:
            self.rules.buildings.step_out(state, unit)
        reach = play.now(lambda: self.measure(state, unit, target))
        began = list(unit.bodies)
        yield from self.close_in(play, unit, target, reach)
        if not unit.alive or not target.alive or not reach.into_contact or unit.order != RUN:
            return
        if may_react and not spent:
            yield from self.stand_and_fire(play, unit, target, reach.start, began)
        if not unit.alive or not target.alive or unit.halted:
            return
        yield from self.fight(play, unit, target)
        del target.evaded

    def horror(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        """Victims of Horror troops test when it is declared; failing forbids reactions (k47.special.horror)."""
        if not unit.is_fearsome or target.is_fearless:
            return True
        return (yield from self.rules.morale.check(play, target, "Horror", "k47.special.horror", horror=True))

    def strikes_last(self, unit: Unit, enemy: Unit) -> bool:
        """Victims of Horror strike after the Horror troops (k47.special.horror)."""
        return enemy.is_fearsome and not unit.is_fearless

    def escape(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        """Escape before the distance is measured (k47.react.escape); True if the one reaction is used up."""
        options = self.escapes(play.state, target)
        if not options or target.side == unit.side:
            return False
        choice = yield PickOne(
            target.side,
            "reaction",
            [None, *options],
            text=f"{unit.card.name} assaults {target.card.name}: does it get away?",
            rule="k47.react.escape",
            unit=target.id,
            labels=lambda answer: answer or "stay",
            act="react",
            about=lambda answer: NOTHING if answer is None else self.about_escape(play.state, target, answer, unit),
            stakes=lambda answer: (
                self.stakes(play.state, unit, target)
                if answer is None
                else self.escape_stakes(play.state, target, answer, unit)
            ),
        )
        if choice is None:
            return False
        done = yield from self.rules.reactions.react(play, target, choice, unit)
        if done == RECCE:  # k47.vehicle.recce_assault: hit only on 6 if they still reach it
            target.evaded = True
        return True  # k47.react.one

    def about_escape(self, state: State, target: Unit, reaction: str, unit: Unit) -> About:
        """Where an escape leads; one that leads off the table is rarely meant."""
        if reaction != ESCAPE:
            return About(act="react", unit=target.id)
        way = self.rules.movement.flight(state, target, unit)
        if isinstance(way, str):
            return About(act="react", unit=target.id, careless=True)
        return About(act="react", unit=target.id, places=((way.bodies[0].x, way.bodies[0].y),))

    def escape_stakes(self, state: State, target: Unit, reaction: str, unit: Unit) -> list[Stake]:
        """Whoever flees over the edge is lost (k47.move.edge), if the test is passed."""
        if reaction != ESCAPE or not isinstance(self.rules.movement.flight(state, target, unit), str):
            return []
        models = max(1, len(target.men))
        lost = Plan("off the table", [Add(LOSSES, models), Add(DESTROYED)], {}, models, squad=not target.is_vehicle)
        chance = self.rules.reactions.chance(state, target, reaction, unit)
        return [self.stake(target, lost, target, "react", chance)]

    def escapes(self, state: State, target: Unit) -> list[str]:
        """Who may try to escape (k47.react.escape_limit, k47.vehicle.recce_assault)."""
        options = []
        free = not target.order or target.escapes_freely
        if free and not target.is_artillery and not target.building and self.rules.vehicles.can_move(target):
            options.append(ESCAPE)
        if self.rules.reactions.may_recce(state, target):
            options.append(RECCE)
        changed: list[str] = target.ask("on_reactions", options, target, "assault")
        return changed

    # -- getting there -----------------------------------------------------------------------------------------

    def closest(self, state: State, unit: Unit, target: Unit) -> tuple[Body, Body, int]:
        """The closest pair of models and their distance."""
        pairs = [
            (distance(mine, theirs), mine, theirs) for mine in unit.bodies for theirs in ground.presence(state, target)
        ]
        far, mine, theirs = min(pairs, key=lambda pair: (pair[0], pair[1].x, pair[1].y, pair[2].x, pair[2].y))
        return mine, theirs, far

    def measure(self, state: State, unit: Unit, target: Unit) -> Reach:
        """Can the closest model reach the target with its Run move (k47.cq.reach, k47.cq.rough)?"""
        if unit.is_vehicle:
            return self.rules.vehicle_assault.measure(state, unit, target)
        mine, theirs, far = self.closest(state, unit, target)
        running = Clearance(state, unit, True, target, unit.flies)
        slow = Clearance(state, unit, False, target, unit.flies)
        run, advance = self.rules.movement.reach(unit, RUN), self.rules.movement.reach(unit, ADVANCE)
        dx, dy = self.towards(mine, theirs, far)
        smooth = running.leg_problem([mine], dx, dy) is None
        passable = smooth or slow.leg_problem([mine], dx, dy) is None
        reach = run if smooth else advance
        if passable and far <= reach:
            bodies = self.contact(state, unit, mine, dx, dy, slow)
            if bodies is not None:
                return Reach(self.route(unit, bodies, mine, dx, dy), far, True)
        return Reach(self.short_of(state, unit, mine, theirs, run, running), far, False)

    def towards(self, mine: Body, theirs: Body, far: int) -> tuple[int, int]:
        """The step into contact, in whole millimetres."""
        if (mine.x, mine.y) == (theirs.x, theirs.y) or far == 0:
            return 0, 0
        dx, dy = step(heading_of(theirs.x - mine.x, theirs.y - mine.y), far)
        return (dx // 10 if dx >= 0 else -(-dx // 10)), (dy // 10 if dy >= 0 else -(-dy // 10))

    def contact(
        self, state: State, unit: Unit, mine: Body, dx: int, dy: int, clearance: Clearance
    ) -> list[Body] | None:
        """The closest model in contact, as many others as possible behind it (k47.cq.contact)."""
        first = mine.at(mine.x + dx, mine.y + dy)
        rest = [body for body in unit.bodies if body is not mine]
        wanted = [first, *[body.at(body.x + dx, body.y + dy) for body in rest]]
        settled = clearance.settle(wanted)
        if settled is None:
            settled = clearance.settle([first, *[body.at(first.x, first.y) for body in rest]])
        return settled

    def route(self, unit: Unit, bodies: list[Body], mine: Body, dx: int, dy: int) -> Route:
        """The way of the first model; the others end where they were settled."""
        by_key = {body.key: body for body in bodies}
        leader = unit.bodies[0]
        end = by_key[leader.key]
        path = ((end.x, end.y),)
        length = path_length([(leader.x, leader.y), (end.x, end.y)])
        return Route(path, [by_key[body.key] for body in unit.bodies], None, unit.heading, length)

    def short_of(
        self, state: State, unit: Unit, mine: Body, theirs: Body, reach: int, clearance: Clearance
    ) -> Route | None:
        """A failed assault moves as far as it can, more than 1" from the target (k47.cq.reach)."""
        if (mine.x, mine.y) == (theirs.x, theirs.y):
            return None
        heading = heading_of(theirs.x - mine.x, theirs.y - mine.y)
        plain = Clearance(state, unit, clearance.running, None, clearance.flies)
        far = min(reach, distance(mine, theirs))
        leader = unit.bodies[0]
        while far > 0:
            dx, dy = step(heading, far)
            to = (leader.x + int(dx / 10), leader.y + int(dy / 10))
            moved = follow(unit.bodies, *to)
            if (
                plain.leg_problem(unit.bodies, to[0] - leader.x, to[1] - leader.y) is None
                and plain.end_problem(moved) is None
            ):
                table = state.table
                bodies = [table.stand(b.shape, b.x, b.y, b.heading, b.key) for b in moved]
                return Route((to,), bodies, None, unit.heading, far)
            far -= INCH // 2
        return None

    def close_in(self, play: Play, unit: Unit, target: Unit, reach: Reach) -> Procedure:
        """Move the assaulters; ambushes may interrupt them (k47.ambush.trigger)."""
        how = "into contact" if reach.into_contact else "falls short"
        if reach.route is not None:
            done = yield from self.rules.movement.go(play, unit, reach.route, RUN, how=f"assaults, {how}")
            if not done:
                return
            if not reach.into_contact and not unit.is_vehicle:
                self.rules.movement.squeeze(play.state, unit)
        play.emit(Assaulted("k47.cq.contact" if reach.into_contact else "k47.cq.reach", unit.id, target.id, how))

    def stand_and_fire(self, play: Play, unit: Unit, target: Unit, start: int, began: Sequence[Body] = ()) -> Procedure:
        """Fire at the assaulters before the fight (k47.react.stand_fire, k47.cqv.defensive_fire)."""
        state: State = play.state
        if not self.may_stand_and_fire(state, unit, target, start, began):
            return
        wants = yield YesNo(
            target.side,
            "stand and fire",
            text=f"Does {target.card.name} fire at {unit.card.name} before the fight?",
            rule="k47.react.stand_fire",
            unit=target.id,
            act="react",
            about=lambda yes: About(act="react", unit=target.id, targets=(unit.id,)) if yes else NOTHING,
            stakes=lambda yes: self.stand_and_fire_stakes(state, target, unit, start, began) if yes else [],
        )
        if not wants:
            return
        if target.order == AMBUSH:
            yield from self.rules.ambush.spring(play, target, unit)
            return
        answer = yield from self.rules.reactions.react(play, target, STAND_AND_FIRE, unit)
        if answer != STAND_AND_FIRE or not target.alive:
            return
        contact = unit.bodies
        unit.bodies = self.where_it_began(unit, began)
        shots = yield from self.rules.shooting.declare(play, target, STAND_AND_FIRE, only=unit)
        pools = self.pools_at_assaulters(play.state, target, unit, shots, start)
        unit.bodies = contact
        if shots:
            yield from self.fire_at_assaulters(play, target, unit, shots, pools)

    def may_stand_and_fire(
        self, state: State, unit: Unit, target: Unit, start: int, began: Sequence[Body] = ()
    ) -> bool:
        """From more than 6" away, without an order die; an ambush is sprung even from within 6".

        k47.react.stand_fire_limit, k47.ambush.vs_reaction, k47.special.automaton. Some charges forbid it.
        """
        if target.side == unit.side or (target.order != AMBUSH and (target.order or start <= 6 * INCH)):
            return False
        if self.is_unanswerable(state, unit) or not self.rules.orders.can_shoot(target):
            return False
        if target.never_reacts:
            return False
        return self.can_fire_at_assaulters(state, target, unit, start, began)

    def is_unanswerable(self, state: State, unit: Unit) -> bool:
        """May nobody stand and fire against this unit's assault (k47.nation.britain)?"""
        return bool(unit.ask("on_charge_unanswered", False, unit, state))

    def where_it_began(self, unit: Unit, began: Sequence[Body]) -> list[Body]:
        """Where the models that are left stood when the assault began (k47.open.stand_fire_place)."""
        left = [body.key for body in unit.bodies]
        return [body for body in began if body.key in left] or unit.bodies

    def can_fire_at_assaulters(
        self, state: State, target: Unit, unit: Unit, start: int, began: Sequence[Body] = ()
    ) -> bool:
        """Has any weapon the assaulters in arc and sight, outside its minimum range (k47.react.stand_fire_range)?"""
        shooting = self.rules.shooting
        if target.order == AMBUSH:
            return shooting.could_shoot(state, target, unit, AMBUSH)
        contact, unit.bodies = unit.bodies, self.where_it_began(unit, began)
        shots = [
            Shot(man, index, unit.id, way)
            for man, index, way in shooting.options_of(state, target, STAND_AND_FIRE)
            if shooting.bears(state, target, target.weapon(index), unit)
        ]
        pools = self.pools_at_assaulters(state, target, unit, shots, start)
        unit.bodies = contact
        return bool(pools)

    def stand_and_fire_stakes(
        self, state: State, target: Unit, unit: Unit, start: int, began: Sequence[Body]
    ) -> list[Stake]:
        """What standing and firing would roll at the assaulters, and how likely it comes to that."""
        contact = unit.bodies
        unit.bodies = self.where_it_began(unit, began)
        try:
            shots = self.rules.shooting.first_choices(state, target, unit, STAND_AND_FIRE)
            pools = self.pools_at_assaulters(state, target, unit, shots, start)
        finally:
            unit.bodies = contact
        if not pools:
            return []
        chance = 1.0 if target.order == AMBUSH else self.rules.reactions.chance(state, target, STAND_AND_FIRE, unit)
        return [self.stake(unit, self.rules.plans.of_volley(state, unit, pools), target, "react", chance)]

    def declared_stakes(self, state: State, unit: Unit, target: Unit) -> list[Stake]:
        """What an assault would roll if it is carried out now: nothing if it falls short (k47.cq.reach).

        Whoever is in a building steps out of it: the state is a copy that nobody plays on with."""
        return self.stakes(state, unit, target) if self.reaches(state, unit, target) else []

    def reaches(self, state: State, unit: Unit, target: Unit) -> bool:
        """Does an assault come into contact from where both stand now (k47.cq.reach)?"""
        if unit.building:
            self.rules.buildings.step_out(state, unit)
        if self.closest(state, unit, target)[2] > self.rules.movement.reach(unit, RUN) + INCH:
            return False
        return self.measure(state, unit, target).into_contact

    def stakes(self, state: State, unit: Unit, target: Unit) -> list[Stake]:
        """The first round of blows, struck and struck back, and the test of whoever lost it, if the assault reaches its
        target."""
        plans = self.rules.fight_plans
        if not unit.is_vehicle and target.is_vehicle:  # k47.cqw.assaulted: walkers do not strike back
            storm = plans.of_storm(state, unit, target)
            return [self.stake(target, storm, unit, "assault")] if storm is not None else []
        if unit.is_vehicle and target.is_vehicle:
            punches = plans.of_punches(state, unit, target)
            return [self.stake(target, punches, unit, "assault")] if punches is not None else []
        if unit.is_vehicle and target.is_artillery:
            return [self.stake(target, plans.of_crushing(target), unit, "assault")]
        stakes = [self.stake(target, plans.of_round(state, unit, target), unit, "assault")]
        back = plans.of_storm(state, target, unit, True) if unit.is_vehicle else plans.of_round(state, target, unit)
        return stakes if back is None else [*stakes, self.stake(unit, back, target, "assault")]

    def stake(self, victim: Unit, plan: Plan, unit: Unit, act: str, chance: float = 1.0) -> Stake:
        """A plan of one unit against another."""
        return Stake(victim.id, (plan,), unit.id, act, victim.card.name, chance)

    def pools_at_assaulters(
        self, state: State, target: Unit, unit: Unit, shots: Sequence[Shot], start: int
    ) -> list[Pool]:
        """Range is the distance the assault started at, cover that of the place it came from
        (k47.react.stand_fire_range, k47.open.stand_fire_place); weapons inside their minimum range stay silent."""
        fit = [shot for shot in shots if target.weapon(shot.weapon).min_range * INCH <= start]
        pools, _ = self.rules.shooting.pools(state, target, unit, fit, STAND_AND_FIRE, at_range=start)
        return pools

    def fire_at_assaulters(
        self, play: Play, target: Unit, unit: Unit, shots: Sequence[Shot], pools: Sequence[Pool]
    ) -> Procedure:
        """Assaulters take pins, casualties and checks before contact."""
        self.rules.shooting.announce(play, target, shots)
        volley = yield from self.rules.damage.roll(play, target, unit, pools, STAND_AND_FIRE)
        yield from self.rules.damage.apply(play, volley)
        yield from self.rules.weapon_rules.after_firing(play, target, shots)

    # -- the fight ----------------------------------------------------------------------------------------------

    def fight(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        """Rounds until somebody is gone or they part (k47.cq.after); the loser tests (k47.open.cq_loser).

        Nobody's order die changes by fighting (k47.cq.target_order).
        """
        if unit.is_vehicle or target.is_vehicle:
            yield from self.rules.vehicle_assault.fight(play, unit, target)
            return
        while True:
            yield from self.rules.specials.fight_hooks(play, unit, target)
            losses = yield from self.round(play, unit, target)
            winner = yield from self.compare(play, unit, target, losses)
            if not (unit.alive and target.alive):
                break
            again = yield from self.follows_on(play, unit, target, winner, losses)
            if not again:
                break
        yield from self.part(play, unit, target, winner)

    def compare(self, play: Play, unit: Unit, target: Unit, losses: tuple[int, int]) -> Procedure:
        """Who won the round; the loser tests (k47.cq.compare, k47.cq.result_loser)."""
        winner = self.winner(unit, target, losses)
        play.emit(FightRound("k47.cq.compare", unit.id, target.id, losses, winner.id if winner else ""))
        loser = None if winner is None else target if winner is unit else unit
        if loser is not None and loser.alive and winner is not None and winner.alive:
            yield from self.rules.morale.check_or_die(play, loser, "lost the fight", "k47.cq.result_loser")
        return winner

    def winner(self, unit: Unit, target: Unit, losses: tuple[int, int]) -> Unit | None:
        """Whoever suffered fewer casualties; equal is a draw (k47.cq.compare, k47.cq.result_loser)."""
        if losses[0] == losses[1]:
            return None
        return unit if losses[0] < losses[1] else target

    def round(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        """One round: both choose, point-blank fire, then hand-to-hand (k47.cq.choice, k47.cq.pb_fire, k47.cq.h2h).

        Returns what each lost in it; losses to stand and fire came before (k47.cq.casualty_scope).
        """
        before = (len(unit.men), len(target.men))
        mine = yield from self.choose_method(play, unit)
        theirs = yield from self.choose_method(play, target)
        for fighters in self.order_of_blows(unit, target, mine, theirs):
            yield from self.step(play, fighters)
        return (before[0] - len(unit.men), before[1] - len(target.men))

    def order_of_blows(self, unit: Unit, target: Unit, mine: str, theirs: str) -> list[list[Fighter]]:
        """Who acts in which step: victims of Horror last, else point-blank fire before blows."""
        pairs = [(unit, target, mine), (target, unit, theirs)]
        if self.strikes_last(target, unit):
            return [pairs[:1], pairs[1:]]
        if self.strikes_last(unit, target):
            return [pairs[1:], pairs[:1]]
        return [[pair for pair in pairs if pair[2] == method] for method in METHODS]

    def choose_method(self, play: Play, unit: Unit) -> Procedure:
        """Point-blank fire if there is anything to fire, or hand-to-hand (k47.cq.pb_fire_detail)."""
        options = [HAND_TO_HAND]
        if self.point_blank_shots(play.state, unit):
            options = list(METHODS)
        return (
            yield PickOne(
                unit.side,
                "method",
                options,
                text=f"How does {unit.card.name} fight?",
                rule="k47.cq.choice",
                unit=unit.id,
                act="assault",
            )
        )

    def step(self, play: Play, fighters: Sequence[Fighter]) -> Procedure:
        """Units acting in the same step roll before either removes casualties (k47.cq.h2h_simul, k47.open.cq_first).

        Point-blank fire pins like any shooting, hand-to-hand does not (k47.pin.cq).
        """
        volleys: list[Volley] = []
        for unit, enemy, method in fighters:
            if unit.alive and enemy.alive:
                if method == POINT_BLANK:
                    volleys.append((yield from self.point_blank(play, unit, enemy)))
                else:
                    volleys.append((yield from self.hand_to_hand(play, unit, enemy)))
        for volley in volleys:
            yield from self.settle(play, volley)

    def settle(self, play: Play, volley: Volley) -> Procedure:
        """The losses of point-blank fire, tests included (k47.cq.pb_tests), or of blows."""
        if volley.how == POINT_BLANK:
            yield from self.rules.damage.apply(play, volley)
        elif volley.losses and volley.target.alive:
            kills = len(volley.target.men)
            yield from self.rules.losses.take(play, volley)
            kills -= len(volley.target.men)
            for answer in volley.unit.hooks.get("on_killed_in_fight", ()):
                if volley.unit.alive and kills:
                    yield from answer(None, play, volley.unit, kills)

    # -- point-blank fire ----------------------------------------------------------------------------------------

    def fires_point_blank(self, unit: Unit, weapon: Weapon) -> bool:
        """Fixed, indirect and HE-only weapons take no part (k47.cq.pb_fire_detail); walkers and gun crews use small
        arms (k47.cqw.attacks, k47.cq.artillery)."""
        if weapon.he_only or not weapon.ask("on_point_blank", True, unit):
            return False
        return weapon.small_arm or not (unit.is_vehicle or unit.is_artillery)

    def point_blank_shots(self, state: State, unit: Unit) -> list[Shot]:
        """Every model fires its best weapon once, one-shot weapons kept for tanks."""
        shots = []
        taken: set[int] = set()
        for man, index, way in self.rules.shooting.options_of(state, unit, POINT_BLANK):
            weapon = unit.weapon(index)
            if weapon.is_used_up or (man in taken and not unit.is_vehicle):
                continue
            taken.add(man)
            shots.append(Shot(man, index, "", way))
        return shots

    def point_blank(self, play: Play, unit: Unit, enemy: Unit) -> Procedure:
        """Roll to hit and damage with modifiers of point-blank fire only (k47.cq.pb_fire)."""
        pools = self.point_blank_pools(play.state, unit, enemy)
        return (yield from self.rules.damage.roll(play, unit, enemy, pools, POINT_BLANK))

    def point_blank_pools(self, state: State, unit: Unit, enemy: Unit) -> list[Pool]:
        """What point-blank fire rolls."""
        pools: dict[Any, Pool] = {}
        for shot in self.point_blank_shots(state, unit):
            self.rules.shooting.add(pools, Aimed(state, unit, enemy, shot, POINT_BLANK), "")
        for pool in pools.values():
            self.rules.shooting.finish(state, unit, enemy, pool)
            pool.facing = ""
        return list(pools.values())

    # -- hand-to-hand ----------------------------------------------------------------------------------------------

    def attacks(self, unit: Unit, men: Sequence[int]) -> int:
        """One attack each, two with an assault weapon, more by rules (k47.cq.h2h_attacks, k47.wrule.assault_cq)."""
        total = 0
        for man in men:
            if unit.man(man).is_a("unarmed"):
                continue
            armed = any(unit.weapon(index).gives_two_attacks for index in unit.weapons_of(man))
            total += unit.ask("on_attacks", 2 if armed else 1, unit, man)
        return total

    def attack_dice(self, unit: Unit) -> tuple[int, int]:
        """Dice of ordinary and of Tough Fighters, each pin taking one away (k47.cq.h2h_pins, k47.open.cq_pins)."""
        tough = [man for man in unit.men if self.is_tough_fighter(unit, man)]
        plain = [man for man in unit.men if man not in tough]
        extra: int = unit.ask("on_extra_attacks", 0, unit, unit.men)
        ordinary = self.attacks(unit, plain) + (extra if plain or not tough else 0)
        hard = self.attacks(unit, tough) + (extra if tough and not plain else 0)
        lost = min(unit.pins, ordinary)
        return ordinary - lost, max(0, hard - (unit.pins - lost))

    def is_tough_fighter(self, unit: Unit, man: int) -> bool:
        """The unit's rule, or a sword in the model's hand (k47.special.tough_fighters, k47.weapon.equipment)."""
        return unit.strikes_again or any(unit.weapon(index).strikes_again for index in unit.weapons_of(man))

    def hand_to_hand(self, play: Play, unit: Unit, enemy: Unit) -> Procedure:
        """Attacks hit automatically; D6 against the damage value (k47.cq.h2h_attacks)."""
        volley = Volley(unit, enemy, HAND_TO_HAND)
        if enemy.is_struck_as_vehicle:
            return (yield from self.against_bikes(play, volley))
        ordinary, hard = self.attack_dice(unit)
        yield from self.blows(play, volley, ordinary, hard)
        return volley

    def against_bikes(self, play: Play, volley: Volley) -> Procedure:
        """Riders are hit like vehicles and damaged like infantry (k47.special.motorbikes)."""
        unit, enemy = volley.unit, volley.target
        ordinary, hard = self.attack_dice(unit)
        hits = yield from self.rules.vehicle_assault.roll_hits(play, unit, enemy, ordinary + hard)
        yield from self.blows(play, volley, hits, 0)
        return volley

    def blows(self, play: Play, volley: Volley, ordinary: int, hard: int) -> Procedure:
        """Damage rolls; Tough Fighters roll once more for each casualty (k47.special.tough_fighters)."""
        throw, ignore = self.rules.fight_plans.blow(play.state, volley.unit, volley.target)
        if not throw.faces:
            return
        killed = 0
        for dice, again in ((ordinary, False), (hard, True)):
            done = yield from self.struck(play, volley, throw, ignore, dice, "k47.cq.h2h_attacks")
            killed += done
            if again and done:
                killed += yield from self.struck(play, volley, throw, ignore, done, "k47.special.tough_fighters")
        volley.total_losses += killed

    def struck(self, play: Play, volley: Volley, throw: Throw, ignore: Throw | None, dice: int, rule: str) -> Procedure:
        """So many blows, and what a tough enemy ignores of them."""
        thrown = yield from play.throw(throw, dice, volley.unit.side, volley.unit.id, rule)
        _, done = yield from self.rules.damage.ignored(play, volley, ignore, 0, thrown.successes)
        return done

    # -- afterwards --------------------------------------------------------------------------------------------------

    def follows_on(
        self, play: Play, unit: Unit, target: Unit, winner: Unit | None, losses: tuple[int, int]
    ) -> Procedure:
        """The winner decides, on a draw the assaulter (k47.cq.after_choice); no endless fights (k47.cq.stalemate)."""
        if losses == (0, 0):
            return False
        chooser = winner or unit
        if winner is not None and winner.ask("on_follow_on", False, winner):  # k47.special.fanatics
            return True
        return (
            yield YesNo(
                chooser.side,
                "follow-on combat",
                text="Fight another round at once?",
                rule="k47.cq.after_choice",
                unit=chooser.id,
                act="assault",
            )
        )

    def part(self, play: Play, unit: Unit, target: Unit, winner: Unit | None) -> Procedure:
        """Consolidation moves; nobody may react to them (k47.cq.consolidate, k47.cq.no_react_move)."""
        if unit.alive and target.alive:
            leaver = unit if winner is None else (target if winner is unit else unit)
            stayer = target if leaver is unit else unit
            yield from self.give_way(play, leaver)
            yield from self.consolidate(play, stayer)
            return
        survivor = unit if unit.alive else target if target.alive else None
        if survivor is None:
            return
        cleared = survivor is unit and self.rules.buildings.may_occupy(play.state, unit, target)
        if cleared and (yield from self.rules.buildings.occupy(play, unit, target)):
            return
        yield from self.consolidate(play, survivor)

    def give_way(self, play: Play, unit: Unit) -> Procedure:
        """More than 1" away, by up to 6"."""
        if unit.is_artillery or unit.is_vehicle or unit.building:
            self.rules.movement.step_clear(play.state, unit)
            return
        yield from self.rules.movement.shift(play, unit, 6 * INCH, "k47.cq.consolidate", must_clear=True)

    def consolidate(self, play: Play, unit: Unit) -> Procedure:
        """Up to D6" in any direction (k47.cq.consolidate); a walker may decline (k47.cqw.result)."""
        stuck = unit.is_vehicle and not self.rules.vehicles.can_move(unit)
        if unit.is_artillery or stuck or unit.building:
            self.rules.movement.step_clear(play.state, unit)
            return
        far = yield from number(play, "D6", "consolidation", "k47.cq.consolidate", unit.side, unit.id)
        yield from self.rules.movement.shift(play, unit, far * INCH, "k47.cq.consolidate")
