"""Puzzles over the wire: the list without solutions, the puzzle of the day, a battle from one, right and wrong."""

from __future__ import annotations

import time

from dieselfront.lab import blunders, puzzles
from server.kit import Server

PUZZLE = puzzles.puzzles("dust1947")[0]
PATH = f"/api/puzzles/dust1947/{PUZZLE.id}"


def solution() -> list:
    game = puzzles.start(PUZZLE)
    began = len(game.choices)
    enemy = blunders.Bystander(PUZZLE.blunder, "0")
    blunders.play_on(game, PUZZLE.blunder.side, blunders.Solver(PUZZLE.blunder), enemy, PUZZLE.blunder.lengths)
    return list(game.choices)[began:]


def test_puzzles_are_listed_without_their_solutions(server: Server) -> None:
    answer = server.get("/api/puzzles", ruleset="dust1947")
    listed = answer.json()
    assert {one["ruleset"] for one in listed} == {"dust1947"}
    assert PUZZLE.facts.best_words not in answer.text
    themed = server.get("/api/puzzles", theme="attack").json()
    assert themed and all("attack" in one["themes"] for one in themed)
    assert server.get("/api/puzzles", ruleset="chess").status_code == 422


def test_a_day_has_one_puzzle(server: Server) -> None:
    day = server.get("/api/puzzles/daily", date="2026-11-18").json()
    assert day == server.get("/api/puzzles/daily", date="2026-11-18").json()
    assert day["id"] == puzzles.daily("2026-11-18").id
    assert server.get("/api/puzzles/daily", date="soon").status_code == 422
    assert server.get("/api/puzzles/daily").status_code == 200


def test_an_answer_is_right_or_wrong_with_the_reason(server: Server) -> None:
    choices = solution()
    begun = server.post(f"{PATH}/answer", {"choices": choices[:1]}).json()
    assert not begun["done"] and begun["solution"] == ""
    right = server.post(f"{PATH}/answer", {"choices": choices}).json()
    assert right["done"] and right["right"] and right["solution"] == PUZZLE.facts.best_words and right["why"]
    assert server.post(f"{PATH}/answer", {"choices": ["nobody"]}).status_code == 422
    assert server.post("/api/puzzles/dust1947/chess/answer", {"choices": []}).status_code == 404
    assert server.get(f"{PATH}/view").json()["turn"] == PUZZLE.facts.turn


def test_a_battle_begins_at_a_puzzle_and_is_judged_when_the_activation_is_over(server: Server) -> None:
    begun = server.post(f"{PATH}/branch", {}).json()
    token = next(seat["token"] for seat in begun["seats"] if seat["token"])
    assert [seat["kind"] for seat in begun["seats"]][PUZZLE.blunder.side] == "human"
    game = f"/api/games/{begun['id']}"
    assert not server.get(f"{game}/puzzle", token=token).json()["done"]
    told = server.get(f"{game}/puzzle", token=token, solution="true").json()
    assert told["solution"] == PUZZLE.facts.best_words and not told["done"]
    snapshot = server.get(game, token=token).json()
    for answer in solution():
        chosen = {"decision": snapshot["version"], "answer": answer}
        if server.post(f"{game}/choices", chosen, token).status_code != 200:
            break  # the enemy answers otherwise here
        snapshot = wait_for_me(server, game, token, snapshot["version"])
    verdict = server.get(f"{game}/puzzle", token=token).json()
    assert verdict["done"] and verdict["right"] and verdict["why"] == PUZZLE.blunder.why


def wait_for_me(server: Server, game: str, token: str, version: int) -> dict:
    """The game as soon as something has happened and a person has to decide, or the puzzle is over."""
    for _ in range(200):
        snapshot = server.get(game, token=token).json()
        mine = snapshot["decision"] is not None and snapshot["decision"].get("mine")
        if snapshot["version"] > version and (mine or server.get(f"{game}/puzzle", token=token).json()["done"]):
            return snapshot
        time.sleep(0.05)
    raise AssertionError("the battle does not go on")


def test_only_battles_that_began_at_a_puzzle_are_judged(server: Server) -> None:
    other = server.post("/api/games", {}).json()
    watching = other["spectator"]["token"]
    assert server.get(f"/api/games/{other['id']}/puzzle", token=watching).status_code == 404
