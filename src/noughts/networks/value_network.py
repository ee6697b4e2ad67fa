"""`ValueNetwork`: the value of a position, by dense layers with tanh, and its weights in a file. Evolution trains it.

BetaZero by CMA-ES: 18 inputs, two hidden layers of 18, one output, 703 parameters. No gradient is needed, so its weights
are one vector. There are two implementations: `ValueNetwork` reads like the paper, `evaluate` is a kernel. Both add the
same numbers in the same order, so their values are equal to the last bit.

    input i               cell i is held by the side that has just moved
    input cells + i       cell i is held by the side to move
    both                  cell i is unusable: a brick, or free on a closed board of several
    shared marks          every mark counts as that of the side that has just moved

So the network's input is the position *after* a move, also if the game is over. The value is from the point of view of the
side that made the move. No input marks the end of the game: on a single board only the marks show it.

Parameters of a layer of n inputs and m units: weights[n][m], input by input, and then m biases; layer after layer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.networks.weights_file import loaded_weights, require_method, save_weights
from noughts.positions.numba_kernel import kernel
from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, Position
from noughts.rules import Rules

Parameters = NDArray[np.float64]

VALUE_WEIGHTS = "value.safetensors"
"""The name of a file of value networks."""

_DOUBLINGS = 8
_SATURATED = 19.0  # beyond it tanh is 1 to the last bit
_SCALE = 2.0 / (1 << _DOUBLINGS)


def _tanh(x: float) -> float:
    """The hyperbolic tangent within 1e-13, by operations that round alike on all machines.

    e^z - 1 of a small z by its series, with the argument doubled eight times: e^2z - 1 = (e^z - 1)(e^z - 1 + 2). The tanh of
    libraries differs in the last bit between libraries, and is slower, because compilers can vectorise this one.
    """
    z = _SCALE * min(max(x, -_SATURATED), _SATURATED)
    q = 1.0 + z * (1.0 / 8)
    q = 1.0 + z * (1.0 / 7) * q
    q = 1.0 + z * (1.0 / 6) * q
    q = 1.0 + z * (1.0 / 5) * q
    q = 1.0 + z * (1.0 / 4) * q
    q = 1.0 + z * (1.0 / 3) * q
    q = 1.0 + z * (1.0 / 2) * q
    q = z * q
    for _ in range(_DOUBLINGS):
        q = q * (q + 2.0)
    return q / (q + 2.0)


tanh = kernel(_tanh)


def hidden_widths(widths: Sequence[int], rules: Rules) -> tuple[int, ...]:
    """The widths of all layers, inputs first. Hidden layers have the given widths; by default, two have that of the input."""
    inputs = 2 * rules.size
    return (inputs, *(widths or (inputs, inputs)), 1)


def parameter_count(widths: Sequence[int]) -> int:
    """The number of parameters in a network of these layers: 703 for (18, 18, 18, 1)."""
    return sum((inputs + 1) * units for inputs, units in pairwise(widths))


def active_inputs(position: Position) -> list[int]:
    """The inputs that are 1, ascending; see the table above."""
    rules, size = position.rules, position.rules.size
    mover_mark = FIRST_MARK if rules.marks == "shared" else FIRST_MARK + position.to_move.other
    moved, to_move = [], []
    for cell, content in enumerate(position.cells):
        closed = rules.boards > 1 and cell // rules.board_size in position.closed
        unusable = content == BRICK or (content == EMPTY and closed)
        if content == mover_mark or unusable:
            moved.append(cell)
        if content not in (EMPTY, mover_mark) or unusable:
            to_move.append(size + cell)
    return moved + to_move


@dataclass(frozen=True)
class ValueNetwork:
    """A network of dense layers.

    Attributes:
        widths: The widths of its layers, inputs first and the one output last.
        parameters: float64 [parameter_count(widths)].
    """

    widths: tuple[int, ...]
    parameters: Parameters

    def __post_init__(self) -> None:
        wanted = (parameter_count(self.widths),)
        if self.parameters.shape != wanted or self.parameters.dtype != np.float64:
            raise ValueError(
                f"parameters {self.parameters.dtype}{list(self.parameters.shape)}: give float64{list(wanted)}"
            )

    def value(self, position: Position) -> float:
        """The value of a position for the side that has just moved, from -1 to +1."""
        layer = [0.0] * self.widths[0]
        for index in active_inputs(position):
            layer[index] = 1.0
        start = 0
        for inputs, units in pairwise(self.widths):
            biases = start + inputs * units
            sums = [float(bias) for bias in self.parameters[biases : biases + units]]
            for number, entry in enumerate(layer):
                if entry != 0.0:
                    weights = self.parameters[start + number * units : start + (number + 1) * units]
                    sums = [total + entry * float(weight) for total, weight in zip(sums, weights, strict=True)]
            layer = list(map(_tanh, sums))
            start = biases + units
        return layer[0]

    def values(self, position: Position) -> dict[int, float]:
        """The value of each legal move for the side to move, by cell."""
        return {move: self.value(position.play(move)) for move in position.legal_moves}

    def refusal(self, rules: Rules) -> str | None:
        """Why it does not support `rules`; None if it does."""
        if 2 * rules.size != self.widths[0]:
            return f"it sees boards of {self.widths[0] // 2} cells, and this one has {rules.size}"
        return None


def best_of(values: dict[int, float], tolerance: float) -> tuple[int, ...]:
    """The moves whose values are within `tolerance` of the best, ascending."""
    best = max(values.values())
    return tuple(sorted(move for move, value in values.items() if best - value <= tolerance))


@kernel
def evaluate(widths, parameters, active, count, layer, sums):  # type: ignore[no-untyped-def]
    """`ValueNetwork.value`.

    Args:
        widths: int64 [layers + 1].
        parameters: float64.
        active, count: The inputs that are 1, ascending, int32, and their number.
        layer, sums: Scratch arrays, float64, as long as the widest layer.
    """
    start = 0
    for number in range(widths.size - 1):
        inputs, units = widths[number], widths[number + 1]
        biases = start + inputs * units
        for unit in range(units):
            sums[unit] = parameters[biases + unit]
        if number == 0:
            for place in range(count):
                row = start + active[place] * units
                for unit in range(units):
                    sums[unit] += parameters[row + unit]
        else:
            for entry in range(inputs):
                row, value = start + entry * units, layer[entry]
                for unit in range(units):
                    sums[unit] += value * parameters[row + unit]
        for unit in range(units):
            layer[unit] = tanh(sums[unit])
        start = biases + units
    return layer[0]


def room(widths: Sequence[int]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The scratch arrays for `evaluate`: active [inputs], layer and sums."""
    widest = max(widths[1:])
    return np.empty(widths[0], np.int32), np.empty(widest), np.empty(widest)


def save_values(networks: Mapping[str, ValueNetwork], about: Mapping[str, Any]) -> bytes:
    """The file's content: networks of one shape by name, and JSON values."""
    widths = next(iter(networks.values())).widths
    arrays = {name: network.parameters for name, network in networks.items()}
    return save_weights(arrays, {"widths": widths, "about": dict(about)})


def load_values(files: Mapping[str, bytes]) -> tuple[dict[str, ValueNetwork], dict[str, Any]]:
    """The networks in a file called `VALUE_WEIGHTS`, and the JSON values saved with them.

    Raises:
        NetworkError: the file is missing, invalid or of another method.
    """
    with loaded_weights(files, VALUE_WEIGHTS) as (arrays, described):
        require_method(described, "es")
        widths, about = tuple(map(int, described["widths"])), dict(described["about"])
        networks = {name: ValueNetwork(widths, array.astype(np.float64)) for name, array in arrays.items()}
        if not networks:
            raise ValueError("it holds no network")
    return networks, about
