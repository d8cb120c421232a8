# SPDX-License-Identifier: Apache-2.0
"""A table of cells that engines fold, pad, round or order each in its own way, and its study."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import numpy as np
import pyarrow as pa

from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.document import Study

STUDY: dict[str, Any] = {
    "dpdesk": 1,
    "data": {"path": "stays.parquet", "format": "parquet", "extract": "x",
             "missing": ["NA", "09999"]},
    "unit": {"person": "pid", "max_rows": 10_000, "neighbours": "add-remove"},
    "budget": {"account": "a", "epsilon": 10},
    "columns": [
        {"name": "ward", "kind": "category", "values": ["a", "ä", "ß"], "basis": "codebook",
         "unknown": "category", "missing": "category"},
        {"name": "stay", "kind": "number", "lower": -1, "upper": 3, "step": 0.5,
         "outside": "clamp"},
        {"name": "seen", "kind": "date", "first": "2024-01-01", "last": "2024-12-31"},
        {"name": "ill", "kind": "yes-no", "yes": ["true"], "no": ["false"], "missing": "category"},
    ],
    "queries": [
        {"id": "wards", "statistic": "count", "by": ["ward", "ill"], "epsilon": 1},
        {"id": "people", "statistic": "count-people", "by": ["ward"], "epsilon": 1},
        {"id": "mean", "statistic": "mean", "column": "stay", "by": ["ward"], "epsilon": 1},
        {"id": "months", "statistic": "count", "by": [{"column": "seen", "period": "month"}],
         "epsilon": 1},
        {"id": "median", "statistic": "median", "column": "stay", "epsilon": 1},
    ],
}  # fmt: skip


def declared(members: dict[str, Any]) -> Study:
    """The study of these members."""
    return study_from_bytes(json.dumps(members).encode())


WARDS = ["a", "A", " a ", "ä", "a\u0308", "Ä", "ß", "ss", "", "NA", "x", None, "a\u200b", "\ufeff"]
STAYS = [0.0, -0.0, float("nan"), None, 1e308, -1e308, 0.25, 0.75, 1.25, 3.0, 2.9999, -0.25, 1, 2]
IDS = [
    "7",
    "007",
    "7 ",
    "\uff17",
    "P-1",
    "p\u20111",
    "",
    None,
    "NA",
    "'7",
    '="7"',
    "7.0",
    "é",
    "e\u0301",
]


def hostile(rows: int = 14 * 12) -> pa.Table:
    """Cells that engines fold, pad, round or order each in its own way."""
    random = np.random.default_rng(38)
    at = random.integers(0, 14, (5, rows))
    moments = [
        None,
        *(datetime(2024, month, 28, 23, 59, 59) for month in range(1, 13)),
        datetime(1, 1, 1),
    ]
    return pa.table(
        {
            "pid": pa.array([IDS[i] for i in at[0]]),
            "ward": pa.array([WARDS[i] for i in at[1]]),
            "stay": pa.array([STAYS[i] for i in at[2]], pa.float64()),
            "seen": pa.array([moments[i] for i in at[3]], pa.timestamp("us")),
            "ill": pa.array([[True, False, None][i % 3] for i in at[4]]),
        }
    )


NUMBERS = [
    0,
    7,
    70,
    9_999,
    -1,
    -2,
    -9_999,
    10**18,
    10**18 - 1,
    2**63 - 1,
    -(2**63),
    None,
    4_093,
    8_186,
]


def numbered(table: pa.Table) -> pa.Table:
    """The table with ids of whole numbers, each in the place of another text."""
    texts = table["pid"].to_pylist()
    ids = [NUMBERS[IDS.index(text)] for text in texts]
    return table.set_column(0, "pid", pa.array(ids, pa.int64()))
