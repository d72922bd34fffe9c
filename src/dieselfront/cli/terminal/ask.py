"""Questions in the terminal: the legal answers by number, and what people type instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.text import Text

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
    TypeDice,
    YesNo,
)
from dieselfront.referee import choices
from dieselfront.referee.choices import Unclear

MOST_NUMBERED = 40


class Menu:
    """The numbered answers to a decision, and how to read what was typed."""

    def __init__(self, decision: Decision, facing: Any = None) -> None:
        self.decision = decision
        self.facing = facing
        self.numbered: list[tuple[str, Answer]] = numbered(decision)

    def read(self, text: str) -> Answer:
        """The answer meant by a number or by words; Unclear if there is none."""
        text = text.strip()
        if isinstance(self.decision, TypeDice):
            return dice(self.decision, text)
        if isinstance(self.decision, Number):
            return self._checked(choices.read(self.decision, text))
        if text.isdigit():
            if not 1 <= int(text) <= len(self.numbered):
                raise Unclear(f"there is no answer number {text}")
            return self._checked(self.numbered[int(text) - 1][1])
        if isinstance(self.decision, PickSome) and _all_numbers(text):
            numbers = [int(word) for word in text.replace(",", " ").split()]
            if max(numbers) > len(self.numbered):
                raise Unclear(f"there is no answer number {max(numbers)}")
            picked = [self.numbered[number - 1][1] for number in numbers]
            return self._checked(tuple(part for one in picked for part in one))
        return self._checked(choices.read(self.decision, text, self.facing))

    def _checked(self, answer: Answer) -> Answer:
        try:
            return self.decision.check(answer)
        except IllegalChoice as error:
            raise Unclear(error.reason, error.rule) from None

    def shown(self, width: int) -> RenderableType:
        """The answers, as many columns as fit, and a hint how to type others."""
        lines = [Text(f"{number:>3} {label}") for number, (label, _) in enumerate(self.numbered, 1)]
        parts: list[RenderableType] = []
        if lines:
            widest = max(line.cell_len for line in lines)
            parts.append(
                Columns(lines, column_first=len(lines) > 3, equal=True, padding=(0, 2))
                if widest * 2 < width
                else Group(*lines)
            )
        parts += [Text(line, style="dim") for line in hints(self.decision)]
        return Group(*parts)


def numbered(decision: Decision) -> list[tuple[str, Answer]]:
    """What is offered by number: all options, or shortcuts where there are too many."""
    if isinstance(decision, YesNo):
        return [("yes", True), ("no", False)]
    if isinstance(decision, PickSome):
        return [(decision.label(option), (option,)) for option in decision.options[:MOST_NUMBERED]]
    if isinstance(decision, PickOne):
        return [(_label(decision, option), option) for option in useful_first(decision)[:MOST_NUMBERED]]
    if isinstance(decision, Assign):
        return shortcuts(decision)
    return []


def _label(decision: PickOne, option: Answer) -> str:
    label = decision.label(option)
    is_id = isinstance(option, str) and option != label and len(option) <= 4
    return f"{label} ({option})" if is_id else label


def shortcuts(decision: Assign) -> list[tuple[str, Answer]]:
    """Everything at one target, for every target; then holding fire."""
    keys: list[tuple[str, Answer]] = []
    aims: dict[Any, str] = {}
    for options in decision.choices:
        for option in options:
            if option is not None:
                aims.setdefault(_target(option), decision.label(option))
    for target, label in aims.items():
        try:
            answer = choices.read(decision, f"all at {target}" if isinstance(target, str) else {"all": label})
        except Unclear:
            continue
        count = sum(one is not None for one in answer)
        keys.append((f"{count} of {len(decision.items)} weapons at {label}", answer))
    nothing = tuple(None if None in options else options[0] for options in decision.choices)
    if all(None in options for options in decision.choices):
        keys.append(("hold fire", nothing))
    return keys


def useful_first(decision: PickOne) -> list[Answer]:
    """The options with those last that do nothing: the first number is never the careless choice."""
    return sorted(decision.options, key=lambda option: _is_idle(decision, option))


def _is_idle(decision: PickOne, option: Answer) -> bool:
    about = decision.meaning(option)
    return about.careless or about.act == "pass"


def _target(option: Answer) -> Any:
    return option[0] if isinstance(option, tuple) and option else option


def hints(decision: Decision) -> list[str]:
    """How else an answer may be typed."""
    if isinstance(decision, Place):
        spots = list(decision.spots)
        example = decision.label(spots[0]) if spots else "C4"
        turning = len(decision.facings(spots[0])) > 1 if spots else False
        return [f"type a square, such as {example}" + (f" or {example} N (its facing)" if turning else "")]
    if isinstance(decision, PlaceFree):
        return ["type a place or a way, such as 12in, 30in or 30cm, 75cm facing east"]
    if isinstance(decision, Assign):
        lines = ["or in words: " + _sentence(decision)]
        kinds: dict[str, list[str]] = {}
        for item, options in zip(decision.items, decision.choices, strict=True):
            targets = ", ".join(dict.fromkeys(str(_target(option)) for option in options if option is not None))
            kinds.setdefault(f"{decision.item(item)} → {targets}", []).append("")
        return lines + [f"    {len(same)} × {text}" if len(same) > 1 else f"    {text}" for text, same in kinds.items()]
    if isinstance(decision, TypeDice):
        letters = ", ".join(f"{face[0].lower()} = {face}" for face in decision.faces)
        return [
            f"type {decision.count_} faces ({letters})"
            if not decision.faces[0].isdigit()
            else f"type {decision.count_} numbers"
        ]
    if isinstance(decision, Number):
        return [f"type a number from {decision.least} to {decision.most}"]
    if isinstance(decision, PickSome):
        return [f"type {decision.least} to {decision.most} numbers, or none"]
    return []


def _sentence(decision: Assign) -> str:
    names = list(dict.fromkeys(decision.item(item).partition(" (")[0].lower() for item in decision.items))
    targets = [_target(option) for options in decision.choices for option in options if option is not None]
    target = targets[0] if targets else "b1"
    return f"{names[0]} at {target}, rest hold" if names else f"all at {target}"


def dice(decision: TypeDice, text: str) -> Answer:
    """Faces as people type them: first letters or whole names, with or without blanks."""
    words = text.replace(",", " ").split()
    if (
        len(words) == 1
        and len(words[0]) == decision.count_
        and all(len(face) == 1 or face[0] for face in decision.faces)
    ):
        words = list(words[0])
    faces: list[str] = []
    for word in words:
        fitting = [face for face in decision.faces if face.upper().startswith(word.upper())]
        faces.append(fitting[0] if len(fitting) == 1 else word)
    try:
        return decision.check(tuple(faces))
    except IllegalChoice as error:
        raise Unclear(error.reason, error.rule) from None


def spots_of(decision: Decision | None) -> dict[str, int | None]:
    """The squares a decision offers, for the board."""
    if not isinstance(decision, Place):
        return {}
    costs: Sequence[int] = tuple(decision.spots.values())
    plain = len(set(costs)) == 1 and (not costs or costs[0] == 0)
    return {decision.label(spot): None if plain else cost for spot, cost in decision.spots.items()}


def _all_numbers(text: str) -> bool:
    words = text.replace(",", " ").split()
    return bool(words) and all(word.isdigit() and int(word) >= 1 for word in words)
