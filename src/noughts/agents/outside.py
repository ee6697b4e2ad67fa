"""`Outsider`: a wrapper of a third-party agent. The agent receives copies, and shares no object with other code.

    referee's position, rules, generator  --copied-->  the agent's own, new at each request
    referee's generator                   <--state---  the state of the agent's own generator, if it is valid

So if an agent modifies or stores the objects that it receives, this affects only its own moves and draws.
A change to its process, such as a patch of our code, cannot be undone there. It does not affect other agents' games, because a
worker that has run the agent runs no other (see `machine.pool`), and a record is replayed in the process that requested it.
noughts does not restrict access to files, the network or other processes: the agent's code has the rights of the user. But
a process that it forks, and that returns from a request, ends there (`machine.jobs.in_one_process`).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from noughts.agents.agent import Agent, Decision, Want, refusal_of
from noughts.machine.jobs import in_one_process
from noughts.positions import Position, Rng
from noughts.rules import AgentError, Rules
from noughts.rules.errors import OTHERS_CHARACTERS, one_line, shortened
from noughts.search import SearchResult


class Outsider:
    """Passes each request to a third-party agent, as copies."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    @property
    def shared(self) -> bool:
        """The agent's own attribute."""
        return getattr(self._agent, "shared", True) is True

    @property
    def symmetric(self) -> bool:
        """The agent's own attribute."""
        return getattr(self._agent, "symmetric", False) is True

    def refusal(self, rules: Rules) -> str | None:
        """The agent's own refusal; AgentError if it raises an error that is not an `Exception`."""
        with _only_exceptions():
            reason = refusal_of(self._agent, rules.model_copy())
        return reason and shortened(reason, OTHERS_CHARACTERS)

    @property
    def analyse_stepwise(self) -> Callable[..., Iterator[SearchResult]] | None:
        """The method of `Agent`, or None if the agent has none."""
        stepwise = getattr(self._agent, "analyse_stepwise", None)
        if stepwise is None:
            return None

        def steps(position: Position, rng: Rng, expired: Callable[[], bool]) -> Iterator[SearchResult]:
            (position,), (own,) = _copies([position]), [_copy(rng)]
            with in_one_process():
                found = iter(stepwise(position, own, expired))
            while True:
                with in_one_process():
                    step = next(found, None)
                if step is None:
                    break
                yield step
            _take_over(rng, own)

        return steps

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
        """Return the agent's decisions.

        Raises:
            AgentError: it raised an error that is not an `Exception`, such as SystemExit, or broke a generator.
            Exception: any other error that it raises.
        """
        own = [_copy(rng) for rng in rngs]
        with _only_exceptions():
            # Read at most one decision too many, because an agent may return an endless iterator.
            found = list(islice(self._agent.decide(_copies(positions), own.copy(), want), len(positions) + 1))
        for rng, copied in zip(rngs, own, strict=True):
            _take_over(rng, copied)
        return found


@contextmanager
def _only_exceptions() -> Iterator[None]:
    """Convert an error of the agent that is not an `Exception`, such as SystemExit, to an AgentError."""
    try:
        with in_one_process():
            yield
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise AgentError(f"it raised {one_line(error)}") from None


def _copies(positions: Sequence[Position]) -> list[Position]:
    """Copies of the positions. Those of one game share a copy of its rules."""
    rules: dict[int, Rules] = {}
    for position in positions:
        if id(position.rules) not in rules:
            rules[id(position.rules)] = position.rules.model_copy()
    return [Position(rules[id(at.rules)], at.moves, at.cells, at.closed, at.outcome) for at in positions]


def _copy(rng: Rng) -> Rng:
    copied = Rng()
    copied.setstate(rng.getstate())
    return copied


def _take_over(rng: Rng, copied: Any) -> None:
    """Set a generator to the state of an agent's copy; AgentError if that state is invalid."""
    try:
        rng.setstate(Rng.getstate(copied))
    except Exception as error:
        raise AgentError(f"it spoiled the generator that it was given: {one_line(error)}") from None
