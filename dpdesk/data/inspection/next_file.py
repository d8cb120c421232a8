# SPDX-License-Identifier: Apache-2.0
"""How a file is read that follows an earlier one: as that one, if its columns are found so.

Of the file, nothing but its layout and its header is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import read_header
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.study.model.columns import plain_name
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from dpdesk.study.reuse.earlier_study import declared_names, read_as_before


@dataclass(frozen=True)
class NextFile:
    """A file that follows an earlier one.

    Attributes:
        header: its columns; empty where it has to be said first how it is read.
    """

    source: DataSource
    header: tuple[str, ...]


def look_at_next(
    earlier: Study,
    path: Path,
    cancel: CancelToken | None = None,
    progress: Progress = no_progress,
) -> NextFile:
    """Find out how the next file is read, and its columns.

    It is read as the earlier one was, unless more of the declared columns are found in the way
    that the file itself suggests.

    Raises:
        Refused: as ``recognise`` says; what keeps the header from being read in either way, where
            the file leaves no choice open.
        Cancelled: the token was raised.
    """
    proposed = recognise(path, cancel, progress)
    before = read_as_before(earlier.data, proposed)
    refusals: list[Refused] = []
    looked = []
    for source in dict.fromkeys((before, proposed)):
        try:
            looked.append(NextFile(source, read_header(source, path.parent, cancel)))
        except Refused as refused:
            refusals.append(refused)
    if looked:
        return max(looked, key=lambda one: _fitting(earlier, one.header))
    if proposed.format == "excel" and (not proposed.sheet or proposed.header_row is None):
        return NextFile(proposed, ())
    raise refusals[0]


def _fitting(study: Study, header: tuple[str, ...]) -> int:
    there = set(header)
    return sum(plain_name(name) in there for name in declared_names(study))
