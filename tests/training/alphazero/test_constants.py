"""Non-array fields of a network are constants: such networks learn, are saved and play; impossible constants are rejected."""

from pathlib import Path

import jax
import numpy as np
import pytest

from noughts.networks import BoardShape, NetworkError, load_network, make_network, parse_network, save_network
from noughts.networks.evaluate import evaluate
from noughts.networks.options import ModelSettings
from noughts.networks.spec import make_model
from noughts.networks.weights import WEIGHTS
from noughts.positions import Position
from noughts.rules import parse_rules
from noughts.training.alphazero.train import AlphaZero
from tests.training.alphazero.tiny import tiny

RULES = parse_rules("mnk(2,2,2)")
BOARD = BoardShape.of([RULES])
START = Position.start(RULES)

FILE = '''
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from noughts.networks import Network, NetworkOptions, Prediction
from noughts.networks.line_model import LineBody
from noughts.networks.options import LineOptions


class Tiny(Network):
    """Cells look at one another."""

    heads: int
    places: np.ndarray
    attention: eqx.nn.MultiheadAttention
    mlp: eqx.nn.MLP
    odd: object

    def __init__(self, key, board, odd: str = "none"):
        first, second = jax.random.split(key)
        self.heads = 2
        self.places = np.zeros((board.size, 4), np.float32)
        self.attention = eqx.nn.MultiheadAttention(self.heads, 4, key=first)
        self.mlp = eqx.nn.MLP(4, self.heads, 4, 1, key=second)
        self.odd = {"none": None, "set": {1}}[odd]

    def apply(self, seen, board, training):
        said = jax.vmap(self.look)(seen.planes.reshape(-1, board.size, 4))
        return Prediction(said[..., 0], jnp.tanh(said[..., 1].mean(axis=1))), self

    def look(self, cells):
        x = cells.reshape(len(cells), self.heads, -1).reshape(cells.shape) + self.places
        return jax.vmap(self.mlp)(x + self.attention(x, x, x))

    def refusal(self, rules):
        return None if rules.size == len(self.places) else "it was made for another board"


class Body(LineBody):
    rounds: int

    def __init__(self, key):
        super().__init__(key, LineOptions(features=4, blocks=1, knots=1, reverse=True, bricks="absent"))
        self.rounds = 1


class Imagining(NetworkOptions):
    def make(self, board, key):
        return Tiny(key, board)

    def make_body(self, board, key):
        return Body(key)
'''


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)


@pytest.mark.heavy
def test_a_network_with_constants_learns_is_saved_and_plays() -> None:
    trainer = AlphaZero(tiny(task="mnk(2,2,2)", network="python:own.py:Tiny"))
    before = trainer.weights()[WEIGHTS]
    trainer.step()
    files = trainer.weights()
    assert files[WEIGHTS] != before
    loaded = load_network(files)
    assert np.array_equal(loaded.evaluate([START]).policies, evaluate(trainer.network, [START]).policies)
    assert loaded.network.refusal(RULES) is None
    assert loaded.network.refusal(parse_rules("tic-tac-toe")) == "it was made for another board"


def test_numpy_arrays_are_weights() -> None:
    spec = parse_network("python:own.py:Tiny")
    network = make_network(spec, BOARD, jax.random.key(1))
    assert not any(isinstance(leaf, np.ndarray) for leaf in jax.tree.leaves(network))
    kept = load_network({WEIGHTS: save_network(network, spec, BOARD, {})})
    assert np.array_equal(kept.evaluate([START]).policies, evaluate(network, [START]).policies)


def test_impossible_constants_are_rejected_by_name() -> None:
    with pytest.raises(NetworkError) as caught:
        make_network(parse_network("python:own.py:Tiny,odd=set"), BOARD, jax.random.key(1))
    said = "field odd is a set, which is neither an array nor hashable: give one of these"
    assert str(caught.value) == f"network 'python:own.py:Tiny,odd=set': {said}"


def test_a_model_may_only_have_array_fields() -> None:
    with pytest.raises(NetworkError) as caught:
        make_model(parse_network("python:own.py:Imagining"), BOARD, jax.random.key(1), ModelSettings())
    said = "field rounds is no array: declare it rounds: int = eqx.field(static=True)"
    assert str(caught.value) == f"network 'python:own.py:Imagining': {said}"
