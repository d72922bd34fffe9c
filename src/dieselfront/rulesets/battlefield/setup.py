"""Setting up: sides, the defender, fortifications, who is held back, deployment (bf.setup.*, bf.scenario.*)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.forces import DustCard
from dieselfront.kernel.decisions import PickOne, PickSome
from dieselfront.kernel.game import Play, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.battlefield import scenario as scenarios
from dieselfront.rulesets.battlefield import skills, weapons
from dieselfront.rulesets.battlefield.flags import AMBUSHES
from dieselfront.rulesets.battlefield.forts import Fort, fort_of
from dieselfront.rulesets.battlefield.scenario import BattleScenario
from dieselfront.rulesets.battlefield.zones import BattleZone
from dieselfront.rulesets.dust.events import Deployed, Happened
from dieselfront.rulesets.dust.state import HIDDEN, LOST, OFF_BOARD, RESERVE, DustState, Unit
from dieselfront.rulesets.dust1947.fortifications import PRICES, STRONGPOINT
from dieselfront.rulesets.dust_open import scenario as open_scenarios
from dieselfront.rulesets.dust_open.forts import EDGE, GOAL, OTHERS, TERRAIN, hindrance, lattice
from dieselfront.rulesets.dust_open.places import xy
from dieselfront.rulesets.dust_open.setup import OpenSetup

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947

WHY_NOT_THERE = {
    EDGE: "it must be at least 10 cm from the table edges (bf.fort.spacing)",
    OTHERS: "it must be at least 20 cm from other bunkers and strongpoints (bf.fort.spacing)",
    TERRAIN: "other terrain is in its way (bf.fort.spacing)",
    GOAL: "it may not stand on an objective (bf.fort.placement)",
}

SIDE_CHOSEN, HELD_BACK, LAID = "once side chosen", "once held back", "once ambush laid"


class BattleSetup(OpenSetup):
    """The first position and the deployment."""

    rule = "bf.setup.scenario"

    def read(self, data: dict[str, Any]) -> BattleScenario:
        return scenarios.read(data)

    def card(self, plain: Any) -> DustCard:
        return plain if isinstance(plain, DustCard) else msgspec.convert(plain, DustCard)

    def new_state(self, rules: Dust1947, header: Any) -> DustState:
        if header.options.get("card_skills") != "as_in_1947":
            header = self._without_strange_skills(header)
        state = super().new_state(rules, header)
        battle: BattleScenario = state.scenario
        works = [*scenarios.forts(battle), *self._own_forts(state), *self._bought(header)]
        if battle.defender is not None and self.defender(battle, works) != battle.defender:
            battle = state.scenario = scenarios.swapped(battle)
            works = [*scenarios.forts(battle), *self._own_forts(state), *self._bought(header)]
            state.objectives = open_scenarios.objectives(battle)
        state.forts = tuple(works)
        placed = [fort.piece(state.table.kinds) for fort in works if fort.placed]
        if placed:
            state.table = state.table.with_pieces(placed)
        return state

    def _without_strange_skills(self, header: Any) -> Any:
        """Skills that these rules do not describe have no effect (bf.open.card_skills)."""
        forces = [
            force | {"cards": {id: plain_card(self.card(card)) for id, card in force["cards"].items()}}
            for force in header.forces
        ]
        return msgspec.structs.replace(header, forces=forces)

    def _own_forts(self, state: DustState) -> list[Fort]:
        """Every strongpoint unit brings one, a bunker if it was paid for (bf.fort.cost)."""
        return [
            Fort("bunker" if unit.card.id.endswith("+bunker") else STRONGPOINT, unit.side, unit=unit.id)
            for unit in state.units
            if unit.has("Strongpoint")
        ]

    def _bought(self, header: Any) -> list[Fort]:
        """Works that a force has paid for: a bunker 15 points, a strongpoint 10 (bf.fort.cost)."""
        return [
            Fort(kind, side, price=PRICES[kind])
            for side, force in enumerate(header.forces)
            for kind in force.get("works", ())
        ]

    def defender(self, battle: BattleScenario, works: list[Fort]) -> int:
        """The side with more points of fortifications defends; equal ones leave it to the scenario.

        bf.setup.defender_by_fortification, bf.open.defender_tie, bf.open.free_strongpoint_worth.
        """
        worth = [
            sum(fort.worth for fort in works if fort.side == side and (fort.unit or fort.price)) for side in (0, 1)
        ]
        assert battle.defender is not None
        return battle.defender if worth[0] == worth[1] else int(worth[1] > worth[0])

    # -- before anybody is placed -----------------------------------------------------------------

    def deploy(self, play: Play) -> Procedure:
        """Sides, fortifications, who is held back; then players take turns to place a unit each."""
        state = play.state
        if (yield from self._choose_sides(play)):
            return
        loose = next((fort for fort in state.forts if not fort.placed), None)
        if loose is not None:
            yield from self.raise_fort(play, loose)
            return
        for side in (0, 1):
            if HELD_BACK not in state.sides[side].used:
                yield from self._hold_back(play, side)
                return
            if LAID not in state.sides[side].used:
                yield from self._lay_ambush(play, side)
                return
        yield from self._deploy_one(play)

    def _choose_sides(self, play: Play) -> Any:
        """Who did not lay the terrain chooses his side of the table (bf.setup.side_choice)."""
        state = play.state
        laid_by = state.scenario.terrain_by
        if laid_by is None or SIDE_CHOSEN in state.sides[0].used:
            return False
        chooser = 1 - laid_by
        keep = yield PickOne(
            chooser,
            "table-side",
            ["keep", "change"],
            text="From which side of the table do you fight?",
            rule="bf.setup.side_choice",
            act="choose",
            about=lambda side: About(),
        )
        state.sides[0].used += (SIDE_CHOSEN,)
        if keep == "change":
            state.scenario = scenarios.swapped(state.scenario)
            play.emit(Happened("bf.setup.side_choice", "the sides of the table are changed"))
        return True

    def _hold_back(self, play: Play, side: int) -> Procedure:
        """Everybody in a meeting engagement, at least half of a force with reserves.

        bf.scenario.meeting_entry, bf.scenario.reserves_half, bf.fort.strongpoint_units.
        """
        state = play.state
        state.sides[side].used += (HELD_BACK,)
        arrival = state.scenario.arrival[side]
        able = [u for u in state.of_side(side) if not u.aboard and not u.has("Spy") and not u.has("Strongpoint")]
        if arrival == "meeting":
            for unit in able:
                unit.status = RESERVE
        elif arrival in ("reserves", "delayed") and able:
            least = min(len(able), (len(state.of_side(side)) + 1) // 2)
            kept = yield PickSome(
                side,
                "reserves",
                [unit.id for unit in able],
                least,
                len(able),
                labels=lambda unit_id: state.by_id[unit_id].name,
                text=f"Keep at least {least} units in reserve",
                rule="bf.scenario.reserves_half",
                act="wait",
                about=lambda unit_id: About(act="wait"),
            )
            for unit_id in kept:
                state.by_id[unit_id].status = RESERVE
                play.emit(Happened("bf.scenario.reserves_half", f"{state.by_id[unit_id].name} is in reserve", unit_id))

    def _lay_ambush(self, play: Play, side: int) -> Procedure:
        """One unit may be held in ambush instead of being deployed (bf.scenario.ambush_hold)."""
        state = play.state
        state.sides[side].used += (LAID,)
        able = [
            u.id for u in state.of_side(side) if u.status == OFF_BOARD and not u.aboard and not u.has("Strongpoint")
        ]
        if not state.scenario.ambush[side] or not able:
            return
        chosen = yield PickOne(
            side,
            "ambush",
            [None, *able],
            labels=lambda unit_id: "no ambush" if unit_id is None else state.by_id[unit_id].name,
            text="Which unit lies in ambush?",
            rule="bf.scenario.ambush_hold",
            act="wait",
            about=lambda unit_id: About(act="pass" if unit_id is None else "wait", unit=unit_id or ""),
        )
        if chosen is not None:
            unit = state.by_id[chosen]
            unit.set(AMBUSHES | HIDDEN)
            play.emit(Happened("bf.scenario.ambush_hold", "a unit is held in ambush"))
            yield from self._with_hero(play, unit)

    def _with_hero(self, play: Play, unit: Unit) -> Procedure:
        """A hero who could join it may lie in ambush with it (bf.scenario.ambush_hold)."""
        state, heroes = play.state, play.rules.heroes
        able = [
            hero.id
            for hero in state.of_side(unit.side)
            if hero.status == OFF_BOARD and hero is not unit and heroes.may_join(hero, unit)
        ]
        if not able:
            return
        chosen = yield PickOne(
            unit.side,
            "ambush-hero",
            [None, *able],
            labels=lambda hero: "nobody" if hero is None else state.by_id[hero].name,
            text=f"{unit.name}: does a hero wait with it?",
            rule="bf.scenario.ambush_hold",
            unit=unit.id,
            act="wait",
            about=lambda hero: About(act="pass" if hero is None else "wait", unit=hero or ""),
        )
        if chosen is not None:
            heroes.couple(play, unit, state.by_id[chosen])

    # -- fortifications ---------------------------------------------------------------------------

    def raise_fort(self, play: Play, fort: Fort) -> Procedure:
        """Its owner sets it up in his deployment area (bf.fort.placement, bf.fort.spacing)."""
        spots = self.fort_spots(play.state, fort)
        if not spots:
            play.state.forts = tuple(other for other in play.state.forts if other is not fort)
            play.emit(Happened("bf.fort.placement", f"there is no room for a {fort.kind}"))
            return
        chosen = yield PickOne(
            fort.side,
            "place-fortification",
            spots,
            labels=lambda spot: f"{spot[0] / 10:g}/{spot[1] / 10:g} cm facing {spot[2]}°",
            text=f"Where does the {fort.kind} stand?",
            rule="bf.fort.placement",
            unit=fort.unit,
            act="build",
            about=lambda spot: About(act="build", places=(spot[:2],), facing=spot[2]),
        )
        play.rules.fortifications.build(play, fort, fort.stood(chosen))

    def fort_spots(self, state: DustState, fort: Fort) -> list[tuple[int, int, int]]:
        """Where it may stand: 10 cm from edges and impassable terrain, 20 cm from others, clear of objectives."""
        boxes = open_scenarios.zone_boxes(state.scenario, fort.side)
        spots = lattice(boxes, (self.facing(state, fort.side),))
        return [spot for spot in spots if self.fort_problem(state, fort.stood(spot)) is None]

    def fort_problem(self, state: DustState, fort: Fort) -> str | None:
        """Why a bunker or strongpoint may not stand there (bf.fort.spacing, bf.fort.placement)."""
        what = hindrance(state, fort, ground=("road",))
        return None if what is None else WHY_NOT_THERE[what]

    # -- deployment -------------------------------------------------------------------------------

    def spots(self, play: Play, unit: Unit) -> Any:
        """Inside its deployment area."""
        state = play.state
        boxes = open_scenarios.zone_boxes(state.scenario, unit.side)
        return BattleZone(play.rules.ground, state, unit, boxes, self.facing(state, unit.side))

    def _deploy_one(self, play: Play) -> Procedure:
        state = play.state
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
            rule="bf.setup.scenario",
            act="deploy",
            about=lambda unit_id: About(act="deploy", unit=unit_id),
        )
        unit = state.by_id[chosen]
        state.to_act = 1 - state.to_act
        if unit.has("Strongpoint"):
            yield from play.rules.works.man(play, unit)
            return
        spots = self.room(play, unit)
        if not spots:
            play.rules.ground.lift(unit, LOST)
            return
        spot, facing = yield from self.choose_spot(play, unit, spots)
        play.rules.ground.put(state, unit, spot, facing)
        play.emit(Deployed(self.rule, unit.id, unit.where, unit.facing))


class Garrison:
    """Strongpoint units and the works they start in (bf.fort.strongpoint_units, bf.skill.strongpoint)."""

    def man(self, play: Play, unit: Unit) -> Procedure:
        """A strongpoint unit starts inside a bunker or strongpoint of its side; without one it is left out."""
        state = play.state
        free = [fort for fort in state.forts if fort.side == unit.side and fort.placed and self._is_empty(state, fort)]
        own = [fort for fort in free if fort.unit == unit.id] or free
        if not own:
            play.emit(Happened("bf.fort.strongpoint_units", f"{unit.name} has no fortification to start in", unit.id))
            play.rules.ground.lift(unit, LOST)
            return
        place = yield PickOne(
            unit.side,
            "man-fortification",
            [fort.place for fort in own],
            labels=lambda spot: state.table.name(spot),
            text=f"{unit.name}: which fortification?",
            rule="bf.fort.strongpoint_units",
            unit=unit.id,
            act="deploy",
            about=lambda spot: About(act="deploy", unit=unit.id, places=(xy(spot),)),
        )
        fort = next(fort for fort in own if fort.place == place)
        unit.facing = fort.facing
        play.rules.ground.put(state, unit, fort.place, fort.facing)
        play.emit(Deployed("bf.skill.strongpoint", unit.id, unit.where, unit.facing))

    def _is_empty(self, state: DustState, fort: Fort) -> bool:
        return not any(fort_of(state, unit) == fort for unit in state.on_board())

    def strongpoints(self, units: list[Unit]) -> list[Any]:
        return []

    def raise_next(self, play: Play) -> Any:
        return False
        yield


def plain_card(card: DustCard) -> DustCard:
    """The card with the skills and weapon rules that this game describes."""
    known = {skill.name for skill in skills.ALL}
    rules = {rule.name for rule in weapons.ALL}
    lines = tuple(
        msgspec.structs.replace(line, rules=tuple(ref for ref in line.rules if ref.name in rules))
        for line in card.weapons
    )
    return msgspec.structs.replace(card, skills=tuple(ref for ref in card.skills if ref.name in known), weapons=lines)
