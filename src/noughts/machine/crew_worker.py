"""A crew's worker from inside: a process that does one task at a time, and tells what it finds as it goes.

Messages are JSON. To the worker: ``[number, function, argument]``. From the worker: ``["ready"]`` once; then for each
task any number of ``[number, "step", text]`` and at last one of

    [number, "done"]
    [number, "refused", message]        it raised a `NoughtsError`: the argument was wrong
    [number, "failed", message]         it raised anything else

In memory that it shares with the parent stands the number of the task that is to be stopped.
"""

import contextlib
import ctypes
import json
import pkgutil
import sys
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection

from noughts.machine.worker import settle_in
from noughts.rules.errors import NoughtsError, one_line


def serve(connection: "Connection[bytes, bytes]", stop: "ctypes.c_longlong", prepare: str) -> None:
    """The life of a crew's worker: until the parent closes its end of the connection."""
    settle_in(connection)
    sys.stdin = None  # nobody is asked anything
    # The parent may close its end or die at any moment, and then nobody waits for what is left to do.
    with contextlib.suppress(EOFError, OSError):
        if prepare:
            pkgutil.resolve_name(prepare)()
        _send(connection, "ready")
        while True:
            number, function, argument = json.loads(connection.recv_bytes())
            for message in _do(function, argument, lambda number=number: stop.value == number):  # type: ignore[misc]
                _send(connection, number, *message)


def _do(function: str, argument: str, stopped: Callable[[], bool]) -> Iterator[tuple[str, ...]]:
    try:
        with contextlib.closing(pkgutil.resolve_name(function)(argument, stopped)) as steps:
            for text in steps:
                yield "step", text
                if stopped():
                    break
    except NoughtsError as error:
        yield "refused", " ".join(str(error).split())
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # a library may call sys.exit, and that must not end the worker
        yield "failed", one_line(error)
    else:
        yield ("done",)


def _send(connection: "Connection[bytes, bytes]", *message: object) -> None:
    connection.send_bytes(json.dumps(message).encode())
