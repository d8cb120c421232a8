# SPDX-License-Identifier: Apache-2.0
"""The handbook's derived columns are read as they stand, and pass the study's checks."""

from __future__ import annotations

import json
import re
from datetime import date
from decimal import Decimal

import pytest

from dpdesk.desk.pages.help.handbook import read_handbook
from dpdesk.study.checks.step_checks import check_step
from dpdesk.study.json.study_reader import study_from_members
from dpdesk.study.model.columns import DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from tests.desk.pages.help.test_pages import LANGUAGES

DECLARED = (
    NumberColumn("time_in_hospital", Decimal(1), Decimal(14), Decimal(1)),
    YesNoColumn("readmitted", ("<30",), (">30", "NO")),
    DateColumn("START", date(1990, 1, 1), date(2020, 12, 31)),
    DateColumn("STOP", date(1990, 1, 1), date(2020, 12, 31)),
)


def examples(language: str) -> list[object]:
    keys = ("derived-examples", "person-values")
    texts = [one.text for one in read_handbook(language).pages if one.key in keys]
    decoder, found = json.JSONDecoder(), []
    for block in re.findall(r"```\n(.*?)```", "\n".join(texts), re.DOTALL):
        left = block.strip()
        while left:
            value, end = decoder.raw_decode(left)
            found.append(value)
            left = left[end:].lstrip()
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_example_is_a_sound_column(language: str) -> None:
    made = study_from_members({"dpdesk": 1, "columns": examples(language)}).columns
    study = Study(columns=(*DECLARED, *made))
    assert len(made) == 5
    assert [list(check_step(study, column, "$")) for column in made] == [[]] * 5
