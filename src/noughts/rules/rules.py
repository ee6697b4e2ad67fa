"""`Rules`: one value that defines a game of the family. A game is data, not a class."""

import itertools
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_serializer,
    field_validator,
    model_serializer,
    model_validator,
)

from noughts.rules.errors import RulesError
from noughts.rules.squares import MAX_SIDE, Wrap, joins_columns, joins_rows, lines_on_board, square_index, square_name
from noughts.rules.value import Value

MAX_BOARDS = 100

Marks = Literal["own", "shared"]
LineRule = Literal["wins", "loses"]
FullRule = Literal["draw", "first", "second"]

_Side = Annotated[int, Field(strict=True, ge=1, le=MAX_SIDE)]


class Rules(Value):
    """A k-in-a-row game: frozen, hashable, and validated once, here.

    Attributes:
        rows, cols: Size of a board, 1 to 19 each.
        k: Cells in a complete line along a row, column or diagonal. Longer runs count too.
        bricks: Sorted indices of the cells that no player can use and no line contains; names (``"D4"``) are
            accepted too. Several boards all have the same bricks, given for one board.
        marks: ``own``: each side places its own mark; ``shared``: both place the same one.
        line: Whether the side that completes a line ``wins`` or ``loses``.
        full: Who wins when no cell is left and no line decided: ``draw``, ``first`` or ``second``.
        boards: Copies played at once (shared marks only). A line kills its board; the side that completes
            the line on the last living board wins or loses, by `line`. If the cells run out while
            a full board holds no line, `full` decides.
        lineless: Must be true exactly when no line fits (k too long, or a brick in every line), so that
            such a game is never made by mistake.
        wrap: Which edges are joined, so that lines continue over them: ``none``; ``rows``, the top and the bottom edge
            (row A follows the last row); ``columns``, the left and the right edge (column 1 follows the last
            column); or ``both``. Diagonals continue, too. No line visits a cell twice, and none is longer than the
            longer side of the board; lines of the same cells are one line.

    Raises:
        RulesError: a field has an impossible value.
    """

    error_type: ClassVar = RulesError
    called: ClassVar = "rules"
    allowed: ClassVar = {
        "bricks": "squares of the board, such as D4 or D4+E5",
        "wrap": "none, rows (top and bottom joined), columns (left and right joined) or both",
    }

    rows: _Side
    cols: _Side
    k: _Side
    bricks: tuple[int, ...] = ()
    marks: Marks = "own"
    line: LineRule = "wins"
    full: FullRule = "draw"
    boards: Annotated[int, Field(strict=True, ge=1, le=MAX_BOARDS)] = 1
    lineless: Annotated[bool, Field(strict=True)] = False
    wrap: Wrap = "none"

    def __str__(self) -> str:
        """The text form, such as ``bttt(D4)``; `noughts.rules.text` reads it back."""
        from noughts.rules.text import format_rules  # it imports this module

        return format_rules(self)

    @property
    def board_size(self) -> int:
        """Cells on one board, bricks included."""
        return self.rows * self.cols

    @property
    def size(self) -> int:
        """Cells on all boards, bricks included."""
        return self.board_size * self.boards

    @property
    def brick_cells(self) -> frozenset[int]:
        """Indices of the bricks on all boards."""
        return frozenset(board * self.board_size + brick for board in range(self.boards) for brick in self.bricks)

    def name_of(self, cell: int) -> str:
        """The square's name, e.g. ``D4``."""
        return square_name(cell, self.rows, self.cols, self.boards)

    def cell_of(self, name: str) -> int:
        """Return the cell index of a square's name; raise RulesError if there is no such square."""
        return square_index(name, self.rows, self.cols, self.boards)

    @field_validator("bricks", mode="before")
    @classmethod
    def _read_bricks(cls, value: object, info: ValidationInfo) -> object:
        rows, cols = info.data.get("rows"), info.data.get("cols")
        if rows is None or cols is None:
            return ()  # the size is reported as wrong already
        if isinstance(value, str):
            value = value.split("+") if value.strip() else []
        if not isinstance(value, Iterable):
            raise ValueError("not a set of squares")
        bricks = sorted(_brick(brick, rows, cols) for brick in value)
        for brick, following in itertools.pairwise(bricks):
            if brick == following:
                raise ValueError(f"{square_name(brick, rows, cols)} is given twice: name each brick once")
        return tuple(bricks)

    @field_serializer("bricks", when_used="json")
    def _write_bricks(self, bricks: tuple[int, ...]) -> list[str]:
        return [square_name(brick, self.rows, self.cols) for brick in bricks]

    @model_serializer(mode="wrap", when_used="json")
    def _write_as_before(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out fields that were added later, if they have their defaults, so that older files and the keys made of
        them stay the same."""
        written: dict[str, Any] = write(self)
        return {name: value for name, value in written.items() if name not in _LATER or value != _LATER[name]}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if len(self.bricks) == self.board_size:
            raise ValueError(
                f"bricks={self.brick_names()}: every cell of {self.rows}x{self.cols} is a brick; leave at least one to play on"
            )
        if self.boards > 1 and self.marks != "shared":
            raise ValueError(f"boards={self.boards} with marks={self.marks}: several boards at once need marks=shared")
        possible = _has_line(self.rows, self.cols, self.k, self.bricks, self.wrap)
        if not possible and not self.lineless:
            bricks = " with these bricks" if self.bricks else ""
            wrap = f" with wrap={self.wrap}" if self.wrap != "none" else ""
            raise ValueError(
                f"k={self.k}: no line of {self.k} fits on {self.rows}x{self.cols}{wrap}{bricks}; use a smaller k, or set lineless=true if that is intended"
            )
        if possible and self.lineless:
            raise ValueError(
                f"lineless=true, but lines of k={self.k} do fit on {self.rows}x{self.cols}; leave lineless out"
            )
        return self

    def brick_names(self) -> str:
        """The bricks of one board by name, joined by ``+``; empty without bricks."""
        return "+".join(square_name(brick, self.rows, self.cols) for brick in self.bricks)


_LATER: dict[str, Any] = {"wrap": "none"}
"""Fields that were added after certificates and keys of rules existed, with their defaults."""


@lru_cache(maxsize=4096)
def _has_line(rows: int, cols: int, k: int, bricks: tuple[int, ...], wrap: Wrap) -> bool:
    return any(lines_on_board(rows, cols, k, frozenset(bricks), wrap))


def _brick(brick: object, rows: int, cols: int) -> int:
    """The index of one brick, from a name or an index."""
    if isinstance(brick, str):
        return square_index(brick, rows, cols)
    if isinstance(brick, bool) or not isinstance(brick, int):
        raise ValueError(f"brick {brick!r} is neither a square's name nor its index")
    if not 0 <= brick < rows * cols:
        raise ValueError(f"brick {brick} is off the board: {rows}x{cols} has cells 0 to {rows * cols - 1}")
    return brick


def embed(rules: Rules, rows: int, cols: int) -> Rules:
    """Return the same game in the top left corner of a larger board, with bricks on every cell outside it.

    Raises:
        RulesError: the larger board is smaller, or would separate joined edges.
    """
    if rows < rules.rows or cols < rules.cols:
        raise RulesError(f"{rules} does not fit on {rows}x{cols}")
    if (rows > rules.rows and joins_rows(rules.wrap)) or (cols > rules.cols and joins_columns(rules.wrap)):
        raise RulesError(
            f"{rules} joins edges that would lie apart on {rows}x{cols}: it is played on its own board alone"
        )
    inside = {row * cols + col for row in range(rules.rows) for col in range(rules.cols)}
    bricks = set(range(rows * cols)) - inside
    bricks |= {brick // rules.cols * cols + brick % rules.cols for brick in rules.bricks}
    return Rules(**{**dict(rules), "rows": rows, "cols": cols, "bricks": tuple(sorted(bricks))})
