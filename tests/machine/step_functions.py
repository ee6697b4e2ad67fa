"""What the tests of standing pools have them do."""

import os
import time

from noughts.machine.jobs import Recorder

_prepared: list[int] = []


def prepare() -> None:
    _prepared.append(os.getpid())


def never_ready() -> None:
    raise SystemExit(3)


def echo(argument: str, recorder: Recorder) -> str:
    recorder.send_step(argument)
    recorder.send_step(f"{argument} {_prepared == [os.getpid()]}")
    return argument.upper()


def large(argument: str, recorder: Recorder) -> str:
    recorder.send_step("x" * 1_000_000)
    return ""


def count(argument: str, recorder: Recorder) -> str:
    """Steps until it is cancelled; returns that it heard."""
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


def die(argument: str, recorder: Recorder) -> str:
    recorder.send_step("begun")
    os._exit(5)


def fail(argument: str, recorder: Recorder) -> str:
    raise ZeroDivisionError("of course")
