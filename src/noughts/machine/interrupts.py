"""Ctrl-C at the right moment: raised after all where it could not come out as what it is, and held back where it must not fall."""

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def ignored_interrupts_raised() -> Iterator[None]:
    """Raises KeyboardInterrupt at its end if one was raised within, in a place from which it cannot come out.

    JAX has such places: its callback of the garbage collector runs at any moment. Python then prints that the exception was
    ignored, and goes on. Pydantic's compiled code has others: it raises an error of its own, whose text names the exception.
    Of a thread that is not the main one nothing is changed, as interrupts do not reach it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, ignored = sys.unraisablehook, False

    def notice(found: "sys.UnraisableHookArgs") -> None:
        nonlocal ignored
        if found.exc_type is KeyboardInterrupt:
            ignored = True
        else:
            before(found)

    sys.unraisablehook = notice
    try:
        yield
    except ValueError as error:
        if not _is_interrupt(error):
            raise
        raise KeyboardInterrupt from error
    finally:
        sys.unraisablehook = before
    if ignored:
        raise KeyboardInterrupt


def _is_interrupt(error: ValueError) -> bool:
    """Whether Pydantic raised this where it was interrupted; a command that did not load Pydantic does not load it for this."""
    if "pydantic_core" not in sys.modules:
        return False
    from pydantic_core import PydanticSerializationError

    return isinstance(error, PydanticSerializationError) and KeyboardInterrupt.__name__ in str(error)


@contextlib.contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back, here and in processes that are started here, until they unblock it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker  # not for commands that start no process

    resource_tracker.ensure_running()  # it comes with the first process, and would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
