"""`Classroom`: the pupils of a server's class, how they join, and which of them are present.

Everything is in memory, and only the event loop changes it. Each change is saved in the store before it is announced.
"""

import asyncio
import re
import secrets
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from noughts.classroom.values import ClassValue, KeptClass, KeptPupil, clean_nickname, hashed, moment
from noughts.store.class_records import ClassRecord, ClassRecords
from noughts.web.errors import Refused

KeptT = TypeVar("KeptT", bound=ClassValue)

MOST_PUPILS = 100
_CODE_LETTERS, _CODE_LENGTH = "ABCDEFGHJKMNPQRSTUVWXYZ23456789", 6  # no letters that look alike
_WRONG_AT_ONCE, _WRONG_SECONDS = 20, 1.0  # how many wrong codes are processed at a time, and the delay of each
_CLASS, _PUPIL = "class", "pupil"


def open_class(records: ClassRecords) -> tuple[str, KeptClass]:
    """Return the id and record of the latest class, or of a new one if that is closed."""
    last = next(reversed(records.of_kind(_CLASS)), None)
    if last is not None and not (kept := KeptClass.from_json(last.document)).closed:
        return last.class_id, kept
    code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    class_id, made = secrets.token_hex(6), KeptClass(code=code, begun=moment())
    records.put(ClassRecord(class_id, _CLASS, "", made.to_json()))
    return class_id, made


def join_address(base: str, code: str) -> str:
    """Return the address at which pupils join, with the code of the class. `base` is the address of the page."""
    return f"{base.rstrip('/')}/join?code={code}"


class Classroom:
    """The class.

    Attributes:
        id: The id of the class.
        kept: Its saved record.
        join_address: The address at which pupils join.
        pupils: All pupils by id, with removed ones.
        present: How many pages each pupil has open.
        listeners: Called after each change, with the id of the changed game, or with "" for any other change.
        turn: A lock that is held during each change, so that changes run one at a time.
    """

    def __init__(self, records: ClassRecords, address: str) -> None:
        """Continue the store's class, or begin one. Raises StoreError if it is unreadable, or if another server runs it."""
        self._records = records
        self.id, self.kept = open_class(records)
        self.join_address = join_address(address, self.kept.code)
        self._lock = records.lock(self.id)
        self._found = records.all(self.id)
        self.pupils = self.read(_PUPIL, KeptPupil)
        self.listeners: list[Callable[[str], None]] = []
        self.turn = asyncio.Lock()
        self._writer = ThreadPoolExecutor(1, "noughts-class")  # moves do not wait for drawings
        self.present: Counter[str] = Counter()
        self._wrong = asyncio.Semaphore(_WRONG_AT_ONCE)

    def who_has(self, token: str, removed: bool = False) -> str | None:
        """Return the id of the pupil, or the removed one, with this token; None if there is none, or if the class is closed."""
        kept = hashed(token)
        there = (id for id, pupil in self.pupils.items() if pupil.token == kept and pupil.removed == removed)
        return None if self.kept.closed else next(there, None)

    def come(self, pupil_id: str, pages: int = 1) -> None:
        """Count a page that a pupil, or the teacher (""), opened; -1 counts a page that was closed."""
        self.present[pupil_id] += pages
        self.announce()

    async def join(self, code: str, nickname: str) -> tuple[str, str]:
        """Add a pupil to the class. Returns the pupil's id and token.

        The code's case, spaces and hyphens do not matter. Wrong codes are rejected after a delay, a few at a time, so that
        at most 20 of the 900 million codes can be tried per second.

        Raises:
            Refused: the code is wrong, the nickname is invalid or taken, or the class is full or closed.
        """
        if re.sub(r"[\s-]+", "", code.upper()) != self.kept.code:
            async with self._wrong:
                await asyncio.sleep(_WRONG_SECONDS)
            raise Refused(422, "code: this is not the class's code; it is on the teacher's page")
        if self.kept.closed:
            raise Refused(422, "the class is closed: ask your teacher")
        token, pupil_id = secrets.token_urlsafe(24), secrets.token_hex(4)
        async with self.turn:
            name = self._free(nickname)
            if len(self.there) >= MOST_PUPILS:
                raise Refused(422, f"the class is full: it has {MOST_PUPILS} pupils")
            await self._put_pupil(pupil_id, KeptPupil(nickname=name, token=hashed(token), joined=moment()))
        return pupil_id, token

    async def remove_pupil(self, pupil_id: str) -> None:
        """Remove a pupil, whose results stay. Raises Refused if the id is unknown."""
        async with self.turn:
            if pupil_id not in self.pupils:
                raise Refused(404, f"there is no pupil {pupil_id[:40]!r} in the class")
            await self._put_pupil(pupil_id, self.pupils[pupil_id].model_copy(update={"removed": True}))

    @property
    def there(self) -> list[tuple[str, str]]:
        """The ids and nicknames of the pupils, sorted by nickname, without removed ones."""
        there = [(id, pupil.nickname) for id, pupil in self.pupils.items() if not pupil.removed]
        return sorted(there, key=lambda pupil: pupil[1].casefold())

    async def change_class(self, **changed: object) -> None:
        """Close or reopen the class (`closed`), or set the id of its assignment. The caller holds `turn`."""
        kept = self.kept.model_copy(update=changed)
        await self.keep(_CLASS, "", kept)
        self.kept = kept
        self.announce()

    def read(self, kind: str, value: type[KeptT]) -> dict[str, KeptT]:
        """Return the records of a kind that existed when the server started, by id."""
        return {each.id: value.from_json(each.document) for each in self._found if each.kind == kind}

    async def keep(self, kind: str, id: str, value: ClassValue) -> None:
        """Write a record of the class. It is on disk when this returns."""
        record = ClassRecord(self.id, kind, id, value.to_json())
        await asyncio.get_running_loop().run_in_executor(self._writer, self._records.put, record)

    def announce(self, game_id: str = "") -> None:
        """Call the listeners after a change of a game, or, with an empty id, of anything else."""
        for listener in list(self.listeners):
            listener(game_id)

    def close(self) -> None:
        """Finish writing and release the class, when the server ends."""
        self._writer.shutdown()
        self._lock.release(done=True)

    async def _put_pupil(self, pupil_id: str, pupil: KeptPupil) -> None:
        await self.keep(_PUPIL, pupil_id, pupil)
        self.pupils[pupil_id] = pupil
        self.announce()

    def _free(self, nickname: str) -> str:
        """Return the cleaned nickname, or raise Refused if a pupil has it."""
        name = clean_nickname(nickname)
        for _, taken in self.there:
            if taken.casefold().replace(" ", "") == name.casefold().replace(" ", ""):
                raise Refused(422, f"nickname: a pupil in the class is called {taken!r} already")
        return name
