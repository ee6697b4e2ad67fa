"""`AgentTraits`: what an agent says of itself. To hear it the agent must be made, so one from outside is made in a worker."""

from collections.abc import Sequence
from typing import ClassVar

from noughts.agents import Agent, AgentSpec, build_agent
from noughts.agents.asking import is_shared, is_symmetric, refusal
from noughts.agents.registry import from_outside
from noughts.machine import Recorder
from noughts.questions.question import PLAYING, AnswerT, Unit, answer_here
from noughts.rules import AgentError, Rules, Value
from noughts.rules.errors import AgentFailedError

MAKING_SECONDS = 120.0
"""For so long code from outside the project may be loaded, and an agent of it be made."""


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
    tried_again: ClassVar[bool] = False
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
    from noughts.questions.answers import Answers
    from noughts.questions.carry_out import carry_out

    answers = Answers()
    for _ in carry_out([asked], answers, 1):
        pass
    found = answers[asked]
    if found is None:
        raise agent_error(agent, answers.problems[asked.key])
    return found


def agent_error(agent: AgentSpec, problem: str) -> AgentError:
    """The error that a worker met when it asked an agent, from its line: ``AgentError: reason`` or whatever it was."""
    kind, _, reason = problem.partition(": ")
    if kind == AgentError.__name__:
        return AgentError(reason)
    return AgentFailedError(f"{agent}: {reason if kind == AgentFailedError.__name__ else problem}")
