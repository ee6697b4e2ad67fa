"""`Fabricated`: answers that a test makes up, to see what a study concludes from them."""

from collections.abc import Callable
from typing import Any

from noughts.examine.judge import Tally
from noughts.examine.walk_result import WalkResult
from noughts.positions import Outcome, Position
from noughts.questions.answers import Answers
from noughts.questions.judged import BesideTruth, PlyTally, Tallies
from noughts.questions.played import Playthrough
from noughts.questions.question import Unit
from noughts.rules import Value, format_rules, parse_rules
from noughts.store.records import Ending, GameRecord


class Fabricated(Answers):
    """Answers that are known as soon as somebody asks.

    Args:
        made: The answer of a unit, or None for one that is not answered yet.
    """

    def __init__(self, made: Callable[[Unit[Any]], Value | None]) -> None:
        super().__init__()
        self._made = made

    def of_unit(self, unit: Unit[Any]) -> Any:
        return self._made(unit)


def walked(lost_game: tuple[int, ...] | None, longest: int = 11) -> WalkResult:
    """A whole walk of 100 decisions, 5 of them ties."""
    lost = int(lost_game is not None)
    return WalkResult(
        lost_game=lost_game,
        drawn_game=None,
        whole=True,
        won=1,
        drawn=0,
        lost=lost,
        decisions=100,
        ties=5,
        longest=longest,
        plies=longest,
        certificate="" if lost else "0" * 64,
    )


def judged(unit: BesideTruth, tally: Tally) -> Tallies:
    """The same for every agent, at the first ply that is asked about."""
    assert unit.plies is not None
    ply = PlyTally(unit.plies[0], tally.positions, False, tally)
    return Tallies(agents=((ply,),) * len(unit.named))


def record(unit: Playthrough, ending: Ending, moves: tuple[int, ...] = (0, 1)) -> GameRecord:
    """A game that ended so."""
    return GameRecord(
        rules=format_rules(unit.rules),
        first=str(unit.first),
        second=str(unit.second),
        seed=unit.seed,
        moves=moves,
        ending=ending,
    )


def outcome_of(game: str) -> Outcome:
    """How a game that a heat map opens ends: its rules, then the names of its moves."""
    text, *names = game.split()
    rules = parse_rules(text)
    return Position.start(rules, tuple(map(rules.cell_of, names))).outcome
