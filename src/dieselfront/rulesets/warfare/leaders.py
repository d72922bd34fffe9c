"""Unit leaders: naming a new one, stand-ins named by the opponent, formation (dw.leader.*, dw.formation.range)."""

from __future__ import annotations

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.events import LeaderNamed
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import Unit


class Leaders(Chapter):
    """Who leads a unit."""

    def name_leader(self, play: Play, unit: Unit, rule: str) -> Procedure:
        """The owner names any miniature that is left; a hero in the unit leads it (dw.open.hero_leads)."""
        hero = unit.hero
        if hero is not None:
            man = hero
        else:
            man = yield self.question(unit, unit.side, "leader", f"Who leads {unit.name} now?", rule)
        unit.leader = man
        unit.stand_in = None
        play.emit(LeaderNamed(rule, unit.id, man))

    def stand_in(self, play: Play, unit: Unit) -> Procedure:
        """A leaderless unit gets a leader for this event only, picked by the opponent
        (dw.leader.opponent_nominates)."""
        if unit.leader is not None or unit.stand_in is not None or not unit.men:
            return
        man = yield self.question(
            unit, 1 - unit.side, "stand-in leader", f"Who acts as leader of {unit.name} for now?",
            "dw.leader.opponent_nominates",
        )  # fmt: skip
        unit.stand_in = man
        play.emit(LeaderNamed("dw.leader.opponent_nominates", unit.id, man, stand_in=True))

    def question(self, unit: Unit, player: int, key: str, text: str, rule: str) -> PickOne:
        return PickOne(
            player,
            key,
            list(unit.men),
            text=text,
            rule=rule,
            unit=unit.id,
            labels=lambda man: f"{self.rules.man_name(unit, man)} {man + 1}",
            act="choose",
            about=lambda man: About(
                act="choose",
                targets=(unit.id,),
                places=((unit.body_of(man).x, unit.body_of(man).y),) if unit.bodies else (),
            ),
        )

    def could_be_in_formation(self, unit: Unit) -> bool:
        """Is there a leader, or could somebody stand in, so that the unit is in formation
        (dw.open.leaderless_reaction)?"""
        if unit.acting_leader is not None:
            return not ground.out_of_formation(unit)
        return any(not ground.out_of_formation(unit, man) for man in unit.men)


__all__ = ["Leaders"]
