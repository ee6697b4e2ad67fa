"""Weights are saved and read back the same, and other files are rejected."""

import json
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import safetensors.numpy

from noughts.networks.errors import NetworkError
from noughts.networks.network import BoardShape
from noughts.networks.spec import parse_network
from noughts.networks.weights import WEIGHTS, from_arrays, load_network, save_network, to_arrays
from noughts.networks.weights_file import loaded_weights, save_weights
from noughts.rules import parse_rules
from tests.networks.asking import made

RULES = parse_rules("mnk(3,4,3,bricks=A2)")
BOARD = BoardShape.of([RULES])


@pytest.mark.parametrize(
    "text", ["line:features=4,blocks=1", "resnet:channels=4,blocks=1,heads=dense", "mlp:widths=5,norm=batch"]
)
def test_round_trip(text: str) -> None:
    network = made(text, RULES)
    content = save_network(network, parse_network(text), BOARD, {"iteration": "7"})
    assert content == save_network(network, parse_network(text), BOARD, {"iteration": "7"})
    loaded = load_network({WEIGHTS: content, "other": b""})
    assert (loaded.spec, loaded.board, loaded.about) == (parse_network(text), BOARD, {"iteration": "7"})
    assert eqx.tree_equal(network, loaded.network)  # every array and every setting


def saved(change: dict[str, Any], about: dict[str, str]) -> dict[str, bytes]:
    """A file of weights with some arrays and some of the metadata replaced."""
    network = made("mlp:widths=5", RULES)
    arrays = {**to_arrays(network), **change}
    described = {"network": "mlp:widths=5", "board": json.dumps(BOARD), **about}
    text = json.dumps({name: value for name, value in described.items() if value})
    kept = {name: array for name, array in arrays.items() if array is not None}
    return {WEIGHTS: safetensors.numpy.save(kept, {"noughts": text})}


FIRST = ".body[0][0].weight"


@pytest.mark.parametrize(
    ("change", "about", "said"),
    [
        ({FIRST: None}, {}, f"array {FIRST} is missing"),
        ({FIRST: np.zeros((5, 48), np.float32)}, {}, "is float32[5, 48], and should be float32[48, 5]"),
        ({FIRST: np.zeros((48, 5), np.float64)}, {}, "is float64[48, 5], and should be float32[48, 5]"),
        ({"more": np.zeros(1, np.float32)}, {}, "array more belongs to no part of it"),
        ({}, {"network": ""}, ""),
        ({}, {"network": "perceptron"}, ""),
        ({}, {"network": "mlp:widths=6"}, ""),
        *(
            ({}, {"board": board}, "")
            for board in (
                *("", "3, 4", "[3, 4, 1]", "[3, 4, 1, 3]", '["3", 4, 1, [3]]', "[3, 4, 1, [null]]"),
                *("[3, 4, 0, [3]]", "[3, 1e9, 1, [3]]", "[3, 999999999999, 1, [3]]"),
            )
        ),
    ],
)
def test_other_arrays_and_descriptions_are_refused(change: dict[str, Any], about: dict[str, str], said: str) -> None:
    with pytest.raises(NetworkError) as caught:
        load_network(saved(change, about))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"short",
        b"\xff" * 100,
        b"\x02" + b"\0" * 7 + b"[]",
        b"\x02" + b"\0" * 7 + b"{}",
        saved({}, {})[WEIGHTS][:-1],
    ],
)
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises(NetworkError):
        load_network({WEIGHTS: content})


def test_random_keys_and_non_arrays_survive() -> None:
    tree = {"key": jax.random.key(3), "name": "some text", "count": jnp.int32(4), "nothing": None}
    back = from_arrays(tree, to_arrays(tree))
    assert back["name"] == "some text"
    assert int(back["count"]) == 4
    assert jax.random.uniform(back["key"]) == jax.random.uniform(tree["key"])


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_non_finite_numbers_are_rejected(number: float) -> None:
    content = save_weights({"a": np.zeros(3, np.float32), "b": np.array([1.0, number], np.float32)}, {})
    refused = "w is not a file of weights: b holds a number that is infinite or none"
    with pytest.raises(NetworkError, match=refused), loaded_weights({"w": content}, "w"):
        pass


def test_a_header_that_is_nested_too_deeply_is_refused() -> None:
    for deep in (b'{"a":' * 200_000, b"[" * 200_000, json.dumps({"__metadata__": {"noughts": "[" * 200_000}}).encode()):
        content = len(deep).to_bytes(8, "little") + deep
        with pytest.raises(NetworkError, match="w is not a file of weights: "), loaded_weights({"w": content}, "w"):
            pass
