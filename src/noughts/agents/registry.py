"""How text becomes an agent: its spec, the agent itself, and what is known of it without making it. `kinds` has what there is."""

import contextlib
from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

from noughts.agents import plugin
from noughts.agents.agent import Agent, as_agent
from noughts.agents.kinds import AGENTS, AgentKind, Lockstep
from noughts.agents.options import Option
from noughts.agents.outside import Outsider
from noughts.agents.spec import AgentSpec, split_spec
from noughts.machine.arithmetic import arithmetic
from noughts.machine.plugins import FORMS, PYTHON
from noughts.positions import Position
from noughts.rules import AgentError, NoughtsError
from noughts.rules.errors import MissingLibraryError
from noughts.rules.text import unknown


def parse_agent(text: str) -> AgentSpec:
    """The spec that a text stands for, in its canonical form: budgets, and options that are not at their default.

    A target that may come to stand for something else, such as the last iteration of a run, is replaced by what it
    stands for now.

    Raises:
        AgentError: malformed text, an unknown name, option or value; the message says what there is.
    """
    spec = _split(text)
    kind = None if spec.name == PYTHON else _kind(spec.name)
    if kind is None:
        return spec  # from outside, where its class knows its own options
    _require_target(kind, spec)
    target = _ask_hook(kind.target.canonical, spec) if kind.target and kind.target.canonical else spec.target
    values = _values(kind, spec)
    options = [
        (option.name, str(values[option.name]))
        for option in kind.options
        if option.name in values and (option.always or values[option.name] != _default(option))
    ]
    return AgentSpec(name=spec.name, target=target, options=(*options, *_more(kind, spec)))


def build_agent(spec: AgentSpec | str, ask: Callable[[Position], int] | None = None) -> Agent:
    """A new agent; equal specs give agents that play alike.

    Args:
        spec: Its text or parsed form.
        ask: Asks a person for a move, for the agent ``human``.

    Raises:
        AgentError: there is no such agent, or it cannot be made.
    """
    spec = _split(spec) if isinstance(spec, str) else spec
    kind = None if spec.name == PYTHON else _kind(spec.name)
    if kind is None:
        return plugin.load(spec)
    values = _values(kind, spec)
    if kind.target is not None:
        values["target"] = spec.target
        if kind.target.names_code is not None:
            values["more"] = _more(kind, spec)
    if kind.name == "human":
        values["ask"] = ask
    try:
        agent = as_agent(resolve_name(f"noughts.agents.{kind.factory}")(**values))
    except MissingLibraryError as error:
        raise AgentError(f"agent {str(spec)!r}: {error}") from None
    return Outsider(agent) if kind.outside or _takes_code(spec) else agent


COMPUTED_WITH = "what numbers are computed with"
"""The name under which `code_of` gives it."""


def code_of(spec: AgentSpec | str) -> dict[str, str]:
    """What tells one state of an agent from another where its text does not, without importing any of it.

    For each agent in `spec`, and in the specs among its options: of one from outside the project a hash of its code, and
    one of the files that its options name; of an entry point, the package's name and version, too; the hash of the
    weights of one that was trained, and what these are computed with. All others give nothing. What a class says by ``fingerprint`` is not looked at.

    Raises:
        AgentError: there is nothing where a trained agent should be, or too much where a file should be.
    """
    spec = _split(spec) if isinstance(spec, str) else spec
    found = {}
    kind = AGENTS.get(spec.name)
    if kind is None:
        text = f"{spec.name}:{spec.target}" if spec.target else spec.name
        if code := plugin.source_of(text):
            found[spec.target or spec.name] = code
    elif kind.target is not None:
        found[spec.target] = _ask_hook(kind.target.code, spec)
    if kind is not None and kind.computes:
        found[COMPUTED_WITH] = arithmetic()
    if files := plugin.hash_of_options(spec.options if kind is None else _more(kind, spec)):
        found[str(spec)] = files  # under another name than the code, which others may have in common with it
    hooks = {} if kind is None else {option.name: option.code for option in kind.options}
    for name, value in spec.options:
        if (hook := hooks.get(name)) is not None and (code := hook(value)):
            found[f"{name}={value}"] = code
        if (inside := _as_spec(value)) is not None:  # most values are no specs
            found |= code_of(inside)
    return found


def computed_with(spec: AgentSpec) -> dict[str, str]:
    """The part of `code_of` that says what numbers are computed with; also of an agent that is yet to be trained."""
    kind = AGENTS.get(spec.name)
    computes = (kind is not None and kind.computes) or any(map(computed_with, _inside(spec)))
    return {COMPUTED_WITH: arithmetic()} if computes else {}


def plugins_in(spec: AgentSpec) -> list[AgentSpec]:
    """The agents from outside whose classes may say something by ``fingerprint``: a spec, and those among its options."""
    own = [spec] if spec.name not in AGENTS else []
    inside = [plugins_in(found) for _, value in spec.options if (found := _as_spec(value)) is not None]
    return [*own, *(each for some in inside for each in some)]


def from_outside(spec: AgentSpec | str) -> bool:
    """Whether an agent, or one among its options, is from outside the project, so that nobody here knows how it decides."""
    spec = _split(spec) if isinstance(spec, str) else spec
    if spec.name in AGENTS and AGENTS[spec.name].outside:
        return True
    if spec.name not in AGENTS and (spec.name == PYTHON or spec.name in plugin.AGENT_PLUGINS.offered()):
        return True
    return any(map(from_outside, _inside(spec))) or _takes_code(spec)


def is_even(spec: AgentSpec) -> bool:
    """Whether chance takes each of an agent's choices as often as any other: known of kinds of ours that draw among them,
    and of none from outside, whatever it says."""
    return spec.name in AGENTS and AGENTS[spec.name].even


def lockstep_of(spec: AgentSpec | str) -> Lockstep:
    """Whether many games of an agent are played at once; nothing is made or imported."""
    with contextlib.suppress(AgentError):  # its games will tell what is wrong with it
        spec = _split(spec) if isinstance(spec, str) else spec
        if any(lockstep_of(inside) == "apart" for inside in _inside(spec)):
            return "apart"
        if spec.name in AGENTS:
            return AGENTS[spec.name].lockstep
        return "asked" if from_outside(spec) else "joins"
    return "joins"


def _inside(spec: AgentSpec) -> list[AgentSpec]:
    """The agents among the options of one of ours."""
    kind = AGENTS.get(spec.name)
    return [] if kind is None else [value for value in _values(kind, spec).values() if isinstance(value, AgentSpec)]


def _takes_code(spec: AgentSpec) -> bool:
    """Whether an option of one of ours names code from outside."""
    kind, given = AGENTS.get(spec.name), dict(spec.options)
    options = () if kind is None else kind.options
    return any(o.outside is not None and o.name in given and o.outside(given[o.name]) for o in options)


def _as_spec(text: str) -> AgentSpec | None:
    """The spec that a text is, whether or not there is such an agent; None if it is malformed."""
    with contextlib.suppress(AgentError):
        return _split(text)
    return None


def _split(text: str) -> AgentSpec:
    return split_spec(text, {PYTHON, *(kind.name for kind in AGENTS.values() if kind.target is not None)})


def _ask_hook(hook: Callable[[str], str], spec: AgentSpec) -> str:
    """What a hook says of a spec's target."""
    try:
        return hook(spec.target)
    except NoughtsError as error:
        raise AgentError(f"agent {str(spec)!r}: {error}") from None


def _kind(name: str) -> AgentKind | None:
    """The kind of that name, or None for an entry point's; AgentError if there is neither."""
    if name in AGENTS:
        return AGENTS[name]
    others = plugin.AGENT_PLUGINS.offered()
    if name in others:
        return None
    raise AgentError(unknown("agent", name, {*AGENTS, *others, *FORMS}))


def _values(kind: AgentKind, spec: AgentSpec) -> dict[str, Any]:
    """Every option's value, by name."""
    _require_target(kind, spec)
    known = {o.name: o for o in kind.options if not o.targets or spec.target in o.targets}
    if not _is_code(kind, spec):
        for name, _ in spec.options:
            if name not in known:
                raise AgentError(f"agent {str(spec)!r}: " + unknown(f"option of {kind.name}", name, known))
    given, values = dict(spec.options), {}
    for option in known.values():
        text = given.get(option.name, option.default)
        if text is None:
            raise AgentError(f"agent {str(spec)!r} needs {option.name}: {option.allowed}")
        try:
            values[option.name] = option.read(text)
        except (ValueError, OverflowError):
            raise AgentError(f"agent {str(spec)!r}: {option.name}={text} is not allowed: {option.allowed}") from None
    return values


def _require_target(kind: AgentKind, spec: AgentSpec) -> None:
    if kind.target is not None and not spec.target:
        raise AgentError(f"agent {str(spec)!r} needs a target: {kind.name}:{kind.target.about}")


def _is_code(kind: AgentKind, spec: AgentSpec) -> bool:
    """Whether a spec's target names code of the user's."""
    target = kind.target
    return target is not None and target.names_code is not None and target.names_code(spec.target)


def _more(kind: AgentKind, spec: AgentSpec) -> tuple[tuple[str, str], ...]:
    """The options that are for the user's code."""
    known = {option.name for option in kind.options if not option.targets}
    return tuple((name, text) for name, text in spec.options if name not in known) if _is_code(kind, spec) else ()


def _default(option: Option) -> Any:
    return None if option.default is None else option.read(option.default)
