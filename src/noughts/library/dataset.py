"""`Dataset` holds positions and exact values as arrays, the inputs and targets for training a network."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noughts.bridges.boards import CLOSED, FIRST, OTHER, OWN, observe
from noughts.library.asking import OnProgress
from noughts.library.positions import all_positions, sample
from noughts.library.values import NODES, solve_many
from noughts.positions import SYMBOLS, Position
from noughts.positions.given import require_positions
from noughts.rules import NoughtsError, Rules, read_rules
from noughts.rules.text import counted
from noughts.solvers.solution import Solution

if TYPE_CHECKING:
    import pandas
    import pyarrow


@dataclass(frozen=True, eq=False)
class Dataset:
    """N positions on boards of one size, with their proved values.

    A value that is not proved is NaN, and its bounds differ. All values are for the side to move.

    Attributes:
        positions: The positions.
        solutions: The solution of each position, in the same order; with lengths of games if `distances` was set.
    """

    positions: tuple[Position, ...]
    solutions: tuple[Solution, ...]

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def decided(self) -> NDArray[np.bool_]:
        """bool [N], whether the value of every move is proved."""
        return np.array([all(move.value is not None for move in found.moves) for found in self.solutions], np.bool_)

    def to_numpy(self) -> dict[str, NDArray[Any]]:
        """Return arrays by name.

        ============  ===========================  ==================================================================
        planes        uint8 [N, rows, cols, 4]     own marks, opponent's marks, unusable cells, and whether the
                                                   first player is to move; several boards are stacked vertically
        ply           int16 [N]                    number of moves made so far
        low, high     int8 [N]                     bounds on the value, -1 to +1; equal if it is exact
        value         float32 [N]                  the exact value, or NaN
        plies         int16 [N]                    length of the rest of the game under best play; -1 if it is a draw or not
                                                   proved, or without `distances`
        decided       bool [N]                     whether the value of every move is proved
        move_values   float32 [N, size]            the exact value of each legal move; NaN if it is not proved or the move is illegal
        best          bool [N, size]               the optimal moves; with `distances` only those that win soonest or
                                                   lose latest; all False unless every move is decided
        ============  ===========================  ==================================================================
        """
        size = self.positions[0].rules.size if self.positions else 0
        move_values = np.full((len(self), size), np.nan, np.float32)
        best = np.zeros((len(self), size), np.bool_)
        decided = self.decided
        for row, found in enumerate(self.solutions):
            for move in found.moves:
                if move.value is not None:
                    move_values[row, move.move] = move.value
            if decided[row]:
                best[row, list(found.best)] = True
        low = np.array([found.low for found in self.solutions], np.int8)
        high = np.array([found.high for found in self.solutions], np.int8)
        return {
            "planes": _planes(self.positions),
            "ply": np.array([position.ply for position in self.positions], np.int16),
            "low": low,
            "high": high,
            "value": np.where(low == high, low, np.nan).astype(np.float32),
            "plies": np.array([_plies(found) for found in self.solutions], np.int16),
            "decided": decided,
            "move_values": move_values,
            "best": best,
        }

    def to_pandas(self) -> "pandas.DataFrame":
        """Make a table with one row per position: game, moves and cells as text, and proved values; NoughtsError without pandas.

        The columns are ``rules``, ``moves``, ``cells``, ``ply``, ``low``, ``high``, ``value``, ``plies``, ``decided`` and
        ``best_moves``, as squares. For planes and the values of moves use `to_numpy`.
        """
        try:
            import pandas
        except ImportError:
            raise NoughtsError("to_pandas() needs pandas: install it by `pip install pandas`") from None
        frame = pandas.DataFrame(self._columns())
        return frame.astype({name: kind for name, kind in _TYPES.items() if kind is not None})

    def to_arrow(self) -> "pyarrow.Table":
        """Make a table with the columns and types of `to_pandas`, and with the other arrays of `to_numpy` as lists of fixed length.

        The metadata of the planes' field contains their shape. NoughtsError without pyarrow.
        """
        try:
            import pyarrow
        except ImportError:
            raise NoughtsError("to_arrow() needs pyarrow: install it by `pip install pyarrow`") from None
        columns = {
            name: pyarrow.array(values, (_TYPES[name] or "string").lower()) for name, values in self._columns().items()
        }
        fields = [pyarrow.field(name, column.type) for name, column in columns.items()]
        arrays = self.to_numpy()
        for name in ("planes", "move_values", "best"):
            each = arrays[name].reshape(len(self), math.prod(arrays[name].shape[1:]))
            length = max(1, each.shape[1])  # without positions it is 0, and Arrow has no lists of length 0
            columns[name] = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(each.ravel()), length)
            shape = "x".join(map(str, arrays[name].shape[1:]))
            fields.append(pyarrow.field(name, columns[name].type, metadata={"shape": shape}))
        return pyarrow.Table.from_arrays(list(columns.values()), schema=pyarrow.schema(fields))

    def __repr__(self) -> str:
        games = list(dict.fromkeys(str(position.rules) for position in self.positions))
        named = ", ".join(games[:3]) + (" ..." if len(games) > 3 else "")
        return f"<Dataset of {counted(len(self), 'position')} of {named or 'no game'}, {int(self.decided.sum()):,} decided>"

    def _columns(self) -> dict[str, list[Any]]:
        """Return the columns of a table; None where nothing is proved."""
        positions, solutions, decided = self.positions, self.solutions, self.decided.tolist()
        best = zip(positions, solutions, decided, strict=True)
        return {
            "rules": [str(at.rules) for at in positions],
            "moves": [_squares(at, at.moves) for at in positions],
            "cells": ["".join(SYMBOLS[content] for content in at.cells) for at in positions],
            "ply": [at.ply for at in positions],
            "low": [found.low for found in solutions],
            "high": [found.high for found in solutions],
            "value": [found.value for found in solutions],
            "plies": [None if (plies := _plies(found)) < 0 else plies for found in solutions],
            "decided": decided,
            "best_moves": [_squares(at, found.best) if known else "" for at, found, known in best],
        }


_TYPES: dict[str, str | None] = {
    **dict.fromkeys(("rules", "moves", "cells", "best_moves")),
    **{"ply": "int16", "low": "int8", "high": "int8", "value": "Int8", "plies": "Int16", "decided": "bool"},
}
"""The pandas type of each column; None for text. Types with a capital letter allow missing values."""


def dataset(
    rules: Rules | str,
    n: int | None = None,
    *,
    positions: Iterable[Position] | None = None,
    seed: int = 0,
    distances: bool = True,
    nodes: int | None = NODES,
    seconds: float | None = None,
    memory: int = 1,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> Dataset:
    """Make a dataset of positions of a game, with exact values of each position and all its moves.

    Args:
        rules: A game or its text.
        n: Size of a sample, drawn by `sample`; None for all positions of a small game.
        positions: Use these unfinished positions instead.
        seed: Seed of the sample.
        distances: Whether to find the lengths of games, too, which takes longer.
        nodes, seconds, memory, workers, on, on_progress, again: See `solve_many`. Positions that exceed the limits stay undecided.

    Raises:
        NoughtsError: the game has more than a million positions and `n` is None, or one of `positions` is not an
            unfinished position of the game.
        SolverError: no solver covers the game.
    """
    game = read_rules(rules)
    if positions is not None:
        chosen = require_positions(positions)
        if wrong := [position for position in chosen if position.rules != game or position.is_over]:
            why = "over" if wrong[0].is_over else f"of {wrong[0].rules}"
            raise NoughtsError(f"a dataset needs unfinished positions of {game}, and one of these is {why}")
    else:
        chosen = all_positions(game) if n is None else sample(game, n, seed)
    solutions = solve_many(
        chosen,
        workers,
        on=on,
        distances=distances,
        nodes=nodes,
        seconds=seconds,
        memory=memory,
        on_progress=on_progress,
        again=again,
    )
    return Dataset(tuple(chosen), tuple(solutions))


def _squares(position: Position, moves: Iterable[int]) -> str:
    return " ".join(map(position.rules.name_of, moves))


def _plies(found: Solution) -> int:
    """Return the length of the rest of the game; -1 if it is a draw or not proved."""
    return -1 if found.span is None or found.span.plies is None else found.span.plies


def _planes(positions: Sequence[Position]) -> NDArray[np.uint8]:
    """Return the planes that networks see, uint8 [N, rows, cols, 4]; see `Batched.observe`."""
    if not positions:
        return np.zeros((0, 0, 0, 4), np.uint8)
    seen = np.stack([observe(position, position.to_move) for position in positions])
    return seen[:, :, :, [OWN, OTHER, CLOSED, FIRST]].astype(np.uint8)
