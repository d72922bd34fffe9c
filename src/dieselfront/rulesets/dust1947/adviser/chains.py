"""Sequences of actions with special actions in them: what each adds, where it stands, what comes before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.adviser.field import Field
from dieselfront.rulesets.dust1947.adviser.goals import Goals
from dieselfront.rulesets.dust1947.adviser.intent import KINDS, MOVES, QUIET, Actions, Intent
from dieselfront.rulesets.dust1947.adviser.special import AFTER_MOVING, AGAIN, HELPS, ON_THE_SPOT, standing, supposing

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.adviser.plans import Planner

TOKENS = ("camouflage", "dozer")
"""Special actions that give a token, which the actions before them may have taken."""

HIDE_AGAIN = 0.85
"""What a token that is given up and gained again is worth beside one that was kept: something may come between."""

PLAUSIBLE = 0.2
"""A special action worth less is not put together with another one."""

WORTH_AN_ORDER, IDLE_ORDER = 0.1, 0.1
"""An order worth less is not given for its own sake: it costs a little then."""

AT_ONCE = 0.05
"""Works come first: of two orders that are worth the same."""


class Chain:
    """A sequence of actions as it may be declared, which of them are special, and the rest."""

    __slots__ = ("bare", "names", "option", "rest")

    def __init__(self, option: Actions) -> None:
        self.option = option
        self.bare = tuple(action.removeprefix("free:") for action in option)
        self.names = [action[8:] for action in self.bare if action.startswith("special:")]
        self.rest = tuple(action for action in self.bare if not action.startswith("special:"))

    @property
    def kind(self) -> tuple[str, ...]:
        """Of sequences of one kind the best is enough."""
        return (*sorted(self.names), "fights" if any(action in KINDS for action in self.rest) else "")


class Chains:
    """Special actions put together with the plain plans of a unit; the worth of each is worked out once."""

    def __init__(self, planner: Planner, field: Field, goals: Goals, unit: Unit, idle: float, hurry: bool) -> None:
        self.planner = planner
        self.specials = planner.specials
        self.field = field
        self.goals = goals
        self.unit = unit
        self.idle = idle
        self.hurry = hurry
        self._worths: dict[tuple[str, int, int], float] = {}  # by name, spot and tokens

    def plans(self, chains: Iterable[Chain], best: Mapping[Actions, list[Intent]]) -> list[Intent]:
        """For every special action, and every two of them, the best sequence they stand in."""
        by_kind: dict[tuple[str, ...], Intent] = {}
        for chain in chains:
            if chain.names == ["raid"]:
                raid = self.planner.moves.raid(self.field, self.goals, self.unit, chain.option, self.hurry)
                if raid is not None:
                    by_kind["raid",] = raid
                continue
            bases: list[Intent | None] = [*best.get(chain.rest, ())] or [None]
            for base in bases[: 1 if self.hurry else 3]:
                made = self._made(chain, base)
                kind = chain.kind
                if made is not None and (kind not in by_kind or made.value > by_kind[kind].value):
                    by_kind[kind] = made
        plans = list(by_kind.values())
        if not self.hurry:
            for made in plans:
                self._say_before(made)
        return plans

    def _made(self, chain: Chain, base: Intent | None) -> Intent | None:
        """The plan of a sequence on top of the plan of its plain actions; None if its order makes no sense."""
        made = self._plain(chain, base)
        bare = chain.bare
        seen: list[str] = []
        for place, action in enumerate(bare):
            if not action.startswith("special:"):
                continue
            name = action[8:]
            if not _sensible(name, bare[place + 1 :]) or (name in seen and name not in AGAIN):
                return None
            worth = self._adds(chain, place, made, seen)
            if worth is None:
                return None
            seen.append(name)
            made.value += worth
            made.gain += worth
        return made

    def _plain(self, chain: Chain, base: Intent | None) -> Intent:
        """What the plain actions of a sequence are meant for."""
        if base is None:
            return Intent(self.unit.id, chain.option, self.idle)
        made = Intent(self.unit.id, chain.option, base.value, base.spot, base.facing, base.target)
        made.then, made.risk, made.gain = base.then, base.risk, base.gain
        if chain.bare[-1] not in KINDS:  # d47.weapon.grapple_release
            made.value -= base.grip
        return made

    def _adds(self, chain: Chain, place: int, made: Intent, seen: list[str]) -> float | None:
        """What the special action at a place of the sequence adds; None if it is not worth putting it with others."""
        bare = chain.bare
        name = bare[place][8:]
        moved = any(action in MOVES for action in bare[:place])
        worth = self._alone(name, bare[:place], made, moved)
        buries = name == "engineering" and bare[place - 1 : place + 1] == (bare[place], bare[place])
        if buries:  # d47.engineer.bury: two actions in a row
            worth = max(worth * AGAIN[name], self.specials.buried(self.field, self.unit))
        if len(chain.names) > 1 and worth < PLAUSIBLE and not _is_first_spadeful(bare, place):
            return None
        if len(chain.names) == 1 and worth < WORTH_AN_ORDER and name not in TOKENS:
            worth -= IDLE_ORDER
        if name in seen and not buries:
            worth *= AGAIN[name]
        elif moved and name not in ON_THE_SPOT:
            worth *= AFTER_MOVING
        if name == "engineering" and not place:
            worth += AT_ONCE
        if name == "reload" and bare[place + 1 : place + 2] and bare[place + 1] in KINDS:
            worth += self.specials.loaded(self.field, self.unit, self.unit.place, KINDS[bare[place + 1]])
        if name == "ammo-replenish" and bare[place + 1 : place + 2] and bare[place + 1] in KINDS:
            worth += self.specials.fuller(self.field, self.unit, self.unit.place, KINDS[bare[place + 1]])
        return worth

    def _alone(self, name: str, before: Actions, made: Intent, moved: bool) -> float:
        """What one special action is worth after the actions before it, from where the unit is by then."""
        unit, field = self.unit, self.field
        end = made.then[0] if made.then is not None else made.spot
        then = moved or name == "camouflage"  # which lasts beyond a move
        spot = end if then and end is not None else unit.place
        flags = self.planner.flags_after(unit, before) if name in TOKENS else unit.flags
        key = (name, spot if name in ON_THE_SPOT else -2, flags)
        worth = self._worths.get(key)
        if worth is None:
            with self._there(made if moved else None), supposing(field, unit, flags):
                worth = self._worths[key] = self.specials.worth(field, self.goals, unit, name, spot, self.hurry)
        return worth * HIDE_AGAIN if flags != unit.flags else worth

    def _there(self, made: Intent | None) -> AbstractContextManager[None]:
        """The field with a unit of several squares where its plan takes it."""
        unit, field = self.unit, self.field
        if made is None or unit.card.size == "standard" or made.spot is None or made.facing is None:
            return nullcontext()
        return standing(field, unit, field.table.footprint(unit.card.size, (made.spot, made.facing)))

    def _say_before(self, made: Intent) -> None:
        """Orders that help a unit come before it acts."""
        if made.gain < 0.5:
            return
        for action in made.actions:
            name = action.removeprefix("free:").removeprefix("special:")
            if name in HELPS:
                made.before = max(made.before, self.specials.waiting(self.field, self.goals, self.unit, name))


def _sensible(name: str, rest: Actions) -> bool:
    """May these actions follow a special action without undoing it?"""
    if name == "get-moving":
        return all(action == "special:get-moving" for action in rest)
    if name == "camouflage":
        return all(action in QUIET for action in rest)
    if name in ("dozer", "launch-smoke"):
        return not any(action in MOVES or action in KINDS for action in rest)
    return True


def _is_first_spadeful(bare: Actions, place: int) -> bool:
    """Is it the first of two works in a row, which may be worth something together?"""
    return bare[place] == "special:engineering" and bare[place + 1 : place + 2] == bare[place : place + 1]


__all__ = ["PLAUSIBLE", "Chain", "Chains"]
