"""``noughts sweep``: begun, interrupted and gone on with, nothing done twice; its page, its curves and its CSV."""

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.cli.main import main
from noughts.store.run_folder import run_names
from noughts.training.loop import train

FILE = """
method = "es"
tasks = ["mnk(2,3,2)"]
seeds = 2
positions = [60, 200]

[config]
rounds = 2
population = 4

[settings]
widths = ["2", "3"]

[[tests]]
name = "truth"

[[tests]]
opponent = "random"
games = 4
"""


@pytest.fixture
def trainings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of runs that are trained, each as often as it is begun."""
    begun: list[str] = []

    def noted(trainer: Any, run: Any, *others: Any) -> Any:
        begun.append(run.name)
        return train(trainer, run, *others)

    monkeypatch.setattr("noughts.questions.trained.train", noted)
    return begun


def write(tmp_path: Path, text: str = FILE) -> Path:
    path = tmp_path / "widths.toml"
    path.write_text(text)
    return path


def sweep(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> tuple[int, str, str]:
    code = main(["sweep", str(path), "--workers", "0", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.heavy
def test_a_sweep_is_a_table_a_page_and_csv_and_is_not_done_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], trainings: list[str]
) -> None:
    path, folder = write(tmp_path), tmp_path / "pages"
    plan = json.loads(sweep(capsys, path, "--plan", "--json")[1])
    assert (plan["conditions"], plan["trainings"], plan["trained"], plan["positions"]) == (2, 4, 0, 800)
    assert plan["seconds"] is None
    assert run_names() == ()
    code, out, _err = sweep(capsys, path, "--report", str(folder))
    assert (code, sorted(trainings)) == (0, sorted(run_names()))
    assert len(trainings) == 4
    assert "truth, after 200 positions" in out
    assert "over 2 trainings" in out
    assert "Every training" not in out
    page = (folder / "widths-sweep.html").read_text()
    assert "truth on mnk(2,3,2)" in page
    assert "Every training" in page
    assert "the paper" not in page  # a sweep is of none
    first, second = page.index("truth on mnk(2,3,2)"), page.index(">Every training</h2>")
    assert first < second  # the curves stand with the table of their test
    assert ">Figures</h2>" not in page
    measured = list(csv.DictReader((folder / "widths-sweep.csv").read_text().splitlines()))
    assert len(measured) == 2 * 2 * 2 * 2
    assert all(int(row["positions"]) >= int(row["point"]) for row in measured)
    assert {row["run"] for row in measured} == set(run_names())
    assert all(name in page for name in run_names())
    assert "truth: differences from widths=2, after 200 positions" in out
    means = list(csv.DictReader((folder / "widths-sweep-means.csv").read_text().splitlines()))
    assert [row["widths"] for row in means if (row["test"], row["point"]) == ("truth", "200")] == ["2", "3"]
    for row in means:
        same = [
            float(one["value"])
            for one in measured
            if (one["widths"], one["test"], one["point"]) == (row["widths"], row["test"], row["point"])
        ]
        assert float(row["mean"]) == pytest.approx(sum(same) / 2)
        assert (row["trainings"], float(row["low"]) <= float(row["mean"]) <= float(row["high"])) == ("2", True)
    assert (folder / "widths-sweep-truth-mnk-2-3-2-.svg").exists()
    again = json.loads(sweep(capsys, path, "--report", str(folder), "--json")[1])
    assert len(trainings) == 4
    assert again["complete"]
    assert len(again["measured"]) == 16
    plan = json.loads(sweep(capsys, path, "--plan", "--json")[1])
    assert (plan["trained"], plan["measurements"], plan["kept"]) == (4, 16, plan["asked"])
    assert "measurements  16, of 40 games and groups of positions, 40 of them done" in sweep(capsys, path, "--plan")[1]
    assert main(["results", "show", "sweep"]) == 0
    kept = capsys.readouterr().out
    assert "truth, after 200 positions" in kept
    assert "{" not in kept
    result, found = noughts.sweep(path, workers=0)
    assert (result.tables[0].rows[0].count, found.trained, len(trainings)) == (2, 4, 4)


@pytest.mark.heavy
def test_optuna_proposes_the_same_again_and_nothing_is_done_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], trainings: list[str]
) -> None:
    text = FILE.replace('method = "es"', 'method = "es"\nchoose = "optuna"\ndraws = 3').replace(
        "seeds = 2", "seeds = 1"
    )
    path = write(tmp_path, text.replace('widths = ["2", "3"]', 'widths = ["2"]\nsigma = { low = 0.1, high = 1.0 }'))
    first = json.loads(sweep(capsys, path, "--json")[1])
    assert len(trainings) == 3
    assert len(first["tables"][0]["rows"]) == 3
    second = json.loads(sweep(capsys, path, "--json")[1])
    assert len(trainings) == 3
    assert second["tables"] == first["tables"]


def test_without_optuna_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    path = write(tmp_path, FILE.replace('method = "es"', 'method = "es"\nchoose = "optuna"'))
    code, out, err = sweep(capsys, path)
    assert (code, out) == (2, "")
    assert (
        'optuna is not installed: in your clone of noughts, run pip install ".[optuna]" or uv sync --extra optuna'
        in err
    )


def test_one_training_judged_in_every_position_has_no_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, FILE.replace("seeds = 2", "seeds = 1").replace("positions = [60, 200]", "positions = [60]"))
    code, _, err = sweep(capsys, path, "--report", str(tmp_path / "pages"))
    assert code == 0, err
    (page,) = (tmp_path / "pages").rglob("*.html")
    assert "One training, judged in every position: there is no interval." in page.read_text()
    assert "One training: the interval is that of its test." in page.read_text()  # of games
