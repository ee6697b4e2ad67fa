"""Processes that save answers, games or checkpoints until they end or are killed."""

import multiprocessing
import os
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from noughts.store.checkpoints import Checkpoints
from noughts.store.results import Store
from tests.store.samples import BASIS, game, kept, wanted

_FORKS = multiprocessing.get_context("forkserver")  # each process begins with its libraries imported
_FORKS.set_forkserver_preload([__name__, "sqlalchemy.dialects.postgresql.psycopg"])


class Writer:
    """A process that calls `write(*arguments, tell)`, and what it tells."""

    def __init__(self, write: Callable[..., None], *arguments: object) -> None:
        self._told, theirs = _FORKS.Pipe(duplex=False)
        environment = dict(os.environ)
        self._process = _FORKS.Process(target=_begin, args=(environment, write, *arguments, theirs.send), daemon=True)
        self._process.start()
        theirs.close()

    def next(self) -> Any:
        return self._told.recv()

    def rest(self) -> list[Any]:
        """What it still tells, until it ends."""
        found = []
        with suppress(EOFError):
            while True:
                found.append(self.next())
        return found

    def kill(self) -> list[Any]:
        """Kill it; return what it told since it was last heard."""
        self._process.kill()
        return self.rest()

    def wait(self) -> int | None:
        """Its exit code."""
        self._process.join(60)
        return self._process.exitcode


def _begin(environment: Mapping[str, str], write: Callable[..., None], *arguments: object) -> None:
    os.environ.update(environment)
    write(*arguments)


def key_of(name: str, number: int) -> str:
    return f"{name} {number:06}"


def keys(name: str, count: int) -> list[str]:
    return [key_of(name, number) for number in range(count)]


def write_answers(place: str, name: str, count: int, asked: str, tell: Callable[[str], None]) -> None:
    """Tell the id of the run; save `count` games and as many answers one by one, skip existing ones, and tell each key."""
    with Store.open(place) as store, store.begin("match", name, {}, 0) as run:
        tell(run.id)
        for start in range(0, count, 100):
            numbers = {key_of(asked, number): number for number in range(start, min(start + 100, count))}
            there = run.games(wanted(numbers))
            for key, number in numbers.items():
                if key not in there:
                    run.keep([kept(key, str(number))], {(key, BASIS): game(seed=number)})
                    tell(key)


def files_of(iteration: int) -> dict[str, bytes]:
    return {"state": random.Random(iteration).randbytes(20_000), "small": str(iteration).encode()}


def write_checkpoints(folder: Path, tell: Callable[[int], None]) -> None:
    """Save one checkpoint after another, and tell the iteration of each."""
    series = Checkpoints(folder, keep=2)
    iteration = max(series.iterations(), default=0)
    while True:
        iteration += 1
        series.save(iteration, files_of(iteration))
        tell(iteration)
