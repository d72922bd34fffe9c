"""Losses: who is removed, what follows from it, and the end of a unit (k47.damage.*, k47.turn.dead_dice)."""

from __future__ import annotations

from collections.abc import Sequence

from dieselfront.dice import D6, Throw
from dieselfront.kernel.decisions import PickOne, PickSome
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.damage import Volley
from dieselfront.rulesets.konflikt47.events import Casualties, Destroyed, Gained, Shrugged
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import GONE, TABLE, State, Unit
from dieselfront.rulesets.konflikt47.throws import at_least

GUN = "gun"


class Losses(Chapter):
    """Casualties and destruction."""

    def take(self, play: Play, volley: Volley) -> Procedure:
        """The casualties of one volley: named and chosen models first, then those the owner picks."""
        target = volley.target
        ordinary = volley.total_losses - (yield from self.medic_saves(play, target, volley.small_losses))
        lost: list[int] = []
        for man in volley.marked:
            if man in target.men and man not in lost:
                lost.append(man)
        if len(lost) + volley.chosen + ordinary >= len(target.men):
            if volley.gun_lost or ordinary + volley.chosen + len(lost):
                yield from self.remove(play, target, list(target.men))
            return
        for number in range(volley.chosen):
            heavy = number < volley.heavy_exceptional
            picked = yield from self.shooter_picks(play, volley, lost, heavy)
            if picked == GUN:
                yield from self.destroy(play, target, "the gun is destroyed", "k47.damage.exceptional_gun")
                return
            lost.append(picked)
        lost += yield from self.owner_picks(play, target, ordinary, lost)
        yield from self.remove(play, target, lost)

    def medic_saves(self, play: Play, target: Unit, casualties: int) -> Procedure:
        """A medic within 6" saves small-arms casualties on a 6 (k47.special.medic)."""
        score = self.rules.specials.medic_score(play.state, target)
        if not casualties or score > 6:
            return 0
        throw = Throw("medic", D6, at_least(score), "k47.special.medic")
        thrown = yield from play.throw(throw, casualties, target.side, target.id)
        if thrown.successes:
            play.emit(Shrugged("k47.special.medic", target.id, thrown.successes))
        return thrown.successes

    def shooter_picks(self, play: Play, volley: Volley, lost: Sequence[int], heavy: bool) -> Procedure:
        """Exceptional damage: the shooter chooses the casualty, or the gun (k47.damage.exceptional_gun)."""
        target = volley.target
        options: list[object] = [man for man in target.men if man not in lost]
        if heavy and target.gun is not None:
            options.append(GUN)
        return (
            yield PickOne(
                volley.unit.side,
                "exceptional damage",
                options,
                text=f"Which model of {target.card.name} is the casualty?",
                rule="k47.damage.exceptional",
                unit=target.id,
                labels=lambda man: "the gun" if man == GUN else target.man(man).name,
            )
        )

    def owner_picks(self, play: Play, target: Unit, count: int, lost: Sequence[int]) -> Procedure:
        """The owner chooses from all models of the unit (k47.damage.casualty_owner)."""
        left = [man for man in target.men if man not in lost]
        if count <= 0:
            return []
        allowed: list[int] = target.ask("on_casualties_chosen", left, target)
        if len(allowed) < count:
            rest = [man for man in left if man not in allowed]
            more = yield from self._pick(target, rest, count - len(allowed))
            return [*allowed, *more]
        return list((yield from self._pick(target, allowed, count)))

    def _pick(self, target: Unit, men: Sequence[int], count: int) -> Procedure:
        return (
            yield PickSome(
                target.side,
                "casualties",
                list(men),
                min(count, len(men)),
                min(count, len(men)),
                text=f"Which models of {target.card.name} are lost?",
                rule="k47.damage.casualty_owner",
                unit=target.id,
                act="lose",
                labels=lambda man: (
                    ", ".join(target.man(one).name for one in man) if isinstance(man, tuple) else target.man(man).name
                ),
            )
        )

    def remove(self, play: Play, unit: Unit, men: Sequence[int]) -> Procedure:
        """Take models off the table and see what that means for their unit."""
        men = [man for man in unit.men if man in men]
        if not men:
            return
        if len(men) < len(unit.men):
            men = yield from self.spare_nco(play, unit, men)
        for man in men:
            unit.lose(man)
        play.emit(Casualties("k47.damage.roll", unit.id, tuple(men), len(unit.men)))
        if not unit.men:
            yield from self.destroy(play, unit, "no models left", "k47.turn.dead_dice")
            return
        if any(unit.man(man).is_a("nco") for man in men) and not unit.carries("nco"):  # k47.morale.nco
            unit.nco_lost = True
            play.emit(Gained("k47.morale.nco", unit.id, "NCO lost"))
        self.rules.outfit.refresh(play.state, unit)
        if unit.card.team and not unit.is_artillery and not unit.carries("gunner"):  # k47.wrule.team_gunner
            yield from self.destroy(play, unit, "the weapon's carrier is lost", "k47.wrule.team_gunner")
            return
        for answer in unit.hooks.get("on_casualties", ()):
            if unit.alive:
                yield from answer(None, play, unit, len(men))

    def spare_nco(self, play: Play, unit: Unit, men: list[int]) -> Procedure:
        """Rules that let another model fall in the NCO's place speak here."""
        for nco in [man for man in men if unit.man(man).is_a("nco")]:
            for answer in unit.hooks.get("on_nco_lost", ()):
                fallen = yield from answer(nco, play, unit, men)
                if fallen != nco:
                    men = [man for man in men if man != nco] + [fallen]
        return men

    def destroy(self, play: Play, unit: Unit, reason: str, rule: str, drown: bool = False) -> Procedure:
        """The unit and its order die leave the game (k47.turn.dead_dice); vehicles leave a wreck (k47.armour.ko)."""
        if not unit.alive:
            return
        state: State = play.state
        passengers = state.passengers(unit)
        hull = unit.bodies[0] if unit.is_vehicle and unit.place == TABLE else None
        unit.place = GONE
        unit.order = ""
        unit.pins = 0
        unit.building = ""
        unit.bodies = []
        unit.gun = None
        play.emit(Destroyed(rule, unit.id, reason))
        for passenger in passengers:
            if drown or hull is None:
                yield from self.destroy(play, passenger, "lost with its transport", "k47.transport.destroyed")
        if hull is not None and not drown:
            self.rules.terrain.wreck(play, unit, hull)
            for passenger in passengers:
                if passenger.alive:
                    yield from self.rules.transports.bail_out(play, passenger, unit, hull)
