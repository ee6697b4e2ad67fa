"""Every answer of every lesson agrees with a solver."""

import functools

import pytest

import noughts
from noughts.puzzles.lessons import LessonStep, lessons
from noughts.rules import Rules
from noughts.solvers.solution import Budget
from noughts.solvers.solve import Truth

STEPS = [step for lesson in lessons() for step in lesson.steps]
_NODES = 300_000


@functools.lru_cache(maxsize=8)
def truth_of(rules: Rules) -> Truth:
    return Truth(rules, 1 << 28)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.game)
def test_exactly_the_right_moves_are_answers(step: LessonStep) -> None:
    text, _, moves = step.game.partition(" ")
    position = noughts.position(text, moves)
    truth = truth_of(position.rules)
    if step.goal == "soonest":
        right = truth.solve(position, None, "best").best
    else:
        solution = truth.solve(position, Budget(_NODES))
        assert all(move.value is not None for move in solution.moves)
        right = solution.optimal
    assert {position.rules.name_of(move) for move in right} == set(step.answers)
    assert len(step.answers) < len(position.legal_moves)


def test_praise_for_partners_is_true_after_every_right_move() -> None:
    """Other moves than the partner win, too, and the page writes `Right: MOVE.` before the praise."""
    (lesson,) = (each for each in lessons() if each.id == "pairing")
    for step, partner in zip(lesson.steps, ("C2", "B1"), strict=True):
        assert partner in step.answers
        assert step.right.startswith(f"The partner is {partner}")


def test_lessons_have_different_names() -> None:
    names = [lesson.id for lesson in lessons()]
    assert len(set(names)) == len(names)
