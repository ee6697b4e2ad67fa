"""The server answers every request as described, never with an internal error, and still plays afterwards."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from noughts.web.app import create_app
from noughts.web.commands import Commands, _Command
from noughts.web.documents import GameRequest
from noughts.web.engine import Engine
from tests.agents.runs import make_run
from tests.reports.samples import study as sample_result
from tests.web.conftest import COMMAND, STUDY
from tests.web.serving import Server, talk


def settings(examples: int) -> hypothesis.settings:
    return hypothesis.settings(max_examples=examples, suppress_health_check=list(HealthCheck))


COMMANDS = "/api/commands"
"""Posting here starts processes that use all cores, so these routes are tested in a server whose commands do nothing."""

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    unsupported_method,
)


def something_kept(live: Server, path: str) -> dict[str, str]:
    """Valid values for the parameters of a route's path; a game is made for that."""
    if path.startswith("/api/studies/"):
        return {"name": STUDY, "figure": sample_result().figures[0].name}
    if path.startswith("/api/findings/"):
        return {"name": "bttt-tournament-paper"}
    if path.startswith("/api/runs/"):
        return {"name": "mine"}
    if path.startswith(COMMANDS):
        return {"id": COMMAND}
    with live.client() as client:
        answer = client.post(path.removesuffix("/{id}"), json=GameRequest.model_json_schema()["examples"][0])
    return {"id": answer.json()["id"]}


def _starts(operation: Any) -> bool:
    return bool(operation.path.startswith(COMMANDS) and operation.method == "post")


def ask_all(operations: list[Any], examples: int, kept: Callable[[str], dict[str, str]], **headers: str) -> None:
    """Send this number of requests to each route. Each answer matches its description without an internal error; at least a third
    succeed. A route without input gets one or two requests, because all are equal.
    """
    for operation in operations:
        fine, asked = _ask_route(operation, examples, kept, headers)
        print(f"{operation.method.upper():6} {operation.path:40} {fine} of {asked}")
        assert asked == examples or asked < 10
        least = asked / 3 if asked >= 100 else 1  # few requests may all have one outcome
        assert fine >= least, f"{operation.method} {operation.path}: {fine} of {asked} answered"


def _ask_route(
    operation: Any, examples: int, kept: Callable[[str], dict[str, str]], headers: dict[str, str]
) -> tuple[int, int]:
    """Send requests to one route; return the number of successes, and of requests."""
    fine = asked = 0
    right = operation.as_strategy()
    wrong = operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)
    like_the_example = st.one_of(operation.get_strategies_from_examples() or [right])

    @settings(examples)
    @given(st.booleans(), like_the_example, right | wrong)
    def ask(is_example: bool, example: Any, other: Any) -> None:
        nonlocal fine, asked
        case = example if is_example else other
        if is_example and "{" in operation.path:
            known = kept(operation.path)
            case.path_parameters = {name: known[name] for name in case.path_parameters}
            case.query = {}
        response = case.call_and_validate(checks=list(CHECKS), timeout=60, headers=headers)
        fine += response.status_code < 300
        asked += 1

    ask()
    return fine, asked


@pytest.mark.parametrize(
    "examples", [pytest.param(3, marks=pytest.mark.heavy), pytest.param(500, marks=pytest.mark.slow)]
)
def test_every_route_matches_its_description(live: Server, examples: int) -> None:
    """Half of the requests to a route resemble its example, and a quarter contain an error."""
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{live.port}/api/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) > 20
    asked = [each for each in operations if not _starts(each)]
    ask_all(asked, examples, lambda path: something_kept(live, path))


@pytest.mark.heavy
def test_routes_that_start_commands_match_their_description(own_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(command: _Command, turn: asyncio.Lock) -> None:
        command.keep(state="finished")

    async def close(commands: Commands) -> None:
        """Check that nothing is running: each request here has its own event loop, which has ended with it."""

    monkeypatch.setattr(_Command, "run", run)
    monkeypatch.setattr(Commands, "close", close)
    monkeypatch.setattr("noughts.web.app.Engine", partial(Engine, cores=1, warm=False))  # no worker is needed
    make_run("first", {})
    app = create_app()
    with TestClient(app, base_url="http://127.0.0.1:8400") as client:
        schema = schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())
        schema.app = app
        schema.config.update(base_url="http://127.0.0.1:8400")
        started = client.post(f"{COMMANDS}/study", json={"study": STUDY}).json()
        operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
        starting = [each for each in operations if _starts(each)]
        assert len(starting) == 6
        ask_all(starting, 4, lambda path: started)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=10), inside, max_size=4),
    max_leaves=8,
)
RULES = st.sampled_from(("tic-tac-toe", "bttt(D4)", "notakto(3)", "mnk(4,4,3)", "chess", "gomoku", "mnk(99,1,1)"))
AGENTS = st.sampled_from(("random", "mcts:sims=20", "minimax:depth=1", "human", "python:os:system", "az:../x", ":"))
NEARLY = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(("analyse", "exact", "game", "stop", "steps", "")) | JSON,
        "id": st.sampled_from(("a", "b", "")) | JSON,
        "rules": RULES | JSON,
        "moves": st.lists(st.sampled_from(("A1", "B2", "C3", "D4", "Z9", "")), max_size=5) | JSON,
        "agent": AGENTS | JSON,
        "seed": st.integers() | JSON,
        "seconds": st.floats(0.001, 0.02) | JSON,
        "extra": JSON,
    },
)
MESSAGES = st.one_of(NEARLY.map(json.dumps), JSON.map(json.dumps), st.text(max_size=60), st.binary(max_size=60))


@pytest.mark.parametrize(
    "sockets", [pytest.param(10, marks=pytest.mark.heavy), pytest.param(400, marks=pytest.mark.slow)]
)
def test_no_message_closes_a_socket(live: Server, sockets: int) -> None:
    """Each socket gets a request for an analysis after its share of the messages."""

    async def send(messages: list[str | bytes]) -> None:
        async with talk(live) as say:

            async def hear() -> None:
                while (heard := await say.hear()).get("id") != "last" or not heard.get("done"):
                    assert heard["type"] in ("step", "error")
                    assert "\n" not in heard.get("error", "")

            hearing = asyncio.create_task(hear())
            for message in messages:
                await say.socket.send(message)
            for id in ("a", "b", ""):
                await say.send(type="stop", id=id)
            while not hearing.done():
                await say.send(type="analyse", id="last", rules="tic-tac-toe", moves=[], agent="random", seconds=1)
                await asyncio.wait([hearing], timeout=1)
            await hearing

    @settings(sockets)
    @given(st.lists(MESSAGES, min_size=25, max_size=25))
    def check(messages: list[str | bytes]) -> None:
        asyncio.run(send(messages))

    check()
