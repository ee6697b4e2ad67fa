"""A crew tells steps as they come, stops when it is asked to, and outlives whatever its workers do."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from noughts.machine import Crew, Event, Ticket
from noughts.rules import ComputeError
from tests.messages import without_place

HERE = "tests.machine.crew_functions:"


class Heard:
    """A listener that can be waited for."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._news = threading.Condition()

    def __call__(self, event: Event) -> None:
        with self._news:
            self.events.append(event)
            self._news.notify_all()

    def wait(self, count: int = 0, seconds: float = 30) -> list[Event]:
        """Until there are so many events, or the end."""
        with self._news:
            assert self._news.wait_for(
                lambda: len(self.events) >= count > 0 or any(event.is_end for event in self.events), seconds
            )
            return list(self.events)


@pytest.fixture(scope="module")
def crew() -> Iterator[Crew]:
    crew = Crew(most=2, warm=1, prepare=HERE + "prepare", queue=3)
    yield crew
    crew.close()


def submit(crew: Crew, function: str, argument: str = "", **more: object) -> tuple[Ticket, Heard]:
    heard = Heard()
    return crew.submit(HERE + function, argument, heard, **more), heard  # type: ignore[arg-type]


def test_steps_come_in_order_and_then_the_end(crew: Crew) -> None:
    _, heard = submit(crew, "echo", "a b\nc é")
    assert heard.wait() == [Event("step", "a b\nc é"), Event("step", "a b\nc é True"), Event("done")]
    _, heard = submit(crew, "long_step")
    assert [len(event.text) for event in heard.wait()] == [1_000_000, 0]


@pytest.mark.parametrize(
    ("function", "end"),
    [
        ("refuse", Event("refused", "not like this")),
        ("fail", Event("failed", "ZeroDivisionError: of course")),
        ("leave", Event("failed", "SystemExit: 4")),
        ("die", Event("died", "its process ended with exit code 5")),
    ],
)
def test_whatever_a_task_does_the_crew_goes_on(crew: Crew, function: str, end: Event) -> None:
    _, heard = submit(crew, function)
    begun, ended = heard.wait()
    assert (begun, Event(ended.kind, without_place(ended.text))) == (Event("step", "begun"), end)
    _, heard = submit(crew, "echo", "next")
    assert heard.wait()[0] == Event("step", "next")


def test_a_name_that_does_not_exist_fails(crew: Crew) -> None:
    _, heard = submit(crew, "nothing")
    (end,) = heard.wait()
    assert end.kind == "failed"
    assert "nothing" in end.text


def test_a_stopped_task_ends_by_itself_where_it_can(crew: Crew, tmp_path: Path) -> None:
    ticket, heard = submit(crew, "count", str(tmp_path / "end"))
    heard.wait(3)
    begun = time.monotonic()
    ticket.stop()
    assert heard.wait()[-1] == Event("done")
    assert time.monotonic() - begun < 0.25
    assert (tmp_path / "end").read_text() == "heard"
    ticket.stop()  # again, for nothing


def test_a_task_that_does_not_listen_is_killed_and_its_processor_is_free(crew: Crew) -> None:
    ticket, heard = submit(crew, "deaf")
    process = psutil.Process(int(heard.wait(1)[0].text))
    time.sleep(0.1)
    before = sum(process.cpu_times()[:2])
    ticket.stop()
    begun = time.monotonic()
    while process.is_running():
        if time.monotonic() - begun > 0.02:
            try:
                used = sum(process.cpu_times()[:2]) - before
            except psutil.NoSuchProcess:
                break
            assert used < 0.35
        assert time.monotonic() - begun < 5
        time.sleep(0.005)
    assert heard.wait()[-1].kind == "stopped"
    _, heard = submit(crew, "echo", "next")
    assert heard.wait()[0] == Event("step", "next")


def test_a_limit_is_kept(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.machine.crew.LATE_SECONDS", 0.0)
    _, heard = submit(crew, "deaf", limit=0.2)
    assert heard.wait()[-1] == Event("timeout", "it took longer than 0.2 s")


def test_the_limit_of_a_task_of_low_priority_is_one_of_the_processors() -> None:
    long = Ticket("deaf", "", lambda event: None, "", 60.0, "", "")
    long.is_long = True
    assert long.counted_seconds(61.0, 7.0) == 7.0  # others have the machine
    assert long.counted_seconds(61.0, 0.0) == pytest.approx(6.1)  # it sleeps: it has ten times as long
    assert long.counted_seconds(61.0, 110.0) == 61.0  # it is at work on two processors
    long.is_long = False
    assert long.counted_seconds(61.0, 7.0) == 61.0


def test_more_workers_come_when_all_are_busy_and_more_tasks_than_may_wait_are_turned_away() -> None:
    crew = Crew(most=2, warm=1, queue=2)
    try:
        long = [submit(crew, "count") for _ in range(2)]
        for _, heard in long:
            heard.wait(1)
        assert len(crew.process_ids) == 2
        waiting = [submit(crew, "echo", str(number)) for number in range(2)]
        with pytest.raises(ComputeError, match="2 tasks wait already"):
            submit(crew, "echo")
        assert crew.busy == 4
        waiting[0][0].stop()  # makes room
        _, third = submit(crew, "echo", "third")
        assert waiting[0][1].wait() == [Event("stopped", "it was stopped while it waited")]
        for ticket, _ in long:
            ticket.stop()
        assert waiting[1][1].wait()[0] == Event("step", "1")
        assert third.wait()[0] == Event("step", "third")
    finally:
        crew.close()


def test_a_worker_that_knows_the_topic_is_taken() -> None:
    crew = Crew(most=2, warm=2)
    try:
        both = [submit(crew, "who", "1.5", topic=topic) for topic in "ab"]
        known = {topic: heard.wait()[0].text for topic, (_, heard) in zip("ab", both, strict=True)}
        if len(set(known.values())) < 2:
            pytest.skip("one of them was not up in time")
        time.sleep(0.1)
        for topic in "abba":
            _, heard = submit(crew, "who", topic=topic)
            assert heard.wait()[0].text == known[topic]
            time.sleep(0.05)
    finally:
        crew.close()


def test_a_worker_that_dies_while_it_has_nothing_to_do_is_replaced() -> None:
    crew = Crew(most=1, warm=1)
    try:
        _, heard = submit(crew, "who")
        process = int(heard.wait()[0].text)
        assert crew.process_ids == (process,)
        psutil.Process(process).kill()
        time.sleep(0.2)
        _, heard = submit(crew, "who")
        first, end = heard.wait()
        assert end == Event("done")
        assert first.text != str(process)
    finally:
        crew.close()


def test_closing_ends_everything() -> None:
    crew = Crew(most=1, warm=1)
    _, working = submit(crew, "count")
    _, waiting = submit(crew, "echo")
    working.wait(2)
    ids = crew.process_ids
    crew.close()
    assert waiting.wait()[-1].kind == "stopped"
    assert working.wait()[-1].kind in ("died", "done")
    assert not any(psutil.pid_exists(process) for process in ids)
    with pytest.raises(ComputeError, match="closed"):
        submit(crew, "echo")


def test_workers_that_do_not_come_up_fail_their_task() -> None:
    crew = Crew(most=1, warm=0, prepare=HERE + "never_ready")
    try:
        _, heard = submit(crew, "echo")
        (end,) = heard.wait()
        assert end.kind == "failed"
        assert "did not come up: its process ended with exit code" in end.text
    finally:
        crew.close()
