"""`RunLock`: that a run is this process's. A file is locked for it, or a PostgreSQL server holds an advisory lock."""

import contextlib
import hashlib
import weakref
from pathlib import Path

import filelock
import sqlalchemy
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import SQLAlchemyError

from noughts.rules.errors import StoreError
from noughts.store.place import OTHER_PLACE


class RunLock:
    """Keeps other processes from a run until it is released, or until this process ends, however it ends.

    Args:
        held: A locked file, or a connection that holds an advisory lock of the server.
    """

    def __init__(self, held: filelock.BaseFileLock | Connection) -> None:
        self._lock: filelock.BaseFileLock | Connection | None = held
        if isinstance(held, Connection):
            weakref.finalize(self, held.close)

    @property
    def held(self) -> bool:
        """Whether it was not released yet."""
        return self._lock is not None

    @property
    def is_lost(self) -> bool:
        """Whether the connection that holds it is lost, and the lock with it."""
        if not isinstance(self._lock, Connection):
            return False
        try:
            self._lock.execute(select(1))
            self._lock.commit()
        except SQLAlchemyError:
            return True
        return False

    def release(self, done: bool = False) -> None:
        """Let another process have the run; with `done`, when it will not be locked again, remove the lock's file."""
        lock, self._lock = self._lock, None
        if isinstance(lock, Connection):
            with contextlib.suppress(SQLAlchemyError), lock:  # a lost connection has lost its lock
                lock.execute(select(func.pg_advisory_unlock_all()))  # that it was closed is noticed a moment later
        elif lock is not None:
            if done:
                Path(lock.lock_file).unlink(missing_ok=True)
            lock.release()


def lock_file(path: Path) -> RunLock | None:
    """The lock that a file stands for; None if a living process has it. StoreError if it cannot be locked."""
    lock = filelock.FileLock(path, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        return None
    except (OSError, NotImplementedError) as error:
        raise StoreError(f"{path} cannot be locked ({error}): {OTHER_PLACE}") from error
    return RunLock(lock)


def lock_on_server(engine: sqlalchemy.Engine, run_id: str) -> RunLock | None:
    """An advisory lock, which the server releases when this process or its machine ends; None if a process has it."""
    number = int.from_bytes(hashlib.blake2b(f"noughts run {run_id}".encode(), digest_size=8).digest(), signed=True)
    connection = engine.connect()
    try:
        connection.detach()  # closed when it is released, not given back to the pool
        taken = bool(connection.execute(select(func.pg_try_advisory_lock(number))).scalar_one())
        connection.commit()
    except BaseException:
        connection.close()
        raise
    if taken:
        return RunLock(connection)
    connection.close()
    return None
