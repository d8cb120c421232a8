# SPDX-License-Identifier: Apache-2.0
"""What a release publishes of a real file is what pandas says, and a difference is seen."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from dpdesk.study.checks.study_checks import check
from tests.acceptance.publish import table_one


def test_a_table_1_is_what_pandas_says_and_a_difference_is_named(shared_data: Path) -> None:
    study, path = table_one.table_one(), shared_data / table_one.FILE
    assert check(study) == ()
    ours = table_one.released(study, path.parent)
    theirs = table_one.by_pandas(pd.read_csv(path, dtype=str, keep_default_na=False))
    assert len(ours) == len(theirs) == 208
    assert list(table_one.differing(ours, theirs)) == []
    median = ("time_in_hospital", "", "(overall)", "median")
    women = ("gender", "Women", "NO", "n")
    wrong = {**theirs, median: (1.0, 1.0), women: theirs[women] + 1}
    assert list(table_one.differing(ours, wrong)) == [women, median]
    assert list(table_one.differing({**ours, women: ""}, theirs)) == [women]


def test_a_file_that_is_not_there_is_said_and_skipped(tmp_path: Path) -> None:
    said = f"Table 1       skipped: {table_one.FILE} is not on this machine"
    assert list(table_one.lines(tmp_path)) == [(said, True)]
