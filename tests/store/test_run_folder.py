"""A run's folder describes itself, is found by name or place, and is trained by one process at a time."""

import re
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import pytest

from noughts.machine import disk as writing
from noughts.machine.disk import Disk
from noughts.machine.environment import current_environment
from noughts.rules import StoreError
from noughts.store.hashed import without_hash
from noughts.store.run_folder import RunFolder, Status, is_name, list_runs, run_names, training_folder
from noughts.store.run_metrics import Metrics


def make(folder: Path, day: int = 2) -> RunFolder:
    return RunFolder.create(
        folder, method="az", task="bttt(D4)", config={"seed": 3}, seed=3, created=datetime(2020, 1, day, tzinfo=UTC)
    )


def test_a_folder_describes_its_run(tmp_path: Path) -> None:
    made = make(tmp_path / "first")
    run = RunFolder.open(tmp_path / "first")
    assert run.description == made.description
    assert (run.name, run.description.method, run.description.task) == ("first", "az", "bttt(D4)")
    assert (run.description.seed, run.description.config) == (3, {"seed": 3})
    assert run.description.created == "2020-01-02T00:00:00+00:00"
    assert run.description.environment == current_environment()
    assert {"mctx", "equinox", "optax"} <= run.description.environment.versions.keys()
    fresh = Status(state="new", iterations=0, positions=0, seconds=0.0, lines=None, schedule=None)
    assert run.status() == fresh
    assert run.digest == made.digest


def test_folders_of_others_and_existing_runs_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(StoreError, match=r"there is no run in .*empty: it has no run\.json"):
        RunFolder.open(tmp_path / "empty")
    make(tmp_path / "empty")
    with pytest.raises(StoreError, match=r"run .* exists already: resume it with `noughts runs resume "):
        make(tmp_path / "empty")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    with pytest.raises(StoreError, match="holds other things"):
        make(tmp_path / "other")
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be made"):
        make(tmp_path / "file")


def test_runs_are_found_by_name_or_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))
    assert (run_names(), list_runs()) == ((), ())
    with pytest.raises(StoreError, match="make one with `noughts train`"):
        RunFolder.find("nothing")
    second, first = make(training_folder() / "b", day=2), make(training_folder() / "a", day=5)
    elsewhere = make(tmp_path / "elsewhere")
    assert RunFolder.find("a").folder == first.folder
    assert RunFolder.find(str(tmp_path / "elsewhere")).folder == elsewhere.folder
    monkeypatch.chdir(tmp_path)
    assert RunFolder.find("elsewhere").folder == Path("elsewhere")
    assert run_names() == ("a", "b")
    assert [run.folder for run in list_runs()] == [second.folder, first.folder]
    for unknown in ("c", "", "x" * 5000, "..", "/dev/null"):
        with pytest.raises(StoreError, match=r"which are: a, b$"):
            RunFolder.find(unknown)
    (training_folder() / "b" / "run.json").write_text('{"name": 1}')
    assert [run.name for run in list_runs()] == ["a"]
    with pytest.raises(StoreError, match=r"run\.json is damaged: .*method is missing"):
        RunFolder.find("b")


def test_names_cannot_be_paths() -> None:
    assert all(map(is_name, ("bttt-d4-line-1", "A.b_c", "7")))
    assert not any(map(is_name, ("", ".", "..", "-x", "a/b", "a@1", "a,b", "a b", "x" * 101, "é")))


def test_weights_are_read_by_iteration(tmp_path: Path) -> None:
    run = make(tmp_path / "run")
    with pytest.raises(StoreError, match="run run has no weights yet"):
        run.weights_at()
    for iteration in (5, 10):
        run.weights.save(iteration, {"weights.safetensors": bytes([iteration])})
    assert run.iterations() == (5, 10)
    assert run.weights_at() == (10, {"weights.safetensors": b"\x0a"})
    assert run.weights_at(5) == (5, {"weights.safetensors": b"\x05"})
    assert run.weights_hash() == run.weights_hash(10) != run.weights_hash(5)
    for ask in (run.weights_at, run.weights_hash):
        with pytest.raises(StoreError, match=r"has no weights of iteration 7; it has those of 5, 10$"):
            ask(7)
    (tmp_path / "run" / "weights" / "00000010" / "weights.safetensors").write_bytes(b"\x0b")
    with pytest.raises(StoreError, match="is damaged"):
        run.weights_at()


def test_only_one_process_trains_a_run(tmp_path: Path) -> None:
    run = make(tmp_path / "run")
    run.write_status(Status(state="running", iterations=3, positions=30, seconds=1.5))
    with run.locked():
        assert run.status().state == "running"
        with pytest.raises(StoreError, match="in use by another process"), RunFolder.open(run.folder).locked():
            pass
    assert run.status().state == "interrupted"
    run.metrics.append("iteration", 4, 40, 2.0, {})
    assert run.status() == Status(state="interrupted", iterations=4, positions=40, seconds=2.0)
    with run.locked():
        pass


def test_metrics_survive_a_torn_line_and_are_rewound(tmp_path: Path) -> None:
    metrics = make(tmp_path / "run").metrics
    assert metrics.lines() == ()
    assert metrics.last() is None
    for iteration in (1, 2, 3):
        metrics.append("iteration", iteration, 10 * iteration, 0.5, {"loss": 0.25, "odd": float("inf")})
    metrics.append("measurement", 3, 30, 0.75, {"wins": 1})
    metrics.sync()
    whole = metrics.lines()
    assert [(line.kind, line.iteration) for line in whole[2:]] == [("iteration", 3), ("measurement", 3)]
    assert whole[0].metrics == {"loss": 0.25, "odd": None}
    with open(metrics.path, "ab") as file:
        file.write(b'{"kind":"iterat')
    assert metrics.lines() == whole
    assert metrics.last() == whole[-1]
    metrics.truncate(2)
    assert metrics.lines() == whole[:2]
    metrics.append("iteration", 3, 30, 0.5, {"loss": 0.25, "odd": float("nan")})
    assert metrics.lines() == whole[:3]
    metrics.truncate(0)
    assert metrics.path.read_bytes() == b""


def test_the_lines_that_were_synced_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = make(tmp_path / "run").metrics

    class Fails(Disk):
        def append(self, path: Path, content: bytes) -> None:
            super().append(path, content)
            raise OSError("no more room, though all was written")

    assert metrics.sync() == 0
    disk = Mock(wraps=Disk())
    monkeypatch.setattr(writing, "DISK", disk)
    for iteration in (1, 2, 3):
        metrics.append("iteration", iteration, 10, 0.5, {})
    assert metrics.sync() == metrics.sync() == 3
    disk.sync.assert_called_once_with(metrics.path)
    with monkeypatch.context() as patch:
        patch.setattr(writing, "DISK", Fails())
        with pytest.raises(StoreError, match=r"metrics\.jsonl cannot be written: no more room"):
            metrics.append("iteration", 4, 10, 0.5, {})
    assert metrics.sync() == len(metrics.lines()) == 4
    metrics.truncate(1)
    assert metrics.sync() == 1
    metrics.append("iteration", 2, 10, 0.5, {})
    assert metrics.sync() == 2
    assert Metrics(metrics.path).sync() == 2


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    run = make(tmp_path / "run")
    run.metrics.append("iteration", 1, 10, 0.5, {})
    content = run.metrics.path.read_bytes()
    for damaged in (b"{}\n", content.replace(b"10", b"11"), content.replace(b"sha256", b"sha257")):
        run.metrics.path.write_bytes(content + damaged + content)
        for read in (run.lines, run.metrics.lines, lambda: run.metrics.lines(least=2), lambda: run.rewind(1, 2)):
            said = r"metrics\.jsonl is damaged: line 2 is not the one that was written: "
            with pytest.raises(StoreError, match=said):
                read()
        assert len(run.metrics.lines(least=1)) == 1  # later lines were never acknowledged as synced


def test_missing_last_lines_are_detected(tmp_path: Path) -> None:
    run = make(tmp_path / "run")
    for iteration in (1, 2, 3):
        run.metrics.append("iteration", iteration, 10, 0.5, {})
    assert run.metrics.sync() == 3
    run.write_status(Status(state="finished", iterations=3, lines=3))
    content = run.metrics.path.read_bytes()
    assert len(run.lines()) == 3
    for cut, missing in ((content[:-1], 1), (content.splitlines(keepends=True)[0], 2), (b"", 3)):
        run.metrics.path.write_bytes(cut)
        for read in (run.lines, lambda: run.rewind(3, 3)):
            with pytest.raises(StoreError, match=rf"metrics\.jsonl is damaged: {missing} of 3 lines are missing: "):
                read()


@pytest.mark.parametrize("name", ["run.json", "status.json"])
def test_no_flipped_bit_is_misread(tmp_path: Path, name: str) -> None:
    run = make(tmp_path / "run")
    run.write_status(Status(state="stopped", iterations=3, positions=30, seconds=1.5, lines=1))
    path = run.folder / name
    content = path.read_bytes()
    for bit in range(0, 8 * len(content), 17):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with pytest.raises(StoreError, match=re.escape(f"{name} is damaged: ")):
            RunFolder.open(run.folder).status()
        path.write_bytes(content[: bit // 8])
    path.write_bytes(content)
    assert RunFolder.open(run.folder).status().iterations == 3


def test_a_run_without_versions_and_hashes_is_of_the_first_version(tmp_path: Path) -> None:
    run = make(tmp_path / "run")
    run.write_status(Status(state="finished", iterations=1))
    run.metrics.append("iteration", 1, 10, 0.5, {"loss": 0.5})
    before = run.lines()
    for path in (run.folder / "run.json", run.folder / "status.json", run.metrics.path):
        content = re.sub(r'"format": ?1,|  "lines": null,\n', "", without_hash(path.read_bytes().removesuffix(b"\n")))
        assert not re.search("format|sha256", content)
        path.write_text(content + "\n")
    again = RunFolder.open(run.folder)
    assert (again.description, again.status(), again.lines()) == (run.description, run.status(), before)
