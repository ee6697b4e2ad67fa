"""Runs with the weights of small untrained models."""

from typing import Any

from noughts.networks.options import ModelSettings
from noughts.rules import parse_rules
from tests.agents.runs import make_run

GAME = "mnk(2,3,2,bricks=A2)"


def make_model_run(name: str, rules: str = GAME, network: str = "mlp:widths=8", **settings: Any) -> None:
    """Make a run in the store, at iteration 3."""
    import jax

    from noughts.networks.network import BoardShape
    from noughts.networks.spec import make_model, parse_network
    from noughts.networks.weights import save_network

    spec, board = parse_network(network), BoardShape.of([parse_rules(rules)])
    model = make_model(spec, board, jax.random.key(5), ModelSettings(**settings))
    make_run(name, {3: save_network(model, spec, board, {})}, method="mz")
