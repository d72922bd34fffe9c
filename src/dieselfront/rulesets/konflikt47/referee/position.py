"""Positions of Konflikt '47, as a person would describe a table: terrain and places in inches, units, orders, pins.

Cards, terrain and placing are the ruleset's own; here its units are put where the file says and given their states.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.forces import ForcesError, KonfliktCard, UnknownCard, konflikt_catalogue
from dieselfront.forces.skills import read_skill
from dieselfront.referee import measured_words as words
from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import RefereeError, suggestion
from dieselfront.referee.measured_positions import PIECE, length_unit, understood
from dieselfront.referee.positions import DescribedUnit, known_word, listed_units, read_sides, side_number
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.battle import (
    EDGES,
    OPPOSITE,
    BadBattle,
    Battle,
    TerrainEntry,
    make_piece,
    make_table,
    read_battle,
)
from dieselfront.rulesets.konflikt47.cards import RENAMED, BadCard, UnitCard, read_card
from dieselfront.rulesets.konflikt47.charts import QUALITIES
from dieselfront.rulesets.konflikt47.forces_in import describe
from dieselfront.rulesets.konflikt47.going import Clearance
from dieselfront.rulesets.konflikt47.nations import CHARACTERISTICS, NATIONS
from dieselfront.rulesets.konflikt47.referee import rides
from dieselfront.rulesets.konflikt47.ruleset import ALL_SPECIALS
from dieselfront.rulesets.konflikt47.spots import SpotRegion, everywhere
from dieselfront.rulesets.konflikt47.state import ABOARD, GONE, ORDERS, RESERVE, TABLE, TOWED, State, Unit
from dieselfront.table.measured.formation import column, line, pattern_spots
from dieselfront.table.measured.shapes import Body, overlaps

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

KEYS = (
    *("size", "lengths", "terrain", "sides", "units", "turn", "phase", "edges", "objectives", "victory", "turns"),
    *("scenario",),
)
UNIT_KEYS = (
    *("id", "name", "card", "side", "place", "spots", "gun", "facing", "formation", "experience", "size", "models"),
    *("men", "options", "order", "last_order", "pins", "tokens", "inside", "floor", "aboard", "towed_by", "status"),
    *("moves", "spent", "ranging", "zeroed", "outflank", "loaded"),
)
SIDE_KEYS = ("name", "nation", "characteristic", "points", "edge")
TERRAIN_KEYS = (
    *("kind", "id", "name", "at", "size", "points", "line", "width", "radius", "height", "floors", "traits"),
)
PHASES = {"orders": "orders", "turn end": "turn end", "end": "turn end", "setup": "setup", "deploy": "setup"}
STATUSES = (TABLE, RESERVE, ABOARD, TOWED, GONE)
FORMATIONS = ("block", "line", "column", "row")
TRAITS = {
    "anti-tank": "no vehicle crosses it; of mines: they go off under vehicles",
    "no-walkers": "walkers do not cross it",
    "light": "an empty building that tracked vehicles and walkers drive through",
    "dummy": "mines that are none",
    "mixed": "mines against troops and vehicles",
    "flame": "mines that burn",
}
CARD_KEYS = {
    "name, id, nation": "what it is called and whose it is",
    "kind": "`infantry`, `artillery` or `vehicle`",
    "quality": "`inexperienced`, `regular` or `veteran`",
    "men": "models: `[{name: NCO, nco: yes, weapons: [Submachine Gun]}, {count: 4, weapons: [Rifle]}]`; a model may "
    "say `roles` and `rules`, a weapon may be `{name: Rifle, rules: [...]}`",
    "rules": "special rules by name: `[Tough, Green]`",
    "vehicle": "`{class: medium tank, value: 9, mode: tracked, capacity: 0, tow: '', size: [length, width]}`",
    "gun": "`light`, `medium`, `heavy` or `super-heavy`, of artillery",
    "rank": "of officers: `lieutenant`, `captain`, `major` ...; the officer himself is a model with `roles: [officer]`",
    "squad, points, platoon, choice, lent": "as in army lists",
}
ROUNDS = ("AT", "HE")
TOKENS = ("immobilised", "nco lost", "slowed", "halted", "dug in", "loose", "recce used")


class PositionFile:
    """A file's description on its way to a state."""

    def __init__(self, rules: Konflikt47, top: dict[str, Entry], options: dict[str, str]) -> None:
        self.rules = rules
        self.top = top
        self.options = options
        self.unit = length_unit(top)
        self.sides = self._sides()
        self.battle = self._battle()
        self.entries = self._units()

    # -- the table --------------------------------------------------------------------------------------------

    def spot(self, entry: Entry) -> tuple[int, int]:
        """A place in whole millimetres."""
        return understood(entry, lambda: words.spot(entry.plain(), self.unit))

    def _pair(self, entry: Entry) -> tuple[float, float]:
        x, y = understood(entry, lambda: words.pair(entry.plain(), self.unit))
        return x / 254, y / 254

    def _inches(self, entry: Entry) -> float:
        return understood(entry, lambda: words.length(entry.plain(), self.unit)) / 254

    def _battle(self) -> Battle:
        """The scenario around the position; `scenario:` may say more, in the words of scenario files."""
        extra = self.top["scenario"].plain() if "scenario" in self.top else {}
        if not isinstance(extra, dict):
            raise self.top["scenario"].wrong("expected a table, as in scenario files")
        made: dict[str, Any] = {
            "id": "referee",
            "name": "A question to the referee",
            "size": self._size(),
            "terrain": [msgspec.to_builtins(piece) for piece in self._terrain()],
            "objectives": self._objectives(),
        }
        if "victory" in self.top:
            made["victory"] = self.top["victory"].text()
        elif made["objectives"]:
            made["victory"] = "both"
        if "turns" in self.top:
            made["turns"] = self.top["turns"].number(1)
        try:
            return read_battle(made | extra, "the position")
        except BadBattle as error:
            raise RefereeError(str(error).rstrip("."), self._line("scenario", "victory", "size")) from None

    def _line(self, *keys: str) -> int:
        return next((self.top[key].line for key in keys if key in self.top), 1)

    def _size(self) -> tuple[float, float]:
        """Width and depth: "48x48", "180cm x 120cm"."""
        if "size" in self.top:
            return self._pair(self.top["size"])
        return 48.0, 48.0

    def _objectives(self) -> list[dict[str, Any]]:
        objectives = []
        for number, entry in enumerate(self.top["objectives"].entries() if "objectives" in self.top else (), 1):
            pairs = entry.table(("id", "name", "at", "points", "radius"))
            if "at" not in pairs:
                raise entry.wrong("'at' is missing: where is the objective?")
            name = pairs.get("id") or pairs.get("name")
            made: dict[str, Any] = {"id": name.text() if name else f"objective {number}", "at": self._pair(pairs["at"])}
            if "points" in pairs:
                made["points"] = pairs["points"].number(0)
            if "radius" in pairs:
                made["radius"] = self._inches(pairs["radius"])
            objectives.append(made)
        return objectives

    def _terrain(self) -> list[TerrainEntry]:
        """Pieces of terrain, each tried where it stands so that a mistake has its line."""
        pieces: list[TerrainEntry] = []
        for number, entry in enumerate(self.top["terrain"].entries() if "terrain" in self.top else ()):
            piece = self._told_piece(entry) if entry.is_table else self._piece_in_words(entry)
            if not piece.id:
                piece = msgspec.structs.replace(piece, id=f"{piece.kind} {number + 1}")
            if any(other.id == piece.id for other in pieces):
                raise entry.wrong(f"a second piece of terrain is called '{piece.id}'")
            try:
                make_piece(piece, number)
            except BadBattle as error:
                raise RefereeError(str(error).rstrip("."), entry.line) from None
            pieces.append(piece)
        return pieces

    def _kind(self, entry: Entry, word: str) -> str:
        kind = simple(word).replace(" ", "-")
        if kind not in ground.KINDS:
            raise entry.wrong(f"there is no terrain '{word}'{suggestion(kind, ground.KINDS)}")
        return kind

    def _told_piece(self, entry: Entry) -> TerrainEntry:
        """A table with the keys of scenario files; lengths may carry their unit."""
        pairs = entry.table(TERRAIN_KEYS)
        if "kind" not in pairs:
            raise entry.wrong(f"'kind' is missing{suggestion('', ground.KINDS)}")
        name = pairs.get("id") or pairs.get("name")
        return TerrainEntry(
            kind=self._kind(pairs["kind"], pairs["kind"].text()),
            id=name.text() if name else "",
            at=self._pair(pairs["at"]) if "at" in pairs else None,
            size=self._pair(pairs["size"]) if "size" in pairs else None,
            points=tuple(self._pair(one) for one in pairs["points"].entries()) if "points" in pairs else (),
            line=tuple(self._pair(one) for one in pairs["line"].entries()) if "line" in pairs else (),
            width=self._inches(pairs["width"]) if "width" in pairs else 0,
            radius=self._inches(pairs["radius"]) if "radius" in pairs else 0,
            height=round(self._inches(pairs["height"]) * 25.4) if "height" in pairs else None,
            floors=pairs["floors"].number(1, 9) if "floors" in pairs else 1,
            traits=self._traits(pairs["traits"]) if "traits" in pairs else (),
        )

    def _traits(self, entry: Entry) -> tuple[str, ...]:
        """Words about a piece that the rules know."""
        words_read = tuple(simple(word).replace(" ", "-") for word in entry.words())
        for word in words_read:
            if word not in TRAITS:
                raise entry.wrong(f"there is no trait '{word}'{suggestion(word, TRAITS)}")
        return words_read

    def _piece_in_words(self, entry: Entry) -> TerrainEntry:
        """ "woods at 5in, 10in size 9in x 7in", "hedge from 10in, 33in to 20in, 33in", "woods at 5, 5 radius 4"."""
        match = PIECE.match(entry.text())
        if match is None:
            raise entry.wrong(
                f"{entry.text()!r} is no terrain; expected for instance 'woods at 5in, 10in size 9in x 7in' "
                "or 'hedge from 10in, 33in to 20in, 33in'"
            )
        made: dict[str, Any] = {"kind": self._kind(entry, match["kind"]), "id": (match["name"] or "").strip()}
        where = [part for part in re.split(r"\s+to\s+", match["where"].strip()) if part]
        spots = [self._spot_in_words(entry, part) for part in where]
        if match["how"].lower() == "from":
            made["line"] = tuple(spots)
        else:
            made["at"] = spots[0]
        for key in ("size", "radius", "width", "height"):
            if match[key]:
                made[key] = self._measure(entry, key, match[key])
        if match["floors"]:
            made["floors"] = int(match["floors"])
        return TerrainEntry(**made)

    def _spot_in_words(self, entry: Entry, text: str) -> tuple[float, float]:
        x, y = understood(entry, lambda: words.pair(text, self.unit))
        return x / 254, y / 254

    def _measure(self, entry: Entry, key: str, text: str) -> Any:
        if key == "size":
            return self._spot_in_words(entry, text)
        tenths = understood(entry, lambda: words.length(text, self.unit))
        return round(tenths / 10) if key == "height" else tenths / 254

    # -- sides and units --------------------------------------------------------------------------------------

    def _sides(self) -> list[dict[str, Any]]:
        return read_sides(self.top, SIDE_KEYS, self._side_value)

    def _side_value(self, name: str, entry: Entry) -> Any:
        if name == "points":
            return entry.number(0)
        value = entry.text()
        known = {"edge": EDGES, "characteristic": CHARACTERISTICS, "nation": NATIONS}.get(name)
        return value if known is None else known_word(name, value, known, entry)

    def side(self, entry: Entry) -> int:
        """A side by its colour, letter, number or name, or its nation."""
        return side_number(self.sides, entry, also=("nation",))

    def _units(self) -> list[_Described]:
        return listed_units(self.top, lambda entry, key, counts: _Described(self, entry, key, counts))

    # -- the state --------------------------------------------------------------------------------------------

    def state(self) -> State:
        units = [described.make() for described in self.entries]
        table = make_table(self.battle)
        forces = [{"name": side["name"], "nation": side.get("nation", ""), "units": []} for side in self.sides]
        state: State = self.rules.position(units, table, self.options, self.battle, forces)
        self._set_clock(state)
        for described in self.entries:
            described.apply(state)
        for described in self.entries:
            described.check(state)
        return state

    def _set_clock(self, state: State) -> None:
        """Turn, phase, edges and points."""
        phase = simple(self.top["phase"].text()) if "phase" in self.top else "orders"
        if phase not in PHASES:
            raise self.top["phase"].wrong(f"there is no phase '{phase}'{suggestion(phase, PHASES)}")
        state.phase = PHASES[phase]
        state.turn = self.top["turn"].number(0, 99) if "turn" in self.top else (0 if state.phase == "setup" else 1)
        edges = [str(side.get("edge", "")) for side in self.sides]
        if "edges" in self.top:
            edges = self.top["edges"].words()
            if len(edges) != 2 or any(edge not in EDGES for edge in edges):
                raise self.top["edges"].wrong("expected the edges of both sides, such as [south, north]")
        first = edges[0] or (OPPOSITE[edges[1]] if edges[1] else "south")
        state.edges = (first, edges[1] or OPPOSITE[first])
        state.scores = [int(side.get("points", 0)) for side in self.sides]


def known_rule(text: str, entry: Entry) -> str:
    """A rule as cards print it, with its argument."""
    name = read_skill(text).name
    return text.replace(name, known_word("special rule", name, rules_of_cards(), entry), 1)


@cache
def rules_of_cards() -> tuple[str, ...]:
    """Every rule that a card may print: those of the rulebook, and marks that change how a card is read."""
    printed = {
        ref.name
        for card in konflikt_catalogue().cards.values()
        for ref in (*card.skills, *card.model_skills, *(grant for option in card.options for grant in option.grants))
    }
    return tuple(sorted({*ALL_SPECIALS, *RENAMED, *printed}))


class _Described(DescribedUnit):
    """One unit of the file."""

    keys = UNIT_KEYS

    def __init__(self, position: PositionFile, entry: Entry, key: str, counts: list[int]) -> None:
        super().__init__(entry, key, counts, position.side)
        self.position = position

    # -- its card ---------------------------------------------------------------------------------------------

    def make(self) -> Unit:
        """The unit off the table, its rules not yet indexed."""
        card = self._card()
        if self.has("name"):
            card = msgspec.structs.replace(card, name=self.pairs["name"].text())
        side = self.position.sides[self.side]
        unit = Unit(self.id, self.side, card, str(side.get("nation", "")) or card.nation)
        if side.get("characteristic"):
            unit.characteristic = side["characteristic"]
        self._keep(unit)
        return unit

    def _card(self) -> UnitCard:
        """A card by its id, equipped as told, or written out in full."""
        entry = self.pairs["card"]
        supplement = self.position.options.get("supplement_weapons") == "on"
        try:
            if entry.is_table:
                return read_card(self._written_out(entry), supplement)
            return read_card(describe(self._listed(konflikt_catalogue()[entry.text()])), supplement)
        except UnknownCard as error:
            raise entry.wrong(str(error).rstrip(".")) from None
        except (BadCard, ForcesError) as error:
            refuse = entry.wrong if entry.is_table else entry.impossible
            raise refuse(str(error).rstrip(".")) from None

    def _written_out(self, entry: Entry) -> dict[str, Any]:
        """A card in the words of the file, nation and rules by names that the game knows: others would do nothing."""
        told: dict[str, Any] = entry.plain()
        words_of = entry.pairs or {}
        if "nation" in words_of:
            told["nation"] = known_word("nation", words_of["nation"].text(), NATIONS, words_of["nation"])
        if "rules" in words_of:
            told["rules"] = [known_rule(rule, words_of["rules"]) for rule in words_of["rules"].words()]
        return told

    def _listed(self, card: KonfliktCard) -> dict[str, Any]:
        """The unit as an army list would tell it."""
        listed: dict[str, Any] = {"card": card.id}
        if self.has("experience"):
            experience = self.pairs["experience"].text().lower()
            if experience not in QUALITIES:
                hint = suggestion(experience, QUALITIES)
                raise self.pairs["experience"].wrong(f"there is no experience '{experience}'{hint}")
            listed["experience"] = experience
        listed["options"] = self._options(card)
        if self.has("size"):
            listed["models"] = self.pairs["size"].number(1, 50)
        elif self.has("models") and self.pairs["models"].number(1, 50) > card.models_min:
            listed["models"] = self.pairs["models"].number(1, 50)
        return listed

    def _options(self, card: KonfliktCard) -> dict[str, int]:
        """Options by id or name: a list, or a table with how many of each."""
        if not self.has("options"):
            return {}
        entry = self.pairs["options"]
        entries = entry.table().items() if entry.is_table else [(word, None) for word in entry.words()]
        counts: dict[str, int] = {}
        for word, count in entries:
            fitting = [one for one in card.options if simple(word) in (simple(one.id), simple(one.name))]
            fitting = fitting or [one for one in card.options if simple(word) in simple(one.name)]
            if not fitting:
                raise entry.wrong(f"{card.name} has no option '{word}'{suggestion(word, [o.id for o in card.options])}")
            counts[fitting[0].id] = 1 if count is None else count.number(1, 20)
        return counts

    def _keep(self, unit: Unit) -> None:
        """Which models are left: so many of the first ones, or some by number or name."""
        if self.has("models"):
            unit.men = unit.men[: self.pairs["models"].number(1, len(unit.card.men))]
        if self.has("men"):
            unit.men = self._men(unit, self.pairs["men"])
        was_led = any(man.is_a("nco") for man in unit.card.men)
        if was_led and not unit.carries("nco"):
            unit.nco_lost = True

    def _men(self, unit: Unit, entry: Entry) -> list[int]:
        left: list[int] = []
        for word in entry.words():
            fitting = [
                index
                for index, man in enumerate(unit.card.men)
                if index not in left and (word == str(index + 1) or simple(word) in (simple(man.name), *man.roles))
            ]
            if not fitting:
                raise entry.wrong(f"{unit.card.name} has no (further) model '{word}'; it has {len(unit.card.men)}")
            left.append(fitting[0])
        return sorted(left)

    # -- its state --------------------------------------------------------------------------------------------

    def apply(self, state: State) -> None:
        unit = state.unit(self.id)
        self._orders(unit)
        if self.has("pins"):
            unit.pins = self.pairs["pins"].number(0, 20)
        for word in self.pairs["tokens"].words() if self.has("tokens") else ():
            self._token(unit, word)
        if self.has("moves"):
            unit.moves = self.pairs["moves"].number(0, 99)
        for word in self.pairs["spent"].words() if self.has("spent") else ():
            index = weapon_index(unit, word, self.pairs["spent"])
            unit.spent = (*unit.spent, *((man, index) for man in unit.men if index in unit.man(man).weapons))
        if self.has("loaded"):
            unit.shell = known_word("round", self.pairs["loaded"].text(), ROUNDS, self.pairs["loaded"])
        if self.has("outflank"):
            unit.outflank = self._flank(self.pairs["outflank"])
        self._stand(state, unit)
        self._ranged(state, unit)
        self.position.rules.outfit.refresh(state, unit)

    def _flank(self, entry: Entry) -> str:
        """The table edge over which an outflanking unit will come (k47.game.outflank)."""
        edge = entry.text()
        if edge not in EDGES:
            raise entry.wrong(f"there is no table edge '{edge}'; expected one of {', '.join(EDGES)}")
        return edge

    def _orders(self, unit: Unit) -> None:
        for key in ("order", "last_order"):
            if self.has(key):
                order = simple(self.pairs[key].text())
                order = "" if order in ("none", "no") else order
                if order and order not in ORDERS:
                    raise self.pairs[key].wrong(f"there is no order '{order}'{suggestion(order, ORDERS)}")
                setattr(unit, key, order)

    def _token(self, unit: Unit, word: str) -> None:
        token = simple(word)
        if token not in TOKENS:
            raise self.pairs["tokens"].wrong(f"there is no token '{word}'{suggestion(token, TOKENS)}")
        if token == "immobilised":
            unit.immobilised = True
        elif token == "nco lost":
            unit.nco_lost = True
        else:
            setattr(unit, {"dug in": "dug_in", "loose": "released", "recce used": "recce_used"}.get(token, token), True)

    def _ranged(self, state: State, unit: Unit) -> None:
        """Indirect fire that has begun: `ranging: {target: b1, needed: 5}`, `zeroed: b1` (k47.wrule.indirect_hit)."""
        for key in ("ranging", "zeroed"):
            if not self.has(key):
                continue
            entry = self.pairs[key]
            pairs = entry.table(("target", "needed")) if entry.is_table else {"target": entry}
            if "target" not in pairs:
                raise entry.wrong("'target' is missing")
            target = self._other(state, pairs["target"])
            index = next((i for i, weapon in enumerate(unit.card.weapons) if weapon.he_only), None)
            if index is None:
                raise entry.impossible(f"{unit.card.name} has no weapon for indirect fire")
            needed = pairs["needed"].number(2, 6) if "needed" in pairs else 6
            note = (index, target.id, unit.moves, target.moves, 0 if key == "zeroed" else needed, state.turn - 1)
            unit.ranging = (note,)

    # -- its place --------------------------------------------------------------------------------------------

    def _stand(self, state: State, unit: Unit) -> None:
        unit.heading = (0, 180)[unit.side]
        if self.has("facing"):
            unit.heading = understood(self.pairs["facing"], lambda: words.heading(self.pairs["facing"].plain()))
        if self.has("aboard") or self.has("towed_by"):
            key = "aboard" if self.has("aboard") else "towed_by"
            unit.carrier = self._other(state, self.pairs[key]).id
            unit.place = ABOARD if key == "aboard" else TOWED
        elif self.has("inside"):
            self._enter(state, unit)
        elif self.has("place") or self.has("spots"):
            unit.place = TABLE
            self._set_down(state, unit)
        elif not self.has("status") and state.phase != "setup":
            raise self.entry.wrong("'place' is missing: where does the unit stand?")
        if self.has("status"):
            unit.place = self._status()

    def _status(self) -> str:
        status = self.pairs["status"].text()
        if status not in STATUSES:
            raise self.pairs["status"].wrong(f"there is no status '{status}'{suggestion(status, STATUSES)}")
        return status

    def _enter(self, state: State, unit: Unit) -> None:
        name = self.pairs["inside"].text()
        houses = [piece.id for piece in state.table.pieces if piece.is_building]
        if name not in houses:
            raise self.pairs["inside"].wrong(f"there is no building '{name}'{suggestion(name, houses)}")
        floor = self.pairs["floor"].number(0, state.table.piece(name).floors - 1) if self.has("floor") else 0
        unit.place = TABLE
        self.position.rules.buildings.put_inside(state, unit, state.table.piece(name), floor)

    def _set_down(self, state: State, unit: Unit) -> None:
        """Every model where it is told to stand, or a formation round the first one (a gun: round the gun)."""
        if self.has("spots"):
            spots = [self._spot(state, one) for one in self.pairs["spots"].entries()]
            if len(spots) != len(unit.men):
                raise self.pairs["spots"].wrong(f"expected {len(unit.men)} places, one per model, not {len(spots)}")
            if unit.is_artillery:
                gun = self.pairs.get("gun") or self.pairs.get("place")
                if gun is None:
                    raise self.entry.wrong("'gun' is missing: where does the gun stand?")
                spots.append(self._spot(state, gun))
            ground.stand(state.table, unit, spots, unit.heading)
            return
        x, y = self._spot(state, self.pairs["place"])
        bodies = self._formed(state, unit, x, y)
        if unit.is_artillery:
            unit.gun, bodies = bodies[0], bodies[1:]
        unit.bodies = bodies

    def _spot(self, state: State, entry: Entry) -> tuple[int, int]:
        x, y = self.position.spot(entry)
        if not (0 <= x <= state.table.width and 0 <= y <= state.table.depth):
            raise entry.impossible(f"{state.unit(self.id).card.name} ({self.id}) would stand off the table")
        return x, y

    def _formed(self, state: State, unit: Unit, x: int, y: int) -> list[Body]:
        formation = self.pairs["formation"].text() if self.has("formation") else "block"
        if formation not in FORMATIONS:
            raise self.pairs["formation"].wrong(f"there is no formation '{formation}'{suggestion('', FORMATIONS)}")
        region = SpotRegion(Clearance(state, unit, False), unit, (0, 0, 0, 0), everywhere, unit.heading, "")
        bodies = region.pattern((x, y, unit.heading))
        if formation == "block" or unit.is_artillery or unit.is_vehicle:
            return bodies
        spacing = bodies[0].shape.width + 4
        if formation == "row":  # from left to right on the page
            spots = [(x + spacing * number, y) for number in range(len(bodies))]
        else:
            steps = (line if formation == "line" else column)(len(bodies), spacing)
            spots = pattern_spots(x, y, unit.heading, steps)
        return [state.table.settled(body.at(*spot)) for body, spot in zip(bodies, spots, strict=True)]

    def _other(self, state: State, entry: Entry) -> Unit:
        known = [unit.id for unit in state.units]
        if entry.text() not in known:
            raise entry.wrong(f"there is no unit '{entry.text()}'{suggestion(entry.text(), known)}")
        return state.unit(entry.text())

    def check(self, state: State) -> None:
        """Is it a place where the unit could stand at all?"""
        unit = state.unit(self.id)
        for key, refusal in (("aboard", rides.ride), ("towed_by", rides.tow)):
            why = refusal(self.position.rules, state, unit, state.unit(unit.carrier)) if self.has(key) else None
            if why is not None:
                error = self.pairs[key].impossible(f"{why[1]} ({why[0]})")
                error.rule = why[0]
                raise error
        if not unit.on_table or unit.building:
            return
        where = self.pairs.get("spots") or self.pairs.get("place") or self.entry
        bodies = ground.all_bodies(unit)
        for number, body in enumerate(bodies):
            if not state.table.contains(body):
                raise where.impossible(f"{unit.card.name} ({unit.id}) would stand off the table")
            if any(overlaps(body, other) for other in bodies[:number]):
                raise where.impossible(f"two models of {unit.card.name} ({unit.id}) would stand on the same ground")
        problem = Clearance(state, unit, False).end_problem(bodies)
        if problem is not None:
            raise where.impossible(f"{unit.card.name} ({unit.id}) cannot stand there: {problem}")


def weapon_index(unit: Unit, name: str, entry: Entry) -> int:
    """A weapon of a unit by its name or a piece of it."""
    wanted = simple(name)
    names = [simple(weapon.name) for weapon in unit.card.weapons]
    for test in (lambda known: known == wanted, lambda known: wanted in known):
        for index, known in enumerate(names):
            if test(known):
                return index
    known_names = list(dict.fromkeys(weapon.name for weapon in unit.card.weapons))
    raise entry.wrong(f"{unit.card.name} has no weapon '{name}'{suggestion(name, known_names)}")
