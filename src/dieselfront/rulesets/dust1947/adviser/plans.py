"""Plans of one activation: which actions, where to, against whom, and what that is worth at first sight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

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
from dieselfront.rulesets.dust1947.adviser.chains import PLAUSIBLE, Chain, Chains
from dieselfront.rulesets.dust1947.adviser.field import Field, Piece
from dieselfront.rulesets.dust1947.adviser.fire import CLOSE_ONLY, EVERY_ARC, HIT, RANGED_ONLY, Salvo, token_worth
from dieselfront.rulesets.dust1947.adviser.goals import Goals
from dieselfront.rulesets.dust1947.adviser.intent import KINDS, MOVES, QUIET, Actions, Intent, Shot, apart, in_points
from dieselfront.rulesets.dust1947.adviser.moves import ANEW, Moves
from dieselfront.rulesets.dust1947.adviser.open_ends import ends_at_markers, ends_in_shelter
from dieselfront.rulesets.dust1947.adviser.special import Specials, supposing
from dieselfront.rulesets.dust1947.adviser.standing import AFTER_A_MOVE, FEAR, Standing
from dieselfront.rulesets.dust1947.adviser.steps import Steps
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.skills.recovery import carries_blutkreuz

HURRIED_SPOTS = 6
MOST_SPOTS = 64
AWAY = 8
"""So many of the spots looked at are those farthest from the nearest foe."""

UNMASKED = 0.06
"""What it costs before the last turn to give up camouflage, as a share of the unit."""

PICKED = 0.6
"""What the fire of a man who is picked counts, beside points lost for sure."""

ELSEWHERE = 0.8
"""What the danger to others counts beside that to the unit itself."""

RIDERS_LOST = 0.35
"""The share of those aboard that is lost with their carrier (d47.transport.destroyed_roll)."""

KEEN = 1.4
"""What destruction counts before the last turn: who is gone does no harm in any turn to come."""

ENOUGH = 1.5
"""In a hurry nobody who can gain so much where he stands looks for a long way to go."""

GRIP = 0.6
"""What holding a foe fast is worth beside what he could do: he who holds him can do nothing else."""


class Planner(Standing):
    """Makes plans by the weights of a personality."""

    tells = HIT
    """Tokens on which it depends what it is worth to stand somewhere."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.weights = weights
        self.specials = Specials(self)
        self.moves = Moves(self)
        self._picking: dict[str, bool] = {}

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
        riders = field.riders.get(foe.id, 0)
        lost = salvo.points + RIDERS_LOST * salvo.ends * riders if riders else salvo.points
        return keen * (w["destroy"] * lost + (1.0 - salvo.ends) * shaken)

    def shoot(self, field: Field, unit: Unit, spot: int, kind: int, *, facing: int | None = None, turned: bool) -> Shot:
        """The best target from a spot; close combat counts what comes back."""
        best = Shot()
        piece = field.piece(unit)
        fear = self.fear(field, unit)
        last = field.state.turn >= field.state.scenario.turns
        goals = field.goals if last else None
        picks = self._picks(unit)
        for foe in field.pieces[1 - unit.side]:
            distance = field.distance(spot, foe)
            if kind == CLOSE_ONLY and distance > 1:
                continue
            salvo = field.shoots(piece, spot, foe, kind, facing, turned)
            if salvo is None:
                continue
            worth = self.gain(field, foe.unit, salvo)
            if picks and salvo.hits and foe.foot:
                worth += (1.0 - salvo.ends) * salvo.hits * self._plum(field, foe)
            if salvo.ends and goals is not None:
                worth += salvo.ends * self.weights["destroy"] * goals.clears(foe.unit, unit, spot)
            if worth and kind != RANGED_ONLY and distance <= 1 and not foe.unit.stunned:
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
                best = Shot(worth + grip, foe.unit.id, look, salvo.points)
                best.hurt, best.spared, best.grip = hurt, spared, grip
        return best

    def _picks(self, unit: Unit) -> bool:
        """Does a unit choose whom it hits (d47.weapon.sniper_pick)?"""
        card = unit.parts[0].card
        picks = self._picking.get(card.id)
        if picks is None:
            picks = self._picking[card.id] = any(weapon.has("Sniper") for weapon in card.weapons)
        return picks

    def _plum(self, field: Field, foe: Piece) -> float:
        """What it is worth to pick the man of a foe who can hurt us most, beside any other one."""
        plum = field.plums.get(foe.unit.id)
        if plum is None:
            part = foe.unit.fighters()[0]
            men = part.alive if part.squad and len(part.alive) > 1 else ()
            missed = (self.specials.fire_missed(field, foe.unit, part, man) for man in men)
            plum = field.plums[foe.unit.id] = PICKED * max(missed, default=0.0)
        return plum

    def beyond(self, field: Field, unit: Unit, foe: Unit) -> float:
        """What the end of a foe brings a unit that stays where it is, besides his points."""
        piece = field.by_id.get(foe.id)
        worth = RIDERS_LOST * field.riders.get(foe.id, 0)
        if field.goals is not None and unit.place >= 0:
            worth += field.goals.clears(foe, unit, unit.place)
        if piece is not None and not (piece.acted and field.state.turn >= field.state.scenario.turns):
            share = 0.5 if piece.acted else 1.0
            worth += self.fear(field, unit) * share * max(ELSEWHERE * field.threat(piece), field.calls(piece))
        return worth

    def gain_from(self, field: Field, unit: Unit, shot: Shot, spot: int) -> float:
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
        field.goals = goals
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
        special: list[Chain] = []
        for option in options:
            chain = Chain(option)
            if not chain.names:
                plain[chain.bare] = option
            elif len(chain.names) == 1 or not hurry:
                special.append(chain)
        best = self._plain_plans(field, goals, unit, plain, hurry)
        idle = best[()][0].value if () in best else 0.0
        intents = [intent for few in best.values() for intent in few]
        if special and unit.status != "off":
            intents += Chains(self, field, goals, unit, idle, hurry).plans(special, best)
        if not hurry and unit.status == ON_BOARD:
            intents += self._smoke_plans(field, unit, best)
        hold = self.hold(field, unit)
        if unit.flags & CAMOUFLAGED:
            self._mind_camouflage(field, unit, intents)
        for intent in intents:
            intent.idle = idle
            intent.menu = len(options)
            if hold and intent.actions:
                intent.value -= hold
        intents.sort(key=lambda intent: (-intent.value, intent.actions))
        if hurry:
            return intents
        intents = apart(intents)
        for intent in intents:
            intent.numbers = in_points(intent.gain, intent.risk)
        return intents

    def _mind_camouflage(self, field: Field, unit: Unit, intents: Iterable[Intent]) -> None:
        """Who is hidden shows himself for something that is worth it (d47.skill.camouflage_lost)."""
        if field.state.turn >= field.state.scenario.turns:
            return
        for intent in intents:
            bare = tuple(action.removeprefix("free:") for action in intent.actions)
            if not self.flags_after(unit, bare) & CAMOUFLAGED and "special:camouflage" not in bare:
                intent.value -= UNMASKED * unit.points

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
        sequences: list[Actions] = play.rules.activations.menu(activation).sequences
        return sequences

    def _plain_plans(
        self, field: Field, goals: Goals, unit: Unit, plain: dict[Actions, Actions], hurry: bool
    ) -> dict[Actions, list[Intent]]:
        """For every plain sequence its best plan, and the next best two when there is time."""
        best: dict[Actions, list[Intent]] = {}
        on_board = unit.status == ON_BOARD
        here, risk = self._here(field, goals, unit, hurry) if on_board else self._aboard(field, goals, unit)
        now: dict[str, Shot] = {}
        moving: list[Actions] = []
        for bare, option in plain.items():
            if any(action in MOVES for action in bare):
                moving.append(bare)
                continue
            fight = next((action for action in bare if action in KINDS), "")
            shot = self.attack_now(field, unit, fight, now) if fight else Shot()
            worth, danger = here, risk
            flags = self.flags_after(unit, bare)
            if on_board and (flags ^ unit.flags) & self.tells:
                with supposing(field, unit, flags):
                    worth, danger = self._here(field, goals, unit, hurry)
            intent = Intent(unit.id, option, worth + shot.gain, target=shot.target)
            intent.gain, intent.risk, intent.grip = shot.points, danger, shot.grip
            best[bare] = [intent]
        steps = Steps(self, field, goals, unit, now, hurry)
        pressed = hurry and max((few[0].gain for few in best.values()), default=0.0) > ENOUGH
        for action in MOVES:
            wanted = [bare for bare in moving if action in bare and not ("march" in bare and action == "move")]
            if pressed and action == "march":
                break
            if wanted:
                best.update(steps.plans(action, wanted, plain))
        if not pressed and on_board:
            for bare in moving:
                if bare.count("move") + bare.count("march") > 1:
                    self.moves.onward(field, goals, unit, bare, plain[bare], best, hurry)
            if not hurry:
                self.moves.rides(field, goals, unit, plain, best)
        return best

    def _here(self, field: Field, goals: Goals, unit: Unit, hurry: bool) -> tuple[float, float]:
        """What it is worth to stay, and the danger."""
        return (
            self.stand(field, goals, unit, unit.place, True)
            if hurry
            else self.stand_closely(field, goals, unit, unit.place)
        )

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

    def attack_now(self, field: Field, unit: Unit, action: str, now: dict[str, Shot]) -> Shot:
        """The attack from where the unit stands, as it faces; `now` holds those worked out."""
        if unit.status != ON_BOARD:
            return self._from_aboard(field, unit)
        shot = now.get(action)
        if shot is None:
            shot = now[action] = self.shoot(field, unit, unit.place, KINDS[action], facing=None, turned=False)
        return shot

    def _from_aboard(self, field: Field, unit: Unit) -> Shot:
        """Passengers fire to the sides, half of them at most."""
        carrier = field.state.by_id.get(unit.aboard)
        if unit.status != ABOARD or carrier is None or carrier.place < 0:
            return Shot(0.3)
        shot = self.shoot(field, unit, carrier.place, RANGED_ONLY, turned=True)
        return Shot(0.5 * shot.gain, shot.target, None, 0.5 * shot.points)

    def shot_after(self, field: Field, unit: Unit, spot: int, bare: Actions) -> Shot:
        """The attack of a sequence from the spot where its last movement ends, or from here if it comes first."""
        last = max(place for place, action in enumerate(bare) if action in MOVES)
        for place, action in enumerate(bare):
            if action in KINDS:
                there = spot if place > last else unit.place
                return self.shoot(field, unit, there, KINDS[action], turned=place > last)
        return Shot()

    def facing(self, field: Field, unit: Unit, spot: int, shot: Shot | None = None) -> int | None:
        """Where a unit looks on a spot: towards its target, or towards the nearest foe."""
        if unit.is_infantry:
            return None
        if shot is not None and shot.facing is not None:
            return shot.facing
        foe = field.nearest_foe(unit, spot)
        return unit.facing if foe is None else field.facing_to(spot, foe.place)

    def way(self, play: Play, unit: Unit, action: str) -> Any:
        """The ways of a movement action from where a unit stands."""
        move, march = play.rules.movement.pace(play, unit)
        return play.rules.movement.reach(play, unit, move if action == "move" else march, action)

    def reach(self, play: Play, unit: Unit, action: str) -> dict[Any, int]:
        """Where a movement action can end, with what it costs."""
        if unit.status == ON_BOARD:
            ends: dict[Any, int] = self.way(play, unit, action).costs
            return ends
        rules = play.rules
        move, march = rules.movement.pace(play, unit)
        budget = move if action == "move" else march
        if unit.status == ABOARD:
            return {end: cost for end, (cost, _) in rules.transport.exits(play, unit, budget).items()}
        if unit.status == RESERVE:
            entries: dict[Any, int] = rules.reserves.reach(play, unit, budget).costs
            return entries
        return {}

    def reachable(self, field: Field, goals: Goals, unit: Unit, action: str, hurry: bool) -> dict[Any, int]:
        """The same, on an open table with the places that its list leaves out and that plans may want."""
        if unit.status != ON_BOARD or field.play.rules.table != "measured" or (hurry and goals.left):
            return self.reach(field.play, unit, action)
        region = self.way(field.play, unit, action)
        ends = dict(region.costs)
        ends.update(ends_at_markers(goals, unit, region, ends))
        if not hurry:
            ends.update(ends_in_shelter(field, unit, region))
        return ends

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
        plans: list[Intent] = []
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
                plans.append(made)
        return plans

    # -- last looks -----------------------------------------------------------------------------

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


def _silent(unit: Unit) -> bool:
    """Do all its weapons keep their user hidden?"""
    return all(weapon.has("Stealth") for part in unit.fighters() for weapon in part.card.weapons if not weapon.close)


@contextmanager
def driven(field: Field, unit: Unit) -> Iterator[None]:
    """Mindless zombies beside the Blutkreuz, as they will be when they activate."""
    before = unit.flags
    if unit.status == ON_BOARD and unit.card.has("Mindless"):
        near = field.play.rules.ground.near
        friends = [friend for friend in field.state.on_board(unit.side) if carries_blutkreuz(friend)]
        if any(near(field.state, friend, unit, 1) for friend in friends):
            unit.flags |= DRIVEN
    try:
        yield
    finally:
        unit.flags = before


__all__ = ["Planner"]
