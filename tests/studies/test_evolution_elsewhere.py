"""Evolution on other games: which agents are scored, their budgets, and the rows."""

import pytest

from noughts.questions.judged import BesideTruth
from noughts.questions.trained import Point, Training
from noughts.studies.evolution_elsewhere import GAMES, EvolutionElsewhere, LearnedGame, evolved, learned, scored_agents
from noughts.studies.study import Settings
from noughts.training.alphazero.config import AlphaZeroConfig
from tests.studies.fabricated import Fabricated, beside_truth, trained


@pytest.mark.parametrize("game", GAMES, ids=[game.title for game in GAMES])
def test_alphazero_is_given_about_as_many_positions(game: LearnedGame) -> None:
    config = learned(game, Settings(scale="paper")).config
    assert isinstance(config, AlphaZeroConfig)
    assert config.schedule.iterations is not None
    positions = config.schedule.iterations * config.games * config.plies
    assert positions == pytest.approx(4 * 24 * 100 * 2 * game.length, rel=0.02)


def test_evolution_is_taken_where_positions_are_equal_and_in_the_end() -> None:
    training = evolved(GAMES[0], "CMA-ES", Settings())
    assert training.settings.schedule.measure_iterations == 4
    names = [agent.name for agent in scored_agents(GAMES[0], Settings())]
    assert "CMA-ES, as many positions" in names
    assert "CMA-ES, in the end" in names


def test_rows_and_findings() -> None:
    known = trained([Point(iteration=4, positions=100, seconds=2.0, values={"lost_rounds": 40.0})])
    answers = Fabricated(
        {
            Training: lambda unit: known,
            BesideTruth: lambda unit: beside_truth(unit, lambda agent: 9 if agent.startswith("az:") else 4),
        }
    )
    conclusion = EvolutionElsewhere().conclude(Settings(), answers)
    (table,) = conclusion.tables
    shares = {row.labels[0]: row.value for row in table.rows}
    assert shares["AlphaZero, no search"] == 90.0
    assert shares["CMA-ES, in the end"] == 40.0
    assert "100 positions" in table.rows[0].note
    assert conclusion.findings[0].startswith("Notakto 3x3, optimal moves in non-trivial positions")
    assert len(conclusion.figures) == 1
