"""A standing pool passes on steps as they arrive, cancels jobs, and survives its workers."""

import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from noughts.machine.jobs import Done, Failed, Job, JobResult, Running
from noughts.machine.standing_pool import StandingPool

HERE = "tests.machine.functions:"


class Heard:
    """Collects the results of a pool; tests can wait for them."""

    def __init__(self) -> None:
        self.found: list[JobResult | Running] = []
        self._news = threading.Condition()

    def __call__(self, found: JobResult | Running) -> None:
        with self._news:
            self.found.append(found)
            self._news.notify_all()

    def of(self, key: str, steps: int = 0, seconds: float = 60) -> list[JobResult | Running]:
        """The results of a job, once it has this many steps or its final result."""

        def mine() -> list[JobResult | Running]:
            return [found for found in self.found if found.key == key]

        with self._news:
            assert self._news.wait_for(
                lambda: len(mine()) >= steps > 0 or any(not isinstance(found, Running) for found in mine()), seconds
            )
            return mine()


@pytest.fixture(scope="module")
def heard() -> Heard:
    return Heard()


@pytest.fixture(scope="module")
def pool(heard: Heard) -> Iterator[StandingPool]:
    found = StandingPool(2, heard, HERE + "prepare", warm=1)
    yield found
    found.close()


def submit(pool: StandingPool, key: str, function: str, argument: str = "", seconds: float | None = None) -> None:
    pool.submit(Job(key, HERE + function, argument, seconds=seconds))


def test_steps_arrive_in_order_before_the_result(pool: StandingPool, heard: Heard) -> None:
    submit(pool, "a", "echo", "a b\nc \u00e9")
    assert heard.of("a") == [
        Running("a", "a b\nc \u00e9"),
        Running("a", "a b\nc \u00e9 True"),
        Done("a", "A B\nC \u00c9"),
    ]
    submit(pool, "b", "large")
    step, _ = heard.of("b")
    assert isinstance(step, Running)
    assert len(step.note) == 1_000_000


def test_the_pool_survives_anything_a_job_does(pool: StandingPool, heard: Heard) -> None:
    submit(pool, "dies", "die", "exit")
    assert heard.of("dies")[-1] == Failed("dies", "died", "its process ended with exit code 3", "dying by exit")
    submit(pool, "next", "echo", "next")
    assert heard.of("next")[-1] == Done("next", "NEXT")


def test_a_cancelled_job_returns_early_if_it_can(pool: StandingPool, heard: Heard) -> None:
    submit(pool, "count", "count")
    heard.of("count", steps=3)
    begun = time.monotonic()
    pool.cancel("count")
    assert heard.of("count")[-1] == Done("count", "heard")
    assert time.monotonic() - begun < 1
    pool.cancel("count")  # without effect
    submit(pool, "after", "count")  # the next job of that worker is not cancelled
    assert len(heard.of("after", steps=20)) >= 20
    pool.cancel("after")
    heard.of("after")


def test_a_job_that_ignores_cancellation_is_killed_and_frees_its_worker(pool: StandingPool, heard: Heard) -> None:
    submit(pool, "deaf", "deaf")
    (step, *_) = heard.of("deaf", steps=1)
    assert isinstance(step, Running)
    process = psutil.Process(int(step.note))
    pool.cancel("deaf")
    end = heard.of("deaf", seconds=5)[-1]
    assert isinstance(end, Failed)
    assert (end.reason, end.message) == ("cancelled", "it went on after it was cancelled")
    assert not process.is_running()


def test_a_waiting_job_is_cancelled_before_it_begins(pool: StandingPool, heard: Heard) -> None:
    for key in ("one", "two"):
        submit(pool, key, "count")
    for key in ("one", "two"):
        heard.of(key, steps=1)
    assert len(pool.process_ids) == 2
    submit(pool, "third", "echo", "x")
    pool.cancel("third")
    assert heard.of("third") == [Failed("third", "cancelled", "it was cancelled before it began", "")]
    for key in ("one", "two"):
        pool.cancel(key)
        heard.of(key)


@pytest.mark.heavy
def test_workers_that_do_not_start_fail_their_jobs_in_one_line() -> None:
    heard = Heard()
    pool = StandingPool(1, heard, HERE + "leave_at_once")
    submit(pool, "a", "echo")
    (end,) = heard.of("a")
    assert isinstance(end, Failed)
    assert end.reason == "died"
    assert "worker processes die before they begin a job" in end.message
    pool.close()
