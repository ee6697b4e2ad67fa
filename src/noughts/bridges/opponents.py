"""The other side of an environment: one of our agents, named by text, or any object that chooses moves."""

from collections.abc import Iterable, Sequence
from typing import Any

from noughts.agents import Agent, AgentSpec, as_agent, build_agent, parse_agent
from noughts.agents.asking import answers, choose, is_shared, refusal
from noughts.positions import Position, Rng
from noughts.rules import AgentError, Rules
from noughts.rules.errors import AgentFailedError, one_line


class Opponent:
    """The agent that plays against a learner. Copies of it, also by pickle, are created again from its name.

    Args:
        given: An agent's text, such as ``mcts:sims=100``; its `AgentSpec`; or an object that has `decide` or `choose`.

    Raises:
        AgentError: there is no such agent, or it cannot be made.
    """

    def __init__(self, given: Any) -> None:
        self.given = parse_agent(given) if isinstance(given, str) else given
        self._first = self._made()
        self.is_shared = is_shared(self._first)
        """Whether one instance may play many episodes at once; otherwise each episode has its own."""

    def __reduce__(self) -> tuple[type["Opponent"], tuple[Any]]:
        return Opponent, (self.given,)

    def __str__(self) -> str:
        return str(self.given) if isinstance(self.given, AgentSpec) else type(self.given).__name__

    @property
    def is_random(self) -> bool:
        """Whether it is the agent ``random``, for which there is a kernel."""
        return self.given == AgentSpec(name="random")

    @property
    def can_be_made_anew(self) -> bool:
        """Whether each episode can have its own instance, which an object does not allow."""
        return isinstance(self.given, AgentSpec)

    def require(self, games: Iterable[Rules]) -> None:
        """AgentError if it refuses to play one of these games, with its reason."""
        if reason := refusal(self._first, games):
            raise AgentError(f"the opponent {self} cannot play {reason}")

    def for_episode(self) -> Agent | None:
        """The instance for the next episode; None if one instance plays all."""
        return None if self.is_shared or not self.can_be_made_anew else self._made()

    def reply(self, agent: Agent | None, position: Position, rng: Rng) -> int:
        """Return its move; AgentFailedError if it fails or makes an illegal one."""
        try:
            return choose(self._first if agent is None else agent, position, rng)
        except Exception as error:
            raise self._failed(error) from error

    def replies(self, agent: Agent | None, positions: Sequence[Position], rngs: Sequence[Rng]) -> list[int]:
        """Return its moves in a batch of positions; errors as in `reply`."""
        moves = []
        for answer in answers(self._first if agent is None else agent, positions, rngs):
            if isinstance(answer, Exception):
                raise self._failed(answer) from answer
            moves.append(answer.move)
        return moves

    def _failed(self, error: Exception) -> AgentFailedError:
        return AgentFailedError(f"the opponent {self} failed: {one_line(error)}")

    def _made(self) -> Agent:
        if isinstance(self.given, AgentSpec):
            return build_agent(self.given)
        try:
            return as_agent(self.given)
        except AgentError as error:
            raise AgentError(f"opponent {self.given!r} is no agent: {error}") from None
