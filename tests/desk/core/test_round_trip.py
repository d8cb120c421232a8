# SPDX-License-Identifier: Apache-2.0
"""Of a study that follows another only the change is read back, and nothing less is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from dpdesk.desk.core import round_trip
from dpdesk.desk.core.round_trip import RoundTrip
from dpdesk.study import limits
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem, Refused
from tests.release.studies import STUDY

LONG = "v" * limits.MAX_TEXT
QUARTER = (LONG,) * (limits.MAX_STUDY_BYTES // limits.MAX_TEXT // 4)
"""Values that fill a good quarter of a file."""


def problems(check: Callable[[], object]) -> tuple[Problem, ...]:
    try:
        check()
    except Refused as refused:
        return refused.problems
    return ()


def with_query(**changes: object) -> Study:
    last = STUDY.queries[-1].having(**changes)
    return replace(STUDY, queries=(*STUDY.queries[:-1], last))


def with_column(column: CategoryColumn) -> Study:
    return replace(STUDY, columns=(*STUDY.columns[:-1], column))


EDITS = {
    "the same": STUDY,
    "a title": replace(STUDY, title="Another"),
    "a title that cannot be read": replace(STUDY, title="a\u200bb"),
    "a query's title": with_query(title="Another"),
    "a query's title that cannot be read": with_query(title="a\u200bb"),
    "a column's value that cannot be read": with_column(CategoryColumn("x", ("\u202e",))),
    "a column taken away": replace(STUDY, columns=STUDY.columns[1:]),
    "too many columns": replace(
        STUDY, columns=tuple(CategoryColumn(f"c{n}") for n in range(limits.MAX_COLUMNS + 1))
    ),
    "a file that would be too large": replace(
        STUDY, columns=tuple(CategoryColumn(f"c{n}", QUARTER) for n in range(4))
    ),
}


@pytest.mark.parametrize("study", EDITS.values(), ids=EDITS.keys())
def test_what_could_not_be_opened_again_is_refused_with_its_place(study: Study) -> None:
    trip = RoundTrip()
    trip.check(STUDY)
    expected = problems(lambda: study_from_bytes(study_to_bytes(study)))
    assert problems(lambda: trip.check(study)) == expected
    assert problems(lambda: RoundTrip().check(study)) == expected


def test_what_has_too_many_columns_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five thousand columns that were switched on together took a third of a second to refuse."""
    written: list[Study] = []
    monkeypatch.setattr(
        round_trip, "study_to_bytes", lambda study: written.append(study) or study_to_bytes(study)
    )
    study = replace(STUDY, columns=tuple(CategoryColumn(f"c{n}") for n in range(5_000)))
    assert problems(lambda: RoundTrip(STUDY).check(study))
    assert [len(one.columns) for one in written] == [limits.MAX_COLUMNS + 1]


def test_a_study_grows_no_larger_than_its_file_may_be_edit_by_edit() -> None:
    trip = RoundTrip()
    columns = [CategoryColumn(f"c{n}", ("a",)) for n in range(4)]
    refused = []
    for place, column in enumerate(columns):
        columns[place] = replace(column, values=QUARTER)
        study = replace(STUDY, columns=tuple(columns))
        whole = problems(lambda study=study: study_from_bytes(study_to_bytes(study)))  # type: ignore[misc]
        assert problems(lambda study=study: trip.check(study)) == whole  # type: ignore[misc]
        refused.append(bool(whole))
    assert refused == [False, False, False, True]


def test_edits_of_one_column_never_fill_the_file() -> None:
    trip = RoundTrip()
    for turn in range(5):
        trip.check(with_column(CategoryColumn("x", (*QUARTER, f"{turn}"))))
