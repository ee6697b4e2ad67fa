"""One HTML page for a study: self-contained, offline, light and dark, from a phone to a desktop.

The page fetches nothing and runs nothing: styles and drawings are inline, downloads are ``data:`` addresses,
and its content security policy forbids the rest.
"""

import base64
import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from noughts.document.citations import bibtex
from noughts.document.result import BoardFigure, CurveFigure, Figure, MatrixFigure, Row, StudyResult, Table
from noughts.reports import wording
from noughts.reports.bars import interval_bar
from noughts.reports.drawing import clean
from noughts.reports.figures import describe_figure, figure_png, figure_svg
from noughts.reports.palette import css_variables
from noughts.rules import NoughtsError
from noughts.store.files import make_folder, write_atomically

_FIGURE = 20
"""So many characters a figure has at most; what is longer is words, which may be broken."""


def study_page(result: StudyResult) -> str:
    """The page for a study, finished or not, as HTML."""
    return _page(result, [_Picture.of(figure, name) for figure, name in named_figures(result)])


def write_report(result: StudyResult, folder: Path | str) -> Path:
    """Write the page, called `StudyResult.file_name`, into `folder`, and each figure beside it as SVG and PNG.

    Each file appears whole or not at all, the page last.

    Returns:
        The page's path.

    Raises:
        StoreError: the folder or a file in it cannot be written.
        NoughtsError: it is no result of a study.
    """
    if not isinstance(result, StudyResult):
        raise NoughtsError(
            f"a page is of a StudyResult, as noughts.study(...) gives, and not of a value of type {type(result).__name__}"
        )
    folder = Path(folder)
    make_folder(folder)
    pictures = [_Picture.of(figure, name) for figure, name in named_figures(result)]
    for picture in pictures:
        write_atomically(folder / f"{picture.file_name}.svg", picture.svg)
        write_atomically(folder / f"{picture.file_name}.png", picture.png)
    page = folder / f"{page_name(result)}.html"
    write_atomically(page, _page(result, pictures))
    return page


@dataclass(frozen=True, slots=True)
class _Picture:
    """A figure with everything drawn of it, each once."""

    figure: Figure
    file_name: str
    svg: str
    png: bytes
    inline: Markup
    description: str

    @classmethod
    def of(cls, figure: Figure, file_name: str) -> "_Picture":
        inline = Markup(figure_svg(figure, inline=True))  # drawn by us, every text in it escaped
        return cls(figure, file_name, figure_svg(figure), figure_png(figure), inline, describe_figure(figure))

    @property
    def png_address(self) -> str:
        return _data_address("image/png", self.png)

    @property
    def svg_address(self) -> str:
        return _data_address("image/svg+xml", self.svg.encode())

    @property
    def natural_width(self) -> float:
        """The inline drawing's width in its own units."""
        box = re.search(r'viewBox="0 0 ([\d.]+) ', self.inline)
        return float(box.group(1)) if box else 360.0

    @property
    def least_scale(self) -> float:
        """How small it may be shown before its text is too small to read; a board's text is larger."""
        return 0.62 if isinstance(self.figure, BoardFigure) else 0.88

    @property
    def numbers(self) -> tuple[list[str], list[list[str]]] | None:
        """The numbers drawn, as a header and rows; None for a board, whose moves its description says."""
        match self.figure:
            case CurveFigure():
                return ["line", self.figure.x_label, self.figure.y_label, "95% interval"], list(_points(self.figure))
            case MatrixFigure():
                rows = [[name, *texts] for name, texts in zip(self.figure.rows, self.figure.texts, strict=True)]
                return [f"{self.figure.row_label} / {self.figure.col_label}", *self.figure.cols], rows
            case BoardFigure():
                return None


def _points(figure: CurveFigure) -> Iterator[list[str]]:
    def number(value: float) -> str:
        return wording.figure_text(value, figure.y_label)

    for series in figure.series:
        for place, (x, y) in enumerate(zip(series.x, series.y, strict=True)):
            known = series.low and series.high
            interval = f"{number(series.low[place])} to {number(series.high[place])}" if known else ""
            yield [series.name, f"{x:,g}", number(y), interval]


@dataclass(frozen=True, slots=True)
class _RowView:
    """A row as the template shows it."""

    row: Row
    ours: str
    interval: str
    difference: str
    count: str
    judgement: wording.Judgement
    bar: Markup


@dataclass(frozen=True, slots=True)
class _TableView:
    """A table as the template shows it; columns that would be empty are left out.

    `differences` says what the column of that name is; it is empty where there is none.
    """

    table: Table
    rows: list[_RowView]
    pictures: list[_Picture]
    spread: str
    about: str
    papers: bool
    intervals: bool
    differences: str
    counts: bool
    bars: bool
    paper_marks: bool
    judged: bool

    @classmethod
    def of(cls, table: Table, pictures: list[_Picture], *, complete: bool) -> "_TableView":
        percent = wording.is_percent(table.unit)
        rows = [
            _RowView(
                row,
                wording.ours_text(table, row),
                wording.spread_text(table, row),
                wording.difference_text(table, row),
                wording.count_text(row),
                wording.judgement(row, complete=complete),
                Markup(interval_bar(row) if percent else ""),  # numbers only
            )
            for row in table.rows
        ]
        return cls(
            table,
            rows,
            pictures,
            wording.spread_name(table),
            wording.spread_caption(table),
            papers=any(row.paper for row in table.rows),
            intervals=any(view.interval for view in rows),
            differences=wording.difference_caption(table),
            counts=any(row.count for row in table.rows),
            bars=any(view.bar for view in rows),
            paper_marks=any(view.bar and wording.paper_figure(view.row) is not None for view in rows),
            judged=wording.is_judged(table, complete=complete),
        )

    @property
    def columns(self) -> int:
        """How many columns the table has."""
        return (
            len(self.table.label_columns)
            + 1
            + self.judged
            + self.papers
            + self.intervals
            + bool(self.differences)
            + self.counts
            + self.bars
        )


def _page(result: StudyResult, pictures: list[_Picture]) -> str:
    by_figure = {id(picture.figure): picture for picture in pictures}

    def beside(table: Table | None) -> list[_Picture]:
        return [by_figure[id(figure)] for figure in result.figures_beside(table)]

    html = _template().render(
        result=result,
        tables=[_TableView.of(table, beside(table), complete=result.complete) for table in result.tables],
        pictures=beside(None),
        tally=wording.tally(result),
        how_judged=wording.how_judged(result),
        how_proved=wording.HOW_PROVED,
        bibtex=bibtex(result.citations) if result.citations else "",
        when=wording.when_text(result.started),
        duration=wording.duration_text(result.seconds),
        taken_over=wording.taken_over_text(result.taken_over),
        versions=sorted(result.environment.versions.items(), key=lambda item: (item[0] != "noughts", item[0])),
        file_name=page_name(result),
        json_address=_data_address("application/json", result.to_json().encode()),
        light=Markup(css_variables(dark=False)),  # our own colours
        dark=Markup(css_variables(dark=True)),
    )
    return clean(html).lstrip()


@functools.lru_cache(maxsize=1)
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("noughts.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["breakable"] = _breakable
    environment.filters["whole"] = _whole
    return environment.get_template("study.html")


def _whole(text: str) -> str:
    """The class of a cell whose text stands in one line: a figure, such as ``18.5 / 81.5``, and not a sentence."""
    return " whole" if len(text) <= _FIGURE else ""


def _breakable(text: str) -> Markup:
    """`text` that may be broken within an agent's name, as after the comma of ``mcts:sims=1000,c=1``."""
    return Markup("<wbr>").join(re.findall(r"[^,:@|]+[,:@|]*|[,:@|]+", text))


def named_figures(result: StudyResult) -> Iterator[tuple[Figure, str]]:
    """Each figure of a study with a file name of its own, without an ending."""
    names = distinct(f"{page_name(result)}-{safe_name(figure.name)}" for figure in result.figures)
    yield from zip(result.figures, names, strict=True)


def distinct(names: Iterable[str]) -> Iterator[str]:
    """The names in their order, each once: one that was there before has a number after it, from 2 on."""
    taken: set[str] = set()
    for wanted in names:
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted}-{number}", number + 1
        taken.add(name)
        yield name


def page_name(result: StudyResult) -> str:
    """What a study's page is called, without an ending: `StudyResult.file_name`, safe as part of a path."""
    return safe_name(result.file_name)


def safe_name(name: str) -> str:
    """A name as part of a file name, whatever a stored result says: no folders, no hidden files."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).lstrip(".") or "unnamed"


def _data_address(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
