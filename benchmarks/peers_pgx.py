"""Pgx: tic-tac-toe in JAX, many games at once. It has no m,n,k game on a larger board."""

from typing import Any

from benchmarks.case import PLAYOUTS_3, Case, Work
from benchmarks.jax_playouts import Draw, JaxGame, fastest, one_uniform
from benchmarks.ours import JAX

_MODULES = ("jax", "pgx")


def cases() -> list[Case]:
    """Two cases: as a user would write it, and with our faster draw, which favours it."""

    def its_own(key: Any, legal: Any) -> Any:
        from pgx.experimental import act_randomly

        return act_randomly(key, legal)

    return [
        _playouts("Pgx, its own draw", its_own, "`pgx.experimental.act_randomly`"),
        _playouts("Pgx, our quicker draw", one_uniform, "the same one uniform number a move as noughts' JAX"),
    ]


def _playouts(program: str, draw: Draw, drawn_by: str) -> Case:
    def prepare() -> Work:
        import pgx

        env: Any = pgx.make("tic_tac_toe")
        return fastest(
            JaxGame(
                init=env.init,
                step=env.step,
                is_over=lambda state: state.terminated | state.truncated,
                legal=lambda state: state.legal_action_mask,
            ),
            draw,
        )

    call = (
        '`pgx.make("tic_tac_toe")`, `jax.jit(jax.vmap(step))` in the same compiled loop as noughts\' JAX, moves drawn '
        f"by {drawn_by}; games that ended are counted, compiling is not timed"
    )
    return Case(PLAYOUTS_3, program, call, prepare, _MODULES, alike=JAX)
