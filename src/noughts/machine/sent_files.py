"""`SentFiles`: what jobs read, kept where every machine of a cluster can fetch it; and what they have written, received."""

import contextlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from noughts.machine.brought import BroughtFile, FileState, put_file, read_file, states_in
from noughts.machine.cluster_worker import Reply, SentFile
from noughts.machine.jobs import Job
from noughts.rules.errors import ComputeError


class SentFiles:
    """The files that jobs read, each kept once as it is now: what a file was before is let go when it has changed.

    Args:
        keep: Keeps a file's content where every machine can fetch it; gives what stands for it.
    """

    def __init__(self, keep: Callable[[BroughtFile], object]) -> None:
        self._keep = keep
        self._kept: dict[str, tuple[FileState, SentFile]] = {}

    def for_jobs(self, jobs: Iterable[Job]) -> list[SentFile]:
        """What jobs read, and what is already in the folders that they fill; ComputeError if it cannot be read."""
        paths: dict[str, None] = {}
        for job in jobs:
            paths |= dict.fromkeys(job.baggage.reads)
            if job.baggage.makes and (folder := Path(job.baggage.makes)).is_dir():
                paths |= dict.fromkeys(str(folder / state.path) for state in states_in(folder))
        return [self._sent(path) for path in paths]

    def clear(self) -> None:
        """Nothing of it is needed any more."""
        self._kept.clear()

    def _sent(self, path: str) -> SentFile:
        try:
            status = os.stat(path)
            state = FileState(path, status.st_size, status.st_mtime_ns, False)
            if path not in self._kept or self._kept[path][0] != state:
                file = read_file(Path(path), path)
                self._kept[path] = state, SentFile(path, file.digest, file.runs, self._keep(file))
            return self._kept[path][1]
        except OSError as error:
            raise ComputeError(f"{path}, which a job reads, cannot be sent: {error.strerror or error}") from error


def receive(job: Job, reply: Reply) -> None:
    """Files that a job has written elsewhere, in the order in which they were written there; then those go that it removed.

    Raises:
        ComputeError: they cannot be kept.
    """
    if not job.baggage.makes:
        return
    folder = Path(job.baggage.makes)
    try:
        for file in reply.written:
            put_file(folder / file.path, file)
        for name in reply.gone:
            (folder / name).unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # other files are in it
                (folder / name).parent.rmdir()
    except (OSError, ValueError) as error:
        raise ComputeError(f"what a node has sent of {folder} cannot be kept: {error}") from error
