"""`GamesReplay`: the latest games of self-play. Batches of positions, with the moves after them, are drawn from it.

A batch begins at positions anywhere in games. For each it has the next `unroll` moves, and the model's targets after each
of them. After the end of a game moves are random, and the position does not change.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noughts.training.augmentation import Turns
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.muzero.selfplay import PlayedGames
from noughts.training.replay import SlidingWindow

AnyArray: TypeAlias = Any
"""An array of NumPy on the host, or of JAX in a compiled program."""


class Unrolled(NamedTuple):
    """N positions, and the next K moves from each. Index 0 is the position itself.

    Attributes:
        number: int32 [N], the index of the game in the task.
        ply: int32 [N], moves made before the position.
        cells: int8 [N, K + 1, size]; after the end, the finished position.
        closed: bool [N, K + 1, boards].
        action: int32 [N, K].
        policy: float32 [N, K + 1, size]; after the end, equal for all cells.
        value: float32 [N, K + 1], for the side to move.
        reward: float32 [N, K], the reward of each move, for the side that makes it.
        over: bool [N, K + 1], whether the game is over.
    """

    number: AnyArray
    ply: AnyArray
    cells: AnyArray
    closed: AnyArray
    action: AnyArray
    policy: AnyArray
    value: AnyArray
    reward: AnyArray
    over: AnyArray


@dataclass(frozen=True)
class GamesReplay(SlidingWindow):
    """A sliding window over games; its rows are the arrays of `PlayedGames` by name."""

    def added(self, games: PlayedGames) -> "GamesReplay":
        """A replay with these games added."""
        return self.followed_by({name: np.asarray(array) for name, array in games._asdict().items()})

    def places(self, count: int, generator: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The games and plies of `count` random positions, uniform over all positions of the replay."""
        ends = np.cumsum(self.rows["length"])
        drawn = generator.integers(ends[-1], size=count)
        games = np.searchsorted(ends, drawn, side="right")
        return games, drawn - (ends[games] - self.rows["length"][games])

    def positions(self, count: int, generator: np.random.Generator) -> dict[str, AnyArray]:
        """See `SlidingWindow.positions`."""
        return self.positions_at(*self.places(count, generator))

    def positions_at(self, games: NDArray[np.int64], plies: NDArray[np.int64]) -> dict[str, AnyArray]:
        """The positions at these games and plies, as `POSITION_ROWS`."""
        rows = self.rows
        return {
            "cells": rows["cells"][games, plies],
            "closed": rows["closed"][games, plies],
            "ply": (rows["begin"][games] + plies).astype(np.int32),
            "number": rows["number"][games],
        }

    def draw(self, config: MuZeroConfig, turns: Turns, generator: np.random.Generator) -> Unrolled:
        """A random batch, in which a random symmetry turns each position and the moves after it."""
        games, plies = self.places(config.batch, generator)
        return turned(self.unrolled(games, plies, config, generator), turns, generator)

    def unrolled(
        self, games: NDArray[np.int64], plies: NDArray[np.int64], config: MuZeroConfig, generator: np.random.Generator
    ) -> Unrolled:
        """Positions and the moves after them, as played; `generator` draws the moves after the end."""
        rows, size = self.rows, self.rows["cells"].shape[-1]
        last = self.rows["action"].shape[1]
        begin, length = rows["begin"][games], rows["length"][games]
        at = plies[:, None] + np.arange(config.unroll + 1)
        over = at >= length[:, None]
        row, until = np.minimum(at, last), np.minimum(at, last - 1)
        drawn = generator.integers(size, size=(len(games), config.unroll))
        action = np.where(over[:, :-1], drawn, rows["action"][games[:, None], until[:, :-1]])
        policy = np.where(over[..., None], np.float32(1 / size), rows["policy"][games[:, None], until])
        sign = 1.0 - 2.0 * ((begin[:, None] + at) & 1)  # +1 where the first player is to move
        result = rows["result"][games][:, None] * sign
        value = self._values(games, at, result, config.td_plies)
        ends_here = ~over[:, :-1] & over[:, 1:]
        if config.model.ends == "value":
            value, reward = np.where(over, result, value), np.zeros(action.shape)
        else:
            value, reward = np.where(over, 0.0, value), np.where(ends_here, result[:, :-1], 0.0)
        return Unrolled(
            number=rows["number"][games].astype(np.int32),
            ply=(begin + plies).astype(np.int32),
            cells=rows["cells"][games[:, None], row],
            closed=rows["closed"][games[:, None], row],
            action=action.astype(np.int32),
            policy=policy.astype(np.float32),
            value=value.astype(np.float32),
            reward=reward.astype(np.float32),
            over=over,
        )

    def _values(
        self, games: NDArray[np.int64], at: NDArray[np.int64], result: NDArray[np.float64], td_plies: int
    ) -> NDArray[np.float64]:
        """Value targets at plies [N, K + 1]: the result, or a later search's value, with its sign switched at each ply.

        The later search is `td_plies` plies later, or at the next random move if that comes first.
        """
        rows, last = self.rows, self.rows["action"].shape[1]
        astray, length = rows["astray"][games], rows["length"][games][:, None]
        # For each ply, the next ply (or itself) at which the move is random; `last` for none.
        following = np.where(astray, np.arange(last), last)
        following = np.minimum.accumulate(following[:, ::-1], axis=1)[:, ::-1]
        stop = np.take_along_axis(following, np.minimum(at, last - 1), 1)
        if td_plies:
            stop = np.minimum(stop, at + td_plies)
        searched = rows["value"][games[:, None], np.minimum(stop, last - 1)]
        return np.where(stop < length, searched * (1.0 - 2.0 * ((stop - at) & 1)), result)

    def renewed(
        self, games: NDArray[np.int64], plies: NDArray[np.int64], policy: AnyArray, value: AnyArray
    ) -> "GamesReplay":
        """A replay with new policies and values at these games and plies."""
        rows = {**self.rows, "policy": self.rows["policy"].copy(), "value": self.rows["value"].copy()}
        rows["policy"][games, plies], rows["value"][games, plies] = policy, value
        return GamesReplay(self.window, rows)


def turned(batch: Unrolled, turns: Turns, generator: np.random.Generator) -> Unrolled:
    """The batch, with each position and its moves turned by a random symmetry; bricks turn with the board."""
    which = turns.draw(batch.number.astype(np.int64), generator)
    sources = turns.sources[which][:, None]
    return batch._replace(
        cells=np.take_along_axis(batch.cells, sources, 2),
        policy=np.take_along_axis(batch.policy, sources, 2),
        action=np.take_along_axis(turns.images[which], batch.action.astype(np.int64), 1),
    )
