"""What worker processes do for the page: `perform` takes a `SearchTask`, and sends what is found until it is told to stop.

It joins agents, solvers and searches to what the page shows; positions are checked before they come here.
"""

import json
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from noughts.agents import Agent, AgentSpec, analyse_stepwise, build_agent, choose
from noughts.agents.asking import ask, ask_stepwise
from noughts.agents.perfect import solution_result
from noughts.agents.tracing import Traceable
from noughts.machine.jobs import Recorder
from noughts.machine.standing_pool import send_steps
from noughts.positions import Outcome, Position, Rng
from noughts.puzzles.making import PuzzleMaker
from noughts.questions.imagined import ImaginedLine
from noughts.questions.question import answer_here
from noughts.rules import AgentError, NoughtsError, Rules, parse_rules
from noughts.search import Kind, SearchResult
from noughts.search.trace import VisitedNode
from noughts.solvers.book import book_of
from noughts.solvers.deepening import solve_stepwise
from noughts.solvers.playthrough import PlaythroughTruth, best_line, drawing_line
from noughts.solvers.solve import Truth
from noughts.web.tasks import (
    AnalysisTask,
    GameAnalysisTask,
    ImaginedTask,
    MoveTask,
    PuzzleTask,
    TraceTask,
    read_task_text,
)

_SOLVER_BYTES = 256 << 20
_STEP_SECONDS = 0.06  # between two steps of an analysis: as often as eyes follow
_SHOWN_NODES = 200
_LOWER = 5  # steps of `os.nice`: a third of what others get beside it
_TRUTHS = 2  # games whose truth a worker remembers

Stopped = Callable[[], bool]

_truths: OrderedDict[Rules, Truth] = OrderedDict()


def warm_up_player() -> None:
    """Load what most moves need, so that the first one does not wait for it."""
    for agent in ("mcts:sims=10", "minimax:depth=2", "mc:sims=1"):
        choose(build_agent(agent), Position.start(parse_rules("bttt(D4)")), Rng())


def warm_up_thinker() -> None:
    """Load what most analyses need, and leave the processors to who makes moves."""
    os.nice(_LOWER)
    warm_up_player()
    rules = parse_rules("bttt(D4)")
    next(solve_stepwise(Truth(rules, 1 << 20), Position.start(rules, tuple(range(12)))), None)


def perform(argument: str, recorder: Recorder) -> str:
    """Do a `SearchTask`, given as JSON text: send its `steps`.

    Returns:
        The seconds that the processor was at work, a space, and what is wrong with what was asked, in a line; empty for nothing.
    """
    begun, problem = time.process_time(), ""
    try:
        send_steps(steps(argument, lambda: recorder.told_to_stop), recorder)
    except NoughtsError as error:
        problem = " ".join(str(error).split())
    return f"{time.process_time() - begun:.3f} {problem}"


def steps(argument: str, stopped: Stopped) -> Iterator[str]:
    """What is found for a `SearchTask`, as JSON texts, until it is told to stop.

    A move, a trace, a puzzle and what is imagined yield one, analyses yield ``{"ply", "seconds", "result", "bounds"}``, better and better; bounds on the
    value of the position for the side to move are told where the positions of a game are proved together.
    """
    task = read_task_text(argument)
    match task:
        case MoveTask():
            yield _move(task, stopped)
        case AnalysisTask():
            yield from _analyse(task, stopped)
        case GameAnalysisTask(agent=None):
            yield from _prove_game(task, stopped)
        case GameAnalysisTask():
            yield from _analyse_game(task, stopped)
        case TraceTask():
            yield _trace(task)
        case PuzzleTask():
            yield _puzzle(task, stopped)
        case ImaginedTask():
            yield answer_here(
                ImaginedLine(agent=task.agent, rules=task.rules, moves=task.moves, line=task.line)
            ).to_json()


def _move(task: MoveTask, stopped: Stopped) -> str:
    """An agent's move: ``{"move", "result"}``. When time is up, the best that it knows."""
    position, rng = Position.start(task.rules, task.moves), Rng(task.seed)
    agent, expired = _agent(task.agent, task.rules), _until(task.seconds, stopped)
    if _proves(task.agent):
        decision = ask(agent, position, rng)
    else:
        *_, decision = ask_stepwise(agent, position, rng, expired)
    result = None if decision.analysis is None else _shown(task.agent, decision.analysis, task.rules)
    return json.dumps({"move": decision.move, "result": result})


def _analyse(task: AnalysisTask, stopped: Stopped) -> Iterator[str]:
    """What an agent, or truth, thinks of a position."""
    position, begun = Position.start(task.rules, task.moves), time.monotonic()
    for found in _now_and_then(_results(task, position, stopped)):
        yield _step(task, position, begun, found)


def _analyse_game(task: GameAnalysisTask, stopped: Stopped) -> Iterator[str]:
    """What an agent thinks of every position of a game: one step each; no result where the game is over."""
    for ply in range(len(task.moves) + 1):
        position, begun = Position.start(task.rules, task.moves[:ply]), time.monotonic()
        found = None
        if not position.is_over:
            for found in _results(task, position, stopped):  # noqa: B007
                pass
        if not stopped():
            yield _step(task, position, begun, found)


def _prove_game(task: GameAnalysisTask, stopped: Stopped) -> Iterator[str]:
    """What every position of a game is worth: a step for each whenever more is known about it."""
    positions = [Position.start(task.rules, task.moves[:ply]) for ply in range(len(task.moves) + 1)]
    begun, seconds = time.monotonic(), task.seconds * len(positions)
    truth = PlaythroughTruth(_truth(task.rules), positions)
    for found in truth.work(seconds, time.monotonic, stopped):
        result = None
        if found.solution is not None:
            result = _with_line(solution_result(found.solution), found.line)
        yield _step(task, positions[found.ply], begun, result, (found.low, found.high))


def _trace(task: TraceTask) -> str:
    """A search after some simulations, as the page shows it."""
    agent = _agent(task.agent, task.rules)
    if not isinstance(agent, Traceable):
        raise AgentError(f"agent {str(task.agent)!r} grows no tree that can be watched")
    found = agent.trace(Position.start(task.rules, task.moves), task.iterations, Rng(task.seed))
    name = task.rules.name_of

    def numbers(node: VisitedNode) -> dict[str, Any]:
        return {
            "visits": node.visits,
            "total": node.total,
            "mean": node.mean,
            "score": node.score,
            "prior": node.prior,
            "worth": node.worth,
        }

    def shown(node: VisitedNode) -> dict[str, Any]:
        return {"moves": [name(cell) for cell in node.moves], **numbers(node)}

    def tried(node: VisitedNode) -> dict[str, Any]:
        return {"move": name(node.moves[-1]), **numbers(node)}

    path = zip(found.path, found.gained, strict=True)
    trace = {
        "select": [name(cell) for cell in found.select],
        "expand": None if found.expand is None else name(found.expand),
        "rollout": [name(cell) for cell in found.rollout],
        "outcome": None if found.outcome is Outcome.ONGOING else str(found.outcome),
        "path": [{**shown(node), "gained": gained} for node, gained in path],
    }
    return json.dumps(
        {
            "formula": found.formula,
            "judge": found.judge,
            "iterations": found.simulations,
            "budget": found.budget,
            "move": None if found.move is None else name(found.move),
            "root": shown(found.nodes[0]),
            "trace": trace if found.simulations else None,
            "children": [tried(node) for node in sorted(found.tried, key=lambda node: -node.visits)],
            "tree": [shown(node) for node in found.most_visited(_SHOWN_NODES)],
        }
    )


def _puzzle(task: PuzzleTask, stopped: Stopped) -> str:
    """A puzzle: ``{"puzzle"}``, its fields but for the rules, or None if there is none, or none was found in time."""
    maker, expired = PuzzleMaker(task.rules, task.seed, task.grade, _SOLVER_BYTES), _until(task.seconds, stopped)
    found = None
    if task.make:
        for found in maker.puzzles():
            if found is not None or expired():
                break
    else:
        found = maker.at(Position.start(task.rules, task.moves))
    return json.dumps({"puzzle": None if found is None else found.model_dump(mode="json", exclude={"rules"})})


@lru_cache(maxsize=2)
def _agent(spec: AgentSpec, rules: Rules) -> Agent:
    """Kept from move to move: some remember what they proved in a game, and none goes by what else it was asked."""
    return build_agent(spec)


def _results(task: AnalysisTask | GameAnalysisTask, position: Position, stopped: Stopped) -> Iterator[SearchResult]:
    """What is found within the time that was asked for, which begins when the agent is there."""
    if task.agent is not None:
        agent = build_agent(task.agent)
        yield from analyse_stepwise(agent, position, Rng(task.seed), _until(task.seconds, stopped))
        return
    truth, expired = _truth(task.rules), _until(task.seconds, stopped)
    result = None
    for found in solve_stepwise(truth, position, expired):
        result = solution_result(found)
        yield result
    if result is not None and result.kind is Kind.EXACT and not expired():
        yield _with_line(result, (best_line if result.value else drawing_line)(truth, position, expired))


def _with_line(found: SearchResult, line: tuple[int, ...]) -> SearchResult:
    """A result that says how the game goes on, if that is known."""
    return replace(found, move=line[0], principal_variation=line) if line else found


def _truth(rules: Rules) -> Truth:
    if rules not in _truths:
        while len(_truths) >= _TRUTHS:
            _truths.popitem(last=False)
        _truths[rules] = Truth(rules, _SOLVER_BYTES, book_of(rules))
    _truths.move_to_end(rules)
    return _truths[rules]


def _until(seconds: float, stopped: Stopped) -> Stopped:
    """Whether time is up."""
    end = time.monotonic() + seconds
    return lambda: stopped() or time.monotonic() > end


def _now_and_then(results: Iterable[SearchResult]) -> Iterator[SearchResult]:
    """The first result, some of those between, and the last."""
    due, held = 0.0, None
    for found in results:
        if time.monotonic() >= due:
            due, held = time.monotonic() + _STEP_SECONDS, None
            yield found
        else:
            held = found
    if held is not None:
        yield held


def _step(
    task: AnalysisTask | GameAnalysisTask,
    position: Position,
    begun: float,
    found: SearchResult | None,
    bounds: tuple[int, int] | None = None,
) -> str:
    result = None if found is None else _shown(task.agent, found, task.rules)
    seconds = round(time.monotonic() - begun, 3)
    return json.dumps({"ply": position.ply, "seconds": seconds, "result": result, "bounds": bounds})


def _shown(agent: AgentSpec | None, found: SearchResult, rules: Rules) -> dict[str, Any]:
    """A result as it is shown. Who proves has no estimates: of what is not proved it knows nothing."""
    shown = found.to_dict(rules)
    if _proves(agent):
        for part in (shown, *shown["moves"]):
            if part["kind"] == Kind.ESTIMATE:
                part["value"] = None
    return shown


def _proves(agent: AgentSpec | None) -> bool:
    """Whether it is truth, or asks a solver: then an analysis takes far longer than a move."""
    return agent is None or agent.name == "perfect"
