"""Matrices of numbers, such as cross-tables, by matplotlib. Imported only when something is drawn."""

import math
import textwrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle

from noughts.document.result import MatrixFigure
from noughts.reports.canvas import new_canvas, set_title, short
from noughts.reports.drawing import clean
from noughts.reports.palette import HEAT_STEPS, colour, heat

_HIGH = 0.46
"""Height of a cell, in inches."""


def matrix_canvas(figure: MatrixFigure, *, titled: bool) -> Canvas:
    """A grid of shaded cells with the numbers in them; a cell that was not measured is only outlined."""
    columns, rows = max(len(figure.cols), 1), max(len(figure.rows), 1)
    longest = max((len(text) for line in figure.texts for text in line), default=1)
    side = min(max(0.46, 0.1 * longest + 0.12), 1.2)
    canvas, axes = new_canvas(max(columns * side, 1.0), rows * _HIGH)
    canvas.subplots_adjust(left=0, right=1, bottom=0, top=1)  # labels are outside, but included when saved
    for row, (values, texts) in enumerate(zip(figure.values, figure.texts, strict=True)):
        for col, (value, text) in enumerate(zip(values, texts, strict=True)):
            _matrix_cell(axes, row, col, value, clean(text), figure.value_range)
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    turned = any(len(text) * 0.085 > side - 0.05 for text in figure.cols)
    axes.set_xticks([col + 0.5 for col in range(len(figure.cols))], [clean(text) for text in figure.cols])
    axes.set_yticks([row + 0.5 for row in range(len(figure.rows))], [clean(text) for text in figure.rows])
    axes.tick_params(length=0, top=False, labeltop=True, labelbottom=False, pad=4)
    if turned:
        axes.tick_params(axis="x", labelrotation=90)
    axes.xaxis.set_label_position("top")
    axes.set_xlabel(clean(figure.col_label), labelpad=6, color=colour("muted"))
    axes.set_ylabel(clean(figure.row_label), labelpad=6, color=colour("muted"))
    _scale(canvas, axes, figure, rows * _HIGH)
    if titled:
        set_title(axes, figure.title)
    return canvas


def _matrix_cell(
    axes: Axes, row: int, col: int, value: float | None, text: str, value_range: tuple[float, float]
) -> None:
    if value is None or math.isnan(value):
        axes.add_patch(
            Rectangle((col + 0.02, row + 0.02), 0.96, 0.96, facecolor="none", edgecolor=colour("faint"), linewidth=0.8)
        )
        axes.text(col + 0.5, row + 0.5, text or "–", ha="center", va="center_baseline", color=colour("muted"))
        return
    shade, ink = heat(value, value_range)
    axes.add_patch(Rectangle((col + 0.02, row + 0.02), 0.96, 0.96, facecolor=shade, linewidth=0))
    axes.text(col + 0.5, row + 0.5, text or f"{value:g}", ha="center", va="center_baseline", color=ink)


def _scale(canvas: Canvas, axes: Axes, figure: MatrixFigure, height: float) -> None:
    """Draw the legend of the shades: a row of them below the matrix, with both ends and the name."""
    low, high = figure.value_range
    left, top = 0.0, -0.34 / height
    across = min(1.0, 1.5 / canvas.get_figwidth())
    for step in range(HEAT_STEPS):
        axes.add_patch(
            Rectangle(
                (left + across * step / HEAT_STEPS, top),
                across / HEAT_STEPS,
                0.11 / height,
                facecolor=colour(f"heat-{step}"),
                linewidth=0,
                transform=axes.transAxes,
                clip_on=False,
            )
        )
    below = top - 0.06 / height
    text: dict[str, Any] = {"va": "top", "transform": axes.transAxes, "fontsize": 9, "color": colour("muted")}
    axes.text(left, below, short(low), ha="left", **text)
    axes.text(left + across, below, short(high), ha="right", **text)
    axes.text(left, below - 0.18 / height, textwrap.fill(clean(figure.value_label), 44), ha="left", **text)
