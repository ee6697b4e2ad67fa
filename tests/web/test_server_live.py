"""The whole server: moves, analyses, what a stopped search leaves, and what survives a restart."""

import asyncio
import socket
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
import websockets

from noughts.positions import Position, Rng
from noughts.rules import parse_rules
from noughts.search.mcts import mcts
from noughts.solvers.solve import Truth
from tests.web.serving import Server, last, move_seconds, server, talk
from tests.web.test_server_routes import document, node

pytestmark = [pytest.mark.anyio, pytest.mark.heavy]


def test_a_whole_game_against_an_agent(live: Server) -> None:
    rules = parse_rules("mnk(4,4,3)")
    with live.client() as client:
        moves: list[str] = []
        while True:
            body = {"rules": "mnk(4,4,3)", "moves": moves, "agent": "mcts:sims=200", "seed": 5}
            answer = client.post("/api/move", json=body).json()
            assert client.post("/api/move", json=body).json() == answer  # the same seed, the same move
            position = Position.start(rules, tuple(map(rules.cell_of, moves)))
            expected = mcts(position, 200, 1.0, Rng(5))
            assert answer["result"] == expected.to_dict(rules)
            assert answer["move"] == rules.name_of(expected.move)
            assert answer["position"]["moves"] == [*moves, answer["move"]]
            moves = answer["position"]["moves"]
            if answer["position"]["outcome"] != "ongoing":
                break
        assert answer["position"]["winning_lines"]


def test_a_move_of_a_thousand_simulations_comes_at_once(live: Server) -> None:
    with live.client() as client:
        assert (
            move_seconds(client, 12)[0] < 0.1
        )  # the best, so that a busy machine fails nothing; the median is in test_server_load


def test_steps_of_a_search(live: Server) -> None:
    with live.client() as client:
        for iterations in (0, 1, 50, 800):
            body = {"rules": "bttt(D4)", "moves": ["A1"], "iterations": iterations, "seed": 3}
            answer = client.post("/api/steps", json=body).json()
            assert answer["simulations"] == iterations
            assert answer["nodes"][0]["visits"] == iterations + 1
            assert sum(child["visits"] for child in answer["tried"]) == iterations
            assert len(answer["nodes"]) == 1 + min(200, iterations)
            assert bool(answer["path"]) == (iterations > 0)
            if iterations == 800:
                walked = [*answer["select"], answer["expand"]]
                assert [seen["moves"] for seen in answer["path"]] == [walked[:ply] for ply in range(len(walked) + 1)]
                assert len(answer["gained"]) == len(answer["path"])
                assert answer["outcome"] in ("first", "second", "draw")
                moves = ["A1", *answer["select"], answer["expand"], *answer["rollout"]]
                end = client.post("/api/position", json={"text": " ".join(["bttt(D4)", *moves])}).json()
                assert end["outcome"] == answer["outcome"]


def test_steps_of_a_search_with_a_network_are_told_alike(live: Server) -> None:
    body = {"rules": "bttt(D4)", "moves": ["C3", "A1"], "agent": "az:example,sims=6"}
    with live.client() as client:
        response = client.post("/api/steps", json={**body, "iterations": 6})
        assert response.status_code == 200, response.text
        answer = response.json()
        assert (answer["judge"], answer["simulations"], answer["budget"]) == ("network", 6, 6)
        assert sum(child["visits"] for child in answer["tried"]) == 6
        assert sum(child["prior"] for child in answer["tried"]) == pytest.approx(1, abs=1e-4)
        assert (answer["outcome"], answer["rollout"]) == ("ongoing", [])
        assert answer["path"][-1]["moves"] == [*answer["select"], answer["expand"]]
        assert all(-1 <= node["worth"] <= 1 for node in answer["nodes"][1:])
        too_many = client.post("/api/steps", json={**body, "iterations": 7})
        assert too_many.status_code == 422
        assert "the search makes 0 to 6" in too_many.text


async def test_an_analysis_is_streamed(live: Server) -> None:
    async with talk(live) as say:
        heard = await last(
            say, type="analyse", id="a", rules="bttt(D4)", moves=["A1", "B2"], agent="mcts:sims=300000", seed=4, x=1
        )
        assert len(heard) >= 3
        nodes = [step["result"]["nodes"] for step in heard]
        assert nodes == sorted(nodes)
        rules = parse_rules("bttt(D4)")
        position = Position.start(rules, (0, rules.cell_of("B2")))
        assert heard[-1]["result"] == mcts(position, 300000, 1.0, Rng(4)).to_dict(rules)
        assert {step["ply"] for step in heard} == {2}
        assert heard[-1]["seconds"] > 0


@pytest.mark.parametrize("agent", ["mcts:sims=2000000", None])
def test_a_stopped_analysis_keeps_its_result_and_frees_the_processor(live: Server, agent: str | None) -> None:
    async def used_after_stop() -> float:
        async with talk(live) as say:
            await say.send(type="analyse", id="a", rules="mnk(7,7,5)", moves=["A1", "B2"], agent=agent, seconds=60)
            assert (await say.hear())["type"] == "step"
            await asyncio.sleep(0.3)
            before = cpu_seconds(live)
            await say.send(type="stop", id="a")
            heard = await say.hear()
            while not heard["done"]:
                heard = await say.hear()
            assert heard["result"] is not None
            assert heard["seconds"] < 50
            await quiet(live, before)
            return sum(cpu_seconds(live, before).values())

    # The best of some attempts: on a busy machine it takes a while until the server hears of it.
    assert any(asyncio.run(used_after_stop()) < 0.25 for _ in range(4))


Used = dict[int, float]


def cpu_seconds(found: Server, since: Used | None = None) -> Used:
    """What each of the server's workers has used, by process; or what those that were there used since."""
    used = {}
    for process in workers(found):
        with suppress(psutil.NoSuchProcess):
            used[process.pid] = sum(process.cpu_times()[:2])
    return used if since is None else {pid: used[pid] - before for pid, before in since.items() if pid in used}


def workers(found: Server) -> list[psutil.Process]:
    return psutil.Process(found.process.pid).children(recursive=True)


async def quiet(found: Server, known: Used) -> None:
    """Wait until none of these workers is at work: a few looks in a row find all of them asleep."""
    deadline, asleep = time.monotonic() + 60, 0
    while asleep < 5:
        await asyncio.sleep(0.02)
        busy = False
        for process in workers(found):
            with suppress(psutil.NoSuchProcess):
                busy |= process.pid in known and process.status() == psutil.STATUS_RUNNING
        asleep = 0 if busy else asleep + 1
        assert time.monotonic() < deadline


async def test_exact_values_appear_one_by_one_and_are_true(live: Server) -> None:
    moves = ["E2", "B1", "A1", "F3"]
    async with talk(live) as say:
        await say.send(type="exact", id="e", rules="bttt(D4)", moves=moves, seconds=300)  # of a busy machine
        found = await say.hear()
        while sum(move["kind"] == "exact" for move in found["result"]["moves"]) < 20:
            found = await say.hear()
        while not found["done"]:
            found = await say.hear()
        result = found["result"]
        rules = parse_rules("bttt(D4)")
        truth = Truth(rules).solve(Position.start(rules, tuple(map(rules.cell_of, moves))), distances="all")
        assert (result["value"], result["distance"]) == (truth.value, truth.span and truth.span.plies)
        for move in result["moves"]:
            known = next(m for m in truth.moves if rules.name_of(m.move) == move["move"])
            assert (move["value"], move["kind"]) == (known.value, "exact")
            assert move["distance"] == (known.span and known.span.plies)


async def test_what_is_not_proved_has_no_value(live: Server) -> None:
    async with talk(live) as say:
        heard = await last(say, type="exact", id="e", rules="mnk(7,7,5)", moves=[], seconds=0.5)
        result = heard[-1]["result"]
        unknown = [move for move in result["moves"] if move["kind"] == "estimate"]
        assert unknown
        assert all(move["value"] is None for move in unknown)
        (error,) = await last(say, type="exact", id="g", rules="gomoku", moves=[])
        assert error["type"] == "error"
        assert "no solver covers gomoku" in error["error"]


async def test_a_whole_game_is_analysed_ply_by_ply(live: Server) -> None:
    async with talk(live) as say:
        moves = ["A1", "B1", "A2", "B2", "A3"]
        for agent in ("minimax:depth=2", "mcts:sims=500"):
            heard = await last(say, type="game", id="g", rules="tic-tac-toe", moves=moves, agent=agent, seconds=5)
            assert list(dict.fromkeys(step["ply"] for step in heard)) == list(range(6))
            assert [step["done"] for step in heard] == [False] * (len(heard) - 1) + [True]
            assert heard[-1]["result"] is None  # the game is over
            assert heard[4]["result"]["move"] == "A3"
        assert heard[4]["result"]["value"] > 0.9


async def test_a_whole_game_is_proved_and_each_position_told_when_more_is_known(live: Server) -> None:
    async with talk(live) as say:
        moves = ["A1", "B1", "A2", "B2", "A3"]
        heard = await last(say, type="game", id="g", rules="tic-tac-toe", moves=moves, seconds=5)
        assert [step["done"] for step in heard] == [False] * (len(heard) - 1) + [True]
        known = {step["ply"]: step for step in heard}
        assert [known[ply]["bounds"] for ply in range(6)] == [[0, 0], [0, 0], [1, 1], [-1, -1], [1, 1], [-1, -1]]
        assert known[5]["result"] is None  # the game is over
        assert known[4]["result"]["principal_variation"] == ["A3"]
        assert len(known[2]["result"]["principal_variation"]) == known[2]["result"]["distance"]


async def test_many_analyses_on_one_socket(live: Server) -> None:
    async with talk(live) as say:
        for number in range(8):
            await say.send(
                type="analyse", id=f"a{number}", rules="bttt(D4)", moves=[], agent="mcts:sims=2000000", seconds=60
            )
        await say.send(type="analyse", id="a0", rules="bttt(D4)", moves=[], agent="random")
        while (heard := await say.hear())["type"] != "error":
            pass
        assert heard["id"] == "a0"
        assert "at work already" in heard["error"]
        with live.client() as client:  # meanwhile light routes and moves go on
            times = []
            for _ in range(10):
                begun = time.monotonic()
                assert client.get("/api/health").status_code == 200
                times.append(time.monotonic() - begun)
            assert min(times) < 0.1
            body = {"rules": "tic-tac-toe", "agent": "mcts:sims=100"}
            assert client.post("/api/move", json=body).status_code == 200
        for number in range(8):
            await say.send(type="stop", id=f"a{number}")
        done: set[str] = set()
        while len(done) < 8:
            heard = await say.hear()
            if heard["type"] == "step" and heard["done"]:
                done.add(heard["id"])
        assert done == {f"a{number}" for number in range(8)}


def test_a_client_that_leaves_in_the_middle_of_a_request_is_no_error(live: Server) -> None:
    with socket.create_connection(("127.0.0.1", live.port), timeout=10) as connection:
        head = f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
        connection.sendall(head.encode() + b'{"name": "')
        time.sleep(0.2)
    with live.client() as client:
        assert client.get("/api/health").json()["status"] == "ok"
    time.sleep(0.5)
    assert "Traceback" not in live.log.read_text()


def test_when_the_client_leaves_its_analyses_end(live: Server) -> None:
    async def used_after_leaving() -> float:
        async with talk(live) as say:
            warm_ones = cpu_seconds(live)  # others may come up, which takes time too
            for number in range(3):
                await say.send(type="analyse", id=f"a{number}", rules="gomoku", moves=[], agent="mcts:sims=2000000")
            await say.hear()
        before = {pid: used for pid, used in cpu_seconds(live).items() if pid in warm_ones}
        await quiet(live, before)
        return sum(cpu_seconds(live, before).values())

    assert any(asyncio.run(used_after_leaving()) < 0.5 for _ in range(4))  # such a search takes twenty


NONSENSE: list[str | bytes] = [
    "",
    "x",
    "[]",
    "null",
    "{}",
    "3" * 5000,
    '{"type": "analyse"}',
    '{"type": "nothing", "id": "z"}',
    '{"type": "stop"}',
    '{"type": "analyse", "id": 5, "rules": "tic-tac-toe", "agent": "random"}',
    '{"type": "analyse", "id": "z", "rules": "chess", "agent": "random"}',
    '{"type": "analyse", "id": "z", "rules": "tic-tac-toe", "moves": ["Z9"], "agent": "random"}',
    '{"type": "analyse", "id": "z", "rules": "tic-tac-toe", "moves": [], "agent": "python:os:system"}',
    '{"type": "analyse", "id": "z", "rules": "tic-tac-toe", "agent": "random", "seconds": -1}',
    '{"type": "analyse", "id": "z", "rules": "tic-tac-toe", "agent": "random", "seconds": NaN}',
    '{"type": "exact", "id": "z", "rules": "tic-tac-toe", "moves": ["A1", "B1", "A2", "B2", "A3"]}',
    '{"type": "exact", "id": "\\ud800", "rules": "\\ud800"}',
    "[" * 30_000,
    b"\x00\xff",
    b"{}",
]


async def test_messages_that_make_no_sense_are_answered_and_the_socket_lives(live: Server) -> None:
    async with talk(live) as say:
        for message in NONSENSE:
            await say.socket.send(message)
            heard = await say.hear()
            assert heard["type"] == "error", message
            assert "\n" not in heard["error"]
            assert heard["id"] in (None, "z", "\ud800"), message
        heard = (await last(say, type="analyse", id="ok", rules="tic-tac-toe", moves=[], agent="random"))[-1]
        assert heard["done"]


async def test_a_message_that_is_too_large_ends_the_socket_alone(live: Server) -> None:
    async with talk(live) as other, talk(live) as say:
        await say.socket.send("x" * 70_000)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await say.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        assert (await last(other, type="analyse", id="ok", rules="tic-tac-toe", moves=[], agent="random"))[-1]["done"]


async def test_sockets_of_other_pages_are_refused(live: Server) -> None:
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": f"http://127.0.0.1:{live.port + 1}"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with talk(live, additional_headers=headers):
                pass
        assert refused.value.response.status_code == 403
    async with talk(live, additional_headers={"Origin": f"http://127.0.0.1:{live.port}"}) as say:
        await say.send(type="stop", id="x")


def test_the_api_describes_itself(live: Server) -> None:
    with live.client() as client:
        described = client.get("/api/openapi.json").json()
    paths = described["paths"]
    assert {"/api/health", "/api/move", "/api/games/{id}", "/api/studies/{name}"} <= set(paths)
    for path, methods in paths.items():
        for method, route in methods.items():
            assert route.get("description"), (method, path)
            codes = set(route["responses"])
            assert "200" in codes
            if "requestBody" in route:
                assert {"413", "422"} <= codes
            for code in codes - {"200"}:
                content = route["responses"][code]["content"]["application/json"]["schema"]
                assert content == {"$ref": "#/components/schemas/ErrorAnswer"}, (method, path, code)


def test_everything_survives_a_kill_and_ctrl_c_is_quiet(tmp_path: Path) -> None:
    with server(tmp_path) as first, first.client() as client:
        game = client.post("/api/games", json={"name": "mine", "game": document(tree=node("B2", "A1"))}).json()["id"]
        children = psutil.Process(first.process.pid).children(recursive=True)
        first.process.kill()
        first.process.wait(10)
        assert not psutil.wait_procs(children, timeout=5)[1]
    with server(tmp_path) as second, second.client() as client:
        (kept,) = client.get("/api/games").json()
        assert (kept["id"], kept["name"], kept["plies"]) == (game, "mine", 2)
        assert client.get(f"/api/games/{game}").json()["game"] == document(tree=node("B2", "A1"))
        children = psutil.Process(second.process.pid).children(recursive=True)
        assert second.stop() == 130
        said = " ".join(second.log.read_text().split())
        assert said == "Ctrl-C ends it stopped"
        assert not psutil.wait_procs(children, timeout=5)[1]
