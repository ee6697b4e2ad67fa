"""Questions as values, their answers, and how any list of them is carried out, kept and gone on with."""

from typing import TYPE_CHECKING

from noughts.offering import offer

if TYPE_CHECKING:
    from noughts.questions.answers import Answers as Answers
    from noughts.questions.judged import Judged as Judged
    from noughts.questions.judged import JudgedTask as JudgedTask
    from noughts.questions.played import MatchResult as MatchResult
    from noughts.questions.played import Played as Played
    from noughts.questions.played import Playthrough as Playthrough
    from noughts.questions.progress import Progress as Progress
    from noughts.questions.question import Question as Question
    from noughts.questions.solved import GameValue as GameValue
    from noughts.questions.solved import Solved as Solved
    from noughts.questions.solved import SolvedTask as SolvedTask
    from noughts.questions.solved_positions import PositionValues as PositionValues
    from noughts.questions.solved_positions import SolvedPositions as SolvedPositions
    from noughts.questions.sweep_tests import MatchTest as MatchTest
    from noughts.questions.sweep_tests import ScoreTest as ScoreTest
    from noughts.questions.swept import Swept as Swept
    from noughts.questions.swept import SweptCondition as SweptCondition
    from noughts.questions.swept import SweptResult as SweptResult
    from noughts.questions.tournament import ranking as ranking
    from noughts.questions.tournament import round_robin as round_robin
    from noughts.questions.trained import Trained as Trained
    from noughts.questions.trained import Training as Training
    from noughts.questions.walked import Walked as Walked
    from noughts.questions.walked import WalkedTask as WalkedTask
else:
    __getattr__, __dir__, __all__ = offer(
        __name__,
        {
            "noughts.questions.answers": ("Answers",),
            "noughts.questions.progress": ("Progress",),
            "noughts.questions.judged": (
                "Judged",
                "JudgedTask",
            ),
            "noughts.questions.played": (
                "MatchResult",
                "Played",
                "Playthrough",
            ),
            "noughts.questions.question": ("Question",),
            "noughts.questions.solved": (
                "GameValue",
                "Solved",
                "SolvedTask",
            ),
            "noughts.questions.solved_positions": (
                "PositionValues",
                "SolvedPositions",
            ),
            "noughts.questions.sweep_tests": ("MatchTest", "ScoreTest"),
            "noughts.questions.swept": (
                "Swept",
                "SweptCondition",
                "SweptResult",
            ),
            "noughts.questions.tournament": ("ranking", "round_robin"),
            "noughts.questions.trained": (
                "Trained",
                "Training",
            ),
            "noughts.questions.walked": (
                "Walked",
                "WalkedTask",
            ),
        },
    )
