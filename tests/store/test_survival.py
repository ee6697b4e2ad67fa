"""Acknowledged data survives kill -9 at any moment, and several processes may write at once, even the same."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from noughts.store.results import Store
from tests.store.samples import game, kept, key_of, wanted

ROOT = Path(__file__).parents[2]


def start(place: str, name: str, count: int, asked: str = "") -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.samples", place, name, str(count), asked or name],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def first_line(writer: "subprocess.Popen[str]") -> str:
    assert writer.stdout is not None
    return writer.stdout.readline()


def other_lines(writer: "subprocess.Popen[str]") -> list[str]:
    """The whole lines that a killed writer still printed."""
    with writer:
        assert writer.stdout is not None
        return [line for line in writer.stdout if line.endswith("\n")]


def keys(name: str, count: int) -> list[str]:
    return [key_of(name, number) for number in range(count)]


@pytest.mark.heavy
def test_acknowledged_answers_survive_any_kill(durable_place: str) -> None:
    """Three writers at a time, each killed at a random moment, twice over."""
    rng = random.Random(0)
    names = ("one", "two", "three")
    lives = 2
    said: dict[str, set[str]] = {name: set() for name in names}
    ids: dict[str, set[str]] = {name: set() for name in names}
    for _ in range(lives):
        writers = {name: start(durable_place, name, 100_000) for name in names}
        for name, writer in writers.items():
            ids[name].add(first_line(writer).split()[1])
        for name, writer in writers.items():
            heard = [first_line(writer) for _ in range(7)]  # not a fixed time alone: the machine may be slow
            time.sleep(rng.uniform(0, 0.1))
            writer.kill()
            lines = [line.removeprefix("kept ").strip() for line in heard + other_lines(writer)]
            assert said[name].isdisjoint(lines)  # existing answers are not computed again
            said[name].update(lines)
    assert sum(map(len, said.values())) > 30
    with Store.open(durable_place) as store:
        infos = {info.name: info for info in store.runs()}
        assert {name: {info.id} for name, info in infos.items()} == ids  # each process continued the previous one
        for name, info in infos.items():
            asked = wanted(keys(name, 100 * (1 + len(said[name]) // 100 + lives)))
            games, answers = store.kept_by(info.id).games(asked), store.kept_by(info.id).answers(asked)
            assert said[name] <= games.keys()
            assert len(games.keys() - said[name]) <= lives  # at most one written and not yet acknowledged per process
            for number, key in enumerate(sorted(games)):
                assert (games[key], answers[key]) == (game(seed=number), kept(key, str(number)))
            assert answers.keys() == games.keys()


@pytest.mark.heavy
def test_two_processes_may_compute_the_same_at_once(durable_place: str) -> None:
    with start(durable_place, "one", 120, "same") as one, start(durable_place, "two", 120, "same") as two:
        outputs = [writer.communicate(timeout=60)[0] for writer in (one, two)]
    assert (one.returncode, two.returncode) == (0, 0)
    assert 120 <= sum(output.count("kept") for output in outputs) <= 240
    with Store.open(durable_place) as store:
        seen = store.kept_by("anyone")
        assert {record.seed for record in seen.games(wanted(keys("same", 120))).values()} == set(range(120))
        assert {one.answer for one in seen.answers(wanted(keys("same", 120))).values()} == set(map(str, range(120)))


@pytest.mark.heavy
def test_many_processes_may_create_a_store_at_once(durable_place: str) -> None:
    writers = [start(durable_place, f"writer {number}", 3) for number in range(3)]
    for writer in writers:
        with writer:
            assert writer.communicate(timeout=60)[0].count("kept") == 3
            assert writer.returncode == 0
    with Store.open(durable_place) as store:
        assert len(store.runs()) == 3


def test_a_living_processes_run_is_left_alone_and_a_dead_ones_resumed(durable_place: str) -> None:
    with start(durable_place, "work", 100_000) as living:
        run_id = first_line(living).split()[1]
        with Store.open(durable_place) as store:
            with store.begin("match", "work", {}, 0) as other:
                assert not other.resumed
                other.finish("{}")
            living.kill()
            living.wait()
            deadline = time.monotonic() + 30
            while store.state(store.run(run_id)) == "running":  # a server notices it a moment later
                assert time.monotonic() < deadline
                time.sleep(0.05)
            with store.begin("match", "work", {}, 0) as again:
                assert again.resumed
                assert again.id == run_id
