"""The regular player of the Dust games: picks by exact expected value.

It weighs points it expects to destroy against points it expects to lose, wants objectives, likes cover, and reacts
when a reaction is worth an activation. Expected losses come from the very plans that play would roll.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from dieselfront.kernel.decisions import Answer, Assign, Decision, Number, PickOne, Place
from dieselfront.kernel.game import Game, Play
from dieselfront.odds.exact import losses
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import Part, Unit

FINISHING = 0.35  # share of a unit's points that only its destruction earns
OBJECTIVE = 6.0  # worth of standing on an objective, besides its points
CLOSER = 1.1  # worth of one square nearer to an objective
FEAR = 0.45  # how much expected losses count against expected gains
MOST_SPOTS = 14


class Intent:
    """What the player means to do with the unit it activates."""

    __slots__ = ("actions", "facing", "spot", "unit", "value")

    def __init__(self, unit: str, actions: tuple[str, ...], value: float, spot: Any = None, facing: Any = None) -> None:
        self.unit = unit
        self.actions = actions
        self.value = value
        self.spot = spot
        self.facing = facing


class DustRegular:
    """A sensible opponent for a newcomer."""

    def __init__(self, seed: str) -> None:
        self.chance = Random(seed)
        self.intent: Intent | None = None

    def choose(self, game: Game) -> Answer:
        decision = game.pending
        assert decision is not None
        handler = getattr(self, "_" + decision.key.replace("-", "_"), None)
        if handler is not None:
            answer = handler(game, decision)
            if answer is not None:
                return answer[0]
        return self._otherwise(decision)

    def _otherwise(self, decision: Decision) -> Answer:
        """Questions it has no view on: the first answer of a list, else any."""
        if isinstance(decision, Number):
            return decision.least
        return decision.sample(self.chance)

    # -- setting up -----------------------------------------------------------------------------

    def _deploy_unit(self, game: Game, decision: PickOne) -> Any:
        return (decision.options[0],)

    def _deploy(self, game: Game, decision: Place) -> Any:
        """Forward, near objectives, in cover, towards the enemy."""
        state = game.state
        unit = state.by_id[decision.unit]
        table = state.table
        middle = table.place(table.width // 2, table.height // 2)

        def worth(spot: int) -> float:
            cover = 1.5 if table.in_terrain_cover(spot) else 0.0
            away = min(self._to_objectives(state, spot), int(table.distance(spot, middle)))
            return cover - 0.5 * away

        best = max(decision.spots, key=worth)
        facings = decision.facings(best)
        facing = self._facing_to(table, best, middle)
        return ((best, facing if facing in facings else facings[0]),) if unit else None

    def _first(self, game: Game, decision: PickOne) -> Any:
        return (decision.player,)

    # -- choosing a unit and its actions ----------------------------------------------------------

    def _activate(self, game: Game, decision: PickOne) -> Any:
        """The unit with most to gain acts first; a unit in danger before one that is safe."""
        scratch = game.copy()
        assert scratch.pending is not None
        play = scratch.play
        best: tuple[float, str] | None = None
        for choice in decision.options:
            unit = play.state.by_id.get(choice)
            if unit is None or not unit.on_board:
                continue
            gain = self._attack_worth(play, unit, sustained=not unit.suppressed)
            danger = self._danger(play, unit, unit.where[0])
            urgency = gain + 0.3 * min(danger, unit.points) + (0.01 * unit.points)
            if best is None or urgency > best[0]:
                best = (urgency, choice)
        return None if best is None else (best[1],)

    def _actions(self, game: Game, decision: PickOne) -> Any:
        """Weigh standing, moving, marching and shooting against each other."""
        scratch = game.copy()
        assert scratch.pending is not None
        play = scratch.play
        unit = play.state.by_id[decision.unit]
        if not unit.on_board:
            return None
        options = [option for option in decision.options if not any("special" in action for action in option)]
        plans = list(self._plans(play, unit, options))
        if not plans:
            return None
        self.intent = max(plans, key=lambda plan: plan.value)
        specials = [option for option in decision.options if option not in options]
        if self.intent.value < 0.5 and specials:
            return (specials[self.chance.randrange(len(specials))],)
        return (self.intent.actions,)

    def _plans(self, play: Play, unit: Unit, options: list[tuple[str, ...]]) -> Iterable[Intent]:
        state = play.state
        move, march = play.rules.movement.pace(play, unit)
        here = self._place_worth(play, unit, unit.where[0])
        kinds = {tuple(action.removeprefix("free:") for action in option): option for option in options}
        for plain, option in kinds.items():
            if not {"move", "march"}.intersection(plain):
                worth = here
                if "sustained" in plain:
                    worth += self._attack_worth(play, unit, sustained=True)
                elif "attack" in plain:
                    worth += self._attack_worth(play, unit)
                yield Intent(unit.id, option, worth)
        for action, budget in (("move", move), ("march", march)):
            wanted = [(plain, option) for plain, option in kinds.items() if action in plain]
            if not wanted:
                continue
            reach = play.rules.movement.reach(play, unit, budget, action)
            home = (unit.where, unit.place, unit.facing)
            now = self._attack_worth(play, unit) if any(p[0] == "attack" for p, _ in wanted) else 0.0
            for end in self._spots(play, unit, reach):
                spot, facing = (end, None) if unit.card.size == "standard" else end
                if facing is None and not unit.is_infantry:
                    facing = self._facing_to_enemy(state, unit, spot)
                play.rules.ground.put(state, unit, spot, facing)
                worth = self._place_worth(play, unit, spot)
                after: dict[str, float] = {}
                for plain, option in wanted:
                    fights = [a for a in plain if a in ("attack", "sustained", "close-attack", "ranged-attack")]
                    total = worth
                    if fights and plain.index(fights[0]) < plain.index(action):
                        total += now
                    elif fights:
                        if fights[0] not in after:
                            after[fights[0]] = self._fight_worth(play, unit, fights[0])
                        total += after[fights[0]]
                    yield Intent(unit.id, option, total - 0.01 * reach[end], spot, facing)
                unit.where, unit.place, unit.facing = home

    def _spots(self, play: Play, unit: Unit, reach: Any) -> list[Any]:
        """The most promising places to end a move."""

        def first_look(end: Any) -> float:
            spot = end if isinstance(end, int) else end[0]
            return self._place_worth(play, unit, spot) - 0.05 * self._to_enemies(play.state, unit, spot)

        ends = list(reach.costs)
        ends.sort(key=first_look, reverse=True)
        return ends[:MOST_SPOTS]

    # -- moving ---------------------------------------------------------------------------------

    def _move(self, game: Game, decision: Place) -> Any:
        return self._go(game, decision)

    def _march(self, game: Game, decision: Place) -> Any:
        return self._go(game, decision)

    def _march_first(self, game: Game, decision: Place) -> Any:
        """The first leg of a march: as far along as it goes, out of sight if it can."""
        return self._go(game, decision, first_leg=True)

    def _go(self, game: Game, decision: Place, first_leg: bool = False) -> Any:
        intent = self.intent
        if intent is not None and intent.unit == decision.unit and intent.spot is not None:
            if intent.spot in decision.spots:
                facings = decision.facings(intent.spot)
                facing = intent.facing if intent.facing in facings else facings[0]
                return ((intent.spot, facing),)
            table = game.state.table
            spot = min(decision.spots, key=lambda place: (table.distance(place, intent.spot), place))
            return ((spot, decision.facings(spot)[0]),)
        scratch = game.copy()
        assert scratch.pending is not None
        unit = scratch.state.by_id[decision.unit]
        if not unit.on_board:
            return None
        spot = max(decision.spots, key=lambda place: self._place_worth(scratch.play, unit, place))
        facings = decision.facings(spot)
        facing = self._facing_to_enemy(scratch.state, unit, spot)
        return ((spot, facing if facing in facings else facings[0]),)

    # -- fighting -------------------------------------------------------------------------------

    def _declare(self, game: Game, decision: Assign) -> Any:
        """Every weapon at what it is worth most against, without wasting fire on the nearly dead."""
        return (self._best_assignment(game, decision),)

    _retaliate = _declare

    def _best_assignment(self, game: Game, decision: Assign) -> Answer:
        play = game.play
        unit = play.state.by_id[decision.unit]
        attack = Attack(unit, retaliation=decision.key == "retaliate")
        promised: dict[str, float] = {}
        worth: dict[tuple[Any, ...], tuple[float, dict[str, float]]] = {}
        answer: list[Any] = []
        for item, options in zip(decision.items, decision.choices, strict=True):
            part, index, bearer = item
            best, best_worth, best_hurt = None, 0.05, {}
            for aim in options:
                if aim is None:
                    continue
                key = (part, index, aim)
                if key not in worth:
                    shot = play.rules.attacks.shot(play, attack, part, index, aim, (bearer,))
                    worth[key] = self._shot_worth(play, shot)
                value, hurt = worth[key]
                for target, points in hurt.items():
                    whole = play.state.by_id[target].points
                    if promised.get(target, 0.0) + points > 1.1 * whole:
                        value -= points * 0.8
                if value > best_worth:
                    best, best_worth, best_hurt = aim, value, hurt
            answer.append(best)
            for target, points in best_hurt.items():
                promised[target] = promised.get(target, 0.0) + points
        for one, other in decision.conflicts:
            if answer[one] is not None and answer[other] is not None:
                answer[one] = None
        found = tuple(answer)
        return found if decision.objection(found) is None else decision.sample(self.chance)

    def _fight_worth(self, play: Play, unit: Unit, action: str) -> float:
        return self._attack_worth(
            play,
            unit,
            sustained=action == "sustained",
            ranged=action != "close-attack",
            close=action != "ranged-attack",
        )

    def _attack_worth(
        self,
        play: Play,
        unit: Unit,
        *,
        sustained: bool = False,
        ranged: bool = True,
        close: bool = True,
        only: str = "",
    ) -> float:
        """Points an attack is expected to destroy, each weapon line at its best target."""
        attack = Attack(unit, sustained=sustained, ranged_allowed=ranged, close_allowed=close, only=only)
        promised: dict[str, float] = {}
        total = 0.0
        for line in play.rules.attacks.weapon_lines(play, attack):
            best, best_hurt = 0.0, {}
            for aim in line.aims:
                shot = play.rules.attacks.shot(play, attack, line.part, line.index, aim, line.bearers)
                value, hurt = self._shot_worth(play, shot)
                for target, points in hurt.items():
                    room = 1.1 * play.state.by_id[target].points - promised.get(target, 0.0)
                    if points > room:
                        value -= points - max(room, 0.0)
                if value > best:
                    best, best_hurt = value, hurt
            total += best
            for target, points in best_hurt.items():
                promised[target] = promised.get(target, 0.0) + points
        return total

    def _shot_worth(self, play: Play, shot: Shot) -> tuple[float, dict[str, float]]:
        """Expected points destroyed by a shot, friends counted against it."""
        total = 0.0
        hurt: dict[str, float] = {}
        for struck in play.rules.attacks.victims(play, shot):
            plan = play.rules.attacks.plan(play, struck)
            points = self._plan_worth(struck.target, plan)
            if struck.target.side == shot.unit.side:
                total -= 1.5 * points
            else:
                total += points
                hurt[struck.target.id] = hurt.get(struck.target.id, 0.0) + points
        if shot.close:  # what comes back
            total -= 0.3 * self._danger(play, shot.unit, shot.unit.where[0], only=shot.target)
        return total, hurt

    def _plan_worth(self, target: Unit, plan: Any) -> float:
        odds = losses(plan)
        expected = sum(lost * chance for lost, chance in enumerate(odds))
        part = target.fighters()[0]
        whole = len(part.card.soldiers) if part.squad else part.card.damage
        points = part.card.points
        share = (1 - FINISHING) * points * expected / max(1, whole)
        return float(share + FINISHING * points * odds[-1]) if len(odds) > plan.capacity else float(share)

    def _react(self, game: Game, decision: PickOne) -> Any:
        """React if the shot is worth more than the activation it costs."""
        state = game.state
        play = game.play
        trigger = state.by_id[decision.unit]
        best: tuple[float, Any] = (0.0, None)
        for choice in decision.options:
            if choice is None:
                continue
            unit = state.by_id[choice]
            if not unit.on_board:
                continue
            shot = self._attack_worth(play, unit, close=False, only=trigger.id)
            chance = 1 / 3 if unit.suppressed or unit.stunned else 5 / 9
            later = self._attack_worth(play, unit, sustained=True)
            worth = shot * chance * 1.2 - 0.55 * max(later, 0.1 * unit.points)
            if worth > best[0]:
                best = (worth, choice)
        return (best[1],)

    def _reaction_attack(self, game: Game, decision: PickOne) -> Any:
        trigger = game.state.interrupted
        unit = game.state.by_id[decision.unit]
        if self._attack_worth(game.play, unit, close=False, only=trigger) > 0:
            return ("sustained",)
        return (decision.options[-1],)

    def _turn(self, game: Game, decision: PickOne) -> Any:
        state = game.state
        unit = state.by_id[decision.unit]
        trigger = state.by_id[state.interrupted] if state.interrupted else None
        if trigger is None or not trigger.where:
            return None
        wanted = self._facing_to(state.table, unit.place, trigger.place)
        for stance in decision.options:
            if stance[1] == wanted:
                return (stance,)
        return (decision.options[0],)

    def _sustain_close(self, game: Game, decision: Decision) -> Any:
        return (False,)

    def _pool_order(self, game: Game, decision: PickOne) -> Any:
        return (decision.options[0],)

    def _casualty(self, game: Game, decision: PickOne) -> Any:
        """The least valuable soldier goes, or the most valuable one of the enemy."""
        unit = game.state.by_id[decision.unit]
        part = next((p for p in unit.parts if p.squad), unit.parts[0])
        own = unit.side == decision.player
        pick = min if own else max
        return (pick(decision.options, key=lambda soldier: self._soldier_worth(part, soldier)),)

    def _soldier_worth(self, part: Part, soldier: int) -> float:
        if not isinstance(soldier, int) or soldier >= len(part.card.soldiers):
            return 0.0
        man = part.card.soldiers[soldier]
        worth = 2.0 * len(man.roles)
        for index in man.weapons:
            cells = part.card.weapons[index].cells.values()
            worth += sum(cell.dice + 3 * cell.blast + cell.damage for cell in cells) / 14
        return worth

    def _divide_hits(self, game: Game, decision: Number) -> Any:
        return (decision.least,)

    # -- places ---------------------------------------------------------------------------------

    def _place_worth(self, play: Play, unit: Unit, spot: int) -> float:
        """Objectives near and far, cover, and what the enemy could do to us there."""
        state = play.state
        table = state.table
        urgency = 0.6 + 0.9 * state.turn / max(1, state.scenario.turns)
        worth = 0.0
        if state.objectives and not unit.is_aircraft:
            for objective in state.objectives:
                if spot in objective.places:
                    worth += (OBJECTIVE + objective.points * 0.7) * urgency
            worth -= CLOSER * urgency * self._to_objectives(state, spot)
        else:
            worth -= 0.4 * self._to_enemies(state, unit, spot)
        if table.in_terrain_cover(spot):
            worth += 1.0
        return worth - FEAR * self._danger(play, unit, spot)

    def _to_objectives(self, state: Any, spot: int) -> int:
        table = state.table
        return min(
            (table.distance(spot, place) for objective in state.objectives for place in objective.places), default=0
        )

    def _to_enemies(self, state: Any, unit: Unit, spot: int) -> int:
        table = state.table
        return min((table.distance(spot, foe.place) for foe in state.on_board(1 - unit.side)), default=0)

    def _danger(self, play: Play, unit: Unit, spot: int, only: Unit | None = None) -> float:
        """Points we expect to lose on a spot to enemies that can still act and see it."""
        state = play.state
        table = state.table
        part = unit.fighters()[0]
        armour = part.card.armour_class
        whole = len(part.card.soldiers) if part.squad else part.card.damage
        covered = table.in_terrain_cover(spot)
        total = 0.0
        for foe in [only] if only is not None else state.on_board(1 - unit.side):
            distance = table.distance(foe.place, spot) if foe.where else 99
            hurt = _mean_hits(foe, armour, part.squad, distance, unit.models)
            if hurt and (only is not None or table.sight(foe.place, spot).visible):
                total += hurt * (0.4 if foe.activated and only is None else 1.0)
        if unit.is_infantry:
            total *= 1 / 3 if covered else 2 / 3
        elif covered:
            total *= 2 / 3
        return min(1.0, total / max(1, whole)) * unit.points

    def _facing_to_enemy(self, state: Any, unit: Unit, spot: int) -> int:
        foes = state.on_board(1 - unit.side)
        if not foes:
            return unit.facing
        nearest = min(foes, key=lambda foe: (state.table.distance(spot, foe.place), foe.id))
        return self._facing_to(state.table, spot, nearest.place)

    def _facing_to(self, table: Any, start: int, end: int) -> int:
        (x1, y1), (x2, y2) = table.xy(start), table.xy(end)
        if abs(x2 - x1) > abs(y2 - y1):
            return 1 if x2 > x1 else 3
        return 2 if y2 > y1 else 0


def _mean_hits(foe: Unit, armour: str, squad: bool, distance: int, models: int) -> float:
    """Hits or damage a unit's weapons do on average at a distance, before saves."""
    total = 0.0
    for part in foe.fighters():
        for weapon in part.card.weapons:
            if distance > (1 if weapon.close else weapon.range_max):
                continue
            cell = weapon.cells.get(armour)
            if cell is None:
                continue
            dice = cell.blast * models if cell.blast else cell.dice
            each = 1 if squad else (6 if cell.kill else cell.damage)
            alive = part.models / max(1, part.card.models) if part.squad else 1.0
            total += weapon.count * alive * dice * each / 3
    return total
