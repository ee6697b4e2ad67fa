"""What networks from outside give is looked at before anything is computed, and what is wrong with it said in one line."""

from pathlib import Path

import jax
import pytest

from noughts.networks import BoardShape, Network, NetworkError, make_network, parse_network
from noughts.networks.evaluate import evaluate
from noughts.networks.outputs import require_outputs
from noughts.positions import Position
from noughts.rules import parse_rules
from noughts.search.guided import GuidedSearch
from noughts.search.settings import SearchSettings
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.alphazero.train import AlphaZero

RULES = parse_rules("mnk(2,3,2)")
BOARD = BoardShape.of([RULES])

FILE = """
from typing import NamedTuple

import jax
import jax.numpy as jnp

from noughts.networks import Network, Prediction


class Output(NamedTuple):
    logits: jax.Array
    value: jax.Array


class Right(Network):
    weights: jax.Array
    name: str  # a constant

    def __init__(self, key, board, name: str = "right"):
        self.weights = jnp.zeros(board.size)
        self.name = name

    def apply(self, seen, board, training):
        return Prediction(*self.look(len(seen.k), board.size)), self

    def look(self, n, size):
        return jnp.zeros((n, size)) + self.weights, jnp.zeros(n)

    def refusal(self, rules):
        return None if rules.size == len(self.weights) else "it was made for another board"


class Value2(Right):
    def look(self, n, size):
        return super().look(n, size)[0], jnp.zeros((n, 1))


class Whole(Right):
    def look(self, n, size):
        return super().look(n, size)[0], jnp.zeros(n, int)


class Plain(Right):
    def look(self, n, size):
        return super().look(n, size)[0], 0.0


class Alone(Right):
    def apply(self, seen, board, training):
        return super().apply(seen, board, training)[0]


class Untold(Right):
    def apply(self, seen, board, training):
        return self.look(len(seen.k), board.size), self


class Grows(Right):
    def apply(self, seen, board, training):
        return super().apply(seen, board, training)[0], Right(None, board._replace(rows=board.rows + training))


class InPlay(Right):
    def apply(self, seen, board, training):
        given = super().apply(seen, board, training)
        return given if training else given[0]


class Predicts(Right):
    def predict(self, seen, board):
        return jnp.zeros(len(seen.k))


class OwnKind(Right):
    def apply(self, seen, board, training):
        return Output(*self.look(len(seen.k), board.size)), self


class Failing(Right):
    def look(self, n, size):
        raise KeyError("weights")
"""

PREDICTION = "Prediction(logits=float[n, 6], value=float[n])"
WRONG = {
    "Value2": "(Prediction(logits=float[n, 6], value=float[n, 1]), network)",
    "Whole": "(Prediction(logits=float[n, 6], value=int32[n]), network)",
    "Plain": "(Prediction(logits=float[n, 6], value=float), network)",
    "Alone": PREDICTION,
    "InPlay": PREDICTION,
    "Untold": "((float[n, 6], float[n]), network)",
    "Grows": f"({PREDICTION}, network with other arrays)",
}


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)


def network(name: str) -> Network:
    return make_network(parse_network(f"python:own.py:{name}"), BOARD, jax.random.key(1))


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_before_anything_is_trained(name: str) -> None:
    with pytest.raises(NetworkError) as caught:
        AlphaZero(AlphaZeroConfig(task=str(RULES), network=f"python:own.py:{name}"))
    wanted = f"network {name} (own.py): apply must return ({PREDICTION}, network), and returned "
    assert str(caught.value) == wanted + WRONG[name]


def test_a_predict_of_its_own_is_looked_at_too() -> None:
    with pytest.raises(NetworkError) as caught:
        require_outputs(network("Predicts"), BOARD)
    assert str(caught.value) == f"network Predicts (own.py): predict must return {PREDICTION}, and returned float[n]"


def test_a_look_at_positions_and_a_search_say_so_too() -> None:
    said = r"network Value2 \(own.py\): apply must return .*value=float\[n, 1\]"
    with pytest.raises(NetworkError, match=said):
        evaluate(network("Value2"), [Position.start(RULES)], batch=1)
    with pytest.raises(NetworkError, match=said):
        list(GuidedSearch(network("Value2"), SearchSettings(simulations=0)).find([Position.start(RULES)]))


@pytest.mark.parametrize("name", ["Right", "OwnKind"])
def test_what_is_right_passes(name: str) -> None:
    require_outputs(network(name), BOARD)


def test_what_its_own_code_raises_is_passed_on() -> None:
    with pytest.raises(KeyError, match="weights"):
        require_outputs(network("Failing"), BOARD)


def test_a_refusal_comes_first() -> None:
    with pytest.raises(NetworkError, match="the network cannot serve tic-tac-toe: it was made for another board"):
        evaluate(network("Value2"), [Position.start(parse_rules("tic-tac-toe"))])


def test_a_network_of_ours_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    line = make_network(parse_network("line:features=1,blocks=0"), BOARD, jax.random.key(1))
    monkeypatch.setattr(type(line), "apply", None)
    require_outputs(line, BOARD)
