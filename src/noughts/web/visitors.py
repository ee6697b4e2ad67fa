"""`Visitors`: recognises by cookie or address whether the owner, a guest or a stranger sends a request.

A guest's cookie contains the token that all guests share, a dot, and a secret of this browser, which identifies its games.
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

_KEPT_SECONDS = 180 * 24 * 3600  # how long a browser keeps the cookie that identifies its games
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,64}")


@dataclass(frozen=True)
class Visitor:
    """The sender of a request.

    Attributes:
        is_owner: Whether this visitor may start all kinds of work.
        keeper: The name under which this visitor's games are saved; empty for the owner.
        client: The name for counting requests; if empty, the network address counts, because a guest may have many cookies.
    """

    is_owner: bool = False
    keeper: str = ""
    client: str = ""

    @property
    def is_admitted(self) -> bool:
        """Whether this visitor is the owner or a guest."""
        return self.is_owner or bool(self.keeper)


OWNER = Visitor(is_owner=True)
STRANGER = Visitor()


class Visitors:
    """Recognises visitors by their tokens.

    Attributes:
        token: The guests' token; None for no guests.
        all_are_owner: Whether there is no token, because only this machine can send requests.
    """

    def __init__(self, token: str | None = None, owner_token: str | None = None) -> None:
        """
        Args:
            token: The guests' token; None for no guests.
            owner_token: The owner's token. If it is None and `token` is not, no visitor is the owner.
        """
        self.token, self._owner_token = token, owner_token
        self.all_are_owner = token is None and owner_token is None

    def recognise(self, scope: Scope) -> tuple[Visitor, str | None]:
        """Return the visitor, and the Set-Cookie header to send, if any."""
        if self.all_are_owner:
            return OWNER, None
        kept, _, secret = kept_by_browser(scope).partition(".")
        given = HTTPConnection(scope).query_params.get("token", "")
        for token in (kept, given):  # a browser with both tokens is the owner's
            if _same(token, self._owner_token):
                return OWNER, None if token == kept else cookie(scope, token, None)
        for token in (kept, given):
            if _same(token, self.token):
                if token == kept and _SECRET.fullmatch(secret):
                    return _guest(secret), None
                secret = secret if _SECRET.fullmatch(secret) else secrets.token_urlsafe(24)
                return _guest(secret), cookie(scope, f"{token}.{secret}")
        return STRANGER, None

    def answer_stranger(self, scope: Scope) -> Response | None:
        """Return a response for a stranger in place of the requested one, or None for that one. Here: always raises Refused."""
        raise Refused(403, "the address lacks its token: use the whole address that `noughts serve` printed")


def cookie(scope: Scope, value: str, seconds: int | None = _KEPT_SECONDS) -> str:
    """Return the Set-Cookie header that identifies a browser later, for `seconds`, or until it is closed if None."""
    lasting = "" if seconds is None else f"; Max-Age={seconds}"
    return f"{_cookie_name(scope)}={value}; HttpOnly; SameSite=Strict; Path=/{lasting}"


def _cookie_name(scope: Scope) -> str:
    return f"noughts-{scope['server'][1] if scope.get('server') else 0}"  # all ports of a host share cookies


def kept_by_browser(scope: Scope) -> str:
    """Return the value of the cookie that was set before; empty if there is none."""
    return HTTPConnection(scope).cookies.get(_cookie_name(scope), "")


def _guest(secret: str) -> Visitor:
    return Visitor(keeper="guest-" + blake2b(secret.encode(), digest_size=12).hexdigest())


def _same(given: str, known: str | None) -> bool:
    return known is not None and hmac.compare_digest(given.encode("utf-8", "replace"), known.encode())
