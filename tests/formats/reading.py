"""How each kind of kept file is read by today's code, and how one of a newer version would look.

Whoever adds a kind of file adds a `Sample` here, and a line to `make`.
"""

import contextlib
import io
import json
import lzma
import os
import sqlite3
import struct
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import noughts
from noughts.bridges import dataset, formats, notation
from noughts.bridges.formats import read_games
from noughts.cli.main import main
from noughts.document import result as study_result
from noughts.document.result import StudyResult
from noughts.library.archiving import KIND, is_member
from noughts.networks import onnx, weights_file
from noughts.networks.weights import WEIGHTS, load_model
from noughts.positions import Position
from noughts.solvers import certificate, verify
from noughts.store import archive_file, checkpoints, run_folder, run_metrics, tables
from noughts.store.archive_file import read_archive
from noughts.store.file_format import FileFormat
from noughts.store.hashed import with_hash, without_hash
from noughts.store.run_folder import RunFolder
from noughts.web import commands, documents
from noughts.web.commands import KeptCommand

NEWER = 99
"""A version that no noughts of today writes."""

Content = bytes | Mapping[str, bytes]
"""Of a file; or of the files of a folder, by their names in it."""


class RefusedError(Exception):
    """A command refused a file; the message is what it said."""


@dataclass(frozen=True)
class Sample:
    """A file or a folder as kept by `make`.

    Attributes:
        formats: The kinds of files in it.
        read: What is said of it, as JSON values.
        newer: Its content with the version `NEWER`, once for each kind of file in it; empty where noughts reads none.
    """

    formats: tuple[FileFormat, ...]
    read: Callable[[Path], Any]
    newer: tuple[Callable[[Path], Content], ...]


def said_of(folder: Path) -> dict[str, Any]:
    """What is said of every sample that is in a folder, by its name."""
    return {
        name: json.loads(json.dumps(sample.read(folder / name)))
        for name, sample in SAMPLES.items()
        if (folder / name).exists()
    }


def told(*words: str) -> Any:
    """What a command of noughts prints as JSON; `RefusedError` with its complaint if it fails."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*words, "--json"])
    if code:
        raise RefusedError(err.getvalue())
    return json.loads(out.getvalue())


def _run(path: Path) -> Any:
    shown = told("runs", "show", str(path))
    del shown["folder"]
    run = RunFolder.open(path)
    checkpoint = run.checkpoints.latest().checkpoint
    assert checkpoint is not None
    return {
        "shown": shown,
        "losses": [sorted(line.metrics) for line in run.lines()],
        "weights": {name: len(content) for name, content in run.weights_at()[1].items()},
        "checkpoint": [checkpoint.iteration, sorted(checkpoint.files)],
    }


def _network(path: Path) -> Any:
    """What is said about it, and what it says of the empty board."""
    loaded = noughts.load_network(path)
    seen = loaded.evaluate([Position.start(noughts.parse_rules("tic-tac-toe"))])
    return [str(loaded.spec), loaded.board.rows, loaded.about, round(float(seen.values[0]), 3)]


def _model(path: Path) -> Any:
    loaded = load_model({WEIGHTS: path.read_bytes()})
    return [str(loaded.spec), loaded.board.rows, loaded.about]


def _onnx(path: Path) -> Any:
    import onnxruntime

    found = onnxruntime.InferenceSession(path.read_bytes()).get_modelmeta().custom_metadata_map
    return {name: text for name, text in found.items() if name != "noughts.format"}


def _certificate(path: Path) -> Any:
    return asdict(verify.verify(path))


def _games(path: Path) -> Any:
    return [record.model_dump(mode="json") for record in read_games(path)]


def _dataset(path: Path) -> Any:
    return [record.moves for record in dataset.read_dataset(path.read_bytes())]


def _archive(path: Path) -> Any:
    facts, members = read_archive(path, KIND, is_member)
    result = StudyResult.from_json(members["result.json"])
    return [facts, sorted(members), result.title, result.findings, [table.title for table in result.tables]]


def _saved_game(path: Path) -> Any:
    _, rules, plies, _ = documents.read_document(b'{"name":"it","game":%s}' % path.read_bytes())
    return {"rules": rules, "plies": plies}


def _command(path: Path) -> Any:
    return KeptCommand.from_json(path.read_text()).model_dump(mode="json", exclude={"format"})


def _database(path: Path) -> Any:
    before = os.environ.get("NOUGHTS_STORE")
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "results.sqlite").write_bytes(lzma.decompress(path.read_bytes()))
        os.environ["NOUGHTS_STORE"] = place
        try:
            listed = told("results", "list")
            games = Path(place) / "games.jsonl"
            told("export", "all", "--to", str(games))
            return [listed, _games(games)]
        finally:
            if before is None:
                del os.environ["NOUGHTS_STORE"]
            else:
                os.environ["NOUGHTS_STORE"] = before


def _changed(content: bytes, **fields: Any) -> bytes:
    """A JSON object with these fields, the rest as it was."""
    return json.dumps(json.loads(content) | fields).encode()


def _hashed(content: bytes) -> bytes:
    """A JSON object of a newer version that carries its hash, as the other versions do."""
    text = json.dumps(json.loads(without_hash(content)) | {"format": NEWER, "something": "new"}, separators=(",", ":"))
    return with_hash(text).encode()


def _in_folder(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], Content]:
    """One file of a folder is changed; of several that fit the name, all."""

    def newer(folder: Path) -> Content:
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        chosen = [path for path in files if Path(path).match(name)]
        assert chosen
        return files | {path: change(files[path]) for path in chosen}

    return newer


def _manifest(content: bytes) -> bytes:
    import hashlib

    facts = json.loads(content) | {"format": NEWER}
    del facts["sha256"]
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
    return (json.dumps({**facts, "sha256": digest}, indent=2, sort_keys=True) + "\n").encode()


def _metrics(content: bytes) -> bytes:
    return b"".join(_hashed(line) + b"\n" for line in content.splitlines())


def _weights(path: Path) -> bytes:
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    header["__metadata__"]["noughts"] = _changed(header["__metadata__"]["noughts"].encode(), format=NEWER).decode()
    changed = json.dumps(header).encode()
    changed += b" " * (-len(changed) % 8)
    return struct.pack("<Q", len(changed)) + changed + content[8 + length :]


def _header(path: Path) -> bytes:
    line, _, body = path.read_bytes().partition(b"\n")
    return json.dumps(json.loads(line) | {"version": NEWER}, separators=(",", ":")).encode() + b"\n" + body


def _lines(path: Path) -> bytes:
    return b"".join(_changed(line, version=NEWER) + b"\n" for line in path.read_bytes().splitlines())


def _rows(path: Path) -> bytes:
    first, *rows = path.read_text().splitlines()
    assert first.startswith("version,")
    return "\n".join([first, *(f"{NEWER},{row.partition(',')[2]}" for row in rows), ""]).encode()


def _parquet(path: Path) -> bytes:
    from pyarrow import array, parquet

    table = parquet.read_table(path)
    out = io.BytesIO()
    parquet.write_table(table.set_column(0, "version", array([NEWER] * len(table))), out)
    return out.getvalue()


def _tags(path: Path) -> bytes:
    return path.read_bytes().replace(b'[Version "1"]', b'[Version "%d"]' % NEWER)


def _arrays(path: Path) -> bytes:
    with np.load(path) as file:
        arrays = dict(file)
    out = io.BytesIO()
    np.savez_compressed(
        out, **arrays | {"about": np.array(_changed(str(arrays["about"]).encode(), version=NEWER).decode())}
    )
    return out.getvalue()


def _packed(path: Path) -> bytes:
    return lzma.compress(lzma.decompress(path.read_bytes()).replace(b'"version": 1,', b'"version":99,', 1))


def _later_schema(path: Path) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "it"
        file.write_bytes(lzma.decompress(path.read_bytes()))
        with contextlib.closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("UPDATE meta SET value = ? WHERE name = 'schema'", (str(NEWER),))
        return lzma.compress(file.read_bytes())


RUN = Sample(
    (run_folder.RUN, run_folder.STATUS, run_metrics.METRICS, checkpoints.CHECKPOINT),
    _run,
    (
        _in_folder("run.json", _hashed),
        _in_folder("status.json", _hashed),
        _in_folder("metrics.jsonl", _metrics),
        _in_folder("checkpoints/*/manifest.json", _manifest),
    ),
)

SAMPLES: Mapping[str, Sample] = {
    "az": RUN,
    "es": RUN,
    "az.safetensors": Sample((weights_file.WEIGHTS,), _network, (_weights,)),
    "mz.safetensors": Sample((weights_file.WEIGHTS,), _model, (_weights,)),
    "az.onnx": Sample((onnx.ONNX,), _onnx, ()),
    "mnk-2-3-2.proof": Sample((certificate.CERTIFICATE,), _certificate, (_header,)),
    "first-mnk-3-3-2.proof": Sample((certificate.CERTIFICATE,), _certificate, (_header,)),
    "games.jsonl": Sample((formats.GAMES,), _games, (_lines,)),
    "games.csv": Sample((formats.TABLE,), _games, (_rows,)),
    "games.parquet": Sample((formats.TABLE,), _games, (_parquet,)),
    "games.pgn": Sample((notation.PGN,), _games, (_tags,)),
    "dataset.npz": Sample((dataset.DATASET,), _dataset, (_arrays,)),
    "study.tar.xz": Sample((archive_file.ARCHIVE, study_result.RESULT), _archive, (_packed,)),
    "game.json": Sample(
        (documents.SAVED_GAME,), _saved_game, (lambda path: _changed(path.read_bytes(), version=NEWER),)
    ),
    "command.json": Sample((commands.COMMAND,), _command, (lambda path: _changed(path.read_bytes(), format=NEWER),)),
    "results.sqlite.xz": Sample((tables.DATABASE, tables.SAVED), _database, (_later_schema,)),
}
"""By the name in the folder of a version."""
