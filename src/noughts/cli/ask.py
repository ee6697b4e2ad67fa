"""How every command asks and shows: the options that they share, questions carried out before people's eyes, and documents."""

import functools
import inspect
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.cli.options import AgainOption, JsonOption, OnOption, StoreOption, WorkersOption
from noughts.cli.telling import detail, note

if TYPE_CHECKING:
    from noughts.document.document import Document
    from noughts.document.names import Names
    from noughts.machine.executor import Executor
    from noughts.questions.answers import Answers
    from noughts.questions.progress import Progress
    from noughts.questions.question import Question
    from noughts.store.results import Store
    from noughts.store.run import Kind, Run


@dataclass(frozen=True)
class Asking:
    """The options that every command has that asks; `asks` gives them to it."""

    workers: WorkersOption = None
    on: OnOption = None
    store: StoreOption = None
    again: AgainOption = False
    as_json: JsonOption = False

    @functools.cached_property
    def executor(self) -> "Executor":
        """Who is to answer."""
        from noughts.library.asking import executor_at

        return executor_at(self.workers, self.on)

    @functools.cached_property
    def place(self) -> "Store":
        """Where answers are kept."""
        from noughts.store.results import Store

        return Store.open(self.store)

    def ask(
        self,
        questions: "Sequence[Question[Any]]",
        kind: "Kind",
        name: str,
        shown: "Callable[[Answers], Document] | None" = None,
        seed: int = 0,
        spread: bool = False,
        title: str = "",
        executor: "Executor | None" = None,
    ) -> "Answers":
        """Ask, and show what is known as it grows; gives all that was found.

        What is finished and kept is given as it is, without a new run, but with ``--rerun``.

        Args:
            questions: What is asked; what is kept in the store is not asked again.
            kind, name: What the run is called in lists.
            shown: What people see meanwhile; nothing but the bar unless given.
            seed: That of the questions.
            spread: Whether a walk is spread over the workers.
            title: What people see in place of `name`, where agents have short names.
            executor: Who answers, where it is not who the options name.
        """
        from rich.console import Group

        from noughts.cli.output import name_changed, name_kept, watch
        from noughts.library import asking
        from noughts.reports.terminal import document_tables

        place, executor = self.place, executor or self.executor
        kept = None if self.again else asking.find_finished(questions, place, kind, name, seed)
        if kept is not None:
            info, answers = kept
            if not self.as_json:
                name_kept(info)
            return answers

        def follow(steps: "Generator[Progress, None, None]", answers: "Answers", run: "Run") -> None:
            if run.resumed and not self.as_json:
                note(f"going on with what was interrupted: {kind} {title or name}")
            detail(f"{kind} {title or name}: run {run.id} in {place.called}")
            name_changed(run.changed)

            def tables() -> Group:
                return Group() if shown is None else document_tables(shown(answers))

            watch(steps, title or name, tables, quiet=self.as_json)

        return asking.ask(questions, place, kind, name, follow, seed, executor, spread, self.again)


def asks(command: Callable[..., int]) -> Callable[..., int]:
    """Let a command have the options of `Asking`, after its own, and take them as its argument `how`."""
    own = inspect.signature(command)
    shared = inspect.signature(Asking).parameters
    parameters = [each for each in own.parameters.values() if each.name != "how"] + [*shared.values()]

    @functools.wraps(command)
    def taking(**given: Any) -> int:
        how = Asking(**{name: given.pop(name) for name in shared})
        return command(**given, how=how)

    taking.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined] # what Typer reads
    taking.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": int}
    return taking


def show(
    document: "Document",
    as_json: bool,
    names: "Names | None" = None,
    figures: Path | None = None,
    key: str = "",
    **more: Any,
) -> int:
    """Show a document, or with ``--json`` its data; gives the exit code, 1 if something failed.

    Args:
        document: What is shown.
        as_json: Whether it is for a program.
        names: Whom names mean, which is said below.
        figures: A folder in which the first figure is drawn.
        key: Of what was asked; it is part of the figure's name.
        more: What the data say besides.
    """
    import typer

    from noughts.cli.output import print_document, print_json, print_problems, save_figure

    drawn = save_figure(next(document.figures, None), figures, key)
    if as_json:
        more |= {} if drawn is None else {"figure": str(drawn)}
        print_json(document.data | more if more else document.data, names)
    else:
        print_document(document, names)
        if drawn is not None:
            typer.echo(f"\nfigure: {drawn}")
    print_problems(document.problems)
    return 1 if document.problems else 0
