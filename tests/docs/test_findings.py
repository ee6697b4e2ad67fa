"""The page of findings names every study, links to every written page, and has each duration as the page does.
Its text on the studies has only numbers that are on the linked pages."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from noughts.rules import parse_rules
from noughts.rules.symmetry import least_image
from noughts.solvers.verify import verify
from noughts.studies.registry import STUDIES
from tests.docs.pages import DOCS, games_in, numbers

TEXT = (DOCS / "findings.md").read_text()
PAGES = sorted((DOCS / "findings" / "studies").glob("*.md"))
ANSWERS = TEXT.partition("\n## Four answers that need no study\n")[2].partition("\n## ")[0]
TOLD = TEXT.partition("\n## What the studies found\n")[2]
_LINKED = re.compile(r"\]\((findings/[\w/.-]+\.md)\)")
_MEASURED = re.compile(r"^\*Measured \S+ \S+ UTC in (?P<time>.+?), scale (?P<scale>\w+), ", re.M)


def answers(name: str) -> list[dict[str, Any]]:
    """The answers in a file of the networks trained on D4, one for each line."""
    return [json.loads(line) for line in (DOCS / f"findings/trained-on-d4/{name}.jsonl").read_text().splitlines()]


def test_the_four_answers_equal_the_files_beside_the_page() -> None:
    solved, walked = games_in("brick-exact-values.json"), games_in("minimax-every-reply.json")
    won = sum(game["answer"] == "wins" for game in walked)
    assert all(game["value"] == 1 for game in solved)
    first = {game["rules"]: game["answer"] for game in games_in("minimax-first-ties.json")}
    by_reply_alone = sum(first[game["rules"]] == "refuted" for game in walked if game["answer"] == "refuted")
    first_won = sum(answer == "wins" for answer in first.values())
    trained = {
        path.stem: games_in(f"trained-on-d4/{path.name}") for path in (DOCS / "findings/trained-on-d4").glob("*.json")
    }
    proved = {name: [game for game in games if game["answer"] == "wins"] for name, games in trained.items()}
    assert all(game["sha256"] for games in proved.values() for game in games)
    assert len(proved["both"]) == len(proved["random-moves"]) == len(solved)
    proofs = len({game["sha256"] for game in proved["both"]})
    on_fewer = [len(proved[name]) for name in ("neither", "longer-average", "two-bricks", "three-bricks")]
    on_fewer += [len(proved["two-bricks-search"]), len(proved["three-bricks-search"])]
    unsearched = [*answers("no-search"), *answers("lasting-no-search")]
    seeds = [sum(game["answer"] == "wins" for game in answer["games"]) for answer in unsearched]
    seeds += range(10)
    for name in ("both", *(f"both-{seed}" for seed in range(1, 10)), *(name for name in trained if "lasting" in name)):
        positions = {game["sha256"]: game["positions"] for game in proved[name]}
        seeds += [len(proved[name]), sum(positions.values()), max(game["longest"] for game in proved[name])]
    (drawn,) = {len(trained[name]) for name in ("two-bricks", "three-bricks")}
    assert not proved["no-search-8x8"]
    by_brick = [game for answer in answers("bricks-8x8") for game in answer["games"]]
    assert all(game["answer"] == "wins" for game in by_brick)
    classes = [
        {least_image(parse_rules(game["rules"])) for game in some} for some in (by_brick, trained["no-search-8x8"])
    ]
    assert classes[0] == classes[1]
    seeds += [sum(game["positions"] for game in by_brick), max(game["longest"] for game in by_brick)]
    larger = len(trained["no-search-8x8"])
    counts = (
        len(solved),
        won,
        len(walked) - won,
        first_won,
        by_reply_alone,
        proofs,
        32,
        larger,
        *on_fewer,
        drawn,
        *seeds,
    )
    assert numbers(ANSWERS) == set(map(str, counts))
    assert first_won + by_reply_alone == len(solved), (
        "where every fall of ties wins, the first of equal moves wins, too"
    )


@pytest.mark.heavy
def test_the_certificates_without_search_are_those_of_the_answer_and_prove_it() -> None:
    (games,) = (answer["games"] for answer in answers("no-search") if answer["proved"])
    checked = {report.sha256: report.game for report in map(verify, (DOCS / "findings/trained-on-d4").glob("*/*.xz"))}
    assert checked.keys() == {game["sha256"] for game in games}
    assert checked.items() <= {(game["sha256"], game["rules"]) for game in games}


def test_the_two_seeds_that_lose_do_so_on_one_class_and_win_there_with_more_simulations() -> None:
    for seed, answer in zip((7, 8), answers("b4"), strict=True):
        games = games_in(f"trained-on-d4/both-{seed}.json")
        lost = {game["rules"] for game in games if game["answer"] != "wins"}
        assert lost == {"bttt(B4)", "bttt(D2)", "bttt(D6)", "bttt(F4)"}
        assert re.search(rf"both-{seed}\.safetensors@\w+,sims=64,", answer["agent"])
        assert (answer["rules"], answer["proved"]) == ("bttt(B4)", True)


def test_search_wins_on_the_same_boards_with_more_bricks_but_for_three_that_perfect_play_wins() -> None:
    for name in ("two-bricks", "three-bricks"):
        raw, searched = games_in(f"trained-on-d4/{name}.json"), games_in(f"trained-on-d4/{name}-search.json")
        assert [game["rules"] for game in raw] == [game["rules"] for game in searched]
    lost = {game["rules"] for game in searched if game["answer"] == "refuted"}
    solved = {game["game"]: game["value"] for game in games_in("three-bricks-exact-values.json")}
    assert solved == dict.fromkeys(lost, 1)
    assert len(lost) == 3


def test_the_wins_without_a_brick_equal_the_file_beside_the_page() -> None:
    won: dict[str, list[bool]] = {}
    for answer in answers("no-brick"):
        (game,) = answer["games"]
        won.setdefault(game["rules"], []).append(game["answer"] == "wins")
        assert bool(game["sha256"]) == (game["answer"] == "wins")
    table = re.findall(r"^\| .* \| `(\S+)` \| (\d+) of (\d+) \|$", ANSWERS, re.M)
    counted = {rules: (sum(wins), len(wins)) for rules, wins in won.items()}
    assert {rules: (int(wins), int(all_)) for rules, wins, all_ in table} == counted


def row(study: str) -> str:
    (found,) = (line for line in TEXT.splitlines() if line.startswith(f"| `{study}` |"))
    return found


def test_every_study_has_a_row() -> None:
    assert all(row(study) for study in STUDIES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_page_is_linked_with_its_duration(page: Path) -> None:
    found = _MEASURED.search(page.read_text())
    assert found
    study = page.stem.removesuffix(f"-{found['scale']}")
    assert f"[`{found['scale']}`](findings/studies/{page.name}): {found['time']}" in row(study)


def told() -> list[tuple[str, list[str]]]:
    """Each paragraph about the studies, with the pages it links to, or else those of the paragraph before."""
    found, linked = [], list[str]()
    for paragraph in re.split(r"\n\n+", TOLD):
        if paragraph.startswith("#"):
            linked = []
        elif paragraph:
            linked = _LINKED.findall(paragraph) or linked
            found.append((paragraph, linked))
    return found


def conclusions(page: str) -> str:
    """A page's findings, and the paper's and our rows."""
    return (DOCS / page).read_text().partition("\n## What we found\n")[2].partition("\n## ")[0]


def test_every_study_is_described() -> None:
    pages = {Path(page).stem for _, linked in told() for page in linked}
    assert all(any(page.startswith(f"{study}-") for page in pages) for study in STUDIES)


@pytest.mark.parametrize(("paragraph", "pages"), told(), ids=lambda value: str(value)[:40])
def test_every_number_is_on_a_linked_page(paragraph: str, pages: list[str]) -> None:
    written = numbers("\n".join(map(conclusions, pages)))
    assert numbers(paragraph) <= written


def test_numbers_are_found_and_names_are_not() -> None:
    said = "it won 93 of 1,040, in 0.5 percent (0 to 38). 74 - 26 D4 on 9x9 `--seed 3` [x](findings/99.md) k-7"
    assert numbers(said) == {"93", "1040", "0.5", "0", "38", "74", "26"}
