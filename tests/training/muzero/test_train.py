"""The trainer: it resumes bit for bit, never leaves half a step, and learns; and the learned network plays."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from noughts.agents.learned import NetworkAgent
from noughts.agents.model import ModelAgent
from noughts.examine.imagining import ImaginedTally, judge_nodes
from noughts.machine.memory import GIB
from noughts.networks.errors import NetworkError
from noughts.networks.weights import load_model
from noughts.rules import ComputeError
from noughts.search.guided import GuidedSearch
from noughts.solvers import Budget
from noughts.solvers.solve import Truth
from noughts.training import self_play_trainer
from noughts.training.muzero import train as train_module
from noughts.training.muzero.train import MuZero
from tests.networks.asking import batch_norms, some_positions
from tests.training.small_runs import tiny_muzero

EVERYTHING: dict[str, Any] = {
    "network": "mlp:widths=8,norm=batch",
    "task": "2*mnk(2,3,2,bricks=A1) | mnk(2,3,2,bricks=A2)",
    "reanalyse": 0.5,
    "random_moves": 0.2,
    "td_plies": 2,
    "restarts": {"share": 0.5, "source": "uniform"},
}


@pytest.mark.heavy
def test_it_resumes_bit_for_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = MuZero(tiny_muzero(**EVERYTHING))
    first = batch_norms(trainer._now.learned.network)
    trainer.step()
    now = batch_norms(trainer._now.learned.network)
    assert all((new.mean != old.mean).any() for new, old in zip(now, first, strict=True))
    half = trainer.state()
    metrics = trainer.step()
    assert np.isfinite(list(metrics.values())).all()
    assert metrics["games"] == trainer.config.games
    whole = trainer.state()
    other = MuZero(tiny_muzero(**EVERYTHING))
    other.restore(half)
    assert other.iteration == 1
    assert other.state() == half

    interrupted = Mock(side_effect=KeyboardInterrupt("stop"))
    diverging = {"loss": np.float32(2), "gradient_norm": np.float32("nan")}
    for module, stage, fault, said in (
        (train_module, "compiled_self_play", interrupted, "stop"),
        (self_play_trainer, "learn", interrupted, "stop"),
        (
            self_play_trainer,
            "learn",
            lambda *given: (given[1], diverging),
            r"^learning diverged in iteration 2: its gradient_norm is nan\. ",
        ),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, stage, fault)
            with pytest.raises((KeyboardInterrupt, ComputeError), match=said):
                other.step()
        assert other.state() == half
    other.weights()
    other.step()
    assert other.state() == whole
    assert load_model(other.weights())[-1]["iteration"] == "2"


@pytest.mark.slow
def test_the_gradient_is_finite_without_compiler_optimisation() -> None:
    """Compilers recompute values that they need again, and round them differently; no code may rely on two of these being equal."""
    name = f"{Path(__file__)}::{test_it_resumes_bit_for_bit.__name__}"
    environment = {**os.environ, "XLA_FLAGS": "--xla_backend_optimization_level=0"}
    command = [sys.executable, "-m", "pytest", "-n0", name]
    found = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert found.returncode == 0, found.stdout


LEARNING: dict[str, Any] = {
    "task": "mnk(2,3,2,bricks=A2)",
    "network": "mlp:widths=32",
    "games": 32,
    "search": {"method": "puct", "simulations": 12, "dirichlet_alpha": 1.0},
    "temperature_plies": 10,
    "random_moves": 0.2,
    "window": 512,
    "batch": 64,
    "steps": 16,
    "unroll": 3,
    "model": {"decoder": "loss"},
    "optimiser": {"learning_rate": 5e-3},
    "averaging": 0.9,
}


class Learned(ModelAgent):
    """The agent with a trainer's current weights."""

    def __init__(self, trainer: MuZero, sims: int) -> None:
        settings = trainer.config.search.model_copy(update={"simulations": sims})
        NetworkAgent.__init__(self, GuidedSearch(trainer.network, settings))


@pytest.mark.heavy
def test_it_learns_the_rules_and_the_game() -> None:
    """On two rows and three columns with a brick: in seconds, imagined positions become right, and so do its moves."""
    trainer = MuZero(tiny_muzero(**LEARNING))
    rules = trainer.task.rules[0]
    asked = some_positions(rules, 30, seed=2)
    truth = Truth(rules, GIB)

    def measured() -> tuple[ImaginedTally, float]:
        agent, total = Learned(trainer, 12), ImaginedTally()
        for position, imagined in zip(asked, agent.imagined_searches(asked), strict=True):
            for _, tally in judge_nodes(position, imagined, lambda p: truth.prove(p, Budget()).low):
                total += tally
        values = [search.value for search in agent._search.search(asked)]
        errors = [abs(value - truth.prove(p, Budget()).low) for value, p in zip(values, asked, strict=True)]
        return total, float(np.mean(errors))

    before, error_before = measured()
    for _ in range(20):
        metrics = trainer.step()
    after, error = measured()
    assert metrics["loss"] < 4
    assert before.boards_wrong / before.boards > 0.8
    assert after.boards_wrong / after.boards < 0.2
    assert after.missed / after.ended < 0.2
    assert after.invented / after.going < 0.2
    assert after.sides_mistaken / after.sides < 0.1
    assert after.illegal / after.made < 0.5 * before.illegal / before.made
    assert error < 0.5 * error_before


@pytest.mark.parametrize(
    ("network", "said"), [("mlp:widths=none", "needs a hidden layer"), ("mlp:inputs=signed", "sees no bricks")]
)
def test_networks_without_a_model_are_rejected(network: str, said: str) -> None:
    with pytest.raises(NetworkError, match=said):
        MuZero(tiny_muzero(network=network, task="mnk(2,3,2,bricks=A2)"))
