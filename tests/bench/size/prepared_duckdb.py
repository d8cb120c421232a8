# SPDX-License-Identifier: Apache-2.0
"""DuckDB: the same preparation without privacy, kept as two tables."""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

from tests.bench.size.clock import print_figures, timed
from tests.bench.size.declared import ACUTE, DEAREST, LONG_STAY, OLD, REGIONS, WARDS

ROWS = f"""
CREATE TABLE prepared AS SELECT
    patient_id, admitted, ward, stay_days, cents,
    stay_days >= {LONG_STAY} AND age >= {OLD} AS long,
    CASE WHEN age < 18 THEN 0 WHEN age < 40 THEN 1 WHEN age < {OLD} THEN 2 ELSE 3 END AS age_band,
    least((2 * cents + 100 * stay_days) // (200 * stay_days), {DEAREST}) AS per_day,
    isodow(admitted) AS weekday,
    CASE WHEN ward IN {ACUTE} THEN 0 ELSE 1 END AS kind_of_ward,
    greatest(date_sub('year', born, admitted), 0) AS age_then,
    region
FROM (SELECT *, round(cost * 100)::BIGINT AS cents FROM read_parquet(?))
LEFT JOIN read_parquet(?) USING (patient_id)
"""
PEOPLE = """
CREATE TABLE people AS SELECT
    patient_id,
    any_value(region) AS region,
    count(*) AS stays,
    arg_min(ward, (admitted, ward)) AS first_ward,
    sum(stay_days)::BIGINT AS all_days,
    bool_or(ward = 'ICU') AS ever_icu,
    arg_min(cents, (-epoch(admitted), cents)) AS last_cost
FROM prepared GROUP BY patient_id
"""
COUNTS = {
    "long": ("prepared", (False, True)),
    "age_band": ("prepared", range(4)),
    "weekday": ("prepared", range(1, 8)),
    "kind_of_ward": ("prepared", range(2)),
    "region": ("people", REGIONS),
    "first_ward": ("people", WARDS),
    "ever_icu": ("people", (False, True)),
}
SUMS = {
    "per_day": "prepared",
    "age_then": "prepared",
    "stays": "people",
    "all_days": "people",
    "last_cost": "people",
}


def prepare(path: str) -> duckdb.DuckDBPyConnection:
    """Both tables."""
    connection = duckdb.connect()
    connection.execute(ROWS, [path, str(Path(path).with_name("patients.parquet"))])
    connection.execute(PEOPLE)
    return connection


def answers(connection: duckdb.DuckDBPyConnection) -> dict[str, list[int]]:
    """Sums of what was prepared, to hold against ours."""
    found = {}
    for name, (table, values) in COUNTS.items():
        rows = connection.execute(f"SELECT {name}, count(*) FROM {table} GROUP BY 1").fetchall()
        counted = dict(rows)
        found[name] = [counted.get(value, 0) for value in values]
    for name, table in SUMS.items():
        total = connection.execute(f"SELECT sum({name})::BIGINT FROM {table}").fetchone()
        found[name] = [int(total[0])]
    return found


if __name__ == "__main__":
    tables, seconds = timed(lambda: prepare(sys.argv[1]))
    print_figures(seconds, version=duckdb.__version__)
