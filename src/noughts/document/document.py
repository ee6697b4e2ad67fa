"""`Document`: all that there is to show of an answer, as values; terminals, notebooks and programs show the same."""

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
        title: What stands above it.
        columns: Their names; ``\\n`` breaks a name in a terminal.
        rows: A cell for each column.
        notes: What stands below it, a line each.
        labels: So many columns stand first and are labels, whose text begins at the left; all others hold numbers.
        whole: Names of the columns whose texts are never broken, as people copy them.
        totals: So many rows stand last and sum up the others.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    labels: int = 1
    whole: tuple[str, ...] = ()
    totals: int = 0

    def without_empty(self) -> "Listing":
        """The same without columns of numbers in which nothing stands."""
        kept = [
            place
            for place in range(len(self.columns))
            if place < self.labels or any(row[place] not in ("", None) for row in self.rows)
        ]
        columns = tuple(self.columns[place] for place in kept)
        rows = tuple(tuple(row[place] for place in kept) for row in self.rows)
        return replace(self, columns=columns, rows=rows)


Block = str | Listing | Table | Figure
"""A piece of a document; a text stands as it is, with its lines; a `Table` is one of a study, with verdicts."""


@dataclass(frozen=True)
class Document:
    """What there is to show of an answer.

    Attributes:
        blocks: For people, in order.
        data: For programs: what `--json` prints.
        problems: What went wrong, one line each.
        complete: False while more is to come.
    """

    blocks: tuple[Block, ...]
    data: Any = None
    problems: tuple[str, ...] = ()
    complete: bool = True

    @property
    def figures(self) -> Iterator[Figure]:
        """Those among the blocks."""
        return (block for block in self.blocks if not isinstance(block, str | Listing | Table))


def cell_text(cell: Cell) -> str:
    """A cell as people read it: counts have commas."""
    return "" if cell is None else f"{cell:,}" if isinstance(cell, int) else cell
