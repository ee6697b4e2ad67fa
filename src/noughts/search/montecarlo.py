"""Flat Monte Carlo, and the omniscient adversary of the evolution paper: average some games for each move.

Both value every legal move by the mean result of `simulations` games that begin with it, and play the best,
one of equals at random. In flat Monte Carlo both sides move at random in those games. The omniscient adversary
knows its opponent's mind: it moves at random itself, and asks the opponent's own agent for the replies.
"""

from collections.abc import Callable

import numpy as np

from noughts.positions import Position, Rng
from noughts.positions.compiled import kernel
from noughts.positions.kernels import board_at, new_board, play, rollouts, tables, undo
from noughts.rules import IllegalMoveError
from noughts.search.result import MAX_SIMULATIONS, Kind, MoveResult, SearchResult
from noughts.search.rollout import Walk, kernel_rng, reference_rng, rollout_reference

Policy = Callable[[Position, Rng], int]
"""Chooses a legal move."""

_SLICE = 2_000_000  # plies between two looks at the keyboard


def flat_monte_carlo(position: Position, simulations: int, rng: Rng) -> SearchResult:
    """Random games for both sides, `simulations` for each legal move."""
    _check(position, simulations)
    state = kernel_rng(rng)
    game, board, scratch = tables(position.rules), board_at(position), new_board(position.rules)
    games = max(1, _SLICE // position.rules.size)
    totals = {}
    for move in position.legal_moves:
        tally = np.zeros(4, np.int64)
        for start in range(0, simulations, games):
            _simulate(game, board, scratch, move, min(games, simulations - start), state, tally)
        won, lost = (tally[1], tally[2]) if position.to_move == 0 else (tally[2], tally[1])
        totals[move] = int(won - lost)
    return _best(position, totals, simulations, Rng(int(state[0])))


def flat_monte_carlo_reference(position: Position, simulations: int, rng: Rng) -> SearchResult:
    """The same in plain Python; equal for an equal `rng`."""
    _check(position, simulations)
    rng = reference_rng(rng)
    totals = dict.fromkeys(position.legal_moves, 0)
    for move in totals:
        for _ in range(simulations):
            walk = Walk(position)
            walk.play(move)
            totals[move] += rollout_reference(walk, rng).value(position.to_move)
    return _best(position, totals, simulations, rng)


def omniscient_adversary(position: Position, simulations: int, opponent: Policy, rng: Rng) -> SearchResult:
    """Random moves for the side to move, `opponent`'s own for the other, `simulations` games for each legal move."""
    _check(position, simulations)
    side = position.to_move
    totals = dict.fromkeys(position.legal_moves, 0)
    for move in totals:
        for _ in range(simulations):
            game = position.play(move)
            while not game.is_over:
                legal = game.legal_moves
                reply = legal[rng.below(len(legal))] if game.to_move == side else opponent(game, rng)
                game = game.play(reply)
            totals[move] += game.outcome.value(side)
    return _best(position, totals, simulations, rng)


def _check(position: Position, simulations: int) -> None:
    if position.is_over:
        raise IllegalMoveError("the game is over: there is no move to search for")
    if not 1 <= simulations <= MAX_SIMULATIONS:
        raise ValueError(f"simulations={simulations}: give 1 to {MAX_SIMULATIONS} for each move")


def _best(position: Position, totals: dict[int, int], simulations: int, rng: Rng) -> SearchResult:
    """The result whose move is one of the best, at random."""
    best = max(totals.values())
    equal = [move for move, total in totals.items() if total == best]
    move = equal[rng.below(len(equal))]
    moves = tuple(MoveResult(m, simulations, total / simulations) for m, total in totals.items())
    return SearchResult(move, best / simulations, Kind.ESTIMATE, moves, (move,), simulations * len(totals))


@kernel
def _simulate(tables, board, scratch, move, games, rng, tally):  # type: ignore[no-untyped-def]
    """Rollouts that begin with `move`."""
    play(tables, board, move)
    rollouts(tables, board, scratch, games, rng, tally)
    undo(tables, board, move)
