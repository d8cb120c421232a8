# SPDX-License-Identifier: Apache-2.0
"""What becomes of a cell that is missing, unparsable, outside or unknown, of every kind of column.

A code of 0 or more is a group (in the order of ``group_labels``) or a grid index. A negative code
says why a cell counts for nothing. The rules for unparsable, outside and unknown cells are
applied where a cell is read; a missing cell stays ``MISSING`` so that a condition can ask for it,
and what it counts as is :func:`missing_code`.
"""

from __future__ import annotations

from dpdesk.data.encoding.date import DayReader
from dpdesk.data.encoding.magnitude import number_reader
from dpdesk.data.encoding.number import DecimalNumber, NumberReader
from dpdesk.study.model.columns import (
    CATEGORY,
    MISSING_LABEL,
    OTHER_LABEL,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    group_labels,
)
from dpdesk.study.model.text_folding import declared_codes, tidy

MISSING = -1
UNPARSABLE = -2
OUTSIDE = -3
UNKNOWN = -4


def missing_markers(column: Column, missing: tuple[str, ...]) -> frozenset[str]:
    """The tidied texts that mean "missing" in a column."""
    return frozenset({"", *map(tidy, missing), *map(tidy, column.missing_values)})


def missing_code(column: Column) -> int:
    """What a missing cell of this column counts as; ``MISSING`` where the row is left out."""
    if isinstance(column.missing, Replace):
        return constant_code(column, column.missing)
    if column.missing == CATEGORY and not isinstance(column, NumberColumn | DateColumn):
        return group_labels(column).index(MISSING_LABEL)
    return MISSING


def constant_code(column: Column, rule: Replace) -> int:
    """The code of a declared constant; ``UNKNOWN`` for one that the column does not have."""
    if isinstance(column, NumberColumn):
        return number_reader(column, ".").clamped_index(str(rule.value))
    if isinstance(column, DateColumn):
        return DayReader(column).constant_index(str(rule.value))
    return declared_codes(column).get(tidy(str(rule.value)), UNKNOWN)


def number_markers(markers: frozenset[str], reader: NumberReader) -> frozenset[DecimalNumber]:
    return frozenset(n for n in map(reader.read, markers) if n is not None)


def invalid_codes(column: NumberColumn | DateColumn) -> tuple[int, int]:
    """The codes of unparsable and of outside cells."""
    rules = (column.unparsable, column.outside)
    unparsable, outside = (
        constant_code(column, rule) if isinstance(rule, Replace) else negative
        for rule, negative in zip(rules, (UNPARSABLE, OUTSIDE), strict=True)
    )
    return unparsable, outside


def unknown_code(column: Column) -> int:
    """What a cell of a category or yes/no column counts as that is none of its declared texts."""
    if isinstance(column, NumberColumn | DateColumn):
        return UNKNOWN
    if isinstance(column.unknown, Replace):
        return constant_code(column, column.unknown)
    return group_labels(column).index(OTHER_LABEL) if column.unknown == CATEGORY else UNKNOWN
