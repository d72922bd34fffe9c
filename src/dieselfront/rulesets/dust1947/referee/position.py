"""Positions of the Dust games on squares, as a person would describe a table: board, sides, units and their states.

The state itself is made by the ruleset's own set-up; here its units are put where the file says and given their tokens.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.forces import DustCard, UnknownCard, catalogue
from dieselfront.forces.documents import place_and_message
from dieselfront.forces.dust_files import CardEntry, Fault, read_card
from dieselfront.kernel.record import Header
from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import RefereeError, suggestion
from dieselfront.referee.facings import QUARTERS, quarter
from dieselfront.referee.measured_positions import understood
from dieselfront.referee.positions import COLOURS, DescribedUnit, listed_units, read_sides, side_number
from dieselfront.referee.spelling import SQUARE
from dieselfront.rulesets.dust.state import (
    ACTED,
    ACTIVATED,
    CAMOUFLAGED,
    HAS_ACTIVATED_EVER,
    HIDDEN,
    OFF_BOARD,
    SUPPRESSED,
    TOKEN_NAMES,
    UNDER_FIRE,
    DustState,
    Part,
    Unit,
)
from dieselfront.rulesets.dust1947.criticals import RESULTS
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.referee import refusals
from dieselfront.rulesets.dust1947.scenario import ScenarioError
from dieselfront.rulesets.dust1947.skills.movement import can_hide
from dieselfront.table.square import BoardBuilder, SquareTable
from dieselfront.table.terrain import TableError

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947

KEYS = (
    *("size", "terrain", "map", "sides", "units", "turn", "round", "phase", "objectives", "weather", "smoke"),
    *("turns", "goal", "reserve", "fortifications", "scenario"),
)
UNIT_KEYS = (
    *("id", "name", "card", "side", "place", "facing", "models", "soldiers", "damage", "tokens", "activated", "acted"),
    *("joined", "pilot", "aboard", "held_by", "ammo", "unloaded", "broken", "spent", "criticals", "status"),
)
SCOUT, SPY = "Scout", "Spy"
CARD_KEYS = {
    "name, kind, armour, move, march": "as on the card: `kind: infantry`, `armour: S2` (S soldiers, V vehicles, "
    "A aircraft)",
    "damage": "points of damage of a vehicle, hero or aircraft",
    "soldiers": "the miniatures of a squad, weapons by their place in the list, the first is 0: "
    "`[{name: Leader, roles: [leader], weapons: [0]}]`",
    "models": "how many, where no soldiers are named",
    "skills": "names as on cards: `[Scout, Brave]`",
    "weapons": "lines of `{name, count, range, vs, rules, mount, ammo}`: "
    "`{name: Rifle, count: 4, range: 4, vs: {S1: 1/1}}`",
    "locomotion, size": "`walker`, `tracked`, `wheeled` ...; `standard`, `large`, `huge`",
    "points, bloc": "what it costs, whose it is",
}
CRITICALS = tuple(RESULTS.values())
PART_KEYS = ("card", "models", "soldiers", "damage", "ammo", "unloaded", "broken", "spent")
FORT_KEYS = ("kind", "side", "at", "facing", "interior")
SIDE_KEYS = ("name", "bloc", "points", "reserves", "used", "extra_initiative")
PHASES = ("deploy", "turn", "activations", "end")
STATUSES = ("board", "aboard", "off", "reserve", "away", "lost")
LARGEST = 60
DEFAULT_TURNS = 99
_SIZE = re.compile(r"^\s*(\d+)\s*(?:x|×|by|,)\s*(\d+)\s*$", re.IGNORECASE)


class PositionFile:
    """A file's description on its way to a state."""

    def __init__(self, rules: Dust1947, top: dict[str, Entry], options: dict[str, str]) -> None:
        self.rules = rules
        self.top = top
        self.options = options
        self.size = self._size()
        self.pieces = self._pieces()
        self.sides = self._sides()
        self.entries = self._units()

    # -- the board ------------------------------------------------------------------------------

    def _size(self) -> tuple[int, int]:
        """Columns and rows: "8x6" or [8, 6]; a map brings its own."""
        if "size" not in self.top:
            rows = self._rows()
            if rows is None:
                raise RefereeError("'size' is missing; expected columns and rows, such as 8x6", 1)
            return max(len(row) for row in rows), len(rows)
        entry = self.top["size"]
        if entry.is_list:
            numbers = [one.number(1, LARGEST) for one in entry.entries()]
        else:
            match = _SIZE.match(entry.text())
            numbers = [int(match[1]), int(match[2])] if match else []
        if len(numbers) != 2 or not all(1 <= number <= LARGEST for number in numbers):
            raise entry.wrong(f"expected columns and rows from 1 to {LARGEST}, such as 8x6, not {entry.described()}")
        return numbers[0], numbers[1]

    def _rows(self) -> list[str] | None:
        """The board drawn with the symbols of its terrain."""
        if "map" not in self.top:
            return None
        entry = self.top["map"]
        rows = [one.text() for one in entry.entries()] if entry.is_list else entry.text().splitlines()
        rows = ["".join(row.split()) for row in rows if row.strip()]
        if not rows:
            raise entry.wrong("expected one line of symbols for every row of the board")
        return rows

    def _pieces(self) -> list[str]:
        """Terrain in words, each piece tried where it stands so that a mistake has its line."""
        pieces: list[str] = []
        builder = BoardBuilder(*self.size, self.rules.terrain)
        for text, entry in (*self._drawn(), *self._told_terrain()):
            try:
                builder.piece(text)
            except TableError as error:
                raise RefereeError(str(error).rstrip("."), entry.line) from None
            pieces.append(text)
        try:
            builder.build()
        except TableError as error:
            raise RefereeError(
                str(error).rstrip("."), self.top["terrain"].line if "terrain" in self.top else 1
            ) from None
        return pieces

    def _told_terrain(self) -> Iterable[tuple[str, Entry]]:
        return [(one.text(), one) for one in self.top["terrain"].entries()] if "terrain" in self.top else []

    def _drawn(self) -> Iterable[tuple[str, Entry]]:
        rows = self._rows()
        if rows is None:
            return []
        entry = self.top["map"]
        symbols = {kind.symbol: name for name, kind in self.rules.terrain.items()}
        pieces = []
        for y, row in enumerate(rows):
            if len(row) != self.size[0] or len(rows) != self.size[1]:
                raise entry.wrong(f"row {y + 1} has {len(row)} squares; expected {self.size[1]} rows of {self.size[0]}")
            for x, symbol in enumerate(row):
                if symbol == ".":
                    continue
                if symbol not in symbols:
                    raise entry.wrong(f"row {y + 1}: no terrain has the symbol {symbol!r}")
                pieces.append((f"{symbols[symbol]} at {square_name(x, y)}", entry))
        return pieces

    # -- sides and units ------------------------------------------------------------------------

    def _sides(self) -> list[dict[str, Any]]:
        return read_sides(self.top, SIDE_KEYS, _side_value, {"bloc": ""})

    def side(self, entry: Entry) -> int:
        """A side by its colour, letter, number or name, or its bloc."""
        return side_number(self.sides, entry, also=("bloc",))

    def _units(self) -> list[_Described]:
        return listed_units(self.top, self.describe)

    def describe(self, entry: Entry, key: str, counts: list[int]) -> _Described:
        """One unit of the list."""
        return _Described(self, entry, key, counts)

    # -- the state ------------------------------------------------------------------------------

    def state(self) -> DustState:
        header = Header(
            ruleset=self.rules.id,
            version=self.rules.version,
            scenario=self._scenario(),
            forces=[self._force(side) for side in (0, 1)],
            seats=list(COLOURS),
            options=self.options,
        )
        try:
            state: DustState = self.rules.new_state(header)
        except (ScenarioError, TableError) as error:
            raise RefereeError(str(error).rstrip("."), self._scenario_line()) from None
        if "phase" not in self.top or self.top["phase"].text() != "deploy":
            state.forts = tuple(fort for fort in state.forts if fort.placed)
        self._set_sides(state)
        self._set_clock(state)
        for described in self.entries:
            described.apply(state)
        for described in self.entries:
            described.check(state)
        if state.phase != "deploy":
            for unit in state.units:
                if unit.status == OFF_BOARD and not self._described(unit).has("status"):
                    raise self._described(unit).entry.wrong("'place' is missing: where does the unit stand?")
        return state

    def _described(self, unit: Unit) -> _Described:
        return next(one for one in self.entries if one.id == unit.id)

    def _force(self, side: int) -> dict[str, Any]:
        mine = [one for one in self.entries if one.side == side]
        cards: dict[str, Any] = {}
        for one in mine:
            cards |= {card.id: card for card in one.cards}
        units = [one.place_and_message() for one in mine]
        return {
            "name": self.sides[side]["name"],
            "bloc": self.sides[side].get("bloc", ""),
            "cards": cards,
            "units": units,
        }

    def _scenario(self) -> dict[str, Any]:
        """The scenario around the position; `scenario:` may say more, in the words of scenario files."""
        extra = self.top["scenario"].plain() if "scenario" in self.top else {}
        last = square_name(self.size[0] - 1, self.size[1] - 1)
        made: dict[str, Any] = {
            "id": "referee",
            "name": "A question to the referee",
            "board": {"size": list(self.size), "terrain": self.pieces},
            "deploy": [{"squares": f"A1-{last}", "facing": "north"}, {"squares": f"A1-{last}", "facing": "south"}],
            "turns": self.top["turns"].number(1) if "turns" in self.top else DEFAULT_TURNS,
            "ruleset": self.rules.id,
        }
        for key in ("objectives", "goal", "reserve"):
            if key in self.top:
                made[key] = self.top[key].plain()
        if "fortifications" in self.top:
            made["fortifications"] = [self._fort(one) for one in self.top["fortifications"].entries()]
        if not isinstance(extra, dict):
            raise self.top["scenario"].wrong("expected a table, as in scenario files")
        return made | extra

    def _fort(self, entry: Entry) -> dict[str, Any]:
        """A bunker or strongpoint that stands: its footprint, and the way it faces."""
        pairs = entry.table(FORT_KEYS)
        for needed in ("kind", "side", "at"):
            if needed not in pairs:
                raise entry.wrong(f"'{needed}' is missing; a fortification needs a kind, a side and a place")
        told_fort: dict[str, Any] = {key: one.text() for key, one in pairs.items() if key not in ("side", "facing")}
        told_fort["side"] = self.side(pairs["side"])
        if "facing" in pairs:
            told_fort["facing"] = QUARTERS[facing(pairs["facing"])]
        return told_fort

    def _scenario_line(self) -> int:
        for key in ("scenario", "fortifications", "objectives", "goal"):
            if key in self.top:
                return self.top[key].line
        return 1

    def _set_sides(self, state: DustState) -> None:
        for side, described in zip(state.sides, self.sides, strict=True):
            side.points_scored = int(described.get("points", 0))
            side.reserves_left = int(described.get("reserves", side.reserves_left))
            side.extra_initiative = bool(described.get("extra_initiative", False))
            side.used = tuple(described.get("used", ()))

    def _set_clock(self, state: DustState) -> None:
        """Turn, phase, whose turn it is, weather and smoke."""
        phase = self.top["phase"].text() if "phase" in self.top else "activations"
        if phase not in PHASES:
            raise self.top["phase"].wrong(f"there is no phase '{phase}'{suggestion(phase, PHASES)}")
        state.phase = "activations" if phase == "end" else phase
        state.turn = self.top["round"].number(0) if "round" in self.top else (0 if phase == "deploy" else 1)
        if "turn" in self.top:
            self._set_turn(state, self.top["turn"])
        if phase == "turn":  # it is about to begin
            state.turn -= 1
        if "weather" in self.top:
            self._set_weather(state, self.top["weather"])
        for one in self.top["smoke"].entries() if "smoke" in self.top else ():
            self._set_smoke(state, one)

    def _set_turn(self, state: DustState, entry: Entry) -> None:
        """`turn: blue`, `turn: 3`, or both in a table."""
        if entry.is_table:
            pairs = entry.table(("side", "number", "first"))
            if "number" in pairs:
                state.turn = pairs["number"].number(0)
            if "side" in pairs:
                state.to_act = state.first = self.side(pairs["side"])
            if "first" in pairs:
                state.first = self.side(pairs["first"])
        elif isinstance(entry.value, int) and not isinstance(entry.value, bool):
            state.turn = entry.number(0)
        else:
            state.to_act = state.first = self.side(entry)

    def _set_weather(self, state: DustState, entry: Entry) -> None:
        if entry.is_table:
            pairs = entry.table(("severity", "turns"))
            state.weather = pairs["severity"].text() if "severity" in pairs else ""
            state.weather_turns = pairs["turns"].number(0) if "turns" in pairs else 1
        else:
            state.weather, state.weather_turns = entry.text(), 1
        known = ("none", "mild", "moderate", "severe")
        if state.weather not in known:
            raise entry.wrong(f"there is no weather '{state.weather}'{suggestion(state.weather, known)}")
        if state.weather == "none":
            state.weather, state.weather_turns = "", 0
        if state.phase == "turn":  # the last of the full turns it has lasted is counted when its end is rolled for
            state.weather_turns = max(0, state.weather_turns - 1)

    def _set_smoke(self, state: DustState, entry: Entry) -> None:
        """Smoke that will expire: squares and the last turn it lasts."""
        pairs = entry.table(("squares", "until"))
        if "squares" not in pairs:
            raise entry.wrong("'squares' is missing")
        table: SquareTable = state.table
        places = tuple(
            square(table, word, pairs["squares"]) for word in pairs["squares"].text().replace(",", " ").split()
        )
        until = pairs["until"].number(0) if "until" in pairs else state.turn + 1
        state.table = table.placing("smoke", places)
        state.smokes += ((until, places),)


class _Described(DescribedUnit):
    """One unit of the file."""

    keys: tuple[str, ...] = UNIT_KEYS

    def __init__(self, position: PositionFile, entry: Entry, key: str, counts: list[int]) -> None:
        super().__init__(entry, key, counts, position.side)
        self.position = position
        self.parts: list[dict[str, Entry]] = [self.pairs]
        self.cards = [self._card(self.pairs["card"], self.id)]
        self.pilot: DustCard | None = None
        for one in self.pairs["joined"].entries() if "joined" in self.pairs else ():
            self._join(one)
        self._check_company()
        if "pilot" in self.pairs:
            self._join(self.pairs["pilot"], pilot=True)
            self._refuse("pilot", refusals.pilot(self.cards[-1], self.cards[0]))

    def _check_company(self) -> None:
        """May these heroes be with it (d47.hero.same_armor, d47.hero.one_per_unit, d47.skill.loner ...)?"""
        if len(self.cards) > 1:
            self._refuse("joined", refusals.company(self.cards[0], self.cards[1:]))

    def _refuse(self, key: str, why: tuple[str, str] | None) -> None:
        """Complain with the rule that forbids it."""
        if why is not None:
            error = self.pairs[key].impossible(f"{why[1]} ({why[0]})")
            error.rule = why[0]
            raise error

    def _join(self, entry: Entry, *, pilot: bool = False) -> None:
        """A hero with the unit: a card's id, an inline card, or a table with a card and its state."""
        pairs = entry.table() if entry.is_table else {"card": entry}
        if "card" not in pairs:
            pairs = {"card": entry}
        elif entry.is_table:
            entry.table(PART_KEYS)
        card = self._card(pairs["card"], f"{self.id}-hero")
        self.parts.append(pairs)
        self.cards.append(card)
        if pilot:
            self.pilot = card

    def _card(self, entry: Entry, name: str) -> DustCard:
        """A card by its id, or written out as in card files."""
        if not entry.is_table:
            wanted = entry.text()
            try:
                card: DustCard = catalogue(self.position.rules.id)[wanted]
                return card
            except UnknownCard as error:
                raise entry.wrong(str(error).rstrip(".")) from None
        card = inline_card(entry, name, self.position.rules.id)
        self._check_names(card, entry)
        return card

    def _check_names(self, card: DustCard, entry: Entry) -> None:
        """Skills and weapon rules that nobody knows would do nothing; they are refused."""
        registry, cards = self.position.rules.registry, catalogue(self.position.rules.id).cards.values()
        for ref in card.skills:
            if ref.name not in registry.skills:
                known = {*registry.skills, *(skill.name for other in cards for skill in other.skills)}
                _check_name("skill", ref.name, known, entry)
        for ref in (ref for weapon in card.weapons for ref in weapon.rules):
            if ref.name not in registry.weapon_rules:
                rules = (rule.name for other in cards for weapon in other.weapons for rule in weapon.rules)
                _check_name("weapon rule", ref.name, {*registry.weapon_rules, *rules}, entry)

    def place_and_message(self) -> dict[str, Any]:
        """The unit as a force's entry."""
        own = [card.id for card in self.cards if card is not self.pilot]
        entry: dict[str, Any] = {"id": self.id, "cards": own}
        if self.pilot is not None:
            entry["pilot"] = self.pilot.id
        return entry

    # -- its state ------------------------------------------------------------------------------

    def apply(self, state: DustState) -> None:
        unit = state.by_id[self.id]
        if self.has("name"):
            unit.name = self.pairs["name"].text()
        for part, pairs in zip(unit.parts, self.parts, strict=True):
            self._apply_part(part, pairs)
        self._apply_flags(unit)
        self._apply_place(state, unit)
        if self.has("held_by"):
            unit.held_by = self._other(state, "held_by").id
        if self.has("criticals"):
            if unit.is_infantry:
                raise self.pairs["criticals"].impossible(
                    f"{unit.name} is infantry; only vehicles and aircraft take critical hits"
                )
            for word in self.pairs["criticals"].words():
                self.position.rules.criticals.mark(state, unit, self._critical(word))

    def _critical(self, word: str) -> str:
        """A critical hit by its name, or by the beginning of it."""
        fitting = [name for name in CRITICALS if simple(name).startswith(simple(word))]
        if len(fitting) != 1:
            raise self.pairs["criticals"].wrong(f"there is no critical hit '{word}'{suggestion(word, CRITICALS)}")
        return fitting[0]

    def _apply_part(self, part: Part, pairs: dict[str, Entry]) -> None:
        if "models" in pairs:
            self._keep_models(part, pairs["models"])
        if "soldiers" in pairs:
            self._keep_soldiers(part, pairs["soldiers"])
        if "damage" in pairs:
            self._mark_damage(part, pairs["damage"])
        for name, boxes in pairs["ammo"].table().items() if "ammo" in pairs else ():
            self._mark_boxes(part, self._weapon(part, name, boxes), boxes)
        for name in pairs["broken"].words() if "broken" in pairs else ():
            part.broken |= 1 << self._weapon(part, name, pairs["broken"])
        for name in pairs["unloaded"].words() if "unloaded" in pairs else ():
            self._unload(part, self._weapon(part, name, pairs["unloaded"]))
        if "spent" in pairs:
            part.spent = tuple(self._spent(part, word, pairs["spent"]) for word in pairs["spent"].words())

    def _spent(self, part: Part, word: str, entry: Entry) -> str:
        """A skill or weapon rule of the card by its name."""
        refs = [*part.card.skills, *(ref for weapon in part.card.weapons for ref in weapon.rules)]
        names = list(dict.fromkeys(ref.name for ref in refs))
        named = next((name for name in names if simple(name) == simple(word)), None)
        if named is None:
            raise entry.wrong(f"{part.card.name} has no skill '{word}' to spend{suggestion(word, names)}")
        return named

    def _unload(self, part: Part, line: int) -> None:
        """Take the loaded tokens of a weapon line, whoever carries them."""
        for bearer in self._bearers(part, line):
            part.unload(line, bearer)

    def _mark_boxes(self, part: Part, line: int, entry: Entry) -> None:
        """Mark ammo boxes of a weapon line, one weapon after the other."""
        weapon = part.card.weapons[line]
        if weapon.ammo is None:
            raise entry.impossible(f"{weapon.name} has no ammo boxes to mark")
        bearers = self._bearers(part, line)
        left = entry.number(0, weapon.ammo * len(bearers))
        for bearer in bearers:
            part.mark(line, min(left, weapon.ammo), bearer)
            left -= min(left, weapon.ammo)

    def _bearers(self, part: Part, line: int) -> list[int]:
        """Who carries the weapons of a line: soldiers by their place, else the weapons counted."""
        weapon = part.card.weapons[line]
        if part.squad and not weapon.crewed:
            return [man for man, soldier in enumerate(part.card.soldiers) if line in soldier.weapons]
        return list(range(weapon.count))

    def _keep_models(self, part: Part, entry: Entry) -> None:
        if not part.squad:
            raise entry.impossible(f"{part.card.name} is a single model; tell its damage instead")
        part.alive = part.alive[: entry.number(1, len(part.card.soldiers))]

    def _keep_soldiers(self, part: Part, entry: Entry) -> None:
        """Soldiers left, by name or by number from 1."""
        if not part.squad:
            raise entry.impossible(f"{part.card.name} is a single model; tell its damage instead")
        left: list[int] = []
        for word in entry.words():
            fitting = [
                place
                for place, soldier in enumerate(part.card.soldiers)
                if place not in left and (simple(soldier.name) == simple(word) or word == str(place + 1))
            ]
            if not fitting:
                names = dict.fromkeys(soldier.name for soldier in part.card.soldiers)
                raise entry.wrong(f"{part.card.name} has no (further) '{word}'{suggestion(word, names)}")
            left.append(fitting[0])
        part.alive = tuple(sorted(left))

    def _mark_damage(self, part: Part, entry: Entry) -> None:
        if part.squad:
            raise entry.impossible(f"{part.card.name} loses soldiers, not damage; tell its models instead")
        part.damage = entry.number(0, max(0, part.card.damage - 1))

    def _weapon(self, part: Part, name: str, entry: Entry) -> int:
        return weapon_index(part, name, entry)

    def _apply_flags(self, unit: Unit) -> None:
        known = {name: flag for flag, name in TOKEN_NAMES.items()}
        for word in self.pairs["tokens"].words() if self.has("tokens") else ():
            if simple(word) not in known:
                raise self.pairs["tokens"].wrong(f"there is no token '{word}'{suggestion(word, known)}")
            unit.set(known[simple(word)])
        if unit.flags & SUPPRESSED and unit.flags & UNDER_FIRE:
            raise self.pairs["tokens"].impossible("a unit is under fire or suppressed, never both")
        if self.has("tokens") and unit.is_(CAMOUFLAGED) and len(unit.fighters()) > 1 and not can_hide(unit):
            why = "squad and hero are camouflaged together only if both have Camouflage"
            self._refuse("tokens", ("d47.open.camouflage_combined", why))
        if self.has("activated") and self.pairs["activated"].flag():
            unit.set(ACTIVATED | ACTED | HAS_ACTIVATED_EVER)
        if self.has("acted") and self.pairs["acted"].flag():
            unit.set(ACTED | HAS_ACTIVATED_EVER)
        if any(SCOUT in part.spent for part in unit.parts):  # its first activation is over (d47.skill.scout)
            unit.set(HAS_ACTIVATED_EVER)
        if "phase" in self.position.top and self.position.top["phase"].text() == "end":
            unit.set(ACTIVATED | ACTED)

    def _apply_place(self, state: DustState, unit: Unit) -> None:
        if self.has("facing"):
            unit.facing = facing(self.pairs["facing"])
        if self.has("aboard"):
            carrier = self._other(state, "aboard")
            unit.aboard, unit.status = carrier.id, "aboard"
        if self.has("place"):
            self._stand(state, unit, self.pairs["place"])
        self._apply_status(unit)

    def _apply_status(self, unit: Unit) -> None:
        if not self.has("status"):
            return
        unit.status = self._status()
        if unit.status == OFF_BOARD and unit.has(SPY):
            unit.set(HIDDEN)  # d47.skill.spy_options

    def _status(self) -> str:
        status = self.pairs["status"].text()
        if status not in STATUSES:
            raise self.pairs["status"].wrong(f"there is no status '{status}'{suggestion(status, STATUSES)}")
        return status

    def _stand(self, state: DustState, unit: Unit, entry: Entry) -> None:
        """One square; for large units the front one, for huge ones the north-west one, or all of them."""
        words = [word for one in entry.entries() for word in one.text().replace(",", " ").split()]
        places = [square(state.table, word, entry) for word in words]
        if not places:
            raise entry.wrong("expected a square, such as C4")
        size = unit.card.size
        spot = places[0] if size != "huge" else min(places)
        if size != "standard" and not state.table.fits(size, (spot, unit.facing)):
            raise entry.impossible(
                f"{unit.card.name} is {size} and does not fit on the board at {words[0]} facing that way"
            )
        fort = next((fort for fort in state.forts if spot in fort.interior), None)
        if fort is not None and unit.has("Strongpoint"):
            self.position.rules.fortifications.occupy(state, unit, fort)
        else:
            self.position.rules.ground.put(state, unit, spot, unit.facing)
        if len(places) > 1 and set(places) != set(unit.where):
            stands = ", ".join(state.table.name(place) for place in unit.where)
            raise entry.impossible(f"{unit.card.name} facing {'NESW'[unit.facing]} from {words[0]} stands on {stands}")

    def _other(self, state: DustState, key: str) -> Unit:
        wanted = self.pairs[key].text()
        if wanted not in state.by_id:
            raise self.pairs[key].wrong(f"there is no unit '{wanted}'{suggestion(wanted, state.by_id)}")
        return state.by_id[wanted]

    def check(self, state: DustState) -> None:
        """Is it a place where the unit could stand at all?"""
        unit = state.by_id[self.id]
        if unit.aboard:
            self._check_aboard(state, unit)
        if not unit.on_board or any(unit.where == fort.interior for fort in state.forts):
            return
        ground = self.position.rules.ground
        if state.table.can_stop(ground.mover(unit), ground.stance(unit), self._without_heroes(state, unit)):
            return
        where = ", ".join(state.table.name(place) for place in unit.where)
        others = [
            o.id for o in state.on_board() if o is not unit and set(o.where) & set(unit.where) and not o.is_aircraft
        ]
        features = sorted({name for place in unit.where for name in state.table.features(place)})
        why = (
            f"{' and '.join(others)} already stands there"
            if others
            else f"of the {', '.join(features) or 'ground'} there"
        )
        place = self.pairs["place"] if self.has("place") else self.entry
        raise place.impossible(f"{unit.name} ({unit.id}) cannot stand at {where} because {why}")

    def _without_heroes(self, state: DustState, unit: Unit) -> Any:
        """Who stands in the way: not the friendly heroes who share its square (d47.hero.separate_share_square)."""
        sharing = [
            other
            for other in state.on_board(unit.side)
            if other is not unit and other.card.kind == "hero" and set(other.where) & set(unit.where)
        ]
        stood = [other.status for other in sharing]
        for other in sharing:
            other.status = OFF_BOARD
        occupancy = self.position.rules.ground.occupancy(state, unit)
        for other, status in zip(sharing, stood, strict=True):
            other.status = status
        return occupancy

    def _check_aboard(self, state: DustState, unit: Unit) -> None:
        """Could its carrier carry it, besides those who ride already?"""
        carrier = state.by_id[unit.aboard]
        self._refuse("aboard", refusals.ride(Play(self.position.rules, state), unit, carrier))


def _side_value(name: str, entry: Entry) -> Any:
    """What may be said about a side."""
    if name in ("points", "reserves"):
        return entry.number(0)
    if name == "extra_initiative":
        return entry.flag()
    return entry.words() if name == "used" else entry.text()


# -- words --------------------------------------------------------------------------------------------


def _check_name(what: str, name: str, known: Iterable[str], entry: Entry) -> None:
    if name not in known:
        raise entry.wrong(f"there is no {what} '{name}'{suggestion(name, sorted(known))}")


def inline_card(entry: Entry, name: str, ruleset: str) -> DustCard:
    """A card written out in the file, in the words of card files; its id is made unmistakable."""
    plain: dict[str, Any] = {"id": "inline", "name": name, "points": 0, "move": 0, "march": 0} | entry.plain()
    try:
        told_card = msgspec.convert(plain, CardEntry)
        card = read_card(told_card, ruleset, told_card.bloc or "Mercenaries", "referee file", {}, {})
    except msgspec.ValidationError as error:
        where, message = place_and_message(error)
        raise entry.wrong(f"{where + ': ' if where else ''}{message}") from None
    except Fault as error:
        raise entry.wrong(f"{error.field}: {error}") from None
    mark = hashlib.sha256(msgspec.json.encode(card)).hexdigest()[:8]
    return msgspec.structs.replace(card, id=f"{card.id}~{mark}")


def square(table: SquareTable, text: str, entry: Entry) -> int:
    """A square of the board by its name."""
    try:
        return table.square(text)
    except TableError as error:
        refuse = entry.impossible if SQUARE.match(text.lower()) else entry.wrong
        raise refuse(str(error).rstrip(".")) from None


def square_name(x: int, y: int) -> str:
    letters = ""
    x += 1
    while x:
        x, rest = divmod(x - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{y + 1}"


def facing(entry: Entry) -> int:
    """North, N or 0 degrees."""
    return understood(entry, lambda: quarter(entry.plain()))


def weapon_index(part: Part, name: str, entry: Entry) -> int:
    """A weapon line of a card by id, name or a piece of its name."""
    wanted = simple(name)
    weapons = part.card.weapons
    exact = [index for index, weapon in enumerate(weapons) if wanted in (simple(weapon.id), simple(weapon.name))]
    alike = [index for index, weapon in enumerate(weapons) if wanted in simple(weapon.name)]
    if exact or alike:
        return (exact or alike)[0]
    raise entry.wrong(f"{part.card.name} has no weapon '{name}'{suggestion(name, [w.name for w in weapons])}")
