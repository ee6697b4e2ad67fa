"""`Thinker`: an agent that chooses moves against the clock, in a process of its own.

The process sends its best move so far while it searches, and that move is used when time is up. If none has arrived by
then, because the agent cannot be interrupted or failed, `hasty_move` makes the move.
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
"""The time limit, before a game begins, for creating the agent and for its first move."""

_LONGEST_SECONDS = 7 * 86400.0
_HERE = "noughts.bridges.thinker:"
_LOOK_EVERY = 0.02  # seconds between two checks whether the move is still wanted


class Thought(NamedTuple):
    """An agent's choice in a position.

    Attributes:
        move: The move that it would play now, a cell.
        values: The agent's values of moves, by cell, as far as it has any.
    """

    move: int
    values: dict[int, float] = {}


class _Sought(NamedTuple):
    """A request to the process: the agent, and the position of a game."""

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
    """An agent in a process of its own, which is killed if it does not stop in time, and restarted.

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
        key = next(self._keys)
        self._pool.submit(Job(key, _HERE + function, _SOUGHT.dump_json(sought).decode(), seconds=seconds))
        return key

    def prepare(self, rules: Rules) -> None:
        """Create the agent, and let it load or compile what it needs for these rules.

        Raises:
            AgentError: there is no such agent, it cannot play these rules, or it is not ready in time.
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
        """Choose a move within `seconds`.

        Args:
            position: A position in which the game is not over.
            seed: Seeds all random numbers.
            game: The number of the game; agents that keep state are created again for each.
            seconds: None for as long as the agent takes, 0 for its first decision.
            wanted: Called a few times a second; once it returns false, the result is None.

        Raises:
            AgentError: the agent failed, or chose an illegal move.
        """
        deadline = time.monotonic() + (_LONGEST_SECONDS if seconds is None else max(seconds, 0.1))
        sought = _Sought(self.agent, str(position.rules), position.moves, seed, game)
        key = self._submit("think_job", sought, _LONGEST_SECONDS)  # we keep the time
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
        """The memory that its process uses, in bytes."""
        taken = 0
        for process in self._pool.process_ids:
            try:
                taken += psutil.Process(process).memory_info().rss
            except psutil.Error:  # it has ended
                continue
        return taken

    def start_again(self) -> None:
        """Replace its process, with all its state, by a new one."""
        self._pool.close()
        self._begin()

    def close(self) -> None:
        """End its process."""
        self._pool.close()


def hasty_move(position: Position) -> int:
    """A quick move: it completes or blocks a line, or is near earlier moves and the centre."""
    rules, wins = position.rules, position.rules.line == "wins"
    own, theirs = (set(position.completing_cells(side)) for side in (position.to_move, position.to_move.other))

    def rank(cell: int) -> tuple[bool, bool, int, int]:
        row, col = divmod(cell, rules.cols)
        near = [abs(row - other // rules.cols) + abs(col - other % rules.cols) for other in position.moves[-8:]]
        centre = -abs(2 * row - rules.rows + 1) - abs(2 * col - rules.cols + 1)
        return (cell in own) == wins, wins and cell in theirs, -min(near, default=0), centre

    return max(position.legal_moves, key=rank)


def come_up() -> None:
    """Load the modules that nearly every agent needs."""
    import noughts.agents.searchers  # noqa: F401


def prepare_job(argument: str, recorder: Recorder) -> str:
    """In the worker: create the agent, and wait for its first decision on the empty board."""
    sought = _SOUGHT.validate_json(argument)
    agent = build_agent(sought.agent)
    next(iter(ask_stepwise(agent, sought.position, Rng(), lambda: recorder.told_to_stop)), None)
    return ""


def think_job(argument: str, recorder: Recorder) -> str:
    """In the worker: send the agent's choice in a position, each time that it improves."""
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
