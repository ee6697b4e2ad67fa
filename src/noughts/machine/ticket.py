"""What a crew is asked and what it says: `Ticket`, a task that was submitted; `Event`, a step or an end; its worker."""

import json
import math
import multiprocessing
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import psutil

from noughts.machine.crew_worker import Shared, lower, serve
from noughts.machine.process import ChildProcess
from noughts.rules.errors import ComputeError, one_line

_START_SECONDS = 120.0  # for a worker to come up
DEATH_SECONDS = 1.0
"""For a worker that hung up to be gone."""

LOWERED_TIMES = 10
"""How many times as long something may take when its priority is low: on a busy machine it gets a tenth of what others get."""

_LONG_SECONDS = 30.0  # so long, what is like a long task is long from the start
_DEAF_SECONDS = 30.0  # so long, and twice as long each time, all is long of a client and of a kind that cost a worker
_MOST_DEAF_SECONDS = 3600.0
_REMEMBERED = 10_000  # clients and kinds

End = Literal["done", "stopped", "refused", "failed", "died", "timeout", "crowded"]
ENDS = ("done", "stopped", "refused", "failed", "died", "timeout", "crowded")


@dataclass(frozen=True, slots=True)
class Event:
    """What a task says, or what became of it.

    Attributes:
        kind: ``step``: the task yielded `text`. Then one end: ``done``, also if it was stopped and ended by itself;
            ``stopped``: it had to be killed, or never began; ``refused``: it raised a `NoughtsError`; ``failed``: it
            raised something else; ``died`` with its process; ``timeout``: it passed its limit.
        text: The step, or a message of one line.
    """

    kind: Literal["step"] | End
    text: str = ""

    @property
    def is_end(self) -> bool:
        """Whether nothing comes after it."""
        return self.kind != "step"


Listener = Callable[[Event], None]


class Ticket:
    """A task that was submitted.

    Attributes:
        client, kind: Who asks, and for what kind of work.
        stopped_at: When it was stopped, by `time.monotonic`; None if it was not.
        seconds: How long it may be at work before it gives way to others; it doubles each time.
        is_long: Whether it was not done in its first time.
        told: For how long it was at work when it last told a step, at most, of all its times.
        tells_again: Whether what it tells when it is begun anew is passed on from the start.
    """

    def __init__(
        self, function: str, argument: str, listener: Listener, topic: str, limit: float, client: str, kind: str
    ) -> None:
        self.function, self.argument, self.listener = function, argument, listener
        self.topic, self.limit, self.client, self.kind = topic, limit, client, kind
        self.stopped_at: float | None = None
        self.seconds = math.inf
        self.is_long = False
        self.told = 0.0
        self.tells_again = False
        self._number = 0
        self._worker: CrewWorker | None = None
        self._lock = threading.Lock()

    def counted_seconds(self, ran: float, used: float) -> float:
        """How many seconds of its limit it has had: a busy machine leaves one of low priority little of the time that goes by.

        Args:
            ran: Seconds by the clock since it was begun.
            used: Seconds that it has had of the processors.
        """
        return min(ran, max(used, ran / LOWERED_TIMES)) if self.is_long else ran

    def stop(self) -> None:
        """Let it end soon; its end is still told to the listener."""
        with self._lock:
            if self.stopped_at is None:
                self.stopped_at = time.monotonic()
            self._tell_worker()

    def interrupt(self) -> None:
        """Let its worker end it soon; it may begin anew."""
        with self._lock:
            self._tell_worker()

    def given_to(self, worker: "CrewWorker", number: int) -> None:
        """A worker begins it, under a number that nothing had before."""
        with self._lock:
            self._worker, self._number = worker, number
            if self.stopped_at is not None:
                self._tell_worker()

    def taken_back(self) -> None:
        """Its worker has another task from now on: what is told to this one no longer concerns it."""
        with self._lock:
            self._worker = None

    def _tell_worker(self) -> None:
        if self._worker is not None:
            self._worker.shared.stop = self._number


class KnownLong:
    """Which tasks are long from the start, because others like them were; for its crew, which sees to it that one thread asks."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, ...], tuple[float, float]] = {}  # until when, and for how long it was set

    def holds(self, ticket: Ticket) -> bool:
        """Whether a task is long, as far as is known."""
        now = time.monotonic()
        return any(self._names.get(name, (0.0, 0.0))[0] > now for name in (*_sources(ticket), *_likes(ticket)))

    def was_long(self, ticket: Ticket) -> None:
        """It was: so are others of its kind and topic, for a while."""
        for name in _likes(ticket):
            self._set(name, _LONG_SECONDS)

    def did_not_listen(self, ticket: Ticket) -> None:
        """Its worker had to be killed: all is long of its client and of its kind, and each time for longer."""
        for name in _sources(ticket):
            before = self._names.get(name, (0.0, _DEAF_SECONDS / 2))[1]
            self._set(name, min(2 * before, _MOST_DEAF_SECONDS))

    def _set(self, name: tuple[str, ...], seconds: float) -> None:
        self._names.pop(name, None)
        while len(self._names) >= _REMEMBERED:
            del self._names[next(iter(self._names))]
        self._names[name] = time.monotonic() + seconds, seconds


def _sources(ticket: Ticket) -> list[tuple[str, ...]]:
    return [("client", ticket.client), *([("kind", ticket.kind)] if ticket.kind else [])]


def _likes(ticket: Ticket) -> list[tuple[str, ...]]:
    return [("like", ticket.kind, ticket.topic)] if ticket.kind else []


class CrewWorker(ChildProcess):
    """A worker process; ComputeError if it does not come up."""

    def __init__(self, prepare: str) -> None:
        self.shared: Any = multiprocessing.get_context("spawn").RawValue(Shared, 0, 0)
        try:
            super().__init__(serve, self.shared, prepare)
        except (OSError, RuntimeError) as error:  # the latter where a script does not guard its start
            raise ComputeError(f"a worker process cannot be started: {one_line(error)}") from error

    def processor_seconds(self) -> float:
        """What it has had of the processors since it was started."""
        try:
            used = psutil.Process(self.process.pid).cpu_times()
        except psutil.Error:  # it is gone
            return 0.0
        return float(used.user + used.system)

    def lower(self) -> None:
        """Give the task that is at work a lower priority."""
        lower(self.shared.thread)

    def wait_until_ready(self) -> None:
        """Return when it can be given tasks; ComputeError, and it is gone, if it cannot."""
        try:
            if self.connection.poll(_START_SECONDS) and json.loads(self.connection.recv_bytes()) == ["ready"]:
                return
        except (EOFError, OSError, ValueError):
            self.end(DEATH_SECONDS)
        self.end()
        raise ComputeError(f"a worker process did not come up: {self.how_it_ended()}")
