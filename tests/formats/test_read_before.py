"""Files of every version are read with their original content; those of a newer version are rejected in one line."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from written import file_formats

from noughts.cli.main import main
from noughts.document import result
from noughts.library.archiving import KIND, is_member
from noughts.networks import onnx
from noughts.rules import NoughtsError
from noughts.store import tables
from noughts.store.archive_file import read_archive
from noughts.store.checkpoints import _render
from noughts.store.file_format import FileFormat
from noughts.store.hashed import with_hash, without_hash
from noughts.store.run_folder import training_folder
from noughts.web import commands
from tests.cli.running import captured
from tests.formats.make import FORMATS
from tests.formats.reading import RUN, SAMPLES, RefusedError

VERSIONS = sorted(path.name for path in FORMATS.iterdir() if (path / "said.json").exists())
SAID: dict[str, dict[str, Any]] = {
    version: json.loads((FORMATS / version / "said.json").read_text()) for version in VERSIONS
}
LATEST = FORMATS / VERSIONS[-1]

NEWER = 99
"""A version that no current noughts writes."""


@pytest.mark.parametrize(("version", "name"), [(version, name) for version in VERSIONS for name in SAID[version]])
def test_files_of_earlier_versions_are_read_with_the_same_content(version: str, name: str) -> None:
    still_says(SAID[version][name], json.loads(json.dumps(SAMPLES[name].read(FORMATS / version / name))))


def still_says(said: Any, found: Any) -> None:
    """Raise AssertionError unless all saved content is read back; later versions may add to it."""
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


def test_every_saved_file_is_read() -> None:
    for version, said in SAID.items():
        assert {path.name for path in (FORMATS / version).iterdir()} == {*said, "said.json"}
    assert SAID[LATEST.name].keys() == SAMPLES.keys()
    files = [path for version in SAID for path in (FORMATS / version).rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 150_000


def test_there_is_a_sample_of_each_kind_of_file() -> None:
    kinds = {kind for sample in SAMPLES.values() for kind in sample.formats}
    named = {kind for _, kind in file_formats()}
    assert len(named) > 10
    assert named == kinds


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (name, kind)
        for name, sample in SAMPLES.items()
        for kind in sample.formats
        # Runs and values have tests below; `tests/store` has one of saved games; noughts reads no ONNX.
        if sample is not RUN and kind not in (commands.COMMAND, result.RESULT, tables.SAVED, onnx.ONNX)
    ],
)
def test_newer_versions_are_rejected_in_one_line(name: str, kind: FileFormat, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a noughts that supports none of these versions."""
    monkeypatch.setitem(vars(kind), "version", 0)
    with pytest.raises((NoughtsError, RefusedError)) as refused:
        SAMPLES[name].read(LATEST / name)
    (line,) = str(refused.value).strip().splitlines()
    assert "update noughts" in line


def test_a_value_of_a_newer_version_is_rejected_despite_unknown_fields() -> None:
    study = read_archive(LATEST / "study.tar.xz", KIND, is_member).members["result.json"]
    command = (LATEST / "command.json").read_bytes()
    for read, content in ((result.StudyResult.from_json, study), (commands.KeptCommand.from_json, command)):
        with pytest.raises(NoughtsError, match="it is of version 99, and this noughts reads 1: update noughts"):
            read(json.dumps(json.loads(content) | {"format": NEWER, "something": "new"}))


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["run.json", "status.json", "metrics.jsonl", "checkpoints/00000001/manifest.json"])
def test_a_run_of_a_newer_version_is_not_reported_as_damaged(name: str, own_store: Path) -> None:
    folder = shutil.copytree(LATEST / "az", training_folder() / "az")
    text = (folder / name).read_text()
    if "checkpoints" in name:
        facts = json.loads(text) | {"format": NEWER}
        del facts["sha256"]
        (folder / name).write_bytes(_render(facts))
    elif name == "metrics.jsonl":
        (folder / name).write_text("".join(f"{newer(line)}\n" for line in text.splitlines()))
    else:
        (folder / name).write_text(newer(text))
    content = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises((NoughtsError, RefusedError), match=rf"{NEWER}.*: update noughts"):
        RUN.read(folder)
    code, _, err = captured("runs", "resume", "az", "--iterations", "1")
    (line,) = err.strip().splitlines()
    assert (code, "update noughts" in line) == (2, True)
    assert {path: path.read_bytes() for path in content} == content


def newer(value: str) -> str:
    """A JSON object of a newer version with its hash, as the other versions have."""
    return with_hash(json.dumps(json.loads(without_hash(value.encode())) | {"format": NEWER, "something": "new"}))


@pytest.mark.slow
def test_training_resumes_from_a_checkpoint_of_an_earlier_version(tmp_path: Path) -> None:
    for version in VERSIONS:
        for method in ("az", "es"):
            folder = tmp_path / version / method
            shutil.copytree(FORMATS / version / method, folder)
            assert main(["runs", "resume", str(folder), "--iterations", "1", "--devices", "1", "--json"]) == 0
