"""A study of guests alone, each of which plays two games against random."""

from collections.abc import Sequence
from typing import Any

from noughts.agents import parse_agent
from noughts.document.result import Row, Table
from noughts.questions.answers import Answers
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.rules import parse_task
from noughts.studies import Conclusion, Settings, Study
from noughts.studies.study import parse_guests


class Beating(Study):
    """Each guest against random."""

    title = "Who beats random?"
    question = "Do guests?"

    def _matches(self, settings: Settings) -> list[Played]:
        task, other = parse_task("tic-tac-toe"), parse_agent("random")
        return [Played(task=task, a=guest, b=other, games=2, moves_first="a") for guest in parse_guests(settings, [])]

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        return self._matches(settings)

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        matches = self._matches(settings)
        rows = tuple(Row(labels=(answers[match].a,), ours=str(answers[match].total)) for match in matches)
        table = Table(title="Games", label_columns=("agent",), unit="games", rows=rows)
        return Conclusion((table,), (), tuple(f"{match.a} beat random." for match in matches))
