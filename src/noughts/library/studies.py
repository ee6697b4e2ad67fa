"""`study` runs a study and returns its result."""

from collections.abc import Sequence

from noughts.agents import parse_agent
from noughts.document.result import StudyResult
from noughts.library.asking import Agents, How, OnProgress, Work, begun, find_finished, read_agent
from noughts.questions.answers import Answers, versions_outside
from noughts.questions.carry_out import carry_out
from noughts.questions.played import Played
from noughts.questions.traits import require_agent
from noughts.rules import parse_task
from noughts.store.results import RunInfo, Store
from noughts.studies.registry import depends_on, find_study
from noughts.studies.run import about_run, identity_of, planned_questions, study_result
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
    questions = planned_questions(chosen, settings)
    outside = depends_on(chosen.name).versions | versions_outside(questions)
    work: Work = ("study", chosen.name, identity_of(settings), seed, outside)

    def result(info: RunInfo, answers: Answers, complete: bool) -> StudyResult:
        return study_result(chosen, settings, questions, answers, complete, **about_run(info))

    with Store.open() as place:
        if (finished := find_finished(place, work, questions, how)) is not None:
            return result(*finished, complete=True)
        with begun(place, work, questions, executor, again) as (run, answers):
            steps = carry_out(questions, answers, executor)
            how.follow(steps, run, chosen.title, answers, lambda: result(run.info, answers, complete=False))
            run.count_time()
            found = result(run.info, answers, complete=True)
            run.finish(found.to_json())
    return found


def _move_limit(seconds: float | None) -> float | None:
    """Return the limit unchanged; AgentError unless a match accepts it."""
    anybody = parse_agent("random")
    task = parse_task("tic-tac-toe")
    return Played(task=task, a=anybody, b=anybody, games=1, moves_first="a", move_seconds=seconds).move_seconds
