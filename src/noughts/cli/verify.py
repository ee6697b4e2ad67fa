"""``noughts verify``: check certificates with the independent checker."""

import json
import os
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption, WorkersOption

if TYPE_CHECKING:
    from rich.table import Table

    from noughts.machine import JobResult, Recorder
    from noughts.questions.session import Progress

SUFFIX = ".proof"
"""That of `solvers.certificate`, which would load array libraries that checking does not need."""


def verify(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help=f"Certificates, or folders of certificates (*{SUFFIX}).")
    ],
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> int:
    """Check certificates by playing every reply, with a checker that shares nothing with the solvers."""
    from rich.table import Table

    from noughts.cli.output import print_json, watch

    paths = certificates(files)
    results: list[dict[str, Any]] = []

    def table() -> "Table":
        shown = Table(title="refused so far", title_justify="left")
        shown.add_column("file")
        shown.add_column("why")
        for result in results:
            if not result["proved"]:
                shown.add_row(result["file"], result["error"])
        return shown

    if len(paths) == 1:
        watch(_check_one(paths[0], results), "positions", table, quiet=as_json)
    else:
        watch(_check_all(paths, results, workers), "certificates", table, quiet=as_json)
    results.sort(key=lambda result: paths.index(Path(result["file"])))
    if as_json:
        print_json({"proved": all(result["proved"] for result in results), "files": results})
    else:
        for result in results:
            typer.echo(in_words(result), err=not result["proved"])
    return 0 if all(result["proved"] for result in results) else 1


def certificates(files: list[Path]) -> list[Path]:
    """The files themselves and those in folders, each once; CertificateError if one cannot be read or a folder has none."""
    from noughts.rules import CertificateError

    found: list[Path] = []
    for path in files:
        inside = sorted(file for file in path.glob(f"*{SUFFIX}") if file.is_file()) if path.is_dir() else [path]
        if not inside:
            raise CertificateError(f"the folder {path} has no certificate in it: their names end in {SUFFIX}")
        found += inside
    for path in found:
        if not path.exists():
            raise CertificateError(f"there is no file {path}")
        if not path.is_file() or not os.access(path, os.R_OK):
            raise CertificateError(f"{path} is not a file that can be read")
    return list(dict.fromkeys(found))


def claimed(result: dict[str, Any]) -> str:
    """What was proved of whom: ``first wins``, or ``az:RUN as second player never loses``."""
    who = f"{result['agent']} as {result['side']} player" if result["agent"] else result["side"]
    return f"{who} {result['claim']}"


def in_words(result: dict[str, Any]) -> str:
    """One line about one file."""
    if not result["proved"]:
        return f"{result['file']}: refused: {result['error']}"
    unused = f", entries not needed: {result['unused']:,}" if result["unused"] else ""
    return (
        f"{result['file']}: proved: {claimed(result)} {result['rules']} against every reply; "
        f"{result['positions']:,} positions, {result['replies']:,} replies, longest game {result['longest']} moves"
        f"{unused}, {result['seconds']:.1f} s"
    )


def check_file(path: str) -> Generator[tuple[int, int], None, dict[str, Any]]:
    """Check one file, yielding positions done and positions at most; what became of it, for `in_words`."""
    from noughts.rules import CertificateError, Rules, format_rules
    from noughts.solvers.verify import BadCertificate, check

    begun = time.monotonic()
    try:
        report = yield from check(path)
        rules = format_rules(Rules(**report.rules))
        if report.game != rules:
            raise CertificateError(f"its header calls the game {ascii(report.game)[:80]}, and its rules are {rules}")
    except (BadCertificate, CertificateError) as error:
        return {"file": path, "proved": False, "error": str(error)}
    except OSError as error:
        return {"file": path, "proved": False, "error": f"it cannot be read: {error.strerror or error}"}
    claim = {name: getattr(report, name) for name in ("side", "claim", "agent")}
    counts = {name: getattr(report, name) for name in ("positions", "replies", "unused", "longest")}
    seconds = time.monotonic() - begun
    return {"file": path, "proved": True, **claim, "rules": rules, **counts, "seconds": seconds}


def check_job(path: str, recorder: "Recorder") -> str:
    """`check_file` as a job of the pool; gives JSON."""
    steps = check_file(path)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return json.dumps(end.value)


def _check_one(path: Path, results: list[dict[str, Any]]) -> Generator["Progress", None, None]:
    """A single file, in this process; its positions are counted."""
    from noughts.questions.session import Progress

    steps = check_file(str(path))
    while True:
        try:
            done, most = next(steps)
        except StopIteration as end:
            result = end.value
            break
        yield Progress(done, most, done)
    results.append(result)
    if result["proved"]:
        yield Progress(result["positions"], result["positions"], result["positions"])


def _check_all(
    paths: list[Path], results: list[dict[str, Any]], workers: int | None
) -> Generator["Progress", None, None]:
    """Several files, each in a process of the pool."""
    from noughts.machine import Job, run_jobs
    from noughts.questions.session import Progress

    jobs = [Job(str(path), "noughts.cli.verify:check_job", str(path)) for path in paths]
    yield Progress(0, len(jobs), 0)
    with closing(run_jobs(jobs, workers)) as done:
        for result in done:
            results.append(_result(result))
            yield Progress(len(results), len(jobs), len(results))


def _result(result: "JobResult") -> dict[str, Any]:
    from noughts.machine import Done

    if isinstance(result, Done):
        found: dict[str, Any] = json.loads(result.value)
        return found
    return {"file": result.key, "proved": False, "error": f"it could not be checked: {result.message}"}
