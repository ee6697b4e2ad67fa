"""Agents in any language: programs that read requests and write answers, each a line of JSON. `docs/reference` has a page.

    to the program                                          from the program
    {"type": "hello", "protocol": 1, ...}                   {"type": "hello", "protocol": 1, "name": ..., "version": ...}
    {"type": "ask", "id": 1, "wants": "move", ...}          {"type": "answer", "id": 1, "move": "B2"}
    {"type": "ask", "id": 2, "wants": "choices", ...}       {"type": "answer", "id": 2, "choices": ["A1", "C3"]}
    {"type": "ask", "id": 3, ...}                           {"type": "error", "id": 3, "message": "4x4 is too large for me"}
    the end of its input: it must end

Every request is complete, so a program need remember nothing, and its answer must not depend on earlier
requests. At any time it may write ``{"type": "message", "text": ...}``, which goes to its log.
"""

import json
import time
from typing import Any

import noughts
from noughts.agents.agent import Decision, Want
from noughts.agents.engine import ProgramAgent, quoted
from noughts.machine.program import Program, ProgramError, write_log
from noughts.positions import SYMBOLS, Position, Rng
from noughts.rules import AgentError, Rules, RulesError, describe_rules
from noughts.search import Kind, MoveResult, SearchResult

PROTOCOL = 1
"""Version of the protocol. New fields of messages do not change it, because both sides ignore unsupported fields."""

_SEED_BITS = 53  # a double, the only number of some languages, holds integers of this size


class ProcessAgent(ProgramAgent):
    """A program that uses this protocol. It is shared, because each request is complete."""

    shared = True

    def __init__(self, target: str, seconds: float, memory: int, files: str) -> None:
        super().__init__(f"process:{target}", target, seconds, memory, files)
        self._asked = 0
        self._uses_seed = False
        self._gives: frozenset[str] = frozenset()

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """Its move, and its value and policy if they are wanted and supported.

        Raises:
            AgentError: the program ended, was late, refused, or wrote an invalid answer.
        """
        analyses = want is Want.ANALYSIS and "analysis" in self._abilities()
        answer = self._ask(position, Want.ANALYSIS if analyses else Want.MOVE, rng)
        move = self._cell(answer.get("move"), position.rules)
        analysis = self._analysis(answer, move, position)  # checked also where it is not wanted
        return Decision(move, analysis=analysis if analyses else None)

    def name_choices(self, position: Position) -> tuple[int, ...]:
        """Every move that it lists as possible; empty if it does not support that. Errors as for `decide_one`."""
        if "choices" not in self._abilities():
            return ()
        choices = self._ask(position, Want.CHOICES).get("choices")
        if not isinstance(choices, list):
            raise self.failure(f"its choices are {quoted(json.dumps(choices))}, and no list of squares")
        return tuple(self._cell(name, position.rules, "its choices name") for name in choices)

    def greet(self, program: Program, until: float) -> None:
        """Exchange hello messages, and read the program's name and abilities."""
        hello = {"type": "hello", "protocol": PROTOCOL, "program": "noughts", "version": noughts.__version__}
        program.write(json.dumps(hello) + "\n", until)
        said = self._read(program, until)
        if said.get("type") != "hello" or said.get("protocol") != PROTOCOL:
            raise ProgramError(f"its hello must have protocol {PROTOCOL}, but is {quoted(json.dumps(said))}")
        for field in ("name", "version"):
            if not isinstance(said.get(field), str):
                raise ProgramError(f"its hello needs the text {field}: {quoted(json.dumps(said))}")
        abilities = {}
        for field, known in (("uses", {"seed"}), ("gives", {"choices", "analysis"})):
            given = said.get(field, [])
            if not isinstance(given, list) or not all(isinstance(word, str) for word in given):
                raise ProgramError(f"its hello has {field}: {quoted(json.dumps(given))}; give a list of words")
            abilities[field] = known & set(given)
        self._uses_seed, self._gives = "seed" in abilities["uses"], frozenset(abilities["gives"])
        write_log(self.log, f"it is {said['name']}, version {said['version']}")

    def _abilities(self) -> frozenset[str]:
        """The outputs that it supports besides moves. Starts the program, whose hello lists them."""
        self.ready()
        return self._gives

    def _ask(self, position: Position, want: Want, rng: Rng | None = None) -> dict[str, Any]:
        """Send a request and return the program's answer."""
        program = self.ready()
        self._asked += 1
        asked = question(self._asked, position, want)
        if self._uses_seed and rng is not None:
            asked["seed"] = rng.next64() >> (64 - _SEED_BITS)
        try:
            if (line := program.unread_line()) is not None and not self._is_message(line):
                raise ProgramError(f"it wrote out of turn: {quoted(line)}")
            until = self.move_deadline()
            program.write(json.dumps(asked, separators=(",", ":")) + "\n", until)
            answer = self._read(program, until)
            if answer.get("id") in range(1, self._asked):
                raise ProgramError(f"it wrote out of turn: {quoted(json.dumps(answer))}")
            if answer.get("type") == "error":
                raise AgentError(f"{self.called}: it refused: {quoted(str(answer.get('message', '')))}")
            if answer.get("type") != "answer" or answer.get("id") != self._asked:
                raise ProgramError(f"it answered request {self._asked} with {quoted(json.dumps(answer))}")
        except ProgramError as error:
            raise self.failure(error) from None
        return answer

    def _read(self, program: Program, until: float) -> dict[str, Any]:
        """The next line that is no message; messages go to the log."""
        while True:
            line = program.read_line(until)
            try:
                said = json.loads(line)
            except (ValueError, RecursionError):
                raise ProgramError(f"it wrote invalid JSON: {quoted(line)}") from None
            if not isinstance(said, dict):
                raise ProgramError(f"it wrote JSON that is no object: {quoted(line)}")
            if said.get("type") != "message":
                return said
            write_log(self.log, f"it writes: {said.get('text')}")
            if time.monotonic() >= until:
                raise ProgramError("it did not answer in time")

    @staticmethod
    def _is_message(line: str) -> bool:
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            return False
        return isinstance(said, dict) and said.get("type") == "message"

    def _cell(self, name: object, rules: Rules, where: str = "it played") -> int:
        """The cell of a square that it names; `where` begins the error. The caller checks that the move is legal."""
        try:
            if isinstance(name, str):
                return rules.cell_of(name)
        except RulesError:
            pass
        raise self.failure(f"{where} {quoted(json.dumps(name))}, which is no square such as {rules.name_of(0)}")

    def _analysis(self, answer: dict[str, Any], move: int, position: Position) -> SearchResult | None:
        """Its value and policy; None if it gave neither."""
        value, policy = answer.get("value"), answer.get("policy")
        if value is None and policy is None:
            return None
        if value is not None and not _is_number(value, -1.0, 1.0):
            raise self.failure(f"its value is {quoted(json.dumps(value))}, and no number from -1 to 1")
        priors: dict[int, float] = {}
        if policy is not None:
            shares = policy.values() if isinstance(policy, dict) else [None]
            if not all(_is_number(share, 0.0, 1.0) for share in shares):
                raise self.failure(f"its policy is {quoted(json.dumps(policy))}, and no numbers from 0 to 1 by square")
            priors = {
                self._cell(name, position.rules, "its policy names"): float(share) for name, share in policy.items()
            }
        moves = tuple(
            MoveResult(cell, int(cell == move), 0.0, prior=None if policy is None else priors.get(cell, 0.0))
            for cell in position.legal_moves
        )
        return SearchResult(move, float(value or 0.0), Kind.ESTIMATE, moves, (move,), 1)


def question(number: int, position: Position, want: Want) -> dict[str, Any]:
    """The request about a position, without a seed."""
    rules = position.rules
    size, cols = rules.board_size, rules.cols
    symbols = "".join(SYMBOLS[content] for content in position.cells)
    boards = [symbols[start : start + size] for start in range(0, rules.size, size)]
    return {
        "type": "ask",
        "id": number,
        "wants": want.value,
        "rules": rules.model_dump(mode="json") | {"text": str(rules), "words": describe_rules(rules)},
        "moves": [rules.name_of(cell) for cell in position.moves],
        "to_move": str(position.to_move),
        "boards": [[board[start : start + cols] for start in range(0, size, cols)] for board in boards],
        "closed": [board + 1 for board in sorted(position.closed)],
        "legal": [rules.name_of(cell) for cell in position.legal_moves],
    }


def _is_number(value: object, low: float, high: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
