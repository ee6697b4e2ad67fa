"""Settings for every test: the same examples on every machine, a time limit, and interrupts that are heard."""

import faulthandler
import os
import signal
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pytest_timeout import Settings

settings.register_profile("noughts", derandomize=True, deadline=None, database=None, print_blob=False)
settings.load_profile("noughts")

SLOW_SECONDS = 3600.0
"""The time limit of a test marked slow; that of the others stands in `pyproject.toml`."""

GRACE_SECONDS = 60.0
"""How long a test may take to end once its time is up, before its whole process is ended."""

uncaptured_stderr = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep a standard error that a last message can go to while pytest captures the other."""
    capture = config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        config.stash[uncaptured_stderr] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close what `pytest_configure` opened."""
    os.close(config.stash[uncaptured_stderr])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A slow test has a time limit of its own, unless it names one itself."""
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_SECONDS))


@pytest.hookimpl(wrapper=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: "Settings") -> Generator[None, Any, Any]:
    """A test whose time is up takes the processes it started with it, and ends even where no signal reaches it.

    A test that waits for a process would otherwise go on waiting for it while it fails. Compiled code hears no signal:
    then the process of the test ends, pytest-xdist names the test and starts another worker.
    """
    begun = time.time() - 1.0  # the start of a process is known to within a second
    outcome = yield
    fail = signal.getsignal(signal.SIGALRM)
    if not callable(fail):  # a debugger is at work, or there are no signals here
        return outcome

    def end_processes_and_fail(number: int, frame: Any) -> None:
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if process.create_time() >= begun:
                    process.kill()
        fail(number, frame)

    signal.signal(signal.SIGALRM, end_processes_and_fail)
    faulthandler.dump_traceback_later(
        settings.timeout + GRACE_SECONDS, exit=True, file=item.config.stash[uncaptured_stderr]
    )
    return outcome


@pytest.hookimpl(wrapper=True)
def pytest_timeout_cancel_timer(item: pytest.Item) -> Generator[None, Any, Any]:
    """A test that has ended is not waited for."""
    faulthandler.cancel_dump_traceback_later()
    return (yield)


@pytest.fixture(scope="session", autouse=True)
def _interrupts_are_heard() -> Iterator[None]:
    """Processes that tests start hear Ctrl-C, also where pytest was started in the background of a shell.

    Such a shell lets its children ignore interrupts, and these pass it on to theirs. A handler, unlike `SIG_IGN`, does
    not outlive the start of another program; this one does nothing, so that pytest itself still ignores them.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: None)
    yield
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.fixture(autouse=True)
def _own_environment() -> Iterator[None]:
    """What a command tells the processes after it, it does not tell the next test."""
    before = os.environ.get("NOUGHTS_STORE")
    yield
    os.environ.pop("NOUGHTS_STORE", None)
    if before is not None:
        os.environ["NOUGHTS_STORE"] = before
