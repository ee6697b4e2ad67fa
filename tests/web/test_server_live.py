"""The complete server: moves, analyses, the results of a stopped search, and restarts."""

import signal
import socket
import time
from pathlib import Path

import pytest
import websockets

from noughts.library.imagining import imagine
from noughts.positions import Position, Rng
from noughts.rules import parse_rules
from noughts.search.mcts import mcts
from noughts.solvers.solve import Truth
from noughts.web.answers import show_result
from tests.web.serving import Server, application, ended, last, refused, server, talk
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
            assert answer["result"] == show_result(rules, expected, proves=False)
            assert answer["move"] == rules.name_of(expected.move)
            assert answer["position"]["moves"] == [*moves, answer["move"]]
            moves = answer["position"]["moves"]
            if answer["position"]["outcome"] != "ongoing":
                break
        assert answer["position"]["winning_lines"]


def test_the_result_of_a_search_in_full(live: Server) -> None:
    body = {
        "rules": "tic-tac-toe",
        "moves": ["A1", "B2", "A2", "A3", "C1", "B1", "B3"],
        "agent": "mcts:sims=20",
        "seed": 5,
    }
    with live.client() as client:
        result = client.post("/api/move", json=body).json()["result"]
    estimate = {"visits": 10, "value": 0.0, "kind": "estimate", "distance": None, "prior": None}
    assert result == {
        "move": "C3",
        "value": 0.0,
        "kind": "estimate",
        "moves": [{"move": "C3"} | estimate, {"move": "C2"} | estimate],  # either move leads to a draw
        "principal_variation": ["C3", "C2"],
        "nodes": 20,
        "distance": None,
    }


def test_a_move_of_a_thousand_simulations_is_quick(live: Server) -> None:
    body = {"rules": "bttt(D4)", "moves": ["A1", "B2"], "agent": "mcts:sims=1000"}
    with live.client() as client:
        answers = [client.post("/api/move", json=body | {"seed": seed}) for seed in range(12)]
    # The fastest, so that a busy machine fails nothing; the median is in test_server_load.
    assert min(answer.raise_for_status().elapsed.total_seconds() for answer in answers) < 0.1


def test_steps_of_a_search_are_served(live: Server) -> None:
    with live.client() as client:
        body = {"rules": "bttt(D4)", "moves": ["A1"], "iterations": 800, "seed": 3}
        answer = client.post("/api/steps", json=body).json()
        assert (answer["simulations"], answer["nodes"][0]["visits"], len(answer["nodes"])) == (800, 801, 201)
        assert sum(child["visits"] for child in answer["tried"]) == 800
        walked = [*answer["select"], answer["expand"]]
        assert [seen["moves"] for seen in answer["path"]] == [walked[:ply] for ply in range(len(walked) + 1)]
        assert len(answer["gained"]) == len(answer["path"])
        text = " ".join(["bttt(D4) A1", *walked, *answer["rollout"]])
        end = client.post("/api/position", json={"text": text}).json()
        assert end["outcome"] == answer["outcome"] != "ongoing"


def test_steps_of_a_search_with_a_network_are_served(live: Server) -> None:
    body = {"rules": "bttt(D4)", "moves": ["C3", "A1"], "agent": "az:example,sims=6"}
    with live.client() as client:
        answer = client.post("/api/steps", json={**body, "iterations": 6}).json()
        assert (answer["judge"], answer["simulations"], answer["budget"]) == ("network", 6, 6)
        assert sum(child["visits"] for child in answer["tried"]) == 6
        assert sum(child["prior"] for child in answer["tried"]) == pytest.approx(1, abs=1e-4)
        assert (answer["outcome"], answer["rollout"]) == ("ongoing", [])
        assert "the search makes 0 to 6" in refused(client.post("/api/steps", json={**body, "iterations": 7}), 422)


def test_puzzles_that_do_not_ship_are_made(live: Server) -> None:
    with live.client() as client:
        made = client.post("/api/puzzles/make", json={"rules": "mnk(3,4,3)", "seed": 3}).json()
        assert (made["rules"], made["line"][0] in made["solutions"]) == ("mnk(3,4,3)", True)
        made = client.post("/api/puzzles/at", json={"rules": "tic-tac-toe", "moves": ["A1"]}).json()
        assert (made["solutions"], made["value"]) == (["B2"], 0)
        assert "no puzzle" in refused(client.post("/api/puzzles/at", json={"rules": "tic-tac-toe", "moves": []}), 422)


def test_an_imagined_line_equals_the_python_functions(live: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(live.store))
    agent, rules = "mz:first,sims=0", "tic-tac-toe"
    asked: dict[str, object] = {"rules": rules, "moves": ["A1"], "agent": agent, "line": ["B2", "B2", "A2"]}
    told = imagine(agent, rules, "A1", "B2 B2 A2").model_dump(mode="json")["positions"]
    with live.client() as client:
        shown = client.post("/api/imagined", json=asked).raise_for_status().json()["positions"]
        for one, known in zip(shown, told, strict=True):
            assert one.pop("value") == pytest.approx(known.pop("value"), abs=1e-5)
            assert one == known
        assert [one["legal"] for one in shown] == [True, True, False, False]
        for wrong, message in (
            ({"agent": "minimax:depth=2"}, "has no model of the game"),
            ({"moves": ["A1", "B1", "A2", "B2", "A3"]}, "the game is over"),
            ({"line": ["D9"]}, "D9"),
        ):
            assert message in refused(client.post("/api/imagined", json=asked | wrong), 422)


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
        assert heard[-1]["result"] == show_result(rules, mcts(position, 300000, 1.0, Rng(4)), proves=False)
        assert {step["ply"] for step in heard} == {2}
        assert heard[-1]["seconds"] > 0


@pytest.mark.parametrize("agent", ["mcts:sims=2000000", None])
async def test_a_stopped_analysis_keeps_its_result(live: Server, agent: str | None) -> None:
    async with talk(live) as say:
        await say.send(type="analyse", id="a", rules="mnk(7,7,5)", moves=["A1", "B2"], agent=agent, seconds=60)
        while (await say.hear())["result"] is None:
            pass
        await say.send(type="stop", id="a")
        heard = await say.hear()
        while not heard["done"]:
            heard = await say.hear()
        assert heard["result"] is not None
        assert heard["seconds"] < 50


async def test_exact_values_appear_one_by_one_and_are_true(live: Server) -> None:
    moves = ["E2", "B1", "A1", "F3", "C5", "D2"]
    async with talk(live) as say:
        heard = await last(say, type="exact", id="e", rules="bttt(D4)", moves=moves, seconds=300)  # of a busy machine
        known = [sum(move["kind"] == "exact" for move in step["result"]["moves"]) for step in heard]
        assert known == sorted(known)
        result = heard[-1]["result"]
        rules = parse_rules("bttt(D4)")
        truth = Truth(rules).solve(Position.start(rules, tuple(map(rules.cell_of, moves))), distances="all")
        assert (result["value"], result["distance"]) == (truth.value, truth.span and truth.span.plies)
        for move in result["moves"]:
            right = next(m for m in truth.moves if rules.name_of(m.move) == move["move"])
            assert (move["value"], move["kind"]) == (right.value, "exact")
            assert move["distance"] == (right.span and right.span.plies)


async def test_unproved_moves_have_no_value(live: Server) -> None:
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


async def test_a_whole_game_is_proved_and_positions_are_updated(live: Server) -> None:
    async with talk(live) as say:
        moves = ["A1", "B1", "A2", "B2", "A3"]
        heard = await last(say, type="game", id="g", rules="tic-tac-toe", moves=moves, seconds=5)
        assert [step["done"] for step in heard] == [False] * (len(heard) - 1) + [True]
        known = {step["ply"]: step for step in heard}
        assert [known[ply]["bounds"] for ply in range(6)] == [[0, 0], [0, 0], [1, 1], [-1, -1], [1, 1], [-1, -1]]
        assert known[5]["result"] is None  # the game is over
        assert known[4]["result"]["principal_variation"] == ["A3"]
        assert len(known[2]["result"]["principal_variation"]) == known[2]["result"]["distance"]


async def test_many_analyses_share_one_socket(live: Server) -> None:
    async with talk(live) as say:
        for number in (*range(8), 0):
            await say.send(
                type="analyse", id=f"a{number}", rules="bttt(D4)", moves=[], agent="mcts:sims=2000000", seconds=60
            )
        while (heard := await say.hear())["type"] != "error":
            pass
        assert (heard["id"], "at work already" in heard["error"]) == ("a0", True)
        with live.client() as client:  # meanwhile light routes and moves are answered
            answers = [client.get("/api/health") for _ in range(10)]
            assert all(answer.status_code == 200 for answer in answers)
            assert min(answer.elapsed.total_seconds() for answer in answers) < 0.1
            body = {"rules": "tic-tac-toe", "agent": "mcts:sims=100"}
            assert client.post("/api/move", json=body).status_code == 200


def test_a_client_that_leaves_during_a_request_is_no_error(live: Server) -> None:
    """The fixture asserts that the server printed none."""
    with socket.create_connection(("127.0.0.1", live.port), timeout=10) as connection:
        head = f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
        connection.sendall(head.encode() + b'{"name": "')
        time.sleep(0.2)
    with live.client() as client:
        assert client.get("/api/health").json()["status"] == "ok"


NONSENSE: list[str | bytes] = [
    "",
    "null",
    "{}",
    "3" * 5000,
    '{"type": "analyse"}',
    '{"type": "analyse", "id": 5, "rules": "tic-tac-toe", "agent": "random"}',
    '{"type": "analyse", "id": "z", "rules": "chess", "agent": "random"}',
    '{"type": "analyse", "id": "z", "rules": "tic-tac-toe", "moves": ["Z9"], "agent": "random"}',
    '{"type": "analyse", "id": "z", "rules": "tic-tac-toe", "moves": [], "agent": "python:os:system"}',
    '{"type": "analyse", "id": "z", "rules": "tic-tac-toe", "agent": "random", "seconds": NaN}',
    '{"type": "exact", "id": "z", "rules": "tic-tac-toe", "moves": ["A1", "B1", "A2", "B2", "A3"]}',
    '{"type": "exact", "id": "\\ud800", "rules": "\\ud800"}',
    "[" * 30_000,
    b"\x00\xff",
]


async def test_senseless_messages_are_answered_and_the_socket_survives(live: Server) -> None:
    async with talk(live) as say:
        for message in NONSENSE:
            await say.socket.send(message)
            heard = await say.hear()
            assert heard["type"] == "error", message
            assert "\n" not in heard["error"]
            assert heard["id"] in (None, "z", "\ud800"), message
        heard = (await last(say, type="analyse", id="ok", rules="tic-tac-toe", moves=[], agent="random"))[-1]
        assert heard["done"]


async def test_a_message_that_is_too_large_only_closes_its_socket(live: Server) -> None:
    async with talk(live) as other, talk(live) as say:
        await say.socket.send("x" * 70_000)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await say.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        assert (await last(other, type="analyse", id="ok", rules="tic-tac-toe", moves=[], agent="random"))[-1]["done"]


async def test_everything_survives_a_kill(tmp_path: Path) -> None:
    with server(tmp_path) as killed, killed.client() as client:
        game = client.post("/api/games", json={"name": "mine", "game": document(tree=node("B2", "A1"))}).json()["id"]
        assert ended(killed, signal.SIGKILL) == -signal.SIGKILL
    async with application(killed.store) as again:
        (kept,) = (await again.get("/api/games")).json()
        assert (kept["id"], kept["name"], kept["plies"]) == (game, "mine", 2)
        assert (await again.get(f"/api/games/{game}")).json()["game"] == document(tree=node("B2", "A1"))
