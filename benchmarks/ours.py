"""The cases of noughts: playouts on each of its backends, UCT searches, and the four agents of the BTTT paper."""

import random
from collections.abc import Callable

from benchmarks.case import (
    MOVES,
    PLAYOUTS_3,
    PLAYOUTS_7,
    PLAYOUTS_15,
    PLAYOUTS_OTHER,
    UCT_3,
    UCT_1000,
    UCT_10000,
    Case,
    Group,
    Work,
)
from benchmarks.jax_playouts import JaxGame, fastest, one_uniform

COMPILED = "noughts, compiled by Numba"
JAX = "noughts, JAX"
PYTHON = "noughts, Python `Position`"

# The agents of the BTTT paper, and how many of their moves are one chunk, because clocks cannot time a few µs.
_PAPER_AGENTS = {"Random": 1000, "MCTS 1000": 1, "MCTS 10000": 1, "Minimax": 1}


def cases() -> list[Case]:
    """All cases of noughts."""
    return [
        _compiled(PLAYOUTS_7, "mnk(7,7,4)"),
        _jax(PLAYOUTS_7, "mnk(7,7,4)"),
        _python(PLAYOUTS_7, "mnk(7,7,4)"),
        _compiled(PLAYOUTS_3, "tic-tac-toe"),
        _jax(PLAYOUTS_3, "tic-tac-toe"),
        _python(PLAYOUTS_3, "tic-tac-toe"),
        _compiled(PLAYOUTS_15, "gomoku"),
        _compiled(PLAYOUTS_OTHER, "bttt(D4)", "noughts, bttt(D4)"),
        _compiled(PLAYOUTS_OTHER, "notakto(4)", "noughts, notakto(4)"),
        _uct(UCT_1000, "mnk(7,7,4)", 1_000),
        _uct(UCT_10000, "mnk(7,7,4)", 10_000),
        _uct(UCT_3, "tic-tac-toe", 1_000),
        *_opening_moves(),
    ]


def _compiled(group: Group, game: str, program: str = COMPILED) -> Case:
    games = 10_000

    def prepare() -> Work:
        import numpy as np

        from noughts.positions import Position
        from noughts.positions.kernels import board_at, new_board, rollouts, tables
        from noughts.rules import parse_rules

        rules = parse_rules(game)
        table, board, scratch = tables(rules), board_at(Position.start(rules)), new_board(rules)
        rng, tally = np.ones(1, np.uint64), np.zeros(4, np.int64)

        def chunk() -> int:
            rollouts(table, board, scratch, games, rng, tally)
            return games

        return Work(chunk)

    call = f"`noughts.positions.kernels.rollouts` on `{game}`, {games:,} games from the empty board a call"
    return Case(group, program, call, prepare)


def _jax(group: Group, game: str) -> Case:
    def prepare() -> Work:
        from noughts.positions.batched import Batched, rules_arrays
        from noughts.rules import parse_rules

        rules = parse_rules(game)
        env, arrays = Batched.of(rules), rules_arrays(rules)
        return fastest(
            JaxGame(
                init=lambda key: env.init(arrays),
                step=env.step,
                is_over=lambda state: state.is_terminal,
                legal=lambda state: state.legal_action_mask,
            ),
            one_uniform,
        )

    call = (
        f"`noughts.positions.batched.Batched` on `{game}`, `jax.jit(jax.vmap(step))` in a compiled loop, moves drawn "
        "with one uniform number each; games that ended are counted"
    )
    return Case(group, JAX, call, prepare)


def _python(group: Group, game: str) -> Case:
    def prepare() -> Work:
        from noughts.positions import Position
        from noughts.rules import parse_rules

        rules, draw = parse_rules(game), random.Random(1).random

        def chunk() -> int:
            position = Position.start(rules)
            while not position.is_over:
                legal = position.legal_moves
                position = position.play(legal[int(draw() * len(legal))])
            return 1

        return Work(chunk)

    call = f"a Python loop over `Position.legal_moves` and `Position.play` on `{game}`, moves drawn by `random.Random`"
    return Case(group, PYTHON, call, prepare)


def _uct(group: Group, game: str, simulations: int) -> Case:
    agent = f"mcts:sims={simulations}"

    def prepare() -> Work:
        choose = _chooser(agent, game)

        def chunk() -> int:
            choose()
            return simulations

        return Work(chunk)

    call = (
        f'`choose(build_agent("{agent}"), ...)` on the empty board of `{game}`, all of its Python included; '
        "one random playout a simulation"
    )
    return Case(group, COMPILED, call, prepare)


def _opening_moves() -> list[Case]:
    from noughts.studies.bttt_tournament import LINE_UP, TABLE_5

    return [_opening_move(name, str(LINE_UP[name]), moves, TABLE_5[name]) for name, moves in _PAPER_AGENTS.items()]


def _opening_move(name: str, agent: str, moves: int, paper_seconds: float) -> Case:
    def prepare() -> Work:
        choose = _chooser(agent, "bttt(D4)")

        def chunk() -> int:
            for _ in range(moves):
                choose()
            return moves

        return Work(chunk)

    call = f'`choose(build_agent("{agent}"), ...)` on the empty board of `bttt(D4)`'
    if name == "Minimax":
        call += ", asked of a new agent each time, so that none answers from memory"
    return Case(MOVES, name, call, prepare, paper_seconds=paper_seconds)


def _chooser(agent: str, game: str) -> Callable[[], int]:
    """A function that lets an agent choose a move on the empty board."""
    from noughts.agents import build_agent, choose
    from noughts.positions import Position, Rng
    from noughts.rules import parse_rules

    player, position, rng = build_agent(agent), Position.start(parse_rules(game)), Rng(1)
    if not agent.startswith("minimax"):
        return lambda: choose(player, position, rng)
    return lambda: choose(build_agent(agent), position, rng)
