# SPDX-License-Identifier: Apache-2.0
"""What a column's source still says after somebody typed a part of its declaration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpdesk.data.codebook.entry import KIND_NAMES
from dpdesk.study import limits
from dpdesk.study.model.columns import Column
from dpdesk.study.suggest.range_match import suggest_ranges

_BY_HAND = {
    **dict.fromkeys(("lower", "upper"), "bounds typed by hand"),
    **dict.fromkeys(("first", "last"), "period typed by hand"),
    **dict.fromkeys(("values", "yes", "no"), "values typed by hand"),
}
"""What is added to a codebook's name, which is English, too: both are released."""


ESTIMATED = "estimated privately, release"
"""Followed by the number; English as the codebooks' names are."""


def estimated(release: int) -> str:
    """The source of bounds that a release of the study's account found.

    >>> estimated(3)
    'estimated privately, release 3'
    """
    return f"{ESTIMATED} {release}"


def typed(column: Column, field: str, value: Any) -> Column:
    """The column with a member that somebody typed.

    What the study publishes as its source was the program's own words where a codebook or a known
    range was used, or bounds were estimated. The name of the codebook or of the estimate's release
    then says what is not from it; a range that is no longer the known one has no source. Words
    that somebody wrote stay.

    Args:
        column: as it is declared.
        field: the member.
        value: what it is from now on.
    """
    after = replace(column, **{field: value})
    if field not in _BY_HAND or getattr(column, field) == value:
        return after
    return replace(after, basis=basis_by_hand(column, field))


def basis_by_hand(column: Column, field: str) -> str:
    """What a column's source still says after a member was typed."""
    known = suggest_ranges(column.name, column.title) if column.kind == "number" else ()
    if column.basis and column.basis in {one.basis for one in known}:
        return ""
    more = f"; {_BY_HAND[field]}"
    is_ours = _is_of_codebook(column.basis) or _is_estimated(column.basis)
    if not is_ours or more in column.basis:
        return column.basis
    return f"{column.basis[: limits.MAX_TEXT - len(more)]}{more}"


def _is_estimated(basis: str) -> bool:
    """Whether a source is a release of this program that found the bounds.

    >>> _is_estimated("estimated privately, release 3"), _is_estimated("estimated privately")
    (True, False)
    """
    number = basis.removeprefix(f"{ESTIMATED} ").partition("; ")[0]
    return basis.startswith(ESTIMATED) and number.isdecimal()


def _is_of_codebook(basis: str) -> bool:
    """Whether a source is what an imported codebook is called, with what the codebook says.

    >>> _is_of_codebook("SAS labels"), _is_of_codebook("Codebook of 2025, page 3")
    (True, False)
    """
    return any(basis == name or basis.startswith((f"{name}: ", f"{name}; ")) for name in _NAMES)


_NAMES = tuple(KIND_NAMES.values())
