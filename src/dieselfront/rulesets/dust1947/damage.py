"""Damage: who takes the hits, soldiers lost, tracks filled, units eliminated, wrecks left (d47.attack.damage.*)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.kernel.decisions import Number, PickOne
from dieselfront.kernel.game import ANSWERED, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.dust.events import Damaged, Eliminated, Healed, Scored, SoldierLost, TerrainChanged
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import LOST, Part, Unit
from dieselfront.rulesets.dust1947.attack import describe_soldier, is_leader, label_of_soldier
from dieselfront.rulesets.dust1947.playing import Play

SINGLE = -1
"""The miniature of a part that is but one: a hero, a vehicle."""


class Picker:
    """Who chooses the casualties of a shot, and whether one miniature was named beforehand."""

    __slots__ = ("named", "protected", "side")

    def __init__(self, side: int) -> None:
        self.side = side
        self.named: tuple[str, int] | None = None  # (card, soldier): every hit goes to this miniature
        self.protected: tuple[tuple[str, int], ...] = ()  # may be chosen only last


class Damage:
    """From unsaved hits to losses."""

    def strike(self, play: Play, shot: Shot, hits: int) -> Procedure:
        """What unsaved hits do to their target, and what is gone after them."""
        if shot.target.stands:
            yield from self.hurt(play, shot, hits)
            yield from self.bury(play, shot.target, shot)

    def hurt(self, play: Play, shot: Shot, hits: int) -> Procedure:
        """Divide unsaved hits between the parts of the target and let each part suffer.

        d47.attack.damage.sequential.
        """
        target = shot.target
        picker = self.picker(shot)
        shares = yield from self.divide(play, shot, picker, hits)
        total = 0
        for part, share in shares:
            if share and part in target.parts:
                before = part.left
                yield from self._suffer(play, shot, picker, part, share)
                total += before - part.left
        if total:
            if not target.is_infantry:
                shot.attack.flags[f"stood:{target.id}"] = target.where
                shot.attack.damage_to[target.id] = shot.attack.damage_to.get(target.id, 0) + total
            yield from self._tell_damaged(play, shot, total)

    def picker(self, shot: Shot) -> Picker:
        """The owner of the target picks casualties unless a rule says otherwise (d47.attack.damage.owner_chooses)."""
        picker = ask(shot.effects, "on_pick", Picker(shot.target.side), shot)
        chooser: Picker = ask(shot.unit.effects, "on_pick", picker, shot)
        return chooser

    def divide(self, play: Play, shot: Shot, picker: Picker, hits: int) -> Generator[Any, Any, list[tuple[Part, int]]]:
        """Hits on a combined unit are divided by the one who picks (d47.hero.assign_hits)."""
        target = shot.target
        parts = [part for part in target.fighters() if part.left > 0]
        if picker.named is not None:  # hits beyond what it can take are lost
            card, soldier = picker.named
            named = [part for part in parts if part.card.id == card and (not part.squad or soldier in part.alive)]
            return [(part, hits) for part in named]
        shares: list[tuple[Part, int]] = []
        left = hits
        for place, part in enumerate(parts[1:], 1):
            rest = sum(self.hits_to_finish(shot, other) for other in [*parts[place + 1 :], parts[0]])
            most = min(left, self.hits_to_finish(shot, part))
            least = max(0, min(left - rest, most))
            taken = yield Number(
                picker.side,
                "divide-hits",
                least,
                most,
                text=f"{left} hit{'s' * (left != 1)} on {target.name}: how many does {part.card.name} take?",
                rule="d47.hero.assign_hits",
                unit=target.id,
                act="lose",
            )
            shares.append((part, taken))
            left -= taken
        return [(parts[0], left), *shares]

    def hits_to_finish(self, shot: Shot, part: Part) -> int:
        """How many unsaved hits the part can be given before it is certainly gone; resilience may need more."""
        if shot.play.rules.saves.negation(shot.play, shot, part) is not None:
            return 99
        each = shot.play.rules.attacks.damage_per_hit(shot, part)
        return -(-part.left // each) if each else 99

    def _suffer(self, play: Play, shot: Shot, picker: Picker, part: Part, hits: int) -> Generator[Any, Any, int]:
        """Points of damage, what of it is negated, and the losses."""
        if shot.close:
            for answer in shot.target.effects.get("on_blows", ()):
                hits = yield from answer(hits, part, shot, picker)
        points = yield from self._points(play, shot, part, hits)
        if points <= 0:
            return 0
        rule = "d47.attack.damage.infantry" if part.squad else "d47.attack.damage.value"
        return (yield from self.lose(play, shot.target, part, points, picker, rule, shot))

    def _points(self, play: Play, shot: Shot, part: Part, hits: int) -> Generator[Any, Any, int]:
        """What hits cost a part, all of them together, less what is negated (d47.skill.damage_resilient)."""
        points: int = hits * play.rules.attacks.damage_per_hit(shot, part)
        negate = play.rules.saves.negation(play, shot, part) if points else None
        if negate is not None:
            thrown = yield from play.throw(negate, points, shot.target.side, shot.target.id)
            points -= thrown.successes
        return points

    def lose(
        self,
        play: Play,
        unit: Unit,
        part: Part,
        points: int,
        picker: Picker | None = None,
        rule: str = "",
        shot: Shot | None = None,
    ) -> Generator[Any, Any, int]:
        """Take so many points off a part: soldiers one by one, or damage on its track; returns what was really lost."""
        picker = picker or Picker(unit.side)
        if not part.squad:
            taken = min(points, part.left)
            part.damage += taken
            play.emit(Damaged(rule, unit.id, part.card.name, taken, part.left))
            self.tell_hurt(play, unit, part)
            return taken
        lost = 0
        while lost < points and part.alive:
            soldier = yield from self._choose_casualty(play, unit, part, picker)
            self.remove(play, unit, part, soldier, rule)
            self.tell_kill(play, shot, unit, part, soldier)
            lost += 1
            if picker.named is not None:
                break
        return lost

    def tell_hurt(self, play: Play, unit: Unit, part: Part) -> None:
        """Skills hear of wounds and of their healing."""
        for answer in unit.effects.get("on_hurt", ()):
            answer(play, unit, part)

    def remove(self, play: Play, unit: Unit, part: Part, soldier: int, rule: str) -> None:
        """One soldier of a squad or crew goes, and his weapons with him.

        d47.open.who_loses_weapon, d47.skill.support_weapon_loss.
        """
        part.alive = tuple(other for other in part.alive if other != soldier)
        play.emit(SoldierLost(rule, unit.id, part.card.soldiers[soldier].name, len(part.alive)))

    def tell_kill(self, play: Play, shot: Shot | None, unit: Unit, part: Part, soldier: int | None = None) -> None:
        """The attacker's skills hear of a kill."""
        if shot is not None:
            for answer in shot.unit.effects.get("on_kill", ()):
                answer(play, unit, part, soldier, "close" if shot.close else "ranged")

    def _choose_casualty(self, play: Play, unit: Unit, part: Part, picker: Picker) -> Generator[Any, Any, int]:
        """Which soldier goes; those alike are offered once (d47.attack.damage.owner_chooses)."""
        if picker.named is not None and picker.named[0] == part.card.id:
            return picker.named[1]
        if play.answered:
            repeated: int = yield ANSWERED
            return repeated
        kinds: dict[tuple[Any, ...], int] = {}
        for soldier in part.alive:
            if (part.card.id, soldier) in picker.protected and len(part.alive) > 1:
                continue
            man = part.card.soldiers[soldier]
            kinds.setdefault((man.roles, man.weapons), soldier)
        chosen: int = yield PickOne(
            picker.side,
            "casualty",
            list(kinds.values()),
            labels=lambda soldier: label_of_soldier(part, soldier),
            text=f"{unit.name}: who is lost?",
            rule="d47.attack.damage.owner_chooses",
            unit=unit.id,
            act="lose",
            about=lambda soldier: About("lose", unit.id, careless=is_leader(part, soldier)),
        )
        return chosen

    def _tell_damaged(self, play: Play, shot: Shot, total: int) -> Procedure:
        for effects in (shot.effects, shot.unit.effects):
            for answer in effects.get("on_damaged", ()):
                yield from answer(play, shot, total)

    # -- recovering -----------------------------------------------------------------------------

    def heal(self, play: Play, unit: Unit, part: Part, points: int, rule: str) -> Generator[Any, Any, int]:
        """Points come off a damage track, or fallen soldiers return, never above full strength; returns how many."""
        if not part.squad:
            healed = min(points, part.damage)
            part.damage -= healed
            self.tell_hurt(play, unit, part)
            self.stand_again(play, unit)
        else:
            healed = 0
            while healed < points and len(part.alive) < len(part.card.soldiers):
                soldier = yield from self._choose_returning(unit, part, rule)
                part.alive = tuple(sorted((*part.alive, soldier)))
                self.stand_again(play, unit)
                healed += 1
        if healed:
            play.emit(Healed(rule, unit.id, part.card.name, healed))
        return healed

    def stand_again(self, play: Play, unit: Unit) -> None:
        """Somebody is himself again, or back in his unit: on squares that is all there is to it."""

    def _choose_returning(self, unit: Unit, part: Part, rule: str) -> Generator[Any, Any, int]:
        """Which fallen soldier comes back; those alike are offered once."""
        kinds: dict[tuple[Any, ...], int] = {}
        for soldier, man in enumerate(part.card.soldiers):
            if soldier not in part.alive:
                kinds.setdefault((man.roles, man.weapons), soldier)
        chosen: int = yield PickOne(
            unit.side,
            "returning",
            list(kinds.values()),
            labels=lambda soldier: label_of_soldier(part, soldier),
            text=f"{unit.name}: who comes back?",
            rule=rule,
            unit=unit.id,
            act="support",
        )
        return chosen

    # -- elimination ----------------------------------------------------------------------------

    def bury(self, play: Play, unit: Unit, shot: Shot | None = None) -> Procedure:
        """Parts with nothing left are eliminated, after what skills do about it; then the unit, if none is left.

        A commissar who falls together with his unit falls as one of it (d47.skill.commissar_return).
        """
        fallen = [part for part in unit.parts if part.left <= 0 and part.role != "pilot"]
        for part in sorted(fallen, key=lambda part: not part.card.has("Commissar")):
            if shot is not None and ask(unit.effects, "on_dying", False, unit, part):
                if all(other is not part for _, other, _ in shot.attack.dying):
                    shot.attack.dying.append((unit, part, shot))
                continue
            yield from self._perish(play, unit, part, shot)

    def settle_dying(self, play: Play, attack: Attack) -> Procedure:
        """Once the attack is over, those who went down may still survive."""
        while attack.dying:
            unit, part, shot = attack.dying.pop(0)
            if part in unit.parts and part.left <= 0:
                yield from self._perish(play, unit, part, shot)

    def _perish(self, play: Play, unit: Unit, part: Part, shot: Shot | None) -> Procedure:
        """The last chance of a part, then its end."""
        for answer in unit.effects.get("on_lost", ()):
            yield from answer(play, unit, part, shot)
        if part.left <= 0:
            self.tell_kill(play, shot, unit, part)
            yield from self._part_lost(play, unit, part, shot)

    def _part_lost(self, play: Play, unit: Unit, part: Part, shot: Shot | None = None) -> Procedure:
        """A part is gone; a hero outlives his squad and goes on alone (d47.hero.freed).

        d47.hero.share_skills.
        """
        self._score(play, unit, part)
        if len(unit.fighters()) > 1:
            unit.parts.remove(part)
            unit.fallen += (part,)
            unit.parts[0].role = "main"
            unit.name = " + ".join(other.card.name for other in unit.parts)
            play.rules.index(unit)
            yield from play.rules.reserves.part_lost(play, unit, part)
            return
        yield from self.eliminate(play, unit, shot)

    def _score(self, play: Play, unit: Unit, part: Part) -> None:
        """The other side scores what was eliminated, each time anew (d47.victory.vp, d47.open.reserve_counting)."""
        winner = 1 - unit.side
        points = part.card.points
        play.state.sides[winner].points_scored += points
        play.emit(Scored("d47.victory.vp", winner, points, f"{part.card.name} eliminated"))

    def eliminate(self, play: Play, unit: Unit, shot: Shot | None = None) -> Procedure:
        """The unit leaves the table; a ground vehicle stays as a wreck (d47.attack.damage.destroyed).

        d47.skill.aircraft_destroyed.
        """
        where = unit.where
        play.emit(Eliminated("d47.attack.damage.destroyed", unit.id, 1 - unit.side))
        yield from play.rules.transport.before_lost(play, unit)
        play.rules.ground.lift(unit, LOST)
        play.rules.suppression.let_go(play, unit)
        if unit.is_vehicle and where:  # aircraft leave none (d47.skill.aircraft_destroyed)
            self.leave_wreck(play, unit, where)
        if shot is not None and play.rules.transport.cargo(play, unit):
            yield from play.rules.criticals.check_wreck(play, shot.attack, unit)
        yield from play.rules.transport.after_lost(play, unit, where)
        yield from play.rules.reserves.after_lost(play, unit)

    def leave_wreck(self, play: Play, unit: Unit, where: tuple[int, ...]) -> None:
        """A wreck on every square it stood on (d47.terrain.wreck_created); naval units leave none."""
        if not ask(unit.effects, "on_wreck", True, unit):
            return
        play.state.table = play.state.table.placing("wreck", where)
        play.emit(TerrainChanged("d47.terrain.wreck_created", "wreck", where, True))
        play.rules.criticals.leave_wreck(play, unit, where)


__all__ = ["SINGLE", "Damage", "Picker", "describe_soldier"]
