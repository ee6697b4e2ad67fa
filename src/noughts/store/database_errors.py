"""Explain errors of SQLite, of PostgreSQL and of their files to users."""

import filelock
import sqlalchemy
from sqlalchemy.exc import DBAPIError, OperationalError

from noughts.store.place import OTHER_PLACE

MOVE_AWAY = f"move it away or {OTHER_PLACE}"

_GOES_ON = "finished work is saved; repeat the command later to resume"

_MEANINGS = {
    **dict.fromkeys(
        ("BUSY", "LOCKED", "55P03"),
        "has been locked by another process for more than {seconds:g} s: try again when it is done",
    ),
    **dict.fromkeys(("NOTADB", "42P01", "42703"), f"is not a noughts database ({{words}}): {MOVE_AWAY}"),
    **dict.fromkeys(("CANTOPEN", "READONLY", "PERM", "IOERR"), f"cannot be read or written ({{words}}): {OTHER_PLACE}"),
    **dict.fromkeys(("40001", "40P01"), f"failed: another process was in the way ({{words}}): {_GOES_ON}"),
    **dict.fromkeys(("57P01", "57P02", "57P03"), f"failed: the server is not ready ({{words}}): {_GOES_ON}"),
    "53300": f"failed: the server has too many connections ({{words}}): {_GOES_ON}",
    "CORRUPT": "is damaged ({words}): repeat the command to start again",
    "XX": "is damaged ({words}): restore a backup of it",
    "FULL": f"cannot be written: the disk is full; make room or {OTHER_PLACE}",
    "53100": "cannot be written: the server's disk is full",
    "42501": f"refuses this ({{words}}): let its owner `GRANT CREATE ON SCHEMA public` to this user, or {OTHER_PLACE}",
    "25006": f"can only be read ({{words}}): {OTHER_PLACE}",
}
"""The meaning of errors, by the first word of SQLite's error name, or by PostgreSQL's code or its first two characters."""

_NO_DAMAGE = {"BUSY", "LOCKED", "CANTOPEN", "READONLY", "PERM", "IOERR", "FULL"}


def meaning_of(error: Exception, url: sqlalchemy.URL | None, busy_seconds: float) -> str:
    """The meaning of an error and what to do, as a text that follows the name of the database.

    Args:
        url: The URL of the database; None if it has no engine yet.
        busy_seconds: How long a writer waits for another.
    """
    cause, words = _cause(error), words_of(error)
    code = "BUSY" if isinstance(cause, filelock.Timeout) else _code_of(cause)
    meaning = _MEANINGS.get(code) or _MEANINGS.get(code[:2])
    if meaning is not None:
        return meaning.format(words=words, seconds=busy_seconds)
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return f"failed: the connection was lost ({words}): {_GOES_ON}"
    if isinstance(error, OperationalError) and hasattr(cause, "sqlstate") and not code:
        return _unreachable(error, words, None if url is None else url.database or url.username)
    if isinstance(cause, OSError):
        return f"cannot be read or written ({cause.strerror or words}): {OTHER_PLACE}"
    if url is None:
        return f"is not possible ({words}): give a folder, or the URL of a database whose driver is installed"
    return f"failed: {words}"


def words_of(error: Exception) -> str:
    """The message of an error, or of the driver's error behind it, on one line, without the SQL statement."""
    cause = _cause(error)
    primary = getattr(getattr(cause, "diag", None), "message_primary", None)
    return " ".join(str(primary or cause).split()).removeprefix("connection failed: ")


def is_corrupt(error: Exception) -> bool:
    """Whether SQLite found damage in a file."""
    return _code_of(_cause(error)) == "CORRUPT"


def is_no_damage(error: Exception) -> bool:
    """Whether SQLite could not use a file at present, although it may be undamaged."""
    return _code_of(_cause(error)) in _NO_DAMAGE


def _cause(error: Exception) -> BaseException:
    """The driver's error behind one of SQLAlchemy's."""
    return error.orig if isinstance(error, DBAPIError) and error.orig else error


def _code_of(cause: BaseException) -> str:
    """The first word of SQLite's error name, or PostgreSQL's code; empty for other errors."""
    name = str(getattr(cause, "sqlite_errorname", "")).removeprefix("SQLITE_").partition("_")[0]
    return name or getattr(cause, "sqlstate", None) or ""


def _unreachable(error: OperationalError, words: str, name: str | None) -> str:
    """Why there is no connection, in the server's words, which may be in any language, and what to do."""
    refused = getattr(error.orig, "pgconn", None)
    if refused is not None and refused.needs_password:
        return f"wants a password ({words}): put it into ~/.pgpass or PGPASSWORD"
    if refused is not None and refused.used_password:
        return f"refuses the password or the user ({words})"
    if f'database "{name}" does not exist' in words:
        return f"is not there ({words}): make it by `createdb {name}`"
    return f"cannot be reached ({words}): is the server running, and does it allow this user?"
