"""The leaderboard's table equals its scorecards. Generate it again with ``python -m tests.docs.test_leaderboard``."""

from noughts.library.bench import Scorecard
from tests.docs.pages import DOCS

FOLDER = DOCS / "leaderboard"
PAGE = DOCS / "leaderboard.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->"


def row(card: Scorecard) -> str:
    """One agent's numbers, with a dash for each missing one."""
    proofs, moves, speed = card.of("perfect play"), card.of("generalisation"), card.of("speed")
    losses = [one for one in card.of("exploitability") if "simulations" not in one.task]
    games = sum(one.group == "generalisation" for one in card.rows)
    some = f" (in {len(moves)} of {games} games)" if len(moves) < games else ""
    cells = (
        f"`{card.agent}`",
        f"{card.suite} v{card.version}",
        f"{sum(one.value == 1 for one in proofs)} of {len(proofs)}" if proofs else "-",
        f"{100 * sum(one.value or 0 for one in moves) / len(moves):.1f}{some}" if moves else "-",
        f"{100 * max(one.value or 0 for one in losses):.1f}" if losses else "-",
        f"{max(one.value or 0 for one in speed):.1g}" if speed else "-",
    )
    return f"| {' | '.join(cells)} |"


def table() -> str:
    cards = [Scorecard.from_json(path.read_bytes()) for path in sorted(FOLDER.glob("*.json"))]
    head = "| agent | suite | proved | optimal moves, % | lost to a best response, % | seconds a move |\n|---|---|---|---|---|---|\n"
    cards.sort(key=lambda card: -sum(one.value or 0 for one in card.of("generalisation")))
    return head + "".join(f"{row(card)}\n" for card in cards)


def test_the_table_equals_the_scorecards() -> None:
    assert PAGE.read_text().partition(BEGIN)[2].partition(END)[0] == table()


if __name__ == "__main__":
    text = PAGE.read_text()
    PAGE.write_text(text.partition(BEGIN)[0] + BEGIN + table() + END + text.partition(END)[2])
