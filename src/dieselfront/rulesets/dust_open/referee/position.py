"""Positions of the open table: terrain and places in the lengths of the game, units round a model or model by model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.referee import measured_words as words
from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import RefereeError, suggestion
from dieselfront.referee.measured_positions import PIECE, length_unit, understood
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust1947.referee import position as dust_position
from dieselfront.rulesets.dust1947.referee.position import DEFAULT_TURNS, PositionFile, _Described
from dieselfront.rulesets.dust1947.scenario import ScenarioError
from dieselfront.rulesets.dust_open import scenario as scenarios
from dieselfront.rulesets.dust_open.forts import KINDS as FORT_KINDS
from dieselfront.rulesets.dust_open.places import Hand, at
from dieselfront.rulesets.dust_open.sizes import Size, size_of

if TYPE_CHECKING:
    from dieselfront.rulesets.dust_open.ruleset import OpenDust

KEYS = (
    *("size", "lengths", "terrain", "sides", "units", "turn", "round", "phase", "objectives", "weather", "smoke"),
    *("turns", "goal", "reserve", "scenario"),
)
TERRAIN_KEYS = (
    *("kind", "id", "name", "at", "size", "boxes", "points", "line", "width", "radius", "height", "floors"),
    "openings",
)
OPENING_KEYS = ("from", "to", "floor", "door")
BASE_FORM = "expected the diameter of a round base, or {hull: [width, length], height: ...}, in whole millimetres"
UNIT_KEYS = (*dust_position.UNIT_KEYS, "spots", "floor", "base")


class OpenPosition(PositionFile):
    """A file's description on its way to a state on the open table."""

    rules: OpenDust
    usual_size: tuple[float, float] = (48.0, 36.0)
    """The table where a file names none, in the lengths of the game."""

    def __init__(self, rules: OpenDust, top: dict[str, Entry], options: dict[str, str]) -> None:
        self.unit = length_unit(top, rules)
        self.scale = words.TENTHS[rules.lengths]  # scenarios are told in the lengths of the game
        self.bases: dict[str, Any] = {}
        super().__init__(rules, top, options)

    # -- lengths --------------------------------------------------------------------------------

    def spot(self, entry: Entry) -> tuple[int, int]:
        """A place in whole millimetres."""
        return understood(entry, lambda: words.spot(entry.plain(), self.unit))

    def _pair(self, entry: Entry, given: Any = None) -> list[float]:
        x, y = understood(entry, lambda: words.pair(entry.plain() if given is None else given, self.unit))
        return [x / self.scale, y / self.scale]

    def _tenths(self, entry: Entry, given: Any = None) -> int:
        return understood(entry, lambda: words.length(entry.plain() if given is None else given, self.unit))

    def _length(self, entry: Entry, given: Any = None) -> float:
        return self._tenths(entry, given) / self.scale

    # -- the table ------------------------------------------------------------------------------

    def _size(self) -> Any:
        return self._pair(self.top["size"]) if "size" in self.top else list(self.usual_size)

    def _pieces(self) -> Any:
        """Pieces of terrain, each tried where it stands so that a mistake has its line."""
        pieces: list[dict[str, Any]] = []
        kinds = self.rules.kinds
        for number, entry in enumerate(self.top["terrain"].entries() if "terrain" in self.top else ()):
            piece = self._piece_from_table(entry) if entry.is_table else self._in_words(entry)
            piece.setdefault("id", f"{piece['kind']} {number + 1}")
            if any(other["id"] == piece["id"] for other in pieces):
                raise entry.wrong(f"a second piece of terrain is called '{piece['id']}'")
            try:
                scenarios.piece(
                    msgspec.convert(piece, scenarios.TerrainEntry), kinds, piece["id"], "referee", self.rules.lengths
                )
            except (ScenarioError, msgspec.ValidationError) as error:
                raise RefereeError(str(error).rstrip("."), entry.line) from None
            pieces.append(piece)
        return pieces

    def _kind(self, entry: Entry, word: str) -> str:
        kind = simple(word).replace(" ", "_").replace("-", "_")
        if kind not in self.rules.terrain:
            raise entry.wrong(f"there is no terrain '{word}'{suggestion(kind, self.rules.terrain)}")
        return kind

    def _kind_and_name(self, entry: Entry, word: str, more: str) -> tuple[str, str]:
        """ "low wall the dyke": a kind of several words, then what it is called."""
        words_ = [word, *more.split()]
        for count in range(len(words_), 1, -1):
            kind = simple(" ".join(words_[:count])).replace(" ", "_")
            if kind in self.rules.terrain:
                return kind, " ".join(words_[count:])
        return self._kind(entry, word), more

    def _piece_from_table(self, entry: Entry) -> dict[str, Any]:
        """A table with the keys of scenario files; lengths may carry their unit."""
        pairs = entry.table(TERRAIN_KEYS)
        if "kind" not in pairs:
            raise entry.wrong("'kind' is missing: what lies there?")
        made: dict[str, Any] = {"kind": self._kind(pairs["kind"], pairs["kind"].text())}
        name = pairs.get("id") or pairs.get("name")
        if name is not None:
            made["id"] = name.text()
        for key in ("at", "size"):
            if key in pairs:
                made[key] = self._pair(pairs[key])
        for key in ("points", "line"):
            if key in pairs:
                made[key] = [self._pair(one) for one in pairs[key].entries()]
        for key in ("width", "radius"):
            if key in pairs:
                made[key] = self._length(pairs[key])
        if "boxes" in pairs:
            made["boxes"] = [[self._length(side) for side in box.entries()] for box in pairs["boxes"].entries()]
        if "height" in pairs:
            made["height"] = round(self._tenths(pairs["height"]) / 10)
        if "floors" in pairs or made["kind"] == "building":
            made["floors"] = pairs["floors"].number(1, 9) if "floors" in pairs else 1
        if "openings" in pairs:
            made["openings"] = [self._opening(one) for one in pairs["openings"].entries()]
        return made

    def _opening(self, entry: Entry) -> dict[str, Any]:
        """A door or window in a building's wall: {from, to, floor, door}."""
        pairs = entry.table(OPENING_KEYS)
        if "from" not in pairs or "to" not in pairs:
            raise entry.wrong("an opening needs 'from' and 'to', two points of the wall it is in")
        return {
            "a": self._pair(pairs["from"]),
            "b": self._pair(pairs["to"]),
            "floor": pairs["floor"].number(0, 9) if "floor" in pairs else 0,
            "door": pairs["door"].flag() if "door" in pairs else False,
        }

    def _in_words(self, entry: Entry) -> dict[str, Any]:
        """ "trees at 5in, 10in size 9in x 7in", "wall from 10in, 33in to 20in, 33in", "rock at 5, 5 radius 1"."""
        match = PIECE.match(entry.text())
        if match is None:
            raise entry.wrong(
                f"{entry.text()!r} is no terrain; expected for instance 'trees at 5in, 10in size 9in x 7in' "
                "or 'wall from 10in, 33in to 20in, 33in'"
            )
        kind, name = self._kind_and_name(entry, match["kind"], (match["name"] or "").strip())
        made: dict[str, Any] = {"kind": kind}
        if name:
            made["id"] = name
        spots = [self._pair(entry, part) for part in re.split(r"\s+to\s+", match["where"].strip()) if part]
        if match["how"].lower() == "from":
            made["line"] = spots
        else:
            made["at"] = spots[0]
        if match["size"]:
            made["size"] = self._pair(entry, match["size"])
        for key in ("radius", "width"):
            if match[key]:
                made[key] = self._length(entry, match[key])
        if match["height"]:
            made["height"] = round(self._tenths(entry, match["height"]) / 10)
        if match["floors"] or made["kind"] == "building":
            made["floors"] = int(match["floors"] or 1)
        return made

    def _scenario(self) -> dict[str, Any]:
        extra = self.top["scenario"].plain() if "scenario" in self.top else {}
        if not isinstance(extra, dict):
            raise self.top["scenario"].wrong("expected a table, as in scenario files")
        width, depth = self.size
        whole = [0, 0, width, depth]
        made: dict[str, Any] = {
            "id": "referee",
            "name": "A question to the referee",
            "size": self.size,
            "lengths": self.rules.lengths,
            "terrain": self.pieces,
            "deploy": [{"boxes": [whole], "facing": "north"}, {"boxes": [whole], "facing": "south"}],
            "turns": self.top["turns"].number(1) if "turns" in self.top else DEFAULT_TURNS,
            "objectives": self._objectives(),
        }
        for key in ("goal", "reserve"):
            if key in self.top:
                made[key] = self.top[key].plain()
        return made | extra

    def _objectives(self) -> list[dict[str, Any]]:
        objectives = []
        for number, entry in enumerate(self.top["objectives"].entries() if "objectives" in self.top else (), 1):
            pairs = entry.table(("name", "at", "points", "each_turn"))
            if "at" not in pairs:
                raise entry.wrong("'at' is missing: where is the objective?")
            made: dict[str, Any] = {"name": pairs["name"].text() if "name" in pairs else f"objective {number}"}
            made["at"] = [self._pair(pairs["at"])]
            made |= {key: pairs[key].number(0) for key in ("points", "each_turn") if key in pairs}
            objectives.append(made)
        return objectives

    def _force(self, side: int) -> dict[str, Any]:
        return super()._force(side) | {"bases": self.bases}

    def describe(self, entry: Entry, key: str, counts: list[int]) -> _Described:
        return FreeDescribed(self, entry, key, counts)

    def _set_smoke(self, state: DustState, entry: Entry) -> None:
        pairs = entry.table(("at", "until"))
        if "at" not in pairs:
            raise entry.wrong("'at' is missing: where is the smoke?")
        places = (at(*self.spot(pairs["at"])),)
        until = pairs["until"].number(0) if "until" in pairs else state.turn + 1
        state.table = state.table.placing("smoke", places)
        state.smokes += ((until, places),)


FORT_KEYS = ("kind", "side", "at", "facing")


class FortPosition(OpenPosition):
    """A description that may name bunkers and strongpoints."""

    def _scenario(self) -> dict[str, Any]:
        made = super()._scenario()
        if "fortifications" in self.top:
            made["fortifications"] = [self._fort(one) for one in self.top["fortifications"].entries()]
        return made

    def _fort(self, entry: Entry) -> dict[str, Any]:
        """A bunker or strongpoint that stands: the middle of its box, and the way its slit faces."""
        pairs = entry.table(FORT_KEYS)
        for needed in ("kind", "side", "at"):
            if needed not in pairs:
                raise entry.wrong(f"'{needed}' is missing; a fortification needs a kind, a side and a place")
        kind = pairs["kind"].text()
        if kind not in FORT_KINDS:
            raise pairs["kind"].wrong(f"there is no fortification '{kind}'; expected bunker or strongpoint")
        turned = pairs.get("facing")
        heading = 0 if turned is None else understood(turned, lambda: words.heading(turned.plain()))
        side = self.side(pairs["side"])
        return {"kind": kind, "side": side, "at": self._pair(pairs["at"]), "facing": heading}


class FreeDescribed(_Described):
    """One unit of the file, on the open table."""

    keys: tuple[str, ...] = UNIT_KEYS
    position: OpenPosition

    def __init__(self, position: OpenPosition, entry: Entry, key: str, counts: list[int]) -> None:
        super().__init__(position, entry, key, counts)
        if self.has("base"):
            position.bases[self.cards[0].id] = self._base(self.pairs["base"])

    def _base(self, entry: Entry) -> dict[str, Any]:
        """`base: 40`, a round base, or {hull: [60, 100], height: 50} (mm); the rest is as on other such models."""
        usual = size_of(self.cards[0])
        given = entry.plain()
        if not isinstance(given, dict):
            given = {"hull" if isinstance(given, list) else "base": given}
        try:
            size = msgspec.convert({"height": usual.height} | given, Size)
        except msgspec.ValidationError:
            raise entry.wrong(BASE_FORM) from None
        if size.height <= 0 or not (size.base > 0 or (not size.base and all(side > 0 for side in size.hull))):
            raise entry.wrong(BASE_FORM)
        return {key: value for key, value in msgspec.to_builtins(size).items() if value}

    def _apply_place(self, state: DustState, unit: Unit) -> None:
        if self.has("facing"):
            facing = self.pairs["facing"]
            unit.facing = understood(facing, lambda: words.heading(facing.plain()))
        if self.has("aboard"):
            unit.aboard, unit.status = self._other(state, "aboard").id, "aboard"
        if self.has("spots") or self.has("place"):
            self._stand(state, unit, self.pairs["spots" if self.has("spots") else "place"])
        self._apply_status(unit)

    def _stand(self, state: DustState, unit: Unit, entry: Entry) -> None:
        """The place of the leader, hull or base; `spots` names every model, the leader first."""
        spots = [self.position.spot(one) for one in entry.entries()] if self.has("spots") else []
        if not spots:
            spots = [self.position.spot(entry)]
        if not all(0 <= x <= state.table.width and 0 <= y <= state.table.height for x, y in spots):
            raise entry.impossible(f"{unit.name} ({unit.id}) would stand off the table")
        ground = self.position.rules.ground
        count = len(ground.models(unit))
        if len(spots) not in (1, count):
            raise entry.wrong(
                f"{unit.name} ({unit.id}) has {count} models; expected a place for each, not {len(spots)}"
            )
        floor = self.pairs["floor"].number(0, 9) if self.has("floor") else 0
        spot = Hand(at(*spots[0], floor))
        spot.others = tuple(spots[1:])
        why = ground.formation(state, unit, spot, unit.facing)
        if isinstance(why, str):
            raise entry.impossible(f"{unit.name} ({unit.id}) cannot stand there: {why}")
        ground.put(state, unit, spot, unit.facing)

    def check(self, state: DustState) -> None:
        unit = state.by_id[self.id]
        if unit.aboard:
            self._check_aboard(state, unit)
