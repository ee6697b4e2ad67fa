"""Rounds on a game of any size: moves are made on boards, and a network evaluates each position that is reached.

If two words can hold a position, a table caches a network's choices by position, because the adversary's simulations reach the
same positions many times. A later position replaces an earlier one in the same place.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.networks.value_network import Parameters, room
from noughts.positions import Position
from noughts.positions.kernels import (
    FREE,
    OUTCOME,
    PLY,
    MutableBoard,
    below,
    board_at,
    copy_board,
    new_board,
    play,
    tables,
    uniform,
)
from noughts.positions.numba_kernel import kernel
from noughts.positions.position import Outcome
from noughts.rules import Rules
from noughts.search.lookahead import is_free, value_moves
from noughts.training.evolution.rounds import OpponentSettings
from noughts.training.evolution.table import DRAWS, LOSSES, PLIES, WINS, worth_to

_ONGOING = int(Outcome.ONGOING)


class Memory(NamedTuple):
    """The cache of networks' choices: each place holds the latest position that maps to it, and which network chose.

    Attributes:
        first, second: uint64 [places] the marks of either side, as in `MutableBoard.marks`.
        owner: int64 [places] the network; 0 for an empty place.
        choice: uint64 [places] bit c: cell c may be chosen.
    """

    first: NDArray[np.uint64]
    second: NDArray[np.uint64]
    owner: NDArray[np.int64]
    choice: NDArray[np.uint64]


class Room(NamedTuple):
    """Scratch memory for games and network evaluations; one for each thread."""

    board: MutableBoard
    thought: MutableBoard
    memory: Memory
    active: NDArray[np.int32]
    layer: NDArray[np.float64]
    sums: NDArray[np.float64]
    worth: NDArray[np.float64]  # [size] the value of each move
    best: NDArray[np.int32]  # [size] the moves that may be chosen, ascending
    totals: NDArray[np.int64]  # [size] the results of the adversary's moves
    rng: NDArray[np.uint64]  # [1]


class NetworkStack(NamedTuple):
    """Networks of one shape.

    Attributes:
        widths: int64 [layers + 1].
        parameters: float64 [networks, parameters]; without any, moves are random.
        owners: int64 [networks] a unique number for each; 0 is not used.
        tolerance: The largest difference in value between equal moves.
    """

    widths: NDArray[np.int64]
    parameters: Parameters
    owners: NDArray[np.int64]
    tolerance: float


def new_room(rules: Rules, widths: tuple[int, ...], places: int = 1 << 18) -> Room:
    """Scratch memory for a game and networks of these widths, with a cache of `places` positions, a power of two."""
    size = rules.size
    kept = places if tables(rules).packed else 1
    memory = Memory(
        np.zeros(kept, np.uint64), np.zeros(kept, np.uint64), np.zeros(kept, np.int64), np.zeros(kept, np.uint64)
    )
    return Room(
        new_board(rules),
        new_board(rules),
        memory,
        *room(widths),
        np.empty(size),
        np.empty(size, np.int32),
        np.empty(size, np.int64),
        np.zeros(1, np.uint64),
    )


def play_direct(
    rules: Rules,
    candidate: NetworkStack,
    opponents: NetworkStack,
    settings: OpponentSettings,
    seeds: NDArray[np.uint64],
    where: Room,
    tally: NDArray[Any],
) -> None:
    """Play a round for each seed, and add the results to `tally`, int64 [4]. Only the first network of `candidate` is used."""
    start = board_at(Position.start(rules))
    _play_rounds(tables(rules), start, candidate, opponents, settings, seeds, where, tally)


@kernel
def _nth_free(tables, board, skip):  # type: ignore[no-untyped-def]
    """The legal cell number `skip`, counted from 0."""
    for cell in range(board.cells.size):
        if is_free(tables, board, cell):
            if skip == 0:
                return cell
            skip -= 1
    return -1


@kernel
def _decide(tables, board, networks, which, where):  # type: ignore[no-untyped-def]
    """Write the moves that a network may choose into `where.best`, and return their number."""
    size, count = board.cells.size, 0
    memory, place = where.memory, np.int64(0)
    if tables.packed:
        mixed = board.marks[0] * np.uint64(0x9E3779B97F4A7C15) ^ (board.marks[1] + np.uint64(1)) * np.uint64(
            0xC2B2AE3D27D4EB4F
        )
        mixed ^= mixed >> np.uint64(29)
        place = np.int64(mixed & np.uint64(memory.owner.size - 1))
        if (
            memory.owner[place] == networks.owners[which]
            and memory.first[place] == board.marks[0]
            and memory.second[place] == board.marks[1]
        ):
            for cell in range(size):
                if (memory.choice[place] >> np.uint64(cell)) & np.uint64(1):
                    where.best[count] = cell
                    count += 1
            return count
    best = value_moves(
        tables, board, networks.widths, networks.parameters[which], where.active, where.layer, where.sums, where.worth
    )
    choice = np.uint64(0)
    for cell in range(size):
        if is_free(tables, board, cell) and best - where.worth[cell] <= networks.tolerance:
            where.best[count] = cell
            count += 1
            if tables.packed:
                choice |= np.uint64(1) << np.uint64(cell)
    if tables.packed:
        memory.first[place], memory.second[place] = board.marks[0], board.marks[1]
        memory.owner[place], memory.choice[place] = networks.owners[which], choice
    return count


@kernel
def _choose(tables, board, networks, which, where):  # type: ignore[no-untyped-def]
    """A network's move, one of its best; a random legal move if there is no network."""
    if networks.parameters.shape[0] == 0:
        free = board.counts[FREE]
        return _nth_free(tables, board, below(where.rng, free) if free > 1 else 0)
    count = _decide(tables, board, networks, which, where)
    return np.int64(where.best[below(where.rng, count) if count > 1 else 0])


@kernel
def _adversary(tables, board, networks, which, settings, where):  # type: ignore[no-untyped-def]
    """The move of `search.montecarlo.omniscient_adversary`."""
    side, thought = board.counts[PLY] & 1, where.thought
    highest, equal = -settings.simulations - 1, 0
    for cell in range(board.cells.size):
        if not is_free(tables, board, cell):
            continue
        total = 0
        for _ in range(settings.simulations):
            copy_board(board, thought)
            move = np.int64(cell)
            while True:
                play(tables, thought, move)
                if thought.counts[OUTCOME] != _ONGOING:
                    break
                if (thought.counts[PLY] & 1) == side:
                    move = _nth_free(tables, thought, below(where.rng, thought.counts[FREE]))
                else:
                    move = _choose(tables, thought, networks, which, where)
            total += worth_to(thought.counts[OUTCOME], side)
        where.totals[cell] = total
        if total > highest:
            highest, equal = total, 0
        equal += total == highest
    skip = below(where.rng, equal)
    for cell in range(board.cells.size):
        if is_free(tables, board, cell) and where.totals[cell] == highest:
            if skip == 0:
                return np.int64(cell)
            skip -= 1
    return np.int64(-1)


@kernel
def _play_rounds(tables, start, candidate, opponents, settings, seeds, where, tally):  # type: ignore[no-untyped-def]
    """`rounds.play_round` for each seed."""
    board = where.board
    for number in range(seeds.size):
        for side in range(2):
            where.rng[0] = seeds[number]
            networks, which = (candidate if settings.own else opponents), np.int64(0)
            if not settings.own and opponents.parameters.shape[0] > 1:
                which = below(where.rng, opponents.parameters.shape[0])
            copy_board(start, board)
            while board.counts[OUTCOME] == _ONGOING:
                if (board.counts[PLY] & 1) == side:
                    move = _choose(tables, board, candidate, 0, where)
                elif settings.omniscient:
                    move = _adversary(tables, board, networks, which, settings, where)
                elif settings.random_moves > 0 and uniform(where.rng) < settings.random_moves:
                    free = board.counts[FREE]
                    move = _nth_free(tables, board, below(where.rng, free) if free > 1 else 0)
                else:
                    move = _choose(tables, board, networks, which, where)
                play(tables, board, move)
            worth = worth_to(board.counts[OUTCOME], side)
            tally[WINS] += worth > 0
            tally[DRAWS] += worth == 0
            tally[LOSSES] += worth < 0
            tally[PLIES] += board.counts[PLY]
