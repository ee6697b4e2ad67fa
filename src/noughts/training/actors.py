"""Self-play of one training, shared out: actors play, on cores of this machine or of a cluster, and one learner learns here.

A config with ``actors`` says that the games of an iteration are so many shares, each played with a key of its own: the seed's, the
iteration's and the share's. With ``lag=0`` an iteration is played with the weights that all learning so far has made, and is
waited for. With ``lag=1`` it is played while the iteration before is learned, so with weights that are one iteration older.
Both are part of what is computed: the outcome depends on the number of shares and on the lag, and on nothing else. Who
plays them, where, in which order, and how often one dies over it, changes no bit.

A share is played from what goes with it, so that any worker can play it, again if need be. An actor keeps nothing but
compiled programs.
"""

import base64
import contextlib
import functools
import hashlib
import json
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from noughts.machine import Failed, Job, Recorder
from noughts.machine.brought import located
from noughts.machine.executor import Executor, StandingWorkers
from noughts.machine.jobs import Baggage, Running
from noughts.machine.sources import files_behind
from noughts.rules import ComputeError, NoughtsError, Value
from noughts.store.files import write_atomically
from noughts.store.run_folder import RunFolder
from noughts.training.events import Event
from noughts.training.loop import train
from noughts.training.registry import codes_of_training, find_method
from noughts.training.schedule import Schedule
from noughts.training.trainer import Trainer

PLAY_JOB = f"{__name__}:play_job"
_WEIGHTS = "acting.safetensors"
_TRIES = 3  # workers that one share may end
_LOOK_SECONDS = 0.05
_CLOSE_SECONDS = 5.0
_NOTE_SECONDS = 1.0

Arrays = Mapping[str, Any]
"""NumPy arrays by name."""


class Actor(Protocol):
    """Plays shares of an iteration; a method has one if its self-play can be shared out."""

    def play(self, weights: bytes, iteration: int, share: int, arrays: Arrays) -> Arrays:
        """What is played: the same for the same arguments, whoever plays it.

        Args:
            weights: A file of weights.
            iteration: Whose games they are.
            share: Which of them, from 0 on.
            arrays: What the trainer gives along, such as games under way.
        """
        ...


@dataclass(frozen=True)
class Play:
    """What is to be played for one iteration.

    Attributes:
        iteration: Which.
        weights: The file of weights with which it is played.
        shares: What goes along with each share.
    """

    iteration: int
    weights: bytes
    shares: tuple[Arrays, ...]


class Players(Protocol):
    """Those who play what a trainer needs."""

    def begin(self, play: Play) -> None:
        """Begin to play an iteration, when those before are played; if it is begun already, nothing happens."""
        ...

    def played(self, iteration: int) -> Sequence[Arrays]:
        """What was played of an iteration that was begun, share by share; waits for it."""
        ...

    def forget(self) -> None:
        """What was begun is not wanted any more."""
        ...


@runtime_checkable
class SharesSelfPlay(Protocol):
    """A trainer whose self-play may be shared out."""

    def play_by(self, players: Players) -> None:
        """Let these play from now on; without any it plays all shares itself, one after another."""
        ...


class PlayedHere:
    """One actor in this process, which plays what is asked when it is waited for."""

    def __init__(self, actor: Actor) -> None:
        self._actor, self._begun = actor, dict[int, Play]()

    def begin(self, play: Play) -> None:
        """See `Players`."""
        self._begun.setdefault(play.iteration, play)

    def played(self, iteration: int) -> Sequence[Arrays]:
        """See `Players`."""
        play = self._begun[iteration]
        found = [self._actor.play(play.weights, iteration, share, arrays) for share, arrays in enumerate(play.shares)]
        self._begun = {other: play for other, play in self._begun.items() if other > iteration}
        return found

    def forget(self) -> None:
        """See `Players`."""
        self._begun.clear()


class _ActorsStopped(Exception):  # noqa: N818 - it reports what happened
    """Nobody wants more."""


class _ShareOrder(Value):
    """What goes to a worker: which share of which iteration, and the weights that it is played with.

    Attributes:
        method, config: Of the run, the config as JSON.
        weights, digest: The file of the weights, and the SHA-256 of what it must hold.
        iteration, share: Counted from 0.
        arrays: What the share goes on from, as text.
    """

    called = "share of self-play"

    method: str
    config: str
    weights: str
    digest: str
    iteration: int
    share: int
    arrays: str


class Actors:
    """Workers that play, on this machine or on others, looked after by a thread of their own.

    Args:
        executor: Whose workers; as many shares are played at once as it has workers.
        run: Whose self-play it is; the weights that actors read lie in its folder.
    """

    def __init__(self, executor: Executor, run: RunFolder) -> None:
        self._executor, self._run = executor, run
        described = run.description
        self._method, self._config = described.method, json.dumps(described.config, sort_keys=True)
        self._reads = files_behind(lambda: codes_of_training(described.method, described.config))
        self._file = run.folder.absolute() / _WEIGHTS
        self._changed = threading.Condition()
        self._begun: list[Play] = []
        self._played: dict[int, Sequence[Arrays]] = {}
        self._wanted = 0  # counts what was forgotten
        self._stopping = self._wrote = False
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="noughts-actors", daemon=True)
        self._thread.start()

    def begin(self, play: Play) -> None:
        """See `Players`."""
        with self._changed:
            if play.iteration not in self._played and all(play.iteration != other.iteration for other in self._begun):
                self._begun.append(play)
                self._changed.notify_all()

    def played(self, iteration: int) -> Sequence[Arrays]:
        """See `Players`.

        Raises:
            ComputeError: it cannot be played.
        """
        with self._changed:
            while iteration not in self._played:
                if self._error is not None:
                    raise self._error
                self._changed.wait(_LOOK_SECONDS)  # so often, so that Ctrl-C is heard
            self._played = {other: found for other, found in self._played.items() if other >= iteration}
            return self._played[iteration]

    def forget(self) -> None:
        """See `Players`."""
        with self._changed:
            self._begun.clear()
            self._played.clear()
            self._wanted += 1

    def close(self) -> None:
        """End the workers."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._thread.join(_CLOSE_SECONDS)
        if self._wrote:
            self._file.unlink(missing_ok=True)

    def _work(self) -> None:
        try:
            with self._executor.opened():
                while True:
                    with self._changed:
                        while not self._begun and not self._stopping:
                            self._changed.wait()
                        if self._stopping:
                            return
                        play, wanted = self._begun[0], self._wanted
                    try:
                        found = self._play(play, lambda wanted=wanted: self._check(wanted))  # type: ignore[misc]
                    except _ActorsStopped:
                        continue
                    with self._changed:
                        if wanted == self._wanted:
                            self._played[play.iteration] = found
                            self._begun.pop(0)
                            self._changed.notify_all()
        except BaseException as error:  # whoever waits is told
            with self._changed:
                self._error = error
                self._changed.notify_all()

    def _check(self, wanted: int) -> None:
        if self._stopping or wanted != self._wanted:
            raise _ActorsStopped

    def _play(self, play: Play, check: Callable[[], None]) -> Sequence[Arrays]:
        """All shares; one whose worker dies over it is played again by another.

        Raises:
            ComputeError: one of them fails, or ends too many workers.
            _ActorsStopped: they are not wanted any more.
        """
        self._wrote = True
        write_atomically(self._file, play.weights)
        digest = hashlib.sha256(play.weights).hexdigest()
        baggage = Baggage((str(self._file), *map(str, self._reads)), exact=True)
        orders = (
            _ShareOrder(
                method=self._method,
                config=self._config,
                weights=str(self._file),
                digest=digest,
                iteration=play.iteration,
                share=share,
                arrays=_to_text(arrays),
            )
            for share, arrays in enumerate(play.shares)
        )
        jobs = {str(order.share): Job(str(order.share), PLAY_JOB, order.to_json(), baggage=baggage) for order in orders}
        found: dict[str, Arrays] = {}
        for left in reversed(range(_TRIES)):
            self._play_once([job for key, job in jobs.items() if key not in found], found, left, check)
            if len(found) == len(jobs):
                break
        return [found[key] for key in jobs]

    def _play_once(self, jobs: list[Job], found: dict[str, Arrays], left: int, check: Callable[[], None]) -> None:
        with contextlib.closing(self._executor.run(jobs, _NOTE_SECONDS, check)) as results:
            for result in results:
                if isinstance(result, Running):
                    continue
                if not isinstance(result, Failed):
                    found[result.key] = _from_text(result.value)
                elif result.reason != "died" or not left:
                    raise ComputeError(f"run {self._run.name}: self-play, share {result.key}: {result.message}")


def play_job(argument: str, notes: Recorder) -> str:
    """Play one share of an iteration."""
    order = _ShareOrder.from_json(argument)
    weights = located(order.weights).read_bytes()
    if hashlib.sha256(weights).hexdigest() != order.digest:
        raise NoughtsError(f"{order.weights} is not the weights of iteration {order.iteration}")
    notes.note(f"iteration {order.iteration + 1}, share {order.share + 1}")
    actor = _actor(order.method, order.config)
    return _to_text(actor.play(weights, order.iteration, order.share, _from_text(order.arrays)))


@functools.lru_cache(maxsize=1)
def _actor(method: str, config: str) -> Actor:
    """The actor of a worker: it stays, with its compiled programs."""
    found = find_method(method)
    if found.actor is None:
        raise NoughtsError(f"the self-play of method {method} cannot be shared out")
    return found.actor(found.read_config(json.loads(config)))


def train_with_actors(
    trainer: Trainer,
    run: RunFolder,
    schedule: Schedule,
    clock: Callable[[], float],
    executor: Executor,
) -> Generator[Event, None, None]:
    """`loop.train`, with the self-play of a trainer that shares it played by the workers of an executor.

    Args:
        trainer, run, schedule, clock: As of `loop.train`.
        executor: Whose workers play; if they are of this machine, as many are started as there are shares.

    Raises:
        ComputeError: a share cannot be played, or no machine can be used.
        StoreError: as of `loop.train`.
    """
    shares = shares_of(run.description.config)
    if not shares or not isinstance(trainer, SharesSelfPlay):
        yield from train(trainer, run, schedule, clock)
        return
    with _playing(trainer, run, StandingWorkers(shares) if executor.shares_machine else executor):
        yield from train(trainer, run, schedule, clock)


def shares_of(config: Mapping[str, Any]) -> int:
    """How many actors a config shares its self-play out to; 0 for none."""
    return int(config.get("actors", 0))


@contextlib.contextmanager
def _playing(trainer: SharesSelfPlay, run: RunFolder, executor: Executor) -> Iterator[None]:
    actors = Actors(executor, run)
    try:
        trainer.play_by(actors)
        yield
    finally:
        actors.close()


def _to_text(arrays: Arrays) -> str:
    from safetensors.numpy import save

    return base64.b64encode(save(dict(arrays))).decode()


def _from_text(text: str) -> Arrays:
    from safetensors.numpy import load

    found: Arrays = load(base64.b64decode(text))
    return found
