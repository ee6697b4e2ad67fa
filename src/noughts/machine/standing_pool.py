"""`StandingPool`: a pool that stays open for later jobs, in its own thread; each job can be cancelled."""

import contextlib
import multiprocessing
import threading
from collections import deque
from collections.abc import Callable, Iterable

from noughts.machine.jobs import Failed, Job, JobResult, Recorder, Running
from noughts.machine.pool import Pool
from noughts.rules.errors import ComputeError

Receive = Callable[[JobResult | Running], None]


class StandingPool:
    """A pool whose jobs are submitted one by one, from any thread.

    Args:
        size: The largest number of workers.
        receive: Called from the pool's thread with each step (`Running`) and each result; it must be quick and not raise.
        prepare: See `Pool`.
        warm: See `Pool`.
    """

    def __init__(self, size: int, receive: Receive, prepare: str = "", warm: int = 0) -> None:
        self.size = size
        self._receive, self._prepare, self._warm = receive, prepare, warm
        self._news, self._wake = multiprocessing.Pipe(duplex=False)
        self._orders: deque[Callable[[Pool], None]] = deque()
        self._open: set[str] = set()  # the keys of jobs whose result has not come
        self._closing = False
        self._pool: Pool | None = None
        self._thread = threading.Thread(target=self._run, name="noughts-pool", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Submit a job; no other open job may have its key."""
        self._open.add(job.key)
        self._order(lambda pool: pool.add(job))

    def cancel(self, key: str) -> None:
        """See `Pool.cancel`."""
        self._order(lambda pool: pool.cancel(key))

    @property
    def process_ids(self) -> tuple[int, ...]:
        """The process ids of the workers."""
        return () if self._pool is None else self._pool.process_ids

    def close(self) -> None:
        """End all workers at once; open jobs get no result. Closing twice is allowed."""
        if self._closing:
            return
        self._closing = True
        self._order(lambda pool: None)
        self._thread.join()
        self._news.close()
        self._wake.close()

    def _order(self, order: Callable[[Pool], None]) -> None:
        self._orders.append(order)
        self._wake.send_bytes(b"")

    def _run(self) -> None:
        while not self._closing:
            pool = Pool(self.size, largest_batch=1, prepare=self._prepare, warm=self._warm)
            self._pool = pool
            try:
                self._serve(pool)
            except ComputeError as error:  # workers cannot be started, or die before they begin
                for key in list(self._open):
                    self._deliver(Failed(key, "died", str(error), ""))
                self._warm = 0  # start none before there is a job
            finally:
                pool.close()

    def _serve(self, pool: Pool) -> None:
        while not self._closing:
            while self._news.poll():
                self._news.recv_bytes()
                self._orders.popleft()(pool)
            if self._closing:
                return
            pool.turn(self._news)
            while pool.events:
                self._deliver(pool.events.popleft())

    def _deliver(self, found: JobResult | Running) -> None:
        if not isinstance(found, Running):
            self._open.discard(found.key)
        with contextlib.suppress(RuntimeError):  # the event loop that receives it is closed
            self._receive(found)


def send_steps(steps: Iterable[str], recorder: Recorder) -> None:
    """In a worker: send each step as it is computed, until the job is cancelled."""
    for text in steps:
        recorder.send_step(text)
        if recorder.told_to_stop:
            return
