"""Saved games are stored, listed, replaced and removed."""

from noughts.store.results import Store


def test_a_game_is_saved_unchanged(store: Store) -> None:
    document = '{"tree": "é \\ud83d"}'
    first = store.saved_games.add("mine ' é", "bttt(D4)", 7, document)
    second = store.saved_games.add("mine ' é", "tic-tac-toe", 0, "{}")
    assert first != second
    kept = store.saved_games.get(first)
    assert kept is not None
    assert (kept.name, kept.rules, kept.plies, kept.document) == ("mine ' é", "bttt(D4)", 7, document)
    assert kept.created == kept.updated
    assert [found.id for found in store.saved_games.list()] == [second, first]
    assert all(found.document == "" for found in store.saved_games.list())
    assert store.saved_games.count() == 2


def test_a_game_is_replaced_and_becomes_the_latest(store: Store) -> None:
    first = store.saved_games.add("a", "tic-tac-toe", 0, "{}")
    store.saved_games.add("b", "tic-tac-toe", 0, "{}")
    assert store.saved_games.replace(first, "c", "notakto(3)", 3, "[1]")
    kept = store.saved_games.get(first)
    assert kept is not None
    assert (kept.name, kept.rules, kept.plies, kept.document) == ("c", "notakto(3)", 3, "[1]")
    assert kept.updated > kept.created
    assert [found.name for found in store.saved_games.list()] == ["c", "b"]
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
    kept = store.saved_games.get(hers, "mia")
    assert kept is not None
    assert (kept.name, kept.document, kept.keeper) == ("c", "[]", "mia")
    assert store.saved_games.remove(hers, "mia")
    assert store.saved_games.get(mine) is not None
