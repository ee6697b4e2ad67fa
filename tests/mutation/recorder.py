"""A pytest plugin that notes how long each test takes and, when asked, which lines it reaches.

It is loaded by ``-p tests.mutation.recorder``. Where it writes is told by two variables of the environment: ``MUTATION_TIMES``,
a JSON file of the seconds of each test, and ``MUTATION_LINES``, a JSON file of the tests that reach each line.
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
"""A module whose cached functions hold compiled programs: forgetting them would take minutes."""


class Recorder:
    """Notes the tests of a session.

    Args:
        root: The tree whose lines are noted.
        times: The file for seconds; None for none.
        lines: The file for lines; None for none.
    """

    def __init__(self, root: Path, times: Path | None, lines: Path | None) -> None:
        self.root, self.times, self.lines = root, times, lines
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()
        self.coverage = None
        if lines is not None:
            from coverage import Coverage

            self.coverage = Coverage(data_file=None, include=[f"{root}/src/*", f"{root}/tests/*"], config_file=False)
            self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Everything that happens until the next test belongs to this one."""
        name = item.nodeid.partition("[")[0]
        if self.coverage is not None:
            forget_results()
            self.coverage.switch_context(name)
        begun = time.perf_counter()
        result = yield
        self.seconds[name] += time.perf_counter() - begun
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails is not one to rely on."""
        if report.failed:
            self.failed.add(report.nodeid.partition("[")[0])

    def pytest_sessionfinish(self) -> None:
        """Write what was noted, of tests that passed."""
        if self.times is not None:
            passed = {name: seconds for name, seconds in self.seconds.items() if name not in self.failed}
            self.times.write_text(json.dumps(passed))
        if self.coverage is not None and self.lines is not None:
            self.coverage.stop()
            data = self.coverage.get_data()
            reached = {
                str(Path(file).relative_to(self.root)): {
                    line: sorted(set(tests) - self.failed - {""})
                    for line, tests in data.contexts_by_lineno(file).items()
                }
                for file in sorted(data.measured_files())
            }
            self.lines.write_text(json.dumps(reached))


def forget_results() -> None:
    """Empty the caches of our functions, so that a test reaches what an earlier one has asked already."""
    for name, module in list(sys.modules.items()):
        if name.startswith("noughts.") and name != BUILDERS:
            for value in list(vars(module).values()):
                if isinstance(value, functools._lru_cache_wrapper) and value.__module__ != BUILDERS:
                    value.cache_clear()


def pytest_configure(config: pytest.Config) -> None:
    """Take part in the session."""
    times, lines = os.environ.get("MUTATION_TIMES"), os.environ.get("MUTATION_LINES")
    recorder = Recorder(config.rootpath, Path(times) if times else None, Path(lines) if lines else None)
    config.pluginmanager.register(recorder, "mutation-recorder")
