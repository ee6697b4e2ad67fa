"""Our agents as a gomoku engine: the engine's side of the Gomocup (piskvork) protocol, on standard input and output.

    START 15                     OK
    INFO timeout_turn 5000
    BEGIN                        7,7
    TURN 8,8                     6,8
    END

Coordinates are x,y from the upper left corner: the column, then the row. Games are freestyle: k or more in a row win, and a
full board is a draw. Boards go up to 19x19. Protocol: https://plastovicka.github.io/protocl2en.htm
"""

import contextlib
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from queue import SimpleQueue

import noughts
from noughts.bridges.thinker import Thinker, Thought
from noughts.positions import Position, Side, derive_seed
from noughts.rules import AgentError, NoughtsError, Rules

UNLIMITED = 2147483647
"""The value of `time_left`, in milliseconds, for a match without a limit."""

OWN, OPPONENT = 1, 2
"""The field after a stone's coordinates in BOARD. 3, a winning line, occurs only in games that continue after a win."""

_RULES = {1: "exactly five in a row", 2: "a game that continues after a win", 4: "renju", 8: "caro"}
_COORDINATES = re.compile(r"\s*(-?\d{1,4})\s*,\s*(-?\d{1,4})\s*")
_STONE = re.compile(r"\s*(-?\d{1,4})\s*,\s*(-?\d{1,4})\s*,\s*(\d)\s*")
_SHARE = 20  # a move may take the 20th part of the time that is left
_LONGEST_LINE = 1000  # characters; the rest of a longer line is ignored


class GomocupSession:
    """One session with a manager, which sends commands and receives lines.

    Args:
        thinker: Chooses the moves.
        agent: The agent's name, for ABOUT.
        write: Called with each line to the manager.
        k: The length of a winning line.
        seed: With the number of the game and that of the move, it seeds each move's random numbers.
        seconds: The time limit of a move if the manager sets none; None for no limit.
        wanted: Whether a move is still needed; false once the manager has ended the session.
        clock: Returns the time in seconds.
    """

    def __init__(
        self,
        thinker: Thinker,
        agent: str,
        write: Callable[[str], None],
        k: int = 5,
        seed: int = 0,
        seconds: float | None = None,
        wanted: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._thinker, self._agent, self._write = thinker, agent, write
        self._k, self._seed, self._seconds_else = k, seed, seconds
        self._wanted, self._clock = wanted, clock
        self._position: Position | None = None
        self._own: Side | None = None  # None until it is known
        self._stones: list[tuple[int, int, int]] | None = None  # a list while the stones of a board arrive
        self._stones_problem = ""
        self._game = 0
        self._facts: dict[str, int] = {}
        self._left_since = 0.0  # seconds that we used since the manager last sent the match's remaining time
        self._thought = Thought(-1)

    def handle(self, line: str) -> bool:
        """Handle a command; return whether the session continues."""
        line = line[:_LONGEST_LINE].strip()
        begun = self._clock()
        word, _, rest = line.partition(" ")
        word = word.upper()
        if word == "END":
            return False
        try:
            if self._stones is not None:
                self._hear_stone(line)
            elif word:
                command = getattr(self, f"_do_{word.lower()}", None) if word.isalpha() else None
                if command is None:
                    self._write(f"UNKNOWN {line[:100]}")
                else:
                    command(rest.strip())
        except NoughtsError as error:
            self._write(f"ERROR {error}")
        self._left_since += self._clock() - begun
        return True

    # The commands, in the order of the protocol's specification.

    def _do_start(self, rest: str) -> None:
        if not re.fullmatch(r"\d{1,4}", rest):
            raise AgentError(f"START {rest} is not understood: write START SIZE")
        self._begin(int(rest), int(rest))

    def _do_rectstart(self, rest: str) -> None:
        cols, rows = self._numbers(rest, "RECTSTART WIDTH,HEIGHT")
        self._begin(cols, rows)

    def _do_restart(self, rest: str) -> None:
        self._new_game(Position.start(self._at().rules))
        self._write("OK")

    def _do_turn(self, rest: str) -> None:
        position = self._at()
        cell = self._cell(position, *self._numbers(rest, "TURN X,Y"))
        if self._own is position.to_move:
            raise AgentError("it is my move: TURN would be one of mine")
        self._require_rule()
        self._position, self._own = position.play(cell), position.to_move.other
        self._move()

    def _do_begin(self, rest: str) -> None:
        position = self._at()
        if position.ply:
            raise AgentError("the board is not empty: BEGIN opens a game, and RESTART empties the board")
        self._require_rule()
        self._own = Side.FIRST
        self._move()

    def _do_board(self, rest: str) -> None:
        self._stones, self._stones_problem = [], ""  # even without a game: stones follow

    def _do_takeback(self, rest: str) -> None:
        position = self._at()
        cell = self._cell(position, *self._numbers(rest, "TAKEBACK X,Y"))
        if not position.moves or position.moves[-1] != cell:
            raise AgentError(f"{rest} was not the last move")
        self._position = position.undo()
        self._write("OK")

    def _do_info(self, rest: str) -> None:
        """Store a fact. No answer is expected, so an unsupported rule becomes an error only when a move is requested."""
        key, _, value = rest.partition(" ")
        key = key.lower()
        if key == "evaluate":
            self._evaluate(value)
        elif re.fullmatch(r"-?\d{1,18}", value.strip()):
            self._facts[key] = int(value)
            if key in ("time_left", "timeout_match"):
                self._left_since = 0.0
            if key == "rule" and (refusal := self._rule_refusal()):
                self._write(f"MESSAGE {refusal}")

    def _do_about(self, rest: str) -> None:
        name = f"noughts {self._agent}".replace('"', "'")
        self._write(f'name="{name}", version="{noughts.__version__}", author="The noughts authors"')

    # Helpers of the commands.

    def _begin(self, cols: int, rows: int) -> None:
        """Begin a game on an empty board of this size."""
        self._position = None
        rules = Rules(rows=rows, cols=cols, k=self._k)
        self._thinker.prepare(rules)
        self._new_game(Position.start(rules))
        self._write("OK")

    def _new_game(self, position: Position) -> None:
        self._position, self._own = position, None
        self._thought = Thought(-1)
        self._game += 1
        self._facts.pop("time_left", None)
        self._left_since = 0.0

    def _hear_stone(self, line: str) -> None:
        """Handle a line after BOARD."""
        if line.upper() != "DONE":
            found = _STONE.fullmatch(line)
            if found is None:
                self._stones_problem = self._stones_problem or f"{line[:100]} is no stone: write X,Y,FIELD or DONE"
            elif self._stones is not None:
                self._stones.append((int(found[1]), int(found[2]), int(found[3])))
            return
        stones, self._stones = self._stones or [], None
        if self._stones_problem:
            raise AgentError(self._stones_problem)
        self._require_rule()
        self._take_board(stones)
        self._move()

    def _take_board(self, stones: Iterable[tuple[int, int, int]]) -> None:
        """Set up these stones. Moves alternate between the sides, each side's in the order in which its stones arrived."""
        position = self._at()
        sides: dict[int, list[int]] = {OWN: [], OPPONENT: []}
        for x, y, field in stones:
            if field not in sides:
                raise AgentError(f"{x},{y},{field}: the field must be 1, my stone, or 2, my opponent's")
            sides[field].append(self._cell(position, x, y))
        own, opponent = sides[OWN], sides[OPPONENT]
        if len(opponent) - len(own) not in (0, 1):
            raise AgentError(f"{len(own)} stones of mine and {len(opponent)} of my opponent's: it would not be my move")
        first, second = (own, opponent) if len(own) == len(opponent) else (opponent, own)
        moves = [cell for pair in zip(first, [*second, -1], strict=False) for cell in pair if cell >= 0]
        self._position = Position.start(position.rules, tuple(moves))
        self._own = Side.FIRST if first is own else Side.SECOND

    def _move(self) -> None:
        """Choose a move, play it, and write it."""
        position = self._at()
        if position.is_over:
            raise AgentError("the game is over: no move can be made")
        seed = derive_seed(self._seed, self._game, position.ply)
        thought = self._thinker.think(position, seed, self._game, self._seconds(), self._wanted)
        if thought is None:
            return
        self._thought, self._position = thought, position.play(thought.move)
        row, col = divmod(thought.move, position.rules.cols)
        self._write(f"{col},{row}")
        self._keep_to_memory()

    def _seconds(self) -> float | None:
        """The time limit of this move in seconds; None for no limit."""
        limits: list[float] = []
        if (turn := self._facts.get("timeout_turn")) is not None:
            if turn <= 0:
                return 0.0
            limits.append(turn / 1000)
        match, left = self._facts.get("timeout_match", 0), self._facts.get("time_left")
        if left is None and match > 0:
            left = match
        if left is not None and left != UNLIMITED and (match > 0 or "timeout_match" not in self._facts):
            limits.append(max(0.0, left / 1000 - self._left_since) / _SHARE)
        if not limits:
            return self._seconds_else
        seconds = min(limits)
        return max(0.001, seconds - 0.02 - min(0.2, 0.1 * seconds))  # so that the answer arrives in time

    def _keep_to_memory(self) -> None:
        """Restart the agent's process if it uses more memory than the manager allows."""
        allowed = self._facts.get("max_memory", 0)
        if allowed > 0 and (taken := self._thinker.memory_taken()) > allowed:
            self._thinker.start_again()
            self._write(f"MESSAGE started again: it held {taken >> 20} MiB, and max_memory is {allowed:,} bytes")

    def _evaluate(self, value: str) -> None:
        """Write the value of a square according to the latest search."""
        position = self._position
        found = _COORDINATES.fullmatch(value)
        if position is None or found is None:
            return
        x, y = int(found[1]), int(found[2])
        worth = self._thought.values.get(y * position.rules.cols + x) if 0 <= x < position.rules.cols else None
        self._write(f"MESSAGE {x},{y}: " + ("nothing is known" if worth is None else f"{worth:+.3f} of -1 to +1"))

    def _require_rule(self) -> None:
        if refusal := self._rule_refusal():
            raise AgentError(refusal)

    def _rule_refusal(self) -> str:
        """Why the requested game is not supported; empty if it is."""
        rule = self._facts.get("rule", 0)
        if not rule:
            return ""
        names = [name for bit, name in _RULES.items() if rule & bit] or ["unknown here"]
        return f"rule {rule} is not played, {' and '.join(names)}: only rule 0, where longer lines win, too"

    def _at(self) -> Position:
        if self._position is None:
            raise AgentError("no game has begun: START SIZE comes first")
        return self._position

    @staticmethod
    def _numbers(text: str, form: str) -> tuple[int, int]:
        found = _COORDINATES.fullmatch(text)
        if found is None:
            raise AgentError(f"{text[:100] or 'nothing'} is not understood: write {form}")
        return int(found[1]), int(found[2])

    @staticmethod
    def _cell(position: Position, x: int, y: int) -> int:
        rules = position.rules
        if not (0 <= x < rules.cols and 0 <= y < rules.rows):
            raise AgentError(f"{x},{y} is off the board of {rules.cols}x{rules.rows}")
        return y * rules.cols + x


def serve(agent: str, k: int, seed: int, seconds: float | None, called: str) -> None:
    """Run an engine on standard input and output until the manager sends END or hangs up.

    Commands are read while the agent searches, so that END takes effect at once.

    Args:
        agent: The text of the agent.
        k, seed, seconds: As in `GomocupSession`.
        called: The engine's name.
    """
    commands: SimpleQueue[str] = SimpleQueue()
    ended = threading.Event()

    def listen() -> None:
        with contextlib.suppress(OSError, ValueError):  # an unreadable input counts as the end
            for line in sys.stdin:
                if line.strip().upper() == "END":
                    ended.set()
                    break
                commands.put(line)
        commands.put("END")

    def write(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    thinker = Thinker(agent)
    try:
        session = GomocupSession(thinker, called, write, k, seed, seconds, lambda: not ended.is_set())
        threading.Thread(target=listen, name="noughts-gomocup", daemon=True).start()
        while session.handle(commands.get()):
            pass
    except BrokenPipeError:  # the manager is gone
        pass
    finally:
        thinker.close()
