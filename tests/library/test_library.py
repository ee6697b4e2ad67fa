"""The functions for programs and notebooks equal the commands, and reject errors in one line."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import noughts
from noughts.questions.carry_out import Progress
from noughts.questions.traits import AgentTraits
from noughts.training.events import Finished, Iterated, Resumed, Started
from noughts.training.registry import METHODS
from tests.agents.deciders import Last
from tests.agents.runs import make_run, weights
from tests.training.toy import METHOD

TOE = "tic-tac-toe"


def test_a_position_is_named_by_squares_or_cells() -> None:
    by_name, by_cell = noughts.position("bttt(D4)", "C4, D3 A1"), noughts.position("bttt(D4)", (17, 23, 0))
    assert by_name == by_cell
    assert by_name.moves == by_cell.moves == (17, 23, 0)
    assert noughts.position("bttt(D4)", ["C4", 23, np.int64(0)]) == by_cell
    with pytest.raises(noughts.NoughtsError, match="D4"):
        noughts.position("bttt(D4)", "D4")


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([None], "move None is no square: give names of squares, such as A1, or numbers of cells, 0 to 8"),
        ([4, 1.0], "move 1.0 is no square"),
        (5, "moves 5 are no list: give names of squares"),
    ],
)
def test_impossible_moves_are_rejected_in_one_line(moves: Any, message: str) -> None:
    with pytest.raises(noughts.NoughtsError, match=message):
        noughts.position(TOE, moves)


def test_all_positions_are_listed_by_ply() -> None:
    start, found = noughts.position("mnk(2,3,2)"), noughts.all_positions("mnk(2,3,2)")
    assert [position.ply for position in found] == sorted(position.ply for position in found)
    assert noughts.all_positions("mnk(2,3,2)", plies=(1, 1)) == [start.play(cell) for cell in range(6)]
    with pytest.raises(noughts.NoughtsError, match="has more than 10 positions: allow more with most="):
        noughts.all_positions(TOE, most=10)


@pytest.mark.parametrize("n", [1, 100])
def test_a_sample_has_the_requested_size_spread_evenly_over_plies(n: int) -> None:
    found = noughts.sample("bttt(D4)", n, seed=3)
    assert len(found) == len({position.cells for position in found}) == n
    assert found == noughts.sample("bttt(D4)", n, seed=3)
    assert not any(position.is_over for position in found)
    counts = np.bincount([position.ply for position in found])
    assert counts.max() <= max(1, -(-n // 40))  # 48 plies, some of which random games rarely reach
    if n > 1:
        assert found != noughts.sample("bttt(D4)", n, seed=4)


def test_a_sample_of_a_small_game_is_the_whole_game() -> None:
    assert noughts.sample("mnk(2,3,2)", 1000) == noughts.all_positions("mnk(2,3,2)")
    assert {position.ply for position in noughts.sample("bttt(D4)", 9, plies=(2, 4))} == {2, 3, 4}
    wrongs: list[tuple[Any, str]] = [
        ((5, 2), "first and the last"),
        (3, "plies=3 is not allowed: give the first and the last, such as"),
        ((1, 2.5), "first and the last"),
        ((400, 401), "no game of"),
    ]
    for wrong, message in wrongs:
        with pytest.raises(noughts.NoughtsError, match=message):
            noughts.sample("bttt(D4)", 5, plies=wrong)
    with pytest.raises(noughts.NoughtsError, match="plies=3 is not allowed"):
        noughts.all_positions(TOE, plies=wrongs[1][0])
    some: Any = "5"
    for n, shown in ((0, "n=0"), (some, "n='5'")):
        with pytest.raises(noughts.NoughtsError, match=f"{shown} is not allowed"):
            noughts.sample(TOE, n)


def test_an_agent_is_a_text_or_any_object_that_chooses() -> None:
    corner = noughts.position(TOE, "A1 B1 A2 B2")
    assert noughts.choose("minimax:depth=2", corner) == 2
    assert noughts.analyse(noughts.agent("minimax:depth=9"), corner).value == 1.0
    assert noughts.choose(Last(), corner) == 8
    record = noughts.play_game(Last(), "random", TOE, seed=5)
    assert record.moves[0] == 8
    assert record.first.startswith("python:tests.agents.deciders:")

    class Raises:
        def choose(self, position: noughts.Position, rng: noughts.Rng) -> int:
            raise KeyError("oops")

    line = Raises.choose.__code__.co_firstlineno + 1
    assert noughts.play_game(Raises(), "random", TOE).error == f"KeyError: 'oops' (test_library.py, line {line})"
    with pytest.raises(noughts.NoughtsError, match="an agent is given by its text here"):
        noughts.match(Last(), "random")  # type: ignore[arg-type]
    with pytest.raises(noughts.NoughtsError, match="no method choose"):
        noughts.choose(object(), corner)
    text: Any = TOE
    said = r"a position is needed, and not the text 'tic-tac-toe': noughts.position\('tic-tac-toe', 'A1 B2'\) makes one"
    for ask in (noughts.choose, noughts.analyse):
        with pytest.raises(noughts.NoughtsError, match=said):
            ask("random", text)


def test_a_match_reports_progress_and_is_saved() -> None:
    steps: list[Progress] = []

    def play(**more: Any) -> Any:
        steps.clear()
        return noughts.match("minimax:depth=2", "random", TOE, 10, seed=4, workers=0, on_progress=steps.append, **more)

    result = play()
    assert steps[-1].done == steps[-1].total == 10
    assert result.total.games == 10
    assert play() == result  # with its times
    assert steps == []
    again = play(again=True)
    assert steps
    assert again.total == result.total

    def stop(step: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        noughts.match("minimax:depth=2", "random", TOE, 10, seed=5, workers=0, on_progress=stop)


@pytest.mark.parametrize("workers", [-1, 1025, "2"])
def test_impossible_workers_are_rejected_before_any_work(workers: Any) -> None:
    noughts.match("random", "random", games=2, workers=0)  # already saved, so that no agent would be queried again
    some = [noughts.position(TOE)]
    for ask in (
        lambda: noughts.match("random", "random", games=2, workers=workers),
        lambda: noughts.solve_many(some, workers),
        lambda: noughts.solve(TOE, workers=workers),
        lambda: noughts.study("exact-values", workers=workers),
        lambda: noughts.prove("perfect", TOE, workers=workers),
        lambda: noughts.score("random", TOE, workers=workers),
    ):
        said = f"workers={workers!r} is not allowed: give a whole number from 0"
        with pytest.raises(noughts.NoughtsError, match=said):
            ask()


def test_training_is_an_iterator_of_events_that_ends_with_a_run(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "toy", METHOD)
    with noughts.train(TOE, method="toy", iterations=3, seed=3, config={"size": {"kept": 7}}, run="tiny") as session:
        folder = store / "training" / "tiny"
        assert (session.agent, session.run.folder) == ("az:tiny", folder)
        assert repr(session.run) == str(session.run) == f"RunFolder('tiny', folder={str(folder)!r})"
        assert not session.run.iterations()
        events = list(session)
    assert isinstance(events[0], Started)
    assert [event.iteration for event in events if isinstance(event, Iterated)] == [1, 2, 3]
    assert isinstance(events[-1], Finished)
    assert session.run.status().state == "finished"
    assert session.run.description.config["size"]["kept"] == 7
    assert session.config.seed == session.run.description.seed == 3
    with pytest.raises(noughts.NoughtsError, match="exists already"):
        noughts.train(TOE, method="toy", iterations=1, run="tiny")

    with noughts.train("bttt(D3|D4)", method="toy", preset="paper", positions=1000) as unfinished:
        next(unfinished)
        next(unfinished)
    assert unfinished.run.status().state == "stopped"
    assert unfinished.run.name == "bttt-d3-bttt-d4-resnet-1"
    assert unfinished.run.description.task == "bttt(D3) | bttt(D4)"


def test_an_abandoned_training_resumes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "toy", METHOD)
    with noughts.train(TOE, method="toy", iterations=4, seed=3, run="halves") as halves:
        for event in halves:
            if isinstance(event, Iterated) and event.iteration == 2:
                break
    assert halves.run.status().state == "stopped"
    with noughts.resume("halves") as rest:
        assert rest.agent == "az:halves"
        assert [event.iteration for event in rest if isinstance(event, Iterated)] == [3, 4]
    said = "run halves is finished, with 4 iterations: .* minutes=10 or --minutes 10"
    with pytest.raises(noughts.NoughtsError, match=said):
        noughts.resume(halves.run)
    last = max(halves.run.folder.glob("checkpoints/*/manifest.json"))
    last.write_text("")
    with noughts.resume(halves.run, iterations=1) as more:
        resumed, *_, end = more
    assert isinstance(resumed, Resumed)
    assert [str(last) in line for line in resumed.damaged] == [True]
    assert isinstance(end, Finished)
    assert more.run.status().iterations == 5
    said = "^iterations 0 is not allowed: give how many more, a number above 0$"
    with pytest.raises(noughts.NoughtsError, match=said):
        noughts.resume("halves", iterations=0)


def test_a_network_evaluates_positions(tmp_path: Path) -> None:
    run = make_run("demo", {1: weights(1), 2: weights(2)})
    file = tmp_path / "kept.safetensors"
    file.write_bytes(weights(2))
    at = [noughts.position(TOE), noughts.position(TOE, "B2 A1"), noughts.position(TOE, "A1")]
    alone: Any = at[0]
    with pytest.raises(noughts.NoughtsError, match="give a list of positions, and not one alone"):
        noughts.load_network(run).evaluate(alone)
    said = noughts.load_network(run).evaluate(at)
    assert (said.values.shape, said.policies.shape) == ((3,), (3, 9))
    assert np.allclose(said.policies.sum(axis=1), 1.0)
    assert said.policies[1, 4] == said.policies[1, 0] == 0.0
    for source in ("demo", "demo@2", run.folder, file, str(file)):
        again = noughts.load_network(source).evaluate(at, batch=2)
        assert np.allclose(again.policies, said.policies, atol=1e-6)
        assert np.allclose(again.values, said.values, atol=1e-6)
    network = noughts.load_network("demo@1")
    assert not np.allclose(network.evaluate(at).policies, said.policies, atol=1e-6)
    for player in ("az:demo@2,sims=0", f"az:{file},sims=0"):
        thought = noughts.analyse(player, at[1])
        assert thought.move == int(said.policies[1].argmax())
        assert thought.value == pytest.approx(float(said.values[1]), abs=1e-6)
    over = noughts.position(TOE, "A1 B1 A2 B2 A3")
    for wrong, message in (
        ([], "there are no positions"),
        ([over], "position 0 of tic-tac-toe is over"),
        ([noughts.position("mnk(4,4,3)")], "cannot serve"),
        ([at[0], noughts.position("mnk(4,4,3)")], "on boards of one size"),
    ):
        with pytest.raises(noughts.NoughtsError, match=message):
            network.evaluate(wrong)
    with pytest.raises(noughts.NoughtsError, match="batch=0 is not allowed"):
        network.evaluate(at, batch=0)
    with pytest.raises(noughts.NoughtsError, match=r"there is no file of weights 'nowhere\.safetensors'"):
        noughts.load_network("nowhere.safetensors")


def test_impossible_and_finished_positions_are_rejected_in_one_line(tmp_path: Path) -> None:
    truth, over = noughts.Truth(TOE), noughts.position(TOE, "A1 B1 A2 B2 A3")
    given: Any
    for given in ("A1", None, 4):
        for ask in (truth.solve, truth.prove):
            with pytest.raises(noughts.NoughtsError, match="a position is needed, and not"):
                ask(given)
    for agent in ("random", "perfect", "minimax:depth=1", "mcts:sims=10"):
        for act in (noughts.analyse, noughts.choose):
            said = "the game is over .first. in tic-tac-toe after A1 B1 A2 B2 A3: no move"
            with pytest.raises(noughts.NoughtsError, match=said):
                act(agent, over)
    assert truth.solve(over).value == -1
    no_result: Any = "x"
    with pytest.raises(noughts.NoughtsError, match=r"a page is of a StudyResult, as noughts.study"):
        noughts.write_report(no_result, tmp_path)
    with pytest.raises(noughts.NoughtsError, match=r"Last is a class: give an agent that it makes, such as Last\(\)$"):
        noughts.play_game(Last, "random")


def test_short_names_are_rejected_with_advice() -> None:
    said = r"agent 'me=random' has a short name, which only commands accept: leave it out, 'random'$"
    for ask in (
        lambda: noughts.match("me=random", "random", TOE, games=2, workers=0),
        lambda: noughts.match("random", "me=random", TOE, games=2, workers=0),
        lambda: noughts.score("me=random", TOE, workers=0),
        lambda: noughts.prove("me=random", TOE, workers=0),
        lambda: noughts.agent("me=random"),
        lambda: noughts.play_game("me=random", "random", TOE),
    ):
        with pytest.raises(noughts.NoughtsError, match=said):
            ask()
    with pytest.raises(noughts.NoughtsError, match="mcts is a kind of agent and cannot be a name"):
        noughts.agent("mcts=100")


def test_a_match_queries_an_agent_about_itself_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, asked, answer = tmp_path / "first.py", list[str](), AgentTraits.answer
    file.write_text("class First:\n    def choose(self, position, rng):\n        return position.legal_moves[0]\n")

    def counting(question: AgentTraits, *rest: Any) -> Any:
        asked.append(str(question.agent))
        return answer(question, *rest)

    monkeypatch.setattr(AgentTraits, "answer", counting)
    own = f"python:{file}:First"
    noughts.match(own, "random", games=2, workers=0)
    assert asked.count(own) == 1
