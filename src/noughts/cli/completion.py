"""Shell completion of agents and games: ``min`` becomes ``minimax``, and ``me=mcts:s`` becomes ``me=mcts:sims=``."""


def complete_agent(incomplete: str) -> list[str]:
    """Return the kinds of agents, options and choices that begin with this text, with its short name in front."""
    from noughts.agents import AGENTS
    from noughts.agents.plugin import AGENT_PLUGINS
    from noughts.document.names import split_name
    from noughts.machine.plugins import PYTHON
    from noughts.rules import AgentError

    try:
        name, agent = split_name(incomplete)
    except AgentError:  # the short name is the name of a kind, or there is no agent yet
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
    given = {part.partition("=")[0] for part in written.split(",")}
    texts = list[str]()
    for option in AGENTS[kind].options:
        if option.name not in given:
            texts += [f"{option.name}={choice}" for choice in ("", *option.choices)]
    return [f"{before}{kind}:{written}{comma}{text}" for text in texts if text.startswith(last)]


def complete_rules(incomplete: str) -> list[str]:
    """Return the names of games that begin with this text."""
    from noughts.rules.presets import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]
