"""Gomoku engines as agents: what they receive, and what the protocol cannot express."""

import shlex
import sys
from pathlib import Path

import pytest

from noughts.agents import Agent, build_agent, choose
from noughts.agents.gomocup import refusal_of
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules
from tests.agents.programs import FAULTY
from tests.rules.one_field import PAIRS

GOMOKU = parse_rules("gomoku")

ENGINE = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word in ("START", "RECTSTART", "RESTART"):
        print(RESTART if word == "RESTART" else "OK - everything is good", flush=True)
    elif word in ("BEGIN", "DONE", "PLAY"):
        print("thinking", file=sys.stderr, flush=True)
        print("MESSAGE I think\\nDEBUG so\\n\\n" + MOVE, flush=True)
    elif word == "END":
        break
"""

pytestmark = pytest.mark.usefixtures("own_store")


def engine(tmp_path: Path, move: str = "'3,4'", restart: str = "OK", *options: str) -> Agent:
    script = tmp_path / "engine.py"
    script.write_text(ENGINE.replace("MOVE", move).replace("(RESTART", f"({restart!r}"))
    return build_agent(",".join([f"gomocup:{shlex.join([sys.executable, '-I', '-S', str(script)])}", *options]))


def told(tmp_path: Path, rules: str, positions: list[tuple[int, ...]], *options: str) -> list[str]:
    """The lines that an engine receives for these positions, except INFO."""
    command = (
        f"tee -a {tmp_path}/told | {shlex.join([sys.executable, '-I', '-S', str(FAULTY), 'gomocup', 'honest', 'x'])}"
    )
    agent = build_agent(",".join([f"gomocup:sh -c {shlex.quote(command)}", *options]))
    for moves in positions:
        choose(agent, Position.start(parse_rules(rules), moves), Rng())
    del agent
    return [line for line in (tmp_path / "told").read_text().splitlines() if not line.startswith("INFO")]


def test_the_whole_board_is_sent_each_time(tmp_path: Path) -> None:
    said = told(tmp_path, "gomoku", [(), (0, 16), (16, 0, 31)], "seconds=7", "memory=5000")
    lines = (tmp_path / "told").read_text().splitlines()
    assert lines[0] == "START 15"
    assert {"INFO timeout_turn 7000", f"INFO max_memory {5000 << 20}", "INFO rule 0"} <= set(lines)
    assert said == [
        *("START 15", "BEGIN"),
        *("RESTART", "BOARD", "0,0,1", "1,1,2", "DONE"),
        *("RESTART", "BOARD", "1,1,2", "0,0,1", "1,2,2", "DONE"),
        "END",
    ]


def test_moves_may_be_sent_one_by_one(tmp_path: Path) -> None:
    said = told(tmp_path, "mnk(3,7,5)", [(), (0, 9), (0, 9, 1, 10), (5,)], "tell=turns")
    assert said == ["RECTSTART 7,3", "BEGIN", "TURN 2,1", "TURN 3,1", "RESTART", "BOARD", "5,0,2", "DONE", "END"]


def test_each_move_may_start_a_new_process(tmp_path: Path) -> None:
    said = told(tmp_path, "gomoku", [(), (0, 16)], "fresh=yes")
    assert said == ["START 15", "BEGIN", "END", "START 15", "BOARD", "0,0,1", "1,1,2", "DONE", "END"]


def test_remarks_are_ignored_and_a_new_size_restarts_the_game(tmp_path: Path, own_store: Path) -> None:
    agent = engine(tmp_path)
    for rules in ("gomoku", "mnk(9,9,5)", "mnk(5,7,5)"):
        game = parse_rules(rules)
        assert choose(agent, Position.start(game), Rng()) == 4 * game.cols + 3
    del agent  # the engine ends, so its log is complete
    (log,) = (own_store / "engines").iterdir()
    assert "it writes: MESSAGE I think" in log.read_text()
    assert "it writes: DEBUG so" in log.read_text()
    assert "thinking\n" in log.read_text()


def test_an_engine_that_cannot_restart_gets_a_new_process(tmp_path: Path, own_store: Path) -> None:
    agent = engine(tmp_path, restart="UNKNOWN")
    start = Position.start(GOMOKU)
    assert [choose(agent, at, Rng()) for at in (start, start.play(0).play(1), start)] == [63, 63, 63]
    refusing = engine(tmp_path, restart="NO")
    choose(refusing, start, Rng())
    with pytest.raises(AgentError, match="it answered RESTART with 'NO'"):
        choose(refusing, start, Rng())
    (log,) = (own_store / "engines").iterdir()
    assert "failed: it answered RESTART with 'NO'" in log.read_text()


def test_a_suggested_move_is_played(tmp_path: Path) -> None:
    agent = engine(tmp_path, "'SUGGEST 2,2' if word != 'PLAY' else line.split()[1]")
    assert choose(agent, Position.start(GOMOKU), Rng()) == 32


@pytest.mark.parametrize(
    ("rules", "words"), [("bttt(D4)", "has no bricks"), ("tic-tac-toe", "give k=3 if it can play for another")]
)
def test_games_outside_the_protocol_are_rejected(rules: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=words) as raised:
        choose(engine(tmp_path), Position.start(parse_rules(rules)), Rng())
    assert f"cannot play {parse_rules(rules)}: " in str(raised.value)


@pytest.mark.parametrize("field", PAIRS)
def test_every_rules_field_outside_the_protocol_is_rejected(field: str) -> None:
    plain, other = PAIRS[field]
    assert refusal_of(PAIRS["rows"][0], 3) is None
    assert (refusal_of(other, plain.k) is None) == (field in ("rows", "cols"))


def test_an_engine_may_be_configured_for_another_line_length(tmp_path: Path) -> None:
    agent = engine(tmp_path, "'1,1'", "OK", "k=3")
    assert choose(agent, Position.start(parse_rules("tic-tac-toe")), Rng()) == 4
