"""Agents that search: each joins a search to its options."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache

from noughts.agents.registry import build_agent
from noughts.agents.spec import AgentSpec
from noughts.positions import Position, Rng
from noughts.rules import Rules
from noughts.search import SearchResult
from noughts.search.best_moves import best_moves
from noughts.search.mcts import Pick, mcts, mcts_stepwise
from noughts.search.minimax import Ties, minimax, minimax_stepwise
from noughts.search.montecarlo import (
    flat_monte_carlo,
    flat_monte_carlo_stepwise,
    omniscient_adversary,
    omniscient_stepwise,
)
from noughts.search.patterns import PATTERN_TABLES


@cache
def _load(search: Callable[[Position], object]) -> None:
    """Load or compile a search's machine code by running it once: building an agent may take time, its moves not."""
    search(Position.start(Rules(rows=1, cols=1, k=1)))


class MinimaxAgent:
    """Alpha-beta to a fixed depth."""

    def __init__(self, depth: int, ties: Ties, eval: str) -> None:
        self.depth, self.ties, self.eval = depth, ties, eval
        # Inside an omniscient adversary the same positions come again and again.
        self._best_moves = lru_cache(maxsize=1 << 16)(lambda position: self._search([position])[0])
        _load(_one_minimax)

    @property
    def symmetric(self) -> bool:
        """Whether nothing tells symmetric moves apart: scores do not, the first of equal moves does."""
        return self.ties == "random"

    def choose(self, position: Position, rng: Rng) -> int:
        """One of the best moves; this agent remembers those of positions it has met."""
        best = self._best_moves(position)
        return best[rng.below(len(best))] if self.ties == "random" else best[0]

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Rng]) -> list[int]:
        """`choose` for each position and its generator; these are not remembered."""
        found = zip(self.choices_many(positions), rngs, strict=True)
        return [best[rng.below(len(best))] if self.ties == "random" else best[0] for best, rng in found]

    def choices(self, position: Position) -> tuple[int, ...]:
        """The moves of equal best score, by cell index; the first alone if that is always taken."""
        return self._among(self._best_moves(position))

    def choices_many(self, positions: Sequence[Position]) -> list[tuple[int, ...]]:
        """`choices` for each position; these are not remembered."""
        return [self._among(best) for best in self._search(positions)]

    def analyse(self, position: Position, rng: Rng) -> SearchResult:
        """The search behind `choose`."""
        return minimax(position, self.depth, PATTERN_TABLES[self.eval](position.rules), self.ties, rng)

    def analyse_stepwise(self, position: Position, rng: Rng, expired: Callable[[], bool]) -> Iterator[SearchResult]:
        """`analyse`, a ply deeper at each step."""
        evaluator = PATTERN_TABLES[self.eval](position.rules)
        yield from minimax_stepwise(position, self.depth, evaluator, self.ties, rng, expired)

    def _among(self, best: tuple[int, ...]) -> tuple[int, ...]:
        return best if self.ties == "random" else best[:1]

    def _search(self, positions: Sequence[Position]) -> list[tuple[int, ...]]:
        """The moves of equal best score in each position."""
        return best_moves(positions, self.depth, PATTERN_TABLES[self.eval](positions[0].rules)) if positions else []


def _one_minimax(position: Position) -> None:
    minimax(position, 1, PATTERN_TABLES["none"](position.rules), "first")
    best_moves([position], 1, PATTERN_TABLES["none"](position.rules))


class MctsAgent:
    """UCT with a fixed number of iterations, from an empty tree for each move."""

    def __init__(self, sims: int, c: float, pick: Pick) -> None:
        self.sims, self.c, self.pick = sims, c, pick
        _load(_one_mcts)

    def choose(self, position: Position, rng: Rng) -> int:
        """The move visited most, or of best mean value."""
        return self.analyse(position, rng).move

    def analyse(self, position: Position, rng: Rng) -> SearchResult:
        """The search behind `choose`."""
        return mcts(position, self.sims, self.c, rng, self.pick)

    def analyse_stepwise(self, position: Position, rng: Rng, expired: Callable[[], bool]) -> Iterator[SearchResult]:
        """`analyse`, as the tree grows."""
        yield from mcts_stepwise(position, self.sims, self.c, rng, self.pick)


def _one_mcts(position: Position) -> SearchResult:
    return mcts(position, 1, 1.0, Rng())


class MonteCarloAgent:
    """The best mean of random games."""

    def __init__(self, sims: int) -> None:
        self.sims = sims
        _load(_one_flat_monte_carlo)

    def choose(self, position: Position, rng: Rng) -> int:
        """The move whose random games went best."""
        return self.analyse(position, rng).move

    def analyse(self, position: Position, rng: Rng) -> SearchResult:
        """The search behind `choose`."""
        return flat_monte_carlo(position, self.sims, rng)

    def analyse_stepwise(self, position: Position, rng: Rng, expired: Callable[[], bool]) -> Iterator[SearchResult]:
        """`analyse`, as games are played."""
        yield from flat_monte_carlo_stepwise(position, self.sims, rng)


def _one_flat_monte_carlo(position: Position) -> SearchResult:
    return flat_monte_carlo(position, 1, Rng())


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

    def analyse_stepwise(self, position: Position, rng: Rng, expired: Callable[[], bool]) -> Iterator[SearchResult]:
        """`analyse`, as games are played."""
        yield from omniscient_stepwise(position, self.sims, self.inside.choose, rng)
