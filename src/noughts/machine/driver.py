"""`Driver`: who does what on a cluster, seen from the process that asks. `cluster` says what holds."""

import contextlib
import itertools
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field

from noughts.machine.cluster_worker import NodeFacts, Reply, Surroundings, difference, facts_here
from noughts.machine.executor import NodeAtWork
from noughts.machine.fabric import ClusterNode, Fabric, Handle, Lost
from noughts.machine.jobs import Failed, Job, JobResult, Running
from noughts.machine.memory import in_words
from noughts.machine.pool import LARGEST_BATCH
from noughts.machine.sent_files import SentFiles, receive
from noughts.rules.errors import ComputeError

_LOOK_SECONDS = 0.05
_NODES_SECONDS = 1.0  # between two looks at which machines there are
_QUICK_SECONDS = 0.05  # a batch that took less may be larger the next time
_RATE_SECONDS = 10.0
_WORKER_BYTES = 512 << 20  # that a worker with a network's library takes, about
_DEATHS = 2  # workers on living machines that a job may end before it has failed
_STARTS = 3  # workers of a living machine that may end before they can work
_KEEP_SECONDS = 1.6  # for jobs to keep what they have done, and for that to come, when all is ended
_DOUBT_SECONDS = 10.0  # a machine that still lives so long after its worker ended had no part in that


@dataclass
class _ClusterSeat:
    """A worker, and what it is at."""

    node: ClusterNode
    ready: bool = False
    given: deque[Job] = field(default_factory=deque)
    files: list[tuple[str, str]] = field(default_factory=list)  # that go with them, by path and digest
    since: float = 0.0  # when they were given
    asked: bool = True  # whether its answer is awaited: it is asked one thing at a time
    batch: int = 1  # how many it is given next
    running: Running | None = None
    heeds_stop: bool = False  # whether its job keeps what it has done when it is told to stop

    @property
    def idle(self) -> bool:
        """Whether it waits for jobs."""
        return self.ready and not self.given and not self.asked


class _Node:
    """What is known of a machine."""

    def __init__(self, node: ClusterNode) -> None:
        self.node = node
        self.refused = ""
        self.facts: NodeFacts | None = None
        self.files: dict[str, str] = {}  # that are there: their digests
        self.done = 0
        self.false_starts: list[float] = []  # when workers ended before they could work
        self._seen: deque[tuple[float, int]] = deque([(time.monotonic(), 0)])

    def rate(self) -> float:
        """Jobs a second of late."""
        now = time.monotonic()
        if now - self._seen[-1][0] >= 1.0:
            self._seen.append((now, self.done))
        while len(self._seen) > 1 and self._seen[1][0] < now - _RATE_SECONDS:
            self._seen.popleft()
        then, before = self._seen[0]
        return (self.done - before) / (now - then) if now - then >= 1.0 else 0.0


class Driver:
    """The workers, the jobs that wait, and what is known of the machines.

    Args:
        fabric: The way to the machines.
        around: What each worker must find around it.
        most: How many workers at most; None for one on each core.
    """

    def __init__(self, fabric: Fabric, around: Surroundings, most: int | None) -> None:
        self._fabric, self._around, self._most = fabric, around, most
        self._depth = 0
        self._whole = False
        self._exact = False
        self._seats: dict[Handle, _ClusterSeat] = {}
        self._nodes: dict[str, _Node] = {}
        self._next_look = 0.0
        self._waiting: deque[Job] = deque()
        self._deaths: dict[str, list[tuple[float, str]]] = {}  # of workers that had one job: when, and on which machine
        self._sent = SentFiles(fabric.keep)
        self._lost: list[str] = []
        self._here: NodeFacts | None = None

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Connected; workers stay until the outermost one ends."""
        if self._depth == 0:
            self._fabric.connect()
            self._here = facts_here()
            self._look_at_nodes()
        self._depth += 1
        at_once = True
        try:
            yield
            at_once = False
        finally:
            self._depth -= 1
            if self._depth == 0:
                self._dismiss(list(self._seats), at_once)
                self._sent.clear()
                self._nodes.clear()
                self._fabric.forget_files()

    def run(
        self, jobs: Iterable[Job], notes_every: float | None, check: Callable[[], None], whole: bool
    ) -> Generator[JobResult | Running, None, None]:
        """Do all jobs; see `Executor.run`."""
        with self.opened():
            if whole != self._whole:  # where there is but one core, a worker has the whole machine in any case
                others = [worker for worker, seat in self._seats.items() if seat.node.cores > 1]
                self._dismiss(others, at_once=False)
            self._whole = whole
            self._waiting.clear()
            self._deaths.clear()
            try:
                yield from self._work(iter(jobs), notes_every, check)
            finally:  # who is at work for nobody is ended
                try:
                    self._let_keep()
                finally:
                    self._dismiss([worker for worker, seat in self._seats.items() if not seat.idle], at_once=True)

    def at_work(self) -> tuple[NodeAtWork, ...]:
        """The machines, for people."""
        found = []
        for known in self._nodes.values():
            seats = [seat for seat in self._seats.values() if seat.node.id == known.node.id]
            busy = sorted((seat for seat in seats if seat.given), key=lambda seat: seat.since)
            notes = [seat.running.note for seat in busy if seat.running is not None]
            found.append(
                NodeAtWork(
                    known.node.name,
                    known.node.cores,
                    len(busy),
                    known.done,
                    known.rate(),
                    known.refused or (notes[0].partition("\n")[0] if notes else ""),
                )
            )
        return tuple(found)

    @property
    def said(self) -> str:
        """What people should know now."""
        lost = [f"lost: {', '.join(self._lost[-3:])}"] if self._lost else []
        waits = bool(self._waiting) and not any(seat.ready for seat in self._seats.values())
        what = "waiting for workers to start" if self._nodes else "no machine of the cluster lends a core yet"
        return "; ".join([*lost, *([what] if waits else [])])

    def _work(
        self, jobs: Iterator[Job], notes_every: float | None, check: Callable[[], None]
    ) -> Generator[JobResult | Running, None, None]:
        next_news = time.monotonic() + (notes_every or 0.0)
        told: dict[str, Running] = {}
        while True:
            check()
            if time.monotonic() >= self._next_look:
                yield from self._look_at_nodes()
            self._hand_out(jobs)
            if not self._waiting and not any(seat.given for seat in self._seats.values()):
                return
            for worker, answer in self._fabric.answers(_LOOK_SECONDS):
                if worker in self._seats:
                    yield from self._hear(worker, answer)
            now = time.monotonic()
            if notes_every is not None and now >= next_news:
                next_news = now + notes_every
                running = {said.key: said for seat in self._seats.values() if (said := seat.running) is not None}
                yield from [said for key, said in running.items() if told.get(key) != said]
                told = running

    def _hand_out(self, jobs: Iterator[Job]) -> None:
        """Give jobs to all workers that wait, and start workers while there are jobs for them."""
        for worker, seat in self._seats.items():
            if seat.idle and not self._nodes[seat.node.id].refused:
                if not self._jobs_wait(jobs, seat.batch):
                    break
                self._give(worker, seat, self._batch(seat.batch))
        starting = sum(not seat.ready for seat in self._seats.values())
        while (self._most is None or len(self._seats) < self._most) and self._jobs_wait(jobs, starting + 1) > starting:
            node = self._free_node()
            if node is None:
                break
            cores = node.cores if self._whole else 1
            self._seats[self._fabric.start(node, cores, self._around)] = _ClusterSeat(node)
            starting += 1

    def _jobs_wait(self, jobs: Iterator[Job], wanted: int) -> int:
        """Take jobs until `wanted` wait, if there are so many; gives how many do."""
        self._waiting.extend(itertools.islice(jobs, max(0, wanted - len(self._waiting))))
        return len(self._waiting)

    def _batch(self, most: int) -> list[Job]:
        """Jobs that may go together: they run the same code, none fills a folder, and none has ended a worker before."""
        first = self._waiting.popleft()
        batch = [first]
        if self._is_single(first):
            return batch
        while len(batch) < most and self._waiting:
            job = self._waiting[0]
            if job.outsiders != first.outsiders or self._is_single(job):
                break
            batch.append(self._waiting.popleft())
        return batch

    def _is_single(self, job: Job) -> bool:
        return bool(job.baggage.makes) or job.key in self._deaths

    def _give(self, worker: Handle, seat: _ClusterSeat, batch: list[Job]) -> None:
        if any(job.baggage.exact for job in batch) and not self._exact:
            self._exact = True  # from now on for all
            self._refuse_who_computes_otherwise()
        files = [] if self._around.shares_files else self._sent.for_jobs(batch)
        there = self._nodes[seat.node.id].files
        new = [file for file in files if there.get(file.path) != file.digest]
        seat.given.extend(batch)
        seat.files = [(file.path, file.digest) for file in new]
        seat.since = time.monotonic()
        seat.asked = True
        self._fabric.take(worker, new, batch)

    def _free_node(self) -> ClusterNode | None:
        """The machine with the largest share of free cores, if one has a core for another worker."""
        each: dict[str, int] = {}
        for seat in self._seats.values():
            each[seat.node.id] = each.get(seat.node.id, 0) + 1
        found = [
            (each.get(known.node.id, 0) / room, known.node)
            for known in self._nodes.values()
            if not known.refused and (room := 1 if self._whole else known.node.cores) > each.get(known.node.id, 0)
        ]
        return min(found, key=lambda pair: pair[0])[1] if found else None

    def _hear(self, worker: Handle, answer: NodeFacts | Reply | Lost) -> Iterator[JobResult]:
        """What a worker says; gives results."""
        seat = self._seats[worker]
        seat.asked = False
        known = self._nodes[seat.node.id]
        if isinstance(answer, Lost):
            yield from self._bury(worker, answer.reason)
            if answer.is_unable:
                self._refuse(known, answer.reason)
            elif not seat.ready:
                self._count_false_start(known, answer.reason)
            return
        if isinstance(answer, NodeFacts):
            self._judge(known, answer)
            if known.refused:
                self._dismiss([worker], at_once=True)
            seat.ready = True
            return
        if answer.problem:
            raise ComputeError(f"node {seat.node.name}: {answer.problem}")
        known.files.update(seat.files)
        for job in seat.given:
            receive(job, answer)
        over = {result.key for result in answer.results}
        left = [job for job in seat.given if job.key in answer.left]
        known.done += len(over)
        seat.running = answer.running if answer.busy else None
        seat.heeds_stop = answer.busy and answer.heeds_stop
        seat.given = deque(job for job in seat.given if job.key not in over and job.key not in answer.left)
        self._waiting.extendleft(reversed(left))
        if answer.busy:
            seat.asked = True
            self._fabric.more(worker)
        elif left:
            seat.batch = max(1, len(over))
        elif time.monotonic() - seat.since < _QUICK_SECONDS:
            seat.batch = min(LARGEST_BATCH, seat.batch * 2)
        if not answer.busy and seat.given:  # it neither did them nor handed them back
            self._waiting.extendleft(reversed(seat.given))
            seat.given.clear()
        yield from answer.results

    def _bury(self, worker: Handle, reason: str) -> Iterator[JobResult]:
        """Give a worker up: its jobs wait again, save one that has ended too many workers whose machines live on."""
        seat, now = self._seats.pop(worker), time.monotonic()
        self._fabric.let_go([worker], at_once=True)
        back = []
        for job in seat.given:
            deaths = self._deaths.setdefault(job.key, [])
            if len(seat.given) == 1:
                deaths.append((now, seat.node.id))
            blamed = [when for when, node in deaths if node in self._nodes and when < now - _DOUBT_SECONDS]
            if len(blamed) >= _DEATHS:
                note = seat.running.note if seat.running is not None and seat.running.key == job.key else ""
                yield Failed(
                    job.key, "died", f"the worker on {seat.node.name} ended while it was at it: {reason}", note
                )
            else:
                back.append(job)
        self._waiting.extendleft(reversed(back))

    def _count_false_start(self, known: _Node, reason: str) -> None:
        """Refuse a machine that lives, and on which no worker comes up."""
        now = time.monotonic()
        known.false_starts.append(now)
        if len(known.false_starts) >= _STARTS and now - known.false_starts[0] > _DOUBT_SECONDS:
            self._refuse(known, f"no worker can be started there: {reason}")

    def _look_at_nodes(self) -> Iterator[JobResult]:
        """Which machines there are now; the jobs of those that are gone wait again."""
        self._next_look = time.monotonic() + _NODES_SECONDS
        lives = {node.id: node for node in self._fabric.nodes()}
        for node in lives.values():
            if node.id not in self._nodes:
                self._nodes[node.id] = _Node(node)
        lost = [known for key, known in self._nodes.items() if key not in lives]
        results: list[JobResult] = []
        for known in lost:
            self._lost.append(known.node.name)
            for worker in [worker for worker, seat in self._seats.items() if seat.node.id == known.node.id]:
                results += self._bury(worker, "its machine is gone")
            del self._nodes[known.node.id]
        return iter(results)

    def _judge(self, known: _Node, facts: NodeFacts) -> None:
        """Refuse a machine that would answer otherwise, or cannot work."""
        assert self._here is not None
        known.facts = facts
        if problem := difference(facts, self._here, self._exact):
            self._refuse(known, problem)
        elif facts.free_bytes < _WORKER_BYTES:
            self._refuse(
                known,
                f"it has {in_words(facts.free_bytes)} of memory free, and a worker needs {in_words(_WORKER_BYTES)}",
            )

    def _refuse_who_computes_otherwise(self) -> None:
        for known in self._nodes.values():
            if known.facts is not None and not known.refused:
                self._judge(known, known.facts)

    def _refuse(self, known: _Node, problem: str) -> None:
        """Give no work to a machine; ComputeError if no other is left."""
        known.refused = problem
        if all(other.refused for other in self._nodes.values()):
            raise ComputeError(f"node {known.node.name} cannot be used: {problem}")

    def _let_keep(self) -> None:
        """Have jobs keep what they have done, and receive it, as far as that is possible in a moment."""
        until = time.monotonic() + _KEEP_SECONDS
        waited = {worker: seat for worker, seat in self._seats.items() if seat.heeds_stop and seat.given}
        for worker in waited:
            self._fabric.stop(worker)
        while waited and time.monotonic() < until:
            for worker, answer in self._fabric.answers(_LOOK_SECONDS):
                if worker not in waited:
                    continue
                seat = waited[worker]
                if not isinstance(answer, Reply) or answer.problem or answer.has_kept or not answer.busy:
                    del waited[worker]
                else:
                    self._fabric.more(worker)
                if isinstance(answer, Reply):
                    with contextlib.suppress(ComputeError):  # why all ends says more
                        for job in seat.given:
                            receive(job, answer)

    def _dismiss(self, workers: list[Handle], at_once: bool) -> None:
        self._fabric.let_go(workers, at_once)
        for worker in workers:
            del self._seats[worker]
