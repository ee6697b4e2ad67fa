"""What a study found: the paper's numbers beside ours, as values that can be stored and drawn later."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from noughts.document.citations import Citation
from noughts.machine.environment import Environment
from noughts.positions import derive_seed
from noughts.rules import Rules, StoreError, Value, parse_rules
from noughts.rules.text import counted
from noughts.statistics import Comparison, Verdict, verdicts_on
from noughts.store.file_format import FileFormat, VersionedValue

RESULT = FileFormat("the result of a study or a sweep, in the database and in archives", 1)


OURS = "ours"
"""The name of the column of measured numbers, beside a paper's."""


class Row(Value):
    """One claim and what we measured.

    Attributes:
        labels: What the row is about, one text for each of the table's `label_columns`.
        paper: The paper's number as it printed it; empty if it gave none.
        ours: Our number, written the same way.
        value: Our number as one figure in the table's `unit`, or None while nothing was measured.
        low, high: Its 95 percent interval, in the same unit.
        count: How many games or trials stand behind it.
        distinct: How many of these games differ in their moves; 0 where that was not counted, as of other trials.
        comparison: The paper's share beside ours, where the two were compared.
        proved: Whether what stands in `ours` is proved: then the verdict is no matter of statistics.
        verdict: Whether the paper's number holds here; where there is a comparison `judged` gives it, for all tables at once.
        note: What a reader should know about this row.
    """

    labels: tuple[str, ...]
    paper: str = ""
    ours: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    count: int = 0
    distinct: int = 0
    comparison: Comparison | None = None
    proved: bool = False
    verdict: Verdict = "no claim"
    note: str = ""


class Table(Value):
    """Rows about one thing.

    Attributes:
        unit: What `value`, `low` and `high` are, e.g. "games won by the first, percent".
        claimed, measured: What the columns of `paper` and `ours` are called.
        spread: What `low` and `high` of its rows are: a 95 percent interval of `value`; the range from least to greatest;
            proved bounds of what `value` would be, which is None where they differ; or `value` is a difference, with its
            interval.
    """

    called: ClassVar = "table"

    title: str
    label_columns: tuple[str, ...]
    unit: str
    rows: tuple[Row, ...]
    caption: str = ""
    claimed: str = "paper"
    measured: str = OURS
    spread: Literal["interval", "range", "bounds", "difference"] = "interval"

    @model_validator(mode="after")
    def _labels_agree(self) -> Self:
        for row in self.rows:
            if len(row.labels) != len(self.label_columns):
                columns = counted(len(self.label_columns), "column")
                raise ValueError(
                    f"the table {self.title!r} has {columns} of labels ({', '.join(self.label_columns)}), and a row of it "
                    f"{counted(len(row.labels), 'label')} ({', '.join(row.labels)})"
                )
        return self


def judged(tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables of one study with a verdict in each row that has a comparison.

    How many claims a study compares is part of each verdict, so that they are given together.
    """
    given = iter(verdicts_on([row.comparison for table in tables for row in table.rows if row.comparison is not None]))
    return tuple(
        table.model_copy(
            update={
                "rows": tuple(
                    row if row.comparison is None else row.model_copy(update={"verdict": next(given)})
                    for row in table.rows
                )
            }
        )
        for table in tables
    )


class Series(Value):
    """One line of a `CurveFigure`: y over x, with an interval where it is known.

    Attributes:
        points_only: No line is drawn.
        colour_of: The name of the line whose colour these points have, such as ours beside a paper's; their markers are
            hollow. Empty for a colour of its own.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    points_only: bool = False
    colour_of: str = ""

    @model_validator(mode="after")
    def _lengths_agree(self) -> Self:
        lengths = {name: len(getattr(self, name)) for name in ("x", "y", "low", "high")}
        if lengths["x"] != lengths["y"] or not {lengths["low"], lengths["high"]} <= {0, lengths["x"]}:
            raise ValueError(f"series {self.name!r}: x, y, low and high have {tuple(lengths.values())} values")
        return self

    @classmethod
    def through(cls, name: str, points: Iterable[tuple[float, float, float | None, float | None]]) -> Self:
        """A line through points, each x, y and its interval; without intervals if some point has none."""
        x, y, low, high = tuple(zip(*points, strict=True)) or ((),) * 4
        known = {"low": low, "high": high} if None not in (*low, *high) else {}
        return cls(name=name, x=tuple(map(float, x)), y=y, **known)


class _AnyFigure(Value):
    """What every figure has.

    Attributes:
        name: Unique within its study.
        title: What stands above it.
        about: What it shows and how to read it, in a sentence or two; empty for nothing more than its title.
        table: The title of the table beside which it stands; empty for a place of its own.
    """

    name: str
    title: str
    about: str = ""
    table: str = ""


class CurveFigure(_AnyFigure):
    """Lines with intervals."""

    kind: Literal["curve"] = "curve"
    x_label: str
    y_label: str
    log_x: bool = False
    y_range: tuple[float, float] | None = None
    series: tuple[Series, ...]

    @model_validator(mode="after")
    def _colours_are_known(self) -> Self:
        own = {series.name for series in self.series if not series.colour_of}
        for series in self.series:
            if series.colour_of and series.colour_of not in own:
                raise ValueError(f"series {series.name!r}: {series.colour_of!r} is no series with a colour of its own")
        return self


class MatrixFigure(_AnyFigure):
    """A grid of numbers, such as a tournament's cross-table: None where nothing was measured."""

    kind: Literal["matrix"] = "matrix"
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


class BoardFigure(_AnyFigure):
    """A position, its moves numbered, and perhaps a heat map of its cells.

    Attributes:
        rules: The text form of the game.
        moves: Cell indices.
        values: What some cells are shaded with.
        value_range: The values at the two ends of the shades.
        value_label: What the values are, in words; empty without values.
    """

    kind: Literal["board"] = "board"
    rules: str
    moves: tuple[int, ...] = ()
    values: tuple[CellValue, ...] = ()
    value_range: tuple[float, float] = (0.0, 100.0)
    value_label: str = ""

    @property
    def game(self) -> Rules:
        """The game itself."""
        return parse_rules(self.rules)


def game_figure(name: str, title: str, rules: Rules, moves: Sequence[int]) -> BoardFigure:
    """A game, its moves numbered."""
    return BoardFigure(name=name, title=title, rules=str(rules), moves=tuple(moves))


Figure = Annotated[CurveFigure | MatrixFigure | BoardFigure, Field(discriminator="kind")]


class CheckedProof(Value):
    """A proof on which a study rests: a certificate that is kept, and that the independent checker accepted.

    Attributes:
        agent, side, rules, claim: Who does what: ``wins`` or ``never loses``, in this game and in images of it that the
            agent treats alike.
        sha256: Of the certificate, unpacked; its file in the store's folder ``certificates`` is called by it.
        positions: In the certificate.
    """

    agent: str
    side: str
    rules: str
    claim: str
    sha256: str
    positions: int


class StudyResult(VersionedValue):
    """A whole study, as stored and as drawn.

    Attributes:
        seed: What its questions draw from; None where they have seeds of their own, as those of a sweep do.
        findings: What was learned, one sentence each, the most important first.
        paper: Which paper it takes its numbers from; empty for none.
        deviations: How our protocol differs from the paper's, one sentence each.
        agents: The guests in the line-up, in text form.
        names: Where guests have short names, the agent of each name, in text form; only in what is shown, never in what is stored.
        citations: The papers that the study is of.
        problems: What went wrong, one line each: games that were broken off, measurements that failed.
        repeat: The command that repeats it.
        complete: False while games are still being played.
        outside: Code from outside the project that was asked, by name, and its version.
        proofs: The checked certificates of all agents that are called proved.
        frozen: Files of settings that were fixed before anything was measured, by name, with their SHA-256.
        started: When, as ISO 8601 in UTC.
        seconds: How long it took, all sittings together.
        taken_over: How many of its answers were found in other runs, whose time is not among these seconds.
    """

    error_type: ClassVar = StoreError
    called: ClassVar = "study result"
    file_format: ClassVar = RESULT

    name: str
    title: str
    question: str
    paper: str
    scale: str
    seed: int | None
    agents: tuple[str, ...] = ()
    names: dict[str, str] = {}
    complete: bool
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    findings: tuple[str, ...]
    deviations: tuple[str, ...]
    citations: tuple[Citation, ...] = ()
    problems: tuple[str, ...] = ()
    repeat: str
    environment: Environment
    outside: dict[str, str] = {}
    proofs: tuple[CheckedProof, ...] = ()
    frozen: dict[str, str] = {}
    started: str
    seconds: float
    taken_over: int = 0

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """All claims that are compared, in the order of the tables."""
        return tuple(row.comparison for table in self.tables for row in table.rows if row.comparison is not None)

    def figures_beside(self, table: Table | None) -> tuple[Figure, ...]:
        """The figures that stand with a table; with None those that stand with no table there is."""
        if table is not None:
            return tuple(figure for figure in self.figures if figure.table == table.title)
        titles = {known.title for known in self.tables}
        return tuple(figure for figure in self.figures if figure.table not in titles)

    @property
    def file_name(self) -> str:
        """What its page is called: runs with another scale, seed or guests have pages of their own."""
        seed = f"-seed{self.seed}" if self.seed else ""
        return f"{self.name}-{self.scale}{seed}{self._guests}"

    def __str__(self) -> str:
        """In words: what it is, and what was found."""
        seed = "" if self.seed is None else f", seed {self.seed}"
        holds = f"{counted(len(self.tables), 'table')}, {counted(len(self.figures), 'figure')}"
        return "\n".join(
            [f"{self.title} (scale {self.scale}{seed}; {holds})", *(f"- {line}" for line in self.findings)]
        )

    @property
    def run_name(self) -> str:
        """Which of the study's runs it is: scale, seed, and guests if it has any."""
        seed = "" if self.seed is None else f"-seed{self.seed}"
        return f"{self.scale}{seed}{self._guests}"

    @property
    def _guests(self) -> str:
        return f"-with-{derive_seed(0, *self.agents):016x}"[:11] if self.agents else ""
