"""What an agent's text may go on with, for the shell: ``min`` with ``minimax``, ``me=mcts:s`` with ``me=mcts:sims=``."""

from noughts.agents import AGENTS
from noughts.agents.kinds import AgentKind
from noughts.agents.plugin import AGENT_PLUGINS
from noughts.document.names import split_name
from noughts.machine.plugins import PYTHON
from noughts.rules import AgentError


def complete(incomplete: str) -> list[str]:
    """Every text that begins so and has one word more; a short name stays in front."""
    try:
        name, agent = split_name(incomplete)
    except AgentError:  # a kind's name as a name, or no agent yet
        name, _, agent = incomplete.partition("=")
        if name in AGENTS or agent:
            return []
    before = f"{name}=" if name else ""
    kind, colon, rest = agent.partition(":")
    if not colon:
        kinds = [*AGENTS, *AGENT_PLUGINS.offered(), f"{PYTHON}:"]
        return [before + each for each in kinds if each.startswith(agent)]
    if kind not in AGENTS:
        return []
    written, comma, last = rest.rpartition(",")
    if not comma and AGENTS[kind].target is not None:
        return []
    head = f"{before}{kind}:{written}{comma}"
    given = {part.partition("=")[0] for part in written.split(",")}
    return [head + each for each in _options(AGENTS[kind], given) if each.startswith(last)]


def _options(kind: AgentKind, given: set[str]) -> list[str]:
    """Options that are not given yet: ``sims=``, and those with few values with each of them."""
    found = []
    for option in kind.options:
        if option.name not in given:
            found.append(f"{option.name}=")
            found += [f"{option.name}={choice}" for choice in option.choices]
    return found
