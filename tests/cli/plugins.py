"""Third-party code as files: those of the guide to plugins, and a study with its own kind of question."""

import re
import shutil
from pathlib import Path

from tests.docs.pages import DOCS, blocks


def write_plugins(folder: Path) -> Path:
    """Make the folder, write the files into it, and return it."""
    folder.mkdir()
    for block in blocks(DOCS / "guides" / "plugins.md"):
        if named := re.match(r"# (\w+\.py)\n", block.text):
            (folder / named[1]).write_text(block.text)
    shutil.copy(Path(__file__).parent / "explore.py", folder)
    return folder
