"""`Visitors`: who asks, by what the cookie or the address says: the owner, a guest, or a stranger.

A guest's cookie holds the token that all guests share, a dot, and a secret of this browser's own: whose games it keeps.
"""

import hmac
import re
import secrets
from collections.abc import MutableMapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from fastapi.requests import HTTPConnection
from fastapi.responses import Response

from noughts.web.errors import Refused

VISITOR = "noughts.visitor"
"""Where the scope of a request says who asks."""

_KEPT_SECONDS = 180 * 24 * 3600  # for which a browser remembers whose games are its own
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,64}")


@dataclass(frozen=True)
class Visitor:
    """Who asks.

    Attributes:
        is_owner: Whether this visitor may start everything.
        keeper: Whose saved games are meant; empty for the owner's.
        client: By what this visitor is counted, for limits; empty for the address, since a guest may have many cookies.
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
    """How visitors are told apart.

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

    def recognise(self, scope: MutableMapping[str, Any]) -> tuple[Visitor, str | None]:
        """Who asks, and the cookie that is to be set, if one is."""
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

    def answer_stranger(self, scope: MutableMapping[str, Any]) -> Response | None:
        """What a stranger gets instead of what was asked for; None to give that. Refused, unless strangers are let in somewhere."""
        raise Refused(403, "the address lacks its token: use the whole address that `noughts serve` printed")


def cookie(scope: MutableMapping[str, Any], value: str, seconds: int | None = _KEPT_SECONDS) -> str:
    """The Set-Cookie header by which a browser is known later; for how long, or None until it is closed."""
    lasting = "" if seconds is None else f"; Max-Age={seconds}"
    return f"{_cookie_name(scope)}={value}; HttpOnly; SameSite=Strict; Path=/{lasting}"


def _cookie_name(scope: MutableMapping[str, Any]) -> str:
    return f"noughts-{scope['server'][1] if scope.get('server') else 0}"  # cookies do not tell ports apart


def kept_by_browser(scope: MutableMapping[str, Any]) -> str:
    """The value of the cookie that was set before; empty for none."""
    return HTTPConnection(scope).cookies.get(_cookie_name(scope), "")


def _guest(secret: str) -> Visitor:
    return Visitor(keeper="guest-" + blake2b(secret.encode(), digest_size=12).hexdigest())


def _same(said: str, known: str | None) -> bool:
    return known is not None and hmac.compare_digest(said.encode("utf-8", "replace"), known.encode())
