"""What is meant to be done with a unit in one activation: actions, spot, facing, target, and what that is worth."""

from __future__ import annotations

from typing import Any

from dieselfront.rulesets.dust1947.adviser.fire import CLOSE_ONLY, PLAIN, RANGED_ONLY, SUSTAINED

Actions = tuple[str, ...]

KINDS = {
    "attack": PLAIN,
    "sustained": SUSTAINED,
    "ranged-sustained": SUSTAINED,
    "close-attack": CLOSE_ONLY,
    "ranged-attack": RANGED_ONLY,
}
MOVES = ("move", "march")

QUIET = ("move", "nothing", "special:camouflage")
"""What a camouflaged unit may do and stay unseen."""


WORTH_A_WORD = 0.25
"""Points below this are not worth telling."""


def in_points(gain: float, risk: float) -> str:
    """What a plan should bring and what it may cost, as players say it."""
    brings = "nothing to be had at once" if gain < WORTH_A_WORD else f"should bring about {gain:.1f} points"
    costs = "hardly any danger" if risk < WORTH_A_WORD else f"may cost about {risk:.1f}"
    return f"{brings}, {costs}"


class Intent:
    """What is meant to be done with a unit, and what it is worth; `idle` is the worth of doing nothing."""

    __slots__ = (
        "actions",
        "before",
        "declared",
        "facing",
        "gain",
        "grip",
        "ground",
        "holds",
        "hope",
        "idle",
        "menu",
        "mount",
        "numbers",
        "risk",
        "safe",
        "smoke",
        "spot",
        "target",
        "then",
        "unit",
        "value",
    )

    def __init__(
        self, unit: str, actions: Actions, value: float, spot: Any = None, facing: Any = None, target: str = ""
    ) -> None:
        self.unit = unit
        self.actions = actions
        self.value = value
        self.spot = spot
        self.facing = facing
        self.target = target
        self.mount: str | None = None
        self.then: tuple[Any, Any] | None = None  # spot and facing of a second movement
        self.smoke: tuple[int, ...] = ()  # where artillery lays smoke instead of firing
        self.before = 0.0  # what others do anyway and should do after this plan, not before it
        self.menu = 0  # how many sequences there were to choose from; with others the plan is made anew
        self.idle = 0.0
        self.gain = 0.0
        self.grip = 0.0  # the part of its worth that any further action would let go
        self.risk = 0.0
        self.hope = 0.0  # how much better it would be if nobody came to see the spot
        self.ground = 0.0  # the part of its worth that standing on its last spot is
        self.holds = 0  # the objectives that the spot holds, as bits
        self.safe = False  # the plan with the least danger
        self.declared = False  # are its actions announced? Then it serves no other activation
        self.numbers = ""

    def announced(self) -> Intent:
        """The same plan under way; plans are shared between lines of play and never changed."""
        twin = Intent(self.unit, self.actions, self.value, self.spot, self.facing, self.target)
        twin.mount, twin.gain, twin.risk, twin.then = self.mount, self.gain, self.risk, self.then
        twin.holds = self.holds
        twin.smoke = self.smoke
        twin.safe, twin.idle, twin.declared = self.safe, self.idle, True
        return twin

    def onward(self) -> Intent:
        """The same plan once its first movement is done: a second one goes on."""
        twin = self.announced()
        if self.then is not None:
            (twin.spot, twin.facing), twin.then = self.then, None
        return twin

    @property
    def special(self) -> str:
        """What sets the plan apart from moving and shooting: special actions, a second movement, going aboard."""
        names = [action.removeprefix("free:")[8:] for action in self.actions if "special:" in action]
        if self.smoke:
            names.append("smoke")
        if self.mount is not None:
            names.append(f"mount {self.mount}")
        elif self.then is not None:
            names.append("onward")
        return " ".join(sorted(names))

    def much_the_same(self) -> tuple[Any, ...]:
        """What tells plans apart: who is attacked from where, and special actions."""
        fights = self.target if self.gain > 0.05 else ""
        return (self.spot, self.then, fights, round(2 * self.gain), self.special)


class Shot:
    """The best attack from a spot; `spared` is the part of its gain that the target can no longer do to the shooter."""

    __slots__ = ("facing", "gain", "grip", "hurt", "points", "spared", "target")

    def __init__(self, gain: float = 0.0, target: str = "", facing: int | None = None, points: float = 0.0) -> None:
        self.gain = gain
        self.points = points
        self.target = target
        self.facing = facing
        self.hurt = 0.0
        self.spared = 0.0
        self.grip = 0.0  # what it is worth to hold the target fast


def apart(intents: list[Intent]) -> list[Intent]:
    """Plans that differ in more than words, best first, and the safest of all marked."""
    seen: dict[tuple[Any, ...], Intent] = {}
    for intent in intents:
        seen.setdefault(intent.much_the_same(), intent)
    few = list(seen.values())
    if few:
        safest = min(few, key=lambda intent: (round(intent.risk, 2), -intent.value))
        safest.safe = safest.risk + 0.5 < few[0].risk
    return few


def different(intents: list[Intent], keep: int) -> list[Intent]:
    """The first few that are not much the same."""
    few: list[Intent] = []
    seen = set()
    for intent in intents:
        look = (round(2 * intent.value), round(2 * intent.gain), round(2 * intent.risk), intent.holds)
        if look not in seen:
            seen.add(look)
            few.append(intent)
            if len(few) == keep:
                break
    return few


__all__ = ["KINDS", "MOVES", "QUIET", "Actions", "Intent", "Shot", "apart", "different"]
