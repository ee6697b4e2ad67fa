"""What errors of SQLite, of PostgreSQL and of their files mean to users."""

import sqlite3

import filelock
import sqlalchemy
from sqlalchemy.exc import DBAPIError, OperationalError

from noughts.store.place import OTHER_PLACE

MOVE_AWAY = f"move it away or {OTHER_PLACE}"

_TRANSIENT = {
    "40001": "another process was in the way",
    "40P01": "another process was in the way",
    "53300": "the server has too many connections",
    "57P01": "the server is being stopped",
    "57P02": "the server has crashed",
    "57P03": "the server is not ready",
}
"""PostgreSQL's codes of errors after which the same may succeed later."""

_GOES_ON = "what was kept is there, and the same command goes on with it later"
_NO_DAMAGE = {
    "BUSY",
    "LOCKED",
    "CANTOPEN",
    "READONLY",
    "PERM",
    "IOERR",
    "FULL",
}  # SQLite's names of errors of a sound file


def meaning_of(error: Exception, url: sqlalchemy.URL | None, busy_seconds: float) -> str:
    """What an error means and what to do, in words that follow what the database is called.

    Args:
        url: Of the database; None if there is no engine for it yet.
        busy_seconds: How long a writer waits for another one.
    """
    cause = _cause(error)
    meaning = None
    if isinstance(cause, sqlite3.Error | filelock.Timeout):
        meaning = _sqlite_meaning(cause, busy_seconds)
    elif isinstance(error, DBAPIError):
        meaning = _server_meaning(error, url, busy_seconds)
    elif isinstance(cause, OSError):
        meaning = f"cannot be read or written ({cause.strerror or words_of(error)}): {OTHER_PLACE}"
    elif url is None:
        meaning = (
            f"is not possible ({words_of(error)}): give a folder, or the URL of a database whose driver is installed"
        )
    return meaning or f"failed: {words_of(error)}"


def words_of(error: Exception) -> str:
    """What an error, or the driver's behind it, says, on one line."""
    return " ".join(str(_cause(error)).split())


def is_corrupt(error: Exception) -> bool:
    """Whether SQLite met damage in a file."""
    return _sqlite_name(_cause(error)) == "CORRUPT"


def is_no_damage(error: Exception) -> bool:
    """Whether SQLite could not use a file for now, which may be sound."""
    return _sqlite_name(_cause(error)) in _NO_DAMAGE


def _cause(error: Exception) -> BaseException:
    """The driver's error behind one of SQLAlchemy's."""
    return error.orig if isinstance(error, DBAPIError) and error.orig else error


def _sqlite_name(cause: BaseException) -> str:
    """The first word of SQLite's name of an error; empty for another one."""
    return str(getattr(cause, "sqlite_errorname", "")).removeprefix("SQLITE_").partition("_")[0]


def _sqlite_meaning(cause: BaseException, busy_seconds: float) -> str | None:
    words = " ".join(str(cause).split())
    name = _sqlite_name(cause)
    if isinstance(cause, filelock.Timeout) or name in ("BUSY", "LOCKED"):
        return f"has been locked by another process for more than {busy_seconds:g} s: try again when it is done"
    meanings = {
        "NOTADB": f"is not a noughts database: {MOVE_AWAY}",
        "CORRUPT": f"is damaged ({words}): the same command begins anew",
        "FULL": f"cannot be written: the disk is full; make room or {OTHER_PLACE}",
    } | dict.fromkeys(("CANTOPEN", "READONLY", "PERM", "IOERR"), f"cannot be read or written ({words}): {OTHER_PLACE}")
    return meanings.get(name)


def _server_meaning(error: DBAPIError, url: sqlalchemy.URL | None, busy_seconds: float) -> str | None:
    state = getattr(error.orig, "sqlstate", None)
    primary = getattr(getattr(error.orig, "diag", None), "message_primary", None)  # without the statement
    words = " ".join(str(primary or error.orig).split()).removeprefix("connection failed: ")
    name = None if url is None else url.database or url.username
    if error.connection_invalidated:
        return f"failed: the connection was lost ({words}): {_GOES_ON}"
    if state is None and isinstance(error, OperationalError):
        return _unreachable(error, words, name)
    meanings = {
        "55P03": f"has been locked by another process for more than {busy_seconds:g} s: try again when it is done",
        "42P01": f"is not a noughts database ({words}): {MOVE_AWAY}",
        "42703": f"is not a noughts database ({words}): {MOVE_AWAY}",
        "42501": f"refuses this ({words}): let its owner `GRANT CREATE ON SCHEMA public` to this user, or {OTHER_PLACE}",
        "25006": f"can only be read ({words}): {OTHER_PLACE}",
        "53100": "cannot be written: the server's disk is full",
    } | {code: f"failed: {reason} ({words}): {_GOES_ON}" for code, reason in _TRANSIENT.items()}
    if state is not None and state.startswith("XX"):
        return f"is damaged ({words}): bring back a backup of it"
    return meanings.get(state or "")


def _unreachable(error: OperationalError, words: str, name: str | None) -> str:
    """Why there is no connection, in the server's words, which may be in any language, and what to do about it."""
    refused = getattr(error.orig, "pgconn", None)
    if refused is not None and refused.needs_password:
        return f"wants a password ({words}): put it into ~/.pgpass or PGPASSWORD"
    if refused is not None and refused.used_password:
        return f"refuses the password or the user ({words})"
    if f'database "{name}" does not exist' in words:
        return f"is not there ({words}): make it by `createdb {name}`"
    return f"cannot be reached ({words}): is the server running, and does it allow this user?"
