"""The post-mortem of BetaZero: its mistakes are switched on, its conclusions follow from fabricated answers, and the claim
that training from scratch makes tic-tac-toe unbeatable in two minutes on two cores.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from noughts.positions import Position
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.judged import BesideTruth
from noughts.questions.network_values import NetworkValues
from noughts.questions.played import Playthrough
from noughts.questions.question import Numbers
from noughts.questions.trained import Trained, Training
from noughts.questions.walked import EveryReply
from noughts.rules import Value
from noughts.statistics import wilson
from noughts.studies.betazero_post_mortem import (
    ALL,
    MISTAKES,
    OPPONENT,
    POSITIONS,
    RIGHT,
    SCALES,
    BetazeroPostMortem,
    network_values,
)
from noughts.studies.games import TIC_TAC_TOE as RULES
from noughts.studies.study import Settings
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.schedule import Schedule
from tests.studies.fabricated import Fabricated, beside_truth, differing, record, row, walked

LOST_GAME = tuple(map(RULES.cell_of, ("A1", "B1", "A2", "B2", "C3", "B3")))


def found(beaten: dict[str, float]) -> Fabricated:
    """Answers in which trainings of these conditions are beatable, and keep the value in this share of 10 choices."""
    shares = {run.training.name: beaten.get(run.kind, 1.0) for run in BetazeroPostMortem().at(Settings()).runs}

    def share(agent: str) -> float:
        return shares.get(agent.removeprefix("az:").partition("@")[0], 1.0)

    def walk(unit: EveryReply) -> Value:
        lost = share(str(unit.agent)) < 1 and unit.side == "first"
        return walked(LOST_GAME if lost else None, drawn_game=LOST_GAME)

    def game(unit: Playthrough) -> Value:
        own = unit.first if str(unit.second) == str(OPPONENT) else unit.second
        return record(unit, "draw" if share(str(own)) == 1 else "second" if own is unit.first else "first")

    known = Trained(iterations=40, positions=20_000, seconds=12.0, cores=2, curve=())
    return Fabricated(
        {
            Training: lambda unit: known,
            BesideTruth: lambda unit: beside_truth(unit, lambda agent: round(10 * share(agent))),
            EveryReply: walk,
            Playthrough: game,
            NetworkValues: lambda unit: Numbers(values=(0.5, -0.25, share(str(unit.agent)))),
        }
    )


def test_each_mistake_changes_one_thing_and_the_last_everything() -> None:
    configs = {run.kind: run.training.config for run in BetazeroPostMortem().at(Settings()).runs}
    changed = {name: differing(config, configs[RIGHT]) for name, config in configs.items()}
    assert changed[RIGHT] == set()
    assert [len(changed[name]) for name in MISTAKES] == [1, 1, 1, 1]
    assert changed[ALL] == set.union(*(changed[name] for name in MISTAKES))
    wrong, plain = configs[ALL], configs[RIGHT]
    assert isinstance(wrong, AlphaZeroConfig)
    assert isinstance(plain, AlphaZeroConfig)
    assert (wrong.search.terminal, wrong.temperature_plies, wrong.optimiser.learning_rate) == ("network", 0, 0.2)
    assert "rectified_logits=true" in wrong.network
    assert wrong.optimiser.name == "sgd"
    assert wrong.search.simulations == plain.search.simulations
    assert wrong.seed == plain.seed


def test_the_mistake_that_makes_it_beatable_is_named() -> None:
    conclusion = BetazeroPostMortem().conclude(Settings(), found({"no move sampling": 0.4, ALL: 0.3}))
    beaten = row(conclusion, "no move sampling", table="Each mistake alone, with")
    assert (beaten.ours, beaten.value) == ("1 of 1 can be beaten", 40.0)
    assert "lost game has 6 plies" in beaten.note
    assert row(conclusion, RIGHT, table="Each mistake alone, with").ours == "0 of 1 can be beaten"
    told = " ".join(conclusion.findings)
    assert "as it should be: 0 of 1 can be beaten" in told
    assert "all four mistakes: 1 of 1 can be beaten" in told
    assert "no move sampling, p = 1;" in told
    assert "Without search" not in told  # one seed gives no difference between policies
    assert [figure.name for figure in conclusion.figures if figure.name.startswith("lost")] == [
        "lost-game-3",
        "lost-game-5",
    ]


def test_a_mistake_is_blamed_only_with_enough_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SCALES["quick"], "seeds", 10)
    conclusion = BetazeroPostMortem().conclude(Settings(), found({"no move sampling": 0.4}))
    told = " ".join(conclusion.findings)
    assert "plays 100.0 percent optimal moves" in told
    assert "no move sampling -60.0 points (" in told
    assert f"{RIGHT}: 20 of 20 not lost (72.2 to 100.0); network evaluated after the end of the game: 20 of 20" in told
    assert "no move sampling: 0 of 20 not lost" in told
    games = row(conclusion, RIGHT, table="Each mistake alone against MCTS 750")
    assert (games.ours, games.count, games.verdict) == ("20 of 20 not lost", 20, "no claim")
    assert games.low == pytest.approx(100 * wilson(10, 10).low)  # ten trainings, whose games may be equal
    assert row(conclusion, ALL, table="Each mistake alone against MCTS 750").verdict == "differs"
    assert "no move sampling, p = 0.0078;" in told
    assert "network evaluated after the end of the game, p = 1;" in told


def test_no_mistake_is_blamed_if_the_right_way_fails_too() -> None:
    conclusion = BetazeroPostMortem().conclude(Settings(), found({RIGHT: 0.9, "no move sampling": 0.4}))
    told = " ".join(conclusion.findings)
    assert "as it should be: 1 of 1 can be beaten" in told
    assert "no move sampling, p = 1;" in told


def test_the_networks_values_are_listed_by_position() -> None:
    conclusion = BetazeroPostMortem().conclude(Settings(), found({ALL: 0.3}))
    (table,) = [table for table in conclusion.tables if table.title.startswith("The network's values")]
    said = {row.labels: row.value for row in table.rows}
    assert (said["the empty board", RIGHT], said["after a move to the centre", ALL]) == (0.5, -0.25)
    assert (said["a full board, drawn", RIGHT], said["a full board, drawn", ALL]) == (1.0, 0.3)


@pytest.mark.slow
def test_values_are_predicted_again_when_weights_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The network's values of the paper's positions are its agent's values for the unfinished ones."""
    from noughts.agents import analyse, build_agent
    from noughts.positions import Rng

    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    schedule = Schedule(iterations=1, measure_minutes=None)
    config = AlphaZeroConfig.preset(
        "tic-tac-toe-fast", task="tic-tac-toe", schedule=schedule, games=8, plies=2, batch=8, measure_positions=0
    )
    training = Training(label="tiny", config=config)
    asked = network_values(BetazeroPostMortem().at(Settings()).runs[0]).model_copy(update={"agent": training.agent(0)})
    untrained = asked.depends_on().basis
    answers = Answers()
    list(carry_out([asked, training], answers, 0))
    told = answers[asked]
    assert told is not None
    assert len(told.values) == len(POSITIONS)
    assert asked.depends_on().basis != untrained
    agent = build_agent(asked.agent)
    for value, moves in zip(told.values, asked.positions, strict=True):
        position = Position.start(RULES, moves)
        if not position.is_over:
            assert analyse(agent, position, Rng(0)).value == pytest.approx(value, abs=1e-6)


PROVED_FROM_NOTHING = """
from noughts.training.devices import prepare
prepare(2)
from noughts.agents.learned import NetworkAgent
from noughts.positions import Side
from noughts.rules import parse_rules
from noughts.search.guided import GuidedSearch
from noughts.search.settings import SearchSettings
from noughts.training.alphazero.config import PRESETS, AlphaZeroConfig
from noughts.training.alphazero.train import AlphaZero
from tests.examine.walking import walk_every_reply
import sys
trainer = AlphaZero(AlphaZeroConfig.preset("tic-tac-toe-fast", task="tic-tac-toe", seed=int(sys.argv[1])))
for _ in range(PRESETS["tic-tac-toe-fast"]["schedule"]["iterations"]):
    trainer.step()
agent = NetworkAgent(GuidedSearch(trainer.network, SearchSettings(method="puct", simulations=32)))
walks = [walk_every_reply(agent, parse_rules("tic-tac-toe"), side) for side in Side]
print(sum(walk.lost_game is not None for walk in walks))
"""


@pytest.mark.slow
def test_from_nothing_to_unbeatable_within_two_minutes(tmp_path: Path) -> None:
    """Proved on both sides for 9 seeds of 10, each in a new process on two devices, imports and compiling included:
    no process reuses compiled programs.

    The time only counts on an otherwise idle machine.
    """
    in_time, report = 0, []
    for seed in range(10):
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", PROVED_FROM_NOTHING, str(seed)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "JAX_COMPILATION_CACHE_DIR": str(tmp_path / str(seed))},
        )
        seconds = time.monotonic() - begun
        assert done.returncode == 0, done.stderr
        report.append((seed, int(done.stdout), round(seconds)))
        in_time += done.stdout.strip() == "0" and seconds <= 120
    print(report)
    assert in_time >= 9, report
