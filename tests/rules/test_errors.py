import pickle

import pytest

from noughts.rules.errors import LawBroken, MissingLibraryError, NoughtsError, one_line, shortened


class SilentError(Exception):
    """One whose message cannot be had."""

    def __init__(self, reason: BaseException) -> None:
        self.reason = reason

    def __str__(self) -> str:
        raise self.reason


def test_a_missing_library_says_how_to_install_it() -> None:
    error = MissingLibraryError.of("Pgx", "pgx")
    assert str(error) == 'Pgx is not installed: pip install "noughts[pgx]"'
    assert isinstance(error, NoughtsError)
    assert isinstance(error, ImportError)


def test_a_broken_law_is_the_same_after_a_journey_between_processes() -> None:
    error = LawBroken("turns", "the second player moved first")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.law) == (str(error), error.law) == ("the second player moved first", "turns")


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


def test_an_interrupt_goes_on() -> None:
    with pytest.raises(KeyboardInterrupt):
        one_line(SilentError(KeyboardInterrupt()))


def test_a_long_line_is_cut_and_says_so() -> None:
    assert shortened("x" * 10, 10) == "x" * 10
    assert shortened("x" * 11, 10) == "xxxxxx ..."
    assert shortened(" a\n\t b ", 10) == "a b"
    assert shortened("x" * 2000) == "x" * 2000
    assert shortened("x" * 2001) == "x" * 1996 + " ..."
    assert one_line(ValueError("x" * 3000)) == "ValueError: " + "x" * (1996 - len("ValueError: ")) + " ..."


def test_a_message_is_cut_at_two_thousand_characters() -> None:
    assert str(NoughtsError("x" * 2000)) == "x" * 2000
    assert str(NoughtsError("x" * 2001)) == "x" * 1996 + " ..."
