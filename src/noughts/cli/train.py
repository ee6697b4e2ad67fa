"""``noughts train``: train an agent from scratch, in a self-describing run folder."""

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption, StoreOption
from noughts.cli.output import detail, note, show
from noughts.rules.errors import NoughtsError

if TYPE_CHECKING:
    from noughts.library.training import TrainingSession
    from noughts.training.registry import Method

MinutesOption = Annotated[float | None, typer.Option("--minutes", "-m", help="Train for this many minutes.")]
IterationsOption = Annotated[int | None, typer.Option("--iterations", help="Train for this many iterations.")]
PositionsOption = Annotated[int | None, typer.Option("--positions", help="Train for this many self-play positions.")]
UntilOption = Annotated[
    str | None,
    typer.Option(
        "--until",
        metavar="proved[:OPTIONS]",
        help="Train until no reply beats the agent, e.g. proved:raw or proved:sims=32,as=first,stable=3.",
    ),
]
_ANY_TASK = "tic-tac-toe"  # for --help-config without a task

DevicesOption = Annotated[
    int | None, typer.Option("--devices", help="CPU cores to use. By default all available cores.")
]


def train(
    task: Annotated[
        str | None,
        typer.Argument(metavar="TASK", help="Game or task to learn, e.g. tic-tac-toe, bttt(D4) or bttt(D3|D4)."),
    ] = None,
    network: Annotated[
        str | None,
        typer.Option("--network", "-n", help="Network, e.g. line, resnet, mlp, or your own as python:file.py:Class."),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help="Method, i.e. az (AlphaZero), mz (MuZero), es (evolution), or your own as python:file.py:Class.",
        ),
    ] = "az",
    minutes: MinutesOption = None,
    iterations: IterationsOption = None,
    positions: PositionsOption = None,
    until: UntilOption = None,
    run: Annotated[
        str | None, typer.Option("--run", metavar="NAME_OR_FOLDER", help="Name of the run, or a folder for it.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="Configuration file, as JSON or TOML.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option("--preset", help="Named configuration, such as that of a paper.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Set one key, e.g. search.simulations=24. Repeat it for more keys."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Random seed.")] = None,
    devices: DevicesOption = None,
    store: StoreOption = None,
    help_config: Annotated[
        bool, typer.Option("--help-config", help="List every key of the configuration, without training.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Train an agent from scratch. Ctrl-C loses nothing, because `noughts runs resume` continues the run.

    `--help-config` lists every key of the chosen --method, with the values of a --preset or a --config.
    `noughts networks` lists the networks.

    Examples:
        noughts train tic-tac-toe --preset tic-tac-toe-fast --run first
        noughts train "bttt(D3|D4)" --network line:features=32 --minutes 30 --set search.simulations=24
        noughts train --method es --help-config
    """
    import noughts
    from noughts.training.registry import find_method
    from noughts.training.settings import merge, said_end, small_preset

    chosen = find_method(method)
    given = _read_file(config) if config is not None else {}
    options = {"task": task, "network": network, "seed": seed}
    given = merge(given, {name: value for name, value in options.items() if value is not None})
    asked = {"minutes": minutes, "iterations": iterations, "positions": positions, "until": until}
    limits: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    said = options | {"preset": preset} | {f"schedule.{name}": value for name, value in limits.items()}
    for setting in settings or ():
        given = merge(given, _parse_setting(setting, said))
    if small := small_preset(chosen, given, preset):
        preset = small
    if help_config:
        return _list_config(chosen, given, limits, preset, as_json)
    session = noughts.train(method=method, config=given, preset=preset, run=run, devices=devices, **limits)
    if small and not as_json:
        note(f"Using the preset {small}, which learns small games best. Set --preset or --set to change this.")
    if not said_end(given, limits) and not as_json:
        origin = "default" if preset is None and "preset" not in given else "preset"
        note(
            f"Training for {session.config.schedule.end} ({origin}). Set --minutes, --iterations, --positions or --until to change this."
        )
    return follow(session, as_json, devices)


def follow(session: "TrainingSession", as_json: bool, devices: int | None = None) -> int:
    """Train, show the progress, and print the result. `devices` is for the command that resumes the run, which needs as many."""
    import shlex

    from noughts.cli.training_view import TrainingView
    from noughts.reports.presenting.trainings import present_trained

    run = session.run
    called = run.called  # agents find runs by name only in the usual store, so other runs are called by their paths
    resume = f"noughts runs resume {shlex.quote(called)}{'' if devices is None else f' --devices {devices}'}"
    view = TrainingView(called, session.config.schedule)
    detail(f"training {called}: {run.description.task} by {run.description.method}, in {run.folder}")
    try:
        view.watch(session, quiet=as_json)
    except KeyboardInterrupt:
        note(f"\nFinished work is saved. Continue it with: {resume}")
        raise
    assert view.end is not None
    until = session.config.schedule.proof
    return show(present_trained(run, view.end, view.strength, view.damaged, resume, until), as_json)


def _list_config(
    method: "Method", given: dict[str, Any], limits: dict[str, Any], preset: str | None, as_json: bool
) -> int:
    """Print every key of a method's configuration, with its given value, or that of the preset, or the default."""
    from noughts.reports.presenting.listed import present_config
    from noughts.training.compared import flat_config
    from noughts.training.settings import make_config

    values: dict[str, Any] = {}
    end = None
    if given or limits or preset is not None:
        wanted = make_config(method, {"task": _ANY_TASK} | given, limits, preset)
        values = dict(flat_config(wanted.model_dump(mode="json"))) | ({} if "task" in given else {"task": None})
        end = wanted.schedule.end
    return show(present_config(method, values, preset if preset is not None else given.get("preset"), end), as_json)


def _parse_setting(setting: str, said: dict[str, Any]) -> dict[str, Any]:
    """Read a setting; NoughtsError if it is malformed, or another argument, by key in `said`, gives the same one."""
    key, equals, text = setting.partition("=")
    names = key.strip().split(".")
    if not equals or not all(names):
        raise NoughtsError(f"--set {setting!r} is not allowed: write key=value, as in search.simulations=24")
    if (other := said.get(key.strip())) is not None:
        raise NoughtsError(f"{key.strip()} is given twice, as {other} and by --set {setting!r}: give one of them")
    try:
        value: Any = json.loads(text)
    except ValueError:
        value = text.strip()  # a text needs no quotes
    for name in reversed(names):
        value = {name: value}
    return dict(value)


def _read_file(path: Path) -> dict[str, Any]:
    from noughts.store.files import read_small

    text = read_small(path, "the configuration")
    try:
        fields = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (ValueError, RecursionError) as error:
        kind = "TOML" if path.suffix == ".toml" else "JSON (name it .toml if it is TOML)"
        raise NoughtsError(f"the configuration {path} is not {kind}: {error}") from error
    if not isinstance(fields, dict):
        raise NoughtsError(f"the configuration {path} is a {type(fields).__name__}: write an object of fields")
    return fields
