"""Threats: a static evaluation of positions in which one side attacks and the other defends.

With the attacker to move:

    the attacker completes a line now                              proved
    the defender threatens to complete lines at two cells          disproved; with one, that cell is the only move
    no line is free of the defender's marks                        disproved
    a cell gives the attacker two threats, the defender has none   proved
    the Erdos-Selfridge sum is below 1/2                           disproved

The sum (Erdos and Selfridge, On a combinatorial game, 1973) is over the lines free of the defender's marks: 2^-m for
one that lacks m marks. With the defender to move and a sum below 1, it always takes the cell whose lines weigh most.
The attacker's next move then adds at most what the defender removed, so the sum stays below 1, and a complete line
alone would be 1. A move of the attacker at most doubles the sum, so before one it must be below 1/2.

With the defender to move: it completes a line, or answers the only threat; two threats are too many. Otherwise the
moves left are those on a line that at most one side has marked. A mark elsewhere is worth no more than a pass, and
passing is never better than adding a mark of one's own.
"""

import numpy as np

from noughts.positions.numba_kernel import kernel
from noughts.solvers.bits import count_bits, lowest

UNPROVED, PROVED, DISPROVED = 0, 1, 2
"""Whether the attacker can complete a line against every defence."""

_NONE_LIVE = 1000  # plies that no game has


@kernel
def judge(lines, attacker, defender, attacking, left):  # type: ignore[no-untyped-def]
    """Evaluate a position in which no line is complete.

    Args:
        lines: uint64 [lines], the cells of each line.
        attacker, defender: uint64, their marks.
        attacking: Whether the attacker is to move.
        left: Plies in which the line must be complete.

    Returns:
        PROVED, DISPROVED or UNPROVED; the moves worth searching, uint64, which may include marked cells; the
        cell that proves or disproves it for the side to move, or -1.
    """
    nothing, one = np.uint64(0), np.uint64(1)
    wins, blocks, worth = nothing, nothing, nothing  # cells
    once, twice = nothing, nothing  # cells of lines on which the attacker lacks two
    least = _NONE_LIVE
    total = 0.0
    for number in range(lines.size):
        line = lines[number]
        if line & defender == nothing:
            rest = line & ~attacker
            lacking = count_bits(rest)
            least = min(least, lacking)
            worth |= rest
            total += 1.0 / (one << np.uint64(lacking))
            if lacking == 1:
                wins |= rest
            elif lacking == 2:
                twice |= once & rest
                once |= rest
        elif line & attacker == nothing:
            rest = line & ~defender
            worth |= rest
            if count_bits(rest) == 1:
                blocks |= rest
    needed = 2 * least - 1 if attacking else 2 * least
    if needed > left:
        return DISPROVED, nothing, np.int64(-1)
    if attacking:
        if wins != nothing:
            return PROVED, nothing, lowest(wins)
        if count_bits(blocks) >= 2 or total < 0.5:
            return DISPROVED, nothing, np.int64(-1)
        forks = twice if blocks == nothing else twice & blocks
        while forks != nothing and left >= 3:
            fork = lowest(forks)
            if _threats(lines, attacker, defender, fork) >= 2:
                return PROVED, nothing, fork
            forks &= forks - one
        return UNPROVED, blocks if blocks != nothing else worth, np.int64(-1)
    if blocks != nothing:
        return DISPROVED, nothing, lowest(blocks)
    if count_bits(wins) >= 2:
        return PROVED, nothing, np.int64(-1)
    if total < 1.0:
        return DISPROVED, nothing, np.int64(-1)
    return UNPROVED, wins if wins != nothing else worth, np.int64(-1)


@kernel
def _threats(lines, attacker, defender, cell):  # type: ignore[no-untyped-def]
    """The number of cells at which the attacker would threaten to complete a line after marking `cell`.

    Two lines through the cell that lack the same other cell, as overlapping ones do, are one threat.
    """
    marked = attacker | (np.uint64(1) << np.uint64(cell))
    wins = np.uint64(0)
    for number in range(lines.size):
        line = lines[number]
        if line & defender == np.uint64(0):
            rest = line & ~marked
            if count_bits(rest) == 1:
                wins |= rest
    return count_bits(wins)
