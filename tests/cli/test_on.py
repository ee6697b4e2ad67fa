"""`--on`: what is wrong with a place is said in one line, before anything is begun."""

import contextlib
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from noughts.cli.main import main
from noughts.cli.output import node_lines
from noughts.machine.executor import NodeAtWork
from noughts.machine.ray_fabric import RayFabric
from noughts.rules import ComputeError
from noughts.store.results import Store


def refused(place: str, store: Path, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """The line with which a match there is refused."""
    begun = time.monotonic()
    code = main(["match", "random", "random", "-n", "2", "--store", str(store), "--on", place, *more])
    captured = capsys.readouterr()
    assert code == 2
    assert not captured.out
    assert captured.err.count("\n") == 1
    assert time.monotonic() - begun < 30  # 10 s, on a machine that is busy with other tests
    with Store.open(str(store)) as kept:
        assert not kept.runs()
    return captured.err.strip()


def test_a_place_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = refused("nowhere", tmp_path, capsys)
    assert line.startswith("error: --on nowhere is not possible: give local, ray, auto, HOST:PORT or ray://HOST:PORT")


def test_this_process_alone_is_no_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = refused("ray", tmp_path, capsys, "--workers", "0")
    assert line.startswith("error: --workers 0 means this process alone, and --on ray a cluster")


def test_the_variable_says_it_for_all_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_ON", "nowhere")
    for command in (
        ["match", "random", "random"],
        ["tournament", "random", "perfect"],
        ["score", "random"],
        ["prove", "perfect"],
        ["solve", "tic-tac-toe"],
        ["study", "run", "exact-values"],
    ):
        assert main([*command, "--store", str(tmp_path)]) == 2
        assert "--on nowhere is not possible" in capsys.readouterr().err
    assert main(["match", "random", "random", "-n", "2", "--store", str(tmp_path), "--on", "local"]) == 0


def test_without_ray_a_line_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert (
        refused("auto", tmp_path, capsys)
        == 'error: Ray is not installed: in your clone of noughts, run pip install ".[ray]" or uv sync --extra ray'
    )


SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))  # the first words of a server of HTTP/2, and so of gRPC


@contextlib.contextmanager
def listening(says: bytes) -> Iterator[int]:
    """The port of a program that is not Ray: it says this to whoever comes, and nothing more."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken: list[socket.socket] = []

        def take() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                taken.append(connection)
                connection.sendall(says)

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in taken:
            connection.close()


@pytest.mark.parametrize("form", ["{}", "ray://{}"])
def test_a_dead_address_is_named(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ray")
    place = form.format("127.0.0.1:1")
    assert refused(place, tmp_path, capsys).startswith(f"error: there is no cluster at {place}: ")


@pytest.mark.parametrize(
    ("form", "says", "problem"),
    [
        ("ray://{}", b"220 this is no cluster\r\n", "what listens there is not Ray"),
        ("{}", b"", "what listens there is not Ray"),
        ("ray://{}", SETTINGS, "what listens there did not answer within 7 s"),
        ("{}", SETTINGS, "what listens there did not answer within 7 s"),
    ],
)
def test_a_program_that_never_answers_is_not_waited_for(
    form: str, says: bytes, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ray")
    with listening(says) as port:
        place = form.format(f"127.0.0.1:{port}")
        begun = time.monotonic()
        assert refused(place, tmp_path, capsys) == f"error: there is no cluster at {place}: {problem}"
        print(f"{place}: {time.monotonic() - begun:.1f} s")


def test_versions_of_ray_that_differ_are_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")

    def other(**_: object) -> None:
        raise RuntimeError(
            "Version mismatch: The cluster was started with:\n    Ray: 2.9\nThis process:\n    Ray: 2.60\n"
        )

    monkeypatch.setattr(ray, "init", other)
    with pytest.raises(ComputeError) as found:
        RayFabric("auto").connect()
    assert str(found.value).startswith(
        "the cluster auto cannot be joined: Version mismatch: The cluster was started with: Ray: 2.9 This process: Ray: 2.60"
    )


def test_machines_are_told_by_how_busy_they_are() -> None:
    nodes = [NodeAtWork("idle", 8), NodeAtWork("busy", 8, 3, 1200, 12.345, "game\n3")]
    assert node_lines(nodes) == [
        "  busy: 3 of 8 cores, 1,200 done, 12.3/s: game 3",
        "  idle: 0 of 8 cores, 0 done, 0.0/s",
    ]
    assert node_lines([NodeAtWork(str(number), 1) for number in range(12)])[-1] == "  and 2 more machines"
