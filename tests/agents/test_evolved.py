"""The evolved agent: which network it plays with, how it breaks ties, and what it rejects."""

from pathlib import Path
from random import Random

import pytest

from noughts.agents import Want, analyse, build_agent, choose, parse_agent
from noughts.agents.asking import is_symmetric, possible_moves
from noughts.agents.registry import is_even
from noughts.networks.value_network import VALUE_WEIGHTS, best_of, save_values
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules
from tests.agents.law import check_law
from tests.agents.runs import BEST, MEAN, evolved_run, make_run
from tests.networks.value_networks import random_network
from tests.positions.reached import wandered

TIC_TAC_TOE = parse_rules("tic-tac-toe")
NOTAKTO = parse_rules("notakto(3)")
START = Position.start(TIC_TAC_TOE)
NOTHING = random_network(TIC_TAC_TOE, 0)
pytestmark = pytest.mark.usefixtures("own_store")


@pytest.mark.heavy
def test_it_plays_the_best_move_and_breaks_ties_with_the_games_generator() -> None:
    evolved_run("demo", NOTHING)
    positions = [START, *(wandered(TIC_TAC_TOE, 1 + seed % 4, Random(seed)) for seed in range(12))]
    for text, network, tolerance in (
        ("es:demo", NOTHING, 1e-6),
        ("es:demo,which=best", BEST, 1e-6),
        ("es:demo@1,which=best,ties=0.3", BEST, 0.3),
        ("es:demo,which=best,ties=0", BEST, 0.0),
    ):
        agent = build_agent(text)
        assert not is_symmetric(agent)
        assert is_even(parse_agent(text))
        best = [best_of(network.values(position), tolerance) for position in positions]
        assert possible_moves(agent, positions) == best
        for seed, (position, moves) in enumerate(zip(positions, best, strict=True)):
            own, rng = Rng(seed), Rng(seed)
            assert choose(agent, position, own) == (moves[rng.below(len(moves))] if len(moves) > 1 else moves[0])
            assert own.getstate() == rng.getstate()  # it draws exactly once if there are several moves to draw from
        check_law(lambda text=text: build_agent(text), [*positions, Position.start(NOTAKTO)])  # type: ignore[misc]
    assert len({choose(build_agent("es:demo"), START, Rng(seed)) for seed in range(200)}) == 9


def test_the_weights_of_its_iteration_are_loaded_and_again_when_they_are_replaced() -> None:
    def value(text: str) -> float:
        return analyse(build_agent(text), START, Rng()).value

    run, of_mean, of_best = evolved_run("demo"), max(MEAN.values(START).values()), max(BEST.values(START).values())
    swapped = {VALUE_WEIGHTS: save_values({"mean": BEST, "best": MEAN}, {"tie_tolerance": 1e-6})}
    run.weights.save(2, swapped)
    assert (value("es:demo@1"), value("es:demo")) == (of_mean, of_best)
    run.weights.save(1, swapped)
    assert value("es:demo@1") == of_best


@pytest.mark.parametrize("ties", ["2.5", "-1", "nan", "inf", "first"])
def test_impossible_tie_tolerances_are_rejected(ties: str) -> None:
    with pytest.raises(AgentError, match=f"ties={ties} is not allowed: a number from 0 to 2, or trained$"):
        parse_agent(f"es:demo@1,ties={ties}")


def test_a_game_that_its_network_cannot_serve_is_refused_in_one_line() -> None:
    evolved_run("demo")
    agent = build_agent("es:demo")
    other = Position.start(parse_rules("bttt(D4)"))
    for want in Want:
        said = r"^es:demo cannot play bttt\(D4\): it sees boards of 9 cells, and this one has 49$"
        with pytest.raises(AgentError, match=said):
            agent.decide([START, other], [Rng(), Rng()], want)
    assert choose(agent, Position.start(NOTAKTO), Rng()) in range(9)  # it accepts other rules, but no other boards


def test_weights_of_another_kind_are_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_run("demo", {1: b"of another method"})
    missing = "there are no weights: value.safetensors is missing among weights.safetensors"
    with pytest.raises(AgentError, match=rf"^agent 'es:demo@1': {missing}"):
        build_agent("es:demo@1,which=best")
    make_run("other", {}).weights.save(1, {VALUE_WEIGHTS: save_values({"mean": MEAN, "best": BEST}, {})})
    with pytest.raises(AgentError, match=r"value\.safetensors has no tie_tolerance"):
        build_agent("es:other@1")
    said = r"^agent 'es:example@\w+': these weights are of method az: they play as az, not as es$"
    with pytest.raises(AgentError, match=said):
        build_agent(parse_agent("es:example"))
    Path("evolved.safetensors").write_bytes(save_values({"mean": MEAN}, {"tie_tolerance": 1e-6}))
    for method in ("az", "mz"):
        said = (
            rf"^agent '{method}:evolved.safetensors': these weights are of method es: they play as es, not as {method}$"
        )
        with pytest.raises(AgentError, match=said):
            build_agent(f"{method}:evolved.safetensors")
