"""Every reply: the same answer for any workers and any interruption, merged images, and games that the agent really plays."""

from collections.abc import Callable, Generator, Iterable
from typing import Any, Literal

import pytest

from noughts.agents import parse_agent
from noughts.examine.certify import AgentCertificate
from noughts.examine.walk_result import WalkResult
from noughts.machine import Job, JobResult, Running
from noughts.play.score import Player
from noughts.positions import Position
from noughts.questions import walked as walked_module
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.walked import EveryReply, Walked, failure, require_provable
from noughts.rules import AgentError, parse_rules, parse_task
from noughts.rules.errors import AgentFailedError, NotSymmetricError
from tests.questions.asking import BRICKS, DECIDERS, PLAYERS, Elsewhere, Memory, asked, found


def walk(agent: str, rules: str = "tic-tac-toe", side: str = "first", **more: Any) -> EveryReply:
    return EveryReply(agent=parse_agent(agent), rules=parse_rules(rules), side=side, **more)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        (walk("minimax:depth=9", "mnk(3,4,3)"), "wins against every reply"),
        (walk("random", instance=4), "loses in"),
        (walk("minimax:depth=9", instance=4), "never loses"),
        (walk("random", "mnk(1,1,1)", "second", instance=0), "loses in 1 plies"),  # never queried
        (walk("minimax:depth=1", "mnk(1,1,4,lineless=true)", "second"), "never loses"),
    ],
    ids=lambda given: str(given.agent) if isinstance(given, EveryReply) else given,
)
def test_verdicts_are_correct(question: EveryReply, verdict: str) -> None:
    result = found(question)
    assert str(result).startswith(verdict)
    assert WalkResult.from_json(result.to_json()) == result
    assert result.proved == (result.lost_game is None)
    if result.wins:
        assert result.won > result.drawn == result.lost == 0


def test_images_are_walked_once_with_the_results_of_each_alone() -> None:
    once = Walked(task=parse_task(BRICKS), agent=parse_agent("minimax:depth=1"), side="first", images_once=True)
    each = once.model_copy(update={"images_once": False})
    one, other = found(once), found(each)
    assert (one.walks, other.walks, len(one.games)) == (3, 6, 6)
    assert [game.rules for game in one.games] == [game.rules for game in other.games] == list(once.task.rules)
    games = ("lost_game", "drawn_game", "certificate")
    for moved, by_itself in zip(one.games, other.games, strict=True):
        assert moved.result.proved == by_itself.result.proved
        rest = [one.result.model_copy(update=dict.fromkeys(games)) for one in (moved, by_itself)]
        assert rest[0] == rest[1]
        for name in games[:2]:
            ends = [
                None if moves is None else (len(moves), Position.start(moved.rules, moves).outcome)
                for moves in (getattr(game.result, name) for game in (moved, by_itself))
            ]
            assert ends[0] == ends[1]
    assert one.by_rules == {game.rules: game.result for game in one.games}


def test_unfinished_walks_are_left_out() -> None:
    question = Walked(task=parse_task(BRICKS), agent=parse_agent("minimax:depth=1"), side="first")
    part = asked(question.needs()[:2])[question]
    assert part.walks == len(part.games) == 2


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("agent", "spread", "error", "message"),
    [
        (
            "random",
            False,
            AgentError,
            "random cannot be proved: the agent is not deterministic: in tic-tac-toe at the start",
        ),
        (DECIDERS + "OwnChance", True, AgentError, "its moves may depend only on the board"),
        (PLAYERS + "RaisesLater", False, AgentFailedError, "after A1 A2: KeyError: 'gone'"),
        (PLAYERS + "RaisesLater", True, AgentFailedError, "after A1 A2: KeyError: 'gone'"),
    ],
)
def test_an_agent_that_cannot_be_proved_is_reported_and_nothing_wrong_is_kept(
    agent: str, spread: bool, error: type[Exception], message: str
) -> None:
    memory, question = Memory(), walk(agent)
    answers = asked([question], memory, 0, spread)
    assert answers[question] is None
    raised = failure(question.agent, answers.problems[question.key])
    assert message in str(raised)
    assert type(raised) is error
    assert "\n" not in str(raised)
    assert not any(kept.error for kept in memory.kept.values())
    assert (question.key, question.depends_on().basis) not in memory.kept  # so that it is tried again


@pytest.mark.heavy
def test_an_agent_that_kills_its_process_does_not_kill_ours() -> None:
    dies = parse_agent(PLAYERS + "Dies")
    with pytest.raises(AgentFailedError, match="its process ended"):
        require_provable(dies, [parse_rules("tic-tac-toe")], "first", None, 1)


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (
            "mcts:sims=3",
            "mcts:sims=3 cannot be proved: the agent is not deterministic: in tic-tac-toe after A1 it draws",
        ),
        (PLAYERS + "Raises", f"{PLAYERS}Raises: the agent failed in tic-tac-toe after A1: RuntimeError"),
        (DECIDERS + "Sided", "to report whether it is symmetric: RuntimeError: no idea"),
        ("human", "plays only in"),
    ],
)
def test_an_agent_that_cannot_be_proved_is_refused_before_work_begins(agent: str, message: str) -> None:
    def require(text: str, rules: str = "tic-tac-toe", instance: int | None = None) -> None:
        require_provable(parse_agent(text), [parse_rules(rules)], "second", instance, 0)

    with pytest.raises(AgentError, match=message):
        require(agent)
    require("minimax:depth=1")
    require("mcts:sims=3", instance=5)
    require("random", "mnk(1,1,1)")  # never queried


AGENTS = "python:tests.questions.agents:"


@pytest.mark.parametrize(("agent", "spread"), [("WorseAlone", False), ("WorseAlone", True), ("WorseInGames", True)])
def test_an_agent_that_falsely_claims_to_be_shared_is_detected(agent: str, spread: bool) -> None:
    """These never lose a game if several positions are in the batch, or if no game is queried from its start."""
    question = walk(AGENTS + agent, side="second")
    answers = asked([question], Memory(), 0, spread)
    assert "the agent is not deterministic: in tic-tac-toe after" in answers.problems[question.key]


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("rules", "side", "until_lost"),
    [
        ("tic-tac-toe", "first", True),
        ("tic-tac-toe", "second", False),
        ("misere-tic-tac-toe(bricks=A1,wrap=both)", "second", True),
    ],
)
def test_a_false_claim_of_symmetry_changes_no_walk(rules: str, side: Player, until_lost: bool) -> None:
    says, silent = (
        found(walk(AGENTS + name, rules, side, until_lost=until_lost, hunt=5 if until_lost else None))
        for name in ("OnlySaysSo", "OnlySaysNothing")
    )
    nothing = {"certificate": ""}  # it contains the agent's name
    assert says.model_copy(update=nothing) == silent.model_copy(update=nothing)
    assert bool(says.certificate) == bool(silent.certificate)


def test_a_conflict_in_the_certificate_repeats_the_walk_unmerged(monkeypatch: pytest.MonkeyPatch) -> None:
    content, merged = AgentCertificate.content, list[bool]()

    def in_conflict(self: AgentCertificate, claim: Literal["wins", "never loses"]) -> bytes:
        merged.append(self.symmetric)
        if self.symmetric:
            raise NotSymmetricError("the agent claims that it is symmetric, and is not")
        return content(self, claim)

    monkeypatch.setattr(AgentCertificate, "content", in_conflict)
    assert found(walk("minimax:depth=9")).proved
    assert merged == [True, False]


@pytest.mark.heavy
def test_a_walk_without_merging_is_only_made_if_it_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    question = walk(AGENTS + "OnlySaysSo", side="first", until_lost=False)
    decisions = found(question).decisions
    monkeypatch.setattr(walked_module, "UNMERGED", decisions)
    assert found(question).decisions == decisions
    monkeypatch.setattr(walked_module, "UNMERGED", decisions - 1)
    problem = asked([question]).problems[question.key]
    assert problem.startswith("AgentError: the agent claims that it is symmetric, and is not: in ")


@pytest.mark.heavy
@pytest.mark.parametrize(("agent", "spread"), [(PLAYERS + "Hangs", False), ("mcts:sims=10000000", True)])
def test_a_move_that_exceeds_its_limit_ends_the_walk(agent: str, spread: bool) -> None:
    question = walk(agent, "bttt(D4)", instance=1, move_seconds=0.3)
    answers = asked([question], Memory(), 1, spread)
    assert answers.problems[question.key] == "the move took longer than 0.3 s"


def test_impossible_walks_are_refused_in_one_line() -> None:
    task, agent = parse_task("tic-tac-toe"), parse_agent("minimax")
    make: Callable[..., Walked] = Walked
    for fields, message in (
        ({"side": "third"}, "impossible proof: side='third' is not allowed: first or second"),
        ({"side": "first", "most": 0}, "most=0 is not allowed: a whole number above 0"),
        ({"side": "first", "instance": "x"}, "instance='x' is not allowed: a whole number"),
    ):
        with pytest.raises(AgentError, match=message):
            make(task=task, agent=agent, **fields)


@pytest.mark.heavy
def test_a_certificate_is_saved_and_checked_on_this_machine() -> None:
    there: list[str] = []

    class Watched(Elsewhere):
        def run(self, jobs: Iterable[Job], *more: Any, **named: Any) -> Generator[JobResult | Running, None, None]:
            for job in jobs:
                there.append(job.argument.partition("\n")[0])
                yield from super().run([job], *more, **named)

    question, answers = walk(DECIDERS + "Last", "mnk(2,2,2)"), Answers(Memory())
    list(carry_out([question], answers, Watched(1)))
    result = answers[question]
    assert result is not None
    assert result.proved
    assert set(there) == {"noughts.questions.traits:AgentTraits", "noughts.questions.walked:Decided"}
