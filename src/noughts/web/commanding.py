"""Routes for work that the owner starts from the page: training, studies, proofs and scores, as commands that run one at a time."""

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Request
from pydantic import BaseModel, Field

from noughts.agents.trained import require_no_file
from noughts.play.playthrough import SIDES
from noughts.play.score import Player
from noughts.rules import Task, format_task
from noughts.store.run_folder import is_name, run_names
from noughts.studies.registry import STUDIES, find_study
from noughts.studies.study import check_scale
from noughts.training.registry import METHODS, agent_text
from noughts.web.commands import CommandAnswer
from noughts.web.errors import Refused
from noughts.web.reading import AgentText, TaskText
from noughts.web.services import GameId, Id, Shared, owner, visitor_of

router = APIRouter(prefix="/api/commands")
Run = Annotated[str, Body(max_length=100, description="What the training run is called.", examples=["first"])]
Minutes = Annotated[float, Body(gt=0, le=10_000, examples=[0.1])]
Agent = Annotated[AgentText, Body(examples=["minimax:depth=9,ties=first"])]
Games = Annotated[
    TaskText, Body(description="A game, or several of one size, such as `bttt(*)`.", examples=["tic-tac-toe"])
]
_MEASURES = 12  # measurements of a short training, enough for a curve
_OWNER = [Depends(owner)]


class CommandList(BaseModel):
    """The commands that were started from the page, the latest first."""

    may_start: bool = Field(description="Whether the visitor who asks may start and stop commands.")
    commands: list[CommandAnswer]


@router.get("")
async def commands(request: Request, shared: Shared) -> CommandList:
    """The commands that were started from the page, the latest first."""
    return CommandList(may_start=visitor_of(request).is_owner, commands=shared.commands.all())


@router.get("/{id}")
async def command(id: Id, shared: Shared) -> CommandAnswer:
    """The state of a command, with its output."""
    return shared.commands.show(id)


@router.post("/train", dependencies=_OWNER)
async def train(
    task: Games,
    run: Annotated[
        str, Body(max_length=100, description="What the run is called: a name that no other has.", examples=["second"])
    ],
    shared: Shared,
    method: Annotated[str, Body(max_length=100, description="`az` is AlphaZero, `es` is evolution.")] = "az",
    minutes: Minutes = 5.0,
    prove: Annotated[
        bool, Body(description="Whether every reply to what it learned is walked afterwards, as either player.")
    ] = False,
) -> GameId:
    """Start a training run. The routes of runs give its curves."""
    if method not in METHODS:
        raise Refused(422, f"method {method[:40]!r} cannot be started here: there are {', '.join(METHODS)}")
    if not is_name(run):
        raise Refused(422, f"run {run[:40]!r}: a name has letters, digits, dots, _ and -")
    require_no_file(run)
    if run in run_names():
        raise Refused(422, f"there is a run {run!r} already: go on with it, or choose another name")
    words = ["train", format_task(task), "--method", method, "--minutes", f"{minutes:g}", "--run", run]
    if minutes < _MEASURES:  # otherwise it is measured each minute
        words += ["--set", f"schedule.measure_minutes={minutes / _MEASURES:.2g}"]
    training = shared.commands.start(words, run)
    for side in SIDES if prove else ():
        shared.commands.start(_proving(agent_text(method, run), task, side))
    return GameId(id=training)


@router.post("/resume", dependencies=_OWNER)
async def resume(run: Run, minutes: Minutes, shared: Shared) -> GameId:
    """Continue a training run for a number of minutes."""
    if run not in run_names():
        raise Refused(404, f"there is no training run {run[:40]!r}")
    return GameId(id=shared.commands.start(["runs", "resume", run, "--minutes", f"{minutes:g}"], run))


@router.post("/study", dependencies=_OWNER)
async def study(
    study: Annotated[str, Body(max_length=100, examples=["is-minimax-perfect"])],
    shared: Shared,
    scale: Annotated[str, Body(max_length=100)] = "quick",
) -> GameId:
    """Start or continue a study."""
    if study not in STUDIES:
        raise Refused(422, f"study {study[:40]!r} cannot be started here: there are {', '.join(STUDIES)}")
    check_scale(find_study(study), scale)
    return GameId(id=shared.commands.start(["study", "run", study, "--scale", scale]))


@router.post("/prove", dependencies=_OWNER)
async def prove(
    agent: Agent, rules: Games, shared: Shared, side: Annotated[Player, Body(examples=["second"])] = "first"
) -> GameId:
    """Check an agent against every reply."""
    return GameId(id=shared.commands.start(_proving(str(agent), rules, side)))


@router.post("/score", dependencies=_OWNER)
async def score(agent: Agent, rules: Games, shared: Shared) -> GameId:
    """Compare an agent's moves with exact values."""
    return GameId(id=shared.commands.start(["score", str(agent), "--rules", format_task(rules)]))


@router.post("/{id}/again", dependencies=_OWNER)
async def go_on(id: Id, shared: Shared) -> GameId:
    """Start a command again. It continues where it stopped."""
    return GameId(id=shared.commands.go_on(id))


@router.delete("/{id}", dependencies=_OWNER)
async def stop(id: Id, shared: Shared) -> GameId:
    """Stop a command. Its results so far are kept."""
    shared.commands.stop(id)
    return GameId(id=id)


def _proving(agent: str, task: Task, side: Player) -> list[str]:
    """Return the arguments of `noughts prove`, with JSON output for the page."""
    return ["prove", agent, "--rules", format_task(task), "--as", side, "--json"]
