# SPDX-License-Identifier: Apache-2.0
"""Structured conditions on a row's cells; never text to evaluate."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True)
class IsIn:
    """The cell is one of these groups. Rows whose cell a rule drops do not pass."""

    column: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class IsNotIn:
    """The cell is a declared group, but none of these."""

    column: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Between:
    """The number is between two others, both included, after its column's rules."""

    column: str
    lowest: Decimal
    highest: Decimal


@dataclass(frozen=True)
class DateBetween:
    """The day is between two others, both included, after its column's rules."""

    column: str
    first: date
    last: date


@dataclass(frozen=True)
class IsMissing:
    """The cell is missing (true) or is not (false)."""

    column: str
    missing: bool = True


Condition = IsIn | IsNotIn | Between | DateBetween | IsMissing
