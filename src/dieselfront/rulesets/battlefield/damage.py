"""Losses: any miniature the weapon could reach, chosen by its owner, tracks hit by hit (bf.damage.*).

Wrecks slow and cover.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import ON_BOARD, Part, Unit
from dieselfront.rulesets.dust_open.damage import OpenDamage
from dieselfront.rulesets.dust_open.models import SINGLE, Figure

WRECK = "once wreck "
"""Marks of a side: where the wrecks of its vehicles lie, for those that are replaced."""


class BattleDamage(OpenDamage):
    """From unsaved hits to losses (bf.damage.order)."""

    def reached(self, unit: Unit, shot: Shot | None) -> tuple[Figure, ...] | None:
        """The miniatures a shot can fell, None for all: under the template, or in arc, range and sight.

        bf.damage.valid_targets.
        """
        if shot is None or unit.status != ON_BOARD:
            return None
        touched = getattr(shot.line, "touched", None)
        figures: tuple[Figure, ...] | None = getattr(shot.line, "seen", None) if touched is None else touched
        return figures

    def classes(self, unit: Unit, part: Part, shot: Shot | None) -> tuple[list[int], list[int]]:
        """Everybody who can be reached, as the owner likes; there is no order among them (bf.damage.squad)."""
        able = self.reached(unit, shot)
        if able is None or (part.card.id, SINGLE) in unit.figures:
            return (list(part.alive), []) if able is None or (part.card.id, SINGLE) in able else ([], [])
        return [soldier for soldier in part.alive if (part.card.id, soldier) in able], []

    def room(self, shot: Shot, part: Part) -> tuple[int, int]:
        """How many hits a part can be given."""
        most = self.hits_to_finish(shot, part)
        if part.squad and (part.card.id, SINGLE) not in shot.target.figures:
            men = len(self.classes(shot.target, part, shot)[0])
            return (99 if men and most == 99 else min(men, most)), 0
        able = self.reached(shot.target, shot)
        return (most, 0) if able is None or (part.card.id, SINGLE) in able else (0, 0)

    def takes_hits_singly(self, part: Part) -> bool:
        """Has it a damage track, so that what a hit costs depends on the hits before it (bf.damage.order)?"""
        return not (part.squad and part.card.kind == "infantry")

    def _points(self, play: Play, shot: Shot, part: Part, hits: int) -> Generator[Any, Any, int]:
        """Hit by hit on a damage track: a die for every cross that this hit would mark off.

        bf.damage.order, bf.skill.damage_resilient_track, bf.open.resilient_vs_kill.
        """
        negate = play.rules.saves.negation(play, shot, part) if self.takes_hits_singly(part) else None
        if negate is None:
            return (yield from super()._points(play, shot, part, hits))
        each = play.rules.attacks.damage_per_hit(shot, part)
        left = part.left
        for _ in range(hits):
            crosses = min(each, left)
            if crosses:
                thrown = yield from play.throw(negate, crosses, shot.target.side, shot.target.id)
                left -= crosses - thrown.successes
        return part.left - left

    def _part_lost(self, play: Play, unit: Unit, part: Part, shot: Shot | None = None) -> Procedure:
        yield from super()._part_lost(play, unit, part, shot)
        play.rules.heroes.after_loss(play, unit, part)

    def leave_wreck(self, play: Play, unit: Unit, where: tuple[int, ...]) -> None:
        """A destroyed vehicle stays as terrain (bf.damage.wreck, bf.open.wreck_los); naval units leave none."""
        super().leave_wreck(play, unit, where)
        play.state.sides[unit.side].used += (f"{WRECK}{unit.id} {where[0]}",)
