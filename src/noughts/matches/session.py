"""A session: work that is carried out by many workers, stored as it is done, and never done twice.

Matches, tournaments and studies are lists of `Work`. Each piece is known by its key; what the store already
holds is left out, so that a run that was interrupted, even by kill -9, goes on where it stopped.
"""

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

from noughts.agents import parse_agent
from noughts.agents.registry import code_of
from noughts.compute import Done, Failed, Job, JobResult, run_jobs
from noughts.matches.game import GamePlan, broken_off
from noughts.rules import AgentError, ComputeError, Value
from noughts.store.records import GameRecord

PLAY = "noughts.matches.game:play_job"
_ACKNOWLEDGE_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Game:
    """A game to be played; its result is a `GameRecord`."""

    plan: GamePlan

    @property
    def key(self) -> str:
        """Names it within the run."""
        return self.plan.key

    def job(self) -> Job:
        """As a worker gets it."""
        return Job(self.key, PLAY, self.plan.to_json())


@dataclass(frozen=True, slots=True)
class Measurement:
    """Anything else that is to be found out: `function` is ``module:name``, takes text and returns JSON.

    It is kept as `Measured`, also when it fails. `alone` is for timings: it runs after all else, in one worker, with nothing of ours beside it.
    """

    key: str
    function: str
    argument: str
    alone: bool = False

    def job(self) -> Job:
        """As a worker gets it."""
        return Job(self.key, self.function, self.argument)


Work = Game | Measurement


class Measured(Value):
    """What became of a measurement: its JSON, or why there is none."""

    value: str = ""
    error: str = ""


class Keeper(Protocol):
    """Where results go: a run of the results database."""

    def done_keys(self) -> set[str]:
        """Keys of all that is already there."""
        ...

    def add(self, games: Sequence[GameRecord] = (), measurements: dict[str, str] | None = None) -> None:
        """Keep results; once this returns, they survive anything."""
        ...


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a session is: `done` of `total` pieces of work are kept, `new` of them in this sitting."""

    done: int
    total: int
    new: int


def agents_code(agents: Iterable[str]) -> dict[str, str]:
    """A hash of the source of each agent from outside the project: part of what makes two sessions the same work."""
    return {target: code for agent in agents for target, code in code_of(parse_agent(agent)).items()}


def carry_out(
    work: Sequence[Work],
    keeper: Keeper,
    workers: int | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Generator[Progress, None, None]:
    """Do all the work that the keeper does not have yet; yields each time something more was kept.

    The results are the same for any number of workers, and for any interruptions; closing the iterator stops
    the workers and keeps what was done.

    Args:
        work: What is to be done; keys must differ.
        keeper: Gets each result as it comes, or with the next one if it comes within 20 ms of the batch before.
            What fails is kept too, with its error.
        workers: Processes; None for one for each core, 0 for none but this one (then time limits do not hold).
        clock: Seconds; says when a batch is due.

    Raises:
        ComputeError: a time limit was asked for without workers, when nobody could enforce it.
        AgentError: two pieces of work have one key, so an agent was named twice.
    """
    if workers == 0 and any(isinstance(piece, Game) and piece.plan.move_seconds is not None for piece in work):
        raise ComputeError("a time limit for moves needs workers: use --workers 1 or more, or leave the limit out")
    keys = [piece.key for piece in work]
    if len(set(keys)) < len(keys):
        twice = next(key for key, count in Counter(keys).items() if count > 1)
        raise AgentError(
            f"{twice.rpartition(' / ')[0]!r} is to be done twice: name each agent once, and none that is there already"
        )
    done = keeper.done_keys()
    pending = [piece for piece in work if piece.key not in done]
    kept = len(work) - len(pending)
    yield Progress(kept, len(work), 0)
    together = [piece for piece in pending if not isinstance(piece, Measurement) or not piece.alone]
    alone = [piece for piece in pending if isinstance(piece, Measurement) and piece.alone]
    new = 0
    for pieces, number in ((together, workers), (alone, 0 if workers == 0 else 1)):
        with closing(_do(pieces, keeper, number, clock)) as counts:  # now, not when it is collected as garbage
            for count in counts:
                new += count
                yield Progress(kept + new, len(work), new)


def _do(
    pieces: Sequence[Work], keeper: Keeper, workers: int | None, clock: Callable[[], float]
) -> Generator[int, None, None]:
    """Do these pieces and keep their results; yields how many were kept each time."""
    if not pieces:
        return
    by_key = {piece.key: piece for piece in pieces}
    batch: list[tuple[Work, JobResult]] = []
    try:
        with closing(run_jobs([piece.job() for piece in pieces], workers)) as results:
            due = clock()
            for result in results:
                batch.append((by_key[result.key], result))
                if clock() >= due:
                    due = clock() + _ACKNOWLEDGE_SECONDS
                    kept, batch = batch, []
                    _keep(kept, keeper)
                    yield len(kept)
    finally:
        _keep(batch, keeper)  # also when somebody has had enough
    if batch:
        yield len(batch)


def _keep(batch: list[tuple[Work, JobResult]], keeper: Keeper) -> None:
    games, measurements = [], {}
    for piece, result in batch:
        if isinstance(piece, Game):
            games.append(_game(piece, result))
        elif isinstance(result, Done):
            measurements[piece.key] = Measured(value=result.value).to_json()
        else:
            measurements[piece.key] = Measured(error=_reason(result, None)).to_json()
    if games or measurements:
        keeper.add(games, measurements)


def _game(piece: Game, result: JobResult) -> GameRecord:
    if isinstance(result, Done):
        return GameRecord.from_json(result.value)
    return broken_off(piece.plan, result.note, _reason(result, piece.plan.move_seconds))


def _reason(failed: Failed, limit: float | None) -> str:
    if failed.reason == "timeout" and limit is not None:
        return f"the move took longer than {limit:g} s"
    return failed.message
