"""Every skill of Dust 1947, a few lines each: one chapter a theme, all of them in ALL."""

from __future__ import annotations

from dieselfront.rulesets.dust.hooks import Skill
from dieselfront.rulesets.dust1947.skills import (
    assault,
    command,
    deployment,
    joining,
    marksmanship,
    movement,
    natures,
    observers,
    recovery,
    transport,
)

ALL: list[type[Skill]] = [
    *natures.ALL,
    *recovery.ALL,
    *marksmanship.ALL,
    *assault.ALL,
    *movement.ALL,
    *deployment.ALL,
    *observers.ALL,
    *command.ALL,
    *transport.ALL,
    *joining.ALL,
]
