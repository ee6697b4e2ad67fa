"""Agents that name a run: which iteration they are, what tells their weights apart, and what is said if there are none."""

import hashlib
from pathlib import Path

import pytest

from noughts.agents import build_agent, parse_agent
from noughts.agents.kinds import AGENTS
from noughts.agents.registry import depends_on, from_outside, lockstep_of
from noughts.agents.trained import Target, read_weights, split_target
from noughts.machine.arithmetic import arithmetic
from noughts.machine.dependencies import COMPUTED_WITH
from noughts.rules import AgentError, NoughtsError
from tests.agents.runs import make_run, weights


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("target", "run", "iteration"),
    [
        ("demo", "demo", None),
        ("demo@last", "demo", None),
        ("demo@0", "demo", 0),
        ("demo@001200", "demo", 1200),
        ("./runs/a@b/c", "./runs/a@b/c", None),
        ("me@home@7", "me@home", 7),
    ],
)
def test_a_target_is_a_run_and_an_iteration(target: str, run: str, iteration: int | None) -> None:
    assert split_target(target) == Target(run, iteration)


def test_a_target_may_name_how_many_positions_were_seen() -> None:
    run = make_run("demo", {2: b"a", 4: b"b", 6: b"c"})
    for iteration in (2, 4, 6):
        run.metrics.append("iteration", iteration, 10 * iteration, 0.0, {})
        run.metrics.append("measurement", iteration, 10 * iteration, 0.0, {})
    assert split_target("demo@30p") == Target("demo", positions=30)
    assert str(parse_agent("az:demo@0030p,sims=3")) == "az:demo@30p,sims=3"
    assert str(parse_agent("az:yet-to-come@50p")) == "az:yet-to-come@50p,sims=100"
    for positions, iteration in ((1, 2), (20, 2), (21, 4), (60, 6)):
        computed = {COMPUTED_WITH: arithmetic()}
        assert (
            depends_on(f"az:demo@{positions}p").versions
            == {f"demo@{positions}p": run.weights_hash(iteration)} | computed
        )
    with pytest.raises(AgentError, match="run demo saved no weights after 61 positions: it has seen"):
        depends_on("az:demo@61p")


@pytest.mark.parametrize("target", ["demo@first", "demo@-1", "demo@1.5", "demo@3q", "demo@", "demo@" + "9" * 400])
def test_what_is_no_iteration_is_answered_in_one_line(target: str) -> None:
    with pytest.raises(
        AgentError, match="is not allowed: write demo@ITERATION, a whole number, demo@POSITIONSp or demo@last"
    ):
        parse_agent(f"az:{target}")


def test_the_canonical_text_says_which_iteration_plays() -> None:
    make_run("demo", {600: b"a", 1200: b"b"})
    make_run("other", {5: b"c"}, Path("lr=0.1"))
    canonical = {
        "az:demo": "az:demo@1200,sims=100",
        "az:demo@last,sims=7": "az:demo@1200,sims=7",
        "az:demo@600,search=puct": "az:demo@600,sims=100,search=puct",
        "az:demo@600,search=trained": "az:demo@600,sims=100",
        "az:./lr=0.1,sims=0": "az:./lr=0.1@5,sims=0",
        "az:lr=0.1": "az:lr=0.1@5,sims=100",
        "az:yet-to-come@50": "az:yet-to-come@50,sims=100",
        "omniscient:inside=(az:demo,sims=3)": "omniscient:sims=1,inside=(az:demo@1200,sims=3)",
    }
    for text, expected in canonical.items():
        assert str(parse_agent(text)) == expected
        assert str(parse_agent(expected)) == expected


def test_other_weights_are_another_agent() -> None:
    run = make_run("demo", {1: b"a", 2: b"b", 3: b"a"})
    first, second, third = (depends_on(f"az:demo@{iteration}").versions for iteration in (1, 2, 3))
    assert first == {"demo@1": run.weights_hash(1), COMPUTED_WITH: arithmetic()}
    assert first["demo@1"] == third["demo@3"] != second["demo@2"]
    assert depends_on("omniscient:inside=(az:demo@2,sims=3)").versions == second
    run.weights.save(1, {"weights.safetensors": b"trained again"})
    assert depends_on("az:demo@1").versions != first


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("az", "agent 'az' needs a target: az:RUN@ITERATION, a run's name or folder"),
        ("az:demmo", "agent 'az:demmo': there is no run 'demmo'.*which are: demo"),
        ("az:./nowhere", "there is no run './nowhere'"),
        ("az:empty", "run empty has no weights yet"),
        ("az:demo,sims=10001", "sims=10001 is not allowed: a whole number from 0 to 10000"),
        ("az:demo,search=best", "search=best is not allowed: trained or gumbel or puct"),
        ("az:demo,100", "'100' is not an option; write option=value"),
        ("az:demo,c=1", "az has no option 'c'"),
    ],
)
def test_wrong_text_is_answered_by_what_there_is(text: str, message: str) -> None:
    make_run("demo", {600: b"a", 1200: b"b"})
    make_run("empty", {})
    with pytest.raises(AgentError, match=message) as caught:
        parse_agent(text)
    assert "\n" not in str(caught.value)


def test_a_file_of_weights_is_named_by_its_path_and_told_apart_by_what_it_holds() -> None:
    Path("best.safetensors").write_bytes(weights(1))
    text = "az:best.safetensors,sims=3"
    digits = hashlib.sha256(weights(1)).hexdigest()[:16]
    pinned = parse_agent(text)
    assert str(pinned) == f"az:best.safetensors@{digits},sims=3"
    assert parse_agent(str(pinned)) == pinned
    build_agent(pinned)
    first = depends_on(text).versions
    assert list(first) == ["best.safetensors", COMPUTED_WITH]
    assert depends_on(f"omniscient:inside=({text})").versions == first
    Path("best.safetensors").write_bytes(weights(2))
    with pytest.raises(AgentError, match=f"holds other weights than those of @{digits}: leave out the @"):
        build_agent(pinned)
    assert depends_on(text).versions != first
    Path("copy.safetensors").write_bytes(weights(1))
    assert list(depends_on("az:copy.safetensors").versions.values()) == list(first.values())
    assert not from_outside(text)
    assert lockstep_of(text) == "gains"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("az:nowhere.safetensors", "there is no file of weights 'nowhere.safetensors': `noughts runs export"),
        ("az:folder.safetensors", "there is no file of weights 'folder.safetensors'"),
        ("es:damaged.safetensors", "value.safetensors is not a file of weights"),
        ("az:damaged.safetensors", "weights.safetensors is not a file of weights"),
    ],
)
def test_what_is_no_file_of_weights_is_said_in_one_line(text: str, message: str) -> None:
    Path("folder.safetensors").mkdir()
    Path("damaged.safetensors").write_bytes(b"nothing that could be read")
    with pytest.raises(AgentError, match=message) as caught:
        build_agent(parse_agent(text))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("target", ["best.bin", "best", "bets.safetensor", "./nowhere/best.pt@last", "best.bin@7p"])
def test_a_file_that_ends_otherwise_is_told_how_files_of_weights_end(target: str) -> None:
    Path("best.bin").write_bytes(weights(1))
    Path("best").write_bytes(weights(1))
    make_run("demo", {1: b"a"})
    run = target.partition("@")[0]
    with pytest.raises(
        NoughtsError,
        match=rf"'{run}' does not end in .safetensors, as files of weights do, and there is no run '{run}'",
    ):
        read_weights(target, "weights.safetensors")


def test_a_name_that_looks_like_no_file_is_told_of_runs_alone() -> None:
    for target in ("demmo", "lr=0.1", "./nowhere", "best.safetensors@3"):
        with pytest.raises(NoughtsError, match=r"^there is no run"):
            read_weights(target, "weights.safetensors")


def test_what_is_from_outside_and_how_games_are_played() -> None:
    make_run("demo", {1: b"a"})
    assert not from_outside("az:demo")
    assert from_outside("omniscient:inside=python:tests.agents.players:First")
    together = "python:tests.agents.together:Together"
    modes = {text: lockstep_of(text) for text in ("az:demo@1", "es:demo@1", "minimax", "perfect", "human", together)}
    assert list(modes.values()) == ["gains", "gains", "joins", "apart", "apart", "asked"]
    assert lockstep_of("python:no_such_module:Agent") == "asked"
    for wrong in ("nobody", "omniscient", "mcts:", "az"):
        assert lockstep_of(wrong) == "joins"
    assert lockstep_of("omniscient:inside=(omniscient:inside=perfect)") == "apart"
    assert [kind.name for kind in AGENTS.values() if kind.target and not kind.outside] == ["az", "mz", "es"]
