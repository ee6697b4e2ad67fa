"""Walks of every reply to an agent: proved, walked or refuted by a game; and its loss rate against a best response."""

import re
from collections.abc import Sequence
from typing import Any

from noughts.document.document import Block, Document, Listing
from noughts.document.heatmap import Shade, brick_heatmap
from noughts.document.names import Names
from noughts.document.result import BoardFigure, game_figure
from noughts.examine.walk_result import WalkResult
from noughts.positions import SYMBOLS, Position, derive_seed
from noughts.questions.best_replies import BestReplies, LosingChances
from noughts.questions.question import OfGame
from noughts.questions.walked import Walked, WalkedTask
from noughts.rules import format_game, format_rules, format_task
from noughts.rules.text import counted
from noughts.store.certificates import certificate_folder, certificate_path


def present_proof(
    answer: WalkedTask, walked: Walked | None, names: Names, losing: LosingChances | None = None
) -> Document:
    """The walks: of one game in words, with a lost or drawn game; of several as a table and a heatmap.

    Args:
        answer: The walks, possibly not all yet.
        walked: The question, if it is known.
        names: Short names of agents.
        losing: The agent's loss rate against a best response, if that was computed, too.
    """
    found = answer.games
    several = len(found if walked is None else walked.task.rules) > 1
    blocks: list[Block] = []
    if several or walked is None or not found:
        blocks.append(_grid(found, losing))
    else:
        blocks.append(_headline(walked, found[0], names, losing))
    if not several:
        blocks += [part for game in found if (drawn := deciding(game, walked, names)) for part in (*drawn, "")]
    elif walked is not None:
        heatmap = _heatmap(walked, found, names)
        blocks += [*([] if heatmap is None else [heatmap]), _summary(walked, found, names)]
    blocks += _certificates(found)
    given_up = tuple(
        f"{format_rules(rules)}: the walk meets more than {walked.most} positions, at ply {result.plies}: "
        "allow more with most= or --max-positions"
        for rules, result in found
        if walked is not None and result.limit is not None
    )
    return Document(tuple(blocks), None if walked is None else _proof_json(walked, found, losing), given_up)


def _grid(found: Sequence[OfGame[WalkResult]], losing: LosingChances | None) -> Listing:
    rows = []
    for rules, result in found:
        answer = result.verb if result.proved else str(result)
        chance = "" if losing is None or rules not in losing.by_rules else f"{losing.by_rules[rules]} %"
        rows.append((format_rules(rules), answer, result.decisions, result.games, result.longest, chance))
    columns = ("game", "answer", "positions", "games", "longest", "best response wins")
    return Listing("every reply", columns, tuple(rows), labels=2).without_empty()


def _headline(walked: Walked, game: OfGame[WalkResult], names: Names, losing: LosingChances | None) -> str:
    """The answer about one game in a line, with the numbers of positions and games in brackets."""
    rules, result = game
    who = names.show(walked.agent)
    who = who if walked.instance is None else f"instance {walked.instance} of {who}"
    asked = (
        f"{counted(result.decisions, 'position')}, {counted(result.games, 'game')} of at most {result.longest} moves"
    )
    place = f"as {walked.side} player of {format_rules(rules)}"
    if result.walked:
        ties = ", however it breaks ties" if result.ties else ""
        word = "proved" if result.proved else "walked, not checked"
        line = f"{word}: {who} {result.verb} {place} against every reply{ties} ({asked})"
    elif result.lost_game is None:
        line = f"not decided within {walked.most:,} positions: {who} {place} ({asked})"
    else:
        line = f"refuted: {who} can be beaten {place} ({asked})"
    if result.again:
        line += f"\nqueried again as in a game, after its earlier turns: {counted(result.again, 'position')}"
    if losing is not None:
        line += f"\na best response beats it in {losing.by_rules[rules]} percent of the games"
    return line


def shown_game(result: WalkResult) -> tuple[int, ...] | None:
    """The moves of a lost game, or else of a drawn one."""
    return result.drawn_game if result.lost_game is None else result.lost_game


def deciding(game: OfGame[WalkResult], walked: Walked | None, names: Names) -> tuple[str, BoardFigure] | None:
    """A lost or else drawn game: its moves in words, and its last position."""
    rules, result = game
    moves = shown_game(result)
    if moves is None:
        return None
    how = "draws" if result.lost_game is None else "loses"
    told = [format_rules(rules)]
    title = f"A game that it {how}"
    if walked is not None:
        told += [str(walked.agent), walked.side, *([] if walked.instance is None else [str(walked.instance)])]
        title = f"A game that {names.show(walked.agent)} {how} as {walked.side} player"
    text = " / ".join(told)
    name = re.sub(r"[^A-Za-z0-9]+", "-", text)[:80].strip("-")  # long names are cut, so a hash follows
    position = Position.start(rules, moves)
    mine = None if walked is None else 0 if walked.side == "first" else 1
    lines = [f"{'a game that it draws' if how == 'draws' else 'it loses'}:", ""]
    for ply, move in enumerate(moves):
        own = "  the agent" if ply % 2 == mine else ""
        lines.append(f"{ply + 1:4}  {SYMBOLS[position.cells[move]]} {rules.name_of(move)}{own}")
    figure = game_figure(f"{how}-{name}-{derive_seed(0, text):016x}", title, rules, moves)
    return "\n" + "\n".join([*lines, ""]), figure


def _heatmap(walked: Walked, found: Sequence[OfGame[WalkResult]], names: Names) -> BoardFigure | None:
    """The board of brick squares, shaded where the agent is proved."""

    def shade(game: OfGame[WalkResult]) -> Shade:
        result = game.result
        if result.lost_game is not None:
            return Shade(0.0, f"L{len(result.lost_game)}", format_game(game.rules, result.lost_game))
        if not result.walked:
            return Shade(50.0, "?")
        said = "won" if result.verb == "wins" else "held"
        return Shade(100.0 if said == "won" else 50.0, said if result.proved else f"({said})")

    return brick_heatmap(
        "proved",
        f"{names.show(walked.agent)} as {walked.side} player: every reply, by the brick's square",
        "with the brick there: won or held against every reply, in brackets where that was not checked, or L and the "
        "plies of a game that it loses",
        {game.rules: shade(game) for game in found},
    )


def _summary(walked: Walked, found: Sequence[OfGame[WalkResult]], names: Names) -> str:
    """A summary of all games, in a line."""
    proved, wins, all_walked = (
        sum(getattr(game.result, name) for game in found) for name in ("proved", "wins", "walked")
    )
    undecided = sum(game.result.lost_game is None and not game.result.walked for game in found)
    of, walks, who = len(walked.task.rules), len(walked.needs()), names.show(walked.agent)
    images = f"; {walks} walks, because this agent plays alike in symmetric games" if walks < of else ""
    where = f"games as {walked.side} player"
    limit = f"within {walked.most:,} positions"
    if undecided == len(found) > 0:
        return f"not decided {limit}: {who} on {undecided} of {of} {where}{images}"
    if all_walked > proved == 0:
        return f"walked, not checked: {who} loses no game on {all_walked} of {of} {where}{images}"
    verb = "wins against every reply" if 0 < wins == proved else "never loses"
    more = f"; {all_walked - proved} more were walked and not checked" if all_walked > proved else ""
    more += f"; {undecided} not decided {limit}" if undecided else ""
    return f"proved: {who} {verb} on {proved} of {of} {where}{more}{images}"


def _certificates(found: Sequence[OfGame[WalkResult]]) -> list[str]:
    """The paths of the checked certificates, and the reason if a walk without a loss has none."""
    checked = {game.result.certificate: game.result.entries for game in found if game.result.proved}
    lines = [
        f"{format_rules(game.rules)}: not checked: {game.result.unchecked}" for game in found if game.result.unchecked
    ]
    if len(checked) == 1:
        ((digest, entries),) = checked.items()
        lines += [f"checked: {counted(entries, 'position')}, SHA-256 {digest}", f"saved: {certificate_path(digest)}"]
    elif checked:
        lines.append(
            f"checked: {len(checked)} certificates, saved in {certificate_folder()}; --json prints their SHA-256"
        )
    return lines


def _proof_json(walked: Walked, found: Sequence[OfGame[WalkResult]], losing: LosingChances | None) -> dict[str, Any]:
    """The walks as JSON data: one object for each game, in the order of the task."""
    games = []
    for rules, result in found:
        shown = shown_game(result)
        answer = "refuted" if result.lost_game is not None else result.verb if result.proved else str(result)
        counts = {name: getattr(result, name) for name in ("ties", "won", "drawn", "lost", "longest")}
        games.append(
            {"rules": format_rules(rules), "answer": answer, "positions": result.decisions}
            | counts
            | {
                "game": None if shown is None else [rules.name_of(move) for move in shown],
                "picture": None,
                "certificate": None,
                "entries": result.entries or None,
                "sha256": result.certificate or None,
                "saved_certificate": str(certificate_path(result.certificate)) if result.proved else None,
                "unchecked": result.unchecked or None,
            }
            | ({"asked_again": result.again} if result.again else {})
            | ({} if losing is None else {"losing_chance": [losing.by_rules[rules].low, losing.by_rules[rules].high]})
        )
    return {
        "agent": str(walked.agent),
        "rules": format_task(walked.task),
        "side": walked.side,
        "instance": walked.instance,
        "proved": all(game.result.proved for game in found),
        "walked": all(game.result.walked for game in found),
        "walks": len(walked.needs()),
        "games": games,
    }


def present_chances(answer: LosingChances, asked: BestReplies | None, names: Names) -> Document:
    """An agent's loss rate against a best response."""
    rows = tuple((str(rules), str(chance), chance.decisions, chance.ties) for rules, chance in answer.games)
    columns = ("game", "games lost, percent", "positions", "of these with ties")
    return Document((Listing("best response", columns, rows),))
