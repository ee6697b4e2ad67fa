"""Running a study: carry out its questions, and turn its conclusion into a `StudyResult`."""

import shlex
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, NamedTuple, Self

from noughts.document.result import StudyResult
from noughts.machine.dependencies import of_our_code
from noughts.machine.executor import Workers
from noughts.questions.answers import Answers, versions_outside
from noughts.questions.carry_out import Progress, carry_out
from noughts.questions.question import TRAINING, Question, kept_questions
from noughts.questions.trained import REUSED
from noughts.rules import NoughtsError
from noughts.store.results import Run, RunInfo, Store
from noughts.studies.registry import depends_on, guarded
from noughts.studies.study import Settings, Study, check_scale, conclusion_of
from noughts.studies.trainings import proofs_among

Follow = Callable[[Generator[Progress, None, None], Run, str, Answers, Callable[[], StudyResult]], object]
"""Called with a run's steps, the run, the study's title, the answers, and a function that returns the result so far."""


class StudyWork(NamedTuple):
    """The questions of a study with some settings, and the identity of its runs: runs with equal identities do the same work."""

    study: Study
    settings: Settings
    questions: Sequence[Question[Any]]
    identity: dict[str, Any]
    outside: dict[str, str]

    @classmethod
    def of(cls, study: Study, settings: Settings) -> Self:
        """The work of a study. NoughtsError if it lacks the scale, takes no agents, or cannot conclude while answers are missing,
        so that these errors come at once and not after hours."""
        check_scale(study, settings.scale)
        if settings.agents and not study.takes_guests:
            raise NoughtsError(f"{study.name} is about games and takes no agents: leave {settings.agents[0]!r} out")
        with guarded(study, "cannot list its questions"):
            questions = study.questions(settings)
        with guarded(study, "cannot conclude without answers, which it must do before the first one"):
            conclusion_of(study, settings, Answers())
        identity = {
            "scale": settings.scale,
            "agents": list(settings.agents),
            "move_seconds": settings.move_seconds,
            "code": of_our_code(TRAINING).basis,
        }
        versions = depends_on(study.name).versions | versions_outside(questions)
        return cls(study, settings, questions, identity, versions)

    def find_finished(self, store: Store) -> tuple[RunInfo, StudyResult] | None:
        """The latest finished run of exactly this work, concluded by today's code; None unless all its answers are saved and
        none failed."""
        info = store.finished("study", self.study.name, self.identity, self.settings.seed, self.outside)
        if info is None:
            return None
        try:
            result = conclude_again(self.study, info, store)
        except NoughtsError:  # some are missing or damaged: the next run computes them
            return None
        return None if result.problems else (info, result)

    def carry_out(self, store: Store, workers: Workers, follow: Follow, again: bool = False) -> StudyResult:
        """Answer the questions, and save the conclusion. An unfinished run of the same work resumes where it stopped.

        Args:
            store: The store of the answers and the result.
            workers: Compute the answers; see `carry_out`.
            follow: Iterates over all steps.
            again: Whether to compute saved answers again, and replace them.
        """
        begun = store.begin("study", self.study.name, self.identity, self.settings.seed, self.outside)
        with begun as run:
            run.own_only, answers = again, Answers(run)

            def result(complete: bool = False) -> StudyResult:
                about = about_run(run.info) | {"taken_over": len(run.taken_over)}
                return study_result(self.study, self.settings, self.questions, answers, complete, **about)

            follow(carry_out(self.questions, answers, workers), run, self.study.title, answers, result)
            run.count_time()
            found = result(complete=True)
            run.finish(found.to_json())
        return found


def study_result(
    study: Study,
    settings: Settings,
    questions: Sequence[Question[Any]],
    answers: Answers,
    complete: bool,
    **about: Any,
) -> StudyResult:
    """The result of a study from the answers so far.

    Args:
        study, settings, questions, answers: The study and its answers so far.
        complete: Whether all questions are answered.
        about: The fields of `StudyResult` about the run: those of `about_run`, and `taken_over`.
    """
    with guarded(study, "cannot conclude"):
        conclusion = conclusion_of(study, settings, answers)
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
        deviations=(*study.deviations, *[REUSED] * _trains(questions)),
        citations=study.citations,
        problems=tuple(answers.problems.values()),
        repeat=repeat_command(study, settings),
        proofs=proofs_among(questions, answers) if complete else (),
        frozen=dict(study.frozen),
        **about,
    )


def _trains(questions: Iterable[Question[Any]]) -> bool:
    return any(asked.trains or (asked.counted and _trains(asked.needs())) for asked in questions)


def about_run(run: RunInfo) -> dict[str, Any]:
    """When, where and with which third-party code a run found its answers, as fields of `StudyResult`."""
    outside = dict(run.identity.get("outside", {}))
    return {"environment": run.environment, "started": run.started, "seconds": run.seconds, "outside": outside}


def conclude_again(study: Study, run: RunInfo, store: Store) -> StudyResult:
    """Conclude again from the saved answers of a finished run; nothing is computed.

    Raises:
        NoughtsError: some answers are not saved, or were found by other code.
    """
    kept = answers_of_run(study, run, store)
    about = about_run(run) | {"taken_over": kept.taken_over}
    return study_result(study, kept.settings, kept.units, kept.answers, True, **about)


class KeptAnswers(NamedTuple):
    """The questions of a finished run, and all their answers.

    Attributes:
        settings: The study's settings.
        units: All questions with saved answers, each once.
        answers: The answers.
        taken_over: The number of answers reused from other runs.
    """

    settings: Settings
    units: Sequence[Question[Any]]
    answers: Answers
    taken_over: int


def settings_of(run: RunInfo) -> Settings:
    """The settings with which a run was started."""
    identity = run.identity
    return Settings(identity["scale"], run.seed, tuple(identity["agents"]), identity["move_seconds"])


def answers_of_run(study: Study, run: RunInfo, store: Store) -> KeptAnswers:
    """The saved answers of a finished run; nothing is computed.

    Raises:
        NoughtsError: some answers are not saved, or were found by other code.
    """
    settings, kept = settings_of(run), store.kept_by(run.id)
    answers = Answers(kept)
    with guarded(study, "cannot list its questions"):
        questions = study.questions(settings)
    units = list({unit.key: unit for unit in kept_questions(questions)}.values())
    answers.look_up(units)
    if missing := sum(not answers.knows(unit) for unit in units):
        raise NoughtsError(
            f"{missing} of the {len(units)} answers that {study.name} needs now are missing, because its questions or their code changed since run {run.id}. `{repeat_command(study, settings)}` computes them; the run can still be shown as it was"
        )
    return KeptAnswers(settings, units, answers, len(kept.taken_over))


def find_run(
    study: Study, store: Store, scale: str | None = None, seed: int | None = None, run_id: str | None = None
) -> RunInfo:
    """The latest finished run of a study, with its result; of that scale and seed, if given. Or the run with that id.

    Raises:
        NoughtsError: there is no such run or scale.
    """
    if scale is not None:
        check_scale(study, scale)
    if run_id is None:
        latest = store.latest("study", study.name, scale, seed=seed)
        if latest is not None:
            return latest
        told = f" at scale {scale}" * (scale is not None) + f" of seed {seed}" * (seed is not None)
        more = f" --scale {scale}" * (scale is not None) + f" --seed {seed}" * (seed is not None)
        repeat = f"run it with `noughts study run {study.name}{more}`"
        raise NoughtsError(f"no finished run of {study.name}{told} in {store.called}: {repeat}")
    run = store.run(run_id)
    if (run.kind, run.name) != ("study", study.name):
        raise NoughtsError(f"{run_id} is no run of {study.name}, but the {run.kind} {run.name}")
    if run.result is None:
        raise NoughtsError(f"run {run_id} is not finished: resume it with `noughts study run {study.name}`")
    named = {"scale": (scale, run.identity.get("scale")), "seed": (seed, run.seed)}
    if wrong := [name for name, (given, found) in named.items() if given not in (None, found)]:
        raise NoughtsError(f"run {run_id} is of another {' and '.join(wrong)}: leave that out")
    return run


def result_of_run(study: Study, run: RunInfo, store: Store, again: bool = False) -> StudyResult:
    """The result of a finished run as it was stored, or concluded `again` by today's code; see `conclude_again`."""
    return conclude_again(study, run, store) if again else StudyResult.from_json(run.result or "")


def repeat_command(study: Study, settings: Settings) -> str:
    """The command that repeats the study."""
    words = ["noughts", "study", "run", study.name, "--scale", settings.scale, "--seed", str(settings.seed)]
    for agent in settings.agents:
        words += ["--agent", agent]
    if settings.move_seconds is not None:
        words += ["--move-seconds", f"{settings.move_seconds:g}"]
    return shlex.join(words)
