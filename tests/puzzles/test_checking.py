"""The check of puzzles finds every fault in them."""

import pytest

from noughts.positions import Position
from noughts.puzzles import Puzzle
from noughts.puzzles.checking import LongPuzzle, PuzzleChecker, WrongPuzzle
from noughts.puzzles.making import PuzzleMaker
from noughts.rules import parse_rules
from noughts.solvers.solution import Budget
from noughts.solvers.solve import Truth

TTT = parse_rules("tic-tac-toe")
FORK = tuple(map(TTT.cell_of, ["A1", "B2", "C3", "A3"]))  # only C1 wins
REPLY = tuple(map(TTT.cell_of, ["A1"]))  # only B2 keeps the draw
BOTH = tuple(map(TTT.cell_of, ["A1", "C3", "B2"]))  # both A3 and C1 keep it


def puzzle(moves: tuple[int, ...], solutions: str, value: int, **more: object) -> Puzzle:
    cells = tuple(map(TTT.cell_of, solutions.split()))
    fields = {"rules": TTT, "moves": moves, "solutions": cells, "value": value, "otherwise": -1, "plies": None}
    return Puzzle.model_validate(fields | {"line": cells[:1], "missed": (0.5,) * 5} | more)


@pytest.fixture
def checker() -> PuzzleChecker:
    truth = Truth(TTT, 1 << 24)

    def advise(position: Position, wins: bool, plies: int | None) -> int | None:
        return truth.winning_move(position, plies, Budget()) if wins else truth.prove(position).move

    return PuzzleChecker(TTT, advise)


def test_correct_puzzles_pass(checker: PuzzleChecker) -> None:
    assert checker.check(puzzle(FORK, "C1", 1, plies=3)) > 0
    assert checker.check(puzzle(REPLY, "B2", 0)) > 0
    assert checker.check(puzzle(REPLY, "B2", 0)) == 0  # everything is proved by now


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (puzzle(FORK, "C1 A2", 1), "not so that first wins|no move was found"),
        (puzzle(REPLY, "B2 C3", 0), "not so|no move was found"),
        (puzzle(REPLY, "C3", 0), "not so|no move was found"),
        (puzzle(FORK, "C1", 1, plies=1), "too late|no move was found"),
        (puzzle(FORK, "C1", 0), "not so|no move was found"),
        (puzzle(FORK, "A1", 1), "no legal moves"),
        (puzzle(BOTH, "A3", 0), "not so|no move was found"),
        (puzzle(FORK, "C1", 1, line=(TTT.cell_of("A2"),)), "line begins with no solution"),
    ],
)
def test_wrong_puzzles_are_rejected(checker: PuzzleChecker, wrong: Puzzle, why: str) -> None:
    with pytest.raises((WrongPuzzle, LongPuzzle), match=why):
        checker.check(wrong)


def test_an_adviser_with_wrong_or_illegal_moves_proves_nothing() -> None:
    first_free = PuzzleChecker(TTT, lambda position, wins, plies: position.legal_moves[0])
    occupied = PuzzleChecker(TTT, lambda position, wins, plies: position.moves[0])
    for adviser, why in ((first_free, "not so"), (occupied, "not legal")):
        with pytest.raises(WrongPuzzle, match=why):
            adviser.check(puzzle(REPLY, "B2", 0))


def test_a_limit_is_respected(checker: PuzzleChecker) -> None:
    with pytest.raises(LongPuzzle, match="more positions"):
        checker.check(puzzle(REPLY, "B2", 0), most=3)
    assert checker.check(puzzle(REPLY, "B2", 0)) > 3  # an interrupted proof is not taken for a finished one


def test_a_puzzle_of_another_game_is_refused() -> None:
    maker = PuzzleMaker(parse_rules("misere-tic-tac-toe"))
    with pytest.raises(WrongPuzzle, match="no puzzle of"):
        maker.checker.check(puzzle(FORK, "C1", 1))
