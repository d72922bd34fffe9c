"""Orders: Radioman, Command Squad, Black Ops, Superhuman, Heroic Stand
(dw.ability.radioman, dw.ability.command_squad_*, dw.ability.black_ops, dw.ability.superhuman*,
dw.ability.heroic_stand).
"""

from __future__ import annotations

from dieselfront.dice import Throw
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.warfare.events import Used
from dieselfront.rulesets.warfare.firing import Strike
from dieselfront.rulesets.warfare.hooks import Ability
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.profiles import COMMAND_RANGE
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.rulesets.warfare.throws import inverted

HEROIC_STAND = "Heroic Stand"


class Radioman(Ability):
    """Each radioman carries one order a phase beyond command range (dw.command.radioman, dw.open.radioman_wording) and
    may spot for artillery."""

    name = "Radioman"
    rule = "dw.ability.radioman"

    def on_radios(self, radios: int, unit: Unit, state: State) -> int:
        return radios + len(unit.bearers(self.name))

    def on_spots(self, may: bool, unit: Unit, man: int, state: State) -> bool:
        return may or man in unit.bearers(self.name)


class CommandSquad(Ability):
    """One more order for the side, however many such units it has (dw.ability.command_squad_order)."""

    name = "Command Squad"
    rule = "dw.ability.command_squad_order"

    def on_order_bonus(self, orders: int, unit: Unit, state: State) -> int:
        return max(orders, 1)


class BlackOps(Ability):
    """One free order in each Command phase, anywhere on the battlefield (dw.ability.black_ops,
    dw.open.black_ops_shared)."""

    name = "Black Ops"
    rule = "dw.ability.black_ops"

    def on_free_order(self, rule: str, unit: Unit, state: State) -> str:
        return self.rule if unit.on_table else rule


class Superhuman(Ability):
    """A hero who never joins a unit, nor is joined (dw.ability.superhuman)."""

    name = "Superhuman"
    rule = "dw.ability.superhuman"

    def on_joins(
        self, refusal: tuple[str, str] | None, joiner: Unit, unit: Unit, state: State
    ) -> tuple[str, str] | None:
        return (self.rule, f"{joiner.name} is superhuman and never joins a unit")


class SuperhumanOrders(Ability):
    """Issues orders as a Command Section does, but no special orders (dw.ability.superhuman_orders)."""

    name = "Superhuman"
    rule = "dw.ability.superhuman_orders"

    def on_command_range(self, inches: int, unit: Unit, state: State) -> int:
        return max(inches, COMMAND_RANGE)


class HeroicStand(Ability):
    """Once per game, in the Command phase: from then on armor rolls are inverted and markers have no effect, not even
    on cover (dw.ability.heroic_stand, dw.open.heroic_stand_cover)."""

    name = HEROIC_STAND
    rule = "dw.ability.heroic_stand"

    def on_command_uses(self, uses: list[str], unit: Unit, state: State) -> list[str]:
        return uses if unit.has_used(self.name) or not unit.on_table else [*uses, self.name]

    def on_command_use(self, play: Play, unit: Unit, name: str) -> Procedure:
        if name == self.name:
            unit.use(self.name)
            play.emit(Used(self.rule, unit.id, self.name))
        return
        yield

    def on_suppressed(self, counts: bool, unit: Unit, state: State) -> bool:
        return counts and not unit.has_used(self.name)

    def on_armor_throw(self, throw: Throw, strike: Strike) -> Throw:
        if not strike.target.has_used(self.name):
            return throw
        return inverted(throw, self.rule, "Heroic Stand")
