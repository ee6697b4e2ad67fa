"""Drawings for the page: positions and the figures of studies, light or dark, as SVG that may not run scripts."""

from functools import lru_cache
from typing import Any

from fastapi.responses import Response
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from noughts.document.result import Figure
from noughts.positions import Position
from noughts.reports.boards import BoardOptions, board_svg
from noughts.reports.figures import figure_svg
from noughts.reports.palette import recoloured
from noughts.web.errors import Refused

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

PICTURE: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {}}}}
"""The response of a route that returns a drawing, for OpenAPI."""


class Note(BaseModel):
    """Text and marks in one cell of a drawing."""

    square: str = Field(max_length=12)
    text: str = Field("", max_length=12)
    shade: float | None = Field(None, ge=0, le=1, description="Of its ground, from 0 to 1; none if left out.")
    best: bool = Field(False, description="Whether there is a ring around it.")


_NOTES = TypeAdapter(tuple[Note, ...])
_figure_svg = lru_cache(maxsize=64)(figure_svg)


def board_picture(position: Position, notes: str, dark: bool) -> Response:
    """Return a position as SVG, with `notes` in its cells, a JSON list of `Note`.

    Raises:
        Refused: the notes are invalid.
        RulesError: the square of a note is not on the board.
    """
    try:
        by_cell = {position.rules.cell_of(note.square): note for note in _NOTES.validate_json(notes)}
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise Refused(422, f"{'.'.join(map(str, ('notes', *first['loc'])))}: {first['msg']}") from None
    options = BoardOptions(
        values={cell: note.shade for cell, note in by_cell.items() if note.shade is not None},
        texts={cell: note.text for cell, note in by_cell.items()},
        best=frozenset(cell for cell, note in by_cell.items() if note.best),
        value_range=(0.0, 1.0),
    )
    return _picture(board_svg(position, options), dark)


def figure_picture(figure: Figure, dark: bool) -> Response:
    """Return a figure as SVG. The drawing is cached."""
    return _picture(_figure_svg(figure), dark)


def _picture(svg: str, dark: bool) -> Response:
    content = recoloured(svg) if dark else svg
    return Response(content, media_type="image/svg+xml", headers={"Content-Security-Policy": _POLICY})
