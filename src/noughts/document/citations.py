"""The sources of a study, and noughts itself, as bibliography entries."""

import re
from typing import Literal

import noughts
from noughts.rules import Value

_SPECIAL = re.compile(r"([&%$#_{}])")


class Citation(Value):
    """A paper, report, page or program.

    Attributes:
        key: The key by which LaTeX refers to it.
        kind: The type of the BibTeX entry, ``article`` or ``misc``.
        title: The title as printed.
        authors: One text for each, "Family, Given", or the name of a group.
        year: The year of publication; None if it is not published yet.
        journal: The journal, with volume and pages if it has them.
        url: The address of a public copy; empty if we are not aware of one.
        version: The version of a program.
    """

    key: str
    kind: Literal["article", "misc"]
    title: str
    authors: tuple[str, ...]
    year: int | None = None
    journal: str = ""
    url: str = ""
    version: str = ""


BRICK_PAPER = Citation(
    key="tan2022brick",
    kind="article",
    title="Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to Novel Test Environments",
    authors=("Tan Chong Min, John", "Motani, Mehul"),
    year=2022,
    journal="arXiv preprint arXiv:2207.05991",
    url="https://arxiv.org/abs/2207.05991",
)
BETAZERO_PAPER = Citation(
    key="betazero2018",
    kind="misc",
    title="BetaZero: Tabula Rasa Tic-Tac-Toe",
    authors=("{The author of dspub99.github.io}",),
    year=2018,
    url="https://dspub99.github.io/betazero/betazero.html",
)
ZHAO_PAPER = Citation(
    key="zhao2019selfplay",
    kind="misc",
    title="Investigation of self-play deep reinforcement learning for Tic-Tac-Toe",
    authors=("Zhao, David",),
    year=2019,
)
MUZERO_PAPER = Citation(
    key="schrittwieser2020muzero",
    kind="article",
    title="Mastering Atari, Go, chess and shogi by planning with a learned model",
    authors=("Schrittwieser, Julian", "Antonoglou, Ioannis", "Hubert, Thomas", "{and others}"),
    year=2020,
    journal="Nature 588, 604-609",
    url="https://arxiv.org/abs/1911.08265",
)
NOTAKTO_PAPER = Citation(
    key="deepnotakto2018",
    kind="misc",
    title="A deep-reinforcement learning approach to solving misère combinatorial games",
    authors=("{The author of Deep-Notakto}",),
    year=2018,
    url="https://abeoliver.github.io/Deep-Notakto",
)
INITIATIVE_PAPER = Citation(
    key="uiterwijk2000initiative",
    kind="article",
    title="The advantage of the initiative",
    authors=("Uiterwijk, J. W. H. M.", "van den Herik, H. J."),
    year=2000,
    journal="Information Sciences 122",
)
OURS = Citation(
    key="noughts",
    kind="misc",
    title="noughts: k-in-a-row games learned from nothing and measured against exact truth",
    authors=("{The noughts authors}",),
    year=2026,
    version=noughts.__version__,
)
"""noughts as in `CITATION.cff`, with the year of `LICENSE`; a test compares them. The project has no address to cite."""


def bibtex(citations: tuple[Citation, ...]) -> str:
    """BibTeX entries, each once: first those of the papers, last ours."""
    return "\n".join(map(_entry, dict.fromkeys((*citations, OURS))))


def _entry(citation: Citation) -> str:
    fields = {
        "author": " and ".join(citation.authors),
        "title": f"{{{_SPECIAL.sub(_escaped, citation.title)}}}",
        "journal": _SPECIAL.sub(_escaped, citation.journal),
        "year": "" if citation.year is None else str(citation.year),
        "version": citation.version,
        "url": citation.url,
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{citation.kind}{{{citation.key},", *lines, "}", ""])


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match.group(1)
