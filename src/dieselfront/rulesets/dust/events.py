"""What can happen in a Dust game: typed events, each with its rule and its sentence."""

from __future__ import annotations

from typing import Any, ClassVar

from dieselfront.kernel.events import Event


class TurnBegan(Event, frozen=True, tag=True):
    turn: int

    says: ClassVar[str] = "Turn {turn} begins"


class TurnEnded(Event, frozen=True, tag=True):
    turn: int

    says: ClassVar[str] = "Turn {turn} ends"


class InitiativeWon(Event, frozen=True, tag=True):
    side: int
    counts: tuple[int, int]

    says: ClassVar[str] = "{side} wins the initiative ({counts})"


class FirstChosen(Event, frozen=True, tag=True):
    side: int

    says: ClassVar[str] = "{side} takes the first activation"


class Deployed(Event, frozen=True, tag=True):
    unit: str
    where: tuple[int, ...]
    facing: int

    says: ClassVar[str] = "{unit} deploys at {where}"


class Passed(Event, frozen=True, tag=True):
    side: int

    says: ClassVar[str] = "{side} passes"


class Activated(Event, frozen=True, tag=True):
    unit: str

    says: ClassVar[str] = "{unit} activates"


class ActionsDeclared(Event, frozen=True, tag=True):
    unit: str
    actions: tuple[str, ...]

    says: ClassVar[str] = "{unit} declares: {actions}"


class Moved(Event, frozen=True, tag=True):
    unit: str
    path: tuple[int, ...]
    where: tuple[int, ...]
    facing: int
    cost: int

    says: ClassVar[str] = "{unit} moves to {where} for {cost}"


class Turned(Event, frozen=True, tag=True):
    unit: str
    where: tuple[int, ...]
    facing: int

    says: ClassVar[str] = "{unit} turns to face {facing}"


class WeaponsDeclared(Event, frozen=True, tag=True):
    """One line per pool: weapon, how many of them, and where they are aimed."""

    unit: str
    pools: tuple[tuple[str, int, str], ...]
    close: bool

    says: ClassVar[str] = "{unit} aims {pools}"


class PoolPlanned(Event, frozen=True, tag=True):
    """The plan of a pool before its dice fall."""

    unit: str
    target: str
    weapon: str
    dice: int
    cover: bool
    reasons: tuple[tuple[str, str], ...]

    says: ClassVar[str] = "{unit} attacks {target} with {weapon}: {dice} dice"


class Hits(Event, frozen=True, tag=True):
    unit: str
    target: str
    weapon: str
    hits: int
    saved: int

    says: ClassVar[str] = "{unit} scores {hits} hits on {target} with {weapon}, {saved} saved"


class SoldierLost(Event, frozen=True, tag=True):
    unit: str
    soldier: str
    left: int

    says: ClassVar[str] = "{unit} loses one {soldier}, {left} left"


class Damaged(Event, frozen=True, tag=True):
    unit: str
    part: str
    points: int
    left: int

    says: ClassVar[str] = "{part} takes {points} damage, {left} left"


class Healed(Event, frozen=True, tag=True):
    unit: str
    part: str
    points: int

    says: ClassVar[str] = "{part} recovers {points}"


class Eliminated(Event, frozen=True, tag=True):
    unit: str
    by: int

    says: ClassVar[str] = "{unit} is eliminated"


class TokenGained(Event, frozen=True, tag=True):
    unit: str
    token: str

    says: ClassVar[str] = "{unit} is {token}"


class TokenLost(Event, frozen=True, tag=True):
    unit: str
    token: str

    says: ClassVar[str] = "{unit} is no longer {token}"


class TokenRefused(Event, frozen=True, tag=True):
    unit: str
    token: str

    says: ClassVar[str] = "{unit} cannot be {token}"


class Reacts(Event, frozen=True, tag=True):
    unit: str
    to: str

    says: ClassVar[str] = "{unit} tries to react to {to}"


class TerrainChanged(Event, frozen=True, tag=True):
    feature: str
    where: tuple[int, ...]
    added: bool

    says: ClassVar[str] = "{feature} at {where}"


class CriticalHit(Event, frozen=True, tag=True):
    unit: str
    result: str

    says: ClassVar[str] = "Critical hit on {unit}: {result}"

    def sentence(self, names: Any = None) -> str:
        return super().sentence(names).replace(self.result, self.result.replace("_", " "))


class Scored(Event, frozen=True, tag=True):
    side: int
    points: int
    why: str

    says: ClassVar[str] = "{side} scores {points} ({why})"


class Happened(Event, frozen=True, tag=True):
    """Anything that needs no fields of its own; the sentence is written where the rule is applied."""

    text: str
    unit: str = ""

    says: ClassVar[str] = "{text}"
