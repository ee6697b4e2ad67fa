"""Settings for every test: the same examples on every machine, a time limit, and interrupts that are heard."""

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

# The tests start hundreds of processes. Where nobody may keep bytecode, each of them compiles every library again, which
# doubles the time of the whole run; so bytecode is kept in a folder of the tests' own.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(__file__).parent.parent / ".pytest_cache" / "bytecode"))
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"]
    sys.dont_write_bytecode = False

gc.disable()  # nothing that is made while tests are collected is garbage; on again in `pytest_collection_finish`

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


@pytest.hookimpl(optionalhook=True)  # `-p no:xdist` knows no such hook
def pytest_xdist_auto_num_workers() -> int:
    """How many processes test: one more than there are cores, since many tests wait for a browser or for another process."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


def pytest_unconfigure(config: pytest.Config) -> None:
    os.close(config.stash[uncaptured_stderr])


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--heavy`, which CI says."""
    parser.addoption("--heavy", action="store_true", help="run the tests that are marked heavy, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A slow test has a time limit of its own, unless it names one itself. A run of everything leaves out heavy tests.

    Tests that name a time limit take minutes. They come first, because otherwise one worker runs them last, and alone.
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
    """Tests that were collected stay until the end, so that no collection of garbage has to look at them."""
    gc.collect()
    gc.freeze()
    gc.enable()


def leaves_out_heavy(config: pytest.Config) -> bool:
    """Whether all tests are asked for, and nothing says that the heavy ones are meant, too.

    Who names a file, a folder, a word or a marker wants all that is tested there.
    """
    if config.option.heavy or config.option.keyword or config.option.markexpr != "not slow":
        return False
    everything = [(config.rootpath / path).resolve() for path in config.getini("testpaths")]
    return [(config.invocation_params.dir / argument).resolve() for argument in config.args] == everything


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


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Tests that are coroutines run in asyncio, as the server does."""
    return "asyncio"


@pytest.fixture(autouse=True, scope="session")
def _own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where nobody names a store, what tests prove is kept in a folder of theirs, and not in the user's."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of the test's own, for whatever names none; nothing is in it yet."""
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


@pytest.fixture(autouse=True)
def _own_environment() -> Iterator[None]:
    """What a command tells the processes after it, it does not tell the next test."""
    names = ("NOUGHTS_STORE", "NOUGHTS_ON")
    before = {name: os.environ[name] for name in names if name in os.environ}
    yield
    for name in names:
        os.environ.pop(name, None)
    os.environ.update(before)


@pytest.fixture(scope="session")
def postgresql_server() -> "Iterator[PostgresqlServer]":
    """A PostgreSQL server, quick and forgetful, that all tests of a process share: each makes a database of its own."""
    yield from _postgresql_server(durable=False)


@pytest.fixture(scope="session")
def durable_server() -> "Iterator[PostgresqlServer]":
    """Another one, for tests that kill and stop it: what it acknowledges is on the disk."""
    yield from _postgresql_server(durable=True)


def _postgresql_server(durable: bool) -> "Iterator[PostgresqlServer]":
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    from tests.postgresql import PostgresqlServer, programs

    if programs() is None:
        pytest.skip("PostgreSQL is not installed")
    with PostgresqlServer(durable) as server:
        yield server
