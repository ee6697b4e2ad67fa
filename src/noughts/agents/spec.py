"""`AgentSpec`: an agent as text, ``name:option=value,option=value`` or ``name:target,option=value``.

The same text names it on the command line, in studies, in the results database and on pages. Put a value or a target that
contains commas in parentheses: ``omniscient:sims=3,inside=(minimax:depth=9,ties=first)``.
"""

import re
from collections.abc import Container
from typing import ClassVar

from noughts.rules import AgentError, Value
from noughts.rules.text import split_outside_parentheses

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_NESTED = re.compile(r"=[\s(]*[A-Za-z][A-Za-z0-9_-]*:")  # the start of a spec inside another one
_DEEPEST = 20


class AgentSpec(Value):
    """A name and its options, as written. `target` is the class, run or program that some kinds of agents name."""

    error_type: ClassVar = AgentError
    called: ClassVar = "agent"

    name: str
    target: str = ""
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """The text that `split_spec` reads back."""
        parts = [_enclosed(self.target)] if self.target else []
        parts += [f"{name}={_enclosed(value)}" for name, value in self.options]
        return f"{self.name}:{','.join(parts)}" if parts else self.name


def split_spec(text: str, with_target: Container[str]) -> AgentSpec:
    """Parse a spec, without checking that the agent exists.

    Args:
        text: As users write it.
        with_target: The names whose first part is a target.

    Raises:
        AgentError: the text is malformed.
    """
    name, colon, rest = text.strip().partition(":")
    if name.endswith(".py"):
        meant = f"python:{name}:{rest.strip() or 'Class'}"
        raise AgentError(
            f"agent {text!r} is malformed: a class in a file is python:file.py:Class (did you mean {meant!r}?)"
        )
    if not _NAME.fullmatch(name) or (colon and not rest.strip()):
        raise AgentError(
            f"agent {text!r} is malformed: write KIND:option=value or KIND:TARGET,option=value, such as mcts:sims=1000,c=1"
        )
    if len(_NESTED.findall(text)) > _DEEPEST:
        raise AgentError(f"agent {text[:40] + ' ...'!r} is nested too deeply: at most {_DEEPEST} agents inside others")
    if not _balanced(text):
        raise AgentError(f"agent {text!r} is malformed: its parentheses do not match")
    target, options = "", {}
    for number, part in enumerate(split_outside_parentheses(rest, ",") if colon else []):
        option, equals, value = (piece.strip() for piece in part.partition("="))
        if number == 0 and name in with_target and part.strip():
            target = _opened(part.strip())  # whole, because a path may contain "="
        elif not equals or not option or not value:
            raise AgentError(f"agent {text!r}: {part.strip()!r} is not an option; write option=value")
        elif option in options:
            raise AgentError(f"agent {text!r}: {option} is given twice")
        else:
            options[option] = _opened(value)
    return AgentSpec(name=name, target=target, options=tuple(options.items()))


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0


def _opened(value: str) -> str:
    """A value without the parentheses that enclose it; unchanged if they are empty."""
    inside = value[1:-1].strip()
    return inside if value.startswith("(") and value.endswith(")") and inside and _balanced(inside) else value


def _enclosed(value: str) -> str:
    """The value that `_opened` reads back: in parentheses if it needs them."""
    return f"({value})" if "," in value or _opened(value) != value else value
