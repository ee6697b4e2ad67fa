"""`JobQueue`: the jobs that wait for a worker, and the size of their batches; for a local pool and for a cluster."""

import itertools
from collections import deque
from collections.abc import Iterable

from noughts.machine.jobs import Job

LARGEST_BATCH = 64
"""The most jobs that a worker gets at once."""


class JobQueue:
    """A queue of jobs, taken from their source only as needed and handed out in batches, which grow while jobs are quick.

    Args:
        jobs: The source.
        largest_batch: The most jobs in one batch.
    """

    def __init__(self, jobs: Iterable[Job] = (), largest_batch: int = LARGEST_BATCH) -> None:
        self._source = iter(jobs)
        self._largest_batch = largest_batch
        self._waiting: deque[Job] = deque()
        self.batch_size = 1

    def __bool__(self) -> bool:
        """Whether a job is in the queue; the source is not consulted."""
        return bool(self._waiting)

    def extend(self, jobs: Iterable[Job]) -> None:
        """Replace the source, which must be used up."""
        self._source = iter(jobs)

    def waiting(self, wanted: int) -> int:
        """The number of waiting jobs, after taking jobs from the source until `wanted` wait or it is used up."""
        self._waiting.extend(itertools.islice(self._source, max(0, wanted - len(self._waiting))))
        return len(self._waiting)

    @property
    def outsiders(self) -> str:
        """The third-party code that the next batch runs; the queue must not be empty."""
        return self._waiting[0].outsiders

    def batch(self) -> list[Job]:
        """Take the next jobs with equal third-party code; the queue must not be empty. A job with a folder goes alone."""
        self.waiting(self.batch_size)
        batch = [self._waiting.popleft()]
        while len(batch) < self.batch_size and self._waiting:
            following = self._waiting[0]
            if following.outsiders != batch[0].outsiders or following.folder or batch[0].folder:
                break
            batch.append(self._waiting.popleft())
        return batch

    def add(self, job: Job) -> None:
        """Add a job at the end."""
        self._waiting.append(job)

    def remove(self, key: str) -> bool:
        """Remove the job with a key; return whether it was waiting."""
        job = next((job for job in self._waiting if job.key == key), None)
        if job is not None:
            self._waiting.remove(job)
        return job is not None

    def put_back(self, jobs: Iterable[Job]) -> None:
        """Put jobs that were handed out but not done back at the front."""
        self._waiting.extendleft(reversed(list(jobs)))

    def grow(self) -> None:
        """Double the size of batches, after a batch that was done quickly."""
        self.batch_size = min(self._largest_batch, self.batch_size * 2)

    def shrink(self) -> None:
        """Hand out single jobs from now on, after a slow job, so that no job waits behind a slow one."""
        self.batch_size = 1
