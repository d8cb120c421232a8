# SPDX-License-Identifier: Apache-2.0
"""How the lines of a text seem to be laid out: separator, header, row names.

Rows are looked at, so nothing of this is published (see ``unit.RECOGNISED``), and all of it is
proposed: the custodian sees the columns that follow, and may correct every part.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dpdesk.data.files.csv.records import split_record
from dpdesk.study.checks.study_checks import SEPARATORS
from dpdesk.study.problem import refuse

MOST_LINES = 200
"""At most this many lines are looked at."""

_QUOTED = re.compile(r'"[^"]*"')
_SEPARATOR_LINE = re.compile(r'\s*"?sep=(.)"?\s*', re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"\s*[-+]?[0-9][0-9.,:/ '-]*%?\s*")
_WHOLE, _DIGITS = re.compile(r"\s*[-+]?[0-9]+"), re.compile(r"[0-9]+\s*")
_COMMENT = re.compile(r"\s*(?:#|//|--|%)")
_MOST_ABOVE = 30
_LEAST_LINES = 3
_LEAST_WIDTH = 6
"""Characters of a line of a file whose columns have fixed widths, at least."""

_LEAST_SHARE = 0.95

Row = list[str]


@dataclass(frozen=True)
class TextLayout:
    """How a text seems to be laid out.

    Attributes:
        header_row: the line of the header, from 1, where lines that are no rows are above it;
            ``None`` for the first that is not blank.
        row_names: whether every row has one cell more than the header.
    """

    separator: str
    header_row: int | None = None
    row_names: bool = False


def text_layout(lines: Sequence[str]) -> TextLayout:
    """Guess the layout of a text.

    Args:
        lines: its first lines, each of them whole.

    Raises:
        Refused: ``data-file-fixed-width``: no separator is between the columns.
    """
    lines = lines[:MOST_LINES]
    named = _SEPARATOR_LINE.fullmatch(lines[0]) if lines else None
    if named and named[1] in SEPARATORS:
        return _below(lines, 1, named[1])
    separator = _separator(lines)
    if not separator:
        _refuse_unseparated(lines)
        return TextLayout(SEPARATORS[0])
    return _below(lines, 0, separator)


def _below(lines: Sequence[str], above: int, separator: str) -> TextLayout:
    """The layout of a text with this many lines that are not looked at."""
    rows = [(n, _cells(line, separator)) for n, line in enumerate(lines, 1) if n > above]
    rows = [(n, row) for n, row in rows if any(cell.strip() for cell in row)]
    place = _header_place([row for _, row in rows])
    number = rows[place][0] if rows and (place or above) else None
    below = [row for _, row in rows[place:]]
    are_quoted = all(lines[n - 1].lstrip().startswith('"') for n, _ in rows[place + 1 :])
    # A row name that is quoted is no half of a number.
    is_doubtful = separator == "," and not are_quoted and _may_be_parted(below[1:])
    return TextLayout(separator, number, not is_doubtful and _have_row_names(below))


def _separator(lines: Sequence[str]) -> str:
    """What parts the cells of the header, or of most lines where titles are above it."""
    filled = [_QUOTED.sub("", line) for line in lines if line.strip()]
    first = filled[0] if filled else ""
    in_header = max(SEPARATORS, key=first.count)
    shares = {separator: _share_of_one_width(filled, separator) for separator in SEPARATORS}
    in_rows = max(SEPARATORS, key=lambda separator: shares[separator])
    if in_header in first and (shares[in_header] > 0.5 or shares[in_rows] < 0.8):
        return in_header
    return in_rows if shares[in_rows] > 0.5 else ""


def is_table_rather(lines: Sequence[str], than: Sequence[str]) -> bool:
    """Whether these lines have one width, and those lines of the same text do not."""
    ways = [[_QUOTED.sub("", line) for line in way if line.strip()] for way in (lines, than)]
    separator = _separator(lines)
    if not separator:
        return False
    ours, theirs = (_share_of_one_width(way, separator) for way in ways)
    return ours > max(theirs, _LEAST_SHARE)


def _share_of_one_width(lines: Sequence[str], separator: str) -> float:
    """How many of the lines have the commonest number of cells, if that is more than one."""
    widths = Counter(line.count(separator) + 1 for line in lines)
    width, count = widths.most_common(1)[0] if widths else (1, 0)
    return count / len(lines) if width > 1 else 0.0


def _header_place(rows: Sequence[Row]) -> int:
    """Which row is the header, from 0: the first, unless titles or comments are above it."""
    widths = Counter(len(row) for row in rows)
    width, count = widths.most_common(1)[0] if rows else (1, 0)
    if width < 2 or 2 * count < len(rows) or not _is_title(rows, 0, width):
        return 0
    for place in range(1, min(len(rows), _MOST_ABOVE)):
        if not _is_title(rows, place, width):
            return place if _names_columns(rows, place) else 0
    return 0


def _is_title(rows: Sequence[Row], place: int, width: int) -> bool:
    """Whether a row is a title or a comment, of which fewer cells are filled than of a header."""
    row = rows[place]
    filled = sum(bool(cell.strip()) for cell in row)
    # One cell short may be a header above row names: then a row of texts alone follows it nowhere.
    is_short = len(row) < width or (filled == 1 and width == 2)
    return 2 * filled < width or is_short or bool(_COMMENT.match(row[0]))


def _names_columns(rows: Sequence[Row], place: int) -> bool:
    """Whether a row holds different texts, and is above numbers."""
    names = [cell.strip() for cell in rows[place] if cell.strip()]
    if len(set(names)) < len(names) or any(_NUMBER.fullmatch(name) for name in names):
        return False
    below = rows[place + 1 :]
    columns = ([r[n].strip() for r in below if n < len(r)] for n in range(len(rows[place])))
    return any(column and all(map(_NUMBER.fullmatch, filter(None, column))) for column in columns)


def _have_row_names(rows: Sequence[Row]) -> bool:
    """Whether every row has one cell more than the header, and that is not an empty last one."""
    if len(rows) < _LEAST_LINES:
        return False
    header, *below = rows
    if len(header) == 1 and not _names_columns(rows, 0):
        return False  # a title as well
    return all(len(row) == len(header) + 1 for row in below) and any(
        row[-1].strip() for row in below
    )


def _may_be_parted(rows: Sequence[Row]) -> bool:
    """Whether a decimal comma may part a number in every row, as in ``1,36,5`` for 1 and 36,5.

    Then nothing shows which cell is too many, and no row name is proposed.
    """
    pairs = zip(*([*pairwise(row)] for row in rows), strict=False)
    return any(all(_WHOLE.fullmatch(a) and _DIGITS.fullmatch(b) for a, b in pair) for pair in pairs)


def _refuse_unseparated(lines: Sequence[str]) -> None:
    """Refuse columns that blanks or fixed widths part; a single column is a table, too."""
    filled = [line for line in lines if line.strip()]
    if len(filled) < _LEAST_LINES:
        return
    first, *below = filled
    counts = {len(line.split()) for line in below}
    words = len(first.split())
    has_digits = any(map(str.isdigit, "".join(below)))
    parted = words > 1 and has_digits and counts in ({words}, {words + 1})
    same = {len(line) for line in filled} == {len(first)} and len(first) >= _LEAST_WIDTH
    digits = sum(map(str.isdigit, first))
    if parted or (same and (2 * digits >= len(first) or (words > 1 and has_digits))):
        raise refuse("data-file-fixed-width", "$.data.path")


def _cells(line: str, separator: str) -> Row:
    if line.count('"') % 2:
        return line.split(separator)
    return split_record(f"{line}\n", separator) or [""]
