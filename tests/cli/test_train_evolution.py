"""``noughts train --method es`` and what can be done with such a run; one line for whatever is wrong."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from noughts.store.run_folder import RunFolder
from noughts.training.evolution.fitness import prepare
from tests.cli.running import Run

SMALL = ("--set", "rounds=5", "--set", "population=4", "--set", "widths=3", "--set", "measure_rounds=5")
TRAIN = ("train", "tic-tac-toe", "--method", "es", *SMALL)


@pytest.fixture(autouse=True)
def _as_many_threads_as_before() -> Iterator[None]:
    yield
    prepare(None)


def test_a_run_from_beginning_to_end(run: Run) -> None:
    code, out, err = run(*TRAIN, "--iterations", "3", "--seed", "4", "--devices", "2")
    assert code == 0
    assert "run       tic-tac-toe-es-1 in " in out
    assert "trained   3 iterations, " in out
    assert "next      noughts play --against es:tic-tac-toe-es-1 --rules tic-tac-toe\n" in out
    for measure in ("lost_rounds", "drawn_rounds", "unbeatable_first", "best_lost_rounds"):
        assert measure in out
    assert "strength after" in err
    config = RunFolder.find("tic-tac-toe-es-1").description.config
    assert (config["rounds"], config["population"], config["widths"], config["seed"]) == (5, 4, "3", 4)
    code, out, _ = run("runs", "resume", "tic-tac-toe-es-1", "--iterations", "2", "--devices", "1", "--json")
    assert code == 0
    assert json.loads(out)["iterations"] == 5
    code, out, _ = run(*TRAIN, "--iterations", "5", "--seed", "4", "--run", "whole", "--json")
    assert code == 0
    whole, resumed = RunFolder.find("whole"), RunFolder.find("tic-tac-toe-es-1")
    assert whole.weights_hash(5) == resumed.weights_hash(5)
    assert json.loads(out)["strength"].keys() == {
        f"{best}{name}"
        for best in ("", "best_")
        for name in ("lost_rounds", "drawn_rounds", "unbeatable_first", "unbeatable_second")
    }


def test_the_weights_of_evolution_are_exported_as_they_are(run: Run, tmp_path: Path) -> None:
    assert run(*TRAIN, "--iterations", "1")[0] == 0
    to = tmp_path / "weights.safetensors"
    code, out, err = run("runs", "export", "tic-tac-toe-es-1", "--to", str(to))
    assert (code, err) == (0, "")
    assert "its agent: es:tic-tac-toe-es-1@1" in out
    assert to.read_bytes() == RunFolder.find("tic-tac-toe-es-1").weights_at()[1]["value.safetensors"]
    code, _, err = run("runs", "export", "tic-tac-toe-es-1", "--to", str(tmp_path / "weights.onnx"))
    assert (code, "are in value.safetensors, and not one network for ONNX" in err) == (2, True)
