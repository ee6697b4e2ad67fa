"""Mending a store: what is damaged is set aside, never removed, so that it is asked again, or trained again.

Rows go into the quarantine of the database, files into the store's folder `damaged`, in a folder of this moment.
"""

import contextlib
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from noughts.rules.errors import StoreError
from noughts.store import files
from noughts.store.certificates import ENDING, certificate_folder
from noughts.store.checkpoints import Checkpoints
from noughts.store.condition import condition, damaged_certificates, damaged_rows, damaged_sets, database_file
from noughts.store.database import Database
from noughts.store.files import make_folder, write_atomically
from noughts.store.place import store_folder, store_place
from noughts.store.quarantine import name_of, set_aside
from noughts.store.run_folder import RunFolder, Status, run_names, training_folder
from noughts.store.salvage import rebuild
from noughts.store.tables import CHECKED


def repair(place: str | None = None) -> tuple[str, ...]:
    """Set aside all that is damaged; gives a line for each thing, and what becomes of it.

    Args:
        place: As for `Store.open`.

    Raises:
        StoreError: there is no store, or somebody uses it, or it cannot be written, or a newer noughts wrote something of it.
    """
    place = store_place(place)
    found = condition(place)
    if not found.damaged:
        return ()
    damaged = {part.name for part in found.parts if part.damaged}
    folder = store_folder(place)
    aside = folder / "damaged" / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    make_folder(aside)
    lines: list[str] = []
    if damaged & {"database", *(table.name for table in CHECKED)}:
        file = database_file(place)
        lost = _repair_server(place, folder) if file is None else rebuild(file, aside)
        kept = "" if file is None else f"; the file as it was is kept in {aside}"
        lines += [f"database: written anew{kept}"] if file is not None else []
        lines += [f"{name}: set aside, and asked again when it is wanted" for name in lost]
    for name in run_names(place):
        if f"training run {name}" in damaged:
            lines += [f"training run {name}: {line}" for line in _repair_training(training_folder(place) / name, aside)]
    for path in damaged_certificates(certificate_folder(place).glob(f"*{ENDING}")) if "certificates" in damaged else ():
        make_folder(aside / "certificates")
        _move(path, aside / "certificates" / path.name)
        lines.append(f"certificate {path.name}: set aside, and proved again when it is wanted")
    return tuple(lines)


def _repair_server(place: str, folder: Path) -> list[str]:
    """Set aside the damaged rows of a database on a server; gives their names."""
    with contextlib.closing(Database(place, folder / "locks")) as database:

        def mend(connection: Connection) -> list[str]:
            names = []
            for table in CHECKED:
                for row in list(damaged_rows(database, connection, table)):
                    set_aside(connection, table, row)
                    names.append(name_of(table, row))
            return names

        return database.write(mend)


def _repair_training(folder: Path, aside: Path) -> list[str]:
    """Mend a training run's folder."""
    try:
        run = RunFolder.open(folder)
    except StoreError:
        _move(folder, aside / folder.name)
        return [f"nobody knows what it trained: set aside as {aside / folder.name}; train it again"]
    with run.locked():
        return list(_mend(run, aside / folder.name))


def _mend(run: RunFolder, aside: Path) -> list[str]:
    lines = _move_sets(run.checkpoints, aside / "checkpoints", "training goes on from the one before")
    lost = tuple(damaged_sets(run.weights))
    lines += _move_sets(
        run.weights, aside / "weights", "those of a last checkpoint are made again by `noughts runs resume`"
    )
    status = None
    try:
        status = run.status()
    except StoreError:
        _move(run.folder / "status.json", aside / "status.json")
        lines.append("status.json: set aside, and written anew from the last checkpoint")
    try:
        measured = run.lines() if status else run.metrics.lines()
    except StoreError:
        measured = run.metrics.readable()
        lines.append(
            "metrics.jsonl: what it said in the lines that are damaged or missing is lost; the others are kept"
        )
    kept = [line for line in measured if line.kind == "iteration" or line.iteration not in lost]
    if kept != list(run.metrics.readable()) or lines:
        if run.metrics.path.exists():
            make_folder(aside)
            write_atomically(aside / "metrics.jsonl", run.metrics.path.read_bytes())
        run.metrics.replace(kept)
    latest = run.checkpoints.latest().checkpoint
    if latest is not None:  # it counted the lines that there were
        run.checkpoints.save(latest.iteration, latest.files, {**latest.about, "lines": None})
    if status is None:
        status = Status(state="stopped")
        if latest is not None:
            spent = {"positions": latest.about["positions"], "seconds": latest.about["seconds"]}
            status = Status(state="stopped", iterations=latest.iteration, **spent)
    run.write_status(status.model_copy(update={"lines": None, "state": "stopped" if lost else status.state}))
    return lines


def _move_sets(series: Checkpoints, aside: Path, then: str) -> list[str]:
    lines = []
    for iteration, fault in damaged_sets(series).items():
        _move(series.path(iteration), aside / series.path(iteration).name)
        lines.append(f"{fault}: set aside; {then}")
    return lines


def _move(path: Path, to: Path) -> None:
    """Give a file or a folder another place in the store."""
    make_folder(to.parent)
    try:
        files.DISK.rename(path, to)
        files.DISK.sync_folder(to.parent)
        files.DISK.sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be set aside: {error.strerror or error}") from error
