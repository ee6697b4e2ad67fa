"""`Given`: answers that a test gives, to see what a study concludes from them."""

from collections.abc import Callable
from typing import Any

from noughts.examine.judge import Tally
from noughts.examine.walk_result import WalkResult
from noughts.questions.answers import Answers
from noughts.questions.judged import BesideTruth, PlyTally, Tallies
from noughts.questions.question import Question
from noughts.rules import Value


class Given(Answers):
    """Answers that a function gives for each unit; None for one that is not answered yet, as all are without it."""

    def __init__(self, give: Callable[[Question[Any]], Value | None] = lambda unit: None) -> None:
        super().__init__()
        self._give = give

    def of_unit(self, unit: Question[Any]) -> Any:
        return self._give(unit)


def walk(lost_game: tuple[int, ...] | None = None, drawn_game: tuple[int, ...] | None = None) -> WalkResult:
    """A walk to the end, or to a lost game."""
    return WalkResult(
        lost_game=lost_game,
        drawn_game=drawn_game,
        whole=True,
        won=1,
        drawn=int(drawn_game is not None),
        lost=int(lost_game is not None),
        decisions=90,
        ties=0,
        longest=9,
        plies=9,
        certificate="0" * 64 if lost_game is None else "",
    )


def beside_truth(unit: BesideTruth, optimal: Callable[[str], int]) -> Tallies:
    """Ten choices at ply 3 for each agent, of which `optimal` says how many it got right, by the agent's text."""
    return Tallies(
        agents=tuple(
            (PlyTally(3, 12, True, Tally(positions=12, choices=10, optimal=optimal(str(agent)), chance=4.0)),)
            for agent in unit.named
        )
    )
