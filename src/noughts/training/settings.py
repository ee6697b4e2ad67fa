"""From what people give to the run that is trained: the method's config, the trainer, and the folder."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from noughts.rules import NoughtsError, parse_task
from noughts.rules.errors import no_field
from noughts.store.run_folder import RunFolder, is_name, training_folder
from noughts.training.method_config import MethodConfig
from noughts.training.registry import Method, depends_on, find_method
from noughts.training.schedule import ENDS, Schedule
from noughts.training.tensorboard import require_tensorboard
from noughts.training.trainer import Trainer

SMALL_CELLS = 9
"""Cells of the games for which a method's `small_preset` is tried: tic-tac-toe's."""

PROOF_ITERATIONS = 10
"""Iterations between two attempts at a proof, unless the schedule says when to measure."""


def make_config(
    method: Method, given: Mapping[str, Any], limits: Mapping[str, Any], preset: str | None, before: str = ""
) -> MethodConfig:
    """The method's config.

    When to end is said by `limits`, else by `given`, else by the preset, else by the method's default.

    Args:
        given: Fields, possibly nested, that go before those of the preset. One more, ``preset``, may name it.
        limits: When to end; if there are any, they take the place of all others.
        preset: Goes before the one that `given` names.
        before: What stands before an option's name where people write it; for errors.

    Raises:
        NoughtsError: something is missing, unknown or impossible.
    """
    given = dict(given)
    named = given.pop("preset", None)
    preset = named if preset is None else preset
    fields = [*method.config.model_fields, "preset"]
    for name in given:
        if name not in fields:
            raise NoughtsError(f"impossible configuration: {no_field(name, fields)}")
    if preset is not None and not isinstance(preset, str):
        raise NoughtsError(f"preset={preset!r} is not allowed: give the name of a preset")
    schedule = given.get("schedule", {})
    if not isinstance(schedule, Mapping):
        raise NoughtsError(f"schedule={schedule!r} is not allowed: give fields, such as schedule.minutes=10")
    if "task" not in given:
        raise NoughtsError(f"there is no task to learn: give a TASK such as 'bttt(D4)', or {before}config with one")
    if not limits:
        limits = {name: schedule[name] for name in ENDS if schedule.get(name) is not None}
    task = {"task": given["task"]}
    plain = method.config(**task) if preset is None else method.config.preset(preset, **task)
    base = plain.model_dump(mode="json")
    if limits:  # those of the preset or the default count no longer
        given["schedule"] = {**_measures(limits, schedule), **schedule, **dict.fromkeys(ENDS), **limits}
    elif preset is None:
        given["schedule"] = {**{name: base["schedule"][name] for name in ENDS}, **schedule}
    return method.config(**(given if preset is None else merge(base, given)))


def small_preset(method: Method, given: Mapping[str, Any], preset: str | None) -> str | None:
    """The preset with which people learn small games who name none; None where one is named, or the games are larger.

    A method's defaults are those of a paper, and some of them leave a tic-tac-toe player that can be beaten. Studies and
    sweeps, which compare settings, begin with the defaults in all games.

    Args:
        method, given, preset: As of `make_config`.

    Raises:
        NoughtsError: there is no such task.
    """
    task = given.get("task")
    if method.config.small_preset is None or "preset" in given or preset is not None or not isinstance(task, str):
        return None
    return method.config.small_preset if all(rules.size <= SMALL_CELLS for rules in parse_task(task).rules) else None


def _measures(limits: Mapping[str, Any], schedule: Mapping[str, Any]) -> dict[str, int]:
    """A run that a proof ends is measured after so many iterations, so that the same seed ends at the same iteration."""
    said = any(name.startswith("measure_") for name in schedule)
    return {"measure_iterations": PROOF_ITERATIONS} if "until" in limits and not said else {}


def said_end(given: Mapping[str, Any], limits: Mapping[str, Any]) -> bool:
    """Whether whoever gave this to `make_config` says when to end, and no preset or default need to."""
    return bool(limits) or any(given.get("schedule", {}).get(limit) is not None for limit in ENDS)


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Both, with what `over` says going before; nested fields are merged one by one."""
    merged = dict(base)
    for name, value in over.items():
        there = merged.get(name)
        both = isinstance(there, Mapping) and isinstance(value, Mapping)
        merged[name] = merge(there, value) if both else value  # type: ignore[arg-type]
    return merged


def begin_run(
    config: MethodConfig,
    method: str,
    run: str | None = None,
    devices: int | None = None,
    before: str = "",
) -> tuple[Trainer, RunFolder]:
    """A trainer of a config, and a new run for it. What cannot be made is said before there is a folder.

    Args:
        config, method: What is trained, and how.
        run, before: As of `folder_for`.
        devices: As of `Method.trainer`.

    Raises:
        NoughtsError: it cannot be trained.
        StoreError: there is such a run already, or it cannot be written.
    """
    if config.schedule.tensorboard:
        require_tensorboard()
    folder = folder_for(run, config, method, before)
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
    before: str = "",
) -> tuple[Trainer, MethodConfig, Schedule]:
    """A trainer for a run that goes on, its config, and until when it goes on: as it was planned, or for so much more.

    Args:
        run: One that nobody trains at present.
        minutes, iterations, positions: How much more; if one is given, they take the place of what was planned.
        devices: As of `Method.trainer`.
        before: What stands before an option's name where people write it; for errors.

    Raises:
        NoughtsError: it is finished and nothing says how much more, or that is no number above 0.
        StoreError: it is being trained.
    """
    run.mend()
    method, status = find_method(run.description.method), run.status()
    config = method.config(**run.description.config)
    planned = status.schedule if status.schedule is not None else config.schedule.model_dump(mode="json")
    done = {"minutes": status.seconds / 60, "iterations": status.iterations, "positions": status.positions}
    given = {"minutes": minutes, "iterations": iterations, "positions": positions}
    more = {name: amount for name, amount in given.items() if amount is not None}
    for name, amount in more.items():
        if not amount > 0:
            raise NoughtsError(f"{before}{name} {amount:g} is not allowed: give how many more, a number above 0")
    if more:
        planned = {name: value for name, value in planned.items() if name not in ENDS}
        planned |= {name: done[name] + amount for name, amount in more.items()}
    schedule = Schedule(**planned)
    reached = schedule.proof is not None or schedule.reached(status.iterations, status.positions, status.seconds)
    if status.state == "finished" and not more and reached:
        raise NoughtsError(
            f"run {run.name} is finished, with {status.iterations:,} iterations: add {before}minutes, "
            f"{before}iterations or {before}positions"
        )
    return method.trainer(config, devices), config, schedule


def folder_for(run: str | None, config: MethodConfig, method: str, before: str) -> Path:
    """Where a run is to be: as it was asked for, or a name that is not used yet.

    Args:
        run: A name, or a folder of one's own; None for a name that says what is trained.
        config, method: What is trained, and how.
        before: What stands before an option's name where people write it; for errors.

    Raises:
        NoughtsError: it is neither a name nor a folder.
    """
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
        f"{before}run {run!r} is not allowed: a name has letters, digits, dots, - and _; a folder of your own has a / in it"
    )
