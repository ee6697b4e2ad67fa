"""`Visitors`: whether a request is the owner's, a guest's or a stranger's, by its cookie or its address.

A guest's cookie holds the token that all guests share, a dot, and a secret of this browser's own, which marks its games.
"""

import hmac
import re
import secrets
from dataclasses import dataclass
from hashlib import blake2b

from fastapi.requests import HTTPConnection
from fastapi.responses import Response
from starlette.types import Scope

from noughts.web.errors import Refused

VISITOR = "noughts.visitor"
"""The key of the `Visitor` in the scope of a request."""

_KEPT_SECONDS = 180 * 24 * 3600  # for which a browser remembers whose games are its own
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,64}")


@dataclass(frozen=True)
class Visitor:
    """The sender of a request.

    Attributes:
        is_owner: Whether this visitor may start everything.
        keeper: Whose saved games are meant; empty for the owner's.
        client: The name under which requests are counted, for limits; empty for the address, since a guest may have many cookies.
    """

    is_owner: bool = False
    keeper: str = ""
    client: str = ""

    @property
    def is_admitted(self) -> bool:
        """Whether this visitor is known."""
        return self.is_owner or bool(self.keeper)


OWNER = Visitor(is_owner=True)
STRANGER = Visitor()


class Visitors:
    """How visitors are recognised.

    Attributes:
        all_are_owner: Whether there is no token at all, since only this machine can ask.
    """

    def __init__(self, token: str | None = None, owner_token: str | None = None) -> None:
        """
        Args:
            token: What guests must know; None for no guests.
            owner_token: What the owner knows instead; None for no owner, where there is a token.
        """
        self._token, self._owner_token = token, owner_token
        self.all_are_owner = token is None and owner_token is None

    def recognise(self, scope: Scope) -> tuple[Visitor, str | None]:
        """The visitor, and the cookie to set, if any."""
        if self.all_are_owner:
            return OWNER, None
        kept, _, secret = kept_by_browser(scope).partition(".")
        given = HTTPConnection(scope).query_params.get("token", "")
        for token in (kept, given):  # a browser that has both is the owner's
            if _same(token, self._owner_token):
                return OWNER, None if token == kept else cookie(scope, token, None)
        for token in (kept, given):
            if _same(token, self._token):
                if token == kept and _SECRET.fullmatch(secret):
                    return _guest(secret), None
                secret = secret if _SECRET.fullmatch(secret) else secrets.token_urlsafe(24)
                return _guest(secret), cookie(scope, f"{token}.{secret}")
        return STRANGER, None

    def answer_stranger(self, scope: Scope) -> Response | None:
        """An answer for a stranger instead of the requested one; None to give that one. Here: Refused, always."""
        raise Refused(403, "the address lacks its token: use the whole address that `noughts serve` printed")


def cookie(scope: Scope, value: str, seconds: int | None = _KEPT_SECONDS) -> str:
    """The Set-Cookie header by which a browser is known later; for how long, or None until it is closed."""
    lasting = "" if seconds is None else f"; Max-Age={seconds}"
    return f"{_cookie_name(scope)}={value}; HttpOnly; SameSite=Strict; Path=/{lasting}"


def _cookie_name(scope: Scope) -> str:
    return f"noughts-{scope['server'][1] if scope.get('server') else 0}"  # a cookie is for all ports of a host


def kept_by_browser(scope: Scope) -> str:
    """The value of the cookie that was set before; empty for none."""
    return HTTPConnection(scope).cookies.get(_cookie_name(scope), "")


def _guest(secret: str) -> Visitor:
    return Visitor(keeper="guest-" + blake2b(secret.encode(), digest_size=12).hexdigest())


def _same(given: str, known: str | None) -> bool:
    return known is not None and hmac.compare_digest(given.encode("utf-8", "replace"), known.encode())
