"""Export: which games, and into which form. `noughts export` is its command.

Games come from the results database, those of one run or all that are kept, or from a file that was exported before.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from noughts.bridges.exported_games import (
    each_replayed,
    read_json_lines,
    read_pgn,
    write_action_lists,
    write_json_lines,
    write_pgn,
)
from noughts.bridges.exported_tables import read_csv, read_parquet, write_csv, write_parquet
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
        has_values: Whether exact values stand beside it.
    """

    about: str
    suffix: str
    has_values: bool = False


FORMS: dict[FormName, Form] = {
    "games": Form("a line of JSON for each game; a schema is in the documentation", ".jsonl"),
    "csv": Form("a table: a row for each game with its agents, moves, ending and seed", ".csv"),
    "parquet": Form("the same table for pandas, Polars, DuckDB and others; it needs pyarrow", ".parquet"),
    "pgn": Form("text in the manner of PGN: tags, then moves by the names of squares", ".pgn"),
    "openspiel": Form("a line of JSON for each game: OpenSpiel's game, its actions and returns", ".jsonl"),
    "positions": Form("a line of JSON for each position, with its exact value and best moves", ".jsonl", True),
    "dataset": Form("NumPy arrays of steps after RLDS, with exact values and best moves", ".npz", True),
}


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
    kept = list(each_replayed(found))
    if not kept:
        raise StoreError(f"{source} has no games: `noughts export` lists the runs that have some")
    return kept


def read_games(path: Path) -> list[GameRecord]:
    """The games of an exported file; StoreError if it is none."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        if path.suffix == FORMS["dataset"].suffix:
            from noughts.bridges.dataset import read_dataset

            return read_dataset(content)[0]
        if path.suffix == FORMS["parquet"].suffix:
            return read_parquet(content)
        text = content.decode()
        if path.suffix == FORMS["csv"].suffix:
            return read_csv(text)
        return read_pgn(text) if path.suffix == FORMS["pgn"].suffix else read_json_lines(text)
    except (StoreError, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: {error}") from None


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


def content_of(form: FormName, records: Sequence[GameRecord], worth: Mapping[Any, Any]) -> str | bytes:
    """The games in this form.

    Args:
        form: Which.
        records: The games.
        worth: What is proved about their positions, where the form shows it: see `exported_positions`.
    """
    if form == "dataset":
        from noughts.bridges.dataset import write_dataset

        return write_dataset(records, worth)
    if form == "positions":
        from noughts.bridges.exported_positions import positions_of, write_positions

        return write_positions(positions_of(records), worth)
    if form == "parquet":
        return write_parquet(records)
    writers = {"csv": write_csv, "games": write_json_lines, "pgn": write_pgn, "openspiel": write_action_lists}
    return writers[form](records)


def _keys(info: "RunInfo") -> list[str]:
    """The keys of the games that a run asked for, also of those that were kept before it began; none if that is not known."""
    units = (unit for question in questions_of(info) for unit in question.units())
    try:
        return list(dict.fromkeys(unit.key for unit in units if unit.answer_type() is GameRecord))
    except _OF_ANOTHER_VERSION:
        return []
