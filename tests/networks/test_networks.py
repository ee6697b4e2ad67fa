"""Properties of all networks, and the convolutional and the fully connected ones."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from noughts.networks.graph import neighbours
from noughts.networks.grids import line_features
from noughts.networks.layers import BatchNorm, pool, trainable
from noughts.networks.network import BoardShape, Network, Observation, count_parameters
from noughts.networks.resnet import ResNet
from noughts.positions import Position
from noughts.rules import line_table, parse_rules
from tests.networks.asking import ask, batch_norms, made, predict, seen_in, shapes, some_positions

SMALL = parse_rules("mnk(3,4,3,bricks=A2)")


def test_the_paper_s_network_has_as_many_parameters_as_its_table() -> None:
    network = shapes("resnet:preset=paper", parse_rules("bttt(D4)"))
    assert sum(leaf.size for leaf in jax.tree.leaves(network)) == 912_939
    assert isinstance(network, ResNet)
    assert network.options.slope == 0.3  # of the leaky rectifier


def test_parameters_are_counted() -> None:
    layers, norm_with_statistics = (12 * 5 + 5) + (5 * 12 + 12) + (5 + 1), 4 * 5
    assert count_parameters(made("mlp:widths=5,inputs=signed,norm=batch", SMALL)) == layers + norm_with_statistics


TEXTS = (
    "line:features=4,blocks=2",
    "line:features=4,blocks=0,knots=1,bricks=feature",
    "resnet:channels=4,blocks=1",
    "resnet:channels=4,blocks=1,norm=none,kernel=4,heads=dense,planes=3",
    "resnet:channels=4,blocks=0,norm=layer",
    "resnet:channels=4,blocks=0,norm=none,features=lines",
    "graph:features=4,rounds=2",
    "mlp:widths=none",
    "mlp:widths=6x5,policy_widths=4,value_widths=3,norm=layer",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_position_has_one_logit_per_cell_and_one_value(text: str) -> None:
    network = made(text, SMALL)
    logits, value = ask(network, some_positions(SMALL, 5))
    assert logits.shape == (5, 12)
    assert value.shape == (5,)
    assert logits.dtype == value.dtype == np.float32
    assert np.isfinite(logits).all()
    assert (np.abs(value) <= 1).all()
    assert logits.std() > 0
    assert value.std() > 0
    assert network.refusal(SMALL) is None


@pytest.mark.parametrize("text", [TEXTS[0], "resnet:channels=4,blocks=1", "mlp:widths=6,norm=batch"])
def test_outside_training_a_position_does_not_depend_on_its_batch(text: str) -> None:
    network, positions = made(text, SMALL), some_positions(SMALL, 5)
    logits, value = ask(network, positions)
    turned_logits, turned_value = ask(network, positions[::-1])
    np.testing.assert_array_equal(turned_logits[::-1], logits)
    np.testing.assert_array_equal(turned_value[::-1], value)


def test_most_networks_see_who_moves_first() -> None:
    positions = some_positions(SMALL, 3)
    seen, board = seen_in(positions)
    other = seen._replace(planes=seen.planes.at[..., 3].set(1 - seen.planes[..., 3]))

    def differs(text: str) -> bool:
        network = made(text, SMALL)
        return bool((predict(network, seen, board).value != predict(network, other, board).value).any())

    assert differs("line:features=4,blocks=1")
    assert differs("mlp:widths=6")
    assert not differs("mlp:widths=6,inputs=signed")
    assert not differs("resnet:channels=4,blocks=0,planes=3")


BOARDS = {
    "same": SMALL,
    "other bricks": parse_rules("mnk(3,4,3,bricks=B2+C1)"),
    "no bricks": parse_rules("mnk(3,4,3)"),
    "turned": parse_rules("mnk(4,3,3)"),
    "two boards": parse_rules("notakto(3,boards=2)"),
    "joined": parse_rules("mnk(3,4,3,wrap=columns)"),
}
SERVED = {
    "line:features=4": set(BOARDS),
    "graph:features=4": set(BOARDS),
    "resnet:channels=4,blocks=0": set(BOARDS) - {"two boards", "joined"},
    "resnet:channels=4,blocks=0,heads=dense": {"same", "other bricks", "no bricks", "joined"},
    "mlp:widths=4": {"same", "other bricks", "no bricks", "joined"},
    "mlp:widths=4,inputs=signed": {"no bricks", "joined"},
}


@pytest.mark.parametrize("text", SERVED)
def test_which_games_weights_fit(text: str) -> None:
    network = shapes(text, SMALL)
    refusals = {name: network.refusal(rules) for name, rules in BOARDS.items()}
    assert {name for name, why in refusals.items() if why is None} == SERVED[text]
    assert all("\n" not in why for why in refusals.values() if why)


@pytest.mark.parametrize(
    ("text", "game"),
    [
        *((TEXTS[0], game) for game in ("mnk(1,1,1)", "mnk(2,2,3,lineless=true)", "notakto(3,boards=3)")),
        ("resnet:channels=4,blocks=1", "mnk(5,5,4)"),
    ],
)
def test_the_same_weights_work_on_another_board(text: str, game: str) -> None:
    rules = parse_rules(game)
    logits, value = ask(made(text, SMALL), some_positions(rules, 2))
    assert logits.shape == (2, rules.size)
    assert value.shape == (2,)
    assert np.isfinite(logits).all()
    assert np.isfinite(value).all()


def test_batch_norm_uses_batch_statistics_only_in_training() -> None:
    norm = BatchNorm(3, epsilon=0.1, momentum=0.75)
    rng = np.random.default_rng(0)
    x = rng.normal(2, 3, (5, 4, 3)).astype(np.float32)
    flat = x.reshape(20, 3)
    mean, variance = flat.mean(0), flat.var(0)
    y, after = norm(jnp.asarray(x), True)
    np.testing.assert_allclose(y, (x - mean) / np.sqrt(variance + 0.1), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(after.mean, 0.25 * mean, rtol=1e-5)
    np.testing.assert_allclose(after.variance, 0.75 + 0.25 * variance, rtol=1e-5)
    in_play, same = after(jnp.asarray(x), False)
    assert same is after
    np.testing.assert_allclose(in_play, (x - after.mean) / np.sqrt(after.variance + 0.1), rtol=1e-4, atol=1e-5)


def test_running_statistics_are_no_weights_and_only_training_moves_them() -> None:
    network, positions = made("resnet:channels=4,blocks=1", SMALL), some_positions(SMALL, 4)
    seen, board = seen_in(positions)
    marks = trainable(network)
    assert sum(not mark for mark in jax.tree.leaves(marks)) == 2 * len(batch_norms(network)) > 0

    @eqx.filter_jit
    def both(network: Network, seen: Observation) -> tuple[Network, Network]:
        return network.apply(seen, board, True)[1], network.apply(seen, board, False)[1]

    trained, played = both(network, seen)
    assert all(np.array_equal(a, b) for a, b in zip(jax.tree.leaves(network), jax.tree.leaves(played), strict=True))
    changed = jax.tree.map(lambda a, b: not np.array_equal(a, b), network, trained)
    assert jax.tree.leaves(changed) == [not mark for mark in jax.tree.leaves(marks)]


def test_pooling_ignores_unusable_cells() -> None:
    x = np.array([[[[1.0], [5.0], [-3.0]]], [[[1.0], [5.0], [-3.0]]]], np.float32)
    usable = np.array([[[1.0, 0.0, 1.0]], [[0.0, 0.0, 0.0]]], np.float32)
    np.testing.assert_allclose(pool(jnp.asarray(x), jnp.asarray(usable)), [[-1, 1], [0, 0]])


def test_rectified_logits_are_the_plain_ones_clipped_at_zero() -> None:
    """A key gives the same weights, whether the logits are rectified or not."""
    positions = some_positions(SMALL, 8)
    plain, _ = ask(made("mlp:widths=6", SMALL), positions)
    rectified, _ = ask(made("mlp:widths=6,rectified_logits=true", SMALL), positions)
    assert (plain < 0).any()
    np.testing.assert_array_equal(rectified, np.maximum(plain, 0.0))


def test_line_features_count_the_marks_on_lines_through_each_cell() -> None:
    rules = parse_rules("mnk(3,4,3,bricks=B2)")
    position = Position.start(rules, (0, 11, 1, 7))  # own marks on A1 and A2, the opponent's on C4 and B4
    seen, board = seen_in([position])
    found = np.asarray(line_features(seen, board))[0].reshape(12, 2, 3)
    lines = line_table(rules).cells
    for cell in range(12):
        for who, (own, other) in enumerate((({0, 1}, {7, 11}), ({7, 11}, {0, 1}))):
            through = [set(line) for line in lines if cell in line and other.isdisjoint(line)]
            held = [len(own & line) for line in through]
            expected = (len(through) / 12, max(held, default=0) / 3, float(2 in held))
            np.testing.assert_allclose(found[cell, who], expected, rtol=1e-6)


def test_a_graph_network_reads_adjacent_cells_but_not_through_a_brick() -> None:
    assert neighbours(2, 2, 1, "none").tolist() == [
        [[1, 4, 2, 4], [4, 0, 3, 4], [3, 4, 4, 0], [4, 2, 4, 1]],
        [[3, 4, 4, 4], [4, 2, 4, 4], [4, 4, 1, 4], [4, 4, 4, 0]],
    ]
    assert neighbours(1, 3, 1, "columns")[0, 0].tolist() == [1, 2, 3, 3]
    rules = parse_rules("mnk(1,7,3,bricks=A4)")
    network = made("graph:features=4,rounds=3", rules)
    board = BoardShape.of([rules])
    seen, _ = seen_in([Position.start(rules)])
    planes = seen.planes.at[0, 0, 0, 0].set(1.0)  # a mark on one side of the brick
    before, after = (predict(network, seen._replace(planes=p), board).logits[0] for p in (seen.planes, planes))
    changed = np.flatnonzero(np.asarray(before != after))
    assert set(changed) <= {0, 1, 2}
    assert {0, 1} <= set(changed)


def test_the_gradient_of_a_maximum_goes_to_one_usable_cell() -> None:
    x = jnp.asarray([[[[1.0], [5.0], [5.0], [9.0]]]])
    usable = jnp.asarray([[[1.0, 1.0, 1.0, 0.0]]])
    gradient = jax.grad(lambda x: pool(x, usable)[0, 1])(x)
    np.testing.assert_array_equal(gradient.ravel(), [0, 1, 0, 0])
