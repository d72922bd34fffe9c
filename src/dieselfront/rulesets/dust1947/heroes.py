"""Heroes: joining, piloting, getting out alive (d47.hero.*, d47.pilot.*)."""

from __future__ import annotations

from typing import Any

from dieselfront.forces import DustCard
from dieselfront.forces.dust_check import same_person
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import Deployed, Eliminated, Happened
from dieselfront.rulesets.dust.state import ACTED, ACTIVATED, LOST, Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.dice import ARMY, SHIELD, task
from dieselfront.rulesets.dust1947.playing import Play

ABANDON = "abandon-vehicle"


class Abandon:
    """The pilot leaves for good, before the vehicle has activated (d47.pilot.dismount)."""

    name = ABANDON
    cost = 2

    def perform(self, activation: Activation) -> Procedure:
        yield from activation.play.rules.heroes.dismount(activation)


class Heroes:
    """Single men and women who make a difference."""

    # -- before the game ------------------------------------------------------------------------

    def may_pilot(self, hero: DustCard, vehicle: DustCard) -> str | None:
        """Why a hero may not drive a vehicle; None if he may (d47.pilot.skill_required, d47.skill.pilot_name).

        d47.skill.air_pilot.
        """
        wanted = ("Air Pilot", "Ace Air Pilot") if vehicle.armour_type == "A" else ("Pilot", "Ace Pilot")
        only = vehicle.skill("Pilot")
        if only is not None and only.argument and not same_person(only.argument, hero):
            return f"{vehicle.name} can be piloted only by {only.argument}"
        if not any(hero.has(skill) for skill in wanted):
            return f"{hero.name} needs {' or '.join(wanted)} to pilot {vehicle.name}"
        return None

    # -- when the vehicle is lost ---------------------------------------------------------------

    def pilot(self, unit: Unit) -> Part | None:
        """The hero at the controls (d47.pilot.one_per_vehicle)."""
        return next((part for part in unit.parts if part.role == "pilot"), None)

    def pilot_escapes(self, play: Play, unit: Unit, where: tuple[int, ...]) -> Procedure:
        """ARMY or SHIELD: unharmed, TARGET: one damage; then he stands beside the wreck (d47.pilot.escape_roll)."""
        part = self.pilot(unit)
        if part is None or not where:
            return
        unit.parts.remove(part)
        hero = self.on_his_own(play, unit, part)
        throw = task("escape", "d47.pilot.escape_roll", ARMY | SHIELD)
        thrown = yield from play.throw(throw, 1, unit.side, hero.id)
        if not thrown.successes:
            yield from play.rules.damage.lose(play, hero, part, 1, None, "d47.pilot.escape_roll")
            yield from play.rules.damage.bury(play, hero)
        if hero.status != LOST:
            yield from self._place(play, hero, where)

    def on_his_own(self, play: Play, unit: Unit, part: Part) -> Unit:
        """The pilot becomes a unit of his own; joined vehicles are never remounted (d47.pilot.dismount_destroys).

        d47.hero.permanent.
        """
        part.role = "main"
        hero = Unit(f"{unit.id}p", unit.side, [part])
        hero.facing = unit.facing
        play.rules.index(hero)
        play.state.add(hero)
        return hero

    def _place(self, play: Play, hero: Unit, where: tuple[int, ...]) -> Procedure:
        """Any legal adjacent square; without one he is lost (d47.pilot.escape_placement, d47.pilot.escape_no_space)."""
        spots = self.beside(play, hero, where)
        if not spots:
            play.emit(Happened("d47.pilot.escape_no_space", f"there is no room for {hero.name}", hero.id))
            play.rules.damage._score(play, hero, hero.main)
            play.emit(Eliminated("d47.pilot.escape_no_space", hero.id, 1 - hero.side))
            play.rules.ground.lift(hero, LOST)
            return
        text, rule = f"{hero.name}: where does the pilot stand?", "d47.pilot.escape_placement"
        spot, _ = yield from play.rules.ground.choose(play, hero, "pilot-lands", spots, text=text, rule=rule)
        play.rules.ground.put(play.state, hero, spot, None)
        hero.set(ACTIVATED | ACTED)
        play.emit(Deployed("d47.pilot.escape_placement", hero.id, hero.where, hero.facing))

    def beside(self, play: Play, hero: Unit, where: tuple[int, ...]) -> dict[int, int]:
        """Legal squares next to the vehicle's."""
        squares: dict[int, int] = play.rules.ground.beside(play.state, hero, where)
        return squares

    # -- leaving by choice ----------------------------------------------------------------------

    def specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        """A pilot may leave instead of driving (d47.pilot.dismount, d47.open.dismount_from_hero_vehicle)."""
        if len(unit.parts) > 1 and unit.on_board and self.pilot(unit) is not None:
            specials[ABANDON] = Abandon()
        return specials

    def ways_out(self, play: Play, vehicle: Unit, hero: Unit) -> dict[int, int]:
        """Where a march takes a pilot from his vehicle."""
        spots: dict[int, int] = {}
        where, march = vehicle.where, hero.card.march
        for place in where:
            reach = play.rules.ground.reach(play.state, hero, march, start=place, halved_budget=max(1, march // 2))
            for end, cost in reach.costs.items():
                if isinstance(end, int) and end not in where and cost < spots.get(end, 99):
                    spots[end] = cost
        return dict(sorted(spots.items(), key=lambda item: (item[1], item[0])))

    def dismount(self, activation: Activation) -> Procedure:
        """He moves away, and the abandoned vehicle counts as destroyed.

        d47.pilot.dismount, d47.pilot.dismount_destroys.
        """
        play, unit = activation.play, activation.unit
        part = self.pilot(unit)
        if part is None:
            return
        unit.parts.remove(part)
        hero = self.on_his_own(play, unit, part)
        play.emit(Happened("d47.pilot.dismount", f"{hero.name} leaves {unit.name}", hero.id))
        spots = self.ways_out(play, unit, hero)
        if spots:
            text, rule = f"{hero.name}: where to?", "d47.pilot.dismount"
            spot, _ = yield from play.rules.ground.choose(play, hero, "pilot-leaves", spots, text=text, rule=rule)
            play.rules.ground.put(play.state, hero, spot, None)
            play.emit(Deployed("d47.pilot.dismount", hero.id, hero.where, hero.facing))
        hero.set(ACTIVATED | ACTED)
        unit.main.damage = unit.card.damage
        yield from play.rules.damage._part_lost(play, unit, unit.main)
        activation.ended = True
        if not spots:
            play.rules.ground.lift(hero, LOST)
