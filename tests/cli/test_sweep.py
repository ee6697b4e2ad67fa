"""``noughts sweep``: interrupted and resumed, nothing done twice; its page, its curves and its CSV."""

import csv
import sys
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.store.run_folder import run_names
from noughts.training.loop import train
from tests.cli.running import Run, Shown

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
OPTUNA = FILE.replace('method = "es"', 'method = "es"\nchoose = "optuna"\ndraws = 3')


@pytest.fixture
def trainings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the trained runs, once for each start."""
    begun: list[str] = []

    def noted(trainer: Any, run: Any, *others: Any) -> Any:
        begun.append(run.name)
        return train(trainer, run, *others)

    monkeypatch.setattr("noughts.questions.trained.train", noted)
    return begun


def sweep_of(tmp_path: Path, text: str = FILE) -> tuple[str, ...]:
    """The command for a sweep of this file."""
    path = tmp_path / "widths.toml"
    path.write_text(text)
    return "sweep", str(path), "--workers", "0"


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


@pytest.mark.heavy
def test_a_sweep_is_a_table_a_page_and_csv_and_nothing_runs_twice(
    tmp_path: Path, run: Run, shown: Shown, trainings: list[str]
) -> None:
    sweep, folder = sweep_of(tmp_path), tmp_path / "pages"
    code, out, _ = run(*sweep, "--report", folder)
    assert (code, sorted(trainings), len(trainings)) == (0, sorted(run_names()), 4)
    assert "truth, after 200 positions" in out
    assert "over 2 trainings" in out
    assert "truth: differences from widths=2, after 200 positions" in out
    assert "Every training" not in out
    page = (folder / "widths-sweep.html").read_text()
    assert "the paper" not in page  # a sweep belongs to no run
    assert page.index("truth on mnk(2,3,2)") < page.index(">Every training</h2>")  # curves are beside their table
    assert ">Figures</h2>" not in page
    measured = rows_of(folder / "widths-sweep.csv")
    assert len(measured) == 2 * 2 * 2 * 2
    assert all(int(row["positions"]) >= int(row["point"]) for row in measured)
    assert {row["run"] for row in measured} == set(run_names())
    assert all(name in page for name in run_names())
    of_truth = [row["widths"] for row in measured if (row["test"], row["point"]) == ("truth", "200")]
    assert of_truth == ["2", "2", "3", "3"]
    assert (folder / "widths-sweep-truth-mnk-2-3-2-.svg").exists()
    again = shown(*sweep, "--report", folder)
    assert (len(trainings), again["complete"], len(again["measured"])) == (4, True, 16)
    _, kept, _ = run("results", "show", "sweep")
    assert "truth, after 200 positions" in kept
    assert "{" not in kept
    result, found = noughts.sweep(sweep[1], workers=0)
    assert (result.tables[0].rows[0].count, len(found.measured), len(trainings)) == (2, 16, 4)


@pytest.mark.heavy
def test_optuna_repeats_its_proposals_and_none_runs_twice(tmp_path: Path, shown: Shown, trainings: list[str]) -> None:
    text = OPTUNA.replace("seeds = 2", "seeds = 1")
    text = text.replace('widths = ["2", "3"]', 'widths = ["2"]\nsigma = { low = 0.1, high = 1.0 }')
    sweep = sweep_of(tmp_path, text)
    first = shown(*sweep)
    assert len(trainings) == len(first["tables"][0]["rows"]) == 3
    assert shown(*sweep)["tables"] == first["tables"]
    assert len(trainings) == 3


def test_a_missing_optuna_names_what_to_install(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    code, out, err = run(*sweep_of(tmp_path, OPTUNA))
    assert (code, out) == (2, "")
    how = 'in your clone of noughts, run pip install ".[optuna]" or uv sync --extra optuna'
    assert f"optuna is not installed: {how}" in err


def test_one_training_judged_in_every_position_has_no_interval(tmp_path: Path, run: Run) -> None:
    text = FILE.replace("seeds = 2", "seeds = 1").replace("positions = [60, 200]", "positions = [60]")
    code, _, err = run(*sweep_of(tmp_path, text), "--report", tmp_path / "pages")
    assert code == 0, err
    (page,) = (tmp_path / "pages").rglob("*.html")
    assert "One training, judged in every position: there is no interval." in page.read_text()
    assert "One training: the interval is that of its test." in page.read_text()  # of games
