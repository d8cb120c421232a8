# SPDX-License-Identifier: Apache-2.0
"""Labels inside SPSS, Stata and SAS files. Their data is not read: metadata alone is."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from dpdesk.data.codebook.draft import Choice, Draft
from dpdesk.data.codebook.entry import MAX_VARIABLES, CodebookKind
from dpdesk.data.codebook.texts import title_and_unit
from dpdesk.data.magic import Kind
from dpdesk.data.statistical_formats import SAS, SPSS, STATA, Clock
from dpdesk.study.dates import ISO
from dpdesk.study.problem import refuse

PACKAGES: dict[Kind, CodebookKind] = {
    "sav": "spss",
    "por": "spss",
    "dta": "stata",
    "sas7bdat": "sas",
    "xport": "sas",
}
"""The files whose labels are read here, by what their first bytes say."""

_READERS: dict[Kind, str] = {
    "sav": "read_sav",
    "por": "read_por",
    "dta": "read_dta",
    "sas7bdat": "read_sas7bdat",
    "xport": "read_xport",
}
_CLOCKS: dict[CodebookKind, Clock] = {"spss": SPSS, "stata": STATA, "sas": SAS}
_WHOLE = frozenset({"int8", "int16", "int32"})
_TAGGED = re.compile(r"\.?[A-Za-z_]")


def read_labels(path: Path, file: Kind, catalogue: Path | None = None) -> Iterator[Draft]:
    """The variables of a file and what it says of each.

    Args:
        path: the file.
        file: its kind.
        catalogue: value labels of a SAS file.

    Raises:
        Refused: ``codebook-file-damaged`` or ``codebook-file-unreadable`` (name),
            ``codebook-too-many-variables`` (most).
    """
    found = _metadata(path, file, catalogue)
    if len(found.column_names) > MAX_VARIABLES:
        raise refuse("codebook-too-many-variables", most=str(MAX_VARIABLES))
    clock = _CLOCKS[PACKAGES[file]]
    for place, name in enumerate(found.column_names):
        yield _variable(found, name, found.column_labels[place], f"variable {place + 1}", clock)


def _metadata(path: Path, file: Kind, catalogue: Path | None) -> Any:
    # Loaded here: no other codebook needs it.
    import pyreadstat

    read: Callable[..., tuple[Any, Any]] = getattr(pyreadstat, _READERS[file])
    options: dict[str, Any] = {"metadataonly": True}
    if file in ("sav", "dta", "sas7bdat"):
        options["user_missing"] = True
    damaged = refuse("codebook-file-damaged", name=path.name)
    with contextlib.ExitStack() as opened:
        try:
            if file == "sas7bdat" and catalogue is not None:
                options["catalog_file"] = opened.enter_context(catalogue.open("rb"))
            stream = opened.enter_context(path.open("rb"))
        except OSError as error:
            name = Path(error.filename or path).name
            damaged = refuse("codebook-file-unreadable", name=name)
        else:
            # The parser names its mistakes in many classes; their texts may quote the file.
            with warnings.catch_warnings(action="ignore"), contextlib.suppress(Exception):
                return read(stream, **options)[1]
    raise damaged


def _variable(found: Any, name: str, label: str | None, place: str, clock: Clock) -> Draft:
    draft = Draft(name, place)
    draft.say(title=" ".join((label or "").split()))
    format_ = found.original_variable_types.get(name) or ""
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
    _unlabelled(draft, "text" if storage == "string" else clock.kind(format_))
    if draft.kind == "number":
        draft.say(step=Decimal(1) if storage in _WHOLE else None)
    return draft


def _unlabelled(draft: Draft, held: str | None) -> None:
    """A variable by what it holds; the width it is shown in says nothing of its step."""
    if held == "text":
        draft.kind = "category"
    elif held == "day":
        draft.kind = "date"
        draft.say(format=ISO)
    elif held is not None:
        draft.note("codebook-time")
    else:
        draft.kind = "number"
        title, unit = title_and_unit(str(draft.said.get("title", "")))
        draft.say(title=title, label=unit)


def _choice(item: tuple[Any, Any]) -> Choice:
    return _code(item[0]), " ".join(str(item[1]).split())


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
