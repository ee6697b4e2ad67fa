"""`Store`: the saved answers, including games, and the runs that requested them, in one database.

Import it where it is used, and not at the top of a module that every command loads, because it loads SQLAlchemy.
"""

import functools
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import sqlalchemy
from sqlalchemy import func, select

from noughts.machine.environment import current_environment
from noughts.rules.errors import StoreError
from noughts.store.class_records import ClassRecords
from noughts.store.database import Database, whole_rows
from noughts.store.files import make_folders
from noughts.store.place import OTHER_PLACE, is_url, store_folder, store_place
from noughts.store.records import StoredGame
from noughts.store.run import AT_ONCE, KeptByRun, Kind, Run, RunInfo, Status, now, run_info
from noughts.store.saved_database import open_saved
from noughts.store.saved_games import SavedGames
from noughts.store.tables import DATABASE, answers, game_record, games, metadata, runs, with_checksum

__all__ = ["GameKind", "KeptByRun", "Kind", "Run", "RunInfo", "Status", "Store"]


_OUTSIDE = "outside"  # the key of an identity for the versions of third-party code


class GameKind(NamedTuple):
    """The number of games of one run with equal rules, agents and ending."""

    run_id: str
    rules: str
    first: str
    second: str
    ending: str
    games: int


class Store:
    """The store of results. A context manager; `close` closes the database.

    Attributes:
        folder: Contains `locks/`, and by default the database `results.sqlite`; callers may add other files.
        called: The name for people: the database's file, or its URL without the password.
    """

    def __init__(self, folder: Path, database: Database) -> None:
        self.folder = folder
        self.called = database.called
        self._database = database

    @functools.cached_property
    def _saved(self) -> Database:
        """The database of what people made, opened at first use, because most commands do not need it."""
        return open_saved(self._database)

    @functools.cached_property
    def saved_games(self) -> SavedGames:
        """The games that people saved."""
        return SavedGames(self._saved)

    @functools.cached_property
    def class_records(self) -> ClassRecords:
        """The records of classes."""
        return ClassRecords(self._saved)

    @classmethod
    def open(cls, place: str | None = None) -> Self:
        """Open the store, or create it.

        Args:
            place: A folder, or the URL of a database (it contains ``://``; for its `folder` see `store_folder`). None for
                the environment variable NOUGHTS_STORE, or else the platform's folder for user data.

        Raises:
            StoreError: the place cannot be written, or contains something else or tables of a newer version.
        """
        place = store_place(place)
        folder = store_folder(place)
        locks = folder / "locks"
        try:
            make_folders(locks)
        except OSError as error:
            raise StoreError(f"the store {folder} cannot be made ({error.strerror or error}): {OTHER_PLACE}") from error
        url = place if is_url(place) else sqlalchemy.URL.create("sqlite", database=str(folder / "results.sqlite"))
        return cls(folder, Database(url, locks, metadata, DATABASE))

    def close(self) -> None:
        """Close the databases."""
        if "_saved" in vars(self):
            self._saved.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(
        self,
        kind: Kind,
        name: str,
        identity: Mapping[str, object],
        seed: int,
        outside: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> Run:
        """Resume the unfinished run of the same identity, unless a living process works on it; otherwise begin a new run.

        The identity does not contain the code of noughts itself, because each answer has its own basis.

        Args:
            kind, name: The kind and the name in lists; part of the identity.
            identity: JSON values that define the work.
            seed: Part of the identity.
            outside: The version, or a hash, of each piece of third-party code, by name; part of the identity. A run with
                other versions is left as it is; `Run.changed` names the differences from the latest run.
            clock: Returns seconds; measures the time of the run.

        Raises:
            StoreError: the store cannot be read or written.
        """
        text = _identity(identity, outside)
        same = {"kind": kind, "name": name, "identity": text, "seed": str(seed), "status": "running"}
        for found in self._runs(same, results=False):
            run = self._take(found.id, clock, resumed=True)
            if run is not None:
                return run
        changed = self._changed(kind, name, identity, seed, outside or {})
        moment = now()
        row = {
            # Microseconds (5 hexadecimal digits) keep runs of the same second in the order in which they began.
            "id": f"{moment:%Y%m%d-%H%M%S}-{moment.microsecond:05x}{secrets.randbelow(16**3):03x}",
            "kind": kind,
            "name": name,
            "identity": text,
            "seed": str(seed),
            "status": "running",
            "environment": current_environment().to_json(),
            "started": moment.isoformat(timespec="microseconds"),
            "finished": None,
            "seconds": 0.0,
            "result": None,
        }
        run = self._take(str(row["id"]), clock, resumed=False, row=row)
        if run is None:
            raise StoreError(f"the lock of the new run {row['id']} is held by another process: try again")
        run.changed = changed
        return run

    def runs(self, kind: Kind | None = None, run_id: str | None = None, *, results: bool = True) -> tuple[RunInfo, ...]:
        """All runs, or those of a kind or an id, in the order in which they started; without their results if `results` is False."""
        return self._runs({"kind": kind, "id": run_id}, results)

    def run(self, run_id: str) -> RunInfo:
        """The run of an id; StoreError if there is none."""
        found = self._runs({"id": run_id})
        if not found:
            raise StoreError(f"there is no run {run_id!r} in {self.called}")
        return found[0]

    def latest(self, kind: Kind, name: str, scale: str | None = None, *, seed: int | None = None) -> RunInfo | None:
        """The finished run of this kind and name that started last; None if there is none.

        Args:
            kind, name: As given to `begin`.
            scale: Only runs with this "scale" in their identity.
            seed: Only runs of this seed.
        """
        seed_text = None if seed is None else str(seed)
        wanted = {"kind": kind, "name": name, "status": "finished", "seed": seed_text}
        for found in reversed(self._runs(wanted, results=False)):
            if scale is None or found.identity.get("scale") == scale:
                whole = self._runs({"id": found.id})
                if whole:  # else its result is damaged
                    return whole[0]
        return None

    def kept_by(self, run_id: str) -> KeptByRun:
        """A read-only view of the saved answers that count for a run."""
        return KeptByRun(self._database, run_id)

    def games(self, run_id: str | None = None, keys: Sequence[str] = ()) -> list[StoredGame]:
        """Saved games: one for each question of a run, or all.

        Args:
            run_id: The run in which they were played; None for all games of every basis.
            keys: Also the games of these questions, from any run; they come first, in this order.
        """
        own = select(games).order_by(games.c.key)
        asked = [own if run_id is None else own.where(games.c.run_id == run_id)]
        for start in range(0, len(keys), AT_ONCE):
            asked.append(select(games).where(games.c.key.in_(keys[start : start + AT_ONCE])).order_by(games.c.run_id))
        with self._database.reading() as connection:
            rows = [row for chosen in asked for row in whole_rows(games, connection.execute(chosen))]
        if run_id is None and not keys:
            return [game_record(row, StoredGame) for row in sorted(rows, key=lambda row: (row["key"], row["run_id"]))]
        # If a question has several answers, this run's counts, or else that of the latest run, whose id is the greatest.
        rows.sort(key=lambda row: (row["run_id"] == run_id, row["run_id"]))
        by_key = {row["key"]: row for row in rows}
        order = list(dict.fromkeys([*keys, *sorted(by_key)]))
        return [game_record(by_key[key], StoredGame) for key in order if key in by_key]

    def game_counts(self) -> dict[str, int]:
        """The number of games of each run, by its id; runs without games are left out."""
        found = select(games.c.run_id, func.count()).group_by(games.c.run_id)
        with self._database.reading() as connection:
            return {row[0]: int(row[1]) for row in connection.execute(found)}

    def game_kinds(self) -> list[GameKind]:
        """The kinds of games in each run, and the number of each."""
        columns = [games.c[name] for name in GameKind._fields[:-1]]
        kinds = select(*columns, func.count()).group_by(*columns).order_by(*columns)
        with self._database.reading() as connection:
            return [GameKind._make(row) for row in connection.execute(kinds)]

    def server_bytes(self) -> int | None:
        """The bytes of the tables on a server; None if the database is a file."""
        return self._database.server_bytes()

    def finished(
        self,
        kind: Kind,
        name: str,
        identity: Mapping[str, object],
        seed: int,
        outside: Mapping[str, str] | None = None,
    ) -> RunInfo | None:
        """The latest finished run of this identity, with its result; None if there is none. See `begin`."""
        text = _identity(identity, outside)
        same = {"kind": kind, "name": name, "identity": text, "seed": str(seed), "status": "finished"}
        found = self._runs(same)
        return found[-1] if found else None

    def state(self, run: RunInfo) -> Literal["finished", "running", "interrupted"]:
        """The state of a run; an unfinished one is "running" while a process works on it."""
        if run.status == "finished":
            return "finished"
        lock = self._database.lock(run.id)
        if lock is None:
            return "running"
        lock.release(done=False)
        return "interrupted"

    def remove(self, run_id: str) -> tuple[int, int]:
        """Remove a run with its answers; return the numbers of removed games and of other answers.

        Raises:
            StoreError: there is no such run, or a process works on it.
        """
        self.run(run_id)
        lock = self._database.lock(run_id)
        if lock is None:
            raise StoreError(f"run {run_id} is at work in another process: stop it first")
        removed = False
        try:
            with self._database.writing() as connection:
                played, others = (
                    connection.execute(table.delete().where(table.c.run_id == run_id)).rowcount
                    for table in (games, answers)
                )
                connection.execute(runs.delete().where(runs.c.id == run_id))
            removed = True
        finally:
            lock.release(done=removed)
        return played, others

    def shrink(self) -> None:
        """Return the space of removed rows to the disk; this takes some seconds for a large database.

        Raises:
            StoreError: another process uses the database, or the disk has no space to rewrite it. Nothing is lost.
        """
        self._database.shrink()

    def _changed(
        self, kind: Kind, name: str, identity: Mapping[str, object], seed: int, outside: Mapping[str, str]
    ) -> tuple[str, ...]:
        """The names of third-party code whose version differs from that in the latest run of the same work. See `begin`."""
        if not outside:
            return ()
        plain = json.loads(_identity(identity, None))
        wanted = {"kind": kind, "name": name, "seed": str(seed)}
        for found in reversed(self._runs(wanted, results=False)):
            if {key: value for key, value in found.identity.items() if key != _OUTSIDE} == plain:
                then = found.identity.get(_OUTSIDE, {})
                differing = sorted(key for key in {*then, *outside} if then.get(key) != outside.get(key))
                return tuple(differing)
        return ()

    def _runs(self, wanted: Mapping[str, str | None], results: bool = True) -> tuple[RunInfo, ...]:
        """The matching runs, in the order in which they started.

        Args:
            wanted: Values by column; None for any.
            results: Whether to read results, which may be large.
        """
        columns = [column for column in runs.c if results or column is not runs.c.result]
        which = [runs.c[name] == value for name, value in wanted.items() if value is not None]
        chosen = select(*columns).where(*which).order_by(runs.c.started, runs.c.id)
        return tuple(map(run_info, self._database.rows(runs, chosen)))

    def _take(
        self, run_id: str, clock: Callable[[], float], *, resumed: bool, row: Mapping[str, Any] | None = None
    ) -> Run | None:
        """Lock a run, then insert its row if one is given; None if another process has it, or it is finished."""
        lock = self._database.lock(run_id)
        if lock is None:
            return None
        done = False
        try:
            if row is not None:
                with self._database.writing() as connection:
                    connection.execute(runs.insert().values(**with_checksum(runs, row)))
            info = self.run(run_id)  # read again, because it may have been finished before it was locked
            done = info.status != "running"
            if not done:
                return Run(self._database, lock, info, resumed, clock)
        except BaseException:
            lock.release()
            raise
        lock.release(done)
        return None


def _identity(identity: Mapping[str, object], outside: Mapping[str, str] | None) -> str:
    whole = {**identity, _OUTSIDE: dict(outside)} if outside else identity
    return json.dumps(whole, sort_keys=True, allow_nan=False)
