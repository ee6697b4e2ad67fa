"""Study results to draw: every kind of figure, missing numbers, and hostile text."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from noughts.document.result import BoardFigure, CurveFigure, Row, Series, StudyResult, Table
from noughts.machine.environment import Environment
from noughts.reports.markdown import write_markdown
from noughts.statistics import compare

HOSTILE = "<script>alert('x')</script> & \"quotes\" ]]> ${1} {{ 7 * 7 }} \x1b[31m\x00"
LONG = "The authors' program runs 2,500 heuristic iterations whatever is asked, so this row need not reproduce. " * 6

CURVE = CurveFigure(
    name="draws-by-budget",
    title=f"Draws by budget $x$ {HOSTILE}",
    x_label="simulations per move",
    y_label="draws, percent",
    log_x=True,
    y_range=(0, 100),
    series=(
        Series(name="ours", x=(1, 10, 100, 1000), y=(11, 36, 72, 96), low=(9, 34, 70, 95), high=(13, 38, 74, 97)),
        Series(
            name="the paper", x=(1, 10, 100), y=(11.5, 37, 72.5), low=(8, 31, 66), high=(17, 44, 78), points_only=True
        ),
        Series(name="_without an interval", x=(1, 1000), y=(50, 60)),
    ),
)
BOARD = BoardFigure(name="win", title=f"A win {HOSTILE}", rules="bttt(D4)", moves=(16, 17, 23, 9, 30, 10, 37))
BOARDS = BoardFigure(
    name="win", title="Two boards", rules="mnk(3,3,3,marks=shared,line=loses,boards=2)", moves=(4, 0, 8, 13)
)
FIGURES = (CURVE, BOARD, BOARDS)

TOURNAMENT = Table(
    title="Round-robin tournament",
    label_columns=("first", "second", "variant"),
    unit="games won by the first, percent",
    caption="100 games a pair in the paper, 2,000 in ours.",
    rows=(
        Row(
            labels=("MCTS 1000", "MCTS 1000", "1"), paper="70-30", ours="1404-596",
            value=70.2, low=68.2, high=72.2, count=2000, verdict="agrees",
        ),
        Row(
            labels=("MCTS 1000", "MCTS 10000", "1"), paper="15-85", ours="410-1590",
            value=20.5, low=18.8, high=22.3, count=2000, verdict="differs", note=LONG,
        ),
        Row(
            labels=("AlphaZero NS", "Minimax", "2"), paper="0-100", ours="2000-0",
            value=100.0, low=99.8, high=100.0, count=2000, verdict="refuted", note=HOSTILE,
        ),
        Row(labels=("az:run@last,sims=100", HOSTILE, "[bold]2"), paper="100-0"),
        Row(labels=("Minimax", "Minimax", "1"), ours="37", value=37.0, note=HOSTILE),
    ),
)  # fmt: skip
COMPARED = Row(
    labels=("a_b",), paper="70 - 30", ours="140 - 60", value=70.0, low=63.3, high=75.9, count=200, distinct=12,
    comparison=compare(140, 200, 70, 100), note="of one kind",
)  # fmt: skip
TIMES = Table(
    title="Time per move",
    label_columns=("agent",),
    unit="seconds",
    rows=(Row(labels=("Random",), paper="0.000006", ours="0.0000012", value=1.2e-6, low=1.1e-6, high=1.3e-6),),
)
EMPTY = Table(title="Nothing yet", label_columns=("agent",), unit="percent", rows=())


def study(**fields: Any) -> StudyResult:
    """A study result with changed `fields`."""
    return StudyResult(
        **{
            "name": "tournament",
            "title": "Does the tournament reproduce?",
            "question": f"Do the agents score as the tables say? {HOSTILE}",
            "paper": "A paper, https://example.org/paper",
            "scale": "paper",
            "seed": 7,
            "complete": True,
            "tables": (TOURNAMENT, TIMES, EMPTY),
            "figures": FIGURES,
            "findings": ("The first finding.", HOSTILE),
            "deviations": ("2,000 games a pair instead of 100.",),
            "repeat": "noughts study run tournament --scale paper --seed 7",
            "environment": Environment(
                versions={"noughts": "0.1.0", "numpy": "2.4.6"}, commit="abc+changes", machine="Linux <x>", cores=4
            ),
            "started": "2025-11-03T14:05:09+00:00",
            "seconds": 12345.6,
        }
        | fields
    )


def study_markdown(result: StudyResult) -> str:
    """The page that `write_markdown` writes."""
    with TemporaryDirectory() as folder:
        return write_markdown(result, Path(folder)).read_text()
