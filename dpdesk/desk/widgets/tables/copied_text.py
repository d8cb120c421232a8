# SPDX-License-Identifier: Apache-2.0
"""The text of a table that is copied, as a spreadsheet takes it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from dpdesk.release.bundle.csv_format import neutral_copy

_SIGNED = re.compile("(\N{MINUS SIGN}|\\+|± )(\\d[\\d.,]*(?: %)?)")
"""A figure with its sign, or a margin without a unit."""
_WITH_MARGIN = " ± "


def copied_line(cells: Sequence[str]) -> str:
    """One line of copied text: a tab or a new line within a cell would make it two cells.

    A text that a spreadsheet would run where it is pasted gets an apostrophe in front.
    """
    return "\t".join(neutral_copy(_reckoned(" ".join(cell.split()))) for cell in cells) + "\n"


def _reckoned(text: str) -> str:
    """A figure as a spreadsheet reckons with it; it takes the window's signs for a text.

    >>> _reckoned("\u221219"), _reckoned("± 0.4"), _reckoned("± 0.4 days"), _reckoned("–")
    ('-19', '0.4', '± 0.4 days', '')
    >>> _reckoned("+2.5")
    '2.5'
    """
    if text == "–":
        return ""
    found = _SIGNED.fullmatch(text)
    return text if found is None else ("-" if found[1] == "\N{MINUS SIGN}" else "") + found[2]


def with_margins_apart(
    heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int]
) -> Iterator[tuple[str, ...]]:
    """A table's lines, heads first: figures that hold their margin become two columns of numbers.

    >>> list(with_margins_apart(("Ward", "Stays"), [("A", "57 ± 6"), ("B", "–")], {1}))
    [('Ward', 'Stays', '± Stays'), ('A', '57', '6'), ('B', '–', '')]
    """
    apart = {p for p in numbers if any(_WITH_MARGIN in row[p] for row in rows)}
    doubled = ((h, f"± {h}") if p in apart else (h,) for p, h in enumerate(heads))
    yield tuple(chain.from_iterable(doubled))
    for row in rows:
        parts = (c.partition(_WITH_MARGIN)[::2] if p in apart else (c,) for p, c in enumerate(row))
        yield tuple(chain.from_iterable(parts))
