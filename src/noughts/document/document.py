"""`Document`: the values in which an answer is shown; terminals, notebooks and programs use the same."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from noughts.document.result import Figure, Table

Cell = str | int | None
"""A text, a count, or nothing."""


@dataclass(frozen=True)
class Listing:
    """A table.

    Attributes:
        title: Shown above it.
        columns: The names of the columns; ``\\n`` breaks a name in a terminal.
        rows: The rows, with a cell for each column.
        notes: Lines below it.
        labels: The number of label columns. They come first and are aligned left; all others contain numbers.
        whole: Names of columns whose texts are never broken, because people copy them.
        totals: The number of final rows, which sum up the others.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    labels: int = 1
    whole: tuple[str, ...] = ()
    totals: int = 0

    def without_empty(self) -> "Listing":
        """A copy without empty columns of numbers."""
        kept = [
            place
            for place in range(len(self.columns))
            if place < self.labels or any(row[place] not in ("", None) for row in self.rows)
        ]
        columns = tuple(self.columns[place] for place in kept)
        rows = tuple(tuple(row[place] for place in kept) for row in self.rows)
        return replace(self, columns=columns, rows=rows)


Block = str | Listing | Table | Figure
"""A part of a document. A text is shown literally, with its lines; a `Table` belongs to a study and has verdicts."""


@dataclass(frozen=True)
class Document:
    """The document of an answer.

    Attributes:
        blocks: The parts for people, in order.
        data: The data for programs, as `--json` prints it.
        problems: Failures, one on a line.
        complete: False while answers are missing.
    """

    blocks: tuple[Block, ...]
    data: Any = None
    problems: tuple[str, ...] = ()
    complete: bool = True

    @property
    def figures(self) -> Iterator[Figure]:
        """The figures among the blocks."""
        return (block for block in self.blocks if not isinstance(block, str | Listing | Table))


def cell_text(cell: Cell) -> str:
    """A cell as text; counts have commas."""
    return "" if cell is None else f"{cell:,}" if isinstance(cell, int) else cell
