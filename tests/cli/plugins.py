"""Code of others, as files: those of the guide to plugins, and for its study one with a question of its own kind."""

import re
import shutil
from pathlib import Path

from tests.docs.pages import DOCS, blocks


def write_plugins(folder: Path) -> Path:
    """The same folder, which is made, with the files."""
    folder.mkdir()
    for block in blocks(DOCS / "guides" / "plugins.md"):
        if named := re.match(r"# (\w+\.py)\n", block.text):
            (folder / named[1]).write_text(block.text)
    shutil.copy(Path(__file__).parent / "explore.py", folder)
    return folder
