"""Our agents as a gomoku engine: every command of the Gomocup protocol, time limits, and a manager's whole session."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from noughts.bridges.gomocup import UNLIMITED, GomocupSession
from noughts.bridges.thinker import Thinker, Thought, hasty_move
from noughts.positions import Position
from noughts.rules import AgentError, Rules, parse_rules

FIVE = [*(f"{x},4,2" for x in range(5)), *(f"{x},0,1" for x in range(4))]


class FirstFree(Thinker):
    """Plays the first free square and records its requests."""

    def __init__(self) -> None:
        self.seconds: list[float | None] = []
        self.asked: list[tuple[Position, int, int]] = []
        self.memory = 0
        self.restarts = 0

    def prepare(self, rules: Rules) -> None:
        if rules.cols == 13:
            raise AgentError("it fears that number")

    def think(
        self, position: Position, seed: int, game: int, seconds: float | None, wanted: Callable[[], bool] = lambda: True
    ) -> Thought | None:
        self.asked.append((position, seed, game))
        self.seconds.append(seconds)
        move = position.legal_moves[0]
        return Thought(move, {move: 0.25}) if wanted() else None

    def memory_taken(self) -> int:
        return self.memory

    def start_again(self) -> None:
        self.restarts += 1


@pytest.fixture
def brain() -> FirstFree:
    return FirstFree()


def talk(
    *commands: str,
    brain: FirstFree | None = None,
    seconds: float | None = None,
    clock: Callable[[], float] = lambda: 0.0,
) -> list[str]:
    """The output for these commands."""
    said: list[str] = []
    session = GomocupSession(brain or FirstFree(), "first free", said.append, seconds=seconds, clock=clock)
    for command in commands:
        if not session.handle(command):
            break
    return said


def test_a_game_is_played_by_turns(brain: FirstFree) -> None:
    said = talk("START 15\r\n", "BEGIN\r\n", "TURN 7,8\r\n", "turn 1,0", brain=brain)
    assert said[:3] == ["OK", "0,0", "1,0"]
    assert said[3].startswith("ERROR move A2 is taken by X")
    assert [position.moves for position, _, _ in brain.asked[:2]] == [(), (0, 8 * 15 + 7)]


def test_coordinates_are_the_column_and_then_the_row(brain: FirstFree) -> None:
    assert talk("RECTSTART 10,8", "TURN 9,0", "TURN 0,7", brain=brain) == ["OK", "0,0", "1,0"]
    last = brain.asked[-1][0]
    assert (last.rules.cols, last.rules.rows) == (10, 8)
    assert last.moves == (9, 0, 70)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_a_board_is_taken_in_any_order(order: int, brain: FirstFree) -> None:
    stones = ["7,7,2", "8,8,1", "6,6,2"]
    turned = stones[order:] + stones[:order]
    assert talk("START 15", "BOARD", *turned, "DONE", brain=brain) == ["OK", "0,0"]
    position = brain.asked[0][0]
    assert position.to_move == 1
    assert [position.cells[row * 15 + row] for row in (6, 7, 8)] == [1, 1, 2]
    assert talk("START 15", "BOARD", "3,3,1", "4,4,2", "DONE", "TURN 5,5", brain=brain) == ["OK", "0,0", "1,0"]
    assert brain.asked[-1][0].to_move == 0


def test_moves_are_undone_and_games_restarted() -> None:
    said = talk("START 5", "BEGIN", "TURN 4,4", "TAKEBACK 1,0", "TAKEBACK 4,4", "TURN 3,3", "RESTART", "BEGIN")
    assert said == ["OK", "0,0", "1,0", "OK", "OK", "1,0", "OK", "0,0"]


@pytest.mark.parametrize(
    ("commands", "words"),
    [
        (["BEGIN"], "ERROR no game has begun"),
        (["BOARD", "1,1,2", "DONE"], "ERROR no game has begun"),
        (["START"], "ERROR START  is not understood"),
        (["START 20"], "ERROR impossible rules: rows=20 is not allowed: a whole number from 1 to 19"),
        (["START 4"], "ERROR impossible rules: k=5: no line of 5 fits on 4x4"),
        (["START 13"], "ERROR it fears that number"),
        (["RECTSTART 5"], "ERROR 5 is not understood: write RECTSTART WIDTH,HEIGHT"),
        (["START 5", "TURN 5,0"], "ERROR 5,0 is off the board of 5x5"),
        (["START 5", "TURN"], "ERROR nothing is not understood: write TURN X,Y"),
        (["START 5", "BEGIN", "TURN 0,0"], "ERROR move A1 is taken by X"),
        (["START 5", "BEGIN", "BEGIN"], "ERROR the board is not empty"),
        (["START 5", "BEGIN", "TAKEBACK 1,1"], "ERROR 1,1 was not the last move"),
        (["START 5", "BEGIN", "TAKEBACK 0,0", "TURN 1,1"], "ERROR it is my move"),
        (["START 5", "BOARD", "1,1,1", "DONE"], "ERROR 1 stones of mine and 0 of my opponent's"),
        (["START 5", "BOARD", "1,1,3", "DONE"], "ERROR 1,1,3: the field must be 1"),
        (["START 5", "BOARD", "1,1", "DONE"], "ERROR 1,1 is no stone"),
        (["START 5", "BOARD", "1,1,2", "1,1,1", "DONE"], "ERROR move B2 is taken by X"),
        (["START 5", "BOARD", *FIVE, "DONE"], "ERROR the game is over"),
        (["START 5", "INFO rule 1", "BEGIN"], "ERROR rule 1 is not played, exactly five in a row"),
        (["START 5", "INFO rule 4", "TURN 1,1"], "ERROR rule 4 is not played, renju"),
        (["__class__"], "UNKNOWN __class__"),
    ],
)
def test_impossible_commands_get_one_line(commands: list[str], words: str) -> None:
    *others, last = talk(*commands)
    assert not any(other.startswith(("ERROR", "UNKNOWN")) for other in others)
    assert last.startswith(words)
    assert "\n" not in last


def test_a_session_continues_after_errors_and_empty_lines_until_its_end() -> None:
    commands = ("START 20", "START 5", "", "  ", "TURN " + "1" * 100_000, "TURN 1,1", "END", "BEGIN")
    assert talk(*commands)[-1] == "0,0"


def test_it_describes_itself_and_its_evaluation_of_a_square() -> None:
    assert talk("ABOUT")[0].startswith('name="noughts first free", version="')
    said = talk("START 5", "BEGIN", "INFO evaluate 0,0", "INFO evaluate 3,3", "INFO folder /tmp", "INFO nonsense")
    assert said[2:] == ["MESSAGE 0,0: +0.250 of -1 to +1", "MESSAGE 3,3: nothing is known"]


@pytest.mark.parametrize(
    ("facts", "low", "high"),
    [
        (["timeout_turn 1000"], 0.8, 0.95),
        (["timeout_turn 100"], 0.06, 0.09),
        (["timeout_turn 0"], 0.0, 0.0),
        (["timeout_turn 5000", "timeout_match 20000", "time_left 20000"], 0.8, 0.95),
        (["timeout_turn 5000", "timeout_match 20000"], 0.8, 0.95),
        (["timeout_turn 5000", "timeout_match 20000", "time_left -5"], 0.0, 0.001),
        (["timeout_turn 5000", "timeout_match 0", f"time_left {UNLIMITED}"], 4.6, 4.9),
        (["timeout_turn 5000", "time_left 100000"], 4.6, 4.9),
    ],
)
def test_a_move_respects_every_time_limit(facts: list[str], low: float, high: float, brain: FirstFree) -> None:
    talk("START 15", *(f"INFO {fact}" for fact in facts), "BEGIN", brain=brain)
    (seconds,) = brain.seconds
    assert seconds is not None
    assert low <= seconds <= high


def test_without_limits_the_engines_own_limit_applies(brain: FirstFree) -> None:
    talk("START 15", "BEGIN", brain=brain, seconds=7.0)
    assert brain.seconds == [7.0]


def test_remaining_match_time_is_computed_if_the_manager_omits_it(brain: FirstFree) -> None:
    now = iter(range(0, 1000, 2))  # each command takes 2 s
    talk("START 9", "INFO timeout_match 60000", "BEGIN", "TURN 8,8", "TURN 7,7", brain=brain, clock=lambda: next(now))
    seconds = [second for second in brain.seconds if second is not None]
    assert len(seconds) == 3
    assert seconds == sorted(seconds, reverse=True)
    assert seconds[0] > seconds[-1]


def test_games_beyond_the_memory_limit_are_forgotten(brain: FirstFree) -> None:
    brain.memory = 200 << 20
    said = talk("START 5", "INFO max_memory 100000000", "BEGIN", "INFO max_memory 0", "TURN 4,4", brain=brain)
    assert said == ["OK", "0,0", "MESSAGE started again: it held 200 MiB, and max_memory is 100,000,000 bytes", "1,0"]
    assert brain.restarts == 1


def test_seeds_differ_between_games_and_repeat_between_sessions() -> None:
    one, other = FirstFree(), FirstFree()
    for brain in (one, other):
        talk("START 5", "BEGIN", "TURN 4,4", "RESTART", "BEGIN", brain=brain)
    seeds = [seed for _, seed, _ in one.asked]
    assert len(set(seeds)) == 3
    assert seeds == [seed for _, seed, _ in other.asked]


def test_a_move_without_time_completes_a_line_or_stops_one() -> None:
    rules = parse_rules("mnk(9,9,5)")
    four = [rules.cell_of(name) for name in ("C3", "C4", "C5", "C6")]
    others = [rules.cell_of(name) for name in ("A1", "I9", "A9", "I1")]
    moves = tuple(cell for pair in zip(four, others, strict=True) for cell in pair)
    assert rules.name_of(hasty_move(Position.start(rules, moves))) in ("C2", "C7")
    stopping = tuple(cell for pair in zip([rules.cell_of("E9"), *others[:3]], four, strict=True) for cell in pair)
    assert rules.name_of(hasty_move(Position.start(rules, stopping))) in ("C2", "C7")
    assert rules.name_of(hasty_move(Position.start(rules))) == "E5"


@pytest.fixture
def engine() -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "noughts", "gomocup", "--agent", "mcts:sims=10000000", "--seed", "3"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True) as process:
        yield process
        process.kill()


def say(process: "subprocess.Popen[str]", *commands: str) -> str:
    """Send commands and return the next line of the answer that is no remark."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("".join(f"{command}\r\n" for command in commands))
    process.stdin.flush()
    while (line := process.stdout.readline().strip()).startswith(("MESSAGE", "DEBUG")):
        pass
    return line


@pytest.mark.heavy
def test_a_whole_session_of_a_manager(engine: "subprocess.Popen[str]") -> None:
    """A game with time limits, another from a given board, and an end during a search."""
    assert say(engine, "ABOUT").startswith('name="noughts mcts:sims=10000000"')
    assert say(engine, "START 15") == "OK"
    position = Position.start(parse_rules("gomoku"))
    say_so = "BEGIN"
    for _ in range(3):
        begun = time.monotonic()
        answer = say(engine, "INFO timeout_turn 400", "INFO timeout_match 60000", "INFO time_left 60000", say_so)
        assert time.monotonic() - begun < 1.5  # on a busy machine
        x, y = map(int, answer.split(","))
        position = position.play(y * 15 + x)
        reply = position.legal_moves[-1]
        position = position.play(reply)
        say_so = f"TURN {reply % 15},{reply // 15}"
    assert say(engine, "NONSENSE") == "UNKNOWN NONSENSE"
    assert say(engine, "RECTSTART 9,7") == "OK"
    x, y = map(int, say(engine, "INFO timeout_turn 300", "BOARD", "4,3,2", "DONE").split(","))
    assert 0 <= x < 9
    assert 0 <= y < 7
    assert say(engine, "RESTART") == "OK"
    children = psutil.Process(engine.pid).children(recursive=True)
    assert children
    assert engine.stdin is not None
    engine.stdin.write("INFO timeout_turn 60000\nBEGIN\n")
    engine.stdin.flush()
    time.sleep(0.3)
    begun = time.monotonic()
    engine.stdin.write("END\n")
    engine.stdin.flush()
    assert engine.wait(10) == 0
    assert time.monotonic() - begun < 1.0
    assert engine.stdout is not None
    assert engine.stdout.read() == ""
    _, alive = psutil.wait_procs(children, 3)
    assert alive == []


@pytest.mark.heavy
def test_an_agent_that_cannot_be_interrupted_respects_the_time_limit() -> None:
    thinker = Thinker("python:tests.agents.players:Hangs")
    try:
        position = Position.start(parse_rules("gomoku"))
        thinker.prepare(position.rules)
        position = position.play(112).play(113)
        begun = time.monotonic()
        thought = thinker.think(position, 1, 1, 0.3)
        assert time.monotonic() - begun < 1.0
        assert thought is not None
        assert thought.move == hasty_move(position)
        thinker.agent = "python:tests.agents.players:RaisesLater"
        with pytest.raises(AgentError, match="failed: KeyError: 'gone'"):
            thinker.think(position, 1, 1, 60)
        thinker.agent = "human"
        with pytest.raises(AgentError, match=r"human is not ready: .* plays only in `noughts play`"):
            thinker.prepare(position.rules)
    finally:
        thinker.close()
