"""``noughts runs compare``: show different settings of runs, their measurements, and their curves in one figure."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.options import ForceOption, JsonOption, StoreOption
from noughts.rules.errors import NoughtsError, StoreError

if TYPE_CHECKING:
    from noughts.document.result import CurveFigure
    from noughts.store.run_folder import RunFolder


def compare(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Two or more runs, by name or folder.")],
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Plot the curves of all runs, as .svg or .png.")
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="Metric to plot. By default the first that all runs measured.")
    ] = None,
    force: ForceOption = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Compare runs by their settings, their measurements with intervals, and their curves.

    During training each run was measured on its own test set, drawn from its seed. So use `noughts match` and
    `noughts score` to measure runs alike, or `noughts sweep` to train them for that.

    Examples:
        noughts runs compare first second --plot curves.svg
        noughts runs compare first second third --json
    """
    from noughts.cli.output import save_figure, show
    from noughts.reports.presenting.trainings import present_compared_runs
    from noughts.store.files import require_new
    from noughts.store.run_folder import RunFolder

    if len(runs) < 2 or len(set(runs)) < len(runs):
        raise NoughtsError("give two or more different runs to compare")
    found = {run: RunFolder.find(run) for run in runs}
    drawn, lines = None, []
    if plot is not None:
        if plot.suffix not in (".svg", ".png"):
            raise StoreError(f"--plot {plot} is not allowed: a file that ends in .svg or .png")
        require_new(plot, force)
        drawn = str(save_figure(_figure(list(found.values()), metric), plot))
        lines.append(f"plot: {drawn}")
    return show(present_compared_runs(found), as_json, lines=lines, plot=drawn)


def _figure(found: "list[RunFolder]", metric: str | None) -> "CurveFigure":
    """Make a figure of a metric of all runs by positions, with confidence intervals if they are known."""
    from noughts.document.result import CurveFigure, Series
    from noughts.rules.text import unknown
    from noughts.training.compared import measurements, reading

    curves = [measurements(run) for run in found]
    first = curves[0][-1].metrics if curves[0] else {}
    common = [name for name in first if all(lines and name in lines[-1].metrics for lines in curves)]
    if not common:
        raise NoughtsError("the runs share no measurement, so there is no curve to draw")
    if metric is not None and metric not in common:
        raise NoughtsError(unknown("metric that all runs measured", metric, common))
    name = metric or common[0]
    series, about = [], ""
    for run, lines in zip(found, curves, strict=True):
        readings = [(line.positions, reading(run.description.method, name, line)) for line in lines]
        points = [(at, one.value, one.low, one.high) for at, one in readings if one.value is not None]
        series.append(Series.through(run.name, points))
        about = about or next((one.about for _, one in readings if one.value is not None), "")
    return CurveFigure(
        name=name, title=about or name, x_label="positions seen in training", y_label=name, series=tuple(series)
    )
