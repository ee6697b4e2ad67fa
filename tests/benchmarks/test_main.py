"""The command line, in a process of its own: it keeps itself to one core."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import write_whole
from benchmarks.table import BEGIN, END

pytestmark = pytest.mark.slow
"""Tools of ours that time things: tried by hand after they change."""

ROOT = Path(__file__).parents[2]


def benchmarks(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "benchmarks", "--rounds", "2", "--seconds", "0.02", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


def test_it_writes_the_table_into_the_page_and_the_rounds_beside_it(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(f"# Kept\n\n{BEGIN}\nold\n{END}\n\nKept too.\n")
    done = benchmarks("--only", "PettingZoo, without", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "README.md").read_text()
    assert page.startswith("# Kept\n")
    assert page.endswith("Kept too.\n")
    assert "old" not in page
    assert done.stdout.strip() in page
    stored = (tmp_path / "results.json").read_text()
    assert str(ROOT) not in stored
    row = json.loads(stored)["rows"][0]
    assert row["group"] == "playouts-tic-tac-toe"
    assert len(row["rounds"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "results.json"]
    assert " left: " in done.stderr or "getting ready" in done.stderr


def test_part_of_the_cases_leaves_the_whole_table_alone() -> None:
    page = (ROOT / "benchmarks" / "README.md").read_text()
    assert benchmarks("--only", "notakto").returncode == 0
    assert (ROOT / "benchmarks" / "README.md").read_text() == page


@pytest.mark.parametrize(
    ("words", "message"), [(("--only", "chess"), "no case has 'chess'"), (("--rounds", "0"), "--rounds must be")]
)
def test_mistakes_are_told(words: tuple[str, ...], message: str) -> None:
    done = benchmarks(*words)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_page_without_markers_is_told_before_anything_is_timed(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Nothing here\n")
    done = benchmarks("--only", "notakto", "--out", str(tmp_path))
    assert done.returncode == 2
    assert "the page needs the line" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    write_whole(path, "first")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "second\ud800")
    assert path.read_text() == "first"
    assert [file.name for file in tmp_path.iterdir()] == ["page.md"]
