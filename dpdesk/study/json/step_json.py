# SPDX-License-Identifier: Apache-2.0
"""Steps in a study file: one form each, read, written and described in one place.

The first member of a form says which step it is: ``{"between": ["admission", "discharge"], "in":
"days"}``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final, cast

from dpdesk.study import limits
from dpdesk.study.json.condition_json import (
    condition_from,
    condition_to_members,
    json_number,
    read_day,
)
from dpdesk.study.json.json_reader import ObjectReader
from dpdesk.study.json.schema_values import Schema, reference
from dpdesk.study.json.strict_json import Members
from dpdesk.study.model.conditions import Condition
from dpdesk.study.model.steps.step import (
    DATE_PARTS,
    OPERATIONS,
    PERSON_VALUES,
    ROW_NEIGHBOURS,
    STEPS,
    TIME_UNITS,
    Arithmetic,
    Bands,
    BesideRow,
    CodePrefix,
    DatePart,
    FileLabel,
    FirstThere,
    Holds,
    OfCase,
    OfPerson,
    OfRows,
    Operand,
    Recode,
    RecodeEntry,
    Step,
    TimeBetween,
)

PAIR: Final = 2
_LABEL: Final = "label"


@dataclass(frozen=True)
class StepForm:
    """How one step is written.

    Attributes:
        keys: members of which exactly one says which step it is.
        read: the step of such a form; ``None`` where it has another problem.
        write: its members.
        schema: what each member may be.
        optional: members that may be left out.
    """

    keys: tuple[str, ...]
    read: Callable[[ObjectReader], Step | None]
    write: Callable[[Any], Members]
    schema: dict[str, Schema]
    optional: tuple[str, ...] = ()


def step_from(reader: ObjectReader) -> Step | None:
    """Read the step that a derived column's ``from`` is."""
    said = [(kind, key) for kind, form in FORMS.items() for key in form.keys if reader.has(key)]
    if len(said) == 1:
        return FORMS[said[0][0]].read(reader)
    reader.report("", "step-kind", choices=", ".join(k for f in FORMS.values() for k in f.keys))
    reader.excuse_rest()
    return None


def step_to_members(step: Step) -> Members:
    return FORMS[type(step)].write(step)


def _time_between(reader: ObjectReader) -> Step | None:
    ends = reader.mixed("between", _end, PAIR)
    unit = reader.choice("in", TIME_UNITS, TIME_UNITS[0])
    if len(ends) != PAIR:
        reader.report("between", "type-pair-of-ends")
        return None
    return TimeBetween((ends[0], ends[1]), cast(Any, unit))


def _end(reader: ObjectReader) -> date | None:
    day = read_day(reader, "day")
    if not reader.has("day"):
        reader.report("day", "missing-member")
    return day


def _time_members(step: TimeBetween) -> Members:
    ends = [end if isinstance(end, str) else {"day": end.isoformat()} for end in step.between]
    return {"between": ends, "in": step.unit}


def _entries(reader: ObjectReader) -> tuple[RecodeEntry, ...]:
    return reader.objects("to", _entry, limits.MAX_VALUES)


def _entry(reader: ObjectReader) -> RecodeEntry:
    return RecodeEntry(reader.text("value", required=True), reader.texts("of"))


def _entry_members(entries: tuple[RecodeEntry, ...]) -> list[Members]:
    return [{"value": entry.value, "of": list(entry.of)} for entry in entries]


def _recode(reader: ObjectReader) -> Step:
    return Recode(reader.text("recode"), _entries(reader))


def _recode_members(step: Recode) -> Members:
    return {"recode": step.column, "to": _entry_members(step.entries)}


def _code_prefix(reader: ObjectReader) -> Step:
    return CodePrefix(reader.text("codes"), _entries(reader), reader.whole("digits", 0))


def _prefix_members(step: CodePrefix) -> Members:
    digits = {"digits": step.digits} if step.digits else {}
    return {"codes": step.header, **digits, "to": _entry_members(step.entries)}


def _bands(reader: ObjectReader) -> Step:
    return Bands(reader.text("bands"), reader.numbers("edges"))


def _bands_members(step: Bands) -> Members:
    return {"bands": step.column, "edges": [json_number(edge) for edge in step.edges]}


def _holds(reader: ObjectReader) -> Step:
    how: Any = "any" if reader.has("any") else "all"
    return Holds(reader.objects(how, condition_from, limits.MAX_COLUMNS), how)


def _holds_members(step: Holds) -> Members:
    return {step.how: [condition_to_members(condition) for condition in step.conditions]}


def _arithmetic(reader: ObjectReader) -> Step | None:
    operation: Any = next(key for key in OPERATIONS if reader.has(key))
    value = reader.raw(operation)
    if not isinstance(value, list) or len(value) != PAIR:
        reader.report(operation, "type-pair-of-numbers")
        return None
    first, second = (_operand(reader, f"{operation}[{at}]", one) for at, one in enumerate(value))
    return None if first is None or second is None else Arithmetic(operation, (first, second))


def _operand(reader: ObjectReader, key: str, value: Any) -> Operand | Decimal | None:
    if isinstance(value, str):
        return Operand(value)
    if isinstance(value, dict):
        nested = ObjectReader(value, f"{reader.path}.{key}", reader.problems)
        return nested.read(_constant) if "number" in value else nested.read(_power)
    reader.report(key, "type-operand")
    return None


def _constant(reader: ObjectReader) -> Decimal | None:
    return reader.number("number")


def _power(reader: ObjectReader) -> Operand:
    return Operand(reader.text("column", required=True), reader.whole("power", 1))


def _arithmetic_members(step: Arithmetic) -> Members:
    return {step.operation: [_operand_member(operand) for operand in step.operands]}


def _operand_member(operand: Operand | Decimal) -> Any:
    if isinstance(operand, Decimal):
        return {"number": json_number(operand)}
    if operand.power == 1:
        return operand.column
    return {"column": operand.column, "power": operand.power}


def _date_part(reader: ObjectReader) -> Step:
    part = reader.choice("part", DATE_PARTS, DATE_PARTS[0])
    return DatePart(cast(Any, part), reader.text("of", required=True))


def _date_part_members(step: DatePart) -> Members:
    return {"part": step.part, "of": step.column}


def _first_there(reader: ObjectReader) -> Step:
    return FirstThere(reader.texts("first_of"))


def _first_members(step: FirstThere) -> Members:
    return {"first_of": list(step.columns)}


def _file_label(reader: ObjectReader) -> Step:
    reader.choice("file", (_LABEL,), _LABEL)
    return FileLabel()


def _file_label_members(step: FileLabel) -> Members:
    return {"file": _LABEL}


def _listed(item: Schema, most: int | None = None, least: int = 0) -> Schema:
    ends = {"minItems": least} if least else {}
    return {"type": "array", "items": item, "maxItems": most or limits.MAX_VALUES, **ends}


def _closed(members: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    required = [key for key in members if key not in optional]
    return {
        "type": "object",
        "required": required,
        "additionalProperties": False,
        "properties": members,
    }


def _of_person(reader: ObjectReader) -> Step:
    what = reader.choice("of_person", PERSON_VALUES, PERSON_VALUES[0])
    return OfPerson(cast(Any, what), *_taken(reader), reader.text("table"))


def _of_case(reader: ObjectReader) -> Step:
    what = reader.choice("of_case", PERSON_VALUES, PERSON_VALUES[0])
    return OfCase(cast(Any, what), *_taken(reader), reader.text("table", required=True))


def _taken(reader: ObjectReader) -> tuple[str | None, str | None, tuple[Condition, ...]]:
    """The column, the date that orders rows, and the conditions."""
    where = cast(Any, reader.objects("where", condition_from, limits.MAX_COLUMNS))
    return reader.text("column") or None, reader.text("by") or None, where


def _rows_members(step: OfRows) -> Members:
    way = "of_case" if isinstance(step, OfCase) else "of_person"
    table = {"table": step.table} if step.table else {}
    return {way: step.what, **table, **_given(step)}


def _beside_members(step: BesideRow) -> Members:
    return {"beside": step.what, **_given(step)}


def _given(step: OfRows | BesideRow) -> Members:
    members: Members = {key: getattr(step, key) for key in ("column", "by") if getattr(step, key)}
    if step.where:
        members["where"] = [condition_to_members(condition) for condition in step.where]
    return members


def _beside_row(reader: ObjectReader) -> Step:
    what = reader.choice("beside", ROW_NEIGHBOURS, ROW_NEIGHBOURS[0])
    column, by, where = _taken(reader)
    if by is None:
        reader.report("by", "missing-member")
    return BesideRow(cast(Any, what), by or "", column, where)


_TEXT, _WHOLE = reference("text"), reference("whole")
_POWER = _closed({"column": _TEXT, "power": {"enum": [1, 2]}}, ("power",))
_TO = {"to": _listed(_closed({"value": _TEXT, "of": reference("texts")}))}
_CONSTANT = _closed({"number": reference("number")})
_OPERANDS = _listed({"anyOf": [_TEXT, _CONSTANT, _POWER]}, PAIR, PAIR)
_CONDITIONS = _listed(reference("condition"), limits.MAX_COLUMNS)
_TAKEN = {"column": _TEXT, "by": _TEXT, "where": _CONDITIONS}

FORMS: Final[dict[type[Step], StepForm]] = {
    TimeBetween: StepForm(
        ("between",),
        _time_between,
        _time_members,
        {
            "between": _listed({"anyOf": [_TEXT, _closed({"day": reference("date")})]}, PAIR, PAIR),
            "in": {"enum": list(TIME_UNITS)},
        },
        ("in",),
    ),
    Recode: StepForm(("recode",), _recode, _recode_members, {"recode": _TEXT, **_TO}),
    CodePrefix: StepForm(
        ("codes",),
        _code_prefix,
        _prefix_members,
        {"codes": _TEXT, "digits": _WHOLE, **_TO},
        ("digits",),
    ),
    Bands: StepForm(
        ("bands",), _bands, _bands_members, {"bands": _TEXT, "edges": reference("numbers")}
    ),
    Holds: StepForm(
        ("all", "any"), _holds, _holds_members, {"all": _CONDITIONS, "any": _CONDITIONS}
    ),
    Arithmetic: StepForm(
        OPERATIONS, _arithmetic, _arithmetic_members, dict.fromkeys(OPERATIONS, _OPERANDS)
    ),
    DatePart: StepForm(
        ("part",),
        _date_part,
        _date_part_members,
        {"part": {"enum": list(DATE_PARTS)}, "of": _TEXT},
    ),
    FirstThere: StepForm(
        ("first_of",), _first_there, _first_members, {"first_of": reference("texts")}
    ),
    FileLabel: StepForm(("file",), _file_label, _file_label_members, {"file": {"const": _LABEL}}),
    OfPerson: StepForm(
        ("of_person",),
        _of_person,
        _rows_members,
        {"of_person": {"enum": list(PERSON_VALUES)}, "table": _TEXT, **_TAKEN},
        ("table", *_TAKEN),
    ),
    OfCase: StepForm(
        ("of_case",),
        _of_case,
        _rows_members,
        {"of_case": {"enum": list(PERSON_VALUES)}, "table": _TEXT, **_TAKEN},
        tuple(_TAKEN),
    ),
    BesideRow: StepForm(
        ("beside",),
        _beside_row,
        _beside_members,
        {"beside": {"enum": list(ROW_NEIGHBOURS)}, **_TAKEN},
        ("column", "where"),
    ),
}


def step_schema() -> Schema:
    """The schema of ``from``: one alternative for each way to say which step it is."""
    ways = [_way(kind, key) for kind in STEPS for key in FORMS[kind].keys]
    return {"description": "How a derived column is made from others.", "oneOf": ways}


def _way(kind: type[Step], key: str) -> Schema:
    form = FORMS[kind]
    members = {
        name: one for name, one in form.schema.items() if name == key or name not in form.keys
    }
    title = (kind.__doc__ or "").split("\n")[0].split(":")[0].rstrip(".")
    return {"title": title, **_closed(members, form.optional)}
