"""Measures the prose of Markdown pages: `uv run python -m tests.docs.style FILE.md ...` prints each hit, then a table of pages.

A hit is a phrase that the style guide replaces, a sentence of more than 30 words, a clause as a subject, more than four numbers in a
sentence, or two of colon and semicolon in one. Code, tables and headings are not read.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LONGEST_SENTENCE = 30
MOST_NUMBERS = 4

_PHRASES = {
    r"\bgo(es)? on\b(?! to\b)|\bgone on\b": "resume, continue",
    r"\banew\b": "again, from scratch",
    r"\bof chance\b|\bties? (can )?falls?\b|\bfall of (its )?ties\b|\bleaves? (nothing|little) to chance\b": "stochastic, deterministic",
    r"\bfrom outside\b|\b(agents?|networks?|class(es)?|one) of yours\b": "your own, third-party, plugin",
    r"\bbare polic(y|ies)\b": "raw policy",
    r"\bimages? of (one another|a|an|its|the|games?|positions?)\b|\bsees? from one side\b": "equivalent under symmetry",
    r"\bheld beside\b|\bsets? .{1,40}? beside\b|\bbeside (ours|the paper|exact)\b": "compared with",
    r"\bnot told\b|\btold (apart|from)\b|\bbe told from\b|\btells? nothing\b": "statistically distinguishable",
    r"\bbest repl(y|ies)\b": "best response",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\b(is|are|was|were|be|been) (told|asked|said)\b": "show, print, query, return",
    r"\bsays? (so|how|what|which|where|whether|that|why|of)\b": "show, print, record, define",
    r"\b(whoever|somebody|nobody|anybody)\b": "you, a user, no one, or the actor's name",
    r"\bstands?\b": "is, is listed, appears",
}
"""Phrases, as patterns, and their replacements."""
_PATTERNS = [(re.compile(pattern, re.I), advice) for pattern, advice in _PHRASES.items()]
_CLAUSE_FIRST = re.compile(r"^(What|Whoever|Whatever|Who|Whose|Where)\b(?![^.!?]*\?)")
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d,.]*\b")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\[])")
_CONNECTIVE = re.compile(
    r"\b(because|since|therefore|thus|hence|however|although|though|instead|otherwise|for example|for instance|e\.g\.)(?!\w)"
    r"|(^|[.,:;] )so\b",
    re.I,
)
"""Words that connect sentences or clauses."""


class Hit(NamedTuple):
    """What a rule found, and its replacement; `line` is the start of its paragraph, counted from 1."""

    line: int
    text: str


class Measure(NamedTuple):
    """The style of a page."""

    words: int  # all words of the page, with code and tables
    narrative: int  # words of prose only
    connectives: int  # words that connect sentences or clauses
    hits: list[Hit]

    @property
    def rate(self) -> float:
        """Hits per 1,000 words of the page."""
        return 1000 * len(self.hits) / max(1, self.words)

    @property
    def connective_rate(self) -> float:
        """Connectives per 1,000 words of prose."""
        return 1000 * self.connectives / max(1, self.narrative)


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """The first line and the prose of every paragraph and list item."""
    fenced = False
    start = 0
    block: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        # A block of code, unless it is an item of a nested list.
        indented = not block and re.match(r" {4,}(?![-*]|\d+\.)", line)
        skipped = fence or fenced or indented or re.match(r"\s*(\||#|<|:::|!\[)", line)
        begins_item = re.match(r"\s*([-*]|\d+\.)\s", line)
        if block and (not line.strip() or skipped or begins_item):
            yield start, re.sub(r"\s+", " ", " ".join(block)).strip()
            block = []
        if line.strip() and not skipped:
            start = start if block else number
            block.append(line)


def plain(prose: str) -> str:
    """Prose with links replaced by their words, and each piece of code by one word."""
    return re.sub(r"`[^`]*`", "CODE", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", prose))


def measure(text: str) -> Measure:
    hits: list[Hit] = []
    narrative = reasons = 0
    for line, prose in paragraphs(text):
        read = plain(prose)
        narrative += len(read.split())
        reasons += len(_CONNECTIVE.findall(read))
        hits += [Hit(line, text) for text in _found(read)]
    return Measure(len(text.split()), narrative, reasons, hits)


def _found(read: str) -> Iterator[str]:
    for pattern, advice in _PATTERNS:
        for match in pattern.finditer(read):
            yield f"{match.group()!r}: write {advice}"
    for sentence in _SENTENCE_END.split(read):
        shown = sentence[:80]
        if (words := len(sentence.split())) > LONGEST_SENTENCE:
            yield f"{words} words: {shown}"
        if _CLAUSE_FIRST.match(sentence.lstrip("-*0123456789. ")):
            yield f"a clause as subject: {shown}"
        if len(_NUMBER.findall(sentence)) > MOST_NUMBERS:
            yield f"more than {MOST_NUMBERS} numbers, which make a table: {shown}"
        if sentence.count(";") + sentence.count(": ") > 1:
            yield f"two of ; and : in one sentence: {shown}"


def main(names: list[str]) -> None:
    rows = []
    for name in names:
        found = measure(Path(name).read_text(encoding="utf-8"))
        for hit in found.hits:
            print(f"{name}:{hit.line} {hit.text}")
        rows.append((found.rate, len(found.hits), found.connective_rate, found.words, name))
    print("\nhits in 1,000 words, hits, connectives in 1,000 words, words, page")
    for rate, hits, connectives, words, name in sorted(rows, reverse=True):
        print(f"{rate:5.1f} {hits:4} {connectives:5.1f} {words:6,}  {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
