"""The outputs of third-party networks are checked before any computation, and each fault is reported in one line."""

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
"""

PREDICTION = "Prediction(logits=float[n, 6], value=float[n])"
WRONG = {
    "columns": "(Prediction(logits=float[n, 6], value=float[n, 1]), network)",
    "whole": "(Prediction(logits=float[n, 6], value=int32[n]), network)",
    "plain": "(Prediction(logits=float[n, 6], value=float), network)",
    "alone": PREDICTION,
    "alone-in-play": PREDICTION,
    "untold": "((float[n, 6], float[n]), network)",
    "grown": f"({PREDICTION}, network with other arrays)",
}


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)


def network(gives: str, kind: str = "Own") -> Network:
    return make_network(parse_network(f"python:own.py:{kind},gives={gives}"), BOARD, jax.random.key(1))


@pytest.mark.parametrize("gives", WRONG)
def test_wrong_outputs_are_rejected_before_training(gives: str) -> None:
    with pytest.raises(NetworkError) as caught:
        AlphaZero(AlphaZeroConfig(task=str(RULES), network=f"python:own.py:Own,gives={gives}"))
    wanted = f"network Own (own.py): apply must return ({PREDICTION}, network), and returned "
    assert str(caught.value) == wanted + WRONG[gives]


def test_an_overridden_predict_is_checked_too() -> None:
    with pytest.raises(NetworkError) as caught:
        require_outputs(network("right", "Predicts"), BOARD)
    assert str(caught.value) == f"network Predicts (own.py): predict must return {PREDICTION}, and returned float[n]"


def test_evaluating_and_searching_check_outputs_too() -> None:
    said = r"network Own \(own.py\): apply must return .*value=float\[n, 1\]"
    with pytest.raises(NetworkError, match=said):
        evaluate(network("columns"), [Position.start(RULES)], batch=1)
    with pytest.raises(NetworkError, match=said):
        list(GuidedSearch(network("columns"), SearchSettings(simulations=0)).find([Position.start(RULES)]))


@pytest.mark.parametrize("gives", ["right", "right-of-its-own-kind"])
def test_correct_outputs_pass(gives: str) -> None:
    require_outputs(network(gives), BOARD)


def test_exceptions_of_foreign_code_are_passed_on() -> None:
    with pytest.raises(KeyError, match="weights"):
        require_outputs(network("error"), BOARD)


def test_unsupported_boards_are_rejected_first() -> None:
    with pytest.raises(NetworkError, match="the network cannot serve tic-tac-toe: it was made for another board"):
        evaluate(network("columns"), [Position.start(parse_rules("tic-tac-toe"))])


def test_our_own_networks_are_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    line = make_network(parse_network("line:features=1,blocks=0"), BOARD, jax.random.key(1))
    monkeypatch.setattr(type(line), "apply", None)
    require_outputs(line, BOARD)
