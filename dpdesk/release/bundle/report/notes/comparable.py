# SPDX-License-Identifier: Apache-2.0
"""Which groups nobody should compare, and a query's figures without the comparisons with them.

A group that rows without a usable value count in is none of people who are alike. Its own figures
are shown; what compares it with others is in the files for machines alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.compared_text import compared_file
from dpdesk.release.bundle.readable import group_text
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.record.table_names import derived_file
from dpdesk.study.text.missing_cells import mixed_by_place
from dpdesk.study.text.unit_names import UnitNames, in_query

_QUOTED: Final[Template] = "“{group}”"
_MIXED: Final[Template] = (
    "{groups} includes {rows} without a value: do not rank it or compare it with others."
)
_LEFT_OUT: Final[Template] = "Comparisons and tests with it are not shown here, but in {file}."
_OTHER: Final = "compared_with"
"""The column of the group that another one is compared with."""


def mixed_note(charted: Charted, names: UnitNames) -> str:
    """Which of the groups that are read side by side are none; counts of them are what they are."""
    asked, words = charted.requested, charted.words
    if asked is None or (asked.declaration.is_total and not asked.comparisons):
        return ""
    groups = [words.say(_QUOTED, group=one) for one in mixed_groups(charted)]
    if not groups:
        return ""
    rows = in_query(names, charted.query.question.subject).rows
    return words.say(_MIXED, groups=", ".join(groups), rows=rows)


def comparable(charted: Charted) -> tuple[Charted, str]:
    """The same without comparisons with mixed groups, and without tests that count one as a group.

    Returns:
        The figures, and where the rest of what was computed is; empty where all is shown.
    """
    table, mixed = charted.table, _by_place(charted)
    if not any(mixed):
        return charted, ""

    def is_mixed(place: int, label: str) -> bool:
        return group_text(label, charted.words) in mixed[place]

    places, files = range(len(mixed)), list[str]()

    def is_barred(row: tuple[str, ...], reference: str) -> bool:
        """One group with another, or all groups of each grouping that it does not name."""
        groups = row[: len(mixed)]
        if any(is_mixed(at, label) for at, label in enumerate(groups) if label):
            return True
        if reference:
            return any(is_mixed(at, reference) for at in places)
        return any(mixed[at] for at in places if not groups[at])

    def is_own(row: tuple[str, ...], reference: str) -> bool:
        """A group's own figure; a test of all groups has none, a difference has another one."""
        return any(row[: len(mixed)]) and not reference

    derived, compared = table.derived, table.compared
    if derived is not None:
        at = [column.name for column in derived.columns].index(_OTHER)
        kept = [row for row in derived.rows if is_own(row, row[at]) or not is_barred(row, row[at])]
        files += [derived_file(charted.query.name)] * (len(kept) < len(derived.rows))
        derived = replace(derived, rows=tuple(kept))
    if compared is not None:
        at = [column.name for column in compared.columns].index(_OTHER)
        kept = [row for row in compared.rows if not is_barred(row, row[at])]
        files += [compared_file(charted.query)] * (len(kept) < len(compared.rows))
        compared = replace(compared, rows=tuple(kept)) if kept else None
    said = charted.words.say(_LEFT_OUT, file=", ".join(files)) if files else ""
    return replace(charted, table=replace(table, derived=derived, compared=compared)), said


def mixed_groups(charted: Charted) -> tuple[str, ...]:
    """The groups that rows without a usable value count in, as people call them."""
    return tuple(dict.fromkeys(label for labels in _by_place(charted) for label in labels))


def _by_place(charted: Charted) -> list[tuple[str, ...]]:
    """The mixed groups of each grouping, as people call them."""
    asked, study = charted.requested, charted.study
    if asked is None or study is None:
        return []
    return mixed_by_place(study, asked, charted.words.language)
