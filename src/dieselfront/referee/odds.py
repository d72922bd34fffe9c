"""The odds question of any game: what the decision that is due puts at stake, evaluated exactly.

A game whose companion has an `odds` question of its own (one that sets the units up by itself) answers that instead.
"""

from __future__ import annotations

from dieselfront.odds.choices import TargetOdds, of_decision
from dieselfront.referee.document import Entry
from dieselfront.referee.results import Answer
from dieselfront.referee.session import Session

KEYS = ("attacker", "target", "weapon")


def odds(session: Session, entry: Entry) -> Answer:
    """Exact odds of every answer to the pending decision that fits: by whom, at whom, with which weapon."""
    decision = session.next_decision()
    if decision is None or not decision.has_stakes:
        due = f"'{decision.key}'" if decision is not None else "nothing"
        raise entry.wrong(f"no dice hang on the decision that is due ({due}); ask where an attack is declared")
    wanted = {key: one.text() for key, one in entry.table(KEYS).items()}
    offers = [
        (option, one)
        for option in of_decision(decision, state=session.state)
        for one in option.targets
        if wanted.get("target", one.target) in (one.target, one.name)
        and wanted.get("attacker", one.unit) == one.unit
        and wanted.get("weapon", "") in one.odds.label
    ]
    if not offers:
        raise entry.wrong("no answer to the decision that is due attacks like that")
    rules = list(dict.fromkeys(rule for _, one in offers for rule in one.odds.rules()))
    text = [in_words(one) for _, one in offers]
    facts = [{"answer": option.answer, "attacker": one.unit, "target": one.target} for option, one in offers]
    whole = [{**fact, **one.odds.to_json()} for fact, (_, one) in zip(facts, offers, strict=True)]
    return Answer("odds", text, {**whole[0], "options": whole}, rules)


def in_words(one: TargetOdds) -> str:
    """What one answer promises, in a sentence."""
    lost = f"{one.odds.mean_losses:.2f} of {one.odds.capacity} expected to be lost"
    return f"{one.name or one.target}: {lost}, destroyed with a chance of {one.odds.destroyed:.1%}."


__all__ = ["odds"]
