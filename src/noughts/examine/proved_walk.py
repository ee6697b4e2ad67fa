"""`proved_walk`: walks every reply to an agent, and if it lost no game, saves its certificate and has it checked."""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from noughts.examine.certify import AgentCertificate
from noughts.examine.every_reply import Asked, Replies
from noughts.examine.walk import Walk
from noughts.examine.walk_result import WalkResult
from noughts.positions import Side
from noughts.rules import CertificateError, Rules
from noughts.store.certificates import certificate_path, keep_certificate


def proved_walk(
    rules: Rules, side: Side, agent: str, symmetric: bool, replies: Replies
) -> Generator[Asked | Path, Any, WalkResult]:
    """Walk every reply, and certify the result: yields positions, and is sent the agent's choices in them.

    At the end it yields the path of the saved certificate, and is sent the verdict of the independent checker: the
    number of entries, or the reason for a rejection.

    Args:
        rules, side, symmetric: As given to `replies`.
        agent: Its text, as the certificate has it.
        replies: The walk.

    Raises:
        AgentError, NotSymmetricError: As `every_reply`; also NotSymmetricError if the certificate shows it.
        StoreError: the certificate cannot be written.
    """
    found: AgentCertificate | None = None
    why_not = ""

    def add(walk: Walk, choices: Sequence[tuple[int, ...]]) -> None:
        nonlocal found, why_not
        if walk.decisions == 0:  # of the narrow walk, or of the whole one after it
            try:
                found = AgentCertificate(rules, side, agent, symmetric)
            except CertificateError as error:
                why_not = str(error)
        if walk.narrowed:  # it leaves out replies, so it proves nothing
            found = None
        if found is not None:
            found.add(walk.words(), choices)

    result = yield from replies(observe=add)
    if not result.walked:
        return result
    try:
        if result.decisions == 0:  # the game ends before the agent moves, so there was no level to add
            found = AgentCertificate(rules, side, agent, symmetric)
        if found is None:
            raise CertificateError(why_not)
        digest = keep_certificate(found.content(result.verb))
    except CertificateError as error:
        return result.model_copy(update={"unchecked": str(error)})
    checked: int | str = yield certificate_path(digest)
    if isinstance(checked, str):
        return result.model_copy(update={"unchecked": f"its certificate is rejected: {checked}"})
    return result.model_copy(update={"certificate": digest, "entries": checked})
