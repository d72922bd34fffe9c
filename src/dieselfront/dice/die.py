"""Kinds of dice: what the faces are called and how often each stands on the die.

A set of faces is a bit mask over face indices, so "ARMY or TARGET" is one small integer. Throws live in throw.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction


class Die:
    """One kind of die: named faces and, for every side of the cube, the face printed on it."""

    __slots__ = ("_names", "all_faces", "counts", "face_of_byte", "faces", "name", "sides", "unfair_bytes")

    def __init__(self, name: str, faces: tuple[str, ...], sides: tuple[int, ...]) -> None:
        self.name = name
        self.faces = faces
        self.sides = sides
        self.counts = tuple(sides.count(index) for index in range(len(faces)))
        self.all_faces = (1 << len(faces)) - 1
        self._names: dict[int, tuple[str, ...]] = {}
        self.face_of_byte = bytes(sides[byte % len(sides)] for byte in range(256))
        self.unfair_bytes = bytes(range(256 - 256 % len(sides), 256))
        """Those that are thrown away, because they would favour a side."""

    def mask(self, names: Iterable[str]) -> int:
        """The bit mask of some faces by name."""
        bits = 0
        for name in names:
            bits |= 1 << self.face(name)
        return bits

    def face(self, name: str) -> int:
        """The index of a face by its name; case does not matter."""
        wanted = name.strip().upper()
        for index, face in enumerate(self.faces):
            if face.upper() == wanted:
                return index
        raise ValueError(f"the {self.name} has no face {name!r}; its faces are {', '.join(self.faces)}")

    def names(self, mask: int) -> tuple[str, ...]:
        """The names of the faces in a mask, in the die's own order."""
        names = self._names.get(mask)
        if names is None:
            names = tuple(face for index, face in enumerate(self.faces) if mask >> index & 1)
            self._names[mask] = names
        return names

    def chance(self, mask: int) -> Fraction:
        """How likely one die shows a face of the mask."""
        return Fraction(self.ways(mask), len(self.sides))

    def ways(self, mask: int) -> int:
        """How many sides of the die show a face of the mask."""
        return sum(count for index, count in enumerate(self.counts) if mask >> index & 1)

    def __repr__(self) -> str:
        return f"Die({self.name})"


D6 = Die("six-sided die", ("1", "2", "3", "4", "5", "6"), (0, 1, 2, 3, 4, 5))
DUST_DIE = Die("Dust die", ("ARMY", "SHIELD", "TARGET"), (0, 0, 1, 1, 2, 2))  # d47.dice.faces

DICE: dict[str, Die] = {die.name: die for die in (D6, DUST_DIE)}
