"""Routes for studies: their list, the results of saved runs, and their figures and pages."""

from functools import lru_cache
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import HTMLResponse, Response
from pydantic import AliasPath, BaseModel, ConfigDict, Field

from noughts.document.document import Listing
from noughts.document.result import BoardFigure, Figure, StudyResult
from noughts.reports.figures import describe_figure
from noughts.reports.page import study_page
from noughts.reports.tables import table_listing
from noughts.rules import format_game
from noughts.rules.text import unknown
from noughts.store.results import RunInfo, Store
from noughts.studies.registry import STUDIES, all_studies
from noughts.web.errors import Refused
from noughts.web.findings import StudyPage, shipped_pages
from noughts.web.pictures import PICTURE, figure_picture
from noughts.web.services import Shared

router = APIRouter(prefix="/api/studies")
Name = Annotated[str, Path(max_length=100)]
RunId = Annotated[
    str | None, Query(alias="run", max_length=64, description="Which run; the latest finished unless given.")
]

_read = lru_cache(maxsize=16)(StudyResult.from_json)
_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"


class StudyRunInfo(BaseModel, from_attributes=True):
    """A run of a study."""

    id: str
    scale: str = Field("", validation_alias=AliasPath("identity", "scale"))
    status: Literal["running", "finished"]


class StudyInfo(BaseModel):
    """A study, its bundled pages, and its saved runs, the latest first."""

    model_config = ConfigDict(from_attributes=True, json_schema_serialization_defaults_required=True)

    name: str
    title: str
    question: str
    scales: dict[str, str]
    pages: list[StudyPage] = Field([], description="That of the largest scale first.")
    runs: list[StudyRunInfo] = []


class ShadedSquare(BaseModel):
    """A square of a heat map."""

    square: str
    value: float
    text: str
    game: str = Field(description="A game that shows it, as rules and moves; empty if there is none.")


class StudyFigure(BaseModel):
    """A figure, and the address of its drawing."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    title: str
    caption: str
    svg: str
    game: str | None = Field(None, description="The position drawn, as rules and moves, of a board.")
    squares: list[ShadedSquare] = Field([], description="Of a board, those that are shaded.")
    value_range: tuple[float, float] | None = Field(None, description="The values at the two ends of the shades.")
    value_label: str = ""


class StudyAnswer(BaseModel):
    """The results of a run of a study."""

    findings: list[str]
    deviations: list[str]
    problems: list[str]
    tables: list[Listing]
    figures: list[StudyFigure]


@router.get("")
def studies(shared: Shared) -> list[StudyInfo]:
    """The studies, each with its bundled pages and saved runs."""
    kept: dict[str, list[StudyRunInfo]] = {}
    for run in shared.store.runs("study", results=False):
        kept.setdefault(run.name, []).insert(0, StudyRunInfo.model_validate(run))
    found = []
    for name, make in all_studies().items():
        found.append(StudyInfo.model_validate(study := make()))
        found[-1].pages, found[-1].runs = shipped_pages(study), kept.get(name, [])
    return found


@router.get("/{name}")
def study(name: Name, shared: Shared, run_id: RunId = None) -> StudyAnswer:
    """The results of the latest finished run of a study, or of the given run."""
    run = _find(shared.store, name, run_id)
    result = _read(run.result or "")
    return StudyAnswer(
        findings=list(result.findings),
        deviations=list(result.deviations),
        problems=list(result.problems),
        tables=[table_listing(table, complete=result.complete) for table in result.tables],
        figures=[_show_figure(name, run.id, figure) for figure in result.figures],
    )


@router.get("/{name}/page", response_class=Response, responses={200: {"content": {"text/html": {}}}})
def page(name: Name, shared: Shared, run_id: RunId = None) -> HTMLResponse:
    """The study's page as one self-contained document: it runs no scripts and loads nothing."""
    run = _find(shared.store, name, run_id)
    return HTMLResponse(_page(run.result or ""), headers={"Content-Security-Policy": _PAGE_POLICY})


@router.get("/{name}/figures/{figure}.svg", response_class=Response, responses=PICTURE)
def figure(
    name: Name,
    figure: Name,
    shared: Shared,
    run_id: RunId = None,
    theme: Literal["light", "dark"] = "light",
) -> Response:
    """A figure of a study as a drawing."""
    result = _read(_find(shared.store, name, run_id).result or "")
    for found in result.figures:
        if found.name == figure:
            return figure_picture(found, dark=theme == "dark")
    raise Refused(404, f"study {name} has no figure {figure!r}")


def _find(store: Store, name: str, run_id: str | None) -> RunInfo:
    run = store.latest("study", name) if run_id is None else next(iter(store.runs(run_id=run_id)), None)
    if run is not None and (run.kind, run.name) == ("study", name) and run.result is not None:
        return run
    if name not in STUDIES:
        raise Refused(404, unknown("study", name, STUDIES))
    if run_id is None:
        raise Refused(404, f"no run of {name} is finished: run it with `noughts study run {name}`")
    raise Refused(404, f"there is no {'run' if run is None else 'finished run'} {run_id!r} of {name}")


@lru_cache(maxsize=8)
def _page(text: str) -> str:
    return study_page(_read(text))


def _show_figure(name: str, run_id: str, figure: Figure) -> StudyFigure:
    shown = StudyFigure(
        title=figure.title,
        caption=describe_figure(figure),
        svg=f"/api/studies/{name}/figures/{figure.name}.svg?run={run_id}",
    )
    if isinstance(figure, BoardFigure):
        rules = figure.game
        shown.game = format_game(rules, figure.moves)
        shown.squares = [
            ShadedSquare(square=rules.name_of(each.cell), value=each.value, text=each.text, game=each.game)
            for each in figure.values
        ]
        shown.value_range, shown.value_label = figure.value_range, figure.value_label
    return shown
