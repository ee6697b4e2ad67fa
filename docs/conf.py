"""How Sphinx builds the documentation: ``uv run --group docs sphinx-build -W --keep-going -b html docs docs/_build/html``."""

import importlib.metadata
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "ext"))

import written  # noqa: E402 - our own pages, which lie in docs/ext

project = "noughts"
author = "The noughts authors"
project_copyright = "The noughts authors, MIT licence"
release = version = importlib.metadata.version("noughts")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "ext"]
root_doc = "index"

html_theme = "furo"
html_title = "noughts"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False

smartquotes = False  # in text such as --rules and 'D4' every character counts
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

nitpicky = True  # every link between pages is checked; types of other libraries are not ours to document
nitpick_ignore_regex = [(r"py:.*", r".*")]
suppress_warnings = ["ref.python"]  # an attribute's name, such as `rules`, may be that of several classes
autodoc_default_options = {"members": True, "show-inheritance": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
napoleon_use_ivar = True
python_use_unqualified_type_names = True


_TOGETHER = re.compile(r"^\s+(?:\w+, )+\w+(?=: )")
"""Several attributes that are told of together, ``rows, cols: Size``: Sphinx would take the first for a type."""


def as_sphinx_reads_it(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """What is indented below an empty line in a module's docstring is a block, to be shown as it stands.

    In any docstring, attributes that are told of together become one name.
    """
    lines[:] = [_TOGETHER.sub(lambda match: match.group().replace(", ", ","), line) for line in lines]
    if what != "module":
        return
    shown: list[str] = []
    for line in lines:
        before = next((text for text in reversed(shown) if text.strip()), "")
        if line.startswith(" ") and shown and not shown[-1].strip() and not before.startswith(" "):
            shown += ["::", ""]
        shown.append(line)
    lines[:] = shown


def not_for_readers(app: Any, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what pydantic adds to a module or a class: settings, and classes made for one type of answer."""
    return True if name == "model_config" or "[" in name else None


def as_the_site_links(app: Any, name: str, content: list[str]) -> None:
    """What lies at the root of the repository is a page of the site."""
    content[0] = written.with_pages_for_files(content[0], Path(name).parent)


def setup(app: Any) -> None:
    """Write the pages that are made from the program and from the files beside it, before anything is read."""
    app.connect("builder-inited", lambda app: written.write_all(HERE))
    app.connect("source-read", as_the_site_links)
    app.connect("autodoc-process-docstring", as_sphinx_reads_it, priority=100)  # before napoleon reads sections
    app.connect("autodoc-skip-member", not_for_readers)
