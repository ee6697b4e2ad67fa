"""Who asks, where there is a class: its teacher, who is the owner, a pupil by the cookie that joining gave, or a stranger."""

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import Headers

from noughts.classroom.room import JOIN_PAGE, Classroom
from noughts.web.errors import Refused
from noughts.web.visitors import STRANGER, Visitor, Visitors, kept_by_browser

_OPEN = (JOIN_PAGE, "/api/class/me", "/api/class/join")
_OPEN_FOLDERS = ("/static/", "/class/")


@dataclass(frozen=True)
class Pupil(Visitor):
    """A pupil of the class, by the `id` that the class knows."""

    id: str = ""


class ClassVisitors(Visitors):
    """Lets strangers see how to join, and nothing else."""

    def recognise(self, scope: MutableMapping[str, Any], headers: Headers) -> tuple[Visitor, str | None]:
        """See `Visitors`."""
        visitor, cookie = super().recognise(scope, headers)
        if visitor is STRANGER:
            room: Classroom = scope["app"].state.school_class.room
            pupil = room.who_has(kept_by_browser(scope, headers))
            if pupil is not None:
                return Pupil(keeper=f"class-{room.id}-{pupil}", client=pupil, id=pupil), None
        return visitor, cookie

    def answer_stranger(self, scope: MutableMapping[str, Any]) -> Response | None:
        """See `Visitors`: who opens the page is led to the one for joining."""
        path = scope["path"]
        if scope["type"] == "http" and path == "/" and scope["method"] in ("GET", "HEAD"):
            return RedirectResponse(JOIN_PAGE, 307)
        if path in _OPEN or path.startswith(_OPEN_FOLDERS):
            return None
        raise Refused(403, f"this is a class: open {JOIN_PAGE} at this address, and join it first")


def pupil_id(visitor: Visitor) -> str:
    """The id of a pupil; empty for other visitors."""
    return visitor.id if isinstance(visitor, Pupil) else ""
