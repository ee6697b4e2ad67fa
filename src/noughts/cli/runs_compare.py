"""``noughts runs compare``: show different settings of runs, their measurements, and their curves in one figure."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import ForceOption, agent_option, grouped
from noughts.rules.errors import NoughtsError, StoreError

if TYPE_CHECKING:
    from noughts.document.result import CurveFigure
    from noughts.store.run_folder import RunFolder


@grouped
def compare(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Two or more runs, by name or folder.")],
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Plot the curves of all runs, as .svg or .png.")
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="Metric to plot. By default the first that all runs measured.")
    ] = None,
    against: Annotated[
        str | None,
        agent_option("--against", metavar="AGENT", help="Play the last weights of each run against this agent."),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Number of games against it.")] = 100,
    opening: Annotated[int, typer.Option("--opening", help="Random opening moves for each pair of these games.")] = 0,
    truth: Annotated[
        bool,
        typer.Option("--truth", help="Score the last weights of each run against exact values, on the same positions."),
    ] = False,
    sims: Annotated[int | None, typer.Option("--sims", help="Simulations per move, for agents that search.")] = None,
    rules: Annotated[
        str | None,
        typer.Option("--rules", "-r", metavar="RULES", help="Games for both tests. By default those of the runs."),
    ] = None,
    force: ForceOption = False,
    *,
    how: Asking,
) -> int:
    """Compare runs by their settings, their measurements with intervals, and their curves.

    During training each run was measured on its own test set, drawn from its seed. So use --against and --truth to
    measure all runs alike. Their results are saved.

    Examples:
        noughts runs compare first second --plot curves.svg
        noughts runs compare first second --against rival=minimax:depth=2 --games 200
    """
    from noughts.cli.output import save_figure, show
    from noughts.questions.sweep_tests import MatchTest, ScoreTest
    from noughts.questions.traits import require_agent
    from noughts.reports.presenting.trainings import present_compared_runs
    from noughts.store.files import require_new
    from noughts.store.run_folder import RunFolder

    if len(runs) < 2 or len(set(runs)) < len(runs):
        raise NoughtsError("give two or more different runs to compare")
    found = {run: RunFolder.find(run) for run in runs}
    if plot is not None:
        if plot.suffix not in (".svg", ".png"):
            raise StoreError(f"--plot {plot} is not allowed: a file that ends in .svg or .png")
        require_new(plot, force)
    figure = None if plot is None else _figure(list(found.values()), metric)
    tests: list[ScoreTest | MatchTest] = []
    if against is not None:
        (opponent,) = how.read(against)
        require_agent(opponent, how.workers)
        tests.append(MatchTest(name="match", opponent=opponent, games=games, opening_plies=opening))
    if truth:
        tests.append(ScoreTest(name="truth"))
    tested, problems = _test(found, tests, sims, rules, how) if tests else ([], [])
    drawn, lines = None, []
    if figure is not None and plot is not None:
        require_new(plot, force)  # another process may have created it meanwhile
        drawn = str(save_figure(figure, plot))
        lines.append(f"plot: {drawn}")
    document = present_compared_runs(found, tested, problems, how.names)
    return show(document, how.as_json, how.names, lines=lines, plot=drawn)


def _test(
    found: "dict[str, RunFolder]", tests: list[Any], sims: int | None, rules: str | None, how: Asking
) -> tuple[list[dict[str, Any]], list[str]]:
    """Run the same tests on each run's last weights, and return the results and the failures."""
    from noughts.agents import AGENTS, parse_agent
    from noughts.library.asking import ask
    from noughts.rules import parse_task
    from noughts.training.registry import agent_text

    tasks = {run.description.task for run in found.values()} if rules is None else {rules}
    if len(tasks) > 1:
        raise NoughtsError(f"the runs learned several tasks ({', '.join(sorted(tasks))}): choose one with --rules")
    task = parse_task(tasks.pop())
    agents = []
    for run, folder in found.items():
        text = agent_text(folder.description.method, run)
        kind = AGENTS.get(text.partition(":")[0])
        searches = kind is not None and any(option.name == "sims" for option in kind.options)
        agents.append(parse_agent(f"{text},sims={sims}" if sims is not None and searches else text))
    asked = [(test, agent, test.question(agent, task)) for test in tests for agent in agents]
    questions = [question for _, _, question in asked]
    answers = ask(questions, "score", f"comparison of {', '.join(found)}", how.settings, so_far=lambda known: None)
    rows = []
    for test, agent, question in asked:
        read = test.read(answers[question], agent)
        rows.append({"test": test.about, "agent": str(agent)} | ({} if read is None else read._asdict()))
    return rows, list(answers.problems.values())


def _figure(found: "list[RunFolder]", metric: str | None) -> "CurveFigure":
    """Make a figure of a metric of all runs by positions, with confidence intervals if they are known."""
    from noughts.document.result import CurveFigure, Series
    from noughts.rules.text import unknown
    from noughts.training.compared import measurements, reading

    curves = [measurements(run) for run in found]
    first = curves[0][-1].metrics if curves[0] else {}
    common = [name for name in first if all(lines and name in lines[-1].metrics for lines in curves)]
    if not common:
        raise NoughtsError("the runs share no measurement, so there is no curve to draw")
    if metric is not None and metric not in common:
        raise NoughtsError(unknown("metric that all runs measured", metric, common))
    name = metric or common[0]
    series, about = [], ""
    for run, lines in zip(found, curves, strict=True):
        readings = [(line.positions, reading(run.description.method, name, line)) for line in lines]
        points = [(at, one.value, one.low, one.high) for at, one in readings if one.value is not None]
        series.append(Series.through(run.name, points))
        about = about or next((one.about for _, one in readings if one.value is not None), "")
    return CurveFigure(
        name=name, title=about or name, x_label="positions seen in training", y_label=name, series=tuple(series)
    )
