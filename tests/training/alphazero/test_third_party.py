"""Third-party networks: their outputs are checked before any computation, and fields that are no arrays are constants; each
fault is reported in one line, and networks with constants learn, are saved and play.
"""

import re
from pathlib import Path

import jax
import numpy as np
import pytest

from noughts.networks import BoardShape, Network, NetworkError, load_network, make_network, parse_network
from noughts.networks.evaluate import evaluate
from noughts.networks.options import ModelSettings
from noughts.networks.outputs import require_outputs, require_outputs_of
from noughts.networks.spec import make_model
from noughts.networks.weights import WEIGHTS
from noughts.positions import Position
from noughts.rules import parse_rules
from noughts.search.guided import GuidedSearch
from noughts.search.settings import SearchSettings
from noughts.training.alphazero.train import AlphaZero
from tests.training.small_runs import tiny_alphazero

RULES = parse_rules("mnk(2,3,2)")
BOARD = BoardShape.of([RULES])
START = Position.start(RULES)

FILE = '''
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from noughts.networks import Network, NetworkOptions, Prediction
from noughts.networks.line_model import LineBody
from noughts.networks.options import LineOptions

class Output(NamedTuple):
    logits: jax.Array
    value: jax.Array

class Own(Network):
    weights: jax.Array
    gives: str  # a constant

    def __init__(self, key, board, gives: str = "right"):
        self.weights = jnp.zeros(board.size)
        self.gives = gives

    def apply(self, seen, board, training):
        if self.gives == "error":
            raise KeyError("weights")
        logits, value = jnp.zeros((len(seen.k), board.size)) + self.weights, jnp.zeros(len(seen.k))
        prediction = Prediction(logits, value)
        return {
            "right": (prediction, self),
            "right-of-its-own-kind": (Output(logits, value), self),
            "columns": (Prediction(logits, value[:, None]), self),
            "whole": (Prediction(logits, value.astype(int)), self),
            "plain": (Prediction(logits, 0.0), self),
            "alone": prediction,
            "alone-in-play": (prediction, self) if training else prediction,
            "untold": ((logits, value), self),
            "grown": (prediction, Own(None, board._replace(rows=board.rows + training), "grown")),
        }[self.gives]

    def refusal(self, rules):
        return None if rules.size == len(self.weights) else "it was made for another board"

class Predicts(Own):
    def predict(self, seen, board):
        return jnp.zeros(len(seen.k))

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

PREDICTION = "Prediction(logits=float[n, 6], value=float[n])"
APPLY = f"network Own (own.py): apply must return ({PREDICTION}, network), and returned "
WRONG = {
    "Own,gives=columns": f"{APPLY}(Prediction(logits=float[n, 6], value=float[n, 1]), network)",
    "Own,gives=whole": f"{APPLY}(Prediction(logits=float[n, 6], value=int32[n]), network)",
    "Own,gives=plain": f"{APPLY}(Prediction(logits=float[n, 6], value=float), network)",
    "Own,gives=alone": APPLY + PREDICTION,
    "Own,gives=alone-in-play": APPLY + PREDICTION,
    "Own,gives=untold": f"{APPLY}((float[n, 6], float[n]), network)",
    "Own,gives=grown": f"{APPLY}({PREDICTION}, network with other arrays)",
    "Predicts": f"network Predicts (own.py): predict must return {PREDICTION}, and returned float[n]",
}


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)


def network(text: str) -> Network:
    return make_network(parse_network(f"python:own.py:{text}"), BOARD, jax.random.key(1))


@pytest.mark.parametrize("text", WRONG)
def test_wrong_outputs_are_rejected(text: str) -> None:
    with pytest.raises(NetworkError) as caught:
        require_outputs(network(text), BOARD)
    assert str(caught.value) == WRONG[text]  # not `match`, which also reads the notes of JAX


def test_evaluating_searching_and_training_check_outputs_too() -> None:
    said = r"network Own \(own.py\): apply must return .*value=float\[n, 1\]"
    with pytest.raises(NetworkError, match=said):
        evaluate(network("Own,gives=columns"), [START], batch=1)
    with pytest.raises(NetworkError, match=said):
        list(GuidedSearch(network("Own,gives=columns"), SearchSettings(simulations=0)).find([START]))
    with pytest.raises(NetworkError, match=said):
        AlphaZero(tiny_alphazero(task=str(RULES), network="python:own.py:Own,gives=columns"))


@pytest.mark.parametrize("gives", ["right", "right-of-its-own-kind"])
def test_correct_outputs_pass(gives: str) -> None:
    require_outputs(network(f"Own,gives={gives}"), BOARD)
    require_outputs_of(f"python:own.py:Own,gives={gives}", [RULES])


def test_exceptions_of_foreign_code_are_passed_on() -> None:
    with pytest.raises(KeyError, match="weights"):
        require_outputs(network("Own,gives=error"), BOARD)


def test_unsupported_boards_are_rejected_first() -> None:
    with pytest.raises(NetworkError, match="the network cannot serve tic-tac-toe: it was made for another board"):
        evaluate(network("Own,gives=columns"), [Position.start(parse_rules("tic-tac-toe"))])


def test_our_own_networks_are_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    line = make_network(parse_network("line:features=1,blocks=0"), BOARD, jax.random.key(1))
    monkeypatch.setattr(type(line), "apply", None)
    require_outputs(line, BOARD)


@pytest.mark.heavy
def test_a_network_with_constants_learns_is_saved_and_plays() -> None:
    trainer = AlphaZero(tiny_alphazero(task=str(RULES), network="python:own.py:Tiny"))
    before = trainer.weights()[WEIGHTS]
    trainer.step()
    files = trainer.weights()
    assert files[WEIGHTS] != before
    loaded = load_network(files)
    assert np.array_equal(loaded.evaluate([START]).policies, evaluate(trainer.network, [START]).policies)
    assert loaded.network.refusal(RULES) is None
    assert loaded.network.refusal(parse_rules("tic-tac-toe")) == "it was made for another board"


def test_numpy_arrays_are_weights() -> None:
    assert not any(isinstance(leaf, np.ndarray) for leaf in jax.tree.leaves(network("Tiny")))


def test_impossible_constants_are_rejected_by_name() -> None:
    said = "field odd is a set, which is neither an array nor hashable: give one of these"
    with pytest.raises(NetworkError, match=f"^network 'python:own.py:Tiny,odd=set': {said}$"):
        network("Tiny,odd=set")


def test_a_model_may_only_have_array_fields() -> None:
    said = re.escape("field rounds is no array: declare it rounds: int = eqx.field(static=True)")
    with pytest.raises(NetworkError, match=f"^network 'python:own.py:Imagining': {said}$"):
        make_model(parse_network("python:own.py:Imagining"), BOARD, jax.random.key(1), ModelSettings())
