"""Hook points of Warfare: the named moments at which abilities and weapon rules speak.

Abilities (abilities/*.py) answer for the units that have them, weapon rules (weapon_rules/*.py) for the weapons that
do.
Most moments take a value and return it, changed or not; those marked "procedure" are generators (`yield` a decision,
`yield from play.throw(...)`), those marked "mark" are only asked whether anybody answers.
"""

from __future__ import annotations

from typing import ClassVar

from dieselfront.forces.skills import SkillRef
from dieselfront.kernel.hooks import Effect

HOOKS: dict[str, str] = {
    # who a unit is
    "on_suppressible": "(may, unit, state) → may the unit be given suppression markers",
    "on_suppressed": "(counts, unit, state) → do its markers have any effect (actions, reactions, cover, retreat)",
    "on_hit_the_dirt": "(may, unit, state) → may it use Hit the Dirt",
    "on_dirt_helps": "(helps, unit, state) → does Hit the Dirt raise its cover",
    "on_join": "(refusal, unit, joiner, state) → may this hero or commissar join the unit? None or (rule, reason)",
    "on_joins": "(refusal, joiner, unit, state) → the same, asked of who joins",
    "on_screens": "(may, unit, state) → do its soldiers obscure units behind them",
    # deployment and arrival
    "on_deploy": "(ways, unit, state) → ways to be deployed: add Arrival values for staying off the table",
    "on_deployed": "procedure (play, unit) → after the unit was set up or came onto the table",
    "on_first_activation": "(ways, unit, state) → mark of abilities that only count in the first activation",
    # command
    "on_order_bonus": "(orders, unit, state) → additional orders of its side, asked of every unit on the table",
    "on_orders_anywhere": "(rule, unit, state) → the rule by which orders reach the unit anywhere, or ''",
    "on_free_order": "(rule, unit, state) → the rule by which it may be given a free order, or ''",
    "on_command_range": "(inches, unit, state) → command range of a unit that may issue orders; 0 if it may not",
    "on_special_orders": "(may, unit, state) → may it issue the special order of its platoon",
    "on_radios": "(radios, unit, state) → radiomen of a Command Section",
    "on_section_radios": "(radios, carrier, section, state) → radiomen lent by the vehicle a section rides in",
    "on_command_uses": "(uses, unit, state) → free things it may do in the Command phase: add (name, label) pairs",
    "on_command_use": "procedure (play, unit, name) → carry out a thing of on_command_uses",
    # activation
    "on_action_count": "(count, unit, state) → actions of this activation",
    "on_specials": "(names, unit, state) → special actions it may take now: add names; asked of its weapons too",
    "on_special": "procedure (done, play, unit, name) → carry out a special action; return True when it was yours",
    "on_menu": "(menu, unit, state, count) → the action sequences that may be declared: tuples of action names",
    "on_activation_began": "procedure (play, unit) → after the steps before the actions",
    "on_activation_ended": "procedure (play, unit) → after the last action",
    "on_turn_ended": "(play, unit) → in the End phase, for every unit",
    # moves
    "on_move_inches": "(inches, unit, move) → how far it may go in this move (Move, doubled on a march)",
    "on_difficult": "(is_difficult, unit, piece, move) → does this terrain limit the move",
    "on_barred": "(is_barred, unit, piece, move) → may the unit not enter this terrain",
    "on_no_stop": "(may_not, unit, piece, move) → may the unit not end in this terrain",
    "on_march_free": "(free, unit) → does a march ignore difficult terrain",
    "on_ground_die": "(faces, unit) → faces of a die that stop it at difficult terrain; 0 for no die",
    "on_vertical": "(inches, unit, move) → how far it may climb or descend in an activation",
    "on_floors": "(floors, unit, move) → how many floors of a building it may climb in one move",
    "on_spot_turn": "(may, unit, state) → may it turn on the spot instead of moving",
    "on_ways": "(ways, unit, state) → ways of moving to choose from ('move', 'jump')",
    "on_turns": "(may, unit, move) → may it change its facing in this move",
    "on_flies_over": "(over, unit, move) → does it pass over all units, keeping no distance but at the end",
    "on_move_windows": "(windows, unit, move) → when enemies may react to its move: some of ('before', 'after')",
    "on_moved": "procedure (play, unit, move) → after a move was made and before anybody reacts to it",
    "on_move_done": "procedure (play, unit, move) → after the move and all reactions to it",
    "on_reaction_inches": "(inches, unit, move) → the same as on_move_inches, for moves made as a reaction",
    "on_hover": "(may, unit, state) → may it turn on the spot in place of its compulsory move",
    # attacks: declaring
    "on_usable": "(refusal, shot) → may the weapon be used in this attack? None or (rule, reason)",
    "on_targetable": "(refusal, shot) → may the unit be the target of this shot? None or (rule, reason)",
    "on_reach": "((least, most), shot) → minimum and maximum range in inches; most None for no limit",
    "on_fire_modes": "(modes, unit, weapon, attack) → ways to fire a weapon: 'direct', 'indirect', ...",
    "on_together": "(refusal, attack) → may these shots be fired in one attack? None or (rule, reason)",
    "on_sustained": "(ways, attack) → what a sustained attack may be used for: ('reroll', ...)",
    "on_tricks": "(names, attack) → once-per-game and other optional abilities that may be used in this attack",
    "on_trick": "(attack, name) → a trick was chosen: write it into the attack",
    "on_second_target": "(targets, attack, shot, rules) → further units the shot strikes as well",
    "on_declared": "procedure (play, attack) → after weapons, targets and tricks are declared, before reactions",
    # attacks: the plan
    "on_dice": "(dice, pool) → dice of a group of equal weapons",
    "on_throw": "(throw, pool) → faces and rerolls of the group",
    "on_extra": "(extra, pool) → dice rolled once more for each HIT of the first roll",
    "on_damage": "(damage, pool) → damage of each HIT",
    "on_pools": "(pools, strike) → the groups of a strike once their dice are known; change dice, drop groups",
    "on_armor_allowed": "(may, strike) → may the target make an armor roll; asked of the attacker and his weapons",
    "on_armor_dice": "(dice, strike) → armor dice, asked of the target",
    "on_armor_halved": "(halved, strike) → are they halved, asked of the attacker and his weapons",
    "on_armor_throw": "(throw, strike) → faces of the armor roll, asked of the target",
    "on_armor_bonus": "(points, strike) → points cancelled besides the dice, asked of the target",
    "on_cover_counts": "(counts, strike) → does cover count, asked of the attacker and his weapons",
    "on_least_cover": "(grade, strike) → the least cover that targets of this attacker have",
    "on_cover": "(grade, strike) → the last word on its cover, asked of the target",
    "on_soft_ignored": "(ignored, pool) → is damage of this group not reduced by soft cover",
    "on_facing_dice": "(dice, strike) → more armor dice by where the attackers stand, asked of the target",
    # attacks: resolving
    "on_before_armor": "procedure (ignored, play, strike) → the damage is known: True when all of it is ignored",
    "on_armor_rolled": "procedure (saved, play, strike) → a choice after the armor roll; returns what it saves",
    "on_marker": "(markers, strike) → suppression markers the target gains",
    "on_table_throw": "(throw, strike) → faces of the damage table roll, asked of weapons that scored a HIT",
    "on_table_effect": "(effect, strike) → an effect given in place of the roll, asked of weapons that HIT; ''",
    "on_damage_suffered": "procedure (play, unit, points) → the unit has suffered damage, whatever the cause",
    "on_fired": "(play, attack, shot) → the weapon was used: Out of Ammo markers",
    "on_attack_over": "procedure (play, attack) → everything of the attack is applied",
    "on_lost_with": "procedure (saved, play, unit, carrier) → its aircraft is lost: True when the unit got out",
    # sight and support
    "on_spots": "(may, unit, man, state) → may this figure spot for artillery",
    "on_above": "(is_above, unit) → does it look down from the air",
    "on_repair_throw": "(throw, unit) → the die of a repair, asked of the unit and its weapons",
    # transport
    "on_capacity": "(spaces, unit, seat) → spaces for soldiers, 'inside' or 'riding'",
    "on_lift_rating": "(armor, unit) → the highest armor of a vehicle it can carry; 0 for none",
    "on_lifted": "(may, unit, carrier, state) → can it be carried by this carrier as a vehicle",
    "on_late_exit": "(may, unit, carrier) → may it leave an aircraft that has activated",
    "on_exit_inches": "(inches, unit, carrier) → how far from the carrier it is set down",
    "on_pilots": "(may, unit, vehicle, state) → may this hero pilot the vehicle",
    "on_needs_pilot": "(name, unit) → the hero without whom the vehicle takes no actions, or ''",
}
"""Every moment, with its arguments and a sentence."""


class Ability(Effect, moments=HOOKS):
    """An ability printed on a card.

    `name` is what the card prints, `rule` the id it stands for. A unit has it while one living bearer is left
    (dw.ability.shared, dw.ability.lost_with_bearer, dw.open.unshared_unit_effects); with `everyone` every miniature of
    the unit must have it. `pilot` marks abilities with the Pilot keyword (dw.ability.pilot_keyword).
    """

    name: ClassVar[str] = ""
    everyone: ClassVar[bool] = False
    pilot: ClassVar[bool] = False

    __slots__ = ("argument",)

    def __init__(self, ref: SkillRef) -> None:
        self.argument = ref.argument or ""

    @property
    def number(self) -> int:
        """The argument as a number, as in Carry Capacity (6)."""
        return int(self.argument) if self.argument.isdigit() else 0


class WeaponRule(Ability):
    """A special rule printed on a weapon line; asked with the pools, shots and strikes of that weapon only."""


__all__ = ["HOOKS", "Ability", "WeaponRule"]
