# SPDX-License-Identifier: Apache-2.0
"""The published schema of study files, made from the declarations.

``python -m dpdesk.study.json.schema`` writes it to ``resources/``. What a member may hold follows
from its type and its default, its description is the one in its class's docstring. What is said
here is what types cannot say: how texts and amounts are written, and which members say the same
thing in a file in another way than in a :class:`Study`.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from datetime import date
from decimal import Decimal
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from dpdesk.resources import resource_path
from dpdesk.study import limits
from dpdesk.study.json.schema_values import Schema, reference, value_schemas
from dpdesk.study.json.step_json import step_schema
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.baseline.declared import BaselineTable, Characteristic
from dpdesk.study.model.columns import (
    CategoryColumn,
    CellReading,
    Column,
    DateColumn,
    NumberColumn,
    Origin,
    Replace,
    YesNoColumn,
)
from dpdesk.study.model.conditions import Between, Condition, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.dates import STATED_FORMATS
from dpdesk.study.model.document import STUDY_VERSION, Study
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.parameters import (
    MEMBERS,
    IncidenceParameters,
    PropertyParameters,
    RateParameters,
    ReferenceParameters,
    StandardParameters,
    TimeToEventParameters,
)
from dpdesk.study.model.periods import PERIODS
from dpdesk.study.model.queries import GroupComparison, Query, SyntheticRows
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.model.steps.step import STEPS
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import RECOGNISED, Budget, DataSource, IdShape, Unit

_NULL: Schema = {"type": "null"}
_NAMES: dict[Any, str] = {
    **{str: "text", int: "whole", Decimal: "number", date: "date", Replace: "replace"},
    **{Epsilon: "amount", Rho: "rho", Delta: "delta", Condition: "condition", Column: "column"},
    **{tuple[str, ...]: "texts", tuple[Decimal, ...]: "numbers", Query: "query"},
    **{DataSource: "data", Unit: "unit", Budget: "budget", Bins: "bins", Periods: "periods"},
    Origin: "origin",
    CellReading: "reading",
    IdShape: "id_shape",
    FurtherTable: "table",
    BaselineTable: "baseline_table",
    Characteristic: "characteristic",
    SyntheticRows: "synthetic_rows",
    GroupComparison: "comparison",
}
"""The definition of each type; other types are written where they are used."""

_REPLACES = ' {"replace": constant} puts a declared constant in its place.'
_MOST = {
    (Study, "columns"): limits.MAX_COLUMNS,
    (Study, "tables"): limits.MAX_TABLES,
    (DataSource, "more"): limits.MAX_FILES,
    (Study, "queries"): limits.MAX_QUERIES,
    (Study, "baseline_tables"): limits.MAX_BASELINES,
    (BaselineTable, "by"): 1,
    (BaselineTable, "where"): limits.MAX_COLUMNS,
    (BaselineTable, "characteristics"): limits.MAX_COLUMNS,
    (NumberColumn, "reads"): limits.MAX_VALUES,
    (Query, "by"): limits.MAX_VALUES,
    (Query, "where"): limits.MAX_COLUMNS,
    (Query, "comparisons"): limits.MAX_COMPARISONS,
    (PropertyParameters, "has"): limits.MAX_COLUMNS,
    (TimeToEventParameters, "has"): limits.MAX_COLUMNS,
    (IncidenceParameters, "has"): limits.MAX_COLUMNS,
    (RateParameters, "has"): limits.MAX_COLUMNS,
    (StandardParameters, "has"): limits.MAX_COLUMNS,
    (ReferenceParameters, "has"): limits.MAX_COLUMNS,
}
"""How long lists of objects may be."""
_NOT_IN_FILES = {(Query, "parameters"), (Query, "stray"), (Query, "component")}
"""What a file has member by member."""
_OTHER_NAMES = {"made_from": "from", "value": "as"}
"""What a member is called in a file, where Python keeps the word for itself."""
_QUERY_MEMBERS = (
    *("id", "statistic", "column", "by", "where", "epsilon", "expected", "title"),
    *MEMBERS[1:-1],
    *(
        "rho",
        "delta",
        "noise",
        "of",
        "population",
        "whole_numbers",
        "comparisons",
        "rows_per_group",
    ),
)


def study_schema() -> Schema:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://dpdesk.org/schemas/study/v{STUDY_VERSION}.json",
        "title": "dpdesk study",
        "description": (
            "Everything that a data custodian declares before any data is touched; it holds no "
            f"data. The file is JSON in UTF-8, at most {limits.MAX_STUDY_BYTES:,} bytes and "
            f"{limits.MAX_DEPTH} levels deep, without duplicate members, NaN or Infinity; numbers "
            f"have at most {limits.MAX_SIGNIFICANT_DIGITS} significant digits, and null says the "
            "same as leaving a member out. This schema is the structure that dpdesk reads. Whether "
            "a study is complete and makes sense is judged afterwards; the descriptions say what "
            "is asked then."
        ),
        **_object(Study, dpdesk=_version()),
        "$defs": {**value_schemas(), **_parts()},
    }


def _version() -> Schema:
    return {"description": "Version of this format; an integer.", "const": STUDY_VERSION}


def _parts() -> dict[str, Schema]:
    kinds = (NumberColumn, CategoryColumn, YesNoColumn, DateColumn)
    return {
        "data": _object(DataSource),
        "unit": _object(Unit),
        "id_shape": _object(IdShape),
        "table": _object(FurtherTable),
        "budget": _object(Budget),
        "column": {
            "description": "One column. Its kind decides what else is declared.",
            "oneOf": [reference(f"{kind.kind}-column") for kind in kinds],
        },
        **{f"{kind.kind}-column": _titled(kind) | _object(kind) for kind in kinds},
        "origin": _object(Origin),
        "reading": _object(CellReading),
        "step": step_schema(),
        "replace": _replace(),
        "query": _query(),
        "baseline_table": _object(BaselineTable),
        "synthetic_rows": _object(SyntheticRows),
        "characteristic": _object(Characteristic),
        "comparison": _object(GroupComparison),
        "condition": {
            "description": (
                "One condition on a declared column; exactly one of in, not_in, between, from with "
                "to, and missing."
            ),
            "oneOf": [_condition(kind, own) for kind, own in _CONDITIONS.items()],
        },
        "bins": _grouping(Bins, {"edges": reference("numbers")}, "period"),
        "periods": _grouping(Periods, {"period": {"enum": list(PERIODS)}}, "edges"),
    }


def _query() -> Schema:
    """A query with the parameters of every statistic beside its other members."""
    schema, members = _object(Query), dict[str, Schema]()
    kinds: list[type] = [declared.parameters for declared in DECLARATIONS.values()]
    for kind in (Query, *kinds):
        members |= _object(kind)["properties"]
    return schema | {"properties": {key: members[key] for key in _QUERY_MEMBERS}}


def _replace() -> Schema:
    constant = (
        "A number between the bounds, one of the listed values, or a day of the period as "
        "YYYY-MM-DD."
    )
    either = {"anyOf": [reference("number"), reference("text")]}
    return {
        "title": "Put a constant in its place",
        **_closed({"replace": {"description": constant, **either}}, ["replace"]),
    }


_CONDITIONS: dict[type, dict[str, Schema]] = {
    IsIn: {"in": {"$ref": "#/$defs/texts"}},
    IsNotIn: {"not_in": {"$ref": "#/$defs/texts"}},
    Between: {
        "between": {
            **{"type": "array", "items": {"$ref": "#/$defs/number"}},
            **{"minItems": 2, "maxItems": 2},
        }
    },
    DateBetween: {"from": {"$ref": "#/$defs/date"}, "to": {"$ref": "#/$defs/date"}},
    IsMissing: {"missing": {"type": "boolean"}},
}
"""What each condition is in a file."""


def _condition(kind: type, own: dict[str, Schema]) -> Schema:
    """A condition; the members of the others say nothing in it."""
    others = {key: _NULL for keys in _CONDITIONS.values() for key in keys if key not in own}
    column = {"description": "Name of a declared column.", **reference("text")}
    return _titled(kind) | _closed({"column": column, **own, **others}, ["column", *own])


def _grouping(kind: type, own: dict[str, Schema], other: str) -> Schema:
    said = _descriptions(kind)
    column = {"description": said["column"], **reference("text")}
    own = {key: {"description": said[key], **schema} for key, schema in own.items()}
    none = {"description": f"{kind.__name__} have none.", **_NULL}
    members = {"column": column, **own, other: none}
    return {"description": _first_sentence(kind), **_closed(members, ["column", *own])}


def _object(kind: type, **more: Schema) -> Schema:
    hints, said = get_type_hints(kind), _descriptions(kind)
    members = dict(more)
    required = list(more)
    for member in fields(kind):
        own = member.name
        name = _OTHER_NAMES.get(own, own)
        if (kind, own) in _NOT_IN_FILES:
            continue
        # One that tells classes apart; another is a choice like all others.
        is_of_class = name == "kind" and len(get_args(hints[own])) < 2
        if is_of_class:
            members[name] = {"const": member.default}
        else:
            rule = _REPLACES if Replace in _alternatives(hints[own]) else ""
            members[name] = {"description": said[own] + rule}
            members[name] |= _member(kind, member, hints[own])
        if is_of_class or member.default is MISSING:
            required.append(name)
    return _closed(members, required)


def _closed(members: dict[str, Schema], required: list[str]) -> Schema:
    needed = {"required": required} if required else {}
    return {"type": "object", **needed, "additionalProperties": False, "properties": members}


def _member(kind: type, member: Field[Any], hint: Any) -> Schema:
    """What a member may hold; null where it may be left out."""
    result = _SPECIAL.get((kind, member.name)) or _of_type(hint, _MOST.get((kind, member.name)))
    if member.default is MISSING:
        return result
    default = member.default
    is_said = isinstance(default, bool | int | str) and (default != "" or "enum" in result)
    return _or_null(result) | ({"default": default} if is_said else {})


def _of_type(hint: Any, most: int | None = None) -> Schema:
    alternatives = [kind for kind in _alternatives(hint) if kind is not NoneType]
    words = [
        word for kind in alternatives if get_origin(kind) is Literal for word in get_args(kind)
    ]
    kinds = [kind for kind in alternatives if get_origin(kind) is not Literal]
    if words:
        enum: Schema = {"enum": words}
        return {"anyOf": [enum, *map(_of_type, kinds)]} if kinds else enum
    if hint in _NAMES:
        return reference(_NAMES[hint])
    if alternatives and set(alternatives) == set(STEPS):
        return reference("step")
    if hint is bool:
        return {"type": "boolean"}
    if most is not None:
        return {"type": "array", "items": _of_type(get_args(hint)[0]), "maxItems": most}
    return _of_type(kinds[0]) if len(kinds) == 1 else {"anyOf": [_of_type(kind) for kind in kinds]}


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _or_null(schema: Schema) -> Schema:
    """The schema, or null, which says the same as leaving the member out."""
    if "enum" in schema:
        return schema | {"enum": [*schema["enum"], None]}
    if isinstance(schema.get("type"), str):
        return schema | {"type": [schema["type"], "null"]}
    if "$ref" in schema:
        return {"anyOf": [schema, _NULL]}
    first, *rest = schema["anyOf"]
    return {"anyOf": [_or_null(first), *rest] if "enum" in first else [first, *rest, _NULL]}


_SPECIAL: dict[tuple[type, str], Schema] = {
    (DataSource, "path"): {"$ref": "#/$defs/path"},
    (DataSource, "catalogue"): {"$ref": "#/$defs/path"},
    (DataSource, "separator"): {"anyOf": [{"$ref": "#/$defs/text"}, {"const": "\t"}]},
    (DataSource, "by_hand"): {"type": "array", "items": {"enum": list(RECOGNISED)}},
    (DateColumn, "format"): {"enum": list(STATED_FORMATS)},
}
"""Members whose type does not say all."""


def _titled(kind: type) -> Schema:
    return {"title": _first_sentence(kind).rstrip(".")}


def _first_sentence(kind: type) -> str:
    text = " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.;]) ", text)[0].rstrip(".;").replace("`", "") + "."


def _descriptions(kind: type) -> dict[str, str]:
    """What a class and those it inherits from say of their attributes, as sentences."""
    said: dict[str, str] = {}
    for parent in reversed(kind.__mro__):
        said |= dict(_attributes(inspect.cleandoc(parent.__doc__ or "")))
    return said


def _attributes(docstring: str) -> Iterator[tuple[str, str]]:
    """Each attribute of a docstring, and what it says of it.

    >>> dict(_attributes("Attributes:\\n    first: the\\n        first."))
    {'first': 'The first.'}
    """
    _, _, section = docstring.partition("Attributes:\n")
    for entry in re.findall(r"^ {4}(\w+: .*(?:\n {8}.*)*)", section.split("\n\n")[0], re.M):
        name, _, text = entry.partition(": ")
        text = " ".join(text.split())
        yield name, text[0].upper() + text[1:]


if __name__ == "__main__":
    place = resource_path("study.schema.json")
    place.write_text(json.dumps(study_schema(), indent=2) + "\n", encoding="ascii", newline="\n")
