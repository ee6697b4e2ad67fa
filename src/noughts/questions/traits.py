"""`AgentTraits`: what an agent states about itself. The agent must be made for that, so one from outside is made in a worker."""

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
    """What an agent states about itself: see `Agent`.

    Attributes:
        refusal: The first game that it cannot play, and why; empty if it can play all that it was asked about.
        games: Those that it was asked about.
    """

    shared: bool
    symmetric: bool
    refusal: str = ""
    games: tuple[Rules, ...] = ()


class AgentTraits(Question[Traits]):
    """What an agent states about itself, and about some games."""

    packages: ClassVar = PLAYING
    effort: ClassVar = frozenset({"games"})
    is_part: ClassVar = True

    agent: AgentSpec
    games: tuple[Rules, ...] = ()

    @property
    def seconds_in_all(self) -> float:
        """As long as its code may take to be loaded, and it to be made."""
        return MAKING_SECONDS

    def accepts(self, answer: Traits) -> bool:
        """One that is about the same games; any, where it is about none."""
        return not self.games or self.games == answer.games

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Traits:
        """Make it, and ask.

        Raises:
            AgentError: there is no such agent, or it cannot be made.
            AgentFailedError: it fails, asked for it.
        """
        agent = agent_of(self.agent)
        return Traits(
            shared=is_shared(agent), symmetric=is_symmetric(agent), refusal=refusal(agent, self.games), games=self.games
        )


def require_agent(
    agent: AgentSpec, workers: Workers, games: Sequence[Rules] = (), into: Answers | None = None, also: Questions = ()
) -> Traits:
    """The traits of an agent, before anything is begun.

    Args:
        workers: 0 to make one from outside the project in this process, too.
        games: What it is to play.
        into: Remembers the answers; nothing is kept.
        also: More that it is asked.

    Raises:
        AgentError: there is no such agent, it cannot be made, or it cannot play one of the games.
        AgentFailedError: it fails, asked for it, or it ended its process.
    """
    asked, answers = AgentTraits(agent=agent, games=tuple(games)), into or Answers()
    for _ in carry_out([asked, *also], answers, 1 if workers != 0 and from_outside(agent) else 0):
        pass
    if (found := answers[asked]) is None:
        raise agent_error(agent, answers.problems[asked.key])
    if found.refusal:
        raise AgentError(f"{agent} cannot play {found.refusal}")
    return found
