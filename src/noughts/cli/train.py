"""``noughts train``: learn a game from nothing, in a folder that describes itself."""

import json
import re
import time
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption, StoreOption

if TYPE_CHECKING:
    from noughts.store.run_folder import RunFolder
    from noughts.training.registry import Method
    from noughts.training.schedule import Schedule
    from noughts.training.trainer import Trainer, TrainingConfig

MinutesOption = Annotated[float | None, typer.Option("--minutes", "-m", help="So many minutes.")]
IterationsOption = Annotated[int | None, typer.Option("--iterations", help="So many iterations.")]
PositionsOption = Annotated[int | None, typer.Option("--positions", help="So many positions of self-play.")]
DevicesOption = Annotated[
    int | None, typer.Option("--devices", help="On a CPU: how many cores compute; all that may be used unless given.")
]


def train(
    task: Annotated[
        str | None, typer.Argument(metavar="TASK", help="What to learn: tic-tac-toe, bttt(D4), bttt(D3|D4) ...")
    ] = None,
    network: Annotated[str | None, typer.Option("--network", "-n", help="What learns: line, resnet, mlp ...")] = None,
    method: Annotated[str, typer.Option("--method", help="How it learns: az is AlphaZero, es is evolution.")] = "az",
    minutes: MinutesOption = None,
    iterations: IterationsOption = None,
    positions: PositionsOption = None,
    run: Annotated[
        str | None, typer.Option("--run", metavar="NAME_OR_FOLDER", help="What to call it, or a folder of your own.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="A configuration, JSON or TOML.")
    ] = None,
    preset: Annotated[str | None, typer.Option("--preset", help="A named configuration, such as a paper's.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Any part of it: search.simulations=24; may be repeated."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Everything random derives from it.")] = None,
    devices: DevicesOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Learn a game from nothing. Ctrl-C stops it at once and loses nothing: `noughts runs resume` goes on."""
    from noughts.store.run_folder import RunFolder
    from noughts.training.registry import find_method
    from noughts.training.tensorboard import require_tensorboard

    chosen = find_method(method)
    given = _read_file(config) if config is not None else {}
    options = {"task": task, "network": network, "seed": seed}
    given = merge(given, {name: value for name, value in options.items() if value is not None})
    asked = {"minutes": minutes, "iterations": iterations, "positions": positions}
    limits = {name: value for name, value in asked.items() if value is not None}
    for setting in settings or ():
        given = merge(given, _parse_setting(setting))
    wanted = make_config(chosen, given, limits, preset)
    if wanted.schedule.tensorboard:
        require_tensorboard()
    fields = wanted.model_dump(mode="json")
    folder = _folder_for(run, fields, method, store)
    trainer = chosen.make_trainer(wanted, devices)  # what cannot be made is said before there is a folder
    made = RunFolder.create(
        folder,
        method=method,
        task=fields["task"],
        config=fields,
        seed=wanted.seed,
        created=datetime.now(UTC),
    )
    return follow(trainer, made, wanted.schedule, as_json)


def follow(trainer: "Trainer", run: "RunFolder", schedule: "Schedule", as_json: bool) -> int:
    """Train, show how it goes, and say what there is at the end."""
    import shlex

    from noughts.cli.output import print_json
    from noughts.cli.training_view import TrainingView, watch_training, write_metrics
    from noughts.rules import format_rules, parse_task
    from noughts.store.run_folder import training_folder
    from noughts.training.loop import train as carry_out

    # Agents look for a name in the usual store only.
    called = run.folder.name if run.folder.parent == training_folder() else str(run.folder)
    view = TrainingView(called, schedule)
    try:
        watch_training(carry_out(trainer, run, schedule, time.monotonic), view, quiet=as_json)
    except KeyboardInterrupt:
        typer.echo(f"go on by: noughts runs resume {shlex.quote(called)}", err=True)
        raise
    end = view.end
    if as_json:
        print_json(
            {
                "run": called,
                "folder": str(run.folder),
                "method": run.description.method,
                "task": run.description.task,
                "iterations": end.iteration,
                "positions": end.positions,
                "seconds": end.seconds,
                "limit": end.limit,
                "strength": view.strength,
                "damaged": list(view.damaged),
            }
        )
        return 0
    agent = shlex.quote(f"{run.description.method}:{called}")
    game = shlex.quote(format_rules(parse_task(run.description.task).rules[0]))
    typer.echo(f"run       {called} in {run.folder}")
    typer.echo(f"trained   {end.iteration:,} iterations, {end.positions:,} positions, {end.seconds:,.0f} s")
    if view.strength:
        typer.echo(f"strength  {write_metrics(view.strength)}")
    typer.echo(f"next      noughts play --against {agent} --rules {game}")
    typer.echo(f"          noughts match {agent} minimax:depth=2 --rules {game}")
    typer.echo(f"          noughts runs show {shlex.quote(called)}")
    typer.echo(f"          noughts runs resume {shlex.quote(called)} --minutes 10")
    return 0


def make_config(
    method: "Method", given: Mapping[str, Any], limits: Mapping[str, float], preset: str | None
) -> "TrainingConfig":
    """The method's config.

    Args:
        given: Fields, possibly nested, that go before those of the preset.
        limits: When to end; if there are any, they take the place of all others.

    Raises:
        NoughtsError: something is missing, unknown or impossible.
    """
    from noughts.rules import NoughtsError
    from noughts.training.schedule import LIMITS

    schedule = given.get("schedule", {})
    if not isinstance(schedule, Mapping):
        raise NoughtsError(f"schedule={schedule!r} is not allowed: give fields, such as schedule.minutes=10")
    if limits:
        schedule = {name: value for name, value in schedule.items() if name not in LIMITS} | dict(limits)
    if all(schedule.get(limit) is None for limit in LIMITS):
        raise NoughtsError("nothing says when to end: give --minutes, --iterations or --positions")
    given = {**given, "schedule": schedule}
    if "task" not in given:
        raise NoughtsError("nothing says what to learn: give a TASK such as 'bttt(D4)', or --config with one")
    if preset is not None:
        plain = method.config.preset(preset, task=given["task"], schedule=schedule)
        given = merge(plain.model_dump(mode="json"), given)
    return method.read_config(given)


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Both, with what `over` says going before; nested fields are merged one by one."""
    merged = dict(base)
    for name, value in over.items():
        before = merged.get(name)
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        merged[name] = merge(before, value) if both else value  # type: ignore[arg-type]
    return merged


def _parse_setting(setting: str) -> dict[str, Any]:
    from noughts.rules import NoughtsError

    key, equals, text = setting.partition("=")
    names = key.strip().split(".")
    if not equals or not all(names):
        raise NoughtsError(f"--set {setting!r} is not allowed: write key=value, as in search.simulations=24")
    try:
        value: Any = json.loads(text)
    except ValueError:
        value = text.strip()  # text need not stand in quotes
    for name in reversed(names):
        value = {name: value}
    return dict(value)


def _read_file(path: Path) -> dict[str, Any]:
    from noughts.rules import NoughtsError
    from noughts.store.files import read_small

    try:
        text = read_small(path).decode()
        fields = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError as error:
        raise NoughtsError(f"the configuration {path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        kind = "TOML" if path.suffix == ".toml" else "JSON (name it .toml if it is TOML)"
        raise NoughtsError(f"the configuration {path} is not {kind}: {error}") from error
    if not isinstance(fields, dict):
        raise NoughtsError(f"the configuration {path} is a {type(fields).__name__}: write an object of fields")
    return fields


def _folder_for(run: str | None, fields: Mapping[str, Any], method: str, store: str | None) -> Path:
    """Where the run is to be: as it was asked for, or a name that is not used yet."""
    from noughts.rules import NoughtsError
    from noughts.store.run_folder import is_name, training_folder

    place = training_folder(store)
    if run is None:
        words = re.sub(r"[^a-z0-9]+", "-", f"{fields['task']} {fields.get('network', method)}".lower()).strip("-")[:60]
        number = 1
        while (place / f"{words}-{number}").exists():
            number += 1
        return place / f"{words}-{number}"
    if is_name(run):
        return place / run
    if "/" in run or run.startswith((".", "~")):
        return Path(run).expanduser()
    raise NoughtsError(
        f"--run {run!r} is not allowed: a name has letters, digits, dots, - and _; a folder of your own has a / in it"
    )
