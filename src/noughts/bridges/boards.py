"""What the environments of other libraries share: games from text, the random start of an episode, observations, and pictures
of boards.

An observation is ``[boards * rows, cols, PLANES]``, with boards one above the other, of zeros and ones, always from one side's
point of view:

    OWN      its own marks; with shared marks, all marks
    OTHER    the other side's marks; with shared marks, none
    CLOSED   cells that neither player can use: bricks, and every cell of a board that contains a line
    LEGAL    cells that can be played now, by either side; none once the game is over
    FIRST    all ones for the first player, all zeros for the second
    ONES     all ones, so that no observation is all zeros and a convolution can detect the edge of the board
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from numbers import Real
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from noughts.positions import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Position, Rng, Side
from noughts.rules import Rules, RulesError, Task
from noughts.rules.errors import shortened
from noughts.rules.text import unknown

PLANES = 6
OWN, OTHER, CLOSED, LEGAL, FIRST, ONES = range(PLANES)

PIXELS = 480
"""Pictures of small boards are enlarged by an integer factor, up to this many pixels on the longer side."""

Game = str | Rules | Task
"""The game of an environment: ``"bttt(D4)"``, ``"bttt(*)"``, or the value."""


class Starts:
    """Draws the starts of a task's episodes.

    Each draw uses three numbers of the stream, even where there is nothing to choose, so that the opponent's seeds do not
    depend on the task. `noughts.positions.side_by_side` draws the same starts.
    """

    def __init__(self, task: Task) -> None:
        self.rules = task.rules
        self.until = shares(task.weights)

    def draw(self, rng: Rng) -> tuple[int, Rules, Side]:
        """Draw a start: the opponent's seed, the game, and a side, each with probability 1/2, for callers that use it."""
        return rng.next64(), self.draw_rules(rng), Side(rng.below(2))

    def draw_rules(self, rng: Rng) -> Rules:
        """Draw a game, for callers that need nothing else."""
        return self.rules[bisect_right(self.until, rng.random())]


def shares(weights: Sequence[float]) -> list[float]:
    """Cumulative weights, scaled to 1; the last is above 1, in case rounding made the sum too small."""
    total = sum(weights)
    return [*(part / total for part in list(accumulate(weights))[:-1]), 2.0]


def read_choice(name: str, given: str, choices: object) -> str:
    """Check an option whose values are those of a `Literal`; RulesError for any other value."""
    allowed = get_args(choices)
    if given not in allowed:
        raise RulesError(unknown(name, str(given), allowed))
    return given


def read_reward(given: float) -> float:
    """Check the reward of an illegal move; RulesError unless it is a finite number."""
    if not (isinstance(given, Real) and math.isfinite(given)):
        raise RulesError(f"illegal_reward={given!r:.100}: give a finite number")
    return float(given)


def require_second_move(task: Task) -> None:
    """Raise RulesError if a game of the task can end with the first move, because then the second player never moves."""
    for rules in task.rules:
        if (rules.k == 1 and rules.boards == 1 and not rules.lineless) or rules.size - len(rules.brick_cells) == 1:
            raise RulesError(
                f"{rules} ends with the first move, so there is nothing for a second player to do: give plays='first'"
            )


def observation_shape(rules: Rules) -> tuple[int, int, int]:
    """The shape of an observation."""
    return rules.boards * rules.rows, rules.cols, PLANES


def observe(position: Position, side: Side) -> NDArray[np.int8]:
    """The observation of `side`: int8 [boards * rows, cols, PLANES]; the module's docstring lists the planes."""
    rules = position.rules
    seen = _contents(rules.marks == "shared", side).take(np.frombuffer(position.cells, np.uint8), axis=0)
    for board in position.closed:
        cells = slice(board * rules.board_size, (board + 1) * rules.board_size)
        seen[cells, CLOSED], seen[cells, LEGAL] = 1, 0
    if position.is_over:
        seen[:, LEGAL] = 0
    return seen.reshape(rules.boards * rules.rows, rules.cols, PLANES)


@lru_cache(maxsize=4)
def _contents(shared: bool, side: Side) -> NDArray[np.int8]:
    """The planes of a cell on an open board by its content, int8 [4, PLANES]."""
    own = FIRST_MARK if shared else FIRST_MARK + side
    planes = np.zeros((4, PLANES), np.int8)
    planes[own, OWN] = 1
    if not shared:
        planes[FIRST_MARK + SECOND_MARK - own, OTHER] = 1
    planes[BRICK, CLOSED] = planes[EMPTY, LEGAL] = 1
    planes[:, FIRST], planes[:, ONES] = side == Side.FIRST, 1
    return planes


def rendered(position: Position, mode: str | None) -> str | NDArray[np.uint8] | None:
    """A position as text or as uint8 [height, width, 3]; None, with Gymnasium's warning, without a mode."""
    if mode is None:
        from gymnasium import logger

        logger.warn("render() does nothing without a render_mode: give ansi or rgb_array")
        return None
    return str(position) if mode == "ansi" else picture(position)


def picture(position: Position) -> NDArray[np.uint8]:
    """A position as colours, uint8 [height, width, 3], in the usual style of noughts."""
    from noughts.reports.boards import board_drawing
    from noughts.reports.canvas import drawing_pixels  # imports matplotlib

    drawing = board_drawing(position)
    return drawing_pixels(drawing, max(1, int(PIXELS // max(drawing.width, drawing.height))))


def cell_of_action(action: Any) -> int:
    """The integer of an action, in range or not; RulesError unless it is one integer, alone or in an array."""
    if type(action) is int:
        return action
    numbers = np.asarray(action)
    if numbers.size != 1 or numbers.dtype.kind not in "iu":
        raise RulesError(f"action {shortened(repr(action), 50)} is no cell: give a whole number, such as 4")
    return int(numbers.item())
