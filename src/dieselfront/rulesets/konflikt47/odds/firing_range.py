"""The firing range of Konflikt '47: two units on an empty table, placed as the situation says, ready for the rules.

All models of a unit stand on one spot, so that "12 inches away" holds for every weapon; vehicles measure from the
middle of the hull. Cover is scrub or rubble under the target.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from dieselfront.forces import KonfliktCard
from dieselfront.odds.games import Asked, OddsError
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.battle import Battle
from dieselfront.rulesets.konflikt47.cards import UnitCard
from dieselfront.rulesets.konflikt47.charts import QUALITIES
from dieselfront.rulesets.konflikt47.firing import ADVANCE, FIRE, POINT_BLANK
from dieselfront.rulesets.konflikt47.forces_in import read_unit
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import ORDERS, TABLE, State, Unit
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Piece

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

ATTACKER, TARGET = "a1", "b1"
SIDE = 3048  # millimetres: ten feet
X, Y = 1524, 2900  # where the attacker stands, looking up the table
COVERS = {"none": "", "soft": "scrub", "hard": "rubble"}
FACINGS = {"front": 180, "side": 90, "rear": 0}
STATES = ("immobilised", "NCO lost")
FARTHEST = 96


class KonfliktSituation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about an attack that the two cards do not tell; what is left out is the plain case."""

    range: Annotated[int | None, Asked("Inches between them; default: most weapons bear.")] = None
    """Inches between the units; by default as far as most weapons reach without being at long range."""
    cover: Annotated[
        str, Asked("The target is in soft cover.", "--cover", values=(("--hard", "hard"), ("--cover", "soft")))
    ] = "none"
    """The target's cover: none, soft or hard."""
    attacker_cover: str = "none"
    """The attacker's cover, should the target shoot back."""
    order: Annotated[str, Asked("The attacker moves and shoots.", "--advance", values=(("--advance", "advance"),))] = (
        FIRE
    )
    """By which order the attacker shoots: fire, or advance (moving)."""
    facing: Annotated[str, Asked("The side of the target shot at: front, side or rear.")] = "front"
    """The side of the target that is turned to the attacker: front, side or rear."""
    pins: Annotated[int, Asked("Pins on the target.", least=0)] = 0
    """Pins on the target."""
    attacker_pins: Annotated[int, Asked("Pins on the attacker.", least=0)] = 0
    """Pins on the attacker."""
    quality: Annotated[str, Asked("Inexperienced, regular or veteran target.")] = ""
    """The target's quality: inexperienced, regular or veteran; by default as the card usually comes."""
    attacker_quality: Annotated[str, Asked("The same of the attacker.")] = ""
    """The same of the attacker."""
    target_left: Annotated[int | None, Asked("Models the target has left.", "--left")] = None
    """Models the target has left; by default all."""
    attacker_left: Annotated[int | None, Asked("The same of the attacker.")] = None
    """Models the attacker has left; by default all."""
    target_tokens: Annotated[
        tuple[str, ...], Asked("The target's order die or state: down, ambush, immobilised ...", "--token")
    ] = ()
    """The target's order die or state: down, ambush, run ..., immobilised, NCO lost."""
    attacker_tokens: Annotated[tuple[str, ...], Asked("The same of the attacker.", "--attacker-token")] = ()
    """The same of the attacker."""
    weapons: Annotated[tuple[str, ...], Asked("Only this weapon; may be repeated.", "--weapon", "-w")] = ()
    """Only these weapons, by name or a piece of it; by default the best each model has."""
    modes: Annotated[tuple[str, ...], Asked("Fire like this where a weapon can: HE, AT, indirect ...", "--mode")] = ()
    """Rounds and ways of firing to be preferred: HE, AT, direct, indirect; in an assault point-blank fire."""
    skills: Annotated[tuple[str, ...], Asked("Use this where it is a choice: Suppressive Fire.", "--use")] = ()
    """Choices that are used: Suppressive Fire."""
    close: Annotated[bool, Asked("An assault.")] = False
    """An assault: the units are in contact and fight."""
    rounds: Annotated[int, Asked("Rounds of a fight.", least=1, most=6)] = 1
    """Rounds of a fight, as long as the winner may go on."""
    reaction: Annotated[bool, Asked("The target reacts: a firefight, stand and fire.")] = False
    """The target reacts: a firefight when it is shot at, stand and fire when it is assaulted."""
    turns: Annotated[int, Asked("Attacks in a row, one a turn.", least=1, most=4)] = 1
    """Attacks in a row, one a turn, with whatever the ones before have left."""
    casualties: Annotated[str, Asked("Who is lost first: cheapest or leader.")] = "cheapest"
    """Who is lost first: cheapest (plain soldiers first) or leader (the NCO or officer first)."""
    options: Annotated[
        dict[str, str], Asked("A house ruling, NAME=CHOICE; may be repeated.", "--option", "-o", holds="rulings")
    ] = {}
    """House rulings of the game, by name."""

    def but(self, **changes: Any) -> KonfliktSituation:
        """The same situation with something changed."""
        return msgspec.structs.replace(self, **changes)

    def words(self) -> str:
        """The situation in a few words."""
        said = [f'range {self.range}"'] if self.range is not None else []
        said.append("target in the open" if self.cover == "none" else f"target in {self.cover} cover")
        said += ["moving"] if self.order == ADVANCE else []
        said += [f"at its {self.facing}"] if self.facing != "front" else []
        said += [f"target with {self.pins} pins"] if self.pins else []
        said += [f"attacker with {self.attacker_pins} pins"] if self.attacker_pins else []
        said += [f"{self.quality} target"] if self.quality else []
        said += [f"{self.attacker_quality} attacker"] if self.attacker_quality else []
        said += ["an assault"] if self.close else []
        said += [f"{self.rounds} rounds"] if self.rounds > 1 else []
        said += [f"{self.turns} turns"] if self.turns > 1 else []
        said += ["after a reaction"] if self.reaction else []
        said += [f"using {skill}" for skill in self.skills]
        said += [f"by {mode}" for mode in self.modes]
        said += [f"target {token}" for token in self.target_tokens]
        said += [f"attacker {token}" for token in self.attacker_tokens]
        return ", ".join(said)


class Range(NamedTuple):
    """The two units and the position they are in."""

    play: Play
    attacker: Unit
    target: Unit
    range: int


class Party(NamedTuple):
    """What is known of one unit before it takes the field."""

    card: UnitCard
    pins: int
    left: int | None
    tokens: tuple[str, ...]


def build(rules: Konflikt47, attacker: Any, target: Any, situation: KonfliktSituation) -> Range:
    """Set the two units up; cards are catalogue cards, or cards as the rules read them."""
    _check(situation)
    supplement = situation.options.get("supplement_weapons") == "on"
    mine = Party(
        taken(attacker, situation.attacker_quality, supplement),
        situation.attacker_pins,
        situation.attacker_left,
        situation.attacker_tokens,
    )
    theirs = Party(
        taken(target, situation.quality, supplement), situation.pins, situation.target_left, situation.target_tokens
    )
    units = [_unit(ATTACKER, 0, mine), _unit(TARGET, 1, theirs)]
    far = situation.range if situation.range is not None else _range(units[0], units[1], situation)
    state: State = rules.position(units, None, situation.options, EMPTY)
    state.turn, state.phase = 1, "orders"
    _stand(state, units[0], units[1], far, situation)
    for unit, party in zip(units, (mine, theirs), strict=True):
        _weaken(rules, state, unit, party.left, situation.casualties)
        _give(unit, party)
    if not units[0].order:
        units[0].order = "run" if situation.close else situation.order
    return Range(Play(rules, state), units[0], units[1], far)


EMPTY = Battle("firing-range", "Firing range", size=(120, 120))


def _check(situation: KonfliktSituation) -> None:
    """Words that mean nothing are refused, with what was expected."""
    for name, value, known in (
        ("cover", situation.cover, tuple(COVERS)),
        ("attacker_cover", situation.attacker_cover, tuple(COVERS)),
        ("facing", situation.facing, tuple(FACINGS)),
        ("order", situation.order, (FIRE, ADVANCE)),
        ("casualties", situation.casualties, ("cheapest", "leader")),
    ):
        if value not in known:
            raise OddsError(f"{name.replace('_', ' ')} is {' or '.join(known)}, not '{value}'")
    if situation.range is not None and not 0 <= situation.range <= FARTHEST:
        raise OddsError(f"a range is a number of inches from 0 to {FARTHEST}, not {situation.range}")
    if min(situation.pins, situation.attacker_pins) < 0:
        raise OddsError("a unit has 0 pins or more")


def taken(card: Any, quality: str, supplement: bool = False) -> UnitCard:
    """A unit of the catalogue as it takes the field, in a quality it comes in."""
    if isinstance(card, UnitCard):
        return msgspec.structs.replace(card, quality=quality) if quality else card
    if quality and quality not in QUALITIES:
        raise OddsError(f"quality is {' or '.join(QUALITIES)}, not '{quality}'")
    if quality and quality not in card.points:
        raise OddsError(f"{card.name} comes as {' or '.join(card.points)}, not as {quality}")
    return _taken(card.id, quality, supplement) if _is_listed(card) else _read(card, quality, supplement)


def _is_listed(card: KonfliktCard) -> bool:
    from dieselfront.forces import konflikt_catalogue

    return card.id in konflikt_catalogue() and konflikt_catalogue()[card.id] is card


@lru_cache(maxsize=4096)
def _taken(id: str, quality: str, supplement: bool) -> UnitCard:
    return read_unit({"card": id, "experience": quality or None}, supplement)


def _read(card: KonfliktCard, quality: str, supplement: bool) -> UnitCard:
    raise OddsError(f"{card.name} is no card of the catalogue")


def _unit(id: str, side: int, party: Party) -> Unit:
    unit = Unit(id, side, party.card, party.card.nation)
    unit.place = TABLE
    return unit


# -- standing ----------------------------------------------------------------------------------------------------


def _stand(state: State, attacker: Unit, target: Unit, far: int, situation: KonfliktSituation) -> None:
    """The attacker looks up the table, the target stands so far away and shows the side asked for."""
    heading = FACINGS[situation.facing] if target.is_vehicle or target.is_artillery else 180
    theirs = ground.shape_of(target)
    own = 0 if attacker.is_vehicle else max(ground.shape_of(attacker).width, _gun_width(attacker)) * 5
    across = situation.facing == "side" and target.is_vehicle
    depth = (theirs.width if across else theirs.length) if target.is_vehicle else max(theirs.width, _gun_width(target))
    y = Y - (far * 254 + own + depth * 5) // 10  # never more than asked for
    state.table = _table(situation.cover, situation.attacker_cover, y, depth, own // 5)
    _put(state, attacker, Y, 0)
    _put(state, target, y, heading)


def _gun_width(unit: Unit) -> int:
    return ground.gun_shape(unit).width if unit.is_artillery else 0


def _put(state: State, unit: Unit, y: int, heading: int) -> None:
    """All models on one spot, as one body: everybody sees and measures alike."""
    unit.heading = heading
    shape = ground.shape_of(unit)
    body: Body = state.table.stand(shape, X, y, heading if unit.is_vehicle else 0, (unit.id, 0))
    unit.bodies = [body] * len(unit.men)
    if unit.is_artillery:
        unit.gun = state.table.stand(ground.gun_shape(unit), X, y, heading, (unit.id, "gun"))


@lru_cache(maxsize=512)
def _table(cover: str, attacker_cover: str, y: int, size: int, own: int) -> MeasuredTable:
    """The empty table, with something to hide in."""
    pieces = []
    for name, kind, at, wide in (("target", COVERS[cover], y, size), ("attacker", COVERS[attacker_cover], Y, own)):
        if kind:
            half, deep = 200, wide // 2 + 6
            corners = [(X - half, at - deep), (X + half, at - deep), (X + half, at + deep), (X - half, at + deep)]
            pieces.append(Piece(f"cover of the {name}", ground.KINDS[kind], [corners]))
    return MeasuredTable(SIDE, SIDE, pieces)


def _range(attacker: Unit, target: Unit, situation: KonfliktSituation) -> int:
    """As far as most weapons reach without being at long range; 9 inches for an assault that begins far away."""
    if situation.close:
        return 9
    names = [name.lower() for name in situation.weapons]
    usable = [
        weapon
        for man in attacker.men
        for weapon in (attacker.weapon(index) for index in attacker.weapons_of(man))
        if weapon.shoots and (not names or any(name in weapon.name.lower() for name in names))
    ]
    if not usable:
        return 6
    fitting = [weapon for weapon in usable if not target.is_armoured or not weapon.small_arm] or usable
    ranges = sorted({max(weapon.range // 2, weapon.min_range) for weapon in fitting}, reverse=True)
    return max(ranges, key=lambda far: sum(w.min_range <= far <= max(w.range // 2, w.min_range) for w in fitting))


# -- states ------------------------------------------------------------------------------------------------------


def _weaken(rules: Konflikt47, state: State, unit: Unit, left: int | None, policy: str) -> None:
    """Take casualties until so many models are left."""
    if left is None:
        return
    full = len(unit.men)
    if not 1 <= left <= full:
        raise OddsError(f"{unit.card.name} can have from 1 to {full} models left, not {left}")
    for man in casualty_order(unit, policy)[: full - left]:
        unit.lose(man)
    if any(man.is_a("nco") for man in unit.card.men) and not unit.carries("nco"):
        unit.nco_lost = True
    rules.outfit.refresh(state, unit)


def _give(unit: Unit, party: Party) -> None:
    unit.pins = party.pins
    for name in party.tokens:
        word = name.lower().replace("-", " ")
        if word in ORDERS:
            unit.order = word
        elif word == "immobilised":
            unit.immobilised = True
        elif word == "nco lost":
            unit.nco_lost = True
        else:
            raise OddsError(f"there is no order or state '{name}'; expected one of {', '.join((*ORDERS, *STATES))}")


ROLE_WORTH = {"officer": 5, "gunner": 4, "medic": 4, "character": 4, "nco": 3, "observer": 3, "spotter": 2}


def casualty_order(unit: Unit, policy: str = "cheapest") -> list[int]:
    """Models in the order in which they are missed least: no role, then the most common weapons."""
    carried = [index for man in unit.men for index in unit.card.men[man].weapons]

    def worth(man: int) -> tuple[int, int, int]:
        soldier = unit.card.men[man]
        role = max((ROLE_WORTH.get(role, 0) for role in soldier.roles), default=0)
        rarest = max((-carried.count(index) for index in soldier.weapons), default=-99)
        return role, rarest, -man

    order = sorted(unit.men, key=worth)
    if policy == "leader":
        leaders = [man for man in order if unit.card.men[man].roles]
        return leaders[::-1] + [man for man in order if man not in leaders]
    return order


__all__ = ["ATTACKER", "POINT_BLANK", "TARGET", "KonfliktSituation", "Range", "build", "casualty_order", "taken"]
