"""Attack odds of Konflikt '47: the rules measure and plan, volleys come in closed form, procedures carry them on.

konflikt_exchange.py follows every position that can come up; here it is asked between two cards and told in words. The
naive twin is `by_procedure`, which drives the whole attack in one piece and follows every die.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dieselfront.dice import Dice
from dieselfront.dice.rollers import Roller
from dieselfront.kernel.game import Procedure
from dieselfront.odds import oracle, stages
from dieselfront.odds.forecast import Outlook
from dieselfront.odds.games import OddsError
from dieselfront.odds.result import AttackOdds, Odds, Step, mean
from dieselfront.rulesets.konflikt47.assault import HAND_TO_HAND
from dieselfront.rulesets.konflikt47.firing import Shot
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.odds import fire_odds, firing_range, outcomes
from dieselfront.rulesets.konflikt47.odds.exchange import Exchange, attacked, by_face, with_machines
from dieselfront.rulesets.konflikt47.odds.firing_range import ATTACKER, TARGET, KonfliktSituation, Range
from dieselfront.rulesets.konflikt47.odds.policy import Policy, declared
from dieselfront.rulesets.konflikt47.odds.positions import Branches, ExchangePosition, bare, more_news, noticed
from dieselfront.rulesets.konflikt47.odds.volley import Fire
from dieselfront.rulesets.konflikt47.plans import CHOSEN, GRADES
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import RUN, State, Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

ONE, SIX = 1, 32  # faces as masks


class Fate(NamedTuple):
    """What became of one unit: models lost, is it gone, how many pins it has, and what else happened to it."""

    lost: int
    destroyed: bool
    pins: int
    news: tuple[str, ...]


class End(NamedTuple):
    """What became of both."""

    target: Fate
    attacker: Fate


# -- between two cards -------------------------------------------------------------------------------------------


def attack(rules: Konflikt47, attacker: Any, target: Any, situation: KonfliktSituation | None = None) -> AttackOdds:
    """The odds of one unit shooting at another or assaulting it."""
    situation = situation or KonfliktSituation()
    place = firing_range.build(rules, attacker, target, situation)
    fire = first_fire(rules, place, situation)
    outlook = exchange(rules, place, situation)
    return _in_words(place, situation, fire, outlook)


def exchange(rules: Konflikt47, place: Range, situation: KonfliktSituation) -> Outlook[End]:
    """Everything that can come of the attack."""
    carried = Exchange(rules, situation)
    branches: Branches = [(1.0, ExchangePosition(place.play.state))]
    for turn in range(situation.turns):
        if turn:
            branches = [(chance, _next_turn(position, situation)) for chance, position in branches]
        branches = carried.assault(branches, place.range) if situation.close else carried.shoot(branches, place.range)
    chances: dict[End, float] = {}
    for chance, position in branches:
        end = End(_fate(place.target, position), _fate(place.attacker, position))
        chances[end] = chances.get(end, 0.0) + chance
    return Outlook(chances, max(0.0, 1.0 - sum(chances.values())), 1)


def _next_turn(position: ExchangePosition, situation: KonfliktSituation) -> ExchangePosition:
    """Order dice go back to the cup, and the attacker gets the same order again."""
    state = position.state.clone()
    state.turn += 1
    for unit in state.units:
        if unit.alive:
            del unit.halted, unit.parted
            unit.order = ""
    if state.unit(ATTACKER).alive:
        state.unit(ATTACKER).order = RUN if situation.close else situation.order
    return ExchangePosition(state, position.news)


def _fate(before: Unit, position: ExchangePosition) -> Fate:
    after = position.state.unit(before.id)
    news = tuple(text for id, text in position.news if id == before.id)
    lost = len(before.men) - len(after.men)
    if before.is_vehicle:
        lost = int(not after.alive)
    return Fate(lost, not after.alive, after.pins if after.alive else 0, news)


def first_fire(rules: Konflikt47, place: Range, situation: KonfliktSituation) -> Fire:
    """The attacker's first volley, whose dice are shown."""
    position = ExchangePosition(place.play.state)
    if situation.close:
        carried = Exchange(rules, situation)
        if place.attacker.is_vehicle or place.target.is_vehicle:
            return Fire(rules, ATTACKER, TARGET, HAND_TO_HAND, [], {outcomes.NOTHING: 1.0}, [])
        return carried._blows(position, ATTACKER, TARGET, carried._method(position, ATTACKER))
    shots = declared(rules, place.play.state, place.attacker, place.target, situation.order, situation)
    fire = Fire.aimed(rules, position, ATTACKER, shots, situation)
    waves = any(place.attacker.weapon(shot.weapon).is_wave for shot in shots)
    if not fire.pools and not waves:
        raise OddsError(_why_none(rules, place, shots, situation))
    return fire


def _why_none(rules: Konflikt47, place: Range, shots: Sequence[Shot], situation: KonfliktSituation) -> str:
    _, lost = rules.shooting.pools(place.play.state, place.attacker, place.target, shots, situation.order)
    reason = lost[1] if lost else "no weapon of it bears"
    if situation.weapons and not shots:
        own = ", ".join(dict.fromkeys(weapon.name for weapon in place.attacker.card.weapons if weapon.shoots))
        reason = f"it has {own or 'no weapon that shoots'}"
    names = f"{place.attacker.card.name} cannot shoot at {place.target.card.name} from {place.range} inches"
    return f"{names}: {reason}"


# -- in words ----------------------------------------------------------------------------------------------------


def _in_words(place: Range, situation: KonfliktSituation, fire: Fire, outlook: Outlook[End]) -> AttackOdds:
    target = _odds_of(place.target, _label(fire, situation), outlook, 0, place, fire)
    back = None
    if outlook.chance(lambda end: end.attacker.lost > 0 or end.attacker.destroyed) > 0.0 or situation.reaction:
        back = _odds_of(place.attacker, f"{place.target.card.name} strikes back", outlook, 1, place, None)
    return AttackOdds(
        place.attacker.card.name,
        place.target.card.name,
        situation if situation.close else situation.but(range=place.range),
        target,
        back,
        outlook,
        lambda: refused(place, situation, fire),
    )


def _label(fire: Fire, situation: KonfliktSituation) -> str:
    if not fire.pools:
        return "hand-to-hand" if situation.close else "a line of fire"
    weapons = []
    for pool in fire.pools:
        name = pool.weapon.name + (f" ({pool.round})" if pool.round else "")
        weapons.append(f"{len(pool.men)} × {name}" if len(pool.men) > 1 else name)
    return ", ".join(weapons)


def _odds_of(unit: Unit, label: str, outlook: Outlook[End], which: int, place: Range, fire: Fire | None) -> Odds:
    most = 1 if unit.is_vehicle else len(unit.men)
    losses = outlook.distribution(lambda end: min(end[which].lost, most), most + 1)
    hits: list[float] = [1.0]
    hurt: list[float] = [1.0]
    if fire is not None:
        hits, hurt = _hits(fire, place.play.state, unit)
    odds = Odds(
        label,
        hits=hits if fire is not None else (),
        unsaved=hurt if fire is not None else (),
        points=hurt if fire is not None else (),
        losses=losses,
        mean_hits=mean(hits) if fire is not None else 0.0,
        mean_unsaved=mean(hurt) if fire is not None else 0.0,
        mean_points=mean(hurt) if fire is not None else mean(losses),
        squad=not unit.is_vehicle,
        tail=max(outlook.missing, 0.0),
        steps=lambda: steps(place, fire) if fire is not None else (),
    )
    odds.dead = outlook.chance(lambda end: end[which].destroyed)
    odds.words = WORDS_VEHICLE if unit.is_vehicle else WORDS_TROOPS
    pins = outlook.distribution(lambda end: 0 if end[which].destroyed else max(0, end[which].pins - unit.pins))
    odds.further["pins"] = tuple(pins)
    odds.tell_chances(lambda: _events(unit, outlook, which, fire, place))
    return odds


WORDS_TROOPS = ("models", "damaging hits")
WORDS_VEHICLE = ("vehicles", "damaging hits")


def _hits(fire: Fire, state: State, target: Unit) -> tuple[list[float], list[float]]:
    """How many hits, and how many of them do damage, whatever the target can bear."""
    hits, hurt = [1.0], [1.0]
    for pool in fire.pools:
        part = fire.rules.plans.of_pool(state, target, pool)
        struck = fire_odds.to_hit(pool, part.hit)
        hits = fire_odds.added(hits, struck)
        rolled = fire_odds.damage_rolls(part, struck)
        hurt = fire_odds.added(hurt, fire_odds.mixed(rolled, fire_odds.kept_damage(part), len(rolled) - 1))
    if not fire.pools:  # blows always hit
        troops = fire.how == HAND_TO_HAND and not state.unit(fire.unit).is_vehicle and not target.is_vehicle
        dice = sum(fire.rules.assault.attack_dice(state.unit(fire.unit))) if troops else 0
        hits = [0.0] * dice + [1.0]
        most = max((salvo.total for salvo in fire.salvos), default=0)
        hurt = [0.0] * (most + 1)
        for salvo, chance in fire.salvos.items():
            hurt[salvo.total] += chance
    return hits, hurt


def steps(place: Range, fire: Fire) -> list[Step]:
    """The rolls of the first volley with their rules; tough targets ignore some of the damage."""
    if not fire.pools:
        return _blow_steps(place, fire)
    return fire_odds.steps(fire.rules, place.play.state, place.target, fire.pools)


def _blow_steps(place: Range, fire: Fire) -> list[Step]:
    """Hand-to-hand attacks between troops (k47.cq.h2h_attacks)."""
    unit, target = place.attacker, place.target
    if fire.how != HAND_TO_HAND or unit.is_vehicle or target.is_vehicle:
        return []
    throw, ignore = fire.rules.fight_plans.blow(place.play.state, unit, target)
    dice, chance = float(sum(fire.rules.assault.attack_dice(unit))), float(throw.chance())
    steps = [Step.of("hand-to-hand", throw, "hit", dice, chance, 0.0, dice * chance)]
    if ignore is not None:
        saved = float(ignore.chance())
        steps.append(Step.of("hand-to-hand", ignore, "ignore", dice * chance, saved, 0.0, dice * chance * saved))
    return steps


def _events(unit: Unit, outlook: Outlook[End], which: int, fire: Fire | None, place: Range) -> dict[str, float]:
    """Further events by name, with their chances."""
    events: dict[str, float] = {}
    if fire is not None and fire.pools:
        events["hit"] = sum(chance for salvo, chance in fire.salvos.items() if salvo.hit)
        events |= _of_dice(fire, place.play.state, unit)
    for end, chance in outlook.chances.items():
        for text in end[which].news:
            events[text] = events.get(text, 0.0) + chance
        if end[which].pins > unit.pins and not end[which].destroyed:
            events["pinned"] = events.get("pinned", 0.0) + chance
    return events


def _of_dice(fire: Fire, state: State, target: Unit) -> dict[str, float]:
    """What the dice of the first volley can show: exceptional damage, grades of damage."""
    plan = fire.rules.plans.of_volley(state, target, fire.pools)
    names = [f"{grade} damage" for grade in GRADES] if target.is_armoured else [] if target.is_vehicle else [CHOSEN]
    by_name = {SHOWN.get(name, name): 1.0 - stages.marginal(plan, name)[0] for name in names}
    return {name: chance for name, chance in by_name.items() if chance > 0.0}


SHOWN = {CHOSEN: "exceptional damage"}


def refused(place: Range, situation: KonfliktSituation, fire: Fire) -> list[tuple[str, str, str]]:
    """The weapons that take no part: name, rule and reason."""
    if situation.close:
        return []
    rules, state, unit, target = place.play.rules, place.play.state, place.attacker, place.target
    used = {pool.weapon.name for pool in fire.pools}
    shots = declared(rules, state, unit, target, situation.order, situation)
    fired = {unit.weapon(shot.weapon).name for shot in shots}
    reasons: dict[str, tuple[str, str, str]] = {}
    for man in unit.men:
        for index in unit.weapons_of(man):
            weapon = unit.weapon(index)
            if weapon.name in used or weapon.name in reasons or not weapon.shoots:
                continue
            reasons[weapon.name] = _why_not(rules, state, unit, target, man, index, situation, weapon.name in fired)
    return list(reasons.values())


def _why_not(
    rules: Konflikt47,
    state: State,
    unit: Unit,
    target: Unit,
    man: int,
    index: int,
    situation: KonfliktSituation,
    fired: bool,
) -> tuple[str, str, str]:
    weapon = unit.weapon(index)
    if not rules.shooting.serves(unit, man):
        return weapon.name, "k47.wrule.team_crew", "its carrier does not shoot"
    if not rules.shooting.may_fire(unit, man, weapon, situation.order):
        return weapon.name, "k47.wrule.fixed_move", "it does not fire by this order"
    if not rules.shooting.bears(state, unit, weapon, target):
        return weapon.name, "k47.shoot.arcs", "the target is outside its arc"
    ways = rules.shooting.rounds(state, unit, weapon, situation.order)
    _, lost = rules.shooting.pools(
        state, unit, target, [Shot(man, index, target.id, way) for way in ways[:1]], situation.order
    )
    if lost is not None:
        return weapon.name, lost[0], lost[1]
    rule = "k47.shoot.vehicle_weapons" if unit.is_vehicle else "k47.shoot.who"
    return weapon.name, rule, "fired already" if fired else "another weapon is fired instead"


# -- the real procedure in one piece -----------------------------------------------------------------------------


def by_procedure(
    rules: Konflikt47, place: Range, situation: KonfliktSituation, *, every_face: bool = False, most: int = 0
) -> Outlook[End]:
    """The same by driving the whole procedure and forking at every roll: slow, and what `exchange` is tested against.

    Faces that a roll treats alike are taken together; with `every_face` not even those. More than `most` ways for the
    dice to fall raise TooManyPaths.
    """
    plain = bare(rules)
    shots = [] if situation.close else declared(plain, place.play.state, *place[1:3], situation.order, situation)

    def run(dice: Roller) -> End:
        state = place.play.state.clone()
        play = Play(plain, state)
        oracle.drive(whole(play, situation, place.range, shots), dice, Policy(situation, plain, state))
        position = ExchangePosition(state, more_news((), noticed(play.events)))
        return End(_fate(place.target, position), _fate(place.attacker, position))

    armoured = place.target.is_armoured or (situation.reaction and place.attacker.is_armoured)
    again = "on_reroll_ones" in {*place.attacker.hooks, *place.target.hooks}

    def apart(question: Dice) -> bool:
        return armoured and by_face(question)

    def lump(question: Dice) -> bool | tuple[int, ...]:
        if every_face:
            return False
        if by_face(question):
            return (SIX,)  # exceptional damage
        return (ONE,) if again and question.label.endswith("to hit") else True

    explored = oracle.explore(run, apart=apart, lump=lump, cut=1e-16, most=most)
    chances = {end: float(weight) for end, weight in explored.chances.items()}
    return Outlook(chances, explored.missing, explored.paths)


def whole(play: Play, situation: KonfliktSituation, far: int, first: Sequence[Shot] = ()) -> Procedure:
    """The attack as the rules play it, from the declared shots, or from contact."""
    state: State = play.state
    rules = play.rules
    shots = list(first)
    for turn in range(situation.turns):
        if turn:
            following = _next_turn(ExchangePosition(state), situation).state
            for unit, after in zip(state.units, following.units, strict=True):
                unit.order, unit.notes = after.order, after.notes
            state.turn = following.turn
        unit, target = state.unit(ATTACKER), state.unit(TARGET)
        if not unit.alive or not target.alive:
            return
        if situation.close:
            yield from _whole_assault(play, unit, target, situation, far)
        else:
            if turn or not shots:
                shots = declared(rules, state, unit, target, situation.order, situation)
            yield from rules.shooting.fire(play, unit, shots, situation.order, reactions=situation.reaction)


def _whole_assault(play: Play, unit: Unit, target: Unit, situation: KonfliktSituation, far: int) -> Procedure:
    rules = play.rules
    yield from attacked(play)
    bold = yield from rules.assault.horror(play, unit, target)
    if bold and situation.reaction:
        yield from rules.assault.stand_and_fire(play, unit, target, far * INCH, unit.bodies)
    for _ in range(situation.rounds):
        if not unit.alive or not target.alive or unit.halted or unit.parted:
            return
        if unit.is_vehicle or target.is_vehicle:
            yield from with_machines(play)
            continue
        losses = yield from rules.assault.round(play, unit, target)
        yield from rules.assault.compare(play, unit, target, losses)
        if losses == (0, 0):
            return
