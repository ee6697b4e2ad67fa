"""`AlphaZero`: the trainer. One iteration is a segment of self-play and some training steps on the replay."""

from typing import ClassVar

import equinox as eqx
import jax
import numpy as np

from noughts.networks.network import Array, Network
from noughts.networks.outputs import require_outputs
from noughts.networks.spec import make_network
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.alphazero.learner import loss
from noughts.training.alphazero.replay import Replay
from noughts.training.alphazero.selfplay import self_play
from noughts.training.games import GamesInFlight, TaskDistribution, new_games
from noughts.training.self_play_trainer import SelfPlayed, SelfPlayState, SelfPlayTrainer, require_service

compiled_self_play = eqx.filter_jit(self_play)
compiled_new_games = eqx.filter_jit(new_games)


class AlphaZero(SelfPlayTrainer[AlphaZeroConfig, Network, Replay]):
    """A run of AlphaZero; see `SelfPlayTrainer`."""

    method: ClassVar = "az"
    stream: ClassVar = "alphazero"

    def __init__(self, config: AlphaZeroConfig, devices: int | None = None) -> None:
        super().__init__(config, Replay(config.window, {}), loss, devices)

    def _begin(self, key: Array) -> tuple[Network, GamesInFlight]:
        config = self.config
        network_key, games_key = jax.random.split(key)
        network = make_network(self.spec, self.board, network_key)
        require_service(network, self.spec, self.task)
        require_outputs(network, self.board)
        games: GamesInFlight = compiled_new_games(
            self.board, self._distribution, games_key, config.games, config.most_opening_plies
        )
        return network, games

    def _play(self, now: SelfPlayState[Network, Replay], task: TaskDistribution, keys: Array) -> SelfPlayed:
        assert now.games is not None
        games, samples, endings = compiled_self_play(
            now.learned.network, now.games, task, keys, self.board, self.config, self.mesh
        )
        samples, endings = jax.device_get((samples, endings))
        return SelfPlayed(samples, int(samples.valid.sum()), endings, games)

    def _added(self, replay: Replay, played: SelfPlayed, key: Array, generator: np.random.Generator) -> Replay:
        return replay.added(played.kept)
