"""Random value networks of every scale for the tests, and one that caches its predictions."""

from dataclasses import dataclass, field

import numpy as np

from noughts.networks.value_network import ValueNetwork, hidden_widths, parameter_count
from noughts.positions import Position
from noughts.rules import Rules


def random_network(rules: Rules, seed: int, widths: tuple[int, ...] = (3, 2)) -> ValueNetwork:
    """A network with zero, small, ordinary, large or integer weights, so that many moves are equal."""
    layers, generator = hidden_widths(widths, rules), np.random.default_rng(seed)
    parameters = generator.standard_normal(parameter_count(layers)) * (0.0, 0.1, 1.0, 30.0, 1.0)[seed % 5]
    return ValueNetwork(layers, np.round(parameters) if seed % 5 == 4 else parameters)


@dataclass(frozen=True)
class Remembering(ValueNetwork):
    """The same network with a cache, for tests that evaluate the same positions of one game repeatedly."""

    known: dict[tuple[bytes, frozenset[int]], float] = field(default_factory=dict)

    def value(self, position: Position) -> float:
        key = position.cells, position.closed
        if key not in self.known:
            self.known[key] = super().value(position)
        return self.known[key]


def remembering(network: ValueNetwork) -> Remembering:
    return Remembering(network.widths, network.parameters)
