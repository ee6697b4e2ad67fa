"""`Classroom`: the class that a server holds: who is in it, who is there now, and how one joins.

Everything is in memory, where the event loop alone changes it, and each change is in the store before anybody hears of it.
"""

import asyncio
import hmac
import secrets
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from noughts.classroom.values import (
    Kept,
    KeptClass,
    KeptPupil,
    clean_nickname,
    hashed,
    moment,
    new_code,
    read_code,
    same_nickname,
)
from noughts.store.class_records import ClassRecord, ClassRecords
from noughts.web.errors import Refused
from noughts.web.limits import Limits

KeptT = TypeVar("KeptT", bound=Kept)

JOIN_PAGE = "/join"
"""The page for those who are not in the class yet."""

MOST_PUPILS = 100
_WRONG_SECONDS = 1.0  # for which a machine that gave a wrong code may give no other
_CLASS, _PUPIL = "class", "pupil"


def open_class(records: ClassRecords) -> tuple[str, KeptClass]:
    """The class that goes on, by its id: the last one, unless it was closed; then a new one."""
    last = next(reversed(records.of_kind(_CLASS)), None)
    if last is not None and not (kept := KeptClass.from_json(last.document)).closed:
        return last.class_id, kept
    class_id, made = secrets.token_hex(6), KeptClass(code=new_code(), begun=moment())
    records.put(ClassRecord(class_id, _CLASS, "", made.to_json()))
    return class_id, made


def join_address(base: str, code: str) -> str:
    """The address at which one joins a class, with its code; `base` is that of the page."""
    return f"{base.rstrip('/')}{JOIN_PAGE}?code={code}"


class Classroom:
    """The class.

    Attributes:
        limits: How much the page may be asked for.
        address: Of the page, as pupils reach it.
        pupils: By id, those who were removed, too.
        listeners: Called when something has changed: with the id of a game, or with none for anything else.
        turn: Held while something is changed: one change comes after the other.
    """

    def __init__(self, records: ClassRecords, limits: Limits, address: str) -> None:
        """Go on with the class of a store, or begin one.

        Raises:
            StoreError: it cannot be read or written, or another server holds it.
        """
        self._records, self.limits, self.address = records, limits, address
        self._id, self._kept = open_class(records)
        self._lock = records.lock(self._id)
        self._found = records.all(self._id)
        self.pupils = self.read(_PUPIL, KeptPupil)
        self._by_token = {pupil.token: id for id, pupil in self.pupils.items()}
        self.listeners: list[Callable[[str], None]] = []
        self.turn = asyncio.Lock()
        self._present: Counter[str] = Counter()
        self._wrong: dict[str, float] = {}  # when each machine last gave a wrong code
        self._writer = ThreadPoolExecutor(1, "noughts-class")

    @property
    def id(self) -> str:
        """Of the class."""
        return self._id

    @property
    def code(self) -> str:
        """By which one joins."""
        return self._kept.code

    @property
    def is_closed(self) -> bool:
        """Whether no pupil is let in."""
        return self._kept.closed

    @property
    def assignment_id(self) -> str:
        """Of what is to be done; empty for nothing."""
        return self._kept.assignment

    def who_has(self, token: str) -> str | None:
        """The pupil who has a token; None for none, or if the class is closed."""
        pupil = self._by_token.get(hashed(token))
        return None if pupil is None or self.is_closed or self.pupils[pupil].removed else pupil

    def nickname(self, pupil_id: str) -> str:
        """What a pupil is called, also one who was removed."""
        return self.pupils[pupil_id].nickname if pupil_id in self.pupils else "unknown"

    def is_there(self, pupil_id: str) -> bool:
        """Whether a pupil has the page open."""
        return self._present[pupil_id] > 0

    def come(self, pupil_id: str, pages: int = 1) -> None:
        """A pupil has opened a page; closed one, for -1."""
        self._present[pupil_id] += pages
        self.tell()

    async def join(self, code: str, nickname: str, address: str) -> tuple[str, str]:
        """Let a pupil in; gives the pupil's id and token.

        Args:
            code: As it was typed.
            nickname: Likewise.
            address: Of the machine.

        Raises:
            Refused: the code is wrong, the nickname cannot be had, or the class is full or closed.
        """
        now = time.monotonic()
        self._wrong = {machine: when for machine, when in self._wrong.items() if now - when < _WRONG_SECONDS}
        if address in self._wrong:
            raise Refused(429, "code: a wrong one came from your machine just now: wait a second", retry=1)
        if not hmac.compare_digest(read_code(code).encode("utf-8", "replace"), self.code.encode()):
            self._wrong[address] = now
            raise Refused(422, "code: this is not the class's code; it is on the teacher's page")
        if self.is_closed:
            raise Refused(422, "the class is closed: ask your teacher")
        token = secrets.token_urlsafe(24)
        async with self.turn:
            name = self._free(nickname, "")
            if sum(not pupil.removed for pupil in self.pupils.values()) >= MOST_PUPILS:
                raise Refused(422, f"the class is full: it has {MOST_PUPILS} pupils")
            pupil_id = secrets.token_hex(4)
            await self._put_pupil(pupil_id, KeptPupil(nickname=name, token=hashed(token), joined=moment()))
        return pupil_id, token

    async def change_pupil(self, pupil_id: str, nickname: str | None = None, removed: bool | None = None) -> None:
        """Rename, remove or take back a pupil; what the pupil did is kept. Refused if that nickname cannot be had.

        Args:
            pupil_id: Of the pupil.
            nickname: As it was typed; None for the one that the pupil has.
            removed: Whether the pupil is let in no more; None to leave that as it is.
        """
        async with self.turn:
            if pupil_id not in self.pupils:
                raise Refused(404, f"there is no pupil {pupil_id[:40]!r} in the class")
            pupil = self.pupils[pupil_id]
            away = pupil.removed if removed is None else removed
            name = pupil.nickname if away else self._free(nickname or pupil.nickname, pupil_id)
            await self._put_pupil(pupil_id, pupil.model_copy(update={"nickname": name, "removed": away}))

    async def change_class(self, **changed: object) -> None:
        """Close the class or open it again (`closed`), or say what is to be done (`assignment`). The turn is the caller's."""
        kept = self._kept.model_copy(update=changed)
        await self.keep(_CLASS, "", kept)
        self._kept = kept
        self.tell()

    def read(self, kind: str, value: type[KeptT]) -> dict[str, KeptT]:
        """The records of a kind that were there when the server began, by id."""
        return {each.id: value.from_json(each.document) for each in self._found if each.kind == kind}

    async def keep(self, kind: str, id: str, value: Kept) -> None:
        """Write a record of the class; it is on the disk when this returns."""
        record = ClassRecord(self._id, kind, id, value.to_json())
        await asyncio.get_running_loop().run_in_executor(self._writer, self._records.put, record)

    def tell(self, game_id: str = "") -> None:
        """Call the listeners: a game has changed, or, without an id, anything else."""
        for listener in list(self.listeners):
            listener(game_id)

    def close(self) -> None:
        """At the end of the server."""
        self._writer.shutdown()
        self._lock.release(done=True)

    async def _put_pupil(self, pupil_id: str, pupil: KeptPupil) -> None:
        await self.keep(_PUPIL, pupil_id, pupil)
        self.pupils[pupil_id] = pupil
        self._by_token[pupil.token] = pupil_id
        self.tell()

    def _free(self, nickname: str, pupil_id: str) -> str:
        """A nickname, cleaned; Refused if another pupil has it."""
        name = clean_nickname(nickname)
        for other, pupil in self.pupils.items():
            if other != pupil_id and not pupil.removed and same_nickname(pupil.nickname, name):
                raise Refused(422, f"nickname: a pupil in the class is called {pupil.nickname!r} already")
        return name
