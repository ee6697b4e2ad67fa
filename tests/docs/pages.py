"""The pages that people read, and their contents: headings, links, blocks, numbers."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
AT_THE_ROOT = tuple(sorted(ROOT.glob("[A-Z]*.md")))
SITE = tuple(
    sorted(
        path for path in DOCS.rglob("*.md") if not {"_build", "written", "studies"} & set(path.relative_to(DOCS).parts)
    )
)
"""Pages written by hand; generated ones are checked where they are generated."""

FENCED = re.compile(
    r"(?:<!-- (?P<mark>run[^>]*?) -->\n)?^(?P<fence>```+)(?P<kind>\w*)[^\n]*\n(?P<text>.*?)^(?P=fence)$", re.M | re.S
)
"""A block between fences."""
_LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")

_NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?x?(?![\w-]|\.\d)")


class Block(NamedTuple):
    """A block of code."""

    kind: str  # its language
    text: str
    mark: str  # `run` or `run: CODE` if the page states that its commands are run, with their exit code; else empty


def blocks(page: Path) -> list[Block]:
    return [Block(found["kind"], found["text"], found["mark"] or "") for found in FENCED.finditer(page.read_text())]


def links(page: Path) -> list[str]:
    """The page's links within the repository, as written."""
    found = ("".join(groups) for groups in _LINK.findall(FENCED.sub("", page.read_text())))
    return [link for link in found if "://" not in link]


def anchors(page: Path) -> set[str]:
    """The anchors of the page's headings."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text()), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def numbers(text: str) -> set[str]:
    """The numbers in a text without thousands' commas, ratios as 2.5x; not those in names such as D4 or 7x7, in code, or in links."""
    return {number.replace(",", "") for number in _NUMBER.findall(re.sub(r"`[^`]*`|\]\([^)]*\)", " ", text))}


def games_in(name: str) -> list[dict[str, Any]]:
    """The games in a file of the findings that a command wrote."""
    return list(json.loads((DOCS / "findings" / name).read_text())["games"])
