"""A database on a PostgreSQL server: what is lost and found again, who may use it, and what is said when it cannot be used."""

import logging
import socket
import time
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection, text

from noughts.rules import StoreError
from noughts.rules.errors import one_line
from noughts.store import database as database_module
from noughts.store.results import Store
from noughts.store.tables import games
from tests.postgresql import PostgresqlServer
from tests.store.samples import BASIS, begin, execute, game, keep_games, kept, key_of, tables_of, wanted
from tests.store.test_survival import first_line, keys, start


def refusal(place: str) -> str:
    """The message when a store is opened: one line, within 10 s, that tells no password."""
    begun = time.monotonic()
    with pytest.raises(StoreError) as raised:
        Store.open(place)
    assert time.monotonic() - begun < 10
    message = str(raised.value)
    assert "\n" not in message
    assert "secret" not in message
    return message


def test_files_lie_in_a_folder_beside(server_place: str, tmp_path: Path) -> None:
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


def test_what_is_acknowledged_is_on_the_disk_whatever_the_server_was_told(server_place: str) -> None:
    with Store.open(server_place.replace("options=", "options=-csynchronous_commit%3Doff%20")) as store:
        said = store._database.write(
            lambda connection: connection.execute(text("SHOW synchronous_commit")).scalar_one()
        )
        assert said == "on"


def test_server_is_killed_and_comes_back_while_four_write(
    durable_server: PostgresqlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was acknowledged is there, nothing twice, and all go on without a restart."""
    monkeypatch.setenv("NOUGHTS_FILES", str(tmp_path))
    place, count = durable_server.new_place(), 150
    writers = {name: start(place, name, count) for name in ("one", "two", "three", "four")}
    said: dict[str, list[str]] = {name: [] for name in writers}
    for writer in writers.values():
        first_line(writer)
    for name, writer in writers.items():
        said[name] += [first_line(writer) for _ in range(3)]
    durable_server.kill()
    time.sleep(0.3)
    durable_server.start()
    for name, writer in writers.items():
        with writer:
            assert writer.stdout is not None
            said[name] += writer.stdout
            assert writer.wait(60) == 0
    with Store.open(place) as store:
        for name in writers:
            assert said[name] == [f"kept {key}\n" for key in keys(name, count)]
            found = store.kept_by("anyone")
            assert {key: game.seed for key, game in found.games(wanted(keys(name, count))).items()} == {
                key_of(name, number): number for number in range(count)
            }
        assert len(store.runs()) == 4
    assert execute(place, "SELECT count(*) FROM games") == [(4 * count,)]


def test_a_server_that_stays_away_ends_work_in_one_line_and_it_goes_on_later(
    durable_server: PostgresqlServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("NOUGHTS_FILES", str(tmp_path))
    place = durable_server.new_place()
    with Store.open(place) as store, begin(store) as run:
        keep_games(run, a=game())
        durable_server.stop()
        monkeypatch.setattr(database_module, "RECONNECT_SECONDS", 0.5)
        begun = time.monotonic()
        for step in (lambda: keep_games(run, b=game()), lambda: run.games(wanted("a"))):
            with pytest.raises(StoreError) as raised:
                step()
            message = str(raised.value)
            assert message.startswith((f"{store.called} cannot be reached (", f"{store.called} failed: the server is "))
            assert "; so it was for more than 0.5 s: what was kept is there, and the same command goes on" in message
            assert "\n" not in message
        assert time.monotonic() - begun < 5  # the second one did not wait once more
        assert [record.levelno for record in caplog.records] == [logging.WARNING]
        assert "trying again for 0.5 s" in caplog.text
        durable_server.start()
        keep_games(run, b=game())
        assert run.games(wanted("ab")).keys() == {"a", "b"}
    with Store.open(place) as store, begin(store) as again:
        assert (again.id, again.resumed) == (run.id, True)


def test_whoever_interrupts_the_waiting_does_not_wait_again(
    durable_server: PostgresqlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_FILES", str(tmp_path))

    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    with Store.open(durable_server.new_place()) as store, begin(store) as run:
        durable_server.stop()
        with monkeypatch.context() as patched:
            patched.setattr(time, "sleep", interrupt)
            with pytest.raises(KeyboardInterrupt):
                keep_games(run, a=game())
            with pytest.raises(StoreError, match="cannot be reached"):
                keep_games(run, a=game())  # what is kept on the way out
        durable_server.start()


def test_a_server_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_FILES", str(tmp_path))
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


def test_who_may_not_use_it_is_told(
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
    assert "keeps text as LATIN1" in refusal(server.url("latin"))
    guest = server.url("shared", "guest")
    assert refusal(guest).startswith(f"{guest} refuses this (permission denied for schema public)")
    with Store.open(server.url("shared")) as store, begin(store) as run:
        keep_games(run, a=game())
    assert refusal(guest).startswith(f"{guest} refuses this (permission denied for table meta)")
    server.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest", "shared")
    with Store.open(guest) as store:  # whoever may only read reads
        assert [record.moves for record in store.games()] == [game().moves]
        with pytest.raises(StoreError, match=r"refuses this \(permission denied for table runs\)"):
            begin(store, seed=2)
    monkeypatch.setenv("PGPASSWORD", "right")
    server.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO strict", "shared")
    with Store.open(none) as store, begin(store, seed=2) as run:  # no right to make tables is needed any more
        keep_games(run, b=game())


def test_tables_of_somebody_else_are_left_alone(server_place: str) -> None:
    for statement in ("CREATE TABLE games (title text)", "CREATE TABLE meta (x int)", "CREATE TABLE runs (x int)"):
        execute(server_place, statement)
        before = tables_of(server_place)
        assert " is not a noughts database" in refusal(server_place)
        assert tables_of(server_place) == before


def test_pages_that_the_server_finds_damaged_are_named(
    durable_server: PostgresqlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_FILES", str(tmp_path))
    place = durable_server.new_place()
    with Store.open(place) as store, begin(store) as run:
        keep_games(run, **{f"{number:03}": game() for number in range(100)})
    schema = place.rpartition("%3D")[2]
    ((file,),) = durable_server.execute(f"SELECT pg_relation_filepath('{schema}.games')")
    durable_server.stop()
    path = durable_server.folder / "data" / str(file)
    content = bytearray(path.read_bytes())
    content[5000] ^= 1
    path.write_bytes(content)
    durable_server.start()
    with pytest.raises(
        StoreError, match=r"is damaged \(invalid page in block 0 of relation .*\): bring back a backup of it$"
    ):
        Store.open(place).games()


def test_what_fails_with_any_message_can_be_kept(place: str) -> None:
    error = one_line(ValueError("a\0b"))
    with Store.open(place) as store, begin(store) as run:
        run.keep([kept("m", error=error)], {})
        assert run.answers(wanted("m"))["m"].error == "ValueError: a\\x00b"


def end_sessions(server: PostgresqlServer) -> None:
    """The server ends every connection of ours."""
    server.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'noughts'")


def test_a_lost_connection_is_made_again(postgresql_server: PostgresqlServer, server_place: str) -> None:
    with Store.open(server_place) as store, begin(store) as run:
        keep_games(run, a=game())
        end_sessions(postgresql_server)
        keep_games(run, b=game())
        end_sessions(postgresql_server)
        assert run.games(wanted("ab")).keys() == {"a", "b"}
        run.finish("{}")


def test_a_lost_lock_is_taken_again_unless_another_process_has_it(
    postgresql_server: PostgresqlServer, server_place: str
) -> None:
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


def test_a_change_whose_connection_is_lost_is_made_once(postgresql_server: PostgresqlServer, server_place: str) -> None:
    with Store.open(server_place) as store, begin(store) as run:
        keep_games(run, a=game())
        times: list[int] = []

        def change(connection: Connection) -> None:
            times.append(len(times))
            connection.execute(games.delete())
            if len(times) == 1:
                end_sessions(postgresql_server)

        store._database.write(change)
        assert times == [0, 1]
        for _ in range(2):  # also where all was written, and only the acknowledgement was lost
            run.keep([kept("m"), kept("m")], {("a", BASIS): game()})
    assert execute(server_place, "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM answers)") == [(1, 1)]


def test_a_row_that_another_process_holds_is_waited_for_and_not_for_ever(
    server_place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_a_server_that_is_starting_is_waited_for(
    durable_server: PostgresqlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_FILES", str(tmp_path))
    place = durable_server.new_place()
    with Store.open(place):
        pass
    connects = [0]
    real = psycopg.connect

    def starting(*words: object, **named: object) -> object:
        connects[0] += 1
        if connects[0] < 3:
            raise psycopg.errors.CannotConnectNow("the database system is starting up")
        return real(*words, **named)  # type: ignore[arg-type] # as it was called

    monkeypatch.setattr(psycopg, "connect", starting)
    with Store.open(place) as store:
        assert store.runs() == ()
    assert connects[0] >= 3
