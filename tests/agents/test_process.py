"""Agents in any language: their requests, their allowed answers, and the examples of the documentation."""

import json
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from noughts.agents import Agent, analyse, build_agent, choose
from noughts.agents.agent import Want
from noughts.agents.asking import ask, possible_moves
from noughts.agents.process import question
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules
from tests.rules.one_field import PAIRS

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "reference" / "agent-protocol.schema.json").read_text())

TIC_TAC_TOE = Position.start(parse_rules("tic-tac-toe"))

PROGRAM = """
import json, sys
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    if asked["type"] == "hello":
        reply = dict(type="hello", protocol=1, name="it", version="1") | HELLO
    else:
        reply = dict(type="answer", id=asked["id"]) | (lambda asked: REPLY)(asked)
    print(json.dumps(reply), flush=True)
"""

pytestmark = pytest.mark.usefixtures("own_store")


def agent(tmp_path: Path, reply: str, hello: dict[str, Any] | None = None, log: bool = False) -> Agent:
    """An agent that gives this reply, an expression in which `asked` is the request."""
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.replace("HELLO", repr(hello or {})).replace("REPLY", reply))
    command = shlex.join([sys.executable, "-I", "-S", str(script)])
    if log:  # messages in both directions
        command = f"sh -c {shlex.quote(f'tee {tmp_path}/in | {command} | tee {tmp_path}/out')}"
    return build_agent(f"process:({command}),seconds=20")


def valid(part: str, said: str) -> bool:
    """Whether a line matches the schema."""
    schema = {"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{part}"}
    return jsonschema_rs.validator_for(schema).is_valid(json.loads(said))


@pytest.mark.parametrize(
    "rules", ["tic-tac-toe", "bttt(D4)", "notakto(3,boards=2)", "mnk(3,4,5,lineless=true)", "gomoku"]
)
@pytest.mark.parametrize("want", list(Want))
def test_requests_match_the_schema(rules: str, want: Want) -> None:
    position = Position.start(parse_rules(rules))
    while not position.is_over:
        assert valid("ask", json.dumps(question(1, position, want)))
        position = position.play(position.legal_moves[0])


@pytest.mark.parametrize("field", PAIRS)
def test_every_field_of_the_rules_is_sent_and_in_the_schema(field: str) -> None:
    plain, other = (question(1, Position.start(rules), Want.MOVE)["rules"] for rules in PAIRS[field])
    assert plain.get(field) != other[field]
    assert field in SCHEMA["$defs"]["rules"]["properties"]


def test_a_request_contains_the_whole_position() -> None:
    rules = parse_rules("notakto(3,boards=2)")
    position = Position.start(rules, tuple(map(rules.cell_of, ("1.A1", "2.B2", "1.A2", "1.A3"))))
    asked = question(7, position, Want.MOVE)
    assert asked["boards"] == [["XXX", "...", "..."], ["...", ".X.", "..."]]
    assert asked["closed"] == [1]
    assert (asked["id"], asked["wants"], asked["to_move"]) == (7, "move", "first")
    assert asked["moves"] == ["1.A1", "2.B2", "1.A2", "1.A3"]
    assert asked["legal"] == ["2.A1", "2.A2", "2.A3", "2.B1", "2.B3", "2.C1", "2.C2", "2.C3"]
    assert parse_rules(asked["rules"]["text"]) == rules
    assert "seed" not in asked


def test_messages_in_both_directions_match_the_schema(tmp_path: Path) -> None:
    reply = '{"move": asked["legal"][0], "choices": asked["legal"][:2], "value": 0.5, "policy": {"A1": 0.75}}'
    it = agent(tmp_path, reply, {"uses": ["seed"], "gives": ["choices", "analysis"]}, log=True)
    for want in Want:
        ask(it, TIC_TAC_TOE, Rng(5), want)
    del it
    said = {name: (tmp_path / name).read_text().splitlines() for name in ("in", "out")}
    assert [len(lines) for lines in said.values()] == [4, 4]
    assert all(valid("from_noughts", line) for line in said["in"])
    assert all(valid("from_the_program", line) for line in said["out"])
    assert [("seed" in json.loads(line)) for line in said["in"]] == [False, True, False, True]


def test_the_schema_rejects_wrong_messages() -> None:
    assert not valid("from_the_program", '{"type": "answer", "id": 1}')
    assert not valid("from_the_program", '{"type": "answer", "id": 1, "move": "1A"}')
    assert not valid("from_the_program", '{"type": "hello", "protocol": 2, "name": "it", "version": "1"}')
    assert not valid("ask", '{"type": "ask", "id": 1}')


def test_it_may_send_an_analysis(tmp_path: Path) -> None:
    reply = '{"move": "B2", "value": -0.5, "policy": {"B2": 0.75, "A1": 0.25}}'
    found = analyse(agent(tmp_path, reply, {"gives": ["analysis"]}), TIC_TAC_TOE, Rng())
    assert (found.move, found.value) == (4, -0.5)
    assert [move.prior for move in found.moves] == [0.25, 0, 0, 0, 0.75, 0, 0, 0, 0]


def test_only_offered_outputs_are_requested(tmp_path: Path) -> None:
    it = agent(tmp_path, '{"move": "B2", "value": 1.0} if asked["wants"] == "move" else 1 / 0')
    assert ask(it, TIC_TAC_TOE, Rng(), Want.ANALYSIS).analysis is None
    assert ask(it, TIC_TAC_TOE, Rng(), Want.CHOICES).choices == ()


def test_its_randomness_comes_from_the_seed(tmp_path: Path) -> None:
    reply = '{"move": asked["legal"][asked["seed"] % len(asked["legal"])]}'
    it = agent(tmp_path, reply, {"uses": ["seed"]})
    moves = [choose(it, TIC_TAC_TOE, Rng(seed)) for seed in range(20)]
    assert moves == [choose(it, TIC_TAC_TOE, Rng(seed)) for seed in range(20)]
    assert len(set(moves)) > 4
    with pytest.raises(AgentError, match="it draws random numbers"):
        possible_moves(it, [TIC_TAC_TOE])
    assert possible_moves(it, [TIC_TAC_TOE], instance=1, twice=True) == possible_moves(it, [TIC_TAC_TOE], instance=1)


def test_choices_are_all_its_possible_moves(tmp_path: Path) -> None:
    two = '{"choices": ["A1", "C3"], "move": ["A1", "C3"][asked.get("seed", 0) % 2]}'
    it = agent(tmp_path, two, {"uses": ["seed"], "gives": ["choices"]})
    assert possible_moves(it, [TIC_TAC_TOE], twice=True) == [(0, 8)]
    with pytest.raises(AgentError, match="its choices name '\"D1\"', which is no square such as A1"):
        ask(agent(tmp_path, '{"choices": ["D1"]}', {"gives": ["choices"]}), TIC_TAC_TOE, Rng(), Want.CHOICES)


@pytest.mark.parametrize(
    ("reply", "hello", "words"),
    [
        ("{}", {}, "it played 'null', which is no square such as A1"),
        ('{"move": "D1"}', {}, "which is no square such as A1"),
        ('{"move": "A1", "value": 2}', {}, "its value is '2', and no number from -1 to 1"),
        ('{"move": "A1", "value": float("nan")}', {}, "its value is 'NaN'"),
        ('{"move": "A1", "value": True}', {}, "its value is 'true'"),
        ('{"move": "A1", "value": 10**400}', {}, "and no number from -1 to 1"),
        ('{"move": "A1", "value": "0.5"}', {"gives": []}, "its value is '\"0.5\"', and no number from -1 to 1"),
        ('{"move": "A1", "value": -1.5}', {"gives": []}, "its value is '-1.5', and no number from -1 to 1"),
        (
            '{"move": "A1", "policy": {"D1": 1}}',
            {"gives": []},
            "its policy names '\"D1\"', which is no square such as A1",
        ),
        ('{"move": "A1", "policy": [1]}', {}, "its policy is '[1]'"),
        ('{"move": "A1", "policy": {"A1": -1}}', {}, "no numbers from 0 to 1 by square"),
        ('{"id": 99, "move": "A1"}', {}, "it answered request 1 with"),
        ('{"type": "error", "message": "too large for me"}', {}, "it refused: 'too large for me'"),
        ('{"type": "error", "message": "too\\nlarge " * 99}', {}, f"it refused: '{'too large ' * 11}too la ...'"),
        ('{"move": "A1"}', {"protocol": 2}, "its hello must have protocol 1"),
        ('{"move": "A1"}', {"name": None}, "its hello needs the text name"),
        ('{"move": "A1"}', {"uses": "seed"}, "its hello has uses"),
        ('{"move": "A1"}', {"gives": [1]}, "its hello has gives"),
    ],
)
def test_impossible_answers_are_rejected(reply: str, hello: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=re.escape(words)):
        analyse(agent(tmp_path, reply, {"gives": ["analysis"]} | hello), TIC_TAC_TOE, Rng())


def example(name: str) -> Agent:
    """An example of the documentation."""
    path = ROOT / "examples" / name
    if path.suffix == ".py":
        return build_agent(f"process:{shlex.join([sys.executable, str(path)])}")
    if shutil.which("node") is None:
        pytest.skip("node is not installed here")
    return build_agent(f"process:{shlex.join(['node', str(path)])}")


@pytest.mark.parametrize("name", ["agent.py", "agent.js"])
@pytest.mark.parametrize("rules", ["bttt(D4)", "notakto(3,boards=2)"])
def test_the_examples_play(name: str, rules: str) -> None:
    it, position, rng = example(name), Position.start(parse_rules(rules)), Rng(1)
    while not position.is_over:
        position = position.play(choose(it, position, rng))
    assert position.ply > 2


def test_the_example_in_javascript_takes_a_win() -> None:
    it, rules = example("agent.js"), parse_rules("bttt(D4)")
    for line in (("B2", "C3", "E5"), ("A1", "B2", "C3"), ("F2", "F3", "F4"), ("C7", "D7", "F7"), ("B6", "C5", "E3")):
        cells = [rules.cell_of(name) for name in line]
        others = [rules.cell_of(name) for name in ("G1", "A7", "E1")]
        moves = tuple(cell for pair in zip(cells, others, strict=True) for cell in pair)
        position = Position.start(rules, moves)
        wins = {cell for cell in position.legal_moves if position.play(cell).is_over}
        choices = set(possible_moves(it, [position], twice=True)[0])
        assert choices == (wins or set(position.legal_moves))
