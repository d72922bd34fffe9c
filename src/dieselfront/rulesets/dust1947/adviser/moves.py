"""Plans of Dust units that move twice, ride or land: march and move, raids, transport, airborne (see dust_plans.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import OFF_BOARD, ON_BOARD, RESERVE, Unit
from dieselfront.rulesets.dust1947.adviser.field import Field
from dieselfront.rulesets.dust1947.adviser.fire import PLAIN, SUSTAINED
from dieselfront.rulesets.dust1947.adviser.goals import Goals
from dieselfront.rulesets.dust1947.adviser.intent import Actions, Intent, in_points
from dieselfront.rulesets.dust1947.playing import Play

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.adviser.plans import Planner

RAIDS = 6
"""So many places to fire from are looked at in a raid, in a hurry two."""

LANDINGS, HURRIED_LANDINGS = 96, 24
"""So many places to land are looked at."""

ANEW = -1
"""A menu that no decision has: what follows is planned once the unit has landed."""

ENDANGERED = 1.0
"""Who expects to lose so much looks for a carrier to shelter in."""

RIDE = 0.85
"""What it is worth to be somewhere aboard, beside being there on foot."""


class Moves:
    """Plans with more than one movement, by the weights of a planner."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner

    # -- a march and a move ------------------------------------------------------------------------

    def onward(
        self,
        field: Field,
        goals: Goals,
        unit: Unit,
        bare: Actions,
        option: Actions,
        best: dict[Actions, list[Intent]],
        hurry: bool,
    ) -> None:
        """Two movements in a row: the ends that one of them does not reach, with a halt on the way."""
        play = field.play
        if play.rules.table == "measured" or unit.card.size != "standard":
            return
        movement = play.rules.movement
        move, march = movement.pace(play, unit)
        first = movement.reach(play, unit, march, "march").costs
        whole = movement.reach(play, unit, march + move, "march")
        farther = {end: cost for end, cost in whole.costs.items() if end not in first}
        intents: list[Intent] = []
        for end in self.planner.ends(field, goals, unit, farther, self._fights_last(bare), hurry):
            made = self._end(field, goals, unit, bare, option, end, farther[end], hurry)
            intents.append(made)
        intents.sort(key=lambda intent: -intent.value)
        few: list[Intent] = []
        for made in intents[:8]:
            halt = self._halt(field, unit, first, whole.path(made.spot), made.spot, move)
            if halt is not None:
                made.then, made.spot = (made.spot, made.facing), halt
                few.append(made)
                if hurry or len(few) == 2:
                    break
        if few:
            best[bare] = sorted([*best.get(bare, []), *few], key=lambda intent: -intent.value)[: 1 if hurry else 4]

    def _fights_last(self, bare: Sequence[str]) -> bool:
        return bare[-1] not in ("move", "march")

    def _end(
        self, field: Field, goals: Goals, unit: Unit, bare: Actions, option: Actions, spot: int, cost: int, hurry: bool
    ) -> Intent:
        planner = self.planner
        worth, risk = planner.stand(field, goals, unit, spot, hurry)
        shot = planner.shot_after(field, unit, spot, bare)
        made = Intent(unit.id, option, worth + shot.gain - 0.01 * cost - 0.05, spot, shot.facing, shot.target)
        made.gain, made.risk = shot.points, risk
        if made.facing is None:
            made.facing = planner.facing(field, unit, spot)
        return made

    def _halt(
        self, field: Field, unit: Unit, first: Mapping[Any, int], path: Sequence[int], end: int, move: int
    ) -> int | None:
        """The last place on the way that the march reaches and from which a move goes to the end."""
        ground = field.play.rules.ground
        for place in reversed(path[:-1]):
            if place in first:
                reach = ground.reach(field.state, unit, move, start=place, halved_budget=max(1, move // 2))
                return int(place) if end in reach.costs else None
        return None

    # -- raids ---------------------------------------------------------------------------------------

    def raid(self, field: Field, goals: Goals, unit: Unit, option: Actions, hurry: bool) -> Intent | None:
        """Out, fire, and away again: the best place to fire from and the best to be afterwards."""
        play, planner = field.play, self.planner
        if unit.status != ON_BOARD or play.rules.table == "measured":
            return None
        move = play.rules.movement.pace(play, unit)[0]
        out = play.rules.movement.reach(play, unit, move, "move").costs
        shots = []
        for end in planner.ends(field, goals, unit, out, True, hurry):
            spot, facing = end if isinstance(end, tuple) else (end, None)
            shot = planner.shoot(field, unit, spot, PLAIN, facing=facing, turned=facing is None)
            if shot.gain > 0.3:
                risk = planner.danger(field, unit, spot, waiting_only=True)
                shots.append((shot.gain - 0.2 * planner.fear(field, unit) * risk, end, shot))
        shots.sort(key=lambda one: (-one[0], str(one[1])))
        best: Intent | None = None
        for gain, end, shot in shots[: 2 if hurry else RAIDS]:
            spot, facing = end if isinstance(end, tuple) else (end, shot.facing)
            back = self._away(field, goals, unit, end, move, hurry)
            if back is None:
                continue
            worth, risk, then = back
            worth += planner.gain_from(field, unit, shot, then[0]) - shot.gain
            if best is None or gain + worth > best.value:
                best = Intent(unit.id, option, gain + worth - 0.05, spot, facing, shot.target)
                best.then, best.gain, best.risk = then, shot.points, risk
        return best

    def _away(
        self, field: Field, goals: Goals, unit: Unit, start: Any, move: int, hurry: bool
    ) -> tuple[float, float, tuple[Any, Any]] | None:
        """The best place that a second move reaches, what it is worth, and the danger there."""
        planner = self.planner
        ground = field.play.rules.ground
        reach = ground.reach(field.state, unit, move, start=start, halved_budget=max(1, move // 2)).costs
        best: tuple[float, float, tuple[Any, Any]] | None = None
        for end in planner.ends(field, goals, unit, reach, False, hurry):
            spot, facing = end if isinstance(end, tuple) else (end, planner.facing(field, unit, end))
            worth, risk = planner.stand(field, goals, unit, spot, hurry)
            if best is None or worth > best[0]:
                best = (worth, risk, (spot, facing))
        return best

    # -- landing from the air --------------------------------------------------------------------------

    def landing_spots(self, play: Play, unit: Unit) -> Mapping[int, Any] | None:
        """Where a unit may come down when it activates; None if it does not (d47.skill.airborne_entry)."""
        if unit.status not in (OFF_BOARD, RESERVE) or play.rules.table == "measured":
            return None
        skills = (getattr(answer, "__self__", None) for answer in unit.effects.get("on_activation", ()))
        airborne = next((skill for skill in skills if hasattr(skill, "landing_spots")), None)
        return airborne.landing_spots(play, unit) if airborne is not None else None

    def landings(self, field: Field, goals: Goals, unit: Unit, spots: Iterable[int], hurry: bool) -> list[Intent]:
        """Where to land: the best attack right after it, if there is time for one (d47.skill.airborne_actions).

        Landing is no hurry by itself, so ground counts only beside the best ground there is.
        """
        planner = self.planner
        stumbles = bool(ask(unit.effects, "on_landing", True, unit))
        chance, kind = (2 / 3, PLAIN) if stumbles else (1.0, SUSTAINED)
        fear = planner.fear(field, unit)
        landings: list[tuple[float, Intent]] = []
        for spot in self._worth_a_look(field, goals, unit, spots, hurry):
            worth, risk = planner.stand(field, goals, unit, spot, hurry)
            shot = planner.shoot(field, unit, spot, kind, turned=True)
            made = Intent(unit.id, (), chance * shot.gain - fear * risk, spot, shot.facing, shot.target)
            made.gain, made.risk, made.menu = chance * shot.points, risk, ANEW
            if made.facing is None:
                made.facing = planner.facing(field, unit, spot)
            landings.append((worth + fear * risk, made))
        most = max((ground for ground, _ in landings), default=0.0)
        for ground, made in landings:
            made.value += ground - most + 0.1
            made.numbers = in_points(made.gain, made.risk)
        best: dict[str, Intent] = {}
        for _, made in sorted(landings, key=lambda one: -one[1].value):
            best.setdefault(made.target, made)
        return list(best.values())[: 1 if hurry else 3]

    def _worth_a_look(self, field: Field, goals: Goals, unit: Unit, spots: Iterable[int], hurry: bool) -> list[int]:
        """Spots within range of foes, near objectives, in cover."""
        reach = field.fire.reach(unit)
        foes = field.foes(unit)

        def first_look(spot: int) -> float:
            worth = goals.pull(unit, spot) + (0.5 if field.covered(spot) else 0.0)
            return worth + max((0.3 * foe.points for foe in foes if field.distance(spot, foe) <= reach), default=0.0)

        return sorted(spots, key=lambda spot: (-first_look(spot), spot))[: HURRIED_LANDINGS if hurry else LANDINGS]

    # -- going aboard ------------------------------------------------------------------------------------

    def rides(
        self,
        field: Field,
        goals: Goals,
        unit: Unit,
        plain: Mapping[Actions, Actions],
        best: dict[Actions, list[Intent]],
    ) -> None:
        """Aboard a carrier that has still to act and takes the unit farther than its own feet, or that shelters it."""
        play, state = field.play, field.state
        if unit.is_aircraft or play.rules.table == "measured":
            return
        transport = play.rules.transport
        carriers = [c for c in state.on_board(unit.side) if "on_carries" in c.effects]
        in_danger = bool(carriers) and self.planner.danger(field, unit, unit.place, waiting_only=True) > ENDANGERED
        for carrier in carriers:
            takes_on = goals.values and goals.left and not carrier.activated
            if not (takes_on or in_danger) or not transport.fits(play, unit, carrier):
                continue
            for action in ("move", "march"):
                made = self._ride(field, goals, unit, carrier, action, plain)
                if made is not None:
                    best[action,] = [*best.get((action,), []), made]
                    break

    def _ride(
        self, field: Field, goals: Goals, unit: Unit, carrier: Unit, action: str, plain: Mapping[Actions, Actions]
    ) -> Intent | None:
        option = plain.get((action,))
        if option is None or unit.card.size != "standard":
            return None
        play, planner = field.play, self.planner
        piece = field.piece(carrier)
        reach = planner.reach(play, unit, action)
        beside = [spot for spot in reach if field.distance(spot, piece) <= 1]
        if not beside:
            return None
        spot = min(beside, key=lambda place: (reach[place], place))
        there = self._ridden_to(play, goals, unit, carrier) if goals.left and not carrier.activated else 0.0
        danger = 0.6 * unit.points * planner.danger(field, carrier, carrier.place) / max(1, carrier.points)
        worth = RIDE * planner.weights["advance"] * there - planner.fear(field, unit) * danger
        made = Intent(unit.id, option, worth - 0.1, spot, None, "")
        made.mount, made.risk = carrier.id, danger
        if not carrier.activated:
            made.before = 0.9 * planner.specials.act(field, goals, carrier)  # it must not drive off before
        return made

    def _ridden_to(self, play: Play, goals: Goals, unit: Unit, carrier: Unit) -> float:
        """What it is worth to a unit to be where its carrier can take it."""
        march = play.rules.movement.pace(play, carrier)[1]
        rides = play.rules.movement.reach(play, carrier, march, "march").costs
        ends = {end[0] if isinstance(end, tuple) else end for end in rides}
        return max((goals.pull(unit, place) for place in sorted(ends)), default=0.0)


__all__ = ["Moves"]
