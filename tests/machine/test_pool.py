"""The pool does every job once, and names the job that raises, dies or hangs. Workers that ran third-party code run no other code,
and nothing they send is trusted."""

import ctypes
import os
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from noughts.machine import Done, Failed, Job, JobResult, Running, worker_process
from noughts.machine.executor import LocalWorkers
from noughts.machine.jobs import NOTE_BYTES
from noughts.machine.pool import Pool
from noughts.machine.worker import Slate
from noughts.rules import ComputeError
from tests.messages import without_place

FUNCTIONS = "tests.machine.functions"
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def job(function: str, argument: str = "", key: str = "", **more: Any) -> Job:
    return Job(key or f"{function} {argument}", f"{FUNCTIONS}:{function}", argument, **more)


def results_of(jobs: Iterable[Job], workers: int) -> Iterator[JobResult]:
    return (result for result in LocalWorkers(workers).run(jobs) if not isinstance(result, Running))


def results_by_key(jobs: Sequence[Job], workers: int) -> dict[str, JobResult]:
    """The result of each job; there is exactly one."""
    results = list(results_of(jobs, workers))
    assert Counter(result.key for result in results) == Counter(each.key for each in jobs)
    return {result.key: result for result in results}


def run_one(function: str, argument: str = "", workers: int = 1) -> JobResult:
    (result,) = results_of([job(function, argument)], workers)
    assert result.key == f"{function} {argument}"
    return result


def unplaced(result: JobResult) -> Failed:
    """A failure without the line of the job's code."""
    return replace(failed(result), message=without_place(failed(result).message))


def failed(result: JobResult) -> Failed:
    assert isinstance(result, Failed)
    assert "\n" not in result.message
    return result


@pytest.mark.parametrize("workers", [0, 1, 4])
def test_every_pool_gives_the_same_results(workers: int) -> None:
    jobs = [job("upper", f"word {number}", str(number)) for number in range(300)]
    jobs += [job("raising", str(number), f"bad {number}") for number in range(20)]
    jobs += [job("noting", text, repr(text)) for text in ("", "\0", "\ud800", "é\U0001f600", "a\nb", '"[]')]
    jobs += [job("missing", "", "missing"), Job("no module", "no.such.module:name", "")]
    by_key = results_by_key(jobs, workers)
    assert by_key["17"] == Done("17", "WORD 17")
    bad = Failed("bad 3", "raised", "ValueError: two lines about 3", "about to raise 3")
    assert unplaced(by_key["bad 3"]) == bad
    assert by_key["'\\ud800'"] == Done("'\\ud800'", "\ud800")
    assert failed(by_key["missing"]).message.startswith("AttributeError: ")
    assert failed(by_key["no module"]).message == "ModuleNotFoundError: No module named 'no'"
    assert sorted(by_key.values(), key=repr) == sorted(LocalWorkers(0).run(iter(jobs)), key=repr)
    assert list(LocalWorkers(workers).run([])) == []


def test_without_workers_jobs_run_in_this_process() -> None:
    assert run_one("process", workers=0) == Done("process ", str(os.getpid()))
    assert run_one("noting_often", "0.01 2 0.03", workers=0) == Done("noting_often 0.01 2 0.03", "0.01 2 0.03")


def test_a_negative_number_of_workers_is_refused_at_once() -> None:
    with pytest.raises(ComputeError, match=r"^-1 workers are not possible: give 0 \(this process\), 1 or more$"):
        LocalWorkers(-1)


def test_an_interrupt_raised_by_a_job_in_a_worker_is_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    for argument, message in (("", "KeyboardInterrupt"), ("its own", "KeyboardInterrupt: ('its', 'own')")):
        expected = Failed(f"interrupting {argument}", "raised", message, "about to interrupt")
        assert unplaced(run_one("interrupting", argument)) == expected
        with pytest.raises(KeyboardInterrupt):
            run_one("interrupting", argument, workers=0)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("workers", [0, 1])
def test_an_exception_of_a_job_is_reported_in_one_line(workers: int) -> None:
    wanted = {
        ("leaving", ""): "SystemExit: 3",
        ("giving_a_number", ""): f"TypeError: {FUNCTIONS}:giving_a_number gave int; a job gives str",
        ("constant", ""): "TypeError: 'str' object is not callable",
        ("noting_too_much", f"{NOTE_BYTES + 1}"): "ValueError: a note of 16385 bytes is too long: 16384 are allowed",
        ("noting_nonsense", "0"): "ValueError: a limit of 0.0 seconds is not allowed: give a number above 0",
        ("noting_nonsense", "nan"): "ValueError: a limit of nan seconds is not allowed: give a number above 0",
    }
    found = [unplaced(result) for result in results_of([job(*asked) for asked in wanted], workers)]
    expected = [Failed(f"{name} {argument}", "raised", said, "") for (name, argument), said in wanted.items()]
    assert sorted(found, key=repr) == sorted(expected, key=repr)


def test_the_longest_note_fits() -> None:
    assert run_one("noting_too_much", str(NOTE_BYTES)) == Done(f"noting_too_much {NOTE_BYTES}", "fits")


@pytest.mark.parametrize(
    ("way", "message"),
    [
        ("exit", "its process ended with exit code 3"),
        ("segfault", "its process was ended by SIGSEGV"),
        pytest.param("connection", "its process was ended by SIGKILL", marks=pytest.mark.heavy),
        pytest.param("heir", "its process ended with exit code 4", marks=(needs_fork, pytest.mark.heavy)),
        pytest.param("half a word", "its process ended with exit code 4", marks=needs_fork),  # its child lives on
    ],
)
def test_a_job_that_dies_fails_and_the_others_do_not(way: str, message: str) -> None:
    started = time.monotonic()
    jobs = [job("upper", str(number)) for number in range(20)]
    jobs.insert(10, job("die", way, "dies"))
    results = results_by_key(jobs, 1)
    assert results.pop("dies") == Failed("dies", "died", message, f"dying by {way}")
    assert all(isinstance(result, Done) for result in results.values())
    assert time.monotonic() - started < 10


@pytest.mark.heavy
@needs_fork
@pytest.mark.parametrize(("way", "seconds"), [("fork", "0"), ("c", "1.5"), ("raising", "0"), ("interrupted", "0.5")])
def test_a_forked_child_that_returns_reports_nothing(way: str, seconds: str, capfd: pytest.CaptureFixture[str]) -> None:
    jobs = [job("upper", f"word {number}", str(number)) for number in range(100)]
    jobs += [job("forking", f"{way} {seconds}", f"fork {number}") for number in range(3)]
    jobs += [job("nap", "0.02", f"nap {number}") for number in range(20)]
    started = time.monotonic()
    by_key = results_by_key(jobs, 2)
    assert time.monotonic() - started < 8
    assert all(by_key[str(number)] == Done(str(number), f"WORD {number}") for number in range(100))
    assert all(by_key[f"fork {number}"] == Done(f"fork {number}", f"{way} {seconds}") for number in range(3))
    assert capfd.readouterr() == ("", "")


@needs_fork
def test_a_child_cannot_send_notes_for_its_parent() -> None:
    failed = unplaced(run_one("forking", "first 0.2"))
    assert failed == Failed("forking first 0.2", "raised", "ValueError", "forking by first")


@pytest.mark.parametrize(
    "message",
    [
        '["other", true, "done", "wrong"]',
        pytest.param('["before", true, "done", "wrong"]', marks=pytest.mark.heavy),
        pytest.param('["short"]', marks=pytest.mark.heavy),
    ],
)
def test_a_result_that_was_not_due_is_ignored(message: str) -> None:
    jobs = [job("upper", str(number)) for number in range(20)]
    jobs.insert(10, job("upper", "before", "before"))
    jobs.insert(11, job("slipping_in", message, "slips"))
    by_key = results_by_key(jobs, 1)
    assert by_key.pop("slips") in (
        Failed("slips", "died", "its process was ended by SIGKILL", ""),
        Done("slips", message),  # detected when its worker was removed
    )
    assert by_key.pop("before") == Done("before", "BEFORE")
    assert all(by_key[f"upper {number}"] == Done(f"upper {number}", str(number)) for number in range(20))


def test_every_job_runs_exactly_once_though_workers_die(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    jobs = [job("write_line", f"{path}|{number}{'|die' * (number % 80 == 79)}", str(number)) for number in range(240)]
    results = results_by_key(jobs, 2)
    assert Counter(path.read_text().split()) == Counter(results.keys())
    assert {key for key, result in results.items() if isinstance(result, Failed)} == {"79", "159", "239"}


@pytest.mark.heavy
def test_workers_that_die_at_any_moment_lose_no_job() -> None:
    jobs = [job("die_soon", f"{0.001 * number % 0.03}", f"bomb {number}") for number in range(12)]
    jobs += [job("nap", "0.002", str(number)) for number in range(200)]
    results = results_by_key(jobs, 2).values()
    assert all(isinstance(result, Done) or result.reason == "died" for result in results)


@pytest.mark.parametrize("way", ["python", pytest.param("sleep", marks=pytest.mark.heavy), "c"])
def test_a_hanging_job_is_killed_at_its_limit(way: str) -> None:
    started = time.monotonic()
    results = results_by_key([job("hang", f"{way} 0.3"), job("upper", "after")], 1)
    assert results[f"hang {way} 0.3"] == Failed(
        f"hang {way} 0.3", "timeout", "it passed its time limit", f"hanging in {way}"
    )
    assert results["upper after"] == Done("upper after", "AFTER")
    assert 0.3 < time.monotonic() - started < 10


@pytest.mark.heavy
def test_each_note_restarts_its_time_limit() -> None:
    assert run_one("noting_often", "1.5 40 0.05") == Done("noting_often 1.5 40 0.05", "1.5 40 0.05")
    late = failed(run_one("noting_often", "0.3 3 1.5"))
    assert (late.reason, late.note) == ("timeout", "note 0")


def test_a_time_limit_ends_with_another_note_or_the_job() -> None:
    jobs = [job("leaving_a_limit_behind", "1"), job("nap", "0.6"), job("lifting_a_limit", "1")]
    assert all(isinstance(result, Done) for result in LocalWorkers(1).run(jobs))


def test_a_note_does_not_outlive_its_job() -> None:
    jobs = [job("noting", "old", str(number)) for number in range(50)] + [job("leaving", "", "leaving")]
    jobs += [Job("unimportable", "no.such.module:name", "")]
    results = results_by_key(jobs, 1)
    assert failed(results["leaving"]).note == failed(results["unimportable"]).note == ""


def test_large_arguments_and_results_do_not_block_the_pool() -> None:
    text = "x" * 3_000_000
    results = results_by_key([job("upper", text, str(number)) for number in range(8)], 2).values()
    assert all(isinstance(result, Done) and len(result.value) == len(text) for result in results)


@pytest.mark.heavy
def test_long_jobs_behind_quick_ones_are_distributed() -> None:
    quick = [job("upper", str(number)) for number in range(500)]
    slow = [job("begun", "0.5", f"slow {number}") for number in range(8)]
    results = results_by_key([*quick, *slow], 4)
    begun = [float(found.value) for found in (results[each.key] for each in slow) if isinstance(found, Done)]
    assert len(begun) == 8
    # In sequence the last would begin after 3.5 s, distributed after 0.5 s, or 1 s after an unlucky distribution.
    assert max(begun) - min(begun) < 2.6


def test_an_error_in_the_jobs_themselves_ends_the_pool() -> None:
    pids: list[int] = []

    def broken() -> Iterator[Job]:
        yield job("process")
        yield job("process")
        raise LookupError("no more")

    with pytest.raises(LookupError):
        pids.extend(int(result.value) for result in LocalWorkers(1).run(broken()) if isinstance(result, Done))
    assert pids
    assert not any(map(psutil.pid_exists, pids))


def test_workers_of_an_open_pool_are_reused() -> None:
    workers = LocalWorkers(1)

    def worker_of(jobs: Iterable[Job]) -> int:
        (result,) = workers.run(jobs)
        assert isinstance(result, Done)
        return int(result.value)

    with workers.opened():
        first = worker_of([job("process")])
        assert worker_of([job("process")]) == first
        with workers.opened(), closing(workers.run([job("process"), job("hang", "python")])) as results:
            assert next(results) == Done("process ", str(first))
        assert not psutil.pid_exists(first)  # it was running a job
        second = worker_of([job("process")])
        with pytest.raises(LookupError):
            list(workers.run(job("process") if number else _missing() for number in range(2)))
        third = worker_of([job("process")])
        assert len({first, second, third}) == 3
    assert not psutil.pid_exists(third)
    assert not psutil.pid_exists(worker_of([job("process")]))


def _missing() -> Job:
    raise LookupError("no job")


def test_closing_early_ends_the_workers_within_a_second() -> None:
    jobs = [job("process", "", "first"), *(job("hang", "c", str(number)) for number in range(3))]
    results = LocalWorkers(2).run(jobs)
    first = next(results)
    assert isinstance(first, Done)
    started = time.monotonic()
    results.close()
    assert time.monotonic() - started < 2
    assert not psutil.pid_exists(int(first.value))


@pytest.mark.heavy
def test_thousands_of_jobs_a_second() -> None:
    started = time.monotonic()
    count = sum(1 for _ in LocalWorkers(2).run(job("noting", str(number), str(number)) for number in range(20_000)))
    assert count == 20_000
    assert time.monotonic() - started < 10


def test_notes_of_running_jobs_arrive_between_results() -> None:
    jobs = [job("noting_often", "5 12 0.1", "a"), job("noting_often", "5 12 0.1", "b"), job("nap", "1.2", "silent")]
    results = list(LocalWorkers(3).run(jobs, 0.2))
    running = [result for result in results if isinstance(result, Running)]
    assert {result.key for result in running} == {"a", "b"}
    assert len(set(running)) == len(running)  # reported once
    assert all(result.note.startswith("note ") for result in running)
    assert 2 <= len([result for result in running if result.key == "a"]) <= 8
    assert {result.key for result in results if isinstance(result, Done)} == {"a", "b", "silent"}
    for key in ("a", "b"):  # no finished job is reported as running
        assert [isinstance(result, Running) for result in results if result.key == key][-1] is False


@pytest.mark.heavy
@pytest.mark.parametrize("seconds", [0.3, 60.0])
def test_a_stopped_job_has_a_moment_to_save_its_work(seconds: float, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    with closing(LocalWorkers(1).run([job("keep_when_told", f"{file} {seconds}", "a")], 0.1)) as results:
        assert next(results) == Running("a", "at work")
        begun = time.monotonic()
    assert time.monotonic() - begun < 2
    assert file.exists() == (seconds < 1)


def test_workers_that_cannot_start_are_not_restarted_for_ever() -> None:
    died = r"worker processes die before they begin a job, 3 in a row \(its process ended with exit code 3\)"
    with closing(Pool(2, prepare=f"{FUNCTIONS}:leave_at_once")) as pool:
        pool.go_on([job("upper")] * 10)
        with pytest.raises(ComputeError, match=f"^{died}: see what they printed$"):
            list(iter(pool.turn, False))


def test_notes_of_quick_jobs_are_not_taken_for_those_of_others() -> None:
    jobs = [job("noting", str(number), str(number)) for number in range(3000)]
    running = [result for result in LocalWorkers(2).run(jobs, 1e-9) if isinstance(result, Running)]
    assert all(result.note == result.key for result in running)


@pytest.mark.heavy
@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_runs_the_foreign_code_of_only_one_agent(workers: int) -> None:
    asked = [job("process", "", f"{who} {n}", outsiders=who) for n in range(2) for who in ("", "a", "b")]
    who_ran: dict[str, set[str]] = {}
    for key, result in results_by_key(asked, workers).items():
        assert isinstance(result, Done)
        who_ran.setdefault(result.value, set()).add(key.split(" ")[0])
    assert all(len(who) == 1 for who in who_ran.values())


def test_a_job_is_limited_by_its_parents_clock() -> None:
    begun = time.monotonic()
    jobs = [job("nap", "60", "a", outsiders="x", seconds=0.3), job("nap", "0.01", "b", outsiders="x", seconds=30)]
    results = results_by_key(jobs, 1)
    assert results == {"a": Failed("a", "overdue", "it took longer than 0.3 s", ""), "b": Done("b", "0.01")}
    assert time.monotonic() - begun < 50


@pytest.mark.parametrize(
    "message",
    [b"", b"[" * 100_000, None, *(pytest.param(m, marks=pytest.mark.heavy) for m in (b"5", b'["a", true, "done", 5]'))],
)
def test_an_unreadable_message_counts_as_a_death(message: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "_STALL_SECONDS", 1)
    hexed = b"\0\0\0\x40".hex() if message is None else (len(message).to_bytes(4, "big") + message).hex()
    (result,) = results_of([job("write_to_parent", hexed, outsiders="x", seconds=60)], 1)
    assert failed(result).reason == "died"


def test_a_job_that_overwrites_the_slate_is_blamed() -> None:
    results = results_by_key([job("wipe_slate", "", f"{n}", outsiders="x") for n in range(4)], 1).values()
    assert [failed(result).reason for result in results] == ["died"] * 4


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
