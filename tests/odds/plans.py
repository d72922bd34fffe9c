"""Plans for the tests of the odds room: the reference attack, and all kinds of small ones by Hypothesis."""

from __future__ import annotations

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


def throws(die: Die, *, chains: bool = False) -> st.SearchStrategy[Throw]:
    """Any throw of a die: any faces, up to two re-rolls, sometimes confirmation, chains where asked for."""
    masks = st.integers(0, die.all_faces)
    rerolls = st.lists(st.builds(Reroll, st.booleans(), masks, st.just("")), max_size=2).map(tuple)
    chain = st.integers(1, die.all_faces - 1) if chains else st.just(0)
    confirm = st.one_of(st.just(0), st.just(0), masks)
    return st.builds(
        Throw, st.just("throw"), st.just(die), masks, st.just("rule"), rerolls, chain, confirm, st.just(())
    )


@st.composite
def plans(
    draw: st.DrawFn, most_dice: int = 4, most_damage: int = 3, saves: int = 2, chains: bool = False, most: int = 9
) -> PoolPlan:
    """A pool of any kind, small enough to be rolled out in full."""
    die = draw(st.sampled_from([DUST_DIE, D6]))
    return PoolPlan(
        "pool",
        draw(st.integers(0, most_dice)),
        draw(throws(die, chains=chains)),
        tuple(draw(st.lists(throws(die), max_size=saves))),
        draw(st.integers(1, most_damage)),
        draw(st.integers(1, most)),
        negate=draw(st.one_of(st.none(), throws(die))),
    )
