"""Choices in words: what people write for an answer, read for each of the few shapes of decisions.

"a1", "move + attack", "C5 facing N", "all at b1", "2 rifles at b1, bazooka at b2", "yes", "rifleman": the referee's
files and the terminal share this page. Raw answers, as records hold them, are read too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dieselfront.kernel.decisions import (
    Answer,
    Assign,
    Decision,
    IllegalChoice,
    Number,
    PickOne,
    PickSome,
    Place,
    PlaceFree,
    YesNo,
    plain,
    say,
)
from dieselfront.referee import measured_words
from dieselfront.referee.facings import quarter

NOBODY = ("none", "no", "nobody", "nothing", "hold", "hold fire", "-")
EVERYTHING = ("all", "everything", "every weapon")
THE_REST = ("rest", "the rest", "others", "the others")
FIRST = "first"
MOST_SHOWN = 12
SHORTEST = 3
"""Fewer letters than these never stand for a longer word."""

_COUNT = re.compile(r"^(\d+)\s*(?:x|×)?\s+(.+)$")
_AT = re.compile(r"^(?P<what>.+?)\s+(?:at|on|->|→)\s+(?P<whom>.+)$")
_HOLDS = re.compile(r"^(?P<what>.+?)\s+holds?(?:\s+fire)?$", re.IGNORECASE)
_VIA = re.compile(r"^(?P<end>.+?)[\s,]+(?:via|by way of|over)\s+(?P<way>.+)$", re.IGNORECASE)
_FACING = re.compile(
    r"^(?P<spot>.+?)[\s,]+(?:facing\s+(?P<facing>\S.*)|(?P<quarter>n|e|s|w|north|east|south|west))$", re.IGNORECASE
)


class Unclear(ValueError):
    """Words that fit no legal answer, or more than one; the sentence says what would be understood."""

    def __init__(self, message: str, rule: str | None = None) -> None:
        super().__init__(message)
        self.rule = rule


class Unreadable(Unclear):
    """Words that are no answer of this shape at all, or that may mean several: no rule has anything to say to them."""


def read(decision: Decision, wanted: Any, facing: Any = None) -> Answer:
    """The answer that was meant; `facing` is kept where the words name none."""
    if wanted == FIRST:
        return next(iter(decision.answers()))
    try:
        return _read(decision, wanted, facing)
    except IllegalChoice as error:
        raise Unclear(error.reason, error.rule) from None


def _read(decision: Decision, wanted: Any, facing: Any) -> Answer:
    if isinstance(decision, PickSome):
        return _some(decision, wanted)
    if isinstance(decision, PickOne):
        return _one(decision, decision.options, wanted)
    if isinstance(decision, YesNo):
        return decision.check(wanted)
    if isinstance(decision, Number):
        return decision.check(_number(wanted))
    if isinstance(decision, Place):
        return _spot(decision, wanted, facing)
    if isinstance(decision, Assign):
        return _aims(decision, wanted)
    if isinstance(decision, PlaceFree):
        return decision.check(_points(decision, wanted))
    return decision.check(wanted)


# -- one or some of the options -------------------------------------------------------------------


def _one(decision: Decision, options: Sequence[Answer], wanted: Any) -> Answer:
    raw = plain(wanted)
    if raw in options and not isinstance(raw, bool):
        return raw
    if isinstance(raw, int) and not isinstance(raw, bool) and _is_legal(decision, raw):
        return raw  # though not among those offered
    if not isinstance(wanted, str | int) or isinstance(wanted, bool):
        wanted = say(raw)
    text = simple(str(wanted))
    if None in options and text in NOBODY:
        return None
    fitting = _plainest(decision, _fitting(decision, options, text))
    exact = any(text in _spoken(decision, option) for option in fitting)
    if not exact and (refusal := _known_refusal(decision, str(wanted), text)) is not None:
        raise refusal  # what was written is refused; something like it is not what was meant
    if len(fitting) == 1:
        return fitting[0]
    if len(fitting) > 1:
        raise Unreadable(f"'{wanted}' may mean {_listed(decision, fitting)}")
    raise _refused(decision, options, str(wanted), text)


def _is_legal(decision: Decision, answer: Answer) -> bool:
    try:
        decision.check(answer)
    except IllegalChoice:
        return False
    return True


def _spoken(decision: Decision, option: Answer) -> list[str]:
    """What an option is called: its answer and its label."""
    return [simple(say(option)), simple(decision.label(option))]


def _fitting(decision: Decision, options: Sequence[Answer], text: str) -> list[Answer]:
    """Options called exactly so; else those whose words begin so; else those that hold the words.

    A word joined to another by a dash is not held: "attack" does not mean "close-attack". What consists of several
    parts ("move + attack") is meant only where as many parts are written.
    """
    exact = [option for option in options if text in _spoken(decision, option)]
    if exact:
        return exact
    called = [(option, _in_words(decision, option)) for option in options]
    written = [re.escape(words).replace(r"\ ", "[ -]") for words in text.split(" + ")]
    longest = min(len(words) for words in text.split(" + ")) >= SHORTEST
    for before, after in (("^", "[ ,]"), ("(^| )", "( |$)"), *([("(^| )", "")] if longest else ())):
        patterns = [re.compile(f"{before}{words}{after}") for words in written]
        fitting = [option for option, names in called if any(_same_parts(name, patterns) for name in names)]
        if fitting:
            return fitting
    return []


def _in_words(decision: Decision, option: Answer) -> list[list[str]]:
    """The parts of an option's names for a look inside them; what is joined by a dash is one word."""
    names = [decision.label(option)] if isinstance(option, tuple) else [say(option), decision.label(option)]
    return [re.split(r" \+ |, then ", re.sub(r"[_:\s]+", " ", name.lower()).strip()) for name in names]


def _same_parts(name: list[str], patterns: list[re.Pattern[str]]) -> bool:
    return len(name) == len(patterns) and all(
        pattern.search(part) for part, pattern in zip(name, patterns, strict=True)
    )


def _plainest(decision: Decision, fitting: list[Answer]) -> list[Answer]:
    """Where all others are the same with something more, the plain one is meant."""
    if len(fitting) > 1:
        shortest = min(fitting, key=lambda option: len(decision.label(option)))
        if all(
            decision.label(option).startswith(decision.label(shortest) + ",")
            for option in fitting
            if option != shortest
        ):
            return [shortest]
    return fitting


def _refused(decision: Decision, options: Sequence[Answer], wanted: str, text: str) -> Unclear:
    """Why not: the rule's own reason if the decision knows it, else what would be legal."""
    known = _known_refusal(decision, wanted, text)
    if known is not None:
        return known
    return Unclear(f"'{wanted}' is not among the legal answers: {_listed(decision, options)}", decision.rule or None)


def _known_refusal(decision: Decision, wanted: str, text: str) -> Unclear | None:
    """The rule's own reason against an answer, if the decision knows it."""
    for answer, (rule, reason) in (decision.refusals() if decision.refusals else {}).items():
        if text in (*_spoken(decision, answer), simple(" + ".join(_parts(answer)))):
            return Unclear(f"'{wanted}' is not legal: {reason}", rule)
    return None


def _parts(answer: Answer) -> list[str]:
    return [say(part) for part in answer] if isinstance(answer, tuple) else [say(answer)]


def _some(decision: PickSome, wanted: Any) -> Answer:
    if isinstance(wanted, str):
        text = simple(wanted)
        if text in NOBODY:
            return decision.check(())
        if text in EVERYTHING:
            return decision.check(tuple(decision.options))
        wanted = [part for part in re.split(r"\s*,\s*", wanted) if part]
    if not isinstance(wanted, list | tuple):
        wanted = [wanted]
    return decision.check(tuple(_one(decision, decision.options, part) for part in wanted))


def _number(wanted: Any) -> Any:
    if isinstance(wanted, str) and wanted.strip().lstrip("-").isdigit():
        return int(wanted)
    return wanted


# -- a spot and a facing ----------------------------------------------------------------------------


def _spot(decision: Place, wanted: Any, facing: Any) -> Answer:
    """A spot, a facing where one matters, and the way there if the words name one."""
    wanted, way_words = _way_words(wanted)
    answer = _spot_and_facing(decision, wanted, facing)
    if way_words is None:
        return answer
    return decision.check((*answer, _way(decision, way_words, answer[0])))


def _way_words(wanted: Any) -> tuple[Any, Any]:
    """ "D5 facing N via C3, C4" as the end and the way; a mapping has `way`, a raw answer its third part."""
    if isinstance(wanted, Mapping) and "way" in wanted:
        return {key: value for key, value in wanted.items() if key != "way"}, wanted["way"]
    if isinstance(wanted, list | tuple) and len(wanted) == 3:
        return wanted[:2], wanted[2]
    if isinstance(wanted, str):
        match = _VIA.match(wanted.strip())
        if match:
            return match["end"], match["way"]
    return wanted, None


def _way(decision: Place, wanted: Any, end: Answer) -> Answer:
    """Every square entered, by number or name; the last one need not be named again."""
    if isinstance(wanted, str):
        wanted = [word for word in re.split(r"[\s,;]+|->|→", wanted) if word]
    if not isinstance(wanted, list | tuple) or decision.spot_named is None:
        raise Unclear("expected the way as squares, for instance 'D5 via C3, C4'", decision.rule or None)
    try:
        squares = [decision.spot_named(square) if isinstance(square, str) else plain(square) for square in wanted]
    except ValueError as error:
        raise Unclear(str(error), decision.rule or None) from None
    return tuple(squares if squares[-1:] == [end] else [*squares, end])


def _spot_and_facing(decision: Place, wanted: Any, facing: Any) -> Answer:
    spot_words, facing_words = _spot_words(wanted)
    spot = _which_spot(decision, spot_words)
    legal = decision.facings(spot)
    if facing_words is not None:
        turned = _facing(facing_words)
        if turned not in legal:
            if tuple(legal) == (None,):
                return (spot, None)  # its facing does not matter
            raise Unclear(f"facing {facing_words} is not possible at {decision.label(spot)}", decision.rule or None)
        return (spot, turned)
    if len(legal) > 1 and facing in legal:
        return (spot, facing)
    return (spot, legal[0])


def _spot_words(wanted: Any) -> tuple[Any, Any]:
    if isinstance(wanted, Mapping):
        strangers = [key for key in wanted if key not in ("to", "facing")]
        if strangers:
            raise Unreadable(f"unknown key '{strangers[0]}'; a place is given by to, facing and way")
        return wanted.get("to"), wanted.get("facing")
    if isinstance(wanted, list | tuple):
        if len(wanted) != 2:
            raise Unreadable("expected a square and a facing")
        return wanted[0], wanted[1]
    if isinstance(wanted, str):
        match = _FACING.match(wanted.strip())
        if match:
            return match["spot"], match["facing"] or match["quarter"]
    return wanted, None


def _which_spot(decision: Place, wanted: Any) -> Answer:
    if not isinstance(wanted, bool) and plain(wanted) in decision.spots:
        return plain(wanted)
    text = simple(str(wanted))
    for spot in decision.spots:
        if simple(decision.label(spot)) == text:
            return spot
    if decision.refusals is not None:
        for spot, (rule, reason) in decision.refusals().items():
            if simple(decision.label(spot)) == text:
                raise Unclear(f"{wanted} is not legal: {reason}", rule)
    shown = [decision.label(spot) for spot in decision.spots]
    raise Unclear(f"{wanted} is not among the legal squares: {_short(shown)}", decision.rule or None)


def _facing(wanted: Any) -> Any:
    try:
        return quarter(wanted)
    except measured_words.NotUnderstood as error:
        raise Unreadable(str(error)) from None


def _points(decision: PlaceFree, wanted: Any) -> Any:
    """Points of an open table."""
    try:
        return measured_words.points(decision, wanted)
    except measured_words.NotUnderstood as error:
        raise Unreadable(str(error)) from None


# -- weapons to targets -----------------------------------------------------------------------------


def _aims(decision: Assign, wanted: Any) -> Answer:
    """Every item with its option: raw, item by item, by name, or in a sentence."""
    if isinstance(wanted, str):
        return _settled(decision, _clauses(wanted))
    if isinstance(wanted, Mapping):
        return _settled(decision, [(str(what), whom) for what, whom in wanted.items()])
    if isinstance(wanted, list | tuple):
        return _listed_aims(decision, list(wanted))
    raise Unreadable(f"expected for instance 'all at b1' or a list of {len(decision.items)} targets, not {wanted!r}")


def aims_written(wanted: Any) -> list[tuple[str, Any]]:
    """What is aimed at whom, as it is written, whether that is legal or not."""
    if isinstance(wanted, str):
        return _clauses(wanted)
    if isinstance(wanted, Mapping):
        return [(str(what), whom) for what, whom in wanted.items()]
    return [pair for one in wanted if isinstance(one, str) for pair in _clauses(one)]


def items_called(decision: Assign, what: str) -> list[int]:
    """The items that words mean, all of them for "all"."""
    if simple(what) in (*EVERYTHING, *THE_REST):
        return list(range(len(decision.items)))
    match = _COUNT.match(what.strip())
    return _called_so(decision, simple(match[2] if match else what))


def _listed_aims(decision: Assign, wanted: list[Any]) -> Answer:
    """One target per item, or clauses such as "bazooka at b2"."""
    if wanted and all(isinstance(one, str) and _AT.match(one) for one in wanted):
        return _settled(decision, [pair for one in wanted for pair in _clauses(one)])
    if len(wanted) != len(decision.items):
        raise Unclear(f"expected {len(decision.items)} targets, one per weapon, not {len(wanted)}")
    answer = []
    for item, options, one in zip(decision.items, decision.choices, wanted, strict=True):
        answer.append(_aim(decision, options, one, decision.item(item)))
    return decision.check(tuple(answer))


def _clauses(text: str) -> list[tuple[str, Any]]:
    """ "2 rifles at b1, rest at b2" → pairs of what and whom; a target alone means everything."""
    clauses: list[tuple[str, Any]] = []
    for clause in re.split(r"\s*[,;]\s*|\s+and\s+", text.strip()):
        match = _AT.match(clause)
        holding = _HOLDS.match(clause)
        if holding:
            clauses.append((holding["what"], NOBODY[0]))
        elif match:
            clauses.append((match["what"], match["whom"]))
        elif clause:
            clauses.append(("all", clause))
    return clauses


def _settled(decision: Assign, clauses: Iterable[tuple[str, Any]]) -> Answer:
    """Apply clauses in order; "all" and "the rest" take what nobody named and skip what cannot be."""
    answer: list[Answer] = [None] * len(decision.items)
    for options, place in zip(decision.choices, range(len(answer)), strict=True):
        if None not in options:
            answer[place] = options[0]
    named: set[int] = set()
    loose: list[Any] = []
    for what, whom in clauses:
        if simple(what) in (*EVERYTHING, *THE_REST):
            loose.append(whom)
            continue
        for place in _which_items(decision, what, named):
            answer[place] = _aim(decision, decision.choices[place], whom, decision.item(decision.items[place]))
            named.add(place)
    for whom in loose:
        _aim_the_rest(decision, answer, named, whom)
    return decision.check(tuple(answer))


def _which_items(decision: Assign, what: str, named: set[int]) -> list[int]:
    """The items meant by "bazooka", "2 rifles", "rifles": by the weapon's name, else by whoever carries it."""
    match = _COUNT.match(what.strip())
    count, text = (int(match[1]), match[2]) if match else (0, what)
    fitting = _called_so(decision, simple(text))
    if not fitting:
        shown = list(dict.fromkeys(decision.item(item) for item in decision.items))
        raise Unclear(f"no weapon here is called '{text}'; there are {_short(shown)}")
    free = [place for place in fitting if place not in named]
    if count > len(free):
        raise Unclear(f"there are only {len(free)} of '{text}' left to aim, not {count}")
    return free[:count] if count else free


def _called_so(decision: Assign, words: str) -> list[int]:
    """The items of one name: the first of several readings that fits any; weapons come before those who carry them."""
    singular = words.removesuffix("s")
    labels = [simple(decision.item(item)) for item in decision.items]
    weapons = [label.partition(" (")[0] for label in labels]
    readings: tuple[Callable[[str], bool], ...] = (
        lambda name: name in (words, singular),
        lambda name: any(f" {word} " in f" {name} " for word in (words, singular)),
        lambda name: any(word in name for word in (words, singular)),
    )
    for names in (weapons, labels):
        for reads in readings:
            fitting = [place for place, name in enumerate(names) if reads(name)]
            if fitting:
                return fitting
    return []


def _aim_the_rest(decision: Assign, answer: list[Answer], named: set[int], whom: Any) -> None:
    """Every unnamed item that can take the option takes it, as far as they go together."""
    seconds = {one for one, _ in decision.conflicts}
    order = sorted((place for place in range(len(answer)) if place not in named), key=lambda p: (p in seconds, p))
    if simple(str(whom)) in NOBODY:
        return
    taken = 0
    for place in order:
        try:
            option = _aim(decision, decision.choices[place], whom, decision.item(decision.items[place]))
        except Unclear:
            continue
        before, answer[place] = answer[place], option
        if decision.objection(tuple(answer)) is not None:
            answer[place] = before
        else:
            taken += 1
    if not taken:
        options = dict.fromkeys(option for options in decision.choices for option in options if option is not None)
        raise Unclear(
            f"nothing can be aimed at '{say(plain(whom))}'; possible targets are {_listed(decision, list(options))}"
        )


def _aim(decision: Assign, options: Sequence[Answer], wanted: Any, item: str) -> Answer:
    """The option of one item that was meant: raw, a unit's id or name, a square, with a mode behind it."""
    raw = plain(wanted)
    if raw in options:
        return raw
    text = simple(say(raw))
    if None in options and text in NOBODY:
        return None
    for option in options:
        if option is not None and text in _calls(decision, option):
            return option
    alike = [option for option in options if option is not None and _is_loosely(decision, option, text)]
    if len(alike) == 1:
        return alike[0]
    legal = [option for option in options if option is not None]
    raise Unclear(
        f"{item} cannot be aimed at '{decision.named(raw)}'; it can be aimed at {_listed(decision, legal)}",
        decision.rule or None,
    )


def _calls(decision: Assign, option: Answer) -> set[str]:
    """What an aim may be called: the id or name of its target, then its mode."""
    label = simple(decision.label(option))
    calls = {label, simple(say(option)), re.sub(r"[(),]", "", label).strip()}
    if isinstance(option, tuple) and option:
        modes = [say(part) for part in option[1:] if part not in ("", None)]
        calls.add(simple(" ".join([say(option[0]), *modes])))
        if not modes:
            calls.add(simple(say(option[0])))
        else:  # "b1 at Frank", with the id instead of the name
            _, word, detail = label.partition(f" ({simple(say(option[1]))} ")
            calls.add(re.sub(r"[(),]", "", f"{simple(say(option[0]))} {word.lstrip(' (')}{detail}").strip())
    return calls


def _is_loosely(decision: Assign, option: Answer, text: str) -> bool:
    """Is this aim meant by words with squares in another order, or a soldier without his role?"""
    name, _, detail = simple(decision.label(option)).partition(" (")
    names = {name, simple(say(option[0]))} if isinstance(option, tuple) and option else {name}
    meant = [_details(detail), _details(detail.partition(" with ")[0])]  # a soldier with or without what he carries
    return any(text.startswith(f"{one} ") and _details(text[len(one) :]) in meant for one in names)


def _details(text: str) -> list[str]:
    """The words behind a target in one order, without roles in brackets."""
    return sorted(re.sub(r"[(),]", " ", re.sub(r"\s\([^()]*\)", "", text.strip().removeprefix("("))).split())


# -- words ----------------------------------------------------------------------------------------


def simple(text: str) -> str:
    """Words without capitals, dashes and double blanks, so that people need not be exact."""
    lowered = re.sub(r"[_:-]", " ", text.lower()).strip()
    return re.sub(r"\s*(?:\+|, then)\s+", " + ", re.sub(r"\s*\+\s*", " + ", re.sub(r"\s+", " ", lowered)))


def _listed(decision: Decision, options: Sequence[Answer]) -> str:
    return _short([decision.label(option) for option in options])


def _short(shown: Sequence[str]) -> str:
    if not shown:
        return "nothing"
    more = f" and {len(shown) - MOST_SHOWN} more" if len(shown) > MOST_SHOWN else ""
    return ", ".join(shown[:MOST_SHOWN]) + more


__all__ = ["Unclear", "Unreadable", "read", "simple"]
