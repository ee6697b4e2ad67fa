"""Running a study: its work is carried out and stored, and its conclusion becomes a `StudyResult`."""

import shlex
import time
from collections.abc import Callable, Generator
from typing import Self

from noughts.matches.session import Progress, carry_out
from noughts.store.results import Run, Store
from noughts.studies.result import StudyResult
from noughts.studies.study import Results, Settings, Study, check_scale


class StudyRun:
    """A study on its way: a context in which to iterate over `progress` and look at `result` at any time.

    An unfinished run of the same study with equal settings and equal code is taken up where it stopped.
    """

    def __init__(self, study: Study, settings: Settings, store: Store, workers: int | None = None) -> None:
        check_scale(study, settings.scale)
        self.study, self.settings, self.workers = study, settings, workers
        self.work = study.work(settings)
        identity = {
            "scale": settings.scale,
            "agents": list(settings.agents),
            "move_seconds": settings.move_seconds,
        }
        self.run: Run = store.begin("study", study.name, identity, settings.seed)

    @property
    def resumed(self) -> bool:
        """Whether an earlier, interrupted run is continued."""
        return self.run.resumed

    def __enter__(self) -> Self:
        self.run.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self.run.__exit__(*raised)

    def progress(self, clock: Callable[[], float] = time.monotonic) -> Generator[Progress, None, None]:
        """Do the work; the last step stores the result and marks the run as finished."""
        begun = clock()
        try:
            yield from carry_out(self.work, self.run, self.workers, clock)
        finally:
            self.run.add_seconds(clock() - begun)
        self.run.finish(self.result(complete=True).to_json())

    def result(self, complete: bool = False) -> StudyResult:
        """What the results kept so far say."""
        study, settings = self.study, self.settings
        results = Results({game.key: game for game in self.run.games()}, self.run.measurements())
        conclusion = study.conclude(settings, results)
        return StudyResult(
            name=study.name,
            title=study.title,
            question=study.question,
            paper=study.paper,
            scale=settings.scale,
            seed=settings.seed,
            complete=complete,
            tables=conclusion.tables,
            figures=conclusion.figures,
            findings=conclusion.findings,
            deviations=study.deviations,
            repeat=repeat_command(study, settings),
            environment=self.run.info.environment,
            started=self.run.info.started,
            seconds=self.run.info.seconds,
        )


def repeat_command(study: Study, settings: Settings) -> str:
    """The command that does the same again."""
    words = ["noughts", "study", "run", study.name, "--scale", settings.scale, "--seed", str(settings.seed)]
    for agent in settings.agents:
        words += ["--agent", agent]
    if settings.move_seconds is not None:
        words += ["--move-seconds", f"{settings.move_seconds:g}"]
    return shlex.join(words)
