"""Access, the restrictions in every answer, and limits."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from noughts.rules import NoughtsError
from noughts.web import games
from noughts.web.app import create_app
from noughts.web.safety import is_loopback
from noughts.web.server import listen
from tests.web.serving import application, refused
from tests.web.test_server_routes import document, node

pytestmark = pytest.mark.anyio
TOKEN = "a-token-for-tests"
RULES = {"text": "tic-tac-toe"}


async def status(client: httpx.AsyncClient, path: str = "/api/position", **headers: str) -> int:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    if path == "/api/position":
        return (await client.post(path, json=RULES, headers=names)).status_code
    return (await client.get(path, headers=names)).status_code


async def test_every_answer_forbids_what_browsers_should_not_do(client: httpx.AsyncClient) -> None:
    for answer in (
        await client.get("/api/health"),
        await client.get("/nothing"),
        await client.post("/api/position", content=b"{"),
        await client.get("/api/health", headers={"Host": "evil.example"}),
        await client.get("/"),
    ):
        assert answer.headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-frame-options"] == "SAMEORIGIN"
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert "server" not in answer.headers
    answer = await client.options("/api/position", headers={"Origin": "http://127.0.0.1:8400"})
    assert not [name for name in answer.headers if name.startswith("access-control")]


async def test_only_this_machine_s_names_are_allowed_hosts(client: httpx.AsyncClient) -> None:
    for host in ("127.0.0.1:8400", "localhost:8400", "[::1]:8400", "LOCALHOST"):
        assert await status(client, Host=host) == 200, host
    for host in (
        "evil.example",
        "evil.example:8400",
        "127.0.0.1.evil.example",
        "192.168.0.5",
        "",
        "localhost@evil",
        "[",
    ):
        assert await status(client, Host=host) == 403, host
        assert await status(client, "/", Host=host) == 403, host


async def test_only_our_own_pages_may_send_requests(client: httpx.AsyncClient) -> None:
    ours = {"Host": "localhost:8400"}
    assert await status(client, Origin="http://localhost:8400", **ours) == 200
    for origin in (
        "http://evil.example",
        "http://localhost:9999",
        "http://localhost",
        "null",
        "file://",
        "http://[",
        "",
    ):
        assert await status(client, Origin=origin, **ours) == 403, origin
        assert await status(client, "/api/games", Origin=origin, **ours) == 403, origin
    for site, allowed in (("same-origin", 200), ("none", 200), ("cross-site", 403), ("same-site", 403)):
        assert await status(client, Sec_Fetch_Site=site) == allowed
        assert await status(client, "/api/agents", Sec_Fetch_Site=site) == allowed
    assert await status(client, "/", Sec_Fetch_Site="cross-site") != 403  # a link from elsewhere may lead here
    form = await client.post("/api/position", data=RULES)  # possible content of a form on another page
    assert form.status_code in (415, 422)


def test_sockets_of_other_pages_are_refused() -> None:
    app = create_app()
    app.state.services = None  # no analysis is requested
    client, address = TestClient(app), "ws://127.0.0.1:8400/api/analysis"
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:8401"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        with pytest.raises(WebSocketDisconnect) as closed, client.websocket_connect(address, headers=headers):
            pass
        assert closed.value.code == 1008  # a browser reports it as status 403
    with client.websocket_connect(address, headers={"Origin": "http://127.0.0.1:8400"}):
        pass


async def test_other_machines_need_the_token_once(tmp_path: Path) -> None:
    async with application(tmp_path, token=TOKEN, host="0.0.0.0") as client:
        assert await status(client) == 403
        assert await status(client, "/") == 403
        assert await status(client, "/static/app.js") == 403
        for wrong in ("", "x", TOKEN[:-1], TOKEN + "x", "é"):
            assert await status(client, f"/api/health?token={wrong}") == 403
        answer = await client.get(f"/api/health?token={TOKEN}")
        assert (answer.status_code, answer.json()["token"]) == (200, TOKEN)
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert await status(client) == 200  # by the cookie
        client.cookies.clear()
        assert await status(client) == 403
        assert await status(client, Cookie=cookie.replace(TOKEN, "wrong").partition(";")[0]) == 403
        # Numeric hosts need no name server; a host name may have been pointed here by an attacker.
        for host, code in (("192.168.0.5:8400", 200), ("evil.example", 403)):
            assert await status(client, Cookie=cookie.partition(";")[0], Host=host) == code


@pytest.mark.heavy
async def test_guests_have_their_own_limited_saved_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_MOST_OF_GUEST", 2)
    asked = {"name": "mine", "game": document("tic-tac-toe", node("B2"))}

    async with application(tmp_path, token=TOKEN, host="0.0.0.0", owner_token="the-owner-s-token") as client:
        browsers = [httpx.AsyncClient(transport=client._transport, base_url=client.base_url) for _ in range(3)]
        for browser, token in zip(browsers, (TOKEN, TOKEN, "the-owner-s-token"), strict=True):
            assert (await browser.get(f"/?token={token}")).status_code == 200
        ids = [(await browser.post("/api/games", json=asked)).json()["id"] for browser in browsers]
        for number, browser in enumerate(browsers):
            assert [each["id"] for each in (await browser.get("/api/games")).json()] == [ids[number]]
            other = f"/api/games/{ids[number - 1]}"
            for answer in (await browser.get(other), await browser.put(other, json=asked), await browser.delete(other)):
                assert answer.status_code == 404
            await browser.get(f"/?token={TOKEN}")  # the address once more changes nothing
            assert len((await browser.get("/api/games")).json()) == 1
        for browser, last in zip(browsers, (422, 422, 200), strict=True):
            assert [(await browser.post("/api/games", json=asked)).status_code for _ in range(2)] == [200, last]
            await browser.aclose()


def test_without_a_token_only_local_addresses_are_bound() -> None:
    here = listen("127.0.0.1", 0, 8400)
    there = listen("0.0.0.0", 0, 8400)
    try:
        assert here.token is None
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", here.address)
        assert there.token is not None
        assert len(there.token) >= 32
        assert there.address.endswith(f"/?token={there.token}")
        port = here.socket.getsockname()[1]
        with pytest.raises(NoughtsError, match=f"127.0.0.1:{port} cannot be listened at .* --port"):
            listen("127.0.0.1", port, 8400)
        other = listen("127.0.0.1", None, port)  # the usual one is taken
        assert other.socket.getsockname()[1] != port
        other.socket.close()
    finally:
        here.socket.close()
        there.socket.close()
    with pytest.raises(NoughtsError, match="is no address of this machine"):
        listen("no.such.host.invalid", 0, 8400)
    with pytest.raises(NoughtsError, match=r"cannot be listened at .*: choose another --host$"):
        listen("192.0.2.1", 0, 8400)


def test_which_addresses_are_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "localhost", "::1", "[::1]")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.0.1", "example.org", "")))


async def test_large_bodies_are_rejected_with_or_without_a_length(client: httpx.AsyncClient) -> None:
    async def pieces() -> Any:
        yield b"{}"

    kind = {"Content-Type": "application/json"}
    for answer in (
        await client.post("/api/position", content=b" " * 65_537, headers=kind),
        await client.post("/api/position", content=pieces(), headers=kind),  # without a declared size
        await client.post("/api/games", content=b" " * (4 * 2**20 + 1), headers=kind),
        await client.post("/api/position", content=b"{}", headers=kind | {"Content-Length": "-1"}),
    ):
        assert "too large" in refused(answer, 413)
    assert (await client.post("/api/games", content=b" " * 70_000, headers=kind)).status_code == 400
