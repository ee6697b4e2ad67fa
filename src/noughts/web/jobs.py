"""What worker processes do for the page: each function takes one JSON text and yields others, until it is told to stop.

They join agents, solvers and searches to what the page shows; positions are checked before they come here.
"""

import json
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import lru_cache
from typing import Any

from noughts.agents import Agent, analyse_stepwise, build_agent, choose
from noughts.agents.asking import ask, ask_stepwise
from noughts.agents.perfect import solution_result
from noughts.play.playthrough import GamePlan, play_game
from noughts.positions import Position, Rng
from noughts.rules import Rules, parse_rules
from noughts.search import Kind, SearchResult
from noughts.search.mcts_trace import VisitedNode, most_visited, trace_mcts
from noughts.solvers.deepening import solve_stepwise
from noughts.solvers.solve import Truth
from noughts.web.roster import EXACT

_SOLVER_BYTES = 256 << 20
_STEP_SECONDS = 0.06  # between two steps of an analysis: as often as eyes follow
_SHOWN_NODES = 200
_TRUTHS = 2  # games whose truth a worker remembers
_PROVES = (EXACT, "perfect")  # whose analysis takes far longer than a move

Stopped = Callable[[], bool]

_truths: OrderedDict[Rules, Truth] = OrderedDict()


def warm_up_player() -> None:
    """Load what most moves need, so that the first one does not wait for it."""
    for agent in ("mcts:sims=10", "minimax:depth=2", "mc:sims=1"):
        choose(build_agent(agent), Position.start(parse_rules("bttt(D4)")), Rng())


def warm_up_thinker() -> None:
    """Load what most analyses need."""
    warm_up_player()
    rules = parse_rules("bttt(D4)")
    next(solve_stepwise(Truth(rules, 1 << 20), Position.start(rules, tuple(range(12)))), None)


def move(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    """An agent's move: once ``{"move", "result"}``. When time is up, the best that it knows."""
    asked = json.loads(argument)
    position, rng = _position(asked), Rng(asked["seed"])
    agent, expired = _agent(asked["agent"], asked["rules"]), _until(asked["seconds"], stopped)
    if asked["agent"].startswith(_PROVES):
        decision = ask(agent, position, rng)
    else:
        *_, decision = ask_stepwise(agent, position, rng, expired)
    result = None if decision.analysis is None else _shown(asked, decision.analysis, position.rules)
    yield json.dumps({"move": decision.move, "result": result})


def analyse(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    """What an agent, or truth, thinks of a position: ``{"ply", "seconds", "result"}``, better and better."""
    asked = json.loads(argument)
    position, begun = _position(asked), time.monotonic()
    results = _results(asked, position, stopped)
    for found in _now_and_then(results):
        yield _step(asked, position, begun, found)


def game(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    """What an agent, or truth, thinks of every position of a game: one step each; no result where the game is over."""
    asked = json.loads(argument)
    rules = parse_rules(asked["rules"])
    for ply in range(len(asked["moves"]) + 1):
        position, begun = Position.start(rules, tuple(asked["moves"][:ply])), time.monotonic()
        found = None
        if not position.is_over:
            for found in _results(asked, position, stopped):  # noqa: B007
                pass
        if not stopped():
            yield _step(asked, position, begun, found)


def steps(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    """Monte-Carlo tree search after some iterations, as the page shows it."""
    asked = json.loads(argument)
    position, c = _position(asked), asked["c"]
    name = position.rules.name_of
    found = trace_mcts(position, asked["iterations"], c, Rng(asked["seed"]))

    def visited(node: VisitedNode) -> dict[str, Any]:
        return {
            "move": name(node.moves[-1]) if node.moves else None,
            "visits": node.visits,
            "total": node.total,
            "mean": node.mean,
            "bound": node.bound,
        }

    root, nodes = found.root, most_visited(found.root, c, _SHOWN_NODES)
    children = [
        VisitedNode((child.move,), child.visits, child.total, root.bound(child, c)) for child in reversed(root.children)
    ]
    trace = {
        "select": [name(cell) for cell in found.select],
        "expand": None if found.expand is None else name(found.expand),
        "simulate": [name(cell) for cell in found.simulate],
        "outcome": found.outcome.name.lower(),
        "path": [visited(node) for node in found.path],
    }
    yield json.dumps(
        {
            "iterations": found.iterations,
            "root": visited(VisitedNode((), root.visits, root.total, None)),
            "trace": trace if found.iterations else None,
            "children": [visited(child) for child in sorted(children, key=lambda child: -child.visits)],
            "tree": [
                {
                    "moves": [name(cell) for cell in node.moves],
                    "visits": node.visits,
                    "mean": node.mean,
                    "bound": node.bound,
                }
                for node in nodes
            ],
        }
    )


def match(argument: str, stopped: Stopped) -> Generator[str, None, None]:
    """The games of a match, a `GameRecord` each."""
    for text in json.loads(argument)["games"]:
        plan = GamePlan.from_json(text)
        agents = (build_agent(plan.first), build_agent(plan.second))
        yield play_game(plan, agents, time.perf_counter).to_json()


def _position(asked: dict[str, Any]) -> Position:
    return Position.start(parse_rules(asked["rules"]), tuple(asked["moves"]))


@lru_cache(maxsize=2)
def _agent(text: str, rules: str) -> Agent:
    """Kept from move to move: some remember what they proved in a game, and none goes by what else it was asked."""
    return build_agent(text)


def _results(asked: dict[str, Any], position: Position, stopped: Stopped) -> Iterator[SearchResult]:
    """What is found within the time that was asked for, which begins when the agent is there."""
    if asked["agent"] != EXACT:
        agent = build_agent(asked["agent"])
        yield from analyse_stepwise(agent, position, Rng(asked["seed"]), _until(asked["seconds"], stopped))
        return
    truth = _truth(position.rules)
    for found in solve_stepwise(truth, position, _until(asked["seconds"], stopped)):
        yield solution_result(found)


def _truth(rules: Rules) -> Truth:
    if rules not in _truths:
        while len(_truths) >= _TRUTHS:
            _truths.popitem(last=False)
        _truths[rules] = Truth(rules, _SOLVER_BYTES)
    _truths.move_to_end(rules)
    return _truths[rules]


def _until(seconds: float | None, stopped: Stopped) -> Callable[[], bool]:
    """Whether time is up."""
    if seconds is None:
        return stopped
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


def _step(asked: dict[str, Any], position: Position, begun: float, found: SearchResult | None) -> str:
    result = None if found is None else _shown(asked, found, position.rules)
    return json.dumps({"ply": position.ply, "seconds": round(time.monotonic() - begun, 3), "result": result})


def _shown(asked: dict[str, Any], found: SearchResult, rules: Rules) -> dict[str, Any]:
    """A result as it is shown. Who proves has no estimates: of what is not proved it knows nothing."""
    shown = found.to_dict(rules)
    if asked["agent"].startswith(_PROVES):
        for part in (shown, *shown["moves"]):
            if part["kind"] == Kind.ESTIMATE:
                part["value"] = None
    return shown
