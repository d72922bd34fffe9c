"""Plans of Dust units with one movement: every place it may end is looked at once for all that may be done there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.dust.state import ON_BOARD, Unit
from dieselfront.rulesets.dust1947.adviser.field import Field
from dieselfront.rulesets.dust1947.adviser.goals import Goals
from dieselfront.rulesets.dust1947.adviser.intent import KINDS, Actions, Intent, Shot, different
from dieselfront.rulesets.dust1947.adviser.on_the_way import FREE, has_hazards, toll
from dieselfront.rulesets.dust1947.adviser.shielding import Shield
from dieselfront.rulesets.dust1947.adviser.special import supposing

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.adviser.plans import Planner

KEPT = 3
"""So many plans of a sequence are kept when there is time."""

WASTED = 0.05
"""What an attack on nobody costs beside no attack."""

ON_SQUARES, MEASURED = 6, 4
"""So many ends of a movement are looked at closely: the best, and as many that would be if nobody came to see them."""

HELD = 0.5
"""What it costs to be held in wire, besides what was meant to be done."""

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
        self.closely = MEASURED if field.play.rules.table == "measured" else ON_SQUARES
        self.shield = None if hurry else Shield(planner, field, unit)
        self.big = unit.card.size != "standard"
        self.hazards = unit.status == ON_BOARD and has_hazards(field)

    def plans(
        self, action: str, wanted: list[Actions], options: Mapping[Actions, Actions]
    ) -> dict[Actions, list[Intent]]:
        """For every wanted sequence with this movement its best plans."""
        reach = self.planner.reachable(self.field, self.goals, self.unit, action, self.hurry)
        way = self.planner.way(self.field.play, self.unit, action) if self.hazards else None
        after = {bare for bare in wanted if any(a in KINDS for a in bare[bare.index(action) + 1 :])}
        flags = {bare: self.planner.flags_after(self.unit, bare) for bare in wanted}
        plans: dict[Actions, list[Intent]] = {bare: [] for bare in wanted}
        for end in self.planner.ends(self.field, self.goals, self.unit, reach, bool(after), self.hurry):
            arrival = _Arrival(self, end, STEP * reach[end] + (MARCHED if action == "march" else 0.0))
            if self.hazards:
                arrival.toll = toll(self.field, self.unit, way, end)
            for bare in wanted:
                plans[bare].append(arrival.intent(bare, options[bare], flags[bare], bare in after))
        return {bare: self._best(bare, intents) for bare, intents in plans.items() if intents}

    def _best(self, bare: Actions, intents: list[Intent]) -> list[Intent]:
        """The best plans of a sequence; of a plain movement the safest, too."""
        intents.sort(key=lambda intent: -intent.value)
        if self.hurry:
            return intents[:1]
        intents = self._looked_at_closely(bare, intents)
        few = different(intents, KEPT)
        if len(bare) == 1:
            safest = min(intents, key=lambda intent: (round(intent.risk, 2), -intent.value))
            if safest not in few and safest.risk + 0.5 < intents[0].risk:
                few.append(safest)
        return few

    def _looked_at_closely(self, bare: Actions, intents: list[Intent]) -> list[Intent]:
        """The plans that look best, and those that would be if nobody came to see the spot, weighed with more care."""
        promising = sorted(intents, key=lambda intent: -intent.value - intent.hope)[: self.closely]
        few = list(dict.fromkeys([*intents[: self.closely], *promising]))
        planner, field, unit = self.planner, self.field, self.unit
        flags = planner.flags_after(unit, bare)
        for intent in few:
            if (flags ^ unit.flags) & planner.tells and unit.id in field.by_id:
                with supposing(field, unit, flags):
                    ground, intent.risk = planner.stand_closely(
                        field, self.goals, unit, intent.spot, intent.facing if self.big else None
                    )
            else:
                ground, intent.risk = planner.stand_closely(
                    field, self.goals, unit, intent.spot, intent.facing if self.big else None
                )
            intent.value += ground - intent.ground
            intent.ground = ground
        few.sort(key=lambda intent: -intent.value)
        return few


class _Arrival:
    """One end of a movement: standing and attacks are worked out once and serve every sequence that ends here."""

    __slots__ = ("cost", "facing", "gains", "shielded", "shots", "spot", "stands", "steps", "toll")

    def __init__(self, steps: Steps, end: Any, cost: float) -> None:
        self.steps = steps
        self.spot, self.facing = end if isinstance(end, tuple) else (end, None)
        self.cost = cost
        self.toll = FREE
        self.shielded: float | None = None
        self.stands: dict[int, tuple[float, float, float]] = {}  # by the tokens left
        self.shots: dict[str, Shot] = {}  # from here, by action
        self.gains: dict[str, float] = {}  # of attacks before the movement

    def intent(self, bare: Actions, option: Actions, flags: int, fights_here: bool) -> Intent:
        """The plan of one sequence that ends here."""
        steps = self.steps
        worth, risk, hope = self._stand(flags)
        fight = next((action for action in bare if action in KINDS), "")
        shot, gain = self._fight(fight, fights_here) if fight else (Shot(), 0.0)
        look = self.facing
        if look is None:
            look = steps.planner.facing(steps.field, steps.unit, self.spot, shot if fights_here else None)
        value = worth - self.cost + gain - (WASTED if fight and not shot.gain else 0.0)
        if steps.shield is not None and steps.shield.lines:
            value += self._shields()
        if self.toll is not FREE:
            value = self._paid(value, worth)
        made = Intent(steps.unit.id, option, value, self.spot, look, shot.target)
        made.gain, made.risk, made.hope, made.ground = shot.points, risk, hope, worth
        made.grip = shot.grip if fights_here else 0.0
        if not steps.hurry:
            made.holds = steps.goals.held_from(steps.unit, self.spot)
        return made

    def _shields(self) -> float:
        """What the hull saves friends here."""
        steps = self.steps
        assert steps.shield is not None
        if self.shielded is None:
            big = steps.big and self.facing is not None
            end = (self.spot, self.facing)
            squares = steps.field.table.footprint(steps.unit.card.size, end) if big else (self.spot,)
            self.shielded = steps.shield.gain(squares)
        return self.shielded

    def _paid(self, value: float, ground: float) -> float:
        """What is left of a plan's worth once mines and wire have taken their toll."""
        steps, toll = self.steps, self.toll
        stays, _ = steps.planner.stand(steps.field, steps.goals, steps.unit, steps.unit.place, True)
        arrives = toll.through * (1.0 - toll.ends)
        held = min(value, stays)  # who is held or falls on the way gains nothing
        return held + arrives * (value - held) - steps.planner.weights["lose"] * toll.points - HELD * (1 - toll.through)

    def _stand(self, flags: int) -> tuple[float, float, float]:
        """What standing here with these tokens is worth, the danger, and what it would gain if nobody came."""
        stand = self.stands.get(flags)
        if stand is None:
            steps = self.steps
            field, unit = steps.field, steps.unit
            if not (flags ^ unit.flags) & steps.planner.tells or unit.id not in field.by_id:
                stand = self._look()
            else:
                with supposing(field, unit, flags):
                    stand = self._look()
            self.stands[flags] = stand
        return stand

    def _look(self) -> tuple[float, float, float]:
        steps = self.steps
        if steps.hurry:
            return *steps.planner.stand(steps.field, steps.goals, steps.unit, self.spot, True), 0.0
        return steps.planner.glance(steps.field, steps.goals, steps.unit, self.spot)

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
