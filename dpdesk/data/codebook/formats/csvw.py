# SPDX-License-Identifier: Apache-2.0
"""CSVW metadata (https://www.w3.org/TR/tabular-metadata/): columns, datatypes, null."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from dpdesk.data.codebook.formats.draft import Draft
from dpdesk.data.codebook.formats.json_text import (
    a_text,
    an_object,
    objects,
    some_texts,
    value_text,
)
from dpdesk.data.codebook.formats.texts import date_format, day, number
from dpdesk.study.json.strict_json import Json
from dpdesk.study.model.dates import ISO
from dpdesk.study.problem import refuse

CONTEXT = "http://www.w3.org/ns/csvw"
_ANY_INTEGER = ("integer", "long", "int", "short", "byte", "gYear")
_AT_LEAST = {
    "nonNegativeInteger": 0,
    "positiveInteger": 1,
    "unsignedLong": 0,
    "unsignedInt": 0,
    "unsignedShort": 0,
    "unsignedByte": 0,
}
_NUMBERS = ("decimal", "double", "float", "number")
_TEXTS = ("string", "normalizedString", "token", "Name", "NMTOKEN", "language")
_MOMENTS = ("dateTime", "datetime", "dateTimeStamp")
_TIMES = ("time", "duration", "dayTimeDuration")
_TITLES = ("dc:title", "rdfs:label", "schema:name", "skos:prefLabel", "dc:description")
_UNITS = ("schema:unitText", "schema:unitCode", "unit", "qudt:unit", "qb:unitMeasure")
_TRUE, _FALSE = ("true", "1"), ("false", "0")


def is_csvw(members: dict[str, Json]) -> bool:
    """Whether a document says that it is CSVW metadata. The address is compared, not fetched."""
    context = members.get("@context")
    first = context[0] if isinstance(context, list) and context else context
    return isinstance(first, str) and first.rstrip("/") == CONTEXT


def read_csvw(table: Json, path: str, above: dict[str, Json]) -> Iterator[Draft]:
    """The columns of a table's description; virtual ones are in no file.

    Raises:
        Refused: at the path of what is not as CSVW has it.
    """
    members = an_object(table, path)
    schema, place = members.get("tableSchema"), f"{path}.tableSchema"
    if schema is None:
        schema = above.get("tableSchema")
    if isinstance(schema, str):
        raise refuse("codebook-elsewhere", place)
    described = an_object(schema, place)
    inherited = [an_object(above, "$"), members, described]
    keys = some_texts(described.get("primaryKey"), f"{place}.primaryKey")
    for at, column in objects(described.get("columns"), f"{place}.columns"):
        if column.get("virtual") is not True and column.get("suppressOutput") is not True:
            yield _column(column, at, inherited, keys)


def _column(
    column: dict[str, Json], path: str, inherited: list[dict[str, Json]], keys: tuple[str, ...]
) -> Draft:
    titles = _titles(column.get("titles"), f"{path}.titles")
    id_ = a_text(column.get("name"), f"{path}.name")
    draft = Draft(titles[0] if titles else id_, path)
    null = some_texts(_nearest("null", column, inherited), f"{path}.null")
    draft.say(
        title=_first_text(column, _TITLES, path),
        label=_first_text(column, _UNITS, path),
        missing_values=tuple(text for text in null if text.strip()),
    )
    if len(keys) == 1 and keys[0] in (id_, draft.name):
        draft.note("codebook-record-id")
    elif _nearest("separator", column, inherited) is not None:
        draft.note("codebook-several-choices")
    else:
        _kind(draft, _nearest("datatype", column, inherited))
    return draft


def _nearest(key: str, column: dict[str, Json], inherited: list[dict[str, Json]]) -> Json:
    """An inherited property: the column's own, else the schema's, the table's, the group's."""
    return next((m[key] for m in (column, *reversed(inherited)) if m.get(key) is not None), None)


def _titles(value: Json, path: str) -> tuple[str, ...]:
    """The headers a column may have; of several languages, the first."""
    if isinstance(value, dict):
        value = next(iter(value.values()), None)
    return some_texts(value, path)


def _first_text(column: dict[str, Json], keys: tuple[str, ...], path: str) -> str:
    for key in keys:
        value = column.get(key)
        if isinstance(value, dict):
            value = value.get("@value")
        if isinstance(value, str) and value.strip():
            return a_text(" ".join(value.split()), f"{path}.{key}")
    return ""


def _kind(draft: Draft, datatype: Json) -> None:
    described = datatype if isinstance(datatype, dict) else {"base": datatype}
    base = a_text(described.get("base"), f"{draft.place}.datatype.base") or "string"
    if base in _ANY_INTEGER or base in _AT_LEAST:
        draft.say(step=Decimal(1))
        if base in _AT_LEAST:
            draft.say(lower=Decimal(_AT_LEAST[base]))
        _number(draft, described)
    elif base in _NUMBERS:
        _number(draft, described)
    elif base == "boolean":
        _boolean(draft, described)
    elif base in ("date", *_MOMENTS):
        _date(draft, described)
    elif base in _TEXTS:
        draft.kind = "category"
    else:
        draft.note("codebook-time" if base in _TIMES else "codebook-type-unused")


def _bounds(draft: Draft, described: dict[str, Json]) -> Iterator[tuple[int, str]]:
    """Each bound as text, with 0 for the lower and 1 for the upper one."""
    for place, keys in enumerate((("minInclusive", "minimum"), ("maxInclusive", "maximum"))):
        key = next((key for key in keys if described.get(key) is not None), None)
        if key is not None:
            yield place, value_text(described[key], f"{draft.place}.datatype.{key}")
    if described.keys() & {"minExclusive", "maxExclusive"}:
        draft.note("codebook-bound-exclusive")


def _number(draft: Draft, described: dict[str, Json]) -> None:
    draft.kind = "number"
    for place, text in _bounds(draft, described):
        bound = number(text)
        if bound is None:
            draft.note("codebook-bound-invalid")
        draft.say(**{("lower", "upper")[place]: bound})
    written = described.get("format")
    if isinstance(written, dict):
        mark = written.get("decimalChar")
        draft.say(decimal=mark if mark in (".", ",") else None)
        if written.keys() - {"decimalChar", "pattern"} or "decimal" not in draft.said:
            draft.note("codebook-number-format")


def _boolean(draft: Draft, described: dict[str, Json]) -> None:
    """A format ``Y|N`` names the two texts."""
    draft.kind = "yes-no"
    yes, bar, no = a_text(described.get("format"), f"{draft.place}.datatype.format").partition("|")
    named = bool(bar and yes.strip() and no.strip())
    draft.say(yes=(yes.strip(),) if named else _TRUE, no=(no.strip(),) if named else _FALSE)


def _date(draft: Draft, described: dict[str, Json]) -> None:
    draft.kind = "date"
    pattern = a_text(described.get("format"), f"{draft.place}.datatype.format")
    known = date_format(pattern) if pattern else ISO
    if known is None:
        draft.note("codebook-date-format")
    draft.say(format=known)
    for place, text in _bounds(draft, described):
        date = day(text, known)
        if date is None:
            draft.note("codebook-bound-invalid")
        draft.say(**{("first", "last")[place]: date})
