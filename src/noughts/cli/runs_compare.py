"""``noughts runs compare``: what differs between runs, and how strong each became, over each other."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.ask import Asking, show
from noughts.cli.options import ForceOption, JsonOption, StoreOption, WorkersOption, complete_agent

if TYPE_CHECKING:
    from noughts.document.document import Listing
    from noughts.document.names import Names
    from noughts.document.result import CurveFigure
    from noughts.questions.sweep_tests import Reading
    from noughts.store.run_folder import RunFolder
    from noughts.training.compared import MetricReading, SeedsMean


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
        typer.Option(
            "--against",
            metavar="AGENT",
            help="Play the last weights of each run against this agent.",
            autocompletion=complete_agent,
        ),
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
    workers: WorkersOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Compare runs by their settings, their measurements with intervals, and their curves.

    Each run measures itself on its own test set, drawn from its seed. So use --against and --truth to measure all runs
    alike. Their results are saved.
    """
    from noughts.document.document import Document
    from noughts.document.names import read_names
    from noughts.rules import NoughtsError
    from noughts.store.run_folder import RunFolder
    from noughts.training.compared import different_settings, equal_but_for_seeds, last_readings, means_over_seeds

    if len(runs) < 2 or len(set(runs)) < len(runs):
        raise NoughtsError("give two or more different runs to compare")
    found = [RunFolder.find(run, store) for run in runs]
    if plot is not None:
        _require_plot(plot, force)
    figure = None if plot is None else _figure(found, metric)
    described = [
        {"method": run.description.method, "task": run.description.task} | run.description.config for run in found
    ]
    different = different_settings(described)
    readings = [last_readings(run) for run in found]
    texts, names = read_names([] if against is None else [against])
    against = texts[0] if texts else None
    tested, problems = _test(runs, found, against, games, opening, truth, sims, rules, workers, store, as_json)
    if figure is not None and plot is not None:
        _draw(figure, plot, force)
    means = [
        (alike, means_over_seeds([readings[place] + _readings_of_tests(tested[place :: len(runs)]) for place in alike]))
        for alike in equal_but_for_seeds(described)
    ]
    data = {
        "runs": [_json(run, own) for run, own in zip(found, readings, strict=True)],
        "different": {key: dict(zip(runs, values, strict=True)) for key, values in different.items()},
        "tests": tested,
        "means_over_seeds": [
            {"runs": [runs[place] for place in alike], "means": [one._asdict() for one in found]}
            for alike, found in means
        ],
        "plot": None if plot is None else str(plot),
    }
    grids = [_settings_grid(runs, different), _strength_grid(runs, found, readings)]
    if tested:
        grids.append(_tested_grid(names.within(tested)))
    if any(found for _, found in means):
        grids.append(_means_grid(runs, means, names))
    failed = tuple(f"failed: {names.within(problem)}" for problem in problems)
    code = show(Document(tuple(grids), data, failed), as_json, names)
    if plot is not None and not as_json:
        typer.echo(f"plot: {plot}")
    return code


def _test(
    runs: list[str],
    found: "list[RunFolder]",
    against: str | None,
    games: int,
    opening: int,
    truth: bool,
    sims: int | None,
    rules: str | None,
    workers: int | None,
    store: str | None,
    quiet: bool,
) -> "tuple[list[dict[str, Any]], list[str]]":
    """What tests that are the same for all say of each run's last weights; and what failed."""
    from noughts.agents import AGENTS, parse_agent
    from noughts.questions.sweep_tests import MatchTest, ScoreTest
    from noughts.questions.traits import require_agent
    from noughts.rules import NoughtsError, parse_task
    from noughts.training.registry import agent_text

    tests: list[ScoreTest | MatchTest] = []
    if against is not None:
        opponent = parse_agent(against)
        require_agent(opponent, workers)
        tests.append(MatchTest(name="match", opponent=opponent, games=games, opening_plies=opening))
    if truth:
        tests.append(ScoreTest(name="truth"))
    if not tests:
        return [], []
    tasks = {run.description.task for run in found} if rules is None else {rules}
    if len(tasks) > 1:
        raise NoughtsError(f"the runs learned several tasks ({', '.join(sorted(tasks))}): say on which by --rules")
    task = parse_task(tasks.pop())
    agents = []
    for run, folder in zip(runs, found, strict=True):
        text = agent_text(folder.description.method, run)
        kind = AGENTS.get(text.partition(":")[0])
        searches = kind is not None and any(option.name == "sims" for option in kind.options)
        agents.append(parse_agent(f"{text},sims={sims}" if sims is not None and searches else text))
    asked = [(test, agent, test.question(agent, task)) for test in tests for agent in agents]
    name = f"comparison of {', '.join(runs)}"
    questions = [question for _, _, question in asked]
    answers = Asking(workers, store=store, as_json=quiet).ask(questions, "score", name)
    rows = []
    for test, agent, question in asked:
        answer: Any = answers[question]
        read: Reading | None = test.read(answer, agent)
        known = {} if read is None else read._asdict()
        rows.append({"test": test.about, "agent": str(agent)} | known)
    return rows, list(answers.problems.values())


def _readings_of_tests(rows: list[dict[str, Any]]) -> "list[MetricReading]":
    """What tests said of one run, as readings of metrics."""
    from noughts.training.compared import MetricReading

    return [
        MetricReading(row["test"], "", row["value"], row["low"], row["high"], row["tested"], 100.0)
        for row in rows
        if "value" in row
    ]


def _require_plot(plot: Path, force: bool) -> None:
    from noughts.rules import StoreError
    from noughts.store.files import require_new

    if plot.suffix not in (".svg", ".png"):
        raise StoreError(f"--plot {plot} is not allowed: a file that ends in .svg or .png")
    require_new(plot, force)


def _figure(found: "list[RunFolder]", metric: str | None) -> "CurveFigure":
    """A metric of all runs by positions, with intervals where they are known."""
    from noughts.document.result import CurveFigure, Series
    from noughts.rules import NoughtsError
    from noughts.rules.text import unknown
    from noughts.training.compared import measurements, reading

    curves = [measurements(run) for run in found]
    common = (
        [name for name in curves[0][-1].metrics if all(c and name in c[-1].metrics for c in curves)]
        if curves[0]
        else []
    )
    if not common:
        raise NoughtsError("the runs measured nothing in common: there is no curve to draw")
    if metric is not None and metric not in common:
        raise NoughtsError(unknown("metric that all runs measured", metric, common))
    name = metric or common[0]
    series, about = [], ""
    for run, lines in zip(found, curves, strict=True):
        points = [(line.positions, reading(run.description.method, name, line)) for line in lines]
        points = [(positions, one) for positions, one in points if one.value is not None]
        known = [(one.low, one.high) for _, one in points if one.low is not None and one.high is not None]
        whole = len(known) == len(points)
        about = about or next((one.about for _, one in points), "")
        series.append(
            Series(
                name=run.name,
                x=tuple(float(positions) for positions, _ in points),
                y=tuple(one.value for _, one in points if one.value is not None),
                low=tuple(low for low, _ in known) if whole else (),
                high=tuple(high for _, high in known) if whole else (),
            )
        )
    return CurveFigure(
        name=name, title=about or name, x_label="positions seen in training", y_label=name, series=tuple(series)
    )


def _draw(figure: "CurveFigure", plot: Path, force: bool) -> None:
    from noughts.reports.figures import figure_png, figure_svg
    from noughts.store.files import require_new, write_atomically

    content = figure_svg(figure) if plot.suffix == ".svg" else figure_png(figure)
    require_new(plot, force)
    write_atomically(plot, content)


def _json(run: "RunFolder", readings: "list[MetricReading]") -> dict[str, Any]:
    status = run.status()
    return {
        "run": run.name,
        "folder": str(run.folder),
        "method": run.description.method,
        "task": run.description.task,
        "iterations": status.iterations,
        "positions": status.positions,
        "seconds": status.seconds,
        "strength": [one._asdict() for one in readings],
    }


def _settings_grid(runs: list[str], different: dict[str, list[Any]]) -> "Listing":
    from noughts.document.document import Listing

    rows = tuple(
        (key, *("-" if value is None else str(value) for value in values)) for key, values in different.items()
    )
    title = "settings that differ" if different else "all settings are equal"
    return Listing(title, ("setting", *runs), rows, labels=1 + len(runs))


def _strength_grid(runs: list[str], found: "list[RunFolder]", readings: "list[list[MetricReading]]") -> "Listing":
    from noughts.cli.output import write_seconds
    from noughts.document.document import Listing

    statuses = [run.status() for run in found]
    rows = [
        ("positions", *(f"{status.positions:,}" for status in statuses)),
        ("time", *(write_seconds(status.seconds) for status in statuses)),
    ]
    notes = []
    for name in dict.fromkeys(one.name for own in readings for one in own):
        ones = [next((one for one in own if one.name == name), None) for own in readings]
        rows.append((name, *("-" if one is None else reading_text(one) for one in ones)))
        about = next((one.about for one in ones if one is not None and one.about), "")
        notes += [f"{name}: {about}"] if about else []
    title = "strength as each run measured it last, 95 % intervals; each on a test set of its own seed"
    return Listing(title, ("", *runs), tuple(rows), tuple(notes))


def _means_grid(runs: list[str], means: "list[tuple[list[int], list[SeedsMean]]]", names: "Names") -> "Listing":
    from noughts.cli.training_view import write_number
    from noughts.document.document import Listing

    rows = []
    for alike, found in means:
        called = ", ".join(runs[place] for place in alike)
        for number, one in enumerate(found):
            label = "" if number else called
            rows.append((label, names.within(one.name), write_number(one.mean), _interval(one), one.runs))
    title = "means over seeds, of runs that differ in nothing else; 95 % intervals over runs"
    return Listing(title, ("runs", "", "mean", "95 %", "runs that have it"), tuple(rows), labels=2)


def _interval(one: "MetricReading | SeedsMean") -> str:
    return "" if one.low is None or one.high is None else f"{one.low:.3g} to {one.high:.3g}"


def reading_text(one: "MetricReading") -> str:
    """A value with its interval and n, as far as they are known."""
    from noughts.cli.training_view import write_number

    interval = f" ({_interval(one)})" if _interval(one) else ""
    return f"{write_number(one.value)}{interval}" + (f", n = {one.n:,}" if one.n else "")


def _tested_grid(tested: list[dict[str, Any]]) -> "Listing":
    from noughts.document.document import Listing
    from noughts.document.shares import EVERY_POSITION, REPEATS_SAY_NOTHING, different_games

    rows, repeated = [], False
    for row in tested:
        if "value" not in row:
            rows.append((row["test"], row["agent"], "-", "", "0", ""))
            continue
        repeats = 0 < row["distinct"] < row["tested"]
        repeated = repeated or repeats
        told = row["told"] + (f"; {different_games(row['distinct'], row['tested'])}" if repeats else "")
        interval = EVERY_POSITION if row["exact"] else f"{row['low']:.1f} to {row['high']:.1f}"
        rows.append((row["test"], row["agent"], f"{row['value']:.1f}", interval, f"{row['tested']:,}", told))
    notes = (REPEATS_SAY_NOTHING,) if repeated else ()
    return Listing(
        "measured alike, in percent", ("test", "agent", "value", "95 %", "tested", ""), tuple(rows), notes, 2
    )
