"""Hook points: the named moments at which special rules speak, and the base of every special rule.

A special rule is a small object that answers the hooks it cares about. Most hooks take a value and return it, changed
or not; those marked "procedure" are generators that may ask a player or roll dice. Unit rules live in specials.py,
vehicle rules in vehicle_rules.py, national rules in nations.py.
"""

from __future__ import annotations

from dieselfront.kernel.hooks import Effect, Effects, index

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
    "on_check_failed": "procedure (test, play, unit): a failed morale check may be taken again",
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
}
"""Every moment, with its arguments and a sentence."""


class Special(Effect, moments=HOOKS):
    """A special rule printed on a card; it answers only the hooks it cares about."""


__all__ = ["HOOKS", "Effects", "Special", "index"]
