"""`Fabricated`: answers made up by a test, to see what a study concludes from them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from noughts.document.result import BoardFigure, Row
from noughts.examine.judge import Tally
from noughts.examine.walk_result import WalkResult
from noughts.questions.answers import Answers
from noughts.questions.judged import BesideTruth, PlyTally, Tallies
from noughts.questions.played import Playthrough
from noughts.questions.question import Question
from noughts.questions.trained import Point, Trained, Training
from noughts.rules import Value, format_rules
from noughts.store.records import Ending, GameRecord
from noughts.studies.checkpoints import PlannedCheckpoints, TrainedUntil
from noughts.studies.study import Conclusion

Made = Mapping[type[Question[Any]], Callable[[Any], Value | None]]
"""For a type of questions, how an answer to one is made; None for one without an answer yet."""


class Fabricated(Answers):
    """Answers that are made when a question that does not only count is asked. Other types have no answers yet."""

    def __init__(self, made: Made | None = None) -> None:
        super().__init__()
        self._made = made or {}

    def __getitem__(self, question: Any) -> Any:
        return (
            super().__getitem__(question)
            if question.counted
            else self._made.get(type(question), lambda _: None)(question)
        )


def walked(
    lost_game: tuple[int, ...] | None = None, longest: int = 11, drawn_game: tuple[int, ...] | None = None
) -> WalkResult:
    """A complete walk of 100 decisions, 5 of them ties."""
    lost = int(lost_game is not None)
    return WalkResult(
        lost_game=lost_game,
        drawn_game=drawn_game,
        whole=True,
        won=1,
        drawn=int(drawn_game is not None),
        lost=lost,
        decisions=100,
        ties=5,
        longest=longest,
        plies=longest,
        certificate="" if lost else "0" * 64,
    )


def trained(points: Iterable[Point], cores: int = 1) -> Trained:
    """A training that ended at the last of these measurements."""
    curve = tuple(points)
    end = curve[-1]
    return Trained(iterations=end.iteration, positions=end.positions, seconds=end.seconds, cores=cores, curve=curve)


def judged(unit: BesideTruth, **tally: int) -> Tallies:
    """The same score for every agent, at the first requested ply: 6 of 8 choices are optimal in 10 positions."""
    assert unit.plies is not None
    scored = Tally(**{"positions": 10, "choices": 8, "optimal": 6, "chance": 2.0} | tally)
    return Tallies(agents=((PlyTally(unit.plies[0], 10, False, scored),),) * len(unit.named))


def differing(config: Value, beside: Value) -> set[str]:
    """The fields of a training's configuration that have other values beside another one, as far as both have them."""
    ours, others = config.model_dump(), beside.model_dump()
    return {name for name in ours.keys() & others.keys() if ours[name] != others[name]}


def row(conclusion: Conclusion, *labels: str, table: str = "") -> Row:
    """The first row whose labels begin so, in a table with this in its title."""
    rows = (row for found in conclusion.tables if table in found.title for row in found.rows)
    return next(row for row in rows if row.labels[: len(labels)] == labels)


def board(conclusion: Conclusion, name: str) -> BoardFigure:
    """The board with this name."""
    return next(found for found in conclusion.figures if isinstance(found, BoardFigure) and found.name == name)


def record(unit: Playthrough, ending: Ending, moves: tuple[int, ...] = (0, 1)) -> GameRecord:
    return GameRecord(
        rules=format_rules(unit.rules),
        first=str(unit.first),
        second=str(unit.second),
        seed=unit.seed,
        moves=moves,
        ending=ending,
    )


def of_checkpoints(
    plan: PlannedCheckpoints,
    wins: Callable[[TrainedUntil, str], bool],
    seconds: Callable[[str], float] = lambda learner: 1.0,
    known: Callable[[str, int], bool] = lambda learner, seed: True,
) -> Made:
    """Answers about trainings and their games.

    Args:
        plan: The planned questions.
        wins: Whether a checkpoint wins its games with the brick on a square.
        seconds: The duration of a learner's iteration; it always takes 400 positions.
        known: Whether the training of a learner with a seed is known.
    """
    pairs = {training.name: pair for pair, training in plan.trainings.items() if known(*pair)}

    def training(unit: Training) -> Trained | None:
        if unit.name not in pairs:
            return None
        learner, _ = pairs[unit.name]
        return trained(
            Point(iteration=i, positions=400 * i, seconds=seconds(learner) * i, values={})
            for i in plan.iterations(learner)
        )

    def game(unit: Playthrough) -> GameRecord | None:
        run, _, iteration = unit.first.target.partition("@")
        if run not in pairs:
            return None
        at = TrainedUntil(*pairs[run], int(iteration))
        return record(unit, "first" if wins(at, unit.rules.brick_names()) else "second")

    return {Training: training, Playthrough: game}


def beside_truth(unit: BesideTruth, optimal: Callable[[str], int]) -> Tallies:
    """Ten choices at ply 3 for each agent, of which `optimal` gives the number of right ones, by the agent's text."""
    return Tallies(
        agents=tuple(
            (PlyTally(3, 12, True, Tally(positions=12, choices=10, optimal=optimal(str(agent)), chance=4.0)),)
            for agent in unit.named
        )
    )
