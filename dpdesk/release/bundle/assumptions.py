# SPDX-License-Identifier: Apache-2.0
"""What a release takes for granted about its file, in words for whoever reads its bundle.

All of it is declared; nothing is found in the data.
"""

from __future__ import annotations

from typing import Any

from dpdesk.release.record.values import ReleaseRecord
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit


def assumptions(record: ReleaseRecord) -> tuple[str, ...]:
    """The sentences that a release's claim and study call for; none where neither does."""
    data = record.study.data
    breaks = data.get("line_breaks") is True
    return _sentences(record.claim.unit == "row", data.get("format"), breaks)


def study_assumptions(study: Study) -> tuple[str, ...]:
    """The same of a study that is still to be released."""
    data = study.data or DataSource()
    by_row = (study.unit or Unit()).person is None
    return _sentences(by_row, data.format, data.line_breaks)


def _sentences(by_row: bool, kind: Any, breaks: bool) -> tuple[str, ...]:
    is_text = kind == "csv"
    found = (_LINE if is_text else _ROW,) if by_row else ()
    return (*found, LINE_BREAKS) if is_text and breaks else found


_UNIT = (
    "No column tells people apart: what is protected is one {} of the data file. A person with "
    "several of them is protected less."
)
_LINE, _ROW = _UNIT.format("line"), _UNIT.format("row")
LINE_BREAKS = (
    "Cells of the data file hold line breaks: whoever wrote the file is trusted to double each "
    "quotation mark inside a cell. If that was not done, one person's rows may have changed how "
    "the rows of others were read, and the protection stated here does not hold."
)
