"""Workers that ran third-party code run no other code, and nothing they send is trusted."""

import ctypes
import random
import time

import pytest

from noughts.machine import Done, Failed, Job
from noughts.machine import worker_process as process_module
from noughts.machine.executor import LocalWorkers
from noughts.machine.jobs import NOTE_BYTES
from noughts.machine.worker import Slate

FUNCTIONS = "tests.machine.functions"


def _job(key: str, function: str, argument: str = "", outsiders: str = "", seconds: float | None = None) -> Job:
    return Job(key, f"{FUNCTIONS}:{function}", argument, outsiders, seconds)


@pytest.mark.heavy
@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_runs_the_foreign_code_of_only_one_agent(workers: int) -> None:
    asked = [_job(f"{who} {n}", "process", "", who) for n in range(2) for who in ("", "a", "b")]
    results = [result for result in LocalWorkers(workers).run(asked) if isinstance(result, Done)]
    assert {result.key for result in results} == {job.key for job in asked}
    who_ran = {result.value: set[str]() for result in results}
    for result in results:
        who_ran[result.value].add(result.key.split(" ")[0])
    assert all(len(who) == 1 for who in who_ran.values())


def test_a_job_is_limited_by_its_parents_clock() -> None:
    begun = time.monotonic()
    first, second = sorted(
        LocalWorkers(1).run([_job("a", "nap", "60", "x", seconds=0.3), _job("b", "nap", "0.01", "x", seconds=30)]),
        key=lambda result: result.key,
    )
    assert isinstance(first, Failed)
    assert (first.reason, first.message) == ("overdue", "it took longer than 0.3 s")
    assert second == Done("b", "0.01")
    assert time.monotonic() - begun < 50


@pytest.mark.parametrize(
    "message",
    [b"", b"[" * 100_000, None, *(pytest.param(m, marks=pytest.mark.heavy) for m in (b"5", b'["a", true, "done", 5]'))],
)
def test_an_unreadable_message_counts_as_a_death(message: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_module, "_STALL_SECONDS", 1)
    hexed = b"\0\0\0\x40".hex() if message is None else (len(message).to_bytes(4, "big") + message).hex()
    (result,) = LocalWorkers(1).run([_job("a", "write_to_parent", hexed, "x", seconds=60)])
    assert isinstance(result, Failed)
    assert result.reason == "died"


def test_a_job_that_overwrites_the_slate_is_blamed() -> None:
    results = list(LocalWorkers(1).run([_job(f"{n}", "wipe_slate", "", "x") for n in range(4)]))
    assert [(type(result), getattr(result, "reason", "")) for result in results] == [(Failed, "died")] * 4


@pytest.mark.parametrize("seed", range(5))
def test_corrupted_shared_memory_is_still_read(seed: int) -> None:
    slate = Slate()
    slate.notes[0].value, slate.lengths[0] = b"what was noted", 14
    assert slate.text == "what was noted"
    rng = random.Random(seed)
    for place in range(0, 40):
        if rng.random() < 0.5:
            ctypes.memset(ctypes.addressof(slate) + place, rng.randrange(256), 1)
    assert len(slate.text) <= NOTE_BYTES
    ctypes.memmove(ctypes.addressof(slate), rng.randbytes(ctypes.sizeof(Slate)), ctypes.sizeof(Slate))
    assert len(slate.text.encode("utf-8", "surrogatepass")) <= 3 * NOTE_BYTES
