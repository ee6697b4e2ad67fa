"""A training on another machine: the same loop runs there, its folder comes back as it grows, and its events are told here.

What is stopped saves its last whole iteration, which comes back before all ends; what is killed, or whose machine dies, goes on from the last
checkpoint that has come back.
"""

import contextlib
import json
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from noughts.machine import Failed, Job, Recorder, Running
from noughts.machine.brought import located
from noughts.machine.executor import Executor
from noughts.machine.jobs import Baggage
from noughts.machine.sources import files_behind
from noughts.rules import ComputeError, NoughtsError, Value
from noughts.store.run_folder import RunFolder
from noughts.training.events import Event, Finished, Iterated, Resumed, StrengthMeasured
from noughts.training.loop import train
from noughts.training.registry import codes_of_training, find_method
from noughts.training.schedule import Schedule


class _Order(Value):
    """What goes to the other machine: where the run is here, until when it is trained, and on how many devices."""

    called = "training"

    folder: str
    schedule: Schedule
    devices: int | None


TRAIN_JOB = f"{__name__}:train_job"
_NOTE_SECONDS = 1.0
_MEASUREMENTS = 20  # the last ones, of which a note has room for all


def train_elsewhere(
    executor: Executor, run: RunFolder, schedule: Schedule, devices: int | None
) -> Generator[Event, None, None]:
    """Train a run on a machine of its own; the same events as of `loop.train`, of iterations those of every second.

    Args:
        executor: Whose machine.
        run: Whose folder is filled.
        schedule: Until when.
        devices: As of `Method.make_trainer`.

    Raises:
        ComputeError: it failed there, or no machine can be used.
        StoreError: somebody else trains it, here or elsewhere.
    """
    described = run.description
    reads = files_behind(lambda: codes_of_training(described.method, described.config))
    folder = run.folder.absolute()
    order = _Order(folder=str(folder), schedule=schedule, devices=devices)
    baggage = Baggage(tuple(map(str, reads)), str(folder), exact=True)
    job = Job(run.name, TRAIN_JOB, order.to_json(), baggage=baggage)
    told: set[tuple[str, int]] = set()
    # Where files are shared, whoever trains has the folder's lock; else it is another folder that he has.
    held = contextlib.nullcontext() if executor.shares_files else run.locked()
    with held, executor.opened(), closing(executor.alone().run([job], _NOTE_SECONDS)) as results:
        for result in results:
            if isinstance(result, Failed):
                raise ComputeError(f"run {run.name}: {result.message}")
            text = result.note.partition("\n")[2] if isinstance(result, Running) else result.value
            for kind, fields in json.loads(text):
                event = _EVENTS[kind](**fields)
                if (kind, fields["iteration"]) not in told:
                    told.add((kind, fields["iteration"]))
                    yield event


def train_job(argument: str, notes: Recorder) -> str:
    """Train the run in a folder, of which there is a copy here; gives its last events as JSON, and notes them below a line for people."""
    order = _Order.from_json(argument)
    run = RunFolder.open(_here(Path(order.folder)))
    method = find_method(run.description.method)
    trainer = method.make_trainer(method.read_config(run.description.config), order.devices)
    events: list[tuple[str, dict[str, Any]]] = []
    said = run.name
    for event in train(trainer, run, order.schedule, time.monotonic, notes):
        kind = type(event).__name__
        if kind not in _EVENTS:
            continue
        if isinstance(event, Iterated):
            events = [known for known in events if known[0] != kind]
            said = f"{run.name}: iteration {event.iteration:,}, {event.positions:,} positions, {event.rate:,.0f}/s"
        events = [*events[-_MEASUREMENTS:], (kind, asdict(event))]
        notes.note(f"{said}\n{json.dumps(events)}")
    return json.dumps(events)


def _here(folder: Path) -> Path:
    """Where the folder is on this machine."""
    found = located(folder)
    if not (found / "run.json").exists():
        raise NoughtsError(f"the folder {folder} of the run has not arrived")
    return found


_EVENTS: dict[str, type[Resumed] | type[Iterated] | type[StrengthMeasured] | type[Finished]] = {
    kind.__name__: kind for kind in (Resumed, Iterated, StrengthMeasured, Finished)
}
