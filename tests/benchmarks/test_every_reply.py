"""The walks of every square: an agent that wins is proved, one that can be beaten is not, and neither is a draw."""

import pytest

from benchmarks.every_reply import count_proved


@pytest.mark.parametrize(
    ("agent", "task", "proved", "says"),
    [
        ("perfect", "mnk(3,3,2)", 1, "wins against every reply"),
        ("minimax:depth=1,ties=first,eval=none", "mnk(3,3,3,full=second)", 0, "loses in "),
        ("perfect", "tic-tac-toe", 0, "never loses"),
    ],
)
def test_what_is_proved(agent: str, task: str, proved: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert count_proved(agent, task, 0) == (proved, 1)
    assert says in capsys.readouterr().out


def test_a_square_stands_for_its_images() -> None:
    assert count_proved("perfect", "mnk(3,3,2,bricks=A1|A3|C1|B2)", 0) == (4, 4)
