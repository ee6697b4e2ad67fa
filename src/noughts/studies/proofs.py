"""The checked certificates on which a study's proofs rest, found among its answers, so that its page can name them."""

from collections.abc import Iterable, Iterator
from typing import Any

from noughts.document.result import CheckedProof
from noughts.examine.walk_result import WalkResult
from noughts.questions.answers import Answers
from noughts.questions.question import Question, kept_questions
from noughts.questions.walked import EveryReply


def proofs_among(questions: Iterable[Question[Any]], answers: Answers) -> tuple[CheckedProof, ...]:
    """Every proof that is known, each once, in the order of the questions."""
    found = {unit.key: proof for unit, result in walks_among(questions, answers) if (proof := _proof(unit, result))}
    return tuple(found.values())


def walks_among(questions: Iterable[Question[Any]], answers: Answers) -> Iterator[tuple[EveryReply, WalkResult]]:
    """The walks of every reply that are known."""
    for asked in kept_questions(questions):
        if isinstance(asked, EveryReply) and (result := answers[asked]) is not None:
            yield asked, result


def _proof(unit: EveryReply, result: WalkResult) -> CheckedProof | None:
    if not result.proved:
        return None
    return CheckedProof(
        agent=unit.called_agent,
        side=unit.side,
        rules=str(unit.rules),
        claim=result.verb,
        sha256=result.certificate,
        positions=result.entries,
    )
