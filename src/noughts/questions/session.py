"""A session: work that is carried out by many workers, stored as it is done, and never done twice.

Work is done in stages, so that agents can be trained before they are measured; within a stage first what can be done
side by side, then what must be alone. Games whose agents gain by it are played many at once, see `lockstep`.

Matches, tournaments and studies are lists of `Work`. Each piece is known by its key; what the store already
holds is left out, so that a run that was interrupted, even by kill -9, goes on where it stopped.
"""

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from noughts.agents import parse_agent
from noughts.agents.registry import code_of, lockstep_of
from noughts.machine import Done, Failed, Job, JobResult, Running, run_jobs
from noughts.play.lockstep import JOB, require_no_limits
from noughts.play.playthrough import GamePlan, broken_off
from noughts.rules import AgentError, ComputeError, Value
from noughts.store.records import GameRecord

PLAY = "noughts.play.playthrough:play_job"
_ACKNOWLEDGE_SECONDS = 0.02
_NOTE_SECONDS = 1.0
_MOST_TOGETHER = 256  # games; more gain little, and are lost when a session is killed


@dataclass(frozen=True, slots=True)
class Game:
    """A game to be played; its result is a `GameRecord`."""

    plan: GamePlan
    stage: int = 0

    @property
    def key(self) -> str:
        """Names it within the run."""
        return self.plan.key

    @property
    def keys(self) -> tuple[str, ...]:
        """Of what it gives."""
        return (self.key,)

    def job(self) -> Job:
        """As a worker gets it."""
        return Job(self.key, PLAY, self.plan.to_json())


@dataclass(frozen=True, slots=True)
class Games:
    """Games without limits of time, to be played together; each is kept under its own key.

    The records are those of the games played alone. ValueError if there are limits, or no games.
    """

    plans: tuple[GamePlan, ...]
    stage: int = 0

    def __post_init__(self) -> None:
        if not self.plans:
            raise ValueError("there are no games to be played together")
        require_no_limits(self.plans)

    @property
    def key(self) -> str:
        """Names the job."""
        return f"{self.plans[0].key} and {len(self.plans) - 1} more"

    @property
    def keys(self) -> tuple[str, ...]:
        """Of what it gives."""
        return tuple(plan.key for plan in self.plans)

    def job(self) -> Job:
        """As a worker gets it."""
        return Job(self.key, JOB, json.dumps([plan.to_json() for plan in self.plans]))


@dataclass(frozen=True, slots=True)
class Measurement:
    """Anything else that is to be found out: `function` is ``module:name``, takes text and returns JSON.

    It is kept as `Measured`, also when it fails; if its process ends, it is tried once more. `alone` is for timings, and
    for what uses all cores by itself: it runs after all else of its stage, in one worker, with nothing of ours beside it.
    """

    key: str
    function: str
    argument: str
    alone: bool = False
    stage: int = 0

    @property
    def keys(self) -> tuple[str, ...]:
        """Of what it gives."""
        return (self.key,)

    def job(self) -> Job:
        """As a worker gets it."""
        return Job(self.key, self.function, self.argument)


Work = Game | Games | Measurement


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
    """How far a session is in its present stage: those of another may take a thousand times as long each.

    Attributes:
        done, total: So many games and measurements of the stage are kept, of all.
        new: Those of this sitting.
        note: What the job that has been at work longest said last; empty if none says anything.
        stage, stages: Which of how many stages, from 1.
    """

    done: int
    total: int
    new: int
    note: str = ""
    stage: int = 1
    stages: int = 1


def agents_code(agents: Iterable[str]) -> dict[str, str]:
    """A hash of the source of each agent from outside the project: part of what makes two sessions the same work."""
    return {target: code for agent in agents for target, code in code_of(parse_agent(agent)).items()}


def carry_out(
    work: Sequence[Work],
    keeper: Keeper,
    workers: int | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Generator[Progress, None, None]:
    """Do all the work that the keeper does not have yet; yields when more was kept, and when jobs note something.

    The results are the same for any number of workers, and for any interruptions; closing the iterator stops
    the workers and keeps what was done.

    Args:
        work: What is to be done; keys must differ. Stages are done in ascending order.
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
    keys = [key for piece in work for key in piece.keys]
    if len(set(keys)) < len(keys):
        twice = next(key for key, count in Counter(keys).items() if count > 1)
        raise AgentError(
            f"{twice.rpartition(' / ')[0]!r} is to be done twice: name each agent once, and none that is there already"
        )
    done = keeper.done_keys()
    stages = sorted({piece.stage for piece in work})
    for number, stage in enumerate(stages, 1):
        pieces = [piece for piece in work if piece.stage == stage]
        counted = [key in done for piece in pieces for key in piece.keys]
        progress = Progress(sum(counted), len(counted), 0, stage=number, stages=len(stages))
        yield progress
        pending = [left for piece in pieces if (left := _left(piece, done))]
        alone = [piece for piece in pending if isinstance(piece, Measurement) and piece.alone]
        beside = [piece for piece in pending if not isinstance(piece, Measurement) or not piece.alone]
        for chosen, processes in ((_together(beside), workers), (alone, 0 if workers == 0 else 1)):
            with closing(_do(chosen, keeper, processes, clock)) as steps:  # now, not when it is collected as garbage
                for count, note in steps:
                    progress = replace(progress, done=progress.done + count, new=progress.new + count, note=note)
                    yield progress


def _left(piece: Work, done: set[str]) -> Work | None:
    """What of a piece is not done."""
    if not isinstance(piece, Games):
        return None if piece.key in done else piece
    plans = tuple(plan for plan in piece.plans if plan.key not in done)
    return Games(plans, piece.stage) if plans else None


def _together(pieces: Sequence[Work]) -> list[Work]:
    """The same work, but games that gain by it are put together, in as few groups as may be."""
    modes: dict[str, str] = {}

    def gains(piece: Work) -> bool:
        if not isinstance(piece, Game) or piece.plan.move_seconds is not None:
            return False
        for text in {piece.plan.first, piece.plan.second} - modes.keys():
            modes[text] = lockstep_of(text)
        both = {modes[piece.plan.first], modes[piece.plan.second]}
        return "gains" in both and "apart" not in both

    plans: list[GamePlan] = []
    others: list[Work] = []
    for piece in pieces:
        if isinstance(piece, Game) and gains(piece):
            plans.append(piece.plan)
        else:
            others.append(piece)
    groups = math.ceil(len(plans) / _MOST_TOGETHER)
    cuts = [len(plans) * number // groups for number in range(groups + 1)] if groups else []
    return [*(Games(tuple(plans[start:end])) for start, end in pairwise(cuts)), *others]


def _do(
    pieces: Sequence[Work], keeper: Keeper, workers: int | None, clock: Callable[[], float], last: bool = False
) -> Generator[tuple[int, str], None, None]:
    """Do these pieces and keep their results; yields how many were kept each time, and what a running job notes.

    What fails may be done once more, unless this is the last time.
    """
    if not pieces:
        return
    by_key = {piece.key: piece for piece in pieces}
    batch: list[tuple[Work, JobResult]] = []
    notes: dict[str, str] = {}  # of running jobs; the one that was the first to make a note is shown
    again: list[Work] = []
    try:
        with closing(run_jobs([piece.job() for piece in pieces], workers, _NOTE_SECONDS)) as results:
            due = clock()
            for result in results:
                piece = by_key[result.key]
                if isinstance(result, Running):
                    if not isinstance(piece, Game):  # its notes are for no people
                        notes[result.key] = result.note
                        yield 0, next(iter(notes.values()))
                    continue
                notes.pop(result.key, None)
                if isinstance(result, Failed) and not last and (more := _once_more(piece, result)):
                    again += more
                    continue
                batch.append((piece, result))
                if clock() >= due:
                    due = clock() + _ACKNOWLEDGE_SECONDS
                    kept, batch = batch, []
                    yield _keep(kept, keeper), next(iter(notes.values()), "")
    finally:
        count = _keep(batch, keeper)  # also when somebody has had enough
    if count:
        yield count, ""
    yield from _do(again, keeper, workers, clock, last=True)


def _once_more(piece: Work, failed: Failed) -> Sequence[Work]:
    """What of a piece that failed is done once more.

    Games that were played together are played one by one, so that only what fails is broken off. A measurement whose
    process ended need not have ended it: the machine code that libraries make crashes once in many trainings, and a
    training goes on from its checkpoint.
    """
    if isinstance(piece, Games):
        return [Game(plan) for plan in piece.plans]
    return [piece] if isinstance(piece, Measurement) and failed.reason == "died" else []


def _keep(batch: Sequence[tuple[Work, JobResult]], keeper: Keeper) -> int:
    """Keep results; gives how many games and measurements they are."""
    games: list[GameRecord] = []
    measurements: dict[str, str] = {}
    for piece, result in batch:
        if isinstance(piece, Game):
            games.append(_game(piece, result))
        elif isinstance(result, Failed):
            measurements[piece.key] = Measured(error=_reason(result, None)).to_json()
        elif isinstance(piece, Games):
            games += map(GameRecord.from_json, json.loads(result.value))
        else:
            measurements[piece.key] = Measured(value=result.value).to_json()
    if games or measurements:
        keeper.add(games, measurements)
    return len(games) + len(measurements)


def _game(piece: Game, result: JobResult) -> GameRecord:
    if isinstance(result, Done):
        return GameRecord.from_json(result.value)
    return broken_off(piece.plan, result.note, _reason(result, piece.plan.move_seconds))


def _reason(failed: Failed, limit: float | None) -> str:
    if failed.reason == "timeout" and limit is not None:
        return f"the move took longer than {limit:g} s"
    return failed.message
