"""For each field of `Rules`, two games that only differ in it.

Everything that reads rules is tested on each pair: it must distinguish them, or reject the one that it does not support. So a
new field has a line here, and every part of the code that ignores it fails a test.
"""

from noughts.rules import Rules, parse_rules

_TEXTS = {
    "rows": ("mnk(4,4,3)", "mnk(5,4,3)"),
    "cols": ("mnk(4,4,3)", "mnk(4,5,3)"),
    "k": ("mnk(4,4,3)", "mnk(4,4,4)"),
    "bricks": ("mnk(4,4,3)", "mnk(4,4,3,bricks=B2)"),
    "marks": ("mnk(4,4,3)", "mnk(4,4,3,marks=shared)"),
    "line": ("mnk(4,4,3)", "mnk(4,4,3,line=loses)"),
    "full": ("mnk(4,4,3)", "mnk(4,4,3,full=second)"),
    "boards": ("mnk(4,4,3,marks=shared)", "mnk(4,4,3,marks=shared,boards=2)"),
    "lineless": ("mnk(4,4,4)", "mnk(4,4,5,lineless=true)"),  # and k, which depends on it
    "wrap": ("mnk(4,4,3)", "mnk(4,4,3,wrap=both)"),
}

PAIRS: dict[str, tuple[Rules, Rules]] = {
    field: (parse_rules(plain), parse_rules(other)) for field, (plain, other) in _TEXTS.items()
}

SMALL: dict[str, Rules] = {
    field: Rules(**dict(other) | {"rows": 3, "cols": 3, "k": other.k if other.lineless else 3})
    for field, (_, other) in PAIRS.items()
    if field not in ("rows", "cols", "k")
}
"""The second game of each pair on 3x3 cells, for exhaustive tests."""
