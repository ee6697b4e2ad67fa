"""`do_jobs`: what runs on a machine of a cluster. It does jobs by a pool of one worker, with the limits, notes and blame
that hold on the machine that asks, and returns their results and the files that they wrote.

The cluster starts a process for each core and runs this in it. The pool's worker is a child of that process, so a job that ends
its process or passes a limit has failed, and only where the machine dies is the task repeated on another one.
"""

import os
import platform
import shutil
import socket
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import noughts
from noughts.machine.arithmetic import arithmetic
from noughts.machine.dependencies import ANSWERING, OUR_CODE, of_our_code
from noughts.machine.jobs import Job, JobResult, Running
from noughts.machine.plugins import SHUT
from noughts.machine.pool import Pool
from noughts.machine.sent_files import SentFile, bring, changes_in
from noughts.rules.errors import ComputeError

_BATCH_SECONDS = 0.1  # a job that waits behind others for longer is handed back
_NOTE_SECONDS = 1.0
CARRIED = ("JAX_PLATFORMS", "XLA_FLAGS", SHUT)
"""Environment variables that mean the same on all machines, or are set on none."""
_SET_BY_RAY = ("OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")
_KEPT_SECONDS = 24 * 3600.0  # files of a command that sent nothing for so long are removed


@dataclass(frozen=True)
class Surroundings:
    """What a job must find around it.

    Attributes:
        session: Names the asking process; its files lie apart from those of others.
        folder: The working folder, and
        store: the store: below a folder for the session, or in full where files are shared.
        variables: Those of `CARRIED` that are set.
        facts: Of the asking machine; see `facts_here`.
    """

    session: str
    folder: str
    store: str
    variables: Mapping[str, str]
    facts: Mapping[str, str]


@dataclass(frozen=True)
class Reply:
    """What came of some jobs.

    Attributes:
        results: Of those that are over.
        left: Keys of those that were not begun.
        written: Files of the job's folder that are new or changed, by their path in it.
        gone: Paths of those that were sent with it and that it removed.
    """

    results: tuple[JobResult, ...]
    left: frozenset[str]
    written: list[SentFile]
    gone: list[str]


class NoteBoard:
    """Notes of running jobs, on their way to the asking machine: an actor of the cluster. Losing it loses only notes."""

    def __init__(self) -> None:
        self._notes: dict[str, str] = {}

    def note(self, key: str, text: str) -> None:
        """Keep the last note of a job."""
        self._notes[key] = text

    def taken(self) -> dict[str, str]:
        """The notes since the last time, by the keys of jobs."""
        notes, self._notes = self._notes, {}
        return notes


def facts_here() -> dict[str, str]:
    """What must be equal on two machines that answer for each other, by what errors call it."""
    code = of_our_code(ANSWERING).versions[OUR_CODE]
    return {
        "noughts": noughts.__version__,
        "Python": platform.python_version(),
        "a version of the code and its libraries": code,
        "arithmetic": arithmetic(),
    }


def difference(there: Mapping[str, str], here: Mapping[str, str], exact: bool) -> str:
    """Why a machine may not answer for this one; empty if it may.

    Args:
        exact: Whether answers depend on the last bits of numbers, and so on what these are computed with.
    """
    for name, own in here.items():
        if there[name] != own and (exact or name != "arithmetic"):
            same = "processors and devices" if name == "arithmetic" else "versions"
            return f"it has {name} {there[name]}, and this machine {own}: use machines with the same {same}"
    return ""


def do_jobs(around: Surroundings, jobs: Sequence[Job], folder: str, board: Any, *files: SentFile) -> Reply:
    """Do jobs here.

    Args:
        around: What they must find.
        jobs: Of which none, or the only one, fills a folder.
        folder: That folder, as a place; empty for none, or where files are shared.
        board: The handle of a `NoteBoard`.
        files: What they read, and what is in that folder.

    Raises:
        ComputeError: this machine may not answer, or no worker process starts.
    """
    if problem := difference(facts_here(), around.facts, any(job.exact for job in jobs)):
        raise ComputeError(f"node {socket.gethostname()} cannot be used: {problem}")
    if not _cores or _cores[0].around != around:
        for core in _cores:
            core.close()
        _cores[:] = [_Core(around)]
    return _cores[0].do(jobs, folder, board, files)


_cores: list["_Core"] = []
"""What this process holds for the one that asks; at most one."""


class _Core:
    """The worker of this process, and the files around it."""

    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self._root = _session_folder(around.session)
        for name in (*_SET_BY_RAY, *CARRIED):
            os.environ.pop(name, None)
        os.environ.update(around.variables)
        os.environ["NOUGHTS_STORE"] = str(self._root / around.store)
        folder = self._root / around.folder
        folder.mkdir(parents=True, exist_ok=True)
        os.chdir(folder)
        self._pool = Pool(1)

    def close(self) -> None:
        """End the worker."""
        self._pool.close()

    def do(self, jobs: Sequence[Job], folder: str, board: Any, files: Sequence[SentFile]) -> Reply:
        """As `do_jobs`."""
        if folder:  # what an attempt that was broken off has left there is not known to the one that asks
            shutil.rmtree(self._root / folder, ignore_errors=True)
        bring(self._root, files)
        left = deque(jobs)
        results: list[JobResult] = []
        self._pool.go_on(_in_time(left))
        next_note = time.monotonic() + _NOTE_SECONDS
        while self._pool.turn():
            results += self._results()
            if time.monotonic() >= next_note:
                next_note = time.monotonic() + _NOTE_SECONDS
                for running in self._pool.running:
                    board.note.remote(running.key, running.note)
        results += self._results()
        written, gone = changes_in(self._root, folder, files) if folder else ([], [])
        return Reply(tuple(results), frozenset(job.key for job in left), written, gone)

    def _results(self) -> list[JobResult]:
        """Those that came since it was last asked."""
        found = [event for event in self._pool.events if not isinstance(event, Running)]
        self._pool.events.clear()
        return found


def _in_time(left: deque[Job]) -> Iterator[Job]:
    """The jobs, for as long as none has waited for too long."""
    begun = time.monotonic()
    while left and time.monotonic() - begun < _BATCH_SECONDS:
        yield left.popleft()


def _session_folder(session: str) -> Path:
    """The folder of what one asking process sends to this machine, shared by all cores. Old ones of others are removed."""
    whole = Path(tempfile.gettempdir(), f"noughts-cluster-{os.getuid() if hasattr(os, 'getuid') else ''}")
    whole.mkdir(mode=0o700, exist_ok=True)
    own = whole / session
    own.mkdir(exist_ok=True)
    os.utime(own)
    for folder in whole.iterdir():
        if folder.stat().st_mtime < time.time() - _KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
    return own
