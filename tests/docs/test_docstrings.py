"""Docstrings of what `import noughts` offers: every parameter is described, in plain English."""

import inspect
import re

import pytest

import noughts
from tests.docs.style import measure

FUNCTIONS = sorted(name for name in noughts.__all__ if inspect.isfunction(getattr(noughts, name)))
MOST_HITS = 3.2
"""Hits per 1,000 words of all docstrings; it only falls."""

_ENTRY = re.compile(r"^    ([\w, ]+):", re.M)
_SECTION = re.compile(r"^(Args|Attributes|Raises|Returns|Yields|Example):$", re.M)


def documented(function: object) -> set[str]:
    """The names that a section of arguments describes."""
    text = inspect.getdoc(function) or ""
    _, _, arguments = text.partition("Args:\n")
    section = re.split(r"\n\n(?=\S)", arguments)[0]
    return {name.strip() for names in _ENTRY.findall(section) for name in names.split(",")}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_described(name: str) -> None:
    function = getattr(noughts, name)
    described = documented(function)
    if described:
        assert set(inspect.signature(function).parameters) <= described


def test_docstrings_are_in_plain_english() -> None:
    texts = [inspect.getdoc(getattr(noughts, name)) or "" for name in noughts.__all__ if name != "__version__"]
    found = measure(_SECTION.sub("", _ENTRY.sub("\n\\1.", "\n\n".join(texts))))
    assert found.rate <= MOST_HITS, "\n".join(hit.text for hit in found.hits)
