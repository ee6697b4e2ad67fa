"""The bundled pages of studies, with pictures: one for each scale at which the project ran a study.

They come from the documentation: `findings` beside this file is a symbolic link to them. A wheel contains the files instead.
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
"""The folder of the pages, their pictures and long tables. It is missing in a copy of the code without the documentation."""
PICTURES = "/findings"
"""The path under which the files are served."""

_CLOSED = ("Proofs", "How to repeat it", "How to cite it")  # sections at the end of a page that are omitted here


class StudyPage(BaseModel):
    """A bundled page of a study. Its name ends with the scale, for example ``is-minimax-perfect-quick``."""

    name: str
    scale: str
    picture: str = Field(description="The address of its first picture; empty if it has none.")


def shipped_pages(study: Study) -> list[StudyPage]:
    """Return the bundled pages of a study, the largest scale first."""
    found = []
    for scale in reversed(list(study.scales)):
        name = f"{study.name}-{scale}"
        if (FOLDER / f"{name}.md").is_file():
            pictures = sorted(path.name for path in FOLDER.glob(f"{name}-*.svg"))
            picture = f"{PICTURES}/{pictures[0]}" if pictures else ""
            found.append(StudyPage(name=name, scale=scale, picture=picture))
    return found


@router.get("/{name}")
def finding(name: PageName) -> str:
    """A bundled page of a study: all below its title and question, as HTML made of the project's own Markdown."""
    if (page := next((path for path in FOLDER.glob("*.md") if path.stem == name), None)) is None:
        raise Refused(404, f"no page {name!r} ships with noughts")
    return _read(page)


@lru_cache(maxsize=32)
def _read(path: FilePath) -> str:
    text = path.read_text("utf-8").split("\n", 3)[3]  # below the title, an empty line and the question
    for heading in _CLOSED:
        text = text.split(f"\n## {heading}\n", 1)[0]
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # so that the keyboard can scroll a wide table
        if token.attrs.pop("style", None):  # forbidden by the page's policy; it aligns cells with numbers
            token.attrSet("class", "numeric")
    for inline in (child for token in tokens for child in token.children or ()):
        if inline.type == "image":
            inline.attrSet("src", f"{PICTURES}/{inline.attrGet('src')}")
            inline.attrSet("loading", "lazy")
        elif str(inline.attrGet("href")).endswith(".csv"):
            inline.attrSet("href", f"{PICTURES}/{inline.attrGet('href')}")
    return str(markdown.renderer.render(tokens, markdown.options, {}))
