"""Attacks on the open table: who takes part, with which weapon, and whom templates touch (ff.attack.*, ff.blast.*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dieselfront.dice import Because
from dieselfront.forces import Cell, DustWeapon
from dieselfront.kernel.decisions import Assign, OpenOptions
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Aim, Attack, Line, Shot, detail
from dieselfront.rulesets.dust.state import ON_BOARD, Part, Unit
from dieselfront.rulesets.dust1947.attack import IMPROVISED_INDEX, Attacks, WeaponRow, _Lines
from dieselfront.rulesets.dust1947.weapons.areas import Shy
from dieselfront.rulesets.dust_open.ground import OpenLine, measures
from dieselfront.rulesets.dust_open.models import SINGLE
from dieselfront.rulesets.dust_open.places import floor_of, xy
from dieselfront.rulesets.dust_open.playing import Play, open_rules
from dieselfront.rulesets.dust_open.templates import BLAST, FLAME, FROM, POINT
from dieselfront.table.measured.templates import Template

UNDER_BARREL = "under-barrel"
OTHERS = "others"
"""A weapon has an aim that no bearer may take; there may be others."""
FLAME_BEYOND = 2
"""Template and base reach this many ranges beyond the tape; finding out exactly is the template's affair."""


class OpenAttacks(Attacks):
    """The attack as on squares, with model after model (ff.target.declare, ff.hit.dice, ff.sustained.unchanged)."""

    writes_shots = False

    # -- who takes part -------------------------------------------------------------------------

    def has_target(self, play: Play, attack: Attack) -> bool:
        """Is there anything to attack at all? Where nobody may take a weapon's first aim, others are asked."""
        has_target = super().has_target(play, attack)
        others: bool = attack.flags.pop(OTHERS, False)
        return has_target or (others and next(self._lines(play, attack), None) is not None)

    def _lines(self, play: Play, attack: Attack) -> Iterator[WeaponRow]:
        """Weapon lines with those who may use them: each model needs sight of its own (ff.attack.participants)."""
        for line in super()._lines(play, attack):
            if self.all_take_part(attack, line):
                yield line
                continue
            aims = {bearer: self.aims_of(play, attack, line, bearer) for bearer in line.bearers}
            able = tuple(bearer for bearer in aims if aims[bearer])
            if able:
                yield line._replace(bearers=able, each=tuple(aims[bearer] for bearer in able))
            elif attack.flags.get("any"):
                attack.flags[OTHERS] = True

    def aims_of(self, play: Play, attack: Attack, line: WeaponRow, bearer: int) -> tuple[Aim, ...]:
        """The aims one bearer may take."""
        if self.all_take_part(attack, line):
            return line.aims
        part = attack.unit.parts[line.part]
        return tuple(aim for aim in line.aims if self.may_take(play, attack, part, bearer, aim))

    def all_take_part(self, attack: Attack, line: WeaponRow) -> bool:
        """Do all who carry a weapon use it, whatever each of them sees: aboard a carrier, hand to hand?"""
        return attack.unit.status != ON_BOARD or line.weapon.close

    def may_take(self, play: Play, attack: Attack, part: Part, bearer: int, aim: Aim) -> bool:
        """Does the model itself see what it fires at (ff.open.los_who, ff.open.blast_sight)?"""
        has_details = len(aim) > 1
        if has_details and detail(aim, FLAME) is not None:
            return bool(detail(aim, FROM) == bearer)
        unit = attack.unit
        if not unit.is_infantry:
            return True
        figure = open_rules(play).templates.bearer(unit, part, bearer)
        centre = detail(aim, BLAST) if has_details else None
        if centre is not None:
            in_sight: bool = open_rules(play).templates.bearer_sees(play, attack, part, bearer, centre)
            return in_sight
        if aim[0] not in play.state.by_id or figure == unit.figures[0] or figure not in unit.figures:
            return True
        ground, target = open_rules(play).ground, play.state.by_id[aim[0]]
        sees: bool = ground.model_sees(play.state, unit, figure, target, ground.sight_blockers(play.state, unit))
        return sees

    def _in_contact(self, play: Play, attack: Attack, targets: list[Unit]) -> list[Unit]:
        """Who is struck may always strike back (ff.open.cc_range)."""
        if attack.retaliation:
            return targets
        return super()._in_contact(play, attack, self._within_blows_of(play, attack, targets))

    def _within_blows_of(self, play: Play, attack: Attack, targets: list[Unit]) -> list[Unit]:
        """Targets that may be near enough for blows. (A quick first question.)"""
        state, unit, ground = play.state, attack.unit, open_rules(play).ground
        reach = ground.blows_reach(state)
        if reach is None or unit.status != ON_BOARD:
            return targets
        return ground.units_within(state, unit, targets, reach)

    def _in_reach(self, play: Play, attack: Attack, weapon: DustWeapon, targets: list[Unit]) -> list[Unit]:
        """Targets within range of the weapon, seen or not: no line is shorter. (A quick first question.)"""
        reach = weapon.range_max * measures(play.state).range
        return open_rules(play).ground.units_within(play.state, attack.unit, targets, reach)

    # -- declaring ------------------------------------------------------------------------------

    def declaration(self, play: Play, attack: Attack, lines: list[WeaponRow]) -> Assign:
        decision = super().declaration(play, attack, lines)
        choices: list[tuple[Any, ...]] = []
        for line in lines:
            for bearer, own in zip(line.bearers, line.each or (line.aims,) * len(line.bearers), strict=True):
                aims = OpenOptions((None, *own))
                aims.legal = self._by_hand(play, attack, line, bearer)
                choices.append(aims)
        decision._choices = choices
        return decision

    def _by_hand(self, play: Play, attack: Attack, line: WeaponRow, bearer: int) -> Any:
        """A test for templates laid anywhere in arc, range and sight."""
        part = attack.unit.parts[line.part]
        if any(detail(aim, "area") is not None for aim in line.aims) and not attack.only:
            return lambda aim: self._may_shell(play, attack, line, part, aim)
        if line.weapon.has("Flame"):
            return lambda aim: self._may_flame(play, attack, line, part, bearer, aim)
        if any(detail(aim, BLAST) is not None for aim in line.aims):
            return lambda aim: self._may_blast(play, attack, line, part, bearer, aim)
        return None

    def _may_blast(self, play: Play, attack: Attack, line: WeaponRow, part: Part, bearer: int, aim: Aim) -> bool:
        """On open ground between two squads, if one likes (ff.blast.place)."""
        centre = detail(aim, BLAST)
        if not isinstance(centre, int) or len(aim) != 3 or not isinstance(aim[0], int | str):
            return False
        templates = open_rules(play).templates
        burst = templates.burst(play, centre)
        if isinstance(aim[0], str):
            if not self._is_touched(play, attack, aim[0], burst, centre):
                return False
            if not Shy(play, attack, part, line.index).may_be_chosen(play.state.by_id[aim[0]]):
                return False
        if templates.may_burst(play, attack, line.weapon, centre) is not None:
            return False
        return not attack.unit.is_infantry or bool(templates.bearer_sees(play, attack, part, bearer, centre))

    def _may_shell(self, play: Play, attack: Attack, line: WeaponRow, part: Part, aim: Aim) -> bool:
        """At any point in arc, range and sight, empty or not (d47.weapon.artillery_target, d47.weapon.smoke_shells)."""
        if not isinstance(aim[0], int) or not play.state.table.exists(aim[0]):
            return False
        attack.flags[POINT] = aim[0]
        seen = _Lines(play, attack.unit, attack)
        legal = self._aims(play, attack, part, line.index, line.weapon, [], seen)
        del attack.flags[POINT]
        return aim in legal

    def _may_flame(self, play: Play, attack: Attack, line: WeaponRow, part: Part, bearer: int, aim: Aim) -> bool:
        """A tape laid by hand from the bearer, over the enemy it is named for (ff.flame.line)."""
        templates = open_rules(play).templates
        if detail(aim, FROM) != bearer or not templates.may_burn(play, attack, line.weapon, part, aim):
            return False
        centre, body = detail(aim, FLAME), templates.body_of(play, attack.unit, part, bearer)
        return self._is_touched(play, attack, aim[0], templates.flame(play, (body.x, body.y), xy(centre)), centre)

    def _is_touched(self, play: Play, attack: Attack, named: Any, template: Template, centre: int) -> bool:
        """Is the unit that an aim names an enemy on the table, with a model under the template?"""
        target = play.state.by_id.get(named)
        if target is None or not target.on_board or target.side == attack.unit.side:
            return False
        return bool(open_rules(play).ground.touched(play.state, target, template, floor_of(centre)))

    def _conflicts(self, unit: Unit, items: list[Any]) -> list[tuple[int, int]]:
        """A soldier uses one ranged weapon, and an under-barrel one besides (ff.attack.one_weapon).

        Heroes and machines use everything (ff.attack.heroes_all, ff.open.vehicle_weapons).
        """
        conflicts = super()._conflicts(unit, items)
        for one, (part, index, bearer) in enumerate(items):
            for other, (its_part, its_index, its_bearer) in enumerate(items[:one]):
                if part == its_part and bearer == its_bearer and self._excludes(unit.parts[part], index, its_index):
                    conflicts.append((other, one))
        return conflicts

    def _excludes(self, part: Part, one: int, other: int) -> bool:
        if not part.squad or part.card.kind == "support" or IMPROVISED_INDEX in (one, other):
            return False
        weapons = (part.card.weapons[one], part.card.weapons[other])
        # ff.attack.under_barrel
        return not any(weapon.close or weapon.crewed or is_under_barrel(weapon) for weapon in weapons)

    def _detail_label(self, play: Play, aim: Aim, place: int) -> str:
        """Templates by the place of their centre, bearers by their number."""
        word, value = aim[place], aim[place + 1]
        if word in (BLAST, FLAME):
            return f"{word} at {play.state.table.name(value)}"
        return f"by soldier {value + 1}" if word == FROM else super()._detail_label(play, aim, place)

    def laid(self, play: Play, shot: Shot) -> tuple[Any, ...]:
        """The blast, flame or artillery template of a shot (ff.blast.place, ff.flame.line)."""
        template = open_rules(play).templates.of(play, shot)
        return () if template is None else (template[0],)

    # -- aiming ---------------------------------------------------------------------------------

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
        """Plain shots as on squares; flames and blasts with their templates."""
        if attack.unit.status != ON_BOARD or weapon.close or index == IMPROVISED_INDEX:
            return super()._aims(play, attack, part, index, weapon, targets, seen)
        if weapon.has("Flame"):
            return self._flames(play, attack, part, index, weapon, targets, seen)
        targets = self._in_reach(play, attack, weapon, targets)
        aims = super()._aims(play, attack, part, index, weapon, targets, seen)
        aims = [aim for aim in aims if len(aim) == 1 or self._named_is_seen(play, aim, seen, weapon, attack)]
        blasts = any(cell.blast for cell in weapon.cells.values())
        if blasts and "on_area_aims" not in self.effects_of(play, part, index):
            aims = open_rules(play).templates.blast_aims(play, attack, weapon, aims)
            if not aims and self._may_fire_at_ground(play, attack, part, index, weapon):
                aims = open_rules(play).templates.ground_aims(play, attack, part, index)
        return aims

    def _may_fire_at_ground(self, play: Play, attack: Attack, part: Part, index: int, weapon: DustWeapon) -> bool:
        """A template needs no target (ff.blast.place); a reaction has its one target all the same."""
        if attack.only or attack.retaliation or not attack.ranged_allowed:
            return False
        if not open_rules(play).transport.may_fire(play, attack.unit, weapon):
            return False
        effects = self.effects_of(play, part, index)
        blind = Shot(play, attack, part, index, weapon, effects, attack.unit, OpenLine(0, True))
        return all(ask(each, "on_usable", None, blind) is None for each in (effects, attack.unit.effects))

    def _named_is_seen(self, play: Play, aim: Aim, seen: _Lines, weapon: DustWeapon, attack: Attack) -> bool:
        """A miniature picked out beforehand must be in sight (ff.damage.los)."""
        named = detail(aim, "at")
        if named is None:
            return True
        target = play.state.by_id[aim[0]]
        line = seen.to(target, self.mount(play, attack.unit, weapon))
        figures = [tuple(named), (named[0], SINGLE)]
        return any(figure in getattr(line, "seen", ()) for figure in figures)

    def _flames(
        self,
        play: Play,
        attack: Attack,
        part: Part,
        index: int,
        weapon: DustWeapon,
        targets: list[Unit],
        seen: _Lines,
    ) -> list[Aim]:
        """Enemies in sight, as far as somebody's tape and template reach them (ff.flame.from_bearer)."""
        if not attack.ranged_allowed or not open_rules(play).transport.may_fire(play, attack.unit, weapon):
            return []
        longer = msgspec.structs.replace(weapon, range_max=weapon.range_max + FLAME_BEYOND, range_min=0)
        effects = self.effects_of(play, part, index)
        able = []
        for target in targets:
            if target.is_aircraft or seen.distance(target) > longer.range_max:
                continue
            if isinstance(self._aimed(play, attack, part, index, longer, effects, target, seen), Shot):
                able.append(target)
        bearers = self.bearers(play, part, index)
        aims: list[Aim] = (
            open_rules(play).templates.flame_aims(play, attack, part, weapon, bearers, able) if able else []
        )
        return aims

    # -- whom it hits ---------------------------------------------------------------------------

    def victims(self, play: Play, shot: Shot) -> list[Shot]:
        """Every unit with a model under the template, friend or foe, rolled for apart (ff.blast.units).

        ff.blast.no_los, ff.flame.no_los, ff.flame.dice, ff.blast.mixed.
        """
        laid = open_rules(play).templates.of(play, shot)
        if laid is None:
            return super().victims(play, shot)
        template, floor = laid
        ground = open_rules(play).ground
        shots = []
        for unit in ground.under(play.state, template, None, floor):
            touched = ground.touched(play.state, unit, template, floor)
            if unit is shot.unit:
                touched = self._but_the_bearers(shot, touched)
            twin = self._at(play, shot, unit)
            if touched and twin.cell is not None:
                line = twin.line
                assert isinstance(line, OpenLine)
                line.touched = touched
                shots.append(twin)
        return shots

    def most_losses(self, play: Play, shot: Shot, part: Part) -> int:
        """Only those whom the attacking leader sees, or a template touches (ff.damage.los)."""
        room = sum(open_rules(play).damage.room(shot, part))
        return min(part.left, room) if part.squad or not room else part.left

    def _but_the_bearers(self, shot: Shot, touched: tuple[Any, ...]) -> tuple[Any, ...]:
        """Nobody burns himself."""
        own = {(shot.part.card.id, bearer) for bearer in shot.bearers} | {(shot.part.card.id, SINGLE)}
        return tuple(figure for figure in touched if figure not in own)

    def _at(self, play: Play, shot: Shot, unit: Unit) -> Shot:
        """The same shot as it meets one unit; whom the attacker does not see is in cover."""
        if "on_line" in shot.effects and detail(shot.aim, "area") is not None:
            line: Line = ask(shot.effects, "on_line", shot.line, shot, unit)
        else:
            line = _Lines(play, shot.unit, shot.attack).to(unit, None)
        seen, covered = getattr(line, "seen", ()), getattr(line, "covered", unit.figures)
        far, cover = line.distance, line.cover or not line.visible
        apart = OpenLine(far, True, cover, line.reasons, line.origin, line.above, None, seen, covered)
        return Shot(
            play, shot.attack, shot.part, shot.index, shot.weapon, shot.effects, unit, apart,
            shot.count, shot.aim, shot.bearers,
        )  # fmt: skip

    # -- dice -----------------------------------------------------------------------------------

    def _dice(self, shot: Shot, cell: Cell, because: list[Because]) -> int:
        """A blast rolls for every miniature touched, and once for a vehicle (ff.blast.infantry, ff.blast.vehicle).

        ff.blast.multi, ff.blast.support, ff.open.blast_vehicle_base.
        """
        if not cell.blast:
            return super()._dice(shot, cell, because)
        touched = getattr(shot.line, "touched", None)  # None: mines and fires strike whole units
        count = shot.target.models if touched is None else self.miniatures(shot.target, touched)
        because.append(Because(open_rules(shot.play).ground.cites["blast"], f"blast on {count} miniatures"))
        dice = ask(shot.effects, "on_dice", cell.blast * count * shot.count, shot, because)
        total: int = ask(shot.unit.effects, "on_dice", dice, shot, because)
        return total

    def miniatures(self, unit: Unit, touched: tuple[Any, ...]) -> int:
        """Models touched; the base of a support weapon counts for all of its crew still in play."""
        count = 0
        for card, soldier in touched:
            part = next((part for part in unit.parts if part.card.id == card), None)
            count += part.models if part is not None and soldier == SINGLE and part.squad else 1
        return count


def is_under_barrel(weapon: DustWeapon) -> bool:
    """A weapon attached to another, fired in addition to it (ff.attack.under_barrel)."""
    return UNDER_BARREL in weapon.name.lower()
