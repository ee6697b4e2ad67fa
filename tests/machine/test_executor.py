"""The place of jobs comes from an option, the environment or the default; impossible ones and unsuitable machines are rejected."""

from pathlib import Path

import pytest

from noughts.machine.executor import LocalWorkers, as_executor, executor_of
from noughts.machine.node import difference, facts_here
from noughts.rules import ComputeError


def test_option_variable_or_default_choose_the_place_of_jobs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert not executor_of(None, None, tmp_path).in_process
    assert executor_of(0, None, tmp_path).in_process
    assert executor_of(0, "local", tmp_path).alone().in_process
    own = LocalWorkers(2)
    assert as_executor(own) is own
    monkeypatch.setenv("NOUGHTS_ON", "auto")
    with pytest.raises(ComputeError, match=r"^--workers 0 means this process alone, and --on auto a cluster"):
        executor_of(0, None, tmp_path)
    assert isinstance(executor_of(3, "local", tmp_path), LocalWorkers)


@pytest.mark.parametrize("place", ["nowhere", "ray://", "ray://host", "host:0", "host:99999", "ray,files=mine", ":1"])
def test_an_impossible_place_is_rejected(place: str, tmp_path: Path) -> None:
    with pytest.raises(ComputeError, match=r"is not possible: give local, ray, auto, HOST:PORT or ray://HOST:PORT"):
        executor_of(None, place, tmp_path)


@pytest.mark.parametrize("name", ["noughts", "Python", "a version of the code and its libraries"])
def test_a_machine_with_other_versions_is_rejected(name: str) -> None:
    here = facts_here()
    assert not difference(here, here, exact=True)
    assert difference(here | {name: "9.9"}, here, exact=False).startswith(f"it has {name} 9.9, and this machine")


def test_the_arithmetic_of_networks_matters_only_for_exact_answers() -> None:
    there = facts_here() | {"arithmetic": "another"}
    assert not difference(there, facts_here(), exact=False)
    assert difference(there, facts_here(), exact=True).startswith("it has arithmetic another, and")
