"""The pages of studies that ship with noughts, one of each scale at which a study was run for the project, with their pictures.

They are those of the documentation: `findings` beside this file is a link to them, in whose place a wheel holds the files.
"""

from functools import lru_cache
from pathlib import Path as FilePath
from typing import Annotated

from fastapi import APIRouter, Path
from markdown_it import MarkdownIt
from pydantic import BaseModel, Field

from noughts.studies.study import Study
from noughts.web.errors import Refused
from noughts.web.page import STATIC

router = APIRouter(prefix="/api/findings")
PageName = Annotated[str, Path(max_length=100)]

FOLDER = STATIC.parent / "findings"
"""With the pages, their pictures and long tables; not there in a copy of the code without the documentation."""
PICTURES = "/findings"
"""Below which they are served."""

_CLOSED = ("Proofs", "How to repeat it", "How to cite it")  # sections at a page's end that are left out here


class StudyPage(BaseModel):
    """A page of a study that ships: its name, such as ``is-minimax-perfect-quick``, with the scale at its end."""

    name: str
    scale: str
    picture: str = Field(description="The address of its first picture; empty if it has none.")


class FindingAnswer(BaseModel):
    """A page of a study that ships."""

    title: str
    question: str
    html: str = Field(description="All below the question, for a page; made of the project's own Markdown.")


def shipped_pages(study: Study) -> list[StudyPage]:
    """The pages of a study that ship, that of the largest scale first."""
    found = []
    for scale in reversed(list(study.scales)):
        name = f"{study.name}-{scale}"
        if (FOLDER / f"{name}.md").is_file():
            pictures = sorted(path.name for path in FOLDER.glob(f"{name}-*.svg"))
            picture = f"{PICTURES}/{pictures[0]}" if pictures else ""
            found.append(StudyPage(name=name, scale=scale, picture=picture))
    return found


@router.get("/{name}")
def finding(name: PageName) -> FindingAnswer:
    """A page of a study that ships."""
    if (page := next((path for path in FOLDER.glob("*.md") if path.stem == name), None)) is None:
        raise Refused(404, f"no page {name!r} ships with noughts")
    return _read(page)


@lru_cache(maxsize=32)
def _read(path: FilePath) -> FindingAnswer:
    title, _, question, text = path.read_text("utf-8").removeprefix("# ").split("\n", 3)
    for heading in _CLOSED:
        text = text.split(f"\n## {heading}\n", 1)[0]
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # a wide one is moved by keys
        if token.attrs.pop("style", None):  # which the page's policy forbids; it is on cells with numbers
            token.attrSet("class", "numeric")
    for inline in (child for token in tokens for child in token.children or ()):
        if inline.type == "image":
            inline.attrSet("src", f"{PICTURES}/{inline.attrGet('src')}")
            inline.attrSet("loading", "lazy")
        elif str(inline.attrGet("href")).endswith(".csv"):
            inline.attrSet("href", f"{PICTURES}/{inline.attrGet('href')}")
    return FindingAnswer(title=title, question=question, html=markdown.renderer.render(tokens, markdown.options, {}))
