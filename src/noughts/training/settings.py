"""From user settings to a training run: the method's config, the trainer, and the folder."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import NoneType
from typing import Any, get_args

from noughts.agents.trained import require_no_file
from noughts.rules import NoughtsError, Value, parse_task
from noughts.rules.text import unknown
from noughts.store.run_folder import RunFolder, is_name, training_folder
from noughts.training.method_config import MethodConfig
from noughts.training.registry import Method, depends_on, find_method
from noughts.training.schedule import ENDS, LIMITS, Schedule
from noughts.training.tensorboard import require_tensorboard
from noughts.training.trainer import Trainer

SMALL_CELLS = 9
"""The most cells of a game for which a method's `small_preset` is used: those of tic-tac-toe."""

PROOF_ITERATIONS = 10
"""Iterations between two attempts at a proof, unless the schedule sets when to measure."""

_NONE = (None, "none", "None")
"""How a setting that may be none is written: commands show ``none``, and TOML has no null."""


def make_config(
    method: Method, given: Mapping[str, Any], limits: Mapping[str, Any], preset: str | None
) -> MethodConfig:
    """Build the method's config.

    The end of training comes from `limits`, else from `given`, else from the preset, else from the method's default.

    Args:
        given: Fields, possibly nested, that override those of the preset. A field ``preset`` may name the preset.
        limits: The limits of training; if there are any, they replace all others.
        preset: The name of a preset, which overrides that in `given`.

    Raises:
        NoughtsError: a setting is missing, unknown or invalid.
    """
    given = _with_none(method.config, given)
    named = given.pop("preset", None)
    preset = named if preset is None else preset
    fields = [*method.config.model_fields, "preset"]
    for name in given:
        if name not in fields:
            raise NoughtsError(f"impossible configuration: {unknown('field', name, fields)}")
    if preset is not None and not isinstance(preset, str):
        raise NoughtsError(f"preset={preset!r} is not allowed: give the name of a preset")
    schedule = given.get("schedule", {})
    if not isinstance(schedule, Mapping):
        raise NoughtsError(f"schedule={schedule!r} is not allowed: give fields, such as schedule.minutes=10")
    if "task" not in given:
        raise NoughtsError("there is no task to learn: give a TASK such as 'bttt(D4)', or one in config= or --config")
    if not limits:
        limits = {name: schedule[name] for name in ENDS if schedule.get(name) is not None}
    task = {"task": given["task"]}
    plain = method.config(**task) if preset is None else method.config.preset(preset, **task)
    base = plain.model_dump(mode="json")
    if limits:  # they replace those of the preset or the default
        given["schedule"] = {**_measures(limits, schedule), **schedule, **dict.fromkeys(ENDS), **limits}
    elif preset is None:
        given["schedule"] = {**{name: base["schedule"][name] for name in ENDS}, **schedule}
    return method.config(**(given if preset is None else merge(base, given)))


def small_preset(method: Method, given: Mapping[str, Any], preset: str | None) -> str | None:
    """The default preset for small games; None if the user names one, or the games are larger.

    A method's defaults come from a paper, and with some of them a tic-tac-toe player stays beatable. Studies and
    sweeps, which compare settings, use the defaults in all games.

    Args:
        method, given, preset: As in `make_config`.

    Raises:
        NoughtsError: there is no such task.
    """
    task = given.get("task")
    if method.config.small_preset is None or "preset" in given or preset is not None or not isinstance(task, str):
        return None
    return method.config.small_preset if all(rules.size <= SMALL_CELLS for rules in parse_task(task).rules) else None


def _with_none(kind: type[Value], given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a kind of value, possibly nested, with None for the text ``none`` where a field may be None."""
    read = dict(given)
    for name in given.keys() & kind.model_fields.keys():
        annotation, value = kind.model_fields[name].annotation, given[name]
        if isinstance(value, Mapping) and isinstance(annotation, type) and issubclass(annotation, Value):
            read[name] = _with_none(annotation, value)
        elif value in _NONE and NoneType in get_args(annotation):
            read[name] = None
    return read


def _measures(limits: Mapping[str, Any], schedule: Mapping[str, Any]) -> dict[str, int]:
    """If a proof ends a run, measure by iterations instead of minutes, so that the same seed ends at the same iteration."""
    said = any(name.startswith("measure_") for name in schedule)
    return {"measure_iterations": PROOF_ITERATIONS} if "until" in limits and not said else {}


def said_end(given: Mapping[str, Any], limits: Mapping[str, Any]) -> bool:
    """Whether these arguments of `make_config` set the end of training themselves, without a preset or default."""
    return bool(limits) or any(given.get("schedule", {}).get(limit) not in _NONE for limit in ENDS)


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two mappings. Fields of `over` take precedence; nested fields are merged one by one."""
    merged = dict(base)
    for name, value in over.items():
        there = merged.get(name)
        both = isinstance(there, Mapping) and isinstance(value, Mapping)
        merged[name] = merge(there, value) if both else value  # type: ignore[arg-type]
    return merged


def begin_run(
    config: MethodConfig, method: str, run: str | None = None, devices: int | None = None
) -> tuple[Trainer, RunFolder]:
    """Create a trainer of a config, and a new run for it. Errors in the config are raised before the folder is created.

    Args:
        config, method: The configuration, and the name of the method.
        run: See `folder_for`.
        devices: See `Method.trainer`.

    Raises:
        NoughtsError: the config cannot be trained.
        StoreError: the run exists already, or cannot be written.
    """
    if config.schedule.tensorboard:
        require_tensorboard()
    folder = folder_for(run, config, method)
    trainer = find_method(method).trainer(config, devices)
    fields = config.model_dump(mode="json")
    made = RunFolder.create(
        folder,
        method=method,
        task=fields["task"],
        config=fields,
        seed=config.seed,
        created=datetime.now(UTC),
        outside=depends_on(method, fields).versions,
    )
    return trainer, made


def resume_run(
    run: RunFolder,
    minutes: float | None = None,
    iterations: int | None = None,
    positions: int | None = None,
    devices: int | None = None,
) -> tuple[Trainer, MethodConfig, tuple[str, ...]]:
    """Return a trainer to resume a run, its config, and a line for each damaged part, which was removed.

    The schedule of the config is as planned, or extended by the given amounts.

    Args:
        run: A run that no process trains at present.
        minutes, iterations, positions: How much more to train; if one is given, they replace the planned limits. A run until
            a proof that still lacks it ends with the proof, too; one that has it trains on without.
        devices: As in `Method.trainer`.

    Raises:
        NoughtsError: the run is finished and no amount is given, or an amount is not above 0.
        StoreError: another process is training the run, or none of its checkpoints can be read.
    """
    removed = run.mend()
    method, status = find_method(run.description.method), run.status()
    config = method.config(**run.description.config)
    planned = status.schedule if status.schedule is not None else config.schedule.model_dump(mode="json")
    done = {"minutes": status.seconds / 60, "iterations": status.iterations, "positions": status.positions}
    given = {"minutes": minutes, "iterations": iterations, "positions": positions}
    more = {name: amount for name, amount in given.items() if amount is not None}
    for name, amount in more.items():
        if not amount > 0:
            raise NoughtsError(f"{name} {amount:g} is not allowed: give how many more, a number above 0")
    if more:
        replaced = ENDS if _is_proved(run, Schedule(**planned)) else LIMITS
        planned = {name: value for name, value in planned.items() if name not in replaced}
        planned |= {name: done[name] + amount for name, amount in more.items()}
    schedule = Schedule(**planned)
    reached = schedule.proof is not None or schedule.reached(status.iterations, status.positions, status.seconds)
    if status.state == "finished" and not more and reached:
        raise NoughtsError(
            f"run {run.name} is finished, with {status.iterations:,} iterations: give it more, such as minutes=10 or --minutes 10"
        )
    return method.trainer(config, devices), config.model_copy(update={"schedule": schedule}), removed


def _is_proved(run: RunFolder, schedule: Schedule) -> bool:
    """Whether the proof that ends a run stands."""
    if schedule.proof is None:
        return False
    from noughts.training.proving import RunProver  # loads array libraries

    prover = RunProver(run, schedule.proof)
    prover.remember(run.lines())
    return prover.is_done


def folder_for(run: str | None, config: MethodConfig, method: str) -> Path:
    """Return the folder for a new run: the given one, or one with an unused name.

    Args:
        run: A name or a folder; None for a name made from the task and the network or method.
        config, method: The configuration, and the name of the method.

    Raises:
        NoughtsError: it is neither a name nor a folder; or it names a file of weights.
    """
    require_no_file(run or "")
    place = training_folder()
    if run is None:
        fields = config.model_dump(mode="json")
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
        f"the run name {run!r} is not allowed: a name has letters, digits, dots, - and _; a folder of your own has a / in it"
    )
