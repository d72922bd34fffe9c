"""Questions about nerve and close quarters in Konflikt '47: order tests and morale checks, assaults."""

from __future__ import annotations

from typing import Any, TypeAlias

from dieselfront.kernel.field import unique
from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import counted, suggestion
from dieselfront.referee.questions import FROM, TO, Questions
from dieselfront.referee.results import Answer
from dieselfront.rulesets.konflikt47.firing import STAND_AND_FIRE, Wound
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.morale import CHECK, ORDER, Occasion
from dieselfront.rulesets.konflikt47.referee.fire import KonfliktSession, passes
from dieselfront.rulesets.konflikt47.state import ORDERS, Unit
from dieselfront.table.measured.units import show_inches

Described: TypeAlias = tuple[dict[str, Any], list[str], list[str]]
"""Facts, sentences and rule ids."""


def morale(session: KonfliktSession, entry: Entry) -> Answer:
    """The value a test needs, why, and the chance to pass; double six is FUBAR in order tests."""
    rules, state = session.rules, session.state
    pairs = entry.table(("unit", "order", "check", "target"))
    if "unit" not in pairs:
        raise entry.wrong("'unit' is missing")
    unit = _anybody(session, pairs["unit"])
    order = simple(pairs["order"].text()) if "order" in pairs else ""
    choice: Any = order
    if order == "assault":
        choice = ("assault", Questions(session, session.lengths).unit(pairs, TO, entry))
    elif order and order not in ORDERS:
        raise pairs["order"].wrong(f"there is no order '{order}'{suggestion(order, ORDERS)}")
    occasion = rules.orders.occasion(state, unit, choice) if order else Occasion(CHECK)
    needed, because = rules.morale.value(state, unit, occasion)
    tested = not order or rules.orders.needs_test(state, unit, occasion)
    chance, name = passes(needed), rules.field.called(unit)
    text = [f"{name} needs {needed} or less on 2D6: {chance:.1%}."]
    if not tested:
        text = [f"{name} needs no test for {order} (k47.order.test_when)."]
    text += [f"{item.text} ({item.rule})" for item in because]
    fubar = tested and occasion.kind == ORDER
    if fubar:
        text.append(f"FUBAR on double six: {1 / 36:.1%} (k47.order.fubar).")
    facts = {
        "unit": unit.id,
        "order": order or None,
        "test": tested,
        "needed": needed,
        "chance": chance if tested else 1.0,
        "fubar": 1 / 36 if fubar else 0.0,
        "because": [{"rule": item.rule, "text": item.text} for item in because],
    }
    rule_ids = ["k47.order.test_when" if order else "k47.morale.check", *(item.rule for item in because)]
    return Answer("morale", text, facts, unique(rule_ids))


def _anybody(session: KonfliktSession, entry: Entry) -> Unit:
    """A unit by id or name, on the table or not."""
    text = entry.text()
    units: list[Unit] = [unit for unit in session.state.units if unit.id == text]
    units = units or [unit for unit in session.state.units if simple(unit.card.name) == simple(text)]
    if len(units) != 1:
        raise entry.wrong(f"there is no unit '{text}'{suggestion(text, [unit.id for unit in session.state.units])}")
    return units[0]


def assault(session: KonfliktSession, entry: Entry) -> Answer:
    """Does an assault reach its target, how may the target react, and what do the blows need."""
    rules, state, field = session.rules, session.state, session.rules.field
    asked = Questions(session, session.lengths)
    pairs = entry.table(("unit", "from", "target", "to"))
    unit, target = state.unit(asked.unit(pairs, FROM, entry)), state.unit(asked.unit(pairs, TO, entry))
    chapter = rules.assault
    if not chapter.may_assault(state, unit):
        raise entry.impossible(f"{unit.card.name} may not assault (k47.cq.who)")
    reach = chapter.measure(state, unit, target)
    stands = chapter.may_stand_and_fire(state, unit, target, reach.start, unit.bodies)
    reactions = [*chapter.escapes(state, target), *([STAND_AND_FIRE] if stands else [])]
    contact = "gets into contact" if reach.into_contact else "falls short"
    text = [
        f"{field.called(unit)} starts {show_inches(reach.start)} from {field.called(target)} and {contact}.",
        f"{field.called(target)} may react: {', '.join(reactions) or 'not at all'}.",
    ]
    blows, sentences, rule_ids = _blows(session, unit, target)
    text += sentences
    if reach.start <= 6 * INCH:
        text.append('From within 6" nobody stands and fires (k47.react.stand_fire_limit).')
    facts = {
        "unit": unit.id,
        "target": target.id,
        "distance": round(reach.start / INCH, 2),
        "reaches": reach.into_contact,
        "reactions": reactions,
        **blows,
    }
    marks: dict[str, Any] = {}
    if reach.route is not None and reach.route.path:
        first = unit.bodies[0]
        marks["paths"] = [([(first.x, first.y), *(point[:2] for point in reach.route.path)], "")]
    rule_ids = ["k47.cq.reach", "k47.react.escape", "k47.react.stand_fire", *rule_ids]
    return Answer("assault", text, facts, unique(rule_ids), marks)


def _blows(session: KonfliktSession, unit: Unit, target: Unit) -> Described:
    """What is rolled in contact: against troops, against a vehicle, by a walker."""
    if target.is_vehicle and not unit.is_vehicle:
        return _storm(session, unit, target)
    rules, state = session.rules, session.state
    if unit.is_vehicle:
        text = "A walker strikes with its feet and fists (k47.cqw.attacks)."
        return {"attacks": None, "value": None}, [text], ["k47.cqw.assault", "k47.cqw.attacks"]
    ordinary, hard = rules.assault.attack_dice(unit)
    value = rules.damage.value(target, Wound(state, None, 0, hand_to_hand=True))
    attacks = counted(ordinary + hard, "attack")
    if target.is_struck_as_vehicle:
        return _at_bikes(session, target, ordinary + hard, value)
    text = f"Hand-to-hand: {attacks} against damage value {value} (k47.cq.h2h_attacks)."
    return {"attacks": ordinary + hard, "value": value}, [text], ["k47.cq.h2h_attacks"]


def _at_bikes(session: KonfliktSession, bikes: Unit, attacks: int, value: int) -> Described:
    """Riders are hit like a vehicle, by what they did, and damaged like infantry (k47.special.motorbikes)."""
    score = session.rules.vehicle_assault.score(session.state, bikes)
    may_hit = score <= 6
    facts = {"attacks": attacks if may_hit else 0, "need": score if may_hit else None, "value": value}
    dice = counted(attacks, "die", "dice")
    hit = f"{dice} on {score}+, hits against damage value {value}" if may_hit else "Bikes that ran are never hit"
    return facts, [f"{hit} (k47.special.motorbikes)."], ["k47.special.motorbikes", "k47.cqv.to_hit"]


def _storm(session: KonfliktSession, unit: Unit, vehicle: Unit) -> Described:
    """One die per armed model less one per pin, by what the vehicle did; D6 + hits against its armour (k47.cqv.*)."""
    chapter, state = session.rules.vehicle_assault, session.state
    dice = max(0, sum(1 for man in unit.men if not unit.man(man).is_a("unarmed")) - unit.pins)
    score = chapter.score(state, vehicle)
    may_hit = score <= 6
    worth = unit.ask("on_vehicle_hit_worth", 1, unit)
    value = vehicle.card.vehicle.value if vehicle.card.vehicle is not None else 0
    facts = {
        "attacks": dice if may_hit else 0,
        "dice": dice,
        "need": score if may_hit else None,
        "value": value,
        "worth": worth,
        "anti_tank": chapter.has_anti_tank(unit),
        "nerve": chapter.needs_nerve(unit, vehicle),
    }
    if not may_hit:
        text = [f"{vehicle.card.name} ran this turn: it cannot be hit in an assault (k47.cqv.to_hit)."]
        return facts, text, ["k47.cqv.to_hit"]
    each = "" if worth == 1 else f", each hit counting {worth}"
    text = [
        f"{counted(dice, 'die', 'dice')} on {score}+ (k47.cqv.to_hit); "
        f"then D6 + hits{each} against armour {value} (k47.cqv.damage)."
    ]
    if facts["nerve"]:
        text.append(f"Without anti-tank weapons {unit.card.name} must test its nerve first (k47.cqv.nerve).")
    return facts, text, ["k47.cqv.to_hit", "k47.cqv.damage", *(["k47.cqv.nerve"] if facts["nerve"] else [])]


def objectives(session: KonfliktSession, entry: Entry) -> Answer:
    """Who holds what, and the points if the game ended now (k47.game.victory)."""
    answer = Questions(session, session.lengths).answer("objectives", entry)
    score = list(session.rules.victory.points(session.state))
    names = [side["name"] for side in session.rules.view(session.state)["sides"]]
    listed = [f"{name}: {counted(points, 'point')}" for name, points in zip(names, score, strict=True)]
    answer.text = [*answer.text[: -len(names)], *listed]
    answer.facts["score"] = score
    answer.rules = ["k47.game.victory"]
    return answer


__all__ = ["assault", "morale", "objectives"]
