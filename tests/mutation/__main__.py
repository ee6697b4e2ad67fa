"""Draws mutants, tries them and prints the score: ``uv run python -m tests.mutation --mutants 40 --seed 1``.

It only writes to the folder ``.mutation``. Ctrl-C ends it; the same command then resumes it.
"""

import argparse
import json
import signal
import sys
from dataclasses import asdict
from pathlib import Path

import filelock
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.mutation.overlay import Overlay
from tests.mutation.trial import SURVIVED, TESTS, FailingError, Trials, Verdict, draw, score_of, survivors

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Do the tests notice small mistakes?")
    parser.add_argument("--packages", default=",".join(TESTS), help="which, joined by commas")
    parser.add_argument("--mutants", type=int, default=40, help="how many of each package")
    parser.add_argument("--seed", type=int, default=1, help="which mutants are drawn")
    parser.add_argument("--again", action="store_true", help="try once more those that survived before")
    parser.add_argument("--folder", type=Path, default=ROOT / ".mutation", help="where copies and verdicts are kept")
    parser.add_argument("--json", type=Path, help="a file for the verdicts of this sample")
    options = parser.parse_args()
    packages = options.packages.split(",")
    if unknown := [name for name in packages if name not in TESTS]:
        parser.error(f"--packages {','.join(unknown)}: there are {', '.join(TESTS)}")
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(folder / "lock"):  # two processes would change the same copy
        return try_sample(options, packages, folder)


def try_sample(options: argparse.Namespace, packages: list[str], folder: Path) -> int:
    """Try a sample of mutants of each package; returns the exit status."""
    console = Console(stderr=True)
    overlay = Overlay(ROOT, folder)
    overlay.copy()
    mutants = {package: draw(overlay.tree, package, options.mutants, options.seed) for package in packages}
    verdicts: list[Verdict] = []
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    )
    with bar:
        task = bar.add_task("mutants", total=sum(map(len, mutants.values())))
        for package in packages:
            bar.update(task, description=f"{package}: its tests without mistakes")
            try:
                trials = Trials(package, overlay, folder / "verdicts.jsonl", options.again)
            except FailingError as error:
                print(error, file=sys.stderr)
                return 1
            bar.update(task, description=package)
            for mutant in mutants[package]:
                verdict = trials.verdict(mutant)
                verdicts.append(verdict)
                bar.update(task, advance=1)
                if verdict.verdict == SURVIVED:
                    bar.console.print(f"survived: {verdict.path}:{verdict.line}", highlight=False)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(verdict) for verdict in verdicts], indent=1) + "\n")
    print(survivors(verdicts))
    print(score_of(verdicts))
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # heard also in the background of a shell
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))  # so that the processes it started end with it
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
