"""Ctrl-C and SIGTERM at the right moment: raised again where a library swallowed it, and held back where it would do harm."""

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator

INTERRUPTS = frozenset({signal.SIGINT, signal.SIGTERM})
"""The signals that stop a command: Ctrl-C, and the one by which clusters and containers end programs."""


@contextlib.contextmanager
def ignored_interrupts_raised() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end of the block if a library inside it swallowed one.

    JAX swallows it in its callback of the garbage collector, which runs at any moment: Python then only prints that the exception
    was ignored. Pydantic's compiled code raises an error of its own instead, whose text names the exception. In other threads than
    the main one this does nothing, because interrupts do not reach them.
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
    """Whether Pydantic raised this error when it was interrupted. Pydantic is not loaded for this check."""
    if "pydantic_core" not in sys.modules:
        return False
    from pydantic_core import PydanticSerializationError

    return isinstance(error, PydanticSerializationError) and KeyboardInterrupt.__name__ in str(error)


@contextlib.contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold back Ctrl-C and SIGTERM, in this process and in processes that it starts in the block, until they unblock them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker  # imported here, because commands that start no process do not need it

    resource_tracker.ensure_running()  # otherwise it starts with the first process, and unblocks both
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
