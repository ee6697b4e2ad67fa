"""A `Fabric` whose workers are real ones, each in a process of its own on this machine, and need no Ray: it starts in a second.

It shares no files with who asks, as machines of a cluster do not. Nodes can be killed.
"""

import contextlib
import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from noughts.machine.brought import BroughtFile
from noughts.machine.cluster_worker import ClusterWorker, SentFile, Surroundings
from noughts.machine.fabric import Answer, ClusterNode, Handle, Lost
from noughts.machine.jobs import Job


def serve(asked: "Connection[Any, Any]", told: "Connection[Any, Any]", around: Surroundings, node: str) -> None:
    """A worker's process: what is asked is answered in turn; what is told is done meanwhile."""
    worker = ClusterWorker(around, node, _same)

    def hear() -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                getattr(worker, told.recv())()
                told.send(None)

    threading.Thread(target=hear, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            name, *arguments = asked.recv()
            asked.send(getattr(worker, name)(*arguments))
    worker.leave()


def _same(content: object) -> bytes:
    """What stands for a file's content is the content."""
    assert isinstance(content, bytes)
    return content


class _Worker:
    def __init__(self, around: Surroundings, node: str) -> None:
        self.node = node
        context = multiprocessing.get_context("spawn")
        self.asked, asked = context.Pipe()
        self.told, told = context.Pipe()
        # No daemon, as it has a worker process of its own.
        self.process = context.Process(target=serve, args=(asked, told, around, node))
        self.process.start()
        asked.close()
        told.close()


class ProcessFabric:
    """Nodes of one core.

    Args:
        count: How many.

    Attributes:
        sent: Paths of the files that went along, in order.
        begun: The keys of jobs that were given, in order, with the node.
    """

    def __init__(self, count: int = 1) -> None:
        self._nodes = {f"n{number}": ClusterNode(f"n{number}", f"node-{number}", 1) for number in range(count)}
        self._workers: dict[Handle, _Worker] = {}
        self._answers: deque[tuple[Handle, Answer]] = deque()
        self._waiting: set[Handle] = set()
        self._number = 0
        self.sent: list[str] = []
        self.begun: list[tuple[str, str]] = []

    def connect(self) -> None:
        """It is there."""

    def nodes(self) -> Sequence[ClusterNode]:
        """Those that live."""
        return list(self._nodes.values())

    def kill(self, node: str, instead: str | None = None) -> None:
        """A machine is gone, with its workers; another may come in its place."""
        del self._nodes[node]
        for worker in self._workers.values():
            if worker.node == node:
                worker.process.kill()
        if instead is not None:
            self._nodes[instead] = ClusterNode(instead, instead, 1)

    def start(self, node: ClusterNode, cores: int, around: Surroundings) -> Handle:
        """See `Fabric`."""
        self._number += 1
        worker = f"w{self._number}"
        self._workers[worker] = _Worker(around, node.id)
        self._ask(worker, "facts")
        return worker

    def take(self, worker: Handle, files: list[SentFile], jobs: list[Job]) -> None:
        """See `Fabric`."""
        self.sent += [file.path for file in files]
        self.begun += [(job.key, self._workers[worker].node) for job in jobs]
        self._ask(worker, "take", files, jobs)

    def more(self, worker: Handle) -> None:
        """See `Fabric`."""
        self._ask(worker, "more")

    def stop(self, worker: Handle) -> None:
        """See `Fabric`."""
        with contextlib.suppress(OSError):
            self._workers[worker].told.send("stop")

    def answers(self, seconds: float) -> list[tuple[Handle, Answer]]:
        """See `Fabric`."""
        if not self._waiting:
            time.sleep(seconds)
        by_end: dict[object, Handle] = {self._workers[worker].asked: worker for worker in self._waiting}
        for end in wait([self._workers[worker].asked for worker in self._waiting], seconds):
            worker = by_end[end]
            self._waiting.discard(worker)
            try:
                self._answers.append((worker, self._workers[worker].asked.recv()))
            except (EOFError, OSError):
                self._answers.append((worker, Lost("its process ended")))
        found = list(self._answers)
        self._answers.clear()
        return found

    def keep(self, file: BroughtFile) -> object:
        """The content itself."""
        return file.content

    def let_go(self, workers: Sequence[Handle], at_once: bool) -> None:
        """See `Fabric`."""
        for name in workers:
            worker = self._workers.pop(name)
            self._waiting.discard(name)
            if not at_once:
                with contextlib.suppress(OSError, EOFError):
                    worker.told.send("leave")
                    if worker.told.poll(2):
                        worker.told.recv()
            worker.process.kill()
            worker.process.join()
            worker.asked.close()
            worker.told.close()

    def forget_files(self) -> None:
        """None is kept here."""

    def _ask(self, worker: Handle, *words: Any) -> None:
        self._waiting.add(worker)
        with contextlib.suppress(OSError):  # it has died, which is found when its answer is waited for
            self._workers[worker].asked.send(words)
