"""The learned agent: which weights it plays with, how it calls the search, and what it rejects.

The search is a fake that records how it was made and called; the runs, weights and networks are real.
"""

import importlib
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from noughts.agents import analyse, build_agent, choose
from noughts.agents.asking import is_symmetric
from noughts.networks.network import BoardShape
from noughts.positions import Position, Rng
from noughts.rules import AgentError, Rules, parse_rules
from noughts.search import Kind, MoveResult, SearchResult
from noughts.search.settings import SearchSettings
from tests.agents.law import check_law
from tests.agents.runs import make_run, weights
from tests.rules.one_field import PAIRS

START = Position.start(parse_rules("tic-tac-toe"))


class FakeSearch:
    """Plays the last free cell."""

    made: list["FakeSearch"] = []  # cleared by the fixture

    def __init__(self, network: Any, settings: SearchSettings) -> None:
        self.network, self.settings = network, settings
        self.games: list[list[Rules]] = []
        self.made.append(self)

    def moves(self, positions: Sequence[Position]) -> list[int]:
        return [found.move for found in self.search(positions)]

    def search(self, positions: Sequence[Position]) -> list[SearchResult]:
        self.games.append([position.rules for position in positions])
        found = []
        for position in positions:
            legal = position.legal_moves
            moves = tuple(MoveResult(move, 1, 0.5, prior=1 / len(legal)) for move in legal)
            found.append(SearchResult(legal[-1], 0.5, Kind.ESTIMATE, moves, (legal[-1],), self.settings.simulations))
        return found


@pytest.fixture(autouse=True)
def _fake(own_store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(FakeSearch, "made", [])
    fake = types.ModuleType("noughts.search.guided")
    fake.__dict__.update(GuidedSearch=FakeSearch, Servant=object)
    monkeypatch.setitem(sys.modules, "noughts.search.guided", fake)
    sys.modules.pop("noughts.agents.learned", None)
    importlib.import_module("noughts.agents.learned")
    yield
    sys.modules.pop("noughts.agents.learned")


def test_positions_are_decided_in_one_batch_and_deterministically() -> None:
    make_run("demo", {1: weights(1)})
    agent = build_agent("az:demo,sims=5")
    assert not is_symmetric(agent)
    positions = [START, START.play(8), START.play(4)]
    assert [decision.move for decision in agent.decide(positions, [Rng(), Rng(), Rng()])] == [8, 7, 8]
    assert [choose(agent, position, Rng()) for position in positions] == [8, 7, 8]
    found = analyse(agent, START, Rng())
    assert (found.move, found.value, found.nodes, found.principal_variation) == (8, 0.5, 5, (8,))
    assert found.ranked[0].prior == 1 / 9
    assert len(FakeSearch.made[0].games[0]) == 3


def test_weights_are_loaded_once_and_again_when_replaced() -> None:
    run = make_run("demo", {1: weights(1), 2: weights(2)})
    agents = [build_agent("az:demo@2") for _ in range(5)]
    assert len(FakeSearch.made) == 1
    build_agent("az:demo@2,sims=7")
    build_agent("az:demo@1")
    assert len(FakeSearch.made) == 3
    assert FakeSearch.made[0].network is FakeSearch.made[1].network is not FakeSearch.made[2].network
    build_agent("az:demo@1").decide([START] * 6, [Rng(number) for number in range(6)])
    assert [len(games) for games in FakeSearch.made[2].games] == [6]
    assert choose(agents[0], START, Rng()) == 8
    run.weights.save(1, {"weights.safetensors": weights(3)})
    build_agent("az:demo@1")
    assert len(FakeSearch.made) == 4


def test_games_on_equal_boards_share_a_batch() -> None:
    make_run("demo", {1: weights(1, network="line")})
    agent = build_agent("az:demo")
    texts = ("bttt(D4)", "tic-tac-toe", "bttt(E5)", "mnk(7,7,3)", "notakto(3)")
    positions = [Position.start(parse_rules(text)) for text in texts]
    moves = [decision.move for decision in agent.decide(positions, [Rng()] * 5)]
    assert moves == [position.legal_moves[-1] for position in positions]
    assert [len(games) for games in FakeSearch.made[0].games] == [2, 2, 1]
    for text in ("az:demo", "az:demo,view=canonical"):
        check_law(lambda text=text: build_agent(text), positions)  # type: ignore[misc]


@pytest.mark.parametrize("field", PAIRS)
def test_games_that_need_two_programs_never_share_a_batch(field: str) -> None:
    """A program is compiled for one `BoardShape`. One program for both games would make an answer depend on the batch."""
    make_run("demo", {1: weights(1, network="line")})
    games = PAIRS[field]
    build_agent("az:demo").decide([Position.start(rules) for rules in games * 2], [Rng()] * 4)
    programs = [{BoardShape.of([rules]) for rules in asked} for asked in FakeSearch.made[0].games]
    assert [len(of_one_batch) for of_one_batch in programs] == [1] * len({BoardShape.of([rules]) for rules in games})


def test_it_searches_as_in_training_unless_options_differ() -> None:
    trained = SearchSettings(method="puct", simulations=800, c_init=3.0)
    make_run("old", {1: weights(1, search=trained.to_json())})
    make_run("new", {1: weights(1)})
    for text in ("az:old", "az:old,search=gumbel", "az:new", "az:new,search=puct"):
        build_agent(text)
    assert [made.settings.method for made in FakeSearch.made] == ["puct", "gumbel", "gumbel", "puct"]
    assert FakeSearch.made[0].settings == trained.model_copy(update={"simulations": 100})


def test_a_game_its_network_cannot_serve_is_rejected_at_the_first_query() -> None:
    make_run("demo", {1: weights(1)})
    agent = build_agent("az:demo")
    with pytest.raises(AgentError, match=r"^az:demo cannot play bttt\(D4\): .*3x3"):
        choose(agent, Position.start(parse_rules("bttt(D4)")), Rng())
    assert choose(agent, START, Rng()) == 8
