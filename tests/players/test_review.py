"""Reviews: chances that keep to their bounds, and judgements that tell a good activation from a bad one."""

from __future__ import annotations

import pytest

from dieselfront.kernel.game import Game
from dieselfront.players import adviser_of, make, weights
from dieselfront.players.chance import Scales, Steepness, lateness, steepness
from dieselfront.players.learned import value_model
from dieselfront.players.review import NOBODY, Course, Reviewer
from dieselfront.players.weights import adviser_data
from dieselfront.scenarios import battle


def a_game() -> Game:
    header = battle.header("dust1947", "crossroads", ["dust1947-allies", "dust1947-axis"], seed="review")
    return battle.start(header, "review", keep_history=False)


def played(most: int) -> tuple[Course, list[Game]]:
    """A game of the random player as far as so many activations, with the position at each."""
    game = a_game()
    player = make("random", "review", "dust1947")
    course = Course(adviser_of("dust1947", weights("dust1947")), "dust1947")
    positions: list[Game] = []
    while (decision := game.pending) is not None and len(positions) <= most:
        course.note(game)
        if len(course.moments) > len(positions):
            positions.append(game.copy())
        answer = decision.check(player.choose(game))
        course.choose(decision, answer)
        game.choose(answer)
    return course, positions


def test_a_lead_is_worth_more_than_half_and_nothing_beyond_certainty() -> None:
    curve = Steepness(4.0, 8.0)
    assert curve.chance(0.0, 0.5) == 0.5
    assert 0.5 < curve.chance(0.2, 0.0) < curve.chance(0.2, 1.0) < 1.0
    assert curve.chance(-0.2, 0.3) == pytest.approx(1 - curve.chance(0.2, 0.3))
    assert curve.chance(-1e9, 1.0) > 0.0 and curve.chance(1e9, 1.0) <= 1.0


def test_a_game_without_numbers_of_its_own_takes_the_usual_or_its_relatives() -> None:
    assert adviser_data("freeform1947", "outlook") == adviser_data("dust1947", "outlook") != {}
    assert steepness("freeform1947") != steepness("dust1947") != Steepness()
    assert steepness("unheard-of") == Steepness()


def test_both_sides_see_the_same_lead() -> None:
    game = a_game()
    scales = Scales(adviser_of("dust1947", weights("dust1947")), "dust1947")
    assert 0.0 < scales.chance(game) < 1.0 and lateness(game) == 0.0


def test_the_curve_is_the_learned_chance_where_a_game_ships_a_model() -> None:
    game = a_game()
    adviser = adviser_of("dust1947", weights("dust1947"))
    model = value_model("dust1947")
    assert model is not None
    scales = Scales(adviser, "dust1947")
    assert scales.chance(game) == model.chance(game, 0, adviser) == pytest.approx(1.0 - model.chance(game, 1, adviser))
    scales.model = None
    assert scales.chance(game) == steepness("dust1947").chance(scales.lead(game), lateness(game))


def test_the_course_ends_at_the_result() -> None:
    course, positions = played(3)
    course.end(positions[-1], 0.0)
    assert course.moments[-1].player == NOBODY and course.moments[-1].chance == 0.0
    assert [moment.choice for moment in course.moments] == sorted({moment.choice for moment in course.moments})


def test_judging_is_repeatable_and_adds_up() -> None:
    course, positions = played(4)
    reviewer = Reviewer(course)
    first, again = (reviewer.judge(1, positions[1], positions[2], 1e6) for _ in range(2))
    assert first == again
    assert first.gave_up >= 0 and first.luck == first.after - first.chosen
    assert first.unit and first.text and first.continuations == 24


def test_the_computers_own_plan_gives_nothing_up() -> None:
    """Whoever does what the review finds best is not blamed for it."""
    course, positions = played(2)
    start = positions[1]
    decision = start.pending
    assert decision is not None
    best = Reviewer(course)._best(start, f"review/{course.moments[1].choice}", 1e6)
    assert best is not None
    twin = start.copy()
    kept = Course(course.adviser, "dust1947", course.moments[1].choice)
    memory = {decision.player: best.note}
    kept.note(twin)
    answer = best.answer
    while True:
        pending = twin.pending
        assert pending is not None
        kept.choose(pending, pending.check(answer))
        twin.choose(answer)
        kept.note(twin)
        if len(kept.moments) > 1:
            break
        answer = course.adviser.answer(twin, memory)
    judged = Reviewer(kept).judge(0, start, twin, 1e6)
    assert judged.gave_up < 0.02
