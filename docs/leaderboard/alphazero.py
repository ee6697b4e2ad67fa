"""OpenSpiel's own AlphaZero, trained by its example, as an agent: openspiel:alphazero.py:alphazero,folder=RUN,step=26."""

import json
from functools import lru_cache
from pathlib import Path

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.algorithms.alpha_zero.evaluator import AlphaZeroEvaluator
from open_spiel.python.algorithms.alpha_zero.model_linen import Model
from open_spiel.python.policy import Policy


@lru_cache(maxsize=1)
def trained(folder, step):
    """The settings of a training, and an evaluator with the weights after so many steps."""
    config = json.loads(Path(folder, "config.json").read_text())
    model = Model.build_model(
        config["nn_model"],
        config["observation_shape"],
        config["output_size"],
        config["nn_width"],
        config["nn_depth"],
        config["weight_decay"],
        config["learning_rate"],
        str(Path(folder).absolute()),
    )
    model.load_checkpoint(step)
    return config, AlphaZeroEvaluator(pyspiel.load_game(config["game"]), model)


class AlphaZero(Policy):
    """The most visited move of a search without noise; without simulations, the move with the largest prior."""

    def __init__(self, game, folder, step, sims):
        super().__init__(game, [0, 1])
        self.config, self.evaluator = trained(folder, step)
        self.sims = self.config["max_simulations"] if sims < 0 else sims
        if list(game.observation_tensor_shape()) != self.config["observation_shape"]:
            raise ValueError(f"it was trained on {self.config['game']}, and serves no other size of board")

    def action_probabilities(self, state, player_id=None):
        """One move; the search shuffles moves with a fixed seed, so it is always the same one."""
        if self.sims == 0:
            return {max(self.evaluator.prior(state), key=lambda move: move[1])[0]: 1.0}
        search = mcts.MCTSBot(
            self.game,
            self.config["uct_c"],
            self.sims,
            self.evaluator,
            solve=False,
            random_state=np.random.RandomState(0),
            child_selection_fn=mcts.SearchNode.puct_value,
            dont_return_chance_node=True,
        )
        return {search.mcts_search(state).best_child().action: 1.0}


def alphazero(game, player, rng, folder="run", step=26, sims=-1):
    """The agent; `sims` below 0 are the simulations of the training."""
    return AlphaZero(game, folder, step, sims)
