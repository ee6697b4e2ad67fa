"""Networks as text: parsing, writing, and errors of one line."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.networks.errors import NetworkError
from noughts.networks.options import NETWORKS
from noughts.networks.spec import parse_network


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("line", "line"),
        (" line: ", "line"),
        ("mlp:widths=8\n", "mlp:widths=8"),
        ("mlp:widths=4096x999x1000", "mlp:widths=4096x999x1000"),
        ("line:features=24,blocks=3", "line"),
        ("line:blocks=2, features=8,reverse=False", "line:features=8,blocks=2,reverse=false"),
        ("mlp:preset=notakto", "mlp:widths=64x64,inputs=signed"),
        ("mlp:preset=notakto,widths=none", "mlp:widths=none,inputs=signed"),
        ("mlp:widths=7,preset=tic-tac-toe", "mlp:widths=7,policy_widths=18,value_widths=18,norm=batch,inputs=signed"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    spec = parse_network(text)
    assert str(spec) == canonical
    assert parse_network(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line, mlp, python:file.py:Class, python:module:Class, resnet"),
        ("line:features", "option=value"),
        ("line:=8", "option"),
        ("line:features=8,features=8", "twice"),
        ("line:preset=paper", "preset"),
        ("resnet:preset=papers", "paper"),
        ("line:width=8", "width"),
        ("line:features=0", "a whole number from 1 to 512"),
        ("line:features=" + "9" * 5000, "a whole number from 1 to 512"),
        ("mlp:widths=8x", "widths from 1 to 4096 such as 81x81, or none"),
        ("mlp:widths=8x9999", "widths from 1 to 4096 such as 81x81, or none"),
    ],
)
def test_bad_texts_are_one_clear_line(text: str, says: str) -> None:
    with pytest.raises(NetworkError) as caught:
        parse_network(text)
    assert says in str(caught.value)


_PIECE = st.sampled_from(
    ["features", "planes", "widths", "reverse", "preset", "=", ",", ":", "3", "none", "(", ")", "\n"]
)


@given(st.sampled_from([*NETWORKS, "x"]), st.lists(st.one_of(_PIECE, st.text(max_size=3)), max_size=8))
def test_any_text_is_a_network_or_an_error_of_one_line(kind: str, pieces: list[str]) -> None:
    try:
        spec = parse_network(f"{kind}:{''.join(pieces)}")
    except NetworkError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017
    else:
        assert parse_network(str(spec)) == spec


def test_checking_a_text_loads_no_array_library() -> None:
    program = (
        "import sys, noughts.networks.spec as s; s.parse_network('resnet:preset=paper'); print('jax' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"
