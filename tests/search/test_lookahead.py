"""One ply ahead: values and best moves are the network's own evaluations of the next positions."""

from itertools import groupby
from random import Random

import numpy as np

from noughts.networks.value_network import active_inputs, best_of
from noughts.positions import Position
from noughts.positions.kernels import board_at, tables
from noughts.rules import parse_rules
from noughts.search import Kind
from noughts.search.lookahead import LookAhead, look, value_moves
from tests.networks.value_networks import random_network
from tests.positions.reached import played_out
from tests.rules.strategies import random_rules
from tests.search.cases import positions

TOLERANCES = (0.0, 1e-6, 1e-2, 0.5, 2.0)


def test_values_and_choices_are_the_networks_own() -> None:
    several = 0
    for number, (rules, group) in enumerate(groupby(positions(12), key=lambda position: position.rules)):
        asked = list(group)
        for seed in range(number, number + 3):
            network = random_network(rules, seed)
            values = [network.values(position) for position in asked]
            ahead = LookAhead(network, 0.0)
            worths = ahead.worths(asked)
            assert worths.shape == (len(asked), rules.size)
            for row, expected in zip(worths, values, strict=True):
                assert {int(cell): row[cell] for cell in np.flatnonzero(~np.isnan(row))} == expected
            for tolerance in TOLERANCES:
                choices = LookAhead(network, tolerance).choices(asked)
                assert choices == [best_of(expected, tolerance) for expected in values]
                several += sum(len(moves) > 1 for moves in choices)
    assert several > 100
    assert ahead.choices([]) == []


def test_a_given_move_is_reported_with_its_value() -> None:
    position = Position.start(parse_rules("tic-tac-toe"), (4, 0))
    network = random_network(position.rules, 2)
    values = network.values(position)
    found = LookAhead(network, 2.0).search(position, 7)
    assert (found.move, found.value, found.kind, found.nodes) == (7, values[7], Kind.ESTIMATE, 7)
    assert found.principal_variation == (7,)
    assert {move.move: move.value for move in found.moves} == values
    assert tuple(move.move for move in found.moves) == position.legal_moves


def test_the_kernel_equals_the_readable_search_and_restores_the_board() -> None:
    rng, closed = Random(7), 0
    for _ in range(60):
        rules = random_rules(rng)
        if rules.size > 60:
            continue
        network, game = random_network(rules, 2), tables(rules)
        for position in played_out(rules, rng):
            board, closed = board_at(position), closed + bool(position.closed)
            active = np.full(2 * rules.size, -1, np.int32)
            count = look(game, board, active)
            assert active[:count].tolist() == active_inputs(position)
            if position.is_over:
                break
            before = [array.copy() for array in board]
            layer, sums, worth = np.empty(3), np.empty(3), np.full(rules.size, np.nan)
            widths = np.array(network.widths, np.int64)
            best = value_moves(game, board, widths, network.parameters, active, layer, sums, worth)
            values = network.values(position)
            assert {int(cell): worth[cell] for cell in np.flatnonzero(~np.isnan(worth))} == values
            assert best == max(values.values())
            for array, copy in zip(board, before, strict=True):
                np.testing.assert_array_equal(array, copy)
    assert closed > 20
