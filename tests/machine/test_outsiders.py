"""Workers that have run code from outside the project run no other, and nothing that they say is taken on trust."""

import ctypes
import random
import time

import pytest

from noughts.machine import Done, Failed, Job, run_jobs
from noughts.machine import process as process_module
from noughts.machine.jobs import NOTE_BYTES
from noughts.machine.worker import Slate

FUNCTIONS = "tests.machine.functions"


def _job(key: str, function: str, argument: str = "", outsiders: str = "", seconds: float | None = None) -> Job:
    return Job(key, f"{FUNCTIONS}:{function}", argument, outsiders, seconds)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_runs_the_code_of_one_alone(workers: int) -> None:
    asked = [_job(f"{who} {n}", "process", "", who) for n in range(2) for who in ("", "a", "b")]
    results = [result for result in run_jobs(asked, workers) if isinstance(result, Done)]
    assert {result.key for result in results} == {job.key for job in asked}
    who_ran = {result.value: set[str]() for result in results}
    for result in results:
        who_ran[result.value].add(result.key.split(" ")[0])
    assert all(len(who) == 1 for who in who_ran.values())


def test_a_job_has_so_long_by_the_clock_of_its_parent() -> None:
    begun = time.monotonic()
    first, second = sorted(
        run_jobs([_job("a", "nap", "60", "x", seconds=0.3), _job("b", "nap", "0.01", "x", seconds=30)], 1),
        key=lambda result: result.key,
    )
    assert isinstance(first, Failed)
    assert (first.reason, first.message) == ("overdue", "it took longer than 0.3 s")
    assert second == Done("b", "0.01")
    assert time.monotonic() - begun < 50


@pytest.mark.parametrize(
    "message", [b"", b"5", b"null", b"[" * 100_000, b'["a", true, "done", 5]', b'["a", true]', None]
)
def test_a_message_that_cannot_be_read_is_as_good_as_a_death(
    message: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_module, "_STALL_SECONDS", 1)
    hexed = b"\0\0\0\x40".hex() if message is None else (len(message).to_bytes(4, "big") + message).hex()
    (result,) = run_jobs([_job("a", "write_to_parent", hexed, "x", seconds=60)], 1)
    assert isinstance(result, Failed)
    assert result.reason == "died"


def test_who_writes_over_the_slate_is_to_blame_all_the_same() -> None:
    results = list(run_jobs([_job(f"{n}", "wipe_slate", "", "x") for n in range(4)], 1))
    assert [(type(result), getattr(result, "reason", "")) for result in results] == [(Failed, "died")] * 4


@pytest.mark.parametrize("seed", range(20))
def test_a_slate_on_which_anything_was_written_is_still_read(seed: int) -> None:
    memory = (ctypes.c_char * Slate.BYTES)()
    slate = Slate(memory)
    slate.note("what was noted")
    assert (slate.text, slate.shown) == ("what was noted", "what was noted")
    rng = random.Random(seed)
    for place in range(0, 40):
        if rng.random() < 0.5:
            memory[place] = bytes([rng.randrange(256)])
    assert len(slate.text) <= NOTE_BYTES
    assert len(slate.shown) <= NOTE_BYTES
    ctypes.memmove(memory, rng.randbytes(Slate.BYTES), Slate.BYTES)
    assert len(slate.text.encode("utf-8", "surrogatepass")) <= 3 * NOTE_BYTES
    assert len(slate.shown) <= NOTE_BYTES
