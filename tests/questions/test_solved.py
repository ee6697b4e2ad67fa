"""Exact values: bounds, moves, distances, certificates, merged images, and which effort suffices."""

from pathlib import Path
from typing import Any

import pytest

from noughts.positions import Position
from noughts.questions.solved import ExactValue, GameValue, Solved, WrittenCertificate
from noughts.rules import SolverError, parse_rules, parse_task
from noughts.rules.symmetry import image_onto
from noughts.solvers.solve import Truth
from noughts.solvers.verify import verify
from tests.questions.asking import BRICKS, Memory, asked, found


def solved(task: str, **more: Any) -> Solved:
    return Solved(task=parse_task(task), **more)


def value_of(question: Solved, memory: Memory | None = None, workers: int = 0) -> GameValue:
    (game,) = found(question, memory, workers).games
    return game.result


def timeless(value: GameValue) -> GameValue:
    return value.model_copy(update={"seconds": 0.0})


def test_positions_are_not_merged_up_to_symmetry() -> None:
    one, other = (solved("tic-tac-toe", played=moves) for moves in ((0, 1), (2, 1)))
    assert one.needs()[0].key != other.needs()[0].key
    assert value_of(one).value == value_of(other).value == 1
    over = value_of(solved("mnk(1,1,1)", played=(0,)))
    assert (over.value, over.solver) == (-1, "the rules")


def test_images_are_solved_once_with_the_results_of_each_alone() -> None:
    question, memory = solved(BRICKS, every_move=True, distances=True), Memory()
    result = found(question, memory)
    assert len(memory.kept) == len(question.needs()) == 3
    assert [game.rules for game in result.games] == list(question.task.rules)
    for game in result.games:
        position = Position.start(game.rules)
        alone = Truth(game.rules).solve(position, distances="all")
        assert (game.result.low, game.result.high) == (alone.low, alone.high)
        assert [(move.move, move.low, move.high, move.plies) for move in game.result.moves] == [
            (m.move, m.low, m.high, None if m.span is None else m.span.plies)
            for m in sorted(alone.moves, key=lambda found: found.move)
        ]


def test_images_on_boards_of_another_shape_are_merged() -> None:
    wide, high = solved("mnk(3,4,3,bricks=A2)", every_move=True), solved("mnk(4,3,3,bricks=B1)", every_move=True)
    assert wide.needs() == high.needs()
    image = image_onto(wide.task.rules[0], high.task.rules[0])
    assert image is not None
    assert timeless(value_of(wide).moved(image)) == timeless(value_of(high))


def test_an_exact_value_answers_any_effort_and_bounds_only_less_effort() -> None:
    memory, few = Memory(), solved("bttt(C3)", nodes=1000)
    first = value_of(few, memory)
    assert (first.low, first.high, first.value) == (-1, 1, None)
    value_of(solved("bttt(C3)", nodes=500), memory)
    value_of(few, memory)
    assert memory.replaced == []
    value_of(solved("bttt(C3)", nodes=2000), memory)
    assert len(memory.replaced) == 1
    value_of(solved("bttt(C3)", nodes=2000, memory=2), memory)
    assert len(memory.replaced) == 2
    small = Memory()
    value_of(solved("tic-tac-toe"), small)
    value_of(solved("tic-tac-toe", nodes=10**9, memory=3, seconds=100.0), small)
    assert small.replaced == []


def test_certificates_are_written_for_all_images_and_restored(tmp_path: Path) -> None:
    question, memory = solved("mnk(3,4,3,bricks=B1|B4)", certificates=str(tmp_path)), Memory()
    for game in found(question, memory).games:
        written = game.result.certificate_of(game.rules)
        assert written is not None
        assert verify(Path(written.path)).positions == written.entries
        assert written.entries > 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(before) == 2
    found(question, memory)
    assert memory.replaced == []
    removed, other = sorted(tmp_path.iterdir())
    removed.unlink()
    at_first = other.stat().st_mtime_ns
    found(question, memory)
    assert other.stat().st_mtime_ns == at_first
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.heavy
def test_a_budget_too_small_for_the_certificate_is_reported(tmp_path: Path) -> None:
    memory, question = Memory(), solved("bttt(A1)", certificates=str(tmp_path), nodes=130_000)
    for _ in range(2):
        (game,) = found(question, memory).games
        assert game.result.value == 1
        (written,) = game.result.certificates
        assert written.problem == "the budget did not suffice for its certificate"
    assert memory.replaced == []
    assert not list(tmp_path.iterdir())
    (unit,) = question.needs()
    assert not unit.model_copy(update={"nodes": 200_000}).accepts(game.result)


def test_an_uncovered_game_does_not_hide_the_others() -> None:
    question = solved("notakto(6)|mnk(6,6,5)")
    answers = asked([question])
    assert [game.rules for game in answers[question].games] == [parse_rules("mnk(6,6,5)")]
    (problem,) = answers.problems.values()
    assert problem.startswith("SolverError: no solver covers notakto(6)")


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ({"nodes": 0}, "nodes=0 is not allowed: a whole number above 0"),
        ({"seconds": 0.0}, "seconds=0.0 is not allowed: a number above 0"),
        ({"memory": 0}, "a whole number of GiB above 0"),
        ({"limit": 0}, "a whole number from 1 to"),
    ],
)
def test_impossible_questions_are_refused_in_one_line(field: dict[str, Any], message: str) -> None:
    with pytest.raises(SolverError, match=message):
        solved("tic-tac-toe", **field)
    assert ExactValue(rules=parse_rules("tic-tac-toe")).key == solved("tic-tac-toe").needs()[0].key


def test_certificates_that_older_versions_wrote_are_read() -> None:
    """Theirs also had whether the file existed before."""
    value = GameValue(low=1, high=1, solver="pairing", nodes=1, seconds=0.0, effort=(None, None, 8))
    value = value.model_copy(update={"certificates": (WrittenCertificate(game="mnk(4,4,3)", path="c/it", entries=2),)})
    older = value.to_json().replace('"entries":2,', '"entries":2,"kept":true,')
    assert "kept" in older
    assert GameValue.from_json(older) == value
