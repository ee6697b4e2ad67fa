"""Documents as parts of an HTML page, such as a notebook's output. Their contents are always text, never markup."""

import base64
import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from noughts.document.document import Document, Listing, cell_text
from noughts.document.result import BoardFigure, Figure, Row, Table
from noughts.reports.figures import describe_figure, figure_listing, figure_png, figure_svg
from noughts.reports.tables import VERDICT, is_left, table_listing
from noughts.reports.wording import is_percent

_FIGURE = 20
"""The most characters of a number in a cell. Longer texts are words, which may be broken."""

_BAR_WIDTH, _BAR_HEIGHT = 152, 22
_LEFT, _LENGTH = 6.0, 140.0
_MIDDLE = _BAR_HEIGHT / 2


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure with all its drawings, each drawn once."""

    figure: Figure
    file_name: str
    svg: str
    png: bytes
    inline: Markup

    @classmethod
    def of(cls, figure: Figure, file_name: str) -> "Picture":
        """Draw it."""
        inline = Markup(figure_svg(figure, inline=True))  # safe: we draw it and escape its texts
        return cls(figure, file_name, figure_svg(figure), figure_png(figure), inline)

    @property
    def natural_width(self) -> float:
        """The width of the inline drawing, in its own units."""
        box = re.search(r'viewBox="0 0 ([\d.]+) ', self.inline)
        return float(box.group(1)) if box else 360.0

    @property
    def least_scale(self) -> float:
        """The smallest scale at which its text is readable; a board's text is larger."""
        return 0.62 if isinstance(self.figure, BoardFigure) else 0.88


def document_html(document: Document) -> str:
    """Tables, paragraphs and drawings, in order; then the first ten problems."""
    part: Any = environment().get_template("blocks.html").module
    parts = (*document.blocks, *document.problems[:10])
    return "".join(part.part(*piece) for piece in pieces(parts, {}, complete=document.complete))


def pieces(parts: Iterable[Any], pictures: dict[int, Picture], *, complete: bool) -> Iterator[tuple[str, Any]]:
    """Blocks and lists of items for the templates, each with its kind. Figures that are not in `pictures`, by identity, become
    drawings alone.
    """
    for part in parts:
        match part:
            case str():
                yield "text", part
            case tuple():
                yield "items", part
            case Table():
                bars = [Markup(_interval_bar(part, row)) for row in part.rows]  # safe: made of numbers only
                yield ("table", (table_listing(part, complete=complete), bars if any(bars) else []))
            case Listing():
                yield ("table", (part, []))
            case _ if id(part) in pictures:
                yield "figure", pictures[id(part)]
            case _:
                drawn = figure_svg(part)
                yield ("drawing", Markup(drawn[drawn.index("<svg") :]))  # without the XML declaration


def _interval_bar(table: Table, row: Row) -> str:
    """A row's bar as inline SVG, coloured by the page's style sheet; empty if the row has no percentage.

    It repeats the row's cells, so it is hidden from screen readers. Our number is a stroke across its interval, and a
    compared paper's number a hollow diamond, so that they differ in shape, too. Between bounds there is no stroke.
    """
    values = [value for value in (row.value, row.low, row.high) if value is not None]
    if not is_percent(table.unit) or not values or any(not 0 <= value <= 100 for value in values):
        return ""
    shapes = [f'<path class="axis" d="M{_at(0)} {_MIDDLE}H{_at(100)}M{_at(0)} 7v8M{_at(50)} 9v4M{_at(100)} 7v8"/>']
    if row.low is not None and row.high is not None:
        # Wide enough to be visible, even for an interval of 0.1 points.
        left, right = _x(row.low), max(_x(row.high), _x(row.low) + 1.5)
        shapes.append(
            f'<rect class="interval" x="{left:.1f}" y="{_MIDDLE - 4.5:g}" width="{right - left:.1f}" height="9" rx="1"/>'
        )
    if row.value is not None:
        shapes.append(f'<path class="ours" d="M{_at(row.value)} {_MIDDLE - 7:g}v14"/>')
    if row.comparison is not None:
        left = _x(100 * row.comparison.claimed) - 4.5
        shapes.append(f'<path class="paper" d="M{left:.1f} {_MIDDLE:g}l4.5 -4.5 4.5 4.5 -4.5 4.5z"/>')
    return (
        f'<svg class="bar" viewBox="0 0 {_BAR_WIDTH} {_BAR_HEIGHT}" width="{_BAR_WIDTH}" height="{_BAR_HEIGHT}" aria-hidden="true">'
        f"{''.join(shapes)}</svg>"
    )


def _x(percent: float) -> float:
    return _LEFT + _LENGTH * percent / 100


def _at(percent: float) -> str:
    return f"{_x(percent):.1f}"


@functools.cache
def environment() -> Environment:
    """The environment of our templates, which escapes every text."""
    made = Environment(
        loader=PackageLoader("noughts.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals |= {"is_left": is_left, "VERDICT": VERDICT, "data_address": data_address}
    made.globals |= {"describe_figure": describe_figure, "figure_listing": figure_listing}
    made.filters |= {
        "text": cell_text,
        "one_line": lambda text: " ".join(text.split()),
        "whole": lambda text: (" whole" if len(text) <= _FIGURE else "") + ("" if text else " empty"),
        "breakable": _breakable,
    }
    return made


def _breakable(text: str) -> Markup:
    """`text` with allowed line breaks within an agent's name, as after the comma of ``mcts:sims=1000,c=1``."""
    return Markup("<wbr>").join(re.findall(r"[^,:@|]+[,:@|]*|[,:@|]+", text))


def data_address(kind: str, data: bytes) -> str:
    """Data as a ``data:`` address, which fetches nothing."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
