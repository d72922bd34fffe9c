"""The contract of a ruleset: everything that the rooms above ask of a game, in one place.

A game is a folder under `rulesets/` whose package holds one object, `RULESET`, made from a class that inherits
`Ruleset`. What is abstract here a game owes; what has a body it may leave alone. Nothing outside the folder knows the
game by name. Beside the rules a folder may hold modules that belong to higher rooms and are loaded by them
(`rulesets.companion`): `referee` (words of position files), `adviser` (what a computer player knows beyond the general
adviser), `odds` (situations between two cards).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from dieselfront.dice.die import Die
from dieselfront.kernel.events import Event
from dieselfront.kernel.field import Field

if TYPE_CHECKING:
    from dieselfront.forces.armies import Army
    from dieselfront.forces.family import CardFamily
    from dieselfront.kernel.game import Play, Procedure
    from dieselfront.kernel.record import Header

StateT = TypeVar("StateT")

Namer = Callable[[str, Any], Any]
"""Turns the value of an event's field into what people call it."""

Switch = tuple[str, str, Any]
"""What the mutation run can switch off: the rule's id, a name, and how."""


class Ruleset(ABC, Generic[StateT]):
    """One game: who it is, how it begins and goes on, and how it is shown."""

    id: ClassVar[str]
    """The name of its folder."""
    name: ClassVar[str]
    """What people call it."""
    version: ClassVar[str]
    """The version of its behaviour: records of another version may play differently."""
    table: ClassVar[str]
    """`squares` or `measured`."""
    lengths: ClassVar[str] = "in"
    """The unit in which people tell lengths: `squares`, `in` or `cm`."""
    usual_points: ClassVar[int]
    """What an army of a usual battle costs."""
    options: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Rulings that a house may see otherwise: the first choice is the default."""
    dice: ClassVar[tuple[Die, ...]]
    """The kinds of dice it rolls."""
    scenario_type: ClassVar[Any] = dict[str, Any]
    """What a scenario file holds, as a type from which its JSON Schema is made."""
    secret_lists: ClassVar[str] = ""
    """The rule by which army lists stay secret until both are handed in; empty where a game leaves that open."""
    sides: ClassVar[tuple[str, str]] = ("blue", "red")
    """What the two sides are called in sentences."""

    # -- playing ------------------------------------------------------------------------------------------

    @abstractmethod
    def new_state(self, header: Header) -> StateT:
        """The position before the first choice."""

    @abstractmethod
    def resume(self, play: Play) -> Procedure:
        """Go on from a quiet moment, from the state alone."""

    @property
    @abstractmethod
    def field(self) -> Field[StateT]:
        """What can be measured and seen on its tables, with reasons."""

    # -- armies and battlefields ------------------------------------------------------------------------------

    @property
    def cards(self) -> CardFamily[Any, Any]:
        """Its card family, held by the module `card_family` of its folder; a variant never takes its relative's."""
        from dieselfront.forces.families import family  # cards are read only by those who ask for them

        return family(self.id)

    @abstractmethod
    def force_from_army(self, army: Army, side: int) -> dict[str, Any]:
        """The force of an army list as it stands in a game's header, every card written out."""

    @abstractmethod
    def read_scenario(self, data: dict[str, Any], where: str = "scenario") -> None:
        """Complain in one sentence (a ValueError) about a scenario that cannot be set up."""

    @abstractmethod
    def random_scenario(self, seed: str) -> dict[str, Any]:
        """A battlefield that nobody has seen before, the same for the same seed."""

    # -- showing ----------------------------------------------------------------------------------------------

    @abstractmethod
    def names(self, state: StateT) -> Namer:
        """For sentences: ids, places and sides as people call them."""

    @abstractmethod
    def view(self, state: StateT) -> dict[str, Any]:
        """The position as plain data, for screens, in words that every game shares (kernel.views.View)."""

    def view_for(self, state: StateT, players: Iterable[int]) -> dict[str, Any]:
        """The position as these players may see it; everything, where a game hides nothing."""
        return self.view(state)

    def glance(self, state: StateT, players: Iterable[int]) -> dict[str, Any]:
        """The parts of `view_for` that computers count, each exactly as it stands there; a game may save the rest.

        Turn and turns, score (or sides), the table, and of each unit its id, models left, whether it is activated, and
        its markers.
        """
        return self.view_for(state, players)

    # -- proving ----------------------------------------------------------------------------------------------

    @abstractmethod
    def invariants(self, state: StateT, quiet: bool = True) -> Iterator[str]:
        """A sentence for everything that is wrong with a position."""

    def event_invariants(self, state: StateT, event: Event) -> Iterator[str]:
        """A sentence for everything that is wrong with something that has just happened."""
        return iter(())

    def switches(self) -> Iterator[Switch]:
        """What the mutation run can switch off, one by one."""
        return iter(())

    def forget(self) -> None:
        """Index all effects anew when they are next asked for, after some were switched off."""


__all__ = ["Namer", "Ruleset", "Switch"]
