"""Runs are listed with their answers, and removed with them; everything else stays."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from noughts.rules import StoreError
from noughts.store.results import Store
from tests.store.samples import begin, game, keep_games, kept, wanted


def test_a_run_is_removed_with_its_answers(store: Store) -> None:
    with begin(store, seed=1) as first:
        keep_games(first, a=game(), b=game())
        first.keep([kept("x"), kept("y"), kept("z")], {})
    with begin(store, seed=2) as second:
        keep_games(second, c=game(seed=5))
        second.keep([kept("w")], {})
    assert store.game_counts() == {first.id: 2, second.id: 1}
    assert store.remove(first.id) == (2, 3)
    assert [info.id for info in store.runs()] == [second.id]
    assert store.game_counts() == {second.id: 1}
    reader = store.kept_by("anyone")
    assert reader.games(wanted("abc")).keys() == {"c"}
    assert reader.answers(wanted("wxyz")).keys() == {"w"}
    assert [path.name for path in (store.folder / "locks").glob(f"{first.id}*")] == []
    with pytest.raises(StoreError, match=f"^there is no run '{first.id}' in {re.escape(store.called)}$"):
        store.remove(first.id)
    with begin(store, seed=1) as again:
        assert again.id != first.id
        assert not again.resumed
        assert again.games(wanted("ab")) == {}


def test_removing_a_run_frees_its_disk_space(tmp_path: Path) -> None:
    with Store.open(str(tmp_path)) as store:
        with begin(store, seed=1) as first:
            first.keep([kept(f"{number} {'x' * 1000}") for number in range(2000)], {})
        with begin(store, seed=2) as second:
            second.keep([kept("w")], {})
        full = sum(file.stat().st_size for file in tmp_path.glob("results.sqlite*"))
        store.remove(first.id)
        store.shrink()
        assert sum(file.stat().st_size for file in tmp_path.glob("results.sqlite*")) < full / 4
        assert store.kept_by("anyone").answers(wanted("w")).keys() == {"w"}


def test_a_busy_store_is_not_shrunk_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.store.database.BUSY_SECONDS", 0.1)
    with Store.open(str(tmp_path)) as store:
        with begin(store) as run:
            run.keep([kept("w")], {})
        with closing(sqlite3.connect(tmp_path / "results.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="has been locked by another process"):
                store.shrink()
        assert store.kept_by("anyone").answers(wanted("w")).keys() == {"w"}


def test_a_running_run_is_not_removed(store: Store) -> None:
    with begin(store) as run:
        keep_games(run, a=game())
        with pytest.raises(StoreError, match=f"run {run.id} is at work in another process: stop it first"):
            store.remove(run.id)
        assert run.games(wanted("a"))
    assert store.remove(run.id) == (1, 0)


def test_games_are_listed_by_run_and_by_question(store: Store) -> None:
    with begin(store, seed=1) as first:
        first.keep([], {("b", "one basis"): game(seed=1), ("a", "one basis"): game(seed=2)})
    with begin(store, seed=2) as second:
        second.keep([], {("a", "another"): game(seed=3), ("c", "another"): game(seed=4)})
    seeds = [[record.seed for record in store.games(run)] for run in (first.id, second.id, None)]
    assert seeds == [[2, 1], [3, 4], [2, 3, 1, 4]], "of all, both answers to one question"
    assert [(game.run_id, game.basis) for game in store.games(second.id)] == [(second.id, "another")] * 2
    assert [record.seed for record in store.games(first.id, ["c", "a"])] == [4, 2, 1]
    assert [record.seed for record in store.games(second.id, ["b", "nothing"])] == [1, 3, 4]
    assert store.games("nobody") == []
