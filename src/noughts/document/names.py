"""Short names of agents, as in ``me=python:mine.py:Mine,depth=2``. They replace agents' texts in output, and nowhere else.

A question contains no names: keys, seeds and stored answers have the canonical text, which is replaced only for display.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from noughts.agents import AGENTS, AgentSpec, parse_agent
from noughts.agents.plugin import AGENT_PLUGINS
from noughts.document.result import StudyResult
from noughts.machine.plugins import PYTHON
from noughts.rules import AgentError

_NAMED = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=(.*)", re.DOTALL)  # before any ":" or ",", where options have their "="
_OPTIONS = re.compile(r"[:,(]")  # comes before the "=" of an option
_KEPT = frozenset({"repeat", "agents", "outside", "names"})  # fields of a study's result that keep the agents' texts


@dataclass(frozen=True)
class Names:
    """Names of agents.

    Attributes:
        called: The names, by the agent's canonical text.
    """

    called: Mapping[str, str] = field(default_factory=dict)

    def show(self, agent: AgentSpec | str) -> str:
        """An agent's name, or its canonical text if it has none."""
        return self.called.get(str(agent), str(agent))

    @property
    def by_name(self) -> dict[str, str]:
        """The agents' texts by name."""
        return {name: text for text, name in self.called.items()}

    @property
    def legend(self) -> list[str]:
        """A line for each name, with its agent."""
        return [f"{name} is {text}" for name, text in self.by_name.items()]

    def within(self, value: Any) -> Any:
        """A JSON value with names in place of agents, whether an agent is a whole text or part of a sentence.

        In a sentence an agent without options is not replaced, because its text, such as ``random``, may be a plain word.
        """
        if not self.called:
            return value
        if isinstance(value, str):
            return self.called.get(value) or self._in_sentence(value)
        if isinstance(value, Mapping):
            return {key: self.within(each) for key, each in value.items()}
        return [self.within(each) for each in value] if isinstance(value, list | tuple) else value

    def in_result(self, result: StudyResult) -> StudyResult:
        """A study's result with names. The command that repeats it and the lists of agents keep the agents' texts."""
        if not self.called:
            return result
        fields = result.model_dump(mode="json")
        shown = {name: each if name in _KEPT else self.within(each) for name, each in fields.items()}
        return StudyResult.model_validate(shown | {"names": self.by_name})

    def _in_sentence(self, text: str) -> str:
        """Replace agents' texts that are separate words; others may be in the options of another agent."""
        texts = sorted((each for each in self.called if ":" in each), key=len, reverse=True)
        if not texts:
            return text
        either = "|".join(map(re.escape, texts))
        alone = re.compile(rf"(?<![\w:=@/.,-])(?<!=\()(?:{either})(?![\w=@/-]|[:.,]\S)")
        return alone.sub(lambda found: self.called[found[0]], text)


NO_NAMES = Names()
"""No names, so that all agents are shown by their texts."""


def read_names(agents: Sequence[str]) -> tuple[list[AgentSpec], Names]:
    """Read the agents that a user gave, and their names.

    Args:
        agents: ``AGENT`` or ``NAME=AGENT`` for each; a name consists of letters A to Z, digits, ``-`` and ``_``.

    Returns:
        The agents in the same order.

    Raises:
        AgentError: two agents have one name, one has two, a name is that of a kind of agent, or there is no such agent.
    """
    found, called = list[AgentSpec](), dict[str, str]()
    for given in agents:
        name, text = split_name(given)
        found.append(parse_agent(text))
        if not name:
            continue
        canonical = str(found[-1])
        if called.setdefault(canonical, name) != name:
            raise AgentError(f"agent {canonical!r} has two names, {called[canonical]} and {name}: give it one")
        if [*called.values()].count(name) > 1:
            raise AgentError(f"two agents have the name {name!r}: give each its own")
    return found, Names(called)


def split_name(given: str) -> tuple[str, str]:
    """Split ``NAME=AGENT`` into the name and the agent; the name is empty if there is none.

    Raises:
        AgentError: the name is that of a kind of agent or has other characters, or nothing follows it.
    """
    found = _NAMED.fullmatch(given)
    if found is None:
        before, equals, _ = given.partition("=")
        if equals and not _OPTIONS.search(before):
            raise AgentError(
                f"{before.strip()!r} cannot be a name: write NAME=AGENT, and NAME of letters A to Z, digits, - and _, without spaces"
            )
        return "", given
    name, text = found[1], found[2].strip()
    kinds = {kind.casefold() for kind in (*AGENTS, *AGENT_PLUGINS.offered(), PYTHON)}
    if name.casefold() in kinds:
        raise AgentError(
            f"{given!r}: {name} is a kind of agent and cannot be a name; options follow a colon, {name}:option=value"
        )
    if not text:
        raise AgentError(f"{given!r}: no agent follows the name: write {name}=AGENT, such as {name}=mcts:sims=100")
    return name, text
