"""The tables and figures of `generalisation`."""

from collections.abc import Iterator, Mapping, Sequence

from noughts.document.result import BoardFigure, CellValue, CurveFigure, Figure, Row, Table, beside
from noughts.examine.judge import Tally
from noughts.examine.walk_result import WalkResult
from noughts.networks.spec import parse_network
from noughts.play.score import Score
from noughts.questions.trained import Trained
from noughts.rules import Rules, format_game
from noughts.statistics import ClusteredShare, Comparison, compare, wilson
from noughts.studies.brick_squares import SQUARES
from noughts.studies.generalisation.outcome import Found, best_sims, by_class, halves, total
from noughts.studies.generalisation.plan import NETWORKS, PAPER, VARIANTS, Contender, Plan
from noughts.studies.study import count_row, interval_series, optimal_row, percent

# Wins of 490 games, by squares and simulations.
TABLE_7 = {
    ("D4", 100): 139,
    ("D3 D4", 100): 306,
    ("C3 D3 D4", 100): 443,
    ("D4", 1000): 364,
    ("D3 D4", 1000): 415,
    ("C3 D3 D4", 1000): 483,
}
# Tables 4 and 6: wins of 100 games, by squares, simulations and the brick's square.
TABLE_6 = {
    **{("D4", sims, square): wins for sims in (0, 100, 1000) for square, wins in zip(VARIANTS, (100, 0), strict=True)},
    **{(squares, 100, square): 100 for squares in ("D3 D4", "C3 D3 D4") for square in VARIANTS},
}
_PAPER_49, _PAPER_VARIANT = 490, 100
_WHO = ("Network", "Trained on", "Simulations")
_SQUARES = (
    "Each square stands for the games with the brick there. If training on few squares carried over to all, the whole board "
    "would be shaded like the squares with a star."
)
_PROOFS = "What no number of games can show: with the brick there no reply beats it, or a shortest one that does."
_BY_PLY = (
    "Of random positions in which some moves keep the value and some do not, the share in which it is kept, with 95% "
    "intervals, everybody in the same positions."
)
_CLUSTERED = (
    "Squares that are images of one another have like games: intervals are bootstrapped over the 10 classes of squares."
)
_PLAYED_BY = (
    "Their numbers are of the paper's network after 850 iterations, two weeks. Only that network with that budget gets a "
    "verdict; the paper's numbers beside other rows are no claim about them."
)


def labels(contender: Contender, sims: int) -> tuple[str, str, str]:
    """What names a row."""
    if contender.training is None:
        return ("Minimax", "", "(depth 2)")
    return (contender.network, contender.squares, f"{sims:,}")


def training_table(plan: Plan, found: Found) -> Table:
    """What each training took."""
    rows = []
    for contender in plan.contenders:
        assert contender.entry is not None
        done = found.trained(contender)
        network = str(parse_network(NETWORKS[contender.network]))
        rows.append(
            Row(
                labels=(contender.network, contender.squares),
                paper="850 iterations, two weeks on a GPU" if contender.network == PAPER else "",
                ours="" if done is None else done.budget,
                value=None if done is None else float(done.positions),
                count=0 if done is None else done.iterations,
                note=f"{network}; of {contender.entry.iterations} iterations; seen after augmentation: {_names(contender)}",
            )
        )
    return Table(
        title="The trainings",
        label_columns=("Network", "Trained on"),
        unit="positions of self-play",
        rows=tuple(rows),
        caption="Measuring included; each had as many cores as its row says.",
    )


def table_7(plan: Plan, found: Found, ties: str) -> Table:
    """All 49 squares against Minimax."""
    rows = []
    for contender, sims in _players(plan):
        scores = found.by_square(contender, sims, ties)
        wins: int | None = TABLE_7.get((contender.squares, sims)) if contender.training else _PAPER_49
        ours = total(scores)
        paper = "" if wins is None else f"{wins} - {_PAPER_49 - wins}"
        share = by_class(scores)
        comparison = _compared(contender, ours, wins, _PAPER_49, share)
        if ties == "first":  # the paper's has random ties
            comparison = None
        notes = [*_split(contender, scores), *_budget(found.trained(contender))]
        distinct = (found.sequences if ties == "first" else found.distinct)(contender, sims, ties)
        rows.append(
            count_row(labels(contender, sims), ours, paper, comparison, "; ".join(notes), distinct, share.interval)
        )
    games = f"{plan.size.games} games a square" if ties == "random" else "one game a square, as all on it are the same"
    return Table(
        title=f"Table 7: every brick square, against Minimax that takes {'a random one' if ties == 'random' else 'the first'} of equal moves",
        label_columns=_WHO,
        unit="games won as first player, percent",
        rows=tuple(rows),
        caption=f"{games}. {_PLAYED_BY} {_CLUSTERED}"
        + ("" if ties == "random" else " Neither side leaves anything to chance."),
    )


def variants_table(plan: Plan, found: Found) -> Table:
    """The paper's two squares."""
    rows = []
    for contender, sims in _players(plan):
        played = found.variants(contender, sims)
        for square, rules in VARIANTS.items():
            ours = played[rules].score if rules in played else Score()
            wins = TABLE_6.get((contender.squares, sims, square)) if contender.training else _PAPER_VARIANT
            comparison = _compared(contender, ours, wins, _PAPER_VARIANT)
            paper = "" if wins is None else f"{wins} - {_PAPER_VARIANT - wins}"
            notes = [] if contender.training is None else [_seen_word(contender, rules)]
            distinct = played[rules].distinct if rules in played else 0
            rows.append(
                count_row((*labels(contender, sims), square), ours, paper, comparison, "; ".join(notes), distinct)
            )
    return Table(
        title="Tables 4 and 6: the brick on D4 and on E5, against Minimax with random ties",
        label_columns=(*_WHO, "Brick"),
        unit="games won as first player, percent",
        rows=tuple(rows),
        caption=_PLAYED_BY,
    )


def proof_table(plan: Plan, found: Found) -> Table:
    """In how many squares every reply is answered by a win."""
    rows = []
    for contender in plan.contenders:
        for sims in contender.proved:
            walks = found.walks(contender, sims)
            proved = sum(walk.wins for walk in walks.values())
            share = wilson(proved, len(walks))
            seen = contender.seen()
            own = [walk.wins for rules, walk in walks.items() if rules.bricks[0] in seen]
            others = [walk.wins for rules, walk in walks.items() if rules.bricks[0] not in seen]
            lost = {rules: len(walk.lost_game) for rules, walk in walks.items() if walk.lost_game}
            given_up = sum(walk.limit is not None for walk in walks.values())
            parts = (("seen", own), ("unseen", others))
            notes = [", ".join(f"{half} {sum(won)} of {len(won)}" for half, won in parts if won)] if walks else []
            if lost:
                kind = "a shortest loss" if all(walks[rules].whole for rules in lost) else "a loss"
                span = " to ".join(map(str, sorted({min(lost.values()), max(lost.values())})))
                notes.append(f"on {len(lost)} it can be beaten, {kind} takes {span} plies")
            if given_up:
                notes.append(f"{given_up} not decided within {plan.size.most:,} decisions, without a loss so far")
            rows.append(
                Row(
                    labels=labels(contender, sims),
                    ours=f"{proved} of {len(walks)} squares" if walks else "",
                    value=percent(share.share) if walks else None,
                    count=len(walks),
                    note="; ".join(notes),
                )
            )
    return Table(
        title="Proved: squares on which it wins against every reply as first player",
        label_columns=_WHO,
        unit="squares proved, percent",
        rows=tuple(rows),
        caption="Every reply is walked until the agent first loses, or to the end; where it searches, a narrow walk looks for a loss first. "
        "These are all squares that were walked, and no sample; perfect play wins on all 49.",
    )


def judged_table(plan: Plan, found: Found) -> Table:
    """The share of optimal moves on squares seen and not seen."""
    rows = []
    for contender in plan.everybody:
        for sims in contender.judged:
            judged = found.judged(contender, sims)
            halves_ = (("seen", judged.seen), ("unseen", judged.unseen))
            for half, tally in halves_ if contender.training is not None else (("any", judged.unseen),):
                rows.append(_judged_row((*labels(contender, sims), half), tally))
    return Table(
        title="Optimal moves in random positions where the choice matters",
        label_columns=(*_WHO, "Squares"),
        unit="optimal moves, percent",
        rows=tuple(rows),
        caption=f"The same positions for everybody, {plan.size.per_ply} for each of the 10 classes of squares and each of plies "
        f"{', '.join(map(str, plan.size.plies))}. A choice matters where some moves keep the value and some do not.",
    )


def moved_table(plan: Plan, found: Found) -> Table:
    """The same weights on boards they were never trained on."""
    rows = []
    for board in plan.boards:
        for contender in plan.everybody:
            for sims in contender.moved:
                scores = found.elsewhere(contender, sims, board)
                notes = []
                if scores:
                    all_won = sum(found_.wins == found_.games > 0 for found_ in scores.values())
                    notes.append(f"all games won on {all_won} of {len(scores)}")
                notes.append(_expected(found, board))
                rows.append(
                    count_row(
                        (board, *labels(contender, sims)),
                        total(scores),
                        "",
                        None,
                        "; ".join(notes),
                        distinct=found.distinct_elsewhere(contender, sims, board),
                        share=by_class(scores).interval,
                    )
                )
    return Table(
        title="The same weights elsewhere, never retrained: against Minimax with random ties",
        label_columns=("Board", *_WHO),
        unit="games won as first player, percent",
        rows=tuple(rows),
        caption=f"k = 4 and one brick unless it says otherwise, {plan.size.moved_games} games for each place of the bricks. "
        "The paper's network has dense heads and serves 7x7 alone. Intervals are bootstrapped over classes of places that are images of one another. A full board is the second player's win, and what Minimax itself wins as first player shows how hard a board is.",
    )


def figures(plan: Plan, found: Found, tables: Sequence[Table]) -> Iterator[Figure]:
    """A board of squares for every player, one of proofs for its strongest, and optimal moves by ply.

    Args:
        plan, found: What was asked, and what is known.
        tables: Beside which they stand.
    """
    by_title = {table.title.partition(":")[0]: table for table in reversed(tables)}
    yield from beside(by_title["Table 7"], _squares_figures(plan, found), _SQUARES)
    yield from beside(by_title["Proved"], _proofs_figures(plan, found), _PROOFS)
    judged = next(table for table in tables if table.title.startswith("Optimal moves"))
    yield from beside(judged, _optimal_figures(plan, found), _BY_PLY)


def _squares_figures(plan: Plan, found: Found) -> Iterator[Figure]:
    for contender, sims in _players(plan):
        scores = found.by_square(contender, sims, "random")
        if scores and contender.training is not None:
            lost = {rules: found.lost_game(contender, sims, rules) for rules in scores}
            yield _squares_figure(plan, contender, sims, scores, lost)


def _proofs_figures(plan: Plan, found: Found) -> Iterator[Figure]:
    for contender in plan.contenders:
        for sims in contender.proved[-1:]:
            walks = found.walks(contender, sims)
            if walks:
                yield _proofs_figure(contender, sims, walks)


def _optimal_figures(plan: Plan, found: Found) -> Iterator[Figure]:
    for name, chosen in (("policy", lambda contender: 0), ("search", best_sims)):
        series = []
        for contender in plan.everybody:
            sims = chosen(contender)
            judged = found.judged(contender, sims).plies
            known = {ply: tally.optimal_interval for ply, tally in judged.items() if tally.choices}
            if known:
                series.append(interval_series(contender.called(sims), known))
        if series:
            yield CurveFigure(
                name=f"optimal-{name}",
                title="Optimal moves by ply where the choice matters, "
                + ("the policy alone" if name == "policy" else "with search"),
                x_label="ply",
                y_label="optimal moves, percent",
                y_range=(0.0, 100.0),
                series=tuple(series),
            )


def _squares_figure(
    plan: Plan, contender: Contender, sims: int, scores: dict[Rules, Score], lost: dict[Rules, str]
) -> BoardFigure:
    seen, games = contender.seen(), plan.size.games
    return BoardFigure(
        name=_slug("squares", contender, sims),
        title=f"{contender.called(sims)}: games won, by the brick's square",
        rules="mnk(7,7,4)",
        values=tuple(
            CellValue(
                cell=rules.bricks[0],
                value=float(found.wins),
                text=f"{found.wins}{'*' if rules.bricks[0] in seen else ''}",
                game=lost[rules],
            )
            for rules, found in scores.items()
        ),
        value_range=(0.0, float(games)),
        value_label=f"with the brick there: games won of {games} as first player against Minimax; * a square seen in training",
    )


def _proofs_figure(contender: Contender, sims: int, walks: Mapping[Rules, WalkResult]) -> BoardFigure:
    seen = contender.seen()

    def text(walk: WalkResult) -> str:
        return "won" if walk.wins else f"L{len(walk.lost_game)}" if walk.lost_game else "?"

    return BoardFigure(
        name=_slug("proved", contender, sims),
        title=f"{contender.called(sims)}: every reply, by the brick's square",
        rules="mnk(7,7,4)",
        values=tuple(
            CellValue(
                cell=rules.bricks[0],
                value=100.0 if walk.wins else 0.0 if walk.lost_game else 50.0,
                text=f"{text(walk)}{'*' if rules.bricks[0] in seen else ''}",
                game=format_game(rules, walk.lost_game) if walk.lost_game else "",
            )
            for rules, walk in walks.items()
        ),
        value_label="with the brick there: won against every reply, or L and the plies of a game that it loses, or ? where neither was found; * seen in training",
    )


def _judged_row(row_labels: tuple[str, ...], tally: Tally) -> Row:
    if not tally.choices:
        return Row(labels=row_labels)
    notes = [f"of {tally.positions:,} positions; a random player {percent(tally.chance_share):.0f} percent"]
    if tally.undecided:
        notes.append(f"{tally.undecided:,} not decided")
    if tally.errors:
        notes.append(f"{tally.errors:,} errors")
    return optimal_row(row_labels, tally, "; ".join(notes))


def _expected(found: Found, board: str) -> str:
    """What perfect play would do, where that is known."""
    first, second, unknown = found.winners(board)
    if first or second:
        parts = [f"the first player on {first}", f"the second on {second}" if second else ""]
        undecided = f", not decided on {unknown}" if unknown else ""
        return f"under perfect play {' and '.join(filter(None, parts))}{undecided}"
    return "who wins under perfect play was not asked or not decided"


def _players(plan: Plan) -> Sequence[tuple[Contender, int]]:
    return [(contender, sims) for contender in plan.everybody for sims in contender.played]


def _split(contender: Contender, scores: dict[Rules, Score]) -> list[str]:
    """Wins on squares seen and not seen."""
    if contender.training is None or not scores:
        return []
    seen, unseen = halves(contender, scores)
    return [f"seen squares {seen.wins} of {seen.games}, unseen {unseen.wins} of {unseen.games}"]


def _compared(
    contender: Contender, ours: Score, wins: int | None, games: int, share: ClusteredShare | None = None
) -> Comparison | None:
    """The paper's wins beside ours.

    Of trained networks only the paper's own, after as many iterations as the paper's, bears on what the paper found.
    """
    if wins is None or (contender.training is not None and not contender.is_paper_protocol):
        return None
    return compare(ours.wins, ours.games, wins, games, clustered=share)


def _budget(trained: Trained | None) -> list[str]:
    return [] if trained is None else [trained.budget]


def _seen_word(contender: Contender, rules: Rules) -> str:
    return "seen in training" if rules.bricks[0] in contender.seen() else "unseen"


def _names(contender: Contender) -> str:
    return " ".join(rules.brick_names() for rules in SQUARES.rules if rules.bricks[0] in contender.seen())


def _slug(kind: str, contender: Contender, sims: int) -> str:
    words = f"{kind} {contender.label} {sims}".lower().replace("'", "")
    return "-".join(words.split())
