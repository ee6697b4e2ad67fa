"""`Engine`: the worker processes behind the page, so that whatever is searched, the server itself stays free.

Two pools. Each search begins in the one for short work. What takes longer than FIRST_SECONDS is begun anew in the one for long work,
whose workers have a lower priority. How long a kind of search takes is what its workers measured last, in seconds of their processor,
so a busy machine makes no short search long; what is known to be long begins in the pool for long work. In each pool one worker is kept
for what is known to leave it soon: in the one for short work what was measured as short, in the other what has its first turns. So
neither moves wait behind analyses, nor new analyses behind old ones. In each pool clients take turns, a client never has all workers,
and what several ask at the same time is worked out once for all of them. All of this happens in the event loop.
"""

import asyncio
import itertools
import json
import math
import os
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from noughts.agents import AGENTS
from noughts.machine.jobs import Done, Failed, Job, JobResult, Running
from noughts.machine.standing_pool import StandingPool
from noughts.web.errors import Refused
from noughts.web.tasks import AnalysisTask, GameAnalysisTask, SearchTask

FIRST_SECONDS = 0.5
"""For which a search may be at work before it counts as long, and before it gives way to others that wait."""
_PATIENCE = 8  # times FIRST_SECONDS by the clock for a search that was measured as short: the machine is busy

_JOBS = "noughts.web.jobs:"
_LOOK_EVERY = 0.25  # seconds between two looks at whether the client is still there
_ROOM = 1024  # searches that may wait for a pool
_REMEMBERED = 1000  # kinds of searches that were measured
_LATE_SECONDS = 1.0  # for a search to keep its own limit before its worker is ended
_STOP_SECONDS = 0.1  # for a stopped search to end by itself before its listeners hear that it was stopped
_BUSY = "the server is busy with other searches: try again in a moment"


@dataclass(frozen=True, slots=True)
class Event:
    """What a search found, or what became of it.

    Attributes:
        kind: ``step``: it found `text`. Then one end: ``done``, also if it was stopped and ended by itself; ``refused``: what was asked
            was wrong; the others say what went wrong.
        text: The step, or a message of one line.
    """

    kind: Literal["step", "done", "stopped", "refused", "raised", "died", "timeout", "crowded"]
    text: str = ""

    @property
    def is_end(self) -> bool:
        """Whether nothing comes after it."""
        return self.kind != "step"


Listener = Callable[[Event], None]


@dataclass(eq=False)
class _Search:
    """A task that was asked, and all who wait for it."""

    task: SearchTask
    text: str
    limit: float
    client: str
    listeners: list[Listener] = field(default_factory=list)
    told: list[Event] = field(default_factory=list)
    key: str = ""  # of its job, while it is at work
    begun: float = 0.0
    seconds: float = FIRST_SECONDS  # for which it may be at work before it gives way; twice as long each time
    shown_for: float = (
        0.0  # so long it was at work when it last showed something: when begun anew it is silent until then
    )
    gives_way: bool = False
    is_long: bool = False
    is_measured: bool = False  # whether another like it was done before

    @property
    def likes(self) -> tuple[str, str]:
        """What takes about as long."""
        return self.task.named, self.task.rules.to_json()

    @property
    def leaves_soon(self) -> bool:
        """Whether it is known to leave its worker to others soon."""
        return self.seconds <= 2 * FIRST_SECONDS if self.is_long else self.is_measured


class _Lane:
    """A pool, and the searches that wait for it."""

    def __init__(self, size: int, warm: int, prepare: str, hear: Callable[[JobResult | Running], None]) -> None:
        self.waiting: list[_Search] = []
        self.at_work: dict[str, _Search] = {}
        self._served: dict[str, float] = {}  # when a client was last given a worker
        self.pool = StandingPool(size, hear, _JOBS + prepare, warm)

    def count(self, client: str) -> int:
        """How many searches of a client are at work."""
        return sum(search.client == client for search in self.at_work.values())

    def next(self) -> _Search | None:
        """Which search is to be given a worker, if one is free for it: of the client that has the fewest, served longest ago."""
        most = max(1, self.pool.size - 1)  # of one client, and of those that may stay long
        staying = sum(not search.leaves_soon for search in self.at_work.values())
        ready = [
            search
            for search in self.waiting
            if self.count(search.client) < most and (search.leaves_soon or staying < most)
        ]
        if len(self.at_work) == self.pool.size or not ready:
            return None
        found = min(ready, key=lambda search: (self.count(search.client), self._served.get(search.client, 0.0)))
        self.waiting.remove(found)
        clients = {search.client for search in (*self.waiting, *self.at_work.values())}
        self._served = {client: when for client, when in self._served.items() if client in clients}
        self._served[found.client] = time.monotonic()
        return found


class Engine:
    """Two pools of workers, and who is given them."""

    def __init__(self, cores: int | None = None, warm: bool = True) -> None:
        """Start.

        Args:
            cores: How many workers may be at work in a pool, about; None for as many as the machine has cores.
            warm: Whether some are started at once, so that nobody waits for them later.
        """
        self.cores = cores or os.cpu_count() or 1
        size = max(2, self.cores) + 1
        self._loop = asyncio.get_running_loop()
        self._short = _Lane(size, 2 * warm, "warm_up_player", self._hear_from_thread)
        self._long = _Lane(size, 1 * warm, "warm_up_thinker", self._hear_from_thread)
        self._searches: dict[str, _Search] = {}  # by what is asked: equal ones are one
        self._measured: OrderedDict[tuple[str, str], float] = OrderedDict()  # seconds that a kind of search took last
        self._keys = map(str, itertools.count())
        self._waiting: Counter[str] = Counter()

    def close(self) -> None:
        """End all workers."""
        for lane in (self._short, self._long):
            lane.pool.close()

    @asynccontextmanager
    async def turn(self, client: str, most: int) -> AsyncIterator[None]:
        """Count what a client waits for; Refused if it is too much."""
        if self._waiting[client] >= most:
            raise Refused(429, f"{most} moves are being searched for you: wait for one of them", retry=1)
        self._waiting[client] += 1
        try:
            yield
        finally:
            self._waiting[client] -= 1
            if not self._waiting[client]:
                del self._waiting[client]

    def start(self, task: SearchTask, listener: Listener, limit: float, client: str) -> Callable[[], None]:
        """Have a search done; if too many wait, the newest of the client that has the most is turned away.

        Args:
            task: What is asked.
            listener: Told the steps, and the end; of a search that is at work already, what was told last.
            limit: Seconds.
            client: Who asks.

        Returns:
            What ends it for this listener; it is stopped when nobody listens any more, and then the end is told.
        """
        text = task.to_json()
        found = self._searches.get(text)
        search = found or _Search(task, text, limit, client)
        search.listeners.append(listener)
        for event in search.told:
            listener(event)
        if found is None:
            seconds = self._measured.get(search.likes)
            search.is_measured = seconds is not None
            search.is_long = _takes_long(task) or (seconds or 0.0) > FIRST_SECONDS
            self._searches[text] = search
            lane = self._lane(search)
            lane.waiting.append(search)
            self._give(lane)
            if len(lane.waiting) > _ROOM:
                self._make_room(lane)
        return lambda: self._leave(search, listener)

    async def ask(
        self, task: SearchTask, limit: float, client: str, gone: Callable[[], Awaitable[bool]]
    ) -> dict[str, Any]:
        """The one answer of a task.

        Args:
            task: What is asked.
            limit: Seconds.
            client: Who asks.
            gone: Whether nobody waits for it any more; then it is stopped.

        Raises:
            Refused: the task says that the request was wrong, or it failed, or nobody is free.
        """
        end: asyncio.Future[Event] = self._loop.create_future()
        last = ""

        def listen(event: Event) -> None:
            nonlocal last
            if not event.is_end:
                last = event.text
            elif not end.done():
                end.set_result(event)

        leave = self.start(task, listen, limit, client)
        try:
            while not end.done():
                await asyncio.wait([end], timeout=_LOOK_EVERY)
                if not end.done() and await gone():
                    raise Refused(503, "nobody waits for this any more")
        finally:
            leave()
        event = end.result()
        if event.kind == "done" and last:
            return json.loads(last)  # type: ignore[no-any-return]
        raise explain(event)

    def _lane(self, search: _Search) -> _Lane:
        return self._long if search.is_long else self._short

    def _make_room(self, lane: _Lane) -> None:
        """Turn the newest search away of the client that has the most waiting."""
        greediest, _ = Counter(search.client for search in lane.waiting).most_common(1)[0]
        newest = [search for search in lane.waiting if search.client == greediest][-1]
        lane.waiting.remove(newest)
        self._tell(newest, Event("crowded", _BUSY))

    def _give(self, lane: _Lane) -> None:
        """Give workers to searches that wait, as long as some are free."""
        while (search := lane.next()) is not None:
            search.key, search.begun, search.gives_way = next(self._keys), time.monotonic(), False
            lane.at_work[search.key] = search
            lane.pool.submit(Job(search.key, _JOBS + "perform", search.text, seconds=search.limit + _LATE_SECONDS))
            patience = 1 if search.is_long or not search.is_measured else _PATIENCE
            self._loop.call_later(patience * search.seconds, self._look, search, search.key)

    def _look(self, search: _Search, key: str) -> None:
        """Its time is over: a short search becomes a long one, a long one gives way if others wait."""
        if search.key != key or self._searches.get(search.text) is not search:
            return
        lane = self._lane(search)
        if search.is_long and not lane.waiting:
            self._loop.call_later(FIRST_SECONDS, self._look, search, key)
            return
        search.gives_way = True
        lane.pool.cancel(key)

    def _hear_from_thread(self, found: JobResult | Running) -> None:
        self._loop.call_soon_threadsafe(self._hear, found)

    def _hear(self, found: JobResult | Running) -> None:
        lane = self._short if found.key in self._short.at_work else self._long
        search = lane.at_work[found.key]
        if isinstance(found, Running):
            ran = time.monotonic() - search.begun
            if not search.gives_way and (search.task.each_step_counts or ran >= search.shown_for):
                search.shown_for = max(search.shown_for, ran)
                self._tell(search, Event("step", found.note))
            return
        del lane.at_work[found.key]
        search.key = ""
        ended = isinstance(found, Failed) and found.reason not in ("cancelled", "raised")
        self._measure(search, found)
        if search.gives_way and self._searches.get(search.text) is search and not ended:
            # Where a worker was lost because it did not listen, the next one is not to be lost so soon.
            search.seconds *= 8 if isinstance(found, Failed) else 2
            search.is_long = True
            self._long.waiting.append(search)
            self._give(self._long)
        else:
            self._tell(search, _end(found))
        self._give(lane)

    def _measure(self, search: _Search, found: JobResult) -> None:
        """Remember how long a search took, unless it was stopped before that was known."""
        if isinstance(found, Failed) and found.reason == "raised":
            return
        seconds = float(found.value.partition(" ")[0]) if isinstance(found, Done) else math.inf
        was_cut = search.gives_way or self._searches.get(search.text) is not search
        if was_cut and seconds <= FIRST_SECONDS:
            return
        self._measured[search.likes] = seconds
        if len(self._measured) > _REMEMBERED:
            self._measured.popitem(last=False)

    def _tell(self, search: _Search, event: Event) -> None:
        search.told = [*search.told, event] if search.task.each_step_counts else [event]
        if event.is_end and self._searches.get(search.text) is search:
            del self._searches[search.text]
        for listener in list(search.listeners):
            listener(event)

    def _leave(self, search: _Search, listener: Listener) -> None:
        if listener not in search.listeners:
            return
        if len(search.listeners) > 1:
            search.listeners.remove(listener)
            listener(Event("stopped", "it was stopped"))
            return
        if self._searches.get(search.text) is not search:
            return  # it has ended
        del self._searches[search.text]  # who asks now begins it anew
        if search.key:
            self._lane(search).pool.cancel(search.key)
            self._loop.call_later(_STOP_SECONDS, self._tell, search, Event("stopped", "it was stopped"))
        else:
            self._lane(search).waiting.remove(search)
            self._tell(search, Event("stopped", "it was stopped while it waited"))


def _takes_long(task: SearchTask) -> bool:
    """Whether a task is known to take long before it is begun: analyses, and agents whose libraries take seconds to load."""
    agent = getattr(task, "agent", None)
    loads = agent is not None and AGENTS[agent.name].target is not None
    return loads or isinstance(task, AnalysisTask | GameAnalysisTask)


def _end(found: JobResult) -> Event:
    """What the end of a job means."""
    if isinstance(found, Done):
        problem = found.value.partition(" ")[2]
        return Event("refused", problem) if problem else Event("done")
    kinds: dict[str, Literal["timeout", "stopped", "died", "raised"]] = {
        "overdue": "timeout",
        "timeout": "timeout",
        "cancelled": "stopped",
        "died": "died",
        "raised": "raised",
    }
    return Event(kinds[found.reason], found.message)


def explain(event: Event) -> Refused:
    """What an end that is no answer means to the client."""
    if event.kind == "refused":
        return Refused(422, event.text)
    if event.kind == "timeout":
        return Refused(503, f"the search was given up: {event.text}")
    if event.kind == "crowded":
        return Refused(503, _BUSY, retry=1)
    if event.kind in ("done", "stopped"):
        return Refused(503, "the search was stopped")
    if event.kind == "died":
        return Refused(503, f"the search was ended, perhaps for want of memory: {event.text}", retry=1)
    return Refused(500, f"the search failed: {event.text}")
