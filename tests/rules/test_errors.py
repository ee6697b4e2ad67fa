import os
from collections.abc import Sequence
from pathlib import Path

import pytest

import noughts
from noughts.rules.errors import MissingLibraryError, NoughtsError, one_line, own_place, shortened


class SilentError(Exception):
    """An error whose message cannot be read."""

    def __init__(self, reason: BaseException) -> None:
        self.reason = reason

    def __str__(self) -> str:
        raise self.reason


def test_a_missing_library_names_what_to_install() -> None:
    error = MissingLibraryError.of("Pgx", "pgx")
    how = 'in your clone of noughts, run pip install ".[pgx]" or uv sync --extra pgx'
    assert str(error) == f"Pgx is not installed: {how}"
    assert isinstance(error, NoughtsError)
    assert isinstance(error, ImportError)


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("two\n  lines"), "ValueError: two lines"),
        (ValueError(), "ValueError"),
        (SilentError(ValueError("no")), "SilentError: (its message cannot be shown)"),
        (SilentError(SystemExit()), "SilentError: (its message cannot be shown)"),
    ],
)
def test_any_exception_is_one_line(error: BaseException, line: str) -> None:
    assert one_line(error) == line


def test_an_error_of_ours_is_one_line() -> None:
    assert str(NoughtsError("of two\n  lines\x1b")) == r"of two lines\x1b"


PYTHON, OURS = Path(os.__file__).parent, Path(noughts.__file__).parent


def raised_through(files: Sequence[str], error: Exception) -> Exception:
    """An error raised on line 12 of the last of these files, called on line 12 of the one before it, and so on."""
    inner = None
    for file in reversed(files):
        code = "\n" * 10 + "def work():\n    " + ("raise error" if inner is None else "inner()")
        names = {"error": error, "inner": inner}
        exec(compile(code, file, "exec"), names)
        inner = names["work"]
    assert callable(inner)
    with pytest.raises(type(error)) as caught:
        inner()
    assert caught.tb.tb_next is not None
    return error.with_traceback(caught.tb.tb_next)  # without this function, which is not the user's code either


@pytest.mark.parametrize(
    ("files", "place"),
    [
        (["/home/ada/mine.py"], "mine.py, line 12"),
        ([f"{OURS}/play/one.py", "/home/ada/mine.py", "/home/ada/helper.py"], "helper.py, line 12"),
        ([f"{OURS}/play/one.py", "/home/ada/mine.py", f"{OURS}/positions/two.py"], "mine.py, line 12"),
        (["/home/ada/mine.py", f"{PYTHON}/json/decoder.py", "<string>"], "mine.py, line 12"),
        (["/home/ada/mine.py", "/home/ada/.venv/lib/python3.11/site-packages/jax/core.py"], "mine.py, line 12"),
        (["/home/ada/mine.py", "/usr/lib/python3/dist-packages/yaml.py"], "mine.py, line 12"),
        (["/home/ada/noughts/mine.py"], "mine.py, line 12"),
        ([f"{OURS}/play/one.py", f"{PYTHON}/random.py", "<frozen importlib._bootstrap>"], ""),
    ],
)
def test_an_exception_ends_with_the_innermost_line_of_the_users_code(files: list[str], place: str) -> None:
    error = raised_through(files, KeyError("D4"))
    assert own_place(error) == place
    assert one_line(error) == "KeyError: 'D4'" + (f" ({place})" if place else "")


def test_a_syntax_error_names_its_own_place_once() -> None:
    try:
        compile("def (:", "/home/ada/helper.py", "exec")
    except SyntaxError as caught:
        broken = caught
    assert one_line(raised_through(["/home/ada/mine.py"], broken)) == "SyntaxError: invalid syntax (helper.py, line 1)"
    assert own_place(broken) == "helper.py, line 1"
    read = SyntaxError("malformed", ("<unknown>", 1, 1, "1 +"))
    assert one_line(raised_through(["/home/ada/mine.py"], read)).endswith("line 1) (mine.py, line 12)")


def test_truncating_a_long_message_keeps_the_place() -> None:
    line = one_line(raised_through(["/home/ada/mine.py"], ValueError("x" * 3000)))
    assert len(line) == 120
    assert line.endswith("x ... (mine.py, line 12)")
    line = one_line(raised_through([f"/home/ada/{'y' * 200}.py"], ValueError("x" * 3000)))
    assert len(line) == 120
    assert line.endswith(f"x ... ({'y' * 36} ..., line 12)")


def test_an_interrupt_is_raised_again() -> None:
    with pytest.raises(KeyboardInterrupt):
        one_line(SilentError(KeyboardInterrupt()))


def test_a_long_line_is_truncated_visibly() -> None:
    assert shortened("x" * 10, 10) == "x" * 10
    assert shortened("x" * 11, 10) == "xxxxxx ..."
    assert shortened(" a\n\t b ", 10) == "a b"
    assert shortened("x" * 2000) == str(NoughtsError("x" * 2000)) == "x" * 2000
    assert shortened("x" * 2001) == str(NoughtsError("x" * 2001)) == "x" * 1996 + " ..."
    assert one_line(ValueError("x" * 3000)) == "ValueError: " + "x" * (116 - len("ValueError: ")) + " ..."
    assert one_line(NoughtsError("x" * 1000)) == "NoughtsError: " + "x" * 1000


def test_control_characters_are_escaped() -> None:
    error = ValueError("\x1b]0;pwned\x07 \x9b2J \u202eback\u2066 \0 \ud800 Zoë 五")
    line = one_line(error)
    assert line == r"ValueError: \x1b]0;pwned\x07 \x9b2J \u202eback\u2066 \x00 \ud800 Zoë 五"
    assert shortened(str(error)) == line.removeprefix("ValueError: ")
