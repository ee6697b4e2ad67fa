"""Routes for what is started from the page: trainings, studies, proofs and scores, as commands that run one by one."""

import os
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from noughts.machine.executor import ON, is_elsewhere
from noughts.rules import format_task
from noughts.store.run_folder import is_name, run_names
from noughts.studies.registry import STUDIES, find_study
from noughts.training.registry import METHODS
from noughts.web.answers import (
    CommandAnswer,
    CommandList,
    GameId,
    ProveRequest,
    ResumeRequest,
    ScoreRequest,
    StudyRequest,
    TrainRequest,
)
from noughts.web.boards import read_task
from noughts.web.errors import Refused, documented
from noughts.web.roster import read_agent
from noughts.web.services import Services, is_owner, owner, services

router = APIRouter(prefix="/api/commands")
Shared = Annotated[Services, Depends(services)]
Id = Annotated[str, Path(max_length=64)]
_STARTS = documented(400, 403, 413, 415, 422, 429, 503)
_OWNER = [Depends(owner)]


@router.get("", responses=documented(503))
async def commands(request: Request, shared: Shared) -> CommandList:
    """What was started from the page, the latest first."""
    return CommandList(may_start=is_owner(request), commands=shared.commands.all())


@router.get("/{id}", responses=documented(404, 422, 503))
async def command(id: Id, shared: Shared) -> CommandAnswer:
    """How a command stands, with what it said."""
    return shared.commands.show(id)


@router.post("/train", responses=_STARTS, dependencies=_OWNER)
async def train(asked: TrainRequest, shared: Shared) -> GameId:
    """Begin a training; its curves are those of its run."""
    task = format_task(read_task(asked.task, shared.limits))
    if asked.method not in METHODS:
        raise Refused(422, f"method {asked.method[:40]!r} cannot be started here: there are {', '.join(METHODS)}")
    if not is_name(asked.run):
        raise Refused(422, f"run {asked.run[:40]!r}: a name has letters, digits, dots, _ and -")
    if asked.run in run_names():
        raise Refused(422, f"there is a run {asked.run!r} already: go on with it, or choose another name")
    words = ["train", task, "--method", asked.method, "--minutes", f"{asked.minutes:g}"]
    words += ["--run", asked.run, "--seed", str(asked.seed)]
    return GameId(id=shared.commands.start(words, asked.run))


@router.post("/resume", responses=_STARTS | documented(404), dependencies=_OWNER)
async def resume(asked: ResumeRequest, shared: Shared) -> GameId:
    """Go on with a training run."""
    if asked.run not in run_names():
        raise Refused(404, f"there is no training run {asked.run[:40]!r}")
    more = [] if asked.minutes is None else ["--minutes", f"{asked.minutes:g}"]
    return GameId(id=shared.commands.start(["runs", "resume", asked.run, *more], asked.run))


@router.post("/study", responses=_STARTS, dependencies=_OWNER)
async def study(asked: StudyRequest, shared: Shared) -> GameId:
    """Run a study, or go on with it."""
    if asked.study not in STUDIES:
        raise Refused(422, f"study {asked.study[:40]!r} cannot be started here: there are {', '.join(STUDIES)}")
    scales = find_study(asked.study).scales
    if asked.scale not in scales:
        raise Refused(422, f"{asked.study} has no scale {asked.scale[:40]!r}: there are {', '.join(scales)}")
    words = ["study", "run", asked.study, "--scale", asked.scale, "--seed", str(asked.seed)]
    return GameId(id=shared.commands.start([*words, *_where()]))


@router.post("/prove", responses=_STARTS, dependencies=_OWNER)
async def prove(asked: ProveRequest, shared: Shared) -> GameId:
    """Walk every reply to an agent."""
    agent, task = read_agent(asked.agent, shared.limits), read_task(asked.rules, shared.limits)
    words = ["prove", str(agent), "--rules", format_task(task), "--as", asked.side]
    return GameId(id=shared.commands.start([*words, *_where()]))


@router.post("/score", responses=_STARTS, dependencies=_OWNER)
async def score(asked: ScoreRequest, shared: Shared) -> GameId:
    """Compare an agent with exact truth."""
    agent, task = read_agent(asked.agent, shared.limits), read_task(asked.rules, shared.limits)
    return GameId(id=shared.commands.start(["score", str(agent), "--rules", format_task(task), *_where()]))


@router.post("/{id}/again", responses=_STARTS | documented(404), dependencies=_OWNER)
async def go_on(id: Id, shared: Shared) -> GameId:
    """Start a command once more: it goes on where it was."""
    return GameId(id=shared.commands.go_on(id))


@router.delete("/{id}", responses=documented(403, 404, 422, 503), dependencies=_OWNER)
async def stop(id: Id, shared: Shared) -> GameId:
    """Stop a command; what it has found is kept."""
    shared.commands.stop(id)
    return GameId(id=id)


def _where() -> list[str]:
    """Where the server has its work done, as words of a command: so they mean the same in a terminal."""
    return ["--on", os.environ[ON].strip()] if is_elsewhere(None) else []
