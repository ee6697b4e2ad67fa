"""The command line: ``uv run python -m benchmarks``.

Times every case, prints the tables, and writes them to README.md and the raw rounds to results.json.
"""

import argparse
import contextlib
import datetime
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import machine

if TYPE_CHECKING:
    from benchmarks.case import Case, Group
    from benchmarks.results import Results, Row

HERE = Path(__file__).parent
_LINE_SECONDS = 5.0


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmarks; return 1 if a case of noughts itself failed."""

    def cases() -> "tuple[Sequence[Case], Sequence[Group]]":
        from benchmarks.cases import GROUPS, all_cases

        return all_cases(), GROUPS

    from benchmarks.table import BEGIN, END

    options = read_options(words, "python -m benchmarks", "Time noughts beside its peers.")
    return measure(options, cases, "results.json", BEGIN, END)


def measure(
    options: argparse.Namespace,
    find: "Callable[[], tuple[Sequence[Case], Sequence[Group]]]",
    file: str,
    begin: str,
    end: str,
) -> int:
    """Time cases alternately, print their tables, and write them if requested; return the exit code.

    Args:
        options: From `read_options`.
        find: Returns all cases and the order of their groups; called once the process is pinned to its core.
        file: The name of the file of the raw rounds.
        begin, end: The lines of README.md between which the tables are written.
    """
    load_before = machine.load()
    pinned = machine.use_one_core()  # before the imports below, which may load numerical libraries

    from benchmarks import table
    from benchmarks.cases import select
    from benchmarks.timing import run

    everything, groups = find()
    cases = select(everything, options.only)
    if not cases:
        sys.stderr.write(f"no case has {options.only!r} in its group or program\n")
        return 2
    page = options.out / "README.md"

    def filled_in(text: str) -> str:
        old = page.read_text() if page.exists() else f"{begin}\n{end}\n"
        return table.replace_between_markers(old, text, begin, end)

    try:
        filled_in("")  # a page that cannot be filled in should fail now, not at the end
    except ValueError as error:
        sys.stderr.write(f"{options.out.name}/{page.name}: {error}\n")
        return 2
    results = timed(run, cases, options, load_before, pinned)
    if results is None:
        return 130
    text = table.write(results, groups)
    sys.stdout.write(text)
    if options.write:
        options.out.mkdir(parents=True, exist_ok=True)
        write_whole(options.out / file, results.model_dump_json(indent=1, exclude_none=True) + "\n")
        write_whole(page, filled_in(text))
    return 1 if any(row.status == "failed" and not row.is_peer for row in results.rows) else 0


def timed(
    run: "Callable[[Sequence[Any], int, float, Callable[[str], None]], list[Row]]",
    cases: Sequence[Any],
    options: argparse.Namespace,
    load_before: float | None,
    pinned: bool,
) -> "Results | None":
    """Measure the cases with `run`, and add the date and the machine; None, after a message, if it is interrupted."""
    from benchmarks.results import Results

    try:
        with progress(len(cases) * (options.rounds + 1)) as tell:
            rows = run(cases, options.rounds, options.seconds, tell)
    except KeyboardInterrupt:
        sys.stderr.write("stopped: nothing is written\n")
        return None
    return Results(
        date=datetime.date.today().isoformat(),
        rounds=options.rounds,
        seconds=options.seconds,
        machine=machine.describe(pinned, load_before),
        rows=tuple(rows),
    )


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically: a reader, or a crash, sees the old file or the new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def read_options(words: Sequence[str] | None, program: str, about: str) -> argparse.Namespace:
    """Parse the options of a command that times cases; exit with code 2 if they are invalid."""
    parser = argparse.ArgumentParser(prog=program, description=about)
    parser.add_argument("--rounds", type=int, default=7, help="rounds, in each of which every case runs once")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for a case in a round")
    parser.add_argument(
        "--only", default="", metavar="SUBSTRING", help="cases with this in their group or program; writes no files"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=f"where to write; here: {HERE.name}/")
    parser.add_argument("--no-write", dest="write", action="store_false", help="print only")
    options = parser.parse_args(words)
    if options.rounds < 1 or not options.seconds > 0:
        parser.error("--rounds must be at least 1, and --seconds more than 0")
    # Part of a table must not replace the whole one, except in another folder.
    options.write = options.write and (not options.only or options.out is not None)
    options.out = options.out or HERE
    return options


@contextlib.contextmanager
def progress(steps: int) -> Iterator[Callable[[str], None]]:
    """Show progress on standard error: a bar with the time left, or lines if it is not a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(steps)
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    with Progress(*columns, TextColumn("{task.description}", markup=False), console=console) as bar:
        task = bar.add_task("", total=steps)
        begun = False

        def show(line: str) -> None:
            nonlocal begun
            bar.update(task, description=line, advance=int(begun))
            begun = True

        yield show
        bar.advance(task)


def _lines(steps: int) -> Callable[[str], None]:
    """Return a function that writes a line every few seconds, with the time left at the pace so far."""
    begun = last = time.monotonic()
    done = 0

    def write(line: str) -> None:
        nonlocal done, last
        now = time.monotonic()
        if done == 0 or now - last >= _LINE_SECONDS:
            left = f", {(now - begun) / done * (steps - done):.0f} s left" if done else ""
            sys.stderr.write(f"{done} of {steps}{left}: {line}\n")
            last = now
        done += 1

    return write


if __name__ == "__main__":
    sys.exit(main())
