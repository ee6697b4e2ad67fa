"""PostgreSQL: a database on a server, which several machines may use at once.

A commit returns when the server's disk has it, also where the server was told to be quicker. Runs are locked by advisory
locks, which the server lets go of when a process ends or its machine is lost; all that a run writes goes through
the connection that has its lock, so that nothing is written for a run that is another's by now.
"""

import contextlib
import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Table, event, func, select, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from noughts.rules.errors import MissingLibraryError, StoreError
from noughts.store.dialect import MOVE_AWAY, Dialect, RunLock, is_ours
from noughts.store.place import OTHER_PLACE
from noughts.store.tables import FIRST_TABLES, meta, metadata

CONNECT_SECONDS = 5
"""How long one address is tried; a name may have two."""

BUSY_SECONDS = 30
"""How long a writer waits for another one."""

IDLE_SECONDS = 60
"""After so long the server breaks off a transaction of a process that is stopped in the middle of it."""

_CONNECTING = {
    "connect_timeout": CONNECT_SECONDS,
    "client_encoding": "utf8",
    "application_name": "noughts",
    # A server that was lost is noticed, also while nothing is sent: after 30 + 3 * 10 s.
    **{"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 60_000},
}
"""Unless the URL says otherwise."""

_SETTINGS = f"""
    SELECT set_config('lock_timeout', '{BUSY_SECONDS}s', false),
        set_config('idle_in_transaction_session_timeout', '{IDLE_SECONDS}s', false),
        set_config('tcp_keepalives_idle', '30', false), set_config('tcp_keepalives_interval', '10', false),
        set_config('tcp_keepalives_count', '3', false),
        CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END
"""  # the server, too, notices a machine that was lost, and lets go of its locks

_MAKING = 0x6E6F7567687473  # "noughts": a server knows locks by number
_AT_ONCE = 1000  # rows that are read at once
_GHOST_SECONDS = 2.0  # how long the server is given to end a connection of ours that it takes for alive

# What PostgreSQL's codes of errors mean; the first two characters are their class.
_AGAIN = {
    "40001": "another process was in the way",
    "40P01": "another process was in the way",
    "53300": "the server has too many connections",
    "57P01": "the server is being stopped",
    "57P02": "the server has crashed",
    "57P03": "the server is not ready",
    "57P05": "the server has ended an idle connection",
    "25P03": "the server has ended an idle connection",
}
_LOST = "the connection was lost"


class SessionLock(RunLock):
    """A run's lock, held by a connection of its own, through which all is written that belongs to the run."""

    def __init__(self, engine: sqlalchemy.Engine, run_id: str, called: str) -> None:
        self._engine = engine
        self._run_id = run_id
        self._called = called
        self._number = int.from_bytes(
            hashlib.blake2b(f"noughts run {run_id}".encode(), digest_size=8).digest(), signed=True
        )
        self._connection: Connection | None = None
        self._process: tuple[int, object] | None = None  # the server's that has the lock: its number, and since when
        self._turn = threading.RLock()
        self._held = False

    @property
    def held(self) -> bool:
        """Whether it was not released yet."""
        return self._held

    def take(self) -> bool:
        """Take it; whether nobody else has it."""
        with self._turn:
            self._held = self._connect()
        return self._held

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction, and no other thread's meanwhile. The lock is taken again if it was lost."""
        with self._turn:
            if not self._alive() and not self._take_again():
                raise StoreError(
                    f"{self._called}: run {self._run_id} was taken over by another process while there was no connection: "
                    "what was kept is there"
                )
            assert self._connection is not None
            with self._connection.begin():
                yield self._connection

    def release(self, done: bool = False) -> None:
        """Let go of the run, so that whoever asks next may have it."""
        with self._turn:
            if self._alive():
                assert self._connection is not None
                with contextlib.suppress(SQLAlchemyError):  # without a connection there is no lock either
                    self._connection.execute(select(func.pg_advisory_unlock(self._number)))
                    self._connection.commit()
            self._disconnect()
            self._held = False

    def _alive(self) -> bool:
        """Whether there is a connection, as far as anybody has noticed."""
        return self._connection is not None and not self._connection.invalidated

    def _connect(self) -> bool:
        """Have a connection that has the lock; false, and no connection, if another one has it."""
        self._disconnect()
        connection = self._engine.connect()
        try:
            taken = bool(connection.execute(select(func.pg_try_advisory_lock(self._number))).scalar_one())
            if taken:
                process = text("SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
                pid, since = connection.execute(process).one()
                self._process = (pid, since)
            connection.commit()
        except BaseException:
            connection.close()
            raise
        if taken:
            self._connection = connection
        else:
            connection.close()
        return taken

    def _take_again(self) -> bool:
        """Take the lock after the connection was lost. The server may take the one before for alive: then that is ended."""
        if self._connect():
            return True
        if self._process is not None:
            end = text(
                "SELECT pg_terminate_backend(pid, :wait) FROM pg_stat_activity WHERE pid = :pid AND backend_start = :since"
            )
            pid, since = self._process
            with self._engine.begin() as connection:
                connection.execute(end, {"pid": pid, "since": since, "wait": int(1000 * _GHOST_SECONDS)})
        return self._connect()

    def _disconnect(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(SQLAlchemyError):
                self._connection.close()
            self._connection = None


class PostgresqlServer(Dialect):
    """A database on a PostgreSQL server.

    Args:
        url: As libpq's: what it leaves out, such as the password, is taken from PGPASSWORD, ~/.pgpass and so on.
    """

    shared = True

    def __init__(self, url: sqlalchemy.URL) -> None:
        self.called = sqlalchemy.URL.create(
            "postgresql", url.username, None, url.host, url.port, url.database
        ).render_as_string()
        if "@" in (url.host or ""):
            raise StoreError(
                "the store's URL has more than one @: write one in a password as %40, "
                "or leave the password out and put it into ~/.pgpass"
            )
        given = {name: value for name, value in _CONNECTING.items() if name not in url.query}
        driven = url.set(drivername="postgresql+psycopg")
        try:
            # As many connections as there are threads that read or write; two are kept for later.
            self.engine = sqlalchemy.create_engine(driven, connect_args=given, pool_size=2, max_overflow=-1)
            # None of these is kept: a run that is dropped, and not closed, has no lock any more.
            self._sessions = sqlalchemy.create_engine(driven, connect_args=given, poolclass=sqlalchemy.NullPool)
        except ImportError as error:
            missing = MissingLibraryError.of("psycopg", "postgres")
            raise StoreError(f"{self.called} cannot be used: {missing}") from error
        for engine in (self.engine, self._sessions):
            event.listen(engine, "connect", _on_connect)
        self._reads = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    def prepare(self, make: Callable[[Connection], None]) -> None:
        """Make the tables that it lacks. Where it lacks none, nothing is written, and no right to make tables is needed."""
        with self.reading() as connection:
            if self._is_ours(connection):
                return
            if (encoding := connection.execute(text("SHOW server_encoding")).scalar_one()) != "UTF8":
                raise StoreError(
                    f"{self.called} keeps text as {encoding}, which lacks letters: make it by `createdb -E UTF8 -T template0`"
                )
        with self.writing() as connection:
            # Until this transaction ends, others who make them wait.
            connection.execute(select(func.pg_advisory_xact_lock(_MAKING)))
            make(connection)

    def about(self, connection: Connection) -> dict[str, str]:
        """Nothing: the server keeps its tables as they were made."""
        return {}

    def reading(self) -> contextlib.AbstractContextManager[Connection]:
        """A connection that sees one state of the database."""
        return self._reads.connect()

    def writing(self) -> contextlib.AbstractContextManager[Connection]:
        """A connection in a transaction."""
        return self.engine.begin()

    def insert(self, table: Table) -> postgresql.Insert:
        """PostgreSQL's insert."""
        return postgresql.insert(table)

    def rows(self, connection: Connection, table: Table) -> Iterator[Sequence[Any]]:
        """All rows, some at a time."""
        yield from connection.execute(select(table).execution_options(yield_per=_AT_ONCE))

    def lock(self, run_id: str) -> SessionLock | None:
        """The lock of a run."""
        lock = SessionLock(self._sessions, run_id, self.called)
        return lock if lock.take() else None

    def bytes(self, connection: Connection) -> int:
        """How large our tables are with their indexes."""
        sizes = [func.pg_total_relation_size(func.to_regclass(name)) for name in metadata.tables]
        return sum(connection.execute(select(*sizes)).one())

    def shrink(self) -> None:
        """The server does it by itself (autovacuum)."""

    def passing(self, error: Exception, opened: bool) -> str | None:
        """Why the same may succeed later."""
        if not isinstance(error, DBAPIError):
            return None
        state = _state(error)
        if not opened:
            # This is 57P03, "cannot connect now", but libpq gives no code where there is no connection, only the words.
            return _AGAIN["57P03"] if "the database system is " in str(error.orig) else None
        if state is None and isinstance(error, OperationalError):
            return _LOST
        return _AGAIN.get(state or "", _LOST if error.connection_invalidated else None)

    def meaning(self, error: Exception) -> str | None:
        """What an error of the server, or of reaching it, means."""
        if not isinstance(error, DBAPIError):
            return None
        state = _state(error)
        told = getattr(getattr(error.orig, "diag", None), "message_primary", None)  # without the statement
        words = " ".join((told or str(error.orig)).split())
        name = self.engine.url.database or self.engine.url.username
        if state is None and isinstance(error, OperationalError):
            return _unreachable(error, words, name)
        if state == "55P03":
            return f"has been locked by another process for more than {BUSY_SECONDS:g} s: try again when it is done"
        if state in ("42P01", "42703"):
            return f"is not a noughts database ({words}): {MOVE_AWAY}"
        if state == "42501":
            return (
                f"refuses this ({words}): let its owner `GRANT CREATE ON SCHEMA public` to this user, or {OTHER_PLACE}"
            )
        if state == "25006":
            return f"can only be read ({words}): {OTHER_PLACE}"
        if state == "53100":
            return "cannot be written: the server's disk is full"
        if state is not None and state.startswith("XX"):
            return f"is damaged ({words}): bring back a backup of it"
        if state in _AGAIN:
            return f"failed: {_AGAIN[state]} ({words})"
        return None

    def _is_ours(self, connection: Connection) -> bool:
        """Whether it holds all our tables; false if none of them, or not all that there are by now.

        Raises:
            StoreError: it holds tables of another version of noughts, or of somebody else under their names.
        """
        names = set(sqlalchemy.inspect(connection).get_table_names())
        if not names & metadata.tables.keys():
            return False
        if not names >= FIRST_TABLES:
            return is_ours(names, None, self.called)
        version = connection.execute(select(meta.c.value).where(meta.c.name == "schema")).scalar()
        return is_ours(names, version, self.called)


def _unreachable(error: OperationalError, words: str, name: str | None) -> str:
    """Why there is no connection; the server's words, which may be in any language, and what can be done about it."""
    words = words.removeprefix("connection failed: ")
    refused = getattr(error.orig, "pgconn", None)
    if refused is not None and refused.needs_password:
        return f"wants a password ({words}): put it into ~/.pgpass or PGPASSWORD"
    if refused is not None and refused.used_password:
        return f"refuses the password or the user ({words})"
    if f'database "{name}" does not exist' in words:
        return f"is not there ({words}): make it by `createdb {name}`"
    return f"cannot be reached ({words}): is the server running, and does it allow this user?"


def _state(error: DBAPIError) -> str | None:
    """PostgreSQL's code of an error; None if the server did not say it."""
    return getattr(error.orig, "sqlstate", None)


def _on_connect(connection: Any, record: object) -> None:
    connection.autocommit = True
    connection.execute(_SETTINGS)
    connection.autocommit = False
