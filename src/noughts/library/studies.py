"""Studies for programs: one is run, and its result given as a value."""

from collections.abc import Callable, Sequence

from noughts.document.result import StudyResult
from noughts.library.asking import Agents, executor_at, go_through, read_agent
from noughts.questions.progress import Progress
from noughts.questions.traits import require_agent
from noughts.store.results import Store
from noughts.studies.registry import find_study
from noughts.studies.run import StudyRun, StudyWork, find_finished
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
    on_progress: Callable[[Progress], None] | None = None,
    again: bool = False,
) -> StudyResult:
    """Run a study, as ``noughts study run`` does. Interrupted, the same call goes on where it stopped.

    One that is finished, and whose answers are all kept, is not run again: its result is given.

    Args:
        name: Such as ``exact-values``.
        scale: ``quick``, ``laptop`` or ``paper``.
        agents: Further agents that join its line-up, as texts.
        seed: All that is random derives from it.
        move_seconds: A game in which a move takes longer is broken off; None for no limit.
        workers: Processes; None for one for each core, 0 for this one alone.
        on: Where: ``local``, ``ray``, ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; None for what NOUGHTS_ON says, or else ``local``.
        on_progress: Called as answers come.
        again: Whether all is asked again, though it is kept.

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
    executor = executor_at(workers, on)
    settings = Settings(scale, seed, tuple(map(str, guests)), move_seconds)
    with Store.open() as place:
        work = StudyWork.of(chosen, settings)
        kept = None if again else find_finished(chosen, settings, place, work)
        if kept is not None:
            return kept[1]
        with StudyRun(chosen, settings, place, executor, again, work) as running:
            go_through(running.progress(), on_progress)
            result = running.result(complete=True)
            running.finish(result)
    return result
