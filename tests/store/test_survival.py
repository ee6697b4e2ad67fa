"""Acknowledged data survives kill -9 at any moment, and several processes may write at once, even the same."""

import random
import time

import pytest

from noughts.store.results import Store
from tests.store.samples import game, kept, wanted
from tests.store.writers import Writer, keys, write_answers


@pytest.mark.heavy
def test_acknowledged_answers_survive_any_kill(durable_place: str) -> None:
    """Three writers at a time, each killed at a random moment, twice over."""
    rng = random.Random(0)
    names = ("one", "two", "three")
    lives = 2
    said: dict[str, set[str]] = {name: set() for name in names}
    ids: dict[str, set[str]] = {name: set() for name in names}
    for _ in range(lives):
        writers = {name: Writer(write_answers, durable_place, name, 100_000, name) for name in names}
        for name, writer in writers.items():
            ids[name].add(writer.next())
        for name, writer in writers.items():
            told = [writer.next() for _ in range(7)]  # not a fixed time alone: the machine may be slow
            time.sleep(rng.uniform(0, 0.1))
            told += writer.kill()
            assert said[name].isdisjoint(told)  # existing answers are not computed again
            said[name].update(told)
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
    writers = [Writer(write_answers, durable_place, name, 120, "same") for name in ("one", "two")]
    told = [key for writer in writers for key in writer.rest()[1:]]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert 120 <= len(told) <= 240
    with Store.open(durable_place) as store:
        seen = store.kept_by("anyone")
        assert {record.seed for record in seen.games(wanted(keys("same", 120))).values()} == set(range(120))
        assert {one.answer for one in seen.answers(wanted(keys("same", 120))).values()} == set(map(str, range(120)))


def test_a_living_processes_run_is_left_alone_and_a_dead_ones_resumed(durable_place: str) -> None:
    living = Writer(write_answers, durable_place, "work", 100_000, "")
    run_id = living.next()
    with Store.open(durable_place) as store:
        with store.begin("match", "work", {}, 0) as other:
            assert not other.resumed
            other.finish("{}")
        living.kill()
        deadline = time.monotonic() + 30
        while store.state(store.run(run_id)) == "running":  # a server notices it a moment later
            assert time.monotonic() < deadline
            time.sleep(0.05)
        with store.begin("match", "work", {}, 0) as again:
            assert again.resumed
            assert again.id == run_id
