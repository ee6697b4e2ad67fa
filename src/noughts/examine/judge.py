"""Compares an agent's moves with exact values, and counts optimal moves and blunders.

Every position belongs to one of four classes, and only the first measures how well the agent chooses:

    choices        some moves are optimal and some are not; every move here is optimal or a blunder
    indifferent    every move is optimal; lost positions are always of this class
    undecided      the solver did not decide every move within its budget of nodes; the agent does not move
    errors         the agent raised an error, or made an illegal move

The solver runs first, and does not depend on the agent. Which positions it decides depends on its budget of nodes for each
position, and on what it cached from earlier positions. So agents are compared on the same choices only if they are judged on the
same positions, in the same batches and with the same limits. Even then the positions that end in errors may differ.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from noughts.agents import Agent, Decision, Want
from noughts.agents.asking import answers, is_shared, some_of, too_late
from noughts.agents.outside import Outsider
from noughts.machine import Recorder
from noughts.positions import Position, Rng, derive_seed
from noughts.rules import AgentError, SolverError, Value
from noughts.rules.errors import one_line
from noughts.rules.text import format_game
from noughts.search import Kind, SearchResult
from noughts.solvers import Budget, Solution
from noughts.statistics import Interval, interval_of_sums, wilson

LARGEST_ERROR = 2.0
"""The largest error of a value: the distance between a win and a loss."""

_SHOWN_PROBLEMS = 10
_SHOWN_BLUNDERS = 10
_ASKED_AT_ONCE = 256  # positions; so the agent begins before all are solved
_NOTE = 1000  # characters, because games can have thousands of moves


class Blunder(Value):
    """A move that changes the value of a position.

    Attributes:
        position: The game's rules and the squares of the earlier moves: ``tic-tac-toe A1 B2``.
        move: The square that the agent chose.
        value, kept: The values before and after the move, for the side that moves.
    """

    position: str
    move: str
    value: int
    kept: int

    def __str__(self) -> str:
        """Describe the blunder, as in ``tic-tac-toe A1 B2, then A2: drawn before, lost after``."""
        return f"{self.position}, then {self.move}: {_WORTH[self.value]} before, {_WORTH[self.kept]} after"


_WORTH = {1: "won", 0: "drawn", -1: "lost"}


class Tally(Value):
    """Counts of judged positions.

    Attributes:
        positions: All positions, of all classes.
        undecided, errors, choices: The positions of these classes.
        optimal: Choices in which the agent's move is optimal.
        chance: Expected number of optimal moves of a uniformly random player; a sum of fractions.
        won: Choices that the side to move wins; all others are drawn.
        won_drawn, won_lost, drawn_lost: Blunders, by the value before and after the move.
        values: Positions in which the agent gave a value; bounds do not count.
        error, squared_error: Sums over those of the distance from the exact value, 0 to 2, and of its square.
        complete: Whether these are all positions of the game, so that intervals have no width: the fractions are exact
            for this agent and this seed.
        refusal: Why a solver rejected the first undecided position that it rejected.
        problems: The first errors, one line each.
        blunders: The first moves that are not optimal; empty in results saved before this field existed.
    """

    positions: int = 0
    undecided: int = 0
    errors: int = 0
    choices: int = 0
    optimal: int = 0
    chance: float = 0.0
    won: int = 0
    won_drawn: int = 0
    won_lost: int = 0
    drawn_lost: int = 0
    values: int = 0
    error: float = 0.0
    squared_error: float = 0.0
    complete: bool = False
    refusal: str = ""
    problems: tuple[str, ...] = ()
    blunders: tuple[Blunder, ...] = ()

    def __add__(self, other: "Tally") -> "Tally":
        """The sum of two tallies; complete if both are."""
        counts = {name: getattr(self, name) + getattr(other, name) for name in _COUNTS}
        return Tally(
            **counts,
            complete=self.complete and other.complete,
            refusal=self.refusal or other.refusal,
            problems=(self.problems + other.problems)[:_SHOWN_PROBLEMS],
            blunders=(self.blunders + other.blunders)[:_SHOWN_BLUNDERS],
        )

    @property
    def indifferent(self) -> int:
        """Positions in which every move is optimal."""
        return self.positions - self.undecided - self.errors - self.choices

    @property
    def exact(self) -> bool:
        """Whether all positions of the game were judged and decided, so that there is no sampling error."""
        return self.complete and not self.undecided and not self.errors

    @property
    def optimal_interval(self) -> Interval:
        """Fraction of choices in which the agent's move is optimal."""
        return self._share(self.optimal, self.choices)

    @property
    def chance_share(self) -> float:
        """The expected fraction for a uniformly random player; 0 without choices."""
        return self.chance / self.choices if self.choices else 0.0

    @property
    def won_interval(self) -> Interval:
        """Fraction of won choices that the agent draws or loses."""
        return self._share(self.won_drawn + self.won_lost, self.won)

    @property
    def drawn_interval(self) -> Interval:
        """Fraction of drawn choices that the agent loses."""
        return self._share(self.drawn_lost, self.choices - self.won)

    @property
    def value_error(self) -> Interval | None:
        """Mean distance of the agent's value from the exact one, over all classes; None if it gave no value."""
        if not self.values:
            return None
        found = interval_of_sums(self.values, self.error, self.squared_error, LARGEST_ERROR)
        return Interval(found.value, found.value, found.value) if self.exact else found

    def _share(self, count: int, of: int) -> Interval:
        return Interval(count / of, count / of, count / of) if self.exact and of else wilson(count, of)


_COUNTS = tuple(name for name, field in Tally.model_fields.items() if field.annotation in (int, float))


def judge(
    make: Callable[[], Agent],
    positions: Iterable[Position],
    solve: Callable[[Position, Budget], Solution],
    seed: int,
    nodes: int | None = None,
    notes: Recorder | None = None,
    move_seconds: float | None = None,
) -> Iterator[Tally]:
    """Query an agent in positions, and yield the tally of each, in any order.

    Args:
        make: Creates the agent. Its random numbers in each position derive from that position and `seed`. A third-party agent that
            is not shared may depend on earlier requests. So each position gets a new one, as each game does in play.
        positions: Unfinished positions of one game.
        solve: See `Truth`. It runs first, with `nodes` for each position; a position that it rejects is undecided.
        notes: Receives each position before the query, with the limit `move_seconds`. Without a limit, a shared agent is
            queried in many positions at once; then it receives the first of them.
    """
    agent = make()
    is_outsider, is_together = isinstance(agent, Outsider), move_seconds is None and is_shared(agent)
    ready: list[Agent] = [agent]
    decided: list[tuple[Position, dict[int, int]]] = []

    def ask_all() -> list[Tally]:
        asked = ready.pop() if ready else make() if is_outsider and not is_shared(agent) else agent
        found = _judge_all(asked, make if is_outsider else None, decided, seed, notes, move_seconds)
        decided.clear()
        return found

    for position in positions:
        values = _values(position, solve, nodes)
        if isinstance(values, Tally):
            yield values
            continue
        decided.append((position, values))
        if not is_together or len(decided) == _ASKED_AT_ONCE:
            yield from ask_all()
    if decided:
        yield from ask_all()


def _values(
    position: Position, solve: Callable[[Position, Budget], Solution], nodes: int | None
) -> dict[int, int] | Tally:
    """Return the value of every move, or the tally of an undecided position."""
    try:
        solution = solve(position, Budget(nodes))
    except SolverError as error:
        return Tally(positions=1, undecided=1, refusal=str(error))
    values = {found.move: found.value for found in solution.moves if found.value is not None}
    return values if len(values) == len(solution.moves) else Tally(positions=1, undecided=1)


def _judge_all(
    agent: Agent,
    anew: Callable[[], Agent] | None,
    decided: Sequence[tuple[Position, dict[int, int]]],
    seed: int,
    notes: Recorder | None,
    move_seconds: float | None,
) -> list[Tally]:
    """Query an agent in positions in which the value of every move is known; returns the tally of each."""
    positions = [position for position, _ in decided]
    place = where(positions[0])[:_NOTE]
    if notes is not None:
        notes.note(place, move_seconds)
    begun = time.perf_counter()
    decisions = _answers(agent, anew, positions, seed)
    seconds = time.perf_counter() - begun
    if notes is not None:
        notes.note(place)  # the agent's time ends here
    if move_seconds is not None and seconds > move_seconds:  # as in `play_game`; there is one position then
        return [_failed(positions[0], too_late(move_seconds))]
    return [_tally_of(*known, decision) for known, decision in zip(decided, decisions, strict=True)]


def _answers(
    agent: Agent, anew: Callable[[], Agent] | None, positions: Sequence[Position], seed: int
) -> list[Decision | Exception]:
    """Return an agent's decisions. A third-party agent, created by `anew`, only claims that they do not depend on the batch. So
    a new one decides some positions alone; if one of these decisions differs, new agents decide every position alone."""

    def asked(agent: Agent, some: Sequence[Position]) -> list[Decision | Exception]:
        rngs = [Rng(derive_seed(seed, position.cells.hex())) for position in some]
        return answers(agent, some, rngs, Want.ANALYSIS)

    together = asked(agent, positions)
    if anew is None or len(positions) == 1:
        return together
    other, tried = anew(), reversed(some_of(len(positions)))  # one for all, because a program may take long to start
    if all(_alike(asked(other, [positions[number]])[0], together[number]) for number in tried):
        return together
    return [asked(anew(), [position])[0] for position in positions]


def _alike(one: Decision | Exception, other: Decision | Exception) -> bool:
    """Whether the moves are equal, and the values too, up to the rounding of a network in batches of another size."""
    if isinstance(one, Exception) or isinstance(other, Exception):
        return type(one) is type(other)
    values = [0.0 if found.analysis is None else found.analysis.value for found in (one, other)]
    return one.move == other.move and math.isclose(*values, abs_tol=1e-4)


def _tally_of(position: Position, values: dict[int, int], decision: Decision | Exception) -> Tally:
    """The tally of one position, for a decision or an error."""
    try:
        if isinstance(decision, Exception):
            raise decision
        return _tally(position, values, decision.move, _value(decision.analysis))
    except Exception as error:
        return _failed(position, one_line(error))


def _failed(position: Position, error: str) -> Tally:
    return Tally(positions=1, errors=1, problems=(f"{where(position)}: {error}",))


def _tally(position: Position, values: dict[int, int], move: int, thought: float | None) -> Tally:
    """The tally of one position, from the value of each move, and the agent's move and value of the position."""
    value, kept = max(values.values()), values[move]
    optimal = sum(reached == value for reached in values.values())
    choice = optimal < len(values)
    distance = 0.0 if thought is None else abs(thought - value)
    return Tally(
        positions=1,
        choices=choice,
        optimal=choice and kept == value,
        chance=optimal / len(values) if choice else 0.0,
        won=choice and value == 1,
        won_drawn=value == 1 and kept == 0,
        won_lost=value == 1 and kept == -1,
        drawn_lost=value == 0 and kept == -1,
        values=thought is not None,
        error=distance,
        squared_error=distance * distance,
        blunders=() if kept == value else (_blunder(position, move, value, kept),),
    )


def _blunder(position: Position, move: int, value: int, kept: int) -> Blunder:
    return Blunder(
        position=format_game(position.rules, position.moves),
        move=position.rules.name_of(move),
        value=value,
        kept=kept,
    )


def _value(found: SearchResult | None) -> float | None:
    """The value that an agent gives a position, if any; AgentError if it is invalid."""
    if found is None or found.kind not in (Kind.EXACT, Kind.ESTIMATE):
        return None
    if not -1.0 <= found.value <= 1.0:
        raise AgentError(f"its value {found.value} is not from -1 to +1")
    return float(found.value)


def where(position: Position) -> str:
    """Describe a position by the moves that led to it."""
    return f"after {' '.join(map(position.rules.name_of, position.moves)) or 'no moves'}"
