"""Heroes: joining a unit for an activation, standing with it under fire, piloting (bf.hero.*, bf.pilot.*).

A hero is a unit of his own. While he is joined, his part and his miniature belong to the other unit and his own entry
is set aside; when the activation or the attack is over he is taken out again (`part`).
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any

from dieselfront.forces import DustCard
from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Play, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.battlefield.flags import FRESH_PILOT, IDLE
from dieselfront.rulesets.battlefield.places import CONTACT, formation
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import (
    ABOARD,
    ACTED,
    ACTIVATED,
    AWAY,
    HAS_ACTIVATED_EVER,
    LOST,
    OFF_BOARD,
    ON_BOARD,
    RESERVE,
    DustState,
    Part,
    Unit,
)
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust_open.chapters import OpenHeroes
from dieselfront.rulesets.dust_open.ground import measures
from dieselfront.rulesets.dust_open.models import SINGLE
from dieselfront.table.measured.shapes import distance

JOINED = AWAY
"""The status of a hero while he belongs to another unit."""

KEEP_TO_THEMSELVES = ("Gorilla", "Steel Guard", "Zombie")
"""Natures that join only each other (bf.skill.gorilla, bf.skill.steel_guard, bf.skill.zombie_limits)."""


class BattleHeroes(OpenHeroes):
    """Single men and women who make a difference; each is a unit of one miniature (bf.hero.unique)."""

    # -- who may join whom ----------------------------------------------------------------------

    def could_join(self, state: DustState, ground: Any, hero: Unit, unit: Unit) -> bool:
        """Same armour, within 15 cm of every miniature, one of them in sight, and nothing against it.

        bf.hero.join, bf.open.square_leftovers, bf.open.hero_target_group.
        """
        if hero.side != unit.side or hero is unit or not self.may_join(hero, unit):
            return False
        if hero.status == RESERVE and unit.status == RESERVE:  # bf.hero.enter_together
            return True
        if hero.status != ON_BOARD or unit.status != ON_BOARD:
            return False
        mine = ground.first(state, hero)
        reach = formation(measures(state))
        if any(distance(mine, body) > reach for body in ground.bodies(state, unit)):
            return False
        return bool(ground.sees(state, hero, unit))

    def may_join(self, hero: Unit, unit: Unit) -> bool:
        """Superhumans and loners stand alone; some natures keep to themselves.

        bf.superhuman.no_join, bf.superhuman.sidekick, bf.skill.loner.
        """
        if not self.is_companion(hero):
            return False
        if unit.is_hero:
            friend = hero.card.skill("Sidekick")
            return friend is not None and unit.has("Superhuman") and friend.argument in (unit.card.name, "")
        if unit.card.kind not in ("infantry", "support", "fortification") or len(unit.parts) > 1:
            return False
        if hero.card.armour != unit.card.armour or hero.card.armour_type != unit.card.armour_type:
            return False
        return all(hero.has(nature) == unit.has(nature) for nature in KEEP_TO_THEMSELVES)

    def is_companion(self, hero: Unit) -> bool:
        """Is he one who joins anybody at all?"""
        return hero.is_hero and len(hero.parts) == 1 and not (hero.has("Loner") or hero.has("Superhuman"))

    # -- joining for an activation --------------------------------------------------------------

    def offer_join(self, play: Play, unit: Unit) -> Generator[Any, Any, Unit | None]:
        """At most one hero who has not activated yet may join the unit that activates (bf.hero.join).

        Or he stays away and activates on his own (bf.hero.separate).
        """
        state, ground = play.state, play.rules.ground
        able = play.now(
            lambda: [
                hero.id
                for hero in state.of_side(unit.side)
                if not hero.activated and hero.is_hero and self.could_join(state, ground, hero, unit)
            ]
        )
        if not able:
            return None
        chosen = yield PickOne(
            unit.side,
            "join",
            [None, *able],
            labels=lambda hero: "nobody joins" if hero is None else state.by_id[hero].name,
            text=f"{unit.name}: does a hero join it?",
            rule="bf.hero.join",
            unit=unit.id,
            act="support",
            about=lambda hero: About(
                act="pass" if hero is None else "support", unit=unit.id, targets=() if hero is None else (hero,)
            ),
        )
        if chosen is None:
            return None
        hero: Unit = state.by_id[chosen]
        self.couple(play, unit, hero)
        hero.set(ACTIVATED | ACTED)
        play.emit(Happened("bf.hero.join", f"{hero.name} joins {unit.main.card.name}", hero.id))
        return hero

    def leave(self, play: Play, unit: Unit, hero: Unit) -> None:
        """The activation is over: the hero is on his own again."""
        self.uncouple(play, unit, hero)
        hero.set(ACTIVATED | ACTED | HAS_ACTIVATED_EVER)

    def couple(self, play: Play, unit: Unit, hero: Unit) -> None:
        """The hero's part and miniature become the unit's (bf.hero.skill_sharing)."""
        part = hero.parts.pop()
        part.role = "joined"
        unit.parts.append(part)
        if unit.status == ON_BOARD:
            unit.figures += ((part.card.id, SINGLE),)
            unit.where += hero.where[:1]
        hero.where, hero.figures, hero.place = (), (), -1
        hero.status = JOINED
        hero.aboard = unit.id
        hero.parts.append(_away(part))
        play.rules.index(unit)

    def uncouple(self, play: Play, unit: Unit, hero: Unit) -> None:
        """The hero takes his part and his miniature back, if he lives."""
        card = hero.parts[0].card.id
        part = next((part for part in unit.parts if part.card.id == card and part.card.kind == "hero"), None)
        hero.aboard = ""
        if part is None:
            hero.status = LOST
            fallen = next((part for part in unit.fallen if part.card.id == card), None)
            hero.parts = [_away(fallen)] if fallen is not None else hero.parts  # copies of the game share the fallen
            return
        alone = len(unit.parts) == 1
        hero.parts = [part]
        part.role = "main"
        figure = (card, SINGLE)
        if unit.status == ON_BOARD and figure in unit.figures:
            place = unit.where[unit.figures.index(figure)]
            hero.where, hero.figures, hero.place = (place,), (figure,), place
            hero.status, hero.facing = ON_BOARD, unit.facing
        else:
            hero.status, hero.aboard = unit.status, unit.aboard
        if alone:
            self._gone(play, unit, card)
        else:
            unit.parts.remove(part)
            kept = [(f, p) for f, p in zip(unit.figures, unit.where, strict=True) if f != figure]
            unit.figures, unit.where = tuple(f for f, _ in kept), tuple(p for _, p in kept)
            unit.place = unit.where[0] if unit.where else -1
            unit.name = unit.main.card.name if len(unit.parts) == 1 else unit.name
        play.rules.index(unit)
        play.rules.index(hero)

    def himself(self, play: Play, unit: Unit, part: Part) -> Unit:
        """The hero's own entry while he is with a unit: what befalls him alone is still his when they part."""
        away: list[Unit] = [hero for hero in play.state.units if hero.status == JOINED and hero.aboard == unit.id]
        return next((hero for hero in away if hero.parts[0].card.id == part.card.id), unit)

    def _gone(self, play: Play, unit: Unit, card: str) -> None:
        """The unit fell while the hero was with it; only he is left.

        Its own men are the part that was the main one, not a hero who fell with it before.
        """
        play.rules.ground.lift(unit, LOST)
        own = next((part for part in unit.fallen if part.role == "main" and part.card.id != card), unit.parts[0])
        unit.parts = [_away(own)]
        unit.name = unit.parts[0].card.name

    def after_loss(self, play: Play, unit: Unit, part: Part) -> None:
        """Nothing: who is left is sorted out when they part."""

    # -- one target -----------------------------------------------------------------------------

    def form_targets(self, play: Play, attack: Attack) -> Generator[Any, Any, list[tuple[str, str]]]:
        """Every hero who could join a unit now is one target with it (bf.hero.defend_together).

        They save together, by the cover of half of them all, and the unit takes the token (bf.open.mixed_group_saves).

        Where several units qualify his owner picks one (bf.open.hero_target_group).
        """
        state, ground = play.state, play.rules.ground
        formed: list[tuple[str, str]] = []
        if attack.retaliation:
            return formed
        for hero in list(state.on_board(1 - attack.unit.side)):
            if not hero.is_hero or hero.status != ON_BOARD:
                continue
            able = play.now(partial(self._stands_with, state, ground, hero))
            if not able:
                continue
            chosen = able[0]
            if len(able) > 1:
                chosen = yield PickOne(
                    hero.side,
                    "stands-with",
                    able,
                    labels=lambda unit_id: state.by_id[unit_id].name,
                    text=f"{hero.name}: with which unit is he one target?",
                    rule="bf.open.hero_target_group",
                    unit=hero.id,
                    act="choose",
                    about=lambda unit_id: About(unit=unit_id),
                )
            self.couple(play, state.by_id[chosen], hero)
            formed.append((chosen, hero.id))
        return formed

    def _stands_with(self, state: DustState, ground: Any, hero: Unit) -> list[str]:
        """The units he could join where he stands; most are too far away."""
        if not self.is_companion(hero):
            return []
        near = ground.units_within(state, hero, state.on_board(hero.side), formation(measures(state)))
        return [unit.id for unit in near if self.could_join(state, ground, hero, unit)]

    def part(self, play: Play, formed: list[tuple[str, str]]) -> None:
        """The attack is over: heroes stand for themselves again."""
        for unit_id, hero_id in reversed(formed):
            self.uncouple(play, play.state.by_id[unit_id], play.state.by_id[hero_id])

    # -- piloting -------------------------------------------------------------------------------

    def may_pilot(self, hero: DustCard, vehicle: DustCard) -> str | None:
        """Pilots drive vehicles, air pilots fly aircraft; some machines know one pilot only.

        bf.pilot.who, bf.skill.pilot, bf.skill.air_pilot, bf.vehicle.pilot_name.
        """
        return super().may_pilot(hero, vehicle)

    def pilot_is_new(self, unit: Unit) -> bool:
        """Did its pilot mount this turn? Then he does not activate with it again (bf.open.mount_then_drive)."""
        return unit.is_(FRESH_PILOT)

    def seats(self, play: Play, hero: Unit) -> list[str]:
        """Friendly machines that a hero touches and may pilot (bf.pilot.mount)."""
        if not hero.is_hero or len(hero.parts) > 1 or not hero.on_board:
            return []
        ground, state = play.rules.ground, play.state
        mine = ground.first(state, hero)
        return [
            unit.id
            for unit in state.on_board(hero.side)
            if not unit.is_infantry
            and self.pilot(unit) is None
            and self.may_pilot(hero.card, unit.card) is None
            and distance(mine, ground.first(state, unit)) <= CONTACT
        ]

    def offer_seat(self, activation: Activation) -> Procedure:
        """A pilot who ends a move in contact may mount, not in the activation in which he got out.

        bf.pilot.mount, bf.pilot.no_same_activation.
        """
        play, hero = activation.play, activation.unit
        able = self.seats(play, hero)
        if not able or hero.id in activation.memory.get("dismounted", ()):
            return
        chosen = yield PickOne(
            hero.side,
            "pilot",
            [None, *able],
            labels=lambda unit_id: "stay outside" if unit_id is None else play.state.by_id[unit_id].name,
            text=f"{hero.name}: take the controls?",
            rule="bf.pilot.mount",
            unit=hero.id,
            act="ride",
            about=lambda unit_id: About(act="pass" if unit_id is None else "ride", unit=hero.id),
        )
        if chosen is not None:
            self.take_controls(play, hero, play.state.by_id[chosen])
            activation.ended = True

    def take_controls(self, play: Play, hero: Unit, vehicle: Unit) -> None:
        """His miniature leaves the table; the machine has a pilot."""
        part = hero.parts[0]
        play.rules.ground.lift(hero, JOINED)
        hero.aboard = vehicle.id
        twin = _away(part)
        hero.parts = [twin]
        part.role = "pilot"
        vehicle.parts.append(part)
        vehicle.drop(IDLE)
        vehicle.set(FRESH_PILOT)
        play.rules.index(vehicle)
        play.emit(Happened("bf.pilot.mount", f"{part.card.name} takes the controls of {vehicle.card.name}", vehicle.id))

    def specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        """Leaving is the pilot's own activation, not an action of the vehicle (bf.pilot.dismount)."""
        return specials

    def pilots_out(self, play: Play, side: int) -> list[str]:
        """Vehicles whose pilot may leave now: before they activate (bf.pilot.dismount)."""
        return [
            unit.id
            for unit in play.state.on_board(side)
            if not unit.activated and not unit.is_(FRESH_PILOT) and self.pilot(unit) is not None
        ]

    def get_out(self, play: Play, vehicle: Unit) -> Unit:
        """The pilot becomes a unit of his own again, still at his machine, which waits for him.

        bf.pilot.dismount, bf.pilot.empty_vehicle.
        """
        part = self.pilot(vehicle)
        assert part is not None
        vehicle.parts.remove(part)
        part.role = "main"
        hero = next((unit for unit in play.state.units if unit.aboard == vehicle.id and unit.status == JOINED), None)
        if hero is None:
            hero = Unit(f"{vehicle.id}p", vehicle.side, [part])
            play.state.add(hero)
        hero.parts = [part]
        hero.status, hero.aboard = ABOARD, vehicle.id  # until his first move has taken him away from it
        play.rules.index(hero)
        play.rules.index(vehicle)
        if vehicle.card.size == "standard":
            vehicle.set(IDLE)
        play.emit(Happened("bf.pilot.dismount", f"{hero.name} leaves {vehicle.card.name}", hero.id))
        return hero

    def on_his_own(self, play: Play, unit: Unit, part: Part) -> Unit:
        """The pilot of a destroyed machine (bf.pilot.escape)."""
        waiting = (other for other in play.state.units if other.aboard == unit.id and other.status == JOINED)
        old: Unit | None = next(waiting, None)
        if old is None:
            return super().on_his_own(play, unit, part)
        part.role = "main"
        old.parts, old.facing = [part], unit.facing
        old.status, old.aboard = OFF_BOARD, ""  # as any pilot who has just got out: he is set down after his roll
        play.rules.index(old)
        return old


def _away(part: Part) -> Part:
    """What stands in the empty entry of a hero who is with another unit: his card, for his name and points."""
    twin = part.clone()
    twin.role = "main"
    return twin
