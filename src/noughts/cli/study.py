"""``noughts study``: list, run and show studies, pack one into an archive, and check an archive."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import (
    ForceOption,
    JsonOption,
    MoveSecondsOption,
    ReportOption,
    SeedOption,
    StoreOption,
    WorkersOption,
    agent_option,
    grouped,
)
from noughts.cli.output import note, pages_folder
from noughts.cli.output import show as show_document

if TYPE_CHECKING:
    from noughts.document.result import StudyResult

CsvOption = Annotated[
    Path | None,
    typer.Option("--csv", metavar="FOLDER", help="Write every table as CSV to this folder."),
]
LatexOption = Annotated[
    Path | None,
    typer.Option("--latex", metavar="FOLDER", help="Write every table for LaTeX to this folder."),
]

app = typer.Typer(
    help="""The papers' studies: list, run, show, archive, check.

    Examples:
        noughts study list
        noughts study run is-minimax-perfect
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
def list_studies(as_json: JsonOption = False) -> int:
    """List the studies, with their questions and scales.

    Examples:
        noughts study list
    """
    from noughts.reports.presenting.listed import present_studies
    from noughts.studies.registry import all_studies

    return show_document(present_studies([study() for study in all_studies().values()]), as_json)


LatestScaleOption = Annotated[
    str | None, typer.Option("--scale", "-s", help="Latest run at this scale. By default at any scale.")
]
LatestSeedOption = Annotated[
    int | None, typer.Option("--seed", help="Latest run with this seed. By default with any seed.")
]


@app.command()
@grouped
def run(
    name: Annotated[
        str,
        typer.Argument(help="Study from `noughts study list`, or your own as python:file.py:Class."),
    ],
    scale: Annotated[str, typer.Option("--scale", "-s", help="Scale, one of `study list`, such as laptop.")] = "quick",
    agent: Annotated[
        list[str] | None,
        agent_option("--agent", "-a", help="Extra agent, as AGENT or NAME=AGENT. Repeat it for more agents."),
    ] = None,
    seed: SeedOption = 0,
    move_seconds: MoveSecondsOption = None,
    report: ReportOption = None,
    *,
    how: Asking,
) -> int:
    """Run a study and write its page. Tables fill while games are played.

    If the study is interrupted, even by kill -9, the same command continues it and repeats nothing. If it has finished, the
    command shows the saved result and writes its page again.

    Examples:
        noughts study run mcts-perfect --scale quick
        noughts study run bttt-tournament --agent me=python:mine.py:Mine,depth=2 --move-seconds 5
    """
    import noughts
    from noughts.reports.page import write_report

    guests, folder = how.read(*agent or ()), pages_folder(report)
    result = noughts.study(name, scale, agents=guests, seed=seed, move_seconds=move_seconds, **how.options)
    page = write_report(how.names.in_result(result), folder)
    return _show(result, page, how)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="Name of the study.")],
    scale: LatestScaleOption = None,
    seed: LatestSeedOption = None,
    run: Annotated[
        str | None, typer.Option("--run", metavar="ID", help="Id of a run from `noughts results list --study NAME`.")
    ] = None,
    again: Annotated[
        bool,
        typer.Option("--recompute", help="Compute tables, findings and figures again from the saved answers."),
    ] = False,
    markdown: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="FOLDER", help="Also write the page as Markdown to this folder."),
    ] = None,
    csv: CsvOption = None,
    latex: LatexOption = None,
    bibtex: Annotated[
        Path | None,
        typer.Option("--bibtex", metavar="FILE", help="Write citations of the papers and of noughts to this file."),
    ] = None,
    force: ForceOption = False,
    store: StoreOption = None,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show the latest finished run of a study, or another one, and write its page again.

    The conclusions are those of that run. With --recompute, today's code draws them from the same answers.

    Examples:
        noughts study show mcts-perfect
        noughts study show bttt-tournament --seed 1 --recompute --csv tables --latex tables
    """
    from noughts.document import citations
    from noughts.document.result import StudyResult
    from noughts.reports.markdown import write_markdown
    from noughts.reports.page import write_report
    from noughts.reports.tables import write_csv_tables, write_latex_tables
    from noughts.store.files import make_folder, require_new, write_atomically
    from noughts.store.results import Store
    from noughts.studies.registry import find_study
    from noughts.studies.run import conclude_again, find_run

    study = find_study(name)
    if bibtex is not None:
        make_folder(bibtex.parent)
        require_new(bibtex, force)
    place = Store.open()
    finished = find_run(study, place, scale, seed, run)
    result = conclude_again(study, finished, place) if again else StudyResult.from_json(finished.result or "")
    written: list[tuple[str, Path]] = []
    if markdown is not None:
        written.append(("markdown", write_markdown(result, markdown)))
    if csv is not None:
        written += [("table", path) for path in write_csv_tables(result, csv)]
    if latex is not None:
        written += [("table", path) for path in write_latex_tables(result, latex)]
    if bibtex is not None:
        write_atomically(bibtex, citations.bibtex(study.citations))
        written.append(("citations", bibtex))
    page = write_report(result, report or place.folder / "pages")
    return _show(result, page, Asking(as_json=as_json), [f"{what}: {path}" for what, path in written])


@app.command()
def archive(
    name: Annotated[str, typer.Argument(help="Name of the study.")],
    to: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="File to write. By default STUDY-SCALE.study.tar.xz in this folder."
        ),
    ] = None,
    scale: LatestScaleOption = None,
    seed: LatestSeedOption = None,
    run: Annotated[str | None, typer.Option("--run", metavar="ID", help="Id of a run.")] = None,
    force: ForceOption = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Pack a finished run into one file, with its games, walks, certificates, configurations, page and hashes.

    Equal runs give equal bytes. `noughts study check FILE` checks it, unless the study or one of its agents is third-party
    code, because no code is loaded from an archive.

    Examples:
        noughts study archive mcts-perfect
        noughts study archive is-minimax-perfect --scale laptop -o minimax.study.tar.xz
    """
    from noughts.library.archiving import pack_study
    from noughts.reports.presenting.checks import present_packed
    from noughts.store.results import Store
    from noughts.studies.registry import find_study
    from noughts.studies.run import find_run

    study = find_study(name)
    with Store.open() as place:
        found = find_run(study, place, scale, seed, run)
        path = to or Path(f"{study.name}-{found.identity['scale']}.study.tar.xz")
        packed = pack_study(study, found, place, path, force)
    return show_document(present_packed(packed, found), as_json)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="ARCHIVE", help="File from `noughts study archive`.")],
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> int:
    """Check an archive without running anything again.

    It compares all hashes, replays games and walks by the rules, and checks certificates by playing every reply. Then it
    makes the result and the page again from the archived answers. It loads no code that the archive names.

    Examples:
        noughts study check mcts-perfect-quick.study.tar.xz
    """
    from noughts.library.archiving import check_archive
    from noughts.reports.presenting.checks import present_archive

    report = check_archive(file, workers, lambda what: None if as_json else note(f"checking {what}"))
    return show_document(present_archive(report), as_json)


def _show(result: "StudyResult", page: Path, how: Asking, more: Sequence[str] = ()) -> int:
    """Print a result, and return the exit code, which is 1 if something failed."""
    lines = ["", f"scale {result.scale}, seed {result.seed}", f"page: {page}", *more]
    return show_document(how.present(result), how.as_json, lines=lines, page=str(page))  # it names its extra agents
