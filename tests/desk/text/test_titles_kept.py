# SPDX-License-Identifier: Apache-2.0
"""A query's title is kept while all that it is made of stays."""

from __future__ import annotations

from dataclasses import replace

from dpdesk.desk.text import words
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit

MEAN = Query("stay").having(statistic="mean", column="los")
STUDY = Study("Stays", unit=Unit("id"), columns=(NumberColumn("los", title="Nights"),))


def test_a_title_follows_columns_people_and_query() -> None:
    assert words.query_title(STUDY, MEAN) == "Mean of nights"
    assert words.query_title(STUDY, MEAN) == "Mean of nights"
    renamed = replace(STUDY, columns=(NumberColumn("los", title="Days"),))
    assert words.query_title(renamed, MEAN) == "Mean of days"
    assert words.query_title(STUDY, MEAN) == "Mean of nights"
    assert words.query_title(STUDY, replace(MEAN, title="Own")) == "Own"
    count = Query("all")
    assert words.query_title(STUDY, count) != words.query_title(
        replace(STUDY, unit=Unit("id", row_name="stay", row_names="stays")), count
    )
