"""The result of a study: the paper's numbers beside ours, as values to store and to draw later."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from noughts.document.citations import Citation
from noughts.machine.environment import Environment
from noughts.positions import derive_seed
from noughts.rules import Rules, StoreError, Value, parse_rules
from noughts.rules.text import counted
from noughts.statistics import Comparison, Verdict, verdicts_on
from noughts.store.file_format import FileFormat, VersionedValue

RESULT = FileFormat("the result of a study or a sweep, in the database and in archives", 1)


OURS = "ours"
"""The name of the column of measured numbers, if there is a paper's beside it."""


class Row(Value):
    """One claim and our measurement.

    Attributes:
        labels: One text for each of the table's `label_columns`.
        paper: The paper's number, as printed; empty if it gave none.
        ours: Our number, written the same way.
        value: Our measurement as one number in the table's `unit`; None while nothing is measured.
        low, high: Its 95 percent interval, in the same unit; see also `Table.spread`.
        count: The number of games or trials.
        distinct: The number of games with different moves; 0 if that was not counted, as for other trials.
        comparison: The comparison of the paper's share with ours; None without one.
        proved: Whether `ours` is proved; its verdict then needs no statistics.
        verdict: Whether the paper's number holds here. If there is a comparison, `judged` sets it, for all tables at once.
        note: A note for readers of this row.
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
    """Rows about one subject.

    Attributes:
        unit: The unit of `value`, `low` and `high`, e.g. "games won by the first, percent".
        claimed, measured: The names of the columns of `paper` and `ours`.
        spread: The meaning of `low` and `high`: a 95 percent interval of `value`; the range from least to greatest; proved
            bounds of `value`, which is None if they differ; or the interval of a difference, if `value` is one.
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
    """The tables of one study with verdicts in all rows that have a comparison.

    All verdicts are computed together, because each depends on the number of claims that the study compares.
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
    """One line of a `CurveFigure`: y over x, with an interval if it is known.

    Attributes:
        points_only: Whether to draw points without a line.
        colour_of: The name of the line whose colour these points share, such as our line for a paper's points; their markers
            are hollow. Empty for a colour of its own.
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
        """A line through points, each given as x, y, low and high; without intervals if some point has none."""
        x, y, low, high = tuple(zip(*points, strict=True)) or ((),) * 4
        known = {"low": low, "high": high} if None not in (*low, *high) else {}
        return cls(name=name, x=tuple(map(float, x)), y=y, **known)


class _AnyFigure(Value):
    """The fields of every figure.

    Attributes:
        name: Unique within its study.
        title: Shown above it.
        about: Its content and how to read it, in a sentence or two; empty if the title is enough.
        table: The title of the table that it belongs to; empty for a place of its own.
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


class CellValue(Value):
    """The text of a cell, and the value that shades it, within the figure's `value_range`.

    Attributes:
        game: An example game, as text: rules, then squares; empty for none.
    """

    cell: int
    value: float
    text: str
    game: str = ""


class BoardFigure(_AnyFigure):
    """A position with numbered moves, and optionally a heat map of its cells.

    Attributes:
        rules: The text form of the game.
        moves: Cell indices.
        values: The contents of the shaded cells.
        value_range: The values at the two ends of the shades.
        value_label: The meaning of the values, in words; empty without values.
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
    """A figure of a game, with numbered moves."""
    return BoardFigure(name=name, title=title, rules=str(rules), moves=tuple(moves))


Figure = Annotated[CurveFigure | BoardFigure, Field(discriminator="kind")]


class CheckedProof(Value):
    """A proof that a study contains: a saved certificate that the independent checker accepted.

    Attributes:
        agent, side, rules, claim: The agent ``wins`` or ``never loses`` in this game, and in symmetric ones that it treats alike.
        sha256: Hash of the unpacked certificate, and the name of its file in the store's folder ``certificates``.
        positions: The number of positions in the certificate.
    """

    agent: str
    side: str
    rules: str
    claim: str
    sha256: str
    positions: int


class StudyResult(VersionedValue):
    """The result of a whole study, as it is stored and drawn.

    Attributes:
        seed: The seed of its questions; None if they have their own, as in a sweep.
        findings: One sentence each, the most important first.
        paper: The paper whose numbers it has; empty for none.
        deviations: How our protocol differs from the paper's, one sentence each.
        agents: The guests in the line-up, in text form.
        names: The agents with short names, in text form, by name; only in results that are shown, never in stored ones.
        citations: The papers whose numbers it has.
        problems: Aborted games and failed measurements, one on a line.
        repeat: The command that repeats it.
        complete: False while answers are missing.
        outside: The versions of third-party code that it depends on, by name.
        proofs: The checked certificates of all agents that are called proved.
        frozen: SHA-256 of the settings that were fixed before anything was measured, by the name of their file.
        started: Its start, as ISO 8601 in UTC.
        seconds: Its duration, over all sessions.
        taken_over: The number of answers reused from other runs, whose time is not in `seconds`.
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

    @field_validator("figures", mode="before")
    @classmethod
    def _without_matrices(cls, given: Any) -> Any:
        """Leave out figures of a kind that older versions of noughts drew: cross-tables."""
        if not isinstance(given, list):
            return given
        return [figure for figure in given if not (isinstance(figure, dict) and figure.get("kind") == "matrix")]

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The comparisons of all claims, in the order of the tables."""
        return tuple(row.comparison for table in self.tables for row in table.rows if row.comparison is not None)

    def figures_beside(self, table: Table | None) -> tuple[Figure, ...]:
        """The figures that belong to a table; for None, those without a table."""
        if table is not None:
            return tuple(figure for figure in self.figures if figure.table == table.title)
        titles = {known.title for known in self.tables}
        return tuple(figure for figure in self.figures if figure.table not in titles)

    @property
    def file_name(self) -> str:
        """The name of its page, with scale, seed and guests, so that each run has its own page."""
        seed = f"-seed{self.seed}" if self.seed else ""
        return f"{self.name}-{self.scale}{seed}{self._guests}"

    def __str__(self) -> str:
        """Its title and findings, as text."""
        seed = "" if self.seed is None else f", seed {self.seed}"
        holds = f"{counted(len(self.tables), 'table')}, {counted(len(self.figures), 'figure')}"
        return "\n".join(
            [f"{self.title} (scale {self.scale}{seed}; {holds})", *(f"- {line}" for line in self.findings)]
        )

    @property
    def run_name(self) -> str:
        """The name of the run among the study's runs: scale, seed, and guests if there are any."""
        seed = "" if self.seed is None else f"-seed{self.seed}"
        return f"{self.scale}{seed}{self._guests}"

    @property
    def _guests(self) -> str:
        return f"-with-{derive_seed(0, *self.agents):016x}"[:11] if self.agents else ""
