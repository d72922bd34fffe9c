"""Engineering: clearing wrecks, wire and mines, filling trenches, burying fortifications.

d47.engineer.*, d47.clear.*, d47.wire.clear, d47.mines.clear.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About, at_place
from dieselfront.rulesets.dust.events import Happened, Moved, TerrainChanged
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import SUPPRESSED, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.dice import ARMY, TARGET, task
from dieselfront.rulesets.dust1947.fortifications import Fort, around
from dieselfront.rulesets.dust1947.hazards import MINES, WIRE, squares_of
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.table.square import SquareTable, mask_of

WRECK, TRENCH, FORT = "wreck", "trench", "fort"
WORKED_ON = frozenset({WIRE, MINES, WRECK, TRENCH})
ACTION = "special:engineering"
PAIRED = ("dual", "paired", "twin")

Task = tuple[str, int]
"""What is worked on and where: the kind of terrain and one of its squares."""

VERBS = {
    WIRE: "cut wire",
    MINES: "clear mines",
    WRECK: "clear the wreck",
    TRENCH: "fill the trench",
    FORT: "bury the fortification",
}


class Engineer:
    """The ENGINEERING special action."""

    name = "engineering"
    cost = 1
    free = False
    rearms = False

    def perform(self, activation: Activation) -> Procedure:
        yield from activation.play.rules.engineering.work(activation)


class Engineering:
    """Work on the battlefield."""

    # -- who may do what ------------------------------------------------------------------------

    def specials(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int = 0) -> dict[str, Any]:
        """ENGINEERING for those who have something to work on beside them, or within a movement of them."""
        wanted = self.workable(play, unit, ahead)
        if wanted and self._in_reach(play, unit, wanted, ahead):
            specials["engineering"] = Engineer()
        return specials

    def looks_ahead(self, play: Play, unit: Unit) -> bool:
        """Could a movement bring the unit to something it may work on?"""
        return bool(self.workable(play, unit, 1))

    def workable(self, play: Play, unit: Unit, ahead: int = 0) -> list[str]:
        """What the unit could work on if it stood beside it; empty as soon as the board has nothing of the kind."""
        state = play.state
        kinds, armour = state.table.masks_by_kind(), unit.parts[0].card.armour_type
        if armour == "A" or (armour == "S" and WIRE not in kinds and MINES not in kinds):
            return []
        if WORKED_ON.isdisjoint(kinds) and not state.forts:
            return []
        if not (ahead or unit.on_board):
            return []
        present = [kind for kind in (WIRE, MINES, WRECK, TRENCH) if kind in kinds]
        if play.state.forts:
            present.append(FORT)
        return [kind for kind in present if self.may_work_on(play, unit, kind)] if present else []

    def may_work_on(self, play: Play, unit: Unit, kind: str) -> bool:
        """Infantry: wire and mines. Any vehicle: wrecks (d47.open.clearing_who). The rest needs the right tools."""
        if unit.is_infantry:  # d47.wire.clear, d47.mines.clear
            return kind in (WIRE, MINES)
        if kind == WRECK:  # d47.clear.wreck
            return True
        tools = self.tools(play, unit)
        if kind == WIRE:  # d47.engineer.wire
            return "cutting" in tools or "grapple" in tools
        return "dozer" in tools  # d47.engineer.bury, d47.engineer.fill_trench, d47.engineer.clear_mines

    def tools(self, play: Play, unit: Unit) -> tuple[str, ...]:
        """Blades, cranes, saws and claws: from its skills and from weapons that still work."""
        tools: tuple[str, ...] = ask(unit.effects, "on_tools", (), unit)
        for part in unit.fighters():
            for line, weapon in enumerate(part.card.weapons):
                if weapon.rules and not part.broken >> line & 1:
                    given = ask(play.rules.registry.of_weapon(part.card, weapon), "on_tools", (), unit)
                    paired = weapon.count > 1 or weapon.name.lower().startswith(PAIRED)
                    tools += (*given, *(f"paired {tool}" for tool in given if paired))
        return tools

    def _in_reach(self, play: Play, unit: Unit, kinds: list[str], ahead: int) -> bool:
        """Could the unit be beside such a thing now, after a MOVE, or after a movement of so many squares?"""
        table = play.state.table
        far = (ahead or play.rules.movement.pace(play, unit)[0]) + 1
        here = play.rules.transport.carrier_or_self(play, unit).where
        if not isinstance(table, SquareTable):
            places = [place for kind in kinds for place in table.squares_with(kind)]
            return any(table.distance(own, place) <= far for own in here for place in places)
        masks = table.masks_by_kind()
        work = 0
        for kind in kinds:
            work |= masks.get(kind, 0)
        if FORT in kinds:
            work |= mask_of(place for fort in play.state.forts for place in fort.footprint)
        for own in here:  # noqa: SIM110 (asked very often)
            if table.within_mask(own, far) & work:
                return True
        return False

    # -- the work -------------------------------------------------------------------------------

    def work(self, activation: Activation) -> Procedure:
        """Choose one thing beside the unit and work on it."""
        play, unit = activation.play, activation.unit
        tasks = self.tasks(activation)
        if not tasks:
            play.emit(Happened("d47.action.special", f"{unit.name} finds nothing to work on", unit.id))
            return
        kind, place = yield PickOne(
            unit.side,
            "engineering",
            tasks,
            labels=lambda task: f"{VERBS[task[0]]} at {play.state.table.name(task[1])}",
            text=f"{unit.name}: work on what?",
            rule="d47.action.special",
            unit=unit.id,
            act="build",
            about=lambda task: About("build", unit.id, places=(play.state.table.name(task[1]),)),
        )
        if kind == FORT:
            yield from self._bury(activation, self._fort_at(play, place))
        elif kind == WRECK:
            yield from self._clear_wreck(play, unit, place)
        elif kind == TRENCH:
            yield from self._fill_trench(play, unit, place)
        elif kind == WIRE:
            yield from self._cut_wire(activation, place)
        elif unit.is_infantry:
            yield from self._lift_mines(play, unit, place)
        else:
            yield from self._plough_mines(play, unit, place)

    def tasks(self, activation: Activation) -> list[Task]:
        """Everything beside the unit that it may work on now, in the order of squares."""
        play, unit = activation.play, activation.unit
        table: SquareTable = play.state.table
        wanted = self.workable(play, unit)
        beside = sorted({place for own in unit.where for place in self._beside(table, own)})
        tasks = [(kind, place) for kind in wanted if kind != FORT for place in beside if table.has(place, kind)]
        if FORT in wanted and self._has_time(activation):
            here = mask_of(unit.where)
            tasks += [(FORT, fort.footprint[0]) for fort in play.state.forts if here & around(table, fort)]
        return tasks

    def _beside(self, table: SquareTable, place: int) -> list[int]:
        """Neighbouring squares with no solid wall between."""
        return [other for other in table.neighbours(place) if table.contact(place, other)]

    # -- wrecks ---------------------------------------------------------------------------------

    def _clear_wreck(self, play: Play, unit: Unit, place: int) -> Procedure:
        """On ARMY the wreck is gone, with a dozer blade or crane on TARGET too.

        d47.clear.wreck, d47.clear.wreck_dozer.
        """
        heavy = any(tool in ("dozer", "crane") for tool in self.tools(play, unit))
        rule = "d47.clear.wreck_dozer" if heavy else "d47.clear.wreck"
        faces = ARMY | TARGET if heavy else ARMY
        if (yield from self._succeeds(play, unit, "clearing a wreck", rule, faces)):
            where = tuple(sorted(squares_of(play.state.table, WRECK, place)))
            for kind in (WRECK, "burning_wreck", "fire_smoke"):
                play.state.table = play.state.table.clearing(kind, where)
            play.emit(TerrainChanged(rule, WRECK, where, False))

    def _succeeds(
        self, play: Play, unit: Unit, label: str, rule: str, faces: int = ARMY, dice: int = 1
    ) -> Generator[Any, Any, bool]:
        thrown = yield from play.throw(task(label, rule, faces), dice, unit.side, unit.id)
        return thrown.successes > 0

    def _clear(self, play: Play, kind: str, where: tuple[int, ...], rule: str) -> None:
        play.state.table = play.state.table.clearing(kind, where)
        play.emit(TerrainChanged(rule, kind, where, False))

    # -- wire -----------------------------------------------------------------------------------

    def _cut_wire(self, activation: Activation, place: int) -> Procedure:
        """A gap one square wide; infantry that fails is done for this activation.

        d47.wire.clear, d47.engineer.wire.
        """
        play, unit = activation.play, activation.unit
        rule = "d47.wire.clear" if unit.is_infantry else "d47.engineer.wire"
        tools = () if unit.is_infantry else self.tools(play, unit)
        dice = 2 if any(tool.startswith("paired ") for tool in tools) else 1
        if (yield from self._succeeds(play, unit, "cutting wire", rule, dice=dice)):
            self._clear(play, WIRE, (place,), rule)
        elif unit.is_infantry:
            activation.ended = True
            play.emit(Happened(rule, f"{unit.name} does not get through the wire", unit.id))

    # -- mines ----------------------------------------------------------------------------------

    def _lift_mines(self, play: Play, unit: Unit, place: int) -> Procedure:
        """On ARMY one square is cleared, otherwise the mines go off and the unit is suppressed (d47.mines.clear)."""
        rule = "d47.mines.clear"
        if (yield from self._succeeds(play, unit, "clearing mines", rule)):
            self._clear(play, MINES, (place,), rule)
            return
        yield from play.rules.hazards.mines(play, unit)
        if unit.alive:
            play.rules.suppression.give(play, unit, SUPPRESSED, rule)

    def _plough_mines(self, play: Play, unit: Unit, place: int) -> Procedure:
        """A dozer clears four squares on ARMY; otherwise nothing happens (d47.engineer.clear_mines)."""
        rule = "d47.engineer.clear_mines"
        table: SquareTable = play.state.table
        if not (yield from self._succeeds(play, unit, "ploughing mines", rule)):
            return
        block = yield PickOne(
            unit.side,
            "gap",
            list(table.blocks_of_four(place)),
            labels=lambda squares: " ".join(table.name(square) for square in squares),
            text="Which four squares are cleared?",
            rule=rule,
            unit=unit.id,
            act="build",
            about=lambda squares: About("build", unit.id, places=tuple(table.name(place) for place in squares)),
        )
        self._clear(play, MINES, tuple(square for square in block if table.has(square, MINES)), rule)

    # -- trenches -------------------------------------------------------------------------------

    def _fill_trench(self, play: Play, unit: Unit, place: int) -> Procedure:
        """On ARMY the trench is gone and those in it stand unharmed beside it (d47.engineer.fill_trench)."""
        rule = "d47.engineer.fill_trench"
        if not (yield from self._succeeds(play, unit, "filling a trench", rule)):
            return
        where = tuple(sorted(squares_of(play.state.table, TRENCH, place)))
        inside = [other for other in play.state.on_board() if other.is_infantry and other.place in where]
        self._clear(play, TRENCH, where, rule)
        for other in inside:
            yield from self._climb_out(play, other, where, rule)

    def _climb_out(self, play: Play, unit: Unit, trench: tuple[int, ...], rule: str) -> Procedure:
        """Its owner places it on a free square beside the trench; without one it stays where it is."""
        table: SquareTable = play.state.table
        ground = play.rules.ground
        mover, occupancy = ground.mover(unit), ground.occupancy(play.state, unit)
        beside = [place for place in self._beside(table, unit.place) if place not in trench]
        free = [place for place in beside if table.can_stop(mover, place, occupancy)]
        if not free:
            return
        spot = yield PickOne(
            unit.side,
            "climb-out",
            free,
            labels=lambda place: table.name(place),
            text=f"{unit.name}: where does it climb out?",
            rule=rule,
            unit=unit.id,
            act="move",
            about=at_place("move", unit.id, table.name),
        )
        ground.put(play.state, unit, spot, None)
        play.emit(Moved(rule, unit.id, (spot,), unit.where, unit.facing, 0))

    # -- fortifications -------------------------------------------------------------------------

    def _has_time(self, activation: Activation) -> bool:
        """Burying takes two consecutive ENGINEERING actions of one activation (d47.engineer.bury)."""
        done = len(activation.done)
        return self._begun(activation) or activation.actions[done + 1 : done + 2] == (ACTION,)

    def _begun(self, activation: Activation) -> bool:
        """Was the action before this one spent on burying?"""
        return bool(activation.memory.get("burying") == len(activation.done) - 1)

    def _fort_at(self, play: Play, place: int) -> Fort:
        fort: Fort = next(one for one in play.state.forts if place in one.footprint)
        return fort

    def _bury(self, activation: Activation, fort: Fort) -> Procedure:
        """After the second action: on ARMY it is buried and all units inside are eliminated (d47.engineer.bury)."""
        play, unit = activation.play, activation.unit
        rule = "d47.engineer.bury"
        if not self._begun(activation):
            activation.memory["burying"] = len(activation.done)
            play.emit(Happened(rule, f"{unit.name} begins to bury the {fort.kind}", unit.id))
            return
        if (yield from self._succeeds(play, unit, "burying", rule)):
            for other in self._inside(play, fort):
                yield from self._bury_alive(play, other)
            play.rules.fortifications.tear_down(play, fort, rule)

    def _inside(self, play: Play, fort: Fort) -> list[Unit]:
        """The units in a fortification; aircraft above are not."""
        inside = set(fort.interior)
        return [other for other in play.state.on_board() if set(other.where) & inside and not other.is_aircraft]

    def _bury_alive(self, play: Play, unit: Unit) -> Procedure:
        """Nobody cheats this death (d47.open.cheat_death_scope)."""
        for part in unit.fighters():
            play.rules.damage._score(play, unit, part)
        yield from play.rules.damage.eliminate(play, unit)
