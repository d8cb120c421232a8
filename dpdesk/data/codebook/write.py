# SPDX-License-Identifier: Apache-2.0
"""A study's declarations as a Frictionless Table Schema (version 2)."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from dpdesk.data.codebook.formats.recipes import DERIVED
from dpdesk.data.codebook.formats.table_schema import OWN
from dpdesk.data.codebook.formats.texts import date_format, date_signs
from dpdesk.data.codebook.sources import stated_source
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.json.study_writer import column_to_members
from dpdesk.study.model.columns import (
    NO_ORIGIN,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
)
from dpdesk.study.model.dates import ISO, STAMP, day_to_text, needs_pivot
from dpdesk.study.model.document import Study
from dpdesk.study.problem import refuse

PROFILE = "https://datapackage.org/profiles/2.0/tableschema.json"
_RULES = ("missing", "unparsable", "outside", "unknown")
Members = dict[str, Any]


def table_schema(study: Study) -> Members:
    """The declared columns of the file, without any data and without the queries.

    What the standard has no word for is in the property ``dpdesk`` of a field: the step, the
    rules for invalid cells, how cells are compared, and the basis. A reader looks for every field
    in the file, so that derived columns, and those of further tables, are no fields: their
    declarations, each as in a study, are in the property ``dpdesk`` of the schema.
    """
    missing = study.data.missing if study.data else ()
    fields = [column for column in study.columns if _is_field(column)]
    derived = [_declaration(column) for column in study.columns if not _is_field(column)]
    return {
        "$schema": PROFILE,
        "fields": [_field(column, missing) for column in fields],
        "missingValues": _markers(missing),
        **({OWN: {DERIVED: derived}} if derived else {}),
    }


def _is_field(column: Column) -> bool:
    return column.made_from is None and not column.table


def _declaration(column: Column) -> Members:
    """A column as in a study, with its source in words alone."""
    source = stated_source(_without_schema(column))
    return column_to_members(replace(column, basis=source, origin=NO_ORIGIN))


def schema_to_bytes(schema: Members) -> bytes:
    """A schema's file: UTF-8, indented, one final line feed."""
    return (json.dumps(schema, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def write_schema(study: Study, path: Path) -> None:
    """Write the declarations as a Table Schema, whole or not at all.

    Raises:
        Refused: ``codebook-file-unwritable`` (name).
    """
    try:
        write_whole(path, schema_to_bytes(table_schema(study)), handed_out=True)
    except OSError:
        raise refuse("codebook-file-unwritable", name=path.name) from None


def _markers(texts: tuple[str, ...]) -> list[str]:
    """The markers for missing; the empty cell always is one."""
    return list(dict.fromkeys(["", *texts]))


def _field(column: Column, missing: tuple[str, ...]) -> Members:
    members = column_to_members(column)
    field: Members = {"name": column.name, **_domain(column, members)}
    if column.title:
        field["title"] = column.title
    if column.label:
        field["unit"] = column.label
    if column.missing_values:
        field["missingValues"] = _markers((*missing, *column.missing_values))
    own = {key: members[key] for key in ("step", "pivot", "reads", *_RULES) if key in members}
    if source := stated_source(_without_schema(column)):
        own["basis"] = source
    if isinstance(column, CategoryColumn | YesNoColumn):
        own["compare"] = column.compare
    if isinstance(column, DateColumn) and date_format(field.get("format", "")) != column.format:
        own["format"] = column.format
    return {**field, OWN: own}


def _without_schema(column: Column) -> Column:
    """The column without its being from a Table Schema, as it will be once it is read from one."""
    if column.origin.codebook != "table-schema":
        return column
    return replace(column, origin=replace(column.origin, codebook=None))


def _domain(column: Column, members: Members) -> Members:
    if isinstance(column, NumberColumn):
        type_ = "integer" if _is_whole(column) else "number"
        mark = {"decimalChar": column.decimal} if column.decimal else {}
        return {"type": type_, **mark, **_limits(members.get("lower"), members.get("upper"))}
    if isinstance(column, DateColumn):
        signs = date_signs(column.format)
        format_ = {} if column.format == ISO else {"format": signs}
        known = date_format(signs) or ISO
        shown = ISO if needs_pivot(known) else known
        first, last = column.first, column.last
        ends = [None if d is None else day_to_text(d, shown) for d in (first, last)]
        type_ = "datetime" if column.format == STAMP else "date"
        return {"type": type_, **format_, **_limits(*ends)}
    if isinstance(column, YesNoColumn):
        yes = {"trueValues": list(column.yes)} if column.yes else {}
        no = {"falseValues": list(column.no)} if column.no else {}
        return {"type": "boolean", **yes, **no}
    return {"type": "string", **_values(column)}


def _is_whole(column: NumberColumn) -> bool:
    if column.lower is None or column.step is None:
        return False
    return all(value == value.to_integral_value() for value in (column.lower, column.step))


def _limits(lowest: str | int | Decimal | None, highest: str | int | Decimal | None) -> Members:
    ends = {"minimum": lowest, "maximum": highest}
    limits = {key: end for key, end in ends.items() if end is not None}
    return {"constraints": limits} if limits else {}


def _values(column: CategoryColumn) -> Members:
    if not column.values:
        return {}
    result: Members = {"constraints": {"enum": list(column.values)}}
    if len(column.labels) == len(column.values):
        pairs = zip(column.values, column.labels, strict=True)
        result["categories"] = [{"value": value, "label": label} for value, label in pairs]
    return result
