"""The post-mortem of BetaZero: its mistakes are switched on, its conclusions follow from what was found, and the claim
that tic-tac-toe is learned so that no reply wins, from nothing, in two minutes on two cores.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from noughts.studies.trained import Trained

from noughts.document.result import Row
from noughts.examine.judge import Tally
from noughts.positions import Side
from noughts.rules import parse_rules
from noughts.studies.betazero_post_mortem.plan import ALL, MISTAKES, RIGHT, SCALES, conditions
from noughts.studies.betazero_post_mortem.study import BetazeroPostMortem
from noughts.studies.examined import Walked
from noughts.studies.study import Conclusion, Results, Settings

LOST_GAME = tuple(map(parse_rules("tic-tac-toe").cell_of, ("A1", "B1", "A2", "B2", "C3", "B3")))


def walked(side: Side, lost_game: tuple[int, ...] | None) -> str:
    return Walked(
        side=side.name.lower(), lost_game=lost_game, drawn_game=LOST_GAME, decisions=90, longest=9, plies=9
    ).to_json()


def found(beaten: dict[str, float]) -> Results:
    """Results in which trainings of these conditions can be beaten, and keep the value in this share of 10 choices."""
    measurements = {}
    for condition in conditions(Settings()):
        share = beaten.get(condition.name, 1.0)
        for sims in (0, SCALES["quick"].sims):
            name = condition.examined(sims)
            tally = Tally(positions=12, choices=10, optimal=round(10 * share), chance=4.0)
            measurements[f"judge / {name}"] = json.dumps({"3": tally.model_dump(mode="json")})
            for side in Side:
                lost = LOST_GAME if share < 1 and side is Side.FIRST else None
                measurements[f"walk / {name} / {side.name.lower()}"] = walked(side, lost)
        measurements[condition.training.key] = Trained(
            iterations=40, positions=20_000, seconds=12.0, cores=2, curve=()
        ).to_json()
    return Results(measurements=measurements)


def row(conclusion: Conclusion, title: str, label: str) -> Row:
    table = next(table for table in conclusion.tables if title in table.title)
    return next(row for row in table.rows if row.labels[0] == label)


def test_every_mistake_changes_one_thing_and_all_of_them_everything() -> None:
    configs = {condition.name: condition.training.config for condition in conditions(Settings())}
    right = configs[RIGHT].model_dump()
    changed = {
        name: {field for field, value in config.model_dump().items() if value != right[field]}
        for name, config in configs.items()
    }
    assert changed[RIGHT] == set()
    assert [len(changed[name]) for name in MISTAKES] == [1, 1, 1, 1]
    assert changed[ALL] == set.union(*(changed[name] for name in MISTAKES))
    wrong = configs[ALL]
    assert (wrong.search.terminal, wrong.temperature_plies, wrong.optimiser.learning_rate) == ("network", 0, 0.2)
    assert "rectified_logits=true" in wrong.network
    assert wrong.optimiser.name == "sgd"
    assert wrong.search.simulations == configs[RIGHT].search.simulations
    assert wrong.seed == configs[RIGHT].seed


def test_the_mistake_that_breaks_it_is_named() -> None:
    conclusion = BetazeroPostMortem().conclude(Settings(), found({"no move sampling": 0.4, ALL: 0.3}))
    beaten = row(conclusion, "Each mistake alone, with", "no move sampling")
    assert (beaten.ours, beaten.value) == ("1 of 1 can be beaten", 40.0)
    assert "lost game has 6 plies" in beaten.note
    assert row(conclusion, "Each mistake alone, with", RIGHT).ours == "0 of 1 can be beaten"
    told = " ".join(conclusion.findings)
    assert "alone make more trainings beatable than that: no move sampling (1 of 1)." in told
    assert "these alone do not: network asked where the game is over; ReLU before the softmax; learning rate" in told
    assert "suffers most from this: no move sampling" in told
    assert [figure.name for figure in conclusion.figures if figure.name.startswith("lost")] == [
        "lost-game-3",
        "lost-game-5",
    ]


def test_nothing_is_blamed_where_the_right_way_fails_too() -> None:
    conclusion = BetazeroPostMortem().conclude(Settings(), found({RIGHT: 0.9, "no move sampling": 0.4}))
    told = " ".join(conclusion.findings)
    assert "this budget is too small" in told
    assert "alone make more" not in told


def test_a_conclusion_is_drawn_from_nothing_at_all() -> None:
    conclusion = BetazeroPostMortem().conclude(Settings(), Results())
    assert len(conclusion.tables) == 5
    assert conclusion.findings == ()


PROVED_FROM_NOTHING = """
from noughts.training.devices import prepare
prepare(2)
from noughts.agents.learned import NetworkAgent
from noughts.examine.walk import walk_until_lost
from noughts.positions import Side
from noughts.rules import parse_rules
from noughts.search.guided import GuidedSearch
from noughts.search.settings import SearchSettings
from noughts.training.alphazero.config import PRESETS, AlphaZeroConfig
from noughts.training.alphazero.train import AlphaZero
import sys
trainer = AlphaZero(AlphaZeroConfig.preset("tic-tac-toe-fast", task="tic-tac-toe", seed=int(sys.argv[1])))
for _ in range(PRESETS["tic-tac-toe-fast"]["schedule"]["iterations"]):
    trainer.step()
agent = NetworkAgent(GuidedSearch(trainer.network, SearchSettings(method="puct", simulations=32)))
walks = [walk_until_lost(lambda: agent, parse_rules("tic-tac-toe"), side) for side in Side]
print(sum(walk.lost_game is not None for walk in walks))
"""


@pytest.mark.slow
def test_from_nothing_to_unbeatable_within_two_minutes(tmp_path: Path) -> None:
    """Proved on both sides for 9 seeds of 10, each in a fresh process on two devices, imports and compiling included:
    none finds programs that another compiled.

    The time counts on a machine with nothing else to do.
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
