"""Setting up: from header to first position, and deploying units one by one (d47.setup.*)."""

from __future__ import annotations

from collections.abc import Generator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.forces import DustCard
from dieselfront.forces.twins import told_apart
from dieselfront.kernel.decisions import PickOne, Place, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import by_unit
from dieselfront.rulesets.dust.events import Deployed
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import HIDDEN, LOST, OFF_BOARD, DustState, Part, Side, Unit
from dieselfront.rulesets.dust1947 import scenario as scenarios
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.scenario import FACING_NAMES

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947

ALL_FACINGS = (0, 1, 2, 3)


@lru_cache(maxsize=2048)
def _card(plain: bytes) -> DustCard:
    return msgspec.convert(msgspec.json.decode(plain), DustCard)


class Setup:
    """The first position and the deployment."""

    rule = "d47.setup.board"

    def new_state(self, rules: Dust1947, header: Any) -> DustState:
        """Board, sides and units from the header of a game."""
        scenario = scenarios.read(header.scenario)
        table = scenarios.build(scenario, rules.terrain)
        forts = scenarios.forts(scenario, table)
        sides: list[Side] = []
        units: list[Unit] = []
        for side, force in enumerate(header.forces):
            sides.append(Side(force.get("name", f"Side {side + 1}"), force.get("bloc", "")))
            sides[side].reserves_left = scenario.reserve
            units += self.units(rules, force, side)
        self.tell_apart(units)
        table = scenarios.with_forts(table, forts)
        state = DustState(table, sides, units, scenario, dict(header.options))
        state.forts = (*forts, *rules.works.strongpoints(units))
        state.objectives = scenarios.objectives(scenario, table)
        return state

    def units(self, rules: Dust1947, force: dict[str, Any], side: int) -> list[Unit]:
        """The units of a force; heroes join squads and vehicles before the game.

        d47.hero.join_before_game, d47.pilot.before_game.
        """
        cards = {key: self.card(plain) for key, plain in force["cards"].items()}
        made: list[Unit] = []
        for number, entry in enumerate(force["units"], 1):
            own = [cards[card_id] for card_id in entry["cards"]]
            parts = [Part(card, "main" if place == 0 else "joined") for place, card in enumerate(own)]
            for part in parts:
                part.other = self._second_profile(part.card, cards)
            if entry.get("pilot"):
                parts.append(Part(cards[entry["pilot"]], "pilot"))
            name = " + ".join(part.card.name for part in parts)
            unit = Unit(entry.get("id") or f"{'ab'[side]}{number}", side, parts, name)
            unit.aboard = entry.get("aboard", "")
            rules.index(unit)
            made.append(unit)
        return made

    def _second_profile(self, card: DustCard, cards: dict[str, DustCard]) -> DustCard | None:
        """The profile that a wounded hero turns into, among the force's cards; it is worth as much as the first."""
        for other in cards.values():
            if other.alternate_profile and other.variant_of == card.name and not card.alternate_profile:
                return msgspec.structs.replace(other, points=card.points)
        return None

    def card(self, plain: Any) -> DustCard:
        """A card of a header; the same card is read once a process."""
        return plain if isinstance(plain, DustCard) else _card(msgspec.json.encode(plain))

    def tell_apart(self, units: list[Unit]) -> None:
        """Two units of one name, on whatever side, are told apart by a number."""
        for unit, name in zip(units, told_apart([unit.name for unit in units]), strict=True):
            unit.name = name

    # -- deployment -----------------------------------------------------------------------------

    def deploy(self, play: Play) -> Procedure:
        """Weather and fortifications first; then players take turns to place a unit each, until all stand."""
        state = play.state
        yield from play.rules.weather.settle_severity(play)
        if state.forts and (yield from play.rules.works.raise_next(play)):
            return
        waiting = self.to_place(play, state.to_act)
        if not waiting:
            if self.to_place(play, 1 - state.to_act):
                state.to_act = 1 - state.to_act
                return
            self._begin_battle(play)
            return
        chosen = yield PickOne(
            state.to_act,
            "deploy-unit",
            [unit.id for unit in waiting],
            labels=lambda unit_id: state.by_id[unit_id].name,
            text="Deploy a unit",
            rule="d47.setup.scenario_and_points",
            act="deploy",
            about=by_unit("deploy"),
        )
        unit = state.by_id[chosen]
        if unit.has("Strongpoint"):
            yield from play.rules.works.man(play, unit)
            state.to_act = 1 - state.to_act
            return
        if self._manner(play, unit) == "choose" and (yield self._staying_off(unit)):
            unit.set(HIDDEN)
            state.to_act = 1 - state.to_act
            return
        spots = self.room(play, unit)
        if not spots:
            play.rules.ground.lift(unit, LOST)
            return
        spot, facing = yield from self.choose_spot(play, unit, spots)
        play.rules.ground.put(state, unit, spot, facing)
        play.emit(Deployed(self.rule, unit.id, unit.where, unit.facing))
        state.to_act = 1 - state.to_act

    def room(self, play: Play, unit: Unit) -> Any:
        """Where a unit may be set up, worked out once for a game and its copies."""
        return play.now(lambda: self.spots(play, unit))

    def to_place(self, play: Play, side: int) -> list[Unit]:
        """Units that still have to be put on the board."""
        return [
            unit
            for unit in play.state.units
            if unit.side == side
            and unit.status == OFF_BOARD
            and not unit.aboard
            and not unit.is_(HIDDEN)
            and self._manner(play, unit) != "off"
        ]

    def _manner(self, play: Play, unit: Unit) -> str:
        """Placed like most units, by choice, or entering later by a rule of its own."""
        manner: str = ask(unit.effects, "on_deploy", "place", unit, play)
        return manner

    def _staying_off(self, unit: Unit) -> YesNo:
        """A unit that may begin off the board."""
        text = f"{unit.name}: keep it off the board?"
        return YesNo(
            unit.side,
            "stay-off",
            text=text,
            rule="d47.skill.spy_options",
            unit=unit.id,
            act="wait",
        )

    def spots(self, play: Play, unit: Unit) -> dict[int, int]:
        """Free legal squares of its deployment area."""
        state = play.state
        zone = state.scenario.deploy[unit.side]
        ground = play.rules.ground
        mover = ground.mover(unit)
        occupancy = ground.occupancy(state, unit)
        table = state.table
        inside = {place for fort in state.forts for place in fort.interior}
        area = set(scenarios.squares(table, zone.squares)) - inside
        size = unit.card.size
        if size == "standard":
            spots = dict.fromkeys(table.stops_among(mover, sorted(area), occupancy), 0)
        else:
            facing = FACING_NAMES[zone.facing]
            stances = [(place, facing) for place in sorted(area) if table.fits(size, (place, facing))]
            whole = [stance for stance in stances if area.issuperset(table.footprint(size, stance))]
            spots = {stance[0]: 0 for stance in whole if table.can_stop(mover, stance, occupancy)}
        if unit.is_infantry and state.forts:
            spots |= play.rules.works.free_squares(play, unit)
        return spots

    def choose_spot(self, play: Play, unit: Unit, spots: dict[int, int]) -> Generator[Any, Any, tuple[int, int | None]]:
        """Its owner places the unit."""
        spot, facing = yield self.placement(play, unit, spots)
        return spot, facing

    def facing(self, state: DustState, side: int) -> int:
        """The way a side looks when it comes onto the board."""
        return FACING_NAMES[state.scenario.deploy[side].facing]

    def placement(self, play: Play, unit: Unit, spots: dict[int, int]) -> Place:
        """Where to stand and which way to look."""
        zone = play.state.scenario.deploy[unit.side]
        facing = FACING_NAMES[zone.facing]
        turns = ALL_FACINGS if unit.card.size == "standard" and not unit.is_infantry else (facing,)
        table = play.state.table
        return Place(
            unit.side,
            "deploy",
            spots,
            turns,
            labels=lambda spot: table.name(spot),
            text=f"{unit.name}: where does it deploy?",
            rule="d47.setup.board",
            unit=unit.id,
            act="deploy",
        )

    def _begin_battle(self, play: Play) -> None:
        state = play.state
        for unit in state.units:
            if unit.aboard:
                play.rules.transport.begin_aboard(play, unit)
            for answer in unit.effects.get("on_fielded", ()):
                answer(play, unit)
        state.phase = "turn"
