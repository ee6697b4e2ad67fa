"""The count of squares won: what it prints is what was played."""

import pytest

from benchmarks import unseen_squares
from noughts.store.records import GameRecord


def test_it_counts_the_games_of_a_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    play, asked = unseen_squares.play_squares, list[str]()

    def instead(agent: str, task: str, games: int, seed: int) -> list[GameRecord]:
        asked.append(agent)
        return play("random", task, games, seed)

    monkeypatch.setattr(unseen_squares, "BOARDS", {"7x7": ("bttt(A1|B2)", 2)})
    monkeypatch.setattr(unseen_squares, "play_squares", instead)
    assert unseen_squares.main(["demo", "--sims", "0"]) == 0
    assert asked == ["az:demo,sims=0"]
    assert "demo, 0 simulations, 7x7: won 0 of 4 games, all on 0 of 2 squares; 4 different" in capsys.readouterr().out
