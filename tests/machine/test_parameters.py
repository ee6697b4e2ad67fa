"""Options of third-party code, parsed by its annotations."""

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
def test_a_text_becomes_a_value_of_the_annotated_type(name: str, text: str, value: Any) -> None:
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
def test_impossible_values_are_rejected_in_one_line(loaded: Any, texts: dict[str, str], message: str) -> None:
    with pytest.raises(NoughtsError) as error:
        read(loaded, texts)
    assert str(error.value).startswith(f"agent 'x': {message}")


def test_given_arguments_are_no_options_and_extra_keywords_are_passed_on() -> None:
    assert read(Needs, {"depth": "1", "other": "2"}) == {"depth": 1, "other": 2}
    with pytest.raises(NoughtsError, match="unknown option 'rules'"):
        read(Careful, {"rules": "x"}, given=1)


def test_unresolvable_annotations_leave_values_as_literals() -> None:
    assert isinstance(parameters_of(Careful)["strange"].annotation, str)
    assert read(Careful, {"strange": "(1, 2)"}, given=1) == {"strange": (1, 2)}


def test_callables_without_a_signature_get_literals() -> None:
    assert read(type, {"anything": "3"}) == {"anything": 3}
