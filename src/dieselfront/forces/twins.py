"""Names that tell units apart: two units of one name are numbered, on the board, in the report and in prompts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def told_apart(names: Sequence[str]) -> list[str]:
    """The names in their order; those that stand on the table more than once bear a number, from 1 up."""
    many = Counter(names)
    taken = set(names)
    seen: Counter[str] = Counter()
    apart = []
    for name in names:
        if many[name] == 1:
            apart.append(name)
            continue
        seen[name] += 1
        while (numbered := f"{name} {seen[name]}") in taken:  # a card that is itself called so
            seen[name] += 1
        apart.append(numbered)
    return apart
