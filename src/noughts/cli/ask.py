"""What all commands share that compute: their options, their progress, and how they show an answer."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.cli.options import AgainOption, JsonOption, OnOption, StoreOption, WorkersOption
from noughts.cli.output import detail, note, show

if TYPE_CHECKING:
    from noughts.agents import AgentSpec
    from noughts.document.document import Document
    from noughts.document.names import Names
    from noughts.library.asking import How
    from noughts.questions.answers import Answers
    from noughts.questions.carry_out import Progress
    from noughts.store.results import Run, RunInfo


@dataclass
class Asking:
    """The options of every command that computes something; see `grouped`.

    A command passes `options` to a function of `noughts`, which passes the question and its progress to this object; see
    `noughts.library.asking.Follow`.

    Attributes:
        asked: The question.
        answers: All answers, once the question was asked.
    """

    workers: WorkersOption = None
    on: OnOption = None
    store: StoreOption = None  # `use_store` sets it for the whole process
    again: AgainOption = False
    as_json: JsonOption = False
    asked: Any = field(default=None, init=False)
    answers: "Answers | None" = field(default=None, init=False)
    _names: "Names | None" = field(default=None, init=False)

    @property
    def names(self) -> "Names":
        """The short names of agents."""
        from noughts.document.names import NO_NAMES

        return self._names or NO_NAMES

    @property
    def options(self) -> dict[str, Any]:
        """The parameters that all library functions share, as keyword arguments."""
        return {"workers": self.workers, "on": self.on, "on_progress": self, "again": self.again}

    @property
    def settings(self) -> "How":
        """The same parameters as one value."""
        from noughts.library.asking import How

        return How(**self.options)

    def read(self, *agents: str) -> "list[AgentSpec]":
        """Parse the texts of agents, and remember their short names."""
        from noughts.document.names import read_names

        found, self._names = read_names(agents)
        return found

    def present(self, answer: Any, asked: Any = None) -> "Document":
        """Return the document of an answer."""
        from noughts.reports.presenting import present

        return present(answer, asked, self.names)

    def show(self, answer: Any, figures: Path | None = None, **more: Any) -> int:
        """Print the document of the answer, and return the exit code; see `output.show`."""
        key = "" if self.asked is None else self.asked.key
        return show(self.present(answer, self.asked), self.as_json, self.names, figures, key, **more)

    def __call__(self, step: "Progress", /) -> None:
        """Do nothing: `watch` shows all steps."""

    def kept(self, info: "RunInfo", answers: "Answers") -> None:
        """Print a note that these results were saved before."""
        self.answers = answers
        if not self.as_json:
            when = info.started[:16].replace("T", " ")
            note(f"Showing saved results from {when} (run {info.id}). Use --rerun to run again.")

    def watch(
        self,
        steps: "Generator[Progress, None, None]",
        run: "Run",
        name: str,
        answers: "Answers",
        so_far: Callable[[], Any],
    ) -> None:
        """Show progress, and tables that grow."""
        from rich.console import Group

        from noughts.cli.progress import steps_of, watch
        from noughts.reports.terminal import document_tables

        self.answers = answers
        title = self.names.within(name)
        detail(f"{run.info.kind} {title}: run {run.id}")
        if run.resumed and not self.as_json:
            note(f"resuming the interrupted {run.info.kind} {title}")
        _note_changed(run.changed)

        def tables() -> Group:
            known = so_far()
            return Group() if known is None else document_tables(self.present(known, self.asked))

        if run.info.kind in ("proof", "score"):
            title = run.info.kind  # because the notes of their progress name agent and game
        try:
            watch(steps_of(steps, title), tables, self.as_json)
        except KeyboardInterrupt:
            note("\nFinished work is saved; run the same command to continue.")
            raise


def _note_changed(names: tuple[str, ...]) -> None:
    """Print why work starts over: answers from an earlier version of this code are not reused."""
    if names:
        changed = ", ".join(names)
        note(f"Starting over because {changed} changed. Results that do not depend on it are reused.")
