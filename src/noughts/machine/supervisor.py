"""The supervisor of one third-party program: a small process between us and the program, so that no process is left behind.

It runs as a file, by `python -I -S`, and is never imported. It loads as little as possible, because every program needs one.

    supervisor.py SOCKET LOG MOST PROGRAM ARGUMENT...

It starts the program in a process group of its own, with the supervisor's standard input and output, and appends up to MOST
bytes of the program's standard error to the file LOG. SOCKET is the number of a socket whose other end our process holds. When
that end is closed, because we closed it or were killed, the program has GRACE_SECONDS to end; then the program and all processes
that it started are killed. If the program ends first, the supervisor kills the rest, and ends in the same way as the program, with
the same exit code or signal. If the program cannot be started, the exit code is 126, and the log contains the reason.

On Linux the supervisor adopts orphaned processes of the program, so that none escapes by leaving its group.
"""

import os
import select
import signal
import sys

GRACE_SECONDS = 0.5
_DEATH_OF_PARENT, _ADOPT = 1, 36  # of Linux's prctl
_LOOK_EVERY = 0.05
_PIECE = 1 << 16


def main(connection: int, log: str, most: int, command: list[str]) -> None:
    """Start the program, and watch it until it is gone."""
    signal.signal(signal.SIGCHLD, lambda number, frame: None)  # so that a child's death interrupts waiting
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    _prctl(_ADOPT, 1)
    errors, theirs = os.pipe()
    file = _opened(log)
    own = os.getpid()
    program = os.fork()
    if not program:
        _become(command, connection, theirs, own)
    os.close(theirs)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for inherited in (0, 1, 2):  # only the program keeps them, so that both sides see them closed
        os.dup2(nowhere, inherited)
    copied = _Log(errors, file, most)
    status = _watch(program, connection, errors, woken, copied)
    _end_all(program, status is None)
    os.set_blocking(errors, False)  # no process is left that writes
    while copied.copy():
        pass
    if status is not None:
        _end_as(status)


def _opened(log: str) -> int:
    try:
        return os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError:  # a log is a convenience
        return os.open(os.devnull, os.O_WRONLY)


class _Log:
    """Copies the program's standard error into a file, up to `room` bytes."""

    def __init__(self, errors: int, file: int, room: int) -> None:
        self._errors, self._file, self._room = errors, file, room

    def copy(self) -> bool:
        """Copy a piece; return whether there may be more."""
        try:
            piece = os.read(self._errors, _PIECE)
        except OSError:  # nothing to read
            return False
        try:
            os.write(self._file, piece[: self._room])
            self._room -= min(self._room, len(piece))
        except OSError:  # the disk is full, and the program must not wait
            self._room = 0
        return bool(piece)


def _become(command: list[str], connection: int, errors: int, supervisor: int) -> None:
    """Turn the new process into the program."""
    try:
        os.setpgid(0, 0)
        _prctl(_DEATH_OF_PARENT, signal.SIGKILL)  # if the supervisor is killed
        if os.getppid() != supervisor:
            os._exit(1)
        os.dup2(errors, 2)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.set_inheritable(connection, False)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"it cannot be started: {error.strerror}\n".encode())
    os._exit(126)


def _watch(program: int, connection: int, errors: int, woken: int, log: "_Log") -> int | None:
    """Wait until the program ends, and return its status as `_ended` does; None if our process closes the connection first."""
    poll = select.poll()
    for descriptor in (connection, errors, woken):
        poll.register(descriptor, select.POLLIN)
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == errors:
                if not log.copy():
                    poll.unregister(errors)
            elif descriptor == woken:
                os.read(woken, _PIECE)
                if (status := _ended(program)) is not None:
                    return status
            elif not os.read(connection, _PIECE):
                return None


def _ended(program: int) -> int | None:
    """The exit code of the program, negative for the signal that ended it; None if it is running."""
    found, status = os.waitpid(program, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def _end_as(code: int) -> None:
    """End this process in the same way as the program."""
    if code < 0:
        if -code not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _end_all(program: int, alive: bool) -> None:
    """Wait briefly for a live program, kill it and all processes that it left behind, and wait until they are gone."""
    waited = 0.0
    while alive and waited < GRACE_SECONDS:
        if _ended(program) is not None:
            alive = False
            break
        select.select([], [], [], _LOOK_EVERY)
        waited += _LOOK_EVERY
    _kill(os.killpg, program)
    while True:
        for child in _children():
            _kill(os.kill, child)
        try:
            found, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not found:
            select.select([], [], [], 0.005)


def _children() -> list[int]:
    """The child processes: the program, and on Linux its adopted orphans."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def _kill(by: object, whom: int) -> None:
    try:  # noqa: SIM105 - contextlib would have to be loaded
        by(whom, signal.SIGKILL)  # type: ignore[operator] # os.kill or os.killpg
    except (ProcessLookupError, PermissionError):
        pass


def _prctl(option: int, value: int) -> None:
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4:])
