"""Ray as the `Fabric` of a cluster: the only module that knows it.

Nothing is done twice by Ray itself: actors are not restarted and calls are not repeated. What it would print or show besides
is silenced.
"""

import contextlib
import logging
import os
import socket
import threading
import time
from collections.abc import Sequence
from typing import Any

from noughts.machine.brought import BroughtFile
from noughts.machine.cluster_worker import ClusterWorker, NodeFacts, Reply, SentFile, Surroundings
from noughts.machine.environment import usable_cores
from noughts.machine.fabric import Answer, ClusterNode, Handle, Lost
from noughts.machine.jobs import Job
from noughts.rules.errors import ComputeError, MissingLibraryError, one_line

_REACH_SECONDS = 7.0  # until a head must have taken a connection and answered a question, which it does at once
_STEP_SECONDS = 3.0  # of these, for the connection, and for its first words
_CONNECT_SECONDS = 60.0  # until it must have let us in: for a client it starts a process first
_LEAVE_SECONDS = 1.0
_STORE_BYTES = 512 << 20  # of the object store of a cluster that is started here

_DRIVER_ALIVE = "/ray.rpc.RayletDriver/ClusterInfo"
_DRIVER_PING = b"\x08\x06"  # of a `ClusterInfoRequest`: field 1, PING
_HEAD_ALIVE = "/ray.rpc.NodeInfoGcsService/CheckAlive"

_SETTINGS = 4  # a frame's type in HTTP/2
_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, _SETTINGS, 0, 0, 0, 0, 0))

_connected: list[str] = []
"""The address that this process is connected with."""


def quiet_ray() -> Any:
    """Ray, as we use it: silent, and without what it does by itself; MissingLibraryError if it is not installed."""
    for name, value in (
        ("RAY_USAGE_STATS_ENABLED", "0"),
        ("RAY_DISABLE_IMPORT_WARNING", "1"),
        ("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0"),
        ("RAY_CLIENT_RECONNECT_GRACE_PERIOD", "5"),
        ("GRPC_VERBOSITY", "ERROR"),
    ):
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as error:
        raise MissingLibraryError.of("Ray", "ray") from error
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    # Whatever it is told, it prints on our standard output when a machine is gone, and that is for answers.
    if hasattr(ray._private.worker, "print_to_stdstream"):
        ray._private.worker.print_to_stdstream = lambda *_, **__: None
    # Below `uv run` it would send the working folder to the nodes and install it there anew. It may have been imported
    # before, so that no environment variable would be read.
    ray._private.ray_constants.RAY_ENABLE_UV_RUN_RUNTIME_ENV = False
    return ray


class RayFabric:
    """A Ray cluster.

    Args:
        address: As of `RayCluster`.

    Raises:
        MissingLibraryError: Ray is not installed.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._ray = quiet_ray()
        self._asked: dict[Any, Handle] = {}  # what is not answered yet, and who was asked
        self._alive: dict[Handle, Any] = {}
        self._actor: Any = None

    def connect(self) -> None:
        """See `Fabric`."""
        if self._ray.is_initialized():
            if _connected and _connected[0] != self._address:
                raise ComputeError(
                    f"this process is connected with the cluster {_connected[0]}: {self._address} needs another process"
                )
        else:
            self._reach()
            self._join()
            _connected[:] = [self._address]
        options = {"max_restarts": 0, "max_task_retries": 0, "max_concurrency": 2}
        self._actor = self._ray.remote(**options)(_Actor)

    def nodes(self) -> Sequence[ClusterNode]:
        """See `Fabric`."""
        found = [node for node in self._ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
        names = [node["NodeManagerHostname"] for node in found]
        return [
            ClusterNode(
                node["NodeID"],
                name if names.count(name) == 1 else f"{name}-{node['NodeID'][:4]}",
                int(node["Resources"]["CPU"]),
            )
            for node, name in zip(found, names, strict=True)
        ]

    def start(self, node: ClusterNode, cores: int, around: Surroundings) -> Handle:
        """See `Fabric`."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        where = NodeAffinitySchedulingStrategy(node.id, soft=False)
        actor = self._actor.options(num_cpus=cores, scheduling_strategy=where).remote(around, node.id)
        worker = actor._actor_id.hex() if hasattr(actor, "_actor_id") else str(id(actor))
        self._alive[worker] = actor
        self._asked[actor.facts.remote()] = worker
        return worker

    def take(self, worker: Handle, files: list[SentFile], jobs: list[Job]) -> None:
        """See `Fabric`."""
        self._asked[self._alive[worker].take.remote(files, jobs)] = worker

    def more(self, worker: Handle) -> None:
        """See `Fabric`."""
        self._asked[self._alive[worker].more.remote()] = worker

    def stop(self, worker: Handle) -> None:
        """See `Fabric`."""
        self._alive[worker].stop.remote()

    def answers(self, seconds: float) -> list[tuple[Handle, Answer]]:
        """See `Fabric`."""
        if not self._asked:  # there is no machine yet, for instance
            time.sleep(seconds)
            return []
        asked = list(self._asked)
        ready, rest = self._ray.wait(asked, timeout=seconds)
        if ready and rest:
            ready += self._ray.wait(rest, num_returns=len(rest), timeout=0)[0]
        return [(self._asked.pop(ref), self._read(ref)) for ref in ready]

    def keep(self, file: BroughtFile) -> object:
        """See `Fabric`."""
        return self._ray.put(file.content)

    def let_go(self, workers: Sequence[Handle], at_once: bool) -> None:
        """See `Fabric`."""
        actors = [self._alive.pop(worker) for worker in workers if worker in self._alive]
        gone = set(workers)
        self._asked = {ref: worker for ref, worker in self._asked.items() if worker not in gone}
        with contextlib.suppress(Exception):  # those that are gone need not leave
            if actors and not at_once:
                leaving = [actor.leave.remote() for actor in actors]
                self._ray.wait(leaving, num_returns=len(leaving), timeout=_LEAVE_SECONDS)
        for actor in actors:
            with contextlib.suppress(Exception):
                self._ray.kill(actor, no_restart=True)

    def forget_files(self) -> None:
        """Nothing: what nobody refers to any more is gone."""

    def _read(self, ref: Any) -> Answer:
        errors = self._ray.exceptions
        try:
            answer: NodeFacts | Reply = self._ray.get(ref)
        except errors.RayTaskError as error:  # what it raised, which none of its methods does where noughts is whole
            return Lost(_cause(error), is_unable=True)
        except errors.RayActorError as error:
            unable = bool(getattr(error, "actor_init_failed", False))
            return Lost(_cause(error) if unable else _brief(error), is_unable=unable)
        except errors.RayError as error:
            return Lost(_brief(error))
        return answer

    def _reach(self) -> None:
        """ComputeError unless a cluster answers at the address, in time."""
        host, colon, port = self._address.removeprefix("ray://").rpartition(":")
        if not colon:
            return
        until = time.monotonic() + _REACH_SECONDS
        try:
            with socket.create_connection((host.strip("[]"), int(port)), timeout=_STEP_SECONDS) as connection:
                if "RAY_USE_TLS" in os.environ:  # then nothing more can be asked without its certificates
                    return
                answers = _speaks_grpc(connection, min(until, time.monotonic() + _STEP_SECONDS))
        except OSError as error:
            raise ComputeError(
                f"there is no cluster at {self._address}: {error.strerror or error}; `ray start --head` starts one"
            ) from error
        is_client = self._address.startswith("ray://")
        if problem := "what listens there is not Ray" if not answers else _silence(f"{host}:{port}", is_client, until):
            raise ComputeError(f"there is no cluster at {self._address}: {problem}")

    def _join(self) -> None:
        """Connect; start a cluster if one of our own will do and there is none. ComputeError if that fails."""
        quiet = {"log_to_driver": False, "logging_level": "CRITICAL", "configure_logging": False}
        if self._address == "ray":
            with contextlib.suppress(Exception):
                self._ray.init(address="auto", **quiet)
                return
            try:
                self._ray.init(
                    num_cpus=usable_cores(), include_dashboard=False, object_store_memory=_STORE_BYTES, **quiet
                )
            except Exception as error:
                raise ComputeError(f"Ray cannot be started on this machine: {_brief(error)}") from error
            return
        failed: list[BaseException] = []

        def join() -> None:
            try:
                self._ray.init(address=self._address, **quiet)
            except BaseException as error:
                failed.append(error)

        joining = threading.Thread(target=join, daemon=True)  # it may wait for a minute, and we do not
        joining.start()
        joining.join(_CONNECT_SECONDS)
        if failed or joining.is_alive():
            why = _brief(failed[0]) if failed else f"it did not answer within {_CONNECT_SECONDS:g} s"
            if "RAY_AUTH_MODE" not in os.environ:
                why += "; if it asks for Ray's token, set RAY_AUTH_MODE=token here too"
            raise ComputeError(f"the cluster {self._address} cannot be joined: {why}")


class _Actor(ClusterWorker):
    """`ClusterWorker` as Ray's workers make it."""

    def __init__(self, around: Surroundings, node: str) -> None:
        super().__init__(around, node, _fetch)


def _fetch(content: Any) -> bytes:
    import ray

    found: bytes = ray.get(content)
    return found


def _speaks_grpc(connection: socket.socket, until: float) -> bool:
    """Whether the other end begins as a gRPC server does, with a frame of HTTP/2 settings: then it may be Ray."""
    head = b""
    try:
        connection.sendall(_HELLO)
        while len(head) < 9 and (left := until - time.monotonic()) > 0:
            connection.settimeout(left)
            if not (more := connection.recv(9 - len(head))):
                break
            head += more
    except OSError:
        return False
    return len(head) == 9 and head[3] == _SETTINGS


def _silence(place: str, is_client: bool, until: float) -> str:
    """What is wrong with a gRPC server that is asked whether it is Ray, and alive; empty if it answers.

    Ray itself would wait for it for half a minute, and for a minute where it is asked by Ray's client.
    """
    import grpc

    method, question = (_DRIVER_ALIVE, _DRIVER_PING) if is_client else (_HEAD_ALIVE, b"")
    seconds = max(1.0, until - time.monotonic())
    with grpc.insecure_channel(place) as channel:
        try:
            channel.unary_unary(method)(question, timeout=seconds)
        except grpc.RpcError as error:
            code = error.code()
            if code is grpc.StatusCode.UNIMPLEMENTED:
                return "what listens there serves something else" + (
                    ": ray:// needs the port for clients, which is 10001 unless told otherwise" if is_client else ""
                )
            if code in (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE):
                return f"what listens there did not answer within {_REACH_SECONDS:g} s"
    return ""  # also if it answers that it will not: who joins is told why


def _cause(error: BaseException) -> str:
    """What was raised over there: the last line of what was printed."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, BaseException) and not hasattr(cause, "traceback_str"):
        return one_line(cause)
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:300]


def _brief(error: BaseException) -> str:
    """The first line of Ray's message that says something, with what it announces."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = " ".join(lines) if lines and lines[0].endswith(":") else lines[0] if lines else type(error).__name__
    return said.rstrip(".")[:300]
