"""Proving agents: the same answer for any number of workers and any interruption; refutations are real games."""

from collections.abc import Mapping, Sequence

import pytest
from noughts.questions.prove import Answer, ProofOfAgent, ProofPlan, Proving, make_plan, require_provable

from noughts.agents import build_agent
from noughts.agents.asking import possible_moves
from noughts.positions import Position
from noughts.questions import prove
from noughts.rules import AgentError, ComputeError, RulesError, parse_rules
from noughts.rules.errors import AgentFailedError
from noughts.store.records import GameRecord

FIRST = "python:tests.play.players:First"


class Memory:
    """A keeper that forgets when the test ends, and refuses what it has."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def done_keys(self) -> set[str]:
        return set(self.kept)

    def add(self, games: Sequence[GameRecord] = (), measurements: dict[str, str] | None = None) -> None:
        assert not set(self.kept) & set(measurements or {}), "done twice"
        self.kept |= measurements or {}

    def measurements(self) -> Mapping[str, str]:
        return self.kept


def plan(agent: str, rules: str = "tic-tac-toe", side: str = "first", instance: int | None = None) -> ProofPlan:
    return make_plan(ProofPlan(agent=agent, rules=rules, side=side, instance=instance))


def proved(asked: ProofPlan, workers: int = 0, keeper: Memory | None = None, **more: int) -> ProofOfAgent:
    proving = Proving(asked, keeper or Memory(), workers, clock=lambda: 0.0, **more)
    while not proving.finished:
        for step in proving.next_level():
            assert 0 <= step.new <= step.done <= step.total
    return proving.result()


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (plan("minimax:depth=9"), "never loses"),
        (plan("minimax:depth=9", side="second"), "never loses"),
        (plan("minimax:depth=9,ties=first", side="second"), "never loses"),
        (plan("minimax:depth=9", "mnk(3,4,3)"), "wins"),
        (plan("minimax:depth=9", "notakto(3)"), "wins"),
        (plan("minimax:depth=9", "notakto(3)", "second"), "refuted"),
        (plan("minimax:depth=1"), "refuted"),
        (plan(FIRST, side="second"), "refuted"),
        (plan("random", instance=4), "refuted"),
        (plan("minimax:depth=9", instance=4), "never loses"),
        (plan("python:tests.examine.deciders:Together", "mnk(1,3,1)"), "wins"),
        (plan("random", "mnk(1,1,1)", "second", instance=0), "refuted"),  # it is never asked
    ],
    ids=lambda asked: asked.name if isinstance(asked, ProofPlan) else None,
)
def test_answers_are_right_and_games_real(asked: ProofPlan, answer: Answer) -> None:
    found = proved(asked)
    assert found.answer == answer
    assert ProofOfAgent.from_json(found.to_json()) == found
    record = found.record()
    if answer == "wins":
        assert found.won > found.drawn == found.lost == 0
        assert record is None
        return
    assert record is not None
    rules, agent, side = parse_rules(asked.rules), build_agent(asked.agent), int(asked.side == "second")
    wanted = 0 if answer == "never loses" else -1
    over = Position.start(rules, record.moves)
    assert (over.outcome.value(over.to_move) if over.ply % 2 == side else -over.outcome.value(over.to_move)) == wanted
    for ply in range(side, len(record.moves), 2):
        (choices,) = possible_moves(agent, [Position.start(rules, record.moves[:ply])], asked.instance)
        assert record.moves[ply] in choices
    assert (record.first, record.second)[side] == asked.agent
    assert len(record.moves) <= found.longest


@pytest.mark.parametrize("agent", ["minimax:depth=9,ties=first", "minimax:depth=2", "minimax:depth=1", FIRST])
@pytest.mark.parametrize("side", ["first", "second"])
def test_a_narrow_walk_first_changes_no_answer(agent: str, side: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = plan(agent, "mnk(3,4,3)", side)
    whole = proved(asked)
    monkeypatch.setattr(prove, "WIDTH", 3)
    memory = Memory()
    found = proved(asked, 0, memory)
    assert found.answer == whole.answer
    assert any(key.startswith("narrow / ") for key in memory.kept)
    if found.answer != "refuted":
        assert found == whole


def test_a_narrow_walk_refutes_where_the_whole_one_would_be_long() -> None:
    found = proved(plan("minimax:depth=2,ties=first", "bttt(D4)"))
    assert found.answer == "refuted"
    assert found.positions < 10_000


def test_ties_and_games_are_counted() -> None:
    found = proved(plan("minimax:depth=9,ties=first,eval=none"))
    assert (found.ties, found.longest) == (0, 9)
    assert found.games == found.won + found.drawn > 0
    found = proved(plan("minimax:depth=9,eval=none"))
    assert found.ties > 0


def test_workers_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "CHUNK", 99)
    monkeypatch.setattr(prove, "_HERE_SECONDS", -1.0)
    asked = plan("minimax:depth=2,ties=first", side="second")
    memories = [Memory() for _ in range(3)]
    found = [proved(asked, workers, memory) for workers, memory in enumerate(memories)]
    assert found[0] == found[1] == found[2]
    assert memories[0].kept == memories[1].kept == memories[2].kept
    assert len(memories[0].kept) == 5  # one level is more than a chunk


def test_an_interrupted_proof_goes_on_and_asks_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "CHUNK", 5)
    asked = plan("minimax:depth=2,ties=first", side="second")
    whole, memory = Memory(), Memory()
    expected = proved(asked, 0, whole)
    sittings = 0
    while memory.kept != whole.kept:
        ticks = iter(range(10**6))
        proving = Proving(asked, memory, 0, clock=lambda ticks=ticks: float(next(ticks)))  # type: ignore[misc]
        new = len(memory.kept) + 4
        while not proving.finished and len(memory.kept) < new:
            steps = proving.next_level()
            for _ in steps:
                if len(memory.kept) >= new:
                    steps.close()
                    break
        sittings += 1
    assert sittings > 5
    assert proved(asked, 0, memory) == expected


@pytest.mark.parametrize(
    ("agent", "error", "message"),
    [
        ("random", AgentError, "random cannot be proved: the agent is not deterministic: in tic-tac-toe at the start"),
        ("mcts:sims=3", AgentError, "it draws random numbers; give it options"),
        ("python:tests.examine.deciders:OwnChance", AgentError, "it must decide by what is on the board"),
        ("python:tests.examine.deciders:Follows", AgentError, "it must decide by what is on the board"),
        ("python:tests.play.players:RaisesLater", AgentFailedError, "after A1 A2: KeyError: 'gone'"),
        ("python:tests.play.players:TakesATakenCell", AgentFailedError, "IllegalMoveError"),
        ("python:tests.play.players:Quits", AgentFailedError, "SystemExit"),
    ],
)
def test_who_cannot_be_proved_is_told_and_nothing_wrong_is_kept(
    agent: str, error: type[Exception], message: str
) -> None:
    memory = Memory()
    with pytest.raises(error) as raised:
        proved(plan(agent), 0, memory)
    assert message in str(raised.value)
    assert type(raised.value) is error
    assert "\n" not in str(raised.value)
    assert not any('error":"A' in text for text in memory.kept.values())


def test_a_worker_that_dies_is_told_and_the_rest_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "CHUNK", 2)
    monkeypatch.setattr(prove, "_HERE_SECONDS", -1.0)
    memory = Memory()
    with pytest.raises(AgentFailedError, match="its process ended with exit code 7"):
        proved(plan("python:tests.examine.deciders:Dies", side="second"), 1, memory)
    assert "ply 001 / 00000000" in memory.kept
    assert "ply 001 / 00000004" not in memory.kept  # so that it is tried again


@pytest.mark.parametrize("workers", [1, 2])
def test_an_agent_that_ends_its_process_does_not_end_this_one(workers: int) -> None:
    asked = plan("python:tests.examine.deciders:Leaves")
    with pytest.raises(AgentFailedError, match="its process ended"):
        proved(asked, workers)
    with pytest.raises(AgentFailedError, match="its process ended"):
        require_provable(asked, workers)


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (
            "mcts:sims=3",
            "mcts:sims=3 cannot be proved: the agent is not deterministic: in tic-tac-toe after A1 it draws",
        ),
        ("python:tests.play.players:Raises", "python:tests.play.players:Raises: the agent failed in tic-tac-toe"),
        ("python:tests.examine.deciders:Sided", "asked whether it is symmetric: RuntimeError: no idea"),
        ("human", "plays only in"),
    ],
)
def test_who_cannot_be_proved_is_refused_before_anything_is_begun(agent: str, message: str) -> None:
    with pytest.raises(AgentError) as raised:
        require_provable(plan(agent, side="second"), 0)
    assert message in str(raised.value)
    require_provable(plan("minimax:depth=1", side="second"), 0)
    require_provable(plan("random", "mnk(1,1,1)", "second"), 0)  # it is never asked


def test_an_agent_of_moods_is_found_out_when_its_lost_game_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "from_outside", lambda agent: False)  # so that nobody asks it twice
    with pytest.raises(AgentError, match="does not decide alike whenever it meets the same position: asked again in"):
        proved(plan("python:tests.examine.deciders:Counts", side="second"))


def test_too_large_a_walk_ends_with_one_line_and_may_go_on() -> None:
    memory = Memory()
    with pytest.raises(ComputeError, match="more than 50 positions, at ply 4: allow more with --most"):
        proved(plan("minimax:depth=9"), 0, memory, most=50)
    assert memory.kept
    assert proved(plan("minimax:depth=9"), 0, memory) == proved(plan("minimax:depth=9"))


def test_plans_say_what_is_wrong() -> None:
    with pytest.raises(AgentError, match="side='third' is not allowed: first or second"):
        plan("random", side="third")
    with pytest.raises(AgentError, match="there is no agent 'nobody'"):
        plan("nobody")
    with pytest.raises(RulesError, match="there is no rules preset"):
        plan("random", "chess")
    with pytest.raises(AgentError, match="plays only in"):
        Proving(plan("human"), Memory())
    assert plan("minimax:ties=random", "mnk(3,3,3)") == plan("minimax:depth=2")
