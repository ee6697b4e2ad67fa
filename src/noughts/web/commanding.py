"""Routes for what the owner starts from the page: trainings, studies, proofs and scores, as commands that run one by one."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from noughts.rules import Task, format_task
from noughts.store.run_folder import is_name, run_names
from noughts.studies.registry import STUDIES, find_study
from noughts.studies.study import check_scale
from noughts.training.registry import METHODS, agent_text
from noughts.web.asked import Asked, asked_with_example
from noughts.web.boards import SIDES, SideName
from noughts.web.commands import CommandAnswer
from noughts.web.errors import Refused
from noughts.web.reading import AgentText, TaskText
from noughts.web.services import GameId, Id, Shared, owner, visitor_of

router = APIRouter(prefix="/api/commands")
Name = Annotated[str, Field(max_length=100)]
Minutes = Annotated[float, Field(gt=0, le=10_000)]
_MEASURES = 12  # times that a short training is measured, so that its curve has a shape
_OWNER = [Depends(owner)]


class TrainRequest(Asked):
    """A training that is to begin."""

    model_config = asked_with_example(task="tic-tac-toe", minutes=0.1, run="second")

    task: TaskText = Field(description="What to learn: a game, or several of one size.")
    method: Name = Field("az", description="How it learns: `az` is AlphaZero, `es` is evolution.")
    minutes: Minutes = 5.0
    run: Name = Field(description="What the run is called: a name that no other has.")
    prove: bool = Field(
        False, description="Whether every reply to what it learned is walked afterwards, as either player."
    )


class ResumeRequest(Asked):
    """A training run that is to go on."""

    model_config = asked_with_example(run="first", minutes=0.1)

    run: Name
    minutes: Minutes = Field(description="So much more.")


class StudyRequest(Asked):
    """A study that is to be run, or gone on with."""

    model_config = asked_with_example(study="is-minimax-perfect", scale="quick")

    study: Name
    scale: Name = "quick"


class ScoreRequest(Asked):
    """An agent that is to be compared with exact truth."""

    model_config = asked_with_example(agent="minimax:depth=2", rules="tic-tac-toe")

    agent: AgentText
    rules: TaskText = Field(description="A game, or several of one size, such as `bttt(*)`.")


class ProveRequest(ScoreRequest):
    """An agent all of whose replies are to be walked."""

    model_config = asked_with_example(agent="minimax:depth=9,ties=first", rules="tic-tac-toe", side="second")

    side: SideName = "first"


class CommandList(BaseModel):
    """The commands that were started from the page, the latest first."""

    may_start: bool = Field(description="Whether the visitor who asks may start and stop commands.")
    commands: list[CommandAnswer]


@router.get("")
async def commands(request: Request, shared: Shared) -> CommandList:
    """What was started from the page, the latest first."""
    return CommandList(may_start=visitor_of(request).is_owner, commands=shared.commands.all())


@router.get("/{id}")
async def command(id: Id, shared: Shared) -> CommandAnswer:
    """How a command stands, with what it printed."""
    return shared.commands.show(id)


@router.post("/train", dependencies=_OWNER)
async def train(asked: TrainRequest, shared: Shared) -> GameId:
    """Begin a training; its curves are those of its run."""
    if asked.method not in METHODS:
        raise Refused(422, f"method {asked.method[:40]!r} cannot be started here: there are {', '.join(METHODS)}")
    if not is_name(asked.run):
        raise Refused(422, f"run {asked.run[:40]!r}: a name has letters, digits, dots, _ and -")
    if asked.run in run_names():
        raise Refused(422, f"there is a run {asked.run!r} already: go on with it, or choose another name")
    words = ["train", format_task(asked.task), "--method", asked.method, "--minutes", f"{asked.minutes:g}"]
    words += ["--run", asked.run]
    if asked.minutes < _MEASURES:  # else it is measured each minute
        words += ["--set", f"schedule.measure_minutes={asked.minutes / _MEASURES:.2g}"]
    training = shared.commands.start(words, asked.run)
    for side in SIDES if asked.prove else ():
        shared.commands.start(_proving(agent_text(asked.method, asked.run), asked.task, side))
    return GameId(id=training)


@router.post("/resume", dependencies=_OWNER)
async def resume(asked: ResumeRequest, shared: Shared) -> GameId:
    """Go on with a training run."""
    if asked.run not in run_names():
        raise Refused(404, f"there is no training run {asked.run[:40]!r}")
    words = ["runs", "resume", asked.run, "--minutes", f"{asked.minutes:g}"]
    return GameId(id=shared.commands.start(words, asked.run))


@router.post("/study", dependencies=_OWNER)
async def study(asked: StudyRequest, shared: Shared) -> GameId:
    """Run a study, or go on with it."""
    if asked.study not in STUDIES:
        raise Refused(422, f"study {asked.study[:40]!r} cannot be started here: there are {', '.join(STUDIES)}")
    check_scale(find_study(asked.study), asked.scale)
    return GameId(id=shared.commands.start(["study", "run", asked.study, "--scale", asked.scale]))


@router.post("/prove", dependencies=_OWNER)
async def prove(asked: ProveRequest, shared: Shared) -> GameId:
    """Walk every reply to an agent."""
    return GameId(id=shared.commands.start(_proving(str(asked.agent), asked.rules, asked.side)))


@router.post("/score", dependencies=_OWNER)
async def score(asked: ScoreRequest, shared: Shared) -> GameId:
    """Compare an agent with exact truth."""
    return GameId(id=shared.commands.start(["score", str(asked.agent), "--rules", format_task(asked.rules)]))


@router.post("/{id}/again", dependencies=_OWNER)
async def go_on(id: Id, shared: Shared) -> GameId:
    """Start a command once more: it goes on where it was."""
    return GameId(id=shared.commands.go_on(id))


@router.delete("/{id}", dependencies=_OWNER)
async def stop(id: Id, shared: Shared) -> GameId:
    """Stop a command; what it has found is kept."""
    shared.commands.stop(id)
    return GameId(id=id)


def _proving(agent: str, task: Task, side: SideName) -> list[str]:
    """The words of a proof, whose outcome the page reads as JSON."""
    return ["prove", agent, "--rules", format_task(task), "--as", side, "--json"]
