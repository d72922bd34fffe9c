"""The referee: a position in a file, questions about it, choices with scripted dice; answers with reasons and rules.

>>> from dieselfront import referee
>>> verdict = referee.judge(open("examples/sight-corner.yaml", "rb").read())    # doctest: +SKIP
"""

from __future__ import annotations

from dieselfront.referee.cases import CaseReport, check
from dieselfront.referee.errors import RefereeError
from dieselfront.referee.from_game import CannotTell, case_of, case_text
from dieselfront.referee.results import Verdict
from dieselfront.referee.runner import judge

__all__ = ["CannotTell", "CaseReport", "RefereeError", "Verdict", "case_of", "case_text", "check", "judge"]
