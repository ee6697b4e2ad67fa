"""What can still be read of a damaged store is kept, to the last row and line; the rest is counted, named and set aside."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from noughts.rules import StoreError
from noughts.store import files, salvage
from noughts.store.condition import Condition, Part, condition
from noughts.store.files import Disk
from noughts.store.repair import repair
from noughts.store.results import Store
from noughts.store.run_folder import RunFolder, Status, training_folder
from tests.store.samples import begin, game, keep_games, kept, wanted

KEYS = [f"{number:04}" for number in range(2100)]
TABLES = ("runs", "games", "answers", "saved_games")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A store with more games than are written at once, and a training run."""
    with Store.open(str(tmp_path)) as store, begin(store) as run:
        keep_games(run, **{key: game(seed=int(key)) for key in KEYS})
        run.keep([kept("a"), kept("b")], {})
        store.saved_games.add("mine", "tic-tac-toe", 0, "{}")
    trained = RunFolder.create(
        training_folder(str(tmp_path)) / "toy",
        method="az", task="bttt(D4)", config={}, seed=3, created=datetime(2020, 1, 2, tzinfo=UTC),
    )  # fmt: skip
    for iteration in (1, 2, 3):
        trained.metrics.append("iteration", iteration, 10 * iteration, 0.5 * iteration, {"loss": 1 / iteration})
        trained.metrics.append("measurement", iteration, 10 * iteration, 0.5 * iteration, {"wins": 1})
        about = {"positions": 10 * iteration, "seconds": 0.5 * iteration, "lines": trained.metrics.sync()}
        trained.checkpoints.save(iteration, {"state": bytes([iteration])}, about)
        trained.weights.save(iteration, {"weights": bytes([iteration])})
    trained.write_status(Status(state="finished", iterations=3, positions=30, seconds=1.5, lines=6))
    return tmp_path


def toy(place: Path) -> RunFolder:
    return RunFolder.open(training_folder(str(place)) / "toy")


def change(place: Path, *statements: str) -> None:
    with closing(sqlite3.connect(place / "results.sqlite")) as connection, connection:
        for statement in statements:
            assert connection.execute(statement).rowcount == 1


def part(found: Condition, name: str) -> Part:
    return next(each for each in found.parts if each.name == name)


def content(place: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    with closing(sqlite3.connect(place / "results.sqlite")) as connection:
        return {table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in TABLES}


def flip(path: Path, at: int = 9) -> None:
    before = path.read_bytes()
    path.write_bytes(before[:at] + bytes([before[at] ^ 1]) + before[at + 1 :])


def test_the_condition_says_what_there_is(place: Path) -> None:
    found = condition(str(place))
    assert found.place == str(place)
    assert found.damaged == ()
    assert [(each.name, each.count) for each in found.parts] == [
        ("database", None), ("runs", 1), ("games", 2100), ("answers", 2), ("saved_games", 1), ("class_records", 0),
        ("training run toy", 3),
    ]  # fmt: skip
    assert all(each.set_aside == 0 for each in found.parts)
    sizes = [path.stat().st_size for path in toy(place).folder.rglob("*") if path.is_file()]
    assert part(found, "training run toy").bytes == sum(sizes)
    assert part(found, "runs").bytes is None
    log = place / "results.sqlite-wal"
    with Store.open(str(place)) as store, begin(store) as run:
        keep_games(run, new=game())
        assert log.stat().st_size > 0
        size = (place / "results.sqlite").stat().st_size + log.stat().st_size
        assert part(condition(str(place)), "database").bytes == size


def test_the_latest_weights_are_the_last_ones(place: Path) -> None:
    run = toy(place)
    assert run.iterations() == (1, 2, 3)
    assert run.weights_at() == run.weights_at(3) == (3, {"weights": bytes([3])})
    assert run.weights_at(1) == (1, {"weights": bytes([1])})
    assert run.weights_hash() == run.weights_hash(3) != run.weights_hash(2)


def test_all_rows_but_the_damaged_ones_are_kept(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[tuple[str, str]] = []

    class Listens(Disk):
        def sync(self, path: Path) -> None:
            super().sync(path)
            steps.append(("sync", path.name))

        def sync_folder(self, folder: Path) -> None:
            super().sync_folder(folder)
            steps.append(("folder", folder.name))

        def rename(self, old: Path, new: Path) -> None:
            super().rename(old, new)
            steps.append(("rename", new.name))

    before = content(place)
    change(place, "UPDATE games SET seed = '1' WHERE key = '1999'", "UPDATE answers SET answer = '3' WHERE key = 'b'")
    file = (place / "results.sqlite").read_bytes()
    monkeypatch.setattr(files, "DISK", Listens())
    said = repair(str(place))
    (aside,) = (place / "damaged").iterdir()
    assert said == (
        f"database: written anew; the file as it was is kept in {aside}",
        "games 1999: set aside, and asked again when it is wanted",
        "answers b: set aside, and asked again when it is wanted",
    )
    assert (aside / "results.sqlite").read_bytes() == file
    last = steps.index(("rename", "results.sqlite"))
    assert ("sync", "results.sqlite") in steps[:last]  # the copy
    assert ("folder", aside.name) in steps[:last]
    assert steps[last - 1 : last + 2] == [
        ("sync", ".results.sqlite.repaired"),
        ("rename", "results.sqlite"),
        ("folder", place.name),
    ]
    before["games"] = [row for row in before["games"] if "1999" not in row]
    before["answers"] = [row for row in before["answers"] if "b" not in row]
    assert content(place) == before
    assert sorted(path.name for path in place.iterdir()) == ["damaged", "locks", "results.sqlite", "training"]
    found = condition(str(place))
    assert found.damaged == ()
    assert {each.name: each.set_aside for each in found.parts if each.set_aside} == {"games": 1, "answers": 1}
    with closing(sqlite3.connect(place / "results.sqlite")) as connection:
        rows = {key: json.loads(row) for key, row in connection.execute("SELECT key, row FROM quarantine")}
    assert rows.keys() == {"games 1999", "answers b"}
    assert rows["games 1999"]["seed"] == "1"
    assert rows["answers b"]["answer"] == "3"
    assert repair(str(place)) == ()


def test_rows_of_a_run_that_is_damaged_itself_are_kept(place: Path) -> None:
    change(place, "UPDATE runs SET name = 'other'")
    (line,) = condition(str(place)).damaged
    assert line.endswith(": it has a wrong checksum")
    assert repair(str(place))[1:] == (f"{line.partition(':')[0]}: set aside, and asked again when it is wanted",)
    found = condition(str(place))
    assert (part(found, "runs").count, part(found, "runs").set_aside) == (0, 1)
    with Store.open(str(place)) as store:
        assert store.runs() == ()
        assert store.kept_by("anyone").games(wanted(KEYS)).keys() == set(KEYS)
    change(place, "UPDATE answers SET answer = '3' WHERE key = 'b'")
    assert len(repair(str(place))) == 2
    found = condition(str(place))  # what was set aside before is still there
    assert (part(found, "runs").set_aside, part(found, "answers").set_aside) == (1, 1)


def test_a_page_that_cannot_be_read_costs_its_rows_alone(place: Path) -> None:
    """One page in the middle of the games: those before and behind it are found."""
    file = place / "results.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        (number,) = connection.execute("SELECT rowid FROM games WHERE key = '1000'").fetchone()
    pages = file.read_bytes()
    (page,) = (
        at for at in range(0, len(pages), 4096) if pages[at] == 0x0D and b"1000" + b"012345" in pages[at : at + 4096]
    )
    file.write_bytes(pages[:page] + bytes(4096) + pages[page + 4096 :])
    said = repair(str(place))
    (line,) = (line for line in said if "cannot be read" in line)
    with Store.open(str(place)) as store:
        found = store.kept_by("anyone").games(wanted(KEYS))
    lost = [int(key) for key in KEYS if key not in found]
    assert lost == list(range(lost[0], lost[-1] + 1))
    assert lost[0] <= 1000 <= lost[-1]
    assert len(lost) < 40
    first = number - 1000 + lost[0]
    assert line.startswith(f"games: rows after the {first - 1}th cannot be read (")
    assert all(found[key].seed == int(key) for key in found)


def test_rows_without_a_table_that_is_lost_are_kept(place: Path) -> None:
    """Whatever is wrong with one table, the others are read."""
    with closing(sqlite3.connect(place / "results.sqlite")) as connection, connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE nonsense(' WHERE name = 'saved_games'")
    before = content_of_games(place)
    assert condition(str(place)).damaged
    repair(str(place))
    assert condition(str(place)).damaged == ()
    assert content_of_games(place) == before


def content_of_games(place: Path) -> int:
    with closing(sqlite3.connect(place / "results.sqlite")) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        (count,) = connection.execute("SELECT count(*) FROM games").fetchone()
    return int(count)


def test_a_full_disk_leaves_the_damaged_file_as_it_was(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(Disk):
        def rename(self, old: Path, new: Path) -> None:
            if old.name == ".results.sqlite.repaired":
                raise OSError(28, "No space left on device")
            super().rename(old, new)

    change(place, "UPDATE games SET seed = '1' WHERE key = '1999'")
    before = (place / "results.sqlite").read_bytes()
    monkeypatch.setattr(files, "DISK", Full())
    with pytest.raises(StoreError, match=r"results\.sqlite cannot be mended: No space left on device"):
        repair(str(place))
    assert (place / "results.sqlite").read_bytes() == before
    monkeypatch.undo()
    assert len(repair(str(place))) == 2
    assert not list(place.glob(".*"))


def test_gaps_are_looked_for_no_further_than_there_may_be_rows(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(salvage, "_FURTHEST", 4)
    file = place / "results.sqlite"
    pages = file.read_bytes()
    (page,) = (
        at for at in range(0, len(pages), 4096) if pages[at] == 0x0D and b"1000" + b"012345" in pages[at : at + 4096]
    )
    file.write_bytes(pages[:page] + bytes(4096) + pages[page + 4096 :])
    repair(str(place))
    with Store.open(str(place)) as store:
        found = store.kept_by("anyone").games(wanted(KEYS))
    assert 900 < len(found) <= 1000
    assert found.keys() == set(KEYS[: len(found)])


def test_a_status_is_made_again_of_the_last_checkpoint(place: Path) -> None:
    flip(toy(place).folder / "status.json")
    flip(toy(place).checkpoints.path(3) / "state", 0)
    said = repair(str(place))
    assert [line.partition(": ")[0] for line in said] == ["training run toy"] * 2
    assert said[0].endswith("set aside; training goes on from the one before")
    assert said[1].endswith("status.json: set aside, and written anew from the last checkpoint")
    run = toy(place)
    assert run.status() == Status(state="stopped", iterations=2, positions=20, seconds=1.0)
    assert run.checkpoints.iterations() == (2,)
    assert len(run.metrics.lines()) == 6
    (kept_aside,) = (place / "damaged").iterdir()
    assert sorted(path.name for path in (kept_aside / "toy").iterdir()) == [
        "checkpoints",
        "metrics.jsonl",
        "status.json",
    ]
    assert condition(str(place)).damaged == ()


def test_measurements_of_weights_that_are_lost_are_forgotten(place: Path) -> None:
    """They are made again with the weights; what was noted while it learned stays."""
    flip(toy(place).weights.path(3) / "weights", 0)
    (line,) = repair(str(place))
    assert line.endswith("set aside; those of a last checkpoint are made again by `noughts runs resume`")
    run = toy(place)
    assert [(each.kind, each.iteration) for each in run.lines()] == [
        *((kind, iteration) for iteration in (1, 2) for kind in ("iteration", "measurement")),
        ("iteration", 3),
    ]
    assert run.status() == Status(state="stopped", iterations=3, positions=30, seconds=1.5)
    assert run.weights.iterations() == (1, 2)
    latest = run.checkpoints.latest().checkpoint
    assert latest is not None
    assert latest.about == {"positions": 30, "seconds": 1.5, "lines": None}


def test_metrics_that_are_damaged_lose_their_damaged_lines_alone(place: Path) -> None:
    flip(toy(place).metrics.path, 30)
    (line,) = repair(str(place))
    assert line.endswith("lines that are damaged or missing is lost; the others are kept")
    run = toy(place)
    assert next((each.kind, each.iteration) for each in run.lines()) == ("measurement", 1)
    assert len(run.lines()) == 5
    assert run.status() == Status(state="finished", iterations=3, positions=30, seconds=1.5)


def test_a_training_run_that_is_in_use_is_not_mended(place: Path) -> None:
    flip(toy(place).weights.path(3) / "weights", 0)
    with toy(place).locked(), pytest.raises(StoreError, match="is in use by another process"):
        repair(str(place))
    assert len(toy(place).weights.iterations()) == 3
