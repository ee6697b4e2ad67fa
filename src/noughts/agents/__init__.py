"""Agents choose moves. A text such as ``mcts:sims=1000`` names one. An agent does not see which opponent it plays.

`build_agent` makes one from its text. Importing this package loads no array library: each kind of agent
loads what it needs when it is built.
"""

from noughts.agents.agent import Agent, Decision, Want, as_agent
from noughts.agents.asking import analyse, analyse_stepwise, choose
from noughts.agents.kinds import AGENTS
from noughts.agents.registry import build_agent, parse_agent
from noughts.agents.spec import AgentSpec

__all__ = [
    "AGENTS",
    "Agent",
    "AgentSpec",
    "Decision",
    "Want",
    "analyse",
    "analyse_stepwise",
    "as_agent",
    "build_agent",
    "choose",
    "parse_agent",
]
