"""What names a trained agent: a run and an iteration of it, ``RUN@ITERATION``. It loads no weights and no array library."""

import re

from noughts.rules import AgentError
from noughts.store.run_folder import RunFolder

LAST = "last"


def split_target(target: str) -> tuple[str, int | None]:
    """The run, a name or a folder, and the iteration; None for the last one there is.

    Raises:
        AgentError: what stands after the last ``@`` is no iteration.
    """
    run, at, iteration = target.rpartition("@")
    if not at or "/" in iteration:  # the @ is of a folder's name
        return target, None
    if iteration == LAST:
        return run, None
    if not re.fullmatch(r"[0-9]{1,18}", iteration):
        raise AgentError(
            f"iteration {iteration!r} is not allowed: write {run}@ITERATION, a whole number, or {run}@{LAST}"
        )
    return run, int(iteration)


def pinned(target: str) -> str:
    """The same with its iteration: the last one there is now, if none is given.

    One with an iteration is taken at its word, so that work can be planned for a run that is yet to come.

    Raises:
        AgentError: malformed.
        StoreError: no such run, or it has no weights yet.
    """
    run, iteration = split_target(target)
    if iteration is None:
        iteration, _ = RunFolder.find(run).weights_at()
    return f"{run}@{iteration}"


def weights_hash(target: str) -> str:
    """A hash of the weights, hexadecimal digits; AgentError or StoreError if there are none."""
    run, iteration = split_target(target)
    return RunFolder.find(run).weights_hash(iteration)
