"""How often an agent loses to the best replies: an opponent knows how it decides, and cannot foresee how its ties fall.

A walk shows whether some game is lost, which may need certain replies and a certain fall of ties. This is the chance of it.
Every level of the walk is kept, and then gone through from the last to the first:

    chance(position)  =  mean over the agent's choices  of  max over the replies  of  chance(position after both)

A game that ends counts 1 if the agent loses it, and else 0. So the opponent wants nothing but to win: draws are worth as
little to it as losses.
"""

from collections.abc import Callable, Generator

import numpy as np
from numpy.typing import NDArray

from noughts.examine.every_reply import Asked, Choices, every_reply
from noughts.examine.walk import MOST, Walk
from noughts.examine.walk_kernels import Scratch, fill, game_of, lose, new_scratch
from noughts.positions import Outcome, Side
from noughts.positions.kernels import new_board, tables
from noughts.rules import ComputeError, Rules, Value

_SLICE = 1000  # positions between two looks at the keyboard


class LosingChance(Value):
    """How often an agent loses to the best replies.

    Attributes:
        chance: Of losing; exact but for the rounding of sums of floats.
        decisions: Positions in which the agent was asked; those that count as one are counted once.
        ties: Those of them in which chance decides between moves.
    """

    chance: float
    decisions: int
    ties: int


class _LevelAsked:
    """A level of a walk with what the agent chose: `offsets[n]` to `offsets[n + 1]` of `moves` in position n."""

    def __init__(self, ply: int, words: NDArray[np.uint64], choices: list[tuple[int, ...]]) -> None:
        self.ply, self.words = ply, words
        self.offsets = np.cumsum([0, *map(len, choices)])
        self.moves = np.fromiter((move for some in choices for move in some), np.int64, int(self.offsets[-1]))


def best_replies(
    rules: Rules,
    side: Side,
    symmetric: bool = False,
    limit: int = MOST,
    note: Callable[[Walk], None] = lambda walk: None,
) -> Generator[Asked, Choices, LosingChance]:
    """Walk every reply to an agent to the end of all games: yields what it must be asked, and is sent its answers.

    Args:
        rules: The game.
        side: The side that the agent plays.
        symmetric: The agent's choices at symmetric positions are the symmetric ones.
        limit: Positions that it may be asked.
        note: Told of the walk before each level.

    Raises:
        ComputeError: there are more positions than `limit`.
    """
    levels, now = list[_LevelAsked](), list[Walk]()

    def look_at(walk: Walk) -> None:
        now[:] = [walk]
        note(walk)

    walk = every_reply(rules, side, symmetric, until_lost=False, limit=limit, note=look_at)
    try:
        asked = next(walk)
        while True:
            choices = yield asked
            made = [moves for some in choices for moves in some]
            levels.append(_LevelAsked(now[0].ply, now[0].words().copy(), made))
            asked = walk.send(choices)
    except StopIteration as end:
        found = end.value
    if not found.whole:
        raise ComputeError(f"the walk meets more than {limit} positions: allow more with `most`")
    chance = _chances(rules, side, symmetric, levels)
    # Before the agent's first move as second player there is the opponent's, the best of them.
    return LosingChance(chance=float(chance.max(initial=0.0)), decisions=found.decisions, ties=found.ties)


def _chances(rules: Rules, side: Side, symmetric: bool, levels: list[_LevelAsked]) -> NDArray[np.float64]:
    """For each position of the first level: how often the agent loses from there."""
    game, board = game_of(rules, symmetric), new_board(rules)
    scratch: Scratch = new_scratch(rules, game)
    lost = int(Outcome.SECOND if side is Side.FIRST else Outcome.FIRST)
    below = np.empty((0, len(scratch.best)), np.uint64)
    later = np.empty(0)
    for level in reversed(levels):
        slots = np.full(1 << max(2 * len(below), 1).bit_length(), -1, np.int32)
        fill(below, slots, len(below))
        chance = np.empty(len(level.words))
        asked = (level.words, level.offsets, level.moves, level.ply)
        for start in range(0, len(chance), _SLICE):
            lose(
                *(tables(rules), board, game, scratch, *asked, below, slots, later, lost),
                *(chance, start, _SLICE),
            )
        below, later = level.words, chance
    return later
