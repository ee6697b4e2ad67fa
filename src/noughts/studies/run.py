"""Running a study: its work is carried out and stored, and its conclusion becomes a `StudyResult`."""

import shlex
import time
from collections.abc import Callable, Generator
from typing import Self

from noughts.document.result import StudyResult
from noughts.questions.session import Measured, Progress, agents_code, carry_out
from noughts.store.results import Run, Store
from noughts.studies.study import Results, Settings, Study, check_guests, check_scale


class StudyRun:
    """A study on its way: a context in which to iterate over `progress` and look at `result` at any time.

    An unfinished run of the same study with equal settings and equal code is taken up where it stopped.
    """

    def __init__(self, study: Study, settings: Settings, store: Store, workers: int | None = None) -> None:
        check_scale(study, settings.scale)
        check_guests(study, settings.agents)
        self.study, self.settings, self.workers = study, settings, workers
        self.work = study.work(settings)
        identity = {
            "scale": settings.scale,
            "agents": list(settings.agents),
            "agents_code": agents_code(settings.agents),
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
        """Do the work."""
        begun = clock()
        try:
            yield from carry_out(self.work, self.run, self.workers, clock)
        finally:
            self.run.add_seconds(clock() - begun)

    def finish(self, result: StudyResult) -> None:
        """Keep the result and mark the run as finished: the next one begins anew."""
        self.run.finish(result.to_json())

    def result(self, complete: bool = False) -> StudyResult:
        """What the results kept so far say."""
        study, settings = self.study, self.settings
        games = {game.key: game for game in self.run.games()}
        measured = {key: Measured.from_json(text) for key, text in self.run.measurements().items()}
        problems = [f"{key}: {game.culprit or 'game'}: {game.error}" for key, game in games.items() if game.error]
        problems += [f"{key}: {found.error}" for key, found in measured.items() if found.error]
        results = Results(games, {key: found.value for key, found in measured.items() if not found.error})
        conclusion = study.conclude(settings, results)
        return StudyResult(
            name=study.name,
            title=study.title,
            question=study.question,
            paper=study.paper,
            scale=settings.scale,
            seed=settings.seed,
            agents=settings.agents,
            complete=complete,
            tables=conclusion.tables,
            figures=conclusion.figures,
            findings=conclusion.findings,
            deviations=study.deviations,
            problems=tuple(problems),
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
