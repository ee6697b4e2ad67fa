"""An engine of ours plays here as anybody's would, and is proved: the protocol both ways."""

import shlex
import sys

import pytest

from noughts.cli.main import main

ENGINE = "gomocup:({} -m noughts gomocup --agent minimax:depth=2,ties=first --k 3),k=3,seconds=20.0"


@pytest.mark.slow  # the engine is a whole noughts, started for each game
def test_our_engine_plays_and_is_proved_as_the_agent_itself(capsys: pytest.CaptureFixture[str]) -> None:
    text = ENGINE.format(shlex.quote(sys.executable))
    assert main(["match", text, "random", "-n", "4", "--workers", "0"]) == 0
    assert "broken off" not in capsys.readouterr().out
    outcomes = []
    for agent in (text, "minimax:depth=2,ties=first"):
        code = main(["prove", agent, "--rules", "tic-tac-toe", "--as", "first", "--workers", "0"])
        shown = capsys.readouterr().out
        outcomes.append((code, shown.partition(":")[0], shown.partition("as first player")[2].partition("picture")[0]))
    assert outcomes[0] == outcomes[1]
