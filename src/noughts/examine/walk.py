"""The walk: an exhaustive check of all games that an opponent can force on one agent.

Some games show how well an agent plays; a walk of every reply shows whether it can be beaten at all. The walk advances
level by level. A level contains all positions in which the agent is to move after a number of plies, once each. The caller
queries the agent in all of them, in any order and any batches. Then the walk plays the agent's moves and every reply:

    level 0     the start, or every first move if the agent is second
                |  the agent's move, or each possible move
                |  every reply                                  games that end are counted here
    level 1     the positions after these two plies             equal ones are merged, and their games added up
    ...

So the agent must decide alike each time that it gets the same position. If it treats symmetric positions alike, the
walk may also merge positions that are equivalent under a symmetry of the rules.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from noughts.examine.walk_kernels import (
    COUNT,
    DONE,
    GO_ON,
    ILLEGAL,
    LONGEST,
    NEXT,
    NO_MOVE,
    ROOM,
    Level,
    expand,
    fill,
    game_of,
    grown,
    rate,
    room_for,
    start_cells,
    without_words,
)
from noughts.examine.walk_result import WalkResult
from noughts.positions import FIRST_MARK, SECOND_MARK, Outcome, Position, Side
from noughts.positions.kernels import GameTables, MutableBoard, new_board, tables
from noughts.rules import ComputeError, Rules, line_table, symmetries
from noughts.search.patterns import table_2

MOST = 20_000_000
"""Default limit on the positions of a walk, which take about 60 bytes each."""

_SLICE = 100_000  # replies or positions between two checks for Ctrl-C


class Walk:
    """A walk in progress: query the agent in the positions of this level and pass its choices to `advance`, until none is left.

    ``len(walk)`` is the number of positions of this level.

    Args:
        rules: The game.
        side: The side that the agent plays.
        symmetric: Whether to merge symmetric positions, because the agent chooses symmetric moves in them.
        most: Limit for the number of positions in total.

    Attributes:
        ply: Moves made before each position of this level.
        decisions: Positions answered so far.
        undecided: Positions among these in which the agent may choose from several moves.
        longest: Plies of the longest game that has ended so far.
        lost_game, drawn_game: Moves of a shortest lost or drawn game among those walked, or None; `narrow` may have
            left out shorter ones.
        narrowed: Whether `narrow` has left out anything.
    """

    def __init__(self, rules: Rules, side: Side, symmetric: bool = False, most: int = MOST) -> None:
        self.rules, self.side, self.most = rules, side, most
        self.ply = self.decisions = self.undecided = self.longest = 0
        self.narrowed = False
        self.lost_game: tuple[int, ...] | None = None
        self.drawn_game: tuple[int, ...] | None = None
        self._tables: GameTables = tables(rules)
        self._board: MutableBoard = new_board(rules)
        self._game = game_of(rules, symmetric)
        self._ended = np.zeros(4, np.float64)  # games by outcome; exact up to 2^53
        self._path: list[Level] = []  # how each level was reached; only the current level has words and ways
        self._now = room_for(1, len(self._game.best))
        self._now.words[0] = 0
        self._now.ways[0] = 1.0
        if side is Side.SECOND:
            self._step(np.array([0, 1]), np.array([NO_MOVE]), 1)

    def __len__(self) -> int:
        return len(self._now.words)

    def result(self) -> WalkResult:
        """Return the results so far."""
        won, lost = self._ended[Outcome.won_by(self.side)], self._ended[Outcome.won_by(self.side.other)]
        return WalkResult(
            lost_game=self.lost_game,
            drawn_game=self.drawn_game,
            whole=not self.narrowed and (len(self) == 0 or self.lost_game is not None),
            won=int(won),
            drawn=int(self._ended[Outcome.DRAW]),
            lost=int(lost),
            decisions=self.decisions,
            ties=self.undecided,
            longest=self.longest,
            plies=self.ply,
        )

    def words(self) -> NDArray[np.uint64]:
        """uint64 [positions, words]: the positions of this level as bits, cell 64 w + b in bit b of word w: the first
        player's marks, then the second's if they differ. Read-only.
        """
        return self._now.words

    def moves(self, start: int, stop: int) -> NDArray[np.uint16]:
        """uint16 [stop - start, ply]: the moves of a game to each of these positions of this level."""
        return self._moves(np.arange(start, stop))

    def positions(self, start: int, stop: int) -> list[Position]:
        """These positions of this level, each with the moves of a game to it."""
        return positions_after(self.rules, self.moves(start, stop))

    def advance(self, choices: Sequence[tuple[int, ...]]) -> None:
        """Play the agent's choices and every reply, and move to the next level.

        Args:
            choices: For each position of this level, every move that the agent may choose there; one or more.

        Raises:
            IllegalMoveError: a choice is not a legal move.
            ComputeError: there would be more positions than allowed. The walk cannot continue then.
        """
        offsets, moves = laid_flat(choices)
        counts = np.diff(offsets)
        if len(counts) != len(self) or not counts.all():
            raise ValueError(f"choices for {len(choices)} positions, one or more each, where {len(self)} were asked")
        self.decisions += len(self)
        self.undecided += int((counts > 1).sum())
        self._step(offsets, moves, 2)

    def narrow(self, width: int, worth: NDArray[np.float64] | None = None) -> None:
        """Keep at most `width` positions of this level, those that look worst for the agent.

        A narrowed walk can refute an agent, but cannot prove anything about it.

        Args:
            width: Number of positions to keep.
            worth: float64 [positions], the value of each to the agent; None for the values of Table 2.
        """
        if len(self) <= width:
            return
        self.narrowed = True
        order = np.argsort(self._table_2_worth() if worth is None else worth, kind="stable")
        kept = np.sort(order[:width])
        self._now = Level._make(array[kept] for array in self._now)
        self._path[-1] = without_words(self._now)

    def _table_2_worth(self) -> NDArray[np.int64]:
        worth = np.empty(len(self), np.int64)
        scores = table_2(self.rules).by_line(self.rules)
        for start in range(0, len(self), _SLICE):
            rate(self._tables, self._board, self._game, scores, self._now, self.ply, worth, start, _SLICE)
        return worth if self.side is Side.FIRST else -worth

    def _step(self, offsets: NDArray[np.int64], moves: NDArray[np.int64], plies: int) -> None:
        above, below = self._now, room_for(1024, self._now.words.shape[1])
        slots = np.full(2048, -1, np.int32)
        state = np.zeros(2, np.int64)
        found = np.full((4, 5), -1, np.int64)
        status = GO_ON
        while status != DONE:
            status = expand(
                *(self._tables, self._board, self._game, above, offsets, moves, self.ply, plies == 1),
                *(below, slots, state, self._ended, found, _SLICE),
            )
            if status == ILLEGAL:
                number = int(state[NEXT])
                (position,) = self.positions(number, number + 1)
                for move in moves[offsets[number] : offsets[number + 1]]:
                    position.require_legal(int(move))
            if self.decisions + state[COUNT] > self.most:
                raise ComputeError(
                    f"the walk meets more than {self.most} positions, at ply {self.ply + plies}: allow more with --max-positions"
                )
            if status == ROOM:
                below = grown(below, int(state[COUNT]) + int(np.diff(offsets).max()) * self.rules.size)
                slots = np.full(2 * len(below.words), -1, np.int32)
                fill(below.words, slots, state[COUNT])
        self._keep_examples(found)
        if (ends := found[:, LONGEST].max()) > 0:
            self.longest = int(ends)
        below = Level._make(array[: state[COUNT]].copy() for array in below)
        self._path.append(without_words(below))
        self._now = below
        self.ply += plies

    def _keep_examples(self, found: NDArray[np.int64]) -> None:
        """Record the moves of a shortest lost game, and of a shortest drawn one."""

        def example(outcome: Outcome) -> tuple[int, ...] | None:
            number, move, reply = map(int, found[outcome, :3])
            if number < 0:
                return None
            return (*map(int, self._moves(np.array([number]))[0]), *(m for m in (move, reply) if m != NO_MOVE))

        if self.lost_game is None:
            self.lost_game = example(Outcome.won_by(self.side.other))
        if self.drawn_game is None:
            self.drawn_game = example(Outcome.DRAW)

    def _moves(self, numbers: NDArray[np.int64]) -> NDArray[np.uint16]:
        """Return the moves that led to these positions, each mapped by all symmetries that were applied after it."""
        image, composed = self._game.image, _composed(self.rules)
        moves = np.empty((len(numbers), self.ply), np.uint16)
        since = np.zeros(len(numbers), np.intp)  # the identity
        column = self.ply
        for level in reversed(self._path):
            since = composed[since, level.symmetry[numbers]].astype(np.intp)
            for made in (level.reply, level.move):
                if column > 0:  # if the agent is second, it made no move before the first reply
                    column -= 1
                    moves[:, column] = image[since, made[numbers]]
            numbers = level.parent[numbers].astype(np.int64)
        return moves


def laid_flat(choices: Sequence[tuple[int, ...]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Flatten choices for kernels: those of position n are ``moves[offsets[n]:offsets[n + 1]]``."""
    offsets = np.zeros(len(choices) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, choices), np.int64, len(choices)), out=offsets[1:])
    return offsets, np.fromiter((move for some in choices for move in some), np.int64, int(offsets[-1]))


def positions_after(rules: Rules, moves: NDArray[np.uint16]) -> list[Position]:
    """The positions after these moves, uint16 [positions, ply]. For speed, moves are not replayed: each row must be
    legal moves of a game that is not over after them.
    """
    count, ply = moves.shape
    cells = np.tile(start_cells(rules), (count, 1))
    rows = np.arange(count)
    for number in range(ply):
        shared = rules.marks == "shared" or number % 2 == 0
        cells[rows, moves[:, number]] = FIRST_MARK if shared else SECOND_MARK
    closed = [frozenset[int]()] * count
    if rules.boards > 1:
        lines = np.array(line_table(rules).cells, np.int64).reshape(-1, rules.k)
        board_of = lines[:, 0] // rules.board_size
        closed = [frozenset(map(int, board_of[(row[lines] == FIRST_MARK).all(axis=1)])) for row in cells]
    return [
        Position(rules, tuple(made), row.tobytes(), on, Outcome.ONGOING)
        for made, row, on in zip(moves.tolist(), cells, closed, strict=True)
    ]


@lru_cache(maxsize=64)
def _composed(rules: Rules) -> NDArray[np.uint16]:
    """uint16 [symmetries, symmetries]: entry [a, b] is the symmetry that applies b, then a."""
    images = np.array([symmetry.image for symmetry in symmetries(rules)], np.int64)
    # The images of a corner and of its neighbours identify a rotation or reflection and the translation after it.
    telling = [cell for cell in (0, 1, rules.cols) if cell < rules.board_size]
    radix = rules.size ** np.arange(len(telling))
    numbers = images[:, telling] @ radix
    order = np.argsort(numbers)
    found: NDArray[np.int64] = images[:, images[:, telling]] @ radix  # [the second, the first]
    return order[np.searchsorted(numbers[order], found)].astype(np.uint16)
