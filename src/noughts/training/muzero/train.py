"""`MuZero`: the trainer. One iteration is a round of games, reanalysis of positions, and training steps on the replay."""

from typing import ClassVar

import equinox as eqx
import jax
import numpy as np

from noughts.networks.model import LatentModel
from noughts.networks.network import Array
from noughts.networks.spec import make_model
from noughts.training.devices import split
from noughts.training.games import TaskDistribution
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.muzero.learner import loss
from noughts.training.muzero.replay import GamesReplay
from noughts.training.muzero.selfplay import reanalyse, self_play
from noughts.training.self_play_trainer import SelfPlayed, SelfPlayState, SelfPlayTrainer, require_service

compiled_self_play = eqx.filter_jit(self_play)
compiled_reanalyse = eqx.filter_jit(reanalyse)


class MuZero(SelfPlayTrainer[MuZeroConfig, LatentModel, GamesReplay]):
    """A run of MuZero; see `SelfPlayTrainer`."""

    method: ClassVar = "mz"
    stream: ClassVar = "muzero"

    def __init__(self, config: MuZeroConfig, devices: int | None = None) -> None:
        super().__init__(config, GamesReplay(config.window, {}), loss, devices)

    def _begin(self, key: Array) -> tuple[LatentModel, None]:
        model = make_model(self.spec, self.board, key, self.config.model)
        require_service(model, self.spec, self.task)
        return model, None

    def _play(self, now: SelfPlayState[LatentModel, GamesReplay], task: TaskDistribution, keys: Array) -> SelfPlayed:
        played, endings = jax.device_get(
            compiled_self_play(now.learned.network, task, keys, self.board, self.config, self.mesh)
        )
        return SelfPlayed(played, int(played.length.sum()), endings, None)

    def _added(
        self, replay: GamesReplay, played: SelfPlayed, key: Array, generator: np.random.Generator
    ) -> GamesReplay:
        replay = replay.added(played.kept)
        wanted = round(self.config.reanalyse * played.positions)
        # One compiled program has a fixed batch size, so it is called several times.
        at_once = self.config.games
        for number in range(-(-wanted // at_once)):
            replay = self._looked_again(replay, at_once, jax.random.fold_in(key, number), generator)
        return replay

    def _looked_again(self, replay: GamesReplay, count: int, key: Array, generator: np.random.Generator) -> GamesReplay:
        """The replay with some positions reanalysed."""
        games, plies = replay.places(count, generator)
        states = tuple(replay.positions_at(games, plies).values())
        policy, value = jax.device_get(
            compiled_reanalyse(
                self._now.learned.average,
                jax.device_put(states, split(self.mesh)),
                key,
                self._distribution,
                self.board,
                self.config,
            )
        )
        return replay.renewed(games, plies, policy, value)
