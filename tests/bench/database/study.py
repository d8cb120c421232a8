# SPDX-License-Identifier: Apache-2.0
"""What is asked of the made-up rows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.document import Study

WARDS, SITES, ROOMS, SEXES = 10, 100, 100, 2
"""How many different texts the columns have."""

GROUPS: Final = {
    10: ["ward"],
    1_000: ["ward", "site"],
    100_000: ["ward", "site", "room"],
}


@dataclass(frozen=True)
class Shape:
    """One size and kind of question.

    Attributes:
        rows: how many; there are three people for ten of them.
        ids: ``number`` or ``text``.
        k: how many rows of each person count.
        groups: how many groups there are.
        tables: one, or two of which the second is joined by person.
    """

    rows: int
    ids: str
    k: int
    groups: int
    tables: int


def study_of(shape: Shape) -> Study:
    """Four questions: rows, people and means by group, and rows by month."""
    by = GROUPS[shape.groups]
    columns: list[dict[str, Any]] = [
        _category("ward", WARDS),
        *(_category(one, size) for one, size in (("site", SITES), ("room", ROOMS)) if one in by),
        {"name": "stay", "kind": "number", "lower": 0, "upper": 60, "step": 1, "outside": "clamp"},
        {"name": "seen", "kind": "date", "first": "2020-01-01", "last": "2023-12-31"},
        {"name": "ill", "kind": "yes-no", "yes": ["true"], "no": ["false"], "missing": "category"},
    ]
    queries: list[dict[str, Any]] = [
        {"id": "rows", "statistic": "count", "by": by},
        {"id": "people", "statistic": "count-people", "by": ["ward"]},
        {"id": "mean", "statistic": "mean", "column": "stay", "by": ["ill"]},
        {"id": "months", "statistic": "count", "by": [{"column": "seen", "period": "month"}]},
    ]
    more: dict[str, Any] = {}
    if shape.tables == 2:
        more["tables"] = [
            {"name": "patients", "person": "pid", "rows": "one-per-person",
             "data": {"path": "patients.parquet", "format": "parquet"}}
        ]  # fmt: skip
        columns.append(_category("sex", SEXES) | {"table": "patients"})
        queries[2]["by"] = ["sex"]
    return study_from_bytes(
        json.dumps(
            {
                "dpdesk": 1,
                "data": {"path": "stays.parquet", "format": "parquet", "extract": "made up"},
                **more,
                "unit": {"person": "pid", "max_rows": shape.k, "neighbours": "add-remove"},
                "budget": {"account": "bench", "epsilon": 10},
                "columns": columns,
                "queries": [one | {"epsilon": 1} for one in queries],
            }
        ).encode()
    )


def _category(name: str, size: int) -> dict[str, Any]:
    values = [f"{name} {number}" for number in range(size)]
    return {"name": name, "kind": "category", "values": values, "basis": "codebook"}
