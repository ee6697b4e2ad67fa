"""Ctrl-C that fell where Python ignores exceptions, such as a callback of the garbage collector, is raised after all."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ignored_interrupts_raised() -> Iterator[None]:
    """Raises KeyboardInterrupt at its end if one was raised within, in a place from which it cannot come out.

    JAX has such places: its callback of the garbage collector runs at any moment. Python then prints that the exception was
    ignored, and goes on. Of a thread that is not the main one nothing is changed, as interrupts do not reach it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, ignored = sys.unraisablehook, False

    def hear(found: "sys.UnraisableHookArgs") -> None:
        nonlocal ignored
        if found.exc_type is KeyboardInterrupt:
            ignored = True
        else:
            before(found)

    sys.unraisablehook = hear
    try:
        yield
    finally:
        sys.unraisablehook = before
    if ignored:
        raise KeyboardInterrupt
