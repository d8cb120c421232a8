# SPDX-License-Identifier: Apache-2.0
"""REDCap data dictionaries, as downloaded and as its API gives them, and ISARIC's ARC."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from dpdesk.data.codebook.formats.choices import redcap_choices, uncoded_choices
from dpdesk.data.codebook.formats.csv_text import Row, Sheet
from dpdesk.data.codebook.formats.draft import Draft
from dpdesk.data.codebook.formats.texts import (
    date_format,
    day,
    is_unit,
    number,
    says_nothing,
    title_and_unit,
    without_tags,
)
from dpdesk.study.model.dates import ISO
from dpdesk.study.suggest.identifiers import identifier_kind

_DOWNLOADED = {
    "name": "variable / field name",
    "type": "field type",
    "label": "field label",
    "choices": "choices calculations or slider labels",
    "note": "field note",
    "validation": "text validation type or show slider number",
    "min": "text validation min",
    "max": "text validation max",
    "identifier": "identifier?",
}
_FROM_API = {
    "name": "field name",
    "type": "field type",
    "label": "field label",
    "choices": "select choices or calculations",
    "note": "field note",
    "validation": "text validation type or show slider number",
    "min": "text validation min",
    "max": "text validation max",
    "identifier": "identifier",
}
_ARC = {
    "name": "variable",
    "type": "type",
    "label": "question",
    "choices": "answer options",
    "validation": "validation",
    "min": "minimum",
    "max": "maximum",
    "identifier": "identifier",
    "list": "list",
}
_MUST = ("name", "type", "label", "choices")
_NO_COLUMN = {
    "notes": "codebook-free-text",
    "file": "codebook-attachment",
    "descriptive": "codebook-not-data",
    "multi_list": "codebook-several-choices",
}
_DECIMALS = re.compile(r"number(?:_(?P<places>[1-4])dp)?(?P<comma>_comma(?:_decimal)?)?")
_DATE = re.compile(r"(?:date|datetime(?:_seconds)?)_(?P<order>dmy|mdy|ymd)")
_ORDERS = {"dmy": "DD/MM/YYYY", "mdy": "MM/DD/YYYY", "ymd": ISO}


def redcap_names(keys: tuple[str, ...]) -> Mapping[str, str] | None:
    """Which header holds what, in a REDCap dictionary; ``None`` where it is none."""
    return next((n for n in (_DOWNLOADED, _FROM_API) if _fits(n, keys)), None)


def arc_names(keys: tuple[str, ...]) -> Mapping[str, str] | None:
    """Which header holds what, in ISARIC's ARC; ``None`` where it is none."""
    return _ARC if _fits(_ARC, keys) else None


def _fits(names: Mapping[str, str], keys: tuple[str, ...]) -> bool:
    return all(names[key] in keys for key in _MUST)


def read_dictionary(sheet: Sheet, names: Mapping[str, str]) -> Iterator[Draft]:
    """The variables of a dictionary, in order.

    A group of check boxes becomes one yes-or-no variable for each box, as it is exported.
    """
    for place, row in enumerate(sheet.rows):
        line, cells = row[0], {key: row[1].get(header, "") for key, header in names.items()}
        if cells["type"].casefold() == "checkbox":
            yield from _boxes((line, cells))
        else:
            yield _field((line, cells), is_first=place == 0 and "note" in names)


def _boxes(row: Row) -> Iterator[Draft]:
    line, cells = row
    choices = redcap_choices(cells["choices"])
    if choices is None:
        # Boxes are exported under their codes, which a list of names does not say.
        draft = _draft(row)
        draft.note("codebook-values-unsaid")
        yield draft
        return
    for code, label in choices:
        name = f"{cells['name']}___{code.lower().replace('-', '_')}"
        draft = Draft(name, f"line {line}")
        title = without_tags(cells["label"])
        draft.say(title=f"{title}: {label}" if title else label)
        draft.kind = "yes-no"
        draft.say(yes=("Checked", "1"), no=("Unchecked", "0"))
        draft.identifier = _is_marked(cells)
        yield draft


def _draft(row: Row) -> Draft:
    line, cells = row
    draft = Draft(cells["name"], f"line {line}")
    draft.say(title=without_tags(cells["label"]))
    draft.identifier = _is_marked(cells)
    return draft


def _is_marked(cells: Mapping[str, str]) -> bool:
    if cells["identifier"].casefold() in ("y", "yes", "1", "true"):
        return True
    declared = identifier_kind("", "", cells["validation"])
    return declared is not None and not declared.is_quasi


def _field(row: Row, *, is_first: bool) -> Draft:
    draft, cells = _draft(row), row[1]
    type_ = cells["type"].casefold()
    if is_first:
        draft.note("codebook-record-id")
    elif type_ in _NO_COLUMN:
        draft.note(_NO_COLUMN[type_])
    elif type_ in ("yesno", "truefalse"):
        draft.kind = "yes-no"
        words = ("Yes", "No") if type_ == "yesno" else ("True", "False")
        draft.say(yes=(words[0], "1"), no=(words[1], "0"))
    elif type_ in ("radio", "dropdown"):
        _choices(draft, cells["choices"])
    elif type_ in ("sql", "list", "user_list"):
        draft.kind = "category"
        draft.note("codebook-values-elsewhere")
    elif type_ == "calc":
        draft.note("codebook-calculated")
        _number(draft, cells, None)
    elif type_ == "slider":
        _number(draft, {**cells, "min": cells["min"] or "0", "max": cells["max"] or "100"}, "1")
    else:
        _validated(draft, cells, cells["validation"].casefold() or type_)
    return draft


def _choices(draft: Draft, text: str) -> None:
    draft.kind = "category"
    choices = redcap_choices(text)
    if choices is None and (names := uncoded_choices(text)) is not None:
        draft.note("codebook-choices-uncoded")
        draft.choose(names)
    elif choices is None:
        draft.note("codebook-values-invalid" if text.strip() else "codebook-values-unsaid")
    else:
        draft.choose((code, without_tags(label)) for code, label in choices)


def _validated(draft: Draft, cells: Mapping[str, str], validation: str) -> None:
    """A text field by what it is checked to be."""
    decimals = _DECIMALS.fullmatch(validation)
    dated = _DATE.fullmatch(validation)
    if validation in ("integer", "int"):
        _number(draft, cells, "1")
    elif decimals is not None:
        places = decimals["places"]
        draft.say(decimal="," if decimals["comma"] else None)
        _number(draft, cells, f"1E-{places}" if places else None)
    elif dated is not None:
        _date(draft, cells, _ORDERS[dated["order"]])
    elif validation.startswith("time"):
        draft.note("codebook-time")
    else:
        draft.note("codebook-type-unsaid" if validation == "text" else "codebook-free-text")


def _number(draft: Draft, cells: Mapping[str, str], step: str | None) -> None:
    draft.kind = "number"
    title, unit = title_and_unit(str(draft.said.get("title", "")))
    noted = cells.get("note", "").removeprefix("in ").strip()
    draft.say(title=title, label=unit or (noted if is_unit(noted) else ""))
    draft.say(step=None if step is None else Decimal(step))
    for key, member in (("min", "lower"), ("max", "upper")):
        bound = number(cells[key])
        if bound is None and not says_nothing(cells[key]):
            draft.note(*_unread(cells[key]))
        draft.say(**{member: bound})


def _date(draft: Draft, cells: Mapping[str, str], order: str) -> None:
    """Days are exported in ISO's order, whatever order the form shows them in."""
    draft.kind = "date"
    draft.said["format"] = ISO
    for key, member in (("min", "first"), ("max", "last")):
        date = day(cells[key], date_format(order))
        if date is None and not says_nothing(cells[key]):
            draft.note(*_unread(cells[key]))
        draft.say(**{member: date})


def _unread(text: str) -> tuple[str]:
    return (
        ("codebook-today",) if text.casefold() in ("today", "now") else ("codebook-bound-invalid",)
    )
