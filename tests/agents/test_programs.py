"""Agents that are programs, in both protocols: a fault costs the game and leaves nothing behind."""

import gc
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from noughts.agents import build_agent, choose, engine, parse_agent
from noughts.agents.asking import answers
from noughts.agents.registry import depends_on
from noughts.positions import Position, Rng
from noughts.rules import AgentError, IllegalMoveError, parse_rules
from tests.agents.programs import REASONS, left_over, program

RULES = {"gomocup": parse_rules("gomoku"), "process": parse_rules("bttt(D4)")}
PROTOCOLS = ("gomocup", "process")
SPOKEN = ("floods", "garbage", "nonsense_square", "out_of_turn", "refuses", "start_talks", "taken_square")
"""Faults in messages, which each protocol parses differently; all others apply to any program."""

pytestmark = [
    pytest.mark.usefixtures("own_store"),
    pytest.mark.skipif(os.name != "posix", reason="programs are kept within limits on Unix alone"),
]


def play(protocol: str, kind: str, token: str, moves: int = 3) -> list[int | str]:
    """The agent's moves against the first free square, or its error, after which the game stops."""
    agent = build_agent(program(protocol, kind, token, "seconds=0.3"))
    position, played = Position.start(RULES[protocol]), list[int | str]()
    for _ in range(moves):
        try:
            move = choose(agent, position, Rng())
        except (AgentError, IllegalMoveError) as error:
            return [*played, str(error)]
        played.append(move)
        position = position.play(move)
        position = position.play(position.legal_moves[-1])
    return played


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("protocol", "kind"),
    [(each, kind) for kind in REASONS for each in PROTOCOLS if each == "process" or kind in SPOKEN],
)
def test_a_fault_loses_with_a_reason_of_one_line(protocol: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token = f"token-{protocol}-{kind}"
    if "longer than" in REASONS[kind]:
        monkeypatch.setattr(engine, "TOLERANCE_SECONDS", 0.0)  # it is late with any tolerance
    *_, last = play(protocol, kind, token)
    assert isinstance(last, str), "it did nothing wrong"
    assert REASONS[kind] in last
    assert "\n" not in last
    assert len(last) < 1000
    gc.collect()
    assert left_over(token) == []


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("protocol", "kind"),
    [("gomocup", "honest"), ("process", "forks"), ("process", "talks_much"), ("gomocup", "end_ignored")],
)
def test_a_program_that_plays_leaves_no_process_behind(protocol: str, kind: str) -> None:
    token = f"token-{protocol}-{kind}"
    assert play(protocol, kind, token) == [0, 1, 2]
    gc.collect()
    assert left_over(token) == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_program_that_hangs_at_its_start_is_not_waited_for(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "START_SECONDS", 0.3)
    (reason,) = play(protocol, "start_hangs", f"token-{protocol}-start")
    assert "did not answer in time, when it was started" in str(reason)
    assert left_over(f"token-{protocol}-start") == []


def test_memory_is_limited() -> None:
    agent = build_agent(program("process", "hogs", "token-hogs", "seconds=20", "memory=100"))
    with pytest.raises(AgentError, match=r"it took \d+ MiB of memory, and 100 are allowed"):
        choose(agent, Position.start(RULES["process"]), Rng())
    assert left_over("token-hogs") == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_failed_program_is_started_again(protocol: str) -> None:
    agent = build_agent(program(protocol, "crashes", "token-again"))
    start = Position.start(RULES[protocol])
    positions = [start, start.play(0).play(1), start]
    found = answers(agent, positions, [Rng() for _ in positions])
    assert [getattr(answer, "move", None) for answer in found] == [0, None, 0]
    assert "SIGSEGV" in str(found[1])


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_another_program_is_another_agent(protocol: str, tmp_path: Path) -> None:
    script, weights = tmp_path / "engine.sh", tmp_path / "weights"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    weights.write_text("1")
    texts = [f"{protocol}:{script}", f"{protocol}:sh {script}", f"{protocol}:{script},files={weights}"]
    before = [depends_on(text).versions for text in texts]
    assert [depends_on(text).versions for text in texts] == before
    weights.write_text("22")
    assert [depends_on(text).versions == was for text, was in zip(texts, before, strict=True)] == [True, True, False]
    script.write_text("#!/bin/sh\ntrue\n")
    assert [depends_on(text).versions == was for text, was in zip(texts, before, strict=True)] == [False] * 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("process:nosuchprogram", "there is no program nosuchprogram"),
        ("gomocup:./pyproject.toml", "is not executable"),
        ("process:sh 'a", "is malformed: No closing quotation"),
        ("process:sh,files=nothing.bin", "its option files names nothing.bin, which does not exist"),
        ("gomocup:sh,files=a++b", "files=a++b is not allowed"),
    ],
)
def test_an_impossible_command_is_refused_at_once(text: str, words: str) -> None:
    with pytest.raises(AgentError, match=re.escape(words)):
        build_agent(text)


def test_an_agents_text_contains_its_command() -> None:
    for text, command in (
        ("process:a b --c=1", "a b --c=1"),
        ("process:(a b --c=1,2),seconds=2.0", "a b --c=1,2"),
        ("gomocup:'my engine' x", "'my engine' x"),
    ):
        assert (str(parse_agent(text)), parse_agent(text).target) == (text, command)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a process of its parent's death")
def test_a_program_does_not_outlive_its_supervisor() -> None:
    token = "token-supervisor"
    agent = build_agent(program("process", "end_ignored", token))
    choose(agent, Position.start(RULES["process"]), Rng())
    for child in psutil.Process().children():
        if token in child.cmdline():
            child.kill()
    assert left_over(token) == []
    assert choose(agent, Position.start(RULES["process"]), Rng()) == 0


ASKING = """
import sys, time
from noughts.agents import build_agent, choose
from noughts.positions import Position, Rng
from noughts.rules import parse_rules

if __name__ == "__main__":
    position = Position.start(parse_rules(sys.argv[2]))
    agent = build_agent(sys.argv[1])
    print(choose(agent, position, Rng()), flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize(("protocol", "kind"), [("gomocup", "forks"), ("process", "end_ignored")])
def test_no_process_is_left_when_we_are_killed(protocol: str, kind: str, tmp_path: Path) -> None:
    token = f"token-{protocol}-{kind}-killed"
    command = [sys.executable, "-c", ASKING, program(protocol, kind, token), str(RULES[protocol])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        assert asking.stdout.readline() == "0\n"
        assert left_over(token, 0) != []
        asking.send_signal(signal.SIGKILL)
    assert left_over(token) == []
