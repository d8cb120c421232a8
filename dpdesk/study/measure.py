# SPDX-License-Identifier: Apache-2.0
"""What is computed exactly before noise: a description, without the data.

``privacy`` compiles queries to measures and proves their sensitivity; ``data`` computes them on
the encoded table and seals the answer. Both read this description and nothing of each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpdesk.study.queries import Condition


@dataclass(frozen=True)
class Measure:
    """One vector of exact integers, one entry a cell, cells in row-major order of ``by``.

    Attributes:
        kind: ``rows`` counts rows, ``people`` counts people with at least one row in the cell,
            ``sum`` adds ``offset + factor * index`` over the cell's rows, where ``index`` is the
            row's grid index in ``column``.
        column: the number column of a sum; for counts, a column whose rules must keep the row
            (the denominator of a mean), or ``None``.
        by: grouping columns.
        where: conditions, and-ed.
        offset, factor: see ``kind``; whole numbers.
    """

    kind: Literal["rows", "people", "sum"]
    column: str | None = None
    by: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()
    offset: int = 0
    factor: int = 1
