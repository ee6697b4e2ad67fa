"""Agents as text: the text determines the agent, and wrong text is rejected with the possible values."""

from pathlib import Path

import pytest

from noughts.agents import AgentSpec, build_agent, choose, parse_agent
from noughts.agents.registry import depends_on
from noughts.agents.spec import split_spec
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules

TEXTS = {
    "random": "random",
    "minimax": "minimax:depth=2",
    "minimax:ties=first,depth=3": "minimax:depth=3,ties=first",
    "mcts:sims=1_000,c=1": "mcts:sims=1000",
    "mcts:c=1.41421": "mcts:sims=1000,c=1.41421",
    "mcts:c=-0": "mcts:sims=1000,c=0.0",
    "es:demo@3,ties=-0.0": "es:demo@3,ties=0",
    "omniscient:inside=(minimax:ties=first,depth=4),sims=3": "omniscient:sims=3,inside=(minimax:depth=4,ties=first)",
    "az:demo@3,view=one-side": "az:demo@3,sims=100,view=canonical",  # its former name
}

WRONG = {
    "foo": "unknown agent 'foo'.*choose from: az, es, gomocup, human, mc, mcts, minimax, mz, omniscient, openspiel, perfect, process, python:file.py:Class, python:module:Class, random",
    "minmax": "did you mean 'minimax'",
    "mcts:sims=0": "sims=0 is not allowed: a whole number from 1 to 10000000",
    "mcts:sims=ten": "sims=ten is not allowed",
    "mcts:simulations=3": "mcts has no option 'simulations'.*choose from: c, pick, sims",
    "mcts:sims": "'sims' is not an option; write option=value",
    "mcts:sims=1,sims=2": "given twice",
    "mcts:c=nan": "c=nan is not allowed",
    "mcts:": "malformed",
    "heur.py:Centre,depth=2": r"a class in a file is python:file.py:Class \(did you mean 'python:heur.py:Centre,depth=2'\?\)",
    "": "malformed",
    "minimax:depth=2,ties=best": "ties=best is not allowed: random or first",
    "omniscient": "needs inside",
    "omniscient:inside=(minimax:depth=9": "parentheses do not match",
    "omniscient:inside=nobody": "unknown agent 'nobody'",
    "human": "plays only in `noughts play`",
    "python:x": "write python:file.py:Class or python:module:Class",
    "python:no_such_module:Agent": "no_such_module cannot be loaded: ModuleNotFoundError",
    "python:json:JSONDecoder": r"no method choose\(position, rng\)",
}


@pytest.mark.parametrize(("text", "canonical"), TEXTS.items())
def test_text_has_one_canonical_form(text: str, canonical: str) -> None:
    assert str(parse_agent(text)) == canonical
    assert str(parse_agent(canonical)) == canonical


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_wrong_text_is_rejected_in_one_line(text: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        build_agent(text)


def test_a_spec_nested_too_deeply_is_refused_in_one_line() -> None:
    for start, end in (("omniscient:inside=(", ")"), ("omniscient:inside=", "")):
        assert parse_agent(start * 20 + "minimax" + end * 20).name == "omniscient"
        with pytest.raises(AgentError, match="nested too deeply") as caught:
            build_agent(start * 1500 + "minimax:depth=9" + end * 1500)
        assert len(str(caught.value)) < 200


def test_installed_agents_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "corner_pack.py").write_text("class Corner:\n    def choose(self, position, rng): return 8\n")
    info = tmp_path / "corner_pack-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: corner-pack\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text("[noughts.agents]\ncorner = corner_pack:Corner\nmcts = corner_pack:Corner\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert choose(build_agent("corner"), Position.start(parse_rules("tic-tac-toe")), Rng()) == 8
    (code,) = depends_on("omniscient:inside=corner").versions.values()
    assert code.startswith("corner-pack 1.5 ")
    assert depends_on("mcts").versions == {}


@pytest.mark.parametrize(
    ("text", "target", "options"),
    [
        ("python:m:C,x=(1,)", "m:C", {"x": "1,"}),
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
