"""`Visitors`: who asks, by what the cookie or the address says: the owner, a guest, a pupil of the class, or nobody.

A guest's cookie holds the token that all guests share, a dot, and a secret of this browser's own: whose games it keeps.
"""

import hmac
import re
import secrets
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from hashlib import blake2b
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers

VISITOR = "noughts.visitor"
"""Where the scope of a request says who asks."""

JOIN_PAGE = "/join"
"""The page for those who are not in the class yet."""

_KEPT_SECONDS = 180 * 24 * 3600  # for which a browser remembers whose games are its own
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,64}")
_OPEN_TO_ALL = (JOIN_PAGE, "/api/class/me", "/api/class/join")


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks.

    Attributes:
        is_owner: Whether all may be started, and the class is led.
        keeper: Whose saved games are meant; empty for the owner's.
        pupil: Of the class; empty for others.
    """

    is_owner: bool = False
    keeper: str = ""
    pupil: str = ""

    @property
    def is_admitted(self) -> bool:
        """Whether it is anybody."""
        return self.is_owner or bool(self.keeper)


OWNER = Visitor(is_owner=True)
NOBODY = Visitor()


class Visitors:
    """How visitors are told apart.

    Attributes:
        all_are_owner: Whether there is no token at all, since only this machine can ask.
        in_class: Whether there is a class: then guests are let in by joining it alone.
    """

    def __init__(self, token: str | None, owner_token: str | None, in_class: bool) -> None:
        """
        Args:
            token: What guests must know; None for no guests.
            owner_token: What the owner knows instead; None for nobody, where there is a token.
            in_class: Whether there is a class.
        """
        self._token, self._owner_token = token, owner_token
        self.in_class = in_class
        self.all_are_owner = token is None and owner_token is None

    def recognise(
        self, scope: MutableMapping[str, Any], headers: Headers, pupil: Callable[[str], Visitor | None]
    ) -> tuple[Visitor, str | None]:
        """Who asks, and the cookie that is to be set, if one is.

        Args:
            scope: Of the request.
            headers: Its headers.
            pupil: Who has a pupil's token; None for nobody.
        """
        if self.all_are_owner:
            return OWNER, None
        kept, _, secret = _kept(scope, headers).partition(".")
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        for said in (kept, given):  # whoever has both is the owner
            if _same(said, self._owner_token):
                return OWNER, None if said == kept else cookie(scope, said, None)
        for said in (kept, given):
            if _same(said, self._token):
                if said == kept and _SECRET.fullmatch(secret):
                    return _guest(secret), None
                secret = secret if _SECRET.fullmatch(secret) else secrets.token_urlsafe(24)
                return _guest(secret), cookie(scope, f"{said}.{secret}", _KEPT_SECONDS)
        for said in (given, kept) if self.in_class else ():
            found = pupil(said) if said else None
            if found is not None:
                return found, None if said == kept else cookie(scope, said, _KEPT_SECONDS)
        return NOBODY, None

    def may_see(self, path: str) -> bool:
        """Whether a path is open to those who are nobody yet."""
        return self.in_class and (path in _OPEN_TO_ALL or path.startswith("/static/"))


def cookie(scope: MutableMapping[str, Any], value: str, seconds: int | None = _KEPT_SECONDS) -> str:
    """The Set-Cookie header by which a browser is known later; for how long, or None until it is closed."""
    lasting = "" if seconds is None else f"; Max-Age={seconds}"
    return f"{_cookie_name(scope)}={value}; HttpOnly; SameSite=Strict; Path=/{lasting}"


def _cookie_name(scope: MutableMapping[str, Any]) -> str:
    return f"noughts-{scope['server'][1] if scope.get('server') else 0}"  # cookies do not tell ports apart


def _kept(scope: MutableMapping[str, Any], headers: Headers) -> str:
    """What the cookie says."""
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load(headers.get("cookie", ""))
    except CookieError:
        return ""
    name = _cookie_name(scope)
    return jar[name].value if name in jar else ""


def _guest(secret: str) -> Visitor:
    return Visitor(keeper="guest-" + blake2b(secret.encode(), digest_size=12).hexdigest())


def _same(said: str, known: str | None) -> bool:
    return known is not None and hmac.compare_digest(said.encode("utf-8", "replace"), known.encode())
