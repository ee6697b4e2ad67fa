"""A pool that stays passes on steps as they come, cancels what it is asked to, and outlives whatever its workers do."""

import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from noughts.machine.jobs import Done, Failed, Job, JobResult, Running
from noughts.machine.standing_pool import StandingPool
from tests.messages import without_place

HERE = "tests.machine.functions:"


class Heard:
    """What came out of a pool, which can be waited for."""

    def __init__(self) -> None:
        self.found: list[JobResult | Running] = []
        self._news = threading.Condition()

    def __call__(self, found: JobResult | Running) -> None:
        with self._news:
            self.found.append(found)
            self._news.notify_all()

    def of(self, key: str, steps: int = 0, seconds: float = 60) -> list[JobResult | Running]:
        """What came of a job, when there are so many steps, or its result."""

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


def test_steps_come_in_order_and_then_the_result(pool: StandingPool, heard: Heard) -> None:
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


@pytest.mark.parametrize(
    ("function", "argument", "reason", "message"),
    [
        ("raising", "it", "raised", "ValueError: two lines about it"),
        ("die", "exit", "died", "its process ended with exit code 3"),
    ],
)
def test_whatever_a_job_does_the_pool_goes_on(
    pool: StandingPool, heard: Heard, function: str, argument: str, reason: str, message: str
) -> None:
    submit(pool, function, function, argument)
    end = heard.of(function)[-1]
    assert isinstance(end, Failed)
    assert (end.reason, without_place(end.message)) == (reason, message)
    submit(pool, f"after {function}", "echo", "next")
    assert heard.of(f"after {function}")[-1] == Done(f"after {function}", "NEXT")


def test_a_cancelled_job_returns_where_it_can(pool: StandingPool, heard: Heard) -> None:
    submit(pool, "count", "count")
    heard.of("count", steps=3)
    begun = time.monotonic()
    pool.cancel("count")
    assert heard.of("count")[-1] == Done("count", "heard")
    assert time.monotonic() - begun < 1
    pool.cancel("count")  # again, for nothing
    submit(pool, "after", "count")  # the next job of that worker is not told so
    assert len(heard.of("after", steps=20)) >= 20
    pool.cancel("after")
    heard.of("after")


def test_a_job_that_does_not_listen_is_ended_and_its_processor_is_free(pool: StandingPool, heard: Heard) -> None:
    submit(pool, "deaf", "deaf")
    (step, *_) = heard.of("deaf", steps=1)
    assert isinstance(step, Running)
    process = psutil.Process(int(step.note))
    pool.cancel("deaf")
    end = heard.of("deaf", seconds=5)[-1]
    assert isinstance(end, Failed)
    assert (end.reason, end.message) == ("cancelled", "it went on after it was cancelled")
    assert not process.is_running()


def test_a_job_that_waits_is_cancelled_before_it_begins(pool: StandingPool, heard: Heard) -> None:
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
def test_workers_that_do_not_come_up_fail_their_jobs_in_a_line() -> None:
    heard = Heard()
    pool = StandingPool(1, heard, HERE + "leave_at_once")
    submit(pool, "a", "echo")
    (end,) = heard.of("a")
    assert isinstance(end, Failed)
    assert end.reason == "died"
    assert "worker processes die before they begin a job" in end.message
    pool.close()
