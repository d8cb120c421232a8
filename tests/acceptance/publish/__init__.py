# SPDX-License-Identifier: Apache-2.0
"""What hospitals publish: figures of real files, released at negligible noise, beside others.

Each kind of figure has a module of its own here and a line in ``PARTS``. A part gives one line a
query that it compared, and whether it differed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.acceptance.prepare import SHARED_DATA
from tests.acceptance.publish import (
    comparisons,
    each_time,
    entry,
    incidence,
    linear,
    models,
    peers,
    rates,
    survival,
    synthea,
    table_one,
)

Line = tuple[str, bool]
"""What is printed of a query, and whether its figures are those of the other program."""

PARTS: Final[dict[str, Callable[[Path], Iterator[Line]]]] = {
    "table-one": table_one.lines,
    "rates": rates.lines,
    "survival": survival.lines,
    "lives": synthea.lines,
    "incidence": incidence.lines,
    "entry": entry.lines,
    "each time": each_time.lines,
    "comparisons": comparisons.lines,
    "models": models.lines,
    "peers": peers.lines,
    "linear": linear.lines,
}


def main() -> int:
    """Print one line a query; 1 where a figure differs, or an interval holds too seldom."""
    failed = False
    for part in PARTS.values():
        for text, is_same in part(SHARED_DATA):
            print(text, flush=True)
            failed |= not is_same
    return int(failed)
