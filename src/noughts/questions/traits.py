"""`AgentTraits`: what an agent says of itself. To hear it the agent must be made, so one from outside is made in a worker."""

from collections.abc import Sequence
from typing import ClassVar

from noughts.agents import Agent, AgentSpec, build_agent
from noughts.agents.asking import is_shared, is_symmetric, refusal
from noughts.agents.plugin import MAKING_SECONDS, agent_error
from noughts.agents.registry import from_outside
from noughts.machine import Failed, Job, Recorder
from noughts.machine.executor import done_by_worker
from noughts.questions.question import ANSWER_JOB, PLAYING, AnswerT, Unit, answer_here, write_questions
from noughts.rules import AgentError, NoughtsError, Rules, Value
from noughts.rules.errors import AgentFailedError, one_line


class Traits(Value):
    """What an agent says of itself: see `Agent`."""

    shared: bool
    symmetric: bool


class AboutAgent(Value):
    """Whom something is asked about; for that its code is loaded.

    Attributes:
        agent: The agent.
    """

    packages: ClassVar[tuple[str, ...]] = PLAYING
    is_part: ClassVar[bool] = True

    agent: AgentSpec

    @property
    def seconds_in_all(self) -> float | None:
        """As long as its code may take to be loaded, and it to be made."""
        return MAKING_SECONDS

    def agents(self) -> Sequence[AgentSpec]:
        """The one."""
        return (self.agent,)


class AgentTraits(AboutAgent, Unit[Traits]):
    """What an agent says of itself."""

    def answer(self, notes: Recorder) -> Traits:
        """Make it, and ask.

        Raises:
            AgentError: there is no such agent, or it cannot be made.
            AgentFailedError: it fails, asked for it.
        """
        return _traits(build_agent(self.agent))


def _traits(agent: Agent) -> Traits:
    return Traits(shared=is_shared(agent), symmetric=is_symmetric(agent))


class Fitness(Value):
    """Whether an agent can play.

    Attributes:
        traits: What it says of itself.
        refusal: The first game that it cannot play, and why; empty if it can play all.
    """

    traits: Traits
    refusal: str


class AgentFitness(AboutAgent, Unit[Fitness]):
    """Whether an agent can play these games."""

    games: tuple[Rules, ...]

    def answer(self, notes: Recorder) -> Fitness:
        """Make it, and ask; errors as for `AgentTraits`."""
        agent = build_agent(self.agent)
        return Fitness(traits=_traits(agent), refusal=refusal(agent, self.games))


def require_agent(agent: AgentSpec, workers: int | None, games: Sequence[Rules] = ()) -> Traits:
    """What an agent says of itself.

    Args:
        agent: Whom to ask.
        workers: 0 to make one from outside the project in this process, too.
        games: What it is to play.

    Raises:
        AgentError: there is no such agent, it cannot be made, or it cannot play one of the games.
        AgentFailedError: it fails, asked for it, or it ended its process.
    """
    asked = AgentFitness(agent=agent, games=tuple(games))
    found = answer_here(asked) if workers == 0 or not from_outside(agent) else ask_worker(asked, agent)
    if found.refusal:
        raise AgentError(f"{agent} cannot play {found.refusal}")
    return found.traits


def ask_worker(asked: Unit[AnswerT], agent: AgentSpec) -> AnswerT:
    """What a worker answers to a question about an agent; nothing is kept.

    Raises:
        AgentError: there is no such agent, or it cannot be made.
        AgentFailedError: it fails, asked for it, or it ended its process.
    """
    found = done_by_worker(Job(asked.key, ANSWER_JOB, write_questions([asked]), str(agent), asked.seconds_in_all))
    if isinstance(found, Failed):
        raise agent_error(agent, found.message)
    try:
        return asked.checked(asked.answer_type().from_json(found.value))
    except (NoughtsError, ValueError, TypeError, RecursionError) as error:
        raise AgentFailedError(f"{agent}: what its process answered cannot be: {one_line(error)}") from error
