"""`JobQueue`: jobs that wait for a worker, and how many of them go together: the same for a pool and for a cluster."""

import itertools
from collections import deque
from collections.abc import Iterable

from noughts.machine.jobs import Job

LARGEST_BATCH = 64
"""Jobs that a worker is given at once, at most."""


class JobQueue:
    """Jobs, taken from their source only as they are needed, and given out in batches that grow while jobs are quick.

    Args:
        jobs: The source.
        largest_batch: Jobs that are given out together, at most.
    """

    def __init__(self, jobs: Iterable[Job] = (), largest_batch: int = LARGEST_BATCH) -> None:
        self._source = iter(jobs)
        self._largest_batch = largest_batch
        self._waiting: deque[Job] = deque()
        self.batch_size = 1

    def __bool__(self) -> bool:
        """Whether any job is known to wait; the source is not asked."""
        return bool(self._waiting)

    def extend(self, jobs: Iterable[Job]) -> None:
        """Take jobs from another source, when the one before is used up."""
        self._source = iter(jobs)

    def waiting(self, wanted: int) -> int:
        """How many jobs wait; the source is asked until `wanted` do, or it is used up."""
        self._waiting.extend(itertools.islice(self._source, max(0, wanted - len(self._waiting))))
        return len(self._waiting)

    @property
    def outsiders(self) -> str:
        """The code from outside that the next batch runs; one must wait."""
        return self._waiting[0].outsiders

    def batch(self) -> list[Job]:
        """The next jobs, which all run the same code from outside; one must wait. A job that fills a folder goes alone."""
        self.waiting(self.batch_size)
        batch = [self._waiting.popleft()]
        while len(batch) < self.batch_size and self._waiting:
            following = self._waiting[0]
            if following.outsiders != batch[0].outsiders or following.folder or batch[0].folder:
                break
            batch.append(self._waiting.popleft())
        return batch

    def add(self, job: Job) -> None:
        """Take one more job, after all others that wait."""
        self._waiting.append(job)

    def remove(self, key: str) -> bool:
        """Remove the job of a key; whether one waited."""
        job = next((job for job in self._waiting if job.key == key), None)
        if job is not None:
            self._waiting.remove(job)
        return job is not None

    def put_back(self, jobs: Iterable[Job]) -> None:
        """Jobs that were given out and not done go before all others."""
        self._waiting.extendleft(reversed(list(jobs)))

    def grow(self) -> None:
        """A batch was done quickly: larger ones may follow."""
        self.batch_size = min(self._largest_batch, self.batch_size * 2)

    def shrink(self) -> None:
        """A job took long: from now on jobs are given out singly, so that none waits behind a long one."""
        self.batch_size = 1
