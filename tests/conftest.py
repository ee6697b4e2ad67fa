"""Settings for every test: the same examples on every machine, a time limit, and working interrupts."""

import faulthandler
import gc
import os
import signal
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pytest_timeout import Settings

    from tests.postgresql import PostgresqlServer

# The tests start hundreds of processes. If bytecode cannot be saved, each of them compiles every library again, which
# doubles the time of the whole run; so the tests keep bytecode in their own folder.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(__file__).parent.parent / ".pytest_cache" / "bytecode"))
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"]
    sys.dont_write_bytecode = False

gc.disable()  # objects made during collection are no garbage; enabled again in `pytest_collection_finish`

settings.register_profile("noughts", derandomize=True, deadline=None, database=None, print_blob=False)
settings.load_profile("noughts")

SLOW_SECONDS = 3600.0
"""The time limit of a test marked slow; that of the others is in `pyproject.toml`."""

GRACE_SECONDS = 60.0
"""Seconds that a timed-out test may take to end before its whole process is killed."""

uncaptured_stderr = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep a standard error for last messages while pytest captures the other."""
    capture = config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        config.stash[uncaptured_stderr] = os.dup(2)


@pytest.hookimpl(optionalhook=True)  # `-p no:xdist` does not have this hook
def pytest_xdist_auto_num_workers() -> int:
    """The number of test processes: one more than cores, because many tests wait for a browser or another process."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


def pytest_unconfigure(config: pytest.Config) -> None:
    os.close(config.stash[uncaptured_stderr])


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--heavy`, which CI uses."""
    parser.addoption("--heavy", action="store_true", help="run the tests that are marked heavy, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give slow tests a longer time limit unless they have their own, and leave heavy tests out of a full run.

    Tests with their own limit take minutes. They come first; otherwise one worker would run them last, and alone.
    """
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_SECONDS))
    if leaves_out_heavy(config):
        heavy = {item for item in items if item.get_closest_marker("heavy")}
        config.hook.pytest_deselected(items=list(heavy))
        items[:] = [item for item in items if item not in heavy]


def pytest_collection_finish() -> None:
    """Freeze collected tests, which live until the end, so that the garbage collector skips them."""
    gc.collect()
    gc.freeze()
    gc.enable()


def leaves_out_heavy(config: pytest.Config) -> bool:
    """Whether all tests are requested and the heavy ones are not.

    Naming a file, a folder, a word or a marker requests all tests in it.
    """
    if config.option.heavy or config.option.keyword or config.option.markexpr != "not slow":
        return False
    everything = [(config.rootpath / path).resolve() for path in config.getini("testpaths")]
    return [(config.invocation_params.dir / argument).resolve() for argument in config.args] == everything


@pytest.hookimpl(wrapper=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: "Settings") -> Generator[None, Any, Any]:
    """Kill a timed-out test with the processes it started, even if no signal reaches it.

    A test that waits for a process would otherwise keep waiting. Compiled code handles no signals; then the process of
    the test ends, pytest-xdist names the test and starts another worker.
    """
    begun = time.time() - 1.0  # start times of processes are exact to a second
    outcome = yield
    fail = signal.getsignal(signal.SIGALRM)
    if not callable(fail):  # a debugger is active, or this platform lacks the signals
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
    """Cancel the limit of a finished test."""
    faulthandler.cancel_dump_traceback_later()
    return (yield)


@pytest.fixture(scope="session", autouse=True)
def _interrupts_are_heard() -> Iterator[None]:
    """Let processes of tests receive Ctrl-C, even if pytest runs in the background of a shell.

    Such a shell makes its children ignore interrupts, which they pass on to theirs. A handler, unlike `SIG_IGN`, does
    not survive the start of another program; this one does nothing, so pytest itself still ignores interrupts.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: None)
    yield
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run coroutine tests in asyncio, like the server."""
    return "asyncio"


@pytest.fixture(autouse=True, scope="session")
def _own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Without a named store, save what tests prove in their own folder, and not in the user's."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate, empty default store for the test."""
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


@pytest.fixture(autouse=True)
def _own_environment() -> Iterator[None]:
    """Restore the environment variables that a command set for its processes."""
    names = ("NOUGHTS_STORE", "NOUGHTS_ON")
    before = {name: os.environ[name] for name in names if name in os.environ}
    yield
    for name in names:
        os.environ.pop(name, None)
    os.environ.update(before)


@pytest.fixture(scope="session")
def postgresql_server() -> "Iterator[PostgresqlServer]":
    """A fast PostgreSQL server without durability for all tests of a process; each makes its own database."""
    yield from _postgresql_server(durable=False)


@pytest.fixture(scope="session")
def durable_server() -> "Iterator[PostgresqlServer]":
    """Another one, for tests that kill and stop it: acknowledged data is on the disk."""
    yield from _postgresql_server(durable=True)


def _postgresql_server(durable: bool) -> "Iterator[PostgresqlServer]":
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    from tests.postgresql import PostgresqlServer, programs

    if programs() is None:
        pytest.skip("PostgreSQL is not installed")
    with PostgresqlServer(durable) as server:
        yield server
