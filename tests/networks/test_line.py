"""The line network compared with a slow readable one, and its invariances: left and right, board size, bricks."""

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from noughts.networks.grids import Grid, line_places
from noughts.networks.line import LineBlock, LineNetwork, cells_of, lines_of
from noughts.networks.network import BoardShape, Network
from noughts.networks.spec import make_network, parse_network
from noughts.networks.weights import WEIGHTS, load_network, save_network
from noughts.positions import Position
from noughts.rules import embed, parse_rules, symmetries
from noughts.rules.squares import runs_on_board
from tests.networks.asking import ask, made, some_positions, turned
from tests.rules.one_field import PAIRS

TEXT = "line:features=6,blocks=2"
ONE_BRICK = parse_rules("mnk(4,4,3,bricks=A2)")
Doubles = NDArray[np.float64]


def symmetric_pairs(network: Network, position: Position) -> Iterator[tuple[float, float]]:
    """The differences of the logits and the value between each image and the position."""
    every = symmetries(position.rules.model_copy(update={"bricks": ()}))
    logits, value = ask(network, [position, *(turned(position, symmetry) for symmetry in every)])
    for number, symmetry in enumerate(every, start=1):
        image = np.array(symmetry.image)
        yield float(np.abs(logits[number][image] - logits[0]).max()), float(abs(value[number] - value[0]))


# Lines over joined edges, some of them closed: with k as long as the side, and on two columns, where both diagonals lead
# to the same cells.
WRAPPED = [
    "mnk(3,4,3,bricks=C1,wrap=columns)", "tic-tac-toe(wrap=both)", "mnk(3,4,4,bricks=A2,wrap=both)", "mnk(4,2,3,wrap=both)",
]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "bricks"),
    [
        ("mnk(4,4,3,bricks=A2)", "absent"),
        ("mnk(4,4,3,bricks=A2)", "feature"),
        ("notakto(3,boards=2)", "absent"),
        *((game, "feature" if "bricks" in game else "absent") for game in WRAPPED),
    ],
)
def test_board_symmetries_permute_the_policy_and_preserve_the_value(game: str, bricks: str) -> None:
    rules = parse_rules(game)
    network = made(f"{TEXT},bricks={bricks}", rules)
    count = 0
    for position in some_positions(rules, 2, seed=5):
        for logit, value in symmetric_pairs(network, position):
            assert logit < 1e-5
            assert value < 1e-5
            count += 1
    assert count == 2 * len(symmetries(rules.model_copy(update={"bricks": ()})))


def test_without_reverse_reading_reflections_change_the_output() -> None:
    network = made(f"{TEXT},reverse=false", ONE_BRICK)
    position = some_positions(ONE_BRICK, 1, seed=3)[0].undo()
    far = [max(pair) for pair in symmetric_pairs(network, position)]
    assert far[0] < 1e-6  # the identity
    assert min(far[1:]) > 1e-3


@pytest.mark.parametrize("game", ["mnk(3,4,3,bricks=B2)", "mnk(3,3,3,marks=shared,line=loses)"])
def test_a_smaller_board_is_a_larger_one_with_bricks_outside(game: str) -> None:
    rules = parse_rules(game)
    large = embed(rules, 5, 6)
    network = made(TEXT, rules)
    small_ones = some_positions(rules, 4)
    moved = (tuple(move // rules.cols * 6 + move % rules.cols for move in p.moves) for p in small_ones)
    large_ones = [Position.start(large, moves) for moves in moved]
    logits, value = ask(network, small_ones)
    large_logits, large_value = ask(network, large_ones)
    inside = [row * 6 + col for row in range(rules.rows) for col in range(rules.cols)]
    playable = [cell for cell in range(rules.size) if cell not in rules.brick_cells]
    np.testing.assert_allclose(large_logits[:, inside][:, playable], logits[:, playable], atol=1e-5)
    np.testing.assert_allclose(large_value, value, atol=1e-5)
    with_feature = made(f"{TEXT},bricks=feature", rules)
    assert np.abs(ask(with_feature, large_ones)[1] - ask(with_feature, small_ones)[1]).max() > 1e-3


@pytest.mark.heavy
@pytest.mark.parametrize(
    "games",
    [
        [f"mnk(4,4,{k},bricks=A2)" for k in (2, 3, 4)],
        [f"mnk(3,4,3,wrap={wrap})" for wrap in ("none", "rows", "columns", "both")],
    ],
)
def test_games_with_different_lines_in_a_batch_keep_their_own(games: list[str]) -> None:
    network = made("line:features=4,blocks=1", ONE_BRICK)
    positions = [Position.start(parse_rules(game), (0, 2)) for game in games]
    alone = [ask(network, [position]) for position in positions]
    logits, value = ask(network, positions)
    np.testing.assert_allclose(logits, np.concatenate([found[0] for found in alone]), atol=1e-5)
    np.testing.assert_allclose(value, np.concatenate([found[1] for found in alone]), atol=1e-5)
    assert len({round(float(v), 4) for v in value}) == len(games)  # the lines matter


def test_a_closed_board_does_not_affect_the_others() -> None:
    rules = parse_rules("notakto(2,boards=2)")
    network = made(TEXT, rules)
    row, column = Position.start(rules, (0, 1)), Position.start(rules, (0, 2))  # either move closes the first board
    logits, value = ask(network, [row, column])
    np.testing.assert_allclose(logits[0, 4:], logits[1, 4:], atol=1e-6)
    assert value[0] == pytest.approx(value[1], abs=1e-6)


@pytest.mark.parametrize("field", PAIRS)
def test_every_field_of_the_rules_is_input_or_rejected(field: str) -> None:
    network = made(TEXT, ONE_BRICK)
    plain, other = PAIRS[field]
    moves = (0, 5)
    assert network.refusal(plain) is None
    if network.refusal(other) is None:
        values = [
            ask(network, [Position.start(rules, moves[: 1 if field == "bricks" else 2])])[1][0]
            for rules in (plain, other)
        ]
        assert abs(values[0] - values[1]) > 1e-5


GRIDS = [
    Grid(3, 4, 1, 3, "columns"), Grid(3, 3, 1, 3, "both"), Grid(4, 2, 2, 3, "both"), Grid(3, 4, 1, 4, "rows"),
    Grid(3, 3, 2, 3), Grid(2, 2, 1, 1), Grid(2, 2, 1, 3), Grid(1, 5, 1, 4),
]  # fmt: skip


def plainly_lines_of(products: jax.Array, grid: Grid) -> tuple[jax.Array, jax.Array]:
    """`lines_of` in plain Python."""
    cells, k = line_places(grid).cells, grid.k
    said = products.reshape(products.shape[0], -1, k, products.shape[-1])
    forwards = sum((said[:, cells[:, p], p] for p in range(k)), jnp.zeros(()))
    backwards = sum((said[:, cells[:, k - 1 - p], p] for p in range(k)), jnp.zeros(()))
    return jnp.asarray(forwards), jnp.asarray(backwards)


@pytest.mark.parametrize("grid", GRIDS)
def test_reading_and_writing_are_transposes(grid: Grid) -> None:
    rng, size, lines = np.random.default_rng(0), grid.boards * grid.rows * grid.cols, len(line_places(grid).cells)
    products, *messages = (
        jnp.asarray(rng.normal(size=(2, count, 3)).astype(np.float32)) for count in (size * grid.k, lines, lines)
    )

    @jax.jit
    def ours_and_plain(products: jax.Array, messages: tuple[jax.Array, jax.Array]) -> tuple[Any, Any]:
        read, pull_read = jax.vjp(lambda x: lines_of(x, grid), products)
        plain, pull_plain = jax.vjp(lambda x: plainly_lines_of(x, grid), products)
        written, pull_written = jax.vjp(lambda x: cells_of(x, grid), messages)
        (gradient,) = pull_plain(messages)  # JAX's own
        return (read, pull_read(messages)[0], written, pull_written(products)[0]), (plain, gradient, gradient, plain)

    for ours, plain in zip(*map(jax.tree.leaves, ours_and_plain(products, tuple(messages))), strict=True):
        np.testing.assert_allclose(ours, plain, atol=1e-5)


def slow_block(block: LineBlock, x: Doubles, bricks: set[int], grid: Grid, reverse: bool) -> Doubles:
    """One position's cells [size, features], after one round: loops, as in the module's docstring."""
    read, bias, write = (np.asarray(a, np.float64) for a in (block.read, block.read_bias, block.write))

    def at(place: int, matrices: Doubles) -> Doubles:
        """The matrix of a place, interpolated between its two nearest knots."""
        where = place / (grid.k - 1) * (len(matrices) - 1) if grid.k > 1 else 0.0
        low = int(where)
        high = min(low + 1, len(matrices) - 1)
        return np.asarray(matrices[low] * (1 - (where - low)) + matrices[high] * (where - low))

    mean, deviation = x.mean(-1, keepdims=True), np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    y = (x - mean) / deviation * np.asarray(block.norm.scale) + np.asarray(block.norm.shift)
    after = x.copy()
    for board in range(grid.boards):
        for on_board in runs_on_board(grid.rows, grid.cols, grid.k, bricks, grid.wrap):
            line = [board * grid.rows * grid.cols + cell for cell in on_board]
            for order in [line, line[::-1]] if reverse else [line]:
                heard = np.maximum(0, sum(y[cell] @ at(place, read) for place, cell in enumerate(order)) + bias)
                for place, cell in enumerate(order):
                    after[cell] += heard @ at(place, write)
    return after


@pytest.mark.parametrize(
    ("grid", "reverse"),
    [
        (Grid(3, 4, 1, 3), True),
        (Grid(3, 4, 1, 3), False),
        (Grid(3, 3, 2, 2), True),
        (Grid(2, 3, 1, 1), True),
        (Grid(3, 4, 1, 3, "both"), True),
        (Grid(4, 2, 2, 3, "both"), True),
    ],
)
def test_a_round_of_messages_equals_the_documented_one(grid: Grid, reverse: bool) -> None:
    network = made("line:features=5,blocks=1,knots=4", ONE_BRICK, seed=2)
    assert isinstance(network, LineNetwork)
    (block,) = network.blocks
    size = grid.boards * grid.rows * grid.cols
    x = np.random.default_rng(1).normal(size=(1, size, 5)).astype(np.float32)
    bricks = {1}
    brick_cells = [board * grid.rows * grid.cols + 1 for board in range(grid.boards)]
    present = np.array([not set(line) & set(brick_cells) for line in line_places(grid).cells.tolist()])
    found = jax.jit(lambda x: block(x, {grid: jnp.asarray(present[None])}, reverse))(x)
    np.testing.assert_allclose(found[0], slow_block(block, x[0].astype(np.float64), bricks, grid, reverse), atol=2e-5)


def test_joined_edges_are_saved() -> None:
    games = [parse_rules(text) for text in ("mnk(3,4,3)", "mnk(3,4,3,wrap=both)")]
    spec = parse_network(TEXT)
    for rules in ([games[0]], [games[1]], games):
        board = BoardShape.of(rules)
        network = make_network(spec, board, jax.random.key(0))
        assert load_network({WEIGHTS: save_network(network, spec, board, {})}).board == board
    assert BoardShape.of(games).wraps == ("none", "both")
    assert b"both" not in save_network(network, spec, BoardShape.of(games[:1]), {})
