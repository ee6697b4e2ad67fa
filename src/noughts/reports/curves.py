"""Curves with their intervals, by matplotlib. Imported only when something is drawn.

Charts are about as wide as a phone, so that their text is readable there and large elsewhere. The legend is below
the data, never on them.
"""

import itertools
import textwrap
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import FuncFormatter

from noughts.document.result import CurveFigure, Series
from noughts.reports.canvas import new_canvas, set_title, short
from noughts.reports.drawing import clean
from noughts.reports.palette import SERIES

_MARKERS = ("o", "s", "^", "D", "v", "P")
_DASHES = ("-", "--", "-.", ":")
_WIDTH = 5.0
_MANY_POINTS = 40
"""A line of this many points, or more, has no markers."""


def curve_canvas(figure: CurveFigure, *, titled: bool) -> Canvas:
    """Lines with their intervals: a band about a line, bars about single points."""
    canvas, axes = new_canvas(_WIDTH, 3.3)
    for number, series in zip(_places(figure.series), figure.series, strict=True):
        _draw_series(axes, series, number)
    axes.grid(visible=True)
    axes.tick_params(which="both", length=0)
    axes.set_xlabel(clean(figure.x_label))
    axes.set_ylabel(clean(figure.y_label))
    xs = [x for series in figure.series for x in series.x]
    if figure.log_x:
        _log_axis(axes, xs)
    elif len(set(xs)) <= 8 and xs and all(x == round(x) for x in xs):
        axes.set_xticks(sorted(set(xs)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: short(x)))
    if figure.y_range is not None:
        low, high = figure.y_range
        over = (high - low) * 0.03  # so that points at the edge are not cut in half
        axes.set_ylim(low - over, high + over)
    if titled:
        set_title(axes, figure.title)
    if len(figure.series) > 1:
        _legend(axes, figure.series)
    return canvas


def _places(all_series: Sequence[Series]) -> list[int]:
    """The number of each series among those with their own colour, from 0; if it shares a colour, the number of the owner."""
    own = [series.name for series in all_series if not series.colour_of]
    following = itertools.count()
    return [own.index(series.colour_of) if series.colour_of else next(following) for series in all_series]


def _draw_series(axes: Axes, series: Series, number: int) -> None:
    """Draw one series. After six series the colours repeat with another dash and other markers. A series that shares the
    colour of another has its marker too, but hollow."""
    hue, dash = SERIES[number % len(SERIES)], _DASHES[number // len(SERIES) % len(_DASHES)]
    marker = _MARKERS[(number + number // len(SERIES)) % len(_MARKERS)]
    if series.low and series.high:
        if series.points_only or len(series.x) == 1:
            below = [max(y - low, 0.0) for y, low in zip(series.y, series.low, strict=True)]
            above = [max(high - y, 0.0) for y, high in zip(series.y, series.high, strict=True)]
            axes.errorbar(
                series.x, series.y, yerr=(below, above), fmt="none", color=hue, elinewidth=1.4, capsize=3, zorder=2
            )
        else:
            axes.fill_between(series.x, series.low, series.high, color=hue, alpha=0.16, linewidth=0, zorder=1)
    axes.plot(
        series.x,
        series.y,
        color=hue,
        linestyle="none" if series.points_only else dash,
        linewidth=1.8,
        marker=marker if series.points_only or len(series.x) < _MANY_POINTS else None,
        markersize=5,
        markerfacecolor="none" if series.colour_of else hue,
        label=_legend_text(series.name),
        zorder=3,
    )


def _legend(axes: Axes, all_series: tuple[Series, ...]) -> None:
    """Add a legend below the axis, in two columns if the names are short."""
    columns = 2 if max(len(series.name) for series in all_series) <= 22 else 1
    axes.legend(
        loc="upper left", bbox_to_anchor=(0.0, -0.19), ncols=columns, borderaxespad=0, handlelength=2.6, borderpad=0
    )


def _legend_text(name: str) -> str:
    """A series' name in lines that fit. A blank hides a leading underscore, because matplotlib leaves such names out."""
    text = textwrap.fill(clean(name), 52)
    return f" {text}" if text.startswith("_") else text


def _log_axis(axes: Axes, xs: list[float]) -> None:
    """Set a logarithmic axis with plain numbers. If a value is zero, it is linear up to 1, so that no value is left out."""
    if min(xs, default=1.0) > 0:
        axes.set_xscale("log")
    else:
        axes.set_xscale("symlog", linthresh=1.0)
    axes.xaxis.set_minor_formatter(FuncFormatter(lambda x, _: ""))
