# SPDX-License-Identifier: Apache-2.0
"""A manifest's study gives back every derived column, to the digit."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.release.record.released_study import ReleasedStudy, public_study
from dpdesk.study.model.document import Study
from tests.data.preparation.steps import derived_columns, raw_columns
from tests.study.json.test_step_json import CODES


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_every_step_comes_back_from_a_manifest(data: st.DataObject) -> None:
    read = data.draw(raw_columns())
    study = Study(columns=(*read, data.draw(derived_columns(read, "made")), CODES))
    members = json.loads(json.dumps(public_study(study)))
    back = ReleasedStudy(members).study
    assert back is not None
    assert back.columns == study.columns
