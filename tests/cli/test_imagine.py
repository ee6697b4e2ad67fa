"""``noughts imagine``, and what ``noughts score`` says of agents with a model."""

import json
from pathlib import Path

import pytest

import noughts
from noughts.cli.main import main
from tests.agents.model_runs import GAME, make_model_run


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))


def test_the_board_that_is_believed_stands_beside_the_real_one(capsys: pytest.CaptureFixture[str]) -> None:
    make_model_run("one")
    assert main(["imagine", "mz:one", "--rules", GAME, "--after", "A1", "--line", "B1 B1 B2"]) == 0
    shown = capsys.readouterr().out
    heads = [line for line in shown.splitlines() if "believes" in line]
    assert [head.partition(":")[0] for head in heads] == [
        "seen",
        "after B1",
        "after B1, which cannot be made",
        "after B2, which cannot be made",
    ]
    assert "really no such position" in heads[2]
    assert "X # ." in shown
    assert main(["imagine", "mz:one", "--rules", GAME, "--line", "B1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = noughts.imagine("mz:one", GAME, line="B1")
    assert told["positions"] == json.loads(found.to_json())["positions"]
    assert found.positions[1].real == (0, 3, 0, 1, 0, 0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("imagine", "random"), "has no model of the game"),
        (("imagine", "mz:one", "--rules", GAME, "--line", "D9"), "D9"),
        (("imagine", "mz:one", "--rules", GAME, "--after", "A1 A1"), "A1"),
        (("imagine", "mz:none", "--rules", GAME), "none"),
    ],
)
def test_what_cannot_be_is_one_line(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    make_model_run("one")
    assert main(list(words)) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_score_tells_of_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    make_model_run("one")
    words = ["score", "mz:one,sims=6", "--rules", GAME, "--workers", "0"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "what its searches imagine" in shown
    assert "missed %" in shown
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["imagined"]
    found = noughts.score_model("mz:one,sims=6", GAME, all_up_to=100, per_ply=5, nodes=20_000, workers=0)
    assert [(one["depth"], one["illegal"], one["beyond"]) for one in told] == [
        (depth, tally.illegal, tally.beyond) for depth, tally in found.depths.items()
    ]
    assert told[0]["illegal"] == told[0]["beyond"] == 0  # legal moves alone at the root
    assert sum(one["illegal"] + one["beyond"] for one in told) > 0
