"""`SelfPlayTrainer`: the base of the trainers of AlphaZero and MuZero. One iteration plays, fills the replay, and learns."""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

import jax
import numpy as np
import safetensors.numpy
from numpy.typing import NDArray

from noughts.networks.errors import NetworkError, require_served
from noughts.networks.network import Array, BoardShape
from noughts.networks.spec import NetworkSpec, depends_on, parse_network, written_code
from noughts.networks.weights import WEIGHTS, from_arrays, save_network, to_arrays
from noughts.positions import derive_seed
from noughts.positions.position import Outcome
from noughts.rules import ComputeError, NoughtsError, Task, format_task, parse_task
from noughts.search.guided import Servant
from noughts.training.augmentation import Turns
from noughts.training.beginnings import ROOM, Beginnings, beginnings_of, refuted_rows
from noughts.training.devices import everywhere, mesh_for, split
from noughts.training.games import Endings, GamesInFlight, TaskDistribution
from noughts.training.learner import Learned, Loss, Net, begin, learn
from noughts.training.replay import SlidingWindow
from noughts.training.self_play_config import SelfPlayConfig
from noughts.training.trainer import LostGame

if TYPE_CHECKING:
    from noughts.training.strength import NetworkStrength

_BEFORE_ALL = 0x7FFFFFFF  # derives the first key, in place of an iteration's number; no iteration has this number
_AGAIN = 1  # derives the key for reanalysis
_STATE, _REPLAY, _COUNTERS = "state.safetensors", "replay.safetensors", "counters.json"
_REFUTED = "refuted.safetensors"

Config = TypeVar("Config", bound=SelfPlayConfig)
Window = TypeVar("Window", bound=SlidingWindow)


class SelfPlayed(NamedTuple):
    """The results of one iteration of self-play.

    Attributes:
        kept: The data for the replay, on the host.
        positions: The number of positions in it.
        endings: How games ended, on the host.
        games: Unfinished games, on all devices; None if the method plays whole games.
    """

    kept: Any
    positions: int
    endings: Endings
    games: GamesInFlight | None


class SelfPlayState(NamedTuple, Generic[Net, Window]):
    """The state of a run between two iterations.

    Attributes:
        iteration: Iterations done.
        positions: Positions of self-play seen, without reanalysed ones.
        learned: The weights and the optimiser, on every device.
        games: Unfinished games, split over the devices; None if each iteration plays whole games.
        replay: The replay, on the host.
        generator: The state of the generator that draws batches.
        refuted: Positions of games that refuted the agent, and the iterations that found them; on the host.
        supplied: The number of such positions so far.
    """

    iteration: int
    positions: int
    learned: Learned[Net]
    games: GamesInFlight | None
    replay: Window
    generator: Mapping[str, Any]
    refuted: SlidingWindow
    supplied: int


class SelfPlayTrainer(ABC, Generic[Config, Net, Window]):
    """A run of a method that learns from games against itself: a `Trainer`.

    Equal configurations give equal runs, bit for bit, on the same machine with the same number of devices and usable cores.

    Attributes:
        method: Its name in a file of weights.
        stream: A text from which, with the seed, a run derives its random keys.
        config: The configuration.
        task: The games to learn.
        board: Their board.
        spec: The network's kind and options.
        mesh: The devices that it runs on.
    """

    method: ClassVar[str]
    stream: ClassVar[str]

    def __init__(self, config: Config, replay: Window, loss: Loss[Net], devices: int | None) -> None:
        """At the beginning, with an empty replay; NoughtsError if the network cannot serve the task, or gives what is no prediction."""
        self.config = config
        self._loss: Loss[Net] = loss
        self.task = parse_task(config.task)
        self.board = BoardShape.of(self.task.rules)
        self.spec = parse_network(config.network)
        self._code = depends_on(config.network).versions  # now, because its file may be edited during training
        self.mesh = mesh_for(config.games, config.batch, at_most=devices)
        self._distribution = TaskDistribution.of_task(self.task)
        self._turns = Turns(self.task.rules, config.augmentation)
        self._key = jax.random.key(derive_seed(config.seed, self.stream) >> 33)
        network, games = self._begin(jax.random.fold_in(self._key, _BEFORE_ALL))
        learned = jax.device_put(begin(network, config.optimiser), everywhere(self.mesh))
        generator = np.random.PCG64(derive_seed(config.seed, "replay"))
        games, refuted = jax.device_put(games, split(self.mesh)), refuted_rows((), self.task.rules, 0, 0)
        self._now = SelfPlayState(
            0, 0, learned, games, replay, generator.state, SlidingWindow(ROOM, refuted), supplied=0
        )

    @abstractmethod
    def _begin(self, key: Array) -> tuple[Net, GamesInFlight | None]:
        """Create a network and the first games. NoughtsError if the network does not support the task."""

    @abstractmethod
    def _play(self, now: SelfPlayState[Net, Window], task: TaskDistribution, keys: Array) -> SelfPlayed:
        """Play one segment or one round of games on all devices, with a key for each; `task` has the positions to begin in."""

    @abstractmethod
    def _added(self, replay: Window, played: SelfPlayed, key: Array, generator: np.random.Generator) -> Window:
        """The replay with the played positions or games added; it may also reanalyse some positions."""

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self._now.iteration

    @property
    def positions(self) -> int:
        """Positions of self-play seen."""
        return self._now.positions

    @property
    def network(self) -> Net:
        """The averaged weights, which agents use, on one device."""
        average: Net = jax.device_put(self._now.learned.average, jax.devices()[0])
        return average

    def step(self) -> Mapping[str, float]:
        """Do one iteration: play, add to the replay, learn."""
        now = self._now
        key = jax.random.fold_in(self._key, now.iteration)
        keys = jax.device_put(jax.random.split(key, self.mesh.size), split(self.mesh))
        played = self._play(now, self._distribution._replace(beginnings=self._beginnings(now)), keys)
        generator = np.random.Generator(np.random.PCG64())
        generator.bit_generator.state = now.generator
        replay = self._added(now.replay, played, jax.random.fold_in(key, _AGAIN), generator)
        learned, written = now.learned, []
        for _ in range(self.config.steps):
            batch = jax.device_put(replay.draw(self.config, self._turns, generator), split(self.mesh))
            learned, metrics = learn(self._loss, learned, batch, self._distribution, self.board, self.config, self.mesh)
            written.append(metrics)
        iteration, positions = now.iteration + 1, now.positions + played.positions
        means = means_of(jax.device_get(written), iteration)
        # One assignment: an interrupt leaves the state before this iteration, or the one after it.
        self._now = now._replace(
            iteration=iteration,
            positions=positions,
            learned=learned,
            games=played.games,
            replay=replay,
            generator=generator.bit_generator.state,
        )
        return means | game_metrics(played.endings)

    def _beginnings(self, now: SelfPlayState[Net, Window]) -> Beginnings | None:
        """The positions in which a fraction of this iteration's new games begins; None if all begin at the start."""
        chosen = self.config.restarts
        if not chosen.share:
            return None
        if chosen.source == "uniform" and len(now.replay):
            drawn = np.random.default_rng(derive_seed(self.config.seed, "restarts", now.iteration))
            rows = now.replay.positions(ROOM, drawn)
        else:  # `uniform` has none as long as the replay is empty
            recent = now.refuted.rows["iteration"] > now.iteration - chosen.age
            rows = {name: array[recent] for name, array in now.refuted.rows.items()}
        beginnings: Beginnings = jax.device_put(beginnings_of(rows, chosen.share), everywhere(self.mesh))
        return beginnings

    @property
    def uses_refutations(self) -> bool:
        """Whether some games begin in positions of games that refuted the agent."""
        return self.config.uses_refutations

    def take_refutations(self, lost: Sequence[LostGame]) -> int:
        """See `Trainer`."""
        now = self._now
        new = refuted_rows(lost, self.task.rules, self.config.restarts.plies, now.iteration)
        before = now.refuted.rows["iteration"] < now.iteration
        kept = {name: array[before] for name, array in now.refuted.rows.items()}
        supplied = now.supplied - int((~before).sum()) + len(new["ply"])
        self._now = now._replace(refuted=SlidingWindow(ROOM, kept).followed_by(new), supplied=supplied)
        return supplied

    def measure(self) -> Mapping[str, float]:
        """Measure the strength of the averaged weights."""
        return self._strength.measure(self.network)

    def measured_counts(self) -> Mapping[str, int]:
        """The number of games or positions in the mean of each measurement."""
        return self._strength.counts(self.network)

    @cached_property
    def _strength(self) -> "NetworkStrength":
        # Imported late, because it loads opponents and solvers, which the first games do not need.
        from noughts.training.strength import NetworkStrength

        return NetworkStrength(self.config)

    def weights(self) -> dict[str, bytes]:
        """The file of weights for agents."""
        about = {
            "method": self.method,
            "config": self.config.to_json(),
            "task": self.config.task,
            "search": self.config.search.to_json(),
            "iteration": str(self.iteration),
            "positions": str(self.positions),
            **written_code(self._code),
        }
        return {WEIGHTS: save_network(self.network, self.spec, self.board, about)}

    def state(self) -> dict[str, bytes]:
        """The whole state, from which `restore` resumes bit for bit."""
        now = self._now
        counters = {
            "iteration": now.iteration,
            "positions": now.positions,
            "generator": now.generator,
            "devices": self.mesh.size,
        }
        files = {
            _STATE: safetensors.numpy.save(to_arrays(jax.device_get((now.learned, now.games)))),
            _REPLAY: _saved(now.replay),
        }
        if self.uses_refutations:
            files[_REFUTED], counters["supplied"] = _saved(now.refuted), now.supplied
        return files | {_COUNTERS: json.dumps(counters).encode()}

    def restore(self, files: Mapping[str, bytes]) -> None:
        """Resume from the result of `state`.

        Raises:
            NoughtsError: it was saved with another number of devices, so the run would not resume bit for bit.
        """
        counters, now = json.loads(files[_COUNTERS]), self._now
        if counters["devices"] != self.mesh.size:
            raise NoughtsError(
                f"this run resumes bit for bit on {counters['devices']} devices only, and this machine has {self.mesh.size}: "
                f"give --devices {counters['devices']}"
            )
        learned, games = from_arrays((now.learned, now.games), safetensors.numpy.load(files[_STATE]))
        rows: Mapping[str, NDArray[Any]] = safetensors.numpy.load(files[_REPLAY])
        refuted = safetensors.numpy.load(files[_REFUTED]) if self.uses_refutations else now.refuted.rows
        self._now = SelfPlayState(
            counters["iteration"],
            counters["positions"],
            jax.device_put(learned, everywhere(self.mesh)),
            jax.device_put(games, split(self.mesh)),
            type(now.replay)(now.replay.window, rows),
            counters["generator"],
            SlidingWindow(ROOM, refuted),
            counters.get("supplied", 0),
        )


def _saved(window: SlidingWindow) -> bytes:
    return safetensors.numpy.save({name: np.ascontiguousarray(rows) for name, rows in window.rows.items()})


def require_service(network: Servant, spec: NetworkSpec, task: Task) -> None:
    """NoughtsError unless a network can learn a task: it must support all games, and its inputs must distinguish them.

    Args:
        network: A network, or a model.
        spec: Its kind and options.
        task: The games to learn.
    """
    for rules in task.rules:
        require_served(network, rules)
    games = {rules.model_copy(update={"bricks": ()}) for rules in task.rules}
    if len(games) > 1 and not network.sees_rules:
        raise NetworkError(
            f"a network {spec.kind!r} sees size and bricks only, and the games of {format_task(task)} differ in more: "
            "give network=line, or games that differ in bricks alone"
        )


def means_of(steps: Sequence[Mapping[str, Any]], iteration: int) -> dict[str, float]:
    """Each metric's mean over an iteration's training steps.

    Raises:
        ComputeError: one is not finite. Then the weights are not finite either, so the iteration must not be saved.
    """
    means = {name: float(np.mean([metrics[name] for metrics in steps])) for name in steps[0]}
    for name, mean in means.items():
        if not math.isfinite(mean):
            raise ComputeError(
                f"learning diverged in iteration {iteration}: its {name} is {mean}. Earlier checkpoints are kept. "
                "Start a new run with a smaller learning_rate, or with another seed"
            )
    return means


def game_metrics(endings: Endings) -> dict[str, float]:
    """Metrics of the games that ended: their number, the fractions of each outcome, their length, and distinct games."""
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
