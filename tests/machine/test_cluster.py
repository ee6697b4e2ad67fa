"""What the driver of a cluster sees to, with pretended machines: each job has one result, whoever dies, and who is refused is named."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pretended import PretendedFabric
from noughts.machine import Done, Failed, Job, JobResult
from noughts.machine import driver as module
from noughts.machine.brought import BroughtFile, put_file, read_file, read_unchanged, states_in
from noughts.machine.cluster import RayCluster
from noughts.machine.cluster_worker import NodeFacts, Reply, difference, facts_here
from noughts.machine.executor import LocalWorkers, ThisProcess, as_executor, executor_of
from noughts.machine.fabric import Answer, Lost
from noughts.machine.jobs import Baggage, Running
from noughts.rules import ComputeError


def cluster(fabric: PretendedFabric, workers: int | None = None, shared: bool = True) -> RayCluster:
    return RayCluster("auto", workers, Path("store"), shares_files=shared, fabric=fabric)


def jobs(count: int, **more: Any) -> list[Job]:
    return [Job(str(number), "m:f", f"value {number}", **more) for number in range(count)]


def results(of: RayCluster, work: list[Job]) -> dict[str, JobResult]:
    found = [result for result in of.run(iter(work)) if not isinstance(result, Running)]
    by_key = {result.key: result for result in found}
    assert len(by_key) == len(found), "each has one result"
    return by_key


def test_all_jobs_are_done_in_batches_that_grow() -> None:
    fabric = PretendedFabric(count=2)
    found = results(cluster(fabric), jobs(1000))
    assert found == {str(number): Done(str(number), f"value {number}") for number in range(1000)}
    assert set(fabric.begun.values()) == {1}
    sizes = [len(batch) for batch in fabric.given]
    assert sizes[0] == 1
    assert max(sizes) == 64


def test_there_is_a_worker_for_each_core_and_no_more_than_are_asked_for() -> None:
    def one_by_one(fabric: PretendedFabric, worker: str, work: list[Job]) -> Answer:
        return Reply((Done(work[0].key, ""),), left=tuple(job.key for job in work[1:]))

    fabric = PretendedFabric(count=3, cores=4, do=one_by_one)
    results(cluster(fabric), jobs(100))
    assert sorted(fabric.node_of.values()) == sorted(["n0", "n1", "n2"] * 4)
    assert set(fabric.cores_of.values()) == {1}
    fabric = PretendedFabric(count=3, cores=4, do=one_by_one)
    results(cluster(fabric, workers=2), jobs(100))
    assert len(fabric.node_of) == 2


def test_a_job_that_must_be_alone_has_all_cores_of_a_machine() -> None:
    fabric = PretendedFabric(count=2, cores=4)
    asked = cluster(fabric)
    with asked.opened():
        results(asked, jobs(4))
        beside = len(fabric.node_of)
        assert results(asked.alone(), jobs(6)).keys() == {str(number) for number in range(6)}
    alone = list(fabric.cores_of)[beside:]
    assert [fabric.cores_of[worker] for worker in alone] == [4] * len(alone)
    assert {fabric.node_of[worker] for worker in alone} == {"n0", "n1"}
    assert sorted(fabric.ended) == sorted(fabric.node_of)


def test_what_a_worker_has_not_begun_goes_to_another() -> None:
    def half(fabric: PretendedFabric, worker: str, work: list[Job]) -> Answer:
        cut = (len(work) + 1) // 2
        done = tuple(Done(job.key, job.argument) for job in work[:cut])
        return Reply(done, left=tuple(job.key for job in work[cut:]))

    fabric = PretendedFabric(do=half)
    assert len(results(cluster(fabric), jobs(300))) == 300


def test_jobs_of_a_machine_that_dies_are_done_elsewhere_and_nobody_is_to_blame() -> None:
    def dying(fabric: PretendedFabric, worker: str, work: list[Job]) -> Answer:
        if len(fabric.given) in (5, 9) and len(fabric.nodes()) > 1:
            fabric.kill(fabric.node_of[worker])
            fabric.add(f"new-{len(fabric.given)}")
        return Reply(tuple(Done(job.key, job.argument) for job in work))

    fabric = PretendedFabric(do=dying)
    found = results(cluster(fabric), jobs(500))
    assert all(isinstance(result, Done) for result in found.values())
    assert len(found) == 500
    assert max(fabric.begun.values()) in (2, 3)


def test_a_worker_is_asked_one_thing_at_a_time() -> None:
    """Also if it says that it is busy, and has done all that the driver knows of."""
    busy: set[str] = set()

    def finishing(fabric: PretendedFabric, worker: str, work: list[Job]) -> Answer:
        assert worker not in busy
        busy.add(worker)
        return Reply(tuple(Done(job.key, job.argument) for job in work), busy=True)

    def ended(worker: str) -> None:
        busy.discard(worker)
        fabric.say(worker, Reply())

    fabric = PretendedFabric(do=finishing)
    fabric.more = ended  # type: ignore[method-assign]
    assert len(results(cluster(fabric), jobs(300))) == 300


def test_a_machine_that_says_nothing_any_more_is_given_up_when_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_NODES_SECONDS", 0.0)

    def silent(fabric: PretendedFabric, worker: str, work: list[Job]) -> Answer:
        if fabric.node_of[worker] == "n0":
            fabric.kill("n0")
            return Reply(busy=True)
        return Reply(tuple(Done(job.key, job.argument) for job in work))

    fabric = PretendedFabric(do=silent)
    asked = cluster(fabric)
    with asked.opened():
        assert len(results(asked, jobs(20))) == 20
        assert "lost: node-0" in asked.said


def test_a_job_that_ends_its_worker_again_and_again_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_DOUBT_SECONDS", 0.0)

    def killed(fabric: PretendedFabric, worker: str, work: list[Job]) -> Answer:
        if any(job.key == "7" for job in work):
            return Lost("out of memory")
        return Reply(tuple(Done(job.key, job.argument) for job in work))

    fabric = PretendedFabric(do=killed)
    found = results(cluster(fabric), jobs(100))
    assert len(found) == 100
    failed = [result for result in found.values() if isinstance(result, Failed)]
    assert [(each.key, each.reason) for each in failed] == [("7", "died")]
    assert failed[0].message.endswith("ended while it was at it: out of memory")


def changed(**facts: Any) -> NodeFacts:
    return replace(facts_here(), **facts)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (changed(version="9.9"), "it runs noughts 9.9, and this machine"),
        (changed(python="2.7"), "it runs Python 2.7, and this machine"),
        (changed(code="other"), "its code of noughts, or of a library"),
        (changed(free_bytes=1 << 20), "it has 1.0 MiB of memory free, and a worker needs 0.5 GiB"),
    ],
)
def test_a_machine_that_would_answer_otherwise_is_refused_in_one_line(facts: NodeFacts, said: str) -> None:
    fabric = PretendedFabric(count=1)
    fabric.facts["n0"] = facts
    with pytest.raises(ComputeError, match=f"^node node-0 cannot be used: {said}") as refused:
        results(cluster(fabric), jobs(5))
    assert "\n" not in str(refused.value)
    assert not fabric.given
    fabric = PretendedFabric(count=2)
    fabric.facts["n0"] = facts
    asked = cluster(fabric)
    with asked.opened():
        assert len(results(asked, jobs(50))) == 50
        assert [node.note.startswith(said[:8]) for node in asked.nodes] == [True, False]


def test_what_networks_are_computed_with_counts_where_their_answers_do() -> None:
    there = changed(arithmetic="another")
    assert not difference(there, facts_here(), exact=False)
    assert difference(there, facts_here(), exact=True).startswith("networks are computed with another there")
    fabric = PretendedFabric(count=1)
    fabric.facts["n0"] = there
    assert len(results(cluster(fabric), jobs(5))) == 5
    with pytest.raises(ComputeError, match="networks are computed with another"):
        results(cluster(fabric), jobs(5, baggage=Baggage(exact=True)))


def test_a_machine_on_which_no_worker_can_be_made_is_refused() -> None:
    fabric = PretendedFabric(count=1, do=lambda *_: Lost("ModuleNotFoundError: No module named 'noughts'", True))
    with pytest.raises(ComputeError, match="No module named 'noughts'"):
        results(cluster(fabric), jobs(5))


def test_files_go_once_to_each_machine_and_are_not_kept_longer(tmp_path: Path) -> None:
    file = tmp_path / "weights.bin"
    file.write_bytes(b"weights")
    fabric = PretendedFabric(count=2, cores=2)
    asked = cluster(fabric, shared=False)
    with asked.opened():
        assert len(results(asked, jobs(200, baggage=Baggage(reads=(str(file),))))) == 200
        assert fabric.kept == {str(file): b"weights"}
        assert all(len(paths) <= 2 for paths in fabric.sent.values()), "once, or once for each worker that starts"
    assert not fabric.kept


def test_a_folder_comes_back_whole_and_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "old").mkdir(parents=True)
    (folder / "old" / "state").write_bytes(b"old")

    def trained(fabric: PretendedFabric, worker: str, work: list[Job]) -> Answer:
        there = tmp_path / "there"
        put_file(there / "new" / "state", sent("new/state", b"new"))
        files = read_unchanged(there, states_in(there))
        assert files is not None
        return Reply((Done(work[0].key, ""),), written=tuple(files), gone=("old/state",))

    fabric = PretendedFabric(do=trained)
    work = [Job("train", "m:f", "", baggage=Baggage(makes=str(folder)))]
    assert results(cluster(fabric, shared=False), work) == {"train": Done("train", "")}
    assert fabric.sent == {"n0": [str(folder / "old" / "state")]}
    assert [state.path for state in states_in(folder)] == ["new/state"]
    assert not (folder / "old").exists()


def sent(name: str, content: bytes) -> BroughtFile:
    import hashlib

    return BroughtFile(name, content, hashlib.sha256(content).hexdigest(), False)


def test_a_file_that_is_not_what_was_sent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not what was sent"):
        put_file(tmp_path / "a", replace(sent("a", b"one"), content=b"two"))
    assert not list(tmp_path.iterdir())


def test_files_that_change_while_they_are_read_are_not_taken(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    states = states_in(tmp_path)
    assert read_unchanged(tmp_path, states) == [read_file(tmp_path / "a", "a")]
    (tmp_path / "a").write_bytes(b"another")
    assert read_unchanged(tmp_path, states) is None
    (tmp_path / "a").unlink()
    assert read_unchanged(tmp_path, states) is None


def test_an_error_of_who_asks_ends_all_workers_that_are_at_work() -> None:
    fabric = PretendedFabric(do=lambda *_: Reply(busy=True))
    calls = 0

    def stop() -> None:
        nonlocal calls
        calls += 1
        if calls > 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(cluster(fabric).run(iter(jobs(10)), 1.0, stop))
    assert sorted(fabric.ended) == sorted(fabric.node_of)
    assert fabric.node_of


def test_where_it_is_done_is_said_by_option_variable_or_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert isinstance(executor_of(None, None, tmp_path), LocalWorkers)
    assert isinstance(executor_of(0, None, tmp_path), ThisProcess)
    assert isinstance(executor_of(0, "local", tmp_path), ThisProcess)
    own = cluster(PretendedFabric())
    assert as_executor(own) is own
    monkeypatch.setenv("NOUGHTS_ON", "auto")
    with pytest.raises(ComputeError, match=r"^--workers 0 means this process alone, and --on auto a cluster"):
        executor_of(0, None, tmp_path)
    assert isinstance(executor_of(3, "local", tmp_path), LocalWorkers)


@pytest.mark.parametrize("place", ["nowhere", "ray://", "ray://host", "host:0", "host:99999", "ray,files=mine", ":1"])
def test_a_place_that_is_none_is_refused(place: str, tmp_path: Path) -> None:
    with pytest.raises(ComputeError, match=r"is not possible: give local, ray, auto, HOST:PORT or ray://HOST:PORT"):
        executor_of(None, place, tmp_path)
