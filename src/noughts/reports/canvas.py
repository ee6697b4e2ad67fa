"""Shared by all matplotlib figures: our style, and drawings made of shapes. Imported only when something is drawn.

Figures are created directly, without pyplot.
"""

import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Circle as CirclePatch
from matplotlib.patches import Patch, Rectangle
from numpy.typing import NDArray

from noughts.reports.drawing import BASELINE, Circle, Drawing, Label, Line, Rect, clean
from noughts.reports.palette import colour

_STYLE: dict[Any, Any] = {  # matplotlib's type for it lists every key
    "font.family": ["DejaVu Sans"],  # matplotlib ships it, so texts have the same size on every machine
    "font.size": 10.0,
    "text.parse_math": False,  # a dollar sign stays a dollar sign
    "text.color": colour("ink"),
    "axes.edgecolor": colour("muted"),
    "axes.labelcolor": colour("ink"),
    "axes.facecolor": "none",
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "axes.formatter.use_mathtext": False,
    "grid.color": colour("faint"),
    "grid.linewidth": 0.8,
    "xtick.color": colour("muted"),
    "ytick.color": colour("muted"),
    "xtick.labelcolor": colour("ink"),
    "ytick.labelcolor": colour("ink"),
    "legend.frameon": False,
    "figure.facecolor": colour("paper"),
    "savefig.facecolor": "auto",
    "savefig.pad_inches": 0.08,
    "svg.fonttype": "none",
    "svg.hashsalt": "noughts",
}
_lock = threading.Lock()


@contextmanager
def house_style() -> Iterator[None]:
    """Use our style and ignore the user's matplotlibrc, so that a result looks the same everywhere.

    Matplotlib's settings belong to the whole process, so only one thread draws at a time.
    """
    with _lock, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def new_canvas(width: float, height: float) -> tuple[Canvas, Axes]:
    """An empty figure of a size in inches, and its axes."""
    canvas = Canvas(figsize=(width, height))
    return canvas, canvas.add_subplot()


def set_title(axes: Axes, title: str) -> None:
    """Set a title above the axes, in lines that fit; for a figure without a page around it."""
    axes.set_title(textwrap.fill(clean(title), 52), loc="left", fontsize=11, fontweight="bold", pad=12)


def short(x: float) -> str:
    """A number on an axis: 0.5, 300, 10,000, 2M."""
    for size, letter in ((1e9, "G"), (1e6, "M")):
        if abs(x) >= size:
            return f"{x / size:g}{letter}"
    return f"{x:,g}"


def drawing_canvas(drawing: Drawing) -> Canvas:
    """A figure of a drawing's shapes; one unit of the drawing is one point."""
    canvas = Canvas(figsize=(drawing.width / 72, drawing.height / 72), dpi=72)
    axes = canvas.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, drawing.width)
    axes.set_ylim(drawing.height, 0)
    for order, shape in enumerate(drawing.shapes):
        match shape:
            case Rect() | Circle():
                at = (shape.x, shape.y)
                patch: Patch = (
                    CirclePatch(at, shape.radius)
                    if isinstance(shape, Circle)
                    else Rectangle(at, shape.width, shape.height)
                )
                patch.set(facecolor=shape.fill, edgecolor=shape.stroke, linewidth=shape.line, zorder=order)
                axes.add_patch(patch)
            case Line():
                axes.plot(
                    [shape.x1, shape.x2],
                    [shape.y1, shape.y2],
                    color=shape.stroke,
                    linewidth=shape.line,
                    alpha=shape.opacity,
                    solid_capstyle="round",
                    zorder=order,
                )
            case Label():
                axes.text(
                    shape.x,
                    shape.y + BASELINE * shape.size,
                    clean(shape.text),
                    fontsize=shape.size,
                    color=shape.fill,
                    weight="bold" if shape.bold else "normal",
                    ha="left" if shape.start else "center",
                    va="baseline",
                    zorder=order,
                )
    return canvas


def drawing_pixels(drawing: Drawing, scale: int = 1) -> NDArray[np.uint8]:
    """A drawing as RGB pixels: uint8 [scale * height, scale * width, 3]."""
    with house_style():
        canvas = drawing_canvas(drawing)
        canvas.set_dpi(72 * scale)
        painter: Any = FigureCanvasAgg(canvas)  # it is partly untyped
        painter.draw()
        return np.asarray(painter.buffer_rgba())[:, :, :3].copy()
