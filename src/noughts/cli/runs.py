"""``noughts runs``: list, show, resume, export and remove training runs."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli import runs_compare
from noughts.cli.options import ForceOption, JsonOption, StoreOption, YesOption
from noughts.cli.output import note
from noughts.cli.output import show as show_document
from noughts.cli.train import DevicesOption, IterationsOption, MinutesOption, PositionsOption
from noughts.rules.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from noughts.store.run_folder import RunFolder

app = typer.Typer(
    help="""Training runs: list, show, compare, resume, export, remove.

    Examples:
        noughts runs list
        noughts runs compare first second --plot curves.svg
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("compare")(runs_compare.compare)

RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="A run's name, or its folder.")]

_WEIGHTS = "weights.safetensors"
_VALUES = "value.safetensors"
_ONNX = ".onnx"


@app.command("list")
def list_all(store: StoreOption = None, as_json: JsonOption = False) -> int:
    """List the training runs in the store.

    Examples:
        noughts runs list
    """
    from noughts.reports.presenting.trainings import present_runs
    from noughts.store.run_folder import RunFolder, run_names, training_folder

    problems, rows = [], []
    for name in run_names():
        try:
            run = RunFolder.open(training_folder() / name)
            rows.append((run, run.status()))
        except StoreError as error:
            problems.append(str(error))
    rows.sort(key=lambda row: row[0].description.created)
    if not rows and not problems and not as_json:
        typer.echo(f"no runs in {training_folder()}; make one with `noughts train`")
        return 0
    return show_document(present_runs(rows, problems), as_json)


@app.command()
def show(run: RunArgument, store: StoreOption = None, as_json: JsonOption = False) -> int:
    """Show the settings, environment, progress and strength curve of a run.

    Examples:
        noughts runs show first
    """
    from noughts.reports.presenting import present
    from noughts.store.run_folder import RunFolder

    return show_document(present(RunFolder.find(run)), as_json)


@app.command()
def resume(
    run: RunArgument,
    minutes: MinutesOption = None,
    iterations: IterationsOption = None,
    positions: PositionsOption = None,
    devices: DevicesOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Continue a run that was stopped or killed, as planned or for a new limit.

    On the same machine and number of devices, the final weights are bit-for-bit those of an uninterrupted run.

    Examples:
        noughts runs resume first
        noughts runs resume first --minutes 30
    """
    import noughts
    from noughts.cli.train import follow

    session = noughts.resume(run, minutes=minutes, iterations=iterations, positions=positions, devices=devices)
    return follow(session, as_json, devices)


@app.command()
def export(
    run: Annotated[str, typer.Argument(metavar="RUN[@ITERATION]", help="A run's name, or its folder.")],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="File to write, as FILE.safetensors or FILE.onnx.")],
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules", "-r", metavar="RULES", help="Game whose board the ONNX file is for. By default the trained one."
        ),
    ] = None,
    force: ForceOption = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Export weights of a run, by default the last, as one safetensors file with metadata on the training, or as ONNX.

    Examples:
        noughts runs export first --to first.safetensors
        noughts runs export first --to first.onnx
    """
    from noughts.agents.trained import FILE_ENDING, is_file, split_target
    from noughts.document.document import Document
    from noughts.networks.spec import change_of_code
    from noughts.store.files import require_new, write_atomically
    from noughts.training.registry import agent_text

    as_onnx = to.suffix == _ONNX
    if not as_onnx and to.suffix != FILE_ENDING:
        raise StoreError(
            f"--to {to} is not allowed: nothing reads weights from a file that ends so: give FILE{FILE_ENDING} or FILE{_ONNX}"
        )
    if rules is not None and not as_onnx:
        raise StoreError(f"--rules is of ONNX, and {to.name} does not end in {_ONNX}: leave it out")
    require_new(to, force)
    named = split_target(run)
    found, moment = named.weights()
    iteration, files = found.weights_at(moment)
    (name, content), *others = files.items()
    if others or (name != _WEIGHTS if as_onnx else Path(name).suffix != FILE_ENDING):
        place = found.weights.path(iteration)
        kind = "one network for ONNX" if as_onnx else f"one {FILE_ENDING} file: copy them from {place}"
        raise StoreError(f"the weights of run {found.name} are in {', '.join(files)}, and not {kind}")
    content = _onnx(found, files, rules) if as_onnx else content
    write_atomically(to, content)
    network = str(found.description.config.get("network", ""))
    if change := change_of_code(network, found.description.outside):
        note(f"{change}: these weights need the earlier version")
    target = str(to) if is_file(str(to)) and name in (_WEIGHTS, _VALUES) else f"{named.run}@{iteration}"
    agent = agent_text(found.description.method, target)
    lines = (
        f"{to}: the weights of {found.name} after iteration {iteration}, {len(content):,} bytes",
        f"its agent: {shlex.quote(agent)}",
    )
    data = {"run": found.name, "iteration": iteration, "file": str(to), "bytes": len(content), "agent": agent}
    return show_document(Document(lines, data), as_json)


@app.command()
def remove(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Runs, by name or folder.")],
    yes: YesOption = False,
    store: StoreOption = None,
) -> int:
    """Remove training runs with their weights, metrics and checkpoints.

    Saved results of their agents stay readable, but cannot be rerun. A run in training is not removed.

    Examples:
        noughts runs remove first
        noughts runs remove first second --yes
    """
    from noughts.store.run_folder import find_folder, remove_folder, run_locked

    found = {run: find_folder(run) for run in dict.fromkeys(runs)}
    for folder in found.values():  # if one is missing or in training, none is removed
        with run_locked(folder):
            pass
    for run, folder in found.items():
        about = _about(folder)
        if yes or typer.confirm(f"remove training run {run}, {about}?", err=True):
            remove_folder(folder)
            typer.echo(f"removed {run}: {about}")
    return 0


def _about(folder: Path) -> str:
    """Describe the task, method and size of a run; it also works for a damaged run."""
    from noughts.machine.memory import size_text
    from noughts.store.run_folder import RunFolder
    from noughts.store.usage import part_of

    try:
        run = RunFolder.open(folder)
        about = f"{run.description.task} by {run.description.method}, {run.status().iterations:,} iterations"
    except StoreError:
        about = "which cannot be read"
    return f"{about}, {size_text(part_of(folder.name, [folder]).bytes)}"


def _onnx(run: "RunFolder", files: "Mapping[str, bytes]", rules: str | None) -> bytes:
    """Convert the weights to ONNX; NetworkError if the network does not support it."""
    from noughts.networks.errors import NetworkError
    from noughts.rules import parse_rules

    if run.description.method != "az":
        raise NetworkError(
            f"the weights of method {run.description.method} are not written as ONNX: only networks of policy and value, of method az"
        )
    game = None if rules is None else parse_rules(rules)

    from noughts.networks.onnx import onnx_model
    from noughts.networks.weights import load_network

    return onnx_model(load_network(files), game)
