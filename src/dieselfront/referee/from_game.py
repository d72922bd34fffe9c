"""Case files from running games: the position at the last quiet moment, and the choices and dice since.

The position stands in the file as what led to it (`played:` with header, choices and dice), which is exact in every
game and gives no seed away; the steps since then are written as in any referee file, each with a note in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import yaml

from dieselfront.dice.throw import Dice
from dieselfront.kernel.decisions import NOT_FORCED, Assign, Decision
from dieselfront.kernel.game import QUIET, Game, Play, Quiet
from dieselfront.kernel.record import Header
from dieselfront.referee.contract import adaptor_for
from dieselfront.referee.document import Entry, entry_of
from dieselfront.referee.errors import RefereeError
from dieselfront.referee.measured_words import show_spot

if TYPE_CHECKING:
    from dieselfront.kernel.ruleset import Ruleset

MOST_EVENTS = 30
PLAYED_KEYS = ("header", "choices", "dice")


class Step(NamedTuple):
    """One thing that a game asked: a decision with the answer it got, or dice with their faces."""

    decision: Decision | None
    answer: Any
    label: str
    faces: tuple[str, ...]
    choices: int
    """How many choices had been made before it, forced ones not counted."""
    quiet: bool
    """Was it the first after a moment with nothing under way?"""


class CannotTell(ValueError):
    """A game whose beginning is not known; the sentence says what is missing."""


def case_of(game: Game, why: str = "") -> dict[str, Any]:
    """A case file of the position at hand, as plain data: where it began, the choices and dice since, what came of it.

    What is expected is what happened, so that the case holds as it is; whoever thinks that this is wrong changes
    `expect` to what should have happened.
    """
    if game.header is None:
        raise CannotTell("the game was not begun from a header, so nobody can say how it came to this position.")
    steps = list(_steps(game))
    begin = _last_quiet(game, steps)
    names = game.rules.names(game.state)
    since = steps[begin:]
    view = game.rules.view(game.state)
    case: dict[str, Any] = {
        "ruleset": game.rules.id,
        "title": f"Turn {view.get('turn', 0)}: {since[0].label if since else 'the beginning'}",
        "text": f"{why or 'Written from a running game.'} Change expect to what should have happened. "
        f"In the end: {_on_the_table(game)}.",
        "played": {
            "header": msgspec.json.encode(_anonymous(game)).decode(),
            "choices": msgspec.json.encode([step.answer for step in steps[:begin] if _is_choice(step)]).decode(),
            "dice": [face for step in steps[:begin] for face in step.faces],
        },
        "do": [_written(game, step) for step in since if _is_choice(step)],
        "dice": [face for step in since for face in step.faces],
    }
    made = _events_before(game, since[0]) if since else len(game.events)
    happened = [event.sentence(names) for event in game.events[made:]]
    case["expect"] = {"sequence": _seen_again(case, happened)[:MOST_EVENTS]}
    return case


def _seen_again(case: dict[str, Any], happened: list[str]) -> list[str]:
    """What happened, as far as the file itself comes: it stops at the first choice that it does not make."""
    from dieselfront.referee.runner import prepare

    file_run = prepare(entry_of(case))
    file_run.carry_out()
    came = iter([line.text for line in file_run.events])
    return [sentence for sentence in happened if sentence and any(sentence == text for text in came)]


def case_text(game: Game, why: str = "") -> str:
    """The same as a YAML file."""
    text: str = yaml.safe_dump(case_of(game, why), sort_keys=False, allow_unicode=True, width=110)
    return text


def _anonymous(game: Game) -> Header:
    """The header without the promise of a seed and without the names of the players."""
    header: Header = game.header
    return msgspec.structs.replace(header, commitment="", salt="", seats=list(game.rules.sides))


def _on_the_table(game: Game) -> str:
    """Who stands where now, for readers."""
    squares = game.rules.table == "squares"
    places = {unit["id"]: unit.get("places") for unit in game.rules.view(game.state)["units"]}
    listed = []
    for unit in game.rules.field.units(game.state):
        where = unit.where
        if unit.on_table and unit.centre is not None:
            where = " ".join(places[unit.id]) if squares else show_spot(round(unit.centre[0]), round(unit.centre[1]))
        listed.append(f"{unit.id} {unit.name} ({game.rules.sides[unit.side]}, {unit.share:.0%} left): {where}")
    return "; ".join(listed)


def _is_choice(step: Step) -> bool:
    return step.decision is not None


def _written(game: Game, step: Step) -> dict[str, Any]:
    assert step.decision is not None
    answer = adaptor_for(game.rules.id).written(step.decision, step.answer)
    return {step.decision.key: answer, "note": step.label}


def _last_quiet(game: Game, steps: list[Step]) -> int:
    """The last quiet moment since which something was chosen and something happened; else the beginning."""
    last_choice = max((place for place, step in enumerate(steps) if _is_choice(step)), default=0)
    for place in range(last_choice, 0, -1):
        if steps[place].quiet and _events_before(game, steps[place]) < len(game.events):
            return place
    return 0


def _events_before(game: Game, step: Step) -> int:
    """How long the log was when the next choice after a step was made."""
    marks = game.marks
    return marks[step.choices] if step.choices < len(marks) else len(game.events)


def _steps(game: Game) -> Iterator[Step]:
    """Everything that the game asked so far, played again from its header."""
    play = Play(game.rules, game.rules.new_state(game.header))
    procedure = game.rules.resume(play)
    left = iter(game.choices)
    answer: Any = None
    made, quiet = 0, True
    while True:
        try:
            question = procedure.send(answer)
        except StopIteration:
            return
        if isinstance(question, Quiet):
            quiet = quiet or question is QUIET
            play.settle()
            answer = None
            continue
        if isinstance(question, Dice):
            faces = _rolled(game, question, play.state.dice_thrown, left)
            if faces is None:
                return
            play.state.dice_thrown += 1
            made += game.dice is None
            answer = faces
            yield Step(None, None, question.label, tuple(question.die.faces[face] for face in faces), made, quiet)
        else:
            answer = question.forced()
            if answer is NOT_FORCED:
                if made == len(game.choices):
                    return
                answer = next(left)
                yield Step(question, answer, _label(question, answer), (), made, quiet)
                made += 1
            else:
                continue
        quiet = False


def _rolled(game: Game, question: Dice, number: int, left: Iterator[Any]) -> tuple[int, ...] | None:
    """The faces that fell: from the game's own dice, or as people typed them in."""
    if game.dice is not None:
        return tuple(game.dice.roll(question, number))
    typed = next(left, None)
    return None if typed is None else tuple(question.die.face(name) for name in typed)


def _label(decision: Decision, answer: Any) -> str:
    """An answer in words, as far as they go."""
    if isinstance(decision, Assign):
        pairs = zip(decision.items, answer, strict=False)
        aimed = [f"{decision.item(item)}: {decision.label(aim)}" for item, aim in pairs if aim is not None]
        return "; ".join(aimed) or "nothing"
    if decision.shape == "place":
        return decision.named(answer[0])
    return decision.named(answer)


# -- the other way round --------------------------------------------------------------------------------


def played_state(rules: Ruleset[Any], entry: Entry) -> Any:
    """The position that `played:` leads to: the quiet moment after its choices and dice."""
    pairs = entry.table(PLAYED_KEYS)
    for key in ("header", "choices"):
        if key not in pairs:
            raise entry.wrong(f"'{key}' is missing; a game that was played has a header, choices and dice")
    try:
        header = msgspec.json.decode(pairs["header"].text(), type=Header)
        choices = msgspec.json.decode(pairs["choices"].text(), type=list[Any])
    except msgspec.DecodeError as error:
        raise entry.wrong(f"the game that was played cannot be read: {error}") from None
    if header.ruleset != rules.id:
        raise entry.wrong(f"the game that was played is {header.ruleset}, not {rules.id}")
    faces = [one.text() for one in pairs["dice"].entries()] if "dice" in pairs else []
    try:
        return _played_on(rules, rules.new_state(header), list(choices), faces)
    except RefereeError:
        raise
    except Exception as error:  # whatever a forged header or choice leads to
        raise entry.wrong(f"the game that was played cannot be played again: {error}") from None


def _played_on(rules: Ruleset[Any], state: Any, choices: list[Any], faces: list[str]) -> Any:
    play = Play(rules, state)
    procedure = rules.resume(play)
    answer: Any = None
    while True:
        question = procedure.send(answer)
        answer = None
        if isinstance(question, Quiet):
            play.settle()
            if question is QUIET and not choices and not faces:
                return play.state.clone()
        elif isinstance(question, Dice):
            answer = tuple(question.die.face(name) for name in faces[: question.count])
            del faces[: question.count]
            play.state.dice_thrown += 1
        else:
            answer = question.forced()
            if answer is NOT_FORCED:
                answer = question.check(choices.pop(0))


__all__ = ["CannotTell", "case_of", "case_text", "played_state"]
