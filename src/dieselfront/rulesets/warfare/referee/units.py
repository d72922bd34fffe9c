"""One unit of a position file: its card, its place, what is left of it, its markers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.forces import UnknownCard, catalogue
from dieselfront.forces.skills import read_skill
from dieselfront.referee import measured_words as words
from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import RefereeError, suggestion
from dieselfront.referee.measured_positions import Lengths, understood
from dieselfront.referee.positions import DescribedUnit, known_word
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.abilities.moving import FAST_TURN
from dieselfront.rulesets.warfare.battle import INWARD
from dieselfront.rulesets.warfare.damage_tables import AIRCRAFT, FORCED_LOW, VEHICLE, table_of
from dieselfront.rulesets.warfare.going import MOVE, Clearance, Move
from dieselfront.rulesets.warfare.heroes import COMMISSAR
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.profiles import BadCard, read_card
from dieselfront.rulesets.warfare.referee.inline_cards import completed
from dieselfront.rulesets.warfare.spots import SpotRegion, everywhere
from dieselfront.rulesets.warfare.state import (
    ABOARD,
    GONE,
    HIGH,
    INSIDE,
    JOINED,
    LIFTED,
    LOW,
    OFF,
    PILOTING,
    RIDING,
    TABLE,
    State,
    Unit,
)
from dieselfront.rulesets.warfare.terrain import floors_of
from dieselfront.rulesets.warfare.unit_cards import WarfareCard
from dieselfront.table.measured.formation import column, line, pattern_spots
from dieselfront.table.measured.shapes import Body, overlaps

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

UNIT_KEYS = (
    *("id", "name", "card", "side", "place", "spots", "facing", "formation", "floor", "models", "men", "leader"),
    *("damage", "suppression", "reaction", "reacted", "activated", "effects", "broken", "out_of_ammo", "dropped"),
    *("used", "abilities", "options", "joins", "merges", "aboard", "seat", "altitude", "status", "arrival", "left_by"),
    *("tokens", "platoon"),
)
STATUSES = (TABLE, OFF, ABOARD, JOINED, GONE)
SEATS = (INSIDE, RIDING, PILOTING, LIFTED)
FORMATIONS = ("block", "line", "column", "row")
EFFECTS = tuple(dict.fromkeys(row.effect for row in (*VEHICLE, *AIRCRAFT) if row.effect))
TOKENS: dict[str, Callable[[State, Unit], tuple[str, Any]]] = {
    "flying": lambda state, unit: ("flying", True),
    "moved": lambda state, unit: ("moved", state.turn),
    "ordered": lambda state, unit: ("ordered", state.turn),
    "free order used": lambda state, unit: ("free order", state.turn),
    "radio used": lambda state, unit: ("radio used", (state.turn, 1)),
    "fast used": lambda state, unit: (FAST_TURN, state.turn),
    "been active": lambda state, unit: ("been active", True),
    "temporary section": lambda state, unit: ("temporary section", unit.leader),
}
"""What else a unit may have behind it, each with the note the rules keep of it."""


class Described(DescribedUnit):
    """One unit of the file."""

    keys = UNIT_KEYS

    def __init__(
        self, rules: Warfare, lengths: Lengths, side: Callable[[Entry], int], entry: Entry, key: str, counts: list[int]
    ) -> None:
        super().__init__(entry, key, counts, side)
        self.rules = rules
        self.lengths = lengths

    # -- its card ---------------------------------------------------------------------------------------------

    def make(self) -> Unit:
        """The unit off the table, whole and without markers."""
        card = self._card()
        if self.has("name"):
            card = msgspec.structs.replace(card, name=self.pairs["name"].text())
        unit = Unit(self.id, self.side, card)
        if self.has("options"):
            self.rules.add_options(unit, self._options(card))
        if self.has("platoon"):
            unit.notes["platoon"] = self.pairs["platoon"].text()
        if self.has("abilities"):
            gained = tuple(read_skill(word) for word in self.pairs["abilities"].words())
            gained = tuple(msgspec.structs.replace(ref, name=self._ability(ref.name, "abilities")) for ref in gained)
            unit.notes["gained"] = (*unit.notes.get("gained", ()), *gained)
        return unit

    def _known(self, card: WarfareCard, entry: Entry) -> WarfareCard:
        """A card written out names abilities and weapon rules that the game knows: others would do nothing."""
        registry, printed = self.rules.registry, catalogue(self.rules.id).cards.values()
        for ref in card.abilities:
            known = {COMMISSAR, *registry.abilities, *(skill.name for other in printed for skill in other.abilities)}
            if ref.name not in known:
                raise entry.wrong(f"there is no ability '{ref.name}'{suggestion(ref.name, sorted(known))}")
        for ref in (ref for weapon in card.weapons for ref in weapon.rules):
            of_cards = (rule.name for other in printed for weapon in other.weapons for rule in weapon.rules)
            if ref.name not in (rules := {*registry.weapon_rules, *of_cards}):
                raise entry.wrong(f"there is no weapon rule '{ref.name}'{suggestion(ref.name, sorted(rules))}")
        return card

    def _ability(self, name: str, key: str) -> str:
        """An ability that the rules know; another one would do nothing."""
        return known_word("ability", name, self.rules.registry.abilities, self.pairs[key])

    def _card(self) -> WarfareCard:
        """A card by its id, or written out."""
        entry = self.pairs["card"]
        try:
            if entry.is_table:
                return self._known(read_card(completed(entry, self.id)), entry)
            card: WarfareCard = catalogue("warfare")[entry.text()]
            return card
        except (UnknownCard, BadCard) as error:
            raise entry.wrong(str(error).rstrip(".")) from None

    def _options(self, card: WarfareCard) -> dict[str, int]:
        chosen: dict[str, int] = {}
        for word in self.pairs["options"].words():
            option = next((one for one in card.options if simple(word) in (simple(one.id), simple(one.name))), None)
            if option is None:
                known = [one.id for one in card.options]
                raise self.pairs["options"].wrong(f"{card.name} has no option '{word}'{suggestion(word, known)}")
            chosen[option.id] = 1
        return chosen

    def _other(self, state: State, entry: Entry) -> Unit:
        known = [unit.id for unit in state.units]
        if entry.text() not in known:
            raise entry.wrong(f"there is no unit '{entry.text()}'{suggestion(entry.text(), known)}")
        return state.unit(entry.text())

    # -- joined units -----------------------------------------------------------------------------------------

    def join(self, state: State) -> None:
        """A hero or commissar in another unit, or a commissar with two squads (dw.hero.join)."""
        joiner, play = state.unit(self.id), Play(self.rules, state)
        if self.has("joins"):
            unit = self._other(state, self.pairs["joins"])
            refused = self.rules.heroes.why_not_join(state, joiner, unit)
            if refused is not None:
                raise _by_rule(self.pairs["joins"], f"{joiner.name} cannot join {unit.name}: {refused[1]}", refused[0])
            self.rules.heroes.join(play, joiner, unit)
        if self.has("merges"):
            entry = self.pairs["merges"]
            pair = tuple(self._other(state, one).id for one in entry.entries())
            if pair not in self.rules.heroes.merges(state, joiner):
                reason = f"{joiner.name} cannot merge {' and '.join(pair)}"
                raise _by_rule(entry, reason, "dw.ability.commissar_combine")
            self.rules.heroes.combine(play, joiner, state.unit(pair[0]), state.unit(pair[1]))

    # -- what is left of it -----------------------------------------------------------------------------------

    def reduce(self, state: State) -> None:
        """Figures left, their leader, the damage of each, weapons and effects."""
        unit = state.unit(self.id)
        if self.has("models"):
            own = [man for man in unit.men if unit.figures[man].label.split("+")[0] == unit.id]
            kept = own[: self.pairs["models"].number(1, len(own))]
            unit.men = [man for man in unit.men if man in kept or man not in own]
        if self.has("men"):
            unit.men = self._men(unit, self.pairs["men"])
        if unit.leader not in unit.men:
            unit.leader = None
        if self.has("leader"):
            unit.leader = self._leader(unit, self.pairs["leader"])
        if self.has("damage"):
            self._wound(state, unit, self.pairs["damage"])
        self._effects(unit)
        for key, slot in (("broken", "broken"), ("dropped", "spent")):
            for word in self.pairs[key].words() if self.has(key) else ():
                setattr(unit, slot, (*getattr(unit, slot), self._weapon_place(unit, word, self.pairs[key])))
        for word in self.pairs["out_of_ammo"].words() if self.has("out_of_ammo") else ():
            man, place = self._weapon_place(unit, word, self.pairs["out_of_ammo"])
            unit.empty = (*unit.empty, unit.carried(man)[place])

    def _men(self, unit: Unit, entry: Entry) -> list[int]:
        """Figures by number, or by the name or role of a soldier."""
        left: list[int] = []
        for word in entry.words():
            fitting = [man for man in unit.men if man not in left and self._is_called(unit, man, word)]
            if not fitting:
                raise entry.wrong(f"{unit.name} has no (further) figure '{word}'; it has {len(unit.figures)}")
            left.append(fitting[0])
        return sorted(left)

    def _is_called(self, unit: Unit, man: int, word: str) -> bool:
        figure = unit.figures[man]
        roles = figure.card.soldiers[figure.number].roles if figure.number < len(figure.card.soldiers) else ()
        names = (str(man + 1), simple(self.rules.man_name(unit, man)), simple(figure.card.name), *roles)
        return simple(word) in (*names, *(("hero",) if figure.is_hero else ()))

    def _leader(self, unit: Unit, entry: Entry) -> int | None:
        if simple(entry.text()) in ("none", "no", "nobody", "lost"):
            return None
        man = next((man for man in unit.men if self._is_called(unit, man, entry.text())), None)
        if man is None:
            raise entry.wrong(f"{unit.name} has no figure '{entry.text()}'; left are {_numbers(unit)}")
        return man

    def _wound(self, state: State, unit: Unit, entry: Entry) -> None:
        """A number for the first figure that can suffer so much, or a table of figures (dw.damage.*)."""
        host, men = unit, unit.men
        if unit.place == JOINED:  # a joined hero's own damage
            host = state.unit(unit.carrier)
            men = [man for man in host.men if host.figures[man].label == unit.id]
        if entry.is_table:
            listed = {self._figure(host, key, entry): one.number(0, 99) for key, one in entry.table().items()}
        else:
            points = entry.number(0, 99)
            able = [man for man in men if host.figures[man].card.capacity > points]
            if not able:
                raise entry.impossible(f"no figure of {unit.name} survives {points} points of damage")
            listed = {able[0]: points}
        for man, points in listed.items():
            capacity = host.figures[man].card.capacity
            if points >= capacity:
                raise entry.impossible(f"figure {man + 1} of {unit.name} is lost with {capacity} points of damage")
            if points:
                host.wounds[man] = points

    def _figure(self, unit: Unit, word: str, entry: Entry) -> int:
        man = next((man for man in unit.men if self._is_called(unit, man, word)), None)
        if man is None:
            raise entry.wrong(f"{unit.name} has no figure '{word}'; left are {_numbers(unit)}")
        return man

    def _effects(self, unit: Unit) -> None:
        """Effects of the damage tables: a word, or with the weapon it put out: `{weapon damaged: Gun}`."""
        if not self.has("effects"):
            return
        entry = self.pairs["effects"]
        listed = entry.entries() if entry.is_list else [entry]
        for one in listed:
            pairs: dict[str, Entry | None] = dict(one.table().items()) if one.is_table else {one.text(): None}
            for word, weapon in pairs.items():
                self._effect(unit, one, word, weapon)

    def _effect(self, unit: Unit, entry: Entry, word: str, weapon: Entry | None) -> None:
        known = [row.effect for row in table_of(unit) if row.effect]
        effect = simple(word)
        if unit.is_soldier or effect not in known:
            more = "; soldiers have none" if unit.is_soldier else suggestion(effect, known)
            raise entry.wrong(f"there is no effect '{word}' on {unit.name}{more}")
        if effect in unit.effects:
            raise _by_rule(entry, f"{unit.name} has '{effect}' already", "dw.damage.vehicle_one_effect")
        unit.effects = (*unit.effects, effect)
        if effect == FORCED_LOW:
            unit.notes["forced low"] = True
        if weapon is not None:
            place = self._weapon_place(unit, weapon.text(), weapon)
            unit.broken = (*unit.broken, place)
            unit.notes[f"broken by {effect}"] = place

    def _weapon_place(self, unit: Unit, word: str, entry: Entry) -> tuple[int, int]:
        """A weapon that still works, by its name or a part of it: who carries it and which of his it is."""
        wanted = simple(word)
        working = [
            ((man, place), simple(unit.weapons[index].name))
            for man in unit.men
            for place, index in enumerate(unit.carried(man))
            if (man, place) not in unit.broken and (man, place) not in unit.spent
        ]
        for fits in (lambda name: name == wanted, lambda name: wanted in name):
            for where, name in working:
                if fits(name):
                    return where
        names = list(dict.fromkeys(weapon.name for weapon in unit.weapons))
        raise entry.wrong(f"{unit.name} has no (further) weapon '{word}'{suggestion(word, names)}")

    # -- its place --------------------------------------------------------------------------------------------

    def stand(self, state: State) -> None:
        """On the table, or off it."""
        unit = state.unit(self.id)
        unit.heading = INWARD[state.edges[unit.side]]
        if self.has("facing"):
            unit.heading = understood(self.pairs["facing"], lambda: words.heading(self.pairs["facing"].plain()))
        if unit.place == JOINED:
            return
        if unit.is_aircraft:
            unit.altitude = self._word("altitude", (HIGH, LOW), "" if state.phase == "setup" else LOW)
        elif self.has("altitude"):
            raise self.pairs["altitude"].impossible(f"{unit.name} is no aircraft")
        if self.has("floor"):
            unit.notes["floor"] = self.pairs["floor"].number(0, 9)
        self._absent(state, unit)
        if unit.place != OFF:
            return
        if self.has("place") or self.has("spots"):
            unit.place = TABLE
            self._set_down(state, unit)
        elif not self._is_elsewhere() and state.phase != "setup":
            raise self.entry.wrong("'place' is missing: where does the unit stand?")

    def _is_elsewhere(self) -> bool:
        """Does the file say where the unit is, if not on the table?"""
        return any(self.has(key) for key in ("aboard", "arrival", "left_by")) or self._word("status", STATUSES, "") in (
            OFF,
            GONE,
        )

    def _word(self, key: str, known: tuple[str, ...], default: str) -> str:
        if not self.has(key):
            return default
        word = simple(self.pairs[key].text())
        if word not in known:
            raise self.pairs[key].wrong(f"there is no {key} '{word}'{suggestion(word, known)}")
        return word

    def _absent(self, state: State, unit: Unit) -> None:
        """Lost, in reserve, or beyond an edge."""
        unit.place = GONE if self._word("status", STATUSES, "") == GONE else OFF
        if self.has("arrival"):
            known = ["reserve", *(way.name for way in self.rules.setup.arrivals(state, unit))]
            unit.notes["arrival"] = self._word("arrival", tuple(known), "")
        if self.has("left_by"):
            if not unit.is_aircraft:
                raise self.pairs["left_by"].impossible(f"{unit.name} is no aircraft")
            unit.notes["left by"] = self._word("left_by", tuple(INWARD), "")

    def _set_down(self, state: State, unit: Unit) -> None:
        """Every figure where it is told to stand, or a formation round the leader."""
        if self.has("spots"):
            spots = [self._spot(state, unit, one) for one in self.pairs["spots"].entries()]
            if len(spots) != len(unit.men):
                raise self.pairs["spots"].wrong(f"expected {len(unit.men)} places, one for each figure")
            ground.stand(state.table, unit, spots, unit.heading)
            return
        bodies = self._formed(state, unit, *self._spot(state, unit, self.pairs["place"]))
        by_man = {body.key: body for body in ground.settle(state.table, unit, bodies)}
        unit.bodies = [by_man[unit.id, man] for man in unit.men]

    def _spot(self, state: State, unit: Unit, entry: Entry) -> tuple[int, int]:
        x, y = self.lengths.spot(entry)
        if not (0 <= x <= state.table.width and 0 <= y <= state.table.depth):
            raise entry.impossible(f"{unit.name} ({self.id}) would stand off the table")
        return x, y

    def _formed(self, state: State, unit: Unit, x: int, y: int) -> list[Body]:
        formation = self._word("formation", FORMATIONS, "block")
        region = SpotRegion(Clearance(Move(state, unit, MOVE)), unit, (0, 0, 0, 0), everywhere, unit.heading, "")
        bodies = region.pattern((x, y, unit.heading))
        if formation == "block" or unit.is_machine:
            return bodies
        spacing = max(body.shape.width for body in bodies) + 4
        if formation == "row":  # from left to right on the page
            spots = [(x + spacing * number, y) for number in range(len(bodies))]
        else:
            steps = (line if formation == "line" else column)(len(bodies), spacing)
            spots = pattern_spots(x, y, unit.heading, steps)
        return [body.at(*spot) for body, spot in zip(bodies, spots, strict=True)]

    def board(self, state: State) -> None:
        """In, on or under another unit, if that has room (dw.ability.carry_capacity)."""
        unit = state.unit(self.id)
        if not self.has("aboard"):
            if self.has("seat"):
                raise self.pairs["seat"].wrong("a seat needs 'aboard': in which unit?")
            return
        entry, carrier = self.pairs["aboard"], self._other(state, self.pairs["aboard"])
        self.rules.outfit.refresh(state, unit)
        self.rules.outfit.refresh(state, carrier)
        seats = self.rules.transport.seats(state, unit, carrier)
        seat = self._word("seat", SEATS, seats[0] if seats else INSIDE)
        if seat not in seats:
            rule = "dw.ability.carry_capacity"
            if seat == PILOTING:
                rule = "dw.ability.heroic_pilot" if self.rules.transport.named_pilot(carrier) else "dw.ability.pilot"
            raise _by_rule(entry, f"{carrier.name} has no room for {unit.name} ({seat})", rule)
        unit.place, unit.carrier, unit.seat = ABOARD, carrier.id, seat

    # -- markers ----------------------------------------------------------------------------------------------

    def mark(self, state: State) -> None:
        """Markers, abilities used up, and what else it has behind it."""
        unit = state.unit(self.id)
        if self.has("suppression"):
            unit.suppression = self.pairs["suppression"].number(0, 20)
            if unit.suppression and unit.is_machine:
                reason = f"{unit.name} is no soldier unit and takes no suppression markers"
                raise _by_rule(self.pairs["suppression"], reason, "dw.damage.vehicle_no_suppression")
        unit.reaction = self.has("reaction") and self.pairs["reaction"].flag()
        unit.reacted = self.pairs["reacted"].flag() if self.has("reacted") else False
        unit.activated = self.has("activated") and self.pairs["activated"].flag()
        used = self.pairs["used"].words() if self.has("used") else ()
        unit.used = tuple(self._ability(name, "used") for name in used)
        for word in self.pairs["tokens"].words() if self.has("tokens") else ():
            token = simple(word)
            if token not in TOKENS:
                raise self.pairs["tokens"].wrong(f"there is no token '{word}'{suggestion(token, TOKENS)}")
            name, value = TOKENS[token](state, unit)
            unit.notes[name] = value

    # -- is it possible? --------------------------------------------------------------------------------------

    def check(self, state: State) -> None:
        """Is it a place where the unit could stand at all?"""
        unit = state.unit(self.id)
        if not unit.on_table:
            return
        where = self.pairs.get("spots") or self.pairs.get("place") or self.entry
        for number, body in enumerate(unit.bodies):
            if not state.table.contains(body):
                raise where.impossible(f"{unit.name} ({unit.id}) would stand off the table")
            if any(overlaps(body, other) for other in unit.bodies[:number]):
                raise where.impossible(f"two figures of {unit.name} ({unit.id}) would stand on the same ground")
        for other in state.units:
            if other is not unit and any(overlaps(body, one) for body in unit.bodies for one in other.bodies):
                raise where.impossible(f"{unit.name} ({unit.id}) would stand on {other.name} ({other.id})")
        self._check_terrain(state, unit, where)

    def _check_terrain(self, state: State, unit: Unit, where: Entry) -> None:
        barred = Clearance(Move(state, unit, MOVE)).no_stop
        for body in unit.bodies:
            piece = next((one for one in state.table.near(body) if one.id in barred and one.overlaps(body)), None)
            if piece is not None:
                raise _by_rule(where, f"{unit.name} ({unit.id}) cannot stand in {piece.id}", "dw.terrain.impassable")
        if self.has("floor") and ground.floor_of(unit):
            piece = ground.building_under(state.table, unit.bodies)
            if piece is None or ground.floor_of(unit) >= floors_of(piece):
                raise self.pairs["floor"].impossible(f"{unit.name} ({unit.id}) stands in no building with such a floor")


def _by_rule(entry: Entry, reason: str, rule: str) -> RefereeError:
    """A refusal that names its rule."""
    error = entry.impossible(f"{reason} ({rule})")
    error.rule = rule
    return error


def _numbers(unit: Unit) -> str:
    return ", ".join(str(man + 1) for man in unit.men)


__all__ = ["EFFECTS", "SEATS", "STATUSES", "TOKENS", "UNIT_KEYS", "Described"]
