"""The cache of what follows from frozen objects: made once each, by identity, and bounded."""

from __future__ import annotations

from dieselfront.kernel.by_identity import ByIdentity


class Card:
    """Cards are equal by content in the games; here none may be asked for its hash."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, name: str) -> None:
        self.name = name


def test_a_value_is_made_once_for_each_object() -> None:
    made: list[str] = []

    def name(card: Card) -> str:
        made.append(card.name)
        return card.name.upper()

    shown = ByIdentity(name)
    one, other = Card("squad"), Card("squad")
    assert [shown(one), shown(one), shown(other)] == ["SQUAD"] * 3
    assert made == ["squad", "squad"]


def test_a_full_cache_starts_afresh_and_an_object_it_knows_stays_alive() -> None:
    shown = ByIdentity(lambda card: card.name, entries=2)
    names = [shown(Card(f"card {number}")) for number in range(7)]  # none of them kept by anybody else
    assert names == [f"card {number}" for number in range(7)]
    assert len(shown._made) <= 2
