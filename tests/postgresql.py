"""The tests' own PostgreSQL server, from Debian's package: started, stopped and killed by tests; it leaves nothing behind."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

import psutil
import psycopg

OWNER = "noughts"
"""The owner of all databases; no password is needed."""

_HBA = """
local all all trust
host all strict 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
"""  # the user `strict` needs one


def programs() -> Path | None:
    """The folder of the server's programs; None if it is not installed."""
    found = [Path(path).resolve().parent for path in [shutil.which("initdb")] if path]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in found if (folder / "postgres").exists() and (folder / "initdb").exists()), None)


class PostgresqlServer:
    """A server with its own folder and port; a context manager that stops it and removes the folder.

    Only a `durable` one keeps acknowledged data after a loss of power; without it the server is faster.
    """

    def __init__(self, durable: bool = False) -> None:
        found = programs()
        assert found is not None
        self._programs = found
        self._as_somebody: list[str] = []  # the server refuses to be run by root
        self.folder = Path(tempfile.mkdtemp(prefix="noughts-postgresql-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._places = 0
        if os.geteuid() == 0:
            self._as_somebody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
            shutil.chown(self.folder, "nobody", "nogroup")
        self._data = self.folder / "data"
        words = ["-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--data-checksums"]
        done = subprocess.run(
            [*self._as_somebody, found / "initdb", "-D", self._data, *words],
            check=False, capture_output=True, text=True, cwd=self.folder,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        (self._data / "pg_hba.conf").write_text(_HBA)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._durable = durable

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_running:
            self.stop(signal.SIGQUIT)  # at once; a killed server would leave processes that end a second later
        shutil.rmtree(self.folder)

    @property
    def _is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self.folder,
            "fsync": "on" if self._durable else "off",
            "shared_buffers": "16MB",
            "max_connections": 50,
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        command = ["setpriv", "--pdeathsig=KILL", *self._as_somebody[1:]]
        with open(self.folder / "log", "ab") as log:
            # The server ends when the process that runs the tests ends, however that happens.
            self._process = subprocess.Popen(
                [*command, self._programs / "postgres", "-D", self._data, *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )
        for _ in range(600):
            with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url("postgres")):
                return
            assert self._process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.05)
        raise TimeoutError((self.folder / "log").read_text())

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server, in an orderly way if not told otherwise; this closes its connections."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait()

    def kill(self) -> None:
        """Kill the server and all its processes at once, as a loss of power would."""
        if self._process is None or not self._is_running:
            return
        every = [psutil.Process(self._process.pid)]
        every += every[0].children(recursive=True)
        for process in every:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(every[1:])
        self._process.wait()

    def url(self, database: str, user: str = OWNER, password: str = "") -> str:
        """The URL of a database, with a password if given."""
        secret = f":{password}" if password else ""
        return f"postgresql://{user}{secret}@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Execute a statement in its own transaction; return its result."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            found = connection.execute(statement)
            return found.fetchall() if found.description else []

    def new_place(self) -> str:
        """Make a place without tables; return its URL. It is a schema in the server's one database, which is faster to make."""
        if not self._is_running:
            self.start()  # left by a failed test
        self._places += 1
        name = f"test{self._places}"
        self.execute(f"CREATE SCHEMA {name}")
        return f"{self.url('postgres')}?options=-csearch_path%3D{name}"
