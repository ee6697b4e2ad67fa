"""The answers of a network, and trainings, depend on the arithmetic of the machine."""

from pathlib import Path

import pytest

from noughts.agents.registry import depends_on, parse_agent
from noughts.agents.spec import AgentSpec
from noughts.machine import arithmetic as machine
from noughts.machine.arithmetic import arithmetic, instruction_sets
from noughts.machine.dependencies import COMPUTED_WITH, of_our_code
from noughts.questions.answers import versions_outside
from noughts.questions.question import PLAYING, TRAINING
from noughts.questions.walked import Walked
from noughts.rules import parse_task
from tests.agents.runs import make_run


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the test independent of the machine."""
    monkeypatch.setattr(machine, "instruction_sets", lambda: "sse4_2+avx2")
    monkeypatch.setattr(machine, "_has_accelerator", lambda: False)
    for name in ("XLA_FLAGS", "JAX_PLATFORMS", "NPROC"):
        monkeypatch.delenv(name, raising=False)


def test_settings_that_change_numbers_are_named_and_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = arithmetic()
    assert plain == "sse4_2+avx2 cpu XLA_FLAGS="
    monkeypatch.setenv("XLA_FLAGS", "--xla_dump_to=/tmp/x")
    assert arithmetic() == plain
    for flags in ("--xla_b --xla_cpu_max_isa=SSE4_2", "--xla_cpu_max_isa=SSE4_2 --xla_b"):
        monkeypatch.setenv("XLA_FLAGS", flags)
        assert arithmetic() == "sse4_2+avx2 cpu XLA_FLAGS=--xla_b --xla_cpu_max_isa=SSE4_2"
    monkeypatch.setenv("NPROC", "1")
    assert arithmetic().endswith("SSE4_2 NPROC=1")


def test_an_accelerator_counts_only_if_it_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_has_accelerator", lambda: True)
    monkeypatch.setattr(machine, "_is_installed", lambda name: name == "jax-cuda12-plugin")
    assert "cpu+jax-cuda12-plugin" in arithmetic()
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    assert " cpu " in arithmetic()


def test_the_instruction_sets_are_the_processors() -> None:
    instruction_sets.cache_clear()
    found = instruction_sets()
    assert found == " ".join(found.split()) != ""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists() and "flags" in cpuinfo.read_text():
        assert set(found.split("+")) <= set(cpuinfo.read_text().split())


def test_only_trained_agents_and_training_depend_on_arithmetic(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def work(agent: AgentSpec) -> dict[str, str]:
        return versions_outside([Walked(agent=agent, task=parse_task("tic-tac-toe"), side="first")])

    make_run("mine", {0: b"weights"}, tmp_path / "mine")
    trained, plays = parse_agent(f"az:{tmp_path / 'mine'}@0"), parse_agent("minimax")
    before = depends_on(trained), of_our_code(TRAINING), work(trained)
    others = depends_on(plays), of_our_code(PLAYING), work(plays)
    monkeypatch.setenv("XLA_FLAGS", "--xla_cpu_max_isa=SSE4_2")
    assert depends_on(trained) != before[0]
    assert of_our_code(TRAINING) != before[1]
    assert work(trained).items() - before[2].items() == {(COMPUTED_WITH, arithmetic())}, "it is begun anew"
    assert (depends_on(plays), of_our_code(PLAYING), work(plays)) == others
    assert others[2] == {}
    monkeypatch.delenv("XLA_FLAGS")
    assert (depends_on(trained), of_our_code(TRAINING), work(trained)) == before
