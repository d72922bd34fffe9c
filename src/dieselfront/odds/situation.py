"""A situation as a player tells it: how far, in cover or not, sustained or not, who is left, which skills are used."""

from __future__ import annotations

from typing import Any

import msgspec


class OddsError(ValueError):
    """Odds that cannot be told as asked; one sentence says why and what was expected."""


class Situation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about an attack that the two cards do not tell; what is left out is the plain case."""

    range: int | None = None
    """Squares between the units; by default as far as most of the attacker's weapons reach."""
    cover: bool = False
    """Is the target in cover?"""
    attacker_cover: bool = False
    """Is the attacker in cover, should the target shoot back?"""
    height: int = 0
    """Levels the attacker stands above the target; negative below it."""
    sustained: bool = False
    """A SUSTAINED ATTACK rather than an ATTACK."""
    close: bool | None = None
    """Fight in close combat too; by default only if nothing else bears."""
    shoot: bool = True
    """Use ranged weapons."""
    weapons: tuple[str, ...] = ()
    """Only these weapons, by name or id; by default all that bear."""
    modes: tuple[str, ...] = ()
    """Ways of firing to be preferred where a weapon has them: salvo, volley, ..."""
    skills: tuple[str, ...] = ()
    """Skills that are used where they are a choice: Fighting Spirit, Lucky, ...; the others are kept."""
    attacker_left: int | None = None
    """Soldiers or points the attacker has left; by default all."""
    target_left: int | None = None
    """Soldiers or points the target has left; by default all."""
    attacker_tokens: tuple[str, ...] = ()
    """Tokens and states of the attacker, by name."""
    target_tokens: tuple[str, ...] = ()
    """Tokens and states of the target, by name: under fire, suppressed, evading, ..."""
    attacker_with: tuple[str, ...] = ()
    """Cards of heroes who joined the attacker, or its pilot."""
    target_with: tuple[str, ...] = ()
    """Cards of heroes who joined the target, or its pilot."""
    reaction: bool = False
    """The target tries a reactive attack before the shot."""
    retaliate: bool = True
    """In close combat the target strikes back."""
    others: tuple[str, ...] = ()
    """Cards of further targets that stand beside the first, as far away and in the same cover."""
    aims: dict[str, str] = {}
    """Weapons that are aimed at one of the others: weapon (name or id) to card; all the rest is aimed at the first."""
    turns: int = 1
    """Attacks in a row, one a turn, with whatever the ones before have left."""
    casualties: str = "cheapest"
    """Who is lost first: cheapest (plain soldiers first), leader (the leader first) or hero (joined heroes first)."""
    options: dict[str, str] = {}
    """House rulings of the game, by name."""

    def but(self, **changes: Any) -> Situation:
        """The same situation with something changed."""
        return msgspec.structs.replace(self, **changes)

    def words(self) -> str:
        """The situation in a few words."""
        said = [f"range {self.range}"] if self.range is not None else []
        said.append("target in cover" if self.cover else "target in the open")
        if self.sustained:
            said.append("sustained")
        if self.height:
            levels = "1 level" if abs(self.height) == 1 else f"{abs(self.height)} levels"
            said.append(f"{levels} {'above' if self.height > 0 else 'below'}")
        if self.close:
            said.append("close combat")
        if self.turns > 1:
            said.append(f"{self.turns} turns")
        if self.reaction:
            said.append("after a reaction")
        said += [f"using {skill}" for skill in self.skills]
        said += [f"by {mode}" for mode in self.modes]
        said += [f"attacker {token}" for token in self.attacker_tokens]
        said += [f"target {token}" for token in self.target_tokens]
        return ", ".join(said)
