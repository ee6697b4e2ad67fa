"""Evolution on other games: who is scored, what both are given, and what the rows say."""

import json

import pytest

from noughts.examine.judge import Tally
from noughts.studies.evolution_elsewhere import BOARDS, EvolutionElsewhere, _agents, _alphazero, _evolution
from noughts.studies.study import Results, Settings
from noughts.studies.trained import Point, Trained

SCALES = ("quick", "laptop", "paper")


@pytest.mark.parametrize("scale", SCALES)
def test_weights_are_kept_wherever_an_agent_is_taken(scale: str) -> None:
    for agent in _agents(Settings(scale=scale)):
        schedule = agent.training.config.schedule
        at = agent.iteration or agent.training.iterations
        assert at == schedule.iterations or at % schedule.measure_iterations == 0


@pytest.mark.parametrize("name", BOARDS)
def test_alphazero_is_given_about_as_many_positions(name: str) -> None:
    settings, board = Settings(scale="paper"), BOARDS[name]
    config = _alphazero(name, settings).config
    assert config.schedule.iterations is not None
    positions = config.schedule.iterations * config.games * config.plies
    assert positions == pytest.approx(4 * 24 * 100 * 2 * board.length, rel=0.02)


def test_evolution_is_taken_where_positions_are_equal_and_in_the_end() -> None:
    training = _evolution("Notakto 3x3", "CMA-ES", Settings())
    assert training.config.schedule.measure_iterations == 4
    names = [agent.name for agent in _agents(Settings())]
    assert "CMA-ES, as many positions" in names
    assert "CMA-ES, in the end" in names


def test_rows_and_findings() -> None:
    settings, found = Settings(), {}
    for agent in _agents(settings):
        tally = Tally(positions=10, choices=10, optimal=9 if "AlphaZero" in agent.name else 4, complete=True)
        found[f"judge / {agent.examined}"] = json.dumps({"3": tally.model_dump(mode="json")})
        point = Point(iteration=4, positions=100, seconds=2.0, values={"lost_rounds": 40.0})
        curve = Trained(iterations=4, positions=100, seconds=2.0, cores=1, curve=(point,))
        found[agent.training.key] = curve.to_json()
    conclusion = EvolutionElsewhere().conclude(settings, Results(measurements=found))
    (table,) = conclusion.tables
    shares = {row.labels[0]: row.value for row in table.rows}
    assert shares["AlphaZero, no search"] == 90.0
    assert shares["CMA-ES, in the end"] == 40.0
    assert "100 positions" in table.rows[0].note
    assert conclusion.findings[0].startswith("Notakto 3x3, percent of moves")
    assert len(conclusion.figures) == 1


@pytest.mark.parametrize("scale", SCALES)
def test_nothing_is_found_before_there_are_results(scale: str) -> None:
    conclusion = EvolutionElsewhere().conclude(Settings(scale=scale), Results())
    assert conclusion.findings == ()
    assert conclusion.figures == ()
