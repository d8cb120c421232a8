# SPDX-License-Identifier: Apache-2.0
"""DuckDB: the annual report's figures without privacy, each question with SQL that it answers fast.

Nobody's rows are bounded and nothing is rounded. The three files are read once, with the columns
that are needed; stays are joined with their patients and the mean of their laboratory values.
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

from tests.bench.size.clock import print_figures, timed

PATIENTS = """
CREATE TABLE patients AS SELECT
    patient, sex, region, smoker, died IS NOT NULL AS dead,
    date_sub('year', birth, entered) AS age,
    least(coalesce(died, DATE '2025-12-31'), DATE '2025-12-31') - entered AS followed
FROM read_csv(?, types = {'died': 'DATE'})
"""
STAYS = """
CREATE TABLE stays AS SELECT
    patient, "case", admission, ward, icd, dead, least(discharge - admission, 60) AS stay
FROM read_csv(?)
"""
LABS = """
CREATE TABLE labs AS SELECT "case", avg(hba1c) AS hba1c FROM read_csv(?) GROUP BY ALL
"""
PREPARED = """
CREATE TABLE rows AS SELECT stays.*, sex, hba1c
FROM stays LEFT JOIN patients USING (patient) LEFT JOIN labs USING ("case")
"""
PEOPLE = """
CREATE TABLE people AS SELECT patients.*, number
FROM patients LEFT JOIN (SELECT patient, count(*) AS number FROM stays GROUP BY patient)
USING (patient)
"""
OF_CATEGORY = "SELECT count(*), region, {0} FROM people GROUP BY ALL"
QUESTIONS = {
    "all-stays": "SELECT count(*) FROM rows",
    "all-patients": "SELECT count(*) FROM people",
    "mean-stay": "SELECT avg(stay) FROM rows",
    "stays-by-quarter": """
        SELECT count(*), date_trunc('quarter', admission) FROM rows GROUP BY ALL""",
    "wards": "SELECT count(*), ward, sex FROM rows GROUP BY ALL",
    "diagnoses": "SELECT count(*), icd, sex FROM rows GROUP BY ALL",
    "deaths-per-bed-day": "SELECT count(*) FILTER (dead), sum(stay), ward FROM rows GROUP BY ALL",
    "mortality": """
        SELECT count(*) FILTER (dead), sum(followed / 365.25), region, greatest(age // 10, 4)
        FROM people GROUP BY ALL""",
    "smokers": "SELECT count(*) FILTER (smoker), count(smoker), region FROM people GROUP BY ALL",
    "survival": "SELECT count(*), smoker, followed // 60, dead FROM people GROUP BY ALL",
    "survival-by-sex": "SELECT count(*), sex, followed // 60, dead FROM people GROUP BY ALL",
    "age-by-sex": "SELECT quantile_cont(age, [0.25, 0.5, 0.75]), sex FROM people GROUP BY ALL",
    "stay-quantiles": "SELECT quantile_cont(stay, [0.25, 0.5, 0.75]), ward FROM rows GROUP BY ALL",
    "hba1c": """
        SELECT avg(hba1c), date_trunc('quarter', admission) FROM rows GROUP BY ALL""",
    "ages": "SELECT count(*), age // 10, region FROM people GROUP BY ALL",
    "table-sex": OF_CATEGORY.format("sex"),
    "table-smoker": OF_CATEGORY.format("smoker"),
    "table-age": "SELECT count(*), avg(age), stddev(age), region FROM people GROUP BY ALL",
    "table-stays": """
        SELECT quantile_cont(number, [0.25, 0.5, 0.75]), region FROM people GROUP BY ALL""",
}
"""The figure first, then its groups."""


def answers(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """Each question's lines."""
    with duckdb.connect() as connection:
        for table, name in ((PATIENTS, "patients"), (STAYS, "stays"), (LABS, "labs")):
            connection.execute(table, [str(folder / f"{name}.csv")])
        connection.execute(PREPARED)
        connection.execute(PEOPLE)
        return {name: connection.execute(asked).fetchall() for name, asked in QUESTIONS.items()}


if __name__ == "__main__":
    found, seconds = timed(lambda: answers(Path(sys.argv[1]).parent))
    counted = {name: sum(int(line[0]) for line in found[name]) for name in ("ages", "survival")}
    print_figures(seconds, version=duckdb.__version__, totals=counted)
