# SPDX-License-Identifier: Apache-2.0
"""The text of a table that is copied, as a spreadsheet takes it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dpdesk.release.bundle.csv_format import neutral_copy

_SIGNED = re.compile("(\N{MINUS SIGN}|± )(\\d[\\d.,]*(?: %)?)")
"""A figure below 0, or a margin without a unit."""


def copied_line(cells: Sequence[str]) -> str:
    """One line of copied text: a tab or a new line within a cell would make it two cells.

    A text that a spreadsheet would run where it is pasted gets an apostrophe in front.
    """
    return "\t".join(neutral_copy(_reckoned(" ".join(cell.split()))) for cell in cells) + "\n"


def _reckoned(text: str) -> str:
    """A figure as a spreadsheet reckons with it; it takes the window's signs for a text.

    >>> _reckoned("\u221219"), _reckoned("± 0.4"), _reckoned("± 0.4 days"), _reckoned("–")
    ('-19', '0.4', '± 0.4 days', '')
    """
    if text == "–":
        return ""
    found = _SIGNED.fullmatch(text)
    return text if found is None else ("-" if found[1] == "\N{MINUS SIGN}" else "") + found[2]
