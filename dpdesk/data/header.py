# SPDX-License-Identifier: Apache-2.0
"""Column names, whatever stands in a file's header."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from dpdesk.study.names import plain_name
from dpdesk.study.problem import refuse


def column_names(cells: Sequence[str]) -> tuple[str, ...]:
    """Names by which every column can be told from all others.

    White space is collapsed. A name that several columns have, or none, is told apart by the
    column's place: ``pulse (column 7)``, ``(column 8)``. The plain name then means no column, so
    that nobody gets the wrong one when columns move.

    Raises:
        Refused: ``data-file-not-text``: control characters, as in a workbook or an archive.
    """
    names = [plain_name(cell) for cell in cells]
    if any(unicodedata.category(c) == "Cc" for name in names for c in name):
        raise refuse("data-file-not-text", "$.data.path")
    while "" in names or len(set(names)) < len(names):
        seen = Counter(names)
        names = [
            name if name and seen[name] == 1 else f"{name} (column {place})".strip()
            for place, name in enumerate(names, start=1)
        ]
    return tuple(names)
