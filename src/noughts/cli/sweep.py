"""``noughts sweep``: train with many settings, and compare the runs on one test set after equal numbers of positions."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.ask import Asking, note_changed
from noughts.cli.options import JsonOption, OnOption, ReportOption, StoreOption, WorkersOption
from noughts.cli.output import pages_folder, show

if TYPE_CHECKING:
    from noughts.document.document import Document
    from noughts.document.result import StudyResult
    from noughts.library.sweep_file import SweepFile


def sweep(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Settings and tests, as TOML.")],
    plan: Annotated[bool, typer.Option("--plan", help="Print the cost, and compute nothing.")] = False,
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
        noughts sweep networks.toml --plan
        noughts sweep networks.toml --workers 2 --report pages
    """
    from noughts.library.sweep_file import read_sweep
    from noughts.library.sweeping import repeat_sweep, run_sweep, write_sweep

    asked = read_sweep(file)
    how = Asking(workers, on, as_json=as_json)
    if plan:
        return _plan(asked, as_json)
    folder = pages_folder(report)
    result, swept, found = run_sweep(asked, repeat_sweep(file), how.settings)
    paths = map(str, write_sweep(result, swept, found, folder))
    files: dict[str, Any] = dict(zip(("page", "csv", "means_csv"), paths, strict=True))
    names = ("page", "CSV of every measurement", "CSV of means")
    lines = ["", *(f"{name}: {path}" for name, path in zip(names, files.values(), strict=True))]
    return show(_means(result), as_json, lines=lines, **files, measured=[one._asdict() for one in found.measured])


def _means(result: "StudyResult") -> "Document":
    """Return the document without its last table, which lists every training."""
    from noughts.reports.presenting import present

    document, trainings = present(result), result.tables[-1]
    return replace(document, blocks=tuple(block for block in document.blocks if block is not trainings))


def _plan(file: "SweepFile", as_json: bool) -> int:
    from noughts.document.document import Document
    from noughts.library.sweeping import plan_sweep
    from noughts.reports.presenting.text import seconds_text
    from noughts.store.results import Store

    with Store.open() as place:
        cost = plan_sweep(file, place)
    if cost.trained == cost.trainings:
        left = "everything is trained"
    elif cost.seconds is None:
        left = "unknown until the first training is done; try a sweep with few positions"
    else:
        took = seconds_text(cost.seconds)
        left = f"about {took} of training one after another, going by those that are done"
    most = "at most " if file.choose == "optuna" else ""
    lines = (
        f"conditions    {most}{cost.conditions:,}, each with {len(file.seeds)} seeds",
        f"trainings     {most}{cost.trainings:,}, {cost.trained:,} of them done; {cost.positions:,} positions left",
        f"measurements  {most}{cost.measurements:,}, of {cost.asked:,} games and groups of positions, {cost.kept:,} of them done",
        f"time          {left}",
    )
    if not as_json:
        note_changed(cost.changed)
    return show(Document(lines, cost._asdict()), as_json)
