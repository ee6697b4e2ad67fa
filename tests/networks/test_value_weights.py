"""Value networks are saved and read back the same to the last bit, and other files are rejected."""

import json
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

from noughts.networks.errors import NetworkError
from noughts.networks.value_network import VALUE_WEIGHTS, load_values, save_values
from noughts.rules import parse_rules
from tests.networks.value_networks import random_network

RULES = parse_rules("mnk(2,2,2)")
MEAN, BEST = random_network(RULES, 1), random_network(RULES, 2)
ABOUT = {"method": "es", "iteration": 7, "tie_tolerance": 1e-6}


def test_round_trip() -> None:
    content = save_values({"mean": MEAN, "best": BEST}, ABOUT)
    assert content == save_values({"mean": MEAN, "best": BEST}, dict(reversed(ABOUT.items())))
    networks, about = load_values({VALUE_WEIGHTS: content, "other": b""})
    assert about == ABOUT
    assert set(networks) == {"mean", "best"}
    for network, expected in ((networks["mean"], MEAN), (networks["best"], BEST)):
        assert network.widths == expected.widths == (8, 3, 2, 1)
        assert network.parameters.dtype == np.float64
        assert network.parameters.tobytes() == expected.parameters.tobytes()


def saved(arrays: dict[str, Any], described: Any) -> bytes:
    """A file with this content, valid or not."""
    return safetensors.numpy.save(arrays, metadata={"noughts": json.dumps(described)})


GOOD = {"widths": [8, 3, 2, 1], "about": {}}


def test_the_unchanged_file_is_read() -> None:
    networks, _ = load_values({VALUE_WEIGHTS: saved({"mean": MEAN.parameters}, GOOD)})
    assert networks["mean"].parameters.tobytes() == MEAN.parameters.tobytes()


@pytest.mark.parametrize(
    "content",
    [
        safetensors.numpy.save({"mean": MEAN.parameters}),
        safetensors.numpy.save({"mean": MEAN.parameters}, metadata={"noughts": "[1]"}),
        saved({"mean": MEAN.parameters}, {"about": {}}),
        saved({"mean": MEAN.parameters}, {**GOOD, "widths": 8}),
        saved({"mean": MEAN.parameters}, {**GOOD, "widths": ["many", 1]}),
        saved({"mean": MEAN.parameters}, {**GOOD, "widths": [8, 3, 3, 1]}),
        saved({"mean": MEAN.parameters}, {**GOOD, "widths": []}),
        saved({"mean": MEAN.parameters}, {**GOOD, "about": 3}),
        saved({"mean": MEAN.parameters[:-1]}, GOOD),
        saved({"mean": MEAN.parameters, "best": BEST.parameters[:-1]}, GOOD),
        saved({}, GOOD),
        saved({"mean": MEAN.parameters}, GOOD)[:-1],
        saved({"mean": MEAN.parameters}, GOOD) + b"more",
    ],
)
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises(NetworkError, match=rf"^{VALUE_WEIGHTS} is not a file of weights: ") as caught:
        load_values({VALUE_WEIGHTS: content})
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_rejected() -> None:
    with pytest.raises(NetworkError, match=r"value.safetensors is missing among a, b"):
        load_values({"b": b"", "a": b""})
