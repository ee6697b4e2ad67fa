"""From text to an agent: its spec, the agent itself, and facts about it that do not require making it; see also `kinds`."""

import contextlib
import functools
from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any, TypeVar

from noughts.agents import plugin
from noughts.agents.agent import Agent, as_agent
from noughts.agents.kinds import AGENTS, CODE, AgentKind, Lockstep
from noughts.agents.outside import Outsider
from noughts.agents.spec import AgentSpec, split_spec
from noughts.machine.dependencies import NOTHING, Dependencies, of_arithmetic, of_options, together
from noughts.machine.plugins import PYTHON
from noughts.rules import AgentError, NoughtsError
from noughts.rules.errors import MissingLibraryError
from noughts.rules.text import unknown

AnswerT = TypeVar("AnswerT")


def parse_agent(text: str) -> AgentSpec:
    """Parse a text into a spec in canonical form: with all budgets, and with options that are not at their default.

    A target whose meaning may change, such as the last iteration of a run, is replaced by its present meaning, such
    as the number of that iteration.

    Raises:
        AgentError: malformed text, an unknown name, option or value; the message lists the allowed ones.
    """
    spec = _split(text)
    kind = _kind(spec.name)
    _require_target(kind, spec)
    target = _ask_hook(kind.canonical, spec)
    values = _values(kind, spec)
    options = [
        (option.name, str(values[option.name]))
        for option in kind.options
        if option.name in values and (option.always or values[option.name] != option.read(option.default or ""))
    ]
    return AgentSpec(name=spec.name, target=target, options=(*options, *_more(kind, spec)))


def build_agent(spec: AgentSpec | str) -> Agent:
    """Create an agent. Agents of equal specs play alike.

    Args:
        spec: Its text or parsed form.

    Raises:
        AgentError: there is no such agent, or it cannot be made.
    """
    spec = _read(spec)
    kind = _kind(spec.name)
    if kind is CODE:
        return plugin.load(spec)
    values = _values(kind, spec)
    if kind.target is not None:
        values["target"] = spec.target
    if more := _more(kind, spec):
        values["more"] = more
    try:
        agent = as_agent(resolve_name(f"noughts.agents.{kind.factory}")(**values))
    except MissingLibraryError as error:
        raise AgentError(f"agent {str(spec)!r}: {error}") from None
    return Outsider(agent) if kind.outside or _takes_code(spec) else agent


def depends_on(spec: AgentSpec | str, anew: bool = False) -> Dependencies:
    """Return all that an agent depends on besides its text, without importing its code here.

    This covers the agent and all agents among its options. A third-party agent depends on its code, on the text that its
    class returns by ``fingerprint``, and on the files that its options name; a trained agent on its weights, and on the
    libraries and machine that compute with them. All others depend on nothing.

    Args:
        spec: The agent.
        anew: Whether to call ``fingerprint`` of classes again, as when work begins.

    Raises:
        AgentError: a trained agent does not exist, or the ``fingerprint`` of a class fails.
    """
    spec = _read(spec)
    kind = AGENTS.get(spec.name, CODE)
    found = [plugin.depends_on(spec, anew) if kind is CODE else _ask_hook(kind.depends_on, spec)]
    if kind.computes:
        found.append(of_arithmetic())
    # Not under the name of the code, which other agents may share.
    found.append(of_options(str(spec), (value for _, value in _more(kind, spec))))
    hooks = {option.name: option.depends_on for option in kind.options}
    for name, value in spec.options:
        if (hook := hooks.get(name)) is not None:
            found.append(hook(value).called(f"{name}={value}"))
        if (inside := _as_spec(value)) is not None:  # most values are not specs
            found.append(depends_on(inside, anew))
    return together(*found)


def computing(spec: AgentSpec) -> Dependencies:
    """The part of `depends_on` about the arithmetic; works for an agent that is yet to be trained, too."""
    computes = AGENTS.get(spec.name, CODE).computes or any(computing(inside).named for inside in _inside(spec))
    return of_arithmetic() if computes else NOTHING


@functools.lru_cache(maxsize=1024)
def from_outside(spec: AgentSpec | str) -> bool:
    """Whether an agent, or one among its options, is third-party code, so that noughts cannot rely on how it decides.
    False if it cannot be made."""
    with contextlib.suppress(AgentError):  # its creation reports the error
        spec = _read(spec)
        kind = _find(spec.name)
        return kind is not None and (kind.outside or any(map(from_outside, _inside(spec))) or _takes_code(spec))
    return False


def is_even(spec: AgentSpec) -> bool:
    """Whether an agent picks each of its choices with equal probability. Some built-in kinds do; third-party agents never
    count as even."""
    return AGENTS.get(spec.name, CODE).even


@functools.lru_cache(maxsize=1024)
def lockstep_of(spec: AgentSpec | str) -> Lockstep:
    """Whether many games of an agent are played at once. It makes and imports nothing."""
    with contextlib.suppress(AgentError):  # its games report the error
        spec = _read(spec)
        if any(lockstep_of(inside) == "apart" for inside in _inside(spec)):
            return "apart"
        if (kind := _find(spec.name)) is not None:
            return kind.lockstep
    return "joins"


def _inside(spec: AgentSpec) -> list[AgentSpec]:
    """The agents among the options of a built-in kind."""
    values = _values(AGENTS.get(spec.name, CODE), spec)
    return [value for value in values.values() if isinstance(value, AgentSpec)]


def _takes_code(spec: AgentSpec) -> bool:
    """Whether an option of a built-in kind names third-party code."""
    given = dict(spec.options)
    options = AGENTS.get(spec.name, CODE).options
    return any(o.outside is not None and o.name in given and o.outside(given[o.name]) for o in options)


def _as_spec(text: str) -> AgentSpec | None:
    """Parse a text as a spec, without checking that the agent exists; None if it is malformed."""
    with contextlib.suppress(AgentError):
        return _split(text)
    return None


def _split(text: str) -> AgentSpec:
    return split_spec(text, {PYTHON, *(kind.name for kind in AGENTS.values() if kind.target is not None)})


def _ask_hook(hook: Callable[[str], AnswerT], spec: AgentSpec) -> AnswerT:
    """Call a hook with a spec's target; its errors become AgentError."""
    try:
        return hook(spec.target)
    except NoughtsError as error:
        raise AgentError(f"agent {str(spec)!r}: {error}") from None


def _read(spec: AgentSpec | str) -> AgentSpec:
    return _split(spec) if isinstance(spec, str) else spec


def _find(name: str) -> AgentKind | None:
    """The kind of that name; None if there is none."""
    if name in AGENTS:
        return AGENTS[name]
    return CODE if name == PYTHON or name in plugin.AGENT_PLUGINS.offered() else None


def _kind(name: str) -> AgentKind:
    """The kind of that name; AgentError if there is none."""
    if (kind := _find(name)) is None:
        raise plugin.AGENT_PLUGINS.unknown(name, AGENTS)
    return kind


def _values(kind: AgentKind, spec: AgentSpec) -> dict[str, Any]:
    _require_target(kind, spec)
    known = {o.name: o for o in kind.options if not o.targets or spec.target in o.targets}
    if not kind.names_code(spec.target):
        for name, _ in spec.options:
            if name not in known:
                raise AgentError(f"agent {str(spec)!r}: " + unknown("option", name, known, kind.name))
    given, values = dict(spec.options), {}
    for option in known.values():
        text = given.get(option.name, option.default)
        if text is None:
            raise AgentError(f"agent {str(spec)!r} needs {option.name}: {option.allowed}")
        try:
            values[option.name] = parse_agent(text) if option.is_agent else option.read(text)
        except (ValueError, OverflowError):
            raise AgentError(f"agent {str(spec)!r}: {option.name}={text} is not allowed: {option.allowed}") from None
    return values


def _require_target(kind: AgentKind, spec: AgentSpec) -> None:
    if kind.target is not None and not spec.target:
        raise AgentError(f"agent {str(spec)!r} needs a target: {kind.name}:{kind.target}")


def _more(kind: AgentKind, spec: AgentSpec) -> tuple[tuple[str, str], ...]:
    """The options that go to the user's code."""
    known = {option.name for option in kind.options if not option.targets}
    return tuple(option for option in spec.options if option[0] not in known) if kind.names_code(spec.target) else ()
