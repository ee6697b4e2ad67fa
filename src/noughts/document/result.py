"""What a study found: the paper's numbers beside ours, as values that can be stored and drawn later."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from noughts.machine.environment import Environment
from noughts.positions import derive_seed
from noughts.rules import StoreError, Value

Verdict = Literal["agrees", "differs", "refuted", "no claim"]


class Row(Value):
    """One claim and what we measured.

    Attributes:
        labels: What the row is about, one text for each of the table's `label_columns`.
        paper: The paper's number as it printed it; empty if it gave none.
        ours: Our number, written the same way.
        value: Our number as one figure in the table's `unit`, or None while nothing was measured.
        low, high: Its 95 percent interval, in the same unit.
        count: How many games or trials stand behind it.
        verdict: Whether the paper's number holds here.
        note: What a reader should know about this row.
    """

    labels: tuple[str, ...]
    paper: str = ""
    ours: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    count: int = 0
    verdict: Verdict = "no claim"
    note: str = ""


class Table(Value):
    """Rows about one thing. `unit` says what `value`, `low` and `high` are, e.g. "games won by the first, percent"."""

    title: str
    label_columns: tuple[str, ...]
    unit: str
    rows: tuple[Row, ...]
    caption: str = ""


class Series(Value):
    """One line of a `CurveFigure`: y over x, with an interval where it is known. `points_only` draws no line."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    points_only: bool = False

    @model_validator(mode="after")
    def _lengths_agree(self) -> Self:
        lengths = {name: len(getattr(self, name)) for name in ("x", "y", "low", "high")}
        if lengths["x"] != lengths["y"] or not {lengths["low"], lengths["high"]} <= {0, lengths["x"]}:
            raise ValueError(f"series {self.name!r}: x, y, low and high have {tuple(lengths.values())} values")
        return self


class CurveFigure(Value):
    """Lines with intervals."""

    kind: Literal["curve"] = "curve"
    name: str
    title: str
    x_label: str
    y_label: str
    log_x: bool = False
    y_range: tuple[float, float] | None = None
    series: tuple[Series, ...]


class MatrixFigure(Value):
    """A grid of numbers, such as a tournament's cross-table: None where nothing was measured."""

    kind: Literal["matrix"] = "matrix"
    name: str
    title: str
    row_label: str
    col_label: str
    rows: tuple[str, ...]
    cols: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    value_label: str
    value_range: tuple[float, float] = (0.0, 100.0)

    @model_validator(mode="after")
    def _shapes_agree(self) -> Self:
        for grid in (self.values, self.texts):
            if len(grid) != len(self.rows) or any(len(row) != len(self.cols) for row in grid):
                raise ValueError(f"matrix {self.name!r}: values and texts must be {len(self.rows)} x {len(self.cols)}")
        return self


class CellValue(Value):
    """What is written into a cell, and where its shade lies in the figure's `value_range`.

    Attributes:
        game: A game that shows it, as text: rules, then squares; empty if there is none.
    """

    cell: int
    value: float
    text: str
    game: str = ""


class BoardFigure(Value):
    """A position, its moves numbered, and perhaps a heat map of its cells.

    Attributes:
        rules: The text form of the game.
        moves: Cell indices.
        values: What some cells are shaded with.
        value_range: The values at the two ends of the shades.
        value_label: What the values are, in words; empty without values.
    """

    kind: Literal["board"] = "board"
    name: str
    title: str
    rules: str
    moves: tuple[int, ...] = ()
    values: tuple[CellValue, ...] = ()
    value_range: tuple[float, float] = (0.0, 100.0)
    value_label: str = ""


Figure = Annotated[CurveFigure | MatrixFigure | BoardFigure, Field(discriminator="kind")]


class StudyResult(Value):
    """A whole study, as stored and as drawn.

    Attributes:
        findings: What was learned, one sentence each, the most important first.
        paper: Which paper it takes its numbers from; empty for none.
        deviations: How our protocol differs from the paper's, one sentence each.
        agents: The guests in the line-up, in text form.
        problems: What went wrong, one line each: games that were broken off, measurements that failed.
        repeat: The command that repeats it.
        complete: False while games are still being played.
        outside: Code from outside the project that was asked, by name, and what tells one version of it from another.
        started: When, as ISO 8601 in UTC.
        seconds: How long it took, all sittings together.
    """

    error_type: ClassVar = StoreError
    called: ClassVar = "study result"

    name: str
    title: str
    question: str
    paper: str
    scale: str
    seed: int
    agents: tuple[str, ...] = ()
    complete: bool
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    findings: tuple[str, ...]
    deviations: tuple[str, ...]
    problems: tuple[str, ...] = ()
    repeat: str
    environment: Environment
    outside: dict[str, str] = {}
    started: str
    seconds: float

    @property
    def file_name(self) -> str:
        """What its page is called: runs with another scale, seed or guests have pages of their own."""
        seed = f"-seed{self.seed}" if self.seed else ""
        guests = f"-with-{derive_seed(0, *self.agents):016x}"[:11] if self.agents else ""
        return f"{self.name}-{self.scale}{seed}{guests}"
