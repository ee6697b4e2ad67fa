"""What the crew's tests have it do."""

import os
import sys
import threading
import time
from collections.abc import Callable, Generator

from noughts.rules import RulesError

Stopped = Callable[[], bool]
_prepared: list[int] = []


def prepare() -> None:
    _prepared.append(os.getpid())


def prepare_slowly() -> None:
    time.sleep(4.0)


def never_ready() -> None:
    sys.exit(3)


def echo(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    yield argument
    yield f"{argument} {_prepared == [os.getpid()]}"


def who(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    time.sleep(float(argument or "0"))
    yield str(os.getpid())


def count(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    """Steps until it is stopped; says with its last breath that it heard."""
    try:
        number = 0
        while True:
            number += 1
            yield str(number)
            time.sleep(0.005)
    finally:
        if argument:
            with open(argument, "w") as file:
                file.write("heard")


def deaf(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    yield str(os.getpid())
    while True:
        pass


def refuse(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    yield "begun"
    raise RulesError("not\nlike this")


def fail(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    yield "begun"
    raise ZeroDivisionError("of course")


def leave(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    yield "begun"
    sys.exit(4)


def die(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    yield "begun"
    os._exit(5)


def long_step(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    yield "x" * 1_000_000


def work(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    """Steps that say how many seconds it has been at work, until as many as asked for are over."""
    begun = time.monotonic()
    while (ran := time.monotonic() - begun) < float(argument.split(maxsplit=1)[0]) and not stopped():
        yield f"{ran:.3f}"
        time.sleep(0.01)


def burn(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    """Uses a processor for so many seconds, and listens."""
    end = time.thread_time() + float(argument)
    while time.thread_time() < end and not stopped():
        pass
    yield argument


def late(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    """Listens, but hears so many seconds late, in which it uses no processor."""
    yield str(os.getpid())
    while not stopped():
        time.sleep(0.01)
    time.sleep(float(argument))


def priority(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    """How much lower the priority of its thread is than that of its process, until it is lower or the seconds are over."""
    begun = time.monotonic()
    while not stopped():
        found = os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) - os.getpriority(
            os.PRIO_PROCESS, os.getpid()
        )
        if found or time.monotonic() - begun > float(argument):
            yield str(found)
            return
        time.sleep(0.01)
