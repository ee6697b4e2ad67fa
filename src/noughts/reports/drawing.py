"""A drawing as a list of shapes, written as SVG here and painted by matplotlib in `canvas`.

Coordinates are SVG's: x to the right, y down, in units of one CSS pixel at natural size. Shapes have only
features that SVG and matplotlib draw alike.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from xml.sax.saxutils import escape

from noughts.reports.palette import colour, themed

FONT = "system-ui, 'DejaVu Sans', sans-serif"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
BASELINE = 0.36
"""The distance from the middle of a text down to its baseline, in font sizes: half the height of a capital."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle: filled, outlined, or both."""

    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    stroke: str = "none"
    line: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke with round ends."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str
    line: float
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A ring, or a disc if it is filled."""

    x: float
    y: float
    radius: float
    stroke: str
    line: float
    fill: str = "none"


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text, centred at (x, y) vertically, and horizontally unless it starts there (`start`)."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    bold: bool = False
    start: bool = False


Shape = Rect | Line | Circle | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes on paper, later ones on top, with a description for people who cannot see them."""

    width: float
    height: float
    title: str
    description: str
    shapes: list[Shape] = field(default_factory=list)


def side_by_side(drawings: Sequence[Drawing], across: int, title: str) -> Drawing:
    """One drawing of several, in rows of `across`; their descriptions are joined, too."""
    wide, high = max(drawing.width for drawing in drawings), max(drawing.height for drawing in drawings)
    description = " ".join(f"{number}: {drawing.description}" for number, drawing in enumerate(drawings, 1))
    down = -(-len(drawings) // across)
    joined = Drawing(min(across, len(drawings)) * wide, down * high, title, description)
    for number, drawing in enumerate(drawings):
        right, below = number % across * wide, number // across * high
        joined.shapes.extend(_moved(shape, right, below) for shape in drawing.shapes)
    return joined


def _moved(shape: Shape, right: float, down: float) -> Shape:
    if isinstance(shape, Line):
        x1, y1, x2, y2 = shape.x1 + right, shape.y1 + down, shape.x2 + right, shape.y2 + down
        return replace(shape, x1=x1, y1=y1, x2=x2, y2=y2)
    return replace(shape, x=shape.x + right, y=shape.y + down)


def clean(text: str) -> str:
    """`text` without characters that XML forbids or a terminal would interpret."""
    return _CONTROL.sub("", text)


def xml_text(text: str) -> str:
    """`text` escaped for use between tags or in an attribute."""
    return escape(clean(text), {'"': "&quot;"})


def accessible_head(title: str, description: str) -> str:
    """The title and the description of an SVG, for screen readers."""
    return f"<title>{xml_text(title)}</title>\n<desc>{xml_text(description)}</desc>"


def drawing_svg(drawing: Drawing, *, inline: bool = False, scale: float = 1.0) -> str:
    """The drawing as SVG.

    Args:
        drawing: What to draw.
        inline: For use within an HTML page: no XML declaration, no paper beneath, colours from the page.
        scale: A multiple of its natural size.
    """
    size = f"{_number(drawing.width)} {_number(drawing.height)}"
    width, height = _number(scale * drawing.width), _number(scale * drawing.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {size}" role="img" font-family="{FONT}" stroke-linecap="round">'
    )
    lines = [head, accessible_head(drawing.title, drawing.description), *map(_shape_svg, drawing.shapes), "</svg>\n"]
    if inline:
        return themed("\n".join(lines))
    paper = f'<rect width="100%" height="100%" fill="{colour("paper")}"/>'
    return '<?xml version="1.0" encoding="utf-8"?>\n' + "\n".join([*lines[:2], paper, *lines[2:]])


def _shape_svg(shape: Shape) -> str:
    return f"<{' '.join(_parts(shape))}/>" if not isinstance(shape, Label) else _label_svg(shape)


def _parts(shape: Rect | Line | Circle) -> Iterator[str]:
    match shape:
        case Rect():
            yield f'rect x="{_number(shape.x)}" y="{_number(shape.y)}"'
            yield f'width="{_number(shape.width)}" height="{_number(shape.height)}" fill="{shape.fill}"'
        case Line():
            yield f'line x1="{_number(shape.x1)}" y1="{_number(shape.y1)}"'
            yield f'x2="{_number(shape.x2)}" y2="{_number(shape.y2)}"'
            if shape.opacity < 1:
                yield f'stroke-opacity="{_number(shape.opacity)}"'
        case Circle():
            yield f'circle cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}"'
            yield f'fill="{shape.fill}"'
    if shape.line:
        yield f'stroke="{shape.stroke}" stroke-width="{_number(shape.line)}"'


def _label_svg(label: Label) -> str:
    anchor = "" if label.start else ' text-anchor="middle"'
    weight = ' font-weight="bold"' if label.bold else ""
    baseline = _number(label.y + BASELINE * label.size)
    return (
        f'<text x="{_number(label.x)}" y="{baseline}" font-size="{_number(label.size)}" fill="{label.fill}"'
        f"{anchor}{weight}>{xml_text(label.text)}</text>"
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
