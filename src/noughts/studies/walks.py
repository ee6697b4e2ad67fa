"""Walks of every reply among a study's answers: to an agent on both sides of a game, in training, and the proofs that they are."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from noughts.agents import AgentSpec
from noughts.document.result import CheckedProof
from noughts.examine.walk_result import WalkResult
from noughts.play.playthrough import SIDES
from noughts.play.score import Player
from noughts.questions.answers import Answers
from noughts.questions.question import Question, kept_questions
from noughts.questions.trained import Point, Trained
from noughts.questions.walked import EveryReply
from noughts.rules import Rules

Walks = Mapping[Player, WalkResult]
"""What is known of each side."""


def on_both_sides(rules: Rules, agent: AgentSpec) -> Sequence[EveryReply]:
    """Every reply to an agent, as first and as second player; a lost game is a shortest one."""
    return [EveryReply(rules=rules, agent=agent, side=side) for side in SIDES]


def known_walks(rules: Rules, agent: AgentSpec, answers: Answers) -> Walks:
    """What the answers say of `on_both_sides`."""
    return {asked.side: walk for asked in on_both_sides(rules, agent) if (walk := answers[asked]) is not None}


def unbeatable(walks: Walks, *sides: Player) -> bool | None:
    """Whether no reply beats the agent on these sides, both unless given; None while that is not known."""
    found = [walks.get(side) for side in sides or SIDES]
    if any(walk is not None and walk.lost_game is not None for walk in found):
        return False
    return True if all(walk is not None and walk.proved for walk in found) else None


def first_proof(trained: Trained | None, proved: Iterable[tuple[int, bool]], by: str = "positions") -> Point | None:
    """The first measurement of a training at which no reply beats it; None if there is none, or not yet.

    Args:
        trained: What became of the training.
        proved: After how many positions or iterations its agent was walked, and whether it is proved there.
        by: The field of `Point` that counts them.
    """
    start = next((at for at, is_proved in proved if is_proved), None)
    if start is None or trained is None:
        return None
    return next((point for point in trained.curve if getattr(point, by) >= start), None)


def proofs_among(questions: Iterable[Question[Any]], answers: Answers) -> tuple[CheckedProof, ...]:
    """The checked certificates on which a study's proofs rest, each once, in the order of the questions."""
    walks = {unit.key: unit for unit in kept_questions(questions) if isinstance(unit, EveryReply)}
    return tuple(
        CheckedProof(
            agent=unit.called_agent,
            side=unit.side,
            rules=str(unit.rules),
            claim=result.verb,
            sha256=result.certificate,
            positions=result.entries,
        )
        for unit in walks.values()
        if (result := answers[unit]) is not None and result.proved
    )
