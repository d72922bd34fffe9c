"""The referee: a position in a file, questions about it, choices with scripted dice; answers with reasons and rules.

>>> from dieselfront import referee
>>> verdict = referee.judge(open("examples/sight-corner.yaml", "rb").read())    # doctest: +SKIP
"""

from __future__ import annotations

from dieselfront.referee.court import Verdict, judge
from dieselfront.referee.errors import RefereeError

__all__ = ["RefereeError", "Verdict", "judge"]
