"""Files of every version are read, and say what they said when they were written; those of a newer version are refused in a line."""

import json
import lzma
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from written import file_formats

from noughts.cli.main import main
from noughts.examine.certify import read_agent_certificate
from noughts.rules import CertificateError, NoughtsError
from noughts.solvers.certificate import read_certificate
from noughts.solvers.verify import BadCertificate
from noughts.store.file_format import FileFormat
from noughts.store.hashed import with_hash, without_hash
from noughts.store.run_folder import training_folder
from tests.formats.make import FORMATS
from tests.formats.reading import NEWER, SAMPLES, Content, RefusedError

VERSIONS = sorted(path.name for path in FORMATS.iterdir() if (path / "said.json").exists())
SAID: dict[str, dict[str, Any]] = {
    version: json.loads((FORMATS / version / "said.json").read_text()) for version in VERSIONS
}
LATEST = FORMATS / VERSIONS[-1]
KILOBYTES = 150


@pytest.mark.parametrize(("version", "name"), [(version, name) for version in VERSIONS for name in SAID[version]])
def test_a_file_of_before_says_what_it_said(version: str, name: str) -> None:
    still_says(SAID[version][name], json.loads(json.dumps(SAMPLES[name].read(FORMATS / version / name))))


def still_says(said: Any, found: Any) -> None:
    """AssertionError unless all that was said is said now; later versions may say more of it."""
    if isinstance(said, dict) and isinstance(found, dict):
        assert said.keys() <= found.keys()
        for name in said:
            still_says(said[name], found[name])
    elif isinstance(said, list) and isinstance(found, list):
        assert len(said) == len(found)
        for before, now in zip(said, found, strict=True):
            still_says(before, now)
    else:
        assert said == found


def test_every_kept_file_is_read() -> None:
    for version, said in SAID.items():
        assert {path.name for path in (FORMATS / version).iterdir()} == {*said, "said.json"}
    assert SAID[LATEST.name].keys() == SAMPLES.keys()
    files = [path for version in SAID for path in (FORMATS / version).rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < KILOBYTES * 1000


def test_there_is_a_sample_of_each_kind_of_file() -> None:
    kinds = {kind for sample in SAMPLES.values() for kind in sample.formats}
    named = {kind for _, kind in file_formats()}
    assert len(named) > 10
    assert named == kinds


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, sample in SAMPLES.items() for number in range(len(sample.newer))]
)
def test_a_file_of_a_newer_version_is_refused_in_a_line(name: str, number: int, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    path = tmp_path / name
    write(path, sample.newer[number](LATEST / name))
    with pytest.raises((NoughtsError, RefusedError, BadCertificate)) as refused:
        sample.read(path)
    (line,) = str(refused.value).strip().splitlines()
    assert str(NEWER) in line
    assert "update noughts" in line


def write(path: Path, content: Content) -> None:
    """Write a file, or a folder of files."""
    if isinstance(content, Mapping):
        for name, each in content.items():
            write(path / name, each)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


@pytest.mark.heavy
@pytest.mark.parametrize("number", range(len(SAMPLES["az"].newer)))
def test_a_run_of_a_newer_version_is_not_taken_for_damaged(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    folder = training_folder() / "az"
    content = SAMPLES["az"].newer[number](LATEST / "az")
    write(folder, content)
    assert main(["runs", "resume", "az", "--iterations", "1"]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "update noughts" in line
    assert isinstance(content, Mapping)
    assert {name: (folder / name).read_bytes() for name in content} == content


@pytest.mark.parametrize("name", ["az", "es", "games.csv", "games.pgn", "games.jsonl", "command.json"])
def test_a_file_that_says_no_version_is_of_the_first(name: str, tmp_path: Path) -> None:
    if (LATEST / name).is_dir():
        shutil.copytree(LATEST / name, tmp_path / name)
        for path in (tmp_path / name).glob("*.json*"):
            lines = path.read_bytes().splitlines() if path.suffix == ".jsonl" else [path.read_bytes()]
            path.write_text(
                "".join(with_hash(without("format", without_hash(line))) + "\n" * (len(lines) > 1) for line in lines)
            )
    else:
        text = (LATEST / name).read_text().replace('[Version "1"]\n', "").replace("version,", "other,")
        if name.endswith(("json", "jsonl")):
            field = "version" if name == "games.jsonl" else "format"
            text = "".join(without(field, line) + "\n" for line in text.splitlines())
        assert text != (LATEST / name).read_text()
        (tmp_path / name).write_text(text)
    still_says(SAID[LATEST.name][name], json.loads(json.dumps(SAMPLES[name].read(tmp_path / name))))


def without(field: str, text: str) -> str:
    """A JSON object without a field, which it has."""
    said = json.loads(text)
    del said[field]
    return json.dumps(said)


def test_readers_of_certificates_refuse_a_newer_one(tmp_path: Path) -> None:
    for name in ("mnk-2-3-2.proof", "first-mnk-3-3-2.proof"):
        write(tmp_path / name, content := SAMPLES[name].newer[0](LATEST / name))
        assert isinstance(content, bytes)
        refused = "it is of version 99, and this noughts reads 1 to 2: update noughts"
        with pytest.raises(CertificateError, match=refused):
            read_certificate(tmp_path / name)
        with pytest.raises(CertificateError, match=refused):
            read_agent_certificate(content)


def test_a_result_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    from noughts.document.result import StudyResult
    from noughts.library.archiving import KIND, is_member
    from noughts.store.archive_file import read_archive

    result = json.loads(read_archive(LATEST / "study.tar.xz", KIND, is_member).members["result.json"])
    with pytest.raises(NoughtsError, match="it is of version 99, and this noughts reads 1: update noughts"):
        StudyResult.from_json(json.dumps(result | {"format": NEWER}))


@pytest.mark.parametrize("said", [0, -1, True, "2", 1.5, [1]])
def test_what_is_no_version_is_refused(said: object) -> None:
    with pytest.raises(NoughtsError, match="there are 2 to 3"):
        FileFormat("a file", 3, oldest=2).read(said)


def test_versions_that_are_read() -> None:
    kind = FileFormat("a file", 3)
    assert [kind.read(said) for said in (None, 1, 2, 3)] == [1, 1, 2, 3]
    assert [kind.read_text(said) for said in (None, "1", "3")] == [1, 1, 3]
    for text in ("4", "x", "-1"):
        with pytest.raises(NoughtsError):
            kind.read_text(text)


@pytest.mark.slow
def test_training_goes_on_from_a_checkpoint_of_before(tmp_path: Path) -> None:
    for version in VERSIONS:
        for method in ("az", "es"):
            folder = tmp_path / version / method
            shutil.copytree(FORMATS / version / method, folder)
            assert main(["runs", "resume", str(folder), "--iterations", "1", "--devices", "1", "--json"]) == 0


def test_a_packed_certificate_of_before_is_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for version in VERSIONS:
        packed = tmp_path / f"{version}.proof.xz"
        packed.write_bytes(lzma.compress((FORMATS / version / "first-mnk-3-3-2.proof").read_bytes()))
        assert main(["verify", str(packed), "-w", "0"]) == 0
        assert "proved" in capsys.readouterr().out
