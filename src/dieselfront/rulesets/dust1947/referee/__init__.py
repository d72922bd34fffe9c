"""Referee files of Dust 1947: positions on squares, and the words and questions of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from dieselfront.kernel.decisions import Assign, Decision, IllegalChoice, PickOne, plain
from dieselfront.referee import choices
from dieselfront.referee.choices import NOBODY, Unclear, simple
from dieselfront.referee.contract import Adaptor, OwnQuestion
from dieselfront.referee.document import Entry
from dieselfront.rulesets.dust.state import ACTIVATED, SHARED_TOKENS, TOKEN_NAMES
from dieselfront.rulesets.dust1947.referee import refusals
from dieselfront.rulesets.dust1947.referee.odds import odds
from dieselfront.rulesets.dust1947.referee.position import CARD_KEYS, KEYS, PHASES, STATUSES, UNIT_KEYS, PositionFile

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947


class Dust1947Adaptor(Adaptor["Dust1947"]):
    """What a Dust 1947 file may say and ask."""

    keys: ClassVar[tuple[str, ...]] = KEYS
    unit_keys: ClassVar[tuple[str, ...]] = UNIT_KEYS
    phases = PHASES
    statuses = STATUSES
    own_questions: ClassVar[dict[str, OwnQuestion]] = {"odds": odds}
    objective_rules: ClassVar[tuple[str, ...]] = ("d47.victory.hold_objective", "d47.victory.vp")
    aim_words: ClassVar[dict[str, str]] = {
        "at": "one soldier picked out by a sniper: `sniper rifle at b1 at Frank`",
        "area": "the squares that a shell covers: `howitzer at C4 area C4 C5 D4 D5`",
        "smoke": "smoke instead of damage, on these squares",
        "flame": "the squares that a flame runs over",
        "burst": "the squares of a flame burst",
        "spores": "the squares that spores fall on",
        "salvo": "twice the dice, then it must be reloaded: `rockets at b1 salvo 2`",
        "volley": "how many ammo boxes are fired at once: `rockets at b1 volley 3`",
    }
    card_keys = CARD_KEYS
    tokens: ClassVar[tuple[str, ...]] = SHARED_TOKENS

    def fact_words(self) -> dict[str, Collection[str]]:
        """That a unit was activated is told by a fact of its own, never among its tokens."""
        return {**super().fact_words(), "tokens": [name for name in self.tokens if name != TOKEN_NAMES[ACTIVATED]]}

    def terrain_words(self, rules: Dust1947) -> dict[str, str]:
        """The kinds of terrain with their symbols for maps."""
        return {kind: f"symbol `{terrain.symbol}` in a map" for kind, terrain in rules.terrain.items()}

    def position(self, rules: Dust1947, root: dict[str, Entry], options: dict[str, str]) -> Any:
        """The state that the file describes."""
        return PositionFile(rules, root, options).state()

    def facing(self, state: Any, unit: str) -> Any:
        """Which way a unit looks."""
        described = state.by_id.get(unit)
        return described.facing if described is not None else None

    def words(self, session: Any, decision: Decision, wanted: Any) -> Any:
        """NOTHING may be written out among the actions, two MOVEs are a march (d47.turn.two_actions)."""
        if isinstance(decision, PickOne) and decision.key == "actions" and isinstance(wanted, str | list):
            return wanted if plain(wanted) in decision.options else plain_actions(wanted)
        if isinstance(decision, Assign) and isinstance(wanted, str | Mapping):
            self._refuse_barred(session.state, decision, wanted)
        return wanted

    def _refuse_barred(self, state: Any, decision: Assign, wanted: Any) -> None:
        """A weapon that may not be used now is not replaced by another one of a soldier called like it."""
        unit = state.by_id.get(decision.unit)
        for what, whom in choices.aims_written(wanted) if unit is not None else ():
            weapon = refusals.barred_weapon(decision, unit, what)
            if weapon and simple(str(whom)) not in NOBODY:
                raise Unclear(f"{weapon} cannot be used now", decision.rule or None)

    def why_refused(
        self, session: Any, decision: Decision, wanted: Any, error: Unclear | IllegalChoice
    ) -> tuple[str, str] | None:
        """The rule that keeps a weapon from its target: range, sight, arc, no dice against that armour."""
        if not isinstance(decision, Assign) or not isinstance(wanted, str | Mapping | list):
            return None
        for what, whom in choices.aims_written(wanted):
            target = self._target(session.state, whom)
            if target is None:
                continue
            for place in choices.items_called(decision, what):
                why = refusals.aim(session.play, decision, place, target.id)
                if why is not None:
                    return why[0], f"{decision.item(decision.items[place])} cannot be aimed at {target.name}: {why[1]}"
            unit = session.state.by_id.get(decision.unit)
            why = refusals.any_weapon(session.play, unit, what, target) if unit is not None else None
            if why is not None:
                return why[0], f"{what} cannot be aimed at {target.name}: {why[1]}"
        return None

    def _target(self, state: Any, whom: Any) -> Any:
        words = str(whom.get("at", "") if isinstance(whom, Mapping) else whom)
        named = [unit for unit in state.units if unit.id == words.split(" ")[0] or simple(unit.name) == simple(words)]
        return named[0] if len(named) == 1 else None

    def why_not_asked(self, session: Any, key: str, wanted: Any, unit: str) -> tuple[str, str] | None:
        """Why nobody asks whether a unit goes aboard."""
        rider = session.state.by_id.get(unit)
        carrier = self._target(session.state, wanted)
        if simple(key) != "mount" or rider is None or carrier is None:
            return None
        return refusals.mounting(session.play, rider, carrier)


def plain_actions(wanted: str | list[Any]) -> str:
    """Actions as the menu names them: without NOTHING beside others, two MOVEs as the march they are."""
    parts = wanted if isinstance(wanted, list) else wanted.split("+")
    words = [simple(str(word)) for word in parts]
    acting = [word for word in words if word not in NOBODY]
    joined: list[str] = []
    for word in acting:
        if word == "move" and joined and joined[-1] == "move":
            joined[-1] = "march"
        else:
            joined.append(word)
    return " + ".join(joined) or "nothing"


ADAPTOR = Dust1947Adaptor()
