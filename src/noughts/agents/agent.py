"""What an agent is: anything with a `choose` method. A class of yours needs no base class to play here.

What an agent can do besides is said by what else it has: see `AnalysingAgent`, `TieBreakingAgent`, `BatchAgent`,
`MixingAgent`, `BatchAnalysingAgent`, `BatchTieBreakingAgent`, `StepwiseAgent` and `SymmetricAgent`. The functions here ask any agent, whatever it offers.
"""

import contextlib
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar, runtime_checkable

from noughts.positions import Position, Rng, derive_seed
from noughts.rules import AgentError, format_rules
from noughts.rules.errors import AgentFailedError, one_line
from noughts.search import Kind, MoveResult, SearchResult

_Found = TypeVar("_Found")
_TRIED = 3  # generators with which it is tried whether an agent's word about its choices holds


@runtime_checkable
class Agent(Protocol):
    """Chooses moves.

    A match makes a new agent for each game, gives it every position in which it is to move, and takes all its
    randomness from `rng`: an agent that draws from nowhere else plays the same game again for the same seed.
    """

    def choose(self, position: Position, rng: Rng) -> int:
        """A legal move, as a cell index. The game is not over."""
        ...


@runtime_checkable
class AnalysingAgent(Agent, Protocol):
    """An agent that can say what it thinks."""

    def analyse(self, position: Position, rng: Rng) -> SearchResult:
        """The search behind `choose`: for an equal `rng`, its `move` is the one that `choose` gives."""
        ...


@runtime_checkable
class TieBreakingAgent(Agent, Protocol):
    """An agent to which chance matters only as a choice among moves that it can name."""

    def choices(self, position: Position) -> tuple[int, ...]:
        """Every move that `choose` may give here, for whatever generator: one or more, ascending."""
        ...


@runtime_checkable
class BatchAgent(Agent, Protocol):
    """An agent that decides many positions at once in less time than one by one.

    One such agent may be given the positions of many games, so it must not go by what it was asked before.
    """

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Rng]) -> Sequence[int]:
        """What `choose` gives for each position and its generator. All are of one game; none is over."""
        ...


@runtime_checkable
class MixingAgent(BatchAgent, Protocol):
    """A `BatchAgent` that says whether its positions may be of several games."""

    @property
    def mixes_games(self) -> bool:
        """True if `choose_many` takes positions of different rules, and gains by it."""
        ...


@runtime_checkable
class BatchAnalysingAgent(AnalysingAgent, Protocol):
    """An `AnalysingAgent` that can do this for many positions at once, too."""

    def analyse_many(self, positions: Sequence[Position], rngs: Sequence[Rng]) -> Sequence[SearchResult]:
        """What `analyse` gives for each position and its generator. All are of one game; none is over."""
        ...


@runtime_checkable
class BatchTieBreakingAgent(TieBreakingAgent, Protocol):
    """A `TieBreakingAgent` that can do this for many positions at once, too."""

    def choices_many(self, positions: Sequence[Position]) -> Sequence[tuple[int, ...]]:
        """What `choices` gives for each position. All are of one game; none is over."""
        ...


@runtime_checkable
class StepwiseAgent(AnalysingAgent, Protocol):
    """An `AnalysingAgent` that can say what it thinks while it thinks."""

    def analyse_stepwise(self, position: Position, rng: Rng, expired: Callable[[], bool]) -> Iterator[SearchResult]:
        """What is known so far, again and again; the last result is the one that `analyse` gives for an equal `rng`.

        Args:
            position: The game is not over.
            rng: As for `analyse`.
            expired: Asked a few times a second: whether time is up. Then the iterator ends soon, with what is known.
        """
        ...


@runtime_checkable
class SymmetricAgent(Agent, Protocol):
    """An agent that says whether it knows no left from right."""

    @property
    def symmetric(self) -> bool:
        """True if, whenever a symmetry of the rules takes one position to another, it takes all that the agent may
        choose in the one to all that it may choose in the other. The agent is taken at its word.
        """
        ...


def choose_legal(agent: Agent, position: Position, rng: Rng) -> int:
    """The agent's move, as a plain int; whatever it raises is raised, and IllegalMoveError if the move is illegal."""
    return legal_move(agent.choose(position, rng), position)


def legal_move(answer: Any, position: Position) -> int:
    """An agent's answer, a whole number of whatever library, as a plain int; IllegalMoveError if it is illegal."""
    move = operator.index(answer)
    position.require_legal(move)
    return move


def one_of(moves: Sequence[int], rng: Rng) -> int:
    """The move, or one of several at random: nothing is drawn where there is nothing to choose."""
    return moves[rng.below(len(moves))] if len(moves) > 1 else moves[0]


def choose_each(agent: Agent, positions: Sequence[Position], rngs: Sequence[Rng]) -> list[int | Exception]:
    """`choose_legal` for each position of one game and its generator, at once if the agent can; see `ask_each`."""
    many = agent.choose_many if isinstance(agent, BatchAgent) else None
    return ask_each(agent.choose, many, legal_move, positions, rngs)


def ask_each(
    one: Callable[[Position, Rng], Any],
    many: Callable[[Sequence[Position], Sequence[Rng]], Sequence[Any]] | None,
    read: Callable[[Any, Position], _Found],
    positions: Sequence[Position],
    rngs: Sequence[Rng],
) -> list[_Found | Exception]:
    """What an agent answers in each position; what it or `read` raises there stands in its place.

    Args:
        one: Asks it in one position.
        many: Asks it in many of one game at once, for equal answers. Should that fail as a whole, it is asked one by
            one, with the generators as they were, to find out where it fails.
        read: Makes sense of an answer.
        positions: Where; none is over.
        rngs: One for each, changed as the agent draws.
    """
    answers = None
    if many is not None and len(positions) > 1:
        states = [rng.getstate() for rng in rngs]
        with contextlib.suppress(Exception):
            answers = list(many(positions, rngs))
        if answers is None or len(answers) != len(positions):
            answers = None
            for rng, state in zip(rngs, states, strict=True):
                rng.setstate(state)
    found: list[_Found | Exception] = []
    for number, (position, rng) in enumerate(zip(positions, rngs, strict=True)):
        try:
            found.append(read(one(position, rng) if answers is None else answers[number], position))
        except Exception as error:
            found.append(error)
    return found


def analyse(agent: Agent, position: Position, rng: Rng) -> SearchResult:
    """What an agent thinks of a position; of one that cannot say, only the move it chooses."""
    if isinstance(agent, AnalysingAgent):
        return agent.analyse(position, rng)
    move = choose_legal(agent, position, rng)
    moves = tuple(MoveResult(cell, int(cell == move), 0.0) for cell in position.legal_moves)
    return SearchResult(move, 0.0, Kind.ESTIMATE, moves, (move,), 1)


def analyse_stepwise(
    agent: Agent, position: Position, rng: Rng, expired: Callable[[], bool] = lambda: False
) -> Iterator[SearchResult]:
    """What any agent thinks, while it thinks: one result of an agent that cannot say; see `StepwiseAgent`."""
    if not isinstance(agent, StepwiseAgent):
        yield analyse(agent, position, rng)
        return
    for found in agent.analyse_stepwise(position, rng, expired):
        yield found
        if expired():
            return


def is_symmetric(agent: Agent) -> bool:
    """Whether an agent says that its choices at symmetric positions are the symmetric ones.

    Raises:
        AgentFailedError: asked whether it is, it raised an error.
    """
    try:
        return isinstance(agent, SymmetricAgent) and agent.symmetric is True
    except Exception as error:
        raise AgentFailedError(f"the agent failed, asked whether it is symmetric: {one_line(error)}") from error


def decide(
    agent: Agent, positions: Sequence[Position], instance: int | None = None, twice: bool = False
) -> list[tuple[int, ...]]:
    """All that an agent may choose in each of many positions of one game, none of them over.

    Args:
        agent: Anybody; asked in the quickest way that it offers.
        positions: What it is asked.
        instance: None for the agent as it is: it must name its `choices`, or draw no random numbers. A seed for one
            instance of an agent of chance: its generator comes from the seed and the position, and settles its move.
        twice: Ask once more, the positions and the moves that led to them in another order, to see that the agent
            decides by what is on the board and by its generator alone; and let one that names its `choices` choose
            with some generators, to see that it named the moves that it makes.

    Returns:
        The moves for each position, ascending; one each, unless chance breaks ties and no instance is asked for.

    Raises:
        AgentError: the agent is not deterministic, or made a move that is not among its choices; the message says
            where.
        AgentFailedError: it raised an error, or chose an illegal move.
    """
    found = _ask(agent, positions, instance)
    if twice:
        again = _ask(agent, [_reordered(position) for position in reversed(positions)], instance)
        for position, one, other in zip(positions, found, reversed(again), strict=True):
            if one != other:
                names = " or ".join("+".join(map(position.rules.name_of, moves)) for moves in (one, other))
                raise AgentError(
                    f"the agent is not deterministic: {_where(position)} it plays {names}; "
                    "it must decide by what is on the board and by the generator that it is given, by nothing else"
                )
        if instance is None and isinstance(agent, TieBreakingAgent):
            _require_true_choices(agent, positions, found)
    return found


def _require_true_choices(agent: Agent, positions: Sequence[Position], named: Sequence[tuple[int, ...]]) -> None:
    """AgentError if an agent makes a move that is not among the choices that it named."""
    for seed in range(_TRIED):
        for position, choices, (move,) in zip(positions, named, _ask(agent, positions, seed), strict=True):
            if move not in choices:
                names = ", ".join(map(position.rules.name_of, choices))
                raise AgentError(
                    f"the agent's choices are not all that it may choose: {_where(position)} they are {names}, "
                    f"and it plays {position.rules.name_of(move)}"
                )


def _ask(agent: Agent, positions: Sequence[Position], instance: int | None) -> list[tuple[int, ...]]:
    if instance is None and isinstance(agent, BatchTieBreakingAgent):
        return _together(positions, _several, agent.choices_many)
    if instance is None and isinstance(agent, TieBreakingAgent):
        return [_checked(position, _several, agent.choices, position) for position in positions]
    rngs = [Rng(derive_seed(instance or 0, position.cells.hex())) for position in positions]
    fresh = [rng.getstate() for rng in rngs]
    if isinstance(agent, BatchAgent):
        found = _together(positions, _one, agent.choose_many, rngs)
    else:
        found = [
            _checked(position, _one, agent.choose, position, rng) for position, rng in zip(positions, rngs, strict=True)
        ]
    if instance is None:
        for position, rng, before in zip(positions, rngs, fresh, strict=True):
            if rng.getstate() != before:
                raise AgentError(
                    f"the agent is not deterministic: {_where(position)} it draws random numbers; give it options that "
                    "leave nothing to chance, such as ties=first, or prove one instance of it: `noughts prove` with "
                    "--instance SEED"
                )
    return found


_Read = Callable[[Any], list[int]]


def _one(answer: Any) -> list[int]:
    """An answer that is one move: a whole number of whatever library."""
    return [operator.index(answer)]


def _several(answer: Any) -> list[int]:
    """An answer that is a sequence of moves."""
    return sorted({operator.index(move) for move in answer})


def _together(
    positions: Sequence[Position], read: _Read, ask: Callable[..., Any], *arguments: object
) -> list[tuple[int, ...]]:
    """What `ask` gives for all the positions at once."""
    try:
        answers = list(ask(positions, *arguments))
    except Exception as error:
        raise AgentFailedError(
            f"the agent failed at {len(positions)} positions, the first {_where(positions[0])}: {one_line(error)}"
        ) from error
    if len(answers) != len(positions):
        raise AgentFailedError(f"the agent failed: asked in {len(positions)} positions, it answered {len(answers)}")
    return [_checked(at, read, lambda answer: answer, answer) for at, answer in zip(positions, answers, strict=True)]


def _checked(position: Position, read: _Read, ask: Callable[..., Any], *arguments: object) -> tuple[int, ...]:
    """The move or moves that `ask` gives, ascending, all of them legal; whatever goes wrong is the agent's failure."""
    try:
        moves = read(ask(*arguments))
        for move in moves:
            position.require_legal(move)
    except Exception as error:
        raise AgentFailedError(f"the agent failed {_where(position)}: {one_line(error)}") from error
    if not moves:
        raise AgentFailedError(f"the agent failed {_where(position)}: it named no move")
    return tuple(moves)


def _where(position: Position) -> str:
    moves = " ".join(map(position.rules.name_of, position.moves))
    return f"in {format_rules(position.rules)} {'after ' + moves if moves else 'at the start'}"


def _reordered(position: Position) -> Position:
    """The same position by another order of its moves, if there is another.

    Before a game is over there is no complete line but on closed boards: so any order is legal in which each side
    has its own moves and the move that closed a board stays the last on it.
    """
    size, moves = position.rules.board_size, position.moves
    last_on = {move // size: move for move in moves}
    closing = [move for board, move in last_on.items() if board in position.closed]
    others = [move for move in reversed(moves) if move not in closing]
    if position.rules.marks == "own":
        sides = [moves[side::2][::-1] for side in (0, 1)]
        others = [sides[ply % 2][ply // 2] for ply in range(len(moves))]
    return replace(position, moves=(*others, *closing))
