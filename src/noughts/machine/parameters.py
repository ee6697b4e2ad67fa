"""The options of code from outside: the parameters of a constructor or function, and how they are read from text.

    class Careful:
        def __init__(self, depth: int = 2, ties: Literal["first", "random"] = "first", book: Path | None = None): ...

    python:careful.py:Careful,depth=3,book=openings.txt

What is annotated with ``int``, ``float``, ``bool``, ``str``, ``Path``, ``Literal`` or a union of these is checked against it;
``none`` stands for ``None``. What is not annotated, or with another type, gets its Python literal, or else the text.
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
_SHOWN = 200  # characters of a value that errors repeat


def literal(text: str) -> Any:
    """The value of an option of which no type is known: a Python literal as such, all else as text."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # the last two when nested too deeply
        return text


def parameters_of(loaded: Any) -> dict[str, Parameter]:
    """The parameters of what makes something, their annotations as types where their names can be looked up.

    Raises:
        ValueError, TypeError: they cannot be known, as of some that are written in C.
    """
    try:
        return dict(inspect.signature(loaded, eval_str=True).parameters)
    except (NameError, AttributeError, SyntaxError):  # what is imported for type checkers alone
        return dict(inspect.signature(loaded).parameters)


def options_of(loaded: Any) -> list[dict[str, str | None]]:
    """What may be given by name to what makes something, for people.

    Returns:
        Of each option its ``name``; what its class's docstring says it is ``about``, empty if nothing; what is ``allowed``; and its
        ``default`` as text, None if it must be given.

    Raises:
        ValueError, TypeError: as of `parameters_of`.
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
    """The value of a text for pydantic to check against the annotation of a parameter."""
    if typing.get_origin(annotation) is Literal:
        return next((choice for choice in typing.get_args(annotation) if str(choice) == text), text)
    if typing.get_origin(annotation) in (Union, types.UnionType):
        return _from_union(typing.get_args(annotation), text)
    return text if annotation in _SIMPLE else literal(text)


def read_options(
    called: str, loaded: Any, options: Iterable[tuple[str, str]], error: type[NoughtsError], given: int = 0
) -> dict[str, Any]:
    """The keyword arguments that options stand for.

    Args:
        called: What errors call it, such as ``agent 'python:mine.py:Mine'``.
        loaded: The class or function that will be called with them.
        options: As text, by name.
        error: What is raised.
        given: So many positional arguments it will be given besides.

    Raises:
        NoughtsError: `error`: there is no such option, one is missing, or a value is not allowed.
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
    """The value of the first member that takes a text, text itself last of all."""
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
