"""What processes for long work have loaded before they are asked: importing this loads the rules and the cards."""

from __future__ import annotations

import contextlib

from dieselfront import rulesets
from dieselfront.forces.armies import starter_armies
from dieselfront.server import jobs

with contextlib.suppress(Exception):  # a ruleset that cannot be loaded is reported to whoever wants to play it
    starter_armies()
    for name in rulesets.names():
        rulesets.load(name)

__all__ = ["jobs"]
