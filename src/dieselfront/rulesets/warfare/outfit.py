"""What a unit has to go by: the abilities in force and their answers, indexed by moment (dw.ability.shared)."""

from __future__ import annotations

from collections.abc import Iterable

from dieselfront.forces.skills import SkillRef
from dieselfront.kernel.hooks import NO_EFFECTS, Effects, index
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.hooks import Ability, WeaponRule
from dieselfront.rulesets.warfare.state import PILOTING, State, Unit
from dieselfront.rulesets.warfare.unit_cards import WarfareWeapon


class Registry:
    """All abilities and weapon rules by the name that cards print; several small classes may share a name."""

    def __init__(self, abilities: Iterable[type[Ability]], weapon_rules: Iterable[type[WeaponRule]]) -> None:
        self.abilities: dict[str, list[type[Ability]]] = {}
        self.weapon_rules: dict[str, list[type[WeaponRule]]] = {}
        self._units: dict[tuple[SkillRef, ...], Effects] = {}
        self._weapons: dict[tuple[SkillRef, ...], Effects] = {}
        for ability in abilities:
            self.abilities.setdefault(ability.name, []).append(ability)
        for rule in weapon_rules:
            self.weapon_rules.setdefault(rule.name, []).append(rule)

    def of_unit(self, refs: tuple[SkillRef, ...]) -> Effects:
        """The answers of some abilities, worked out once for each combination."""
        if not refs:
            return NO_EFFECTS
        effects = self._units.get(refs)
        if effects is None:
            made = [kind(ref) for ref in refs for kind in self.abilities.get(ref.name, ())]
            effects = self._units[refs] = index(made)
        return effects

    def of_weapon(self, weapon: WarfareWeapon) -> Effects:
        """The answers of a weapon's rules."""
        if not weapon.rules:
            return NO_EFFECTS
        effects = self._weapons.get(weapon.rules)
        if effects is None:
            made = [kind(ref) for ref in weapon.rules for kind in self.weapon_rules.get(ref.name, ())]
            effects = self._weapons[weapon.rules] = index(made)
        return effects

    def needs_everyone(self, name: str) -> bool:
        """Do all miniatures of a unit have to have it (dw.open.unshared_unit_effects)?"""
        return any(kind.everyone for kind in self.abilities.get(name, ()))

    def is_pilot_ability(self, name: str) -> bool:
        return any(kind.pilot for kind in self.abilities.get(name, ()))

    def forget(self) -> None:
        """Index everything anew, after effects were switched off or are watched."""
        self._units.clear()
        self._weapons.clear()


class Outfit(Chapter):
    """Keeps the abilities of units up to date."""

    def refresh(self, state: State, unit: Unit) -> None:
        """The abilities of the living figures, of a pilot aboard, and those gained in play
        (dw.ability.shared, dw.ability.lost_with_bearer)."""
        refs = dict.fromkeys(ref for ref in self.printed(state, unit) if self.is_in_force(state, unit, ref))
        unit.hooks = self.rules.registry.of_unit(tuple(refs))
        unit.abilities = frozenset(ref.name for ref in refs)

    def printed(self, state: State, unit: Unit) -> Iterable[SkillRef]:
        for man in unit.men:
            for ref in unit.figures[man].card.abilities:
                if man in unit.bearers(ref.name):
                    yield ref
        yield from unit.notes.get("gained", ())
        for pilot in state.aboard(unit, PILOTING):  # dw.ability.pilot_keyword
            for ref in pilot.card.abilities:
                if self.rules.registry.is_pilot_ability(ref.name):
                    yield ref

    def is_in_force(self, state: State, unit: Unit, ref: SkillRef) -> bool:
        """Some abilities need every miniature; Black Ops by choice of the house (dw.open.black_ops_shared)."""
        everyone = self.rules.registry.needs_everyone(ref.name)
        if ref.name == "Black Ops" and state.options.get("black_ops_shared") == "bearer_only":
            everyone = True
        if not everyone:
            return True
        return all(unit.figures[man].card.has(ref.name) for man in unit.men)

    def refresh_all(self, state: State) -> None:
        for unit in state.units:
            self.refresh(state, unit)


__all__ = ["Outfit", "Registry"]
