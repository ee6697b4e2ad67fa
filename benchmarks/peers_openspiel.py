"""OpenSpiel (the `open_spiel` package): C++ playouts and C++ UCT through its bots, and its Python loops.

Its gomoku, with a size and a length, is its fastest m,n,k game; `mnk` is the game of that name.
"""

import random
from typing import Any

from benchmarks.case import PLAYOUTS_3, PLAYOUTS_7, PLAYOUTS_15, UCT_3, UCT_1000, UCT_10000, Case, Group, Work
from benchmarks.ours import PYTHON

GOMOKU_7 = "gomoku(size=7,connect=4)"
MNK_7 = "mnk(m=7,n=7,k=4)"
GOMOKU_15 = "gomoku(size=15,connect=5)"
TIC_TAC_TOE = "tic_tac_toe"

_MODULES = ("pyspiel",)


def cases() -> list[Case]:
    """All cases of OpenSpiel."""
    return [
        _playouts(PLAYOUTS_7, GOMOKU_7),
        _playouts(PLAYOUTS_7, MNK_7),
        _python_loop(PLAYOUTS_7, GOMOKU_7),
        _playouts(PLAYOUTS_3, TIC_TAC_TOE),
        _python_loop(PLAYOUTS_3, TIC_TAC_TOE),
        _playouts(PLAYOUTS_15, GOMOKU_15),
        _uct(UCT_1000, GOMOKU_7, 1_000),
        _uct(UCT_1000, MNK_7, 1_000),
        _python_uct(UCT_1000, GOMOKU_7, 1_000),
        _uct(UCT_10000, GOMOKU_7, 10_000),
        _uct(UCT_10000, MNK_7, 10_000),
        _uct(UCT_3, TIC_TAC_TOE, 1_000),
        _python_uct(UCT_3, TIC_TAC_TOE, 1_000),
    ]


def _bot(game: Any, simulations: int, playouts: int) -> Any:
    """OpenSpiel's C++ MCTS: c = 1, 1000 MB, no solver, not verbose."""
    import pyspiel

    return pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(playouts, 1), 1.0, simulations, 1000, False, 1, False)


def _playouts(group: Group, name: str) -> Case:
    games = 1_000

    def prepare() -> Work:
        import pyspiel

        game = pyspiel.load_game(name)
        bot, start = _bot(game, simulations=1, playouts=games), game.new_initial_state()

        def chunk() -> int:
            bot.step(start)
            return games

        return Work(chunk)

    call = (
        f"`RandomRolloutEvaluator({games})` of `{name}`, asked by an `MCTSBot` whose one simulation evaluates the "
        f"empty board: {games:,} games in C++ a call, without Python in between"
    )
    return Case(group, f"OpenSpiel `{name}`, C++", call, prepare, _MODULES)


def _python_loop(group: Group, name: str) -> Case:
    def prepare() -> Work:
        import pyspiel

        game, draw = pyspiel.load_game(name), random.Random(1).random

        def chunk() -> int:
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
            return 1

        return Work(chunk)

    call = (
        f"a Python loop over `legal_actions` and `apply_action` of `{name}`'s C++ state, moves drawn by `random.Random`"
    )
    return Case(group, f"OpenSpiel `{name}`, Python loop", call, prepare, _MODULES, alike=PYTHON)


def _uct(group: Group, name: str, simulations: int) -> Case:
    def prepare() -> Work:
        import pyspiel

        game = pyspiel.load_game(name)
        bot, start = _bot(game, simulations, playouts=1), game.new_initial_state()

        def chunk() -> int:
            bot.step(start)
            return simulations

        return Work(chunk)

    call = (
        f"C++ `MCTSBot.step` on the empty board of `{name}`: uct_c=1, solver off, `RandomRolloutEvaluator(1)`, "
        "so one random playout a simulation"
    )
    return Case(group, f"OpenSpiel `{name}`, C++", call, prepare, _MODULES)


def _python_uct(group: Group, name: str, simulations: int) -> Case:
    def prepare() -> Work:
        import numpy as np
        import pyspiel
        from open_spiel.python.algorithms import mcts

        game, rng = pyspiel.load_game(name), np.random.RandomState(1)
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        bot = mcts.MCTSBot(game, 1.0, simulations, evaluator, solve=False, random_state=rng)
        start = game.new_initial_state()

        def chunk() -> int:
            bot.step(start)
            return simulations

        return Work(chunk)

    call = (
        f"`open_spiel.python.algorithms.mcts.MCTSBot.step` on the empty board of `{name}`: uct_c=1, solver off, "
        "its Python `RandomRolloutEvaluator(1)`"
    )
    return Case(group, f"OpenSpiel `{name}`, Python", call, prepare, _MODULES)
