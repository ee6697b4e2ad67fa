"""A `Fabric` without machines: its workers are pretended, in this process, so that the driver can be tested and measured alone.

Nothing waits: time passes only as jobs take it, which are said to be done at once, or never where a test wants that.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence

from noughts.machine.brought import BroughtFile
from noughts.machine.cluster_worker import NodeFacts, Reply, SentFile, Surroundings, facts_here
from noughts.machine.fabric import Answer, ClusterNode, Handle, Lost
from noughts.machine.jobs import Done, Job


class PretendedFabric:
    """Machines that do every job at once, unless they are told otherwise.

    Args:
        count: How many machines.
        cores: Of each.
        do: What a worker answers to a batch; by default all its jobs are done, and their value is the argument.

    Attributes:
        begun: How often each job was given to a worker, by key.
        given: The keys of every batch, in order.
        sent: Paths of the files that went along, by machine.
        ended: Workers that were let go.
    """

    def __init__(
        self, count: int = 2, cores: int = 1, do: Callable[["PretendedFabric", str, list[Job]], Answer] | None = None
    ) -> None:
        self._nodes = {f"n{number}": ClusterNode(f"n{number}", f"node-{number}", cores) for number in range(count)}
        self._do = do or (lambda _fabric, _worker, jobs: Reply(tuple(Done(job.key, job.argument) for job in jobs)))
        self._answers: deque[tuple[Handle, Answer]] = deque()
        self._number = 0
        self.facts: dict[str, NodeFacts] = {}
        self.node_of: dict[Handle, str] = {}
        self.cores_of: dict[Handle, int] = {}
        self.begun: dict[str, int] = {}
        self.given: list[list[str]] = []
        self.sent: dict[str, list[str]] = {}
        self.kept: dict[str, bytes] = {}
        self.ended: list[Handle] = []
        self._here = facts_here()

    def connect(self) -> None:
        """It is there."""

    def nodes(self) -> Sequence[ClusterNode]:
        """Those that were not killed."""
        return list(self._nodes.values())

    def add(self, name: str, cores: int = 1) -> None:
        """Another machine."""
        self._nodes[name] = ClusterNode(name, name, cores)

    def kill(self, node: str) -> None:
        """A machine is gone, with its workers: they answer no more, or that they are lost."""
        del self._nodes[node]

    def start(self, node: ClusterNode, cores: int, around: Surroundings) -> Handle:
        """A worker, at once."""
        self._number += 1
        worker = f"w{self._number}"
        self.node_of[worker], self.cores_of[worker] = node.id, cores
        self._answers.append((worker, self.facts.get(node.id, self._here)))
        return worker

    def take(self, worker: Handle, files: list[SentFile], jobs: list[Job]) -> None:
        """It answers, as `do` says."""
        self.given.append([job.key for job in jobs])
        self.sent.setdefault(self.node_of[worker], []).extend(file.path for file in files)
        for job in jobs:
            self.begun[job.key] = self.begun.get(job.key, 0) + 1
        self._answers.append((worker, self._do(self, worker, jobs)))

    def more(self, worker: Handle) -> None:
        """A busy worker is asked again; it is never done."""

    def stop(self, worker: Handle) -> None:
        """It has nothing to keep."""

    def say(self, worker: Handle, answer: Answer) -> None:
        """A worker says something more."""
        self._answers.append((worker, answer))

    def answers(self, seconds: float) -> list[tuple[Handle, Answer]]:
        """All that was said."""
        if not self._answers:
            time.sleep(min(seconds, 0.001))
        found = [said for said in self._answers if said[0] not in self.ended]
        self._answers.clear()
        return [
            (worker, answer if self.node_of[worker] in self._nodes else Lost("its node died"))
            for worker, answer in found
        ]

    def keep(self, file: BroughtFile) -> object:
        """In this process."""
        self.kept[file.path] = file.content
        return file.path

    def let_go(self, workers: Sequence[Handle], at_once: bool) -> None:
        """They are gone."""
        self.ended.extend(workers)

    def forget_files(self) -> None:
        """None is left."""
        self.kept.clear()
