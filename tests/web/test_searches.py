"""What several ask for at the same time is worked out once, and each hears it to the end."""

from collections.abc import Callable

import pytest

from noughts.agents import parse_agent
from noughts.machine import Event
from noughts.rules import ComputeError, parse_rules
from noughts.web.crew_tasks import AnalysisTask, CrewTask, GameAnalysisTask
from noughts.web.engine import Searches
from noughts.web.errors import Refused

RULES = parse_rules("tic-tac-toe")


class FakeTicket:
    def __init__(self, tell: Callable[[Event], None]) -> None:
        self.tell = tell
        self.stops = 0

    def stop(self) -> None:
        self.stops += 1


class FakeCrew:
    def __init__(self) -> None:
        self.tickets: list[FakeTicket] = []
        self.is_full = False

    def submit(
        self,
        function: str,
        argument: str,
        listener: Callable[[Event], None],
        topic: str,
        limit: float,
        client: str,
        kind: str,
        tells_again: bool,
    ) -> FakeTicket:
        if self.is_full:
            raise ComputeError("too many")
        self.tickets.append(FakeTicket(listener))
        return self.tickets[-1]


def exact(seed: int = 0) -> AnalysisTask:
    return AnalysisTask(rules=RULES, moves=(4,), seed=seed, agent=None, seconds=5)


def begin(searches: Searches, task: CrewTask, client: str = "a") -> tuple[list[Event], Callable[[], None]]:
    heard: list[Event] = []
    return heard, searches.start(task, heard.append, 10, client)


def test_equal_questions_are_one_search() -> None:
    crew = FakeCrew()
    searches = Searches(crew)  # type: ignore[arg-type]
    first, leave_first = begin(searches, exact())
    crew.tickets[0].tell(Event("step", "1"))
    crew.tickets[0].tell(Event("step", "2"))
    second, leave_second = begin(searches, exact(), "b")
    assert len(crew.tickets) == 1
    assert second == [Event("step", "2")]  # what is known so far
    begin(searches, exact(seed=1))
    assert len(crew.tickets) == 2
    leave_first()
    assert first[-1].kind == "stopped"
    assert crew.tickets[0].stops == 0  # somebody still listens
    crew.tickets[0].tell(Event("step", "3"))
    crew.tickets[0].tell(Event("done"))
    assert second == [Event("step", "2"), Event("step", "3"), Event("done")]
    assert first[-1].kind == "stopped"
    leave_second()
    begin(searches, exact())
    assert len(crew.tickets) == 3  # that one is over


def test_the_last_to_leave_stops_it_and_whoever_comes_then_begins_anew() -> None:
    crew = FakeCrew()
    searches = Searches(crew)  # type: ignore[arg-type]
    heard, leave = begin(searches, exact())
    leave()
    assert crew.tickets[0].stops == 1
    begin(searches, exact())
    assert len(crew.tickets) == 2
    crew.tickets[0].tell(Event("stopped", "it was stopped"))
    assert heard == [Event("stopped", "it was stopped")]
    begin(searches, exact())
    assert len(crew.tickets) == 2  # the second is still at work


def test_of_a_game_every_step_is_told_to_whoever_comes_later() -> None:
    crew = FakeCrew()
    searches = Searches(crew)  # type: ignore[arg-type]
    game = GameAnalysisTask(rules=RULES, moves=(4, 0), seed=0, agent=parse_agent("minimax"), seconds=1)
    begin(searches, game)
    for ply in range(2):
        crew.tickets[0].tell(Event("step", str(ply)))
    assert begin(searches, game)[0] == [Event("step", "0"), Event("step", "1")]


def test_a_crew_without_room_refuses() -> None:
    crew = FakeCrew()
    crew.is_full = True
    searches = Searches(crew)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="busy"):
        begin(searches, exact())
    crew.is_full = False
    begin(searches, exact())
    assert len(crew.tickets) == 1
