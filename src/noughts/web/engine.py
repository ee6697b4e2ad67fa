"""`Engine`: the worker processes behind the page, so that whatever is searched, the server itself stays free.

Two crews: moves of games are never kept waiting by analyses. In each, clients take turns, and what is asked by several at
the same time is worked out once for all of them. Matches have workers of their own, see `matches`.
"""

import asyncio
import json
import os
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from noughts.machine import Crew, Event, Ticket
from noughts.rules import ComputeError
from noughts.web.crew_tasks import CrewTask
from noughts.web.errors import Refused

_JOBS = "noughts.web.jobs:"
_LOOK_EVERY = 0.25  # seconds between two looks at whether the client is still there
_ROOM = 1024  # searches that may wait in a crew
_FIRST_SECONDS = 0.5  # a search that takes longer is a long one, see `Crew`
_BUSY = "the server is busy with other searches: try again in a moment"

Listener = Callable[[Event], None]


class _SharedSearch:
    """A task at work, and all who wait for it."""

    def __init__(self) -> None:
        self.ticket: Ticket | None = None
        self.listeners: list[Listener] = []
        self.told: list[Event] = []


class Searches:
    """The tasks of one crew: equal ones are one."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew
        self._lock = threading.Lock()
        self._at_work: dict[str, _SharedSearch] = {}

    def start(self, task: CrewTask, listener: Listener, limit: float, client: str) -> Callable[[], None]:
        """Have a task done; Refused if too many wait.

        Args:
            task: What is asked.
            listener: Told the steps, and the end, from another thread; of one that is at work already, what was told last.
            limit: Seconds.
            client: Who asks.

        Returns:
            What ends it for this listener; it is stopped when nobody listens any more, and then the end is told.
        """
        text = task.to_json()
        with self._lock:
            search = self._at_work.get(text)
            begins = search is None
            if search is None:
                search = self._at_work[text] = _SharedSearch()
            search.listeners.append(listener)
            for event in search.told:
                listener(event)
        if begins:
            self._begin(task, search, limit, client)
        return lambda: self._leave(text, search, listener)

    def _begin(self, task: CrewTask, search: _SharedSearch, limit: float, client: str) -> None:
        """Without the lock, because the crew may tell listeners while it takes a task."""
        text, topic = task.to_json(), task.rules.to_json()

        def tell(event: Event) -> None:
            self._tell(text, search, event, keeps=task.each_step_counts)

        try:
            ticket = self.crew.submit(
                _JOBS + "perform", text, tell, topic, limit, client, task.named, task.each_step_counts
            )
        except ComputeError:
            tell(Event("crowded", _BUSY))
            raise Refused(503, _BUSY, retry=1) from None
        with self._lock:
            search.ticket = ticket
            if self._at_work.get(text) is not search:  # they left meanwhile, or it is done
                ticket.stop()

    def _tell(self, text: str, search: _SharedSearch, event: Event, keeps: bool) -> None:
        """From the crew's thread."""
        with self._lock:
            search.told = [*search.told, event] if keeps else [event]
            if event.is_end and self._at_work.get(text) is search:
                del self._at_work[text]
            for listener in search.listeners:
                listener(event)

    def _leave(self, text: str, search: _SharedSearch, listener: Listener) -> None:
        with self._lock:
            if listener not in search.listeners:
                return
            if len(search.listeners) > 1:
                search.listeners.remove(listener)
                listener(Event("stopped", "it was stopped"))
                return
            if self._at_work.get(text) is search:
                del self._at_work[text]  # whoever asks now begins it anew
            if search.ticket is not None:
                search.ticket.stop()


class Engine:
    """Crews of workers, and the way from the event loop to them.

    Attributes:
        players: Make moves.
        thinkers: Analyse.
        cores: How many workers may be at work in a crew, about.
    """

    def __init__(self, cores: int | None = None, warm: bool = True) -> None:
        """Start.

        Args:
            cores: How many workers may be at work in a crew, about; None for as many as the machine has cores.
            warm: Whether some are started at once, so that nobody waits for them later.
        """
        self.cores = cores = cores or os.cpu_count() or 1
        most = max(2, cores) + 1  # one of them does short searches alone
        self.players, self.thinkers = (
            Searches(Crew(most, count * warm, f"{_JOBS}warm_up_{name}", _ROOM, _FIRST_SECONDS))
            for name, count in (("player", 2), ("thinker", 1))  # a move need not wait while another is searched for
        )
        self._waiting: Counter[str] = Counter()

    def close(self) -> None:
        """End all workers."""
        for searches in (self.players, self.thinkers):
            searches.crew.close()

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

    async def ask(
        self, task: CrewTask, limit: float, client: str, gone: Callable[[], Awaitable[bool]]
    ) -> dict[str, Any]:
        """The one answer of a task of the players.

        Args:
            task: What is asked.
            limit: Seconds.
            client: Who asks.
            gone: Whether nobody waits for it any more; then it is stopped.

        Raises:
            Refused: the task says that the request was wrong, or it failed, or nobody is free.
        """
        loop = asyncio.get_running_loop()
        end: asyncio.Future[tuple[Event, str]] = loop.create_future()
        last = ""

        def listen(event: Event) -> None:
            nonlocal last
            if not event.is_end:
                last = event.text
                return
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(_settle, end, (event, last))

        leave = self.players.start(task, listen, limit, client)
        try:
            while not end.done():
                await asyncio.wait([end], timeout=_LOOK_EVERY)
                if not end.done() and await gone():
                    raise Refused(503, "nobody waits for this any more")
        finally:
            leave()
        event, text = end.result()
        if event.kind == "done" and text:
            return json.loads(text)  # type: ignore[no-any-return]
        raise explain(event)


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


def _settle(future: "asyncio.Future[tuple[Event, str]]", found: tuple[Event, str]) -> None:
    if not future.done():
        future.set_result(found)
