"""Programs that play badly, each in its own way, in either protocol: `python faulty.py PROTOCOL KIND TOKEN`.

PROTOCOL is ``gomocup`` or ``process`` and KIND is the name of a function of this file. TOKEN only lets a test find the process,
and those that it forks, by its command line. Each plays the first free square, as far as it gets. It needs no package, so that
it starts quickly.
"""

import ctypes
import json
import os
import signal
import sys
import time
from typing import NoReturn

PROTOCOL, KIND = sys.argv[1:3] if len(sys.argv) > 3 else ("", "")
IS_GOMOCUP = PROTOCOL == "gomocup"


def sleep() -> NoReturn:
    while True:
        time.sleep(60)


def write(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Asked:
    """A request: the free squares, the taken ones, and the number of moves made."""

    def __init__(self, number: int, free: list[str], taken: list[str]) -> None:
        self.number, self.free, self.taken = number, free, taken

    def play(self, square: str) -> None:
        self.taken.append(square)
        write(square if IS_GOMOCUP else json.dumps({"type": "answer", "id": self.number, "move": square}))


# The faults, in alphabetical order: called for each move. Those whose names begin with `start_` are called
# when the program starts, those with `end_` after its input was closed.


def crashes(asked: Asked) -> None:
    if len(asked.taken) > 1:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        ctypes.string_at(0)
    asked.play(asked.free[0])


def floods(asked: Asked) -> None:
    while True:
        write("MESSAGE " + "x" * 100 if IS_GOMOCUP else json.dumps({"type": "message", "text": "x" * 100}))


def forks(asked: Asked) -> None:
    """Leave child processes that hold its output open: one in its group, one in its own session."""
    for new_session in (False, True):
        if os.fork() == 0:
            if new_session:
                os.setsid()
            if os.fork() == 0:
                sleep()
            os._exit(0)
    asked.play(asked.free[0])


def garbage(asked: Asked) -> None:
    write("check this out, {")


def half_line(asked: Asked) -> None:
    sys.stdout.write("7")
    sys.stdout.flush()
    sleep()


def hangs(asked: Asked) -> None:
    sleep()


def hogs(asked: Asked) -> None:
    hog = bytearray(400 << 20)
    hog[:: 1 << 12] = b"x" * len(hog[:: 1 << 12])
    sleep()


def honest(asked: Asked) -> None:
    asked.play(asked.free[0])


def huge_line(asked: Asked) -> None:
    while True:
        sys.stdout.write("1" * 1_000_000)


def no_text(asked: Asked) -> None:
    os.write(1, b"\xff\xfe\n")
    sleep()


def nonsense_square(asked: Asked) -> None:
    asked.play("99,99" if IS_GOMOCUP else "Z99")


def out_of_turn(asked: Asked) -> None:
    asked.play(asked.free[0])
    asked.play(asked.free[-1])


def refuses(asked: Asked) -> None:
    write("ERROR I resign" if IS_GOMOCUP else json.dumps({"type": "error", "id": asked.number, "message": "I resign"}))


def talks_much(asked: Asked) -> None:
    """Correct, but prints much to standard error."""
    for _ in range(200):
        sys.stderr.write("thinking " * 100 + "\n")
    asked.play(asked.free[0])


def taken_square(asked: Asked) -> None:
    asked.play((asked.taken or asked.free)[0])


def start_crashes() -> None:
    sys.exit(4)


def start_hangs() -> None:
    sleep()


def start_talks() -> None:
    write("Welcome to my engine!")


def end_ignored() -> None:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    sleep()


# The two protocols.


def speak_gomocup() -> None:
    cols = rows = 0
    stones: list[str] = []
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word in ("START", "RECTSTART", "RESTART"):
            if rest:
                cols, rows = map(int, (rest.split(",") * 2)[:2])
            stones = []
            write("OK")
        elif word in ("BEGIN", "TURN", "DONE"):
            stones += [rest] if word == "TURN" else []
            squares = [f"{x},{y}" for y in range(rows) for x in range(cols)]
            answer(Asked(0, [square for square in squares if square not in stones], stones))
        elif word.count(",") == 2:
            stones.append(word.rpartition(",")[0])
        elif word == "END" and not KIND.startswith("end_"):
            return


def speak_process() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "hello":
            write(json.dumps({"type": "hello", "protocol": 1, "name": KIND, "version": "1"}))
        else:
            answer(Asked(asked["id"], asked["legal"], asked["moves"]))


def answer(asked: Asked) -> None:
    act = globals()[KIND]
    (honest if KIND.startswith(("start_", "end_")) else act)(asked)


if __name__ == "__main__":
    if KIND.startswith("start_"):
        globals()[KIND]()
    (speak_gomocup if IS_GOMOCUP else speak_process)()
    if KIND.startswith("end_"):
        globals()[KIND]()
