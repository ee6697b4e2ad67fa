"""`Engine`: the worker processes behind the page, so that whatever is searched, the server itself stays free.

Two crews: moves of games are never kept waiting by analyses. Matches have workers of their own, see `matches`.
"""

import asyncio
import json
import os
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
_BUSY = "the server is busy with other searches: try again in a moment"


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
        self.players = Crew(max(2, cores), warm=int(warm), prepare=_JOBS + "warm_up_player", queue=512)
        self.thinkers = Crew(max(2, cores), warm=int(warm), prepare=_JOBS + "warm_up_thinker", queue=64)
        self._waiting: Counter[str] = Counter()

    def close(self) -> None:
        """End all workers."""
        for crew in (self.players, self.thinkers):
            crew.close()

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

    async def ask(self, task: CrewTask, limit: float, gone: Callable[[], Awaitable[bool]]) -> dict[str, Any]:
        """The one answer of a task of the players.

        Args:
            task: What is asked.
            limit: Seconds.
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

        ticket = start(self.players, task, listen, limit)
        try:
            while not end.done():
                await asyncio.wait([end], timeout=_LOOK_EVERY)
                if not end.done() and await gone():
                    raise Refused(503, "nobody waits for this any more")
        finally:
            ticket.stop()
        event, text = end.result()
        if event.kind == "done" and text:
            return json.loads(text)  # type: ignore[no-any-return]
        raise explain(event)


def start(crew: Crew, task: CrewTask, listener: Callable[[Event], None], limit: float) -> Ticket:
    """Submit a task to a crew; Refused if too many wait."""
    try:
        return crew.submit(_JOBS + "perform", task.to_json(), listener, task.rules.to_json(), limit)
    except ComputeError:
        raise Refused(503, _BUSY, retry=1) from None


def explain(event: Event) -> Refused:
    """What an end that is no answer means to the client."""
    if event.kind == "refused":
        return Refused(422, event.text)
    if event.kind == "timeout":
        return Refused(503, f"the search was given up: {event.text}")
    if event.kind in ("done", "stopped"):
        return Refused(503, "the search was stopped")
    if event.kind == "died":
        return Refused(503, f"the search was ended, perhaps for want of memory: {event.text}", retry=1)
    return Refused(500, f"the search failed: {event.text}")


def _settle(future: "asyncio.Future[tuple[Event, str]]", found: tuple[Event, str]) -> None:
    if not future.done():
        future.set_result(found)
