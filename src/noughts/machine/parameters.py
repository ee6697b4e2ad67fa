"""The options of third-party code: the parameters of a constructor or function, and how they are read from text.

    class Careful:
        def __init__(self, depth: int = 2, ties: Literal["first", "random"] = "first", book: Path | None = None): ...

    python:careful.py:Careful,depth=3,book=openings.txt

A value is checked against its parameter's annotation if that is ``int``, ``float``, ``bool``, ``str``, ``Path``, ``Literal`` or a
union of these; ``none`` means ``None``. Otherwise the value is a Python literal if it can be read as one, or else the text.
"""

import ast
import inspect
import types
import typing
from collections.abc import Iterable, Mapping
from inspect import Parameter
from pathlib import Path
from typing import Any, Literal, Union

from pydantic import TypeAdapter, ValidationError

from noughts.rules.allowed import allowed_by
from noughts.rules.errors import NoughtsError, shortened
from noughts.rules.fields import meanings_of
from noughts.rules.text import unknown

_SIMPLE = (int, float, bool, str, Path)
_NAMED = (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_SHOWN = 200  # the longest part of a value that errors repeat, in characters


def literal(text: str) -> Any:
    """The value of an option of unknown type: a Python literal if it can be read as one, or else the text."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # the last two for deep nesting
        return text


def parameters_of(loaded: Any) -> dict[str, Parameter]:
    """The parameters of a class or function, with annotations as types if their names can be resolved.

    Raises:
        ValueError, TypeError: it has no signature, like some classes and functions that are written in C.
    """
    try:
        return dict(inspect.signature(loaded, eval_str=True).parameters)
    except (NameError, AttributeError, SyntaxError):  # names that are imported only for type checkers
        return dict(inspect.signature(loaded).parameters)


def options_of(loaded: Any) -> list[dict[str, str | None]]:
    """Describe the options of a class or function for people.

    Returns:
        For each option its ``name``; what it is ``about`` according to its class's docstring, or an empty text; its ``allowed``
        values; and its ``default`` as text, None if it is required.

    Raises:
        ValueError, TypeError: as in `parameters_of`.
    """
    found, meanings = [], meanings_of(loaded) if isinstance(loaded, type) else {}
    for name, parameter in parameters_of(loaded).items():
        if parameter.kind in _NAMED:
            default = None if parameter.default is parameter.empty else str(parameter.default).lower()
            if isinstance(parameter.default, str | Path):
                default = str(parameter.default)
            known = is_simple(parameter.annotation)
            allowed = allowed_by(parameter.annotation) if known else "any value"
            about = meanings.get(name, "")
            found.append({"name": name, "about": about, "allowed": allowed, "default": default})
    return found


def from_text(annotation: Any, text: str) -> Any:
    """Convert a text to a value that pydantic can check against an annotation."""
    if typing.get_origin(annotation) is Literal:
        return next((choice for choice in typing.get_args(annotation) if str(choice) == text), text)
    if typing.get_origin(annotation) in (Union, types.UnionType):
        return _from_union(typing.get_args(annotation), text)
    return text if annotation in _SIMPLE else literal(text)


def read_options(
    called: str, loaded: Any, options: Iterable[tuple[str, str]], error: type[NoughtsError], given: int = 0
) -> dict[str, Any]:
    """Read the keyword arguments for a class or function from options.

    Args:
        called: Its name in errors, such as ``agent 'python:mine.py:Mine'``.
        loaded: The class or function that will be called with them.
        options: As text, by name.
        error: The class of errors to raise.
        given: The number of positional arguments that it also gets.

    Raises:
        NoughtsError: `error`: an option is unknown or missing, or a value is not allowed.
    """
    texts = dict(options)
    try:
        parameters = parameters_of(loaded)
    except (ValueError, TypeError):
        return {name: literal(text) for name, text in texts.items()}
    known = {name: each for name, each in list(parameters.items())[given:] if each.kind in _NAMED}
    if not any(each.kind is Parameter.VAR_KEYWORD for each in parameters.values()):
        for name in texts:
            if name not in known:
                raise error(f"{called}: {unknown('option', name, known)}")
    for name, parameter in known.items():
        if parameter.default is Parameter.empty and name not in texts:
            words = f": {allowed_by(parameter.annotation)}" if is_simple(parameter.annotation) else ""
            raise error(f"{called}: the option {name} must be given{words}")
    return {name: _read(called, name, text, known, error) for name, text in texts.items()}


def _read(called: str, name: str, text: str, known: Mapping[str, Parameter], error: type[NoughtsError]) -> Any:
    annotation = known[name].annotation if name in known else Parameter.empty
    if not is_simple(annotation):
        return literal(text)
    try:
        return TypeAdapter(annotation).validate_python(from_text(annotation, text))
    except ValidationError:
        given = shortened(text, _SHOWN)
        raise error(f"{called}: {name}={given} is not allowed: {allowed_by(annotation)}") from None


def is_simple(annotation: Any) -> bool:
    """Whether values of a type can be read from text and checked."""
    if typing.get_origin(annotation) in (Union, types.UnionType):
        return all(each is types.NoneType or is_simple(each) for each in typing.get_args(annotation))
    return annotation in _SIMPLE or typing.get_origin(annotation) is Literal


def _from_union(members: tuple[Any, ...], text: str) -> Any:
    """The value for the first member of a union that accepts the text; text itself is tried last."""
    if types.NoneType in members and text.lower() == "none":
        return None
    for member in sorted(
        (each for each in members if each is not types.NoneType), key=lambda each: each in (str, Path)
    ):
        value = from_text(member, text)
        try:
            return TypeAdapter(member).validate_python(value)
        except ValidationError:
            continue
    return text
