# SPDX-License-Identifier: Apache-2.0
"""pandas: the same preparation without privacy, kept as two tables."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from tests.bench.size.clock import print_figures, timed
from tests.bench.size.declared import ACUTE, DEAREST, LONG_STAY, OLD, PREPARED, REGIONS, WARDS

Tables = tuple[pd.DataFrame, pd.DataFrame]


def prepare(path: str) -> Tables:
    """Rows and people."""
    rows = pd.read_parquet(path, columns=["patient_id", *PREPARED])
    patients = pd.read_parquet(Path(path).with_name("patients.parquet"))
    rows = rows.merge(patients, on="patient_id", how="left")
    rows["ward"] = pd.Categorical(rows["ward"], WARDS, ordered=True)
    admitted, born = (pd.to_datetime(rows[name]) for name in ("admitted", "born"))
    rows["admitted"] = admitted
    cents = (rows["cost"] * 100).round().astype(np.int64)
    rows["cents"] = cents
    rows["long"] = (rows["stay_days"] >= LONG_STAY) & (rows["age"] >= OLD)
    rows["age_band"] = np.searchsorted([0, 18, 40, OLD], rows["age"], side="right") - 1
    per_day = (2 * cents + 100 * rows["stay_days"]) // (200 * rows["stay_days"])
    rows["per_day"] = per_day.clip(upper=DEAREST)
    rows["weekday"] = admitted.dt.weekday + 1
    rows["kind_of_ward"] = np.where(rows["ward"].isin(ACUTE), 0, 1)
    then = 100 * admitted.dt.month + admitted.dt.day
    early = then < 100 * born.dt.month + born.dt.day
    rows["age_then"] = (admitted.dt.year - born.dt.year - early).clip(lower=0)
    return rows, _people(rows)


def _people(rows: pd.DataFrame) -> pd.DataFrame:
    rows["is_icu"] = rows["ward"] == "ICU"
    groups = rows.groupby("patient_id", sort=False)
    people = groups.agg(
        region=("region", "first"),
        stays=("ward", "size"),
        all_days=("stay_days", "sum"),
        ever_icu=("is_icu", "any"),
    )
    first = rows.sort_values(["admitted", "ward"]).drop_duplicates("patient_id")
    people["first_ward"] = first.set_index("patient_id")["ward"]
    last = rows.sort_values(["admitted", "cents"], ascending=[False, True])
    last = last.drop_duplicates("patient_id").set_index("patient_id")
    people["last_cost"] = last["cents"]
    return people


def answers(tables: Tables) -> dict[str, list[int]]:
    """Sums of what was prepared, to hold against ours."""
    rows, people = tables

    def count(of: pd.DataFrame, name: str, values: object) -> list[int]:
        return of[name].value_counts().reindex(values, fill_value=0).tolist()

    return {
        "long": count(rows, "long", [False, True]),
        "age_band": count(rows, "age_band", range(4)),
        "per_day": [int(rows["per_day"].sum())],
        "weekday": count(rows, "weekday", range(1, 8)),
        "kind_of_ward": count(rows, "kind_of_ward", range(2)),
        "age_then": [int(rows["age_then"].sum())],
        "region": count(people, "region", list(REGIONS)),
        "stays": [int(people["stays"].sum())],
        "first_ward": count(people, "first_ward", list(WARDS)),
        "all_days": [int(people["all_days"].sum())],
        "ever_icu": count(people, "ever_icu", [False, True]),
        "last_cost": [int(people["last_cost"].sum())],
    }


if __name__ == "__main__":
    found, seconds = timed(lambda: prepare(sys.argv[1]))
    print_figures(seconds, version=pd.__version__)
