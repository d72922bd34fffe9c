"""Who may be lost to a weapon: miniatures that one of its firers could attack (bf.damage.valid_targets)."""

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
    from dieselfront.rulesets.battlefield.ruleset import Battlefield
    from dieselfront.rulesets.dust.state import DustState

RULES = ["bf.damage.valid_targets", "bf.damage.squad"]


def casualties(session: Session[Battlefield, DustState], entry: Entry) -> Answer:
    """Whom the attack of a weapon could fell, whom it never does, pool by pool where cover splits its firers."""
    asked = Questions(session, session.lengths)
    pairs = entry.table(("from", "to", "weapon"))
    play, state, rules, field = session.play, session.state, session.rules, session.rules.field
    viewer = state.by_id[asked.unit(pairs, FROM, entry)]
    target = state.by_id[asked.unit(pairs, TO, entry)]
    try:
        part, index = field.weapon(viewer, pairs["weapon"].text()) if "weapon" in pairs else (0, 0)
    except NoAnswer as error:
        raise entry.wrong(str(error)) from None
    attack = Attack(viewer, only=target.id)
    weapon = rules.attacks.weapon_of(viewer.parts[part], index)
    lines = [line for line in rules.attacks.weapon_lines(play, attack) if (line.part, line.index) == (part, index)]
    pools: list[Shot] = []
    for line in lines:
        aim = next((aim for aim in line.aims if aim[0] == target.id), None)
        able = rules.attacks.takers(play, attack, line, aim) if aim is not None else ()
        if aim is not None and able:
            shot = rules.attacks.shot(play, attack, part, index, aim, able)
            pools += rules.attacks.pools_of(play, shot)
    pool_facts = [
        {
            "firers": len(pool.bearers),
            "cover": pool.line.cover,
            "able": [field.model(target, figure) for figure in seen(pool)],
        }
        for pool in pools
    ]
    reached = list(dict.fromkeys(figure for pool in pools for figure in seen(pool)))
    able_names = [field.model(target, figure) for figure in target.figures if figure in reached]
    never = [field.model(target, figure) for figure in target.figures if figure not in reached]
    text = [
        f"{weapon.name} can fell {', '.join(able_names) or 'nobody'}, as the owner chooses ({RULES[0]})",
        f"never, being out of range, arc or sight: {', '.join(never) or 'nobody'} ({RULES[0]})",
    ]
    facts = {"first": able_names, "then": [], "never": never, "most": len(able_names), "pools": pool_facts}
    return Answer("casualties", text, facts, RULES)


def seen(pool: Shot) -> tuple[tuple[str, int], ...]:
    """Whom the firers of a pool see."""
    return pool.line.seen if isinstance(pool.line, OpenLine) else ()


__all__ = ["casualties"]
