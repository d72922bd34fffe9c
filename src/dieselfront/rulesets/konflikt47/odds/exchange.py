"""An attack of Konflikt '47 step by step: every position that can come up, with its chance, equal ones merged.

The order is that of the rules: a reaction before the shot, fire and firefight rolled before anything is removed, then
casualties, pins, damage results and morale; in an assault stand and fire, then blows round by round. Volleys come in
closed form, all that follows from them is carried out by the ruleset's own procedures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.dice import Dice
from dieselfront.dice.rollers import Roller
from dieselfront.kernel.game import Procedure
from dieselfront.odds import oracle
from dieselfront.odds.forecast import forecast
from dieselfront.odds.oracle import NO_DICE
from dieselfront.rulesets.konflikt47.assault import HAND_TO_HAND
from dieselfront.rulesets.konflikt47.damage import ArmourHit
from dieselfront.rulesets.konflikt47.firing import FIREFIGHT, POINT_BLANK, STAND_AND_FIRE, Shot
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.odds import outcomes
from dieselfront.rulesets.konflikt47.odds.firing_range import ATTACKER, TARGET, KonfliktSituation
from dieselfront.rulesets.konflikt47.odds.outcomes import Salvo
from dieselfront.rulesets.konflikt47.odds.policy import Policy, declared
from dieselfront.rulesets.konflikt47.odds.positions import (
    Branches,
    ExchangePosition,
    News,
    bare,
    is_feared,
    merged,
    more_news,
    noticed,
)
from dieselfront.rulesets.konflikt47.odds.volley import Fire
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47


class Exchange:
    """Carries positions through an attack; steps that were taken before from an equal position are remembered."""

    def __init__(self, rules: Konflikt47, situation: KonfliktSituation, *, tells: bool = True) -> None:
        self.rules = bare(rules)
        self.situation = situation
        self.tells = tells  # is it kept what happened on the way, or only where it led
        self._known: dict[Any, Branches] = {}
        self._touched: dict[Any, list[tuple[float, Unit, Any, News]]] = {}

    def carry(self, name: Any, position: ExchangePosition, make: Callable[[Play], Procedure]) -> Branches:
        """Every position that a procedure leads to, whatever its dice; `name` tells it from other procedures."""
        key = (name, position.key())
        branches = self._known.get(key)
        if branches is None:
            branches = self._known[key] = self._carried(position, make)
        return branches

    def _carried(self, position: ExchangePosition, make: Callable[[Play], Procedure]) -> Branches:
        reached: dict[Any, ExchangePosition] = {}

        def run(dice: Roller) -> Any:
            state = position.state.clone()
            play = Play(self.rules, state)
            oracle.drive(make(play), dice, Policy(self.situation, self.rules, state))
            news = noticed(play.events) if self.tells else ()
            after = ExchangePosition(state, more_news(position.news, news))
            reached.setdefault(after.key(), after)
            return after.key()

        outlook = forecast(run, by_face=by_face)
        return [(chance, reached[key]) for key, chance in outlook.chances.items()]

    def touch(self, name: Any, position: ExchangePosition, victim: str, make: Callable[[Play], Procedure]) -> Branches:
        """The same for a procedure that changes one unit and asks of the other only whether it is there."""
        other = position.unit(ATTACKER if victim == TARGET else TARGET)
        key = (name, id(position.unit(victim).card), position.unit_key(victim), is_feared(other))
        changes = self._touched.get(key)
        if changes is None:
            reached = self._carried(ExchangePosition(position.state), make)
            changes = self._touched[key] = [
                (chance, after.state.unit(victim), after.unit_key(victim), after.news) for chance, after in reached
            ]
        return [(chance, position.with_unit(*change)) for chance, *change in changes]

    def touched(self, branches: Branches, name: Any, victim: str, make: Callable[[Play], Procedure]) -> Branches:
        """One such procedure from every position."""
        return merged(
            (chance * share, after)
            for chance, position in branches
            for share, after in self.touch(name, position, victim, make)
        )

    def each(self, branches: Branches, name: Any, make: Callable[[Play], Procedure]) -> Branches:
        """One procedure from every position."""
        return merged(
            (chance * share, after)
            for chance, position in branches
            for share, after in self.carry(name, position, make)
        )

    # -- a volley that was rolled --------------------------------------------------------------------------------

    def apply(self, position: ExchangePosition, fire: Fire, salvo: Salvo) -> Branches:
        """Casualties and pins, damage results one after the other, morale (k47.shoot.sequence)."""
        if salvo.dead:
            return self.carry(("burst", fire.victim), position, fire.burst)
        start = position.unit(fire.victim)
        if not start.alive:
            return [(1.0, position)]
        plain = salvo._replace(struck=(), armour=(), ranged=())
        branches = self._ranged(position, fire, salvo)
        sign = (fire.victim, fire.how, fire.suppressive, plain)
        if fire.rewards(position):
            return self.each(branches, ("apply", *sign), lambda play: fire.apply(play, plain))
        if not salvo.struck and not salvo.armour:
            return self.touched(branches, ("apply", *sign), fire.victim, lambda play: fire.apply(play, plain))
        branches = self.touched(branches, ("land", *sign), fire.victim, lambda play: fire.land(play, plain))
        for grade in salvo.armour:
            branches = merged(self._result(branches, fire.victim, grade, 1.0))
        for place, hits in salvo.struck:
            for _ in range(hits):
                branches = self._hit(branches, fire, place)
        shaken = ("shaken", *sign)
        return self.touched(branches, shaken, fire.victim, lambda play: fire.shaken(play, plain))

    def _ranged(self, position: ExchangePosition, fire: Fire, salvo: Salvo) -> Branches:
        """Indirect fire ranges in, which matters if it goes on next turn (k47.wrule.indirect_zero)."""
        if not salvo.ranged or self.situation.turns == 1:
            return [(1.0, position)]
        state = position.state.clone()
        for place, hit in salvo.ranged:
            unit, target = state.unit(fire.unit), state.unit(fire.victim)
            self.rules.weapon_rules.remember_ranging(state, unit, target, fire.pools[place], int(hit))
        return [(1.0, ExchangePosition(state, position.news))]

    def _hit(self, branches: Branches, fire: Fire, place: int) -> Branches:
        """One hit on armour: nothing, or a result by its grade."""
        after_hits: list[tuple[float, ExchangePosition]] = []
        rest = 1.0 - sum(fire.grades[place].values())
        after_hits += [(chance * rest, position) for chance, position in branches]
        for grade, share in fire.grades[place].items():
            after_hits += self._result(branches, fire.victim, grade, share)
        return merged(after_hits)

    def _result(self, branches: Branches, victim: str, grade: outcomes.Grade, share: float) -> Branches:
        def make(play: Play) -> Procedure:
            unit = play.state.unit(victim)
            if unit.alive:
                yield from self.rules.damage.result(play, unit, ArmourHit(0, 0, grade[0], "", grade[1]))

        return [
            (chance * share * part, after)
            for chance, position in branches
            for part, after in self.touch(("result", *grade), position, victim, make)
        ]

    def applied(self, branches: Branches, fire: Fire) -> Branches:
        """All that a volley can come to, from every position; what it does to the victim is worked out once."""
        for touched in fire.waves:
            name = ("wave", fire.unit, touched)
            branches = self.each(branches, name, lambda play, touched=touched: fire.wave(play, touched))  # type: ignore[misc]
        known: dict[Any, list[tuple[float, Unit, Any, News]]] = {}
        reached: list[tuple[float, ExchangePosition]] = []
        for chance, position in branches:
            if self._touches_both(position, fire):
                reached += [(chance * share, after) for share, after in self._rolled(position, fire)]
                continue
            other = position.unit(ATTACKER if fire.victim == TARGET else TARGET)
            key = (position.unit_key(fire.victim), is_feared(other))
            if key not in known:
                known[key] = [
                    (share, after.unit(fire.victim), after.unit_key(fire.victim), after.news)
                    for share, after in merged(self._rolled(position.without_news(), fire))
                ]
            reached += [(chance * share, position.with_unit(*change)) for share, *change in known[key]]
        return merged(reached)

    def _rolled(self, position: ExchangePosition, fire: Fire) -> Iterable[tuple[float, ExchangePosition]]:
        """Every outcome of the dice, applied."""
        for salvo, rolled in fire.salvos.items():
            for share, after in self.apply(position, fire, salvo):
                yield rolled * share, after

    def _touches_both(self, position: ExchangePosition, fire: Fire) -> bool:
        """Does the volley change the shooter too: by what he kills, or by ranging in?"""
        ranging = self.situation.turns > 1 and any(pool.indirect for pool in fire.pools)
        return ranging or fire.rewards(position)

    # -- shooting ------------------------------------------------------------------------------------------------

    def shoot(self, branches: Branches, far: int) -> Branches:
        """One shooting action by order, with the target's reaction (k47.shoot.sequence)."""
        fought: list[tuple[float, ExchangePosition]] = []
        for chance, position in branches:
            if not position.attacker.alive or not position.target.alive:
                fought.append((chance, position))
                continue
            fought += [(chance * share, after) for share, after in self._action(position, far)]
        return merged(fought)

    def _action(self, position: ExchangePosition, far: int) -> Branches:
        shots = declared(
            self.rules, position.state, position.attacker, position.target, self.situation.order, self.situation
        )
        branches = self.each([(1.0, position)], "reaction", lambda play: self._react(play, shots))
        branches = self.each(branches, "attacked", attacked)
        fought: list[tuple[float, ExchangePosition]] = []
        for chance, met in branches:
            fought += [(chance * share, after) for share, after in self._fired(met, shots)]
        return merged(fought)

    def _react(self, play: Play, shots: Sequence[Shot]) -> Procedure:
        """The target tries a firefight; what came of it is kept in its notes until the volley."""
        unit, target = play.state.unit(ATTACKER), play.state.unit(TARGET)
        if not shots or not self.situation.reaction:
            return
        answer = yield from self.rules.reactions.to_shooting(play, unit, target)
        if answer == FIREFIGHT:
            target.answers = True

    def _fired(self, position: ExchangePosition, shots: Sequence[Shot]) -> Branches:
        """Fire and, in a firefight, fire back; all is rolled before anything is removed."""
        unit, target = position.attacker, position.target
        mine = Fire.aimed(self.rules, position, ATTACKER, shots, self.situation)
        volleys_of = [mine]
        back: list[Shot] = []
        if target.answers:
            back = declared(self.rules, position.state, target, unit, FIREFIGHT, self.situation)
            volleys_of.append(Fire.aimed(self.rules, position, TARGET, back, self.situation, FIREFIGHT))
            position = _without(position, "answers")
        branches: Branches = [(1.0, position)]
        for fire in volleys_of:
            branches = self.applied(branches, fire)
        for side, fired in ((TARGET, back), (ATTACKER, shots)):
            branches = self._spent(branches, side, fired)
        return branches

    def _spent(self, branches: Branches, side: str, shots: Sequence[Shot]) -> Branches:
        """One-shot weapons are gone, fuel may run out, rail guns run hot (k47.wrule.one_shot, k47.wrule.flame_fuel)."""
        card = branches[0][1].unit(side).card if branches else None
        if card is None or not any("on_fired" in card.weapons[shot.weapon].hooks for shot in shots):
            return branches
        name = ("after", side, tuple(shots))
        return self.touched(branches, name, side, lambda play: _after(play, side, shots))

    # -- an assault ----------------------------------------------------------------------------------------------

    def assault(self, branches: Branches, far: int) -> Branches:
        """Nerve, stand and fire, then rounds of blows (k47.cq.sequence)."""
        branches = self.each(branches, "attacked", attacked)
        branches = self.each(branches, "horror", self._horror)
        branches = merged(
            (chance * share, after)
            for chance, position in branches
            for share, after in self._stand_and_fire(position, far)
        )
        for number in range(self.situation.rounds):
            branches = merged(
                (chance * share, after)
                for chance, position in branches
                for share, after in (self._fight(position, number) if self._fights(position) else [(1.0, position)])
            )
        return branches

    def _fights(self, position: ExchangePosition) -> bool:
        unit, target = position.attacker, position.target
        parted = unit.parted or unit.halted
        return unit.alive and target.alive and not parted

    def _horror(self, play: Play) -> Procedure:
        unit, target = play.state.unit(ATTACKER), play.state.unit(TARGET)
        if not (yield from self.rules.assault.horror(play, unit, target)):
            target.afraid = True

    def _stand_and_fire(self, position: ExchangePosition, far: int) -> Branches:
        """The target fires at the assaulters, if it was asked to, may and dares (k47.react.stand_fire)."""
        unit, target = position.attacker, position.target
        afraid = target.afraid
        position = _without(position, "afraid")
        if afraid or not self.situation.reaction or not _may_stand(self.rules, position, far):
            return [(1.0, position)]
        unit, target = position.attacker, position.target
        shots = declared(self.rules, position.state, target, unit, STAND_AND_FIRE, self.situation)

        def test(play: Play) -> Procedure:
            mine, enemy = play.state.unit(TARGET), play.state.unit(ATTACKER)
            answer = yield from self.rules.reactions.react(play, mine, STAND_AND_FIRE, enemy)
            if answer == STAND_AND_FIRE:
                mine.answers = True

        spent: list[tuple[float, ExchangePosition]] = []
        for chance, met in self.carry("stand", position, test):
            if not met.target.answers:
                spent.append((chance, met))
                continue
            met = _without(met, "answers")
            pools = self.rules.assault.pools_at_assaulters(met.state, met.target, met.attacker, shots, far * INCH)
            fire = Fire.rolled(self.rules, met, TARGET, pools, STAND_AND_FIRE, self.situation)
            after = self.applied([(chance, met)], fire)
            spent += self._spent(after, TARGET, shots)
        return merged(spent)

    def _fight(self, position: ExchangePosition, number: int) -> Branches:
        """One round; afterwards the loser tests, and those who part are marked so."""
        if position.attacker.is_vehicle or position.target.is_vehicle:
            return self.carry("machines", position, with_machines)
        before = (len(position.attacker.men), len(position.target.men))
        ways = {id: self._method(position, id) for id in (ATTACKER, TARGET)}
        steps = self.rules.assault.order_of_blows(position.attacker, position.target, ways[ATTACKER], ways[TARGET])
        branches: Branches = [(1.0, position)]
        for fighters in steps:
            acting = [(fighter.id, method) for fighter, _, method in fighters]
            branches = merged(
                (chance * share, after) for chance, met in branches for share, after in self._step(met, acting)
            )
        return merged(
            (chance * share, after) for chance, met in branches for share, after in self._compared(met, before)
        )

    def _method(self, position: ExchangePosition, id: str) -> str:
        procedure = self.rules.assault.choose_method(Play(self.rules, position.state), position.unit(id))
        method: str = oracle.drive(procedure, NO_DICE, Policy(self.situation, self.rules, position.state))
        return method

    def _step(self, position: ExchangePosition, acting: Sequence[tuple[str, str]]) -> Branches:
        """Those who act in the same step roll before either removes casualties."""
        fires = []
        for id, method in acting:
            enemy = TARGET if id == ATTACKER else ATTACKER
            if position.unit(id).alive and position.unit(enemy).alive:
                fires.append(self._blows(position, id, enemy, method))
        branches: Branches = [(1.0, position)]
        for fire in fires:
            branches = self.applied(branches, fire)
        return branches

    def _blows(self, position: ExchangePosition, id: str, enemy: str, method: str) -> Fire:
        state = position.state
        if method == POINT_BLANK:
            pools = self.rules.assault.point_blank_pools(state, state.unit(id), state.unit(enemy))
            return Fire.rolled(self.rules, position, id, pools, POINT_BLANK, self.situation)
        salvos = outcomes.of_blows(self.rules, state, state.unit(id), state.unit(enemy))
        return Fire(self.rules, id, enemy, HAND_TO_HAND, [], salvos, [])

    def _compared(self, position: ExchangePosition, before: tuple[int, int]) -> Branches:
        """Who lost more tests; if nobody lost anything they part (k47.cq.compare, k47.cq.stalemate)."""
        unit, target = position.attacker, position.target
        losses = (before[0] - len(unit.men), before[1] - len(target.men))
        if losses == (0, 0):
            return self.touch("parted", position, ATTACKER, _part)
        loser = ATTACKER if losses[0] > losses[1] else TARGET

        def compare(play: Play) -> Procedure:
            units = play.state.unit(ATTACKER), play.state.unit(TARGET)
            yield from self.rules.assault.compare(play, *units, losses)

        alive = (unit.alive, target.alive)
        return self.touch(("compare", losses, alive), position, loser, compare)


def _part(play: Play) -> Procedure:
    play.state.unit(ATTACKER).parted = True
    return
    yield


def with_machines(play: Play) -> Procedure:
    """A round of close quarters with a vehicle in it, up to where they move apart (k47.cqv.over, k47.cqw.result)."""
    unit, target = play.state.unit(ATTACKER), play.state.unit(TARGET)
    chapter = play.rules.vehicle_assault
    over = True
    if not unit.is_vehicle:
        yield from chapter.storm(play, unit, target)
    elif target.is_vehicle:
        unit.counts_as_advanced = True
        yield from chapter.punches(play, unit, target)
    elif target.is_artillery:
        yield from play.rules.losses.destroy(play, target, "crushed by a walker", "k47.cqw.gun")
    else:
        unit.counts_as_advanced = True
        _, losses = yield from chapter.trample_once(play, unit, target)
        over = losses == (0, 0)
    if over:
        unit.parted = True


def attacked(play: Play) -> Procedure:
    """Rules that speak when a unit is attacked."""
    target = play.state.unit(TARGET)
    for answer in target.hooks.get("on_attacked", ()):
        yield from answer(None, play, target)


def _after(play: Play, side: str, shots: Sequence[Shot]) -> Procedure:
    unit = play.state.unit(side)
    yield from play.rules.weapon_rules.after_firing(play, unit, shots)


def _may_stand(rules: Konflikt47, position: ExchangePosition, far: int) -> bool:
    """May the target stand and fire, as play judges it? Ambushes, which it would spring, are not followed here."""
    target = position.target
    return not target.order and rules.assault.may_stand_and_fire(position.state, position.attacker, target, far * INCH)


def _without(position: ExchangePosition, note: str) -> ExchangePosition:
    """The same position with a note of the target forgotten."""
    if note not in position.target.notes:
        return position
    state = position.state.clone()
    state.unit(TARGET).notes.pop(note)
    return ExchangePosition(state, position.news)


def by_face(question: Dice) -> bool:
    """Damage is read by its face: natural sixes, grades; blows only by their successes."""
    return question.throw is not None and question.throw.label.startswith(("damage by", "walker blow", "shell"))
