"""Self-play's benchmark: the cases, the arithmetic with made-up workers, the peer's game, and the command line in small."""

import json
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jax
import numpy as np
import psutil
import pytest

from benchmarks import selfplay, selfplay_cases
from benchmarks.results import Measured
from benchmarks.selfplay_cases import RULES, Sizes, all_cases, base, select
from benchmarks.selfplay_work import self_play, under_way
from benchmarks.workers import Worker, WorkerError
from noughts.positions import Position, Side
from noughts.positions.batched import Batched
from noughts.rules import parse_rules

pytestmark = pytest.mark.slow
"""Tools of ours that time things: tried by hand after they change."""

ROOT = Path(__file__).parents[2]
BOTH = f"{selfplay.BEGIN}\nold\n{selfplay.END}\n\nKept.\n\n{selfplay.DEVICE_BEGIN}\nold card\n{selfplay.DEVICE_END}\n"


def selfplay_benchmark(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "benchmarks.selfplay", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


class MadeUp:
    """A worker whose peers do 10 units a second, and noughts 40."""

    started: list[tuple[int, bool]] = []

    def __init__(self, cores: int, devices: bool, python: str = "") -> None:
        MadeUp.started.append((cores, devices))
        self.rate = 40 if devices else 10

    def __enter__(self) -> "MadeUp":
        return self

    def __exit__(self, *_: object) -> None:
        return

    def prepare(self, name: str, maker: str, arguments: Mapping[str, Any]) -> str:
        if arguments.get("network") == "line":
            raise WorkerError("ValueError: tangled")
        json.dumps(arguments)
        return "a note"

    def measure(self, name: str, seconds: float) -> Measured:
        return Measured(units=self.rate, wall_s=1.0, cpu_s=1.0)


def test_peers_are_compared_with_the_same_network_and_judged_on_four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "Worker", MadeUp)
    monkeypatch.setattr(selfplay, "missing", lambda modules: [])
    MadeUp.started = []
    cases = all_cases(Sizes(), (1, 4))
    told: list[str] = []
    rows = selfplay.run(cases, 2, 1.0, told.append)
    assert len(told) == len(cases) * 3
    assert sorted(MadeUp.started) == [(1, False), (1, True), (4, False), (4, True)]
    peers = [row for row in rows if row.is_peer]
    assert len(peers) == 2 * 2 * 2 + 2 * 2
    for row in peers:
        assert row.ratio is not None
        assert row.ratio.times.median == (1 if "a device a core" in row.program else 4), "made-up devices are quick"
        assert row.ratio.noughts == "noughts, resnet of 32 channels, 4 blocks"
        if "4-cores" in row.group:
            assert row.met is (row.ratio.times.median >= 3)
        else:
            assert row.met is None
    lines = [row for row in rows if "line" in row.program]
    assert lines
    assert {row.problem for row in lines} == {"ValueError: tangled"}


def test_an_absent_peer_is_listed_and_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "Worker", MadeUp)
    monkeypatch.setattr(selfplay, "missing", list)
    MadeUp.started = []
    rows = selfplay.run(all_cases(Sizes(), (4,)), 1, 1.0, lambda line: None)
    assert {row.status for row in rows if row.is_peer} == {"not installed"}
    assert MadeUp.started == [(4, True)]


def test_a_selection_keeps_what_it_is_compared_with() -> None:
    cases = all_cases(Sizes(), (1, 2, 4))
    found = select(cases, "gumbel-4-cores / Pgx")
    assert [case.is_peer for case in found] == [False, True, True, True, True]
    assert found[0] == base(cases, found[1])
    assert select(cases, "chess") == []
    assert len({(case.group.name, case.program) for case in cases}) == len(cases)


def test_a_worker_keeps_to_its_cores_and_says_what_went_wrong() -> None:
    with Worker(1, devices=True) as worker:
        note = worker.prepare(
            "a", "benchmarks.selfplay_work:learning", {"rules": RULES, "network": "mlp:widths=8", "batch": 4}
        )
        assert note == "batches of 4, 1 device"
        measured = worker.measure("a", 0.01)
        assert measured.units >= 4
        assert measured.units % 4 == 0
        assert measured.wall_s >= 0.01
        with pytest.raises(WorkerError, match="chess"):
            worker.prepare("b", "benchmarks.selfplay_work:learning", {"rules": "chess", "network": "mlp", "batch": 4})
        worker.measure("a", 0.01)
        process = next(child for child in psutil.Process().children() if "benchmarks.workers" in child.cmdline())
        process.kill()
        with pytest.raises(WorkerError, match="its process ended"):
            worker.measure("a", 0.01)


def test_games_are_scattered_over_their_plies_and_none_is_over() -> None:
    states = under_way(parse_rules(RULES), 48)
    plies = np.asarray(states.ply)
    assert not np.asarray(states.is_terminal).any()
    assert (plies <= np.arange(48) % 24).all()
    assert len(set(plies.tolist())) > 10
    np.testing.assert_array_equal((np.asarray(states.cells) != 0).sum(-1), plies)


@pytest.mark.slow
def test_chunks_count_what_they_do() -> None:
    work = self_play(RULES, "puct", "resnet:channels=2,blocks=1", 4, 2, 3)
    assert work.chunk() == 12
    assert work.chunk() == 12


def test_the_peer_plays_the_same_game() -> None:
    pytest.importorskip("pgx")
    from benchmarks.peers_mctx import k_in_a_row

    env = k_in_a_row(4, 5, 3)
    step, rules, rng = jax.jit(env.step), parse_rules("mnk(4,5,3)"), random.Random(1)
    ours = Batched.of(rules)
    for number in range(15):
        position, state = Position.start(rules), env.init(jax.random.key(number))
        first = int(state.current_player)
        while not position.is_over:
            assert not state.terminated
            assert np.flatnonzero(state.legal_action_mask).tolist() == list(position.legal_moves)
            planes = np.asarray(jax.vmap(ours.observe)(ours.states([position])))[0]
            np.testing.assert_array_equal(planes[..., :2], np.asarray(state.observation, np.float32))
            move = rng.choice(position.legal_moves)
            position, state = position.play(move), step(state, move)
        assert state.terminated
        rewards = np.asarray(state.rewards).tolist()
        assert [rewards[first], rewards[1 - first]] == [position.outcome.value(side) for side in Side]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["gumbel", "puct"])
def test_the_peer_plays(method: str) -> None:
    pytest.importorskip("pgx")
    from benchmarks.peers_mctx import self_play as peers_self_play

    work = peers_self_play(RULES, method, games=4, simulations=2, plies=3, channels=2, blocks=1)
    assert [work.chunk(), work.chunk()] == [12, 12]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["a device a core", "a process a core"])
def test_the_peer_plays_on_all_cores(way: str) -> None:
    pytest.importorskip("pgx")
    sizes = Sizes(games=4, simulations=2, plies=3, channels=2, blocks=1)
    (case,) = (case for case in all_cases(sizes, (2,)) if case.program.endswith(way) and "gumbel" in case.group.name)
    with Worker(2, case.devices) as worker:
        assert ("2 devices" if case.devices else "2 processes") in worker.prepare("a", case.maker, case.arguments)
        assert worker.measure("a", 0.0).units == 12
        children = psutil.Process().children(recursive=True)
    gone, alive = psutil.wait_procs(children, timeout=10)
    assert gone
    assert not alive, "nobody is left"


def test_the_peers_network_is_ours_layer_by_layer() -> None:
    from benchmarks.peers_mctx import make_weights
    from noughts.networks.network import BoardShape, count_parameters
    from noughts.networks.spec import make_network, parse_network

    sizes = Sizes()
    (case, *_) = all_cases(sizes, (4,))
    board = BoardShape.of([parse_rules(RULES)])
    ours = count_parameters(make_network(parse_network(case.arguments["network"]), board, jax.random.key(0)))
    weights = make_weights(jax.random.key(0), (7, 7, 2), sizes.channels, sizes.blocks, board.size)
    theirs = sum(leaf.size for leaf in jax.tree.leaves(weights))
    # Ours also sees who moves first and what cannot be used: two more planes.
    assert ours - theirs == 2 * 9 * sizes.channels


@pytest.mark.slow
def test_it_writes_its_own_part_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(BOTH)
    small = ("--games", "4", "--peer-games", "4", "--simulations", "2", "--plies", "2", "--batch", "4")
    done = selfplay_benchmark(
        *small, "--cores", "1", "--rounds", "2", "--seconds", "0.01", "--only", "learning-1-core / noughts, mlp",
        "--no-gpu", "--out", str(tmp_path),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "README.md").read_text()
    assert done.stdout.strip() in page
    assert "\nold\n" not in page
    assert "Kept." in page
    assert "old card" in page
    stored = json.loads((tmp_path / "selfplay.json").read_text())
    assert [len(row["rounds"]) for row in stored["rows"]] == [2]
    assert str(ROOT) not in (tmp_path / "selfplay.json").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--only", "chess"), "no case has 'chess'"),
        (("--rounds", "0"), "must be at least 1"),
        (("--cores", "0"), "--cores"),
        (("--cores", "4096"), "this process may use"),
    ],
)
def test_mistakes_are_told(words: tuple[str, ...], message: str) -> None:
    done = selfplay_benchmark(*words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_each_part_of_the_page_is_written_by_itself() -> None:
    page = (ROOT / "benchmarks" / "README.md").read_text()
    assert selfplay.fill_page(page, "", "") == page
    assert selfplay.fill_page(BOTH, "", "new card").replace("\n\nnew card\n", "\nold card") == BOTH
    assert selfplay_cases.TARGET == 3
