"""Plans of one activation: which actions, where to, against whom, and what that is worth at first sight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dieselfront.kernel.game import Play
from dieselfront.players.dust_field import Field
from dieselfront.players.dust_fire import CLOSE_ONLY, EVERY_ARC, PLAIN, RANGED_ONLY, SUSTAINED, Salvo, token_worth
from dieselfront.players.dust_goals import Goals
from dieselfront.rulesets.dust.state import ABOARD, ON_BOARD, RESERVE, SUPPRESSED, UNDER_FIRE, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.skills.observers import batteries

Actions = tuple[str, ...]

KINDS = {
    "attack": PLAIN,
    "sustained": SUSTAINED,
    "ranged-sustained": SUSTAINED,
    "close-attack": CLOSE_ONLY,
    "ranged-attack": RANGED_ONLY,
}
MOVES = ("move", "march")
HURRIED_SPOTS = 6
MOST_SPOTS = 64
FEAR = 0.45
"""How much expected losses count beside expected gains."""

ENOUGH = 1.5
"""In a hurry nobody who can gain so much where he stands looks for a long way to go."""

HAZARDS = ("wire", "minefield")
HAZARD_COST = 2.5


class Intent:
    """What is meant to be done with a unit, and what it is worth; `idle` is the worth of doing nothing."""

    __slots__ = (
        "actions",
        "declared",
        "facing",
        "gain",
        "idle",
        "mount",
        "numbers",
        "risk",
        "safe",
        "spot",
        "target",
        "unit",
        "value",
    )

    def __init__(
        self, unit: str, actions: Actions, value: float, spot: Any = None, facing: Any = None, target: str = ""
    ) -> None:
        self.unit = unit
        self.actions = actions
        self.value = value
        self.spot = spot
        self.facing = facing
        self.target = target
        self.mount: str | None = None
        self.idle = 0.0
        self.gain = 0.0
        self.risk = 0.0
        self.safe = False  # the plan with the least danger
        self.declared = False  # are its actions announced? Then it serves no other activation
        self.numbers = ""

    def announced(self) -> Intent:
        """The same plan under way; plans are shared between lines of play and never changed."""
        twin = Intent(self.unit, self.actions, self.value, self.spot, self.facing, self.target)
        twin.mount, twin.gain, twin.risk = self.mount, self.gain, self.risk
        twin.safe, twin.declared = self.safe, True
        return twin

    def much_the_same(self) -> tuple[Any, ...]:
        """What tells plans apart: who is attacked from where, and special actions."""
        special = next((action for action in self.actions if "special:" in action), "")
        fights = self.target if self.gain > 0.05 else ""
        return (self.spot, fights, round(2 * self.gain), special.removeprefix("free:"))


class _Shoot:
    """The best attack from a spot."""

    __slots__ = ("facing", "gain", "points", "target")

    def __init__(self, gain: float = 0.0, target: str = "", facing: int | None = None, points: float = 0.0) -> None:
        self.gain = gain
        self.points = points
        self.target = target
        self.facing = facing


class Planner:
    """Makes plans by the weights of a personality."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.weights = weights

    # -- parts of the worth -----------------------------------------------------------------------

    def gain(self, foe: Unit, salvo: Salvo) -> float:
        """What an attack on a foe brings: points destroyed and nerves shaken."""
        if not salvo.points and not salvo.hits:
            return 0.0
        w = self.weights
        return w["destroy"] * salvo.points + salvo.hits * (1.0 - salvo.ends) * token_worth(foe, w["shaken"])

    def danger(self, field: Field, unit: Unit, spot: int, *, waiting_only: bool = False, hurry: bool = True) -> float:
        """Points we expect to lose on a spot to foes that see it, and a little to those that could come to see it."""
        state = field.state
        later = 0.0 if waiting_only or state.turn >= state.scenario.turns else 0.5
        total = 0.0
        piece = field.piece(unit)
        for foe in field.pieces[1 - unit.side]:
            weight = later if foe.acted else 1.0
            if not weight:
                continue
            loss = field.struck(foe, piece, spot)
            if loss:
                total += weight * loss
            elif not hurry:
                total += 0.75 * weight * field.lurks(foe, piece, spot)
        total = min(total, float(piece.points))
        if not hurry and not piece.foot:
            total *= 1.0 + 0.6 * field.cargo(unit) / max(1, piece.points)
        return total

    def fear(self, field: Field, unit: Unit) -> float:
        """How much expected losses count: the fewer units the enemy can choose from, the surer they are to come."""
        return self.weights["lose"] * (FEAR + 0.4 / max(1, len(field.pieces[unit.side])))

    def stand(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> tuple[float, float]:
        """What standing on a spot is worth, and the danger there."""
        w = self.weights
        danger = self.danger(field, unit, spot, hurry=hurry)
        worth = w["advance"] * goals.pull(unit, spot) - self.fear(field, unit) * danger
        if not goals.values:
            worth -= 0.4 * w["advance"] * field.nearest(unit, spot)
        if field.covered(spot):
            worth += w["cover"]
        return worth, danger

    def shoot(
        self, field: Field, unit: Unit, spot: int, kind: int, *, facing: int | None = None, turned: bool
    ) -> _Shoot:
        """The best target from a spot; close combat counts what comes back."""
        best = _Shoot()
        piece = field.piece(unit)
        fear = self.fear(field, unit)
        last = field.state.turn >= field.state.scenario.turns
        for foe in field.pieces[1 - unit.side]:
            distance = field.distance(spot, foe)
            if kind == CLOSE_ONLY and distance > 1:
                continue
            salvo = field.shoots(piece, spot, foe, kind, facing, turned)
            if salvo is None:
                continue
            worth = self.gain(foe.unit, salvo)
            if worth and kind != RANGED_ONLY and distance <= 1:
                worth -= FEAR * field.salvo(foe, piece, 1, False, CLOSE_ONLY, EVERY_ARC).points
            if worth and not (foe.acted and last):
                hurt = min(1.0, salvo.points / max(1, foe.points)) * (0.5 if foe.acted else 1.0)
                worth += fear * hurt * field.struck(foe, piece, spot)
            if worth > best.gain:
                look = field.facing_to(spot, foe.place) if turned else facing
                best = _Shoot(worth, foe.unit.id, look, salvo.points)
        return best

    # -- plans ----------------------------------------------------------------------------------

    def plans(
        self, field: Field, goals: Goals, unit: Unit, options: Sequence[Actions] | None = None, *, hurry: bool = False
    ) -> list[Intent]:
        """Plans of a unit, the best first; in a hurry fewer spots are looked at."""
        play = field.play
        if options is None:
            options = self._menu(play, unit)
        plain: dict[Actions, Actions] = {}
        special: list[tuple[str, Actions, Actions]] = []
        for option in options:
            bare = tuple(action.removeprefix("free:") for action in option)
            names = [action[8:] for action in bare if action.startswith("special:")]
            if not names:
                plain[bare] = option
            elif len(names) == 1:
                special.append((names[0], tuple(a for a in bare if not a.startswith("special:")), option))
        best = self._plain_plans(field, goals, unit, plain, hurry)
        idle = best[()][0].value if () in best else 0.0
        found = [intent for few in best.values() for intent in few]
        if special and unit.status != "off":
            found += self._special_plans(field, unit, special, best, idle)
        for intent in found:
            intent.idle = idle
        found.sort(key=lambda intent: (-intent.value, intent.actions))
        if hurry:
            return self._past_hazards(field, unit, found)
        found = self._past_hazards(field, unit, _apart(found))
        for intent in found:
            intent.numbers = f"expects {intent.gain:.1f} points, risks {intent.risk:.1f}"
        return found

    def _menu(self, play: Play, unit: Unit) -> list[Actions]:
        """What the unit could declare if it were activated now."""
        activation = Activation(play, unit)
        activation.nothing_first = play.rules.suppression.must_do_nothing(unit)
        found: list[Actions] = play.rules.activations.menu(activation).sequences
        return found

    def _plain_plans(
        self, field: Field, goals: Goals, unit: Unit, plain: dict[Actions, Actions], hurry: bool
    ) -> dict[Actions, list[Intent]]:
        """For every plain sequence its best plan, and the next best two when there is time."""
        best: dict[Actions, list[Intent]] = {}
        on_board = unit.status == ON_BOARD
        here, risk = self.stand(field, goals, unit, unit.place, hurry) if on_board else self._aboard(field, goals, unit)
        now: dict[str, _Shoot] = {}
        moving: list[Actions] = []
        for bare, option in plain.items():
            fights = [action for action in bare if action in KINDS]
            if any(action in MOVES for action in bare):
                moving.append(bare)
                continue
            shot = self._now(field, unit, fights, now)
            intent = Intent(unit.id, option, here + shot.gain, target=shot.target)
            intent.gain, intent.risk = shot.points, risk
            best[bare] = [intent]
        pressed = hurry and max((few[0].gain for few in best.values()), default=0.0) > ENOUGH
        for action in MOVES:
            wanted = [bare for bare in moving if action in bare]
            if pressed and action == "march":
                break
            if wanted:
                self._moving_plans(field, goals, unit, action, wanted, plain, now, best, hurry)
        return best

    def _aboard(self, field: Field, goals: Goals, unit: Unit) -> tuple[float, float]:
        """What staying aboard is worth: to be where the carrier is, and to share its fate."""
        carrier = field.state.by_id.get(unit.aboard)
        if unit.status != ABOARD or carrier is None or carrier.place < 0:
            return 0.0, 0.0
        danger = self.danger(field, carrier, carrier.place) / max(1, carrier.points) * 0.6 * unit.points
        pull = self.weights["advance"] * goals.pull(unit, carrier.place)
        return pull - self.fear(field, unit) * danger, danger

    def _now(self, field: Field, unit: Unit, fights: list[str], now: dict[str, _Shoot]) -> _Shoot:
        """The attack from where the unit stands, as it faces."""
        if not fights or unit.status != ON_BOARD:
            return _Shoot(0.3 if fights else 0.0)
        found = now.get(fights[0])
        if found is None:
            kind = KINDS[fights[0]]
            found = now[fights[0]] = self.shoot(field, unit, unit.place, kind, facing=None, turned=False)
        return found

    def _moving_plans(
        self,
        field: Field,
        goals: Goals,
        unit: Unit,
        action: str,
        wanted: list[Actions],
        plain: dict[Actions, Actions],
        now: dict[str, _Shoot],
        best: dict[Actions, list[Intent]],
        hurry: bool,
    ) -> None:
        reach = self._reach(field.play, unit, action)
        keep = 1 if hurry else 3
        found: dict[Actions, list[Intent]] = {bare: [] for bare in wanted}
        after = [bare for bare in wanted if self._fights_after(bare, action)]
        for end in self._ends(field, goals, unit, reach, bool(after), hurry):
            spot, facing = end if isinstance(end, tuple) else (end, None)
            worth, risk = self.stand(field, goals, unit, spot, hurry)
            worth -= 0.01 * reach[end] + (0.05 if action == "march" else 0.0)
            shots: dict[str, _Shoot] = {}
            for bare in wanted:
                fights = [a for a in bare if a in KINDS]
                shot = _Shoot()
                if fights and bare in after:
                    name = fights[0]
                    if name not in shots:
                        turned = facing is None
                        shots[name] = self.shoot(field, unit, spot, KINDS[name], facing=facing, turned=turned)
                    shot = shots[name]
                elif fights:
                    shot = self._now(field, unit, fights, now)
                look = (
                    facing if facing is not None else self._facing(field, unit, spot, shot if bare in after else None)
                )
                wasted = 0.05 if fights and not shot.gain else 0.0
                intent = Intent(unit.id, plain[bare], worth + shot.gain - wasted, spot, look, shot.target)
                intent.gain, intent.risk = shot.points, risk
                found[bare].append(intent)
        for bare, intents in found.items():
            intents.sort(key=lambda intent: -intent.value)
            if intents:
                best[bare] = _different(intents, keep)
                if not hurry and len(bare) == 1:
                    safest = min(intents, key=lambda intent: (round(intent.risk, 2), -intent.value))
                    if safest not in best[bare] and safest.risk + 0.5 < intents[0].risk:
                        best[bare].append(safest)

    def _fights_after(self, bare: Actions, action: str) -> bool:
        return any(a in KINDS for a in bare[bare.index(action) + 1 :])

    def _facing(self, field: Field, unit: Unit, spot: int, shot: _Shoot | None) -> int | None:
        """Towards the target, or towards the nearest foe."""
        if unit.is_infantry:
            return None
        if shot is not None and shot.facing is not None:
            return shot.facing
        foe = field.nearest_foe(unit, spot)
        return unit.facing if foe is None else field.facing_to(spot, foe.place)

    def _reach(self, play: Play, unit: Unit, action: str) -> dict[Any, int]:
        """Where a movement action can end, with what it costs."""
        rules = play.rules
        move, march = rules.movement.pace(play, unit)
        budget = move if action == "move" else march
        if unit.status == ON_BOARD:
            found: dict[Any, int] = rules.movement.reach(play, unit, budget, action).costs
            return found
        if unit.status == ABOARD:
            return {end: cost for end, (cost, _) in rules.transport.exits(play, unit, budget).items()}
        if unit.status == RESERVE:
            entries: dict[Any, int] = rules.reserves.reach(play, unit, budget).costs
            return entries
        return {}

    def _ends(
        self, field: Field, goals: Goals, unit: Unit, reach: Mapping[Any, int], fights: bool, hurry: bool
    ) -> Iterable[Any]:
        """The ends worth looking at: those that lead on, and those near the foe when there is something to fight."""
        most = HURRIED_SPOTS if hurry else MOST_SPOTS
        ends = list(reach)
        if len(ends) <= most:
            return ends

        near = field.nearest_foe(unit, unit.place) if unit.place >= 0 else None
        fights = fights or not goals.values

        def first_look(end: Any) -> float:
            spot = end[0] if isinstance(end, tuple) else end
            worth = goals.pull(unit, spot) if goals.values else 0.0
            if fights and near is not None:
                worth -= 0.15 * field.distance(spot, near)
            return worth + (0.5 if field.covered(spot) else 0.0)

        ends.sort(key=first_look, reverse=True)
        return ends[:most]

    def best_spot(self, field: Field, goals: Goals, unit: Unit, spots: list[Any]) -> Any:
        """The best of some spots to stand on, without a plan."""
        few = list(self._ends(field, goals, unit, dict.fromkeys(spots, 0), False, True))
        return max(few, key=lambda spot: self.stand(field, goals, unit, spot, True)[0])

    # -- special actions --------------------------------------------------------------------------

    def _special_plans(
        self,
        field: Field,
        unit: Unit,
        special: list[tuple[str, Actions, Actions]],
        best: dict[Actions, list[Intent]],
        idle: float,
    ) -> list[Intent]:
        """For every special action the best sequence it stands in."""
        worths: dict[str, float] = {}
        found: dict[str, Intent] = {}
        for name, rest, option in special:
            if name not in worths:
                worths[name] = self.special(field, unit, name)
            base = best.get(rest)
            value = worths[name] + (base[0].value if base else idle)
            bare = [action.removeprefix("free:") for action in option]
            if name == "get-moving" and bare[-1] != "special:get-moving":
                continue
            if bare[0] == "special:engineering":
                value += 0.05
            if name == "reload" and rest and rest[0] in KINDS and bare[0] == "special:reload":
                value += self._loaded_gain(field, unit)
            known = found.get(name)
            if known is None or value > known.value:
                made = Intent(unit.id, option, value)
                if base:
                    made.spot, made.facing, made.target = base[0].spot, base[0].facing, base[0].target
                    made.risk = base[0].risk
                made.gain = worths[name] + (base[0].gain if base else 0.0)
                found[name] = made
        return list(found.values())

    def _loaded_gain(self, field: Field, unit: Unit) -> float:
        """What an attack would gain by loading first."""
        before = [part.unloaded for part in unit.parts]
        if not any(before):
            return 0.0
        if unit.place < 0:
            return 0.0
        now = self.shoot(field, unit, unit.place, PLAIN, turned=False).gain
        piece = field.by_id[unit.id]
        for part in unit.parts:
            part.unloaded = ()
        number, piece.number = piece.number, field.fire.signature(unit)
        loaded = self.shoot(field, unit, unit.place, PLAIN, turned=False).gain
        for part, unloaded in zip(unit.parts, before, strict=True):
            part.unloaded = unloaded
        piece.number = number
        return max(0.0, loaded - now)

    def special(self, field: Field, unit: Unit, name: str) -> float:
        """What a special action is worth at first sight."""
        judge = getattr(self, "_worth_of_" + name.replace("-", "_"), None)
        return 0.15 if judge is None else float(judge(field, unit))

    def _worth_of_reload(self, field: Field, unit: Unit) -> float:
        return 0.5 * self._loaded_gain(field, unit) if any(part.unloaded for part in unit.parts) else -1.0

    def _worth_of_rally(self, field: Field, unit: Unit) -> float:
        command = field.play.rules.command
        total = 0.0
        for other in command.in_hearing(field.play, unit, "rally"):
            if other.flags & (UNDER_FIRE | SUPPRESSED):
                step = 1.0 if other.suppressed else 0.4
                total += 0.55 * step * self.weights["shaken"] * other.points * (1.0 if other.activated else 2.5)
        return total

    def _worth_of_get_moving(self, field: Field, unit: Unit) -> float:
        able = field.play.rules.command.to_reactivate(field.play, unit)
        best = 0.0
        for other in able:
            if other.place >= 0:
                best = max(best, 0.8 + self.shoot(field, other, other.place, SUSTAINED, turned=True).gain)
        return best / 3

    def _worth_of_ammo_drop(self, field: Field, unit: Unit) -> float:
        able = field.play.rules.command.to_supply(field.play, unit)
        return 0.05 * max((other.points for other in able), default=0)

    def _worth_of_get_up(self, field: Field, unit: Unit) -> float:
        able = field.play.rules.command.to_heal(field.play, unit)
        each = [other.points / max(1, len(other.card.soldiers) or other.card.damage) for other in able]
        return 0.6 * max(each, default=0.0)

    def _worth_of_repair(self, field: Field, unit: Unit) -> float:
        able = field.play.rules.command.to_repair(field.play, unit)
        return max((other.points * min(1.7, other.main.damage) / other.card.damage for other in able), default=0.0)

    def _worth_of_stimulants(self, field: Field, unit: Unit) -> float:
        return 0.4

    def _worth_of_call_attack(self, field: Field, unit: Unit) -> float:
        return self._call(field, unit, PLAIN)

    def _worth_of_call_sustained_attack(self, field: Field, unit: Unit) -> float:
        return self._call(field, unit, SUSTAINED)

    def _call(self, field: Field, unit: Unit, kind: int) -> float:
        """The best fire of a battery on what the observer sees, less what the battery could do itself."""
        best = 0.0
        if unit.place < 0:
            return 0.0
        piece = field.piece(unit)
        for battery in batteries(field.play, unit):
            own = self.shoot(field, battery, battery.place, SUSTAINED, turned=False).gain
            gun = field.piece(battery)
            for foe in field.pieces[1 - unit.side]:
                if field.look(piece, unit.place, foe, foe.place):
                    salvo = field.salvo(gun, foe, field.distance(battery.place, foe), False, kind, EVERY_ARC)
                    best = max(best, self.gain(foe.unit, salvo) - 0.7 * own)
        return best

    def _worth_of_psychic_scream(self, field: Field, unit: Unit) -> float:
        near = [p.unit for p in field.by_id.values() if p.unit is not unit and field.distance(unit.place, p) <= 3]
        return 0.2 * sum(other.points * (1 if other.side != unit.side else -1.3) for other in near)

    def _worth_of_camouflage(self, field: Field, unit: Unit) -> float:
        return 0.25 * self.danger(field, unit, unit.place) if unit.place >= 0 else 0.0

    _worth_of_launch_smoke = _worth_of_camouflage

    def _worth_of_engineering(self, field: Field, unit: Unit) -> float:
        """Those with the tools clear the way; men do it with their hands only if they have nothing better to do."""
        return 2.5 if unit.is_vehicle and _has_hazards(field) else 0.2

    # -- last looks -----------------------------------------------------------------------------

    def _past_hazards(self, field: Field, unit: Unit, found: list[Intent]) -> list[Intent]:
        """Ways through wire and mines cost something; only the best few are looked at."""
        if unit.is_aircraft or unit.status != ON_BOARD or not _has_hazards(field):
            return found
        play = field.play
        move, march = play.rules.movement.pace(play, unit)
        reaches: dict[str, Any] = {}
        for intent in found[:6]:
            action = next((a.removeprefix("free:") for a in intent.actions if a.removeprefix("free:") in MOVES), None)
            if action is None or intent.spot is None:
                continue
            if action not in reaches:
                budget = move if action == "move" else march
                reaches[action] = play.rules.movement.reach(play, unit, budget, action)
            end = intent.spot if unit.card.size == "standard" else (intent.spot, intent.facing)
            works = intent.actions[0].endswith("special:engineering")
            if end in reaches[action] and reaches[action].hazards(end) and not works:
                intent.value -= HAZARD_COST
        found.sort(key=lambda intent: (-intent.value, intent.actions))
        return found

    def words(self, play: Play, intent: Intent) -> str:
        """A plan in words."""
        state = play.state
        said = []
        for action in intent.actions:
            bare = action.removeprefix("free:")
            if bare in MOVES and intent.spot is not None:
                said.append(f"{bare} to {state.table.name(intent.spot)}")
            elif bare in KINDS:
                target = state.by_id.get(intent.target)
                said.append(
                    f"{bare.replace('sustained', 'sustained attack')}" + (f" on {target.name}" if target else "")
                )
            else:
                said.append(bare.removeprefix("special:").replace("-", " "))
        return f"{state.by_id[intent.unit].name}: {', '.join(said) or 'stay'}"


def _apart(found: list[Intent]) -> list[Intent]:
    """Plans that differ in more than words, best first, and the safest of all marked."""
    seen: dict[tuple[Any, ...], Intent] = {}
    for intent in found:
        seen.setdefault(intent.much_the_same(), intent)
    few = list(seen.values())
    if few:
        safest = min(few, key=lambda intent: (round(intent.risk, 2), -intent.value))
        safest.safe = safest.risk + 0.5 < few[0].risk
    return few


def _different(intents: list[Intent], keep: int) -> list[Intent]:
    """The first few that are not much the same."""
    found: list[Intent] = []
    seen = set()
    for intent in intents:
        look = (round(2 * intent.value), round(2 * intent.gain), round(2 * intent.risk))
        if look not in seen:
            seen.add(look)
            found.append(intent)
            if len(found) == keep:
                break
    return found


def _has_hazards(field: Field) -> bool:
    kinds = field.table.masks_by_kind()
    return any(kind in kinds for kind in HAZARDS)


__all__ = ["Intent", "Planner"]
