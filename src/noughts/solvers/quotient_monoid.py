"""Misere quotients: finite commutative monoids that give the winner of every sum of some games, learnt and then proved.

Games are trees, given by their options: ``options[g]`` are the games that a move leads to, each with a lower number;
number 0 is the game without moves. A sum is several games at once, as a sorted tuple of numbers without 0. A player
moves in one of them. A player who cannot move has won (misere play, if lines lose) or lost (normal play). Two sums are
equivalent if the same side wins whenever the same sum is added to both. The classes form a monoid, the quotient of
Plambeck and Siegel; that of 3x3 Notakto has 18 elements (Plambeck and Whitehead, arXiv 1301.1672). It may be infinite.

**Learning** (like Angluin's L*, from a search that finds the winner of single sums). Contexts are sums to add; a
context separates two sums if adding it gives different winners. Some sums that contexts separate, the empty one first,
represent elements. If adding a game to a representative gives a sum that contexts separate from all representatives,
that sum becomes another one. At the end the next element is known for each element and game. This is the guess, where
P is the elements whose representatives are lost for the side to move. A wrong guess yields another separating context.

**Proof.** Write q G for the element after q when G is added, and F(X) for the element reached from 1, the empty sum's,
by adding the games of X.

    Theorem. Suppose that
    (a) q G H = q H G for all elements q and games G, H; so that F(X) does not depend on the order of X;
    (b) 1 is in P exactly if the side to move on nothing has lost;
    (c) q G and q G' are never both in P, for all elements q, games G, and options G' of G;
    (d) every sum X but the empty one with F(X) not in P has an option Y with F(Y) in P.
    Then a sum X is lost for the side to move exactly if F(X) is in P.

    By induction on the length of X. The empty sum is (b). Else, if F(X) is in P, no option Y has F(Y) in P: as
    X = Z + G and Y = Z + G', this is (c) with q = F(Z). So all options are won, and X is lost. If F(X) is not in
    P, some option is in P by (d), so it is lost, and X is won.

(a), (b) and (c) are finitely many cases. So is (d), though there are infinitely many sums: it concerns only F(X) and the
set E(X) of the elements of its options. Adding a game G turns them into F(X) G and into E(X) G together with the F(X) G'
for the options G' of G. There are finitely many such pairs, and adding games from (1, {}) on reaches all of them. If (d)
holds for a set, it holds for every larger one, and adding the same game to both keeps it larger. So for each element the
check follows only the smallest sets.

No element is superfluous: contexts separate any two, and by the theorem the winners they rest on are right.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from noughts.rules import SolverError

Sum = tuple[int, ...]
"""Games in ascending order, without 0."""
Options = Sequence[Collection[int]]

MOST_ELEMENTS = 400
MOST_SUMS = 300_000
"""Limit for a guess: elements, and sums whose winner was searched; a few seconds."""


@dataclass(frozen=True)
class Monoid:
    """A quotient. Element 0 is that of the empty sum.

    Attributes:
        product: ``product[q][r]`` is the product of elements q and r.
        element: ``element[g]`` is the element of game g.
        lost: For each element, whether its sums are lost for the side to move: the set P.
    """

    product: tuple[tuple[int, ...], ...]
    element: tuple[int, ...]
    lost: tuple[bool, ...]

    def of(self, games: Sequence[int]) -> int:
        """The element of a sum."""
        found = 0
        for game in games:
            found = self.product[found][self.element[game]]
        return found


def plus(left: Sum, right: Sum) -> Sum:
    """A sum of two sums."""
    return tuple(sorted(left + right))


def moves(games: Sum, options: Options) -> Iterator[Sum]:
    """The sums that a move in a sum leads to."""
    for place, game in enumerate(games):
        if place and games[place - 1] == game:
            continue
        others = games[:place] + games[place + 1 :]
        for option in options[game]:
            yield plus(others, (option,)) if option else others


def learn(options: Options, misere: bool) -> Monoid | None:
    """Learn and prove the quotient of all sums of these games; return None if it exceeds the limits above."""
    reduced, simpler = _reduce(options, misere)
    guess = _Guess(reduced, misere)
    try:
        while True:
            guess.complete()
            context = guess.disorder()
            if context is None:
                monoid = guess.monoid(simpler)
                failure = find_failure(monoid, options, misere)
                if failure is None:
                    return monoid
                wrong = (failure, *moves(failure, options))
                context = guess.mistake([tuple(sorted(simpler[g] for g in games if simpler[g])) for games in wrong])
            guess.contexts.append(context)
    except SolverError:
        return None


def find_failure(monoid: Monoid, options: Options, misere: bool) -> Sum | None:
    """Return a sum at which (b), (c) or (d) of the theorem fails for games with these options; None if all hold.

    The products must be commutative and associative, which implies (a).
    """
    product, element, lost = monoid.product, monoid.element, monoid.lost
    if lost[0] == misere:
        return ()
    # Games of equal element, whose options have equal elements, behave alike in the rest of the check.
    kinds = {(element[game], frozenset(element[o] for o in options[game])): game for game in range(1, len(options))}
    reached: dict[int, Sum] = {0: ()}  # a sum of each element
    elements = [0]
    for q in elements:  # the loop extends it
        for (r, _), game in kinds.items():
            if (after := product[q][r]) not in reached:
                reached[after] = plus(reached[q], (game,))
                elements.append(after)
    for q in elements:
        for (r, others), game in kinds.items():
            if lost[product[q][r]] and any(lost[product[q][other]] for other in others):
                return plus(reached[q], (game,))
    smallest: dict[int, list[frozenset[int]]] = {}
    pairs: list[tuple[int, frozenset[int], Sum]] = [(0, frozenset(), ())]
    for q, choices, games in pairs:  # the loop extends it
        if games and choices not in smallest[q]:
            continue  # a smaller set was found since
        for (r, others), game in kinds.items():
            after = product[q][r]
            larger = frozenset(product[choice][r] for choice in choices) | {product[q][other] for other in others}
            if not lost[after] and not any(lost[choice] for choice in larger):
                return plus(games, (game,))
            met = smallest.setdefault(after, [])
            if not any(known <= larger for known in met):
                met[:] = [known for known in met if not larger <= known] + [larger]
                pairs.append((after, larger, plus(games, (game,))))
    return None


def _reduce(options: Options, misere: bool) -> tuple[list[frozenset[int]], list[int]]:
    """Simplify the games: return equivalent games with fewer options, and the one that replaces each game.

    Options that only lead back are left out (reversible moves; Conway, On Numbers and Games, chapters 7 and 12): G is H
    if H has some of its options and each other option has H among its own. In misere play H may be without moves
    only if G has a lost option. The proof is about the original games, and does not rely on this step.
    """
    reduced: list[frozenset[int]] = [frozenset()]
    number = {reduced[0]: 0}
    won = [misere]
    simpler = [0]
    for game in range(1, len(options)):
        left = frozenset(simpler[option] for option in options[game])
        wins = not all(won[option] for option in left)
        for back in sorted({0}.union(*(reduced[option] for option in left))):
            others = left - reduced[back]
            reversible = reduced[back] < left and all(back in reduced[option] for option in others)
            if reversible and (back or wins or not misere):
                simpler.append(back)
                break
        else:
            if left not in number:
                number[left] = len(reduced)
                reduced.append(left)
                won.append(wins)
            simpler.append(number[left])
    return reduced, simpler


class _Guess:
    """The representatives, the contexts that separate them, and the element that each game leads to from each one.

    Its methods raise SolverError beyond the limits of the module.
    """

    def __init__(self, options: Options, misere: bool) -> None:
        self.options = [tuple(sorted(after)) for after in options]  # the smallest games first
        self.known: dict[Sum, bool] = {(): not misere}  # whether each is lost for the side to move
        self.representatives: list[Sum] = [()]
        self.contexts: list[Sum] = [()]
        self.next: list[dict[int, int]] = []  # next[q][game]

    def lost(self, games: Sum) -> bool:
        """Whether a sum is lost for the side to move, by exhaustive search with a cache."""
        found = self.known.get(games)
        if found is not None:
            return found
        unknown = []
        lost = True
        for after in moves(games, self.options):
            found = self.known.get(after)
            if found:
                lost = False
                break
            if found is None:
                unknown.append(after)
        if lost:  # cached results are free, so they came first
            for after in unknown:
                if self.lost(after):
                    lost = False
                    break
        if len(self.known) >= MOST_SUMS:
            raise SolverError(f"the winners of {MOST_SUMS:,} sums are known, and more are needed")
        self.known[games] = lost
        return lost

    def complete(self) -> None:
        """Add representatives until no context separates any representative plus a game from all of them."""
        element = {self._look(games): q for q, games in enumerate(self.representatives)}
        self.next = []
        for games in self.representatives:  # the loop extends it
            self.next.append({})
            for game in range(1, len(self.options)):
                more = plus(games, (game,))
                look = self._look(more)
                if look not in element:
                    element[look] = len(self.representatives)
                    self.representatives.append(more)
                    if len(self.representatives) > MOST_ELEMENTS:
                        raise SolverError(f"there are more than {MOST_ELEMENTS} elements")
                self.next[-1][game] = element[look]

    def disorder(self) -> Sum | None:
        """Return a new context, from an element and two games whose order matters, so (a) fails; None if there is none.

        The sum is the same in both orders, so one order gives the wrong winner with some old context. The second step
        leads to an equal-looking sum, so the first step was wrong, and the second game plus the context shows it.
        """
        for q, after in enumerate(self.next):
            for first in range(1, len(self.options)):
                for second in range(1, first):
                    one, other = self.next[after[first]][second], self.next[after[second]][first]
                    if one != other:
                        context = self._telling_apart(one, other)
                        truth = self.lost(plus(self.representatives[q], plus((second, first), context)))
                        first_is_wrong = self.lost(plus(self.representatives[one], context)) != truth
                        return plus((second if first_is_wrong else first,), context)
        return None

    def mistake(self, suspects: Sequence[Sum]) -> Sum:
        """Return a new context, from the first of these sums that the guess gets wrong; it must get one wrong.

        It replaces the sum by representatives, game by game. Where that changes the winner, the step was wrong,
        and the remaining games separate the two.
        """
        for games in suspects:
            q, truth = 0, self.lost(games)
            for place, game in enumerate(games):
                q, rest = self.next[q][game], games[place + 1 :]
                if self.lost(plus(self.representatives[q], rest)) != truth:
                    return rest
        raise AssertionError("a guess that is right about a sum and its options obeys the rules of play there")

    def monoid(self, simpler: Sequence[int]) -> Monoid:
        """The guess as a monoid; ``simpler[g]`` is the game that replaces game g."""
        rows = []
        for q in range(len(self.representatives)):
            row = []
            for games in self.representatives:
                reached = q
                for game in games:
                    reached = self.next[reached][game]
                row.append(reached)
            rows.append(tuple(row))
        element = tuple(self.next[0][game] if game else 0 for game in simpler)
        return Monoid(tuple(rows), element, tuple(map(self.lost, self.representatives)))

    def _look(self, games: Sum) -> tuple[bool, ...]:
        return tuple(self.lost(plus(games, context)) for context in self.contexts)

    def _telling_apart(self, one: int, other: int) -> Sum:
        looks = zip(self._look(self.representatives[one]), self._look(self.representatives[other]), strict=True)
        return self.contexts[[left != right for left, right in looks].index(True)]
