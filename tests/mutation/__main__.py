"""Draws mutants, runs the tests of their package on each, and prints the score and the mutants that no test noticed.

cosmic-ray makes the mutants, in clones of the last commit in the folder `.mutation`, and keeps their results there.
"""

import argparse
import ast
import itertools
import os
import random
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import filelock
import psutil
from rich.progress import track

from noughts.statistics import wilson

ROOT = Path(__file__).resolve().parents[2]
TESTS = {
    "rules": ("rules/**/test_*.py",),
    "store": (
        "store/**/test_*.py",
        "cli/test_results.py",
        "cli/test_study_archive.py",
        "questions/test_answers.py",
        "training/test_loop.py",
    ),
    "positions": ("positions/**/test_*.py", "bridges/test_openspiel.py"),
    "solvers": ("solvers/**/test_*.py",),
    "examine": (
        "examine/**/test_*.py",
        "cli/test_prove.py",
        "cli/test_score.py",
        "questions/test_judged.py",
        "questions/test_walked.py",
    ),
}
"""The tested packages, and their tests: their own, and those of other packages that test their promises."""

Mutant = tuple[str, int, str, int]
"""Its path, its line, cosmic-ray's operator, and the number of the operator's occurrence in the file."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Do the tests notice small mistakes?")
    parser.add_argument("--packages", nargs="+", choices=TESTS, default=list(TESTS), help="which")
    parser.add_argument("--mutants", type=int, default=40, help="how many of each package")
    parser.add_argument("--seed", type=int, default=1, help="which mutants are drawn")
    options = parser.parse_args()
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    folder = ROOT / ".mutation" / commit.strip()
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["| package | noticed | of | score | 95% interval |", "|---|---|---|---|---|"]
    noticed = tried = 0
    with filelock.FileLock(folder / "lock"):  # two processes would change the same clone
        for package in options.packages:
            results = try_package(package, folder / package, options.mutants, options.seed)
            print("".join(f"{result.diff}\n\n" for result in results if not result.is_killed), end="")
            killed = sum(result.is_killed for result in results)
            rows.append(row(f"`{package}`", killed, len(results)))
            noticed, tried = noticed + killed, tried + len(results)
    print("\n".join([*rows, row("all", noticed, tried)]))


def try_package(package: str, clone: Path, count: int, seed: int) -> list[Any]:
    """The results of a sample of mutants of a package; those that the clone's session has are taken from it."""
    from cosmic_ray.commands import init
    from cosmic_ray.mutating import mutate_and_test, mutate_code
    from cosmic_ray.plugins import get_operator
    from cosmic_ray.work_db import use_db

    limit, known = enter(clone, package), equivalents()

    def fits(mutant: Mutant) -> bool:
        """Whether a mutant is a program with another meaning, as far as we know."""
        path, line, operator, occurrence = mutant
        source = Path(path).read_text()
        changed = mutate_code(source, get_operator(operator)(), occurrence)
        before, after = (text.split("\n")[line - 1].strip() for text in (source, changed))
        return meaning(changed) not in (None, meaning(source)) and (path, before, after) not in known

    with use_db(clone.with_suffix(".sqlite")) as session:
        if not session.num_work_items:
            init(sorted(Path("src/noughts", package).rglob("*.py")), session, {})
        items = {
            (str(change.module_path), change.start_pos[0], change.operator_name, change.occurrence): item
            for item in session.work_items
            for change in item.mutations
        }
        jobs = [items[mutant] for mutant in draw(items, count, f"{seed} {package}", fits)]
        results = dict(session.results)
        for item in track([item for item in jobs if item.job_id not in results], package):
            result = mutate_and_test(item.mutations, pytest_command(package, item.mutations[0].module_path.name), limit)
            if result.worker_outcome != "normal":
                sys.exit(result.output)
            session.set_result(item.job_id, result)
            results[item.job_id] = result
    return [results[item.job_id] for item in jobs]


def enter(clone: Path, package: str) -> float:
    """Enter a clone of the last commit, made and tested if there is none; returns the seconds that a mutant may take."""
    from cosmic_ray.testing import run_tests

    limit = clone.with_suffix(".seconds")
    os.environ["PYTHONPATH"] = str(clone / "src")
    if limit.exists():
        os.chdir(clone)
        subprocess.run(["git", "checkout", "--quiet", "."], check=True)  # the last mutant, if a run was killed
    else:
        shutil.rmtree(clone, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        os.chdir(clone)
        begun = time.monotonic()
        outcome, output = run_tests(pytest_command(package, ""), 3600)
        if outcome != "survived":
            sys.exit(f"the tests of {package} fail before any mistake was made:\n{output}")
        limit.write_text(str(3 * (time.monotonic() - begun)))  # kernels were compiled in that time, as for mutants
    return float(limit.read_text())


def pytest_command(package: str, file: str) -> str:
    """The command that runs a package's tests until one fails, first those of a file of the package."""
    paths = [path for pattern in TESTS[package] for path in sorted(Path("tests").glob(pattern))]
    paths.sort(key=lambda path: path.name != f"test_{file}")
    pytest = [sys.executable, "-m", "pytest", "-n", "0", "-x", "--heavy", *map(str, paths)]
    # Python recognizes outdated bytecode only by whole seconds, so no two mutants may have the same.
    return shlex.join(["sh", "-c", 'sleep 1; exec "$@"', "sh", *pytest])


def draw(mutants: Iterable[Mutant], count: int, seed: str, fits: Callable[[Mutant], bool]) -> list[Mutant]:
    """Mutants of lines drawn at random, one of each line; with a larger count there are only more."""
    lines = [list(line) for _, line in itertools.groupby(sorted(mutants), lambda mutant: mutant[:2])]
    rng = random.Random(seed)
    rng.shuffle(lines)
    drawn = (next(filter(fits, rng.sample(line, len(line))), None) for line in lines)
    return list(itertools.islice(filter(None, drawn), count))


def meaning(source: str) -> str | None:
    """A program without its annotations and decorators; None if it is none."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        for name, nothing in (("annotation", None), ("returns", None), ("decorator_list", [])):
            if hasattr(node, name):
                setattr(node, name, nothing)
    return ast.dump(tree)


def equivalents() -> dict[tuple[str, str, str], str]:
    """The reason for each mutant that no test can tell from the code, by its path and its line before and after."""
    entries = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text())["mutant"]
    return {(entry["path"], entry["line"], entry["instead"]): entry["reason"] for entry in entries}


def row(name: str, noticed: int, tried: int) -> str:
    share, low, high = (f"{part:.0%}" for part in wilson(noticed, tried))
    return f"| {name} | {noticed} | {tried} | {share} | {low} to {high} |"


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:  # pytest is in a session of its own, and hears no Ctrl-C
        for process in psutil.Process().children(recursive=True):
            process.kill()
