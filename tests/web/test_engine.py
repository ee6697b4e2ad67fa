"""Who is given workers: equal questions are one search, clients take turns, and what takes long makes way."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from noughts.agents import parse_agent
from noughts.machine.jobs import Done, Failed, Job, JobResult, Running
from noughts.rules import parse_rules
from noughts.web import engine as engines
from noughts.web.engine import Engine, Event
from noughts.web.tasks import AnalysisTask, GameAnalysisTask, MoveTask, SearchTask

RULES = parse_rules("tic-tac-toe")


class FakePool:
    """A pool that remembers what it was given; tests say what becomes of it."""

    made: "list[FakePool]" = []

    def __init__(self, size: int, hear: Callable[[JobResult | Running], None], prepare: str, warm: int) -> None:
        self.size, self.hear = size, hear
        self.jobs: list[Job] = []
        self.cancelled: list[str] = []
        self.made.append(self)

    def submit(self, job: Job) -> None:
        self.jobs.append(job)

    def cancel(self, key: str) -> None:
        self.cancelled.append(key)


class Use:
    """An engine on two such pools, of three workers each."""

    def __init__(self) -> None:
        FakePool.made.clear()
        self.engine = Engine(cores=2)
        self.short, self.long = FakePool.made

    def begin(self, task: SearchTask, client: str = "a") -> tuple[list[Event], Callable[[], None]]:
        heard: list[Event] = []
        return heard, self.engine.start(task, heard.append, 10, client)

    async def hear(self, pool: FakePool, found: JobResult | Running) -> None:
        pool.hear(found)
        await asyncio.sleep(0)


def run(monkeypatch: pytest.MonkeyPatch, check: Callable[[Use], Coroutine[Any, Any, None]]) -> None:
    monkeypatch.setattr(engines, "StandingPool", FakePool)

    async def whole() -> None:
        await check(Use())

    asyncio.run(whole())


def exact(seed: int = 0) -> AnalysisTask:
    return AnalysisTask(rules=RULES, moves=(4,), seed=seed, agent=None, seconds=5)


def move(seed: int = 0, agent: str = "mcts:sims=10") -> MoveTask:
    return MoveTask(rules=RULES, moves=(4,), seed=seed, agent=parse_agent(agent), seconds=5)


def test_equal_questions_are_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        first, leave_first = use.begin(exact())
        await use.hear(use.long, Running("0", "1"))
        await use.hear(use.long, Running("0", "2"))
        second, leave_second = use.begin(exact(), "b")
        assert len(use.long.jobs) == 1
        assert second == [Event("step", "2")]  # what is known so far
        use.begin(exact(seed=1))
        assert len(use.long.jobs) == 2
        leave_first()
        assert first[-1].kind == "stopped"
        assert use.long.cancelled == []  # the other still listens
        await use.hear(use.long, Running("0", "3"))
        await use.hear(use.long, Done("0", "0.01 "))
        assert second == [Event("step", "2"), Event("step", "3"), Event("done")]
        assert first[-1].kind == "stopped"
        leave_second()
        use.begin(exact())
        assert len(use.long.jobs) == 3  # that one is over

    run(monkeypatch, check)


def test_the_last_to_leave_stops_it_and_who_comes_then_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        heard, leave = use.begin(exact())
        leave()
        assert use.long.cancelled == ["0"]
        use.begin(exact())
        assert len(use.long.jobs) == 2
        await use.hear(use.long, Failed("0", "cancelled", "it went on", ""))
        assert heard == [Event("stopped", "it went on")]
        use.begin(exact())
        assert len(use.long.jobs) == 2  # the second is still at work

    run(monkeypatch, check)


def test_a_stopped_search_is_reported_soon_whatever_its_worker_does(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        heard, leave = use.begin(exact())
        leave()
        await asyncio.sleep(0.12)
        assert heard == [Event("stopped", "it was stopped")]

    run(monkeypatch, check)


def test_of_a_game_every_step_is_sent_to_who_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        game = GameAnalysisTask(rules=RULES, moves=(4, 0), seed=0, agent=parse_agent("minimax"), seconds=1)
        use.begin(game)
        for ply in range(2):
            await use.hear(use.long, Running("0", str(ply)))
        assert use.begin(game)[0] == [Event("step", "0"), Event("step", "1")]

    run(monkeypatch, check)


def test_a_client_never_has_all_workers_and_the_newest_of_the_greediest_is_turned_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engines, "_ROOM", 3)

    async def check(use: Use) -> None:
        greedy = [use.begin(exact(seed), "greedy") for seed in range(5)]
        assert len(use.long.jobs) == 2  # of three workers
        other, _ = use.begin(exact(10), "b")
        assert other == []
        assert len(use.long.jobs) == 3
        use.begin(exact(11), "c")
        assert greedy[-1][0] == [Event("crowded", "the server is busy with other searches: try again in a moment")]
        await use.hear(use.long, Done("0", "0.01 "))
        assert exact(11).to_json() == use.long.jobs[-1].argument  # before the third of the greedy one

    run(monkeypatch, check)


def test_what_takes_long_begins_anew_in_the_other_pool_and_what_is_like_it_begins_where_it_was_measured_to_belong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def check(use: Use) -> None:
        heard, _ = use.begin(move())
        use.engine._look(use.engine._searches[move().to_json()], "0")
        assert use.short.cancelled == ["0"]
        await use.hear(use.short, Running("0", "the best that it knew"))
        await use.hear(use.short, Done("0", "0.02 "))  # too little was done to say how long it takes
        assert [job.argument for job in use.long.jobs] == [move().to_json()]
        assert heard == []
        await use.hear(use.long, Running("1", '{"move": 0}'))
        await use.hear(use.long, Done("1", "0.9 "))
        assert heard == [Event("step", '{"move": 0}'), Event("done")]
        use.begin(move(seed=1))  # key 2
        use.begin(move(agent="random"))
        assert (len(use.short.jobs), len(use.long.jobs)) == (2, 2)
        await use.hear(use.long, Done("2", "0.1 "))  # in the end of a game, say
        use.begin(move(seed=2))
        assert (len(use.short.jobs), len(use.long.jobs)) == (3, 2)

    run(monkeypatch, check)


def test_one_worker_is_kept_for_moves_that_are_known_to_be_short_and_one_for_new_analyses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def check(use: Use) -> None:
        use.begin(move())
        await use.hear(use.short, Done("0", "0.01 "))
        for number in range(1, 4):
            use.begin(move(agent=f"mcts:sims={number}"), str(number))
        assert len(use.short.jobs) == 3  # the third of what is unknown waits
        use.begin(move(seed=1), "d")
        assert use.short.jobs[-1].argument == move(seed=1).to_json()
        searches = []
        for number in range(3):
            use.begin(exact(number), str(number))
            searches.append(use.engine._searches[exact(number).to_json()])
        for search in searches:
            search.seconds = 4.0
        use.begin(exact(3), "d")
        for search in searches:
            use.engine._look(search, search.key)
            await use.hear(use.long, Done(search.key, "4.0 "))
        at_work = [search.seconds for search in use.engine._long.at_work.values()]
        assert sorted(at_work) == [engines.FIRST_SECONDS, 8.0, 8.0]

    run(monkeypatch, check)


def test_a_long_search_gives_way_to_those_that_wait_and_shows_no_less_when_it_begins_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def check(use: Use) -> None:
        heard, _ = use.begin(exact(0), "a")
        use.begin(exact(1), "b")
        use.begin(exact(2), "c")
        first = use.engine._searches[exact(0).to_json()]
        use.engine._look(first, "0")
        assert use.long.cancelled == []  # no other waits
        use.begin(exact(3), "d")
        first.begun -= 5  # it is at work for so long
        await use.hear(use.long, Running("0", "after five seconds"))
        use.engine._look(first, "0")
        assert use.long.cancelled == ["0"]
        await use.hear(use.long, Done("0", "0.01 "))
        assert use.long.jobs[-1].argument == exact(3).to_json()
        await use.hear(use.long, Done("1", "0.01 "))
        assert use.long.jobs[-1].argument == exact(0).to_json()
        key = use.long.jobs[-1].key
        await use.hear(use.long, Running(key, "after nothing"))
        first.begun -= 6
        await use.hear(use.long, Running(key, "after six"))
        assert heard == [Event("step", "after five seconds"), Event("step", "after six")]
        assert first.seconds == 2 * engines.FIRST_SECONDS

    run(monkeypatch, check)
