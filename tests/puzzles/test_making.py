"""Puzzles are reproducible by seed and never repeated; grades measure how often agents miss them."""

import pytest

from noughts.positions import Position
from noughts.puzzles import Puzzle
from noughts.puzzles.making import PuzzleMaker, make_puzzles, missed_by_panel
from noughts.puzzles.puzzle import PANEL, Grade
from noughts.rules import NoughtsError, SolverError, parse_rules
from noughts.solvers.solve import Truth
from tests.solvers.brute_force import Known


def made(text: str, count: int, seed: int = 0, grade: Grade | None = None) -> list[Puzzle]:
    return [puzzle for puzzle in make_puzzles(parse_rules(text), count, seed, grade) if puzzle is not None]


def test_equal_seeds_give_equal_puzzles() -> None:
    assert made("tic-tac-toe", 6) == made("tic-tac-toe", 6)
    assert made("tic-tac-toe", 6) != made("tic-tac-toe", 6, seed=1)


@pytest.mark.parametrize(
    "text", ["tic-tac-toe", "misere-tic-tac-toe", "notakto(3)", "mnk(3,4,3,full=second,wrap=columns)"]
)
def test_puzzles_equal_brute_force(text: str) -> None:
    """It shares no code with the solvers or the checker."""
    known = Known(parse_rules(text))
    for puzzle in made(text, 5):
        position = puzzle.position
        values = {move: -known[position.play(move)][0] for move in position.legal_moves}
        assert max(values.values()) == puzzle.value
        assert {move for move, value in values.items() if value == puzzle.value} == set(puzzle.solutions)
        wrong = [value for value in values.values() if value < puzzle.value]
        assert puzzle.otherwise in (None, max(wrong))


def test_lines_are_played_to_the_end_and_have_the_claimed_length() -> None:
    for puzzle in made("mnk(4,4,3)", 12):
        end = Position.start(puzzle.rules, (*puzzle.moves, *puzzle.line))
        assert puzzle.line[0] in puzzle.solutions
        if puzzle.value:
            assert end.is_over
            assert puzzle.plies == len(puzzle.line)
            assert end.outcome.value(puzzle.position.to_move) == 1


def test_no_puzzle_is_an_image_of_another() -> None:
    found = made("tic-tac-toe", 20)
    cells = [[set(puzzle.moves[::2]), set(puzzle.moves[1::2])] for puzzle in found]
    turned = [[{cell % 3 * 3 + cell // 3 for cell in side} for side in held] for held in cells]  # the board mirrored
    for place, held in enumerate(cells):
        assert held not in cells[:place]
        assert held not in turned[:place]


def test_only_puzzles_of_one_grade_are_made() -> None:
    assert [puzzle.grade for puzzle in made("mnk(4,4,3)", 3, grade="hard")] == ["hard"] * 3


def test_the_panel_of_agents_is_queried() -> None:
    position = Position.start(parse_rules("tic-tac-toe"), (0, 4))
    missed = missed_by_panel(position, position.legal_moves)
    assert missed == (0.0,) * len(PANEL)
    assert missed_by_panel(position, ()) == (1.0,) * len(PANEL)


def test_uncovered_games_and_counts_below_one_are_rejected() -> None:
    with pytest.raises(SolverError, match="no solver covers mnk"):
        made("mnk(9,9,5,line=loses)", 1)
    with pytest.raises(NoughtsError, match="ask for 1 or more"):
        made("tic-tac-toe", 0)


def test_a_game_with_few_puzzles_stops_early() -> None:
    assert made("mnk(2,2,2)", 5) == []  # any second move wins


def test_a_position_without_a_wrong_move_is_no_puzzle() -> None:
    maker = PuzzleMaker(parse_rules("tic-tac-toe"))
    assert maker.at(Position.start(maker.rules)) is None  # every move keeps the draw


@pytest.mark.heavy
def test_fours_prove_puzzles_of_five_in_a_row() -> None:
    """One or two moves win by fours; after every other move the opponent does."""
    found = made("mnk(9,9,5)", 3)
    assert len(found) == 3
    for puzzle in found:
        position, truth = puzzle.position, Truth(puzzle.rules)
        values = {move: -truth.prove(position.play(move)).low for move in position.legal_moves}
        assert (puzzle.value, puzzle.otherwise) == (1, -1)
        assert {move for move, value in values.items() if value == 1} == set(puzzle.solutions)
        assert set(values.values()) == {1, -1}
        end = Position.start(puzzle.rules, (*puzzle.moves, *puzzle.line))
        assert end.outcome.value(position.to_move) == 1
        assert puzzle.plies in (None, len(puzzle.line))
