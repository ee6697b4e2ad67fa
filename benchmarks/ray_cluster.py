"""A Ray cluster on one machine, for tests and measurements: a head that lends no core, and two nodes of one core each."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from noughts.machine.ray_cluster import RayCluster, quiet_ray
from noughts.store.place import store_folder

_STORE_BYTES = 80 << 20
_TRIES = 3  # Ray gives a helper of each node 15 s to start, which may be too little on a busy machine
_ROOT = Path(__file__).parents[1]


class TestedCluster:
    """A running cluster.

    Attributes:
        address: The address of its head.
    """

    __test__ = False

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster
        self.address: str = cluster.address
        self._nodes: list[Any] = []

    def add_node(self) -> None:
        """Add another machine of one core."""
        for attempt in range(_TRIES):
            try:
                node = self._cluster.add_node(num_cpus=1, object_store_memory=_STORE_BYTES, include_log_monitor=False)
            except Exception:
                if attempt == _TRIES - 1:
                    raise
                continue
            self._nodes.append(node)
            return

    def kill_a_node(self, which: int = 0) -> None:
        """Remove a node without warning, as in a power failure."""
        self._cluster.remove_node(self._nodes.pop(which), allow_graceful=False)

    def kill_a_worker(self, which: int) -> bool:
        """Kill a process that Ray started for a core, and with it its worker; return whether there was one."""
        workers = [
            process
            for raylet in psutil.Process().children(recursive=True)
            if raylet.name() == "raylet"
            for process in raylet.children()
            if process.children()  # the worker in which jobs run
        ]
        if workers:
            workers[which % len(workers)].kill()
        return bool(workers)

    @property
    def nodes(self) -> int:
        """The number of nodes that provide a core."""
        return len(self._nodes)

    def executor(self, workers: int | None = None) -> RayCluster:
        """An executor that uses it."""
        return RayCluster(self.address, workers, store_folder())

    def objects_left(self) -> int:
        """Bytes in the object stores of all nodes, after up to 10 s for objects to be freed."""
        ray = quiet_ray()
        with self.executor().opened():
            pass
        until = time.monotonic() + 10
        while True:
            free, whole = ray.available_resources(), ray.cluster_resources()
            used = whole.get("object_store_memory", 0.0) - free.get("object_store_memory", 0.0)
            if used < 1 or time.monotonic() > until:
                return int(used)
            time.sleep(0.2)


@contextlib.contextmanager
def ray_cluster(nodes: int = 2) -> Iterator[TestedCluster]:
    """Run a cluster during the block; none of its processes survives the block."""
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH", "")]))
    ray = quiet_ray()
    from ray.cluster_utils import Cluster

    before = {child.pid for child in psutil.Process().children(recursive=True)}
    head: dict[str, Any] = {
        "num_cpus": 0,
        "include_dashboard": False,
        "object_store_memory": _STORE_BYTES,
        "include_log_monitor": False,
    }
    for attempt in range(_TRIES):
        cluster: Any = Cluster()
        try:
            cluster.add_node(**head)
            tested = TestedCluster(cluster)
            for _ in range(nodes):
                tested.add_node()
            break
        except Exception:
            cluster.shutdown()
            if attempt == _TRIES - 1:
                raise
    try:
        yield tested
    finally:
        ray.shutdown()
        cluster.shutdown()
        for child in psutil.Process().children(recursive=True):
            if child.pid not in before and "multiprocessing" not in " ".join(child.cmdline()):
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.kill()
