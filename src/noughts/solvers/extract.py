"""Builds a certificate: finds the winner's moves against every reply, level by level."""

from collections.abc import Callable

import numpy as np

from noughts.positions import Side
from noughts.positions.numba_kernel import kernel
from noughts.rules import Rules, SolverError
from noughts.solvers.bits import WORD, GameWords, canonical, game_words
from noughts.solvers.certificate import Certificate, Words, sorted_certificate

LIMIT = 1_000_000
"""Most entries of a certificate by default. The checker reads up to twice as many."""

_CHUNK = 4096  # positions expanded at a time: their replies lead to at most 4 MiB of positions

WinningMove = Callable[[int, int], int | None]
"""Returns a move that keeps the win in the position of these two words, with the winner to move; None if none is known.
It is not called where the winner can win at once."""


def extract(
    rules: Rules,
    winner: Side,
    winning_move: WinningMove,
    limit: int = LIMIT,
    progress: Callable[[int], object] = lambda entries: None,
) -> Certificate:
    """Follow every reply to the winner's moves, level by level, and record each move.

    Args:
        rules: A game of up to 64 cells that `winner` wins.
        winner: The side to find moves for.
        winning_move: Called once for each canonical position. Every move that it returns is checked until the
            games end, so the result is a proof.
        limit: Most entries.
        progress: Called a few times a second with the number of entries.

    Raises:
        SolverError: too many cells or entries, no known move, or a move that does not win. Errors of
            `winning_move` propagate.
    """
    if rules.size > WORD:
        raise SolverError(f"certificates are for up to {WORD} cells: {rules} has {rules.size}")
    game = game_words(rules)
    level: tuple[Words, Words] = (np.zeros(1, np.uint64), np.zeros(1, np.uint64))
    if winner == Side.SECOND:
        level = _after_replies(rules, game, winner, *level)
    elif _wins_at_once(game, int(winner), *level):
        level = _nothing()
    levels = [(*_nothing(), np.empty(0, np.uint8))]
    entries = 0
    while len(level[0]):
        if entries + len(level[0]) > limit:
            raise SolverError(f"a certificate of {rules} would have more than {limit:,} entries; that many are allowed")
        moves = np.empty(len(level[0]), np.int64)
        for number, (first, second) in enumerate(zip(level[0].tolist(), level[1].tolist(), strict=True)):
            move = winning_move(first, second)
            if move is None:
                raise SolverError(f"no winning move of the {winner} player was found {_where(rules, first, second)}")
            moves[number] = move
            if number % 256 == 0:
                progress(entries + number)
        levels.append((*level, moves.astype(np.uint8)))
        entries += len(moves)
        parts = [_nothing()]
        for begin in range(0, len(moves), _CHUNK):
            first, second = (words[begin : begin + _CHUNK].copy() for words in level)
            bad = _play(game, int(winner), first, second, moves[begin : begin + _CHUNK])
            if bad >= 0:
                where = _where(rules, int(level[0][begin + bad]), int(level[1][begin + bad]))
                raise SolverError(
                    f"the move {moves[begin + bad]} does not win {where}: it is illegal, or ends the game"
                )
            parts.append(_after_replies(rules, game, winner, first, second))
        level = _distinct(*(np.concatenate(words) for words in zip(*parts, strict=True)))
        progress(entries)
    first, second, moves_made = (np.concatenate(column) for column in zip(*levels, strict=True))
    return sorted_certificate(rules, winner, first, second, moves_made)


def _where(rules: Rules, first: int, second: int) -> str:
    """Describe a position, for error messages."""
    marks = (
        " ".join(rules.name_of(cell) for cell in range(rules.size) if word >> cell & 1) for word in (first, second)
    )
    held = [f"{symbol} on {names}" for symbol, names in zip("XO", marks, strict=True) if names]
    return f"in {rules} with {' and '.join(held) or 'no marks'}"


def _nothing() -> tuple[Words, Words]:
    return np.empty(0, np.uint64), np.empty(0, np.uint64)


def _distinct(first: Words, second: Words) -> tuple[Words, Words]:
    order = np.lexsort((second, first))
    first, second = first[order], second[order]
    new = np.ones(len(first), bool)
    new[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return first[new], second[new]


def _after_replies(rules: Rules, game: GameWords, winner: Side, first: Words, second: Words) -> tuple[Words, Words]:
    """The positions after every reply, canonical and distinct, except those in which the winner wins at once."""
    out_first, out_second = (np.empty(len(first) * rules.size, np.uint64) for _ in range(2))
    count, bad = _reply(game, int(winner), first, second, out_first, out_second)
    if bad >= 0:
        where = _where(rules, int(first[bad]), int(second[bad]))
        raise SolverError(f"{winner} does not win: there is a reply that ends the game {where}")
    return _distinct(out_first[:count], out_second[:count])


@kernel
def _endings(game, first, second, side):  # type: ignore[no-untyped-def]
    """The legal cells of `side`, and those that end the game: won by the first player, by the second, drawn."""
    nothing, one = np.uint64(0), np.uint64(1)
    marks = second if side == 1 and not game.shared else first
    completing, cells, living = nothing, nothing, 0
    for board in range(game.boards.size):
        closed = False
        for line in range(board * game.lines_each, (board + 1) * game.lines_each):
            missing = game.lines[line] & ~marks
            if missing == nothing:
                closed = True  # only with several boards, where the game continues
            elif missing & (missing - one) == nothing:
                completing |= missing
        if not closed:
            living += 1
            cells |= game.boards[board] & ~(first | second)
    completing &= cells
    by_line = completing if living == 1 else nothing
    no_room = cells & ~by_line if cells & (cells - one) == nothing else nothing  # closing one of several leaves room
    maker_wins = game.wins == (side == 0)  # whether completing a line wins for the first player
    to_first = (by_line if maker_wins else nothing) | (no_room if game.full == 1 else nothing)
    to_second = (nothing if maker_wins else by_line) | (no_room if game.full == 2 else nothing)
    return cells, to_first, to_second, (no_room if game.full == 0 else nothing)


@kernel
def _wins_at_once(game, winner, first, second):  # type: ignore[no-untyped-def]
    """Whether the winner, to move, wins with its next move, in the first of these positions."""
    _, to_first, to_second, _ = _endings(game, first[0], second[0], winner)
    return (to_first if winner == 0 else to_second) != np.uint64(0)


@kernel
def _play(game, winner, first, second, moves):  # type: ignore[no-untyped-def]
    """Make the winner's moves in place; return the index of the first that is illegal or ends the game, or -1."""
    for number in range(first.size):
        cells, to_first, to_second, drawn = _endings(game, first[number], second[number], winner)
        if moves[number] < 0 or moves[number] > 63:
            return number
        mark = np.uint64(1) << np.uint64(moves[number])
        if mark & cells & ~(to_first | to_second | drawn) == np.uint64(0):
            return number
        if winner == 0 or game.shared:
            first[number] |= mark
        else:
            second[number] |= mark
    return -1


@kernel
def _reply(game, winner, first, second, out_first, out_second):  # type: ignore[no-untyped-def]
    """Write the positions after all replies into `out_`: canonical, without those that win at once. Return their
    number, and the index of the first position in which a reply ends the game without a win for the winner, or -1."""
    nothing, count = np.uint64(0), 0
    for number in range(first.size):
        cells, to_first, to_second, drawn = _endings(game, first[number], second[number], 1 - winner)
        won = to_first if winner == 0 else to_second
        if (to_first | to_second | drawn) != won:
            return count, number
        cells &= ~won
        while cells != nothing:
            mark = cells & (~cells + np.uint64(1))
            cells ^= mark
            after_first, after_second = first[number], second[number]
            if winner == 1 or game.shared:
                after_first |= mark
            else:
                after_second |= mark
            _, to_first, to_second, _ = _endings(game, after_first, after_second, winner)
            if (to_first if winner == 0 else to_second) == nothing:
                out_first[count], out_second[count], _ = canonical(game.images, after_first, after_second)
                count += 1
    return count, -1
