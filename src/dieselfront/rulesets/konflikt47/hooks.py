"""Hook points: the named moments at which special rules speak, and the base of every special rule.

A special rule is a small object that answers the hooks it cares about. Most hooks take a value and return it, changed
or not; those marked "procedure" are generators that may ask a player or roll dice; those called "a mark" take nothing:
answering is all they say, and a unit or weapon shows them as a plain yes or no (`unit.flies`, `weapon.burns`). Unit
rules live in specials.py, vehicle rules in vehicle_rules.py, national rules in nations.py, weapon rules in
weapon_effects.py.
"""

from __future__ import annotations

from typing import Any, Protocol, overload

from dieselfront.kernel.hooks import Effect, Effects, ask, index

HOOKS: dict[str, str] = {
    "on_rates": "(rates, unit): how far the unit moves and how often it may turn",
    "on_terrain_code": "(code, unit, category): what the terrain table says for this unit",
    "on_basic_morale": "(value, unit, state): the basic morale value of the unit's quality",
    "on_troop_quality": "(quality, unit, state): the quality that counts for morale and damage value",
    "on_pin_weight": "(weight, unit, test): how much each pin lowers morale in this kind of test",
    "on_pins_counted": "(pins, unit, test): how many pins count in this test",
    "on_must_test": "(must, unit, test): is an order test needed even without pins",
    "on_auto_pass": "(rule, unit, test, state): the rule by which a test passes without a roll, or ''",
    "on_arrival_penalty": "(penalty, unit, outflanking): the morale penalty for arriving from reserve",
    "on_officer_bonus": "(bonus, unit): what a friendly officer gives to this unit",
    "on_orders": "(orders, unit): the orders offered to the unit",
    "on_order_failed": "procedure (test, play, unit, what): a failed order test may be taken again",
    "on_check_again": "(rule, unit, occasion): the rule by which a failed morale check is taken once more, or ''",
    "on_ordered": "procedure (value, play, unit, order): the unit has its order and is about to carry it out",
    "on_order_done": "procedure (value, play, unit, order): the unit has carried its order out",
    "on_before_test": "procedure (value, play, unit, order): before the order test is considered",
    "on_pins_gained": "(pins, unit): how many pins the unit really takes",
    "on_shots": "(shots, unit, weapon, men): how many shots a group of weapons fires",
    "on_hit_modifiers": "(modifiers, shot): the shooter's own rules change the list of hit modifiers",
    "on_reroll_ones": "(rule, unit, weapon): the rule by which hit rolls of 1 are rolled again, or ''",
    "on_damage_value": "(value, unit, wound): the damage value of the unit against this wound",
    "on_ignore_damage": "(score, unit, wound): a die of this score or more ignores the damage; 7 = never",
    "on_hit_pen": "(pen, unit, wound): the target's own rules change the penetration of a hit",
    "on_damage_roll": "(bonus, unit, wound): what is added to rolls on the damage results table",
    "on_casualties_chosen": "(men, unit): whom the owner may remove as casualty",
    "on_nco_spared": "(throw, unit): the throw by which another model falls in the NCO's place, or None",
    "on_nco_lost": "procedure (man, play, unit): the NCO would be removed; another model may go instead",
    "on_casualties": "procedure (value, play, unit, lost): models have been removed",
    "on_attacked": "procedure (value, play, unit): the unit is shot at or fought for the first time in this action",
    "on_half_loss_check": "(check, unit): does the loss of half the models call for a check",
    "on_reactions": "(reactions, unit, cause): the reactions offered to the unit",
    "on_charge_unanswered": "(unanswered, unit, state): may nobody stand and fire against the unit's assaults",
    "on_attacks": "(attacks, unit, man): hand-to-hand attacks of one model against troops",
    "on_extra_attacks": "(extra, unit, men): extra hand-to-hand dice of the unit",
    "on_attack_pen": "(pen, unit): penetration of hand-to-hand attacks",
    "on_vehicle_hit_worth": "(worth, unit): what each hit adds to the damage roll in an assault on a vehicle",
    "on_follow_on": "(must, unit): must the winner choose follow-on combat",
    "on_killed_in_fight": "procedure (value, play, unit, kills): the unit caused casualties in hand-to-hand",
    "on_turn_began": "procedure (value, play, unit): a turn begins",
    "on_after_setup": "procedure (value, play, unit): all units are set up, turn 1 has not begun",
    "on_move_done": "procedure (value, play, unit): the unit has moved",
    "on_dismount": "(value, play, unit): its riders leave their mounts for good",
    # who it is, how it moves
    "on_mover": "(mover, unit): the column of the terrain table that counts for troops",
    "on_reverse": "((distance, turns), unit, rates): how far a vehicle reverses and how often it may turn doing so",
    "on_flies": "a mark: it moves over everything, and may go on foot instead",
    "on_ignores_terrain": "a mark: terrain does not hinder its moves",
    "on_jumps": "a mark: the vehicle may jump instead of driving",
    "on_turns_on_spot": "a mark: the vehicle may turn about before it reverses",
    "on_swims": "a mark: the vehicle floats in deep water",
    "on_emplaced": "a mark: it never moves, counts as in hard cover and cannot be immobilised",
    "on_lends_turn": "a mark: aboard a transport it lends it one more turn",
    "on_mounted": "a mark: its men ride; they enter neither buildings nor transports before they dismount",
    "on_defuses": "a mark: when it advances, one mine that hits it is rolled again",
    "on_seats": "(seats, unit): the places it takes in a transport",
    "on_tow_size": "(size, unit): how heavy a gun is to tow",
    "on_flanks": "(edges, unit): the edges from which it may come when it outflanks",
    # orders and morale
    "on_waits": "a mark: it is not the first of its side to be ordered in a turn",
    "on_needs_no_nco": "a mark: losing its NCO costs it nothing",
    "on_check_passes": "(rule, unit): the rule by which every morale check passes without a roll, or ''",
    "on_rank_bonus": "(bonus, unit): what its rank as officer gives to others",
    "on_command_bonus": "(bonus, vehicle): what a command vehicle gives to armoured vehicles near it",
    "on_platoon_bonus": "(bonus, vehicle, unit): the same for a vehicle of its own platoon",
    "on_fearsome": "a mark: it frightens whom it assaults, and enemies near it",
    "on_frightens_friends": "a mark: its own side is frightened as well",
    "on_fearless": "a mark: nobody frightens it",
    "on_spurs_on": "a mark: beside it a failed order test may be taken again, at the cost of a model",
    "on_demands_loyalty": "a mark: near it Green troops may roll again",
    "on_colours": "a mark: near it units rally better",
    # shooting
    "on_may_fire": "(may, unit, man, weapon, how): may this model fire this weapon now",
    "on_snipes": "(snipes, unit, man, weapon, how): is this an aimed shot of a sniper",
    "on_noncombatant": "a mark: it does not shoot and holds no objective",
    "on_crew_fires": "a mark: the crew of a team may fire weapons of their own while the team weapon is silent",
    "on_fires_both": "a mark: a rifle grenade is fired in addition to the other weapon",
    "on_fires_on_the_move": "a mark: it fires on an Advance what others must set up first",
    "on_fires_one": "a mark: the vehicle fires one weapon an action",
    "on_alternatives": "(groups, unit): groups of weapons of which one may fire, each with its rule",
    "on_designates": "a mark: it may point out a target for a missed shot",
    "on_sees_through_smoke": "a mark: smoke does not block its sight",
    "on_heals": "a mark: it may save casualties near it",
    "on_no_medic": "a mark: no medic can help it",
    "on_fireproof": "a mark: flames do nothing to it",
    "on_open": "a mark: the vehicle is not fully enclosed",
    "on_drops_fuel": "a mark: the fuel of its flamethrower is no danger to it",
    # reactions and close quarters
    "on_scouts": "a mark: it may evade by a recce move",
    "on_escapes_freely": "a mark: it escapes from assaults without a test, even after its order",
    "on_never_reacts": "a mark: it does not stand and fire",
    "on_may_assault": "(may, unit): may it assault at all",
    "on_struck_as_vehicle": "a mark: blows must hit it first, as they must a vehicle",
    "on_strikes_again": "a mark: each casualty it causes hand to hand gives it one more roll",
    "on_hunts_tanks": "a mark: it needs no nerve to assault closed armour and damages it fully",
    "on_fists": "(fists, unit): the fists with which a walker strikes",
}
"""Every moment at which the rules of a unit speak, with its arguments and a sentence."""

WEAPON_HOOKS: dict[str, str] = {
    "on_hit_modifiers": "(modifiers, aimed): the weapon changes the list of hit modifiers",
    "on_ranging": "((need, because), aimed): what indirect fire needs to hit",
    "on_ways": "(ways, weapon): the ways in which an HE weapon may be fired",
    "on_least_range": "(inches, aimed): the minimum range",
    "on_out_of_range": "(problem, aimed): why the shot is lost at this range, as (rule, reason), or None",
    "on_may_advance": "(may, unit): may it be fired on an Advance",
    "on_point_blank": "(may, unit): may it take part in point-blank fire",
    "on_pen": "(pen, unit, target, pool): its penetration",
    "on_pins": "(pins, pool): the pins that a hit is worth, as a number to be rolled, or None for the usual ones",
    "on_worth": "(worth, state, target, pool): how many damage rolls a hit makes, or None for one",
    "on_hits": "procedure (hits, play, volley, pool): after the dice to hit; returns the hits that remain",
    "on_house_hit": "procedure (value, play, volley, pool): it has hit somebody in a building",
    "on_fired": "procedure (value, play, unit, shot): it has been fired",
    "on_anti_tank": "(counts, weapon): does it count as anti-tank weapon in an assault",
    "on_points_ahead": "a mark: carried by troops it bears only to the front, and is pointed anew after a move",
    "on_used_up": "a mark: it fires once; each bearer chooses for himself, and may pick a vehicle of his own",
    "on_keeps_pen": "a mark: it loses no penetration at long range",
    "on_strikes_top": "a mark: it hits vehicles from above",
    "on_burns": "a mark: whoever it hits checks morale, unless flames do nothing to him",
    "on_passes_shields": "a mark: neither buildings nor gun shields protect from it",
    "on_carries_fuel": "a mark: the fuel it needs is a danger to the vehicle that carries it",
    "on_slows": "a mark: whoever it damages is slowed",
    "on_spreads": "a mark: it endangers everybody near its target",
    "on_wave": "a mark: it is not aimed at one unit, but hits whoever stands on its line",
    "on_rolls_shots": "a mark: how often it fires is rolled each time",
    "on_strikes_as_one": "a mark: its hits on armour make one damage roll, each adding 1 to the penetration",
    "on_linked": "a mark: it fires together with the other linked weapons of the vehicle, at one target",
    "on_stabilised": "a mark: it is stabilised",
    "on_crewed": "a mark: a crew serves it",
    "on_two_attacks": "a mark: in hand-to-hand it gives its bearer two attacks",
    "on_strikes_again": "a mark: each casualty its bearer causes hand to hand gives him one more roll",
    "on_fist": "a mark: it is a fist with which a walker strikes",
}
"""Every moment at which the rules of a weapon speak."""


class Special(Effect, moments=HOOKS):
    """A special rule printed on a card; it answers only the hooks it cares about."""


class WeaponRule(Effect, moments=WEAPON_HOOKS):
    """A rule of the special column of the weapons chart; it answers only the hooks it cares about."""


class Marked(Protocol):
    """A unit, or a weapon: its rules are indexed by the moments they answer."""

    @property
    def hooks(self) -> Effects: ...


class Mark:
    """A yes or no that special rules tell by answering: `flies = Mark("on_flies")`."""

    __slots__ = ("hook",)

    def __init__(self, hook: str) -> None:
        if not (HOOKS.get(hook) or WEAPON_HOOKS.get(hook, "")).startswith("a mark: "):
            raise TypeError(f"{hook} is no mark")
        self.hook = hook

    @overload
    def __get__(self, owner: None, kind: type) -> Mark: ...

    @overload
    def __get__(self, owner: Marked, kind: type) -> bool: ...

    def __get__(self, owner: Marked | None, kind: type) -> Mark | bool:
        return self if owner is None else self.hook in owner.hooks


class LastingMark(Mark):
    """The same of something whose rules never change, a weapon: asked once, then kept as a plain attribute."""

    __slots__ = ("name",)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, owner: None, kind: type) -> LastingMark: ...

    @overload
    def __get__(self, owner: Marked, kind: type) -> bool: ...

    def __get__(self, owner: Any, kind: type) -> LastingMark | bool:
        if owner is None:
            return self
        answer: bool = self.hook in owner.hooks
        owner.__dict__[self.name] = answer
        return answer


__all__ = ["HOOKS", "WEAPON_HOOKS", "Effects", "LastingMark", "Mark", "Special", "WeaponRule", "ask", "index"]
