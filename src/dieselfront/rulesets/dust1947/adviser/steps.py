"""Plans of Dust units with one movement: every place it may end is looked at once for all that may be done there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.adviser.field import Field
from dieselfront.rulesets.dust1947.adviser.fire import HIT
from dieselfront.rulesets.dust1947.adviser.goals import Goals
from dieselfront.rulesets.dust1947.adviser.intent import KINDS, Actions, Intent, Shot, different
from dieselfront.rulesets.dust1947.adviser.special import supposing

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.adviser.plans import Planner

KEPT = 3
"""So many plans of a sequence are kept when there is time."""

WASTED = 0.05
"""What an attack on nobody costs beside no attack."""

STEP, MARCHED = 0.01, 0.05
"""What a step costs, and a march beside a move: of two ways that are worth the same the shorter is taken."""


class Steps:
    """What a unit may plan with one movement; `now` holds its attacks from where it stands, by action."""

    def __init__(
        self, planner: Planner, field: Field, goals: Goals, unit: Unit, now: dict[str, Shot], hurry: bool
    ) -> None:
        self.planner = planner
        self.field = field
        self.goals = goals
        self.unit = unit
        self.now = now
        self.hurry = hurry

    def plans(
        self, action: str, wanted: list[Actions], options: Mapping[Actions, Actions]
    ) -> dict[Actions, list[Intent]]:
        """For every wanted sequence with this movement its best plans."""
        reach = self.planner.reach(self.field.play, self.unit, action)
        after = {bare for bare in wanted if any(a in KINDS for a in bare[bare.index(action) + 1 :])}
        flags = {bare: self.planner.flags_after(self.unit, bare) for bare in wanted}
        plans: dict[Actions, list[Intent]] = {bare: [] for bare in wanted}
        for end in self.planner.ends(self.field, self.goals, self.unit, reach, bool(after), self.hurry):
            arrival = _Arrival(self, end, STEP * reach[end] + (MARCHED if action == "march" else 0.0))
            for bare in wanted:
                plans[bare].append(arrival.intent(bare, options[bare], flags[bare], bare in after))
        return {bare: self._best(bare, intents) for bare, intents in plans.items() if intents}

    def _best(self, bare: Actions, intents: list[Intent]) -> list[Intent]:
        """The best plans of a sequence; of a plain movement the safest, too."""
        intents.sort(key=lambda intent: -intent.value)
        few = different(intents, 1 if self.hurry else KEPT)
        if not self.hurry and len(bare) == 1:
            safest = min(intents, key=lambda intent: (round(intent.risk, 2), -intent.value))
            if safest not in few and safest.risk + 0.5 < intents[0].risk:
                few.append(safest)
        return few


class _Arrival:
    """One end of a movement: standing and attacks are worked out once and serve every sequence that ends here."""

    __slots__ = ("cost", "facing", "gains", "shots", "spot", "stands", "steps")

    def __init__(self, steps: Steps, end: Any, cost: float) -> None:
        self.steps = steps
        self.spot, self.facing = end if isinstance(end, tuple) else (end, None)
        self.cost = cost
        self.stands: dict[int, tuple[float, float]] = {}  # by the tokens left
        self.shots: dict[str, Shot] = {}  # from here, by action
        self.gains: dict[str, float] = {}  # of attacks before the movement

    def intent(self, bare: Actions, option: Actions, flags: int, fights_here: bool) -> Intent:
        """The plan of one sequence that ends here."""
        steps = self.steps
        worth, risk = self._stand(flags)
        fight = next((action for action in bare if action in KINDS), "")
        shot, gain = self._fight(fight, fights_here) if fight else (Shot(), 0.0)
        look = self.facing
        if look is None:
            look = steps.planner.facing(steps.field, steps.unit, self.spot, shot if fights_here else None)
        value = worth - self.cost + gain - (WASTED if fight and not shot.gain else 0.0)
        made = Intent(steps.unit.id, option, value, self.spot, look, shot.target)
        made.gain, made.risk = shot.points, risk
        made.grip = shot.grip if fights_here else 0.0
        return made

    def _stand(self, flags: int) -> tuple[float, float]:
        """What standing here with these tokens is worth, and the danger."""
        stand = self.stands.get(flags)
        if stand is None:
            steps = self.steps
            field, unit = steps.field, steps.unit
            if not (flags ^ unit.flags) & HIT or unit.id not in field.by_id:
                stand = steps.planner.stand(field, steps.goals, unit, self.spot, steps.hurry)
            else:
                with supposing(field, unit, flags):
                    stand = steps.planner.stand(field, steps.goals, unit, self.spot, steps.hurry)
            self.stands[flags] = stand
        return stand

    def _fight(self, action: str, here: bool) -> tuple[Shot, float]:
        """The attack from here, or the one made before the movement, and what it brings to one who stands here."""
        steps = self.steps
        planner, field, unit = steps.planner, steps.field, steps.unit
        if here:
            shot = self.shots.get(action)
            if shot is None:
                turned = self.facing is None
                shot = planner.shoot(field, unit, self.spot, KINDS[action], facing=self.facing, turned=turned)
                self.shots[action] = shot
            return shot, shot.gain
        shot = planner.attack_now(field, unit, action, steps.now)
        if action not in self.gains:
            self.gains[action] = planner.gain_from(field, unit, shot, self.spot)
        return shot, self.gains[action]


__all__ = ["Steps"]
