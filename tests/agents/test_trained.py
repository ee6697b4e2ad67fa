"""Agents that name a run: their iteration, the identity of their weights, and the errors for missing ones."""

import hashlib
from pathlib import Path

import pytest

from noughts.agents import build_agent, choose, parse_agent
from noughts.agents.kinds import AGENTS
from noughts.agents.registry import depends_on, from_outside, lockstep_of
from noughts.agents.trained import EXAMPLE, Target, example_file, is_example, pinned, read_weights, split_target
from noughts.machine.arithmetic import arithmetic
from noughts.machine.dependencies import COMPUTED_WITH
from noughts.positions import Position, Rng
from noughts.rules import AgentError, NoughtsError, parse_rules
from noughts.solvers.verify import verify
from tests.agents.runs import make_run, weights


@pytest.fixture(autouse=True)
def _here(own_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own_store.parent)


def test_a_target_is_a_run_and_an_iteration() -> None:
    assert split_target("demo") == split_target("demo@last") == Target("demo", None)
    assert split_target("demo@0") == Target("demo", 0)
    assert split_target("demo@001200") == Target("demo", 1200)
    assert split_target("./runs/a@b/c") == Target("./runs/a@b/c", None)
    assert split_target("me@home@7") == Target("me@home", 7)


def test_a_target_may_name_a_number_of_positions() -> None:
    run = make_run("demo", {2: b"a", 4: b"b", 6: b"c"})
    for iteration in (2, 4, 6):
        run.metrics.append("iteration", iteration, 10 * iteration, 0.0, {})
        run.metrics.append("measurement", iteration, 10 * iteration, 0.0, {})
    assert split_target("demo@30p") == Target("demo", positions=30)
    assert str(parse_agent("az:demo@0030p,sims=3")) == "az:demo@30p,sims=3"
    assert str(parse_agent("az:yet-to-come@50p")) == "az:yet-to-come@50p,sims=100"
    for positions, iteration in ((1, 2), (20, 2), (21, 4), (60, 6)):
        weights_then = {f"demo@{positions}p": run.weights_hash(iteration)}
        assert depends_on(f"az:demo@{positions}p").versions == weights_then | {COMPUTED_WITH: arithmetic()}
    with pytest.raises(AgentError, match="run demo saved no weights after 61 positions: it has seen"):
        depends_on("az:demo@61p")


@pytest.mark.parametrize("target", ["demo@first", "demo@-1", "demo@1.5", "demo@3q", "demo@", "demo@" + "9" * 400])
def test_an_impossible_iteration_is_rejected_in_one_line(target: str) -> None:
    said = "is not allowed: write demo@ITERATION, a whole number, demo@POSITIONSp or demo@last"
    with pytest.raises(AgentError, match=said):
        parse_agent(f"az:{target}")


def test_the_canonical_text_contains_the_iteration() -> None:
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
        "es:demo@last,which=mean,ties=trained": "es:demo@1200",
        "es:demo@600,which=best": "es:demo@600,which=best",
        "es:demo@600,ties=1e-2": "es:demo@600,ties=0.01",
        "omniscient:sims=3,inside=(es:demo,which=best)": "omniscient:sims=3,inside=(es:demo@1200,which=best)",
    }
    for text, expected in canonical.items():
        assert str(parse_agent(text)) == expected
        assert str(parse_agent(expected)) == expected


def test_other_weights_are_another_agent() -> None:
    run = make_run("demo", {1: b"a", 2: b"b", 3: b"a"})
    first, second, third = (depends_on(f"az:demo@{iteration}").versions for iteration in (1, 2, 3))
    assert first == {"demo@1": run.weights_hash(1), COMPUTED_WITH: arithmetic()}
    assert first["demo@1"] == third["demo@3"] != second["demo@2"]
    assert depends_on("omniscient:inside=(az:demo@2,sims=3)").versions == depends_on("es:demo@2").versions == second
    run.weights.save(1, {"weights.safetensors": b"trained again"})
    assert depends_on("az:demo@1").versions != first


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("az", "agent 'az' needs a target: az:RUN@ITERATION, a run's name or folder"),
        ("az:demmo", "agent 'az:demmo': there is no run 'demmo'.*which are: demo"),
        ("az:./nowhere", "there is no run './nowhere'"),
        ("az:empty", "run empty has no weights yet"),
    ],
)
def test_wrong_text_is_rejected_with_the_possible_values(text: str, message: str) -> None:
    make_run("demo", {600: b"a", 1200: b"b"})
    make_run("empty", {})
    with pytest.raises(AgentError, match=message):
        parse_agent(text)


def test_a_file_of_weights_is_named_by_path_and_identified_by_content() -> None:
    Path("best.safetensors").write_bytes(weights(1))
    text = "az:best.safetensors,sims=3"
    digits = hashlib.sha256(weights(1)).hexdigest()[:16]
    spec = parse_agent(text)
    assert str(spec) == f"az:best.safetensors@{digits},sims=3"
    assert parse_agent(str(spec)) == spec
    build_agent(spec)
    first = depends_on(text).versions
    assert list(first) == ["best.safetensors", COMPUTED_WITH]
    assert depends_on(f"omniscient:inside=({text})").versions == first
    Path("best.safetensors").write_bytes(weights(2))
    with pytest.raises(AgentError, match=f"holds other weights than those of @{digits}: leave out the @"):
        build_agent(spec)
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
        ("az:damaged.safetensors", "weights.safetensors is not a file of weights"),
    ],
)
def test_a_file_that_contains_no_weights_is_rejected_in_one_line(text: str, message: str) -> None:
    Path("folder.safetensors").mkdir()
    Path("damaged.safetensors").write_bytes(b"nothing that could be read")
    with pytest.raises(AgentError, match=message):
        build_agent(parse_agent(text))


@pytest.mark.parametrize("target", ["best.bin", "best", "bets.safetensor", "./nowhere/best.pt@last", "best.bin@7p"])
def test_a_wrong_file_name_gets_the_right_suffix_in_its_error(target: str) -> None:
    Path("best.bin").write_bytes(weights(1))
    Path("best").write_bytes(weights(1))
    make_run("demo", {1: b"a"})
    run = target.partition("@")[0]
    said = rf"'{run}' does not end in .safetensors, as files of weights do, and there is no run '{run}'"
    with pytest.raises(NoughtsError, match=said):
        read_weights(target, "weights.safetensors")


def test_which_agents_are_from_outside_and_how_their_games_are_batched() -> None:
    make_run("demo", {1: b"a"})
    assert not from_outside("az:demo")
    assert from_outside("omniscient:inside=python:tests.agents.players:First")
    assert all(map(from_outside, ("gomocup:x", "process:x", "omniscient:inside=(process:x,seconds=2)")))
    together = "python:tests.agents.together:Together"
    texts = ("az:demo@1", "es:demo@1", "minimax", "perfect", "human", together, "gomocup:x", "process:x")
    assert [*map(lockstep_of, texts)] == ["gains", "gains", "joins", "apart", "apart", "asked", "apart", "asked"]
    assert lockstep_of("python:no_such_module:Agent") == "asked"
    for wrong in ("nobody", "omniscient", "mcts:", "az"):
        assert lockstep_of(wrong) == "joins"
    assert lockstep_of("omniscient:inside=(omniscient:inside=perfect)") == "apart"
    assert [kind.name for kind in AGENTS.values() if kind.target and not kind.outside] == ["az", "mz", "es"]


def test_the_example_is_identified_by_its_hash() -> None:
    spec = parse_agent("az:example,sims=0")
    assert spec.target == pinned(EXAMPLE)
    assert is_example(spec.target)
    assert not is_example("example-2@7")
    assert parse_agent(str(spec)) == spec
    with pytest.raises(AgentError, match="holds other weights"):
        build_agent("az:example@0123456789abcdef,sims=0")


@pytest.mark.heavy
def test_the_example_wins_and_plays_as_its_certificate_claims() -> None:
    report = verify(example_file("first-bttt-D4.proof.xz"))
    assert (report.side, report.claim, report.game) == ("first", "wins", "bttt(D4)")
    assert parse_agent(report.agent) == parse_agent("az:example,sims=0,view=canonical")
    agent, position = build_agent(report.agent), Position.start(parse_rules(report.game))
    while not position.is_over:  # against an agent that takes the first free cell
        move = choose(agent, position, Rng(0)) if position.ply % 2 == 0 else position.legal_moves[0]
        position = position.play(move)
    assert position.outcome.name == "FIRST"
