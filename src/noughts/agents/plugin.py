"""Third-party agents: a class in a module, in a file, or behind an entry point.

The version of such an agent consists of its file and the modules beside it that it imports, the files that its
options name, and the text that its class returns by `fingerprint`.
"""

import hashlib
from typing import Any

from noughts.agents.agent import Agent, as_agent
from noughts.agents.outside import Outsider
from noughts.agents.spec import AgentSpec
from noughts.machine import Failed, Job, Recorder
from noughts.machine.dependencies import NOTHING, Dependencies, together
from noughts.machine.executor import done_by_worker
from noughts.machine.parameters import read_options
from noughts.machine.plugins import PYTHON, PluginKind
from noughts.machine.sources import beside, find_source
from noughts.rules import AgentError
from noughts.rules.errors import AgentFailedError

AGENT_PLUGINS = PluginKind("agent", "noughts.agents", AgentError)
"""How third-party agents are found."""

MAKING_SECONDS = 120.0
"""Time limit for loading third-party code and making its agent."""


def load(spec: AgentSpec) -> Agent:
    """Return the agent of ``python:module:Class`` or ``python:file.py:Class``, or of an entry point's name.

    The working folder is searched for modules, too. Options become keyword arguments, converted by the annotations of
    the class's constructor (`machine.parameters`).
    """
    factory = named(spec)
    options = keyword_arguments(spec, factory)
    with AGENT_PLUGINS.guarded(f"agent {str(spec)!r} cannot be made"):
        made = factory(**options)
    try:
        return Outsider(as_agent(made))
    except AgentError as error:
        raise AgentError(f"agent {str(spec)!r} cannot be queried: {error}") from None


def named(spec: AgentSpec) -> Any:
    """Return the class or function that a spec names; AgentError if there is none."""
    if spec.name == PYTHON or not spec.target:
        return AGENT_PLUGINS.load(_text(spec), str(spec))
    return AGENT_PLUGINS.load_target(spec.target, f"agent {str(spec)!r}")


def keyword_arguments(spec: AgentSpec, factory: Any, given: int = 0) -> dict[str, Any]:
    """A spec's options as keyword arguments of `factory`, after `given` positional ones; AgentError if they do not fit."""
    return read_options(f"agent {str(spec)!r}", factory, spec.options, AgentError, given)


def depends_on(spec: AgentSpec, anew: bool) -> Dependencies:
    """The code of an agent, and its fingerprint; `anew` and errors as for `fingerprint`."""
    code = code_behind(_text(spec))
    return together(code.called(spec.target or spec.name), fingerprint(spec, code, anew))


def code_behind(text: str) -> Dependencies:
    """The code behind a text without options, and its path, because the code may read files beside it that no option names."""
    code = AGENT_PLUGINS.depends_on(text)
    if not text.startswith(f"{PYTHON}:"):
        return code
    path = find_source(text.removeprefix(f"{PYTHON}:").rpartition(":")[0])
    both = hashlib.blake2b(f"{path}\0{' '.join(code.versions.values())}".encode(), digest_size=8).hexdigest()
    return Dependencies(((text, both),), code.files)


_said: dict[tuple[str, str], str] = {}
"""The fingerprints of classes, by the text of an agent and the version of its code."""


def fingerprint(spec: AgentSpec, code: Dependencies, anew: bool) -> Dependencies:
    """The text that a third-party agent's class returns by ``fingerprint(**options)``; `NOTHING` if it has no such function.

    A worker loads the class, but makes no instance.

    Args:
        spec: The agent.
        code: Its code, which is searched for the name.
        anew: Whether to call the class's function again, as when work begins, or to reuse its last text for this code.

    Raises:
        AgentError: the class cannot be loaded, or its function fails or does not return a text.
    """
    found = AGENT_PLUGINS.place(_text(spec))
    if found is None or not any(b"fingerprint" in file.read_bytes() for file in beside(found[0]) if file.is_file()):
        return NOTHING
    version = str(spec), code.basis
    if anew or version not in _said:
        job = Job(f"fingerprint {spec}", f"{__name__}:fingerprint_job", spec.to_json(), str(spec), MAKING_SECONDS)
        result = done_by_worker(job)
        if isinstance(result, Failed):
            raise agent_error(spec, result.message)
        _said[version] = result.value
    return Dependencies(((f"{spec}, fingerprint", _said[version]),)) if _said[version] else NOTHING


def fingerprint_job(argument: str, notes: Recorder) -> str:
    """The worker's part of `fingerprint`, for a spec as JSON."""
    spec = AgentSpec.from_json(argument)
    found = named(spec)
    hook = getattr(found, "fingerprint", None)
    if not callable(hook):
        return ""
    failure = f"agent {str(spec)!r}: fingerprint(...) of its class"
    options = keyword_arguments(spec, found)
    with AGENT_PLUGINS.guarded(f"{failure} failed"):
        said = hook(**options)
    if not isinstance(said, str):
        raise AgentError(f"{failure} gave a {type(said).__name__}, not a text")
    return said


def agent_error(agent: AgentSpec, problem: str) -> AgentError:
    """Rebuild a worker's error about an agent from its line, ``AgentError: reason`` or any other error."""
    kind, _, reason = problem.partition(": ")
    if kind == AgentError.__name__:
        return AgentError(reason)
    return AgentFailedError(f"{agent}: {reason if kind == AgentFailedError.__name__ else problem}")


def _text(spec: AgentSpec) -> str:
    """The text of a spec without its options."""
    return f"{spec.name}:{spec.target}" if spec.target else spec.name
