"""`ClusterWorker`: a core of a cluster's node. It hosts one worker process, as the pool on one machine does, and speaks for it.

It lives in a process that the cluster started there. The worker process is a child of that one, so that a job which ends
its process is to blame for it, as on one machine, and a job that passes a limit is ended. When the cluster ends this
process, or the node dies, the worker process ends with it.

It is asked, and answers within REPLY_SECONDS: with what is done since, what is noted, what it hands back, and with the
files that a job has written. It is then asked again. So whoever asks knows every second that it lives.
"""

import contextlib
import os
import shutil
import sys
import tempfile
import time
import types
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from noughts.machine.brought import (
    BROUGHT,
    BroughtFile,
    FileState,
    is_there,
    mirrored,
    put_file,
    read_unchanged,
    states_in,
)
from noughts.machine.jobs import Failed, Job, JobResult, Running
from noughts.machine.pool import Pool
from noughts.rules.errors import NoughtsError

REPLY_SECONDS = 0.5
BATCH_SECONDS = 0.1  # a job that waits behind others for longer is handed back
_SNAPSHOT_SECONDS = 20.0  # between two looks at what a long job has written
_DOUBT_SECONDS = 1.0  # in which a process ends whose machine has died
_SETTLE_TRIES = 20
_SET_BY_RAY = ("OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")
_SCRATCH = "noughts-cluster"


@dataclass(frozen=True)
class Surroundings:
    """What a worker must find around it so that a job means the same there.

    Attributes:
        session: Names the work of one asking process; its files lie apart from those of others.
        folder: The working folder of that process.
        store: Its folder of results.
        variables: Environment variables that change what is computed, as they are there.
        shares_files: Whether this machine has the files of that process, under the same names.
    """

    session: str
    folder: str
    store: str
    variables: Mapping[str, str]
    shares_files: bool


@dataclass(frozen=True)
class NodeFacts:
    """What must be known of a machine before work is given to it.

    Attributes:
        version, python: Of noughts, and of Python.
        code: See `code.hash_of_answers`.
        arithmetic: See `arithmetic.arithmetic`.
        free_bytes: Memory that may be taken.
    """

    version: str
    python: str
    code: str
    arithmetic: str
    free_bytes: int


@dataclass(frozen=True)
class SentFile:
    """A file that a job reads.

    Attributes:
        path: On the asking machine.
        digest: The SHA-256 of its content.
        runs: Whether it is a program.
        content: Where the content is kept for all nodes.
    """

    path: str
    digest: str
    runs: bool
    content: object


@dataclass(frozen=True)
class Reply:
    """What a worker says.

    Attributes:
        results: Of jobs that are over.
        busy: Whether it is still at work on a job.
        running: What that job noted.
        left: Keys of jobs that it has not begun and hands back.
        written: Files that the job has written or changed, below the folder that it makes.
        gone: Files that it had written and has removed.
        heeds_stop: Whether that job keeps what it has done when it is told to stop.
        has_kept: Whether it was told so, and all that it has kept has come.
        problem: Why it can do nothing more; empty if it can.
    """

    results: tuple[JobResult, ...] = ()
    busy: bool = False
    running: Running | None = None
    left: tuple[str, ...] = ()
    written: tuple[BroughtFile, ...] = ()
    gone: tuple[str, ...] = ()
    heeds_stop: bool = False
    has_kept: bool = False
    problem: str = ""


def facts_here() -> NodeFacts:
    """Those of this machine."""
    import platform

    import noughts
    from noughts.machine.arithmetic import arithmetic
    from noughts.machine.code import hash_of_answers
    from noughts.machine.memory import available_bytes

    return NodeFacts(noughts.__version__, platform.python_version(), hash_of_answers(), arithmetic(), available_bytes())


def difference(there: NodeFacts, here: NodeFacts, exact: bool) -> str:
    """Why a machine may not answer for this one; empty if it may.

    Args:
        exact: Whether answers hang on the last bits of numbers.
    """
    if there.version != here.version:
        return f"it runs noughts {there.version}, and this machine {here.version}: install the same version on both"
    if there.python != here.python:
        return f"it runs Python {there.python}, and this machine {here.python}: install the same version on both"
    if there.code != here.code:
        return "its code of noughts, or of a library that answers depend on, is another than here: install the same on both"
    if exact and there.arithmetic != here.arithmetic:
        return (
            f"networks are computed with {there.arithmetic} there, and with {here.arithmetic} here, so that answers may "
            "differ: start the command on a machine that is like the nodes"
        )
    return ""


class ClusterWorker:
    """One core. Its methods are called from afar, `stop` and `leave` also while another is at work.

    Args:
        around: What its worker process must find.
        node: Names the machine: its workers share a folder of files.
        fetch: Gives the content that `SentFile.content` stands for.
    """

    def __init__(self, around: Surroundings, node: str, fetch: Callable[[object], bytes]) -> None:
        self._around, self._fetch = around, fetch
        self._pool: Pool | None = None
        self._turns: Iterator[None] = iter(())
        self._left: deque[Job] = deque()
        self._gone = self._stopping = False
        self._machine = os.getppid()  # what the cluster runs on this machine, which has started this process
        self._makes: Path | None = None
        self._known: dict[str, FileState] = {}
        self._next_snapshot = 0.0
        self._scratch: _Scratch | None = None
        for name in _SET_BY_RAY:
            os.environ.pop(name, None)
        os.environ.update(around.variables)
        folder, store = Path(around.folder), Path(around.store)
        if not around.shares_files:
            self._scratch = _Scratch(around.session, node)
            mirror = self._scratch.folder
            os.environ[BROUGHT] = str(mirror)
            folder, store = mirrored(mirror, folder), mirrored(mirror, store)
            folder.mkdir(parents=True, exist_ok=True)
        os.environ["NOUGHTS_STORE"] = str(store)
        os.chdir(folder)
        # A spawned process loads the main module of its parent, and that of this process is none of ours.
        sys.modules["__main__"] = types.ModuleType("__main__")

    def facts(self) -> NodeFacts:
        """Those of this machine."""
        return facts_here()

    def take(self, files: list[SentFile], jobs: list[Job]) -> Reply:
        """Begin jobs, as soon as the files are there that they read."""
        try:
            self._bring(files)
            self._begin_folder(jobs)
        except (OSError, ValueError) as error:
            return Reply(problem=f"the files of a job cannot be kept there: {error}")
        self._left.extend(jobs)
        if self._pool is None:
            self._pool = Pool((), 1)
        self._pool.go_on(self._supply())
        self._turns = self._pool.turns()
        return self.more()

    def more(self) -> Reply:
        """What has happened since."""
        assert self._pool is not None
        until = time.monotonic() + REPLY_SECONDS
        results: list[JobResult] = []
        busy = has_kept = False
        try:
            for _ in self._turns:
                results += self._pool.taken()
                has_kept = self._stopping and not self._pool.is_keeping
                if (time.monotonic() >= until and not self._pool.is_idle) or has_kept or self._gone:
                    busy = True
                    break
        except NoughtsError as error:
            return Reply(problem=str(error))
        results += self._pool.taken()
        if any(isinstance(result, Failed) and result.reason == "died" for result in results):
            self._leave_if_machine_has_died()
        left: tuple[str, ...] = ()
        if not busy:
            left = tuple(job.key for job in self._left)
            self._left.clear()
        try:
            written, gone = self._look_at_folder(at_end=has_kept or not busy)
        except OSError as error:
            return Reply(problem=f"what a job has written cannot be read: {error}")
        running = self._pool.running
        heeds = self._pool.heeds_stop
        return Reply(tuple(results), busy, running[0] if running else None, left, written, gone, heeds, has_kept)

    def stop(self) -> None:
        """Have the job keep what it has done; `more` tells when it has. This worker is to be ended."""
        if self._pool is not None:
            self._pool.tell_to_stop()
        self._stopping = True

    def leave(self) -> None:
        """End the worker process, and remove its files if no other worker of this machine needs them."""
        self._gone = True
        if self._pool is not None:
            self._pool.close()
        if self._scratch is not None:
            self._scratch.leave()

    def _leave_if_machine_has_died(self) -> None:
        """Say nothing of a job whose process has died, if it died with its machine: then nobody is to blame.

        When a machine goes down its processes end one after another, and the last may live long enough to speak.
        """
        until = time.monotonic() + _DOUBT_SECONDS
        while time.monotonic() < until:
            if os.getppid() != self._machine:
                os._exit(1)
            time.sleep(0.05)

    def _supply(self) -> Iterator[Job]:
        """The jobs, for as long as none has waited for too long."""
        begun = time.monotonic()
        while self._left and time.monotonic() - begun < BATCH_SECONDS:
            yield self._left.popleft()

    def _bring(self, files: list[SentFile]) -> None:
        if self._scratch is None:
            return
        for file in files:
            path = mirrored(self._scratch.folder, Path(file.path))
            if not is_there(path, file.digest):
                put_file(path, BroughtFile(file.path, self._fetch(file.content), file.digest, file.runs))

    def _begin_folder(self, jobs: list[Job]) -> None:
        """Look at the folder that the job fills, so that it is known later what it has written."""
        self._makes, self._known = None, {}
        folders = [job.baggage.makes for job in jobs if job.baggage.makes]
        if folders and self._scratch is not None:
            self._makes = mirrored(self._scratch.folder, Path(folders[0]))
            self._known = {state.path: state for state in states_in(self._makes)}
            self._next_snapshot = time.monotonic() + _SNAPSHOT_SECONDS

    def _look_at_folder(self, at_end: bool) -> tuple[tuple[BroughtFile, ...], tuple[str, ...]]:
        """What was written and removed since the last look, if one is due: all of one moment, or nothing."""
        if self._makes is None or not (at_end or time.monotonic() >= self._next_snapshot):
            return (), ()
        for _ in range(_SETTLE_TRIES if at_end else 1):
            states = states_in(self._makes)
            changed = [state for state in states if self._known.get(state.path) != state]
            files = read_unchanged(self._makes, changed)
            if files is not None and states_in(self._makes) == states:
                gone = tuple(self._known.keys() - {state.path for state in states})
                self._known = {state.path: state for state in states}
                self._next_snapshot = time.monotonic() + _SNAPSHOT_SECONDS
                return tuple(files), gone
            time.sleep(0.05)
        if at_end:
            raise OSError(f"{self._makes} does not come to rest")
        return (), ()


class _Scratch:
    """The folder of brought files that the workers of one machine share while one process asks.

    Each holds a lock on it while it lives, so that what the killed have left is told from what is in use, and removed by
    whoever comes next.
    """

    def __init__(self, session: str, node: str) -> None:
        whole = Path(tempfile.gettempdir(), f"{_SCRATCH}-{os.getuid() if hasattr(os, 'getuid') else ''}")
        whole.mkdir(mode=0o700, exist_ok=True)
        own = f"{session}-{node}"
        self._sweep(whole, own)
        self.folder = whole / own / "files"
        while True:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                self._lock = (whole / own / "in-use").open("ab")
            except FileNotFoundError:  # somebody has removed it just now
                continue
            _flock(self._lock.fileno(), shared=True)
            if os.fstat(self._lock.fileno()).st_nlink and self.folder.exists():
                return
            self._lock.close()

    def leave(self) -> None:
        """Use it no longer."""
        if not self._lock.closed:
            if _flock(self._lock.fileno(), shared=False):
                shutil.rmtree(self.folder.parent, ignore_errors=True)
            self._lock.close()

    @staticmethod
    def _sweep(whole: Path, own: str) -> None:
        for folder in whole.iterdir():
            if folder.name == own:
                continue
            with contextlib.suppress(OSError), (folder / "in-use").open("ab") as lock:
                if _flock(lock.fileno(), shared=False):
                    shutil.rmtree(folder, ignore_errors=True)


def _flock(descriptor: int, shared: bool) -> bool:
    """Lock a file for this process alone, or with others; says whether that was possible at once."""
    try:
        import fcntl
    except ImportError:  # Windows: nothing is removed before its time
        return shared
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
