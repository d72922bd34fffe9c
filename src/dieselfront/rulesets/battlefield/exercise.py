"""What the exercise run asks of Battlefield: its cards, forces, board, special actions, and what counts as a use.

The uses are those of every Dust game (dust1947/exercise); heroes fight on their own here and join as they activate.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from dieselfront.forces import DustCard
from dieselfront.forces.armies import ArmyUnit
from dieselfront.forces.dust_check import why_not_pilot
from dieselfront.forces.families import family
from dieselfront.kernel.decisions import Answer
from dieselfront.kernel.game import Game
from dieselfront.rulesets.battlefield import skills, weapons
from dieselfront.rulesets.battlefield.places import CONTACT
from dieselfront.rulesets.dust import hooks
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.exercise import count, differs, is_mark, seen
from dieselfront.rulesets.dust1947.exercise import forces as of_dust
from dieselfront.rulesets.dust1947.exercise.forces import Recruiter, homebrew
from dieselfront.rulesets.dust1947.exercise.uses import Uses
from dieselfront.rulesets.dust_open.exercise import OpenEager
from dieselfront.rulesets.dust_open.places import at, xy
from dieselfront.table.measured.angles import step
from dieselfront.table.measured.shapes import Body, distance

if TYPE_CHECKING:
    from dieselfront.rulesets.battlefield.ruleset import Battlefield

SPECIALS = (
    *("air-alert", "ammo-drop", "call-attack", "call-sustained-attack", "camouflage", "dozer", "engineering"),
    *("get-moving", "get-up", "inject", "launch-smoke", "medevac", "reinforcement"),
    *("reload", "repair", "replacement", "resurrection", "tank-head"),
)
"""Every special action of Battlefield; a game that declares another one is stopped."""

UNUSABLE: dict[str, str] = {}
"""Skills that no game can bring to use, each with its rule and the reason; they are listed and not counted."""

TERRAIN: tuple[dict[str, Any], ...] = (
    {"kind": "water", "at": [0, 0], "size": [18, 116]},
    {"kind": "rubble", "at": [44, 44], "size": [10, 14]},
    {"kind": "trees", "at": [72, 46], "size": [18, 14]},
    {"kind": "structure", "at": [64, 64], "size": [8, 8]},
    {"kind": "road", "line": [[36, 56], [36, 116]], "width": 8},
    {"kind": "swamp", "at": [92, 64], "size": [10, 9]},
    {"kind": "tank_trap", "at": [118, 54], "size": [8, 6]},
    {"kind": "wire", "at": [82, 74], "size": [10, 4]},
    {"kind": "minefield", "at": [114, 74], "size": [10, 8]},
    {"kind": "trench", "at": [44, 74], "size": [10, 6]},
    {"kind": "low_wall", "line": [[56, 76], [70, 76]]},
    {"kind": "building", "at": [100, 44], "size": [14, 12], "floors": 2},
)
OBJECTIVES = (("the shore", [30, 58], 2), ("the middle", [60, 58], 2), ("the east", [110, 62], 2))
WORKS = ({"kind": "bunker", "side": 0, "at": [60, 30], "facing": 180},)


DEEDS = {"resurrection": "Resurrection", "tank-head": "TankHead"}
"""Special actions that want a friend near by, with the skill that gives them."""

BESIDE: dict[str, Callable[[Unit], bool]] = {
    "Resurrection": lambda unit: unit.has("Mindless Zombie") and len(unit.main.alive) < len(unit.main.card.soldiers),
    "TankHead": lambda unit: unit.is_vehicle and unit.main.damage > 0,
    "ZombieTransport": lambda unit: _carries(unit.card),
}
"""Skills that need a certain friend near by."""

SKILLS = {"Resurrection": "Resurrection", "TankHead": "Tank Head", "ZombieTransport": "Zombie"}
AT_CONTROLS = ("AcePilot", "AceAirPilot")
"""Skills that want a vehicle or an aircraft."""

BOARDS = 0.1
"""How often somebody walks to a hull, to ride in it or to take the controls."""


def cards(rules: Battlefield) -> list[DustCard]:
    """Every card of the game, and made-up ones for rules that none of them prints."""
    printed = list(family("battlefield").catalogue)
    known = {kind.name for kind in (*skills.ALL, *weapons.ALL)}
    return [*printed, *(card for card in homebrew(rules.registry, printed) if _rule_of(card, printed) in known)]


def _rule_of(card: DustCard, printed: list[DustCard]) -> str:
    """The rule for which a card was made up."""
    return card.name.rpartition(" with ")[2]


def effects(rules: Battlefield) -> list[type[hooks.Skill]]:
    """Every skill and weapon rule of this book; skills of borrowed cards have no effect (bf.open.card_skills)."""
    return [*skills.ALL, *weapons.ALL]


def _carries(card: DustCard) -> bool:
    return any(card.has(skill) for skill in ("Passengers", "Tank Riders"))


class BattleRecruiter(Recruiter):
    """Heroes on their own, or in a vehicle that they pilot (bf.hero.join, bf.pilot.who)."""

    brings: ClassVar[dict[str, str]] = {
        "air-alert": "Air Alert",
        "medevac": "Medevac",
        "resurrection": "Resurrection",
        "tank-head": "Tank Head",
    }
    themes: ClassVar[dict[str, Callable[[DustCard], bool]]] = {}  # no skill works among certain squads only
    company: ClassVar[dict[str, Callable[[DustCard], bool]]] = of_dust.COMPANY | {
        "Command Squad": lambda card: card.kind == "infantry" and not card.has("Command Squad"),
        "Mechanic": lambda card: card.kind == "vehicle",
        "Officer": lambda card: card.kind == "infantry",
        "Tank Riders": lambda card: card.kind == "infantry" and card.armour <= 2,
        "Assassin": lambda card: card.kind == "infantry",
        "Resurrection": lambda card: card.has("Mindless Zombie"),
        "Tank Head": lambda card: card.kind == "vehicle",
        "Zombie": _carries,
    }

    def seat(self, hero: DustCard, units: list[ArmyUnit]) -> None:
        """An expert takes the controls of a vehicle that has his weapon, anybody else of some vehicle, or of none."""
        if self.lacks(hero, ("Expert",)) and self._beside(
            hero, units, "pilots", lambda card: not why_not_pilot(hero, card) and _has_weapon_of(hero, card)
        ):
            return
        drives = 1.0 if self.lacks(hero, AT_CONTROLS) else 0.0 if self.lacks(hero, of_dust.ON_FOOT) else 0.4
        if self.chance.random() < drives and self._beside(
            hero, units, "pilots", lambda card: not why_not_pilot(hero, card)
        ):
            return
        units.append(ArmyUnit(hero.id, label=f"u{len(units)}"))


def _has_weapon_of(expert: DustCard, card: DustCard) -> bool:
    """Does a vehicle carry a weapon that the expert's card names?"""
    skill = expert.skill("Expert")
    named = (skill.argument or "").lower().split(" and ") if skill is not None else ()
    return any(name and name in weapon.name.lower() for name in named for weapon in card.weapons)


class Eager(OpenEager):
    """Goes to the friends on whom a skill works, to enemies for blows, and to hulls to climb aboard."""

    def spot(self, game: Game, decision: Any) -> Answer:
        unit = game.state.by_id.get(decision.unit)
        if unit is None or not unit.is_infantry or decision.key == "deploy":
            return super().spot(game, decision)
        kinds = self.wanting(game, unit) + [
            kind for name, kind in DEEDS.items() if self.used.specials[name] < self.used.times
        ]
        for kind in (kind for kind in BESIDE if kind in kinds and unit.has(SKILLS[kind])):
            friends = [
                friend for friend in game.state.on_board(unit.side) if friend is not unit and BESIDE[kind](friend)
            ]
            if friends and self.chance.random() < 0.8:
                return self.beside(game, decision, unit, self.chance.choice(friends))
        weapon, foes = self.wanted_weapon(unit), game.state.on_board(1 - unit.side)
        if foes and weapon is not None and weapon.close and unit.on_board and self.chance.random() < 0.7:
            tenths = game.state.table.tenths
            return self.beside(game, decision, unit, min(foes, key=lambda foe: tenths(foe.place, unit.place)))
        carriers = [
            friend for friend in game.state.on_board(unit.side) if friend is not unit and not friend.is_infantry
        ]
        if carriers and self.chance.random() < BOARDS:
            return self.beside(game, decision, unit, self.chance.choice(carriers))
        return super().spot(game, decision)

    def beside(self, game: Game, decision: Any, unit: Unit, friend: Unit) -> Answer:
        """Everybody in contact with a hull or a first miniature where that is possible, else the nearest spot."""
        answer = self.at_hull(game, decision, unit, friend)
        if answer is not None:
            return answer
        spots = list(decision.spots)
        if not spots:
            return super().spot(game, decision)
        table = game.state.table
        best = min(spots, key=lambda spot: table.tenths(spot, friend.place))
        return best, self.chance.choice(list(decision.facings(best)))

    def at_hull(self, game: Game, decision: Any, unit: Unit, friend: Unit) -> Answer | None:
        """All miniatures of a unit round a hull, in contact with it."""
        ring = self.ring(game, unit, friend)
        first = self.chance.randrange(len(ring)) if ring else 0
        ring = ring[first:] + ring[:first]
        count = len(game.play.rules.ground.figures_of(unit))
        for place in range(len(ring) - count + 1):
            (x, y), *others = ring[place : place + count]
            answer = (x, y) if not others else (x, y, unit.facing, 0, tuple(others))
            if decision.region.why_not(answer) is None:
                return answer
        return None

    def ring(self, game: Game, unit: Unit, friend: Unit) -> list[tuple[int, int]]:
        """Points round a hull at which bases touch it and not each other."""
        state, ground = game.state, game.play.rules.ground
        hull = ground.first(state, friend)
        x, y = xy(friend.place)
        width, height = state.table.width, state.table.height

        def base(point: tuple[int, int]) -> Body:
            body: Body = ground.spot_body(state, unit, at(*point))
            return body

        ring: list[tuple[int, int]] = []
        for turn in range(0, 360, 5):
            ray = [(x + dx // 10, y + dy // 10) for dx, dy in (step(turn, length) for length in range(100, 2500, 10))]
            ray = [(px, py) for px, py in ray if 0 <= px <= width and 0 <= py <= height]
            first = bisect_left(ray, True, key=lambda point: distance(hull, base(point)) > 0)
            if first < len(ray) and distance(hull, base(ray[first])) <= CONTACT:
                px, py = ray[first]
                apart = 2 * base(ray[first]).radius
                if all(10 * abs(complex(px - other[0], py - other[1])) > apart for other in ring):
                    ring.append(ray[first])
        return ring


def scenario(chance: Random) -> dict[str, Any]:
    """A small table with everything on it, near enough to fight from the first turn on."""
    return {
        "id": "exercise",
        "name": "Exercise",
        "size": [132, 116],
        "terrain": list(TERRAIN),
        "fortifications": list(WORKS),
        "deploy": [{"boxes": [[0, 0, 132, 42]], "facing": "south"}, {"boxes": [[0, 80, 132, 36]], "facing": "north"}],
        "turns": 6,
        "objectives": [{"name": name, "at": [where], "each_turn": points} for name, where, points in OBJECTIVES],
        "arrival": [chance.choice(["deploy", "deploy", "reserves"]), "deploy"],
    }


def battle(
    rules: Battlefield, cards: list[DustCard], used: Uses, chance: Random
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A table and two forces, made of what has not been used enough."""
    recruiter = BattleRecruiter(rules, cards, used, chance)
    forces = [recruiter.force(side) for side in (0, 1)]
    return scenario(chance), forces


__all__ = ["SPECIALS", "UNUSABLE", "Eager", "battle", "cards", "count", "differs", "effects", "is_mark", "seen"]
