"""Outfit: which special rules a unit has at the moment, indexed by the moments at which they speak."""

from __future__ import annotations

from collections.abc import Iterable

from dieselfront.rulesets.konflikt47.cards import rule_name
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.hooks import Effects, Special, index
from dieselfront.rulesets.konflikt47.specials import IMPLIED
from dieselfront.rulesets.konflikt47.state import State, Unit


class Outfit(Chapter):
    """Keeps a unit's rules and hooks in step with what it has gained and lost."""

    def refresh(self, state: State, unit: Unit) -> None:
        """Work out the unit's rules anew: card, living figures, gains, nation."""
        names = tuple(self.names(unit))
        unit.rules = frozenset(names)
        nation = self.rules.nations.of(state, unit)
        unit.hooks = self.rules.hook_index(names, nation)

    def names(self, unit: Unit) -> Iterable[str]:
        """Rule names in a fixed order; a figure's own rules count while it lives (k47.special.quirks: Paragon)."""
        lost = unit.lost_rules
        names = dict.fromkeys(name for name in unit.card.rules if name not in lost)
        for man in unit.men:
            for name in unit.card.men[man].rules:
                names.setdefault(rule_name(name.removesuffix(" (Paragon)")))
        for name in unit.card.rules:
            if name.endswith(" (Paragon)"):
                names.setdefault(name.removesuffix(" (Paragon)"))
        for name in unit.gained:
            names.setdefault(name)
        for name in list(names):
            for more in IMPLIED.get(name, ()):
                names.setdefault(more)
        return names

    def gain(self, state: State, unit: Unit, *names: str) -> None:
        """The unit has more rules from now on."""
        unit.gained = (*unit.gained, *[name for name in names if name not in unit.gained])
        self.refresh(state, unit)

    def drop(self, state: State, unit: Unit, name: str) -> None:
        """The unit loses a rule for good."""
        unit.lost_rules = (*unit.lost_rules, name)
        self.refresh(state, unit)


def make_index(names: Iterable[str], specials: dict[str, Special], nation: Iterable[Special]) -> Effects:
    """The hooks of the named rules, then of the nation's."""
    return index([*(specials[name] for name in names if name in specials), *nation])
