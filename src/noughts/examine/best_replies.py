"""How often an agent loses to the best replies: the opponent can predict all of its decisions but ties.

A walk shows whether some game is lost, which may need certain replies and a certain fall of ties. This is the chance of it.
Every level of the walk is kept, and then gone through from the last to the first:

    chance(position)  =  mean over the agent's choices  of  max over the replies  of  chance(position after both)

A game that ends counts 1 if the agent loses it, and else 0. So the opponent wants nothing but to win: draws are worth as
little to it as losses. Where there are more positions than are allowed, the walk ends early, and there are two bounds on the chance:
every position in which the agent was not asked counts 0 for the one, and 1 for the other.
"""

from collections.abc import Callable, Generator, Sequence

import numpy as np
from numpy.typing import NDArray

from noughts.examine.every_reply import Asked, Choices, Replies
from noughts.examine.walk import Walk, laid_flat
from noughts.examine.walk_kernels import fill, game_of, lose, new_scratch
from noughts.positions import Outcome, Side
from noughts.positions.kernels import new_board, tables
from noughts.rules import Rules, Value

_SLICE = 1000  # positions between two looks at the keyboard


class LosingChance(Value):
    """How often an agent loses to the best replies.

    Attributes:
        low, high: Between which the chance of losing is; exact where they are equal, as they are if the walk was whole, but
            for the rounding of sums of floats.
        limit: Where the walk was given up: positions that were allowed. None if it was not.
        decisions: Positions in which the agent was asked; those that count as one are counted once.
        ties: Those of them in which chance decides between moves.
    """

    low: float
    high: float
    decisions: int
    ties: int
    limit: int | None = None

    def __str__(self) -> str:
        """In percent."""
        if self.low == self.high:
            return f"{100 * self.low:.2f}"
        return f"{100 * self.low:.2f} to {100 * self.high:.2f}"


_LevelAsked = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], int]
"""A level of a walk: its words, as in `Walk.words`; what the agent chose, as in `laid_flat`; and its ply."""


def best_replies(
    rules: Rules,
    side: Side,
    symmetric: bool,
    replies: Replies,
    observe: Callable[[Sequence[tuple[int, ...]]], None] = lambda choices: None,
) -> Generator[Asked, Choices, LosingChance]:
    """Walk every reply to an agent to the end of all games: yields what it must be asked, and is sent its answers.

    Args:
        rules: The game.
        side: The side that the agent plays.
        symmetric: As given to `replies`.
        replies: The walk; if it meets more positions than it may, there are only bounds.
        observe: Called with what the agent may choose in each position of a level.
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
    # Before the agent's first move as second player there is the opponent's, the best of them.
    left = now[0].words()

    def best(unknown: float) -> float:
        return float(_chances(rules, side, symmetric, levels, left, unknown).max(initial=0.0))

    low = best(0.0)
    high = best(1.0) if len(left) else low
    return LosingChance(low=low, high=high, decisions=found.decisions, ties=found.ties, limit=found.limit)


def _chances(
    rules: Rules, side: Side, symmetric: bool, levels: list[_LevelAsked], below: NDArray[np.uint64], unknown: float
) -> NDArray[np.float64]:
    """For each position of the first level: how often the agent loses from there.

    Args:
        rules, side, symmetric: As of `best_replies`.
        levels: All in which it was asked.
        below: The positions of the level after these, in which it was not; none if the walk was whole.
        unknown: What such a position counts.
    """
    game, board = game_of(rules, symmetric), new_board(rules)
    scratch = new_scratch(rules, game)
    lost = int(Outcome(side.other + 1))
    later = np.full(len(below), unknown)
    for level in reversed(levels):
        words = level[0]
        slots = np.full(1 << max(2 * len(below), 1).bit_length(), -1, np.int32)
        fill(below, slots, len(below))
        chance = np.empty(len(words))
        for start in range(0, len(chance), _SLICE):
            lose(
                *(tables(rules), board, game, scratch, *level, below, slots, later, lost),
                *(chance, start, _SLICE),
            )
        below, later = words, chance
    return later
