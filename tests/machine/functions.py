"""Functions that the tests run as jobs: good ones, and every kind of bad one."""

import ctypes
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

from noughts.machine import Recorder
from noughts.machine.plugins import PluginKind
from noughts.rules import NoughtsError

constant = "not a function"
_prepared: list[int] = []


def upper(argument: str, recorder: Recorder) -> str:
    return argument.upper()


def noting(argument: str, recorder: Recorder) -> str:
    recorder.note(argument, limit=30)
    return argument


def process(argument: str, recorder: Recorder) -> str:
    return str(os.getpid())


def nap(argument: str, recorder: Recorder) -> str:
    time.sleep(float(argument))
    return argument


def begun(argument: str, recorder: Recorder) -> str:
    """Nap; return when it began, by the clock that all processes of a machine share."""
    moment = time.monotonic()
    time.sleep(float(argument))
    return str(moment)


def write_line(argument: str, recorder: Recorder) -> str:
    """Add a line to a file; with "die" at the end of the argument, die after it."""
    path, line, *fate = argument.split("|")
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, f"{line}\n".encode())
    os.close(handle)
    if fate == ["die"]:
        os._exit(7)
    return line


def raising(argument: str, recorder: Recorder) -> str:
    recorder.note(f"about to raise {argument}")
    raise ValueError(f"two\nlines about {argument}")


def leaving(argument: str, recorder: Recorder) -> str:
    sys.exit(3)


def leave_at_once() -> None:
    sys.exit(3)


def giving_a_number(argument: str, recorder: Recorder) -> int:
    return 1


def noting_too_much(argument: str, recorder: Recorder) -> str:
    recorder.note("x" * int(argument))
    return "fits"


def noting_nonsense(argument: str, recorder: Recorder) -> str:
    recorder.note("", limit=float(argument))
    return ""


def die(argument: str, recorder: Recorder) -> str:
    """Die in the way given by the argument."""
    recorder.note(f"dying by {argument}")
    if argument == "exit":
        os._exit(3)
    elif argument == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif argument == "connection":  # as good as dead: it can no longer send anything
        os.closerange(3, 256)
        time.sleep(60)
    elif argument == "half a word":  # with an heir
        for thing in gc.get_objects():
            if isinstance(thing, Connection) and not thing.closed:
                os.write(thing.fileno(), b"\0\0\1\0[")
        if os.fork() == 0:
            time.sleep(20)
        os._exit(4)
    elif argument == "heir":  # a process that outlives it holds its end of the connection
        if os.fork() == 0:
            time.sleep(2)
        os._exit(4)
    return "alive"


def die_soon(argument: str, recorder: Recorder) -> str:
    """Return a result, and die when another job may already have begun."""
    threading.Timer(float(argument), os._exit, (5,)).start()
    return argument


def hang(argument: str, recorder: Recorder) -> str:
    """Hang in the way given by the first word of the argument, with the second word as the limit."""
    way, *limit = argument.split()
    recorder.note(f"hanging in {way}", limit=float(limit[0]) if limit else None)
    if len(limit) > 1:  # signal the tests' script that this one hangs
        os.write(2, f"hanging {os.getpid()}\n".encode())  # in one write, because others write there too
    if way == "python":
        while True:
            pass
    elif way == "sleep":
        time.sleep(60)
    elif way == "c":
        ctypes.PyDLL(None).sleep(60)  # holds the interpreter's lock, as most C code does
    return "woke up"


def noting_often(argument: str, recorder: Recorder) -> str:
    """Take longer than the limit, with notes in between."""
    limit, times, pause = (float(word) for word in argument.split())
    for count in range(int(times)):
        recorder.note(f"note {count}", limit=limit)
        time.sleep(pause)
    return argument


def lifting_a_limit(argument: str, recorder: Recorder) -> str:
    recorder.note("limited", limit=0.2)
    recorder.note("free")
    time.sleep(0.6)
    return argument


def leaving_a_limit_behind(argument: str, recorder: Recorder) -> str:
    recorder.note("limited", limit=0.2)
    return argument


def forking(argument: str, recorder: Recorder) -> str:
    """Fork, and return in the child too, in the way and after the seconds given by the argument.

    Ways: "fork" as in Python, "c" by the C library; "raising" raises in the child, "interrupted" an interrupt.
    "first" lets the child return before the worker, with a note of its own.
    """
    way, seconds = argument.split()
    recorder.note(f"forking by {way}")
    child = ctypes.PyDLL(None).fork() if way == "c" else os.fork()
    if child == 0:
        recorder.note("the child's", limit=0.01)
        time.sleep(float(seconds))
        if way == "raising":
            raise ValueError
        if way == "interrupted":
            raise KeyboardInterrupt
        return "the child's"
    if way == "first":
        os.waitpid(child, 0)
        raise ValueError
    return argument


def inheriting(argument: str, recorder: Recorder) -> str:
    """Leave a process that inherits all file descriptors, as C libraries do."""
    os.posix_spawn("/bin/sleep", ["sleep", argument], os.environ)
    return argument


def slipping_in(argument: str, recorder: Recorder) -> str:
    """Send the argument, as JSON, as if it came from the worker."""
    for thing in gc.get_objects():
        if isinstance(thing, Connection) and not thing.closed:
            thing.send_bytes(argument.encode())
    return argument


def interrupting(argument: str, recorder: Recorder) -> str:
    recorder.note("about to interrupt")
    raise KeyboardInterrupt(*argument.split())


def printing(argument: str, recorder: Recorder) -> str:
    """Print from Python, from C, and from a process."""
    print(f"python {argument}")
    print("kept back", end="")
    if sys.__stdout__ is not None and argument == "worker":
        print("the original", file=sys.__stdout__, flush=True)
        os.write(1, b"descriptor\n")
        subprocess.run(["echo", "process"], check=True)
    return json.dumps(argument)


def write_to_parent(argument: str, recorder: Recorder) -> str:
    """Write bytes, in hexadecimal, directly to the parent's connection, and wait."""
    (connection,) = (one for one in gc.get_objects() if type(one) is Connection and not one.closed and one.writable)
    os.write(connection.fileno(), bytes.fromhex(argument))
    time.sleep(1000)
    return ""


def wipe_slate(argument: str, recorder: Recorder) -> str:
    """Overwrite the shared memory as if the job had not begun, and die."""
    recorder._slate.begun = 0  # type: ignore[attr-defined]
    os._exit(1)


def keep_when_told(argument: str, recorder: Recorder) -> str:
    """Note the job's progress; when stopped, save it to `file` after `seconds`, and never return."""
    file, seconds = argument.split()
    assert recorder.heed_stop()
    recorder.note("at work")
    while not recorder.told_to_stop:
        time.sleep(0.01)
    time.sleep(float(seconds))
    Path(file).write_text("kept")
    recorder.record_kept()
    while True:
        time.sleep(1)


def load_plugin(argument: str, recorder: Recorder) -> str:
    """Load what a text names as an agent's class."""
    return str(PluginKind("thing", "noughts.things", NoughtsError).load(argument))


# Jobs for the tests of standing pools.


def prepare() -> None:
    _prepared.append(os.getpid())


def echo(argument: str, recorder: Recorder) -> str:
    recorder.send_step(argument)
    recorder.send_step(f"{argument} {_prepared == [os.getpid()]}")
    return argument.upper()


def large(argument: str, recorder: Recorder) -> str:
    recorder.send_step("x" * 1_000_000)
    return ""


def count(argument: str, recorder: Recorder) -> str:
    """Send steps until cancelled; return that it was."""
    number = 0
    while not recorder.told_to_stop:
        number += 1
        recorder.send_step(str(number))
        time.sleep(0.005)
    return "heard"


def deaf(argument: str, recorder: Recorder) -> str:
    recorder.send_step(str(os.getpid()))
    while True:
        pass
