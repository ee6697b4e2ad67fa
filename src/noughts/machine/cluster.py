"""`RayCluster`: jobs are done by the machines of a cluster, with the limits, notes and blame that hold on one machine.

The driver, which is the process that asks, gives batches of jobs to workers that wait, and to no others. A batch is as
large as what is done in a moment, and at most as large as on one machine; what a worker has not begun in time it hands back.

    a job raises, passes a limit,      its worker says so, as on one machine: the job has failed
      or ends its worker process
    a machine dies, or is cut off      its jobs are done elsewhere; nobody is to blame
    a worker dies on a machine that    its jobs are done elsewhere, one by one; one with which that happens again has failed
      lives, for lack of memory

A job is with one worker at a time, and what comes from a worker that was given up is not heard. So each has one result.
"""

import contextlib
import os
import secrets
from collections.abc import Callable, Generator, Iterable
from pathlib import Path

from noughts.machine.cluster_worker import Surroundings
from noughts.machine.driver import Driver
from noughts.machine.executor import NodeAtWork
from noughts.machine.fabric import Fabric
from noughts.machine.jobs import Job, JobResult, Running
from noughts.machine.plugins import SHUT

_CARRIED = ("JAX_PLATFORMS", "XLA_FLAGS", SHUT)


class RayCluster:
    """The machines of a Ray cluster.

    Args:
        address: ``ray``, ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; see `executor`.
        workers: How many at most; None for one on each core.
        store: The folder in which agents look for what was trained.
        shares_files: Whether all machines see our files.
        fabric: What connects them; Ray unless given.

    Raises:
        MissingLibraryError: Ray is not installed.
    """

    keeps_limits = True
    is_here = False
    shares_machine = False

    def __init__(
        self, address: str, workers: int | None, store: Path, shares_files: bool = False, fabric: Fabric | None = None
    ) -> None:
        if fabric is None:
            from noughts.machine.ray_fabric import RayFabric

            fabric = RayFabric(address)
        self.shares_files = shares_files
        variables = {name: os.environ[name] for name in _CARRIED if name in os.environ}
        around = Surroundings(secrets.token_hex(6), str(Path.cwd()), str(store.absolute()), variables, shares_files)
        self._driver = Driver(fabric, around, workers)

    @property
    def nodes(self) -> tuple[NodeAtWork, ...]:
        """See `Executor`."""
        return self._driver.at_work()

    @property
    def said(self) -> str:
        """See `Executor`."""
        return self._driver.said

    def opened(self) -> contextlib.AbstractContextManager[None]:
        """See `Executor`."""
        return self._driver.opened()

    def run(
        self, jobs: Iterable[Job], notes_every: float | None = None, check: Callable[[], None] = lambda: None
    ) -> Generator[JobResult | Running, None, None]:
        """See `Executor`."""
        return self._driver.run(jobs, notes_every, check, whole=False)

    def alone(self) -> "RayCluster":
        """One job on each machine, which has all its cores."""
        return _Alone(self)


class _Alone(RayCluster):
    """The same machines, one job at a time on each."""

    def __init__(self, cluster: RayCluster) -> None:
        self.shares_files, self._driver = cluster.shares_files, cluster._driver

    def run(
        self, jobs: Iterable[Job], notes_every: float | None = None, check: Callable[[], None] = lambda: None
    ) -> Generator[JobResult | Running, None, None]:
        """See `Executor`."""
        return self._driver.run(jobs, notes_every, check, whole=True)
