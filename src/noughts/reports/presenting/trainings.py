"""Training runs: a list of them, one with its settings and strength, and several side by side."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from noughts.document.document import Cell, Document, Listing
from noughts.document.names import NO_NAMES, Names
from noughts.machine.memory import size_text
from noughts.reports.presenting.text import metrics_text, number_text, seconds_text, setting_text, sparkline
from noughts.rules import format_rules, parse_task
from noughts.store.run_folder import RunFolder, Status
from noughts.store.run_metrics import MetricsLine
from noughts.store.usage import part_of
from noughts.training import compared
from noughts.training.compared import MetricReading
from noughts.training.events import Finished
from noughts.training.registry import agent_text, depends_on
from noughts.training.until import UntilProved

_ROWS = 20


def present_runs(rows: Sequence[tuple[RunFolder, Status]], problems: Sequence[str] = ()) -> Document:
    """A table of runs, each with the status in its folder."""
    cells = tuple(
        (
            run.folder.name,
            run.description.method,
            run.description.task,
            status.state,
            status.positions,
            seconds_text(status.seconds),
            size_text(part_of(run.folder.name, [run.folder]).bytes),
        )
        for run, status in rows
    )
    columns = ("run", "method", "task", "state", "positions", "time", "size")
    grid = Listing("training runs", columns, cells, labels=4, whole=("method", "state", "positions", "time", "size"))
    return Document((grid,) if rows else (), [_json(run, status) for run, status in rows], tuple(problems))


def _json(run: RunFolder, status: Status) -> dict[str, Any]:
    description = run.description
    return {
        "run": run.name,
        "folder": str(run.folder),
        "method": description.method,
        "task": description.task,
        "seed": description.seed,
        "created": description.created,
        **status.model_dump(mode="json", exclude={"format"}),
    }


def present_run(run: RunFolder, asked: None = None, names: Names = NO_NAMES) -> Document:
    """The settings, environment, progress and strength curve of a run."""
    description, status, measured, weights = run.description, run.status(), compared.measurements(run), run.iterations()
    data = _json(run, status) | {
        "config": description.config,
        "environment": description.environment.model_dump(mode="json"),
        "outside": description.outside,
        "weights": list(weights),
        "strength": [line.model_dump(mode="json", exclude={"format", "kind"}) for line in measured],
    }
    environment = description.environment
    versions = ", ".join(f"{name} {version}" for name, version in environment.versions.items())
    done = f"{status.iterations:,} iterations, {status.positions:,} positions, {seconds_text(status.seconds)}"
    lines = [
        f"run       {run.name} in {run.folder}",
        f"method    {description.method}",
        f"task      {description.task}",
        f"state     {status.state}: {done}",
        f"created   {description.created}, seed {description.seed}",
        f"made by   {versions}{', commit ' + environment.commit if environment.commit else ''}",
        f"machine   {environment.machine}, {environment.cores} cores",
    ]
    now = depends_on(description.method, description.config).versions
    for name, code in description.outside.items():
        lines.append(f"outside   {name}, version {code}{', has changed since' * (now.get(name) != code)}")
    kept = f"{len(weights)}, of iterations {weights[0]} to {weights[-1]}" if weights else "none yet"
    lines += [f"weights   {kept}", "config"]
    lines += [f"  {name} = {setting_text(value)}" for name, value in compared.flat_config(description.config)]
    if not measured:
        return Document(("\n".join(lines),), data)
    lines.append("")
    for name in measured[-1].metrics:
        values = [line.metrics.get(name) for line in measured]
        lines.append(f"{name:24} {sparkline(values)} {number_text(values[-1])}")
    lines.append("")
    lines += [f"{one.name:24} {_reading_text(one)}: {one.about}" for one in compared.last_readings(run) if one.about]
    return Document(("\n".join([*lines, ""]), _curve_grid(measured)), data)


def present_trained(
    run: RunFolder,
    end: Finished,
    strength: Mapping[str, float | None],
    damaged: Sequence[str],
    resume: str,
    until: UntilProved | None,
) -> Document:
    """The end of a training: its duration, its strength, and commands to use it.

    Args:
        run: The folder of the run.
        end: The event of its end, with the limit that was reached.
        strength: The last measurement; empty without one.
        damaged: Checkpoints that could not be used.
        resume: The command that resumes it.
        until: The proof that it tried, if any. If it succeeded, the commands are about the proved agent.
    """
    description, called = run.description, run.called
    proved = strength.get("proved") == 1.0
    agent = shlex.quote(agent_text(description.method, called, until if proved else None))
    game = shlex.quote(format_rules(parse_task(description.task).rules[0]))
    lines = [
        f"run       {called} in {run.folder}",
        f"trained   {end.iteration:,} iterations, {end.positions:,} positions, {end.seconds:,.0f} s",
        *([f"strength  {metrics_text(strength)}"] if strength else []),
        f"next      noughts play --against {agent} --rules {game}",
        f"          noughts match {agent} minimax:depth=2 --rules {game}",
        f"          noughts runs show {shlex.quote(called)}",
        f"          {resume} --minutes 10",
    ]
    data = {
        "run": called,
        "folder": str(run.folder),
        "method": description.method,
        "task": description.task,
        "iterations": end.iteration,
        "positions": end.positions,
        "seconds": end.seconds,
        "limit": end.limit,
        "strength": dict(strength),
        "damaged": list(damaged),
    }
    return Document(("\n".join(lines),), data)


def _curve_grid(measured: Sequence[MetricsLine]) -> Listing:
    """A table of at most `_ROWS` measurements, evenly chosen, including the last one."""
    last = len(measured) - 1
    shown = sorted({round(row * last / (_ROWS - 1)) for row in range(_ROWS)}) if last >= _ROWS else range(last + 1)
    names = list(dict.fromkeys(name for line in measured for name in line.metrics))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            line.iteration,
            line.positions,
            seconds_text(line.seconds),
            *(number_text(line.metrics.get(name)) for name in names),
        )
        for line in (measured[row] for row in shown)
    )
    return Listing("strength", ("iteration", "positions", "time", *names), rows, labels=0)


def present_compared_runs(found: Mapping[str, RunFolder]) -> Document:
    """The settings that differ, and the measurements of each run.

    Args:
        found: The folders of the runs, by the names that the user gave.
    """
    runs, folders = list(found), list(found.values())
    told = [run.description for run in folders]
    described = [{"method": one.method, "task": one.task} | one.config for one in told]
    different, readings = compared.different_settings(described), [compared.last_readings(run) for run in folders]
    data = {
        "runs": [_run_json(run, own) for run, own in zip(folders, readings, strict=True)],
        "different": {key: dict(zip(runs, values, strict=True)) for key, values in different.items()},
    }
    return Document((_settings_grid(runs, described, different), _strength_grid(found, readings)), data)


def _run_json(run: RunFolder, readings: Sequence[MetricReading]) -> dict[str, Any]:
    shown = _json(run, run.status())
    kept = ("run", "folder", "method", "task", "iterations", "positions", "seconds")
    return {name: shown[name] for name in kept} | {"strength": [one._asdict() for one in readings]}


def _settings_grid(runs: list[str], configs: Sequence[Mapping[str, Any]], different: Iterable[str]) -> Listing:
    flat = [dict(compared.flat_config(config)) for config in configs]
    rows = tuple((key, *(setting_text(own[key]) if key in own else "-" for own in flat)) for key in different)
    title = "settings that differ" if different else "all settings are equal"
    return Listing(title, ("setting", *runs), rows, labels=1 + len(runs))


def _strength_grid(runs: Mapping[str, RunFolder], readings: Sequence[Sequence[MetricReading]]) -> Listing:
    statuses = [run.status() for run in runs.values()]
    rows = [
        ("positions", *(f"{status.positions:,}" for status in statuses)),
        ("time", *(seconds_text(status.seconds) for status in statuses)),
    ]
    notes = []
    for name in dict.fromkeys(one.name for own in readings for one in own):
        ones = [next((one for one in own if one.name == name), None) for own in readings]
        rows.append((name, *("-" if one is None else _reading_text(one) for one in ones)))
        about = next((one.about for one in ones if one is not None and one.about), "")
        notes += [f"{name}: {about}"] if about else []
    title = "last measured strength, 95 % intervals; each run has its own test set"
    return Listing(title, ("", *runs), tuple(rows), tuple(notes))


def _interval(one: MetricReading) -> str:
    return "" if one.low is None or one.high is None else f"{one.low:.3g} to {one.high:.3g}"


def _reading_text(one: MetricReading) -> str:
    """A value with its interval and n, if they are known."""
    interval = f" ({_interval(one)})" if _interval(one) else ""
    return f"{number_text(one.value)}{interval}" + (f", n = {one.n:,}" if one.n else "")
