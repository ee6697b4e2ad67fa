"""Feed a reader of files with bytes that coverage guides: it takes them or refuses them in a line, within 512 MB.

    python -m tests.fuzz                    lists the readers
    python -m tests.fuzz pgn -max_total_time=600

Whatever follows the reader's name is libFuzzer's. What breaks a reader is written to a file ``crash-...`` here; give its name
to see it again. It needs atheris, which is no dependency of the project: ``uv run --with atheris python -m tests.fuzz ...``.
"""

import contextlib
import functools
import io
import lzma
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

SAMPLES = Path(__file__).parent.parent / "formats" / "0.1.0"
MEGABYTES = 512

Feed = Callable[[Path, bytes], object]
"""Reads bytes, given a folder for files."""


def _in_file(name: str, read: Callable[[Path], object]) -> Feed:
    def feed(folder: Path, content: bytes) -> object:
        (folder / name).write_bytes(content)
        return read(folder / name)

    return feed


def _games(ending: str) -> Feed:
    from noughts.bridges.formats import read_games

    return _in_file(f"it.{ending}", read_games)


def _weights() -> Feed:
    from noughts.networks.value_network import load_values
    from noughts.networks.weights import WEIGHTS, load_model, load_network
    from noughts.rules import NoughtsError

    def feed(folder: Path, content: bytes) -> None:
        loads: tuple[Callable[[dict[str, bytes]], object], ...] = load_network, load_model, load_values
        for load in loads:
            with contextlib.suppress(NoughtsError):
                load({WEIGHTS: content})

    return feed


def _certificate() -> Feed:
    from noughts.examine.certify import read_agent_certificate
    from noughts.rules import NoughtsError
    from noughts.solvers.certificate import read_certificate
    from noughts.solvers.verify import BadCertificate, verify

    def feed(folder: Path, content: bytes) -> None:
        (folder / "it.proof").write_bytes(content)
        reads: tuple[Callable[[Path], object], ...] = (
            verify, read_certificate, lambda path: read_agent_certificate(path.read_bytes())
        )  # fmt: skip
        for read in reads:
            with contextlib.suppress(NoughtsError, BadCertificate):
                read(folder / "it.proof")

    return feed


def _config() -> Feed:
    from noughts.cli.train import _read_file
    from noughts.training.registry import find_method

    def read(path: Path) -> object:
        return find_method("az").read_config({"task": "tic-tac-toe", "seed": 0} | _read_file(path))

    return _in_file("it.toml", read)


def _sweep() -> Feed:
    from noughts.library.sweep_file import read_sweep

    return _in_file("it.toml", read_sweep)


def _archive() -> Feed:
    """The tar as it is unpacked, because no changed byte gets through xz."""
    from noughts.library.archiving import KIND, is_member
    from noughts.store.archive_file import read_archive

    def feed(folder: Path, content: bytes) -> object:
        (folder / "it").write_bytes(lzma.compress(content, preset=0))
        return read_archive(folder / "it", KIND, is_member)

    return feed


def _document() -> Feed:
    from noughts.web.documents import read_document

    return lambda folder, content: read_document(b'{"name":"it","game":%s}' % content)


def _command() -> Feed:
    from noughts.web.commands import KeptCommand

    return lambda folder, content: KeptCommand.from_json(content.decode("utf-8", "replace"))


def _run() -> Feed:
    """The description of a run, signed anew, because no changed byte gets past its hash."""
    from noughts.store.hashed import with_hash
    from noughts.store.run_folder import RunFolder

    def feed(folder: Path, content: bytes) -> object:
        (folder / "run.json").write_text(with_hash(content.decode("utf-8", "replace")), "utf-8")
        return RunFolder.open(folder)

    return feed


def _store() -> Feed:
    from noughts.store.results import Store

    def feed(folder: Path, content: bytes) -> None:
        (folder / "results.sqlite").write_bytes(content)
        with Store.open(str(folder)) as store:
            store.runs()
            store.games()

    return feed


CONFIG = b"""
network = "resnet:blocks=1"
simulations = 4
[schedule]
positions = 1000
[optimiser]
learning_rate = 1e-3
"""

SGF = b"(;GM[4]FF[4]SZ[15]PB[one]PW[two]RE[B+R];B[hh];W[hg]C[why]N[it](;B[ig])(;B[gg];W[ih]))"
PSQ = b"""Piskvorky 15x15, 11:11, 0
8,8,0
8,9,15
9,8,0
-1
one.zip
two.zip
"""

SWEEP = b"""
task = "tic-tac-toe"
method = "az"
seeds = [1, 2]
minutes = 0.5
[settings]
network = ["mlp", "line"]
"optimiser.learning_rate" = [1e-3, 1e-2]
[[tests]]
kind = "score"
"""

READERS: dict[str, tuple[Callable[[], Feed], str | bytes]] = {
    **{
        ending: (functools.partial(_games, ending), f"{'dataset' if ending == 'npz' else 'games'}.{ending}")
        for ending in ("jsonl", "csv", "pgn", "parquet", "npz")
    },
    "sgf": (functools.partial(_games, "sgf"), SGF),
    "psq": (functools.partial(_games, "psq"), PSQ),
    "weights": (_weights, "az.safetensors"),
    "certificate": (_certificate, "mnk-2-3-2.proof"),
    "config": (_config, CONFIG),
    "sweep": (_sweep, SWEEP),
    "archive": (_archive, "study.tar.xz"),
    "document": (_document, "game.json"),
    "command": (_command, "command.json"),
    "run": (_run, "az/run.json"),
    "store": (_store, "results.sqlite.xz"),
}
"""By name: what makes one, which imports it and no more, and with which sample it begins: a file's name, or its content."""


def main() -> None:
    """Fuzz the reader that the command line names, until libFuzzer ends the process."""
    if len(sys.argv) < 2 or sys.argv[1] not in READERS:
        sys.exit(f"name one of: {', '.join(READERS)}")
    make, sample = READERS[sys.argv[1]]
    with atheris.instrument_imports(include=["noughts"]):
        feed = make()
        from noughts.rules import NoughtsError
        from noughts.solvers.verify import BadCertificate
    place = tempfile.TemporaryDirectory()
    corpus, folder = Path(place.name) / "corpus", Path(place.name) / "files"
    corpus.mkdir()
    folder.mkdir()
    os.environ["NOUGHTS_STORE"] = str(folder / "store")
    if isinstance(sample, bytes):
        (corpus / "sample").write_bytes(sample)
    elif sample:
        content = (SAMPLES / sample).read_bytes()
        (corpus / "sample").write_bytes(lzma.decompress(content) if sample.endswith(".xz") else content)

    def once(content: bytes) -> None:
        with contextlib.suppress(NoughtsError, BadCertificate), contextlib.redirect_stderr(io.StringIO()):
            feed(folder, content)

    flags = [f"-malloc_limit_mb={MEGABYTES}", f"-rss_limit_mb={2 * MEGABYTES}", "-timeout=60", "-max_len=100000"]
    atheris.Setup([sys.argv[0], *flags, *sys.argv[2:], str(corpus)], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
