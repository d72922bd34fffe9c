"""Attacks: pick weapons and targets, let the targets react, roll, and hand everything to damage.py at once
(dw.attack.*, dw.armor_roll*, dw.action.attack, dw.action.sustained_attack).

Written as declare → react → roll → apply; apply takes all results together (dw.reaction.attack_simultaneous).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dieselfront.dice import Because, Throw
from dieselfront.dice.plan import Plan
from dieselfront.kernel.decisions import Assign, IllegalChoice, PickOne, PickSome
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.hooks import ask
from dieselfront.kernel.meaning import NOTHING as NO_ACT
from dieselfront.kernel.meaning import About
from dieselfront.kernel.stakes import Stake
from dieselfront.rulesets.warfare import ground, plans
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.damage_tables import BLINDED, BREACH
from dieselfront.rulesets.warfare.events import Aimed, Struck, Wasted
from dieselfront.rulesets.warfare.firing import (
    CHARGE,
    CLOSE,
    DIRECT,
    FREE,
    INDIRECT,
    NOTHING,
    REACTION,
    REROLL,
    SUSTAINED,
    Attack,
    Pool,
    Shot,
    Strike,
)
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.profiles import DamageCell, against
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.rulesets.warfare.throws import combat
from dieselfront.rulesets.warfare.unit_cards import WarfareWeapon
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.terrain import Cover

CHARGE_INCHES = 6  # dw.ability.charge
Key = tuple[int, int]  # figure, place among its weapons
Aim = tuple[str, str]  # mode, target
Aims = dict[Key, list[Aim]]
Views = dict[tuple[int, str], list[Body]]
Refusal = tuple[str, str]

BREACHED_DASH = DamageCell(dice=1, damage=1)  # dw.damage.vehicle.hull_breach_dash


class Attacking(Chapter):
    """One attack action from its declaration to its end."""

    # -- the action -------------------------------------------------------------------------------------

    def attack(
        self, play: Play, unit: Unit, kind: str, reactions: bool = True, only: Unit | None = None, **data: Any
    ) -> Procedure:
        """An attack in the order of the book (dw.attack.step_order); True if shots were declared."""
        attack = Attack(play.state, unit, kind)
        attack.data.update(data)
        yield from self.rules.leaders.stand_in(play, unit)
        declared = yield from self.declare(play, attack, only)
        if declared:
            yield from self.carry_out(play, attack, reactions)
        unit.stand_in = None
        return declared

    def carry_out(self, play: Play, attack: Attack, reactions: bool) -> Procedure:
        """Reactions between the declaration and the dice (dw.reaction.attack_timing), then everything together."""
        if reactions:
            yield from self.rules.reactions.to_attack(play, attack)
        yield from self.resolve(play, [attack, *attack.counters])
        for counter in attack.counters:
            counter.unit.stand_in = None  # for this event only (dw.leader.opponent_nominates)

    def resolve(self, play: Play, attacks: Sequence[Attack]) -> Procedure:
        """Roll all attacks, then apply all results (dw.reaction.attack_simultaneous,
        dw.open.multi_reaction_simultaneous)."""
        strikes: list[Strike] = []
        for attack in attacks:
            self.recheck(play, attack)
            attack.strikes = [self.plan(attack, target) for target in attack.targets]
            strikes += attack.strikes
        for strike in strikes:
            yield from self.roll(play, strike)
        for attack in attacks:
            self.fired(play, attack)
        yield from self.rules.damage.apply(play, strikes)
        for attack in attacks:
            if attack.unit.alive:
                for answer in attack.unit.hooks.get("on_attack_over", ()):
                    yield from answer(play, attack)

    def fired(self, play: Play, attack: Attack) -> None:
        """Weapons were used: Out of Ammo markers and the like."""
        for shot in attack.shots:
            for answer in self.rules.registry.of_weapon(shot.weapon).get("on_fired", ()):
                answer(play, attack, shot)
            for answer in attack.unit.hooks.get("on_fired", ()):
                answer(play, attack, shot)

    # -- what could be fired at whom ------------------------------------------------------------------------

    def weapons(self, unit: Unit) -> list[tuple[int, int, int]]:
        """(figure, place, number) of every weapon that works (dw.attack.weapons_allowed, dw.profile.all_weapons); bombs
        are dropped, not fired."""
        working = []
        for man in unit.men:
            for place, index in enumerate(unit.carried(man)):
                out = (man, place) in unit.broken or (man, place) in unit.spent or index in unit.empty
                if not out and unit.weapons[index].reach != "bomb":
                    working.append((man, place, index))
        return working

    def answers(self, hook: str, unit: Unit) -> list[Any]:
        """What the rules of its working weapons answer to a moment, each kind of weapon once."""
        effects = self.rules.registry.of_weapon
        armed = [weapon for weapon in unit.weapons if weapon.rules and effects(weapon).get(hook)]
        if not armed:
            return []
        working = {index for _, _, index in self.weapons(unit)}
        return [
            answer
            for index, weapon in enumerate(unit.weapons)
            if index in working and weapon in armed
            for answer in effects(weapon)[hook]
        ]

    def ask_carried(self, hook: str, value: Any, unit: Unit, *context: Any) -> Any:
        """Let the rules of the weapons a unit carries change a value outside of attacks."""
        for answer in self.answers(hook, unit):
            value = answer(value, *context)
        return value

    def aims(self, attack: Attack, only: Unit | None = None) -> Aims:
        """For every weapon the targets it may be used against now, each with the way of firing."""
        aims: Aims = {}
        for shot in self.legal_shots(attack, only):
            aims.setdefault((shot.man, shot.place), []).append((shot.mode, shot.target.id))
        return aims

    def legal_shots(self, attack: Attack, only: Unit | None = None) -> Iterator[Shot]:
        """Every shot that could be fired now, target by target."""
        state, unit = attack.state, attack.unit
        weapons = self.weapons(unit)
        modes = {index: self.modes(attack, unit.weapons[index]) for _, _, index in weapons}
        views: Views = {}
        farthest = self._farthest(unit, modes)
        hulls = ground.hulls(state, unit)
        for target in [only] if only is not None else state.enemies(unit):
            if not target.on_table:
                continue
            if farthest is not None and not ground.bodies_within(unit.bodies, target.bodies, farthest * INCH):
                continue
            blockers = [body for body in hulls if body is not target.bodies[0]]
            for man, place, index in weapons:
                for mode in modes[index]:
                    shot = Shot(attack, man, place, index, target, mode)
                    if self.refusal(shot, views, blockers) is None:
                        yield shot

    def _farthest(self, unit: Unit, modes: dict[int, Sequence[str]]) -> int | None:
        """The longest range of all weapons in inches, for a quick look; None where a rule may change a reach."""
        if "on_reach" in unit.hooks or any(INDIRECT in ways for ways in modes.values()):
            return None
        lines = [unit.weapons[index] for index in modes]
        if any("on_reach" in self.rules.registry.of_weapon(weapon) for weapon in lines):
            return None
        return max((weapon.range for weapon in lines), default=0)

    def modes(self, attack: Attack, weapon: WarfareWeapon) -> Sequence[str]:
        """How a weapon may be used: close combat, directly, or indirectly where its rules allow it."""
        first = CLOSE if weapon.close else DIRECT
        modes: Sequence[str] = (first,)
        for effects in (self.rules.registry.of_weapon(weapon), attack.unit.hooks):
            modes = ask(effects, "on_fire_modes", modes, attack.unit, weapon, attack)
        return modes

    def refusal(self, shot: Shot, views: Views, blockers: Sequence[Body] | None = None) -> Refusal | None:
        """Why a shot cannot be fired now, None if it can."""
        attack, weapon, target = shot.attack, shot.weapon, shot.target
        refusal = self.kind_refusal(shot)
        if refusal is None and self.cell(weapon, target) is None:
            rule = "dw.open.aircraft_high_targets" if target.is_high else "dw.profile.dash"
            refusal = (rule, f"{weapon.name} has no attack against {self.class_of(target)}")
        for effects in (self.rules.registry.of_weapon(weapon), attack.unit.hooks):
            if refusal is None:
                refusal = ask(effects, "on_usable", None, shot)
        if refusal is None:
            refusal = target.ask("on_targetable", None, shot)
        if refusal is None:
            refusal = self.arc_refusal(shot)
        return refusal or self.sight_refusal(shot, views, blockers)

    def kind_refusal(self, shot: Shot) -> Refusal | None:
        """What the kind of attack forbids: a charge uses short weapons only (dw.ability.charge); who is attacked in
        close
        combat answers in close combat (dw.weapon.close_combat_reaction, dw.profile.close_combat)."""
        attack, weapon = shot.attack, shot.weapon
        if attack.kind == CHARGE and weapon.range > CHARGE_INCHES:
            return ("dw.ability.charge", f'{weapon.name} reaches farther than 6"')
        if attack.data.get("close only") and not weapon.close:
            return ("dw.weapon.close_combat_reaction", "only close combat weapons may be used in this reaction")
        return None

    def class_of(self, target: Unit) -> str:
        """The column of weapon tables: low aircraft count as vehicles (dw.aircraft.target_low_as_vehicle)."""
        if target.is_aircraft and not target.is_high:
            return f"V{target.armor}"
        return target.card.armor_class

    def cell(self, weapon: WarfareWeapon, target: Unit) -> DamageCell | None:
        """X/Y against a target, for close combat weapons too (dw.open.c_weapons_against_flyers); any weapon hurts a
        breached vehicle (dw.damage.vehicle.hull_breach_dash)."""
        cell = against(weapon, self.class_of(target))
        if cell is None and target.is_vehicle and BREACH in target.effects:
            return BREACHED_DASH
        return cell

    def arc_refusal(self, shot: Shot) -> Refusal | None:
        """A weapon with an arc needs one miniature of the target in it (dw.attack.arc, dw.arc.hull_weapon); turrets and
        soldiers fire all round (dw.arc.turret_any, dw.arc.soldier_no_facing)."""
        arc = shot.weapon.arc
        if arc is None or arc == "turret" or shot.unit.is_soldier or shot.linked:
            return None
        body = shot.body
        if any(ground.in_side(body, arc, other) for other in shot.target.bodies):
            return None
        return ("dw.attack.arc", f"the target is not in the {arc} arc of {shot.weapon.name}")

    def sight_refusal(self, shot: Shot, views: Views, blockers: Sequence[Body] | None) -> Refusal | None:
        """One visible miniature must lie between minimum and maximum range, measured from the one who fires
        (dw.attack.range, dw.profile.range_inches, dw.open.min_range_per_miniature); a blind shooter does not fire
        (dw.attack.los_blocked_shooter)."""
        if shot.linked:
            return None
        least, most = self.reach(shot)
        body = shot.body
        if most is not None and not ground.bodies_within([body], shot.target.bodies, most * INCH):
            return ("dw.attack.range", f'the target is farther than {most}" away')
        seen = self.view(shot, views, blockers)
        if not seen:
            return ("dw.attack.los_blocked_shooter", "no miniature of the target is in sight")
        far = [ground.distance(body, other) for other in seen]
        if most is not None and all(one > most * INCH for one in far):
            return ("dw.attack.range", f'the target is farther than {most}" away')
        if all(one < least * INCH or (most is not None and one > most * INCH) for one in far):
            return ("dw.profile.min_range", f'the target is closer than {least}"')
        return None

    def view(self, shot: Shot, views: Views, blockers: Sequence[Body] | None) -> list[Body]:
        """The miniatures of the target that the firing one sees, or that the spotter sees for him."""
        state, unit, target = shot.state, shot.unit, shot.target
        man = shot.man
        if shot.mode == INDIRECT:
            return self.rules.artillery.spotted(shot)
        key = (man, target.id)
        if key not in views:
            around = ground.hulls(state, unit, target) if blockers is None else blockers
            eye = unit.body_of(man)
            views[key] = [body for body in target.bodies if ground.sees_body(state, unit, eye, target, body, around)]
        return views[key]

    def reach(self, shot: Shot) -> tuple[int, int | None]:
        """Minimum and maximum range in inches."""
        reach: tuple[int, int | None] = (shot.weapon.min_range, shot.weapon.range)
        for effects in (self.rules.registry.of_weapon(shot.weapon), shot.unit.hooks):
            reach = ask(effects, "on_reach", reach, shot)
        return reach

    def can_attack(self, state: State, unit: Unit, kind: str, only: Unit | None = None, **data: Any) -> bool:
        """Is there anything the unit could fire at now?"""
        attack = Attack(state, unit, kind)
        attack.data.update(data)
        return any(True for _ in self.legal_shots(attack, only))

    # -- declaring ------------------------------------------------------------------------------------

    def declare(self, play: Play, attack: Attack, only: Unit | None) -> Procedure:
        """Every weapon's target before any die (dw.attack.split_targets); True if something is fired."""
        state, unit = attack.state, attack.unit
        aims = play.now(lambda: self.aims(attack, only))
        if not aims:
            return False
        ways = self.ways(state, aims)
        options: list[Any] = [*ways, *([("choose", "")] if len(aims) > 1 else []), None]
        how = yield PickOne(
            unit.side,
            "target",
            options,
            text=f"{unit.name}: whom does it attack?",
            rule="dw.attack.split_targets",
            unit=unit.id,
            labels=lambda aim: self._aim_label(state, aim),
            act="attack",
            about=lambda aim: self._aim_about(unit, aims, aim),
            stakes=lambda aim: self.stakes(attack, aims, aim),
        )
        if how is None:
            return False
        if how[0] == "choose":
            shots = yield from self._choose(attack, aims)
        else:
            shots = self._all_at(attack, aims, how)
        attack.shots = shots
        if not shots:
            return False
        yield from self.refine(play, attack)
        self.announce(play, attack)
        for answer in unit.hooks.get("on_declared", ()):
            yield from answer(play, attack)
        return True

    def ways(self, state: State, aims: Aims) -> list[Aim]:
        """Every way of firing at every target, in the order they are offered."""
        every = {aim for options in aims.values() for aim in options}
        return sorted(every, key=lambda aim: (aim[0], _order(state, aim)))

    def _all_at(self, attack: Attack, aims: Aims, aim: Aim) -> list[Shot]:
        """Everything that can be fired this way at this target (dw.profile.all_weapons)."""
        return [self._shot(attack, key, aim) for key, options in aims.items() if aim in options]

    def _shot(self, attack: Attack, key: Key, aim: Aim) -> Shot:
        man, place = key
        index = attack.unit.carried(man)[place]
        return Shot(attack, man, place, index, attack.state.unit(aim[1]), aim[0])

    def _aim_label(self, state: State, aim: Any) -> str:
        if aim is None:
            return "hold fire"
        if aim[0] == "choose":
            return "choose weapon by weapon"
        words = {CLOSE: "close combat with", DIRECT: "fire at", INDIRECT: "indirect fire at"}
        return f"{words.get(aim[0], aim[0])} {state.unit(aim[1]).name} ({aim[1]})"

    def _aim_about(self, unit: Unit, aims: Aims, aim: Any) -> About:
        if aim is None:
            return NO_ACT
        if aim[0] == "choose":
            return About(act="attack", unit=unit.id)
        weapons = [
            unit.weapons[unit.carried(man)[place]].name for (man, place), options in aims.items() if aim in options
        ]
        act = "assault" if aim[0] == CLOSE else "attack"
        return About(act=act, unit=unit.id, targets=(aim[1],), weapons=tuple(dict.fromkeys(weapons)))

    def _choose(self, attack: Attack, aims: Aims) -> Procedure:
        """Weapon by weapon; using one is optional, close combat weapons keep to themselves and to one target
        (dw.weapon.close_combat_range, dw.weapon.close_combat_one_target)."""
        state, unit = attack.state, attack.unit
        keys = list(aims)
        chosen = yield Assign(
            unit.side,
            "weapons",
            keys,
            [[None, *aims[key]] for key in keys],
            agree=lambda answer: self._disagreement(attack, keys, answer),
            default=self._default(attack, aims),
            item_labels=lambda key: f"{unit.weapons[unit.carried(key[0])[key[1]]].name} of figure {key[0] + 1}",
            text=f"{unit.name}: which weapon at whom?",
            rule="dw.attack.split_targets",
            unit=unit.id,
            labels=lambda aim: self._aim_label(state, aim),
            act="attack",
            about=lambda pair: About(
                act="assault" if pair[1][0] == CLOSE else "attack",
                unit=unit.id,
                targets=(pair[1][1],),
                weapons=(unit.weapons[unit.carried(pair[0][0])[pair[0][1]]].name,),
            ),
            stakes=lambda answer: self._stakes_of(attack, [
                self._shot(attack, key, aim) for key, aim in zip(keys, answer, strict=True) if aim is not None
            ]),
        )  # fmt: skip
        return [self._shot(attack, key, aim) for key, aim in zip(keys, chosen, strict=True) if aim is not None]

    def _default(self, attack: Attack, aims: Aims) -> tuple[Any, ...]:
        """Everything at the first target, in the first way."""
        first = next(iter(aims.values()))[0]
        return tuple(first if first in options else None for options in aims.values())

    def _disagreement(self, attack: Attack, keys: Sequence[Key], answer: Sequence[Any]) -> IllegalChoice | None:
        aimed = [aim for aim in answer if aim is not None]
        modes = {aim[0] for aim in aimed}
        if CLOSE in modes:
            if len(modes) > 1:
                return IllegalChoice(
                    "close combat weapons are used only with each other (dw.weapon.close_combat_range)",
                    "dw.weapon.close_combat_range",
                )
            if len({aim[1] for aim in aimed}) > 1:
                return IllegalChoice(
                    "a close combat attack has one target (dw.weapon.close_combat_one_target)",
                    "dw.weapon.close_combat_one_target",
                )
        if INDIRECT in modes and len(modes) > 1:
            return IllegalChoice("indirect fire is an attack of its own", "dw.weapon.artillery_indirect")
        trial = Attack(attack.state, attack.unit, attack.kind)
        trial.shots = [self._shot(trial, key, aim) for key, aim in zip(keys, answer, strict=True) if aim is not None]
        refused = attack.unit.ask("on_together", None, trial)
        return IllegalChoice(refused[1], refused[0]) if refused else None

    def refine(self, play: Play, attack: Attack) -> Procedure:
        """What a sustained attack is used for, optional abilities, further targets, the spotter."""
        if attack.is_indirect:
            yield from self.rules.artillery.choose_spotter(play, attack)
        if attack.kind == SUSTAINED:
            yield from self._sustained(attack)
        yield from self._tricks(play, attack)
        yield from self._second_targets(attack)

    def sustained_ways(self, attack: Attack) -> list[str]:
        """Rerolls, unless the vehicle is blinded or the fire indirect (dw.damage.vehicle.blinded,
        dw.weapon.artillery_indirect), or what abilities offer instead of them (dw.open.blinded_inversion)."""
        ways = [] if BLINDED in attack.unit.effects or attack.is_indirect else [REROLL]
        ways = attack.unit.ask("on_sustained", ways, attack)
        for weapon in {shot.weapon.id: shot.weapon for shot in attack.shots}.values():
            ways = ask(self.rules.registry.of_weapon(weapon), "on_sustained", ways, attack)
        return list(dict.fromkeys(ways)) or [NOTHING]

    def _sustained(self, attack: Attack) -> Procedure:
        unit = attack.unit
        ways = self.sustained_ways(attack)
        attack.way = yield PickOne(
            unit.side,
            "sustained attack",
            ways,
            text=f"{unit.name}: what is the sustained attack used for?",
            rule="dw.action.sustained_attack",
            unit=unit.id,
            act="attack",
            about=lambda way: About(act="attack", unit=unit.id, targets=tuple(t.id for t in attack.targets),
            skills=(way,)),
            stakes=lambda way: self._stakes_of(attack, attack.shots, way=way),
        )  # fmt: skip

    def _tricks(self, play: Play, attack: Attack) -> Procedure:
        """Optional abilities, each declared before the dice."""
        unit = attack.unit
        names: list[str] = list(dict.fromkeys(unit.ask("on_tricks", [], attack)))
        if not names:
            return
        attack.tricks = yield PickSome(
            unit.side,
            "abilities",
            names,
            0,
            len(names),
            text=f"{unit.name}: which abilities does it use in this attack?",
            rule="dw.ability.shared",
            unit=unit.id,
            act="attack",
            about=lambda chosen: About(
                act="attack", unit=unit.id, targets=tuple(t.id for t in attack.targets),
                skills=tuple(chosen) if isinstance(chosen, tuple) else (chosen,),
            ),
            stakes=lambda chosen: self._stakes_of(attack, attack.shots, tricks=chosen),
        )  # fmt: skip
        for name in attack.tricks:
            for answer in unit.hooks.get("on_trick", ()):
                answer(attack, name)

    def _second_targets(self, attack: Attack) -> Procedure:
        """Weapons that strike another unit as well (dw.open.two_target_weapons): full dice at each."""
        state, unit = attack.state, attack.unit
        asked: dict[tuple[str, str], Any] = {}
        for shot in list(attack.shots):
            effects = self.rules.registry.of_weapon(shot.weapon)
            targets: list[Unit] = ask(effects, "on_second_target", [], attack, shot, self.rules)
            targets = [target for target in targets if self.cell(shot.weapon, target) is not None]
            if not targets:
                continue
            key = (shot.weapon.id, shot.target.id)
            if key not in asked:
                asked[key] = yield PickOne(
                    unit.side,
                    "second target",
                    [None, *[target.id for target in targets]],
                    text=f"{unit.name}: does {shot.weapon.name} also strike another unit?",
                    rule="dw.open.two_target_weapons",
                    unit=unit.id,
                    labels=lambda id: "nobody else" if id is None else f"{state.unit(id).name} ({id})",
                    act="attack",
                    about=lambda id: NO_ACT if id is None else About(act="attack", unit=unit.id, targets=(id,)),
                    stakes=lambda id, shot=shot: self._second_stakes(attack, shot, id),
                )
            if asked[key] is not None:
                other = state.unit(asked[key])
                attack.shots.append(Shot(attack, shot.man, shot.place, shot.index, other, shot.mode, linked=True))

    def _second_stakes(self, attack: Attack, shot: Shot, id: str | None) -> Sequence[Stake]:
        """The attack as declared, and the same weapon at another unit."""
        if id is None:
            return self._stakes_of(attack, attack.shots)
        other = Shot(attack, shot.man, shot.place, shot.index, attack.state.unit(id), shot.mode, linked=True)
        return self._stakes_of(attack, [*attack.shots, other])

    def announce(self, play: Play, attack: Attack) -> None:
        aimed = tuple(dict.fromkeys((shot.weapon.name, shot.target.id) for shot in attack.shots))
        rule = {SUSTAINED: "dw.action.sustained_attack", REACTION: "dw.reaction.attack_target"}.get(
            attack.kind, "dw.action.attack"
        )
        more = (attack.way,) if attack.kind == SUSTAINED else ()
        play.emit(Aimed(rule, attack.unit.id, attack.kind, aimed, (*more, *attack.tricks)))

    def recheck(self, play: Play, attack: Attack) -> None:
        """After reactions: shots without a valid target are wasted (dw.reaction.attack_evade, dw.open.partial_evasion);
        nothing is redirected."""
        if attack.kind == FREE or attack.data.get("checked"):
            return
        views: Views = {}
        kept: list[Shot] = []
        reasons: dict[str, Refusal] = {}
        for shot in attack.shots:
            refused: Refusal | None
            if not shot.target.on_table or shot.man not in attack.unit.men or not attack.unit.on_table:
                refused = ("dw.reaction.attack_evade", "gone")
            else:
                refused = self.refusal(shot, views)
            if refused is None:
                kept.append(shot)
            else:
                reasons.setdefault(shot.target.id, refused)
        attack.shots = kept
        left = {shot.target.id for shot in kept}
        for id, refused in reasons.items():
            rule = "dw.open.partial_evasion" if id in left else "dw.reaction.attack_evade"
            play.emit(Wasted(rule, attack.unit.id, id, refused[1]))

    # -- the plan ------------------------------------------------------------------------------------------

    def ask_strike(self, hook: str, value: Any, strike: Strike) -> Any:
        """The attacker's abilities, then the rules of every weapon aimed at this target
        (dw.open.whole_attack_scope)."""
        if strike.attack.kind == FREE:
            return value
        value = strike.unit.ask(hook, value, strike)
        for weapon in strike.weapons:
            value = ask(self.rules.registry.of_weapon(weapon), hook, value, strike)
        return value

    def ask_pool(self, hook: str, value: Any, pool: Pool) -> Any:
        value = ask(self.rules.registry.of_weapon(pool.weapon), hook, value, pool)
        return pool.unit.ask(hook, value, pool)

    def plan(self, attack: Attack, target: Unit) -> Strike:
        """Everything that is rolled against one target, worked out before the dice."""
        strike = Strike(attack, target)
        for shot in attack.at(target):
            cell = self.cell(shot.weapon, target)
            if cell is not None:
                self._pool(strike, shot, cell).shots.append(shot)
        for pool in strike.pools:
            self.fill(pool)
        strike.pools = self.ask_strike("on_pools", strike.pools, strike)
        strike.seen = self.seen_men(attack, target)
        self.rules.cover.measure(strike)
        self.defend(strike)
        return strike

    def _pool(self, strike: Strike, shot: Shot, cell: DamageCell) -> Pool:
        for pool in strike.pools:
            if pool.weapon.id == shot.weapon.id and pool.weapon == shot.weapon:
                return pool
        pool = Pool(strike, shot.weapon, cell, [])
        strike.pools.append(pool)
        return pool

    def fill(self, pool: Pool) -> None:
        """Dice, faces, extra dice and damage of a group (dw.attack.roll, dw.profile.quantity, dw.weapon.spray)."""
        cell, attack = pool.cell, pool.attack
        each = cell.spray * len(pool.target.men) if cell.spray else cell.dice  # dw.open.spray_position
        pool.dice = max(0, self.ask_pool("on_dice", each * len(pool.shots), pool))
        rerolls = "dw.action.sustained_attack" if attack.way == REROLL else ""
        if (pool.weapon.id, pool.target.id) in attack.data.get("rerolled", ()):
            rerolls = "dw.weapon.bombs_multiple"
        throw = combat(f"{pool.weapon.name} at {pool.target.name}", "dw.attack.roll", rerolls=rerolls)
        pool.throw = self.ask_pool("on_throw", throw, pool)
        pool.extra = self.ask_pool("on_extra", 0, pool)
        damage = self.ask_pool("on_damage", cell.damage, pool)
        if pool.target.is_aircraft and BREACH in pool.target.effects:  # dw.aircraft.damage.hull_breach
            damage += 1
        pool.damage = damage
        pool.piercing = bool(self.ask_pool("on_soft_ignored", False, pool))

    def seen_men(self, attack: Attack, target: Unit) -> tuple[int, ...]:
        """The figures that at least one attacker sees (dw.attack.los_blocked_target)."""
        state, unit = attack.state, attack.unit
        if "eye" in attack.data and attack.data["eye"] is None:
            return tuple(target.men)
        if any(shot.linked for shot in attack.at(target)):
            return tuple(target.men)
        if attack.data.get("ignores blocking"):  # dw.weapon.bombs_los
            return tuple(target.men)
        blockers = ground.hulls(state, unit, target)
        if attack.is_indirect:
            spotter = self.rules.artillery.spotter_of(attack)
            eyes = [(spotter[0], spotter[1])] if spotter is not None else []
        elif "eye" in attack.data:
            eyes = [(unit, attack.data["eye"])]
        else:
            men = dict.fromkeys(shot.man for shot in attack.at(target))
            eyes = [(unit, unit.body_of(man)) for man in men]
        return tuple(
            man
            for man, body in zip(target.men, target.bodies, strict=True)
            if any(ground.sees_body(state, viewer, eye, target, body, blockers) for viewer, eye in eyes)
        )

    def defend(self, strike: Strike) -> None:
        """Cover and armor of the target against this attack; writes the plan."""
        self.armor(strike)
        cover = strike.cover if self.cover_counts(strike) else Cover.NONE
        pierced = min(cover, self.rules.cover.piercing_grade(strike)) <= Cover.SOFT
        strike.cover = cover
        strike.defence = plans.Defence(
            cover, strike.armor_dice, strike.armor_throw, strike.bonus, self.capacity(strike), pierced,
            strike.because,
        )  # fmt: skip
        strike.groups = tuple(
            plans.Group(pool.weapon.name, pool.dice, pool.throw, pool.damage, pool.extra, pool.piercing)
            for pool in strike.pools
            if pool.throw is not None
        )
        strike.plan = self.whole_plan(strike)

    def whole_plan(self, strike: Strike) -> Plan:
        """Everything that would be rolled, the damage table included where its roll is certain beforehand."""
        assert strike.defence is not None
        target = strike.target
        certain = not (target.hooks.get("on_before_armor") or target.hooks.get("on_armor_rolled"))
        table = self.rules.damage.table_throw(strike, strike.pools) if target.is_machine and strike.pools else None
        if target.is_machine:
            each = [self.rules.damage.table_throw(strike, [pool]) for pool in strike.pools]
            certain = certain and len({None if one is None else one.faces for one in each}) <= 1 and table is not None
        label = f"{strike.unit.name} at {target.name}"
        squad = target.is_soldier
        return plans.attack_plan(label, strike.groups, strike.defence, table, squad=squad, tells_all=certain)

    def capacity(self, strike: Strike) -> int:
        """What the figures in sight can suffer; the rest of the damage is lost (dw.damage.blocked_immune)."""
        return sum(strike.target.capacity(man) for man in strike.seen)

    def cover_counts(self, strike: Strike) -> bool:
        """Cover is nothing in close combat (dw.weapon.close_combat_no_cover) and against some weapons; Hit the Dirt
        is no
        help against these (dw.open.hit_the_dirt_no_cover_weapons)."""
        if strike.attack.is_close or strike.attack.data.get("no cover"):
            return False
        return bool(self.ask_strike("on_cover_counts", True, strike))

    def armor(self, strike: Strike) -> None:
        """One roll of as many dice as the armor rating (dw.armor_roll, dw.armor_roll.once_per_attack)."""
        target = strike.target
        allowed, because = self.armor_allowed(strike)
        strike.armor_allowed = allowed
        strike.because = (*strike.because, *because)
        strike.bonus = target.ask("on_armor_bonus", 0, strike)
        strike.armor_dice = 0
        strike.armor_throw = None
        if not allowed:
            return
        dice = target.ask("on_armor_dice", target.armor, strike)
        dice = target.ask("on_facing_dice", dice, strike)
        if self.ask_strike("on_armor_halved", False, strike):  # dw.open.armor_bonus_without_roll: added, then halved
            dice = -(-dice // 2)
        strike.armor_dice = dice
        strike.armor_throw = target.ask("on_armor_throw", combat(f"armor of {target.name}", "dw.armor_roll"), strike)

    def armor_allowed(self, strike: Strike) -> tuple[bool, tuple[Because, ...]]:
        """Not for a breached hull (dw.damage.vehicle.hull_breach), not against attackers most of whom stand wholly in a
        vehicle's rear arc (dw.armor_roll.vehicle_rear; aircraft: dw.aircraft.rear_arc_armor), not against some
        weapons."""
        target, unit = strike.target, strike.unit
        if BREACH in target.effects:
            return False, (Because("dw.damage.vehicle.hull_breach", "hull breach: no armor roll"),)
        acts = unit is not target and unit.bodies and "eye" not in strike.attack.data
        if target.is_vehicle and acts and ground.most_in_side(target, "rear", unit):
            return False, (Because("dw.armor_roll.vehicle_rear", "attacked from behind: no armor roll"),)
        if not self.ask_strike("on_armor_allowed", True, strike):
            return False, (Because("dw.open.whole_attack_scope", "no armor roll against this attack"),)
        return True, ()

    # -- rolling ------------------------------------------------------------------------------------------

    def roll(self, play: Play, strike: Strike) -> Procedure:
        """Roll one attack against one target; nothing is removed yet."""
        assert strike.plan is not None and strike.defence is not None
        roller = plans.Roller(play, (strike.unit.side, strike.target.side), (strike.unit.id, strike.target.id))
        tallies = strike.tallies = plans.fresh_tallies(strike.plan)
        yield from plans.perform(play, plans.attack_stages(strike.groups), tallies, roller)
        for number, pool in enumerate(strike.pools):
            pool.hits = plans.group_hits(tallies, number)
        strike.total = tallies.get(plans.POINTS, 0) + tallies.get(plans.PIERCING, 0)
        ignored = False
        if strike.total:
            for answer in strike.target.hooks.get("on_before_armor", ()):
                ignored = yield from answer(ignored, play, strike)
        if not ignored:
            yield from plans.perform(play, plans.cover_stages(strike.defence), tallies, roller)
            yield from self._armor_rolled(play, strike, roller)
            yield from plans.perform(play, plans.armor_stages(strike.defence), tallies, roller)
            strike.suffered = tallies.get(plans.LOSSES, 0)
            strike.table_pool = tallies.get(plans.BEFORE_ARMOR, 0)
        reasons = tuple((item.rule, item.text) for item in (*strike.because, *strike.plan.reasons()))
        play.emit(
            Struck(
                "dw.attack.step_order", strike.unit.id, strike.target.id, strike.hits, strike.total,
                plans.COVER_POINTS[strike.cover], strike.suffered, tuple(dict.fromkeys(reasons)),
            )
        )  # fmt: skip

    def _armor_rolled(self, play: Play, strike: Strike, roller: plans.Roller) -> Procedure:
        """Where an ability may change an armor roll that has fallen, it is rolled first and its result kept."""
        defence, answers = strike.defence, strike.target.hooks.get("on_armor_rolled", ())
        assert defence is not None
        if not answers or defence.armor_throw is None or not strike.tallies.get(plans.POINTS):
            return
        thrown = yield from roller.throw(
            defence.armor_throw, defence.armor_dice, plans.TARGET, defence.armor_throw.rule
        )
        saved = thrown.successes
        for answer in answers:
            saved = yield from answer(saved, play, strike)
        strike.defence = _rolled(defence, saved)

    # -- stakes ------------------------------------------------------------------------------------------

    def stakes(self, attack: Attack, aims: Aims, aim: Any) -> Sequence[Stake]:
        """What would be rolled for a choice of target."""
        if aim is None or aim[0] == "choose":
            return ()
        return self._stakes_of(attack, self._all_at(attack, aims, aim))

    def _stakes_of(
        self, attack: Attack, shots: Sequence[Shot], way: str | None = None, tricks: Sequence[str] | None = None
    ) -> Sequence[Stake]:
        """Plans of a trial attack with these shots, against every target."""
        trial = Attack(attack.state, attack.unit, attack.kind)
        trial.data.update(attack.data)
        trial.spotter = attack.spotter
        trial.way = attack.way if way is None else way
        trial.tricks = tuple(attack.tricks if tricks is None else tricks)
        trial.shots = [Shot(trial, s.man, s.place, s.index, s.target, s.mode, s.linked) for s in shots]
        for name in trial.tricks:
            for answer in trial.unit.hooks.get("on_trick", ()):
                answer(trial, name)
        act = "assault" if trial.is_close else "attack"
        if trial.is_indirect and trial.spotter is None:
            trial.spotter = self.rules.artillery.first_spotter(trial)
        return [self._stake(trial, target, act) for target in trial.targets]

    def _stake(self, attack: Attack, target: Unit, act: str) -> Stake:
        strike = self.plan(attack, target)
        assert strike.plan is not None
        return self._stake_of(strike, strike.plan, act)

    def _stake_of(self, strike: Strike, plan: Plan, act: str) -> Stake:
        target, attack = strike.target, strike.attack
        id = target.id

        def left(state: State) -> tuple[int, bool]:
            return state.unit(id).points_left, state.unit(id).alive

        return Stake(id, [plan], attack.unit.id, act, name=target.name, left=left)

    def rest_stakes(
        self, strike: Strike, tallies: plans.Tallies, saved: int | None = None, ignored: Throw | None = None
    ) -> Sequence[Stake]:
        """What is still to be rolled against a target once the HITs are known (`tallies`): with what its armor saves,
        if that has been rolled, or with a die that may make all of it void."""
        assert strike.defence is not None
        target = strike.target
        defence = strike.defence if saved is None else _rolled(strike.defence, saved)
        scored = [pool for pool in strike.pools if pool.hits]
        table = self.rules.damage.table_throw(strike, scored) if target.is_machine else None
        label = f"{strike.unit.name} at {target.name}"
        plan = plans.rest_plan(label, tallies, defence, table, target.is_soldier, ignored, covered=saved is not None)
        return [self._stake_of(strike, plan, "attack")]

    # -- attacks nobody takes an action for -----------------------------------------------------------------

    def free_strike(
        self, state: State, unit: Unit, target: Unit, cell: DamageCell, label: str, eye: Body | None, cover: bool = True
    ) -> Strike:
        """An attack that follows from something else: a blast, a burning vehicle, riders under fire. `eye` is the
        leader
        for sight; without one everybody is in sight and nothing covers."""
        weapon = WarfareWeapon(id=label, name=label, count=1, cells={self.class_of(target): cell})
        attack = Attack(state, unit, FREE)
        attack.data["eye"] = eye
        if not cover or eye is None:
            attack.data["no cover"] = True
        strike = Strike(attack, target)
        pool = Pool(strike, weapon, cell, [])
        pool.dice = cell.spray * len(target.men) if cell.spray else cell.dice
        pool.throw = combat(f"{label} at {target.name}", "dw.attack.roll")
        strike.pools.append(pool)
        attack.strikes.append(strike)
        strike.seen = self.seen_men(attack, target)
        self.rules.cover.measure(strike)
        self.defend(strike)
        return strike

    def free_attacks(self, play: Play, strikes: Sequence[Strike]) -> Procedure:
        """Roll and apply attacks of that kind together; nobody reacts to them."""
        for strike in strikes:
            yield from self.roll(play, strike)
        yield from self.rules.damage.apply(play, strikes)


def _order(state: State, aim: Aim) -> int:
    return next(number for number, unit in enumerate(state.units) if unit.id == aim[1])


def _rolled(defence: plans.Defence, saved: int) -> plans.Defence:
    """The same defence once the armor dice have fallen."""
    return defence._replace(armor_dice=0, armor_throw=None, bonus=defence.bonus + saved)


__all__ = ["Aim", "Aims", "Attacking"]
