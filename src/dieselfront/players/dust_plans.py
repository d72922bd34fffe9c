"""Plans of one activation: which actions, where to, against whom, and what that is worth at first sight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from dieselfront.kernel.game import Play
from dieselfront.players.dust_field import Field, Piece
from dieselfront.players.dust_fire import CLOSE_ONLY, EVERY_ARC, HIT, PLAIN, RANGED_ONLY, SUSTAINED, Salvo, token_worth
from dieselfront.players.dust_goals import Goals
from dieselfront.players.dust_moves import ANEW, Moves
from dieselfront.players.dust_special import AFTER_MOVING, AGAIN, HELPS, ON_THE_SPOT, Specials, standing, supposing
from dieselfront.rulesets.dust.state import (
    ABOARD,
    CAMOUFLAGED,
    DRIVEN,
    DUG_IN,
    EVADES,
    EVADES_WELL,
    GRAPPLED,
    JINKING,
    NO_COVER,
    ON_BOARD,
    RESERVE,
    SUPPRESSED,
    Unit,
)
from dieselfront.rulesets.dust1947.activation import Activation

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
AWAY = 8
"""So many of the spots looked at are those farthest from the nearest foe."""

ELSEWHERE = 0.8
"""What the danger to others counts beside that to the unit itself."""

AFTER_A_MOVE = 0.75
"""What danger counts that needs a move first."""

KEEN = 1.4
"""What destruction counts before the last turn: who is gone does no harm in any turn to come."""

FEAR = 0.45
"""How much expected losses count beside expected gains."""

ENOUGH = 1.5
"""In a hurry nobody who can gain so much where he stands looks for a long way to go."""

CLOSER, INTO_RANGE = 0.3, 0.1
"""Without objectives: what a square nearer to the enemy is worth, and how much more while he is out of range."""

HAZARDS = ("wire", "minefield")
HAZARD_COST = 2.5

QUIET = ("move", "nothing", "special:camouflage")
"""What a camouflaged unit may do and stay unseen."""

LOSE_GROUND, HALFWAY = 0.5, 0.6
"""What it costs late in the battle if a unit falls on the objective it holds, as a share of that; and what is late."""

TOKENS = ("camouflage", "dozer")
"""Special actions that give a token, which the actions before them may have taken."""

GRIP = 0.6
"""What holding a foe fast is worth beside what he could do: he who holds him can do nothing else."""

HIDE_AGAIN = 0.85
"""What a token that is given up and gained again is worth beside one that was kept: something may come between."""

PLAUSIBLE = 0.2
"""A special action worth less is not put together with another one."""


class Intent:
    """What is meant to be done with a unit, and what it is worth; `idle` is the worth of doing nothing."""

    __slots__ = (
        "actions",
        "before",
        "declared",
        "facing",
        "gain",
        "grip",
        "idle",
        "menu",
        "mount",
        "numbers",
        "risk",
        "safe",
        "smoke",
        "spot",
        "target",
        "then",
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
        self.then: tuple[Any, Any] | None = None  # spot and facing of a second movement
        self.smoke: tuple[int, ...] = ()  # where artillery lays smoke instead of firing
        self.before = 0.0  # what others do anyway and should do after this plan, not before it
        self.menu = 0  # how many sequences there were to choose from; with others the plan is made anew
        self.idle = 0.0
        self.gain = 0.0
        self.grip = 0.0  # the part of its worth that any further action would let go
        self.risk = 0.0
        self.safe = False  # the plan with the least danger
        self.declared = False  # are its actions announced? Then it serves no other activation
        self.numbers = ""

    def announced(self) -> Intent:
        """The same plan under way; plans are shared between lines of play and never changed."""
        twin = Intent(self.unit, self.actions, self.value, self.spot, self.facing, self.target)
        twin.mount, twin.gain, twin.risk, twin.then = self.mount, self.gain, self.risk, self.then
        twin.smoke = self.smoke
        twin.safe, twin.idle, twin.declared = self.safe, self.idle, True
        return twin

    def onward(self) -> Intent:
        """The same plan once its first movement is done: a second one goes on."""
        twin = self.announced()
        if self.then is not None:
            (twin.spot, twin.facing), twin.then = self.then, None
        return twin

    @property
    def special(self) -> str:
        """What sets the plan apart from moving and shooting: special actions, a second movement, going aboard."""
        names = [action.removeprefix("free:")[8:] for action in self.actions if "special:" in action]
        if self.smoke:
            names.append("smoke")
        if self.mount is not None:
            names.append(f"mount {self.mount}")
        elif self.then is not None:
            names.append("onward")
        return " ".join(sorted(names))

    def much_the_same(self) -> tuple[Any, ...]:
        """What tells plans apart: who is attacked from where, and special actions."""
        fights = self.target if self.gain > 0.05 else ""
        return (self.spot, self.then, fights, round(2 * self.gain), self.special)


class _Shoot:
    """The best attack from a spot; `spared` is the part of its gain that the target can no longer do to the shooter."""

    __slots__ = ("facing", "gain", "grip", "hurt", "points", "spared", "target")

    def __init__(self, gain: float = 0.0, target: str = "", facing: int | None = None, points: float = 0.0) -> None:
        self.gain = gain
        self.points = points
        self.target = target
        self.facing = facing
        self.hurt = 0.0
        self.spared = 0.0
        self.grip = 0.0  # what it is worth to hold the target fast


class Planner:
    """Makes plans by the weights of a personality."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.weights = weights
        self.specials = Specials(self)
        self.moves = Moves(self)

    # -- parts of the worth -----------------------------------------------------------------------

    def gain(self, field: Field, foe: Unit, salvo: Salvo) -> float:
        """What an attack on a foe brings: points destroyed and nerves shaken."""
        if not salvo.points and not salvo.hits:
            return 0.0
        w = self.weights
        token = token_worth(foe, w["shaken"])
        shaken = salvo.hits * token
        if salvo.stops and not foe.flags & SUPPRESSED:  # d47.weapon.flame_suppression, d47.weapon.tesla_stun
            whole = w["shaken"] * foe.points * (0.6 if foe.activated else 1.0)
            shaken += salvo.stops * max(0.0, whole - token)
        keen = KEEN if field.state.turn < field.state.scenario.turns else 1.0
        return keen * (w["destroy"] * salvo.points + (1.0 - salvo.ends) * shaken)

    def danger(self, field: Field, unit: Unit, spot: int, *, waiting_only: bool = False, hurry: bool = True) -> float:
        """Points we expect to lose on a spot to foes that see it, and a little to those that could come to see it."""
        state = field.state
        later = 0.0 if waiting_only or state.turn >= state.scenario.turns else 0.5
        total = 0.0
        piece = field.piece(unit)
        calls = bool(field.callers(1 - unit.side)[0])
        for foe in field.pieces[1 - unit.side]:
            weight = later if foe.acted else 1.0
            if not weight:
                continue
            loss = field.struck(foe, piece, spot)
            if not loss and calls:
                loss = field.called(foe, piece, spot)
            if loss:
                total += weight * loss
            elif not hurry:
                total += AFTER_A_MOVE * weight * field.lurks(foe, piece, spot)
        total = min(total, float(piece.points))
        if not hurry and not piece.foot:
            total *= 1.0 + 0.6 * field.cargo(unit) / max(1, piece.points)
        return total

    def ground_at_stake(self, goals: Goals, unit: Unit, spot: int) -> float:
        """What is lost late in the battle if the unit falls on the objective it holds."""
        return LOSE_GROUND * goals.late * goals.stake(unit, spot) if goals.late > HALFWAY else 0.0

    def doom(self, field: Field, unit: Unit, spot: int) -> float:
        """The chance that a unit on a spot is destroyed by foes that have still to act."""
        piece = field.piece(unit)
        spared = 1.0
        for foe in field.foes(unit):
            if not foe.acted:
                spared *= 1.0 - field.strikes(foe, piece, spot).ends
        return 1.0 - spared

    def fear(self, field: Field, unit: Unit) -> float:
        """How much expected losses count: the fewer units the enemy can choose from, the surer they are to come."""
        return self.weights["lose"] * (FEAR + 0.4 / max(1, len(field.pieces[unit.side])))

    def stand(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> tuple[float, float]:
        """What standing on a spot is worth, and the danger there."""
        w = self.weights
        danger = self.danger(field, unit, spot, hurry=hurry)
        worth = w["advance"] * goals.pull(unit, spot) - self.fear(field, unit) * danger
        if danger and not hurry:
            stake = self.ground_at_stake(goals, unit, spot)
            if stake:
                worth -= stake * self.doom(field, unit, spot)
        if not goals.values:
            far = field.nearest(unit, spot)
            worth -= w["advance"] * (CLOSER * far + INTO_RANGE * max(0, far - field.fire.reach(unit)))
        if field.covered(spot):
            worth += w["cover"]
        if "on_leads" in unit.effects:
            errands = self.specials.errands(field, unit)
            worth += max((help for piece, help in errands if field.distance(spot, piece) <= 1), default=0.0)
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
            worth = self.gain(field, foe.unit, salvo)
            if worth and kind != RANGED_ONLY and distance <= 1:
                worth -= FEAR * field.salvo(foe, piece, 1, False, CLOSE_ONLY, EVERY_ARC).points
            hurt = spared = 0.0
            if worth and not (foe.acted and last):
                hurt = min(1.0, salvo.points / max(1, foe.points)) * (0.5 if foe.acted else 1.0)
                spared = fear * hurt * self._strikes_back(field, foe, piece, spot)
                worth += spared
            grip = 0.0
            if salvo.grips and not foe.unit.flags & GRAPPLED:  # d47.weapon.grapple_held
                grip = GRIP * salvo.grips * (1.0 - salvo.ends) * self._free(field, foe)
            if worth + grip > best.gain:
                look = field.facing_to(spot, foe.place) if turned else facing
                best = _Shoot(worth + grip, foe.unit.id, look, salvo.points)
                best.hurt, best.spared, best.grip = hurt, spared, grip
        return best

    def gain_from(self, field: Field, unit: Unit, shot: _Shoot, spot: int) -> float:
        """What an attack brings if the unit moves to a spot after it: there the target might strike it, or not."""
        if not shot.hurt:
            return shot.gain - shot.grip
        foe, piece = field.by_id[shot.target], field.piece(unit)
        there = self.fear(field, unit) * shot.hurt * self._strikes_back(field, foe, piece, spot)
        return shot.gain - shot.grip - shot.spared + there

    def _strikes_back(self, field: Field, foe: Piece, piece: Piece, spot: int) -> float:
        """What a foe could do that a hit forestalls: to the unit on its spot, to others, or by calling for fire."""
        most = field.struck(foe, piece, spot) or AFTER_A_MOVE * field.lurks(foe, piece, spot)
        return max(most, ELSEWHERE * field.threat(foe), field.calls(foe))

    # -- plans ----------------------------------------------------------------------------------

    def plans(
        self, field: Field, goals: Goals, unit: Unit, options: Sequence[Actions] | None = None, *, hurry: bool = False
    ) -> list[Intent]:
        """Plans of a unit, the best first; in a hurry fewer spots are looked at."""
        if options is None:
            spots = self.moves.landing_spots(field.play, unit)
            if spots is not None:
                return self.moves.landings(field, goals, unit, spots, hurry)
            with driven(field, unit):
                options = self.menu(field.play, unit)
                return self._plans(field, goals, unit, options, hurry)
        return self._plans(field, goals, unit, options, hurry)

    def _plans(self, field: Field, goals: Goals, unit: Unit, options: Sequence[Actions], hurry: bool) -> list[Intent]:
        plain: dict[Actions, Actions] = {}
        special: list[tuple[list[str], Actions, Actions]] = []
        for option in options:
            bare = tuple(action.removeprefix("free:") for action in option)
            names = [action[8:] for action in bare if action.startswith("special:")]
            if not names:
                plain[bare] = option
            elif len(names) == 1 or not hurry:
                special.append((names, tuple(a for a in bare if not a.startswith("special:")), option))
        best = self._plain_plans(field, goals, unit, plain, hurry)
        idle = best[()][0].value if () in best else 0.0
        found = [intent for few in best.values() for intent in few]
        if special and unit.status != "off":
            found += self._special_plans(field, goals, unit, special, best, idle, hurry)
        if not hurry and unit.status == ON_BOARD:
            found += self._smoke_plans(field, unit, best)
        hold = self.hold(field, unit)
        for intent in found:
            intent.idle = idle
            intent.menu = len(options)
            if hold and intent.actions:
                intent.value -= hold
        found.sort(key=lambda intent: (-intent.value, intent.actions))
        if hurry:
            return self._past_hazards(field, unit, found)
        found = self._past_hazards(field, unit, _apart(found))
        for intent in found:
            intent.numbers = f"expects {intent.gain:.1f} points, risks {intent.risk:.1f}"
        return found

    def hold(self, field: Field, unit: Unit) -> float:
        """What it costs to let go whom the unit holds, as any action but NOTHING does (d47.weapon.grapple_release)."""
        return max((self._free(field, foe) for foe in field.foes(unit) if foe.unit.held_by == unit.id), default=0.0)

    def _free(self, field: Field, foe: Piece) -> float:
        """What a foe could do to us that is not held fast."""
        if foe.acted and field.state.turn >= field.state.scenario.turns:
            return 0.0
        with supposing(field, foe.unit, foe.unit.flags & ~GRAPPLED):
            worst = max((field.struck(foe, own, own.place) for own in field.pieces[1 - foe.unit.side]), default=0.0)
        return self.weights["lose"] * worst * (0.5 if foe.acted else 1.0)

    def menu(self, play: Play, unit: Unit) -> list[Actions]:
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
            worth, danger = here, risk
            flags = self.flags_after(unit, bare)
            if on_board and (flags ^ unit.flags) & HIT:
                with supposing(field, unit, flags):
                    worth, danger = self.stand(field, goals, unit, unit.place, hurry)
            intent = Intent(unit.id, option, worth + shot.gain, target=shot.target)
            intent.gain, intent.risk, intent.grip = shot.points, danger, shot.grip
            best[bare] = [intent]
        pressed = hurry and max((few[0].gain for few in best.values()), default=0.0) > ENOUGH
        for action in MOVES:
            wanted = [bare for bare in moving if action in bare and not ("march" in bare and action == "move")]
            if pressed and action == "march":
                break
            if wanted:
                self._moving_plans(field, goals, unit, action, wanted, plain, now, best, hurry)
        if not pressed and on_board:
            for bare in moving:
                if bare.count("move") + bare.count("march") > 1:
                    self.moves.onward(field, goals, unit, bare, plain[bare], best, hurry)
            if not hurry:
                self.moves.rides(field, goals, unit, plain, best)
        return best

    def flags_after(self, unit: Unit, bare: Actions) -> int:
        """The tokens of a unit that decide how it is hit, once it has done these actions."""
        flags = unit.flags
        if not flags & HIT and not unit.is_aircraft:
            return flags
        flags &= ~(NO_COVER | JINKING)
        if flags & CAMOUFLAGED and any(action not in QUIET for action in bare) and not _silent(unit):
            flags &= ~CAMOUFLAGED
        moves = [action for action in bare if action in MOVES]
        if moves:
            flags &= ~DUG_IN
        if unit.is_aircraft:
            flags &= ~(EVADES | EVADES_WELL)
            if moves:
                flags |= EVADES_WELL if moves[-1] == "march" else EVADES
        return flags

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
            return self._from_aboard(field, unit) if fights else _Shoot()
        found = now.get(fights[0])
        if found is None:
            kind = KINDS[fights[0]]
            found = now[fights[0]] = self.shoot(field, unit, unit.place, kind, facing=None, turned=False)
        return found

    def _from_aboard(self, field: Field, unit: Unit) -> _Shoot:
        """Passengers fire to the sides, half of them at most."""
        carrier = field.state.by_id.get(unit.aboard)
        if unit.status != ABOARD or carrier is None or carrier.place < 0:
            return _Shoot(0.3)
        shot = self.shoot(field, unit, carrier.place, RANGED_ONLY, turned=True)
        return _Shoot(0.5 * shot.gain, shot.target, None, 0.5 * shot.points)

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
        reach = self.reach(field.play, unit, action)
        keep = 1 if hurry else 3
        found: dict[Actions, list[Intent]] = {bare: [] for bare in wanted}
        after = [bare for bare in wanted if self._fights_after(bare, action)]
        after_flags = {bare: self.flags_after(unit, bare) for bare in wanted}
        for end in self.ends(field, goals, unit, reach, bool(after), hurry):
            spot, facing = end if isinstance(end, tuple) else (end, None)
            cost = 0.01 * reach[end] + (0.05 if action == "march" else 0.0)
            stands: dict[int, tuple[float, float]] = {}
            shots: dict[str, _Shoot] = {}
            gains: dict[str, float] = {}  # of attacks before the move
            for bare in wanted:
                flags = after_flags[bare]
                if flags not in stands:
                    stands[flags] = self._stand_with(field, goals, unit, spot, flags, hurry)
                worth, risk = stands[flags]
                worth -= cost
                fights = [a for a in bare if a in KINDS]
                shot = _Shoot()
                gain = 0.0
                if fights and bare in after:
                    name = fights[0]
                    if name not in shots:
                        turned = facing is None
                        shots[name] = self.shoot(field, unit, spot, KINDS[name], facing=facing, turned=turned)
                    shot = shots[name]
                    gain = shot.gain
                elif fights:
                    shot = self._now(field, unit, fights, now)
                    if fights[0] not in gains:
                        gains[fights[0]] = self.gain_from(field, unit, shot, spot)
                    gain = gains[fights[0]]
                look = (
                    facing if facing is not None else self._facing(field, unit, spot, shot if bare in after else None)
                )
                wasted = 0.05 if fights and not shot.gain else 0.0
                intent = Intent(unit.id, plain[bare], worth + gain - wasted, spot, look, shot.target)
                intent.gain, intent.risk = shot.points, risk
                intent.grip = shot.grip if bare in after else 0.0
                found[bare].append(intent)
        for bare, intents in found.items():
            intents.sort(key=lambda intent: -intent.value)
            if intents:
                best[bare] = _different(intents, keep)
                if not hurry and len(bare) == 1:
                    safest = min(intents, key=lambda intent: (round(intent.risk, 2), -intent.value))
                    if safest not in best[bare] and safest.risk + 0.5 < intents[0].risk:
                        best[bare].append(safest)

    def _stand_with(
        self, field: Field, goals: Goals, unit: Unit, spot: int, flags: int, hurry: bool
    ) -> tuple[float, float]:
        """What standing on a spot with these tokens is worth, and the danger there."""
        if not (flags ^ unit.flags) & HIT or unit.id not in field.by_id:
            return self.stand(field, goals, unit, spot, hurry)
        with supposing(field, unit, flags):
            return self.stand(field, goals, unit, spot, hurry)

    def _fights_after(self, bare: Actions, action: str) -> bool:
        return any(a in KINDS for a in bare[bare.index(action) + 1 :])

    def intent(self, unit: Unit, option: Actions, value: float, spot: Any, facing: Any, target: str) -> Intent:
        """A plan that moves."""
        return Intent(unit.id, option, value, spot, facing, target)

    def shot_after(self, field: Field, unit: Unit, spot: int, bare: Actions) -> _Shoot:
        """The attack of a sequence from the spot where its last movement ends, or from here if it comes first."""
        last = max(place for place, action in enumerate(bare) if action in MOVES)
        for place, action in enumerate(bare):
            if action in KINDS:
                there = spot if place > last else unit.place
                return self.shoot(field, unit, there, KINDS[action], turned=place > last)
        return _Shoot()

    def look_from(self, field: Field, unit: Unit, spot: int) -> int | None:
        """Where a unit looks on a spot without a target."""
        return self._facing(field, unit, spot, None)

    def _facing(self, field: Field, unit: Unit, spot: int, shot: _Shoot | None) -> int | None:
        """Towards the target, or towards the nearest foe."""
        if unit.is_infantry:
            return None
        if shot is not None and shot.facing is not None:
            return shot.facing
        foe = field.nearest_foe(unit, spot)
        return unit.facing if foe is None else field.facing_to(spot, foe.place)

    def reach(self, play: Play, unit: Unit, action: str) -> dict[Any, int]:
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

    def ends(
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
        if hurry or near is None:
            return ends[:most]
        few = ends[: most - AWAY]
        rest = ends[most - AWAY :]
        rest.sort(key=lambda end: -field.distance(end[0] if isinstance(end, tuple) else end, near))
        return [*few, *rest[:AWAY]]

    def best_spot(self, field: Field, goals: Goals, unit: Unit, spots: list[Any]) -> Any:
        """The best of some spots to stand on, without a plan."""
        few = list(self.ends(field, goals, unit, dict.fromkeys(spots, 0), False, True))
        return max(few, key=lambda spot: self.stand(field, goals, unit, spot, True)[0])

    def _smoke_plans(self, field: Field, unit: Unit, best: dict[Actions, list[Intent]]) -> list[Intent]:
        """Artillery that lays smoke from where it stands instead of firing, alone or before it moves."""
        found: list[Intent] = []
        worth = -1.0
        block: tuple[int, ...] = ()
        for bare in (("attack",), ("attack", "move")):
            if bare not in best or not any(w.has("Artillery") for p in unit.fighters() for w in p.card.weapons):
                continue
            if worth < 0:
                worth, block = self.specials.screen(field, unit)
            rest = best.get(bare[1:]) or best.get(())
            if block and worth > PLAUSIBLE and rest:
                plan = best[bare][0]
                made = Intent(unit.id, plan.actions, rest[0].value + worth, rest[0].spot, rest[0].facing)
                made.smoke, made.gain, made.risk = block, worth, rest[0].risk
                found.append(made)
        return found

    # -- special actions --------------------------------------------------------------------------

    def _special_plans(
        self,
        field: Field,
        goals: Goals,
        unit: Unit,
        special: list[tuple[list[str], Actions, Actions]],
        best: dict[Actions, list[Intent]],
        idle: float,
        hurry: bool,
    ) -> list[Intent]:
        """For every special action, and every two of them, the best sequence they stand in."""
        worths: dict[tuple[str, int, int], float] = {}
        found: dict[tuple[str, ...], Intent] = {}
        for names, rest, option in special:
            if names == ["raid"]:
                raid = self.moves.raid(field, goals, unit, option, hurry)
                if raid is not None:
                    found["raid",] = raid
                continue
            fights = any(action in KINDS for action in rest)
            key = (*sorted(names), "fights" if fights else "")
            for base in (best.get(rest) or [None])[: 1 if hurry else 3]:  # type: ignore[list-item]
                made = self._with_specials(field, goals, unit, names, option, base, idle, worths, hurry)
                if made is not None and (key not in found or made.value > found[key].value):
                    found[key] = made
        plans = list(found.values())
        if not hurry:
            for made in plans:
                self._say_before(field, goals, unit, made)
        return plans

    def _with_specials(
        self,
        field: Field,
        goals: Goals,
        unit: Unit,
        names: list[str],
        option: Actions,
        base: Intent | None,
        idle: float,
        worths: dict[tuple[str, int, int], float],
        hurry: bool,
    ) -> Intent | None:
        """One sequence with special actions; None if they stand in a senseless order."""
        bare = tuple(action.removeprefix("free:") for action in option)
        made = Intent(unit.id, option, base.value if base is not None else idle)
        if base is not None:
            made.spot, made.facing, made.target, made.then = base.spot, base.facing, base.target, base.then
            made.risk, made.gain = base.risk, base.gain
            if bare[-1] not in KINDS:  # d47.weapon.grapple_release
                made.value -= base.grip
        moved = False
        seen: list[str] = []
        for place, action in enumerate(bare):
            moved = moved or action in MOVES
            name = action[8:] if action.startswith("special:") else ""
            if not name:
                continue
            rest = bare[place + 1 :]
            if not self._sensible(name, rest) or (name in seen and name not in AGAIN):
                return None
            worth = self._alone(field, goals, unit, name, bare[:place], made, moved, worths, hurry)
            buries = name == "engineering" and bare[place - 1 : place + 1] == (action, action)
            if buries:  # d47.engineer.bury: two actions in a row
                worth = max(worth * AGAIN[name], self.specials.buried(field, unit))
            if len(names) > 1 and worth < PLAUSIBLE and not self._first_spadeful(bare, place):
                return None
            if name in seen and not buries:
                worth *= AGAIN[name]
            elif moved and name not in ON_THE_SPOT:
                worth *= AFTER_MOVING
            if name == "engineering" and not place:
                worth += 0.05
            if name == "reload" and rest and rest[0] in KINDS:
                worth += self.specials.loaded(field, unit, unit.place)
            seen.append(name)
            made.value += worth
            made.gain += worth
        return made

    def _first_spadeful(self, bare: Actions, place: int) -> bool:
        """Is it the first of two works in a row, which may be worth something together?"""
        return bare[place] == "special:engineering" and bare[place + 1 : place + 2] == bare[place : place + 1]

    def _alone(
        self,
        field: Field,
        goals: Goals,
        unit: Unit,
        name: str,
        before: Actions,
        made: Intent,
        moved: bool,
        worths: dict[tuple[str, int, int], float],
        hurry: bool,
    ) -> float:
        """What one special action is worth after the actions before it, from where the unit is by then."""
        end = made.then[0] if made.then is not None else made.spot
        then = moved or name == "camouflage"  # which lasts beyond a move
        spot = end if then and end is not None else unit.place
        flags = self.flags_after(unit, before) if name in TOKENS else unit.flags
        key = (name, spot if name in ON_THE_SPOT else -2, flags)
        worth = worths.get(key)
        if worth is None:
            with self._there(field, unit, made if moved else None), supposing(field, unit, flags):
                worth = worths[key] = self.specials.worth(field, goals, unit, name, spot, hurry)
        return worth * HIDE_AGAIN if flags != unit.flags else worth

    def _there(self, field: Field, unit: Unit, made: Intent | None) -> AbstractContextManager[None]:
        """The field with a unit of several squares where its plan takes it."""
        if made is None or unit.card.size == "standard" or made.spot is None or made.facing is None:
            return nullcontext()
        return standing(field, unit, field.table.footprint(unit.card.size, (made.spot, made.facing)))

    def _sensible(self, name: str, rest: Actions) -> bool:
        """May these actions follow a special action without undoing it?"""
        if name == "get-moving":
            return all(action == "special:get-moving" for action in rest)
        if name == "camouflage":
            return all(action in QUIET for action in rest)
        if name in ("dozer", "launch-smoke"):
            return not any(action in MOVES or action in KINDS for action in rest)
        return True

    def _say_before(self, field: Field, goals: Goals, unit: Unit, made: Intent) -> None:
        """Orders that help a unit come before it acts."""
        if made.gain < 0.5:
            return
        for action in made.actions:
            name = action.removeprefix("free:").removeprefix("special:")
            if name in HELPS:
                made.before = max(made.before, self.specials.waiting(field, goals, unit, name))

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
        ends = [intent.spot, intent.then[0] if intent.then is not None else intent.spot]
        for action in intent.actions:
            bare = action.removeprefix("free:")
            if bare in MOVES and intent.spot is not None:
                said.append(f"{bare} to {state.table.name(ends.pop(0) if len(ends) > 1 else ends[0])}")
            elif bare in KINDS and intent.smoke:
                said.append("smoke")
            elif bare in KINDS:
                target = state.by_id.get(intent.target)
                said.append(
                    f"{bare.replace('sustained', 'sustained attack')}" + (f" on {target.name}" if target else "")
                )
            else:
                said.append(bare.removeprefix("special:").replace("-", " "))
        if intent.mount is not None:
            said.append(f"mount {state.by_id[intent.mount].name}")
        if intent.menu == ANEW:
            target = state.by_id.get(intent.target)
            said.append(f"land at {state.table.name(intent.spot)}" + (f" to attack {target.name}" if target else ""))
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


def _silent(unit: Unit) -> bool:
    """Do all its weapons keep their user hidden?"""
    return all(weapon.has("Stealth") for part in unit.fighters() for weapon in part.card.weapons if not weapon.close)


@contextmanager
def driven(field: Field, unit: Unit) -> Iterator[None]:
    """Mindless zombies beside the Blutkreuz, as they will be when they activate."""
    before = unit.flags
    if unit.status == ON_BOARD and unit.card.has("Mindless"):
        near = field.play.rules.ground.near
        friends = [friend for friend in field.state.on_board(unit.side) if friend.has("Blutkreuz")]
        if any(near(field.state, friend, unit, 1) for friend in friends):
            unit.flags |= DRIVEN
    try:
        yield
    finally:
        unit.flags = before


def _has_hazards(field: Field) -> bool:
    kinds = field.table.masks_by_kind()
    return any(kind in kinds for kind in HAZARDS)


__all__ = ["Intent", "Planner"]
