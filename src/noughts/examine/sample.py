"""Unfinished positions of one game, by ply: all of them, or a sample."""

from typing import NamedTuple

import numpy as np

from noughts.positions import Outcome, Position, Rng, derive_seed
from noughts.positions.kernels import FREE, OUTCOME, PLY, below, board_at, copy_board, new_board, play, tables
from noughts.positions.numba_kernel import kernel
from noughts.rules import Rules
from noughts.search.rollout import kernel_rng

TRIES = 1000
"""Random games to try for one position of a sample."""
_HOPELESS = 10  # failed positions without any success after which the sample ends before that ply
_ONGOING = int(Outcome.ONGOING)

Plies = tuple[int, int]
"""First and last ply."""


class Stratum(NamedTuple):
    """Distinct unfinished positions of one ply. `complete`: there are no others."""

    ply: int
    positions: tuple[Position, ...]
    complete: bool


def all_positions(rules: Rules, most: int, plies: Plies | None = None) -> tuple[Stratum, ...] | None:
    """Return every unfinished position, by ply and in a fixed order; None if there are more than `most`.

    With `plies`, only positions of these plies; `most` then limits all up to the last of them.
    """
    first, last = plies or (0, rules.size)
    strata: list[Stratum] = []
    level: tuple[Position, ...] | None = (Position.start(rules),)
    for ply in range(min(last, rules.size) + 1):
        if level is None or len(level) > most:
            return None
        if not level:
            break
        if ply >= first:
            strata.append(Stratum(ply, level, complete=True))
        most -= len(level)
        level = _next_level(level, most) if ply < last else ()
    return tuple(strata)


def sample_positions(rules: Rules, per_ply: int, seed: int, plies: Plies | None = None) -> tuple[Stratum, ...]:
    """Return up to `per_ply` unfinished positions for each ply: all of them if there are no more.

    Otherwise uniformly random play from the empty board draws them, each with its own seed. A game that ends
    too soon is played again, at most `TRIES` times, and duplicates are dropped. So positions that more games
    lead to are likelier. The sample ends with the last ply that such games reach.
    """
    first, last = plies or (0, rules.size)
    strata: list[Stratum] = []
    level: tuple[Position, ...] | None = (Position.start(rules),)
    for ply in range(min(last, rules.size) + 1):
        if level is None and ply < first:
            continue
        positions = _draw(rules, ply, per_ply, seed) if level is None else level
        if not positions:
            break
        if ply >= first:
            strata.append(Stratum(ply, positions, complete=level is not None))
        level = None if level is None else _next_level(level, per_ply)
    return tuple(strata)


def _next_level(level: tuple[Position, ...], most: int) -> tuple[Position, ...] | None:
    """The distinct unfinished positions one ply later; None if there are more than `most`."""
    found: dict[tuple[bytes, frozenset[int]], Position] = {}
    for position in level:
        for move in position.legal_moves:
            after = position.play(move)
            if not after.is_over:
                found.setdefault((after.cells, after.closed), after)
                if len(found) > most:
                    return None
    return tuple(found.values())


def _draw(rules: Rules, ply: int, number: int, seed: int) -> tuple[Position, ...]:
    """Up to `number` different positions of that ply."""
    game, start, board = tables(rules), board_at(Position.start(rules)), new_board(rules)
    path = np.zeros(ply, np.int64)
    found: dict[tuple[bytes, frozenset[int]], Position] = {}
    for drawn in range(number):
        if not found and drawn >= _HOPELESS:
            break
        rng = Rng(derive_seed(seed, "score", rules.to_json(), ply, drawn))
        if _play_so_far(game, start, board, ply, TRIES, kernel_rng(rng), path):
            position = Position.start(rules, tuple(map(int, path)))
            found.setdefault((position.cells, position.closed), position)
    return tuple(found.values())


@kernel
def _play_so_far(tables, start, board, ply, tries, rng, path):  # type: ignore[no-untyped-def]
    """Play random games from `start` until one is unfinished after `ply` moves; return whether one of `tries` is.

    Its moves are then in `path`, int64 [ply]. `board` is scratch.
    """
    for _ in range(tries):
        copy_board(start, board)
        while board.counts[OUTCOME] == _ONGOING and board.counts[PLY] < ply:
            cell = board.free[below(rng, board.counts[FREE])]
            path[board.counts[PLY]] = cell
            play(tables, board, cell)
        if board.counts[OUTCOME] == _ONGOING:
            return True
    return False
