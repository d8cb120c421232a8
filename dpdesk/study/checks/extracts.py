# SPDX-License-Identifier: Apache-2.0
"""The extract: the custodian's own name for one state of the data, always declared, never exported.

The same question on the same extract has one answer, paid for once. A file's name alone says too
little: ``2023/data.csv`` and ``2024/data.csv`` are two states of the data. So a name is proposed
from the file and the day on which it was chosen, and it takes a person to keep using it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from datetime import date
from itertools import count
from pathlib import PurePath

from dpdesk.study import limits
from dpdesk.study.json.json_reader import text_problem
from dpdesk.study.model.columns import plain_name
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, refuse

PLACE = "$.data.extract"
LONGEST_FILE_NAME = 200
"""Of a proposed name; the day and a number follow."""


def plain_extract(name: str) -> str:
    """What two spellings of one extract have in common: case, white space and Unicode form do not
    tell two states of the data apart.

    >>> plain_extract(" Stays  2026"), plain_extract("stays 2026")
    ('stays 2026', 'stays 2026')
    """
    # Folding can undo the composed form, as of the dotted capital I.
    folded = unicodedata.normalize("NFKC", name).casefold()
    return plain_name(unicodedata.normalize("NFKC", folded))


def check_extract(data: DataSource | None) -> Iterator[Problem]:
    """``extract-not-declared`` where a file is chosen and nobody said which state it is.

    A study can be planned without; nothing is released from it.
    """
    if data is not None and data.path and not plain_extract(data.extract):
        yield Problem(PLACE, "extract-not-declared")


def checked_extract(name: str) -> str:
    """An extract's name as somebody typed it in a shell.

    Raises:
        Refused: ``extract-not-declared``, ``text-too-long`` (param most) or ``text-invisible``.
    """
    name = name.strip()
    if not plain_extract(name):
        raise refuse("extract-not-declared", PLACE)
    problem = text_problem(name)
    if problem == "text-too-long":
        raise refuse(problem, PLACE, most=str(limits.MAX_TEXT))
    if problem is not None:
        raise refuse(problem, PLACE)
    return name


def file_name(path: str) -> str:
    """A path's last part, whichever system wrote it: what an undeclared extract was called."""
    return PurePath(path.replace("\\", "/")).name


def proposed_extract(
    path: str, day: date, is_taken: Callable[[str], bool] = lambda _name: False
) -> str:
    """A name for the file that was chosen on a day.

    Args:
        day: when it was chosen.
        is_taken: whether a name means another state of the data already.

    >>> proposed_extract("in/stays.csv", date(2026, 11, 22))
    'stays.csv, 2026-11-22'
    >>> proposed_extract("in/stays.csv", date(2026, 11, 22), "stays.csv, 2026-11-22".__eq__)
    'stays.csv, 2026-11-22 (2)'
    """
    shown = "".join(c if limits.is_printable_text(c) else " " for c in file_name(path))
    name = f"{plain_name(shown)[:LONGEST_FILE_NAME]}, {day.isoformat()}".removeprefix(", ")
    numbered = (name if n == 1 else f"{name} ({n})" for n in count(1))
    return next(found for found in numbered if not is_taken(found))
