"""Agents that search: each joins a search to its options."""

from functools import lru_cache

from noughts.agents.registry import build_agent
from noughts.agents.spec import AgentSpec
from noughts.positions import Position, Rng
from noughts.search import Kind, SearchResult
from noughts.search.mcts import Pick, mcts
from noughts.search.minimax import Ties, minimax
from noughts.search.montecarlo import flat_monte_carlo, omniscient_adversary
from noughts.search.patterns import PATTERN_TABLES


class MinimaxAgent:
    """Alpha-beta to a fixed depth."""

    def __init__(self, depth: int, ties: Ties, eval: str) -> None:
        self.depth, self.ties, self.eval = depth, ties, eval

    def choose(self, position: Position, rng: Rng) -> int:
        """One of the best moves; those of a position met before are remembered."""
        best = _best_moves(position, self.depth, self.eval)
        return best[rng.below(len(best))] if self.ties == "random" else best[0]

    def analyse(self, position: Position, rng: Rng) -> SearchResult:
        """The search behind `choose`."""
        return minimax(position, self.depth, PATTERN_TABLES[self.eval](position.rules), self.ties, rng)


@lru_cache(maxsize=1 << 16)
def _best_moves(position: Position, depth: int, evaluator: str) -> tuple[int, ...]:
    """The moves of equal best score, by cell index."""
    found = minimax(position, depth, PATTERN_TABLES[evaluator](position.rules), "first")
    return tuple(move.move for move in found.moves if move.kind is not Kind.UPPER)


def forget() -> None:
    """Drop what was remembered of earlier positions, so that a time measured next is that of a search."""
    _best_moves.cache_clear()


class MctsAgent:
    """UCT with a fixed number of iterations, from an empty tree for each move."""

    def __init__(self, sims: int, c: float, pick: Pick) -> None:
        self.sims, self.c, self.pick = sims, c, pick

    def choose(self, position: Position, rng: Rng) -> int:
        """The move visited most, or of best mean value."""
        return self.analyse(position, rng).move

    def analyse(self, position: Position, rng: Rng) -> SearchResult:
        """The search behind `choose`."""
        return mcts(position, self.sims, self.c, rng, self.pick)


class MonteCarloAgent:
    """The best mean of random games."""

    def __init__(self, sims: int) -> None:
        self.sims = sims

    def choose(self, position: Position, rng: Rng) -> int:
        """The move whose random games went best."""
        return self.analyse(position, rng).move

    def analyse(self, position: Position, rng: Rng) -> SearchResult:
        """The search behind `choose`."""
        return flat_monte_carlo(position, self.sims, rng)


class OmniscientAgent:
    """Knows how its opponent replies, because it holds the opponent's agent."""

    def __init__(self, sims: int, inside: AgentSpec) -> None:
        self.sims = sims
        self.inside = build_agent(inside)

    def choose(self, position: Position, rng: Rng) -> int:
        """The move whose games against the agent inside went best."""
        return self.analyse(position, rng).move

    def analyse(self, position: Position, rng: Rng) -> SearchResult:
        """The search behind `choose`."""
        return omniscient_adversary(position, self.sims, self.inside.choose, rng)
