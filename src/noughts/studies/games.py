"""Games that several studies share, and common questions about agents in them."""

from collections.abc import Iterable
from typing import Any

from noughts.agents import AgentSpec, parse_agent
from noughts.examine.sample import Plies
from noughts.questions.judged import Judged
from noughts.questions.played import Played
from noughts.rules import Rules, Task, parse_rules, parse_task, task_of
from noughts.rules.symmetry import image_classes
from noughts.studies.study import Settings

TIC_TAC_TOE = parse_rules("tic-tac-toe")
TOE_TASK = task_of(TIC_TAC_TOE)

EXACT_PLAYER = parse_agent("minimax:depth=9,eval=none")
"""The papers' minimax player: it searches to the end, prefers fast wins and breaks ties at random."""

SQRT_2 = "1.4142135623730951"
"""The constant c that makes our bound UCB1's sqrt(2 ln n / n_j)."""

SQUARES = parse_task("bttt(*)")
"""The 49 games of Brick Tic-Tac-Toe, one for each brick square: 7x7, four in a row; a full board is the second player's win."""
CLASSES = tuple(map(tuple, image_classes(SQUARES.rules)))
"""The 10 classes of symmetric games, each with the game of its first square first."""
CLASS_TASK = task_of(*(games[0] for games in CLASSES))
"""The first game of each class."""
BOARD = "mnk(7,7,4)"
"""The board on which figures show a result for each square of the brick."""


def against_exact(agent: AgentSpec, rounds: int, settings: Settings) -> Played:
    """Rounds of two games of tic-tac-toe against `EXACT_PLAYER`, one on each side."""
    return Played(
        task=TOE_TASK,
        a=agent,
        b=EXACT_PLAYER,
        games=2 * rounds,
        moves_first="turns",
        seed=settings.seed,
        move_seconds=settings.move_seconds,
    )


def moving_first(
    agent: AgentSpec,
    opponent: AgentSpec,
    task: Task,
    each: int,
    seed: int,
    *draws: str,
    move_seconds: float | None = None,
) -> Played:
    """`each` playthroughs of every game of a task; the agent moves first. With equal `draws`, opponents draw the same numbers."""
    return Played(
        task=task,
        a=agent,
        b=opponent,
        games=each * len(task.rules),
        moves_first="a",
        seed=seed,
        draws=draws,
        move_seconds=move_seconds,
    )


def in_random_positions(
    agents: Iterable[AgentSpec], task: Task, plies: Plies | None, per_ply: int, nodes: int | None, **more: Any
) -> Judged:
    """The moves of agents in the same positions of random play, `per_ply` of each ply, compared with exact values. A solver may
    search `nodes` nodes for a position. `more` are fields of `Judged`, such as `all_up_to`: it judges smaller games in full."""
    return Judged(task=task, named=tuple(agents), plies=plies, per_ply=per_ply, nodes=nodes, **{"all_up_to": 0} | more)


def brick_names(games: Iterable[Rules]) -> str:
    """The squares of some games' bricks."""
    return " ".join(sorted(rules.brick_names() for rules in games))
