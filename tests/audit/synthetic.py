# SPDX-License-Identifier: Apache-2.0
"""Synthetic rows counted again from their file: near what was released, and as near as is said."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

from dpdesk.release.bundle.synthetic.rows import ReleasedRows, released_rows
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.study.model.periods import WEEKDAYS
from tests.release.synthetic_study import STUDY, released

NAMED = ("ward", "age", "day")
MOST_MISPLACED = Decimal(5)
"""Percent of the rows, where rows took the values of others."""


def synthetic_findings(folder: Path) -> Iterator[str]:
    """What is wrong with the rows of one release, whatever its noise is."""
    done = released(STUDY, folder)
    record, tables = _named(done.stored.record), done.stored.tables
    made = released_rows(record, tables)
    if made is None:
        yield "there are no rows"
        return
    if made.content != getattr(released_rows(record, tables), "content", None):
        yield "they are made otherwise each time"
    if made.content == getattr(released_rows(_again(record), tables), "content", None):
        yield "another release of the same figures has the same rows"
    if made.count != made.wanted:
        yield f"{made.count} rows for {made.wanted} counted"
    yield from _of_file(made, {row[0]: Decimal(row[1]) for row in tables[3].rows})


def _named(record: ReleaseRecord) -> ReleaseRecord:
    members = {**record.study.members, "synthetic_rows": {"none_alone_in": [*NAMED]}}
    return replace(record, study=replace(record.study, members=members))


def _again(record: ReleaseRecord) -> ReleaseRecord:
    return replace(record, id="0123456789abcdef" * 2)


def _of_file(made: ReleasedRows, weekdays: dict[str, Decimal]) -> Iterator[str]:
    """Counted from the file by another way than the program's: by the weekday of each day."""
    rows = list(csv.DictReader(io.StringIO(made.content.decode())))
    if any(row["made_up"] != "yes" for row in rows):
        yield "a row does not say that it is made up"
    groups = Counter((row["ward"], _band(row["age"]), _cut(row["day"])) for row in rows)
    if 1 in groups.values():
        yield "a row is alone"
    counted = Counter(_weekday(row["day"]) for row in rows)
    off = sum(abs(counted[day] - max(Decimal(0), count)) for day, count in weekdays.items())
    misplaced = round(100 * off / (2 * len(rows)), 3)
    (said,) = (table.misplaced for table in made.tables if table.id == "d")
    if abs(misplaced - said) > Decimal("0.002"):
        yield f"{misplaced} % of the rows are elsewhere, not {said} %"
    if made.farthest.misplaced > MOST_MISPLACED:
        yield f"{made.farthest.misplaced} % of the rows are elsewhere"


def _band(age: str) -> int:
    """Between which edges of the study's bins an age is."""
    return sum(float(age) >= edge for edge in (0, 17.5, 40))


def _cut(day: str) -> tuple[str, str]:
    """The month and the weekday of a day."""
    return day[:7], _weekday(day)


def _weekday(day: str) -> str:
    return WEEKDAYS[date.fromisoformat(day).weekday()]
