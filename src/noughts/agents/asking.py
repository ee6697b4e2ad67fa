"""Query agents. All requests to agents go through this module, which checks every answer."""

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from noughts.agents.agent import NO_MOVE, Agent, Decision, Want, refusal_of
from noughts.positions import Position, Rng, derive_seed
from noughts.rules import AgentError, Rules
from noughts.rules.errors import AgentFailedError, one_line, shortened
from noughts.rules.text import counted
from noughts.search import Kind, MoveResult, SearchResult
from noughts.search.trace import NotTracedError, Trace

_MOST_SHOWN = 50  # characters of an invalid move, in an error
_TRIED = 3  # seeds with which an agent's moves are compared with the choices that it listed

ONE_IN = 16
"""A third-party agent is checked on its own in one of 16 positions or games, and at least in the first and the last."""

BeforeEach = Callable[[Position], None]
"""Called before each query of an agent, with the position."""


def too_late(limit: float) -> str:
    """The error of a move that took longer than its limit."""
    return f"the move took longer than {limit:g} s"


def is_shared(agent: Agent) -> bool:
    """Whether one instance may play many games at once; AgentFailedError if reading the attribute fails."""
    return _says(agent, "shared", True)


def is_symmetric(agent: Agent) -> bool:
    """Whether it claims to choose symmetric moves in symmetric positions; AgentFailedError if reading the attribute fails."""
    return _says(agent, "symmetric", False)


def refusal(agent: Agent, games: Iterable[Rules]) -> str:
    """The first of these games that an agent refuses, and why: ``tic-tac-toe: reason``; empty if it can play all.

    Raises:
        AgentFailedError: the agent's `refusal` fails.
    """
    for rules in games:
        try:
            reason = refusal_of(agent, rules)
        except Exception as error:
            raise AgentFailedError(
                f"the agent failed to report whether it can play {rules}: {one_line(error)}"
            ) from error
        if reason is not None:
            return f"{rules}: {reason}"
    return ""


def ask(agent: Agent, position: Position, rng: Rng, want: Want = Want.MOVE) -> Decision:
    """Return an agent's decision in a position, with legal moves as plain ints.

    Raises:
        IllegalMoveError: a move is illegal.
        AgentError: it returned more or fewer than one decision, or a move that is not a number.
        Exception: any error that the agent raises.
    """
    return _read(_counted(agent, [position], [rng], want)[0], position, want)


def choose(agent: Agent, position: Position, rng: Rng) -> int:
    """Return the agent's move; errors as for `ask`."""
    return ask(agent, position, rng).move


def analyse(agent: Agent, position: Position, rng: Rng) -> SearchResult:
    """Return an agent's analysis of a position. If it has none, the result holds only its move. Errors as for `ask`."""
    return _thought(ask(agent, position, rng, Want.ANALYSIS), position)


def analyse_stepwise(
    agent: Agent, position: Position, rng: Rng, expired: Callable[[], bool] = lambda: False
) -> Iterator[SearchResult]:
    """Yield an agent's analyses as its search goes on; only one if the agent has no `analyse_stepwise` (see `Agent`)."""
    for decision in ask_stepwise(agent, position, rng, expired):
        yield _thought(decision, position)


def ask_stepwise(agent: Agent, position: Position, rng: Rng, expired: Callable[[], bool]) -> Iterator[Decision]:
    """Yield an agent's decisions as its search goes on, each with the analysis so far; None if the agent has none."""
    stepwise = getattr(agent, "analyse_stepwise", None)
    if stepwise is None:
        yield ask(agent, position, rng, Want.ANALYSIS)
        return
    for found in stepwise(position, rng, expired):
        yield _read(Decision(found.move, analysis=found), position, Want.ANALYSIS)
        if expired():
            return


def trace(agent: Agent, position: Position, simulations: int, rng: Rng) -> Trace:
    """Return an agent's search tree after `simulations` simulations, and what the last of them did.

    With an equal `rng` it is the search behind the agent's own move.

    Raises:
        AgentError: it grows no tree, makes fewer simulations for a move, or cannot play the game.
    """
    watched: Callable[[Position, int, Rng], Trace] | None = getattr(agent, "trace", None)
    if watched is None:
        raise AgentError("the agent grows no tree that can be watched")
    try:
        return watched(position, simulations, rng)
    except NotTracedError as error:
        raise AgentError(
            f"the search of {getattr(agent, 'called', 'the agent')} cannot be watched so: {error}"
        ) from error


def answers(
    agent: Agent, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE
) -> list[Decision | Exception]:
    """Request an agent's decisions in all positions at once; see `ask`. An error takes the place of the decision that failed.

    If the request fails as a whole, each position is queried alone, with restored generators, to find out which ones fail.

    Args:
        agent: The agent to query.
        positions: They may be of several games, and none is over.
        rngs: One for each, changed as the agent draws.
        want: Which parts to compute.
    """
    return list(_answers(agent, positions, rngs, want))


def possible_moves(
    agent: Agent,
    positions: Sequence[Position],
    instance: int | None = None,
    twice: bool = False,
    before_each: BeforeEach | None = None,
) -> list[tuple[int, ...]]:
    """Return every move that an agent may make in each of many positions, none of them over.

    Args:
        agent: Any agent.
        positions: The positions.
        instance: None for the agent as it is: it must list its choices, or draw no random numbers. A seed selects one
            seeded copy of a stochastic agent: its generator derives from the seed and the position, and fixes its move.
        twice: Query each position again, to check that the move depends only on the board and the generator. Positions are
            then queried alone, from the last to the first, with their moves reordered; one in `ONE_IN` also as in a game, after
            the agent's earlier turns. An agent that lists its choices also moves with several seeds, to check that the list
            contains these moves.
        before_each: If given, the agent is queried about one position at a time, and this is called before each.

    Returns:
        The moves for each position, ascending; one each, unless the agent breaks ties at random and `instance` is None.

    Raises:
        AgentError: the agent is not deterministic, or made a move that is not among its choices; the message names
            the position.
        AgentFailedError: it raised an error, or chose an illegal move.
    """
    found = _possible(agent, positions, instance, before_each)
    moves = list(map(_moves_of, found))
    if twice:
        for number, decision in _asked_again(agent, positions, instance, before_each):
            position, both = positions[number], (moves[number], _moves_of(decision))
            if both[0] != both[1]:
                names = " or ".join("+".join(map(position.rules.name_of, some)) for some in both)
                raise AgentError(
                    f"the agent is not deterministic: {_where(position)} it plays {names}; "
                    "its moves may depend only on the board and on the given generator"
                )
        _require_true_choices(agent, positions, found, before_each)
    return moves


def some_of(count: int) -> list[int]:
    """Which of `count` positions or games are checked: the first, the last and one in `ONE_IN` between."""
    return sorted({*range(0, count, ONE_IN), *range(max(count - 1, 0), count)})


def _asked_again(
    agent: Agent, positions: Sequence[Position], instance: int | None, before_each: BeforeEach | None
) -> Iterator[tuple[int, Decision]]:
    """Yield the index of a position and a second decision there: see `twice` of `possible_moves`."""
    in_games = set(some_of(len(positions)))
    for number, position in reversed(list(enumerate(positions))):
        asked = [_reordered(position)]
        if number in in_games:
            for ply in range(position.ply % 2, position.ply, 2):
                _possible(agent, [Position.start(position.rules, position.moves[:ply])], instance, before_each)
            asked.insert(0, position)
        for one in asked:
            yield number, _possible(agent, [one], instance, before_each)[0]


def _require_true_choices(
    agent: Agent, positions: Sequence[Position], found: Sequence[Decision], before_each: BeforeEach | None
) -> None:
    """AgentError if an agent makes a move that is not among the choices that it listed."""
    named = [
        (position, decision.choices) for position, decision in zip(positions, found, strict=True) if decision.choices
    ]
    for seed in range(_TRIED):
        made = _possible(agent, [position for position, _ in named], seed, before_each)
        for (position, choices), decision in zip(named, made, strict=True):
            if decision.move not in choices:
                names = ", ".join(map(position.rules.name_of, choices))
                raise AgentError(
                    f"the agent's choices are not all that it may choose: {_where(position)} they are {names}, "
                    f"and it plays {position.rules.name_of(decision.move)}"
                )


def _possible(
    agent: Agent, positions: Sequence[Position], instance: int | None, before_each: BeforeEach | None
) -> list[Decision]:
    """The choices in each position; the move where the agent lists none, or if a seeded copy is queried."""
    nothing = Decision(NO_MOVE)
    found = [nothing] * len(positions)
    if instance is None:  # listing choices draws no random numbers, so one generator serves all
        found = _require_all(agent, positions, [Rng()] * len(positions), Want.CHOICES, before_each)
    open_ones = [number for number, decision in enumerate(found) if not decision.choices]
    asked = [positions[number] for number in open_ones]
    rngs = [Rng(derive_seed(instance or 0, position.cells.hex())) for position in asked]
    fresh = [rng.getstate() for rng in rngs]
    for number, decision in zip(open_ones, _require_all(agent, asked, rngs, Want.MOVE, before_each), strict=True):
        found[number] = decision
    if instance is None:
        for position, rng, before in zip(asked, rngs, fresh, strict=True):
            if rng.getstate() != before:
                raise AgentError(
                    f"the agent is not deterministic: {_where(position)} it draws random numbers; prove one seeded copy "
                    "of it by --instance SEED (instance=SEED in Python)"
                )
    return found


def _require_all(
    agent: Agent, positions: Sequence[Position], rngs: Sequence[Rng], want: Want, before_each: BeforeEach | None
) -> list[Decision]:
    """`answers`, or AgentFailedError at the first that fails."""
    found = []
    for position, answer in zip(positions, _answers(agent, positions, rngs, want, before_each), strict=True):
        if isinstance(answer, Exception):
            raise AgentFailedError(f"the agent failed {_where(position)}: {one_line(answer)}") from answer
        found.append(answer)
    return found


def _answers(
    agent: Agent,
    positions: Sequence[Position],
    rngs: Sequence[Rng],
    want: Want,
    before_each: BeforeEach | None = None,
) -> Iterator[Decision | Exception]:
    given = None
    if before_each is None and len(positions) > 1:
        states = [rng.getstate() for rng in rngs]
        try:
            given = _counted(agent, positions, rngs, want)
        except Exception:
            for rng, state in zip(rngs, states, strict=True):
                rng.setstate(state)
    for number, (position, rng) in enumerate(zip(positions, rngs, strict=True)):
        if before_each is not None:
            before_each(position)
        try:
            yield ask(agent, position, rng, want) if given is None else _read(given[number], position, want)
        except Exception as error:
            yield error


def _counted(agent: Agent, positions: Sequence[Position], rngs: Sequence[Rng], want: Want) -> list[Decision]:
    """The decisions of `decide`; AgentError unless there is one for each position."""
    given = list(agent.decide(positions, rngs, want))
    if len(given) != len(positions):
        raise AgentError(f"it returned {len(given)} moves for {counted(len(positions), 'position')}")
    return given


def _read(decision: Decision, position: Position, want: Want) -> Decision:
    """The parts of a decision that are wanted, checked; errors as for `ask`."""
    if want is not Want.CHOICES:
        analysis = decision.analysis if want is Want.ANALYSIS else None
        return Decision(_legal(decision.move, position), (), analysis)
    choices = tuple(sorted({_legal(move, position) for move in decision.choices}))
    return Decision(choices[0] if choices else NO_MOVE, choices)


def _legal(answer: int, position: Position) -> int:
    """A move, of any library's integer type, as a plain int; IllegalMoveError if illegal, AgentError if not a whole number."""
    try:
        move = int.__index__(operator.index(answer))  # the int itself, even of a subclass that overrides __index__
    except TypeError:
        raise AgentError(_no_move(answer)) from None
    position.require_legal(move)
    return move


def _no_move(answer: object) -> str:
    kind = type(answer)
    shown = f"the text {shortened(repr(answer), _MOST_SHOWN)}" if kind is str else f"a value of type {kind.__name__}"
    named = ", and position.rules.cell_of gives that of a square" if kind is str else ""
    return f"its move is {shown}: choose must return the number of a cell, one of position.legal_moves{named}"


def _moves_of(decision: Decision) -> tuple[int, ...]:
    return decision.choices or (decision.move,)


def _thought(decision: Decision, position: Position) -> SearchResult:
    """The analysis of a decision, or one that holds only the move."""
    if decision.analysis is not None:
        return decision.analysis
    move = decision.move
    moves = tuple(MoveResult(cell, int(cell == move), 0.0) for cell in position.legal_moves)
    return SearchResult(move, 0.0, Kind.ESTIMATE, moves, (move,), 1)


def _says(agent: Agent, name: str, default: bool) -> bool:
    """An optional bool attribute of an agent."""
    try:
        return getattr(agent, name, default) is True
    except Exception as error:
        raise AgentFailedError(f"the agent failed to report whether it is {name}: {one_line(error)}") from error


def _where(position: Position) -> str:
    moves = " ".join(map(position.rules.name_of, position.moves))
    return f"in {position.rules} {'after ' + moves if moves else 'at the start'}"


def _reordered(position: Position) -> Position:
    """The same position, reached by another order of its moves if there is one.

    Before a game is over, only closed boards hold a complete line. So an order is legal if each side keeps its
    own moves and the move that closed a board remains the last on it.
    """
    size, moves = position.rules.board_size, position.moves
    last_on = {move // size: move for move in moves}
    closing = [move for board, move in last_on.items() if board in position.closed]
    others = [move for move in reversed(moves) if move not in closing]
    if position.rules.marks == "own":
        sides = [moves[side::2][::-1] for side in (0, 1)]
        others = [sides[ply % 2][ply // 2] for ply in range(len(moves))]
    return replace(position, moves=(*others, *closing))
