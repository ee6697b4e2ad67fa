"""Our games work with OpenSpiel's own tests, algorithms and bots, and equal its own games where it has them."""

from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import evaluate_bots, mcts, minimax
from open_spiel.python.observation import make_observation

import noughts.bridges.openspiel as bridge
from noughts.positions import Position
from noughts.positions.laws import random_game
from noughts.rules import AgentError, RulesError, parse_rules
from noughts.solvers.solve import Truth
from tests.bridges.games import GAMES

THEIR_OWN = {
    "tic_tac_toe": "tic-tac-toe",
    "mnk(m=4,n=3,k=3)": "mnk(3,4,3)",
    "misere(game=mnk(m=3,n=5,k=3))": "mnk(5,3,3,line=loses)",
    "gomoku(size=4,connect=4,anti=true,wrap=true)": "mnk(4,4,4,line=loses,wrap=both)",
}


@pytest.mark.parametrize("game", [*GAMES, "mnk(1,1,1)"])
def test_openspiels_own_test_passes(game: str) -> None:
    loaded = bridge.load_game(game)
    assert loaded.rules == bridge.rules_of(loaded) == bridge.rules_of(str(loaded)) == parse_rules(game)
    pyspiel.random_sim_test(loaded, num_sims=5, serialize=True, verbose=False)


def test_parameters_have_a_structure() -> None:
    game = pyspiel.load_game("noughts(rows=4,cols=5,k=3,bricks=A1+C3,marks=shared,line=loses,boards=2)")
    assert bridge.rules_of(game) == parse_rules("mnk(4,5,3,bricks=A1+C3,marks=shared,line=loses,boards=2)")
    assert (game.num_distinct_actions(), game.max_game_length(), game.num_players()) == (40, 36, 2)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    assert bridge.rules_of("misere(game=noughts(full=second))") == parse_rules("misere-tic-tac-toe(full=first)")
    made = pyspiel.load_game("noughts", {"rows": 7, "cols": 7, "k": 4, "bricks": "D4", "full": "second"})
    assert made.rules == parse_rules("bttt(D4)")


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "noughts(k=9)": "no line of 9 fits on 3x3",
        "noughts(depth=2)": "has no game 'noughts.depth=2.'.*Unknown parameter 'depth'",
        "connect_four": "none of this family: that are gomoku, misere, mnk, noughts, tic_tac_toe",
        "gomoku(size=4,connect=5,wrap=true)": "its lines may go round the board more than once",
        "gomoku(size=3,dims=3)": "is not a board of rows and columns",
        "noughts(wrap=true)": "Wrong type for parameter wrap",
        "misere(game=connect_four())": "'connect_four.*none of this family",
    }.items(),
)
def test_impossible_games_are_rejected_in_one_line(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        bridge.rules_of(text)


@pytest.mark.heavy
@pytest.mark.parametrize(("theirs", "ours"), THEIR_OWN.items())
def test_every_state_equals_openspiels_own_game(theirs: str, ours: str) -> None:
    rules, rng = parse_rules(ours), Random(1)
    assert bridge.rules_of(theirs) == rules
    game, own = pyspiel.load_game(theirs), bridge.load_game(rules)
    assert game.num_distinct_actions() == own.num_distinct_actions()
    assert game.max_game_length() == own.max_game_length()
    for _ in range(20):
        state, other = game.new_initial_state(), own.new_initial_state()
        for move in [*random_game(rules, rng), None]:
            assert facts(state) == facts(other)
            assert bridge.position_of(state) == bridge.position_of(other)
            if "gomoku" not in theirs:  # its planes are in another order
                assert state.observation_tensor(1) == other.observation_tensor(1)
            if move is not None:
                state.apply_action(move)
                other.apply_action(move)
        assert other.is_terminal()


def facts(state: Any) -> tuple[object, ...]:
    over = state.is_terminal()
    legal = [] if over else state.legal_actions()
    rest = (legal, [] if over else state.legal_actions_mask(), state.history(), state.move_number())
    return over, state.current_player(), state.returns(), state.player_return(0), rest


@pytest.mark.parametrize("game", ["notakto(3,boards=2)", "bttt(D4)"])
def test_tensors_show_the_board_and_the_moves(game: str) -> None:
    rules, rng = parse_rules(game), Random(3)
    moves = random_game(rules, rng)
    state = bridge.load_game(rules).new_initial_state()
    closed_once = False
    for ply, move in enumerate(moves):
        seen = make_observation(state.get_game())
        seen.set_from(state, 0)
        planes = seen.dict["observation"].reshape(4, -1)
        assert set(planes.ravel()) == {0, 1}
        assert set(np.flatnonzero(planes[0])) == set(state.legal_actions())
        marks = {cell: side for side, plane in ((0, planes[2]), (1, planes[1])) for cell in np.flatnonzero(plane)}
        shared = rules.marks == "shared"
        assert marks == {made: 0 if shared else number % 2 for number, made in enumerate(moves[:ply])}
        closed = {cell for cell in range(rules.size) if cell // rules.board_size in state.position.closed}
        assert set(np.flatnonzero(planes[3])) == rules.brick_cells | closed
        closed_once |= bool(state.position.closed)
        remembered = np.array(state.information_state_tensor(0)).reshape(-1, rules.size)
        assert [int(row.argmax()) for row in remembered if row.any()] == list(moves[:ply])
        assert state.information_state_string(0) == " ".join(map(rules.name_of, moves[:ply]))
        assert state.action_to_string(move) == rules.name_of(move)
        assert state.string_to_action(rules.name_of(move)) == move
        state.apply_action(move)
    assert closed_once == (rules.boards > 1)


@pytest.mark.parametrize(
    ("public", "recalls", "shown", "numbers"),
    [
        (True, False, "    1  2  3\n A  .  .  .\n B  .  X  .\n C  .  .  .", 27),
        (True, True, "B2", 81),
        (False, True, "", None),  # no information is private
    ],
)
def test_an_observer_shows_the_requested_contents(public: bool, recalls: bool, shown: str, numbers: int | None) -> None:
    state = bridge.load_game("tic-tac-toe").new_initial_state()
    state.apply_action(4)
    for private in (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER):
        kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=recalls, private_info=private)
        seen = state.get_game().make_py_observer(kind)
        seen.set_from(state, 0)
        assert seen.string_from(state, 0) == shown
        assert (None if seen.tensor is None else len(seen.tensor)) == numbers


def test_a_clone_is_independent_and_illegal_moves_are_rejected() -> None:
    state = bridge.load_game("bttt(D4)").new_initial_state()
    state.apply_action(0)
    other = state.clone()
    other.apply_action(1)
    assert (state.history(), other.history()) == ([0], [0, 1])
    assert (state.position.moves, other.position.moves) == ((0,), (0, 1))
    with pytest.raises(Exception, match="D4 is on a brick"):
        state.apply_action(24)


@pytest.mark.parametrize("game", ["mnk(3,3,3,bricks=B2)", "notakto(2,boards=2)", "mnk(2,3,2)"])
def test_openspiels_alpha_beta_finds_our_solvers_values(game: str) -> None:
    position = Position.start(parse_rules(game))
    value, move = minimax.alpha_beta_search(bridge.load_game(game))
    truth = Truth(position.rules)
    assert truth.prove(position).value == value
    assert truth.prove(position.play(move)).value == -value


def test_our_agents_are_bots_in_our_and_openspiels_games() -> None:
    never_loses = bridge.bot("minimax:depth=9")  # each of these games completely
    for text in ("tic_tac_toe", "misere(game=mnk(m=3,n=3,k=3))", "noughts(k=2,rows=2,cols=2,marks=shared,boards=2)"):
        game = pyspiel.load_game(text)
        least = Truth(bridge.rules_of(game)).prove(Position.start(bridge.rules_of(game))).value
        for seed in range(3):
            random = pyspiel.make_uniform_random_bot(1, seed)
            assert pyspiel.evaluate_bots(game.new_initial_state(), [never_loses, random], seed)[0] >= least
    state = bridge.load_game("tic-tac-toe").new_initial_state()
    rng = np.random.RandomState(1)
    theirs = mcts.MCTSBot(state.get_game(), 2.0, 30, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert evaluate_bots.evaluate_bots(state, [theirs, bridge.bot("minimax:depth=9")], rng)[1] >= 0


def test_bots_draw_their_own_numbers_and_repeat_them_for_a_seed() -> None:
    def games(first: int) -> list[list[int]]:
        bots = [bridge.bot("random", first), bridge.bot("mcts:sims=20", 5)]
        found = []
        for _ in range(4):
            state = bridge.load_game("bttt(D4)").new_initial_state()
            evaluate_bots.evaluate_bots(state, bots, None)
            found.append(state.history())
        return found

    assert games(1) == games(1)
    assert games(1) != games(2)
    assert len({tuple(game) for game in games(1)}) == 4


def test_a_bot_whose_agent_remembers_has_a_new_one_for_each_game() -> None:
    ours = bridge.bot("python:tests.agents.players:First")
    before = ours.agent
    ours.restart_at(bridge.load_game("tic-tac-toe").new_initial_state())
    assert ours.agent is not before
    shared = bridge.bot("minimax:depth=2")
    before = shared.agent
    shared.restart()
    assert shared.agent is before


def test_a_bot_refuses_other_games() -> None:
    with pytest.raises(RulesError, match="none of this family"):
        bridge.bot("minimax").step(pyspiel.load_game("connect_four").new_initial_state())


def test_a_bot_whose_agent_refuses_a_game_does_not_begin_it() -> None:
    bots = [pyspiel.make_uniform_random_bot(0, 1), bridge.bot("threats")]
    with pytest.raises(AgentError, match="threats cannot play misere-tic-tac-toe: "):
        evaluate_bots.evaluate_bots(bridge.load_game("misere-tic-tac-toe").new_initial_state(), bots, None)
