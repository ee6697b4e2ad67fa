"""The study of generalisation: which squares count as seen, its questions, and its conclusions."""

import pytest

from noughts.document.result import CurveFigure
from noughts.questions.judged import BesideTruth
from noughts.questions.played import Played, Playthrough
from noughts.questions.trained import Point, Trained, Training
from noughts.questions.walked import EveryReply
from noughts.rules import Value, parse_rules, parse_task
from noughts.studies import generalisation as plans
from noughts.studies.games import SQUARES
from noughts.studies.generalisation import SCALES, VARIANTS, Generalisation, seen_squares
from noughts.studies.study import Settings
from noughts.training.alphazero.config import AlphaZeroConfig
from tests.studies.fabricated import Fabricated, board, judged, record, row, trained, walked


def names(cells: frozenset[int]) -> list[str]:
    return sorted(map(parse_rules("mnk(7,7,4)").name_of, cells))


def test_squares_count_as_seen_if_augmentation_maps_the_brick_to_them() -> None:
    seen = {
        c.label: names(frozenset(rules.bricks[0] for rules in SQUARES.rules if c.saw(rules)))
        for scale in ("laptop", "paper")
        for c in Generalisation().at(Settings(scale=scale)).contenders
    }
    assert seen["line on D4"] == seen["paper's resnet on D4"] == ["D4"]
    assert seen["line on D3 D4"] == ["C4", "D3", "D4", "D5", "E4"]
    assert seen["paper's resnet on D3 D4"] == ["D3", "D4", "D5"]  # four reflections, no rotation
    assert seen["paper's resnet on C3 D3 D4"] == ["C3", "C5", "D3", "D4", "D5", "E3", "E5"]
    plain = AlphaZeroConfig.preset("gumbel", task="bttt(A2)", augmentation="none")
    assert names(seen_squares(plain)) == ["A2"]


def test_the_line_up_meets_the_same_opponent() -> None:
    matches = [question for question in Generalisation().questions(Settings()) if isinstance(question, Played)]
    seeds: dict[object, set[tuple[int, ...]]] = {}
    for match in matches:
        seeds.setdefault((match.b, match.task), set()).add(tuple(unit.seed for unit in match.needs()))
    assert all(len(found) == 1 for found in seeds.values())
    (random,) = seeds[plans.MINIMAX, SQUARES]
    assert len(set(random)) == len(random) == 98


def test_ten_walks_in_the_canonical_view_decide_all_squares() -> None:
    plan = Generalisation().at(Settings(scale="laptop"))
    for player in plan.playing("proved"):
        units = plan.walk(player).needs()
        assert len(units) == 10
        assert all(("view", "canonical") in unit.agent.options for unit in units)
    assert set(plan.proved().rules) == set(SQUARES.rules)


def fabricated(settings: Settings) -> Fabricated:
    """The line network wins everything; the residual one wins on D4 alone; Minimax loses one game."""
    plan = Generalisation().at(settings)
    line = plan.contenders[0].training
    assert line is not None
    corner = [unit for unit in plan.on_squares(plan.able[-1]).needs() if unit.rules.bricks == (48,)]

    def game(unit: Playthrough) -> Value:
        won = unit.first.target.startswith(line.name) or unit.rules == parse_rules("bttt(D4)")
        won = won or (unit.first == plans.MINIMAX and unit != corner[1])
        return record(unit, "first" if won else "second")

    ended = trained([Point(iteration=8, positions=49_152, seconds=30.0, values={"first_score": 1.0})], cores=4)
    return Fabricated(
        {
            Playthrough: game,
            Training: lambda unit: ended,
            EveryReply: lambda unit: walked(None if unit.agent.target.startswith(line.name) else tuple(range(10))),
            BesideTruth: judged,
        }
    )


def test_conclusions_from_games_walks_and_judgements(monkeypatch: pytest.MonkeyPatch) -> None:
    line, resnet = SCALES["quick"].line_up
    searched = resnet._replace(played=(0, 100), moved=(0,))
    for name, value in {"line_up": (line, searched), "boards": ("6x7",), "every": 1}.items():
        monkeypatch.setattr(SCALES["quick"], name, value)
    settings = Settings()
    conclusion = Generalisation().conclude(settings, fabricated(settings))
    won = row(conclusion, "line", "D4", "32", table="takes a random one")
    assert (won.ours, won.paper, won.verdict, won.value) == ("98 - 0", "", "no claim", 100.0)
    assert "seen squares 2 of 2, unseen 96 of 96" in won.note
    assert "49,152 positions, 30 s on 4 cores" in won.note
    lost = row(conclusion, "resnet", "D4", "100", table="takes a random one")
    assert (lost.ours, lost.paper, lost.verdict) == ("2 - 96", "139 - 351", "no claim")  # not the paper's network
    minimax = row(conclusion, "Minimax", "", "(depth 2)", table="takes a random one")
    assert (minimax.ours, minimax.paper, minimax.verdict) == ("97 - 1", "490 - 0", "agrees")
    once = row(conclusion, "resnet", "D4", "100", table="takes the first")
    assert (once.ours, once.verdict) == ("1 - 48", "no claim")
    assert (once.count, once.distinct) == (49, 1)
    novel = row(conclusion, "resnet", "D4", "100", "E5", table="Tables 4 and 6")
    assert (novel.ours, novel.paper, novel.verdict) == ("0 - 6", "0 - 100", "no claim")
    assert novel.note.startswith("unseen")
    assert row(conclusion, "line", "D4", "0", table="Proved").ours == "1 of 1 squares"
    beaten = row(conclusion, "resnet", "D4", "0", table="Proved")
    assert (beaten.ours, beaten.value) == ("0 of 1 squares", 0.0)
    assert "on 1 it can be beaten, a shortest loss takes 10 plies" in beaten.note
    judged = row(conclusion, "line", "D4", "32", "unseen", table="Optimal moves")
    assert judged.count == 8 * 9 * len(SCALES["quick"].plies)
    elsewhere = row(conclusion, "6x7", "Minimax", "", "(depth 2)", table="elsewhere")
    assert elsewhere.note == "all games won on 42 of 42"
    squares = board(conclusion, "squares-line-on-d4-32")
    assert len(squares.values) == 49
    assert {value.text for value in squares.values if value.cell == 24} == {"2*"}
    assert any("line, D4, 32: 98 - 0" in finding for finding in conclusion.findings)
    for network, proved in (("line", 1), ("resnet", 0)):
        said = f"{network}: {proved} of 1 squares"
        assert any("Proved" in finding and said in finding for finding in conclusion.findings)


def test_only_the_paper_s_network_at_its_budget_is_compared_with_it() -> None:
    for scale, expected in (("quick", set()), ("laptop", set()), ("paper", {"D4", "D3 D4", "C3 D3 D4"})):
        plan = Generalisation().at(Settings(scale=scale))
        bound = {contender.squares for contender in plan.contenders if contender.is_claimed}
        assert bound == expected
        assert all(contender.network == plans.PAPER for contender in plan.contenders if contender.is_claimed)
    for scale in ("quick", "laptop", "paper"):
        entries = SCALES[scale].line_up
        ours = {entry.iterations for entry in entries if entry.network != plans.PAPER}
        assert len(ours) <= 1  # as many positions for the baseline as for the compared one


def test_a_long_training_is_measured_on_squares_it_never_sees() -> None:
    for contender in Generalisation().at(Settings(scale="paper")).contenders:
        assert contender.training is not None
        config = contender.training.config
        assert isinstance(config, AlphaZeroConfig)
        held_out = {rules.bricks[0] for rules in parse_task(config.held_out).rules}
        assert held_out == set(range(49)) - seen_squares(config)
        assert config.schedule.measure_iterations == 50
        if contender.network == plans.PAPER:
            assert (config.window, config.optimiser.decay) == (1500, 2e-4)


def test_a_line_network_gets_about_as_many_positions_as_the_paper_s() -> None:
    paper, line = (Generalisation().at(Settings(scale="paper")).contenders[at] for at in (0, 3))
    assert (paper.network, line.network, paper.squares, line.squares) == (plans.PAPER, plans.LINE, "D4", "D4")
    assert (paper.iterations, line.iterations) == (850, 170)
    assert line.training is not None
    config = line.training.config
    assert isinstance(config, AlphaZeroConfig)
    assert config.games * config.plies == 1536


def test_checkpoints_play_during_their_trainings(monkeypatch: pytest.MonkeyPatch) -> None:
    values: dict[str, float | None] = {"first_score": 0.75, "held_out_first_score": 0.25}
    curve = tuple(Point(iteration=i, positions=500 * i, seconds=60.0 * i, values=values) for i in (50, 100))
    so_far = Trained(iterations=120, positions=60_000, seconds=7200.0, cores=1, curve=curve)
    begun = parse_task("bttt(D4)")
    plans._last_kept.cache_clear()
    monkeypatch.setattr(Training, "so_far", lambda asked: so_far if parse_task(asked.settings.task) == begun else None)
    settings = Settings(scale="reached")
    questions = Generalisation().questions(settings)
    trained = [question.settings.schedule.iterations for question in questions if isinstance(question, Training)]
    assert trained == [20], "the line network alone, for a fifth of the iterations"
    plan = Generalisation().at(settings)
    assert [one.label for one in plan.able] == ["paper's resnet on D4", "line on D4", "Minimax"]
    assert plan.able[0].agent().target.endswith("@100")
    assert not plan.able[0].is_claimed
    said = Generalisation().conclude(settings, Fabricated({Playthrough: lambda unit: record(unit, "first")}))
    won = row(said, "paper's resnet", "D4", "100", table="takes a random one")
    assert (won.ours, won.paper, won.verdict) == ("98 - 0", "139 - 351", "no claim")
    assert "the checkpoint after 100 of 850 iterations" in won.note
    assert "D4 120; D3 D4 0" in said.findings[0]
    assert "noughts study run generalisation --scale paper --seed 0" in said.findings[0]
    learning = next(figure for figure in said.figures if isinstance(figure, CurveFigure) and figure.name == "learning")
    assert [(line.x, line.y) for line in learning.series] == [((50, 100), (75, 75)), ((50, 100), (25, 25))]
    plans._last_kept.cache_clear()


def test_the_first_lost_game_of_a_contender_is_shown() -> None:
    plan = Generalisation().at(Settings())
    line = plan.contenders[0]._replace(sims=32)
    squares = plan.on_squares(line).needs()
    lost, won = ([unit for unit in squares if unit.rules == parse_rules(f"bttt({s})")] for s in ("A1", "A2"))
    variant = [unit for unit in plan.on_variants(line).needs() if unit.rules == VARIANTS["D4"]]
    records = {
        lost[0].key: record(lost[0], "second", (24, 8)),
        lost[1].key: record(lost[1], "second", (25, 9)),
        won[0].key: record(won[0], "first", (1,)),
        **{unit.key: record(unit, "first", (1,)) for unit in variant[:-1]},
        variant[-1].key: record(variant[-1], "second", (25, 9)),  # none of those in Table 7
    }
    conclusion = Generalisation().conclude(Settings(), Fabricated({Playthrough: lambda unit: records.get(unit.key)}))
    shown = board(conclusion, "squares-line-on-d4-32").values
    assert {value.cell: value.game for value in shown} == {0: "bttt(A1) D4 B2", 1: "", 24: "bttt(D4) D5 B3"}
