"""`RunLock`: reserves a run for this process, by a locked file or by an advisory lock of a PostgreSQL server."""

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
    """A lock that keeps other processes from a run until it is released or this process ends, even by a crash.

    Args:
        held: A locked file, or a connection with an advisory lock of the server.
    """

    def __init__(self, held: filelock.BaseFileLock | Connection) -> None:
        self._lock: filelock.BaseFileLock | Connection | None = held
        if isinstance(held, Connection):
            weakref.finalize(self, held.close)

    @property
    def held(self) -> bool:
        """Whether the lock was not released yet."""
        return self._lock is not None

    @property
    def is_lost(self) -> bool:
        """Whether the connection is lost, and the lock with it."""
        if not isinstance(self._lock, Connection):
            return False
        try:
            self._lock.execute(select(1))
            self._lock.commit()
        except SQLAlchemyError:
            return True
        return False

    def release(self, done: bool = False) -> None:
        """Release the lock. Set `done` if the run will not be locked again, to remove the lock's file."""
        lock, self._lock = self._lock, None
        if isinstance(lock, Connection):
            with contextlib.suppress(SQLAlchemyError), lock:  # a lost connection has lost its lock
                lock.execute(select(func.pg_advisory_unlock_all()))  # the server would notice the closing only later
        elif lock is not None:
            if done:
                Path(lock.lock_file).unlink(missing_ok=True)
            lock.release()


def lock_file(path: Path) -> RunLock | None:
    """Lock a file; None if a living process holds the lock. StoreError if locking fails."""
    lock = filelock.FileLock(path, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        return None
    except (OSError, NotImplementedError) as error:
        raise StoreError(f"{path} cannot be locked ({error}): {OTHER_PLACE}") from error
    return RunLock(lock)


def lock_on_server(engine: sqlalchemy.Engine, run_id: str) -> RunLock | None:
    """Take an advisory lock, which the server releases when this process or its machine dies; None if a process holds it."""
    number = int.from_bytes(hashlib.blake2b(f"noughts run {run_id}".encode(), digest_size=8).digest(), signed=True)
    connection = engine.connect()
    try:
        connection.detach()  # so that releasing closes it instead of returning it to the pool
        taken = bool(connection.execute(select(func.pg_try_advisory_lock(number))).scalar_one())
        connection.commit()
    except BaseException:
        connection.close()
        raise
    if taken:
        return RunLock(connection)
    connection.close()
    return None
