"""The speed of self-play and learning: ``uv run python -m benchmarks.selfplay``. See README.md.

There are two parts. The first compares noughts with Pgx and mctx on 1, 2 and 4 cores of the processor. The second
(`device`) runs on the card, if JAX finds one, or with ``--gpu`` on any device of JAX.
"""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import machine, table
from benchmarks.__main__ import HERE, timed, write_whole
from benchmarks.results import Measured, Results, Row, Spread, ratio_of_rounds
from benchmarks.selfplay_cases import CoresCase, Sizes, all_cases, base, select
from benchmarks.timing import label, missing
from benchmarks.workers import Worker, WorkerError

BEGIN = "<!-- self-play: begin (written by python -m benchmarks.selfplay) -->"
END = "<!-- self-play: end -->"
DEVICE_BEGIN = "<!-- device: begin (written by python -m benchmarks.selfplay on a machine with a card) -->"
DEVICE_END = "<!-- device: end -->"

Key = tuple[str, str]
"""A case's group and program."""


def main(words: Sequence[str] | None = None) -> int:
    """Run; return 1 if a case of noughts itself failed; exit with code 2 for invalid options."""
    options = _options(words)
    load_before = machine.load()
    page = options.out / "README.md"
    if options.write and page.exists():
        try:
            fill_page(page.read_text(), "", "")
        except ValueError as error:
            sys.stderr.write(f"{options.out.name}/{page.name}: {error}\n")
            return 2
    failed, text, device_text = False, "", ""
    if options.part != "gpu":
        cases = select(all_cases(_sizes(options), options.cores), options.only)
        if not cases:
            sys.stderr.write(f"no case has {options.only!r} in its group or program\n")
            return 2
        results = timed(run, cases, options, load_before, True)
        if results is None:
            return 130
        failed = any(row.status == "failed" and not row.is_peer for row in results.rows)
        text = write(results, cases)
        sys.stdout.write(text)
        if options.write:
            options.out.mkdir(parents=True, exist_ok=True)
            write_whole(options.out / "selfplay.json", results.model_dump_json(indent=1, exclude_none=True) + "\n")
    if options.part == "gpu" or (options.part == "auto" and not options.only and _has_card()):
        from benchmarks import device

        found = device.measure_all(
            options.batches, options.simulations, options.plies, options.seconds, options.networks
        )
        device_text = device.write(found)
        sys.stdout.write(device_text)
        if options.write:
            options.out.mkdir(parents=True, exist_ok=True)
            write_whole(options.out / "device.json", found.model_dump_json(indent=1, exclude_none=True) + "\n")
    if options.write:
        old = page.read_text() if page.exists() else f"{BEGIN}\n{END}\n\n{DEVICE_BEGIN}\n{DEVICE_END}\n"
        write_whole(page, fill_page(old, text, device_text))
    return int(failed)


def run(cases: Sequence[CoresCase], rounds: int, seconds: float, tell: Callable[[str], None]) -> list[Row]:
    """Measure every case, in turn, round after round; see `timing.run`.

    Only one process works at a time, so no two compete for a core; all others wait.
    """
    notes: dict[Key, str] = {}
    problems: dict[Key, tuple[str, str]] = {}
    measured: dict[Key, list[Measured]] = {_key(case): [] for case in cases}
    workers: dict[tuple[int, bool, str], Worker] = {}
    with contextlib.ExitStack() as stack:
        for case in cases:
            tell(f"getting ready: {label(case.group, case.program)}")
            absent = [] if case.python else missing(case.modules)
            if absent:
                problems[_key(case)] = "not installed", f"no module {' or '.join(absent)}"
                continue
            if _where_it_runs(case) not in workers:
                worker = Worker(case.cores, case.devices, case.python)
                workers[_where_it_runs(case)] = stack.enter_context(worker)
            try:
                notes[_key(case)] = workers[_where_it_runs(case)].prepare(
                    case.group.name + case.program, case.maker, case.arguments
                )
            except WorkerError as error:
                problems[_key(case)] = "failed", str(error)
        for number in range(rounds):
            for case in cases:
                tell(f"round {number + 1} of {rounds}: {label(case.group, case.program)}")
                if _key(case) in problems:
                    continue
                try:
                    worker = workers[_where_it_runs(case)]
                    measured[_key(case)].append(worker.measure(case.group.name + case.program, seconds))
                except WorkerError as error:
                    problems[_key(case)] = "failed", str(error)
    return [_row(case, cases, notes, problems, measured) for case in cases]


def _where_it_runs(case: CoresCase) -> tuple[int, bool, str]:
    return case.cores, case.devices, case.python


def _key(case: CoresCase) -> Key:
    return case.group.name, case.program


def _row(
    case: CoresCase,
    cases: Sequence[CoresCase],
    notes: dict[Key, str],
    problems: dict[Key, tuple[str, str]],
    measured: dict[Key, list[Measured]],
) -> Row:
    key = _key(case)
    row = Row(
        group=case.group.name,
        program=case.program,
        call=case.call,
        is_peer=case.is_peer,
        note=notes.get(key, ""),
    )
    if key in problems:
        status, problem = problems[key]
        return row.model_copy(update={"status": status, "problem": problem})
    rounds = measured[key]
    row = row.model_copy(update={"rounds": tuple(rounds), "rate": Spread.of([one.rate for one in rounds])})
    ours = base(cases, case) if case.is_peer else None
    if ours is None or _key(ours) in problems:
        return row
    ratio = ratio_of_rounds(ours.program, measured[_key(ours)], rounds)
    met = None if case.group.target is None else ratio.times.median >= case.group.target
    return row.model_copy(update={"ratio": ratio, "met": met})


def write(results: Results, cases: Sequence[CoresCase]) -> str:
    """All tables and the machine, as Markdown."""
    groups = list(dict.fromkeys(case.group for case in cases))
    parts = [table.targets(results.rows, groups), _where(results), *_scaling(results, cases)]
    # A program does the same on any number of cores, so it is explained once; problems are listed each time.
    told = {(row.program, row.call, row.problem): row.model_copy(update={"note": ""}) for row in results.rows}
    explained = "\n".join(table.calls(list(told.values())))
    return "\n\n".join([*parts, *table.tables(results.rows, groups, explained=False), explained]) + "\n"


def _where(results: Results) -> str:
    found = results.machine
    versions = ", ".join(f"{name} {version}" for name, version in found.versions.items())
    load = ""
    if found.load_before is not None and found.load_after is not None:
        load = f" Load: {found.load_before:g} before, {found.load_after:g} after, this run's own included."
    return (
        f"Measured {results.date}, {results.rounds} round{'s' * (results.rounds > 1)} of at least {results.seconds:g} s a "
        f"case, in processes kept to so many of the {found.cores} cores: {found.processor}, {found.system}.{load} "
        f"Versions: {versions}."
    )


def _scaling(results: Results, cases: Sequence[CoresCase]) -> list[str]:
    """A table of each program over the numbers of cores."""
    counts = sorted({case.cores for case in cases})
    rows = {(row.group, row.program): row for row in results.rows}
    found: dict[tuple[str, str], dict[int, float]] = {}
    for case in cases:
        row = rows[_key(case)]
        kind = case.group.name.rsplit("-", 2)[0]
        found.setdefault((kind, case.program), {})
        if row.rate is not None:
            found[kind, case.program][case.cores] = row.rate.median
    lines = []
    for (kind, program), rates in found.items():
        first, last = rates.get(counts[0]), rates.get(counts[-1])
        grows = f"{last / first:.2f}x" if first and last else ""
        cells = [table.number(rates[count]) if count in rates else "" for count in counts]
        lines.append(f"| {kind} | {program} | {' | '.join(cells)} | {grows} |")
    if len(counts) < 2 or not lines:
        return []
    heads = " | ".join(f"{count} core{'s' * (count > 1)}" for count in counts)
    rule = " ---: |" * (len(counts) + 1)
    title = "### Positions, or samples, a second by cores"
    return [
        title,
        "\n".join([f"| work | program | {heads} | {counts[-1]} over {counts[0]} |", f"| --- | --- |{rule}", *lines]),
    ]


def fill_page(page: str, text: str, device_text: str) -> str:
    """The page with new measured parts, each between its markers; a part that was not measured stays as it is."""
    for begin, end, part in ((BEGIN, END, text), (DEVICE_BEGIN, DEVICE_END, device_text)):
        filled = table.replace_between_markers(page, part, begin, end)
        page = filled if part else page
    return page


def _has_card() -> bool:
    import jax

    return any(device.platform == "gpu" for device in jax.devices())


def _sizes(options: argparse.Namespace) -> Sizes:
    names = ("games", "peer_games", "simulations", "plies", "batch", "channels", "blocks")
    return Sizes(**{name: getattr(options, name) for name in names})


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.selfplay", description="Time self-play and learning.")
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    parser.add_argument("--rounds", type=int, default=5, help="rounds, in each of which every case runs once")
    parser.add_argument("--seconds", type=float, default=3.0, help="least time for a case in a round")
    parser.add_argument("--cores", type=_numbers, default=tuple(n for n in (1, 2, 4) if n <= usable), metavar="1,2,4")
    for name, default in Sizes.__dataclass_fields__.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=default.default)
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument(
        "--gpu", dest="part", action="store_const", const="gpu", help="only on the card, or what there is"
    )
    parts.add_argument("--no-gpu", dest="part", action="store_const", const="cores", help="only on cores")
    parser.set_defaults(part="auto")
    parser.add_argument("--batches", type=_numbers, default=(256, 1024, 4096, 16384, 65536), help="on the card")
    parser.add_argument(
        "--network",
        dest="networks",
        action="append",
        metavar="NETWORK",
        help="on the card; may be given more than once",
    )
    parser.add_argument(
        "--only", default="", metavar="SUBSTRING", help="cases with this in their name; writes no files"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=f"where to write; here: {HERE.name}/")
    parser.add_argument("--no-write", dest="write", action="store_false", help="print only")
    options = parser.parse_args(words)
    sizes = [getattr(options, name) for name in Sizes.__dataclass_fields__]
    if options.rounds < 1 or not options.seconds > 0 or min(sizes) < 1:
        parser.error("--rounds and all sizes must be at least 1, and --seconds more than 0")
    if max(options.cores) > usable:
        parser.error(f"--cores: this process may use {usable}")
    options.networks = options.networks or ["resnet:preset=paper", "line"]
    options.write = options.write and (not options.only or options.out is not None)
    options.out = options.out or HERE
    return options


def _numbers(text: str) -> tuple[int, ...]:
    numbers = tuple(map(int, text.split(",")))
    if min(numbers) < 1:
        raise ValueError
    return numbers


if __name__ == "__main__":
    sys.exit(main())
