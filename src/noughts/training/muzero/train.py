"""`MuZero`: the trainer. One iteration is a round of games, positions searched anew, and steps of learning from the replay."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import equinox as eqx
import jax
import numpy as np

from noughts.networks.code import code_of_network
from noughts.networks.model import LatentModel
from noughts.networks.network import BoardShape
from noughts.networks.spec import make_model, parse_network
from noughts.networks.weights import WEIGHTS, save_model
from noughts.positions import derive_seed
from noughts.rules import parse_task
from noughts.search.guided import refuse
from noughts.search.imagined import imagined_growth
from noughts.training.alphazero.replay import Turns
from noughts.training.alphazero.selfplay import Endings, TaskDistribution
from noughts.training.alphazero.strength import NetworkStrength
from noughts.training.alphazero.train import game_metrics, means_of
from noughts.training.devices import everywhere, mesh_for, split
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.muzero.learner import LearnedModel, begin, compiled_learn
from noughts.training.muzero.replay import GamesReplay
from noughts.training.muzero.selfplay import PlayedGames, reanalyse, self_play
from noughts.training.self_play import SavedState, about_weights, require_sight

_BEFORE_ALL = 0x7FFFFFFF  # where iterations stand in the derivation of keys; none has this number
_AGAIN = 1  # what the key of reanalysing is derived with

compiled_self_play = eqx.filter_jit(self_play)
compiled_reanalyse = eqx.filter_jit(reanalyse)


class MuZeroState(NamedTuple):
    """All that changes in a run, as it is between two iterations.

    Attributes:
        iteration: Iterations done.
        positions: Positions of self-play seen; those that were searched anew are not counted.
        learned: On every device.
        replay: On the host.
        generator: The state of the generator that draws batches.
    """

    iteration: int
    positions: int
    learned: LearnedModel
    replay: GamesReplay
    generator: Mapping[str, Any]


class MuZero:
    """A run of MuZero: a `Trainer`.

    Equal configurations give equal runs, bit for bit, on the same machine with the same number of devices.

    Attributes:
        config: What was chosen.
        board: What it learns on.
        spec: Of which layers the model is made.
        mesh: The devices it runs on.
    """

    def __init__(self, config: MuZeroConfig) -> None:
        """At the beginning.

        Raises:
            NoughtsError: the network cannot serve the task.
        """
        self.config = config
        self.task = parse_task(config.task)
        self.board = BoardShape.of(self.task.rules)
        self.spec = parse_network(config.network)
        self._code = code_of_network(config.network)  # as it is now: its file may be edited while this trains
        self.mesh = mesh_for(config.games, config.batch)
        self._distribution = TaskDistribution.of_task(self.task)
        self._turns = Turns(self.task.rules, config.augmentation)
        self._key = jax.random.key(derive_seed(config.seed, "muzero") >> 33)
        model = make_model(self.spec, self.board, jax.random.fold_in(self._key, _BEFORE_ALL), config.model)
        for rules in self.task.rules:
            refuse(model, rules)
        require_sight(self.spec, model.body.sees_rules, self.task)
        generator = np.random.PCG64(derive_seed(config.seed, "replay"))
        learned = jax.device_put(begin(model, config.optimiser), everywhere(self.mesh))
        self._now = MuZeroState(0, 0, learned, GamesReplay(config.window, {}), generator.state)

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self._now.iteration

    @property
    def positions(self) -> int:
        """Positions of self-play seen."""
        return self._now.positions

    @property
    def model(self) -> LatentModel:
        """The averaged weights, as agents get them, on one device."""
        average: LatentModel = jax.device_put(self._now.learned.average, jax.devices()[0])
        return average

    def step(self) -> Mapping[str, float]:
        """One iteration: play, keep, look again, learn."""
        config, now = self.config, self._now
        key = jax.random.fold_in(self._key, now.iteration)
        games, endings = self._play(now, key)
        positions = int(games.length.sum())
        generator = np.random.Generator(np.random.PCG64())
        generator.bit_generator.state = now.generator
        replay = self._looked_again(now.replay.added(games), positions, jax.random.fold_in(key, _AGAIN), generator)
        learned, written = now.learned, []
        for _ in range(config.steps):
            batch = jax.device_put(replay.draw(config, self._turns, generator), split(self.mesh))
            learned, metrics = compiled_learn(learned, batch, self._distribution, self.board, config)
            written.append(metrics)
        means = means_of(jax.device_get(written), now.iteration + 1)
        # One assignment: an interrupt leaves the state before this iteration, or the one after it.
        self._now = MuZeroState(
            now.iteration + 1, now.positions + positions, learned, replay, generator.bit_generator.state
        )
        return means | game_metrics(endings)

    def _play(self, now: MuZeroState, key: jax.Array) -> tuple[PlayedGames, Endings]:
        """One round of games on all devices."""
        keys = jax.device_put(jax.random.split(key, self.mesh.size), split(self.mesh))
        found: tuple[PlayedGames, Endings] = jax.device_get(
            compiled_self_play(now.learned.model, self._distribution, keys, self.board, self.config, self.mesh)
        )
        return found

    def _looked_again(
        self, replay: GamesReplay, positions: int, key: jax.Array, generator: np.random.Generator
    ) -> GamesReplay:
        """The replay, with some positions searched anew."""
        config = self.config
        wanted = round(config.reanalyse * positions)
        # One compiled program looks at so many at once, whatever their number.
        at_once = config.games
        for number in range(-(-wanted // at_once)):
            games, plies = replay.places(at_once, generator)
            begin = replay.rows["begin"][games] + plies
            states = (
                replay.rows["cells"][games, plies],
                replay.rows["closed"][games, plies],
                begin.astype(np.int32),
                replay.rows["number"][games],
            )
            policy, value = jax.device_get(
                compiled_reanalyse(
                    self._now.learned.average,
                    jax.device_put(states, split(self.mesh)),
                    jax.random.fold_in(key, number),
                    self._distribution,
                    self.board,
                    config,
                )
            )
            replay = replay.renewed(games, plies, policy, value)
        return replay

    def measure(self) -> Mapping[str, float]:
        """How strong the averaged weights are."""
        return self._strength.measure(self.model)

    def measured_counts(self) -> Mapping[str, int]:
        """Of how many games or positions what is measured is the mean."""
        return self._strength.counts(self.model)

    @cached_property
    def _strength(self) -> NetworkStrength:
        return NetworkStrength(self.config, imagined_growth)

    def weights(self) -> dict[str, bytes]:
        """The file that agents are made of."""
        about = about_weights("mz", self.config, self.iteration, self.positions, self._code)
        return {WEIGHTS: save_model(self.model, self.spec, self.board, about)}

    def state(self) -> dict[str, bytes]:
        """Everything, so that `restore` goes on bit for bit."""
        now = self._now
        counters = {
            "iteration": now.iteration,
            "positions": now.positions,
            "generator": now.generator,
            "devices": self.mesh.size,
        }
        return SavedState(now.learned, now.replay.rows, counters).to_files()

    def restore(self, files: Mapping[str, bytes]) -> None:
        """Go back to what `state` gave.

        Raises:
            NoughtsError: it was saved with another number of devices, with which it would go on in another way.
        """
        now = self._now
        saved = SavedState.of_files(files, now.learned, self.mesh.size)
        self._now = MuZeroState(
            saved.counters["iteration"],
            saved.counters["positions"],
            jax.device_put(saved.arrays, everywhere(self.mesh)),
            GamesReplay(self.config.window, saved.rows),
            saved.counters["generator"],
        )
