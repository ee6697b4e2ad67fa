"""A damaged cache is moved aside or recomputed row by row; foreign files are left unchanged, and one line gives the reason."""

import os
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
import sqlalchemy
from sqlalchemy import event

from noughts.rules import StoreError
from noughts.store import database as database_module
from noughts.store.place import is_url
from noughts.store.results import Store
from tests.store.conftest import refused
from tests.store.samples import BASIS, begin, broken_game, execute, game, keep_games, kept, tables_of, wanted

OTHER_PLACE = "choose another place with --store or NOUGHTS_STORE"
MOVE_AWAY = f"move it away or {OTHER_PLACE}"
KEYS = [f"{number:03}" for number in range(300)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a store with 300 games."""
    fill(str(tmp_path))
    return tmp_path


@pytest.fixture
def anywhere(place: str) -> str:
    """The same in a folder, or in a database on a server."""
    fill(place)
    return place


def fill(place: str) -> None:
    with Store.open(place) as store, begin(store) as run:
        keep_games(run, **dict.fromkeys(KEYS, game()))


def called(place: str) -> str:
    """The name of a store in error messages."""
    return place.partition("?")[0] if is_url(place) else f"{place}/results.sqlite"


def content_of(place: str) -> dict[str, object]:
    """The rows of its tables on a server, or the bytes of its file and of an unfinished log."""
    if is_url(place):
        return {name: sorted(map(repr, execute(place, f"SELECT * FROM {name}"))) for name in tables_of(place)}
    files = [Path(place) / f"results.sqlite{ending}" for ending in ("", "-wal")]
    return {path.name: path.read_bytes() for path in files if path.is_file() and path.stat().st_size}


def refusal(place: str) -> str:
    """The message on opening the store, which must not change."""
    before = content_of(place)
    message = refused(Store.open, place)
    assert content_of(place) == before
    return message


def open_damaged(place: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Open a store with a damaged database: it is saved under another name, and the store is new and usable."""
    file = place / "results.sqlite"
    content = file.read_bytes()
    left = [file.with_name(f"{file.name}{ending}") for ending in ("-wal", "-shm")]
    for path in left:
        path.write_bytes(b"")
    with Store.open(str(place)) as store, begin(store) as run:
        assert run.games(wanted(KEYS)) == {}
        keep_games(run, a=game())
        assert run.games(wanted("a")) == {"a": game()}
    (aside,) = [path for path in place.glob("results.sqlite.damaged-*") if not path.name.endswith(("-wal", "-shm"))]
    assert aside.read_bytes() == content
    assert all(aside.with_name(path.name.replace(file.name, aside.name)).exists() for path in left)
    (message,) = caplog.messages
    assert message.startswith(f"{file} is damaged (")
    assert message.endswith(f"): it was renamed to {aside.name}, and a new one is made")


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content.replace(b"checksum", b"checkrum"),  # the name of a column
        *(lambda content, keep=keep: content[: int(len(content) * keep)] for keep in (0.02, 0.3, 0.9)),
        lambda content: (
            content[: len(content) // 2] + random.Random(0).randbytes(8192) + content[len(content) // 2 + 8192 :]
        ),
    ],
)
def test_damage_is_detected_when_the_store_is_opened(
    folder: Path, damage: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    file = folder / "results.sqlite"
    file.write_bytes(damage(file.read_bytes()))
    open_damaged(folder, caplog)


def test_a_truncated_database_beside_an_unfinished_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Opening the file for writing would write a killed process's log into it."""
    with Store.open(str(tmp_path / "a")) as store, begin(store) as run:
        keep_games(run, **dict.fromkeys(KEYS, game()))
        with closing(sqlite3.connect(tmp_path / "a" / "results.sqlite")) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        keep_games(run, late=game())
        place = tmp_path / "b"
        place.mkdir()
        for suffix in ("", "-wal"):
            (place / f"results.sqlite{suffix}").write_bytes((store.folder / f"results.sqlite{suffix}").read_bytes())
    file = place / "results.sqlite"
    file.write_bytes(file.read_bytes()[:20_000])
    open_damaged(place, caplog)


@pytest.mark.parametrize(
    "change", ["seed = '2'", "identity = '[1]'", "name = 'x'", "status = 'finished'", "result = '{}'"]
)
def test_a_changed_run_is_ignored(anywhere: str, change: str) -> None:
    """So it starts over, from the existing answers."""
    ((run_id,),) = execute(anywhere, "SELECT id FROM runs")
    execute(anywhere, f"UPDATE runs SET {change}")
    with Store.open(anywhere) as store:
        assert store.runs() == ()
        assert store.latest("study", "first-move") is None
        with pytest.raises(StoreError, match=f"there is no run '{run_id}'"):
            store.run(run_id)
        with begin(store, seed=5) as run:
            assert run.games(wanted(KEYS)) == dict.fromkeys(KEYS, game())


@pytest.mark.parametrize("change", ["moves = '[4,0,7]'", "ending = 'first'", "seed = '7'", "rules = ''"])
def test_a_changed_game_is_ignored_until_saved(anywhere: str, change: str, caplog: pytest.LogCaptureFixture) -> None:
    execute(anywhere, f"UPDATE games SET {change} WHERE key = '007'")
    with Store.open(anywhere) as store, begin(store) as run:
        assert set(KEYS) - run.games(wanted(KEYS)).keys() == {"007"}
        assert set(KEYS) - store.kept_by(run.id).games(wanted(KEYS)).keys() == {"007"}
        assert len(store.games(run.id)) == len(KEYS) - 1
        assert set(caplog.messages) == {"1 damaged rows of games are ignored: computing them again fixes that"}
        keep_games(run, **{"007": game()})
        assert run.games(wanted(KEYS)) == dict.fromkeys(KEYS, game())


def test_a_row_that_is_no_text_hides_no_other(folder: Path) -> None:
    execute(str(folder), "UPDATE games SET rules = CAST(X'ff' AS TEXT) WHERE key = '007'")
    with Store.open(str(folder)) as store:
        assert set(KEYS) - store.kept_by("anyone").games(wanted(KEYS)).keys() == {"007"}


@pytest.mark.parametrize("name", ["CANTOPEN", "READONLY", "PERM", "IOERR", "IOERR_WRITE", "CANTOPEN_ISDIR"])
def test_errors_of_the_disk_are_named(folder: Path, name: str) -> None:
    error = sqlite3.OperationalError("it would not")
    error.sqlite_errorname = f"SQLITE_{name}"

    def fail(store: Store) -> None:
        with store._database.writing():
            raise sqlalchemy.exc.OperationalError("SELECT", {}, error)

    with Store.open(str(folder)) as store:
        file = folder / "results.sqlite"
        assert refused(fail, store) == f"{file} cannot be read or written (it would not): {OTHER_PLACE}"


@pytest.mark.parametrize("statements", [[], ["PRAGMA user_version=7"]])
def test_a_database_without_tables_is_a_new_store(tmp_path: Path, statements: list[str]) -> None:
    (tmp_path / "results.sqlite").touch()
    if statements:
        execute(str(tmp_path), *statements)
        assert (tmp_path / "results.sqlite").read_bytes()
    with Store.open(str(tmp_path)) as store:
        assert store.runs() == ()


@pytest.mark.parametrize(
    "content", [1, 5000, ["CREATE TABLE notes (x)"], ["CREATE TABLE meta (name, value)", "CREATE TABLE runs (id)"]]
)
def test_random_bytes_or_a_database_of_something_else(tmp_path: Path, content: int | list[str]) -> None:
    file = tmp_path / "results.sqlite"
    if isinstance(content, int):
        file.write_bytes(random.Random(content).randbytes(content))
    else:
        execute(str(tmp_path), *content)
    assert refusal(str(tmp_path)) == f"{file} is not a noughts database: {MOVE_AWAY}"


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("7", f"was written by a newer noughts (its schema is 7, this one reads 5): update noughts or {OTHER_PLACE}"),
        (
            "1",
            "was written by an older noughts (its schema is 1, this one writes 5): "
            f"rename it to keep it, and a new one is made in its place, or {OTHER_PLACE}",
        ),
        ("x", f"is not a noughts database: {MOVE_AWAY}"),
        ("-1", f"is not a noughts database: {MOVE_AWAY}"),
        (None, f"is not a noughts database: {MOVE_AWAY}"),
    ],
)
def test_another_schema_or_none(anywhere: str, version: str | None, message: str) -> None:
    change = "DELETE FROM meta" if version is None else f"UPDATE meta SET value = '{version}'"
    execute(anywhere, f"{change} WHERE name = 'schema'")
    assert refusal(anywhere) == f"{called(anywhere)} {message}"


def test_a_place_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "place", tmp_path / "file"):
        assert refusal(str(place)) == f"the store {place} cannot be made (Not a directory): {OTHER_PLACE}"


def test_a_folder_where_the_database_should_be(tmp_path: Path) -> None:
    (tmp_path / "results.sqlite").mkdir()
    assert "cannot be read or written" in refusal(str(tmp_path))


@pytest.mark.skipif(os.name != "posix", reason="tells what file systems can do on Unix alone")
def test_a_store_on_a_read_only_file_system_can_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "statvfs", Mock(return_value=Mock(f_flag=os.ST_RDONLY)))
    before = sorted(folder.iterdir())
    with Store.open(str(folder)) as store:
        assert len(store.games()) == len(KEYS)
        assert sorted(folder.iterdir()) == before  # SQLite would create files beside it, and fail
        assert "results.sqlite cannot be read or written (attempt to write a readonly" in refused(fill, str(folder))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place where even root cannot write")
def test_an_unwritable_place() -> None:
    assert refusal("/proc/noughts").startswith("the store /proc/noughts cannot be made (")
    unwritable = refused(Store.open, "sqlite:////proc/noughts.sqlite")
    assert unwritable.startswith("/proc/noughts.sqlite cannot be read or written (")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("://", "the store :// is not possible (Could not parse "),
        (
            "oracle://u:secret@h/x",
            "the store oracle://u@h/x is not possible: give a folder, sqlite:/// or postgresql://",
        ),
        ("postgresql+nothing://u:secret@h/x?password=secret", "the store postgresql+nothing://u@h/x is not possible: "),
        ("postgresql://u:a@secret@host/x", "the store's URL has more than one @: write one in a password as %40, or "),
        (
            "postgresql://u:secret@host:secret/x",
            "the store postgresql://u@host/x is not possible (its port is no number)",
        ),
        ("sqlite://", "the store sqlite:// would save nothing: name a file, as in sqlite:///results.sqlite"),
        ("sqlite:///:memory:", "the store sqlite:///"),
    ],
)
def test_an_impossible_url(url: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    said = refused(Store.open, url)
    assert said.startswith(message)
    assert "secret" not in said


def test_a_driver_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert refused(Store.open, "postgresql://u:secret@host/x") == (
        'postgresql://u@host/x cannot be used: psycopg is not installed: in your clone of noughts, run pip install ".[postgres]" or uv sync --extra postgres'
    )


def test_a_full_disk(folder: Path) -> None:
    def fill(connection: sqlite3.Connection, *_: object) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages}")

    with Store.open(str(folder)) as store, begin(store) as run:
        engine = store._database.engine
        event.listen(engine, "connect", fill)
        engine.dispose()  # so that the next connection is a new one
        large = {(f"new {number}", BASIS): broken_game(error="x" * 1000) for number in range(1000)}
        file = folder / "results.sqlite"
        full = f"{file} cannot be written: the disk is full; make room or {OTHER_PLACE}"
        assert refused(run.keep, [kept("m")], large) == full
        assert not run.answers(wanted("m"))  # all or nothing
        assert run.games(wanted([*KEYS, "new 0", "new 999"])).keys() == set(KEYS)
        event.remove(engine, "connect", fill)
        engine.dispose()
        keep_games(run, new=game())  # there is space again
        assert run.games(wanted(["new"]))


def test_a_database_that_stays_locked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.2)
    with Store.open(str(folder)) as store, begin(store) as run:
        with closing(sqlite3.connect(folder / "results.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            message = refused(lambda: keep_games(run, new=game()))
            assert run.games(wanted(KEYS))  # readers do not wait
        keep_games(run, new=game())
    locked = "has been locked by another process for more than 0.2 s: try again when it is done"
    assert message == f"{folder / 'results.sqlite'} {locked}"


def test_locks_that_cannot_be_made(folder: Path) -> None:
    with Store.open(str(folder)) as store:
        shutil.rmtree(folder / "locks")
        (folder / "locks").touch()
        assert "cannot be locked" in refused(begin, store, 9)
        assert len(store.runs()) == 1


def test_an_interrupt_on_releasing_is_raised_not_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def fail(*_: object) -> None:
        raise RuntimeError("broken")

    with Store.open(str(tmp_path)) as store:
        pool = store._database.engine.pool
        event.listen(pool, "reset", interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.runs()
        assert caplog.records == []
        event.remove(pool, "reset", interrupt)
        event.listen(pool, "reset", fail)
        store.runs()
        assert "broken" in caplog.text  # other errors are logged as before
        event.remove(pool, "reset", fail)
