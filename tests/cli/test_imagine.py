"""``noughts imagine``, and the model's rows of ``noughts score``."""

import pytest

import noughts
from tests.agents.runs import MODEL_GAME, make_model_run
from tests.cli.running import Run, Shown


@pytest.fixture(autouse=True)
def one() -> None:
    make_model_run("one")


def test_the_imagined_board_is_printed_with_the_real_one(run: Run) -> None:
    code, out, _ = run("imagine", "mz:one", "--rules", MODEL_GAME, "--after", "A1", "--line", "B1 B1 B2")
    heads = [line for line in out.splitlines() if "believes" in line]
    assert [head.partition(":")[0] for head in heads] == [
        *("seen", "after B1", "after B1, which cannot be made", "after B2, which cannot be made")
    ]
    assert (code, "really no such position" in heads[2], "X # ." in out) == (0, True, True)
    found = noughts.imagine("mz:one", MODEL_GAME, line="B1")
    assert found.positions[1].real == (0, 3, 0, 1, 0, 0)
    assert "after B1: believes" in (found._repr_html_() or "")


def test_a_score_includes_the_model(run: Run, shown: Shown) -> None:
    words = ("score", "mz:one,sims=6", "--rules", MODEL_GAME, "--workers", "0")
    code, out, _ = run(*words)
    assert (code, "positions that its searches imagine" in out, "missed %" in out) == (0, True, True)
    told = shown(*words)["imagined"]
    assert told[0]["illegal"] == told[0]["beyond"] == 0  # legal moves only at the root
    assert sum(one["illegal"] + one["beyond"] for one in told) > 0
