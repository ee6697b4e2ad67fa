"""The store keeps what it is given, gives it back, and knows which run goes on."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy.schema import CreateTable

from noughts.machine.environment import current_code
from noughts.rules import StoreError
from noughts.store import GameRecord
from noughts.store.results import RunInfo, Store
from noughts.store.run import read_runs
from noughts.store.tables import games, metadata
from tests.store.samples import IDENTITY, begin, game


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path / "place")) as store:
        yield store


def test_a_place_is_made_with_what_it_needs(tmp_path: Path) -> None:
    place = tmp_path / "a" / "b"
    with Store.open(str(place)) as store:
        assert store.folder == place
        assert (place / "results.sqlite").is_file()
        assert (place / "locks").is_dir()
        assert store.runs() == ()
    assert not (place / "results.sqlite-wal").exists()  # one file that can be copied


def test_the_place_is_the_option_then_the_environment_then_the_platform(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "platform"))
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "environment"))
    with Store.open(str(tmp_path / "option")) as store:
        assert store.folder == tmp_path / "option"
    with Store.open() as store:
        assert store.folder == tmp_path / "environment"
    monkeypatch.setenv("NOUGHTS_STORE", "")
    with Store.open() as store:
        assert store.folder == tmp_path / "platform"


def test_the_place_may_be_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "platform"))
    monkeypatch.setenv("NOUGHTS_STORE", f"sqlite:///{tmp_path}/my.sqlite")
    with Store.open() as store, begin(store) as run:
        run.add([game("a")])
        assert store.folder == tmp_path / "platform"
        assert (tmp_path / "my.sqlite").is_file()
    assert not (tmp_path / "platform" / "results.sqlite").exists()


def test_a_place_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for _ in range(2):
        with Store.open("~/a b?c#d%41é") as store:
            assert (tmp_path / "a b?c#d%41é" / "results.sqlite").is_file()
            assert len(store.runs()) == 0


def test_runs_can_be_listed_without_their_results(store: Store) -> None:
    with begin(store) as run:
        run.finish('{"large": 1}')
    (whole,), (listed,) = store.runs(), store.runs("study", results=False)
    assert whole.result == '{"large": 1}'
    assert listed.result is None
    assert (listed.id, listed.status, listed.identity) == (whole.id, "finished", whole.identity)


def test_every_field_of_a_game_is_a_column() -> None:
    assert [column.name for column in games.columns] == ["run_id", *GameRecord.model_fields]


def test_what_is_added_comes_back_in_the_order_of_keys(store: Store) -> None:
    records = [
        game("b", ending="error", error="it raised ValueError: x", culprit="second", opening=2, moves=()),
        game("Z", rules="bttt(D4)", moves=tuple(range(48)), ending="first"),
        game("é", seed=-1),
        game("a", seed=0, seconds_first=1e-9),
    ]
    with begin(store) as run:
        run.add(records, {"m2": "[1,2]", "m1": '{"x": 1.5}'})
        run.add()
        assert list(run.games()) == [records[1], records[3], records[0], records[2]]
        assert list(run.measurements().items()) == [("m1", '{"x": 1.5}'), ("m2", "[1,2]")]
        assert run.done_keys() == {"a", "b", "Z", "é", "m1", "m2"}
        assert list(store.games_of(run.id)) == list(run.games())
        assert store.measurements_of(run.id) == run.measurements()
    assert list(store.games_of("another")) == []
    assert store.measurements_of("another") == {}


def test_a_key_that_is_there_keeps_what_it_has(store: Store) -> None:
    with begin(store) as run:
        run.add([game("a", seed=1)], {"a": "1"})
        run.add([game("a", seed=2), game("b", seed=2), game("b", seed=3)], {"a": "2", "b": "2"})
        assert [record.seed for record in run.games()] == [1, 2]
        assert run.measurements() == {"a": "1", "b": "2"}


def test_runs_do_not_see_each_other(store: Store) -> None:
    with begin(store, seed=1) as one, begin(store, seed=2) as two:
        one.add([game("a", seed=1)])
        two.add([game("a", seed=2)], {"b": "2"})
        assert one.done_keys() == {"a"}
        assert [record.seed for record in one.games()] == [1]
        assert [record.seed for record in two.games()] == [2]


def test_many_games_are_read_page_by_page_while_more_are_written(store: Store) -> None:
    keys = [f"{number:05}" for number in range(2500)]
    with begin(store) as run:
        run.add([game(key) for key in keys])
        reading = run.games()
        seen = [next(reading).key]
        run.add([game("99999")])
        seen += [record.key for record in reading]
        assert seen == [*keys, "99999"]
        for count in (999, 1000, 1001):
            with begin(store, seed=count) as other:
                other.add([game(key) for key in keys[:count]])
                assert sum(1 for _ in other.games()) == count


def test_a_run_is_described(store: Store) -> None:
    before = datetime.now(UTC)
    with begin(store, seed=2**64 - 1) as run:
        running = store.run(run.id)
        assert running == run.info
        run.add_seconds(1.5)
        run.add_seconds(2.25)
        run.finish('{"answer": 42}')
    (info,) = store.runs()
    assert info == run.info == store.run(run.id)
    assert (info.kind, info.name, info.seed, info.status) == ("study", "first-move", 2**64 - 1, "finished")
    assert (info.seconds, info.result) == (3.75, '{"answer": 42}')
    assert {key: info.identity[key] for key in IDENTITY} == IDENTITY
    assert info.identity["code"].keys() == {"noughts", "source"}
    assert info.environment.cores >= 1
    assert (running.status, running.finished, running.result) == ("running", None, None)
    assert info.finished is not None
    assert before <= datetime.fromisoformat(info.started) <= datetime.fromisoformat(info.finished)
    assert info.started.endswith("+00:00")


def test_an_unfinished_run_goes_on(store: Store) -> None:
    with begin(store) as run:
        assert not run.resumed
        run.add([game("a")])
        run.add_seconds(2)
    with begin(store) as again:
        assert again.resumed
        assert again.id == run.id
        assert again.done_keys() == {"a"}
        again.add_seconds(1)
        assert again.info.seconds == 3
        assert again.info.started == run.info.started


def test_the_order_of_the_identitys_keys_does_not_matter(store: Store) -> None:
    with begin(store) as run:
        pass
    with store.begin("study", "first-move", dict(reversed(IDENTITY.items())), 1) as again:
        assert again.id == run.id


def test_other_work_is_another_run(store: Store) -> None:
    with begin(store) as run:
        pass
    for kind, name, identity, seed in (
        ("match", "first-move", IDENTITY, 1),
        ("study", "table-2", IDENTITY, 1),
        ("study", "first-move", {**IDENTITY, "scale": "paper"}, 1),
        ("study", "first-move", IDENTITY, 2),
    ):
        with store.begin(kind, name, identity, seed) as other:  # type: ignore[arg-type] # kinds in a loop
            assert not other.resumed
            assert other.id != run.id


def test_other_code_is_another_run(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with begin(store) as run:
        pass
    code = current_code()
    for change in ({"noughts": "99"}, {"commit": "0" * 40}, {"source": "0123"}):
        monkeypatch.setattr("noughts.store.results.current_code", lambda change=change: code | change)
        with begin(store) as other:
            assert not other.resumed
    monkeypatch.setattr("noughts.store.results.current_code", lambda: code)
    with begin(store) as again:
        assert again.id == run.id


def test_code_is_not_the_callers_to_say(store: Store) -> None:
    with pytest.raises(ValueError, match="set by the store"):
        store.begin("study", "x", {"code": 1}, 0)


def test_a_finished_run_is_not_resumed(store: Store) -> None:
    with begin(store) as run:
        run.finish("{}")
    assert os.listdir(store.folder / "locks") == ["create.lock"]
    with begin(store) as other:
        assert not other.resumed
        assert other.id != run.id


def test_a_run_that_is_being_worked_on_is_left_alone(store: Store) -> None:
    with begin(store) as run, begin(store) as other:
        assert not other.resumed
        assert other.id != run.id
    with begin(store) as again, begin(store) as too:
        assert again.resumed
        assert too.resumed
        assert {again.id, too.id} == {run.id, other.id}


def test_a_run_finished_by_another_in_the_last_moment_is_not_resumed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begin(store) as run:
        listed = store.runs()
        run.finish("{}")
    answers = [listed]
    monkeypatch.setattr(
        "noughts.store.results.read_runs", lambda *wanted: answers.pop() if answers else read_runs(*wanted)
    )  # as it was when the other had not finished yet
    with begin(store) as other:
        assert not other.resumed
        assert other.id != run.id


def test_nothing_is_added_to_a_run_that_is_over(store: Store) -> None:
    with begin(store) as run:
        run.finish("{}")
        with pytest.raises(StoreError, match=f"^run {run.id} is finished: nothing can be added to it$"):
            run.add([game("a")])
    with begin(store) as run:
        pass
    attempts: list[Callable[[], None]] = [
        lambda: run.add([game("a")]),
        lambda: run.add_seconds(1),
        lambda: run.finish("{}"),
    ]
    for late in attempts:
        with pytest.raises(StoreError, match=f"^run {run.id} is closed: nothing can be added to it$"):
            late()
    run.close()
    assert run.done_keys() == set()


def test_the_latest_run_is_found_by_name_scale_and_status(store: Store) -> None:
    def finish(scale: str, result: str | None) -> RunInfo:
        with store.begin("study", "s", {"scale": scale, "result": result}, 0) as run:
            if result is not None:
                run.finish(result)
            return run.info

    assert store.latest("study", "s") is None
    quick, paper = finish("quick", "1"), finish("paper", "2")
    assert store.latest("study", "s") == paper
    assert store.latest("study", "s", "quick") == quick
    assert store.latest("study", "s", "laptop") is None
    assert store.latest("match", "s") is None
    running = finish("quick", None)
    assert store.latest("study", "s", "quick") == quick
    assert store.latest("study", "s", "quick", status=None) == running
    assert store.latest("study", "s", status="running") == running
    assert store.runs("study", "s") == (quick, paper, running)
    assert store.runs(name="t") == store.runs("match") == ()


def test_an_unknown_run_is_named(store: Store) -> None:
    with pytest.raises(StoreError, match=r"^there is no run 'x' in .*results\.sqlite$"):
        store.run("x")


def test_threads_may_share_a_store(store: Store) -> None:
    with begin(store) as run, ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: run.add([game(f"{number:03}")]), range(200)))
        assert sum(threads.map(lambda _: len(list(run.games())), range(8))) == 1600


def test_a_run_may_be_closed_by_another_thread(store: Store) -> None:
    run = begin(store)
    with ThreadPoolExecutor(1) as thread:
        thread.submit(run.close).result()
    with begin(store) as again:
        assert again.id == run.id


def test_a_store_that_is_dropped_closes_its_database(tmp_path: Path) -> None:
    with Store.open(str(tmp_path)).begin("match", "m", {}, 0) as run:
        run.add([game("a")])
    del run
    assert not (tmp_path / "results.sqlite-wal").exists()


def test_a_server_would_get_the_same_tables() -> None:
    dialect = sqlalchemy.make_url("postgresql://host/x").get_dialect()()
    for table in metadata.sorted_tables:
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=dialect))
    assert 'key TEXT COLLATE "C" NOT NULL' in str(CreateTable(games).compile(dialect=dialect))


def test_importing_the_package_loads_no_database() -> None:
    program = "import sys, noughts.store; print([m for m in ('sqlalchemy', 'numpy', 'filelock') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_importing_the_store_loads_no_array_library() -> None:
    program = "import sys, noughts.store.results; print([m for m in ('numpy', 'numba', 'jax') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
