"""A situation as a player tells it: how far, in cover or not, sustained or not, who is left, which skills are used."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

MOST_TURNS = 5
"""Every further turn multiplies the work."""
Squares = Annotated[int, Meta(ge=0, le=200)]
Levels = Annotated[int, Meta(ge=-20, le=20)]
Left = Annotated[int, Meta(ge=0, le=1000)]
Turns = Annotated[int, Meta(ge=1, le=MOST_TURNS)]
Word = Annotated[str, Meta(max_length=120)]
Words = Annotated[tuple[Word, ...], Meta(max_length=40)]
Cards = Annotated[tuple[Word, ...], Meta(max_length=8)]
Choices = Annotated[dict[Word, Word], Meta(max_length=40)]


class OddsError(ValueError):
    """Odds that cannot be told as asked; one sentence says why and what was expected."""


class Situation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about an attack that the two cards do not tell; what is left out is the plain case."""

    range: Squares | None = None
    """Squares between the units; by default as far as most of the attacker's weapons reach."""
    cover: bool = False
    """Is the target in cover?"""
    attacker_cover: bool = False
    """Is the attacker in cover, should the target shoot back?"""
    height: Levels = 0
    """Levels the attacker stands above the target; negative below it."""
    sustained: bool = False
    """A SUSTAINED ATTACK rather than an ATTACK."""
    close: bool | None = None
    """Fight in close combat too; by default only if nothing else bears."""
    shoot: bool = True
    """Use ranged weapons."""
    weapons: Words = ()
    """Only these weapons, by name or id; by default all that bear."""
    modes: Words = ()
    """Ways of firing to be preferred where a weapon has them: salvo, volley, ..."""
    skills: Words = ()
    """Skills that are used where they are a choice: Fighting Spirit, Lucky, ...; the others are kept."""
    attacker_left: Left | None = None
    """Soldiers or points the attacker has left; by default all."""
    target_left: Left | None = None
    """Soldiers or points the target has left; by default all."""
    attacker_tokens: Words = ()
    """Tokens and states of the attacker, by name."""
    target_tokens: Words = ()
    """Tokens and states of the target, by name: under fire, suppressed, evading, ..."""
    attacker_with: Cards = ()
    """Cards of heroes who joined the attacker, or its pilot."""
    target_with: Cards = ()
    """Cards of heroes who joined the target, or its pilot."""
    reaction: bool = False
    """The target tries a reactive attack before the shot."""
    retaliate: bool = True
    """In close combat the target strikes back."""
    others: Cards = ()
    """Cards of further targets that stand beside the first, as far away and in the same cover."""
    aims: Choices = {}
    """Weapons that are aimed at one of the others: weapon (name or id) to card; all the rest is aimed at the first."""
    turns: Turns = 1
    """Attacks in a row, one a turn, with whatever the ones before have left."""
    casualties: Word = "cheapest"
    """Who is lost first: cheapest (plain soldiers first), leader (the leader first) or hero (joined heroes first)."""
    options: Choices = {}
    """House rulings of the game, by name."""

    def __post_init__(self) -> None:
        """The bounds of the costly fields hold however a situation is made, not only where it is read."""
        if not 1 <= self.turns <= MOST_TURNS + 1:  # reports compare with one more turn
            raise OddsError(f"odds are told for 1 to {MOST_TURNS} turns, not {self.turns}")
        if len(self.others) > 8 or len(self.attacker_with) > 8 or len(self.target_with) > 8:
            raise OddsError("odds are told for at most 8 further targets, and 8 heroes with a unit")

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
