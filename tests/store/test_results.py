"""The store saves values, returns them unchanged, and resumes the right run."""

import gc
import json
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from unittest.mock import Mock

import pytest
from sqlalchemy import event

from noughts.rules import StoreError
from noughts.store.results import RunInfo, Store
from noughts.store.tables import games, runs, with_checksum
from tests.store.samples import BASIS, IDENTITY, Clock, begin, broken_game, game, keep_games, kept, wanted


def test_opening_a_place_creates_what_it_needs(tmp_path: Path) -> None:
    place = tmp_path / "a" / "b"
    with Store.open(str(place)) as store:
        assert store.folder == place
        assert (place / "results.sqlite").is_file()
        assert (place / "locks").is_dir()
        assert store.runs() == ()
    assert not (place / "results.sqlite-wal").exists()  # one file that can be copied


def test_every_connection_forces_its_commits_to_the_disk(tmp_path: Path) -> None:
    with Store.open(str(tmp_path)) as store:
        for use in (store._database.reading, store._database.writing):
            with use() as connection:
                assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
                assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def test_the_place_may_be_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "platform"))
    monkeypatch.setenv("NOUGHTS_STORE", f"sqlite:///{tmp_path}/my.sqlite")
    with Store.open() as store, begin(store) as run:
        keep_games(run, a=game())
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


@pytest.mark.heavy
def test_ten_thousand_runs_are_listed_quickly_and_found_by_sql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(str(tmp_path)) as store:
        with begin(store) as run:
            run.finish('{"large": 1}')
        (made,) = map(vars, store.runs())
        texts = {"identity": json.dumps(IDENTITY), "environment": run.info.environment.to_json(), "seed": "1"}
        rows = [
            with_checksum(runs, made | texts | {"id": f"{number}", "kind": "match", "name": f"m{number % 5000}"})
            for number in range(10_000)
        ]
        with store._database.writing() as connection:
            connection.execute(runs.insert(), rows)

        def seconds_to_list() -> float:
            begun = time.process_time()
            assert len(store.runs(results=False)) == 10_001
            return time.process_time() - begun

        assert any(seconds_to_list() < 0.5 for _ in range(5))  # others share this machine
        is_whole = Mock(return_value=True)
        monkeypatch.setattr("noughts.store.database.is_whole", is_whole)
        found = store.latest("match", "m7")
        assert found is not None
        assert found.name == "m7"
        assert is_whole.call_count == 3  # both of this name, and the latest with its result


def test_saved_answers_are_read_back(store: Store) -> None:
    records = {
        "b": broken_game(error="it raised ValueError: x", opening=2, moves=()),
        "Z": game(rules="bttt(D4)", moves=tuple(range(48)), ending="first"),
        "é": game(seed=-1),
        "a b'\"%_": game(seed=0, seconds_first=1e-9),
    }
    found = {
        "m2": kept("m2", "[1,2]", question=""),
        "é": kept("é", '{"x": 1.5}'),
        "bad": kept("bad", error="it failed"),
    }
    with begin(store) as run:
        run.keep(list(found.values()), {(key, BASIS): record for key, record in records.items()})
        run.keep([], {})
        assert run.games(wanted([*records, "m2", "nothing"])) == records
        assert run.answers(wanted([*found, "Z", "nothing"])) == found
        assert store.kept_by(run.id).games(wanted(records)) == records
        assert store.kept_by(run.id).answers(wanted(found)) == found
        assert run.games({}) == {}
        assert run.answers({}) == {}


def test_saving_again_replaces_the_answer(store: Store) -> None:
    with begin(store, seed=1) as one, begin(store, seed=2) as two:
        one.keep([kept("m", "1")], {("a", BASIS): game(seed=1)})
        two.keep([kept("m", "2", question=""), kept("n", "2"), kept("n", "3")], {("a", BASIS): game(seed=2)})
        assert one.games(wanted("a")) == {"a": game(seed=2)}
        assert one.answers(wanted("mn")) == {"m": kept("m", "2", question=""), "n": kept("n", "3")}


def test_another_basis_makes_another_answer(store: Store) -> None:
    with begin(store) as run:
        for basis in ("old", "new"):
            run.keep([kept("m", basis, basis)], {(key, basis): game(rules=basis) for key in "ab"})
        assert run.games({"a": "old", "b": "new"}) == {"a": game(rules="old"), "b": game(rules="new")}
        assert run.answers({"m": "old"}) == {"m": kept("m", "old", "old")}
        assert run.games({"a": "newer"}) == {}
        assert run.answers({"m": "newer"}) == {}


def test_failures_count_only_for_the_run_in_which_they_happened(store: Store) -> None:
    failure, broken = kept("m", error="it failed"), broken_game()
    with begin(store, seed=1) as one, begin(store, seed=2) as two:
        one.keep([failure], {("a", BASIS): broken})
        for run, answers_seen, games_seen in ((one, {"m": failure}, {"a": broken}), (two, {}, {})):
            assert run.answers(wanted("m")) == store.kept_by(run.id).answers(wanted("m")) == answers_seen
            assert run.games(wanted("a")) == store.kept_by(run.id).games(wanted("a")) == games_seen
        two.keep([kept("m", "1")], {("a", BASIS): game()})
        for run in (one, two):
            assert run.answers(wanted("m")) == {"m": kept("m", "1")}
            assert run.games(wanted("a")) == {"a": game()}


def test_a_failure_does_not_replace_a_later_answer_of_another_run(store: Store) -> None:
    with begin(store, seed=1) as one, begin(store, seed=2) as two:
        two.keep([kept("m", "1")], {("a", BASIS): game()})
        one.keep([kept("m", error="it failed"), kept("n", "2")], {("a", BASIS): broken_game(), ("b", BASIS): game()})
        for run in (one, two):
            assert run.answers(wanted("mn")) == {"m": kept("m", "1"), "n": kept("n", "2")}
            assert run.games(wanted("ab")) == {"a": game(), "b": game()}


def test_a_failure_replaces_a_failure(store: Store) -> None:
    with begin(store, seed=1) as one, begin(store, seed=2) as two:
        for run, reason in ((one, "first"), (two, "second")):
            run.keep([kept("m", error=reason)], {("a", BASIS): broken_game(error=reason)})
        assert two.answers(wanted("m"))["m"].error == two.games(wanted("a"))["a"].error == "second"
        assert one.answers(wanted("m")) == {}
        assert one.games(wanted("a")) == {}


def test_rows_are_written_once_in_a_fixed_order(tmp_path: Path) -> None:
    """On a server, two processes that write the same rows in different orders would wait for each other."""
    written: list[list[str]] = []

    def listen(_: object, __: object, statement: str, rows: Sequence[Sequence[str]], *___: object) -> None:
        if " CONFLICT (" in statement:
            written.append([row[0] for row in rows])

    with Store.open(str(tmp_path)) as store, begin(store) as run:
        event.listen(store._database.engine, "before_cursor_execute", listen)
        run.keep([kept(key) for key in "cabca"], {(key, BASIS): game() for key in "zxy"})
    assert written == [["a", "b", "c"], ["x", "y", "z"]]


def test_any_number_of_keys_may_be_requested(store: Store) -> None:
    records = {f"{number:05}": game(seed=number) for number in range(801)}
    with begin(store) as run:
        run.keep([kept(key, key) for key in records], {(key, f"basis {key[-2:]}"): records[key] for key in records})
        for count in (1, 399, 400, 401, 800, 801):
            chosen = list(records)[-count:]
            assert run.games({key: f"basis {key[-2:]}" for key in chosen}) == {key: records[key] for key in chosen}
            assert run.answers(wanted([*chosen, "other"])) == {key: kept(key, key) for key in chosen}
        everyone = {key: f"basis {number}" for number, key in enumerate(records)}
        assert sorted(run.games(everyone)) == [f"{number:05}" for number in range(10, 100)]


def test_a_run_has_a_description(store: Store) -> None:
    before, clock = datetime.now(UTC), Clock()
    with begin(store, seed=2**64 - 1, clock=clock) as run:
        running = store.run(run.id)
        assert running == run.info
        clock.moment += 1.5
        run.count_time()
        assert store.run(run.id).seconds == 1.5
        clock.moment += 2.25
        run.finish('{"answer": 42}')
    (info,) = store.runs()
    assert info == run.info == store.run(run.id)
    assert (info.kind, info.name, info.seed, info.status) == ("study", "first-move", 2**64 - 1, "finished")
    assert (info.seconds, info.result) == (3.75, '{"answer": 42}')
    assert info.identity == IDENTITY
    assert info.environment.cores >= 1
    assert (running.status, running.finished, running.result) == ("running", None, None)
    assert info.finished is not None
    assert before <= datetime.fromisoformat(info.started) <= datetime.fromisoformat(info.finished)
    assert info.started.endswith("+00:00")


def test_an_unfinished_run_resumes(store: Store) -> None:
    clock = Clock()
    with begin(store, clock=clock) as run:
        assert not run.resumed
        keep_games(run, a=game())
        clock.moment += 2
    clock.moment += 100
    with begin(store, clock=clock) as again:
        assert again.resumed
        assert again.id == run.id
        assert again.games(wanted("a")) == {"a": game()}
        clock.moment += 1
        again.count_time()
        assert again.info.seconds == 3
        assert again.info.started == run.info.started


def test_time_is_saved_regularly_so_that_a_crash_loses_little(store: Store) -> None:
    clock = Clock()
    with begin(store, clock=clock) as run:
        clock.moment += 4
        keep_games(run, a=game())
        assert store.run(run.id).seconds == 0, "not with each answer"
        clock.moment += 2
        keep_games(run, b=game())
        assert store.run(run.id).seconds == 6


def test_another_identity_is_another_run_whatever_the_order_of_its_keys(store: Store) -> None:
    with begin(store) as run:
        pass
    with store.begin("study", "first-move", dict(reversed(IDENTITY.items())), 1) as again:
        assert again.id == run.id
    for kind, name, identity, seed in (
        ("match", "first-move", IDENTITY, 1),
        ("study", "table-2", IDENTITY, 1),
        ("study", "first-move", {**IDENTITY, "scale": "paper"}, 1),
        ("study", "first-move", IDENTITY, 2),
    ):
        with store.begin(kind, name, identity, seed) as other:  # type: ignore[arg-type] # kinds in a loop
            assert not other.resumed
            assert other.id != run.id


def test_a_finished_run_is_not_resumed(store: Store) -> None:
    with begin(store) as run:
        run.finish("{}")
    assert [name for name in os.listdir(store.folder / "locks") if name != "create.lock"] == []
    with begin(store) as other:
        assert not other.resumed
        assert other.id != run.id


def test_a_run_in_use_is_left_alone(store: Store) -> None:
    with begin(store) as run, begin(store) as other:
        assert not other.resumed
        assert other.id != run.id
    with begin(store) as again, begin(store) as too:
        assert again.resumed
        assert too.resumed
        assert {again.id, too.id} == {run.id, other.id}


def test_a_run_that_another_process_just_finished_is_not_resumed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with begin(store) as run:
        listed = store.runs()
        run.finish("{}")
    answers, read = [listed], store._runs
    monkeypatch.setattr(  # as before the other had finished
        store, "_runs", lambda *wanted, **_: answers.pop() if answers else read(*wanted)
    )
    with begin(store) as other:
        assert not other.resumed
        assert other.id != run.id


def test_nothing_is_added_to_a_finished_run(store: Store) -> None:
    with begin(store) as run:
        run.finish("{}")
        with pytest.raises(StoreError, match=f"^run {run.id} is finished: nothing can be added to it$"):
            keep_games(run, a=game())
    with begin(store) as run:
        pass
    attempts: tuple[Callable[[], None], ...] = (
        lambda: keep_games(run, a=game()),
        run.count_time,
        lambda: run.finish("{}"),
    )
    for late in attempts:
        with pytest.raises(StoreError, match=f"^run {run.id} is closed: nothing can be added to it$"):
            late()
    run.close()
    assert run.games(wanted("a")) == {}
    with pytest.raises(StoreError, match=f"^run {run.id} is only read here: nothing can be added to it$"):
        store.kept_by(run.id).keep([kept("m")], {})


def test_the_latest_finished_run_is_found_by_name_and_scale(store: Store) -> None:
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
    assert store.latest("study", "s") == paper
    assert store.runs("study") == store.runs() == (quick, paper, running)
    assert store.runs("match") == ()


def test_threads_may_share_a_store(store: Store) -> None:
    with begin(store) as run, ThreadPoolExecutor(8) as threads:
        keys = [f"{number:03}" for number in range(200)]
        list(threads.map(lambda key: keep_games(run, **{key: game()}), keys))
        assert sum(threads.map(lambda _: len(run.games(wanted(keys))), range(8))) == 1600


def test_a_run_that_was_dropped_without_closing_can_be_resumed(store: Store) -> None:
    run_id = begin(store).id
    gc.collect()
    with begin(store) as again:
        assert (again.id, again.resumed) == (run_id, True)


def test_a_run_may_be_closed_by_another_thread(store: Store) -> None:
    run = begin(store)
    with ThreadPoolExecutor(1) as thread:
        thread.submit(run.close).result()
    with begin(store) as again:
        assert again.id == run.id


def test_a_store_that_is_dropped_closes_its_database(tmp_path: Path) -> None:
    with Store.open(str(tmp_path)).begin("match", "m", {}, 0) as run:
        keep_games(run, a=game())
    del run
    assert not (tmp_path / "results.sqlite-wal").exists()


def test_changed_versions_since_the_latest_run_are_named(store: Store) -> None:
    versions = {"engine.py": "1", "other.py": "1"}
    with store.begin("match", "outside", IDENTITY, 0, outside=versions) as first:
        assert first.changed == ()
    with store.begin("match", "outside", IDENTITY, 0, outside=versions) as same:
        assert (same.id, same.changed) == (first.id, ())
    with store.begin("match", "outside", IDENTITY, 0, outside=versions | {"engine.py": "2", "new.py": "1"}) as second:
        assert second.id != first.id
        assert second.changed == ("engine.py", "new.py")
        second.finish("{}")
    with store.begin("match", "outside", IDENTITY, 0, outside={"engine.py": "3"}) as third:
        assert third.changed == ("engine.py", "new.py", "other.py")  # also after the latest has finished
    with store.begin("match", "outside", IDENTITY, 1, outside={"engine.py": "3"}) as other:
        assert other.changed == ()


def test_checksums_never_change_between_versions() -> None:
    """Existing checksums stay valid: they cover the values with a unit separator between them."""
    names = [column.name for column in games.columns if column.name != "checksum"]
    row = dict(zip(names, "kbracdefghijklmnop", strict=False))
    expected = blake2b("\x1f".join(row.values()).encode(), digest_size=8).hexdigest()
    assert with_checksum(games, row)["checksum"] == expected


def test_only_the_finished_run_of_equal_work_is_found(store: Store) -> None:
    with store.begin("study", "found", IDENTITY, 0) as whole:
        whole.finish("{}")
    with store.begin("study", "found", IDENTITY, 0) as later:
        found = store.finished("study", "found", IDENTITY, 0)
        assert found is not None
        assert found.id == whole.id != later.id
    assert store.finished("study", "found", IDENTITY, 1) is None
