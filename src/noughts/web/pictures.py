"""Drawings for the page: positions and the figures of studies, light or dark, as SVG that runs nothing."""

import threading
from collections.abc import Sequence
from functools import lru_cache

from fastapi.responses import Response

from noughts.document.result import Figure
from noughts.positions import Position
from noughts.reports.boards import BoardOptions, board_svg
from noughts.reports.figures import figure_svg
from noughts.reports.palette import recoloured
from noughts.web.answers import Note

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
DRAWING = threading.Lock()
"""Held while curves are drawn: matplotlib has settings that all threads share."""


def board_picture(position: Position, notes: Sequence[Note], dark: bool) -> Response:
    """A position as SVG, with what is written into its cells; RulesError if one of them is not on the board."""
    by_cell = {position.rules.cell_of(note.square): note for note in notes}
    options = BoardOptions(
        values={cell: note.shade for cell, note in by_cell.items() if note.shade is not None},
        texts={cell: note.text for cell, note in by_cell.items()},
        best=frozenset(cell for cell, note in by_cell.items() if note.best),
        value_range=(0.0, 1.0),
    )
    svg = board_svg(position, options)
    return _picture(recoloured(svg) if dark else svg)


def figure_picture(figure: Figure, dark: bool) -> Response:
    """A figure as SVG; drawn once."""
    svg = _figure(figure)
    return _picture(recoloured(svg) if dark else svg)


@lru_cache(maxsize=64)
def _figure(figure: Figure) -> str:
    with DRAWING:
        return figure_svg(figure)


def _picture(svg: str) -> Response:
    return Response(svg, media_type="image/svg+xml", headers={"Content-Security-Policy": _POLICY})
