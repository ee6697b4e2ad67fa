"""Clients of a crew take turns: whatever others ask, a short task is done soon, and long ones all come to their end."""

import itertools
import sys
import time
from collections.abc import Iterator

import pytest

from noughts.machine import Crew, Event
from noughts.machine.crew_worker import LOWERED
from noughts.rules import ComputeError
from tests.machine.test_crew import HERE, Heard, submit

FIRST = 0.25


@pytest.fixture
def crew() -> Iterator[Crew]:
    crew = Crew(most=2, warm=2, prepare=HERE + "prepare", queue=12, first=FIRST)
    for _ in range(2):
        submit(crew, "who", "0.2")[1].wait()
    yield crew
    crew.close()


def test_a_short_task_need_not_wait_for_long_ones(crew: Crew) -> None:
    long = [submit(crew, "work", f"60 {number}", client=f"greedy {number % 3}") for number in range(6)]
    time.sleep(3 * FIRST)
    waits = []
    for number in range(5):
        begun = time.monotonic()
        _, heard = submit(crew, "echo", str(number), client="modest")
        assert heard.wait()[-1] == Event("done")
        waits.append(time.monotonic() - begun)
    assert max(waits) < 1.5
    for ticket, _ in long:
        ticket.stop()
    for _, heard in long:
        assert heard.wait()[-1].kind in ("done", "stopped")
    assert crew.busy == 0


def test_long_tasks_take_turns_and_all_end_and_tell_nothing_twice(crew: Crew) -> None:
    begun = time.monotonic()
    tasks = [submit(crew, "work", f"{2 * FIRST} {number}", client=str(number)) for number in range(4)]
    for _, heard in tasks:
        events = heard.wait()
        assert events[-1] == Event("done")
        told = [float(event.text) for event in events[:-1]]
        assert all(later > told_before - 0.05 for told_before, later in itertools.pairwise(told))
        assert told[-1] > 1.8 * FIRST
    assert time.monotonic() - begun < 8


def test_where_each_step_says_something_else_all_of_them_are_passed_on_when_it_is_begun_anew(crew: Crew) -> None:
    tasks = [submit(crew, "work", f"{2 * FIRST} {number}", client=str(number), tells_again=True) for number in range(4)]
    begun = [sum(float(event.text) < 0.02 for event in heard.wait()[:-1]) for _, heard in tasks]
    assert max(begun) > 1  # from its first step, each time


def test_one_that_gave_way_and_is_stopped_leaves_the_task_alone_that_its_worker_has_now(crew: Crew) -> None:
    tasks = [submit(crew, "work", f"60 {number}", client=str(number)) for number in range(6)]
    time.sleep(4 * FIRST)  # some have given way
    begun = time.monotonic()
    for ticket, _ in tasks:
        ticket.stop()
    ends = {heard.wait()[-1].text for _, heard in tasks}
    assert ends == {"", "it was stopped while it waited"}  # the one at work heard it, and ended by itself
    assert time.monotonic() - begun < 1.5


def test_nobody_gives_way_while_nobody_waits(crew: Crew) -> None:
    _, heard = submit(crew, "work", str(4 * FIRST))
    told = [float(event.text) for event in heard.wait()[:-1]]
    assert told[0] < 0.05
    assert max(b - a for a, b in itertools.pairwise(told)) < FIRST  # it was not begun anew


def test_a_client_whose_task_costs_a_worker_finds_others_served_first(crew: Crew) -> None:
    deaf = [submit(crew, "deaf", str(number), client="deaf") for number in range(2)]
    time.sleep(2 * FIRST)
    _, heard = submit(crew, "echo", "here", client="modest")
    assert heard.wait()[-1] == Event("done")
    for ticket, _ in deaf:
        ticket.stop()
    for _, heard in deaf:
        assert heard.wait()[-1].kind in ("done", "stopped")


def test_of_too_many_tasks_those_of_the_greediest_are_turned_away(crew: Crew) -> None:
    greedy = [submit(crew, "work", f"60 {number}", client="greedy") for number in range(11)]
    time.sleep(2 * FIRST)  # some are at work, and the others wait
    more: list[tuple[object, Heard]] = []
    while crew.busy < 14:  # two at work, and as many as may wait
        more.append(submit(crew, "work", f"60 more {len(more)}", client="greedy"))
    with pytest.raises(ComputeError, match="tasks wait already"):
        submit(crew, "echo", client="greedy")
    _, heard = submit(crew, "echo", "hello", client="modest")
    assert heard.wait()[-1] == Event("done")
    ended = [heard.events[-1].kind for _, heard in (*greedy, *more) if heard.events and heard.events[-1].is_end]
    assert ended == ["crowded"]


def test_what_is_like_a_long_task_is_long_from_the_start(crew: Crew) -> None:
    _, heard = submit(crew, "burn", str(4 * FIRST), topic="large board", kind="deep")
    assert heard.wait()[-1] == Event("done")
    tickets = [
        submit(crew, "echo", topic=topic, kind=kind)
        for topic, kind in (("large board", "deep"), ("small board", "deep"), ("large board", "shallow"))
    ]
    assert [ticket.is_long for ticket, _ in tickets] == [True, False, False]
    assert all(heard.wait()[-1] == Event("done") for _, heard in tickets)


def test_a_task_that_only_waited_says_nothing_of_others_like_it(crew: Crew) -> None:
    _, heard = submit(crew, "who", str(2 * FIRST), kind="waits")
    assert heard.wait()[-1] == Event("done")
    ticket, heard = submit(crew, "echo", kind="waits")
    assert not ticket.is_long
    heard.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a priority of their own on Linux")
def test_long_tasks_have_a_lower_priority_and_short_ones_after_them_have_not(crew: Crew) -> None:
    for _ in range(2):  # each worker has had a long one
        both = [submit(crew, "priority", "20", client=str(number)) for number in range(2)]
        assert str(LOWERED) in [heard.wait()[0].text for _, heard in both]
    both = [submit(crew, "priority", "0.05", client=str(number)) for number in range(2)]
    assert [heard.wait()[0].text for _, heard in both] == ["0", "0"]


def test_who_has_begun_much_gives_way_sooner() -> None:
    crew = Crew(most=2, warm=2, first=4.0)
    try:
        greedy = [submit(crew, "work", f"60 {number}", client="greedy") for number in range(8)]
        for _, heard in greedy[:2]:
            heard.wait(1)
        time.sleep(1.2)
        begun = time.monotonic()
        _, heard = submit(crew, "echo", client="modest")
        assert heard.wait()[-1] == Event("done")
        assert time.monotonic() - begun < 1.5
    finally:
        crew.close()


def test_a_stopped_task_that_uses_no_processor_is_given_time_to_end(crew: Crew) -> None:
    ticket, heard = submit(crew, "late", "0.5")
    worker = heard.wait(1)[0].text
    ticket.stop()
    assert heard.wait()[-1] == Event("done")
    assert int(worker) in crew.process_ids


def test_a_short_task_need_not_wait_until_a_lost_worker_is_replaced() -> None:
    crew = Crew(most=3, warm=3, prepare=HERE + "prepare_slowly", first=FIRST)
    try:
        for _ in range(3):
            submit(crew, "who", "0.3")[1].wait()
        long = [submit(crew, "work", f"60 {number}", client=f"greedy {number}") for number in range(2)]
        time.sleep(3 * FIRST)  # both are long now
        _, deaf = submit(crew, "deaf", client="deaf")
        deaf.wait(1)
        waits = []
        for number in range(30):
            begun = time.monotonic()
            _, heard = submit(crew, "echo", str(number), client="modest")
            assert heard.wait()[-1] == Event("done")
            waits.append(time.monotonic() - begun)
            time.sleep(0.05)
        assert max(waits) < 3  # a worker takes 4 s until it is ready
        assert all(not heard.events[-1].is_end for _, heard in long)
    finally:
        crew.close()
