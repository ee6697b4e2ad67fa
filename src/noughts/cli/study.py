"""``noughts study``: list the studies, run one, show what one found."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.options import JsonOption, MoveSecondsOption, ReportOption, SeedOption, StoreOption, WorkersOption

if TYPE_CHECKING:
    from rich.console import Group

    from noughts.document.result import StudyResult

app = typer.Typer(help="The papers' studies: list, run, show.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_studies(as_json: JsonOption = False) -> None:
    """List the studies, the questions they ask, and their scales."""
    from noughts.cli.output import print_json
    from noughts.studies.registry import all_studies

    found = [study() for study in all_studies().values()]
    if as_json:
        print_json(
            [{"name": s.name, "question": s.question, "paper": s.paper, "scales": dict(s.scales)} for s in found]
        )
        return
    for study in found:
        typer.echo("\n  ".join(filter(None, [study.name, study.question, study.paper])))
        for scale, meaning in study.scales.items():
            typer.echo(f"    --scale {scale:7} {meaning}")


@app.command()
def run(
    name: Annotated[
        str,
        typer.Argument(help="Which study; `noughts study list` says which there are; or yours, python:file.py:Class."),
    ],
    scale: Annotated[str, typer.Option("--scale", "-s", help="quick, laptop or paper.")] = "quick",
    agent: Annotated[
        list[str] | None, typer.Option("--agent", "-a", help="A further agent for the line-up; may be repeated.")
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    move_seconds: MoveSecondsOption = None,
    store: StoreOption = None,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> int:
    """Run a study: a table that fills as games are played, then one page with everything.

    Interrupted, even by kill -9, the same command goes on where it stopped and repeats nothing.
    """
    from noughts.agents import parse_agent
    from noughts.cli.options import check_move_seconds
    from noughts.cli.output import name_changed, name_set_aside, watch
    from noughts.questions.traits import require_agent
    from noughts.reports.page import write_report
    from noughts.store.files import make_folder
    from noughts.store.results import Store
    from noughts.studies.registry import find_study
    from noughts.studies.run import StudyRun
    from noughts.studies.study import Settings

    study = find_study(name)
    guests = tuple(map(parse_agent, agent or ()))
    for guest in guests:
        require_agent(guest, workers)
    settings = Settings(scale, seed, tuple(map(str, guests)), check_move_seconds(move_seconds))
    place = Store.open(store)
    folder = report or place.folder / "pages"
    make_folder(folder)  # what cannot be written is said before anything is played
    with StudyRun(study, settings, place, workers) as running:
        if running.resumed and not as_json:
            typer.echo(f"going on with the run of {name} that was interrupted", err=True)
        name_changed(running.run.changed)
        watch(running.progress(), study.title, lambda: _tables(running.result()), quiet=as_json)
        name_set_aside(running.run.set_aside)
        result = running.result(complete=True)
        page = write_report(result, folder)
        running.finish(result)  # the page first: a run that is finished is not taken up again
    return _present(result, page, as_json)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="Which study.")],
    scale: Annotated[str | None, typer.Option("--scale", "-s", help="The latest at this scale; else at any.")] = None,
    again: Annotated[
        bool,
        typer.Option(
            "--conclude-again", help="Write tables, findings and figures anew from the answers that are kept."
        ),
    ] = False,
    markdown: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="FOLDER", help="Write it as a page of the documentation, too, in Markdown."),
    ] = None,
    store: StoreOption = None,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show the latest finished run of a study again, and write its page again.

    As it was concluded then; with --conclude-again as today's code concludes, from the same answers.
    """
    from noughts.document.result import StudyResult
    from noughts.reports.markdown import write_markdown
    from noughts.reports.page import write_report
    from noughts.rules import NoughtsError
    from noughts.store.results import Store
    from noughts.studies.registry import find_study
    from noughts.studies.run import conclude_again
    from noughts.studies.study import check_scale

    study = find_study(name)
    if scale is not None:
        check_scale(study, scale)
    place = Store.open(store)
    finished = place.latest("study", name, scale)
    if finished is None:
        at = f" at scale {scale}" if scale else ""
        raise NoughtsError(f"no finished run of {name}{at} in {place.folder}: run it with `noughts study run {name}`")
    result = conclude_again(study, finished, place) if again else StudyResult.from_json(finished.result or "")
    written = None if markdown is None else write_markdown(result, markdown)
    code = _present(result, write_report(result, report or place.folder / "pages"), as_json)
    if written is not None and not as_json:
        typer.echo(f"markdown: {written}")
    return code


def _present(result: "StudyResult", page: Path, as_json: bool) -> int:
    """Print a result; the exit code says whether something in it failed."""
    from noughts.cli.output import print_json, print_tables

    if as_json:
        print_json(result.model_dump(mode="json") | {"page": str(page)})
    else:
        print_tables(_tables(result))
        for finding in result.findings:
            typer.echo(f"- {finding}")
        typer.echo(f"\npage: {page}")
        for problem in result.problems[:10]:
            typer.echo(f"broken off: {problem}", err=True)
        if len(result.problems) > 10:
            typer.echo(f"and {len(result.problems) - 10} more", err=True)
    return 1 if result.problems else 0


def _tables(result: "StudyResult") -> "Group":
    from rich.console import Group

    from noughts.reports.terminal import study_tables

    return Group(*study_tables(result))
