"""The WebSocket of analyses: many at once on one socket, each streamed step by step, each stopped when it is asked for.

A message that is not understood is answered by an error, and the socket stays open. If a client is slow, only the latest
step of each analysis and ply is kept for it, so memory stays bounded.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from noughts.rules import NoughtsError
from noughts.web.answers import MoveNames, Seed, Text
from noughts.web.boards import play, read_rules
from noughts.web.engine import Event, explain
from noughts.web.roster import EXACT, read_agent
from noughts.web.services import Services, client_of
from noughts.web.sockets import serve_client
from noughts.web.tasks import AnalysisTask, GameAnalysisTask

router = APIRouter()

Id = Annotated[str, Field(min_length=1, max_length=100)]
Seconds = Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)]

_LOADING_SECONDS = 30.0  # for an agent to be loaded, and its programs compiled, besides the time that it is given


class AnalysisRequest(BaseModel):
    """Something to think about.

    Attributes:
        id: What answers are to be called.
        seconds: For each position.
    """

    id: Id
    rules: Text
    moves: MoveNames = Field(default_factory=list)
    seed: Seed = 0
    seconds: Seconds | None = None


class Analyse(AnalysisRequest):
    """What does an agent think of a position?"""

    type: Literal["analyse"]
    agent: Text


class Exact(AnalysisRequest):
    """What is a position, and each of its moves, worth?"""

    type: Literal["exact"]
    agent: Literal["exact"] = "exact"


class AnalyseGame(AnalysisRequest):
    """What does an agent think of every position of a game? Or, for truth, what is each worth?"""

    type: Literal["game"]
    agent: Text


class Stop(BaseModel):
    """End an analysis."""

    type: Literal["stop"]
    id: Id


_ASKED: TypeAdapter[Analyse | Exact | AnalyseGame | Stop] = TypeAdapter(
    Annotated[Analyse | Exact | AnalyseGame | Stop, Field(discriminator="type")]
)


@router.websocket("/api/analysis")
async def analysis(socket: WebSocket) -> None:
    """Serve one client until it leaves."""
    await socket.accept()
    desk = _Desk(socket, socket.app.state.services)
    await serve_client(socket, desk.send, desk.read, desk.close)


class _Analysis:
    """One that is at work: how it is ended, and what it said last.

    An agent tells each ply of a whole game once, so its last one waits for the end of the analysis.
    """

    def __init__(self, id: str, first_ply: int, final_ply: int | None) -> None:
        self.id, self.final_ply = id, final_ply
        self.leave: Callable[[], None] | None = None
        self.last: dict[str, Any] = {"ply": first_ply, "seconds": 0.0, "result": None, "bounds": None}


class _Desk:
    """What one client asked for."""

    def __init__(self, socket: WebSocket, services: Services) -> None:
        self._socket, self._services = socket, services
        self._at_work: dict[str, _Analysis] = {}
        self._outbox: OrderedDict[object, dict[str, Any]] = OrderedDict()
        self._news = asyncio.Event()
        self._taken = asyncio.Event()  # the outbox is not full of what may not be dropped
        self._taken.set()

    async def read(self, message: Any) -> None:
        """Do what a message asks for, or say why not."""
        id = None
        try:
            asked = json.loads(message.get("text") or "null")
            id = asked.get("id") if isinstance(asked, dict) else None
            id = id if isinstance(id, str) and len(id) <= 100 else None
            self._obey(_ASKED.validate_python(asked))
        except ValidationError as error:
            await self._complain(id, _explain(error))
        except NoughtsError as error:
            await self._complain(id, str(error))
        except (ValueError, RecursionError):
            await self._complain(id, "a message is one JSON object, as text")

    async def send(self) -> None:
        """Send the steps as they come, until the socket closes."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._outbox:
                _, message = self._outbox.popitem(last=False)
                self._taken.set()
                await self._socket.send_text(json.dumps(message))

    def close(self) -> None:
        """Stop everything."""
        for at_work in list(self._at_work.values()):
            if at_work.leave is not None:
                at_work.leave()
        self._at_work.clear()

    def _obey(self, asked: Analyse | Exact | AnalyseGame | Stop) -> None:
        if isinstance(asked, Stop):
            at_work = self._at_work.get(asked.id)
            if at_work is not None and at_work.leave is not None:
                at_work.leave()
            return
        limits = self._services.limits
        if asked.id in self._at_work:
            raise NoughtsError(f"an analysis {asked.id!r} is at work already: stop it, or choose another id")
        if len(self._at_work) >= limits.analyses:
            raise NoughtsError(f"{limits.analyses} analyses are at work on this socket: stop one of them")
        rules = read_rules(asked.rules, limits)
        position = play(rules, tuple(map(rules.cell_of, asked.moves)))
        whole = isinstance(asked, AnalyseGame)
        if position.is_over and not whole:
            raise NoughtsError("the game is over: there is nothing to analyse")
        seconds = min(asked.seconds or limits.analysis_seconds, limits.analysis_seconds)
        task = (GameAnalysisTask if whole else AnalysisTask)(
            rules=rules,
            moves=position.moves,
            seed=asked.seed,
            agent=None if asked.agent == EXACT else read_agent(asked.agent, limits),
            seconds=seconds,
        )
        once = whole and task.agent is not None
        at_work = _Analysis(asked.id, 0 if whole else position.ply, position.ply if once else None)
        limit = seconds * (position.ply + 1) if whole else seconds
        self._at_work[asked.id] = at_work
        try:
            at_work.leave = self._services.engine.start(
                task, partial(self._tell, at_work), limit + _LOADING_SECONDS, client_of(self._socket)
            )
        except BaseException:
            del self._at_work[asked.id]
            raise

    def _tell(self, at_work: _Analysis, event: Event) -> None:
        if self._at_work.get(at_work.id) is not at_work:
            return
        if event.kind == "step":
            at_work.last = json.loads(event.text)
            if at_work.final_ply is None or at_work.last["ply"] < at_work.final_ply:
                self._put(at_work, done=False)
            return
        del self._at_work[at_work.id]
        if event.kind in ("done", "stopped", "timeout"):  # what was found until then stays
            self._put(at_work, done=True)
        else:
            self._enqueue((at_work.id, "error"), {"type": "error", "id": at_work.id, "error": str(explain(event))})

    def _put(self, at_work: _Analysis, done: bool) -> None:
        message = {"type": "step", "id": at_work.id, "done": done, **at_work.last}
        self._enqueue((at_work.id, at_work.last["ply"]), message)

    def _enqueue(self, key: object, message: dict[str, Any]) -> None:
        self._outbox.pop(key, None)
        self._outbox[key] = message
        self._news.set()

    async def _complain(self, id: str | None, error: str) -> None:
        """Errors are all sent: who makes many waits for them to be taken."""
        line = " ".join(error.split())[:2000]
        self._enqueue(object(), {"type": "error", "id": id, "error": line})
        while len(self._outbox) > 64:
            self._taken.clear()
            await self._taken.wait()


def _explain(error: ValidationError) -> str:
    reasons = []
    for found in error.errors(include_url=False, include_input=False)[:5]:
        where = ".".join(str(part) for part in found["loc"][1:])
        reasons.append(f"{where}: {found['msg']}" if where else str(found["msg"]))
    return "impossible message: " + "; ".join(reasons)
