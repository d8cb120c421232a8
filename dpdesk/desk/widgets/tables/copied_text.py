# SPDX-License-Identifier: Apache-2.0
"""The text of a table that is copied, as a spreadsheet takes it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from dpdesk.release.bundle.csv_format import neutral_copy

_SIGNED = re.compile("(\N{MINUS SIGN}|\\+|± )(\\d[\\d.,]*(?: %)?)")
"""A figure with its sign, or a margin without a unit."""
_WITH_MARGIN = " ± "


def copied_text(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Collection[int] = (),
    margins_apart: bool = False,
    group: str = "",
    note: str = "",
) -> str:
    r"""A table as tab-separated text, heads first.

    Args:
        numbers: the columns of figures, which a spreadsheet is to reckon with. A name in another
            column stays as it is, though it may look like a figure.
        margins_apart: a figure with its margin becomes two columns of numbers.
        group: what is between groups of three digits. It goes: a spreadsheet of another
            language takes a German 1.293 for a little more than one, and says nothing.
        note: what is below the table, behind a blank line.

    >>> copied_text(("Ward", "Stays"), [("± 5", "57 ± 6"), ("B", "–")], {1}, margins_apart=True)
    'Ward\tStays\t± Stays\n± 5\t57\t6\nB\t\t\n'
    >>> copied_text(("Haus", "Fälle"), [("1.293", "1.293 ± 60")], {1}, True, ".")
    'Haus\tFälle\t± Fälle\n1.293\t1293\t60\n'
    """
    between = re.compile(rf"(?<=\d){re.escape(group)}(?=\d{{3}}(?!\d))" if group else "(?!)")
    apart = {p for p in numbers if margins_apart and any(_WITH_MARGIN in row[p] for row in rows)}
    doubled = ((h, f"± {h}") if p in apart else (h,) for p, h in enumerate(heads))
    lines = [_line(chain.from_iterable(doubled))]
    for row in rows:
        parts = (c.partition(_WITH_MARGIN)[::2] if p in apart else (c,) for p, c in enumerate(row))
        reckoned = (
            (_reckoned(between.sub("", text)) for text in each) if p in numbers else each
            for p, each in enumerate(parts)
        )
        lines.append(_line(chain.from_iterable(reckoned)))
    lines += ["\n", _line([note])] if note else []
    return "".join(lines)


def _line(cells: Iterable[str]) -> str:
    """One line of copied text: a tab or a new line within a cell would make it two cells.

    A text that a spreadsheet would run where it is pasted gets an apostrophe in front.
    """
    return "\t".join(neutral_copy(" ".join(cell.split())) for cell in cells) + "\n"


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
