"""Scenery with skills: ammo dumps, the archeological pit, the rocket.

d47.terrain.ammo_dump, d47.babylon.pit, d47.babylon.rocket, d47.skill.follow_me_scenery,
d47.skill.makeshift_repair_scenery, d47.skill.ammo_replenish_*.
"""

from __future__ import annotations

from typing import Any

from dieselfront.forces import SkillRef
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.dice import task
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.table.square import SquareTable

AMMO_REPLENISH, FOLLOW_ME, MAKESHIFT_REPAIR = "Ammo Replenish", "Follow Me", "Makeshift Repair"
SKILL_OF = {"ammo_dump": AMMO_REPLENISH, "archeological_pit": FOLLOW_ME, "rocket": MAKESHIFT_REPAIR}
SCENERY = frozenset(SKILL_OF)
REPAIR_DICE = 5


class Replenish:
    """AMMO REPLENISH: all limited-ammo weapons are full again.

    d47.skill.ammo_replenish_infantry, d47.skill.ammo_replenish_vehicle.
    """

    name = "ammo-replenish"
    free = False
    rearms = True

    def __init__(self, cost: int) -> None:
        self.cost = cost

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        rule = f"d47.skill.ammo_replenish_{'infantry' if unit.is_infantry else 'vehicle'}"
        if play.rules.scenery.near(play, unit, AMMO_REPLENISH):
            for part in unit.parts:
                part.ammo = None
            play.emit(Happened(rule, f"{unit.name} takes fresh ammunition", unit.id))
        else:
            activation.lost("ammo replenish", "no ammunition is near enough")
        return
        yield


class RepairItself:
    """MAKESHIFT REPAIR beside the scenery: both actions, and only for the vehicle itself.

    d47.skill.makeshift_repair_scenery.
    """

    name = "scenery-repair"
    cost = 2
    free = False
    rearms = False

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        rule = "d47.skill.makeshift_repair_scenery"
        if play.rules.scenery.near(play, unit, MAKESHIFT_REPAIR):
            thrown = yield from play.throw(task("makeshift repair", rule), REPAIR_DICE, unit.side, unit.id)
            yield from play.rules.damage.heal(play, unit, unit.main, thrown.successes, rule)
            play.rules.criticals.full_repair(play, unit)
        else:
            activation.lost("makeshift repair", "nothing to repair with is near enough")


class Lent:
    """A special action that scenery lends to those beside it, for as long as they are (d47.skill.follow_me_scenery)."""

    free = False
    rearms = False

    def __init__(self, skill: str, special: Any) -> None:
        self.skill = skill
        self.special = special
        self.name: str = special.name
        self.cost: int = special.cost
        self.once: str = getattr(special, "once", "")

    def perform(self, activation: Activation) -> Procedure:
        if activation.play.rules.scenery.near(activation.play, activation.unit, self.skill):
            yield from self.special.perform(activation)
        else:
            activation.lost(self.skill.lower(), "the scenery that lends it is not near enough")


class Scenery:
    """What units may do beside scenery."""

    def specials(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int = 0) -> dict[str, Any]:
        """Special actions that scenery offers to those beside it, or to those who get there by a movement first."""
        if not self.stands_on(play.state.table) or not unit.on_board or unit.is_aircraft:
            return specials
        if self.lacks_ammo(unit) and self.near(play, unit, AMMO_REPLENISH, ahead):
            specials["ammo-replenish"] = Replenish(1 if unit.is_infantry else 2)
        if unit.is_vehicle and unit.main.damage and self.near(play, unit, MAKESHIFT_REPAIR, ahead):
            specials["scenery-repair"] = RepairItself()
        if any(part.card.kind == "hero" for part in unit.fighters()) and self.near(play, unit, FOLLOW_ME, ahead):
            specials = self.lend(FOLLOW_ME, specials, unit, play, ahead)  # d47.babylon.pit, d47.skill.follow_me_scenery
        return specials

    def looks_ahead(self, play: Play, unit: Unit) -> bool:
        """Could a movement bring the unit to scenery with a skill?"""
        return self.stands_on(play.state.table)

    def lend(self, skill: str, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> dict[str, Any]:
        """The special actions of a skill, as if the unit had it itself."""
        for kind in play.rules.registry.skills.get(skill, ()):
            lent = kind(SkillRef(skill), unit.card.id)
            if hasattr(lent, "on_specials_ahead"):
                offered = lent.on_specials_ahead({}, unit, play, ahead)
                specials |= {name: Lent(skill, special) for name, special in offered.items() if name not in specials}
        return specials

    def stands_on(self, table: SquareTable) -> bool:
        """Is there any scenery with a skill on the board?"""
        return not SCENERY.isdisjoint(table.masks_by_kind())

    def lacks_ammo(self, unit: Unit) -> bool:
        return any(part.ammo for part in unit.parts)

    def near(self, play: Play, unit: Unit, skill: str, ahead: int = 0) -> bool:
        """Within range 1 and in sight of scenery with that skill, now or perhaps after so many squares."""
        table: SquareTable = play.state.table
        masks = table.masks_by_kind()
        kinds = [kind for kind, gives in SKILL_OF.items() if gives == skill and kind in masks]
        if not kinds:
            return False
        if ahead:
            places = [place for kind in kinds for place in table.squares_with(kind)]
            return any(table.distance(own, place) <= ahead + 1 for own in unit.where for place in places)
        return any(
            SKILL_OF.get(name) == skill and table.sight(place, other).visible
            for place in unit.where
            for other in (place, *table.neighbours(place))
            for name in table.features(other)
        )
