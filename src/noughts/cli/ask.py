"""How every command asks: questions are carried out before people's eyes, kept in a run of the store, and gone on with."""

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

from noughts.cli.telling import detail, note

if TYPE_CHECKING:
    from rich.console import RenderableType

    from noughts.machine.executor import Workers
    from noughts.questions.answers import Answers
    from noughts.questions.progress import Progress
    from noughts.questions.question import Question
    from noughts.store.results import Store
    from noughts.store.run import Kind, Run


def ask(
    questions: "Sequence[Question[Any]]",
    place: "Store",
    kind: "Kind",
    name: str,
    tables: "Callable[[Answers], RenderableType]",
    seed: int = 0,
    workers: "Workers" = None,
    quiet: bool = False,
    spread: bool = False,
    again: bool = False,
    title: str = "",
) -> "Answers":
    """Ask, showing `tables` of what is known as it grows; gives all that was found.

    What is finished and kept is shown as it is, without a new run.

    Args:
        questions: What is asked; what is kept in the store is not asked again.
        place: Where the answers are kept, and a run that says when they were asked for.
        kind, name: What the run is called in lists.
        tables: What people see meanwhile.
        seed: That of the questions.
        workers: Who answers; see `carry_out`.
        quiet: Show nothing.
        spread: Whether a walk is spread over the workers.
        again: Whether all is asked again, though it is kept.
        title: What people see in place of `name`, where agents have short names.
    """
    from noughts.cli.output import name_changed, name_kept, watch
    from noughts.library import asking

    kept = None if again else asking.find_finished(questions, place, kind, name, seed)
    if kept is not None:
        info, answers = kept
        if not quiet:
            name_kept(info)
        return answers

    def follow(steps: "Generator[Progress, None, None]", answers: "Answers", run: "Run") -> None:
        if run.resumed and not quiet:
            note(f"going on with what was interrupted: {kind} {title or name}")
        detail(f"{kind} {title or name}: run {run.id} in {place.called}")
        name_changed(run.changed)
        watch(steps, title or name, lambda: tables(answers), quiet=quiet)

    return asking.ask(questions, place, kind, name, follow, seed, workers, spread, again)
