"""Special actions of Dust units, as an adviser sees them: what each is worth at first sight, for whom and where.

Every special action has a method `_NAME` that gives its worth in army points, and where a choice follows, a method that
ranks those who could be chosen; the answers of the adviser (dust.py) use the same ranks. Plans live in dust_plans.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import (
    CAMOUFLAGED,
    DUG_IN,
    GRAPPLED,
    LOST,
    ON_BOARD,
    STUNNED,
    SUPPRESSED,
    UNDER_FIRE,
    Part,
    Unit,
)
from dieselfront.rulesets.dust1947.adviser.declare import Missed, soldier_worth
from dieselfront.rulesets.dust1947.adviser.field import Field, Piece
from dieselfront.rulesets.dust1947.adviser.fire import EVERY_ARC, PLAIN, SUSTAINED, Firepower
from dieselfront.rulesets.dust1947.adviser.goals import Goals, Ways
from dieselfront.rulesets.dust1947.adviser.open_table import field_of
from dieselfront.rulesets.dust1947.adviser.works import ONE, TWO, Works
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.skills.observers import batteries
from dieselfront.rulesets.dust1947.skills.recovery import lost_zombies

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.adviser.plans import Planner

UNKNOWN = 0.15
"""What a special action that has no judge here is worth."""

LATER = 0.45
"""What helps a unit only in the next turn counts less."""

ONCE = 1.5
"""What can be used once in a game must be worth so much at least."""

AFTER_MOVING = 0.4
"""An order given after a movement may reach nobody any more."""

ON_THE_SPOT = frozenset(
    {"camouflage", "dozer", "launch-smoke", "psychic-scream", "call-attack", "call-sustained-attack", "engineering"}
)
"""Special actions that depend on where the unit stands by then."""

AGAIN = {
    "get-up": 0.9,
    "medevac": 0.5,
    "repair": 0.7,
    "rally": 0.5,
    "get-moving": TWO,
    "ammo-drop": 0.4,
    "engineering": 0.6,
    "air-traffic-control": TWO,
    "air-alert": TWO,
    "reinforcement": TWO,
    "replacement": TWO,
}
"""What doing the same a second time is worth beside the first."""

HELPS = frozenset({"rally", "ammo-drop", "stimulants", "air-alert", "inject"})
"""Orders that help a unit which acts after them."""

SCREENS = 3
"""So many dangerous shooters are looked at when smoke is laid."""

SCREENED = 0.28
"""What smoke saves of the fire it stops: shooters may walk round it."""

READY = 0.05
"""What loaded weapons are worth that have no target yet, as a share of the unit."""

STUCK = ("immobilized", "reduced_mobility")
"""Critical hits that keep a vehicle from going where it is wanted."""

CRITICALS = {
    "main_weapon_destroyed": 0.3,
    "on_fire": 0.25,
    "immobilized": 0.2,
    "targeting_system_damaged": 0.15,
    "secondary_weapon_destroyed": 0.12,
    "reduced_mobility": 0.1,
}
"""What a critical hit takes from a vehicle, as a share of its points."""

Rank = Callable[[Unit], float]


@contextmanager
def supposing(field: Field, unit: Unit, flags: int) -> Iterator[None]:
    """The field as if a unit had other tokens."""
    piece = field.piece(unit)
    before, mark, number = unit.flags, piece.mark, piece.number
    unit.flags = flags
    piece.mark, piece.number = field.fire.mark(unit), field.fire.signature(unit)
    try:
        yield
    finally:
        unit.flags, piece.mark, piece.number = before, mark, number


@contextmanager
def standing(field: Field, unit: Unit, squares: tuple[int, ...]) -> Iterator[None]:
    """The field as if a unit stood on other squares; where it stands still hides what is behind it."""
    piece = field.piece(unit)
    before = piece.place, piece.where
    piece.place, piece.where = squares[0], squares
    try:
        yield
    finally:
        piece.place, piece.where = before


@contextmanager
def full_again(field: Field, unit: Unit) -> Iterator[None]:
    """The field as if a unit had all its ammunition and all weapons loaded."""
    piece = field.piece(unit)
    before = [(part, part.ammo, part.unloaded) for part in unit.parts]
    number = piece.number
    for part in unit.parts:
        part.ammo, part.unloaded = None, ()
    piece.number = field.fire.signature(unit)
    try:
        yield
    finally:
        for part, ammo, unloaded in before:
            part.ammo, part.unloaded = ammo, unloaded
        piece.number = number


def each_is_worth(part: Part) -> float:
    """Points of one soldier, or of one point of damage."""
    whole = len(part.card.soldiers) if part.squad else part.card.damage
    return float(part.card.points) / max(1, whole)


class Specials(Works):
    """What special actions are worth, by the weights of a planner."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self._judges: dict[str, Any] = {}

    def worth(self, field: Field, goals: Goals, unit: Unit, name: str, spot: int, hurry: bool) -> float:
        """What a special action is worth at first sight; `spot` is where the unit stands by then."""
        judge = self._judges.get(name)
        if judge is None:
            judge = self._judges[name] = getattr(self, "_" + name.replace("-", "_"), self._unknown)
        return float(judge(field, goals, unit, spot, hurry))

    def _unknown(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        return UNKNOWN

    def waiting(self, field: Field, goals: Goals, unit: Unit, name: str) -> float:
        """What the unit helped by an order would do anyway: it should act after the order, not before."""
        if name == "air-alert":
            return max(
                (self._of_the_alarmed(field, unit, foe.unit) for foe in field.foes(unit) if foe.flying), default=0.0
            )
        able = {
            "rally": lambda: field.play.rules.command.in_hearing(field.play, unit, "rally"),
            "ammo-drop": lambda: field.play.rules.command.to_supply(field.play, unit),
            "stimulants": lambda: field.play.rules.command.to_stimulate(field.play, unit),
            "inject": lambda: field.play.rules.command.near_medic(field.play, unit, "stimulants"),
        }[name]()
        ranks = {"rally": self.shaken, "ammo-drop": self.supplied}
        rank = ranks.get(name, self.stimulated)
        best = max(able, key=lambda other: rank(field, goals, other), default=None)
        if best is None or best is unit or best.activated:
            return 0.0
        wait = 1.0 if all(foe.acted for foe in field.foes(unit)) else 0.5
        return wait * max(0.0, self.act(field, goals, best))

    # -- what others could do ---------------------------------------------------------------------

    def prospect(self, field: Field, unit: Unit, kind: int = PLAIN) -> float:
        """The best attack of a unit from where it stands, or nearly so after a move."""
        if unit.status != ON_BOARD:
            return 0.0
        planner = self.planner
        piece = field.piece(unit)
        best = 0.0
        for foe in field.pieces[1 - unit.side]:
            salvo = field.shoots(piece, piece.place, foe, kind)
            worth = planner.gain(field, foe.unit, salvo) if salvo is not None else 0.0
            if not worth:
                worth = 0.6 * field.lurks(piece, foe, foe.place, kind)
            if worth > best:
                best = worth
        return best

    def act(self, field: Field, goals: Goals, unit: Unit) -> float:
        """What an activation of a unit brings now."""
        if unit.status != ON_BOARD:
            return 0.0
        plans = self.planner.plans(field, goals, unit, hurry=True)
        return plans[0].value - plans[0].idle if plans else 0.0

    def _time_for(self, field: Field, unit: Unit) -> float:
        """How much help for a unit counts: it has still to act, or it acts in the next turn, or never again."""
        if not unit.activated:
            return 1.0
        return LATER if field.state.turn < field.state.scenario.turns else 0.0

    def missed_in(self, play: Play, fire: Firepower, ways: Ways) -> Missed:
        """A judge of soldiers for a declaration: what a unit could no longer do without one of them."""
        made: list[tuple[Field, Goals]] = []

        def missed(unit: Unit, part: Part, soldier: int) -> float:
            if not made:
                made.append((field_of(play, fire), Goals(play, ways, self.planner.weights)))
            return self.missed(*made[0], unit, part, soldier)

        return missed

    def missed(self, field: Field, goals: Goals, unit: Unit, part: Part, soldier: int) -> float:
        """What the special actions are worth that a unit has only while a soldier lives: radios, medics, officers."""
        alive = part.alive
        if not self._time_for(field, unit) or soldier not in alive or len(alive) < 2:
            return 0.0
        return self._orders_missed(field, goals, unit, part, soldier) + self.fire_missed(field, unit, part, soldier)

    def fire_missed(self, field: Field, unit: Unit, part: Part, soldier: int) -> float:
        """What the best attack of a unit loses with one of its soldiers, beside losing any other one."""
        if unit.id not in field.by_id:
            return 0.0
        piece = field.by_id[unit.id]
        threats = []
        alive, number = part.alive, piece.number
        for man in alive:
            part.alive = tuple(other for other in alive if other != man)
            piece.number = field.fire.signature(unit)
            threats.append(max((field.struck(piece, foe, foe.place) for foe in field.foes(unit)), default=0.0))
        part.alive, piece.number = alive, number
        left = threats[alive.index(soldier)]
        return self._time_for(field, unit) * self.planner.weights["lose"] * (max(threats) - left)

    def _orders_missed(self, field: Field, goals: Goals, unit: Unit, part: Part, soldier: int) -> float:
        """What orders are worth that a unit can no longer give without one of its soldiers."""
        if soldier >= len(part.card.soldiers) or not part.card.soldiers[soldier].roles:
            return 0.0
        alive = part.alive
        orders = self._orders(field, unit)
        part.alive = tuple(man for man in alive if man != soldier)
        try:
            left = self._orders(field, unit)
        finally:
            part.alive = alive
        gone = [name for name in orders if name not in left]
        worths = [self.worth(field, goals, unit, name, unit.place, True) for name in gone]
        return self._time_for(field, unit) * max(0.0, max(worths, default=0.0))

    def _orders(self, field: Field, unit: Unit) -> list[str]:
        """The special actions that a unit could take."""
        menu = self.planner.menu(field.play, unit)
        names = {action.rpartition(":")[2]: None for actions in menu for action in actions if "special:" in action}
        return list(names)

    # -- officers -----------------------------------------------------------------------------------

    def _rally(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        near, far = self._heard(field, unit)
        worth: Rank = lambda other: self.shaken(field, goals, other)  # noqa: E731
        return float(max(sum(map(worth, near)), max(map(worth, far), default=0.0)))

    def _heard(self, field: Field, unit: Unit) -> tuple[list[Unit], list[Unit]]:
        command = field.play.rules.command
        return command.in_voice(field.play, unit, "rally"), command.by_radio(field.play, unit, "rally")

    def shaken(self, field: Field, goals: Goals, unit: Unit) -> float:
        """What it is worth to rally a unit: its nerves, and the action that a suppressed unit loses."""
        flags = unit.flags
        if not flags & (UNDER_FIRE | SUPPRESSED | STUNNED | GRAPPLED):
            return 0.0
        step = 1.0 if flags & (SUPPRESSED | STUNNED | GRAPPLED) else 0.4
        shaken: float = self.planner.weights["shaken"]
        return 0.55 * step * shaken * unit.points * (1.0 if unit.activated else 2.5)

    def _get_moving(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        able = field.play.rules.command.to_reactivate(field.play, unit)
        chance = 5 / 9 if unit.has("General") and unit.has("Command Squad") else ONE
        return chance * max((self.again(field, goals, other, hurry) for other in able), default=0.0)

    def again(self, field: Field, goals: Goals, unit: Unit, hurry: bool = False) -> float:
        """What a second activation of a unit is worth."""
        if unit.place < 0:
            return 0.0
        shot = 0.8 + self.planner.shoot(field, unit, unit.place, SUSTAINED, turned=True).gain
        return shot if hurry else max(shot, self.act(field, goals, unit))

    def _air_traffic_control(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        able = [
            other
            for other in field.state.on_board(unit.side)
            if other.is_aircraft and other is not unit and other.activated
        ]
        return ONE * max((self.again(field, goals, other, hurry) for other in able), default=0.0)

    def _ammo_drop(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        able = field.play.rules.command.to_supply(field.play, unit)
        return TWO * max((self.supplied(field, goals, other, hurry) for other in able), default=0.0)

    def supplied(self, field: Field, goals: Goals, unit: Unit, hurry: bool = False) -> float:
        """What full ammunition is worth to a unit: what it can shoot then and cannot now, and a little for later."""
        if unit.status != ON_BOARD:
            return 0.0
        time = self._time_for(field, unit)
        left = field.state.scenario.turns - field.state.turn + (0 if unit.activated else 1)
        spare = 0.02 * unit.points * min(1.0, left / 2)
        if not time:
            return 0.0
        with_plans = not hurry and not unit.activated
        now = self.act(field, goals, unit) if with_plans else self.prospect(field, unit)
        with full_again(field, unit):
            full = self.act(field, goals, unit) if with_plans else self.prospect(field, unit)
        return float(time * max(0.0, full - now) + spare)

    def _ammo_replenish(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        """For the next turn: what follows at once is counted where it follows."""
        return LATER * self.supplied(field, goals, unit, True) if field.state.turn < field.state.scenario.turns else 0.0

    def _follow_me(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        """Those near may dash on, one in three; those who have still to act could have walked."""
        near = field.play.rules.command.in_voice(field.play, unit, "follow-me", 2)
        others = [u for u in near if u is not unit and u.is_infantry and u.card.armour <= 2]
        if hurry:
            return 0.1 * len(others)
        return ONE * sum(self.dash(field, goals, other) * (0.7 if other.activated else 0.5) for other in others)

    def dash(self, field: Field, goals: Goals, unit: Unit) -> float:
        """What two squares more are worth to a unit."""
        planner = self.planner
        reach = field.play.rules.movement.reach(field.play, unit, 2, "move").costs
        here = planner.stand(field, goals, unit, unit.place, True)[0]
        best = planner.best_spot(field, goals, unit, list(reach))
        return max(0.0, planner.stand(field, goals, unit, best, True)[0] - here)

    def _air_alert(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        return ONE * max((self.alarmed(field, unit, foe.unit) for foe in field.foes(unit) if foe.flying), default=0.0)

    def alarmed(self, field: Field, unit: Unit, aircraft: Unit) -> float:
        """What the vehicles that have still to act would gain against an aircraft if they hit twice as often."""
        foe = field.piece(aircraft)
        total = 0.0
        for piece in field.pieces[unit.side]:
            if not piece.acted and piece.unit is not unit and piece.unit.is_vehicle:
                salvo = field.shoots(piece, piece.place, foe)
                total += 0.7 * self.planner.gain(field, aircraft, salvo) if salvo is not None else 0.0
        return total

    def _of_the_alarmed(self, field: Field, unit: Unit, aircraft: Unit) -> float:
        """What vehicles that have still to act would do to an aircraft anyway; they wait for the alarm."""
        foe = field.piece(aircraft)
        waiting = [piece for piece in field.pieces[unit.side] if not piece.acted and piece.unit.is_vehicle]
        salvos = [field.shoots(piece, piece.place, foe) for piece in waiting if piece.unit is not unit]
        return sum(self.planner.gain(field, aircraft, salvo) for salvo in salvos if salvo is not None)

    # -- coming back ------------------------------------------------------------------------------------

    def fresh(self, field: Field, unit: Unit) -> float:
        """What a lost unit is worth that comes back as new, the more the more turns are left."""
        left = field.state.scenario.turns - field.state.turn
        share: float = min(1.0, 0.3 + 0.2 * left)
        return unit.points * share

    def _reinforcement(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        lost = [u for u in field.state.units if u.side == unit.side and u.status == LOST]
        return ONE * max(
            (self.fresh(field, u) for u in lost if not u.is_vehicle and u.card.kind != "hero"), default=0.0
        )

    def _replacement(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        lost = [u for u in field.state.units if u.side == unit.side and u.status == LOST]
        return ONE * max((self.fresh(field, u) for u in lost if u.is_vehicle), default=0.0)

    # -- medics and mechanics -----------------------------------------------------------------------

    def errands(self, field: Field, unit: Unit) -> list[tuple[Piece, float]]:
        """Whom a medic or a mechanic could help in the next turn from beside, and what that is worth."""
        known = field.errands.get(unit.id)
        if known is None:
            last = field.state.turn >= field.state.scenario.turns
            known = field.errands[unit.id] = [] if last else self._errands(field, unit)
        return known

    def _errands(self, field: Field, unit: Unit) -> list[tuple[Piece, float]]:
        command = field.play.rules.command
        heals, mends = command.has(unit, "medic"), command.has(unit, "mechanic")
        errands = []
        for piece in field.pieces[unit.side]:
            other = piece.unit
            worth = 0.0
            if heals and piece.foot and command.may_receive("get-up", other):
                worth = TWO * self.helped_up(field, other)
            elif mends and other is not unit and other.is_vehicle and (other.main.damage or other.criticals):
                worth = self.mended(other)
            if worth:
                errands.append((piece, LATER * worth))
        return errands

    def _get_up(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        able = field.play.rules.command.to_heal(field.play, unit)
        return TWO * max((self.helped_up(field, other) for other in able), default=0.0)

    def helped_up(self, field: Field, unit: Unit) -> float:
        """What one soldier or one point more is worth; the last man of a squad is saved with it."""
        return max((self._one_more(part) for part in field.play.rules.command.wounds(unit)), default=0.0)

    def _one_more(self, part: Part) -> float:
        return each_is_worth(part) * (1.2 if part.left == 1 else 1.0)

    def _medevac(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        command = field.play.rules.command
        near = command.in_voice(field.play, unit, "medevac", 1)
        return max((self.flown_out(field, other) for other in near if other.is_infantry), default=0.0)

    def flown_out(self, field: Field, unit: Unit) -> float:
        """One man in three of those lost comes back."""
        wounds = [part for part in field.play.rules.command.wounds(unit) if part.squad]
        return sum(ONE * (len(part.card.soldiers) - len(part.alive)) * self._one_more(part) for part in wounds)

    def _resurrection(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        near = field.play.rules.ground.near
        able = [u for u in field.state.on_board(unit.side) if near(field.state, unit, u, 1)]
        return max(map(self.risen, able), default=0.0)

    def risen(self, unit: Unit) -> float:
        """One zombie in three gets up again."""
        lost = lost_zombies(unit)
        return ONE * lost * self._one_more(unit.main) if lost else 0.0

    def _stimulants(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        able = field.play.rules.command.to_stimulate(field.play, unit)
        return max((self.stimulated(field, goals, other) for other in able), default=0.0)

    def stimulated(self, field: Field, goals: Goals, unit: Unit) -> float:
        """Two times in three the unit's next attack is sustained, wherever it moves before."""
        time = self._time_for(field, unit)
        if not time or unit.status != ON_BOARD:
            return 0.0
        more = self.prospect(field, unit, SUSTAINED) - self.prospect(field, unit, PLAIN)
        return time * (TWO * max(0.0, more) + 0.1)

    def _inject(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        able = field.play.rules.command.near_medic(field.play, unit, "stimulants")
        return max((self.stimulated(field, goals, other) for other in able), default=0.0)

    def _repair(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        able = field.play.rules.command.to_repair(field.play, unit)
        return max((self.mended(other) + self._set_free(goals, other)[1] for other in able), default=0.0)

    def _set_free(self, goals: Goals, unit: Unit) -> tuple[str, float]:
        """The critical hit that keeps a vehicle from an objective in the last turn, and what that costs."""
        stuck = next((what for what in unit.criticals if what in STUCK), "")
        if not stuck or goals.left or unit.activated or unit.place < 0:
            return "", 0.0
        card = unit.card
        ways = goals.ways.to_objectives(goals.play, unit)
        reached = [n for n in range(len(goals.values)) if ways[n].get(unit.place, 99) <= card.march]
        return stuck, max((goals.taken_by(number, unit) for number in reached), default=0.0)

    def mended(self, unit: Unit) -> float:
        """What a repair brings: points of damage, or the worst critical hit."""
        return max(self.mending(unit, what) for what in ("damage", *unit.criticals))

    def mending(self, unit: Unit, what: str, goals: Goals | None = None) -> float:
        """What it is worth to repair the damage (five dice), or one critical hit for sure."""
        if goals is not None and what != "damage":
            stuck, worth = self._set_free(goals, unit)
            if stuck == what:
                return worth + CRITICALS.get(what, 0.1) * unit.points
        if what != "damage":
            return CRITICALS.get(what, 0.1) * unit.points
        points = min(5 * ONE, unit.main.damage)
        return points * each_is_worth(unit.main) * (1.3 if unit.main.left <= 2 else 1.0)

    def _crew_repair(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        near = field.play.rules.ground.near
        able = [u for u in field.state.on_board(unit.side) if u.is_vehicle and near(field.state, unit, u, 1)]
        return max((self._by(u, unit.models) for u in able if u.main.damage), default=0.0)

    def _scenery_repair(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        criticals = sum(CRITICALS.get(what, 0.1) for what in unit.criticals)
        return self._by(unit, 5) + criticals * unit.points

    def _by(self, unit: Unit, dice: int) -> float:
        return min(dice * ONE, unit.main.damage) * each_is_worth(unit.main) * (1.3 if unit.main.left <= 2 else 1.0)

    # -- artillery -----------------------------------------------------------------------------------

    def _reload(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        if not any(part.unloaded for part in unit.parts):
            return -1.0
        ready = READY * unit.points if field.state.turn < field.state.scenario.turns else 0.0
        return max(ready, 0.5 * self.loaded(field, unit, spot))

    def loaded(self, field: Field, unit: Unit, spot: int, kind: int = PLAIN) -> float:
        """What an attack would gain by loading first; a target is seen now, or will be."""
        if unit.place < 0 or not any(part.unloaded for part in unit.parts):
            return 0.0
        ahead = self.prospect(field, unit)
        with full_again(field, unit):
            later = self.prospect(field, unit) - ahead
        return max(0.0, self.fuller(field, unit, spot, kind), 0.5 * later)

    def fuller(self, field: Field, unit: Unit, spot: int, kind: int = PLAIN) -> float:
        """What an attack that follows at once gains by full ammunition and loaded weapons."""
        if unit.place < 0:
            return 0.0
        now = self.planner.shoot(field, unit, spot, kind, turned=False).gain
        with full_again(field, unit):
            return max(0.0, self.planner.shoot(field, unit, spot, kind, turned=False).gain - now)

    def _call_attack(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        return max((self.called(field, unit, gun, PLAIN, spot) for gun in batteries(field.play, unit)), default=0.0)

    def _call_sustained_attack(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        return max((self.called(field, unit, gun, SUSTAINED, spot) for gun in batteries(field.play, unit)), default=0.0)

    def called(self, field: Field, unit: Unit, battery: Unit, kind: int, spot: int) -> float:
        """The best fire of a battery on what the observer sees, less what the battery could do itself."""
        if spot < 0:
            return 0.0
        own = self.planner.shoot(field, battery, battery.place, SUSTAINED, turned=False).gain
        piece, gun = field.piece(unit), field.piece(battery)
        best = 0.0
        for foe in field.foes(unit):
            if field.look(piece, spot, foe, foe.place):
                salvo = field.salvo(gun, foe, field.distance(battery.place, foe), False, kind, EVERY_ARC)
                best = max(best, self.planner.gain(field, foe.unit, salvo) - 0.7 * own)
        return best

    # -- staying alive --------------------------------------------------------------------------------

    def _camouflage(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        return self._spared(field, goals, unit, spot, unit.flags | CAMOUFLAGED, hurry)

    def _dozer(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        return self._spared(field, goals, unit, spot, unit.flags | DUG_IN, hurry)

    def _spared(self, field: Field, goals: Goals, unit: Unit, spot: int, flags: int, hurry: bool) -> float:
        """Losses that other tokens would save; what is there already saves nothing."""
        if spot < 0 or flags == unit.flags:
            return -0.05
        planner = self.planner
        before = planner.danger(field, unit, spot, hurry=hurry)
        if before:
            with supposing(field, unit, flags):
                before -= planner.danger(field, unit, spot, hurry=hurry)
        return planner.fear(field, unit) * max(0.0, before) + self._ground_kept(field, goals, unit, spot, flags) + 0.02

    def _ground_kept(self, field: Field, goals: Goals, unit: Unit, spot: int, flags: int) -> float:
        """What other tokens save of the objective that the unit holds."""
        stake = self.planner.ground_at_stake(goals, unit, spot)
        if not stake:
            return 0.0
        before = self.planner.doom(field, unit, spot)
        with supposing(field, unit, flags):
            return stake * max(0.0, before - self.planner.doom(field, unit, spot))

    def _launch_smoke(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        """Losses that a screen saves; it is there once a game, and blinds its owner too."""
        if spot < 0 or field.play.rules.table == "measured":
            return 0.25 * self.planner.danger(field, unit, spot) - ONCE if spot >= 0 else 0.0
        danger = self.planner.danger(field, unit, spot)
        if danger < 1.0:
            return -0.05
        if hurry:
            return 0.3 * self.planner.fear(field, unit) * danger - ONCE
        piece = field.piece(unit)
        squares = piece.where if spot == piece.place else (spot,)
        blocks = sorted({block for place in squares for block in field.table.blocks_of_four(place)})
        few = self.before_the_guns(field, unit, spot, blocks)[:3]
        best = min(few, key=lambda block: self.through(field, unit, spot, block))
        return self.screened(field, unit, spot, best) - ONCE

    def through(self, field: Field, unit: Unit, spot: int, block: Iterable[int]) -> float:
        """The danger that is left behind a screen."""
        return self.planner.danger(self._hazy(field, block), unit, spot)

    def before_the_guns(self, field: Field, unit: Unit, spot: int, blocks: Sequence[Any]) -> list[Any]:
        """Screens in the order of how far they lie before the most dangerous shooters; a quick look."""
        piece, table = field.piece(unit), field.table
        guns = [(field.struck(foe, piece, spot), foe.place) for foe in field.foes(unit)]
        guns = [(loss, place) for loss, place in guns if loss]

        def far(block: Any) -> float:
            return float(sum(loss * sum(table.distance(square, at) for square in block) for loss, at in guns))

        return sorted(blocks, key=far)

    def screened(self, field: Field, unit: Unit, spot: int, block: Iterable[int]) -> float:
        """What a screen of smoke saves: the unit itself, and friends in its shadow, less our own fire that it stops."""
        planner = self.planner
        hazy = self._hazy(field, block)
        saved = planner.danger(field, unit, spot) - planner.danger(hazy, unit, spot)
        if saved < 0.5:
            return 0.0
        for piece in field.pieces[unit.side]:
            if piece.unit is not unit:
                there = piece.place
                saved += 0.3 * (planner.danger(field, piece.unit, there) - planner.danger(hazy, piece.unit, there))
        lost = 0.0
        for piece in field.pieces[unit.side]:
            place = spot if piece.unit is unit else piece.place
            seen = self._best_shot(field, piece, place)
            if seen:
                blind = max(0.0, seen - self._best_shot(hazy, piece, place))
                lost += blind * (LATER if piece.acted else 1.0)
        return planner.fear(field, unit) * saved - lost

    def _best_shot(self, field: Field, piece: Any, place: int) -> float:
        salvos = [field.shoots(piece, place, foe) for foe in field.foes(piece.unit)]
        return max((salvo.points for salvo in salvos if salvo is not None), default=0.0)

    # -- smoke shells ------------------------------------------------------------------------------------

    def screen(self, field: Field, unit: Unit) -> tuple[float, tuple[int, ...]]:
        """The best smoke that the artillery of a unit can lay, and what it is worth: two shells in three burst well."""
        far = [(w.range_min, w.range_max) for p in unit.fighters() for w in p.card.weapons if w.has("Artillery")]
        if not far or unit.place < 0 or field.table.is_indoor(unit.place) or field.play.rules.table == "measured":
            return 0.0, ()
        shots = self._best_shots(field, unit.side)
        aims = self._best_shots(field, 1 - unit.side)
        deadly = sorted(((shot, name) for name, (shot, _) in aims.items() if shot > 1.0), reverse=True)[:SCREENS]
        pairs = [(name, aims[name][1]) for _, name in deadly]
        least, most = min(near for near, _ in far), max(end for _, end in far)
        blocks = [block for block in self._blocks(field, pairs) if self._in_range(field, unit, block, least, most)]
        blocks.sort(key=lambda block: (-self._hides(field, block, pairs), block))
        best: tuple[float, tuple[int, ...]] = (0.0, ())
        for block in blocks[: 2 * SCREENS]:
            worth = TWO * self._stopped(field, unit, block, aims, shots)
            if worth > best[0]:
                best = (worth, block)
        return best

    def _hides(self, field: Field, block: tuple[int, ...], pairs: list[tuple[str, str]]) -> float:
        """Points that a screen saves of those aimed at by the most dangerous shooters."""
        hazy = self._hazy(field, block)
        total = 0.0
        for name, victim in pairs:
            foe, own = field.by_id[name], field.by_id[victim]
            total += field.struck(foe, own, own.place) - hazy.struck(foe, own, own.place)
        return total

    def _hazy(self, field: Field, block: Iterable[int]) -> Field:
        """The field with smoke on some squares."""
        smoke = field.play.rules.smoke
        return field.on(field.table.placing("smoke", [p for p in block if smoke.may_lie(field.table, p)]))

    def _best_shots(self, field: Field, side: int) -> dict[str, tuple[float, str]]:
        """Every unit of a side with its best shot and whom it strikes; what has acted counts less."""
        later = LATER if field.state.turn < field.state.scenario.turns else 0.0
        shots = {}
        for piece in field.pieces[side]:
            time = later if piece.acted else 1.0
            best = max(
                ((field.struck(piece, foe, foe.place), foe.unit.id) for foe in field.pieces[1 - side]),
                default=(0.0, ""),
            )
            shots[piece.unit.id] = (time * best[0], best[1])
        return shots

    def _blocks(self, field: Field, pairs: list[tuple[str, str]]) -> list[tuple[int, ...]]:
        """Places for a screen: right before the shooters, before those they aim at, and on the way between."""
        table = field.table
        blocks: dict[tuple[int, ...], None] = {}
        for names in pairs:
            one, other = (field.by_id[name] for name in names)
            (x1, y1), (x2, y2) = table.xy(one.place), table.xy(other.place)
            between = [table.place((4 * x1 + n * (x2 - x1)) // 4, (4 * y1 + n * (y2 - y1)) // 4) for n in (1, 2, 3)]
            for place in (*one.where, *other.where, *between):
                blocks |= dict.fromkeys(tuple(block) for block in table.blocks_of_four(place))
        return list(blocks)

    def _in_range(self, field: Field, unit: Unit, block: tuple[int, ...], least: int, most: int) -> bool:
        table, piece = field.table, field.piece(unit)
        return any(
            least <= table.distance(unit.place, place) <= most
            and place not in unit.where
            and table.sight(unit.place, place, eye=piece.eye).visible
            for place in block
        )

    def _stopped(
        self,
        field: Field,
        unit: Unit,
        block: tuple[int, ...],
        aims: dict[str, tuple[float, str]],
        shots: dict[str, tuple[float, str]],
    ) -> float:
        """Fire of the enemy that a screen stops, less our own."""
        hazy = self._hazy(field, block)
        after, ours = self._best_shots(hazy, 1 - unit.side), self._best_shots(hazy, unit.side)
        saved = sum(aims[name][0] - after[name][0] for name in aims)
        lost = sum(shots[name][0] - ours[name][0] for name in shots if name != unit.id)
        lose: float = self.planner.weights["lose"]
        return SCREENED * lose * saved - 0.8 * lost

    # -- at close quarters ------------------------------------------------------------------------------

    def _execute(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        total = 0.0
        for foe in field.foes(unit):
            if foe.foot and foe.unit.stunned and unit.place >= 0 and field.distance(unit.place, foe) <= 1:
                total = max(total, *(self.executed(part) for part in foe.unit.fighters()))
        return total if total else -0.1

    def executed(self, part: Part, soldier: int | None = None) -> float:
        """Points of the best man to pick, or of one; the last one is the end of his squad."""
        if not part.squad:
            return float(part.card.points)
        worths = [soldier_worth(part, man) for man in part.alive]
        mine = max(worths, default=1.0) if soldier is None else soldier_worth(part, soldier)
        share = mine / max(1.0, sum(worths)) * len(worths) / max(1, len(part.card.soldiers))
        finish: float = self.planner.weights["finish"]
        return part.card.points * ((1.0 - finish) * share + (finish if len(part.alive) == 1 else 0.0))

    def _psychic_scream(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        """Exact: what the scream does to foes, less what it does to friends; it is there once a game."""
        if spot < 0:
            return 0.0
        near = [p for p in field.by_id.values() if p.unit is not unit and field.distance(spot, p) <= 3]
        if not any(piece.unit.side != unit.side for piece in near):
            return -1.0
        shares = self._scream_shares(field, unit)
        total = 0.0
        for piece in near:
            share = shares.get(piece.unit.id, 0.25)
            total += share * piece.points * (1.0 if piece.unit.side != unit.side else -1.5)
        return total - ONCE

    def _scream_shares(self, field: Field, unit: Unit) -> dict[str, float]:
        """The share of every unit near that a scream from here would take."""
        play = field.play
        for place, part in enumerate(unit.parts):
            for index, weapon in enumerate(part.card.weapons):
                if weapon.has("Psychic Scream"):
                    shot = play.rules.attacks.shot(play, Attack(unit), place, index, (unit.place, "scream", 3), (0,))
                    number = field.fire.signature(unit)
                    return {
                        hit.target.id: field.fire.single(play, hit, number, field.fire.mark(hit.target))[0]
                        for hit in play.rules.attacks.victims(play, shot)
                        if hit.target.fighters()[0].left > 0
                    }
        return {}

    # -- work --------------------------------------------------------------------------------------------

    def _abandon_vehicle(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        """The vehicle is gone for it."""
        return -float(unit.main.card.points)


__all__ = [
    "AFTER_MOVING",
    "AGAIN",
    "HELPS",
    "ON_THE_SPOT",
    "Specials",
    "full_again",
    "standing",
    "supposing",
]
