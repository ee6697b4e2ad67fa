"""The text form of agents: what is written is read, and written again."""

import pytest

from noughts.agents import AgentSpec
from noughts.agents.spec import split_spec


@pytest.mark.parametrize(
    ("text", "target", "options"),
    [
        ("python:m:C,x=()", "m:C", {"x": "()"}),
        ("python:m:C,x=( )", "m:C", {"x": "( )"}),
        ("python:m:C,x=(1,)", "m:C", {"x": "1,"}),
        ("python:m:C,x=((1,2))", "m:C", {"x": "(1,2)"}),
        ("python:m:C,x=((1))", "m:C", {"x": "(1)"}),
        ("python:m:C,x=(1)+(2)", "m:C", {"x": "(1)+(2)"}),
        ("python:runs/lr=0.1/agent.py:C,x=3", "runs/lr=0.1/agent.py:C", {"x": "3"}),
        ("python:a=b:C", "a=b:C", {}),
        ("a:x=(b:y=(c:z=1,w=2),v=3)", "", {"x": "b:y=(c:z=1,w=2),v=3"}),
    ],
)
def test_a_spec_is_read_and_written_back(text: str, target: str, options: dict[str, str]) -> None:
    spec = split_spec(text, ("python",))
    assert (spec.target, dict(spec.options)) == (target, options)
    assert split_spec(str(spec), ("python",)) == spec


def test_every_value_survives_writing() -> None:
    for value in ("()", "(())", "(a)", "((a))", "(a),(b)", "a,b", "(a)(b)", "=", "a=b"):
        spec = AgentSpec(name="x", options=(("o", value),))
        assert split_spec(str(spec), ("python",)) == spec
