"""What is lopsided: how starter armies and scenarios stand between equal players, in figures and in words.

The figures of a game are in `balance.json` of its folder, as `dieselfront lab balance --output` writes them;
docs/balance.md shows them all. Only what is lopsided gets words: its whole interval lies outside of 45 to 55 %. The web
app and the command line show these words and make none of their own.

>>> from dieselfront.scenarios import balance
>>> balance.army_note("dust1947", "dust1947-ssu").short
'strong'
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import msgspec

from dieselfront import rulesets
from dieselfront.forces.armies import starter_armies
from dieselfront.scenarios.library import ScenarioProblem

FILE = "balance.json"
LOPSIDED = "lopsided"
STRONG, WEAK = "strong", "weak"


class Share(msgspec.Struct, frozen=True):
    """How often something won; `share`, `low` and `high` (95 %) are of decided games. See lab.balance.Share."""

    name: str
    games: int
    won: int
    drawn: int
    share: float
    low: float
    high: float
    verdict: str

    @property
    def is_lopsided(self) -> bool:
        return self.verdict == LOPSIDED

    @property
    def wins(self) -> bool:
        """Does it win more often than not?"""
        return self.share > 0.5

    def is_above(self, other: Share) -> bool:
        """Do the games prove that it wins more often than the other? Their intervals lie apart."""
        return self.low > other.high


class Measured(msgspec.Struct, frozen=True):
    """The measurement of a game: what is shown of lab.balance.Report. Shares of scenarios are the first side's."""

    ruleset: str
    version: str
    player: str
    seed: str
    games: int
    scenarios: tuple[Share, ...]
    first_player: Share
    armies: tuple[Share, ...]
    digest: str


class Note(msgspec.Struct, frozen=True):
    """What players should know before they choose something lopsided."""

    short: str
    """A word or two: strong, weak, favours red."""
    text: str
    """The figures and what they mean, in a sentence."""
    side: int | None = None
    """Of a scenario: the side it favours."""


class Pairing(msgspec.Struct, frozen=True):
    """Two starter armies that are no even match, and why."""

    armies: tuple[str, str]
    text: str


@cache
def measured(ruleset: str) -> Measured | None:
    """The measurement that is kept with a game; none for a game that nobody has measured."""
    folder = rulesets.folders().get(ruleset)
    if folder is None or not (folder / FILE).is_file():
        return None
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Measured)
    except msgspec.DecodeError as error:
        raise ScenarioProblem(f"{ruleset}/{FILE}: {error}.") from None


# -- words ------------------------------------------------------------------------------------------


def army_note(ruleset: str, army: str) -> Note | None:
    """What to know of a starter army, if it is lopsided."""
    known = _armies(ruleset)
    share = known.get(army)
    if share is None or not share.is_lopsided:
        return None
    short = STRONG if share.wins else WEAK
    return Note(short, f"Won {_figures(share)}: {short} {_compared(army, share.wins, tuple(known))}.")


def scenario_note(ruleset: str, scenario: str) -> Note | None:
    """What to know of a scenario, if it favours a side."""
    known = measured(ruleset)
    share = next((one for one in known.scenarios if one.name == scenario), None) if known else None
    if share is None or not share.is_lopsided:
        return None
    sides = rulesets.load(ruleset).sides
    favoured = 0 if share.wins else 1
    short = f"favours {sides[favoured]}"
    return Note(short, f"{sides[0].capitalize()} won {_figures(share)}: {short}.", favoured)


def pairings(ruleset: str) -> list[Pairing]:
    """Every two starter armies that are no even match: one is lopsided, and proven to win more or less often."""
    notes = [(pair, _uneven(ruleset, *pair)) for pair in combinations(_armies(ruleset), 2)]
    return [Pairing(pair, text) for pair, text in notes if text]


def pairing_note(ruleset: str, one: str, other: str) -> str:
    """Why two armies are no even match; empty if they may be one."""
    return next((pair.text for pair in pairings(ruleset) if set(pair.armies) == {one, other}), "")


def _uneven(ruleset: str, one: str, other: str) -> str:
    known = _armies(ruleset)
    strong, weak = sorted((known[one], known[other]), key=lambda share: -share.share)
    if not strong.is_above(weak) or not (strong.is_lopsided or weak.is_lopsided):
        return ""
    names = {id: army.name for id, army in starter_armies().items()}
    better, worse = names.get(strong.name, strong.name), names.get(weak.name, weak.name)
    games = "decided games" if strong.drawn or weak.drawn else "games"
    return (
        f"An uneven match: between equal players, {better} won {_percent(strong.share)} of its {games}, "
        f"{worse} {_percent(weak.share)}. The more experienced player might take {worse}."
    )


def _armies(ruleset: str) -> dict[str, Share]:
    known = measured(ruleset)
    return {share.name: share for share in known.armies} if known else {}


def _compared(army: str, wins: bool, field: tuple[str, ...]) -> str:
    """With what: points tell nothing of a larger army that beats smaller ones, or of a smaller one that loses."""
    limits = {name: listed.points for name, listed in starter_armies().items() if name in field}
    own = limits.get(army, 0)
    if wins and min(limits.values(), default=own) < own:
        return "among the starter armies, some of which are smaller"
    if not wins and max(limits.values(), default=own) > own:
        return "among the starter armies, some of which are larger"
    return "for its points"


def _figures(share: Share) -> str:
    games = f"{share.games - share.drawn} {'decided games' if share.drawn else 'games'}"
    interval = f"{_percent(share.low).removesuffix(' %')}–{_percent(share.high)}"
    return f"{_percent(share.share)} of {games} between equal players ({interval})"


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


__all__ = ["Measured", "Note", "Pairing", "Share", "army_note", "measured", "pairing_note", "pairings", "scenario_note"]
