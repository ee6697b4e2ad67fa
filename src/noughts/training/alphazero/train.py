"""`AlphaZero`: the trainer. One iteration is a segment of self-play and some steps of learning from the replay."""

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import safetensors.numpy

from noughts.networks.network import BoardShape, Network
from noughts.networks.spec import NetworkError, make_network, parse_network
from noughts.networks.weights import WEIGHTS, from_arrays, save_network, to_arrays
from noughts.positions import derive_seed
from noughts.positions.batched import stack_rules
from noughts.positions.position import Outcome
from noughts.rules import NoughtsError, parse_task
from noughts.search.guided import refuse
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.alphazero.learner import Learned, begin, compiled_learn
from noughts.training.alphazero.replay import Replay, Turns
from noughts.training.alphazero.selfplay import Endings, GamesInFlight, TaskDistribution, new_games, self_play
from noughts.training.alphazero.strength import AlphaZeroStrength
from noughts.training.devices import everywhere, mesh_for, split

_STATE, _REPLAY, _COUNTERS = "state.safetensors", "replay.safetensors", "counters.json"
_BEFORE_ALL = 0x7FFFFFFF  # where iterations stand in the derivation of keys; none has this number

compiled_self_play = eqx.filter_jit(self_play)


class AlphaZeroState(NamedTuple):
    """All that changes in a run, as it is between two iterations.

    Attributes:
        iteration: Iterations done.
        positions: Positions of self-play seen.
        learned: On every device.
        games: The games under way, shared out over the devices.
        replay: On the host.
        generator: The state of the generator that draws batches.
    """

    iteration: int
    positions: int
    learned: Learned
    games: GamesInFlight
    replay: Replay
    generator: Mapping[str, Any]


class AlphaZero:
    """A run of AlphaZero: a `Trainer`.

    Equal configurations give equal runs, bit for bit, on the same machine with the same number of devices.

    Attributes:
        config: What was chosen.
        network: What was asked to learn, as text.
        board: What it learns on.
        mesh: The devices it runs on.
    """

    def __init__(self, config: AlphaZeroConfig) -> None:
        """At the beginning.

        Raises:
            NoughtsError: the network cannot serve the task.
        """
        self.config = config
        self.task = parse_task(config.task)
        self.board = BoardShape.of(self.task.rules)
        self.spec = parse_network(config.network)
        self.mesh = mesh_for(config.games, config.batch)
        self._distribution = TaskDistribution(
            stack_rules(self.task.rules), jnp.log(jnp.asarray(self.task.weights, jnp.float32))
        )
        self._turns = Turns(self.task.rules, config.augmentation)
        self._key = jax.random.key(derive_seed(config.seed, "alphazero") >> 33)
        network_key, table_key = jax.random.split(jax.random.fold_in(self._key, _BEFORE_ALL))
        network = make_network(self.spec, self.board, network_key)
        for rules in self.task.rules:
            refuse(network, rules)
        games = {rules.model_copy(update={"bricks": ()}) for rules in self.task.rules}
        if len(games) > 1 and not network.sees_rules:
            raise NetworkError(
                f"a network {self.spec.kind!r} sees size and bricks only, and the games of {config.task} differ in more: "
                "give network=line, or games that differ in bricks alone"
            )
        generator = np.random.PCG64(derive_seed(config.seed, "replay"))
        self._now = AlphaZeroState(
            0,
            0,
            jax.device_put(begin(network, config.optimiser), everywhere(self.mesh)),
            jax.device_put(
                new_games(self.board, self._distribution, table_key, config.games, config.most_opening_plies),
                split(self.mesh),
            ),
            Replay(config.window, {}),
            generator.state,
        )

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self._now.iteration

    @property
    def positions(self) -> int:
        """Positions of self-play seen."""
        return self._now.positions

    @property
    def network(self) -> Network:
        """The averaged weights, as agents get them, on one device."""
        average: Network = jax.device_put(self._now.learned.average, jax.devices()[0])
        return average

    def step(self) -> Mapping[str, float]:
        """One iteration: play, keep, learn."""
        config, now = self.config, self._now
        keys = jax.random.split(jax.random.fold_in(self._key, now.iteration), self.mesh.size)
        games, samples, endings = compiled_self_play(
            now.learned.network,
            now.games,
            self._distribution,
            jax.device_put(keys, split(self.mesh)),
            self.board,
            config,
            self.mesh,
        )
        samples, endings = jax.device_get((samples, endings))
        replay = now.replay.added(samples)
        generator = np.random.Generator(np.random.PCG64())
        generator.bit_generator.state = now.generator
        learned, written = now.learned, []
        for _ in range(config.steps):
            batch = jax.device_put(replay.draw(config.batch, self._turns, generator), split(self.mesh))
            learned, metrics = compiled_learn(learned, batch, self._distribution, self.board, config)
            written.append(metrics)
        steps = jax.device_get(written)
        positions = now.positions + int(samples.valid.sum())
        means = {name: float(np.mean([metrics[name] for metrics in steps])) for name in steps[0]}
        # One assignment: an interrupt leaves the state before this iteration, or the one after it.
        self._now = AlphaZeroState(now.iteration + 1, positions, learned, games, replay, generator.bit_generator.state)
        return means | game_metrics(endings)

    def measure(self) -> Mapping[str, float]:
        """How strong the averaged weights are."""
        return self._strength.measure(self.network)

    def measured_counts(self) -> Mapping[str, int]:
        """Of how many games or positions what is measured is the mean."""
        return self._strength.counts(self.network)

    @cached_property
    def _strength(self) -> AlphaZeroStrength:
        return AlphaZeroStrength(self.config)

    def weights(self) -> dict[str, bytes]:
        """The file that agents are made of."""
        about = {
            "method": "az",
            "config": self.config.to_json(),
            "task": self.config.task,
            "search": self.config.search.to_json(),
            "iteration": str(self.iteration),
            "positions": str(self.positions),
        }
        return {WEIGHTS: save_network(self.network, self.spec, self.board, about)}

    def state(self) -> dict[str, bytes]:
        """Everything, so that `restore` goes on bit for bit."""
        now = self._now
        counters = {
            "iteration": now.iteration,
            "positions": now.positions,
            "generator": now.generator,
            "devices": self.mesh.size,
        }
        rows = {name: np.ascontiguousarray(rows) for name, rows in now.replay.rows.items()}
        return {
            _STATE: safetensors.numpy.save(to_arrays(jax.device_get((now.learned, now.games)))),
            _REPLAY: safetensors.numpy.save(rows),
            _COUNTERS: json.dumps(counters).encode(),
        }

    def restore(self, files: Mapping[str, bytes]) -> None:
        """Go back to what `state` gave.

        Raises:
            NoughtsError: it was saved with another number of devices, with which it would go on in another way.
        """
        now, counters = self._now, json.loads(files[_COUNTERS])
        if counters["devices"] != self.mesh.size:
            raise NoughtsError(
                f"this run goes on bit for bit only on {counters['devices']} devices, and here are {self.mesh.size}: "
                f"give --devices {counters['devices']}"
            )
        learned, games = from_arrays((now.learned, now.games), safetensors.numpy.load(files[_STATE]))
        self._now = AlphaZeroState(
            counters["iteration"],
            counters["positions"],
            jax.device_put(learned, everywhere(self.mesh)),
            jax.device_put(games, split(self.mesh)),
            Replay(self.config.window, safetensors.numpy.load(files[_REPLAY])),
            counters["generator"],
        )


def game_metrics(endings: Endings) -> dict[str, float]:
    """What is worth knowing of the games that ended: how many they are, and shares of these."""
    ended = np.asarray(endings.outcome) != int(Outcome.ONGOING)
    outcomes, lengths, digests = (
        np.asarray(array)[ended] for array in (endings.outcome, endings.length, endings.digest)
    )
    games = len(outcomes)
    if not games:
        return {"games": 0.0}
    shares = {
        name: float(np.mean(outcomes == int(outcome)))
        for name, outcome in (
            ("first_wins", Outcome.FIRST),
            ("second_wins", Outcome.SECOND),
            ("draws", Outcome.DRAW),
        )
    }
    return {
        "games": float(games),
        **shares,
        "game_length": float(np.mean(lengths)),
        "distinct_games": len(np.unique(digests, axis=0)) / games,
    }
