"""`Thinker`: an agent that is asked for moves against the clock, in a process of its own.

Its best move so far arrives while it thinks, and is taken when its time is up. If there is none by then, because the agent
cannot be interrupted or failed to answer, `hasty_move` makes the move.
"""

import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from queue import Empty, SimpleQueue
from typing import NamedTuple

import psutil
from pydantic import ConfigDict, TypeAdapter

from noughts.agents import Agent, build_agent
from noughts.agents.asking import ask_stepwise
from noughts.machine.jobs import Done, Failed, Job, JobResult, Recorder, Running
from noughts.machine.standing_pool import StandingPool, send_steps
from noughts.positions import Position, Rng
from noughts.rules import AgentError, Rules, parse_rules

READY_SECONDS = 120.0
"""For the agent to be made, and to be asked for a first move, before a game begins."""

_LONGEST_SECONDS = 7 * 86400.0
_HERE = "noughts.bridges.thinker:"
_LOOK_EVERY = 0.02  # seconds between two looks at whether the manager wants something else


class Thought(NamedTuple):
    """What an agent thinks of a position.

    Attributes:
        move: The move that it would play now, a cell.
        values: By cell, the worth of each move of which it has an opinion.
    """

    move: int
    values: dict[int, float] = {}


class _Sought(NamedTuple):
    """What goes to the process: whose thoughts, and of which position of which game."""

    agent: str
    rules: str
    moves: tuple[int, ...] = ()
    seed: int = 0
    game: int = 0

    @property
    def position(self) -> Position:
        return Position.start(parse_rules(self.rules), self.moves)


_SOUGHT = TypeAdapter(_Sought)
_THOUGHT = TypeAdapter(
    Thought, config=ConfigDict(ser_json_inf_nan="constants")
)  # values of third-party agents may be any number


class Thinker:
    """An agent in a process of its own, which is killed when it does not stop in time, and started again.

    Args:
        agent: Its text.
    """

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self._keys = map(str, count())
        self._begin()

    def _begin(self) -> None:
        self._events: SimpleQueue[JobResult | Running] = SimpleQueue()
        self._pool = StandingPool(1, self._events.put, _HERE + "come_up", warm=1)

    def _submit(self, function: str, sought: _Sought, seconds: float) -> str:
        """Give the process a job; gives its key."""
        key = next(self._keys)
        self._pool.submit(Job(key, _HERE + function, _SOUGHT.dump_json(sought).decode(), seconds=seconds))
        return key

    def prepare(self, rules: Rules) -> None:
        """Make the agent, and let it load or compile what it needs for these rules.

        Raises:
            AgentError: there is no such agent, it cannot play them, or it is not ready in time.
        """
        key = self._submit("prepare_job", _Sought(self.agent, str(rules)), READY_SECONDS)
        found = self._events.get()
        while found.key != key or isinstance(found, Running):
            found = self._events.get()
        if isinstance(found, Failed):
            raise AgentError(f"{self.agent} is not ready: {found.message}")

    def think(
        self,
        position: Position,
        seed: int,
        game: int,
        seconds: float | None,
        wanted: Callable[[], bool] = lambda: True,
    ) -> Thought | None:
        """What the agent would play, in `seconds` at the latest.

        Args:
            position: One in which the game goes on.
            seed: All its chance comes from it.
            game: Agents that remember are made anew for each.
            seconds: None for as long as the agent takes, 0 for its first decision.
            wanted: Asked a few times a second; once it is false, None is given.

        Raises:
            AgentError: the agent failed, or chose an illegal move.
        """
        deadline = time.monotonic() + (_LONGEST_SECONDS if seconds is None else max(seconds, 0.1))
        sought = _Sought(self.agent, str(position.rules), position.moves, seed, game)
        key = self._submit("think_job", sought, _LONGEST_SECONDS)  # the clock is ours
        known: Thought | None = None
        while wanted():
            now = time.monotonic()
            if now >= deadline:
                self._pool.cancel(key)
                return known or Thought(hasty_move(position))
            try:
                found = self._events.get(timeout=min(deadline - now, _LOOK_EVERY))
            except Empty:
                continue
            if found.key != key:
                continue  # of a job that was cancelled
            if isinstance(found, Running):
                known = _THOUGHT.validate_json(found.note)
                if seconds == 0:
                    self._pool.cancel(key)
                    return known
            elif isinstance(found, Done) and known is not None:
                return known
            else:
                raise AgentError(f"{self.agent} failed: {found.message if isinstance(found, Failed) else 'no move'}")
        self._pool.cancel(key)
        return None

    def memory_taken(self) -> int:
        """Bytes that its process holds."""
        taken = 0
        for process in self._pool.process_ids:
            try:
                taken += psutil.Process(process).memory_info().rss
            except psutil.Error:  # it has ended
                continue
        return taken

    def start_again(self) -> None:
        """Replace its process, with all that it remembers, by a new one."""
        self._pool.close()
        self._begin()

    def close(self) -> None:
        """End its process."""
        self._pool.close()


def hasty_move(position: Position) -> int:
    """A move that takes no time: it completes a line, stops one, or lies next to what was played, near the centre."""
    rules, wins = position.rules, position.rules.line == "wins"
    own, theirs = (set(position.completing_cells(side)) for side in (position.to_move, position.to_move.other))

    def rank(cell: int) -> tuple[bool, bool, int, int]:
        row, col = divmod(cell, rules.cols)
        near = [abs(row - other // rules.cols) + abs(col - other % rules.cols) for other in position.moves[-8:]]
        centre = -abs(2 * row - rules.rows + 1) - abs(2 * col - rules.cols + 1)
        return (cell in own) == wins, wins and cell in theirs, -min(near, default=0), centre

    return max(position.legal_moves, key=rank)


def come_up() -> None:
    """Load what nearly every agent needs."""
    import noughts.agents.searchers  # noqa: F401


def prepare_job(argument: str, recorder: Recorder) -> str:
    """In the worker: make the agent, and wait for its first decision on the empty board."""
    sought = _SOUGHT.validate_json(argument)
    agent = build_agent(sought.agent)
    next(iter(ask_stepwise(agent, sought.position, Rng(), lambda: recorder.told_to_stop)), None)
    return ""


def think_job(argument: str, recorder: Recorder) -> str:
    """In the worker: what the agent thinks of a position, again and again."""
    send_steps(_thoughts(_SOUGHT.validate_json(argument), lambda: recorder.told_to_stop), recorder)
    return ""


def _thoughts(sought: _Sought, stopped: Callable[[], bool]) -> Iterator[str]:
    for decision in ask_stepwise(_agent(sought.agent, sought.game), sought.position, Rng(sought.seed), stopped):
        found = () if decision.analysis is None else decision.analysis.moves
        thought = Thought(decision.move, {move.move: move.value for move in found if move.visits})
        yield _THOUGHT.dump_json(thought).decode()


@lru_cache(maxsize=1)
def _agent(text: str, game: int) -> Agent:
    return build_agent(text)
