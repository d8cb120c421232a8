# SPDX-License-Identifier: Apache-2.0
"""Where a column's bounds or values come from, in words, and what of it holds after typing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, TypeVar

from dpdesk.catalogue import Template, spoken
from dpdesk.data.codebook.entry import Say, codebook_name
from dpdesk.study import limits
from dpdesk.study.model.columns import NO_ORIGIN, Column

_DECLARING: Final = frozenset({"lower", "upper", "first", "last", "values", "yes", "no"})
"""Members that a source is about."""
_VALUES: Final[Template] = "values typed by hand"
_BY_HAND: Final[dict[str, Template]] = {
    "number": "bounds typed by hand",
    "date": "period typed by hand",
    "category": _VALUES,
    "yes-no": _VALUES,
}
"""What is added to a source where a member was typed after it."""
_ESTIMATED: Final[Template] = "estimated privately, release {release}"

C = TypeVar("C", bound=Column)


def stated_source(column: Column, say: Say | None = None) -> str:
    """Where bounds or values come from: what the program recorded, then what a person wrote.

    >>> from dpdesk.study.model.columns import NumberColumn, Origin
    >>> stated_source(NumberColumn("age", basis="page 3", origin=Origin("redcap", by_hand=True)))
    'REDCap data dictionary: page 3; bounds typed by hand'

    Args:
        say: says a sentence; in the language spoken where it is left out.
    """
    say, origin = say or spoken().say, column.origin
    parts = [codebook_name(origin.codebook, say)] if origin.codebook else []
    if origin.release is not None:
        parts.append(say(_ESTIMATED, release=origin.release))
    text = ": ".join((*parts, column.basis) if column.basis else parts)
    more = f"; {say(_BY_HAND[column.kind])}" if origin.by_hand and text else ""
    return f"{text[: limits.MAX_TEXT - len(more)]}{more}"


def typed(column: C, field: str, value: Any) -> C:
    """The column with a member that somebody typed.

    The program's own record stays and says that something was typed after it; a range or list that
    is no longer the suggested one has no source; words that somebody wrote stay. Who writes another
    source replaces all of it.
    """
    if field == "basis":
        is_same = value == stated_source(column)
        return column if is_same else replace(column, basis=value, origin=NO_ORIGIN)
    if field not in _DECLARING or getattr(column, field) == value:
        return replace(column, **{field: value})
    return replace(with_typed(column), **{field: value})


def with_typed(column: C) -> C:
    """The column as a part of what its source is about is typed."""
    if column.origin.suggested:
        return replace(column, basis="", origin=NO_ORIGIN)
    if column.origin == NO_ORIGIN:
        return column
    return replace(column, origin=replace(column.origin, by_hand=True))
