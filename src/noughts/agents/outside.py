"""`Outsider`: an agent from outside the project. It is given copies, and nothing that anybody else holds.

    referee's position, rules, generator  --copied-->  the agent's own, new at each ask
    referee's generator                   <--state---  what the agent's own became, if it is a state at all

So whatever an agent does to what it was given, changes it or keeps it, it changes its own moves and draws and nothing else.
What it does to its process, such as patching our code, cannot be undone there. It reaches nobody else's games, because a
worker that has run it runs no other's (see `machine.pool`), and a record is replayed in the process that asked for it.
What an agent does to files, to the network or to other processes is not prevented: its code has the rights of the user. But
a process that it forks, and that comes back from an ask, ends there (`machine.jobs.in_one_process`).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from noughts.agents.agent import Agent, Decision, Want, refusal_of
from noughts.machine.jobs import in_one_process
from noughts.positions import Position, Rng
from noughts.rules import AgentError, Rules
from noughts.rules.errors import one_line
from noughts.search import SearchResult


class Outsider:
    """An agent that gives another, from outside the project, copies of all that it is asked about."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    @property
    def shared(self) -> bool:
        """What the agent says of itself."""
        return getattr(self._agent, "shared", True) is True

    @property
    def symmetric(self) -> bool:
        """Likewise."""
        return getattr(self._agent, "symmetric", False) is True

    def refusal(self, rules: Rules) -> str | None:
        """Likewise; AgentError if it raises something that is no `Exception`."""
        with _only_exceptions():
            return refusal_of(self._agent, rules.model_copy())

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
        """What the agent decides.

        Raises:
            AgentError: it raised something that is no `Exception`, such as SystemExit, or spoiled a generator.
            Exception: whatever else it raises.
        """
        own = [_copy(rng) for rng in rngs]
        with _only_exceptions():
            # No more than one too many: an agent may give something without an end.
            found = list(islice(self._agent.decide(_copies(positions), own.copy(), want), len(positions) + 1))
        for rng, copied in zip(rngs, own, strict=True):
            _take_over(rng, copied)
        return found


@contextmanager
def _only_exceptions() -> Iterator[None]:
    """Around a call of the agent: what it raises that is no `Exception`, such as SystemExit, becomes an AgentError."""
    try:
        with in_one_process():
            yield
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise AgentError(f"it raised {one_line(error)}") from None


def _copies(positions: Sequence[Position]) -> list[Position]:
    """Equal positions; those of one game have rules in common with one another, and with nothing else."""
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
    """Go on where an agent's own generator stopped; AgentError if that is nowhere."""
    try:
        rng.setstate(Rng.getstate(copied))
    except Exception as error:
        raise AgentError(f"it spoiled the generator that it was given: {one_line(error)}") from None
