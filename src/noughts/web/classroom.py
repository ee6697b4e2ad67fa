"""`Classroom`: the class that a server holds: who is in it, who is there now, and how one joins.

Everything is in memory, where the event loop alone changes it, and each change is in the store before anybody is told.
"""

import asyncio
import hmac
import ipaddress
import secrets
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from noughts.rules import Value
from noughts.store.class_records import ClassRecord, ClassRecords
from noughts.web.class_values import (
    KeptClass,
    KeptPupil,
    clean_nickname,
    hashed,
    moment,
    new_code,
    read_code,
    same_nickname,
)
from noughts.web.errors import Refused
from noughts.web.limits import Limits
from noughts.web.visitors import JOIN_PAGE, Visitor

KeptT = TypeVar("KeptT", bound=Value)

_WRONG_CODES, _WRONG_SECONDS = 10, 10.0  # that one machine may give at once, and until it may give another
_JOINS, _JOIN_SECONDS = 60, 5.0  # likewise, of joining: a school may look like one machine
_REMEMBERED = 10_000  # machines
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
    """The address at which one joins a class, with its code.

    Args:
        base: Of the page.
        code: By which one joins.
    """
    return f"{base.rstrip('/')}{JOIN_PAGE}#/class?code={code}"


class Tries:
    """How often each machine may try something: so often at once, then once in so many seconds."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._used: dict[str, tuple[float, float]] = {}  # how many were used up, and when that was so

    def check(self, address: str) -> None:
        """Refused if a machine has tried too often; nothing of what it says is looked at then."""
        used = self._now(_network(address))
        if used > self._most - 1:
            wait = int((used - self._most + 1) * self._seconds) + 1
            raise Refused(429, f"too many tries from your machine: wait {wait} s, then try again", retry=wait)

    def count(self, address: str) -> None:
        """Note a try."""
        name = _network(address)
        used = self._now(name)
        if len(self._used) >= _REMEMBERED:
            self._used = {each: found for each, found in self._used.items() if self._now(each) > 0}
        self._used[name] = (used + 1, self._clock())

    def _now(self, name: str) -> float:
        used, since = self._used.get(name, (0.0, 0.0))
        return max(0.0, used - (self._clock() - since) / self._seconds)


class Classroom:
    """The class.

    Attributes:
        limits: How much there may be of everything.
        address: Of the page, as pupils reach it.
        pupils: By id, those who were removed, too.
        listeners: Called when something has changed: with the id of a game, or with none for anything else.
        turn: Held while something is changed that is no game.
    """

    def __init__(self, records: ClassRecords, limits: Limits, address: str) -> None:
        """Go on with the class of a store, or begin one.

        Args:
            records: Where it is kept.
            limits: How much there may be of everything.
            address: Of the page, as pupils reach it.

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
        self._wrong, self._joins = Tries(_WRONG_CODES, _WRONG_SECONDS), Tries(_JOINS, _JOIN_SECONDS)
        self._writer = ThreadPoolExecutor(1, "noughts-class")
        self._unwritten: list[tuple[ClassRecord, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    @property
    def code(self) -> str:
        """By which one joins."""
        return self._kept.code

    @property
    def join_address(self) -> str:
        """Where one joins, with the code."""
        return join_address(self.address, self.code)

    @property
    def is_closed(self) -> bool:
        """Whether nobody is let in."""
        return self._kept.closed

    @property
    def assignment_id(self) -> str:
        """Of what is to be done; empty for nothing."""
        return self._kept.assignment

    def visitor(self, token: str) -> Visitor | None:
        """Who has a token; None for nobody, or if the class is closed."""
        pupil = self._by_token.get(hashed(token))
        if pupil is None or self.is_closed or self.pupils[pupil].removed:
            return None
        return Visitor(keeper=f"class-{self._id}-{pupil}", pupil=pupil)

    def pupil(self, pupil_id: str) -> KeptPupil:
        """A pupil who was not removed; Refused if there is none."""
        found = self.pupils.get(pupil_id)
        if found is None or found.removed:
            raise Refused(404, f"there is no pupil {pupil_id[:40]!r} in the class")
        return found

    def nickname(self, pupil_id: str) -> str:
        """What a pupil is called, also one who was removed."""
        return self.pupils[pupil_id].nickname if pupil_id in self.pupils else "somebody"

    def is_there(self, pupil_id: str) -> bool:
        """Whether a pupil has the page open."""
        return self._present[pupil_id] > 0

    def come(self, pupil_id: str) -> None:
        """A pupil has opened the page."""
        self._present[pupil_id] += 1
        self.tell()

    def go(self, pupil_id: str) -> None:
        """A pupil has closed one page."""
        self._present[pupil_id] -= 1
        self.tell()

    async def join(self, code: str, nickname: str, address: str) -> tuple[str, str]:
        """Let somebody in; gives the pupil's id and token.

        Args:
            code: As it was typed.
            nickname: Likewise.
            address: Of the machine; wrong codes from one are slowed.

        Raises:
            Refused: the code is wrong, the nickname cannot be had, or the class is full or closed.
        """
        self._wrong.check(address)
        self._joins.check(address)
        if not hmac.compare_digest(read_code(code).encode("utf-8", "replace"), self.code.encode()):
            self._wrong.count(address)
            raise Refused(422, "code: this is not the class's code; it is on the teacher's page")
        if self.is_closed:
            raise Refused(422, "the class is closed: ask your teacher")
        token = secrets.token_urlsafe(24)
        async with self.turn:
            name = self._free(nickname, "")
            if sum(not pupil.removed for pupil in self.pupils.values()) >= self.limits.pupils:
                raise Refused(422, f"the class is full: it has {self.limits.pupils} pupils")
            self._joins.count(address)
            pupil_id = secrets.token_hex(4)
            await self._put_pupil(pupil_id, KeptPupil(nickname=name, token=hashed(token), joined=moment()))
        return pupil_id, token

    async def rename(self, pupil_id: str, nickname: str) -> None:
        """Call a pupil something else; Refused if that nickname cannot be had."""
        async with self.turn:
            pupil = self.pupil(pupil_id)
            await self._put_pupil(pupil_id, pupil.model_copy(update={"nickname": self._free(nickname, pupil_id)}))

    async def remove(self, pupil_id: str) -> None:
        """Remove a pupil, who is then let in no more; what the pupil did is kept."""
        async with self.turn:
            await self._put_pupil(pupil_id, self.pupil(pupil_id).model_copy(update={"removed": True}))

    async def take_back(self, pupil_id: str) -> None:
        """Undo the removal of a pupil; Refused if there is none, or another one has the nickname by now."""
        async with self.turn:
            pupil = self.pupils.get(pupil_id)
            if pupil is None:
                raise Refused(404, f"there is no pupil {pupil_id[:40]!r} in the class")
            name = self._free(pupil.nickname, pupil_id)
            await self._put_pupil(pupil_id, pupil.model_copy(update={"removed": False, "nickname": name}))

    async def new_link(self, pupil_id: str) -> str:
        """An address with which a pupil comes back on another machine; the pupil's token of before is void."""
        token = secrets.token_urlsafe(24)
        async with self.turn:
            pupil = self.pupil(pupil_id)
            await self._put_pupil(pupil_id, pupil.model_copy(update={"token": hashed(token)}))
        return f"{self.address.rstrip('/')}/?token={token}#/class"

    async def close_class(self, closed: bool) -> None:
        """Close the class, or open it again."""
        async with self.turn:
            await self._put_class(closed=closed)

    async def assign(self, assignment_id: str) -> None:
        """Say what is to be done; empty for nothing. The turn is the caller's."""
        await self._put_class(assignment=assignment_id)

    def read(self, kind: str, value: type[KeptT]) -> dict[str, KeptT]:
        """The records of a kind that were there when the server began, by id."""
        return {each.id: value.from_json(each.document) for each in self._found if each.kind == kind}

    async def keep(self, kind: str, id: str, value: Value) -> None:
        """Write a record of the class; it is on the disk when this returns. No other one writes the same record meanwhile."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._unwritten.append((ClassRecord(self._id, kind, id, value.to_json()), written))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        await written

    async def _write(self) -> None:
        """Write what waits, all of it at once: the disk takes as long for many records as for one."""
        loop = asyncio.get_running_loop()
        while self._unwritten:
            batch, self._unwritten = self._unwritten, []
            try:
                await loop.run_in_executor(self._writer, self._records.put, *(record for record, _ in batch))
            except Exception as error:  # each of them tells who waits for it
                failed: Exception | None = error
            else:
                failed = None
            for _, written in batch:
                if written.done():
                    continue
                if failed is None:
                    written.set_result(None)
                else:
                    written.set_exception(failed)

    def tell(self, game_id: str = "") -> None:
        """Tell who listens that a game has changed, or, without an id, anything else."""
        for listener in list(self.listeners):
            listener(game_id)

    def close(self) -> None:
        """At the end of the server."""
        self._writer.shutdown()
        self._lock.release(done=True)

    async def _put_pupil(self, pupil_id: str, pupil: KeptPupil) -> None:
        await self.keep(_PUPIL, pupil_id, pupil)
        if pupil_id in self.pupils:
            self._by_token.pop(self.pupils[pupil_id].token, None)
        self.pupils[pupil_id] = pupil
        self._by_token[pupil.token] = pupil_id
        self.tell()

    async def _put_class(self, **changed: object) -> None:
        kept = self._kept.model_copy(update=changed)
        await self.keep(_CLASS, "", kept)
        self._kept = kept
        self.tell()

    def _free(self, nickname: str, pupil_id: str) -> str:
        """A nickname, cleaned; Refused if another pupil has it."""
        name = clean_nickname(nickname)
        for other, pupil in self.pupils.items():
            if other != pupil_id and not pupil.removed and same_nickname(pupil.nickname, name):
                raise Refused(422, f"nickname: somebody in the class is called {pupil.nickname!r} already")
        return name


def _network(address: str) -> str:
    """A machine, of whose many addresses of version 6 any may be used."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else str(found)
