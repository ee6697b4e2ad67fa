"""`Crew`: a few worker processes, kept warm, for people who wait: each task tells what it finds as it goes, and can
be stopped.

A task is the name of a generator function and its argument, both text. It is stopped by a word in shared memory at
which the function looks between two steps; a worker that goes on regardless for GRACE_SECONDS is killed, and another
takes its place. So the processor is free soon after, whatever the function does.

    crew = Crew(most=4, prepare="package.module:warm_up")
    ticket = crew.submit("package.module:steps", "argument", listener)      listener(Event("step", ...)) ...
    ticket.stop()                                                           ... listener(Event("done"))

Each worker is looked after by a thread of this process. Listeners are called from those threads.
"""

import contextlib
import ctypes
import json
import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Literal

from noughts.machine.crew_worker import serve
from noughts.machine.process import ChildProcess
from noughts.rules.errors import ComputeError, one_line

GRACE_SECONDS = 0.12
"""How long a stopped task may take to end by itself."""

LATE_SECONDS = 1.0
"""How long a task may take to keep its own limit before the crew enforces it."""

_LOOK_EVERY = 0.04  # seconds between two looks at whether a task was stopped
_START_SECONDS = 120.0  # for a worker to come up
_DEATH_SECONDS = 1.0  # for a worker that hung up to be gone

End = Literal["done", "stopped", "refused", "failed", "died", "timeout"]
ENDS = ("done", "stopped", "refused", "failed", "died", "timeout")


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
    """A task that was submitted."""

    def __init__(self, number: int, function: str, argument: str, listener: Listener, topic: str, limit: float) -> None:
        self.number, self.function, self.argument = number, function, argument
        self.listener, self.topic, self.limit = listener, topic, limit
        self.stopped_at: float | None = None
        self._worker: _Worker | None = None
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Let it end soon; its end is still told to the listener."""
        with self._lock:
            if self.stopped_at is None:
                self.stopped_at = time.monotonic()
                if self._worker is not None:
                    self._worker.stop.value = self.number

    def given_to(self, worker: "_Worker") -> None:
        """A worker begins it."""
        with self._lock:
            self._worker = worker
            if self.stopped_at is not None:
                worker.stop.value = self.number


class _Worker(ChildProcess):
    """A worker process; ComputeError if it does not come up."""

    def __init__(self, prepare: str) -> None:
        self.stop: Any = multiprocessing.get_context("spawn").RawValue(ctypes.c_longlong, 0)
        try:
            super().__init__(serve, self.stop, prepare)
        except (OSError, RuntimeError) as error:  # the latter where a script does not guard its start
            raise ComputeError(f"a worker process cannot be started: {one_line(error)}") from error

    def wait_until_ready(self) -> None:
        try:
            if self.connection.poll(_START_SECONDS) and json.loads(self.connection.recv_bytes()) == ["ready"]:
                return
        except (EOFError, OSError, ValueError):
            self.end(_DEATH_SECONDS)
        self.end()
        raise ComputeError(f"a worker process did not come up: {self.how_it_ended()}")


class _Seat:
    """A place for one worker, and the thread that looks after it."""

    def __init__(self) -> None:
        self.handed: SimpleQueue[Ticket | None] = SimpleQueue()
        self.worker: _Worker | None = None
        self.topic = ""


class Crew:
    """Workers that do tasks, the ones that came first first.

    Attributes:
        most: How many workers there may be.
    """

    def __init__(self, most: int, warm: int = 1, prepare: str = "", queue: int = 256) -> None:
        """Start `warm` workers; others come when all are at work.

        Args:
            most: Workers at once, 1 or more.
            warm: So many are there from the beginning.
            prepare: ``module:function``, called once in each worker before its first task.
            queue: Tasks that may wait; more are turned away.
        """
        self.most = most
        self._prepare, self._room = prepare, queue
        self._lock = threading.Lock()
        self._waiting: deque[Ticket] = deque()
        self._idle: list[_Seat] = []
        self._seats: list[tuple[_Seat, threading.Thread]] = []
        self._starting = 0
        self._number = 0
        self._closed = False
        with self._lock:
            for _ in range(min(warm, most)):
                self._add_seat()

    def submit(self, function: str, argument: str, listener: Listener, topic: str = "", limit: float = 60.0) -> Ticket:
        """Have a task done.

        Args:
            function: ``module:name`` of ``f(argument: str, stopped: Callable[[], bool]) -> Generator[str]``.
            argument: What it is called with.
            listener: Told every step and then the end, from another thread; it must be quick and raise nothing.
            topic: A worker that did a task of the same topic last is taken if it is free: it may know something.
            limit: Seconds that it may take from when it is begun.

        Raises:
            ComputeError: too many tasks wait, or the crew is closed.
        """
        with self._lock:
            if self._closed:
                raise ComputeError("the crew is closed")
            self._waiting = deque(ticket for ticket in self._waiting if not self._dropped(ticket))
            if len(self._waiting) >= self._room:
                raise ComputeError(f"{len(self._waiting)} tasks wait already: try again later")
            self._number += 1
            ticket = Ticket(self._number, function, argument, listener, topic, limit)
            if self._idle:
                seat = next((seat for seat in self._idle if seat.topic == topic), self._idle[0])
                self._idle.remove(seat)
                seat.handed.put(ticket)
            else:
                self._waiting.append(ticket)
                if not self._starting and len(self._seats) < self.most:
                    self._add_seat()
        return ticket

    @property
    def busy(self) -> int:
        """How many tasks are at work or wait."""
        with self._lock:
            return len(self._seats) - len(self._idle) - self._starting + len(self._waiting)

    @property
    def process_ids(self) -> tuple[int, ...]:
        """Of the workers there are."""
        with self._lock:
            workers = [seat.worker for seat, _ in self._seats]
        return tuple(worker.process.pid for worker in workers if worker is not None and worker.process.pid is not None)

    def close(self) -> None:
        """End all workers at once; tasks end as ``stopped``."""
        with self._lock:
            self._closed = True
            seats, waiting = list(self._seats), list(self._waiting)
            self._waiting.clear()
        for ticket in waiting:
            ticket.listener(Event("stopped", "the server is closing"))
        for seat, _ in seats:
            seat.handed.put(None)
            worker = seat.worker
            if worker is not None:
                with contextlib.suppress(ValueError):  # its thread has released it
                    worker.process.kill()
        for _, thread in seats:
            thread.join(5.0)

    def _add_seat(self) -> None:
        """With the lock held."""
        seat = _Seat()
        thread = threading.Thread(target=self._look_after, args=(seat,), name="noughts-crew", daemon=True)
        self._seats.append((seat, thread))
        self._starting += 1
        thread.start()

    def _look_after(self, seat: _Seat) -> None:
        """The life of a seat's thread."""
        problem = self._hire(seat)
        with self._lock:
            self._starting -= 1
            if not self._starting and len(self._waiting) > 1 and len(self._seats) < self.most and not self._closed:
                self._add_seat()
        while True:
            ticket = self._next(seat)
            if ticket is None:
                break
            if seat.worker is not None and not seat.worker.process.is_alive():  # it died while it had nothing to do
                self._dismiss(seat)
            if seat.worker is None:
                problem = self._hire(seat)
            if seat.worker is None:
                ticket.listener(Event("failed", problem))
                continue
            seat.topic = ticket.topic
            ticket.given_to(seat.worker)
            end = self._see_through(seat.worker, ticket)
            if end.kind in ("stopped", "died", "timeout"):
                self._dismiss(seat)
            ticket.listener(end)
            if seat.worker is None and not self._closed:
                self._hire(seat)
        self._dismiss(seat)

    def _next(self, seat: _Seat) -> Ticket | None:
        with self._lock:
            while self._waiting and not self._closed:
                ticket = self._waiting.popleft()
                if not self._dropped(ticket):
                    return ticket
            if self._closed:
                return None
            self._idle.append(seat)
        return seat.handed.get()

    def _dropped(self, ticket: Ticket) -> bool:
        """Whether a waiting ticket was stopped; its listener is then told."""
        if ticket.stopped_at is None:
            return False
        ticket.listener(Event("stopped", "it was stopped before it began"))
        return True

    def _hire(self, seat: _Seat) -> str:
        """Give the seat a worker; says what went wrong, if anything."""
        try:
            worker = _Worker(self._prepare)
            seat.worker = worker
            worker.wait_until_ready()
        except ComputeError as error:
            seat.worker = None
            return str(error)
        if self._closed:
            self._dismiss(seat)
        return ""

    def _dismiss(self, seat: _Seat) -> None:
        worker, seat.worker = seat.worker, None
        if worker is not None:
            worker.end()
            worker.release()

    def _see_through(self, worker: _Worker, ticket: Ticket) -> Event:
        """Have the worker do the task, and tell its steps; gives its end."""
        begun = time.monotonic()
        try:
            worker.connection.send_bytes(json.dumps([ticket.number, ticket.function, ticket.argument]).encode())
            while True:
                if worker.connection.poll(_LOOK_EVERY):
                    _, kind, *text = json.loads(worker.connection.recv_bytes())
                    event = Event(kind, *text)
                    if event.is_end:
                        return event
                    ticket.listener(event)
                now = time.monotonic()
                if ticket.stopped_at is not None and now - ticket.stopped_at > GRACE_SECONDS:
                    return Event("stopped", "it was stopped")
                if now - begun > ticket.limit + LATE_SECONDS:
                    return Event("timeout", f"it took longer than {ticket.limit:g} s")
        except (EOFError, OSError, ValueError):
            worker.end(_DEATH_SECONDS)
            return Event("died", worker.how_it_ended())
