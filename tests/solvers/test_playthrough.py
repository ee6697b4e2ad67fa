"""The values of a playthrough's positions: true at every step, and those that follow from a proof are not solved."""

import itertools
import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from noughts.positions import Position
from noughts.rules import SolverError, parse_rules
from noughts.solvers.playthrough import PlaythroughTruth, best_line
from noughts.solvers.solution import Budget, Proof, Solution
from noughts.solvers.solve import Truth
from tests.positions.reached import at, played_out

GAMES = ("tic-tac-toe", "misere-tic-tac-toe", "mnk(4,4,3,full=second)", "notakto(3)", "notakto(3,boards=2)")
LOST = "A1 C3 A2 C4 A6 C5 F7 C6"
"""In bttt(D4): the second player finds what the first one misses."""


def playthrough(game: str, moves: str) -> list[Position]:
    last = at(game, moves)
    return [Position.start(last.rules, last.moves[:ply]) for ply in range(last.ply + 1)]


def work(positions: list[Position], seconds: float = 1e9) -> tuple[PlaythroughTruth, list[tuple[int, Solution]]]:
    """All results, and those after each step, with a clock that advances 1 at each call."""
    clock = itertools.count()
    truth = PlaythroughTruth(Truth(positions[0].rules, 1 << 24), positions)
    steps = [(index, truth[index][0]) for index in truth.work(seconds, lambda: float(next(clock)), lambda: False)]
    return truth, steps


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_everything_is_found_and_no_step_is_wrong(game: str, seed: int) -> None:
    positions = played_out(parse_rules(game), random.Random(seed))
    true = [Truth(position.rules).solve(position, distances="all") for position in positions]
    found, steps = work(positions)
    for ply, step in steps:
        whole = true[ply]
        assert step.low <= whole.low <= step.high
        for move, known in zip(whole.moves, step.moves, strict=False):
            assert known.low <= move.low <= known.high
    assert found.open == ()
    values = [whole.low for whole in true]
    backwards = reversed(list(enumerate(pairwise(values))))
    assert found.mistakes == tuple(ply for ply, (before, after) in backwards if before > -after)
    for ply, (position, whole) in enumerate(zip(positions, true, strict=True)):
        said, line = found[ply]
        assert (said.low, said.high) == (whole.low, whole.low)
        assert [(move.move, move.value) for move in said.moves] == [(move.move, move.value) for move in whole.moves]
        if not position.is_over:
            assert said.span == whole.span
            assert len(line) == (whole.span.plies if whole.span else 0)


@pytest.mark.heavy
def test_a_mistake_is_inferred_if_one_proof_is_too_hard(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first move lost the game. It is not proved directly, but follows from the position after the reply."""
    positions, asked = playthrough("bttt(D4)", LOST), []
    prove = Truth.prove

    def refuse_the_second(truth: Truth, position: Position, budget: Budget | None = None) -> Proof:
        asked.append(position.ply)
        return Proof(-1, 1) if position.ply == 1 else prove(truth, position, budget)

    monkeypatch.setattr(Truth, "prove", refuse_the_second)
    truth = PlaythroughTruth(Truth(positions[0].rules, 1 << 26), positions)
    for _ in truth.work(1e9, lambda: 0.0, lambda: truth.open == ()):
        pass
    assert truth.mistakes == (0,)
    assert [truth[ply][0].low for ply in range(9)] == [1, 1, -1, 1, -1, 1, -1, 1, -1]
    assert {5, 7, 8}.isdisjoint(asked)  # follows from the adjacent positions


def test_a_line_stopped_by_the_time_limit_is_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = playthrough("mnk(4,4,3)", "A1 B2 A2")
    now = 0.0

    def cut(truth: Truth, position: Position, expired: Callable[[], bool]) -> tuple[int, ...]:
        nonlocal now
        line = best_line(truth, position)
        if now:
            return line
        now = 45.0  # of 100 seconds
        assert expired()
        return line[:1]

    monkeypatch.setattr("noughts.solvers.playthrough.best_line", cut)
    truth = PlaythroughTruth(Truth(positions[0].rules, 1 << 24), positions)
    lines = [(ply, truth[ply][1]) for ply in truth.work(100.0, lambda: now, lambda: False) if truth[ply][1]]
    broken, line = lines[0]
    assert len(line) == 1
    assert truth[broken][1] == best_line(Truth(positions[0].rules), positions[broken])
    assert len(truth[broken][1]) > 1


def test_it_stops_at_its_time_limit_and_returns_what_it_proved() -> None:
    positions = playthrough("bttt(D4)", LOST)
    found, steps = work(positions, seconds=0)
    assert [ply for ply, _ in steps] == [8, 7]
    assert found.open == tuple(range(7))


def test_a_game_is_rejected_only_if_no_position_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SolverError, match="no solver covers gomoku"):
        work(playthrough("gomoku", "H8 H9"))
    prove = Truth.prove

    def late_only(truth: Truth, position: Position, budget: Budget | None = None) -> Proof:
        if position.ply < 3:
            raise SolverError("too early")
        return prove(truth, position, budget)

    monkeypatch.setattr(Truth, "prove", late_only)
    found, _ = work(playthrough("tic-tac-toe", "A1 B2 C3 A2 B1 C1 C2"))
    assert set(found.open) <= {0, 1, 2}


def test_the_best_line_wins_soonest_and_resists_longest() -> None:
    position = at("mnk(4,4,3)", "B2 A1")
    line = best_line(Truth(position.rules), position)
    for move in line:
        whole = Truth(position.rules).solve(position, distances="all")
        assert move in whole.best
        position = position.play(move)
    assert position.is_over
    drawn = at("tic-tac-toe", "B2 A1")
    assert best_line(Truth(drawn.rules), drawn) == ()
    assert best_line(Truth(position.rules), at("mnk(4,4,3)", "B2 A1"), lambda: True) == ()
