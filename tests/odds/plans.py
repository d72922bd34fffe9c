"""Plans for the tests of the odds room: the reference attack, and all kinds of small ones by Hypothesis."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from dieselfront.dice.die import D6, DUST_DIE, Die
from dieselfront.dice.plan import PoolPlan
from dieselfront.dice.throw import Because, Reroll, Throw

ARMY = DUST_DIE.mask(["ARMY"])
ARMY_OR_SHIELD = DUST_DIE.mask(["ARMY", "SHIELD"])
ARMY_OR_TARGET = DUST_DIE.mask(["ARMY", "TARGET"])


def dust(faces: int = ARMY, *, sustained: bool = False, chain: int = 0, label: str = "to hit") -> Throw:
    """A throw of Dust dice."""
    rerolls = (Reroll(False, faces, "d47.action.sustained"),) if sustained else ()
    return Throw(label, DUST_DIE, faces, "d47.attack.hit.success", rerolls, chain)


def reference() -> PoolPlan:
    """Twelve dice, sustained, a laser, saves at 2/3, five soldiers."""
    cover = Throw(
        "cover save",
        DUST_DIE,
        ARMY_OR_SHIELD,
        "d47.attack.save.infantry_cover",
        because=(Because("d47.attack.save.cover_sources", "the squad stands in rubble"),),
    )
    return PoolPlan("laser", 12, dust(sustained=True, chain=ARMY), (cover,), 1, 5, squad=True)


def throws(die: Die, *, chains: bool = False, rerolls: int = 2) -> st.SearchStrategy[Throw]:
    """Any throw of a die: any faces, some re-rolls, sometimes confirmation, chains where asked for."""
    masks = st.integers(0, die.all_faces)
    again = st.lists(st.builds(Reroll, st.booleans(), masks, st.just("")), max_size=rerolls).map(tuple)
    chain = st.integers(1, die.all_faces - 1) if chains else st.just(0)
    confirm = st.one_of(st.just(0), masks) if rerolls else st.just(0)
    return st.builds(Throw, st.just("throw"), st.just(die), masks, st.just("rule"), again, chain, confirm, st.just(()))


@st.composite
def plans(
    draw: st.DrawFn, most_dice: int = 3, most_damage: int = 3, saves: int = 2, chains: bool = False, most: int = 9
) -> PoolPlan:
    """A pool of any kind; with the numbers that stand here, small enough to be rolled out in full.

    One of its throws may have all the trimmings, the others are plain.
    """
    die = draw(st.sampled_from([DUST_DIE, D6]))
    rich = draw(st.integers(0, 3))
    return PoolPlan(
        "pool",
        draw(st.integers(0, most_dice)),
        draw(throws(die, chains=chains, rerolls=2 if rich < 2 else 1)),
        tuple(draw(throws(die, rerolls=1 if rich == 2 else 0)) for _ in range(draw(st.integers(0, saves)))),
        draw(st.integers(1, most_damage)),
        draw(st.integers(1, most)),
        negate=draw(st.one_of(st.none(), throws(die, rerolls=1 if rich == 3 else 0))),
    )


def some_throw(chance: Random, die: Die, rerolls: int) -> Throw:
    """A throw by chance, without chains."""
    again = tuple(Reroll(chance.random() < 0.5, chance.randrange(die.all_faces + 1), "") for _ in range(rerolls))
    confirm = chance.randrange(die.all_faces + 1) if rerolls == 2 else 0
    return Throw("throw", die, chance.randrange(die.all_faces + 1), "rule", again, 0, confirm)


def some_plan(chance: Random) -> PoolPlan:
    """A small pool by chance; quicker to make than by Hypothesis, so that thousands are no matter."""
    die = chance.choice([DUST_DIE, D6])
    rich = chance.randrange(4)
    return PoolPlan(
        "pool",
        chance.randrange(4),
        some_throw(chance, die, (2, 1, 0, 0)[rich]),
        tuple(some_throw(chance, die, int(rich == 2)) for _ in range(chance.randrange(3))),
        chance.randint(1, 3),
        chance.randint(1, 9),
        negate=some_throw(chance, die, int(rich == 3)) if chance.random() < 0.4 else None,
    )
