"""Misere quotients: a finite commutative monoid that knows who wins every sum of some games, learnt and then proved.

Games are trees, given by their options: ``options[g]`` are the games that a move leads to, each of a lower number;
number 0 is the game without moves. A sum is several of them at once, as a sorted tuple of numbers without 0: a move is
made in one of them, and whoever cannot move has won (misere play, as where lines lose) or lost (normal play). Two sums
are equivalent if whatever is added to both, the same side wins. The classes form a monoid, the quotient of Plambeck
and Siegel; that of 3x3 Notakto has 18 elements (Plambeck and Whitehead, arXiv 1301.1672). It may also be infinite.

**Learning** (in the manner of Angluin's L*, from a search that says who wins single sums). Sums are told apart by
contexts: sums to be added. Some sums that contexts tell apart, the empty one first, represent elements; when adding a
game to one of them gives a sum that the contexts tell from all of them, it becomes another. When none is left, the
next element is known for each element and game. This is the guess, with P the elements of representatives that are
lost for the side to move. If it is wrong somewhere, it yields a context that tells one more sum apart.

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
set E(X) of the elements of its options. Adding a game G takes them to F(X) G and to E(X) G together with the F(X) G' for
the options G' of G. These pairs are finitely many, and all are met by adding games from (1, {}) on. If (d) holds for a
set it holds for every larger one, and adding the same game to both keeps it larger; so of the sets met with the same
element only the smallest are followed.

No element is too many: contexts tell any two apart, and by the theorem they tell the truth.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

Sum = tuple[int, ...]
"""Games, ascending, without 0."""
Options = Sequence[Collection[int]]

MOST_ELEMENTS = 400
MOST_SUMS = 300_000
"""What a guess may take before it is given up: elements, and sums whose winner was searched; a few seconds."""


@dataclass(frozen=True)
class Monoid:
    """A quotient. Element 0 is the empty sum's.

    Attributes:
        product: ``product[q][r]``.
        element: ``element[g]`` is game g's.
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
    """What a move in a sum leads to."""
    for place, game in enumerate(games):
        if place and games[place - 1] == game:
            continue
        others = games[:place] + games[place + 1 :]
        for option in options[game]:
            yield plus(others, (option,)) if option else others


def learn(options: Options, misere: bool) -> Monoid | None:
    """The quotient of all sums of these games, proved; None if it was not found within the limits above."""
    reduced, simpler = _reduce(options, misere)
    guess = _Guess(reduced, _SumSearch(reduced, misere))
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
    except _TooLargeError:
        return None


def find_failure(monoid: Monoid, options: Options, misere: bool) -> Sum | None:
    """A sum at which (b), (c) or (d) of the theorem fails for games of these options; None if all hold.

    The products are taken to be commutative and associative, which is (a).
    """
    product, element, lost = monoid.product, monoid.element, monoid.lost
    if lost[0] == misere:
        return ()
    # Games of equal element, whose options have equal elements, make no difference to what follows.
    kinds = {(element[game], frozenset(element[o] for o in options[game])): game for game in range(1, len(options))}
    reached: dict[int, Sum] = {0: ()}  # a sum of each element
    elements = [0]
    for q in elements:  # it grows as we go
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
    for q, choices, games in pairs:  # it grows as we go
        if games and choices not in smallest[q]:
            continue  # a smaller set was met since
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
    """Equivalent games with fewer options, so that there is less to learn, and which of them each game becomes.

    Options that only lead back are left out (reversible moves; Conway, On Numbers and Games, chapters 7 and 12): G is H
    if H has some of its options and each other option has H among its own. In misere play H may be without moves
    only if G has a lost option. The proof is about the games as they were, and does not rest on this.
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


class _TooLargeError(Exception):
    """The guess has grown beyond its limits."""


class _SumSearch:
    """Says whether a sum is lost for the side to move, by trying everything and remembering it."""

    def __init__(self, options: Options, misere: bool) -> None:
        self.options = [tuple(sorted(after)) for after in options]  # the smallest games first
        self.known: dict[Sum, bool] = {(): not misere}

    def lost(self, games: Sum) -> bool:
        """Whether a sum is lost."""
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
        if lost:  # what is known costs nothing, and came first
            for after in unknown:
                if self.lost(after):
                    lost = False
                    break
        if len(self.known) >= MOST_SUMS:
            raise _TooLargeError
        self.known[games] = lost
        return lost


class _Guess:
    """The representatives, the contexts that tell them apart, and where each game leads from each of them."""

    def __init__(self, options: Options, search: _SumSearch) -> None:
        self.search = search
        self.games = range(1, len(options))
        self.representatives: list[Sum] = [()]
        self.contexts: list[Sum] = [()]
        self.next: list[dict[int, int]] = []  # next[q][game]

    def complete(self) -> None:
        """Add representatives until each sum of one and a game looks like one of them."""
        element = {self._look(games): q for q, games in enumerate(self.representatives)}
        self.next = []
        for games in self.representatives:  # it grows as we go
            self.next.append({})
            for game in self.games:
                more = plus(games, (game,))
                look = self._look(more)
                if look not in element:
                    element[look] = len(self.representatives)
                    self.representatives.append(more)
                    if len(self.representatives) > MOST_ELEMENTS:
                        raise _TooLargeError
                self.next[-1][game] = element[look]

    def disorder(self) -> Sum | None:
        """A new context, from an element and two games whose order makes a difference: (a) fails. None if none does.

        The sum is the same in both orders, so one of them is wrong about who wins it with some old context. Its second
        step is to something that looks alike, so its first step went wrong: the second game and the context tell.
        """
        for q, after in enumerate(self.next):
            for first in self.games:
                for second in range(1, first):
                    one, other = self.next[after[first]][second], self.next[after[second]][first]
                    if one != other:
                        context = self._telling_apart(one, other)
                        truth = self._lost(self.representatives[q], plus((second, first), context))
                        first_is_wrong = self._lost(self.representatives[one], context) != truth
                        return plus((second if first_is_wrong else first,), context)
        return None

    def mistake(self, suspects: Sequence[Sum]) -> Sum:
        """A new context, from the first of these sums about which the guess is wrong; it is about one of them.

        Game by game the sum is replaced by representatives; where that changes who wins, a step was wrong, and the
        games that were still to come tell the two apart.
        """
        for games in suspects:
            q, truth = 0, self.search.lost(games)
            for place, game in enumerate(games):
                q, rest = self.next[q][game], games[place + 1 :]
                if self._lost(self.representatives[q], rest) != truth:
                    return rest
        raise AssertionError("a guess that is right about a sum and its options obeys the rules of play there")

    def monoid(self, simpler: Sequence[int]) -> Monoid:
        """The guess; ``simpler[g]`` is the game that stands for game g."""
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
        return Monoid(tuple(rows), element, tuple(map(self.search.lost, self.representatives)))

    def _look(self, games: Sum) -> tuple[bool, ...]:
        return tuple(self._lost(games, context) for context in self.contexts)

    def _lost(self, games: Sum, context: Sum) -> bool:
        return self.search.lost(plus(games, context))

    def _telling_apart(self, one: int, other: int) -> Sum:
        looks = zip(self._look(self.representatives[one]), self._look(self.representatives[other]), strict=True)
        return self.contexts[[left != right for left, right in looks].index(True)]
