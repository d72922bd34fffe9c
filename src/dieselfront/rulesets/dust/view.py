"""What the Dust games show: names for the log, and the parts of positions that screens show."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from dieselfront.forces import DustCard
from dieselfront.kernel.by_identity import ByIdentity
from dieselfront.kernel.views import (
    MeasuredView,
    Number,
    ObjectiveView,
    PartView,
    PoolView,
    SideView,
    SquaresView,
    TurnStep,
    UnitView,
    View,
    WeaponView,
)
from dieselfront.rulesets.dust.state import ACTIVATED, ON_BOARD, RESERVE, TOKEN_NAMES, DustState, Part, Unit

Namer = Callable[[str, Any], Any]

FACING_WORDS = ("north", "east", "south", "west")
UNIT_FIELDS = frozenset({"unit", "target", "to", "carrier", "by_unit", "other"})
PLACE_FIELDS = frozenset({"where", "path", "places", "place"})
SIDE_FIELDS = frozenset({"side", "player", "winner"})


def namer(state: DustState, place_name: Callable[[int], str]) -> Namer:
    """What turns the fields of an event into what people call them."""

    def name(field: str, value: Any) -> Any:
        if field in UNIT_FIELDS and isinstance(value, str):
            return unit_name(state, value)
        if field in PLACE_FIELDS and isinstance(value, tuple):
            return ", ".join(place_name(place) for place in value) or "nowhere"
        if field in SIDE_FIELDS and isinstance(value, int) and 0 <= value < len(state.sides):
            return state.sides[value].name
        if field == "facing" and isinstance(value, int):
            return FACING_WORDS[value]
        if field == "counts":
            return " to ".join(str(count) for count in value)
        if field == "actions":
            return actions_in_words(value)
        if field == "pools":
            return pools_in_words(state, value, place_name)
        if field == "feature" and isinstance(value, str):
            return value.replace("_", " ")
        return value

    return name


def unit_name(state: DustState, unit_id: str) -> str:
    """A unit's name; an id that is none (a terrain piece, say) stays as it is."""
    unit = state.by_id.get(unit_id)
    return unit.name if unit is not None else unit_id


def actions_in_words(actions: tuple[str, ...]) -> str:
    """A sequence of actions as the rulebook names them."""
    words = [action.removeprefix("special:").replace("free:", "free ") for action in actions]
    return ", ".join(words) or "nothing"


def pools_in_words(state: DustState, pools: Any, place_name: Callable[[int], str]) -> str:
    """Which weapons are aimed where, target by target."""
    aimed: dict[str, list[str]] = {}
    for weapon, count, aim in pools:
        where = unit_name(state, aim)
        where = place_name(int(where)) if where.isdigit() else where
        aimed.setdefault(where, []).append(f"{count} × {weapon}" if count > 1 else weapon)
    return "; ".join(", ".join(weapons) + (f" at {where}" if where else "") for where, weapons in aimed.items())


class DustPart(PartView, frozen=True, kw_only=True):
    """A card's models, with who is left of them and which skills are used up."""

    soldiers: list[str]
    spent: list[str]


class DustUnit(UnitView, frozen=True, kw_only=True):
    """A unit, with the circle round its leader where it has one, in millimetres."""

    circle: Number | UnsetType = UNSET


class DustView(View, frozen=True, kw_only=True):
    """The position, with the winner once there is one."""

    winner: int | None
    ruleset: str | UnsetType = UNSET


MOST_UNITS = 4096
"""So many units are remembered as they were shown last; most stand as they stood when the next choice is made."""
_shown_units: dict[Any, tuple[DustUnit, list[DustCard]]] = {}


def unit_view(unit: Unit, place_name: Callable[[int], str]) -> DustUnit:
    """A unit as screens show it. What is inside may be shared with other views: it is to be read."""
    key = _looks(unit)
    known = _shown_units.get(key)
    if known is None:
        if len(_shown_units) >= MOST_UNITS:
            _forget_oldest()
        # Cards are known by their identity, so they are kept as long as what was made of them.
        known = _shown_units[key] = made_view(unit), [part.card for part in unit.parts]
    return replace(known[0], places=[place_name(place) for place in unit.where])


def _looks(unit: Unit) -> tuple[Any, ...]:
    """All that a unit's view is made of, but for its places."""
    parts = [
        (id(part.card), part.role, part.alive, part.damage, part.unloaded, part.broken, part.spent, _marks(part))
        for part in unit.parts
    ]
    place = unit.side, unit.status, unit.facing, unit.aboard
    return unit.id, unit.name, *place, unit.flags, unit.criticals, *parts


def _marks(part: Part) -> tuple[tuple[int, int], ...] | None:
    return tuple(part.ammo.items()) if part.ammo else None


def _forget_oldest() -> None:
    for key in list(_shown_units)[: MOST_UNITS // 4]:
        _shown_units.pop(key, None)


def made_view(unit: Unit) -> DustUnit:
    """The same from the beginning, its places left out."""
    card = unit.card
    return DustUnit(
        id=unit.id,
        name=unit.name,
        side=unit.side,
        card=card.id,
        kind=card.kind,
        armour=card.armour_class,
        locomotion=card.locomotion,
        size=card.size,
        status=unit.whereabouts,
        places=[],
        facing=unit.facing,
        models_left=unit.models,
        models_max=sum(part.card.models for part in unit.parts if part.role != "pilot"),
        damage=unit.main.damage,
        damage_max=0 if unit.main.squad else card.damage,
        left=sum(part.left for part in unit.fighters()),
        left_max=sum(part.card.models if part.squad else part.card.damage for part in unit.fighters()),
        tokens=markers(unit),
        activated=unit.activated,
        criticals=list(unit.criticals),
        aboard=unit.aboard,
        points=unit.points,
        parts=[part_view(part) for part in unit.parts],
    )


def markers(unit: Unit) -> list[str]:
    """What lies beside a unit; that it was activated is shown by itself."""
    return list(_words_of(unit.flags & ~ACTIVATED))


@lru_cache(maxsize=1024)
def _words_of(flags: int) -> tuple[str, ...]:
    return tuple(name for flag, name in TOKEN_NAMES.items() if flags & flag)


def part_view(part: Part) -> DustPart:
    """One card's models inside a unit, with weapons and what is left of their ammunition."""
    card = part.card
    skills, weapons = printed(card)
    if part.ammo or part.unloaded or part.broken:
        weapons = [weapon_view(part, index) for index in range(len(card.weapons))]
    soldiers = card.soldiers
    return DustPart(
        card=card.id,
        name=card.name,
        role=part.role,
        soldiers=[soldiers[soldier].name for soldier in part.alive],
        damage=part.damage,
        spent=list(part.spent),
        skills=skills,
        weapons=weapons,
    )


@ByIdentity
def printed(card: DustCard) -> tuple[list[str], list[WeaponView]]:
    """The skills and unused weapons of a card, made once a card; not to be changed."""
    unused = Part(card)
    return [str(ref) for ref in card.skills], [weapon_view(unused, index) for index in range(len(card.weapons))]


def weapon_view(part: Part, index: int) -> WeaponView:
    """A weapon line: what it is and whether it can still fire."""
    weapon = part.card.weapons[index]
    boxes = None if weapon.ammo is None else weapon.ammo * weapon.count
    return WeaponView(
        id=weapon.id,
        name=weapon.name,
        count=weapon.count,
        range=weapon.range_text,
        ammo=boxes,
        ammo_left=None if boxes is None else max(0, boxes - part.marked(index)),
        loaded=part.is_loaded(index),
        broken=bool(part.broken >> index & 1),
    )


def position_view(
    state: DustState,
    units: list[UnitView],
    table: SquaresView | MeasuredView,
    objectives: list[ObjectiveView],
    score: list[int],
    ruleset: str | UnsetType = UNSET,
) -> DustView:
    """A position with everything that all Dust games show alike."""
    scenario = state.scenario
    return DustView(
        ruleset=ruleset,
        turn=state.turn,
        turns=getattr(scenario, "turns", 0),
        scenario=getattr(scenario, "name", ""),
        phase=state.phase,
        to_act=state.to_act,
        winner=state.winner,
        weather=state.weather,
        sides=[SideView(side.name, side.points_scored, side.bloc) for side in state.sides],
        units=units,
        table=table,
        objectives=objectives,
        score=score,
        steps=[
            TurnStep("Initiative", state.phase == "turn"),
            TurnStep("Activations", state.phase == "activations"),
        ],
        pools=[activations_left(state)],
    )


def activations_left(state: DustState) -> PoolView:
    """How many units of each side have still to activate this turn."""
    alive = [unit for unit in state.units if unit.status in (ON_BOARD, RESERVE)]
    waiting = [unit for unit in alive if not unit.activated]
    left, total = ([sum(unit.side == side for unit in units) for side in (0, 1)] for units in (waiting, alive))
    return PoolView("To activate", left, total)
