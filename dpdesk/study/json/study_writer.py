# SPDX-License-Identifier: Apache-2.0
"""A :class:`Study` as JSON, without loss, and as the canonical text that names a question."""

from __future__ import annotations

import json
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from dpdesk.study.json.baseline_json import baseline_to_members
from dpdesk.study.json.condition_json import (
    condition_to_members,
    grouping_to_members,
    json_number,
)
from dpdesk.study.json.step_json import step_to_members
from dpdesk.study.json.strict_json import Members
from dpdesk.study.model.amount import Delta, Share
from dpdesk.study.model.baseline.expansion import own_queries
from dpdesk.study.model.columns import (
    NO_ORIGIN,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
)
from dpdesk.study.model.conditions import Condition
from dpdesk.study.model.document import STUDY_VERSION, Study
from dpdesk.study.model.queries import GroupComparison, Query, SyntheticRows
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.text_folding import EXACT
from dpdesk.study.model.unit import DataSource, Unit


def study_to_bytes(study: Study) -> bytes:
    """The study file's bytes: UTF-8, indented, members in reading order, one final line feed."""
    text = json.dumps(study_to_members(study), indent=2, ensure_ascii=False)
    return (text + "\n").encode("utf-8")


def canonical(members: Members) -> str:
    """One text for one meaning: ASCII, sorted keys, no white space."""
    return json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def study_to_members(study: Study) -> Members:
    members: Members = {"dpdesk": STUDY_VERSION, "title": study.title}
    if study.organisation:
        members["organisation"] = study.organisation
    if study.data is not None:
        members["data"] = data_to_members(study.data)
    if study.unit is not None:
        members["unit"] = unit_to_members(study.unit)
    if study.budget is not None:
        limit = study.budget.limit
        amount = {} if limit is None else {limit.measure: amount_to_number(limit)}
        members["budget"] = {"account": study.budget.account, **amount}
    if study.rounding is not None:
        members["rounding"] = study.rounding
    if study.tables:
        members["tables"] = [table_to_members(table) for table in study.tables]
    members["columns"] = [column_to_members(c) for c in study.columns]
    members["queries"] = [query_to_members(q) for q in own_queries(study)]
    if study.baseline_tables:
        members["baseline_tables"] = [baseline_to_members(one) for one in study.baseline_tables]
    if study.synthetic_rows is not None:
        members["synthetic_rows"] = _synthetic_to_members(study.synthetic_rows)
    return members


DATA_MEMBERS = (
    "separator",
    "decimal",
    "encoding",
    "extract",
    "sheet",
    "header_row",
    "thousands",
    "quotes",
    "line_ending",
    "line_breaks",
    "row_names",
    "fill_down",
    "catalogue",
    "in_database",
)


def data_to_members(data: DataSource) -> Members:
    """The data source; what is at its default is left out."""
    members: Members = {"path": data.path, "format": data.format}
    if data.missing:
        members["missing"] = list(data.missing)
    plain = DataSource()
    for key in DATA_MEMBERS:
        if getattr(data, key) != getattr(plain, key):
            members[key] = getattr(data, key)
    if data.by_hand:
        members["by_hand"] = list(data.by_hand)
    if data.label:
        members["label"] = data.label
    if data.more:
        members["more"] = [data_to_members(one) for one in data.more]
    return members


def _synthetic_to_members(declared: SyntheticRows) -> Members:
    members: Members = {} if declared.of == "rows" else {"of": declared.of}
    if declared.none_alone_in:
        members["none_alone_in"] = list(declared.none_alone_in)
    return members


def table_to_members(table: FurtherTable) -> Members:
    members: Members = {"name": table.name, "data": data_to_members(table.data)}
    members |= {"person": table.person, "rows": table.rows}
    if table.is_of_people:
        members["keep"] = table.keep
    members |= {key: getattr(table, key) for key in ("case", "by") if getattr(table, key)}
    return members


def unit_to_members(unit: Unit) -> Members:
    members: Members = {
        "person": unit.person,
        "max_rows": unit.max_rows,
        "neighbours": unit.neighbours,
    }
    if unit.people is not None:
        members["people"] = unit.people
    if unit.leading_zeros:
        members["leading_zeros"] = True
    if unit.without_id != "drop":
        members["without_id"] = unit.without_id
    if unit.case:
        members["case"] = unit.case
    if unit.id_shape is not None:
        members["id_shape"] = asdict(unit.id_shape)
    for key in ("row_name", "row_names", "person_name", "person_names"):
        if getattr(unit, key):
            members[key] = getattr(unit, key)
    return members


def column_to_members(column: Column) -> Members:
    members: Members = {"name": column.name, "kind": column.kind}
    if column.made_from is not None:
        members["from"] = step_to_members(column.made_from)
    members |= _domain(column)
    for key in ("table", "in_file", "title", "label", "basis"):
        if getattr(column, key):
            members[key] = getattr(column, key)
    if column.origin != NO_ORIGIN:
        said = asdict(column.origin).items()
        members["origin"] = {key: value for key, value in said if value}
    if column.missing_values:
        members["missing_values"] = list(column.missing_values)
    return members


def _domain(column: Column) -> Members:
    if isinstance(column, NumberColumn):
        return _number_domain(column)
    if isinstance(column, DateColumn):
        return _date_domain(column)
    rules: Members = {"missing": _rule(column.missing), "unknown": _rule(column.unknown)}
    if column.compare != EXACT:
        rules["compare"] = column.compare
    if isinstance(column, CategoryColumn):
        labels = {"labels": list(column.labels)} if column.labels else {}
        return {"values": list(column.values), **labels, **rules}
    return {"yes": list(column.yes), "no": list(column.no), **rules}


def _number_domain(column: NumberColumn) -> Members:
    members: Members = {
        key: json_number(value)
        for key, value in (("lower", column.lower), ("upper", column.upper), ("step", column.step))
        if value is not None
    }
    if column.decimal:
        members["decimal"] = column.decimal
    if column.reads:
        read = [{"cell": one.cell, "as": json_number(one.value)} for one in column.reads]
        members["reads"] = read
    return {**members, **_cell_rules(column)}


def _date_domain(column: DateColumn) -> Members:
    members: Members = {
        key: day.isoformat()
        for key, day in (("first", column.first), ("last", column.last))
        if day is not None
    }
    members["format"] = column.format
    if column.pivot is not None:
        members["pivot"] = column.pivot
    return {**members, **_cell_rules(column)}


def _cell_rules(column: NumberColumn | DateColumn) -> Members:
    return {key: _rule(getattr(column, key)) for key in ("missing", "unparsable", "outside")}


def _rule(rule: str | Replace) -> str | Members:
    if not isinstance(rule, Replace):
        return rule
    return {"replace": rule.value if isinstance(rule.value, str) else json_number(rule.value)}


def query_to_members(query: Query) -> Members:
    members = question_to_members(query)
    members = {"id": query.id, **members}
    if query.share is not None:
        members[query.share.measure] = amount_to_number(query.share)
    if query.expected is not None:
        members["expected"] = query.expected
    if query.title:
        members["title"] = query.title
    if query.population:
        members["population"] = True
    if query.whole_numbers:
        members["whole_numbers"] = True
    if query.comparisons:
        members["comparisons"] = [_comparison(one) for one in query.comparisons]
    return members


def _comparison(comparison: GroupComparison) -> Members:
    members: Members = {"by": comparison.by, "kind": comparison.kind}
    return members | ({"reference": comparison.reference} if comparison.reference else {})


def question_to_members(query: Query) -> Members:
    """What a query asks, without its name, share, guess and heading."""
    own = {key: _own_member(value) for key, value in query.members.items()}
    members: Members = {"statistic": query.statistic}
    if query.of != "rows":
        members["of"] = query.of
    if "column" in own:
        members["column"] = own["column"]
    if query.by:
        members["by"] = [grouping_to_members(grouping) for grouping in query.by]
    if query.where:
        members["where"] = [condition_to_members(c) for c in query.where]
    members |= own
    if query.rows_per_group is not None:
        members["rows_per_group"] = query.rows_per_group
    return members if query.noise == "auto" else {**members, "noise": query.noise}


def _own_member(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_own_member(one) for one in value]
    if isinstance(value, Condition):
        return condition_to_members(value)
    if isinstance(value, Delta | Decimal):
        return json_number(value if isinstance(value, Decimal) else value.as_decimal())
    return value


def amount_to_number(amount: Share) -> int | float:
    return json_number(amount.as_decimal())
