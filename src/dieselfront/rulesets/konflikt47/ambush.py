"""Ambush: waiting, and opportunity fire at enemies on the move (k47.ambush.*, k47.he.ambush_round).

At turn end an ambusher keeps or returns its die, it never fires then (k47.open.ambush_turn_end).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from dieselfront.kernel.decisions import Answer, PickOne, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import NOTHING, About
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.events import Ambushed
from dieselfront.rulesets.konflikt47.firing import AMBUSH as FROM_AMBUSH
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.routes import Route, midway
from dieselfront.rulesets.konflikt47.state import AMBUSH, FIRE, State, Unit
from dieselfront.table.measured.shapes import Body

SPACING = INCH  # the points of a way at which it may be interrupted lie this far apart, and at its end
NEAR = 20  # tenths of a millimetre to which the point of first sight is found

Stop = tuple[int, str, str]


class Ambush(Chapter):
    """Units that wait for the enemy to move."""

    def prepare(self, play: Play, unit: Unit) -> Procedure:
        """A gun that fires AT or HE names the loaded round (k47.he.ambush_round)."""
        weapons = [weapon for weapon in unit.card.weapons if weapon.he and not weapon.he_only]
        if not weapons:
            return
        usual = "AT" if weapons[0].at_gun else "HE"
        rounds = [usual, "HE" if usual == "AT" else "AT"]
        unit.shell = yield PickOne(
            unit.side,
            "loaded round",
            rounds,
            text=f"Which round has {unit.card.name} loaded?",
            rule="k47.he.ambush_round",
            unit=unit.id,
            act="choose",
        )

    def stops(self, play: Play, mover: Unit, route: Route, start: Sequence[Body], gun: Body | None) -> Procedure:
        """Every ambusher that sees the move may interrupt it at a point of its own choice (k47.ambush.trigger)."""
        state: State = play.state
        stops: list[Stop] = []
        waiting = [enemy for enemy in state.enemies(mover) if enemy.order == AMBUSH and not enemy.halted]
        if not waiting or not route.path:
            return stops
        points = [*range(SPACING, route.length, SPACING), route.length]
        for ambusher in waiting:
            seen = play.now(partial(self.seen_at, state, ambusher, mover, route, start, gun, points))
            if not seen:
                continue
            far = yield PickOne(
                ambusher.side,
                "ambush",
                [None, *seen],
                text=f"{mover.card.name} moves in sight of {ambusher.card.name}: spring the ambush?",
                rule="k47.ambush.trigger",
                unit=ambusher.id,
                labels=lambda far: "wait" if far is None else f'after {round(far / INCH, 1):g}"',
                act="react",
                about=springing(ambusher, mover),
            )
            if far is not None:
                stops.append((far, "ambush", ambusher.id))
        return stops

    def seen_at(
        self,
        state: State,
        ambusher: Unit,
        mover: Unit,
        route: Route,
        start: Sequence[Body],
        gun: Body | None,
        points: Sequence[int],
    ) -> list[int]:
        """The points of the way where the ambusher could fire at the mover; where it comes into sight is one."""
        kept = mover.bodies, mover.gun, mover.heading

        def is_seen(far: int) -> bool:
            mover.bodies, mover.gun = midway(route, start, gun, far)
            return self.rules.shooting.could_shoot(state, ambusher, mover, FROM_AMBUSH)

        seen: list[int] = []
        unseen = 0 if not is_seen(0) else None
        for far in points:
            if not is_seen(far):
                unseen = far
                continue
            if unseen is not None:
                first = first_sight(is_seen, unseen, far)
                seen += [first] if first < far - NEAR else []
                unseen = None
            seen.append(far)
        mover.bodies, mover.gun, mover.heading = kept
        return seen

    def appeared(self, play: Play, mover: Unit) -> Procedure:
        """A unit that arrives or dismounts in sight has moved by its order and may be fired at where it stands."""
        state: State = play.state
        could_shoot = self.rules.shooting.could_shoot
        for ambusher in [enemy for enemy in state.enemies(mover) if enemy.order == AMBUSH]:
            if not mover.on_table or not play.now(partial(could_shoot, state, ambusher, mover, FROM_AMBUSH)):
                continue
            wants = yield YesNo(
                ambusher.side,
                "ambush",
                text=f"{mover.card.name} comes into sight of {ambusher.card.name}: spring the ambush?",
                rule="k47.ambush.trigger",
                unit=ambusher.id,
                act="react",
                about=springing(ambusher, mover),
            )
            if wants:
                yield from self.spring(play, ambusher, mover)

    def spring(self, play: Play, ambusher: Unit, mover: Unit) -> Procedure:
        """Normal fire without the moving penalty; the victim may not react (k47.ambush.shot, k47.ambush.victim)."""
        if not ambusher.on_table or ambusher.order != AMBUSH or not mover.on_table:
            return
        shots = yield from self.rules.shooting.declare(play, ambusher, FROM_AMBUSH, only=mover)
        if not shots or not ground.sees(play.state, ambusher, mover):
            return
        play.emit(Ambushed("k47.ambush.shot", ambusher.id, mover.id))
        self.rules.orders.turn_die(play, ambusher, FIRE, "k47.ambush.shot")
        yield from self.rules.shooting.fire(play, ambusher, shots, FROM_AMBUSH, reactions=False)


def first_sight(is_seen: Callable[[int], bool], unseen: int, seen: int) -> int:
    """Where between a point out of sight and one in sight the mover comes into view."""
    while seen - unseen > NEAR:
        middle = (unseen + seen) // 2
        if is_seen(middle):
            seen = middle
        else:
            unseen = middle
    return seen


def springing(ambusher: Unit, mover: Unit) -> Callable[[Answer], About]:
    """What it means to spring an ambush, or to wait."""
    shot = About("react", ambusher.id, targets=(mover.id,))
    return lambda when: NOTHING if when in (None, False) else shot
