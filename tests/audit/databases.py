# SPDX-License-Identifier: Apache-2.0
"""Whether a database counts what the encoder makes of the same rows, and keeps the bound.

With all rows of each person nothing is left to chance, and every exact number must be the same.
With one row of each, tables of one run must be of the same rows, each person must have the lesser
of the bound and their own, and no row may be likelier to stay than another.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from dpdesk.study.model.document import Study
from tests.engine.counted import (
    TABLE,
    counted,
    counted_of_file,
    differences,
    in_passes_of,
    ranked_in_the_database,
)
from tests.engine.hostile import STUDY, declared, hostile, numbered

_PEOPLE, _OWN = 2_000, 4

ROUTES = (ranked_in_the_database, lambda patch: in_passes_of(40, patch))
"""Ranked and grouped by the database, and told apart by the runner, some people at a time."""

IDS = (lambda table: table, numbered)
"""Of texts, and of whole numbers."""


def database_findings(folder: Path) -> Iterator[str]:
    """Where DuckDB counts otherwise than the encoder, or keeps other rows than it may."""
    yield from _other_counts(folder)
    yield from _other_rows()


def _other_counts(folder: Path) -> Iterator[str]:
    folding = dict.fromkeys(("ward", "pid"), "VARCHAR COLLATE NOCASE")
    for without in ("drop", "one-person"):
        study = declared({**STUDY, "unit": STUDY["unit"] | {"without_id": without}})
        own = Path(tempfile.mkdtemp(dir=folder))
        # Such a day is no day: of a file it is a cell that holds something else.
        endless = f"UPDATE {TABLE} SET seen = 'infinity' WHERE seen IS NULL"
        for ids in IDS:
            table = ids(hostile())
            of_file = counted_of_file(study, table, own)
            types = folding if table.schema.field("pid").type == pa.string() else {}
            for route in ROUTES:
                with pytest.MonkeyPatch.context() as patch:
                    route(patch)
                    for place in differences(counted(study, table, types, endless), of_file):
                        yield f"{place} counted otherwise than of a file"


def _other_rows() -> Iterator[str]:
    for route in ROUTES:
        with pytest.MonkeyPatch.context() as patch:
            route(patch)
            yield from _other_rows_of_one_route()


def _other_rows_of_one_route() -> Iterator[str]:
    ids = [f"p{person}" for person in range(_PEOPLE) for _ in range(_OWN)]
    wards = ["a", "ä", "ß", "x"] * _PEOPLE
    table = pa.table({"pid": ids, "ward": wards, "ill": [True] * len(ids)})
    counts = counted(one_row_each(), table)
    wards, again = (counts.vectors[name, "rows"] for name in ("wards", "again"))
    if not np.array_equal(wards, again.reshape(len(wards), -1).sum(axis=1)):
        yield "two tables of one run are of different rows"
    if int(wards.sum()) != _PEOPLE:
        yield "not one row of each person"
    # Each is binomial (2000, 1/4), whose standard deviation is 19.4.
    if np.abs(wards[wards > 0] - _PEOPLE / _OWN).max(initial=0) > 7 * 19.4:
        yield "some rows are likelier to be kept"


def one_row_each() -> Study:
    """A study of one row of each person, asked by wards in two ways."""
    wards = STUDY["queries"][0] | {"by": ["ward"]}
    again = wards | {"id": "again", "by": ["ward", "ill"]}
    members = {
        **STUDY,
        "unit": STUDY["unit"] | {"max_rows": 1},
        "columns": [STUDY["columns"][at] for at in (0, 3)],
    }
    return declared({**members, "queries": [wards, again]})
