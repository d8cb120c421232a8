# SPDX-License-Identifier: Apache-2.0
"""Conditions and groupings in a study file: read and written; and days and numbers."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any, cast

from dpdesk.study.json.json_reader import ObjectReader
from dpdesk.study.json.strict_json import Members
from dpdesk.study.model.conditions import Between, Condition, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.dates import day_from_text
from dpdesk.study.model.groupings import Bins, Grouping, Periods
from dpdesk.study.model.periods import PERIODS


def condition_from(reader: ObjectReader) -> Condition | None:
    column = reader.text("column", required=True)
    kinds = [k for k in ("in", "not_in", "between", "missing") if reader.raw(k) is not None]
    ends = [end for end in ("from", "to") if reader.raw(end) is not None]
    kinds += ["from"] if ends else []
    if len(kinds) != 1:
        reader.report("", "condition-kind")
        return None
    if kinds == ["in"]:
        return IsIn(column, reader.texts("in"))
    if kinds == ["not_in"]:
        return IsNotIn(column, reader.texts("not_in"))
    if kinds == ["missing"]:
        return IsMissing(column, reader.flag("missing"))
    if kinds == ["from"]:
        return _date_between(reader, column)
    return _between(reader, column)


def _date_between(reader: ObjectReader, column: str) -> DateBetween | None:
    first, last = (read_day(reader, end) for end in ("from", "to"))
    for end in ("from", "to"):
        if not reader.has(end):
            reader.report(end, "missing-member")
    return None if first is None or last is None else DateBetween(column, first, last)


def _between(reader: ObjectReader, column: str) -> Between | None:
    value = reader.raw("between")
    numbers = isinstance(value, list) and all(
        isinstance(v, int | Decimal) and not isinstance(v, bool) for v in value
    )
    if not numbers or len(value) != 2:
        reader.report("between", "type-pair")
        return None
    lowest, highest = (reader.plain(v, f"between[{i}]") for i, v in enumerate(value))
    if lowest is None or highest is None:
        return None
    return Between(column, lowest, highest)


def condition_to_members(condition: Condition) -> Members:
    if isinstance(condition, IsIn):
        return {"column": condition.column, "in": list(condition.values)}
    if isinstance(condition, IsNotIn):
        return {"column": condition.column, "not_in": list(condition.values)}
    if isinstance(condition, Between):
        pair = [json_number(condition.lowest), json_number(condition.highest)]
        return {"column": condition.column, "between": pair}
    if isinstance(condition, DateBetween):
        first, last = condition.first.isoformat(), condition.last.isoformat()
        return {"column": condition.column, "from": first, "to": last}
    return {"column": condition.column, "missing": condition.missing}


def grouping_from(reader: ObjectReader) -> Bins | Periods | None:
    """A grouping that is more than a column's name."""
    column = reader.text("column", required=True)
    kinds = [kind for kind in ("edges", "period") if reader.raw(kind) is not None]
    if len(kinds) != 1:
        reader.report("", "grouping-kind")
        return None
    if kinds == ["edges"]:
        return Bins(column, reader.numbers("edges"))
    return Periods(column, cast(Any, reader.choice("period", PERIODS, PERIODS[0])))


def grouping_to_members(grouping: Grouping) -> str | Members:
    if isinstance(grouping, str):
        return grouping
    if isinstance(grouping, Periods):
        return {"column": grouping.column, "period": grouping.period}
    return {"column": grouping.column, "edges": [json_number(edge) for edge in grouping.edges]}


def read_day(reader: ObjectReader, key: str) -> date | None:
    """A day as ``YYYY-MM-DD``."""
    value = reader.raw(key)
    if value is None:
        return None
    day = day_from_text(value) if isinstance(value, str) else None
    if day is None:
        reader.report(key, "type-date")
    return day


def json_number(value: Decimal) -> int | float:
    """A JSON number that reads back as the same decimal (at most 15 significant digits)."""
    return int(value) if value == value.to_integral_value() else float(value)
