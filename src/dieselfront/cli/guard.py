"""What the rooms below call a mistake of the user's, as one sentence and exit 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dieselfront.cli.errors import UserError


@contextmanager
def plain_words() -> Iterator[None]:
    """Turn the errors that rooms raise for bad input into UserError; everything else is a mistake of ours."""
    try:
        yield
    except user_errors() as error:  # asked, and so loaded, only if there is an error
        raise UserError(sentence(str(error))) from None
    except OSError as error:
        raise UserError(f"{error.filename or 'A file'} cannot be used: {error.strerror or error}.") from None


def user_errors() -> tuple[type[Exception], ...]:
    """What the rooms raise for bad input."""
    from dieselfront.forces import ForcesError
    from dieselfront.kernel.record import BrokenRecord
    from dieselfront.lab.crew import CrewError
    from dieselfront.lab.simulate import SimulationError
    from dieselfront.players import UnknownPlayer
    from dieselfront.referee import RefereeError
    from dieselfront.rulesets import UnknownRuleset
    from dieselfront.scenarios import ScenarioProblem
    from dieselfront.scenarios.battle import BattleError

    return (
        BattleError,
        BrokenRecord,
        CrewError,
        ForcesError,
        RefereeError,
        ScenarioProblem,
        SimulationError,
        UnknownPlayer,
        UnknownRuleset,
    )


def sentence(text: str) -> str:
    """A message as a sentence: a capital letter before, a full stop behind."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else text + "."
