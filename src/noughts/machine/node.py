"""`do_jobs`: the code that runs on a machine of a cluster. It runs jobs in a pool of one worker, with the same limits,
notes and blame as on the asking machine, and returns their results and the files that they wrote.

The cluster runs it in one process per core. The pool's worker is a child of that process. So a job that ends its own
process or passes a limit has failed, and Ray repeats the task elsewhere only if the machine itself dies.
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

_BATCH_SECONDS = 0.1  # if the batch has run for longer, the rest of it is handed back
_NOTE_SECONDS = 1.0
CARRIED = ("JAX_PLATFORMS", "XLA_FLAGS", "NPROC", SHUT)
"""Environment variables that are copied from the asking machine, or unset if they are not set there."""
_SET_BY_RAY = ("OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")
_KEPT_SECONDS = 24 * 3600.0  # the files of a command that sent nothing for this long are removed


@dataclass(frozen=True)
class Surroundings:
    """What a job needs around it.

    Attributes:
        session: Identifies the asking process; its files are separate from those of others.
        folder: The working folder, relative to the session's folder; its full path if files are shared.
        store: The store, in the same way.
        variables: Those variables of `CARRIED` that are set.
        facts: `facts_here` on the asking machine.
    """

    session: str
    folder: str
    store: str
    variables: Mapping[str, str]
    facts: Mapping[str, str]


Reply = tuple[list[JobResult], frozenset[str], list[SentFile], list[str]]
"""The outcome of a batch: results of the jobs that are over; keys of those not begun; new or changed files of the job's folder,
by their path in it; and paths of the files that were sent with the folder and that the job removed."""


class NoteBoard:
    """An actor of the cluster that passes notes of running jobs to the asking machine. If it is lost, only notes are lost."""

    def __init__(self) -> None:
        self._notes: dict[str, str] = {}

    def note(self, key: str, text: str) -> None:
        """Store the latest note of a job."""
        self._notes[key] = text

    def taken(self) -> dict[str, str]:
        """Take the notes since the last call, by the keys of jobs."""
        notes, self._notes = self._notes, {}
        return notes


def facts_here() -> dict[str, str]:
    """Facts that must be equal on two machines that work together, by their names in errors."""
    code = of_our_code(ANSWERING).versions[OUR_CODE]
    return {
        "noughts": noughts.__version__,
        "Python": platform.python_version(),
        "a version of the code and its libraries": code,
        "arithmetic": arithmetic(),
    }


def difference(there: Mapping[str, str], here: Mapping[str, str], exact: bool) -> str:
    """Why the machine `there` cannot answer for the one `here`, by their `facts_here`; empty if it can.

    Args:
        exact: Whether answers depend on the last bits of numbers, so that the arithmetic must be equal, too.
    """
    for name, own in here.items():
        if there[name] != own and (exact or name != "arithmetic"):
            same = "processors and devices" if name == "arithmetic" else "versions"
            return f"it has {name} {there[name]}, and this machine {own}: use machines with the same {same}"
    return ""


def do_jobs(around: Surroundings, jobs: Sequence[Job], folder: str, board: Any, *files: SentFile) -> Reply:
    """Run a batch of jobs on this machine.

    Args:
        around: What they need around them.
        jobs: The batch. A job that fills a folder is alone in it.
        folder: The place of that folder; empty for none, or if files are shared.
        board: The handle of a `NoteBoard`.
        files: The files that the jobs read, and those of the folder.

    Raises:
        ComputeError: this machine differs from the asking one, or no worker process starts.
    """
    if problem := difference(facts_here(), around.facts, any(job.exact for job in jobs)):
        raise ComputeError(f"node {socket.gethostname()} cannot be used: {problem}")
    if not _cores or _cores[0].around != around:
        for core in _cores:
            core.close()
        _cores[:] = [_Core(around)]
    return _cores[0].do(jobs, folder, board, files)


_cores: list["_Core"] = []
"""The worker of this process for the current asking process; at most one."""


class _Core:
    """The worker of this process, and its files."""

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
        """Run a batch; see `do_jobs`."""
        if folder:  # an interrupted attempt may have left files, which the asking process does not expect
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
        return results, frozenset(job.key for job in left), written, gone

    def _results(self) -> list[JobResult]:
        """The results since the last call."""
        found = [event for event in self._pool.events if not isinstance(event, Running)]
        self._pool.events.clear()
        return found


def _in_time(left: deque[Job]) -> Iterator[Job]:
    """The jobs, until _BATCH_SECONDS have passed."""
    begun = time.monotonic()
    while left and time.monotonic() - begun < _BATCH_SECONDS:
        yield left.popleft()


def _session_folder(session: str) -> Path:
    """The folder for files from one asking process, shared by all cores. Old folders of other processes are removed."""
    whole = Path(tempfile.gettempdir(), f"noughts-cluster-{os.getuid() if hasattr(os, 'getuid') else ''}")
    whole.mkdir(mode=0o700, exist_ok=True)
    own = whole / session
    own.mkdir(exist_ok=True)
    os.utime(own)
    for folder in whole.iterdir():
        if folder.stat().st_mtime < time.time() - _KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
    return own
