"""A game at the terminal: asks the person, lets the agent reply, draws the board."""

import sys

import typer

from noughts.agents import analyse, build_agent, choose
from noughts.play.playthrough import ENDINGS, SIDES
from noughts.positions import SYMBOLS, Outcome, Position, Rng, Side, derive_seed
from noughts.rules import NoughtsError, Rules, describe_rules, format_rules
from noughts.rules.errors import AgentFailedError, one_line
from noughts.search import Kind
from noughts.store.records import GameRecord

HELP = """Type a square such as B2 to play there, or:
  hint    what another agent would play, and what it thinks of the moves
  undo    take back your last move and the reply to it
  board   draw the board again
  rules   what the rules are
  help    this
  quit    stop; the game is kept"""


class _Quit(Exception):  # noqa: N818
    """The person wants to stop."""


class _Undo(Exception):  # noqa: N818
    """The person wants a move back."""


class TableTop:
    """You against an agent, or two people at one keyboard (the agent ``human``)."""

    def __init__(
        self, rules: Rules, opponent: str, adviser: str, seed: int, you_are_second: bool, opponent_name: str = ""
    ) -> None:
        self.rules, self.opponent, self.seed = rules, opponent, seed
        self.opponent_name = opponent_name or opponent  # as the person sees it
        self.you = Side.SECOND if you_are_second else Side.FIRST
        self.agent = build_agent(opponent, ask=self._ask)
        self.adviser = build_agent(adviser)
        self.position = Position.start(rules)
        self.name = f"{format_rules(rules)} / human / {opponent}"

    def play(self) -> None:
        """Play until the game is over or the person leaves."""
        typer.echo(describe_rules(self.rules))
        typer.echo(
            f"You are {SYMBOLS[1 + self.you] if self.rules.marks == 'own' else SIDES[self.you]}. Type help for help."
        )
        if self.opponent_name != self.opponent:
            typer.echo(f"{self.opponent_name} is {self.opponent}")
        typer.echo(f"\n{self.position}\n")
        try:
            while not self.position.is_over:
                self._one_move()
        except (_Quit, EOFError):
            typer.echo("\nuntil next time")
            return
        typer.echo(self._verdict())

    def record(self) -> GameRecord:
        """The game so far; one that was left is kept as an error that nobody made."""
        names = ("human", self.opponent) if self.you is Side.FIRST else (self.opponent, "human")
        ending = ENDINGS.get(self.position.outcome, "error")
        return GameRecord(
            rules=format_rules(self.rules),
            first=names[0],
            second=names[1],
            seed=self.seed,
            moves=self.position.moves,
            ending=ending,
            error="left before the end" if ending == "error" else "",
        )

    def _one_move(self) -> None:
        position = self.position
        if position.to_move == self.you:
            try:
                move = self._ask(position)
            except _Undo:
                self._take_back()
                return
        else:
            try:
                move = self._reply(position)
            except _Undo:
                self._take_back()
                return
            if self.opponent != "human":
                typer.echo(f"{self.opponent_name} plays {self.rules.name_of(move)}")
        self.position = position.play(move)
        typer.echo(f"\n{self.position}\n")

    def _reply(self, position: Position) -> int:
        rng = Rng(derive_seed(self.seed, position.ply))
        try:
            return choose(self.agent, position, rng)
        except (_Undo, _Quit, EOFError):
            raise
        except (Exception, SystemExit) as error:
            raise AgentFailedError(f"{self.opponent_name} failed: {one_line(error)}") from error

    def _ask(self, position: Position) -> int:
        """The person's move; everything else they type is answered here."""
        who = SYMBOLS[1 + position.to_move] if self.rules.marks == "own" else SIDES[position.to_move]
        while True:
            sys.stdout.write(f"{who} to move: ")
            sys.stdout.flush()
            line = sys.stdin.readline() if sys.stdin else ""
            if not line:
                raise EOFError
            word = line.strip()
            if word.lower() in ("quit", "exit", "q"):
                raise _Quit
            if word.lower() in ("undo", "u"):
                raise _Undo
            if not self._answered(word.lower(), position):
                try:
                    cell = self.rules.cell_of(word)
                    position.play(cell)
                except NoughtsError as error:
                    typer.echo(f"{error}. Type help for help.")
                    continue
                return cell

    def _answered(self, word: str, position: Position) -> bool:
        if word == "":
            return True
        if word in ("help", "h", "?"):
            typer.echo(HELP)
        elif word in ("board", "b"):
            typer.echo(f"\n{position}\n")
        elif word == "rules":
            typer.echo(describe_rules(self.rules))
        elif word == "hint":
            self._hint(position)
        else:
            return False
        return True

    def _hint(self, position: Position) -> None:
        try:
            found = analyse(self.adviser, position, Rng(derive_seed(self.seed, "hint", position.ply)))
        except (Exception, SystemExit) as error:
            typer.echo(f"no hint: {one_line(error)}")
            return
        ranked = sorted(found.moves, key=lambda move: (move.move != found.move, -move.visits, -move.value))
        for move in ranked[:5]:
            bound = {Kind.UPPER: "at most ", Kind.LOWER: "at least "}.get(move.kind, "")
            exact = " (exact)" if move.kind is Kind.EXACT else ""
            typer.echo(
                f"  {self.rules.name_of(move.move):5} value {bound}{move.value:+.3f}{exact}, {move.visits} visits"
            )
        expected = " ".join(self.rules.name_of(cell) for cell in found.principal_variation)
        typer.echo(f"  expected: {expected}")

    def _take_back(self) -> None:
        """Back to the person's latest own move, or to the last one of either with a friend."""
        plies = 1 if self.opponent == "human" else 2
        if self.position.ply < plies:
            typer.echo("there is no move of yours to take back")
            return
        for _ in range(plies):
            self.position = self.position.undo()
        typer.echo(f"\n{self.position}\n")

    def _verdict(self) -> str:
        lines = self.position.winning_lines()
        how = " and ".join("-".join(map(self.rules.name_of, line)) for line in lines)
        if self.position.outcome is Outcome.DRAW:
            return "a draw"
        winner = Side(self.position.outcome - 1)
        who = "you win" if winner == self.you else f"{self.opponent_name} wins"
        if self.opponent == "human":
            who = f"the {SIDES[winner]} player wins"
        return f"{who}: {how}" if lines else f"{who}: the board is full"
