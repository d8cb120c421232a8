# SPDX-License-Identifier: Apache-2.0
"""Labels inside SPSS, Stata and SAS files. Their data is not read: metadata alone is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from dpdesk.data.codebook.formats.draft import Draft, LabelledCode
from dpdesk.data.codebook.formats.texts import title_and_unit
from dpdesk.data.files.file_formats import declared_by
from dpdesk.data.files.format_declaration import DateOrigin, FileKind
from dpdesk.data.files.statistical.described_variables import Code, DescribedVariable
from dpdesk.data.progress import CancelToken
from dpdesk.data.reader_process.labels import described
from dpdesk.study.model.dates import ISO

_WHOLE = frozenset({"int8", "int16", "int32"})
_SECONDS = "seconds"
"""What the numbers of times of day and durations are; see ``batch.Wanted``."""

_TAGGED = re.compile(r"\.?[A-Za-z_]")


def read_labels(
    path: Path, file: FileKind, catalogue: Path | None = None, cancel: CancelToken | None = None
) -> Iterator[Draft]:
    """The variables of a file and what it says of each.

    Args:
        catalogue: value labels of a SAS file.

    Raises:
        Refused: ``codebook-file-damaged`` or ``codebook-file-unreadable`` (name),
            ``codebook-too-many-variables`` (most).
        Cancelled: the token was raised.
    """
    dates = declared_by(file).dates
    for place, variable in enumerate(described(path, file, catalogue, cancel), start=1):
        yield _variable(variable, f"variable {place}", dates)


def _variable(described: DescribedVariable, place: str, dates: DateOrigin | None) -> Draft:
    draft = Draft(described.name, place)
    draft.say(title=" ".join(described.title.split()))
    missing = _missing(draft, described.missing)
    draft.say(missing_values=missing)
    choices = [choice for choice in map(_choice, described.labels) if choice[0] not in missing]
    if described.storage != "string":
        choices = [choice for choice in choices if not _TAGGED.fullmatch(choice[0])]
    if len(choices) > 1:
        draft.choose(choices)
        return draft
    if choices:
        draft.note("codebook-labels-left-out")
    _unlabelled(draft, _held(described, dates))
    if draft.kind == "number":
        draft.say(step=Decimal(1) if described.storage in _WHOLE else None)
    return draft


def _held(described: DescribedVariable, dates: DateOrigin | None) -> str | None:
    """What a variable holds; ``None``: numbers."""
    if described.storage == "string":
        return "text"
    return dates.kind(described.format) if dates else None


def _unlabelled(draft: Draft, held: str | None) -> None:
    """A variable by what it holds; the width it is shown in says nothing of its step."""
    if held == "text":
        draft.kind = "category"
    elif held in ("day", "moment"):
        draft.kind = "date"
        draft.say(format=ISO)
    elif held == "time":
        draft.kind = "number"
        draft.say(label=_SECONDS)
    else:
        draft.kind = "number"
        title, unit = title_and_unit(str(draft.said.get("title", "")))
        draft.say(title=title, label=unit)


def _choice(item: tuple[Code, str]) -> LabelledCode:
    return _code(item[0]), " ".join(item[1].split())


def _code(value: Code) -> str:
    """A code as a cell holds it: whole numbers without a decimal mark."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).strip()


def _missing(draft: Draft, ranges: tuple[tuple[Code, Code], ...]) -> tuple[str, ...]:
    """Values that mean "missing"; a range of them cannot be listed."""
    if any(low != high for low, high in ranges):
        draft.note("codebook-missing-range")
    return tuple(_code(low) for low, high in ranges if low == high)
