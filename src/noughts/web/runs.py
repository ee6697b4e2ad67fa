"""Routes for training runs: which there are, and how one is getting on."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel

from noughts.rules import StoreError
from noughts.store.run_folder import RunFolder, Status, is_name, list_runs, run_names
from noughts.store.run_metrics import MetricsLine
from noughts.web.answers import RunSummary
from noughts.web.errors import Refused, documented
from noughts.web.services import Services, services

router = APIRouter(prefix="/api/runs")
Shared = Annotated[Services, Depends(services)]


class Metric(BaseModel):
    """One line of a run's metrics."""

    kind: str
    iteration: int
    positions: int
    seconds: float
    metrics: dict[str, float | None]


class RunAnswer(RunSummary):
    """A run with its curves."""

    seed: int
    created: str
    config: dict[str, Any]
    weights: list[int]
    metrics: list[Metric]


@router.get("", responses=documented(503))
def runs() -> list[RunSummary]:
    """The store's training runs; those that cannot be read are left out."""
    found = []
    for run in list_runs():
        try:
            found.append(RunSummary(**_summary(run, run.status())))
        except StoreError:
            continue
    return found


@router.get("/{name}", responses=documented(404, 422, 503))
def run(
    name: Annotated[str, Path(max_length=100)],
    shared: Shared,
    after: Annotated[int | None, Query(ge=-1, le=2**62, description="Only the metrics of later iterations.")] = None,
) -> RunAnswer:
    """A training run, with its metrics; of many lines some, evenly chosen, and every measurement."""
    if not is_name(name) or name not in run_names():
        raise Refused(404, f"there is no training run {name!r}")
    found = RunFolder.find(name)
    lines = [line for line in found.lines() if after is None or line.iteration > after]
    return RunAnswer(
        **_summary(found, found.status()),
        seed=found.description.seed,
        created=found.description.created,
        config=found.description.config,
        weights=list(found.iterations()),
        metrics=[Metric(**line.model_dump()) for line in _thinned(lines, shared.limits.metrics)],
    )


def _summary(run: RunFolder, status: Status) -> dict[str, Any]:
    return {
        "name": run.folder.name,
        "method": run.description.method,
        "task": run.description.task,
        "state": status.state,
        "iterations": status.iterations,
        "positions": status.positions,
        "seconds": status.seconds,
    }


def _thinned(lines: list[MetricsLine], most: int) -> list[MetricsLine]:
    """At most so many, in order: measurements before others, and the rest evenly chosen, the last one among them."""
    if len(lines) <= most:
        return lines
    numbers = {number for number, line in enumerate(lines) if line.kind == "measurement"}
    others = [number for number in range(len(lines)) if number not in numbers]
    if len(numbers) >= most:
        others, numbers = sorted(numbers), set()
    room = most - len(numbers)
    chosen = {others[(place + 1) * len(others) // room - 1] for place in range(room)}
    return [lines[number] for number in sorted(numbers | chosen)]
