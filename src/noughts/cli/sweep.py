"""``noughts sweep``: trainings under many settings, compared after equal numbers of positions on one test set."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.ask import show
from noughts.cli.options import JsonOption, OnOption, ReportOption, StoreOption, WorkersOption
from noughts.cli.telling import detail, note

if TYPE_CHECKING:
    from noughts.document.document import Document
    from noughts.document.result import StudyResult
    from noughts.library.sweep_file import SweepFile
    from noughts.store.results import Store


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
    """
    from rich.console import Group

    from noughts.cli.output import name_changed, watch
    from noughts.library.asking import executor_at
    from noughts.library.sweep_file import read_sweep
    from noughts.library.sweeping import SweepRun, repeat_sweep, write_sweep
    from noughts.reports.terminal import document_tables
    from noughts.store.files import make_folder
    from noughts.store.results import Store

    asked = read_sweep(file)
    place = Store.open(store)
    if plan:
        return _plan(asked, place, as_json)

    def tables() -> Group:
        known = running.result()
        return Group() if known is None else document_tables(_means(known))

    folder = report or place.folder / "pages"
    make_folder(folder)
    with SweepRun(asked, repeat_sweep(file), place, executor_at(workers, on)) as running:
        if running.run.resumed and not as_json:
            note(f"going on with the sweep {asked.name} that was interrupted")
        name_changed(running.run.changed)
        detail(f"sweep {asked.name}: run {running.run.id} in {place.called}")
        watch(running.progress(), asked.name, tables, quiet=as_json)
        result, found = running.result(complete=True), running.found()
        assert result is not None
        assert found is not None
        page, measurements, means = write_sweep(result, *found, folder)
        running.finish(result)
    files: dict[str, Any] = {"page": str(page), "csv": str(measurements), "means_csv": str(means)}
    code = show(_means(result), as_json, **files, measured=[one._asdict() for one in found[1].measured])
    if not as_json:
        typer.echo("")
        for name, written in (("page", page), ("CSV of every measurement", measurements), ("CSV of means", means)):
            typer.echo(f"{name}: {written}")
    return code


def _means(result: "StudyResult") -> "Document":
    """Without the table of every training alone, which stands last."""
    from noughts.reports.presenting import present

    document, trainings = present(result), result.tables[-1]
    return replace(document, blocks=tuple(block for block in document.blocks if block is not trainings))


def _plan(file: "SweepFile", place: "Store", as_json: bool) -> int:
    from noughts.cli.output import name_changed, print_json, write_seconds
    from noughts.library.sweeping import plan_sweep

    cost = plan_sweep(file, place)
    if as_json:
        print_json(cost._asdict())
        return 0
    name_changed(cost.changed)
    most = "at most " if file.choose == "optuna" else ""
    left = cost.trainings - cost.trained
    typer.echo(f"conditions    {most}{cost.conditions:,}, each with {len(file.seeds)} seeds")
    typer.echo(
        f"trainings     {most}{cost.trainings:,}, {cost.trained:,} of them done; {cost.positions:,} positions left"
    )
    typer.echo(
        f"measurements  {most}{cost.measurements:,}, made of {cost.asked:,} games and pieces of positions, "
        f"{cost.kept:,} of them done"
    )
    if not left:
        typer.echo("time          everything is trained")
    elif cost.seconds is None:
        typer.echo("time          not known before the first training is done: try one with few positions")
    else:
        typer.echo(
            f"time          about {write_seconds(cost.seconds)} of training one after another, going by those that are done"
        )
    return 0
