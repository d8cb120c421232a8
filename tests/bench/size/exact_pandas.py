# SPDX-License-Identifier: Apache-2.0
"""pandas: the seven answers without privacy, from the columns they need."""

from __future__ import annotations

import sys

import pandas as pd

from tests.bench.size.clock import print_figures, timed
from tests.bench.size.declared import ASKED


def answers(path: str) -> dict[str, list[float]]:
    """Each question's answers, groups by name."""
    table = pd.read_csv(path, usecols=list(ASKED))
    readmitted = (table["readmitted"] == "yes").groupby(table["ward"]).mean()
    return {
        "count": [len(table)],
        "mean-age": [float(table["age"].mean())],
        "cost": [float(table["cost"].sum())],
        "by-ward": table.groupby("ward").size().tolist(),
        "mean-stay": table.groupby(["ward", "sex"])["stay_days"].mean().tolist(),
        "median-age": [float(table["age"].median())],
        "readmitted": readmitted.tolist(),
    }


if __name__ == "__main__":
    found, seconds = timed(lambda: answers(sys.argv[1]))
    print_figures(seconds, version=pd.__version__, answers=found)
