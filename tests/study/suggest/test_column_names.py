# SPDX-License-Identifier: Apache-2.0
"""Columns of further tables are called as in their files, or as they were declared."""

from __future__ import annotations

from dataclasses import replace

from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN, FurtherTable
from dpdesk.study.model.unit import DataSource
from dpdesk.study.suggest.column_names import column_names


def test_a_header_of_two_tables_gets_the_name_of_the_further_one() -> None:
    labs = FurtherTable("labs", DataSource("labs.csv"), "pid", case="stay")
    code = CategoryColumn("kind", ("a",), table="labs", in_file="code")
    study = Study(tables=(labs,), columns=(code, replace(code, name="own", table="", in_file="")))
    headers = {MAIN: ("pid", "ward"), "labs": ("pid", "stay", "ward", "own", "code", "value")}
    assert column_names(study, headers) == {
        "ward (labs)": ("labs", "ward"),
        "own (labs)": ("labs", "own"),
        "kind": ("labs", "code"),
        "value": ("labs", "value"),
    }
