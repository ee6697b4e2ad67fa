"""Functions that make positions: one from its moves or board, all of a small game, or a sample of a large game."""

from collections.abc import Iterable
from numbers import Integral
from operator import index
from typing import SupportsIndex

from noughts.examine import sample as sampling
from noughts.examine.sample import Plies, Stratum
from noughts.positions import Position
from noughts.positions.board_text import is_board, moves_to
from noughts.rules import NoughtsError, Rules, RulesError, read_rules
from noughts.rules.errors import shortened

Moves = str | Iterable[str | SupportsIndex]
"""Moves as users write them: names of squares in one text, a list of names or cell indices, or the resulting board."""


def position(rules: Rules | str, moves: Moves = ()) -> Position:
    """Make a position from the moves that lead to it, or from its board.

    Args:
        rules: A game, or its text such as ``bttt(D4)``.
        moves: Names of squares such as ``"C4 D3"``, or a list of names or cell indices; or a board such as
            ``"XO..X...O"``, where the numbers of marks determine whose turn it is.

    Raises:
        RulesError: there is no such game or square, or no game leads to the board.
        IllegalMoveError: a move is not legal; the message names the first illegal one.
    """
    game = read_rules(rules)
    return Position.start(game, read_moves(game, moves))


def read_moves(game: Rules, moves: Moves) -> tuple[int, ...]:
    """Read moves as cell indices, also outside the board; RulesError if one is neither a square's name nor an integer."""
    if isinstance(moves, str):
        if is_board(moves):
            return moves_to(game, moves)
        moves = moves.replace(",", " ").split()
    wanted = f"give names of squares, such as {game.name_of(0)}, or numbers of cells, 0 to {game.size - 1}"
    if not isinstance(moves, Iterable):
        raise RulesError(f"moves {shortened(repr(moves), 50)} are no list: {wanted}")
    cells = []
    for move in moves:
        try:
            cells.append(game.cell_of(move) if isinstance(move, str) else index(move))
        except TypeError:
            raise RulesError(f"move {shortened(repr(move), 50)} is no square: {wanted}") from None
    return tuple(cells)


def all_positions(rules: Rules | str, *, plies: Plies | None = None, most: int = 1_000_000) -> list[Position]:
    """List every unfinished position of a small game once, by ply and in a fixed order.

    Args:
        rules: A game or its text.
        plies: The first and the last ply to list; None for all.
        most: Limit for the number of positions up to the last ply.

    Raises:
        NoughtsError: there are more positions than `most`.
    """
    game = read_rules(rules)
    strata = sampling.all_positions(game, most, _in_order(plies))
    if strata is None:
        raise NoughtsError(
            f"{game} has more than {most:,} positions: allow more with most=, or draw some with sample()"
        )
    return [position for stratum in strata for position in stratum.positions]


def sample(rules: Rules | str, n: int, seed: int = 0, *, plies: Plies | None = None) -> list[Position]:
    """Draw unfinished positions from uniformly random games, each once, as evenly over the plies as possible.

    If a ply has few positions, the sample has all of them, and more from other plies. The result is ordered by ply, and equal
    arguments give equal positions.

    Args:
        rules: A game or its text.
        n: Size of the sample. It is smaller if the game has fewer positions, or random games do not reach enough.
        seed: Seed of the sample.
        plies: The first and the last ply to draw from; None for all.

    Raises:
        NoughtsError: `n` is below 1, or random games end before these plies.
    """
    game = read_rules(rules)
    if not isinstance(n, Integral) or n < 1:
        raise NoughtsError(f"n={n!r} is not allowed: ask for 1 position or more")
    first, last = _in_order(plies) or (0, game.size)
    per_ply = -(-n // (last - first + 1))
    while True:
        strata = sampling.sample_positions(game, per_ply, seed, (first, last))
        there = sum(len(stratum.positions) for stratum in strata)
        if there >= n or per_ply >= n or all(stratum.complete for stratum in strata):
            break
        per_ply = min(n, 2 * per_ply)
    if not there:
        raise NoughtsError(f"no game of {game} was found that lasts to plies {first}-{last}: choose earlier plies")
    return _evenly(strata, n)


def _evenly(strata: Iterable[Stratum], n: int) -> list[Position]:
    """Choose `n` positions in order of ply, the same number from each ply if it has enough."""
    left, strata = n, sorted(strata, key=lambda stratum: len(stratum.positions))
    chosen: list[Position] = []
    for number, stratum in enumerate(strata):
        share = left // (len(strata) - number)  # small strata first, because larger ones can make up for them
        chosen += stratum.positions[:share]
        left -= min(share, len(stratum.positions))
    return sorted(chosen, key=lambda position: position.ply)


def _in_order(plies: Plies | None) -> Plies | None:
    """Return the plies; NoughtsError unless they are a first and a last ply."""
    if plies is None:
        return None
    try:
        first, last = map(index, plies)
    except (TypeError, ValueError):  # not a pair, or not integers
        first, last = 0, -1
    if not 0 <= first <= last:
        raise NoughtsError(
            f"plies={shortened(repr(plies), 50)} is not allowed: give the first and the last, such as (4, 10)"
        )
    return first, last
