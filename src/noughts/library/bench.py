"""`bench` runs fixed tasks with exact answers on any agent that noughts can query, and returns a scorecard of its results.

There are four groups of tasks. *Perfect play* tries every reply in small games, so the agent is proved, with a certificate, or
refuted by a game that it loses. *Generalisation* is the share of optimal moves in non-trivial positions, over bricks, k, sizes and
misere play. *Exploitability* is the share of games that a best response wins, also for several numbers of simulations if the agent
has that option. *Speed* is seconds per move. A suite never changes; another set of tasks gets a new version.
"""

import contextlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import ClassVar, Literal, NamedTuple

from noughts.agents import AGENTS, AgentSpec, parse_agent
from noughts.library.asking import Agents, How, OnProgress, ask, read_agent
from noughts.library.examining import best_replies_of, planned_walk, require_score
from noughts.machine.environment import Environment, current_environment
from noughts.play.score import Player
from noughts.questions.answers import Answers
from noughts.questions.best_replies import BestReplies
from noughts.questions.carry_out import Progress, carry_out
from noughts.questions.checked import check_files
from noughts.questions.judged import Judged
from noughts.questions.played import Played
from noughts.questions.walked import Walked
from noughts.rules import NoughtsError, Value, format_task, read_task
from noughts.rules.text import counted, unknown
from noughts.statistics import Interval
from noughts.store.certificates import certificate_path, copy_certificates
from noughts.store.files import write_atomically

VERSION = 1
SEED = 1  # seed of samples and games, the same for every agent
REPEATED = 3  # rows without a certificate that a check computes again
_NODES = 20_000  # limit for the solver in one position; undecided positions are not counted
_MOST = 300_000  # positions in one walk, at most
_GAMES = 4  # games in which seconds per move are measured
_BUDGETS = (0, 8, 32, 128)  # simulations per move

Group = Literal["perfect play", "generalisation", "exploitability", "speed"]


class BenchTask(NamedTuple):
    """One row of a suite.

    Attributes:
        group: The skill that it tests.
        rules: A game, or several.
        side: The agent's side, in groups where it plays one side.
        sims: Simulations per move, if the agent has that option; None for the agent's own number.
        per_ply: Positions drawn for each ply, in groups that score moves.
    """

    group: Group
    rules: str
    side: Player = "first"
    sims: int | None = None
    per_ply: int = 0

    @property
    def name(self) -> str:
        """The name of the row."""
        sims = "" if self.sims is None else f", {self.sims} simulations"
        return f"{self.rules}{'' if self.group in ('generalisation', 'speed') else f', {self.side}'}{sims}"


def _proofs(*games: tuple[str, Player]) -> tuple[BenchTask, ...]:
    return tuple(BenchTask("perfect play", rules, side) for rules, side in games)


def _moves(per_ply: int, *games: str) -> tuple[BenchTask, ...]:
    return tuple(BenchTask("generalisation", rules, per_ply=per_ply) for rules in games)


def _best_responses(*games: tuple[str, Player]) -> tuple[BenchTask, ...]:
    return tuple(BenchTask("exploitability", rules, side, sims) for rules, side in games for sims in (None, *_BUDGETS))


_SMALL = (
    *_proofs(
        ("tic-tac-toe", "first"),
        ("tic-tac-toe", "second"),
        ("misere-tic-tac-toe", "first"),
        ("misere-tic-tac-toe", "second"),
        ("notakto(3)", "first"),
        ("mnk(3,4,3)", "first"),
    ),
    *_moves(10, "tic-tac-toe", "misere-tic-tac-toe", "mnk(4,4,3)", "mnk(4,4,4)", "bttt(D4)"),
    *_best_responses(("tic-tac-toe", "first"), ("tic-tac-toe", "second")),
    BenchTask("speed", "tic-tac-toe"),
)
SUITES: dict[str, tuple[BenchTask, ...]] = {
    "small": _SMALL,
    "full": (
        *_SMALL,
        *_proofs(("mnk(4,4,3)", "first"), ("mnk(4,4,4)", "second"), ("notakto(4)", "second"), ("bttt(D4)", "first")),
        *_moves(10, "bttt(A1)", "bttt(B3)", "bttt(D1)", "mnk(5,5,4)", "mnk(6,6,4)", "mnk(6,6,5)", "mnk(7,7,4)"),
        *_moves(10, "mnk(4,4,3,line=loses)", "notakto(4)", "notakto(3,boards=2)", "mnk(4,4,3,wrap=both)"),
        *_best_responses(("misere-tic-tac-toe", "second"), ("notakto(3)", "first")),
        BenchTask("speed", "bttt(D4)"),
    ),
}
"""The tasks of each suite, by its name."""


class TaskResult(Value):
    """The result of one task.

    Attributes:
        group, task: The group, and the name of the task in it.
        answer: The result in words.
        value: 1 for proved and 0 for refuted, the share of optimal moves, the share of games lost, or seconds per move. None if the
            agent cannot do the task, or its proof is not decided.
        low, high: A confidence interval, or bounds, if the value is not exact.
        n: Number of non-trivial positions, other positions or moves behind the value.
        certificate: SHA-256 of the certificate, if the agent is proved.
        why: The reason, if there is no value.
    """

    group: Group
    task: str
    answer: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    certificate: str = ""
    why: str = ""


class Scorecard(Value):
    """An agent's results in a suite.

    Attributes:
        suite, version: Name and version of the suite.
        agent: Its text.
        environment: The machine and the versions of libraries.
        rows: A row for each task, in the order of the suite.
    """

    called: ClassVar = "scorecard"

    suite: str
    version: int = VERSION
    agent: str
    environment: Environment
    rows: tuple[TaskResult, ...]

    def of(self, group: Group) -> list[TaskResult]:
        """Return the rows of a group that have a value."""
        return [row for row in self.rows if row.group == group and row.value is not None]

    def __str__(self) -> str:
        """Return one line, for example for a badge."""
        parts = []
        if proofs := self.of("perfect play"):
            parts.append(f"proved {sum(row.value == 1 for row in proofs)} of {len(proofs)}")
        if moves := self.of("generalisation"):
            parts.append(f"optimal moves {100 * sum(row.value or 0 for row in moves) / len(moves):.1f} %")
        own = [row for row in self.of("exploitability") if "simulations" not in row.task]
        if own:
            parts.append(f"loses {100 * max(row.value or 0 for row in own):.1f} % to a best response")
        return f"noughts {self.suite} v{self.version}: {', '.join(parts) or 'no task done'}"


Asked = Walked | Judged | BestReplies | Played


def bench(
    agent: Agents,
    suite: str = "small",
    *,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> Scorecard:
    """Run a suite of tests on an agent, as ``noughts bench`` does.

    Args:
        agent: Its text.
        suite: A key of `SUITES`.
        workers, on, on_progress, again: See `match`.

    Raises:
        AgentError: there is no such agent.
        NoughtsError: there is no such suite.
    """
    spec = read_agent(agent)
    if suite not in SUITES:
        raise NoughtsError(unknown("suite", suite, SUITES))
    asked = _asked(spec, suite, workers)

    def known(answers: Answers) -> Scorecard:
        rows = tuple(_row(task, one, answers) for task, one in asked.items())
        return Scorecard(suite=suite, agent=str(spec), environment=current_environment(), rows=rows)

    questions = [one for one in asked.values() if not isinstance(one, str)]
    how = How(workers, on, on_progress, again)
    return known(ask(questions, "bench", f"{spec} on {suite}", how, seed=SEED, spread=True, so_far=known))


def _asked(agent: AgentSpec, suite: str, workers: int | None) -> dict[BenchTask, Asked | str]:
    """Return the tasks for the agent's options, each with its question, or the reason why the agent cannot do it."""
    asked: dict[BenchTask, Asked | str] = {}
    for task in SUITES[suite]:
        try:
            if (one := _with(agent, task.sims)) is not None:
                asked[task] = _question(one, task, workers)
        except NoughtsError as error:
            asked[task] = str(error)
    return asked


def _with(agent: AgentSpec, sims: int | None) -> AgentSpec | None:
    """Return the agent with this number of simulations; None if it has no such option or does not allow the number."""
    if sims is None:
        return agent
    kind = AGENTS.get(agent.name)
    if kind is None or all(option.name != "sims" for option in kind.options):
        return None
    options = dict(agent.options) | {"sims": str(sims)}
    with contextlib.suppress(NoughtsError):
        return parse_agent(str(agent.model_copy(update={"options": tuple(options.items())})))
    return None


def _question(agent: AgentSpec, task: BenchTask, workers: int | None) -> Asked:
    if task.group == "generalisation":
        asked = Judged(
            task=read_task(task.rules),
            named=(agent,),
            per_ply=task.per_ply,
            all_up_to=0,
            nodes=_NODES,
            chunk=25,
            seed=SEED,
        )
        require_score(asked, workers)
        return asked
    if task.group == "speed":
        return Played(
            task=read_task(task.rules),
            a=agent,
            b=parse_agent("random"),
            games=_GAMES,
            moves_first="turns",
            seed=SEED,
        )
    walked, _ = planned_walk(agent, task.rules, task.side, _MOST, workers)
    return walked if task.group == "perfect play" else best_replies_of(walked)


def _row(task: BenchTask, asked: Asked | str, answers: Answers) -> TaskResult:
    row = partial(TaskResult, group=task.group, task=task.name)
    if isinstance(asked, str):
        return row(answer="cannot", why=asked)
    if problems := answers.problems_of(asked.needs()):
        return row(answer="failed", why=problems[0])
    if not answers.knows(asked):
        return row(answer="")
    if isinstance(asked, Walked):
        ((_, result),) = answers[asked].games
        value = 1.0 if result.proved else None if result.lost_game is None else 0.0
        return row(answer=str(result), value=value, n=result.decisions, certificate=result.certificate)
    if isinstance(asked, BestReplies):
        ((_, chance),) = answers[asked].games
        return row(answer=f"{chance} %", value=chance.high, low=chance.low, high=chance.high, n=chance.decisions)
    if isinstance(asked, Judged):
        ((total),) = [game.total for game in answers[asked].games]
        share: Interval = total.optimal_interval
        if not total.choices:
            return row(answer="undecided", why="no non-trivial position was decided")
        shown = f"{100 * share.value:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"
        return row(answer=shown, value=share.value, low=share.low, high=share.high, n=total.choices)
    match = answers[asked]
    return row(answer=f"{match.seconds_a:.2g} s a move", value=match.seconds_a, n=_GAMES)


def write_scorecard(card: Scorecard, path: Path) -> None:
    """Write a scorecard, and its certificates to a folder next to it; StoreError if that fails."""
    write_atomically(path, card.model_dump_json(indent=1) + "\n")
    digests = sorted({row.certificate for row in card.rows if row.certificate})
    if digests:
        copy_certificates(digests, certificates_beside(path))


def certificates_beside(path: Path) -> Path:
    """Return the folder with the certificates of a scorecard."""
    return path.with_name(f"{path.stem}-certificates")


def check_scorecard(
    card: Scorecard,
    path: Path,
    workers: int | None = None,
    follow: Callable[[Iterable[Progress]], object] = tuple,
) -> tuple[list[str], str]:
    """Check a scorecard: all certificates, and all proofs and a few of the other rows by computing them again.

    A certificate does not show whose moves it has, so each proof is made again with the agent. Each check draws the other rows
    anew, so the card's author cannot choose them; the rest of the numbers remains a claim. Seconds are not compared. Each task
    of the suite needs one row, and a row with ``cannot`` needs a task that the agent cannot do. `follow` consumes the progress.

    Returns:
        The errors, one per line; and how many certificates were checked and which rows computed again, in words.

    Raises:
        AgentError: there is no such agent here.
        NoughtsError: the card belongs to another version of the suite.
    """
    if card.version != VERSION or card.suite not in SUITES:
        raise NoughtsError(f"the scorecard is of suite {card.suite} v{card.version}: this noughts has v{VERSION}")
    folder = certificates_beside(path)
    asked = _asked(read_agent(card.agent), card.suite, workers)
    tasks = {(task.group, task.name): task for task in asked}
    count = Counter((row.group, row.task) for row in card.rows)
    known = [row for row in card.rows if (row.group, row.task) in tasks]
    wrong = [f"{group}, {name}: {card.agent} has no such task" for group, name in count if (group, name) not in tasks]
    wrong += [f"{group}, {name}: {count[group, name]} rows" for group, name in tasks if count[group, name] != 1]
    for row in known:
        if row.answer == "cannot" and not isinstance(asked[tasks[row.group, row.task]], str):
            wrong.append(f"{_label(row)}: the card has cannot, but {card.agent} can do it")
        if row.group == "perfect play" and row.value == 1 and not row.certificate:
            wrong.append(f"{_label(row)}: proved without a certificate")
    proved = [row for row in known if row.group == "perfect play" and row.certificate]
    reports = check_files([folder / certificate_path(row.certificate).name for row in proved], workers)
    for row, report in zip(proved, reports, strict=True):
        task = tasks[row.group, row.task]
        wanted = (format_task(read_task(task.rules)), task.side, card.agent, row.certificate)
        if report.error:
            wrong.append(f"{_label(row)}: {report.error}")
        elif (report.rules, report.side, report.agent, report.sha256) != wanted:
            wrong.append(
                f"{_label(row)}: its certificate is of {report.agent} as {report.side} player of {report.rules}"
            )
        else:
            claim = "wins against every reply" if report.claim == "wins" else report.claim
            shown = row.model_copy(update={"answer": claim, "value": 1.0, "n": report.positions})
            wrong += _differences(row, shown, "its certificate has")
    rest = [row for row in known if row not in proved and row.answer != "cannot" and row.group != "speed"]
    drawn = SystemRandom().sample(rest, min(REPEATED, len(rest)))
    again, found = [*proved, *drawn], Answers()
    questions = [one for row in again if not isinstance(one := asked[tasks[row.group, row.task]], str)]
    follow(carry_out(questions, found, workers, spread=True))
    for row in again:
        task = tasks[row.group, row.task]
        other = _row(task, asked[task], found)
        if row in proved:  # another machine may round differently, and so find another certificate of the same claim
            other = row.model_copy(update={"answer": other.answer, "value": other.value})
        wrong += _differences(row, other, "recomputed it is")
    which = f": {'; '.join(map(_label, drawn))}" if drawn else ""
    done = f"{counted(len(proved), 'certificate')}, {len(drawn)} of {counted(len(rest), 'other row')} recomputed{which}"
    return wrong, done


def _label(row: TaskResult) -> str:
    return f"{row.group}, {row.task}"


def _differences(row: TaskResult, other: TaskResult, source: str) -> Iterator[str]:
    """Yield a line for each field in which a row of a card differs from another; machines may round the last digits differently."""
    for name, value in row:
        wanted = getattr(other, name)
        floats = isinstance(value, float) and isinstance(wanted, float)
        if value != wanted and not (floats and math.isclose(value, wanted, rel_tol=1e-12)):
            yield f"{_label(row)}: the card has {name} {value}, but {source} {wanted}"
