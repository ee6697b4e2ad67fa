"""`study` runs a study and returns its result."""

from collections.abc import Sequence

from noughts.agents import parse_agent
from noughts.document.result import StudyResult
from noughts.library.asking import Agents, Follow, How, OnProgress, read_agent
from noughts.questions.answers import Answers
from noughts.questions.played import Played
from noughts.questions.traits import require_agent
from noughts.rules import parse_task
from noughts.store.results import Store
from noughts.studies.registry import find_study
from noughts.studies.run import StudyWork
from noughts.studies.study import Settings


def study(
    name: str,
    scale: str = "quick",
    *,
    agents: Sequence[Agents] = (),
    seed: int = 0,
    move_seconds: float | None = None,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> StudyResult:
    """Run a study, as ``noughts study run`` does. After an interrupt, the same call resumes it.

    If the study has finished and all its answers are saved, the saved result is returned.

    Args:
        name: The study, such as ``exact-values``.
        scale: ``quick``, ``laptop`` or ``paper``.
        agents: The texts of further agents that take part.
        seed: Random seed.
        move_seconds: Limit for a move; an agent that takes longer ends the game with an error. None for no limit.
        workers, on, on_progress, again: See `match`.

    Returns:
        Tables, figures and findings; a notebook shows them as a page, and `write_report` writes it.

    Raises:
        NoughtsError: there is no such study or scale.
        AgentError: there is no such agent.
    """
    chosen = find_study(name)
    guests = [read_agent(agent) for agent in agents]
    for guest in guests:
        require_agent(guest, workers)
    how = How(workers, on, on_progress, again)
    executor = how.executor
    settings = Settings(scale, seed, tuple(map(str, guests)), _move_limit(move_seconds))
    with Store.open() as place:
        work = StudyWork.of(chosen, settings)
        kept = None if again else work.find_finished(place)
        if kept is not None:
            if isinstance(on_progress, Follow):
                on_progress.kept(kept[0], Answers())
            return kept[1]
        return work.carry_out(place, executor, how.follow, again)


def _move_limit(seconds: float | None) -> float | None:
    """Return the limit unchanged; AgentError unless a match accepts it."""
    anybody = parse_agent("random")
    task = parse_task("tic-tac-toe")
    return Played(task=task, a=anybody, b=anybody, games=1, moves_first="a", move_seconds=seconds).move_seconds
