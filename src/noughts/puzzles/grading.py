"""How hard a puzzle is: how often agents of known strength miss it."""

from collections.abc import Collection
from functools import lru_cache

from noughts.agents import Agent, build_agent, choose
from noughts.positions import Position, Rng, derive_seed
from noughts.puzzles.puzzle import PANEL

_TIMES = 8
"""How often each agent is asked."""


def missed_by_panel(position: Position, solutions: Collection[int]) -> tuple[float, ...]:
    """For each agent of the panel the share of times that it chose another move than these, 0 to 1.

    What they draw derives from the position alone, so that equal puzzles get equal grades.
    """
    return tuple(round(_missed(agent, position, solutions), 3) for agent in PANEL)


def _missed(agent: str, position: Position, solutions: Collection[int]) -> float:
    made = _agent(agent)
    text = " ".join(map(str, position.moves))
    wrong = 0
    for time in range(_TIMES):
        rng = Rng(derive_seed(0, "puzzle", str(position.rules), text, agent, time))
        wrong += choose(made, position, rng) not in solutions
    return wrong / _TIMES


@lru_cache(maxsize=len(PANEL))
def _agent(text: str) -> Agent:
    return build_agent(text)
