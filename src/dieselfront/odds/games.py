"""What the odds of a ruleset are made of: one adapter for every family of rules, registered by ruleset.

The command line and the matrix ask an adapter and know no rules: what a situation can hold, what an attack between two
cards comes to, and which other situations are worth a line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import msgspec

from dieselfront.odds.result import AttackOdds
from dieselfront.odds.situation import OddsError, Situation


class Cell(NamedTuple):
    """One attack: losses to be expected, the chance to kill, and army points destroyed per army point spent."""

    expected: float
    destroyed: float
    worth: float
    plain: bool  # do dice and saves tell everything, or do skills change what becomes of hits

    def to_json(self) -> dict[str, Any]:
        """The cell as plain data."""
        return self._asdict()


class Adapter(Protocol):
    """What command line and matrix ask of a ruleset's odds."""

    def situation(self, given: Mapping[str, Any]) -> Any:
        """The situation of the options that were given; what means nothing in this game is refused."""

    def attack(self, rules: Any, attacker: Any, target: Any, situation: Any) -> AttackOdds:
        """The odds of one card attacking another."""

    def what_ifs(self, found: AttackOdds) -> list[tuple[str, Any]]:
        """Situations with one thing changed, each with its name."""

    def weapons(self, card: Any) -> list[str]:
        """The names of a card's weapons."""

    def cells(self, rules: Any, situation: Any) -> Callable[[Any, str, Any], Cell | None]:
        """How to work out a cell of a matrix from a card, one of its weapons or '' for all, and a target."""


FLAGS = {  # options of the command line that are not called like the fields of a situation
    "attacker_with": "--with",
    "target_with": "--target-with",
    "target_left": "--left",
    "target_tokens": "--token",
    "attacker_tokens": "--attacker-token",
    "weapons": "--weapon",
    "modes": "--mode",
    "skills": "--use",
    "shoot": "--no-shoot",
    "retaliate": "--no-retaliation",
    "order": "--advance",
    "others": "--also",
    "aims": "--aim",
}


def _read(kind: Any, given: Mapping[str, Any], game: str) -> Any:
    """The options as a situation of this kind."""
    for name in given:
        if name not in kind.__struct_fields__:
            flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
            raise OddsError(f"{flag} means nothing in {game}")
    try:
        return kind(**given)
    except (TypeError, msgspec.ValidationError) as error:
        raise OddsError(str(error)) from None


class DustOdds:
    """The Dust games."""

    name = "the Dust games"

    def situation(self, given: Mapping[str, Any]) -> Situation:
        """Cover is cover, whatever it is made of."""
        fields = dict(given)
        if fields.get("cover"):
            fields["cover"] = True
        close = fields.get("casualties", "cheapest")
        if close not in ("cheapest", "leader", "hero"):
            raise OddsError(f"--casualties is cheapest or leader or hero, not '{close}'")
        found: Situation = _read(Situation, fields, self.name)
        return found

    def attack(self, rules: Any, attacker: Any, target: Any, situation: Situation) -> AttackOdds:
        """The odds of one card attacking another."""
        from dieselfront.odds import dust

        return dust.attack(rules, attacker, target, situation)

    def what_ifs(self, found: AttackOdds) -> list[tuple[str, Situation]]:
        """Cover, a sustained attack, higher ground, one more turn."""
        situation: Situation = found.situation
        return [
            ("target in the open" if situation.cover else "target in cover", situation.but(cover=not situation.cover)),
            ("not sustained" if situation.sustained else "sustained", situation.but(sustained=not situation.sustained)),
            ("from one level higher", situation.but(height=situation.height + 1)),
            ("after one more turn", situation.but(turns=situation.turns + 1)),
            *(self._choice(situation, skill) for skill in found.choices),
        ]

    def _choice(self, situation: Situation, skill: str) -> tuple[str, Situation]:
        """A skill that was kept is used, or the other way round."""
        kept = tuple(name for name in situation.skills if name.lower() != skill.lower())
        if len(kept) < len(situation.skills):
            return f"keeping {skill}", situation.but(skills=kept)
        return f"using {skill}", situation.but(skills=(*kept, skill))

    def weapons(self, card: Any) -> list[str]:
        """The names of a card's weapons."""
        return list(dict.fromkeys(weapon.name for weapon in card.weapons))

    def cells(self, rules: Any, situation: Situation) -> Callable[[Any, str, Any], Cell | None]:
        """Cells from the plans alone."""
        from dieselfront.odds import dust, exact

        def cell(card: Any, weapon: str, target: Any) -> Cell | None:
            asked = situation.but(weapons=(weapon,)) if weapon else situation
            try:
                pools = dust.plans(rules, card, target, asked)
            except OddsError:
                return None
            if not pools:
                return None
            losses = exact.losses_of([pool.plan for pool in pools])
            expected = sum(number * chance for number, chance in enumerate(losses))
            share = expected / (len(losses) - 1)
            worth = share * target.points / card.points if card.points else 0.0
            return Cell(expected, losses[-1], worth, all(dust.tells_all(pool) for pool in pools))

        return cell


class KonfliktOdds:
    """Konflikt '47."""

    name = "Konflikt '47"

    def situation(self, given: Mapping[str, Any]) -> Any:
        """Plain cover is soft cover."""
        from dieselfront.odds.konflikt_range import KonfliktSituation

        fields = dict(given)
        if fields.get("cover") is True:
            fields["cover"] = "soft"
        fields = {name: value for name, value in fields.items() if (name, value) != ("close", False)}
        return _read(KonfliktSituation, fields, self.name)

    def attack(self, rules: Any, attacker: Any, target: Any, situation: Any) -> AttackOdds:
        """The odds of one card shooting at another, or assaulting it."""
        from dieselfront.odds import konflikt

        return konflikt.attack(rules, attacker, target, situation)

    def what_ifs(self, found: AttackOdds) -> list[tuple[str, Any]]:
        """Cover, movement, range, facing, going Down, one more turn; in an assault a reaction, one more round."""
        now = found.situation
        if now.close:
            return [
                ("without a reaction" if now.reaction else "after stand and fire", now.but(reaction=not now.reaction)),
                ("target with one more pin", now.but(pins=now.pins + 1)),
                ("one more round", now.but(rounds=now.rounds + 1)),
            ]
        far = now.range or 0
        lines = [
            ("target in soft cover", now.but(cover="soft")),
            ("target in hard cover", now.but(cover="hard")),
            ("target in the open", now.but(cover="none")),
            ("standing still", now.but(order="fire")),
            ("moving", now.but(order="advance")),
            ("twice as far", now.but(range=min(2 * far, 96))),
            ("from half as far", now.but(range=max(1, far // 2))),
        ]
        if found.target_odds.squad:
            lines.append(("target Down", now.but(target_tokens=("down",))))
        else:
            lines += [("at its side", now.but(facing="side")), ("at its rear", now.but(facing="rear"))]
        lines.append(("after one more turn", now.but(turns=now.turns + 1)))
        return [(name, other) for name, other in lines if other != now]

    def weapons(self, card: Any) -> list[str]:
        """The names of the weapons that the plainest build of a card carries."""
        from dieselfront.odds.konflikt_range import taken

        return list(dict.fromkeys(weapon.name for weapon in taken(card, "").weapons if weapon.shoots))

    def cells(self, rules: Any, situation: Any) -> Callable[[Any, str, Any], Cell | None]:
        """Cells with everything that follows from the dice; what was worked out for a target is kept."""
        from dieselfront.odds.konflikt_cells import Cells

        return Cells(rules, situation).cell


ADAPTERS: dict[str, Adapter] = {
    "dust1947": DustOdds(),
    "freeform1947": DustOdds(),
    "konflikt47": KonfliktOdds(),
}
"""The odds of every ruleset whose cards can be set against each other."""


def adapter(ruleset: str) -> Adapter:
    """The odds of a ruleset."""
    found = ADAPTERS.get(ruleset)
    if found is None:
        raise OddsError(f"odds between cards are told for {', '.join(ADAPTERS)}, not for {ruleset}")
    return found
