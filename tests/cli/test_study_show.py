"""``noughts study show``: finished runs are selected, shown, and written for papers."""

from pathlib import Path
from typing import Any

from noughts.document.result import CheckedProof, Row, Table
from noughts.reports.page import study_page
from noughts.store.results import Store
from tests.cli.running import Shown, Told
from tests.reports.samples import study, study_markdown

SHOW = ("study", "show", "mcts-perfect")


def finished(seed: int, ours: str = "40 of 100", scale: str = "quick") -> str:
    """A finished run of a study with a table; its id."""
    rows = (Row(labels=("games",), ours=ours),)
    table = Table(title="Wins", label_columns=("what",), unit="won, percent", rows=rows)
    result = study(name="mcts-perfect", scale=scale, seed=seed, tables=(table,), figures=())
    identity: dict[str, Any] = {"scale": scale, "agents": [], "move_seconds": None}
    with Store.open() as store, store.begin("study", "mcts-perfect", identity, seed) as run:
        run.finish(result.to_json())
    return run.id


def test_the_latest_run_is_written_into_the_folder(tmp_path: Path, told: Told) -> None:
    result = study(name="mcts-perfect", figures=())
    with Store.open() as store, store.begin("study", "mcts-perfect", {}, 7) as begun:
        begun.finish(result.to_json())
    page = tmp_path / "site" / "mcts-perfect-paper-seed7.md"
    assert f"markdown: {page}" in told(*SHOW, "--markdown", tmp_path / "site")
    assert page.read_text() == study_markdown(result)


def test_a_run_is_chosen_by_scale_seed_or_id(shown: Shown, told: Told) -> None:
    first = finished(1)
    finished(2, "50 of 100")
    finished(2, "60 of 100", scale="laptop")

    def ours(*words: str) -> str:
        return str(shown(*SHOW, *words)["tables"][0]["rows"][0]["ours"])

    assert ours() == "60 of 100"
    assert ours("--seed", "1") == ours("--run", first) == ours("--run", first, "--seed", "1") == "40 of 100"
    assert ours("--seed", "2", "--scale", "quick") == "50 of 100"
    with Store.open() as store, store.begin("study", "exact-values", {"scale": "quick"}, 1) as other:
        for words, message in (
            ((*SHOW, "--seed", "9"), "no finished run of mcts-perfect of seed 9"),
            ((*SHOW, "--seed", "9", "--scale", "laptop"), "noughts study run mcts-perfect --scale laptop --seed 9"),
            ((*SHOW, "--run", first, "--seed", "2"), "is of another seed: leave that out"),
            ((*SHOW, "--run", "nothing"), "there is no run 'nothing'"),
            ((*SHOW, "--run", other.id), "is no run of mcts-perfect, but the study exact-values"),
            (("study", "show", "exact-values", "--run", other.id), "is not finished"),
        ):
            assert message in told(*words, code=2)


def test_everything_for_a_paper_is_written_without_overwriting_citations(tmp_path: Path, told: Told) -> None:
    finished(1)
    folder, mine = tmp_path / "paper", tmp_path / "mine.bib"
    mine.write_text("mine")
    words = (*SHOW, "--csv", folder, "--latex", folder / "tex", "--bibtex", mine)
    assert f"{mine} is there already: --force writes over it" in told(*words, code=2)
    assert (mine.read_text(), folder.exists()) == ("mine", False)
    out = told(*words, "--force")
    written = sorted(path for path in folder.rglob("*") if path.is_file())
    assert [path.suffix for path in written] == [".csv", ".tex"]
    assert all(str(path) in out for path in (*written, mine))
    assert "@misc{zhao2019selfplay," in mine.read_text()


def test_pages_name_every_certificate_and_the_frozen_settings() -> None:
    proof = CheckedProof(
        agent="az:RUN@3,sims=0", side="first", rules="bttt(D4)", claim="wins", sha256="ab" * 32, positions=57_365
    )
    result = study(name="mcts-perfect", proofs=(proof,), frozen={"settings.json": "cd" * 32}, figures=())
    for page in (study_page(result), study_markdown(result)):
        assert "ab" * 32 in page
        assert "57,365" in page
        assert "cd" * 32 in page
        assert "noughts verify FILE" in page
    without = study(name="mcts-perfect", figures=())
    assert "Frozen settings" not in study_page(without)
    assert "Proofs" not in study_markdown(without)
