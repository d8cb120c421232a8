# SPDX-License-Identifier: Apache-2.0
"""Whether a study could be opened again from its file."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from dpdesk.study import limits
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused

Part = TypeVar("Part")


class RoundTrip:
    """Writes studies and reads them back; of one that follows another, what is not the same.

    Args:
        before: a study that was read from its file; the first one is compared with it.
        size: of that file as it would be written here, or more.
    """

    def __init__(self, before: Study | None = None, size: int = 0) -> None:
        self._before, self._size = before, size

    def check(self, study: Study) -> None:
        """Write a study and read it back.

        Raises:
            Refused: it could not be opened again; see ``study_from_bytes``.
        """
        if _has_too_many(study):
            # Refused for its length, whatever is in it: thousands of columns take too long.
            study_from_bytes(study_to_bytes(_shortened(study)))
        changed = self._changed(study)
        raw = study_to_bytes(changed)
        size = self._size + len(raw)
        if size > limits.MAX_STUDY_BYTES or not _can_be_read(raw):
            raw = raw if changed is study else study_to_bytes(study)
            size = len(raw)
            study_from_bytes(raw)
        self._before, self._size = study, size

    def _changed(self, study: Study) -> Study:
        """The study with only the columns and queries that the one before lacks."""
        old = self._before
        if old is None:
            return study
        columns = _lacking(study.columns, old.columns)
        return replace(study, columns=columns, queries=_lacking(study.queries, old.queries))


def _has_too_many(study: Study) -> bool:
    return len(study.columns) > limits.MAX_COLUMNS or len(study.queries) > limits.MAX_QUERIES


def _shortened(study: Study) -> Study:
    """The study with no more columns and queries than are one too many."""
    columns, queries = limits.MAX_COLUMNS + 1, limits.MAX_QUERIES + 1
    return replace(study, columns=study.columns[:columns], queries=study.queries[:queries])


def _lacking(parts: tuple[Part, ...], before: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts that are none of those before."""
    if parts is before:
        return ()
    known = set(map(id, before))
    return tuple(part for part in parts if id(part) not in known)


def _can_be_read(raw: bytes) -> bool:
    try:
        study_from_bytes(raw)
    except Refused:
        return False
    return True
