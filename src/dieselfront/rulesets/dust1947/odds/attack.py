"""Attack odds of the Dust games: the ruleset plans the attack, the odds room evaluates the plans.

Plain attacks (dice, saves, losses on one target) come in closed form. Whatever is more than that, retaliation, a
reaction before the shot, tokens, critical hits, skills that act on results, is forecast by running the real procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from dieselfront.dice import Dice
from dieselfront.dice.rollers import Roller
from dieselfront.forces import DustCard
from dieselfront.kernel.decisions import Answer, Assign, Decision, Number, PickOne, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.odds import exact, oracle
from dieselfront.odds.forecast import Outlook, forecast
from dieselfront.odds.games import OddsError
from dieselfront.odds.oracle import NO_DICE
from dieselfront.odds.result import AttackOdds, Odds
from dieselfront.rulesets.dust.shots import Attack, Pool, Shot
from dieselfront.rulesets.dust.state import ACTIVATED, TOKEN_NAMES, Unit
from dieselfront.rulesets.dust1947.odds import firing_range
from dieselfront.rulesets.dust1947.odds.exchange import (
    BY_FACE,
    Branches,
    Exchange,
    ExchangePosition,
    declared,
    state_key,
)
from dieselfront.rulesets.dust1947.odds.firing_range import Range
from dieselfront.rulesets.dust1947.odds.situation import Situation
from dieselfront.rulesets.dust1947.playing import Play

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947 import Dust1947

ATTACKER, TARGET = firing_range.ATTACKER, firing_range.TARGET
TWO_ARMIES = 1 / 9  # d47.critical.trigger


class Fate(NamedTuple):
    """What became of one unit."""

    lost: int
    destroyed: bool
    tokens: tuple[str, ...]
    criticals: tuple[str, ...]


class End(NamedTuple):
    """What became of all."""

    target: Fate
    attacker: Fate
    others: tuple[Fate, ...] = ()


# -- who decides what ---------------------------------------------------------------------------------------


class Policy:
    """Answers decisions inside an attack: all weapons at the target, skills as told, cheapest soldiers lost."""

    def __init__(self, situation: Situation, play: Play) -> None:
        self.situation = situation
        self.play = play

    def __call__(self, decision: Decision) -> Answer:
        if isinstance(decision, Assign):
            held = decision.key == "retaliate" and not self.situation.retaliate
            return (None,) * len(decision.items) if held else self.aims(decision)
        if decision.key == "casualty" and isinstance(decision, PickOne):
            return self.casualty(decision)
        if isinstance(decision, YesNo):
            return self.uses(decision)
        if isinstance(decision, Number):  # hits for a joined hero
            return decision.most if self.situation.casualties == "hero" else decision.least
        if decision.key == "react" and isinstance(decision, PickOne):
            return TARGET if TARGET in decision.options else None
        return next(iter(decision.answers()))

    def uses(self, decision: YesNo) -> bool:
        """A skill is used if it was asked for."""
        words = f"{decision.key} {decision.text} {decision.rule}".lower().replace("_", " ").replace("-", " ")
        return any(skill.lower().replace("-", " ") in words for skill in self.situation.skills)

    def casualty(self, decision: PickOne) -> Answer:
        """The soldier who is missed least, among those offered."""
        unit = self.play.state.by_id[decision.unit]
        part = next(part for part in unit.parts if part.squad and decision.options[0] in part.alive)
        order = firing_range.casualty_order(part, self.situation.casualties)
        return min(decision.options, key=order.index)

    def aims(self, decision: Assign) -> Answer:
        """Every weapon that may, at the target, in the way asked for; those that do not go together give way."""
        answer: list[Answer] = [None] * len(decision.items)
        for place in sorted(range(len(answer)), key=lambda place: decision.items[place][1] < 0):
            aim = self.aim(decision.choices[place], decision, decision.items[place])
            if aim is None:
                continue
            answer[place] = aim
            if decision.objection(tuple(answer)) is not None:
                answer[place] = None
        return tuple(answer)

    def aim(self, aims: Iterable[Answer], decision: Assign, item: Any) -> Answer:
        """The best fitting way to aim one weapon."""
        wanted = self.victim(decision, item)
        fitting = [aim for aim in aims if aim is not None and self.strikes(aim, wanted)]
        return max(fitting, key=self._fit, default=None)

    def victim(self, decision: Assign, item: Any) -> str:
        """The enemy a weapon is meant for: the first target, unless it was aimed at one of the others."""
        if decision.unit != ATTACKER:
            return ATTACKER
        if self.situation.aims and item[1] >= 0:
            weapon = self.play.state.by_id[ATTACKER].parts[item[0]].card.weapons[item[1]]
            for name, card in self.situation.aims.items():
                if name.lower() in (weapon.id, weapon.name.lower()):
                    return firing_range.other_id(self.situation.others.index(card))
        return TARGET

    def strikes(self, aim: Answer, wanted: str) -> bool:
        """Is this aim at the enemy asked about; artillery aims at his square?"""
        return aim[0] == wanted or (not isinstance(aim[0], str) and aim[0] in self.play.state.by_id[wanted].where)

    def _fit(self, aim: Answer) -> int:
        """Modes asked for count for an aim, others against it."""
        words = [word for word in aim[1:] if isinstance(word, str)]
        return sum(1 if word in self.situation.modes else -1 for word in words if word != "area")


# -- closed form --------------------------------------------------------------------------------------------


def pools(play: Play, shots: Iterable[Shot]) -> list[Pool]:
    """The plans of declared shots, one for every unit each of them strikes."""
    attacks = play.rules.attacks
    return [
        Pool(struck, attacks.plan(play, struck))
        for shot in shots
        for struck in ([shot] if shot.close else attacks.victims(play, shot))
    ]


def tells_all(pool: Pool) -> bool:
    """Do the plans alone tell what becomes of the target?"""
    whole: bool = pool.shot.play.rules.attacks.plan_tells_all(pool.shot)
    return whole


# -- between two cards --------------------------------------------------------------------------------------


def attack(rules: Dust1947, attacker: DustCard, target: DustCard, situation: Situation | None = None) -> AttackOdds:
    """The odds of one unit attacking another: closed form where the plans tell all, else the real procedure."""
    situation = situation or Situation()
    place = prepare(rules, attacker, target, situation)
    policy = Policy(situation, place.play)
    pools = _pools_of(place, policy, situation)
    mine = [pool for pool in pools if pool.shot.target is place.target]
    if not mine:
        raise OddsError(_why_none(place, situation))
    odds = exact.evaluate([pool.plan for pool in mine] * situation.turns, label=_label(mine))

    def refused() -> list[tuple[str, str, str]]:
        return _refused(place, situation, pools)

    plain = not situation.reaction and situation.turns == 1 and not situation.others
    if plain and all(tells_all(pool) for pool in mine):
        odds.tell_chances(lambda: _chances(place, mine, odds))
        return AttackOdds(attacker.name, target.name, situation, odds, refused=refused, choices=_choices(place))
    outlook = exchange(rules, attacker, target, situation)
    return _in_words(place, situation, odds, outlook, refused, pools)


def prepare(rules: Dust1947, attacker: DustCard, target: DustCard, situation: Situation) -> Range:
    """The two units on the firing range."""
    from dieselfront.forces import catalogue

    cards = catalogue(rules.id)
    mine = [attacker, *(cards[name] for name in situation.attacker_with)]
    theirs = [target, *(cards[name] for name in situation.target_with)]
    _check_aims(attacker, situation)
    return firing_range.build(rules, mine, theirs, situation, [cards[name] for name in situation.others])


def _check_aims(attacker: DustCard, situation: Situation) -> None:
    """Weapons must exist, and what they are aimed at must be there."""
    own = {name.lower() for weapon in attacker.weapons for name in (weapon.id, weapon.name)}
    for weapon, card in situation.aims.items():
        if weapon.lower() not in own:
            names = ", ".join(one.name for one in attacker.weapons)
            raise OddsError(f"{attacker.name} has no weapon {weapon}; it has {names}")
        if card not in situation.others:
            raise OddsError(f"{weapon} is aimed at {card}, which is none of the further targets")


CHOICES = ("Fighting Spirit", "Lucky", "Assault Shield")
"""Skills that are a choice in the middle of an attack."""


def _choices(place: Range) -> tuple[str, ...]:
    """Which of them the two units have."""
    printed = {
        skill.name for unit in (place.attacker, place.target) for part in unit.parts for skill in part.card.skills
    }
    return tuple(name for name in CHOICES if name in printed)


def plans(rules: Dust1947, attacker: DustCard, target: DustCard, situation: Situation | None = None) -> list[Pool]:
    """The plans of an attack between two cards, without evaluating them."""
    situation = situation or Situation()
    place = prepare(rules, attacker, target, situation)
    policy = Policy(situation, place.play)
    return [pool for pool in _pools_of(place, policy, situation) if pool.shot.target is place.target]


def _start(place: Range, situation: Situation) -> Attack:
    """The attack as an action of the attacker."""
    attack: Attack = place.play.rules.activations.plain_attack(place.play, place.attacker)
    attack.sustained = situation.sustained
    attack.ranged_allowed = attack.ranged_allowed and situation.shoot
    if situation.close is not None:
        attack.close_allowed = situation.close
    elif situation.shoot:
        attack.close_allowed = not _has_ranged(place, situation)
    attack.weapons = _only(place.attacker, situation)
    return attack


def _has_ranged(place: Range, situation: Situation) -> bool:
    """Is there a ranged weapon that bears?"""
    trial = Attack(place.attacker, close_allowed=False)
    trial.weapons = _only(place.attacker, situation)
    return bool(place.play.rules.attacks.has_target(place.play, trial))


def _only(unit: Unit, situation: Situation) -> tuple[tuple[int, int], ...] | None:
    """The weapon lines asked for, None for all."""
    if not situation.weapons:
        return None
    wanted = {name.lower() for name in situation.weapons}
    chosen = tuple(
        (part, index)
        for part, owner in enumerate(unit.parts)
        for index, weapon in enumerate(owner.card.weapons)
        if weapon.id in wanted or weapon.name.lower() in wanted
    )
    if not chosen:
        own = ", ".join(weapon.name for part in unit.parts for weapon in part.card.weapons)
        raise OddsError(f"{unit.name} has no weapon {', '.join(situation.weapons)}; it has {own}")
    return chosen


def _pools_of(place: Range, policy: Policy, situation: Situation) -> list[Pool]:
    shots = oracle.drive(declared(place.play, _start(place, situation)), NO_DICE, policy)
    return pools(place.play, shots)


def _label(pools: list[Pool]) -> str:
    counted = [(pool.shot.count, pool.plan.label) for pool in pools]
    return ", ".join(f"{count} × {name}" if count > 1 else name for count, name in counted)


def _refused(place: Range, situation: Situation, pools: list[Pool]) -> list[tuple[str, str, str]]:
    """The weapons that do not take part, with the rule that says so."""
    used = {(pool.shot.part.card.id, pool.shot.index) for pool in pools}
    reasons = []
    trial = Attack(place.attacker, sustained=situation.sustained)
    for part, owner in enumerate(place.attacker.parts):
        if owner.role == "pilot":
            continue
        for index, weapon in enumerate(owner.card.weapons):
            if (owner.card.id, index) not in used:
                why = place.play.rules.attacks.why_not(place.play, trial, part, index, place.target)
                if why is not None:
                    reasons.append((weapon.name, why[0], why[1]))
    return reasons


def _why_none(place: Range, situation: Situation) -> str:
    refused = _refused(place, situation, [])
    reason = f": {refused[0][2]}" if refused else ""
    return f"{place.attacker.name} cannot attack {place.target.name} like this{reason}"


def _chances(place: Range, mine: list[Pool], odds: Odds) -> dict[str, float]:
    """Tokens and critical hits of a plain attack, from chances already known."""
    unhit = _unhit(mine)
    events = {"hit": 1.0 - unhit}
    tokens = [_token(place, [pool]) for pool in mine]
    strongest = "suppressed" if "suppressed" in tokens else tokens[0]
    others = [pool for pool, token in zip(mine, tokens, strict=True) if token != strongest]
    strong = [pool for pool, token in zip(mine, tokens, strict=True) if token == strongest]
    spared = _unhit(strong) * (1.0 - exact.losses_of([pool.plan for pool in others])[-1]) if others else unhit
    if strongest:
        events[strongest] = max(0.0, 1.0 - odds.destroyed - spared)
    if others:
        events[_token(place, others)] = max(0.0, spared - unhit)
    criticals = place.play.rules.criticals
    if not place.target.is_infantry and criticals.may_suffer(place.play, mine[0].shot.attack, place.target):
        events["critical hit"] = max(0.0, 1.0 - odds.losses[0] - odds.destroyed) * TWO_ARMIES
    return events


def _unhit(pools: list[Pool]) -> float:
    """The chance that none of these pools scores a hit."""
    unhit = 1.0
    for pool in pools:
        unhit *= (1.0 - exact.chances(pool.plan.hit)[0]) ** max(pool.plan.dice, 0)
    return unhit


def _token(place: Range, mine: list[Pool]) -> str:
    """The token that a surviving target ends up with once it is hit, as the rules themselves give it."""
    trial = place.again()
    attack = Attack(trial.attacker)
    attack.hit_units[trial.target.id] = [pool.shot for pool in mine]
    before = trial.target.flags
    oracle.drive(trial.play.rules.suppression.after_fire(trial.play, attack), NO_DICE)
    gained = trial.target.flags & ~before
    return next((name for flag, name in TOKEN_NAMES.items() if gained & flag), "")


# -- the real procedure -------------------------------------------------------------------------------------


def exchange(rules: Dust1947, attacker: DustCard, target: DustCard, situation: Situation) -> Outlook[End]:
    """Reaction, shooting, close combat with retaliation and critical hits: everything that can come of it."""
    place = prepare(_reacting(rules) if situation.reaction else rules, attacker, target, situation)
    carried = Exchange(lambda play: Policy(situation, play), skills_used=bool(situation.skills))
    branches = Branches([(1.0, ExchangePosition(place.play, [], []))])
    if situation.reaction:
        branches = _react(carried, branches)
    for _ in range(situation.turns):
        branches = carried.attack(branches, lambda play: _main_attack(play, situation))
    ends: dict[End, float] = {}
    for chance, position in branches.all():
        state = position.play.state
        state.interrupted = ""
        position.play.rules.suppression.settle_deferred(position.play)
        others = tuple(_fate(unit, state.by_id[unit.id]) for unit in place.others)
        end = End(_fate(place.target, state.by_id[TARGET]), _fate(place.attacker, state.by_id[ATTACKER]), others)
        ends[end] = ends.get(end, 0.0) + chance
    return Outlook(ends, max(0.0, 1.0 - sum(ends.values())), 1)


def _main_attack(play: Play, situation: Situation) -> Attack | None:
    place = firing_range.range_of(play)
    left = any(unit.stands for unit in (place.target, *place.others))
    return _start(place, situation) if place.attacker.stands and left else None


def _react(carried: Exchange, branches: Branches) -> Branches:
    """The target's attempt to react, and the attack that comes of it."""

    def offer(chance: float, position: ExchangePosition, after: Branches) -> None:
        def attempt(twin: ExchangePosition) -> Procedure:
            rules = twin.play.rules
            caught = rules.attacks.caught  # type: ignore[attr-defined]  # those that `_reacting` put off
            caught.clear()
            yield from rules.reactions.offer(twin.play, twin.play.state.by_id[ATTACKER])
            twin.attacks = list(caught)

        carried.rolled(chance, position, attempt, after)

    branches = branches.then(offer)
    reached = Branches()
    for chance, position in branches.all():
        waiting = position.attacks
        if not waiting:
            reached.add(chance, position)
            continue
        position.play.state.interrupted = ATTACKER
        own = carried.attack(Branches([(chance, position)]), lambda play, a=waiting[0]: _again(play, a))  # type: ignore[misc]
        for share, after in own.all():
            done = ExchangePosition(after.play, [], [])
            done.play.state.interrupted = ""
            reached.add(share, done)
    return reached


def _again(play: Play, attack: Attack) -> Attack:
    """The attack of a reaction, in another copy of the same position."""
    twin = copy(attack)
    twin.unit = play.state.by_id[attack.unit.id]
    return twin


def _reacting(rules: Dust1947) -> Dust1947:
    """The ruleset with its attacks put off: a reaction ends with the attack that it leads to, not carried out yet."""
    changed = copy(rules)
    caught: list[Attack] = []

    def run(self: Any, play: Play, attack: Attack) -> Procedure:
        caught.append(attack)
        return
        yield

    changed.attacks = type("PutOff", (type(rules.attacks),), {"run": run, "caught": caught})()
    return changed


def by_procedure(
    rules: Dust1947, attacker: DustCard, target: DustCard, situation: Situation, *, faces: bool = False
) -> Outlook[End]:
    """The same by driving the whole procedure in one piece: slow, and what `exchange` is tested against.

    With `faces` every die is followed, not only the successes of throws.
    """
    watched = watching(rules)
    first = prepare(watched, attacker, target, situation)
    running: list[Play] = []

    def run(dice: Roller) -> End:
        place = first.again()
        running[:] = [place.play]
        watched.watch.begin()
        oracle.drive(_whole(place, situation), dice, Policy(situation, place.play))
        others = tuple(_fate(before, after) for before, after in zip(first.others, place.others, strict=True))
        return End(_fate(first.target, place.target), _fate(first.attacker, place.attacker), others)

    def read(question: Dice) -> bool:
        return faces or (question.throw is not None and question.throw.rule in BY_FACE)

    return forecast(run, lambda question: watched.watch.mark(question, running[0]), by_face=read)


def _whole(place: Range, situation: Situation) -> Procedure:
    """Reaction first, then the attack by whoever is left."""
    play = place.play
    if situation.reaction:
        yield from play.rules.reactions.offer(play, place.attacker)
    for _ in range(situation.turns):
        if place.attacker.stands and any(unit.stands for unit in (place.target, *place.others)):
            yield from play.rules.attacks.run(play, _start(place, situation))
    play.rules.suppression.settle_deferred(play)


def _fate(before: Unit, after: Unit) -> Fate:
    had = sum(part.left for part in before.fighters())
    left = sum(max(part.left, 0) for part in after.fighters()) if after.alive else 0
    gone = not after.stands
    shown = 0 if gone else after.flags & ~ACTIVATED
    tokens = tuple(name for flag, name in TOKEN_NAMES.items() if shown & flag)
    return Fate(had - left, gone, tokens, after.criticals)


class Watch:
    """Sees which pool is being resolved, so that equal positions between pools can be recognised."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """A new run."""
        self.attacks = 0
        self.pools = 0
        self.attack: Any = None
        self.pool: Any = None

    def see(self, pool: Pool) -> None:
        """A pool is about to be resolved."""
        if pool.shot.attack is not self.attack:
            self.attack = pool.shot.attack
            self.attacks += 1
            self.pools = 0
        self.pools += 1
        self.pool = pool

    def mark(self, question: Dice, play: Play) -> Any:
        """Between ranged pools nothing is remembered but the state and what the attack has done so far."""
        pool = self.pool
        if pool is None or pool.shot.close or question.throw is not pool.plan.hit:
            return None
        attack = pool.shot.attack
        struck = tuple((target, tuple(shot.index for shot in shots)) for target, shots in attack.hit_units.items())
        return (
            self.attacks,
            self.pools,
            attack.unit.id,
            attack.sustained,
            attack.reactive,
            struck,
            tuple(attack.damage_to.items()),
            tuple(sorted(attack.flags)),
            len(attack.dying),
            state_key(play),
        )


def watching(rules: Dust1947) -> Any:
    """The same ruleset, with its attack chapter watched."""
    watched: Any = copy(rules)
    watched.watch = watch = Watch()

    def resolve(self: Any, play: Play, pool: Pool) -> Procedure:
        watch.see(pool)
        yield from type(rules.attacks).resolve(self, play, pool)
        watch.pool = None

    watched.attacks = type("WatchedAttacks", (type(rules.attacks),), {"resolve": resolve})()
    return watched


def _in_words(
    place: Range,
    situation: Situation,
    odds: Odds,
    outlook: Outlook[End],
    refused: Callable[[], list[tuple[str, str, str]]],
    pools: list[Pool],
) -> AttackOdds:
    """The forecast in the shape of odds: hits from the plans, losses and events from what really happens."""
    target = _odds_of(place.target, odds.label, outlook, 0, odds)
    back = None
    if outlook.chance(lambda end: end.attacker.lost > 0) > 0.0:
        back = _odds_of(place.attacker, f"{place.target.name} strikes back", outlook, 1, None)
    others = [
        (unit.name, _odds_of(unit, _label(own), outlook, 2 + place_of, exact.evaluate([pool.plan for pool in own])))
        for place_of, unit in enumerate(place.others)
        if (own := [pool for pool in pools if pool.shot.target is unit])
    ]
    return AttackOdds(
        place.attacker.name, place.target.name, situation, target, back, outlook, refused, others, _choices(place)
    )


def fate(end: End, which: int) -> Fate:
    """The fate of the target (0), the attacker (1) or a further target (2, 3 ...)."""
    return end.target if which == 0 else end.attacker if which == 1 else end.others[which - 2]


def _odds_of(unit: Unit, label: str, outlook: Outlook[End], which: int, planned: Odds | None) -> Odds:
    capacity = sum(part.left for part in unit.fighters())
    losses = outlook.distribution(lambda end: min(fate(end, which).lost, capacity), capacity + 1)
    mean = sum(number * chance for number, chance in enumerate(losses))
    odds = Odds(
        label,
        hits=lambda: planned.hits if planned is not None else (),
        unsaved=lambda: planned.unsaved if planned is not None else (),
        points=lambda: planned.points if planned is not None else (),
        losses=losses,
        mean_hits=planned.mean_hits if planned is not None else 0.0,
        mean_unsaved=planned.mean_unsaved if planned is not None else 0.0,
        mean_points=planned.mean_points if planned is not None else mean,
        squad=unit.main.squad,
        tail=max(outlook.missing, 0.0),
        steps=lambda: planned.steps if planned is not None else (),
    )
    odds.dead = outlook.chance(lambda end: fate(end, which).destroyed)
    odds.tell_chances(lambda: _events(outlook, which))
    return odds


def _events(outlook: Outlook[End], which: int) -> dict[str, float]:
    """Tokens and critical hits by name, with their chances."""
    events: dict[str, float] = {}
    for end, chance in outlook.chances.items():
        became = fate(end, which)
        for name in became.tokens:
            events[name] = events.get(name, 0.0) + chance
        for critical in became.criticals:
            events["critical hit"] = events.get("critical hit", 0.0) + chance
            name = f"critical: {critical.replace('_', ' ')}"
            events[name] = events.get(name, 0.0) + chance
    return dict(sorted(events.items()))
