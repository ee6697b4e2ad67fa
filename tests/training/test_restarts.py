"""Games of self-play that start in the middle of earlier ones: on lines that refuted the agent, or anywhere in the replay."""

from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from noughts.networks.network import BoardShape
from noughts.positions import Position
from noughts.rules import parse_task
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.alphazero.train import AlphaZero, compiled_new_games
from noughts.training.beginnings import beginnings_of, refuted_rows
from noughts.training.games import TaskDistribution
from noughts.training.trainer import LostGame
from tests.training.small_runs import make_run, session, tiny_alphazero
from tests.training.test_loop import outcome

TASK = parse_task("tic-tac-toe | mnk(3,3,3,full=first)")
LOST = LostGame(TASK.rules[1], (0, 3, 1, 4, 2))
UNTIL = {"until": "proved:raw", "measure_iterations": 1, "measure_minutes": None, "checkpoint_seconds": 0}


def begun(share: float, lost: list[LostGame]) -> Any:
    rows = refuted_rows(lost, TASK.rules, 3, 7)
    task = TaskDistribution.of_task(TASK)._replace(beginnings=beginnings_of(rows, share))
    return jax.device_get(compiled_new_games(BoardShape.of(TASK.rules), task, jax.random.key(0), 400, 1))


def test_the_last_positions_of_a_lost_game_are_saved_with_its_rules() -> None:
    rows = refuted_rows([LOST], TASK.rules, 3, 7)
    positions = [Position.start(LOST.rules, LOST.moves[:ply]) for ply in (2, 3, 4)]
    assert [bytes(cells.tolist()) for cells in rows["cells"]] == [position.cells for position in positions]
    assert rows["ply"].tolist() == [2, 3, 4]
    assert rows["number"].tolist() == [1, 1, 1]
    assert rows["iteration"].tolist() == [7, 7, 7]
    assert len(refuted_rows([LOST], TASK.rules, 100, 7)["ply"]) == len(LOST.moves)


def test_the_requested_share_of_new_games_starts_there() -> None:
    games = begun(0.5, [LOST])
    restarted = games.states.ply > 1  # others start after one random move at most
    assert 0.4 < restarted.mean() < 0.6
    for cells, ply, number in zip(games.states.cells, games.states.ply, games.number, strict=True):
        if ply > 1:
            assert number == 1
            assert bytes(cells.tolist()) == Position.start(LOST.rules, LOST.moves[:ply]).cells
    assert set(games.states.ply[restarted]) == {2, 3, 4}
    legal = games.states.legal_action_mask[restarted]
    assert (legal == (games.states.cells[restarted] == 0)).all()


def test_without_positions_all_games_start_as_usual() -> None:
    board, task = BoardShape.of(TASK.rules), TaskDistribution.of_task(TASK)
    plain = jax.device_get(compiled_new_games(board, task, jax.random.key(0), 400, 1))
    for games in (begun(1.0, []), begun(0.0, [LOST])):
        assert jax.tree.all(jax.tree.map(np.array_equal, games, plain))


def refuted(**fields: Any) -> AlphaZeroConfig:
    """A run in which one side always loses in three moves."""
    game = {"task": "mnk(2,2,2)", "schedule": UNTIL | {"iterations": 2}, "restarts": {"share": 0.5, "plies": 2}}
    return tiny_alphazero(**game | {"network": "mlp:widths=8"} | fields)


@pytest.mark.heavy
@pytest.mark.usefixtures("own_store")
def test_a_check_after_the_last_checkpoint_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run is stopped after its first step, then again after that step's check, of which nothing is saved."""
    whole, run = (make_run(tmp_path / name, "az", refuted()) for name in ("whole", "killed"))
    list(session(whole))
    supplied = [line.metrics["supplied"] for line in whole.metrics.lines() if line.kind == "measurement"]
    assert supplied == [2.0, 4.0]  # two positions of a game for each check
    stopped = session(run)
    for _ in range(2):  # the start and the first step, which is saved before it is measured
        next(stopped)
    stopped.close()
    stopped = session(run)
    for _ in range(2):  # the resumed session and its measurement; then nothing more is saved
        next(stopped)
    with monkeypatch.context() as patched:
        patched.setattr("noughts.training.loop._Sitting.leave", lambda *_: None)
        stopped.close()
    list(session(run))
    assert outcome(run) == outcome(whole)


def filled(trainer: AlphaZero) -> int:
    beginnings = trainer._beginnings(trainer._now)
    assert beginnings is not None
    return int(beginnings.filled)


def test_a_refutation_is_used_until_it_is_old_and_counts_once() -> None:
    trainer = AlphaZero(refuted(restarts={"share": 1.0, "plies": 2, "age": 1}))
    lost = [LostGame(trainer.task.rules[0], (0, 1, 2))]
    assert [trainer.take_refutations(lost) for _ in range(2)] == [2, 2]
    assert filled(trainer) == 2
    trainer._now = trainer._now._replace(iteration=1)
    assert filled(trainer) == 0
    assert trainer.take_refutations(lost) == 4
