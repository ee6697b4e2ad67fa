"""The walks of every square: an agent that wins is proved, one that can be beaten is not."""

from benchmarks.every_reply import walk


def test_a_perfect_agent_is_proved() -> None:
    assert walk(("perfect", "mnk(3,3,2)")).startswith("proved to win in at most 3 plies")


def test_a_lost_game_is_shown() -> None:
    assert walk(("minimax:depth=1,ties=first,eval=none", "mnk(3,3,3,full=second)")).startswith("beaten by ")


def test_a_game_that_is_not_lost_is_not_a_win() -> None:
    assert walk(("perfect", "tic-tac-toe")).startswith("never beaten, and not always a win")
