"""The kinds of agents, and their options.

To add one, write its class in a module of this package and add an `AgentKind` to `AGENTS`. A third-party package
adds one by an entry point in the group ``noughts.agents``. Any class works as ``python:module:Class``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from noughts.agents import engine, openspiel, trained
from noughts.agents.options import Option, agent, choice, files, memory, real, tolerance, whole
from noughts.machine.dependencies import NOTHING, Dependencies
from noughts.machine.plugins import PYTHON
from noughts.search.result import MAX_SIMULATIONS
from noughts.search.settings import MAX_GUIDED_SIMULATIONS

Lockstep = Literal["gains", "joins", "apart", "asked"]
"""Whether many games of an agent are played at once. ``gains``: deciding in a batch takes far less time. ``joins``: it does
not, so positions are queried one by one. ``apart``: games are played one after another, because each needs much memory or a
person. ``asked``: depends on the `shared` attribute of a third-party agent, which gains if it is shared and joins if not.
"""


@dataclass(frozen=True, slots=True)
class AgentKind:
    """A kind of agent.

    Attributes:
        name: As written before the colon.
        factory: ``module:name`` in this package, imported when an agent is made, and called with the options by name.
        options: The options that it accepts.
        about: One line for users.
        lockstep: Whether many games of it are played at once.
        target: A description of the target: what comes first after the colon and is no option. The factory receives it as
            `target`. None if the kind has no target. A target names weights, or code if `outside`.
        depends_on: Finds the files and versions that a target depends on, which change when the agent does.
        canonical: Returns the canonical text of a target, which always names the same agent.
        outside: Whether third-party code decides, so that noughts cannot rely on how.
        names_code: Whether a target names the user's code. Then the factory receives options of any other name as
            `more`, pairs of names and texts. Never true by default.
        imagines: Whether it has a model of the game, which `questions.imagined` queries.
        even: Whether it picks each of its choices with equal probability.
        traces: Whether it grows a tree that `asking.trace` can show.
    """

    name: str
    factory: str
    options: tuple[Option, ...]
    about: str
    lockstep: Lockstep = "joins"
    target: str | None = None
    depends_on: Callable[[str], Dependencies] = lambda target: NOTHING
    canonical: Callable[[str], str] = lambda target: target
    outside: bool = False
    names_code: Callable[[str], bool] = lambda target: False
    imagines: bool = False
    even: bool = False
    traces: bool = False

    @property
    def computes(self) -> bool:
        """Whether its moves depend on the last bits of numbers, like those of a network with trained weights."""
        return self.target is not None and not self.outside


def _evaluator(name: str, about: str) -> Option:
    def read(text: str) -> str:
        if text in _PATTERNS:
            return text
        from noughts.search.evaluators import check_evaluator  # which loads NumPy

        return check_evaluator(text)

    def depends_on(text: str) -> Dependencies:
        from noughts.search import evaluators

        return evaluators.depends_on(text)

    allowed = f"{' or '.join(_PATTERNS)}, or python:file.py:Class, or what a package offers"
    return Option(
        name,
        read,
        allowed,
        _PATTERNS[0],
        about,
        choices=_PATTERNS,
        depends_on=depends_on,
        outside=lambda text: text not in _PATTERNS,
    )


_PATTERNS = ("table2", "none")  # names of `noughts.search.patterns.PATTERN_TABLES`, the first by default


_WEIGHTS = (
    "RUN@ITERATION, a run's name or folder, or FILE.safetensors; @last or nothing means the last iteration, and @5000p "
    "the first weights saved after 5,000 positions"
)

_SEARCHING = (
    whole(
        "sims",
        0,
        MAX_GUIDED_SIMULATIONS,
        100,
        "simulations for each move; 0 for the network's policy alone",
    ),
    choice("search", ("trained", "gumbel", "puct", "muzero"), "the search with which it was trained, or another"),
    choice(
        "view",
        ("plain", "canonical"),
        "positions as they are, or all positions that are equivalent under symmetry as one",
        renamed={"one-side": "canonical"},
    ),
)

AGENTS: dict[str, AgentKind] = {
    kind.name: kind
    for kind in (
        AgentKind("random", "basic:RandomAgent", (), "a legal move at random"),
        AgentKind(
            "minimax",
            "searchers:MinimaxAgent",
            (
                whole("depth", 1, 361, 2, "plies to look ahead"),
                choice("ties", ("random", "first"), "which of equal moves: at random, or the first on the board"),
                _evaluator("eval", "worth of unfinished positions: the BTTT paper's Table 2, or 0, or yours"),
            ),
            "alpha-beta, by default the BTTT paper's Minimax; perfect play with the game's full depth",
            even=True,
        ),
        AgentKind(
            "mcts",
            "searchers:monte_carlo_tree",
            (
                whole("sims", 1, MAX_SIMULATIONS, 1000, "iterations for each move"),
                real("c", 0.0, 1000.0, 1.0, "exploration constant; 1.41421 for UCB1 with sqrt(2 ln n / n_j)"),
                choice("pick", ("visits", "value"), "the move visited most, or the one of best mean value"),
            ),
            "UCT Monte-Carlo tree search with random rollouts",
            traces=True,
        ),
        AgentKind(
            "threats",
            "searchers:ThreatsAgent",
            (whole("nodes", 1, 10**9, 100_000, "positions to visit for each move"),),
            "alpha-beta over moves that make or answer threats: for large boards, such as gomoku",
        ),
        AgentKind(
            "mc",
            "searchers:monte_carlo",
            (whole("sims", 1, MAX_SIMULATIONS, 100, "random games for each legal move (the paper's nPlay)"),),
            "flat Monte Carlo: the best mean of random games",
        ),
        AgentKind(
            "omniscient",
            "searchers:omniscient",
            (
                whole("sims", 1, MAX_SIMULATIONS, 1, "games for each legal move (the paper's nPlay)"),
                agent("inside", "the opponent's own agent, which gives its replies"),
            ),
            "the omniscient adversary: random games in which the opponent's agent replies",
        ),
        AgentKind(
            "perfect",
            "perfect:PerfectAgent",
            (
                choice(
                    "ties", ("random", "first"), "which of equally good moves: at random, or the first on the board"
                ),
                whole(
                    "nodes",
                    1,
                    10**12,
                    1_000_000,
                    "budget of the solver for each move, in its own unit; beyond it the agent guesses",
                ),
                whole("memory", 1, 1 << 20, 1, "GiB for the tables of each solver", always=False),
            ),
            "exact play in every game that a solver covers: the shortest win, the longest resistance",
            lockstep="apart",
            even=True,
        ),
        AgentKind(
            "az",
            "learned:learned",
            _SEARCHING,
            "a network trained by `noughts train`, and a search that it guides",
            lockstep="gains",
            target=_WEIGHTS,
            depends_on=trained.depends_on,
            canonical=trained.pinned,
            traces=True,
        ),
        AgentKind(
            "mz",
            "model:ModelAgent",
            _SEARCHING,
            "a model of the game trained by `noughts train --method mz`, and a search in imagined positions",
            lockstep="gains",
            target=_WEIGHTS,
            depends_on=trained.depends_on,
            canonical=trained.pinned,
            imagines=True,
            traces=True,
        ),
        AgentKind(
            "es",
            "evolved:evolved",
            (
                choice("which", ("mean", "best"), "the distribution's mean, or the best so far"),
                tolerance("ties", "moves whose values are this close to the best are equal; one is picked at random"),
            ),
            "a value network evolved by `noughts train --method es`, that searches one ply ahead",
            lockstep="gains",
            target=_WEIGHTS,
            depends_on=trained.depends_on,
            canonical=trained.pinned,
            even=True,
        ),
        AgentKind(
            "gomocup",
            "gomocup:GomocupAgent",
            (
                real("seconds", 0.01, 86400.0, 5.0, "seconds for each move"),
                whole("k", 1, 19, 5, "marks in a row that the engine plays for", always=False),
                choice("tell", ("board", "turns"), "the whole board before each move, or each move as it is made"),
                choice("fresh", ("no", "yes"), "whether each move starts a new process"),
                memory(),
                files(),
            ),
            "a gomoku engine in its own process, by the Gomocup (piskvork) protocol",
            lockstep="apart",
            target="PATH, a program with or without arguments, such as engines/pbrain-rapfi",
            depends_on=engine.depends_on,
            outside=True,
        ),
        AgentKind(
            "process",
            "process:ProcessAgent",
            (real("seconds", 0.01, 86400.0, 60.0, "seconds for each move"), memory(), files()),
            "a program in any language in its own process: lines of JSON over its standard input and output",
            lockstep="asked",
            target="COMMAND, a program with its arguments, such as node agent.js",
            depends_on=engine.depends_on,
            outside=True,
        ),
        AgentKind(
            "openspiel",
            "openspiel:make_agent",
            (
                whole("sims", 2, MAX_SIMULATIONS, 1000, "mcts: simulations for each move", targets=("mcts",)),
                real("c", 0.0, 1000.0, 2.0, "mcts: exploration constant, their uct_c", targets=("mcts",)),
                whole("rollouts", 1, 1_000_000, 1, "mcts: random games a simulation", False, targets=("mcts",)),
                choice("solve", ("yes", "no"), "mcts: whether proved values are backed up", targets=("mcts",)),
                whole("depth", 1, 361, 4, "alphabeta: plies to look ahead", targets=("alphabeta",)),
                choice("game", ("theirs", "ours"), "OpenSpiel's own game if it has one, or always ours"),
            ),
            "a bot or policy of OpenSpiel",
            target="mcts, alphabeta, random, or FILE.py:NAME of a function that makes a bot or policy",
            depends_on=openspiel.depends_on,
            canonical=openspiel.known_bot,
            outside=True,
            names_code=openspiel.names_code,
        ),
        AgentKind(
            "human",
            "basic:human",
            (),
            "you, at the keyboard; in `noughts play` only",
            lockstep="apart",
        ),
    )
}

CODE = AgentKind(
    PYTHON,
    "plugin:load",
    (),
    "your own class, or one that an installed package offers",
    lockstep="asked",
    outside=True,
    names_code=lambda target: True,
)
"""The kind of all agents that are named by their code; the class itself defines its options."""
