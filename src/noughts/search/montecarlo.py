"""Flat Monte Carlo, and the omniscient adversary of the evolution paper: average random games for each move.

Both value every legal move by the mean result of `simulations` games that begin with it, and play the best
move, with random tie-breaking. In flat Monte Carlo both sides move at random in those games. The omniscient
adversary moves at random itself, but takes the replies from the opponent's own agent.
"""

from collections.abc import Callable, Iterator

import numpy as np

from noughts.positions import Position, Rng
from noughts.positions.kernels import board_at, new_board, play, rollouts, tables, undo
from noughts.positions.numba_kernel import kernel
from noughts.search.result import MAX_SIMULATIONS, Kind, MoveResult, SearchResult, last, require_unfinished
from noughts.search.rollout import RolloutPosition, kernel_rng, reference_rng, rollout_reference

Policy = Callable[[Position, Rng], int]
"""Chooses a legal move."""

SLICE_PLIES = 2_000_000
"""Plies played between two checks for Ctrl-C."""


def flat_monte_carlo(position: Position, simulations: int, rng: Rng) -> SearchResult:
    """Search with random games for both sides, `simulations` for each legal move."""
    return last(flat_monte_carlo_stepwise(position, simulations, rng))


def flat_monte_carlo_stepwise(position: Position, simulations: int, rng: Rng) -> Iterator[SearchResult]:
    """Yield the results so far of `flat_monte_carlo`, move by move, every few hundredths of a second; the last one is
    its result."""
    _check(position, simulations)
    state = kernel_rng(rng)
    game, board, scratch = tables(position.rules), board_at(position), new_board(position.rules)
    games, since = max(1, SLICE_PLIES // position.rules.size), 0
    played: dict[int, tuple[int, int]] = {}
    for move in position.legal_moves:
        tally = np.zeros(4, np.int64)
        for start in range(0, simulations, games):
            count = min(games, simulations - start)
            _simulate(game, board, scratch, move, count, state, tally)
            won, lost = (tally[1], tally[2]) if position.to_move == 0 else (tally[2], tally[1])
            played[move] = (start + count, int(won - lost))
            since += count
            if since >= games:
                since = 0
                yield _best(position, played, Rng(int(state[0])))
    yield _best(position, played, Rng(int(state[0])))


def flat_monte_carlo_reference(position: Position, simulations: int, rng: Rng) -> SearchResult:
    """The same search in plain Python, with an equal result for an equal `rng`."""
    _check(position, simulations)
    rng = reference_rng(rng)
    totals = dict.fromkeys(position.legal_moves, 0)
    for move in totals:
        for _ in range(simulations):
            walk = RolloutPosition(position)
            walk.play(move)
            totals[move] += rollout_reference(walk, rng).value(position.to_move)
    return _best(position, {move: (simulations, total) for move, total in totals.items()}, rng)


def omniscient_adversary(position: Position, simulations: int, opponent: Policy, rng: Rng) -> SearchResult:
    """Search with `simulations` games for each legal move: random for the side to move, `opponent`'s for the other."""
    return last(omniscient_stepwise(position, simulations, opponent, rng))


def omniscient_stepwise(position: Position, simulations: int, opponent: Policy, rng: Rng) -> Iterator[SearchResult]:
    """Yield the results so far of `omniscient_adversary` after each move's games; the last one is its result."""
    _check(position, simulations)
    side = position.to_move
    played: dict[int, tuple[int, int]] = {}
    for move in position.legal_moves:
        if played:
            yield _best(position, played, Rng())
        total = 0
        for _ in range(simulations):
            game = position.play(move)
            while not game.is_over:
                legal = game.legal_moves
                reply = legal[rng.below(len(legal))] if game.to_move == side else opponent(game, rng)
                game = game.play(reply)
            total += game.outcome.value(side)
        played[move] = (simulations, total)
    yield _best(position, played, rng)


def _check(position: Position, simulations: int) -> None:
    require_unfinished(position)
    if not 1 <= simulations <= MAX_SIMULATIONS:
        raise ValueError(f"simulations={simulations}: give 1 to {MAX_SIMULATIONS} for each move")


def _best(position: Position, played: dict[int, tuple[int, int]], rng: Rng) -> SearchResult:
    """The result with a random one of the best moves, from the number and the total of the games of each move."""
    means = {move: total / games for move, (games, total) in played.items()}
    best = max(means.values())
    equal = [move for move, mean in means.items() if mean == best]
    move = equal[rng.below(len(equal))]
    moves = tuple(MoveResult(m, played[m][0] if m in played else 0, means.get(m, 0.0)) for m in position.legal_moves)
    return SearchResult(move, best, Kind.ESTIMATE, moves, (move,), sum(games for games, _ in played.values()))


@kernel
def _simulate(tables, board, scratch, move, games, rng, tally):  # type: ignore[no-untyped-def]
    play(tables, board, move)
    rollouts(tables, board, scratch, games, rng, tally)
    undo(tables, board, move)
