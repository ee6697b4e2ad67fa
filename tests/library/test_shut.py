"""If the loader is shut, no option of any kind runs third-party code, and no error reveals which modules exist."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import BaseModel

from noughts.agents import AGENTS, build_agent
from noughts.agents.agent import Want
from noughts.machine import Failed, Job
from noughts.machine.executor import LocalWorkers
from noughts.machine.plugins import at_place, shut
from noughts.machine.program import Program, ProgramError
from noughts.networks.options import NETWORKS
from noughts.networks.spec import find_kind, parse_network
from noughts.positions import Position, Rng
from noughts.rules import NoughtsError, parse_rules
from noughts.studies.registry import STUDIES, find_study
from noughts.studies.study import Settings, parse_guests
from noughts.training.registry import METHODS, find_method

REFUSAL = "a server that others can reach runs no third-party code; use a terminal"
CODE = """
open({mark!r}, "a").close()
class E:
    def __init__(self, *given, **options): pass
    def __call__(self, position): return 0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Code that creates a file `ran` beside it when it is loaded."""
    (tmp_path / "evil.py").write_text(CODE.format(mark=str(tmp_path / "ran")))
    return tmp_path / "evil.py"


def ran(file: Path) -> bool:
    """Whether it was loaded since the last call."""
    mark = file.with_name("ran")
    found = mark.exists()
    mark.unlink(missing_ok=True)
    return found


def _move(text: str) -> None:
    position = Position.start(parse_rules("tic-tac-toe"))
    build_agent(text).decide([position], [Rng(0)], Want.MOVE)


def _method(text: str) -> None:
    name, _, rest = text.partition(" ")
    field, _, value = rest.partition("=")
    config: Any = METHODS[name].config(**{"task": "tic-tac-toe", "seed": 0, field: value})
    parse_network(config.network)


def _guest(text: str) -> None:
    name, _, agent = text.partition(" ")
    find_study(name)
    for guest in parse_guests(Settings("smoke", 0, (agent,), None), []):
        build_agent(str(guest))


LOADED: dict[str, tuple[Callable[[str], object], str]] = {
    "agent": (build_agent, "python:FILE:E"),
    "agent inside": (_move, "omniscient:inside=(python:FILE:E)"),
    "evaluator": (_move, "minimax:eval=python:FILE:E"),
    "evaluator inside": (_move, "omniscient:inside=(minimax:eval=python:FILE:E)"),
    "bot of OpenSpiel": (_move, "openspiel:FILE:E"),
    "network": (find_kind, "python:FILE:E"),
    "network of a method": (_method, "az network=python:FILE:E"),
    "method": (find_method, "python:FILE:E"),
    "study": (find_study, "python:FILE:E"),
    "agent of a study": (_guest, "bttt-tournament python:FILE:E"),
    "question": (at_place, "noughts_plugin_0 FILE:E"),
}
"""Texts that load code if the loader is open, by kind: the function that parses the text, and the text."""


def _all_texts() -> dict[str, tuple[Callable[[str], object], str]]:
    """Each option of each kind with code as its value; most of them are rejected anyway."""
    code, found = "python:FILE:E", dict(LOADED)
    for kind in AGENTS.values():
        start = f"{kind.name}:{'mcts,' if kind.name == 'openspiel' else 'x,' if kind.target else ''}"
        found |= {f"{kind.name} {option.name}": (_move, f"{start}{option.name}={code}") for option in kind.options}
        if kind.target:
            found[f"{kind.name} target"] = _move, f"{kind.name}:{code}"
    for name, network in NETWORKS.items():
        found |= {f"{name} {option}": (parse_network, f"{name}:{option}={code}") for option in network.model_fields}
    for name, method in METHODS.items():
        fields = cast(type[BaseModel], method.config).model_fields
        found |= {f"{name} {field}": (_method, f"{name} {field}={code}") for field in fields}
    for name in STUDIES:
        found[f"agents of {name}"] = _guest, f"{name} {code}"
    return found


ALL = _all_texts()


@pytest.mark.parametrize("name", LOADED)
def test_an_open_loader_loads_code(name: str, file: Path) -> None:
    read, text = LOADED[name]
    with suppress(NoughtsError):  # it is no valid network, study and so on, which is detected after loading
        read(text.replace("FILE", str(file)))
    assert ran(file)


@pytest.mark.parametrize("name", ALL)
def test_no_option_loads_code_if_the_loader_is_shut(name: str, file: Path) -> None:
    read, text = ALL[name]
    said = []
    for place in (file, file.with_name("none.py")):
        with shut(), pytest.raises(NoughtsError) as refused:
            read(text.replace("FILE", str(place)))
        said.append(str(refused.value).replace(str(place), "FILE"))
    assert not ran(file)
    assert said[0] == said[1]
    if name in LOADED:
        assert said[0].endswith(REFUSAL)


@pytest.mark.parametrize("target", ["sys:exit", "json:nothing", "no_such_module:E", "json"])
def test_no_error_reveals_which_modules_exist(target: str) -> None:
    with shut(), pytest.raises(NoughtsError, match=REFUSAL):
        build_agent(f"python:{target}")


def test_no_program_is_started_if_the_loader_is_shut(tmp_path: Path) -> None:
    with shut(), pytest.raises(ProgramError, match=REFUSAL):
        Program(["true"], tmp_path / "log")


def test_workers_started_while_the_loader_is_shut_are_shut(file: Path) -> None:
    job = Job("a", "tests.machine.functions:load_plugin", f"python:{file}:E")
    with shut():
        results = list(LocalWorkers(1).run([job]))
    assert [REFUSAL in result.message for result in results if isinstance(result, Failed)] == [True]
    assert not ran(file)
    list(LocalWorkers(1).run([job]))
    assert ran(file)
