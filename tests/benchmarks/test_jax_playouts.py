"""The JAX loops that noughts and Pgx share."""

import jax
import jax.numpy as jnp
import pytest

from benchmarks import jax_playouts
from benchmarks.jax_playouts import JaxGame, one_uniform


def test_the_quick_draw_is_uniform_over_legal_moves() -> None:
    legal = jnp.array([[False, True, True, False, True]] * 6000 + [[False, False, False, False, True]] * 100)
    drawn = one_uniform(jax.random.key(0), legal)
    counts = jnp.bincount(drawn[:6000], length=5)
    assert counts[0] == counts[3] == 0
    assert all(1800 < int(counts[cell]) < 2200 for cell in (1, 2, 4))
    assert (drawn[6000:] == 4).all()


@pytest.mark.parametrize("make", [jax_playouts.whole_loop, jax_playouts.steady_loop])
def test_ended_games_are_counted(make: object) -> None:
    # A game of exactly four moves: 64 steps of 8 games end 16 games each.
    game = JaxGame(
        init=lambda key: jnp.zeros((), jnp.int32),
        step=lambda state, action: state + 1,
        is_over=lambda state: state >= 4,
        legal=lambda state: jnp.ones((*state.shape, 3), jnp.bool_),
    )
    chunk = make(game, one_uniform, 8)  # type: ignore[operator]
    expected = 8 if make is jax_playouts.whole_loop else 8 * jax_playouts.STEADY_STEPS // 4
    assert [chunk(), chunk()] == [expected, expected]
