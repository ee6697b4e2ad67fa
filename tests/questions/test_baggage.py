"""What goes along to a machine without our files: what an agent is known by, and nothing that is installed there."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from noughts.agents import parse_agent
from noughts.agents.registry import code_of
from noughts.machine.brought import BROUGHT, located, mirrored, original
from noughts.machine.jobs import Baggage
from noughts.questions.baggage import BaggageError, baggage_of
from noughts.questions.played import Played
from noughts.questions.question import Unit, answer_here
from noughts.questions.solved import Solved
from noughts.questions.trained import Training
from noughts.rules import parse_task
from noughts.store.run_folder import training_folder
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.schedule import Schedule

GUEST = """
import beside


class Guest:
    def __init__(self, file: str = "") -> None:
        self.file = file

    def choose(self, position, rng):
        return beside.pick(position.legal_moves)
"""


@pytest.fixture
def guest(tmp_path: Path) -> Path:
    folder = tmp_path / "guests"
    folder.mkdir()
    (folder / "guest.py").write_text(GUEST)
    (folder / "beside.py").write_text("def pick(moves):\n    return moves[0]\n")
    (folder / "other.py").write_text("")
    return folder / "guest.py"


def units(a: str, b: str = "random") -> list[Unit[Any]]:
    played = Played(task=parse_task("tic-tac-toe"), a=parse_agent(a), b=parse_agent(b), games=2, moves_first="a")
    return list(played.units())


def test_ours_need_nothing() -> None:
    assert baggage_of(units("mcts:sims=10", "minimax:depth=2")) == Baggage()
    assert baggage_of(units("az:example")) == Baggage(exact=True)


def test_a_guest_goes_with_what_it_imports_from_beside_it(guest: Path) -> None:
    found = baggage_of(units(f"python:{guest}:Guest"))
    assert sorted(found.reads) == [str(guest.parent / name) for name in ("beside.py", "guest.py")]


def test_files_that_options_name_go_along_if_others_can_find_them(
    guest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "table.bin").write_bytes(b"1")
    monkeypatch.chdir(tmp_path)
    found = baggage_of(units(f"python:{guest}:Guest,file=table.bin"))
    assert str(tmp_path / "table.bin") in found.reads
    with pytest.raises(BaggageError, match="where other machines cannot find it: name it from the working folder"):
        baggage_of(units(f"python:{guest}:Guest,file={tmp_path}/table.bin"))


@pytest.mark.heavy
def test_of_a_run_the_weights_that_are_meant_go_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    schedule = Schedule(iterations=2, measure_iterations=1)
    training = Training(
        label="tiny", method="es", config=EvolutionConfig(task="tic-tac-toe", rounds=4, schedule=schedule)
    )
    folder = training_folder() / training.name
    assert baggage_of([training]) == Baggage(makes=str(folder), exact=True)
    answer_here(training)
    found = {
        Path(path).relative_to(folder).as_posix() for path in baggage_of(units(str(training.agent(iteration=1)))).reads
    }
    assert {"run.json", "status.json", "metrics.jsonl", "weights/00000001/manifest.json"} <= found
    assert not any(path.startswith(("checkpoints", "weights/00000002")) for path in found)


def test_certificates_come_back(tmp_path: Path) -> None:
    solved = Solved(task=parse_task("tic-tac-toe"), certificates=str(tmp_path))
    assert baggage_of(list(solved.units())).makes == str(tmp_path)
    assert not baggage_of(list(Solved(task=parse_task("tic-tac-toe")).units())).makes


def test_what_was_brought_is_known_by_its_old_name(
    guest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = parse_agent(f"python:{guest}:Guest")
    before = code_of(spec)
    mirror = tmp_path / "mirror"
    there = mirrored(mirror, guest)
    shutil.copytree(guest.parent, there.parent)
    shutil.rmtree(guest.parent)
    assert code_of(spec) != before
    monkeypatch.setenv(BROUGHT, str(mirror))
    assert located(guest) == there
    assert original(there) == guest
    assert code_of(spec) == before
    played = units(str(spec))[0]
    assert not played.failed(answer_here(played))
    there.write_text(GUEST.replace("pick(position", "pick (sorted(position").replace("moves)", "moves))"))
    assert code_of(spec) != before
