# SPDX-License-Identifier: Apache-2.0
"""Who is measured, in which order, and with whose Python."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.source_files import ROOT

PACKAGE = "tests.bench.size"
PEERS = ROOT / ".venv" / "peers"
"""Where ``packaging/test.py --size`` puts them, an environment for each group."""

VARIABLES = {
    "peers": "DPDESK_PEERS_PYTHON",
    "peers-opendp": "DPDESK_OPENDP_PYTHON",
    "peers-spark": "DPDESK_SPARK_PYTHON",
    "peers-statistics": "DPDESK_STATISTICS_PYTHON",
}


@dataclass(frozen=True)
class Case:
    """One process.

    Attributes:
        name: its row in the table.
        module: what is run, with its arguments before the file.
        file: the file it reads, in the run's folder.
        group: whose packages it needs; empty for our own.
        rounds: how often at most.
        package: where the module is.
    """

    name: str
    module: tuple[str, ...]
    file: str = "all/admissions.csv"
    group: str = ""
    rounds: int = 1_000
    package: str = PACKAGE

    def command(self, folder: Path) -> list[str]:
        """What starts it."""
        first, *more = self.module
        return [
            python_of(self.group),
            "-m",
            f"{self.package}.{first}",
            *more,
            str(folder / self.file),
        ]


OURS = Case("dpdesk", ("ours",))
HALF = Case("dpdesk, half of the rows", ("ours",), "half/admissions.csv")
LETTERED = Case("dpdesk, ids with a letter", ("ours",), "all/lettered.csv")
PARQUET = Case("dpdesk, Parquet", ("ours",), "all/admissions.parquet")
FLOORS = tuple(
    Case(f"{library}, reading alone", ("floor", library), group="peers")
    for library in ("pandas", "pyarrow", "polars")
)
PANDAS = Case("pandas, exact", ("exact_pandas",), group="peers")
DUCKDB = Case("DuckDB, exact", ("exact_duckdb",), group="peers")
# It takes minutes, and is so far from its goal that one round says as much as three.
OPENDP = Case("OpenDP with Polars", ("opendp_polars",), group="peers-opendp", rounds=1)
COLUMNS = Case("dpdesk, columns of two tables", ("prepared", "columns"), "all/admissions.parquet")
PREPARED = Case("dpdesk, prepared", ("prepared", "prepared"), "all/admissions.parquet")
PREPARING_PEERS = (
    Case("pandas, prepared", ("prepared_pandas",), "all/admissions.parquet", "peers"),
    Case("DuckDB, prepared", ("prepared_duckdb",), "all/admissions.parquet", "peers"),
)

CASES = (
    *FLOORS[:1],
    OURS,
    LETTERED,
    *FLOORS[1:2],
    HALF,
    *FLOORS[2:],
    PARQUET,
    PANDAS,
    DUCKDB,
    COLUMNS,
    PREPARED,
    *PREPARING_PEERS,
    OPENDP,
)
"""In turns, so that a slow minute of the machine falls on everybody."""


def python_of(group: str) -> str:
    """The Python that has a group's packages: a variable's, the prepared one, or this one."""
    if not group:
        return sys.executable
    named = os.environ.get(VARIABLES[group])
    scripts = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    prepared = PEERS / group / scripts
    return named or (str(prepared) if prepared.exists() else sys.executable)
