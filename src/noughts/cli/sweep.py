"""``noughts sweep``: train with many settings, and compare the runs on one test set after equal numbers of positions."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import JsonOption, OnOption, ReportOption, StoreOption, WorkersOption
from noughts.cli.output import pages_folder, show

if TYPE_CHECKING:
    from noughts.document.document import Document
    from noughts.document.result import StudyResult


def sweep(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Settings and tests, as TOML.")],
    workers: WorkersOption = None,
    on: OnOption = None,
    store: StoreOption = None,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> int:
    """Train with every setting and every seed, and measure all runs alike. It writes tables, curves, a page and CSV.

    If the sweep is interrupted, even by kill -9, the same command continues it. If you add settings, seeds or tests to the
    file, only those are trained and measured.

    Examples:
        noughts sweep networks.toml --workers 2 --report pages
    """
    from noughts.library.sweep_file import read_sweep
    from noughts.library.sweeping import repeat_sweep, run_sweep, write_sweep

    asked = read_sweep(file)
    how = Asking(workers, on, as_json=as_json)
    folder = pages_folder(report)
    result, swept, found = run_sweep(asked, repeat_sweep(file), how.settings)
    page, csv = map(str, write_sweep(result, swept, found, folder))
    lines = ["", f"page: {page}", f"CSV of every measurement: {csv}"]
    measured = [one._asdict() for one in found.measured]
    return show(_means(result), as_json, lines=lines, page=page, csv=csv, measured=measured)


def _means(result: "StudyResult") -> "Document":
    """Return the document without its last table, which lists every training."""
    from noughts.reports.presenting import present

    document, trainings = present(result), result.tables[-1]
    return replace(document, blocks=tuple(block for block in document.blocks if block is not trainings))
