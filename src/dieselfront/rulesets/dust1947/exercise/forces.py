"""Forces and boards of the exercise run: drawn from what is still wanting, in company that brings it to use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from dieselfront.forces import DustCard, SkillRef
from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.dust_check import why_not_join, why_not_pilot, why_not_ride
from dieselfront.rulesets.dust.hooks import Registry
from dieselfront.rulesets.dust1947.exercise.uses import Uses

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947 import Dust1947

OTHERS, HEROES = 6, 3
SIZE = (13, 12)
ZONES = ("A1-M4", "A9-M12")
TERRAIN = (
    "water from A1 to B12",
    "rubble at E5, E6",
    "trees from H5 to I6",
    "structure at G7",
    "mud at K6",
    "road from D6 to D12",
    "swamp at J7",
    "ammo_dump at G5",
    "rocket at D8",
    "archeological_pit at F7",
    "tank_trap at L6",
    "wire at I8",
    "minefield at L8",
    "trench at E8",
    "wall between F8 and G8 with small opening",
    "building from K7 to L7 with 1 floors, door on north of K7",
)
OBJECTIVES = (("the shore", "A6-D7", 2), ("the middle", "E6-I7", 2), ("the east", "J6-M7", 2))
COMPANY: dict[str, Callable[[DustCard], bool]] = {
    "Artillery Observer": lambda card: any(weapon.has("Artillery") for weapon in card.weapons),
    "Artillery": lambda card: card.has("Artillery Observer") and not card.has("Airborne"),
    "Airlifter": lambda card: card.kind == "vehicle" and card.has("Airmobile") and card.size == "standard",
    "Sealifter": lambda card: card.kind == "infantry" and not card.has("Airborne"),
    "Command Vehicle": lambda card: card.kind == "infantry" and card.has("Command Squad") and not card.has("Airborne"),
    "Passengers": lambda card: card.kind == "infantry" and not card.has("Airborne") and not card.has("Zombie"),
    "Air Traffic Control": lambda card: card.kind == "aircraft",
    "Resurrection": lambda card: card.has("Mindless"),
    "Blutkreuz": lambda card: card.has("Zombie"),
    "Medevac": lambda card: card.kind == "infantry" and card.armour <= 2,
    "Mechanic Crew": lambda card: card.kind == "vehicle",
    "Follow Me": lambda card: card.kind == "infantry" and card.armour <= 2,
    "Lesser Mythos Creatures": lambda card: card.kind == "hero" and card.has("Officer"),
}
"""Skills that need somebody on their side to work on."""

THEMES: dict[str, Callable[[DustCard], bool]] = {
    "Get Moving You...": lambda card: card.kind == "infantry" and "Spetsnaz" in card.name,
}
"""Skills that work only among certain friends."""

BRINGS = {
    "air-alert": "Air Alert",
    "air-traffic-control": "Air Traffic Control",
    "crew-repair": "Mechanic Crew",
    "execute": "Execute",
    "follow-me": "Follow Me",
    "medevac": "Medevac",
    "psychic-scream": "Psychic Scream",
    "raid": "Raid",
    "resurrection": "Resurrection",
}
"""Special actions that only the bearers of a skill or weapon rule take."""

ON_FOOT = ("TakeAim", "Interrogate")
"""Skills that are best used alone and on foot."""

JOINS: dict[str, Callable[[DustCard], bool]] = {
    "GeneralTwoDice": lambda card: card.has("Command Squad"),
}
"""Skills that need a certain squad to join."""

RIVALS: dict[str, Callable[[DustCard], bool]] = {
    "Artillery Observer": lambda card: card.has("Jammer"),
    "Radar": lambda card: card.kind == "aircraft",
    "Air Alert": lambda card: card.kind == "aircraft",
    "Interrogate": lambda card: card.kind == "hero",
}
"""Skills that need somebody on the other side to work against."""


def scenario(chance: Random) -> dict[str, Any]:
    """A small board with everything on it, near enough to fight from the first turn on."""
    return {
        "id": "exercise",
        "name": "Exercise",
        "board": {"size": list(SIZE), "terrain": list(TERRAIN)},
        "deploy": [{"squares": ZONES[0], "facing": "south"}, {"squares": ZONES[1], "facing": "north"}],
        "turns": 6,
        "objectives": [{"name": name, "squares": where, "each_turn": points} for name, where, points in OBJECTIVES],
        "weather": chance.choice(["none", "none", "high"]),
        "reserve": chance.choice([0, 0, 2]),
    }


def homebrew(registry: Registry, cards: list[DustCard]) -> list[DustCard]:
    """Cards for rules that none of these prints."""
    on_cards = {ref.name for card in cards for ref in card.skills}
    on_weapons = {ref.name for card in cards for weapon in card.weapons for ref in weapon.rules}
    tank = next(card for card in cards if card.kind == "vehicle" and card.size == "standard")
    squad = next(card for card in cards if card.kind == "infantry" and card.armour == 2 and len(card.weapons) > 1)
    made = [
        _twin(tank, name, skills=(*tank.skills, SkillRef(name))) for name in registry.skills if name not in on_cards
    ]
    for name in registry.weapon_rules:
        if name not in on_weapons:
            armed = tuple(
                msgspec.structs.replace(weapon, rules=(*weapon.rules, SkillRef(name))) for weapon in squad.weapons
            )
            made.append(_twin(squad, name, weapons=armed))
    return made


def _twin(card: DustCard, rule: str, **changes: Any) -> DustCard:
    words = rule.lower().replace(" ", "-")
    return msgspec.structs.replace(card, id=f"homebrew-{words}", name=f"{card.name} with {rule}", **changes)


def holds(carrier: DustCard) -> int:
    """Spaces aboard; an airlifter takes one vehicle."""
    seats = carrier.skill("Passengers")
    return seats.number if seats is not None else 12 if carrier.has("Sealifter") else 6


def takes(rider: DustCard) -> int:
    """Spaces a unit needs, with room for a hero who may have joined it."""
    if rider.kind == "vehicle":
        return 12 if rider.size == "large" else 6
    return (len(rider.soldiers) + (rider.kind != "hero")) * (1 if rider.armour <= 2 else 2)


class Recruiter:
    """Draws forces from the cards that want use most."""

    brings: ClassVar[dict[str, str]] = BRINGS
    company: ClassVar[dict[str, Callable[[DustCard], bool]]] = COMPANY
    rivals: ClassVar[dict[str, Callable[[DustCard], bool]]] = RIVALS
    themes: ClassVar[dict[str, Callable[[DustCard], bool]]] = THEMES

    def __init__(self, rules: Dust1947, cards: list[DustCard], used: Uses, chance: Random) -> None:
        self.rules = rules
        self.used = used
        self.chance = chance
        self.by_id = {card.id: card for card in cards}
        pool = [card for card in cards if not card.alternate_profile]
        self.wants = {card.id: self.want(card) for card in pool}
        self.order = sorted(pool, key=lambda card: -(chance.random() ** (1 / (self.wants[card.id] + 0.01))))
        self.drawn = [self.draw(side) for side in (0, 1)]
        for table, across in ((self.company, False), (self.rivals, True), (self.company, False)):
            called = [[card for one in drawn for card in self.needed(one, table)] for drawn in self.drawn]
            for side in (0, 1):
                if not any(card.has(theme) for card in self.drawn[side] for theme in self.themes):
                    self.drawn[side] += called[1 - side if across else side]
        self.drawn = [list({card.id: card for card in drawn}.values()) for drawn in self.drawn]

    def want(self, card: DustCard) -> float:
        """How much the card has that was not used often enough."""
        used = self.used
        counts = [used.units[card.id]]
        counts += [used.weapons[f"{card.id}/{weapon.id}"] for weapon in card.weapons]
        counts += [used.skills[kind] for kind in self.kinds(card) if kind in used.skills]
        rules = [ref.name for weapon in card.weapons for ref in weapon.rules]
        counts += [used.specials[name] for name, rule in self.brings.items() if card.has(rule) or rule in rules]
        if card.has("Possessed"):
            counts += [count for name, count in used.weapons.items() if name.startswith(f"{card.id}-possessed/")]
        return sum(max(0.0, 1 - count / used.times) for count in counts)

    def kinds(self, card: DustCard) -> list[str]:
        """The skills and weapon rules of a card, as they are counted."""
        registry = self.rules.registry
        kinds = [kind for ref in card.skills for kind in registry.skills.get(ref.name, ())]
        rules = [ref.name for weapon in card.weapons for ref in weapon.rules]
        kinds += [kind for name in rules for kind in registry.weapon_rules.get(name, ())]
        return [kind.__qualname__ for kind in kinds]

    def lacks(self, card: DustCard, kinds: Iterable[str]) -> list[str]:
        """Which of these skills the card has and has not used often enough."""
        own = self.kinds(card)
        return [kind for kind in kinds if kind in own and self.used.skills[kind] < self.used.times]

    # -- a force ------------------------------------------------------------------------------------

    def draw(self, side: int) -> list[DustCard]:
        """The first cards for one side; both draw in turn from the same order, and both whatever few still want use."""
        heroes = self.share([card for card in self.order if card.kind == "hero"], HEROES, side)
        for theme, fits in self.themes.items():
            led = [card for card in heroes if card.has(theme)]
            if led:
                return led + [card for card in self.order if fits(card)][:OTHERS]
        return self.share([card for card in self.order if card.kind != "hero"], OTHERS, side) + heroes

    def share(self, cards: list[DustCard], count: int, side: int) -> list[DustCard]:
        """What one side gets of these: every second card, but all that want use once there are few of them."""
        wanted = [card for card in cards if self.wants[card.id] > 0]
        rest = [card for card in cards if not self.wants[card.id] > 0]
        if len(wanted) > count:
            return (wanted + rest)[side : 2 * count : 2]
        return (wanted + rest[side : 2 * count : 2])[:count]

    def needed(self, card: DustCard, table: dict[str, Callable[[DustCard], bool]]) -> Iterable[DustCard]:
        """Whom the card needs beside it, or against it."""
        rules = [ref.name for weapon in card.weapons for ref in weapon.rules]
        for name in (*(ref.name for ref in card.skills), *rules):
            fits = table.get(name)
            if fits is not None and self.chance.random() < 0.6:
                yield from self.first(fits, among=8)

    def force(self, side: int) -> dict[str, Any]:
        """The force of one side: heroes with their squads and vehicles, riders aboard."""
        cards = self.drawn[side]
        others = [card for card in cards if card.kind != "hero"]
        units = [ArmyUnit(card.id, f"u{number}", options=self.options(card)) for number, card in enumerate(others)]
        for hero in dict.fromkeys(card.id for card in cards if card.kind == "hero"):
            self.seat(self.by_id[hero], units)
        self.mount(units)
        return self.header_force(units, side)

    def first(self, fits: Callable[[DustCard], bool], among: int = 1) -> list[DustCard]:
        """One of the first cards that fit."""
        fitting = [card for card in self.order if fits(card)][:among]
        return [self.chance.choice(fitting)] if fitting else []

    def options(self, card: DustCard) -> dict[str, int]:
        return {self.chance.choice(card.options).id: 1} if card.options and self.chance.random() < 0.5 else {}

    # -- heroes and passengers ----------------------------------------------------------------------

    def seat(self, hero: DustCard, units: list[ArmyUnit]) -> None:
        """Give the hero a vehicle to pilot or a squad to join, most of the time."""
        label = f"u{len(units)}"
        roll = self.chance.random()
        needs = [JOINS[kind] for kind in self.lacks(hero, JOINS)]
        if needs and self._beside(hero, units, "joins", lambda card: needs[0](card) and not why_not_join(hero, card)):
            return
        if self.lacks(hero, ON_FOOT):
            roll = 1.0
        if roll < 0.5 and self._beside(hero, units, "pilots", lambda card: not why_not_pilot(hero, card)):
            return
        must = hero.has("Commissar")
        if (roll < 0.7 or must) and self._beside(hero, units, "joins", lambda card: not why_not_join(hero, card)):
            return
        units.append(ArmyUnit(hero.id, label=label))

    def _beside(self, hero: DustCard, units: list[ArmyUnit], how: str, fits: Callable[[DustCard], bool]) -> bool:
        taken = {getattr(unit, key) for unit in units for key in ("joins", "pilots")}
        free = [unit for unit in units if unit.label not in taken and fits(self.by_id[unit.card])]
        if not free:
            more = self.first(fits, among=3)
            if not more:
                return False
            free = [ArmyUnit(more[0].id, label=f"u{len(units)}")]
            units += free
        chosen = self.chance.choice(free)
        place = {how: chosen.label}
        units.append(ArmyUnit(hero.id, label=f"u{len(units)}", **place))  # type: ignore[arg-type]
        return True

    def mount(self, units: list[ArmyUnit]) -> None:
        """Let some begin aboard; who does not fit stays outside."""
        for carrier in units:
            card = self.by_id[carrier.card]
            if not any(card.has(skill) for skill in ("Passengers", "Airlifter", "Sealifter")):
                continue
            for place, unit in enumerate(units):
                rider = self.by_id[unit.card]
                alone = not (unit.joins or unit.pilots or unit.mounted_in) and unit is not carrier
                piloted = any(other.pilots == unit.label for other in units)
                walks = not rider.has("Airborne") and rider.kind != "aircraft" and takes(rider) <= holds(card)
                if alone and walks and not piloted and not why_not_ride(rider, card) and self.chance.random() < 0.7:
                    units[place] = msgspec.structs.replace(unit, mounted_in=carrier.label)
                    break

    def header_force(self, units: list[ArmyUnit], side: int) -> dict[str, Any]:
        """The force as a game's header holds it; homebrew cards are no part of the catalogue and come by hand."""
        own = [unit for unit in units if unit.card.startswith("homebrew-")]
        kept = tuple(unit for unit in units if unit not in own)
        labels = {unit.label for unit in own}
        kept = tuple(unit for unit in kept if not {unit.joins, unit.pilots, unit.mounted_in} & labels)
        army = Army(self.rules.id, ("Blue", "Red")[side], 1000, kept)
        force: dict[str, Any] = self.rules.force_from_army(army, side)
        for number, unit in enumerate(own):
            force["cards"][unit.card] = msgspec.to_builtins(self.by_id[unit.card])
            force["units"].append({"id": f"{'ab'[side]}x{number}", "cards": [unit.card]})
        return force
