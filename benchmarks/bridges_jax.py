"""Steps a second of our Pgx environments and of Pgx's own: many games at once, compiled, every step counted.

`noughts.bridges.pgx` is timed as its users call it, with Pgx's wrapper that starts a new game when one ends.
"""

from typing import Any

from benchmarks.case import Case, Group, Work
from benchmarks.jax_playouts import one_uniform

STEPS_3 = Group(
    "steps-tic-tac-toe",
    "Environments of Pgx: steps of tic-tac-toe, 1,024 games at once",
    "steps",
    target=1,
    beside_all=True,
)
"""The group of these cases."""

OURS = "noughts, environment of Pgx"

_GAMES = 1024
_STEPS = 256  # of each game in a chunk


def steps_ours() -> Case:
    """The case of noughts."""
    return _steps(OURS, '`noughts.bridges.pgx.make("tic-tac-toe")`', _ours, ())


def steps_theirs() -> Case:
    """The case of Pgx."""
    return _steps("Pgx `tic_tac_toe`", '`pgx.make("tic_tac_toe")`', _theirs, ("jax", "pgx"))


def _ours() -> Any:
    import noughts.bridges.pgx

    return noughts.bridges.pgx.make("tic-tac-toe")


def _theirs() -> Any:
    import pgx

    return pgx.make("tic_tac_toe")


def _steps(program: str, made_by: str, make: Any, modules: tuple[str, ...]) -> Case:
    def prepare() -> Work:
        import jax
        from pgx.experimental import auto_reset

        env = make()
        step = jax.vmap(auto_reset(env.step, env.init))

        @jax.jit
        def play(state: Any, key: Any) -> Any:
            def move(state: Any, key: Any) -> Any:
                drawn, begun = jax.random.split(key)
                action = one_uniform(drawn, state.legal_action_mask)
                return step(state, action, jax.random.split(begun, _GAMES)), None

            key, *keys = jax.random.split(key, 2)
            return jax.lax.scan(move, state, jax.random.split(keys[0], _STEPS))[0], key

        key = jax.random.PRNGKey(1)
        state = jax.jit(jax.vmap(env.init))(jax.random.split(key, _GAMES))

        def chunk() -> int:
            nonlocal state, key
            state, key = play(state, key)
            state.terminated.block_until_ready()
            return _GAMES * _STEPS

        return Work(chunk)

    call = (
        f"{made_by}, `jax.vmap(pgx.experimental.auto_reset(env.step, env.init))` in a compiled loop, legal moves drawn "
        "with one uniform number each"
    )
    return Case(STEPS_3, program, call, prepare, modules)
