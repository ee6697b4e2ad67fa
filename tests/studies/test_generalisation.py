"""The study of generalisation: what it counts as seen, what it walks and judges, and what it concludes."""

import json
from typing import Any

import pytest
from noughts.questions.session import Game, Measurement
from noughts.questions.settle import Answer, Answers
from noughts.studies.trained import Point, Trained

from noughts.document.result import BoardFigure, Row
from noughts.examine.judge import Tally
from noughts.positions import Position
from noughts.positions.position import Outcome
from noughts.rules import parse_rules
from noughts.store.records import Ending, GameRecord
from noughts.studies.generalisation import plan as plans
from noughts.studies.generalisation.jobs import Walked, judge_position_job, read_tallies, walk_square
from noughts.studies.generalisation.plan import SCALES, Plan, all_squares, brick_sets, seen_squares, truth_key, walk_key
from noughts.studies.generalisation.results import Found
from noughts.studies.generalisation.study import Generalisation
from noughts.studies.study import Conclusion, Results, Settings


class Silent:
    def note(self, text: str, limit: float | None = None) -> None:
        pass


def names(cells: frozenset[int]) -> list[str]:
    return sorted(map(parse_rules("mnk(7,7,4)").name_of, cells))


def walked(agent: str, rules: str, hunt: bool, most: int = 10**6) -> Walked:
    asked = {"label": "somebody", "agent": agent, "rules": rules, "hunt": hunt, "most": most}
    return Walked.from_json(walk_square(json.dumps(asked), Silent()))


def test_squares_are_seen_where_augmentation_turns_a_brick() -> None:
    seen = {c.label: names(c.seen()) for c in Plan(Settings(scale="paper")).contenders}
    assert seen["line on D4"] == seen["paper's resnet on D4"] == ["D4"]
    assert seen["line on D3 D4"] == ["C4", "D3", "D4", "D5", "E4"]
    assert seen["paper's resnet on D3 D4"] == ["D3", "D4", "D5"]  # four reflections, no rotation
    assert seen["paper's resnet on C3 D3 D4"] == ["C3", "C5", "D3", "D4", "D5", "E3", "E5"]
    training = Plan(Settings()).contenders[0].training
    assert training is not None
    plain = training.config.model_copy(update={"task": "bttt(A2)", "augmentation": "none"})
    assert names(seen_squares(plain)) == ["A2"]


def test_sets_of_bricks_are_different_and_the_same_again() -> None:
    drawn = brick_sets(3, 40, seed=5)
    assert len(set(drawn)) == 40
    assert all(len(rules.bricks) == 3 for rules in drawn)
    assert drawn == brick_sets(3, 40, seed=5) != brick_sets(3, 40, seed=6)


def test_the_line_up_meets_the_same_opponent() -> None:
    work = [piece for piece in Generalisation().work(Settings()) if isinstance(piece, Game)]
    seeds: dict[str, set[int]] = {}
    for piece in work:
        seeds.setdefault(piece.key.partition(" / ")[2], set()).add(piece.plan.seed)
    assert all(len(found) == 1 for found in seeds.values())
    assert len({next(iter(found)) for key, found in seeds.items() if key.startswith("random")}) > 49


def test_agents_are_trained_before_they_are_asked() -> None:
    work = Generalisation().work(Settings(scale="laptop"))
    trained = [piece for piece in work if piece.key.startswith("train / ")]
    assert [(piece.stage, piece.alone) for piece in trained if isinstance(piece, Measurement)] == [(0, True)] * 7
    others = [piece for piece in work if piece not in trained]
    assert {piece.stage for piece in others} == {1}, "quick ones among the trainings would make the time left nonsense"
    assert len(others) > 5000


@pytest.mark.parametrize("hunt", [True, False])
def test_a_walk_to_the_end_proves_and_a_lost_game_refutes(hunt: bool) -> None:
    proof = walked("perfect", "mnk(3,4,3,full=second)", hunt)
    assert proof.proved
    assert proof.longest == 7
    lost = walked("minimax:depth=1,ties=first", "mnk(3,4,3,bricks=B2,full=second)", hunt)
    assert not lost.proved
    assert lost.shortest
    assert lost.lost_game


def test_a_hunt_finds_a_loss_in_far_fewer_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.studies.generalisation.jobs._WIDTH", 20)
    agent, rules = "minimax:depth=1,ties=first", "mnk(5,5,4,full=second)"
    hunted, whole = walked(agent, rules, hunt=True), walked(agent, rules, hunt=False)
    assert hunted.lost_game
    assert not hunted.shortest
    assert whole.shortest
    assert len(whole.lost_game) <= len(hunted.lost_game)
    assert hunted.decisions < whole.decisions / 3


def test_ten_walks_of_an_agent_that_sees_one_side_settle_all_squares() -> None:
    plan = Plan(Settings(scale="laptop"))
    line = plan.contenders[0]
    assert len(plan.walked) == 10
    assert {rules for group in plan.walked for rules in group} == set(all_squares())
    assert len(all_squares()) == 49
    walks = [piece for piece in Generalisation().work(Settings(scale="laptop")) if piece.key.startswith("walk / ")]
    assert {piece.key.rpartition(" / ")[0] for piece in walks} >= {f"walk / {line.called(sims)}" for sims in (0, 32)}
    assert all("view=one-side" in piece.job().argument for piece in walks)
    found_by_key = {
        walk_key(line, 32, group[0]): json.dumps(Walked((), True, 1, 8, True)._asdict()) for group in plan.walked
    }
    game = ("A1", "B1", "A2", "B2", "A3", "B3", "G7", "B4")
    rules = next(group[0] for group in plan.walked if "D3" in {member.brick_names() for member in group})
    found_by_key[walk_key(line, 32, rules)] = json.dumps(
        Walked(tuple(map(rules.cell_of, game)), True, 1, 8, True)._asdict()
    )
    found = Found(plan, Results(measurements=found_by_key)).walks(line, 32)
    assert len(found) == 49
    beaten = {rules: walk for rules, walk in found.items() if walk.lost_game}
    assert {rules.brick_names() for rules in beaten} == {"C4", "D3", "D5", "E4"}
    for image, walk in beaten.items():
        assert Position.start(image, walk.lost_game).outcome is Outcome.SECOND


def test_a_walk_that_is_given_up_proves_nothing() -> None:
    given_up = walked("perfect", "mnk(3,4,3,full=second)", hunt=False, most=3)
    assert not given_up.proved
    assert not given_up.lost_game
    assert 0 < given_up.decisions <= 3


def test_a_game_that_may_be_drawn_is_not_walked_for_wins() -> None:
    with pytest.raises(ValueError, match="can be drawn"):
        walked("perfect", "mnk(3,3,3)", hunt=False)


def test_everybody_is_judged_by_the_same_truth() -> None:
    asked = {
        "agents": {"knows": "perfect", "guesses": "random"},
        "rules": "mnk(4,4,3,full=second)",
        "ply": 4,
        "per_ply": 40,
        "nodes": 100_000,
        "seed": 1,
    }
    found = read_tallies(judge_position_job(json.dumps(asked), Silent()))
    knows, guesses = found["knows"], found["guesses"]
    assert (knows.choices, knows.positions) == (guesses.choices, guesses.positions)
    assert knows.optimal == knows.choices > 0
    assert guesses.optimal < guesses.choices


def results(settings: Settings) -> Results:
    """The line network wins everything; the residual one wins on D4 alone; Minimax loses one game."""
    games, measurements = dict[str, GameRecord](), dict[str, str]()
    for piece in Generalisation().work(settings):
        if isinstance(piece, Game):
            plan = piece.plan
            won = piece.key.startswith("line") or plan.rules == "bttt(D4)"
            won = won or (piece.key.startswith("Minimax") and not piece.key.endswith("random / bttt(G7) / 001"))
            ending: Ending = "first" if won else "second"
            games[piece.key] = GameRecord(
                **plan.model_dump(include={"key", "rules", "first", "second", "seed"}), moves=(0, 1), ending=ending
            )
        else:
            assert isinstance(piece, Measurement)
            measurements[piece.key] = json.dumps(fabricated(piece))
    return Results(games, measurements)


def fabricated(piece: Measurement) -> Any:
    if piece.key.startswith("train / "):
        point = Point(iteration=8, positions=49_152, seconds=30.0, values={"first_score": 1.0})
        return Trained(iterations=8, positions=49_152, seconds=30.0, cores=4, curve=(point,)).model_dump(mode="json")
    if piece.key.startswith("walk / "):
        line = "line" in piece.key
        return Walked(() if line else tuple(range(10)), True, 50_000, 11, line)._asdict()
    if piece.key.startswith("truth / "):
        asked = json.loads(piece.argument)["games"]
        answers = [Answer(game=game, low=1, high=1, solver="proof", nodes=1, seconds=0.1) for game in asked]
        return Answers(answers=tuple(answers)).model_dump(mode="json")
    labels = json.loads(piece.argument)["agents"]
    tally = Tally(positions=10, choices=8, optimal=6, chance=2.0)
    return {label: tally.model_dump(mode="json") for label in labels}


def row(conclusion: Conclusion, table: str, *labels: str) -> Row:
    return next(
        row for found in conclusion.tables if table in found.title for row in found.rows if row.labels == labels
    )


def test_what_is_concluded_from_games_walks_and_judgements(monkeypatch: pytest.MonkeyPatch) -> None:
    line, resnet = SCALES["quick"].line_up
    searched = resnet._replace(played=(0, 100), moved=(0,))
    size = SCALES["quick"]._replace(line_up=(line, searched), boards=("6x7",), every=1, truth_nodes=1)
    monkeypatch.setitem(plans.SCALES, "quick", size)
    settings = Settings()
    conclusion = Generalisation().conclude(settings, results(settings))
    won = row(conclusion, "takes a random one", "line", "D4", "32")
    assert (won.ours, won.paper, won.verdict, won.value) == ("98 - 0", "", "no claim", 100.0)
    assert "seen squares 2 of 2, unseen 96 of 96" in won.note
    assert "49,152 positions, 30 s on 4 cores" in won.note
    lost = row(conclusion, "takes a random one", "resnet", "D4", "100")
    assert (lost.ours, lost.paper, lost.verdict) == ("2 - 96", "139 - 351", "differs")
    minimax = row(conclusion, "takes a random one", "Minimax", "", "(depth 2)")
    assert (minimax.ours, minimax.paper, minimax.verdict) == ("97 - 1", "490 - 0", "refuted")
    once = row(conclusion, "takes the first", "resnet", "D4", "100")
    assert (once.ours, once.verdict) == ("1 - 48", "no claim")
    assert once.note.startswith("1 different game;")
    novel = row(conclusion, "Tables 4 and 6", "resnet", "D4", "100", "E5")
    assert (novel.ours, novel.paper, novel.verdict) == ("0 - 6", "0 - 100", "agrees")
    assert novel.note.startswith("unseen")
    assert row(conclusion, "Proved", "line", "D4", "0").ours == "1 of 1 squares"
    beaten = row(conclusion, "Proved", "resnet", "D4", "0")
    assert (beaten.ours, beaten.value) == ("0 of 1 squares", 0.0)
    assert "on 1 it can be beaten, a shortest loss takes 10 plies" in beaten.note
    judged = row(conclusion, "Optimal moves", "line", "D4", "32", "unseen")
    assert judged.count == 8 * 9 * len(SCALES["quick"].plies)
    assert (
        "under perfect play the first player on 42"
        in row(conclusion, "elsewhere", "6x7", "Minimax", "", "(depth 2)").note
    )
    squares = {figure.name: figure for figure in conclusion.figures}["squares-line-on-d4-32"]
    assert isinstance(squares, BoardFigure)
    assert len(squares.values) == 49
    assert {value.text for value in squares.values if value.cell == 24} == {"2*"}
    assert any("the line network wins 96 of 96 games" in finding for finding in conclusion.findings)
    assert any(
        finding.startswith("resnet on D4, no search: it is proved to win against every reply on 0 of 1 squares")
        for finding in conclusion.findings
    )


def test_truth_is_asked_only_where_a_solver_may_know() -> None:
    keys = {piece.key for piece in Generalisation().work(Settings(scale="laptop"))}
    assert truth_key(parse_rules("mnk(8,8,4,bricks=A1,full=second)")) in keys
    assert not any(key.startswith(("truth / mnk(9,9", "truth / mnk(7,7,5")) for key in keys)
