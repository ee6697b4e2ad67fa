"""`proved_walk`: every reply to an agent, and where it lost no game the certificate of what it plays, kept and checked."""

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
    """Walk every reply, and prove by a certificate what is found: yields what the agent must be asked, and is sent its answers.

    At the end it yields the path of the certificate that it kept, and is sent what the independent checker makes of it: how
    many entries it has, or in words why it is refused.

    Args:
        rules, side, symmetric: As given to `replies`.
        agent: Its text, as the certificate has it.
        replies: The walk.

    Raises:
        AgentError, NotSymmetricError: As of `every_reply`; NotSymmetricError, too, if the certificate shows that it is not.
        StoreError: the certificate cannot be written.
    """
    found: AgentCertificate | None = None
    why_not = "no whole walk was made"

    def add(walk: Walk, choices: Sequence[tuple[int, ...]]) -> None:
        nonlocal found, why_not
        if walk.decisions == 0:  # of the narrow walk, or of the whole one after it
            try:
                found = AgentCertificate(rules, side, agent, symmetric)
            except CertificateError as error:
                why_not = str(error)
        if walk.narrowed:  # it leaves out replies, and shows no strategy
            found = None
        if found is not None:
            found.add(walk.words(), choices)

    result = yield from replies(observe=add)
    if not result.walked:
        return result
    try:
        if found is None:
            raise CertificateError(why_not)
        digest = keep_certificate(found.content(result.verb))
    except CertificateError as error:
        return result.model_copy(update={"unchecked": str(error)})
    checked: int | str = yield certificate_path(digest)
    if isinstance(checked, str):
        return result.model_copy(update={"unchecked": f"its certificate is rejected: {checked}"})
    return result.model_copy(update={"certificate": digest, "entries": checked})
