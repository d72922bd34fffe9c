"""Engineering: wire, mines, trenches and bunkers, each as a whole piece (bf.engineer.*, bf.fort.*)."""

from __future__ import annotations

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.battlefield.forts import Fort
from dieselfront.rulesets.battlefield.playing import battle_rules
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.state import SUPPRESSED, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.engineering import FORT, TRENCH, Task
from dieselfront.rulesets.dust1947.fortifications import BUNKER
from dieselfront.rulesets.dust1947.hazards import MINES, WIRE
from dieselfront.rulesets.dust_open.chapters import OpenEngineering, far_from
from dieselfront.rulesets.dust_open.ground import measures
from dieselfront.rulesets.dust_open.table import OpenTable, middle
from dieselfront.table.measured.shapes import Body

MOST_KNOWN = 500


class BattleEngineering(OpenEngineering):
    """Work on the battlefield, on what is adjacent: within 10 cm."""

    def workable(self, play: Play, unit: Unit, ahead: int = 0) -> list[str]:
        if not (unit.on_board or ahead) or unit.is_aircraft:
            return []
        kinds = play.state.table.masks_by_kind()
        present = [kind for kind in (WIRE, MINES, TRENCH) if kind in kinds]
        if any(fort.kind == BUNKER and fort.placed for fort in play.state.forts):  # bf.open.bury_strongpoint
            present.append(FORT)
        return [kind for kind in present if self.may_work_on(play, unit, kind)]

    def may_work_on(self, play: Play, unit: Unit, kind: str) -> bool:
        """Infantry: wire and mines. Vehicles: what their equipment allows.

        bf.vehicle.engineer, bf.vehicle.dozer_engineering.
        """
        if unit.is_infantry:
            return kind in (WIRE, MINES)
        tools = self.tools(play, unit)
        if kind == WIRE:  # bf.engineer.cut_wire
            return "cutting" in tools or "grapple" in tools
        return "dozer" in tools

    def _in_reach(self, play: Play, unit: Unit, kinds: list[str], ahead: int) -> bool:
        far = ((ahead or play.rules.movement.pace(play, unit)[0]) + 1) * measures(play.state).range
        stands = play.rules.transport.carrier_or_self(play, unit)
        bodies = play.rules.ground.bodies(play.state, stands)  # nobody, while it is off the table
        return self._far_from(play.state.table, bodies, tuple(kinds)) <= far

    def _far_from(self, table: OpenTable, bodies: list[Body], kinds: tuple[str, ...]) -> int:
        """How far the nearest piece of these kinds is, found out once while the unit stands there."""
        memory = table.memory.setdefault("work", {})
        known = memory.get((id(bodies), kinds))  # which the entry keeps alive
        if known is None:
            if len(memory) > MOST_KNOWN:
                memory.clear()
            pieces = [piece for kind in kinds for piece in table.pieces_of(BUNKER if kind == FORT else kind)]
            nearest = min((far_from(body, piece) for body in bodies for piece in pieces), default=1 << 30)
            known = memory[id(bodies), kinds] = (nearest, bodies)
        far: int = known[0]
        return far

    def tasks(self, activation: Activation) -> list[Task]:
        play, unit = activation.play, activation.unit
        if not unit.on_board:
            return []
        reach = measures(play.state).range
        bodies = battle_rules(play).ground.bodies(play.state, unit)
        tasks: list[Task] = []
        for kind in self.workable(play, unit):
            if kind == FORT and not self._has_time(activation):
                continue
            for piece in play.state.table.pieces_of(BUNKER if kind == FORT else kind):
                if any(far_from(body, piece) <= reach for body in bodies):
                    tasks.append((kind, middle(piece)))
        return tasks

    def _fort_at(self, play: Play, place: int) -> Fort:  # type: ignore[override]
        x, y = play.state.table.xy(place)
        placed: list[Fort] = [fort for fort in play.state.forts if fort.placed]
        return min(
            placed,
            key=lambda fort: (play.state.table.tenths(fort.place, place), x, y),
        )

    def _cut_wire(self, activation: Activation, place: int) -> Procedure:
        """On ARMY the entanglement is gone; who fails may go on (bf.fort.wire_cut, bf.engineer.cut_wire)."""
        play, unit = activation.play, activation.unit
        rule = "bf.fort.wire_cut" if unit.is_infantry else "bf.engineer.cut_wire"
        tools = () if unit.is_infantry else self.tools(play, unit)
        dice = 2 if any(tool.startswith("paired ") for tool in tools) else 1
        if (yield from self._succeeds(play, unit, "cutting wire", rule, dice=dice)):
            self._clear(play, WIRE, (place,), rule)

    def _lift_mines(self, play: Play, unit: Unit, place: int) -> Procedure:
        """On ARMY the field is gone, otherwise it goes off and the unit is suppressed (bf.fort.mine_clear)."""
        rule = "bf.fort.mine_clear"
        if (yield from self._succeeds(play, unit, "clearing mines", rule)):
            self._clear(play, MINES, (place,), rule)
            return
        yield from play.rules.hazards.mines(play, unit)
        if unit.alive:
            play.rules.suppression.give(play, unit, SUPPRESSED, rule)

    def _plough_mines(self, play: Play, unit: Unit, place: int) -> Procedure:
        """On ARMY the field is gone, otherwise nothing happens (bf.engineer.clear_mines)."""
        rule = "bf.engineer.clear_mines"
        if (yield from self._succeeds(play, unit, "ploughing mines", rule)):
            self._clear(play, MINES, (place,), rule)

    def _fill_trench(self, play: Play, unit: Unit, place: int) -> Procedure:
        """On ARMY the trench is gone; those in it are unharmed (bf.engineer.fill_trench)."""
        rule = "bf.engineer.fill_trench"
        if (yield from self._succeeds(play, unit, "filling a trench", rule)):
            self._clear(play, TRENCH, (place,), rule)

    def _bury(self, activation: Activation, fort: Fort) -> Procedure:  # type: ignore[override]
        """After two actions in a row: on ARMY the bunker is buried with everybody in it (bf.engineer.bury_bunker)."""
        play, unit = activation.play, activation.unit
        rule = "bf.engineer.bury_bunker"
        if not self._begun(activation):
            activation.memory["burying"] = len(activation.done)
            play.emit(Happened(rule, f"{unit.name} begins to bury the bunker", unit.id))
            return
        if (yield from self._succeeds(play, unit, "burying", rule)):
            inside = [
                other
                for other in play.state.on_board()
                if battle_rules(play).fort_rules.fort_of(play.state, other) == fort
            ]
            for other in inside:
                yield from self._bury_alive(play, other)
            battle_rules(play).fortifications.tear_down(play, fort, rule)
