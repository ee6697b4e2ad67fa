"""A network exported to ONNX gives the same predictions in another program."""

import json
import re
import sys
from pathlib import Path
from unittest.mock import Mock

import jax
import numpy as np
import pytest

from noughts.networks import onnx as written
from noughts.networks.errors import NetworkError
from noughts.networks.network import BoardShape
from noughts.networks.onnx import INPUTS, onnx_model
from noughts.networks.spec import make_network, parse_network
from noughts.networks.weights import LoadedNetwork
from noughts.rules import parse_rules
from noughts.rules.errors import MissingLibraryError
from tests.networks.asking import seen_in, some_positions

pytestmark = pytest.mark.heavy  # loading the library that writes ONNX takes seconds

BOARD = "mnk(3,4,3,bricks=B2,full=second)"


def network(text: str, rules: str = BOARD) -> LoadedNetwork:
    spec, board = parse_network(text), BoardShape.of([parse_rules(rules)])
    made = make_network(spec, board, jax.random.key(3))
    return LoadedNetwork(made, spec, board, {"task": rules, "iteration": "7"})


EVERY_KIND_WITH_EVERY_OPTION_THAT_CHANGES_THE_GRAPH = (
    ("mlp:norm=batch,policy_widths=8,value_widths=8", BOARD),
    ("mlp:preset=tic-tac-toe,rectified_logits=true", "tic-tac-toe"),
    ("mlp:preset=notakto", "notakto(3)"),
    ("resnet:preset=paper", "bttt(D4)"),
    ("resnet:norm=layer,planes=3,kernel=4", BOARD),
    ("resnet:norm=none,slope=0.2", "mnk(5,5,4)"),
    ("line:knots=3,bricks=feature", "bttt(D4)"),
    ("line:reverse=false", "notakto(3,boards=2)"),
)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("mlp:widths=8", BOARD),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in EVERY_KIND_WITH_EVERY_OPTION_THAT_CHANGES_THE_GRAPH),
    ],
)
def test_onnxruntime_predictions_equal_ours(text: str, rules: str) -> None:
    import onnxruntime

    loaded, game = network(text, rules), parse_rules(rules)
    session = onnxruntime.InferenceSession(onnx_model(loaded, game))
    seen, board = seen_in(some_positions(game, 20))
    taken = {one.name for one in session.get_inputs()}
    assert taken <= set(INPUTS)
    logits, value = session.run(["logits", "value"], {name: np.asarray(getattr(seen, name)) for name in taken})
    ours = loaded.network.predict(seen, board)
    assert logits.shape == (20, board.size)
    assert value.shape == (20,)
    assert np.abs(logits - ours.logits).max() < 1e-5
    assert np.abs(value - ours.value).max() < 1e-5


def test_the_file_describes_its_network_and_board() -> None:
    import onnx

    model = onnx.load_from_string(onnx_model(network("mlp:widths=8")))
    about = {entry.key: entry.value for entry in model.metadata_props}
    assert about["noughts.network"] == "mlp:widths=8"
    assert about["noughts.iteration"] == "7"
    board = json.loads(about["noughts.board"])
    assert set(board) == set(BoardShape._fields)
    assert board | {"rows": 3, "cols": 4, "boards": 1, "lengths": [3], "wraps": ["none"]} == board


@pytest.mark.parametrize("name", INPUTS)
def test_every_input_is_documented(name: str) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "train.md").read_text()
    assert re.search(rf"^\| .*`{name}`.* \|", guide, re.MULTILINE)
    assert re.search(rf"^ +{name} ", written.__doc__ or "", re.MULTILINE)


def test_games_a_network_cannot_serve_are_rejected() -> None:
    with pytest.raises(NetworkError, match=r"cannot serve .*: an mlp serves only the board it was made for, 3x4"):
        onnx_model(network("mlp:widths=8"), parse_rules("tic-tac-toe"))


def test_an_inexpressible_part_is_one_line_that_names_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    cannot = Mock(side_effect=NotImplementedError("no such primitive:\nsort"))
    monkeypatch.setattr("jax2onnx.to_onnx", cannot)
    with pytest.raises(NetworkError, match=r"the network mlp:widths=8 cannot be written as ONNX: .*no such primitive"):
        onnx_model(network("mlp:widths=8"))


def test_a_missing_library_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax2onnx", None)
    how = r'in your clone of noughts, run pip install "\.\[onnx\]" or uv sync --extra onnx'
    with pytest.raises(MissingLibraryError, match=f"jax2onnx is not installed: {how}"):
        onnx_model(network("mlp:widths=8"))
