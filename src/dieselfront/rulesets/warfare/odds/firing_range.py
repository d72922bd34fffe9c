"""The firing range of Dust Warfare: two units on an empty table, placed as the situation says, ready for the rules.

All figures of a unit stand on one spot, so that "12 inches away" holds for every weapon. Cover is craters or a trench
under the target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from dieselfront.odds.games import Asked, OddsError, within
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.battle import Battle
from dieselfront.rulesets.warfare.firing import ATTACK, SUSTAINED
from dieselfront.rulesets.warfare.odds import trial
from dieselfront.rulesets.warfare.reactions import REACTION_INCHES
from dieselfront.rulesets.warfare.state import HIGH, LOW, TABLE, State, Unit
from dieselfront.rulesets.warfare.terrain import KINDS
from dieselfront.rulesets.warfare.unit_cards import WarfareCard
from dieselfront.table.measured.shapes import distance
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Piece

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

ATTACKER, TARGET = "a1", "b1"
SIDE = 3048  # millimetres: ten feet
X, Y = 1524, 2900  # where the attacker stands, looking up the table
COVERS = {"none": "", "soft": "crater", "hard": "trench"}
FACINGS = {"front": 180, "side": 90, "rear": 0}
FARTHEST = 96
NEAREST = 1


class WarfareSituation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about an attack that the two cards do not tell; what is left out is the plain case."""

    range: Annotated[int | None, Asked("Inches between them; default: most weapons bear.")] = None
    """Inches between the bases; by default as far as most weapons reach."""
    cover: Annotated[
        str, Asked("The target is in soft cover.", "--cover", values=(("--hard", "hard"), ("--cover", "soft")))
    ] = "none"
    """The target's cover: none, soft or hard."""
    sustained: Annotated[bool, Asked("A sustained attack.")] = False
    """Both actions are used for the attack: misses are rolled again."""
    close: Annotated[bool, Asked("Close combat.")] = False
    """With close combat weapons, from an inch away."""
    facing: Annotated[str, Asked("The side of the target shot at: front, side or rear.")] = "front"
    """The side of the target that is turned to the attacker: front, side or rear."""
    suppression: Annotated[int, Asked("Suppression markers on the target.", least=0)] = 0
    """Suppression markers on the target before the attack."""
    dirt: Annotated[bool, Asked("The target hits the dirt.")] = False
    """The target reacts by hitting the dirt."""
    reaction: Annotated[bool, Asked("The target fires back, both at once.")] = False
    """The target reacts with an attack; both are rolled and applied together."""
    high: Annotated[bool, Asked("A target aircraft flies high.")] = False
    """A target that is an aircraft flies high, not low."""
    damage: Annotated[int, Asked("Damage the target has already.", least=0)] = 0
    """Points of damage the target (a machine or a hero) has already."""
    target_tokens: Annotated[
        tuple[str, ...], Asked("An effect of the damage table on the target: hull breach ...", "--token")
    ] = ()
    """Effects of the damage table on the target."""
    target_left: Annotated[int | None, Asked("Figures the target has left.", "--left")] = None
    """Figures the target has left; by default all."""
    attacker_left: Annotated[int | None, Asked("The same of the attacker.")] = None
    """Figures the attacker has left; by default all."""
    weapons: Annotated[tuple[str, ...], Asked("Only this weapon; may be repeated.", "--weapon", "-w")] = ()
    """Only these weapons, by name."""
    skills: Annotated[tuple[str, ...], Asked("Use this ability where it is a choice: Headshot.", "--use")] = ()
    """Optional abilities of the attacker that are used."""
    options: Annotated[
        dict[str, str], Asked("A house ruling, NAME=CHOICE; may be repeated.", "--option", "-o", holds="rulings")
    ] = {}
    """House rulings of the game, by name."""

    def but(self, **changes: Any) -> WarfareSituation:
        """The same situation with something changed."""
        return msgspec.structs.replace(self, **changes)

    def words(self) -> str:
        """The situation in a few words."""
        said = [f'range {self.range}"'] if self.range is not None else []
        said.append("target in the open" if self.cover == "none" else f"target in {self.cover} cover")
        said += ["sustained"] if self.sustained else []
        said += ["close combat"] if self.close else []
        said += [f"at its {self.facing}"] if self.facing != "front" else []
        said += [f"target with {self.suppression} suppression"] if self.suppression else []
        said += ["target hits the dirt"] if self.dirt else []
        said += ["target fires back"] if self.reaction else []
        said += ["target flies high"] if self.high else []
        said += [f"target with {self.damage} damage"] if self.damage else []
        said += [f"target: {token}" for token in self.target_tokens]
        said += [f"using {skill}" for skill in self.skills]
        return ", ".join(said)


class Range(NamedTuple):
    """The two units and the position they are in."""

    state: State
    attacker: Unit
    target: Unit
    range: int


def build(rules: Warfare, attacker: WarfareCard, target: WarfareCard, situation: WarfareSituation) -> Range:
    """Set the two units up as the situation says."""
    _check(situation)
    mine, theirs = Unit(ATTACKER, 0, attacker), Unit(TARGET, 1, target)
    _reduce(mine, situation.attacker_left, "--attacker-left")
    _reduce(theirs, situation.target_left, "--left")
    battle = Battle(id="firing-range", name="Firing range", size=(SIDE / 25.4, SIDE / 25.4))
    state: State = rules.position([mine, theirs], MeasuredTable(SIDE, SIDE, []), situation.options, battle)
    state.turn, state.phase = 1, "units"
    for unit in (mine, theirs):
        unit.place = TABLE
        unit.altitude = (HIGH if situation.high and unit is theirs else LOW) if unit.is_aircraft else ""
    _mark(theirs, situation)
    inches = situation.range if situation.range is not None else _usual(rules, state, mine, theirs, situation)
    _stand(state, mine, theirs, inches, situation)
    return Range(state, mine, theirs, inches)


def _check(situation: WarfareSituation) -> None:
    if situation.cover not in COVERS:
        raise OddsError(f"cover is none, soft or hard, not '{situation.cover}'")
    if situation.facing not in FACINGS:
        raise OddsError(f"--facing is front, side or rear, not '{situation.facing}'")
    if situation.dirt and situation.reaction:
        raise OddsError("a unit reacts once: either --dirt or --reaction")
    within("--range", situation.range, 0, FARTHEST)
    within("--suppression", situation.suppression, 0, 20)


def _reduce(unit: Unit, left: int | None, flag: str) -> None:
    if left is None:
        return
    within(flag, left, 1, len(unit.figures))
    unit.men = unit.men[:left]


def _mark(unit: Unit, situation: WarfareSituation) -> None:
    """Markers, damage and effects of the target."""
    from dieselfront.rulesets.warfare.damage_tables import table_of

    if unit.is_soldier:
        unit.suppression = situation.suppression + int(situation.dirt)
    elif situation.suppression or situation.dirt:
        raise OddsError(f"{unit.name} is no soldier unit: it is neither suppressed nor hits the dirt")
    if situation.damage:
        within("--damage", situation.damage, 0, unit.capacity(unit.men[0]) - 1)
        unit.wounds[unit.men[0]] = situation.damage
    known = [row.effect for row in table_of(unit) if row.effect] if unit.is_machine else []
    for effect in situation.target_tokens:
        if effect.lower() not in known:
            raise OddsError(f"{unit.name} has no effect '{effect}'; expected {', '.join(known) or 'none'}")
        unit.effects = (*unit.effects, effect.lower())


def _stand(state: State, mine: Unit, theirs: Unit, inches: int, situation: WarfareSituation) -> None:
    """One in front of the other, their bases so many inches apart; the target's cover lies under it alone."""
    state.table = MeasuredTable(SIDE, SIDE, [])
    ground.stand(state.table, mine, [(X, Y)] * len(mine.men), 0)
    y = Y - round(inches * 25.4)
    for _ in range(4):
        ground.stand(state.table, theirs, [(X, y)] * len(theirs.men), FACINGS[situation.facing])
        near = min(distance(a, b) for a in mine.bodies for b in theirs.bodies)
        y -= (inches * ground.INCH - near) // 10  # whole millimetres: rather a hair too near than out of range
        if y < 100:
            raise OddsError(f'{mine.name} and {theirs.name} cannot be {inches}" apart')
    kind = COVERS[situation.cover]
    if kind:
        half = max(body.radius for body in theirs.bodies) // 10 + 4
        box = [(X - half, y - half), (X + half, y - half), (X + half, y + half), (X - half, y + half)]
        state.table = MeasuredTable(SIDE, SIDE, [Piece("cover", KINDS[kind], [box])])
        theirs.bodies = ground.settle(state.table, theirs, theirs.bodies)


def _usual(rules: Warfare, state: State, mine: Unit, theirs: Unit, situation: WarfareSituation) -> int:
    """As far as most weapons reach, and near enough to fire back; close combat is fought an inch apart."""
    if situation.close:
        return NEAREST
    far = REACTION_INCHES if situation.reaction else FARTHEST  # dw.reaction.attack_within_12
    reaches = sorted({min(weapon.range, far) for weapon in mine.weapons if weapon.range > 3}, reverse=True)
    best, most = reaches[0] if reaches else NEAREST, 0
    kind = SUSTAINED if situation.sustained else ATTACK
    for inches in reaches:
        _stand(state, mine, theirs, inches, situation)
        shots = max((len(strike.attack.shots) for strike in trial.strikes(rules, state, mine, theirs, kind)), default=0)
        if shots > most:
            best, most = inches, shots
    return best if most else NEAREST


__all__ = ["ATTACKER", "TARGET", "Range", "WarfareSituation", "build"]
