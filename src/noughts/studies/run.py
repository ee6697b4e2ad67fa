"""The runs of a study: their questions, and the `StudyResult` of its conclusion from their answers."""

import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from noughts.document.result import StudyResult
from noughts.machine.dependencies import of_our_code
from noughts.questions.answers import Answers
from noughts.questions.question import TRAINING, Question, kept_questions
from noughts.questions.trained import REUSED
from noughts.rules import NoughtsError
from noughts.store.results import RunInfo, Store
from noughts.studies.registry import guarded
from noughts.studies.study import Settings, Study, check_scale, conclusion_of
from noughts.studies.trainings import proofs_among


def planned_questions(study: Study, settings: Settings) -> Sequence[Question[Any]]:
    """The questions of a study. NoughtsError if it lacks the scale, takes no agents, or cannot conclude while answers are missing,
    so that these errors come at once and not after hours."""
    check_scale(study, settings.scale)
    if settings.agents and not study.takes_guests:
        raise NoughtsError(f"{study.name} is about games and takes no agents: leave {settings.agents[0]!r} out")
    with guarded(study, "cannot list its questions"):
        questions = study.questions(settings)
    with guarded(study, "cannot conclude without answers, which it must do before the first one"):
        conclusion_of(study, settings, Answers())
    return questions


def identity_of(settings: Settings) -> dict[str, Any]:
    """The identity of a study's runs with some settings: runs with equal identities do the same work."""
    return {
        "scale": settings.scale,
        "agents": list(settings.agents),
        "move_seconds": settings.move_seconds,
        "code": of_our_code(TRAINING).basis,
    }


def settings_of(run: RunInfo) -> Settings:
    """The settings with which a run was started."""
    identity = run.identity
    return Settings(identity["scale"], run.seed, tuple(identity["agents"]), identity["move_seconds"])


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
        about: The fields of `StudyResult` about the run, as of `about_run`.
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
        **{"taken_over": answers.taken_over} | about,
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
    questions, answers = answers_of_run(study, run, store)
    return study_result(study, settings_of(run), questions, answers, True, **about_run(run))


def answers_of_run(study: Study, run: RunInfo, store: Store) -> tuple[Sequence[Question[Any]], Answers]:
    """All questions of a finished run that have saved answers, each once, and these answers; nothing is computed.

    Raises:
        NoughtsError: some answers are not saved, or were found by other code.
    """
    settings, answers = settings_of(run), Answers(store.kept_by(run.id))
    with guarded(study, "cannot list its questions"):
        units = list({unit.key: unit for unit in kept_questions(study.questions(settings))}.values())
    answers.look_up(units)
    if missing := sum(not answers.knows(unit) for unit in units):
        raise NoughtsError(
            f"{missing} of the {len(units)} answers that {study.name} needs now are missing, because its questions or their code changed since run {run.id}. `{repeat_command(study, settings)}` computes them; the run can still be shown as it was"
        )
    return units, answers


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


def repeat_command(study: Study, settings: Settings) -> str:
    """The command that repeats the study."""
    words = ["noughts", "study", "run", study.name, "--scale", settings.scale, "--seed", str(settings.seed)]
    for agent in settings.agents:
        words += ["--agent", agent]
    if settings.move_seconds is not None:
        words += ["--move-seconds", f"{settings.move_seconds:g}"]
    return shlex.join(words)
