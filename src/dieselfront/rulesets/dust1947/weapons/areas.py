"""Weapons aimed at squares: artillery and its smoke, large ordnance, spores, the psychic scream.

d47.weapon.artillery_*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dieselfront.dice import Because, Reroll, Throw
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.hooks import WeaponRule, ask
from dieselfront.rulesets.dust.shots import Aim, Attack, Line, Saves, Shot
from dieselfront.rulesets.dust.state import Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation, SpecialAction
from dieselfront.rulesets.dust1947.attack import SAME_FACES
from dieselfront.rulesets.dust1947.dice import ARMY, TARGET, task
from dieselfront.rulesets.dust1947.fortifications import past_walls
from dieselfront.rulesets.dust1947.ground import ARC_OF_MOUNT
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.skills.common import is_spent, spend
from dieselfront.rulesets.dust1947.weather import sight_limit
from dieselfront.table.square import SquareTable, mask_of, places_of

SPORES_RANGE = 1
SCREAM_RANGE = 3


# -- points and areas -----------------------------------------------------------------------------


def points(play: Play, attack: Attack, part: Part, index: int, eyes: Unit) -> list[int]:
    """Squares with a dot in arc and range of the weapon and in sight of `eyes`; or just the farthest, if any."""
    look = _Look(play, eyes)
    shy = Shy(play, attack, part, index)
    one_will_do = attack.flags.get("any")
    targets = 0
    for origin, places, inside in _in_reach(play, attack, part, index):
        starts = (origin,) if eyes is attack.unit else eyes.where
        if one_will_do:
            for place in look.seen(starts, (place for place in places if inside >> place & 1)):
                if shy.may_be_aimed_at(place):
                    return [place]
        else:
            targets |= look.seen_mask(starts, places, inside)
    return [place for place in places_of(targets) if not shy.foes or shy.may_be_aimed_at(place)]


def _in_reach(play: Play, attack: Attack, part: Part, index: int) -> list[tuple[int, tuple[int, ...], int]]:
    """For every square the weapon is measured from the squares in arc and range, the farthest first.

    Only those of the mask beside them count: the unit's own squares do not, nor others than those of its only target.
    """
    state, unit, weapon = play.state, attack.unit, part.card.weapons[index]
    table: SquareTable = state.table
    arc = ARC_OF_MOUNT[weapon.mount]
    allowed = ~mask_of(unit.where)
    if attack.only:
        allowed &= mask_of(state.by_id[attack.only].where)
    areas = []
    for origin in play.rules.ground.origins(unit, weapon.mount):
        places, inside = table.area_in_arc(origin, unit.facing if arc != "all" else 0, arc, weapon.range_max)
        areas.append((origin, places, inside & allowed))
    return areas


class _Look:
    """What one unit sees of the squares."""

    __slots__ = ("air", "blockers", "eyes", "farthest", "state", "table", "tall")

    def __init__(self, play: Play, eyes: Unit) -> None:
        ground = play.rules.ground
        self.state = play.state
        self.table: SquareTable = play.state.table
        self.eyes = eyes
        self.air: Any = "attacker" if eyes.is_aircraft else False
        self.tall = ground.eye(eyes, play.state.table)
        self.blockers = ground.sight_blockers(play.state, eyes) & ~mask_of(eyes.where)
        self.farthest = sight_limit(play.state)

    def seen(self, starts: Sequence[int], places: Iterable[int]) -> Iterator[int]:
        """The places seen from any of some squares, in their order."""
        if len(starts) == 1 and self.farthest is None and not self.air and not self.state.forts:
            return self.table.seen_from(starts[0], places, blockers=self.blockers, eye=self.tall)
        return (place for place in places if any(self._sees(start, place) for start in starts))

    def seen_mask(self, starts: Sequence[int], places: Sequence[int], inside: int) -> int:
        """Those of the places in a mask that are seen, as a mask."""
        if len(starts) == 1 and self.farthest is None and not self.air and not self.state.forts:
            return self.table.seen_mask(starts[0], inside, blockers=self.blockers, eye=self.tall)
        return mask_of(self.seen(starts, (place for place in places if inside >> place & 1)))

    def _in_range(self, start: int, place: int) -> bool:
        return self.farthest is None or self.table.distance(start, place) <= self.farthest

    def _sees(self, start: int, place: int) -> bool:
        """One line, past the walls of fortifications or from the air."""
        if not self._in_range(start, place):
            return False
        walls = past_walls(self.state, start, place) if self.state.forts else 0
        if walls is None:
            return False
        blockers = self.blockers & ~(1 << place)
        return self.table.sight(start, place, blockers=blockers, eye=self.tall, air=self.air, ignore=walls).visible


class Shy:
    """Units that cannot be chosen as target, and the squares they stand on (d47.open.camouflage_area)."""

    __slots__ = ("attack", "foes", "index", "part", "play")

    def __init__(self, play: Play, attack: Attack, part: Part, index: int) -> None:
        self.play, self.attack, self.part, self.index = play, attack, part, index
        self.foes: dict[int, list[Unit]] = {}
        foes = play.state.on_board(1 - attack.unit.side)
        if not any("on_targeted" in foe.effects for foe in foes):
            return  # all of them may be chosen
        for foe in foes:
            if not foe.is_aircraft:
                for place in foe.where:
                    self.foes.setdefault(place, []).append(foe)

    def may_be_aimed_at(self, place: int) -> bool:
        """An empty square always, one with enemies if any of them may be chosen."""
        foes = self.foes.get(place)
        return foes is None or any(self.may_be_chosen(foe) for foe in foes)

    def may_be_chosen(self, foe: Unit) -> bool:
        """May an enemy be named as the target from here?"""
        if "on_targeted" not in foe.effects:
            return True
        play, weapon = self.play, self.part.card.weapons[self.index]
        effects = play.rules.attacks.effects_of(play, self.part, self.index)
        line = Line(play.rules.ground.distance(play.state, self.attack.unit, foe), True)
        shot = Shot(play, self.attack, self.part, self.index, weapon, effects, foe, line)
        return ask(foe.effects, "on_targeted", None, shot) is None


def standing_on(play: Play, squares: tuple[int, ...], but: Unit) -> list[Unit]:
    """Every ground unit on these squares, friend or foe, each once (d47.hero.shared_square_area_attack)."""
    units: list[Unit] = play.rules.ground.standing_on(play.state, squares, but)
    return units


def everybody_near(play: Play, unit: Unit, most: int) -> list[Unit]:
    """Every other unit within so many squares, friend or foe."""
    ground = play.rules.ground
    return [
        other for other in play.state.on_board() if other is not unit and ground.near(play.state, unit, other, most)
    ]


# -- artillery ------------------------------------------------------------------------------------


class Artillery(WeaponRule):
    """A special rule of artillery weapons."""

    name = "Artillery"


class ArtilleryTarget(Artillery):
    """Aimed at a square with a dot in arc, range and sight; it may be empty (d47.weapon.artillery_target)."""

    rule = "d47.weapon.artillery_target"

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        if attack.by_observer is not None:
            return aims
        return aims + [(place,) for place in points(play, attack, part, index, attack.unit)]


class ArtilleryIndirect(Artillery):
    """Through an observer, a point that only the observer sees (d47.weapon.artillery_indirect).

    Sight is the observer's, arc and range are the weapon's (d47.skill.artillery_observer_los).
    """

    rule = "d47.weapon.artillery_indirect"

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        if attack.by_observer is None:
            return aims
        return aims + [(place,) for place in points(play, attack, part, index, attack.by_observer)]


class ArtilleryMinRange(Artillery):
    """No closer than the minimum range (d47.weapon.artillery_min_range)."""

    rule = "d47.weapon.artillery_min_range"

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        weapon, table = part.card.weapons[index], play.state.table
        if weapon.range_min <= 0 or not aims:
            return aims
        distance, least = table.distance, weapon.range_min
        for origin in play.rules.ground.origins(attack.unit, weapon.mount):
            aims = [aim for aim in aims if distance(origin, aim[0]) >= least]
        return aims


class ArtilleryNotInside(Artillery):
    """Does not fire from inside a building (d47.weapon.artillery_not_inside)."""

    rule = "d47.weapon.artillery_not_inside"

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        return [] if play.state.table.is_indoor(attack.unit.place) else aims


class ArtilleryArea(Artillery):
    """Covers the target square and three more that make a block (d47.weapon.artillery_area)."""

    rule = "d47.weapon.artillery_area"

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        blockers = play.rules.ground.sight_blockers(play.state, attack.unit)
        table = play.state.table
        if isinstance(table, SquareTable):
            return [*table.areas_at([place for (place,) in aims], blockers)]
        areas = table.area_blocks
        return [(place, "area", block) for (place,) in aims for block in areas(place, blockers=blockers)]


class ArtilleryEveryone(Artillery):
    """Attacks each unit in the area once, friend or foe (d47.weapon.artillery_everyone)."""

    rule = "d47.weapon.artillery_everyone"

    def on_victims(self, victims: list[Unit], shot: Shot, play: Play) -> list[Unit]:
        area = shot.aimed("area")
        return victims if area is None else standing_on(play, area, shot.unit)


class ArtillerySaves(Artillery):
    """Cover is judged from the target point; there is no infantry save in the open (d47.weapon.artillery_saves)."""

    rule = "d47.weapon.artillery_saves"

    def on_line(self, line: Line, shot: Shot, unit: Unit) -> Line:
        ground = shot.play.rules.ground
        from_aim: Line = ground.line_from(shot.play.state, shot.aim[0], unit)
        from_aim.distance = ground.distance(shot.play.state, shot.unit, unit)
        return from_aim

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        saves.negate_infantry(self.rule, "artillery: no infantry save")
        return saves


class ArtilleryJammed(Artillery):
    """Fire called by an observer in range of an enemy jammer re-rolls its hits (d47.skill.jammer_artillery)."""

    rule = "d47.skill.jammer_artillery"

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        observer = shot.attack.by_observer
        if observer is not None and shot.play.rules.command.jammed(shot.play, observer):
            throw.rerolls += (Reroll(True, SAME_FACES, self.rule),)
            throw.because += (Because(self.rule, "the observer's radio is jammed: hits are rolled again"),)
        return throw


class SmokeShells(Artillery):
    """Instead of attacking: on ARMY or TARGET a screen of smoke (d47.weapon.smoke_shells, d47.open.smoke_size)."""

    rule = "d47.weapon.smoke_shells"

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        if attack.reactive:  # a reaction is aimed at the unit that triggered it (d47.open.reactive_target)
            return aims
        table = play.state.table
        is_indoor = table.is_indoor  # d47.weapon.smoke_not_buildings
        places = [place for place in dict.fromkeys([aim[0] for aim in aims]) if not is_indoor(place)]
        if isinstance(table, SquareTable):
            with_smoke = list(aims)
            for place in places:
                with_smoke += table.named_blocks(place, "smoke")
            return with_smoke
        return aims + [(place, "smoke", block) for place in places for block in table.blocks_of_four(place)]

    def on_fire(self, play: Play, shot: Shot) -> Procedure:
        block = shot.aimed("smoke")
        if block is None:
            return
        for _ in range(shot.count):
            throw = task("smoke shells", self.rule, ARMY | TARGET)
            thrown = yield from play.throw(throw, 1, shot.unit.side, shot.unit.id)
            if thrown.successes:
                play.rules.smoke.place(play, block, self.rule)
                return


# -- large ordnance -------------------------------------------------------------------------------


class LargeOrdnance(WeaponRule):
    """A square in arc, range and sight and three more of choice; everybody on the ground there.

    d47.skill.large_ordnance.
    """

    name = "Large Ordnance"
    rule = "d47.skill.large_ordnance"

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        blocks = play.state.table.blocks_of_four
        seen = points(play, attack, part, index, attack.unit)
        return aims + [(place, "area", block) for place in seen for block in blocks(place)]

    def on_victims(self, victims: list[Unit], shot: Shot, play: Play) -> list[Unit]:
        area = shot.aimed("area")
        return victims if area is None else standing_on(play, area, shot.unit)


# -- around the attacker --------------------------------------------------------------------------


class Spores(WeaponRule):
    """Attacks every other unit within range 1, friends too; infantry has no cover from it (d47.skill.spores)."""

    name = "Spores"
    rule = "d47.skill.spores"

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        cells = part.card.weapons[index].cells
        near = [
            unit
            for unit in everybody_near(play, attack.unit, SPORES_RANGE)
            if unit.side != attack.unit.side and unit.card.armour_class in cells and attack.only in ("", unit.id)
        ]
        return [*aims, (attack.unit.place, "spores", SPORES_RANGE)] if near else aims

    def on_victims(self, victims: list[Unit], shot: Shot, play: Play) -> list[Unit]:
        most = shot.aimed("spores")
        return victims if most is None else everybody_near(play, shot.unit, most)  # d47.open.spores_friends

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        if shot.target.is_infantry:
            saves.negate_cover(self.rule, "spores: no cover save for infantry")
        return saves


class PsychicScream(WeaponRule):
    """Once per game, free: attacks every other unit within range 3, through walls, without saves.

    d47.skill.psychic_scream.
    """

    name = "Psychic Scream"
    rule = "d47.skill.psychic_scream"

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        return aims  # never part of an ordinary attack

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play, part: Part, index: int) -> dict[str, Any]:
        if unit.on_board and not is_spent(unit, self.name):
            specials["psychic-scream"] = Scream(part.card.id, index)
        return specials

    def on_victims(self, victims: list[Unit], shot: Shot, play: Play) -> list[Unit]:
        return everybody_near(play, shot.unit, SCREAM_RANGE)

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        saves.negate_cover(self.rule, "psychic scream: no saves")
        saves.negate_infantry(self.rule, "psychic scream: no saves")
        return saves


class Scream(SpecialAction):
    """The PSYCHIC SCREAM special action."""

    __slots__ = ("card", "index")

    name = "psychic-scream"
    free = True

    def __init__(self, card: str, index: int) -> None:
        self.card = card
        self.index = index

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        cards = [part.card.id for part in unit.parts]
        if is_spent(unit, PsychicScream.name) or self.card not in cards or unit.stunned:
            return
        spend(unit, PsychicScream.name)
        attack = Attack(unit)
        attack.flags["activation"] = activation
        aim = (unit.place, "scream", SCREAM_RANGE)
        shot = play.rules.attacks.shot(play, attack, cards.index(self.card), self.index, aim, (0,))
        attack.shots = [shot]
        yield from play.rules.attacks.carry_out(play, attack, [shot])
        attack.let_go()


ALL: list[type[WeaponRule]] = [
    ArtilleryTarget,
    ArtilleryIndirect,
    ArtilleryMinRange,
    ArtilleryNotInside,
    ArtilleryArea,
    ArtilleryEveryone,
    ArtillerySaves,
    ArtilleryJammed,
    SmokeShells,
    LargeOrdnance,
    Spores,
    PsychicScream,
]
