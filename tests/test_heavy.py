"""Which runs of pytest leave out the tests that are marked heavy."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import leaves_out_heavy

ROOT = Path(__file__).parents[1]


def config(arguments: list[str], folder: Path = ROOT, **said: Any) -> Any:
    option = {"heavy": False, "keyword": "", "markexpr": "not slow"} | said
    return SimpleNamespace(
        args=arguments,
        option=SimpleNamespace(**option),
        rootpath=ROOT,
        invocation_params=SimpleNamespace(dir=folder),
        getini={"testpaths": ["tests"]}.__getitem__,
    )


def test_a_run_of_everything_leaves_them_out() -> None:
    assert leaves_out_heavy(config(["tests"]))
    assert leaves_out_heavy(config(["../tests"], ROOT / "docs"))


@pytest.mark.parametrize(
    "part",
    [
        config(["tests"], heavy=True),
        config(["tests"], keyword="kill"),
        config(["tests"], markexpr="heavy"),
        config(["tests"], markexpr="slow"),
        config(["tests/store/test_survival.py::test_two_processes_write_at_once"]),
        config(["store"], ROOT / "tests"),
    ],
)
def test_whoever_asks_for_a_part_has_all_of_it(part: Any) -> None:
    assert not leaves_out_heavy(part)


def test_continuous_integration_runs_them() -> None:
    for file in (".ci/run", ".github/workflows/ci.yml"):
        assert "uv run pytest --heavy\n" in (ROOT / file).read_text()
