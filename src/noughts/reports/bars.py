"""The small bar in a table's row: our number and its interval on a line from 0 to 100, the paper's beside it."""

from noughts.document.result import Row
from noughts.reports.wording import paper_figure

WIDTH, HEIGHT = 152, 22
_LEFT, _LENGTH = 6.0, 140.0
_MIDDLE = HEIGHT / 2


def interval_bar(row: Row) -> str:
    """The bar as inline SVG, coloured by the page's style sheet; empty if the row holds no percentage.

    It repeats what the row's cells say, so it is hidden from screen readers. The paper's number is a hollow
    diamond, ours a stroke across its interval: the shapes tell them apart. Between bounds there is no stroke.
    """
    values = [value for value in (row.value, row.low, row.high) if value is not None]
    if not values or any(not 0 <= value <= 100 for value in values):
        return ""
    shapes = [f'<path class="axis" d="M{_at(0)} {_MIDDLE}H{_at(100)}M{_at(0)} 7v8M{_at(50)} 9v4M{_at(100)} 7v8"/>']
    if row.low is not None and row.high is not None:
        # Never thinner than can be seen: an interval of 0.1 points is still there.
        left, right = _x(row.low), max(_x(row.high), _x(row.low) + 1.5)
        shapes.append(
            f'<rect class="interval" x="{left:.1f}" y="{_MIDDLE - 4.5:g}" width="{right - left:.1f}" height="9" rx="1"/>'
        )
    paper = paper_figure(row)
    if row.value is not None:
        shapes.append(f'<path class="ours" d="M{_at(row.value)} {_MIDDLE - 7:g}v14"/>')
    if paper is not None:
        shapes.append(f'<path class="paper" d="M{_x(paper) - 4.5:.1f} {_MIDDLE:g}l4.5 -4.5 4.5 4.5 -4.5 4.5z"/>')
    return (
        f'<svg class="bar" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" aria-hidden="true">'
        f"{''.join(shapes)}</svg>"
    )


def _x(percent: float) -> float:
    return _LEFT + _LENGTH * percent / 100


def _at(percent: float) -> str:
    return f"{_x(percent):.1f}"
