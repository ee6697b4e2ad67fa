"""How today's code reads each kind of saved file.

For a new kind of file, add a `Sample` here and a line to `make`.
"""

import json
import lzma
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import noughts
from noughts.bridges import formats, notation
from noughts.bridges.formats import read_games
from noughts.document import result as study_result
from noughts.document.result import StudyResult
from noughts.examine.certify import read_agent_certificate
from noughts.library.archiving import KIND, is_member
from noughts.networks import onnx, weights_file
from noughts.networks.weights import WEIGHTS, load_model
from noughts.positions import Position
from noughts.solvers import certificate, verify
from noughts.store import archive_file, checkpoints, run_folder, run_metrics, tables
from noughts.store.archive_file import read_archive
from noughts.store.file_format import FileFormat
from noughts.store.run_folder import RunFolder
from noughts.web import commands, documents
from noughts.web.commands import KeptCommand
from tests.cli.running import captured


class RefusedError(Exception):
    """A command rejected a file; the message is its error."""


@dataclass(frozen=True)
class Sample:
    """A file or a folder saved by `make`.

    Attributes:
        formats: The kinds of files in it.
        read: Return its content as JSON values.
    """

    formats: tuple[FileFormat, ...]
    read: Callable[[Path], Any]


def said_of(folder: Path) -> dict[str, Any]:
    """The content of every sample in a folder, by its name."""
    return {
        name: json.loads(json.dumps(sample.read(folder / name)))
        for name, sample in SAMPLES.items()
        if (folder / name).exists()
    }


def told(*words: str) -> Any:
    """The JSON output of a noughts command; raise `RefusedError` with its error if it fails."""
    code, out, err = captured(*words, "--json")
    if code:
        raise RefusedError(err)
    return json.loads(out)


def _run(path: Path) -> Any:
    shown = told("runs", "show", str(path))
    del shown["folder"]
    run = RunFolder.open(path)
    checkpoint, _ = run.checkpoints.latest()
    assert checkpoint is not None
    return {
        "shown": shown,
        "losses": [sorted(line.metrics) for line in run.lines()],
        "weights": {name: len(content) for name, content in run.weights_at()[1].items()},
        "checkpoint": [checkpoint.iteration, sorted(checkpoint.files)],
    }


def _network(path: Path) -> Any:
    """Its description, and its output for the empty board."""
    loaded = noughts.load_network(path)
    seen = loaded.evaluate([Position.start(noughts.parse_rules("tic-tac-toe"))])
    return [str(loaded.spec), loaded.board.rows, loaded.about, round(float(seen.values[0]), 3)]


def _model(path: Path) -> Any:
    _, spec, board, about = load_model({WEIGHTS: path.read_bytes()})
    return [str(spec), board.rows, about]


def _onnx(path: Path) -> Any:
    import onnxruntime

    found = onnxruntime.InferenceSession(path.read_bytes()).get_modelmeta().custom_metadata_map
    return {name: text for name, text in found.items() if name != "noughts.format"}


def _certificate(path: Path) -> Any:
    if path.name.startswith("mnk"):
        certificate.read_certificate(path)
    else:
        read_agent_certificate(path.read_bytes())
    return asdict(verify.verify(path))


def _games(path: Path) -> Any:
    return [record.model_dump(mode="json") for record in read_games(path)]


def _archive(path: Path) -> Any:
    facts, members = read_archive(path, KIND, is_member)
    result = StudyResult.from_json(members["result.json"])
    return [facts, sorted(members), result.title, result.findings, [table.title for table in result.tables]]


def _saved_game(path: Path) -> Any:
    _, rules, plies, _ = documents.read_document(b'{"name":"it","game":%s}' % path.read_bytes())
    return {"rules": rules, "plies": plies}


def _database(path: Path) -> Any:
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "results.sqlite").write_bytes(lzma.decompress(path.read_bytes()))
        games = Path(place) / "games.jsonl"
        listed = told("results", "list", "--store", place)
        told("export", "all", "--to", str(games), "--store", place)
        return [listed, _games(games)]


RUN = Sample((run_folder.RUN, run_folder.STATUS, run_metrics.METRICS, checkpoints.CHECKPOINT), _run)

SAMPLES: Mapping[str, Sample] = {
    "az": RUN,
    "es": RUN,
    "az.safetensors": Sample((weights_file.WEIGHTS,), _network),
    "mz.safetensors": Sample((weights_file.WEIGHTS,), _model),
    "az.onnx": Sample((onnx.ONNX,), _onnx),
    "mnk-2-3-2.proof": Sample((certificate.CERTIFICATE,), _certificate),
    "first-mnk-3-3-2.proof": Sample((certificate.CERTIFICATE,), _certificate),
    "games.jsonl": Sample((formats.GAMES,), _games),
    "games.csv": Sample((formats.TABLE,), _games),
    "games.pgn": Sample((notation.PGN,), _games),
    "study.tar.xz": Sample((archive_file.ARCHIVE, study_result.RESULT), _archive),
    "game.json": Sample((documents.SAVED_GAME,), _saved_game),
    "command.json": Sample(
        (commands.COMMAND,),
        lambda path: KeptCommand.from_json(path.read_text()).model_dump(mode="json", exclude={"format"}),
    ),
    "results.sqlite.xz": Sample((tables.DATABASE, tables.SAVED), _database),
}
"""By name in the folder of a version."""
