"""The documentation is correct: links have targets, examples run, and commands print what the pages show."""

import re
import shlex
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import typer
import written

import noughts
from noughts.agents import AGENTS
from noughts.cli.main import app, main
from noughts.library.sweep_file import SweepFile
from noughts.machine.plugins import PYTHON
from noughts.networks.options import NETWORKS
from noughts.store.run_folder import CERTIFICATES
from noughts.training.registry import METHODS
from tests.docs.pages import AT_THE_ROOT, DOCS, FENCED, ROOT, SITE, Block, anchors, blocks, links


@pytest.mark.parametrize("page", [*AT_THE_ROOT, *SITE], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_have_targets(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert target.parent != DOCS / "written", f"{link} is not there on a code host: link to the source of the page"
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", [*AT_THE_ROOT, *SITE], ids=lambda page: str(page.relative_to(ROOT)))
def test_no_paragraph_or_heading_appears_twice_on_a_page(page: Path) -> None:
    """No long paragraph appears twice, and no heading twice at one level of a chapter."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    paragraphs = [one for one in re.split(r"\n\n+", text) if len(one) > 80]
    assert len(paragraphs) == len(set(paragraphs))
    if page.name != "CHANGELOG.md":  # each version has the same headings
        chapters = [re.findall(r"^###? .+$", chapter, re.M) for chapter in re.split(r"^(?=## )", text, flags=re.M)]
        assert all(len(headings) == len(set(headings)) for headings in chapters)


@pytest.mark.heavy
@pytest.mark.usefixtures("own_store")
@pytest.mark.parametrize(
    "page",
    [page for page in SITE if any(block.kind == "python" or block.mark for block in blocks(page))],
    ids=lambda page: str(page.relative_to(DOCS)),
)
def test_examples_run_and_print_the_shown_output(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # a block may import another block's file
    monkeypatch.setenv("COLUMNS", "80")
    found = blocks(page)
    for block, after in zip(found, [*found[1:], Block("", "", "")], strict=True):
        if block.kind == "python":
            run_python(block.text)
        elif block.kind == "toml" and (named := re.match(r"# (\w+\.toml)\n", block.text)):
            Path(named[1]).write_text(block.text)
        elif block.mark:
            expected = int(block.mark.partition(":")[2] or 0)
            for line in block.text.splitlines():
                assert run_command(line) == expected, line
            shown = after.text if after.kind == "text" else ""
            assert_prints(capsys.readouterr().out, shown)


@pytest.mark.parametrize("page", SITE, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_block_of_python_follows_where_a_page_says_so(page: Path) -> None:
    announced = re.findall(r"In Python:\n\n(.*)", page.read_text(encoding="utf-8"))
    assert [line for line in announced if line not in ("```python", "```py")] == []


def test_commands_within_sentences_are_complete() -> None:
    """Commands that begin with ``uv run`` are to be typed as they are; the names of others may stand alone."""
    text = "\n\n".join(FENCED.sub("", page.read_text(encoding="utf-8")) for page in [*AT_THE_ROOT, *SITE])
    found = re.findall(r"`uv run noughts ([^`]+)`", text)
    assert len(found) > 10
    for line in found:
        command: Any = typer.main.get_command(app)
        words = shlex.split(line)
        while hasattr(command, "commands"):
            command = command.commands[words.pop(0)]
        command.make_context("noughts", words)  # an error if an argument is missing


def test_the_sweep_in_the_guide_is_possible() -> None:
    (text,) = (block.text for block in blocks(DOCS / "guides" / "sweeps.md") if block.kind == "toml")
    assert len(SweepFile(**tomllib.loads(text)).planned.conditions) == 4


def test_every_command_is_in_the_reference_with_its_options() -> None:
    page = written.command_line()
    app_command: Any = typer.main.get_command(app)
    for name, command in app_command.commands.items():
        for path, below in [(f"{name} {sub}", its) for sub, its in getattr(command, "commands", {}).items()] or [
            (name, command)
        ]:
            section = page.partition(f"\n## noughts {path}\n")[2].partition("\n## ")[0]
            assert section, path
            for parameter in below.params:
                option = parameter.param_type_name == "option"
                known = parameter.opts if option else [f"- `{parameter.metavar or parameter.name}"]
                assert all(text in section for text in known), (path, known)


def test_usage_lines_have_single_brackets() -> None:
    page = written.command_line()
    assert "\nnoughts networks [OPTIONS] [NETWORK]\n" in page
    assert "[[" not in page


def test_the_guide_to_clusters_names_all_commands_that_use_one() -> None:
    (sentence,) = re.findall(r"\n\n(.+?)\s+take `--on`", (DOCS / "guides" / "cluster.md").read_text(encoding="utf-8"))
    sections = re.findall(r"^## noughts (.+)\n([^#]*)", written.command_line(), re.M)
    assert sorted(re.findall(r"`(.+?)`", sentence)) == sorted(name for name, text in sections if "\n- `--on " in text)


def test_the_page_about_the_store_names_everything_in_it() -> None:
    table = (DOCS / "reference" / "store.md").read_text(encoding="utf-8").partition("\n| ")[2].partition("\n\n")[0]
    code = "\n".join(path.read_text(encoding="utf-8") for path in Path(noughts.__file__).parent.rglob("*.py"))
    names = {CERTIFICATES, *re.findall(r'(?:store_folder\(\w*\)|\bfolder) / "([\w.]+)"', code)}
    assert {"certificates", "engines", "commands", "pages", "weights", "run.json"} < names
    assert [name for name in names if not re.search(rf"`([\w/]+/)?{re.escape(name)}[/`]", table)] == []


def test_the_guide_to_training_names_the_agent_that_is_proved() -> None:
    section = (DOCS / "guides" / "train.md").read_text(encoding="utf-8").partition("\n## Train until proved\n")[2]
    assert "view=canonical" in section.partition("\n## ")[0]
    tutorial = (DOCS / "guides" / "first-proof.md").read_text(encoding="utf-8")
    agents = set(re.findall(r"az:first\S+", tutorial))
    assert agents == {"az:first,sims=32,view=canonical", "az:first,sims=0,view=canonical"}


def test_links_between_files_become_links_between_pages() -> None:
    text = "[a](ARCHITECTURE.md#words) [b](docs/index.md#x) [c](https://example.org/README.md) [d](LICENSE)"
    linked = written.with_links_of_the_site(text)
    assert linked == "[a](architecture.md#words) [b](../index.md#x) [c](https://example.org/README.md) [d](LICENSE)"


def test_links_to_files_at_the_root_become_links_to_pages() -> None:
    text = "[a](../../CONTRIBUTING.md#add-a-rule) [b](../start.md) [c](../../benchmarks/README.md) [d](../../LICENSE)"
    assert written.with_pages_for_files(text, Path("guides")) == (
        "[a](../written/contributing.md#add-a-rule) [b](../start.md) [c](../written/benchmarks.md) [d](../../LICENSE)"
    )
    assert written.with_pages_for_files("[a](../ARCHITECTURE.md)", Path()) == "[a](written/architecture.md)"
    with_page = written.with_pages_for_files("[a](../src/noughts/store/run_folder.py)", Path())
    assert with_page == "[a](written/formats.md#a-training-runs-folder)"


@pytest.mark.parametrize(
    ("page", "names"),
    [(written.agents, [*AGENTS, PYTHON]), (written.networks, NETWORKS), (written.training_keys, METHODS)],
    ids=["agents", "networks", "training keys"],
)
def test_references_have_a_section_for_each_item(page: Callable[[], str], names: Iterable[str]) -> None:
    headings = re.findall(r"^## (?:Method )?(.+)$", page(), re.M)
    assert headings == list(names)


def test_the_reference_of_agents_has_what_the_command_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents"]) == 0
    listed = re.findall(r"^  (\w+) .*; (?:default )?(.+)$", capsys.readouterr().out, re.M)
    rows = re.findall(r"^\| `(\w+)` .* \| (.+) \|$", written.agents(), re.M)
    assert ("inside", "must be given") in rows
    assert rows == listed


def test_the_reference_of_training_keys_writes_none_as_commands_do() -> None:
    page = written.training_keys()
    assert page.count("| none |") > 3
    assert re.findall(r"None\b|\bnull\b", page) == []


def test_the_reference_of_python_has_every_public_name() -> None:
    page = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    offered = Path(noughts.__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
    for module, name in re.findall(r"^from (\S+) import (\w+) as", offered, re.M):
        whole = re.search(rf"automodule:: {module}\n(?:   :imported-members:\n)?(?:   :members: (.+)\n)?", page)
        alone = re.search(rf"auto(?:class|function):: {module}\.{name}\n", page)
        assert alone or (whole and name in (whole[1] or name).split(", ")), f"{module}.{name}"


@pytest.mark.parametrize(
    ("words", "page", "answer"),
    [
        ("prove it", "docs/guides/prove.md", "noughts prove AGENT"),
        ("findings", "docs/findings.md", "### From one brick square to all"),
        ("add a game", "CONTRIBUTING.md", "## Add a game"),
    ],
)
def test_common_goals_are_one_click_from_the_first_page(words: str, page: str, answer: str) -> None:
    found = re.findall(r"\[([^\]]+)\]\(([^)#]+)", (DOCS / "index.md").read_text(encoding="utf-8"))
    assert ROOT / page in [(DOCS / target).resolve() for text, target in found if words in text.lower()]
    assert answer in (ROOT / page).read_text(encoding="utf-8")


def test_titles_are_short_and_unique() -> None:
    titles = [re.findall(r"^# (.+)$", FENCED.sub("", page.read_text()), re.M) for page in SITE]
    assert all(len(found) == 1 and len(found[0].split()) <= 7 for found in titles)
    assert len({found[0] for found in titles}) == len(titles)


def run_python(text: str) -> None:
    """Run a block; if it begins with a comment that names a file, save it as that file."""
    named = re.match(r"# (\w+\.py)\n", text)
    if named:
        Path(named[1]).write_text(text)
    exec(compile(text, "<a block of the page>", "exec"), {"__name__": "page"})


def run_command(line: str) -> int:
    """Run a line such as ``uv run noughts ...`` in this process; return its exit code."""
    words = shlex.split(line, comments=True)
    assert words[:3] == ["uv", "run", "noughts"], line
    command: Any = typer.main.get_command(app)
    command = command.commands[words[3]]
    command = getattr(command, "commands", {}).get("".join(words[4:5]), command)
    here = any("--workers" in parameter.opts for parameter in command.params)
    return main([*words[3:], "--workers", "0"] if here else words[3:])


def assert_prints(printed: str, shown: str) -> None:
    """Each shown line was printed, in that order; durations may differ."""
    lines = iter([plain(line) for line in printed.splitlines()])
    for line in filter(None, map(plain, shown.splitlines())):
        assert line in lines, f"{line!r} is shown, and not printed:\n{printed}"


def plain(line: str) -> str:
    return re.sub(r"\b\d+(\.\d+)? s\b", "_ s", " ".join(line.split()))
