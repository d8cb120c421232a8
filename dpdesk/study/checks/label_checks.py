# SPDX-License-Identifier: Apache-2.0
"""Judges the printed names of a category's values."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from dpdesk.study.model.columns import MISSING_LABEL, OTHER_LABEL, CategoryColumn
from dpdesk.study.problem import Problem


def check_labels(column: CategoryColumn, path: str, markers: set[str]) -> Iterator[Problem]:
    """Problems of the labels; none where the values are their own names.

    A label that is another value is refused although a cell's code comes first: in a file that
    holds names instead of codes, that cell would be counted as the wrong value without a word.

    Args:
        path: where the labels stand.
        markers: texts that mean "missing" in the column, without white space around them.
    """
    if not column.labels:
        return
    if len(column.labels) != len(column.values):
        params = {"labels": str(len(column.labels)), "values": str(len(column.values))}
        yield Problem(path, "labels-count-differs", params)
        return
    values = [_read(value) for value in column.values]
    markers = {_read(marker) for marker in markers}
    seen: set[str] = set()
    for index, label in enumerate(column.labels):
        code = _fault(label, seen, markers)
        if code is None and _read(label) != values[index] and _read(label) in values:
            code = "label-is-other-value"
        if code is not None:
            params = {} if code == "label-blank" else {"label": _read(label)}
            yield Problem(f"{path}[{index}]", code, params)
        seen.add(_read(label))


def _fault(label: str, seen: set[str], markers: set[str]) -> str | None:
    """What is wrong with a label, whichever value it names."""
    text = _read(label)
    if not text:
        return "label-blank"
    if text in seen:
        return "label-twice"
    if text in markers:
        return "label-means-missing"
    return "label-reserved" if text in (MISSING_LABEL, OTHER_LABEL) else None


def _read(text: str) -> str:
    """A text as a cell that holds it is compared: see ``dpdesk.study.model.comparison``."""
    return unicodedata.normalize("NFC", text.strip()).strip()
