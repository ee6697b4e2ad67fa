"""Training runs for the tests: folders with weights of small networks and models, untrained or unevolved."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jax

from noughts.networks.network import BoardShape
from noughts.networks.options import ModelSettings
from noughts.networks.spec import make_model, make_network, parse_network
from noughts.networks.value_network import VALUE_WEIGHTS, ValueNetwork, save_values
from noughts.networks.weights import save_network
from noughts.rules import parse_rules
from noughts.store.run_folder import RunFolder, training_folder
from tests.networks.value_networks import random_network

MEAN, BEST = (random_network(parse_rules("tic-tac-toe"), seed) for seed in (2, 7))
"""The networks of `evolved_run`."""


def make_run(
    name: str, iterations: dict[int, bytes], folder: Path | None = None, method: str = "az", task: str = "tic-tac-toe"
) -> RunFolder:
    """Make a run with these weights by iteration, in the store or in a folder."""
    run = RunFolder.create(
        folder or training_folder() / name,
        method=method,
        task=task,
        config={},
        seed=0,
        created=datetime(2024, 1, 1, tzinfo=UTC),
    )
    for iteration, weights in iterations.items():
        run.weights.save(iteration, {"weights.safetensors": weights})
    return run


def weights(seed: int, rules: str = "tic-tac-toe", network: str = "mlp", **about: str) -> bytes:
    """A file of weights."""
    spec, board = parse_network(network), BoardShape.of([parse_rules(rules)])
    return save_network(make_network(spec, board, jax.random.key(seed)), spec, board, about)


MODEL_GAME = "mnk(2,3,2,bricks=A2)"
"""The game of `make_model_run`."""


def make_model_run(name: str, rules: str = MODEL_GAME, **settings: Any) -> None:
    """Make a run of a model in the store, at iteration 3."""
    spec, board = parse_network("mlp:widths=8"), BoardShape.of([parse_rules(rules)])
    model = make_model(spec, board, jax.random.key(5), ModelSettings(**settings))
    make_run(name, {3: save_network(model, spec, board, {})}, method="mz")


def evolved_run(name: str, mean: ValueNetwork = MEAN, best: ValueNetwork = BEST, iteration: int = 1) -> RunFolder:
    """Make a run of evolution with such weights."""
    run = make_run(name, {}, method="es")
    run.weights.save(iteration, {VALUE_WEIGHTS: save_values({"mean": mean, "best": best}, {"tie_tolerance": 1e-6})})
    return run
