# SPDX-License-Identifier: Apache-2.0
"""A second account of this computer, which may log in to a database, and runs an order there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pyarrow as pa
import pytest

from dpdesk.engine.connect import connected
from dpdesk.engine.database import PostgresDatabase
from tests.engine.postgres import postgres_server
from tests.source_files import ROOT

ACCOUNT: Final = "dpdeskcolleague"
PYTHON: Final = Path("/usr/bin/python3")
"""The system's own: that of the tests may lie in a home that nobody else may enter."""


@contextmanager
def second_account() -> Iterator[str]:
    """An account of this computer, made for a while; skip where none can be made."""
    if os.geteuid() != 0:
        pytest.skip("only the system's own account can make a second one")
    asked = [PYTHON, "-c", "import sys; print(sys.version_info[:2])"]
    version = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    if version != str(sys.version_info[:2]):
        pytest.skip(f"{PYTHON} is of another version, and cannot load what the tests' own can")
    subprocess.run(["useradd", "--no-create-home", ACCOUNT], check=True)
    try:
        yield ACCOUNT
    finally:
        subprocess.run(["userdel", ACCOUNT], check=True)


@contextmanager
def database_of(account: str, name: str, rows: pa.Table) -> Iterator[Mapping[str, str]]:
    """A PostgreSQL with one table, which an account of this computer may read, and nobody else.

    Who logs in is who the system says (peer authentication): there is no password.
    """
    with postgres_server() as variables:
        with pytest.MonkeyPatch.context() as patch:
            for key, value in variables.items():
                patch.setenv(key, value)
            with connected("postgres") as backend:
                PostgresDatabase(backend).upload("given", rows)
                backend.raw_sql(f"CREATE TABLE {name} AS SELECT * FROM given").close()
                backend.raw_sql(f"CREATE ROLE {account} LOGIN").close()
                backend.raw_sql(f"GRANT SELECT ON {name} TO {account}").close()
                backend.con.commit()
                # Its socket lies in it; the data's own folder is the server's alone.
                Path(variables["PGHOST"]).chmod(0o755)
                allowed = Path(variables["PGHOST"], "data", "pg_hba.conf")
                allowed.write_text("local all all peer\n")
                backend.raw_sql("SELECT pg_reload_conf()").close()
        yield {key: value for key, value in variables.items() if key != "PGUSER"}


def engine_as(
    account: str, variables: Mapping[str, str], arguments: list[str], folder: Path
) -> str:
    """What ``dpdesk-engine`` prints when an account runs it in a folder."""
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    own = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}:{packages}", **variables}
    return run_as(account, [str(PYTHON), "-m", "dpdesk.engine.cli", *arguments], folder, own)


def run_as(
    account: str, command: list[str], folder: Path, variables: Mapping[str, str] | None = None
) -> str:
    """What a command prints, its errors too, when an account runs it in a folder."""
    whole = ["runuser", "-u", account, "--", *command]
    done = subprocess.run(
        whole,
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.stdout
