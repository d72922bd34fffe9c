"""A toy game that uses every part of the kernel: two players race to ten, with dice and choices."""

from __future__ import annotations

from typing import Any, ClassVar

from dieselfront.dice import D6, Throw
from dieselfront.kernel.decisions import Number, PickOne, YesNo
from dieselfront.kernel.events import Event, GameEnded
from dieselfront.kernel.game import PAUSE, QUIET, Play, Procedure

STEP = Throw("step", D6, D6.mask("456"), "toy.step")


class Stepped(Event, frozen=True, tag=True):
    player: int
    by: int

    says: ClassVar[str] = "{player} steps {by}"


class ToyState:
    __slots__ = ("at", "dice_thrown", "stones", "to_act")

    turn = 0

    def __init__(self) -> None:
        self.at = [0, 0]
        self.to_act = 0
        self.dice_thrown = 0
        self.stones: int | None = None  # put down so far, while stones are being put

    def clone(self) -> ToyState:
        twin = ToyState()
        twin.at = self.at.copy()
        twin.to_act = self.to_act
        twin.dice_thrown = self.dice_thrown
        twin.stones = self.stones
        return twin

    def facts(self) -> dict[str, Any]:
        return {"at": self.at, "to_act": self.to_act, "dice": self.dice_thrown, "stones": self.stones}


class Toy:
    id = "toy"
    version = "1"
    dice = (D6,)

    def new_state(self, header: Any) -> ToyState:
        return ToyState()

    def resume(self, play: Play) -> Procedure:
        state = play.state
        while True:
            if state.stones is not None:
                yield from self.put_stones(play)
                continue
            yield QUIET
            me = state.to_act
            if max(state.at) >= 10:
                play.emit(GameEnded("toy.end", state.at.index(max(state.at)), "ten"))
                return
            how = yield PickOne(
                me, "how", ["walk", "dice", "jump", "stones"], refusals=lambda: {"fly": ("toy.fly", "no wings")}
            )
            by = 1
            if how == "stones":
                state.stones = 0
                continue
            if how == "dice":
                number = yield Number(me, "number", 1, 3)
                sure = yield YesNo(me, "sure")
                thrown = yield from play.throw(STEP, number if sure else 1, me)
                by = thrown.successes
            elif how == "jump":
                by = yield PickOne(me, "jump", [2])  # forced: nobody is asked
            state.at[me] += by
            play.emit(Stepped("toy.step", me, by))
            state.to_act = 1 - me

    def put_stones(self, play: Play) -> Procedure:
        """Three stones, with a pause before each: the state says how to go on."""
        state = play.state
        while state.stones < 3:
            yield PAUSE
            far = yield Number(state.to_act, "stone", 1, 2)
            play.emit(Stepped("toy.stone", state.to_act, far))
            state.stones += 1
        state.at[state.to_act] += 1
        state.stones = None
        state.to_act = 1 - state.to_act
