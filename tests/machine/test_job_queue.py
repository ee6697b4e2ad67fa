"""Waiting jobs: taken as needed, given out in growing batches, and put back in their order."""

from collections.abc import Iterator

from noughts.machine import Job
from noughts.machine.job_queue import LARGEST_BATCH, JobQueue


def jobs(count: int, outsiders: str = "", folder: str = "") -> list[Job]:
    return [Job(f"{outsiders}{folder}{number}", "m:f", "", outsiders, folder=folder) for number in range(count)]


def test_only_as_many_jobs_as_needed_are_taken() -> None:
    taken = 0

    def endless() -> Iterator[Job]:
        nonlocal taken
        for taken in range(1, 1000):
            yield Job(str(taken), "m:f", "")

    queue = JobQueue(endless())
    assert not queue
    assert queue.waiting(3) == 3
    assert len(queue.batch()) == 1
    assert taken == 3


def test_batches_grow_and_shrink() -> None:
    queue = JobQueue(jobs(1000))
    sizes = []
    for _ in range(9):
        queue.waiting(1)
        sizes.append(len(queue.batch()))
        queue.grow()
    assert sizes == [1, 2, 4, 8, 16, 32, 64, LARGEST_BATCH, LARGEST_BATCH]
    queue.shrink()
    assert len(queue.batch()) == 1


def test_jobs_share_a_batch_only_with_equal_code_and_without_a_folder() -> None:
    queue = JobQueue([*jobs(3), *jobs(2, "guest"), *jobs(2, folder="/run"), *jobs(2)])
    queue.batch_size = 8
    found = []
    while queue.waiting(1):
        found.append([job.key for job in queue.batch()])
    assert found == [["0", "1", "2"], ["guest0", "guest1"], ["/run0"], ["/run1"], ["0", "1"]]


def test_returned_jobs_go_first() -> None:
    queue = JobQueue(jobs(5))
    queue.batch_size = 3
    queue.waiting(1)
    batch = queue.batch()
    queue.put_back(batch[1:])
    assert [job.key for job in queue.batch()] == ["1", "2", "3"]
