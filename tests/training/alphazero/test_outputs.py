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


class Scalar(Right):
    def look(self, n, size):
        return super().look(n, size)[0], jnp.zeros(())


class Whole(Right):
    def look(self, n, size):
        return super().look(n, size)[0], jnp.zeros(n, int)


class Plain(Right):
    def look(self, n, size):
        return super().look(n, size)[0], 0.0


class Wide(Right):
    def look(self, n, size):
        return jnp.zeros((n, 10)), jnp.zeros(n)


class Turned(Right):
    def look(self, n, size):
        return jnp.zeros((size, n)), jnp.zeros(n)


class Alone(Right):
    def apply(self, seen, board, training):
        return super().apply(seen, board, training)[0]


class Other(Right):
    def apply(self, seen, board, training):
        return Output(*self.look(len(seen.k), board.size))


class Untold(Right):
    def apply(self, seen, board, training):
        return self.look(len(seen.k), board.size), self


class Three(Right):
    def apply(self, seen, board, training):
        return *super().apply(seen, board, training), 1


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

BOTH = "(Prediction(logits, value), network)"
WRONG = {
    "Value2": "apply gives values of shape (n, 1), and must give (n,), one for each board",
    "Scalar": "apply gives values of shape (), and must give (n,), one for each board",
    "Whole": "apply gives values of type int32, and must give float32",
    "Plain": "apply gives a float as values, and must give (n,), one for each board",
    "Wide": "apply gives logits of shape (n, 10), and must give (n, 6), one for each cell of each board",
    "Turned": "apply gives logits of shape (6, n), and must give (n, 6), one for each cell of each board",
    "Alone": f"apply must return {BOTH}, and returned a Prediction",
    "Other": f"apply must return {BOTH}, and returned an Output",
    "Three": f"apply must return {BOTH}, and returned (a Prediction, a Three, an int)",
    "InPlay": f"apply must return {BOTH}, and returned a Prediction",
    "Untold": f"apply must return {BOTH}, and returned (an array, an array) in place of the Prediction",
    "Grows": "apply must return the network with arrays of the shapes that they had, and returned one with others",
    "Predicts": "predict must return Prediction(logits, value), and returned an array",
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
    assert str(caught.value) == f"network {name} (own.py): {WRONG[name]}"


def test_a_look_at_positions_and_a_search_say_so_too() -> None:
    said = r"network Value2 \(own.py\): apply gives values of shape \(n, 1\)"
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
