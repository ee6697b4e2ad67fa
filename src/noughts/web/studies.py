"""Routes for studies: which there are, what their stored runs found, and their figures and pages."""

from functools import lru_cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, Field

from noughts.document.document import Listing, cell_text
from noughts.document.result import BoardFigure, Figure, StudyResult
from noughts.reports.figures import describe_figure
from noughts.reports.page import study_page
from noughts.reports.tables import table_listing
from noughts.rules import NoughtsError, StoreError, format_game, parse_rules
from noughts.store.results import RunInfo, Store
from noughts.studies.registry import all_studies, find_study
from noughts.web.errors import Refused, documented
from noughts.web.findings import StudyPage, shipped_pages
from noughts.web.pictures import DRAWING, figure_picture
from noughts.web.services import Shared

router = APIRouter(prefix="/api/studies")
Name = Annotated[str, Path(max_length=100)]
RunId = Annotated[
    str | None, Query(alias="run", max_length=64, description="Which run; the latest finished unless given.")
]

_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"


class StudyRunInfo(BaseModel):
    """A run of a study."""

    id: str
    scale: str
    seed: int
    status: Literal["running", "finished"]
    started: str
    seconds: float


class StudyInfo(BaseModel):
    """A study, its pages that ship, and its runs that are kept, the latest first."""

    name: str
    title: str
    question: str
    paper: str
    scales: dict[str, str]
    pages: list[StudyPage] = Field(description="That of the largest scale first.")
    runs: list[StudyRunInfo]


class StudyTable(BaseModel):
    """A table: the paper's numbers beside ours, and verdicts."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    notes: list[str] = Field(description="What stands below it, a line each.")


class Square(BaseModel):
    """A square of a heat map."""

    square: str
    value: float
    text: str
    game: str | None = Field(description="A game that shows it, as rules and moves; None if there is none.")


class Heatmap(BaseModel):
    """A board whose squares are shaded."""

    rules: str
    label: str
    low: float
    high: float
    squares: list[Square]


class StudyFigure(BaseModel):
    """A figure, and where its drawing is."""

    id: str
    kind: Literal["curve", "matrix", "board"]
    title: str
    caption: str
    svg: str
    game: str | None = Field(description="The position drawn, as rules and moves, of a board.")
    heatmap: Heatmap | None


class StudyAnswer(BaseModel):
    """What a run of a study found."""

    name: str
    title: str
    question: str
    paper: str
    run: StudyRunInfo
    findings: list[str]
    deviations: list[str]
    problems: list[str]
    repeat: str
    tables: list[StudyTable]
    figures: list[StudyFigure]


@router.get("", responses=documented(503))
def studies(shared: Shared) -> list[StudyInfo]:
    """The studies, with the pages of each that ship and its runs that are kept."""
    kept: dict[str, list[RunInfo]] = {}
    for run in shared.store.runs("study", results=False):
        kept.setdefault(run.name, []).insert(0, run)
    found = []
    for name, make in all_studies().items():
        study = make()
        found.append(
            StudyInfo(
                name=name,
                title=study.title,
                question=study.question,
                paper=study.paper,
                scales=dict(study.scales),
                pages=shipped_pages(name),
                runs=[_show_run(run) for run in kept.get(name, [])],
            )
        )
    return found


@router.get("/{name}", responses=documented(404, 422, 503))
def study(name: Name, shared: Shared, run_id: RunId = None) -> StudyAnswer:
    """What the latest finished run of a study found, or another one."""
    run = _find(shared.store, name, run_id)
    result = _result(run)
    return StudyAnswer(
        name=name,
        title=result.title,
        question=result.question,
        paper=result.paper,
        run=_show_run(run),
        findings=list(result.findings),
        deviations=list(result.deviations),
        problems=list(result.problems),
        repeat=result.repeat,
        tables=[_show_table(table_listing(table, complete=result.complete)) for table in result.tables],
        figures=[_show_figure(name, run.id, figure) for figure in result.figures],
    )


@router.get(
    "/{name}/page",
    response_class=Response,
    responses=documented(404, 422, 503) | {200: {"content": {"text/html": {}}}},
)
def page(name: Name, shared: Shared, run_id: RunId = None) -> HTMLResponse:
    """The study's page, whole and by itself: nothing in it runs or is fetched."""
    run = _find(shared.store, name, run_id)
    return HTMLResponse(_page(run.result or ""), headers={"Content-Security-Policy": _PAGE_POLICY})


@router.get(
    "/{name}/figures/{figure}.svg",
    response_class=Response,
    responses=documented(404, 422, 503) | {200: {"content": {"image/svg+xml": {}}}},
)
def figure(
    name: Name,
    figure: Name,
    shared: Shared,
    run_id: RunId = None,
    theme: Literal["light", "dark"] = "light",
) -> Response:
    """A figure of a study as a drawing."""
    result = _result(_find(shared.store, name, run_id))
    for found in result.figures:
        if found.name == figure:
            return figure_picture(found, dark=theme == "dark")
    raise Refused(404, f"study {name} has no figure {figure!r}")


def _find(store: Store, name: str, run_id: str | None) -> RunInfo:
    run = store.latest("study", name) if run_id is None else _run(store, run_id)
    if run is not None and (run.kind, run.name) == ("study", name) and run.result is not None:
        return run
    try:
        find_study(name)
    except NoughtsError as error:
        raise Refused(404, str(error)) from None
    if run_id is None:
        raise Refused(404, f"no run of {name} is finished: run it with `noughts study run {name}`")
    raise Refused(404, f"there is no {'run' if run is None else 'finished run'} {run_id!r} of {name}")


def _run(store: Store, run_id: str) -> RunInfo | None:
    try:
        return store.run(run_id)
    except StoreError:
        return None


def _result(run: RunInfo) -> StudyResult:
    return _read(run.result or "")


@lru_cache(maxsize=16)
def _read(text: str) -> StudyResult:
    return StudyResult.from_json(text)


@lru_cache(maxsize=8)
def _page(text: str) -> str:
    with DRAWING:
        return study_page(_read(text))


def _show_run(run: RunInfo) -> StudyRunInfo:
    return StudyRunInfo(
        id=run.id,
        scale=str(run.identity.get("scale", "")),
        seed=run.seed,
        status=run.status,
        started=run.started,
        seconds=run.seconds,
    )


def _show_table(shown: Listing) -> StudyTable:
    rows = [list(map(cell_text, row)) for row in shown.rows]
    return StudyTable(title=shown.title, columns=list(shown.columns), rows=rows, notes=list(shown.notes))


def _show_figure(name: str, run_id: str, figure: Figure) -> StudyFigure:
    board: dict[str, Any] = {"game": None, "heatmap": None}
    if isinstance(figure, BoardFigure):
        rules = parse_rules(figure.rules)
        board["game"] = format_game(rules, figure.moves)
        if figure.values:
            board["heatmap"] = Heatmap(
                rules=figure.rules,
                label=figure.value_label,
                low=figure.value_range[0],
                high=figure.value_range[1],
                squares=[
                    Square(
                        square=rules.name_of(shown.cell), value=shown.value, text=shown.text, game=shown.game or None
                    )
                    for shown in figure.values
                ],
            )
    return StudyFigure(
        id=figure.name,
        kind=figure.kind,
        title=figure.title,
        caption=describe_figure(figure),
        svg=f"/api/studies/{name}/figures/{figure.name}.svg?run={run_id}",
        **board,
    )
