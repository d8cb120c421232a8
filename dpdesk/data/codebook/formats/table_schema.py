# SPDX-License-Identifier: Apache-2.0
"""Frictionless Table Schemas, alone or in a Data Package, of versions 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from dpdesk.data.codebook.formats.draft import Draft, LabelledCode
from dpdesk.data.codebook.formats.json_text import (
    a_text,
    an_object,
    objects,
    some_texts,
    value_text,
)
from dpdesk.data.codebook.formats.recipes import Recipe, read_listed, read_recipes
from dpdesk.data.codebook.formats.texts import date_format, day, number
from dpdesk.study.json.strict_json import Json
from dpdesk.study.json.study_reader import reading_from
from dpdesk.study.model.columns import CATEGORY, CLAMP, DROP, Replace
from dpdesk.study.model.dates import DATE_FORMATS, ISO
from dpdesk.study.model.text_folding import COMPARISONS
from dpdesk.study.problem import refuse
from dpdesk.study.suggest.identifiers import identifier_kind

_TRUE = ("true", "True", "TRUE", "1")
_FALSE = ("false", "False", "FALSE", "0")
_TIMES = ("time", "yearmonth", "duration")
_LISTED = ("string", "integer", "number", "any", "year", "")
_RULES = ("missing", "unparsable", "outside", "unknown")
OWN = "dpdesk"
"""The property that holds what a Table Schema has no word for."""


def read_schema(value: Json, path: str) -> Iterator[Draft | Recipe]:
    """The variables of a Table Schema, in order; then what dpdesk declares beside them.

    Raises:
        Refused: at the path of what is not as a Table Schema has it.
    """
    if isinstance(value, str):
        raise refuse("codebook-elsewhere", path)
    schema = an_object(value, path)
    missing = _markers(schema.get("missingValues"), f"{path}.missingValues")
    keys = some_texts(schema.get("primaryKey"), f"{path}.primaryKey")
    for place, field in objects(schema.get("fields"), f"{path}.fields"):
        yield _field(field, place, missing, keys)
    yield from read_recipes(schema.get(OWN), f"{path}.{OWN}")


def _field(field: dict[str, Json], path: str, missing: tuple[str, ...], keys: Json) -> Draft:
    draft = Draft(a_text(field.get("name"), f"{path}.name"), path)
    own_markers = field.get("missingValues")
    if own_markers is not None:
        missing = _markers(own_markers, f"{path}.missingValues")
    draft.say(
        title=a_text(field.get("title"), f"{path}.title"),
        label=a_text(field.get("unit"), f"{path}.unit"),
        missing_values=missing,
    )
    declared = identifier_kind("", "", a_text(field.get("format"), f"{path}.format"))
    draft.identifier = declared is not None and declared.is_direct
    limits = an_object(field.get("constraints"), f"{path}.constraints")
    if keys == (draft.name,) or limits.get("unique") is True:
        draft.note("codebook-record-id")
    else:
        _kind(draft, field, limits)
    _own(draft, field)
    return draft


def _markers(value: Json, path: str) -> tuple[str, ...]:
    """Markers for missing: texts, or since version 2 objects with a value."""
    if not isinstance(value, list):
        return () if value is None else some_texts(value, path)
    plain = [item.get("value") if isinstance(item, dict) else item for item in value]
    return tuple(text for text in some_texts(plain, path) if text.strip())


def _kind(draft: Draft, field: dict[str, Json], limits: dict[str, Json]) -> None:
    type_ = a_text(field.get("type"), f"{draft.place}.type")
    choices = _choices(field, limits, draft.place)
    if choices and type_ in _LISTED:
        draft.choose(choices)
    elif type_ in ("integer", "number", "year"):
        _number(draft, limits, is_whole=type_ != "number")
        mark = field.get("decimalChar")
        draft.say(decimal=mark if mark in (".", ",") else None)
        if mark not in (None, ".", ",") or field.get("groupChar"):
            draft.note("codebook-number-format")
    elif type_ == "boolean":
        draft.kind = "yes-no"
        yes = some_texts(field.get("trueValues"), f"{draft.place}.trueValues")
        no = some_texts(field.get("falseValues"), f"{draft.place}.falseValues")
        draft.say(yes=yes or _TRUE, no=no or _FALSE)
    elif type_ in ("date", "datetime"):
        _date(draft, field, limits)
    elif type_ == "string":
        draft.kind = "category"
    elif type_ in _TIMES:
        draft.note("codebook-time")
    else:
        draft.note("codebook-type-unsaid" if type_ in ("", "any") else "codebook-type-unused")


def _choices(
    field: dict[str, Json], limits: dict[str, Json], path: str
) -> tuple[LabelledCode, ...]:
    """The listed values: categories with labels come before an enumeration."""
    listed = field.get("categories")
    if listed is not None:
        place = f"{path}.categories"
        if not isinstance(listed, list):
            raise refuse("type-list", place)
        return tuple(_category(item, f"{place}[{i}]") for i, item in enumerate(listed))
    values = some_texts(limits.get("enum"), f"{path}.constraints.enum")
    return tuple((value, value) for value in values)


def _category(item: Json, path: str) -> LabelledCode:
    if not isinstance(item, dict):
        return value_text(item, path), ""
    value = value_text(item.get("value"), f"{path}.value")
    return value, a_text(item.get("label"), f"{path}.label")


def _number(draft: Draft, limits: dict[str, Json], *, is_whole: bool) -> None:
    draft.kind = "number"
    draft.say(step=Decimal(1) if is_whole else None)
    for key, member in (("minimum", "lower"), ("maximum", "upper")):
        value = limits.get(key)
        number = None if value is None else _as_number(value)
        if value is not None and number is None:
            draft.note("codebook-bound-invalid")
        draft.say(**{member: number})
    _exclusive(draft, limits)


def _exclusive(draft: Draft, limits: dict[str, Json]) -> None:
    if {"exclusiveMinimum", "exclusiveMaximum"} & limits.keys():
        draft.note("codebook-bound-exclusive")


def _as_number(value: Json) -> Decimal | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Decimal):
        return Decimal(value)
    return number(value) if isinstance(value, str) else None


def _date(draft: Draft, field: dict[str, Json], limits: dict[str, Json]) -> None:
    draft.kind = "date"
    pattern = a_text(field.get("format"), f"{draft.place}.format")
    known = ISO if pattern in ("", "default", "any") else date_format(pattern)
    if known is None:
        draft.note("codebook-date-format")
    draft.say(format=known)
    for key, member in (("minimum", "first"), ("maximum", "last")):
        value = limits.get(key)
        date = day(value, known) if isinstance(value, str) else None
        if value is not None and date is None:
            draft.note("codebook-today" if value == "today" else "codebook-bound-invalid")
        draft.say(**{member: date})
    _exclusive(draft, limits)


def _own(draft: Draft, field: dict[str, Json]) -> None:
    """What a schema that dpdesk wrote says beyond the standard: step, rules, comparison, basis."""
    own = field.get(OWN)
    if not isinstance(own, dict) or not draft.kind:
        return
    draft.say(step=_as_number(own.get("step")))
    draft.say(reads=read_listed(own, "reads", reading_from, f"{draft.place}.{OWN}"))
    draft.say(**{key: _rule(own.get(key)) for key in _RULES})
    draft.say(compare=next((way for way in COMPARISONS if way == own.get("compare")), None))
    if draft.kind == "date":
        format_, pivot = own.get("format"), own.get("pivot")
        draft.say(format=format_ if format_ in DATE_FORMATS else None)
        is_year = isinstance(pivot, int) and not isinstance(pivot, bool)
        draft.say(pivot=pivot if is_year else None)
    draft.source = a_text(own.get("basis"), f"{draft.place}.{OWN}.basis")


def _rule(value: Json) -> str | Replace | None:
    if isinstance(value, dict):
        constant = value.get("replace")
        if isinstance(constant, str):
            return Replace(constant)
        number = _as_number(constant)
        return None if number is None else Replace(number)
    return value if value in (DROP, CLAMP, CATEGORY) else None
