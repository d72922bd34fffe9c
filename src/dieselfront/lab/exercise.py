"""The exercise run: random games until every unit, weapon line, skill and special action has been used often enough.

Forces are drawn from the least used cards, heroes join and drive and squads ride where they may; every game is watched
for invariants. What was used, and how often, is the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec

from dieselfront import rulesets
from dieselfront.dice import commitment
from dieselfront.forces import DustCard, dust_catalogue
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import Header, new_game
from dieselfront.lab.invariants import play_watched
from dieselfront.rulesets.dust import hooks

UNITS_A_SIDE = 9
SIZE = (14, 12)
TERRAIN = [
    "water from A1 to B12",
    "rubble at E5, E6",
    "trees from H4 to I5",
    "structure at G7",
    "mud at K6",
    "road from D6 to D12",
    "swamp at J8",
    "ammo_crate at F4",
    "tank_trap at L6",
    "wall between F8 and G8 with small opening",
    "building from K3 to L4 with 1 floors, door on south of K4",
]


class Used(NamedTuple):
    """How often everything was used."""

    games: int
    units: Counter[str]
    weapons: Counter[str]
    skills: Counter[str]
    specials: Counter[str]

    def least(self, wanted: Used | None = None) -> int:
        """The smallest count of all that was ever seen."""
        return min(min(counter.values(), default=0) for counter in (self.units, self.weapons))


def run(times: int, seed: int, most_games: int = 5000) -> Iterator[Used]:
    """Play until everything was used so many times; yields the tallies after every game."""
    rules = rulesets.load("dust1947")
    cards = [card for card in dust_catalogue() if card.kind != "fortification" and card.points > 0]
    tally: Counter[str] = Counter()
    hooks.tally = tally
    rules.registry.forget()
    used = Used(
        0,
        Counter(dict.fromkeys((card.id for card in cards), 0)),
        Counter({f"{card.id}/{weapon.id}": 0 for card in cards for weapon in card.weapons}),
        tally,
        Counter(),
    )
    try:
        for number in range(most_games):
            chance = Random(f"{seed}/{number}")
            game = _game(rules, cards, used, chance, f"{seed}/{number}")
            play_watched(game, chance, copies=False)
            _count(game, used)
            used = used._replace(games=number + 1)
            yield used
            if not unused(used, times):
                return
    finally:
        hooks.tally = None
        rules.registry.forget()


def unused(used: Used, times: int) -> list[str]:
    """What has not been used often enough yet."""
    skills = [kind.__qualname__ for kinds in _answering() for kind in kinds]
    return [
        *(f"unit {name}" for name, count in used.units.items() if count < times),
        *(f"weapon {name}" for name, count in used.weapons.items() if count < times),
        *(f"skill {name}" for name in dict.fromkeys(skills) if used.skills[name] < times),
    ]


def _answering() -> Iterator[list[type[hooks.Skill]]]:
    """Skills that answer a hook in play; those that only mark a card are read by name."""
    rules = rulesets.load("dust1947")
    for kinds in (*rules.registry.skills.values(), *rules.registry.weapon_rules.values()):
        yield [kind for kind in kinds if any(name in hooks.CALLED for name in hooks._answered(kind))]


def _count(game: Game, used: Used) -> None:
    names = {unit.id: unit for unit in game.state.units}
    for unit in game.state.units:
        for part in (*unit.parts, *unit.fallen):
            used.units[part.card.id] += part.card.id in used.units
    for event in game.events:
        if hasattr(event, "pools"):
            unit = names[event.unit]
            for part in (*unit.parts, *unit.fallen):
                for weapon in part.card.weapons:
                    if any(weapon.name == name for name, _, _ in event.pools):
                        key = f"{part.card.id}/{weapon.id}"
                        used.weapons[key] += key in used.weapons
        if hasattr(event, "actions"):
            for action in event.actions:
                if "special:" in action:
                    used.specials[action.split(":")[-1]] += 1


def _game(rules: Any, cards: list[DustCard], used: Used, chance: Random, seed: str) -> Game:
    forces = [_force(rules, cards, used, chance, side) for side in (0, 1)]
    scenario = {
        "id": "exercise",
        "name": "Exercise",
        "board": {"size": list(SIZE), "terrain": TERRAIN},
        "deploy": [{"squares": "A1-N3", "facing": "south"}, {"squares": "A10-N12"}],
        "turns": 6,
        "objectives": [{"name": "middle", "squares": "G6", "points": 10}],
        "weather": chance.choice(["none", "none", "high"]),
        "reserve": chance.choice([0, 2]),
    }
    header = Header("dust1947", rules.version, scenario, forces, ["a", "b"], commitment(seed))
    return new_game(rules, header, seed)


def _force(rules: Any, cards: list[DustCard], used: Used, chance: Random, side: int) -> dict[str, Any]:
    """Units from the least used cards; the less a card's weapons were used the sooner it comes."""

    def need(card: DustCard) -> float:
        weapons = [used.weapons[f"{card.id}/{weapon.id}"] for weapon in card.weapons]
        return min([used.units[card.id], *weapons]) + chance.random() * 3

    order = sorted(cards, key=need)
    heroes = [card for card in order if card.kind == "hero"][:3]
    others = [card for card in order if card.kind != "hero"][: UNITS_A_SIDE - 2]
    chosen: dict[str, DustCard] = {}
    units: list[dict[str, Any]] = []
    for number, card in enumerate(others):
        chosen[card.id] = card
        units.append({"id": f"{'ab'[side]}{number}", "cards": [card.id]})
    for number, hero in enumerate(heroes):
        chosen[hero.id] = hero
        if not _seated(rules, hero, units, chosen, chance):
            units.append({"id": f"{'ab'[side]}h{number}", "cards": [hero.id]})
    _mount(units, chosen, chance)
    plain = {name: msgspec.to_builtins(card) for name, card in chosen.items()}
    return {"name": ("Blue", "Red")[side], "bloc": "", "cards": plain, "units": units}


def _seated(rules: Any, hero: DustCard, units: list[dict[str, Any]], chosen: dict[str, DustCard], chance: Random) -> bool:
    """Give the hero a vehicle to drive or a squad of his armour to lead, most of the time."""
    for entry in units:
        card = chosen[entry["cards"][0]]
        if len(entry["cards"]) > 1 or entry.get("pilot"):
            continue
        if card.armour_type in "VA" and rules.heroes.may_pilot(hero, card) is None and chance.random() < 0.6:
            entry["pilot"] = hero.id
            return True
        same = card.kind == "infantry" and card.armour == hero.armour and not hero.has("Loner")
        if same and not hero.has("Superhuman") and chance.random() < 0.5:
            entry["cards"].append(hero.id)
            return True
    return False


def _mount(units: list[dict[str, Any]], chosen: dict[str, DustCard], chance: Random) -> None:
    carriers = [entry for entry in units if chosen[entry["cards"][0]].has("Passengers")]
    for carrier in carriers:
        for entry in units:
            if chosen[entry["cards"][0]].is_infantry and not entry.get("aboard") and chance.random() < 0.4:
                entry["aboard"] = carrier["id"]
                break
