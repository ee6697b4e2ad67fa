"""Saved games are stored, listed, replaced and removed."""

from noughts.store.results import Store


def fields_of(store: Store, id: str, keeper: str = "") -> tuple[str, str, int, str, str]:
    kept = store.saved_games.get(id, keeper)
    assert kept is not None
    return kept.name, kept.rules, kept.plies, kept.document, kept.keeper


def test_a_game_is_saved_unchanged(store: Store) -> None:
    document = '{"tree": "é \\ud83d"}'
    first = store.saved_games.add("mine ' é", "bttt(D4)", 7, document)
    second = store.saved_games.add("mine ' é", "tic-tac-toe", 0, "{}")
    assert first != second
    assert fields_of(store, first) == ("mine ' é", "bttt(D4)", 7, document, "")
    listed = store.saved_games.list()
    assert [(found.id, found.document) for found in listed] == [(second, ""), (first, "")]
    assert all(found.created == found.updated for found in listed)
    assert store.saved_games.count() == 2


def test_a_game_is_replaced_and_becomes_the_latest(store: Store) -> None:
    first = store.saved_games.add("a", "tic-tac-toe", 0, "{}")
    store.saved_games.add("b", "tic-tac-toe", 0, "{}")
    assert store.saved_games.replace(first, "c", "notakto(3)", 3, "[1]")
    assert fields_of(store, first) == ("c", "notakto(3)", 3, "[1]", "")
    latest, other = store.saved_games.list()
    assert (latest.name, other.name) == ("c", "b")
    assert latest.updated > latest.created
    assert not store.saved_games.replace("nothing", "c", "notakto(3)", 3, "[1]")


def test_a_game_is_removed(store: Store) -> None:
    first = store.saved_games.add("a", "tic-tac-toe", 0, "{}")
    assert store.saved_games.remove(first)
    assert not store.saved_games.remove(first)
    assert store.saved_games.get(first) is None
    assert store.saved_games.list() == ()


def test_each_owner_has_separate_games(store: Store) -> None:
    mine = store.saved_games.add("a", "tic-tac-toe", 0, "{}")
    hers = store.saved_games.add("b", "tic-tac-toe", 0, "{}", "mia")
    for keeper, own, other in (("", mine, hers), ("mia", hers, mine)):
        assert [game.id for game in store.saved_games.list(keeper)] == [own]
        assert store.saved_games.count(keeper) == 1
        assert store.saved_games.get(other, keeper) is None
        assert not store.saved_games.replace(other, "c", "tic-tac-toe", 0, "[]", keeper)
        assert not store.saved_games.remove(other, keeper)
    assert store.saved_games.replace(hers, "c", "tic-tac-toe", 0, "[]", "mia")
    assert fields_of(store, hers, "mia") == ("c", "tic-tac-toe", 0, "[]", "mia")
    assert store.saved_games.remove(hers, "mia")
    assert store.saved_games.get(mine) is not None
