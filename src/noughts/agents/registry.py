"""The kinds of agents there are, their options, and how text becomes an agent.

To add one: write its class in a module of this package, and add one `AgentKind` to `AGENTS`. From outside the
project, an entry point in the group ``noughts.agents`` does the same, and ``python:module:Class`` needs nothing.
"""

import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from noughts.agents import plugin
from noughts.agents.agent import Agent, as_agent
from noughts.agents.basic import HumanAgent, RandomAgent
from noughts.agents.spec import AgentSpec, split_spec
from noughts.agents.trained import pinned, weights_hash
from noughts.rules import AgentError, NoughtsError
from noughts.rules.text import unknown
from noughts.search.result import MAX_SIMULATIONS
from noughts.search.settings import MAX_GUIDED_SIMULATIONS

SERVICES = {"ask": "plays only in `noughts play`, where somebody can be asked"}
"""What an agent may need of its caller, and what is said of one whose caller lacks it."""

Lockstep = Literal["gains", "joins", "apart", "asked"]
"""Whether many games of an agent are played at once: it decides together in far less time; it does not, and is asked
one by one; or its games must be played one after another, because each takes much memory or somebody's attention. Of
one from outside the project nobody knows until it is asked whether it is shared: then it gains, else it joins.
"""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of an agent.

    Attributes:
        name: As written before the ``=``.
        read: Makes the value from its text; ValueError if it is not allowed.
        allowed: What is allowed, in words.
        default: Its text when left out; None if it must be given.
        about: One line for people.
        always: Whether the canonical text names it even at its default, as it does budgets.
        choices: All that is allowed, of an option with few values; empty for others.
        is_agent: Whether its value is another agent.
    """

    name: str
    read: Callable[[str], Any]
    allowed: str
    default: str | None
    about: str
    always: bool = False
    choices: tuple[str, ...] = ()
    is_agent: bool = False


@dataclass(frozen=True, slots=True)
class AgentKind:
    """A kind of agent.

    Attributes:
        name: As written before the colon.
        factory: Called with the options and `needs`, each by name; it imports what the agent needs.
        options: What may be given.
        about: One line for people.
        needs: The services of the caller that it cannot do without, keys of `SERVICES`.
        lockstep: Whether many games of it are played at once.
        target: What stands first after the colon, in words; the factory is given it by this name. None if nothing does.
        canonical: Gives the canonical text of a target: one that stands for the same agent for ever.
        code: Gives a hash of what a target stands for.
    """

    name: str
    factory: Callable[..., Agent]
    options: tuple[Option, ...]
    about: str
    needs: tuple[str, ...] = ()
    lockstep: Lockstep = "joins"
    target: str | None = None
    canonical: Callable[[str], str] | None = None
    code: Callable[[str], str] | None = None


def _ascii(text: str) -> str:
    """The text; ValueError if it has digits of another script, which Python would read as well."""
    if not text.isascii():
        raise ValueError(text)
    return text


def _whole(name: str, low: int, high: int, default: int, about: str, always: bool = True) -> Option:
    def read(text: str) -> int:
        value = int(_ascii(text).replace("_", ""))
        if not low <= value <= high:
            raise ValueError(text)
        return value

    return Option(name, read, f"a whole number from {low} to {high}", str(default), about, always)


def _real(name: str, low: float, high: float, default: float, about: str) -> Option:
    def read(text: str) -> float:
        value = float(_ascii(text))
        if not (math.isfinite(value) and low <= value <= high):
            raise ValueError(text)
        return value

    return Option(name, read, f"a number from {low:g} to {high:g}", f"{default:g}", about)


def _choice(name: str, choices: tuple[str, ...], about: str) -> Option:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(text)
        return text

    return Option(name, read, " or ".join(choices), choices[0], about, choices=choices)


def _tolerance(name: str, about: str) -> Option:
    def read(text: str) -> str:
        if text != "trained" and not (math.isfinite(float(_ascii(text))) and 0 <= float(text) <= 2):
            raise ValueError(text)
        return text if text == "trained" else f"{float(text):g}"

    return Option(name, read, "a number from 0 to 2, or trained", "trained", about)


def _agent(name: str, about: str) -> Option:
    def read(text: str) -> AgentSpec:
        return parse_agent(text)

    return Option(name, read, "an agent, such as minimax:depth=9", None, about, always=True, is_agent=True)


def _minimax(**options: Any) -> Agent:
    from noughts.agents.searchers import MinimaxAgent

    return MinimaxAgent(**options)


def _mcts(**options: Any) -> Agent:
    from noughts.agents.searchers import MctsAgent

    return MctsAgent(**options)


def _monte_carlo(**options: Any) -> Agent:
    from noughts.agents.searchers import MonteCarloAgent

    return MonteCarloAgent(**options)


def _omniscient(**options: Any) -> Agent:
    from noughts.agents.searchers import OmniscientAgent

    return OmniscientAgent(**options)


def _perfect(**options: Any) -> Agent:
    from noughts.agents.perfect import PerfectAgent

    return PerfectAgent(**options)


def _learned(**options: Any) -> Agent:
    from noughts.agents.learned import LearnedAgent

    return LearnedAgent(**options)


def _evolved(**options: Any) -> Agent:
    from noughts.agents.evolved import EvolvedAgent

    return EvolvedAgent(**options)


_TARGET = "RUN@ITERATION, a run's name or folder; @last or nothing for the last iteration there is; or FILE.safetensors"

AGENTS: dict[str, AgentKind] = {
    kind.name: kind
    for kind in (
        AgentKind("random", RandomAgent, (), "a legal move at random"),
        AgentKind(
            "minimax",
            _minimax,
            (
                _whole("depth", 1, 361, 2, "plies to look ahead"),
                _choice("ties", ("random", "first"), "which of equal moves: at random, or the first on the board"),
                _choice("eval", ("table2", "none"), "worth of unfinished positions: the BTTT paper's Table 2, or 0"),
            ),
            "alpha-beta; by default the BTTT paper's Minimax; with the game's full depth, perfect play",
        ),
        AgentKind(
            "mcts",
            _mcts,
            (
                _whole("sims", 1, MAX_SIMULATIONS, 1000, "iterations for each move"),
                _real("c", 0.0, 1000.0, 1.0, "exploration constant; 1.41421 for UCB1 with sqrt(2 ln n / n_j)"),
                _choice("pick", ("visits", "value"), "the move visited most, or the one of best mean value"),
            ),
            "UCT Monte-Carlo tree search with random rollouts",
        ),
        AgentKind(
            "mc",
            _monte_carlo,
            (_whole("sims", 1, MAX_SIMULATIONS, 100, "random games for each legal move (the paper's nPlay)"),),
            "flat Monte Carlo: the best mean of random games",
        ),
        AgentKind(
            "omniscient",
            _omniscient,
            (
                _whole("sims", 1, MAX_SIMULATIONS, 1, "games for each legal move (the paper's nPlay)"),
                _agent("inside", "the opponent's own agent, asked for its replies"),
            ),
            "the omniscient adversary: random games in which the opponent's agent replies",
        ),
        AgentKind(
            "perfect",
            _perfect,
            (
                _choice(
                    "ties", ("random", "first"), "which of equally good moves: at random, or the first on the board"
                ),
                _whole(
                    "nodes", 1, 10**12, 1_000_000, "what a move may cost, in the solver's unit, before it has to guess"
                ),
                _whole("memory", 1, 1 << 20, 1, "GiB that each solver's tables may take", always=False),
            ),
            "exact play in every game that a solver covers: the shortest win, the longest resistance",
            lockstep="apart",
        ),
        AgentKind(
            "az",
            _learned,
            (
                _whole(
                    "sims",
                    0,
                    MAX_GUIDED_SIMULATIONS,
                    100,
                    "simulations for each move; 0 for the network's policy alone",
                ),
                _choice("search", ("trained", "gumbel", "puct"), "the search with which it was trained, or another"),
                _choice("view", ("plain", "one-side"), "positions as they are, or all images of a position as one"),
            ),
            "a network trained by `noughts train`, and a search that it guides",
            lockstep="gains",
            target=_TARGET,
            canonical=pinned,
            code=weights_hash,
        ),
        AgentKind(
            "es",
            _evolved,
            (
                _choice("which", ("mean", "best"), "the distribution's mean, or the best so far"),
                _tolerance(
                    "ties", "moves whose values differ from the best by no more are equal, one of them at random"
                ),
            ),
            "a value network evolved by `noughts train --method es`, asked one ply ahead",
            lockstep="gains",
            target=_TARGET,
            canonical=pinned,
            code=weights_hash,
        ),
        AgentKind(
            "human",
            HumanAgent,
            (),
            "you, at the keyboard; in `noughts play` only",
            ("ask",),
            lockstep="apart",
        ),
    )
}


def parse_agent(text: str) -> AgentSpec:
    """The spec that a text stands for, in its canonical form: budgets, and options that are not at their default.

    A target that may come to stand for something else, such as the last iteration of a run, is replaced by what it
    stands for now.

    Raises:
        AgentError: malformed text, an unknown name, option or value; the message says what there is.
    """
    spec = _split(text)
    if spec.name == "python":
        return spec
    kind = _kind(spec.name)
    if kind is None:
        return spec  # an entry point, whose class knows its own options
    values = _values(kind, spec)
    options = [
        (option.name, str(values[option.name]))
        for option in kind.options
        if option.always or values[option.name] != _default(option)
    ]
    target = _ask_hook(kind.canonical, spec) if kind.canonical else spec.target
    return AgentSpec(name=spec.name, target=target, options=tuple(options))


def build_agent(spec: AgentSpec | str, **services: Any) -> Agent:
    """A new agent; equal specs give agents that play alike.

    Args:
        spec: Its text or parsed form.
        services: What an agent may need of its caller, a key of `SERVICES` each.

    Raises:
        AgentError: there is no such agent, or it cannot be made.
    """
    spec = _split(spec) if isinstance(spec, str) else spec
    if spec.name == "python":
        return plugin.load(spec)
    kind = _kind(spec.name)
    if kind is None:
        return plugin.load_entry_point(spec, plugin.entry_points()[spec.name])
    values = _values(kind, spec)
    for need in kind.needs:
        if need not in services:
            raise AgentError(f"agent {kind.name!r} {SERVICES[need]}")
        values[need] = services[need]
    if kind.target is not None:
        values["target"] = spec.target
    return as_agent(kind.factory(**values))


def code_of(spec: AgentSpec | str) -> dict[str, str]:
    """What tells one state of an agent from another where its text does not, without importing any of it.

    For each agent in `spec`, and in the specs among its options, by target: the hash of the source of one from outside
    the project; for an entry point, the package's name and version; the hash of the weights of one that was trained.
    All others give nothing.

    Raises:
        AgentError: there is nothing where a trained agent should be.
    """
    spec = _split(spec) if isinstance(spec, str) else spec
    found = {}
    if spec.name == "python":
        found[spec.target] = plugin.source_of(spec)
    elif spec.name not in AGENTS and (point := plugin.entry_points().get(spec.name)):
        found[spec.name] = plugin.offered_by(point)
    elif spec.name in AGENTS and (code := AGENTS[spec.name].code) is not None:
        found[spec.target] = _ask_hook(code, spec)
    for _, value in spec.options:
        with contextlib.suppress(AgentError):  # most values are no specs
            found |= code_of(value)
    return found


def from_outside(spec: AgentSpec | str) -> bool:
    """Whether an agent, or one among its options, is from outside the project, so that nobody here knows how it decides."""
    spec = _split(spec) if isinstance(spec, str) else spec
    if spec.name not in AGENTS and (spec.name == "python" or spec.name in plugin.entry_points()):
        return True
    return any(map(from_outside, _inside(spec)))


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


def _split(text: str) -> AgentSpec:
    return split_spec(text, {"python", *(kind.name for kind in AGENTS.values() if kind.target is not None)})


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
    others = plugin.entry_points()
    if name in others:
        return None
    raise AgentError(unknown("agent", name, {*AGENTS, *others, "python:module:Class"}))


def _values(kind: AgentKind, spec: AgentSpec) -> dict[str, Any]:
    """Every option's value, by name."""
    if kind.target is not None and not spec.target:
        raise AgentError(f"agent {str(spec)!r} needs a target: {kind.name}:{kind.target}")
    known = {option.name: option for option in kind.options}
    for name, _ in spec.options:
        if name not in known:
            raise AgentError(f"agent {str(spec)!r}: " + unknown(f"option of {kind.name}", name, known))
    given, values = dict(spec.options), {}
    for option in kind.options:
        text = given.get(option.name, option.default)
        if text is None:
            raise AgentError(f"agent {str(spec)!r} needs {option.name}: {option.allowed}")
        try:
            values[option.name] = option.read(text)
        except (ValueError, OverflowError):
            raise AgentError(f"agent {str(spec)!r}: {option.name}={text} is not allowed: {option.allowed}") from None
    return values


def _default(option: Option) -> Any:
    return None if option.default is None else option.read(option.default)
