"""``noughts study show``: finished runs chosen, shown, and written for papers."""

import json
from pathlib import Path
from typing import Any

import pytest

from noughts.cli.main import main
from noughts.document.result import CheckedProof, Row, Table, judged
from noughts.reports.markdown import study_markdown
from noughts.reports.page import study_page
from noughts.statistics import compare, wilson
from noughts.store.results import Store
from tests.reports.samples import study


@pytest.mark.heavy
def test_the_latest_run_is_written_into_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = study(name="mcts-perfect")
    with Store.open() as store, store.begin("study", "mcts-perfect", {}, 7) as run:
        run.finish(result.to_json())
    assert main(["study", "show", "mcts-perfect", "--markdown", str(tmp_path / "site")]) == 0
    page = tmp_path / "site" / "mcts-perfect-paper-seed7.md"
    assert page.read_text() == study_markdown(result)
    assert f"markdown: {page}" in capsys.readouterr().out


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any, str]:
    code = main([*words, "--json"])
    said = capsys.readouterr()
    return code, json.loads(said.out) if said.out else None, said.err


def counted(won: int, games: int, paper: int = 50) -> Row:
    share = wilson(won, games)
    return Row(
        labels=("games",),
        paper=f"{paper} of 100",
        ours=f"{won} of {games}",
        value=100 * share.share,
        low=100 * share.low,
        high=100 * share.high,
        count=games,
        comparison=compare(won, games, paper, 100),
    )


def finished(store: Store, seed: int, *tables: Table, scale: str = "quick") -> str:
    """A finished run of a study with these tables; its id."""
    result = study(name="mcts-perfect", scale=scale, seed=seed, tables=judged(tables), figures=())
    with store.begin("study", "mcts-perfect", {"scale": scale, "agents": [], "move_seconds": None}, seed) as run:
        run.finish(result.to_json())
    return run.id


def table(*rows: Row, title: str = "Wins", **fields: Any) -> Table:
    return Table(title=title, label_columns=("what",), unit="won, percent", rows=rows, **fields)


@pytest.fixture
def store() -> Store:
    return Store.open()


def test_a_run_is_chosen_by_scale_seed_or_id(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    first = finished(store, 1, table(counted(40, 100)))
    finished(store, 2, table(counted(50, 100)))
    finished(store, 2, table(counted(60, 100)), scale="laptop")

    def ours(*words: str) -> str:
        code, result, err = shown(capsys, "study", "show", "mcts-perfect", *words)
        assert code == 0, err
        return str(result["tables"][0]["rows"][0]["ours"])

    assert ours() == "60 of 100"
    assert ours("--seed", "1") == ours("--run", first) == ours("--run", first, "--seed", "1") == "40 of 100"
    assert ours("--seed", "2", "--scale", "quick") == "50 of 100"
    for words, message in (
        (("--seed", "9"), "no finished run of mcts-perfect of seed 9"),
        (("--seed", "9", "--scale", "laptop"), "noughts study run mcts-perfect --scale laptop --seed 9"),
        (("--run", first, "--seed", "2"), "is of another seed: leave that out"),
        (("--run", "nothing"), "there is no run 'nothing'"),
    ):
        code, _, err = shown(capsys, "study", "show", "mcts-perfect", *words)
        assert (code, message in err) == (2, True), err
    with store.begin("study", "exact-values", {"scale": "quick"}, 1) as other:
        code, _, err = shown(capsys, "study", "show", "mcts-perfect", "--run", other.id)
        assert (code, "is no run of mcts-perfect, but the study exact-values" in err) == (2, True)
        code, _, err = shown(capsys, "study", "show", "exact-values", "--run", other.id)
        assert (code, "is not finished" in err) == (2, True)


def test_everything_for_a_paper_is_written(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    finished(store, 1, table(counted(40, 100)), table(counted(1, 2), title="More"))
    folder = tmp_path / "paper"
    words = ["--csv", str(folder), "--latex", str(folder / "tex"), "--bibtex", str(folder / "all.bib")]
    assert main(["study", "show", "mcts-perfect", *words]) == 0
    out = capsys.readouterr().out
    written = sorted(path for path in folder.rglob("*") if path.is_file())
    assert [path.suffix for path in written] == [".bib", ".csv", ".csv", ".tex", ".tex"]
    assert all(str(path) in out for path in written)
    assert "@misc{zhao2019selfplay," in (folder / "all.bib").read_text()


def test_no_file_of_citations_is_written_over_unasked(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(store, 1, table(counted(40, 100)))
    mine = tmp_path / "mine.bib"
    mine.write_text("mine")
    words = ["study", "show", "mcts-perfect", "--csv", str(tmp_path / "tables"), "--bibtex", str(mine)]
    code, _, err = shown(capsys, *words)
    assert (code, str(mine) in err and "--force" in err) == (2, True)
    assert mine.read_text() == "mine"
    assert not (tmp_path / "tables").exists()
    assert shown(capsys, *words, "--force")[0] == 0
    assert "@misc{zhao2019selfplay," in mine.read_text()


@pytest.mark.heavy
def test_pages_name_every_certificate_and_the_settings_that_were_frozen() -> None:
    proof = CheckedProof(
        agent="az:RUN@3,sims=0", side="first", rules="bttt(D4)", claim="wins", sha256="ab" * 32, positions=57_365
    )
    result = study(name="mcts-perfect", proofs=(proof,), frozen={"settings.json": "cd" * 32})
    for page in (study_page(result), study_markdown(result)):
        assert "ab" * 32 in page
        assert "57,365" in page
        assert "cd" * 32 in page
        assert "noughts verify FILE" in page
    assert "Frozen settings" not in study_page(study(name="mcts-perfect"))
    assert "Proofs" not in study_markdown(study(name="mcts-perfect"))
