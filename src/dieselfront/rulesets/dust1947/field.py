"""The field of the Dust games, on squares: what can be measured and seen, with reasons, over the ground chapter.

`DustField` holds what squares and the open table share: units, weapons, what gives cover besides terrain. The open
table's own field takes its place where models are measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.forces import DustWeapon
from dieselfront.kernel.field import (
    BLOCKED,
    CLEAR,
    COVERED,
    NO_COVER,
    Arc,
    At,
    Bearing,
    Distance,
    End,
    Field,
    NoAnswer,
    Objective,
    Point,
    Reach,
    Reason,
    Sight,
    SightLine,
    Standing,
    TerrainEffect,
    UnknownWord,
    WeaponUse,
    few,
    unique,
)
from dieselfront.rulesets.dust.hooks import NO_EFFECTS
from dieselfront.rulesets.dust.shots import Attack, Line, Saves, Shot
from dieselfront.rulesets.dust.state import ABOARD, GRAPPLED, LOST, ON_BOARD, STUNNED, DustState, Part, Unit
from dieselfront.rulesets.dust.view import FACING_WORDS
from dieselfront.rulesets.dust1947.fortifications import own_walls, past_walls
from dieselfront.rulesets.dust1947.ground import ARC_OF_MOUNT, REASON_RULES
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.table.square import SquareTable, mask_of
from dieselfront.table.square.movers import Mover, may
from dieselfront.table.terrain import TableError, TerrainKind

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947 import Dust1947

COVER = "cover"
"""The only grade of cover in the Dust games."""
ACTIONS = ("move", "march")
IMPROVISED = "improvised"
LOOK = DustWeapon("look", "Look", 1, {})
"""A weapon that only looks, to ask what cover there is whatever is fired."""

HOW = {
    "interior": "{what} at {where} stands in the way",
    "corners": "the line passes between two corners: {what} at {where}",
    "wall": "{what} between {where}",
    "opening": "the opening in the {what} between {where}",
    "no_opening": "nobody stands at the opening in the {what} between {where}",
    "indoors": "{what} at {where} has no opening on the line",
    "floor": "more than one floor lies between {where}",
    "blocker": "a vehicle at {where} stands in the way",
    "range": "{where} is too far to be seen in this weather",
    "in_terrain": "the target stands in {what} at {where}",
    "corner": "the line touches a corner: {what} at {where}",
    "object": "the line passes {what} at {where}, next to the target",
    "low_wall": "{what} between {where}",
    "floors_apart": "one floor lies between {where}",
}
ARC_RULES = {"front": "front", "rear": "rear", "left": "side", "right": "side", "turret": "turret", None: "infantry"}


class DustField(Field[DustState]):
    """What the Dust games share, on squares and on the open table."""

    ways = ACTIONS

    def __init__(self, rules: Dust1947) -> None:
        self.rules = rules

    # -- units and weapons ----------------------------------------------------------------------

    def is_sheltered(self, state: DustState, unit: str) -> bool:
        return any(state.table.in_terrain_cover(place) for place in state.by_id[unit].where)

    def carried(self, state: DustState, unit: str) -> list[str]:
        soldiers = [(part.card, part.card.soldiers[man]) for part in state.by_id[unit].parts for man in part.alive]
        weapons = [card.weapons[index].name for card, soldier in soldiers for index in soldier.weapons]
        return [*weapons, *(soldier.name for _, soldier in soldiers)]

    def units(self, state: DustState) -> list[Standing]:
        return [self._standing(state, unit) for unit in state.units]

    def _standing(self, state: DustState, unit: Unit) -> Standing:
        most = left = 0
        for part in unit.fighters():
            most += part.card.models if part.squad else part.card.damage
            left += part.left
        on_table = unit.status == ON_BOARD
        return Standing(
            id=unit.id,
            side=unit.side,
            name=unit.name,
            points=unit.points,
            share=left / most if most else float(on_table),
            where="table" if on_table else "gone" if unit.whereabouts == LOST else unit.whereabouts,
            centre=self.centre(state, unit) if on_table and unit.where else None,
        )

    def objectives(self, state: DustState) -> list[Objective]:
        holder = self.rules.victory.holder
        play = Play(self.rules, state)
        return [
            Objective(
                name=one.name,
                points=one.points,
                holder=holder(play, one),
                places=tuple(self.shown(state, place) for place in sorted(one.places)),
            )
            for one in state.objectives
        ]

    def shown(self, state: DustState, place: int) -> Point:
        """A place as tables show it."""
        return state.table.name(place)

    def centre(self, state: DustState, unit: Unit) -> Point:
        """The middle of a unit that stands on the table."""
        raise NotImplementedError

    def unit(self, state: DustState, id: str, *, riding: bool = False) -> Unit:
        """A unit on the table, or one that rides in another, by its id."""
        unit = state.by_id.get(id)
        if unit is None:
            raise UnknownWord(f"there is no unit '{id}'", id)
        if not unit.on_board and not (riding and unit.status == ABOARD):
            raise NoAnswer(f"{id} is not on the table", id)
        return unit

    def weapon(self, unit: Unit, name: str) -> tuple[int, int]:
        """A weapon of any part of the unit by id, name or a piece of its name; `improvised` is what everybody has."""
        wanted = _plain(name)
        if wanted.startswith(IMPROVISED):
            return 0, -1
        rows = [
            (place, index, (_plain(weapon.id), _plain(weapon.name)))
            for place, part in enumerate(unit.parts)
            for index, weapon in enumerate(part.card.weapons)
        ]
        exact = [(place, index) for place, index, names in rows if wanted in names]
        alike = [(place, index) for place, index, names in rows if wanted in names[1]]
        if exact or alike:
            return (exact or alike)[0]
        known = unique(weapon.name for part in unit.parts for weapon in part.card.weapons)
        raise NoAnswer(f"{unit.name} has no weapon '{name}'; it has {', '.join(known) or 'none'}", name)

    def mount(self, unit: Unit, weapon: str) -> str | None:
        """Where a weapon sits."""
        if not weapon:
            return None
        part, index = self.weapon(unit, weapon)
        mount: str | None = self.rules.attacks.weapon_of(unit.parts[part], index).mount
        return mount

    def weapons(self, play: Play, unit: str, target: str, how: str = "") -> list[WeaponUse]:
        one, other = self.unit(play.state, unit, riding=True), self.unit(play.state, target)
        attack = Attack(one)
        return [
            self._use(play, attack, place, index, other)
            for place, part in enumerate(one.parts)
            if part.role != "pilot"
            for index in range(len(part.card.weapons))
        ]

    def _use(self, play: Play, attack: Attack, place: int, index: int, target: Unit) -> WeaponUse:
        weapon = attack.unit.parts[place].card.weapons[index]
        why = self.cannot_fight(attack.unit) or self.rules.attacks.why_not(play, attack, place, index, target)
        if why is None:
            return WeaponUse(weapon=weapon.name, usable=True, rule="d47.attack.declare.weapon_target")
        return WeaponUse(weapon=weapon.name, usable=False, rule=why[0], reason=why[1])

    def cannot_fight(self, unit: Unit) -> tuple[str, str] | None:
        """Why a unit uses no weapon at all just now."""
        if unit.is_(GRAPPLED):
            return "d47.weapon.grapple_held", f"{unit.name} is grappled"
        if unit.is_(STUNNED):
            return "d47.skill.stunned_cannot_fight", f"{unit.name} is stunned"
        return None

    def weapon_ranges(self, unit: Unit, far: int) -> list[dict[str, Any]]:
        """Which ranged weapons reach as far."""
        return [
            {
                "weapon": weapon.name,
                "range": weapon.range_text,
                "reaches": weapon.range_min <= far <= weapon.range_max,
            }
            for part in unit.fighters()
            for weapon in part.card.weapons
            if not weapon.close
        ]

    # -- cover that is not on the line ----------------------------------------------------------

    def further_cover(self, play: Play, viewer: Unit, target: Unit, line: Line) -> list[Reason]:
        """Cover of the unit's own, of field works, of the weather; each with its rule."""
        if not line.visible:
            return []
        shot = Shot(play, Attack(viewer), viewer.main, -1, LOOK, NO_EFFECTS, target, line)
        speaking: Any = target.effects.get("on_cover_always", ())
        reasons = [
            Reason(text=f"{target.name} counts as in cover by a rule of its own", rule=answer.__self__.rule)
            for answer in speaking
            if answer(False, target)
        ]
        fort = self.rules.fortifications.sheltered(play.state, shot) if play.state.forts else None
        if fort is not None:
            reasons.append(Reason(text=f"{target.name} is inside a {fort.kind}", rule="d47.open.fort_cover"))
        elif self.rules.fortifications.covers(shot):
            reasons.append(Reason(text=f"{target.name} is in a trench", rule="d47.trench.cover"))
        hidden = Saves(False, 0, 0)
        self.rules.weather.change_saves(play, hidden, shot)
        if hidden.cover:
            reasons += [Reason(text=because.text, rule=because.rule) for because in hidden.because[:1]]
        return reasons

    def saves(self, play: Play, viewer: Unit, target: Unit, weapon: str, line: Line) -> list[dict[str, Any]]:
        """What the target saves on against a weapon."""
        part, index = self.weapon(viewer, weapon)
        attacks = self.rules.attacks
        owner = viewer.parts[part]
        effects = attacks.effects_of(play, owner, index)
        shot = Shot(play, Attack(viewer), owner, index, attacks.weapon_of(owner, index), effects, target, line)
        return [
            {"label": save.label, "faces": list(save.die.names(save.faces)), "rule": save.rule}
            for save in self.rules.saves.plan(play, shot)
        ]

    def line(self, play: Play, viewer: Unit, target: Unit, mount: str | None, *, plain: bool) -> Line:
        """The line that play would use, dimmed by the weather."""
        blockers = self.rules.ground.sight_blockers(play.state, viewer)
        line = self.rules.ground.line(play.state, viewer, target, mount, blockers, arc="all" if plain else None)
        return self.rules.weather.dim(play.state, viewer, target, line)

    def cover(self, play: Play, viewer: str, target: str, weapon: str = "") -> Sight:
        sight = self.sight(play, viewer, target, weapon)
        if sight.visible and weapon:
            one, other = self.unit(play.state, viewer), self.unit(play.state, target)
            line = self.line(play, one, other, self.mount(one, weapon), plain=False)
            saves = self.saves(play, one, other, weapon, line)
            sight.facts["saves"] = saves
            sight.notes += [f"{save['label']} on {' or '.join(save['faces'])} ({save['rule']})" for save in saves]
            sight.notes += [] if saves else ["No save."]
            sight.rules = unique((*sight.rules, *(save["rule"] for save in saves)))
        return sight

    # -- ways -----------------------------------------------------------------------------------

    def action(self, how: str) -> str:
        """A movement action by its name."""
        if how and how not in ACTIONS:
            raise UnknownWord(f"there is no movement '{how}'; expected one of {', '.join(ACTIONS)}", how)
        return how or ACTIONS[0]

    def pace(self, play: Play, unit: Unit, action: str) -> tuple[bool, int]:
        """May the unit move so, and how far?"""
        place = ACTIONS.index(action)
        may_move = self.rules.movement.may_move(play, unit)[place]
        return may_move, self.rules.movement.pace(play, unit)[place] if may_move else 0


class SquareField(DustField):
    """The field on squares."""

    def table(self, state: DustState) -> SquareTable:
        table: SquareTable = state.table
        return table

    def centre(self, state: DustState, unit: Unit) -> Point:
        spots = [self.table(state).xy(place) for place in unit.where]
        return (sum(x + 0.5 for x, _ in spots) / len(spots), sum(y + 0.5 for _, y in spots) / len(spots))

    def squares(self, state: DustState, end: End) -> tuple[Unit | None, tuple[int, ...]]:
        """The unit of an end, if it is one, and its squares."""
        if isinstance(end, At):
            try:
                return None, (self.table(state).square(str(end.place)),)
            except TableError as error:
                raise NoAnswer(str(error).rstrip("."), str(end.place)) from None
        unit = self.unit(state, end)
        return unit, unit.where

    # -- distance -------------------------------------------------------------------------------

    def distance(self, state: DustState, one: End, other: End) -> Distance:
        table = self.table(state)
        (a, mine), (b, theirs) = self.squares(state, one), self.squares(state, other)
        far, start, end = min((table.distance(x, y), x, y) for x in mine for y in theirs)
        if a is not None and b is not None:
            far = self.rules.ground.distance(state, a, b)
        weapons = self.weapon_ranges(a, far) if a is not None else []
        return Distance(
            length=far,
            start=table.name(start),
            end=table.name(end),
            weapons=weapons,
            rules=["d47.attack.range.limit"],
        )

    # -- sight ----------------------------------------------------------------------------------

    def sight(self, play: Play, viewer: End, target: End, weapon: str = "") -> Sight:
        (one, _), (other, _) = self.squares(play.state, viewer), self.squares(play.state, target)
        if one is None or other is None:
            return self._between_squares(play, viewer, target)
        mount = self.mount(one, weapon)
        line = self.line(play, one, other, mount, plain=not weapon)
        lines = self._lines(play.state, one, other, mount)
        because = self.further_cover(play, one, other, line)
        if line.refusal is not None and not any(each.reasons for each in lines):
            because.append(Reason(text=line.refusal[1], rule=line.refusal[0], blocks=not line.visible))
        covered = line.visible and (line.cover or any(not reason.blocks for reason in because))
        origin = self.table(play.state).name(line.origin) if line.origin >= 0 else None
        return Sight(
            viewer=one.id,
            target=other.id,
            viewer_name=one.name,
            target_name=other.name,
            visible=line.visible,
            cover=COVER if covered else NO_COVER,
            distance=line.distance if line.visible else self.rules.ground.distance(play.state, one, other),
            lines=lines,
            because=because,
            rules=_rules(lines, because),
            facts={"origin": origin, "above": line.above},
        )

    def _between_squares(self, play: Play, viewer: End, target: End) -> Sight:
        """Sight where one end is a bare square, whoever might stand there: the best of all lines."""
        state, table = play.state, self.table(play.state)
        (one, mine), (other, theirs) = self.squares(state, viewer), self.squares(state, target)
        own = mask_of(mine) | mask_of(theirs)
        if one is not None:
            blockers = self.rules.ground.sight_blockers(state, one) & ~own
        else:
            vehicles = (unit for unit in state.on_board() if unit.is_vehicle)
            blockers = mask_of(place for unit in vehicles for place in unit.where) & ~own
        eye: Any = self.rules.ground.eye(one, table) if one is not None else "low"
        lines: list[SightLine] = []
        because: list[Reason] = []
        for origin in mine:
            for goal in theirs:
                walls = past_walls(state, origin, goal) if state.forts else 0
                if walls is None:
                    text = f"{table.name(goal)} lies on the blind side of a bunker"
                    because = [Reason(text=text, rule="d47.fort.bunker_view", blocks=True)]
                    continue
                seen = table.sight(origin, goal, blockers=blockers, eye=eye, ignore=walls)
                lines.append(self._line_of(table, origin, goal, seen))
        best = min(lines, key=lambda line: (CLEAR, COVERED, BLOCKED).index(line.kind), default=None)
        visible = best is not None and best.kind != BLOCKED
        if visible:
            because = self._sheltering(state, mine, theirs)
        return Sight(
            viewer=viewer if isinstance(viewer, str) else table.name(mine[0]),
            target=target if isinstance(target, str) else table.name(theirs[0]),
            viewer_name=one.name if one is not None else table.name(mine[0]),
            target_name=other.name if other is not None else table.name(theirs[0]),
            visible=visible,
            cover=COVER if visible and (because or (best is not None and best.kind == COVERED)) else NO_COVER,
            distance=min(table.distance(a, b) for a in mine for b in theirs),
            lines=lines,
            because=because,
            rules=_rules(lines, because),
        )

    def _sheltering(self, state: DustState, mine: tuple[int, ...], theirs: tuple[int, ...]) -> list[Reason]:
        """The fortification whose walls shelter who stands inside, from those outside (d47.open.fort_cover)."""
        forts = [
            fort for fort in state.forts if set(fort.interior) & set(theirs) and not set(fort.interior) & set(mine)
        ]
        text = "who stands there is inside a {}"
        return [Reason(text=text.format(fort.kind), rule="d47.open.fort_cover") for fort in forts[:1]]

    def _lines(self, state: DustState, viewer: Unit, target: Unit, mount: str | None) -> list[SightLine]:
        """Every line by itself: from each square that may look to each square of the target."""
        table = self.table(state)
        own = mask_of(target.where) | mask_of(viewer.where)
        blockers = self.rules.ground.sight_blockers(state, viewer) & ~own
        air: Any = False
        if viewer.is_aircraft or target.is_aircraft:
            air = ("both" if target.is_aircraft else "attacker") if viewer.is_aircraft else "target"
        eye: Any = self.rules.ground.eye(viewer, table)
        walls = own_walls(state, viewer, target) if state.forts else 0
        lines = []
        for origin in self.rules.ground.origins(viewer, mount):
            for goal in target.where:
                seen = table.sight(origin, goal, blockers=blockers, eye=eye, air=air, ignore=walls)
                seen = self.rules.ground.covering(table, target, seen)
                lines.append(self._line_of(table, origin, goal, seen))
        return lines

    def _line_of(self, table: SquareTable, origin: int, goal: int, seen: Any) -> SightLine:
        reasons = [self._reason(table, reason) for reason in seen.reasons if reason.blocks or seen.visible]
        start, end = table.name(origin), table.name(goal)
        kind = BLOCKED if not seen.visible else COVERED if seen.cover else CLEAR
        weighty = next((reason for reason in reasons if reason.blocks == (kind == BLOCKED)), None)
        return SightLine(
            kind=kind,
            eye=start,
            end=end,
            viewer=start,
            target=end,
            label=f"{start} to {end}",
            at=" ".join(dict.fromkeys(weighty.places)) if weighty is not None else None,
            reasons=reasons,
        )

    def _reason(self, table: SquareTable, reason: Any) -> Reason:
        places = [table.name(place) for place in reason.places]
        kind = table.kinds.get(reason.what)
        rule = REASON_RULES.get(reason.code, "d47.attack.los.trace_center")
        if kind is not None and reason.code in ("interior", "in_terrain"):
            rule = kind.rules.get("sight" if reason.blocks else "cover", rule)
        what = "a vehicle" if reason.what == "unit" else reason.what.replace("_", " ")
        code = "no_opening" if reason.code == "opening" and reason.blocks else reason.code
        words = HOW.get(code, "{what} at {where}").format(what=what, where=" and ".join(dict.fromkeys(places)))
        return Reason(
            text=words, rule=rule, blocks=reason.blocks, code=reason.code, what=reason.what, places=tuple(places)
        )

    # -- arcs -----------------------------------------------------------------------------------

    def arcs(self, state: DustState, unit: str) -> list[Arc]:
        """Fixed mounts of a vehicle: the squares inside arc and range (d47.attack.arc.*)."""
        one = self.unit(state, unit)
        if one.is_infantry:
            return []
        arcs = (
            self._arc(state, one, weapon)
            for part in one.fighters()
            for weapon in part.card.weapons
            if ARC_OF_MOUNT.get(weapon.mount, "all") != "all" and not weapon.close
        )
        return few(list(arcs))

    def _arc(self, state: DustState, unit: Unit, weapon: DustWeapon) -> Arc:
        table, arc = self.table(state), ARC_OF_MOUNT[weapon.mount]
        origins = self.rules.ground.origins(unit, weapon.mount)
        squares = [
            table.name(place)
            for place in table.places()
            if table.level(place) == 0
            and any(
                table.in_arc(origin, unit.facing, place, arc)
                and weapon.range_min <= table.distance(origin, place) <= weapon.range_max
                for origin in origins
            )
        ]
        return Arc(
            weapon=weapon.name,
            name=f"{arc} arc",
            range=weapon.range_max,
            at=table.name(unit.where[0]),
            outline=squares,
            rules=[f"d47.attack.arc.{ARC_RULES[weapon.mount]}"],
        )

    def bearing(self, state: DustState, unit: str, target: End, weapon: str = "", facing: Any = None) -> Bearing:
        one = self.unit(state, unit)
        _, squares = self.squares(state, target)
        part, index = self.weapon(one, weapon) if weapon else (0, -1)
        used = self.rules.attacks.weapon_of(one.parts[part], index)
        arc: Any = ARC_OF_MOUNT[used.mount]
        turned = one.facing if facing is None else facing
        origins = self.rules.ground.origins(one, used.mount)
        inside = arc == "all" or any(
            self.table(state).in_arc(origin, turned, place, arc) for origin in origins for place in squares
        )
        rule = f"d47.attack.arc.{ARC_RULES[used.mount]}"
        return Bearing(weapon=used.name, arc=arc, inside=inside, facing=FACING_WORDS[turned], rules=[rule])

    # -- reach ----------------------------------------------------------------------------------

    def reach(
        self, play: Play, unit: str, how: str = "", goal: Any = None, facing: Any = None, under_way: Any = None
    ) -> Reach:
        one, action, table = self.unit(play.state, unit), self.action(how), self.table(play.state)
        if under_way is not None:
            return self._rest_of_move(play.state, action, under_way, goal)
        may_move, budget = self.pace(play, one, action)
        ways = self.rules.movement.reach(play, one, budget, action) if may_move else None
        ends = self._ends(table, one, ways)
        squares: dict[str, int] = {}
        for end in ends:
            squares.setdefault(end["square"], end["cost"])
        covered = [table.name(place) for place in table.places() if ways is not None and ways.mask >> place & 1]
        answer = Reach(
            how=action,
            budget=budget,
            may=may_move,
            rules=["d47.action.move" if action == "move" else "d47.action.march"],
            squares=squares,
            facts={"ends": ends},
            marks={"reach": squares, "covered": covered},
        )
        if goal is not None:
            self._way_to(play, one, answer, goal, facing)
        return answer

    def _rest_of_move(self, state: DustState, action: str, spots: Any, goal: Any) -> Reach:
        """The squares of a move that is being chosen: what was spent before is gone."""
        table = self.table(state)
        squares = {table.name(spot): cost for spot, cost in spots.items()}
        ends = [{"square": name, "facing": None, "cost": cost, "path": []} for name, cost in squares.items()]
        answer = Reach(
            how=action,
            budget=max(squares.values(), default=0),
            rules=["d47.action.move" if action == "move" else "d47.action.march"],
            squares=squares,
            facts={"ends": ends},
            marks={"reach": squares, "covered": list(squares)},
        )
        if goal is not None:
            _, (square,) = self.squares(state, At(goal))
            answer.cost = squares.get(table.name(square))
            answer.reached = answer.cost is not None
            answer.reason = "" if answer.reached else "what is left of the move does not lead there"
        return answer

    def _ends(self, table: SquareTable, unit: Unit, ways: Any) -> list[dict[str, Any]]:
        if ways is None:
            return []
        ends = []
        for end, cost in ways.costs.items():
            spot, turned = (end, None) if unit.card.size == "standard" else end
            ends.append(
                {
                    "square": table.name(spot),
                    "facing": None if turned is None else FACING_WORDS[turned],
                    "cost": cost,
                    "path": [table.name(place) for place in ways.path(end)],
                }
            )
        return ends

    def _way_to(self, play: Play, unit: Unit, answer: Reach, goal: Any, facing: Any) -> None:
        """The way to one square, or why there is none."""
        table = self.table(play.state)
        _, (square,) = self.squares(play.state, At(goal))
        name = table.name(square)
        turned = None if facing is None else FACING_WORDS[facing]
        ends = [end for end in answer.facts["ends"] if end["square"] == name]
        fitting = [end for end in ends if turned is None or end["facing"] in (None, turned)]
        answer.reached = bool(fitting)
        if fitting:
            best = min(fitting, key=lambda end: int(end["cost"]))
            answer.cost, answer.path = best["cost"], best["path"]
            return
        far = self.rules.movement.reach(play, unit, table.size, answer.how) if answer.may else None
        costs = [end["cost"] for end in self._ends(table, unit, far) if end["square"] == name]
        answer.cost = min(costs, default=None)
        answer.reason = (
            f"it would cost {answer.cost}, more than {answer.budget}"
            if answer.cost is not None
            else f"it cannot be reached at all ({table.describe(square)})"
        )

    def outline(self, play: Play, unit: str, region: Any = None) -> list[list[Point]]:
        """Squares in reach are highlighted one by one, not by an outline."""
        return []

    # -- terrain --------------------------------------------------------------------------------

    def terrain(self, state: DustState, unit: str) -> list[TerrainEffect]:
        return list(self._effects(state, unit))

    def _effects(self, state: DustState, name: str) -> Iterator[TerrainEffect]:
        unit = state.by_id.get(name)
        if unit is None:
            return
        table = self.table(state)
        mover = self.rules.ground.mover(unit, state)
        tall = self.rules.ground.eye(unit, table) == "tall"
        for kind in sorted({kind for place in table.places() for kind in table.features(place)}):
            terrain = table.kinds[kind]
            said = [moving(terrain, mover), seeing(terrain, tall), covering(terrain)]
            nothing = "has a rule of its own" if terrain.rules else "changes nothing for it"
            text = "; ".join(words for words in said if words) or nothing
            yield TerrainEffect(kind=kind, text=text, rules=unique(terrain.rules.values()))

    def terrain_at(self, state: DustState, place: At) -> TerrainEffect:
        table = self.table(state)
        _, (square,) = self.squares(state, place)
        units = [unit.id for unit in state.on_board() if square in unit.where]
        features = list(table.features(square))
        rules = unique(rule for kind in table.kinds_at(square) for rule in kind.rules.values())
        facts = {"square": table.name(square), "terrain": features, "units": units}
        text = table.describe(square) + (f"; {', '.join(units)} stands there" if units else "")
        return TerrainEffect(kind=" ".join(features), text=text, rules=rules, facts=facts)


def moving(terrain: TerrainKind, mover: Mover) -> str:
    """How a unit moves there."""
    if mover.flying:
        return "it flies over it"
    if not may(mover, terrain.passable):
        return "it may not enter"
    if not may(mover, terrain.stoppable):
        return "it may pass, not stop"
    if terrain.hazard and (not terrain.hazard_for or mover.kind in terrain.hazard_for):
        return "dangerous to enter"
    if terrain.halves:
        return "halves its movement"
    if terrain.road:
        return "speeds it up along the way"
    return "it may enter" if terrain.moves_matter else ""


def seeing(terrain: TerrainKind, tall: bool) -> str:
    """What a unit sees past it."""
    if terrain.sight == "all":
        return "blocks sight"
    if terrain.sight == "low":
        return "it looks over it" if tall else "blocks its sight"
    return ""


def covering(terrain: TerrainKind) -> str:
    """What shelter it gives."""
    if terrain.object_cover:
        return "covers who stands in it or right behind it"
    return "gives cover to who stands in it" if terrain.cover else ""


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("-", " ").replace("_", " ").replace(":", " ").split())


def _rules(lines: Sequence[SightLine], because: Sequence[Reason]) -> list[str]:
    of_lines = unique(reason.rule for line in lines for reason in line.reasons) or ["d47.attack.los.trace_center"]
    return unique((*of_lines, *(reason.rule for reason in because)))


def fighters(unit: Unit) -> Iterator[tuple[Part, DustWeapon]]:
    """Every ranged weapon of a unit with the part that carries it."""
    for part in unit.fighters():
        for weapon in part.card.weapons:
            if not weapon.close:
                yield part, weapon


__all__ = ["ACTIONS", "DustField", "SquareField"]
