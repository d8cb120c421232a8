# SPDX-License-Identifier: Apache-2.0
"""How many lines of a text file are not as its header says; for its custodian's check alone."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class LineFaults:
    """Counts of lines; what is said of them is coarse (see ``data/inspection/finding.py``).

    Attributes:
        wider: rows with more cells than the header, but for an empty one at the end.
        one_wider: those of them with exactly one more.
        narrower: rows with fewer cells.
        opened: lines that are no rows, because a quoted cell stays open.
    """

    rows: int = 0
    wider: int = 0
    one_wider: int = 0
    narrower: int = 0
    opened: int = 0

    def __add__(self, other: LineFaults) -> LineFaults:
        names = (field.name for field in fields(self))
        return LineFaults(**{name: getattr(self, name) + getattr(other, name) for name in names})
