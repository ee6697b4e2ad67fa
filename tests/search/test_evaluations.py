"""Cached evaluations equal new ones, are computed once, and are never returned for another position."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from noughts.networks.network import BoardShape, Observation, Prediction, observe
from noughts.positions import Position
from noughts.positions.batched import BatchedState
from noughts.rules import parse_task
from noughts.search.evaluations import Evaluations, KeptPredictions
from noughts.search.guided import guided_growth
from noughts.search.settings import SearchSettings
from noughts.search.tree import BatchedSearchResult
from tests.search.test_guided import Stub

GAMES = parse_task("mnk(3,3,3,bricks=A2) | mnk(3,3,3,full=first) | mnk(3,3,3,marks=shared,line=loses)").rules
BOARD = BoardShape.of(GAMES)


def some_states(count: int, seed: int) -> BatchedState:
    """Positions after few plies, so that many are equal."""
    drawn, found = np.random.default_rng(seed), []
    for _ in range(count):
        position = Position.start(GAMES[drawn.integers(len(GAMES))])
        for _ in range(drawn.integers(3)):
            position = position.play(int(drawn.choice(position.legal_moves)))
        found.append(position)
    return BOARD.env.states(found)


def seen_in(states: BatchedState) -> Observation:
    return observe(BOARD.env, states)


def looked_up(network: Stub, seen: Observation, wanted: jax.Array, kept: KeptPredictions) -> tuple[Prediction, Any]:
    """Predictions, and the table with these."""
    evaluations = Evaluations(BOARD, kept)
    return evaluations.of(network, seen, wanted), evaluations.kept


def of_each(states: BatchedState) -> list[bytes]:
    """The identity of each position."""
    rules = np.stack([np.asarray(array).reshape(len(states.ply), -1).sum(1) for array in states.rules[1:]], 1)
    return [cells.tobytes() + told.tobytes() for cells, told in zip(np.asarray(states.cells), rules, strict=True)]


@pytest.mark.parametrize(("places", "count"), [(1, 37), (7, 37), (1 << 10, 3)])
def test_they_are_those_of_the_network_whatever_else_has_the_same_place(places: int, count: int) -> None:
    look = jax.jit(lambda seen, wanted, kept: looked_up(Stub(), seen, wanted, kept))
    kept = KeptPredictions.empty(places, BOARD)
    for seed in range(6):
        seen = seen_in(some_states(count, seed))
        wanted = np.random.default_rng(seed).random(count) < 0.8
        said, kept = look(seen, wanted, kept)
        alone = Stub().predict(seen, BOARD)
        np.testing.assert_allclose(said.logits[wanted], alone.logits[wanted], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(said.value[wanted], alone.value[wanted], rtol=1e-5, atol=1e-5)


@pytest.mark.heavy
def test_each_position_is_evaluated_once_and_others_are_not() -> None:
    counted: list[int] = []

    class Counting(Stub):
        def predict(self, seen: Observation, board: BoardShape) -> Prediction:
            jax.debug.callback(lambda planes: counted.append(len(planes)), seen.planes)
            return super().predict(seen, board)

    counting = Counting()  # type: ignore[call-arg]  # equinox's own: `words` is set by the constructor it inherits
    states = some_states(40, 0)
    different = len(set(of_each(states)))
    look = jax.jit(lambda wanted, kept: looked_up(counting, seen_in(states), wanted, kept))
    none, kept = look(np.zeros(40, np.bool_), KeptPredictions.empty(1 << 10, BOARD))
    jax.effects_barrier()  # type: ignore[no-untyped-call]
    assert not counted
    assert not np.asarray(kept.told).any()
    assert not np.asarray(none.logits).any()
    _, kept = look(np.ones(40, np.bool_), kept)
    jax.effects_barrier()  # type: ignore[no-untyped-call]
    assert (different, counted) == (28, [16, 16])
    assert np.asarray(kept.told).any(1).sum() == different
    silent = Stub(loudness=0.0)  # what is found with it was kept
    found, _ = looked_up(silent, seen_in(states), jnp.ones(40, jnp.bool_), kept)
    np.testing.assert_allclose(found.logits, Stub().predict(seen_in(states), BOARD).logits, rtol=1e-5, atol=1e-5)


@pytest.mark.heavy
def test_a_search_with_cached_evaluations_finds_the_same() -> None:
    settings = SearchSettings(method="puct", simulations=24)
    states, key = some_states(12, 1), jax.random.key(0)

    def searched(kept: KeptPredictions) -> tuple[BatchedSearchResult, KeptPredictions | None]:
        evaluations = Evaluations(BOARD, kept)
        return guided_growth(Stub(), BOARD, states, key, settings, True, None, evaluations)[0], evaluations.kept

    plain = jax.jit(lambda: guided_growth(Stub(), BOARD, states, key, settings, True)[0])()
    found, kept = jax.jit(searched)(KeptPredictions.empty(1 << 12, BOARD))
    again, _ = jax.jit(searched)(kept)
    for name, array in plain._asdict().items():
        np.testing.assert_allclose(getattr(found, name), array, rtol=1e-4, atol=1e-5, err_msg=name)
        np.testing.assert_allclose(getattr(again, name), array, rtol=1e-4, atol=1e-5, err_msg=name)
