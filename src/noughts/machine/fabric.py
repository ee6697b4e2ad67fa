"""`Fabric`: what the driver of a cluster needs of the library that connects the machines, and no more.

Ray is one (`ray_fabric`). Tests and the simulation of a thousand workers have another, which keeps everything in one process.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from noughts.machine.brought import BroughtFile
from noughts.machine.cluster_worker import NodeFacts, Reply, SentFile, Surroundings
from noughts.machine.jobs import Job


@dataclass(frozen=True)
class ClusterNode:
    """A machine that lives.

    Attributes:
        id: What the cluster calls it.
        name: What people call it.
        cores: How many it lends.
    """

    id: str
    name: str
    cores: int


@dataclass(frozen=True)
class Lost:
    """A worker that will answer no more: its process ended, or its machine did.

    Attributes:
        reason: In words.
        is_unable: Whether no other worker of its machine would do better: noughts is not there, for instance.
    """

    reason: str
    is_unable: bool = False


Answer = NodeFacts | Reply | Lost
Handle = Any
"""A worker, as the fabric knows it; it can be a key."""


class Fabric(Protocol):
    """The machines, and a way to their workers."""

    def connect(self) -> None:
        """Find the cluster, or start one.

        Raises:
            ComputeError: that is not possible, in one line, within ten seconds.
        """
        ...

    def nodes(self) -> Sequence[ClusterNode]:
        """The machines that live, and lend cores."""
        ...

    def start(self, node: ClusterNode, cores: int, around: Surroundings) -> Handle:
        """Start a worker on a machine, when so many of its cores are free there; it is asked for its facts."""
        ...

    def take(self, worker: Handle, files: list[SentFile], jobs: list[Job]) -> None:
        """Give it jobs; see `ClusterWorker.take`."""
        ...

    def more(self, worker: Handle) -> None:
        """Ask it what has happened since."""
        ...

    def stop(self, worker: Handle) -> None:
        """Have its job keep what it has done, without an answer; see `ClusterWorker.stop`."""
        ...

    def answers(self, seconds: float) -> list[tuple[Handle, Answer]]:
        """What workers have answered; waits so long for the first of these."""
        ...

    def keep(self, file: BroughtFile) -> object:
        """Keep a file's content where every machine can fetch it, once; gives what stands for it."""
        ...

    def let_go(self, workers: Sequence[Handle], at_once: bool) -> None:
        """End workers; those that have time leave nothing behind."""
        ...

    def forget_files(self) -> None:
        """What `keep` has kept is needed no longer."""
        ...
