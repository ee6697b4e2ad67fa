"""Positions other than the start in which self-play games begin: from games that refuted the agent, or from its own games."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from noughts.networks.network import Array
from noughts.positions import Position
from noughts.rules import Rules
from noughts.training.replay import POSITION_ROWS, AnyArray
from noughts.training.trainer import LostGame

ROOM = 512
"""The capacity, in positions; the latest are kept. It is fixed, because a compiled program has fixed shapes."""


class Beginnings(NamedTuple):
    """Positions in which some games begin; the rows from `filled` on are empty.

    Attributes:
        cells, closed, ply, number: As in `Samples`, with a leading axis [ROOM].
        filled: int32, the number of positions.
        share: float32, the fraction of new games that begin in one.
    """

    cells: Array
    closed: Array
    ply: Array
    number: Array
    filled: Array
    share: Array


def beginnings_of(rows: Mapping[str, AnyArray], share: float) -> Beginnings:
    """Make `Beginnings` from rows of at most `ROOM` positions, on the host."""
    count = len(rows["ply"])
    padded = {
        name: np.pad(rows[name], [(0, ROOM - count), *[(0, 0)] * (rows[name].ndim - 1)]) for name in POSITION_ROWS
    }
    return Beginnings(**padded, filled=np.int32(count), share=np.float32(share))  # type: ignore[arg-type]


def refuted_rows(lost: Sequence[LostGame], games: Sequence[Rules], plies: int, iteration: int) -> dict[str, AnyArray]:
    """The last positions of lost games as rows.

    Args:
        lost: The lost games.
        games: The games of the task, by index.
        plies: How many positions of each game, counted back from its end.
        iteration: The iteration that found them.
    """
    found = [
        (games.index(rules), Position.start(rules, moves[:ply]))
        for rules, moves in lost
        for ply in range(max(0, len(moves) - plies), len(moves))
    ]
    size, boards = games[0].size, range(games[0].boards)
    closed = [[board in position.closed for board in boards] for _, position in found]
    return {
        "cells": np.array([list(position.cells) for _, position in found], np.int8).reshape(-1, size),
        "closed": np.array(closed, np.bool_).reshape(-1, len(boards)),
        "ply": np.array([position.ply for _, position in found], np.int32),
        "number": np.array([number for number, _ in found], np.int32),
        "iteration": np.full(len(found), iteration, np.int32),
    }
