"""`Crew`: a few worker processes, kept warm, for people who wait: each task tells what it finds as it goes, and can
be stopped.

A task is the name of a generator function and its argument, both text. It is stopped by a word in shared memory at
which the function looks between two steps; a worker that goes on regardless for GRACE_SECONDS is killed, and another
takes its place. So the processor is free soon after, whatever the function does.

    crew = Crew(most=4, prepare="package.module:warm_up", first=0.5)
    ticket = crew.submit("package.module:steps", "argument", listener)      listener(Event("step", ...)) ...
    ticket.stop()                                                           ... listener(Event("done"))

Clients take turns: a free worker goes to the client that has the fewest tasks at work, and among equals to the one that
was served longest ago. With `first`, a task that is not done after so many seconds is long. One worker is never
given to a long task, so that short ones find it soon, and long tasks have a lower priority. A long task whose time is over
gives its place up if somebody waits; it begins anew later, and then it has twice the time. So it loses at most half of the
work, and unless it is asked for, what it tells again is not told twice. What was long is remembered for a while by its kind and
topic: others like it are long from the start. A client who has begun more than another who waits gives way sooner.

Each worker is looked after by a thread of this process. Listeners are called from those threads.
"""

import contextlib
import json
import math
import threading
import time
from collections import Counter
from queue import SimpleQueue

from noughts.machine.ticket import DEATH_SECONDS, LOWERED_TIMES, CrewWorker, Event, KnownLong, Listener, Ticket
from noughts.rules.errors import ComputeError

GRACE_SECONDS = 0.2
"""How much of a processor a stopped task may use before it ends by itself: of time alone, a busy machine may leave it none."""

PATIENCE_SECONDS = 1.0
"""How long a stopped task may take to end by itself, whatever it uses; `LOWERED_TIMES` that if its priority is low."""

LATE_SECONDS = 1.0
"""How long a task may take to keep its own limit before the crew enforces it."""

_LOOK_EVERY = 0.04  # seconds between two looks at whether a task was stopped
_REMEMBERED = 10_000  # clients


class _CrewSeat:
    """A place for one worker, and the thread that looks after it."""

    def __init__(self) -> None:
        self.handed: SimpleQueue[Ticket | None] = SimpleQueue()
        self.worker: CrewWorker | None = None
        self.is_up = False
        self.topic = ""


class Crew:
    """Workers that do tasks; clients take turns.

    Attributes:
        most: How many workers there may be.
    """

    def __init__(self, most: int, warm: int = 1, prepare: str = "", queue: int = 256, first: float = math.inf) -> None:
        """Start `warm` workers; others come when all are at work.

        Args:
            most: Workers at once, 1 or more; with `first`, 2 or more.
            warm: So many are there from the beginning.
            prepare: ``module:function``, called once in each worker before its first task.
            queue: Tasks that may wait; of more, the newest of the client that has the most is turned away.
            first: Seconds after which a task is long; infinite for no such difference, and every task is seen through.
        """
        self.most = most
        self._prepare, self._room, self._first = prepare, queue, first
        self._lock = threading.Lock()
        self._waiting: list[Ticket] = []
        self._idle: list[_CrewSeat] = []
        self._seats: list[tuple[_CrewSeat, threading.Thread]] = []
        self._starting = 0
        self._number = 0
        self._closed = False
        self._at_work: Counter[str] = Counter()  # tasks of each client
        self._begun: Counter[str] = Counter()  # those, and those that gave way and wait
        self._long = 0  # long tasks at work
        self._served: dict[str, float] = {}  # when a client was last given a worker
        self._known_long = KnownLong()
        with self._lock:
            for _ in range(min(warm, most)):
                self._add_seat()

    def submit(
        self,
        function: str,
        argument: str,
        listener: Listener,
        topic: str = "",
        limit: float = 60.0,
        client: str = "",
        kind: str = "",
        tells_again: bool = False,
    ) -> Ticket:
        """Have a task done.

        Args:
            function: ``module:name`` of ``f(argument: str, stopped: Callable[[], bool]) -> Generator[str]``.
            argument: What it is called with.
            listener: Told every step and then the end, from another thread; it must be quick and raise nothing.
            topic: A worker that did a task of the same topic last is taken if it is free: it may know something.
            limit: Seconds that it may take from when it is begun, or begun anew; once its priority is low, of the processors,
                and `LOWERED_TIMES` as long by the clock.
            client: Who asks.
            kind: What takes about as long as others of this kind; empty if nobody knows.
            tells_again: Whether all that it tells when it is begun anew is passed on, because each step says something else;
                else it is silent for as long as it was at work before, so that no step says less than the one before.

        Raises:
            ComputeError: too many tasks wait, most of them this client's, or the crew is closed.
        """
        ticket = Ticket(function, argument, listener, topic, limit, client, kind)
        ticket.seconds, ticket.tells_again = self._first, tells_again
        with self._lock:
            if self._closed:
                raise ComputeError("the crew is closed")
            ticket.is_long = self._known_long.holds(ticket)
            self._waiting = [ticket for ticket in self._waiting if not self._dropped(ticket)]
            if self._idle and not (ticket.is_long and self._long >= self._most_long):
                seat = next((seat for seat in self._idle if seat.topic == topic), self._idle[0])
                self._idle.remove(seat)
                self._count_in(ticket)
                seat.handed.put(ticket)
            else:
                if len(self._waiting) >= self._room:
                    self._turn_away(client)
                self._waiting.append(ticket)
                if not self._starting and len(self._seats) < self.most:
                    self._add_seat()
        return ticket

    @property
    def busy(self) -> int:
        """How many tasks are at work or wait."""
        with self._lock:
            return self._at_work.total() + len(self._waiting)

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
        seat = _CrewSeat()
        thread = threading.Thread(target=self._look_after, args=(seat,), name="noughts-crew", daemon=True)
        self._seats.append((seat, thread))
        self._starting += 1
        thread.start()

    def _look_after(self, seat: _CrewSeat) -> None:
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
                self._count_out(ticket, gave_way=False)
                ticket.listener(Event("failed", problem))
                continue
            seat.topic = ticket.topic
            with self._lock:
                self._number += 1
                number = self._number
            ticket.given_to(seat.worker, number)
            end = self._see_through(seat.worker, ticket, number)
            ticket.taken_back()
            if end is None or end.kind in ("stopped", "died", "timeout"):
                self._dismiss(seat)
            gave_way = end is None or end is _GAVE_WAY
            if end is None:  # it did not listen, and its worker had to be killed
                with self._lock:
                    self._known_long.did_not_listen(ticket)
            self._count_out(ticket, gave_way)
            if end is not None and not gave_way:
                ticket.listener(end)
            if seat.worker is None and not self._closed:
                self._hire(seat)
        self._dismiss(seat)

    def _next(self, seat: _CrewSeat) -> Ticket | None:
        """What a seat does next: waits until there is something; None when the crew is closed."""
        with self._lock:
            if self._closed:
                return None
            self._waiting = [ticket for ticket in self._waiting if not self._dropped(ticket)]
            allowed = [ticket for ticket in self._waiting if not ticket.is_long or self._long < self._most_long]
            if allowed:
                ticket = min(allowed, key=self._rank)  # the first of equals: they stand as they came
                self._waiting.remove(ticket)
                self._count_in(ticket)
                return ticket
            self._idle.append(seat)
        return seat.handed.get()

    def _rank(self, ticket: Ticket) -> tuple[int, int, float, bool]:
        client = ticket.client
        return self._at_work[client], self._begun[client], self._served.get(client, 0.0), ticket.is_long

    def _count_in(self, ticket: Ticket) -> None:
        """With the lock held: it begins."""
        self._at_work[ticket.client] += 1
        self._begun[ticket.client] += not ticket.told
        self._long += ticket.is_long
        self._served.pop(ticket.client, None)
        while len(self._served) >= _REMEMBERED:
            del self._served[next(iter(self._served))]
        self._served[ticket.client] = time.monotonic()

    def _count_out(self, ticket: Ticket, gave_way: bool) -> None:
        """It ended, or gave way and waits again."""
        with self._lock:
            self._at_work[ticket.client] -= 1
            self._long -= ticket.is_long
            if gave_way:
                ticket.seconds *= 2
                ticket.is_long = True
                self._waiting.append(ticket)
            else:
                self._begun[ticket.client] -= 1
            for counted in (self._at_work, self._begun):
                if not counted[ticket.client]:
                    del counted[ticket.client]

    def _forget(self, ticket: Ticket) -> None:
        """With the lock held: one that waits will not be done."""
        if ticket.told:
            self._begun[ticket.client] -= 1
            if not self._begun[ticket.client]:
                del self._begun[ticket.client]

    def _turn_away(self, client: str) -> None:
        """With the lock held: make room for a task of this client, or ComputeError if it has the most that wait."""
        waiting = Counter(ticket.client for ticket in self._waiting)
        greediest, count = waiting.most_common(1)[0]
        if waiting[client] >= count:
            raise ComputeError(f"{len(self._waiting)} tasks wait already: try again later")
        newest = [ticket for ticket in self._waiting if ticket.client == greediest][-1]
        self._waiting.remove(newest)
        self._forget(newest)
        newest.listener(Event("crowded", "too many tasks wait: try again later"))

    def _must_give_way(self, ticket: Ticket, ran: float, used: float) -> bool:
        """Whether a task that has been at work for so long gives its place up; it may become long.

        Args:
            ticket: The task.
            ran: Seconds that it has been at work.
            used: Seconds that it has had of the processors.
        """
        if ran < self._first / 4:
            return False
        with self._lock:
            if ran >= self._first and used >= self._first / 2:
                self._known_long.was_long(ticket)
            if ticket.is_long and self._long > self._most_long:  # a worker was lost, and no other does short tasks
                return any(not other.is_long for other in self._waiting)
            if ran < ticket.seconds:
                return not ticket.is_long and self._keeps_others_waiting(ticket)
            if not ticket.is_long:
                if self._long >= self._most_long:
                    return True
                ticket.is_long = True
                self._long += 1
                if not self._idle and not self._starting and len(self._seats) < self.most and not self._closed:
                    self._add_seat()  # the next who comes should not wait until it has come up
            return bool(self._waiting)

    @property
    def _most_long(self) -> int:
        """With the lock held: how many long tasks may be at work, so that one worker of those that have come up is left."""
        return max(1, sum(seat.is_up for seat, _ in self._seats) - 1)

    def _keeps_others_waiting(self, ticket: Ticket) -> bool:
        """With the lock held: whether somebody waits for a short task who has begun fewer than this client besides this one."""
        others = self._begun[ticket.client] - 1
        return any(not other.is_long and self._begun[other.client] < others for other in self._waiting)

    def _dropped(self, ticket: Ticket) -> bool:
        """Whether a waiting ticket was stopped; its listener is then told."""
        if ticket.stopped_at is None:
            return False
        self._forget(ticket)
        ticket.listener(Event("stopped", "it was stopped while it waited"))
        return True

    def _hire(self, seat: _CrewSeat) -> str:
        """Give the seat a worker; says what went wrong, if anything."""
        try:
            worker = CrewWorker(self._prepare)
            seat.worker = worker
            worker.wait_until_ready()
            seat.is_up = True
        except ComputeError as error:
            seat.worker = None
            return str(error)
        if self._closed:
            self._dismiss(seat)
        return ""

    def _dismiss(self, seat: _CrewSeat) -> None:
        worker, seat.worker, seat.is_up = seat.worker, None, False
        if worker is not None:
            worker.end()
            worker.release()

    def _see_through(self, worker: CrewWorker, ticket: Ticket, number: int) -> Event | None:
        """Have the worker do the task, and tell its steps; gives its end, or `_GAVE_WAY`, or None if it had to be killed for that."""
        begun, used_before = time.monotonic(), worker.processor_seconds()
        told, gives_way_at = ticket.told, math.inf
        silent = 0.0 if ticket.tells_again else told
        stopped: tuple[float, float] | None = None  # when it was told to end, and what it had used by then
        patience = PATIENCE_SECONDS * (LOWERED_TIMES if ticket.is_long else 1)
        try:
            worker.connection.send_bytes(
                json.dumps([number, ticket.function, ticket.argument, ticket.is_long]).encode()
            )
            while True:
                if worker.connection.poll(_LOOK_EVERY):
                    _, kind, *text = json.loads(worker.connection.recv_bytes())
                    event = Event(kind, *text)
                    if event.is_end:  # one that ends when it is told to may have ended because of that
                        return _GAVE_WAY if kind == "done" and gives_way_at < math.inf else event
                    if time.monotonic() - begun >= silent and gives_way_at == math.inf:
                        ticket.listener(event)
                now = time.monotonic()
                ticket.told = max(told, now - begun)
                if now - begun < _LOOK_EVERY:
                    continue
                used = worker.processor_seconds()
                if stopped is None and (ticket.stopped_at is not None or gives_way_at < math.inf):
                    stopped = now, used
                if stopped is not None and (now - stopped[0] > patience or used - stopped[1] > GRACE_SECONDS):
                    return None if ticket.stopped_at is None else Event("stopped", "it was stopped")
                was_long = ticket.is_long
                if stopped is None and self._must_give_way(ticket, now - begun, used - used_before):
                    gives_way_at, stopped = now, (now, used)
                    ticket.interrupt()
                elif ticket.is_long and not was_long:
                    worker.lower()
                    patience *= LOWERED_TIMES
                if ticket.counted_seconds(now - begun, used - used_before) > ticket.limit + LATE_SECONDS:
                    return Event("timeout", f"it took longer than {ticket.limit:g} s")
        except (EOFError, OSError, ValueError):
            worker.end(DEATH_SECONDS)
            return Event("died", worker.how_it_ended())


_GAVE_WAY = Event("done", "it gave way")
