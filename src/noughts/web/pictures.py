"""Drawings for the page: positions and the figures of studies, light or dark, as SVG that runs nothing."""

import threading
from functools import lru_cache

from fastapi.responses import Response

from noughts.positions import Position
from noughts.reports.boards import board_svg
from noughts.reports.figures import figure_svg
from noughts.reports.palette import recoloured
from noughts.studies.result import Figure

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
DRAWING = threading.Lock()
"""Held while curves are drawn: matplotlib has settings that all threads share."""


def board_picture(position: Position, dark: bool) -> Response:
    """A position as SVG."""
    svg = board_svg(position)
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
