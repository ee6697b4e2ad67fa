"""A database on a PostgreSQL server: lost and restored connections, permissions, and errors if it cannot be used."""

import re
import socket
import time
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from noughts.rules import StoreError
from noughts.rules.errors import one_line
from noughts.store import database as database_module
from noughts.store.results import Store
from noughts.store.tables import games
from tests.postgresql import PostgresqlServer
from tests.store.conftest import refused
from tests.store.samples import BASIS, begin, execute, game, keep_games, kept, tables_of, wanted
from tests.store.writers import Writer, key_of, keys, write_answers


def refusal(place: str) -> str:
    """The message on opening a store: one line, within 10 s, without a password."""
    begun = time.monotonic()
    message = refused(Store.open, place)
    assert time.monotonic() - begun < 10
    assert "secret" not in message
    return message


def test_files_are_in_a_folder_beside_the_database(server_place: str, tmp_path: Path) -> None:
    with Store.open(server_place) as store:
        assert store.folder == tmp_path / "place"
        assert store.called == server_place.partition("?")[0]
        assert tables_of(server_place) == {"meta", "runs", "games", "answers"}
        assert store.saved_games.list() == ()
    assert tables_of(server_place) == {"meta", "runs", "games", "answers", "saved_games", "class_records"}
    with Store.open(server_place) as store:  # in either order
        assert store.class_records.all("c") == ()


@pytest.mark.parametrize("kind", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_url_may_be_written_in_three_ways(server_place: str, kind: str) -> None:
    with Store.open(server_place) as store, begin(store) as run:
        keep_games(run, a=game())
    with Store.open(server_place.replace("postgresql", kind, 1)) as store:
        assert [record.moves for record in store.games()] == [game().moves]


def test_acknowledged_data_is_on_the_disk_whatever_the_servers_settings(server_place: str) -> None:
    place = server_place.replace("options=", "options=-csynchronous_commit%3Doff%20")
    with Store.open(place) as store, store._database.writing() as connection:
        assert connection.execute(text("SHOW synchronous_commit")).scalar_one() == "on"


@pytest.mark.heavy
@pytest.mark.parametrize("durable_place", ["server"], indirect=True)
def test_a_killed_server_ends_work_that_can_resume(durable_server: PostgresqlServer, durable_place: str) -> None:
    """Acknowledged data is there, and nothing twice."""
    place, count, names = durable_place, 40, ("one", "two")
    writers = {name: Writer(write_answers, place, name, 100_000, name) for name in names}
    said = {name: [writer.next() for _ in range(4)][1:] for name, writer in writers.items()}
    with Store.open(place) as store, begin(store) as run:
        keep_games(run, a=game())
        durable_server.kill()
        for name, writer in writers.items():
            said[name] += writer.rest()
            assert writer.wait() == 1
        for step in (lambda: keep_games(run, b=game()), lambda: run.games(wanted("a"))):
            assert re.search(r"cannot be reached \(|failed: the ", refused(step))
        durable_server.start()
        assert run.games(wanted("a")).keys() == {"a"}
        keep_games(run, b=game())
    for name in names:
        write_answers(place, name, count, name, print)
    with Store.open(place) as store:
        for name in names:
            found = store.kept_by("anyone").games(wanted({*keys(name, count), *said[name]}))
            assert {key: game.seed for key, game in found.items()} == {
                key_of(name, number): number for number in range(len(found))
            }
            assert len(found) >= max(count, len(said[name]))
        assert len(store.runs()) == 3
    assert execute(place, "SELECT count(*) FROM games") == execute(place, "SELECT count(DISTINCT key) FROM games")


@pytest.mark.heavy
def test_a_missing_server_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_FILES", str(tmp_path))
    # With two addresses for a name, at most the 10 s of `refusal`.
    assert database_module._SERVER["connect_timeout"] == 5
    monkeypatch.setitem(database_module._SERVER, "connect_timeout", 2)
    with socket.socket() as silent:  # which never answers
        silent.bind(("127.0.0.1", 0))
        port = silent.getsockname()[1]
        place = f"postgresql://u:secret@127.0.0.1:{port}/db?password=secret"
        called = f"postgresql://u@127.0.0.1:{port}/db"
        assert refusal(place).startswith(f"{called} cannot be reached (connection to server at ")
        silent.listen()
        assert refusal(place).startswith(f"{called} cannot be reached (connection timeout expired)")
    assert refusal("postgresql://u:secret@nowhere.invalid/db").startswith(
        "postgresql://u@nowhere.invalid/db cannot be reac"
    )


def test_a_user_without_rights_is_told_which_right_is_missing(
    postgresql_server: PostgresqlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_FILES", str(tmp_path))
    server = postgresql_server
    server.execute("CREATE ROLE strict LOGIN PASSWORD 'right'")
    server.execute("CREATE ROLE guest LOGIN")
    server.execute("CREATE DATABASE shared")
    server.execute("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    wrong, none = server.url("shared", "strict", "secret"), server.url("shared", "strict")
    assert refusal(wrong).startswith(f"{none} refuses the password or the user (")
    assert refusal(none).startswith(f"{none} wants a password (")
    assert refusal(none).endswith("): put it into ~/.pgpass or PGPASSWORD")
    missing = server.url("nowhere")
    assert refusal(missing).startswith(f"{missing} is not there (")
    assert refusal(missing).endswith("): make it by `createdb nowhere`")
    assert "stores text as LATIN1" in refusal(server.url("latin"))
    guest = server.url("shared", "guest")
    assert refusal(guest).startswith(f"{guest} refuses this (permission denied for schema public)")
    with Store.open(server.url("shared")) as store, begin(store) as run:
        keep_games(run, a=game())
    assert refusal(guest).startswith(f"{guest} refuses this (permission denied for table meta)")
    server.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest", "shared")
    with Store.open(guest) as store:  # a role with only read permission reads
        assert [record.moves for record in store.games()] == [game().moves]
        with pytest.raises(StoreError, match=r"refuses this \(permission denied for table runs\)"):
            begin(store, seed=2)
    monkeypatch.setenv("PGPASSWORD", "right")
    server.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO strict", "shared")
    with Store.open(none) as store, begin(store, seed=2) as run:  # the permission to create tables is no longer needed
        keep_games(run, b=game())


def test_the_size_of_its_tables(server_place: str) -> None:
    with Store.open(server_place) as store:
        size = store.server_bytes()
    assert size is not None
    assert size > 8192  # a page of each table


def test_foreign_tables_are_left_alone(server_place: str) -> None:
    for statement in ("CREATE TABLE games (title text)", "CREATE TABLE meta (x int)", "CREATE TABLE runs (x int)"):
        execute(server_place, statement)
        before = tables_of(server_place)
        assert " is not a noughts database" in refusal(server_place)
        assert tables_of(server_place) == before


@pytest.mark.parametrize("durable_place", ["server"], indirect=True)
def test_damaged_pages_of_the_server_are_reported(durable_server: PostgresqlServer, durable_place: str) -> None:
    with Store.open(durable_place) as store, begin(store) as run:
        keep_games(run, **{f"{number:03}": game() for number in range(100)})
    schema = durable_place.rpartition("%3D")[2]
    ((file,),) = durable_server.execute(f"SELECT pg_relation_filepath('{schema}.games')")
    durable_server.stop()
    path = durable_server.folder / "data" / str(file)
    content = bytearray(path.read_bytes())
    content[5000] ^= 1
    path.write_bytes(content)
    durable_server.start()
    said = r"is damaged \(invalid page in block 0 of relation .*\): restore a backup of it$"
    with pytest.raises(StoreError, match=said):
        Store.open(durable_place).games()


def test_any_error_message_can_be_saved(place: str) -> None:
    error = one_line(ValueError("a\0b"))
    with Store.open(place) as store, begin(store) as run:
        run.keep([kept("m", error=error)], {})
        assert run.answers(wanted("m"))["m"].error == "ValueError: a\\x00b"


def end_sessions(server: PostgresqlServer) -> None:
    """Let the server end all our connections."""
    server.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'noughts'")


def test_a_lost_connection_is_restored(postgresql_server: PostgresqlServer, server_place: str) -> None:
    with Store.open(server_place) as store, begin(store) as run:
        keep_games(run, a=game())
        end_sessions(postgresql_server)
        keep_games(run, b=game())
        end_sessions(postgresql_server)
        assert run.games(wanted("ab")).keys() == {"a", "b"}
        run.finish("{}")


def test_a_waiting_run_leaves_no_transaction_open(postgresql_server: PostgresqlServer, server_place: str) -> None:
    with Store.open(server_place) as store, begin(store) as run:
        keep_games(run, a=game())
        ours = "SELECT DISTINCT state FROM pg_stat_activity WHERE application_name = 'noughts'"
        assert postgresql_server.execute(ours) == [("idle",)]


def test_a_lost_lock_is_retaken_unless_another_has_it(postgresql_server: PostgresqlServer, server_place: str) -> None:
    with Store.open(server_place) as store, begin(store) as run:
        end_sessions(postgresql_server)
        keep_games(run, a=game())
        with Store.open(server_place) as other:
            assert other.state(run.info) == "running"
            end_sessions(postgresql_server)
            with begin(other) as taken:
                assert (taken.id, taken.resumed) == (run.id, True)
                with pytest.raises(StoreError, match="was taken over by another process while the connection was lost"):
                    keep_games(run, b=game())
                assert taken.games(wanted("ab")).keys() == {"a"}


def test_a_change_on_a_lost_connection_ends_in_one_line_and_is_made_once(
    postgresql_server: PostgresqlServer, server_place: str
) -> None:
    with Store.open(server_place) as store, begin(store) as run:
        keep_games(run, a=game())

        def change() -> None:
            with store._database.writing() as connection:
                connection.execute(games.delete())
                end_sessions(postgresql_server)

        with pytest.raises(StoreError, match=r"finished work is saved; repeat the command later to resume$"):
            change()
        assert run.games(wanted("a")).keys() == {"a"}
        for _ in range(2):  # when everything was written, and only the acknowledgement was lost
            run.keep([kept("m"), kept("m")], {("a", BASIS): game()})
    assert execute(server_place, "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM answers)") == [(1, 1)]


def test_a_locked_row_is_waited_for_with_a_time_limit(server_place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = database_module._SERVER_SETTINGS.replace("'30s'", "'200ms'")
    monkeypatch.setattr(database_module, "_SERVER_SETTINGS", quick)
    with Store.open(server_place) as store, begin(store) as run:
        keep_games(run, a=game())
        with psycopg.connect(server_place) as other:
            other.execute("SELECT * FROM games FOR UPDATE")
            with pytest.raises(StoreError, match="has been locked by another process for more than 30 s: try again"):
                keep_games(run, a=game(seed=2))
            assert run.games(wanted("a")) == {"a": game()}  # readers do not wait
        keep_games(run, a=game(seed=2))
        assert run.games(wanted("a")) == {"a": game(seed=2)}
