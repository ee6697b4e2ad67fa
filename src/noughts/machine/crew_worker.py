"""A crew's worker from inside: a process that does one task at a time, and tells what it finds as it goes.

Messages are JSON. To the worker: ``[number, function, argument, whether it is a long task]``. From the worker: ``["ready"]``
once; then for each task any number of ``[number, "step", text]`` and at last one of

    [number, "done"]
    [number, "refused", message]        it raised a `NoughtsError`: the argument was wrong
    [number, "failed", message]         it raised anything else

In memory that it shares with the parent stand the number of the task that is to be stopped, and which thread is at work, as
the system numbers threads. Each task has a thread of its own: that of a long one has a lower priority, where the system has
one for threads (Linux), so that short tasks, and those who ask and answer, find a processor at once.
"""

import contextlib
import ctypes
import json
import os
import pkgutil
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

from noughts.machine.worker import settle_in
from noughts.rules.errors import NoughtsError, one_line

LOWERED = 10
"""By how much the priority of a long task is lower, in steps of `os.nice`: it gets a tenth of what a short one gets beside it."""


class Shared(ctypes.Structure):
    """What a worker and its parent share: `stop`, the number of the task that is to be stopped; `thread`, which is at work, or 0."""

    _fields_ = (("stop", ctypes.c_longlong), ("thread", ctypes.c_longlong))


def lower(thread: int) -> None:
    """Give a thread of any process of ours a lower priority, for good; nothing where the system has none for threads."""
    if sys.platform == "linux" and thread:
        with contextlib.suppress(OSError):  # it has just ended
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, os.getpid()) + LOWERED)


def serve(connection: "Connection[bytes, bytes]", shared: Any, prepare: str) -> None:
    """The life of a crew's worker: until the parent closes its end of the connection; `shared` is a `Shared`."""
    settle_in(connection)
    sys.stdin = None  # nobody is asked anything
    # The parent may close its end or die at any moment, and then nobody waits for what is left to do.
    with contextlib.suppress(EOFError, OSError):
        if prepare:
            pkgutil.resolve_name(prepare)()
        _send(connection, "ready")
        while True:
            number, function, argument, is_long = json.loads(connection.recv_bytes())
            messages = _do(function, argument, lambda number=number: shared.stop == number)  # type: ignore[misc]
            _tell(connection, number, messages, shared, is_long)


def _tell(
    connection: "Connection[bytes, bytes]",
    number: int,
    messages: Iterator[tuple[str, ...]],
    shared: Any,
    is_long: bool,
) -> None:
    """Do a task in a thread, because after one that was lowered only a new thread has the usual priority."""
    broke: list[BaseException] = []

    def work() -> None:
        shared.thread = threading.get_native_id()
        if is_long:
            lower(shared.thread)
        try:
            for message in messages:
                if message[0] != "step":
                    shared.thread = 0  # before the parent, who lowers it, hears of the end
                _send(connection, number, *message)
        except BaseException as error:  # it is raised where the worker's life is told
            broke.append(error)

    thread = threading.Thread(target=work, name="noughts-task", daemon=True)
    thread.start()
    thread.join()
    if broke:
        raise broke[0]


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
