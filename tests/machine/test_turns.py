"""Clients of a crew take turns: whatever others ask, a short task is done soon, and long ones all come to their end."""

import itertools
import time
from collections.abc import Iterator

import pytest

from noughts.machine import Crew, Event
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
