"""Functions for sweeps: many trainings, compared on one test set after equal numbers of positions."""

import shlex
from collections.abc import Generator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from noughts.document.result import StudyResult
from noughts.library.asking import How, OnProgress, Work, begun
from noughts.library.sweep_file import SweepFile, read_sweep
from noughts.machine.executor import Executor
from noughts.networks import NetworkError
from noughts.networks.spec import depends_on as network_code
from noughts.questions.answers import Answers, versions_outside
from noughts.questions.carry_out import Progress, carry_out
from noughts.questions.conditions import Range
from noughts.questions.judged import Judged, require_solver
from noughts.questions.sweep_tests import MatchTest
from noughts.questions.swept import Swept, SweptResult, agent_of
from noughts.questions.traits import require_agent
from noughts.reports.page import write_report
from noughts.rules import parse_task
from noughts.rules.errors import MissingLibraryError
from noughts.store.files import write_atomically
from noughts.store.results import Store
from noughts.studies.run import about_run
from noughts.studies.sweep_document import sweep_csv, sweep_document
from noughts.training.alphazero.config import AlphaZeroConfig


def sweep(
    file: str | Path | Mapping[str, Any],
    *,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
) -> tuple[StudyResult, SweptResult]:
    """Run the sweep of a file, as ``noughts sweep`` does. After an interrupt, the same call resumes it.

    Args:
        file: A TOML file, or its content as a mapping.
        workers, on, on_progress: See `match`.

    Returns:
        Tables and figures, which a notebook shows as a page; and every measurement.

    Raises:
        NoughtsError: the sweep is invalid.
    """
    read = SweepFile(**file) if isinstance(file, Mapping) else read_sweep(Path(file))
    repeat = "noughts.sweep(...)" if isinstance(file, Mapping) else repeat_sweep(Path(file))
    result, _, found = run_sweep(read, repeat, How(workers, on, on_progress))
    return result, found


def run_sweep(file: SweepFile, repeat: str, how: How) -> tuple[StudyResult, Swept, SweptResult]:
    """Run a sweep; `repeat` is the command that does the same.

    An unfinished run of the same sweep is resumed, and saved results are reused.

    Returns:
        Tables and figures, the question, and every measurement.

    Raises:
        NoughtsError: the sweep is invalid.
    """
    executor, planned = how.executor, file.planned
    _require(planned, 0 if executor.in_process else None)
    identity, tried = {"sweep": file.model_dump(mode="json")}, list[dict[str, Any]]()
    work: Work = ("sweep", file.name, identity, 0, versions_outside([planned]))
    with Store.open() as place, begun(place, work, [planned], executor, how.again) as (run, answers):

        def asked() -> Swept | None:
            """Return the question; with Optuna, about the settings so far, or None if there are none."""
            if file.choose != "optuna":
                return planned
            return file.swept(tried) if tried else None

        def result(swept: Swept | None, complete: bool = False) -> StudyResult | None:
            if swept is None:
                return None
            return sweep_document(
                file.name,
                swept,
                answers[swept],
                complete=complete,
                problems=tuple(answers.problems.values()),
                repeat=repeat,
                **about_run(run.info),
            )

        proposed = file.choose == "optuna"
        steps = _propose(file, tried, answers, executor) if proposed else carry_out([planned], answers, executor)
        how.follow(steps, run, file.name, answers, lambda: result(asked()))
        run.count_time()
        swept = asked()
        found = result(swept, complete=True)
        assert swept is not None
        assert found is not None
        run.finish(found.to_json())
    return found, swept, answers[swept]


def _require(swept: Swept, workers: int | None) -> None:
    """Raise errors in the tests and in third-party networks before any training begins."""
    for test in swept.tests:
        if isinstance(test, MatchTest):
            require_agent(test.opponent, workers)
        for condition in {condition.task: condition for condition in swept.conditions}.values():
            agent = agent_of(condition.trainings[0], swept.points[0], test)
            question = test.question(agent, parse_task(condition.task))
            if isinstance(question, Judged):
                require_solver(question)
            question.needs()  # raises errors in openings and plies
    for condition in swept.conditions:
        config = condition.trainings[0].settings
        if isinstance(config, AlphaZeroConfig) and network_code(config.network).named:
            from noughts.networks.outputs import require_outputs_of  # loads JAX

            try:
                require_outputs_of(config.network, parse_task(config.task).rules)
            except NetworkError as error:
                raise NetworkError(f"{condition.label} on {condition.task}: {error}") from None


def _propose(
    file: SweepFile, tried: list[dict[str, Any]], answers: Answers, executor: Executor
) -> Generator[Progress, None, None]:
    """Let Optuna propose settings one after another, and report the result of each to it.

    Each setting is added to `tried` once. Proposals depend only on the seed and the answers, so a resumed sweep proposes the same.
    """
    try:
        import optuna
    except ImportError:
        raise MissingLibraryError.of("optuna", "optuna") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(
        direction="maximize", sampler=optuna.samplers.TPESampler(seed=file.draws_seed & 0xFFFFFFFF)
    )
    distributions = _distributions(optuna, file.settings)
    for number in range(file.draws):
        trial = study.ask(distributions)
        setting = {key: _chosen(file.settings[key], value) for key, value in trial.params.items()}
        if repr(setting) not in map(repr, tried):
            tried.append(setting)
        swept = file.swept([setting])
        for step in carry_out([swept], answers, executor):
            words = f"setting {number + 1} of {file.draws}: {swept.conditions[0].label}"
            yield replace(step, note=f"{words}; {step.note}" if step.note else words)
        goal = file.goal or swept.tests[0].name
        measured = [one for one in answers[swept].measured if one.test == goal and one.point == swept.points[-1]]
        if measured:  # means over seeds and tasks
            study.tell(trial, sum(one.value for one in measured) / len(measured))
        else:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)


def repeat_sweep(path: Path) -> str:
    """Return the command that runs a file's sweep."""
    return shlex.join(["noughts", "sweep", str(path)])


def write_sweep(result: StudyResult, swept: Swept, found: SweptResult, folder: Path) -> tuple[Path, Path]:
    """Write the page with its figures, and every measurement as CSV.

    Raises:
        StoreError: they cannot be written.
    """
    page = write_report(result, folder)
    measurements = folder / f"{page.stem}.csv"
    write_atomically(measurements, sweep_csv(swept, found))
    return page, measurements


def _distributions(optuna: Any, space: Mapping[str, Any]) -> dict[str, Any]:
    """Return Optuna's distributions; for a list, Optuna chooses an index."""
    kinds = optuna.distributions

    def one(choices: Any) -> Any:
        if not isinstance(choices, Range):
            return kinds.CategoricalDistribution(list(range(len(choices))))
        kind = kinds.IntDistribution if choices.whole else kinds.FloatDistribution
        return kind(choices.low, choices.high, log=choices.log)

    return {key: one(choices) for key, choices in space.items()}


def _chosen(choices: Any, value: Any) -> Any:
    return value if isinstance(choices, Range) else choices[value]
