"""Functions that create agents from their text and query them about a position."""

from dataclasses import replace
from typing import Any

from noughts import agents
from noughts.agents import Agent, as_agent, build_agent
from noughts.library.asking import read_agent
from noughts.positions import Position, Rng
from noughts.positions.given import require_open
from noughts.search import SearchResult


def agent(text: str) -> Agent:
    """Create an agent from its text, such as ``mcts:sims=1000``, ``az:RUN``, ``az:FILE.safetensors`` or ``python:file.py:Class``.

    Raises:
        AgentError: there is no such agent, or it cannot be made.
    """
    return build_agent(read_agent(text))


def choose(player: Any, position: Position, seed: int = 0) -> int:
    """Return an agent's move in a position, as a cell index; AgentError or IllegalMoveError if it fails.

    Args:
        player: An agent or its text.
        position: An unfinished position; anything else raises NoughtsError.
        seed: Seed of the agent's random numbers.
    """
    return agents.choose(as_player(player), require_open(position), Rng(seed))


def analyse(player: Any, position: Position, seed: int = 0) -> SearchResult:
    """Return an agent's analysis of a position: its move, the values of moves, and the line that it expects. See `choose`."""
    asked = require_open(position)
    return replace(agents.analyse(as_player(player), asked, Rng(seed)), rules=asked.rules)


def as_player(given: Any) -> Agent:
    """Return the agent for a text or for an object that plays; AgentError if it is neither."""
    return agent(given) if isinstance(given, str) else as_agent(given)
