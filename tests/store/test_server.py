"""A database on a PostgreSQL server: what is lost and found again, who may use it, and what is said when it cannot be used."""

import contextlib
import itertools
import logging
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection, text

from noughts.rules import StoreError
from noughts.rules.errors import one_line
from noughts.store import database as database_module
from noughts.store.condition import condition
from noughts.store.postgresql_server import SessionLock
from noughts.store.repair import repair
from noughts.store.results import Run, Store
from noughts.store.tables import saved_games
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


@contextlib.contextmanager
def starting(server: PostgresqlServer, refused: int) -> Iterator[int]:
    """A port of the server at which it answers so many times that it is starting, before it takes connections."""

    def answer() -> None:
        for number in itertools.count():
            try:
                client, _ = door.accept()
            except OSError:
                return
            if number < refused:
                client.recv(10_000)
                fields = b"SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"
                client.sendall(b"E" + (len(fields) + 4).to_bytes(4, "big") + fields)
                client.close()
            else:
                inside = socket.create_connection(("127.0.0.1", server.port))
                closing.enter_context(client)
                closing.enter_context(inside)
                for source, sink in ((client, inside), (inside, client)):
                    threading.Thread(target=pass_on, args=(source, sink), daemon=True).start()

    def pass_on(source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while content := source.recv(65536):
                sink.sendall(content)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)

    with contextlib.ExitStack() as closing, socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=answer, daemon=True).start()
        yield door.getsockname()[1]
        door.shutdown(socket.SHUT_RDWR)


def test_a_server_that_is_starting_is_waited_for(server_place: str, postgresql_server: PostgresqlServer) -> None:
    with starting(postgresql_server, 6) as port:
        place = server_place.replace(f":{postgresql_server.port}", f":{port}") + "&sslmode=disable&gssencmode=disable"
        with Store.open(place) as store:
            assert store.games() == []


def session_of(run: Run) -> psycopg.Connection:
    """The connection that holds the lock of a run."""
    lock = run._lock
    assert isinstance(lock, SessionLock)
    assert lock._connection is not None
    connection = lock._connection.connection.driver_connection
    assert isinstance(connection, psycopg.Connection)
    return connection


def end_session(server: PostgresqlServer, run: Run) -> None:
    """The server ends the connection of a run."""
    server.execute(f"SELECT pg_terminate_backend({session_of(run).info.backend_pid}, 5000)")


def test_files_lie_in_a_folder_beside(server_place: str, tmp_path: Path) -> None:
    with Store.open(server_place) as store:
        assert store.folder == tmp_path / "place"
        assert store.called == server_place.partition("?")[0]
    assert tables_of(server_place) == {"meta", "runs", "games", "answers", "saved_games", "class_records", "quarantine"}


@pytest.mark.parametrize("kind", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_url_may_be_written_in_three_ways(server_place: str, kind: str) -> None:
    with Store.open(server_place) as store, begin(store) as run:
        keep_games(run, a=game())
    with Store.open(server_place.replace("postgresql", kind, 1)) as store:
        assert [record.moves for record in store.games()] == [game().moves]


def test_what_is_acknowledged_is_on_the_disk_whatever_the_server_was_told(server_place: str) -> None:
    with Store.open(server_place.replace("options=", "options=-csynchronous_commit%3Doff%20")) as store:
        database = store._database
        with begin(store) as run:
            for lock in (None, run._lock):
                said = database.write(lambda c: c.execute(text("SHOW synchronous_commit")).scalar_one(), lock)
                assert said == "on"


def test_the_next_one_gets_the_lock_of_a_lost_connection_and_the_first_one_is_told(
    postgresql_server: PostgresqlServer, server_place: str
) -> None:
    with Store.open(server_place) as store, Store.open(server_place) as other, begin(store) as run:
        keep_games(run, a=game())
        end_session(postgresql_server, run)
        with begin(other) as again:
            assert (again.id, again.resumed) == (run.id, True)
            with pytest.raises(StoreError, match=f"run {run.id} was taken over by another process while there was no"):
                keep_games(run, b=game())
            keep_games(again, c=game())
            assert run.games(wanted("abc")).keys() == {"a", "c"}


def test_a_lost_connection_is_made_again_with_its_lock(
    postgresql_server: PostgresqlServer, server_place: str, caplog: pytest.LogCaptureFixture
) -> None:
    with Store.open(server_place) as store, Store.open(server_place) as other, begin(store) as run:
        end_session(postgresql_server, run)
        keep_games(run, a=game())
        with begin(other) as another:
            assert another.id != run.id
        end_session(postgresql_server, run)
        run.count_time()
        run.finish("{}")
        assert store.run(run.id).seconds == run.info.seconds > 0
        assert caplog.records == []  # nobody need hear of what took a moment


def test_a_connection_that_only_the_server_takes_for_alive_is_ended(server_place: str) -> None:
    """As after a cable was pulled: the server would keep the lock for the one before until it notices."""
    with Store.open(server_place) as store, begin(store) as run:
        lock, ghost = run._lock, session_of(run)
        assert isinstance(lock, SessionLock)
        assert lock._connection is not None
        lock._connection.detach()
        lock._connection = None
        keep_games(run, a=game())
        with pytest.raises(psycopg.OperationalError):
            ghost.execute("SELECT 1")
        ghost.close()
        assert run.games(wanted("a"))


def test_a_run_that_is_let_go_keeps_no_connection(server_place: str) -> None:
    with Store.open(server_place) as store:
        run = begin(store)
        session = session_of(run)
        assert not session.closed
        run.close()
        lock = run._lock
        assert isinstance(lock, SessionLock)
        assert lock._connection is None


def test_what_was_lost_on_the_way_is_written_again_and_is_there_once(server_place: str) -> None:
    with Store.open(server_place) as store, begin(store) as run:
        times: list[int] = []

        def change(connection: Connection) -> None:
            times.append(len(times))
            connection.execute(saved_games.delete())
            if len(times) == 1:
                session_of(run).close()

        store._database.write(change, run._lock)
        assert times == [0, 1]
        for _ in range(2):  # also where all was written, and only the word of it was lost
            run.keep([kept("m"), kept("m")], {("a", BASIS): game()})
    assert execute(server_place, "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM answers)") == [(1, 1)]


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
            assert "that was so for more than 0.5 s: what was kept is there, and the same command goes on" in message
            assert "\n" not in message
        assert time.monotonic() - begun < 5  # the second one did not wait once more
        assert [record.levelno for record in caplog.records] == [logging.WARNING]
        assert "it is tried again for 0.5 s" in caplog.text
        durable_server.start()
        keep_games(run, b=game())
        assert caplog.messages[-1] == f"{store.called}: it is there again"
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


def test_damaged_rows_are_found_and_set_aside_by_repair(server_place: str) -> None:
    with Store.open(server_place) as store, begin(store) as run:
        keep_games(run, **{name: game(seed=ord(name)) for name in "abc"})
        run.keep([kept("m")], {})
    found = condition(server_place)
    assert found.damaged == ()
    assert found.place == server_place.partition("?")[0]
    assert [(part.name, part.count) for part in found.parts] == [
        ("database", None), ("runs", 1), ("games", 3), ("answers", 1), ("saved_games", 0), ("class_records", 0),
    ]  # fmt: skip
    assert (found.parts[0].bytes or 0) > 50_000
    execute(server_place, "UPDATE games SET moves = '[4]' WHERE key = 'b'", "UPDATE runs SET name = 'x'")
    assert condition(server_place).damaged == (
        f"runs {run.id}: it has a wrong checksum",
        "games b: it has a wrong checksum",
    )
    again = "set aside, and asked again when it is wanted"
    assert repair(server_place) == (f"runs {run.id}: {again}", f"games b: {again}")
    mended = condition(server_place)
    assert mended.damaged == ()
    assert {part.name: part.set_aside for part in mended.parts if part.set_aside} == {"runs": 1, "games": 1}
    assert repair(server_place) == ()
    with Store.open(server_place) as store:
        assert store.runs() == ()
        assert store.kept_by("anyone").games(wanted("abc")).keys() == {"a", "c"}


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
        condition(place)


def test_what_fails_with_any_message_can_be_kept(place: str) -> None:
    error = one_line(ValueError("a\0b"))
    with Store.open(place) as store, begin(store) as run:
        run.keep([kept("m", error=error)], {})
        assert run.answers(wanted("m"))["m"].error == "ValueError: a\\0b"


def test_a_row_that_another_process_holds_is_waited_for_and_not_for_ever(server_place: str) -> None:
    with Store.open(server_place) as store, begin(store) as run:
        keep_games(run, a=game())
        mine = session_of(run)
        mine.execute("SET lock_timeout = '200ms'")
        mine.commit()
        with psycopg.connect(server_place) as other:
            other.execute("SELECT * FROM games FOR UPDATE")
            with pytest.raises(StoreError, match="has been locked by another process for more than 30 s: try again"):
                keep_games(run, a=game(seed=2))
            assert run.games(wanted("a")) == {"a": game()}  # readers do not wait
        keep_games(run, a=game(seed=2))
        assert run.games(wanted("a")) == {"a": game(seed=2)}
