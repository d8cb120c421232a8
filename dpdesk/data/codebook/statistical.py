# SPDX-License-Identifier: Apache-2.0
"""Labels inside SPSS, Stata and SAS files. Their data is not read: metadata alone is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from dpdesk.data.codebook.draft import Choice, Draft
from dpdesk.data.codebook.entry import MAX_VARIABLES, CodebookKind
from dpdesk.data.codebook.texts import title_and_unit
from dpdesk.study.dates import ISO
from dpdesk.study.problem import refuse

_SAS_MARK = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
_CATALOGUE_MARK = bytes.fromhex("000000000000000000000000c2ea8163b31411cfbd92080009c7318c181f1011")
_OLD_STATA = frozenset(range(102, 116))
_DATE = re.compile(
    r"(?:A|E|S|J)?DATE[0-9.]*|MONTH[0-9.]*|MOYR[0-9.]*|QYR[0-9.]*|WKYR[0-9.]*|%-?(?:t?d)\S*"
    r"|(?:YYMMDD|DDMMYY|MMDDYY|E8601DA|B8601DA|WORDDATE|WEEKDATE|MONYY|JULIAN|MMYY)[A-Z]?[0-9.]*",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?:DATETIME|YMDHMS|TIME|DTIME|MTIME|WKDAY|E8601D[TZ]|E8601TM|HHMM|TOD)[0-9.]*|%-?t[^d]\S*",
    re.IGNORECASE,
)
_WHOLE = frozenset({"int8", "int16", "int32"})
_TAGGED = re.compile(r"\.?[A-Za-z_]")


def statistical_kind(head: bytes) -> tuple[CodebookKind, str] | None:
    """The format of a statistical package's file by its first bytes, and how to read it.

    Raises:
        Refused: ``codebook-catalogue``: value labels that belong to another file.
    """
    if head.startswith((b"$FL2@(#)", b"$FL3@(#)")):
        return "spss", "read_sav"
    if b"SPSSPORT" in head[:600].replace(b"\r", b"").replace(b"\n", b""):
        return "spss", "read_por"
    if head.startswith(b"<stata_dta>") or _is_old_stata(head):
        return "stata", "read_dta"
    if head.startswith(_SAS_MARK):
        return "sas", "read_sas7bdat"
    if head.startswith(_CATALOGUE_MARK):
        raise refuse("codebook-catalogue")
    if head.startswith((b"HEADER RECORD*******LIBRARY", b"HEADER RECORD*******LIBV8")):
        return "sas", "read_xport"
    return None


def _is_old_stata(head: bytes) -> bool:
    return len(head) > 4 and head[0] in _OLD_STATA and head[1] in (1, 2) and head[2:4] == b"\1\0"


def read_labels(path: Path, how: str, catalogue: Path | None = None) -> Iterator[Draft]:
    """The variables of a file and what it says of each.

    Args:
        path: the file.
        how: pyreadstat's function for it.
        catalogue: value labels of a SAS file.

    Raises:
        Refused: ``codebook-file-damaged`` (name), ``codebook-too-many-variables`` (most).
    """
    found = _metadata(path, how, catalogue)
    if len(found.column_names) > MAX_VARIABLES:
        raise refuse("codebook-too-many-variables", most=str(MAX_VARIABLES))
    for place, name in enumerate(found.column_names):
        yield _variable(found, name, found.column_labels[place], place + 1)


def _metadata(path: Path, how: str, catalogue: Path | None) -> Any:
    options: dict[str, Any] = {"metadataonly": True}
    if how in ("read_sav", "read_dta", "read_sas7bdat"):
        options["user_missing"] = True
    if how == "read_sas7bdat" and catalogue is not None:
        options["catalog_file"] = str(catalogue)
    # Loaded here: no other command needs it.
    import pyreadstat

    try:
        return getattr(pyreadstat, how)(str(path), **options)[1]
    except Exception:
        # The parser names its mistakes in many classes, and their texts may quote the file.
        damaged = refuse("codebook-file-damaged", name=path.name)
    raise damaged


def _variable(found: Any, name: str, label: str | None, number: int) -> Draft:
    draft = Draft(name, f"variable {number}")
    draft.say(title=" ".join((label or "").split()))
    format_ = (found.original_variable_types.get(name) or "").lstrip("$")
    storage = found.readstat_variable_types.get(name, "")
    missing = _missing(draft, found.missing_ranges.get(name, []))
    draft.say(missing_values=missing)
    labels = found.variable_value_labels.get(name, {})
    choices = [choice for choice in map(_choice, labels.items()) if choice[0] not in missing]
    if storage != "string":
        choices = [choice for choice in choices if not _TAGGED.fullmatch(choice[0])]
    if len(choices) > 1:
        draft.choose(choices)
        return draft
    if choices:
        draft.note("codebook-labels-left-out")
    _unlabelled(draft, format_, storage)
    return draft


def _unlabelled(draft: Draft, format_: str, storage: str) -> None:
    """A variable by how it is stored and shown; a shown width says nothing of its step."""
    if storage == "string":
        draft.kind = "category"
    elif _TIME.fullmatch(format_):
        draft.note("codebook-time")
    elif _DATE.fullmatch(format_):
        draft.kind = "date"
        draft.say(format=ISO)
    else:
        draft.kind = "number"
        title, unit = title_and_unit(str(draft.said.get("title", "")))
        draft.say(title=title, label=unit)
        draft.say(step=Decimal(1) if storage in _WHOLE else None)


def _choice(item: tuple[Any, Any]) -> Choice:
    return _code(item[0]), str(item[1])


def _code(value: Any) -> str:
    """A code as a cell holds it: whole numbers without a decimal mark."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).strip()


def _missing(draft: Draft, ranges: list[dict[str, Any]]) -> tuple[str, ...]:
    """Values that mean "missing"; a range of them cannot be listed."""
    if any(part["lo"] != part["hi"] for part in ranges):
        draft.note("codebook-missing-range")
    return tuple(_code(part["lo"]) for part in ranges if part["lo"] == part["hi"])
