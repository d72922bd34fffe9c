"""Hook points: the named moments at which skills, weapon rules and unit natures speak.

A skill is a tiny object that answers only the hooks it cares about. The hooks are listed here, each with a sentence; a
skill that answers a hook nobody calls is refused when its file loads. Hooks ending in a procedure are generators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from dieselfront.forces import DustCard, DustWeapon, SkillRef
from dieselfront.kernel.hooks import NO_EFFECTS, Effect, Effects, ask, index, oversight

HOOKS: dict[str, str] = {
    # the unit itself
    "on_mover": "(mover, unit) → how the unit moves over terrain",
    "on_pace": "(pace, unit) → its (move, march) values for the coming action",
    "on_blocks_sight": "(blocks, unit, viewer) → does the unit block sight through its square",
    "on_cover_always": "(in_cover, unit) → is the unit in cover whatever the terrain",
    "on_token": "(token, unit) → the token it really gains, or None",
    "on_holds": "(standing, unit, play) → 'hold', 'contest' or 'none' towards objectives",
    "on_passenger": "(refusal, unit, carrier) → may the unit ride in this carrier? None or (rule, reason)",
    "on_tools": "(tools, unit) → its tools for ENGINEERING: 'dozer', 'crane', 'cutting', 'grapple', 'engineer'",
    "on_wreck": "(leaves, unit) → does it leave a wreck when it is destroyed",
    "on_must_move": "(must, unit) → must the aircraft begin with a real move",
    "on_fielded": "(play, unit) → once when the game begins",
    "on_game_end": "(play, unit) → once when the game is over, before points are counted",
    "on_deploy": "(manner, unit, play) → 'place', 'choose' (may stay off), 'off' (enters later by its own rule)",
    "on_landing": "(stumbles, unit) → does the unit lose actions when it drops onto the board",
    # the turn
    "on_initiative_dice": "(dice, side, play) → number of initiative dice",
    "on_turn_end": "(play, unit) → at the end of every turn",
    # activation
    "on_activation": "(activation) → procedure before actions are declared (ace rolls, landing)",
    "on_recovery_dice": "(dice, unit, play) → dice to shake off suppression",
    "on_recovery_near": "(dice, friend, unit, play) → the same, asked of friends of the recovering unit",
    "on_actions": "(menu, activation) → change the menu of action sequences",
    "on_specials": "(specials, unit, play) → add the special actions the unit may take",
    "on_specials_ahead": "(specials, unit, play, ahead) → those it may take after a movement of so many squares",
    "on_action_done": "(activation, action) → after every action of the unit, reactive attacks included",
    # reactions
    "on_reaction": "(reaction, unit) → range, dice and faces of a reaction attempt",
    # attacks: declaring
    "on_targeted": "(refusal, shot) → may the unit be chosen as target? None or (rule, reason)",
    "on_aims": "(aims, shot) → the ways this weapon may be aimed at a target",
    "on_area_aims": "(aims, play, attack, part, index) → aims of a weapon that is aimed at squares, not units",
    "on_victims": "(victims, shot, play) → every unit that the shot attacks",
    "on_usable": "(refusal, shot) → may the weapon be used now? None or (rule, reason)",
    "on_bearers": "(bearers, part, index) → those who can use the weapon now (loading, ammunition)",
    "on_line": "(line, shot, unit) → range, sight and cover as an area shot meets one of its victims",
    "on_combination": "(items, answer, attack) → IllegalChoice if these weapons do not go together, else None",
    "on_declared": "(shots, attack) → after all weapons are declared (crews, single weapons, spotters)",
    "on_aimed": "(attack, shots) → procedure after declaring and before any die: skills used for this attack",
    "on_boxes": "(boxes, shot) → ammo boxes each weapon of the shot marks",
    "on_fired": "(play, shot) → the weapon is used: loaded tokens",
    "on_fire": "(play, shot) → procedure when the weapon goes off, before its pools are rolled",
    # attacks: planning
    "on_dice": "(dice, shot, because) → number of attack dice of the pool",
    "on_hit": "(throw, shot) → faces, re-rolls and chains of the to-hit roll",
    "on_save": "(saves, shot) → which saves are allowed, faces and re-rolls",
    "on_negate": "(throw, part, shot) → dice that negate damage after the saves",
    "on_damage": "(damage, shot) → points of damage per hit",
    # attacks: resolving
    "on_rolled": "(thrown, shot, hits, plan) → procedure after the to-hit roll (optional re-rolls); returns hits",
    "on_struck": "(play, shot, hits) → the target was hit, before saves and losses",
    "on_blows": "(hits, part, shot, picker) → procedure when close-combat hits fall on a part; returns hits",
    "on_pick": "(picker, shot) → who chooses casualties and among whom",
    "on_hit_token": "(token, shot) → the token a hit target gains",
    "on_damaged": "(play, shot, points) → procedure after damage was dealt",
    "on_close_speed": "(speed, part, play) → 0 strikes first, 1 normally, in close combat",
    "on_lands_first": "(first, shot) → do its blows take effect before the others of the same moment",
    "on_hurt": "(play, unit, part) → after damage or healing changed a damage track",
    "on_dying": "(waits, unit, part) → may the part still survive once the attack is over",
    "on_lost": "(play, unit, part, shot) → procedure when a part of the unit is eliminated",
    "on_kill": "(play, victim, part, soldier, manner) → the unit eliminated an enemy part (soldier None) or soldier; "
    "manner is 'ranged', 'close' or 'execute'",
    "on_retaliate": "(may, unit, play) → may the unit fight back in close combat",
    "on_critical": "(may, unit) → can the unit suffer critical hits",
    # orders
    "on_leads": "() → a mark: the unit may give command actions",
    "on_jams": "() → a mark: the unit jams enemy radios",
    "on_lends_radio": "() → a mark: command squads aboard have a radio operator more",
    "on_carries": "() → a mark: the unit carries others",
    "on_airlifted": "() → a mark: an airlifter can carry the unit",
    "on_leaves_late": "() → a mark: the unit may leave a carrier that has activated",
    "on_unloads_late": "() → a mark: passengers may leave it after it has activated",
    "on_ordered": "(refusal, order, unit) → may the unit be the target of a command action",
    "on_command_roll": "((throw, dice), order, unit, play) → the roll of a command action and its dice",
    "on_reactivates": "(play, officer, unit) → an officer's order makes the unit act again",
}

CALLED = frozenset(name for name, meaning in HOOKS.items() if "a mark" not in meaning)
"""Hooks that are called in play; the others only mark a unit."""


class Skill(Effect, moments=HOOKS):
    """A special rule printed on a card; it answers only the hooks it cares about.

    Skills are shared unless they say otherwise (d47.skill.sharing_default, d47.skill.sharing_table).
    `name` is what the card prints, `rule` the id it stands for, `shared` whether it also works for the unit that its
    bearer joined. Each unit has its own small instance that knows its argument and its bearer.
    """

    name: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    shared: ClassVar[bool] = True

    __slots__ = ("argument", "bearer", "only")

    def __init__(self, ref: SkillRef, bearer: str) -> None:
        self.argument = ref.argument or ""
        self.bearer = bearer
        self.only = None if self.shared else bearer

    @property
    def number(self) -> int:
        """The argument as a number, as in Passengers (6)."""
        return int(self.argument) if self.argument.isdigit() else 0

    def helps(self, part: Any) -> bool:
        """Does the skill work for this part of the unit: always if shared, else only for its bearer.

        d47.skill.sharing_default, d47.skill.sharing_table.
        """
        return self.only is None or part.card.id == self.only


class WeaponRule(Skill):
    """A special rule printed on a weapon line."""


MOST_WEAPONS_AT_HAND = 8192

WeaponAnswers = tuple[tuple[int, tuple[Callable[..., Any], ...]], ...]
"""The weapon lines that answer a moment, by their place on the card, with their answers."""


class Registry:
    """All skills and weapon rules of a ruleset by the name that cards print."""

    def __init__(self, skills: Iterable[type[Skill]] = (), weapon_rules: Iterable[type[WeaponRule]] = ()) -> None:
        self.skills: dict[str, list[type[Skill]]] = {}
        self.weapon_rules: dict[str, list[type[WeaponRule]]] = {}
        self._units: dict[tuple[Any, ...], Effects] = {}
        self._weapons: dict[tuple[Any, ...], Effects] = {}
        self._answers_of_weapons: dict[tuple[int, str], tuple[DustCard, WeaponAnswers]] = {}
        self._weapons_at_hand: dict[int, tuple[DustWeapon, str, Effects]] = {}
        """By identity, which costs no hash of all special rules: the weapon, whose it is, its effects."""
        for skill in skills:
            self.skills.setdefault(skill.name, []).append(skill)
        for rule in weapon_rules:
            self.weapon_rules.setdefault(rule.name, []).append(rule)

    def child(self, skills: Iterable[type[Skill]], weapon_rules: Iterable[type[WeaponRule]] = ()) -> Registry:
        """A registry that replaces some names and inherits the rest."""
        twin = Registry()
        twin.skills = dict(self.skills)
        twin.weapon_rules = dict(self.weapon_rules)
        own = Registry(skills, weapon_rules)
        twin.skills |= own.skills
        twin.weapon_rules |= own.weapon_rules
        return twin

    def of_unit(self, cards: tuple[DustCard, ...], roles: tuple[str, ...]) -> Effects:
        """The effects of a unit made of these cards; the same skill twice counts once (d47.skill.no_double)."""
        key = (tuple((card.id, card.skills) for card in cards), roles, frozenset(oversight.off))
        effects = self._units.get(key)
        if effects is None:
            effects = self._units[key] = index(self._skills_of(cards))
        return effects

    def _skills_of(self, cards: tuple[DustCard, ...]) -> list[Skill]:
        made: list[Skill] = []
        seen: set[tuple[str, str, str | None]] = set()
        for card in cards:
            for ref in card.skills:
                for kind in self.skills.get(ref.name, ()):
                    if kind.rule in oversight.off:
                        continue
                    mark = (kind.__qualname__, ref.argument or "", None if kind.shared else card.id)
                    if mark not in seen:
                        seen.add(mark)
                        made.append(kind(ref, card.id))
        return made

    def of_weapon(self, card: DustCard, weapon: DustWeapon) -> Effects:
        """The effects of a weapon line."""
        if not weapon.rules:
            return NO_EFFECTS
        known = self._weapons_at_hand.get(id(weapon))
        if known is not None and known[0] is weapon and known[1] == card.id and not oversight.off:
            return known[2]
        effects = self._of_weapon(card, weapon)
        if not oversight.off:
            if len(self._weapons_at_hand) >= MOST_WEAPONS_AT_HAND:
                self._weapons_at_hand.clear()
            self._weapons_at_hand[id(weapon)] = weapon, card.id, effects
        return effects

    def _of_weapon(self, card: DustCard, weapon: DustWeapon) -> Effects:
        key = (card.id, weapon.rules, frozenset(oversight.off)) if oversight.off else (card.id, weapon.rules)
        effects = self._weapons.get(key)
        if effects is None:
            kinds = [
                kind(ref, card.id)
                for ref in weapon.rules
                for kind in self.weapon_rules.get(ref.name, ())
                if kind.rule not in oversight.off
            ]
            effects = self._weapons[key] = index(kinds)
        return effects

    def answers_of_weapons(self, card: DustCard, moment: str) -> WeaponAnswers:
        """What the weapon lines of a card answer at a moment; most cards have none that does."""
        known = self._answers_of_weapons.get((id(card), moment))
        if known is not None and known[0] is card and not oversight.off:
            return known[1]
        effects = [(line, self.of_weapon(card, weapon)) for line, weapon in enumerate(card.weapons)]
        answers = tuple([(line, found[moment]) for line, found in effects if moment in found])
        if not oversight.off:
            if len(self._answers_of_weapons) >= MOST_WEAPONS_AT_HAND:
                self._answers_of_weapons.clear()
            self._answers_of_weapons[id(card), moment] = card, answers
        return answers

    def forget(self) -> None:
        """Index everything anew, after effects were switched off or are watched."""
        self._answers_of_weapons.clear()
        self._units.clear()
        self._weapons.clear()
        self._weapons_at_hand.clear()

    def unknown(self, card: DustCard) -> list[str]:
        """Rules printed on a card that this ruleset does not know; shown wherever the card is shown."""
        names = [ref.name for ref in card.skills if ref.name not in self.skills]
        for weapon in card.weapons:
            names += [ref.name for ref in weapon.rules if ref.name not in self.weapon_rules]
        return names


__all__ = ["CALLED", "HOOKS", "NO_EFFECTS", "Effects", "Registry", "Skill", "WeaponRule", "ask"]
