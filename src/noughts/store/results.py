"""`Store`: where answers are kept, games among them, and the runs that asked for them, in one database.

Import it where it is used, and not at the top of a module that every command loads: it brings SQLAlchemy.
"""

import functools
import json
import operator
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import sqlalchemy
from sqlalchemy import ColumnElement, Table, Text, func, literal, select

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

__all__ = ["GameKind", "KeptByRun", "Kind", "Run", "RunInfo", "RunSize", "Status", "Store"]


_OUTSIDE = "outside"  # where an identity has the versions of code from outside


class GameKind(NamedTuple):
    """Games of one run that are alike in rules, agents and ending, and how many they are."""

    run_id: str
    rules: str
    first: str
    second: str
    ending: str
    games: int


class RunSize(NamedTuple):
    """What a run holds: games and other answers, and the characters of all of them and of its own row."""

    games: int
    answers: int
    bytes: int


class Store:
    """A place where results are kept. A context manager; `close` lets go of the database.

    Attributes:
        folder: Holds `locks/`, and by default the database `results.sqlite`; callers may keep more there.
        called: What people see of where the results are: the database's file, or its URL without its password.
    """

    def __init__(self, folder: Path, database: Database) -> None:
        self.folder = folder
        self.called = database.called
        self._database = database

    @functools.cached_property
    def _saved(self) -> Database:
        """What people made, which most commands do not need."""
        return open_saved(self._database)

    @functools.cached_property
    def saved_games(self) -> SavedGames:
        """Games that people kept."""
        return SavedGames(self._saved)

    @functools.cached_property
    def class_records(self) -> ClassRecords:
        """The records of classes."""
        return ClassRecords(self._saved)

    @classmethod
    def open(cls, place: str | None = None) -> Self:
        """Open the store, and make it if there is none.

        Args:
            place: A folder, or the URL of a database (it contains ``://``; for its `folder` see `store_folder`). None for
                the environment variable NOUGHTS_STORE, or else the platform's folder for user data.

        Raises:
            StoreError: the place cannot be written, or holds something else, or tables of a newer version.
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
        """Close its databases."""
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
        """Go on with the unfinished run that is the same work, if no living process is at it; otherwise a new run.

        What answers depend on in noughts itself is not part of it: each answer has its own basis.

        Args:
            kind, name: What it is called in lists; part of the identity.
            identity: JSON values that name the work.
            seed: Part of the identity.
            outside: Code from outside that is asked, by name, and what tells one version of it from another: part of the
                identity. A run with other versions is left as it is; `Run.changed` names what differs from the latest.
            clock: Seconds, by which its time is counted.

        Raises:
            StoreError: the store cannot be read or written.
        """
        text = _identity(identity, outside)
        same = {"kind": kind, "name": name, "identity": text, "seed": str(seed), "status": "running"}
        for found in self._runs(same, results=False):
            run = self._take(found.id, clock, resumed=True)
            if run is not None:
                return run
        changed = self.changed(kind, name, identity, seed, outside or {})
        moment = now()
        row = {
            # Microseconds are 5 digits, so that also runs of the same second are in the order in which they were begun.
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

    def runs(self, kind: Kind | None = None, *, results: bool = True) -> tuple[RunInfo, ...]:
        """All runs, or those of a kind, in the order in which they were started; `results` may be left out."""
        return self._runs({"kind": kind}, results)

    def with_results(self, run_ids: Sequence[str]) -> Iterator[RunInfo]:
        """Runs of these ids, in any order, but for those that are damaged or gone; as results may be large, some are read at a time."""
        for start in range(0, len(run_ids), AT_ONCE):
            yield from self._runs({}, among=run_ids[start : start + AT_ONCE])

    def run(self, run_id: str) -> RunInfo:
        """One run; StoreError if there is none of this id."""
        found = self._runs({"id": run_id})
        if not found:
            raise StoreError(f"there is no run {run_id!r} in {self.called}")
        return found[0]

    def latest(self, kind: Kind, name: str, scale: str | None = None, *, seed: int | None = None) -> RunInfo | None:
        """The finished run that was started last of those of this kind and name; None if there is none.

        Args:
            kind, name: As given to `begin`.
            scale: Only runs whose identity says this under "scale".
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
        """What is kept, as this run sees it, to be read."""
        return KeptByRun(self._database, run_id)

    def games(self, run_id: str | None = None, keys: Sequence[str] = ()) -> list[StoredGame]:
        """Games that are kept: of a run one for each question, or all there are.

        Args:
            run_id: Those that were played in this run; None for all games, whatever else they depended on.
            keys: Those of these questions, too, in whichever run they were played: they come first, in this order.
        """
        own = select(games).order_by(games.c.key)
        asked = [own if run_id is None else own.where(games.c.run_id == run_id)]
        for start in range(0, len(keys), AT_ONCE):
            asked.append(select(games).where(games.c.key.in_(keys[start : start + AT_ONCE])).order_by(games.c.run_id))
        with self._database.reading() as connection:
            rows = [row for chosen in asked for row in whole_rows(games, connection.execute(chosen))]
        if run_id is None and not keys:
            return [game_record(row, StoredGame) for row in sorted(rows, key=lambda row: (row["key"], row["run_id"]))]
        # Of several answers to one question that of the run counts, or else that of the latest run, whose id is the greatest.
        rows.sort(key=lambda row: (row["run_id"] == run_id, row["run_id"]))
        by_key = {row["key"]: row for row in rows}
        order = list(dict.fromkeys([*keys, *sorted(by_key)]))
        return [game_record(by_key[key], StoredGame) for key in order if key in by_key]

    def game_counts(self) -> dict[str, int]:
        """How many games were played in each run that has some, by its id."""
        found = select(games.c.run_id, func.count()).group_by(games.c.run_id)
        with self._database.reading() as connection:
            return {row[0]: int(row[1]) for row in connection.execute(found)}

    def game_kinds(self) -> list[GameKind]:
        """What kinds of games were played in each run, and how many of each."""
        columns = [games.c[name] for name in GameKind._fields[:-1]]
        kinds = select(*columns, func.count()).group_by(*columns).order_by(*columns)
        with self._database.reading() as connection:
            return [GameKind._make(row) for row in connection.execute(kinds)]

    def sizes(self) -> dict[str, RunSize]:
        """How much each run holds, by its id, without what the database itself adds (indexes, free pages)."""
        with self._database.reading() as connection:
            own = connection.execute(select(runs.c.id, _characters(runs)))
            found = {run_id: RunSize(0, 0, int(size)) for run_id, size in own}
            for table, place in ((games, "games"), (answers, "answers")):
                sums = select(table.c.run_id, func.count(), func.sum(_characters(table))).group_by(table.c.run_id)
                for run_id, count, size in connection.execute(sums):
                    held = found.get(run_id, RunSize(0, 0, 0))
                    found[run_id] = held._replace(**{place: int(count), "bytes": held.bytes + int(size)})
            return found

    def server_bytes(self) -> int | None:
        """How large the tables are on a server; None if the database is a file, which has a size of its own."""
        return self._database.server_bytes()

    def finished(
        self,
        kind: Kind,
        name: str,
        identity: Mapping[str, object],
        seed: int,
        outside: Mapping[str, str] | None = None,
    ) -> RunInfo | None:
        """The latest finished run of this very work, with its result; None if there is none. See `begin`."""
        text = _identity(identity, outside)
        same = {"kind": kind, "name": name, "identity": text, "seed": str(seed), "status": "finished"}
        found = self._runs(same)
        return found[-1] if found else None

    def state(self, run: RunInfo) -> Literal["finished", "running", "interrupted"]:
        """How a run stands: of one that is not finished, whether a process is at work on it."""
        if run.status == "finished":
            return "finished"
        lock = self._database.lock(run.id)
        if lock is None:
            return "running"
        lock.release(done=False)
        return "interrupted"

    def remove(self, run_id: str) -> tuple[int, int]:
        """Remove a run with all that was found in it; gives how many games and other answers that were.

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
        """Give the room of what was removed back to the disk; a large database takes some seconds.

        Raises:
            StoreError: another process is at work in it, or the disk has no room to write it anew. Nothing is lost.
        """
        self._database.shrink()

    def changed(
        self, kind: Kind, name: str, identity: Mapping[str, object], seed: int, outside: Mapping[str, str]
    ) -> tuple[str, ...]:
        """What is another version by now than in the latest run of the same work; nothing if none is. See `begin`."""
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

    def _runs(
        self, wanted: Mapping[str, str | None], results: bool = True, among: Sequence[str] | None = None
    ) -> tuple[RunInfo, ...]:
        """The wanted runs, in the order in which they were started.

        Args:
            wanted: Values by column; None for any.
            results: Whether results, which may be large, are read.
            among: Only runs of these ids; None for all.
        """
        columns = [column for column in runs.c if results or column is not runs.c.result]
        which = [runs.c[name] == value for name, value in wanted.items() if value is not None]
        if among is not None:
            which.append(runs.c.id.in_(among))
        chosen = select(*columns).where(*which).order_by(runs.c.started, runs.c.id)
        return tuple(map(run_info, self._database.rows(runs, chosen)))

    def _take(
        self, run_id: str, clock: Callable[[], float], *, resumed: bool, row: Mapping[str, Any] | None = None
    ) -> Run | None:
        """Lock a run, after which its row is inserted if one is given; None if it is another's, or finished by now."""
        lock = self._database.lock(run_id)
        if lock is None:
            return None
        done = False
        try:
            if row is not None:
                with self._database.writing() as connection:
                    connection.execute(runs.insert().values(**with_checksum(runs, row)))
            info = self.run(run_id)  # anew, as it may have been finished before it was locked
            done = info.status != "running"
            if not done:
                return Run(self._database, lock, info, resumed, clock)
        except BaseException:
            lock.release()
            raise
        lock.release(done)
        return None


def _identity(identity: Mapping[str, object], outside: Mapping[str, str] | None) -> str:
    """An identity as it is written."""
    whole = {**identity, _OUTSIDE: dict(outside)} if outside else identity
    return json.dumps(whole, sort_keys=True, allow_nan=False)


def _characters(table: Table) -> ColumnElement[int]:
    """How long a row's texts are; a number counts as eight."""
    sizes = [
        func.coalesce(func.length(column), 0) if isinstance(column.type, Text) else literal(8) for column in table.c
    ]
    return functools.reduce(operator.add, sizes)
