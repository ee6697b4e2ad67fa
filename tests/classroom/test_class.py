"""A class: who may join, how pupils play each other and agents, what they may see and change, and what is saved."""

import asyncio
import csv
import io
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from noughts.classroom.opening import class_app
from noughts.classroom.showing import ClassSeen
from noughts.classroom.values import Assignment, KeptGame, clean_nickname
from noughts.puzzles.shipped import shipped_puzzles
from noughts.rules import parse_rules
from noughts.web.asked import MoveRequest
from noughts.web.engine import Engine
from noughts.web.errors import Refused
from noughts.web.visitors import OWNER, Visitor
from tests.classroom.classes import ADDRESS, OWNER_TOKEN, Pupil, School, school, school_app
from tests.web.serving import refused
from tests.web.test_server_routes import document, node

pytestmark = pytest.mark.anyio


@pytest.fixture
async def found(tmp_path: Path) -> AsyncIterator[School]:
    """A class without pupils."""
    async with school(tmp_path) as made:
        yield made


@pytest.fixture
def plain_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents that move without workers, which take seconds to start: each plays the first legal move."""

    async def ask(engine: Engine, asked: MoveRequest, *_: object) -> str:
        await asyncio.sleep(0.01)
        return json.dumps({"move": asked.rules.name_of(asked.position.legal_moves[0])})

    monkeypatch.setattr(Engine, "ask", ask)


def results(found: dict[str, Any]) -> dict[str, Any]:
    """The results in an answer about the class, by nickname."""
    return {pupil["nickname"]: pupil["result"] for pupil in found["pupils"] if pupil["result"] is not None}


async def make_and_take(one: Pupil, other: Pupil, **asked: Any) -> str:
    """A game of tic-tac-toe between two pupils; the first one moves first."""
    game = await one.make(begins="me", **asked)
    assert (await other.do(game, "take")).status_code == 200
    return game


async def test_without_joining_only_the_page_for_joining_is_shown(found: School) -> None:
    ask = found.nobody
    answer = await ask.get("/")
    assert (answer.status_code, answer.headers["location"]) == (307, "/join")
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert (await ask.get("/join")).text.startswith("<!doctype html>")
    for path in ("/static/base/view.js", "/class/join.js", "/class/class.css"):
        assert (await ask.get(path)).status_code == 200
    for path in ("/api/class", "/api/class/games", "/api/games", "/api/agents", "/api/class/code.svg"):
        assert refused(await ask.get(path), 403) == "this is a class: open /join at this address, and join it first"
    assert (await ask.get("/api/class?token=wrong")).status_code == 403
    evil = await ask.get("/join", headers={"Host": "evil.example", "Accept": "text/html"})
    assert (evil.status_code, evil.headers["content-type"]) == (403, "text/plain; charset=utf-8")
    assert (await ask.get("/join", headers={"Host": "192.168.0.7:8400"})).status_code == 200


async def test_a_pupil_joins_by_the_code_and_is_recognised_by_a_cookie(found: School) -> None:
    code = await found.code()
    pupil = found.stranger()
    answer = await pupil.post("/api/class/join", json={"code": f" {code[:3].lower()}-{code[3:]} ", "nickname": "Mia"})
    cookie = answer.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=Strict", "Max-Age"))
    assert (await pupil.get("/api/class")).json()["me"] == answer.json()["id"]
    assert (await pupil.get("/join")).headers["location"] == "/"
    assert (await pupil.get("/")).status_code == 200
    seen = (await pupil.get("/api/class")).json()
    assert [each["nickname"] for each in seen["pupils"]] == ["Mia"]
    assert (seen["code"], seen["address"]) == ("", "")
    assert (await pupil.get(f"/api/class?token={OWNER_TOKEN}")).json() == seen  # the pupil stays one
    assert (await found.teacher.get("/api/health")).json()["token"] is None
    again = await pupil.post("/api/class/join", json={"code": "", "nickname": "Other"})
    assert again.json() == answer.json()  # joining again keeps the identity
    teacher = await found.teacher.post("/api/class/join", json={"code": code, "nickname": "Me"})
    assert "you are the teacher" in refused(teacher, 403)
    assert (await found.teacher.get("/api/class")).json()["address"].endswith(f"/join?code={code}")
    picture = await found.teacher.get("/api/class/code.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert b"<svg" in picture.content
    for path in ("/api/class/code.svg", "/api/class/results.csv"):
        assert (await pupil.get(path)).status_code == 403
    assert (await pupil.post("/api/commands/study", json={"study": "mcts-perfect"})).status_code == 403


async def test_wrong_codes_are_delayed_and_rate_limited(found: School, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.classroom.room._WRONG_SECONDS", 0.2)

    async def status(code: str) -> tuple[int, float]:
        answer = await found.nobody.post("/api/class/join", json={"code": code, "nickname": "x"})
        return answer.status_code, time.monotonic() - begun

    right, begun = await found.code(), time.monotonic()
    answers = await asyncio.gather(*(status(f"A{number}") for number in range(41)), status(right))
    assert [answer for answer, _ in answers] == [422] * 41 + [200]
    waited = sorted(seconds for _, seconds in answers[:-1])
    assert waited[0] >= 0.2
    assert waited[20] >= 0.4
    assert waited[40] >= 0.6
    assert answers[-1][1] < waited[40]  # the right code is not delayed


@pytest.mark.parametrize(
    ("text", "nickname"),
    [
        ("  Mia\t\n B ", "Mia B"),
        ("ｍｉａ", "mia"),
        ("Zoë 🦊", "Zoë 🦊"),
        ("a\u202eb\u200b\x00\x1b[0m", "ab[0m"),
        ("<b>x</b>", "<b>x</b>"),  # shown as text, never parsed as markup
    ],
)
def test_nicknames_are_cleaned(text: str, nickname: str) -> None:
    assert clean_nickname(text) == nickname


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u202e", "...", "x" * 25, "\ud800"])
def test_a_text_that_cleans_to_no_nickname_is_rejected(text: str) -> None:
    with pytest.raises(Refused, match=r"^nickname: "):
        clean_nickname(text)


async def test_nicknames_are_unique_in_the_class(found: School) -> None:
    await found.join("Mia")
    ben = await found.join("Ben")
    code = await found.code()
    answer = await found.stranger().post("/api/class/join", json={"code": code, "nickname": " m i a"})
    assert refused(answer, 422) == "nickname: a pupil in the class is called 'Mia' already"
    assert (await found.teacher.delete(f"/api/class/pupils/{ben.id}")).status_code == 200
    await found.join("ben")
    assert "no pupil 'nobody'" in refused(await found.teacher.delete("/api/class/pupils/nobody"), 404)


async def test_a_full_class_rejects_further_pupils(found: School, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.classroom.room.MOST_PUPILS", 1)
    await found.join("Mia")
    full = await found.stranger().post("/api/class/join", json={"code": await found.code(), "nickname": "Ben"})
    assert refused(full, 422) == "the class is full: it has 1 pupils"


async def test_each_pupil_and_the_teacher_have_their_own_saved_games(found: School) -> None:
    mia, ben = await found.join("Mia"), await found.join("Ben")
    asked = {"name": "mine", "game": document("tic-tac-toe", node("B2"))}
    for client in (mia.client, ben.client, found.teacher):
        game = (await client.post("/api/games", json=asked)).json()["id"]
        assert [each["id"] for each in (await client.get("/api/games")).json()] == [game]


async def test_two_pupils_play_and_the_server_is_the_referee(found: School) -> None:
    mia, ben, eve = [await found.join(name) for name in ("Mia", "Ben", "Eve")]
    game = await mia.make(begins="me")
    waits = await ben.game(game)
    assert (waits["state"], waits["mine"], waits["seats"][1]["pupil"], waits["to_move"]) == ("waiting", None, "", None)
    assert (await mia.play(game, "B2")).status_code == 422  # no second player yet
    assert (await ben.do(game, "take")).json()["mine"] == "second"
    assert (await ben.do(game, "take")).status_code == 200  # a repeated request counts once
    assert (await eve.do(game, "take")).status_code == 422
    assert (await eve.client.get(f"/api/class/games/{game}")).status_code == 404
    for pupil, ply, square, status in (
        (ben, 0, "B2", 422),  # not ben's turn
        (eve, 0, "B2", 403),
        (mia, 0, "D9", 422),
        (mia, 0, "B2", 200),
        (mia, 0, "B2", 422),  # sent twice
        (mia, 1, "A1", 422),
        (ben, 1, "B2", 422),  # taken
    ):
        answer = await pupil.do(game, "moves", ply=ply, move=square)
        assert answer.status_code == status, answer.text
    for number, square in enumerate(("A1", "A2", "C3", "C2")):
        assert (await (ben, mia)[number % 2].play(game, square)).status_code == 200
    for pupil in (mia, ben):
        ended = await pupil.game(game)
        assert (ended["state"], ended["outcome"], ended["ending"]) == ("ended", "first", "moves")
    assert (await ben.play(game, "A3")).status_code == 422
    assert (await ben.do(game, "resign")).status_code == 422
    assert (await found.teacher.get(f"/api/class/games/{game}")).json()["moves"] == ["B2", "A1", "A2", "C3", "C2"]
    assert "for the pupils" in refused(await found.teacher.post("/api/class/games", json={"rules": "tic-tac-toe"}), 403)


async def test_a_link_that_a_classmate_took_says_so(found: School) -> None:
    mia, ben, zoe = await found.join("Mia"), await found.join("Ben"), await found.join("Zoe")
    game = await make_and_take(mia, ben)
    assert "a classmate was first" in refused(await zoe.client.get(f"/api/class/games/{game}"), 404)
    assert "there is no game" in refused(await zoe.client.get("/api/class/games/nope"), 404)


@pytest.mark.usefixtures("plain_engine")
async def test_every_link_of_a_pupil_stays_open_and_impossible_games_are_refused(found: School) -> None:
    mia, ben = await found.join("Mia"), await found.join("Ben")
    await mia.make(agent="random")  # counts as well
    games = [await mia.make() for _ in range(11)]
    thirteenth = await mia.client.post("/api/class/games", json={"rules": "tic-tac-toe"})
    assert refused(thirteenth, 422) == "you have 12 games that go on or wait: end one of them first"
    closed = (await mia.do(games.pop(), "resign")).json()
    assert (closed["state"], closed["outcome"], closed["to_move"]) == ("ended", "", None)
    assert (await ben.do(closed["id"], "take")).status_code == 422
    assert (await ben.do(games[0], "resign")).status_code == 403  # the link of another pupil
    games.append(await mia.make())
    for game in games:
        assert (await ben.do(game, "take")).status_code == 200
    assert results((await mia.client.get("/api/class")).json())["Mia"]["played"] == 0
    for asked, message in (
        ({"rules": "chess"}, "unknown rules"),
        ({"agent": "az:../x"}, "with a run of the store"),
        ({"agent": "perfect", "rules": "gomoku"}, "agent: perfect is offered for games of up to 64 cells"),
        ({"agent": "threats", "rules": "notakto(3)"}, "agent: threats cannot play notakto(3): it plays games in which"),
        ({"agent": "python:a.py:B"}, "unknown agent 'python'"),
    ):
        assert message in refused(await mia.client.post("/api/class/games", json={"rules": "tic-tac-toe"} | asked), 422)


async def test_only_the_latest_games_that_ended_are_listed(found: School, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.classroom.showing._LATEST", 2)
    mia = await found.join("Mia")
    games = [await mia.make() for _ in range(5)]
    for game in games[1:4]:
        assert (await mia.do(game, "resign")).status_code == 200
    for visitor in (Visitor(client=mia.id), OWNER):
        assert ClassSeen(school_app().state.school_class, visitor).games() == [games[0], *games[2:]]


async def test_resigning_loses_also_if_the_opponent_was_removed(found: School) -> None:
    mia, ben = await found.join("Mia"), await found.join("Ben")
    game = await make_and_take(mia, ben)
    assert (await ben.do(game, "resign")).json()["outcome"] == "first"
    again = await make_and_take(mia, ben)
    assert (await mia.play(again, "B2")).status_code == 200
    removed = await found.teacher.delete(f"/api/class/pupils/{ben.id}")
    assert [each["nickname"] for each in removed.json()["pupils"]] == ["Mia"]
    assert (await ben.client.get("/api/class")).status_code == 403
    assert (await ben.client.get("/")).headers["location"] == "/join?removed"
    ended = (await mia.do(again, "resign")).json()
    assert (ended["state"], ended["outcome"], ended["ending"]) == ("ended", "second", "resigned")


def test_games_of_earlier_versions_are_read() -> None:
    seats = [{"pupil": "mia", "agent": ""}, {"pupil": "ben", "agent": ""}]
    made = {"rules": "tic-tac-toe", "seats": seats, "maker": "mia", "seed": 1, "made": "", "updated": ""}
    left = KeptGame.from_json(json.dumps(made | {"state": "ended", "ending": "broken off"}))
    assert (left.state, left.outcome, left.ending) == ("ended", "", "broken off")
    assert KeptGame.from_json(json.dumps(made | {"state": "withdrawn"})).state == "ended"
    task = {"kind": "game", "rules": "tic-tac-toe", "agent": "random", "goal": "win"}
    assert Assignment.from_json(json.dumps(task)).agent == "random"


async def test_an_agent_that_fails_ends_the_game(found: School, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(*_: object) -> str:
        raise Refused(422, "no such move")

    monkeypatch.setattr(Engine, "ask", ask)
    mia = await found.join("Mia")
    game = await mia.make(begins="other", agent="random")
    ended = await wait_for_moves(mia, game, 1)
    assert (ended["state"], ended["ending"], ended["why"]) == ("ended", "failed", "no such move")
    assert results((await mia.client.get("/api/class")).json())["Mia"]["played"] == 0


async def wait_for_moves(pupil: Pupil, game: str, count: int) -> dict[str, Any]:
    for _ in range(1200):
        found = await pupil.game(game)
        if len(found["moves"]) >= count or found["state"] != "playing":
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(found)


@pytest.mark.usefixtures("plain_engine")
async def test_an_agent_plays_and_the_table_counts(found: School) -> None:
    mia = await found.join("Mia")
    game = await mia.make(begins="other", agent="random")
    first = await wait_for_moves(mia, game, 1)
    assert (first["seats"][0]["agent"], first["mine"], first["to_move"]) == ("random", "second", "second")
    while (now := await mia.game(game))["state"] == "playing":
        text = " ".join([now["rules"], *now["moves"]])
        legal = (await mia.client.post("/api/position", json={"text": text})).json()
        assert (await mia.play(game, legal["legal"][0])).status_code == 200
        await wait_for_moves(mia, game, len(now["moves"]) + 2)
    (row,) = results((await mia.client.get("/api/class")).json()).values()
    assert (row["played"], row["won"] + row["drawn"] + row["lost"]) == (1, 1)


@pytest.mark.usefixtures("plain_engine")
async def test_assignments_and_results(found: School) -> None:
    rules = parse_rules("tic-tac-toe")
    puzzles = [puzzle for puzzle in shipped_puzzles()[rules] if puzzle.grade == "easy"]
    mia, ben = await found.join("Mia"), await found.join("=Ben")
    teach = found.teacher
    assert (await mia.client.post("/api/class/assignment/begin")).status_code == 422
    for wrong in (
        {"kind": "puzzles", "rules": "mnk(9,9,5)"},
        {"kind": "game", "rules": "tic-tac-toe", "moves": ["B2", "B2"]},
        {"kind": "game", "rules": "tic-tac-toe", "agent": "nobody"},
        {"kind": "game", "rules": "gomoku", "agent": "perfect"},
        {"kind": "game", "rules": "tic-tac-toe", "moves": ["A1", "B1", "A2", "B2", "A3"]},
    ):
        assert (await teach.put("/api/class/assignment", json=wrong)).status_code == 422
    easy = await teach.put("/api/class/assignment", json={"kind": "puzzles", "rules": "gomoku", "grade": "easy"})
    assert refused(easy, 422) == "grade: no easy puzzles of 'gomoku' come with noughts: choose medium or hard"
    assert (await mia.client.put("/api/class/assignment", json=wrong)).status_code == 403
    two = {"kind": "puzzles", "rules": "tic-tac-toe", "grade": "easy", "count": 2, "words": "  Two of\nthem "}
    assert (await teach.put("/api/class/assignment", json=two)).json()["assignment"]["words"] == "Two of them"
    for number, puzzle in enumerate(puzzles[:2]):
        moves = [rules.name_of(cell) for cell in puzzle.moves]
        bad = next(cell for cell in range(9) if cell not in (*puzzle.moves, *puzzle.solutions))
        for move, status in ((bad, 422), (puzzle.solutions[0], 200), (puzzle.solutions[0], 200)):
            asked = {"rules": "tic-tac-toe", "moves": moves, "move": rules.name_of(move)}
            answer = await mia.client.post("/api/class/solved", json=asked)
            assert answer.status_code == status
        assert results(answer.json())["Mia"]["solved"] == number + 1
    assert (await mia.client.post("/api/class/solved", json={"rules": "gomoku", "move": "A1"})).status_code == 404
    rows = results((await teach.get("/api/class")).json())
    assert [(name, row["solved"], row["done"], row["done_at"] is None) for name, row in rows.items()] == [
        ("=Ben", 0, 0, True),
        ("Mia", 2, 2, False),
    ]
    assert list(results((await ben.client.get("/api/class")).json())) == ["=Ben"]
    # A position with an immediate win, as an assignment.
    win = {"kind": "game", "rules": "tic-tac-toe", "moves": ["A1", "B1", "A2", "B2"], "agent": "random"}
    assert (await teach.put("/api/class/assignment", json=win)).status_code == 200
    games = [(await pupil.client.post("/api/class/assignment/begin")).json()["id"] for pupil in (mia, ben)]
    assert (await mia.client.post("/api/class/assignment/begin")).json()["id"] == games[0]
    assert (await mia.game(games[0]))["opening"] == ["A1", "B1", "A2", "B2"]
    assert (await mia.play(games[0], "A3")).json()["outcome"] == "first"
    assert (await ben.do(games[1], "resign")).json()["outcome"] == "second"
    assert (await mia.client.post("/api/class/assignment/begin")).status_code == 200  # the recorded time stays
    table = list(csv.reader(io.StringIO((await teach.get("/api/class/results.csv")).text.lstrip("\ufeff"))))
    columns = "nickname, played, won, drawn, lost, puzzles solved, assignment done, done at (UTC)"
    assert table[0] == columns.split(", ")
    assert table[1][:7] == ["'=Ben", "1", "0", "0", "1", "0", "yes"]
    assert table[2][:7] == ["Mia", "1", "1", "0", "0", "2", "yes"]
    assert (await teach.put("/api/class/assignment")).json()["assignment"] is None


async def test_the_class_closes_and_opens(found: School) -> None:
    mia = await found.join("Mia")
    code = await found.code()
    assert (await found.teacher.put("/api/class", json={"closed": True})).json()["closed"]
    assert (await mia.client.get("/api/class")).status_code == 403
    late = await found.stranger().post("/api/class/join", json={"code": code, "nickname": "Late"})
    assert refused(late, 422) == "the class is closed: ask your teacher"
    assert (await found.teacher.get("/api/class/results.csv")).status_code == 200
    assert not (await found.teacher.put("/api/class", json={"closed": False})).json()["closed"]
    assert (await mia.client.get("/api/class")).status_code == 200
    assert (await mia.client.put("/api/class", json={"closed": True})).status_code == 403
    assert (await mia.client.delete(f"/api/class/pupils/{mia.id}")).status_code == 403


@pytest.mark.usefixtures("plain_engine")
async def test_everything_survives_a_restart_and_a_closed_class_is_replaced(tmp_path: Path) -> None:
    kept: dict[str, Any] = {}
    async with school(tmp_path) as found:
        mia, ben = await found.join("Mia"), await found.join("Ben")
        game = await make_and_take(mia, ben)
        assert (await mia.play(game, "B2")).status_code == 200
        assert (await ben.play(game, "A1")).status_code == 200
        await found.teacher.put("/api/class/assignment", json={"kind": "puzzles", "rules": "tic-tac-toe", "count": 1})
        agent = await mia.make(begins="me", agent="minimax:depth=1")
        assert (await mia.play(agent, "B2")).status_code == 200  # the server stops before its answer, or after it
        kept.update(code=await found.code(), cookies=dict(mia.client.cookies), game=game, agent=agent)
        kept["class"] = (await mia.client.get("/api/class")).json()
    async with school(tmp_path) as found:
        assert await found.code() == kept["code"]
        client = found.stranger()
        client.cookies.update(kept["cookies"])
        mia = Pupil(client, "")
        assert (await client.get("/api/class")).json() == kept["class"]
        assert (await mia.game(kept["game"]))["moves"] == ["B2", "A1"]
        assert (await mia.play(kept["game"], "A2")).status_code == 200
        assert len((await wait_for_moves(mia, kept["agent"], 2))["moves"]) == 2
        assert (await found.teacher.put("/api/class", json={"closed": True})).status_code == 200
    async with school(tmp_path) as found:
        assert await found.code() != kept["code"]
        assert (await found.teacher.get("/api/class")).json()["pupils"] == []
        client = found.stranger()
        client.cookies.update(kept["cookies"])
        assert (await client.get("/api/class")).status_code == 403


@pytest.fixture
def told(own_store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server with a class, queried by the teacher, or with the given cookie."""
    monkeypatch.setattr("noughts.web.app.Engine", lambda: Engine(cores=1, warm=False))
    with TestClient(class_app("0.0.0.0", OWNER_TOKEN, ADDRESS), base_url=ADDRESS) as client:
        yield client


def join_as(client: TestClient, nickname: str) -> tuple[str, dict[str, str]]:
    """A pupil's id and the headers by which the server knows the pupil."""
    code = client.get("/api/class", headers=TEACHER).json()["code"]
    answer = client.post("/api/class/join", json={"code": code, "nickname": nickname})
    client.cookies.clear()
    return answer.json()["id"], {"Cookie": answer.headers["set-cookie"].partition(";")[0]}


TEACHER = {"Cookie": f"noughts-8400={OWNER_TOKEN}"}


def hear(socket: WebSocketTestSession, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The next message that satisfies the condition."""
    for _ in range(50):
        heard: dict[str, Any] = socket.receive_json()
        if wanted(heard):
            return heard
    raise AssertionError(heard)


def test_pupils_hear_of_their_own_games_and_the_teacher_of_all(told: TestClient) -> None:
    (mia, as_mia), (ben, as_ben), (_, as_eve) = (join_as(told, name) for name in ("Mia", "Ben", "Eve"))
    live = "ws://127.0.0.1:8400/api/class/live"
    with pytest.raises(WebSocketDisconnect), told.websocket_connect(live):
        pass
    with (
        told.websocket_connect(live, headers=TEACHER) as teacher,
        told.websocket_connect(live, headers=as_ben) as of_ben,
        told.websocket_connect(live, headers=as_eve) as of_eve,
    ):
        here = hear(teacher, lambda each: sum(p["present"] for p in each["class"]["pupils"]) == 2)["class"]
        assert [p["nickname"] for p in here["pupils"] if p["present"]] == ["Ben", "Eve"]
        of_ben.send_text("{}")  # clients' messages are ignored
        offer = {"rules": "tic-tac-toe", "begins": "me"}
        game = told.post("/api/class/games", json=offer, headers=as_mia).json()["id"]
        told.post(f"/api/class/games/{game}/take", headers=as_ben)
        told.post(f"/api/class/games/{game}/moves", json={"ply": 0, "move": "B2"}, headers=as_mia)
        moved = hear(of_ben, lambda each: each["type"] == "game" and each["game"]["moves"])["game"]
        assert (moved["moves"], moved["mine"], moved["to_move"]) == (["B2"], "second", "second")
        assert hear(teacher, lambda each: each["type"] == "game" and each["game"]["moves"])["game"]["mine"] is None
        told.delete(f"/api/class/pupils/{mia}", headers=TEACHER)
        heard = hear(of_eve, lambda each: len(each["class"]["pupils"]) == 2)  # never of the game, which has no "class"
        assert list(results(heard["class"])) == ["Eve"]
        told.delete(f"/api/class/pupils/{ben}", headers=TEACHER)
        with pytest.raises(WebSocketDisconnect) as closed:
            hear(of_ben, lambda each: False)
        assert closed.value.code == 4000
        told.put("/api/class", json={"closed": True}, headers=TEACHER)
        with pytest.raises(WebSocketDisconnect):
            hear(of_eve, lambda each: False)
        assert hear(teacher, lambda each: each["type"] == "class" and each["class"]["closed"])
