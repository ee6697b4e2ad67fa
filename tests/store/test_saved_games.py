"""Saved games are kept, listed, replaced and removed, in new databases and in those of older versions."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from noughts.rules import StoreError
from noughts.store.results import Store
from noughts.store.tables import FIRST_TABLES
from tests.store.samples import begin, game, keep_games, wanted


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path / "place")) as store:
        yield store


def test_a_game_is_kept_as_it_is(store: Store) -> None:
    document = '{"tree": "é \\ud83d"}'
    first = store.saved_games.add("mine ' é", "bttt(D4)", 7, document)
    second = store.saved_games.add("mine ' é", "tic-tac-toe", 0, "{}")
    assert first != second
    kept = store.saved_games.get(first)
    assert kept is not None
    assert (kept.name, kept.rules, kept.plies, kept.document) == ("mine ' é", "bttt(D4)", 7, document)
    assert kept.created == kept.updated
    assert [found.id for found in store.saved_games.list()] == [second, first]
    assert all(found.document == "" for found in store.saved_games.list())
    assert store.saved_games.count() == 2


def test_a_game_is_replaced_and_becomes_the_latest(store: Store) -> None:
    first = store.saved_games.add("a", "tic-tac-toe", 0, "{}")
    store.saved_games.add("b", "tic-tac-toe", 0, "{}")
    assert store.saved_games.replace(first, "c", "notakto(3)", 3, "[1]")
    kept = store.saved_games.get(first)
    assert kept is not None
    assert (kept.name, kept.rules, kept.plies, kept.document) == ("c", "notakto(3)", 3, "[1]")
    assert kept.updated > kept.created
    assert [found.name for found in store.saved_games.list()] == ["c", "b"]
    assert not store.saved_games.replace("nothing", "c", "notakto(3)", 3, "[1]")


def test_a_game_is_removed(store: Store) -> None:
    first = store.saved_games.add("a", "tic-tac-toe", 0, "{}")
    assert store.saved_games.remove(first)
    assert not store.saved_games.remove(first)
    assert store.saved_games.get(first) is None
    assert store.saved_games.list() == ()


def test_they_survive(tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "place")) as store:
        kept = store.saved_games.add("a", "tic-tac-toe", 0, "{}")
    with Store.open(str(tmp_path / "place")) as store:
        assert [found.id for found in store.saved_games.list()] == [kept]


@pytest.mark.parametrize("change", ["name = 'b'", "plies = 7", "document = '[]'"])
def test_a_game_that_was_changed_is_refused(store: Store, change: str) -> None:
    kept = store.saved_games.add("a", "tic-tac-toe", 0, "{}")
    with sqlite3.connect(store.folder / "results.sqlite") as connection:
        connection.execute(f"UPDATE saved_games SET {change}")
    connection.close()
    asks: list[Callable[[], object]] = [
        lambda: store.saved_games.get(kept),
        lambda: store.saved_games.replace(kept, "c", "tic-tac-toe", 0, "{}"),
    ]
    for ask in [*asks, *([] if "document" in change else [store.saved_games.list])]:  # lists are without documents
        with pytest.raises(StoreError, match=rf"is damaged \(saved game '{kept}' has a wrong checksum\)"):
            ask()


def test_a_database_of_an_older_version_gets_the_table_and_loses_nothing(tmp_path: Path) -> None:
    place = tmp_path / "place"
    with Store.open(str(place)) as store, begin(store) as run:
        keep_games(run, a=game())
    with sqlite3.connect(place / "results.sqlite") as connection:
        connection.execute("DROP TABLE saved_games")
        connection.execute("DELETE FROM meta WHERE name = 'tables'")
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    connection.close()
    assert names == FIRST_TABLES | {"answers", "quarantine"}
    with Store.open(str(place)) as store:
        assert store.saved_games.list() == ()
        store.saved_games.add("a", "tic-tac-toe", 0, "{}")
        (kept,) = store.runs()
        assert store.kept_by(kept.id).games(wanted("a")) == {"a": game()}


def test_a_database_that_is_only_like_ours_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "place"
    with Store.open(str(place)):
        pass
    with sqlite3.connect(place / "results.sqlite") as connection:
        connection.execute("DROP TABLE games")
    connection.close()
    before = (place / "results.sqlite").read_bytes()
    with pytest.raises(StoreError, match="is not a noughts database"):
        Store.open(str(place))
    assert (place / "results.sqlite").read_bytes() == before
