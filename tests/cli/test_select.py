"""`noughts select`: runs play each other, and the best average is selected."""

import pytest

from tests.agents.runs import BEST, MEAN, evolved_run, make_run
from tests.cli.running import Run, Shown, Told


@pytest.fixture(autouse=True)
def runs() -> None:
    """Two runs of different networks."""
    evolved_run("few")
    evolved_run("more", BEST, MEAN, iteration=12)


def test_the_best_average_is_selected(run: Run, shown: Shown) -> None:
    found = shown("select", "few", "more", "-n", "4", "-w", "0")
    assert {row["agent"] for row in found["ranking"]} == {"es:few@1", "es:more@12"}
    assert found["selected"] == max(found["ranking"], key=lambda row: row["score"])
    assert f"selected  {found['selected']['agent']}" in run("select", "few", "more", "-n", "4", "-w", "0")[1]
    at_once = ("--rules", "mnk(3,3,1)")  # the first player wins, so both win half of their games
    found = shown("select", "few@1", "more@12", "-n", "2", "-w", "0", *at_once)
    assert [row["score"] for row in found["ranking"]] == [0.5, 0.5]
    assert found["equal"] == [found["ranking"][1]["agent"]]


def test_runs_of_several_games_need_the_game_to_play(told: Told) -> None:
    make_run("misere", {1: b"weights"}, method="es", task="misere-tic-tac-toe")
    said = "several games (misere-tic-tac-toe, tic-tac-toe): choose one with --rules"
    assert said in told("select", "few", "misere", code=2)
