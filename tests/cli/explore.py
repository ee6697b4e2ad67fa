"""A study with its own kind of question."""

from collections.abc import Sequence
from typing import Any, ClassVar

from noughts.agents import AgentSpec, build_agent, choose, parse_agent
from noughts.document.result import Row, Table
from noughts.machine import Recorder
from noughts.positions import Position, Rng
from noughts.questions.answers import Answers
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.rules import Value, parse_rules, task_of
from noughts.studies import Conclusion, Settings, Study
from noughts.studies.claims import rate_row

GAME = parse_rules("tic-tac-toe")


class Opened(Value):
    """A cell."""

    cell: int


class FirstMove(Question[Opened]):
    """The first move of an agent."""

    agent: AgentSpec

    def agents(self) -> Sequence[AgentSpec]:
        return (self.agent,)

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Opened:
        return Opened(cell=choose(build_agent(self.agent), Position.start(GAME), Rng(1)))


FIRST = FirstMove(agent=parse_agent("mcts:sims=20,c=0.5"))


class Exploring(Study):
    """More exploration, or less."""

    title = "How much should MCTS explore?"
    question = "Does c = 0.5 beat c = 1.4?"
    takes_guests: ClassVar[bool] = False

    def _match(self, settings: Settings) -> Played:
        a, b = (parse_agent(f"mcts:sims=20,c={c}") for c in (0.5, 1.4))
        return Played(task=task_of(GAME), a=a, b=b, games=8, moves_first="a", seed=settings.seed)

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        return [self._match(settings), FIRST]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        score, first = answers[self._match(settings)].total, answers[FIRST]
        opened = "nothing yet" if first is None else GAME.name_of(first.cell)
        rows = (
            rate_row(("c = 0.5",), score.wins, score.games, ours=str(score)),
            Row(labels=("its first move",), ours=opened),
        )
        table = Table(title="Games won", label_columns=("agent",), unit="games won, percent", rows=rows)
        return Conclusion((table,), (), (f"It wins {score.wins} of {score.games} games.",))
