# SPDX-License-Identifier: Apache-2.0
"""The study as it is released says nothing about where files lie."""

from __future__ import annotations

import json

from dpdesk.release.record import public_study
from dpdesk.study.document import Study
from dpdesk.study.unit import DataSource


def test_no_place_of_a_file_is_released() -> None:
    data = DataSource("/wards/canary/a.sas7bdat", "sas", catalogue="/wards/canary/a.sas7bcat")
    said = json.dumps(public_study(Study(data=data)))
    assert "canary" not in said
    assert '"sas"' in said


def test_a_study_without_data_is_released_as_it_is() -> None:
    assert "data" not in public_study(Study())
