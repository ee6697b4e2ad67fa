"""Export: which games, and into which form. `noughts export` is its command.

Games come from the results database, those of one run or all that are kept, or from a file that was exported before.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from noughts.bridges.dataset import read_dataset, write_dataset
from noughts.bridges.notation import read_pgn, read_psq, read_sgf, write_pgn
from noughts.bridges.positions import Worth, positions_of, write_positions
from noughts.bridges.tables import (
    read_csv,
    read_json_lines,
    read_parquet,
    write_action_lists,
    write_csv,
    write_json_lines,
    write_parquet,
)
from noughts.play.playthrough import replay
from noughts.positions import Position
from noughts.rules import NoughtsError, StoreError
from noughts.rules.text import unknown
from noughts.store.files import require_new, write_atomically
from noughts.store.records import GameRecord

if TYPE_CHECKING:
    from noughts.questions.question import Question
    from noughts.store.results import RunInfo, Store

FormName = Literal["games", "csv", "parquet", "pgn", "openspiel", "positions", "dataset"]

EVERYTHING = "all"
"""What stands for every game that is kept."""

_OF_ANOTHER_VERSION = (NoughtsError, KeyError, TypeError, ValueError)
"""What may become of a run that another version of noughts began."""


class Form(NamedTuple):
    """A form in which games are written.

    Attributes:
        about: One line for people.
        suffix: What names of such files end in.
        write: The content of such a file, from games and, if it has values, what is proved about their positions.
        has_values: Whether exact values stand beside it.
    """

    about: str
    suffix: str
    write: Callable[..., str | bytes]
    has_values: bool = False


def _positions(records: Iterable[GameRecord], worth: Mapping[Position, Worth]) -> str:
    return write_positions(positions_of(records), worth)


FORMS: dict[FormName, Form] = {
    "games": Form("a line of JSON for each game; a schema is in the documentation", ".jsonl", write_json_lines),
    "csv": Form("a table: a row for each game with its agents, moves, ending and seed", ".csv", write_csv),
    "parquet": Form(
        "the same table for pandas, Polars, DuckDB and others; it needs pyarrow", ".parquet", write_parquet
    ),
    "pgn": Form("text in the manner of PGN: tags, then moves by the names of squares", ".pgn", write_pgn),
    "openspiel": Form(
        "a line of JSON for each game: OpenSpiel's game, its actions and returns", ".jsonl", write_action_lists
    ),
    "positions": Form(
        "a line of JSON for each position, with its exact value and best moves", ".jsonl", _positions, True
    ),
    "dataset": Form("NumPy arrays of steps after RLDS, with exact values and best moves", ".npz", write_dataset, True),
}

TEXT_READERS = {".jsonl": read_json_lines, ".csv": read_csv, ".pgn": read_pgn, ".sgf": read_sgf, ".psq": read_psq}
READERS: dict[str, Callable[[bytes], list[GameRecord]]] = {
    ".parquet": read_parquet,
    ".npz": lambda content: read_dataset(content)[0],
}
"""How files are read, by what their names end in: text, and all else."""


def form_of(name: str | None, path: Path) -> FormName:
    """The form of this name or, without one, the form that files like this usually have; StoreError if there is none."""
    if name is not None:
        for known in FORMS:
            if known == name:
                return known
        raise StoreError(unknown("form", name, FORMS))
    for known, form in FORMS.items():
        if form.suffix == path.suffix:
            return known
    raise StoreError(f"{path} does not say in which form: add --format, one of {', '.join(FORMS)}")


def games_of(store: "Store", source: str) -> list[GameRecord]:
    """The games that a text stands for.

    Args:
        store: Where games are kept.
        source: The id of a run; a kind of run, or a study, for the latest of them; ``all``; or an exported file.

    Raises:
        StoreError: there is no such run or file, or it has no games.
    """
    found: Sequence[GameRecord]
    if source == EVERYTHING:
        found = store.games()
    elif Path(source).is_file():
        found = read_games(Path(source))
    else:
        info = find_run(store, source, or_games=True)
        found = store.games(info.id, _keys(info))
    kept = list(_replayed(found))
    if not kept:
        raise StoreError(f"{source} has no games: `noughts export` lists the runs that have some")
    return kept


def read_games(path: Path) -> list[GameRecord]:
    """The games of a file, by what its name ends in; StoreError if it is none.

    Whatever it says of a game that does not follow from its moves is refused.
    """
    suffix = path.suffix.lower()
    if suffix not in TEXT_READERS and suffix not in READERS:
        raise StoreError(f"{path} is of no kind that is read: games are in {', '.join([*TEXT_READERS, *READERS])}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        if suffix in READERS:
            return READERS[suffix](content)
        return TEXT_READERS[suffix](_text(content, suffix in (".sgf", ".psq")))
    except (StoreError, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: {error}") from None


def _text(content: bytes, of_any_age: bool) -> str:
    """What a file says, with or without a byte order mark; files of old programs are in UTF-8 or else in Latin-1."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if not of_any_age:
            raise
        return content.decode("latin-1")


def _replayed(records: Iterable[GameRecord]) -> Iterator[GameRecord]:
    """The records that are what their moves say: what was damaged is left out."""
    for record in records:
        try:
            replay(record)
        except NoughtsError:
            continue
        yield record


def find_run(store: "Store", source: str, or_games: bool = False) -> "RunInfo":
    """The run of this id, or the latest of this kind or of this study.

    Args:
        store: Where runs are kept.
        source: What it goes by.
        or_games: Whether whoever asks takes ``all`` and files of games, too. Then the error names them.

    Raises:
        StoreError: there is none. It names the kinds and studies that have runs in this store.
    """
    infos = store.runs(results=False)
    for info in reversed(infos):
        if source in (info.id, info.kind, info.name):
            return info
    known = {info.kind for info in infos} | {info.name for info in infos if info.kind == "study"}
    if or_games:
        raise StoreError(unknown("run, kind of run, study or file", source, known | {EVERYTHING}))
    raise StoreError(unknown("run, kind of run or study", source, known))


def questions_of(info: "RunInfo") -> "Sequence[Question[Any]]":
    """What a study, a match or a tournament asked; nothing of another kind, or where that is not known.

    A study is loaded, and says it anew: what it asks is not kept.
    """
    from noughts.questions.played import Played

    try:
        if info.kind == "study":
            from noughts.studies.registry import find_study, guarded
            from noughts.studies.run import settings_of

            study = find_study(info.name)
            with guarded(study, "cannot say what it asks"):
                return study.questions(settings_of(info))
        if info.kind in ("match", "tournament"):
            asked = info.identity.get("questions", [info.identity.get("question")])
            return [Played(**fields) for fields in asked]
    except _OF_ANOTHER_VERSION:
        pass
    return []


def write_export(path: Path, content: str | bytes, force: bool) -> None:
    """Write a file whole or not at all; StoreError if it is there already, unless `force` is given."""
    require_new(path, force)
    write_atomically(path, content)


def content_of(name: FormName, records: Sequence[GameRecord], worth: Mapping[Position, Worth]) -> str | bytes:
    """The games in this form.

    Args:
        name: Which.
        records: The games.
        worth: What is proved about their positions, where the form shows it: see `positions`.
    """
    form = FORMS[name]
    return form.write(records, worth) if form.has_values else form.write(records)


def _keys(info: "RunInfo") -> list[str]:
    """The keys of the games that a run asked for, also of those that were kept before it began; none if that is not known."""
    units = (unit for question in questions_of(info) for unit in question.units())
    try:
        return list(dict.fromkeys(unit.key for unit in units if unit.answer_type() is GameRecord))
    except _OF_ANOTHER_VERSION:
        return []
