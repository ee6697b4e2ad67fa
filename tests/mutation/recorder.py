"""A pytest plugin that records the duration of each test and the lines it reaches, loaded by ``-p tests.mutation.recorder``.

It writes into the folder in the environment variable ``MUTATION_FOLDER``: ``times.json``, the seconds of each test,
and ``lines.json``, the tests that reach each line. Without that variable it does nothing.
"""

import functools
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

BUILDERS = "noughts.positions.batched"
"""A module whose cached functions hold compiled programs; compiling them again would take minutes."""


class Recorder:
    """Records the tests of a session: the lines they reach in a tree, and their duration."""

    def __init__(self, root: Path, folder: Path) -> None:
        from coverage import Coverage

        self.root, self.folder = root, folder
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()
        self.coverage = Coverage(data_file=None, include=[f"{root}/src/*", f"{root}/tests/*"], config_file=False)
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Attribute everything until the next test to this one."""
        name = item.nodeid.partition("[")[0]
        forget_results()
        self.coverage.switch_context(name)
        begun = time.perf_counter()
        result = yield
        self.seconds[name] += time.perf_counter() - begun
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Drop failing tests, which are unreliable."""
        if report.failed:
            self.failed.add(report.nodeid.partition("[")[0])

    def pytest_sessionfinish(self) -> None:
        """Write the records of passing tests."""
        self.coverage.stop()
        passed = {name: seconds for name, seconds in self.seconds.items() if name not in self.failed}
        (self.folder / "times.json").write_text(json.dumps(passed))
        data = self.coverage.get_data()
        reached = {
            str(Path(file).relative_to(self.root)): {
                line: sorted(set(tests) - self.failed - {""}) for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in sorted(data.measured_files())
        }
        (self.folder / "lines.json").write_text(json.dumps(reached))


def forget_results() -> None:
    """Clear the caches of our functions, so that a test reaches code whose result an earlier one cached."""
    for name, module in list(sys.modules.items()):
        if name.startswith("noughts.") and name != BUILDERS:
            for value in list(vars(module).values()):
                if isinstance(value, functools._lru_cache_wrapper) and value.__module__ != BUILDERS:
                    value.cache_clear()


def pytest_configure(config: pytest.Config) -> None:
    """Register the recorder if a folder is set."""
    if folder := os.environ.get("MUTATION_FOLDER"):
        config.pluginmanager.register(Recorder(config.rootpath, Path(folder)), "mutation-recorder")
