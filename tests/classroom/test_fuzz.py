"""The server of a class answers every request as described, never with an internal error."""

from contextlib import ExitStack
from pathlib import Path

import pytest
import schemathesis
from schemathesis.core.result import Ok

from noughts.classroom.values import KeptClass
from noughts.store.class_records import ClassRecord
from noughts.store.results import Store
from tests.classroom.classes import class_server
from tests.web.test_server_fuzz import ask_all

CLASS = "/api/class"
OF_PUPILS = ("/solved", "/assignment/begin", "/games")
"""Routes for pupils, and not for the teacher."""


@pytest.mark.heavy
def test_class_routes_match_their_description(tmp_path: Path) -> None:
    """Requests of the teacher, of a pupil, and of somebody who joins."""
    code = "K7M2QX"  # as in the description
    with Store.open(str(tmp_path / "store")) as store:
        kept_class = KeptClass(code=code, begun="2024-01-01T00:00:00+00:00")
        store.class_records.put(ClassRecord("c", "class", "", kept_class.to_json()))
    with ExitStack() as stack:
        lesson = stack.enter_context(class_server(tmp_path))
        teacher, one, other, third = (stack.enter_context(lesson.server.client()) for _ in range(4))
        assert lesson.code == code
        teacher.get(lesson.teach.partition("#")[0])
        for client, name in ((one, "One"), (other, "Other"), (third, "Third")):
            assert client.post("/api/class/join", json={"code": code, "nickname": name}).status_code == 200
        pupil = third.get("/api/class").json()["me"]

        games: list[str] = []

        def kept(path: str) -> dict[str, str]:
            """A pupil, or a game in a state in which the route can act."""
            if "/pupils/" in path:
                return {"id": pupil}
            while games:
                one.post(f"/api/class/games/{games.pop()}/resign")
            made = {"rules": "tic-tac-toe", "begins": "me"}
            maker, taker = (other, one) if path.endswith("/take") else (one, other)
            game: str = maker.post("/api/class/games", json=made).json()["id"]
            games.append(game)
            if not path.endswith(("}", "/take")):
                taker.post(f"/api/class/games/{game}/take")
            return {"id": game}

        schema = schemathesis.openapi.from_dict(teacher.get("/api/openapi.json").json())
        schema.config.update(base_url=str(teacher.base_url))
        operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
        ours = [each for each in operations if each.path.startswith(CLASS)]
        assert len(ours) == 14
        for operation in ours:
            teacher.put("/api/class", json={"closed": False})
            teacher.put("/api/class/assignment", json={"kind": "game", "rules": "tic-tac-toe", "agent": "random"})
            path = operation.path.removeprefix(CLASS)
            by = one if path.startswith(OF_PUPILS) else teacher
            cookies = "; ".join(f"{name}={value}" for name, value in by.cookies.items())
            ask_all([operation], 6, kept, **({} if path == "/join" else {"Cookie": cookies}))
        errors = lesson.server.log.read_text()
        assert "Traceback" not in errors
        assert "Error" not in errors
