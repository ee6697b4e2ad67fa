"""Routes that need no worker: rules, positions, agents, games, studies, runs, drawings."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from noughts.agents.trained import EXAMPLE, pinned
from noughts.document.result import BoardFigure, CellValue
from noughts.rules import StoreError, parse_rules
from noughts.store.results import Store
from noughts.web.page import STATIC
from tests.agents.runs import make_run
from tests.reports.samples import BOARD
from tests.reports.samples import study as sample_result
from tests.web.serving import keep_study, refused

pytestmark = pytest.mark.anyio


async def ask(client: httpx.AsyncClient, path: str, status: int = 200, **body: Any) -> Any:
    answer = await client.post(path, json=body) if body else await client.get(path)
    assert answer.status_code == status, answer.text
    return answer.json()


async def test_every_preset_is_a_game_that_can_be_drawn(client: httpx.AsyncClient) -> None:
    presets = await ask(client, "/api/presets")
    assert {"tic-tac-toe", "bttt(D4)", "notakto(3)", "gomoku"} <= {preset["text"] for preset in presets}
    for preset in presets:
        found = await ask(client, "/api/position", text=preset["text"])
        assert found["rules"] == preset["text"]
        assert found["sentence"] == preset["sentence"]
        assert found["ply"] == 0


async def test_a_position_contains_all_that_is_drawn(client: httpx.AsyncClient) -> None:
    found = await ask(client, "/api/position", text="bttt(D4, full=draw) a1 B2 A2 C3 A3 G7 A4")
    rules = parse_rules("bttt(D4,full=draw)")
    assert found["rules"] == "bttt(D4,full=draw)"
    assert found["text"] == "bttt(D4,full=draw) A1 B2 A2 C3 A3 G7 A4"
    assert (found["ply"], found["to_move"], found["outcome"], found["last"]) == (7, "second", "first", "A4")
    assert found["winning_lines"] == [["A1", "A2", "A3", "A4"]]
    assert found["legal"] == []
    assert len(found["cells"]) == len(found["squares"]) == rules.size
    shown = {name: cell for name, cell in zip(found["squares"], found["cells"], strict=True) if cell}
    assert shown == dict.fromkeys(("A1", "A2", "A3", "A4"), "X") | dict.fromkeys(("B2", "C3", "G7"), "O") | {"D4": "#"}
    assert await ask(client, "/api/position", text=found["text"], unknown="ignored") == found
    assert (found["rows"], found["cols"], found["boards"], found["marks"], found["k"]) == (7, 7, 1, "own", 4)


async def test_a_line_is_its_positions_in_order(client: httpx.AsyncClient) -> None:
    moves = ["B2", "A1", "C3", "A3"]
    found = await ask(client, "/api/line", rules="tic-tac-toe", moves=moves)
    assert [position["moves"] for position in found] == [moves[:ply] for ply in range(5)]
    for position in found:
        assert position == await ask(client, "/api/position", text=position["text"])


WRONG = {
    ("/api/position", '{"text": "chess"}'): "unknown rules preset 'chess'",
    ("/api/position", '{"text": "mnk(19,19,5,marks=shared,boards=2)"}'): "a page shows at most 400",
    ("/api/position", '{"text": 5}'): "text: Input should be a valid string",
    ("/api/position", "{}"): "text: Field required",
    ("/api/position", '{"text": ""}'): "malformed",
    ("/api/position", '{"text": "tic-tac-toe B2 B2"}'): "move B2 is taken by X",
    ("/api/line", '{"rules": "tic-tac-toe", "moves": ["A1", "x"]}'): "square 'x' is not a name",
    ("/api/agent", '{"agent": "mcts:sims=10000000"}'): "sims=10000000 is too much for the page: at most 2000000",
    ("/api/agent", '{"agent": "perfect:memory=8"}'): "memory=8 is too much",
    ("/api/agent", '{"agent": "human"}'): "unknown agent 'human'",
    ("/api/agent", '{"agent": "process:sh -c true"}'): "unknown agent 'process'",
    ("/api/agent", '{"agent": "gomocup:sh -c true"}'): "unknown agent 'gomocup'",
    ("/api/agent", '{"agent": "omniscient:inside=(process:sh -c true)"}'): "unknown agent 'process'",
    ("/api/agent", '{"agent": "openspiel:x.py:Y"}'): "unknown agent 'openspiel'",
    ("/api/agent", '{"agent": "omniscient:inside=mcts:sims=5000000"}'): "too much",
    ("/api/agent", '{"agent": "az:/etc/passwd"}'): "with a run of the store",
    ("/api/agent", '{"agent": "az:nothing"}'): "unknown training run 'nothing'",
    ("/api/agent", '{"agent": "omniscient:inside=az:/tmp/x"}'): "with a run of the store",
    (
        "/api/move",
        '{"rules": "tic-tac-toe", "moves": ["A1","B1","A2","B2","A3"], "agent": "random"}',
    ): "the game is over",
    ("/api/steps", '{"rules": "tic-tac-toe", "iterations": 999999}'): "iterations: Input should be less than",
    ("/api/steps", '{"rules": "tic-tac-toe", "agent": "minimax"}'): "give one of the kind mcts or az or mz",
}


async def test_wrong_requests_get_one_line(client: httpx.AsyncClient) -> None:
    for (path, body), line in WRONG.items():
        assert line in refused(await client.post(path, content=body, headers={"Content-Type": "application/json"}), 422)


async def test_wrong_json_and_unknown_routes_are_rejected(client: httpx.AsyncClient) -> None:
    for content, kind in (
        (b"{", "application/json"),
        (b'{"text": "bttt(D4)"}', "text/plain"),
        (b"\xff", "application/json"),
    ):
        answer = await client.post("/api/position", content=content, headers={"Content-Type": kind})
        assert answer.status_code in (400, 415, 422)
        assert list(answer.json()) == ["error"]
    deep = b"[" * 30_000 + b"]" * 30_000
    for path in ("/api/position", "/api/games"):
        answer = await client.post(path, content=deep, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422), answer.text
    assert (await client.get("/api/nothing")).json() == {"error": "Not Found"}
    assert (await client.get("/static/../../../pyproject.toml")).status_code == 404
    assert (await client.get("/static/%2e%2e/app.py")).status_code == 404


async def test_invalid_text_is_rejected(client: httpx.AsyncClient) -> None:
    for path, body in (
        ("/api/position", b'{"text": "\\ud800"}'),
        ("/api/agent", b'{"agent": "\\udfff:\\u0000"}'),
        ("/api/games", json.dumps({"name": "x", "game": document(rules="\ud800")}).encode()),
        ("/api/games", json.dumps({"name": "\ud800", "game": document()}).encode()),
    ):
        answer = await client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 422, answer.text
    game = document(comment="\ud800")
    body = json.dumps({"name": "x", "game": game}).encode()
    answer = await client.post("/api/games", content=body, headers={"Content-Type": "application/json"})
    assert (await ask(client, f"/api/games/{answer.json()['id']}"))["game"] == game


async def test_agents_are_listed_with_their_options(client: httpx.AsyncClient) -> None:
    for name, method in (("mine", "az"), ("evolved", "es")):
        make_run(name, {7: b"1"}, method=method)
    agents = {agent["name"]: agent for agent in await ask(client, "/api/agents")}
    assert {"random", "minimax", "mcts", "mc", "omniscient", "perfect", "az"} <= set(agents)
    assert not {"human", "python"} & set(agents)
    options = {option["name"]: option for option in agents["minimax"]["options"]}
    assert (options["depth"]["default"], options["depth"]["choices"]) == ("2", [])
    assert options["ties"]["choices"] == ["random", "first"]
    assert (agents["mcts"]["targets"], agents["mcts"]["imagines"], agents["mz"]["imagines"]) == (None, False, True)
    assert agents["az"]["targets"] == [pinned(EXAMPLE), "mine@7"]
    assert await ask(client, "/api/agent", agent="mcts") == "mcts:sims=1000"
    assert await ask(client, "/api/agent", agent="az:mine") == "az:mine@7,sims=100"
    assert await ask(client, "/api/agent", agent="az:mine@7,sims=0") == "az:mine@7,sims=0"


async def test_a_run_in_the_servers_working_folder_is_not_found(
    client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_run("beside", {1: b"1"}, tmp_path / "beside")
    error = await ask(client, "/api/agent", 422, agent="az:beside@1")
    assert "unknown training run 'beside'" in error["error"]


async def test_boards_are_drawn_light_and_dark_with_text_in_cells(client: httpx.AsyncClient) -> None:
    async def draw(notes: str, theme: str = "light") -> httpx.Response:
        asked = {"text": "bttt(D4) A1 B2", "theme": theme, "notes": notes}
        return await client.get("/api/board.svg", params=asked)

    notes = '[{"square": "A2", "text": "+5", "shade": 0.9, "best": true}, {"square": "A3", "text": "?"}]'
    light, dark = await draw(notes), await draw("[]", "dark")
    assert light.headers["content-type"].startswith("image/svg+xml")
    assert "default-src 'none'" in light.headers["content-security-policy"]
    assert ["#ffffff" in picture.text for picture in (light, dark)] == [True, False]
    assert "1 X A1, 2 O B2" in dark.text
    assert ">+5</text>" in light.text
    assert ">?</text>" in light.text
    for wrong, line in (
        ("nonsense", "notes: Invalid JSON"),
        ('[{"square": "A1", "shade": 2}]', "notes.0.shade: Input should be less than or equal to 1"),
        ('[{"square": "D9"}]', "'D9'"),
    ):
        assert line in refused(await draw(wrong), 422)


@pytest.mark.parametrize("accepts", ["gzip", ""])
async def test_static_files_are_cached_and_compressed_if_accepted(client: httpx.AsyncClient, accepts: str) -> None:
    first = await client.get("/static/main.js", headers={"Accept-Encoding": accepts})
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.headers.get("content-encoding", "") == accepts
    assert first.content == (STATIC / "main.js").read_bytes()  # the client decompresses it
    again = await client.get("/static/main.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = await client.head("/")
    assert (head.status_code, head.content) == (200, b"")


def node(*moves: str, **analysis: Any) -> dict[str, Any]:
    """A chain of moves."""
    tree: dict[str, Any] = {"move": None, "analysis": analysis, "children": []}
    at = tree
    for move in moves:
        at["children"].append({"move": move, "analysis": {}, "children": []})
        at = at["children"][0]
    return tree


def document(rules: Any = "tic-tac-toe", tree: Any = None, **more: Any) -> dict[str, Any]:
    return {
        "format": "noughts-game",
        "version": 1,
        "rules": rules,
        "players": {"first": "human", "second": "mcts:sims=1000"},
        "seed": 0,
        "tree": tree or node("B2", "A1", "C3"),
        **more,
    }


async def test_games_are_saved_replaced_and_removed(client: httpx.AsyncClient) -> None:
    game = document(tree=node("B2", "A1", "C3", **{"mcts:sims=5": {"move": "B2", "value": 0.5}}), title="😀 é")
    game["tree"]["children"].append({"move": "A2", "children": []})
    id = (await ask(client, "/api/games", name="mine", game=game))["id"]
    await ask(client, "/api/games", name="other", game=document("bttt(D4)", node("A1")))
    assert await ask(client, f"/api/games/{id}") == {"id": id, "name": "mine", "game": game}
    games = await ask(client, "/api/games")
    assert [(found["name"], found["rules"], found["plies"]) for found in games] == [
        ("other", "bttt(D4)", 1),
        ("mine", "tic-tac-toe", 3),
    ]
    renamed = {"name": "renamed", "game": document(tree=node("A1"))}
    assert (await client.put(f"/api/games/{id}", json=renamed)).json() == {"id": id}
    games = await ask(client, "/api/games")
    assert [(found["name"], found["plies"]) for found in games] == [("renamed", 1), ("other", 1)]
    assert (await client.delete(f"/api/games/{id}")).json() == {"id": id}
    assert len(await ask(client, "/api/games")) == 1
    for answer in (
        await client.get(f"/api/games/{id}"),
        await client.delete(f"/api/games/{id}"),
        await client.put(f"/api/games/{id}", json=renamed),
    ):
        assert "no saved game" in refused(answer, 404)


async def test_the_longest_games_can_be_saved(client: httpx.AsyncClient) -> None:
    tree = node(*map(parse_rules("mnk(19,19,19)").name_of, range(340)))  # a diagonal is full three moves later
    id = (await ask(client, "/api/games", name="long", game=document("mnk(19,19,19)", tree)))["id"]
    assert (await ask(client, f"/api/games/{id}"))["game"]["tree"] == tree


WRONG_GAMES: dict[str, Any] = {
    "move B2 is taken": document(tree=node("B2", "B2")),
    "unknown rules preset": document(rules="chess"),
    "game.format: Input should be 'noughts-game'": document(format="pgn"),
    "game: it is of version 2": document(version=2),
    "game.tree: Input should be a valid dictionary": document(tree=[1]),
    "the root has no move": document(tree={"move": "B2", "children": []}),
    "analysis: Input should be a valid dictionary": document(tree={"move": None, "analysis": 3}),
}


async def test_invalid_games_are_not_saved(client: httpx.AsyncClient) -> None:
    for line, game in WRONG_GAMES.items():
        error = await ask(client, "/api/games", 422, name="x", game=game)
        assert line in error["error"]
    bodies: tuple[Any, ...] = ({"name": "", "game": document()}, [], {"name": "x"})
    for body in bodies:
        assert (await client.post("/api/games", json=body)).status_code == 422
    assert await ask(client, "/api/games") == []


async def test_studies_their_figures_and_pages(client: httpx.AsyncClient, own_store: Path) -> None:
    heatmap = BoardFigure(
        name="squares",
        title="where it loses",
        rules="mnk(7,7,4)",
        values=(
            CellValue(cell=24, value=0.0, text="wins"),
            CellValue(cell=0, value=100.0, text="L9", game="bttt(A1) D4 C3"),
        ),
        value_label="plies",
    )
    result = sample_result(name="bttt-tournament", figures=(BOARD, heatmap))
    id = keep_study(own_store, result)
    studies = {study["name"]: study for study in await ask(client, "/api/studies")}
    assert "generalisation" in studies
    assert [run["id"] for run in studies["bttt-tournament"]["runs"]] == [id]
    assert studies["mcts-perfect"]["runs"] == []
    found = await ask(client, "/api/studies/bttt-tournament")
    assert found == await ask(client, f"/api/studies/bttt-tournament?run={id}")
    assert [table["title"] for table in found["tables"]] == [table.title for table in result.tables]
    for table in found["tables"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])
    shown = found["figures"][-1]
    assert (shown["value_range"], shown["value_label"]) == ([0.0, 100.0], "plies")
    assert shown["squares"] == [
        {"square": "D4", "value": 0.0, "text": "wins", "game": ""},
        {"square": "A1", "value": 100.0, "text": "L9", "game": "bttt(A1) D4 C3"},
    ]
    for figure in found["figures"]:
        answer = await client.get(f"{figure['svg']}&theme=dark")
        assert answer.status_code == 200
        assert "<svg" in answer.text
    page = await client.get("/api/studies/bttt-tournament/page")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert result.title in page.text
    for path, line in {
        "/api/studies/nothing": "unknown study 'nothing'",
        "/api/studies/mcts-perfect": "run it with `noughts study run mcts-perfect`",
        "/api/studies/bttt-tournament?run=x": "there is no run 'x'",
        f"/api/studies/mcts-perfect?run={id}": "there is no finished run",
        "/api/studies/bttt-tournament/figures/no.svg": "has no figure 'no'",
    }.items():
        assert line in (await ask(client, path, 404))["error"]


@pytest.mark.parametrize("query", ["", "?run=x"])
async def test_unreadable_results_are_not_reported_as_missing(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    def unreadable(*_: object, **__: object) -> None:
        raise StoreError("the results cannot be read")

    monkeypatch.setattr(Store, "_runs", unreadable)
    answer = await ask(client, f"/api/studies/mcts-perfect{query}", 503)
    assert answer["error"] == "the results cannot be read"


async def test_runs_and_their_curves(client: httpx.AsyncClient) -> None:
    run = make_run("mine", {}, task="bttt(D4)")
    for iteration in range(1, 3001):
        run.metrics.append("iteration", iteration, iteration * 10, iteration / 2, {"loss": 1 / iteration})
        if iteration % 500 == 0:
            run.metrics.append("measurement", iteration, iteration * 10, iteration / 2, {"strength": float("nan")})
    found, shipped = await ask(client, "/api/runs")
    assert (shipped["name"], shipped["ships"]) == ("example", True)
    assert (found["name"], found["method"], found["task"], found["state"]) == ("mine", "az", "bttt(D4)", "new")
    whole = await ask(client, "/api/runs/mine")
    assert 1500 <= len(whole["metrics"]) <= 2000
    assert sum(line["kind"] == "measurement" for line in whole["metrics"]) == 6
    assert whole["metrics"][-1]["iteration"] == 3000
    assert whole["metrics"][-1]["metrics"] == {"strength": None}
    iterations = [line["iteration"] for line in whole["metrics"]]
    assert iterations == sorted(iterations)
    newer = await ask(client, "/api/runs/mine?after=2990")
    assert [line["iteration"] for line in newer["metrics"]] == [*range(2991, 3001), 3000]
    for name in ("nothing", "..", "%2e%2e%2fmine"):
        assert (await client.get(f"/api/runs/{name}")).status_code == 404
