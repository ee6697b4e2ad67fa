"""An interrupt in a callback of the garbage collector is raised at the end, and everything else is unchanged."""

import gc
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, SerializerFunctionWrapHandler, model_serializer
from pydantic_core import PydanticSerializationError

from noughts.machine.interrupts import ignored_interrupts_raised


@pytest.fixture
def raised_in_collections() -> Iterator[list[type[BaseException]]]:
    """The exceptions that the next garbage collections raise, each once."""
    waiting: list[type[BaseException]] = []

    def callback(phase: str, info: dict[str, int]) -> None:
        if waiting:
            raise waiting.pop()

    gc.callbacks.append(callback)
    yield waiting
    gc.callbacks.remove(callback)


def test_an_interrupt_in_a_callback_is_raised_at_the_end(raised_in_collections: list[type[BaseException]]) -> None:
    before, done = sys.unraisablehook, []

    def work() -> None:
        with ignored_interrupts_raised():
            raised_in_collections.append(KeyboardInterrupt)
            gc.collect()
            done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all of it"]
    assert sys.unraisablehook is before


def test_other_ignored_exceptions_are_reported_as_before(
    raised_in_collections: list[type[BaseException]], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda found: said.append(found.exc_type))
    with ignored_interrupts_raised():
        raised_in_collections.append(ValueError)
        gc.collect()
    assert said == [ValueError]


def test_an_error_takes_precedence_over_the_interrupt(raised_in_collections: list[type[BaseException]]) -> None:
    def work() -> None:
        with ignored_interrupts_raised():
            raised_in_collections.append(KeyboardInterrupt)
            gc.collect()
            raise ValueError("first")

    with pytest.raises(ValueError, match="first"):
        work()


class Interrupted(BaseModel):
    """A value whose serialisation is interrupted or fails."""

    by: str

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> Any:
        raise KeyboardInterrupt if self.by == "Ctrl-C" else ValueError(self.by)


def test_an_interrupt_that_compiled_code_turns_into_an_error_is_raised() -> None:
    with pytest.raises(KeyboardInterrupt), ignored_interrupts_raised():
        Interrupted(by="Ctrl-C").model_dump_json()
    with pytest.raises(PydanticSerializationError, match="a fault"), ignored_interrupts_raised():
        Interrupted(by="a fault").model_dump_json()


def test_other_threads_are_unaffected() -> None:
    hooks: list[Any] = []

    def work() -> None:
        with ignored_interrupts_raised():
            hooks.append(sys.unraisablehook)

    before = sys.unraisablehook
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert hooks == [before]
