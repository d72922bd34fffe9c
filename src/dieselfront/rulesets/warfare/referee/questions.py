"""Questions that only Dust Warfare has: odds of an attack, orders, actions, reactions, joining."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from dieselfront.kernel.field import unique
from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import suggestion
from dieselfront.referee.questions import FROM, TO, Questions
from dieselfront.referee.results import Answer
from dieselfront.referee.session import Session
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.damage_tables import table_of
from dieselfront.rulesets.warfare.firing import ATTACK, CLOSE, DIRECT, INDIRECT, REACTION, SUSTAINED, Strike
from dieselfront.rulesets.warfare.odds import trial
from dieselfront.rulesets.warfare.plans import COVER_POINTS
from dieselfront.rulesets.warfare.state import State, Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

WarfareSession: TypeAlias = "Session[Warfare, State]"

KINDS = {"attack": ATTACK, "sustained": SUSTAINED, "sustained attack": SUSTAINED, "reaction": REACTION}
MODES = (DIRECT, CLOSE, INDIRECT)
MARKERS = "dw.reaction.eligibility"


# -- odds -------------------------------------------------------------------------------------------------------


def odds(session: WarfareSession, entry: Entry) -> Answer:
    """Exact odds of an attack from where the units stand, with everything that shapes the dice."""
    asked, state = Questions(session, session.lengths), session.state
    pairs = entry.table(("attacker", "from", "unit", "target", "to", "weapon", "weapons", "action", "how"))
    unit, target = state.unit(asked.unit(pairs, FROM, entry)), state.unit(asked.unit(pairs, TO, entry))
    kind = _known(pairs, "action", KINDS) or "attack"
    mode = _known(pairs, "how", dict.fromkeys(MODES, "")) if "how" in pairs else ""
    weapons = [simple(word) for key in ("weapon", "weapons") if key in pairs for word in pairs[key].words()]
    strikes = trial.strikes(session.rules, state, unit, target, KINDS[kind], weapons, mode)
    strike = trial.best(strikes)
    if strike is None:
        error = entry.impossible(
            f"{unit.name} has nothing to attack {target.name} with: {_reason(session, unit, target)}"
        )
        error.about = " ".join(weapons)
        raise error
    chances = trial.evaluate([strike])
    assert strike.defence is not None
    facts = chances.to_json() | {
        "attacker": unit.id,
        "target": target.id,
        "action": KINDS[kind],
        "how": strike.attack.shots[0].mode,
        "cover": strike.cover.name.lower(),
        "cover_points": COVER_POINTS[strike.cover],
        "armor": strike.armor_dice,
        "seen": [man + 1 for man in strike.seen],
        "groups": [{"weapon": group.label, "dice": group.dice, "damage": group.damage} for group in strike.groups],
        "effects": dict(chances.chances) if target.is_machine else {},
    }
    rules = unique([*chances.rules(), *(item.rule for item in strike.because)])
    return Answer("odds", _in_words(strike, chances), facts, rules)


def _in_words(strike: Strike, chances: Any) -> list[str]:
    target = strike.target
    text = [f"{group.label}: {group.dice} dice, {group.damage} damage for each HIT" for group in strike.groups]
    because = "; ".join(f"{item.text} ({item.rule})" for item in strike.because)
    defence = f"cover takes {COVER_POINTS[strike.cover]}, the armor roll has {strike.armor_dice} dice"
    text.append(f"{defence}{': ' + because if because else ''}")
    text.append(
        f"Expected: {chances.mean_losses:.2f} of {chances.capacity} points; a loss at all {chances.any_loss:.1%}."
    )
    text.append(f"{target.name} destroyed: {chances.destroyed:.1%}.")
    if target.is_machine:
        text += [f"{effect}: {chance:.1%}" for effect, chance in chances.chances.items()]
    return text


def _reason(session: WarfareSession, unit: Unit, target: Unit) -> str:
    uses = session.rules.field.weapons(session.play, unit.id, target.id)
    refused = next((use for use in uses if not use.usable), None)
    return "no weapon works" if refused is None else f"{refused.reason} ({refused.rule})"


def _known(pairs: dict[str, Entry], key: str, known: Any) -> str:
    if key not in pairs:
        return ""
    word = simple(pairs[key].text())
    if word not in known:
        raise pairs[key].wrong(f"there is no {key} '{word}'{suggestion(word, known)}")
    return word


# -- orders and actions -----------------------------------------------------------------------------------------


def orders(session: WarfareSession, entry: Entry) -> Answer:
    """Whether and how an order reaches a unit, and how many a side may give (dw.command.*)."""
    rules, state = session.rules, session.state
    unit = _unit(session, entry)
    reach = rules.command.reach(state, unit)
    sections = [
        {"unit": one.unit.id, "inches": one.inches, "temporary": one.temporary, "special": one.special}
        for one in rules.command.sections(state, unit.side)
    ]
    given = unit.notes.get("ordered") == state.turn
    facts: dict[str, Any] = {
        "unit": unit.id, "reached": reach is not None and not given, "sections": sections, "left": state.orders,
        "pool": rules.command.pool(state, unit.side), "ordered": given,
    }  # fmt: skip
    shown = ", ".join(f'{one["unit"]} ({one["inches"]}")' for one in sections) or "none"
    text = [f"Command Sections: {shown}; orders left: {state.orders}; Command Pool: {facts['pool']} dice."]
    cited = ["dw.command.command_range", "dw.command.order_count"]
    if given:
        text.insert(0, f"{unit.name} has had its order this turn (dw.open.orders_per_unit).")
        cited.append("dw.open.orders_per_unit")
    elif reach is None:
        text.insert(0, f"No order reaches {unit.name}.")
    else:
        by = f" from {reach.by}" if reach.by else ""
        radio = " by radio" if reach.radio else ""
        text.insert(0, f"An order reaches {unit.name}{by}{radio} ({reach.rule}).")
        facts |= {"by": reach.by, "radio": reach.radio, "free": reach.free, "rule": reach.rule}
        cited.append(reach.rule)
    return Answer("orders", text, facts, unique(cited))


def actions(session: WarfareSession, entry: Entry) -> Answer:
    """How many actions a unit has, and what it could declare (dw.unit_phase.action_count, dw.unit_phase.declare)."""
    rules, state = session.rules, session.state
    unit = _unit(session, entry)
    count = rules.activation.action_count(state, unit)
    menu = rules.activation.menu(state, unit, count)
    text = [f"{unit.name}: {count} action{'' if count == 1 else 's'} (dw.unit_phase.action_count)."]
    text += [", then ".join(names) for names in menu if names]
    facts = {"unit": unit.id, "actions": count, "menu": [list(names) for names in menu]}
    return Answer("actions", text, facts, ["dw.unit_phase.action_count", "dw.unit_phase.declare"])


# -- reactions --------------------------------------------------------------------------------------------------


def reactions(session: WarfareSession, entry: Entry) -> Answer:
    """May a unit react now at all, and to an enemy (`to`) within 12"; what would it do (dw.reaction.*)?"""
    rules, state = session.rules, session.state
    pairs = entry.table(("unit", "to")) if entry.is_table else {"unit": entry}
    unit = _unit(session, entry)
    refused = why_not_react(rules, state, unit)
    facts: dict[str, Any] = {"unit": unit.id, "ready": refused is None}
    cited = [MARKERS]
    if refused is not None:
        text = [f"{unit.name} may not react: {refused[1]} ({refused[0]})."]
        return Answer("reactions", text, facts | {"reason": refused[1], "rule": refused[0]}, unique([refused[0]]))
    text = [f"{unit.name} may react ({MARKERS})."]
    if "to" in pairs:
        other = state.unit(Questions(session, session.lengths).unit(pairs, ("to",), entry))
        near = ground.within(unit, other, 12)
        can = {
            "move": near and rules.reactions.can_move(state, unit),
            "attack": near and rules.attacking.can_attack(state, unit, REACTION, other),
            "hit the dirt": rules.reactions.may_hit_the_dirt(state, unit),
        }
        facts |= {"to": other.id, "near": near, "may": can}
        text.append(f'{other.name} is {"within" if near else "farther than"} 12" (dw.reaction.move_within_12).')
        text += [f"{name}: {'yes' if able else 'no'}" for name, able in can.items()]
        cited += ["dw.reaction.move_within_12", "dw.reaction.attack_within_12", "dw.reaction.hit_the_dirt"]
    return Answer("reactions", text, facts, cited)


def why_not_react(rules: Warfare, state: State, unit: Unit) -> tuple[str, str] | None:
    """The rule and the reason that keep a unit from reacting, None if it may."""
    if rules.reactions.is_ready(state, unit):
        return None
    if unit.reaction:
        return MARKERS, "it has a reaction marker"
    if unit.reacted:
        return "dw.reaction.once_per_turn", "it has reacted this turn"
    if rules.suppression.is_suppressed(state, unit):
        return MARKERS, "it is suppressed"
    return "dw.reaction.formation_required", "it is out of formation"


# -- joining and damage -----------------------------------------------------------------------------------------


def join(session: WarfareSession, entry: Entry) -> Answer:
    """May a hero or commissar join a unit (dw.hero.join)?"""
    pairs = entry.table(("unit", "to"))
    joiner = _unit(session, entry)
    other = _named(session, pairs["to"]) if "to" in pairs else None
    if other is None:
        raise entry.wrong("'to' is missing: which unit is joined?")
    refused = session.rules.heroes.why_not_join(session.state, joiner, other)
    facts = {"unit": joiner.id, "to": other.id, "may": refused is None}
    if refused is None:
        return Answer("join", [f"{joiner.name} may join {other.name} (dw.hero.join)."], facts, ["dw.hero.join"])
    facts |= {"reason": refused[1], "rule": refused[0]}
    return Answer(
        "join", [f"{joiner.name} may not join {other.name}: {refused[1]} ({refused[0]})."], facts, [refused[0]]
    )


def table(session: WarfareSession, entry: Entry) -> Answer:
    """The damage table of a machine, with what it has already (dw.damage.vehicle_table, dw.aircraft.damage_table)."""
    unit = _unit(session, entry)
    if unit.is_soldier:
        raise entry.impossible(f"{unit.name} is no vehicle; soldiers have no damage table")
    rows = table_of(unit)
    text = [
        f"{row.hits}{'+' if row is rows[-1] else ''} {'HIT' if row.hits == 1 else 'HITs'}: "
        f"{row.effect or 'nothing'} ({row.rule}){', has it' if row.effect in unit.effects else ''}"
        for row in rows
    ]
    facts = {"unit": unit.id, "rows": {str(row.hits): row.effect for row in rows}, "effects": list(unit.effects)}
    return Answer("table", text, facts, [row.rule for row in rows])


def _unit(session: WarfareSession, entry: Entry) -> Unit:
    """The unit of a question, wherever it is."""
    pairs = entry.table() if entry.is_table else {"unit": entry}
    if "unit" not in pairs:
        raise entry.wrong("'unit' is missing: which unit?")
    return _named(session, pairs["unit"])


def _named(session: WarfareSession, entry: Entry) -> Unit:
    known: dict[str, Unit] = {unit.id: unit for unit in session.state.units}
    if entry.text() not in known:
        raise entry.wrong(f"there is no unit '{entry.text()}'{suggestion(entry.text(), known)}")
    return known[entry.text()]


__all__ = ["actions", "join", "odds", "orders", "reactions", "table", "why_not_react"]
