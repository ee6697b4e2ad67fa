"""The layout of the database matches its number: a changed layout needs a new number, so that older files are recognised."""

import sqlite3
from contextlib import closing
from pathlib import Path

from noughts.store.results import Store
from noughts.store.tables import SAVED as SAVED_FORMAT
from noughts.store.tables import SCHEMA

RUN = '"key" TEXT NOT NULL, basis TEXT NOT NULL, run_id TEXT NOT NULL,'
LAYOUT = {
    "answers": f"{RUN} question TEXT NOT NULL, answer TEXT NOT NULL, error TEXT NOT NULL, checksum TEXT NOT NULL, "
    'PRIMARY KEY ("key", basis), FOREIGN KEY(run_id) REFERENCES runs (id)',
    "games": f"{RUN} rules TEXT NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL, seed TEXT NOT NULL, "
    "opening INTEGER NOT NULL, moves TEXT NOT NULL, ending TEXT NOT NULL, error TEXT NOT NULL, culprit TEXT NOT NULL, "
    "seconds_first DOUBLE NOT NULL, seconds_second DOUBLE NOT NULL, checksum TEXT NOT NULL, "
    'PRIMARY KEY ("key", basis), FOREIGN KEY(run_id) REFERENCES runs (id)',
    "meta": "name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name)",
    "runs": "id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, identity TEXT NOT NULL, seed TEXT NOT NULL, "
    "status TEXT NOT NULL, environment TEXT NOT NULL, started TEXT NOT NULL, finished TEXT, seconds DOUBLE NOT NULL, "
    "checksum TEXT NOT NULL, result TEXT, PRIMARY KEY (id)",
}
SAVED = {
    "class_records": "class_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, updated TEXT NOT NULL, "
    "checksum TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (class_id, kind, id)",
    "meta": LAYOUT["meta"],
    "saved_games": "id TEXT NOT NULL, name TEXT NOT NULL, rules TEXT NOT NULL, plies INTEGER NOT NULL, "
    "created TEXT NOT NULL, updated TEXT NOT NULL, keeper TEXT NOT NULL, checksum TEXT NOT NULL, "
    "document TEXT NOT NULL, PRIMARY KEY (id)",
}


def tables(file: Path) -> dict[str, str]:
    with closing(sqlite3.connect(file)) as connection:
        found = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
    return {name: " ".join(sql.split()) for name, sql in found.items()}


def test_each_numbered_schema_keeps_its_layout(tmp_path: Path) -> None:
    with Store.open(str(tmp_path)) as store:
        assert store.saved_games.list() == ()
    assert (SCHEMA, SAVED_FORMAT.version) == (5, 1)
    made = {name: f"CREATE TABLE {name} ( {columns} )" for name, columns in LAYOUT.items()}
    by_run = {f"ix_{name}_run_id": f"CREATE INDEX ix_{name}_run_id ON {name} (run_id)" for name in ("answers", "games")}
    assert tables(tmp_path / "results.sqlite") == made | by_run
    assert tables(tmp_path / "saved.sqlite") == {
        name: f"CREATE TABLE {name} ( {columns} )" for name, columns in SAVED.items()
    }
