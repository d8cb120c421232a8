# SPDX-License-Identifier: Apache-2.0
"""Table 1s in a study file: read and written. Their queries are made, never written."""

from __future__ import annotations

from typing import Any, cast

from dpdesk.study import limits
from dpdesk.study.json.condition_json import (
    condition_from,
    condition_to_members,
    grouping_from,
    grouping_to_members,
    json_number,
)
from dpdesk.study.json.json_reader import ObjectReader
from dpdesk.study.json.strict_json import Members
from dpdesk.study.model.amount import Share
from dpdesk.study.model.baseline.declared import SUMMARIES, BaselineTable, Characteristic
from dpdesk.study.model.periods import PERIODS


def baseline_from(reader: ObjectReader) -> BaselineTable:
    """Read a Table 1's members."""
    return BaselineTable(
        id=reader.text("id", required=True),
        by=reader.mixed("by", grouping_from, 1),
        characteristics=reader.objects("characteristics", _characteristic, limits.MAX_COLUMNS),
        where=reader.objects("where", condition_from, limits.MAX_COLUMNS),
        of=cast(Any, reader.choice("of", ("rows", "people"), "rows")),
        epsilon=reader.epsilon("epsilon"),
        rho=reader.rho("rho"),
        expected=reader.whole("expected", None),
        title=reader.text("title"),
    )


def _characteristic(reader: ObjectReader) -> Characteristic:
    has_period = reader.raw("period") is not None
    period = reader.choice("period", PERIODS, PERIODS[0]) if has_period else None
    return Characteristic(
        column=reader.text("column", required=True),
        summary=cast(Any, reader.choice("summary", SUMMARIES, SUMMARIES[0])),
        edges=reader.numbers("edges"),
        period=cast(Any, period),
        missing=reader.flag("missing"),
        epsilon=reader.epsilon("epsilon"),
        rho=reader.rho("rho"),
    )


def baseline_to_members(table: BaselineTable) -> Members:
    members: Members = {"id": table.id}
    if table.of != "rows":
        members["of"] = table.of
    if table.by:
        members["by"] = [grouping_to_members(grouping) for grouping in table.by]
    members["characteristics"] = [_characteristic_to_members(c) for c in table.characteristics]
    if table.where:
        members["where"] = [condition_to_members(c) for c in table.where]
    members |= _share(table.share)
    if table.expected is not None:
        members["expected"] = table.expected
    return {**members, "title": table.title} if table.title else members


def _characteristic_to_members(one: Characteristic) -> Members:
    members: Members = {"column": one.column}
    if one.summary != SUMMARIES[0]:
        members["summary"] = one.summary
    if one.edges:
        members["edges"] = [json_number(edge) for edge in one.edges]
    if one.period is not None:
        members["period"] = one.period
    if one.missing:
        members["missing"] = True
    return members | _share(one.share)


def _share(share: Share | None) -> Members:
    return {} if share is None else {share.measure: json_number(share.as_decimal())}
