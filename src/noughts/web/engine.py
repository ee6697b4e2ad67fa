"""`Engine`: the worker processes behind the page. They keep the server responsive during searches.

There are two pools. A search that is expected to be long starts in the pool for long work, whose workers have a lower priority;
all others start in the pool for short work. When a search has used its time slice and others wait, it gives up its worker and
starts again in the pool for long work, with a longer slice. So moves do not wait behind analyses, and new analyses do not wait
behind old ones. In each pool clients take turns, no client gets all workers, and equal searches of several clients run once.
All of this happens in the event loop.
"""

import asyncio
import itertools
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from noughts.agents import AGENTS
from noughts.machine.jobs import Done, Job, JobResult, Running
from noughts.machine.standing_pool import StandingPool
from noughts.web.asked import (
    MOVE_SECONDS,
    PUZZLE_SECONDS,
    AnalysisRequest,
    PuzzlePlace,
    PuzzleRequest,
    Search,
    write_search,
)
from noughts.web.errors import Refused

MOST_SEARCHES = 200
"""The most searches of one client that run or wait."""
SLICE_SECONDS = 0.5
"""The first time slice of a search. Each later one is longer."""

_LONGER = 4  # the factor between two slices
_JOBS = "noughts.web.jobs:"
_LOOK_EVERY = 0.25  # seconds between two checks that the client is still connected
_LOADING_SECONDS = 30.0  # to load and compile an agent, in addition to the time of an analysis
_LATE_SECONDS = 1.0  # how much a search may exceed its limit before its worker is killed
_STOP_SECONDS = 0.1  # how long a stopped search may take to end before its listeners get `Stopped`


class Stopped(Refused):
    """The end of a search on request or by its time limit. Its results so far remain valid."""

    def __init__(self, message: str = "the search was stopped") -> None:
        super().__init__(503, message)


Update = str | Refused | None
"""A step as JSON, or the end of the search: None, or the error."""

Listener = Callable[[Update], None]


@dataclass(eq=False)
class _Search:
    """A search, and its listeners."""

    asked: Search
    text: str
    client: str
    is_long: bool
    listeners: list[Listener] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)
    key: str = ""  # the key of its job while it runs
    begun: float = 0.0
    slice: float = SLICE_SECONDS
    shown_for: float = 0.0  # its run time at its latest step; after a restart it sends no step before that time
    gives_way: bool = False

    @property
    def each_step_counts(self) -> bool:
        """Whether each step is about another position, rather than a better answer about the same one."""
        return isinstance(self.asked, AnalysisRequest) and self.asked.of_game

    @property
    def is_new(self) -> bool:
        """Whether it has one of its first slices, so its worker is free soon if others wait."""
        return self.slice <= _LONGER * SLICE_SECONDS


class _Lane:
    """A pool, and the searches that run in it or wait for it."""

    def __init__(self, size: int, warm: int, prepare: str, receive: Callable[[JobResult | Running], None]) -> None:
        self.waiting: list[_Search] = []
        self.at_work: dict[str, _Search] = {}
        self._served: dict[str, float] = {}  # when each client last got a worker
        self.pool = StandingPool(size, receive, _JOBS + prepare, warm)

    def next(self) -> _Search | None:
        """Take the next search, if a worker is free: of the client with the fewest workers, on ties the one served longest ago."""
        most = max(1, self.pool.size - 1)  # of one client's searches, and of searches that may run long
        staying = sum(not search.is_new for search in self.at_work.values())
        ready = [one for one in self.waiting if self._count(one.client) < most and (one.is_new or staying < most)]
        if len(self.at_work) == self.pool.size or not ready:
            return None
        found = min(ready, key=lambda one: (self._count(one.client), self._served.get(one.client, 0.0)))
        self.waiting.remove(found)
        clients = {search.client for search in (*self.waiting, *self.at_work.values())}
        self._served = {client: when for client, when in self._served.items() if client in clients}
        self._served[found.client] = time.monotonic()
        return found

    def overdue(self) -> list[_Search]:
        """The searches that must give way: at most as many as wait. Their slices are over; the client with the most comes first."""
        leaving = sum(search.gives_way for search in self.at_work.values())
        now = time.monotonic()
        over = [one for one in self.at_work.values() if now - one.begun >= one.slice and not one.gives_way]
        over.sort(key=lambda one: (-self._count(one.client), one.begun))
        return over[: max(0, len(self.waiting) - leaving)]

    def _count(self, client: str) -> int:
        return sum(search.client == client for search in self.at_work.values())


class Engine:
    """Two pools of workers, and the scheduler of searches."""

    def __init__(self, cores: int | None = None, warm: bool = True) -> None:
        """Start the pools.

        Args:
            cores: About how many workers of a pool may be busy; None for the number of the machine's cores.
            warm: Whether to start some workers now, so that no search waits for them later.
        """
        size = max(2, cores or os.cpu_count() or 1) + 1
        self._loop = asyncio.get_running_loop()
        self._short = _Lane(size, 2 * warm, "warm_up_player", self._receive_from_thread)
        self._long = _Lane(size, 1 * warm, "warm_up_thinker", self._receive_from_thread)
        self._searches: dict[str, _Search] = {}  # by request, so equal searches are one
        self._keys = map(str, itertools.count())

    def close(self) -> None:
        """Stop all workers."""
        for lane in (self._short, self._long):
            lane.pool.close()

    def start(self, asked: Search, listener: Listener, client: str) -> Callable[[], None]:
        """Start a search, or join an equal one that runs.

        Args:
            asked: The request.
            listener: Called with each step, and with the end; if the search already runs, first with the steps that still count.
            client: The name of the client.

        Returns:
            A function that ends the search for this listener and notifies it. The search stops when no listener is left.

        Raises:
            Refused: the client has too many searches.
        """
        text = write_search(asked)
        search = self._searches.get(text)
        if search is not None:
            search.listeners.append(listener)
            for update in search.updates:
                listener(update)
        else:
            if sum(other.client == client for other in self._searches.values()) >= MOST_SEARCHES:
                raise Refused(429, f"{MOST_SEARCHES} searches are at work for you: wait for one, or stop it", retry=1)
            search = self._searches[text] = _Search(asked, text, client, _starts_long(asked), [listener])
            self._wait(search)
        return lambda: self._leave(search, listener)

    async def ask(self, asked: Search, client: str, gone: Callable[[], Awaitable[bool]] | None = None) -> str:
        """Run a search that has a single answer, and return that as JSON.

        Args:
            asked: The request.
            client: The name of the client.
            gone: Returns whether the client has disconnected; then the search is stopped. None if the client always waits.

        Raises:
            Refused: the request is invalid, the search failed or took too long, or the client has too many searches.
        """
        end: asyncio.Future[Refused | None] = self._loop.create_future()
        answer = ""

        def listen(update: Update) -> None:
            nonlocal answer
            if isinstance(update, str):
                answer = update
            elif not end.done():
                end.set_result(update)

        leave = self.start(asked, listen, client)
        try:
            while not end.done():
                await asyncio.wait([end], timeout=_LOOK_EVERY)
                if not end.done() and gone is not None and await gone():
                    raise Refused(503, "the client has left")
        finally:
            leave()
        if end.result() is None and answer:
            return answer
        raise end.result() or Stopped()

    def _wait(self, search: _Search) -> None:
        """Put a search in its pool's queue."""
        lane = self._lane(search)
        lane.waiting.append(search)
        self._give(lane)

    def _lane(self, search: _Search) -> _Lane:
        return self._long if search.is_long else self._short

    def _give(self, lane: _Lane) -> None:
        """Give free workers to waiting searches; then interrupt overdue searches for those that still wait."""
        while (search := lane.next()) is not None:
            search.key, search.begun, search.gives_way = next(self._keys), time.monotonic(), False
            lane.at_work[search.key] = search
            lane.pool.submit(
                Job(search.key, _JOBS + "perform", search.text, seconds=_limit(search.asked) + _LATE_SECONDS)
            )
            self._loop.call_later(search.slice, self._give, lane)
        for search in lane.overdue():
            search.gives_way = True
            lane.pool.cancel(search.key)

    def _receive_from_thread(self, found: JobResult | Running) -> None:
        self._loop.call_soon_threadsafe(self._receive, found)

    def _receive(self, found: JobResult | Running) -> None:
        lane = self._short if found.key in self._short.at_work else self._long
        search = lane.at_work[found.key]
        if isinstance(found, Running):
            ran = time.monotonic() - search.begun
            if not search.gives_way and (search.each_step_counts or ran >= search.shown_for):
                search.shown_for = max(search.shown_for, ran)
                self._notify(search, found.note)
            return
        del lane.at_work[found.key]
        search.key = ""
        gave_way = isinstance(found, Done) or found.reason in ("cancelled", "raised")
        if gave_way and search.gives_way and self._searches.get(search.text) is search:
            search.slice *= _LONGER
            search.is_long = True
            self._wait(search)
        else:
            self._notify(search, _end(found))
        self._give(lane)

    def _notify(self, search: _Search, update: Update) -> None:
        search.updates = [*search.updates, update] if search.each_step_counts else [update]
        if not isinstance(update, str) and self._searches.get(search.text) is search:
            del self._searches[search.text]
        for listener in list(search.listeners):
            listener(update)

    def _leave(self, search: _Search, listener: Listener) -> None:
        if listener not in search.listeners or self._searches.get(search.text) is not search:
            return  # the listener has left already, or the search has ended
        if len(search.listeners) > 1:
            search.listeners.remove(listener)
            listener(Stopped())
            return
        del self._searches[search.text]  # an equal request now starts a new search
        if search.key:
            self._lane(search).pool.cancel(search.key)
            self._loop.call_later(_STOP_SECONDS, self._notify, search, Stopped())
        else:
            self._lane(search).waiting.remove(search)
            self._notify(search, Stopped())


def _starts_long(asked: Search) -> bool:
    """Whether a search is expected to be long: an analysis, or an agent whose libraries take seconds to load."""
    agent = getattr(asked, "agent", None)
    return isinstance(asked, AnalysisRequest) or (agent is not None and AGENTS[agent.name].target is not None)


def _limit(asked: Search) -> float:
    """The time limit of a search in seconds."""
    if isinstance(asked, AnalysisRequest):
        return asked.seconds * (asked.position.ply * asked.of_game + 1) + _LOADING_SECONDS
    return 2 * PUZZLE_SECONDS if isinstance(asked, PuzzlePlace | PuzzleRequest) else MOVE_SECONDS


def _end(found: JobResult) -> Refused | None:
    """Translate the end of a job into the end of its search."""
    if isinstance(found, Done):
        return Refused(422, found.value) if found.value else None
    if found.reason == "cancelled":
        return Stopped()
    if found.reason in ("overdue", "timeout"):
        return Stopped(f"the search was given up: {found.message}")
    if found.reason == "died":
        return Refused(503, f"the search was ended, perhaps for want of memory: {found.message}", retry=1)
    return Refused(500, f"the search failed: {found.message}")
