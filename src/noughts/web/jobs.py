"""The jobs of the page's worker processes: `perform` runs a search, and sends its steps until it is stopped.

This module connects agents, solvers and searches with the answers to the page.
"""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from noughts.agents import Agent, AgentSpec, analyse_stepwise, build_agent, choose
from noughts.agents.asking import ask, ask_stepwise, trace
from noughts.agents.perfect import solution_result
from noughts.machine.jobs import Recorder
from noughts.machine.standing_pool import send_steps
from noughts.positions import Position, Rng
from noughts.puzzles import Puzzle
from noughts.puzzles.making import PuzzleMaker
from noughts.questions.imagined import ImaginedLine
from noughts.questions.question import answer_here
from noughts.rules import NoughtsError, Rules, parse_rules
from noughts.search import Kind, SearchResult
from noughts.solvers.book import book_of
from noughts.solvers.deepening import solve_stepwise
from noughts.solvers.playthrough import PlaythroughTruth, best_line, drawing_line
from noughts.solvers.solve import Truth
from noughts.web.answers import show_puzzle, show_result, show_trace
from noughts.web.asked import (
    MOVE_SECONDS,
    PUZZLE_SECONDS,
    AnalysisRequest,
    ImaginedRequest,
    MoveRequest,
    PuzzlePlace,
    PuzzleRequest,
    Search,
    StepsRequest,
    read_search,
)
from noughts.web.boards import show_position
from noughts.web.reading import cells_of

_SOLVER_BYTES = 256 << 20
_STEP_SECONDS = 0.06  # between two steps of an analysis: as often as people can follow
_LOWER = 5  # increment of `os.nice`: the process gets a third of the CPU time of others beside it

Stopped = Callable[[], bool]


def warm_up_player() -> None:
    """Load the code that most moves need, so that the first move does not wait for it."""
    for agent in ("mcts:sims=10", "minimax:depth=2", "mc:sims=1"):
        choose(build_agent(agent), Position.start(parse_rules("bttt(D4)")), Rng())


def warm_up_thinker() -> None:
    """Load the code that most analyses need, and lower the priority below workers that make moves."""
    os.nice(_LOWER)
    warm_up_player()
    rules = parse_rules("bttt(D4)")
    next(solve_stepwise(Truth(rules, 1 << 20), Position.start(rules, tuple(range(12)))), None)


def perform(argument: str, recorder: Recorder) -> str:
    """Run a search from `write_search`, and send its `steps`. Returns an error in one line, or an empty text."""
    try:
        send_steps(map(json.dumps, steps(read_search(argument), lambda: recorder.told_to_stop)), recorder)
    except (NoughtsError, ValidationError) as error:
        return " ".join(str(error).split())
    return ""


def steps(asked: Search, stopped: Stopped) -> Iterator[dict[str, Any]]:
    """Yield the results of a search, as JSON values, until `stopped`.

    Analyses yield ``{"ply", "seconds", "result", "bounds"}`` that improve. When all positions of a game are proved together,
    bounds limit the value of the position for the side to move. All other searches yield one answer.
    """
    match asked:
        case MoveRequest():
            yield _move(asked, stopped)
        case StepsRequest():
            found = trace(_agent(asked.agent, asked.rules), asked.position, asked.iterations, Rng(asked.seed))
            yield show_trace(asked.rules, found).model_dump()
        case ImaginedRequest():
            moves, line = asked.position.moves, cells_of(asked.rules, asked.line)
            imagined = ImaginedLine(agent=asked.agent, rules=asked.rules, moves=moves, line=line)
            yield answer_here(imagined).model_dump()
        case PuzzlePlace():
            yield show_puzzle(_puzzle_at(asked)).model_dump()
        case PuzzleRequest():
            yield show_puzzle(_new_puzzle(asked, stopped)).model_dump()
        case AnalysisRequest():
            if not asked.of_game:
                yield from _analyse(asked, stopped)
            elif asked.agent is None:
                yield from _prove_game(asked, stopped)
            else:
                yield from _analyse_game(asked, stopped)


def _move(asked: MoveRequest, stopped: Stopped) -> dict[str, Any]:
    """Return an agent's move, as an `AgentMoveAnswer`."""
    rules, position, rng = asked.rules, asked.position, Rng(asked.seed)
    agent = _agent(asked.agent, rules)
    if _proves(asked.agent):
        decision = ask(agent, position, rng)
    else:
        *_, decision = ask_stepwise(agent, position, rng, _until(MOVE_SECONDS, stopped))
    found = decision.analysis
    return {
        "move": rules.name_of(decision.move),
        "position": show_position(position.play(decision.move)).model_dump(),
        "result": None if found is None else show_result(rules, found, _proves(asked.agent)),
    }


def _analyse(asked: AnalysisRequest, stopped: Stopped) -> Iterator[dict[str, Any]]:
    """Yield analyses of a position by an agent or a solver."""
    begun, position = time.monotonic(), asked.position
    for found in _now_and_then(_results(asked, position, stopped)):
        yield _step(asked, position, begun, found)


def _analyse_game(asked: AnalysisRequest, stopped: Stopped) -> Iterator[dict[str, Any]]:
    """Yield an agent's analysis of each position of a game, in one step each, without a result for a terminal position."""
    for position in _positions(asked):
        begun, found = time.monotonic(), None
        if not position.is_over:
            for found in _results(asked, position, stopped):  # noqa: B007
                pass
        if not stopped():
            yield _step(asked, position, begun, found)


def _prove_game(asked: AnalysisRequest, stopped: Stopped) -> Iterator[dict[str, Any]]:
    """Yield the exact values of all positions of a game: a step for a position whenever its bounds or line improve."""
    positions, begun = _positions(asked), time.monotonic()
    truth = PlaythroughTruth(_truth(asked.rules), positions)
    for index in truth.work(asked.seconds * len(positions), time.monotonic, stopped):
        found, line = truth[index]
        result = _with_line(solution_result(found), line) if found.moves else None
        yield _step(asked, positions[index], begun, result, (found.low, found.high))


def _positions(asked: AnalysisRequest) -> list[Position]:
    moves = asked.position.moves
    return [Position.start(asked.rules, moves[:ply]) for ply in range(len(moves) + 1)]


def _puzzle_at(asked: PuzzlePlace) -> Puzzle:
    found = PuzzleMaker(asked.rules, 0, None, _SOLVER_BYTES).at(asked.position)
    if found is None:
        raise NoughtsError("this position is no puzzle: too many moves are right, or it could not be proved in time")
    return found


def _new_puzzle(asked: PuzzleRequest, stopped: Stopped) -> Puzzle:
    expired = _until(PUZZLE_SECONDS, stopped)
    for found in PuzzleMaker(asked.rules, asked.seed, asked.grade, _SOLVER_BYTES).puzzles():
        if found is not None:
            return found
        if expired():
            break
    raise NoughtsError(
        f"no puzzle of {asked.rules} was found in {PUZZLE_SECONDS:.0f} s: try another seed, or all grades"
    )


@lru_cache(maxsize=2)
def _agent(spec: AgentSpec, rules: Rules) -> Agent:
    """Build an agent, cached between moves because some agents remember their proofs."""
    return build_agent(spec)


def _results(asked: AnalysisRequest, position: Position, stopped: Stopped) -> Iterator[SearchResult]:
    """Yield results within the requested time, which starts when the agent is loaded."""
    if asked.agent is not None:
        agent = build_agent(asked.agent)
        yield from analyse_stepwise(agent, position, Rng(asked.seed), _until(asked.seconds, stopped))
        return
    truth, expired = _truth(asked.rules), _until(asked.seconds, stopped)
    result = None
    for found in solve_stepwise(truth, position, expired):
        result = solution_result(found)
        yield result
    if result is not None and result.kind is Kind.EXACT and not expired():
        yield _with_line(result, (best_line if result.value else drawing_line)(truth, position, expired))


def _with_line(found: SearchResult, line: tuple[int, ...]) -> SearchResult:
    """Add the best line to a result, if it is not empty."""
    return replace(found, move=line[0], principal_variation=line) if line else found


@lru_cache(maxsize=2)
def _truth(rules: Rules) -> Truth:
    return Truth(rules, _SOLVER_BYTES, book_of(rules))


def _until(seconds: float, stopped: Stopped) -> Stopped:
    """Return a function that returns whether the time is up or the search was stopped."""
    end = time.monotonic() + seconds
    return lambda: stopped() or time.monotonic() > end


def _now_and_then(results: Iterable[SearchResult]) -> Iterator[SearchResult]:
    """Yield the first result, the last, and some between, at most one each `_STEP_SECONDS`."""
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
    asked: AnalysisRequest,
    position: Position,
    begun: float,
    found: SearchResult | None,
    bounds: tuple[int, int] | None = None,
) -> dict[str, Any]:
    result = None if found is None else show_result(asked.rules, found, _proves(asked.agent))
    seconds = round(time.monotonic() - begun, 3)
    return {"ply": position.ply, "seconds": seconds, "result": result, "bounds": bounds}


def _proves(agent: AgentSpec | None) -> bool:
    """Whether the values are proved, by a solver or by the agent `perfect`."""
    return agent is None or agent.name == "perfect"
