"""The kinds of agents there are, their options, and how text becomes an agent.

To add one: write its class in a module of this package, and add one `AgentKind` to `AGENTS`. From outside the
project, an entry point in the group ``noughts.agents`` does the same, and ``python:module:Class`` needs nothing.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from noughts.agents import openspiel, plugin
from noughts.agents.agent import Agent, as_agent
from noughts.agents.basic import HumanAgent, RandomAgent
from noughts.agents.engine import hash_of_command
from noughts.agents.options import Option, choice, files, memory, real, tolerance, whole
from noughts.agents.outside import Outsider
from noughts.agents.spec import AgentSpec, split_spec
from noughts.agents.trained import pinned, weights_hash
from noughts.rules import AgentError, NoughtsError
from noughts.rules.errors import MissingLibraryError
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
        outside: Whether the code that decides is from outside the project, so that nobody here knows how it does.
        names_code: Whether a target names code of the user's: then the factory is given options of any other name as
            `more`, a dictionary of keyword arguments. None if no target does.
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
    outside: bool = False
    names_code: Callable[[str], bool] | None = None


def _agent(name: str, about: str) -> Option:
    def read(text: str) -> AgentSpec:
        return parse_agent(text)

    return Option(name, read, "an agent, such as minimax:depth=9", None, about, always=True, is_agent=True)


def _gomocup(**options: Any) -> Agent:
    from noughts.agents.gomocup import GomocupAgent

    return GomocupAgent(**options)


def _process(**options: Any) -> Agent:
    from noughts.agents.process import ProcessAgent

    return ProcessAgent(**options)


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
                whole("depth", 1, 361, 2, "plies to look ahead"),
                choice("ties", ("random", "first"), "which of equal moves: at random, or the first on the board"),
                choice("eval", ("table2", "none"), "worth of unfinished positions: the BTTT paper's Table 2, or 0"),
            ),
            "alpha-beta; by default the BTTT paper's Minimax; with the game's full depth, perfect play",
        ),
        AgentKind(
            "mcts",
            _mcts,
            (
                whole("sims", 1, MAX_SIMULATIONS, 1000, "iterations for each move"),
                real("c", 0.0, 1000.0, 1.0, "exploration constant; 1.41421 for UCB1 with sqrt(2 ln n / n_j)"),
                choice("pick", ("visits", "value"), "the move visited most, or the one of best mean value"),
            ),
            "UCT Monte-Carlo tree search with random rollouts",
        ),
        AgentKind(
            "mc",
            _monte_carlo,
            (whole("sims", 1, MAX_SIMULATIONS, 100, "random games for each legal move (the paper's nPlay)"),),
            "flat Monte Carlo: the best mean of random games",
        ),
        AgentKind(
            "omniscient",
            _omniscient,
            (
                whole("sims", 1, MAX_SIMULATIONS, 1, "games for each legal move (the paper's nPlay)"),
                _agent("inside", "the opponent's own agent, asked for its replies"),
            ),
            "the omniscient adversary: random games in which the opponent's agent replies",
        ),
        AgentKind(
            "perfect",
            _perfect,
            (
                choice(
                    "ties", ("random", "first"), "which of equally good moves: at random, or the first on the board"
                ),
                whole(
                    "nodes", 1, 10**12, 1_000_000, "what a move may cost, in the solver's unit, before it has to guess"
                ),
                whole("memory", 1, 1 << 20, 1, "GiB that each solver's tables may take", always=False),
            ),
            "exact play in every game that a solver covers: the shortest win, the longest resistance",
            lockstep="apart",
        ),
        AgentKind(
            "az",
            _learned,
            (
                whole(
                    "sims",
                    0,
                    MAX_GUIDED_SIMULATIONS,
                    100,
                    "simulations for each move; 0 for the network's policy alone",
                ),
                choice("search", ("trained", "gumbel", "puct"), "the search with which it was trained, or another"),
                choice("view", ("plain", "one-side"), "positions as they are, or all images of a position as one"),
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
                choice("which", ("mean", "best"), "the distribution's mean, or the best so far"),
                tolerance(
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
            "gomocup",
            _gomocup,
            (
                real("seconds", 0.01, 86400.0, 5.0, "what a move may take"),
                whole("k", 1, 19, 5, "the line that the engine plays for", always=False),
                choice("tell", ("board", "turns"), "the whole board before each move, or each move as it is made"),
                choice("fresh", ("no", "yes"), "whether each move is asked of a process that was started for it"),
                memory(),
                files(),
            ),
            "a gomoku engine in a process of its own, by the Gomocup (piskvork) protocol",
            lockstep="apart",
            target="PATH, a program with or without arguments, such as engines/pbrain-rapfi",
            code=hash_of_command,
            outside=True,
        ),
        AgentKind(
            "process",
            _process,
            (real("seconds", 0.01, 86400.0, 60.0, "what a move may take"), memory(), files()),
            "a program in any language in a process of its own: lines of JSON over its standard input and output",
            lockstep="asked",
            target="COMMAND, a program with its arguments, such as node agent.js",
            code=hash_of_command,
            outside=True,
        ),
        AgentKind(
            "openspiel",
            openspiel.make_agent,
            (
                whole("sims", 2, MAX_SIMULATIONS, 1000, "mcts: simulations for each move", targets=("mcts",)),
                real("c", 0.0, 1000.0, 2.0, "mcts: exploration constant, their uct_c", targets=("mcts",)),
                whole("rollouts", 1, 1_000_000, 1, "mcts: random games a simulation", False, targets=("mcts",)),
                choice("solve", ("yes", "no"), "mcts: whether proved values are backed up", targets=("mcts",)),
                whole("depth", 1, 361, 4, "alphabeta: plies to look ahead", targets=("alphabeta",)),
                choice("game", ("theirs", "ours"), "OpenSpiel's own game where there is one, or always ours"),
            ),
            "a bot or policy of OpenSpiel",
            target="mcts, alphabeta, random, or FILE.py:NAME of a function that makes a bot or policy",
            canonical=openspiel.known_bot,
            code=openspiel.code,
            outside=True,
            names_code=openspiel.names_code,
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
    _require_target(kind, spec)
    target = _ask_hook(kind.canonical, spec) if kind.canonical else spec.target
    values = _values(kind, spec)
    options = [
        (option.name, str(values[option.name]))
        for option in kind.options
        if option.name in values and (option.always or values[option.name] != _default(option))
    ]
    return AgentSpec(name=spec.name, target=target, options=(*options, *_more(kind, spec)))


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
    if kind.names_code is not None:
        values["more"] = plugin.keyword_arguments(_more(kind, spec))
    try:
        agent = as_agent(kind.factory(**values))
    except MissingLibraryError as error:
        raise AgentError(f"agent {str(spec)!r}: {error}") from None
    return Outsider(agent) if kind.outside else agent


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
        found[spec.target] = plugin.source_of(spec.target)
    elif spec.name not in AGENTS and (point := plugin.entry_points().get(spec.name)):
        found[spec.name] = plugin.offered_by(point)
    elif spec.name in AGENTS and (code := AGENTS[spec.name].code) is not None:
        found[spec.target] = _ask_hook(code, spec)
    hooks = {option.name: option.code for option in AGENTS[spec.name].options} if spec.name in AGENTS else {}
    for name, value in spec.options:
        if (hook := hooks.get(name)) is not None:
            found[f"{name}={value}"] = hook(value)
        with contextlib.suppress(AgentError):  # most values are no specs
            found |= code_of(value)
    return found


def from_outside(spec: AgentSpec | str) -> bool:
    """Whether an agent, or one among its options, is from outside the project, so that nobody here knows how it decides."""
    spec = _split(spec) if isinstance(spec, str) else spec
    if spec.name in AGENTS and AGENTS[spec.name].outside:
        return True
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
        raise AgentError(f"agent {str(spec)!r} needs a target: {kind.name}:{kind.target}")


def _is_code(kind: AgentKind, spec: AgentSpec) -> bool:
    """Whether a spec's target names code of the user's."""
    return kind.names_code is not None and kind.names_code(spec.target)


def _more(kind: AgentKind, spec: AgentSpec) -> tuple[tuple[str, str], ...]:
    """The options that are for the user's code."""
    known = {option.name for option in kind.options if not option.targets}
    return tuple((name, text) for name, text in spec.options if name not in known) if _is_code(kind, spec) else ()


def _default(option: Option) -> Any:
    return None if option.default is None else option.read(option.default)
