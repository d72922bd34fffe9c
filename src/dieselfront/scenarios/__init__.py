"""Scenarios: battlefields, deployment, objectives and victory as data; how they and army lists become a game.

>>> from dieselfront import scenarios
>>> scenarios.find("crossroads", "dust1947")["name"]
'The Crossroads'

`find` also takes the path of a scenario file, or `random:SEED` for a board that nobody has seen before.
"""

from __future__ import annotations

from dieselfront.scenarios.library import ScenarioProblem, find, names, schema

__all__ = ["ScenarioProblem", "find", "names", "schema"]
