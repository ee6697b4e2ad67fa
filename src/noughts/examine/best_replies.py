"""The loss rate against a best response: an opponent that can predict all of an agent's decisions except its tie-breaks.

A walk finds whether the agent can lose, but a loss may need certain replies and certain tie-breaks. This module computes its
probability. It saves every level of the walk, and then processes them from the last to the first:

    chance(position)  =  mean over the agent's choices  of  max over the replies  of  chance(position after both)

A finished game counts 1 if the agent loses it, else 0. So the opponent only tries to win: it gains no more by a draw than by a
loss. If the walk exceeds its limit of positions, it ends early, and the result is two bounds: each position in which the agent was
not queried counts 0 in the lower bound, and 1 in the upper one.
"""

from collections.abc import Callable, Generator, Sequence

import numpy as np
from numpy.typing import NDArray

from noughts.examine.every_reply import Asked, Choices, Replies
from noughts.examine.walk import Walk, laid_flat
from noughts.examine.walk_kernels import fill, game_of, lose
from noughts.positions import Outcome, Side
from noughts.positions.kernels import new_board, tables
from noughts.rules import Rules, Value

_SLICE = 1000  # positions between two checks for Ctrl-C


class LosingChance(Value):
    """The loss rate of an agent against a best response.

    Attributes:
        low, high: Bounds on the probability of a loss; equal after a complete walk, except for the rounding of
            sums of floats.
        limit: The number of allowed positions at which the walk stopped; None if it did not.
        decisions: Positions in which the agent chose; positions that are merged count once.
        ties: How many of these positions have several possible moves.
    """

    low: float
    high: float
    decisions: int
    ties: int
    limit: int | None = None

    def __str__(self) -> str:
        """The probability in percent."""
        if self.low == self.high:
            return f"{100 * self.low:.2f}"
        return f"{100 * self.low:.2f} to {100 * self.high:.2f}"


_LevelAsked = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], int]
"""A level of a walk: its words, as in `Walk.words`; the agent's choices, as in `laid_flat`; and its ply."""


def best_replies(
    rules: Rules,
    side: Side,
    symmetric: bool,
    replies: Replies,
    observe: Callable[[Sequence[tuple[int, ...]]], None] = lambda choices: None,
) -> Generator[Asked, Choices, LosingChance]:
    """Walk every reply to an agent, to the end of all games. Yields positions, and receives the agent's choices in them.

    Args:
        rules: The game.
        side: The side that the agent plays.
        symmetric: As given to `replies`.
        replies: The walk; if it exceeds its limit of positions, the result is only bounds.
        observe: Called with the agent's choices in each position of a level.
    """
    levels, now = list[_LevelAsked](), list[Walk]()

    def keep(walk: Walk, choices: Sequence[tuple[int, ...]]) -> None:
        observe(choices)
        levels.append((walk.words(), *laid_flat(choices), walk.ply))
        now[:] = [walk]

    found = yield from replies(until_lost=False, observe=keep)
    if not levels:
        low = float(found.lost > 0)  # the first move of the opponent may end the game
        return LosingChance(low=low, high=low if found.limit is None else 1.0, decisions=0, ties=0, limit=found.limit)
    # If the agent is second, the opponent's best first move comes before its first choice.
    left = now[0].words()

    def best(unknown: float) -> float:
        return float(_chances(rules, side, symmetric, levels, left, unknown).max(initial=0.0))

    low = best(0.0)
    high = best(1.0) if len(left) else low
    return LosingChance(low=low, high=high, decisions=found.decisions, ties=found.ties, limit=found.limit)


def _chances(
    rules: Rules, side: Side, symmetric: bool, levels: list[_LevelAsked], below: NDArray[np.uint64], unknown: float
) -> NDArray[np.float64]:
    """Return the probability that the agent loses from each position of the first level.

    Args:
        rules, side, symmetric: As in `best_replies`.
        levels: All levels in which the agent chose.
        below: The positions of the next level, in which it was not queried; empty after a complete walk.
        unknown: The probability to assume for these positions.
    """
    game, board = game_of(rules, symmetric), new_board(rules)
    lost = int(Outcome.won_by(side.other))
    later = np.full(len(below), unknown)
    for level in reversed(levels):
        words = level[0]
        slots = np.full(1 << max(2 * len(below), 1).bit_length(), -1, np.int32)
        fill(below, slots, len(below))
        chance = np.empty(len(words))
        for start in range(0, len(chance), _SLICE):
            lose(tables(rules), board, game, *level, below, slots, later, lost, chance, start, _SLICE)
        below, later = words, chance
    return later
