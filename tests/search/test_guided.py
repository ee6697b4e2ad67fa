"""Search guided by a network: equal to a slow readable PUCT, legal, and independent of the batch."""

import math
from functools import cache
from typing import Self

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from noughts.networks.network import Array, BoardShape, Network, Observation, Prediction
from noughts.networks.spec import make_network, parse_network
from noughts.positions import Position
from noughts.rules import Rules, parse_rules
from noughts.search.guided import GuidedSearch
from noughts.search.result import Kind
from noughts.search.settings import SearchSettings
from noughts.search.tree import BatchedSearchResult
from tests.networks.asking import some_positions

GAME = parse_rules("mnk(3,3,3,bricks=A2)")
WORDS = np.random.default_rng(0).normal(size=(3, 9, 10)).astype(np.float32)


class Stub(Network):
    """A fake network: a fixed linear map of each cell's content; the same in NumPy and in JAX."""

    words: Array

    def __init__(self, loudness: float = 1.0) -> None:
        self.words = jnp.asarray(loudness * WORDS)

    def apply(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Prediction, Self]:
        del board, training
        planes = seen.planes.reshape(seen.planes.shape[0], 9, 4)
        said = jnp.einsum("bcp,pcw->bw", planes[:, :, :3], self.words)
        return Prediction(said[:, :9], jnp.tanh(said[:, 9])), self

    def refusal(self, rules: Rules) -> str | None:
        return None if rules.size == 9 else "it knows nine cells"


def opinion(position: Position) -> tuple[dict[int, float], float]:
    """The stub's policy over legal moves and its value, for the side to move."""
    mine = 1 if position.rules.marks == "shared" else 1 + position.to_move
    index = {mine: 0, 3 - mine: 1, 3: 2}
    said = sum(WORDS[index[content], cell] for cell, content in enumerate(position.cells) if content) + np.zeros(10)
    powers = {move: math.exp(said[move]) for move in position.legal_moves}
    return {move: power / sum(powers.values()) for move, power in powers.items()}, math.tanh(said[9])


class Node:
    """A position in the tree, with the results of its moves, for the side to move."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.prior, self.value = opinion(position)
        self.visits = dict.fromkeys(position.legal_moves, 0)
        self.totals = dict.fromkeys(position.legal_moves, 0.0)
        self.children: dict[int, Node] = {}

    def simulate(self, c_init: float, c_base: float) -> float:
        """Run one simulation from here; return its value for the side to move here."""
        count = sum(self.visits.values())
        c = c_init + math.log((count + c_base + 1) / c_base)

        def score(move: int) -> float:
            visits = self.visits[move]
            mean = self.totals[move] / visits if visits else 0.0
            return mean + c * self.prior[move] * math.sqrt(max(count, 1)) / (1 + visits)

        move = max(self.visits, key=score)
        after = self.position.play(move)
        if after.is_over:
            value = float(after.outcome.value(self.position.to_move))
        elif move in self.children:
            value = -self.children[move].simulate(c_init, c_base)
        else:
            self.children[move] = Node(after)
            value = -self.children[move].value
        self.visits[move] += 1
        self.totals[move] += value
        return value


@cache
def searcher(method: str, simulations: int = 48, terminal: str = "result") -> GuidedSearch:
    settings = SearchSettings(method=method, simulations=simulations, terminal=terminal, c_init=1.5, c_base=50.0)
    return GuidedSearch(Stub(), settings)


def found_in(search: GuidedSearch, positions: list[Position]) -> list[BatchedSearchResult]:
    return [found for _, found in search.find(positions)]


FAMILY = (
    GAME,
    parse_rules("mnk(3,3,3,line=loses)"),
    parse_rules("mnk(3,3,3,marks=shared,line=loses)"),
    parse_rules("mnk(3,3,3,marks=shared,full=second,bricks=C3)"),
)
POSITIONS = [position for rules in FAMILY for position in some_positions(rules, 6, seed=1)]


def test_puct_equals_the_readable_one() -> None:
    for position, found in zip(POSITIONS, found_in(searcher("puct"), POSITIONS), strict=True):
        root = Node(position)
        values = [root.simulate(1.5, 50.0) for _ in range(48)]
        expected = np.zeros(9)
        expected[list(root.visits)] = list(root.visits.values())
        np.testing.assert_array_equal(found.visits, expected, str(position))
        np.testing.assert_allclose(found.policy, expected / 48, atol=1e-6)
        assert found.value == pytest.approx((root.value + sum(values)) / 49, abs=1e-4)
        for move, visits in root.visits.items():
            assert found.prior[move] == pytest.approx(root.prior[move], abs=1e-5)
            assert found.move_values[move] == pytest.approx(root.totals[move] / max(visits, 1), abs=1e-4)
        assert root.visits[int(found.move)] == max(root.visits.values())


@pytest.mark.parametrize("method", ["gumbel", "puct"])
def test_moves_are_legal_and_targets_are_distributions_over_legal_moves(method: str) -> None:
    for position, found in zip(POSITIONS, found_in(searcher(method), POSITIONS), strict=True):
        legal = np.zeros(9, np.bool_)
        legal[list(position.legal_moves)] = True
        assert legal[found.move]
        assert (found.policy[~legal] == 0).all()
        assert (found.prior[~legal] == 0).all()
        assert (found.visits[~legal] == 0).all()
        assert found.visits.sum() == 48
        assert found.policy.sum() == pytest.approx(1, abs=1e-5)
        assert (found.policy >= 0).all()
        (result,) = searcher(method).search([position])
        assert [move.move for move in result.moves] == list(position.legal_moves)
        assert result.kind is Kind.ESTIMATE
        assert result.principal_variation[0] == result.move == found.move
        Position.start(position.rules, (*position.moves, *result.principal_variation))  # raises if a move is illegal


def require_independence_of_the_batch_and_the_time(search: GuidedSearch, positions: list[Position]) -> None:
    together = found_in(search, positions)
    backwards = found_in(search, positions[::-1])[::-1]
    alone = [found_in(search, [position])[0] for position in positions]
    for others in (backwards, alone, found_in(search, positions)):
        jax.tree.map(np.testing.assert_array_equal, together, others)


@pytest.mark.parametrize("method", ["gumbel", "puct"])
def test_results_do_not_depend_on_the_batch_or_the_time(method: str) -> None:
    require_independence_of_the_batch_and_the_time(searcher(method), POSITIONS)


@pytest.mark.heavy
@pytest.mark.parametrize("kind", ["line", "resnet"])
def test_what_a_network_that_learns_finds_does_not_depend_on_the_company(kind: str) -> None:
    """On a board of an odd number of cells, whose rows in a product are those that a batch can leave over."""
    rules = parse_rules("tic-tac-toe")
    network = make_network(parse_network(kind), BoardShape.of({rules}), jax.random.key(1))
    network = jax.tree.map(lambda array: 3 * array, network)  # with larger outputs than an untrained network
    search = GuidedSearch(network, SearchSettings(simulations=16))
    require_independence_of_the_batch_and_the_time(search, some_positions(rules, 100, seed=1))


@pytest.mark.parametrize("method", ["gumbel", pytest.param("puct", marks=pytest.mark.slow)])
def test_the_mistake_evaluates_finished_games_with_the_network(method: str) -> None:
    position = Position.start(parse_rules("mnk(3,3,3)"), (0, 1, 2, 4, 3, 5, 7, 6))
    (found,) = found_in(searcher(method, terminal="network"), [position])
    _, says = opinion(position.play(8))
    assert found.move_values[8] == pytest.approx(-says, abs=1e-4)
    assert abs(says) > 0.01


def test_without_simulations_the_policy_is_played() -> None:
    for position, found in zip(POSITIONS, found_in(searcher("gumbel", simulations=0), POSITIONS), strict=True):
        prior, value = opinion(position)
        assert found.move == max(prior, key=lambda move: prior[move])
        assert found.value == pytest.approx(value, abs=1e-5)
        for move, share in prior.items():
            assert found.policy[move] == pytest.approx(share, abs=1e-5)
        assert found.visits.sum() == 0
