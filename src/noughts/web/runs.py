"""Routes for training runs: their list, and the progress of each."""

import json
from contextlib import suppress
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from noughts.agents import AGENTS
from noughts.agents.trained import EXAMPLE, EXAMPLE_KIND, example_file, read_weights
from noughts.rules import StoreError, format_rules, parse_task
from noughts.store.run_folder import RunFolder, is_name, list_runs, run_names
from noughts.store.run_metrics import MetricsLine
from noughts.web.errors import Refused

router = APIRouter(prefix="/api/runs")

_MOST_METRICS = 2_000  # lines in one answer, in addition to measurements


class RunSummary(BaseModel):
    """A training run."""

    name: str
    method: str
    task: str
    state: str
    iterations: int
    positions: int
    seconds: float
    ships: bool = Field(False, description="Whether it ships with noughts, so that it cannot go on.")


class RunAnswer(RunSummary):
    """A run with its curves."""

    config: dict[str, Any]
    game: str = Field(description="The first game of its task.")
    agent: str | None = Field(description="The agent that plays with it; None if this page offers none of its method.")
    weights: list[int] = Field(
        description="The iterations whose weights are kept, with which that agent can play, too."
    )
    metrics: list[MetricsLine] = Field(
        description="Its curves; of the run that ships, those of the same training run again."
    )


@router.get("")
def runs() -> list[RunSummary]:
    """The store's training runs, without unreadable ones; the bundled run is last."""
    found: list[RunSummary] = []
    for run in list_runs():
        with suppress(StoreError):
            found.append(RunSummary(**_summary(run)))
    return found if any(run.name == EXAMPLE for run in found) else [*found, _shipped()]


@router.get("/{name}")
def run(
    name: Annotated[str, Path(max_length=100)],
    after: Annotated[int | None, Query(ge=-1, le=2**62, description="Only the metrics of later iterations.")] = None,
) -> RunAnswer:
    """A training run with its metrics: every measurement, and if there are many other lines, an even selection of them."""
    if name == EXAMPLE and name not in run_names():
        return _shipped()
    if not is_name(name) or name not in run_names():
        raise Refused(404, f"there is no training run {name!r}")
    found = RunFolder.find(name)
    lines = [line for line in found.lines() if after is None or line.iteration > after]
    return RunAnswer(
        **_summary(found),
        game=format_rules(parse_task(found.description.task).rules[0]),
        agent=f"{found.description.method}:{name}" if found.description.method in AGENTS else None,
        weights=list(found.iterations()),
        metrics=_thinned(lines),
    )


@lru_cache(maxsize=1)
def _shipped() -> RunAnswer:
    """Describe the bundled training run, from the header of its weights."""
    from noughts.networks.weights_file import said_of_weights  # loads NumPy

    said = said_of_weights(read_weights(EXAMPLE, "weights")["weights"])
    config = json.loads(said["config"])
    return RunAnswer(
        name=EXAMPLE,
        method=said["method"],
        task=said["task"],
        state="finished",
        iterations=int(said["iteration"]),
        positions=int(said["positions"]),
        seconds=60.0 * config["schedule"]["minutes"],
        ships=True,
        config=config,
        game=format_rules(parse_task(said["task"]).rules[0]),
        agent=f"{EXAMPLE_KIND}:{EXAMPLE}",
        weights=[int(said["iteration"])],
        metrics=[
            MetricsLine.model_validate(line) for line in json.loads(example_file("curves.json").read_text("utf-8"))
        ],
    )


def _summary(run: RunFolder) -> dict[str, Any]:
    return {**dict(run.description), **dict(run.status()), "name": run.folder.name}


def _thinned(lines: list[MetricsLine]) -> list[MetricsLine]:
    """Return all measurements, and every n-th of the other lines, counted back from the last."""
    step = len(lines) // _MOST_METRICS + 1
    return [line for left, line in enumerate(reversed(lines)) if line.kind == "measurement" or left % step == 0][::-1]
