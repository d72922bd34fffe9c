"""Write the golden games anew: one recorded game and its readable log per scenario.

    .venv/bin/python tools/golden.py [--keep-choices] [RULESET ...]

Run it when a rule changed on purpose, and read the difference of the logs in review before you commit them. With
--keep-choices the games are not played anew: the recorded choices are repeated, for changes that only touch the log.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from dieselfront import rulesets
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import dump, load, new_game, record
from dieselfront.players import make
from dieselfront.scenarios import battle, library

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "golden"
SEED = "golden"


def play(ruleset: str, scenario: str) -> Game:
    """A game between two regular players with the ruleset's own starter armies."""
    armies = battle.starters(ruleset)
    number = library.names(ruleset).index(scenario)
    chosen = [armies[number % len(armies)], armies[(number + 1) % len(armies)]]
    game = battle.start(battle.header(ruleset, scenario, chosen, seed=SEED), SEED)
    players = [make("regular", f"{SEED}/{side}", ruleset) for side in (0, 1)]
    while (decision := game.pending) is not None:
        game.choose(players[decision.player].choose(game))
    return game


def again(path: Path) -> Game:
    """The choices of a kept record, made once more by the rules of now."""
    kept = load(path.read_bytes(), path.name)
    rules = rulesets.load(kept.header.ruleset)
    game = new_game(rules, msgspec.structs.replace(kept.header, version=rules.version), kept.seed)
    for answer in kept.choices:
        game.choose(answer)
    return game


def log(game: Game) -> str:
    """The battle as people read it, each line with its rule."""
    names = rulesets.load(game.header.ruleset).names(game.state)
    return "".join(f"{event.sentence(names)}  [{event.rule}]\n" for event in game.events)


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--keep-choices"]
    for ruleset in words or rulesets.names():
        for scenario in library.names(ruleset):
            path = FOLDER / f"{ruleset}-{scenario}"
            game = again(path.with_suffix(".json")) if "--keep-choices" in sys.argv else play(ruleset, scenario)
            path.with_suffix(".json").write_bytes(dump(record(game)))
            path.with_suffix(".log").write_text(log(game), "utf-8")
            print(f"{path.name}: {len(game.choices)} choices, {len(game.events)} events")


if __name__ == "__main__":
    main()
