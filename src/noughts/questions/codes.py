"""What tells one version of what was asked from another, where its text does not: code, files, weights and fingerprints.

The class of an agent from outside may have a function ``fingerprint(**options)``, static or of the class, that gives a text
for whatever else its moves depend on. To hear it the code must be loaded, which a worker does.
"""

from collections.abc import Iterable
from typing import Any

from noughts.agents import AgentSpec
from noughts.agents.plugin import fingerprint_of, has_fingerprint
from noughts.agents.registry import code_of, computed_with, from_outside, plugins_in
from noughts.machine import Recorder
from noughts.questions.question import Question, Unit
from noughts.questions.traits import AboutAgent, ask_worker
from noughts.rules import AgentError, Value


class Fingerprint(Value):
    """What a class says of itself; empty if it says nothing."""

    text: str


class AgentFingerprint(AboutAgent, Unit[Fingerprint]):
    """What the class of an agent from outside says by ``fingerprint``."""

    def answer(self, notes: Recorder) -> Fingerprint:
        """Load its class, and ask; AgentError if that fails."""
        return Fingerprint(text=fingerprint_of(self.agent))


_said: dict[tuple[AgentSpec, str], str] = {}
"""What classes said, by agent and version of their code, until they are asked anew."""


def codes_of(spec: AgentSpec, anew: bool = False) -> dict[str, str]:
    """`code_of`, and what classes from outside say of themselves.

    Args:
        spec: The agent.
        anew: Whether classes are asked anew, as they are when work begins, or what they said before will do.

    Raises:
        AgentError: as of `code_of`; or what a class says cannot be heard.
    """
    codes = code_of(spec)
    for each in plugins_in(spec):
        if has_fingerprint(each):
            version = each, str(codes)
            if anew or version not in _said:
                _said[version] = ask_worker(AgentFingerprint(agent=each), each).text
            if _said[version]:
                codes[f"{each}, fingerprint"] = _said[version]
    return codes


def codes_from_outside(questions: Iterable[Question[Any]]) -> dict[str, str]:
    """What tells versions apart of all code from outside that is asked, by name, and of what trained agents are computed
    with; classes are asked anew.

    Raises:
        AgentError: as of `codes_of`.
    """
    found: dict[str, str] = {}
    agents: dict[AgentSpec, None] = {}
    for question in questions:
        for unit in question.units():
            agents |= dict.fromkeys(unit.agents())
            found |= unit.outside()
    for spec in agents:
        found |= codes_of(spec, anew=True) if _is_outside(spec) else computed_with(spec)
    return found


def _is_outside(spec: AgentSpec) -> bool:
    try:
        return from_outside(spec)
    except AgentError:  # whoever makes it will say what is wrong with it
        return False
