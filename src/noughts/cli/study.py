"""``noughts study``: list the studies, run one, show what one found, pack it for others and check it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.ask import show as show_document
from noughts.cli.options import (
    AgainOption,
    ForceOption,
    JsonOption,
    MoveSecondsOption,
    OnOption,
    ReportOption,
    SeedOption,
    StoreOption,
    WorkersOption,
    complete_agent,
)
from noughts.cli.telling import detail, note

if TYPE_CHECKING:
    from noughts.document.names import Names
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
    help="The papers' studies: list, run, show, archive, check.", no_args_is_help=True, rich_markup_mode=None
)


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


LatestScaleOption = Annotated[
    str | None, typer.Option("--scale", "-s", help="Latest run at this scale. By default at any scale.")
]
LatestSeedOption = Annotated[
    int | None, typer.Option("--seed", help="Latest run with this seed. By default with any seed.")
]


@app.command()
def run(
    name: Annotated[
        str,
        typer.Argument(help="Study from `noughts study list`, or your own as python:file.py:Class."),
    ],
    scale: Annotated[str, typer.Option("--scale", "-s", help="Scale, i.e. quick, laptop or paper.")] = "quick",
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            "-a",
            help="Extra agent, as AGENT or NAME=AGENT. Repeat it for more agents.",
            autocompletion=complete_agent,
        ),
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    on: OnOption = None,
    move_seconds: MoveSecondsOption = None,
    again: AgainOption = False,
    store: StoreOption = None,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> int:
    """Run a study and write its page. Tables fill while games are played.

    If the study is interrupted, even by kill -9, the same command continues it and repeats nothing. If it has finished, the
    command shows the saved result and writes its page again.
    """
    from noughts.agents import parse_agent
    from noughts.cli.options import check_move_seconds
    from noughts.cli.output import name_changed, name_kept, watch
    from noughts.document.names import read_names
    from noughts.library.asking import executor_at
    from noughts.questions.traits import require_agent
    from noughts.reports.page import write_report
    from noughts.reports.presenting import present
    from noughts.reports.terminal import document_tables
    from noughts.store.files import make_folder
    from noughts.store.results import Store
    from noughts.studies.registry import find_study
    from noughts.studies.run import StudyRun, StudyWork, find_finished
    from noughts.studies.study import Settings

    study = find_study(name)
    texts, names = read_names(agent or ())
    guests = tuple(map(parse_agent, texts))
    for guest in guests:
        require_agent(guest, workers)
    executor = executor_at(workers, on)
    settings = Settings(scale, seed, tuple(map(str, guests)), check_move_seconds(move_seconds))
    place = Store.open(store)
    folder = report or place.folder / "pages"
    make_folder(folder)  # what cannot be written is said before anything is played
    work = StudyWork.of(study, settings)
    kept = None if again else find_finished(study, settings, place, work)
    if kept is not None:
        info, result = kept
        if not as_json:
            name_kept(info)
        return _show(result, write_report(names.in_result(result), folder), as_json, names)
    with StudyRun(study, settings, place, executor, again, work) as running:
        if running.resumed and not as_json:
            note(f"going on with the run of {name} that was interrupted")
        detail(f"study {name}: run {running.run.id} in {place.called}")
        name_changed(running.run.changed)
        watch(
            running.progress(),
            study.title,
            lambda: document_tables(present(running.result(), names=names)),
            quiet=as_json,
        )
        result = running.result(complete=True)
        page = write_report(names.in_result(result), folder)
        running.finish(result)  # the page first: a run that is finished is not taken up again
    return _show(result, page, as_json, names)


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
    """
    from noughts.document import citations
    from noughts.reports.markdown import write_markdown
    from noughts.reports.page import write_report
    from noughts.reports.tables import write_csv_tables, write_latex_tables
    from noughts.store.files import make_folder, require_new, write_atomically
    from noughts.store.results import Store
    from noughts.studies.registry import find_study
    from noughts.studies.run import find_run, result_of_run
    from noughts.studies.study import check_scale

    study = find_study(name)
    if scale is not None:
        check_scale(study, scale)
    if bibtex is not None:
        make_folder(bibtex.parent)
        require_new(bibtex, force)
    place = Store.open(store)
    finished = find_run(study, place, scale, seed, run)
    result = result_of_run(study, finished, place, again)
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
    code = _show(result, write_report(result, report or place.folder / "pages"), as_json)
    for what, path in written if not as_json else ():
        typer.echo(f"{what}: {path}")
    return code


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
) -> None:
    """Pack a finished run into one file, with its games, walks, certificates, configurations, page and hashes.

    Equal runs give equal bytes. `noughts study check FILE` checks it, unless the study or one of its agents is third-party
    code, because no code is loaded from an archive.
    """
    from noughts.cli.output import print_json
    from noughts.library.archiving import pack_study
    from noughts.store.results import Store
    from noughts.studies.registry import find_study
    from noughts.studies.run import find_run
    from noughts.studies.study import check_scale

    study = find_study(name)
    if scale is not None:
        check_scale(study, scale)
    with Store.open(store) as place:
        found = find_run(study, place, scale, seed, run)
        path = to or Path(f"{study.name}-{found.identity['scale']}.study.tar.xz")
        packed = pack_study(study, found, place, path, force)
    if as_json:
        print_json(packed._asdict() | {"path": str(path)})
        return
    checked = (
        f"`noughts study check {path}` checks it"
        if packed.checkable
        else "`noughts study check` refuses it: it asks for code from outside noughts, and none is loaded from an archive"
    )
    typer.echo(
        f"{path}: {study.name}, scale {found.identity['scale']}, seed {found.seed}: {packed.answers:,} answers, {packed.certificates:,} certificates, {packed.configurations:,} "
        f"configurations of trainings, {packed.bytes:,} bytes; {checked}"
    )


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="ARCHIVE", help="File from `noughts study archive`.")],
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check an archive without running anything again.

    It compares all hashes, replays games and walks by the rules, and checks certificates by playing every reply. Then it
    makes the result and the page again from the archived answers. It loads no code that the archive names.
    """
    from noughts.cli.output import print_json
    from noughts.library.checking_archives import NOT_CHECKED, check_archive

    report = check_archive(file, workers, lambda what: None if as_json else note(f"checking {what}"))
    if as_json:
        print_json(report._asdict() | {"file": str(file), "not_checked": NOT_CHECKED})
        return
    typer.echo(
        f"{file}: sound: {report.study}, scale {report.scale}, seed {report.seed}: {report.members:,} members with their "
        f"hashes, {report.games:,} games and {report.walks:,} walks replayed, {report.certificates:,} certificates "
        f"checked, the conclusion drawn again; {report.taken:,} answers that nothing can replay are taken as they stand; not checked: {NOT_CHECKED}"
    )


def _show(result: "StudyResult", page: Path, as_json: bool, names: "Names | None" = None) -> int:
    """Print a result; the exit code says whether something in it failed."""
    from noughts.document.names import NO_NAMES
    from noughts.reports.presenting import present

    code = show_document(present(result, names=names or NO_NAMES), as_json, page=str(page))
    if not as_json:
        typer.echo(f"\nscale {result.scale}, seed {result.seed}\npage: {page}")
    return code
