"""A session: work that is carried out by many workers, stored as it is done, and never done twice.

Matches, tournaments and studies are lists of `Work`. Each piece is known by its key; what the store already
holds is left out, so that a run that was interrupted, even by kill -9, goes on where it stopped.
"""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

from noughts.compute import Done, Failed, Job, JobResult, run_jobs
from noughts.matches.game import GamePlan, broken_off
from noughts.rules import ComputeError
from noughts.store.records import GameRecord

PLAY = "noughts.matches.game:play_job"
_ACKNOWLEDGE_SECONDS = 0.05


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
    """Anything else that is to be found out: `function` is ``module:name`` and takes and returns text.

    `alone` is for timings: it runs after all else, in one worker, with nothing of ours beside it.
    """

    key: str
    function: str
    argument: str
    alone: bool = False

    def job(self) -> Job:
        """As a worker gets it."""
        return Job(self.key, self.function, self.argument)


Work = Game | Measurement


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
        keeper: Gets each result as it comes, or with the next one if it comes within a twentieth of a second of
            the batch before.
        workers: Processes; None for one for each core, 0 for none but this one (then time limits do not hold).
        clock: Seconds; says when a batch is due.

    Raises:
        ComputeError: a measurement failed (a game that fails is kept, with its error); or a time limit was asked
            for without workers, when nobody could enforce it.
    """
    if workers == 0 and any(isinstance(piece, Game) and piece.plan.move_seconds is not None for piece in work):
        raise ComputeError("a time limit for moves needs workers: use --workers 1 or more, or leave the limit out")
    done = keeper.done_keys()
    pending = [piece for piece in work if piece.key not in done]
    kept = len(work) - len(pending)
    new = 0
    yield Progress(kept, len(work), new)
    together = [piece for piece in pending if not isinstance(piece, Measurement) or not piece.alone]
    alone = [piece for piece in pending if isinstance(piece, Measurement) and piece.alone]
    for pieces, number in ((together, workers), (alone, 0 if workers == 0 else 1)):
        for batch in _batches(pieces, number, clock):
            _keep(batch, keeper)
            new += len(batch)
            yield Progress(kept + new, len(work), new)


def _batches(
    pieces: Sequence[Work], workers: int | None, clock: Callable[[], float]
) -> Iterator[list[tuple[Work, JobResult]]]:
    """Results in batches: what came within a twentieth of a second."""
    if not pieces:
        return
    by_key = {piece.key: piece for piece in pieces}
    batch: list[tuple[Work, JobResult]] = []
    with closing(run_jobs([piece.job() for piece in pieces], workers)) as results:
        due = clock() + _ACKNOWLEDGE_SECONDS
        for result in results:
            batch.append((by_key[result.key], result))
            if clock() >= due:
                yield batch
                batch, due = [], clock() + _ACKNOWLEDGE_SECONDS
    if batch:
        yield batch


def _keep(batch: list[tuple[Work, JobResult]], keeper: Keeper) -> None:
    games, measurements = [], {}
    failed: list[str] = []
    for piece, result in batch:
        if isinstance(piece, Game):
            games.append(_game(piece, result))
        elif isinstance(result, Done):
            measurements[piece.key] = result.value
        else:
            failed.append(f"{piece.key}: {_reason(result, None)}")
    keeper.add(games, measurements)
    if failed:
        raise ComputeError(failed[0])


def _game(piece: Game, result: JobResult) -> GameRecord:
    if isinstance(result, Done):
        return GameRecord.from_json(result.value)
    return broken_off(piece.plan, result.note, _reason(result, piece.plan.move_seconds))


def _reason(result: JobResult, limit: float | None) -> str:
    if isinstance(result, Failed) and result.reason == "timeout":
        return f"the move took longer than {limit:g} s"
    return result.message if isinstance(result, Failed) else ""
