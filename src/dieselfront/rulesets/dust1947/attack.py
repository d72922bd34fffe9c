"""Attacks: declaring weapons and targets, planning the dice, resolving ranged fire (d47.action.attack, d47.attack.*).

Saves are planned in saves.py, losses taken in damage.py, tokens given in suppression.py, close combat fought in
close_combat.py.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any, NamedTuple

from dieselfront.dice import DUST_DIE, Because, Reroll, Throw
from dieselfront.dice.plan import PoolPlan
from dieselfront.forces import ARMOUR_CLASSES, Cell, DustCard, DustWeapon
from dieselfront.kernel.decisions import NOT_FORCED, Assign, IllegalChoice, PickNext, YesNo
from dieselfront.kernel.game import ANSWERED, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.kernel.stakes import Stake
from dieselfront.rulesets.dust.events import Hits, PoolPlanned, WeaponsDeclared
from dieselfront.rulesets.dust.hooks import NO_EFFECTS, Effects, ask
from dieselfront.rulesets.dust.shots import Aim, Attack, Line, Pool, Shot
from dieselfront.rulesets.dust.state import ABOARD, GRAPPLED, ON_BOARD, STUNNED, Part, Unit
from dieselfront.rulesets.dust1947.dice import ARMY
from dieselfront.rulesets.dust1947.playing import Play

IMPROVISED = DustWeapon(  # d47.attack.cc.improvised
    "improvised",
    "Improvised weapon",
    1,
    {name: Cell(1, 0, 1) for name in ARMOUR_CLASSES if name[0] != "A"},
    close=True,
)
IMPROVISED_INDEX = -1

BLIND_SIDE = "d47.fort.bunker_view"
"""The one reason not to see an adjacent target that does not stop blows: those at a bunker's doors are fought."""

SPREAD = 3
"""How many squares farther a weapon of a huge vehicle may stand from its target than the nearest own square."""

ALL_ROUND = (None, "turret")
"""Mounts of weapons that bear in all directions."""

SAME_FACES = -1
"""In a planned re-roll: succeed on whatever faces the throw itself succeeds on."""

ONE_OF_EACH = "one_forced_one_chosen"
"""The option by which a die is rolled again once because it must be, and once because its player wants it."""

RESULT_HOOKS = frozenset({"on_rolled", "on_pick", "on_blows", "on_dying", "on_lost"})
"""Skills on these moments change what becomes of hits, so the plan alone does not tell the losses."""


def left(state: Any, id: str) -> tuple[int, bool]:
    """What a unit has left, and whether it still stands."""
    unit = state.by_id[id]
    return sum(max(part.left, 0) for part in unit.fighters()) if unit.alive else 0, unit.stands


class WeaponRow(NamedTuple):
    """One weapon line with those who can use it now and the ways to aim it."""

    part: int
    index: int  # type: ignore[assignment]
    weapon: DustWeapon
    bearers: tuple[int, ...]
    aims: tuple[Aim, ...]
    each: tuple[tuple[Aim, ...], ...] = ()
    """The aims of each bearer, where they differ."""


Written = tuple[int, int, DustWeapon, Effects, str, Line, Aim, tuple[int, ...]]
"""A declared shot as copies inherit it: part, weapon line, weapon, its effects, target, settled line, aim, bearers."""


def describe_soldier(part: Part, soldier: int) -> str:
    """A soldier by name, roles and weapons."""
    if not part.squad:
        return part.card.name
    man = part.card.soldiers[soldier]
    weapons = ", ".join(part.card.weapons[index].name for index in man.weapons)
    roles = [role for role in man.roles if role not in man.name.lower()]
    words = [man.name, f"({', '.join(roles)})" if roles else "", f"with {weapons}" if weapons else ""]
    return " ".join(filter(None, words))


def label_of_soldier(part: Part, soldier: int) -> str:
    """A soldier as a choice: what he is and carries, each said once."""
    if not part.squad:
        return part.card.name
    man = part.card.soldiers[soldier]
    weapons = [part.card.weapons[index].name for index in man.weapons]
    roles = [role for role in man.roles if role not in man.name.lower()]
    return ", ".join(dict.fromkeys((man.name, *roles, *weapons)))


def is_leader(part: Part, soldier: int) -> bool:
    """Is he the one that a squad is led by? Nobody loses him by a slip."""
    return part.squad and "leader" in part.card.soldiers[soldier].name.lower()


class Attacks:
    """The attack in the order of d47.action.attack."""

    writes_shots = True
    """Are lines, once settled, free of units, so that copies may inherit them?"""

    # -- the whole attack -----------------------------------------------------------------------

    def run(self, play: Play, attack: Attack) -> Procedure:
        """Declare everything, fire, then fight."""
        try:
            shots = yield from self.declare(play, attack)
            if shots:
                yield from self.carry_out(play, attack, shots)
        finally:  # a copy may be left in the middle of it
            attack.let_go()

    def carry_out(self, play: Play, attack: Attack, shots: list[Shot]) -> Procedure:
        """What was declared: last decisions before the dice, shooting, close combat, what it broke."""
        rules = play.rules
        close = [shot for shot in shots if shot.close]
        ranged = [shot for shot in shots if not shot.close]
        yield from self._choose_sustained_part(play, attack, ranged, close)
        for answer in attack.unit.effects.get("on_aimed", ()):  # d47.skill.declare_before_roll
            yield from answer(attack, shots)
        for shot in shots:
            self.use(play, shot)
        yield from self.fire(play, attack, ranged)
        if close and attack.unit.alive:  # d47.attack.cc.ranged_first, d47.open.ranged_effects_before_cc
            yield from rules.close_combat.fight(play, attack, close)
        yield from rules.damage.settle_dying(play, attack)
        yield from rules.criticals.check(play, attack)

    def _choose_sustained_part(self, play: Play, attack: Attack, ranged: list[Shot], close: list[Shot]) -> Procedure:
        """With both parts in a sustained attack the player chooses which is sustained.

        d47.attack.cc.sustained_choice.
        """
        if not attack.sustained or not close:
            return
        attack.sustained_close = True
        if ranged:
            attack.sustained_close = yield YesNo(
                attack.unit.side,
                "sustain-close",
                text="Sustain the close combat rather than the shooting?",
                rule="d47.attack.cc.sustained_choice",
                unit=attack.unit.id,
            )

    # -- declaring ------------------------------------------------------------------------------

    def declare(self, play: Play, attack: Attack) -> Generator[Any, Any, list[Shot]]:
        """Name a target for every weapon used, all at once (d47.attack.declare.weapon_target).

        d47.attack.declare.locked, d47.attack.cc.with_ranged, d47.attack.cc.declare_together.
        """
        lines = play.now(lambda: self.weapon_lines(play, attack))
        if not lines:
            return []
        decision = None if play.answered and self.writes_shots else self.declaration(play, attack, lines)
        answer = yield ANSWERED if decision is None else decision
        shots = self._declared(play, attack, lines, decision, answer)
        attack.shots = ask(attack.unit.effects, "on_declared", shots, attack)
        if attack.shots:
            self._tell_declared(play, attack, attack.shots)
        return attack.shots

    def _declared(
        self, play: Play, attack: Attack, lines: list[WeaponRow], decision: Assign | None, answer: Any
    ) -> list[Shot]:
        """The shots of a declaration; copies that repeat it find them written down."""
        shots: list[Shot] = []

        def find() -> list[Written]:
            items = (decision or self.declaration(play, attack, lines)).items
            shots.extend(self.shots(play, attack, items, answer))
            return [self._write(shot) for shot in shots] if keeps else []

        keeps = self.writes_shots and play.pauses
        if not keeps:
            find()
            return shots
        written = play.now(find)
        return shots or [self._read(play, attack, one) for one in written]

    def _write(self, shot: Shot) -> Written:
        """A declared shot without the units that it knows."""
        part = shot.unit.parts.index(shot.part)
        return part, shot.index, shot.weapon, shot.effects, shot.target.id, shot.line, shot.aim, shot.bearers

    def _read(self, play: Play, attack: Attack, written: Written) -> Shot:
        """A shot that was written down."""
        part, index, weapon, effects, target, line, aim, by = written
        owner = attack.unit.parts[part]
        return Shot(play, attack, owner, index, weapon, effects, play.state.by_id[target], line, len(by), aim, by)

    def declaration(self, play: Play, attack: Attack, lines: list[WeaponRow]) -> Assign:
        """The decision itself: every single weapon may go at another target (d47.attack.declare.split_targets)."""
        items: list[Any] = []
        choices: list[tuple[Any, ...]] = []
        for line in lines:
            aims = (None, *line.aims)  # weapons are optional (d47.attack.declare.optional_weapons)
            for bearer in line.bearers:
                items.append((line.part, line.index, bearer))
                choices.append(aims)
        unit = attack.unit
        return Assign(
            unit.side,
            "retaliate" if attack.retaliation else "declare",
            items,
            choices,
            agree=self._agreement(play, attack, items),
            default=(None,) * len(items),
            item_labels=lambda item: self._item_label(unit, item),
            conflicts=self._conflicts(unit, items),
            text=f"{unit.name}: aim each weapon",
            rule="d47.attack.declare.weapon_target",
            unit=unit.id,
            labels=lambda aim: self.aim_label(play, aim),
            act="attack",
            about=lambda pair: self.about_aim(play, unit, *pair),
            stakes=lambda answer: self.stakes(play, attack, items, answer),
        )

    def about_aim(self, play: Play, unit: Unit, item: Any, aim: Aim) -> About:
        """What one weapon with one aim is about."""
        part, index, _ = item
        weapon = self.weapon_of(unit.parts[part], index)
        at_unit = aim[0] in play.state.by_id
        return About(
            act="assault" if weapon.close else "attack",
            unit=unit.id,
            targets=(aim[0],) if at_unit else (),
            places=() if at_unit else (play.state.table.name(aim[0]),),
            weapons=(weapon.name,),
        )

    def stakes(self, play: Play, attack: Attack, items: Any, answer: Any) -> list[Stake]:
        """What a declaration would roll, for every unit it strikes; nothing is changed by asking."""
        before = attack.shots, attack.sustained_close
        attack.shots = shots = self.shots(play, attack, items, answer)
        attack.sustained_close = attack.sustained and all(shot.close for shot in shots)
        try:
            return [stake for shot in shots for stake in self.stakes_of(play, shot)]
        finally:
            attack.shots, attack.sustained_close = before

    def stakes_of(self, play: Play, shot: Shot) -> Iterator[Stake]:
        """One shot: a plan for every unit that it strikes."""
        templates = self.laid(play, shot)
        if templates:
            yield Stake("", (), shot.unit.id, templates=templates)
        for struck in [shot] if shot.close else self.victims(play, shot):
            plan = self.plan_at_stake(play, struck)
            plan.tells_all = self.plan_tells_all(struck)
            target = struck.target
            act = "assault" if shot.close else "attack"
            yield Stake(target.id, (plan,), shot.unit.id, act, target.name, left=partial(left, id=target.id))

    def plan_at_stake(self, play: Play, shot: Shot) -> PoolPlan:
        """The plan of a pool as the target sees it: about those who stand to lose something.

        Hits that a squad cannot take go on to the hero with it, point for point if they are worth the same to both
        (d47.hero.assign_hits).
        """
        plan = self.plan(play, shot)
        squad, *others = shot.target.fighters()
        if not squad.squad:
            return plan
        same = not shot.close and all(self.damage_per_hit(shot, one) == plan.damage for one in others)
        parts = [squad, *others] if same else [squad]
        plan.capacity = max(1, sum(self.most_losses(play, shot, part) for part in parts))
        return plan

    def most_losses(self, play: Play, shot: Shot, part: Part) -> int:
        """How much of a part a shot can take."""
        return part.left

    def laid(self, play: Play, shot: Shot) -> tuple[Any, ...]:
        """The templates that a shot lays on the table; on squares there are none."""
        return ()

    def everything_at(self, play: Play, attack: Attack, target: Unit) -> list[Stake]:
        """What an attack would roll if all that bears was aimed at one unit, weapon by weapon in card order."""
        decision = self.declaration(play, attack, self.weapon_lines(play, attack))
        answer: list[Any] = [None] * len(decision.items)
        for place, aims in enumerate(decision.choices):
            answer[place] = next((aim for aim in aims if aim is not None and aim[0] == target.id), None)
            if decision.objection(tuple(answer)) is not None:
                answer[place] = None
        return self.stakes(play, attack, decision.items, answer)

    def plan_tells_all(self, shot: Shot) -> bool:
        """Do the dice of a plan alone tell what becomes of the target?

        Not where it strikes back, may crash after a critical hit, divides hits, or skills act on results.
        """
        if shot.close or shot.target.is_aircraft or len(shot.target.fighters()) > 1:
            return False
        heard = (shot.effects, shot.unit.effects, shot.target.effects)
        return not any(hook in effects for effects in heard for hook in RESULT_HOOKS)

    def _agreement(self, play: Play, attack: Attack, items: list[Any]) -> Any:
        """Limits on which weapons go together; crews and single-use rules speak through on_declared's twin."""
        limits = attack.unit.effects.get("on_combination", ())
        aboard = attack.unit.status == ABOARD
        if not limits and not aboard:
            return None

        def agree(answer: tuple[Any, ...]) -> IllegalChoice | None:
            if aboard:
                crowded: IllegalChoice | None = play.rules.transport.agreement(play, attack, items, answer)
                if crowded is not None:
                    return crowded
            for limit in limits:
                objection: IllegalChoice | None = limit(items, answer, attack)
                if objection is not None:
                    return objection
            return None

        return agree

    def _conflicts(self, unit: Unit, items: list[Any]) -> list[tuple[int, int]]:
        """A model uses its close-combat weapons or the improvised one, not both (d47.attack.cc.improvised_choice)."""
        conflicts = []
        for one, (part, index, bearer) in enumerate(items):
            if index != IMPROVISED_INDEX:
                continue
            squad = unit.parts[part].squad
            for other, (its_part, its_index, its_bearer) in enumerate(items):
                if its_part != part or its_index == IMPROVISED_INDEX:
                    continue
                if unit.parts[part].card.weapons[its_index].close and (not squad or its_bearer == bearer):
                    conflicts.append((one, other))
        return conflicts

    def _item_label(self, unit: Unit, item: Any) -> str:
        part, index, bearer = item
        weapon = self.weapon_of(unit.parts[part], index)
        owner = unit.parts[part]
        who = owner.card.soldiers[bearer].name if owner.squad and bearer < len(owner.card.soldiers) else owner.card.name
        return f"{weapon.name} ({who})"

    def aim_label(self, play: Play, aim: Aim | None) -> str:
        """An aim in words."""
        if aim is None:
            return "hold fire"
        state = play.state
        target = aim[0]
        shown = state.by_id[target].name if target in state.by_id else state.table.name(target)
        more = [self._detail_label(play, aim, place) for place in range(1, len(aim) - 1, 2)]
        return f"{shown} ({', '.join(more)})" if more else str(shown)

    def _detail_label(self, play: Play, aim: Aim, place: int) -> str:
        """One word of an aim with its value; squares and soldiers by name."""
        word, value = aim[place], aim[place + 1]
        if word == "at":
            part = next((part for part in play.state.by_id[aim[0]].parts if part.card.id == value[0]), None)
            return f"at {describe_soldier(part, value[1])}" if part is not None else "at somebody gone"
        if isinstance(value, tuple):
            return f"{word} {' '.join(play.state.table.name(square) for square in value)}"
        return f"{word} {value}"

    def _tell_declared(self, play: Play, attack: Attack, shots: list[Shot]) -> None:
        play.emit(play.now(lambda: self._weapons_declared(attack, shots)))

    def _weapons_declared(self, attack: Attack, shots: list[Shot]) -> WeaponsDeclared:
        pools = tuple([(shot.weapon.name, shot.count, str(shot.aim[0]) if shot.aim else "") for shot in shots])
        rule = "d47.attack.cc.retaliate" if attack.retaliation else "d47.attack.declare.weapon_target"
        return WeaponsDeclared(rule, attack.unit.id, pools, False)

    # -- what can be aimed at what --------------------------------------------------------------

    def weapon_of(self, part: Part, index: int) -> DustWeapon:
        """A weapon line by its place on the card; every model also has an improvised one."""
        return IMPROVISED if index == IMPROVISED_INDEX else part.card.weapons[index]

    def effects_of(self, play: Play, part: Part, index: int) -> Effects:
        """The special rules of a weapon line."""
        if index == IMPROVISED_INDEX:
            return NO_EFFECTS
        weapon = part.card.weapons[index]
        effects: Effects = play.rules.registry.of_weapon(part.card, weapon) if weapon.rules else NO_EFFECTS
        return effects

    def has_target(self, play: Play, attack: Attack) -> bool:
        """Is there anything to attack at all? Weapons aimed at squares need then look for one square only."""
        attack.flags["any"] = True
        has_target = next(self._lines(play, attack), None) is not None
        del attack.flags["any"]
        return has_target

    def weapon_lines(self, play: Play, attack: Attack) -> list[WeaponRow]:
        """Every weapon line that can be aimed at something now, with its aims, in card order."""
        return list(self._lines(play, attack))

    def _lines(self, play: Play, attack: Attack) -> Iterator[WeaponRow]:
        unit = attack.unit
        if self._cannot_fight(attack) or unit.status not in (ON_BOARD, ABOARD):
            return
        targets = self.possible_targets(play, attack)
        seen = _Lines(play, unit, attack)
        nearest = seen.nearest(targets) if seen.is_plain else 0
        near = [] if nearest > 1 else self._in_contact(play, attack, targets)
        for place, part in enumerate(unit.parts):
            if part.role == "pilot":  # d47.pilot.no_own_weapons
                continue
            for index, weapon in enumerate(part.card.weapons):
                if weapon.close:
                    if not near:
                        continue
                elif nearest > weapon.range_max and not self._is_area_weapon(play, part, index, weapon):
                    continue  # nobody is near enough
                if attack.weapons is not None and (place, index) not in attack.weapons:
                    continue
                bearers = self.bearers(play, part, index)
                if not bearers:
                    continue
                aims = self._aims(play, attack, part, index, weapon, near if weapon.close else targets, seen)
                if aims:
                    yield WeaponRow(place, index, weapon, bearers, tuple(aims))
            if near and part.left > 0 and self.may_improvise(unit, part):
                aims = self._aims(play, attack, part, IMPROVISED_INDEX, IMPROVISED, near, seen)
                if aims:
                    yield WeaponRow(place, IMPROVISED_INDEX, IMPROVISED, part.alive or (0,), tuple(aims))

    def _is_area_weapon(self, play: Play, part: Part, index: int, weapon: DustWeapon) -> bool:
        """Is the weapon aimed at squares rather than at units?"""
        return bool(weapon.rules) and "on_area_aims" in self.effects_of(play, part, index)

    def _cannot_fight(self, attack: Attack) -> bool:
        """Stunned units do not attack, unless a NOTHING before frees them.

        d47.skill.stunned_cannot_fight, d47.open.stunned_cannot_fight.
        """
        unit = attack.unit
        return unit.is_(GRAPPLED) or (unit.is_(STUNNED) and not attack.flags.get("after_nothing"))

    def possible_targets(self, play: Play, attack: Attack) -> list[Unit]:
        """Enemy units on the table; a reaction or retaliation has only one.

        d47.transport.untargetable, d47.airlift.untargetable, d47.sealift.untargetable.
        """
        if attack.only:
            only = play.state.by_id[attack.only]
            return [only] if only.on_board else []
        side = attack.unit.side
        return [unit for unit in play.state.units if unit.side != side and unit.status == ON_BOARD]

    def _in_contact(self, play: Play, attack: Attack, targets: list[Unit]) -> list[Unit]:
        """Targets for close combat; a suppressed unit cannot start one (d47.attack.suppress.no_cc_attack)."""
        unit = attack.unit
        if not attack.close_allowed or (unit.suppressed and not attack.retaliation):
            return []
        in_contact, state = play.rules.ground.in_contact, play.state
        return [target for target in targets if in_contact(state, unit, target)]

    def may_improvise(self, unit: Unit, part: Part) -> bool:
        """Every model but aircraft has an improvised weapon (d47.attack.cc.improvised_aircraft)."""
        return not unit.is_aircraft

    def bearers(self, play: Play, part: Part, index: int) -> tuple[int, ...]:
        """Who can use the weapon.

        Surviving soldiers of a squad (d47.attack.declare.infantry_survivors), all of a vehicle's.

        d47.attack.declare.single_model_all_weapons, d47.attack.cc.all_weapons, d47.open.infantry_all_weapons.
        """
        weapon = part.card.weapons[index]
        if part.broken >> index & 1:
            return ()
        if part.squad and not weapon.crewed:
            soldiers = part.card.soldiers
            bearers = tuple([soldier for soldier in part.alive if index in soldiers[soldier].weapons])
        elif part.left > 0:
            bearers = (0,) if weapon.count == 1 else tuple(range(weapon.count))
        else:
            bearers = ()
        if weapon.ammo is not None and part.ammo is not None:  # d47.weapon.limited_ammo
            boxes = weapon.ammo
            bearers = tuple(bearer for bearer in bearers if part.marked(index, bearer) < boxes)
        if weapon.rules:
            effects = play.rules.registry.of_weapon(part.card, weapon)
            if "on_bearers" in effects:
                bearers = ask(effects, "on_bearers", bearers, part, index)
        return bearers

    def _aims(
        self,
        play: Play,
        attack: Attack,
        part: Part,
        index: int,
        weapon: DustWeapon,
        targets: list[Unit],
        seen: _Lines,
    ) -> list[Aim]:
        close = weapon.close
        if not (attack.close_allowed if close else attack.ranged_allowed):
            return []
        aboard = attack.unit.status == ABOARD
        if aboard and not play.rules.transport.may_fire(play, attack.unit, weapon):
            return []
        if play.state.forts and play.rules.fortifications.silences(play, attack.unit, weapon):
            return []
        effects: Effects = NO_EFFECTS
        if weapon.rules:
            effects = self.effects_of(play, part, index)
            if "on_area_aims" in effects:
                # weapons aimed at squares are not fired from inside a transport
                return [] if aboard else self._area_aims(play, attack, part, index, weapon, effects)
        aims: list[Aim] = []
        cells = weapon.cells
        nearest, longest = (0, 99) if close else (weapon.range_min, weapon.range_max + SPREAD)
        one_will_do = attack.flags.get("any")
        adds = "on_aims" in effects
        at_a_glance = not close and seen.is_plain and weapon.mount in ALL_ROUND
        asks = adds or "on_usable" in effects or "on_usable" in attack.unit.effects
        for target, distance, card, plain in seen.to_all(targets):
            if distance > longest or card.armour_class not in cells:
                continue
            if plain and at_a_glance:  # the same questions as below, without a line
                if not nearest <= distance <= weapon.range_max or not seen.sees(target):
                    continue
                if not asks and "on_targeted" not in target.effects:
                    aims.append((target.id,))
                    if one_will_do:
                        break
                    continue
            shot = self._aimed(play, attack, part, index, weapon, effects, target, seen)
            if isinstance(shot, Shot):
                if adds:
                    aims.extend(ask(effects, "on_aims", [(target.id,)], shot))
                else:
                    aims.append((target.id,))
                if aims and one_will_do:
                    break
        return aims

    def _area_aims(
        self, play: Play, attack: Attack, part: Part, index: int, weapon: DustWeapon, effects: Effects
    ) -> list[Aim]:
        """The aims of a weapon that is aimed at squares."""
        area: list[Aim] = ask(effects, "on_area_aims", [], play, attack, part, index)
        if area and "on_aims" in effects:
            blind = Shot(play, attack, part, index, weapon, effects, attack.unit, Line(0, True))
            area = ask(effects, "on_aims", area, blind)
        return area

    def _aimed(
        self,
        play: Play,
        attack: Attack,
        part: Part,
        index: int,
        weapon: DustWeapon,
        effects: Effects,
        target: Unit,
        seen: _Lines,
    ) -> Shot | Line | Refused | tuple[str, str]:
        """The shot of one weapon at one target, or what stands against it: often nobody asks for the reason."""
        if target.card.armour_class not in weapon.cells:
            return "d47.attack.hit.dice_count", f"{weapon.name} has no effect on armour {target.card.armour_class}"
        line = seen.to(target, self.mount(play, attack.unit, weapon))
        if line.is_refused and not (weapon.close and line.refusal and line.refusal[0] == BLIND_SIDE):
            return line
        if not weapon.close:
            if line.distance > weapon.range_max:  # d47.attack.range.limit
                reason = f"{target.name} is at range {line.distance}, {weapon.name} reaches {weapon.range_max}"
                return "d47.attack.range.limit", reason
            if line.distance < weapon.range_min:
                reason = f"{target.name} is closer than the minimum range {weapon.range_min}"
                return "d47.weapon.artillery_min_range", reason
        shot = Shot(play, attack, part, index, weapon, effects, target, line)
        refusal: tuple[str, str] | None = None
        if "on_usable" in effects:
            refusal = ask(effects, "on_usable", None, shot)
        if refusal is None and "on_usable" in attack.unit.effects:
            refusal = ask(attack.unit.effects, "on_usable", None, shot)
        if refusal is None and "on_targeted" in target.effects:
            refusal = ask(target.effects, "on_targeted", None, shot)
        if refusal is None and play.state.forts:
            refusal = play.rules.fortifications.refusal(play, shot)
        return shot if refusal is None else refusal

    def mount(self, play: Play, unit: Unit, weapon: DustWeapon) -> str | None:
        """Where the weapon sits and so how it can be turned; fortifications speak here."""
        mount: str | None = play.rules.fortifications.mount(play, unit, weapon) if play.state.forts else weapon.mount
        return mount

    def why_not(self, play: Play, attack: Attack, part: int, index: int, target: Unit) -> tuple[str, str] | None:
        """Why a weapon cannot be used on a target; None if it can. For referees and greyed options."""
        owner = attack.unit.parts[part]
        weapon = self.weapon_of(owner, index)
        if weapon.close and not play.rules.ground.in_contact(play.state, attack.unit, target):
            return "d47.attack.range.close", f"{target.name} is not adjacent"
        if index != IMPROVISED_INDEX and not self.bearers(play, owner, index):
            return "d47.attack.declare.infantry_survivors", f"nobody can use {weapon.name} now"
        effects = self.effects_of(play, owner, index)
        seen = _Lines(play, attack.unit, attack)
        shot = self._aimed(play, attack, owner, index, weapon, effects, target, seen)
        if isinstance(shot, Shot):
            return None
        return shot.refusal if isinstance(shot, Line | Refused) else shot

    # -- shots ----------------------------------------------------------------------------------

    def takers(self, play: Play, attack: Attack, line: WeaponRow, aim: Aim) -> tuple[int, ...]:
        """Who of the bearers of a weapon line may take an aim: on squares, all of them."""
        return line.bearers

    def pools_of(self, play: Play, shot: Shot) -> list[Shot]:
        """The pools that a shot of one weapon line rolls: a single one, unless a game splits them."""
        return [shot]

    def shots(self, play: Play, attack: Attack, items: Any, answer: Any) -> list[Shot]:
        """Weapons of one line with the same aim make one pool (d47.open.hit_pools)."""
        groups: dict[tuple[Any, ...], list[int]] = {}
        for (part, index, bearer), aim in zip(items, answer, strict=True):
            if aim is not None:
                groups.setdefault((part, index, aim), []).append(bearer)
        seen = _Lines(play, attack.unit, attack)
        return [
            self._shot(play, attack, part, index, aim, tuple(bearers), seen)
            for (part, index, aim), bearers in groups.items()
        ]

    def shot(self, play: Play, attack: Attack, part: int, index: int, aim: Aim, bearers: tuple[int, ...]) -> Shot:
        """One pool as declared."""
        return self._shot(play, attack, part, index, aim, bearers, _Lines(play, attack.unit, attack))

    def _shot(
        self, play: Play, attack: Attack, part: int, index: int, aim: Aim, bearers: tuple[int, ...], seen: _Lines
    ) -> Shot:
        owner = attack.unit.parts[part]
        weapon = self.weapon_of(owner, index)
        target = play.state.by_id.get(aim[0], attack.unit)
        area = target is attack.unit  # aimed at a square
        mount = self.mount(play, attack.unit, weapon)
        line = Line(0, True) if area else self._declared_line(seen, target, mount)
        effects = self.effects_of(play, owner, index)
        return Shot(play, attack, owner, index, weapon, effects, target, line, len(bearers), aim, bearers)

    def _declared_line(self, seen: _Lines, target: Unit, mount: str | None) -> Line:
        """The line of a declared shot; later losses and moves change nothing about it."""
        return seen.to(target, mount).settled()

    def use(self, play: Play, shot: Shot) -> None:
        """A declared weapon counts as used whatever becomes of its target (d47.attack.declare.limited_ammo_spent)."""
        if shot.weapon.ammo is not None:
            boxes = ask(shot.effects, "on_boxes", 1, shot)
            for bearer in shot.bearers:
                shot.part.mark(shot.index, boxes, bearer)  # d47.weapon.limited_ammo
        for fired in shot.effects.get("on_fired", ()):  # smoke shells too (d47.open.smoke_shell_ammo)
            fired(play, shot)

    def victims(self, play: Play, shot: Shot) -> list[Shot]:
        """Every unit that the shot attacks, each with a roll of its own (d47.attack.hit.blast_square).

        d47.attack.hit.blast_hero_and_vehicle, d47.open.blast_mixed.
        """
        units = [shot.target] if shot.target is not shot.unit else []
        if units and shot.weapon.is_blast:
            square = set(shot.target.where)
            units += [
                other
                for other in play.state.units
                if other.on_board
                and other is not shot.target
                and other is not shot.unit
                and not other.is_aircraft
                and not shot.target.is_aircraft
                and square.intersection(other.where)
            ]
        units = ask(shot.effects, "on_victims", units, shot, play)
        shots = []
        for unit in units:
            twin = shot if unit is shot.target else self._at(play, shot, unit)
            if twin.cell is not None:
                shots.append(twin)
        return shots

    def _at(self, play: Play, shot: Shot, unit: Unit) -> Shot:
        """The same shot as it meets another unit in its area; whom the attacker does not see is in cover."""
        if "on_line" in shot.effects:
            line = ask(shot.effects, "on_line", shot.line, shot, unit)
        else:
            line = _Lines(play, shot.unit, shot.attack).to(unit, None).settled()
            if not line.visible:
                line = Line(line.distance, True, True, line.reasons, line.origin)
        return Shot(
            play,
            shot.attack,
            shot.part,
            shot.index,
            shot.weapon,
            shot.effects,
            unit,
            line,
            shot.count,
            shot.aim,
            shot.bearers,
        )

    # -- planning -------------------------------------------------------------------------------

    def plan(self, play: Play, shot: Shot) -> PoolPlan:
        """Work out dice, faces, re-rolls, saves and damage of a pool, each with its reason."""
        cell = shot.cell
        assert cell is not None
        because: list[Because] = []
        dice = self._dice(shot, cell, because)
        hit = self.plan_hits(play, shot)
        saves = play.rules.saves.plan(play, shot)
        part = shot.target.fighters()[0]
        negate = play.rules.saves.negation(play, shot, part)
        damage = self.damage_per_hit(shot, part)
        return PoolPlan(shot.weapon.name, dice, hit, saves, damage, part.left, part.squad, negate, tuple(because))

    def _dice(self, shot: Shot, cell: Cell, because: list[Because]) -> int:
        """The number left of the slash for every weapon; blast rolls one die per miniature and symbol."""
        if cell.blast:  # d47.attack.hit.blast_dice, d47.open.blast_multi
            dice = cell.blast * shot.target.models * shot.count
            because.append(Because("d47.attack.hit.blast_dice", f"blast on {shot.target.models} miniatures"))
        else:
            dice = cell.dice * shot.count
            text = f"{shot.count} × {cell.dice} dice against armour {shot.target.card.armour_class}"
            because.append(Because("d47.attack.hit.dice_count", text))
        dice = ask(shot.effects, "on_dice", dice, shot, because)
        total: int = ask(shot.unit.effects, "on_dice", dice, shot, because)
        return total

    def plan_hits(self, play: Play, shot: Shot) -> Throw:
        """Every ARMY is a hit (d47.attack.hit.success); skills and weapons change the throw."""
        hit = Throw("to hit", DUST_DIE, ARMY, "d47.attack.hit.success")
        hit = ask(shot.effects, "on_hit", hit, shot)
        hit = ask(shot.unit.effects, "on_hit", hit, shot)
        hit = play.rules.command.change_hits(hit, shot)
        if shot.sustained:  # d47.action.sustained
            hit.rerolls += (Reroll(False, SAME_FACES, "d47.action.sustained"),)
            hit.because += (Because("d47.action.sustained", "sustained: misses are rolled again"),)
        changed: Throw = play.rules.criticals.change_hits(hit, shot)
        settle(changed, play.state.options.get("reroll_limit", ""))
        return changed

    def damage_per_hit(self, shot: Shot, part: Part) -> int:
        """Points a hit is worth: a soldier of a squad, the cell's damage, or the whole track (d47.attack.damage.*).

        d47.attack.damage.auto_kill_each_hit.
        """
        if part.squad:  # d47.attack.damage.infantry
            return 1
        cell = shot.weapon.cells[part.card.armour_class]
        damage = part.card.damage if cell.kill else cell.damage  # d47.attack.damage.auto_kill, d47.attack.damage.value
        points: int = ask(shot.unit.effects, "on_damage", damage, shot)
        return points

    # -- resolving ranged fire ------------------------------------------------------------------

    def fire(self, play: Play, attack: Attack, shots: list[Shot]) -> Procedure:
        """All ranged weapons fire at once: plans first, then pool by pool, then tokens.

        d47.attack.declare.simultaneous.
        """
        struck = [victim for shot in shots for victim in self.victims(play, shot)]
        plans = play.now(lambda: [self.plan(play, victim) for victim in struck])
        pools = [Pool(victim, plan) for victim, plan in zip(struck, plans, strict=True)]
        for shot in shots:
            for answer in shot.effects.get("on_fire", ()):
                yield from answer(play, shot)
        while pools:
            pool = yield from self._next_pool(play, attack, pools)
            yield from self.resolve(play, pool)
        yield from play.rules.suppression.after_fire(play, attack)

    def _next_pool(self, play: Play, attack: Attack, pools: list[Pool]) -> Generator[Any, Any, Pool]:
        """The attacker names the order of pools that strike the same target (d47.open.hit_pools)."""
        if len(pools) == 1:
            return pools.pop()
        first = pools[0]
        rivals = [
            place
            for place, pool in enumerate(pools)
            if pool.shot.target is first.shot.target and (pool is first or _differ(pool, first))
        ]
        chosen = 0
        if len(rivals) > 1:
            chosen = (
                yield ANSWERED
                if play.answered
                else PickNext(
                    attack.unit.side,
                    "pool-order",
                    rivals,
                    labels=lambda place: self.pool_label(pools[place]),
                    text="Which weapon strikes next?",
                    rule="d47.open.hit_pools",
                    unit=attack.unit.id,
                )
            )
        return pools.pop(chosen)

    def pool_label(self, pool: Pool) -> str:
        """What a pool is called where its order is asked for."""
        return pool.shot.weapon.name

    def resolve(self, play: Play, pool: Pool) -> Procedure:
        """To-hit roll, saves, losses of one pool."""
        shot, plan = pool.shot, pool.plan
        target = shot.target
        if not target.stands or plan.dice <= 0:  # used up without effect (d47.attack.declare.simultaneous)
            return
        self.tell_plan(play, shot, plan)
        hits = yield from self.roll_hits(play, shot, plan)
        if hits:
            shot.attack.hit_units.setdefault(target.id, []).append(shot)
            self.tell_struck(play, shot, hits)
        saved = yield from self.roll_saves(play, shot, plan, hits)
        play.emit(Hits("d47.attack.hit.success", shot.unit.id, target.id, shot.weapon.name, hits, saved))
        yield from self.land(play, shot, hits, saved)

    def land(self, play: Play, shot: Shot, hits: int, saved: int) -> Procedure:
        """What the hits do that were not saved."""
        if hits > saved:
            yield from play.rules.damage.strike(play, shot, hits - saved)

    def tell_struck(self, play: Play, shot: Shot, hits: int) -> None:
        """Rules that act on a hit, saved or not."""
        for effects in (shot.effects, shot.unit.effects):
            for answer in effects.get("on_struck", ()):
                answer(play, shot, hits)

    def tell_plan(self, play: Play, shot: Shot, plan: PoolPlan) -> None:
        """Log what is about to be rolled and why."""
        play.emit(play.now(lambda: self._planned(shot, plan)))

    def _planned(self, shot: Shot, plan: PoolPlan) -> PoolPlanned:
        return PoolPlanned(
            "d47.attack.hit.dice_count",
            shot.unit.id,
            shot.target.id,
            shot.weapon.name,
            plan.dice,
            shot.line.cover,
            tuple([(item.rule, item.text) for item in plan.reasons()]),
        )

    def roll_hits(self, play: Play, shot: Shot, plan: PoolPlan) -> Generator[Any, Any, int]:
        """The to-hit roll, and what skills do after seeing it."""
        thrown = yield from play.throw(plan.hit, plan.dice, shot.unit.side, shot.unit.id)
        hits = thrown.successes
        for answer in shot.unit.effects.get("on_rolled", ()):
            hits = yield from answer(thrown, shot, hits, plan)
        return hits

    def roll_saves(self, play: Play, shot: Shot, plan: PoolPlan, hits: int) -> Generator[Any, Any, int]:
        """Each save is one die per hit that is left."""
        left = hits
        for save in plan.saves:
            if left:
                thrown = yield from play.throw(save, left, shot.target.side, shot.target.id)
                left -= thrown.successes
        return hits - left


class Refused:
    """Why a weapon cannot be used, worked out if somebody asks."""

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[], tuple[str, str]]) -> None:
        self._find = find

    @property
    def refusal(self) -> tuple[str, str]:
        """The rule and the reason."""
        return self._find()


Row = tuple[Unit, int, DustCard, bool]
"""A target with its distance, its card, and whether it stands on one square of the ground."""


class _Lines:
    """Lines from one unit to its targets, each worked out once per declaration."""

    __slots__ = (
        "_all",
        "_in_sight",
        "attack",
        "blockers",
        "distances",
        "is_plain",
        "known",
        "play",
        "unit",
    )

    def __init__(self, play: Play, unit: Unit, attack: Attack) -> None:
        self._all: dict[int, tuple[list[Unit], list[Row]]] = {}
        self._in_sight: dict[int, bool] = {}
        self.play = play
        self.unit = unit
        self.attack = attack
        self.known: dict[tuple[str, str | None], Line] = {}
        self.distances: dict[str, int] = {}
        self.blockers: Any = None
        self.is_plain = play.rules.ground.looks_from_a_square(play.state, unit)
        """Does it look from one square, so that who is seen on another square can be told without a line?"""

    def distance(self, target: Unit) -> int:
        """Between the nearest squares of the two units; a weapon may have to measure from farther back."""
        distance = self.distances.get(target.id)
        if distance is None:
            distance = self.play.rules.ground.distance(self.play.state, self.unit, target) if self.unit.where else 0
            self.distances[target.id] = distance
        return distance

    def to_all(self, targets: list[Unit]) -> list[Row]:
        """Some targets with their distances, their cards, and whether `sees` may be asked about them."""
        known = self._all.get(id(targets))
        if known is None:
            rows = self._plain_rows(targets) if self.is_plain else self._rows(targets)
            known = self._all[id(targets)] = targets, rows
        return known[1]

    def nearest(self, targets: list[Unit]) -> int:
        """How far away the nearest of some targets is; far beyond all reach if there is none."""
        return min([row[1] for row in self.to_all(targets)], default=99)

    def _rows(self, targets: list[Unit]) -> list[Row]:
        return [(target, self.distance(target), target.parts[0].card, False) for target in targets]

    def _plain_rows(self, targets: list[Unit]) -> list[Row]:
        table, here = self.play.state.table, self.unit.place
        squares, plane = table.distances(here), table.plane
        rows: list[Row] = []
        for target in targets:
            card = target.parts[0].card
            if len(target.where) == 1 and card.armour_type != "A":
                there = target.place
                rows.append((target, squares[there % plane] or table.distance(here, there), card, True))
            else:
                rows.append((target, self.distance(target), card, False))
        return rows

    def sees(self, target: Unit) -> bool:
        """Is a target on a square seen at all, by a unit on a square? What its line would say, and no more."""
        visible = self._in_sight.get(target.place)
        if visible is None:
            ground, state = self.play.rules.ground, self.play.state
            if self.blockers is None:
                self.blockers = ground.sight_blockers(state, self.unit)
            visible = ground.sees_square(state, self.unit, target.place, self.blockers)
            self._in_sight[target.place] = visible
        return visible

    def to(self, target: Unit, mount: str | None) -> Line:
        if mount == "turret":
            mount = None
        key = (target.id, mount)
        line = self.known.get(key)
        if line is None:
            ground = self.play.rules.ground
            if self.blockers is None:
                self.blockers = ground.sight_blockers(self.play.state, self.unit)
            if self.unit.status == ABOARD:
                line = self.play.rules.transport.line(self.play, self.unit, target, self.blockers)
            else:
                line = ground.line(self.play.state, self.unit, target, mount, self.blockers)
            if self.play.state.weather:
                line = self.play.rules.weather.dim(self.play.state, self.unit, target, line)
            self.known[key] = line
        return line


def settle(throw: Throw, limit: str = "") -> None:
    """Fix the faces of planned re-rolls, forced ones first, each effect once (d47.open.reroll_limit)."""
    if throw.rerolls:
        fixed = [
            Reroll(again.successes, throw.faces if again.faces == SAME_FACES else again.faces, again.rule)
            for again in throw.rerolls
        ]
        fixed.sort(key=lambda again: not again.successes)
        if limit == ONE_OF_EACH:
            first = {again.successes: again for again in reversed(fixed)}
            fixed = [again for again in fixed if first[again.successes] is again]
        throw.rerolls = tuple(fixed)


def _differ(one: Pool, other: Pool) -> bool:
    """Would it matter which of two pools comes first?"""
    if one.plan.damage != other.plan.damage:
        return True
    return [save.key() for save in one.plan.saves] != [save.key() for save in other.plan.saves]


__all__ = ["IMPROVISED", "IMPROVISED_INDEX", "NOT_FORCED", "SAME_FACES", "Attacks", "settle"]
