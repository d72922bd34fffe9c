"""Who may be removed by fire on the open table, and in which order (ff.damage.*)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dieselfront.kernel.field import NoAnswer
from dieselfront.referee.document import Entry
from dieselfront.referee.questions import FROM, TO, Questions
from dieselfront.referee.results import Answer
from dieselfront.referee.session import Session
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust_open.ground import OpenLine

if TYPE_CHECKING:
    from dieselfront.rulesets.dust.state import DustState
    from dieselfront.rulesets.dust_open.ruleset import OpenDust

RULES = ["ff.damage.order", "ff.damage.order_ties", "ff.damage.los"]


def casualties(session: Session[OpenDust, DustState], entry: Entry) -> Answer:
    """First those in the open, then those in cover, never those whom the attacker does not see."""
    asked = Questions(session, session.lengths)
    pairs = entry.table(("from", "to", "weapon"))
    play, state, rules, field = session.play, session.state, session.rules, session.rules.field
    viewer = state.by_id[asked.unit(pairs, FROM, entry)]
    target = state.by_id[asked.unit(pairs, TO, entry)]
    name = pairs["weapon"].text() if "weapon" in pairs else ""
    try:
        part, index = field.weapon(viewer, name) if name else (0, 0)
        line = field.line(play, viewer, target, field.mount(viewer, name), plain=not name)
    except NoAnswer as error:
        raise entry.wrong(str(error)) from None
    owner = viewer.parts[part]
    shot = Shot(play, Attack(viewer), owner, index, rules.attacks.weapon_of(owner, index), {}, target, line)
    classes = [rules.damage.classes(target, each, shot) for each in target.fighters() if each.squad]
    groups: list[list[str]] = [[], [], []]
    seen, covered = (line.seen, line.covered) if isinstance(line, OpenLine) else ((), ())
    for figure in target.figures:
        groups[2 if figure not in seen else 1 if figure in covered else 0].append(field.model(target, figure))
    text = [
        f"first, from the open: {', '.join(groups[0]) or 'nobody'} (ff.damage.order)",
        f"then, from cover: {', '.join(groups[1]) or 'nobody'} (ff.damage.order_ties)",
        f"never, because the attacker does not see them: {', '.join(groups[2]) or 'nobody'} (ff.damage.los)",
    ]
    sight = asked.answer("sight", entry)
    facts = sight.facts | {"first": groups[0], "then": groups[1], "never": groups[2]}
    facts["most"] = sum(len(one) + len(two) for one, two in classes)
    return Answer("casualties", text, facts, RULES, sight.marks)


__all__ = ["casualties"]
