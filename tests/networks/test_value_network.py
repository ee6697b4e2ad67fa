"""Value networks: their inputs, their number of parameters, the kernel, which equals the readable version, and their files."""

import json
import math
from random import Random
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

from noughts.networks.errors import NetworkError
from noughts.networks.value_network import (
    VALUE_WEIGHTS,
    ValueNetwork,
    active_inputs,
    best_of,
    evaluate,
    hidden_widths,
    load_values,
    parameter_count,
    room,
    save_values,
    tanh,
)
from noughts.positions import Position
from noughts.rules import parse_rules
from tests.networks.value_networks import random_network
from tests.positions.reached import played_out
from tests.rules.strategies import random_rules

TIC_TAC_TOE = parse_rules("tic-tac-toe")


def by_kernel(network: ValueNetwork, position: Position) -> float:
    active, layer, sums = room(network.widths)
    inputs = active_inputs(position)
    active[: len(inputs)] = inputs
    active[len(inputs) :] = -1
    layer.fill(np.nan)
    sums.fill(np.nan)
    widths = np.array(network.widths, np.int64)
    return float(evaluate(widths, network.parameters, active, len(inputs), layer, sums))


def test_the_papers_network_has_703_parameters() -> None:
    widths = hidden_widths((), TIC_TAC_TOE)
    assert widths == (18, 18, 18, 1)
    assert parameter_count(widths) == 703
    assert hidden_widths((7, 3), parse_rules("notakto(4,boards=2)")) == (64, 7, 3, 1)
    assert parameter_count((64, 7, 3, 1)) == 64 * 7 + 7 + 7 * 3 + 3 + 3 + 1


def test_tanh_is_the_hyperbolic_tangent() -> None:
    rng = Random(0)
    given = [0.0, *(10.0**power for power in range(-9, 9)), 18.999, 19.0, 19.001, math.inf]
    given += [rng.uniform(-20, 20) for _ in range(3000)] + [rng.gauss(0, 0.01) for _ in range(500)]
    for x in given:
        for argument in (x, -x):
            assert abs(tanh(argument) - math.tanh(argument)) < 1e-12
        assert tanh(-x) == pytest.approx(-tanh(x), abs=1e-15)
    assert tanh(0.0) == 0.0


def test_the_kernel_equals_the_readable_network_to_the_last_bit() -> None:
    rng, several, shared, bricked = Random(3), 0, 0, 0
    for seed in range(120):
        rules = random_rules(rng)
        if rules.size > 60:
            continue
        several, shared = several + (rules.boards > 1), shared + (rules.marks == "shared" and rules.boards == 1)
        bricked += bool(rules.bricks)
        network = random_network(rules, seed, rng.choice([(), (3,), (5, 2), (4, 4, 4)]) if rules.size < 20 else (3, 2))
        for position in played_out(rules, rng)[:: 1 + rules.size // 12]:
            value = network.value(position)
            assert by_kernel(network, position) == value
            assert -1 <= value <= 1
    assert min(several, shared, bricked) > 5


def test_a_network_by_hand() -> None:
    """Two inputs on a board of one cell, two units, one output: weights input by input, then biases."""
    parameters = np.array([0.5, -1.0, 0.25, 2.0, 0.125, 0.0, 1.5, -0.5, 0.75])
    network = ValueNetwork((2, 2, 1), parameters)
    start = Position.start(parse_rules("mnk(1,1,1)"))
    hidden = [math.tanh(0.125), math.tanh(0.0)]
    assert network.value(start) == pytest.approx(math.tanh(1.5 * hidden[0] - 0.5 * hidden[1] + 0.75), abs=1e-12)
    # The first player has just moved and owns the cell: input 0.
    hidden = [math.tanh(0.125 + 0.5), math.tanh(-1.0)]
    after = math.tanh(1.5 * hidden[0] - 0.5 * hidden[1] + 0.75)
    assert network.value(start.play(0)) == pytest.approx(after, abs=1e-12)
    assert network.values(start) == {0: network.value(start.play(0))}
    # The second player's cell belongs to the mover, too: a network sees sides, not colours.
    two = Position.start(parse_rules("mnk(1,2,2)"), (0, 1))
    assert active_inputs(two) == [1, 2]


def test_every_cell_of_any_position_is_an_input() -> None:
    rng = Random(5)
    for _ in range(150):
        rules = random_rules(rng)
        for position in played_out(rules, rng)[::7]:
            seen = active_inputs(position)
            assert seen == sorted(set(seen))
            mine = 1 if rules.marks == "shared" else 1 + (position.ply + 1) % 2  # the mark of the player who just moved
            for cell, content in enumerate(position.cells):
                unusable = content == 3 or (
                    content == 0 and rules.boards > 1 and cell // rules.board_size in position.closed
                )
                assert (cell in seen) == (content == mine or unusable)
                assert (rules.size + cell in seen) == (content == 3 - mine or unusable)


def test_it_rejects_boards_of_another_size() -> None:
    network = random_network(TIC_TAC_TOE, 1)
    assert network.refusal(parse_rules("notakto(3)")) is None
    assert network.refusal(parse_rules("mnk(1,9,3)")) is None
    assert network.refusal(parse_rules("notakto(3,boards=2)")) == "it sees boards of 9 cells, and this one has 18"


def test_the_best_moves_are_those_within_the_tolerance() -> None:
    values = {7: 0.5, 2: 0.25, 4: 0.5, 0: 0.375}
    assert best_of(values, 0) == (4, 7)
    assert best_of(values, 0.124) == (4, 7)
    assert best_of(values, 0.125) == (0, 4, 7)
    assert best_of(values, 2) == (0, 2, 4, 7)


MEAN, BEST = (random_network(parse_rules("mnk(2,2,2)"), seed) for seed in (1, 2))
ABOUT = {"method": "es", "iteration": 7, "tie_tolerance": 1e-6}


def test_saved_networks_are_read_back_to_the_last_bit() -> None:
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
        saved({"mean": MEAN.parameters}, GOOD) + b"more",
    ],
)
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises(NetworkError, match=rf"^{VALUE_WEIGHTS} is not a file of weights: "):
        load_values({VALUE_WEIGHTS: content})


def test_a_missing_file_is_rejected() -> None:
    with pytest.raises(NetworkError, match=r"value.safetensors is missing among a, b"):
        load_values({"b": b"", "a": b""})
