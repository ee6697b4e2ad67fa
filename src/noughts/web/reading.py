"""Read rules, tasks, positions and agents from the texts of requests, and limit what a request may name.

Only registered agents are allowed, with runs of the store: a text never names code or a path. If others than the owner may
send requests, the loader of third-party code is disabled, too (`plugins.shut`).
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema

from noughts.agents import AGENTS, AgentSpec, parse_agent
from noughts.agents.spec import split_spec
from noughts.agents.trained import is_example
from noughts.positions import Position
from noughts.rules import AgentError, Rules, RulesError, Task, format_rules, format_task, parse_rules, parse_task
from noughts.rules.text import split_outside_parentheses, unknown
from noughts.store.run_folder import is_name, run_names

_CELLS = 400  # on all boards of a game together
_LONGEST = 8_000  # characters in a text
_TASK_GAMES = 400  # games that one text names, such as `bttt(*)`
_SIMULATIONS, _GUIDED_SIMULATIONS, _NODES, _GIB = 2_000_000, 2_000, 100_000_000, 1  # per move of an agent
_HIDDEN = ("human",)  # a person plays in the browser

Text = Annotated[str, Field(max_length=_LONGEST)]
_AS_TEXT = WithJsonSchema({"type": "string", "maxLength": _LONGEST})


def read_rules(text: object) -> Rules:
    """Read rules from a text. Raises RulesError if it is invalid, or if the boards are too large for the page."""
    return text if isinstance(text, Rules) else _require_small(parse_rules(_text(text)))


def read_task(text: object) -> Task:
    """Read a task from a text. Raises RulesError as `read_rules` does, or if it names too many games."""
    if isinstance(text, Task):
        return text
    task = parse_task(_text(text), _TASK_GAMES)
    _require_small(task.rules[0])  # all boards have the same size
    return task


def read_agent(text: object) -> AgentSpec:
    """Read an agent from a text, in canonical form.

    Raises:
        AgentError: the agent is unknown, is third-party code, names a path, or exceeds the limits of the page.
    """
    if isinstance(text, AgentSpec):
        return text
    written = _text(text)
    _require_ours(written)
    spec = parse_agent(written)
    _require_modest(spec)
    return spec


RulesText = Annotated[Rules, BeforeValidator(read_rules), PlainSerializer(format_rules, str), _AS_TEXT]
"""A field of a request that is a text and is parsed to rules. `TaskText` and `AgentText` are similar."""
TaskText = Annotated[Task, BeforeValidator(read_task), PlainSerializer(format_task, str), _AS_TEXT]
AgentText = Annotated[AgentSpec, BeforeValidator(read_agent), PlainSerializer(str, str), _AS_TEXT]


def cells_of(rules: Rules, names: Iterable[str]) -> tuple[int, ...]:
    """Return the cells of named squares. Raises RulesError if one is not on the board."""
    return tuple(map(rules.cell_of, names))


def play(rules: Rules, moves: Iterable[str]) -> Position:
    """Return the position after named moves. Raises RulesError or IllegalMoveError if a move is invalid."""
    return _position(rules, cells_of(rules, moves))


_position = lru_cache(maxsize=2048)(Position.start)


def read_position(text: str) -> Position:
    """Read rules and moves from one text, for example ``bttt(D4) A1 B2``. Raises the same errors as `play`."""
    words = [word for word in split_outside_parentheses(" ".join(text.split()), " ") if word]
    rules = read_rules(words[0] if words else text)
    return play(rules, words[1:])


def _require_small(rules: Rules) -> Rules:
    """Return the rules, or raise RulesError if their boards are too large for the page."""
    if rules.size > _CELLS:
        boards = f"{rules.boards} board(s) of {rules.rows}x{rules.cols}"
        raise RulesError(f"{boards} have {rules.size} cells: a page shows at most {_CELLS}")
    return rules


def offered_agents() -> list[str]:
    """The agents that the page offers. Third-party code is excluded, because it would run with the rights of the server's user."""
    return [kind.name for kind in AGENTS.values() if kind.name not in _HIDDEN and not kind.outside]


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise ValueError("a text is expected")
    if len(given) > _LONGEST:
        raise ValueError(f"a text of {len(given)} characters is too long: {_LONGEST} are allowed")
    return given


def _require_ours(text: str) -> None:
    """Raise AgentError unless an agent, those inside it and their options belong to noughts. Loads no code."""
    spec = split_spec(text, {"python", *(kind.name for kind in AGENTS.values() if kind.target is not None)})
    offered = offered_agents()
    if spec.name not in offered:
        raise AgentError(unknown("agent", spec.name, offered))
    options = {option.name: option for option in AGENTS[spec.name].options}
    for name, value in spec.options:
        if (option := options.get(name)) is None:
            continue
        if option.outside is not None and option.outside(value):
            raise AgentError(f"{name}={value} is not offered here: there are {', '.join(option.choices)}")
        if option.is_agent:
            _require_ours(value)
    if spec.target:
        _require_run(spec)


def _require_run(spec: AgentSpec) -> None:
    """Raise AgentError unless an agent's target is the plain name of a run of the store, never a path or a folder
    in the server's working directory."""
    if is_example(spec.target):
        return
    run, at, iteration = spec.target.partition("@")
    if not is_name(run) or (at and iteration != "last" and not re.fullmatch(r"[0-9]{1,18}", iteration)):
        raise AgentError(
            f"agent {str(spec)!r}: write {spec.name}:RUN or {spec.name}:RUN@ITERATION, with a run of the store"
        )
    if run not in (names := run_names()):
        raise AgentError(f"agent {str(spec)!r}: " + unknown("training run", run, names))


def _require_modest(spec: AgentSpec) -> None:
    """Raise AgentError if an agent, or one inside it, exceeds the limits of the page."""
    kind = AGENTS[spec.name]
    simulations = _SIMULATIONS if kind.target is None else _GUIDED_SIMULATIONS
    most = {"sims": simulations, "nodes": _NODES, "memory": _GIB}
    inside = {option.name for option in kind.options if option.is_agent}
    for name, value in spec.options:
        if name in most and int(value) > most[name]:
            raise AgentError(f"agent {str(spec)!r}: {name}={value} is too much for the page: at most {most[name]}")
        if name in inside:
            _require_modest(parse_agent(value))
