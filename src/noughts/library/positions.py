"""Positions for programs: one by its moves, all of a small game, or a sample of a large one."""

from collections.abc import Iterable

from noughts.examine import sample as sampling
from noughts.examine.sample import Plies, Stratum
from noughts.positions import Position
from noughts.rules import NoughtsError, Rules, read_rules


def position(rules: Rules | str, moves: str | Iterable[int] = ()) -> Position:
    """The position after some moves from the empty board.

    Args:
        rules: A game, or its text such as ``bttt(D4)``.
        moves: Names of squares such as ``"C4 D3"``, or cell indices.

    Raises:
        RulesError: there is no such game or square.
        IllegalMoveError: a move is not legal; it names the first.
    """
    game = read_rules(rules)
    if isinstance(moves, str):
        return Position.start(game, tuple(map(game.cell_of, moves.replace(",", " ").split())))
    return Position.start(game, tuple(moves))


def all_positions(rules: Rules | str, *, plies: Plies | None = None, most: int = 1_000_000) -> list[Position]:
    """Every position of a small game in which the game goes on, each once, by ply and in a fixed order.

    Args:
        rules: A game or its text.
        plies: Only those after so many moves, first and last.
        most: How many there may be, all up to the last of these plies.

    Raises:
        NoughtsError: there are more.
    """
    game = read_rules(rules)
    strata = sampling.all_positions(game, most, _in_order(plies))
    if strata is None:
        raise NoughtsError(
            f"{game} has more than {most:,} positions: allow more with most=, or draw some with sample()"
        )
    return [position for stratum in strata for position in stratum.positions]


def sample(rules: Rules | str, n: int, seed: int = 0, *, plies: Plies | None = None) -> list[Position]:
    """Positions of uniformly random games that go on, each once, as evenly spread over the plies as may be, by ply.

    At a ply that has few positions all of them are taken, and more of the others. Equal arguments give equal positions.

    Args:
        rules: A game or its text.
        n: How many. If the game has fewer, or random games do not lead to so many, there are fewer.
        seed: What is drawn derives from it.
        plies: Only those after so many moves, first and last.

    Raises:
        NoughtsError: `n` is below 1, or random games end before these plies.
    """
    game = read_rules(rules)
    if n < 1:
        raise NoughtsError(f"n={n} is not allowed: ask for 1 position or more")
    first, last = _in_order(plies) or (0, game.size)
    per_ply = -(-n // (last - first + 1))
    while True:
        strata = sampling.sample_positions(game, per_ply, seed, (first, last))
        there = sum(len(stratum.positions) for stratum in strata)
        if there >= n or per_ply >= n or all(stratum.complete for stratum in strata):
            break
        per_ply = min(n, 2 * per_ply)
    if not there:
        raise NoughtsError(f"no game of {game} was found that goes on at plies {first}-{last}: ask about earlier ones")
    return _evenly(strata, n)


def _evenly(strata: Iterable[Stratum], n: int) -> list[Position]:
    """So many positions, as many of each ply as of the others as far as it has them; by ply."""
    left, strata = n, sorted(strata, key=lambda stratum: len(stratum.positions))
    chosen: list[Position] = []
    for number, stratum in enumerate(strata):
        share = left // (len(strata) - number)  # the small ones first: what they lack the others give
        chosen += stratum.positions[:share]
        left -= min(share, len(stratum.positions))
    return sorted(chosen, key=lambda position: position.ply)


def _in_order(plies: Plies | None) -> Plies | None:
    """Plies as given; NoughtsError unless they are a first and a last."""
    if plies is not None and not 0 <= plies[0] <= plies[1]:
        raise NoughtsError(f"plies={plies} is not allowed: give the first and the last, such as (4, 10)")
    return plies
