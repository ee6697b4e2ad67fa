"""What the tests of questions share: a keeper in memory, and short ways to ask."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from noughts.agents import parse_agent
from noughts.machine.executor import LocalWorkers, Workers
from noughts.questions.answers import Answers
from noughts.questions.carry_out import Progress, carry_out
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.questions.trained import Training
from noughts.rules import Value, parse_task
from noughts.store.records import GameRecord, Kept
from noughts.store.run import KeptByRun
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.schedule import Schedule

AnswerT = TypeVar("AnswerT", bound=Value)

PLAYERS = "python:tests.agents.players:"
TOGETHER = "python:tests.agents.together:"
DECIDERS = "python:tests.agents.deciders:"

GUEST = """
import beside

class Guest:
    def __init__(self, file: str = "") -> None:
        self.file = file

    def choose(self, position, rng):
        return beside.pick(position.legal_moves)
"""
"""An agent that imports a module beside it, whose function `pick` chooses the move."""

BRICKS = "mnk(3,4,3,bricks=A1|A4|B1|B2|C1|C4)"
"""Three classes of images."""


class Memory(KeptByRun):
    """A keeper in memory for one test. It saves no answer twice, except failures and those of too little effort.

    Attributes:
        kept, records: By key and basis.
        replaced: Keys of answers that were saved again.
        order: The seed of its order when it shares work with others; None for the order of the list.
    """

    order: str | None = None

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Kept] = {}
        self.records: dict[tuple[str, str], GameRecord] = {}
        self.replaced: list[str] = []
        self._of_this_run: set[tuple[str, str]] = set()

    def next_run(self) -> None:
        """Start another run: earlier failures do not count for it."""
        self._of_this_run.clear()

    def answers(self, wanted: Mapping[str, str]) -> dict[str, Kept]:
        return {
            key: self.kept[key, basis]
            for key, basis in wanted.items()
            if (key, basis) in self.kept and (not self.kept[key, basis].error or (key, basis) in self._of_this_run)
        }

    def games(self, wanted: Mapping[str, str]) -> dict[str, GameRecord]:
        return {
            key: self.records[key, basis]
            for key, basis in wanted.items()
            if (key, basis) in self.records
            and (self.records[key, basis].ending != "error" or (key, basis) in self._of_this_run)
        }

    def keep(self, answers: Sequence[Kept], games: Mapping[tuple[str, str], GameRecord]) -> None:
        for answer in answers:
            place = (answer.key, answer.basis)
            if place in self.kept:
                self.replaced.append(answer.key)
            self.kept[place] = answer
            self._of_this_run.add(place)
        for place, record in games.items():
            assert place not in self.records or self.records[place].ending == "error", "played twice"
            self.records[place] = without_seconds(record)
            self._of_this_run.add(place)

    @property
    def everything(self) -> dict[str, str]:
        """The saved answers by key, without values from a clock."""
        texts = {key: answer.answer for (key, _), answer in self.kept.items()}
        return dict(sorted((texts | {key: game.to_json() for (key, _), game in self.records.items()}).items()))


def without_seconds(record: GameRecord) -> GameRecord:
    return record.model_copy(update={"seconds_first": 0.0, "seconds_second": 0.0})


class Elsewhere(LocalWorkers):
    """Workers without access to our files."""

    shares_files = False


def match(a: str, b: str = "random", games: int = 10, task: str = "tic-tac-toe", **more: Any) -> Played:
    return Played(task=parse_task(task), a=parse_agent(a), b=parse_agent(b), games=games, **{"moves_first": "a"} | more)


def evolved(seed: int = 0, cores: int | None = 1) -> Training:
    """A training of less than a second."""
    schedule = Schedule(iterations=2, measure_iterations=1)
    config = EvolutionConfig(task="tic-tac-toe", rounds=4, seed=seed, schedule=schedule)
    return Training(label="evolved", method="es", config=config, cores=cores)


def asked(
    questions: Sequence[Question[Any]], keeper: KeptByRun | None = None, workers: Workers = 0, spread: bool = False
) -> Answers:
    """Carry out these questions completely; return the answers."""
    answers = Answers(keeper)
    for step in carry_out(questions, answers, workers, spread=spread):
        assert 0 <= step.new <= step.done <= step.total
    return answers


def found(
    question: Question[AnswerT], keeper: KeptByRun | None = None, workers: int = 0, spread: bool = False
) -> AnswerT:
    """The answer, which must exist."""
    answers = asked([question], keeper, workers, spread)
    answer = answers[question]
    assert answer is not None, answers.problems
    return answer


def some_steps(questions: Sequence[Question[Any]], keeper: Memory, count: int, **more: Any) -> list[Progress]:
    """The first steps of a session, which is then closed."""
    steps = carry_out(questions, Answers(keeper), **more)
    taken = [step for _, step in zip(range(count), steps, strict=False)]
    steps.close()
    return taken
