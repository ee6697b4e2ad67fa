"""Ctrl-C that fell where it cannot come out as what it is, such as a callback of the garbage collector, is raised after all."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
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

    def hear(found: "sys.UnraisableHookArgs") -> None:
        nonlocal ignored
        if found.exc_type is KeyboardInterrupt:
            ignored = True
        else:
            before(found)

    sys.unraisablehook = hear
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
