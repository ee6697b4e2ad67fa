"""Options of code from outside, read by the annotations of what they are for."""

from pathlib import Path
from typing import Any, Literal

import pytest

from noughts.machine.parameters import parameters_of, read_options
from noughts.rules import NoughtsError


class Careful:
    def __init__(
        self,
        rules: object,
        strange: "Path.nobody | None" = None,  # type: ignore[name-defined]
    ) -> None: ...


class Known:
    def __init__(  # type: ignore[no-untyped-def]
        self,
        depth: int = 2,
        c: float = 1,
        ties: Literal["first", 3] = "first",
        book: Path | None = None,
        quick: bool = True,
        name: str = "",
        both: int | str = 0,
        layers: tuple[int, ...] = (),
        free=1,
    ) -> None: ...


class Needs:
    def __init__(self, depth: int, **more: Any) -> None: ...


def read(loaded: Any, texts: dict[str, str], given: int = 0) -> dict[str, Any]:
    return read_options("agent 'x'", loaded, texts.items(), NoughtsError, given)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("depth", "3", 3),
        ("c", "2", 2.0),
        ("ties", "3", 3),
        ("ties", "first", "first"),
        ("book", "3", Path("3")),
        ("book", "none", None),
        ("quick", "no", False),
        ("name", "5", "5"),
        ("both", "7", 7),
        ("both", "q", "q"),
        ("layers", "64,64", (64, 64)),
        ("free", "0.5", 0.5),
        ("free", "two", "two"),
    ],
)
def test_a_text_becomes_what_the_annotation_says(name: str, text: str, value: Any) -> None:
    found = read(Known, {name: text})
    assert found == {name: value}
    assert type(found[name]) is type(value)


@pytest.mark.parametrize(
    ("loaded", "texts", "message"),
    [
        (Known, {"depth": "two"}, "depth=two is not allowed: a whole number"),
        (Known, {"depth": "2.5"}, "depth=2.5 is not allowed: a whole number"),
        (Known, {"c": "x"}, "c=x is not allowed: a number"),
        (Known, {"quick": "maybe"}, "quick=maybe is not allowed: true or false"),
        (Known, {"ties": "last"}, "ties=last is not allowed: first or 3"),
        (Known, {"dept": "2"}, "unknown option 'dept' (did you mean 'depth'?); choose from: book, both, c, "),
        (Needs, {}, "the option depth must be given: a whole number"),
    ],
)
def test_what_is_not_allowed_is_refused_in_one_line(loaded: Any, texts: dict[str, str], message: str) -> None:
    with pytest.raises(NoughtsError) as error:
        read(loaded, texts)
    assert str(error.value).startswith(f"agent 'x': {message}")
    assert "\n" not in str(error.value)


def test_what_is_given_besides_is_no_option_and_further_names_are_passed_on() -> None:
    assert read(Needs, {"depth": "1", "other": "2"}) == {"depth": 1, "other": 2}
    with pytest.raises(NoughtsError, match="unknown option 'rules'"):
        read(Careful, {"rules": "x"}, given=1)


def test_annotations_that_cannot_be_looked_up_leave_values_as_literals() -> None:
    assert isinstance(parameters_of(Careful)["strange"].annotation, str)
    assert read(Careful, {"strange": "(1, 2)"}, given=1) == {"strange": (1, 2)}


def test_what_has_no_signature_gets_literals() -> None:
    assert read(type, {"anything": "3"}) == {"anything": 3}
