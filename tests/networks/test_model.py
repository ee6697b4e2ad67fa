"""Learned models of every kind of network: each option of a kind makes a model, or is rejected in one line.

Only shapes are computed; nothing is compiled. Training tests cover what models learn.
"""

from collections.abc import Iterator
from typing import Literal, get_args, get_origin

import equinox as eqx
import jax
import jax.numpy as jnp
import mctx
import pytest

from noughts.networks.errors import NetworkError
from noughts.networks.model import without_marks
from noughts.networks.network import BoardShape
from noughts.networks.options import NETWORKS, ModelSettings
from noughts.networks.spec import make_model, parse_network
from noughts.positions import Position
from noughts.rules import parse_rules
from tests.networks.asking import seen_in

RULES = parse_rules("mnk(3,4,3)")
NO_MODEL = {"graph", "mlp:rectified_logits=true"}


def every_choice() -> Iterator[str]:
    """Each kind with its defaults, and with each other choice of an option that has few."""
    for name, kind in NETWORKS.items():
        yield name
        for option, field in kind.model_fields.items():
            of = field.annotation
            choices = (True, False) if of is bool else get_args(of) if get_origin(of) is Literal else ()
            for choice in choices:
                if choice != field.default:
                    yield f"{name}:{option}={str(choice).lower()}"


@pytest.mark.heavy
@pytest.mark.parametrize("text", list(every_choice()))
def test_every_kind_and_option_makes_a_model_that_imagines(text: str) -> None:
    seen, board = seen_in([Position.start(RULES), Position.start(RULES, (0,))])
    settings = ModelSettings(ends="learned", legality="learned", decoder="loss", consistency=True)

    def imagined() -> tuple[jax.Array, tuple[mctx.RecurrentFnOutput, jax.Array]]:
        model = make_model(parse_network(text), BoardShape.of([RULES]), jax.random.key(0), settings)
        latent, model = model.represent(seen, board, training=True)
        return latent, model.imagine(latent, jnp.zeros(2, jnp.int32), without_marks(seen), board)

    if text.startswith(tuple(NO_MODEL)):
        with pytest.raises(NetworkError, match="learned model"):
            eqx.filter_eval_shape(imagined)
        return
    latent, (found, after) = eqx.filter_eval_shape(imagined)
    assert after.shape == latent.shape
    assert found.prior_logits.shape == (2, 12)
    assert found.value.shape == found.reward.shape == (2,)


def test_every_choice_is_tested_and_most_have_a_model() -> None:
    tried = list(every_choice())
    assert {"resnet:features=lines", "line:bricks=feature", "mlp:norm=batch"} <= set(tried)
    assert set(tried) >= NO_MODEL
