"""A copy of the tree for mutants and pytest runs; the tree itself never changes."""

import ast
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from noughts.positions.numba_kernel import FOLDERS_WITH_KERNELS
from tests.mutation.mutants import Mutant

COMPILING = 90.0  # seconds that a mutant may take besides its tests if kernels must be compiled again

FOLDERS = {f"src/noughts/{folder}" for folder in FOLDERS_WITH_KERNELS}
"""A change of any file in these gives machine code another folder."""


@dataclass(frozen=True)
class Ran:
    """The result of a pytest run, its duration, and its last lines."""

    code: int | None  # 0 if every test passed, 1 if one failed; None if it was killed
    seconds: float
    output: str


class Overlay:
    """A copy of all files of a tree that git tracks or does not ignore.

    Args:
        root: The tree.
        folder: The place of the copy and of kernels' machine code. The copy keeps its place and modification times, so
            that machine code compiled from it stays valid.
    """

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.tree, self.kernels = root, folder / "tree", folder / "kernels"

    def copy(self) -> None:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=self.root, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        names = {name for name in listed.split("\0") if name and (self.root / name).is_file()}
        for path in self.tree.rglob("*.py"):
            if str(path.relative_to(self.tree)) not in names:
                path.unlink()
        for name in sorted(names):
            source, target = self.root / name, self.tree / name
            if not target.exists() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)

    @contextlib.contextmanager
    def with_mistake(self, mutant: Mutant) -> Iterator[bool]:
        """The copy with a mistake and all unaffected machine code; yields whether any has to be compiled again."""
        path = self.tree / mutant.path
        stat, source = path.stat(), path.read_text()
        compiled = str(Path(mutant.path).parent) in FOLDERS
        before = self._unchanged_kernels if compiled else None
        path.write_text(mutant.apply(source))
        after = None
        try:
            if before is not None:
                after = self.kernels_folder()
                self._take_over(before, after, mutant)
            yield compiled
        finally:
            path.write_text(source)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            if after is not None:
                shutil.rmtree(after, ignore_errors=True)

    def _take_over(self, before: Path, after: Path, mutant: Mutant) -> None:
        """Link the machine code that a mistake leaves as it is."""
        if after.exists():
            shutil.rmtree(after)
        stale = {mutant.path} if in_plain_function(mutant, self.tree) else importers(mutant.path, self.tree)
        names = {Path(path).stem for path in stale}
        for file in before.rglob("*"):
            if file.is_file() and file.name.partition(".")[0] not in names:
                link = after / file.relative_to(before)
                link.parent.mkdir(parents=True, exist_ok=True)
                os.link(file, link)

    @cached_property
    def _unchanged_kernels(self) -> Path:
        return self.kernels_folder()

    def kernels_folder(self) -> Path:
        """The folder of machine code for the current copy."""
        program = "from noughts.positions.numba_kernel import kernels_folder; print(kernels_folder())"
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=self.tree, env=self._environment(), capture_output=True, text=True, check=True,
        )  # fmt: skip
        return Path(done.stdout.strip())

    def pytest(self, tests: Sequence[str], limit: float) -> Ran:
        """Run tests in the copy, in the order given, until one fails.

        Args:
            tests: Files of tests.
            limit: Seconds after which pytest and all its processes are killed.
        """
        command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "--tb=short", "-p", "no:cacheprovider"]
        command += ["-p", "pytest_timeout", "-o", "addopts=", "-m", "not slow", "--heavy"]
        begun = time.monotonic()
        with tempfile.TemporaryFile("w+") as output:  # a pipe would stay open as long as any process of a test
            process = subprocess.Popen(
                [*command, *tests], cwd=self.tree, env=self._environment(), start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip
            try:
                code: int | None = process.wait(limit)
            except subprocess.TimeoutExpired:
                code = None
            finally:  # also at Ctrl-C
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            seconds = time.monotonic() - begun
            process.wait()
            output.seek(0)
            return Ran(code, seconds, output.read()[-3000:])

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(self.tree / "src"), str(self.tree / "docs" / "ext"))),
            "NUMBA_CACHE_DIR": str(self.kernels),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }


def in_plain_function(mutant: Mutant, tree: Path) -> bool:
    """Whether a mutant changes a function that is no kernel, so that no other file's machine code can contain it."""
    around = [
        node
        for node in ast.walk(ast.parse((tree / mutant.path).read_text()))
        if isinstance(node, ast.FunctionDef) and node.lineno <= mutant.line <= (node.end_lineno or 0)
    ]
    return bool(around) and not any(ast.unparse(each) == "kernel" for node in around for each in node.decorator_list)


def importers(path: str, tree: Path) -> set[str]:
    """The files that import from a file of the package, directly or not, and itself."""
    imported: dict[str, set[tuple[str, str]]] = {}
    for file in (tree / "src").rglob("*.py"):
        nodes = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.ImportFrom)]
        imported[str(file.relative_to(tree))] = {(str(node.module), one.name) for node in nodes for one in node.names}

    def origin(module: str, name: str) -> str | None:
        """The file that an imported name comes from, also if a package offers it."""
        inner = f"src/{module.replace('.', '/')}"
        known = [each for each in (f"{inner}/{name}.py", f"{inner}.py", f"{inner}/__init__.py") if each in imported]
        if known and known[0].endswith("__init__.py"):
            return next((origin(*one) for one in imported[known[0]] if one[1] == name), known[0])
        return known[0] if known else None

    uses = {file: {origin(*one) for one in names} for file, names in imported.items()}
    found, waiting = {path}, [path]
    while waiting:
        used = waiting.pop()
        new = {file for file, files in uses.items() if used in files} - found
        found |= new
        waiting += new
    return found
