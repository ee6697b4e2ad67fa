"""Searches that tell what they know on the way end where they would have ended without."""

import pytest

from noughts.agents import analyse, analyse_stepwise, build_agent
from noughts.positions import Position, Rng
from noughts.rules import format_rules, parse_rules
from tests.search.cases import positions

AGENTS = (
    "mcts:sims=300",
    "mcts:sims=300,pick=value",
    "minimax:depth=3",
    "minimax:depth=3,ties=first",
    "mc:sims=20",
    "omniscient:sims=2,inside=minimax:depth=1",
    "perfect:nodes=20000",
    "random",
)
GAME = Position.start(parse_rules("mnk(4,4,3,full=second)"))
SLICES = {"mcts": "noughts.search.mcts.SLICE_PLIES", "mc": "noughts.search.montecarlo.SLICE_PLIES"}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("position", positions(1, seed=3)[::3], ids=lambda p: format_rules(p.rules))
def test_the_last_step_is_the_analysis(agent: str, position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SLICES.values():
        monkeypatch.setattr(name, 700)
    steps = list(analyse_stepwise(build_agent(agent), position, Rng(5)))
    whole = analyse(build_agent(agent), position, Rng(5))
    if agent.startswith("perfect"):  # what was proved on the way is not proved again
        assert (steps[-1].move, steps[-1].value, steps[-1].kind) == (whole.move, whole.value, whole.kind)
    else:
        assert steps[-1] == whole
    for step in steps:
        assert position.is_legal(step.move)
        assert tuple(found.move for found in step.moves) == position.legal_moves


@pytest.mark.parametrize("agent", ["mcts:sims=3000", "mc:sims=200", "minimax:depth=4", "perfect:nodes=200000"])
def test_there_are_several_and_they_know_more_and_more(agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SLICES.values():
        monkeypatch.setattr(name, 7000)
    steps = list(analyse_stepwise(build_agent(agent), GAME, Rng(1)))
    assert len(steps) > 2
    nodes = [step.nodes for step in steps]
    if not agent.startswith("perfect"):
        assert nodes == sorted(nodes)
        assert len(set(nodes)) == len(nodes)


@pytest.mark.parametrize(
    "agent", ["mcts:sims=1000000", "minimax:depth=12", "perfect:nodes=100000000", "mc:sims=1000000"]
)
def test_when_time_is_up_they_end_soon(agent: str) -> None:
    asked: list[int] = []

    def expired() -> bool:
        asked.append(1)
        return len(asked) > 3

    start = Position.start(parse_rules("bttt(D4)"))
    steps = list(analyse_stepwise(build_agent(agent), start, Rng(1), expired))
    assert 1 <= len(steps) <= 5
    assert len(asked) < 60
