"""Weather: how it begins and ends, and what it does to sight, cover and movement (d47.weather.*).

What the weather is called depends on where the battle is fought and changes nothing (d47.weather.type).
"""

from __future__ import annotations

from dieselfront.dice import Because, Reroll
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.shots import Line, Saves, Shot
from dieselfront.rulesets.dust.state import AWAY, ON_BOARD, RESERVE, DustState, Unit
from dieselfront.rulesets.dust1947.attack import SAME_FACES
from dieselfront.rulesets.dust1947.dice import ARMY_FACE, SHIELD_FACE, TARGET_FACE, task
from dieselfront.rulesets.dust1947.playing import Play

MILD, MODERATE, SEVERE = "mild", "moderate", "severe"
RISKS = ("none", "low", "medium", "high")
SEVERITIES = ("random", MILD, MODERATE, SEVERE)
LAST_TO_PLACE_TERRAIN = 1

SEVERITY_OF = {  # d47.weather.severity: the unordered pair of faces
    (ARMY_FACE, ARMY_FACE): SEVERE,
    (ARMY_FACE, TARGET_FACE): SEVERE,
    (TARGET_FACE, TARGET_FACE): MODERATE,
    (SHIELD_FACE, TARGET_FACE): MODERATE,
    (SHIELD_FACE, SHIELD_FACE): MILD,
    (ARMY_FACE, SHIELD_FACE): MILD,
}

NEEDED_TO_BEGIN = {"low": 3, "medium": 2, "high": 1}  # ARMY, by risk (d47.weather.begin_roll)
SIGHT = {MODERATE: 8, SEVERE: 6}  # d47.weather.moderate_los, d47.weather.severe_los
PACE = {MODERATE: (3, 6), SEVERE: (2, 4)}  # d47.weather.moderate_move, d47.weather.severe_move
COVER_FROM = {MODERATE: 5, SEVERE: 3}  # d47.weather.moderate_cover, d47.weather.severe_cover
REROLL_FROM = 5  # d47.weather.severe_reroll


def sight_limit(state: DustState) -> int | None:
    """How far one sees at most (d47.weather.severe_los, d47.weather.moderate_los); mild weather changes nothing.

    d47.weather.mild.
    """
    return SIGHT.get(state.weather) if state.weather else None


class Weather:
    """The weather of the battle."""

    # -- how it comes and goes ------------------------------------------------------------------

    def settle_severity(self, play: Play) -> Procedure:
        """Before the game: every spell of weather will have this severity (d47.weather.severity)."""
        state = play.state
        if state.severity or state.scenario.weather == "none":
            return
        if state.scenario.severity != "random":
            state.severity = state.scenario.severity
            return
        throw = task("weather severity", "d47.weather.severity")
        thrown = yield from play.throw(throw, 2, LAST_TO_PLACE_TERRAIN)
        one, other = sorted(thrown.stages[0][1])
        state.severity = SEVERITY_OF[one, other]
        self._tell(play, "d47.weather.severity", f"the weather can turn {state.severity}")

    def roll(self, play: Play, winner: int) -> Procedure:
        """After the initiative: the winner rolls for weather to begin, the loser for it to end.

        d47.open.weather_risk_vs_begin.
        """
        state = play.state
        if state.scenario.weather == "none":
            return
        if not state.severity:
            yield from self.settle_severity(play)
        if state.weather:
            yield from self._roll_end(play, 1 - winner)
        else:
            yield from self._roll_begin(play, winner)

    def _roll_begin(self, play: Play, winner: int) -> Procedure:
        """Three dice: how many ARMY are needed depends on the risk (d47.weather.begin_roll)."""
        state = play.state
        thrown = yield from play.throw(task("weather begins", "d47.weather.begin_roll"), 3, winner)
        if thrown.successes >= NEEDED_TO_BEGIN[state.scenario.weather]:
            state.weather = state.severity
            state.weather_turns = 0
            self._tell(play, "d47.weather.begin_roll", f"{state.severity} {state.scenario.weather_name} sets in")
            if state.weather == SEVERE:
                self._aircraft_leave(play)

    def _roll_end(self, play: Play, loser: int) -> Procedure:
        """Three ARMY end it, two after two full turns, one after three.

        d47.weather.end_roll, d47.open.weather_thresholds. Otherwise it goes on (d47.weather.persists); in the round it
        ends nobody rolls for new weather (d47.weather.clear_round).
        """
        state = play.state
        state.weather_turns += 1
        thrown = yield from play.throw(task("weather ends", "d47.weather.end_roll"), 3, loser)
        lasted = {3: 0, 2: 2, 1: 3}.get(thrown.successes)  # three end it at once (d47.open.weather_end_misprint)
        if lasted is None or state.weather_turns < lasted:
            self._tell(play, "d47.weather.persists", f"the {state.scenario.weather_name} goes on")
            return
        was_severe = state.weather == SEVERE
        state.weather = ""
        self._tell(play, "d47.weather.end_roll", f"the {state.scenario.weather_name} lifts")
        if was_severe:
            self._aircraft_return(play)

    def _aircraft_leave(self, play: Play) -> None:
        """Aircraft are driven off at once, with all they carry.

        d47.weather.severe_aircraft_leave, d47.open.weather_aircraft_cargo.
        """
        state = play.state
        for unit in state.units:
            if unit.status == ON_BOARD and unit.is_aircraft:
                play.rules.ground.lift(unit, AWAY)
                self._tell(play, "d47.weather.severe_aircraft_leave", f"{unit.name} leaves the sky", unit.id)
                for cargo in state.units:
                    if cargo.aboard == unit.id and cargo.alive:
                        cargo.status = AWAY

    def _aircraft_return(self, play: Play) -> None:
        """They wait in reserve, or at the edge of their deployment area, to be brought on.

        d47.weather.severe_aircraft_return.
        """
        for unit in play.state.units:
            if unit.status == AWAY and unit.is_aircraft and not unit.aboard:
                unit.status = RESERVE
                self._tell(play, "d47.weather.severe_aircraft_return", f"{unit.name} may return", unit.id)

    def grounds(self, state: DustState, unit: Unit) -> bool:
        """Aircraft take no part in the battle while severe weather lasts."""
        return state.weather == SEVERE and unit.is_aircraft

    def _tell(self, play: Play, rule: str, text: str, unit: str = "") -> None:
        play.emit(Happened(rule, text, unit))

    # -- what it does ---------------------------------------------------------------------------

    def dim(self, state: DustState, unit: Unit, target: Unit, line: Line) -> Line:
        """Nobody sees farther than the weather lets them (d47.weather.severe_los, d47.weather.moderate_los)."""
        farthest = sight_limit(state)
        if farthest is None or line.distance <= farthest or not line.visible:
            return line
        reason = f"{target.name} is at range {line.distance}; in this weather one sees {farthest} squares far"
        return Line(line.distance, False, refusal=(f"d47.weather.{state.weather}_los", reason))

    def slow(self, state: DustState, unit: Unit, move: int, march: int) -> tuple[int, int]:
        """The most a unit may move; no skill for terrain helps.

        d47.weather.severe_move, d47.weather.moderate_move.
        """
        most = PACE.get(state.weather) if state.weather else None
        return (move, march) if most is None else (min(move, most[0]), min(march, most[1]))

    def road_bonus(self, state: DustState, budget: int, action: str, bonus: int) -> int:
        """Roads do not carry anybody past the limit of the weather."""
        most = PACE.get(state.weather) if state.weather and bonus else None
        return bonus if most is None else max(0, min(bonus, most[action == "march"] - budget))

    def change_saves(self, play: Play, saves: Saves, shot: Shot) -> None:
        """Distance is cover that no special weapon takes away.

        d47.weather.severe_cover, d47.weather.moderate_cover.
        """
        weather = play.state.weather
        if weather not in COVER_FROM or shot.close:
            return
        if shot.line.distance >= COVER_FROM[weather]:
            self._hide(saves, f"d47.weather.{weather}_cover", "hidden by the weather")
        if weather == MODERATE and shot.unit.is_aircraft and not shot.target.is_aircraft:
            self._hide(saves, "d47.weather.moderate_aircraft_attacks", "hidden from aircraft by the weather")
        if weather == SEVERE and shot.line.distance >= REROLL_FROM:
            saves.rerolls.append(Reroll(False, SAME_FACES, "d47.weather.severe_reroll"))
            saves.because.append(Because("d47.weather.severe_reroll", "far off: failed cover saves are rolled again"))

    def _hide(self, saves: Saves, rule: str, text: str) -> None:
        saves.cover = True
        saves.cover_firm = True
        saves.because.append(Because(rule, text))


COVER_SAVES_ONLY = frozenset({"d47.weather.severe_reroll"})
"""Re-rolls that help cover saves but not infantry saves."""
