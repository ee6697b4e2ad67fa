"""`AgentTraits`: what an agent reports about itself. This needs a built agent, and a third-party agent is built in a worker."""

from collections.abc import Sequence
from typing import Any, ClassVar

from noughts.agents import AgentSpec
from noughts.agents.asking import is_shared, is_symmetric, refusal
from noughts.agents.plugin import MAKING_SECONDS, agent_error
from noughts.agents.registry import from_outside
from noughts.machine import Recorder
from noughts.machine.executor import Workers
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.question import PLAYING, Question, agent_of
from noughts.questions.work import Questions
from noughts.rules import AgentError, Rules, Value


class Traits(Value):
    """What an agent reports about itself; see `Agent`.

    Attributes:
        refusal: The first of `games` that it cannot play, and why; empty if it can play all.
        games: The games that were checked.
    """

    shared: bool
    symmetric: bool
    refusal: str = ""
    games: tuple[Rules, ...] = ()


class AgentTraits(Question[Traits]):
    """Find the traits of an agent, and whether it can play some games."""

    packages: ClassVar = PLAYING
    effort: ClassVar = frozenset({"games"})
    is_part: ClassVar = True

    agent: AgentSpec
    games: tuple[Rules, ...] = ()

    @property
    def seconds_in_all(self) -> float:
        """The time limit for loading the code and building the agent."""
        return MAKING_SECONDS

    def accepts(self, answer: Traits) -> bool:
        """Whether the answer is about the same games; without games, any answer will do."""
        return not self.games or self.games == answer.games

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Traits:
        """Build the agent, and read its traits.

        Raises:
            AgentError: there is no such agent, or it cannot be built.
            AgentFailedError: its code fails when it computes a trait.
        """
        agent = agent_of(self.agent)
        return Traits(
            shared=is_shared(agent), symmetric=is_symmetric(agent), refusal=refusal(agent, self.games), games=self.games
        )


def require_agent(
    agent: AgentSpec, workers: Workers, games: Sequence[Rules] = (), into: Answers | None = None, also: Questions = ()
) -> Traits:
    """Check that an agent can be used before a command begins its work, and return its traits.

    Args:
        workers: 0 to build a third-party agent in this process, too.
        games: The games that it must play.
        into: Receives the answers; nothing is saved.
        also: Further questions to answer about it.

    Raises:
        AgentError: there is no such agent, it cannot be built, or it cannot play one of the games.
        AgentFailedError: its code fails when it computes a trait, or it ended its process.
    """
    asked, answers = AgentTraits(agent=agent, games=tuple(games)), into or Answers()
    for _ in carry_out([asked, *also], answers, 1 if workers != 0 and from_outside(agent) else 0):
        pass
    if (found := answers[asked]) is None:
        raise agent_error(agent, answers.problems[asked.key])
    if found.refusal:
        raise AgentError(f"{agent} cannot play {found.refusal}")
    return found
