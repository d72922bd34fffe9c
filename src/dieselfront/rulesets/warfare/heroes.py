"""Heroes and commissars joining units at deployment (dw.hero.*, dw.ability.commissar_*)."""

from __future__ import annotations

from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.events import Joined, LeaderNamed
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import JOINED, Figure, State, Unit

COMMISSAR = "Commissar"
MERGED_SQUAD = 5  # dw.open.commissar_merge
Refusal = tuple[str, str]


class Heroes(Chapter):
    """Who fights with whom."""

    def may_ask(self, unit: Unit) -> bool:
        """Could this unit join another at all (a hero or a commissar on his own)?"""
        return len(unit.figures) == 1 and unit.is_soldier and (unit.card.is_hero or unit.card.has(COMMISSAR))

    def why_not_join(self, state: State, joiner: Unit, unit: Unit) -> Refusal | None:
        """The same Move and armor class, one hero and one commissar a unit (dw.hero.join, dw.hero.join_limit,
        dw.ability.commissar_attach)."""
        if unit is joiner or unit.side != joiner.side or not unit.is_soldier or unit.place == JOINED:
            return ("dw.hero.join", "only a soldier unit of the own side can be joined")
        commissar = joiner.card.has(COMMISSAR)
        if not commissar and not joiner.card.may_join:
            return ("dw.ability.superhuman", f"{joiner.name} never joins a unit")
        if len(unit.figures) == 1 and unit.card.is_hero:
            return ("dw.hero.join", "heroes join units, not each other")
        if unit.card.move != joiner.card.move:
            return ("dw.hero.join", f'Move {joiner.card.move}" and {unit.card.move}" differ')
        if unit.armor != joiner.armor:
            return ("dw.hero.join", f"armor {joiner.armor} and {unit.armor} differ")
        if not commissar and any(figure.is_hero for figure in unit.figures):
            return ("dw.hero.join_limit", "a hero has joined it already")
        if commissar and any(figure.card.has(COMMISSAR) for figure in unit.figures):
            return ("dw.ability.commissar_attach", "it has a commissar already")
        refused: Refusal | None = joiner.ask("on_joins", None, joiner, unit, state)
        refused = unit.ask("on_join", refused, unit, joiner, state)  # may allow what the joiner's kind forbids
        return refused

    def joinable(self, state: State, joiner: Unit) -> list[Unit]:
        return [unit for unit in state.of(joiner.side) if self.why_not_join(state, joiner, unit) is None]

    def join(self, play: Play, joiner: Unit, unit: Unit, rule: str = "dw.hero.join") -> None:
        """The joiner becomes part of the unit for the whole game; a hero leads it (dw.open.hero_leads)."""
        state: State = play.state
        man = self.merge(unit, joiner)
        joiner.place = JOINED
        joiner.carrier = unit.id
        joiner.bodies = []
        play.emit(Joined(rule, joiner.id, unit.id))
        leader = unit.hero if unit.hero is not None else (man if joiner.card.has(COMMISSAR) else unit.leader)
        if leader is not None and leader != unit.leader and (joiner.card.is_hero or unit.notes.get("merged")):
            unit.leader = leader
            play.emit(LeaderNamed("dw.open.hero_leads", unit.id, leader))
        self.rules.outfit.refresh(state, unit)

    def merge(self, unit: Unit, other: Unit) -> int:
        """Put another unit's figures and weapons into this one; returns the first new figure."""
        shift = len(unit.weapons)
        first = len(unit.figures)
        unit.weapons = (*unit.weapons, *other.weapons)
        added = tuple(
            Figure(
                figure.card,
                tuple(index + shift for index in figure.weapons),
                figure.number,
                tuple(index + shift for index in figure.guns),
                figure.label,
            )
            for figure in other.figures
        )
        unit.figures = (*unit.figures, *added)
        unit.men = [*unit.men, *range(first, first + len(added))]
        return first

    # -- merged units ------------------------------------------------------------------------------------------

    def merges(self, state: State, commissar: Unit) -> list[tuple[str, str]]:
        """Pairs of identical five-man squads that a commissar can make one (dw.ability.commissar_combine)."""
        if not commissar.card.has(COMMISSAR):
            return []
        squads = [
            unit
            for unit in state.of(commissar.side)
            if unit.is_soldier and len(unit.figures) == MERGED_SQUAD and not unit.notes.get("merged")
        ]
        return [
            (one.id, other.id)
            for number, one in enumerate(squads)
            for other in squads[number + 1 :]
            if one.card.id == other.card.id
        ]

    def combine(self, play: Play, commissar: Unit, one: Unit, other: Unit) -> None:
        """Eleven miniatures under the commissar unless a hero is among them; a Support section
        (dw.ability.commissar_combine, dw.ability.commissar_leader, dw.open.commissar_merge)."""
        self.merge(one, other)
        other.place = JOINED
        other.carrier = one.id
        one.notes["merged"] = True
        one.notes["role"] = "support"
        play.emit(Joined("dw.ability.commissar_combine", other.id, one.id))
        man = self.merge(one, commissar)
        commissar.place = JOINED
        commissar.carrier = one.id
        play.emit(Joined("dw.ability.commissar_combine", commissar.id, one.id))
        one.leader = one.hero if one.hero is not None else man
        play.emit(LeaderNamed("dw.ability.commissar_leader", one.id, one.leader))
        self.rules.outfit.refresh(play.state, one)


__all__ = ["COMMISSAR", "Heroes"]
