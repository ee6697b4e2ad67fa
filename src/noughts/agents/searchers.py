"""Agents that search: each combines a search with its options."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial

from noughts.agents.agent import Decision, OneByOne, Want, grouped
from noughts.agents.asking import choose, is_shared
from noughts.agents.registry import build_agent
from noughts.agents.spec import AgentSpec
from noughts.positions import Position, Rng
from noughts.rules import Rules
from noughts.search import SearchResult
from noughts.search.best_moves import best_moves
from noughts.search.evaluators import find_evaluator
from noughts.search.mcts import Pick, mcts, mcts_stepwise
from noughts.search.mcts_trace import trace_mcts
from noughts.search.minimax import Ties, minimax, minimax_stepwise, one_of_equal
from noughts.search.montecarlo import flat_monte_carlo, flat_monte_carlo_stepwise, omniscient_stepwise
from noughts.search.patterns import PATTERN_TABLES, PatternTable
from noughts.search.result import Kind, MoveResult, last
from noughts.search.threat_search import refusal, threat_search, threat_search_stepwise
from noughts.search.trace import Trace
from noughts.solvers.fours import Fours

_ONE_CELL = Position.start(Rules(rows=1, cols=1, k=1))
"""Here each search is run once when its first agent is built, so that its machine code is loaded or compiled before a move."""


class MinimaxAgent:
    """Alpha-beta to a fixed depth."""

    def __init__(self, depth: int, ties: Ties, eval: str) -> None:
        self.depth, self.ties, self.eval = depth, ties, eval
        self._evaluator = find_evaluator(eval)
        # An omniscient adversary requests the same positions many times.
        self._remembered = lru_cache(maxsize=1 << 16)(lambda position: self._search([position])[0])
        _load_minimax()

    @property
    def symmetric(self) -> bool:
        """Whether it treats symmetric moves alike: the built-in evaluators do, but ``ties=first`` does not, and a third-party
        evaluator may not."""
        return self.ties == "random" and self.eval in PATTERN_TABLES

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
        """One of the choices: all moves of best score, or the first of them if ``ties=first``.

        The choices in a position that is requested alone are cached.
        """
        if want is Want.ANALYSIS:
            return [self._analysed(position, rng) for position, rng in zip(positions, rngs, strict=True)]
        if len(positions) == 1:
            best = [self._remembered(positions[0])]
        else:
            best = grouped(positions, lambda position: position.rules, self._search)
        if want is Want.CHOICES:
            return [Decision(moves[0], moves if self.ties == "random" else moves[:1]) for moves in best]
        return [Decision(one_of_equal(moves, self.ties, rng)) for moves, rng in zip(best, rngs, strict=True)]

    def analyse_stepwise(self, position: Position, rng: Rng, expired: Callable[[], bool]) -> Iterator[SearchResult]:
        """Yield the analysis, a ply deeper at each step."""
        evaluator = self._evaluator(position.rules)
        if isinstance(evaluator, PatternTable):
            yield from minimax_stepwise(position, self.depth, evaluator, self.ties, rng, expired)
        else:
            yield minimax(position, self.depth, evaluator, self.ties, rng)

    def _analysed(self, position: Position, rng: Rng) -> Decision:
        found = minimax(position, self.depth, self._evaluator(position.rules), self.ties, rng)
        return Decision(found.move, analysis=found)

    def _search(self, positions: Sequence[Position]) -> list[tuple[int, ...]]:
        """All moves of best score in each position; the positions are of one game."""
        evaluator = self._evaluator(positions[0].rules)
        if isinstance(evaluator, PatternTable):
            return best_moves(positions, self.depth, evaluator)
        found = [minimax(position, self.depth, evaluator, "first") for position in positions]
        return [tuple(sorted(move.move for move in each.moves if move.kind is not Kind.UPPER)) for each in found]


@cache
def _load_minimax() -> None:
    evaluator = PATTERN_TABLES["none"](_ONE_CELL.rules)
    minimax(_ONE_CELL, 1, evaluator, "first")
    best_moves([_ONE_CELL], 1, evaluator)


class Searcher(OneByOne):
    """Starts a new search for every move.

    Args:
        search: Takes the position and the generator; yields the results so far, and last the final result.
        shared: See `Agent`.
        trace: Shows the tree that the search grows, see `asking.trace`; None if it grows none.
        called: Its name in errors of `asking.trace`.
    """

    def __init__(
        self,
        search: Callable[[Position, Rng], Iterator[SearchResult]],
        shared: bool = True,
        trace: Callable[[Position, int, Rng], Trace] | None = None,
        called: str = "",
    ) -> None:
        self._search, self.shared, self.trace, self.called = search, shared, trace, called

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """The move that the search found."""
        found = last(self._search(position, rng))
        return Decision(found.move, analysis=found)

    def analyse_stepwise(self, position: Position, rng: Rng, expired: Callable[[], bool]) -> Iterator[SearchResult]:
        """Yield the analysis as the search goes on."""
        yield from self._search(position, rng)


def monte_carlo_tree(sims: int, c: float, pick: Pick) -> Searcher:
    """UCT with a fixed number of iterations, from an empty tree for each move. Plays the move of most visits or best mean."""
    _load_mcts()
    return Searcher(
        lambda position, rng: mcts_stepwise(position, sims, c, rng, pick),
        trace=lambda position, simulations, rng: trace_mcts(position, simulations, c, rng, pick, sims),
        called=f"mcts:sims={sims}",
    )


@cache
def _load_mcts() -> None:
    mcts(_ONE_CELL, 1, 1.0, Rng())


class ThreatsAgent(OneByOne):
    """Wins by continuous fours (VCF) if the solver proves that; else alpha-beta over the moves that make or answer threats."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self._solver = lru_cache(maxsize=1)(lambda rules: Fours(rules, _FOURS_BYTES))
        _load_threat_search()

    def refusal(self, rules: Rules) -> str | None:
        """Why it cannot play a game; None if it can. A line must win, and each side needs its own marks."""
        return refusal(rules)

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """The move of best score; deterministic."""
        found = self._by_fours(position) or threat_search(position, self.nodes)
        return Decision(found.move, analysis=found)

    def name_choices(self, position: Position) -> tuple[int, ...]:
        """The only move of `decide_one`."""
        return (self.decide_one(position, Rng(), Want.MOVE).move,)

    def analyse_stepwise(self, position: Position, rng: Rng, expired: Callable[[], bool]) -> Iterator[SearchResult]:
        """Yield the analysis, a ply deeper at each step."""
        by_fours = self._by_fours(position)
        yield from [by_fours] if by_fours else threat_search_stepwise(position, self.nodes, expired)

    def _by_fours(self, position: Position) -> SearchResult | None:
        """The proof of a win by continuous fours; None if the solver finds none."""
        if (chain := self._solver(position.rules).win(position)) is None:
            return None
        _, winning = chain
        moves = tuple(
            MoveResult(move, 0, *((1.0, Kind.EXACT) if move == winning else (0.0, Kind.ESTIMATE)))
            for move in position.legal_moves
        )
        return SearchResult(winning, 1.0, Kind.EXACT, moves, (winning,), 0)


_FOURS_BYTES = 1 << 24
"""Memory for the results that the solver of fours caches."""


@cache
def _load_threat_search() -> None:
    Fours(_ONE_CELL.rules, _FOURS_BYTES).win(_ONE_CELL)
    threat_search(_ONE_CELL, 1)


def monte_carlo(sims: int) -> Searcher:
    """The agent of the best mean of random games."""
    _load_flat_monte_carlo()
    return Searcher(lambda position, rng: flat_monte_carlo_stepwise(position, sims, rng))


@cache
def _load_flat_monte_carlo() -> None:
    flat_monte_carlo(_ONE_CELL, 1, Rng())


def omniscient(sims: int, inside: AgentSpec) -> Searcher:
    """The agent that foresees its opponent's replies, because it queries the opponent's agent."""
    opponent = build_agent(inside)
    reply = partial(choose, opponent)
    return Searcher(lambda position, rng: omniscient_stepwise(position, sims, reply, rng), is_shared(opponent))
