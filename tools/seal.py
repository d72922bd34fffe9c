"""Seal the behaviour of the rulesets: a recorded game of each version, which has to replay as long as it is played.

    .venv/bin/python tools/seal.py [--replace] [RULESET ...]

Run it after a ruleset's version was raised and src/dieselfront/rulesets/versions.yaml says what changed. A version that
is sealed stays sealed; --replace writes it anew, which is for versions that nobody has played yet.
"""

from __future__ import annotations

import sys
from pathlib import Path

from dieselfront import rulesets
from dieselfront.kernel.record import dump, record
from dieselfront.players import make
from dieselfront.scenarios import battle, library

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "golden" / "sealed"
SEED = "sealed"


def sealed(ruleset: str) -> bytes:
    """A game between two players who take any legal answer: they come by more rules than good ones."""
    armies = battle.starters(ruleset)
    header = battle.header(ruleset, library.names(ruleset)[0], [armies[0], armies[1]], seed=SEED)
    game = battle.start(header, SEED, keep_history=False)
    players = [make("random", f"{SEED}/{side}", ruleset) for side in (0, 1)]
    while (decision := game.pending) is not None:
        game.choose(players[decision.player].choose(game))
    return dump(record(game))


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--replace"]
    FOLDER.mkdir(exist_ok=True)
    for ruleset in words or rulesets.names():
        path = FOLDER / f"{ruleset}-{rulesets.load(ruleset).version}.json"
        if path.exists() and "--replace" not in sys.argv:
            print(f"{path.name} is sealed already")
            continue
        path.write_bytes(sealed(ruleset))
        print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
