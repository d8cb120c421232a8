# SPDX-License-Identifier: Apache-2.0
"""Whether a file seems to be about people at all, judged by its header and first rows.

Counts of groups, several tables in one file, codebooks and running texts load without a fault
and give releases that protect nobody. So the custodian is asked; the answer is theirs, and nothing
that was seen here reaches a message or a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dpdesk.data.inspection.about_words import (
    AGGREGATES,
    ALL_OF_THEM,
    AMBIGUOUS,
    BY_GROUP,
    CODES,
    DESCRIBED,
    DESCRIBES,
    GROUP_WORDS,
    KINDS_OF_PEOPLE,
    NO_PERSONS,
    PARTS_OF_ALL,
)
from dpdesk.data.inspection.raw_preview import top_rows
from dpdesk.data.progress import CancelToken
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem
from dpdesk.study.suggest.identifiers import identifier_kind
from dpdesk.study.suggest.range_match import suggest_ranges
from dpdesk.study.suggest.words import joined, words_of

LOOKED_AT_ROWS = 60

Rows = list[list[str]]

_NUMBER = re.compile(r"\s*[-+]?\d+(?:[.,]\d+)?\s*%?\s*")
_YEAR = re.compile(r"\s*(?:19|20)\d\d\s*")
_COLUMN_OF_GROUP = re.compile(
    r"\s*(?:[0-9]{1,2}[/.][0-9]{1,2}[/.](?:[0-9]{2}){1,2}"
    r"|(?:19|20)[0-9]{2}-[01]?[0-9](?:-[0-9]{1,2})?|(?:19|20)[0-9]{2}-?[QW][0-9]{1,2}"
    r"|[0-9]{1,3} ?(?:-|\u2013|to|bis) ?[0-9]{1,3}(?: years| Jahre)?)\s*"
)
"""A day, a month, a quarter or a range of ages: the name of a column of counts."""

_LEAST_SPREAD, _LEAST_ROWS = 3, 8
_LEAST_YEARS = 3
_LEAST_DESCRIBING = 2
_LEAST_LIMITS = 3

Row = Sequence[str]


class SeemsKind(StrEnum):
    """What a file that is not about people may be instead."""

    AGGREGATES = "aggregates"
    STACKED = "stacked"
    CODEBOOK = "codebook"
    TEXT = "text"


@dataclass(frozen=True)
class Seems:
    """A doubt whether a file is about people.

    Attributes:
        row: where a second header is, the header being row 1; ``None`` where none is.
    """

    kind: SeemsKind
    row: int | None = None

    @property
    def question(self) -> Problem:
        if self.kind is SeemsKind.STACKED:
            return Problem("$.data.path", "seems-stacked", {"row": str(self.row)})
        if self.kind is SeemsKind.CODEBOOK:
            return Problem("$.data.path", "seems-codebook")
        if self.kind is SeemsKind.TEXT:
            return Problem("$.data.path", "seems-text")
        return Problem("$.data.path", "seems-aggregates")


def what_it_seems(header: Row, rows: Sequence[Row]) -> Seems | None:
    """What a file seems to be where it seems not to be about people.

    Args:
        rows: some rows after it, blank ones among them; not the whole file.
    """
    if reads_as_text(header, rows):
        return Seems(SeemsKind.TEXT)
    second = _second_header(header, rows)
    if second is not None:
        return Seems(SeemsKind.STACKED, second)
    if any(_is_of_a_person(name) for name in header):
        return None
    if _describes_variables(header):
        return Seems(SeemsKind.CODEBOOK)
    is_counted = _counts_groups(header) or _counts_by_shape(header, rows)
    return Seems(SeemsKind.AGGREGATES) if is_counted else None


def _second_header(header: Row, rows: Sequence[Row]) -> int | None:
    """The row of a header further down: the same again, or a new one after a blank row."""
    names = _cells(header)
    for index, row in enumerate(rows):
        cells = _cells(row)
        if len(names) > 1 and cells == names:
            return index + 2
        after_blank = index > 0 and not any(_cells(rows[index - 1]))
        if after_blank and any(cells) and _reads_as_header(row, header, rows[: index - 1]):
            return index + 2
    return None


def _reads_as_header(row: Row, header: Row, before: Sequence[Row]) -> bool:
    """Whether a row after a blank one names columns.

    It holds no number, and has a name of the first header or is above numbers.
    """
    cells = [cell for cell in _cells(row) if cell]
    if len(cells) < min(2, len(header)) or any(_NUMBER.fullmatch(cell) for cell in cells):
        return False
    if len(set(cells)) < len(cells):
        return False
    return bool(set(cells) & set(_cells(header))) or _above_numbers(row, before)


def _above_numbers(row: Row, before: Sequence[Row]) -> bool:
    """Whether a text is where every cell so far was a number."""
    for place, cell in enumerate(row):
        column = [r[place] for r in before if place < len(r) and r[place].strip()]
        if cell.strip() and column and all(_NUMBER.fullmatch(c) for c in column):
            return True
    return False


def _is_of_a_person(name: str) -> bool:
    # A codebook has "name", and "comment", of its own; "patients" are counted.
    if joined(name) == "name" or joined(name) in AGGREGATES["whole"]:
        return False
    kind = identifier_kind(name)
    return kind is not None and kind in KINDS_OF_PEOPLE


def _describes_variables(header: Row) -> bool:
    """Whether the columns are those of a list of variables or of codes."""
    names = {joined(name) for name in header}
    if len(header) == 2 and all(names & part for part in CODES.values()):
        return True
    known = DESCRIBED | DESCRIBES["kind"] | DESCRIBES["limit"]
    if names & (DESCRIBED - AMBIGUOUS) and len(names) > 1 and names <= known:
        return True
    reported = DESCRIBES["limit"] & names
    describing = (DESCRIBES["kind"] | DESCRIBES["limit"]) & names
    if names & DESCRIBED:
        return len(describing) >= _LEAST_DESCRIBING
    return len(reported) >= _LEAST_LIMITS


def _counts_groups(header: Row) -> bool:
    """Whether the columns that are no groups are counts or averages.

    Most of them; half of them, or all but one where nothing names a group, where some are plainly
    no person's.
    """
    if sum(bool(_YEAR.fullmatch(name)) for name in header) >= _LEAST_YEARS:
        return True
    groups = [name for name in header if joined(name) in BY_GROUP]
    others = [name for name in header if joined(name) not in BY_GROUP]
    counted = [name for name in others if _is_aggregate(name)]
    plain = any(joined(name) in AGGREGATES["plain"] for name in counted)
    if not groups:
        return plain and len(counted) > 1 and len(others) - len(counted) <= 1
    return bool(counted) and 2 * len(counted) + plain > len(others)


def _counts_by_shape(header: Row, rows: Sequence[Row]) -> bool:
    """Whether names and cells together are those of counts.

    A column that no person has (a population, an incidence) beside one of groups; a count of each
    combination of groups, none of which comes twice; columns that are days, ages or the sexes; or
    a row that is the sum of others.
    """
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    groups = [place for place, name in enumerate(header) if _names_groups(name)]
    if groups and any(_is_no_persons(name) for name in header):
        return True
    counted = any(_is_aggregate(name) and _is_hardly_a_persons(name) for name in header)
    keys = {tuple(row[place].strip() for place in groups if place < len(row)) for row in filled}
    if groups and counted and len(filled) >= _LEAST_ROWS and len(keys) == len(filled):
        return True
    return _is_crossed(header, filled) or any(map(_is_sum, filled))


def _names_groups(name: str) -> bool:
    return joined(name) in BY_GROUP or bool(GROUP_WORDS & set(words_of(name)))


def _is_no_persons(name: str) -> bool:
    return bool(NO_PERSONS & set(words_of(name))) or joined(name) in NO_PERSONS


def _is_hardly_a_persons(name: str) -> bool:
    """Whether a count is not one of those that a person may have, such as visits."""
    return joined(name) in AGGREGATES["plain"] or bool(AGGREGATES["word"] & set(words_of(name)))


def _is_crossed(header: Row, rows: Sequence[Row]) -> bool:
    """Whether columns are groups themselves, and hold counts of them, not the answers 0 and 1."""
    spread = [place for place, name in enumerate(header) if _COLUMN_OF_GROUP.fullmatch(name)]
    parts = [place for place, name in enumerate(header) if joined(name) in PARTS_OF_ALL]
    if len(spread) >= _LEAST_SPREAD:
        return True
    cells = [row[place].strip() for row in rows for place in parts if place < len(row)]
    are_counts = bool(cells) and all(_NUMBER.fullmatch(cell) for cell in cells if cell)
    return len(parts) > 1 and are_counts and not set(cells) <= {"", "0", "1"}


def _is_sum(row: Row) -> bool:
    """Whether a row is about all of the groups that others are about, with numbers behind."""
    cells = _cells(row)
    behind = [cell for cell in cells if _NUMBER.fullmatch(cell)]
    return bool(behind) and any(joined(cell) in ALL_OF_THEM for cell in cells if cell)


def _is_aggregate(name: str) -> bool:
    words = words_of(name)
    named = joined(name) in AGGREGATES["whole"] or bool(AGGREGATES["word"] & set(words))
    return named and not suggest_ranges(name)


def _cells(row: Row) -> list[str]:
    return [cell.strip() for cell in row]


_MOST_WORDS = 4
"""A column's name or a cell has seldom more of them."""

_MARK = re.compile(r"\s*(?:#|---|===|\*{3}|```|//|/\*|<!--|%|[-*+] |>|\[[^\]]*\]\s*$)")
"""How headings, comments, lists and rules begin, and a section of settings."""

_SETTING = re.compile(r"\s*[\w.-]+\s*[:=](?:\s|$)")
"""A name with a value behind it, or with values in the lines below."""

_PACKED = re.compile(r"\w\s*[\^~\\¦§#]\s*\w+\s*[\^~\\¦§#]\s*\w")
"""Columns, parted by a sign that dpdesk does not part them by."""


def reads_as_text(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the lines have no columns, and most of them are no cells of a single one.

    A file of one column is a table as good as any, so its lines have to say otherwise. A title
    above a table is none of this: the rows below all have the same columns.
    """
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    if _has_columns(header, filled):
        return False
    lines = [", ".join(row) for row in (header, *filled)]
    return 2 * sum(_is_no_cell(line) for line in lines) > len(lines)


def _has_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether most rows have as many cells as the next, or the first line alone has several."""
    widths = [len(row) for row in rows]
    if sum(bool(cell.strip()) for cell in header) > 1 and 2 * widths.count(1) <= len(widths):
        return True
    most = max(set(widths), key=widths.count, default=0)
    return most > 1 and 2 * widths.count(most) > len(widths)


def _is_no_cell(line: str) -> bool:
    marked = any(sign.match(line) for sign in (_MARK, _SETTING)) or _PACKED.search(line)
    return bool(marked) or len(line.split()) > _MOST_WORDS


def question_of(header: list[str], rows: Rows) -> Problem | None:
    """The question about a file that begins with a header and some rows."""
    seeming = what_it_seems(header, rows) if header else None
    return None if seeming is None else seeming.question


def top_table(source: DataSource, folder: Path, cancel: CancelToken) -> tuple[list[str], Rows]:
    """The header and the first rows below it; nothing where they do not lie in what was read.

    Raises:
        Refused: the file cannot be read.
        Cancelled: the token was raised.
    """
    rows = top_rows(source, folder, LOOKED_AT_ROWS, cancel)
    if source.header_row is None:
        first = next((n for n, row in enumerate(rows) if any(map(str.strip, row))), 0)
    else:
        first = source.header_row - 1
    if first < 0 or first >= len(rows):
        return [], rows if first < 0 else []
    return rows[first], rows[first + 1 :]
