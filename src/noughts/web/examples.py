"""What ships so that no room is empty: a game with notes, and finished runs of studies.

The game is edited in its file; a test proves what it says of each position. A run is shown while the store has none of its study.
They were made by ``noughts study run STUDY --scale quick``; ``python -m noughts.web.examples`` takes them from the store.
"""

import functools
import lzma
from importlib.resources import files
from pathlib import Path

from noughts.document.result import StudyResult
from noughts.rules import StoreError
from noughts.store.files import write_atomically
from noughts.store.run import RunInfo

EXAMPLE_GAME = "example"
"""The id of the game that ships."""
GAME_NAME = "Two mistakes on 4x4, with notes"
EXAMPLE_RUN = "example"
"""The id of a run that ships."""
STUDIES = ("exact-values", "betazero-adversaries")
"""Those of which a run ships: one with boards of exact values, one with a paper's numbers beside ours."""


@functools.cache
def example_game() -> str:
    """The document of the game that ships."""
    return files("noughts.web").joinpath("example-game.json").read_text("utf-8")


@functools.cache
def example_study(name: str) -> RunInfo | None:
    """The run of a study that ships with noughts; None if none does."""
    if name not in STUDIES:
        return None
    text = lzma.decompress(_file(name).read_bytes()).decode()
    result = StudyResult.from_json(text)
    return RunInfo(
        id=EXAMPLE_RUN,
        kind="study",
        name=result.name,
        identity={"scale": result.scale},
        seed=result.seed or 0,
        status="finished",
        environment=result.environment,
        started=result.started,
        finished=result.started,
        seconds=result.seconds,
        result=text,
    )


def write_examples() -> None:
    """Write the latest finished runs in the store as the examples, of those studies of which it has one.

    Raises:
        StoreError: it has none.
    """
    from noughts.store.results import Store

    with Store.open() as store:
        found = [run for name in STUDIES if (run := store.latest("study", name)) is not None]
    if not found:
        raise StoreError(
            f"the store has no finished run of {' or '.join(STUDIES)}: `noughts study run STUDY` makes one"
        )
    for run in found:
        assert run.result is not None
        write_atomically(_file(run.name), lzma.compress(run.result.encode()))


def _file(name: str) -> Path:
    return Path(str(files("noughts.web").joinpath(f"example-{name}.json.xz")))


if __name__ == "__main__":
    write_examples()
