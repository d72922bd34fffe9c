"""A situation as a player tells it: how far, in cover or not, sustained or not, who is left, which skills are used."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from dieselfront.odds.games import Asked, OddsError, within

MOST_TURNS = 5
"""Every further turn multiplies the work."""


class Situation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about an attack that the two cards do not tell; what is left out is the plain case."""

    range: Annotated[
        int | None, Asked("Squares or points of range between them; default: most weapons bear.", "--range")
    ] = None
    """Squares between the units; by default as far as most of the attacker's weapons reach."""
    cover: Annotated[bool, Asked("The target is in cover.", "--cover")] = False
    """Is the target in cover?"""
    attacker_cover: bool = False
    """Is the attacker in cover, should the target shoot back?"""
    height: Annotated[int, Asked("Levels the attacker stands above the target; negative below it.")] = 0
    """Levels the attacker stands above the target; negative below it."""
    sustained: Annotated[bool, Asked("A sustained attack.")] = False
    """A SUSTAINED ATTACK rather than an ATTACK."""
    close: Annotated[bool | None, Asked("Close combat, an assault; default: only if nothing else bears.")] = None
    """Fight in close combat too; by default only if nothing else bears."""
    shoot: Annotated[bool, Asked("Use ranged weapons.")] = True
    """Use ranged weapons."""
    weapons: Annotated[tuple[str, ...], Asked("Only this weapon; may be repeated.", "--weapon", "-w")] = ()
    """Only these weapons, by name or id; by default all that bear."""
    modes: Annotated[tuple[str, ...], Asked("Fire like this where a weapon can: salvo, volley ...", "--mode")] = ()
    """Ways of firing to be preferred where a weapon has them: salvo, volley, ..."""
    skills: Annotated[tuple[str, ...], Asked("Use this skill where it is a choice; may be repeated.", "--use")] = ()
    """Skills that are used where they are a choice: Fighting Spirit, Lucky, ...; the others are kept."""
    attacker_left: Annotated[int | None, Asked("Soldiers or points the attacker has left.")] = None
    """Soldiers or points the attacker has left; by default all."""
    target_left: Annotated[int | None, Asked("Soldiers or points the target has left.", "--left")] = None
    """Soldiers or points the target has left; by default all."""
    attacker_tokens: Annotated[tuple[str, ...], Asked("The same of the attacker.", "--attacker-token")] = ()
    """Tokens and states of the attacker, by name."""
    target_tokens: Annotated[
        tuple[str, ...], Asked("A token or state of the target: 'under fire' ...; may be repeated.", "--token")
    ] = ()
    """Tokens and states of the target, by name: under fire, suppressed, evading, ..."""
    attacker_with: Annotated[
        tuple[str, ...], Asked("A hero who joined (or pilots) the attacker.", "--with", holds="cards")
    ] = ()
    """Cards of heroes who joined the attacker, or its pilot."""
    target_with: Annotated[tuple[str, ...], Asked("The same of the target.", holds="cards")] = ()
    """Cards of heroes who joined the target, or its pilot."""
    reaction: Annotated[bool, Asked("The target reacts before the shot.")] = False
    """The target tries a reactive attack before the shot."""
    retaliate: Annotated[bool, Asked("The target strikes back in close combat.", "--retaliation")] = True
    """In close combat the target strikes back."""
    others: Annotated[
        tuple[str, ...], Asked("A further target beside the first; may be repeated.", "--also", holds="cards")
    ] = ()
    """Cards of further targets that stand beside the first, as far away and in the same cover."""
    aims: Annotated[
        dict[str, str],
        Asked("WEAPON=CARD, a weapon aimed at a further target; may be repeated.", "--aim", holds="aims"),
    ] = {}
    """Weapons that are aimed at one of the others: weapon (name or id) to card; all the rest is aimed at the first."""
    turns: Annotated[int, Asked("Attacks in a row, one a turn.", least=1, most=4)] = 1
    """Attacks in a row, one a turn, with whatever the ones before have left."""
    casualties: Annotated[str, Asked("Who is lost first: cheapest, leader or hero.")] = "cheapest"
    """Who is lost first: cheapest (plain soldiers first), leader (the leader first) or hero (joined heroes first)."""
    options: Annotated[
        dict[str, str], Asked("A house ruling, NAME=CHOICE; may be repeated.", "--option", "-o", holds="rulings")
    ] = {}
    """House rulings of the game, by name."""

    def __post_init__(self) -> None:
        """The bounds of the costly fields hold however a situation is made."""
        if not 1 <= self.turns <= MOST_TURNS + 1:  # reports compare with one more turn
            raise OddsError(f"odds are worked out for 1 to {MOST_TURNS} turns, not {self.turns}")
        if len(self.others) > 8 or len(self.attacker_with) > 8 or len(self.target_with) > 8:
            raise OddsError("odds are worked out for at most 8 further targets, and 8 heroes with a unit")
        within("range", self.range, 0, 200)
        within("height", self.height, -20, 20)
        within("attacker_left", self.attacker_left, 0, 1000)
        within("target_left", self.target_left, 0, 1000)

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
