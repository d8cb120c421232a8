# SPDX-License-Identifier: Apache-2.0
"""What a column's source still says after somebody typed a part of its declaration."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from dpdesk.catalogue import Template, read_catalogue, shipped_languages, spoken
from dpdesk.data.codebook.entry import KIND_NAMES
from dpdesk.study import limits
from dpdesk.study.model.columns import Column
from dpdesk.study.suggest.range_match import suggest_ranges

_BOUNDS: Final[Template] = "bounds typed by hand"
_PERIOD: Final[Template] = "period typed by hand"
_VALUES: Final[Template] = "values typed by hand"
_BY_HAND: Final[dict[str, Template]] = {
    **dict.fromkeys(("lower", "upper"), _BOUNDS),
    **dict.fromkeys(("first", "last"), _PERIOD),
    **dict.fromkeys(("values", "yes", "no"), _VALUES),
}
"""What is added to a source where a member was typed after it."""

_ESTIMATED: Final[Template] = "estimated privately, release {release}"


def estimated(release: int) -> str:
    """The source of bounds that a release of the study's account found, in the language spoken.

    >>> estimated(3)
    'estimated privately, release 3'
    """
    return spoken().say(_ESTIMATED, release=release)


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
    is_ours = _is_of_codebook(column.basis) or _is_estimated(column.basis)
    said = (f"; {text}" for text in _in_every_language(_BY_HAND[field]))
    if not is_ours or any(more in column.basis for more in said):
        return column.basis
    more = f"; {spoken().say(_BY_HAND[field])}"
    return f"{column.basis[: limits.MAX_TEXT - len(more)]}{more}"


@lru_cache
def _in_every_language(template: Template) -> set[str]:
    """What a source may have been written as: a study outlives a choice of language."""
    return {read_catalogue(language).say_word("", template) for language in shipped_languages()}


def _is_estimated(basis: str) -> bool:
    """Whether a source is a release of this program that found the bounds.

    >>> _is_estimated("estimated privately, release 3"), _is_estimated("estimated privately")
    (True, False)
    """
    own = basis.partition("; ")[0]
    for template in _in_every_language(_ESTIMATED):
        before, _, after = template.partition("{release}")
        is_so = own.startswith(before) and own.endswith(after)
        if is_so and own[len(before) : len(own) - len(after)].isdecimal():
            return True
    return False


def _is_of_codebook(basis: str) -> bool:
    """Whether a source is what an imported codebook is called, with what the codebook says.

    >>> _is_of_codebook("SAS labels"), _is_of_codebook("Codebook of 2025, page 3")
    (True, False)
    """
    return any(basis == name or basis.startswith((f"{name}: ", f"{name}; ")) for name in _NAMES)


_NAMES = tuple(KIND_NAMES.values())
