"""Every figure of a study as SVG and as PNG. Equal figures give equal bytes."""

import io
import re
from collections.abc import Iterator

from noughts.document.document import Listing
from noughts.document.result import BoardFigure, CurveFigure, Figure
from noughts.positions import Position
from noughts.reports.boards import BoardOptions, board_drawing, describe_position
from noughts.reports.drawing import FONT, Drawing, accessible_head, drawing_svg
from noughts.reports.palette import themed
from noughts.reports.wording import figure_text

_PNG_DPI = 200


def figure_svg(figure: Figure, *, inline: bool = False) -> str:
    """A figure as SVG, its text as text.

    Args:
        figure: What to draw.
        inline: For use within an HTML page: no XML declaration, no title (the page's caption has it), colours from the
            page, and names that do not clash with those of other figures.
    """
    if isinstance(figure, BoardFigure):
        return drawing_svg(_board(figure), inline=inline)
    svg = _tidy(_draw(figure, "svg", titled=not inline).decode(), figure)
    if inline:
        return themed(svg[svg.index("<svg") :])
    return svg


def figure_png(figure: Figure) -> bytes:
    """A figure as PNG, on white."""
    return _draw(figure, "png", titled=True)


def describe_figure(figure: Figure) -> str:
    """A figure in words, for people who cannot see it."""
    if isinstance(figure, BoardFigure):
        values = "; ".join(f"{_position(figure).rules.name_of(v.cell)} {v.text}" for v in figure.values)
        return describe_position(_position(figure)) + (f" {figure.value_label}: {values}." if values else "")
    axis = f"{figure.y_label} over {figure.x_label}{' (logarithmic)' if figure.log_x else ''}"
    lines = (
        f"{s.name}: from {s.y[0]:g} at {s.x[0]:g} to {s.y[-1]:g} at {s.x[-1]:g}" if s.x else f"{s.name}: no points"
        for s in figure.series
    )
    return f"{axis}. {'; '.join(lines)}."


def figure_listing(figure: Figure) -> Listing | None:
    """The numbers of a figure, as a table; None for a board, whose description has the moves."""
    if isinstance(figure, BoardFigure):
        return None
    heads = ("line", figure.x_label, figure.y_label, "95% interval")
    return Listing(figure.title, heads, tuple(_points(figure))).without_empty()


def _points(figure: CurveFigure) -> Iterator[tuple[str, ...]]:
    for series in figure.series:
        for place, (x, y) in enumerate(zip(series.x, series.y, strict=True)):
            ends = (series.low[place], series.high[place]) if series.low and series.high else ()
            interval = " to ".join(figure_text(end, figure.y_label) for end in ends)
            yield series.name, f"{x:,g}", figure_text(y, figure.y_label), interval


def _position(figure: BoardFigure) -> Position:
    return Position.start(figure.game, figure.moves)


def _board(figure: BoardFigure) -> Drawing:
    options = BoardOptions(
        numbers=True,
        values={shown.cell: shown.value for shown in figure.values},
        texts={shown.cell: shown.text for shown in figure.values},
        value_range=figure.value_range,
    )
    return board_drawing(_position(figure), options, title=figure.title)


def _draw(figure: Figure, format: str, *, titled: bool) -> bytes:
    """The figure as matplotlib saves it, but without a date or a version."""
    from noughts.reports import canvas, curves

    buffer = io.BytesIO()
    with canvas.house_style():
        if isinstance(figure, BoardFigure):
            drawn, box = canvas.drawing_canvas(_board(figure)), None  # a board fills its canvas exactly
        else:
            drawn, box = curves.curve_canvas(figure, titled=titled), "tight"  # curves grow as their labels need
        nothing = ("Date", "Creator", "Format", "Type") if format == "svg" else ("Software",)
        drawn.savefig(buffer, format=format, dpi=_PNG_DPI, bbox_inches=box, metadata=dict.fromkeys(nothing))
    return buffer.getvalue()


_ID = re.compile(r' id="([^"]*)"')
_DOCTYPE = re.compile(r"<!DOCTYPE.*?>\s*", re.DOTALL)
_GLOBAL_STYLE = re.compile(r"\s*<defs>\s*<style.*?</style>\s*</defs>", re.DOTALL)
_OPENING = re.compile(r"<svg\b[^>]*>")
_SIZE = re.compile(r' (width|height)="([\d.]+)pt"')


def _tidy(svg: str, figure: CurveFigure) -> str:
    """Make Matplotlib's SVG fit for a page with other figures.

    Its style sheet would affect the whole page, so it becomes attributes. Its ids (``figure_1``, ``axes_1``) are the
    same in every figure, so unused ones are removed, and the others get the figure's name as a prefix.
    """
    svg = _GLOBAL_STYLE.sub("", _DOCTYPE.sub("", svg), count=1)
    svg = svg.replace("'DejaVu Sans'", FONT.replace('"', "'"))
    used = set(re.findall(r'(?:href="|url\()#([^")]+)', svg))
    prefix = re.sub(r"[^A-Za-z0-9_-]", "-", figure.name)
    svg = _ID.sub(lambda match: f' id="{prefix}-{match.group(1)}"' if match.group(1) in used else "", svg)
    svg = re.sub(r'(href="|url\()#', rf"\g<1>#{prefix}-", svg)
    opening = _OPENING.search(svg)
    assert opening is not None
    # A point is 4/3 of a pixel. With pixels as units, text has the same size in figures and on boards.
    tag = _SIZE.sub(lambda match: f' {match.group(1)}="{match.group(2)}"', opening.group())
    tag = tag[:-1] + ' role="img" style="stroke-linejoin: round; stroke-linecap: butt">'
    head = accessible_head(figure.title, describe_figure(figure))
    return f"{svg[: opening.start()]}{tag}\n{head}{svg[opening.end() :]}"
