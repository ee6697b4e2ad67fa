"""The files that are sent to a machine without our files: those that identify an agent, and nothing that is installed there."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from noughts.machine.dependencies import COMPUTED_WITH, together
from noughts.questions.question import Question, answer_here, write_questions
from noughts.questions.solved import Solved
from noughts.questions.work import files_sent
from noughts.rules import AgentError, parse_task
from noughts.store.run_folder import training_folder
from tests.questions.asking import GUEST, evolved, match


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "guests"
    folder.mkdir()
    (folder / "guest.py").write_text(GUEST)
    (folder / "beside.py").write_text("def pick(moves):\n    return moves[0]\n")
    (folder / "other.py").write_text("")
    monkeypatch.chdir(tmp_path)
    return folder / "guest.py"


def files_needed(group: Sequence[Question[Any]]) -> tuple[str, ...]:
    return files_sent(together(*(unit.depends_on() for unit in group)), write_questions(group))


def units(a: str, b: str = "random") -> list[Question[Any]]:
    return list(match(a, b, 2).needs())


def test_our_own_agents_need_no_files() -> None:
    assert not files_needed(units("mcts:sims=10", "minimax:depth=2"))
    assert not files_needed(units("az:example"))
    exact = [COMPUTED_WITH in units(agent)[0].depends_on().versions for agent in ("mcts:sims=10", "az:example")]
    assert exact == [False, True]


def test_a_guests_file_is_sent_with_the_modules_it_imports_beside_it(guest: Path) -> None:
    found = files_needed(units("python:guests/guest.py:Guest"))
    assert sorted(found) == [str(guest.parent / name) for name in ("beside.py", "guest.py")]


def test_files_with_absolute_paths_are_rejected(guest: Path, tmp_path: Path) -> None:
    (tmp_path / "table.bin").write_bytes(b"1")
    assert str(tmp_path / "table.bin") in files_needed(units("python:guests/guest.py:Guest,file=table.bin"))
    for agent in (f"python:{guest}:Guest", f"python:guests/guest.py:Guest,file={tmp_path}/table.bin"):
        with pytest.raises(AgentError, match="where other machines cannot find it: name it from the working folder"):
            files_needed(units(agent))


@pytest.mark.heavy
def test_only_the_needed_weights_of_a_run_are_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    training = evolved()
    folder = training_folder() / training.name
    assert not files_needed([training])
    assert training.makes() == folder
    assert COMPUTED_WITH in training.depends_on().versions
    asked = units(str(training.agent(iteration=1)))
    assert not files_needed(asked), "it is yet to be trained"
    answer_here(training)
    found = {Path(path).relative_to(folder).as_posix() for path in files_needed(asked)}
    assert {"run.json", "status.json", "metrics.jsonl", "weights/00000001/manifest.json"} <= found
    assert not any(path.startswith(("checkpoints", "weights/00000002")) for path in found)


def test_certificates_are_returned(tmp_path: Path) -> None:
    solved = Solved(task=parse_task("tic-tac-toe"), certificates=str(tmp_path))
    assert {unit.makes() for unit in solved.needs()} == {tmp_path}
    assert {unit.makes() for unit in Solved(task=parse_task("tic-tac-toe")).needs()} == {None}
