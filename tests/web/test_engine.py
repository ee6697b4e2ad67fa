"""Scheduling of workers: equal requests share a search, clients take turns, and long searches yield."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from noughts.machine.jobs import Done, Failed, Job, JobResult, Running
from noughts.web import engine as engines
from noughts.web.app import create_app
from noughts.web.asked import AnalysisRequest, MoveRequest, Search, read_search, write_search
from noughts.web.engine import SLICE_SECONDS, Engine, Stopped, Update
from noughts.web.errors import Refused

pytestmark = pytest.mark.anyio
GAME = {"rules": "tic-tac-toe", "moves": ["B2"]}


class FakePool:
    """A pool that records its jobs; tests give their results."""

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

    def close(self) -> None:
        """End no worker: there is none."""


class Use:
    """An engine on two such pools, of three workers each."""

    def __init__(self) -> None:
        FakePool.made.clear()
        self.engine = Engine(cores=2)
        self.short, self.long = FakePool.made

    def begin(self, asked: Search, client: str = "a") -> tuple[list[Update], Callable[[], None]]:
        heard: list[Update] = []
        return heard, self.engine.start(asked, heard.append, client)

    async def hear(self, pool: FakePool, found: JobResult | Running) -> None:
        pool.hear(found)
        await asyncio.sleep(0)


@pytest.fixture
async def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    monkeypatch.setattr(engines, "StandingPool", FakePool)
    return Use()


def exact(seed: int = 0) -> AnalysisRequest:
    return AnalysisRequest.model_validate({**GAME, "type": "exact", "seed": seed})


def move(seed: int = 0, agent: str = "mcts:sims=10") -> MoveRequest:
    return MoveRequest.model_validate({**GAME, "agent": agent, "seed": seed})


def kinds(heard: list[Update]) -> list[str]:
    ends = {type(None): "done", Stopped: "stopped", Refused: "failed"}
    return [each if isinstance(each, str) else ends[type(each)] for each in heard]


async def test_equal_requests_share_one_search(use: Use) -> None:
    first, leave_first = use.begin(exact())
    await use.hear(use.long, Running("0", "1"))
    await use.hear(use.long, Running("0", "2"))
    second, leave_second = use.begin(exact(), "b")
    assert len(use.long.jobs) == 1
    assert kinds(second) == ["2"]  # the results so far
    use.begin(exact(seed=1))
    assert len(use.long.jobs) == 2
    leave_first()
    assert kinds(first)[-1] == "stopped"
    assert use.long.cancelled == []  # the other client still listens
    await use.hear(use.long, Running("0", "3"))
    await use.hear(use.long, Done("0", ""))
    assert kinds(second) == ["2", "3", "done"]
    assert kinds(first)[-1] == "stopped"
    leave_second()
    use.begin(exact())
    assert len(use.long.jobs) == 3  # that one is over


async def test_a_search_stops_when_its_last_listener_leaves_and_then_begins_anew(use: Use) -> None:
    heard, leave = use.begin(exact())
    leave()
    assert use.long.cancelled == ["0"]
    use.begin(exact())
    assert len(use.long.jobs) == 2
    await use.hear(use.long, Failed("0", "cancelled", "", ""))
    assert kinds(heard) == ["stopped"]
    use.begin(exact())
    assert len(use.long.jobs) == 2  # the second is still running


def test_a_client_that_closes_its_socket_leaves_its_searches(own_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "StandingPool", FakePool)
    monkeypatch.setattr("noughts.web.app.Engine", partial(Engine, cores=2))
    FakePool.made.clear()
    with TestClient(create_app()) as client:
        with client.websocket_connect("ws://127.0.0.1:8400/api/analysis") as socket:
            for id in ("a", "b"):
                socket.send_json({**GAME, "type": "analyse", "id": id, "agent": f"mcts:sims={ord(id)}"})
        _, long = FakePool.made
        assert long.cancelled == [job.key for job in long.jobs] == ["0", "1"]


async def test_a_stopped_search_is_reported_soon_even_if_its_worker_hangs(use: Use) -> None:
    heard, leave = use.begin(exact())
    leave()
    await asyncio.sleep(0.12)
    assert kinds(heard) == ["stopped"]


async def test_a_late_listener_gets_every_step_of_a_game(use: Use) -> None:
    game = AnalysisRequest.model_validate({**GAME, "type": "game", "agent": "minimax"})
    use.begin(game)
    for ply in range(2):
        await use.hear(use.long, Running("0", str(ply)))
    assert kinds(use.begin(game)[0]) == ["0", "1"]


async def test_a_client_is_limited_in_workers_and_searches(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "MOST_SEARCHES", 4)

    for seed in range(4):
        use.begin(exact(seed), "greedy")
    assert len(use.long.jobs) == 2  # of three workers
    with pytest.raises(Refused, match="4 searches are at work for you") as refused:
        use.begin(exact(4), "greedy")
    assert (refused.value.status, refused.value.retry) == (429, 1)
    use.begin(exact(10), "b")
    assert len(use.long.jobs) == 3
    use.begin(exact(11), "c")
    await use.hear(use.long, Done("0", ""))
    assert use.long.jobs[-1].argument == write_search(exact(11))  # before the greedy client's third


async def test_a_long_search_moves_to_the_other_pool_if_others_wait(use: Use) -> None:
    heard, _ = use.begin(move(), "a")
    search = use.engine._searches[write_search(move())]
    search.begun -= SLICE_SECONDS
    use.begin(move(1), "b")
    use.begin(move(2), "c")
    assert use.short.cancelled == []  # each had a worker
    use.begin(move(3), "d")
    assert use.short.cancelled == ["0"]
    await use.hear(use.short, Running("0", "the best that it knew"))
    await use.hear(use.short, Done("0", ""))
    assert [job.argument for job in use.long.jobs] == [write_search(move())]
    assert use.short.jobs[-1].argument == write_search(move(3))
    await use.hear(use.long, Running(use.long.jobs[0].key, "answer"))
    await use.hear(use.long, Done(use.long.jobs[0].key, ""))
    assert kinds(heard) == ["answer", "done"]


async def test_a_search_yields_at_the_end_of_its_slice(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "SLICE_SECONDS", 0.05)

    for number in range(4):
        use.begin(move(number), str(number))
    for search in use.engine._searches.values():
        search.slice = 0.05
    assert use.short.cancelled == []
    await asyncio.sleep(0.6)
    assert use.short.cancelled == ["0"]


async def test_agents_with_weights_start_in_the_pool_for_long_work(use: Use) -> None:
    use.begin(move(agent="az:example,sims=1"))
    assert (len(use.short.jobs), len(use.long.jobs)) == (0, 1)


async def test_one_worker_is_reserved_for_new_analyses(use: Use) -> None:
    searches = []
    for number in range(3):
        use.begin(exact(number), str(number))
        searches.append(use.engine._searches[write_search(exact(number))])
    for search in searches:
        search.slice, search.gives_way = 8.0, True
    for search in searches:
        await use.hear(use.long, Done(search.key, ""))
    assert [search.slice for search in use.engine._long.at_work.values()] == [32.0, 32.0]
    use.begin(exact(3), "d")
    assert use.long.jobs[-1].argument == write_search(exact(3))


async def test_a_restarted_search_never_shows_less(use: Use) -> None:
    heard, _ = use.begin(exact(0), "a")
    use.begin(exact(1), "b")
    use.begin(exact(2), "c")
    first = use.engine._searches[write_search(exact(0))]
    first.begun -= 5  # it has been running that long
    await use.hear(use.long, Running("0", "after five seconds"))
    use.begin(exact(3), "d")
    assert use.long.cancelled == ["0"]
    await use.hear(use.long, Done("0", ""))
    assert use.long.jobs[-1].argument == write_search(exact(3))
    await use.hear(use.long, Done("1", ""))
    assert use.long.jobs[-1].argument == write_search(exact(0))
    key = use.long.jobs[-1].key
    await use.hear(use.long, Running(key, "after nothing"))
    first.begun -= 6
    await use.hear(use.long, Running(key, "after six"))
    assert kinds(heard) == ["after five seconds", "after six"]
    assert first.slice == 4 * SLICE_SECONDS


@pytest.mark.parametrize(
    ("end", "kind", "status", "words"),
    [
        (Done("0", "it is no puzzle"), "failed", 422, "it is no puzzle"),
        (Failed("0", "timeout", "60 s", ""), "stopped", 503, "the search was given up: 60 s"),
        (Failed("0", "died", "exit code -9", ""), "failed", 503, "perhaps for want of memory"),
        (Failed("0", "raised", "ValueError", ""), "failed", 500, "the search failed: ValueError"),
    ],
)
async def test_errors_are_explained(end: JobResult, kind: str, status: int, words: str, use: Use) -> None:
    heard, _ = use.begin(exact())
    await use.hear(use.long, end)
    (error,) = heard
    assert isinstance(error, Refused)
    assert (kinds(heard), error.status) == ([kind], status)
    assert words in str(error)


@pytest.mark.parametrize("asked", [exact(3), move(2**63 - 1, "omniscient:sims=3,inside=(minimax:depth=2,ties=first)")])
def test_searches_survive_serialisation(asked: Search) -> None:
    assert read_search(write_search(asked)) == asked
