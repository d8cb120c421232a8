# SPDX-License-Identifier: Apache-2.0
"""DuckDB: the seven answers without privacy, from a table that it reads once."""

from __future__ import annotations

import sys

import duckdb

from tests.bench.size.clock import print_figures, timed
from tests.bench.size.declared import ASKED

QUESTIONS = {
    "count": "SELECT count(*) FROM t",
    "mean-age": "SELECT avg(age) FROM t",
    "cost": "SELECT sum(cost) FROM t",
    "by-ward": "SELECT count(*) FROM t GROUP BY ward ORDER BY ward",
    "mean-stay": "SELECT avg(stay_days) FROM t GROUP BY ward, sex ORDER BY ward, sex",
    "median-age": "SELECT median(age) FROM t",
    # Whether DuckDB takes the column for texts or for truth values, it knows yes.
    "readmitted": "SELECT avg((readmitted = 'yes')::INT) FROM t GROUP BY ward ORDER BY ward",
}


def answers(path: str) -> dict[str, list[float]]:
    """Each question's answers, groups by name."""
    with duckdb.connect() as connection:
        columns = ", ".join(ASKED)
        connection.execute(f"CREATE TABLE t AS SELECT {columns} FROM read_csv(?)", [path])
        return {
            name: [float(value) for (value,) in connection.execute(question).fetchall()]
            for name, question in QUESTIONS.items()
        }


if __name__ == "__main__":
    found, seconds = timed(lambda: answers(sys.argv[1]))
    print_figures(seconds, version=duckdb.__version__, answers=found)
