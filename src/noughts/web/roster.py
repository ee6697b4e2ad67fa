"""Which agents the page offers, and which texts it takes: registered ones alone, within limits, never a path."""

import asyncio
import math
import re
import time
from collections.abc import Iterator

from starlette.concurrency import run_in_threadpool

from noughts.agents import AGENTS, AgentSpec, parse_agent
from noughts.agents.kinds import AgentKind
from noughts.agents.spec import split_spec
from noughts.agents.trained import EXAMPLE, EXAMPLE_KIND, is_example, pinned
from noughts.rules import AgentError, StoreError
from noughts.rules.text import unknown
from noughts.store.run_folder import is_name, list_runs, run_names
from noughts.web.answers import AgentAnswer, AgentOption, AgentTarget
from noughts.web.limits import Limits

EXACT = "exact"
"""Stands where an agent could, for truth itself."""

_SECONDS = 1.0  # for which the list of agents stands
_HIDDEN = ("human",)  # plays at the page itself


def read_agent(text: str, limits: Limits) -> AgentSpec:
    """The agent of a text, in its canonical form.

    Raises:
        AgentError: there is no such agent, it is from outside the project, names a path, or asks for too much.
    """
    if len(text) > limits.text:
        raise AgentError(f"an agent of {len(text)} characters is too long: {limits.text} are allowed")
    for part in _parts(text, limits):
        if part.target:
            _require_run(part)
    spec = parse_agent(text)
    _require_modest(spec, limits)
    return spec


class Roster:
    """The agents that the page offers, with the runs that they can play with.

    Runs lie on the disk, so they are looked up anew once a second at most, however many ask.
    """

    def __init__(self) -> None:
        self._agents: list[AgentAnswer] = []
        self._until = -math.inf
        self._looking = asyncio.Lock()

    async def agents(self) -> list[AgentAnswer]:
        """All of them."""
        async with self._looking:  # one looks, the others wait for it
            if time.monotonic() >= self._until:
                self._agents = await run_in_threadpool(_list_agents)
                self._until = time.monotonic() + _SECONDS
        return self._agents


def _list_agents() -> list[AgentAnswer]:
    return [_show(AGENTS[name]) for name in _offered()]


def _offered() -> list[str]:
    """The names of those of ours: a program that a text names would run with the rights of whoever serves the page."""
    return [kind.name for kind in AGENTS.values() if kind.name not in _HIDDEN and not kind.outside]


def _parts(text: str, limits: Limits) -> Iterator[AgentSpec]:
    """An agent and those inside it, as written; nothing is looked up before all of them are known to be ours, with
    their options. Where others than the owner may ask, the loader itself is shut besides (`plugins.shut`)."""
    waiting = [(text, 0)]
    while waiting:
        written, depth = waiting.pop()
        spec = split_spec(written, {"python", *(kind.name for kind in AGENTS.values() if kind.target is not None)})
        offered = _offered()
        if spec.name not in offered:
            raise AgentError(unknown("agent", spec.name, offered))
        options = {option.name: option for option in AGENTS[spec.name].options}
        for name, value in spec.options:
            outside = options[name].outside if name in options else None
            if outside is not None and outside(value):
                raise AgentError(f"{name}={value} is not offered here: there are {', '.join(options[name].choices)}")
        if depth > limits.nested:
            raise AgentError(f"agents stand inside others at most {limits.nested} deep here")
        yield spec
        waiting += [(value, depth + 1) for name, value in spec.options if name in options and options[name].is_agent]


def _require_run(spec: AgentSpec) -> None:
    """AgentError unless an agent's target is a run of the store by its plain name: never a path, nor a folder that
    happens to lie where the server was started."""
    if is_example(spec.target):
        return
    run, at, iteration = spec.target.partition("@")
    if not is_name(run) or (at and iteration != "last" and not re.fullmatch(r"[0-9]{1,18}", iteration)):
        raise AgentError(
            f"agent {str(spec)!r}: write {spec.name}:RUN or {spec.name}:RUN@ITERATION, with a run of the store"
        )
    if run not in (names := run_names()):
        raise AgentError(f"agent {str(spec)!r}: " + unknown("training run", run, names))


def _require_modest(spec: AgentSpec, limits: Limits) -> None:
    """AgentError if an agent asks for more than a page gives."""
    kind = AGENTS[spec.name]
    most = {
        "sims": limits.guided_simulations if kind.target is not None else limits.simulations,
        "depth": limits.depth,
        "nodes": limits.nodes,
        "memory": limits.memory,
    }
    inside = {option.name for option in kind.options if option.is_agent}
    for name, value in spec.options:
        if name in most and int(value) > most[name]:
            raise AgentError(f"agent {str(spec)!r}: {name}={value} is too much for the page: at most {most[name]}")
        if name in inside:
            _require_modest(parse_agent(value), limits)


def _show(kind: AgentKind) -> AgentAnswer:
    return AgentAnswer(
        name=kind.name,
        about=kind.about,
        target=None if kind.target is None else kind.target.about,
        options=[
            AgentOption(
                name=option.name,
                allowed=option.allowed,
                default=option.default,
                about=option.about,
                choices=list(option.choices) or None,
            )
            for option in kind.options
        ],
        targets=None if kind.target is None else _targets(kind),
        imagines=kind.imagines,
        traces=kind.traces,
    )


def _targets(kind: AgentKind) -> list[AgentTarget]:
    """The store's runs whose method makes agents of this kind, at their last iteration; before them the example."""
    found = []
    if kind.name == EXAMPLE_KIND:
        found.append(AgentTarget(text=pinned(EXAMPLE), about="bttt(D4), ships with noughts"))
    for run in list_runs():
        try:
            iterations = run.iterations()
            if run.description.method == kind.name and iterations and is_name(run.folder.name):
                about = f"{run.description.task}, {iterations[-1]} iterations"
                found.append(AgentTarget(text=f"{run.folder.name}@{iterations[-1]}", about=about))
        except StoreError:
            continue
    return found
