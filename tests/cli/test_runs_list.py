"""``noughts runs list``: a long name takes no room from what is said of the run."""

import pytest

from noughts.cli.main import main
from tests.agents.runs import make_run, weights

LONG = "tic-tac-toe-python-trans-py-transformer-heads-3-1"


def test_a_long_name_is_broken_and_no_other_column_is_cut(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(LONG, {1: weights(1)})
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["runs", "list"]) == 0
    _, heads, *rows = capsys.readouterr().out.splitlines()
    assert heads.split() == ["run", "method", "task", "state", "positions", "time", "size"]
    assert all(len(row) <= 80 and "…" not in row for row in rows)
    assert "".join(row.split(" ")[0] for row in rows) == LONG
    assert rows[0].split()[-1] in ("B", "KiB", "MiB")
