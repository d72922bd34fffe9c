"""An exchange of fire and blows, step by step: every position that can come up, with its chance, equal ones merged.

The steps are those of the attack chapter (shooting pool by pool, tokens, close combat with retaliation, critical hits)
and each is carried out by the ruleset's own procedures. Pools whose plan tells all are applied in closed form; the
others are forecast. The naive twin is `dust.by_procedure`, which drives the whole attack in one piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dieselfront.dice import Dice
from dieselfront.dice.plan import PoolPlan
from dieselfront.dice.rollers import Roller
from dieselfront.kernel.events import Rolled
from dieselfront.kernel.game import Procedure
from dieselfront.odds import exact, oracle
from dieselfront.odds.forecast import forecast
from dieselfront.odds.oracle import NO_DICE, DiceAsked
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Attack, Pool, Shot
from dieselfront.rulesets.dust.state import Part, Unit
from dieselfront.rulesets.dust1947.playing import Play

Policy = Callable[[Play], oracle.Policy]
"""Who answers decisions in a position."""

TOO_UNLIKELY = 1e-16
FIRST, NORMAL = 0, 1

BY_FACE = frozenset({"d47.critical.table"})
"""Rolls whose faces are read one by one."""


class ExchangePosition:
    """One position in the middle of an exchange: the play, the attacks under way and their shots."""

    __slots__ = ("attacks", "play", "shots")

    def __init__(self, play: Play, attacks: list[Attack], shots: list[Shot]) -> None:
        self.play = play
        self.attacks = attacks
        self.shots = shots

    def fork(self) -> ExchangePosition:
        """An independent position, everything in it bound to a state of its own."""
        state = self.play.state.clone()
        play = Play(self.play.rules, state)
        attacks = [_attack(attack, state) for attack in self.attacks]
        shots = [self._shot(shot, play, attacks) for shot in self.shots]
        places = {id(shot): place for place, shot in enumerate(self.shots)}
        fallen: dict[int, Any] = {}  # both sides of a close combat share one list of the dying
        for old, new in zip(self.attacks, attacks, strict=True):
            new.hit_units = {
                target: [shots[places[id(shot)]] for shot in hits if id(shot) in places]
                for target, hits in old.hit_units.items()
            }
            new.shots = [shots[places[id(shot)]] if id(shot) in places else shot for shot in old.shots]
            if id(old.dying) not in fallen:
                fallen[id(old.dying)] = [
                    (state.by_id[unit.id], _part(unit, part, state.by_id[unit.id]), shots[places[id(shot)]])
                    for unit, part, shot in old.dying
                ]
            new.dying = fallen[id(old.dying)]
        return ExchangePosition(play, attacks, shots)

    def _shot(self, shot: Shot, play: Play, attacks: list[Attack]) -> Shot:
        twin: Shot = _twin(shot)
        twin.play = play
        twin.attack = attacks[[id(attack) for attack in self.attacks].index(id(shot.attack))]
        twin.unit = play.state.by_id[shot.unit.id]
        twin.target = play.state.by_id[shot.target.id]
        twin.part = _part(shot.unit, shot.part, twin.unit)
        return twin

    def key(self) -> Any:
        """What tells this position from others at the same step."""
        return (state_key(self.play), tuple(self._memory(attack) for attack in self.attacks))

    def _memory(self, attack: Attack) -> Any:
        places = {id(shot): place for place, shot in enumerate(self.shots)}
        return (
            attack.unit.id,
            attack.sustained,
            tuple((target, tuple(places[id(s)] for s in hits)) for target, hits in attack.hit_units.items()),
            tuple(attack.damage_to.items()),
            tuple(sorted((key, value) for key, value in attack.flags.items() if isinstance(value, bool | int | str))),
            tuple((unit.id, part.card.id) for unit, part, _ in attack.dying),
        )


def _twin(thing: Any) -> Any:
    """A shallow copy of something slotted; several times as fast as copy.copy."""
    kind: Any = type(thing)
    twin: Any = object.__new__(kind)
    for name in kind.__slots__:
        setattr(twin, name, getattr(thing, name))
    return twin


def _attack(attack: Attack, state: Any) -> Attack:
    twin: Attack = _twin(attack)
    twin.unit = state.by_id[attack.unit.id]
    twin.flags = dict(attack.flags)
    twin.damage_to = dict(attack.damage_to)
    return twin


def _part(unit: Unit, part: Part, twin: Unit) -> Part:
    """The same part of the unit's twin; one that is no longer in the unit stays what it was."""
    for place, other in enumerate(unit.parts):
        if other is part:
            return twin.parts[place]
    return part


def state_key(play: Play) -> Any:
    """Everything about a state that can differ between two runs of one exchange."""
    state = play.state
    units = tuple(
        (
            unit.id,
            unit.status,
            unit.flags,
            unit.criticals,
            unit.held_by,
            tuple(
                (part.card.id, part.alive, part.damage, part.broken, part.spent, part.unloaded, str(part.ammo))
                for part in unit.parts
            ),
        )
        for unit in state.units
    )
    return (state.deferred, state.interrupted, state.reacted, units)


class Branches:
    """Positions at one step, each with its chance."""

    __slots__ = ("by_key",)

    def __init__(self, ways: Iterable[tuple[float, ExchangePosition]] = ()) -> None:
        self.by_key: dict[Any, tuple[float, ExchangePosition]] = {}
        for chance, position in ways:
            self.add(chance, position)

    def add(self, chance: float, position: ExchangePosition) -> None:
        """A way into a position; ways into the same one add up."""
        if chance <= TOO_UNLIKELY:
            return
        key = position.key()
        before = self.by_key.get(key)
        self.by_key[key] = (chance, position) if before is None else (before[0] + chance, before[1])

    def all(self) -> list[tuple[float, ExchangePosition]]:
        """Every position with its chance."""
        return list(self.by_key.values())

    def then(self, step: Callable[[float, ExchangePosition, Branches], None]) -> Branches:
        """Carry every position one step on."""
        after = Branches()
        for chance, position in self.by_key.values():
            step(chance, position, after)
        return after


class Exchange:
    """Carries an attack through all its positions."""

    def __init__(self, policy: Policy, *, skills_used: bool = True) -> None:
        self.policy = policy
        self.skills_used = skills_used  # may skills that wait for the roll be used?

    def is_plain(self, shot: Shot) -> bool:
        """Do the dice of the plan decide alone how many points the target loses?"""
        divided = len(shot.target.fighters()) > 1
        parried = shot.close and "on_blows" in shot.target.effects
        return not divided and not parried

    def waits_for_roll(self, shot: Shot) -> bool:
        """May the attacker do something about the roll once he has seen it?"""
        return self.skills_used and "on_rolled" in shot.unit.effects

    # -- helpers --------------------------------------------------------------------------------

    def quietly(self, position: ExchangePosition, procedure: Procedure) -> Any:
        """A procedure in which no dice fall."""
        return oracle.drive(procedure, NO_DICE, self.policy(position.play))

    def rolled(
        self, chance: float, start: ExchangePosition, make: Callable[[ExchangePosition], Procedure], after: Branches
    ) -> None:
        """A procedure with dice: every result leads to a position."""
        reached: dict[Any, ExchangePosition] = {}
        running: list[ExchangePosition] = []

        def run(dice: Roller) -> Any:
            position = start.fork()
            running[:] = [position]
            oracle.drive(make(position), dice, self.policy(position.play))
            key = position.key()
            reached.setdefault(key, position)
            return key

        def mark(question: Dice) -> Any:
            """A table rolled again until it fits is where ways meet; all other rolls are kept apart."""
            if not _by_face(question):
                return None
            rolls = [event for event in running[0].play.events if isinstance(event, Rolled)]
            others = tuple(roll.successes for roll in rolls if roll.rule not in BY_FACE)
            return (running[0].key(), others)

        outlook = forecast(run, mark, by_face=_by_face, cut=TOO_UNLIKELY / chance)
        for key, share in outlook.chances.items():
            after.add(chance * share, reached[key])

    # -- the whole attack -----------------------------------------------------------------------

    def attack(self, branches: Branches, make: Callable[[Play], Attack | None]) -> Branches:
        """An attack in the order of the rules: declare, shoot, tokens, close combat, the dying, what broke."""
        branches = branches.then(lambda chance, position, after: self._declare(chance, position, make, after))
        branches = self._shoot(branches)
        branches = self._fight(branches)
        branches = branches.then(self._settle)
        return branches

    def _declare(
        self, chance: float, position: ExchangePosition, make: Callable[[Play], Attack | None], after: Branches
    ) -> None:
        """Weapons aimed, skills chosen, ammunition spent; every unit struck has a shot of its own."""
        position = ExchangePosition(position.play, [], []).fork()
        play = position.play
        attack = make(play)
        if attack is not None:
            shots = self.quietly(position, declared(play, attack))
            for shot in shots:
                play.rules.attacks.use(play, shot)
            position.attacks = [attack]
            position.shots = [struck for shot in shots for struck in _struck(play, shot)]
        after.add(chance, position)

    def _shoot(self, branches: Branches) -> Branches:
        """Ranged pools one after the other, with the dice of the first moment (d47.open.hit_pools)."""
        after = Branches()
        for chance, position in branches.all():
            own = Branches([(chance, position)])
            for place, plan in self._plans(position):
                own = own.then(lambda c, p, a, place=place, plan=plan: self._pool(c, p, place, plan, a))  # type: ignore[misc]
            for share, reached in own.all():
                if reached.attacks:
                    reached = reached.fork()
                    suppression = reached.play.rules.suppression
                    self.quietly(reached, suppression.after_fire(reached.play, reached.attacks[0]))
                after.add(share, reached)
        return after

    def _plans(self, position: ExchangePosition) -> list[tuple[int, PoolPlan]]:
        attacks = position.play.rules.attacks
        return [
            (place, attacks.plan(position.play, shot)) for place, shot in enumerate(position.shots) if not shot.close
        ]

    def _pool(self, chance: float, position: ExchangePosition, place: int, plan: PoolPlan, after: Branches) -> None:
        """One ranged pool on its target."""
        shot = position.shots[place]
        if not shot.target.stands or plan.dice <= 0:
            after.add(chance, position)
        elif self.waits_for_roll(shot):
            self.rolled(
                chance,
                position,
                lambda twin: twin.play.rules.attacks.resolve(twin.play, Pool(twin.shots[place], plan)),
                after,
            )
        else:
            self._apply(chance, position, place, plan, after)

    def _apply(self, chance: float, position: ExchangePosition, place: int, plan: PoolPlan, after: Branches) -> None:
        """A pool in closed form: nothing hits, something hits and nothing gets through, so much gets through."""
        shot = position.shots[place]
        unhit = (1.0 - exact.chances(plan.hit)[0]) ** plan.dice
        after.add(chance * unhit, position)
        effect: Callable[[Shot, int], Procedure]
        if self.is_plain(shot):
            plan = _twin(plan)
            plan.capacity = shot.target.fighters()[0].left
            through, effect = exact.losses(plan), _suffer
        else:
            through, effect = _enough(exact.unsaved(plan, 1e-16), shot), _divide
        for number, share in enumerate(through):
            share = max(0.0, share - unhit) if number == 0 else share
            if share * chance > TOO_UNLIKELY:
                self._land(chance * share, position, place, lambda s, number=number: effect(s, number), after)  # type: ignore[misc]

    def _land(
        self,
        chance: float,
        position: ExchangePosition,
        place: int,
        effect: Callable[[Shot], Procedure],
        after: Branches,
    ) -> None:
        """What gets through takes effect; now and then dice fall as it does."""
        twin = position.fork()
        try:
            self.quietly(twin, effect(twin.shots[place]))
        except DiceAsked:
            self.rolled(chance, position, lambda other: effect(other.shots[place]), after)
        else:
            after.add(chance, twin)

    # -- close combat ---------------------------------------------------------------------------

    def _fight(self, branches: Branches) -> Branches:
        """Blows of both sides, first strikers before the others (d47.attack.cc.simultaneous)."""
        branches = branches.then(self._retaliate)
        for speed in (FIRST, NORMAL):
            branches = branches.then(lambda c, p, a, speed=speed: self._round(c, p, speed, a))  # type: ignore[misc]
        return branches

    def _retaliate(self, chance: float, position: ExchangePosition, after: Branches) -> None:
        """Those who are struck declare their blows (d47.attack.cc.retaliate)."""
        if any(shot.close for shot in position.shots) and position.attacks[0].unit.alive:
            position = position.fork()
            play, attack = position.play, position.attacks[0]
            foes = dict.fromkeys(shot.target.id for shot in position.shots if shot.close and shot.target.on_board)
            for foe in foes:
                chapter = play.rules.close_combat
                back = self.quietly(position, chapter.retaliation(play, attack, play.state.by_id[foe]))
                if back is not None:
                    position.attacks.append(back[0])
                    position.shots += back[1]
        after.add(chance, position)

    def _round(self, chance: float, position: ExchangePosition, speed: int, after: Branches) -> None:
        """All blows of one speed: dice by the first moment, losses in the order in which they land."""
        rules = position.play.rules
        blows: list[tuple[bool, int, PoolPlan]] = []
        for place, shot in enumerate(position.shots):
            if shot.close and rules.close_combat.speed(position.play, shot) == speed and _strikes(position.play, shot):
                late = not ask(shot.unit.effects, "on_lands_first", False, shot)
                blows.append((late, place, rules.attacks.plan(position.play, shot)))
        own = Branches([(chance, position)])
        for _, place, plan in sorted(blows, key=lambda blow: blow[0]):
            own = own.then(lambda c, p, a, place=place, plan=plan: self._blow(c, p, place, plan, a))  # type: ignore[misc]
        for share, reached in own.all():
            after.add(share, reached)

    def _blow(self, chance: float, position: ExchangePosition, place: int, plan: PoolPlan, after: Branches) -> None:
        """One close-combat pool; it strikes even if its own unit has fallen in the same moment."""
        shot = position.shots[place]
        if not shot.target.stands or plan.dice <= 0:
            after.add(chance, position)
        elif self.waits_for_roll(shot):
            self.rolled(chance, position, lambda twin: _blow(twin.shots[place], plan), after)
        else:
            self._apply(chance, position, place, plan, after)

    def _settle(self, chance: float, position: ExchangePosition, after: Branches) -> None:
        """Who went down may cheat death; damaged vehicles may have a critical hit, the retaliator's victims first."""
        if not position.attacks:
            after.add(chance, position)
            return
        first, *back = range(len(position.attacks))
        rules = position.play.rules

        def settle(twin: ExchangePosition) -> Procedure:
            for place in back:
                yield from rules.criticals.check(twin.play, twin.attacks[place])
            yield from rules.damage.settle_dying(twin.play, twin.attacks[first])
            yield from rules.criticals.check(twin.play, twin.attacks[first])

        if any(attack.damage_to or attack.dying for attack in position.attacks):
            self.rolled(chance, position, settle, after)
        else:
            after.add(chance, position)


def _by_face(question: Dice) -> bool:
    return question.throw is not None and question.throw.rule in BY_FACE


def declared(play: Play, attack: Attack) -> Procedure:
    """An attack up to the moment before its dice: weapons aimed, skills chosen; returns the shots."""
    attacks = play.rules.attacks
    shots: list[Shot] = yield from attacks.declare(play, attack)
    close = [shot for shot in shots if shot.close]
    ranged = [shot for shot in shots if not shot.close]
    yield from attacks._choose_sustained_part(play, attack, ranged, close)
    if shots:
        for answer in attack.unit.effects.get("on_aimed", ()):
            yield from answer(attack, shots)
    return shots


def _struck(play: Play, shot: Shot) -> list[Shot]:
    """A shot once for every unit that it strikes."""
    if shot.close:
        return [shot]
    struck: list[Shot] = play.rules.attacks.victims(play, shot)
    return struck


def _strikes(play: Play, shot: Shot) -> bool:
    """Can the blow still be struck at this moment; with how many weapons?"""
    shot.count = play.rules.close_combat.still_striking(shot)
    may = shot.count > 0 and shot.target.stands and shot.unit.on_board and shot.cell is not None
    return may and not shot.unit.stunned


def _strike(shot: Shot) -> None:
    """The target was hit, whatever its saves."""
    if not shot.close:
        shot.attack.hit_units.setdefault(shot.target.id, []).append(shot)
    shot.play.rules.attacks.tell_struck(shot.play, shot, 1)


def _divide(shot: Shot, hits: int) -> Procedure:
    """So many hits got past the saves; the rules divide them, negate some and take the losses."""
    _strike(shot)
    if hits:
        yield from shot.play.rules.damage.strike(shot.play, shot, hits)


def _enough(unsaved: list[float], shot: Shot) -> list[float]:
    """Hits past the saves, those beyond what finishes the target taken together."""
    damage = shot.play.rules.damage
    finish = sum(damage.hits_to_finish(shot, part) for part in shot.target.fighters())
    if len(unsaved) <= finish + 1 or "on_blows" in shot.target.effects:
        return unsaved
    return [*unsaved[:finish], sum(unsaved[finish:])]


def _suffer(shot: Shot, points: int) -> Procedure:
    """The target was hit and loses so many points past saves and negation."""
    play, target = shot.play, shot.target
    _strike(shot)
    if not points:
        return
    damage = play.rules.damage
    part = target.fighters()[0]
    picker = damage.picker(shot)
    if picker.named is not None and part.squad and picker.named[1] not in part.alive:
        return  # the miniature named beforehand is gone already
    rule = "d47.attack.damage.infantry" if part.squad else "d47.attack.damage.value"
    lost = yield from damage.lose(play, target, part, points, picker, rule, shot)
    if not target.is_infantry:
        shot.attack.damage_to[target.id] = shot.attack.damage_to.get(target.id, 0) + lost
    yield from damage._tell_damaged(play, shot, lost)
    yield from damage.bury(play, target, shot)


def _blow(shot: Shot, plan: PoolPlan) -> Procedure:
    """Roll and land one blow by the rules themselves."""
    rules = shot.play.rules
    hits = yield from rules.attacks.roll_hits(shot.play, shot, plan)
    yield from rules.close_combat._land(shot.play, shot, plan, hits)
