"""`RayCluster`: runs jobs as Ray's tasks on the machines of a cluster; `node` is the code that runs there.

    a job raises, passes a limit,      it has failed, as on one machine: the pool of its machine reports it
      or ends its worker process
    a machine or a process of Ray's    Ray repeats the task elsewhere, up to RETRIES times; then the job has failed
      dies
    a machine has other versions       the command ends with a message of one line

Files that jobs read go into Ray's object store once, and from there to each machine that needs them. The files that a job
writes in its folder come back with its result. So an interrupted job leaves nothing there, unless all machines share files.
"""

import contextlib
import copy
import logging
import os
import secrets
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, TextIO, cast

from noughts.machine.environment import usable_cores
from noughts.machine.job_queue import JobQueue
from noughts.machine.jobs import Failed, Job, JobResult, Running
from noughts.machine.node import CARRIED, NoteBoard, Reply, Surroundings, do_jobs, facts_here
from noughts.machine.plugins import require_loaded
from noughts.machine.sent_files import Places, files_in, read_file, receive
from noughts.rules.errors import ComputeError, MissingLibraryError, one_line

RETRIES = 10
"""How often a task is repeated if its machine, or Ray's process on it, has died."""
_LOOK_SECONDS = 0.05
_NODES_SECONDS = 1.0  # between two checks of the list of machines
_REACH_SECONDS = 3.0  # for the head to accept a connection
_JOIN_SECONDS = 30.0  # for joining the cluster
_HEAD_SECONDS = 15.0  # for the head to list the machines
_LOST = "the cluster no longer answers: finished work is saved; repeat the command to resume"
_STORE_BYTES = 512 << 20  # of the object store of a cluster that is started here
_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # otherwise, under `uv run`, every machine would install the working folder again
    "GRPC_VERBOSITY": "ERROR",
}

_session = secrets.token_hex(6)
_joined: list[str] = []
"""The address of the cluster that this process has joined; at most one."""


class RayCluster:
    """The machines of a Ray cluster.

    Args:
        address: ``ray``, ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; see `executor`.
        workers: The most concurrent tasks; None for one per core.
        store: The folder in which agents find training runs.
        shares_files: Whether all machines see our files under the same paths.

    Raises:
        MissingLibraryError: Ray is not installed.
    """

    in_process = False

    def __init__(self, address: str, workers: int | None, store: Path, shares_files: bool = False) -> None:
        self.shares_files = shares_files
        self._address, self._workers = address, workers
        self._ray = quiet_ray()
        self._whole = False  # whether each job gets all cores of a machine
        self._places = Places(Path.cwd(), store.absolute(), shares_files)
        self._sent: dict[str, tuple[tuple[int, int], Any]] = {}  # files in the object store, with size and time
        self._cores: dict[str, int] = {}  # of each live machine, by Ray's id
        self._names: dict[str, str] = {}
        self._lost: list[str] = []
        self._next_look = 0.0

    @property
    def state(self) -> str:
        """The number of cores and machines, and the names of lost ones."""
        lost = [f"lost: {', '.join(self._lost[-3:])}"] if self._lost else []
        if not self._cores:
            return "; ".join([*lost, "no machine of the cluster lends a core yet"])
        machines = f"{len(self._cores)} machine{'s' if len(self._cores) > 1 else ''}"
        return "; ".join([*lost, f"{sum(self._cores.values())} cores of {machines}"])

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Join or start the cluster; ComputeError if that fails. It stays joined until this process ends."""
        require_loaded()
        if not self._ray.is_initialized():
            _join(self._ray, self._address)
            _joined[:] = [self._address]
        elif _joined and _joined[0] != self._address:
            raise ComputeError(
                f"this process has joined the cluster {_joined[0]}: {self._address} needs another process"
            )
        yield

    def alone(self) -> "RayCluster":
        """The same cluster, but each job gets all cores of a machine; only the machines with the most cores are used."""
        found = copy.copy(self)
        found._whole = True
        return found

    def run(self, jobs: Iterable[Job], notes_every: float | None = None) -> Generator[JobResult | Running, None, None]:
        """See `Executor`."""
        with self.opened():
            board = self._ray.remote(num_cpus=0, max_restarts=-1)(NoteBoard).remote()
            variables = {name: os.environ[name] for name in CARRIED if name in os.environ}
            around = Surroundings(_session, self._places.folder, self._places.store, variables, facts_here())
            queue = JobQueue(jobs)
            given: dict[Any, list[Job]] = {}
            next_notes = time.monotonic() + (notes_every or 0.0)
            try:
                while True:
                    self._look_at_machines()
                    while len(given) < self._room() and queue.waiting(1):
                        batch = queue.batch()
                        given[self._begin(batch, around, board)] = batch
                    if not given:
                        if not queue.waiting(1):
                            return
                        time.sleep(_LOOK_SECONDS)  # no machine lends a core
                        continue
                    ready, _ = self._ray.wait(list(given), timeout=_LOOK_SECONDS)
                    for task in ready:
                        yield from self._finish(task, given.pop(task), queue)
                    if notes_every is not None and time.monotonic() >= next_notes:
                        next_notes = time.monotonic() + notes_every
                        keys = {job.key for batch in given.values() for job in batch}
                        yield from [note for note in self._notes(board) if note.key in keys]
            finally:
                for task in given:
                    with contextlib.suppress(Exception):
                        self._ray.cancel(task, force=True)

    def _room(self) -> int:
        """The most tasks that may be handed out: one per core, and one per machine that waits there for its turn."""
        if self._whole:
            most = max(self._cores.values(), default=0)
            room = list(self._cores.values()).count(most)
        else:
            room = sum(self._cores.values()) + len(self._cores)
        return room if self._workers is None else min(room, self._workers)

    def _look_at_machines(self) -> None:
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + _NODES_SECONDS
        try:
            nodes = _within(_HEAD_SECONDS, self._ray.nodes)
        except TimeoutError as error:
            raise ComputeError(_LOST) from error
        alive = {node["NodeID"]: node for node in nodes if node["Alive"]}
        if self._ray.get_runtime_context().get_node_id() not in alive:  # our own, which reaches all others
            raise ComputeError(_LOST)
        lives = [node for node in alive.values() if node["Resources"].get("CPU", 0) >= 1]
        self._names |= {node["NodeID"]: node["NodeManagerHostname"] for node in lives}
        cores = {node["NodeID"]: int(node["Resources"]["CPU"]) for node in lives}
        self._lost += [self._names[gone] for gone in self._cores.keys() - cores.keys()]
        self._cores = cores

    def _begin(self, batch: list[Job], around: Surroundings, board: Any) -> Any:
        """Hand a batch to Ray; return the task."""
        files: dict[str, None] = {}
        folder = ""
        if not self.shares_files:
            files |= dict.fromkeys(file for job in batch for file in job.files)
            if made := batch[0].folder:
                folder = self._places.of(made)
                files |= dict.fromkeys(map(str, files_in(Path(made))))
        task = self._ray.remote(num_cpus=max(self._cores.values()) if self._whole else 1, max_retries=RETRIES)(do_jobs)
        return task.remote(around, batch, folder, board, *map(self._send, files))

    def _send(self, file: str) -> Any:
        """The reference of a file in the object store, which it enters once."""
        try:
            status = os.stat(file)
            state = status.st_size, status.st_mtime_ns
            if file not in self._sent or self._sent[file][0] != state:
                self._sent[file] = state, self._ray.put(read_file(Path(file), self._places.of(file)))
            return self._sent[file][1]
        except OSError as error:
            raise ComputeError(f"{file}, which a job reads, cannot be sent: {error.strerror or error}") from error

    def _finish(self, task: Any, batch: list[Job], queue: JobQueue) -> Iterator[JobResult]:
        """Yield the results of a task, and put jobs that were not done back into the queue."""
        errors = self._ray.exceptions
        try:
            reply: Reply = self._ray.get(task)
            results, left, written, gone = reply
        except errors.RayTaskError as error:  # raised by our own code there
            cause = getattr(error, "cause", None) or error
            why = str(cause) if isinstance(cause, ComputeError) else f"a node cannot be used: {one_line(cause)[-300:]}"
            raise ComputeError(why) from error
        except errors.LocalRayletDiedError:  # usually our own node, which the next check will miss
            queue.put_back(batch)
            return
        except errors.RayError as error:
            queue.shrink()
            if len(batch) > 1:  # now the jobs go out one by one, so that only the one to blame fails
                queue.put_back(batch)
            else:
                yield Failed(batch[0].key, "died", f"its machine ended {RETRIES + 1} times: {_first_line(error)}", "")
            return
        if left:
            queue.shrink()
            queue.put_back(job for job in batch if job.key in left)
        else:
            queue.grow()
        receive(Path(batch[0].folder), written, gone)
        yield from results

    def _notes(self, board: Any) -> Sequence[Running]:
        with contextlib.suppress(self._ray.exceptions.RayError):  # notes are optional
            return [Running(*note) for note in self._ray.get(board.taken.remote(), timeout=_NODES_SECONDS).items()]
        return ()


class _WithoutRay:
    """Standard output without the messages of Ray's threads about lost machines, because it is only for results."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return len(text) if threading.current_thread().name.startswith("ray_") else self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def quiet_ray() -> Any:
    """Import Ray, silenced and with its automatic features off; MissingLibraryError if it is not installed.

    Ray reads these settings at its first import. So a program under `uv run` that imports Ray itself must call this first.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as error:
        raise MissingLibraryError.of("Ray", "ray") from error
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module=r"ray\.")
    return ray


def _join(ray: Any, address: str) -> None:
    """Join a cluster, or start one on this machine.

    Raises:
        ComputeError: neither is possible.
    """
    sys.stdout = cast(TextIO, _WithoutRay(sys.stdout))
    quiet = {"log_to_driver": False, "logging_level": "CRITICAL", "configure_logging": False}
    if address == "ray":
        own = {"num_cpus": usable_cores(), "include_dashboard": False, "object_store_memory": _STORE_BYTES}
        try:
            ray.init(address="local", **own, **quiet)
        except Exception as error:
            raise ComputeError(f"Ray cannot be started on this machine: {_first_line(error)}") from error
        return
    _require_listener(address)
    try:
        _within(_JOIN_SECONDS, lambda: ray.init(address=address, **quiet))
    except Exception as error:
        why = _first_line(error)
        if "RAY_AUTH_MODE" not in os.environ:
            why += "; if it requires Ray's token, set RAY_AUTH_MODE=token here too"
        raise ComputeError(f"the cluster {address} cannot be joined: {why}") from error


def _within(seconds: float, call: Callable[[], Any]) -> Any:
    """Return the result of a call; TimeoutError if it takes longer, because Ray waits for minutes for a missing answer."""
    found: Future[Any] = Future()

    def work() -> None:
        try:
            found.set_result(call())
        except BaseException as error:
            found.set_exception(error)

    threading.Thread(target=work, daemon=True).start()  # not an executor's thread: Python would wait for that at exit
    if not wait([found], seconds).done:
        raise TimeoutError(f"it did not answer within {seconds:g} s")
    return found.result()


def _require_listener(address: str) -> None:
    """Raise ComputeError unless something listens at the address, if that contains a host."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_REACH_SECONDS).close()
    except OSError as error:
        raise ComputeError(
            f"there is no cluster at {address}: {error.strerror or error}; `ray start --head` starts one"
        ) from error


def _first_line(error: BaseException) -> str:
    """The first informative line of Ray's message; a line that ends with a colon is joined with the rest."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = " ".join(lines) if lines and lines[0].endswith(":") else lines[0] if lines else type(error).__name__
    return said.rstrip(".")[:300]
