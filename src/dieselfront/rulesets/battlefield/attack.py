"""Attacks of Battlefield: who fires, the groups that roll apart, templates, close combat (bf.attack.*, bf.cover.*).

Every soldier sees and measures for himself. Weapons of one line at one target make a pool, and where the target is in
cover from some of them and not from others, two (bf.cover.per_attacker).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dieselfront.dice import Because, Throw
from dieselfront.dice.plan import PoolPlan
from dieselfront.forces import Cell, DustWeapon
from dieselfront.kernel.decisions import Assign, IllegalChoice, YesNo
from dieselfront.kernel.game import Play, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.battlefield.citing import because as cited_reasons
from dieselfront.rulesets.battlefield.citing import cited
from dieselfront.rulesets.battlefield.classic import classic
from dieselfront.rulesets.battlefield.ground import BattleLine, Survey, View
from dieselfront.rulesets.battlefield.places import close
from dieselfront.rulesets.dust.hooks import Effects, ask
from dieselfront.rulesets.dust.shots import Aim, Attack, Line, Pool, Shot, detail
from dieselfront.rulesets.dust.state import ABOARD, GRAPPLED, ON_BOARD, Part, Unit
from dieselfront.rulesets.dust1947.attack import IMPROVISED_INDEX, Refused, WeaponRow, _Lines
from dieselfront.rulesets.dust_open.attack import OTHERS, OpenAttacks, is_under_barrel
from dieselfront.rulesets.dust_open.ground import measures
from dieselfront.rulesets.dust_open.models import SINGLE, Figure
from dieselfront.rulesets.dust_open.places import floor_of
from dieselfront.rulesets.dust_open.templates import BLAST, FLAME, FROM

ARTILLERY = "Artillery"
FLAMES = ("Flame", "Spray")
HULLS = "hulls"
"""In the flags of an attack: what blocks the attacker's sight, while its weapons and targets are listed."""
BEYOND_REACH = "bf.attack.range_scale"


class BattleAttacks(OpenAttacks):
    """The attack in the order of bf.attack.sequence."""

    # -- the whole attack -----------------------------------------------------------------------

    def run(self, play: Play, attack: Attack) -> Procedure:
        """Heroes who stand with a unit are one target with it while they are attacked (bf.hero.defend_together)."""
        groups = yield from play.rules.heroes.form_targets(play, attack)
        shots = yield from self.declare(play, attack)
        if shots:
            yield from self.carry_out(play, attack, shots)
        play.rules.heroes.part(play, groups)
        attack.let_go()

    def carry_out(self, play: Play, attack: Attack, shots: list[Shot]) -> Procedure:
        """Shooting, then close combat with what is left, then tokens (bf.cc.after_ranged, bf.supp.under_fire)."""
        shots = yield from self._one_kind(attack, shots)
        ranged = [shot for shot in shots if not shot.close]
        blows = [shot for shot in shots if shot.close]
        attack.sustained_close = bool(blows) and not ranged
        attack.shots = shots
        for answer in attack.unit.effects.get("on_aimed", ()):  # bf.hero.skill_declare
            yield from answer(attack, shots)
        for shot in shots:
            self.use(play, shot)
        yield from self.fire(play, attack, ranged)
        if blows and attack.unit.alive:
            yield from play.rules.close_combat.fight(play, attack, blows)
        yield from play.rules.damage.settle_dying(play, attack)
        yield from play.rules.suppression.after_attack(play, attack)

    def _one_kind(self, attack: Attack, shots: list[Shot]) -> Any:
        """A SUSTAINED ATTACK is made with ranged weapons or with C weapons, not with both (bf.cc.sustained_choice)."""
        kinds = {shot.close for shot in shots}
        if not attack.sustained or len(kinds) == 1:
            return shots
        fight = yield YesNo(
            attack.unit.side,
            "sustain-close",
            text="Use the close combat weapons only, rather than the ranged ones?",
            rule="bf.cc.sustained_choice",
            unit=attack.unit.id,
            act="attack",
            about=lambda yes: About(act="assault" if yes else "attack", unit=attack.unit.id),
        )
        return [shot for shot in shots if shot.close == fight]

    def tell_struck(self, play: Play, shot: Shot, hits: int) -> None:
        """Every hit counts for tokens, saved or not, ranged or not (bf.supp.under_fire, bf.open.cc_suppression)."""
        counted = shot.attack.flags.setdefault("hits", {})
        counted[shot.target.id] = counted.get(shot.target.id, 0) + hits
        shot.attack.hit_units.setdefault(shot.target.id, [])
        if shot.close:
            shot.attack.hit_units[shot.target.id].append(shot)
        super().tell_struck(play, shot, hits)

    # -- what one soldier can attack --------------------------------------------------------------

    def reach_of(self, play: Play, weapon: DustWeapon) -> tuple[int, int]:
        """Least and most distance of a weapon in tenths.

        bf.attack.range_scale, bf.attack.min_range, bf.attack.range_close.
        """
        scale = measures(play.state)
        if weapon.close:
            return 0, close(scale)
        return weapon.range_min * scale.range, weapon.range_max * scale.range

    def survey(self, play: Play, attack: Attack, weapon: DustWeapon, target: Unit) -> Survey:
        """What the attacker's miniatures know of a target, for this weapon.

        Vehicles never block the sight of artillery (bf.weapon.artillery_los); an observer sees in its place
        (bf.skill.artillery_observer).
        """
        ground, state, unit = play.rules.ground, play.state, attack.unit
        artillery = weapon.has(ARTILLERY)
        eyes = attack.by_observer if artillery else None
        blockers = [] if artillery else attack.flags.get(HULLS) or ground.sight_blockers(state, unit)
        where = self.place_of(play, target)
        survey: Survey = ground.survey(state, unit, where, self.mount(play, unit, weapon), blockers, eyes=eyes)
        return survey

    def place_of(self, play: Play, target: Unit) -> Unit:
        """Where a target is: riders are attacked where their vehicle is (bf.vehicle.tank_riders_target)."""
        place: Unit = play.rules.transport.carrier_or_self(play, target)
        return place

    def possible_targets(self, play: Play, attack: Attack) -> list[Unit]:
        """Enemies on the table, and those who ride outside on a vehicle (bf.vehicle.tank_riders_target).

        A reaction has one target, whoever else lies under its template (bf.react.target, bf.open.blast_in_reaction).
        """
        targets = super().possible_targets(play, attack)
        if attack.only or attack.retaliation:
            return targets
        riders = [
            unit
            for carrier in targets
            if play.rules.transport.rides_outside(carrier)
            for unit in play.rules.transport.cargo(play, carrier)
        ]
        return [*targets, *riders]

    def use(self, play: Play, shot: Shot) -> None:
        """Every soldier who fires a limited weapon marks a box.

        bf.weapon.limited_ammo, bf.open.limited_ammo_squads.
        """
        super().use(play, shot)

    def line_to(self, play: Play, attack: Attack, weapon: DustWeapon, target: Unit) -> Line:
        """The line of the whole unit to a target."""
        ground, unit = play.rules.ground, attack.unit
        if unit.status == ABOARD:
            blockers = ground.sight_blockers(play.state, unit)
            aboard: Line = play.rules.transport.line(play, unit, target, blockers)
            return aboard
        survey = self.survey(play, attack, weapon, target)
        where = self.place_of(play, target)
        line: Line = ground.line_of(play.state, unit, where, survey, tuple(survey.views))
        return line

    def figure(self, unit: Unit, part: Part, bearer: int) -> Figure:
        """The miniature that uses a weapon: a soldier, or the one miniature of a hero, gun or vehicle."""
        soldier = (part.card.id, bearer)
        return soldier if soldier in unit.figures else (part.card.id, SINGLE)

    def view_of(
        self, play: Play, attack: Attack, part: Part, bearer: int, weapon: DustWeapon, target: Unit
    ) -> View | None:
        """What the bearer of a weapon knows of a target."""
        survey = self.survey(play, attack, weapon, target)
        return survey.views.get(self.figure(attack.unit, part, bearer))

    def mount(self, play: Play, unit: Unit, weapon: DustWeapon) -> str | None:
        return None if unit.is_hero else super().mount(play, unit, weapon)

    def may_take(self, play: Play, attack: Attack, part: Part, bearer: int, aim: Aim) -> bool:
        """May this soldier take this aim: in arc, range and sight himself (bf.attack.range_measure, bf.cc.reach)?"""
        if attack.unit.status != ON_BOARD or not isinstance(aim[0], str):
            return attack.unit.status != ON_BOARD or self._may_smoke(play, attack, part, bearer, aim)
        if detail(aim, FLAME) is not None:
            return bool(detail(aim, FROM) == bearer)
        centre = detail(aim, BLAST)
        index = attack.flags.get("index", 0)
        weapon = self.weapon_of(part, index)
        if centre is not None:
            may_lay: bool = play.rules.templates.may_lay(play, attack, weapon, part, bearer, centre) is None
            return may_lay
        target = play.state.by_id[aim[0]]
        if weapon.close:
            return self._may_strike(play, attack, part, bearer, target)
        view = self.view_of(play, attack, part, bearer, weapon, target)
        if view is None:
            return False
        reach, named = self.reach_of(play, weapon), detail(aim, "at")
        if named is None:
            return view.has_valid(*reach)
        valid = view.valid(*reach)
        return self._named(named) in (*valid, *((card, SINGLE) for card, _ in valid))

    def _named(self, named: Any) -> Figure:
        return (named[0], named[1])

    def _may_smoke(self, play: Play, attack: Attack, part: Part, bearer: int, aim: Aim) -> bool:
        weapon = self.weapon_of(part, attack.flags.get("index", 0))
        may_lay: bool = play.rules.templates.may_lay(play, attack, weapon, part, bearer, aim[0]) is None
        return may_lay

    def _may_strike(self, play: Play, attack: Attack, part: Part, bearer: int, target: Unit) -> bool:
        """Within 5 cm of a miniature of the target, or at the wall between them (bf.cc.reach, bf.fort.cc_reach)."""
        ground, state = play.rules.ground, play.state
        if state.forts and play.rules.fort_rules.parted(state, attack.unit, target):
            return bool(ground.in_contact(state, attack.unit, target))
        fighters = ground.fighters(state, attack.unit, target)
        return self.figure(attack.unit, part, bearer) in fighters

    def aims_of(self, play: Play, attack: Attack, line: WeaponRow, bearer: int) -> tuple[Aim, ...]:
        """The aims one bearer may take."""
        if attack.unit.status != ON_BOARD:
            return line.aims
        part = attack.unit.parts[line.part]
        attack.flags["index"] = line.index
        return tuple(aim for aim in line.aims if self.may_take(play, attack, part, bearer, aim))

    def takers(self, play: Play, attack: Attack, line: WeaponRow, aim: Aim) -> tuple[int, ...]:
        """Those in whose arc, range and sight the target is (bf.attack.range_measure)."""
        return tuple(bearer for bearer in line.bearers if aim in self.aims_of(play, attack, line, bearer))

    def _lines(self, play: Play, attack: Attack) -> Iterator[WeaponRow]:
        """Weapon lines with those who may use them now."""
        attack.flags[HULLS] = play.rules.ground.sight_blockers(play.state, attack.unit)
        try:
            yield from self._lines_in_sight(play, attack)
        finally:
            del attack.flags[HULLS]

    def _lines_in_sight(self, play: Play, attack: Attack) -> Iterator[WeaponRow]:
        for line in super(OpenAttacks, self)._lines(play, attack):
            if attack.unit.status != ON_BOARD:
                yield line
                continue
            if attack.flags.get("any"):  # one soldier will do
                if any(self.aims_of(play, attack, line, bearer) for bearer in line.bearers):
                    yield line
                else:
                    attack.flags[OTHERS] = True
                continue
            aims = {bearer: self.aims_of(play, attack, line, bearer) for bearer in line.bearers}
            able = tuple(bearer for bearer in aims if aims[bearer])
            if able:
                yield line._replace(bearers=able, each=tuple(aims[bearer] for bearer in able))

    def _cannot_fight(self, attack: Attack) -> bool:
        """Stunned units may shoot, they only do not fight hand to hand (bf.open.cannot_fight)."""
        return attack.unit.is_(GRAPPLED) and attack.retaliation

    def _in_contact(self, play: Play, attack: Attack, targets: list[Unit]) -> list[Unit]:
        """Neither suppressed nor stunned units fight hand to hand (bf.supp.no_fighting, bf.token.stunned)."""
        unit = attack.unit
        stunned = unit.stunned and not attack.flags.get("after_nothing")
        if not attack.close_allowed or unit.suppressed or stunned:
            return []
        ground = play.rules.ground
        near = self._within_blows_of(play, attack, targets)
        return [target for target in near if ground.in_contact(play.state, unit, target)]

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
        """The shot of one weapon at one target, or why there is none (bf.attack.no_value, bf.attack.range_scale)."""
        if target.card.armour_class not in weapon.cells:
            return "bf.attack.no_value", f"{weapon.name} has no effect on armour {target.card.armour_class}"
        looks = isinstance(seen, _Lines)  # else somebody asks what would be, along a line of his own
        if looks and not weapon.close and self._is_beyond(play, attack, weapon, target):
            return BEYOND_REACH, _beyond(weapon, target)
        mount = self.mount(play, attack.unit, weapon)
        line = self.line_to(play, attack, weapon, target) if looks else seen.to(target, mount)
        if not looks and line.refusal is not None and not weapon.close:
            return line.refusal
        if not weapon.close and not self._in_range(play, attack, weapon, line):
            return Refused(lambda: line.refusal or (BEYOND_REACH, _beyond(weapon, target)))
        shot = Shot(play, attack, part, index, weapon, effects, target, line)
        refusal: tuple[str, str] | None = ask(effects, "on_usable", None, shot)
        refusal = refusal or ask(attack.unit.effects, "on_usable", None, shot)
        refusal = refusal or ask(target.effects, "on_targeted", None, shot)
        if refusal is None and play.state.forts:
            refusal = play.rules.fortifications.refusal(play, shot)
        return shot if refusal is None else refusal

    def _is_beyond(self, play: Play, attack: Attack, weapon: DustWeapon, target: Unit) -> bool:
        """Is the target out of range of everybody, seen or not? (A quick first question.)"""
        if attack.unit.status != ON_BOARD:
            return False
        most = self.reach_of(play, weapon)[1]
        ground = play.rules.ground
        return bool(ground.tenths(play.state, attack.unit, self.place_of(play, target)) > most)

    def _in_range(self, play: Play, attack: Attack, weapon: DustWeapon, line: Line) -> bool:
        """Could anybody reach somebody he sees?"""
        if attack.unit.status != ON_BOARD or not isinstance(line, BattleLine) or line.survey is None:
            return not line.is_refused and weapon.range_min <= line.distance <= weapon.range_max
        least, most = self.reach_of(play, weapon)
        return any(view.has_valid(least, most) for view in line.survey.views.values())

    def _aims(
        self, play: Play, attack: Attack, part: Part, index: int, weapon: DustWeapon, targets: list[Unit], seen: _Lines
    ) -> list[Aim]:
        """Plain shots, flames and blasts with their templates, and smoke."""
        if attack.unit.status != ON_BOARD or weapon.close or index == IMPROVISED_INDEX:
            return super(OpenAttacks, self)._aims(play, attack, part, index, weapon, targets, seen)
        if self.is_flame(weapon):
            return self._flames(play, attack, part, index, weapon, targets, seen)
        if weapon.has(ARTILLERY) and play.rules.templates.is_inside(play, attack.unit):
            return []
        near = self._in_reach(play, attack, weapon, targets)
        aims = super(OpenAttacks, self)._aims(play, attack, part, index, weapon, near, seen)
        if any(cell.blast for cell in weapon.cells.values()):
            aims = play.rules.templates.blast_aims(play, attack, weapon, aims)
        return aims

    def is_flame(self, weapon: DustWeapon) -> bool:
        """Does it use a flame template? Those with plain numbers shoot at one target (bf.attack.flame_dice)."""
        return any(weapon.has(rule) for rule in FLAMES) and any(cell.blast for cell in weapon.cells.values())

    # -- declaring ------------------------------------------------------------------------------

    def declaration(self, play: Play, attack: Attack, lines: list[WeaponRow]) -> Assign:
        decision = super().declaration(play, attack, lines)
        decision.act = "assault" if attack.retaliation else "attack"
        unit = attack.unit

        def about(pair: Any) -> About:
            (part, index, _), aim = pair
            if aim is None:
                return About(act="pass", unit=unit.id)
            weapon = self.weapon_of(unit.parts[part], index)
            targets = (aim[0],) if isinstance(aim[0], str) else ()
            return About(
                act="assault" if weapon.close else "attack", unit=unit.id, targets=targets, weapons=(weapon.name,)
            )

        decision._about = about
        return decision

    def _by_hand(self, play: Play, attack: Attack, line: WeaponRow, bearer: int) -> Any:
        """A test for templates laid anywhere in arc, range and sight."""
        part = attack.unit.parts[line.part]
        if self.is_flame(line.weapon):
            return lambda aim: self._may_flame(play, attack, line, part, bearer, aim)
        if any(detail(aim, BLAST) is not None or detail(aim, "smoke") is not None for aim in line.aims):
            return lambda aim: (
                self._may_blast(play, attack, line, part, bearer, aim)
                or self._may_lay_smoke(play, attack, line, part, bearer, aim)
            )
        return None

    def _may_lay_smoke(self, play: Play, attack: Attack, line: WeaponRow, part: Part, bearer: int, aim: Aim) -> bool:
        """Smoke anywhere the weapon could attack, outside buildings (bf.weapon.artillery_smoke)."""
        if not line.weapon.has(ARTILLERY) or attack.reactive or len(aim) != 3 or aim[1:] != ("smoke", (aim[0],)):
            return False
        if not isinstance(aim[0], int) or play.state.table.is_indoor(aim[0]):
            return False
        may_lay: bool = play.rules.templates.may_lay(play, attack, line.weapon, part, bearer, aim[0]) is None
        return may_lay

    def _may_blast(self, play: Play, attack: Attack, line: WeaponRow, part: Part, bearer: int, aim: Aim) -> bool:
        """At any point the weapon could attack (bf.attack.blast_template)."""
        centre = detail(aim, BLAST)
        if not isinstance(centre, int) or len(aim) != 3 or not isinstance(aim[0], str):
            return False
        templates = play.rules.templates
        if not self._is_touched(play, attack, aim[0], templates.burst(play, centre), centre):
            return False
        may_lay: bool = templates.may_lay(play, attack, line.weapon, part, bearer, centre) is None
        return may_lay

    def _may_flame(self, play: Play, attack: Attack, line: WeaponRow, part: Part, bearer: int, aim: Aim) -> bool:
        """A strip laid by hand, over the enemy it is named for (bf.open.flame_axis)."""
        templates = play.rules.templates
        if detail(aim, FROM) != bearer or not templates.may_burn(play, attack, line.weapon, part, aim):
            return False
        target = play.state.by_id.get(aim[0])
        if target is None or not target.on_board or target.side == attack.unit.side:
            return False
        body = templates.body_of(play, attack.unit, part, bearer)
        return bool(templates.is_under(play, body, line.weapon, detail(aim, FLAME), target))

    def _conflicts(self, unit: Unit, items: list[Any]) -> list[tuple[int, int]]:
        """One ranged and one C weapon per soldier, one mode per weapon.

        bf.attack.squad_weapon_limit, bf.attack.weapon_modes; heroes, vehicles and aircraft use everything
        (bf.attack.hero_all_weapons, bf.attack.vehicle_all_weapons).
        """
        return super()._conflicts(unit, items)

    def _excludes(self, part: Part, one: int, other: int) -> bool:
        if IMPROVISED_INDEX in (one, other):
            return False
        first, second = part.card.weapons[one], part.card.weapons[other]
        if one != other and first.name == second.name:  # two modes of one weapon
            return True
        if not part.squad or part.card.kind == "support" or first.crewed or second.crewed:
            return False
        if first.close != second.close:
            return False
        return first.close or not (is_under_barrel(first) or is_under_barrel(second))

    def _agreement(self, play: Play, attack: Attack, items: list[Any]) -> Any:
        """A main weapon and its under-barrel weapon go at the same target (bf.weapon.under_barrel)."""
        usual = super()._agreement(play, attack, items)
        unit = attack.unit
        paired = [
            (place, other)
            for place, (part, index, bearer) in enumerate(items)
            if index != IMPROVISED_INDEX and is_under_barrel(unit.parts[part].card.weapons[index])
            for other, (its_part, its_index, its_bearer) in enumerate(items)
            if other != place
            and (its_part, its_bearer) == (part, bearer)
            and its_index != IMPROVISED_INDEX
            and not unit.parts[part].card.weapons[its_index].close
        ]
        if not paired:
            return usual

        def agree(answer: tuple[Any, ...]) -> IllegalChoice | None:
            for one, other in paired:
                if answer[one] and answer[other] and answer[one][0] != answer[other][0]:
                    return IllegalChoice("an under-barrel weapon fires at the same target", "bf.weapon.under_barrel")
            return usual(answer) if usual is not None else None

        return agree

    def _declared_line(self, seen: _Lines, target: Unit, mount: str | None) -> Line:
        """Most shots are split into pools, which have lines of their own; the others settle theirs then."""
        return seen.to(target, mount)

    # -- pools ----------------------------------------------------------------------------------

    def shots(self, play: Play, attack: Attack, items: Any, answer: Any) -> list[Shot]:
        """Weapons of one line with the same aim and the same cover make one pool.

        bf.attack.hit_dice, bf.cover.per_attacker, bf.open.valid_target_pool.
        """
        pools: list[Shot] = []
        for shot in super().shots(play, attack, items, answer):
            pools += self.pools_of(play, shot)
        return pools

    def pools_of(self, play: Play, shot: Shot) -> list[Shot]:
        """The shot of one weapon line, split into those from whom its target is in cover and those from whom not."""
        if shot.unit.status != ON_BOARD or not isinstance(shot.aim[0], str) or shot.target is shot.unit:
            shot.line = shot.line.settled()
            return [shot]
        survey = self.survey(play, shot.attack, shot.weapon, shot.target)
        groups: dict[bool, list[int]] = {}
        for bearer in shot.bearers:
            groups.setdefault(self._is_covered_from(play, shot, survey, bearer), []).append(bearer)
        return [self._group(play, shot, survey, covered, tuple(bearers)) for covered, bearers in groups.items()]

    def _is_covered_from(self, play: Play, shot: Shot, survey: Survey, bearer: int) -> bool:
        """Is the target in cover from this miniature (bf.cover.half_unit)?

        Of blows only those ask who shrug off damage in cover: there are no saves (bf.skill.defensive_tactics).
        """
        view = survey.views.get(self.figure(shot.unit, shot.part, bearer))
        if view is None or (shot.close and "on_negate" not in shot.target.effects):
            return False
        where = self.place_of(play, shot.target)
        return bool(play.rules.ground.is_covered(where, len(where.figures), len(view.covered)))

    def _group(self, play: Play, shot: Shot, survey: Survey, covered: bool, bearers: tuple[int, ...]) -> Shot:
        """The pool of those from whom the target is in cover, or is not; its hits fall on whom they can reach."""
        ground, state = play.rules.ground, play.state
        figures = tuple(dict.fromkeys(self.figure(shot.unit, shot.part, bearer) for bearer in bearers))
        line = ground.line_of(state, shot.unit, self.place_of(play, shot.target), survey, figures).settled()
        line.cover = covered
        line.refusal = None
        line.seen = self.valid(play, shot, survey, figures)
        return Shot(
            play, shot.attack, shot.part, shot.index, shot.weapon, shot.effects, shot.target, line,
            len(bearers), shot.aim, bearers,
        )  # fmt: skip

    def valid(self, play: Play, shot: Shot, survey: Survey, figures: tuple[Figure, ...]) -> tuple[Figure, ...]:
        """Miniatures that at least one of the firers could attack (bf.damage.valid_targets)."""
        target = shot.target
        if shot.close:
            return self._within_blows(play, shot, figures)
        reach = self.reach_of(play, shot.weapon)
        able = [survey.views[figure].valid(*reach) for figure in figures if figure in survey.views]
        return tuple(figure for figure in target.figures if any(figure in valid for valid in able))

    def _within_blows(self, play: Play, shot: Shot, figures: tuple[Figure, ...]) -> tuple[Figure, ...]:
        """Those within 5 cm of somebody who strikes; everybody behind a wall that is fought over."""
        ground, state, target = play.rules.ground, play.state, shot.target
        if state.forts and play.rules.fort_rules.parted(state, shot.unit, target):
            return target.figures
        reach = close(measures(state))
        mine = [b for f, b in zip(shot.unit.figures, ground.bodies(state, shot.unit), strict=True) if f in figures]
        return tuple(
            figure
            for figure, body in zip(target.figures, ground.bodies(state, target), strict=True)
            if any(ground._touches(one, body, reach) for one in mine)
        )

    def shot(self, play: Play, attack: Attack, part: int, index: int, aim: Aim, bearers: tuple[int, ...]) -> Shot:
        """One pool as declared."""
        owner = attack.unit.parts[part]
        weapon = self.weapon_of(owner, index)
        target = play.state.by_id.get(aim[0], attack.unit)
        line: Line = Line(0, True) if target is attack.unit else self.line_to(play, attack, weapon, target)
        effects = self.effects_of(play, owner, index)
        return Shot(play, attack, owner, index, weapon, effects, target, line, len(bearers), aim, bearers)

    # -- whom it hits ---------------------------------------------------------------------------

    def victims(self, play: Play, shot: Shot) -> list[Shot]:
        """Every unit with a miniature under the template and in sight of it, each rolled for apart.

        bf.attack.blast_template, bf.attack.blast_many_units, bf.attack.blast_or_ap, bf.attack.flame_dice.
        """
        laid = play.rules.templates.of(play, shot)
        if laid is None:
            if shot.target is shot.unit or shot.cell is None:
                return []
            return [shot]
        template, floor = laid
        ground = play.rules.ground
        shots: list[Shot] = []
        for unit in play.state.units:
            if unit.status != ON_BOARD:
                continue
            touched = ground.touched(play.state, unit, template, floor)
            touched = play.rules.templates.exposed(play, shot, unit, touched)
            if unit is shot.unit:
                touched = self._but_the_bearers(shot, touched)
            cell = shot.weapon.cells.get(unit.card.armour_class)
            if touched and cell is not None and cell.blast:
                shots.append(self._struck(play, shot, unit, touched))
                shots += self._riders(play, shot, unit)
        return shots

    def _riders(self, play: Play, shot: Shot, carrier: Unit) -> list[Shot]:
        """Those who ride on a vehicle under a template are rolled for apart (bf.vehicle.tank_riders_template)."""
        if not play.rules.transport.rides_outside(carrier):
            return []
        shots = []
        for unit in play.rules.transport.cargo(play, carrier):
            cell = shot.weapon.cells.get(unit.card.armour_class)
            if cell is not None and cell.blast:
                shots.append(self._struck(play, shot, unit, tuple(play.rules.ground.models(unit))))
        return shots

    def _struck(self, play: Play, shot: Shot, unit: Unit, touched: tuple[Figure, ...]) -> Shot:
        """The same template as it meets one unit: cover is judged from the attacker (bf.cover.blast)."""
        twin = Shot(
            play, shot.attack, shot.part, shot.index, shot.weapon, shot.effects, unit, shot.line,
            shot.count, shot.aim, shot.bearers,
        )  # fmt: skip
        if unit is shot.unit:
            twin.line = BattleLine(0, True, seen=unit.figures)
        else:
            survey = self.survey(play, shot.attack, shot.weapon, unit)
            figures = tuple(self.figure(shot.unit, shot.part, bearer) for bearer in shot.bearers[:1])
            where = self.place_of(play, unit)
            line = play.rules.ground.line_of(play.state, shot.unit, where, survey, figures).settled()
            view = survey.views.get(figures[0]) if figures else None
            hidden = len(view.covered) if view is not None else 0
            line.cover = play.rules.ground.is_covered(where, len(where.figures), hidden)
            line.refusal = None
            twin.line = line
        twin.line.touched = touched  # type: ignore[attr-defined]
        return twin

    # -- planning -------------------------------------------------------------------------------

    def _dice(self, shot: Shot, cell: Cell, because: list[Because]) -> int:
        """One die for every miniature under the template, times the symbols; else the number before the slash.

        bf.attack.blast_multiple, bf.attack.blast_support, bf.attack.hit_dice.
        """
        touched = getattr(shot.line, "touched", None)
        if not cell.blast:
            dice = cell.dice * shot.count
            text = f"{shot.count} × {cell.dice} dice against armour {shot.target.card.armour_class}"
            because.append(Because("bf.attack.hit_dice", text))
        else:
            count = shot.target.models if touched is None else self.miniatures(shot.target, touched)
            because.append(Because("bf.attack.blast_template", f"blast on {count} miniatures"))
            dice = cell.blast * count * shot.count
        dice = ask(shot.effects, "on_dice", dice, shot, because)
        total: int = ask(shot.unit.effects, "on_dice", dice, shot, because)
        return total

    def damage_per_hit(self, shot: Shot, part: Part) -> int:
        """One soldier, one cross of a support weapon, the number after the slash, or all that is left.

        bf.damage.squad, bf.damage.support, bf.damage.track, bf.damage.kill, bf.open.kill_vs_support.
        """
        cell = shot.weapon.cells.get(part.card.armour_class)
        if part.squad:
            return part.left if cell is not None and cell.kill and part.card.kind == "support" else 1
        if cell is not None and cell.kill:
            return max(1, part.left)
        return super().damage_per_hit(shot, part)

    def plan(self, play: Play, shot: Shot) -> PoolPlan:
        """The plan of a pool, under the ids of this game and with the dice that the players chose (bf.dice.faces).

        Only miniatures that the pool can reach are lost (bf.damage.valid_targets).
        """
        plan = super().plan(play, shot)
        chosen = classic if play.state.options.get("dice") == "classic" else None
        plan.because = cited_reasons(plan.because)
        plan.hit = cited(plan.hit, chosen)
        plan.saves = tuple(cited(save, chosen) for save in plan.saves)
        plan.negate = None if plan.negate is None else cited(plan.negate, chosen)
        part = shot.target.fighters()[0]
        if part.squad and part.card.kind != "support":
            reached, _ = play.rules.damage.classes(shot.target, part, shot)
            plan.capacity = min(plan.capacity, len(reached))
        self._resolve_singly(play, plan, part)
        return plan

    def _resolve_singly(self, play: Play, plan: PoolPlan, part: Part) -> None:
        """Hits on a resilient damage track come one after the other (bf.damage.order, bf.skill.damage_resilient_track).

        Where each costs one point only, it makes no difference to the odds.
        """
        singly = plan.negate is not None and plan.damage > 1 and play.rules.damage.takes_hits_singly(part)
        plan.hit_by_hit = singly

    def plan_at_stake(self, play: Play, shot: Shot) -> PoolPlan:
        """Where none of the squad can be reached, the hero with it is all that can be hit (bf.damage.valid_targets)."""
        plan = self.plan(play, shot)
        if plan.capacity < 1:
            squad, *others = shot.target.fighters()
            part = next((one for one in others if play.rules.damage.room(shot, one)[0]), squad)
            plan.capacity, plan.squad = max(1, part.left), part.squad
            plan.damage = self.damage_per_hit(shot, part)
            self._resolve_singly(play, plan, part)
        return plan

    def plan_tells_all(self, shot: Shot) -> bool:
        """Not where some of the target cannot be reached: pools then share what each of them can fell."""
        reached = shot.play.rules.damage.reached(shot.target, shot)
        whole = reached is None or all(figure in reached for figure in shot.target.figures)
        return whole and super().plan_tells_all(shot)

    def plan_hits(self, play: Play, shot: Shot) -> Throw:
        """Every ARMY is a hit (bf.attack.hit_faces); sustained fire rolls misses again (bf.attack.sustained_reroll)."""
        return super().plan_hits(play, shot)

    # -- resolving ------------------------------------------------------------------------------

    def pool_label(self, pool: Pool) -> str:
        """Pools of one weapon differ by the cover that their target has from those who fire."""
        shot = pool.shot
        return f"{shot.weapon.name} ({len(shot.bearers)}), {'in cover' if shot.line.cover else 'in the open'}"

    def land(self, play: Play, shot: Shot, hits: int, saved: int) -> Procedure:
        """Riders suffer with their vehicle, also from the hit that destroys it (bf.vehicle.tank_riders_hits).

        Hits left after its saves count for them, all of them by an option (bf.open.tank_rider_hits).
        """
        if not shot.target.stands:
            return
        damage, unsaved = play.rules.damage, hits - saved
        if unsaved > 0:
            yield from damage.hurt(play, shot, unsaved)
        counted = hits if play.state.options.get("tank_rider_hits") == "all_hits" else unsaved
        if counted > 0:
            yield from play.rules.transport.shake_riders(play, shot, counted)
        if unsaved > 0:
            yield from damage.bury(play, shot.target, shot)

    def _next_pool(self, play: Play, attack: Attack, pools: list[Pool]) -> Any:
        """Template hits on a target come before its other hits (bf.damage.template_first)."""
        first = pools[0]
        laid = [
            place
            for place, pool in enumerate(pools)
            if pool.shot.target is first.shot.target and getattr(pool.shot.line, "touched", None) is not None
        ]
        if laid:
            return pools.pop(laid[0])
        return (yield from super()._next_pool(play, attack, pools))


__all__ = ["ARTILLERY", "BattleAttacks", "floor_of"]


def _beyond(weapon: DustWeapon, target: Unit) -> str:
    least, most = weapon.range_min, weapon.range_max
    reach = f"{least} to {most}" if least else f"{most}"
    return f"{target.name} is out of range for {weapon.name}, which reaches {reach}"
