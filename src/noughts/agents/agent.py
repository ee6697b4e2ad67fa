"""What an agent is: anything with a `choose` method. A class of yours needs no base class to play here."""

import operator
from typing import Protocol, runtime_checkable

from noughts.positions import Position, Rng
from noughts.search import Kind, MoveResult, SearchResult


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


def choose_legal(agent: Agent, position: Position, rng: Rng) -> int:
    """The agent's move, as a plain int; whatever it raises is raised, and IllegalMoveError if the move is illegal."""
    move = operator.index(agent.choose(position, rng))
    position.require_legal(move)
    return move


def analyse(agent: Agent, position: Position, rng: Rng) -> SearchResult:
    """What an agent thinks of a position; of one that cannot say, only the move it chooses."""
    if isinstance(agent, AnalysingAgent):
        return agent.analyse(position, rng)
    move = choose_legal(agent, position, rng)
    moves = tuple(MoveResult(cell, int(cell == move), 0.0) for cell in position.legal_moves)
    return SearchResult(move, 0.0, Kind.ESTIMATE, moves, (move,), 1)
