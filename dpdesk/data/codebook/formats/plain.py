# SPDX-License-Identifier: Apache-2.0
"""Plain codebooks: a row a variable, with name, type, min, max, values, in any order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import groupby
from typing import cast

from dpdesk.data.codebook.formats.choices import plain_choices, plain_range
from dpdesk.data.codebook.formats.csv_text import Sheet, header_key
from dpdesk.data.codebook.formats.draft import Draft, DraftKind, LabelledCode
from dpdesk.data.codebook.formats.plain_words import COMMA, FREE, KINDS, ROLES, TIMED, WHOLE, YES
from dpdesk.data.codebook.formats.texts import date_format, day, is_ambiguous, number, says_nothing
from dpdesk.study.model.columns import plain_name
from dpdesk.study.model.dates import ISO

_DESCRIPTIVE = frozenset({"type", "min", "max", "values", "unit"})
_OF_PEOPLE = frozenset({"name", "item", "code", "value", "wert"})
"""Headers of tables of other things, too, where no more than two columns are there."""

_Cells = Mapping[str, str]
_Line = tuple[int, dict[str, str]]


def is_plain(keys: tuple[str, ...]) -> bool:
    """Whether a header is one of a codebook: a name, and two things or its values said about it.

    Most of its cells must be known words: a file of people may well have a name and a type.
    """
    named = [key for key in keys if key]
    roles = {ROLES[key] for key in named if key in ROLES}
    known = sum(key in ROLES for key in named)
    is_descriptive = bool(roles & _DESCRIPTIVE)
    is_pair = len(named) == 2 and roles == {"name", "values"} and not _OF_PEOPLE & set(named)
    is_table = is_descriptive and len(roles) >= 3 and 2 * known >= len(named)
    return "name" in roles and (is_table or is_pair)


def is_code_list(keys: tuple[str, ...]) -> bool:
    """Whether a header is that of codes and their names alone: nothing says of which column."""
    roles = [ROLES.get(key) for key in keys if key]
    return sorted(roles, key=str) == ["title", "values"]


def read_plain(sheet: Sheet) -> Iterator[Draft]:
    """The variables of a plain codebook; remarks below the table are passed over."""
    headers: dict[str, str] = {}
    for key in sheet.keys:
        headers.setdefault(ROLES.get(key, ""), key)
    headers.pop("", None)
    for (line, cells), codes in _joined_codes(_variables(sheet, headers)):
        if codes:
            draft = Draft(cells["name"], f"line {line}")
            draft.choose(codes)
            yield draft
            continue
        if any(cells[role] for role in cells if role != "name"):
            yield _variable(cells, line)
        elif len(plain_name(cells["name"]).split()) == 1:
            draft = Draft(cells["name"], f"line {line}")
            draft.note("codebook-type-unsaid")
            yield draft


def _variables(sheet: Sheet, headers: _Cells) -> Iterator[_Line]:
    for line, row in sheet.rows:
        cells = {role: _cell(row.get(header, "")) for role, header in headers.items()}
        yield line, {**cells, "name": row.get(headers["name"], "")}


def _joined_codes(rows: Iterator[_Line]) -> Iterator[tuple[_Line, tuple[LabelledCode, ...]]]:
    """Each variable's row; the codes of a list that has a row for each of them.

    Such a list has the variable's name in the first of its rows or in each.
    """
    for name, group in groupby(_named(rows), key=lambda row: row[1]["name"]):
        listed = list(group)
        codes = tuple((cells.get("values", ""), cells.get("title", "")) for _, cells in listed)
        if len(listed) > 1 and name and all(code and label for code, label in codes):
            yield listed[0], codes
        else:
            yield from ((row, ()) for row in listed)


def _named(rows: Iterator[_Line]) -> Iterator[_Line]:
    """Rows of a list of codes with the name that is in its first row."""
    name = ""
    for line, cells in rows:
        is_code = not cells["name"] and cells.get("values") and cells.get("title")
        name = name if is_code else cells["name"]
        yield line, {**cells, "name": name}


def _cell(text: str) -> str:
    return "" if says_nothing(text) else text.strip()


def _variable(cells: _Cells, line: int) -> Draft:
    draft = Draft(cells["name"], f"line {line}")
    missing = plain_choices(cells.get("missing", "")) or ()
    draft.say(
        title=" ".join(cells.get("title", "").split()),
        label=cells.get("unit", ""),
        missing_values=tuple(code for code, _ in missing),
    )
    draft.identifier = cells.get("identifier", "").casefold() in YES
    type_ = header_key(cells.get("type", ""))
    if type_ in FREE | TIMED:
        draft.note("codebook-free-text" if type_ in FREE else "codebook-time")
    else:
        _kind(draft, cells, type_)
    return draft


def _kind(draft: Draft, cells: _Cells, type_: str) -> None:
    draft.kind = cast(DraftKind, KINDS.get(type_) or _guess(cells))
    if draft.kind == "number":
        draft.say(decimal="," if type_ in COMMA else None)
        _number(draft, cells, is_whole=type_ in WHOLE)
    elif draft.kind == "date":
        _date(draft, cells)
    elif draft.kind:
        _values(draft, cells)
    else:
        draft.note("codebook-type-unused" if type_ else "codebook-type-unsaid")


def _guess(cells: _Cells) -> str:
    """The kind where no type is said: values make a category; bounds and units, a number."""
    values = cells.get("values", "")
    if values and plain_range(values) is None:
        return "category"
    bounds = [cells[key] for key in ("min", "max") if cells.get(key)]
    if any(day(text) for text in bounds):
        return "date"
    return "number" if bounds or values or cells.get("unit") else ""


def _values(draft: Draft, cells: _Cells) -> None:
    choices = plain_choices(cells.get("values", ""))
    if choices is not None:
        wanted = draft.kind
        draft.choose(choices)
        if wanted == "yes-no" and draft.kind == "category":
            draft.note("codebook-yes-unsaid")
    elif cells.get("values"):
        draft.note("codebook-values-invalid")
    elif draft.kind == "yes-no":
        draft.note("codebook-yes-unsaid")


def _number(draft: Draft, cells: _Cells, *, is_whole: bool) -> None:
    draft.say(step=Decimal(1) if is_whole else None)
    draft.say(step=_read(draft, cells.get("step", "")))
    values = cells.get("values", "")
    ends = plain_range(values) if values else None
    if ends is not None:
        draft.say(lower=ends[0], upper=ends[1])
    elif values:
        draft.note("codebook-values-beside-numbers")
    for key, member in (("min", "lower"), ("max", "upper")):
        draft.say(**{member: _read(draft, cells.get(key, ""))})


def _read(draft: Draft, text: str) -> Decimal | None:
    if not text:
        return None
    result = number(text)
    if result is None or is_ambiguous(text):
        draft.note("codebook-bound-invalid" if result is None else "codebook-number-ambiguous")
        return None
    return result


def _date(draft: Draft, cells: _Cells) -> None:
    written = cells.get("format", "")
    known = date_format(written) if written else None
    if written and known is None:
        draft.note("codebook-date-format")
    draft.say(format=known)
    for key, member in (("min", "first"), ("max", "last")):
        text = cells.get(key, "")
        date = day(text, known or ISO) if text else None
        if text and date is None:
            today = text.casefold() in ("today", "heute", "now")
            draft.note("codebook-today" if today else "codebook-bound-invalid")
        draft.say(**{member: date})
