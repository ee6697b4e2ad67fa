"""Gomoku engines as agents: programs that use the Gomocup (piskvork) protocol. noughts is the manager.

    START 15                     OK
    INFO timeout_turn 5000
    BOARD
    7,7,2                        7,8
    DONE

Before each move, noughts sends the whole board, by BOARD after RESTART, so that the move depends only on the board. With
``tell=turns`` it sends each move as it is made, as in a tournament. Coordinates are x,y from the upper left corner:
the column, then the row. Protocol: https://plastovicka.github.io/protocl2en.htm
"""

import re
from typing import Literal

from noughts.agents.agent import Decision, Want
from noughts.agents.engine import ProgramAgent, quoted
from noughts.machine.program import Program, ProgramError, write_log
from noughts.positions import Position, Rng
from noughts.rules import AgentError, Rules

Tell = Literal["board", "turns"]

NO_LIMIT = 2147483647
"""Milliseconds left of a game without a time limit, as sent to the engine."""

_COORDINATES = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")
_REMARKS = ("MESSAGE", "DEBUG")


class GomocupAgent(ProgramAgent):
    """A gomoku engine. Its move may depend on earlier requests, so each game has its own process."""

    shared = False
    goodbye = "END\r\n"

    def __init__(
        self,
        target: str,
        seconds: float,
        k: int,
        tell: Tell,
        fresh: Literal["no", "yes"],
        memory: int,
        files: str,
    ) -> None:
        super().__init__(f"gomocup:{target}", target, seconds, memory, files)
        self.k, self.tells_turns, self.fresh = k, tell == "turns", fresh == "yes"
        self._board: tuple[int, int] | None = None  # columns and rows that the engine was started with
        self._is_empty = False  # whether its board is still empty
        self._stands: Position | None = None  # the position on its board, its own last move included

    def refusal(self, rules: Rules) -> str | None:
        """Why the protocol does not support these rules; None if it does."""
        return refusal_of(rules, self.k)

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """Its move.

        Raises:
            AgentError: the protocol does not support these rules; or the engine ended, was late, or sent no valid move.
        """
        if (refusal := self.refusal(position.rules)) is not None:
            raise AgentError(f"{self.called} cannot play {position.rules}: {refusal}")
        if self.fresh:
            self.close()
        before, self._stands = self._stands, None
        program = self._started(position.rules)
        try:
            self._require_silence(program)
            until = self.move_deadline()
            goes_on = self.tells_turns and before is not None and position.moves[:-1] == before.moves
            if goes_on and before is not None and before.rules == position.rules:
                program.write(f"TURN {self._name(position, position.moves[-1])}\r\n", until)
            else:
                program = self._cleared(program, position.rules)
                until = self.move_deadline()
                program.write(self._whole(position), until)
            move = self._move(program, position, until)
        except ProgramError as error:
            raise self.failure(error) from None
        self._stands = position.play(move) if position.is_legal(move) else None
        return Decision(move)

    def greet(self, program: Program, until: float) -> None:
        """Start a game on the requested board, and send the engine its limits."""
        if self._board is None:
            return
        cols, rows = self._board
        said = self._reply(program, f"START {cols}" if cols == rows else f"RECTSTART {cols},{rows}", until)
        if not said.upper().startswith("OK"):
            raise ProgramError(f"it cannot play on {cols}x{rows}: {quoted(said)}")
        facts = {
            "timeout_turn": max(1, round(self.seconds * 1000)),
            "timeout_match": 0,
            "time_left": NO_LIMIT,
            "max_memory": self.memory << 20,
            "game_type": 1,
            "rule": 0,
        }
        program.write("".join(f"INFO {key} {value}\r\n" for key, value in facts.items()), until)
        self._is_empty = True

    def close(self) -> None:
        """End it."""
        self._stands = None
        super().close()

    def _started(self, rules: Rules) -> Program:
        """The engine, started for a board of this size."""
        board = (rules.cols, rules.rows)
        if board != self._board:
            self.close()
            self._board = board
        return self.ready()

    def _cleared(self, program: Program, rules: Rules) -> Program:
        """The engine with an empty board: by RESTART or, if it does not support that, as a new process."""
        if self._is_empty:
            self._is_empty = False
            return program
        said = self._reply(program, "RESTART", self.move_deadline())
        if said.upper().startswith("OK"):
            return program
        if _COORDINATES.fullmatch(said):
            raise ProgramError(f"it wrote out of turn: {quoted(said)}")
        if not said.upper().startswith("UNKNOWN"):
            raise ProgramError(f"it answered RESTART with {quoted(said)}")
        self.close()
        program = self.ready()
        self._is_empty = False
        return program

    def _whole(self, position: Position) -> str:
        """The commands that send the whole board and make the engine move."""
        if not position.moves:
            return "BEGIN\r\n"
        mine = position.ply % 2  # the parity of the plies that the side to move made
        stones = (
            f"{self._name(position, cell)},{1 if ply % 2 == mine else 2}" for ply, cell in enumerate(position.moves)
        )
        return "".join(f"{line}\r\n" for line in ("BOARD", *stones, "DONE"))

    def _move(self, program: Program, position: Position, until: float) -> int:
        """The cell that it plays."""
        said = self._answer(program, until)
        if said.upper().startswith("SUGGEST"):  # it leaves the decision to the manager, which accepts its suggestion
            suggested = said[7:].strip()
            try:
                said = self._reply(program, f"PLAY {suggested}", until)
            except ProgramError as error:
                raise ProgramError(f"it failed at PLAY {suggested[:20]}, its own SUGGEST: {error}") from None
        found = _COORDINATES.fullmatch(said)
        if found is None:
            raise ProgramError(f"it sent no move, but {quoted(said)}")
        x, y = int(found[1]), int(found[2])
        if x >= position.rules.cols or y >= position.rules.rows:
            raise ProgramError(
                f"it played {x},{y}, which is off the board of {position.rules.cols}x{position.rules.rows}"
            )
        return y * position.rules.cols + x

    def _reply(self, program: Program, command: str, until: float) -> str:
        program.write(f"{command}\r\n", until)
        return self._answer(program, until)

    def _answer(self, program: Program, until: float) -> str:
        """The next line that is neither empty nor a remark, which goes to the log."""
        while True:
            line = program.read_line(until).strip()
            if line.upper().startswith(_REMARKS):
                write_log(self.log, f"it writes: {line}")
            elif line:
                return line

    def _require_silence(self, program: Program) -> None:
        """ProgramError if it has written a line out of turn, other than a remark."""
        line = program.unread_line()
        if line and not line.upper().startswith(_REMARKS):
            raise ProgramError(f"it wrote out of turn: {quoted(line)}")

    @staticmethod
    def _name(position: Position, cell: int) -> str:
        row, col = divmod(cell, position.rules.cols)
        return f"{col},{row}"


def refusal_of(rules: Rules, k: int) -> str | None:
    """Why an engine that plays for lines of `k` cannot play these rules by the protocol; None if it can."""
    if rules.boards > 1:
        return "the Gomocup protocol has one board"
    if rules.wrap != "none":
        return "in the Gomocup protocol lines end at the edges of the board"
    if rules.bricks:
        return "the Gomocup protocol has no bricks"
    if rules.marks == "shared":
        return "in the Gomocup protocol each side has stones of its own"
    if rules.line == "loses":
        return "in the Gomocup protocol a line wins"
    if rules.full != "draw":
        return "in the Gomocup protocol a full board is a draw"
    if rules.k != k:
        return f"the engine plays for lines of {k}; give k={rules.k} if it can play for another"
    return None
