"""User data survives a damaged file and a lost one, and moves out of databases that held it beside answers."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

from noughts.rules import StoreError
from noughts.store import saved_database as saved_module
from noughts.store.class_records import ClassRecord
from noughts.store.results import Store
from tests.store.samples import begin, execute, game, keep_games, wanted

DOCUMENT = '{"tree": "' + "x" * 500 + '"}'


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with ten saved games and a class of twenty."""
    folder = tmp_path_factory.mktemp("whole")
    with Store.open(str(folder)) as store:
        for number in range(10):
            store.saved_games.add(f"game {number}", "tic-tac-toe", number, DOCUMENT)
        store.class_records.put(*(ClassRecord("c", "pupil", f"{number:02}", DOCUMENT) for number in range(20)))
    return folder


@pytest.fixture
def place(whole: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(whole, tmp_path / "place"))


def made(place: Path) -> tuple[set[tuple[str, int, str]], set[str]]:
    """All user data, as read."""
    with Store.open(str(place)) as store:
        kept = [store.saved_games.get(found.id) for found in store.saved_games.list()]
        games = {(found.name, found.plies, found.document) for found in kept if found is not None}
        return games, {record.id for record in store.class_records.all("c") if record.document == DOCUMENT}


def change(place: Path, statement: str) -> None:
    """Change the file directly."""
    with closing(sqlite3.connect(place / "saved.sqlite")) as connection, connection:
        connection.execute(statement)


def make_schema_4(saved: Path, place: Path) -> None:
    """Put the file's content beside the answers of a store, as before user data had a file of its own."""
    with closing(sqlite3.connect(saved)) as source:
        script = [line for line in source.iterdump() if "meta" not in line]
    with closing(sqlite3.connect(place / "results.sqlite", isolation_level=None)) as connection:
        connection.executescript("\n".join(script))
        connection.execute("UPDATE meta SET value = '4' WHERE name = 'schema'")


WHOLE = ({(f"game {number}", number, DOCUMENT) for number in range(10)}, {f"{number:02}" for number in range(20)})


def test_a_backup_is_beside_the_file(place: Path) -> None:
    assert made(place) == WHOLE
    assert (place / "saved.sqlite.backup").is_file()
    assert list(place.glob("*damaged*")) == []


@pytest.mark.parametrize("share", [None, 0.0, 0.02, 0.5, 0.95])
def test_a_lost_or_truncated_file_is_restored_completely(place: Path, share: float | None) -> None:
    file = place / "saved.sqlite"
    content = file.read_bytes()
    file.unlink()
    if share is not None:
        file.write_bytes(content[: int(len(content) * share)])
    for _ in range(2):
        assert made(place) == WHOLE


@pytest.mark.parametrize("seed", range(24))
def test_no_flipped_bit_loses_or_changes_anything(place: Path, seed: int) -> None:
    rng = random.Random(seed)
    file = place / ("saved.sqlite" if seed % 6 else "saved.sqlite.backup")
    content = bytearray(file.read_bytes())
    at = rng.choice([place for place, byte in enumerate(content) if byte])
    content[at] ^= 1 << rng.randrange(8)
    file.write_bytes(content)
    if file.name == "saved.sqlite" and at < 16:
        pytest.skip("a file without SQLite's first bytes is not taken for ours, and is left alone")
    assert made(place) == WHOLE


def test_additions_since_the_backup_survive_a_damaged_row(place: Path) -> None:
    backup = (place / "saved.sqlite.backup").read_bytes()
    with Store.open(str(place)) as store:
        store.saved_games.add("late", "tic-tac-toe", 3, DOCUMENT)
    (place / "saved.sqlite.backup").write_bytes(backup)
    change(place, "UPDATE saved_games SET plies = 9 WHERE name = 'game 0'")
    assert made(place)[0] == WHOLE[0] | {("late", 3, DOCUMENT)}


def test_without_a_backup_a_damaged_row_is_dropped_and_its_file_kept(place: Path) -> None:
    (place / "saved.sqlite.backup").unlink()
    change(place, "UPDATE saved_games SET plies = 9 WHERE name = 'game 0'")
    assert made(place)[0] == WHOLE[0] - {("game 0", 0, DOCUMENT)}
    assert len([path for path in place.glob("saved.sqlite.damaged-*") if path.suffix != ""]) >= 1


def test_a_backup_is_made_during_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_module, "BACKUP_SECONDS", -1.0)
    with Store.open(str(tmp_path)) as store:
        store.saved_games.add("a", "tic-tac-toe", 0, DOCUMENT)
        with closing(sqlite3.connect(tmp_path / "saved.sqlite.backup")) as connection:
            assert connection.execute("SELECT name FROM saved_games").fetchall() == [("a",)]


def test_no_backup_is_made_soon_after_the_last_one(tmp_path: Path) -> None:
    with Store.open(str(tmp_path)) as store:
        games = store.saved_games
        first = (tmp_path / "saved.sqlite.backup").read_bytes()
        games.add("a", "tic-tac-toe", 0, DOCUMENT)
        assert (tmp_path / "saved.sqlite.backup").read_bytes() == first
    assert (tmp_path / "saved.sqlite.backup").read_bytes() != first


def test_a_store_of_schema_4_moves_user_data_to_its_own_file(place: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    with Store.open(str(old)) as store, begin(store) as run:
        keep_games(run, a=game())
    make_schema_4(place / "saved.sqlite", old)
    for _ in range(2):
        assert made(old) == WHOLE
        with Store.open(str(old)) as store:
            assert store.kept_by("anyone").games(wanted("a")) == {"a": game()}
    assert execute(str(old), "SELECT value FROM meta") == [("5",)]


def test_a_damaged_cache_costs_no_saved_game(place: Path) -> None:
    Store.open(str(place)).close()
    file = place / "results.sqlite"
    file.write_bytes(file.read_bytes()[:5000])
    assert made(place) == WHOLE


def test_a_file_of_a_newer_version_is_rejected_unchanged(place: Path) -> None:
    change(place, "UPDATE meta SET value = '9' WHERE name = 'saved'")
    file = place / "saved.sqlite"
    content = file.read_bytes()
    with Store.open(str(place)) as store, pytest.raises(StoreError, match="was written by a newer noughts"):
        store.saved_games.list()
    assert file.read_bytes() == content


def test_a_kill_during_restoring_loses_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when it is killed after creating the tables, and before all rows are inserted."""
    (place / "saved.sqlite").rename(place / "saved.sqlite.damaged-20260101-000000-000000")
    (place / "saved.sqlite.backup").unlink()
    with monkeypatch.context() as patched:
        patched.setattr(saved_module, "_readable", Mock(side_effect=KeyboardInterrupt))
        with Store.open(str(place)) as store, pytest.raises(KeyboardInterrupt):
            store.saved_games.list()
    assert made(place) == WHOLE


def test_removed_items_do_not_come_back(place: Path) -> None:
    change(place, "UPDATE saved_games SET plies = 9 WHERE name = 'game 0'")
    with Store.open(str(place)) as store:
        for game in store.saved_games.list():
            store.saved_games.remove(game.id)
    for _ in range(2):
        assert made(place)[0] == set()


def test_a_damaged_store_of_schema_4_keeps_user_data(place: Path) -> None:
    Store.open(str(place)).close()
    make_schema_4(place / "saved.sqlite", place)
    for file in place.glob("saved.sqlite*"):
        file.unlink()
    ((page,),) = execute(str(place), "SELECT rootpage FROM sqlite_master WHERE name = 'games'")
    content = bytearray((place / "results.sqlite").read_bytes())
    content[4096 * (page - 1) : 4096 * page] = random.Random(0).randbytes(4096)
    (place / "results.sqlite").write_bytes(content)
    assert made(place) == WHOLE
    assert len(list(place.glob("results.sqlite.damaged-*[0-9]"))) == 1


def test_data_of_a_killed_process_is_backed_up(place: Path) -> None:
    backup = (place / "saved.sqlite.backup").read_bytes()
    change(place, "DELETE FROM class_records")
    assert made(place)[1] == set()
    assert (place / "saved.sqlite.backup").read_bytes() != backup
